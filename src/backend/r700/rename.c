/* SPDX-License-Identifier: MIT */
/* rename.c - register renaming of what is pending: break false dependences, so that groups can be full.
 *
 *    T2.X = a + b                  T6.X = a + b
 *    T2.Y = T2.X * c        =>     T2.Y = T6.X * c
 *    T2.X = d + e                  T2.X = d + e
 *
 * The allocator uses as few registers as it can, so independent values share registers, and few
 * instructions could be in one group. The active lanes do not change within the pending instructions, so
 * no lane misses the renamed value.
 *
 * There are fewer spare channels than values. Taken in the order of the program, one would be written
 * again behind reads that groups could do much later. So groups are made twice: first each value has a
 * number of its own, and the spare channels are taken in the order in which these groups write them.
 */
#include <string.h>

#include "backend/r700/layout.h"

#define NUM_CHANNELS (4u * 128u)

typedef struct spare_channel {
   uint32_t holder;   /* 1 + the value that it had last */
   uint32_t accessed; /* 1 + when it was, in instructions */
} spare_channel;

typedef struct renaming {
   hd_r700_writer *l;
   uint32_t num;
   hd_r700_alu *ops;             /* channels from NUM_CHANNELS on are numbers of values */
   uint32_t *order, num_ordered; /* of ops */
   uint32_t *readers, *left;     /* by value: operands, and those that are not placed */
   uint16_t *where;              /* by value: its spare channel */
   spare_channel *spares;
   unsigned used; /* spare registers */
} renaming;

/* By instruction: nothing reads its result behind what is pending. */
static bool *
find_dying(const renaming *r)
{
   bool *dies = hd_stack_alloc(r->l->p->stack, r->num);
   bool dead[NUM_CHANNELS] = { false }; /* behind what is pending, or until it is written again */

   for (uint32_t n = r->num; n-- > 0;) {
      const hd_r700_alu *alu = &r->ops[n];
      dies[n] = alu->dst >= 0 && dead[alu->dst];
      if (alu->dst >= 0)
         dead[alu->dst] = true;
      for (unsigned s = 0; s < alu->num_srcs; s++) {
         const hd_mach_operand *o = &alu->srcs[s];
         if (o->flags & HD_MACH_OPERAND_KILL && !hd_r700_is_constant(o) &&
             !hd_r700_is_fetched_from(r->l, o->reg - (unsigned)HD_R700_V0))
            dead[o->reg - HD_R700_V0] = true;
      }
   }
   return dies;
}

static void
number_values(renaming *r)
{
   const bool *dies = find_dying(r);
   uint16_t now[NUM_CHANNELS]; /* whose value a channel has */
   uint32_t num = 0;

   for (unsigned n = 0; n < NUM_CHANNELS; n++)
      now[n] = (uint16_t)n;
   for (uint32_t n = 0; n < r->num; n++) {
      hd_r700_alu *alu = &r->ops[n];
      for (unsigned s = 0; s < alu->num_srcs; s++) {
         hd_mach_operand *o = &alu->srcs[s];
         if (hd_r700_is_constant(o))
            continue;
         const unsigned value = now[o->reg - HD_R700_V0];
         o->reg = (uint16_t)(HD_R700_V0 + value);
         if (value >= NUM_CHANNELS)
            r->readers[value - NUM_CHANNELS]++;
      }
      if (alu->dst < 0)
         continue;
      const int was = alu->dst;
      if (dies[n])
         alu->dst = (int)(NUM_CHANNELS + num++);
      now[was] = (uint16_t)alu->dst;
   }
}

/* Those of a group as they stand in the program: reads before the write that may be in their group. */
static bool
append_order(void *user, const hd_r700_group *group)
{
   renaming *r = user;
   const uint32_t first = r->num_ordered;

   for (unsigned slot = 0; slot < HD_R700_MAX_GROUP; slot++) {
      if (!group->slots[slot])
         continue;
      const uint32_t op = (uint32_t)(group->slots[slot] - r->ops);
      uint32_t at = r->num_ordered++;
      for (; at > first && r->order[at - 1] > op; at--)
         r->order[at] = r->order[at - 1];
      r->order[at] = op;
   }
   return true;
}

/* The channel is that of the slot. Of registers whose value is not read any more, the one that has not been
 * accessed for the longest time. False: there is none.
 */
static bool
take_spare(renaming *r, uint32_t value)
{
   unsigned best = r->l->num_spares;

   for (unsigned spare = 0; spare < r->l->num_spares; spare++) {
      const spare_channel *c = &r->spares[4 * spare + value % 4];
      if ((!c->holder || !r->left[c->holder - 1]) &&
          (best == r->l->num_spares || c->accessed < r->spares[4 * best + value % 4].accessed))
         best = spare;
   }
   if (best == r->l->num_spares)
      return false;
   r->where[value] = (uint16_t)(4 * best + value % 4);
   r->spares[r->where[value]].holder = value + 1;
   r->used = best + 1 > r->used ? best + 1 : r->used;
   return true;
}

static unsigned
access(renaming *r, uint32_t value, uint32_t time)
{
   r->spares[r->where[value]].accessed = time + 1;
   return 4 * r->l->first_spare + r->where[value];
}

static bool
place(renaming *r, hd_r700_alu *alu, uint32_t time)
{
   for (unsigned s = 0; s < alu->num_srcs; s++) {
      hd_mach_operand *o = &alu->srcs[s];
      if (hd_r700_is_constant(o) || o->reg < HD_R700_V0 + NUM_CHANNELS)
         continue;
      const unsigned value = o->reg - (unsigned)HD_R700_V0 - NUM_CHANNELS;
      o->reg = (uint16_t)(HD_R700_V0 + access(r, value, time));
      r->left[value]--;
   }
   if (alu->dst < (int)NUM_CHANNELS)
      return true;
   const uint32_t value = (uint32_t)alu->dst - NUM_CHANNELS;
   if (!take_spare(r, value))
      return false;
   alu->dst = (int)access(r, value, time);
   return true;
}

/* In the order of the groups, or of the program. False: there are too few spare channels. */
static bool
place_all(renaming *r, bool in_groups)
{
   hd_r700_alu *placed = hd_stack_alloc(r->l->p->stack, r->num * sizeof(*placed));

   r->used = r->l->used_spares;
   memcpy(r->left, r->readers, r->num * sizeof(*r->left));
   memset(r->spares, 0, 4 * r->l->num_spares * sizeof(*r->spares));
   for (uint32_t n = 0; n < r->num; n++) {
      placed[n] = r->ops[in_groups ? r->order[n] : n];
      if (!place(r, &placed[n], n))
         return false;
   }
   memcpy(r->l->pending, placed, r->num * sizeof(*placed));
   r->l->used_spares = r->used;
   return true;
}

void
hd_r700_rename(hd_r700_writer *l)
{
   hd_stack *stack = l->p->stack;
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   const uint32_t num = l->num_pending;
   renaming r = { .l = l, .num = num };

   if (!l->num_spares || !num)
      return;
   r.ops = hd_stack_alloc(stack, num * sizeof(*r.ops));
   memcpy(r.ops, l->pending, num * sizeof(*r.ops));
   r.order = hd_stack_alloc(stack, num * sizeof(*r.order));
   r.readers = hd_stack_alloc_zero(stack, num * sizeof(*r.readers));
   r.left = hd_stack_alloc(stack, num * sizeof(*r.left));
   r.where = hd_stack_alloc(stack, num * sizeof(*r.where));
   r.spares = hd_stack_alloc(stack, 4 * l->num_spares * sizeof(*r.spares));
   number_values(&r);
   hd_r700_pack(l->p, r.ops, num, hd_r700_of(l->p)->options->one_op_groups, append_order, &r);
   if (!place_all(&r, true))
      place_all(&r, false);
   hd_stack_release(stack, mark);
}
