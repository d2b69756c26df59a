/* SPDX-License-Identifier: MIT */
/* test_lower_ops.c - every op of every size that a lowering of ops takes apart, before and after,
 * on edges and random numbers, scalars and vectors: lower_int64 (each group alone and all
 * together), lower_vectors, lower_small_ints.
 */
#include "support/test.h"

#include <stdlib.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/pass.h"

#include "support/straight.h"

#define INT64_ALL                                                                                  \
   (HD_LOWERED_INT64_ADD | HD_LOWERED_INT64_MUL | HD_LOWERED_INT64_SHIFT |                         \
    HD_LOWERED_INT64_COMPARE | HD_LOWERED_INT64_MINMAX | HD_LOWERED_INT64_LOGIC |                  \
    HD_LOWERED_INT64_BITS | HD_LOWERED_INT64_CONVERT)
#define FIRST_GROUP 1u /* the bit of HD_LOWERED_INT64_ADD */
#define NUM_GROUPS  8u

static const uint8_t sizes[] = { 1, 8, 16, 32, 64 };
#define NUM_SIZES 5u
#define PER_SIZE  4u
#define MAX_OUT   1200u

typedef struct program {
   hd_builder b;
   hd_shader *shader;
   hd_def *params[NUM_SIZES][PER_SIZE];
   hd_def *address;
   hd_op ops[MAX_OUT];
   uint8_t bits[MAX_OUT];
   unsigned num;
   unsigned n;          /* components */
   uint32_t constructs; /* what is looked for */
} program;

static unsigned
size_number(unsigned bits)
{
   unsigned n = 0;

   while (sizes[n] != bits)
      n++;
   return n;
}

/* One instruction, if the op can have N and M bits and is then one that goes. */
static void
add_op(program *p, hd_op op, unsigned n_bits, unsigned m_bits, hd_def *count)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_def *srcs[4];
   hd_shape shapes[4], shape;
   unsigned result = 0;

   for (unsigned k = 0; k < info->num_srcs; k++) {
      const hd_type_info *t = &info->src[k];
      unsigned bits = t->size_variable == 'N' ? n_bits : t->sizes;
      if (t->size_variable && t->size_variable != 'N')
         bits = m_bits;
      if (!(bits & t->sizes) || (bits & (bits - 1)))
         return;
      srcs[k] = p->params[size_number(bits)][k];
      if (count && bits == 32 && k > 0)
         srcs[k] = count;
      shapes[k] = (hd_shape){ srcs[k]->num_components, srcs[k]->bit_size };
   }
   if (info->flags & HD_OP_SIZED)
      result = info->result.size_variable == 'N' ? n_bits : m_bits;
   if (hd_op_infer_shape(op, info->num_srcs, shapes, result, &shape, NULL) != HD_SHAPE_FITS)
      return;
   hd_def *def = hd_build_alu(&p->b, op, info->num_srcs, srcs, result);
   if (!(hd_instr_constructs(hd_def_instr(def)) & p->constructs))
      return;
   assert_true(p->num < MAX_OUT);
   p->ops[p->num] = op;
   p->bits[p->num++] = def->bit_size;
   /* 1-bit values have no place in memory. */
   if (def->bit_size == 1)
      def = hd_b2i(&p->b, def, 32);
   hd_store_global(&p->b, def, p->address, 0, 1, 0, 0);
}

static void
add_ops(program *p, hd_def *count)
{
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      bool two = info->flags & HD_OP_SIZED && info->num_srcs == 1 && info->src[0].size_variable;
      if (info->flags & HD_OP_VARIADIC || !(info->flags & HD_OP_COMPONENTWISE))
         continue;
      for (unsigned n = 0; n < NUM_SIZES; n++) {
         for (unsigned m = 0; m < (two ? NUM_SIZES : 1); m++)
            add_op(p, (hd_op)op, sizes[n], two ? sizes[m] : sizes[n], count);
      }
   }
}

static void
begin(program *p, uint32_t constructs, unsigned n, uint32_t float_controls)
{
   *p = (program){ .n = n, .constructs = constructs };
   p->b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "int64");
   p->b.shader->float_controls = float_controls;
   for (unsigned s = 0; s < NUM_SIZES; s++) {
      for (unsigned k = 0; k < PER_SIZE; k++)
         p->params[s][k] = hd_build_param(&p->b, n, sizes[s]);
   }
   p->address = hd_imm_u64(&p->b, 64);
}

/* Floats around the edges of integers, too. */
static uint64_t
operand(uint64_t *state, unsigned bits)
{
   uint64_t r = straight_random(state), kind = r % 3;
   uint64_t mantissa = straight_random(state) << (r >> 8) % 52;

   if (bits == 64 && kind == 0)
      return (r >> 63) << 63 | (1021 + (r >> 16) % 68) << 52 | (mantissa & ~UINT64_C(0) >> 12);
   if (bits == 32 && kind == 0)
      return (r >> 63) << 31 | (125 + (r >> 16) % 68) << 23 | (mantissa & 0x7fffff);
   return straight_edge(state, bits);
}

typedef hd_const_value values[HD_MAX_COMPONENTS];

static void
draw_args(values *args, uint64_t *state, unsigned n)
{
   for (unsigned s = 0; s < NUM_SIZES; s++) {
      for (unsigned k = 0; k < PER_SIZE; k++) {
         for (unsigned c = 0; c < n; c++)
            args[s * PER_SIZE + k][c] = straight_value(sizes[s], operand(state, sizes[s]));
      }
   }
}

static void
compare(const program *p, const values *before, const values *after)
{
   for (unsigned m = 0; m < p->num; m++) {
      for (unsigned c = 0; c < p->n; c++) {
         if (before[m][c].u64 != after[m][c].u64)
            fail_msg("output %u, %s to %u bits, component %u: 0x%llx, not 0x%llx", m,
                     hd_op_get_info(p->ops[m])->name, p->bits[m], c,
                     (unsigned long long)after[m][c].u64, (unsigned long long)before[m][c].u64);
      }
   }
}

/* The step that leaves none of these constructs. */
static hd_pass_step
step_for(const char *name, uint32_t constructs)
{
   const hd_pass *pass = hd_pass_find(name);
   hd_pass_step step;

   assert_non_null(pass);
   step = hd_pass_step_default(pass);
   for (uint32_t n = 0; n < pass->num_lowers; n++) {
      if (pass->lowers[n].option >= 0)
         step.values[pass->lowers[n].option] = (constructs & pass->lowers[n].construct) != 0;
   }
   return step;
}

static void
lower(hd_shader *shader, const char *pass, uint32_t constructs)
{
   hd_pass_step step = step_for(pass, constructs);
   hd_run_options run = { .validate = true, .verify_meta = true };
   bool progress;

   assert_int_equal(hd_run_passes(shader, &step, 1, &run, &progress), HD_OK);
   assert_true(progress);
   /* With LOW1, validation has looked for what may be left. */
   assert_int_equal(shader->lowered, constructs);
}

/* Parameters of 1 bit have become 32. */
static void
widen_bools(values *args, unsigned rounds)
{
   for (unsigned n = 0; n < rounds * NUM_SIZES * PER_SIZE; n++) {
      for (unsigned c = 0; n / PER_SIZE % NUM_SIZES == 0 && c < HD_MAX_COMPONENTS; c++)
         args[n][c].u32 = args[n][c].b ? UINT32_MAX : 0;
   }
}

static void
try_program(program *p, const char *pass, uint32_t constructs, uint64_t seed, unsigned rounds)
{
   values *before = calloc((size_t)rounds * MAX_OUT, sizeof(values));
   values *args = calloc((size_t)rounds * NUM_SIZES * PER_SIZE, sizeof(values));
   values *after = calloc(MAX_OUT, sizeof(values));
   straight_options options = { .float_controls = p->b.shader->float_controls };
   uint64_t state = seed;

   assert_int_equal(hd_builder_finish(&p->b, &p->shader), HD_OK);
   const hd_function *f = p->shader->first_function;
   for (unsigned r = 0; r < rounds; r++) {
      values *given = args + r * NUM_SIZES * PER_SIZE;
      draw_args(given, &state, p->n);
      assert_int_equal(
          straight_run(f, (const values *)given, &options, before + r * MAX_OUT, MAX_OUT), p->num);
   }
   lower(p->shader, pass, constructs);
   if (constructs & HD_LOWERED_BOOL)
      widen_bools(args, rounds);
   for (unsigned r = 0; r < rounds; r++) {
      const values *given = (const values *)(args + r * NUM_SIZES * PER_SIZE);
      assert_int_equal(straight_run(f, given, &options, after, MAX_OUT), p->num);
      compare(p, (const values *)(before + r * MAX_OUT), (const values *)after);
   }
   hd_shader_destroy(p->shader);
   free(before);
   free(after);
   free(args);
}

static void
test_all(void **unused)
{
   static const uint32_t controls[] = { 0, HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_32 | HD_FLOAT_RTZ_64,
                                        HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32 | HD_FLOAT_FLUSH_64 };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      program p;
      begin(&p, INT64_ALL, 1, controls[n]);
      add_ops(&p, NULL);
      assert_true(p.num > 90);
      print_message("seed %u, %u instructions\n", 700 + n, p.num);
      try_program(&p, "lower_int64", INT64_ALL, 700 + n, n ? 400 : 1500);
   }
}

static void
test_vectors(void **unused)
{
   (void)unused;
   for (unsigned n = 2; n <= 16; n += 7) {
      program p;
      begin(&p, INT64_ALL, n, 0);
      add_ops(&p, NULL);
      try_program(&p, "lower_int64", INT64_ALL, 800 + n, 30);
   }
}

/* Counts and offsets that are known: their own ways through the shifts. */
static void
test_known_counts(void **unused)
{
   static const uint32_t counts[] = { 0, 1, 5, 31, 32, 33, 47, 63, 64, 65, 0x80000020, 0xffffffff };

   (void)unused;
   for (unsigned n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
      program p;
      begin(&p, INT64_ALL, 1, 0);
      add_ops(&p, hd_imm_u32(&p.b, counts[n]));
      try_program(&p, "lower_int64", INT64_ALL, 900 + n, 40);
   }
}

/* Each group alone: the others stay, and read and make whole numbers. */
static void
test_groups(void **unused)
{
   (void)unused;
   for (unsigned g = 0; g < NUM_GROUPS; g++) {
      program p;
      begin(&p, INT64_ALL, 1, 0);
      add_ops(&p, NULL);
      try_program(&p, "lower_int64", UINT32_C(1) << (FIRST_GROUP + g), 1000 + g, 40);
   }
}

/* Every op that works on components. */
static void
test_components(void **unused)
{
   (void)unused;
   for (unsigned n = 2; n <= 16; n += 7) {
      program p;
      begin(&p, HD_LOWERED_VECTORS, n, n == 2 ? HD_FLOAT_RTZ_32 : 0);
      add_ops(&p, NULL);
      assert_true(p.num > 300);
      try_program(&p, "lower_vectors", HD_LOWERED_VECTORS, 1100 + n, 6);
   }
}

static void
test_small(void **unused)
{
   static const uint32_t sets[] = { HD_LOWERED_INT8, HD_LOWERED_INT16,
                                    HD_LOWERED_INT8 | HD_LOWERED_INT16 };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      program p;
      begin(&p, sets[2], n + 1, n ? HD_FLOAT_FLUSH_16 | HD_FLOAT_RTZ_16 : 0);
      add_ops(&p, NULL);
      assert_true(p.num > 150);
      try_program(&p, "lower_small_ints", sets[n], 1200 + n, 400);
   }
}

static void
test_bool(void **unused)
{
   (void)unused;
   for (unsigned n = 1; n < 4; n++) {
      program p;
      begin(&p, HD_LOWERED_BOOL, n, 0);
      add_ops(&p, NULL);
      assert_int_equal(p.num, 7);
      try_program(&p, "lower_bool", HD_LOWERED_BOOL, 1300 + n, 40);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),          cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_known_counts), cmocka_unit_test(test_groups),
      cmocka_unit_test(test_components),   cmocka_unit_test(test_small),
      cmocka_unit_test(test_bool),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
