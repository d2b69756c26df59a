/* SPDX-License-Identifier: MIT */
/* liveness.h - liveness: which values are live where.
 *
 * The live range of a value follows the control flow of its register file: vector values are live
 * along logical edges, scalar values (and linear vector values) along linear ones.
 *
 * Why logical liveness is enough for vector registers: each lane has its own copy of the register and
 * takes a path through the logical CFG; only instructions on that path write its copy, as all others
 * run while it is not in exec. So a register is free for a lane where the value is not live on the
 * lane's path, whatever other lanes keep in it. That holds for lanes that have left a loop, too: what
 * the lanes that stayed write into the register of a value that only the exit reads does not touch
 * those that left.
 *
 * Definitions dominate their uses along these edges: ssa_repair.c has inserted phis for scalar values
 * that are used where a skip branch leads around the definition, as no lane needed it there.
 */
#ifndef HEDDLE_MACHINE_LIVENESS_H
#define HEDDLE_MACHINE_LIVENESS_H

#include "machine/program.h"

typedef struct hd_mach_live_in {
   uint32_t *temps; /* ascending; if lists are near: what is read soonest first */
   uint32_t num;
} hd_mach_live_in;

typedef struct hd_mach_live {
   hd_mach_live_in *in[HD_MACH_NUM_EDGE_KINDS]; /* by block index: values of that flow */
   hd_mach_block **def_block; /* by temp, the first of several; NULL: it has none */
   bool is_near;              /* lists lack what is read late: see hd_mach_liveness_limited */
   /* What phis read at the end of each block: phi_temps[phi_first[b]] to those of b + 1. */
   uint32_t *phi_first;
   uint32_t *phi_temps;
} hd_mach_live;

/* The edges along which the value lives. */
static inline hd_mach_edge_kind
hd_mach_flow_of(const hd_mach_program *p, uint32_t temp)
{
   const hd_mach_temp *t = &p->temps[temp];

   return t->flags & HD_MACH_TEMP_LINEAR ? HD_MACH_LINEAR : p->mach->files[t->file].flow;
}

/* The edges that the sources of a phi belong to. */
static inline hd_mach_edge_kind
hd_mach_phi_flow(const hd_mach_program *p, const hd_mach_inst *phi)
{
   return hd_mach_flow_of(p, hd_mach_def(phi, 0)->value);
}

/* Compute it. Phis of one source become copies. Sets HD_MACH_OPERAND_KILL: on each source operand
 * of an instruction after which the value is dead, and on definitions that nothing reads. Sources
 * of phis are read at the ends of predecessors and carry no flag. Numbers the blocks.
 *
 * Time and memory: linear in instructions, and in the blocks that values are live into.
 */
void hd_mach_liveness(hd_mach_program *p, hd_mach_live *live);
/* The same, but where so many values are live that they fit into no registers, lists may lack those
 * that are read late (live->is_near): a value that is not in a list may be live, and one that is
 * may be read no more. HD_MACH_OPERAND_KILL then says on a source that the value is read late or
 * never again, on a definition that nothing reads it anywhere. Linear in instructions and blocks.
 */
void hd_mach_liveness_limited(hd_mach_program *p, hd_mach_live *live);

/* liveness_near.c: the lists of such a program; def_block and what phis read are known. */
void hd_mach_liveness_find_near(hd_mach_program *p, hd_mach_live *live);

#endif
