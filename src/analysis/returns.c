/* SPDX-License-Identifier: MIT */
/* returns.c - does a tree return at its end only? */
#include "analysis/private.h"

/* Does control reach the end of the body from here, past blocks that are not reachable otherwise?
 * Those are empty, as opt_dead_cf has left them; where others come by, they halt.
 */
static bool
ends_the_body(const hd_block *b)
{
   const hd_cf_node *node = hd_cf_node_parent(&b->node);

   for (; node; node = hd_cf_node_parent(node)) {
      if (node->kind == HD_CF_LOOP || hd_block_is_reachable(hd_node_next_block(node)))
         return false;
   }
   return true;
}

bool
hd_tree_returns_at_end(hd_function *f)
{
   const hd_block *last = NULL;
   uint32_t num = 0;

   hd_require(f, HD_META_BLOCK_ORDER);
   for (uint32_t n = 0; n < f->end.num_preds; n++) {
      const hd_block *b = f->end.preds[n].from;
      const hd_jump *jump = hd_block_jump(b);
      if ((jump && jump->instr.op == HD_JUMP_HALT) || !hd_block_is_reachable(b))
         continue;
      last = b;
      num++;
   }
   return num == 0 || (num == 1 && ends_the_body(last));
}
