/* SPDX-License-Identifier: MIT */
/* hd_draw_function when the nth allocation fails, for every n: an answer, no leak, and the shader
 * can be drawn afterwards; when the budget ends after any number of steps; when the blob to append
 * to is not empty.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/text.h"

#include "heddle/draw.h"
#include "support/memory.h"

static const char tree[] = "shader compute \"t\" {\n workgroup 1 1 1\n function @main(%c:1) {\n"
                           " b0:\n loop {\n b1 \"head\":\n if %c {\n b2:\n break\n } else {\n"
                           " b3:\n }\n b4:\n %1:32 = const 7\n }\n b5:\n }\n}\n";

static const char flat[] =
    "shader compute \"t\" {\n workgroup 1 1 1\n flat function @main(%c:1) {\n"
    " b0:\n goto b1\n b1 header:\n goto_if %c, b1, b2\n b2:\n return\n }\n}\n";

static hd_shader *
parse(const char *text, const hd_config *config)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

static hd_draw_options
every_option(unsigned format)
{
   return (hd_draw_options){
      .format = (hd_draw_format)format, .dominance = true, .post_dominance = true, .color = true
   };
}

static void
each_allocation_fails_once(void **state)
{
   (void)state;
   for (unsigned k = 0; k < 6; k++) {
      hd_draw_options options = every_option(k / 2);
      unsigned failures = 0;
      for (size_t n = 0;; n++) {
         struct limited c = { .left = SIZE_MAX };
         hd_config config = limited_config(&c);
         hd_shader *shader = parse(k % 2 ? flat : tree, &config);
         hd_blob out;
         hd_blob_init(&out, &config);
         c.left = n;
         hd_result result = hd_draw_function(shader->first_function, &options, &out);
         bool whole = result == HD_OK;
         c.left = SIZE_MAX;
         if (!whole) {
            assert_int_equal(result, HD_OUT_OF_MEMORY);
            failures++;
            hd_blob_finish(&out);
            hd_blob_init(&out, &config);
            hd_shader_clear_status(shader);
            assert_int_equal(hd_validate(shader, NULL), HD_OK);
            assert_int_equal(hd_draw_function(shader->first_function, &options, &out), HD_OK);
         }
         assert_int_not_equal(out.size, 0);
         hd_blob_finish(&out);
         hd_shader_destroy(shader);
         assert_int_equal(c.held, 0);
         if (whole)
            break;
      }
      /* The numbering, the line, the picture; more for what is computed. */
      assert_in_range(failures, 3, 200);
   }
}

static void
budgets_end_it(void **state)
{
   (void)state;
   for (unsigned k = 0; k < 6; k++) {
      hd_draw_options options = every_option(k / 2);
      hd_result result = HD_BUDGET_EXCEEDED;
      for (uint64_t steps = 1; result != HD_OK; steps++) {
         hd_shader *shader = NULL;
         hd_config config = { .budget = { 0, steps } };
         const char *text = k % 2 ? flat : tree;
         if (hd_parse(&config, NULL, text, strlen(text), &shader) != HD_OK)
            continue;
         hd_blob out;
         hd_blob_init(&out, NULL);
         result = hd_draw_function(shader->first_function, &options, &out);
         if (result != HD_OK)
            assert_int_equal(result, HD_BUDGET_EXCEEDED);
         hd_blob_finish(&out);
         hd_shader_destroy(shader);
         assert_true(steps < 10000);
      }
   }
}

static void
pictures_are_appended(void **state)
{
   (void)state;
   for (unsigned k = 0; k < 6; k++) {
      hd_draw_options options = every_option(k / 2);
      hd_shader *shader = parse(k % 2 ? flat : tree, NULL);
      hd_blob once = { 0 }, twice = { 0 };
      assert_int_equal(hd_draw_function(shader->first_function, &options, &once), HD_OK);
      assert_int_equal(hd_draw_function(shader->first_function, &options, &twice), HD_OK);
      size_t size = twice.size;
      assert_int_equal(hd_draw_function(shader->first_function, &options, &twice), HD_OK);
      assert_int_equal(size, once.size);
      assert_int_equal(twice.size, 2 * size);
      assert_memory_equal(twice.data, once.data, size);
      assert_memory_equal(twice.data + size, once.data, size + 1);
      hd_blob_finish(&once);
      hd_blob_finish(&twice);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_allocation_fails_once),
      cmocka_unit_test(budgets_end_it),
      cmocka_unit_test(pictures_are_appended),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
