/* SPDX-License-Identifier: MIT */
/* test_ops.c - every op in every size, in all lanes and in some, against the constant folder; how
 * undefined bits spread, against trying values.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "heddle/op_enum.h"

#define LANES 64

static uint64_t
next_random(uint64_t *state)
{
   uint64_t z = *state += 0x9e3779b97f4a7c15u;

   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return z ^ z >> 31;
}

/* Half of them at the edges of integers and floats. */
static uint64_t
operand(uint64_t *state, unsigned bits)
{
   static const uint64_t edges[] = {
      0,
      1,
      2,
      3,
      7,
      31,
      32,
      63,
      0x7c00,
      0x8000,
      0x3c00,
      0x7f800000,
      0x80000000,
      0x3f800000,
      0x7fc00000,
      0x7ff0000000000000,
      0x8000000000000000,
      0x3ff0000000000000,
      UINT64_MAX,
      0x7fff,
      0x7fffffff,
      0x7fffffffffffffff,
      0x80,
      0x7f,
      0x00800000,
      0x007fffff,
      0x4f000000,
   };
   const uint64_t r = next_random(state);
   const uint64_t v =
       r & 1 ? edges[(r >> 8) % (sizeof(edges) / sizeof(edges[0]))] : next_random(state);
   return v & UINT64_MAX >> (64 - bits);
}

/* One call of an op: shapes of its operands and result. */
struct call {
   hd_op op;
   unsigned num_srcs;
   hd_shape src[HD_MAX_COMPONENTS], result;
};

static unsigned
slot(unsigned bits)
{
   return bits == 64 ? 8 : bits == 1 ? 1 : bits / 8;
}

/* The text: each operand is loaded, component by component as it lies in its lane's record of 1,024
 * bytes, the op is done by all lanes or, with `some`, by the odd ones, and its result is stored.
 */
static void
write_program(const struct call *call, bool some, const char *flags, char *text)
{
   unsigned at = 0, n = 0;

   n += (unsigned)sprintf(text,
                          "shader compute \"t\" { %s\nfunction @main { b0: %%zero:32 = const 0\n"
                          "%%l:32 = subgroup_invocation\n%%size:32 = const 1024\n"
                          "%%a:32 = imul %%l, %%size\n%%one:32 = const 1\n%%low:32 = iand %%l, "
                          "%%one\n%%odd:1 = ine %%low, %%zero\n",
                          flags);
   for (unsigned s = 0; s < call->num_srcs; s++) {
      const hd_shape *shape = &call->src[s];
      const unsigned memory = shape->bit_size == 1 ? 8 : shape->bit_size;
      n += (unsigned)sprintf(text + n, "%%m%u:%ux%u = load_buffer %%zero, %%a offset=%u\n", s,
                             memory, shape->num_components, at);
      if (shape->bit_size == 1)
         n += (unsigned)sprintf(text + n,
                                "%%z%u:8x%u = ixor %%m%u, %%m%u\n%%s%u:1x%u = ine %%m%u, %%z%u\n",
                                s, shape->num_components, s, s, s, shape->num_components, s, s);
      else
         n += (unsigned)sprintf(text + n, "%%s%u:%ux%u = iand %%m%u, %%m%u\n", s, memory,
                                shape->num_components, s, s);
      at += shape->num_components * slot(shape->bit_size);
   }
   if (some)
      n += (unsigned)sprintf(text + n, "if %%odd { b1:\n");
   n += (unsigned)sprintf(text + n, "%%r:%ux%u = %s ", call->result.bit_size,
                          call->result.num_components, hd_op_get_info(call->op)->name);
   for (unsigned s = 0; s < call->num_srcs; s++)
      n += (unsigned)sprintf(text + n, "%s%%s%u", s ? ", " : "", s);
   if (call->result.bit_size == 1)
      n += (unsigned)sprintf(text + n, "\n%%w:8x%u = b2i %%r", call->result.num_components);
   n += (unsigned)sprintf(text + n, "\nstore_buffer %s, %%zero, %%a offset=512\n",
                          call->result.bit_size == 1 ? "%w" : "%r");
   sprintf(text + n, "%s } }", some ? "} b2:" : "");
}

static hd_const_value
read_value(const uint8_t *p, unsigned bits)
{
   hd_const_value v = { .u64 = 0 };

   memcpy(&v, p, slot(bits));
   return v;
}

static void
compare(const struct call *call, const uint8_t *memory, bool some, uint32_t controls)
{
   for (unsigned l = 0; l < LANES; l++) {
      const uint8_t *record = memory + l * 1024, *p = record;
      hd_const_value values[HD_MAX_COMPONENTS][HD_MAX_COMPONENTS], result[HD_MAX_COMPONENTS];
      hd_fold_src srcs[HD_MAX_COMPONENTS];
      for (unsigned s = 0; s < call->num_srcs; s++) {
         for (unsigned c = 0; c < call->src[s].num_components; c++) {
            values[s][c] = read_value(p, call->src[s].bit_size);
            p += slot(call->src[s].bit_size);
         }
         srcs[s] = (hd_fold_src){ values[s], call->src[s] };
      }
      assert_true(
          hd_fold_op(call->op, call->num_srcs, srcs, call->result.bit_size, controls, result));
      for (unsigned c = 0; c < call->result.num_components; c++) {
         uint64_t got =
             read_value(record + 512 + c * slot(call->result.bit_size), call->result.bit_size).u64;
         uint64_t want = some && l % 2 == 0 ? 0 : result[c].u64;
         if (got != want)
            fail_msg("%s, %u bits, lane %u, component %u: 0x%llx, the folder says 0x%llx",
                     hd_op_get_info(call->op)->name, call->src[0].bit_size, l, c,
                     (unsigned long long)got, (unsigned long long)want);
      }
   }
}

static void
run_call(const struct call *call, uint64_t *state)
{
   static uint8_t memory[LANES * 1024];
   static char text[16384];
   static const struct {
      const char *words;
      uint32_t controls;
   } modes[] = { { "", 0 },
                 { "floats flush16 flush32 flush64 rtz16 rtz32 rtz64", HD_FLOAT_MODES } };

   for (unsigned variant = 0; variant < 4; variant++) {
      const bool some = variant & 1;
      const unsigned mode = variant >> 1;
      memset(memory, 0, sizeof(memory));
      for (unsigned l = 0; l < LANES; l++) {
         uint8_t *p = memory + l * 1024;
         for (unsigned s = 0; s < call->num_srcs; s++) {
            for (unsigned c = 0; c < call->src[s].num_components; c++) {
               const uint64_t v = operand(state, call->src[s].bit_size);
               memcpy(p, &v, slot(call->src[s].bit_size));
               p += slot(call->src[s].bit_size);
            }
         }
      }
      write_program(call, some, modes[mode].words, text);
      const hd_wave_buffer buffer = { .memory = { memory, NULL, sizeof(memory) } };
      const hd_wave_launch launch = {
         .lanes = LANES, .workgroup_size = { LANES }, .buffers = &buffer, .num_buffers = 1
      };
      const struct outcome o = run_text(text, &launch);
      if (o.result != HD_OK)
         fail_msg("%s in %s", o.message, text);
      compare(call, memory, some, modes[mode].controls);
   }
}

/* Every size that the table allows for the operands and the result. */
static void
every_op(void **unused)
{
   static const unsigned sizes[] = { 1, 8, 16, 32, 64 };
   uint64_t state = 7;
   unsigned calls = 0;

   (void)unused;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      unsigned before = calls;
      for (unsigned n = 0; n < 5; n++) {
         for (unsigned m = 0; m < 5; m++) {
            struct call call = { .op = (hd_op)op, .num_srcs = info->num_srcs };
            const unsigned components = 1 + calls % 4;
            if (info->flags & HD_OP_VARIADIC)
               call.num_srcs = components;
            for (unsigned s = 0; s < call.num_srcs; s++) {
               const hd_type_info *t = hd_op_src_type(info, s);
               unsigned bits = sizes[n];
               for (unsigned k = 0; !t->size_variable && k < 5; k++)
                  bits = t->sizes & sizes[k] ? sizes[k] : bits;
               if (t->size_variable && info->src[0].size_variable != t->size_variable &&
                   t->size_variable == info->result.size_variable)
                  bits = sizes[m];
               unsigned count = components < t->min_components ? t->min_components : components;
               call.src[s] =
                   (hd_shape){ (uint8_t)(count > t->max_components ? t->max_components : count),
                               (uint8_t)bits };
            }
            const bool sized = info->flags & HD_OP_SIZED;
            if (!sized && m)
               continue;
            if (hd_op_infer_shape(call.op, call.num_srcs, call.src, sized ? sizes[m] : 0,
                                  &call.result, NULL) != HD_SHAPE_FITS)
               continue;
            run_call(&call, &state);
            calls++;
         }
      }
      if (calls == before)
         fail_msg("%s was not run", info->name);
   }
   printf("%u calls of %d ops\n", calls, HD_NUM_OPS - 1);
   assert_true(calls > 300);
}

static void
expect(const char *body, uint32_t want)
{
   uint32_t out[4];
   const struct outcome o = run_lanes(body, 4, out);

   if (o.result != HD_OK || out[0] != want || out[3] != want)
      fail_msg("%s: %s, %x, wanted %x", body, o.message, out[0], want);
}

#define STORE "\nstore_buffer %r, %zero, %at"

static void
undefined_bits(void **unused)
{
   (void)unused;
   expect("%u:32 = undef\n%r:32 = iadd %u, %one" STORE, 0xdead);
   expect("%u:32 = undef\n%r:32 = iand %u, %zero" STORE, 0);
   expect("%u:32 = undef\n%r:32 = iand %zero, %u" STORE, 0);
   expect("%u:32 = undef\n%r:32 = iand %u, %one" STORE, 0xdead);
   expect("%u:32 = undef\n%r:32 = imul %u, %zero" STORE, 0);
   expect("%u:32 = undef\n%f:32 = const -1\n%r:32 = ior %u, %f" STORE, UINT32_MAX);
   /* The least number is not enough: machines expand minima, and quiet a signalling NaN. */
   expect("%u:32 = undef\n%r:32 = umin %u, %zero" STORE, 0xdead);
   expect("%u:32 = undef\n%f:32 = const 0xff800000\n%r:32 = fmin %u, %f" STORE, 0xdead);
   expect("%u:32 = undef\n%f:32 = const 0x7f800000\n%r:32 = fmax %f, %u" STORE, 0xdead);
   expect("%u:32 = undef\n%r:32 = isub %u, %u" STORE, 0);
   expect("%u:32 = undef\n%r:32 = iand %u, %u" STORE, 0xdead);
   expect("%u:32 = undef\n%v:32 = undef\n%r:32 = isub %u, %v" STORE, 0xdead);
   expect("%u:32 = undef\n%t:1 = const true\n%r:32 = select %t, %four, %u" STORE, 4);
   expect("%u:32 = undef\n%t:1 = const true\n%r:32 = select %t, %u, %four" STORE, 0xdead);
   expect("%u:1 = undef\n%r:32 = select %u, %four, %four" STORE, 0xdead);
   expect("%u:32 = undef\n%v:32x2 = vec %u, %four\n%r:32 = channel %v, %one" STORE, 4);
   expect("%u:32 = undef\n%v:32x2 = vec %u, %four\n%r:32 = channel %v, %zero" STORE, 0xdead);
   expect("%u:32 = undef\n%v:32x2 = vec %u, %four\n%r:32 = channel %v, %four" STORE, 0);
   expect("%u:32 = undef\n%v:32x2 = vec %one, %four\n%r:32 = channel %v, %u" STORE, 0xdead);
   expect("%u:32 = undef\n%v:32x2 = vec %u, %u\n%w:32x2 = insert_channel %v, %four, %one\n"
          "%r:32 = channel %w, %one" STORE,
          4);
   expect("%u:32 = undef\n%v:32x2 = vec %u, %u\n%w:32x2 = insert_channel %v, %four, %one\n"
          "%r:32 = channel %w, %zero" STORE,
          0xdead);
   expect("%u:32 = undef\n%v:32x2 = vec %four, %u\n%p:64 = pack_64_2x32 %v\n"
          "%w:32x2 = unpack_64_2x32 %p\n%r:32 = channel %w, %zero" STORE,
          0xdead);
   expect("%f:32 = const inf\n%r:32 = fadd.ninf %f, %one" STORE, 0xdead);
   expect("%f:32 = const nan\n%r:32 = fadd.ninf %f, %one" STORE, 0x7fc00000);
   expect("%f:32 = const nan\n%r:32 = fadd.nnan %f, %one" STORE, 0xdead);
   expect("%f:32 = const 1.5\n%r:32 = fadd.nnan %f, %f" STORE, 0x40400000);
}

/* No operand decides for floats: machines expand them, and quiet a signalling NaN. */
static void
undefined_floats(void **unused)
{
   unsigned num = 0;

   (void)unused;
   for (unsigned op = 0; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      if (!(info->flags & HD_OP_FLOAT))
         continue;
      num++;
      if (info->undef == HD_UNDEF_ABSORBS || info->undef == HD_UNDEF_PRODUCT)
         fail_msg("%s", info->name);
   }
   assert_true(num > 50);
   expect("%u:32 = undef\n%r:32 = fldexp %zero, %u" STORE, 0xdead);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_op),
      cmocka_unit_test(undefined_bits),
      cmocka_unit_test(undefined_floats),
   };

   return cmocka_run_group_tests_name("wave/ops", tests, NULL, NULL);
}
