/* SPDX-License-Identifier: MIT */
/* test_failures.c - compiling, running, assembling while memory or steps run out: each request of
 * memory fails once. The answer says so, and nothing is held afterwards.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/r700_asm.h"
#include "heddle/r700_sim.h"

#include "gen/random_program.h"
#include "support/memory.h"

#define NUM_COMPILED 8u

static hd_shader *
program_of(uint64_t seed)
{
   static const program_options how = {
      .size = 10, .compute = true, .no_lanes = true, .whole_dwords = true, .no_images = true
   };
   hd_shader *shader = random_program(NULL, seed, &how);

   assert_non_null(shader);
   shader->subgroup_size = HD_R700_LANES;
   return shader;
}

/* A clone of the shader in this configuration is compiled, with so many requests or steps. */
static hd_result
compile_with(const hd_shader *source, uint64_t seed, struct limited *memory, uint64_t steps,
             size_t granted)
{
   const hd_r700_options options = { .max_registers = seed % 2 ? 8 : 0,
                                     .verify_regalloc = true,
                                     .keep_text = seed % 3 == 0 };
   hd_config config = limited_config(memory);
   hd_r700_binary *binary = NULL;
   hd_shader *shader;

   config.budget.steps = steps;
   memory->left = SIZE_MAX;
   hd_result result = hd_shader_clone(source, &config, &shader);
   if (result != HD_OK)
      return result;
   const size_t held = memory->held;
   memory->left = granted;
   result = hd_r700_compile(shader, &options, &binary);
   assert_true((binary != NULL) == (result == HD_OK));
   hd_r700_binary_destroy(binary);
   assert_int_equal(memory->held, held);
   hd_shader_destroy(shader);
   assert_int_equal(memory->held, 0);
   return result;
}

static void
test_compile(void **state)
{
   (void)state;
   size_t failed = 0, compiled = 0, cut_off = 0;

   for (uint64_t seed = 1; compiled < NUM_COMPILED; seed++) {
      hd_shader *shader = program_of(seed);
      struct limited memory = { 0 };
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t granted = 0; result == HD_OUT_OF_MEMORY; granted++) {
         result = compile_with(shader, seed, &memory, 0, granted);
         failed += result == HD_OUT_OF_MEMORY;
      }
      assert_true(result == HD_OK || result == HD_UNSUPPORTED);
      compiled += result == HD_OK;
      result = HD_BUDGET_EXCEEDED;
      for (uint64_t steps = 1; result == HD_BUDGET_EXCEEDED; steps += 1 + steps / 4) {
         result = compile_with(shader, seed, &memory, steps, SIZE_MAX);
         cut_off += result == HD_BUDGET_EXCEEDED;
      }
      hd_shader_destroy(shader);
   }
   printf("%zu requests failed, %zu runs were cut off, %zu programs compiled\n", failed, cut_off,
          compiled);
   assert_true(failed > 60 * NUM_COMPILED && cut_off > 30 * NUM_COMPILED);
}

static void
test_run(void **state)
{
   (void)state;
   hd_shader *source = NULL;
   hd_r700_binary *binary = NULL;
   size_t failed = 0;

   /* Any program will do: what it is not given is a buffer of no bytes. */
   for (uint64_t seed = 1; !binary; seed++) {
      hd_shader_destroy(source);
      source = program_of(seed);
      if (hd_r700_compile(source, NULL, &binary) != HD_OK)
         binary = NULL;
   }
   hd_result result = HD_OUT_OF_MEMORY;
   for (size_t granted = 0; result == HD_OUT_OF_MEMORY; granted++) {
      struct limited memory = { .left = SIZE_MAX };
      const hd_config config = limited_config(&memory);
      const hd_wave_launch launch = { .lanes = HD_R700_LANES };
      const hd_r700_sim_options sim = { .max_steps = 1000 };
      hd_shader *shader;
      assert_int_equal(hd_shader_clone(source, &config, &shader), HD_OK);
      const size_t held = memory.held;
      memory.left = granted;
      result = hd_r700_sim_run_wave(binary, shader, &launch, &sim, NULL);
      assert_int_equal(memory.held, held);
      failed += result == HD_OUT_OF_MEMORY;
      hd_shader_destroy(shader);
   }
   assert_true(failed > 0);
   hd_r700_binary_destroy(binary);
   hd_shader_destroy(source);
}

static void
test_text(void **state)
{
   (void)state;
   static const char text[] =
       "ALU 0, @2\nCF_NOP END_OF_PROGRAM\nADD * T0.X, T1.X, T2.X\n.long 1, 2\n";
   size_t failed = 0;
   hd_result result = HD_OUT_OF_MEMORY;

   for (size_t granted = 0; result == HD_OUT_OF_MEMORY; granted++) {
      struct limited memory = { .left = granted };
      const hd_config config = limited_config(&memory);
      hd_blob code, listing;
      hd_blob_init(&code, &config);
      hd_blob_init(&listing, &config);
      result = hd_r700_assemble(&config, NULL, text, strlen(text), &code);
      if (result == HD_OK)
         result = hd_r700_disassemble(&config, true, code.data, code.size, &listing, NULL);
      failed += result == HD_OUT_OF_MEMORY;
      hd_blob_finish(&code);
      hd_blob_finish(&listing);
      assert_int_equal(memory.held, 0);
   }
   assert_int_equal(result, HD_OK);
   assert_true(failed > 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_compile), cmocka_unit_test(test_run),
                                       cmocka_unit_test(test_text) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
