/* SPDX-License-Identifier: MIT */
/* copy.h - the copying core of clone.h. */
#ifndef HEDDLE_IR_COPY_H
#define HEDDLE_IR_COPY_H

#include "heddle/clone.h"
#include "ir/private.h"
#include "util/ptr_map.h"

struct copied_block {
   hd_block *copy; /* NULL where there is no entry */
   uint32_t round; /* the last call that the block was part of; 0 is none */
};

struct hd_clone_map {
   const hd_function *from;
   hd_def **defs; /* by index; NULL where there is no entry */
   struct copied_block *blocks;
   uint32_t num_defs, num_blocks;
   uint32_t round; /* calls so far */
};

/* Something allocated in the first walk, for the second one to take in the same order. */
struct copy_prepared {
   struct copy_prepared *next;
   void *object; /* memory, or an interned name */
   size_t size;  /* of memory */
};

struct copy_queue {
   struct copy_prepared *first, **end;
};

struct copier {
   hd_shader *shader; /* the copy's */
   hd_heap *heap;
   hd_pool *pool;
   hd_stack *stack;
   hd_slab slab; /* of instructions, where nothing is prepared */
   const hd_function *from;
   hd_function *to;
   bool within;            /* part of a function into itself: outer values and blocks stay */
   const hd_cf_list *list; /* that part */
   bool started;           /* a whole function: its start block is filled */

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

   bool foreign_intrinsics; /* the shaders' own intrinsics are different ones */

   bool prepares; /* there is a first walk, and it has prepared these */
   size_t small;  /* bytes in objects that the pool does not keep apart */
   uint32_t num_names;
   struct copy_queue large, names;
};

/* Into a shader that must stay whole: `to` may be NULL until it is made. */
void hd_copy_init(struct copier *c, hd_shader *shader, const hd_function *from, hd_function *to);

/* The map covers all values and blocks that the function has by now. */
bool hd_clone_map_cover(hd_clone_map *map);

/* What has been copied */

void hd_copy_remember(struct copier *c, const void *from, void *to);
void *hd_copy_recall(const struct copier *c, const void *from);

static inline void
hd_copy_set_def(struct copier *c, const hd_def *from, hd_def *to)
{
   if (c->map)
      c->map->defs[from->index] = to;
   else
      hd_copy_remember(c, from, to);
}

static inline hd_def *
hd_copy_of_def(const struct copier *c, const hd_def *from)
{
   return c->map ? c->map->defs[from->index] : hd_copy_recall(c, from);
}

static inline void
hd_copy_set_block(struct copier *c, const hd_block *from, hd_block *to)
{
   if (c->map)
      c->map->blocks[from->node.index] = (struct copied_block){ to, c->map->round };
   else
      hd_copy_remember(c, from, to);
}

/* NULL for a block that is not copied. */
static inline hd_block *
hd_copy_of_block(const struct copier *c, const hd_block *from)
{
   if (from == &c->from->end)
      return c->within ? NULL : &c->to->end;
   return c->map ? c->map->blocks[from->node.index].copy : hd_copy_recall(c, from);
}

/* The first walk: memory for one object, for a node with what a block holds (not what is inside an
 * if or loop), and the last allocations before nothing can fail.
 */
void hd_copy_prepare(struct copier *c, size_t size);
void hd_copy_prepare_node(struct copier *c, const hd_cf_node *node);
void hd_copy_prepare_end(struct copier *c);
/* Give back what was prepared and not taken. */
void hd_copy_free_prepared(struct copier *c);

/* The second: memory in the same order. */
static inline void *
hd_copy_take(struct copier *c, size_t size)
{
   struct copy_prepared *p = c->large.first;

   if (!c->prepares)
      return hd_slab_alloc(&c->slab, size);
   if (size <= HD_POOL_LARGE - 8)
      return hd_pool_alloc(c->pool, size);
   assert(p && p->size == size);
   c->large.first = p->next;
   return p->object;
}

/* Copy what is in a list to the end of another, with the edges inside. */
void hd_copy_list(struct copier *c, hd_cf_list *copy, const hd_cf_list *list);

/* All is copied: what waits reads a copy, or what it read before. */
void hd_copy_link_waiting(struct copier *c);

/* Parts: whether a block is in the part that is copied; the first instruction of a block that is;
 * the edge of a copied break, continue or return to where the original goes, with what it brings.
 */
bool hd_copy_is_inside(const struct copier *c, const hd_block *b);
hd_instr *hd_copy_first_instr(const struct copier *c, const hd_block *b);
void hd_copy_outer_edge(struct copier *c, const hd_block *b, hd_block *copy, hd_block *target);

#endif
