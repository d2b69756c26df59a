/* SPDX-License-Identifier: MIT */
/* converge.c - the rules on convergence, by divergence analysis: CV1 (operands that must be uniform),
 * CV2 (divergent branches of flat functions reconverge), CV3 (they keep the sweep).
 */
#include "analysis/private.h"
#include "check.h"
#include "heddle/ops.h"

/* CV1 of one instruction: the first operand at fault. */
static void
check_operands(check *c, const hd_block *b, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   unsigned wanted = HD_OPERAND_UNIFORM;

   if (i->instr.flags & HD_ASSUME_UNIFORM)
      return;
   if (!(hd_intrinsic_index(i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM))
      wanted |= HD_OPERAND_DESCRIPTOR;
   for (unsigned n = 0; n < info->num_srcs; n++) {
      const hd_src *src = &i->src[n];
      if (!(info->src[n].flags & wanted) || hd_src_is_uniform(src))
         continue;
      const hd_intrinsic *from = hd_instr_as_intrinsic(hd_def_instr(src->def));
      bool uniform_there = hd_def_is_uniform(src->def);
      if (from && !uniform_there)
         hd_check_report(c, RULE_CV1, at_src(b, &i->instr, n), "%s is a %s", info->src[n].name,
                         hd_instr_intrinsic_info(&from->instr)->name);
      else
         hd_check_report(c, RULE_CV1, at_src(b, &i->instr, n), "%s is %s, which differs %s",
                         info->src[n].name, hd_check_def_text(c, src->def),
                         uniform_there ? "outside of its cycle" : "between lanes");
      return;
   }
}

static void
check_branch(check *c, const hd_block *b)
{
   if (!hd_block_reconverges(b))
      hd_check_report(c, RULE_CV2, at_block(b), "%s of its successors post-dominate%s it",
                      b->num_succs == 2 ? "neither" : "it has more than two, and none",
                      b->num_succs == 2 ? "s" : "");
   else if (c->options->keeps_sweep && !hd_block_keeps_sweep(b))
      hd_check_report(c, RULE_CV3, at_block(b), "on the way to %s it does not",
                      hd_check_block_text(c, hd_block_primary_succ(b)));
}

/* Only for a shader that is sound: analyses take that for granted. */
void
hd_check_convergence(check *c)
{
   bool branches = !c->f->structured && (c->options->reconverging || c->options->keeps_sweep);

   if (!c->any_asks_uniform && !branches)
      return;
   hd_fresh_begin(&c->fresh, c->f);
   hd_foreach_block(b, c->f) {
      hd_foreach_instr(i, b) {
         if (c->any_asks_uniform && i->kind == HD_INSTR_INTRINSIC)
            check_operands(c, b, (const hd_intrinsic *)i);
      }
      if (branches)
         check_branch(c, b);
   }
   hd_fresh_end(&c->fresh, c->heap);
}
