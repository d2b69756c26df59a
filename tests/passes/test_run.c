/* SPDX-License-Identifier: MIT */
/* test_run.c - the passes on the cases of their .hd files and on random shaders, and the runner. */
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/op_enum.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "../ir/samples.h"
#include "support/heard.h"
#include "support/memory.h"

static const hd_run_options check_all = HD_RUN_CHECK_ALL;

/* Tests run in the folder of the sources. */
static hd_shader *
parse_file(const char *path)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
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

static hd_shader *
parse_text(const char *text, const hd_config *config)
{
   hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config ? config : &loud, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

/* The text of a function without its name; to be freed. */
static char *
text_of(const hd_function *f)
{
   hd_blob blob;

   hd_blob_init(&blob, NULL);
   assert_int_equal(hd_print_function(f, &(hd_print_options){ .hide_names = true }, &blob), HD_OK);
   char *text = strdup(strchr(blob.data, '@') + 1 + strlen(f->name));
   hd_blob_finish(&blob);
   return text;
}

static hd_function *
twin(const hd_shader *shader, const hd_function *f)
{
   char name[100];

   snprintf(name, sizeof(name), "%s_expected", f->name);
   return hd_shader_find_function(shader, name);
}

/* A file of cases: tests/passes/PASS.hd or tests/passes/PASS.WORDS.hd. A line in it that begins
 * with
 * "// PASS: " says with which options.
 */
struct cases {
   char path[300];
   hd_pass_step step;
};

static struct cases all_cases[100];
static unsigned num_cases;

static void
read_options(struct cases *c)
{
   FILE *file = fopen(c->path, "r");
   char line[300];

   assert_non_null(file);
   while (fgets(line, sizeof(line), file)) {
      hd_pass_list list = { 0 };
      if (strncmp(line, "// PASS: ", 9) != 0)
         continue;
      assert_int_equal(hd_pass_list_parse(&list, line + 9, hd_diag_to_file(stderr)), HD_OK);
      assert_int_equal(list.num_steps, 1);
      assert_ptr_equal(list.steps[0].pass, c->step.pass);
      c->step = list.steps[0];
      hd_pass_list_finish(&list);
   }
   fclose(file);
}

static int
by_path(const void *a, const void *b)
{
   return strcmp(((const struct cases *)a)->path, ((const struct cases *)b)->path);
}

static int
find_cases(void **unused)
{
   const char *only = getenv("HEDDLE_TEST_FILTER");
   DIR *folder = opendir("tests/passes");

   (void)unused;
   assert_non_null(folder);
   for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
      struct cases *c = &all_cases[num_cases];
      char name[100];
      size_t length = strcspn(entry->d_name, "."), size = strlen(entry->d_name);

      if (length >= sizeof(name) || size < 3 || strcmp(entry->d_name + size - 3, ".hd") != 0)
         continue;
      snprintf(name, sizeof(name), "%.*s", (int)length, entry->d_name);
      if (!hd_pass_find(name) || (only && !strstr(entry->d_name, only)))
         continue;
      assert_true(num_cases < sizeof(all_cases) / sizeof(all_cases[0]));
      snprintf(c->path, sizeof(c->path), "tests/passes/%s", entry->d_name);
      c->step = hd_pass_step_default(hd_pass_find(name));
      read_options(c);
      num_cases++;
   }
   closedir(folder);
   qsort(all_cases, num_cases, sizeof(*all_cases), by_path);
   return 0;
}

/* Every function becomes what its twin says, and twins and functions without one stay. */
static void
run_cases(const struct cases *c, bool keep)
{
   char *before[400];
   unsigned num = 0, num_fired = 0, num_kept = 0;
   hd_run_options options = check_all;
   bool progress = false;

   hd_shader *shader = parse_file(c->path);
   hd_foreach_function(f, shader) {
      assert_true(num < 400);
      before[num++] = text_of(f);
   }
   options.keep_on_failure = keep;
   assert_int_equal(hd_run_passes(shader, &c->step, 1, &options, &progress), HD_OK);
   assert_true(progress);
   num = 0;
   hd_foreach_function(f, shader) {
      hd_function *expected = twin(shader, f);
      char *after = text_of(f), *wanted = expected ? text_of(expected) : strdup(before[num]);

      if (strcmp(after, wanted))
         fail_msg("%s: %s gives\n%s\nnot\n%s", c->path, f->name, after, wanted);
      if (expected)
         assert_string_not_equal(before[num], wanted);
      num_fired += expected != NULL;
      num_kept += !expected && !strstr(f->name, "_expected");
      free(before[num++]);
      free(after);
      free(wanted);
   }
   assert_true(num_fired > 0 && num_kept > 0);
   /* All that it can do is done. */
   assert_int_equal(hd_run_passes(shader, &c->step, 1, &options, &progress), HD_OK);
   assert_false(progress);
   hd_shader_destroy(shader);
}

static void
test_cases(void **unused)
{
   (void)unused;
   const char *filter = getenv("HEDDLE_TEST_FILTER");
   assert_true(num_cases >= (filter && *filter ? 1 : hd_num_passes()));
   for (unsigned n = 0; n < num_cases; n++) {
      run_cases(&all_cases[n], false);
      run_cases(&all_cases[n], true);
   }
}

static void
test_table(void **unused)
{
   (void)unused;
   assert_true(hd_num_passes() > 0);
   assert_null(hd_pass_get(hd_num_passes()));
   assert_null(hd_pass_find("opt_nothing"));
   assert_null(hd_pass_find(""));
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      assert_ptr_equal(hd_pass_find(pass->name), pass);
      assert_true(pass->forms != 0 && !pass->run != !pass->run_shader && *pass->meaning);
   }
}

/* Random shaders stay valid, with every check on. */
static void
test_random(void **unused)
{
   unsigned num_progress = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 120; seed++) {
      hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_shader *shader = seed % 3 ? sample_tree(&config, seed, 20 + (unsigned)seed)
                                   : sample_flat(&config, seed, 10 + (unsigned)seed / 4);
      for (unsigned n = 0; n < hd_num_passes(); n++) {
         bool progress = false;
         hd_run_options options = check_all;
         options.keep_on_failure = seed % 2;
         hd_result result = hd_run_pass(shader, hd_pass_get(n), &options, &progress);
         if (result != HD_OK)
            fail_msg("%s on sample %llu: %s", hd_pass_get(n)->name, (unsigned long long)seed,
                     hd_result_name(result));
         num_progress += progress;
      }
      hd_shader_destroy(shader);
   }
   assert_true(num_progress > 20);
}

/* The text of a whole shader; to be freed. */
static char *
shader_text(const hd_shader *shader)
{
   hd_blob blob;

   hd_blob_init(&blob, NULL);
   assert_int_equal(hd_print_shader(shader, NULL, &blob), HD_OK);
   char *text = strdup(blob.data);
   hd_blob_finish(&blob);
   return text;
}

/* Wrong passes, and what the runner says about them */

static const char simple[] = "shader compute \"s\" {\n"
                             "  workgroup 64 1 1\n"
                             "  function @main(%p:64, %a:32, %c:1) {\n"
                             "    b0:\n"
                             "      %1:32 = iadd %a, %a\n"
                             "      if %c {\n"
                             "        b1:\n"
                             "          store_global %1, %p align_mul=4\n"
                             "      }\n"
                             "    b2:\n"
                             "  }\n"
                             "}\n";

/* Removes the use's definition from where it dominates. */
static bool
break_dominance(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   hd_block *last = hd_list_last_block(&f->body);

   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind == HD_INSTR_ALU) {
         hd_instr_move(hd_after_block(last), i);
         return hd_progress(f, true, HD_META_GRAPH);
      }
   }
   return false;
}

/* Changes the graph and says that dominance still holds. */
static bool
keep_too_much(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   uint32_t valid = f->meta_valid;

   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      if (nif) {
         hd_insert_jump(hd_list_end(&nif->else_list), HD_JUMP_RETURN, NULL);
         break;
      }
   }
   f->meta_valid = valid & HD_META_DOMINANCE;
   return hd_progress(f, true, HD_META_DOMINANCE);
}

static bool
change_silently(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind == HD_INSTR_ALU)
         i->op = HD_OP_IMUL;
   }
   return false;
}

static bool
do_nothing(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   (void)f;
   return false;
}

static void
expect_complaint(bool (*run)(hd_function *f, const hd_pass_step *step), const char *words)
{
   hd_pass pass = { .name = "opt_wrong", .forms = HD_PASS_TREE | HD_PASS_FLAT, .run = run };
   struct heard heard = { 0 };
   hd_run_options options = check_all;
   hd_shader *shader = parse_text(simple, NULL);

   options.diag = (hd_diag_sink){ &heard, hear };
   assert_int_equal(hd_run_pass(shader, &pass, &options, NULL), HD_INVALID);
   assert_true(heard.count >= 1);
   if (!strstr(heard.last, words) || !strstr(heard.last, "pass opt_wrong: "))
      fail_msg("heard: %s", heard.last);
   hd_shader_destroy(shader);
}

static void
test_wrong_passes(void **unused)
{
   (void)unused;
   expect_complaint(break_dominance, "the shader is not valid after it");
   expect_complaint(keep_too_much, "it keeps dominance of function @main, but of block");
   expect_complaint(change_silently, "it says that it did nothing, but the shader has changed");
}

static void
test_wrong_input(void **unused)
{
   hd_pass pass = { .name = "opt_none", .forms = HD_PASS_TREE, .run = do_nothing };
   struct heard heard = { 0 };
   hd_run_options options = check_all;
   hd_shader *shader = parse_text(simple, NULL);
   bool progress = true;

   (void)unused;
   options.diag = (hd_diag_sink){ &heard, hear };
   assert_int_equal(hd_run_pass(shader, &pass, &options, &progress), HD_OK);
   assert_false(progress);
   assert_int_equal(heard.count, 0);
   break_dominance(shader->first_function, NULL);
   assert_int_equal(hd_run_pass(shader, &pass, &options, NULL), HD_INVALID);
   assert_non_null(strstr(heard.last, "the shader is not valid before it"));
   hd_shader_destroy(shader);
}

static unsigned num_looks;

static bool
look(hd_function *f, const hd_pass_step *step)
{
   (void)f;
   (void)step;
   num_looks++;
   return false;
}

/* A step that found nothing is left out as long as nothing changes; a step with other values, or
 * after a change, is not.
 */
static void
test_left_out(void **unused)
{
   const hd_pass_option option = { .name = "x", .high = 1 };
   const hd_pass pass = {
      .name = "opt_look", .forms = HD_PASS_TREE, .run = look, .options = &option, .num_options = 1
   };
   const hd_pass_step plain = { .pass = &pass }, other = { .pass = &pass, .values = { 1 } };
   const hd_pass_step flat = hd_pass_step_default(hd_pass_find("lower_unstructure"));
   const hd_pass_step tree = hd_pass_step_default(hd_pass_find("lower_structurize"));
   const hd_pass_step list[] = {
      plain, plain, other, plain, other, flat, tree, plain, tree, plain
   };
   hd_shader *shader = parse_text(simple, NULL);

   (void)unused;
   num_looks = 0;
   assert_int_equal(hd_run_passes(shader, list, 5, &check_all, NULL), HD_OK);
   assert_int_equal(num_looks, 2);
   num_looks = 0;
   assert_int_equal(hd_run_passes(shader, list, 10, &check_all, NULL), HD_OK);
   assert_int_equal(num_looks, 3);
   hd_shader_destroy(shader);
}

/* Failing memory */

/* Run with so many allocations granted; false when it was stopped. */
static bool
run_with_memory(const struct cases *c, const hd_shader *read, const hd_run_options *options,
                size_t granted, const char *before)
{
   struct limited l = { .left = SIZE_MAX };
   hd_config config = limited_config(&l);
   hd_shader *shader = NULL;
   bool progress = false;

   assert_int_equal(hd_shader_clone(read, &config, &shader), HD_OK);
   l.left = granted;
   hd_result result = hd_run_passes(shader, &c->step, 1, options, &progress);
   l.left = SIZE_MAX;
   if (result == HD_OK) {
      assert_true(progress);
   } else {
      assert_int_equal(result, HD_OUT_OF_MEMORY);
      if (options->keep_on_failure) {
         char *after = shader_text(shader);
         assert_string_equal(before, after);
         free(after);
         assert_int_equal(hd_validate(shader, NULL), HD_OK);
      }
   }
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
   return result == HD_OK;
}

/* Each allocation of the pass fails once. The checks make thousands more, and are the same for all
 * passes: of those every one fails for one pass only, and for the others a share.
 */
static void
run_out_of_memory(const struct cases *c, bool keep, bool checked)
{
   const bool all = !checked || !strcmp(c->step.pass->name, "opt_dce");
   hd_run_options options = { 0 };
   hd_shader *read = parse_file(c->path);
   char *before = shader_text(read);

   if (checked)
      options = check_all;
   options.keep_on_failure = keep;
   for (size_t n = 0; !run_with_memory(c, read, &options, n, before);)
      n += all ? 1 : 1 + n / 16;
   free(before);
   hd_shader_destroy(read);
}

static void
test_out_of_memory(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < num_cases; n++) {
      run_out_of_memory(&all_cases[n], false, false);
      run_out_of_memory(&all_cases[n], true, false);
      run_out_of_memory(&all_cases[n], true, true);
   }
}

static void
test_budget(void **unused)
{
   bool stopped = false, done = false;

   (void)unused;
   for (uint64_t steps = 1; !done; steps *= 2) {
      hd_config config = { .budget = { .steps = steps } };
      hd_shader *read = parse_file("tests/passes/opt_dce.hd"), *shader = NULL;
      hd_result result = hd_shader_clone(read, &config, &shader);

      hd_shader_destroy(read);
      if (result != HD_OK)
         continue;
      char *before = shader_text(shader);
      hd_run_options options = { .keep_on_failure = true };
      result = hd_run_pass(shader, hd_pass_find("opt_dce"), &options, NULL);
      done = result == HD_OK;
      if (!done) {
         assert_int_equal(result, HD_BUDGET_EXCEEDED);
         stopped = true;
         char *after = shader_text(shader);
         assert_string_equal(before, after);
         free(after);
      }
      free(before);
      hd_shader_destroy(shader);
   }
   assert_true(stopped);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),       cmocka_unit_test(test_cases),
      cmocka_unit_test(test_random),      cmocka_unit_test(test_wrong_passes),
      cmocka_unit_test(test_wrong_input), cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_budget),      cmocka_unit_test(test_left_out),
   };

   return cmocka_run_group_tests(tests, find_cases, NULL);
}
