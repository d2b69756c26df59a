/* SPDX-License-Identifier: MIT */
/* tested.c - GFX900, for the tests that machines share. */
#include "machine/tested.h"

#include <stdlib.h>

#include "heddle/gcn_sim.h"

/* What was compiled, and how its arguments are passed. */
typedef struct compiled {
   const hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
} compiled;

static void
destroy(void *binary)
{
   compiled *c = binary;

   if (c) {
      hd_gcn_binary_destroy(c->binary);
      hd_gcn_sim_abi_destroy(c->shader, c->abi);
   }
   free(c);
}

static hd_result
compile(const hd_shader *shader, uint64_t variant, const char *passes, const hd_diag_sink *sink,
        void **binary)
{
   compiled *c = calloc(1, sizeof(*c));
   hd_result result = HD_OUT_OF_MEMORY;

   *binary = c;
   if (!c)
      return result;
   c->shader = shader;
   result = hd_gcn_sim_abi_create(shader, NULL, &c->abi);
   const hd_gcn_options options = {
      .target = HD_GCN_GFX900,
      .abi = HD_GCN_ABI_DRIVER,
      .driver = c->abi,
      .lowering = variant / 2 % 2 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
      .max_vgprs = variant % 2 ? 12 : 0,
      .passes = passes,
      .verify_regalloc = true,
      .diag = *sink,
   };
   if (result == HD_OK)
      result = hd_gcn_compile(shader, &options, &c->binary);
   return result;
}

static hd_result
run(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, uint64_t seed,
    uint64_t max_steps, const hd_diag_sink *sink)
{
   const compiled *c = binary;
   const hd_gcn_sim_options options = { .max_steps = max_steps, .seed = seed, .diag = *sink };

   return hd_gcn_sim_run_wave(c->binary, c->abi, shader, launch, &options, NULL);
}

static hd_result
watch(const void *binary, const hd_shader *shader, const hd_wave_launch *launch, void *user,
      void (*wrote)(void *user, const hd_wave_register *reg),
      void (*stored)(void *user, const hd_wave_stored *store))
{
   const compiled *c = binary;
   const hd_gcn_sim_options options = { .user = user, .wrote = wrote, .stored = stored };

   return hd_gcn_sim_run_wave(c->binary, c->abi, shader, launch, &options, NULL);
}

const tested_machine tested = { .lanes = 64,
                                .passes = "lower_idiv,opt_dce",
                                .compile = compile,
                                .run = run,
                                .watch = watch,
                                .destroy = destroy };
