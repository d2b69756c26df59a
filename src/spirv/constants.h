/* SPDX-License-Identifier: MIT */
/* constants.h - interface of the files that translate constants. */
#ifndef HEDDLE_SPIRV_CONSTANTS_H
#define HEDDLE_SPIRV_CONSTANTS_H

#include "ir/fold.h"
#include "spirv/spirv.h"

/* Its components stand in spirv_constant.bits. */
static inline bool
hd_spirv_has_bits(const struct spirv_type *t)
{
   return hd_spirv_type_is_leaf(t) && t->components <= 4;
}

struct spirv_constant *hd_spirv_new_constant(struct spirv *s, const struct spirv_type *t);
/* One of constants that are its components, columns, elements or members. */
struct spirv_constant *hd_spirv_make_constant(struct spirv *s, const struct spirv_type *t,
                                              const struct spirv_constant **parts);
/* Component, column, element or member n. */
const struct spirv_constant *hd_spirv_constant_part(struct spirv *s, const struct spirv_constant *c,
                                                    uint32_t n);
/* fold.c: OpSpecConstantOp. */
struct spirv_constant *hd_spirv_fold(struct spirv *s, const struct spirv_instr *i,
                                     const struct spirv_type *t);

#endif
