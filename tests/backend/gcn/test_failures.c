/* SPDX-License-Identifier: MIT */
/* test_failures.c - compiling while memory or steps run out: each request of memory fails once, and
 * the work is cut off at many points. The answer says so, and nothing is held afterwards.
 *
 * HEDDLE_SEEDS is how many random programs there are, HEDDLE_FIRST_SEED which is the first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/gcn.h"
#include "heddle/gcn_sim.h"

#include "gen/random_program.h"
#include "support/memory.h"

#define NUM_SEEDS 60
#define NUM_CELLS (HD_GCN_NUM_GENS * 4u)

static uint64_t
number_from(const char *variable, uint64_t otherwise)
{
   const char *text = getenv(variable);

   return text ? strtoull(text, NULL, 0) : otherwise;
}

/* A program and one way to compile it. */
struct subject {
   hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_options options;
};

static void
begin(struct subject *s, uint64_t seed)
{
   static const program_options how = { .size = 12, .compute = true, .no_images = true };
   const unsigned cell = (unsigned)(seed % NUM_CELLS);
   const bool starved = cell >= NUM_CELLS / 2;

   memset(s, 0, sizeof(*s));
   s->shader = random_program(NULL, seed, &how);
   assert_non_null(s->shader);
   s->shader->subgroup_size = 64;
   assert_int_equal(hd_gcn_sim_abi_create(s->shader, NULL, &s->abi), HD_OK);
   s->options = (hd_gcn_options){
      .target = (hd_gcn_gen)(cell % HD_GCN_NUM_GENS),
      .abi = HD_GCN_ABI_DRIVER,
      .driver = s->abi,
      .lowering = cell / HD_GCN_NUM_GENS % 2 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
      .max_sgprs = starved ? 32 : 0,
      .max_vgprs = starved ? 12 : 0,
      .verify_regalloc = true,
      .keep_text = seed % 3 == 0,
   };
}

static void
end(struct subject *s)
{
   hd_gcn_sim_abi_destroy(s->shader, s->abi);
   hd_shader_destroy(s->shader);
}

/* A clone of the shader in this configuration is compiled. */
static hd_result
compile_with(const struct subject *s, const hd_config *config, struct limited *memory,
             size_t granted)
{
   hd_gcn_binary *binary = (hd_gcn_binary *)s;
   hd_shader *shader;

   assert_int_equal(hd_shader_clone(s->shader, config, &shader), HD_OK);
   const size_t held = memory ? memory->held : 0;
   if (memory)
      memory->left = granted;
   const hd_result result = hd_gcn_compile(shader, &s->options, &binary);
   assert_true((binary != NULL) == (result == HD_OK));
   hd_gcn_binary_destroy(binary);
   if (memory)
      assert_int_equal(memory->held, held);
   hd_shader_destroy(shader);
   if (memory)
      assert_int_equal(memory->held, 0);
   return result;
}

static void
test_no_memory(void **unused)
{
   const uint64_t first = number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number_from("HEDDLE_SEEDS", NUM_SEEDS);
   size_t failed = 0, compiled = 0;

   (void)unused;
   for (uint64_t seed = first; seed < first + num; seed++) {
      struct subject s;
      begin(&s, seed);
      for (size_t granted = 0;; granted++) {
         struct limited memory = { .left = SIZE_MAX };
         const hd_config config = limited_config(&memory);
         const hd_result result = compile_with(&s, &config, &memory, granted);
         if (result != HD_OUT_OF_MEMORY) {
            assert_true(result == HD_OK || result == HD_UNSUPPORTED);
            compiled += result == HD_OK;
            break;
         }
         failed++;
      }
      end(&s);
   }
   printf("%zu requests failed, %zu of %llu programs compiled in the end\n", failed, compiled,
          (unsigned long long)num);
   assert_true(failed > 20 * num && compiled > num / 2);
}

/* One step less than is needed is too few, and so are all numbers below. */
static void
test_no_steps(void **unused)
{
   const uint64_t first = number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number_from("HEDDLE_SEEDS", NUM_SEEDS);
   size_t failed = 0;

   (void)unused;
   for (uint64_t seed = first; seed < first + num; seed++) {
      struct subject s;
      hd_result result;
      begin(&s, seed);
      for (uint64_t steps = 1;; steps += 1 + steps / 4) {
         struct limited memory = { .left = SIZE_MAX };
         hd_config config = limited_config(&memory);
         config.budget.steps = steps;
         hd_shader *probe;
         /* The clone itself takes steps. */
         result = hd_shader_clone(s.shader, &config, &probe);
         if (result == HD_OK) {
            hd_shader_destroy(probe);
            result = compile_with(&s, &config, &memory, SIZE_MAX);
         }
         assert_int_equal(memory.held, 0);
         if (result != HD_BUDGET_EXCEEDED)
            break;
         failed++;
      }
      assert_true(result == HD_OK || result == HD_UNSUPPORTED);
      end(&s);
   }
   printf("%zu times steps ran out\n", failed);
   assert_true(failed > 5 * num);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_memory),
      cmocka_unit_test(test_no_steps),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
