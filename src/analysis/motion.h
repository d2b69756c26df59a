/* SPDX-License-Identifier: MIT */
/* motion.h - interface between motion.c and motion_lanes.c. */
#ifndef HEDDLE_ANALYSIS_MOTION_H
#define HEDDLE_ANALYSIS_MOTION_H

#include "analysis/private.h"

/* Are the lanes that run block `to` among those that run `from`, where the operand is read, as far
 * as what makes it differ can tell? See 2 of hd_may_move. Scratch is left on the stack.
 */
bool hd_lanes_are_among(hd_function *f, hd_block *from, hd_block *to, const hd_src *operand);

/* What makes an operand differ: `source` by def index, `branch` by block slot, both zeroed by the
 * caller. Empty where it is proven uniform. Scratch is left on the stack.
 */
void hd_divergence_tokens(hd_function *f, const hd_src *operand, bool *source, bool *branch);

/* Must operand n of an intrinsic be uniform? */
bool hd_wants_uniform(const hd_instr *i, unsigned n);

/* Rules of hd_may_move, as bits. */
enum {
   HD_ASK_MEMORY = 1u << 0,
   HD_ASK_LANES = 1u << 1, /* of what reads other lanes */
   HD_ASK_ADDRESS = 1u << 2,
   HD_ASK_UNIFORM = 1u << 3,
   HD_ASK_ALL = (1u << 4) - 1,
   /* Of one that gives way to another one that does the same at that place, on the same operands:
    * nothing new is run there, so no promise and no address is asked for.
    */
   HD_ASK_OF_GIVING_WAY = HD_ASK_MEMORY | HD_ASK_LANES,
};

/* hd_may_move by some of the rules alone. */
hd_result hd_ask_motion(hd_instr *instr, hd_cursor to, unsigned rules, hd_motion_reason *reason);

#endif
