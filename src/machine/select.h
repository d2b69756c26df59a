/* SPDX-License-Identifier: MIT */
/* select.h - the walk of instruction selection, which calls the machine's hook for each IR instruction.
 *
 *    blocks       one for each block of the IR, logical edges as its edges are
 *    walk         blocks in reverse postorder, instruction by instruction; phis get their defs
 *    phis         their sources, at the ends of the predecessors
 *    conditions   last, so that nothing comes between a compare that writes a flag and its branch
 *    clean        dead code elimination
 *
 * Unreachable blocks stay as empty blocks, so that the shape of the tree does. A lane that returns
 * or halts before others executes a p_halt, which control-flow lowering expands.
 */
#ifndef HEDDLE_MACHINE_SELECT_H
#define HEDDLE_MACHINE_SELECT_H

#include "machine/program.h"

/* What a machine has for the walk. `s` is its own state. False: a diagnostic says why not. */
typedef struct hd_mach_selection {
   /* What is appended from now on goes to the end of this block, and comes from this instruction, or
    * from none (NULL).
    */
   void (*at)(void *s, hd_mach_block *block, const hd_instr *instr);
   bool (*alu)(void *s, const hd_alu *alu);
   bool (*intrinsic)(void *s, const hd_intrinsic *intrinsic);
   void (*undef)(void *s, const hd_instr *undef);
   /* Append the phis of a value, as many as num_parts says (NULL: one), whose sources may be anything
    * yet: one for each logical predecessor, or p_undef where there is none.
    */
   void (*start_phi)(void *s, const hd_phi *phi);
   unsigned (*num_parts)(const hd_def *def);
   /* What part `n` of the value is for the phi that writes `to`. */
   hd_mach_operand (*phi_source)(void *s, const hd_def *def, unsigned n, hd_mach_operand to);
   /* Write the condition and the tail of the block. NULL: unreachable, and it is a constant. */
   void (*condition)(void *s, hd_mach_block *block, const hd_src *condition);
} hd_mach_selection;

/* The blocks of an empty program: those of a tree in the order that it has, those of a graph so that
 * definitions come before what they dominate. Finds cycles, dominance and divergence. False: memory
 * ran out.
 */
bool hd_mach_select_blocks(hd_mach_program *p);

/* All instructions, after hd_mach_select_blocks. Unwinds. */
bool hd_mach_select(hd_mach_program *p, const hd_mach_selection *rows, void *s);

#endif
