/* SPDX-License-Identifier: MIT */
/* test_switch.c - lower_switch on random switches, for each value that a selector of 8 bits can
 * have, where lanes disagree and where they agree; and how many branches that takes, and how many
 * one after the other.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/pass.h"
#include "heddle/text.h"
#include "heddle/wave.h"

#define NUM_SWITCHES 400
#define NUM_VALUES   256
#define MAX_TARGETS  9
#define MANY_TARGETS 64

static uint32_t
below(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)((z ^ z >> 31) >> 16) % limit;
}

/* Which target each value goes to, 0 for the default, in stretches and alone. */
static void
choose(uint64_t *state, uint8_t target[NUM_VALUES], uint32_t num_targets)
{
   const uint32_t stretch = 1 + below(state, 12), sparse = below(state, 3);
   uint32_t now = 0;

   for (unsigned v = 0; v < NUM_VALUES; v++) {
      if (below(state, stretch) == 0)
         now = sparse && below(state, sparse * 8) ? 0 : below(state, num_targets);
      target[v] = (uint8_t)now;
   }
}

/* One stretch for each target, the default's below and above them. */
static void
choose_dense(uint64_t *state, uint8_t target[NUM_VALUES], uint32_t num_targets)
{
   unsigned v = 0;

   for (unsigned end = below(state, 20); v < end; v++)
      target[v] = 0;
   for (uint32_t t = 1; t < num_targets; t++) {
      for (unsigned end = v + 1 + below(state, 3); v < end; v++)
         target[v] = (uint8_t)t;
   }
   for (; v < NUM_VALUES; v++)
      target[v] = 0;
}

/* Each target stores its number, and what came to it by its phi. */
static hd_shader *
build(uint64_t *state, bool uniform, bool dense, uint8_t target[NUM_VALUES], uint32_t *used)
{
   const uint32_t num_targets =
       dense ? 16 + below(state, MANY_TARGETS - 15) : 2 + below(state, MAX_TARGETS - 1);
   hd_blob text = { 0 };
   hd_shader *shader = NULL;
   bool first = true, there[MANY_TARGETS + 1] = { true };

   if (dense)
      choose_dense(state, target, num_targets);
   else
      choose(state, target, num_targets);
   for (unsigned v = 0; v < NUM_VALUES; v++)
      there[target[v]] = true;
   *used = 0;
   for (uint32_t t = 1; t < num_targets; t++)
      *used += there[t];
   hd_blob_printf(&text, "shader compute \"\" {\nworkgroup %u 1 1\nflat function @main {\nb0:\n",
                  uniform ? 1 : 128);
   hd_blob_printf(&text, "%%at:32 = global_invocation_index\n%%4:32 = const 4\n%%z:32 = const 0\n"
                         "%%p:32 = imul %%at, %%4\n");
   hd_blob_printf(&text, "%%x:32 = %s\n%%s:8 = u2u %%x\nswitch %%s, b1 [",
                  uniform ? "workgroup_index" : "global_invocation_index");
   for (unsigned n = 0; n < NUM_VALUES; n++) {
      const unsigned v = n * 37 % NUM_VALUES;
      /* Sometimes what the default says is said again. */
      if (!target[v] && below(state, 8))
         continue;
      hd_blob_printf(&text, "%s %u: b%u", first ? "" : ",", v, target[v] + 1);
      first = false;
   }
   hd_blob_printf(&text, " ]\n");
   for (uint32_t t = 0; t < num_targets; t++) {
      if (!there[t])
         continue;
      hd_blob_printf(&text,
                     "b%u:\n%%f%u:32 = phi b0: %%x\n%%c%u:32 = const %u\n%%v%u:32 = iadd %%f%u, "
                     "%%c%u\nstore_buffer %%v%u, %%z, %%p\nreturn\n",
                     t + 1, t, t, (t + 1) * 1000, t, t, t, t);
   }
   hd_blob_printf(&text, "}\n}\n");
   assert_int_equal(text.result, HD_OK);
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   assert_int_equal(hd_parse(&config, "switch", text.data, text.size, &shader), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   hd_blob_finish(&text);
   return shader;
}

static void
run(hd_shader *shader, bool uniform, uint32_t out[NUM_VALUES])
{
   const hd_wave_buffer buffer = { .memory = { out, NULL, NUM_VALUES * sizeof(*out) } };
   const hd_wave_launch launch = {
      .lanes = uniform ? 1 : 128,
      .num_workgroups = { uniform ? 256 : 2, 1, 1 },
      .buffers = &buffer,
      .num_buffers = 1,
   };

   memset(out, 0, NUM_VALUES * sizeof(*out));
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
}

static uint32_t
count_branches(const hd_shader *shader)
{
   uint32_t num = 0;

   hd_foreach_block(b, shader->first_function) {
      const hd_jump *jump = hd_block_jump(b);
      assert_true(!jump || jump->instr.op != HD_JUMP_SWITCH);
      num += jump && jump->instr.op == HD_JUMP_GOTO_IF;
   }
   return num;
}

/* The most branches that follow each other. There is no cycle. */
static uint32_t
count_on_path(const hd_block *b)
{
   uint32_t most = 0;

   for (uint32_t n = 0; !hd_block_is_end(b) && n < b->num_succs; n++) {
      const uint32_t more = (b->num_succs > 1) + count_on_path(b->succs[n].to);
      most = more > most ? more : most;
   }
   return most;
}

static uint32_t
log2_up(uint32_t n)
{
   uint32_t bits = 0;

   while (1u << bits < n)
      bits++;
   return bits;
}

static void
test_values(void **unused)
{
   (void)unused;
   for (uint64_t seed = 1; seed <= NUM_SWITCHES; seed++) {
      const bool uniform = seed % 2, dense = seed % 3 == 0;
      uint64_t state = seed;
      uint8_t target[NUM_VALUES];
      uint32_t out[NUM_VALUES], used;
      bool progress;
      hd_shader *shader = build(&state, uniform, dense, target, &used);
      hd_run_options options = HD_RUN_CHECK_ALL;

      assert_int_equal(hd_run_pass(shader, hd_pass_find("lower_switch"), &options, &progress),
                       HD_OK);
      assert_true(progress);
      run(shader, uniform, out);
      for (uint32_t v = 0; v < NUM_VALUES; v++) {
         if (out[v] != v + (target[v] + 1u) * 1000)
            fail_msg("seed %u: value %u goes to %u, not %u", (unsigned)seed, v,
                     (out[v] - v) / 1000 - 1, target[v]);
      }
      /* A search has its leaves' tests besides, at both ends. */
      const uint32_t branches = count_branches(shader);
      if (dense) {
         assert_in_range(branches, used - 1, used + 1);
         assert_true(count_on_path(hd_function_start(shader->first_function)) <= log2_up(used) + 1);
      } else if (!uniform) {
         assert_int_equal(branches, used);
      }
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_values) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
