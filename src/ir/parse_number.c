/* SPDX-License-Identifier: MIT */
/* parse_number.c - parser: number literals. */
#include "ir/parse.h"
#include "util/quote.h"

bool
hd_parse_integer(const char *s, size_t length, uint64_t *value)
{
   uint64_t v = 0;

   if (length > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
      for (size_t n = 2; n < length; n++) {
         int digit = hd_hex_digit(s[n]);
         if (digit < 0 || v >> 60)
            return false;
         v = v << 4 | (unsigned)digit;
      }
   } else {
      for (size_t n = 0; n < length; n++) {
         unsigned digit = (unsigned)(s[n] - '0');
         if (digit > 9 || v > (UINT64_MAX - digit) / 10)
            return false;
         v = v * 10 + digit;
      }
   }
   *value = v;
   return length > 0;
}

/* Large natural numbers, the lowest 32 bits first; `num` has no leading zeros.
 *
 * The largest that occur are 10^1130, aligned to 801 digits times 10^310, and doubled: below 2^3800
 * each, so that 128 words are enough.
 */
#define BIG_WORDS 128u

struct big {
   uint32_t word[BIG_WORDS];
   uint32_t num;
};

static void
big_multiply_add(struct big *b, uint32_t factor, uint32_t addend)
{
   uint64_t carry = addend;

   for (uint32_t n = 0; n < b->num; n++) {
      carry += (uint64_t)b->word[n] * factor;
      b->word[n] = (uint32_t)carry;
      carry >>= 32;
   }
   if (carry)
      b->word[b->num++] = (uint32_t)carry;
}

static void
big_scale(struct big *b, unsigned power_of_ten)
{
   for (; power_of_ten >= 9; power_of_ten -= 9)
      big_multiply_add(b, 1000000000, 0);
   for (; power_of_ten; power_of_ten--)
      big_multiply_add(b, 10, 0);
}

static unsigned
big_length(const struct big *b)
{
   unsigned bits = 32 * b->num;

   for (uint32_t top = b->word[b->num - 1]; !(top >> 31); top <<= 1)
      bits--;
   return bits;
}

static void
big_shift(struct big *b, unsigned bits)
{
   uint32_t words = bits / 32;

   memmove(b->word + words, b->word, b->num * sizeof(uint32_t));
   memset(b->word, 0, words * sizeof(uint32_t));
   b->num += words;
   big_multiply_add(b, UINT32_C(1) << bits % 32, 0);
}

static bool
big_less(const struct big *a, const struct big *b)
{
   if (a->num != b->num)
      return a->num < b->num;
   for (uint32_t n = a->num; n--;) {
      if (a->word[n] != b->word[n])
         return a->word[n] < b->word[n];
   }
   return false;
}

/* a -= b, where a >= b. */
static void
big_subtract(struct big *a, const struct big *b)
{
   uint64_t borrow = 0;

   for (uint32_t n = 0; n < a->num; n++) {
      uint64_t d = (uint64_t)a->word[n] - (n < b->num ? b->word[n] : 0) - borrow;
      a->word[n] = (uint32_t)d;
      borrow = d >> 63;
   }
   while (a->num && !a->word[a->num - 1])
      a->num--;
}

/* `digits` times ten to the `exponent`. */
struct decimal {
   struct big digits; /* 0 has no words */
   unsigned num_digits;
   int64_t exponent;
};

#define MAX_DIGITS 800u

/* digits [. digits] [e [+-] digits]. No double needs more than 768 digits to be told from its
 * neighbours and from the points in the middle between them: what follows the first 800 only counts
 * as being zero or not.
 */
static bool
read_decimal(const char *s, size_t length, struct decimal *d)
{
   const char *end = s + length;
   bool point = false, tail = false, any = false;

   d->digits.num = d->num_digits = 0;
   d->exponent = 0;
   for (; s < end && ((*s >= '0' && *s <= '9') || (*s == '.' && !point)); s++) {
      if (*s == '.') {
         point = true;
         continue;
      }
      any = true;
      if (d->num_digits < MAX_DIGITS) {
         big_multiply_add(&d->digits, 10, (uint32_t)(*s - '0'));
         d->num_digits += d->digits.num > 0;
         d->exponent -= point;
      } else {
         tail |= *s != '0';
         d->exponent += !point;
      }
   }
   if (tail) {
      big_multiply_add(&d->digits, 10, 1);
      d->num_digits++;
      d->exponent--;
   }
   if (!any)
      return false;
   if (s == end)
      return true;
   if (*s != 'e' && *s != 'E')
      return false;
   s++;
   bool negative = s < end && *s == '-';
   s += s < end && (*s == '-' || *s == '+');
   if (s == end)
      return false;
   int64_t e = 0;
   for (; s < end; s++) {
      if (*s < '0' || *s > '9')
         return false;
      /* Far past what any format holds, and far from an overflow with a text of any length. */
      if (e < INT64_MAX / 100)
         e = e * 10 + (*s - '0');
   }
   d->exponent += negative ? -e : e;
   return true;
}

/* The first 64 bits of n / m, the topmost set, as in *significand * 2^(exponent - 63); true when
 * more follow. One bit a step: subtract, double.
 */
static bool
divide(struct big *n, struct big *m, uint64_t *significand, int *exponent)
{
   int shift = (int)big_length(n) - (int)big_length(m);
   uint64_t bits = 0;

   big_shift(shift < 0 ? n : m, (unsigned)(shift < 0 ? -shift : shift));
   if (big_less(n, m)) {
      big_shift(n, 1);
      shift--;
   }
   for (unsigned i = 0; i < 64; i++) {
      bits <<= 1;
      if (!big_less(n, m)) {
         big_subtract(n, m);
         bits |= 1;
      }
      if (n->num)
         big_shift(n, 1);
   }
   *significand = bits;
   *exponent = shift;
   return n->num != 0;
}

/* Round to nearest, ties to even. */
static uint64_t
round_bits(uint64_t significand, bool more, unsigned discard)
{
   if (discard > 64)
      return 0;
   uint64_t kept = discard == 64 ? 0 : significand >> discard;
   uint64_t half = UINT64_C(1) << (discard - 1);
   uint64_t rest = discard == 64 ? significand : significand & ((half << 1) - 1);

   return kept + (rest > half || (rest == half && (more || kept & 1)));
}

enum hd_number_fault
hd_parse_float(const char *s, size_t length, unsigned bit_size, uint64_t *value)
{
   unsigned precision = bit_size == 16 ? 11 : bit_size == 32 ? 24 : 53;
   int max_exponent = bit_size == 16 ? 15 : bit_size == 32 ? 127 : 1023;
   uint64_t infinity = (uint64_t)(2 * max_exponent + 1) << (precision - 1);
   struct decimal d;
   struct big m = { { 1 }, 1 };

   if (!read_decimal(s, length, &d))
      return HD_NUMBER_MALFORMED;
   *value = 0;
   if (!d.digits.num || d.exponent + d.num_digits < -330)
      return HD_NUMBER_FITS;
   if (d.exponent + d.num_digits > 310)
      return HD_NUMBER_TOO_LARGE;
   big_scale(d.exponent > 0 ? &d.digits : &m,
             (unsigned)(d.exponent > 0 ? d.exponent : -d.exponent));

   uint64_t significand;
   int exponent;
   bool more = divide(&d.digits, &m, &significand, &exponent);
   unsigned discard = 64 - precision;
   uint64_t bits;
   if (exponent < 1 - max_exponent) {
      discard += (unsigned)(1 - max_exponent - exponent);
      bits = round_bits(significand, more, discard);
   } else {
      /* The leading 1 is not stored: it adds one to the exponent field, which is one too low. A
       * carry out of the fraction does the same.
       */
      bits = (uint64_t)(exponent + max_exponent - 1) << (precision - 1);
      if (exponent > max_exponent)
         return HD_NUMBER_TOO_LARGE;
      bits += round_bits(significand, more, discard);
   }
   if (bits >= infinity)
      return HD_NUMBER_TOO_LARGE;
   *value = bits;
   return HD_NUMBER_FITS;
}
