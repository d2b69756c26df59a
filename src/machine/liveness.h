/* SPDX-License-Identifier: MIT */
/* liveness.h - which values are live where.
 *
 * A value is live along the flow of its file: vector values along logical edges, scalar values (and
 * linear vector values) along linear ones.
 *
 * Why logical liveness is enough for vector registers: each lane has its own copy of the register
 * and takes a path through the logical graph; only instructions on that path write its copy, as all
 * others run without it in exec. So a register is free for a lane where the value is not live on
 * the lane's path, whatever other lanes keep in it. That holds for lanes that left a loop as well:
 * what the lanes that stayed write into the register of a value that only the exit reads does not
 * touch those who left.
 *
 * Definitions dominate what reads them along these edges: linear_ssa.c has put phis where a scalar
 * value is read to which a skip branch leads around the definition, as no lane needed it there.
 */
#ifndef HEDDLE_MACHINE_LIVENESS_H
#define HEDDLE_MACHINE_LIVENESS_H

#include "machine/program.h"

typedef struct hd_gcn_live_in {
   uint32_t *temps; /* ascending; if lists are near: what is read soonest first */
   uint32_t num;
} hd_gcn_live_in;

typedef struct hd_gcn_live {
   hd_gcn_live_in *in[HD_GCN_NUM_EDGE_KINDS]; /* by block index: values of that flow */
   hd_gcn_block **def_block;                  /* by temp, the first of several; NULL: it has none */
   bool is_near; /* lists lack what is read late: see hd_gcn_live_compute_near */
   /* What phis read at the end of each block: phi_temps[phi_first[b]] to those of b + 1. */
   uint32_t *phi_first;
   uint32_t *phi_temps;
} hd_gcn_live;

/* The edges along which the value lives. */
static inline hd_gcn_edge_kind
hd_gcn_flow_of(const hd_gcn_program *p, uint32_t temp)
{
   const hd_gcn_temp *t = &p->temps[temp];

   return t->file == HD_GCN_VGPR && !(t->flags & HD_GCN_TEMP_LINEAR) ? HD_GCN_LOGICAL
                                                                     : HD_GCN_LINEAR;
}

/* The edges that the sources of a phi belong to. */
static inline hd_gcn_edge_kind
hd_gcn_phi_flow(const hd_gcn_program *p, const hd_gcn_inst *phi)
{
   return hd_gcn_flow_of(p, hd_gcn_def(phi, 0)->value);
}

/* Compute it. Phis of one source become copies. Sets HD_GCN_OPERAND_KILL: on each source operand of
 * an instruction after which the value is dead, and on definitions that nobody reads. Sources of
 * phis are read at the ends of predecessors and carry no flag. Numbers the blocks.
 *
 * Time and memory: linear in instructions, and in the blocks that values are live into.
 */
void hd_gcn_live_compute(hd_gcn_program *p, hd_gcn_live *live);
/* The same, but where so many values are live that they fit into no registers, lists may lack those
 * that are read late (live->is_near): a value that is not in a list may be live, and one that is
 * may be read no more. HD_GCN_OPERAND_KILL then says on a source that the value is read late or
 * never again, on a definition that nobody reads it anywhere. Linear in instructions and blocks.
 */
void hd_gcn_live_compute_near(hd_gcn_program *p, hd_gcn_live *live);

/* live_near.c: the lists of such a program; def_block and what phis read are known. */
void hd_gcn_live_find_near(hd_gcn_program *p, hd_gcn_live *live);

#endif
