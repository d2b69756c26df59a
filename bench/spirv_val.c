/* SPDX-License-Identifier: MIT */
/* spirv_val.c - what SPIRV-Tools' validator takes for a module, in process.
 *
 *    spirv_val [--seconds=S] FILE.spv
 *
 * One line of JSON: nanoseconds of CPU time of the fastest round.
 */
#include "clock.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char **argv)
{
   static uint32_t words[1 << 22];
   const char *path = NULL;
   double seconds = 0, best = 0;

   for (int n = 1; n < argc; n++) {
      if (!strncmp(argv[n], "--seconds=", 10))
         seconds = strtod(argv[n] + 10, NULL);
      else
         path = argv[n];
   }
   FILE *file = path ? fopen(path, "rb") : NULL;
   if (!file) {
      fprintf(stderr, "usage: spirv_val [--seconds=S] FILE.spv\n");
      return 2;
   }
   const size_t count = fread(words, 4, sizeof(words) / 4, file);
   fclose(file);
   const double until = cpu_ns() + seconds * 1e9;
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   spv_validator_options options = spvValidatorOptionsCreate();
   spvValidatorOptionsSetScalarBlockLayout(options, true);
   for (unsigned n = 0; n < 3 || (n < 1000 && cpu_ns() < until); n++) {
      struct spv_const_binary_t binary = { words, count };
      spv_diagnostic diagnostic = NULL;
      const double since = cpu_ns();
      if (spvValidateWithOptions(context, options, &binary, &diagnostic) != SPV_SUCCESS) {
         fprintf(stderr, "%s: %s\n", path, diagnostic ? diagnostic->error : "invalid");
         return 1;
      }
      const double took = cpu_ns() - since;
      best = best == 0 || took < best ? took : best;
   }
   printf("{\"ns\": %.0f}\n", best);
   spvValidatorOptionsDestroy(options);
   spvContextDestroy(context);
   return 0;
}
