/* SPDX-License-Identifier: MIT */
/* test_known_bits.c - what is said to be known of a value holds for all operands: random
 * expressions, evaluated. HEDDLE_SEED is the first seed.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/known_bits.h"
#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "ir/fold.h"

#define NUM_VALUES 24
#define NUM_RUNS   64

static uint64_t
next(uint64_t *state)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

static uint64_t
number(uint64_t *random, unsigned bits)
{
   const uint64_t r = next(random);

   switch (r % 4) {
   case 0:
      return ones((r >> 8) % (bits + 1));
   case 1:
      return UINT64_C(1) << (r >> 8) % bits;
   case 2:
      return (r >> 8) % 40;
   default:
      return next(random);
   }
}

/* An op whose operands are values that are there, of the sizes that it wants. */
static hd_def *
random_op(hd_builder *b, uint64_t *random, hd_def *const *values, unsigned num)
{
   for (unsigned tries = 0; tries < 500; tries++) {
      const hd_op op = (hd_op)(1 + next(random) % (HD_NUM_OPS - 1));
      const hd_op_info *info = hd_op_get_info(op);
      const unsigned wanted = 8u << next(random) % 4;
      hd_def *srcs[HD_MAX_OP_SRCS];
      hd_shape shapes[HD_MAX_OP_SRCS], shape;
      if ((info->flags & (HD_OP_FLOAT | HD_OP_VARIADIC)) || !(info->flags & HD_OP_COMPONENTWISE))
         continue;
      for (unsigned n = 0; n < info->num_srcs; n++) {
         srcs[n] = values[next(random) % num];
         shapes[n] = (hd_shape){ 1, srcs[n]->bit_size };
      }
      const unsigned bits = info->flags & HD_OP_SIZED ? wanted : 0;
      if (hd_op_infer_shape(op, info->num_srcs, shapes, bits, &shape, NULL) == HD_SHAPE_FITS)
         return hd_build_alu(b, op, info->num_srcs, srcs, bits);
   }
   return values[0];
}

static uint64_t
evaluate(const hd_instr *i, const hd_const_value *values)
{
   const hd_alu *alu = hd_instr_as_alu(i);
   hd_const_value operands[HD_MAX_OP_SRCS], result[HD_MAX_COMPONENTS];
   hd_fold_src srcs[HD_MAX_OP_SRCS];

   for (unsigned n = 0; n < i->num_srcs; n++) {
      operands[n] = values[alu->src[n].def->index];
      srcs[n] = (hd_fold_src){ &operands[n], { 1, alu->src[n].def->bit_size } };
   }
   assert_true(hd_fold_op((hd_op)i->op, i->num_srcs, srcs, i->def.bit_size, 0, result));
   return hd_const_get(&result[0], i->def.bit_size);
}

/* How many bits were known of results of ops. */
static unsigned
check_expression(uint64_t seed)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "known");
   hd_def *values[NUM_VALUES];
   uint64_t random = seed;
   unsigned num = 0, num_known = 0;
   hd_shader *shader;

   for (unsigned bits = 1; bits <= 64; bits *= 2) {
      if (bits != 2 && bits != 4)
         values[num++] = hd_build_param(&b, 1, bits);
   }
   const unsigned num_params = num;
   for (unsigned n = 0; n < 7; n++) {
      const unsigned bits = n < 2 ? 32 : 8u << n % 4;
      values[num++] = hd_imm_uint(&b, bits, number(&random, bits));
   }
   while (num < NUM_VALUES) {
      values[num] = random_op(&b, &random, values, num);
      num++;
   }
   for (unsigned run = 0; run < NUM_RUNS; run++) {
      hd_const_value now[NUM_VALUES] = { { .u64 = 0 } };
      hd_foreach_instr(i, hd_function_start(b.function)) {
         const unsigned bits = i->def.bit_size;
         assert_true(i->def.index < NUM_VALUES);
         const uint64_t value = i->def.index < num_params ? number(&random, bits) & mask(bits)
                                : i->kind == HD_INSTR_CONST
                                    ? hd_const_get(&((hd_const *)i)->value[0], bits)
                                    : evaluate(i, now);
         const hd_known_bits k = hd_known_bits_of(&i->def);
         hd_const_set(&now[i->def.index], bits, value);
         if ((value & k.zeros) || (~value & k.ones) || ((k.zeros | k.ones) & ~mask(bits)))
            fail_msg("seed %llu: %s of %u bits gives %#llx; zeros %#llx and ones %#llx were known",
                     (unsigned long long)seed, hd_op_get_info((hd_op)i->op)->name, bits,
                     (unsigned long long)value, (unsigned long long)k.zeros,
                     (unsigned long long)k.ones);
         if (run == 0 && i->kind == HD_INSTR_ALU)
            num_known += bit_count(k.zeros | k.ones);
      }
   }
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_shader_destroy(shader);
   return num_known;
}

static void
test_random(void **unused)
{
   const char *text = getenv("HEDDLE_SEED");
   const uint64_t first = text ? strtoull(text, NULL, 0) : 1;
   unsigned num_known = 0;

   (void)unused;
   for (uint64_t seed = first; seed < first + 3000; seed++)
      num_known += check_expression(seed);
   print_message("3000 expressions from seed %llu: %u bits known\n", (unsigned long long)first,
                 num_known);
   assert_true(num_known > 100000);
}

/* The position of a lane is below the size of the workgroup, if that is said. */
static void
test_launch(void **unused)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "known");
   hd_shader *shader;

   (void)unused;
   hd_def *index = hd_local_invocation_index(&b), *id = hd_local_invocation_id(&b);
   assert_int_equal(hd_known_bits_of(index).zeros, 0);
   b.shader->workgroup_size[0] = 20;
   b.shader->workgroup_size[1] = 3;
   b.shader->workgroup_size[2] = 1;
   assert_int_equal(hd_known_bits_of(index).zeros, 0xffffffc0);
   assert_int_equal(hd_known_bits_of(id).zeros, 0xffffffe0);
   /* Each direction has its own size; there is no fourth. */
   static const uint32_t zeros[] = { 0xffffffe0, 0xfffffffc, 0xffffffff, 0xffffffe0 };
   for (unsigned n = 0; n < 4; n++) {
      hd_def *part = hd_channel(&b, id, hd_imm_u32(&b, n));
      assert_int_equal(hd_known_bits_of(part).zeros, zeros[n]);
      assert_int_equal(hd_known_bits_of(part).ones, 0);
   }
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_launch),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
