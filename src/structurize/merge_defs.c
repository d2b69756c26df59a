/* SPDX-License-Identifier: MIT */
/* merge_defs.c - several definitions of one value become SSA: hd_ssa_merge; and hd_ssa_repair.
 *
 * On demand, as an SSA updater: the value at the end of a block is the last definition in it, else
 * the value at its head. That is a phi where the block is in the iterated dominance frontier of the
 * definitions (Cytron and others, 1991), else the value at the end of the immediate dominator. Only
 * what is read is looked for, so phis are pruned.
 */
#include "heddle/analysis.h"
#include "heddle/ssa.h"
#include "ir/private.h"
#include "ir/repair.h"
#include "structurize/repair.h"

/* What is known of a block. */
struct at {
   hd_def *last;   /* the last definition in it */
   hd_def *head;   /* the value at its head, once it is known */
   hd_phi *phi;    /* at its head, if it has one */
   bool joins;     /* it is in the frontier */
   hd_block *next; /* phis whose sources are to be found */
};

struct merge {
   hd_function *f;
   hd_heap *heap;
   hd_stack *stack;
   hd_undefs undefs;
   struct at *at;  /* by block index */
   bool *is_one;   /* by definition's index: one of the value */
   hd_def *like;   /* one of them */
   hd_block *phis; /* the first whose sources are to be found */
   uint32_t num_phis;
   hd_block **path; /* scratch */
};

static hd_def *
make_phi(struct merge *m, hd_block *b)
{
   struct at *at = &m->at[b->node.index];
   hd_instr *last = NULL;

   hd_foreach_instr(i, b) {
      if (i->kind != HD_INSTR_PHI && i->kind != HD_INSTR_PARAM)
         break;
      last = i;
   }
   at->phi = hd_phi_create(m->f->shader, m->like->num_components, m->like->bit_size, b->num_preds);
   hd_instr_link(b, last, &at->phi->instr);
   at->next = m->phis;
   m->phis = b;
   m->num_phis++;
   return &at->phi->instr.def;
}

/* The value at the head of a block: up the dominator tree to where it is known, and down again with
 * the answer.
 */
static hd_def *
value_at_head(struct merge *m, hd_block *b)
{
   uint32_t num = 0;
   hd_def *value = NULL;

   while (!value) {
      struct at *at = &m->at[b->node.index];
      hd_heap_step(m->heap, 1);
      if (at->head) {
         value = at->head;
         break;
      }
      m->path[num++] = b;
      if (at->joins) {
         value = make_phi(m, b);
         break;
      }
      b = hd_block_idom(b);
      if (!b)
         value = hd_undefs_get(&m->undefs, m->like->num_components, m->like->bit_size);
      else
         value = m->at[b->node.index].last;
   }
   while (num)
      m->at[m->path[--num]->node.index].head = value;
   return value;
}

static hd_def *
value_at_end(struct merge *m, hd_block *b)
{
   struct at *at = &m->at[b->node.index];

   return at->last ? at->last : value_at_head(m, b);
}

static bool
is_reachable(const hd_block *b)
{
   return hd_block_idom(b) || b == hd_function_start(hd_block_function(b));
}

static bool
is_one(const struct merge *m, const hd_src *src, uint32_t num_defs)
{
   return src->def->index < num_defs && m->is_one[src->def->index];
}

/* Uses in the block but for those by phis, which are at the ends of the predecessors. */
static void
rewrite_block(struct merge *m, hd_block *b, uint32_t num_defs)
{
   hd_def *now = NULL;

   hd_foreach_instr_safe(i, b) {
      hd_heap_step(m->heap, 1);
      if (i->kind == HD_INSTR_PHI) {
         hd_phi *phi = (hd_phi *)i;
         for (uint32_t n = 0; n < b->num_preds && i->def.index < num_defs; n++) {
            if (is_one(m, &phi->srcs[n].src, num_defs) && is_reachable(b->preds[n].from))
               hd_src_set_def(&phi->srcs[n].src, value_at_end(m, b->preds[n].from));
         }
      } else {
         hd_foreach_src(src, i) {
            if (is_one(m, src, num_defs))
               hd_src_set_def(src, now ? now : value_at_head(m, b));
         }
      }
      if (hd_instr_def(i) && i->def.index < num_defs && m->is_one[i->def.index])
         now = &i->def;
   }
   hd_if *nif = hd_block_next_if(b);
   if (nif && is_one(m, &nif->cond, num_defs))
      hd_src_set_def(&nif->cond, value_at_end(m, b));
}

static void
fill_phis(struct merge *m)
{
   while (m->phis) {
      hd_block *b = m->phis;
      struct at *at = &m->at[b->node.index];
      m->phis = at->next;
      for (uint32_t n = 0; n < b->num_preds; n++) {
         hd_block *from = b->preds[n].from;
         hd_def *value = is_reachable(from) ? value_at_end(m, from)
                                            : hd_undefs_get(&m->undefs, m->like->num_components,
                                                            m->like->bit_size);
         hd_src_set_def(&at->phi->srcs[n].src, value);
      }
   }
}

/* The last definition of each block, and the blocks that have one. */
static uint32_t
find_last(struct merge *m, hd_block **blocks)
{
   uint32_t num = 0;

   hd_foreach_block(b, m->f) {
      hd_foreach_instr(i, b) {
         hd_heap_step(m->heap, 1);
         if (hd_instr_def(i) && m->is_one[i->def.index])
            m->at[b->node.index].last = &i->def;
      }
      if (m->at[b->node.index].last)
         blocks[num++] = b;
   }
   return num;
}

static uint32_t
merge(hd_function *f, hd_def *const *defs, uint32_t num)
{
   struct merge m = {
      .f = f,
      .heap = hd_shader_heap(f->shader),
      .stack = hd_shader_stack(f->shader),
      .like = defs[0],
   };
   hd_stack_mark mark = hd_stack_get_mark(m.stack);

   hd_require(f, HD_META_DOMINANCE);
   const uint32_t num_defs = f->num_defs;
   const size_t blocks_size = (f->num_blocks + 1) * sizeof(hd_block *);
   hd_block **blocks = hd_stack_alloc(m.stack, blocks_size);
   hd_block **frontier = hd_stack_alloc(m.stack, blocks_size);
   m.path = hd_stack_alloc(m.stack, blocks_size);
   m.at = hd_stack_alloc_zero(m.stack, f->num_blocks * sizeof(*m.at));
   m.is_one = hd_stack_alloc_zero(m.stack, num_defs * sizeof(*m.is_one));
   for (uint32_t n = 0; n < num; n++)
      m.is_one[defs[n]->index] = true;
   const uint32_t num_blocks = find_last(&m, blocks);
   const uint32_t num_frontier = hd_iterated_dominance_frontier(f, blocks, num_blocks, frontier);
   for (uint32_t n = 0; n < num_frontier; n++)
      m.at[frontier[n]->node.index].joins = true;
   hd_undefs_init(&m.undefs, f);
   hd_foreach_block(b, f) {
      if (is_reachable(b))
         rewrite_block(&m, b, num_defs);
   }
   fill_phis(&m);
   hd_meta_invalidate(f, HD_META_GRAPH);
   hd_stack_release(m.stack, mark);
   return m.num_phis;
}

static bool
are_of_one_value(const hd_function *f, hd_def *const *defs, uint32_t num)
{
   for (uint32_t n = 0; n < num; n++) {
      const hd_block *b = hd_def_instr(defs[n])->block;
      if (!b || hd_block_function(b) != f || defs[n]->num_components != defs[0]->num_components ||
          defs[n]->bit_size != defs[0]->bit_size)
         return false;
   }
   return num != 0;
}

/* The unwinding point. */
static hd_result
try_merge(hd_function *f, hd_def *const *defs, uint32_t num_defs, uint32_t *num_phis)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   volatile uint32_t num = 0;
   hd_unwind u;

   hd_heap_refill(heap);
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   if (HD_TRY(heap, &u))
      num = merge(f, defs, num_defs);
   const hd_result result = hd_heap_leave(heap, &u);
   hd_stack_release(stack, mark);
   if (result != HD_OK && heap->unwind)
      hd_heap_fail(heap, result);
   if (result == HD_OK && num_phis)
      *num_phis = num;
   return result;
}

hd_result
hd_ssa_merge(hd_function *f, hd_def *const *defs, uint32_t num_defs, uint32_t *num_phis)
{
   return are_of_one_value(f, defs, num_defs) ? try_merge(f, defs, num_defs, num_phis) : HD_INVALID;
}

hd_result
hd_ssa_repair(hd_function *f, uint32_t *num_phis)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_unwind u;

   hd_heap_refill(heap);
   const hd_stack_mark mark = hd_stack_get_mark(hd_shader_stack(f->shader));
   if (HD_TRY(heap, &u))
      hd_repair_ssa_around(f, num_phis);
   const hd_result result = hd_heap_leave(heap, &u);
   hd_stack_release(hd_shader_stack(f->shader), mark);
   if (result != HD_OK && heap->unwind)
      hd_heap_fail(heap, result);
   return result;
}
