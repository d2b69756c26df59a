/* SPDX-License-Identifier: MIT */
/* combine.h - wave reductions and scans by DPP: the pseudo ops that selection creates and lowering expands.
 *
 *    reduce_scan.c       reductions and scans of the IR => p_reduce, p_inclusive_scan, ...
 *    lower_combine.c     those => DPP steps over all 64 lanes
 */
#ifndef HEDDLE_BACKEND_GCN_COMBINE_H
#define HEDDLE_BACKEND_GCN_COMBINE_H

#include "backend/gcn/program.h"
#include "heddle/ops.h"

/* `imm` of the pseudo ops: what combines two lanes, and how many of them are taken together: a
 * power of two, 2 to 64. Scans are of 64.
 */
static inline int32_t
hd_gcn_combine_imm(hd_reduce_op op, unsigned cluster)
{
   return (int32_t)((unsigned)op | cluster << 8);
}

static inline hd_reduce_op
hd_gcn_combine_op(const hd_mach_inst *inst)
{
   return (hd_reduce_op)(inst->imm & 0xff);
}

static inline unsigned
hd_gcn_combine_cluster(const hd_mach_inst *inst)
{
   return (unsigned)inst->imm >> 8;
}

static inline bool
hd_gcn_is_combine(const hd_mach_inst *inst)
{
   return inst->op >= HD_GCN_P_REDUCE && inst->op <= HD_GCN_P_EXCLUSIVE_SCAN;
}

/* lower_combine.c */
/* Vector registers that it needs for itself, beside those of the operands: 1 or 2. */
unsigned hd_gcn_combine_needs(const hd_mach_program *p, const hd_mach_inst *inst);
/* Steps before the instruction, which is left, or after `*last`: what saved exec for the one that comes
 * after it in the block, NULL if none did; set anew. `own` is the first of those registers.
 */
void hd_gcn_lower_combine(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst,
                          unsigned own, hd_mach_inst **last);

#endif
