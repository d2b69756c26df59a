/* SPDX-License-Identifier: MIT */
/* shader.c - create and free shaders, functions, parameters, variables. */
#include "heddle/analysis.h"
#include "heddle/intrinsic.h"
#include "ir/private.h"

#include <stdio.h>

hd_result
hd_shader_make(const hd_config *config, hd_stage stage, const char *name, hd_shader **out)
{
   hd_heap heap;

   if (config && hd_intrinsic_table_check(config->intrinsics, config->diag) != HD_OK)
      return HD_INVALID;
   hd_heap_init(&heap, config);
   struct hd_memory *m = hd_heap_alloc(&heap, sizeof(*m));
   if (!m)
      return heap.status;
   memset(m, 0, sizeof(*m));
   m->heap = heap;
   hd_pool_init(&m->pool, &m->heap);
   hd_stack_init(&m->stack, &m->heap);

   hd_shader *shader = hd_pool_alloc(&m->pool, sizeof(*shader));
   if (shader) {
      shader->memory = m;
      shader->stage = stage;
      shader->num_locations = 1;
      shader->name = hd_shader_intern(shader, name ? name : "", name ? strlen(name) : 0);
      m->locations = hd_pool_alloc(&m->pool, 4 * sizeof(hd_location));
      m->location_slots = hd_pool_alloc(&m->pool, 8 * sizeof(uint32_t));
      m->locations_capacity = 4;
      m->location_slots_capacity = 8;
      shader->locations = m->locations;
   }
   if (!shader || !shader->name || !m->locations || !m->location_slots) {
      hd_result result = m->heap.status;
      hd_pool_finish(&m->pool);
      hd_heap_free(&heap, m, sizeof(*m));
      return result;
   }
   *out = shader;
   return HD_OK;
}

hd_shader *
hd_shader_create(const hd_config *config, hd_stage stage, const char *name)
{
   hd_shader *shader = NULL;

   hd_shader_make(config, stage, name, &shader);
   return shader;
}

static void
free_meta(hd_function *f)
{
   if (f->meta)
      f->meta->free(f);
   assert(!f->meta);
   f->meta_valid = 0;
}

void
hd_shader_destroy(hd_shader *shader)
{
   if (!shader)
      return;
   hd_foreach_function(f, shader)
      free_meta(f);
   struct hd_memory *m = shader->memory;
   hd_pool_finish(&m->pool);
   hd_stack_finish(&m->stack);
   hd_heap heap = m->heap;
   hd_heap_free(&heap, m, sizeof(*m));
}

const hd_config *
hd_shader_config(const hd_shader *shader)
{
   return &shader->memory->heap.config;
}

hd_memory_stats
hd_shader_memory(const hd_shader *shader)
{
   const struct hd_memory *m = shader->memory;

   return (hd_memory_stats){ m->pool.live, m->heap.reserved, m->heap.peak };
}

hd_result
hd_shader_status(const hd_shader *shader)
{
   return shader->memory->heap.status;
}

void
hd_shader_clear_status(hd_shader *shader)
{
   shader->memory->heap.status = HD_OK;
   hd_heap_refill(&shader->memory->heap);
}

uint32_t
hd_shader_add_constants(hd_shader *shader, const void *bytes, uint32_t size, uint32_t align)
{
   struct hd_memory *m = shader->memory;
   const uint32_t old = shader->constants_size;

   assert(align && align <= HD_CONSTANTS_ALIGN && !(align & (align - 1)));
   const uint64_t address = ((uint64_t)old + align - 1) & ~(uint64_t)(align - 1);
   if (address + size > HD_MAX_CONSTANTS) {
      hd_heap_fail(&m->heap, HD_UNSUPPORTED);
      return UINT32_MAX;
   }
   if (!size)
      return (uint32_t)address;
   const uint32_t end = (uint32_t)address + size;
   if (end > m->constants_capacity) {
      const uint32_t capacity = end > 2 * old ? end : 2 * old;
      uint8_t *larger = hd_pool_alloc(&m->pool, capacity);
      if (!larger)
         return UINT32_MAX;
      if (old)
         memcpy(larger, shader->constants, old);
      hd_pool_free(&m->pool, (void *)(uintptr_t)shader->constants, m->constants_capacity);
      shader->constants = larger;
      m->constants_capacity = capacity;
   }
   uint8_t *to = (uint8_t *)(uintptr_t)shader->constants;
   memset(to + old, 0, (uint32_t)address - old);
   memcpy(to + address, bytes, size);
   shader->constants_size = end;
   return (uint32_t)address;
}

hd_function *
hd_function_create(hd_shader *shader, const char *name, bool structured)
{
   hd_pool *pool = hd_shader_pool(shader);
   const char *interned = hd_shader_intern(shader, name, strlen(name));

   assert(!hd_shader_find_function(shader, name));
   if (!interned || !hd_pool_reserve(pool, sizeof(hd_function) + sizeof(hd_block)))
      return NULL;
   hd_function *f = hd_pool_alloc(pool, sizeof(*f));
   f->shader = shader;
   f->name = interned;
   f->structured = structured;
   f->body.function = f;
   f->end.node.kind = HD_CF_BLOCK;
   f->end.succs = f->end.succ_store;
   f->end.preds = f->end.pred_store;
   f->end.succ_capacity = f->end.pred_capacity = 2;

   hd_block *start = hd_block_alloc(f);
   start->node.list = &f->body;
   f->body.first = f->body.last = &start->node;
   if (structured) {
      bool linked = hd_edge_add(start, &f->end);
      assert(linked);
      (void)linked;
   }

   f->prev = shader->last_function;
   if (f->prev)
      f->prev->next = f;
   else
      shader->first_function = f;
   shader->last_function = f;
   shader->num_functions++;
   return f;
}

void
hd_function_remove(hd_function *f)
{
   hd_shader *shader = f->shader;
   hd_pool *pool = hd_shader_pool(shader);

   free_meta(f);
   if (f->prev)
      f->prev->next = f->next;
   else
      shader->first_function = f->next;
   if (f->next)
      f->next->prev = f->prev;
   else
      shader->last_function = f->prev;
   shader->num_functions--;

   /* The walk reads `next` and the lists, so `prev` can chain what has been seen. */
   hd_cf_node *dead = NULL;
   hd_foreach_node(n, f) {
      n->prev = dead;
      dead = n;
   }
   for (hd_cf_node *n = dead, *next; n; n = next) {
      next = n->prev;
      hd_cf_node_free(f, n);
   }
   if (f->end.preds != f->end.pred_store)
      hd_pool_free(pool, f->end.preds, f->end.pred_capacity * sizeof(hd_pred));
   while (f->first_var)
      hd_var_remove(f, f->first_var);
   hd_pool_free(pool, f, sizeof(*f));
}

hd_function *
hd_shader_find_function(const hd_shader *shader, const char *name)
{
   hd_foreach_function(f, shader) {
      if (!strcmp(f->name, name))
         return f;
   }
   return NULL;
}

void
hd_function_set_result(hd_function *f, unsigned num_components, unsigned bit_size)
{
   f->result_components = (uint8_t)num_components;
   f->result_bits = (uint8_t)bit_size;
}

hd_def *
hd_function_add_param(hd_function *f, unsigned num_components, unsigned bit_size)
{
   hd_param *param = hd_param_create(f->shader, num_components, bit_size, f->num_params);

   if (!param)
      return NULL;
   hd_block *start = hd_function_start(f);
   hd_instr *after = NULL;
   for (hd_instr *i = start->first; i && i->kind == HD_INSTR_PARAM; i = i->next)
      after = i;
   hd_instr_link(start, after, &param->instr);
   f->num_params++;
   return &param->instr.def;
}

/* A name that no variable has: `base`, or `base` with a number. */
static const char *
unique_var_name(hd_function *f, const char *base)
{
   char numbered[64];
   const char *name = hd_shader_intern(f->shader, base, strlen(base));

   for (uint32_t n = f->num_vars; name; n++) {
      bool taken = false;
      hd_foreach_var(v, f)
         taken |= v->name == name;
      if (!taken)
         return name;
      snprintf(numbered, sizeof(numbered), "%.48s%u", base, n);
      name = hd_shader_intern(f->shader, numbered, strlen(numbered));
   }
   return NULL;
}

hd_var *
hd_var_create(hd_function *f, const char *name, unsigned num_components, unsigned bit_size,
              uint32_t array_length)
{
   const char *unique = unique_var_name(f, name ? name : "v");

   return unique ? hd_var_append(f, unique, num_components, bit_size, array_length) : NULL;
}

hd_var *
hd_var_append(hd_function *f, const char *interned_name, unsigned num_components, unsigned bit_size,
              uint32_t array_length)
{
   hd_var *var = hd_pool_alloc(hd_shader_pool(f->shader), sizeof(*var));

   if (!var)
      return NULL;
   var->name = interned_name;
   var->index = f->num_vars++;
   var->num_components = (uint8_t)num_components;
   var->bit_size = (uint8_t)bit_size;
   var->array_length = array_length;
   var->prev = f->last_var;
   if (var->prev)
      var->prev->next = var;
   else
      f->first_var = var;
   f->last_var = var;
   return var;
}

void
hd_var_remove(hd_function *f, hd_var *var)
{
   if (var->prev)
      var->prev->next = var->next;
   else
      f->first_var = var->next;
   if (var->next)
      var->next->prev = var->prev;
   else
      f->last_var = var->prev;
   hd_pool_free(hd_shader_pool(f->shader), var, sizeof(*var));
}

void
hd_number_blocks(hd_function *f)
{
   f->num_blocks = 0;
   hd_foreach_block(b, f)
      b->node.index = f->num_blocks++;
   f->end.node.index = f->num_blocks++;
   f->meta_valid = 0;
}

void
hd_number_values(hd_function *f)
{
   uint32_t n = 0;

   f->num_defs = 0;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->def.bit_size)
            i->def.index = f->num_defs++;
      }
   }
   hd_foreach_var(v, f)
      v->index = n++;
   f->num_vars = n;
   f->meta_valid &= HD_META_GRAPH;
}

void
hd_function_reindex(hd_function *f)
{
   hd_number_blocks(f);
   hd_number_values(f);
}

/* Before each node there is a block. */
static void
clear_node_marks(hd_block *b)
{
   b->node.mark = 0;
   if (b->node.next)
      b->node.next->mark = 0;
}

void
hd_function_borrow_node_marks(hd_function *f)
{
   assert(!f->marks_borrowed && "the marks are borrowed already");
   f->marks_borrowed = 1;
   hd_foreach_block(b, f)
      clear_node_marks(b);
}

void
hd_function_borrow_marks(hd_function *f)
{
   assert(!f->marks_borrowed && "the marks are borrowed already");
   f->marks_borrowed = 1;
   hd_foreach_block(b, f) {
      clear_node_marks(b);
      hd_foreach_instr(i, b)
         i->def.mark = 0;
   }
}

void
hd_function_release_marks(hd_function *f)
{
   assert(f->marks_borrowed);
   f->marks_borrowed = 0;
}
