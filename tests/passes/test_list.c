/* SPDX-License-Identifier: MIT */
/* test_list.c - lists of passes as text, standard lists, and what their runs do when they fail. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "support/heard.h"
#include "support/memory.h"

static uint64_t
next_random(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return *state >> 33;
}

/* Any pass with any values that its options may have. */
static hd_pass_step
random_step(uint64_t *state)
{
   hd_pass_step step =
       hd_pass_step_default(hd_pass_get((unsigned)(next_random(state) % hd_num_passes())));

   for (uint32_t n = 0; n < step.pass->num_options; n++) {
      const hd_pass_option *option = &step.pass->options[n];
      uint64_t range = (uint64_t)option->high - option->low + 1;
      if (next_random(state) & 1)
         step.values[n] = option->low + (uint32_t)(next_random(state) % range);
   }
   return step;
}

/* What is printed of steps reads back as the same steps. */
static void
test_round_trip(void **unused)
{
   uint64_t state = 1;

   (void)unused;
   for (unsigned n = 0; n < 200; n++) {
      hd_pass_step steps[40];
      hd_pass_list list = { 0 };
      unsigned num = (unsigned)(next_random(&state) % 40);
      hd_blob blob = { 0 };

      hd_blob_append(&blob, "", 0);
      for (unsigned k = 0; k < num; k++) {
         steps[k] = random_step(&state);
         hd_blob_printf(&blob, k ? " , " : "");
         hd_pass_step_print(&steps[k], &blob);
      }
      assert_int_equal(hd_pass_list_parse(&list, num ? blob.data : "", (hd_diag_sink){ 0 }), HD_OK);
      assert_int_equal(list.num_steps, num);
      for (unsigned k = 0; k < num; k++)
         assert_memory_equal(&list.steps[k], &steps[k], sizeof(steps[k]));
      hd_blob_finish(&blob);
      hd_pass_list_finish(&list);
   }
}

/* The first pass with options, or NULL. */
static const hd_pass *
pass_with_options(void)
{
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      if (hd_pass_get(n)->num_options)
         return hd_pass_get(n);
   }
   return NULL;
}

static void
expect_fault(const char *text, unsigned column, const char *words)
{
   struct heard heard = { 0 };
   hd_pass_list list = { 0 };

   assert_int_equal(hd_pass_list_parse(&list, "opt_dce", (hd_diag_sink){ 0 }), HD_OK);
   assert_int_equal(hd_pass_list_parse(&list, text, (hd_diag_sink){ &heard, hear }), HD_INVALID);
   assert_int_equal(heard.count, 1);
   if (!strstr(heard.last, words) || heard.column != column)
      fail_msg("'%s': column %u: %s", text, heard.column, heard.last);
   assert_int_equal(list.num_steps, 1);
   hd_pass_list_finish(&list);
}

static void
test_faults(void **unused)
{
   const hd_pass *pass = pass_with_options();
   char text[300], words[100];

   (void)unused;
   expect_fault("opt_nothing", 1, "there is no pass 'opt_nothing'");
   expect_fault("dce;dce", 4, "expected ',' or the end");
   expect_fault("dce,,", 5, "the name of a pass was expected");
   expect_fault("dce(3)", 5, "opt_dce has no option '3'");
   expect_fault("O2(x=1)", 3, "expected ',' or the end");
   if (!pass)
      return;
   const hd_pass_option *option = &pass->options[0];
   unsigned at = (unsigned)(strlen(pass->name) + strlen(option->name));
   snprintf(words, sizeof(words), "is a number from %u to %u", option->low, option->high);
   snprintf(text, sizeof(text), "%s(%s)", pass->name, option->name);
   expect_fault(text, at + 2, "an option needs a value");
   static const char *const wrong[] = {
      "", "-1", "x", "1x", "4294967296", "99999999999999999999999"
   };
   for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++) {
      snprintf(text, sizeof(text), "%s(%s=%s)", pass->name, option->name, wrong[n]);
      expect_fault(text, at + 3, words);
   }
   snprintf(text, sizeof(text), "%s(%s=%u", pass->name, option->name, option->value);
   expect_fault(text, (unsigned)strlen(text) + 1, "',' or ')' was expected");
}

/* A value that an option may not have is told, and nothing runs. */
static void
test_values(void **unused)
{
   struct heard heard = { 0 };
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, "s");
   hd_run_options options = { .diag = { &heard, hear } };

   (void)unused;
   assert_non_null(hd_function_create(shader, "main", true));
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      for (uint32_t k = 0; k < pass->num_options; k++) {
         hd_pass_step step = hd_pass_step_default(pass);
         if (pass->options[k].high == UINT32_MAX)
            continue;
         step.values[k] = pass->options[k].high + 1;
         options.values = step.values;
         heard.count = 0;
         assert_int_equal(hd_run_pass(shader, pass, &options, NULL), HD_INVALID);
         assert_int_equal(heard.count, 1);
         assert_non_null(strstr(heard.last, pass->options[k].name));
      }
   }
   assert_int_equal(hd_run_pipeline(shader, "O17", &options, NULL), HD_INVALID);
   assert_non_null(strstr(heard.last, "there is no pipeline 'O17'"));
   hd_shader_destroy(shader);
}

static void
test_pipelines(void **unused)
{
   (void)unused;
   assert_non_null(hd_pipeline_find("O2"));
   assert_null(hd_pipeline_find("O"));
   for (unsigned n = 0; hd_pipeline_get(n); n++) {
      const hd_pipeline *pipeline = hd_pipeline_get(n);
      hd_pass_list list = { 0 };
      assert_ptr_equal(hd_pipeline_find(pipeline->name), pipeline);
      assert_int_equal(hd_pass_list_parse(&list, pipeline->name, hd_diag_to_file(stderr)), HD_OK);
      assert_true(list.num_steps > 0 || !strcmp(pipeline->name, "O0"));
      hd_pass_list_finish(&list);
   }
}

/* Each allocation of a list fails once; the list is as it was. */
static void
test_out_of_memory(void **unused)
{
   hd_result result = HD_OUT_OF_MEMORY;

   (void)unused;
   for (unsigned n = 0; result != HD_OK; n++) {
      struct limited l = { .left = n };
      hd_pass_list list = { .allocator = limited_config(&l).allocator };
      static const char text[] =
          "O2,O2,O2,O2,dce,dce,dce,dce,dce,dce,dce,dce,dce,dce,dce,dce,dce,dce";
      result = hd_pass_list_parse(&list, text, (hd_diag_sink){ 0 });
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(list.num_steps, 0);
      }
      hd_pass_list_finish(&list);
      assert_int_equal(l.held, 0);
   }
}

static const char sample[] = "shader compute \"s\" {\n"
                             "  workgroup 64 1 1\n"
                             "  function @main(%p:64, %a:32) {\n"
                             "    b0:\n"
                             "      %1:1 = const true\n"
                             "      %2:32 = iadd %a, %a\n"
                             "      if %1 {\n"
                             "        b1:\n"
                             "          %3:32 = call @callee(%a)\n"
                             "          store_global %3, %p align_mul=4\n"
                             "      }\n"
                             "    b2:\n"
                             "  }\n"
                             "  function @callee(%a:32) -> 32 {\n"
                             "    b0:\n"
                             "      %1:32 = imul %a, %a\n"
                             "      return %a\n"
                             "  }\n"
                             "}\n";

static hd_shader *
parse_sample(const hd_config *config)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, NULL, sample, strlen(sample), &shader), HD_OK);
   return shader;
}

static char *
text_of(const hd_shader *shader)
{
   hd_blob blob = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &blob), HD_OK);
   char *text = strdup(blob.data);
   hd_blob_finish(&blob);
   return text;
}

struct seen {
   unsigned num_before, num_after, num_changed, stop_at;
   const char *skip;
   bool copies;
};

static bool
see_before(void *user, const hd_pass_run *run)
{
   struct seen *seen = user;

   assert_int_equal(run->number, seen->num_before++);
   assert_null(run->before);
   return !seen->skip || strcmp(seen->skip, run->step->pass->name) != 0;
}

static hd_result
see_after(void *user, const hd_pass_run *run)
{
   struct seen *seen = user;

   seen->num_after++;
   seen->num_changed += run->progress;
   assert_true(seen->copies == (run->before != NULL));
   if (run->before) {
      char *before = text_of(run->before), *after = text_of(run->shader);
      assert_true(run->progress == (strcmp(before, after) != 0));
      free(before);
      free(after);
   }
   return seen->num_after == seen->stop_at ? HD_INVALID : HD_OK;
}

static void
test_watch(void **unused)
{
   hd_pass_list list = { 0 };

   (void)unused;
   assert_int_equal(hd_pass_list_parse(&list, "dead_cf,dce,dce", (hd_diag_sink){ 0 }), HD_OK);
   for (unsigned n = 0; n < 8; n++) {
      struct seen seen = { .copies = n & 1,
                           .skip = n & 2 ? "opt_dead_cf" : NULL,
                           .stop_at = n & 4 ? 1 : 0 };
      hd_run_options options = HD_RUN_CHECK_ALL;
      hd_shader *shader = parse_sample(NULL);
      bool progress = false;
      options.copy_before = seen.copies;
      options.watch = (hd_run_watch){ &seen, see_before, see_after };
      hd_result result = hd_run_passes(shader, list.steps, list.num_steps, &options, &progress);
      assert_int_equal(result, n & 4 ? HD_INVALID : HD_OK);
      assert_true(progress);
      assert_int_equal(seen.num_after, n & 4 ? 1 : n & 2 ? 2 : 3);
      assert_int_equal(seen.num_changed, n & 4 ? 1 : n & 2 ? 1 : 2);
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      hd_shader_destroy(shader);
   }
   hd_pass_list_finish(&list);
}

/* With keep_on_failure a list runs whole or not at all, calls between functions included. */
static void
test_whole_or_not(void **unused)
{
   hd_pass_list list = { 0 };
   hd_result result = HD_OUT_OF_MEMORY;

   (void)unused;
   assert_int_equal(hd_pass_list_parse(&list, "dead_cf,dce,dead_cf,dce", (hd_diag_sink){ 0 }),
                    HD_OK);
   for (unsigned n = 0; result != HD_OK; n++) {
      struct limited l = { .left = SIZE_MAX };
      hd_config config = limited_config(&l);
      hd_run_options options = { .keep_on_failure = true, .verify_meta = n & 1 };
      hd_shader *shader = parse_sample(&config);
      char *before = text_of(shader);
      l.left = n / 2;
      result = hd_run_passes(shader, list.steps, list.num_steps, &options, NULL);
      l.left = SIZE_MAX;
      char *after = text_of(shader);
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_string_equal(before, after);
      } else {
         assert_null(strstr(after, "if"));
         assert_string_equal(shader->first_function->next->name, "callee");
      }
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      free(before);
      free(after);
      hd_shader_destroy(shader);
      assert_int_equal(l.held, 0);
   }
   hd_pass_list_finish(&list);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_faults),
      cmocka_unit_test(test_values),        cmocka_unit_test(test_pipelines),
      cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_watch),
      cmocka_unit_test(test_whole_or_not),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
