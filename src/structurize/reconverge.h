/* SPDX-License-Identifier: MIT */
/* reconverge.h - what the files of hd_reconverge share: open edges, flow blocks, positions.
 *
 *    reconverge.c         the entry point: checks, the copy, functions that already reconverge
 *    reconverge_switch.c  divergent switches become compares
 *    reconverge_order.c   the order in which blocks are processed
 *    reconverge_endless.c cycles from which the end cannot be reached
 *    reconverge_tree.c    the open tree: which edges go into which flow block
 *    reconverge_plan.c    the values that flow blocks carry for phis
 *    reconverge_build.c   the new blocks, edges and phis
 *    reconverge_select.c  the tests of flow blocks
 *
 * Blocks are processed in an order that is topological at each level of the cycle nest. A cycle has
 * a latch after all of its blocks: not a block, but all edges back to its header lead to it. The
 * positions in that order, of blocks, latches and the end, are called places: every edge leads to a
 * later place, and the end is the last.
 */
#ifndef HEDDLE_STRUCTURIZE_RECONVERGE_H
#define HEDDLE_STRUCTURIZE_RECONVERGE_H

#include "heddle/structurize.h"
#include "ir/private.h"

#define NONE UINT32_MAX

typedef enum rc_place_kind {
   RC_BLOCK,
   RC_LATCH, /* where lanes wait that go back to the header */
   RC_END,   /* where lanes wait that return or halt */
} rc_place_kind;

typedef struct rc_place {
   rc_place_kind kind;
   hd_block *block;       /* the block; of a latch: the header; of the end: the end block */
   const hd_cycle *cycle; /* of a latch, and of a block that is a header */
   uint32_t latch;        /* of a header: the place of its cycle's latch; else NONE */
   hd_block *inside;      /* the header of the cycle that a flow block before it is in, or NULL */
   uint32_t first_edge;   /* of a block: edges to its successors, in their order */
   uint32_t num_succs;    /* ... and how many there are */
   bool divergent;        /* of a block: its lanes diverge at its two successors */
   bool
       endless; /* of a header: to be left by its latch where that matters, see hd_rc_find_endless */
   bool
       parts_around; /* of an endless header: in the outermost cycle around its own, lanes diverge or
                         come in beside a header */
} rc_place;

/* An edge to a later place: out of a block, or the one by which the lanes leave a flow block that
 * still wait for later places. The latter may lead to several: the first of them is its target, the
 * others are found in a heap made of the edges out of blocks that have come together there.
 */
typedef struct rc_edge {
   uint32_t from; /* the place of the block, or NONE */
   uint32_t flow; /* the flow block that it leaves, or NONE */
   uint32_t succ; /* which successor of the block it is */

   uint32_t heap; /* the edge at the top of its heap; of an edge out of a block at first itself */
   uint32_t last; /* the last place that it leads to */
   /* As a member of a heap: */
   uint32_t target;
   uint32_t child, sibling;

   uint32_t class;   /* in the open tree */
   uint32_t partner; /* the other edge of the same divergent branch, or NONE */
   uint32_t entry;   /* the entry by which it is parked, or NONE */
   uint32_t next_in_class, next_at_target, next_in_flow;
   bool closed;

   uint32_t into;           /* the flow block that it goes into; NONE: straight to its target */
   uint32_t detour;         /* the empty block by which it goes there, or NONE */
   hd_def *decided_by;      /* the condition, where its branch is a branch no more */
   struct rc_value *values; /* of the edge of a flow block: for the phis of its one target */
} rc_edge;

/* A value that will be a source of a phi. */
typedef struct rc_value {
   hd_def *def; /* NULL: see `phi`; both NULL: undef */
   struct rc_phi *phi;
} rc_value;

/* A phi that a flow block (or a detour) is to have. */
typedef struct rc_phi {
   struct rc_phi *next;
   struct rc_phi_src *srcs;
   hd_def *def; /* once it is made */
   uint8_t num_components, bit_size;
} rc_phi;

typedef struct rc_phi_src {
   struct rc_phi_src *next;
   uint32_t edge; /* into the block of the phi */
   rc_value value;
} rc_phi_src;

/* A flow block stands before a place: lanes that wait for it go there, the others by `rest`. */
typedef struct rc_flow {
   uint32_t place;
   uint32_t first_in, last_in; /* edges, by next_in_flow */
   uint32_t num_in;
   uint32_t rest;    /* an edge; NONE for the one before the end */
   bool never;       /* no lane goes by `rest`: it is there for the post-dominators */
   bool several;     /* `rest` leads to more than one place */
   rc_value *values; /* what goes to the phis of `place` */
   rc_phi *first_phi, **last_phi;
   hd_block *block;
   hd_def *selector; /* where `several`: the number of the place that a lane waits for */
   uint32_t cause;   /* an edge that made it necessary, or NONE */
} rc_flow;

typedef struct rc {
   hd_function *f; /* the copy that is changed */
   hd_stack *stack;
   hd_reconverge_order order;
   const uint32_t *priority; /* by block index; NULL: `order` says */

   uint32_t num_places;
   rc_place *places;
   uint32_t *place_of; /* by block index; NONE: not reachable */

   uint32_t num_edges;
   rc_edge *edges;
   uint32_t num_flows;
   rc_flow *flows;
   uint32_t *flow_at; /* by position, or NONE */
   uint32_t num_detours;
   hd_block **detours;
   bool declares;       /* new blocks are declared to be inside their cycles */
   bool late;           /* a header is dominated by another block of its cycle: it was declared */
   bool parts_for_good; /* a divergent branch cannot reach the end */
   bool only_halts;     /* no lane returns by the flow block at the end */

   hd_structurize_stats stats;
} rc;

/* `old`: what f was copied from, with HD_META_CYCLES. `joins`: where the exits of a branch of it
 * meet, or NULL; by block index.
 */
void hd_rc_lower_switches(hd_function *f, hd_function *old, const bool *divergent,
                          const hd_block *const *joins, hd_structurize_stats *stats);
void hd_rc_find_places(rc *r);
/* Which cycles must be left by their latches where it matters, so that from everywhere the end can
 * be reached.
 */
void hd_rc_find_endless(rc *r);
void hd_rc_open_tree(rc *r);
void hd_rc_plan_values(rc *r);
void hd_rc_build(rc *r);

/* Scratch that cannot be NULL: all of this runs inside an unwinding point. */
static inline uint32_t *
rc_scratch(const rc *r, size_t num)
{
   return hd_stack_alloc(r->stack, (num ? num : 1) * sizeof(uint32_t));
}

static inline uint32_t *
rc_scratch_fill(const rc *r, size_t num, int byte)
{
   return memset(rc_scratch(r, num), byte, (num ? num : 1) * sizeof(uint32_t));
}

/* The first place that an edge leads to. */
static inline uint32_t
rc_target(const rc *r, const rc_edge *e)
{
   return r->edges[e->heap].target;
}

#endif
