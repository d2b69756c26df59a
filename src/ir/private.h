/* SPDX-License-Identifier: MIT */
/* private.h - internal interface of src/ir, also for layers that create whole functions. */
#ifndef HEDDLE_IR_PRIVATE_H
#define HEDDLE_IR_PRIVATE_H

#include <assert.h>
#include <string.h>

#include "heddle/edit.h"
#include "heddle/ir.h"
#include "util/memory.h"

typedef struct hd_name_entry {
   const void *object; /* hd_def or hd_block; NULL in an empty slot */
   const char *name;
} hd_name_entry;

/* The part of a shader that users don't see. */
struct hd_memory {
   hd_heap heap;
   hd_pool pool;         /* everything that is IR */
   hd_stack stack;       /* scratch of the pass or analysis that runs */
   const char **strings; /* interned strings: open addressing, a power of two */
   uint32_t num_strings, strings_capacity;
   hd_name_entry *names; /* names of defs and blocks: open addressing, a power of two */
   uint32_t num_names, names_capacity;
   hd_location *locations;
   uint32_t locations_capacity;
   uint32_t *location_slots; /* hash index over locations */
   uint32_t location_slots_capacity;
   uint32_t constants_capacity;
};

static inline hd_heap *
hd_shader_heap(const hd_shader *shader)
{
   return &shader->memory->heap;
}

static inline hd_pool *
hd_shader_pool(const hd_shader *shader)
{
   return &shader->memory->pool;
}

static inline hd_stack *
hd_shader_stack(const hd_shader *shader)
{
   return &shader->memory->stack;
}

/* The two halves of hd_function_reindex. What is known of the graph goes by the numbers of blocks,
 * and stays when values get new ones.
 */
void hd_number_blocks(hd_function *f);
void hd_number_values(hd_function *f);

/* hd_shader_create that tells why it failed: memory or its budget. */
hd_result hd_shader_make(const hd_config *config, hd_stage stage, const char *name,
                         hd_shader **out);

/* The part of the metadata that src/ir uses, to free it. Analyses put their own fields after it. */
struct hd_meta {
   void (*free)(hd_function *f); /* frees f->meta and sets it to NULL */
};

/* Names by object; see HD_DEF_NAMED and hd_cf_node.named for callers that have one. */
const char *hd_name_get(const hd_shader *shader, const void *object);
bool hd_name_set(hd_shader *shader, const void *object, const char *name);
void hd_name_remove(hd_shader *shader, const void *object);
/* After this, hd_name_put gives `num` objects that have none a name without failing. */
bool hd_name_reserve(hd_shader *shader, uint32_t num);
void hd_name_put(hd_shader *shader, const void *object, const char *interned);

/* A variable whose name is interned and known not to be taken. */
hd_var *hd_var_append(hd_function *f, const char *interned_name, unsigned num_components,
                      unsigned bit_size, uint32_t array_length);

/* Sources */

/* The low bits of a link are free for the slot, those of a node's address for a kind of event. */
_Static_assert(_Alignof(hd_src) >= 8, "three bits of a link to a source are its slot");
_Static_assert(_Alignof(hd_cf_node) >= 8, "three bits of a node's address are a kind of event");
/* hd_src_instr and hd_const_create count from the end of the instruction. */
_Static_assert(sizeof(hd_instr) % 8 == 0 && offsetof(hd_alu, src) == sizeof(hd_instr) &&
                   offsetof(hd_intrinsic, src) == sizeof(hd_instr) &&
                   offsetof(hd_jump, src) == sizeof(hd_instr) &&
                   offsetof(hd_var_access, src) == sizeof(hd_instr) &&
                   offsetof(hd_const, value) == sizeof(hd_instr),
               "what an instruction has of its own follows it without a gap");

static inline void
hd_src_init(hd_src *src, unsigned slot, hd_def *def)
{
   src->def = def;
   src->next_link = slot >> 3;
   src->prev_link = slot & 7;
}

void hd_src_link(hd_src *src);   /* enter src->def's use list */
void hd_src_unlink(hd_src *src); /* leave it */

/* hd_src_link for one that was just initialised: its links hold nothing but the slot. */
static inline void
hd_src_link_new(hd_src *src)
{
   hd_src *first = src->def->uses;

   src->next_link |= (uintptr_t)first;
   if (first)
      first->prev_link |= (uintptr_t)src;
   src->def->uses = src;
}

void hd_src_replace(hd_src *to, hd_src *from);

/* The instruction that whatever is inserted at a cursor goes before; NULL: the end of the block. */
hd_instr *hd_cursor_instr(hd_cursor cursor);

/* The first instruction after a cut at a cursor. Here the place after a jump is after it. */
hd_instr *hd_cursor_cut(hd_cursor cursor);

/* hd_insert_jump where the target is known: does not look for the loop. */
hd_jump *hd_insert_jump_to(hd_cursor cursor, hd_jump_kind kind, hd_def *value, hd_block *target);

/* Small objects for callers that make many: cut from pieces that the pool gives, zeroed, and
 * freed like any other. What is left of the last piece is given back at the end.
 */
typedef struct hd_slab {
   hd_pool *pool;
   char *next, *end;
} hd_slab;

#define HD_SLAB_SIZE 2048u

void *hd_slab_refill(hd_slab *slab, size_t size);

static inline void *
hd_slab_alloc(hd_slab *slab, size_t size)
{
   void *ptr = slab->next;

   size = (size + 7) & ~(size_t)7;
   if (size > (size_t)(slab->end - slab->next))
      return hd_slab_refill(slab, size);
   slab->next += size;
   return ptr;
}

static inline void
hd_slab_finish(hd_slab *slab)
{
   if (slab->next != slab->end)
      hd_pool_free(slab->pool, slab->next, (size_t)(slab->end - slab->next));
   slab->next = slab->end = NULL;
}

/* Bytes of an instruction as allocated, without wide sources and cases. */
size_t hd_instr_size(const hd_shader *shader, const hd_instr *instr);

/* Put an instruction of any kind after `after` (NULL: first) in the block, without any check. Links
 * its sources; gives its result an index if it has none.
 */
void hd_instr_link(hd_block *block, hd_instr *after, hd_instr *instr);

/* The same at the end. */
static inline void
hd_instr_append(hd_block *block, hd_instr *instr)
{
   hd_instr_link(block, block->last, instr);
}

/* Take out of its block, without any check. Sources leave their use lists. */
void hd_instr_unlink(hd_instr *instr);

/* hd_def.index of an instruction that was never inserted. */
#define HD_NO_INDEX UINT32_MAX

/* Jumps are made without edges; hd_edge_add makes those. */
hd_jump *hd_jump_create(hd_shader *shader, hd_jump_kind kind, unsigned num_srcs,
                        unsigned num_cases);
hd_phi *hd_phi_create(hd_shader *shader, unsigned num_components, unsigned bit_size,
                      unsigned num_srcs);
hd_param *hd_param_create(hd_shader *shader, unsigned num_components, unsigned bit_size,
                          uint32_t index);

/* Edges. Adding appends to succs and preds; phis of `to` are not touched: their sources are the
 * caller's (hd_phi_add_src). Both return false (or unwind) when memory runs out.
 */
bool hd_edge_reserve(hd_block *from, unsigned succs, hd_block *to, unsigned preds);
bool hd_edge_add(hd_block *from, hd_block *to);
/* Remove from->succs[n], keeping the order of the other successors; the last predecessor of the
 * target takes the free place, and so do the sources of its phis.
 */
void hd_edge_remove(hd_block *from, unsigned n);
/* The same for the target's side only: from->succs[n] is the caller's to write. */
void hd_pred_remove(hd_block *from, unsigned n);
/* Append a source for the newest predecessor. Cannot fail within what was reserved. */
bool hd_phi_reserve(hd_phi *phi, uint32_t num);
bool hd_phi_add_src(hd_phi *phi, hd_def *def);
/* Remove a source; the last one takes its place, as in hd_edge_remove. */
void hd_phi_remove_src(hd_phi *phi, uint32_t n);

/* Let `to`, which has none, have the successors of `from`. Phi sources stay: only the names of
 * predecessors change.
 */
void hd_edges_move(hd_block *from, hd_block *to);

/* Move the instructions from `first` to `last` of one block to the end of `to`. */
void hd_move_instrs(hd_instr *first, hd_instr *last, hd_block *to);

/* The same to the end of their block; `first` may be NULL: none. */
static inline void
hd_move_tail(hd_instr *first, hd_block *to)
{
   if (first)
      hd_move_instrs(first, first->block->last, to);
}

/* Where control goes from the end of a list of a tree that has no jump there; NULL for an extracted
 * one.
 */
hd_block *hd_list_exit(const hd_cf_list *list);

/* Link a chain of siblings into a list after `after` (NULL: first), and take one out of its list.
 * That is all: edges, and that a list alternates, are the caller's.
 */
void hd_nodes_link(hd_cf_list *list, hd_cf_node *after, hd_cf_node *first, hd_cf_node *last);
void hd_nodes_unlink(hd_cf_node *first, hd_cf_node *last);

/* Nodes without a place. */
hd_block *hd_block_alloc(hd_function *f);
hd_if *hd_if_alloc(hd_function *f, hd_def *cond);
hd_loop *hd_loop_alloc(hd_function *f);
/* Free a block with its instructions, or an if or loop without what is in its lists. Repairs
 * nothing.
 */
void hd_cf_node_free(hd_function *f, hd_cf_node *node);

#endif
