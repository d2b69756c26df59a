/* SPDX-License-Identifier: MIT */
/* fuzz_gcn_programs.c - machine code of random programs, with any options and after any passes,
 * does what the interpreter does. Eight bytes are the seed of the program, one its size, one the
 * kind of launch, two the options; the rest are passes that run before.
 */
#include <stdlib.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/gcn_sim.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "gcn_cell.h"
#include "gen/random_program.h"
#include "steps.h"

#define MAX_STEPS 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool holds)
{
   if (!holds)
      abort();
}

struct compiled {
   const hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
};

static hd_result
simulate(void *user, const hd_wave_launch *launch)
{
   const struct compiled *c = user;
   const hd_gcn_sim_options options = { .max_steps = launch->max_steps * 200,
                                        .diag = launch->diag };

   return hd_gcn_sim_run_wave(c->binary, c->abi, c->shader, launch, &options, NULL);
}

static void
compile_and_compare(const hd_shader *shader, hd_trial *trial, unsigned choice)
{
   const hd_diag_sink sink = hd_diag_to_file(stderr);
   struct compiled c = { .shader = shader };
   hd_gcn_options options = gcn_options_of(choice);
   hd_result result = hd_gcn_sim_abi_create(shader, NULL, &c.abi);

   options.abi = HD_GCN_ABI_DRIVER;
   options.driver = c.abi;
   if (result == HD_OK)
      result = hd_gcn_compile(shader, &options, &c.binary);
   if (result == HD_OK)
      result = hd_trial_compare_run(trial, simulate, &c, &sink);
   if (result != HD_OK && result != HD_UNSUPPORTED) {
      hd_blob text = { 0 };
      hd_print_shader(shader, NULL, &text);
      fprintf(stderr, "%s\noptions %u\n", text.data ? text.data : "", choice);
      abort();
   }
   hd_gcn_binary_destroy(c.binary);
   hd_gcn_sim_abi_destroy(shader, c.abi);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_config config = { .diag = { NULL, NULL } };
   struct bytes bytes = { data, data + size };
   hd_pass_step steps[MAX_STEPS];
   uint32_t num = 0;
   uint64_t seed = 0;

   for (unsigned n = 0; n < 8; n++)
      seed = seed << 8 | next_byte(&bytes);
   const program_options program = {
      .size = 4 + next_byte(&bytes) % 40,
      .compute = true,
      .no_images = true,
      .no_shared_floats = true,
   };
   const hd_trial_options launches = { .seed = seed,
                                       .first_launch = next_byte(&bytes),
                                       .num_launches = 1 };
   unsigned choice = next_byte(&bytes);
   choice |= next_byte(&bytes) << 8;
   while (bytes.next < bytes.end && num < MAX_STEPS)
      steps[num++] = next_step(&bytes);

   hd_shader *shader = random_program(&config, seed, &program);
   hd_trial *trial = NULL;
   must(shader);
   shader->subgroup_size = 64;
   must(hd_trial_create(shader, &launches, &trial) == HD_OK);
   if (hd_trial_num_runs(trial, NULL) == 1) {
      const hd_result result = hd_run_passes(shader, steps, num, NULL, NULL);
      must(result == HD_OK || result == HD_UNSUPPORTED);
      if (result == HD_OK)
         compile_and_compare(shader, trial, choice);
   }
   hd_trial_destroy(trial);
   hd_shader_destroy(shader);
   return 0;
}
