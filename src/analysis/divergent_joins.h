/* SPDX-License-Identifier: MIT */
/* divergent_joins.h - reconvergence points of a divergent branch: at which phis and by which edges its lanes
 * meet again, and which loops they leave in different sweeps (temporal divergence).
 *
 * Blocks are numbered by their position in the sweep order; unreachable blocks take no part. An edge
 * is numbered by its position among the predecessors of its target.
 */
#ifndef HEDDLE_ANALYSIS_DIVERGENT_JOINS_H
#define HEDDLE_ANALYSIS_DIVERGENT_JOINS_H

#include "analysis/private.h"

/* The analyses that this one needs, valid ones or computed for it. */
typedef struct hd_basis {
   const struct dom_meta *dom;
   const struct cycle_meta *cycles;
   bool coarse; /* for tests: only what needs no walk */
} hd_basis;

/* A heap of numbers, the least on top. */
typedef struct hd_low_heap {
   uint32_t num;
   uint32_t *item; /* room for as many as can be in it at once */
} hd_low_heap;

void hd_low_heap_push(hd_low_heap *heap, uint32_t item);
uint32_t hd_low_heap_pop(hd_low_heap *heap);

typedef struct hd_divergent_joins {
   hd_function *f;
   hd_basis basis;
   uint32_t num;         /* reachable blocks */
   uint32_t *edge_begin; /* by position: its first edge in */
   uint32_t *target;     /* by edge: the position it leads to */

   /* Who hears of a block to which lanes that diverged can meet: by any two edges that carry
    * different labels, see edge_has_label. If the block is a header, then by edges that go back to
    * it if `back` is set, else by others.
    */
   void *user;
   void (*met)(void *user, uint32_t place, bool back);

   uint32_t
       *cycle_cause; /* by cycle: the branch for which it is left in different sweeps, or NONE */
   /* Cycles found to be left in different sweeps, as UINT32_MAX less the index, so that inner ones
    * come first; the user empties it.
    */
   hd_low_heap left;

   /* Edges that leave each cycle, those to the end block not counted. */
   uint32_t *exit_begin, *exit;
   bool exits_listed;
   bool ordered; /* the sweep order is one: not where declarations are invalid */

   /* By position: phis of it that can still be found to differ there; the user fills it in and counts
    * down. Walks leave out what can find nothing.
    */
   uint32_t *num_wanted;
   uint32_t *next_open; /* by position: from here on none before it is open, see next_open */

   bool *late;          /* by position: it dominates the header of a cycle that it is in */
   uint32_t *num_loose; /* by position: cycles before it whose header leads less far */

   /* Where lanes that run a block together are together again: see join_points.c. */
   uint32_t *meeting; /* by position: a place, num + a cycle for its header, or MEET_NOWHERE */
   uint8_t *keeps;    /* by position: bit n: it keeps the sweep if successor n is its primary one */

   /* The walk at hand. What has another stamp is of an earlier one. */
   uint32_t branch;
   uint32_t limit; /* see find_limit */
   uint32_t stamp, num_labels;
   uint32_t *edge_stamp, *edge_label;
   uint32_t *block_stamp, *block_label; /* for blocks that are jumped to */
   uint32_t *pending_stamp;
   hd_low_heap pending;
   uint32_t *back_stamp; /* by cycle: an edge back to its header has a label */
   uint32_t num_back;    /* cycles of which that is so, and whose sweep is not over */
   uint32_t *way_out_stamp, *way_out_label; /* by cycle: the labels that left it */
   uint32_t level;                          /* the cycle that is swept, or NONE */
   uint32_t *list;                          /* room for all places */

   /* By cycle: links over cycles of which nothing more can be found, and over those that are marked
    * coarsely: see follow.
    */
   uint32_t *unsettled, *not_coarse;
   bool all_left; /* set_left was called for each cycle */

   /* Beyond this many steps the rest is decided by reconvergence points alone: see part_coarsely. */
   uint64_t steps_left;
   uint32_t *next_fine; /* by position: the next one that is not yet marked coarsely */
} hd_divergent_joins;

#define MEET_NOWHERE UINT32_MAX

/* On the scratch stack of the shader. */
void hd_divergent_joins_init(hd_divergent_joins *p, hd_function *f, const hd_basis *basis);

/* Lanes diverge at the end of this block: find what follows. */
void hd_part_at(hd_divergent_joins *p, uint32_t place);

/* Work of who hears of meetings, counted with that of the walk. */
void hd_divergent_joins_count(hd_divergent_joins *p, uint32_t num);

/* Fill in `meeting` and `keeps`. */
void hd_find_meetings(hd_divergent_joins *p);

static inline hd_block *
block_at(const hd_divergent_joins *p, uint32_t place)
{
   return p->basis.cycles->sweep[place];
}

static inline uint32_t
place_of(const hd_divergent_joins *p, const hd_block *b)
{
   return p->basis.cycles->place[block_slot(p->f, b)];
}

/* The innermost cycle around a place, or NONE. */
static inline uint32_t
cycle_of(const hd_divergent_joins *p, uint32_t place)
{
   const hd_cycle *c = p->basis.cycles->inner[block_slot(p->f, block_at(p, place))];

   return c ? c->index : NONE;
}

static inline const hd_cycle *
cycle_at(const hd_divergent_joins *p, uint32_t cycle)
{
   return &p->basis.cycles->cycle[cycle];
}

static inline uint32_t
parent_of(const hd_divergent_joins *p, uint32_t cycle)
{
   const hd_cycle *parent = cycle_at(p, cycle)->parent;

   return parent ? parent->index : NONE;
}

static inline bool
contains(const hd_divergent_joins *p, uint32_t cycle, uint32_t place)
{
   const hd_cycle *c = cycle_at(p, cycle);

   return place - c->first < c->num_blocks;
}

/* The cycle that a place heads, or NONE. */
static inline uint32_t
headed_by(const hd_divergent_joins *p, uint32_t place)
{
   uint32_t c = cycle_of(p, place);

   return c != NONE && cycle_at(p, c)->first == place ? c : NONE;
}

static inline uint32_t
edge_from(const hd_divergent_joins *p, uint32_t edge)
{
   uint32_t to = p->target[edge];

   return place_of(p, block_at(p, to)->preds[edge - p->edge_begin[to]].from);
}

/* The cycle to whose header an edge goes back, or NONE. */
static inline uint32_t
goes_back_to(const hd_divergent_joins *p, uint32_t edge)
{
   uint32_t headed = headed_by(p, p->target[edge]);

   return headed != NONE && contains(p, headed, edge_from(p, edge)) ? headed : NONE;
}

#define LABEL_MIXED UINT32_MAX /* several came by one edge: unlike all others */

/* While `met` is called: does this edge carry lanes there? */
static inline bool
edge_has_label(const hd_divergent_joins *p, uint32_t edge, bool back)
{
   return p->edge_stamp[edge] == p->stamp && (goes_back_to(p, edge) != NONE) == back;
}

/* The edge out of a block, or NONE to the end block. */
static inline uint32_t
edge_out(const hd_divergent_joins *p, const hd_block *b, uint32_t succ)
{
   const hd_edge *e = &b->succs[succ];

   return hd_block_is_end(e->to) ? NONE : p->edge_begin[place_of(p, e->to)] + e->pred;
}

#endif
