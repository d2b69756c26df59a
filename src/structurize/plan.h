/* SPDX-License-Identifier: MIT */
/* plan.h - structurizing: the plan of a tree, a program of few ops.
 *
 * Structuring by dominators, one level of the loop nest at a time, as in Ramsey's Beyond Relooper
 * (2022), with tests of selectors where a tree has no edge. The items of a level (blocks, inner
 * loops) and the edges between them form an acyclic graph. An item is placed by its immediate
 * dominator in that graph:
 *
 *    it is the target of one edge only, of a branch: in that arm of the branch;
 *    else: after the dominator and its arms, when all its other predecessors have been placed.
 *
 * If that saves a test it is placed further out (lift.c), as if it were dominated there.
 *
 * An edge to an item that is not placed yet leaves its lanes waiting ("pending") at the end of its
 * arm. If the lanes that wait at one place wait for different targets, tests are made.
 *
 * Each level has a plan of its own, made from the innermost dominators outwards, so that each
 * region is a chain of ops that the chain of its dominator includes whole.
 */
#ifndef HEDDLE_STRUCTURIZE_PLAN_H
#define HEDDLE_STRUCTURIZE_PLAN_H

#include "analysis/private.h"
#include "heddle/structurize.h"

/* Where lanes can wait: a block, by its position in the sweep order; or the end of a pass through a
 * cycle: its continue block (the header where it has none), or the header seen from the continue
 * list.
 */
#define PLAN_CONTINUE(plan, cycle) ((plan)->num_blocks + 2 * (cycle))
#define PLAN_AGAIN(plan, cycle)    ((plan)->num_blocks + 2 * (cycle) + 1)

typedef enum plan_op_kind {
   PLAN_BLOCK,        /* place block `a` */
   PLAN_LOOP,         /* the loop of cycle `a` */
   PLAN_EDGE,         /* lanes wait where successor `b` of block `a` is */
   PLAN_ALSO,         /* or, where block `a` decides so, where successor `b` is: a decision that is
                         carried in a selector, not branched on */
   PLAN_IF,           /* the two-way branch of block `a`: then comes its first successor */
   PLAN_CASE,         /* the switch of block `a`: then comes successor `b` */
   PLAN_TEST,         /* then come the lanes that wait for group `a` (see plan_group) */
   PLAN_NARROW,       /* all lanes here wait for target `a` */
   PLAN_ELSE,         /* of the last if, case or test that has none yet */
   PLAN_END,          /* of it: the lanes of both sides are together */
   PLAN_BREAK,        /* leave the cycle */
   PLAN_CONTINUE_NOW, /* to the continue list */
} plan_op_kind;

typedef struct plan_op {
   uint32_t kind : 8;
   uint32_t in_tail : 1; /* nothing comes after it in its level */
   uint32_t a, b;
   uint32_t at; /* of a test: the block, or header of the cycle, after which it stands */
   uint32_t next;
} plan_op;

/* What a test picks: targets from `first` on, below `end`, by their rank (plan_rank); one target
 * where there is only one.
 */
typedef struct plan_group {
   uint32_t target; /* or NONE */
   uint64_t first, end;
} plan_group;

typedef struct plan_edge {
   uint32_t from, to; /* blocks by position in the sweep order */
   uint32_t succ;     /* index of `to` among the successors of `from` */
   uint32_t level;    /* of the level at which it joins two items: 0, or 1 + the cycle */
} plan_edge;

typedef struct plan_cycle {
   uint32_t header, first, num; /* in the sweep order */
   uint32_t parent;             /* a cycle or NONE */
   uint32_t depth;              /* 1 for no parent */
   uint32_t continue_block;     /* declared or chosen, or NONE */
   bool declared;
   uint32_t body, again; /* the chains of its body and of its continue list; NONE for empty */
   /* Two exits to different targets, none of which another exit passes further out. */
   uint32_t exit[2];   /* edges */
   uint32_t num_exits; /* 0, 1, or 2 for two or more */
} plan_cycle;

typedef struct plan {
   hd_function *f;
   hd_stack *stack;
   hd_block *const *block; /* by position in the sweep order */
   bool *divergent;        /* by position: lanes diverge at its end */
   uint32_t *place;        /* by block index */
   uint32_t num_blocks;    /* reachable ones */
   uint32_t num_cycles;
   plan_cycle *cycle;
   uint32_t *inner;   /* the innermost cycle of a block, or NONE */
   uint32_t *node_of; /* of the level at hand: the item that begins at a block */
   hd_forest nest;
   plan_edge *edge; /* by level */
   uint32_t num_edges;
   uint32_t *level_begin;         /* of the edges of each level */
   uint32_t *edge_begin;          /* by block: its successors' places in `edge_of` */
   uint32_t *edge_of;             /* an index into `edge`, or NONE for an edge to the end block */
   uint32_t *entry_begin, *entry; /* by cycle: blocks entered from outside, but for the header */
   uint32_t body;                 /* the chain of the function */

   plan_op *ops; /* also those of plans that were given up */
   uint32_t num_ops, ops_capacity;
   plan_group *groups;
   uint32_t num_groups, groups_capacity;
} plan;

/* Read the graph of a valid flat function: needs HD_META_CYCLES. */
void hd_plan_read(plan *p, hd_function *f);

/* Where lanes diverge: which a plan does not depend on, so that until this is called they do
 * everywhere. Needs HD_META_DIVERGENCE.
 */
void hd_plan_read_divergence(plan *p);

/* Make the plan of everything. */
void hd_plan_make(plan *p);

/* Explain why each test is there. */
void hd_plan_explain(const plan *p, void *user,
                     void (*explain)(void *user, const hd_explanation *e));

/* The target of an edge, as lanes that wait see it. */
static inline uint32_t
plan_target(const plan *p, const plan_edge *e)
{
   if (e->level != 0) {
      const plan_cycle *c = &p->cycle[e->level - 1];
      if (e->to == c->continue_block)
         return PLAN_CONTINUE(p, e->level - 1);
      if (e->to == c->header)
         return c->continue_block == NONE ? PLAN_CONTINUE(p, e->level - 1)
                                          : PLAN_AGAIN(p, e->level - 1);
   }
   return e->to;
}

static inline const plan_edge *
plan_edge_of(const plan *p, uint32_t block, uint32_t succ)
{
   return &p->edge[p->edge_of[p->edge_begin[block] + succ]];
}

/* The block whose phis the lanes that wait for a target will read; NULL for none. */
hd_block *hd_plan_target_block(const plan *p, uint32_t target);

/* Ranks put targets in the order in which lanes can get to them from any place where they wait for
 * both: inside a cycle, then its end, then what comes after it.
 */
uint64_t hd_plan_rank(const plan *p, uint32_t target);

/* The level graphs (levels.c) */

/* The items of one level: node 0 is where lanes enter it, then come its items in sweep order, then
 * the node where lanes enter the continue list.
 */
typedef struct plan_out {
   uint32_t node;   /* the item it goes to; NONE: it leaves the level or ends a pass */
   uint32_t target; /* as plan_target has it, but for exits past the level: the block */
   uint8_t kind;    /* plan_out_kind */
} plan_out;

typedef enum plan_out_kind {
   OUT_ITEM,
   OUT_BREAK,
   OUT_CONTINUE,
   OUT_AGAIN,
   OUT_END, /* the function's end */
} plan_out_kind;

typedef struct plan_node {
   uint32_t block, cycle; /* one of them; NONE, NONE for the two entries */
   uint32_t out, num_out; /* a block's are its successors in order */
   uint32_t in, num_in;   /* edges from other nodes */
   uint32_t entry;        /* the only block where lanes enter a cycle, or NONE for several */
   uint32_t idom, depth, jump;
   bool in_arm; /* placed in an arm of its dominator */
   bool again;  /* part of the continue list */
} plan_node;

typedef struct plan_level {
   uint32_t level, depth;
   uint32_t num; /* nodes */
   uint32_t root_again;
   plan_node *node;
   plan_out *out;
   uint32_t num_out;
   uint32_t *in; /* nodes that edges come from */
   uint32_t num_in;
} plan_level;

/* Build the graph of a level with the continue block that its cycle now has. */
void hd_plan_level(const plan *p, uint32_t level, plan_level *l);

/* In whose region each node is placed: its dominator's, or one further out that `lift` names by
 * node; NONE for neither. What needs the node is placed there or further out itself.
 */
void hd_plan_parents(plan_level *l, const uint32_t *lift);

/* The ancestor of a node whose immediate dominator is `dominator`. */
uint32_t hd_plan_under(const plan_level *l, uint32_t node, uint32_t dominator);

/* The lowest node that dominates both. */
uint32_t hd_plan_common(const plan_level *l, uint32_t a, uint32_t b);

#endif
