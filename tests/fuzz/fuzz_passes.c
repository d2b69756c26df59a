/* SPDX-License-Identifier: MIT */
/* fuzz_passes.c - any passes on any valid shader, with every check on. The first byte chooses the
 * passes, their options and whether they work on copies; the rest is text.
 */
#include "heddle/check.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "entry.h"
#include "own/table.h"
#include "steps.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   hd_config config = { .diag = { NULL, ignore }, .intrinsics = &own_table };
   hd_run_options options = HD_RUN_CHECK_ALL;
   hd_shader *shader = size ? valid_shader(&config, data + 1, size - 1) : NULL;

   if (shader) {
      unsigned choice = data[0];

      /* What finds a fault from here on is a wrong pass, analysis or check. */
      options.keep_on_failure = choice & 1;
      options.diag = hd_diag_to_file(stderr);
      for (unsigned n = 0; n < 4; n++) {
         choice = choice / 2 + n;
         /* Options follow from the choice and from what is left of the text, which is as good as
          * any number.
          */
         uint8_t mixed[1 + HD_MAX_PASS_OPTIONS] = { (uint8_t)(choice % hd_num_passes()) };
         for (unsigned k = 0; k < HD_MAX_PASS_OPTIONS; k++)
            mixed[1 + k] = (uint8_t)((choice + 1) * (k + 3) * 37 + size);
         struct bytes bytes = { mixed, mixed + sizeof(mixed) };
         const hd_pass_step step = next_step(&bytes);
         const hd_result result = hd_run_passes(shader, &step, 1, &options, NULL);
         if (result == HD_UNSUPPORTED)
            break;
         if (result != HD_OK)
            abort();
      }
   }
   hd_shader_destroy(shader);
   return 0;
}
