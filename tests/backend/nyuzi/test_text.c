/* SPDX-License-Identifier: MIT */
/* test_text.c - programs between all phases as text: read, and printed as the same text again; what
 * is said of bad text.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/nyuzi/program.h"
#include "gen/random_program.h"
#include "machine/text/program.h"

#define NUM_PROGRAMS 80
#define MIN_COMPILED 30 /* floats of 16 and 64 bits are refused */

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
   hd_nyuzi_program nyuzi = { .mach = { .stack = &stack, .mach = &hd_nyuzi_mach } };
   volatile bool read = false;

   hd_heap_init(&heap, NULL);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u))
      read = hd_mach_program_parse(&nyuzi.mach, &config, "text", text, strlen(text));
   assert_int_equal(hd_heap_leave(&heap, &u), HD_OK);
   if (read)
      hd_mach_program_print(&nyuzi.mach, NULL, again);
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
      const program_options program = {
         .size = 6 + seed % 30, .compute = true, .no_images = true, .no_shared_floats = true
      };
      hd_shader *shader = random_program(NULL, seed, &program);
      const hd_nyuzi_options options = { .max_scalars = seed % 3 ? 0 : 14,
                                         .user = &seen,
                                         .after_phase = read_back,
                                         .verify_regalloc = true };
      hd_nyuzi_binary *binary;
      assert_non_null(shader);
      shader->subgroup_size = HD_NYUZI_LANES;
      if (hd_nyuzi_compile(shader, &options, &binary) == HD_OK) {
         compiled++;
         hd_nyuzi_binary_destroy(binary);
      }
      hd_shader_destroy(shader);
   }
   assert_true(compiled > MIN_COMPILED);
   assert_true(seen > 8 * compiled);
}

static void
test_bad_text(void **fixture)
{
   static const struct {
      const char *text, *told;
   } cases[] = {
      { ".target gfx900\n", "1:9: expected nyuzi\n" },
      { "move s1 = s2\n", "1:1: expected a directive or a block\n" },
      { "b0:\n   fly s1 = s2\n", "2:4: there is no such instruction\n" },
      { "b0:\n   move s1 = s32\n", "2:14: expected s0 to s31, or v0 to v31\n" },
      { "b0:\n   move %1:x1 = s2\n", "2:12: expected v, s, m or l and the number of registers\n" },
      { "b0:\n   move %1:s1@v1, %1:v1 = s2\n",
        "2:19: the value has another kind or size elsewhere\n" },
      { "b0:\n   move %999:s1 = s2\n", "2:9: a value's number is larger than the text is long\n" },
      { "b0:\n   move s1 = s2 s3\n", "2:17: expected ',', '=' or the end of the line\n" },
      { "b0:\n   move s1 = s2 imm:x\n", "2:21: expected a whole number\n" },
      { "b0:\n   move s1 = s2 bits:65536\n", "2:22: expected a number from 0 to 65535\n" },
      { "b0:\n   b -> x\n", "2:9: expected a block\n" },
      { "b0:\n   .linear -> b1\nb1:\n", "4:1: only one side says the edge b0 -> b1\n" },
      { "b0:\nb0:\n", "2:1: the block is defined twice\n" },
      { "b0:\n   .tail\nb1:\n", "3:1: no instruction follows .tail\n" },
      { "b0:\n   .round\n", "2:4: unknown directive of a block\n" },
      { "b0:\n   .linear b0\n   .linear b0\n", "3:11: the edges of the block are given twice\n" },
      { ".temp %1 fast\n", "1:10: expected 'remat' or 'align'\n" },
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
