/* SPDX-License-Identifier: MIT */
/* fuzz_gcn_programs.c - machine code of random programs, with any options and after any passes,
 * does what the interpreter does. Eight bytes are the seed of the program, one its size, one the
 * kind of launch, two the options; the rest are passes that run before.
 */
#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/gcn_sim.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "entry.h"
#include "gcn_cell.h"
#include "gen/random_program.h"
#include "steps.h"
#include "support/heard.h"

#define MAX_STEPS 4

struct cell {
   const hd_shader *shader;
   hd_gcn_options options;
   bool refused;
};

/* The interface follows from the launch: it has descriptors that the shader may no longer name. */
static hd_result
compile_and_run(void *user, const hd_wave_launch *launch)
{
   struct cell *cell = user;
   const hd_gcn_sim_options options = { .max_steps = launch->max_steps * 200,
                                        .diag = launch->diag };
   hd_gcn_options compile = cell->options;
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   hd_result result = hd_gcn_sim_abi_create(cell->shader, launch, &abi);

   compile.abi = HD_GCN_ABI_DRIVER;
   compile.driver = abi;
   compile.diag = launch->diag;
   if (result == HD_OK)
      result = hd_gcn_compile(cell->shader, &compile, &binary);
   cell->refused = result == HD_UNSUPPORTED;
   if (result == HD_OK)
      result = hd_gcn_sim_run_wave(binary, abi, cell->shader, launch, &options, NULL);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(cell->shader, abi);
   return result;
}

static void
compile_and_compare(hd_shader *shader, hd_diff_test *trial, unsigned choice)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   struct cell cell = { .shader = shader, .options = gcn_options_of(choice) };
   hd_blob text = { 0 };

   if (hd_diff_test_compare_run(trial, compile_and_run, &cell, &sink) == HD_OK || cell.refused)
      return;
   hd_print_shader(shader, NULL, &text);
   fprintf(stderr, "%s\n%soptions %u%s\n", text.data ? text.data : "", heard.all, choice,
           hd_diff_test_compare(trial, shader, NULL, NULL) == HD_OK ? "" : "; passes are to blame");
   abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_config config = { .diag = { NULL, NULL } };
   struct bytes bytes = { data, data + size };
   hd_pass_step steps[MAX_STEPS];
   uint32_t num = 0;
   const uint64_t seed = next_seed(&bytes);
   const program_options program = {
      .size = 4 + next_byte(&bytes) % 40,
      .compute = true,
      .no_images = true,
      .no_shared_floats = true,
   };
   const hd_diff_test_options launches = { .seed = seed,
                                           .first_launch = next_byte(&bytes),
                                           .num_launches = 1 };
   unsigned choice = next_byte(&bytes);
   choice |= next_byte(&bytes) << 8;
   while (bytes.next < bytes.end && num < MAX_STEPS)
      steps[num++] = next_step(&bytes);

   hd_shader *before = random_program(&config, seed, &program), *after = NULL;
   hd_diff_test *trial = NULL;
   must(before);
   before->subgroup_size = 64;
   must(hd_diff_test_create(before, &launches, &trial) == HD_OK &&
        hd_shader_clone(before, &config, &after) == HD_OK);
   if (hd_diff_test_num_runs(trial, NULL) == 1) {
      const hd_result result = hd_run_passes(after, steps, num, NULL, NULL);
      must(result == HD_OK || result == HD_UNSUPPORTED);
      if (result == HD_OK)
         compile_and_compare(after, trial, choice);
   }
   hd_diff_test_destroy(trial);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
   return 0;
}
