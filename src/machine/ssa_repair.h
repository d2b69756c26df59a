/* SPDX-License-Identifier: MIT */
/* ssa_repair.h - scalars that are written in several places become SSA values again. */
#ifndef HEDDLE_MACHINE_SSA_REPAIR_H
#define HEDDLE_MACHINE_SSA_REPAIR_H

#include "machine/program.h"

/* At the end of a block a temp gets this value. */
typedef struct linear_def {
   hd_mach_block *block;
   uint32_t temp;
   hd_mach_operand value;
} linear_def;

/* At the beginning of a block a temp has no value: what was written before is not read. */
typedef struct linear_begin {
   hd_mach_block *block;
   uint32_t temp;
} linear_begin;

typedef struct linear_defs {
   linear_def *defs;
   uint32_t num, capacity;
   linear_begin *begins;
   uint32_t num_begins, begin_capacity;
} linear_defs;

/* Scalars that are written more than once, or read where their def does not dominate, become SSA values
 * with phis; `defs` are writes besides those of instructions. There are no critical linear edges.
 * Unwinds when memory runs out.
 */
void hd_mach_ssa_repair(hd_mach_program *p, const linear_defs *defs);

#endif
