/* SPDX-License-Identifier: MIT */
/* Sums, products, extremes: exact in 128 bits, then cut or saturated. */
#include <string.h>

#include "sem_oracle.h"

__extension__ typedef __int128 wide;

bool
sem_match(const char *pattern, const char *name, char rest[32])
{
   const char *star = strchr(pattern, '*');
   const size_t before = star ? (size_t)(star - pattern) : strlen(pattern);
   const size_t after = star ? strlen(star + 1) : 0, length = strlen(name);

   rest[0] = '\0';
   if (!star)
      return strcmp(pattern, name) == 0;
   if (length < before + after || strncmp(pattern, name, before) != 0 ||
       strcmp(star + 1, name + length - after) != 0 || length - before - after > 31)
      return false;
   memcpy(rest, name + before, length - before - after);
   rest[length - before - after] = '\0';
   return true;
}

/* `exact` in so many bits: the low ones, or the nearest number that has so many. */
static uint64_t
fit(const sem_in *in, unsigned bits, bool is_signed, wide exact)
{
   const wide one = 1;
   const wide lowest = is_signed ? -(one << (bits - 1)) : 0;
   const wide highest = is_signed ? (one << (bits - 1)) - 1 : (one << bits) - 1;

   if (in->clamp && exact < lowest)
      exact = lowest;
   if (in->clamp && exact > highest)
      exact = highest;
   return (uint64_t)exact & (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
}

static wide
extreme(wide a, wide b, wide c, const char *which)
{
   const wide low = a < b ? (a < c ? a : c) : b < c ? b : c;
   const wide high = a > b ? (a > c ? a : c) : b > c ? b : c;

   if (strcmp(which, "min") == 0)
      return low;
   return strcmp(which, "max") == 0 ? high : a + b + c - low - high;
}

/* v_min_i32, v_med3_u16 and the like. */
static bool
extremes(const char *name, const sem_in *in, sem_out *out)
{
   static const char *const which[] = { "min", "max", "med" };
   char rest[32];

   for (unsigned w = 0; w < 3; w++) {
      for (unsigned three = 0; three < 2; three++) {
         char pattern[16] = "v_";
         strcat(pattern, which[w]);
         strcat(pattern, three ? "3_*" : "_*");
         if ((w == 2 && !three) || !sem_match(pattern, name, rest) ||
             (rest[0] != 'i' && rest[0] != 'u') || strchr(rest, '_'))
            continue;
         const bool is_signed = rest[0] == 'i';
         const unsigned bits = rest[1] == '1' ? 16 : 32;
         wide x[3];
         for (unsigned n = 0; n < 3; n++)
            x[n] = is_signed ? (wide)sem_signed(bits, in->s[n]) : (wide)in->s[n];
         out->r[0] = fit(in, bits, is_signed, extreme(x[0], x[1], three ? x[2] : x[0], which[w]));
         return true;
      }
   }
   return false;
}

/* v_add_u32, v_subrev_co_u32, v_addc_co_u32, v_add_i16, ... */
static bool
sums(const char *name, const sem_in *in, sem_out *out)
{
   static const struct {
      const char *name;
      int a, b, c; /* weights of the operands; of the mask */
   } rows[] = { { "v_add_*", 1, 1, 0 },       { "v_sub_*", 1, -1, 0 },
                { "v_subrev_*", -1, 1, 0 },   { "v_addc_co_*", 1, 1, 1 },
                { "v_subb_co_*", 1, -1, -1 }, { "v_subbrev_co_*", -1, 1, -1 } };
   char rest[32];

   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      if (!sem_match(rows[n].name, name, rest))
         continue;
      const char *type = strncmp(rest, "co_", 3) == 0 ? rest + 3 : rest;
      if ((type[0] != 'i' && type[0] != 'u') || strlen(type) != 3)
         continue;
      const bool is_signed = type[0] == 'i';
      const unsigned bits = type[1] == '1' ? 16 : 32;
      const wide a = is_signed ? sem_signed(bits, in->s[0]) : (wide)in->s[0];
      const wide b = is_signed ? sem_signed(bits, in->s[1]) : (wide)in->s[1];
      const wide exact = a * rows[n].a + b * rows[n].b + (wide)in->s[2] * rows[n].c;
      out->r[0] = fit(in, bits, is_signed, exact);
      out->r[1] = exact < 0 || exact >> 32 != 0;
      return true;
   }
   return false;
}

/* The product of some bits of both, of which the upper or lower 32 are kept, plus a third. */
static bool
products(const char *name, const sem_in *in, sem_out *out)
{
   static const struct {
      const char *name;
      unsigned bits, result, shift;
      bool is_signed, adds;
   } rows[] = {
      { "v_mul_lo_u32", 32, 32, 0, false, false },
      { "v_mul_lo_i32", 32, 32, 0, true, false },
      { "v_mul_hi_u32", 32, 32, 32, false, false },
      { "v_mul_hi_i32", 32, 32, 32, true, false },
      { "v_mul_lo_u16", 16, 16, 0, false, false },
      { "v_mul_u32_u24", 24, 32, 0, false, false },
      { "v_mul_i32_i24", 24, 32, 0, true, false },
      { "v_mul_hi_u32_u24", 24, 32, 32, false, false },
      { "v_mul_hi_i32_i24", 24, 32, 32, true, false },
      { "v_mad_u32_u24", 24, 32, 0, false, true },
      { "v_mad_i32_i24", 24, 32, 0, true, true },
      { "v_mad_u16", 16, 16, 0, false, true },
      { "v_mad_i16", 16, 16, 0, true, true },
      { "v_mad_legacy_u16", 16, 16, 0, false, true },
      { "v_mad_legacy_i16", 16, 16, 0, true, true },
      { "v_mad_u32_u16", 16, 32, 0, false, true },
      { "v_mad_i32_i16", 16, 32, 0, true, true },
      { "v_mad_u64_u32", 32, 64, 0, false, true },
      { "v_mad_i64_i32", 32, 64, 0, true, true },
   };

   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      if (strcmp(rows[n].name, name) != 0)
         continue;
      const unsigned bits = rows[n].bits;
      const uint64_t mask = (UINT64_C(1) << bits) - 1;
      wide a = (wide)(in->s[0] & mask), b = (wide)(in->s[1] & mask), c = (wide)in->s[2];
      if (rows[n].is_signed) {
         a = sem_signed(bits, in->s[0]);
         b = sem_signed(bits, in->s[1]);
         c = sem_signed(rows[n].result, in->s[2]);
      }
      const wide exact = (a * b + (rows[n].adds ? c : 0)) >> rows[n].shift;
      out->r[0] = fit(in, rows[n].result, rows[n].is_signed, exact);
      if (rows[n].result == 64)
         out->r[1] = rows[n].is_signed ? exact != (wide)(int64_t)exact : exact >> 64 != 0;
      return true;
   }
   return false;
}

static uint64_t
byte(uint64_t x, unsigned n)
{
   return x >> 8 * n & 255;
}

static uint64_t
distance(uint64_t a, uint64_t b)
{
   return a > b ? a - b : b - a;
}

static uint64_t
byte_distances(uint64_t a, uint64_t b, bool masked)
{
   uint64_t sum = 0;

   for (unsigned n = 0; n < 4; n++)
      sum += masked && byte(b, n) == 0 ? 0 : distance(byte(a, n), byte(b, n));
   return sum;
}

static bool
distances(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t a = in->s[0], b = in->s[1], c = in->s[2];
   wide exact;

   if (strcmp(name, "v_sad_u8") == 0)
      exact = (wide)byte_distances(a, b, false) + c;
   else if (strcmp(name, "v_sad_hi_u8") == 0)
      exact = ((wide)byte_distances(a, b, false) << 16) + c;
   else if (strcmp(name, "v_msad_u8") == 0)
      exact = (wide)byte_distances(a, b, true) + c;
   else if (strcmp(name, "v_sad_u16") == 0)
      exact = (wide)distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c;
   else if (strcmp(name, "v_sad_u32") == 0)
      exact = (wide)distance(a, b) + c;
   else if (strcmp(name, "v_qsad_pk_u16_u8") == 0 || strcmp(name, "v_mqsad_pk_u16_u8") == 0) {
      out->r[0] = 0;
      for (unsigned n = 0; n < 4; n++) {
         const uint64_t sum =
             byte_distances(a >> 8 * n, b, name[2] == 'm') + (c >> 16 * n & 0xffff);
         out->r[0] |= fit(in, 16, false, (wide)sum) << 16 * n;
      }
      return true;
   } else
      return false;
   out->r[0] = fit(in, 32, false, exact);
   return true;
}

static bool
others(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t a = in->s[0], b = in->s[1], c = in->s[2];

   if (strcmp(name, "v_add3_u32") == 0)
      out->r[0] = (uint32_t)(a + b + c);
   else if (strcmp(name, "v_xad_u32") == 0)
      out->r[0] = (uint32_t)((a ^ b) + c);
   else if (strcmp(name, "v_lshl_add_u32") == 0)
      out->r[0] = (uint32_t)((a << b % 32) + c);
   else if (strcmp(name, "v_add_lshl_u32") == 0)
      out->r[0] = (uint32_t)((a + b) << c % 32);
   else if (strcmp(name, "v_cvt_pk_u16_u32") == 0)
      out->r[0] = (a > 0xffff ? 0xffff : a) | (b > 0xffff ? 0xffff : b) << 16;
   else if (strcmp(name, "v_cvt_pk_i16_i32") == 0) {
      sem_in saturating = *in;
      saturating.clamp = true;
      out->r[0] = fit(&saturating, 16, true, sem_signed(32, a)) |
                  fit(&saturating, 16, true, sem_signed(32, b)) << 16;
   } else if (strcmp(name, "v_sat_pk_u8_i16") == 0) {
      sem_in saturating = *in;
      saturating.clamp = true;
      out->r[0] = fit(&saturating, 8, false, sem_signed(16, a)) |
                  fit(&saturating, 8, false, sem_signed(16, a >> 16)) << 8;
   } else
      return false;
   return true;
}

bool
sem_oracle_integer(const char *name, const sem_in *in, sem_out *out)
{
   return extremes(name, in, out) || sums(name, in, out) || products(name, in, out) ||
          distances(name, in, out) || others(name, in, out);
}
