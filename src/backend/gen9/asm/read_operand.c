/* SPDX-License-Identifier: MIT */
/* read_operand.c - parser of operands: registers with regions, immediates. */
#include <string.h>

#include "backend/gen9/asm/reader.h"
#include "ir/parse.h"
#include "util/float.h"

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

/* Registers */

static bool
read_indirect(hd_mach_assembler *r, hd_gen9_operand *o)
{
   uint64_t number;

   o->file = HD_GEN9_GRF;
   o->indirect = 1;
   if (!hd_mach_line_expect(r, "a0."))
      return false;
   if (!hd_mach_line_number(r, 15, &number))
      return hd_mach_line_fail(r, "expected an address register from 0 to 15");
   o->subreg = (uint8_t)number;
   if (hd_mach_line_accept(r, ",")) {
      const bool minus = hd_mach_line_accept(r, "-");
      if (!hd_mach_line_number(r, minus ? 512 : 511, &number))
         return hd_mach_line_fail(r, "expected an offset from -512 to 511");
      o->offset = (uint16_t)((minus ? 1024 - number : number) & 0x3ff);
   }
   return hd_mach_line_expect(r, "]");
}

/* A name that may end in a number: the name of a file, or of one register. */
static bool
find_register(hd_mach_word name, hd_gen9_operand *o)
{
   size_t length = name.length;
   uint32_t number = 0;

   while (length > 0 && is_digit(name.start[length - 1]))
      length--;
   if (name.length - length > 3)
      return false;
   for (size_t n = length; n < name.length; n++)
      number = number * 10 + (uint32_t)(name.start[n] - '0');
   const bool numbered = length < name.length;
   const hd_mach_word file = { name.start, length };
   o->file = HD_GEN9_GRF;
   o->reg = (uint8_t)number;
   if (hd_mach_word_is(file, "r"))
      return numbered && number < HD_GEN9_NUM_GRFS;
   o->file = HD_GEN9_ARF;
   for (unsigned n = 0; n < 16; n++) {
      const hd_gen9_architecture *a = &hd_gen9_architectures[n];
      if (a->name && hd_mach_word_is(file, a->name) && numbered == a->is_numbered &&
          number < a->num) {
         o->reg = (uint8_t)(n << 4 | number);
         return true;
      }
   }
   return false;
}

bool
hd_gen9_read_register(hd_mach_assembler *r, hd_gen9_operand *o)
{
   uint64_t number;
   const char *before = r->at;

   if (hd_mach_line_accept(r, "r["))
      return read_indirect(r, o);
   const hd_mach_word name = hd_mach_line_name(r);
   if (!find_register(name, o)) {
      r->at = before;
      hd_mach_line_skip_blanks(r);
      return hd_mach_line_fail(r, "expected a register");
   }
   if (r->at < r->end && *r->at == '.') {
      r->at++;
      if (!hd_mach_line_number(r, 31, &number))
         return hd_mach_line_fail(r, "expected which element of the register, 0 to 31");
      o->subreg = (uint8_t)number;
   }
   return true;
}

bool
hd_gen9_read_type(hd_mach_assembler *r, uint8_t *type)
{
   if (!hd_mach_line_expect(r, ":"))
      return false;
   const hd_mach_word name = hd_mach_line_name(r);
   for (unsigned n = 0; n < HD_GEN9_NUM_TYPES; n++) {
      if (hd_mach_word_is(name, hd_gen9_type_infos[n].name)) {
         *type = (uint8_t)n;
         return true;
      }
   }
   r->at = name.start;
   return hd_mach_line_fail(r, "expected a type");
}

/* Elements to bytes, once the type is known. One that is outside gives an operand that no
 * instruction has.
 */
void
hd_gen9_scale_subreg(hd_gen9_operand *o)
{
   if (!o->indirect)
      o->subreg = (uint8_t)(o->subreg * hd_gen9_type_infos[o->type].size);
}

/* Regions */

static bool
read_power(hd_mach_assembler *r, unsigned max, unsigned *value)
{
   uint64_t number;

   *value = 0;
   if (!hd_mach_line_number(r, max, &number) || (number & (number - 1)))
      return hd_mach_line_fail(r, "expected a power of two up to %u", max);
   *value = (unsigned)number;
   return true;
}

static uint8_t
log_of(unsigned power)
{
   uint8_t log = 0;

   while (power > 1) {
      power >>= 1;
      log++;
   }
   return log;
}

static uint8_t
stride_code(unsigned stride)
{
   return stride ? (uint8_t)(log_of(stride) + 1) : 0;
}

static bool
read_region_of_three(hd_mach_assembler *r, hd_gen9_operand *o, unsigned n)
{
   unsigned first, second;

   if (!hd_mach_line_expect(r, "<") || !read_power(r, 8, &first))
      return false;
   o->rep = first == 0;
   return (n == 2 || (hd_mach_line_expect(r, ";") && read_power(r, 1, &second))) &&
          hd_mach_line_expect(r, ">");
}

static bool
read_region(hd_mach_assembler *r, hd_gen9_operand *o)
{
   unsigned first, width, stride;

   if (!hd_mach_line_accept(r, "<"))
      return true; /* <0;1,0> */
   if (!read_power(r, 32, &first))
      return false;
   if (hd_mach_line_accept(r, ";")) {
      o->vstride = stride_code(first);
      if (!read_power(r, 16, &width))
         return false;
   } else {
      o->vstride = HD_GEN9_STRIDE_INDIRECT;
      width = first;
   }
   if (!width)
      return hd_mach_line_fail(r, "expected a width in the region: <vertical;width,horizontal>");
   o->width = log_of(width);
   if (!hd_mach_line_expect(r, ",") || !read_power(r, 4, &stride))
      return false;
   o->hstride = stride_code(stride);
   return hd_mach_line_expect(r, ">");
}

bool
hd_gen9_read_dst(hd_mach_assembler *r, hd_gen9_word *w, bool three)
{
   unsigned stride = 1;

   (void)three;
   w->sat = hd_mach_line_accept(r, "(sat)");
   if (!hd_gen9_read_register(r, &w->dst))
      return false;
   if (hd_mach_line_accept(r, "<") && (!read_power(r, 4, &stride) || !hd_mach_line_expect(r, ">")))
      return false;
   w->dst.hstride = stride_code(stride);
   if (!hd_gen9_read_type(r, &w->dst.type))
      return false;
   hd_gen9_scale_subreg(&w->dst);
   return true;
}

/* Immediates */

static bool
is_float(unsigned type)
{
   return type == HD_GEN9_TYPE_F || type == HD_GEN9_TYPE_HF || type == HD_GEN9_TYPE_DF;
}

/* inf, qnan(0x1), snan(0x1) */
static bool
read_special(hd_mach_assembler *r, unsigned bits, uint64_t *value)
{
   const unsigned fraction = hd_float_fraction_bits(bits);
   const uint64_t quiet = UINT64_C(1) << (fraction - 1);
   const hd_mach_word name = hd_mach_line_name(r);
   uint64_t payload;

   *value = hd_float_inf(bits);
   if (hd_mach_word_is(name, "inf"))
      return true;
   if (!hd_mach_word_is(name, "qnan") && !hd_mach_word_is(name, "snan"))
      return false;
   if (!hd_mach_line_accept(r, "(") || !hd_mach_line_number(r, quiet - 1, &payload) ||
       !hd_mach_line_accept(r, ")"))
      return false;
   *value |= payload | (name.start[0] == 'q' ? quiet : 0);
   return true;
}

static bool
read_float(hd_mach_assembler *r, unsigned type, const char *end, uint64_t *value)
{
   const unsigned bits = 8u * hd_gen9_type_infos[type].size;
   const bool minus = hd_mach_line_accept(r, "-");
   bool good;

   if (end - r->at > 2 && r->at[0] == '0' && (r->at[1] | 32) == 'x') {
      good = !minus && hd_mach_line_number(r, UINT64_MAX >> (64 - bits), value);
   } else if (r->at < end && is_digit(*r->at)) {
      good = hd_parse_float(r->at, (size_t)(end - r->at), bits == 16 ? 32 : bits, value) ==
             HD_NUMBER_FITS;
      if (good && bits == 16)
         *value = hd_float_convert(32, 16, *value, HD_ROUND_NEAREST_EVEN);
      r->at = good ? end : r->at;
   } else {
      good = read_special(r, bits, value);
   }
   if (minus)
      *value |= hd_float_sign_bit(bits);
   return good || hd_mach_line_fail(r, "expected a float");
}

static bool
read_integer(hd_mach_assembler *r, unsigned type, uint64_t *value)
{
   const unsigned bits = 8u * hd_gen9_type_infos[type].size;
   const uint64_t mask = UINT64_MAX >> (64 - bits);
   const bool minus = hd_mach_line_accept(r, "-");

   if (!hd_mach_line_number(r, minus ? mask / 2 + 1 : mask, value))
      return hd_mach_line_fail(r, "expected a number of %u bits", bits);
   if (minus)
      *value = (0 - *value) & mask;
   return true;
}

/* The type stands after the number, so it is looked at first. */
static bool
read_immediate(hd_mach_assembler *r, hd_gen9_word *w, hd_gen9_operand *o)
{
   const char *before = r->at, *end = r->at;

   while (end < r->end && *end != ':')
      end++;
   r->at = end;
   if (!hd_gen9_read_type(r, &o->type))
      return false;
   const char *after = r->at;
   r->at = before;
   o->file = HD_GEN9_IMM;
   if (!(is_float(o->type) ? read_float(r, o->type, end, &w->imm)
                           : read_integer(r, o->type, &w->imm)))
      return false;
   if (!hd_mach_line_expect(r, ":"))
      return false;
   r->at = after;
   return true;
}

static bool
begins_immediate(hd_mach_assembler *r)
{
   static const char *const words[] = { "inf:", "qnan(", "snan(" };
   const char *at = r->at + (r->at < r->end && *r->at == '-');

   if (at < r->end && is_digit(*at))
      return true;
   for (unsigned n = 0; n < 3; n++) {
      const size_t length = strlen(words[n]);
      if ((size_t)(r->end - at) > length && !memcmp(at, words[n], length))
         return true;
   }
   return false;
}

bool
hd_gen9_read_src(hd_mach_assembler *r, hd_gen9_word *w, unsigned n, bool three)
{
   hd_gen9_operand *o = &w->src[n];

   hd_mach_line_skip_blanks(r);
   if (begins_immediate(r))
      return read_immediate(r, w, o);
   o->neg = hd_mach_line_accept(r, "-") || hd_mach_line_accept(r, "~");
   o->abs = hd_mach_line_accept(r, "(abs)");
   if (!hd_gen9_read_register(r, o) ||
       !(three ? read_region_of_three(r, o, n) : read_region(r, o)) ||
       !hd_gen9_read_type(r, &o->type))
      return false;
   hd_gen9_scale_subreg(o);
   return true;
}
