/* SPDX-License-Identifier: MIT */
/* cfg.c - the CFG: create blocks and detached nodes, add and remove edges. */
#include "ir/private.h"

hd_block *
hd_block_alloc(hd_function *f)
{
   hd_block *b = hd_pool_alloc(hd_shader_pool(f->shader), sizeof(*b));

   if (!b)
      return NULL;
   b->node.kind = HD_CF_BLOCK;
   b->node.index = f->num_blocks++;
   b->succs = b->succ_store;
   b->preds = b->pred_store;
   b->succ_capacity = b->pred_capacity = 2;
   return b;
}

static void
init_list(hd_cf_list *list, hd_cf_node *parent, hd_function *f)
{
   list->parent = parent;
   list->function = f;
}

hd_if *
hd_if_alloc(hd_function *f, hd_def *cond)
{
   hd_if *nif = hd_pool_alloc(hd_shader_pool(f->shader), sizeof(*nif));

   if (!nif)
      return NULL;
   nif->node.kind = HD_CF_IF;
   hd_src_init(&nif->cond, HD_SLOT_IF, cond);
   hd_src_link(&nif->cond);
   init_list(&nif->then_list, &nif->node, f);
   init_list(&nif->else_list, &nif->node, f);
   return nif;
}

hd_loop *
hd_loop_alloc(hd_function *f)
{
   hd_loop *loop = hd_pool_alloc(hd_shader_pool(f->shader), sizeof(*loop));

   if (!loop)
      return NULL;
   loop->node.kind = HD_CF_LOOP;
   init_list(&loop->body, &loop->node, f);
   init_list(&loop->continue_list, &loop->node, f);
   return loop;
}

void
hd_cf_node_free(hd_function *f, hd_cf_node *node)
{
   hd_pool *pool = hd_shader_pool(f->shader);

   if (node->kind == HD_CF_IF) {
      hd_pool_free(pool, hd_node_as_if(node), sizeof(hd_if));
   } else if (node->kind == HD_CF_LOOP) {
      hd_pool_free(pool, hd_node_as_loop(node), sizeof(hd_loop));
   } else {
      hd_block *b = hd_node_as_block(node);
      for (hd_instr *i = b->last, *prev; i; i = prev) {
         prev = i->prev;
         hd_instr_free(f->shader, i);
      }
      if (node->named)
         hd_name_remove(f->shader, b);
      if (b->succs != b->succ_store)
         hd_pool_free(pool, b->succs, b->succ_capacity * sizeof(hd_edge));
      if (b->preds != b->pred_store)
         hd_pool_free(pool, b->preds, b->pred_capacity * sizeof(hd_pred));
      hd_pool_free(pool, b, sizeof(*b));
   }
}

/* Double an array that starts out inside its block. */
static void *
grow(hd_pool *pool, void *array, const void *store, size_t element, uint32_t num,
     uint32_t *capacity, uint32_t need)
{
   uint32_t new_capacity = *capacity * 2 > need ? *capacity * 2 : need;
   void *grown = hd_pool_alloc(pool, new_capacity * element);

   if (!grown)
      return NULL;
   memcpy(grown, array, num * element);
   if (array != store)
      hd_pool_free(pool, array, *capacity * element);
   *capacity = new_capacity;
   return grown;
}

static bool
has_room(const hd_block *from, unsigned succs, const hd_block *to, unsigned preds)
{
   return (!from || from->num_succs + succs <= from->succ_capacity) &&
          (!to || to->num_preds + preds <= to->pred_capacity);
}

bool
hd_edge_reserve(hd_block *from, unsigned succs, hd_block *to, unsigned preds)
{
   if (has_room(from, succs, to, preds))
      return true;
   hd_pool *pool = hd_shader_pool(hd_block_function(to ? to : from)->shader);
   if (from && from->num_succs + succs > from->succ_capacity) {
      hd_edge *grown = grow(pool, from->succs, from->succ_store, sizeof(hd_edge), from->num_succs,
                            &from->succ_capacity, from->num_succs + succs);
      if (!grown)
         return false;
      from->succs = grown;
   }
   if (to && to->num_preds + preds > to->pred_capacity) {
      hd_pred *grown = grow(pool, to->preds, to->pred_store, sizeof(hd_pred), to->num_preds,
                            &to->pred_capacity, to->num_preds + preds);
      if (!grown)
         return false;
      to->preds = grown;
   }
   return true;
}

bool
hd_edge_add(hd_block *from, hd_block *to)
{
   if (!has_room(from, 1, to, 1) && !hd_edge_reserve(from, 1, to, 1))
      return false;
   from->succs[from->num_succs] = (hd_edge){ to, to->num_preds };
   to->preds[to->num_preds++] = (hd_pred){ from, from->num_succs++ };
   return true;
}

void
hd_pred_remove(hd_block *from, unsigned n)
{
   hd_block *to = from->succs[n].to;
   uint32_t gone = from->succs[n].pred, last = to->num_preds - 1;

   hd_foreach_phi(phi, to)
      hd_phi_remove_src(phi, gone);
   if (gone != last) {
      to->preds[gone] = to->preds[last];
      to->preds[gone].from->succs[to->preds[gone].succ].pred = gone;
   }
   to->num_preds--;
}

void
hd_edge_remove(hd_block *from, unsigned n)
{
   hd_pred_remove(from, n);
   from->num_succs--;
   for (uint32_t i = n; i < from->num_succs; i++) {
      from->succs[i] = from->succs[i + 1];
      from->succs[i].to->preds[from->succs[i].pred].succ = i;
   }
}

void
hd_edges_move(hd_block *from, hd_block *to)
{
   assert(!to->num_succs);
   if (to->succs != to->succ_store) {
      hd_pool_free(hd_shader_pool(hd_block_function(to)->shader), to->succs,
                   to->succ_capacity * sizeof(hd_edge));
      to->succs = to->succ_store;
      to->succ_capacity = 2;
   }
   if (from->succs != from->succ_store) {
      to->succs = from->succs;
      to->succ_capacity = from->succ_capacity;
      from->succs = from->succ_store;
      from->succ_capacity = 2;
   } else {
      memcpy(to->succ_store, from->succ_store, sizeof(from->succ_store));
   }
   to->num_succs = from->num_succs;
   from->num_succs = 0;
   for (uint32_t n = 0; n < to->num_succs; n++)
      to->succs[n].to->preds[to->succs[n].pred].from = to;
}

void
hd_move_instrs(hd_instr *first, hd_instr *last, hd_block *to)
{
   hd_block *from = first->block;

   if (first->prev)
      first->prev->next = last->next;
   else
      from->first = last->next;
   if (last->next)
      last->next->prev = first->prev;
   else
      from->last = first->prev;
   first->prev = to->last;
   last->next = NULL;
   if (to->last)
      to->last->next = first;
   else
      to->first = first;
   to->last = last;
   for (hd_instr *i = first; i; i = i->next)
      i->block = to;
}
