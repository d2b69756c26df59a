/* SPDX-License-Identifier: MIT */
/* clone.c - clone lists, functions and shaders. */
#include "ir/copy.h"

/* Parts of functions */

/* The node that comes after all of a list in the order of the text, or NULL. */
static const hd_cf_node *
after_list(const hd_cf_list *list)
{
   return hd_cf_node_next_outside(list->last);
}

/* What is in the part counts as not copied, whatever the map says of an earlier copy. */
static void
forget_part(struct copier *c, const hd_cf_node *end)
{
   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n)) {
      hd_block *b = hd_node_as_block(n);
      if (!b)
         continue;
      hd_copy_set_block(c, b, b);
      for (const hd_instr *i = hd_copy_first_instr(c, b); i; i = i->next) {
         if (i->def.bit_size)
            hd_copy_set_def(c, &i->def, NULL);
      }
   }
}

/* Room for the edges out of the part, of which there are at most three targets: where its loop
 * breaks to, where it continues, the end block.
 */
static void
prepare_outer_edges(struct copier *c, const hd_cf_node *end)
{
   struct {
      hd_block *block;
      uint32_t num;
   } targets[3] = { { 0 } };

   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      if (!b || !hd_block_jump(b) || hd_copy_is_inside(c, b->succs[0].to))
         continue;
      unsigned t = 0;
      while (targets[t].block && targets[t].block != b->succs[0].to)
         t++;
      assert(t < 3);
      targets[t].block = b->succs[0].to;
      targets[t].num++;
   }
   for (unsigned t = 0; t < 3 && targets[t].block; t++) {
      hd_edge_reserve(NULL, 0, targets[t].block, targets[t].num);
      hd_foreach_phi(phi, targets[t].block)
         hd_phi_reserve(phi, phi->num_srcs + targets[t].num);
   }
}

static void
copy_part(struct copier *c, hd_cf_range *range)
{
   const hd_cf_node *end = after_list(c->list);

   if (c->map) {
      hd_clone_map_cover(c->map);
      c->map->round++;
   }
   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n))
      hd_copy_prepare_node(c, n);
   hd_copy_prepare(c, sizeof(hd_cf_list));
   if (!c->map) {
      hd_ptr_map_init(&c->by_address, c->stack, c->num_objects);
      c->objects = hd_stack_alloc(c->stack, c->num_objects * sizeof(*c->objects));
      c->num_objects = 0;
   }
   forget_part(c, end);
   prepare_outer_edges(c, end);
   hd_copy_prepare_end(c);

   hd_cf_list *copy = hd_pool_alloc(c->pool, sizeof(*copy));
   copy->function = c->to;
   hd_copy_list(c, copy, c->list);
   hd_copy_link_waiting(c);
   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      if (b && hd_block_jump(b) && !hd_copy_is_inside(c, b->succs[0].to))
         hd_copy_outer_edge(c, b, hd_copy_of_block(c, b), b->succs[0].to);
   }
   c->to->num_extracted++;
   c->to->meta_valid = 0;
   range->list = copy;
}

bool
hd_cf_clone(hd_cf_range *range, hd_cf_list *list, hd_clone_map *map)
{
   hd_function *f = list->function;
   struct copier c;
   hd_unwind u;

   assert(f->structured && (!map || map->from == f));
   hd_copy_init(&c, f->shader, f, f);
   c.within = true;
   c.list = list;
   c.map = map;
   hd_stack_mark mark = hd_stack_get_mark(c.stack);
   hd_heap_refill(c.heap);
   if (HD_TRY(c.heap, &u))
      copy_part(&c, range);
   hd_result result = hd_heap_leave(c.heap, &u);
   if (result != HD_OK)
      hd_copy_free_prepared(&c);
   hd_stack_release(c.stack, mark);
   if (result != HD_OK)
      hd_heap_fail(c.heap, result);
   return result == HD_OK;
}

/* Take back a copy that nothing outside reads but the phis that its jumps bring values to. Unlike
 * hd_cf_delete it cannot fail: no use needs an undef.
 */
static void
discard(hd_cf_range *range)
{
   assert(range->list);
   hd_function *f = range->list->function;
   hd_cf_node *dead = NULL;

   for (hd_cf_node *n = range->list->first; n; n = hd_cf_node_next(n)) {
      hd_block *b = hd_node_as_block(n);
      if (n->kind == HD_CF_IF)
         hd_src_unlink(&hd_node_as_if(n)->cond);
      if (!b)
         continue;
      while (b->num_succs)
         hd_edge_remove(b, b->num_succs - 1);
      hd_foreach_instr(i, b) {
         hd_foreach_src(src, i)
            hd_src_unlink(src);
      }
   }
   /* The walk reads `next` and the lists, so `prev` can chain what has been seen. */
   for (hd_cf_node *n = range->list->first; n; n = hd_cf_node_next(n)) {
      n->prev = dead;
      dead = n;
   }
   for (hd_cf_node *n = dead, *next; n; n = next) {
      next = n->prev;
      hd_cf_node_free(f, n);
   }
   hd_pool_free(hd_shader_pool(f->shader), range->list, sizeof(hd_cf_list));
   range->list = NULL;
   f->num_extracted--;
}

bool
hd_cf_clone_and_reinsert(hd_cf_list *list, hd_cursor cursor, hd_clone_map *map)
{
   hd_function *f = list->function;
   hd_heap *heap = hd_shader_heap(f->shader);
   uint32_t num_defs = f->num_defs, num_blocks = f->num_blocks;
   hd_cf_range range = { 0 };
   hd_unwind u;

   if (!hd_cf_clone(&range, list, map))
      return false;
   volatile bool inserted = false;
   if (HD_TRY(heap, &u))
      inserted = hd_cf_reinsert(&range, cursor);
   hd_result result = hd_heap_leave(heap, &u);
   if (!inserted) {
      discard(&range);
      f->num_defs = num_defs;
      f->num_blocks = num_blocks;
      hd_heap_fail(heap, result);
   }
   return inserted;
}

/* Functions */

static void
copy_vars(struct copier *c)
{
   const hd_function *f = c->from;

   c->vars = hd_stack_alloc(c->stack, f->num_vars * sizeof(*c->vars));
   hd_foreach_var(v, f) {
      const char *name = v->name;
      if (c->shader != f->shader)
         name = hd_shader_intern(c->shader, name, strlen(name));
      hd_var *var = hd_var_append(c->to, name, v->num_components, v->bit_size, v->array_length);
      var->index = v->index;
      c->vars[v->index] = var;
   }
   c->to->num_vars = f->num_vars;
}

/* A map of a whole function, on the stack. */
static hd_clone_map *
whole_map(struct copier *c)
{
   const hd_function *f = c->from;
   hd_clone_map *map = hd_stack_alloc(c->stack, sizeof(*map));

   map->from = f;
   map->num_defs = f->num_defs;
   map->num_blocks = f->num_blocks;
   map->round = 0;
   map->defs = hd_stack_alloc_zero(c->stack, f->num_defs * sizeof(*map->defs));
   map->blocks = hd_stack_alloc_zero(c->stack, f->num_blocks * sizeof(*map->blocks));
   return map;
}

/* The body of a function into one that holds nothing but an empty start block. Indices stay, so
 * that whatever is done to the copy goes as it would with the original.
 */
static void
copy_whole(struct copier *c)
{
   const hd_function *f = c->from;
   hd_function *to = c->to;

   to->result_components = f->result_components;
   to->result_bits = f->result_bits;
   to->num_params = f->num_params;
   to->end.node.index = f->end.node.index;
   to->end.num_preds = f->end.num_preds;
   if (f->end.num_preds > 2) {
      to->end.preds = hd_copy_take(c, f->end.num_preds * sizeof(hd_pred));
      to->end.pred_capacity = f->end.num_preds;
   }
   hd_copy_list(c, &to->body, &f->body);
   hd_copy_link_waiting(c);
   to->num_defs = f->num_defs;
   to->num_blocks = f->num_blocks;
   if (f->structured)
      return;
   hd_foreach_block(b, f) {
      hd_block *copy = hd_copy_of_block(c, b);
      if (b->loop_header)
         copy->loop_header = hd_copy_of_block(c, b->loop_header);
      if (b->continues)
         copy->continues = hd_copy_of_block(c, b->continues);
   }
}

/* The function of another shader that a call means there: that of the same name. Each is looked up
 * once.
 */
static void
prepare_callees(struct copier *c, hd_unwind *u)
{
   const hd_shader *shader = c->from->shader;
   hd_ptr_map *numbers = hd_stack_alloc(c->stack, sizeof(*numbers));
   uint32_t number = 0;

   hd_ptr_map_init(numbers, c->stack, shader->num_functions);
   c->functions = hd_stack_alloc_zero(c->stack, shader->num_functions * sizeof(*c->functions));
   c->function_numbers = numbers;
   hd_foreach_function(f, shader)
      hd_ptr_map_set(numbers, f, number++);
   hd_foreach_block(b, c->from) {
      hd_foreach_instr(i, b) {
         const hd_call *call = hd_instr_as_call(i);
         if (!call)
            continue;
         hd_function **callee = &c->functions[hd_ptr_map_get(numbers, call->callee)];
         if (!*callee)
            *callee = hd_shader_find_function(c->shader, call->callee->name);
         if (!*callee) {
            u->result = HD_INVALID;
            longjmp(u->env, 1);
         }
      }
   }
}

static void
clone_function(struct copier *c, const char *name, hd_unwind *u)
{
   const hd_function *f = c->from;

   /* The callees are those there were before: a copy under its callee's name does not call itself.
    */
   if (c->shader != f->shader) {
      prepare_callees(c, u);
      c->locations =
          hd_stack_alloc_zero(c->stack, f->shader->num_locations * sizeof(*c->locations));
   }
   c->to = hd_function_create(c->shader, name, f->structured);
   copy_vars(c);
   c->map = whole_map(c);
   hd_foreach_node(n, f)
      hd_copy_prepare_node(c, n);
   if (f->end.num_preds > 2)
      hd_copy_prepare(c, f->end.num_preds * sizeof(hd_pred));
   hd_copy_prepare_end(c);
   copy_whole(c);
}

hd_function *
hd_function_clone(hd_shader *shader, const hd_function *f, const char *name)
{
   struct copier c;
   hd_unwind u;

   assert(!f->num_extracted);
   hd_copy_init(&c, shader, f, NULL);
   hd_stack_mark mark = hd_stack_get_mark(c.stack);
   hd_heap_refill(c.heap);
   if (HD_TRY(c.heap, &u))
      clone_function(&c, name, &u);
   hd_result result = hd_heap_leave(c.heap, &u);
   if (result != HD_OK) {
      hd_copy_free_prepared(&c);
      if (c.to)
         hd_function_remove(c.to);
   }
   hd_stack_release(c.stack, mark);
   if (result != HD_OK && result != HD_INVALID)
      hd_heap_fail(c.heap, result);
   return result == HD_OK ? c.to : NULL;
}

/* Shaders */

static void
copy_properties(hd_shader *to, const hd_shader *from)
{
   to->name = hd_shader_intern(to, from->name, strlen(from->name));
   memcpy(to->workgroup_size, from->workgroup_size, sizeof(to->workgroup_size));
   to->subgroup_size = from->subgroup_size;
   to->float_controls = from->float_controls;
   to->shared_size = from->shared_size;
   to->scratch_size = from->scratch_size;
   to->push_size = from->push_size;
   to->kernarg_size = from->kernarg_size;
   to->lowered = from->lowered;
   hd_shader_add_constants(to, from->constants, from->constants_size, 1);
   for (uint32_t n = 1; n < from->num_locations; n++) {
      const hd_location *l = &from->locations[n];
      uint32_t number = hd_shader_location(to, l->file, l->line, l->column);
      assert(number == n);
      (void)number;
   }
}

static void
copy_shader(hd_shader *to, const hd_shader *from)
{
   hd_stack *stack = hd_shader_stack(to);
   hd_function **functions = hd_stack_alloc(stack, from->num_functions * sizeof(*functions));
   hd_ptr_map numbers;
   uint32_t number = 0;

   copy_properties(to, from);
   hd_ptr_map_init(&numbers, stack, from->num_functions);
   hd_foreach_function(f, from) {
      assert(!f->num_extracted);
      functions[number] = hd_function_create(to, f->name, f->structured);
      hd_ptr_map_set(&numbers, f, number++);
   }
   number = 0;
   hd_foreach_function(f, from) {
      struct copier c;
      hd_stack_mark mark = hd_stack_get_mark(stack);
      hd_copy_init(&c, to, f, functions[number++]);
      c.prepares = false;
      c.functions = functions;
      c.function_numbers = &numbers;
      copy_vars(&c);
      c.map = whole_map(&c);
      copy_whole(&c);
      hd_slab_finish(&c.slab);
      hd_stack_release(stack, mark);
   }
}

hd_result
hd_shader_clone(const hd_shader *shader, const hd_config *config, hd_shader **out)
{
   hd_unwind u;
   hd_shader *copy = NULL;
   hd_result made =
       hd_shader_make(config ? config : hd_shader_config(shader), shader->stage, NULL, &copy);

   if (made != HD_OK)
      return made;
   hd_heap *heap = hd_shader_heap(copy);
   hd_stack_mark mark = hd_stack_get_mark(hd_shader_stack(copy));
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      copy_shader(copy, shader);
   hd_result result = hd_heap_leave(heap, &u);
   hd_stack_release(hd_shader_stack(copy), mark);
   if (result != HD_OK) {
      hd_shader_destroy(copy);
      return result;
   }
   *out = copy;
   return HD_OK;
}
