/* SPDX-License-Identifier: MIT */
/* opt_phi.c - phis that are some other value.
 *
 *    %1 = phi b0: %a, b3: %2           %a, wherever it was %1 or %2; whatever the shape of the
 *    %2 = phi b1: %1, b2: %a      =>   circle in which phis feed each other
 *
 *    %3 = phi b1: %a, b2: undef   =>   %a, if it is known there
 *
 * What undef brings is unknown, so it can be the value that comes by the other ways; that is one
 * choice for each phi, and no other use of that undef is changed. A uniform phi stays where the
 * value itself would differ between lanes: it may be needed as an operand that has to be uniform.
 *
 * Requires:  valid IR; asks for dominance and divergence where a phi could go.
 * Preserves: all that depends on the graph alone.
 * Leaves:    phis with equal sources, and phis in step around a loop, to opt_cse; phis of equal
 *            constants to opt_sccp; phis in unreachable blocks to opt_dead_cf.
 * Tests:     tests/passes/opt_phi.hd, tests/passes/test_phis.c, tests/passes/test_run.c
 */
#include "passes/pass.h"
#include "passes/phis.h"

bool
hd_opt_phi(hd_function *f)
{
   hd_phi **phis = hd_stack_alloc(hd_shader_stack(f->shader), f->num_defs * sizeof(*phis));
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         phis[num++] = phi;
   }
   pass_step(f, f->num_blocks);
   bool progress = num && hd_remove_redundant_phis(f, phis, num, true) > 0;
   return hd_progress(f, progress, OPT_PHI_KEEPS);
}
