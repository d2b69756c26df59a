/* SPDX-License-Identifier: MIT */
/* lane_masks.h - instruction selection of cross-lane operations: interface between its files.
 *
 *    lane_values.c   masks, bits and numbers of lanes as operands
 *    lane_masks.c    ballots, votes, lane masks
 *    lane_moves.c    values of other lanes: broadcasts, shuffles, quads, derivatives
 *    reduce_scan.c   reductions and scans
 *    barriers.c      barriers
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_LANE_MASKS_H
#define HEDDLE_BACKEND_GCN_SELECT_LANE_MASKS_H

#include "backend/gcn/select/alu.h"

static inline hd_mach_operand
hd_gcn_new_scalar(hd_gcn_selector *s, unsigned size)
{
   return hd_gcn_new(s, HD_GCN_SGPR, size);
}

static inline hd_mach_operand
hd_gcn_new_vector(hd_gcn_selector *s)
{
   return hd_gcn_new(s, HD_GCN_VGPR, 1);
}

static inline hd_mach_operand
hd_gcn_exec(void)
{
   return hd_mach_operand_reg(HD_GCN_EXEC, 2);
}

/* Two dwords of all ones, or none. */
static inline hd_mach_operand
hd_gcn_wide_inline(const hd_gcn_selector *s, int64_t value)
{
   return hd_gcn_operand_const(hd_gcn_target_in(s->p)->gen, HD_GCN_B64, (uint64_t)value);
}

/* The number of the lane: found again in the block. */
hd_mach_operand hd_gcn_lane(hd_gcn_selector *s);
/* 0 or 1 in scc, as a uniform boolean. `negate`: the opposite. */
hd_mach_operand hd_gcn_from_scc(hd_gcn_selector *s, bool negate);

/* Each lane's bit of a mask, or of a value of two dwords, by the number of a lane in a VGPR: a
 * mask. Numbers count modulo 64.
 */
hd_mach_operand hd_gcn_bit_at(hd_gcn_selector *s, hd_mach_operand mask, hd_mach_operand number);
/* A boolean (a mask, a dword, a constant) as a mask. */
hd_mach_operand hd_gcn_mask_of(hd_gcn_selector *s, hd_mach_operand boolean);

/* How many bits of a mask are set below this lane, plus `more`. */
hd_mach_operand hd_gcn_count_below(hd_gcn_selector *s, hd_mach_operand low, hd_mach_operand high,
                                   hd_mach_operand more);
/* A 64-bit shift of vector values. */
hd_mach_operand hd_gcn_shift_wide(hd_gcn_selector *s, bool left, hd_mach_operand value,
                                  hd_mach_operand by);

bool hd_gcn_select_move(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_combine(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_barrier(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_clock(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

#endif
