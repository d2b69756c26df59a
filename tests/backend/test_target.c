/* SPDX-License-Identifier: MIT */
/* test_target.c - targets by name and by number; each compiles, says what is wrong, and gives back
 * its memory whichever request fails.
 */
#include "support/test.h"

#include <stdint.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/clone.h"
#include "heddle/config.h"
#include "heddle/gcn.h"
#include "heddle/nyuzi.h"
#include "heddle/target.h"

#include "support/memory.h"

/* A kernel: the address of a word, which gets the number of an invocation. */
static hd_shader *
build_kernel(const hd_config *config)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_KERNEL, "target");
   hd_def *to = hd_name_def(&b, "to", hd_build_param(&b, 1, 64));
   hd_def *lane = hd_global_invocation_index(&b);
   hd_shader *shader;

   to = hd_iadd(&b, to, hd_u2u(&b, hd_imul(&b, lane, hd_imm_u32(&b, 4)), 64));
   hd_store_global(&b, lane, to, 0, 4, 0, 0);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static void
test_names(void **state)
{
   (void)state;
   const unsigned num = hd_num_targets();

   for (unsigned n = 0; n < num; n++) {
      const hd_target *target = hd_target_get(n);
      assert_non_null(target);
      assert_ptr_equal(hd_target_find(hd_target_get_name(target)), target);
      assert_true(strlen(hd_target_get_description(target)) > 4);
      assert_true(hd_target_get_lanes(target) >= 1);
      assert_true(strlen(hd_target_get_backend(target)) > 0);
   }
   assert_null(hd_target_get(num));
   assert_null(hd_target_get(UINT32_MAX));
   assert_null(hd_target_find("gfx90"));
   assert_null(hd_target_find("gfx9000"));
   assert_null(hd_target_find(""));
   assert_null(hd_target_find(NULL));
   assert_int_equal(hd_target_find("gfx900") != NULL, HD_HAS_GCN);
   assert_int_equal(hd_target_find("gfx600") != NULL, HD_HAS_GCN);
   assert_int_equal(hd_target_find("gen9") != NULL, HD_HAS_GEN9);
   assert_int_equal(hd_target_find("gen9x16") != NULL, HD_HAS_GEN9);
   assert_int_equal(hd_target_find("r700") != NULL, HD_HAS_R700);
   assert_int_equal(hd_target_find("nyuzi") != NULL, HD_HAS_NYUZI);
}

static void
hear(void *user, const hd_diag *diag)
{
   assert_non_null(diag->message);
   ++*(unsigned *)user;
}

static void
count_phase(void *user, const char *phase, const char *text)
{
   assert_true(strlen(phase) > 0 && text);
   ++*(unsigned *)user;
}

static void
test_compile(void **state)
{
   (void)state;
   hd_shader *shader = build_kernel(NULL);

   for (unsigned n = 0; n < hd_num_targets(); n++) {
      const hd_target *target = hd_target_get(n);
      unsigned phases = 0;
      const hd_compile_options options = {
         .verify_regalloc = true, .keep_text = true, .user = &phases, .after_phase = count_phase
      };
      hd_target_binary *binary, *plain;
      assert_int_equal(hd_compile(shader, target, &options, &binary), HD_OK);
      assert_ptr_equal(binary->target, target);
      assert_non_null(binary->own);
      assert_true(binary->code_size > 8 && binary->code_size % 4 == 0);
      assert_true(binary->text && strchr(binary->text, '\n'));
      assert_true(phases > 5);

      /* What is looked at does not change the code. */
      assert_int_equal(hd_compile(shader, target, NULL, &plain), HD_OK);
      assert_null(plain->text);
      assert_int_equal(plain->code_size, binary->code_size);
      assert_memory_equal(plain->code, binary->code, plain->code_size);
      hd_target_binary_destroy(plain);
      hd_target_binary_destroy(binary);

      const hd_compile_options quick = { .optimization = HD_OPTIMIZE_QUICK,
                                         .verify_regalloc = true };
      assert_int_equal(hd_compile(shader, target, &quick, &binary), HD_OK);
      assert_true(binary->code_size > 8);
      hd_target_binary_destroy(binary);
   }
   hd_target_binary_destroy(NULL);
   hd_shader_destroy(shader);
}

static void
test_refused(void **state)
{
   (void)state;
   hd_shader *shader = build_kernel(NULL);
   unsigned heard = 0;
   hd_compile_options options = { .diag = { &heard, hear } };
   hd_target_binary *binary = (hd_target_binary *)shader;

   assert_int_equal(hd_compile(shader, NULL, &options, &binary), HD_INVALID);
   assert_null(binary);
   assert_int_equal(heard, 1);
   assert_int_equal(hd_compile(shader, NULL, NULL, &binary), HD_INVALID);
   options.optimization = (hd_optimization)2;
   heard = 0;
   assert_int_equal(hd_compile(shader, hd_target_get(0), &options, &binary), HD_INVALID);
   assert_int_equal(heard, 1);
   options.optimization = HD_OPTIMIZE_FULL;
   options.passes = "opt_nothing";
   for (unsigned n = 0; n < hd_num_targets(); n++) {
      heard = 0;
      binary = (hd_target_binary *)shader;
      assert_int_equal(hd_compile(shader, hd_target_get(n), &options, &binary), HD_INVALID);
      assert_null(binary);
      assert_int_equal(heard, 1);
   }
   hd_shader_destroy(shader);
}

/* The options of the machine are asked for what the general ones do not have. */
static void
test_own(void **state)
{
   (void)state;
   hd_shader *shader = build_kernel(NULL);
   hd_target_binary *binary;
   unsigned heard = 0;

   (void)binary;
   (void)heard;
#if HD_HAS_GCN
   const hd_gcn_options gcn = { .target = HD_GCN_GFX600,
                                .kernel_name = "another",
                                .keep_text = true };
   const hd_compile_options with_gcn = { .own = &gcn };
   assert_int_equal(hd_compile(shader, hd_target_find("gfx803"), &with_gcn, &binary), HD_OK);
   const hd_gcn_binary *made = binary->own;
   assert_int_equal(made->target, HD_GCN_GFX803);
   assert_null(made->text);
   assert_ptr_equal(made->code, binary->code);
   assert_true(made->object_size > 0);
   hd_target_binary_destroy(binary);
#endif
#if HD_HAS_NYUZI
   const hd_nyuzi_options nyuzi = { .max_vectors = 1 };
   const hd_compile_options with_nyuzi = { .own = &nyuzi, .diag = { &heard, hear } };
   assert_int_equal(hd_compile(shader, hd_target_find("nyuzi"), &with_nyuzi, &binary), HD_INVALID);
   assert_int_equal(heard, 1);
#endif
   hd_shader_destroy(shader);
}

static hd_result
compile_with(const hd_shader *source, const hd_target *target, struct limited *memory,
             uint64_t steps, size_t granted)
{
   const hd_compile_options options = { .keep_text = true };
   hd_config config = limited_config(memory);
   hd_target_binary *binary = NULL;
   hd_shader *shader;

   config.budget.steps = steps;
   memory->left = SIZE_MAX;
   hd_result result = hd_shader_clone(source, &config, &shader);
   if (result != HD_OK)
      return result;
   const size_t held = memory->held;
   memory->left = granted;
   result = hd_compile(shader, target, &options, &binary);
   assert_true((binary != NULL) == (result == HD_OK));
   hd_target_binary_destroy(binary);
   assert_int_equal(memory->held, held);
   hd_shader_destroy(shader);
   assert_int_equal(memory->held, 0);
   return result;
}

static void
test_failures(void **state)
{
   (void)state;
   hd_shader *shader = build_kernel(NULL);

   for (unsigned n = 0; n < hd_num_targets(); n++) {
      struct limited memory = { 0 };
      unsigned failed = 0, cut_off = 0;
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t granted = 0; result == HD_OUT_OF_MEMORY; granted++) {
         result = compile_with(shader, hd_target_get(n), &memory, 0, granted);
         failed += result == HD_OUT_OF_MEMORY;
      }
      assert_int_equal(result, HD_OK);
      result = HD_BUDGET_EXCEEDED;
      for (uint64_t steps = 1; result == HD_BUDGET_EXCEEDED; steps += 1 + steps / 4) {
         result = compile_with(shader, hd_target_get(n), &memory, steps, SIZE_MAX);
         cut_off += result == HD_BUDGET_EXCEEDED;
      }
      assert_int_equal(result, HD_OK);
      assert_true(failed > 5 && cut_off > 5);
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names), cmocka_unit_test(test_compile),  cmocka_unit_test(test_refused),
      cmocka_unit_test(test_own),   cmocka_unit_test(test_failures),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
