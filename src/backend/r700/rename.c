/* SPDX-License-Identifier: MIT */
/* rename.c - register renaming within a clause: break false dependences, so that groups can be full.
 *
 *    T2.X = a + b                  T6.X = a + b
 *    T2.Y = T2.X * c        =>     T2.Y = T6.X * c
 *    T2.X = d + e                  T2.X = d + e
 *
 * The allocator uses as few registers as it can, so independent values share registers, and few
 * instructions could be in one group. The active lanes do not change within the pending instructions, so
 * no lane misses the renamed value.
 */
#include <string.h>

#include "backend/r700/layout.h"

#define NUM_CHANNELS (4u * 128u)

typedef struct renaming {
   uint16_t now[NUM_CHANNELS];   /* where the value of a channel is */
   uint16_t owner[NUM_CHANNELS]; /* of a spare channel: whose value it had last */
} renaming;

/* A spare channel with no value that is read later; or -1. */
static int
take_spare(hd_r700_writer *l, const renaming *r)
{
   const unsigned num = 4 * l->num_spares;

   for (unsigned n = 0; n < num; n++) {
      const unsigned spare = 4 * l->first_spare + l->next_spare;
      l->next_spare = (l->next_spare + 1) % num;
      if (r->now[r->owner[spare]] != spare) {
         const unsigned used = spare / 4 - l->first_spare + 1;
         l->used_spares = used > l->used_spares ? used : l->used_spares;
         return (int)spare;
      }
   }
   return -1;
}

void
hd_r700_rename(hd_r700_writer *l)
{
   renaming r;
   bool *dies = hd_stack_alloc(l->p->stack, l->num_pending + 1);
   bool written[NUM_CHANNELS] = { false };

   if (!l->num_spares)
      return;
   for (uint32_t n = l->num_pending; n-- > 0;) {
      const int dst = l->pending[n].dst;
      dies[n] = dst >= 0 && written[dst];
      if (dst >= 0)
         written[dst] = true;
   }
   for (unsigned n = 0; n < NUM_CHANNELS; n++)
      r.now[n] = (uint16_t)n;
   memset(r.owner, 0, sizeof(r.owner));
   for (uint32_t n = 0; n < l->num_pending; n++) {
      hd_r700_alu *alu = &l->pending[n];
      for (unsigned s = 0; s < alu->num_srcs; s++) {
         hd_mach_operand *o = &alu->srcs[s];
         if (!hd_r700_is_constant(o))
            o->reg = (uint16_t)(HD_R700_V0 + r.now[o->reg - HD_R700_V0]);
      }
      if (alu->dst < 0)
         continue;
      const int was = alu->dst;
      r.now[was] = (uint16_t)was;
      const int spare = dies[n] ? take_spare(l, &r) : -1;
      if (spare >= 0) {
         r.now[was] = (uint16_t)spare;
         r.owner[spare] = (uint16_t)was;
         alu->dst = spare;
      }
   }
}
