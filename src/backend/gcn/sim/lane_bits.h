/* SPDX-License-Identifier: MIT */
/* lane_bits.h - integer arithmetic of one lane, for the expressions of gcn_sem*.py.
 *
 * Sources are zero-extended; the upper bits of results are ignored. Arithmetic saturates if the mode
 * `m` in scope has clamp.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_LANE_BITS_H
#define HEDDLE_BACKEND_GCN_SIM_LANE_BITS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define LANE_INLINE static inline __attribute__((always_inline, unused))
#else
#define LANE_INLINE static inline
#endif

/* Signs ---------------------------------------------------------------------------------------- */

LANE_INLINE int64_t
sign_extend(unsigned bits, uint64_t x)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   x &= sign | (sign - 1);
   return (int64_t)((x ^ sign) - sign);
}

#define sext16(x) sign_extend(16, x)
#define sext24(x) sign_extend(24, x)
#define sext32(x) sign_extend(32, x)
#define sext64(x) ((int64_t)(x))
#define zext16(x) ((x)&0xffff)
#define lo16(x)   ((uint32_t)(x)&0xffff)
#define hi16(x)   ((uint32_t)(x) >> 16)

/* Sums ----------------------------------------------------------------------------------------- */

#define sat_u(bits, x) (m->clamp ? saturate_u(bits, x) : (uint64_t)(x))
#define sat_s(bits, x) (m->clamp ? saturate_s(bits, x) : (uint64_t)(x))

LANE_INLINE uint64_t
saturate_u(unsigned bits, int64_t x)
{
   const int64_t highest = (INT64_C(1) << bits) - 1;
   return (uint64_t)(x < 0 ? 0 : x > highest ? highest : x);
}

LANE_INLINE uint64_t
saturate_s(unsigned bits, int64_t x)
{
   const int64_t highest = (INT64_C(1) << (bits - 1)) - 1, lowest = -highest - 1;
   return (uint64_t)(x < lowest ? lowest : x > highest ? highest : x);
}

#define carry_add(a, b, c) (((uint64_t)(a) + (b) + (c)) >> 32)
#define carry_sub(a, b, c) ((uint64_t)(a) < (uint64_t)(b) + (c))

LANE_INLINE bool
mad_u64_carry(uint32_t a, uint32_t b, uint64_t c)
{
   const uint64_t product = (uint64_t)a * b;
   return product + c < product;
}

/* The sum of a product and a number, both signed, leaves 64 bits when both have one sign and it has
 * the other.
 */
LANE_INLINE bool
mad_i64_carry(uint32_t a, uint32_t b, uint64_t c)
{
   const uint64_t product = (uint64_t)(sext32(a) * sext32(b)), sum = product + c;
   return ((product ^ sum) & (c ^ sum)) >> 63;
}

#define mad_u64(m, a, b, c)                                                                        \
   ((m)->clamp && mad_u64_carry(a, b, c) ? UINT64_MAX : (uint64_t)(a) * (b) + (c))
#define mad_i64(m, a, b, c)                                                                        \
   ((m)->clamp && mad_i64_carry(a, b, c) ? ((c) >> 63 ? UINT64_C(1) << 63 : (uint64_t)INT64_MAX)   \
                                         : (uint64_t)(sext32(a) * sext32(b)) + (c))

/* Choices -------------------------------------------------------------------------------------- */

#define least(a, b) ((a) < (b) ? (a) : (b))

LANE_INLINE int64_t
pick3(int64_t a, int64_t b, int64_t c, bool largest)
{
   if (largest)
      return a > b ? (a > c ? a : c) : b > c ? b : c;
   return a < b ? (a < c ? a : c) : b < c ? b : c;
}

/* All but the smallest and the largest of them. */
LANE_INLINE int64_t
med3(int64_t a, int64_t b, int64_t c)
{
   const int64_t low = a < b ? a : b, high = a < b ? b : a;
   return c < low ? low : c > high ? high : c;
}

#define pick3_u(bits, a, b, c, largest) ((uint64_t)pick3(a, b, c, largest))
#define pick3_i(bits, a, b, c, largest)                                                            \
   ((uint64_t)pick3(sign_extend(bits, a), sign_extend(bits, b), sign_extend(bits, c), largest))
#define med3_u(bits, a, b, c) ((uint64_t)med3(a, b, c))
#define med3_i(bits, a, b, c)                                                                      \
   ((uint64_t)med3(sign_extend(bits, a), sign_extend(bits, b), sign_extend(bits, c)))

#define clamp_i16(x) ((uint32_t)saturate_s(16, sext32(x)) & 0xffff)
#define clamp_u8(x)  ((uint32_t)saturate_u(8, x))

/* Bits ----------------------------------------------------------------------------------------- */

LANE_INLINE uint32_t
popcount32(uint64_t x)
{
   uint32_t n = (uint32_t)x;
   n -= n >> 1 & 0x55555555;
   n = (n & 0x33333333) + (n >> 2 & 0x33333333);
   n = (n + (n >> 4)) & 0x0f0f0f0f;
   return n * 0x01010101 >> 24;
}

LANE_INLINE uint32_t
bfrev32(uint32_t x)
{
   x = x >> 16 | x << 16;
   x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
   x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
   x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
   return (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
}

/* The index of the first set bit from the top, or from the bottom; -1 where there is none. */
#define ffbh_u(x) ((x) ? (uint32_t)__builtin_clz(x) : UINT32_MAX)
#define ffbl(x)   ((x) ? (uint32_t)__builtin_ctz(x) : UINT32_MAX)
/* The index of the first bit that is not the sign. */
#define ffbh_s(x) ffbh_u((x) ^ ((x) >> 31 ? UINT32_MAX : 0))

LANE_INLINE uint32_t
bfe_u(uint32_t x, unsigned offset, unsigned width)
{
   return width ? x >> offset & ((1u << width) - 1) : 0;
}

/* The field ends at bit 31: what would come from above it is the sign. */
LANE_INLINE uint32_t
bfe_s(uint32_t x, unsigned offset, unsigned width)
{
   return width ? (uint32_t)sign_extend(width, (uint64_t)(sext32(x) >> offset)) : 0;
}

LANE_INLINE uint64_t
low_bits(unsigned bits)
{
   return UINT64_MAX >> (64 - bits);
}

#define shl(bits, x, n) ((uint64_t)(x) << ((n) & ((bits)-1)))
#define shr(bits, x, n) (((x)&low_bits(bits)) >> ((n) & ((bits)-1)))
#define sar(bits, x, n) ((uint64_t)(sign_extend(bits, x) >> ((n) & ((bits)-1))))

/* The lanes before this one. */
#define below(l) ((UINT64_C(1) << (l)) - 1)

/* Bytes ---------------------------------------------------------------------------------------- */

#define byte_of(x, n) ((uint32_t)((x) >> 8 * (n)) & 255)

LANE_INLINE uint32_t
sad_u8(uint32_t a, uint32_t b)
{
   uint32_t sum = 0;
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t x = byte_of(a, n), y = byte_of(b, n);
      sum += x > y ? x - y : y - x;
   }
   return sum;
}

/* Bytes of the reference `b` that are zero count for nothing. */
LANE_INLINE uint32_t
msad_u8(uint32_t a, uint32_t b)
{
   uint32_t sum = 0;
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t x = byte_of(a, n), y = byte_of(b, n);
      sum += y == 0 ? 0 : x > y ? x - y : y - x;
   }
   return sum;
}

LANE_INLINE uint32_t
sad_u16(uint32_t a, uint32_t b)
{
   const uint32_t x = lo16(a), y = lo16(b), z = hi16(a), w = hi16(b);
   return (x > y ? x - y : y - x) + (z > w ? z - w : w - z);
}

/* Four sums at byte distances, each in 16 bits. */
LANE_INLINE uint64_t
quad_sad(bool clamp, uint64_t a, uint32_t b, uint64_t c, bool masked)
{
   uint64_t result = 0;
   for (unsigned n = 0; n < 4; n++) {
      const uint32_t window = (uint32_t)(a >> 8 * n);
      const uint32_t sum = (masked ? msad_u8(window, b) : sad_u8(window, b)) + lo16(c >> 16 * n);
      result |= (uint64_t)(clamp && sum > 0xffff ? 0xffff : lo16(sum)) << 16 * n;
   }
   return result;
}

#define qsad(m, a, b, c, masked) quad_sad((m)->clamp, a, b, c, masked)

/* Averages of bytes, rounded up where the third operand says so. */
LANE_INLINE uint32_t
lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t result = 0;
   for (unsigned n = 0; n < 4; n++)
      result |= ((byte_of(a, n) + byte_of(b, n) + (byte_of(c, n) & 1)) >> 1) << 8 * n;
   return result;
}

/* A byte of the eight bytes a:b, or a constant, for each byte of the selector. */
LANE_INLINE uint32_t
perm_byte(uint64_t bytes, uint32_t selector)
{
   if (selector >= 13)
      return 255;
   if (selector == 12)
      return 0;
   if (selector >= 8)
      return bytes >> (16 * (selector - 8) + 15) & 1 ? 255 : 0;
   return byte_of(bytes, selector);
}

LANE_INLINE uint32_t
perm(uint32_t a, uint32_t b, uint32_t c)
{
   uint32_t result = 0;
   for (unsigned n = 0; n < 4; n++)
      result |= perm_byte((uint64_t)a << 32 | b, byte_of(c, n)) << 8 * n;
   return result;
}

#endif
