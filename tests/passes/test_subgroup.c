/* SPDX-License-Identifier: MIT */
/* test_subgroup.c - what lower_subgroup makes of reductions, scans and votes is what they were, for
 * every set of active lanes of a wave of 8: each op, size and cluster, with values that differ and
 * with one value for all.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/pass.h"
#include "heddle/text.h"
#include "heddle/wave.h"

#define LANES 8u
#define ROW   256u /* bytes of results of a lane */
#define IN    4096u
#define OUT   8192u

static const char *const ops[] = { "iadd", "imul", "imin", "imax", "umin", "umax", "iand",
                                   "ior",  "ixor", "fadd", "fmul", "fmin", "fmax" };
#define NUM_OPS (sizeof(ops) / sizeof(ops[0]))

static const char *const kinds[][2] = {
   { "reduce", "" },
   { "reduce", " cluster_size=1" },
   { "reduce", " cluster_size=2" },
   { "reduce", " cluster_size=4" },
   { "reduce", " cluster_size=8" },
   { "inclusive_scan", "" },
   { "exclusive_scan", "" },
};
#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *const passes[] = { "lower_subgroup", "lower_subgroup(vote=0)",
                                      "lower_subgroup(dwords=0)", "lower_subgroup(arith=0)" };
#define NUM_PASSES (sizeof(passes) / sizeof(passes[0]))

static void
begin(hd_blob *t)
{
   hd_blob_init(t, NULL);
   hd_blob_printf(t,
                  "shader compute {\nworkgroup 8 1 1\nsubgroup 8\nfunction @main {\nb0:\n"
                  "%%three:32 = const 3\n%%zero:32 = const 0\n%%one:32 = const 1\n"
                  "%%in:64 = const %u\n%%out:64 = const %u\n%%eight:32 = const 8\n"
                  "%%i:32 = local_invocation_index\n%%i8:32 = ishl %%i, %%three\n"
                  "%%i256:32 = ishl %%i, %%eight\n%%at8:64 = u2u %%i8\n%%at256:64 = u2u %%i256\n"
                  "%%from:64 = iadd %%in, %%at8\n%%to:64 = iadd %%out, %%at256\n",
                  IN, OUT);
}

static void
load(hd_blob *t, unsigned bits, bool uniform)
{
   const char *from = uniform ? "%in" : "%from";

   if (bits == 1)
      hd_blob_printf(t,
                     "%%w:32 = load_global %s align_mul=4\n%%b:32 = iand %%w, %%one\n"
                     "%%v:1 = ieq %%b, %%one\n",
                     from);
   else
      hd_blob_printf(t, "%%v:%u = load_global %s align_mul=8\n", bits, from);
}

static void
keep(hd_blob *t, unsigned number, unsigned bits, const char *what)
{
   hd_blob_printf(t, "%%r%u:%u = %s\n", number, bits, what);
   if (bits == 1)
      hd_blob_printf(t, "%%k%u:32 = b2i %%r%u\n", number, number);
   hd_blob_printf(t, "store_global %%%c%u, %%to offset=%u align_mul=8\n", bits == 1 ? 'k' : 'r',
                  number, 8 * number);
}

static hd_shader *
parse(hd_blob *t)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;

   hd_blob_printf(t, "}\n}\n");
   assert_int_equal(t->result, HD_OK);
   assert_int_equal(hd_parse(&config, "t", (const char *)t->data, t->size, &shader), HD_OK);
   return shader;
}

/* Numbers of any bits, with some that are alike, NaNs, and the ends of ranges. */
static void
fill(uint64_t *in, uint64_t seed)
{
   for (unsigned l = 0; l < LANES; l++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      in[l] = seed >> 60 < 3 ? UINT64_C(0x7ff0000080808080) : seed ^ seed >> 31;
   }
}

static void
run(hd_shader *shader, uint64_t mask, uint64_t *in, uint8_t *out)
{
   const hd_wave_mask active = { { mask, 0 } };
   const hd_wave_region regions[] = { { IN, { in, NULL, LANES * sizeof(*in) } },
                                      { OUT, { out, NULL, LANES * ROW } } };
   const hd_wave_launch launch = {
      .active = &active, .regions = regions, .num_regions = 2, .max_steps = 1000000
   };

   memset(out, 0, LANES * ROW);
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
}

static void
must_be_the_same(hd_blob *text, uint64_t seed)
{
   hd_shader *before = parse(text), *after[NUM_PASSES];
   uint8_t wanted[LANES * ROW], got[LANES * ROW];
   uint64_t in[LANES];

   for (unsigned p = 0; p < NUM_PASSES; p++) {
      hd_pass_list list = { 0 };
      assert_int_equal(hd_pass_list_parse(&list, passes[p], hd_diag_to_file(stderr)), HD_OK);
      assert_int_equal(hd_shader_clone(before, NULL, &after[p]), HD_OK);
      assert_int_equal(hd_run_passes(after[p], list.steps, list.num_steps, NULL, NULL), HD_OK);
      hd_pass_list_finish(&list);
   }
   for (uint64_t mask = 1; mask < UINT64_C(1) << LANES; mask++) {
      fill(in, seed + mask);
      run(before, mask, in, wanted);
      for (unsigned p = 0; p < NUM_PASSES; p++) {
         run(after[p], mask, in, got);
         if (memcmp(wanted, got, sizeof(got))) {
            fprintf(stderr, "%s\n%s, lanes 0x%x\n", (const char *)text->data, passes[p],
                    (unsigned)mask);
            fail();
         }
      }
   }
   for (unsigned p = 0; p < NUM_PASSES; p++)
      hd_shader_destroy(after[p]);
   hd_shader_destroy(before);
   hd_blob_finish(text);
}

static void
combine(const char *op, unsigned bits, bool uniform, uint64_t seed)
{
   hd_blob t;

   begin(&t);
   load(&t, bits, uniform);
   for (unsigned k = 0; k < NUM_KINDS; k++) {
      char what[100];
      snprintf(what, sizeof(what), "%s %%v reduce_op=%s%s", kinds[k][0], op, kinds[k][1]);
      keep(&t, k, bits, what);
   }
   must_be_the_same(&t, seed);
}

static void
test_arith(void **state)
{
   static const unsigned sizes[] = { 8, 16, 32, 64 };

   (void)state;
   for (unsigned n = 0; n < NUM_OPS; n++) {
      const bool floats = ops[n][0] == 'f', logic = n >= 6 && n <= 8;
      for (unsigned s = floats ? 1 : 0; s < 4; s++) {
         combine(ops[n], sizes[s], false, 1000 * n);
         combine(ops[n], sizes[s], true, 1000 * n);
      }
      if (logic) {
         combine(ops[n], 1, false, n);
         combine(ops[n], 1, true, n);
      }
   }
}

static void
test_votes(void **state)
{
   (void)state;
   for (unsigned uniform = 0; uniform < 2; uniform++) {
      hd_blob t;
      begin(&t);
      load(&t, 1, uniform);
      keep(&t, 0, 1, "vote_any %v");
      keep(&t, 1, 1, "vote_all %v");
      keep(&t, 2, 1, "vote_ieq %w");
      keep(&t, 3, 1, "vote_feq %w");
      keep(&t, 4, 1, "elect");
      hd_blob_printf(&t, "%%n:32 = b2i %%v\n");
      keep(&t, 5, 32, "reduce %n reduce_op=iadd");
      keep(&t, 6, 32, "inclusive_scan %n reduce_op=iadd");
      keep(&t, 7, 32, "exclusive_scan %n reduce_op=iadd");
      must_be_the_same(&t, 7);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arith),
      cmocka_unit_test(test_votes),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
