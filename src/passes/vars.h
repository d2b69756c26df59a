/* SPDX-License-Identifier: MIT */
/* vars.h - helpers of passes that replace local variables. */
#ifndef HEDDLE_PASSES_VARS_H
#define HEDDLE_PASSES_VARS_H

#include "ir/repair.h"
#include "util/ptr_map.h"

/* Names that variables of a function have. */
struct var_names {
   hd_function *f;
   hd_ptr_map taken;
};

/* Room for `num_new` more. */
void hd_var_names_find(struct var_names *names, uint32_t num_new);

/* A variable for a part of another: not an array, named after it and the part's number. Takes
 * constant time, but for names that are taken.
 */
hd_var *hd_var_make_part(struct var_names *names, const hd_var *var, unsigned num_components,
                         uint64_t part);

/* Which source the index of an access to an array is. */
static inline unsigned
var_index_slot(const hd_var_access *access)
{
   return access->instr.kind == HD_INSTR_STORE_VAR ? 1 : 0;
}

/* The element that an access of an array names, if it is a constant. */
static inline const hd_const *
var_const_index(const hd_var_access *access)
{
   return hd_src_as_const(&access->src[var_index_slot(access)]);
}

/* Let an access of an array be one of a variable for one element: it stays the same instruction. */
void hd_var_name_element(hd_var_access *access, hd_var *element);

/* An access past the end is an error of the program: a load is undef, a store goes. */
void hd_var_remove_access(hd_undefs *undefs, hd_var_access *access);

#endif
