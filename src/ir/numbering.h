/* SPDX-License-Identifier: MIT */
/* numbering.h - number values and blocks in text order; a function as a sequence of events for printing. */
#ifndef HEDDLE_IR_NUMBERING_H
#define HEDDLE_IR_NUMBERING_H

#include "heddle/text.h"
#include "ir/private.h"

/* What the text shows, one after the other: a node's address with one of these below it. */
enum event_kind {
   EVENT_BLOCK,
   EVENT_IF,
   EVENT_ELSE,
   EVENT_END_IF,
   EVENT_LOOP,
   EVENT_CONTINUE,
   EVENT_END_LOOP,
   EVENT_BROKEN, /* a node that was there already, or is of no kind: its list ends here */
};

struct numbered {
   const void *object; /* NULL in an empty slot */
   uint32_t number;
};

/* Objects by index where that works, by address where it does not. */
struct number_table {
   struct numbered *slots; /* by index */
   uint32_t num_slots;
   uint32_t count;   /* numbers given out */
   uint32_t misfits; /* how many of those are not in the slots */
};

struct hd_numbering {
   hd_heap *heap;
   hd_heap own; /* of one that hd_numbering_create made: `heap` points there */
   struct number_table defs, blocks;
   struct numbered *misfits; /* open addressing, a power of two: wrong indices; ifs and loops */
   uint32_t num_misfits, misfits_capacity;
   uintptr_t *events;
   size_t num_events, events_capacity;
   struct numbering_frame *frames;
   uint32_t num_frames, frames_capacity;
};

/* Unwinds when memory runs out; to be finished in any case. */
void hd_numbering_init(struct hd_numbering *n, hd_heap *heap);
void hd_numbering_walk(struct hd_numbering *n, const hd_function *f);
void hd_numbering_finish(struct hd_numbering *n);

static inline enum event_kind
event_kind(uintptr_t event)
{
   return (enum event_kind)(event & 7);
}

static inline const hd_cf_node *
event_node(uintptr_t event)
{
   return (const hd_cf_node *)(event & ~(uintptr_t)7);
}

/* A list of instructions that is cyclic: tell before the second round is over.
 *
 * The mark stays behind and is moved up to where the walk is after 1, 2, 4, 8, ... steps. Once a
 * mark is on the circle and the next distance is longer than the circle, the walk meets the mark.
 */
struct circle {
   const hd_instr *mark;
   uint32_t steps, limit;
};

static inline bool
circle_closes(struct circle *c, const hd_instr *i)
{
   if (i == c->mark)
      return true;
   if (++c->steps > c->limit) {
      c->mark = i;
      c->steps = 0;
      c->limit = c->limit * 2 + 1;
   }
   return false;
}

#endif
