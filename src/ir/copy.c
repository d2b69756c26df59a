/* SPDX-License-Identifier: MIT */
/* copy.c - the copying core of clone.h.
 *
 * A copy is made in one walk in text order. Copies are found by the index of the original. Forward
 * references, and references to what is not copied, are chained until the walk is complete. Edges are
 * added when the later of their ends has been copied.
 *
 * If the target is a shader that must survive a failure, a first walk computes the memory that the copy
 * takes and reserves it: from then on nothing can fail. A new shader is destroyed instead.
 */
#include "ir/copy.h"

#include "ir/own_intrinsics.h"
#include "util/quote.h"

/* What has been copied */

void
hd_copy_remember(struct copier *c, const void *from, void *to)
{
   uint32_t known = hd_ptr_map_get(&c->by_address, from);

   if (known == HD_PTR_MAP_NONE) {
      known = c->num_objects++;
      hd_ptr_map_set(&c->by_address, from, known);
   }
   c->objects[known] = to;
}

void *
hd_copy_recall(const struct copier *c, const void *from)
{
   uint32_t known = hd_ptr_map_get(&c->by_address, from);

   return known == HD_PTR_MAP_NONE ? NULL : c->objects[known];
}

/* Memory of the copy */

static void
enqueue(struct copier *c, struct copy_queue *q, void *object, size_t size)
{
   struct copy_prepared *p = hd_stack_alloc(c->stack, sizeof(*p));

   *p = (struct copy_prepared){ NULL, object, size };
   if (!q->end)
      q->end = &q->first;
   *q->end = p;
   q->end = &p->next;
}

void
hd_copy_prepare(struct copier *c, size_t size)
{
   if (size > HD_POOL_LARGE - 8) {
      /* Entered before it is filled in, so that nothing is lost if the allocation fails. */
      enqueue(c, &c->large, NULL, size);
      struct copy_prepared *p = HD_CONTAINER_OF(c->large.end, struct copy_prepared, next);
      p->object = hd_pool_alloc(c->pool, size);
   } else {
      c->small += (size + 7) & ~(size_t)7;
   }
}

void
hd_copy_free_prepared(struct copier *c)
{
   for (struct copy_prepared *p = c->large.first; p; p = p->next)
      hd_pool_free(c->pool, p->object, p->size);
}

static void
copy_name(struct copier *c, const void *from, const void *to)
{
   if (c->prepares) {
      hd_name_put(c->shader, to, c->names.first->object);
      c->names.first = c->names.first->next;
   } else {
      hd_name_set(c->shader, to, hd_name_get(c->from->shader, from));
   }
}

/* Instructions */

static inline void
copy_src(struct copier *c, hd_src *src, unsigned slot, hd_def *old)
{
   hd_def *def = old ? hd_copy_of_def(c, old) : NULL;

   hd_src_init(src, slot, def ? def : old);
   if (def) {
      hd_src_link_new(src);
   } else if (old) {
      src->next_link |= (uintptr_t)c->waiting;
      c->waiting = src;
   }
}

/* All is copied: what waits reads a copy, or what it read before. */
void
hd_copy_link_waiting(struct copier *c)
{
   for (hd_src *src = c->waiting, *next; src; src = next) {
      next = (hd_src *)(src->next_link & ~(uintptr_t)7);
      hd_def *def = hd_copy_of_def(c, src->def);
      assert(def || c->within);
      if (def || !c->within)
         src->def = def;
      hd_src_link(src);
   }
}

static hd_wide_src *
copy_wide_srcs(struct copier *c, hd_instr *instr, const hd_wide_src *old, uint32_t num)
{
   if (!num)
      return NULL;
   hd_wide_src *srcs = hd_copy_take(c, num * sizeof(*srcs));
   for (uint32_t n = 0; n < num; n++) {
      srcs[n].instr = instr;
      copy_src(c, &srcs[n].src, HD_SLOT_WIDE, old[n].src.def);
   }
   return srcs;
}

static hd_function *
copy_of_function(const struct copier *c, hd_function *f)
{
   if (!c->function_numbers)
      return f;
   return c->functions[hd_ptr_map_get(c->function_numbers, f)];
}

/* An intrinsic that the shader of the copy does not have, or that is another one there, is refused:
 * the first walk does so before anything was changed.
 */
static void
check_intrinsic(struct copier *c, const hd_instr *i)
{
   if (!hd_knows_intrinsic(c->from->shader, i))
      hd_refuse_intrinsic(c->from, i);
   else if (c->foreign_intrinsics)
      hd_diag_send(&hd_shader_config(c->shader)->diag,
                   &(hd_diag){ .severity = HD_ERROR,
                               .message = "a copy between shaders with different tables of "
                                          "intrinsics has an intrinsic of its table" });
   else
      return;
   hd_heap_fail(c->heap, HD_INVALID);
}

static inline size_t
instr_size(struct copier *c, const hd_instr *i)
{
   if (i->kind == HD_INSTR_INTRINSIC && !hd_is_library_intrinsic(i))
      check_intrinsic(c, i);
   return hd_instr_size(c->from->shader, i);
}

/* What is not in the instruction itself; `copy` begins as the same bytes. */
static void
copy_details(struct copier *c, hd_instr *copy, const hd_instr *i)
{
   if (i->kind == HD_INSTR_PHI) {
      hd_phi *phi = (hd_phi *)copy;
      phi->srcs = copy_wide_srcs(c, copy, phi->srcs, phi->num_srcs);
      phi->capacity = phi->num_srcs;
   } else if (i->kind == HD_INSTR_CALL) {
      hd_call *call = (hd_call *)copy;
      call->args = copy_wide_srcs(c, copy, call->args, call->num_args);
      call->callee = copy_of_function(c, call->callee);
   } else if (i->kind == HD_INSTR_JUMP) {
      hd_jump *jump = (hd_jump *)copy;
      if (jump->num_cases) {
         size_t size = jump->num_cases * sizeof(*jump->cases);
         jump->cases = memcpy(hd_copy_take(c, size), jump->cases, size);
      }
   } else if (c->vars && (i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR)) {
      hd_var_access *access = (hd_var_access *)copy;
      access->var = c->vars[access->var->index];
   }
}

static void
copy_instr(struct copier *c, hd_block *b, const hd_instr *i)
{
   size_t size = instr_size(c, i);
   hd_instr *copy = memcpy(hd_copy_take(c, size), i, size);

   if (!c->prepares)
      hd_heap_step(c->heap, 1);
   copy->block = b;
   copy->next = NULL;
   copy->prev = b->last;
   if (b->last)
      b->last->next = copy;
   else
      b->first = copy;
   b->last = copy;
   copy->def.uses = NULL;
   copy->def.mark = 0;
   if (c->locations)
      copy->loc = c->locations[i->loc] & 0xffffff;
   if (i->num_srcs != HD_NUM_SRCS_WIDE) {
      hd_src *srcs = (hd_src *)(copy + 1);
      for (unsigned n = 0; n < i->num_srcs; n++)
         copy_src(c, &srcs[n], n, srcs[n].def);
   }
   if (i->kind >= HD_INSTR_PHI)
      copy_details(c, copy, i);
   if (i->def.bit_size) {
      if (c->within)
         copy->def.index = c->to->num_defs++;
      hd_copy_set_def(c, &i->def, &copy->def);
      if (i->def.flags & HD_DEF_NAMED)
         copy_name(c, &i->def, &copy->def);
   }
}

/* Control flow */

static uint32_t
copy_loc(const struct copier *c, uint32_t loc)
{
   return (c->locations ? c->locations[loc] : loc) & 0xffffff;
}

static bool
is_first_of_part(const struct copier *c, const hd_block *b)
{
   return c->within && &b->node == c->list->first;
}

/* What stands at the head of the part belongs to the control flow around it. */
hd_instr *
hd_copy_first_instr(const struct copier *c, const hd_block *b)
{
   return is_first_of_part(c, b) ? hd_block_first_non_phi(b) : b->first;
}

static void
append_node(hd_cf_list *list, hd_cf_node *node)
{
   node->list = list;
   node->prev = list->last;
   if (node->prev)
      node->prev->next = node;
   else
      list->first = node;
   list->last = node;
}

static hd_block *
make_block(struct copier *c, hd_cf_list *list)
{
   hd_block *b;

   if (!c->within && !c->started) {
      c->started = true;
      return hd_function_start(c->to);
   }
   b = hd_block_alloc(c->to);
   append_node(list, &b->node);
   return b;
}

/* An entry of the map does not say so: it may be from an earlier call, and what it names gone. */
bool
hd_copy_is_inside(const struct copier *c, const hd_block *b)
{
   if (b == &c->from->end)
      return false;
   return c->map ? c->map->blocks[b->node.index].round == c->map->round
                 : hd_copy_recall(c, b) != NULL;
}

/* The copy that this call has made of a block, or NULL. Blocks that it will copy stand for
 * themselves until then.
 */
static hd_block *
made_of(const struct copier *c, const hd_block *b)
{
   if (!c->within)
      return hd_copy_of_block(c, b);
   hd_block *known = hd_copy_is_inside(c, b) ? hd_copy_of_block(c, b) : NULL;
   return known != b ? known : NULL;
}

/* The edges between a block just copied and those copied before: each edge is made when the later
 * of its ends is. Positions among successors and predecessors stay. Edges out of a part are not made
 * here.
 */
static void
copy_edges(const struct copier *c, const hd_block *b, hd_block *copy)
{
   bool first = is_first_of_part(c, b);

   for (uint32_t n = 0; n < b->num_preds && !first; n++) {
      hd_pred pred = b->preds[n];
      hd_block *from = made_of(c, pred.from);
      if (!from)
         continue;
      copy->preds[n] = (hd_pred){ from, pred.succ };
      from->succs[pred.succ] = (hd_edge){ copy, n };
   }
   copy->num_preds = first ? 0 : b->num_preds;
   if (c->within && b->num_succs == 1 && !hd_copy_is_inside(c, b->succs[0].to))
      return;
   copy->num_succs = b->num_succs;
   for (uint32_t n = 0; n < b->num_succs; n++) {
      hd_edge edge = b->succs[n];
      hd_block *to = made_of(c, edge.to);
      if (!to)
         continue;
      copy->succs[n] = (hd_edge){ to, edge.pred };
      to->preds[edge.pred] = (hd_pred){ copy, n };
   }
}

static void
copy_block(struct copier *c, hd_cf_list *list, const hd_block *b)
{
   hd_block *copy = make_block(c, list);

   if (!c->prepares)
      hd_heap_step(c->heap, 1);
   if (!c->within)
      copy->node.index = b->node.index;
   copy->node.loc = copy_loc(c, b->node.loc);
   copy->node.header = b->node.header;
   copy->unroll = b->unroll;
   copy->node.named = b->node.named;
   hd_copy_set_block(c, b, copy);
   if (b->node.named)
      copy_name(c, b, copy);
   copy->num_succs = 0;
   if (b->num_succs > 2) {
      copy->succs = hd_copy_take(c, b->num_succs * sizeof(hd_edge));
      copy->succ_capacity = b->num_succs;
   }
   if (b->num_preds > 2 && !is_first_of_part(c, b)) {
      copy->preds = hd_copy_take(c, b->num_preds * sizeof(hd_pred));
      copy->pred_capacity = b->num_preds;
   }
   copy_edges(c, b, copy);
   for (const hd_instr *i = hd_copy_first_instr(c, b); i; i = i->next)
      copy_instr(c, copy, i);
}

/* An if or loop without what is inside; the first of its lists. */
static hd_cf_list *
copy_node(struct copier *c, hd_cf_list *list, const hd_cf_node *node)
{
   if (!c->prepares)
      hd_heap_step(c->heap, 1);
   if (node->kind == HD_CF_IF) {
      hd_if *nif = hd_if_alloc(c->to, NULL);
      copy_src(c, &nif->cond, HD_SLOT_IF, hd_node_as_if(node)->cond.def);
      nif->node.loc = copy_loc(c, node->loc);
      append_node(list, &nif->node);
      return &nif->then_list;
   }
   hd_loop *loop = hd_loop_alloc(c->to);
   loop->node.loc = copy_loc(c, node->loc);
   append_node(list, &loop->node);
   return &loop->body;
}

/* The list after this one in its if or loop, or NULL. */
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

/* Old and new tree are followed side by side along their links. */
void
hd_copy_list(struct copier *c, hd_cf_list *copy, const hd_cf_list *list)
{
   const hd_cf_list *root = list;
   const hd_cf_node *node = list->first;

   for (;;) {
      if (node->kind != HD_CF_BLOCK) {
         copy = copy_node(c, copy, node);
         node = node->kind == HD_CF_IF ? hd_node_as_if(node)->then_list.first
                                       : hd_node_as_loop(node)->body.first;
         continue;
      }
      copy_block(c, copy, hd_node_as_block(node));
      while (!node->next) {
         list = node->list;
         if (list == root)
            return;
         const hd_cf_list *second = second_list(list);
         if (second) {
            copy = second_list(copy);
            node = second->first;
            goto entered;
         }
         node = list->parent;
         copy = copy->parent->list;
      }
      node = node->next;
   entered:;
   }
}

/* A copied break or continue out of the part: to where the original goes, with what it brings. */
void
hd_copy_outer_edge(struct copier *c, const hd_block *b, hd_block *copy, hd_block *target)
{
   bool ok = hd_edge_add(copy, target);

   hd_foreach_phi(phi, target) {
      hd_def *old = phi->srcs[b->succs[0].pred].src.def;
      hd_def *def = old && hd_copy_of_def(c, old) ? hd_copy_of_def(c, old) : old;
      ok &= hd_phi_add_src(phi, def);
   }
   assert(ok && "reserved by the first walk");
   (void)ok;
}

/* The first walk */

static void
prepare_name(struct copier *c, const void *object)
{
   const char *name = hd_name_get(c->from->shader, object);

   if (c->shader != c->from->shader)
      name = hd_shader_intern(c->shader, name, strlen(name));
   c->num_names++;
   enqueue(c, &c->names, (void *)(uintptr_t)name, 0);
}

/* Locations of another shader get numbers of this one as they are met. */
static void
prepare_loc(struct copier *c, uint32_t loc)
{
   if (!loc || !c->locations || c->locations[loc])
      return;
   const hd_location *l = &c->from->shader->locations[loc];
   c->locations[loc] = hd_shader_location(c->shader, l->file, l->line, l->column);
}

static void
prepare_instr(struct copier *c, const hd_instr *i)
{
   hd_heap_step(c->heap, 1);
   hd_copy_prepare(c, instr_size(c, i));
   prepare_loc(c, i->loc);
   if (i->num_srcs == HD_NUM_SRCS_WIDE && hd_instr_num_srcs(i))
      hd_copy_prepare(c, hd_instr_num_srcs(i) * sizeof(hd_wide_src));
   if (i->kind == HD_INSTR_JUMP && ((const hd_jump *)i)->num_cases)
      hd_copy_prepare(c, ((const hd_jump *)i)->num_cases * sizeof(hd_switch_case));
   if (i->def.flags & HD_DEF_NAMED)
      prepare_name(c, &i->def);
   c->num_objects += i->def.bit_size != 0;
}

void
hd_copy_prepare_node(struct copier *c, const hd_cf_node *node)
{
   const hd_block *b = hd_node_as_block(node);

   hd_heap_step(c->heap, 1);
   prepare_loc(c, node->loc);
   if (!b) {
      hd_copy_prepare(c, node->kind == HD_CF_IF ? sizeof(hd_if) : sizeof(hd_loop));
      return;
   }
   hd_copy_prepare(c, sizeof(hd_block));
   c->num_objects++;
   if (node->named)
      prepare_name(c, b);
   if (b->num_succs > 2)
      hd_copy_prepare(c, b->num_succs * sizeof(hd_edge));
   if (b->num_preds > 2 && !is_first_of_part(c, b))
      hd_copy_prepare(c, b->num_preds * sizeof(hd_pred));
   for (const hd_instr *i = hd_copy_first_instr(c, b); i; i = i->next)
      prepare_instr(c, i);
}

/* The last allocations before nothing can fail. */
void
hd_copy_prepare_end(struct copier *c)
{
   hd_name_reserve(c->shader, c->num_names);
   hd_pool_reserve(c->pool, c->small);
}

void
hd_copy_init(struct copier *c, hd_shader *shader, const hd_function *from, hd_function *to)
{
   *c = (struct copier){ .shader = shader,
                         .heap = hd_shader_heap(shader),
                         .pool = hd_shader_pool(shader),
                         .stack = hd_shader_stack(shader),
                         .slab = { .pool = hd_shader_pool(shader) },
                         .from = from,
                         .to = to,
                         .foreign_intrinsics = !hd_same_intrinsics(shader, from->shader),
                         .prepares = true };
}
