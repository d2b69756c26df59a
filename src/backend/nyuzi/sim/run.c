/* SPDX-License-Identifier: MIT */
/* run.c - run a dispatch: threads in turns (round robin) until all have ended. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/nyuzi/sim/sim.h"

/* Instructions of a turn. */
#define TURN 1000u

static void
trace(sim *s, const sim_thread *t)
{
   char text[64];

   hd_nyuzi_sim_text(s, t->pc, text);
   const hd_nyuzi_sim_step step = { .workgroup = s->workgroup,
                                    .wave = s->thread,
                                    .pc = 4 * t->pc,
                                    .word = s->code[t->pc],
                                    .mask = hd_nyuzi_sim_mask(t, &s->insts[t->pc]),
                                    .is_scalar = hd_nyuzi_sim_is_scalar(&s->insts[t->pc]),
                                    .text = text };
   s->options->trace(s->options->user, &step);
}

/* The registers that are not what they were. */
static void
tell_changes(const sim *s, const sim_thread *t, const sim_thread *before)
{
   for (unsigned n = 0; n < 64; n++) {
      const bool vector = n >= 32;
      const uint32_t *now = vector ? t->v[n - 32] : &t->s[n];
      const uint32_t *was = vector ? before->v[n - 32] : &before->s[n];
      const unsigned num = vector ? HD_NYUZI_LANES : 1;
      char name[8];
      if (!memcmp(now, was, num * sizeof(*now)))
         continue;
      snprintf(name, sizeof(name), "%c%u", vector ? 'v' : 's', n % 32);
      s->options->wrote(s->options->user, &(hd_wave_register){ .workgroup = s->workgroup,
                                                               .wave = s->thread,
                                                               .name = name,
                                                               .values = now,
                                                               .num = num });
   }
}

static bool
step(sim *s, sim_thread *t)
{
   if (s->options->trace)
      trace(s, t);
   if (!s->options->wrote)
      return hd_nyuzi_sim_step_thread(s, t);
   const sim_thread before = *t;
   const bool good = hd_nyuzi_sim_step_thread(s, t);
   tell_changes(s, t, &before);
   return good;
}

static bool
run_turn(void *user, uint32_t thread, uint64_t steps)
{
   sim *s = user;
   sim_thread *t = &s->threads[thread];

   s->thread = thread;
   for (; steps && !t->done; steps--) {
      if (s->options->max_steps && s->stats.instructions >= s->options->max_steps) {
         hd_nyuzi_sim_fail(s, "the run takes more than %" PRIu64 " instructions",
                           s->options->max_steps);
         s->result = HD_BUDGET_EXCEEDED;
         return false;
      }
      if (t->pc >= s->num_words || !s->insts[t->pc].op) {
         t->pc++;
         return hd_nyuzi_sim_fail(s, t->pc > s->num_words
                                         ? "the thread runs out of its code"
                                         : "expected an instruction, found another word");
      }
      if (!step(s, t))
         return false;
   }
   return true;
}

static bool
is_ready(void *user, uint32_t thread)
{
   return !((const sim *)user)->threads[thread].done;
}

/* Threads wait for barriers in a loop: none may run for ever. */
bool
hd_nyuzi_sim_run(sim *s)
{
   s->turns.num_waves = s->num_threads;
   s->turns.turn = TURN;
   s->turns.user = s;
   s->turns.is_ready = is_ready;
   s->turns.run = run_turn;
   return hd_mach_turns_run(&s->turns);
}
