/* SPDX-License-Identifier: MIT */
/* tested.c - Gen9, for the tests that machines share: with all registers or few. */
#include "machine/tested.h"

#include "heddle/gen9_sim.h"

static hd_result
compile(const hd_shader *shader, uint64_t variant, const char *passes, const hd_diag_sink *sink,
        void **binary)
{
   static const uint8_t few[] = { 8, 10, 16, 24 };
   const hd_gen9_options options = { .max_registers = variant % 2 ? few[variant / 2 % 4] : 0,
                                     .quick = variant / 8 % 3 == 2,
                                     .passes = passes,
                                     .verify_regalloc = true,
                                     .diag = *sink };
   hd_gen9_binary *made;
   const hd_result result = hd_gen9_compile(shader, &options, &made);

   *binary = made;
   return result;
}

static hd_result
run(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, uint64_t seed,
    uint64_t max_steps, const hd_diag_sink *sink)
{
   const hd_gen9_sim_options options = { .max_steps = max_steps, .seed = seed, .diag = *sink };

   return hd_gen9_sim_run_wave(binary, shader, launch, &options, NULL);
}

static hd_result
watch(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, void *user,
      void (*wrote)(void *user, const hd_wave_register *reg),
      void (*stored)(void *user, const hd_wave_stored *store))
{
   const hd_gen9_sim_options options = { .user = user, .wrote = wrote, .stored = stored };

   return hd_gen9_sim_run_wave(binary, shader, launch, &options, NULL);
}

static void
destroy(void *binary)
{
   hd_gen9_binary_destroy(binary);
}

const tested_machine tested = { HD_GEN9_LANES, "lower_builtins(local=2),lower_idiv,opt_dce",
                                compile,       run,
                                watch,         destroy };
