/* SPDX-License-Identifier: MIT */
/* private.h - what the files of src/ir, and floors that build IR wholesale, share. */
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
   hd_stack stack;       /* scratch for whoever runs */
   const char **strings; /* interned strings: open addressing, a power of two */
   uint32_t num_strings, strings_capacity;
   hd_name_entry *names; /* names of defs and blocks: open addressing, a power of two */
   uint32_t num_names, names_capacity;
   hd_location *locations;
   uint32_t locations_capacity;
   uint32_t *location_slots; /* hash index over locations */
   uint32_t location_slots_capacity;
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

/* Sources */

static inline void
hd_src_init(hd_src *src, unsigned slot, hd_def *def)
{
   src->def = def;
   src->next_link = slot >> 3;
   src->prev_link = slot & 7;
}

void hd_src_link(hd_src *src);   /* enter src->def's use list */
void hd_src_unlink(hd_src *src); /* leave it */

/* Bytes of an instruction as allocated, without wide sources and cases. */
size_t hd_instr_size(const hd_instr *instr);

/* Append to a block without any check: for readers that have checked, where the instruction is the
 * next in order. Links its sources; gives it an index.
 */
void hd_instr_append(hd_block *block, hd_instr *instr);

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
/* Append a source for the newest predecessor. */
bool hd_phi_add_src(hd_phi *phi, hd_def *def);

/* Nodes without a place. */
hd_block *hd_block_alloc(hd_function *f);
hd_if *hd_if_alloc(hd_function *f, hd_def *cond);
hd_loop *hd_loop_alloc(hd_function *f);
void hd_block_free(hd_block *block);

#endif
