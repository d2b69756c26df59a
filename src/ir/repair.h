/* SPDX-License-Identifier: MIT */
/* repair.h - keep a function valid while it is edited: undefs for lost values, phi sources for new edges,
 * deleting code.
 *
 * All of it comes in two steps. First everything that will be needed is counted and reserved; that
 * may fail. Then the change is made; that cannot.
 */
#ifndef HEDDLE_IR_REPAIR_H
#define HEDDLE_IR_REPAIR_H

#include "ir/private.h"

/* One undef for each type of value, made at the head of the function when first asked for. */
#define HD_NUM_TYPES (HD_MAX_COMPONENTS * 5)

typedef struct hd_undefs {
   hd_function *function;
   uint32_t num_needed;
   bool needed[HD_NUM_TYPES], has[HD_NUM_TYPES];
   hd_def *made[HD_NUM_TYPES]; /* of those that it has */
} hd_undefs;

void hd_undefs_init(hd_undefs *undefs, hd_function *f);
/* What deleting instructions from `first` to the end of its block may need. */
void hd_undefs_need_instrs(hd_undefs *undefs, const hd_instr *first);
/* The same for a node, its later siblings, and all inside them. */
void hd_undefs_need_nodes(hd_undefs *undefs, const hd_cf_node *first);
/* One value that will be replaced, if it is used. */
void hd_undefs_need_def(hd_undefs *undefs, const hd_def *def);
void hd_undefs_replace(hd_undefs *undefs, hd_def *def);
/* What a new edge to `to` needs for its phis. */
void hd_undefs_need_edge(hd_undefs *undefs, const hd_block *to);
/* Room for what is needed and for objects of `size` bytes together. Comes last: nothing may be
 * allocated between this and the change.
 */
bool hd_undefs_reserve(hd_undefs *undefs, size_t size);
hd_def *hd_undefs_get(hd_undefs *undefs, unsigned num_components, unsigned bit_size);

/* Room for one edge more to `to`, with its phi sources. `from` NULL: it has room, as all blocks of
 * trees do. Comes before hd_undefs_reserve.
 */
bool hd_new_edge_reserve(hd_block *from, hd_block *to);
/* Add an edge whose phi sources are undef. */
void hd_new_edge_add(hd_undefs *undefs, hd_block *from, hd_block *to);

/* Deleting comes in an order: all that is to go leaves its block and the use lists before any use
 * is replaced. The uses left then are those from outside, and no undef that is itself to go is
 * found at the head of the function.
 *
 * Take the instructions from `first` (NULL: none) to the end of the block out of it, a jump and its
 * edges included. They are chained by `next`.
 */
hd_instr *hd_detach_instrs(hd_block *block, hd_instr *first);
/* Delete what was taken out. */
void hd_delete_instrs(hd_undefs *undefs, hd_instr *detached);
/* Delete a list of nodes that is linked nowhere else. */
void hd_delete_list(hd_undefs *undefs, hd_cf_list *list);

#endif
