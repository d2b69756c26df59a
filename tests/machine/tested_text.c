/* SPDX-License-Identifier: MIT */
/* tested_text.c - programs between all phases as text: read, and printed as the same text again; what is
 * said of bad text.
 */
#include "support/test.h"

#include <string.h>

#include "machine/tested_text.h"

#define MIN_COMPILED 30 /* machines refuse some of the types and intrinsics */

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
   volatile bool read = false;

   hd_heap_init(&heap, NULL);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u)) {
      hd_mach_program *p = hd_stack_alloc_zero(&stack, tested.program_size);
      p->stack = &stack;
      p->mach = tested.mach;
      read = tested.parse(p, &config, "text", text, strlen(text));
      if (read && tested.print)
         tested.print(p, again);
      else if (read)
         hd_mach_program_print(p, NULL, again);
   }
   assert_int_equal(hd_heap_leave(&heap, &u), HD_OK);
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
   for (uint64_t seed = 0; seed < tested.num_programs; seed++) {
      program_options program = tested.programs;
      program.size = 6 + seed % 30;
      hd_shader *shader = random_program(NULL, seed, &program);
      assert_non_null(shader);
      shader->subgroup_size = tested.lanes;
      compiled += tested.compile(shader, seed, &seen, read_back) == HD_OK;
      hd_shader_destroy(shader);
   }
   assert_true(compiled > MIN_COMPILED);
   assert_true(seen >= tested.min_phases * compiled);
}

static void
test_bad_text(void **fixture)
{
   unsigned wrong = 0;

   (void)fixture;
   for (const struct tested_bad_text *bad = tested.bad; bad->text; bad++) {
      hd_blob heard = { 0 }, again = { 0 };
      assert_false(read_and_print(bad->text, &heard, &again));
      if (strcmp(heard.data, bad->told) != 0) {
         print_error("%s%s", bad->text, heard.data);
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
