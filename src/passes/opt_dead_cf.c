/* SPDX-License-Identifier: MIT */
/* opt_dead_cf.c - remove dead control flow: constant or empty branches, unreachable code.
 *
 *    if true { A } else { B }  C          =>     A  C
 *    if true { A  break } else { B }  C   =>     A  break
 *    if %c { } else { }                   =>
 *    loop { ... no break ... }  C         =>     loop { ... no break ... }
 *    loop { A  break }  continue { B }    =>     loop { A  break }
 *    loop { no effect, and it ends }  C   =>     C    (nothing of it used: dead_loops.c)
 *
 *    goto_if true b1, b2                  =>     goto b1         (flat; a switch on a constant too)
 *    b1: A  goto b2;  b2: (only from b1)  =>     b1: A, what b2 held
 *
 * A phi with one reachable source left is replaced by it. So is a header phi of a loop that cannot
 * repeat.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    conditions, and undefs for removed values, to opt_dce; an `if` both of whose arms
 *            jump, and a loop that runs once, to opt_jump; phis with several reachable sources;
 *            branches on constants whose folding would break up a loop with several entries.
 * Tests:     tests/passes/opt_dead_cf.hd, tests/passes/opt_dead_cf.flat.hd, tests/passes/test_run.c
 */
#include "passes/dead_flat.h"
#include "passes/dead_loops.h"
#include "passes/splice.h"

/* node.mark of a block: some lane may come. */
#define REACHED 1u

struct state {
   hd_function *f;
   hd_undefs undefs;
   replaced values;
   bool has_loops;
   bool progress;
};

static uint32_t
num_reached_preds(const hd_block *b)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < b->num_preds; n++)
      num += b->preds[n].from->node.mark == REACHED;
   return num;
}

/* Each phi is the source that comes from this predecessor. */
static void
settle_phis(struct state *s, hd_block *b, const hd_block *from)
{
   hd_foreach_phi_safe(phi, b) {
      hd_def *def = hd_phi_src_from(phi, from)->def;
      hd_replaced_set(&s->values, &phi->instr, hd_replaced_get(&s->values, def));
      s->progress = true;
   }
}

/* Nothing reaches `b`: what is in it and after it in its list goes. What then ends the list is
 * the answer: the jump before it, if that is what it stood after, else `b`, empty.
 */
static hd_cf_node *
cut(struct state *s, hd_block *b)
{
   hd_cf_node *node = &b->node, *prev = node->prev;
   hd_block *exit = hd_list_exit(node->list);

   if (prev && prev->kind == HD_CF_BLOCK) {
      assert(hd_block_jump(hd_node_as_block(prev)));
      hd_splice_delete(&s->undefs, node, node->list->last);
      s->progress = true;
      return prev;
   }
   /* The loop cannot repeat: nothing comes back to its header. */
   hd_loop *loop = hd_node_as_loop(node->list->parent);
   if (loop && node->list == &loop->continue_list)
      settle_phis(s, hd_loop_header(loop), hd_node_prev_block(&loop->node));
   bool falls = !node->next && !hd_block_jump(b);
   if (falls && !b->first)
      return node;
   while (!falls && b->num_succs)
      hd_edge_remove(b, b->num_succs - 1);
   if (node->next)
      hd_splice_delete(&s->undefs, node->next, node->list->last);
   hd_delete_instrs(&s->undefs, hd_detach_instrs(b, b->first));
   if (!falls) {
      hd_new_edge_reserve(b, exit);
      hd_new_edge_add(&s->undefs, b, exit);
   }
   s->progress = true;
   return node;
}

static bool
is_header(const hd_block *b)
{
   const hd_loop *loop = hd_node_as_loop(b->node.list->parent);

   return loop && b == hd_loop_header(loop);
}

/* The block is the answer, or what it became part of. */
static hd_cf_node *
visit_block(struct state *s, hd_block *b)
{
   hd_block *prev = hd_node_as_block(b->node.prev);
   uint32_t num_reached = num_reached_preds(b);

   if (!num_reached && b != hd_function_start(s->f))
      return cut(s, b);
   b->node.mark = REACHED;
   if (prev) {
      settle_phis(s, b, prev);
      hd_splice_merge(prev, b);
      return &prev->node;
   }
   /* Whether a loop's latch reaches its header is not known yet. */
   if (num_reached == 1 && b->num_preds > 1 && !is_header(b)) {
      for (uint32_t n = 0; n < b->num_preds; n++) {
         if (b->preds[n].from->node.mark == REACHED)
            settle_phis(s, b, b->preds[n].from);
      }
   }
   return &b->node;
}

/* The arm that runs, or NULL if the condition is not a constant, or if a continue list would end in
 * a jump.
 */
static hd_cf_list *
taken_arm(struct state *s, hd_if *nif)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(hd_replaced_get(&s->values, nif->cond.def)));

   if (!c)
      return NULL;
   hd_cf_list *arm = c->value[0].b ? &nif->then_list : &nif->else_list;
   bool jumps = hd_block_jump(hd_list_last_block(arm));
   return jumps && hd_splice_is_continue_list(nif->node.list) ? NULL : arm;
}

/* Put one arm in the place of the `if`: the walk goes on in its first block. */
static void
keep_arm(struct state *s, hd_if *nif, hd_cf_list *arm)
{
   hd_block *before = hd_node_prev_block(&nif->node);
   unsigned other = arm == &nif->then_list;

   hd_edge_remove(before, other);
   hd_splice_after(&nif->node, arm);
   hd_splice_only_block(arm);
   hd_splice_delete(&s->undefs, &nif->node, &nif->node);
   s->progress = true;
}

static bool
is_empty_arm(const hd_cf_list *arm)
{
   return arm->first == arm->last && !hd_list_first_block(arm)->first;
}

/* Both arms are empty, and whatever is chosen after it is the same for both. */
static bool
decides_nothing(struct state *s, hd_if *nif)
{
   if (!is_empty_arm(&nif->then_list) || !is_empty_arm(&nif->else_list))
      return false;
   hd_foreach_phi(phi, hd_node_next_block(&nif->node)) {
      if (hd_replaced_get(&s->values, phi->srcs[0].src.def) !=
          hd_replaced_get(&s->values, phi->srcs[1].src.def))
         return false;
   }
   return true;
}

static void
remove_if(struct state *s, hd_if *nif)
{
   hd_block *before = hd_node_prev_block(&nif->node), *after = hd_node_next_block(&nif->node);

   settle_phis(s, after, hd_list_first_block(&nif->then_list));
   hd_edge_remove(before, 1);
   hd_edge_remove(before, 0);
   hd_splice_delete(&s->undefs, &nif->node, &nif->node);
   hd_splice_edge(before, after);
   s->progress = true;
}

/* One walk in the order of the text. When it reaches a block, all paths to it are known but that
 * of a loop's latch, which needs the header to be reached. Each step goes on after the node it
 * looked at, and no node is put in before that place, so it ends.
 */
static bool
clean_tree(hd_function *f)
{
   struct state s = { .f = f };
   hd_cf_node *left;

   hd_undefs_init(&s.undefs, f);
   hd_replaced_init(&s.values, f);
   hd_function_borrow_node_marks(f);
   for (hd_cf_node *node = f->body.first; node;) {
      hd_if *nif = hd_node_as_if(node);
      hd_block *b = hd_node_as_block(node);
      hd_cf_list *arm = nif ? taken_arm(&s, nif) : NULL;

      pass_step(f, 1);
      s.has_loops |= node->kind == HD_CF_LOOP;
      if (arm) {
         hd_cf_node *first = arm->first;
         keep_arm(&s, nif, arm);
         node = first;
         continue;
      }
      if (b)
         node = visit_block(&s, b);
      node = hd_splice_next(node, &left);
      nif = hd_node_as_if(left);
      if (nif && decides_nothing(&s, nif))
         remove_if(&s, nif);
   }
   hd_function_release_marks(f);
   hd_replaced_finish(&s.values);
   return (s.has_loops && hd_remove_dead_loops(f, &s.undefs)) || s.progress;
}

bool
hd_opt_dead_cf(hd_function *f)
{
   bool progress = f->structured ? clean_tree(f) : hd_remove_dead_flat(f);

   return hd_progress(f, progress, OPT_DEAD_CF_KEEPS);
}
