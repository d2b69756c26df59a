/* SPDX-License-Identifier: MIT */
/* run.c - run a dispatch: threads in turns (round robin) until all have ended. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"
#include "util/bytes.h"
#include "util/quote.h"

/* Instructions of a turn. */
#define TURN 1000u

void
hd_gen9_sim_load(gen9_sim *s, hd_stack *stack, const void *code, uint32_t size)
{
   const uint8_t *bytes = code;
   unsigned length;

   s->code = bytes;
   s->code_size = size;
   s->insts = hd_stack_alloc_zero(stack, (size / 8 + 1) * sizeof(*s->insts));
   s->lengths = hd_stack_alloc_zero(stack, size / 8 + 1);
   for (uint32_t at = 0; at + 8 <= size; at += 8) {
      if (hd_gen9_decode(bytes + at, size - at, &s->insts[at / 8], &length))
         s->insts[at / 8].op = HD_MACH_OP_NONE;
      s->lengths[at / 8] = (uint8_t)length;
   }
}

/* Uninitialised registers hold a recognisable pattern. */
void
hd_gen9_sim_start(gen9_sim *s, uint32_t thread, const gen9_start *start)
{
   gen9_thread *t = &s->threads[thread];

   memset(t, 0, sizeof(*t));
   memset(t->grf, 0xa5, sizeof(t->grf));
   memcpy(t->grf, start->grf, start->num_grfs * HD_GEN9_GRF_BYTES);
   t->present = t->active = start->channels;
   t->done = !start->channels;
}

/* Channels of the instruction that are active, whatever its predicate says. */
static uint32_t
channels_of(const gen9_thread *t, const hd_gen9_word *w)
{
   const unsigned num = 1u << w->exec, first = 4u * w->chan;
   const uint32_t all = (num < 32 ? (UINT32_C(1) << num) - 1 : UINT32_MAX);
   const uint32_t channels = first < 32 ? all << first : 0;

   return w->mask_off ? channels : channels & t->active;
}

/* A word of the flags or of a0, reported alone: the wave has it. */
static void
tell_word(const gen9_sim *s, const char *file, unsigned reg, unsigned sub, const uint8_t *bytes)
{
   const uint32_t value = (uint32_t)get_number(bytes, 2);
   char name[16];

   snprintf(name, sizeof(name), "%s%u.%u", file, reg, sub);
   s->wrote(s->user, &(hd_wave_register){ s->workgroup, s->thread, name, &value, NULL, 1 });
}

/* The registers that are not what they were. */
static void
tell_changes(const gen9_sim *s, const gen9_thread *t, const gen9_thread *before)
{
   for (unsigned n = 0; n < HD_GEN9_NUM_GRFS; n++) {
      const uint8_t *now = &t->grf[n * HD_GEN9_GRF_BYTES];
      uint32_t values[HD_GEN9_GRF_BYTES / 4];
      char name[16];
      if (!memcmp(now, &before->grf[n * HD_GEN9_GRF_BYTES], HD_GEN9_GRF_BYTES))
         continue;
      for (unsigned k = 0; k < HD_GEN9_GRF_BYTES / 4; k++)
         values[k] = (uint32_t)get_number(&now[4 * k], 4);
      snprintf(name, sizeof(name), "r%u", n);
      s->wrote(s->user, &(hd_wave_register){ s->workgroup, s->thread, name, values, NULL,
                                             HD_GEN9_GRF_BYTES / 4 });
   }
   for (unsigned n = 0; n < sizeof(t->flags); n += 2) {
      if (memcmp(&t->flags[n], &before->flags[n], 2) != 0)
         tell_word(s, "f", n / 4, n / 2 % 2, &t->flags[n]);
   }
   for (unsigned n = 0; n < sizeof(t->address); n += 2) {
      if (memcmp(&t->address[n], &before->address[n], 2) != 0)
         tell_word(s, "a", 0, n / 2, &t->address[n]);
   }
}

static void
trace(const gen9_sim *s, const gen9_thread *t, uint32_t channels)
{
   char text[160];

   hd_gen9_sim_text(s, t->ip, text);
   const hd_gen9_sim_step step = {
      .workgroup = s->workgroup, .wave = s->thread, .ip = t->ip, .channels = channels, .text = text
   };
   s->trace(s->user, &step);
}

static bool
step(gen9_sim *s, gen9_thread *t)
{
   hd_gen9_sim_arrive(t);
   const hd_gen9_word *w = hd_gen9_sim_inst_at(s, t->ip);
   bool good = true;

   if (!w)
      return hd_gen9_sim_fail(s, t->ip >= s->code_size ? "the thread runs out of its code"
                                                       : "no instruction begins here");
   const uint32_t length = s->lengths[t->ip / 8], channels = channels_of(t, w);
   /* A selection reads its predicate, and is not masked by it. */
   const bool selects = w->op == HD_GEN9_SEL;
   const uint32_t taken = selects ? channels : hd_gen9_sim_predicate(t, w, channels);
   if (s->trace)
      trace(s, t, taken);
   s->stats.instructions++;
   s->channel = -1;
   if (hd_gen9_info_of(w)->mach.flags & HD_MACH_BRANCHES)
      return hd_gen9_sim_branch(s, t, w, length, taken);
   switch ((hd_gen9_class)hd_gen9_info_of(w)->shape) {
   case HD_GEN9_CLASS_SEND:
   case HD_GEN9_CLASS_SENDS:
      s->stats.messages++;
      good = hd_gen9_sim_send(s, t, w, taken);
      break;
   case HD_GEN9_CLASS_WAIT:
      if (!t->notified)
         t->at_barrier = true;
      else
         t->notified--;
      if (t->at_barrier)
         return true;
      break;
   case HD_GEN9_CLASS_PLAIN:
      if (w->op == HD_GEN9_ILLEGAL)
         return hd_gen9_sim_fail(s, "an illegal instruction");
      break;
   case HD_GEN9_CLASS_RET:
      return hd_gen9_sim_fail(s, "the simulator does not run %s", hd_gen9_info_of(w)->name);
   default:
      good = hd_gen9_sim_exec(s, t, w, taken);
      break;
   }
   t->ip += length;
   return good;
}

static bool
watched_step(gen9_sim *s, gen9_thread *t)
{
   if (!s->wrote)
      return step(s, t);
   const gen9_thread before = *t;
   const bool good = step(s, t);
   tell_changes(s, t, &before);
   return good;
}

static bool
run_turn(gen9_sim *s, gen9_thread *t, uint32_t steps)
{
   for (; steps && !t->done && !t->at_barrier; steps--) {
      if (s->max_steps && s->stats.instructions >= s->max_steps) {
         hd_gen9_sim_fail(s, "the run takes more than %" PRIu64 " instructions", s->max_steps);
         s->result = HD_BUDGET_EXCEEDED;
         return false;
      }
      if (!watched_step(s, t))
         return false;
   }
   return true;
}

/* When all threads of the group that have not ended have reached the barrier, all are notified. One
 * that waits goes on when it has been.
 */
static void
wake(gen9_sim *s)
{
   bool all = true, some = false;

   for (uint32_t n = 0; n < s->num_threads; n++) {
      all = all && (s->threads[n].came || s->threads[n].done);
      some = some || s->threads[n].came;
   }
   for (uint32_t n = 0; all && some && n < s->num_threads; n++) {
      s->threads[n].came = false;
      s->threads[n].notified += !s->threads[n].done;
   }
   for (uint32_t n = 0; n < s->num_threads; n++) {
      if (s->threads[n].at_barrier && s->threads[n].notified)
         s->threads[n].at_barrier = false;
   }
}

bool
hd_gen9_sim_run(gen9_sim *s)
{
   uint32_t left = s->num_threads;

   while (left) {
      uint32_t waiting = 0;
      left = 0;
      for (s->thread = 0; s->thread < s->num_threads; s->thread++) {
         gen9_thread *t = &s->threads[s->thread];
         uint32_t steps = TURN;
         if (s->seed) {
            s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            steps = (uint32_t)(s->random >> 60) + 1;
         }
         if (!run_turn(s, t, steps))
            return false;
         wake(s);
         left += !t->done;
      }
      for (uint32_t n = 0; n < s->num_threads; n++)
         waiting += s->threads[n].at_barrier;
      if (left && waiting == left) {
         s->thread = 0;
         while (!s->threads[s->thread].at_barrier)
            s->thread++;
         return hd_gen9_sim_fail(s, "deadlock: all threads wait for a notification");
      }
   }
   return true;
}
