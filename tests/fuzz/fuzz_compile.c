/* SPDX-License-Identifier: MIT */
/* fuzz_compile.c - any valid shader to the code of any machine: it is refused with a message, or what comes out is
 * the same bytes once more, with a register allocation that re-execution finds right. One byte chooses the
 * machine and the options, the rest is text. Intrinsics of a driver's own are refused by name here;
 * fuzz_gcn_compile.c selects them.
 */
#include <string.h>

#include "heddle/check.h"
#include "heddle/target.h"
#include "heddle/text.h"

#include "entry.h"
#include "own/table.h"
#include "support/heard.h"

static void
compile(const hd_shader *shader, const hd_target *target, unsigned choice)
{
   struct heard heard = { 0 };
   hd_target_binary *binary = NULL, *again = NULL;
   const hd_compile_options options = {
      .optimization = choice & 1 ? HD_OPTIMIZE_QUICK : HD_OPTIMIZE_FULL,
      .verify_regalloc = true,
      .keep_text = choice & 2,
      .diag = { &heard, hear },
   };

   const hd_result result = hd_compile(shader, target, &options, &binary);
   if (result == HD_OK) {
      must(!heard.count && binary->code_size > 0 && binary->target == target);
      must(!binary->text == !(choice & 2));
      must(hd_compile(shader, target, &options, &again) == HD_OK);
      must(again->code_size == binary->code_size &&
           !memcmp(again->code, binary->code, binary->code_size));
   } else if ((result != HD_UNSUPPORTED || !heard.count || binary) &&
              result != HD_BUDGET_EXCEEDED) {
      fprintf(stderr, "%s, result %d: %s\n", hd_target_get_name(target), (int)result,
              heard.count ? heard.last : "no message");
      abort();
   }
   hd_target_binary_destroy(binary);
   hd_target_binary_destroy(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const hd_config config = { .diag = { NULL, ignore },
                              .budget = { .memory = 1 << 28, .steps = 20000000 },
                              .intrinsics = &own_table };
   hd_shader *shader = size ? valid_shader(&config, data + 1, size - 1) : NULL;

   if (shader)
      compile(shader, hd_target_get(data[0] % 64 % hd_num_targets()), data[0] / 64);
   hd_shader_destroy(shader);
   return 0;
}
