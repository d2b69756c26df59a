/* SPDX-License-Identifier: MIT */
/* The functions of src/codegen/math against MPFR: each is built, validated, and run in the
 * wave interpreter on edge cases, on numbers near where it is interesting, and on random bits. The
 * worst error is held against what OpenCL's full profile or Vulkan allow, less what chips may be
 * off where the interpreter is exact (`chip`).
 *
 *    HEDDLE_TEST_SEED  HEDDLE_TEST_ROUNDS (1: 8192 operands)  HEDDLE_TEST_FUNCTION
 */
#include "support/test.h"

#include <stdint.h>

#include "math_reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/gcn.h"
#include "heddle/gcn_sim.h"
#include "heddle/wave.h"
#include "math_functions_tested.h"
#include "spirv/math.h"
#include "support/straight.h"

#define BATCH        8192
#define MAX_OPERANDS 3

static uint64_t seed = 1;
static unsigned rounds = 1;

/* The shader --------------------------------------------------------------------------------- */

static hd_shader *
build(enum hd_math function, unsigned bits, const uint8_t *param_bits, uint8_t *result_bits,
      bool structured)
{
   hd_builder b = structured ? hd_builder_create(NULL, HD_STAGE_COMPUTE, "math")
                             : hd_builder_create_flat(NULL, HD_STAGE_COMPUTE, "math");
   hd_def *params[HD_MATH_MAX_PARAMS], *results[HD_MATH_MAX_RESULTS];
   hd_def *index = hd_global_invocation_index(&b), *zero = hd_imm_u32(&b, 0);
   hd_shader *shader;

   (void)bits;
   for (unsigned i = 0; i < hd_math_num_params(function); i++) {
      const hd_load_buffer_indices at = { .binding = i, .align_mul = param_bits[i] / 8 };
      params[i] = hd_load_buffer(&b, zero, hd_imul(&b, index, hd_imm_u32(&b, param_bits[i] / 8)), 1,
                                 param_bits[i], &at);
   }
   /* So that machine code has no choice; those that must be exact are so by themselves. */
   b.flags = HD_FP_EXACT;
   hd_math_build(&b, function, params, results);
   b.flags = 0;
   for (unsigned i = 0; i < hd_math_num_results(function); i++) {
      const unsigned size = results[i]->bit_size;
      const hd_store_buffer_indices at = { .binding = 16 + i, .align_mul = size / 8 };
      hd_store_buffer(&b, results[i], zero, hd_imul(&b, index, hd_imm_u32(&b, size / 8)), &at);
      result_bits[i] = (uint8_t)size;
   }
   if (!structured)
      hd_return(&b, NULL);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   shader->workgroup_size[0] = 64;
   shader->workgroup_size[1] = shader->workgroup_size[2] = 1;
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   return shader;
}

static unsigned
count_instrs(const hd_shader *shader)
{
   unsigned count = 0;

   hd_foreach_block(block, shader->first_function) {
      hd_foreach_instr(i, block)
         count += i->kind == HD_INSTR_ALU;
   }
   return count;
}

static uint64_t
get(const void *data, unsigned bits, unsigned n)
{
   uint64_t value = 0;

   memcpy(&value, (const char *)data + (size_t)n * bits / 8, bits / 8);
   return value;
}

static void
put(void *data, unsigned bits, unsigned n, uint64_t value)
{
   memcpy((char *)data + (size_t)n * bits / 8, &value, bits / 8);
}

/* Operands ----------------------------------------------------------------------------------- */

static uint64_t
encode_double(unsigned bits, double value)
{
   mpfr_t x;

   mpfr_init2(x, 60);
   mpfr_set_d(x, value, MPFR_RNDN);
   const uint64_t a = reference_encode(x, bits);
   mpfr_clear(x);
   return a;
}

static const double edges[] = {
   0.0,  0.25, 0.5,   0.75, 1.0,   1.5,   2.0,    2.5,      3.0,      4.0,  7.0,
   10.0, 88.0, 127.5, 709., 710.5, 1e-10, 5.5e-6, HUGE_VAL, 4194305., 1e20,
};
#define NUM_EDGES (2 * (sizeof(edges) / sizeof(edges[0])) + 6)

/* Edge case `n` of NUM_EDGES. */
static uint64_t
edge(unsigned bits, unsigned n)
{
   const uint64_t sign = (uint64_t)(n & 1) << (bits - 1);
   const uint64_t infinity = encode_double(bits, HUGE_VAL), one = encode_double(bits, 1.0);

   switch (n >> 1) {
   case 0:
      return (n & 1) ? 1 : infinity + (infinity & (0 - infinity)) / 2;
   case 1:
      return sign | (n & 1 ? (infinity & (0 - infinity)) - 1 : one - 1);
   case 2:
      return sign | (infinity - 1);
   default:
      return sign | encode_double(bits, edges[(n >> 1) - 3]);
   }
}

static uint64_t
draw(const struct tested *t, unsigned operand, unsigned bits, uint64_t *state)
{
   const uint64_t r = straight_random(state), r2 = straight_random(state);
   const double unit = (double)(r2 >> 11) / 9007199254740992.0;

   if (operand && t->integer) {
      const int64_t small = (int64_t)(r % 41) - 20;
      return r2 % 4 ? (uint32_t)small : (uint32_t)(r >> 32) >> (r2 >> 8) % 32;
   }
   switch (r % 8) {
   case 0:
   case 1:
      return r2 >> (64 - bits);
   case 2:
      return edge(bits, (unsigned)(r2 % NUM_EDGES));
   case 3:
      return encode_double(bits, (unit - 0.5) * 8);
   case 4:
      return encode_double(bits, 1 + (unit - 0.5) * pow(2, -(double)(r >> 8 & 15)));
   default:
      if (t->low < t->high)
         return encode_double(bits, t->low + unit * (t->high - t->low));
      return encode_double(bits, (unit - 0.5) * pow(2, (double)(r >> 8 & 31) - 15));
   }
}

/* Comparison --------------------------------------------------------------------------------- */

struct worst {
   double ulps;
   uint64_t operands[MAX_OPERANDS], got, want;
};

static double
judge(const struct tested *t, unsigned bits, const uint64_t *operands, uint64_t got, mpfr_t *x,
      mpfr_t r, uint64_t *want)
{
   reference_decode(x[0], bits, operands[0]);
   if (t->two) {
      if (t->integer)
         mpfr_set_si(x[1], (int32_t)operands[1], MPFR_RNDN);
      else
         reference_decode(x[1], bits, operands[1]);
      t->two(r, x[0], x[1], MPFR_RNDN);
   } else {
      t->one(r, x[0], MPFR_RNDN);
   }
   *want = reference_encode(r, bits);
   if (t->absolute > 0) {
      if (!mpfr_number_p(r) || mpfr_cmp_d(x[0], t->low) < 0 || mpfr_cmp_d(x[0], t->high) > 0)
         return 0;
      return reference_distance(bits, got, r) / t->absolute;
   }
   if (t->only_numbers) {
      const double limit = bits == 16 ? 6e-5 : 1.2e-38;
      if (!mpfr_number_p(r) || !mpfr_number_p(x[0]) || (t->two && !mpfr_number_p(x[1])) ||
          mpfr_zero_p(x[0]) || fabs(mpfr_get_d(r, MPFR_RNDN)) < limit ||
          fabs(mpfr_get_d(r, MPFR_RNDN)) > (bits == 16 ? 65000 : 3e38) ||
          fabs(mpfr_get_d(x[0], MPFR_RNDN)) < limit)
         return 0;
      if (t->low < t->high && (mpfr_cmp_d(x[0], t->low) < 0 || mpfr_cmp_d(x[0], t->high) > 0))
         return 0;
   }
   return reference_ulps(bits, got, r);
}

/* Machine code does the same, bit for bit: the first workgroups. Returns how many instructions it
 * has on gfx900, or 0 if there is a difference.
 */
static unsigned
run_machines(const hd_shader *shader, hd_wave_launch launch, unsigned num_results,
             const uint8_t *result_bits, void **out)
{
   const unsigned count = 64 * 4;
   void *kept[HD_MATH_MAX_RESULTS];
   unsigned instructions = 0;
   bool same = true;

   launch.num_workgroups[0] = count / 64;
   for (unsigned i = 0; i < num_results; i++) {
      kept[i] = malloc(BATCH * 8);
      memcpy(kept[i], out[i], BATCH * 8);
   }
   for (hd_gcn_gen gen = 0; gen < HD_GCN_NUM_GENS && same; gen++) {
      hd_gcn_driver_abi *abi;
      hd_gcn_binary *binary;
      assert_int_equal(hd_gcn_sim_abi_create(shader, &launch, &abi), HD_OK);
      const hd_gcn_options options = { .target = gen, .abi = HD_GCN_ABI_DRIVER, .driver = abi };
      assert_int_equal(hd_gcn_compile(shader, &options, &binary), HD_OK);
      for (unsigned i = 0; i < num_results; i++)
         memset(out[i], 0x55, BATCH * 8);
      assert_int_equal(hd_gcn_sim_run_wave(binary, abi, shader, &launch, NULL, NULL), HD_OK);
      for (unsigned i = 0; i < num_results; i++) {
         for (unsigned n = 0; n < count && same; n++) {
            const uint64_t got = get(out[i], result_bits[i], n);
            const uint64_t want = get(kept[i], result_bits[i], n);
            same = got == want;
            if (!same)
               printf("   %s: result %u of operand %u is %" PRIx64 " instead of %" PRIx64 "\n",
                      hd_gcn_gen_name(gen), i, n, got, want);
         }
      }
      if (gen == HD_GCN_GFX900)
         instructions = binary->stats.instructions;
      hd_gcn_binary_destroy(binary);
      hd_gcn_sim_abi_destroy(shader, abi);
   }
   for (unsigned i = 0; i < num_results; i++) {
      memcpy(out[i], kept[i], BATCH * 8);
      free(kept[i]);
   }
   return same ? instructions : 0;
}

static bool
check(const struct tested *t, unsigned bits, double bound)
{
   const unsigned num_params = hd_math_num_params(t->function);
   uint8_t param_bits[HD_MATH_MAX_PARAMS], result_bits[HD_MATH_MAX_RESULTS];
   void *in[HD_MATH_MAX_PARAMS], *out[HD_MATH_MAX_RESULTS];
   hd_wave_buffer buffers[HD_MATH_MAX_PARAMS + HD_MATH_MAX_RESULTS];
   unsigned num_buffers = 0, instructions = 0;
   struct worst worst = { .ulps = -1 };
   uint64_t state = seed * 1000003 + (uint64_t)t->function * 31 + bits;
   mpfr_t x[2], r;

   for (unsigned i = 0; i < num_params; i++)
      param_bits[i] = i && t->integer ? 32 : (uint8_t)bits;
   hd_shader *shader = build(t->function, bits, param_bits, result_bits, rounds % 2 == 0);
   for (unsigned i = 0; i < num_params; i++) {
      in[i] = malloc(BATCH * 8);
      buffers[num_buffers++] =
          (hd_wave_buffer){ .binding = i, .memory = { in[i], NULL, BATCH * 8 } };
   }
   for (unsigned i = 0; i < hd_math_num_results(t->function); i++) {
      out[i] = malloc(BATCH * 8);
      buffers[num_buffers++] =
          (hd_wave_buffer){ .binding = 16 + i, .memory = { out[i], NULL, BATCH * 8 } };
   }
   const hd_wave_launch launch = {
      .lanes = 64, .num_workgroups = { BATCH / 64 }, .buffers = buffers, .num_buffers = num_buffers
   };
   mpfr_init2(x[0], 64);
   mpfr_init2(x[1], 64);
   mpfr_init2(r, REFERENCE_BITS);
   for (unsigned round = 0; round < rounds; round++) {
      for (unsigned n = 0; n < BATCH; n++) {
         for (unsigned i = 0; i < num_params; i++) {
            uint64_t a = draw(t, i, bits, &state);
            if (!round && num_params == 1 && n < NUM_EDGES)
               a = edge(bits, n);
            if (!round && num_params == 2 && !t->integer && n < NUM_EDGES * NUM_EDGES)
               a = edge(bits, i ? n % (unsigned)NUM_EDGES : n / (unsigned)NUM_EDGES);
            if (num_params == 1 && bits == 16 && rounds >= 8)
               a = (round * BATCH + n) & 0xffff;
            put(in[i], param_bits[i], n, a);
         }
      }
      assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
      if (!round)
         instructions =
             run_machines(shader, launch, hd_math_num_results(t->function), result_bits, out);
      for (unsigned n = 0; n < BATCH; n++) {
         uint64_t operands[MAX_OPERANDS] = { 0 }, want;
         for (unsigned i = 0; i < num_params; i++)
            operands[i] = get(in[i], param_bits[i], n);
         const uint64_t got = get(out[t->result], result_bits[t->result], n);
         const double ulps = judge(t, bits, operands, got, x, r, &want);
         if (ulps > worst.ulps) {
            worst = (struct worst){ .ulps = ulps, .got = got, .want = want };
            memcpy(worst.operands, operands, sizeof(operands));
         }
      }
   }
   const bool good = worst.ulps <= bound - (bits == 32 ? t->chip : 0) && instructions;
   printf("%-14s %2u bits  %8.3f of %-6g %3u ops, %4u instructions of gfx900%s\n", t->name, bits,
          worst.ulps, bound, count_instrs(shader), instructions, good ? "" : "  WRONG");
   if (!good)
      printf("   of %" PRIx64 " %" PRIx64 ": %" PRIx64 " instead of %" PRIx64 "\n",
             worst.operands[0], worst.operands[1], worst.got, worst.want);
   mpfr_clears(x[0], x[1], r, (mpfr_ptr)0);
   for (unsigned i = 0; i < num_params; i++)
      free(in[i]);
   for (unsigned i = 0; i < hd_math_num_results(t->function); i++)
      free(out[i]);
   hd_shader_destroy(shader);
   return good;
}

static void
test_errors(void **cmocka_state)
{
   const char *only = getenv("HEDDLE_TEST_FUNCTION");
   unsigned wrong = 0;

   (void)cmocka_state;
   for (const struct tested *t = tested_functions; t->name; t++) {
      if (only && strcmp(only, t->name))
         continue;
      for (unsigned i = 0; i < 3; i++) {
         if (t->bound[i] >= 0)
            wrong += !check(t, 16u << i, t->bound[i]);
      }
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors),
   };

   if (getenv("HEDDLE_TEST_SEED"))
      seed = strtoull(getenv("HEDDLE_TEST_SEED"), NULL, 0);
   if (getenv("HEDDLE_TEST_ROUNDS"))
      rounds = (unsigned)strtoul(getenv("HEDDLE_TEST_ROUNDS"), NULL, 0);
   printf("seed %" PRIu64 "\n", seed);
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   mpfr_free_cache();
   return failed;
}
