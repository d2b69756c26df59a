/* SPDX-License-Identifier: MIT */
/* own_intrinsics.h - look-ups of a driver's own intrinsics, which are numbered after the generated table. */
#ifndef HEDDLE_IR_OWN_INTRINSICS_H
#define HEDDLE_IR_OWN_INTRINSICS_H

#include "heddle/intrinsic.h"
#include "heddle/intrinsic_enum.h"

/* hd_shader_intrinsic_info and hd_instr_intrinsic_info of a number that the library's table does
 * not have.
 */
const hd_intrinsic_info *hd_own_shader_info(const hd_shader *shader, unsigned id);
const hd_intrinsic_info *hd_own_instr_info(const hd_instr *instr);

/* Is the number one of the library's table? */
static inline bool
hd_is_library_intrinsic(const hd_instr *i)
{
   return i->op - 1u < HD_NUM_INTRINSICS - 1;
}

/* Or one that the shader has. */
static inline bool
hd_knows_intrinsic(const hd_shader *shader, const hd_instr *i)
{
   return hd_is_library_intrinsic(i) || hd_shader_own_intrinsic(shader, i->op);
}

/* May code of one shader stand in the other: do the same numbers mean the same? */
bool hd_same_intrinsics(const hd_shader *a, const hd_shader *b);

/* Has every intrinsic of the shader a row? Where not a diagnostic names the first. */
bool hd_knows_intrinsics(const hd_shader *shader, const hd_diag_sink *sink);

/* Send a diagnostic for an instruction whose number is registered nowhere. */
void hd_refuse_intrinsic(const hd_function *f, const hd_instr *instr);

#endif
