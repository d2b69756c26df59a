/* SPDX-License-Identifier: MIT */
/* run.c - run a wave of a dispatch, or of any code (hd_r700_sim_run_bare), until it ends. */
#include "backend/r700/sim/sim.h"

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
   static const hd_config defaults;
   const size_t num = bare->code_size / 8;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   r700_sim s = { .options = options ? options : &none,
                  .stack = &stack,
                  .stack_size = bare->stack_size,
                  .num_gprs = HD_R700_NUM_GPRS_ALL,
                  .exported = bare->exported,
                  .target = bare->target };

   s.sink = s.options->diag.report ? &s.options->diag : config ? &config->diag : &defaults.diag;
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
