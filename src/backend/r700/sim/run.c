/* SPDX-License-Identifier: MIT */
/* run.c - a wave until it ends, and what is wrong with a program, where it is. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "backend/r700/sim/sim.h"
#include "util/quote.h"

static void
text_of(const hd_r700_inst *inst, char text[200])
{
   hd_blob blob = { 0 };

   hd_r700_print(inst, &blob);
   snprintf(text, 200, "%s", blob.result == HD_OK && blob.data ? blob.data : "?");
   hd_blob_finish(&blob);
}

bool
hd_r700_sim_fail(r700_sim *s, const char *format, ...)
{
   char what[160], text[200] = "?", message[440];
   hd_r700_inst inst;
   va_list args;

   if (s->result != HD_OK)
      return false;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   if (s->at < s->num_words && !hd_r700_decode(s->kind, &s->words[s->at], &inst))
      text_of(&inst, text);
   snprintf(message, sizeof(message),
            "workgroup %" PRIu32 ", wave %" PRIu32 ", at %" PRIu32 " %s: %s", s->workgroup,
            s->wave_number, s->at, text, what);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(s->sink, &diag);
   s->result = HD_INVALID;
   return false;
}

bool
hd_r700_sim_decode(r700_sim *s, hd_r700_kind kind, uint32_t at, hd_r700_inst *inst)
{
   s->at = at;
   s->kind = kind;
   if (at >= s->num_words)
      return hd_r700_sim_fail(s, "the wave runs out of its code");
   const char *why = hd_r700_decode(kind, &s->words[at], inst);
   return !why || hd_r700_sim_fail(s, "%s", why);
}

bool
hd_r700_sim_count(r700_sim *s, const hd_r700_inst *inst, bool counts)
{
   if (counts && s->options->max_steps && s->steps >= s->options->max_steps) {
      hd_r700_sim_fail(s, "the run takes more than %" PRIu64 " steps", s->options->max_steps);
      s->result = HD_BUDGET_EXCEEDED;
      return false;
   }
   s->steps += counts;
   if (s->options->trace) {
      char text[200];
      text_of(inst, text);
      const hd_r700_sim_step step = { s->workgroup, s->wave_number, s->at, s->wave->active, text };
      s->options->trace(s->options->user, &step);
   }
   return true;
}

bool
hd_r700_sim_run(r700_sim *s)
{
   s->stats.waves++;
   while (!s->wave->done) {
      if (!hd_r700_sim_control(s))
         return false;
   }
   return true;
}

hd_result
hd_r700_sim_run_bare(const hd_config *config, const hd_r700_sim_bare *bare,
                     const hd_r700_sim_options *options, hd_r700_sim_stats *stats)
{
   static const hd_r700_sim_options none;
   static const hd_config usual;
   const size_t num = bare->code_size / 8;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   r700_sim s = { .options = options ? options : &none,
                  .stack = &stack,
                  .stack_size = bare->stack_size,
                  .exported = bare->exported,
                  .target = bare->target };

   s.sink = s.options->diag.report ? &s.options->diag : config ? &config->diag : &usual.diag;
   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u)) {
      uint64_t *words = hd_stack_alloc_zero(&stack, (num + 1) * sizeof(*words));
      r700_wave *w = s.wave = hd_stack_alloc_zero(&stack, sizeof(*w));
      uint32_t *registers = bare->registers;
      for (size_t n = 0; n < num; n++)
         words[n] = hd_r700_word_at(bare->code, n);
      s.words = words;
      s.num_words = (uint32_t)num;
      s.memory.stack = &stack;
      for (unsigned n = 0; n < 16; n++) {
         s.constants[n] = bare->constants[n];
         s.num_constants[n] = bare->num_constants[n];
      }
      w->active = bare->lanes;
      for (uint32_t n = 0; n < HD_R700_NUM_GPRS_ALL * 4 * HD_R700_LANES; n++)
         w->gpr[n / 256][n / 64 % 4][n % 64] = registers[n];
      hd_r700_sim_run(&s);
      for (uint32_t n = 0; n < HD_R700_NUM_GPRS_ALL * 4 * HD_R700_LANES; n++)
         registers[n] = w->gpr[n / 256][n / 64 % 4][n % 64];
   }
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (stats)
      *stats = s.stats;
   return result != HD_OK ? result : s.result;
}
