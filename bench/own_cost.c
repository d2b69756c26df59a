/* SPDX-License-Identifier: MIT */
/* own_cost.c - intrinsics of a driver's own cost nothing where they are not used.
 *
 *    own_cost FILE...
 *
 * Reads each kernel, runs O2 on it, compiles it for GCN and writes its binary form, in counted work (work.h): without
 * a table, and with one that it does not use. No look-up of own intrinsics runs in either. With a table, what makes a
 * shader (reading, and compiling, which works on a copy) checks it once; all else has the same work. Exit status 1: it
 * is not so.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/binary.h>
#include <heddle/check.h>
#include <heddle/gcn.h>
#include <heddle/pass.h>
#include <heddle/text.h>

#include "ir/own_intrinsics.h"
#include "own/table.h"
#include "work.h"

enum { READ, VALIDATE, OPTIMIZE, COMPILE, WRITE, NUM_STEPS };

static const char *const names[NUM_STEPS] = { "read", "validate", "optimize", "compile", "write" };

#define ADDRESSES                                                                                  \
   1000 /* one step of so many: where allocations lie decides how long hash tables look */
#define CHECK 2000 /* the table's rows, looked at once */

struct cost {
   uint64_t work[NUM_STEPS];
   uint64_t look_ups[NUM_STEPS];
};

/* The linker sends calls from other files of the library here (--wrap). */
static uint64_t look_ups;

#define WRAP(result, name, params, args)                                                           \
   result __real_##name params;                                                                    \
   result __wrap_##name params;                                                                    \
   result __wrap_##name params                                                                     \
   {                                                                                               \
      look_ups++;                                                                                  \
      return __real_##name args;                                                                   \
   }

WRAP(const hd_own_intrinsic *, hd_shader_own_intrinsic, (const hd_shader *shader, unsigned id),
     (shader, id))
WRAP(const hd_intrinsic_info *, hd_own_shader_info, (const hd_shader *shader, unsigned id),
     (shader, id))
WRAP(const hd_intrinsic_info *, hd_own_instr_info, (const hd_instr *instr), (instr))

static void
must(bool good, const char *file, const char *what)
{
   if (!good) {
      fprintf(stderr, "own_cost: %s: %s failed\n", file, what);
      exit(1);
   }
}

static void
step(const char *file, unsigned n, hd_result result, struct cost *c, uint64_t *since)
{
   must(result == HD_OK, file, names[n]);
   c->work[n] = work_done - *since;
   c->look_ups[n] = look_ups;
   look_ups = 0;
   *since = work_done;
}

static struct cost
measure(const char *file, const char *text, size_t size, const hd_intrinsic_table *table)
{
   const hd_config config = { .intrinsics = table };
   const hd_gcn_options options = { .target = HD_GCN_GFX900 };
   struct cost c = { 0 };
   hd_shader *shader = NULL;
   hd_gcn_binary *binary = NULL;
   hd_blob bytes = { 0 };
   uint64_t since = work_done;

   look_ups = 0;
   step(file, READ, hd_parse(&config, file, text, size, &shader), &c, &since);
   step(file, VALIDATE, hd_validate(shader, NULL), &c, &since);
   step(file, OPTIMIZE, hd_run_pipeline(shader, "O2", NULL, NULL), &c, &since);
   step(file, COMPILE, hd_gcn_compile(shader, &options, &binary), &c, &since);
   step(file, WRITE, hd_write_binary(shader, &bytes), &c, &since);
   hd_blob_finish(&bytes);
   hd_gcn_binary_destroy(binary);
   hd_shader_destroy(shader);
   return c;
}

static bool
compare(const char *file)
{
   FILE *in = fopen(file, "rb");
   static char text[1 << 20];
   bool good = true;

   must(in, file, "opening");
   const size_t size = fread(text, 1, sizeof(text), in);
   must(size < sizeof(text) && !fclose(in), file, "reading");

   const struct cost without = measure(file, text, size, NULL);
   const struct cost with = measure(file, text, size, &own_table);
   for (unsigned n = 0; n < NUM_STEPS; n++) {
      const uint64_t check = n == READ || n == COMPILE ? CHECK : 0;
      const bool holds = !without.look_ups[n] && !with.look_ups[n] && without.work[n] > 0 &&
                         without.work[n] <= with.work[n] + with.work[n] / ADDRESSES &&
                         with.work[n] <= without.work[n] + check + without.work[n] / ADDRESSES;
      printf("%s%s, %s: %" PRIu64 " without a table, %" PRIu64 " with one; look-ups: %" PRIu64
             ", %" PRIu64 "\n",
             holds ? "" : "WRONG: ", file, names[n], without.work[n], with.work[n],
             without.look_ups[n], with.look_ups[n]);
      good &= holds;
   }
   return good;
}

int
main(int argc, char **argv)
{
   bool good = argc > 1;

   for (int n = 1; n < argc; n++)
      good &= compare(argv[n]);
   return !good;
}
