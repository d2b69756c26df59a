/* SPDX-License-Identifier: MIT */
/* subgroup.h - how lower_subgroup expands reductions and scans. */
#ifndef HEDDLE_PASSES_SUBGROUP_H
#define HEDDLE_PASSES_SUBGROUP_H

#include "heddle/build.h"

/* A reduction or scan as `i` is, of this value. */
hd_def *hd_subgroup_combine(hd_builder *b, const hd_instr *i, hd_def *value, hd_reduce_op op);

/* Whether it is of 64 bits, and can be had of several of 32; those. */
bool hd_subgroup_splits(const hd_instr *i, hd_op op);
hd_def *hd_subgroup_split(hd_builder *b, const hd_instr *i, hd_op op);

#endif
