/* SPDX-License-Identifier: MIT */
/* sccp.h - facts about values that branch conditions imply, shared by the files of opt_sccp. */
#ifndef HEDDLE_PASSES_SCCP_H
#define HEDDLE_PASSES_SCCP_H

#include "heddle/analysis.h"

/* A copy of a value, where more is known of it: after the branch, uses read the copy. It is a `vec`
 * of one operand, put at the head of the block that the branch leads to, and exists only while the
 * pass runs.
 *
 *    if %c {     =>     if %c {              (%c = ieq %x, %y)
 *      ... %x             %x1 = vec %x       equal to %y
 *                         ... %x1
 */
struct fact {
   hd_instr *copy;
   hd_def *equal;           /* what it is equal to; NULL: a constant */
   hd_const_value constant; /* then this */
   struct fact *next;
   struct fact *next_equal; /* of those that are equal to one value */
};

struct facts {
   struct fact *first;
   /* Only where there are facts: */
   struct fact **by_copy;  /* by def index, below num_defs; NULL: no copy */
   struct fact **by_equal; /* by def index: those that look at this value */
   uint32_t num_defs;      /* at that time */
};

/* What is known by the value being a copy; NULL: it is none. */
static inline const struct fact *
fact_of(const struct facts *facts, const hd_def *def)
{
   return facts->first ? facts->by_copy[def->index] : NULL;
}

/* Make the copies and let uses read them. Requires HD_META_DOMINANCE. */
void hd_sccp_facts_find(struct facts *facts, hd_function *f);

/* Those copies that are not removed yet give their uses back. */
void hd_sccp_facts_remove(struct facts *facts);

#endif
