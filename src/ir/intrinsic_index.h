/* SPDX-License-Identifier: MIT */
/* intrinsic_index.h - an index of an intrinsic by its name. */
#ifndef HEDDLE_IR_INTRINSIC_INDEX_H
#define HEDDLE_IR_INTRINSIC_INDEX_H

#include "heddle/ir.h"
#include "heddle/ops.h"

/* 0 where it has none. */
static inline uint32_t
hd_intrinsic_index(const hd_intrinsic *i, hd_index index)
{
   const unsigned slot = hd_instr_intrinsic_info(&i->instr)->slots[index];

   return slot ? hd_intrinsic_indices(i)[slot - 1] : 0;
}

#endif
