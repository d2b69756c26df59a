/* SPDX-License-Identifier: MIT */
/* fuzz_structurize.c - any valid shader from form to form. The first byte chooses four changes, for
 * each function as far as they take its form; the rest is text. After each the shader is valid.
 */
#include "heddle/check.h"
#include "heddle/structurize.h"
#include "heddle/text.h"

#include "entry.h"
#include "own/table.h"

static void
fail(const hd_function *f, unsigned choice, const char *what)
{
   static const char *const changes[] = { "unstructure", "linearize", "lower_returns", "reconverge",
                                          "structurize" };

   fprintf(stderr, "@%s, %s: %s\n", f->name, changes[choice % 5], what);
   abort();
}

/* An order names each block that can be reached, once. */
static hd_result
linearize(hd_function *f)
{
   hd_linear *linear = NULL;
   hd_result result = hd_linearize(f, &linear, NULL, NULL);

   if (result != HD_OK)
      return result;
   for (uint32_t n = 0; n < linear->num_steps; n++) {
      const hd_linear_step *step = &linear->steps[n];
      if (step->block && linear->step_of_block[step->block->node.index] != n)
         fail(f, 1, "a block is at another step");
      if (step->join <= n)
         fail(f, 1, "a join leads back");
   }
   hd_linear_destroy(f->shader, linear);
   return HD_OK;
}

static hd_result
change(hd_function *f, unsigned choice)
{
   const hd_reconverge_options order = { .order = (hd_reconverge_order)(choice / 5 % 4) };

   if (f->structured)
      return choice % 5 == 0 ? HD_OK : hd_unstructure(f);
   switch (choice % 5) {
   case 0:
      return hd_unstructure(f);
   case 1:
      return linearize(f);
   case 2:
      return hd_lower_returns(f);
   case 3: {
      /* Returns and halts that would have to end at one place are refused; nothing has changed. */
      hd_result result = hd_reconverge(f, &order);
      return result == HD_UNSUPPORTED ? HD_OK : result;
   }
   default:
      return hd_structurize(f, NULL);
   }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   hd_config config = { .diag = { NULL, ignore }, .intrinsics = &own_table };
   hd_shader *shader = size ? valid_shader(&config, data + 1, size - 1) : NULL;

   if (shader) {
      const hd_validate_options options = { .diag = hd_diag_to_file(stderr), .metadata = true };
      unsigned choice = data[0];

      for (unsigned n = 0; n < 4; n++) {
         choice = choice / 2 + 3 * n;
         hd_foreach_function(f, shader) {
            hd_result result = change(f, choice);
            if (result != HD_OK)
               fail(f, choice, hd_result_name(result));
            if (hd_validate_function(f, &options) != HD_OK)
               fail(f, choice, "not valid");
         }
      }
   }
   hd_shader_destroy(shader);
   return 0;
}
