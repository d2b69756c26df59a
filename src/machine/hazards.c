/* SPDX-License-Identifier: MIT */
/* hazards.c - hazard recognizer: instructions that do nothing, where two must be apart.
 *
 * The state at the end of a block is what was executed in the last HD_MACH_MAX_WAIT_STATES wait
 * states, on any linear path: a forward data-flow analysis. States expire, so a change travels only
 * a few instructions. As in waits.c, states are recomputed on each visit; from MAX_VISITS on they
 * only grow (widening).
 */
#include "machine/hazards.h"

#include <string.h>

#include "machine/worklist.h"

#define MAX_STATES HD_MACH_MAX_WAIT_STATES
#define MAX_VISITS 16

/* An effect that can still do harm, and how many wait states it is back. */
typedef struct recent {
   uint16_t effect;
   uint8_t states;
} recent;

typedef struct recents {
   recent *list;
   uint32_t num, capacity;
} recents;

/* An instruction of this block that is not long ago. */
struct issued {
   const hd_mach_inst *inst;
   uint64_t time;
};

typedef struct hd_mach_hazard_state {
   hd_mach_program *p;
   const hd_mach_hazards *rows;
   hd_mach_hazard *rules; /* those that hold */
   unsigned num_rules;
   hd_mach_worklist worklist;
   struct exit {
      recents state;
      uint8_t visits;
   } * exits; /* by index of the block */

   /* Of the block that is looked at. Time goes up by a wait state, and by more than MAX_STATES
    * from block to block: what was not done in this one, or just before it, is long ago.
    */
   hd_mach_block *block;
   bool insert;
   uint64_t start, now;
   uint64_t *done;                   /* by effect: when */
   uint64_t *last;                   /* by producer: the latest */
   struct issued issued[MAX_STATES]; /* a ring: the last ones that count as wait states */
   unsigned num_issued;
   recents in, next; /* before the block and after it, each effect once */
   uint32_t *place;  /* by effect: in `next`, + 1 */
} hd_mach_hazard_state;

void
hd_mach_add_effects(const hd_mach_hazards *rows, hd_mach_effects *effects, unsigned producer,
                    unsigned first, unsigned num)
{
   for (unsigned n = 0; n < num && effects->num < HD_MACH_MAX_EFFECTS; n++) {
      effects->list[effects->num].producer = (uint8_t)producer;
      effects->list[effects->num++].effect = (uint16_t)(rows->first_effect[producer] + first + n);
   }
}

uint64_t
hd_mach_latest_effect(const hd_mach_hazard_state *h, unsigned producer, unsigned first,
                      unsigned num)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < num; n++) {
      const uint64_t done = h->done[h->rows->first_effect[producer] + first + n];
      time = done > time ? done : time;
   }
   return time;
}

/* Wait states that are missing before `inst`. */
static unsigned
missing(const hd_mach_hazard_state *h, const hd_mach_inst *inst)
{
   unsigned most = 0;

   for (unsigned n = 0; n < h->num_rules; n++) {
      const hd_mach_hazard *rule = &h->rules[n];
      if (h->now - h->last[rule->producer] > rule->states)
         continue;
      const uint64_t between = h->now - h->rows->seen(h, rule, inst) - 1;
      if (between < rule->states && rule->states - between > most)
         most = (unsigned)(rule->states - between);
   }
   return most;
}

/* Blocks */

static void
did(hd_mach_hazard_state *h, unsigned producer, unsigned effect, uint64_t time)
{
   if (time > h->done[effect])
      h->done[effect] = time;
   if (time > h->last[producer])
      h->last[producer] = time;
}

static unsigned
producer_of(const hd_mach_hazard_state *h, unsigned effect)
{
   unsigned producer = h->rows->num_producers - 1;

   while (effect < h->rows->first_effect[producer])
      producer--;
   return producer;
}

static void
push(hd_mach_hazard_state *h, recents *r, unsigned effect, uint64_t states)
{
   if (r->num == r->capacity) {
      const uint32_t capacity = r->capacity ? r->capacity * 2 : 8;
      recent *list = hd_stack_alloc(h->p->stack, capacity * sizeof(*list));
      if (r->num)
         memcpy(list, r->list, r->num * sizeof(*list));
      r->list = list;
      r->capacity = capacity;
   }
   r->list[r->num++] = (recent){ .effect = (uint16_t)effect, .states = (uint8_t)states };
}

/* What the linear predecessors did, the latest of each. `h->in` gets each effect once. */
static void
enter_block(hd_mach_hazard_state *h, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   h->block = block;
   h->start = h->now += 2 * MAX_STATES + 2;
   h->num_issued = 0;
   h->in.num = 0;
   for (uint32_t e = 0; e < edges->num_preds; e++) {
      const recents *out = &h->exits[edges->preds[e]->index].state;
      for (uint32_t n = 0; n < out->num; n++) {
         const unsigned effect = out->list[n].effect;
         if (h->done[effect] + MAX_STATES + 1 < h->start)
            push(h, &h->in, effect, 0);
         did(h, producer_of(h, effect), effect, h->start - 1 - out->list[n].states);
      }
   }
   for (uint32_t n = 0; n < h->in.num; n++)
      h->in.list[n].states = (uint8_t)(h->start - 1 - h->done[h->in.list[n].effect]);
}

static void
insert_nop(hd_mach_hazard_state *h, unsigned states, hd_mach_inst *before)
{
   hd_mach_inst *nop = h->rows->nop(h->p, states);

   nop->loc = before->loc;
   hd_mach_inst_insert_before(h->block, nop, before);
}

static void
run_block(hd_mach_hazard_state *h)
{
   hd_mach_effects effects;

   hd_mach_foreach_inst(inst, h->block)
   {
      const unsigned states = h->rows->wait_states(inst), more = states ? missing(h, inst) : 0;
      if (!states)
         continue;
      if (more && h->insert)
         insert_nop(h, more, inst);
      h->now += more;
      h->rows->find_effects(h->rows, inst, &effects);
      for (unsigned n = 0; n < effects.num; n++)
         did(h, effects.list[n].producer, effects.list[n].effect, h->now);
      h->issued[h->num_issued++ % MAX_STATES] = (struct issued){ inst, h->now };
      h->now += states;
   }
}

/* Add an effect to h->next, or make it younger. */
static void
leave(hd_mach_hazard_state *h, unsigned effect, uint64_t states)
{
   if (states >= MAX_STATES)
      return;
   if (!h->place[effect]) {
      push(h, &h->next, effect, states);
      h->place[effect] = h->next.num;
   } else if (states < h->next.list[h->place[effect] - 1].states) {
      h->next.list[h->place[effect] - 1].states = (uint8_t)states;
   }
}

/* Find h->next, the state at the block's end. */
static void
find_exit(hd_mach_hazard_state *h, const recents *before)
{
   const unsigned num = h->num_issued < MAX_STATES ? h->num_issued : MAX_STATES;
   hd_mach_effects effects;

   h->next.num = 0;
   for (uint32_t n = 0; n < h->in.num; n++)
      leave(h, h->in.list[n].effect, h->now - h->done[h->in.list[n].effect] - 1);
   for (unsigned n = 0; n < num; n++) {
      h->rows->find_effects(h->rows, h->issued[n].inst, &effects);
      for (unsigned d = 0; d < effects.num; d++)
         leave(h, effects.list[d].effect, h->now - h->done[effects.list[d].effect] - 1);
   }
   for (uint32_t n = 0; before && n < before->num; n++)
      leave(h, before->list[n].effect, before->list[n].states);
}

/* True: the state at the block's end has changed. */
static bool
leave_block(hd_mach_hazard_state *h)
{
   struct exit *exit = &h->exits[h->block->index];
   const bool grows = exit->visits == MAX_VISITS;

   find_exit(h, grows ? &exit->state : NULL);
   exit->visits += !grows;
   bool same = exit->state.num == h->next.num;
   for (uint32_t n = 0; same && n < exit->state.num; n++) {
      const recent *old = &exit->state.list[n];
      same = h->place[old->effect] && h->next.list[h->place[old->effect] - 1].states == old->states;
   }
   for (uint32_t n = 0; n < h->next.num; n++)
      h->place[h->next.list[n].effect] = 0;
   if (same)
      return false;
   const recents old = exit->state;
   exit->state = h->next;
   h->next = old;
   return true;
}

void
hd_mach_separate(hd_mach_program *p, const hd_mach_hazards *rows)
{
   hd_mach_hazard_state *h = hd_stack_alloc_zero(p->stack, sizeof(*h));
   const unsigned num_effects = rows->first_effect[rows->num_producers];
   hd_mach_block *block;

   h->p = p;
   h->rows = rows;
   h->rules = hd_stack_alloc(p->stack, (rows->num_rules + 1) * sizeof(*h->rules));
   for (unsigned n = 0; n < rows->num_rules; n++) {
      if (rows->rules[n].variants & rows->variant)
         h->rules[h->num_rules++] = rows->rules[n];
   }
   h->done = hd_stack_alloc_zero(p->stack, num_effects * sizeof(*h->done));
   h->last = hd_stack_alloc_zero(p->stack, rows->num_producers * sizeof(*h->last));
   h->place = hd_stack_alloc_zero(p->stack, num_effects * sizeof(*h->place));
   h->exits = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*h->exits));
   hd_mach_worklist_init(&h->worklist, p, false);
   hd_mach_foreach_block(first, p) hd_mach_worklist_add(&h->worklist, first);
   while ((block = hd_mach_worklist_take(&h->worklist))) {
      enter_block(h, block);
      run_block(h);
      if (!leave_block(h))
         continue;
      for (uint32_t n = 0; n < block->edges[HD_MACH_LINEAR].num_succs; n++)
         hd_mach_worklist_add(&h->worklist, block->edges[HD_MACH_LINEAR].succs[n]);
   }
   h->insert = true;
   hd_mach_foreach_block(last, p)
   {
      enter_block(h, last);
      run_block(h);
   }
}
