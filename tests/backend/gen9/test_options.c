/* SPDX-License-Identifier: MIT */
/* test_options.c - options that do not fit: HD_INVALID, and a diagnostic that says what does. */
#include "support/test.h"

#include <string.h>

#include "heddle/gen9.h"
#include "heddle/text.h"
#include "support/heard.h"

static const char text[] =
    "shader compute {\n workgroup 8 1 1\n function @fn0 {\n b0:\n  %1:32 = const 0\n"
    "  store_buffer %1, %1, %1 binding=1 align_mul=4\n }\n}\n";

static hd_shader *
parsed(const hd_config *config)
{
   hd_shader *shader;

   assert_int_equal(hd_parse(config, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

/* By hd_gen9_compile, and by hd_compile for a target of 8 lanes and one of 16: `lanes` says more than
 * the target.
 */
static void
test_lanes(void **state)
{
   (void)state;
   static const uint32_t numbers[] = { 0, 8, 16, 1, 4, 7, 9, 15, 17, 32, 256 + 8, UINT32_MAX };
   static const char *const targets[] = { "gen9", "gen9x16" };

   for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++) {
      const uint32_t lanes = numbers[n];
      const bool fits = lanes == 0 || lanes == 8 || lanes == 16;
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      const hd_gen9_options options = { .lanes = lanes };
      hd_shader *shader = parsed(&config);
      hd_gen9_binary *binary;
      char message[80];
      snprintf(message, sizeof(message), "%u lanes: expected 8, 16, or 0 for those of the target",
               (unsigned)lanes);
      assert_int_equal(hd_gen9_compile(shader, &options, &binary), fits ? HD_OK : HD_INVALID);
      if (fits) {
         assert_int_equal(binary->lanes, lanes ? lanes : 8);
         hd_gen9_binary_destroy(binary);
      } else {
         assert_null(binary);
      }
      for (unsigned t = 0; t < 2; t++) {
         const hd_target *target = hd_target_find(targets[t]);
         const hd_compile_options general = { .own = &options };
         hd_target_binary *made;
         assert_int_equal(hd_compile(shader, target, &general, &made), fits ? HD_OK : HD_INVALID);
         if (fits) {
            const hd_gen9_binary *own = made->own;
            assert_int_equal(own->lanes, lanes ? lanes : hd_target_get_lanes(target));
            hd_target_binary_destroy(made);
         } else {
            assert_null(made);
         }
      }
      assert_int_equal(heard.count, fits ? 0 : 3);
      if (!fits && !strstr(heard.all, message))
         fail_msg("%s, not %s", heard.all, message);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_lanes) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
