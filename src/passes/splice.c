/* SPDX-License-Identifier: MIT */
/* splice.c - splice control flow: helpers for passes that edit trees in one walk. */
#include "passes/splice.h"

hd_cf_node *
hd_splice_next_outside(hd_cf_node *node, hd_cf_node **left)
{
   hd_cf_node *parent = node->list->parent;
   hd_if *nif = hd_node_as_if(parent);
   hd_loop *loop = hd_node_as_loop(parent);

   *left = NULL;
   if (node->next || !parent)
      return node->next;
   if (nif && node->list == &nif->then_list)
      return nif->else_list.first;
   if (loop && node->list == &loop->body)
      return loop->continue_list.first;
   *left = parent;
   return parent->next;
}

hd_cf_node *
hd_splice_next(hd_cf_node *node, hd_cf_node **left)
{
   hd_if *nif = hd_node_as_if(node);
   hd_loop *loop = hd_node_as_loop(node);

   *left = NULL;
   if (nif)
      return nif->then_list.first;
   if (loop)
      return loop->body.first;
   return hd_splice_next_outside(node, left);
}

bool
hd_splice_is_continue_list(const hd_cf_list *list)
{
   const hd_loop *loop = hd_node_as_loop(list->parent);

   return loop && list == &loop->continue_list;
}

void
hd_splice_after(hd_cf_node *after, hd_cf_list *from)
{
   hd_cf_node *first = from->first, *last = from->last;

   hd_nodes_unlink(first, last);
   hd_nodes_link(after->list, after, first, last);
}

void
hd_splice_list(hd_cf_list *to, hd_cf_list *from)
{
   hd_cf_node *first = from->first, *last = from->last;

   assert(!to->first);
   hd_nodes_unlink(first, last);
   hd_nodes_link(to, NULL, first, last);
}

hd_block *
hd_splice_only_block(hd_cf_list *list)
{
   hd_block *b = hd_block_alloc(list->function);

   hd_nodes_link(list, NULL, &b->node, &b->node);
   return b;
}

void
hd_splice_edge(hd_block *from, hd_block *to)
{
   assert(!hd_instr_as_phi(to->first));
   hd_edge_add(from, to);
}

void
hd_splice_merge(hd_block *a, hd_block *b)
{
   hd_function *f = hd_block_function(a);

   assert(a->node.next == &b->node && a->num_succs == 1 && b->num_preds == 1);
   assert(a->succs[0].to == b && !hd_instr_as_phi(b->first) && !hd_block_jump(a));
   hd_edge_remove(a, 0);
   hd_move_tail(b->first, a);
   hd_edges_move(b, a);
   hd_nodes_unlink(&b->node, &b->node);
   hd_cf_node_free(f, &b->node);
}

void
hd_splice_delete(hd_undefs *undefs, hd_cf_node *first, hd_cf_node *last)
{
   hd_cf_list dead = { .function = undefs->function };

   hd_nodes_unlink(first, last);
   hd_nodes_link(&dead, NULL, first, last);
   hd_delete_list(undefs, &dead);
}

void
hd_replaced_init(replaced *r, hd_function *f)
{
   *r = (replaced){ .f = f };
}

hd_def *
hd_replaced_get(replaced *r, hd_def *def)
{
   hd_def *last = def;

   while (last->index < r->size && r->by[last->index])
      last = r->by[last->index];
   /* Path compression: nodes on the path point to the end from now on. */
   while (def != last) {
      hd_def *next = r->by[def->index];
      r->by[def->index] = last;
      def = next;
   }
   return last;
}

/* For all values that there are; half as many again when values made since are replaced, too. */
static void
replaced_grow(replaced *r)
{
   const uint32_t size = r->by ? r->f->num_defs + r->f->num_defs / 2 : r->f->num_defs;
   hd_def **by = hd_stack_alloc_zero(hd_shader_stack(r->f->shader), size * sizeof(hd_def *));

   if (r->by)
      memcpy(by, r->by, r->size * sizeof(hd_def *));
   r->by = by;
   r->size = size;
}

void
hd_replaced_set(replaced *r, hd_instr *instr, hd_def *by)
{
   if (!r->by || instr->def.index >= r->size)
      replaced_grow(r);
   assert(hd_replaced_get(r, by) != &instr->def);
   r->by[instr->def.index] = by;
   hd_instr_extract(instr);
   instr->next = r->list;
   r->list = instr;
}

bool
hd_replaced_finish(replaced *r)
{
   bool any = r->list != NULL;

   for (hd_instr *i = r->list; i; i = i->next)
      hd_def_replace_uses(&i->def, hd_replaced_get(r, &i->def));
   while (r->list) {
      hd_instr *next = r->list->next;
      hd_instr_free(r->f->shader, r->list);
      r->list = next;
   }
   return any;
}
