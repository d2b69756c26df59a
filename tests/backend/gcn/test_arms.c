/* SPDX-License-Identifier: MIT */
/* test_arms.c - what two arms cost, however many lanes take the first.
 *
 * With the default options, random functions of two arms take no more cycles than the form in which
 * AMD's guide to Southern Islands writes them: masks, and a branch over each arm. That is decided
 * before registers are assigned and sums are combined: of 18,000 functions 3 take one instruction
 * more. So in a longer run one function, and one more of each thousand, may; of the first 50 none.
 *
 * Some have one arm when what both compute is hoisted. opt_if_convert takes an arm that no lane takes
 * to be rare, and such a function may take ONE_ARM cycles more then: half as much again as masks and
 * branches cost (divergent_masks), less what those take when all lanes skip the arm. Not if one lane takes it,
 * and none of the first 50 does.
 *
 * HEDDLE_SEEDS is how many functions there are, HEDDLE_FIRST_SEED which is the first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/trial.h"
#include "heddle/gcn_sim.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#define LANES           64
#define ONE_ARM         24
#define ONE_INSTRUCTION 4
#define FEW             50  /* functions, none of which takes more */
#define WORDS           512 /* of the buffer: the second half is for what is stored */

/* The steps of the pipeline gcn without if-conversion; pipelines in it are followed. Ints are combined
 * where the machine has instructions for that, as by default.
 */
static void
append_passes(text *t, const hd_pipeline *pipeline, hd_gcn_gen gen)
{
   for (unsigned n = 0; pipeline->steps[n]; n++) {
      const hd_pipeline *inner = hd_pipeline_find(pipeline->steps[n]);

      if (inner)
         append_passes(t, inner, gen);
      else if (!strcmp(pipeline->steps[n], "opt_late"))
         say(t, "opt_late(three_int=%d),", gen == HD_GCN_GFX900);
      else if (strncmp(pipeline->steps[n], "opt_if_convert", 14) != 0)
         say(t, "%s,", pipeline->steps[n]);
   }
}

/* Lanes that take the first arm have a > b. */
static void
fill(uint32_t *words, unsigned taken)
{
   memset(words, 0, WORDS * sizeof(*words));
   for (unsigned n = 0; n < WORDS / 2; n++) {
      float f = 1.0f + (float)n / 1024;

      if (n < LANES)
         f = (n * 37 % LANES < taken ? 4.0f : 1.0f) + (float)n / 128;
      else if (n < 2 * LANES)
         f = 2.5f;
      memcpy(&words[n], &f, sizeof(f));
   }
}

/* Cycles of one wave of which so many lanes take the first arm. */
static uint64_t
cycles(const hd_shader *shader, const hd_gcn_driver_abi *abi, const hd_gcn_binary *binary,
       unsigned taken, uint32_t *words)
{
   const hd_wave_buffer buffer = { .memory = { .data = words, .size = WORDS * sizeof(*words) } };
   const hd_wave_launch launch = { .buffers = &buffer, .num_buffers = 1 };
   hd_gcn_sim_stats stats;

   fill(words, taken);
   assert_int_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launch, NULL, &stats), HD_OK);
   return stats.cycles;
}

static hd_gcn_binary *
compile(const hd_shader *shader, const hd_gcn_driver_abi *abi, hd_gcn_gen gen, const char *passes)
{
   const hd_gcn_options options = { .target = gen,
                                    .abi = HD_GCN_ABI_DRIVER,
                                    .driver = abi,
                                    .passes = passes,
                                    .skip = passes ? HD_GCN_SKIP_ALWAYS : HD_GCN_SKIP_COST,
                                    .keep_text = true };
   hd_gcn_binary *binary;

   assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
   return binary;
}

static unsigned
num_branches(const hd_gcn_binary *binary)
{
   unsigned num = 0;

   for (const char *s = binary->text; (s = strstr(s, "s_cbranch_")); s++)
      num++;
   return num;
}

/* In how many of the 65 ways to part the default takes longer. */
static unsigned
compare(const char *shader_text, hd_gcn_gen gen, const char *name, bool many)
{
   hd_shader *shader = NULL;
   hd_gcn_driver_abi *abi = NULL;
   uint32_t want[WORDS], got[WORDS];
   unsigned worse = 0;
   text passes = { 0 };

   assert_int_equal(hd_parse(NULL, NULL, shader_text, strlen(shader_text), &shader), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(shader, NULL, &abi), HD_OK);
   append_passes(&passes, hd_pipeline_find("gcn"), gen);
   say(&passes, "opt_dce");
   hd_gcn_binary *forced = compile(shader, abi, gen, said(&passes));
   hd_gcn_binary *default_run = compile(shader, abi, gen, NULL);
   uint64_t excess = 0;
   const bool one_arm = many && num_branches(forced) == 1 && num_branches(default_run) == 0;
   for (unsigned taken = 0; taken <= LANES; taken++) {
      uint64_t most = cycles(shader, abi, forced, taken, want);
      uint64_t needed = cycles(shader, abi, default_run, taken, got);

      assert_memory_equal(want, got, sizeof(want));
      if (needed <= most + (one_arm && taken % LANES == 0 ? ONE_ARM : 0))
         continue;
      if (needed - most > excess)
         excess = needed - most;
      if (!worse++)
         print_message("%s, %s: %u lanes take the first arm: %llu cycles, with all branches %llu\n",
                       name, hd_gcn_gen_name(gen), taken, (unsigned long long)needed,
                       (unsigned long long)most);
   }
   if (worse && getenv("HEDDLE_SHOW"))
      fprintf(stderr, "%s\n%s\n%s\n", shader_text, default_run->text, forced->text);
   assert_in_range(excess, 0, one_arm ? ONE_ARM + ONE_INSTRUCTION : ONE_INSTRUCTION);
   hd_gcn_binary_destroy(forced);
   hd_gcn_binary_destroy(default_run);
   hd_blob_finish(&passes);
   hd_gcn_sim_abi_destroy(shader, abi);
   hd_shader_destroy(shader);
   return worse;
}

/* The functions */

static void
say_head(text *t)
{
   say(t, "shader compute {\n workgroup 64 1 1\n subgroup 64\n function @main {\n  b0:\n"
          "   %%1:32 = local_invocation_index\n   %%2:32 = const 2\n   %%3:32 = ishl %%1, %%2\n"
          "   %%4:32 = const 0\n   %%5:32 = load_buffer %%4, %%3 align_mul=4\n"
          "   %%6:32 = load_buffer %%4, %%3 align_mul=4 offset=256\n   %%7:1 = flt %%6, %%5\n");
}

/* float f(float a, float b) { if (a > b) return (a - b) * a; else return (b - a) * b; } */
static const char *
write_example(text *t)
{
   say_head(t);
   say(t, "   if %%7 {\n b1:\n %%8:32 = fsub %%5, %%6\n %%9:32 = fmul %%8, %%5\n } else {\n b2:\n"
          "   %%10:32 = fsub %%6, %%5\n %%11:32 = fmul %%10, %%6\n }\n b3:\n"
          "   %%12:32 = phi b1: %%9, b2: %%11\n"
          "   store_buffer %%12, %%4, %%3 offset=1024 align_mul=4\n }\n}\n");
   return said(t);
}

static unsigned
below(uint64_t *random, unsigned limit)
{
   *random = *random * 6364136223846793005u + 1442695040888963407u;
   return (unsigned)((*random >> 33) % limit);
}

/* An arm of so many instructions after each other; they begin at number `first`. */
static void
say_arm(text *t, uint64_t *random, unsigned first, unsigned num)
{
   static const char *const ops[] = { "fadd", "fmul", "fsub", "fmax", "iadd",
                                      "ixor", "isub", "ishl", "imul" };
   const unsigned num_ops = (unsigned)(sizeof(ops) / sizeof(ops[0]));

   const bool loads = below(random, 4) == 0;

   for (unsigned n = 0; n < num; n++) {
      unsigned a = n ? first + n - 1 : 5, b = n ? 5 + below(random, 2) : 6;
      unsigned what = below(random, num_ops + 1);

      if (n > 1 && below(random, 3) == 0)
         b = first + below(random, n - 1);
      if (what == num_ops && loads)
         say(t, "   %%%u:32 = load_buffer %%4, %%3 align_mul=4 offset=%u\n", first + n,
             512 + 4 * below(random, 32));
      else
         say(t, "   %%%u:32 = %s %%%u, %%%u\n", first + n, ops[what % num_ops], a, b);
   }
}

/* Arms of up to 14 instructions, of which one to three results live on. */
static const char *
write_function(text *t, uint64_t seed)
{
   uint64_t random = seed * 0x9e3779b97f4a7c15;
   const unsigned num[2] = { 1 + below(&random, 14), 1 + below(&random, 14) };
   const unsigned first[2] = { 10, 30 }, results = 1 + below(&random, 3);

   say_head(t);
   say(t, "   if %%7 {\n b1:\n");
   say_arm(t, &random, first[0], num[0]);
   say(t, "   } else {\n b2:\n");
   say_arm(t, &random, first[1], num[1]);
   say(t, "   }\n   b3:\n");
   for (unsigned n = 0; n < results; n++) {
      unsigned from[2];

      for (unsigned k = 0; k < 2; k++)
         from[k] = num[k] > n ? first[k] + num[k] - 1 - n : 5 + (n + k) % 2;
      say(t, "   %%%u:32 = phi b1: %%%u, b2: %%%u\n", 50 + n, from[0], from[1]);
   }
   for (unsigned n = 0; n < results; n++)
      say(t, "   store_buffer %%%u, %%4, %%3 align_mul=4 offset=%u\n", 50 + n, 1024 + 256 * n);
   say(t, "   }\n}\n");
   return said(t);
}

static uint64_t
number(const char *name, uint64_t otherwise)
{
   const char *value = getenv(name);

   return value ? strtoull(value, NULL, 0) : otherwise;
}

static void
test_example(void **state)
{
   (void)state;
   text t = { 0 };
   const char *example = write_example(&t);
   unsigned worse = 0;

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++)
      worse += compare(example, (hd_gcn_gen)gen, "the example", false);
   assert_int_equal(worse, 0);
   hd_blob_finish(&t);
}

static void
test_random_arms(void **state)
{
   (void)state;
   const uint64_t first = number("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number("HEDDLE_SEEDS", FEW);
   text t = { 0 };
   unsigned worse = 0;

   for (uint64_t seed = first; seed < first + num; seed++) {
      char name[40];

      snprintf(name, sizeof(name), "function %llu", (unsigned long long)seed);
      worse += compare(write_function(&t, seed), (hd_gcn_gen)(seed % HD_GCN_NUM_GENS), name,
                       num > FEW) != 0;
   }
   print_message("%u of %llu functions\n", worse, (unsigned long long)num);
   assert_in_range(worse, 0, num > FEW ? 1 + num / 1000 : 0);
   hd_blob_finish(&t);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_example),
      cmocka_unit_test(test_random_arms),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
