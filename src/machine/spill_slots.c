/* SPDX-License-Identifier: MIT */
/* spill_slots.c - spill slots: values are stored after their definition, and share slots.
 *
 * Values whose live ranges do not overlap share a slot, as far as code order tells: from the first
 * block that defines or uses the value to the last.
 */
#include "machine/spill.h"

#include <stdlib.h>
#include <string.h>

static bool
is_of_file(const hd_mach_spiller *s, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && s->p->temps[operand->value].file == s->file;
}

void
hd_mach_spill_stores(hd_mach_spiller *s)
{
   hd_mach_foreach_block(block, s->p)
   {
      for (hd_mach_inst *inst = block->first, *next; inst; inst = next) {
         next = inst->next;
         hd_mach_inst *at = next;
         while (inst->op == HD_MACH_P_PHI && at && at->op == HD_MACH_P_PHI)
            at = at->next;
         for (unsigned n = 0; n < inst->num_defs && inst->op != HD_MACH_P_RELOAD; n++) {
            const hd_mach_operand *def = hd_mach_def(inst, n);
            if (!is_of_file(s, def) || def->value >= s->capacity || !s->slot[def->value] ||
                s->phi_in_memory[def->value])
               continue;
            hd_mach_inst *store = hd_mach_spill_make_store(s, def->value, s->slot[def->value]);
            store->loc = inst->loc;
            hd_mach_inst_insert_before(block, store, at);
            if (at && block->tail == at && s->flow == HD_MACH_LINEAR)
               block->tail = store;
         }
      }
   }
}

/* In blocks by their order in the code. */
typedef struct hull {
   uint32_t slot, first, last;
   uint32_t size;
} hull;

static int
compare_hulls(const void *a, const void *b)
{
   const hull *x = a, *y = b;

   if (x->first != y->first)
      return x->first < y->first ? -1 : 1;
   return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static void
extend(hull *h, const hd_mach_block *block)
{
   h->first = block->order < h->first ? block->order : h->first;
   h->last = block->order > h->last ? block->order : h->last;
}

static bool
is_slot_inst(const hd_mach_spiller *s, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);

   return value && is_of_file(s, value);
}

/* The blocks of a cycle as positions in the code, with the cycle around it. */
typedef struct span {
   uint32_t first, last, around;
} span;

typedef struct spans {
   span *spans;     /* from 1 */
   uint32_t *inner; /* by order: the innermost; 0: none */
} spans;

/* Cycles that overlap become one in the other. */
static spans
find_spans(const hd_mach_spiller *s)
{
   const hd_mach_program *p = s->p;
   spans all = { hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 2) * sizeof(span)),
                 hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(uint32_t)) };
   uint32_t now = 0, num = 0;

   hd_mach_foreach_block(block, p)
   {
      const uint32_t at = block->order;
      uint32_t last = at;
      bool is_header = false;

      for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
         const hd_mach_edges *edges = &block->edges[flow];
         for (uint32_t i = 0; i < edges->num_preds; i++) {
            const uint32_t from = edges->preds[i]->order;
            is_header |= from >= at;
            last = from > last ? from : last;
         }
      }
      while (now && all.spans[now].last < at)
         now = all.spans[now].around;
      if (is_header) {
         all.spans[++num] = (span){ at, last, now };
         for (uint32_t n = now; n && all.spans[n].last < last; n = all.spans[n].around)
            all.spans[n].last = last;
         now = num;
      }
      all.inner[at] = now;
   }
   return all;
}

/* A value that is stored before a cycle and read in it is needed until the cycle's end. */
static void
extend_over_cycles(const spans *all, hull *h)
{
   uint32_t n = all->inner[h->last];

   for (; n && all->spans[n].first > h->first; n = all->spans[n].around)
      h->last = all->spans[n].last > h->last ? all->spans[n].last : h->last;
}

/* Where the slots are written and read, and where the values are live: between these. */
static hull *
find_hulls(hd_mach_spiller *s)
{
   hull *hulls = hd_stack_alloc(hd_mach_scratch(s->p), (s->num_slots + 1) * sizeof(*hulls));

   for (uint32_t slot = 0; slot <= s->num_slots; slot++)
      hulls[slot] = (hull){ .slot = slot, .first = UINT32_MAX };
   /* A phi in memory is there from the beginning of its block on, though nothing writes it there.
    */
   for (uint32_t temp = 1; temp < s->capacity; temp++) {
      if (s->phi_in_memory[temp])
         extend(&hulls[s->slot[temp]], s->live.def_block[temp]);
   }
   hd_mach_foreach_block(block, s->p)
   {
      const hd_mach_live_in *in = &s->live.in[s->flow][block->index];
      for (uint32_t n = 0; n < in->num; n++) {
         const uint32_t temp = in->temps[n];
         if (s->p->temps[temp].file == s->file && s->slot[temp])
            extend(&hulls[s->slot[temp]], block);
      }
      hd_mach_foreach_inst(inst, block)
      {
         if (!is_slot_inst(s, inst))
            continue;
         extend(&hulls[inst->imm], block);
         hulls[inst->imm].size = hd_mach_slot_value(inst)->size;
      }
   }
   if (s->live.is_near) {
      const spans all = find_spans(s);
      for (uint32_t slot = 1; slot <= s->num_slots; slot++) {
         if (hulls[slot].first != UINT32_MAX)
            extend_over_cycles(&all, &hulls[slot]);
      }
   }
   return hulls;
}

/* Slots of one size that are given back at the end of a block wait in a heap by that block. */
typedef struct given {
   uint32_t last, at;
} given;

typedef struct heap {
   given *items;
   uint32_t num;
} heap;

static void
swap(given *a, given *b)
{
   const given c = *a;

   *a = *b;
   *b = c;
}

static bool
before(const given *a, const given *b)
{
   return a->last != b->last ? a->last < b->last : a->at < b->at;
}

static void
push(heap *h, given item)
{
   uint32_t n = h->num++;

   h->items[n] = item;
   for (; n && before(&h->items[n], &h->items[(n - 1) / 2]); n = (n - 1) / 2)
      swap(&h->items[n], &h->items[(n - 1) / 2]);
}

static uint32_t
pop(heap *h)
{
   const uint32_t at = h->items[0].at;
   uint32_t n = 0;

   h->items[0] = h->items[--h->num];
   for (;;) {
      uint32_t least = n;
      for (uint32_t child = 2 * n + 1; child <= 2 * n + 2; child++) {
         if (child < h->num && before(&h->items[child], &h->items[least]))
            least = child;
      }
      if (least == n)
         return at;
      swap(&h->items[n], &h->items[least]);
      n = least;
   }
}

#define LARGEST 16

uint32_t
hd_mach_spill_color(hd_mach_spiller *s)
{
   hd_stack *stack = hd_mach_scratch(s->p);
   hull *hulls = find_hulls(s);
   uint32_t *place = hd_stack_alloc_zero(stack, (s->num_slots + 1) * sizeof(*place));
   heap heaps[LARGEST + 1] = { { NULL, 0 } };
   uint32_t size = 0;

   qsort(hulls, s->num_slots + 1, sizeof(*hulls), compare_hulls);
   for (uint32_t n = 0; n <= s->num_slots; n++) {
      const hull *h = &hulls[n];
      heap *free = &heaps[h->size <= LARGEST ? h->size : LARGEST];
      if (h->first == UINT32_MAX || !h->size)
         continue;
      if (!free->items)
         free->items = hd_stack_alloc(stack, (s->num_slots + 1) * sizeof(*free->items));
      if (free->num && free->items[0].last < h->first) {
         place[h->slot] = pop(free);
      } else {
         place[h->slot] = size;
         size += h->size;
      }
      push(free, (given){ h->last, place[h->slot] });
   }
   hd_mach_foreach_block(block, s->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (is_slot_inst(s, inst))
            inst->imm = (int32_t)place[inst->imm];
      }
      for (hd_mach_inst *phi = block->memory_phis; phi; phi = phi->next) {
         if (is_of_file(s, hd_mach_def(phi, 0)))
            phi->imm = (int32_t)place[phi->imm];
      }
   }
   return size;
}
