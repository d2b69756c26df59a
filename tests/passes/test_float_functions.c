/* SPDX-License-Identifier: MIT */
/* test_float_functions.c - lower_float_functions beside the folder: the same bits, for all numbers of 16
 * bits; for 32 bits all exponents with significands at their edges and random ones, with every float
 * control. Polynomials of 32 bits may be the next number; test_float_polynomials.py has how near they are.
 */
#include "support/test.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/pass.h"

#include "support/straight.h"

typedef hd_const_value values[HD_MAX_COMPONENTS];

/* In the order of the options. */
#define NUM_OPS 4u
enum { ROOTS, POLYNOMIALS };
static const hd_op all_ops[2][NUM_OPS] = { { HD_OP_FDIV, HD_OP_FRCP, HD_OP_FSQRT, HD_OP_FRSQ },
                                           { HD_OP_FEXP2, HD_OP_FLOG2, HD_OP_FSIN, HD_OP_FCOS } };

/* All of them on two parameters. */
static hd_shader *
program(const hd_op ops[NUM_OPS], unsigned bits, unsigned n, uint32_t float_controls)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "functions");
   hd_def *srcs[2], *address;
   hd_shader *shader;

   b.shader->float_controls = float_controls;
   srcs[0] = hd_build_param(&b, n, bits);
   srcs[1] = hd_build_param(&b, n, bits);
   address = hd_imm_u64(&b, 64);
   for (unsigned k = 0; k < NUM_OPS; k++) {
      hd_def *r = hd_build_alu(&b, ops[k], ops[k] == HD_OP_FDIV ? 2 : 1, srcs, 0);
      hd_store_global(&b, r, address, 0, 1, 0, 0);
   }
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

/* Exponents in turn; significands at the edges half of the time. */
static uint64_t
number(uint64_t *state, unsigned bits, uint32_t round)
{
   const uint64_t r = straight_random(state);
   uint32_t significand = (uint32_t)(r >> 9) & 0x7fffff;

   if (bits == 16)
      return round & 0xffff;
   if (r & 1)
      significand = (r & 2 ? 0x800000u - (uint32_t)(r >> 60) : (uint32_t)(r >> 60)) & 0x7fffff;
   return (round % 512) << 23 | significand;
}

/* Neighbours have neighbouring encodings. What has one of its own, and a zero's sign, must be the same. */
static bool
is_near(unsigned group, unsigned bits, uint64_t want, uint64_t got)
{
   const uint64_t size = want & 0x7fffffff;

   if (group == ROOTS || bits == 16 || size == 0 || size >= 0x7f800000)
      return want == got;
   return want - got + 1 <= 2;
}

static void
try_with(unsigned group, unsigned bits, unsigned n, uint32_t float_controls, uint32_t rounds)
{
   const hd_op *const ops = all_ops[group];
   hd_pass_step step = hd_pass_step_default(hd_pass_find("lower_float_functions"));
   hd_run_options run = { .validate = true, .verify_meta = true };
   straight_options options = { .float_controls = float_controls };
   const uint64_t seed = 900 + bits + float_controls;
   uint64_t state = seed;
   values args[2], before[NUM_OPS], after[NUM_OPS];
   hd_shader *kept = program(ops, bits, n, float_controls),
             *lowered = program(ops, bits, n, float_controls);
   bool progress;

   for (unsigned k = 0; k < 2 * NUM_OPS; k++)
      step.values[k] = k / NUM_OPS == group;
   assert_int_equal(hd_run_passes(lowered, &step, 1, &run, &progress), HD_OK);
   assert_true(progress);
   hd_foreach_instr(i, hd_function_start(lowered->first_function)) {
      for (unsigned k = 0; k < NUM_OPS; k++)
         assert_false(i->kind == HD_INSTR_ALU && i->op == ops[k]);
   }
   for (uint32_t r = 0; r < rounds; r++) {
      for (unsigned c = 0; c < n; c++) {
         const uint64_t x = number(&state, bits, r * n + c);
         args[0][c] = straight_value(bits, x);
         args[1][c] = straight_value(
             bits, bits == 16 ? straight_random(&state) & 0xffff
                              : number(&state, bits, (uint32_t)straight_random(&state)));
      }
      const hd_function *f = kept->first_function, *g = lowered->first_function;
      assert_int_equal(straight_run(f, (const values *)args, &options, before, NUM_OPS), NUM_OPS);
      assert_int_equal(straight_run(g, (const values *)args, &options, after, NUM_OPS), NUM_OPS);
      for (unsigned k = 0; k < NUM_OPS; k++) {
         for (unsigned c = 0; c < n; c++) {
            const uint64_t x = straight_uint(&before[k][c], bits),
                           y = straight_uint(&after[k][c], bits);
            if (!is_near(group, bits, x, y))
               fail_msg("seed %u: %s of %u bits, controls 0x%x, operands 0x%x 0x%x: 0x%x, not 0x%x",
                        (unsigned)seed, hd_op_get_info(ops[k])->name, bits, float_controls,
                        (unsigned)straight_uint(&args[0][c], bits),
                        (unsigned)straight_uint(&args[1][c], bits), (unsigned)y, (unsigned)x);
         }
      }
   }
   hd_shader_destroy(kept);
   hd_shader_destroy(lowered);
}

static const uint32_t controls[] = { 0, HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32,
                                     HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_32, HD_FLOAT_MODES };

static void
test_16(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 8; n++)
      try_with(n / 4, 16, 4, controls[n % 4], 16384);
}

static void
test_32(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 8; n++)
      try_with(n / 4, 32, n % 4 + 1, controls[n % 4], 60000 / (n % 4 + 1));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_16),
      cmocka_unit_test(test_32),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
