/* SPDX-License-Identifier: MIT */
/* fold_harness.h - evaluate ops on 16 components at once, and numbers worth trying. */
#ifndef FOLD_HARNESS_H
#define FOLD_HARNESS_H

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/ir.h"
#include "heddle/ops.h"

#define LANES 16

typedef struct lanes {
   hd_const_value v[LANES];
} lanes;

static inline uint64_t
low_bits(unsigned bits)
{
   return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* The sizes with which an op is tried: N that of its operands with a variable, M the result's. */
typedef struct sizes {
   unsigned n, m;
} sizes;

static inline unsigned
bits_of(const hd_type_info *type, sizes s)
{
   return !type->size_variable ? type->sizes : type->size_variable == 'N' ? s.n : s.m;
}

/* A componentwise op on 16 components; it must accept them. */
static inline void
apply(hd_op op, sizes s, uint32_t controls, const lanes *const *srcs, lanes *out)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_fold_src fold[HD_MAX_OP_SRCS];

   for (unsigned i = 0; i < info->num_srcs; i++) {
      fold[i].values = srcs[i]->v;
      fold[i].shape = (hd_shape){ LANES, (uint8_t)bits_of(&info->src[i], s) };
   }
   if (!hd_fold_op(op, info->num_srcs, fold, bits_of(&info->result, s), controls, out->v))
      fail_msg("%s does not fold at %u bits", info->name, s.n);
}

/* A scalar, by way of all 16 components. */
static inline uint64_t
apply1(hd_op op, sizes s, uint32_t controls, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
   const uint64_t values[HD_MAX_OP_SRCS] = { a, b, c, d };
   lanes in[HD_MAX_OP_SRCS], out;
   const lanes *srcs[HD_MAX_OP_SRCS];

   for (unsigned i = 0; i < HD_MAX_OP_SRCS; i++) {
      for (unsigned k = 0; k < LANES; k++)
         in[i].v[k].u64 = values[i];
      srcs[i] = &in[i];
   }
   apply(op, s, controls, srcs, &out);
   for (unsigned k = 1; k < LANES; k++)
      assert_true(out.v[k].u64 == out.v[0].u64);
   return out.v[0].u64;
}

static inline bool
is_nan(unsigned bits, uint64_t a)
{
   const unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t inf = (low_bits(bits) >> 1) >> fraction << fraction;

   return (a & low_bits(bits) >> 1) > inf;
}

/* Equal bits, or two NaNs. */
static inline bool
same_value(unsigned kind, unsigned bits, uint64_t a, uint64_t b)
{
   return a == b || (kind == HD_KIND_FLOAT && is_nan(bits, a) && is_nan(bits, b));
}

/* Numbers: a generator with a seed that can be given, and a list that has all 8-bit numbers, or
 * the edges of larger ones and random ones.
 */
extern uint64_t random_state;

static inline uint64_t
random64(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 7;
   random_state ^= random_state << 17;
   return random_state * UINT64_C(0x9e3779b97f4a7c15);
}

static inline void
seed_random(void)
{
   const char *text = getenv("HD_TEST_SEED");

   random_state = text ? strtoull(text, NULL, 0) : UINT64_C(0x853c49e6748fea9b);
   random_state |= 1;
   printf("seed: HD_TEST_SEED=0x%llx\n", (unsigned long long)random_state);
}

#define MAX_SAMPLES 512

typedef struct samples {
   unsigned count;
   uint64_t v[MAX_SAMPLES];
} samples;

static inline void
add_sample(samples *s, unsigned bits, uint64_t value)
{
   value &= low_bits(bits);
   for (unsigned i = 0; i < s->count; i++)
      if (s->v[i] == value)
         return;
   if (s->count < MAX_SAMPLES)
      s->v[s->count++] = value;
}

static inline void
add_float_samples(samples *s, unsigned bits)
{
   const unsigned fraction = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t sign = UINT64_C(1) << (bits - 1), inf = (sign - 1) >> fraction << fraction;
   const uint64_t one = inf >> 1 >> fraction << fraction, unit = UINT64_C(1) << fraction;
   const uint64_t magnitudes[] = { 0,          1,
                                   unit - 1,   unit,
                                   unit + 1,   one,
                                   one + 1,    one - 1,
                                   one / 2,    one + unit,
                                   inf,        inf - 1,
                                   inf | 1,    inf + unit / 2,
                                   one - unit, one + unit / 2 };

   for (unsigned i = 0; i < sizeof magnitudes / sizeof *magnitudes; i++) {
      add_sample(s, bits, magnitudes[i]);
      add_sample(s, bits, magnitudes[i] | sign);
   }
}

static inline void
make_samples(samples *s, unsigned bits, unsigned kind, unsigned random)
{
   s->count = 0;
   if (bits <= 8) {
      for (uint64_t v = 0; v <= low_bits(bits); v++)
         s->v[s->count++] = v;
      return;
   }
   if (kind == HD_KIND_FLOAT)
      add_float_samples(s, bits);
   for (unsigned i = 0; i < bits; i += i < 9 ? 1 : 7) {
      const uint64_t power = UINT64_C(1) << i;
      add_sample(s, bits, power);
      add_sample(s, bits, power - 1);
      add_sample(s, bits, 0 - power);
      add_sample(s, bits, ~power);
   }
   add_sample(s, bits, UINT64_C(1) << (bits - 1));
   add_sample(s, bits, low_bits(bits) >> 1);
   for (unsigned i = 0; i < random; i++)
      add_sample(s, bits, random64() >> random64() % bits);
}

#endif
