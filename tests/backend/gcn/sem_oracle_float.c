/* SPDX-License-Identifier: MIT */
/* Floats: MPFR computes and rounds; modes, NaNs, zeros and the special cases are told here. */
#include <stdlib.h>
#include <string.h>

#include "sem_oracle.h"
#include "util/float_oracle.h"

static uint64_t
nan_of(unsigned bits)
{
   return bits == 16 ? 0x7e00 : bits == 32 ? 0x7fc00000 : UINT64_C(0x7ff8) << 48;
}

static uint64_t
inf_of(unsigned bits)
{
   return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
}

static uint64_t
sign_of(unsigned bits)
{
   return UINT64_C(1) << (bits - 1);
}

static bool
is_nan(unsigned bits, uint64_t x)
{
   return (x & (sign_of(bits) - 1)) > inf_of(bits);
}

static bool
is_signaling(unsigned bits, uint64_t x)
{
   const unsigned quiet = bits == 16 ? 9 : bits == 32 ? 22 : 51;
   return is_nan(bits, x) && !sem_bit(x, quiet);
}

static bool
is_zero(unsigned bits, uint64_t x)
{
   return (x & (sign_of(bits) - 1)) == 0;
}

static uint64_t
read_in(const sem_in *in, unsigned bits, uint64_t x)
{
   return (bits == 32 ? in->flush_in32 : in->flush_in64) ? sem_flush(bits, x) : x;
}

static uint64_t
write_out(const sem_in *in, unsigned bits, uint64_t x)
{
   return (bits == 32 ? in->flush_out32 : in->flush_out64) ? sem_flush(bits, x) : x;
}

static hd_round
round_of(const sem_in *in, unsigned bits)
{
   return bits == 32 ? in->round32 : in->round64;
}

static uint64_t
compute(oracle_op op, unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round r)
{
   const uint64_t operands[3] = { a, b, c };
   return oracle(op, bits, bits, operands, r);
}

static uint64_t
converted(unsigned from, unsigned to, uint64_t x, hd_round r)
{
   const uint64_t operands[3] = { x, 0, 0 };
   return oracle(ORACLE_CONVERT, from, to, operands, r);
}

/* Operands in, one rounding, the result out. */
static uint64_t
plain(const sem_in *in, oracle_op op, unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round r)
{
   return write_out(
       in, bits,
       compute(op, bits, read_in(in, bits, a), read_in(in, bits, b), read_in(in, bits, c), r));
}

/* Two roundings, never a denormal. */
static uint64_t
mad(const sem_in *in, unsigned bits, uint64_t a, uint64_t b, uint64_t c)
{
   const hd_round r = round_of(in, bits);
   const uint64_t product =
       sem_flush(bits, compute(ORACLE_MUL, bits, sem_flush(bits, a), sem_flush(bits, b), 0, r));
   return sem_flush(bits, compute(ORACLE_ADD, bits, product, sem_flush(bits, c), 0, r));
}

/* Order of numbers, with -0 below +0. */
static bool
is_below(unsigned bits, uint64_t a, uint64_t b)
{
   const uint64_t sign = sign_of(bits);
   const int64_t x = a & sign ? -1 - (int64_t)(a & ~sign) : (int64_t)a;
   const int64_t y = b & sign ? -1 - (int64_t)(b & ~sign) : (int64_t)b;
   return x < y;
}

static uint64_t
smaller(const sem_in *in, unsigned bits, uint64_t a, uint64_t b, bool larger)
{
   if (in->ieee && (is_signaling(bits, a) || is_signaling(bits, b)))
      return nan_of(bits);
   if (in->gen == HD_GCN_GFX900) {
      a = read_in(in, bits, a);
      b = read_in(in, bits, b);
   }
   uint64_t r;
   if (is_nan(bits, a) && is_nan(bits, b))
      return nan_of(bits);
   if (is_nan(bits, a))
      r = b;
   else if (is_nan(bits, b))
      r = a;
   else
      r = is_below(bits, a, b) != larger ? a : b;
   return in->gen == HD_GCN_GFX900 ? write_out(in, bits, r) : r;
}

static uint64_t
middle(const sem_in *in, unsigned bits, const uint64_t *s)
{
   if (is_nan(bits, s[0]) || is_nan(bits, s[1]) || is_nan(bits, s[2]))
      return smaller(in, bits, smaller(in, bits, s[0], s[1], false), s[2], false);
   uint64_t x[3];
   for (unsigned n = 0; n < 3; n++)
      x[n] = in->gen == HD_GCN_GFX900 ? read_in(in, bits, s[n]) : s[n];
   for (unsigned n = 0; n < 3; n++) {
      const uint64_t y = x[(n + 1) % 3], z = x[(n + 2) % 3];
      if ((!is_below(bits, x[n], y) && !is_below(bits, z, x[n])) ||
          (!is_below(bits, y, x[n]) && !is_below(bits, x[n], z)))
         return in->gen == HD_GCN_GFX900 ? write_out(in, bits, x[n]) : x[n];
   }
   return 0;
}

static unsigned
bits_in(const char *name)
{
   const char *f = strrchr(name, 'f');
   return f ? (unsigned)atoi(f + 1) : 0;
}

static bool
arithmetic(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = bits_in(name);
   const uint64_t a = in->s[0], b = in->s[1], c = in->s[2];
   const hd_round r = round_of(in, bits);
   char rest[32];

   if (sem_match("v_add_f*", name, rest))
      out->r[0] = plain(in, ORACLE_ADD, bits, a, b, 0, r);
   else if (sem_match("v_sub_f*", name, rest))
      out->r[0] = plain(in, ORACLE_SUB, bits, a, b, 0, r);
   else if (sem_match("v_subrev_f*", name, rest))
      out->r[0] = plain(in, ORACLE_SUB, bits, b, a, 0, r);
   else if (sem_match("v_mul_f*", name, rest))
      out->r[0] = plain(in, ORACLE_MUL, bits, a, b, 0, r);
   else if (sem_match("v_fma_f*", name, rest) || strcmp(name, "v_fma_legacy_f16") == 0)
      out->r[0] = plain(in, ORACLE_FMA, bits, a, b, c, r);
   else if (sem_match("v_mad_f*", name, rest) || sem_match("v_mac_f*", name, rest) ||
            sem_match("v_madmk_f*", name, rest) || sem_match("v_madak_f*", name, rest) ||
            strcmp(name, "v_mad_legacy_f16") == 0 || strcmp(name, "v_mad_mix_f32") == 0)
      out->r[0] = mad(in, bits, a, b, c);
   else if (strcmp(name, "v_mad_mixlo_f16") == 0 || strcmp(name, "v_mad_mixhi_f16") == 0) {
      const uint64_t sum = read_in(in, 32, mad(in, 32, a, b, c));
      out->r[0] = write_out(in, 16, converted(32, 16, sum, in->round64));
   } else if (strcmp(name, "v_mul_legacy_f32") == 0 || sem_match("v_ma*_legacy_f32", name, rest)) {
      const bool zero = is_zero(32, sem_flush(32, a)) || is_zero(32, sem_flush(32, b));
      if (strcmp(name, "v_max_legacy_f32") == 0)
         return false;
      if (name[3] == 'u')
         out->r[0] = zero ? 0 : plain(in, ORACLE_MUL, 32, a, b, 0, r);
      else
         out->r[0] = zero ? mad(in, 32, 0, 0, c) : mad(in, 32, a, b, c);
   } else
      return false;
   return true;
}

static bool
choices(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = bits_in(name);
   const uint64_t *s = in->s;
   char rest[32];

   if (sem_match("v_min_f*", name, rest))
      out->r[0] = smaller(in, bits, s[0], s[1], false);
   else if (sem_match("v_max_f*", name, rest))
      out->r[0] = smaller(in, bits, s[0], s[1], true);
   else if (sem_match("v_min3_f*", name, rest))
      out->r[0] = smaller(in, bits, smaller(in, bits, s[0], s[1], false), s[2], false);
   else if (sem_match("v_max3_f*", name, rest))
      out->r[0] = smaller(in, bits, smaller(in, bits, s[0], s[1], true), s[2], true);
   else if (sem_match("v_med3_f*", name, rest))
      out->r[0] = middle(in, bits, s);
   else if (strcmp(name, "v_min_legacy_f32") == 0 || strcmp(name, "v_max_legacy_f32") == 0) {
      /* One compare decides, which a NaN fails: then it is the second. */
      sem_in compare = *in;
      sem_out holds;
      (void)sem_oracle_compare(name[3] == 'i' ? "v_cmp_lt_f32" : "v_cmp_ge_f32", &compare, &holds);
      out->r[0] = holds.r[0] ? s[0] : s[1];
   } else
      return false;
   return true;
}

/* Functions that MPFR has. What exceeds the range differs in the forms that gfx6 has besides. */
static bool
functions(const char *name, const sem_in *in, sem_out *out)
{
   static const struct {
      const char *name;
      oracle_op op;
   } rows[] = { { "v_rcp_*", ORACLE_RCP },  { "v_rsq_*", ORACLE_RSQ },  { "v_sqrt_*", ORACLE_SQRT },
                { "v_exp_*", ORACLE_EXP2 }, { "v_log_*", ORACLE_LOG2 }, { "v_sin_*", ORACLE_SIN },
                { "v_cos_*", ORACLE_COS } };
   const unsigned bits = bits_in(name);
   char rest[32];

   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      if (!sem_match(rows[n].name, name, rest))
         continue;
      uint64_t x = plain(in, rows[n].op, bits, in->s[0], 0, 0, HD_ROUND_NEAREST_EVEN);
      const bool infinite = (x & ~sign_of(bits)) == inf_of(bits);
      if (infinite && strncmp(rest, "clamp", 5) == 0)
         x -= 1;
      /* exp and log of gfx8's legacy forms are the plain ones. */
      if (infinite && strncmp(rest, "legacy", 6) == 0 && in->gen == HD_GCN_GFX600)
         x &= sign_of(bits);
      out->r[0] = x;
      return true;
   }
   return false;
}

/* The value of a number, in steps of a power of two. */
typedef struct parts {
   bool sign, finite;
   uint64_t fraction; /* with the leading bit */
   int exponent;      /* of its last bit */
} parts;

static parts
split(unsigned bits, uint64_t x)
{
   const unsigned fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const int bias = bits == 16 ? 15 : bits == 32 ? 127 : 1023;
   const uint64_t fraction = x & ((UINT64_C(1) << fraction_bits) - 1);
   const int field = (int)((x & ~sign_of(bits)) >> fraction_bits);
   parts p = { sem_bit(x, bits - 1), (x & ~sign_of(bits)) < inf_of(bits), fraction, 0 };

   if (field)
      p.fraction |= UINT64_C(1) << fraction_bits;
   p.exponent = (field ? field : 1) - bias - (int)fraction_bits;
   return p;
}

/* How many bits the fraction has. */
static int
length(uint64_t x)
{
   int n = 0;
   for (; x; x >>= 1)
      n++;
   return n;
}

static bool
pieces(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = bits_in(name);
   const uint64_t x = read_in(in, bits, in->s[0]);
   const parts p = split(bits, x);
   char rest[32];

   if (sem_match("v_frexp_exp_*", name, rest)) {
      const int exponent = p.finite && p.fraction ? p.exponent + length(p.fraction) : 0;
      out->r[0] = bits == 16 ? (uint16_t)exponent : (uint32_t)exponent;
      return true;
   }
   if (sem_match("v_frexp_mant_f*", name, rest)) {
      out->r[0] = is_nan(bits, x) ? nan_of(bits) : x;
      if (p.finite && p.fraction)
         out->r[0] = oracle_ldexp(bits, x, -(p.exponent + length(p.fraction)));
      return true;
   }
   if (sem_match("v_ldexp_f*", name, rest)) {
      const int64_t by = bits == 16 ? sem_signed(16, in->s[1]) : sem_signed(32, in->s[1]);
      out->r[0] = write_out(in, bits, oracle_ldexp(bits, x, (int32_t)by));
      return true;
   }
   if (sem_match("v_fract_f*", name, rest)) {
      const uint64_t floor = compute(ORACLE_ROUND, bits, x, 0, 0, HD_ROUND_DOWN);
      uint64_t r = compute(ORACLE_SUB, bits, x, floor, 0, HD_ROUND_NEAREST_EVEN);
      const uint64_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : UINT64_C(0x3ff) << 52;
      out->r[0] = write_out(in, bits, r == one ? one - 1 : r);
      return true;
   }
   static const struct {
      const char *name;
      hd_round round;
   } rounds[] = { { "v_trunc_f*", HD_ROUND_ZERO },
                  { "v_ceil_f*", HD_ROUND_UP },
                  { "v_floor_f*", HD_ROUND_DOWN },
                  { "v_rndne_f*", HD_ROUND_NEAREST_EVEN } };
   for (unsigned n = 0; n < 4; n++) {
      if (sem_match(rounds[n].name, name, rest)) {
         out->r[0] = compute(ORACLE_ROUND, bits, x, 0, 0, rounds[n].round);
         return true;
      }
   }
   return false;
}

/* Steps of a division are tested as one in test_sem_divide.c; here what each says of its own. */
static bool
division(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = bits_in(name);
   const uint64_t below = in->s[1], above = in->s[2];
   char rest[32];

   if (sem_match("v_div_fmas_f*", name, rest)) {
      const uint64_t sum =
          plain(in, ORACLE_FMA, bits, in->s[0], in->s[1], in->s[2], round_of(in, bits));
      out->r[0] = sum;
      out->skip = in->s[3] != 0;
      return true;
   }
   if (sem_match("v_div_scale_f*", name, rest)) {
      out->skip = !is_zero(bits, below) && !is_zero(bits, above);
      out->r[0] = nan_of(bits);
      out->r[1] = 0;
      return true;
   }
   if (!sem_match("v_div_fixup_*", name, rest))
      return false;
   const uint64_t sign = (below ^ above) & sign_of(bits);
   const bool inf_below = (below & ~sign_of(bits)) == inf_of(bits);
   const bool inf_above = (above & ~sign_of(bits)) == inf_of(bits);
   if (is_nan(bits, below) || is_nan(bits, above) || (inf_below && inf_above) ||
       (is_zero(bits, below) && is_zero(bits, above)))
      out->r[0] = nan_of(bits);
   else if (inf_above || is_zero(bits, below))
      out->r[0] = sign | inf_of(bits);
   else if (inf_below || is_zero(bits, above))
      out->r[0] = sign;
   else {
      /* A quotient below the smallest number is one, or zero, as the mode rounds. */
      const parts p = split(bits, above), q = split(bits, below);
      const int least = bits == 32 ? -150 : -1075;
      if (bits != 16 && p.exponent - q.exponent <= least + 2)
         out->skip = true;
      out->r[0] = sign | write_out(in, bits, in->s[0] & ~sign_of(bits));
      /* One that left the range on the way overflows, as the mode rounds. */
      if ((in->s[0] & ~sign_of(bits)) >= inf_of(bits)) {
         const uint64_t largest = sign | (inf_of(bits) - 1);
         out->r[0] = compute(ORACLE_ADD, bits, largest, largest, 0, round_of(in, bits));
      }
   }
   return true;
}

/* Faces of a cube: the axis of the largest magnitude, z before y before x. */
static bool
cube(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t x = read_in(in, 32, in->s[0]), y = read_in(in, 32, in->s[1]);
   const uint64_t z = read_in(in, 32, in->s[2]), sign = sign_of(32);
   char rest[32];

   if (!sem_match("v_cube*_f32", name, rest))
      return false;
   if (is_nan(32, x) || is_nan(32, y) || is_nan(32, z)) {
      out->skip = true;
      return true;
   }
   const uint64_t ax = x & ~sign, ay = y & ~sign, az = z & ~sign;
   const int axis = az >= ax && az >= ay ? 2 : ay >= ax ? 1 : 0;
   const uint64_t along = axis == 2 ? z : axis == 1 ? y : x;
   const bool back = along & sign && !is_zero(32, along);
   static const uint64_t faces[] = {
      0, 0x3f800000, 0x40000000, 0x40400000, 0x40800000, 0x40a00000
   };
   const uint64_t across[] = { back ? z : z ^ sign, x, back ? x ^ sign : x };
   const uint64_t down[] = { y ^ sign, back ? z ^ sign : z, y ^ sign };

   if (strcmp(rest, "id") == 0)
      out->r[0] = faces[2 * axis + back];
   else if (strcmp(rest, "sc") == 0)
      out->r[0] = across[axis];
   else if (strcmp(rest, "tc") == 0)
      out->r[0] = down[axis];
   else
      out->r[0] = plain(in, ORACLE_MUL, 32, along, 0x40000000, 0, in->round32);
   return true;
}

bool
sem_oracle_float(const char *name, const sem_in *in, sem_out *out)
{
   out->skip = false;
   return arithmetic(name, in, out) || choices(name, in, out) || functions(name, in, out) ||
          pieces(name, in, out) || division(name, in, out) || cube(name, in, out);
}

/* Conversions ---------------------------------------------------------------------------------- */

static uint64_t
narrow(const sem_in *in, uint64_t x, hd_round r)
{
   x = read_in(in, 32, x);
   return write_out(in, 16, converted(32, 16, x, r));
}

/* x * scale, to the nearest integer, within the range. */
static uint64_t
normalized(const sem_in *in, unsigned bits, uint64_t x, bool is_signed)
{
   const uint64_t one = UINT64_C(0x3ff) << 52;
   uint64_t y = read_in(in, bits, x);

   if (is_nan(bits, y))
      return 0;
   y = converted(bits, 64, y, HD_ROUND_NEAREST_EVEN);
   if (!is_below(64, y, one))
      y = one;
   if (is_signed ? is_below(64, y, one | sign_of(64)) : is_below(64, y, 0))
      y = is_signed ? one | sign_of(64) : 0;
   const uint64_t scale = oracle_from_uint(64, false, is_signed ? 32767 : 65535, HD_ROUND_ZERO);
   y = compute(ORACLE_MUL, 64, y, scale, 0, HD_ROUND_NEAREST_EVEN);
   return oracle_to_int(64, y, true, 32, HD_ROUND_NEAREST_EVEN) & 0xffff;
}

static bool
to_floats(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t x = in->s[0];
   char rest[32];

   if (sem_match("v_cvt_f32_ubyte*", name, rest)) {
      out->r[0] = oracle_from_uint(32, false, x >> 8 * atoi(rest) & 255, HD_ROUND_NEAREST_EVEN);
      return true;
   }
   if (strcmp(name, "v_cvt_off_f32_i4") == 0) {
      const int64_t n = sem_signed(4, x);
      const uint64_t whole = oracle_from_uint(32, n < 0, (uint64_t)(n < 0 ? -n : n), HD_ROUND_ZERO);
      out->r[0] = oracle_ldexp(32, whole, -4);
      return true;
   }
   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      static const char *const names[] = { "v_cvt_f16_*", "v_cvt_f32_*", "v_cvt_f64_*" };
      if (!sem_match(names[bits / 32], name, rest) || (rest[0] != 'i' && rest[0] != 'u'))
         continue;
      const unsigned from = (unsigned)atoi(rest + 1);
      const int64_t n = rest[0] == 'i' ? sem_signed(from, x) : (int64_t)x;
      out->r[0] = oracle_from_uint(bits, n < 0, (uint64_t)(n < 0 ? -n : n), round_of(in, bits));
      return true;
   }
   if (strcmp(name, "v_cvt_f32_f16") == 0 || strcmp(name, "v_cvt_f64_f32") == 0 ||
       strcmp(name, "v_cvt_f32_f64") == 0) {
      const unsigned to = (unsigned)atoi(name + 7), from = (unsigned)atoi(name + 11);
      const uint64_t y = read_in(in, from, x);
      out->r[0] = write_out(in, to, converted(from, to, y, in->round32));
      /* A longer format holds every number as it is. */
      if (from < to)
         out->r[0] = converted(from, to, y, HD_ROUND_NEAREST_EVEN);
      return true;
   }
   if (strcmp(name, "v_cvt_f16_f32") == 0)
      out->r[0] = narrow(in, x, in->round64);
   else if (strcmp(name, "v_cvt_pkrtz_f16_f32") == 0)
      out->r[0] = narrow(in, x, HD_ROUND_ZERO) | narrow(in, in->s[1], HD_ROUND_ZERO) << 16;
   else
      return false;
   return true;
}

static bool
to_integers(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = bits_in(name);
   const uint64_t x = read_in(in, bits, in->s[0]);
   char rest[32];

   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      for (unsigned size = 16; size <= 32; size += 16) {
         static const char *const names[] = { "v_cvt_u16_f*", "v_cvt_i16_f*", "v_cvt_u32_f*",
                                              "v_cvt_i32_f*" };
         if (!sem_match(names[(size / 16 - 1) * 2 + is_signed], name, rest))
            continue;
         out->r[0] = oracle_to_int(bits, x, is_signed, size, HD_ROUND_ZERO);
         return true;
      }
   }
   if (strcmp(name, "v_cvt_flr_i32_f32") == 0)
      out->r[0] = oracle_to_int(32, x, true, 32, HD_ROUND_DOWN);
   else if (strcmp(name, "v_cvt_rpi_i32_f32") == 0) {
      /* x + 0.5 is exact in 64 bits wherever it matters. */
      uint64_t y = converted(32, 64, x, HD_ROUND_NEAREST_EVEN);
      y = compute(ORACLE_ADD, 64, y, UINT64_C(0x3fe) << 52, 0, HD_ROUND_DOWN);
      out->r[0] = oracle_to_int(64, y, true, 32, HD_ROUND_DOWN);
   } else if (strcmp(name, "v_cvt_pk_u8_f32") == 0 || strcmp(name, "v_cvt_pkaccum_u8_f32") == 0) {
      const unsigned shift = 8 * (unsigned)(in->s[1] & 3);
      const uint64_t byte = oracle_to_int(32, x, false, 8, in->round32);
      out->r[0] = (in->s[2] & ~(UINT64_C(255) << shift)) | byte << shift;
   } else
      return false;
   return true;
}

bool
sem_oracle_convert(const char *name, const sem_in *in, sem_out *out)
{
   char rest[32];

   for (unsigned is_signed = 0; is_signed < 2; is_signed++) {
      if (sem_match(is_signed ? "v_cvt_pknorm_i16_f*" : "v_cvt_pknorm_u16_f*", name, rest)) {
         const unsigned bits = (unsigned)atoi(rest);
         out->r[0] = normalized(in, bits, in->s[0], is_signed) |
                     normalized(in, bits, in->s[1], is_signed) << 16;
         return true;
      }
      if (sem_match(is_signed ? "v_cvt_norm_i16_f16" : "v_cvt_norm_u16_f16", name, rest)) {
         out->r[0] = normalized(in, 16, in->s[0], is_signed);
         return true;
      }
   }
   return to_floats(name, in, out) || to_integers(name, in, out);
}
