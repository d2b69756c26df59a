/* SPDX-License-Identifier: MIT */
/* test_lower_pack.c - every packing op before and after lower_pack, with each of its options and each
 * float control that matters: all numbers of 16 bits and all bytes where they are unpacked; where
 * they are packed, floats around each number that can come out, of all exponents, and NaNs.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/pass.h"

#include "support/straight.h"

#define MAX_OPS 24u

typedef hd_const_value values[HD_MAX_COMPONENTS];

typedef struct program {
   hd_builder b;
   hd_shader *shader;
   hd_def *params[5]; /* by bits: 8x4, 16x4, 32x4, 32, 64 */
   hd_op ops[MAX_OPS];
   uint8_t bits[MAX_OPS], components[MAX_OPS];
   unsigned num;
} program;

/* The parameter that an op takes, cut to its components. */
static hd_def *
operand(program *p, const hd_op_info *info)
{
   const hd_type_info *t = &info->src[0];
   hd_def *parts[4];

   if (t->min_components == 1)
      return p->params[t->sizes == 64 ? 4 : 3];
   hd_def *v = p->params[t->sizes == 8 ? 0 : t->sizes == 16 ? 1 : 2];
   for (unsigned n = 0; n < t->min_components; n++)
      parts[n] = hd_channel(&p->b, v, hd_imm_u32(&p->b, n));
   return hd_vec(&p->b, t->min_components, parts);
}

static void
begin(program *p, uint32_t float_controls)
{
   static const uint8_t shapes[5][2] = { { 4, 8 }, { 4, 16 }, { 4, 32 }, { 1, 32 }, { 1, 64 } };

   memset(p, 0, sizeof(*p));
   p->b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "pack");
   p->b.shader->float_controls = float_controls;
   for (unsigned n = 0; n < 5; n++)
      p->params[n] = hd_build_param(&p->b, shapes[n][0], shapes[n][1]);
   hd_def *address = hd_imm_u64(&p->b, 64);
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      if (strncmp(info->name, "pack_", 5) && strncmp(info->name, "unpack_", 7))
         continue;
      assert_true(p->num < MAX_OPS);
      hd_def *x = operand(p, info), *made = hd_build_alu(&p->b, (hd_op)op, 1, &x, 0);
      p->ops[p->num] = (hd_op)op;
      p->bits[p->num] = made->bit_size;
      p->components[p->num++] = made->num_components;
      hd_store_global(&p->b, made, address, 0, 1, 0, 0);
   }
   assert_int_equal(p->num, 19);
   assert_int_equal(hd_builder_finish(&p->b, &p->shader), HD_OK);
}

/* Floats near `number` / `most`, and near what comes just before the next one. */
static uint32_t
near_number(uint64_t *state, uint32_t number, uint32_t most)
{
   const uint64_t r = straight_random(state);
   float f = ((float)number + (r & 1 ? 0.5f : 0.0f)) / (float)most;
   uint32_t bits;

   memcpy(&bits, &f, 4);
   return bits + (uint32_t)((r >> 8) % 5) - 2;
}

/* Floats near a half with these bits, or between it and the next. */
static uint32_t
near_half(uint64_t *state, uint32_t half)
{
   const uint64_t r = straight_random(state);
   const uint32_t size = half & 0x7fff;
   uint32_t bits = (size << 13) + 0x38000000;

   if (size < 0x400) {
      const float f = ((float)size + (r & 1 ? 0.5f : 0.0f)) / 16777216.0f;
      memcpy(&bits, &f, 4);
   } else if (r & 1) {
      bits += 0x1000;
   }
   return (bits + (uint32_t)((r >> 8) % 3) - 1) | (half & 0x8000) << 16;
}

static uint32_t
float_for(uint64_t *state, uint32_t round)
{
   static const uint32_t most[] = { 255, 127, 65535, 32767 };
   const uint64_t r = straight_random(state);

   switch (r % 4) {
   case 0:
      return near_half(state, (uint32_t)(r >> 16) & 0xffff);
   case 1:
      return near_number(state, round % (most[(r >> 8) % 4] + 2), most[(r >> 8) % 4]) |
             (uint32_t)(r >> 63) << 31;
   case 2: /* each exponent in turn */
      return (round % 512) << 23 | ((uint32_t)(r >> 8) & (r >> 40 & 1 ? 0x7fffff : 0));
   default:
      return (uint32_t)straight_edge(state, 32);
   }
}

static void
draw(values *args, uint64_t *state, uint32_t round)
{
   for (unsigned n = 0; n < 4; n++) {
      args[0][n] = straight_value(8, straight_random(state) & 0xff);
      args[1][n] = straight_value(16, straight_random(state) & 0xffff);
      args[2][n] = straight_value(32, float_for(state, round));
   }
   /* All numbers of 16 bits in turn. */
   args[3][0] = straight_value(32, (2 * round & 0xffff) | (2 * round + 1) << 16);
   args[4][0] = straight_value(64, straight_edge(state, 64));
}

static bool
is_packing(hd_op op)
{
   const char *name = hd_op_get_info(op)->name;

   return !strncmp(name, "pack_", 5) || !strncmp(name, "unpack_", 7);
}

/* What must be gone is gone: no packing op but those of the options. */
static void
look(const hd_function *f, const hd_pass_step *step)
{
   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         if (i->kind != HD_INSTR_ALU || !is_packing((hd_op)i->op))
            continue;
         assert_false(step->values[0]);
         assert_true(i->op == HD_OP_PACK_64_2X32 || i->op == HD_OP_UNPACK_64_2X32);
      }
   }
}

static void
try_with(uint32_t float_controls, uint32_t pairs, uint32_t half, uint32_t rounds)
{
   const hd_pass_step chosen = { .pass = hd_pass_find("lower_pack"),
                                 .values = { pairs, 1, half, 1 } };
   hd_run_options run = { .validate = true, .verify_meta = true };
   straight_options options = { .float_controls = float_controls };
   values args[5], before[MAX_OPS], after[MAX_OPS];
   uint64_t first = 4000 + float_controls, state = first;
   program kept, lowered;

   begin(&kept, float_controls);
   begin(&lowered, float_controls);
   assert_int_equal(hd_run_passes(lowered.shader, &chosen, 1, &run, NULL), HD_OK);
   look(lowered.shader->first_function, &chosen);
   for (uint32_t r = 0; r < rounds; r++) {
      draw(args, &state, r);
      const hd_function *a = kept.shader->first_function, *b = lowered.shader->first_function;
      assert_int_equal(straight_run(a, (const values *)args, &options, before, MAX_OPS), kept.num);
      assert_int_equal(straight_run(b, (const values *)args, &options, after, MAX_OPS), kept.num);
      for (unsigned n = 0; n < kept.num; n++) {
         for (unsigned c = 0; c < kept.components[n]; c++) {
            const uint64_t x = straight_uint(&before[n][c], kept.bits[n]);
            const uint64_t y = straight_uint(&after[n][c], kept.bits[n]);
            if (x != y)
               fail_msg(
                   "seed %llu, round %u: %s, component %u: 0x%llx, not 0x%llx (operands 0x%x 0x%x)",
                   (unsigned long long)first, r, hd_op_get_info(kept.ops[n])->name, c,
                   (unsigned long long)y, (unsigned long long)x, args[2][c].u32, args[3][0].u32);
         }
      }
   }
   hd_shader_destroy(kept.shader);
   hd_shader_destroy(lowered.shader);
}

/* All that can be unpacked. */
static void
test_all_halves(void **unused)
{
   (void)unused;
   try_with(0, 0, 1, 32768);
   try_with(0, 1, 2, 32768);
}

static void
test_float_controls(void **unused)
{
   static const uint32_t controls[] = {
      HD_FLOAT_FLUSH_16, HD_FLOAT_FLUSH_32, HD_FLOAT_FLUSH_64 | HD_FLOAT_RTZ_16,
      HD_FLOAT_RTZ_32,   HD_FLOAT_RTZ_64,   HD_FLOAT_MODES,
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(controls) / sizeof(controls[0]); n++)
      try_with(controls[n], n & 1, 1 + n % 2, n == 3 ? 32768 : 4096);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_halves),
      cmocka_unit_test(test_float_controls),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
