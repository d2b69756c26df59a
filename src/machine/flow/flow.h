/* SPDX-License-Identifier: MIT */
/* flow.h - control-flow lowering for machines without exec masks in registers: three kinds.
 *
 *    linear       a flat function, any graph       a block number for each lane, in a vector register
 *    structured   a tree                           instructions that mask lanes by themselves
 *    stack        a tree                           pushes and pops of the lanes that are active
 *
 * A machine describes its instructions for one of them in a struct below, which its hooks point to.
 * Each phase takes a program after selection (logical edges, a condition for each branch, p_end and
 * p_halt where lanes end) and produces one with linear edges, in code order.
 *
 *   1. Every block executes with the active lanes of a sweep (doc/meaning.md), in an order that a
 *      sweep allows. So cross-lane operations have the same results.
 *   2. Control instructions are in tails and in blocks of their own, so that copies of vector phis,
 *      which are before the tail, execute with the lanes of their block.
 *   3. Phis of scalars follow linear edges. No logical edge is critical; critical linear edges are
 *      split where a scalar may need a copy. A block with one linear successor continues there,
 *      whether it is next or not: layout adds the jump.
 *   4. A branch is the last instruction of its block. Its linear successors are its targets, in the
 *      order of the row, and then, if control can fall through, the next block; `target` is the
 *      first of them.
 *
 * A condition comes from selection: a vector value, or the flag. Booleans that are live across blocks
 * must be vector values (the pass lower_bool): p_mask_phi, which needs exec masks, is rejected, and so
 * is what the rows do not support. Instructions of these rows do not write the flag. All unwind when
 * memory or the budget runs out; false: a diagnostic was sent.
 */
#ifndef HEDDLE_MACHINE_FLOW_FLOW_H
#define HEDDLE_MACHINE_FLOW_FLOW_H

#include "machine/program.h"

/* What all have. HD_MACH_OP_NONE: the machine has none. */
typedef struct hd_mach_jumps {
   /* The pc jumps where the flag is 0, 1. NONE: uniform branches are treated as divergent ones. */
   uint16_t flag[2];
   /* An instruction in no block. `condition` NULL: it has none; else the operands that the row asks
    * for are made of it, which may take instructions before: these go to the end of `block`. NULL:
    * the value of the condition is the only source, and `bits` says whether it is negated.
    */
   hd_mach_inst *(*make)(struct hd_mach_program *p, hd_mach_block *block, unsigned op,
                         const hd_mach_condition *condition);
} hd_mach_jumps;

/* linear
 *
 * Each lane has a number of 16 bits, in a vector register of the machine's that no value is in. It
 * is that of the block that the lane waits for. At the start it is 0 in the lanes that run and
 * HD_MACH_NUMBER_ENDED in the others, and the lanes that run are active.
 *
 *    head of a block      enter N            active = lanes with the number N
 *                         none JOIN          the pc: if there is none, to where one can wait
 *    its end              send N             number = N in the active lanes
 *                         send_if c, N       the same where the condition holds
 *                         all_from N, B      the pc: if all lanes' numbers are N or more, to B
 *    end of a cycle       any N, B           the pc: if a lane has the number N, to B
 *
 * N is `imm`; `bits` of enter is 1 where all lanes that have not ended have the number. Blocks that all lanes of the wave reach together, by branches that are uniform, have
 * no number: the pc jumps.
 */
#define HD_MACH_NUMBER_ENDED 0xffffu

typedef struct hd_mach_block_numbers {
   hd_mach_jumps jumps;
   uint16_t enter, none, send, send_if, all_from, any;
} hd_mach_block_numbers;

/* structured
 *
 * The machine keeps which lanes are active and what the others wait for.
 *
 *    begin_if c, NONE         lanes where c does not hold wait for the else or the end of the if.
 *                             The pc: if no lane is left, to NONE, the block of begin_else or end_if
 *    begin_else NONE          the active lanes wait for the end, those that waited for the else are
 *                             active. The pc: if there is none, to NONE, the block of end_if
 *    end_if [NONE]            the lanes of both lists are active. Where they may all have left: if
 *                             there is none, to NONE
 *    begin_loop
 *    break_loop NONE, END     the active lanes wait for the end of the loop. The pc: to END, the
 *    continue_loop NONE, END  block of end_loop, if no lane of the loop waits on the way there, or
 *                             to NONE; or to NONE in any case. These wait for end_loop, which sends
 *                             them back
 *    end_loop HEADER          the active lanes and those that continue are active. The pc: if there
 *                             are some, to HEADER; else those that broke are active
 *    end_lanes NONE           the active lanes are gone. The pc: to NONE
 *
 * No block runs without lanes. NONE is the next place on the way out at which lanes can become active. An if whose branch is
 * uniform has none of these: the pc jumps, if the machine can. A loop that lanes continue from
 * several places begins with its continue list, which the pc jumps over when it comes in.
 */
typedef struct hd_mach_structured {
   hd_mach_jumps jumps;
   uint16_t begin_if, begin_else, end_if;
   uint16_t begin_loop, break_loop, continue_loop, end_loop;
   uint16_t end_lanes; /* NONE: where lanes end before others is refused: hd_lower_returns */
   /* The pc: if no lane is active, to B. After loops in which lanes end: NONE: these are refused. */
   uint16_t none;
   /* Edges of these instructions get no blocks: lanes wait where the pc goes. No scalar may need a
    * copy there: hd_mach_find_scalars, hd_mach_fit_scalars.
    */
   bool fixed_edges;
} hd_mach_structured;

/* stack
 *
 * The same with a stack of sets of lanes, and branches apart.
 *
 *    push c               the active lanes are pushed; those where c holds stay active
 *    invert               active = those of the top that are not active, nor have been since the push
 *    pop                  active = those of the top, which goes; but for lanes that have left a loop
 *    none B               the pc: if no lane is active, to B
 *    loop_begin           a loop is pushed, with the active lanes
 *    loop_break, loop_continue    the active lanes wait for the end, or the beginning, of the loop
 *    loop_end HEADER      the active lanes and those that continue are active. The pc: if there are
 *                         some, to HEADER; else those that the loop began with, and it is popped
 *    end_lanes            the active lanes are gone, from the stack, too
 *
 * `stack_depth` of the program is how much of the stack it takes at most; more than `limit` is
 * refused.
 */
typedef struct hd_mach_control_stack {
   hd_mach_jumps jumps;
   uint16_t push, invert, pop, none;
   uint16_t loop_begin, loop_break, loop_continue, loop_end;
   uint16_t end_lanes;         /* NONE: as above */
   uint8_t if_size, loop_size; /* what a push and a loop take */
   uint32_t limit;
} hd_mach_control_stack;

/* Of a tree, by index of the block that a loop begins with: whether lanes leave it, and go on in it,
 * by uniform branches alone, as the conditions of blocks say. Where the pc can jump, structured and
 * stack flow make jumps of such loops. `loops` begins as false.
 */
void hd_mach_find_uniform_loops(const hd_mach_program *p, bool *loops);

/* Write p->scalars: the uniform values that selection can put into registers of the linear file, with
 * structured instructions whose edges are fixed, or block numbers; by the blocks of the program, whose
 * conditions it may change. Unwinds.
 */
void hd_mach_find_scalars(hd_mach_program *p);

/* After hd_mach_rebuild_ssa, of structured instructions whose edges are fixed: where scalars cannot stay
 * as they are, select and lower again, without any.
 */
bool hd_mach_fit_scalars(hd_mach_program *p, bool (*select)(hd_mach_program *p));

/* Is there what only trees can be lowered to: reductions, non-uniform accesses, atomics on floats? */
bool hd_mach_needs_tree(const hd_shader *shader);
bool hd_mach_linear(hd_mach_program *p); /* flat function; hooks: numbers */
/* When copies have been lowered: blocks of it that only send lanes on go. hd_mach_straighten follows. */
bool hd_mach_linear_drop_empty(hd_mach_program *p);
bool hd_mach_structured_flow(hd_mach_program *p); /* tree; hooks: structured */
bool hd_mach_stack_flow(hd_mach_program *p);      /* tree; hooks: control_stack */

#endif
