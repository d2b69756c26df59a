/* SPDX-License-Identifier: MIT */
/* opt_phi.c - remove redundant phis.
 *
 *    %1 = phi b0: %a, b3: %2           %a, wherever it was %1 or %2; for any cycle of phis that
 *    %2 = phi b1: %1, b2: %a      =>   feed each other (phis.h)
 *
 *    %3 = phi b1: %a, b2: undef   =>   %a, if it is known there
 *
 *    if %c { b1: } else { b2: }
 *    %4 = phi b1: true, b2: %c    =>   %c, which is true in b1 and false in b2
 *
 * An undef source may be chosen to equal the other sources; the choice is made for each phi, and no
 * other use of that undef changes. A uniform phi stays if its source would be divergent at the use
 * (temporal divergence): an operand that must be uniform may need it.
 *
 * Requires:  valid IR; asks for dominance and divergence if a phi is redundant.
 * Preserves: all that depends on the graph alone.
 * Leaves:    equal phis, and header phis that advance in step, to opt_cse; phis of equal constants
 *            to opt_sccp; phis in unreachable blocks to opt_dead_cf.
 * Tests:     tests/passes/opt_phi.hd, tests/passes/test_phis.c, tests/passes/test_run.c
 */
#include "passes/pass.h"
#include "passes/phis.h"

/* Where the condition is `way`, is this what it is? */
static bool
repeats(const hd_def *def, const hd_def *cond, bool way)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   return def == cond || (c && c->value[0].b == way);
}

/* The condition of the if before it, if the phi says which arm was run; else NULL. */
static hd_def *
repeated_condition(const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;
   const hd_if *nif = b->node.prev ? hd_node_as_if(b->node.prev) : NULL;

   if (!nif || phi->instr.def.bit_size != 1 || phi->instr.def.num_components != 1 ||
       phi->num_srcs != 2)
      return NULL;
   for (uint32_t n = 0; n < 2; n++) {
      const bool way = b->preds[n].from->node.list == &nif->then_list;
      if (!repeats(phi->srcs[n].src.def, nif->cond.def, way))
         return NULL;
   }
   return nif->cond.def;
}

bool
hd_opt_phi(hd_function *f)
{
   hd_phi **phis = hd_stack_alloc(hd_shader_stack(f->shader), f->num_defs * sizeof(*phis));
   uint32_t num = 0;
   bool progress = false;

   hd_foreach_block(b, f) {
      hd_foreach_phi_safe(phi, b) {
         hd_def *cond = repeated_condition(phi);
         if (cond) {
            hd_def_replace_uses(&phi->instr.def, cond);
            hd_instr_remove(&phi->instr);
            progress = true;
         } else {
            phis[num++] = phi;
         }
      }
   }
   pass_step(f, f->num_blocks);
   if (num && hd_remove_redundant_phis(f, phis, num, true) > 0)
      progress = true;
   return hd_progress(f, progress, OPT_PHI_KEEPS);
}
