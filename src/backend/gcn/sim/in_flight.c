/* SPDX-License-Identifier: MIT */
/* in_flight.c - memory instructions in flight: which registers must not be touched, and until which
 * counter value (vmcnt, lgkmcnt, expcnt).
 *
 * The simulator runs a load at once, but its registers are not to be touched before a counter says
 * that the load is done, and what a counter says is taken at its least. A wait for `n` of a counter
 * lets at most n events go on. Events of one kind end in the order in which they began, so one that
 * has n or more younger ones of its kind has ended; of different kinds nothing is known. Kinds:
 *
 *    vmcnt     vector memory, loads and stores together; FLAT that touches LDS is apart
 *    lgkmcnt   LDS in order; GDS in order; each scalar load, message and FLAT alone
 *    expcnt    (gfx6) stores, until their data has been read
 *
 * A counter that is full holds up the next instruction, which is a wait for one less.
 */
#include "backend/gcn/sim/machine.h"

#include <inttypes.h>
#include <string.h>

enum counter { VM, EXP, LGKM, NUM_COUNTERS };

enum kind { KIND_VM, KIND_LDS, KIND_GDS, KIND_ALONE, NUM_KINDS };

/* Of one wave. Counters let fewer be, but who fills one with events of different kinds leaves
 * unknown which of them have ended. If even these are too many, the oldest is taken to have.
 */
#define MAX_EVENTS 512u

typedef struct range {
   uint64_t address;
   uint32_t size;
} range;

typedef struct event {
   uint64_t pc;
   completion when;
   vgpr_set vwrites, stored;
   sgpr_set swrites;
   uint8_t pending;            /* counters that it is still counted in, a bit each */
   uint8_t holds;              /* of these, those that its registers wait for */
   uint8_t kind[NUM_COUNTERS]; /* enum kind */
   bool load_in_order;         /* a younger one of its kind may write the same registers */
   bool store, atomic, lds_store;
   bool past_barrier;   /* it was in flight when its wave reached a barrier */
   uint32_t num_ranges; /* of memory that a store writes */
   range ranges[HD_GCN_LANES * 2];
} event;

struct hd_gcn_flight {
   vgpr_set vpending, stored;
   sgpr_set spending;
   uint32_t num;
   uint32_t count[NUM_COUNTERS];
   uint32_t max[NUM_COUNTERS];
   bool touches_lds; /* the FLAT instruction that runs */
   bool touches_memory;
   const fetched *running;    /* the memory instruction that runs, or NULL */
   event *next;               /* what is noted of it */
   event *events[MAX_EVENTS]; /* in the order of their issue, then unused ones */
};

hd_gcn_flight *
hd_gcn_flight_create(hd_gcn_machine *m)
{
   hd_gcn_flight *f = hd_stack_alloc_zero(&m->stack, sizeof(*f));

   f->max[VM] = m->target->max_vmcnt;
   f->max[EXP] = m->target->max_expcnt;
   f->max[LGKM] = m->target->max_lgkmcnt;
   for (unsigned n = 0; n < MAX_EVENTS; n++)
      f->events[n] = NULL;
   return f;
}

/* After events have ended: what is still waited for. */
static void
sum_up(hd_gcn_flight *f)
{
   f->vpending = f->stored = (vgpr_set){ { 0 } };
   f->spending = (sgpr_set){ { 0 } };
   for (uint32_t n = 0; n < f->num; n++) {
      const event *e = f->events[n];
      for (unsigned k = 0; k < 4; k++) {
         if (e->pending & e->holds)
            f->vpending.word[k] |= e->vwrites.word[k];
         if (e->pending & 1u << EXP)
            f->stored.word[k] |= e->stored.word[k];
      }
      for (unsigned k = 0; k < 2 && e->pending & e->holds; k++)
         f->spending.word[k] |= e->swrites.word[k];
   }
}

/* Events that no counter counts any more leave; the others keep their order. */
static void
remove_ended(hd_gcn_wave *wave)
{
   hd_gcn_machine *m = wave->machine;
   hd_gcn_flight *f = wave->flight;
   bool lds = false;
   uint32_t kept = 0;

   for (uint32_t n = 0; n < f->num; n++) {
      event *e = f->events[n];
      if (!(e->pending & ~(1u << EXP)) && e->num_ranges) {
         m->unwaited--;
         e->num_ranges = 0;
      }
      lds |= e->past_barrier && e->pending & 1u << LGKM;
      if (!e->pending)
         continue;
      f->events[n] = f->events[kept];
      f->events[kept++] = e;
   }
   f->num = kept;
   simulated *s = simulated_of(wave);
   if (s->unwaited_lds && !lds) {
      s->unwaited_lds = false;
      m->unwaited_lds--;
   }
   sum_up(f);
}

static event *
unused_event(hd_gcn_wave *wave)
{
   hd_gcn_machine *m = wave->machine;
   hd_gcn_flight *f = wave->flight;

   if (f->num == MAX_EVENTS) {
      for (unsigned c = 0; c < NUM_COUNTERS; c++)
         f->count[c] -= f->events[0]->pending >> c & 1;
      f->events[0]->pending = 0;
      remove_ended(wave);
   }
   event **slot = &f->events[f->num];

   if (!*slot)
      *slot = hd_stack_alloc(&m->stack, sizeof(event));
   event *e = *slot;
   memset(e, 0, offsetof(event, ranges));
   return e;
}

/* The time at which at most `most` events are counted. */
static uint64_t
time_of(const hd_gcn_flight *f, enum counter c, uint32_t most)
{
   uint64_t times[MAX_EVENTS];
   uint32_t num = 0;

   for (uint32_t n = 0; n < f->num; n++) {
      const event *e = f->events[n];
      if (!(e->pending & 1u << c))
         continue;
      const uint64_t t = c == EXP ? e->when.read : e->when.done;
      uint32_t at = num++;
      for (; at && times[at - 1] > t; at--)
         times[at] = times[at - 1];
      times[at] = t;
   }
   return num > most ? times[num - most - 1] : 0;
}

static bool
wait_for(hd_gcn_wave *wave, enum counter c, uint32_t most)
{
   hd_gcn_flight *f = wave->flight;
   uint32_t younger[NUM_KINDS] = { 0 };

   if (f->count[c] <= most)
      return false;
   hd_gcn_clock_stall(wave, time_of(f, c, most));
   for (uint32_t n = f->num; n--;) {
      event *e = f->events[n];
      if (!(e->pending & 1u << c))
         continue;
      const uint8_t kind = e->kind[c];
      const uint32_t after = kind == KIND_ALONE ? 0 : younger[kind]++;
      if (after < most)
         continue;
      e->pending &= (uint8_t) ~(1u << c);
      f->count[c]--;
      /* A store that is done has been read, and a FLAT that has come back from memory has long
       * since left the queue of LDS, where it had no lanes.
       */
      const unsigned done =
          c != VM ? 0 : e->pending & (1u << EXP | (e->holds & 1u << LGKM ? 0 : 1u << LGKM));
      for (unsigned other = 0; other < NUM_COUNTERS; other++)
         f->count[other] -= done >> other & 1;
      e->pending &= (uint8_t)~done;
   }
   return true;
}

void
hd_gcn_flight_wait(hd_gcn_wave *wave, uint32_t imm)
{
   const bool gfx9 = wave->machine->target->gen == HD_GCN_GFX900;
   const uint32_t vm = (imm & 15) | (gfx9 ? imm >> 14 << 4 & 0x30 : 0);
   bool any = wait_for(wave, VM, vm);

   any |= wait_for(wave, EXP, imm >> 4 & 7);
   any |= wait_for(wave, LGKM, imm >> 8 & 15);
   if (any)
      remove_ended(wave);
}

bool
hd_gcn_flight_has_vectors(const hd_gcn_wave *wave)
{
   const hd_gcn_flight *f = wave->flight;

   for (uint32_t n = 0; n < f->num; n++) {
      const event *e = f->events[n];
      if (e->pending & (1u << VM | 1u << EXP) || e->kind[LGKM] != KIND_ALONE)
         return true;
   }
   return false;
}

void
hd_gcn_flight_drain(hd_gcn_wave *wave)
{
   bool any = wait_for(wave, VM, 0);

   any |= wait_for(wave, EXP, 0);
   any |= wait_for(wave, LGKM, 0);
   if (any)
      remove_ended(wave);
}

/* What the instruction must not touch */

static unsigned
first_common(const uint64_t *a, const uint64_t *b, unsigned words)
{
   for (unsigned n = 0; n < words; n++) {
      if (a[n] & b[n])
         return n * 64 + (unsigned)__builtin_ctzll(a[n] & b[n]);
   }
   return 0;
}

static const char *
counter_name(const event *e)
{
   const unsigned waits = e->pending & e->holds;

   return waits & 1u << VM ? waits & 1u << LGKM ? "vmcnt and lgkmcnt" : "vmcnt" : "lgkmcnt";
}

static bool
fault_pending(hd_gcn_wave *wave, const fetched *f, const event *e)
{
   const uint64_t from = e->pc - wave->machine->code_base;
   unsigned reg;

   if (vgprs_meet(&e->vwrites, &f->vreads) || vgprs_meet(&e->vwrites, &f->vwrites)) {
      const bool reads = vgprs_meet(&e->vwrites, &f->vreads);
      reg = first_common(e->vwrites.word, reads ? f->vreads.word : f->vwrites.word, 4);
      return hd_gcn_fault(
          wave, -1, "%s v%u, which the load at 0x%" PRIx64 " will write: %s was not waited for",
          reads ? "reads" : "writes", reg, from, counter_name(e));
   }
   const bool reads = sgprs_meet(&e->swrites, &f->sreads);
   reg = first_common(e->swrites.word, reads ? f->sreads.word : f->swrites.word, 2);
   return hd_gcn_fault(wave, -1,
                       "%s scalar register %u, which the load at 0x%" PRIx64
                       " will write: %s was not waited for",
                       reads ? "reads" : "writes", reg, from, counter_name(e));
}

/* Which lanes of a FLAT instruction go to LDS, and which to memory. */
static void
look_at_flat(hd_gcn_wave *wave, const fetched *f)
{
   const hd_mach_operand *address = hd_mach_src(&f->decoded.inst, 0);
   const uint64_t exec = wave->sgpr[HD_GCN_EXEC] | (uint64_t)wave->sgpr[HD_GCN_EXEC + 1] << 32;

   wave->flight->touches_lds = wave->flight->touches_memory = false;
   for (unsigned lane = 0; lane < HD_GCN_LANES; lane++) {
      if (!(exec >> lane & 1))
         continue;
      if (wave->vgpr[address->reg - HD_GCN_VGPR0 + 1][lane] == wave->lds_aperture)
         wave->flight->touches_lds = true;
      else
         wave->flight->touches_memory = true;
   }
}

/* Loads of one kind return in order: the younger one may write what the older one writes. */
static bool
follows_in_order(hd_gcn_wave *wave, const fetched *f, const event *e)
{
   if (!e->load_in_order)
      return false;
   if (f->flags & FETCHED_FLAT) {
      look_at_flat(wave, f);
      if (wave->flight->touches_lds)
         return false;
   }
   if (e->pending & 1u << VM)
      return (f->flags & FETCHED_VMEM) != 0;
   return f->flags & FETCHED_LDS && (e->kind[LGKM] == KIND_GDS) == ((f->flags & FETCHED_GDS) != 0);
}

static bool
check_events(hd_gcn_wave *wave, const fetched *f)
{
   const hd_gcn_flight *flight = wave->flight;

   for (uint32_t n = 0; n < flight->num; n++) {
      const event *e = flight->events[n];
      if (!(e->pending & e->holds))
         continue;
      if (vgprs_meet(&e->vwrites, &f->vreads) || sgprs_meet(&e->swrites, &f->sreads) ||
          sgprs_meet(&e->swrites, &f->swrites))
         return fault_pending(wave, f, e);
      if (vgprs_meet(&e->vwrites, &f->vwrites) && !follows_in_order(wave, f, e))
         return fault_pending(wave, f, e);
   }
   return true;
}

static bool
fault_stored(hd_gcn_wave *wave, const fetched *f)
{
   const hd_gcn_flight *flight = wave->flight;
   uint32_t n = 0;

   while (!(flight->events[n]->pending & 1u << EXP) ||
          !vgprs_meet(&flight->events[n]->stored, &f->vwrites))
      n++;
   return hd_gcn_fault(wave, -1,
                       "writes v%u, which the %s at 0x%" PRIx64
                       " may not have read yet: expcnt was not waited for",
                       first_common(flight->events[n]->stored.word, f->vwrites.word, 4),
                       flight->events[n]->store ? "store" : "export",
                       flight->events[n]->pc - wave->machine->code_base);
}

bool
hd_gcn_flight_check(hd_gcn_wave *wave, const fetched *f)
{
   const hd_gcn_flight *flight = wave->flight;

   if (!flight->num)
      return true;
   if (vgprs_meet(&flight->stored, &f->vwrites))
      return fault_stored(wave, f);
   if (!vgprs_meet(&flight->vpending, &f->vreads) && !vgprs_meet(&flight->vpending, &f->vwrites) &&
       !sgprs_meet(&flight->spending, &f->sreads) && !sgprs_meet(&flight->spending, &f->swrites))
      return true;
   return check_events(wave, f);
}

/* Issue */

static bool
check_lds(hd_gcn_wave *wave, const fetched *f)
{
   const hd_gcn_machine *m = wave->machine;
   const unsigned both = FETCHED_LOADS | FETCHED_STORES;

   if (!(f->flags & FETCHED_LOADS) || (f->flags & both) == both)
      return true;
   for (uint32_t n = 0; n < m->num_waves; n++) {
      if (m->waves[n].unwaited_lds && &m->waves[n].wave != wave)
         return hd_gcn_fault(
             wave, -1,
             "reads LDS while stores of wave %u to it are in flight: that wave came "
             "here without waiting for lgkmcnt",
             n);
   }
   return true;
}

bool
hd_gcn_flight_begin(hd_gcn_wave *wave, const fetched *f)
{
   hd_gcn_flight *flight = wave->flight;

   flight->touches_lds = (f->flags & FETCHED_LDS) != 0;
   flight->touches_memory = !flight->touches_lds;
   if (f->flags & FETCHED_FLAT)
      look_at_flat(wave, f);
   /* A full counter holds up what would count one more. */
   bool any = false;
   if (f->flags & FETCHED_VMEM)
      any |= wait_for(wave, VM, flight->max[VM] - 1);
   if (f->flags & (FETCHED_LDS | FETCHED_SMEM | FETCHED_MESSAGE | FETCHED_FLAT))
      any |= wait_for(wave, LGKM, flight->max[LGKM] - 1);
   if (f->flags & (FETCHED_STORES | FETCHED_EXPORT))
      any |= wait_for(wave, EXP, flight->max[EXP] - 1);
   if (any)
      remove_ended(wave);
   flight->running = f;
   flight->next = unused_event(wave);
   if (wave->machine->unwaited_lds && flight->touches_lds)
      return check_lds(wave, f);
   return true;
}

/* Which counters count it, and of what kind it is in each. */
static void
count_event(hd_gcn_wave *wave, const fetched *f, event *e)
{
   hd_gcn_flight *flight = wave->flight;

   if (f->flags & FETCHED_EXPORT) {
      e->pending = 1u << EXP;
      e->kind[EXP] = KIND_ALONE;
      e->stored = f->stored;
   } else if (f->flags & FETCHED_VMEM) {
      e->pending = e->holds = 1u << VM;
      e->kind[VM] = flight->touches_lds ? KIND_ALONE : KIND_VM;
      e->load_in_order = true;
      if (f->flags & FETCHED_FLAT) {
         e->pending |= 1u << LGKM;
         e->kind[LGKM] = KIND_ALONE;
         e->load_in_order = !flight->touches_lds;
         if (flight->touches_lds)
            e->holds = (uint8_t)(1u << LGKM | (flight->touches_memory ? 1u << VM : 0));
      }
      if (f->flags & FETCHED_STORES && wave->machine->target->gen == HD_GCN_GFX600) {
         e->pending |= 1u << EXP;
         e->kind[EXP] = KIND_VM;
         e->stored = f->stored;
      }
   } else {
      e->pending = e->holds = 1u << LGKM;
      e->kind[LGKM] = f->flags & FETCHED_GDS   ? KIND_GDS
                      : f->flags & FETCHED_LDS ? KIND_LDS
                                               : KIND_ALONE;
      e->load_in_order = e->kind[LGKM] != KIND_ALONE;
   }
   for (unsigned c = 0; c < NUM_COUNTERS; c++)
      flight->count[c] += e->pending >> c & 1;
}

void
hd_gcn_flight_end(hd_gcn_wave *wave, const fetched *f)
{
   hd_gcn_machine *m = wave->machine;
   hd_gcn_flight *flight = wave->flight;
   event *e = flight->next;

   flight->running = NULL;
   flight->next = NULL;
   count_event(wave, f, e);
   e->pc = wave->pc;
   e->when = hd_gcn_clock_memory(wave, f, flight->touches_lds && !flight->touches_memory);
   e->store = (f->flags & FETCHED_STORES) != 0;
   e->atomic = e->store && f->flags & FETCHED_LOADS;
   e->vwrites = f->vwrites;
   e->swrites = f->swrites;
   m->unwaited += e->num_ranges != 0;
   e->lds_store = e->store && flight->touches_lds;
   flight->num++;
   sum_up(flight);
}

void
hd_gcn_flight_barrier(hd_gcn_wave *wave)
{
   hd_gcn_flight *f = wave->flight;
   simulated *s = simulated_of(wave);
   bool any = false;

   for (uint32_t n = 0; n < f->num; n++) {
      event *e = f->events[n];
      e->past_barrier |= e->lds_store && e->pending & 1u << LGKM;
      any |= e->past_barrier;
   }
   if (any && !s->unwaited_lds) {
      s->unwaited_lds = true;
      wave->machine->unwaited_lds++;
   }
}

void
hd_gcn_flight_reset(hd_gcn_wave *wave)
{
   hd_gcn_flight *f = wave->flight;

   f->num = 0;
   memset(f->count, 0, sizeof(f->count));
   f->running = NULL;
   f->next = NULL;
   sum_up(f);
}

/* Stores that others must not see yet */

void
hd_gcn_flight_store(hd_gcn_wave *wave, uint64_t address, unsigned size)
{
   event *e = wave->flight->next;

   if (!e || e->num_ranges == sizeof(e->ranges) / sizeof(e->ranges[0]))
      return;
   /* Lanes side by side are one range. */
   if (e->num_ranges) {
      range *last = &e->ranges[e->num_ranges - 1];
      if (last->address + last->size == address) {
         last->size += size;
         return;
      }
   }
   e->ranges[e->num_ranges++] = (range){ address, size };
}

static const event *
store_that_meets(const hd_gcn_flight *f, uint64_t address, unsigned size, bool atomic)
{
   for (uint32_t n = 0; n < f->num; n++) {
      const event *e = f->events[n];
      if (e->atomic && atomic)
         continue;
      for (uint32_t k = 0; k < e->num_ranges; k++) {
         const range *r = &e->ranges[k];
         if (address < r->address + r->size && r->address < address + size)
            return e;
      }
   }
   return NULL;
}

bool
hd_gcn_flight_allows(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size)
{
   const hd_gcn_machine *m = wave->machine;
   const fetched *f = wave->flight->running;
   const bool atomic = f && f->flags & FETCHED_LOADS && f->flags & FETCHED_STORES;

   for (uint32_t n = 0; n < m->num_waves; n++) {
      const hd_gcn_wave *other = &m->waves[n].wave;
      if (other == wave || !other->flight)
         continue;
      const event *e = store_that_meets(other->flight, address, size, atomic);
      if (e)
         return hd_gcn_fault(wave, lane,
                             "reads 0x%" PRIx64 ", where the store at 0x%" PRIx64
                             " of wave %u is still in flight: that wave did not wait for vmcnt",
                             address, e->pc - m->code_base, n);
   }
   return true;
}

void
hd_gcn_flight_mark_stores(hd_gcn_wave *wave)
{
   const hd_gcn_flight *f = wave->flight;

   for (uint32_t n = 0; n < f->num; n++) {
      const event *e = f->events[n];
      for (uint32_t k = 0; k < e->num_ranges; k++)
         hd_gcn_memory_mark(wave->machine, e->ranges[k].address, e->ranges[k].size);
   }
}
