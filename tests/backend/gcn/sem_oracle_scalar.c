/* SPDX-License-Identifier: MIT */
/* Scalar instructions: 128-bit integers and single bits; r[1] is scc. */
#include <stdlib.h>
#include <string.h>

#include "sem_oracle.h"

__extension__ typedef __int128 wide;

static unsigned
size_of(const char *name)
{
   const char *end = name + strlen(name);
   while (end > name && end[-1] >= '0' && end[-1] <= '9')
      end--;
   return (unsigned)atoi(end);
}

static uint64_t
cut(unsigned bits, wide x)
{
   return bits == 64 ? (uint64_t)x : (uint64_t)x & UINT32_MAX;
}

static bool
sums(const char *name, const sem_in *in, sem_out *out)
{
   const wide a = in->s[0], b = in->s[1], k = sem_signed(16, in->s[1]);
   const wide x = sem_signed(32, in->s[0]), y = sem_signed(32, in->s[1]);
   char rest[32];
   wide r;

   if (strcmp(name, "s_add_u32") == 0 || strcmp(name, "s_addc_u32") == 0) {
      r = a + b + (strlen(name) > 9 && in->scc);
      out->r[1] = r >> 32 != 0;
   } else if (strcmp(name, "s_sub_u32") == 0 || strcmp(name, "s_subb_u32") == 0) {
      r = a - b - (strlen(name) > 9 && in->scc);
      out->r[1] = r < 0;
   } else if (strcmp(name, "s_add_i32") == 0 || strcmp(name, "s_sub_i32") == 0 ||
              strcmp(name, "s_addk_i32") == 0) {
      r = name[2] == 's' ? x - y : name[5] == 'k' ? x + k : x + y;
      out->r[1] = r != sem_signed(32, (uint64_t)r);
   } else if (sem_match("s_lshl*_add_u32", name, rest)) {
      r = (a << atoi(rest)) + b;
      out->r[1] = r >> 32 != 0;
      out->skip = (a << atoi(rest)) >> 32 != 0;
   } else if (strcmp(name, "s_mul_i32") == 0)
      r = a * b;
   else if (strcmp(name, "s_mulk_i32") == 0)
      r = x * k;
   else if (strcmp(name, "s_mul_hi_u32") == 0)
      r = a * b >> 32;
   else if (strcmp(name, "s_mul_hi_i32") == 0)
      r = x * y >> 32;
   else if (strcmp(name, "s_absdiff_i32") == 0 || strcmp(name, "s_abs_i32") == 0) {
      /* The difference wraps before its sign is looked at. */
      r = name[5] == 'd' ? sem_signed(32, (uint64_t)(x - y)) : x;
      r = r < 0 ? -r : r;
      out->r[1] = cut(32, r) != 0;
   } else
      return false;
   out->r[0] = cut(32, r);
   return true;
}

static bool
choices(const char *name, const sem_in *in, sem_out *out)
{
   static const char *const relations[] = { "eq", "lg", "gt", "ge", "lt", "le" };
   char rest[32];

   for (unsigned k = 0; k < 2; k++) {
      if (!sem_match(k ? "s_cmpk_*" : "s_cmp_*", name, rest))
         continue;
      wide a = in->s[0], b = in->s[1];
      if (rest[3] == 'i') {
         a = sem_signed(32, in->s[0]);
         b = sem_signed(k ? 16 : 32, in->s[1]);
      }
      const bool results[] = { a == b, a != b, a > b, a >= b, a < b, a <= b };
      for (unsigned n = 0; n < 6; n++) {
         if (strncmp(relations[n], rest, 2) == 0)
            out->r[1] = results[n];
      }
      return true;
   }
   if (sem_match("s_min_*", name, rest) || sem_match("s_max_*", name, rest)) {
      const wide a = rest[0] == 'i' ? (wide)sem_signed(32, in->s[0]) : (wide)in->s[0];
      const wide b = rest[0] == 'i' ? (wide)sem_signed(32, in->s[1]) : (wide)in->s[1];
      out->r[1] = name[3] == 'i' ? a < b : a > b;
      out->r[0] = out->r[1] ? in->s[0] : in->s[1];
      out->skip = name[3] == 'a' && a == b;
      return true;
   }
   if (sem_match("s_cselect_b*", name, rest))
      out->r[0] = in->scc ? in->s[0] : in->s[1];
   else if (sem_match("s_cmov_b*", name, rest))
      out->r[0] = in->scc ? in->s[0] : in->s[1];
   else if (strcmp(name, "s_cmovk_i32") == 0)
      out->r[0] = in->scc ? cut(32, sem_signed(16, in->s[0])) : in->s[1];
   else if (strcmp(name, "s_movk_i32") == 0)
      out->r[0] = cut(32, sem_signed(16, in->s[0]));
   else if (sem_match("s_mov_b*", name, rest))
      out->r[0] = in->s[0];
   else
      return false;
   return true;
}

static bool
at(uint64_t x, int n)
{
   return n >= 0 && n < 64 && sem_bit(x, (unsigned)n);
}

/* A result bit by bit; scc says whether any is set. */
#define EACH_BIT(num, expression)                                                                  \
   do {                                                                                            \
      out->r[0] = 0;                                                                               \
      for (int n = 0; n < (int)(num); n++)                                                         \
         out->r[0] |= (uint64_t)((expression) != 0) << n;                                          \
      out->r[1] = out->r[0] != 0;                                                                  \
   } while (0)

static bool
logic(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = size_of(name);
   const uint64_t a = in->s[0], b = in->s[1];
   char rest[32];

   if (sem_match("s_and_b*", name, rest))
      EACH_BIT(bits, at(a, n) && at(b, n));
   else if (sem_match("s_or_b*", name, rest))
      EACH_BIT(bits, at(a, n) || at(b, n));
   else if (sem_match("s_xor_b*", name, rest))
      EACH_BIT(bits, at(a, n) != at(b, n));
   else if (sem_match("s_andn2_b*", name, rest))
      EACH_BIT(bits, at(a, n) && !at(b, n));
   else if (sem_match("s_orn2_b*", name, rest))
      EACH_BIT(bits, at(a, n) || !at(b, n));
   else if (sem_match("s_nand_b*", name, rest))
      EACH_BIT(bits, !(at(a, n) && at(b, n)));
   else if (sem_match("s_nor_b*", name, rest))
      EACH_BIT(bits, !at(a, n) && !at(b, n));
   else if (sem_match("s_xnor_b*", name, rest))
      EACH_BIT(bits, at(a, n) == at(b, n));
   else if (sem_match("s_not_b*", name, rest))
      EACH_BIT(bits, !at(a, n));
   else if (sem_match("s_wqm_b*", name, rest))
      EACH_BIT(bits, (a >> (n / 4 * 4) & 15) != 0);
   else if (sem_match("s_quadmask_b*", name, rest))
      EACH_BIT(bits / 4, (a >> 4 * n & 15) != 0);
   else if (sem_match("s_brev_b*", name, rest))
      EACH_BIT(bits, at(a, (int)bits - 1 - n));
   else if (sem_match("s_lshl_b*", name, rest))
      EACH_BIT(bits, at(a, n - (int)(b % bits)));
   else if (sem_match("s_lshr_b*", name, rest))
      EACH_BIT(bits, n + (int)(b % bits) < (int)bits && at(a, n + (int)(b % bits)));
   else if (sem_match("s_ashr_i*", name, rest))
      EACH_BIT(bits, at(a, n + (int)(b % bits) < (int)bits ? n + (int)(b % bits) : (int)bits - 1));
   else if (sem_match("s_bfm_b*", name, rest))
      EACH_BIT(bits, n >= (int)(b % bits) && n < (int)(b % bits) + (int)(a % bits));
   else if (strcmp(name, "s_bitreplicate_b64_b32") == 0)
      EACH_BIT(64, at(a, n / 2));
   else if (sem_match("s_bitset0_b*", name, rest))
      EACH_BIT(bits, at(b, n) && n != (int)(a % bits));
   else if (sem_match("s_bitset1_b*", name, rest))
      EACH_BIT(bits, at(b, n) || n == (int)(a % bits));
   else
      return false;
   return true;
}

/* A field of bits: `last` is its highest one, or the highest of the register. */
static bool
fields(const char *name, const sem_in *in, sem_out *out)
{
   const unsigned bits = size_of(name);
   const uint64_t a = in->s[0], b = in->s[1];
   char rest[32];

   if (sem_match("s_bfe_*", name, rest)) {
      const int first = (int)(b % bits), width = (int)(b >> 16 & 127);
      const int end = first + width > (int)bits ? (int)bits : first + width;
      const bool fills = rest[0] == 'i' && width && at(a, end - 1);
      EACH_BIT(bits, first + n < end ? at(a, first + n) : fills);
   } else if (strcmp(name, "s_sext_i32_i8") == 0)
      EACH_BIT(32, at(a, n < 8 ? n : 7));
   else if (strcmp(name, "s_sext_i32_i16") == 0)
      EACH_BIT(32, at(a, n < 16 ? n : 15));
   else if (sem_match("s_pack_*_b32_b16", name, rest))
      EACH_BIT(32,
               n < 16 ? at(a, rest[0] == 'h' ? n + 16 : n) : at(b, rest[1] == 'h' ? n : n - 16));
   else if (sem_match("s_bitcmp0_b*", name, rest))
      out->r[1] = !at(a, (int)(b % bits));
   else if (sem_match("s_bitcmp1_b*", name, rest))
      out->r[1] = at(a, (int)(b % bits));
   else
      return false;
   return true;
}

static bool
counts(const char *name, const sem_in *in, sem_out *out)
{
   const int bits = (int)size_of(name) == 32 || strcmp(name, "s_flbit_i32") == 0 ? 32 : 64;
   const uint64_t a = in->s[0];
   char rest[32];
   int found = -1, count = 0;
   bool wanted;

   if (sem_match("s_bcnt0*", name, rest) || sem_match("s_bcnt1*", name, rest)) {
      for (int n = 0; n < bits; n++)
         count += at(a, n) == (name[6] == '1');
      out->r[0] = (uint64_t)count;
      out->r[1] = count != 0;
      return true;
   }
   if (sem_match("s_ff0*", name, rest) || sem_match("s_ff1*", name, rest)) {
      wanted = name[4] == '1';
      for (int n = bits - 1; n >= 0; n--)
         found = at(a, n) == wanted ? n : found;
   } else if (strcmp(name, "s_flbit_i32") == 0 || strcmp(name, "s_flbit_i32_i64") == 0) {
      wanted = !at(a, bits - 1);
      for (int n = 0; n < bits; n++)
         found = at(a, n) == wanted ? bits - 1 - n : found;
   } else if (sem_match("s_flbit_i32_b*", name, rest)) {
      for (int n = 0; n < bits; n++)
         found = at(a, n) ? bits - 1 - n : found;
   } else
      return false;
   out->r[0] = (uint32_t)found;
   return true;
}

bool
sem_oracle_scalar(const char *name, const sem_in *in, sem_out *out)
{
   return sums(name, in, out) || choices(name, in, out) || logic(name, in, out) ||
          fields(name, in, out) || counts(name, in, out);
}
