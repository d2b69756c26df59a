/* SPDX-License-Identifier: MIT */
/* ended_lanes.h - lanes that have terminated (returned or halted), and barriers.
 *
 * A barrier waits for all lanes of its wave that have not ended. So if lanes end early and others
 * reach a barrier, it matters whether they have ended by then. A tree runs the arm that ends before
 * the code after the `if`; nothing orders the two blocks of a flat function; and a lane that waits for
 * the others to return with it has not ended.
 */
#ifndef HEDDLE_PASSES_ENDED_LANES_H
#define HEDDLE_PASSES_ENDED_LANES_H

#include "passes/pass.h"

/* A barrier, or a call, which may hold one. */
static inline bool
ends_waits(const hd_instr *i)
{
   return i->kind == HD_INSTR_CALL ||
          (i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->flags & HD_EFFECT_BARRIER);
}

/* May lanes end early and others reach a barrier? */
static inline bool
ends_before_barriers(const hd_function *f)
{
   bool early = false;

   for (uint32_t n = 1; n < f->end.num_preds; n++) {
      const hd_jump *jump = hd_block_jump(f->end.preds[n].from);
      const hd_jump *first = hd_block_jump(f->end.preds[0].from);
      early |= f == f->shader->first_function || (jump && jump->instr.op == HD_JUMP_HALT) ||
               (first && first->instr.op == HD_JUMP_HALT);
   }
   if (!early)
      return false;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (ends_waits(i))
            return true;
      }
   }
   return false;
}

#endif
