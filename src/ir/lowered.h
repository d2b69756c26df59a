/* SPDX-License-Identifier: MIT */
/* lowered.h - the generated tables for hd_shader.lowered: constructs that were lowered for good. */
#ifndef HEDDLE_IR_LOWERED_H
#define HEDDLE_IR_LOWERED_H

#include "heddle/ir.h"
#include "heddle/ops.h"

extern const hd_lowered_info hd_lowered_infos[];
extern const unsigned hd_num_lowered_infos;

/* The constructs that an op or intrinsic belongs to, if sizes and components are right. */
extern const uint32_t hd_op_candidates[];
extern const uint32_t hd_intrinsic_candidates[];

/* Does it sample at the level that the lanes of a quad give, as image_sample? */
bool hd_samples_by_quad(const hd_instr *i);

#endif
