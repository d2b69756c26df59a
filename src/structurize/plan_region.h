/* SPDX-License-Identifier: MIT */
/* plan_region.h - the level being planned, shared by plan.c and plan_region.c. */
#ifndef HEDDLE_STRUCTURIZE_PLAN_REGION_H
#define HEDDLE_STRUCTURIZE_PLAN_REGION_H

#include "structurize/plan.h"

/* What the lanes that leave a region wait for, as far as it matters to those outside: how many
 * different targets of each kind, and which where it is one.
 */
struct pending {
   uint32_t out[2]; /* items; of several those with the lowest depth */
   uint8_t num_out; /* 2: two or more */
   uint8_t num_breaks;
   bool continues, again;
   uint32_t break_target;
};

struct chain {
   uint32_t first, last; /* ops, or NONE */
};

/* A level being planned; arrays by node. */
struct planner {
   plan *p;
   plan_level l;
   struct chain *chain;
   struct pending *pending;
   uint32_t num_ifs;
   bool late_jumps;       /* lanes that can jump at once go on with those that wait (plan.c) */
   uint32_t num_can_wait; /* result: how many branches have such lanes */

   /* What is placed after its dominator and the arms of that, in sweep order: children. Another
    * child it comes after, because that one, or what it dominates, has an edge to it, is called a
    * need of it.
    */
   uint32_t *first_child, *next_child;
   uint32_t *need;                   /* by edge into a node, see plan_level.in; NONE for none */
   uint32_t *first_user, *next_user; /* by need, by edge into a node */
   uint32_t *user;                   /* by edge into a node: the node */
   uint32_t *num_needs;              /* edges whose needs are not placed yet */
   uint8_t *flags;                   /* child_flags */
   uint32_t *wanted, *others;        /* children that are ready: lists of the node being planned */
   uint32_t *walk;
   uint32_t num_wanted, num_others;
   uint32_t num_pending, pending_sum; /* children that lanes wait for, and their xor */
   uint32_t num_blocked;              /* of these, with needs */
};

enum child_flags {
   CHILD_DIRECT = 1,  /* lanes wait for it once the arms are placed */
   CHILD_PENDING = 2, /* lanes wait for it */
   CHILD_WANTED = 4,  /* a child that lanes wait for needs it */
   CHILD_PLACED = 8,
};

static inline bool
plan_is_jump(const plan_out *o)
{
   return o->kind == OUT_BREAK || o->kind == OUT_CONTINUE;
}

/* At the end of a region, where no one else waits: do its lanes wait with those around? */
static inline bool
plan_jumps_later(const struct planner *r, const struct pending *pending)
{
   return r->late_jumps && pending->num_breaks && pending->continues;
}

static inline bool
plan_is_switch(const plan *p, uint32_t block)
{
   const hd_jump *jump = hd_block_jump(p->block[block]);

   return jump && jump->instr.op == HD_JUMP_SWITCH;
}

/* Lanes wait where an edge goes, or where those of another region do. */
void hd_plan_pend_out(const struct planner *r, struct pending *to, const plan_out *o);
void hd_plan_pend_all(const struct planner *r, struct pending *to, const struct pending *from);
/* Leave out what its dominator `node` places itself. */
void hd_plan_drop_own(const struct planner *r, struct pending *of, uint32_t node);

/* By node, the region further out than that of its dominator in which it is better placed, or NONE
 * (lift.c). NULL if there is no such node. Needs the level and its dominators.
 */
uint32_t *hd_plan_lift(const struct planner *r);

/* The chain of a node with all that it dominates, whose own are planned already. */
void hd_plan_region(struct planner *r, uint32_t node);

#endif
