/* SPDX-License-Identifier: MIT */
/* body.c - copy the body of a function, and swap it in or drop it at the end. */
#include "structurize/body.h"

#include "heddle/check.h"

#include <stdio.h>

#include "heddle/clone.h"

/* Take the newest function out of the shader's list; its name is free again. */
static hd_function *
hide(hd_function *work)
{
   hd_shader *shader = work->shader;

   assert(shader->last_function == work && work->prev);
   shader->last_function = work->prev;
   work->prev->next = NULL;
   work->prev = NULL;
   shader->num_functions--;
   return work;
}

static void
free_name(const hd_shader *shader, char name[32])
{
   unsigned n = 0;

   do {
      snprintf(name, 32, "body.%u", n++);
   } while (hd_shader_find_function(shader, name));
}

hd_result
hd_body_begin(hd_function *f)
{
   hd_heap *heap = hd_shader_heap(f->shader);

   if (heap->unwind)
      return HD_OK;
   hd_heap_refill(heap);
   return hd_validate_function(f, NULL);
}

hd_function *
hd_body_copy(hd_function *f)
{
   char name[32];

   free_name(f->shader, name);
   return hide(hd_function_clone(f->shader, f, name));
}

/* The end block is part of the function: the edges to it are made to name the one they now have. */
static void
adopt_end(hd_block *end, const hd_block *from)
{
   end->node.index = from->node.index;
   end->num_preds = from->num_preds;
   end->pred_capacity = from->pred_capacity;
   memcpy(end->pred_store, from->pred_store, sizeof(end->pred_store));
   end->preds = from->preds == from->pred_store ? end->pred_store : from->preds;
   for (uint32_t n = 0; n < end->num_preds; n++)
      end->preds[n].from->succs[end->preds[n].succ].to = end;
}

/* The lists name their function, and the nodes of the body the list in it. */
static void
adopt_nodes(hd_function *f)
{
   for (hd_cf_node *n = f->body.first; n; n = n->next)
      n->list = &f->body;
   f->body.function = f;
   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      hd_loop *loop = hd_node_as_loop(n);
      if (nif)
         nif->then_list.function = nif->else_list.function = f;
      if (loop)
         loop->body.function = loop->continue_list.function = f;
   }
}

void
hd_body_swap(hd_function *f, hd_function *work)
{
   hd_function old = *f;

   if (f->end.preds == f->end.pred_store)
      old.end.preds = old.end.pred_store;
   assert(!f->marks_borrowed && !work->marks_borrowed);
   assert(!f->num_extracted && !work->num_extracted);
   f->structured = work->structured;
   f->num_params = work->num_params;
   f->num_defs = work->num_defs;
   f->num_blocks = work->num_blocks;
   f->num_vars = work->num_vars;
   f->first_var = work->first_var;
   f->last_var = work->last_var;
   f->body = work->body;
   adopt_end(&f->end, &work->end);
   adopt_nodes(f);
   f->meta_valid = 0;
   if (f->meta)
      f->meta->free(f);

   work->first_var = old.first_var;
   work->last_var = old.last_var;
   work->num_vars = old.num_vars;
   work->body = old.body;
   adopt_end(&work->end, &old.end);
   adopt_nodes(work);
   hd_body_drop(work);
}

void
hd_body_drop(hd_function *work)
{
   if (!work)
      return;
   hd_shader *shader = work->shader;

   work->next = NULL;
   work->prev = shader->last_function;
   shader->last_function->next = work;
   shader->last_function = work;
   shader->num_functions++;
   hd_function_remove(work);
}
