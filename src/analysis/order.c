/* SPDX-License-Identifier: MIT */
/* order.c - depth-first orders of blocks (reverse postorder) and instruction order in blocks. */
#include "analysis/private.h"

void *
hd_compute_order(hd_function *f, const hd_graph *g, size_t *size)
{
   uint32_t num = g->num - 1;
   *size = sizeof(struct order_meta) + num * sizeof(hd_block *) +
           (f->num_blocks + 1u) * sizeof(uint32_t);
   struct order_meta *m = hd_heap_alloc(hd_shader_heap(f->shader), *size);
   if (!m)
      return NULL;
   m->num_blocks = num;
   m->end_reachable = g->end < g->num_reachable;
   m->num_reachable = g->num_reachable - m->end_reachable;
   m->rpo = (hd_block **)(m + 1);
   m->place = (uint32_t *)(m->rpo + num);
   memset(m->place, 0xff, (f->num_blocks + 1u) * sizeof(uint32_t));

   uint32_t place = 0;
   for (uint32_t i = g->num_reachable; i--;) {
      if (g->post[i] != g->end)
         m->rpo[place++] = g->block[g->post[i]];
   }
   for (uint32_t n = g->num_reachable; n < g->num; n++) {
      if (n != g->end)
         m->rpo[place++] = g->block[n];
   }
   for (uint32_t i = 0; i < num; i++)
      m->place[block_slot(f, m->rpo[i])] = i;
   return m;
}

const char *
hd_compare_order(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct order_meta *x = a, *y = b;

   *block = NULL;
   if (x->num_blocks != y->num_blocks)
      return "the number of blocks";
   if (x->num_reachable != y->num_reachable)
      return "the number of reachable blocks";
   for (uint32_t i = 0; i < y->num_blocks; i++) {
      if (x->rpo[i] != y->rpo[i] || x->place[block_slot(f, y->rpo[i])] != i) {
         *block = y->rpo[i];
         return "its place in reverse postorder";
      }
   }
   return NULL;
}

uint32_t
hd_function_num_reachable(const hd_function *f)
{
   return ORDER_META(f)->num_reachable;
}

hd_block *const *
hd_function_rpo(const hd_function *f, uint32_t *num_blocks)
{
   if (num_blocks)
      *num_blocks = ORDER_META(f)->num_blocks;
   return ORDER_META(f)->rpo;
}

uint32_t
hd_block_rpo_index(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return ORDER_META(f)->place[block_slot(f, block)];
}

bool
hd_block_is_reachable(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return hd_block_is_end(block) ? ORDER_META(f)->end_reachable
                                 : hd_block_rpo_index(block) < ORDER_META(f)->num_reachable;
}

/* Does control come to the end of the body from here, past blocks that nobody comes to otherwise?
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

void *
hd_compute_instr_order(hd_function *f, const hd_graph *g, size_t *size)
{
   (void)g;
   hd_heap *heap = hd_shader_heap(f->shader);

   uint32_t *place = scratch_fill(hd_shader_stack(f->shader), f->num_defs, 0xff);
   hd_foreach_block(b, f) {
      uint32_t n = 0;
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            place[i->def.index] = n;
         n++;
      }
      hd_heap_step(heap, n);
   }
   *size = sizeof(struct instr_meta) + f->num_defs * sizeof(uint32_t);
   struct instr_meta *m = hd_heap_alloc(heap, *size);
   if (!m)
      return NULL;
   m->num_defs = f->num_defs;
   m->place = memcpy(m + 1, place, f->num_defs * sizeof(uint32_t));
   return m;
}

const char *
hd_compare_instr_order(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct instr_meta *x = a, *y = b;

   *block = NULL;
   hd_foreach_block(blk, f) {
      hd_foreach_instr(i, blk) {
         const hd_def *d = hd_instr_def(i);
         if (d && (d->index >= x->num_defs || x->place[d->index] != y->place[d->index])) {
            *block = blk;
            return "the place of a value in it";
         }
      }
   }
   return NULL;
}
