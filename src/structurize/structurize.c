/* SPDX-License-Identifier: MIT */
/* structurize.c - any graph to the tree: the door, and the order of the steps. */
#include "heddle/check.h"
#include "structurize/body.h"
#include "structurize/late.h"
#include "structurize/repair.h"
#include "structurize/tree.h"

struct structurize {
   hd_function *f;
   const hd_structurize_options *options;
   hd_function *work;
   hd_cf_node *old; /* what is no longer, or not yet, in a list of `work` */
   hd_structurize_stats stats;
};

static void
count_before(struct structurize *s, const plan *p)
{
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      if (p->block[i]->num_succs > 1)
         s->stats.branches_before += p->block[i]->num_succs - 1;
   }
}

static void
count_after(struct structurize *s, uint32_t num_phis)
{
   hd_structurize_stats *stats = &s->stats;

   stats->edge_phis = stats->edge_phis > num_phis ? stats->edge_phis - num_phis : 0;
   hd_foreach_node(n, s->work)
      stats->branches_after += n->kind == HD_CF_IF;
}

/* A tree whose end control could reach must return a value there, if it has one: it cannot. */
static void
end_body(hd_function *f)
{
   hd_block *last = hd_list_last_block(&f->body);

   if (!f->result_components || hd_block_jump(last))
      return;
   hd_instr *undef = hd_undef_create(f->shader, f->result_components, f->result_bits);
   hd_instr_insert(hd_before_block(last), undef);
   hd_insert_jump_to(hd_after_block(last), HD_JUMP_RETURN, &undef->def, &f->end);
}

static void
make_tree(struct structurize *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   tree_builder t = { .f = NULL };
   plan p;

   hd_require(s->f, HD_META_CYCLES | HD_META_DIVERGENCE);
   hd_plan_read(&p, s->f);
   hd_plan_make(&p);
   if (s->options && s->options->explain)
      hd_plan_explain(&p, s->options->user, s->options->explain);

   s->work = hd_body_copy(s->f);
   hd_split_late_values(s->work);
   hd_block **by_index = hd_stack_alloc(stack, (s->f->num_blocks + 1) * sizeof(*by_index));
   hd_foreach_block(b, s->work)
      by_index[b->node.index] = b;
   t.p = &p;
   t.f = s->work;
   t.old = hd_stack_alloc(stack, (p.num_blocks + 1) * sizeof(*t.old));
   for (uint32_t i = 0; i < p.num_blocks; i++)
      t.old[i] = by_index[p.block[i]->node.index];
   s->old = s->work->body.first;
   tree_build(&t);
   s->old = NULL;
   end_body(s->work);
   s->stats = t.stats;
   count_before(s, &p);
   const uint32_t undefs = hd_num_start_undefs(s->work);
   hd_repair_ssa(s->work, &s->stats.value_phis);
   s->stats.constants += hd_num_start_undefs(s->work) - undefs;
   count_after(s, t.key_begin[p.num_blocks]);
   hd_function_reindex(s->work);
}

/* Nothing is lost of what an unwinding found out of its list. */
static void
reattach(struct structurize *s)
{
   if (!s->work || !s->old || s->work->body.first == s->old)
      return;
   hd_cf_node *last = s->work->body.last;
   last->next = s->old;
   s->old->prev = last;
   while (last->next)
      last = last->next;
   s->work->body.last = last;
}

hd_result
hd_structurize(hd_function *f, const hd_structurize_options *options)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct structurize s = { .f = f, .options = options };
   hd_unwind u;

   if (f->structured) {
      if (options && options->stats)
         *options->stats = (hd_structurize_stats){ 0 };
      return HD_OK;
   }
   hd_result result = hd_validate_function(f, NULL);
   if (result != HD_OK)
      return result;
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      make_tree(&s);
   result = hd_heap_leave(heap, &u);
   if (result == HD_OK) {
      hd_body_swap(f, s.work);
   } else {
      reattach(&s);
      hd_body_drop(s.work);
   }
   hd_stack_release(stack, mark);
   if (result == HD_OK && options && options->stats)
      *options->stats = s.stats;
   return result;
}
