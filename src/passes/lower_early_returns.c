/* SPDX-License-Identifier: MIT */
/* lower_early_returns.c - merge several returns of a function into one.
 *
 *    b1: return %1                 b1: goto b3
 *    b2: return %2           =>    b2: goto b3
 *                                  b3: %3 = phi b1: %1, b2: %2  return %3
 *
 *    if c { A  return %1 }   =>    loop { if c { A  break }  B  break }
 *    B  return %2                  %3 = phi %1, %2  return %3
 *
 * In trees opt_jump does it without a loop if no other code has to be guarded, and removes the loop
 * if it can.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    halts, which end a lane in the callers too, unless the option says so; entries in which lanes end early and
 *            others reach a barrier, and flat functions where they halt (ended_lanes.h).
 * Tests:     tests/passes/lower_early_returns.hd, tests/structurize
 */
#include "analysis/private.h"
#include "heddle/structurize.h"
#include "passes/ended_lanes.h"

/* The entry has no callers: that a lane ends is all that it can see of a halt. */
static bool
replace_halts(hd_function *f)
{
   bool progress = false;

   if (f != f->shader->first_function || f->result_components)
      return false;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_CALL)
            return false;
      }
   }
   hd_foreach_block(b, f) {
      hd_jump *jump = hd_block_jump(b);
      if (jump && jump->instr.op == HD_JUMP_HALT) {
         jump->instr.op = HD_JUMP_RETURN;
         progress = true;
      }
   }
   return progress;
}

bool
hd_lower_early_returns(hd_function *f, const lower_early_returns_options *o)
{
   /* A changed function has new blocks, made before the old ones went. */
   const hd_block *start = hd_function_start(f);
   const bool ordered = f->structured && f != f->shader->first_function;
   bool progress = o->halts && replace_halts(f);

   if (!ordered && ends_before_barriers(f))
      return hd_progress(f, progress, LOWER_EARLY_RETURNS_KEEPS);
   progress |= f->structured && !hd_tree_returns_at_end(f) && hd_opt_dead_cf(f);
   hd_result result = hd_lower_returns(f);
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(f->shader), result);
   progress |= start != hd_function_start(f);
   return hd_progress(f, progress, LOWER_EARLY_RETURNS_KEEPS);
}
