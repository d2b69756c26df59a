/* SPDX-License-Identifier: MIT */
/* tree.c - test-case reduction: ifs, loops and jumps of trees.
 *
 *    ifs and loops     are removed with all that is inside
 *    one arm           the if is replaced by its then-list or else-list
 *    iterations        a loop is replaced by its body and continue list, once, without jumps
 *    jumps             are removed: control falls through
 */
#include "reduce/reduce.h"

#include "heddle/edit.h"

/* What is read of what goes becomes zero: undef would be an error where it decides something. */
static bool
forget_values(hd_function *f, hd_cf_node *node)
{
   hd_cf_node *end = node->next;

   for (hd_cf_node *n = node; n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      for (hd_instr *i = b ? b->first : NULL; i; i = i->next) {
         if (hd_instr_def(i) && !hd_reduce_replace_by_zero(f, &i->def))
            return false;
      }
   }
   hd_foreach_phi(phi, hd_node_next_block(node)) {
      if (!hd_reduce_replace_by_zero(f, &phi->instr.def))
         return false;
   }
   return true;
}

static void
list_nodes(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_node(n, f) {
         if (n->kind != HD_CF_BLOCK)
            hd_reduce_add_site(list, f, n, 0);
      }
   }
}

static bool
remove_node(const site *s, hd_shader *shader)
{
   hd_cf_node *node = s->object;

   (void)shader;
   return forget_values(s->f, node) && hd_node_remove(node);
}

static void
list_ifs(sites *list, hd_shader *shader, uint32_t choice)
{
   hd_foreach_function(f, shader) {
      hd_foreach_node(n, f) {
         if (n->kind == HD_CF_IF)
            hd_reduce_add_site(list, f, n, choice);
      }
   }
}

static void
list_then(sites *list, hd_shader *shader)
{
   list_ifs(list, shader, 0);
}

static void
list_else(sites *list, hd_shader *shader)
{
   list_ifs(list, shader, 1);
}

static bool
ends_in_jump(const hd_cf_list *list)
{
   return hd_block_jump(hd_list_last_block(list)) != NULL;
}

/* Phis get what comes by the edge from this block. */
static bool
resolve_phis(hd_function *f, hd_block *block, const hd_block *from)
{
   hd_foreach_phi_safe(phi, block) {
      const hd_src *src = hd_phi_src_from(phi, from);
      if (!src || src->def == &phi->instr.def) {
         if (!hd_reduce_replace_by_zero(f, &phi->instr.def))
            return false;
      } else {
         hd_def_replace_uses(&phi->instr.def, src->def);
      }
      hd_instr_remove(&phi->instr);
   }
   return true;
}

static bool
keep_arm(const site *s, hd_shader *shader)
{
   hd_if *nif = hd_node_as_if(s->object);
   hd_cf_list *arm = s->choice ? &nif->else_list : &nif->then_list;
   const bool leaves = ends_in_jump(arm);
   hd_cf_range range;

   (void)shader;
   if (!resolve_phis(s->f, hd_node_next_block(&nif->node), hd_list_last_block(arm)))
      return false;
   if (!hd_cf_extract_list(&range, arm))
      return false;
   /* What follows an arm that leaves goes with the if. */
   return hd_cf_reinsert(&range, hd_before_node(&nif->node)) &&
          (leaves || hd_node_remove(&nif->node));
}

static void
list_loops(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_node(n, f) {
         hd_loop *loop = hd_node_as_loop(n);
         const hd_jump *jump = loop ? hd_block_jump(hd_list_last_block(&loop->body)) : NULL;
         if (loop &&
             (!jump || jump->instr.op == HD_JUMP_BREAK || jump->instr.op == HD_JUMP_CONTINUE))
            hd_reduce_add_site(list, f, loop, 0);
      }
   }
}

/* Jumps to a block go: what they were in goes on to its end. */
static bool
remove_jumps_to(const hd_block *to)
{
   for (uint32_t n = 0; n < to->num_preds;) {
      hd_jump *jump = hd_block_jump(to->preds[n].from);
      if (!jump)
         n++;
      else if (!hd_jump_remove(jump))
         return false;
   }
   return true;
}

/* What a phi gets where control falls out of the body: what a break brought, or zero. */
static bool
guess_phis(hd_function *f, hd_block *after)
{
   hd_foreach_phi_safe(phi, after) {
      hd_def *def = NULL;
      hd_foreach_src(src, &phi->instr) {
         if (src->def != &phi->instr.def)
            def = src->def;
      }
      if (def)
         hd_def_replace_uses(&phi->instr.def, def);
      else if (!hd_reduce_replace_by_zero(f, &phi->instr.def))
         return false;
      hd_instr_remove(&phi->instr);
   }
   return true;
}

/* One round, without breaks and continues. What breaks bring must be known after the body, or it is
 * not valid.
 */
static bool
keep_body(const site *s, hd_shader *shader)
{
   hd_loop *loop = s->object;
   hd_block *after = hd_node_next_block(&loop->node);
   hd_cf_range range;

   (void)shader;
   if (!guess_phis(s->f, after) || !remove_jumps_to(after) ||
       !remove_jumps_to(hd_loop_continue(loop)) ||
       !resolve_phis(s->f, hd_loop_header(loop), hd_node_prev_block(&loop->node)))
      return false;
   hd_block *latch = hd_loop_continue(loop);
   if (!resolve_phis(s->f, latch, hd_list_last_block(&loop->body)) ||
       !hd_cf_extract_list(&range, &loop->body) ||
       !hd_cf_reinsert(&range, hd_before_node(&loop->node)) ||
       !hd_cf_extract_list(&range, &loop->continue_list))
      return false;
   return hd_cf_reinsert(&range, hd_before_node(&loop->node)) && hd_node_remove(&loop->node);
}

static void
list_jumps(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      if (!f->structured)
         continue;
      hd_foreach_block(b, f) {
         hd_jump *jump = hd_block_jump(b);
         /* The end of the body needs none, and one with a value is what the function is for. */
         if (jump && (b->node.list->parent || !jump->instr.num_srcs))
            hd_reduce_add_site(list, f, jump, 0);
      }
   }
}

static bool
remove_jump(const site *s, hd_shader *shader)
{
   (void)shader;
   return hd_jump_remove(s->object);
}

const kind hd_reduce_tree_kinds[] = {
   { "ifs and loops", list_nodes, remove_node, false },
   { "the else of ifs", list_then, keep_arm, false },
   { "the then of ifs", list_else, keep_arm, false },
   { "rounds of loops", list_loops, keep_body, false },
   { "jumps", list_jumps, remove_jump, false },
};
const unsigned hd_reduce_num_tree_kinds =
    sizeof(hd_reduce_tree_kinds) / sizeof(hd_reduce_tree_kinds[0]);
