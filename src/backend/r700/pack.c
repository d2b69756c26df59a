/* SPDX-License-Identifier: MIT */
/* pack.c - pack ALU instructions into groups of up to five (VLIW bundles), by list scheduling.
 *
 * All instructions of a group read before any of them writes. So a value is read in a later group than
 * the one that writes it, and may be overwritten in the group that reads it last. Of the ready
 * instructions, the one on the longest path to the end (critical path) comes first.
 *
 * A group has one instruction a slot, four literals, two pairs of constants, and reads what its ports
 * allow: in each of three cycles one register of each channel. A bank swizzle says in which cycle an
 * operand is read; for each group these are searched for. What the group before wrote needs no port: it
 * is read from the slot that computed it (PV, PS).
 */
#include <stdlib.h>
#include <string.h>

#include "backend/r700/layout.h"

#define NUM_CHANNELS (4u * 128u + HD_R700_MAX_PENDING) /* numbers of values, too */
#define CYCLES       3u
#define MAX_PAIRS    2u  /* of constants */
#define MAX_READY    64u /* that are looked at for a group */

typedef struct edge {
   uint32_t to, next; /* next + 1 in the list; 0: none */
   bool same_group;   /* that is not too early */
} edge;

typedef struct node {
   uint32_t edges;       /* 1 + first */
   uint32_t early, late; /* how many it waits for: that may be in its group, that may not */
   uint32_t height;
   bool placed;
} node;

typedef struct packer {
   hd_mach_program *p;
   const hd_r700_alu *ops;
   uint32_t num;
   node *nodes;
   edge *edges;
   uint32_t num_edges, edge_capacity;
   uint32_t *ready, num_ready;
   uint32_t members[HD_R700_MAX_GROUP], num_members; /* of the group at hand */
   hd_r700_group group;
   int16_t before[HD_R700_MAX_GROUP]; /* as of the next group */
} packer;

/* Operands */

static bool
is_register(const hd_mach_operand *o)
{
   return !hd_r700_is_constant(o);
}

static unsigned
channel_of(const hd_mach_operand *o)
{
   return o->reg - (unsigned)HD_R700_V0;
}

static bool
is_literal(const hd_mach_operand *o)
{
   const uint32_t n = hd_r700_number(o);

   return hd_r700_is_number(o) && n != 0 && n != 1 && n != UINT32_MAX && n != 0x3f800000 &&
          n != 0x3f000000;
}

/* Ports */

typedef struct ports {
   int16_t gpr[CYCLES][4]; /* register + 1 */
} ports;

static const uint8_t vector_cycles[HD_R700_NUM_SWIZZLES][3] = { { 0, 1, 2 }, { 0, 2, 1 },
                                                                { 1, 2, 0 }, { 1, 0, 2 },
                                                                { 2, 0, 1 }, { 2, 1, 0 } };
static const uint8_t scalar_cycles[4][3] = { { 2, 1, 0 }, { 1, 2, 2 }, { 2, 1, 2 }, { 2, 2, 1 } };

/* The reads of an instruction with this swizzle have ports. */
static bool
reserve(const hd_r700_group *g, ports *ports, const hd_r700_alu *alu, bool scalar, unsigned swizzle)
{
   unsigned constants = 0;

   for (unsigned n = 0; n < alu->num_srcs; n++)
      constants += !is_register(&alu->srcs[n]);
   if (scalar && constants > 2)
      return false;
   for (unsigned n = 0; n < alu->num_srcs; n++) {
      const hd_mach_operand *o = &alu->srcs[n];
      const unsigned cycle = scalar ? scalar_cycles[swizzle][n] : vector_cycles[swizzle][n];
      if (!is_register(o) || hd_r700_forwarding_slot(g, o) >= 0 ||
          (!scalar && n == 1 && is_register(&alu->srcs[0]) && o->reg == alu->srcs[0].reg))
         continue;
      /* Constants take the first cycles of the transcendental slot. */
      if (scalar && cycle < constants)
         return false;
      const unsigned channel = channel_of(o);
      int16_t *port = &ports->gpr[cycle][channel % 4];
      if (*port && *port != (int16_t)(channel / 4 + 1))
         return false;
      *port = (int16_t)(channel / 4 + 1);
   }
   return true;
}

/* Swizzles of slots from this one on. */
static bool
find_swizzles(hd_r700_group *g, unsigned slot, ports before)
{
   while (slot < HD_R700_MAX_GROUP && !g->slots[slot])
      slot++;
   if (slot == HD_R700_MAX_GROUP)
      return true;
   const unsigned num = slot == 4 ? 4 : HD_R700_NUM_SWIZZLES;
   for (unsigned n = 0; n < num; n++) {
      ports now = before;
      g->swizzles[slot] = (uint8_t)n;
      if (reserve(g, &now, g->slots[slot], slot == 4, n) && find_swizzles(g, slot + 1, now))
         return true;
   }
   return false;
}

/* Groups */

static bool
add_literal(hd_r700_group *g, const hd_r700_alu *reader, uint32_t bits)
{
   for (unsigned n = 0; n < g->num_literals; n++) {
      if (g->literals[n] == bits)
         return true;
   }
   if (g->num_literals == HD_R700_MAX_GROUP_LITERALS)
      return false;
   g->readers[g->num_literals] = reader;
   g->literals[g->num_literals++] = bits;
   return true;
}

static bool
add_range(hd_r700_group *g, uint32_t constant)
{
   const uint32_t range = (constant & 0xffff0000) | (constant & 0xffff) / HD_R700_RANGE_DWORDS;

   for (unsigned n = 0; n < g->num_ranges; n++) {
      if (g->ranges[n] == range)
         return true;
   }
   if (g->num_ranges == HD_R700_MAX_RANGES)
      return false;
   g->ranges[g->num_ranges++] = range;
   return true;
}

/* Two halves of constants at most: x and y, or z and w. */
static bool
constants_fit(const hd_r700_group *g)
{
   uint32_t pairs[MAX_PAIRS];
   unsigned num = 0;

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      for (unsigned n = 0; g->slots[slot] && n < g->slots[slot]->num_srcs; n++) {
         const hd_mach_operand *o = &g->slots[slot]->srcs[n];
         unsigned k = 0;
         if (o->reg != HD_R700_BUFFER || hd_mach_is_temp(o))
            continue;
         while (k < num && pairs[k] != o->value / 2)
            k++;
         if (k == MAX_PAIRS)
            return false;
         if (k == num)
            pairs[num++] = o->value / 2;
      }
   }
   return true;
}

static bool
fits_in_slot(hd_r700_group *g, const hd_r700_alu *alu, unsigned slot)
{
   hd_r700_group with = *g;
   const ports none = { 0 };

   if (with.slots[slot])
      return false;
   with.slots[slot] = alu;
   for (unsigned n = 0; n < alu->num_srcs; n++) {
      const hd_mach_operand *o = &alu->srcs[n];
      if (is_literal(o) && !add_literal(&with, alu, hd_r700_number(o)))
         return false;
      if (o->reg == HD_R700_BUFFER && !add_range(&with, o->value))
         return false;
   }
   if (!constants_fit(&with) || !find_swizzles(&with, 0, none))
      return false;
   *g = with;
   return true;
}

static bool
fits(hd_r700_group *g, const hd_r700_alu *alu)
{
   const unsigned slots = hd_r700_op_infos[alu->op].slots;

   if (slots & HD_R700_SLOT_V) {
      const unsigned first = alu->dst < 0 ? 0 : (unsigned)alu->dst % 4;
      const unsigned end = alu->dst < 0 ? 4 : first + 1;
      for (unsigned slot = first; slot < end; slot++) {
         if (fits_in_slot(g, alu, slot))
            return true;
      }
   }
   /* What takes the slot of a channel would be moved there from this one. */
   const bool free = alu->dst >= 0 && slots & HD_R700_SLOT_V && !g->slots[alu->dst % 4];
   return slots & HD_R700_SLOT_T && alu->dst >= 0 && !free && fits_in_slot(g, alu, 4);
}

/* Dependencies */

static void
depend(packer *k, uint32_t from, uint32_t to, bool same_group)
{
   if (from == to)
      return;
   k->edges =
       hd_stack_grow(k->p->stack, k->edges, k->num_edges, &k->edge_capacity, sizeof(*k->edges));
   k->edges[k->num_edges] = (edge){ to, k->nodes[from].edges, same_group };
   k->nodes[from].edges = ++k->num_edges;
   *(same_group ? &k->nodes[to].early : &k->nodes[to].late) += 1;
}

/* Reads of a channel since it was written, in a list. */
typedef struct read {
   uint32_t op, next;
} read;

static void
find_dependencies(packer *k)
{
   uint32_t *writer = hd_stack_alloc_zero(k->p->stack, NUM_CHANNELS * sizeof(*writer));
   uint32_t *readers = hd_stack_alloc_zero(k->p->stack, NUM_CHANNELS * sizeof(*readers));
   read *reads = hd_stack_alloc(k->p->stack, (3 * (size_t)k->num + 1) * sizeof(*reads));
   uint32_t num_reads = 0;

   for (uint32_t n = 0; n < k->num; n++) {
      const hd_r700_alu *alu = &k->ops[n];
      for (unsigned s = 0; s < alu->num_srcs; s++) {
         if (!is_register(&alu->srcs[s]))
            continue;
         const unsigned channel = channel_of(&alu->srcs[s]);
         if (writer[channel])
            depend(k, writer[channel] - 1, n, false);
         reads[num_reads] = (read){ n, readers[channel] };
         readers[channel] = ++num_reads;
      }
      /* The lanes that are active change for what stands behind. */
      for (uint32_t before = 0; alu->sets_mask && before < n; before++)
         depend(k, before, n, true);
      if (alu->dst < 0)
         continue;
      if (writer[alu->dst])
         depend(k, writer[alu->dst] - 1, n, false);
      for (uint32_t r = readers[alu->dst]; r; r = reads[r - 1].next)
         depend(k, reads[r - 1].op, n, true);
      readers[alu->dst] = 0;
      writer[alu->dst] = n + 1;
   }
   for (uint32_t n = k->num; n-- > 0;) {
      for (uint32_t e = k->nodes[n].edges; e; e = k->edges[e - 1].next) {
         const uint32_t height = k->nodes[k->edges[e - 1].to].height + !k->edges[e - 1].same_group;
         if (height > k->nodes[n].height)
            k->nodes[n].height = height;
      }
   }
}

/* Scheduling */

/* In order: the highest first, of equal ones the first. */
static void
make_ready(packer *k, uint32_t op)
{
   uint32_t at = k->num_ready++;

   while (at &&
          (k->nodes[k->ready[at - 1]].height < k->nodes[op].height ||
           (k->nodes[k->ready[at - 1]].height == k->nodes[op].height && k->ready[at - 1] > op))) {
      k->ready[at] = k->ready[at - 1];
      at--;
   }
   k->ready[at] = op;
}

static void
place(packer *k, uint32_t op)
{
   k->nodes[op].placed = true;
   k->members[k->num_members++] = op;
   for (uint32_t e = k->nodes[op].edges; e; e = k->edges[e - 1].next) {
      if (k->edges[e - 1].same_group)
         k->nodes[k->edges[e - 1].to].early--;
   }
}

/* Returns whether something was added. */
static bool
add_ready(packer *k, bool one_op)
{
   bool progress = false;

   for (uint32_t n = 0; n < k->num_ready && n < MAX_READY; n++) {
      const uint32_t op = k->ready[n];
      if (k->num_members == (one_op ? 1 : HD_R700_MAX_GROUP))
         return false;
      if (k->nodes[op].placed || k->nodes[op].early || !fits(&k->group, &k->ops[op]))
         continue;
      place(k, op);
      progress = true;
   }
   return progress;
}

static void
forget_before(packer *k)
{
   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++)
      k->before[slot] = -1;
}

static void
fill(packer *k, bool one_op)
{
   memset(&k->group, 0, sizeof(k->group));
   memcpy(k->group.before, k->before, sizeof(k->before));
   k->num_members = 0;
   while (add_ready(k, one_op))
      continue;
}

/* As before it was filled. */
static void
empty(packer *k)
{
   for (uint32_t n = 0; n < k->num_members; n++) {
      node *member = &k->nodes[k->members[n]];
      member->placed = false;
      for (uint32_t e = member->edges; e; e = k->edges[e - 1].next) {
         if (k->edges[e - 1].same_group)
            k->nodes[k->edges[e - 1].to].early++;
      }
   }
}

static void
close_group(packer *k)
{
   uint32_t kept = 0;

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++)
      k->before[slot] = (int16_t)(k->group.slots[slot] ? k->group.slots[slot]->dst : -1);

   for (uint32_t n = 0; n < k->num_ready; n++) {
      if (!k->nodes[k->ready[n]].placed)
         k->ready[kept++] = k->ready[n];
   }
   k->num_ready = kept;
   for (uint32_t n = 0; n < k->num_members; n++) {
      for (uint32_t e = k->nodes[k->members[n]].edges; e; e = k->edges[e - 1].next) {
         node *to = &k->nodes[k->edges[e - 1].to];
         if (!k->edges[e - 1].same_group && !--to->late)
            make_ready(k, k->edges[e - 1].to);
      }
   }
}

/* Each group takes at least one: the first that waits for nothing fits into an empty one. */
void
hd_r700_pack(hd_mach_program *p, const hd_r700_alu *ops, uint32_t num, bool one_op,
             bool (*put)(void *user, const hd_r700_group *group), void *user)
{
   packer k = { .p = p, .ops = ops, .num = num };

   if (!num)
      return;
   k.nodes = hd_stack_alloc_zero(p->stack, num * sizeof(*k.nodes));
   k.ready = hd_stack_alloc(p->stack, num * sizeof(*k.ready));
   find_dependencies(&k);
   for (uint32_t n = 0; n < num; n++) {
      if (!k.nodes[n].late)
         make_ready(&k, n);
   }
   forget_before(&k);
   for (uint32_t left = num; left; left -= k.num_members) {
      hd_heap_step(p->stack->heap, 1);
      fill(&k, one_op);
      if (!k.num_members)
         return;
      if (!put(user, &k.group)) {
         empty(&k);
         forget_before(&k);
         fill(&k, one_op);
         put(user, &k.group);
      }
      close_group(&k);
   }
}
