/* SPDX-License-Identifier: MIT */
/* Every op without floats against a second definition of it, written from its meaning: numbers are
 * 128 bits wide and never wrap, bits are handled one by one, division is done by hand. At 8 bits
 * with all pairs of operands, above with edges and random numbers.
 */
#include "fold_harness.h"
#include "heddle/op_enum.h"

uint64_t random_state;

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* Operands as numbers, read as the op's table says; `n` is the size of the first that has one. */
typedef wide reference(unsigned n, const wide *s);

/* Bit i of a number, negative ones in two's complement. */
static unsigned
bit(wide a, unsigned i)
{
   return (unsigned)((uwide)a >> i & 1);
}

static wide
power(unsigned n)
{
   return (wide)1 << n;
}

/* Put together a number from its bits. */
typedef unsigned bit_function(unsigned n, unsigned i, const wide *s);

static wide
by_bits(unsigned n, const wide *s, bit_function *f)
{
   wide r = 0;

   for (unsigned i = n; i--;)
      r = 2 * r + f(n, i, s);
   return r;
}

/* Quotient of magnitudes by long division; b is above 0. */
static wide
divide(wide a, wide b)
{
   wide q = 0, r = 0;

   for (unsigned i = 64; i--;) {
      r = 2 * r + (wide)((uwide)a >> i & 1);
      q *= 2;
      if (r >= b) {
         r -= b;
         q++;
      }
   }
   return q;
}

static wide
magnitude(wide a)
{
   return a < 0 ? -a : a;
}

static wide
clamp(wide a, wide least, wide most)
{
   return a < least ? least : a > most ? most : a;
}

static wide
floor_shift(wide a, unsigned n)
{
   const wide p = power(n);
   const wide r = a % p;

   return (a - (r < 0 ? r + p : r)) / p;
}

/* clang-format off */
static wide r_iadd(unsigned n, const wide *s) { (void)n; return s[0] + s[1]; }
static wide r_isub(unsigned n, const wide *s) { (void)n; return s[0] - s[1]; }
static wide r_imul(unsigned n, const wide *s) { (void)n; return (wide)((uwide)s[0] * (uwide)s[1]); }
static wide r_ineg(unsigned n, const wide *s) { (void)n; return -s[0]; }
static wide r_iabs(unsigned n, const wide *s) { (void)n; return magnitude(s[0]); }
static wide r_isign(unsigned n, const wide *s) { (void)n; return s[0] < 0 ? -1 : s[0] != 0; }
static wide r_imulhi(unsigned n, const wide *s) { return floor_shift(s[0] * s[1], n); }
static wide r_low24(wide a) { return a % (1 << 24); }
static wide r_low24s(wide a)
{ a = (a % (1 << 24) + (1 << 24)) % (1 << 24); return a < 1 << 23 ? a : a - (1 << 24); }
static wide r_umul24(unsigned n, const wide *s) { (void)n; return r_low24(s[0]) * r_low24(s[1]); }
static wide r_imul24(unsigned n, const wide *s) { (void)n; return r_low24s(s[0]) * r_low24s(s[1]); }
static wide r_umad24(unsigned n, const wide *s) { return r_umul24(n, s) + s[2]; }
static wide r_imad24(unsigned n, const wide *s) { return r_imul24(n, s) + s[2]; }
static wide r_udiv(unsigned n, const wide *s) { return s[1] ? divide(s[0], s[1]) : power(n) - 1; }
static wide r_urem(unsigned n, const wide *s)
{ (void)n; return s[1] ? s[0] - divide(s[0], s[1]) * s[1] : s[0]; }
static wide r_umin(unsigned n, const wide *s) { (void)n; return s[0] <= s[1] ? s[0] : s[1]; }
static wide r_umax(unsigned n, const wide *s) { (void)n; return s[0] <= s[1] ? s[1] : s[0]; }
static wide r_carry(unsigned n, const wide *s) { return s[0] + s[1] >= power(n); }
static wide r_borrow(unsigned n, const wide *s) { (void)n; return s[0] - s[1] < 0; }
static wide r_uadd_sat(unsigned n, const wide *s) { return clamp(s[0] + s[1], 0, power(n) - 1); }
static wide r_usub_sat(unsigned n, const wide *s) { return clamp(s[0] - s[1], 0, power(n) - 1); }
static wide r_iadd_sat(unsigned n, const wide *s)
{ return clamp(s[0] + s[1], -power(n - 1), power(n - 1) - 1); }
static wide r_isub_sat(unsigned n, const wide *s)
{ return clamp(s[0] - s[1], -power(n - 1), power(n - 1) - 1); }
static wide r_distance(unsigned n, const wide *s) { (void)n; return magnitude(s[0] - s[1]); }
static wide r_eq(unsigned n, const wide *s) { (void)n; return s[0] == s[1]; }
static wide r_ne(unsigned n, const wide *s) { (void)n; return s[0] != s[1]; }
static wide r_lt(unsigned n, const wide *s) { (void)n; return s[0] < s[1]; }
static wide r_le(unsigned n, const wide *s) { (void)n; return s[0] <= s[1]; }
static wide r_same(unsigned n, const wide *s) { (void)n; return s[0]; }
static wide r_select(unsigned n, const wide *s) { (void)n; return s[0] ? s[1] : s[2]; }

static unsigned b_and(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[0], i) + bit(s[1], i) == 2; }
static unsigned b_or(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[0], i) + bit(s[1], i) > 0; }
static unsigned b_xor(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[0], i) + bit(s[1], i) == 1; }
static unsigned b_not(unsigned n, unsigned i, const wide *s) { (void)n; return 1 - bit(s[0], i); }
static unsigned b_bitselect(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[bit(s[0], i) ? 1 : 2], i); }
static unsigned b_reverse(unsigned n, unsigned i, const wide *s) { return bit(s[0], n - 1 - i); }
static unsigned b_shl(unsigned n, unsigned i, const wide *s)
{ wide k = s[1] % n; return i >= k ? bit(s[0], i - (unsigned)k) : 0; }
static unsigned b_shr(unsigned n, unsigned i, const wide *s)
{ wide k = i + s[1] % n; return k < n ? bit(s[0], (unsigned)k) : s[0] < 0; }
static unsigned b_rotl(unsigned n, unsigned i, const wide *s)
{ return bit(s[0], (unsigned)((i + n - s[1] % n) % n)); }
static unsigned b_rotr(unsigned n, unsigned i, const wide *s)
{ return bit(s[0], (unsigned)((i + s[1]) % n)); }
static unsigned b_funnel(unsigned n, unsigned i, const wide *s)
{ wide k = i + s[2] % n; return k < n ? bit(s[1], (unsigned)k) : bit(s[0], (unsigned)(k - n)); }
static unsigned b_mask(unsigned n, unsigned i, const wide *s)
{ (void)n; return i >= s[1] && i < s[1] + s[0]; }
static unsigned b_uextract(unsigned n, unsigned i, const wide *s)
{ return i < s[2] && s[1] + i < n ? bit(s[0], (unsigned)s[1] + i) : 0; }
static unsigned b_insert(unsigned n, unsigned i, const wide *s)
{ (void)n; return i >= s[2] && i < s[2] + s[3] ? bit(s[1], i - (unsigned)s[2]) : bit(s[0], i); }
/* clang-format on */

static unsigned
b_iextract(unsigned n, unsigned i, const wide *s)
{
   wide from = s[1] + (i < s[2] ? i : s[2] - 1);

   return s[2] ? bit(s[0], from < n ? (unsigned)from : n - 1) : 0;
}

static unsigned
b_ubfe(unsigned n, unsigned i, const wide *s)
{
   return b_uextract(n, i, (const wide[]){ s[0], s[1] % n, s[2] % n });
}

static unsigned
b_ibfe(unsigned n, unsigned i, const wide *s)
{
   return b_iextract(n, i, (const wide[]){ s[0], s[1] % n, s[2] % n });
}

static wide
r_umulhi(unsigned n, const wide *s)
{
   return (wide)((uwide)s[0] * (uwide)s[1] / (uwide)power(n));
}

static wide
r_idiv(unsigned n, const wide *s)
{
   (void)n;
   if (s[1] == 0)
      return -1;
   const wide q = divide(magnitude(s[0]), magnitude(s[1]));
   return (s[0] < 0) != (s[1] < 0) ? -q : q;
}

static wide
r_irem(unsigned n, const wide *s)
{
   return s[1] ? s[0] - r_idiv(n, s) * s[1] : s[0];
}

static wide
r_imod(unsigned n, const wide *s)
{
   wide q = r_idiv(n, s);

   if (s[1] == 0)
      return s[0];
   while (q * magnitude(s[1]) > (s[1] < 0 ? -s[0] : s[0]))
      q--;
   return s[0] - q * s[1];
}

/* The second of three in order. */
static wide
r_med3(unsigned n, const wide *s)
{
   (void)n;
   for (unsigned i = 0; i < 3; i++) {
      const wide x = s[i], y = s[(i + 1) % 3], z = s[(i + 2) % 3];
      if ((y <= x && x <= z) || (z <= x && x <= y))
         return x;
   }
   return 0;
}

static wide
dot(const wide *s, bool first_signed, bool second_signed)
{
   wide sum = 0;

   for (unsigned i = 0; i < 4; i++) {
      wide a = 0, b = 0;
      for (unsigned k = 8; k--;) {
         a = 2 * a + bit(s[0], 8 * i + k);
         b = 2 * b + bit(s[1], 8 * i + k);
      }
      sum += (first_signed && a > 127 ? a - 256 : a) * (second_signed && b > 127 ? b - 256 : b);
   }
   return sum;
}

/* clang-format off */
static wide r_udot4(unsigned n, const wide *s) { (void)n; return dot(s, false, false); }
static wide r_idot4(unsigned n, const wide *s) { (void)n; return dot(s, true, true); }
static wide r_iudot4(unsigned n, const wide *s) { (void)n; return dot(s, true, false); }
static wide r_udot4_acc(unsigned n, const wide *s) { return r_udot4(n, s) + s[2]; }
static wide r_idot4_acc(unsigned n, const wide *s) { return r_idot4(n, s) + s[2]; }
static wide r_iudot4_acc(unsigned n, const wide *s) { return r_iudot4(n, s) + s[2]; }
static wide r_udot4_acc_sat(unsigned n, const wide *s)
{ return clamp(r_udot4_acc(n, s), 0, UINT32_MAX); }
static wide r_idot4_acc_sat(unsigned n, const wide *s)
{ return clamp(r_idot4_acc(n, s), INT32_MIN, INT32_MAX); }
static wide r_iudot4_acc_sat(unsigned n, const wide *s)
{ return clamp(r_iudot4_acc(n, s), INT32_MIN, INT32_MAX); }
/* clang-format on */

static wide
r_bit_count(unsigned n, const wide *s)
{
   wide count = 0;

   for (unsigned i = 0; i < n; i++)
      count += bit(s[0], i);
   return count;
}

static wide
r_find_lsb(unsigned n, const wide *s)
{
   for (unsigned i = 0; i < n; i++)
      if (bit(s[0], i))
         return i;
   return -1;
}

static wide
r_ufind_msb(unsigned n, const wide *s)
{
   wide at = -1;

   for (unsigned i = 0; i < n; i++)
      at = bit(s[0], i) ? (wide)i : at;
   return at;
}

static wide
r_ifind_msb(unsigned n, const wide *s)
{
   wide at = -1;

   for (unsigned i = 0; i < n; i++)
      at = bit(s[0], i) != (s[0] < 0) ? (wide)i : at;
   return at;
}

/* clang-format off */
static wide r_iadd3(unsigned n, const wide *s) { (void)n; return s[0] + s[1] + s[2]; }
static wide r_ishl_add(unsigned n, const wide *s)
{ (void)n; return s[0] * power((unsigned)(s[1] % 32)) + s[2]; }
static wide r_iadd_shl(unsigned n, const wide *s)
{ (void)n; return (s[0] + s[1]) * power((unsigned)(s[2] % 32)); }
static wide r_usad(unsigned n, const wide *s) { return r_distance(n, s) + s[2]; }
static wide r_min3(unsigned n, const wide *s)
{ const wide rest[] = { r_umin(n, s + 1), s[0] }; return r_umin(n, rest); }
static wide r_max3(unsigned n, const wide *s)
{ const wide rest[] = { r_umax(n, s + 1), s[0] }; return r_umax(n, rest); }
static unsigned b_ishl_or(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[2], i) | (i >= s[1] % 32 ? bit(s[0], i - (unsigned)(s[1] % 32)) : 0); }
static unsigned b_iand_or(unsigned n, unsigned i, const wide *s)
{ (void)n; return (bit(s[0], i) && bit(s[1], i)) || bit(s[2], i); }
static unsigned b_ior3(unsigned n, unsigned i, const wide *s)
{ (void)n; return bit(s[0], i) + bit(s[1], i) + bit(s[2], i) > 0; }
/* clang-format on */

static const struct definition {
   hd_op op;
   reference *number; /* either the number, */
   bit_function *bit; /* or each of its bits */
} definitions[] = {
   { HD_OP_IADD, r_iadd, NULL },
   { HD_OP_ISUB, r_isub, NULL },
   { HD_OP_IMUL, r_imul, NULL },
   { HD_OP_INEG, r_ineg, NULL },
   { HD_OP_IABS, r_iabs, NULL },
   { HD_OP_ISIGN, r_isign, NULL },
   { HD_OP_UMULHI, r_umulhi, NULL },
   { HD_OP_IMULHI, r_imulhi, NULL },
   { HD_OP_UMUL_WIDE, r_imul, NULL },
   { HD_OP_IMUL_WIDE, r_imul, NULL },
   { HD_OP_UMUL24, r_umul24, NULL },
   { HD_OP_IMUL24, r_imul24, NULL },
   { HD_OP_UMAD24, r_umad24, NULL },
   { HD_OP_IMAD24, r_imad24, NULL },
   { HD_OP_UDIV, r_udiv, NULL },
   { HD_OP_IDIV, r_idiv, NULL },
   { HD_OP_UREM, r_urem, NULL },
   { HD_OP_IREM, r_irem, NULL },
   { HD_OP_IMOD, r_imod, NULL },
   { HD_OP_UMIN, r_umin, NULL },
   { HD_OP_UMAX, r_umax, NULL },
   { HD_OP_IMIN, r_umin, NULL },
   { HD_OP_IMAX, r_umax, NULL },
   { HD_OP_IADD3, r_iadd3, NULL },
   { HD_OP_ISHL_ADD, r_ishl_add, NULL },
   { HD_OP_IADD_SHL, r_iadd_shl, NULL },
   { HD_OP_ISHL_OR, NULL, b_ishl_or },
   { HD_OP_IAND_OR, NULL, b_iand_or },
   { HD_OP_IOR3, NULL, b_ior3 },
   { HD_OP_USAD, r_usad, NULL },
   { HD_OP_UMIN3, r_min3, NULL },
   { HD_OP_UMAX3, r_max3, NULL },
   { HD_OP_IMIN3, r_min3, NULL },
   { HD_OP_IMAX3, r_max3, NULL },
   { HD_OP_UMED3, r_med3, NULL },
   { HD_OP_IMED3, r_med3, NULL },
   { HD_OP_UADD_CARRY, r_carry, NULL },
   { HD_OP_USUB_BORROW, r_borrow, NULL },
   { HD_OP_UADD_SAT, r_uadd_sat, NULL },
   { HD_OP_IADD_SAT, r_iadd_sat, NULL },
   { HD_OP_USUB_SAT, r_usub_sat, NULL },
   { HD_OP_ISUB_SAT, r_isub_sat, NULL },
   { HD_OP_UABS_DIFF, r_distance, NULL },
   { HD_OP_IABS_DIFF, r_distance, NULL },
   { HD_OP_UDOT4, r_udot4, NULL },
   { HD_OP_UDOT4_ACC, r_udot4_acc, NULL },
   { HD_OP_UDOT4_ACC_SAT, r_udot4_acc_sat, NULL },
   { HD_OP_IDOT4, r_idot4, NULL },
   { HD_OP_IDOT4_ACC, r_idot4_acc, NULL },
   { HD_OP_IDOT4_ACC_SAT, r_idot4_acc_sat, NULL },
   { HD_OP_IUDOT4, r_iudot4, NULL },
   { HD_OP_IUDOT4_ACC, r_iudot4_acc, NULL },
   { HD_OP_IUDOT4_ACC_SAT, r_iudot4_acc_sat, NULL },
   { HD_OP_IAND, NULL, b_and },
   { HD_OP_IOR, NULL, b_or },
   { HD_OP_IXOR, NULL, b_xor },
   { HD_OP_INOT, NULL, b_not },
   { HD_OP_BITSELECT, NULL, b_bitselect },
   { HD_OP_ISHL, NULL, b_shl },
   { HD_OP_USHR, NULL, b_shr },
   { HD_OP_ISHR, NULL, b_shr },
   { HD_OP_ROTL, NULL, b_rotl },
   { HD_OP_ROTR, NULL, b_rotr },
   { HD_OP_FUNNEL_SHR, NULL, b_funnel },
   { HD_OP_BIT_COUNT, r_bit_count, NULL },
   { HD_OP_BIT_REVERSE, NULL, b_reverse },
   { HD_OP_FIND_LSB, r_find_lsb, NULL },
   { HD_OP_UFIND_MSB, r_ufind_msb, NULL },
   { HD_OP_IFIND_MSB, r_ifind_msb, NULL },
   { HD_OP_BITFIELD_MASK, NULL, b_mask },
   { HD_OP_UBITFIELD_EXTRACT, NULL, b_uextract },
   { HD_OP_IBITFIELD_EXTRACT, NULL, b_iextract },
   { HD_OP_UBFE, NULL, b_ubfe },
   { HD_OP_IBFE, NULL, b_ibfe },
   { HD_OP_BITFIELD_INSERT, NULL, b_insert },
   { HD_OP_IEQ, r_eq, NULL },
   { HD_OP_INE, r_ne, NULL },
   { HD_OP_ULT, r_lt, NULL },
   { HD_OP_ULE, r_le, NULL },
   { HD_OP_ILT, r_lt, NULL },
   { HD_OP_ILE, r_le, NULL },
   { HD_OP_U2U, r_same, NULL },
   { HD_OP_I2I, r_same, NULL },
   { HD_OP_B2I, r_same, NULL },
   { HD_OP_SELECT, r_select, NULL },
};

/* The bits as the number that the kind reads. */
static wide
as_number(unsigned kind, unsigned bits, uint64_t u)
{
   return kind == HD_KIND_INT && u > low_bits(bits) >> 1 ? (wide)u - power(bits) : (wide)u;
}

/* Samples of an operand; counts around every size, and few where many operands multiply. */
static void
sample_operand(samples *out, const hd_op_info *info, unsigned i, sizes s)
{
   const unsigned bits = bits_of(&info->src[i], s);

   if (!strcmp(info->src[i].name, "count") || !strcmp(info->src[i].name, "offset")) {
      const uint64_t far[] = { 63, 64, 65, 127, 128, 255, 256, 0x80000000, 0xffffffff };
      out->count = 0;
      for (unsigned v = 0; v < 10; v++)
         add_sample(out, 32, v);
      for (unsigned v = 15; v < 34; v += v == 17 ? 14 : 1)
         add_sample(out, 32, v);
      for (unsigned v = 0; v < sizeof far / sizeof *far; v++)
         add_sample(out, 32, far[v]);
      return;
   }
   make_samples(out, bits, info->src[i].kind, 40);
   if (i == 2 || info->num_srcs == 4 || (info->num_srcs > 2 && bits > 8)) {
      const unsigned keep = out->count < 12 ? out->count : 12, step = out->count / keep;
      for (unsigned k = 0; k < keep; k++)
         out->v[k] = out->v[k * step + k % step];
      out->count = keep;
   }
}

static void
compare(const struct definition *d, sizes s, const lanes *in, const lanes *out)
{
   const hd_op_info *info = hd_op_get_info(d->op);
   const unsigned bits = bits_of(&info->result, s);

   for (unsigned k = 0; k < LANES; k++) {
      wide values[HD_MAX_OP_SRCS];
      for (unsigned i = 0; i < info->num_srcs; i++)
         values[i] = as_number(info->src[i].kind, bits_of(&info->src[i], s), in[i].v[k].u64);
      const wide expected = d->number ? d->number(s.n, values) : by_bits(bits, values, d->bit);
      if (out->v[k].u64 != ((uint64_t)expected & low_bits(bits)))
         fail_msg("%s at %u to %u bits of 0x%llx, 0x%llx: 0x%llx, expected 0x%llx", info->name, s.n,
                  bits, (unsigned long long)in[0].v[k].u64, (unsigned long long)in[1].v[k].u64,
                  (unsigned long long)out->v[k].u64,
                  (unsigned long long)((uint64_t)expected & low_bits(bits)));
   }
}

/* All combinations of the samples, 16 of the first operand at a time. */
static void
try_all(const struct definition *d, sizes s)
{
   static samples lists[HD_MAX_OP_SRCS];
   const hd_op_info *info = hd_op_get_info(d->op);
   unsigned at[HD_MAX_OP_SRCS] = { 0 };
   lanes in[HD_MAX_OP_SRCS] = { 0 }, out;

   for (unsigned i = 0; i < HD_MAX_OP_SRCS; i++) {
      lists[i] = (samples){ .count = 1 };
      if (i < info->num_srcs)
         sample_operand(&lists[i], info, i, s);
   }
   while (at[HD_MAX_OP_SRCS - 1] < lists[HD_MAX_OP_SRCS - 1].count) {
      for (unsigned i = 0; i < info->num_srcs; i++)
         for (unsigned k = 0; k < LANES; k++)
            in[i].v[k].u64 = lists[i].v[i ? at[i] : (at[0] + k) % lists[0].count];
      apply(d->op, s, 0, (const lanes *[]){ &in[0], &in[1], &in[2], &in[3] }, &out);
      compare(d, s, in, &out);
      at[0] += LANES;
      for (unsigned i = 0; i + 1 < HD_MAX_OP_SRCS && at[i] >= lists[i].count; i++) {
         at[i] = 0;
         at[i + 1]++;
      }
   }
}

/* The sizes that a size variable may have, or-ed; 32 alone if the op has no such variable. */
static unsigned
sizes_of(const hd_op_info *info, char variable)
{
   if (info->result.size_variable == variable)
      return info->result.sizes;
   for (unsigned i = 0; i < info->num_srcs; i++)
      if (info->src[i].size_variable == variable)
         return info->src[i].sizes;
   return 32;
}

static void
test_against_definitions(void **state)
{
   (void)state;
   for (unsigned i = 0; i < sizeof definitions / sizeof *definitions; i++) {
      const hd_op_info *info = hd_op_get_info(definitions[i].op);
      for (unsigned n = 1; n <= 64; n *= 2)
         for (unsigned m = 1; m <= 64; m *= 2)
            if ((sizes_of(info, 'N') & n) && (sizes_of(info, 'M') & m))
               try_all(&definitions[i], (sizes){ n, m });
   }
}

/* An op of integers that has no second definition here is untested. */
static void
test_all_have_definitions(void **state)
{
   (void)state;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      bool found = (info->flags & HD_OP_FLOAT) || !(info->flags & HD_OP_COMPONENTWISE);
      for (unsigned i = 0; i < sizeof definitions / sizeof *definitions; i++)
         found |= definitions[i].op == (hd_op)op;
      if (!found)
         fail_msg("%s has no definition", info->name);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_against_definitions),
                                       cmocka_unit_test(test_all_have_definitions) };

   seed_random();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
