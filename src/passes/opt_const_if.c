/* SPDX-License-Identifier: MIT */
/* opt_const_if.c - keep only the taken arm of an `if` on a constant.
 *
 *    if true { A } else { B }  C     =>     A  C
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires (blocks merge); all when it does not.
 * Leaves:    taken arms that end in a jump, because what follows them is dead code, which is not
 *            this pass's to remove; the condition to opt_dce.
 * Tests:     tests/passes/opt_const_if.hd, tests/passes/test_run.c
 */
#include "passes/pass.h"

/* The arm that runs, or NULL if the condition is not a constant. */
static hd_cf_list *
taken_arm(hd_if *nif)
{
   const hd_const *c = hd_src_as_const(&nif->cond);

   if (!c)
      return NULL;
   return c->value[0].b ? &nif->then_list : &nif->else_list;
}

/* What the phi will be. In unreachable code it may be its own source; then it is nothing at all. */
static hd_def *
phi_value(hd_phi *phi, const hd_block *from)
{
   hd_def *value = hd_phi_src_from(phi, from)->def;

   if (value != &phi->instr.def)
      return value;
   hd_instr *undef =
       hd_undef_create(hd_block_function(from)->shader, value->num_components, value->bit_size);
   hd_instr_insert(hd_after_phis(phi->instr.block), undef);
   return &undef->def;
}

static bool
fold_if(hd_if *nif)
{
   hd_cf_list *arm = taken_arm(nif);

   if (!arm || hd_block_jump(hd_list_last_block(arm)))
      return false;

   /* Resolve the phis first: they name the edge from the arm's last block, and moving the arm
    * destroys that edge.
    */
   const hd_block *last = hd_list_last_block(arm);
   hd_foreach_phi_safe(phi, hd_node_block_after(&nif->node)) {
      hd_def_replace_uses(&phi->instr.def, phi_value(phi, last));
      hd_instr_remove(&phi->instr);
   }

   hd_cf_range body;
   hd_cf_extract_list(&body, arm);
   hd_cf_reinsert(&body, hd_before_node(&nif->node));
   hd_node_remove(&nif->node);
   return true;
}

bool
hd_opt_const_if(hd_function *f)
{
   bool progress = false;

   /* Innermost first: the next `if` visited is never inside this one, so removing this one cannot
    * invalidate the walk.
    */
   hd_foreach_inner_first_safe(node, f) {
      hd_if *nif = hd_node_as_if(node);
      pass_step(f, 1);
      progress |= nif && fold_if(nif);
   }
   return hd_progress(f, progress, OPT_CONST_IF_KEEPS);
}
