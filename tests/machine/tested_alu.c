/* SPDX-License-Identifier: MIT */
/* tested_alu.c - each op does in the simulator what it does in the interpreter, in all sizes that the
 * machine has, on numbers that are special to floats or integers and on random ones; on vectors, and
 * on scalars.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/op_enum.h"
#include "heddle/text.h"
#include "heddle/wave.h"
#include "machine/tested.h"
#include "support/heard.h"

#define OPERANDS 4u
#define NUM      1536u /* invocations */

static const uint32_t special[] = {
   0,          0x80000000, 1,          0x7fffffff, 0xffffffff, 0x3f800000, 0xbf800000, 0x7f800000,
   0xff800000, 0x7fc00000, 0x00800000, 0x007fffff, 0x80000001, 0x7f7fffff, 0x4b000000, 0x4f000000,
   0xcf000000, 0x3f000000, 0x3effffff, 0x477ff000, 0x38800000, 0x387fffff, 31,         32,
   33,         0x0000ffff, 0xffff8000, 0x40490fdb, 0x3f7fffff, 0x4effffff, 0x4f7fffff, 0xbf000000,
   0x3ff00000, 0x7ff00000, 0x000fffff, 0x7fefffff, 0x41dfffff, 0x41efffff, 0x40effc00, 0x3e600000,
};

static uint32_t in[NUM * OPERANDS], expected[NUM], got[NUM];

static uint64_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return *state >> 32;
}

static void
fill(uint64_t seed)
{
   for (unsigned n = 0; n < NUM * OPERANDS; n++) {
      const uint32_t r = (uint32_t)next_random(&seed);
      const uint32_t bits = (uint32_t)next_random(&seed);
      switch (r % 5) {
      case 0:
         in[n] = special[bits % (sizeof(special) / sizeof(special[0]))];
         break;
      case 1: /* a float of moderate size */
         in[n] = (bits & 0x807fffff) | (100 + bits / 7 % 50) << 23;
         break;
      case 2:
         in[n] = bits % 40;
         break;
      case 3: /* the upper half of a double of moderate size */
         in[n] = (bits & 0x800fffff) | (1000 + bits / 7 % 70) << 20;
         break;
      default:
         in[n] = bits;
         break;
      }
   }
}

typedef struct writer {
   hd_blob *text;
   unsigned next; /* number of a value */
} writer;

/* Of an operand, where the first one and the result have these sizes. */
static unsigned
size_of(const hd_op_info *info, const hd_type_info *t, unsigned from, unsigned to)
{
   if (!t->size_variable)
      return t->sizes;
   return t->size_variable == info->result.size_variable ? to : from;
}

/* Word n, of %10 and on, as a value of this size; booleans are %30 and on. */
static unsigned
write_operand(writer *w, unsigned n, unsigned size)
{
   n %= OPERANDS;
   if (size == 1 || size == 32)
      return (size == 1 ? 30 : 10) + n;
   if (size < 32) {
      hd_blob_printf(w->text, "  %%%u:%u = u2u %%%u\n", w->next, size, 10 + n);
      return w->next++;
   }
   hd_blob_printf(w->text, "  %%%u:32x2 = vec %%%u, %%%u\n  %%%u:64 = pack_64_2x32 %%%u\n", w->next,
                  10 + n, 10 + (n + 1) % OPERANDS, w->next + 1, w->next);
   w->next += 2;
   return w->next - 1;
}

/* A scalar as a number of 32 bits. */
static unsigned
write_number(writer *w, unsigned value, unsigned size)
{
   if (size == 32)
      return value;
   if (size < 32) {
      hd_blob_printf(w->text, "  %%%u:32 = %s %%%u\n", w->next, size == 1 ? "b2i" : "u2u", value);
      return w->next++;
   }
   const unsigned n = w->next;
   w->next += 5;
   hd_blob_printf(w->text,
                  "  %%%u:32x2 = unpack_64_2x32 %%%u\n  %%%u:32 = channel %%%u, %%0\n"
                  "  %%%u:32 = channel %%%u, %%3\n  %%%u:32 = rotl %%%u, %%2\n"
                  "  %%%u:32 = ixor %%%u, %%%u\n",
                  n, value, n + 1, n, n + 2, n, n + 3, n + 2, n + 4, n + 1, n + 3);
   return n + 4;
}

/* Operands are loaded; a vector is the next words. The parts of a result are mixed to one number.
 * False: not this op, or not of these sizes of the first operand and of the result.
 */
static bool
write_shader(const hd_op_info *info, bool uniform, unsigned from, unsigned to, hd_blob *text)
{
   writer w = { text, 40 };
   unsigned srcs[OPERANDS];

   if (!info->num_srcs || info->num_srcs > OPERANDS || !(info->src[0].sizes & from) ||
       !(info->result.sizes & to) || info->result.min_components > OPERANDS ||
       size_of(info, &info->src[0], from, to) != from)
      return false;
   hd_blob_printf(text,
                  "shader compute {\n workgroup %u 1 1\n function @main {\n b0:\n"
                  "  %%0:32 = const 0\n  %%1:32 = const 16\n  %%2:32 = const 4\n"
                  "  %%3:32 = const 1\n",
                  tested.lanes);
   hd_blob_printf(text, uniform ? "  %%4:32 = workgroup_index\n"
                                : "  %%4:32 = global_invocation_index\n");
   hd_blob_printf(text, "  %%5:32 = imul %%4, %%1\n  %%6:32 = imul %%4, %%2\n");
   for (unsigned n = 0; n < OPERANDS; n++)
      hd_blob_printf(text,
                     "  %%%u:32 = load_buffer %%0, %%5 align_mul=4 offset=%u access=readonly\n"
                     "  %%%u:32 = iand %%%u, %%3\n  %%%u:1 = ine %%%u, %%0\n",
                     10 + n, 4 * n, 20 + n, 10 + n, 30 + n, 20 + n);
   for (unsigned n = 0; n < info->num_srcs; n++) {
      const hd_type_info *t = &info->src[n];
      const unsigned size = size_of(info, t, from, to);
      unsigned parts[OPERANDS];
      if (t->min_components > OPERANDS)
         return false;
      for (unsigned c = 0; c < t->min_components || !c; c++)
         parts[c] = write_operand(&w, n + c, size);
      srcs[n] = parts[0];
      if (t->min_components > 1) {
         hd_blob_printf(text, "  %%%u:%ux%u = vec", w.next, size, t->min_components);
         for (unsigned c = 0; c < t->min_components; c++)
            hd_blob_printf(text, "%s %%%u", c ? "," : "", parts[c]);
         hd_blob_printf(text, "\n");
         srcs[n] = w.next++;
      }
   }
   const unsigned result = w.next++, num = info->result.min_components;
   hd_blob_printf(text, "  %%%u:%u", result, to);
   if (num > 1)
      hd_blob_printf(text, "x%u", num);
   hd_blob_printf(text, " = %s%s", info->name, info->result.kind == HD_KIND_FLOAT ? ".exact" : "");
   for (unsigned n = 0; n < info->num_srcs; n++)
      hd_blob_printf(text, "%s %%%u", n ? "," : "", srcs[n]);
   hd_blob_printf(text, "\n");
   unsigned sum = num > 1 ? 0 : write_number(&w, result, to);
   for (unsigned c = 0; num > 1 && c < num; c++) {
      hd_blob_printf(text, "  %%%u:32 = const %u\n  %%%u:%u = channel %%%u, %%%u\n", w.next, c,
                     w.next + 1, to, result, w.next);
      w.next += 2;
      const unsigned number = write_number(&w, w.next - 1, to);
      hd_blob_printf(text, "  %%%u:32 = rotl %%%u, %%2\n  %%%u:32 = ixor %%%u, %%%u\n", w.next, sum,
                     w.next + 1, w.next, number);
      w.next += 2;
      sum = w.next - 1;
   }
   hd_blob_printf(text, "  store_buffer %%%u, %%0, %%6 binding=1 align_mul=4\n }\n}\n", sum);
   return true;
}

static void
launch_of(uint32_t *out, hd_wave_buffer buffers[2], hd_wave_launch *launch)
{
   memset(out, 0, sizeof(got));
   buffers[0] = (hd_wave_buffer){ .memory = { in, NULL, sizeof(in) } };
   buffers[1] = (hd_wave_buffer){ .binding = 1, .memory = { out, NULL, sizeof(got) } };
   *launch = (hd_wave_launch){ .lanes = tested.lanes,
                               .num_workgroups = { NUM / tested.lanes },
                               .buffers = buffers,
                               .num_buffers = 2 };
}

/* False: it was refused. The results may be `units` apart. */
static bool
must_be_near(const char *name, const char *text, const char *passes, bool uniform, uint32_t units)
{
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   void *binary;
   hd_wave_buffer buffers[2];
   hd_wave_launch launch;
   hd_shader *shader;

   if (hd_parse(&config, name, text, strlen(text), &shader) != HD_OK)
      fail_msg("%s: %s\n%s", name, heard.all, text);
   const hd_result result = tested.compile(shader, 0, passes, &config.diag, &binary);
   if (result == HD_UNSUPPORTED) {
      assert_non_null(strstr(heard.all, "unsupported op"));
      hd_shader_destroy(shader);
      return false;
   }
   assert_int_equal(result, HD_OK);
   launch_of(expected, buffers, &launch);
   assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
   launch_of(got, buffers, &launch);
   if (tested.run(binary, shader, &launch, 0, 0, &config.diag) != HD_OK)
      fail_msg("%s: %s", name, heard.all);
   for (unsigned n = 0; n < (uniform ? NUM / tested.lanes : NUM); n++) {
      if (expected[n] - got[n] + units > 2 * units)
         fail_msg("%s%s of %08x, %08x, %08x, %08x is %08x, not %08x", name,
                  uniform ? ", uniform," : "", in[4 * n], in[4 * n + 1], in[4 * n + 2],
                  in[4 * n + 3], got[n], expected[n]);
   }
   tested.destroy(binary);
   hd_shader_destroy(shader);
   return true;
}

static bool
must_be_the_same(const char *name, const char *text, bool uniform)
{
   return must_be_near(name, text, tested.passes, uniform, 0);
}

/* Without their lowering. */
static const char *const refused[] = { "fcos", "fexp2", "flog2", "fsin" };

/* False: it was refused, or is not an op of these sizes. */
static bool
is_the_same(const hd_op_info *info, bool uniform, unsigned from, unsigned to)
{
   hd_blob text = { 0 };
   const bool done = write_shader(info, uniform, from, to, &text) &&
                     must_be_the_same(info->name, text.data, uniform);

   hd_blob_finish(&text);
   return done;
}

static void
test_ops(void **state)
{
   (void)state;
   unsigned num = 0, num_sizes = 0;

   fill(20263);
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      bool should = info->num_srcs && info->result.sizes & 33 && info->src[0].sizes & 33 &&
                    info->result.min_components <= OPERANDS;
      for (size_t n = 0; n < sizeof(refused) / sizeof(refused[0]); n++)
         should &= strcmp(info->name, refused[n]) != 0;
      for (unsigned uniform = 0; uniform < 2; uniform++) {
         bool done = false;
         for (unsigned from = 1; from <= 64; from *= from == 1 ? 8 : 2) {
            for (unsigned to = 1; to <= 64; to *= to == 1 ? 8 : 2) {
               const bool same = is_the_same(info, uniform, from, to);
               done |= same && (from & 33) && (to & 33);
               num += same && (from & 33) && (to & 33);
               num_sizes += same;
            }
         }
         if (done != should)
            fail_msg("%s is %s", info->name, done ? "not refused" : "refused");
      }
   }
   print_message("%u, of other sizes %u\n", num, num_sizes - num);
   assert_true(num > 300 && num_sizes - num > 100);
}

/* More numbers for what integers compute: HEDDLE_SEEDS times as many. */
static void
test_exact(void **state)
{
   (void)state;
   static const hd_op ops[] = { HD_OP_FDIV,   HD_OP_FRCP, HD_OP_FSQRT,
                                HD_OP_FLDEXP, HD_OP_FFMA, HD_OP_FRSQ };
   const char *seeds = getenv("HEDDLE_SEEDS");
   const uint64_t num = seeds ? strtoull(seeds, NULL, 0) : 4;

   for (uint64_t seed = 1; seed <= num; seed++) {
      fill(seed * 77);
      /* A sum of which most goes out: the product, rounded, with the other sign. */
      for (unsigned n = 0; n < NUM; n += 2) {
         float a, b, product;
         memcpy(&a, &in[4 * n], 4);
         memcpy(&b, &in[4 * n + 1], 4);
         product = -(a * b);
         memcpy(&in[4 * n + 2], &product, 4);
         in[4 * n + 2] += n / 2 % 3;
      }
      for (size_t n = 0; n < sizeof(ops) / sizeof(ops[0]); n++) {
         hd_blob text = { 0 };
         assert_true(write_shader(hd_op_get_info(ops[n]), false, 32, 32, &text));
         assert_true(must_be_the_same(hd_op_get_info(ops[n])->name, text.data, false));
         hd_blob_finish(&text);
      }
   }
}

/* What the machine's own list of passes lowers to polynomials. */
static void
test_polynomials(void **state)
{
   (void)state;
   static const hd_op ops[] = { HD_OP_FEXP2, HD_OP_FLOG2, HD_OP_FSIN, HD_OP_FCOS };

   fill(20264);
   for (size_t n = 0; n < 2 * sizeof(ops) / sizeof(ops[0]); n++) {
      const hd_op_info *info = hd_op_get_info(ops[n / 2]);
      hd_blob text = { 0 };
      assert_true(write_shader(info, n & 1, 32, 32, &text));
      assert_true(must_be_near(info->name, text.data, NULL, n & 1, 1));
      hd_blob_finish(&text);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_ops), cmocka_unit_test(test_exact),
                                       cmocka_unit_test(test_polynomials) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
