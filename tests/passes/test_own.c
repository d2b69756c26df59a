/* SPDX-License-Identifier: MIT */
/* test_own.c - passes of a program's own: strings and data of the program, in texts of lists, scratch
 * memory, steps, and failures that return.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/heddle.h"

#include "support/heard.h"
#include "support/memory.h"

static const char text[] = "shader compute \"s\" {\n"
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

static hd_shader *
parse(const hd_config *config)
{
   hd_shader *shader = NULL;

   return hd_parse(config, NULL, text, sizeof(text) - 1, &shader) == HD_OK ? shader : NULL;
}

/* What a pass was told. */
struct told {
   char words[200];
   unsigned calls;
};

static bool
tell(hd_function *f, const hd_pass_step *step)
{
   struct told *told = step->user;

   snprintf(told->words, sizeof(told->words), "%s %s %u %s", step->pass->name, f->name,
            step->values[1], step->strings[0] ? step->strings[0] : "nothing");
   told->calls++;
   return false;
}

static const hd_pass_option tell_options[] = {
   { .name = "words", .meaning = "what to say", .kind = HD_PASS_STRING, .string = "default" },
   { .name = "times", .meaning = "how often", .value = 3, .low = 1, .high = 9 },
};

static hd_pass
tell_pass(struct told *told)
{
   return (hd_pass){
      .name = "tell",
      .forms = HD_PASS_TREE,
      .num_options = 2,
      .options = tell_options,
      .run = tell,
      .user = told,
   };
}

/* A list read from a text, the text of its last step, and what the pass was told. */
static void
expect_step(const char *list_text, const char *printed, const char *words)
{
   struct told told = { .calls = 0 };
   const hd_pass pass = tell_pass(&told);
   const hd_pass *const own[] = { &pass };
   hd_pass_list list = { .own = own, .num_own = 1 }, again = { .own = own, .num_own = 1 };
   hd_shader *shader = parse(NULL);
   hd_blob blob = { 0 };

   assert_int_equal(hd_pass_list_parse(&list, list_text, hd_diag_to_file(stderr)), HD_OK);
   const hd_pass_step *last = &list.steps[list.num_steps - 1];
   assert_ptr_equal(last->pass, &pass);
   hd_pass_step_print(last, &blob);
   assert_string_equal(blob.data, printed);
   assert_int_equal(hd_pass_list_parse(&again, blob.data, hd_diag_to_file(stderr)), HD_OK);
   assert_string_equal(again.steps[0].strings[0], last->strings[0]);
   assert_int_equal(again.steps[0].values[1], last->values[1]);
   assert_int_equal(hd_run_passes(shader, list.steps, list.num_steps, NULL, NULL), HD_OK);
   assert_string_equal(told.words, words);
   hd_blob_finish(&blob);
   hd_pass_list_finish(&again);
   hd_pass_list_finish(&list);
   hd_shader_destroy(shader);
}

static void
test_strings(void **unused)
{
   (void)unused;
   expect_step("tell", "tell", "tell main 3 default");
   expect_step("dce, tell(words=\"a, b)\")", "tell(words=\"a, b)\")", "tell main 3 a, b)");
   expect_step("tell ( times = 4, words = \"\" )", "tell(words=\"\",times=4)", "tell main 4 ");
   expect_step("tell(words=\"\\\"\\\\\\x0a\\n\")", "tell(words=\"\\\"\\\\\\x0a\\x0a\")",
               "tell main 3 \"\\\n\n");
   expect_step("tell(words=\"default\")", "tell", "tell main 3 default");
   expect_step("tell(words=\"one\",words=\"two\"),tell(words=\"three\")", "tell(words=\"three\")",
               "tell main 3 three");
}

static void
expect_fault(const char *list_text, unsigned column, const char *words)
{
   struct told told = { .calls = 0 };
   const hd_pass pass = tell_pass(&told);
   const hd_pass *const own[] = { &pass };
   struct heard heard = { 0 };
   hd_pass_list list = { .own = own, .num_own = 1 };

   assert_int_equal(hd_pass_list_parse(&list, "tell(words=\"kept\")", (hd_diag_sink){ 0 }), HD_OK);
   assert_int_equal(hd_pass_list_parse(&list, list_text, (hd_diag_sink){ &heard, hear }),
                    HD_INVALID);
   if (!strstr(heard.last, words) || heard.column != column)
      fail_msg("'%s': column %u: %s", list_text, heard.column, heard.last);
   assert_int_equal(list.num_steps, 1);
   assert_string_equal(list.steps[0].strings[0], "kept");
   hd_pass_list_finish(&list);
}

static void
test_faults(void **unused)
{
   (void)unused;
   expect_fault("tell(words=3)", 12, "words of tell is a string in quotes");
   expect_fault("tell(words=\"3)", 12, "words of tell is a string in quotes");
   expect_fault("tell(words=\"3\\\")", 12, "words of tell is a string in quotes");
   expect_fault("tell(words=)", 12, "words of tell is a string in quotes");
   expect_fault("tell(words=\"new\\q\")", 16, "expected one of the escapes");
   expect_fault("tell(words=\"\\x00\")", 13, "expected one of the escapes");
   expect_fault("tell(words=\"new\",times=\"3\")", 24, "times of tell is a number from 1 to 9");
   expect_fault("tell(words=\"new\"),tell(times=10)", 30, "times of tell is a number from 1 to 9");
}

/* Each allocation of a list with strings fails once. */
static void
test_list_without_memory(void **unused)
{
   struct told told = { .calls = 0 };
   const hd_pass pass = tell_pass(&told);
   const hd_pass *const own[] = { &pass };
   hd_result result = HD_OUT_OF_MEMORY;
   unsigned n = 0;

   (void)unused;
   for (; result != HD_OK; n++) {
      struct limited l = { .left = n };
      hd_pass_list list = { .allocator = limited_config(&l).allocator, .own = own, .num_own = 1 };
      result = hd_pass_list_parse(&list, "tell(words=\"a\"),O2,tell(words=\"b\",words=\"c\"),O2,O2",
                                  (hd_diag_sink){ 0 });
      assert_int_equal(list.num_steps != 0, result == HD_OK);
      hd_pass_list_finish(&list);
      assert_int_equal(l.held, 0);
   }
   assert_true(n > 4);
}

/* A pass with the program's data is not taken to find nothing again, and a step's data is its own. */
static void
test_user(void **unused)
{
   struct told rows = { .calls = 0 }, steps = { .calls = 0 };
   const hd_pass pass = tell_pass(&rows);
   hd_pass_step list[3] = { hd_pass_step_default(&pass), hd_pass_step_default(&pass),
                            hd_pass_step_default(&pass) };
   hd_shader *shader = parse(NULL);

   (void)unused;
   list[2].user = &steps;
   list[2].strings[0] = NULL;
   assert_int_equal(hd_run_passes(shader, list, 3, NULL, NULL), HD_OK);
   assert_int_equal(rows.calls, 2);
   assert_int_equal(steps.calls, 1);
   assert_string_equal(steps.words, "tell main 3 nothing");
   hd_shader_destroy(shader);
}

/* Doubles by building, looks at each failure, and counts how often it was entered and left. */
struct visits {
   unsigned entered, left;
   uint64_t steps; /* to count */
};

static bool
rebuild(hd_function *f)
{
   if (hd_require(f, HD_META_DOMINANCE | HD_META_CYCLES) != HD_OK)
      return false;
   unsigned *seen = hd_pass_alloc(f->shader, f->num_blocks, sizeof(*seen));
   if (!seen)
      return false;
   bool progress = false;
   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         if (!hd_pass_count_steps(f->shader, 1))
            return progress;
         assert_int_equal(seen[block->node.index], 0);
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_IADD)
            continue;
         hd_builder b = hd_builder_at(hd_before_instr(i));
         hd_def *x = ((hd_alu *)i)->src[0].def;
         hd_def *twice = hd_ishl(&b, x, hd_imm_u32(&b, 1));
         if (b.result != HD_OK)
            return progress;
         hd_def_replace_uses(&i->def, twice);
         hd_instr_remove(i);
         progress = true;
      }
   }
   return progress;
}

static bool
visit(hd_function *f, const hd_pass_step *step)
{
   struct visits *v = step->user;

   v->entered++;
   bool progress = rebuild(f);
   if (v->steps && !hd_pass_count_steps(f->shader, v->steps))
      progress = false;
   v->left++;
   return hd_progress(f, progress, HD_META_GRAPH);
}

static bool
visit_shader(hd_shader *shader, const hd_pass_step *step)
{
   bool progress = false;

   hd_foreach_function(f, shader)
      progress |= visit(f, step);
   return progress;
}

static hd_pass
visit_pass(struct visits *v, bool whole, bool checked)
{
   return (hd_pass){
      .name = "visit",
      .forms = HD_PASS_TREE,
      .run = whole ? NULL : visit,
      .run_shader = whole ? visit_shader : NULL,
      .user = v,
      .checked = checked,
   };
}

/* Each allocation fails once: a checked pass is always left as it was entered, one that is not was
 * unwound. Whatever happened, the runner tells, and the shader can be destroyed.
 */
static void
run_without_memory(bool whole, bool checked)
{
   hd_result result = HD_OUT_OF_MEMORY;
   unsigned unwound = 0, stopped_inside = 0;

   for (unsigned n = 0; result != HD_OK; n++) {
      struct limited l = { .left = SIZE_MAX };
      const hd_config config = limited_config(&l);
      hd_shader *shader = parse(&config);
      struct visits v = { .entered = 0 };
      const hd_pass pass = visit_pass(&v, whole, checked);
      const hd_run_options options = { .keep_on_failure = true };
      hd_hash before, after;
      bool progress = false;

      assert_int_equal(hd_shader_hash(shader, &before), HD_OK);
      l.left = n;
      result = hd_run_pass(shader, &pass, &options, &progress);
      l.left = SIZE_MAX;
      assert_true(result == HD_OK || result == HD_OUT_OF_MEMORY);
      assert_int_equal(progress, result == HD_OK);
      unwound += v.entered != v.left;
      stopped_inside += v.entered != 0 && result != HD_OK;
      assert_int_equal(hd_shader_status(shader), HD_OK);
      assert_int_equal(hd_shader_hash(shader, &after), HD_OK);
      assert_int_equal(!memcmp(&before, &after, sizeof(before)), result != HD_OK);
      hd_shader_destroy(shader);
      assert_int_equal(l.held, 0);
   }
   assert_true(stopped_inside > 2);
   assert_int_equal(unwound != 0, !checked);
}

static void
test_without_memory(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 4; n++)
      run_without_memory(n & 1, n & 2);
}

/* A checked pass spends from the run's budget, calls inside of it too: they don't fill it again. */
static void
test_steps(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 4; n++) {
      const bool whole = n & 1, checked = n & 2;
      unsigned unwound = 0, stopped = 0;
      for (uint64_t budget = 1; budget < 4000; budget += budget < 200 ? 1 : 97) {
         const hd_config config = { .budget = { .steps = budget } };
         hd_shader *shader = parse(NULL), *limited = NULL;
         struct visits v = { .steps = 3000 };
         const hd_pass pass = visit_pass(&v, whole, checked);

         const hd_result cloned = hd_shader_clone(shader, &config, &limited);
         hd_shader_destroy(shader);
         if (cloned != HD_OK)
            continue;
         const hd_result result = hd_run_pass(limited, &pass, NULL, NULL);
         assert_int_equal(result, budget < 3000 ? HD_BUDGET_EXCEEDED : result);
         assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
         unwound += v.entered != v.left;
         stopped += result != HD_OK;
         hd_shader_destroy(limited);
      }
      assert_true(stopped > 20);
      assert_int_equal(unwound != 0, !checked);
   }
}

/* More than an address space: no memory, as for any other size. */
static bool
ask_too_much(hd_function *f, const hd_pass_step *step)
{
   (void)step;
   assert_null(hd_pass_alloc(f->shader, SIZE_MAX / 4, 16));
   return false;
}

static void
test_too_much(void **unused)
{
   hd_pass pass = { .name = "greedy", .forms = HD_PASS_TREE, .run = ask_too_much, .checked = true };
   hd_shader *shader = parse(NULL);

   (void)unused;
   assert_int_equal(hd_run_pass(shader, &pass, NULL, NULL), HD_OUT_OF_MEMORY);
   pass.checked = false;
   assert_int_equal(hd_run_pass(shader, &pass, NULL, NULL), HD_OUT_OF_MEMORY);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_strings),
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_list_without_memory),
      cmocka_unit_test(test_user),
      cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_steps),
      cmocka_unit_test(test_too_much),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
