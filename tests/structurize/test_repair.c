/* SPDX-License-Identifier: MIT */
/* test_repair.c - SSA repair on the cases of repair.hd, without memory, and on large shapes. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/text.h"
#include "ir/private.h"
#include "structurize/repair.h"
#include "support/memory.h"

#define CASES "tests/structurize/repair.hd"

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
parse_cases(const hd_config *config)
{
   hd_shader *shader = NULL;
   FILE *file = fopen(CASES, "rb");

   assert_non_null(file);
   char *text = malloc(1 << 20);
   size_t size = fread(text, 1, 1 << 20, file);
   fclose(file);
   assert_int_equal(hd_parse(config, CASES, text, size, &shader), HD_OK);
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
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = parse_cases(&config);
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

/* Every allocation fails once: that is told, and what is left can be destroyed. */
static void
test_no_memory(void **unused)
{
   unsigned failed = 0;

   (void)unused;
   for (size_t granted = 0;; granted++) {
      struct limited l = { .left = SIZE_MAX };
      hd_config config = limited_config(&l);
      hd_shader *shader = parse_cases(&config);
      hd_result result = HD_OK;
      l.left = granted;
      hd_foreach_function(f, shader) {
         if (result == HD_OK)
            result = repair(f, NULL);
      }
      hd_shader_destroy(shader);
      assert_int_equal(l.held, 0);
      if (result == HD_OK)
         break;
      assert_int_equal(result, HD_OUT_OF_MEMORY);
      failed++;
   }
   assert_true(failed > 20);
}

static void
test_budget(void **unused)
{
   unsigned failed = 0;

   (void)unused;
   for (uint64_t steps = 1;; steps += 7) {
      hd_shader *shader = parse_cases(&(hd_config){ 0 });
      hd_heap *heap = hd_shader_heap(shader);
      hd_result result = HD_OK;
      heap->steps_left = steps;
      hd_foreach_function(f, shader) {
         if (result == HD_OK)
            result = repair(f, NULL);
      }
      hd_shader_destroy(shader);
      if (result == HD_OK)
         break;
      assert_int_equal(result, HD_BUDGET_EXCEEDED);
      failed++;
   }
   assert_true(failed > 20);
}

/* Large shapes. Each makes a function of size n, in which `use` reads values out of their reach. */

static void
use(hd_builder *b, hd_def *def)
{
   hd_def *zero = hd_imm_u32(b, 0);

   hd_store_buffer(b, def, zero, zero, &(hd_store_buffer_indices){ .align_mul = 4 });
}

/* The value goes up n levels, with a phi at each. */
static void
deep_nest(hd_builder *b, hd_def *c, unsigned n)
{
   for (unsigned k = 0; k < n; k++)
      hd_push_if(b, c);
   hd_def *one = hd_imm_u32(b, 1);
   hd_def *value = hd_iadd(b, hd_subgroup_invocation(b), one);
   for (unsigned k = 0; k < n; k++)
      hd_pop_if(b);
   use(b, value);
}

/* A phi at the bottom for each of n values, used n levels further up. */
static void
values_from_deep(hd_builder *b, hd_def *c, unsigned n)
{
   hd_def **value = calloc(n, sizeof(hd_def *));

   for (unsigned k = 0; k < n; k++)
      hd_push_loop(b);
   hd_push_if(b, c);
   for (unsigned k = 0; k < n; k++)
      value[k] = hd_subgroup_invocation(b);
   hd_pop_if(b);
   for (unsigned k = 0; k < n; k++) {
      hd_break_if(b, c);
      hd_pop_loop(b);
   }
   for (unsigned k = 0; k < n; k++)
      use(b, value[k]);
   free(value);
}

/* At each level a value that is used right after its if. */
static void
values_at_levels(hd_builder *b, hd_def *c, unsigned n)
{
   hd_def **value = calloc(n, sizeof(hd_def *));

   for (unsigned k = 0; k < n; k++) {
      hd_push_if(b, c);
      value[k] = hd_subgroup_invocation(b);
   }
   for (unsigned k = n; k--;) {
      hd_pop_if(b);
      use(b, value[k]);
   }
   free(value);
}

/* One value in one of n arms of a switch. */
static void
wide_switch(hd_builder *b, hd_def *c, unsigned n)
{
   hd_block **arm = calloc(n, sizeof(hd_block *)), *join = hd_builder_add_block(b);
   uint64_t *values = calloc(n, sizeof(uint64_t));
   hd_def *value = NULL;

   for (unsigned k = 0; k < n; k++) {
      arm[k] = hd_builder_add_block(b);
      values[k] = k;
   }
   hd_switch(b, hd_subgroup_invocation(b), arm[0], n - 1, values, arm + 1);
   for (unsigned k = 0; k < n; k++) {
      hd_builder_set_block(b, arm[k]);
      value = k == n / 2 ? hd_subgroup_invocation(b) : value;
      hd_goto(b, join);
   }
   hd_builder_set_block(b, join);
   use(b, value);
   hd_return(b, NULL);
   free(values);
   free(arm);
   (void)c;
}

/* Rungs cross from one side to the other; a value of each of the left is used at the right one. */
static void
ladder(hd_builder *b, hd_def *c, unsigned n)
{
   hd_block *left = hd_builder_add_block(b), *right = hd_builder_add_block(b),
            *end = hd_builder_add_block(b);

   hd_goto_if(b, c, left, right);
   for (unsigned k = 0; k < n; k++) {
      hd_block *next_left = hd_builder_add_block(b), *next_right = hd_builder_add_block(b);
      hd_builder_set_block(b, left);
      hd_def *value = hd_subgroup_invocation(b);
      hd_goto_if(b, c, next_left, next_right);
      hd_builder_set_block(b, right);
      hd_goto_if(b, c, next_right, end);
      hd_builder_set_block(b, next_right);
      use(b, value);
      left = next_left;
      right = next_right;
   }
   hd_builder_set_block(b, left);
   hd_goto(b, end);
   hd_builder_set_block(b, right);
   hd_goto(b, end);
   hd_builder_set_block(b, end);
   hd_return(b, NULL);
}

typedef void shape(hd_builder *b, hd_def *c, unsigned n);

/* Steps that the repair of a shape takes, what it requires apart. */
static uint64_t
steps_of(shape *make, bool flat, unsigned n, uint32_t *num_phis)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_builder b = flat ? hd_builder_create_flat(&config, HD_STAGE_COMPUTE, "large")
                       : hd_builder_create(&config, HD_STAGE_COMPUTE, "large");
   hd_shader *shader = b.shader;
   hd_function *f = b.function;
   hd_unwind u;

   hd_def *five = hd_imm_u32(&b, 5);
   make(&b, hd_ult(&b, hd_subgroup_invocation(&b), five), n);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   assert_int_equal(hd_require(f, HD_META_DOMINANCE | HD_META_CYCLES), HD_OK);
   hd_heap *heap = hd_shader_heap(shader);
   heap->steps_left = UINT64_MAX - 1;
   if (HD_TRY(heap, &u))
      hd_repair_ssa(f, num_phis);
   assert_int_equal(hd_heap_leave(heap, &u), HD_OK);
   const uint64_t steps = UINT64_MAX - 1 - heap->steps_left;
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   hd_shader_destroy(shader);
   return steps;
}

static void
test_large(void **unused)
{
   static const struct {
      const char *name;
      shape *make;
      bool flat, one_phi;
   } shapes[] = {
      { "deep nest", deep_nest, false, false },
      { "values from deep", values_from_deep, false, false },
      { "values at levels", values_at_levels, false, false },
      { "wide switch", wide_switch, true, true },
      { "ladder", ladder, true, false },
   };
   const unsigned n = 5000;

   (void)unused;
   for (unsigned s = 0; s < sizeof(shapes) / sizeof(shapes[0]); s++) {
      uint32_t phis = 0, phis_twice = 0;
      const uint64_t once = steps_of(shapes[s].make, shapes[s].flat, n, &phis);
      const uint64_t twice = steps_of(shapes[s].make, shapes[s].flat, 2 * n, &phis_twice);
      printf("%s: %u phis, %.1f steps a level; doubled, %.3f times the steps\n", shapes[s].name,
             phis_twice, (double)twice / (2 * n), (double)twice / (double)once);
      assert_int_equal(phis, shapes[s].one_phi ? 1 : n);
      assert_int_equal(phis_twice, shapes[s].one_phi ? 1 : 2 * n);
      /* n log n gives about 2.2 here, a square 4. */
      assert_true(twice < once * 5 / 2);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_large),
   };

   return cmocka_run_group_tests_name("structurize/repair", tests, NULL, NULL);
}
