/* SPDX-License-Identifier: MIT */
/* lane_scalar.h - what scalar instructions compute beyond what vector ones do, for the expressions
 * of src/codegen/gcn/sem_scalar.py. Sources are of 32 or 64 bits, with zeros above.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_LANE_SCALAR_H
#define HEDDLE_BACKEND_GCN_SIM_LANE_SCALAR_H

#include "backend/gcn/sim/lane_undef.h"

#define absolute(x, negative) ((negative) ? 0 - (x) : (x))

/* Whether a number is not zero: one bit that is known to be set decides. */
#define nonzero_undef(x, ux) ((ux) != 0 && ((x) & ~(ux)) == 0)

LANE_INLINE uint32_t
count_ones(uint64_t x)
{
   return popcount32(x) + popcount32(x >> 32);
}

/* Places from the bottom, and from the top; -1 where there is none. */
#define first_one(x)      ((x) ? (uint32_t)__builtin_ctzll(x) : UINT32_MAX)
#define last_one(bits, x) ((x) ? (uint32_t)__builtin_clzll(x) - (64 - (bits)) : UINT32_MAX)

LANE_INLINE uint64_t
reverse(unsigned bits, uint64_t x)
{
   const uint64_t all = (uint64_t)bfrev32((uint32_t)x) << 32 | bfrev32((uint32_t)(x >> 32));
   return all >> (64 - bits);
}

/* Bits 4:0 or 5:0 of the second operand are where the field begins, 22:16 how wide it is. */
LANE_INLINE uint64_t
scalar_bfe(unsigned bits, uint64_t x, uint64_t field, bool is_signed)
{
   const unsigned offset = field & (bits - 1), width = field >> 16 & 127;

   if (width == 0)
      return 0;
   const uint64_t shifted =
       is_signed ? (uint64_t)(sign_extend(bits, x) >> offset) : (x & low_bits(bits)) >> offset;
   if (width >= bits)
      return shifted;
   return is_signed ? (uint64_t)sign_extend(width, shifted) : shifted & low_bits(width);
}

/* The lowest bit of each four: whether any of them is set. */
LANE_INLINE uint64_t
quads(uint64_t x)
{
   x |= x >> 1;
   x |= x >> 2;
   return x & UINT64_C(0x1111111111111111);
}

LANE_INLINE uint64_t
quads_undef(uint64_t x, uint64_t ux)
{
   return quads(ux) & ~quads(x & ~ux);
}

/* These bits side by side. */
LANE_INLINE uint64_t
gather_quads(uint64_t x)
{
   uint64_t result = 0;
   for (unsigned n = 0; n < 16; n++)
      result |= (x >> 4 * n & 1) << n;
   return result;
}

/* A zero above each bit. */
LANE_INLINE uint64_t
spread(uint64_t x)
{
   uint64_t result = 0;
   for (unsigned n = 0; n < 32; n++)
      result |= (x >> n & 1) << 2 * n;
   return result;
}

#endif
