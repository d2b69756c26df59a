/* SPDX-License-Identifier: MIT */
/* waits.c - insert waits (s_waitcnt) before instructions that use registers of memory operations in flight.
 *
 * A score for each register and counter says how many events came after the one that the register
 * waits for. An event that leaves its counter in order, with n younger ones of its kind after it,
 * is over when the counter has come down to n: were it not, it and those after it would make
 * n + 1. What events of other kinds do to the counter does not matter: they can only hold it up.
 * An event that leaves in any order is known to be over at 0 alone.
 *
 * A forward data-flow analysis, as LLVM's SIInsertWaitcnts. Linear edges join scores: the nearest
 * one wins. For given waits, a block maps a nearer score to a nearer one, so the join over all paths
 * is the state of the join. But a nearer score can also ask for one more wait, after which less is
 * in flight, so the transfer function is not monotone: states are recomputed on each visit until a
 * fixpoint, and each wait is there for a path that needs it. After MAX_VISITS visits the state of a
 * block only grows (widening): that terminates, as registers and counter limits bound it, and costs
 * one wait too many at worst. In practice a loop takes two or three visits. Blocks are visited in
 * code order, so an inner loop reaches its fixpoint before the code after it is visited.
 *
 * A wait that is there before is read as a request of order, at barriers.
 */
#include "machine/waits.h"

#include <assert.h>
#include <string.h>

#include "machine/worklist.h"

/* What can be waited for, on a counter. After the registers stand:
 *    SHARED   accesses that other waves may see: they are over where their order is asked for
 *    ANY      all that counts
 *    SPECIAL  what the machine marks
 */
typedef enum other { SHARED, ANY, SPECIAL, NUM_OTHERS } other;

/* A score is 2 * the number of the event among those of its kind, plus 1 if it leaves in any order;
 * 0 is none.
 */
typedef uint32_t score;

#define MAX_VISITS 16

/* Where vector memory is waited for before a loop: when the loop touches it among its first
 * instructions. If later, there is other work meanwhile, at least in the first iteration.
 */
#define FIRST_OF_LOOP 8u

/* The state at a block's end: a byte for each slot. 0: nothing in flight; else the limit of the
 * counter less the number of events after it, so that nearer is more; or UNORDERED.
 */
#define UNORDERED 255u

struct need {
   uint8_t counts[HD_MACH_MAX_COUNTERS];
};

typedef struct hd_mach_waiter {
   hd_mach_program *p;
   const hd_mach_waits *rows;
   unsigned num_counters, num_vectors, num_scalars, first_vector, num_slots;
   unsigned first[HD_MACH_MAX_COUNTERS + 1]; /* slot of each counter: vectors, scalars, others */
   unsigned limit[HD_MACH_MAX_COUNTERS];
   bool linear[HD_MACH_MAX_COUNTERS], of_reads[HD_MACH_MAX_COUNTERS]; /* as in hd_mach_counter */
   struct exit {
      uint8_t *state; /* NULL: not reached yet */
      uint8_t visits;
      bool bit;
      bool flushes;
      struct need flush; /* what is waited for at the block's end, before a loop */
   } * exits;            /* by index of the block */
   uint8_t *joined;

   /* Of the block that is looked at. */
   hd_mach_block *block;
   bool insert;
   bool bit;
   struct {
      uint32_t now;                   /* events so far */
      uint32_t done;                  /* those up to this one are over */
   } clocks[HD_MACH_MAX_COUNTERS][2]; /* of events that leave in order; of others */
   score *scores;
} waiter;

static unsigned
scalars_of(const waiter *w, unsigned c)
{
   return w->linear[c] ? w->num_scalars : 0;
}

static unsigned
other_slot(const waiter *w, unsigned c, other other)
{
   return w->first[c] + w->num_vectors + scalars_of(w, c) + other;
}

/* The slot of a register, or -1: it does not count here. */
static int
slot_of(const waiter *w, unsigned c, unsigned reg)
{
   if (reg >= w->first_vector)
      return (int)(w->first[c] + reg - w->first_vector);
   return w->linear[c] ? (int)(w->first[c] + w->num_vectors + reg) : -1;
}

static bool
is_register(const waiter *w, const hd_mach_operand *operand)
{
   return operand->size && (operand->reg < w->num_scalars ||
                            (operand->reg >= w->first_vector && operand->reg < HD_MACH_MAX_REGS));
}

static bool
in_flight(const waiter *w, unsigned c, score s)
{
   return s >> 1 > w->clocks[c][s & 1].done;
}

static void
need_slot(const waiter *w, unsigned c, unsigned slot, struct need *need)
{
   const score s = w->scores[slot];

   if (!s || !in_flight(w, c, s))
      return;
   const uint32_t after = s & 1 ? 0 : w->clocks[c][0].now - (s >> 1);
   if (after < need->counts[c])
      need->counts[c] = (uint8_t)after;
   else if (need->counts[c] >= w->limit[c])
      need->counts[c] = (uint8_t)(w->limit[c] - 1); /* so far back that the counter cannot say it */
}

static void
need_registers(const waiter *w, unsigned c, const hd_mach_operand *operand, struct need *need)
{
   if (!is_register(w, operand))
      return;
   for (unsigned n = 0; n < operand->size; n++) {
      const int slot = slot_of(w, c, operand->reg + n);
      if (slot >= 0)
         need_slot(w, c, (unsigned)slot, need);
   }
}

static struct need
no_need(const waiter *w)
{
   struct need need = { { 0 } };

   for (unsigned c = 0; c < w->num_counters; c++)
      need.counts[c] = (uint8_t)w->limit[c];
   return need;
}

static bool
is_some(const waiter *w, const struct need *need)
{
   for (unsigned c = 0; c < w->num_counters; c++) {
      if (need->counts[c] < w->limit[c])
         return true;
   }
   return false;
}

bool
hd_mach_is_unordered(const waiter *w, unsigned c)
{
   const score any = w->scores[other_slot(w, c, ANY)];

   return (any & 1) && in_flight(w, c, any);
}

const hd_mach_program *
hd_mach_waiter_program(const waiter *w)
{
   return w->p;
}

/* What must be over before `inst` is issued. */
static struct need
need_of(const waiter *w, const hd_mach_inst *inst)
{
   const hd_mach_wait_need more = w->rows->needs(w->p, inst);
   struct need need = no_need(w);

   for (unsigned n = 0; n < inst->num_defs; n++) {
      for (unsigned c = 0; c < w->num_counters; c++)
         need_registers(w, c, hd_mach_def(inst, n), &need);
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      for (unsigned c = 0; c < w->num_counters; c++) {
         if (!w->of_reads[c])
            need_registers(w, c, hd_mach_src(inst, n), &need);
      }
   }
   for (unsigned c = 0; (more.special | more.unordered) >> c; c++) {
      if (more.special >> c & 1)
         need_slot(w, c, other_slot(w, c, SPECIAL), &need);
      if (more.unordered >> c & 1 && hd_mach_is_unordered(w, c))
         need.counts[c] = 0;
   }
   return need;
}

static void
apply_wait(waiter *w, const struct need *need)
{
   for (unsigned c = 0; c < w->num_counters; c++) {
      const uint32_t count = need->counts[c];
      if (count >= w->limit[c])
         continue;
      if (w->clocks[c][0].now - w->clocks[c][0].done > count)
         w->clocks[c][0].done = w->clocks[c][0].now - count;
      if (!count)
         w->clocks[c][1].done = w->clocks[c][1].now;
   }
}

static void
record_event(waiter *w, unsigned c, unsigned slot, bool any_order)
{
   score *s = &w->scores[slot];

   /* Where one that leaves in any order is still out, it is over at 0 only, younger ones or not. */
   if ((*s & 1) && in_flight(w, c, *s))
      any_order = true;
   *s = w->clocks[c][any_order].now << 1 | any_order;
}

static void
record_registers(waiter *w, unsigned c, const hd_mach_operand *operand, bool any_order)
{
   if (!is_register(w, operand))
      return;
   for (unsigned n = 0; n < operand->size; n++) {
      const int slot = slot_of(w, c, operand->reg + n);
      if (slot >= 0)
         record_event(w, c, (unsigned)slot, any_order);
   }
}

/* What `inst` leaves in flight. */
static void
apply_events(waiter *w, const hd_mach_inst *inst)
{
   const hd_mach_in_flight issued = w->rows->in_flight(w->p, inst);

   for (unsigned c = 0; c < w->num_counters; c++) {
      const bool any_order = issued.event[c] == HD_MACH_ANY_ORDER;
      if (issued.event[c] == HD_MACH_NO_EVENT)
         continue;
      w->clocks[c][any_order].now++;
      record_event(w, c, other_slot(w, c, ANY), any_order);
      if (w->of_reads[c]) {
         for (unsigned n = 0; n < inst->num_srcs; n++) {
            if (w->rows->reads_late(w->p, inst, n))
               record_registers(w, c, hd_mach_src(inst, n), any_order);
         }
         continue;
      }
      for (unsigned n = 0; n < inst->num_defs; n++)
         record_registers(w, c, hd_mach_def(inst, n), any_order);
      if (issued.shared)
         record_event(w, c, other_slot(w, c, SHARED), any_order);
      if (issued.special >> c & 1)
         record_event(w, c, other_slot(w, c, SPECIAL), any_order);
   }
}

/* The machine's bit. */
static void
follow_bit(waiter *w, hd_mach_inst *inst)
{
   if (!w->rows->next)
      return;
   if (w->bit && w->rows->must_mend(inst)) {
      if (w->insert) {
         hd_mach_inst *mend = w->rows->mend(w->p);
         mend->loc = inst->loc;
         hd_mach_inst_insert_before(w->block, mend, inst);
         if (w->block->tail == inst)
            w->block->tail = mend;
      }
      w->bit = false;
   }
   w->bit = w->rows->next(w, inst, w->bit);
}

static void
insert_wait(waiter *w, const struct need *need, hd_mach_inst *before)
{
   hd_mach_inst *wait = w->rows->make(w->p, need->counts);

   wait->loc = before ? before->loc : 0;
   hd_mach_inst_insert_before(w->block, wait, before);
}

/* A wait that was there before asks for the order of memory: at 0, that all is over that other
 * waves may see. What they cannot see may stay in flight, and nothing is left of a wait for what is
 * over.
 */
static void
keep_request(const waiter *w, const hd_mach_inst *inst, struct need *need)
{
   uint8_t counts[HD_MACH_MAX_COUNTERS];

   w->rows->read(w->p, inst, counts);
   for (unsigned c = 0; c < w->num_counters; c++) {
      const score any = w->scores[other_slot(w, c, ANY)];
      if (!counts[c])
         need_slot(w, c, other_slot(w, c, SHARED), need);
      else if (any && in_flight(w, c, any) && counts[c] < need->counts[c])
         need->counts[c] = counts[c];
   }
}

static void
lower_to(const waiter *w, struct need *need, const struct need *other)
{
   for (unsigned c = 0; c < w->num_counters; c++) {
      if (other->counts[c] < need->counts[c])
         need->counts[c] = other->counts[c];
   }
}

/* What the block waits for at its end, as far as that is still in flight. */
static void
add_flush(const waiter *w, struct need *need)
{
   const struct exit *exit = &w->exits[w->block->index];

   for (unsigned c = 0; exit->flushes && c < w->num_counters; c++) {
      const score any = w->scores[other_slot(w, c, ANY)];
      if (any && in_flight(w, c, any) && exit->flush.counts[c] < need->counts[c])
         need->counts[c] = exit->flush.counts[c];
   }
}

static void
run_block(waiter *w)
{
   struct need asked = no_need(w); /* by waits that are taken away, until the next instruction */

   hd_mach_foreach_inst_safe(inst, following, w->block)
   {
      if (inst->op == w->rows->wait) {
         keep_request(w, inst, &asked);
         if (w->insert)
            hd_mach_inst_remove(w->block, inst);
         continue;
      }
      struct need need = need_of(w, inst);
      if (hd_mach_is_branch(w->p, inst))
         add_flush(w, &asked);
      lower_to(w, &need, &asked);
      asked = no_need(w);
      if (is_some(w, &need)) {
         if (w->insert)
            insert_wait(w, &need, inst);
         apply_wait(w, &need);
      }
      follow_bit(w, inst);
      apply_events(w, inst);
   }
   /* Before a branch that was done: after it only one of its ways would wait. */
   if (!hd_mach_is_branch(w->p, w->block->last))
      add_flush(w, &asked);
   if (is_some(w, &asked)) {
      if (w->insert)
         insert_wait(w, &asked, NULL);
      apply_wait(w, &asked);
   }
}

/* The first byte from `at` on that is not 0, or `end`. Few registers are in flight, of many. */
static unsigned
next_set(const void *from, unsigned at, unsigned end)
{
   const uint8_t *bytes = from;
   uint64_t eight;

   while (at < end && !bytes[at]) {
      if (end - at >= sizeof(eight)) {
         memcpy(&eight, bytes + at, sizeof(eight));
         at += eight ? 1 : (unsigned)sizeof(eight);
      } else {
         at++;
      }
   }
   return at;
}

/* The nearer of both, for each slot. */
static void
join(uint8_t *state, const uint8_t *other, unsigned num)
{
   for (unsigned n = next_set(other, 0, num); n < num; n = next_set(other, n + 1, num))
      state[n] = state[n] > other[n] ? state[n] : other[n];
}

/* The state at the block's start, as scores. */
static void
enter_block(waiter *w, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   uint8_t *in = w->joined;

   w->block = block;
   w->bit = false;
   memset(in, 0, w->num_slots);
   for (uint32_t n = 0; n < edges->num_preds; n++) {
      const struct exit *exit = &w->exits[edges->preds[n]->index];
      w->bit |= exit->bit;
      if (exit->state)
         join(in, exit->state, w->num_slots);
   }
   memset(w->scores, 0, w->num_slots * sizeof(*w->scores));
   for (unsigned c = 0; c < w->num_counters; c++) {
      for (unsigned kind = 0; kind < 2; kind++) {
         w->clocks[c][kind].now = w->limit[c];
         w->clocks[c][kind].done = 0;
      }
      const unsigned end = w->first[c + 1];
      for (unsigned s = next_set(in, w->first[c], end); s < end; s = next_set(in, s + 1, end))
         w->scores[s] = in[s] == UNORDERED ? w->limit[c] << 1 | 1 : (score)in[s] << 1;
   }
}

/* The state at the end of the block, as bytes. */
static void
find_exit(const waiter *w, uint8_t *out)
{
   const unsigned size = sizeof(*w->scores);

   memset(out, 0, w->num_slots);
   for (unsigned c = 0; c < w->num_counters; c++) {
      const unsigned end = w->first[c + 1] * size;
      for (unsigned at = next_set(w->scores, w->first[c] * size, end); at < end;) {
         const score s = w->scores[at / size];
         const uint32_t after = w->clocks[c][0].now - (s >> 1);
         if (in_flight(w, c, s))
            out[at / size] = (uint8_t)(s & 1                 ? UNORDERED
                                       : after < w->limit[c] ? w->limit[c] - after
                                                             : 1);
         at = next_set(w->scores, (at / size + 1) * size, end);
      }
   }
}

/* True: the state at the end has changed. */
static bool
leave_block(waiter *w)
{
   struct exit *exit = &w->exits[w->block->index];
   const bool first = !exit->state;

   find_exit(w, w->joined);
   if (first)
      exit->state = hd_stack_alloc_zero(w->p->stack, w->num_slots);
   if (exit->visits == MAX_VISITS) {
      join(w->joined, exit->state, w->num_slots);
      w->bit |= exit->bit;
   } else {
      exit->visits++;
   }
   if (!first && exit->bit == w->bit && !memcmp(exit->state, w->joined, w->num_slots))
      return false;
   memcpy(exit->state, w->joined, w->num_slots);
   exit->bit = w->bit;
   return true;
}

static void
find_states(waiter *w)
{
   hd_mach_worklist worklist;
   hd_mach_block *block;

   hd_mach_worklist_init(&worklist, w->p, false);
   /* Blocks that nothing leads to begin with nothing in flight, as the first one does. */
   hd_mach_foreach_block(start, w->p)
   {
      if (start == w->p->first || !start->edges[HD_MACH_LINEAR].num_preds)
         hd_mach_worklist_add(&worklist, start);
   }
   while ((block = hd_mach_worklist_take(&worklist))) {
      enter_block(w, block);
      run_block(w);
      if (!leave_block(w))
         continue;
      for (uint32_t n = 0; n < block->edges[HD_MACH_LINEAR].num_succs; n++)
         hd_mach_worklist_add(&worklist, block->edges[HD_MACH_LINEAR].succs[n]);
   }
}

/* Loops */

/* Mark the slots of registers that the loop's blocks touch; of vector memory those that the first
 * instructions touch. False: there is a loop inside.
 */
static bool
find_touched(const waiter *w, const hd_mach_block *header, const hd_mach_block *last, bool *touched)
{
   unsigned num = 0;

   memset(touched, 0, w->num_slots);
   for (const hd_mach_block *block = header; block; block = block->next) {
      if (block->loop_header && block != header)
         return false;
      for (const hd_mach_inst *inst = block->first; inst; inst = inst->next) {
         for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
            const hd_mach_operand *operand = &inst->operands[n];
            for (unsigned r = 0; is_register(w, operand) && r < operand->size; r++) {
               for (unsigned c = 0; c < w->num_counters; c++) {
                  const int slot = w->of_reads[c] ? -1 : slot_of(w, c, operand->reg + r);
                  if (slot >= 0 && (w->linear[c] || num < FIRST_OF_LOOP))
                     touched[slot] = true;
               }
            }
         }
         num++;
      }
      if (block == last)
         return true;
   }
   return false;
}

/* The state that the header gets from before the loop, or from the loop. */
static void
join_preds(const waiter *w, const hd_mach_block *header, bool of_loop, uint8_t *state)
{
   const hd_mach_edges *edges = &header->edges[HD_MACH_LINEAR];

   memset(state, 0, w->num_slots);
   for (uint32_t n = 0; n < edges->num_preds; n++) {
      const struct exit *exit = &w->exits[edges->preds[n]->index];
      if (exit->state && (edges->preds[n]->order >= header->order) == of_loop)
         join(state, exit->state, w->num_slots);
   }
}

/* What is loaded before the loop and touched in it, but not in flight on the back edge, is
 * waited for before. In it, the wait would come round every time, and where its count is 0 it would
 * wait for what the loop has in flight.
 */
static bool
flush_before(waiter *w, const hd_mach_block *header, bool *touched)
{
   const hd_mach_edges *edges = &header->edges[HD_MACH_LINEAR];
   const hd_mach_block *last = NULL;
   uint8_t *round = w->joined;
   bool some = false;

   for (uint32_t n = 0; n < edges->num_preds; n++) {
      if (edges->preds[n]->order >= header->order &&
          (!last || edges->preds[n]->order > last->order))
         last = edges->preds[n];
   }
   if (!last || !find_touched(w, header, last, touched))
      return false;
   join_preds(w, header, true, round);
   for (uint32_t n = 0; n < edges->num_preds; n++) {
      struct exit *exit = &w->exits[edges->preds[n]->index];
      if (!exit->state || edges->preds[n]->order >= header->order)
         continue;
      if (!exit->flushes)
         exit->flush = no_need(w);
      for (unsigned c = 0; c < w->num_counters; c++) {
         if (w->of_reads[c])
            continue;
         unsigned least = w->limit[c];
         for (unsigned s = w->first[c]; s < w->first[c + 1] - NUM_OTHERS; s++) {
            if (!touched[s] || !exit->state[s] || round[s])
               continue;
            const unsigned count = exit->state[s] == UNORDERED ? 0 : w->limit[c] - exit->state[s];
            least = count < least ? count : least;
         }
         if (least == w->limit[c])
            continue;
         exit->flush.counts[c] = (uint8_t)least;
         exit->flushes = some = true;
      }
   }
   return some;
}

/* Loops that have no loop inside. True: blocks before some of them wait at their end, and all
 * states are to be found again.
 */
static bool
flush_loops(waiter *w)
{
   bool *touched = hd_stack_alloc(w->p->stack, w->num_slots);
   bool some = false;

   hd_mach_foreach_block(block, w->p)
   {
      if (block->loop_header)
         some |= flush_before(w, block, touched);
   }
   for (uint32_t n = 0; some && n < w->p->num_blocks; n++) {
      w->exits[n].state = NULL;
      w->exits[n].bit = false;
      w->exits[n].visits = 0;
   }
   return some;
}

/* One more than the highest vector register. */
static unsigned
count_vectors(const waiter *w)
{
   unsigned num = 0;

   hd_mach_foreach_block(block, w->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
            const hd_mach_operand *operand = &inst->operands[n];
            if (operand->size && operand->reg >= w->first_vector &&
                operand->reg < HD_MACH_MAX_REGS &&
                operand->reg + operand->size > w->first_vector + num)
               num = operand->reg + operand->size - w->first_vector;
         }
      }
   }
   return num;
}

static void
lay_out_slots(waiter *w)
{
   const hd_mach *mach = w->p->mach;

   w->num_counters = w->rows->num_counters;
   w->num_scalars = mach->first_const;
   w->first_vector = mach->files[mach->file_of[HD_MACH_LOGICAL]].first;
   w->num_vectors = count_vectors(w);
   for (unsigned c = 0; c < w->num_counters; c++) {
      w->limit[c] = w->rows->counters[c].limit;
      w->linear[c] = w->rows->counters[c].linear;
      w->of_reads[c] = w->rows->counters[c].of_reads;
      assert(w->limit[c] < UNORDERED);
      w->first[c + 1] = other_slot(w, c, NUM_OTHERS);
   }
   w->num_slots = w->first[w->num_counters];
   w->scores = hd_stack_alloc_zero(w->p->stack, w->num_slots * sizeof(*w->scores));
   w->joined = hd_stack_alloc(w->p->stack, w->num_slots);
}

void
hd_mach_insert_waits(hd_mach_program *p, const hd_mach_waits *waits)
{
   waiter w = { .p = p, .rows = waits };

   lay_out_slots(&w);
   w.exits = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*w.exits));
   find_states(&w);
   if (flush_loops(&w))
      find_states(&w);
   w.insert = true;
   hd_mach_foreach_block(block, p)
   {
      if (!w.exits[block->index].state)
         continue; /* in a cycle of blocks that nothing enters */
      enter_block(&w, block);
      run_block(&w);
   }
}
