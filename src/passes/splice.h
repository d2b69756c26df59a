/* SPDX-License-Identifier: MIT */
/* splice.h - tree editing in linear time, for passes: take nodes out, put them elsewhere, merge
 * blocks, replace values.
 *
 * The calls of edit.h keep the tree valid after each step. A pass that flattens a nest with them
 * moves the inner code once per level, and the code after it too. With these calls it walks the
 * tree once in text order: a list is spliced in at the walk, each of its nodes moves once, and
 * adjacent blocks stay until the walk reaches the second one, which is then appended to the first.
 * So every node and every instruction moves once.
 *
 *    B  if  C      =>     B a0 ... ak C      =>     B+a0 ... ak C      =>     B+a0 ... ak+C
 *        a0...ak              splice                    merge                     merge
 *
 * Meant for use inside passes: what cannot get memory does not return.
 */
#ifndef HEDDLE_PASSES_SPLICE_H
#define HEDDLE_PASSES_SPLICE_H

#include "ir/repair.h"
#include "passes/pass.h"

/* The node after this one in a walk that also tells of leaving: the first inside it if it is an if
 * or loop, else its sibling, else the next list of what it is in. Where both lists are done,
 * *left is that if or loop and the answer is its sibling; else *left is NULL. NULL at the end of
 * the body. `hd_splice_next_outside` is the same after a node and all that is inside it.
 */
hd_cf_node *hd_splice_next(hd_cf_node *node, hd_cf_node **left);
hd_cf_node *hd_splice_next_outside(hd_cf_node *node, hd_cf_node **left);

/* The only kind of list that no jump may end. */
bool hd_splice_is_continue_list(const hd_cf_list *list);

/* All nodes of `from` go into the list of `after`, after it. `from` is empty then. Edges stay. */
void hd_splice_after(hd_cf_node *after, hd_cf_list *from);

/* The same into a list that is empty. */
void hd_splice_list(hd_cf_list *to, hd_cf_list *from);

/* A new block is all of an empty list. Without edges. */
hd_block *hd_splice_only_block(hd_cf_list *list);

/* Add an edge to a block without phis. */
void hd_splice_edge(hd_block *from, hd_block *to);

/* `b`, which follows `a` in its list, goes to the end of it. The one edge of `a` is the one edge to
 * `b`, which has no phis.
 */
void hd_splice_merge(hd_block *a, hd_block *b);

/* Remove a node that is linked in a list, with all that is inside; edges in and out go too. */
void hd_splice_delete(hd_undefs *undefs, hd_cf_node *first, hd_cf_node *last);

/* Values that will be others
 *
 * Phis that turn out to be one of their sources leave their block at once and are replaced at the
 * end, so that each use moves once, however long the chain.
 */
typedef struct replaced {
   hd_function *f;
   hd_def **by;    /* by def index, NULL: itself; also of what is no phi. Made by the first one */
   uint32_t size;  /* of `by`: values past it are themselves */
   hd_instr *list; /* what was taken out, chained by `next` */
} replaced;

void hd_replaced_init(replaced *r, hd_function *f);
/* What a value will be. */
hd_def *hd_replaced_get(replaced *r, hd_def *def);
/* Take an instruction out; its uses will read `by`, which must not come from it. */
void hd_replaced_set(replaced *r, hd_instr *instr, hd_def *by);
/* Replace all uses. True if there was anything to replace. */
bool hd_replaced_finish(replaced *r);

#endif
