/* SPDX-License-Identifier: MIT */
/* Bits, one at a time; compares; packed halves. */
#include <stdlib.h>
#include <string.h>

#include "sem_oracle.h"

/* A result made bit by bit: where bit n of it comes from. */
#define EACH_BIT(num, expression)                                                                  \
   do {                                                                                            \
      out->r[0] = 0;                                                                               \
      for (int n = 0; n < (num); n++)                                                              \
         out->r[0] |= (uint64_t)((expression) != 0) << n;                                          \
   } while (0)

static bool
at(uint64_t x, int n)
{
   return n >= 0 && n < 64 && sem_bit(x, (unsigned)n);
}

static bool
logic(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t a = in->s[0], b = in->s[1], c = in->s[2];

   if (strcmp(name, "v_and_b32") == 0)
      EACH_BIT(32, at(a, n) && at(b, n));
   else if (strcmp(name, "v_or_b32") == 0)
      EACH_BIT(32, at(a, n) || at(b, n));
   else if (strcmp(name, "v_xor_b32") == 0)
      EACH_BIT(32, at(a, n) != at(b, n));
   else if (strcmp(name, "v_not_b32") == 0)
      EACH_BIT(32, !at(a, n));
   else if (strcmp(name, "v_mov_b32") == 0)
      EACH_BIT(32, at(a, n));
   else if (strcmp(name, "v_and_or_b32") == 0)
      EACH_BIT(32, (at(a, n) && at(b, n)) || at(c, n));
   else if (strcmp(name, "v_or3_b32") == 0)
      EACH_BIT(32, at(a, n) || at(b, n) || at(c, n));
   else if (strcmp(name, "v_lshl_or_b32") == 0)
      EACH_BIT(32, at(a, n - (int)(b % 32)) || at(c, n));
   else if (strcmp(name, "v_bfi_b32") == 0)
      EACH_BIT(32, at(a, n) ? at(b, n) : at(c, n));
   else if (strcmp(name, "v_bfm_b32") == 0)
      EACH_BIT(32, n >= (int)(b % 32) && n < (int)(a % 32) + (int)(b % 32));
   else if (strcmp(name, "v_bfrev_b32") == 0)
      EACH_BIT(32, at(a, 31 - n));
   else if (strcmp(name, "v_cndmask_b32") == 0)
      EACH_BIT(32, c ? at(b, n) : at(a, n));
   else
      return false;
   return true;
}

static bool
fields(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t a = in->s[0], b = in->s[1], c = in->s[2];
   const int first = (int)(b % 32), width = (int)(c % 32);

   if (strcmp(name, "v_bfe_u32") == 0)
      EACH_BIT(32, n < width && first + n < 32 && at(a, first + n));
   else if (strcmp(name, "v_bfe_i32") == 0) {
      const int last = first + width - 1;
      EACH_BIT(32, width && at(a, first + n > last ? (last > 31 ? 31 : last)
                                  : first + n > 31 ? 31
                                                   : first + n));
   } else if (strcmp(name, "v_alignbit_b32") == 0)
      EACH_BIT(32, n + width < 32 ? at(b, n + width) : at(a, n + width - 32));
   else if (strcmp(name, "v_alignbyte_b32") == 0) {
      const int shift = 8 * (int)(c % 4);
      EACH_BIT(32, n + shift < 32 ? at(b, n + shift) : at(a, n + shift - 32));
   } else if (strcmp(name, "v_perm_b32") == 0) {
      out->r[0] = 0;
      for (unsigned n = 0; n < 4; n++) {
         const unsigned sel = c >> 8 * n & 255;
         uint64_t byte;
         if (sel > 12)
            byte = 255;
         else if (sel == 12)
            byte = 0;
         else if (sel > 7) {
            static const unsigned sign_of[] = { 15, 31, 47, 63 };
            const unsigned place = sign_of[sel - 8];
            byte = (place < 32 ? at(b, (int)place) : at(a, (int)place - 32)) ? 255 : 0;
         } else
            byte = (sel < 4 ? b >> 8 * sel : a >> 8 * (sel - 4)) & 255;
         out->r[0] |= byte << 8 * n;
      }
   } else if (strcmp(name, "v_lerp_u8") == 0) {
      out->r[0] = 0;
      for (unsigned n = 0; n < 4; n++) {
         const uint64_t sum = (a >> 8 * n & 255) + (b >> 8 * n & 255) + (c >> 8 * n & 1);
         out->r[0] |= (sum / 2) << 8 * n;
      }
   } else
      return false;
   return true;
}

static unsigned
ones(uint64_t x, unsigned below)
{
   unsigned count = 0;

   for (unsigned n = 0; n < below; n++)
      count += sem_bit(x, n);
   return count;
}

static bool
counts(const char *name, const sem_in *in, sem_out *out)
{
   const uint64_t a = in->s[0], b = in->s[1];
   unsigned n = 0;

   if (strcmp(name, "v_bcnt_u32_b32") == 0)
      out->r[0] = (uint32_t)(ones(a, 32) + b);
   else if (strcmp(name, "v_mbcnt_lo_u32_b32") == 0)
      out->r[0] = (uint32_t)(ones(a, in->lane < 32 ? in->lane : 32) + b);
   else if (strcmp(name, "v_mbcnt_hi_u32_b32") == 0)
      out->r[0] = (uint32_t)(ones(a, in->lane > 32 ? in->lane - 32 : 0) + b);
   else if (strcmp(name, "v_ffbl_b32") == 0) {
      while (n < 32 && !sem_bit(a, n))
         n++;
      out->r[0] = n < 32 ? n : UINT32_MAX;
   } else if (strcmp(name, "v_ffbh_u32") == 0) {
      while (n < 32 && !sem_bit(a, 31 - n))
         n++;
      out->r[0] = n < 32 ? n : UINT32_MAX;
   } else if (strcmp(name, "v_ffbh_i32") == 0) {
      while (n < 32 && sem_bit(a, 31 - n) == sem_bit(a, 31))
         n++;
      out->r[0] = n < 32 ? n : UINT32_MAX;
   } else
      return false;
   return true;
}

/* v_lshlrev_b32, v_ashr_i64, ... : the count comes first if the name says `rev`. */
static bool
shifts(const char *name, const sem_in *in, sem_out *out)
{
   static const char *const kinds[] = { "lshl", "lshr", "ashr" };
   char rest[32];

   for (unsigned k = 0; k < 3; k++) {
      char pattern[16] = "v_";
      strcat(pattern, kinds[k]);
      strcat(pattern, "*");
      if (!sem_match(pattern, name, rest))
         continue;
      const bool reversed = strncmp(rest, "rev_", 4) == 0;
      const char *type = rest + (reversed ? 4 : 1);
      if ((type[0] != 'b' && type[0] != 'i') || strlen(type) != 3)
         continue;
      const int bits = atoi(type + 1);
      const uint64_t x = reversed ? in->s[1] : in->s[0];
      const int count = (int)((reversed ? in->s[0] : in->s[1]) % (unsigned)bits);
      if (k == 0)
         EACH_BIT(bits, at(x, n - count));
      else
         EACH_BIT(bits, n + count < bits ? at(x, n + count) : k == 2 && at(x, bits - 1));
      return true;
   }
   return false;
}

bool
sem_oracle_bits(const char *name, const sem_in *in, sem_out *out)
{
   if (strcmp(name, "v_swap_b32") == 0) {
      out->r[0] = in->s[1];
      out->r[1] = in->s[0];
      return true;
   }
   if (strcmp(name, "v_pack_b32_f16") == 0) {
      const uint64_t a = in->flush_in64 ? sem_flush(16, in->s[0]) : in->s[0];
      const uint64_t b = in->flush_in64 ? sem_flush(16, in->s[1]) : in->s[1];
      out->r[0] = a | b << 16;
      return true;
   }
   return logic(name, in, out) || fields(name, in, out) || counts(name, in, out) ||
          shifts(name, in, out);
}

/* Compares ------------------------------------------------------------------------------------- */

/* less: 1, equal: 2, greater: 4, unordered: 8. */
static unsigned
relation_of(const char *type, unsigned bits, const sem_in *in)
{
   uint64_t a = in->s[0], b = in->s[1];

   if (type[0] == 'i') {
      const int64_t x = sem_signed(bits, a), y = sem_signed(bits, b);
      return x < y ? 1 : x == y ? 2 : 4;
   }
   if (type[0] == 'u')
      return a < b ? 1 : a == b ? 2 : 4;

   if (bits == 32 ? in->flush_in32 : in->flush_in64) {
      a = sem_flush(bits, a);
      b = sem_flush(bits, b);
   }
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const uint64_t inf = bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
   if ((a & ~sign) > inf || (b & ~sign) > inf)
      return 8;
   /* Signs and magnitudes, as integers with one zero. */
   const int64_t x = a & sign ? -(int64_t)(a & ~sign) : (int64_t)a;
   const int64_t y = b & sign ? -(int64_t)(b & ~sign) : (int64_t)b;
   return x < y ? 1 : x == y ? 2 : 4;
}

static unsigned
class_of(unsigned bits, uint64_t x)
{
   const unsigned fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const bool sign = sem_bit(x, bits - 1);
   const uint64_t fraction = x & ((UINT64_C(1) << fraction_bits) - 1);
   const uint64_t all = (UINT64_C(1) << (bits - 1 - fraction_bits)) - 1;
   const uint64_t exponent = x >> fraction_bits & all;

   if (exponent == all && fraction)
      return sem_bit(fraction, fraction_bits - 1) ? 1 : 0;
   if (exponent == all)
      return sign ? 2 : 9;
   if (exponent)
      return sign ? 3 : 8;
   if (fraction)
      return sign ? 4 : 7;
   return sign ? 5 : 6;
}

bool
sem_oracle_compare(const char *name, const sem_in *in, sem_out *out)
{
   static const struct {
      const char *name;
      unsigned relations;
   } rows[] = { { "f", 0 },        { "lt", 1 },       { "eq", 2 },       { "le", 3 },
                { "gt", 4 },       { "lg", 5 },       { "ne", 5 },       { "ge", 6 },
                { "o", 7 },        { "u", 8 },        { "nge", 15 - 6 }, { "nlg", 15 - 5 },
                { "ngt", 15 - 4 }, { "nle", 15 - 3 }, { "neq", 15 - 2 }, { "nlt", 15 - 1 },
                { "tru", 15 },     { "t", 15 } };
   char rest[32];

   if (!sem_match("v_cmp_*", name, rest) && !sem_match("v_cmpx_*", name, rest))
      return false;
   char *type = strrchr(rest, '_');
   const unsigned bits = (unsigned)atoi(type + 2);
   *type++ = '\0';
   if (strcmp(rest, "class") == 0) {
      out->r[0] = sem_bit(in->s[1], class_of(bits, in->s[0]));
      return true;
   }
   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      if (strcmp(rows[n].name, rest) == 0) {
         out->r[0] = (rows[n].relations & relation_of(type, bits, in)) != 0;
         return true;
      }
   }
   return false;
}

/* Packed ------------------------------------------------------------------------------------- */

/* Each half as the instruction of one half computes it. */
bool
sem_oracle_packed(const char *name, const sem_in *in, sem_out *out)
{
   static sem_oracle *const oracles[] = { sem_oracle_integer, sem_oracle_bits, sem_oracle_float };
   char rest[32], single[40] = "v_";

   if (!sem_match("v_pk_*", name, rest))
      return false;
   strcat(single, rest);
   out->r[0] = 0;
   for (unsigned half = 0; half < 2; half++) {
      sem_in part = *in;
      sem_out result = { { 0, 0 }, false };
      bool known = false;
      for (unsigned n = 0; n < 3; n++)
         part.s[n] = in->s[n] >> 16 * half & 0xffff;
      for (unsigned n = 0; n < 3 && !known; n++)
         known = oracles[n](single, &part, &result);
      if (!known)
         return false;
      out->r[0] |= (result.r[0] & 0xffff) << 16 * half;
   }
   return true;
}
