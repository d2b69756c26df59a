/* SPDX-License-Identifier: MIT */
/* test_text.c - programs between all phases as text: read, and printed as the same text again; what is
 * said of bad operands of R700.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/r700/program.h"
#include "gen/random_program.h"
#include "machine/text/program.h"

#define NUM_PROGRAMS 200
#define MIN_COMPILED 30 /* floats of 16 and 64 bits, atomics and more are refused */

static void
hear(void *user, const hd_diag *diag)
{
   hd_blob_printf(user, "%u:%u: %s\n", diag->line, diag->column, diag->message);
}

/* What the text becomes; `heard` has what was told. */
static bool
read_and_print(const char *text, hd_blob *heard, hd_blob *again)
{
   const hd_config config = { .diag = { heard, hear } };
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_r700_program r700 = { .mach = { .stack = &stack, .mach = &hd_r700_mach } };
   volatile bool read = false;

   hd_heap_init(&heap, NULL);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u))
      read = hd_r700_program_parse(&r700.mach, &config, "text", text, strlen(text));
   assert_int_equal(hd_heap_leave(&heap, &u), HD_OK);
   if (read)
      hd_r700_program_print(&r700.mach, again);
   hd_stack_finish(&stack);
   return read;
}

static void
read_back(void *user, const char *phase, const char *text)
{
   unsigned *seen = user;
   hd_blob heard = { 0 }, again = { 0 };

   ++*seen;
   if (!read_and_print(text, &heard, &again))
      fail_msg("after %s:\n%s%s", phase, heard.data, text);
   assert_string_equal(again.data, text);
   hd_blob_finish(&heard);
   hd_blob_finish(&again);
}

static void
test_programs(void **fixture)
{
   unsigned seen = 0, compiled = 0;

   (void)fixture;
   for (uint64_t seed = 0; seed < NUM_PROGRAMS; seed++) {
      const program_options program = { .size = 6 + seed % 30,
                                        .compute = true,
                                        .no_images = true,
                                        .no_lanes = true,
                                        .whole_dwords = true };
      hd_shader *shader = random_program(NULL, seed, &program);
      const hd_r700_options options = { .max_registers = seed % 3 ? 0 : 12,
                                        .user = &seen,
                                        .after_phase = read_back,
                                        .verify_regalloc = true };
      hd_r700_binary *binary;
      assert_non_null(shader);
      shader->subgroup_size = HD_R700_LANES;
      if (hd_r700_compile(shader, &options, &binary) == HD_OK) {
         compiled++;
         hd_r700_binary_destroy(binary);
      }
      hd_shader_destroy(shader);
   }
   assert_true(compiled > MIN_COMPILED);
   assert_true(seen >= 7 * compiled);
}

static void
test_bad_text(void **fixture)
{
   static const struct {
      const char *text, *told;
   } cases[] = {
      { ".target gfx900\n", "1:9: expected r700\n" },
      { "b0:\n   FLY T2.X = T2.Y\n", "2:4: there is no such instruction\n" },
      { "b0:\n   MOV T2.X = T124.X\n", "2:15: expected T0.X to T123.W, or u0\n" },
      { "b0:\n   MOV T2.X = T3.Q\n", "2:15: expected T0.X to T123.W, or u0\n" },
      { "b0:\n   MOV T2.X = T3\n", "2:15: expected T0.X to T123.W, or u0\n" },
      { "b0:\n   MOV T2.X = T.X\n", "2:15: expected T0.X to T123.W, or u0\n" },
      { "b0:\n   MOV T2.X = u1\n", "2:15: expected T0.X to T123.W, or u0\n" },
      { "b0:\n   MOV T2.X = CB[0]\n", "2:15: expected CB0 to CB9\n" },
      { "b0:\n   MOV T2.X = CB0[16384]\n", "2:19: expected a number from 0 to 16383\n" },
      { "b0:\n   MOV %1:v1@T3.X, %1:v2 = 1\n",
        "2:20: the value has another kind or size elsewhere\n" },
   };
   unsigned wrong = 0;

   (void)fixture;
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      hd_blob heard = { 0 }, again = { 0 };
      assert_false(read_and_print(cases[n].text, &heard, &again));
      if (strcmp(heard.data, cases[n].told) != 0) {
         print_error("%s%s", cases[n].text, heard.data);
         wrong++;
      }
      hd_blob_finish(&heard);
      hd_blob_finish(&again);
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_bad_text),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
