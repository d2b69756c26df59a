/* SPDX-License-Identifier: MIT */
/* tree_walk.c - walk over a tree in the order of its code. */
#include "heddle/walk.h"

void
hd_walk_begin(hd_walk *walk, const hd_function *f)
{
   walk->event = HD_WALK_BLOCK;
   walk->node = f->body.first;
}

static bool
else_first(const hd_walk *walk, const hd_if *nif)
{
   return walk->else_first && walk->else_first(walk->user, nif);
}

/* A list begins and ends with a block. */
static void
enter(hd_walk *walk, const hd_cf_list *list)
{
   walk->event = HD_WALK_BLOCK;
   walk->node = list->first;
}

static void
step_to(hd_walk *walk, hd_cf_node *node)
{
   static const hd_walk_event begins[] = {
      [HD_CF_BLOCK] = HD_WALK_BLOCK,
      [HD_CF_IF] = HD_WALK_IF,
      [HD_CF_LOOP] = HD_WALK_LOOP,
   };

   walk->event = begins[node->kind];
   walk->node = node;
}

/* After the last node of a list. */
static bool
leave(hd_walk *walk, const hd_cf_list *list)
{
   hd_if *nif = hd_node_as_if(list->parent);

   if (!list->parent)
      return false;
   walk->node = list->parent;
   if (nif)
      walk->event =
          (list == &nif->else_list) == else_first(walk, nif) ? HD_WALK_ELSE : HD_WALK_END_IF;
   else
      walk->event =
          list == &hd_node_as_loop(list->parent)->body ? HD_WALK_CONTINUE : HD_WALK_END_LOOP;
   return true;
}

bool
hd_walk_next(hd_walk *walk)
{
   hd_if *nif = hd_node_as_if(walk->node);
   hd_loop *loop = hd_node_as_loop(walk->node);

   switch (walk->event) {
   case HD_WALK_IF:
      enter(walk, else_first(walk, nif) ? &nif->else_list : &nif->then_list);
      return true;
   case HD_WALK_ELSE:
      enter(walk, else_first(walk, nif) ? &nif->then_list : &nif->else_list);
      return true;
   case HD_WALK_LOOP:
      enter(walk, &loop->body);
      return true;
   case HD_WALK_CONTINUE:
      enter(walk, &loop->continue_list);
      return true;
   case HD_WALK_BLOCK:
   case HD_WALK_END_IF:
   case HD_WALK_END_LOOP:
      break;
   }
   if (!walk->node->next)
      return leave(walk, walk->node->list);
   step_to(walk, walk->node->next);
   return true;
}
