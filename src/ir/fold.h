/* SPDX-License-Identifier: MIT */
/* fold.h - evaluating ops: the generated functions, and the arithmetic that their expressions use.
 *
 * Integers are uint64_t with zeros above their size, or int64_t, sign extended; a result may have
 * anything above its size, which is cut off when it is stored. So no expression can overflow a
 * narrower type, and all 64-bit signed arithmetic that could overflow is done unsigned.
 */
#ifndef HD_IR_FOLD_H
#define HD_IR_FOLD_H

#include "heddle/ops.h"
#include "util/float.h"

/* Evaluate one op on operands that are known to fit: `bits` is the size of the result, `n` the
 * number of components that [n] of the signature stands for (of an op with an operand or result
 * without [count]; else it is ignored).
 */
typedef void hd_fold_function(unsigned n, unsigned bits, const hd_fold_src *srcs,
                              uint32_t float_controls, hd_const_value *result);

/* The functions by hd_op; NULL for HD_OP_NONE. */
extern hd_fold_function *const hd_fold_functions[];

/* As hd_fold_op, of what is known to fit, as all instructions of valid IR do: nothing is checked.
 */
static inline void
hd_fold_fitting(hd_op op, const hd_fold_src *srcs, hd_shape shape, uint32_t float_controls,
                hd_const_value *result)
{
   const bool linked = hd_op_get_info(op)->src[0].linked;
   const unsigned n = linked ? srcs[0].shape.num_components : shape.num_components;

   hd_fold_functions[op](n, shape.bit_size, srcs, float_controls, result);
}

/* Components: the unsigned number of `bits` from 1 to 64. */

static inline uint64_t
mask(unsigned bits)
{
   return ~UINT64_C(0) >> (64 - bits);
}

static inline uint64_t
hd_const_get(const hd_const_value *value, unsigned bits)
{
   (void)bits;
   return value->u64;
}

static inline void
hd_const_set(hd_const_value *value, unsigned bits, uint64_t u)
{
   value->u64 = u & mask(bits);
}

/* Integers */

static inline int64_t
sext(unsigned bits, uint64_t u)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);

   return (int64_t)(((u & mask(bits)) ^ sign) - sign);
}

/* As many low ones as `count` says, 64 at most. */
static inline uint64_t
ones(uint64_t count)
{
   return count ? mask(count < 64 ? (unsigned)count : 64) : 0;
}

/* Shifts by any count: what is past the end is zero. */
static inline uint64_t
shl(uint64_t a, uint64_t count)
{
   return count < 64 ? a << count : 0;
}

/* Floor of a / 2^count, count below 64, without the shift of a negative number. */
static inline int64_t
asr(int64_t a, uint64_t count)
{
   return a < 0 ? ~(int64_t)(~(uint64_t)a >> count) : (int64_t)((uint64_t)a >> count);
}

static inline uint64_t
umin(uint64_t a, uint64_t b)
{
   return a < b ? a : b;
}

static inline uint64_t
umax(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

static inline int64_t
imin(int64_t a, int64_t b)
{
   return a < b ? a : b;
}

static inline int64_t
imax(int64_t a, int64_t b)
{
   return a > b ? a : b;
}

static inline uint64_t
umulhi(unsigned bits, uint64_t a, uint64_t b)
{
   if (bits < 64)
      return a * b >> bits;

   /* a * b = (ah bh << 64) + ((ah bl + al bh) << 32) + al bl; no sum below exceeds 64 bits. */
   const uint64_t al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
   const uint64_t mid = ah * bl + (al * bl >> 32);
   const uint64_t mid2 = al * bh + (mid & 0xffffffff);

   return ah * bh + (mid >> 32) + (mid2 >> 32);
}

static inline uint64_t
imulhi(unsigned bits, int64_t a, int64_t b)
{
   const uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

   if (bits < 64)
      return ua * ub >> bits;
   /* A negative operand is 2^64 too large when read as unsigned. */
   return umulhi(64, ua, ub) - (a < 0 ? ub : 0) - (b < 0 ? ua : 0);
}

static inline uint64_t
idiv(int64_t a, int64_t b)
{
   if (b == 0)
      return ~UINT64_C(0);
   if (b == -1)
      return 0 - (uint64_t)a;
   return (uint64_t)(a / b);
}

static inline int64_t
irem(int64_t a, int64_t b)
{
   if (b == 0)
      return a;
   return b == -1 ? 0 : a % b;
}

static inline int64_t
imod(int64_t a, int64_t b)
{
   const int64_t r = irem(a, b);

   return r != 0 && b != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline int64_t
iadd_sat(unsigned bits, int64_t a, int64_t b)
{
   const int64_t most = (int64_t)(mask(bits) >> 1), least = -most - 1;

   if (b > 0 && a > most - b)
      return most;
   if (b < 0 && a < least - b)
      return least;
   return a + b;
}

static inline int64_t
isub_sat(unsigned bits, int64_t a, int64_t b)
{
   const int64_t most = (int64_t)(mask(bits) >> 1), least = -most - 1;

   if (b < 0 && a > most + b)
      return most;
   if (b > 0 && a < least + b)
      return least;
   return a - b;
}

static inline int64_t
clamp32(int64_t a)
{
   return imin(imax(a, INT32_MIN), INT32_MAX);
}

static inline uint64_t
rotl(unsigned bits, uint64_t a, uint64_t count)
{
   return a << count | a >> ((bits - count) & (bits - 1));
}

static inline uint64_t
funnel_shr(unsigned bits, uint64_t high, uint64_t low, uint64_t count)
{
   return count ? low >> count | high << (bits - count) : low;
}

static inline uint64_t
bitselect(uint64_t m, uint64_t ones_from, uint64_t zeros_from)
{
   return (m & ones_from) | (~m & zeros_from);
}

static inline uint64_t
bitfield_mask(uint64_t count, uint64_t offset)
{
   return shl(ones(count), offset);
}

/* On the sign-extended number an offset past the end finds nothing but signs. */
static inline uint64_t
ibitfield_extract(int64_t a, uint64_t offset, uint64_t count)
{
   const int64_t rest = asr(a, umin(offset, 63));

   return count == 0 ? 0 : (uint64_t)sext((unsigned)umin(count, 64), (uint64_t)rest);
}

static inline unsigned
bit_count(uint64_t a)
{
   unsigned count = 0;

   for (; a; a &= a - 1)
      count++;
   return count;
}

static inline int64_t
find_msb(uint64_t a)
{
   int64_t at = -1;

   for (unsigned step = 32; step; step /= 2) {
      if (a >> step) {
         a >>= step;
         at += step;
      }
   }
   return at + (int64_t)a;
}

static inline int64_t
find_lsb(uint64_t a)
{
   return find_msb(a & (0 - a));
}

static inline uint64_t
bit_reverse(unsigned bits, uint64_t a)
{
   uint64_t r = 0;

   for (unsigned i = 0; i < bits; i++)
      r |= (a >> i & 1) << (bits - 1 - i);
   return r;
}

/* Dot products of packed bytes: two numbers u unsigned, i signed. */
static inline uint64_t
dot4_uu(uint64_t a, uint64_t b)
{
   uint64_t sum = 0;

   for (unsigned i = 0; i < 32; i += 8)
      sum += (a >> i & 0xff) * (b >> i & 0xff);
   return sum;
}

static inline int64_t
dot4_ii(uint64_t a, uint64_t b)
{
   int64_t sum = 0;

   for (unsigned i = 0; i < 32; i += 8)
      sum += sext(8, a >> i) * sext(8, b >> i);
   return sum;
}

static inline int64_t
dot4_iu(uint64_t a, uint64_t b)
{
   int64_t sum = 0;

   for (unsigned i = 0; i < 32; i += 8)
      sum += sext(8, a >> i) * (int64_t)(b >> i & 0xff);
   return sum;
}

/* Floats */

static inline uint64_t
copysign_bits(unsigned bits, uint64_t a, uint64_t sign)
{
   const uint64_t top = hd_float_sign_bit(bits);

   return (a & (top - 1)) | (sign & top);
}

static inline uint64_t
fsign(unsigned bits, uint64_t a)
{
   if (hd_float_is_nan(bits, a))
      return 0;
   return hd_float_abs(bits, a) ? copysign_bits(bits, hd_float_one(bits), a) : a;
}

static inline uint64_t
fmed3(unsigned bits, uint64_t a, uint64_t b, uint64_t c)
{
   if (hd_float_is_nan(bits, a) || hd_float_is_nan(bits, b) || hd_float_is_nan(bits, c))
      return hd_float_min(bits, hd_float_min(bits, a, b), c);
   return hd_float_min(bits, hd_float_max(bits, a, b),
                       hd_float_max(bits, hd_float_min(bits, a, b), c));
}

/* 32 bits to 16. */
static inline uint64_t
half(uint64_t a, hd_round round)
{
   return hd_float_convert(32, 16, a, round);
}

static inline uint64_t
fquantize16(uint64_t a)
{
   const uint64_t h = hd_float_flush(16, half(a, HD_ROUND_NEAREST_EVEN));

   return hd_float_convert(16, 32, h, HD_ROUND_NEAREST_EVEN);
}

/* Normalised integers of `bits` bits: 1 is the greatest one. */
static inline uint64_t
norm(uint64_t a, uint64_t most)
{
   const uint64_t scale = hd_float_from_uint(32, most, HD_ROUND_NEAREST_EVEN);
   const uint64_t product = hd_float_mul(32, a, scale, HD_ROUND_NEAREST_EVEN);

   return hd_float_to_int(32, product, 32, HD_ROUND_NEAREST_EVEN);
}

static inline uint64_t
unorm(uint64_t a, unsigned bits)
{
   return norm(hd_float_saturate(32, a), mask(bits));
}

static inline uint64_t
snorm(uint64_t a, unsigned bits)
{
   const uint64_t one = hd_float_one(32);
   const uint64_t held = hd_float_max(32, hd_float_min(32, a, one), hd_float_neg(32, one));

   return hd_float_is_nan(32, a) ? 0 : norm(held, mask(bits) >> 1) & mask(bits);
}

static inline uint64_t
ununorm(uint64_t a, unsigned bits)
{
   return hd_float_div(32, hd_float_from_uint(32, a & mask(bits), HD_ROUND_NEAREST_EVEN),
                       hd_float_from_uint(32, mask(bits), HD_ROUND_NEAREST_EVEN),
                       HD_ROUND_NEAREST_EVEN);
}

static inline uint64_t
unsnorm(uint64_t a, unsigned bits)
{
   const int64_t most = (int64_t)(mask(bits) >> 1);
   const int64_t i = imax(sext(bits, a), -most);

   return hd_float_div(32, hd_float_from_int(32, i, HD_ROUND_NEAREST_EVEN),
                       hd_float_from_int(32, most, HD_ROUND_NEAREST_EVEN), HD_ROUND_NEAREST_EVEN);
}

#endif
