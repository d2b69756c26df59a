/* SPDX-License-Identifier: MIT */
/* fuzz_programs.c - any list of passes with any options keeps what a program does. Eight bytes are
 * the seed of a random program, one its size, one the kind of launch; the rest are passes. Of a seed that is
 * odd, some instructions are intrinsics of a driver's own, which do the same.
 */
#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "entry.h"
#include "gen/random_program.h"
#include "own/twins.h"
#include "steps.h"

#define MAX_STEPS 12

/* What is needed to see it again: the program, the list. */
static void
fail_on(const hd_shader *shader, const hd_pass_step *steps, uint32_t num)
{
   hd_blob text = { 0 };

   hd_print_shader(shader, NULL, &text);
   hd_blob_printf(&text, "\n--passes='");
   for (uint32_t n = 0; n < num; n++) {
      hd_blob_append(&text, ",", n != 0);
      hd_pass_step_print(&steps[n], &text);
   }
   fprintf(stderr, "%s'\n", text.data ? text.data : "");
   abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_diag_sink sink = hd_diag_to_file(stderr);
   const hd_config config = { .diag = sink, .intrinsics = twin_table() };
   const hd_run_options options = HD_RUN_CHECK_ALL;
   struct bytes bytes = { data, data + size };
   hd_pass_step steps[MAX_STEPS];
   uint32_t num = 0;
   const uint64_t seed = next_seed(&bytes);
   const program_options program = { .size = 4 + next_byte(&bytes) % 48 };
   const hd_diff_test_options launches = { .seed = seed,
                                           .first_launch = next_byte(&bytes),
                                           .num_launches = 1 };
   while (bytes.next < bytes.end && num < MAX_STEPS)
      steps[num++] = next_step(&bytes);
   hd_shader *before = random_program(&config, seed, &program), *after = NULL;
   hd_diff_test *trial = NULL;
   if (before && seed & 1)
      make_twins(before, seed, 1 + (seed >> 1) % 4);
   if (!before || hd_validate(before, NULL) != HD_OK ||
       hd_diff_test_create(before, &launches, &trial) != HD_OK ||
       hd_diff_test_num_runs(trial, NULL) != 1 || hd_shader_clone(before, &config, &after) != HD_OK)
      abort();
   const hd_result result = hd_run_passes(after, steps, num, &options, NULL);
   if (result != HD_UNSUPPORTED &&
       (result != HD_OK || hd_diff_test_compare(trial, after, &sink, NULL) != HD_OK))
      fail_on(before, steps, num);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
   return 0;
}
