/* SPDX-License-Identifier: MIT */
/* walk.c - tree walks without recursion or memory. */
#include "ir/private.h"

/* The list after `list` in the same if or loop, or NULL. */
static hd_cf_list *
second_list(const hd_cf_list *list)
{
   hd_if *nif = hd_node_as_if(list->parent);
   hd_loop *loop = hd_node_as_loop(list->parent);

   if (nif && list == &nif->then_list)
      return &nif->else_list;
   if (loop && list == &loop->body)
      return &loop->continue_list;
   return NULL;
}

static hd_cf_list *
first_list(const hd_cf_node *node)
{
   if (node->kind == HD_CF_BLOCK)
      return NULL;
   return node->kind == HD_CF_IF ? &hd_node_as_if(node)->then_list : &hd_node_as_loop(node)->body;
}

/* What comes after a node that is the last of its list: of a second list its first node, which is a
 * block, else what is after the `if` or loop.
 */
static inline hd_cf_node *
behind_list(const hd_cf_node *last)
{
   do {
      const hd_cf_list *list = last->list;
      if (!list || !list->parent)
         return NULL;
      last = list->parent;
      if (last->kind == HD_CF_IF) {
         const hd_if *nif = HD_CONTAINER_OF(last, hd_if, node);
         if (list == &nif->then_list)
            return nif->else_list.first;
      } else {
         const hd_loop *loop = HD_CONTAINER_OF(last, hd_loop, node);
         if (list == &loop->body)
            return loop->continue_list.first;
      }
   } while (!last->next);
   return last->next;
}

hd_cf_node *
hd_cf_node_next_outside(const hd_cf_node *node)
{
   if (!node)
      return NULL;
   return node->next ? node->next : behind_list(node);
}

hd_cf_node *
hd_cf_node_next(const hd_cf_node *node)
{
   if (!node)
      return NULL;
   hd_cf_list *inside = first_list(node);
   if (inside)
      return inside->first;
   return node->next ? node->next : behind_list(node);
}

/* The last node of the text inside `node`, or `node` itself when it is a block. */
static hd_cf_node *
last_inside(hd_cf_node *node)
{
   while (node->kind != HD_CF_BLOCK)
      node = node->kind == HD_CF_IF ? hd_node_as_if(node)->else_list.last
                                    : hd_node_as_loop(node)->continue_list.last;
   return node;
}

hd_cf_node *
hd_cf_node_prev(const hd_cf_node *node)
{
   if (!node || !node->list)
      return NULL;
   if (node->prev)
      return last_inside(node->prev);
   hd_cf_node *parent = node->list->parent;
   if (!parent)
      return NULL;
   return node->list == first_list(parent) ? parent : last_inside(first_list(parent)->last);
}

/* A list begins with a block, and after a node there is one. */
hd_block *
hd_block_next(const hd_block *block)
{
   const hd_cf_node *n = block->node.next;

   if (!n)
      n = behind_list(&block->node);
   if (!n)
      return NULL;
   const hd_cf_list *inside = first_list(n);
   return HD_CONTAINER_OF(inside ? inside->first : n, hd_block, node);
}

/* Lists end in a block, too, and before a node there is one. */
hd_block *
hd_block_prev(const hd_block *block)
{
   const hd_cf_list *list = block->node.list;

   if (block->node.prev)
      return hd_node_as_block(last_inside(block->node.prev));
   if (!list || !list->parent)
      return NULL;
   const hd_cf_list *first = first_list(list->parent);
   return hd_node_as_block(list == first ? list->parent->prev : first->last);
}

/* The next if or loop of which everything inside was visited, when all of `list` before `from` was.
 * Each step goes one node on in that order, so it ends.
 */
static hd_cf_node *
next_inner_from(const hd_cf_list *list, const hd_cf_node *from)
{
   for (;;) {
      const hd_cf_node *n = from;
      while (n && n->kind == HD_CF_BLOCK)
         n = n->next;
      if (n) {
         from = first_list(n)->first;
         list = first_list(n);
         continue;
      }
      hd_cf_list *second = second_list(list);
      if (!second)
         return list->parent;
      list = second;
      from = second->first;
   }
}

hd_cf_node *
hd_first_inner(const hd_function *f)
{
   return next_inner_from(&f->body, f->body.first);
}

hd_cf_node *
hd_next_inner(const hd_cf_node *node)
{
   return next_inner_from(node->list, node->next);
}

hd_loop *
hd_node_loop(const hd_cf_node *node)
{
   for (const hd_cf_node *n = hd_cf_node_parent(node); n; n = hd_cf_node_parent(n)) {
      if (n->kind == HD_CF_LOOP)
         return hd_node_as_loop(n);
   }
   return NULL;
}

hd_instr *
hd_block_first_non_phi(const hd_block *block)
{
   hd_instr *i = block->first;

   while (i && (i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM))
      i = i->next;
   return i;
}
