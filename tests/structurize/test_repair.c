/* SPDX-License-Identifier: MIT */
/* test_repair.c - SSA repair on the cases of repair.hd. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heddle/heddle.h"
#include "ir/private.h"
#include "structurize/repair.h"

static hd_result
repair(hd_function *f, uint32_t *num_phis)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_unwind u;

   if (HD_TRY(heap, &u))
      hd_repair_ssa(f, num_phis);
   return hd_heap_leave(heap, &u);
}

static uint32_t
count_phis(const hd_function *f)
{
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         num++;
   }
   return num;
}

/* Tests run in the folder of the sources. */
static hd_shader *
parse_file(const char *path)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   FILE *file = fopen(path, "rb");

   assert_non_null(file);
   char *text = malloc(1 << 20);
   size_t size = fread(text, 1, 1 << 20, file);
   fclose(file);
   assert_int_equal(hd_parse(&config, path, text, size, &shader), HD_OK);
   free(text);
   return shader;
}

/* The text of a function without its name; to be freed. */
static char *
text_of_function(const hd_function *f)
{
   hd_blob blob;

   hd_blob_init(&blob, NULL);
   assert_int_equal(hd_print_function(f, &(hd_print_options){ .hide_names = true }, &blob), HD_OK);
   char *text = strdup(strchr(blob.data, '@') + 1 + strlen(f->name));
   hd_blob_finish(&blob);
   return text;
}

static void
test_cases(void **unused)
{
   hd_shader *shader = parse_file("tests/structurize/repair.hd");
   unsigned num_changed = 0, num_kept = 0;

   (void)unused;
   hd_foreach_function(f, shader) {
      char name[100];
      snprintf(name, sizeof(name), "%s_expected", f->name);
      const hd_function *expected = hd_shader_find_function(shader, name);
      char *before = text_of_function(f);
      char *wanted = expected ? text_of_function(expected) : strdup(before);
      uint32_t phis_before = count_phis(f), num_phis = 0;
      assert_int_equal(repair(f, &num_phis), HD_OK);
      char *after = text_of_function(f);
      if (strcmp(after, wanted))
         fail_msg("%s gives\n%s\nnot\n%s", f->name, after, wanted);
      assert_int_equal(count_phis(f), phis_before + num_phis);
      if (expected)
         assert_string_not_equal(before, wanted);
      num_changed += expected != NULL;
      num_kept += !expected;
      free(before);
      free(wanted);
      free(after);
   }
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   assert_true(num_changed > 10 && num_kept > num_changed);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),
   };

   return cmocka_run_group_tests_name("structurize/repair", tests, NULL, NULL);
}
