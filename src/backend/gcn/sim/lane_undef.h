/* SPDX-License-Identifier: MIT */
/* lane_undef.h - propagation of undefined bits (as Valgrind's Memcheck): which bits of a result depend on
 * undefined bits of the sources.
 *
 * Each source x has a shadow ux, with a 1 for each undefined bit. A bit of a result is defined only if
 * no choice of the undefined bits changes it; where that is cheap, the reverse holds too.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_LANE_UNDEF_H
#define HEDDLE_BACKEND_GCN_SIM_LANE_UNDEF_H

#include "backend/gcn/sim/lane_bits.h"

#define any1(u)  ((u) ? 1 : 0)
#define any16(u) ((u) ? 0xffffu : 0)
#define any32(u) ((u) ? UINT32_MAX : 0)
#define any64(u) ((u) ? UINT64_MAX : 0)

/* Sums: carries go up, so everything from the lowest undefined bit on. */
LANE_INLINE uint64_t
upward(uint64_t u)
{
   return u | (0 - u);
}

#define up16(u) (upward(u) & 0xffff)
#define up32(u) ((uint32_t)upward(u))
#define up64(u) upward(u)
#define upm(u)  any1(u)
/* Where the sum saturates, an upper bit decides all. */
#define up_sat(bits, u) (m->clamp ? ((u) ? low_bits(bits) : 0) : upward(u) & low_bits(bits))

/* How many low bits are zero whatever the undefined ones are; 64: all. */
LANE_INLINE unsigned
zeros_below(uint64_t x)
{
   return x ? (unsigned)__builtin_ctzll(x) : 64;
}

/* Of the low 64 bits of a product: an undefined bit of a factor adds multiples of its own weight
 * and of the lowest bit of the other. A factor that is 0 hides the other.
 */
LANE_INLINE uint64_t
mul_undef(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub)
{
   const unsigned by_a = zeros_below(ua) + zeros_below(b | ub);
   const unsigned by_b = zeros_below(ub) + zeros_below(a | ua);
   const unsigned first = by_a < by_b ? by_a : by_b;
   return first < 64 ? UINT64_MAX << first : 0;
}

/* Bit by bit --------------------------------------------------------------------------------- */

/* A zero that is defined decides. */
#define and_undef(a, ua, b, ub) (((ua) & ((b) | (ub))) | ((ub) & ((a) | (ua))))
/* A one that is defined decides. */
#define or_undef(a, ua, b, ub) (((ua) & (~(b) | (ub))) | ((ub) & (~(a) | (ua))))

#define select_undef(c, uc, x, ux, y, uy) ((uc) ? ((x) ^ (y)) | (ux) | (uy) : (c) ? (ux) : (uy))

/* A shift by a count that is not known can bring any bit anywhere, but moves nothing into zeros. */
LANE_INLINE uint64_t
shift_undef(unsigned bits, uint64_t x, uint64_t ux, uint64_t un, uint64_t moved)
{
   if (un & (bits - 1))
      return (x | ux) & low_bits(bits) ? low_bits(bits) : 0;
   return moved;
}

#define shl_undef(bits, x, ux, n, un) shift_undef(bits, x, ux, un, shl(bits, ux, n))
#define shr_undef(bits, x, ux, n, un) shift_undef(bits, x, ux, un, shr(bits, ux, n))
#define sar_undef(bits, x, ux, n, un) shift_undef(bits, x, ux, un, sar(bits, ux, n))

/* A field of no bits is zero wherever it begins. */
#define bfe_undef(width, uwidth) (((width) | (uwidth)) & 31 ? UINT32_MAX : 0)

/* A carry from below reaches its bit only if the one below is undefined or any other is. */
LANE_INLINE uint32_t
lerp_undef(uint32_t ua, uint32_t ub, uint32_t uc)
{
   uint32_t result = 0;
   for (unsigned n = 0; n < 4; n++)
      result |= byte_of(ua | ub | uc, n) ? 255u << 8 * n : 0;
   return result;
}

LANE_INLINE uint32_t
perm_undef(uint32_t a, uint32_t ua, uint32_t b, uint32_t ub, uint32_t c, uint32_t uc)
{
   const uint64_t undef = (uint64_t)ua << 32 | ub;
   uint32_t result = 0;
   (void)a;
   (void)b;
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t selector = byte_of(c, n);
      const uint32_t byte = byte_of(uc, n) ? 255 : selector >= 12 ? 0 : perm_byte(undef, selector);
      result |= byte << 8 * n;
   }
   return result;
}

/* Compares ------------------------------------------------------------------------------------- */

/* Equal numbers are equal in all bits; one defined bit that differs decides. */
#define equal_undef(a, ua, b, ub) (((ua) | (ub)) && !(((a) ^ (b)) & ~((ua) | (ub))))

/* a < b is known if it holds, or fails, for the largest a with the smallest b and the reverse. */
LANE_INLINE bool
less_undef(uint64_t a, uint64_t ua, uint64_t b, uint64_t ub)
{
   const bool always = (a | ua) < (b & ~ub), sometimes = (a & ~ua) < (b | ub);
   return always != sometimes;
}

#define less_undef_u(bits, a, ua, b, ub) less_undef(a, ua, b, ub)
/* With the sign turned over, signed numbers are in the order of unsigned ones. */
#define less_undef_i(bits, a, ua, b, ub)                                                           \
   less_undef((a) ^ UINT64_C(1) << ((bits)-1), ua, (b) ^ UINT64_C(1) << ((bits)-1), ub)

LANE_INLINE bool
carry_add_undef(uint32_t a, uint32_t ua, uint32_t b, uint32_t ub, uint32_t c, uint32_t uc)
{
   return carry_add(a & ~ua, b & ~ub, c & ~uc) != carry_add(a | ua, b | ub, c | uc);
}

LANE_INLINE bool
carry_sub_undef(uint32_t a, uint32_t ua, uint32_t b, uint32_t ub, uint32_t c, uint32_t uc)
{
   return carry_sub(a & ~ua, b | ub, c | uc) != carry_sub(a | ua, b & ~ub, c & ~uc);
}

#endif
