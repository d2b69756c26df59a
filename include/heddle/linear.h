/* SPDX-License-Identifier: MIT */
/* linear.h - a linear order of the blocks of a flat function, with joins: where to go if no lane waits.
 *
 * For a machine that keeps one program counter and, for each lane, the block it waits for. Blocks
 * are laid out in `order`. Control reaches a block and runs it with the lanes that wait for it; if
 * there is none it goes on at the block's join. hd_linearize (structurize.h) makes it.
 */
#ifndef HEDDLE_LINEAR_H
#define HEDDLE_LINEAR_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

#define HD_LINEAR_END UINT32_MAX /* no step follows: every lane has ended */

/* A step is a block, or the notional latch of a cycle: a place without code after all blocks of the
 * cycle, where control goes back to the header's step as long as a lane waits at the header, and
 * else on to the next step, whatever `join` says.
 */
typedef struct hd_linear_step {
   hd_block *block; /* the block to run; NULL: a latch */
   uint32_t header; /* of a latch: the step of its cycle's header; else HD_LINEAR_END */
   /* Where control goes if no lane waits for the block, instead of the next step: the first step
    * after it at which a lane can be waiting then. HD_LINEAR_END where there is none: all have
    * ended. It is known exactly where cycles are entered at their headers alone, and can be too
    * early, which costs a test, where not. Of a latch, and of a block that is never empty: the next
    * step.
    */
   uint32_t join;
   /* Can control come here with no lane waiting? Known exactly, as far as the graph tells: if not,
    * then whichever edges lanes take some lane waits here, and no test is needed.
    */
   bool may_be_empty;
} hd_linear_step;

typedef struct hd_linear {
   uint32_t num_steps;
   hd_linear_step *steps;
   uint32_t *step_of_block; /* by hd_block.node.index; HD_LINEAR_END for unreachable blocks */
   uint32_t num_blocks;     /* of the function, when this was made */
} hd_linear;

HD_END_DECLS

#endif
