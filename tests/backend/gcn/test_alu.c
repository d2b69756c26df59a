/* SPDX-License-Identifier: MIT */
/* Each op of the table, in each size, for each generation: lowered by the pipeline, selected, run
 * on the simulator's ALU, and compared with the folder's result, bit for bit.
 *
 * Operands differ between lanes, are uniform, or are constants, in all ways. What floats are
 * flushed and rounded by is each way that one switch can be, and all.
 *
 *    HEDDLE_TEST_SEED  HEDDLE_TEST_OP  HEDDLE_TEST_ROUNDS
 */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "sem.h"
#include "straight_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/pass.h"
#include "ir/private.h"

enum way { DIVERGENT, UNIFORM, CONSTANT };

/* One op with the sizes of its operands, and how they come. */
typedef struct trial {
   hd_op op;
   unsigned num_srcs;
   hd_shape src[HD_MAX_OP_SRCS];
   hd_shape result;
   unsigned chosen_bits; /* by the instruction; else 0 */
   enum way way[HD_MAX_OP_SRCS];
   hd_const_value constant[HD_MAX_OP_SRCS][4];
   struct trial *inner[HD_MAX_OP_SRCS]; /* what gives the operand; NULL: it is an input */
   bool is_scale[HD_MAX_OP_SRCS];       /* a constant, 2 or 4 */
   bool any_zero;                       /* the sign of a zero does not matter */
   uint32_t controls;
   hd_gcn_gen gen;
} trial;

static uint64_t seed = 1;
static unsigned failures, trials, refused, lanes_compared, multiplied, mads;

static hd_const_value
value_of(unsigned bits, uint64_t u)
{
   hd_const_value v = { .u64 = 0 };

   v.u64 = bits == 64 ? u : u & ((UINT64_C(1) << bits) - 1);
   return v;
}

/* Operands that ops treat alike most of the time, and those that they do not. */
static uint64_t
operand(const trial *t, unsigned n, uint64_t *state)
{
   const hd_type_info *type = hd_op_src_type(hd_op_get_info(t->op), n);
   uint64_t r = sem_random(state);

   /* Counts and exponents are small more often than not. */
   if (type->kind != HD_KIND_FLOAT && n > 0 && !type->size_variable && r % 4)
      return r % 3 ? (r >> 8) % 70 : (uint64_t) - (int64_t)((r >> 8) % 200);
   return sem_corner(state, t->src[n].bit_size);
}

/* The shader --------------------------------------------------------------------------------- */

static hd_def *
input(hd_builder *b, const trial *t, unsigned n, unsigned number)
{
   const hd_shape *shape = &t->src[n];
   unsigned bits = shape->bit_size == 1 ? 32 : shape->bit_size;
   hd_def *offset = hd_imm_u32(b, 256 * number);
   hd_def *value;

   if (t->way[n] == CONSTANT)
      return hd_imm(b, shape->num_components, shape->bit_size, t->constant[n]);
   value = hd_build_intrinsic(
       b, t->way[n] == UNIFORM ? HD_INTRINSIC_LOAD_PUSH : HD_INTRINSIC_LOAD_SCRATCH,
       shape->num_components, bits, 1, &offset, NULL);
   if (shape->bit_size == 1)
      value = hd_ine(b, value, hd_imm_u32(b, 0));
   return value;
}

/* The op; an operand can be another op, whose operands come first where they are counted. */
static hd_def *
build_op(hd_builder *b, const trial *t, unsigned *number)
{
   hd_def *srcs[HD_MAX_OP_SRCS];

   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n])
         srcs[n] = build_op(b, t->inner[n], number);
      else
         srcs[n] = input(b, t, n, (*number)++);
   }
   b->flags = HD_FP_EXACT | (t->any_zero ? HD_FP_NO_SIGNED_ZERO : 0);
   hd_def *result = hd_build_alu(b, t->op, t->num_srcs, srcs, t->chosen_bits);
   b->flags = 0;
   return result;
}

static hd_shader *
build(const trial *t)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_KERNEL, "alu");
   unsigned number = 0;
   hd_shader *shader;

   hd_def *result = build_op(&b, t, &number);
   if (t->result.bit_size == 1)
      result = hd_b2i(&b, result, 32);
   /* Volatile, or it would be removed: nobody reads it. */
   hd_def *to = hd_imm_u32(&b, 0);
   hd_store_scratch(&b, result, to, 0, result->bit_size / 8u, 0, HD_ACCESS_VOLATILE);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   shader->scratch_size = 4096;
   shader->push_size = 4096;
   shader->workgroup_size[0] = 64;
   shader->workgroup_size[1] = shader->workgroup_size[2] = 1;
   shader->subgroup_size = 64;
   shader->float_controls = t->controls;
   hd_result r = hd_run_pipeline(shader, "gcn", NULL, NULL);
   assert_int_equal(r, HD_OK);
   return shader;
}

/* Values ------------------------------------------------------------------------------------- */

typedef struct values {
   hd_const_value src[STRAIGHT_INPUTS][64][4];
   uint32_t words[STRAIGHT_INPUTS][8][64];
} values;

static void
fill_input(const trial *t, unsigned n, unsigned number, values *v, uint64_t *state)
{
   unsigned bits = t->src[n].bit_size;

   for (unsigned lane = 0; lane < 64; lane++) {
      for (unsigned c = 0; c < t->src[n].num_components; c++) {
         hd_const_value *to = &v->src[number][lane][c];
         if (t->way[n] == CONSTANT)
            *to = t->constant[n][c];
         else if (t->way[n] == UNIFORM && lane)
            *to = v->src[number][0][c];
         else
            *to = value_of(bits, operand(t, n, state));
         if (bits == 64) {
            v->words[number][2 * c][lane] = (uint32_t)to->u64;
            v->words[number][2 * c + 1][lane] = (uint32_t)(to->u64 >> 32);
         } else {
            /* What lies above a small value is anything. */
            uint32_t above = bits == 32 || bits == 1 ? 0 : (uint32_t)sem_random(state) << bits;
            v->words[number][c][lane] = to->u32 | above;
         }
      }
   }
}

static void
fill(const trial *t, values *v, unsigned *number, uint64_t *state)
{
   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n])
         fill(t->inner[n], v, number, state);
      else
         fill_input(t, n, (*number)++, v, state);
   }
}

static void
expected(const trial *t, const values *v, unsigned lane, unsigned *number, hd_const_value *out)
{
   hd_const_value inner[HD_MAX_OP_SRCS][HD_MAX_COMPONENTS];
   hd_fold_src srcs[HD_MAX_OP_SRCS];

   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n]) {
         expected(t->inner[n], v, lane, number, inner[n]);
         srcs[n] = (hd_fold_src){ inner[n], t->src[n] };
      } else {
         srcs[n] = (hd_fold_src){ v->src[(*number)++][lane], t->src[n] };
      }
   }
   assert_true(hd_fold_op(t->op, t->num_srcs, srcs, t->chosen_bits, t->controls, out));
}

static uint64_t
bits_of(hd_const_value v, unsigned bits)
{
   return bits == 1 ? v.b : value_of(bits, v.u64).u64;
}

static void
describe(const trial *t)
{
   static const char *const ways[] = { "divergent", "uniform", "constant" };

   printf("   %s", hd_op_get_info(t->op)->name);
   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n]) {
         printf(" (of ");
         describe(t->inner[n]);
         printf("   )");
         continue;
      }
      printf(" %ux%u %s", t->src[n].num_components, t->src[n].bit_size, ways[t->way[n]]);
   }
   printf(" -> %ux%u, controls %x, %s\n", t->result.num_components, t->result.bit_size, t->controls,
          hd_gcn_gen_name(t->gen));
}

static void
show_inputs(const trial *t, const values *v, unsigned lane, unsigned *number)
{
   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n]) {
         show_inputs(t->inner[n], v, lane, number);
         continue;
      }
      for (unsigned c = 0; c < t->src[n].num_components; c++)
         printf("      %u.%u: %" PRIx64 "\n", *number, c,
                bits_of(v->src[*number][lane][c], t->src[n].bit_size));
      ++*number;
   }
}

static bool
compare(const trial *t, const straight_code *code, const values *v)
{
   uint64_t out[HD_MAX_COMPONENTS][64], undefined[HD_MAX_COMPONENTS][64];
   const char *why = straight_execute(code, v->words, out, undefined);
   uint64_t ones = t->result.bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << t->result.bit_size) - 1;

   if (why) {
      describe(t);
      printf("      %s\n", why);
      straight_print(code);
      return false;
   }
   for (unsigned lane = 0; lane < 64; lane++) {
      hd_const_value want[HD_MAX_COMPONENTS];
      unsigned number = 0;
      expected(t, v, lane, &number, want);
      for (unsigned c = 0; c < t->result.num_components; c++) {
         uint64_t w = bits_of(want[c], t->result.bit_size), g = out[c][lane] & ones;
         lanes_compared++;
         if (t->any_zero && (w | 0x80000000) == 0x80000000 && (g | 0x80000000) == 0x80000000)
            g = w;
         if (w == g && !(undefined[c][lane] & ones))
            continue;
         number = 0;
         describe(t);
         show_inputs(t, v, lane, &number);
         printf("      component %u, lane %u: %" PRIx64 " instead of %" PRIx64
                ", undefined %" PRIx64 "\n",
                c, lane, g, w, undefined[c][lane] & ones);
         straight_print(code);
         return false;
      }
   }
   return true;
}

/* Constants are drawn; is there an operand that differs between lanes? */
static bool
prepare(trial *t)
{
   bool differs = false;

   for (unsigned n = 0; n < t->num_srcs; n++) {
      if (t->inner[n]) {
         t->inner[n]->gen = t->gen;
         t->inner[n]->controls = t->controls;
         differs |= prepare(t->inner[n]);
         continue;
      }
      differs |= t->way[n] == DIVERGENT;
      for (unsigned c = 0; c < t->src[n].num_components; c++)
         t->constant[n][c] = value_of(t->src[n].bit_size, operand(t, n, &seed));
      if (t->is_scale[n])
         t->constant[n][0].u32 = sem_random(&seed) & 1 ? 0x40000000 : 0x40800000;
   }
   return differs;
}

/* Instructions with an output multiplier, and those that multiply and add. */
static void
count_forms(const straight_code *code)
{
   for (const hd_mach_inst *i = code->gcn.mach.first->first; i; i = i->next) {
      multiplied += (i->bits & HD_GCN_OMOD_MASK) != 0;
      mads += i->op == HD_GCN_V_MAD_F32;
   }
}

static void
run_trial(trial *t, unsigned rounds)
{
   bool differs = prepare(t);
   straight_code code;

   trials++;
   hd_shader *shader = build(t);
   if (!straight_select(&code, shader, t->gen)) {
      refused++;
      failures++;
      describe(t);
      printf("      refused\n");
   } else {
      values *v = calloc(1, sizeof(*v));
      count_forms(&code);
      for (unsigned round = 0; round < (differs ? rounds : 4 * rounds); round++) {
         unsigned number = 0;
         fill(t, v, &number, &seed);
         if (!compare(t, &code, v)) {
            failures++;
            break;
         }
      }
      free(v);
   }
   hd_shader_destroy(shader);
}

/* All trials of an op ------------------------------------------------------------------------- */

static bool
find_shapes(trial *t, unsigned n_bits, unsigned m_bits)
{
   const hd_op_info *info = hd_op_get_info(t->op);
   bool whole = t->op == HD_OP_VEC || t->op == HD_OP_CHANNEL || t->op == HD_OP_INSERT_CHANNEL;

   t->num_srcs = t->op == HD_OP_VEC ? 3 : info->num_srcs;
   for (unsigned n = 0; n < t->num_srcs; n++) {
      const hd_type_info *type = hd_op_src_type(info, n);
      t->src[n].num_components = type->linked ? (whole ? 3 : 1) : type->max_components;
      t->src[n].bit_size = type->size_variable ? (uint8_t)n_bits : type->sizes;
   }
   t->chosen_bits = info->flags & HD_OP_SIZED ? m_bits : 0;
   return hd_op_infer_shape(t->op, t->num_srcs, t->src, t->chosen_bits, &t->result, NULL) == 0;
}

static uint32_t
controls_of(const trial *t, unsigned number)
{
   static const uint32_t all[] = {
      0,
      HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32 | HD_FLOAT_FLUSH_64,
      HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_32 | HD_FLOAT_RTZ_64,
      HD_FLOAT_FLUSH_32,
      HD_FLOAT_RTZ_32,
      HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_64,
      HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_64,
      HD_FLOAT_MODES,
   };
   bool is_float = hd_op_get_info(t->op)->flags & HD_OP_FLOAT;

   return is_float && number < sizeof(all) / sizeof(all[0]) ? all[number] : 0;
}

static void
run_shape(trial *t, unsigned rounds)
{
   bool is_float = hd_op_get_info(t->op)->flags & HD_OP_FLOAT;

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      t->gen = (hd_gcn_gen)gen;
      for (unsigned k = 0; k < (is_float ? 8u : 1u); k++) {
         t->controls = controls_of(t, k);
         /* All divergent, all uniform, and two drawn. */
         for (unsigned ways = 0; ways < (k ? 1u : 4u); ways++) {
            for (unsigned n = 0; n < t->num_srcs; n++)
               t->way[n] = ways == 0   ? DIVERGENT
                           : ways == 1 ? UNIFORM
                                       : (enum way)(sem_random(&seed) % 3);
            run_trial(t, rounds);
         }
      }
   }
}

static void
test_every_op(void **state)
{
   const char *only = getenv("HEDDLE_TEST_OP"), *r = getenv("HEDDLE_TEST_ROUNDS");
   unsigned rounds = r ? (unsigned)atoi(r) : 2;
   const unsigned sizes[] = { 1, 8, 16, 32, 64 };

   (void)state;
   for (unsigned op = HD_OP_NONE + 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      unsigned before = trials;
      if (only && strcmp(only, info->name) != 0)
         continue;
      for (unsigned a = 0; a < 5; a++) {
         for (unsigned b = 0; b < 5; b++) {
            trial t = { .op = (hd_op)op };
            bool has_n = false;
            for (unsigned n = 0; n < info->num_srcs; n++)
               has_n |= info->src[n].size_variable != 0;
            if ((!has_n && a) || (!(info->flags & HD_OP_SIZED) && b))
               continue;
            /* A vector of booleans is nothing that the machine has. */
            if ((op == HD_OP_VEC || op == HD_OP_CHANNEL || op == HD_OP_INSERT_CHANNEL) && a == 0)
               continue;
            if (find_shapes(&t, sizes[a], sizes[b]))
               run_shape(&t, rounds);
         }
      }
      assert_true(trials > before);
   }
   printf("%u trials, %u components compared, %u failed, %u of them refused\n", trials,
          lanes_compared, failures, refused);
   assert_int_equal(failures, 0);
}

/* An op of one component, of sizes that it can have; half of the time one of those that selection
 * looks through, or puts something into.
 */
static bool
draw_op(trial *t, hd_shape wanted)
{
   static const unsigned sizes[] = { 1, 8, 16, 32, 64 };
   static const hd_op favourites[] = { HD_OP_IADD, HD_OP_ISUB,  HD_OP_IADD3, HD_OP_IAND, HD_OP_IOR,
                                       HD_OP_B2I,  HD_OP_FSAT,  HD_OP_FNEG,  HD_OP_FABS, HD_OP_FADD,
                                       HD_OP_FMUL, HD_OP_FFMA,  HD_OP_FMIN,  HD_OP_ULT,  HD_OP_FLT,
                                       HD_OP_INOT, HD_OP_SELECT };
   bool favourite = sem_random(&seed) & 1;

   for (unsigned tries = 0; tries < 2000; tries++) {
      memset(t, 0, sizeof(*t));
      if (favourite && tries < 200)
         t->op = favourites[sem_random(&seed) % (sizeof(favourites) / sizeof(favourites[0]))];
      else
         t->op = (hd_op)(HD_OP_NONE + 1 + sem_random(&seed) % (HD_NUM_OPS - HD_OP_NONE - 1));
      if (t->op == HD_OP_VEC || t->op == HD_OP_CHANNEL || t->op == HD_OP_INSERT_CHANNEL ||
          !find_shapes(t, sizes[sem_random(&seed) % 5], sizes[sem_random(&seed) % 5]) ||
          t->result.num_components != 1)
         continue;
      if (wanted.bit_size && wanted.bit_size != t->result.bit_size)
         continue;
      for (unsigned n = 0; n < t->num_srcs; n++)
         t->way[n] = (enum way)(sem_random(&seed) % 3);
      return true;
   }
   return false;
}

/* Ops of ops: what selection does for several in one instruction. */
static void
test_ops_of_ops(void **state)
{
   const char *r = getenv("HEDDLE_TEST_PAIRS");
   unsigned pairs = r ? (unsigned)atoi(r) : 2000;

   (void)state;
   if (getenv("HEDDLE_TEST_OP"))
      skip();
   trials = lanes_compared = failures = refused = 0;
   for (unsigned k = 0; k < pairs; k++) {
      trial outer, inner[HD_MAX_OP_SRCS];
      unsigned inputs = 0;
      assert_true(draw_op(&outer, (hd_shape){ 0, 0 }));
      for (unsigned n = 0; n < outer.num_srcs; n++) {
         unsigned left = outer.num_srcs - n - 1;
         if (outer.src[n].num_components == 1 && sem_random(&seed) % 3 &&
             draw_op(&inner[n], outer.src[n]) &&
             inputs + inner[n].num_srcs + left <= STRAIGHT_INPUTS) {
            outer.inner[n] = &inner[n];
            inputs += inner[n].num_srcs;
         } else {
            inputs++;
         }
      }
      outer.gen = (hd_gcn_gen)(sem_random(&seed) % HD_GCN_NUM_GENS);
      outer.controls = sem_random(&seed) % 3 ? 0 : HD_FLOAT_FLUSH_32;
      run_trial(&outer, 1);
   }
   printf("%u pairs, %u components compared, %u failed, %u of them refused\n", trials,
          lanes_compared, failures, refused);
   assert_int_equal(failures, 0);
}

/* The result of each op of 32-bit floats, times 2 or 4: in the same instruction if denormals are
 * flushed, numbers rounded to nearest, and the sign of zeros does not matter.
 */
static void
test_multiplied(void **state)
{
   (void)state;
   if (getenv("HEDDLE_TEST_OP"))
      skip();
   trials = lanes_compared = failures = refused = 0;
   for (unsigned k = 0; k < 5; k++) {
      static const uint32_t controls[] = { HD_FLOAT_FLUSH_32, HD_FLOAT_FLUSH_32 | HD_FLOAT_RTZ_16,
                                           0, HD_FLOAT_MODES, HD_FLOAT_FLUSH_32 };
      multiplied = 0;
      for (unsigned op = HD_OP_NONE + 1; op < HD_NUM_OPS; op++) {
         for (unsigned bits = 1; bits <= 64; bits = bits == 1 ? 8 : 2 * bits) {
            trial inner = { .op = (hd_op)op };
            trial outer = { .op = HD_OP_FMUL, .any_zero = k < 4 };
            if (hd_op_get_info((hd_op)op)->result.kind != HD_KIND_FLOAT ||
                !find_shapes(&inner, bits, 32) || inner.result.num_components != 1 ||
                inner.result.bit_size != 32 || op == HD_OP_FNEG || op == HD_OP_FABS)
               continue;
            assert_true(find_shapes(&outer, 32, 0));
            const unsigned of = sem_random(&seed) & 1;
            outer.inner[of] = &inner;
            outer.way[1 - of] = CONSTANT;
            outer.is_scale[1 - of] = true;
            outer.gen = (hd_gcn_gen)(op % HD_GCN_NUM_GENS);
            outer.controls = controls[k];
            run_trial(&outer, 2);
         }
      }
      printf("controls %x, zeros %s: %u multiplied\n", controls[k], k < 4 ? "alike" : "apart",
             multiplied);
      if (k < 2)
         assert_true(multiplied > 20);
      else
         assert_int_equal(multiplied, 0);
   }
   printf("%u trials, %u components compared, %u failed, %u of them refused\n", trials,
          lanes_compared, failures, refused);
   assert_int_equal(failures, 0);
}

/* Sums and differences of products, with signs between. */
static void
test_mad(void **state)
{
   static const uint32_t controls[] = { HD_FLOAT_FLUSH_32, HD_FLOAT_FLUSH_32 | HD_FLOAT_RTZ_32,
                                        HD_FLOAT_MODES, 0 };

   (void)state;
   if (getenv("HEDDLE_TEST_OP"))
      skip();
   trials = lanes_compared = failures = refused = 0;
   for (unsigned c = 0; c < 4; c++) {
      mads = 0;
      for (unsigned k = 0; k < 240; k++) {
         trial sum = { .op = k & 1 ? HD_OP_FSUB : HD_OP_FADD }, product = { .op = HD_OP_FMUL };
         trial signs[3] = { { .op = HD_OP_FNEG },
                            { .op = k & 2 ? HD_OP_FABS : HD_OP_FNEG },
                            { .op = k & 4 ? HD_OP_FABS : HD_OP_FNEG } };
         const unsigned at = k >> 3 & 1;
         trial *all[] = { &sum, &product, &signs[0], &signs[1], &signs[2] };
         for (unsigned n = 0; n < 5; n++) {
            assert_true(find_shapes(all[n], 32, 0));
            for (unsigned o = 0; o < all[n]->num_srcs; o++)
               all[n]->way[o] = (enum way)(sem_random(&seed) % 3);
         }
         signs[0].inner[0] = &product;
         sum.inner[at] = k & 16 ? &signs[0] : &product;
         if (k & 32)
            sum.inner[!at] = &signs[1];
         if (k & 64)
            product.inner[k >> 7] = &signs[2];
         sum.gen = (hd_gcn_gen)(k % HD_GCN_NUM_GENS);
         sum.controls = controls[c];
         run_trial(&sum, 2);
      }
      printf("controls %x: %u of 240 are one instruction\n", controls[c], mads);
      assert_true(c < 3 ? mads > 150 : mads == 0);
   }
   printf("%u trials, %u components compared, %u failed, %u of them refused\n", trials,
          lanes_compared, failures, refused);
   assert_int_equal(failures, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_op),
                                       cmocka_unit_test(test_ops_of_ops),
                                       cmocka_unit_test(test_multiplied),
                                       cmocka_unit_test(test_mad) };

   if (getenv("HEDDLE_TEST_SEED"))
      seed = strtoull(getenv("HEDDLE_TEST_SEED"), NULL, 0);
   printf("seed %" PRIu64 "\n", seed);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
