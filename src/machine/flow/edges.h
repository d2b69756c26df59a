/* SPDX-License-Identifier: MIT */
/* edges.h - critical edges and phis: helpers of every control-flow lowering. All unwind when memory runs
 * out.
 */
#ifndef HEDDLE_MACHINE_FLOW_EDGES_H
#define HEDDLE_MACHINE_FLOW_EDGES_H

#include "machine/flow/flow.h"
#include "machine/ssa_repair.h"

/* Give each critical linear edge a block, and each that goes back from one of several successors:
 * where a block stands before its only predecessor, its values have been placed before. Where a
 * block has more than two linear successors, those before the last are branched to, and the last
 * one follows.
 */
void hd_mach_split_edges(hd_mach_program *p);
/* The same for logical edges, which get a block without an IR block. Numbers the blocks. */
void hd_mach_split_logical_edges(hd_mach_program *p);

/* Blocks that lanes cannot reach are in no order any more. Edges on which no lane waits keep their
 * block, and the pc goes through it.
 */
void hd_mach_drop_unreachable_blocks(hd_mach_program *p);
/* An instruction of the rows, in no block. */
hd_mach_inst *hd_mach_jump(hd_mach_program *p, const hd_mach_jumps *jumps, hd_mach_block *block,
                           unsigned op, const hd_mach_condition *condition);
/* Edges from blocks that no lane comes from go, with what phis get by them. Scalar phis that then
 * have no defined source become P_UNDEF.
 */
void hd_mach_drop_unreachable_preds(hd_mach_program *p);
/* Scalars that vector phis of one source take are copied where they come from. */
void hd_mach_copy_scalars(hd_mach_program *p);
/* Scalar phis whose defined sources are copies of one value read the value itself. scalar_phis.c */
void hd_mach_read_scalars(hd_mach_program *p);
/* By index of a block: of its edge among its only logical successor's predecessors. */
uint32_t *hd_mach_place_edges(hd_mach_program *p);

/* At the end of `block` the temp gets this value. */
void hd_mach_linear_def_add(hd_mach_program *p, linear_defs *defs, hd_mach_block *block,
                            uint32_t temp, hd_mach_operand value);
/* What phis of scalars in `to` get by the logical edge from `from`, whose number among the
 * predecessors is `place`, is written at the end of `at`.
 */
void hd_mach_send_scalars(hd_mach_program *p, linear_defs *defs, hd_mach_block *at,
                          const hd_mach_block *to, uint32_t place);
/* Refuse what only masks in registers can do: phis of masks. */
bool hd_mach_check_flow(hd_mach_program *p);
/* The end of what has written linear edges: critical ones get blocks where there are scalars, whose
 * phis go, and which become SSA values again. `only`: those of these jumps alone get blocks; or NULL.
 */
void hd_mach_finish_flow(hd_mach_program *p, const linear_defs *defs, const hd_mach_jumps *only);
/* Phis of scalars go: what they would be is written by linear defs. */
void hd_mach_drop_scalar_phis(hd_mach_program *p);

#endif
