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
