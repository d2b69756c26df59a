/* SPDX-License-Identifier: MIT */
/* flow.c - execution of branches: which channels continue, and where the others wait. */
#include "backend/gen9/sim/sim.h"

void
hd_gen9_sim_arrive(gen9_thread *t)
{
   for (unsigned n = 0; n < GEN9_CHANNELS; n++) {
      if (t->present >> n & 1 && !(t->active >> n & 1) && t->waits[n] == t->ip &&
          !(t->broke >> n & 1))
         t->active |= 1u << n;
   }
}

static void
wait_at(gen9_thread *t, uint32_t channels, uint32_t ip)
{
   for (unsigned n = 0; n < GEN9_CHANNELS; n++) {
      if (channels >> n & 1)
         t->waits[n] = ip;
   }
   t->active &= ~channels;
   t->broke &= ~channels;
}

/* Those that broke out of the loop that ends here go on after it. */
static void
leave_loop(gen9_thread *t, uint32_t next)
{
   for (unsigned n = 0; n < GEN9_CHANNELS; n++) {
      if (t->broke >> n & 1 && t->waits[n] == t->ip) {
         t->waits[n] = next;
         t->broke &= ~(1u << n);
      }
   }
}

/* Is there a channel that goes on at this place? */
static bool
is_awaited(const gen9_thread *t, uint32_t ip)
{
   for (unsigned n = 0; n < GEN9_CHANNELS; n++) {
      if (t->present >> n & 1 && !(t->active >> n & 1) && !(t->broke >> n & 1) && t->waits[n] == ip)
         return true;
   }
   return false;
}

/* To the next instruction if somebody goes on there, else to JIP. */
static void
go_on(gen9_thread *t, uint32_t next, uint32_t jip)
{
   t->ip = t->active || is_awaited(t, next) ? next : jip;
}

bool
hd_gen9_sim_branch(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t length,
                   uint32_t taken)
{
   const uint32_t next = t->ip + length;
   const uint32_t jip = t->ip + (uint32_t)w->jip, uip = t->ip + (uint32_t)w->uip;
   const uint32_t others = t->active & ~taken;

   s->stats.branches++;
   switch (w->op) {
   case HD_GEN9_JMPI:
      t->ip = taken & 1 ? next + (uint32_t)w->jip : next;
      return true;
   case HD_GEN9_IF:
      wait_at(t, others, jip);
      go_on(t, next, jip);
      return true;
   case HD_GEN9_ELSE:
      wait_at(t, t->active, jip);
      go_on(t, next, jip);
      return true;
   case HD_GEN9_ENDIF:
   case HD_GEN9_JOIN:
      t->ip = t->active ? next : jip;
      return true;
   case HD_GEN9_BREAK:
      taken &= t->active;
      wait_at(t, taken, uip);
      t->broke |= taken;
      go_on(t, next, jip);
      return true;
   case HD_GEN9_CONT:
   case HD_GEN9_HALT:
      wait_at(t, taken & t->active, uip);
      go_on(t, next, jip);
      return true;
   case HD_GEN9_WHILE:
      taken &= t->active;
      if (taken) {
         wait_at(t, others, next);
         t->ip = jip;
         return true;
      }
      leave_loop(t, next);
      t->ip = next;
      return true;
   case HD_GEN9_GOTO:
      taken &= t->active;
      if (w->option) {
         /* Back to UIP, with those that go there first. */
         wait_at(t, others, next);
         t->ip = t->active ? uip : next;
         return true;
      }
      wait_at(t, others, uip);
      go_on(t, next, jip);
      return true;
   default:
      return hd_gen9_sim_fail(s, "the simulator does not run the branch %s",
                              hd_gen9_info_of(w)->name);
   }
}
