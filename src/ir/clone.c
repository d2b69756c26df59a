/* SPDX-License-Identifier: MIT */
/* clone.c - copies of lists, functions and shaders.
 *
 * A copy is made in one walk in the order of the text. What has been copied is found by index. A
 * source that reads what has not been copied yet, or is never going to be, waits in a chain until
 * the walk is over.
 *
 * Where the copy goes into a shader that must stay whole, a first walk adds up what the copy takes,
 * and reserves it: from then on nothing can fail. A shader of its own is simply destroyed.
 */
#include "heddle/clone.h"

#include "heddle/ops.h"
#include "ir/private.h"
#include "util/ptr_map.h"

struct hd_clone_map {
   const hd_function *from;
   hd_def **defs;     /* by index; NULL where there is no entry */
   hd_block **blocks; /* the same */
   uint32_t num_defs, num_blocks;
};

/* Something allocated in the first walk, for the second one to take in the same order. */
struct prepared {
   struct prepared *next;
   void *object; /* memory, or an interned name */
   size_t size;  /* of memory */
};

struct queue {
   struct prepared *first, **end;
};

struct copier {
   hd_shader *shader; /* the copy's */
   hd_heap *heap;
   hd_pool *pool;
   hd_stack *stack;
   hd_slab slab; /* of instructions, where nothing is prepared */
   const hd_function *from;
   hd_function *to;
   bool within;              /* part of a function into itself: outer values and blocks stay */
   const hd_cf_list *list;   /* that part */
   uint32_t first_new_block; /* blocks from this index on are copies of this call */
   bool started;             /* a whole function: its start block is filled */

   /* What has been copied: by index, or by address where only a part of a function is copied and
    * the caller has no map, so that the cost is that of the part.
    */
   hd_clone_map *map;
   hd_ptr_map by_address;
   void **objects;
   uint32_t num_objects;

   hd_var **vars;       /* by index; NULL: the same */
   uint32_t *locations; /* NULL: the same */
   hd_function **functions;
   const hd_ptr_map *function_numbers; /* into `functions`; NULL: the same */
   hd_src *waiting;                    /* sources with the old definition, chained by next_link */

   bool prepares; /* there is a first walk, and it has prepared these */
   size_t small;  /* bytes in objects that the pool does not keep apart */
   uint32_t num_names;
   struct queue large, names;
};

/* The public map */

hd_clone_map *
hd_clone_map_create(const hd_function *from)
{
   hd_pool *pool = hd_shader_pool(from->shader);
   hd_clone_map *map = hd_pool_alloc(pool, sizeof(*map));

   if (!map)
      return NULL;
   map->from = from;
   map->defs = hd_pool_alloc(pool, from->num_defs * sizeof(*map->defs));
   map->blocks = hd_pool_alloc(pool, from->num_blocks * sizeof(*map->blocks));
   map->num_defs = map->defs ? from->num_defs : 0;
   map->num_blocks = map->blocks ? from->num_blocks : 0;
   if (!map->defs || !map->blocks) {
      hd_clone_map_destroy(map);
      return NULL;
   }
   return map;
}

void
hd_clone_map_destroy(hd_clone_map *map)
{
   if (!map)
      return;
   hd_pool *pool = hd_shader_pool(map->from->shader);
   hd_pool_free(pool, map->defs, map->num_defs * sizeof(*map->defs));
   hd_pool_free(pool, map->blocks, map->num_blocks * sizeof(*map->blocks));
   hd_pool_free(pool, map, sizeof(*map));
}

hd_def *
hd_clone_map_def(const hd_clone_map *map, hd_def *def)
{
   hd_def *to = def->index < map->num_defs ? map->defs[def->index] : NULL;

   return to ? to : def;
}

hd_block *
hd_clone_map_block(const hd_clone_map *map, hd_block *block)
{
   uint32_t index = block->node.index;
   hd_block *to = index < map->num_blocks && !hd_block_is_end(block) ? map->blocks[index] : NULL;

   return to ? to : block;
}

/* More room in an array of pointers, doubling so that the cost of all growth is linear. */
static void *
grow_array(hd_pool *pool, void *array, uint32_t *num, uint32_t need)
{
   uint32_t new_num = *num * 2 > need ? *num * 2 : need;
   void *grown = hd_pool_alloc(pool, (size_t)new_num * sizeof(void *));

   if (!grown)
      return NULL;
   memcpy(grown, array, (size_t)*num * sizeof(void *));
   hd_pool_free(pool, array, (size_t)*num * sizeof(void *));
   *num = new_num;
   return grown;
}

/* The function has grown since the map was made. */
static bool
map_cover(hd_clone_map *map)
{
   hd_pool *pool = hd_shader_pool(map->from->shader);
   void *grown;

   if (map->from->num_defs > map->num_defs) {
      grown = grow_array(pool, map->defs, &map->num_defs, map->from->num_defs);
      if (!grown)
         return false;
      map->defs = grown;
   }
   if (map->from->num_blocks > map->num_blocks) {
      grown = grow_array(pool, map->blocks, &map->num_blocks, map->from->num_blocks);
      if (!grown)
         return false;
      map->blocks = grown;
   }
   return true;
}

bool
hd_clone_map_set_def(hd_clone_map *map, hd_def *from, hd_def *to)
{
   if (!map_cover(map))
      return false;
   map->defs[from->index] = to;
   return true;
}

/* What has been copied */

static void
remember(struct copier *c, const void *from, void *to)
{
   uint32_t known = hd_ptr_map_get(&c->by_address, from);

   if (known == HD_PTR_MAP_NONE) {
      known = c->num_objects++;
      hd_ptr_map_set(&c->by_address, from, known);
   }
   c->objects[known] = to;
}

static void *
recall(const struct copier *c, const void *from)
{
   uint32_t known = hd_ptr_map_get(&c->by_address, from);

   return known == HD_PTR_MAP_NONE ? NULL : c->objects[known];
}

static inline void
set_def(struct copier *c, const hd_def *from, hd_def *to)
{
   if (c->map)
      c->map->defs[from->index] = to;
   else
      remember(c, from, to);
}

static inline hd_def *
copy_of_def(const struct copier *c, const hd_def *from)
{
   return c->map ? c->map->defs[from->index] : recall(c, from);
}

static inline void
set_block(struct copier *c, const hd_block *from, hd_block *to)
{
   if (c->map)
      c->map->blocks[from->node.index] = to;
   else
      remember(c, from, to);
}

/* NULL for a block that is not copied. */
static inline hd_block *
copy_of_block(const struct copier *c, const hd_block *from)
{
   if (from == &c->from->end)
      return c->within ? NULL : &c->to->end;
   return c->map ? c->map->blocks[from->node.index] : recall(c, from);
}

/* Memory of the copy */

static void
enqueue(struct copier *c, struct queue *q, void *object, size_t size)
{
   struct prepared *p = hd_stack_alloc(c->stack, sizeof(*p));

   *p = (struct prepared){ NULL, object, size };
   if (!q->end)
      q->end = &q->first;
   *q->end = p;
   q->end = &p->next;
}

static void
prepare(struct copier *c, size_t size)
{
   if (size > HD_POOL_LARGE - 8) {
      /* Entered before it is filled in, so that nothing is lost if the allocation fails. */
      enqueue(c, &c->large, NULL, size);
      struct prepared *p = HD_CONTAINER_OF(c->large.end, struct prepared, next);
      p->object = hd_pool_alloc(c->pool, size);
   } else {
      c->small += (size + 7) & ~(size_t)7;
   }
}

static inline void *
take(struct copier *c, size_t size)
{
   struct prepared *p = c->large.first;

   if (!c->prepares)
      return hd_slab_alloc(&c->slab, size);
   if (size <= HD_POOL_LARGE - 8)
      return hd_pool_alloc(c->pool, size);
   assert(p && p->size == size);
   c->large.first = p->next;
   return p->object;
}

static void
free_prepared(struct copier *c)
{
   for (struct prepared *p = c->large.first; p; p = p->next)
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
   hd_def *def = old ? copy_of_def(c, old) : NULL;

   hd_src_init(src, slot, def ? def : old);
   if (def) {
      hd_src_link_new(src);
   } else if (old) {
      src->next_link |= (uintptr_t)c->waiting;
      c->waiting = src;
   }
}

/* All is copied: what waits reads a copy, or what it read before. */
static void
link_waiting(struct copier *c)
{
   for (hd_src *src = c->waiting, *next; src; src = next) {
      next = (hd_src *)(src->next_link & ~(uintptr_t)7);
      hd_def *def = copy_of_def(c, src->def);
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
   hd_wide_src *srcs = take(c, num * sizeof(*srcs));
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
         jump->cases = memcpy(take(c, size), jump->cases, size);
      }
   } else if (c->vars && (i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR)) {
      hd_var_access *access = (hd_var_access *)copy;
      access->var = c->vars[access->var->index];
   }
}

static void
copy_instr(struct copier *c, hd_block *b, const hd_instr *i)
{
   size_t size = hd_instr_size(i);
   hd_instr *copy = memcpy(take(c, size), i, size);

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
      set_def(c, &i->def, &copy->def);
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
static hd_instr *
first_copied(const struct copier *c, const hd_block *b)
{
   return is_first_of_part(c, b) ? hd_block_first_ordinary(b) : b->first;
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

/* Whether a block is in the part that is copied. An entry of the map does not say so: it may be
 * from an earlier call. Before the copy is made such blocks stand for themselves.
 */
static bool
is_inside(const struct copier *c, const hd_block *b)
{
   const hd_block *known = copy_of_block(c, b);

   return known && (known == b || known->node.index >= c->first_new_block);
}

/* The copy that this call has made of a block, or NULL. */
static hd_block *
made_of(const struct copier *c, const hd_block *b)
{
   hd_block *known = copy_of_block(c, b);

   if (!c->within)
      return known;
   return known && known != b && known->node.index >= c->first_new_block ? known : NULL;
}

/* The edges between a block just copied and those copied before: each edge is made when the later of
 * its ends is. Places among successors and predecessors stay. Edges out of a part are not made here.
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
   if (c->within && b->num_succs == 1 && !is_inside(c, b->succs[0].to))
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
   copy->node.named = b->node.named;
   set_block(c, b, copy);
   if (b->node.named)
      copy_name(c, b, copy);
   copy->num_succs = 0;
   if (b->num_succs > 2) {
      copy->succs = take(c, b->num_succs * sizeof(hd_edge));
      copy->succ_capacity = b->num_succs;
   }
   if (b->num_preds > 2 && !is_first_of_part(c, b)) {
      copy->preds = take(c, b->num_preds * sizeof(hd_pred));
      copy->pred_capacity = b->num_preds;
   }
   copy_edges(c, b, copy);
   for (const hd_instr *i = first_copied(c, b); i; i = i->next)
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
static void
copy_list(struct copier *c, hd_cf_list *copy, const hd_cf_list *list)
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
static void
add_outer_edge(struct copier *c, const hd_block *b, hd_block *copy, hd_block *target)
{
   bool ok = hd_edge_add(copy, target);

   hd_foreach_phi(phi, target) {
      hd_def *old = phi->srcs[b->succs[0].pred].src.def;
      hd_def *def = old && copy_of_def(c, old) ? copy_of_def(c, old) : old;
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
   prepare(c, hd_instr_size(i));
   prepare_loc(c, i->loc);
   if (i->num_srcs == HD_NUM_SRCS_WIDE && hd_instr_num_srcs(i))
      prepare(c, hd_instr_num_srcs(i) * sizeof(hd_wide_src));
   if (i->kind == HD_INSTR_JUMP && ((const hd_jump *)i)->num_cases)
      prepare(c, ((const hd_jump *)i)->num_cases * sizeof(hd_switch_case));
   if (i->def.flags & HD_DEF_NAMED)
      prepare_name(c, &i->def);
   c->num_objects += i->def.bit_size != 0;
}

static void
prepare_node(struct copier *c, const hd_cf_node *node)
{
   const hd_block *b = hd_node_as_block(node);

   hd_heap_step(c->heap, 1);
   prepare_loc(c, node->loc);
   if (!b) {
      prepare(c, node->kind == HD_CF_IF ? sizeof(hd_if) : sizeof(hd_loop));
      return;
   }
   prepare(c, sizeof(hd_block));
   c->num_objects++;
   if (node->named)
      prepare_name(c, b);
   if (b->num_succs > 2)
      prepare(c, b->num_succs * sizeof(hd_edge));
   if (b->num_preds > 2 && !is_first_of_part(c, b))
      prepare(c, b->num_preds * sizeof(hd_pred));
   for (const hd_instr *i = first_copied(c, b); i; i = i->next)
      prepare_instr(c, i);
}

/* The last allocations before nothing can fail. */
static void
prepare_end(struct copier *c)
{
   hd_name_reserve(c->shader, c->num_names);
   hd_pool_reserve(c->pool, c->small);
}

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
      set_block(c, b, b);
      for (const hd_instr *i = first_copied(c, b); i; i = i->next) {
         if (i->def.bit_size)
            set_def(c, &i->def, NULL);
      }
   }
}

/* The copy was not made: no block stands for itself. */
static void
forget_blocks(struct copier *c)
{
   hd_clone_map *map = c->map;
   const hd_cf_node *end = after_list(c->list);

   for (const hd_cf_node *n = c->list->first; map && n != end; n = hd_cf_node_next(n)) {
      if (n->kind == HD_CF_BLOCK && n->index < map->num_blocks)
         map->blocks[n->index] = NULL;
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
      if (!b || !hd_block_jump(b) || is_inside(c, b->succs[0].to))
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

   if (c->map)
      map_cover(c->map);
   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n))
      prepare_node(c, n);
   prepare(c, sizeof(hd_cf_list));
   if (!c->map) {
      hd_ptr_map_init(&c->by_address, c->stack, c->num_objects);
      c->objects = hd_stack_alloc(c->stack, c->num_objects * sizeof(*c->objects));
      c->num_objects = 0;
   }
   forget_part(c, end);
   prepare_outer_edges(c, end);
   prepare_end(c);

   hd_cf_list *copy = hd_pool_alloc(c->pool, sizeof(*copy));
   copy->function = c->to;
   copy_list(c, copy, c->list);
   link_waiting(c);
   for (const hd_cf_node *n = c->list->first; n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      if (b && hd_block_jump(b) && !is_inside(c, b->succs[0].to))
         add_outer_edge(c, b, copy_of_block(c, b), b->succs[0].to);
   }
   c->to->num_extracted++;
   c->to->meta_valid = 0;
   range->list = copy;
}

static void
init(struct copier *c, hd_shader *shader, const hd_function *from, hd_function *to)
{
   *c = (struct copier){ .shader = shader,
                         .heap = hd_shader_heap(shader),
                         .pool = hd_shader_pool(shader),
                         .stack = hd_shader_stack(shader),
                         .slab = { .pool = hd_shader_pool(shader) },
                         .from = from,
                         .to = to,
                         .prepares = true };
}

bool
hd_cf_clone(hd_cf_range *range, const hd_cf_list *list, hd_clone_map *map)
{
   hd_function *f = list->function;
   struct copier c;
   hd_unwind u;

   assert(f->structured && (!map || map->from == f));
   init(&c, f->shader, f, f);
   c.within = true;
   c.list = list;
   c.first_new_block = f->num_blocks;
   c.map = map;
   hd_stack_mark mark = hd_stack_get_mark(c.stack);
   hd_heap_refill(c.heap);
   if (HD_TRY(c.heap, &u))
      copy_part(&c, range);
   hd_result result = hd_heap_leave(c.heap, &u);
   if (result != HD_OK) {
      free_prepared(&c);
      forget_blocks(&c);
   }
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
hd_cf_clone_and_reinsert(const hd_cf_list *list, hd_cursor cursor, hd_clone_map *map)
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
      to->end.preds = take(c, f->end.num_preds * sizeof(hd_pred));
      to->end.pred_capacity = f->end.num_preds;
   }
   copy_list(c, &to->body, &f->body);
   link_waiting(c);
   to->num_defs = f->num_defs;
   to->num_blocks = f->num_blocks;
   if (f->structured)
      return;
   hd_foreach_block (b, f) {
      hd_block *copy = copy_of_block(c, b);
      if (b->inside)
         copy->inside = copy_of_block(c, b->inside);
      if (b->continues)
         copy->continues = copy_of_block(c, b->continues);
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
      prepare_node(c, n);
   if (f->end.num_preds > 2)
      prepare(c, f->end.num_preds * sizeof(hd_pred));
   prepare_end(c);
   copy_whole(c);
}

hd_function *
hd_function_clone(hd_shader *shader, const hd_function *f, const char *name)
{
   struct copier c;
   hd_unwind u;

   assert(!f->num_extracted);
   init(&c, shader, f, NULL);
   hd_stack_mark mark = hd_stack_get_mark(c.stack);
   hd_heap_refill(c.heap);
   if (HD_TRY(c.heap, &u))
      clone_function(&c, name, &u);
   hd_result result = hd_heap_leave(c.heap, &u);
   if (result != HD_OK) {
      free_prepared(&c);
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
      init(&c, to, f, functions[number++]);
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
   hd_shader *copy =
       hd_shader_create(config ? config : hd_shader_config(shader), shader->stage, NULL);

   if (!copy)
      return HD_OUT_OF_MEMORY;
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
