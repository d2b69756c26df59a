/* SPDX-License-Identifier: MIT */
/* layout.h - branch emission and branch relaxation: blocks have addresses, branches reach them.
 *
 * Lengths and distances count units of the machine's: GCN's are words. A branch has one. Distances
 * are from after the branch.
 */
#ifndef HEDDLE_MACHINE_LAYOUT_H
#define HEDDLE_MACHINE_LAYOUT_H

#include "machine/program.h"

typedef struct hd_mach_branches {
   uint16_t always; /* the op */
   /* The branch with the opposite condition; HD_MACH_OP_NONE: there is none. */
   unsigned (*opposite)(unsigned op);
   /* A branch with the operands that its row has, in no block. */
   hd_mach_inst *(*make)(hd_mach_program *p, unsigned op);
   /* 0: it cannot be encoded, and *why says why. */
   unsigned (*length)(const hd_mach_program *p, const hd_mach_inst *inst, const char **why);
   int32_t min, max; /* distances */
   /* Code up to this length has no branch that is too far. */
   uint32_t short_code;
   /* How far islands may be: with room for what islands add, and with many islands, more room. */
   uint32_t reach, min_reach;
   uint32_t island; /* the most that an island adds */
   uint32_t piece;  /* blocks are split to this where code is so long that islands are needed */
   /* Is there a jump to anywhere? Asked once, where code is long; may reserve registers. NULL: no. */
   bool (*reserve_far)(hd_mach_program *p);
   /* Append it to an island, of a length that does not depend on where to; and at last its distance,
    * from the island's begin.
    */
   void (*add_far)(hd_mach_program *p, hd_mach_block *island);
   void (*set_far)(hd_mach_program *p, hd_mach_block *island, int64_t distance);
} hd_mach_branches;

/* Make all blocks end in what their linear edges say, and write the distances of branches (`imm`).
 * Blocks stand in the order of the code. *length is that of the code. False: a diagnostic says what
 * cannot be encoded. Unwinds.
 */
bool hd_mach_lay_out(hd_mach_program *p, const hd_mach_branches *rows, uint32_t *length);

#endif
