/* SPDX-License-Identifier: MIT */
/* cycle_nest.h - the cycle nest of a flat function in numbers: from the graph alone, then with what is
 * declared.
 */
#ifndef HEDDLE_ANALYSIS_CYCLE_NEST_H
#define HEDDLE_ANALYSIS_CYCLE_NEST_H

#include "analysis/private.h"

/* What is declared, by node. */
typedef struct hd_declared {
   bool any_inside, any_marked;
   uint32_t *inside; /* the block that this one is declared to be inside, or NONE */
   bool *marked;     /* declared to be a header */
   hd_forest chain;  /* over `inside`; only where any_inside */
} hd_declared;

/* Cycles are numbers. `natural` and `outer` are what strong connection alone says. */
typedef struct hd_nest {
   const hd_graph *g;
   const hd_declared *declared;
   uint32_t num;
   uint32_t *header;  /* by cycle: a node */
   uint32_t *outer;   /* by cycle: the one around it, or NONE */
   uint32_t *head;    /* by node: the cycle that it heads, or NONE */
   uint32_t *natural; /* by node: the innermost cycle around it, or NONE */
} hd_nest;

/* The nest with declared members. */
typedef struct hd_full_nest {
   hd_nest natural;
   hd_forest tree;      /* of the cycles */
   uint32_t *inner;     /* by node: the innermost cycle around it, or NONE */
   uint32_t *size;      /* by cycle: blocks in it */
   uint32_t *first;     /* by cycle: its first position in the sweep order */
   uint32_t *sweep;     /* reachable nodes but the end block, in sweep order */
   bool *entered;       /* by cycle: an edge from outside goes to another block than the header */
   uint32_t *continues; /* by cycle: the node of its continue block, or NONE */
} hd_full_nest;

typedef void hd_report_fault(void *user, hd_declaration_fault fault, hd_block *block,
                             hd_block *other);

/* Who hears of bad declarations. Those are then passed over, so that there always is a nest. */
typedef struct hd_faults {
   hd_report_fault *report; /* may be NULL */
   void *user;
   uint32_t num;
} hd_faults;

static inline void
declaration_fault(hd_faults *faults, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   faults->num++;
   if (faults->report)
      faults->report(faults->user, fault, block, other);
}

/* Read what a flat function declares. */
void hd_declared_read(hd_declared *d, const hd_graph *g, hd_faults *faults);

/* The nest of strongly connected parts. */
void hd_nest_build(hd_nest *nest, const hd_graph *g, const hd_declared *declared);

/* The tree of the cycles and the innermost one around each node, as declared; `natural` is there.
 */
void hd_nest_declare(hd_full_nest *full, const hd_graph *g, hd_faults *faults);

/* All of it, for a flat function. */
void hd_full_nest_build(hd_full_nest *full, const hd_graph *g, const hd_declared *declared,
                        hd_faults *faults);

/* For each node: is it the header of a cycle? In functions of both forms. */
void hd_nest_headers(const hd_graph *g, bool *header);

/* Can this loop of a structured function repeat? */
static inline bool
loop_repeats(const hd_graph *g, const hd_loop *loop)
{
   return g->node[hd_loop_latch(loop)->node.index] < g->num_reachable;
}

#endif
