/* SPDX-License-Identifier: MIT */
/* parse_operand.c - parser of operands: registers, constants, SSA values; source modifiers. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/names.h"
#include "machine/text/program.h"

#include "ir/parse.h"

#include <string.h>

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

/* "s", "v" or "ttmp" at the head of a word: the number of the first such register. */
static bool
file_of(hd_gcn_gen gen, hd_mach_word word, unsigned *first, unsigned *count, size_t *length)
{
   if (word.length >= 4 && memcmp(word.start, "ttmp", 4) == 0) {
      *first = gen >= HD_GCN_GFX900 ? 108 : HD_GCN_TTMP0;
      *count = HD_GCN_M0 - *first;
      *length = 4;
      return true;
   }
   if (!word.length || (word.start[0] != 's' && word.start[0] != 'v'))
      return false;
   *first = word.start[0] == 'v' ? HD_GCN_VGPR0 : HD_GCN_SGPR0;
   *count = word.start[0] == 'v' ? 256 : gen == HD_GCN_GFX600 ? 104 : 102;
   *length = 1;
   return true;
}

/* "[4:5]", "[4]": what follows the name of a file. */
static bool
read_range(hd_gcn_reader *r, const char *start, unsigned count, int64_t *low, int64_t *high)
{
   if (!hd_mach_expect(&r->c, '[') || !hd_mach_read_range(&r->c, 0, count - 1, low))
      return false;
   *high = *low;
   if (hd_mach_accept(&r->c, ':') && !hd_mach_read_range(&r->c, *low, count - 1, high))
      return false;
   if (*high - *low >= 32)
      return hd_mach_text_error(&r->c, start, (size_t)(r->c.at - start), "too many registers");
   return hd_mach_expect(&r->c, ']');
}

/* Whether what is next is a register; `failed`: it began as one, and an error was reported. */
static bool
try_register(hd_gcn_reader *r, hd_mach_operand *operand, bool *failed)
{
   hd_mach_word word = hd_mach_peek_word(&r->c);
   unsigned first, count;
   size_t length;
   int64_t low = 0, high;

   *failed = false;
   for (const hd_gcn_register_name *n = hd_gcn_register_names; n->name; n++) {
      if (n->gens >> r->gen & 1 && hd_mach_word_is(word, n->name)) {
         hd_mach_read_word(&r->c);
         *operand = hd_mach_operand_reg(n->reg, n->size);
         return true;
      }
   }
   if (!file_of(r->gen, word, &first, &count, &length))
      return false;
   if (word.length == length) {
      if (word.start + length == r->c.end || word.start[length] != '[')
         return false;
      hd_mach_read_word(&r->c);
      *failed = !read_range(r, word.start, count, &low, &high);
   } else {
      for (size_t n = length; n < word.length; n++) {
         if (!is_digit(word.start[n]) || low > 999)
            return false;
         low = low * 10 + (word.start[n] - '0');
      }
      hd_mach_read_word(&r->c);
      high = low;
      if (low >= count) {
         hd_mach_text_error(&r->c, word.start, word.length, "%s has no such register",
                            hd_gcn_gen_name(r->gen));
         *failed = true;
      }
   }
   if (!*failed)
      *operand = hd_mach_operand_reg(first + (unsigned)low, (unsigned)(high - low) + 1);
   return !*failed;
}

bool
hd_gcn_read_register(hd_gcn_reader *r, hd_mach_operand *operand)
{
   bool failed;

   return try_register(r, operand, &failed);
}

static bool
register_of_value(void *user, hd_mach_operand *operand)
{
   hd_gcn_reader *r = user;
   bool failed = false;

   return try_register(r, operand, &failed) ||
          (!failed && hd_mach_text_error(&r->c, r->c.at, 1, "expected a register"));
}

/* "%12:v2", "%12:s2@s[4:5]!" after the '%'. */
static bool
read_value(hd_gcn_reader *r, hd_gcn_text_arg *arg, const char *start)
{
   if (!hd_mach_value_read(&r->c, start, register_of_value, r, &arg->operand, &arg->value_kind))
      return false;
   arg->word = (hd_mach_word){ start, (size_t)(r->c.at - start) };
   return !r->value || r->value(r, arg);
}

static bool
read_number(hd_gcn_reader *r, hd_gcn_text_arg *arg)
{
   hd_mach_skip_blanks(&r->c);
   const char *start = r->c.at;
   bool negative = hd_mach_accept(&r->c, '-');
   hd_mach_word word = hd_mach_peek_word(&r->c);
   bool hex = word.length > 1 && (word.start[1] == 'x' || word.start[1] == 'X');
   bool has_point = !hex && memchr(word.start, '.', word.length);
   char last = word.length ? word.start[word.length - 1] : 0;
   bool exponent = !hex && memchr(word.start, 'e', word.length);

   if (!has_point && !exponent) {
      arg->kind = HD_GCN_TEXT_INTEGER;
      /* Between the phases a literal is one still, whatever it could be. */
      arg->literal |= r->values && hex;
      r->c.at = start;
      return hd_mach_read_integer(&r->c, &arg->integer);
   }
   hd_mach_read_word(&r->c);
   /* "1e-5": the sign is no part of a word. */
   if ((last == 'e' || last == 'E') && r->c.at < r->c.end && (*r->c.at == '-' || *r->c.at == '+')) {
      r->c.at++;
      hd_mach_word digits = hd_mach_read_word(&r->c);
      word.length += 1 + digits.length;
   }
   arg->kind = HD_GCN_TEXT_FLOAT;
   arg->word = word;
   arg->negative = negative;
   uint64_t bits;
   return hd_parse_float(word.start, word.length, 64, &bits) == HD_NUMBER_FITS ||
          hd_mach_text_error(&r->c, word.start, word.length, "not a number");
}

typedef bool (*immediate_reader)(hd_gcn_reader *r, int64_t *value);

/* "hwreg(...)" and the like. */
static bool
try_immediate(hd_gcn_reader *r, hd_gcn_text_arg *arg, bool *failed)
{
   static const struct {
      const char *name;
      immediate_reader read;
   } kinds[] = {
      { "hwreg", hd_gcn_read_hwreg },
      { "sendmsg", hd_gcn_read_sendmsg },
      { "gpr_idx", hd_gcn_read_gpr_idx },
   };
   hd_mach_word word = hd_mach_peek_word(&r->c);

   *failed = false;
   for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
      if (!hd_mach_word_is(word, kinds[n].name))
         continue;
      hd_mach_read_word(&r->c);
      arg->kind = HD_GCN_TEXT_IMMEDIATE;
      *failed = !hd_mach_expect(&r->c, '(') || !kinds[n].read(r, &arg->integer);
      return !*failed;
   }
   return false;
}

static bool
read_primary(hd_gcn_reader *r, hd_gcn_text_arg *arg)
{
   hd_mach_skip_blanks(&r->c);
   const char *start = r->c.at;
   bool failed;

   arg->kind = HD_GCN_TEXT_OPERAND;
   if (r->values && hd_mach_accept(&r->c, '%'))
      return read_value(r, arg, start);
   if (r->c.at < r->c.end && (is_digit(*r->c.at) || *r->c.at == '-' || *r->c.at == '.'))
      return read_number(r, arg);
   if (try_register(r, &arg->operand, &failed))
      return true;
   if (!failed && try_immediate(r, arg, &failed))
      return true;
   if (failed)
      return false;
   hd_mach_word word = hd_mach_read_word(&r->c);
   if (!word.length)
      return hd_mach_text_error(&r->c, r->c.at, 1, "expected an operand");
   arg->word = word;
   if (hd_mach_word_is(word, "off")) {
      arg->operand = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      return true;
   }
   if (hd_mach_word_is(word, "lit")) {
      arg->literal = true;
      return hd_mach_expect(&r->c, '(') && read_number(r, arg) && hd_mach_expect(&r->c, ')');
   }
   if (r->values && hd_mach_word_is(word, "undef")) {
      arg->operand = (hd_mach_operand){ .reg = HD_MACH_NO_REG, .flags = HD_MACH_OPERAND_UNDEF };
      if (!hd_mach_accept(&r->c, ':'))
         return true;
      hd_mach_word kind = hd_mach_read_word(&r->c);
      if (kind.length != 2 || (kind.start[0] != 'v' && kind.start[0] != 's') ||
          !is_digit(kind.start[1]))
         return hd_mach_text_error(&r->c, kind.start, kind.length, "expected v or s and a number");
      arg->operand.size = (uint8_t)(kind.start[1] - '0');
      arg->operand.flags |= kind.start[0] == 'v' ? HD_MACH_OPERAND_VECTOR : 0;
      return true;
   }
   arg->kind = HD_GCN_TEXT_SYMBOL;
   return true;
}

/* A modifier that stands before its source, and what closes it: 0: nothing. False: there is none.
 */
static bool
read_prefix(hd_gcn_reader *r, unsigned *flag, char *close)
{
   static const struct {
      const char *name;
      unsigned flag;
   } calls[] = {
      { "neg", HD_GCN_OPERAND_NEG },
      { "abs", HD_GCN_OPERAND_ABS },
      { "sext", HD_GCN_OPERAND_SEXT },
   };

   hd_mach_skip_blanks(&r->c);
   if (r->c.at == r->c.end)
      return false;
   if (*r->c.at == '|') {
      r->c.at++;
      *flag = HD_GCN_OPERAND_ABS;
      *close = '|';
      return true;
   }
   /* "-1" is a number. */
   if (*r->c.at == '-' && r->c.at + 1 < r->c.end && !is_digit(r->c.at[1]) && r->c.at[1] != '.') {
      r->c.at++;
      *flag = HD_GCN_OPERAND_NEG;
      *close = 0;
      return true;
   }
   hd_mach_word word = hd_mach_peek_word(&r->c);
   for (unsigned n = 0; n < sizeof(calls) / sizeof(calls[0]); n++) {
      if (hd_mach_word_is(word, calls[n].name)) {
         hd_mach_read_word(&r->c);
         *flag = calls[n].flag;
         *close = ')';
         return true;
      }
   }
   return false;
}

bool
hd_gcn_read_arg(hd_gcn_reader *r, hd_gcn_text_arg *arg)
{
   unsigned flags = 0, flag, num = 0;
   char closes[3];

   hd_mach_skip_blanks(&r->c);
   const char *start = r->c.at;
   *arg = (hd_gcn_text_arg){ .word = { start, 0 } };
   while (read_prefix(r, &flag, &closes[num])) {
      if (flags & flag)
         return hd_mach_text_error(&r->c, start, (size_t)(r->c.at - start),
                                   "the same modifier twice");
      flags |= flag;
      if (closes[num] == ')' && !hd_mach_expect(&r->c, '('))
         return false;
      num++;
      if (num == 3)
         break;
   }
   if (!read_primary(r, arg))
      return false;
   while (num-- > 0) {
      if (closes[num] && !hd_mach_expect(&r->c, closes[num]))
         return false;
   }
   arg->operand.flags |= (uint8_t)flags;
   if (arg->kind != HD_GCN_TEXT_FLOAT)
      arg->word = (hd_mach_word){ start, (size_t)(r->c.at - start) };
   return true;
}

/* Constants ------------------------------------------------------------------------------------*/

static bool
is_half(hd_gcn_type type)
{
   return type == HD_GCN_B16 || type == HD_GCN_I16 || type == HD_GCN_U16 || type == HD_GCN_F16;
}

static bool
is_double(hd_gcn_type type)
{
   return type == HD_GCN_B64 || type == HD_GCN_I64 || type == HD_GCN_U64 || type == HD_GCN_F64 ||
          type == HD_GCN_MASK;
}

static bool
too_large(hd_gcn_reader *r, const hd_gcn_text_arg *arg)
{
   return hd_mach_text_error(&r->c, arg->word.start, arg->word.length,
                             "the operand cannot be this constant");
}

static bool
integer_const(hd_gcn_reader *r, const hd_gcn_text_arg *arg, hd_gcn_type type,
              hd_mach_operand *operand)
{
   int64_t value = arg->integer;
   bool half = is_half(type), dbl = is_double(type);
   int64_t low = half ? INT16_MIN : INT32_MIN, high = half ? UINT16_MAX : UINT32_MAX;
   hd_mach_operand literal = { .value = (uint32_t)(half ? value & 0xffff : value),
                               .reg = HD_GCN_LITERAL,
                               .size = dbl ? 2 : 1 };

   *operand = hd_gcn_operand_const(r->gen, type, (uint64_t)value);
   bool is_inline = operand->size && operand->reg != HD_GCN_LITERAL;
   if (!(dbl && is_inline) && (value < low || value > high))
      return too_large(r, arg);
   /* A literal is what is written, whatever a 64-bit operand makes of it. */
   if (!is_inline || arg->literal)
      *operand = literal;
   return true;
}

static bool
float_const(hd_gcn_reader *r, const hd_gcn_text_arg *arg, hd_gcn_type type,
            hd_mach_operand *operand)
{
   bool half = type == HD_GCN_F16 || type == HD_GCN_V2F16, dbl = is_double(type);
   unsigned bits = half ? 16 : dbl ? 64 : 32;
   /* Integers of 16 bits have the float constants by their number only. */
   hd_gcn_type read = is_half(type) && !half ? HD_GCN_F32 : type;
   uint64_t value;

   if (hd_parse_float(arg->word.start, arg->word.length, bits, &value) != HD_NUMBER_FITS)
      return too_large(r, arg);
   if (arg->negative)
      value |= UINT64_C(1) << (bits - 1);
   *operand = hd_gcn_operand_const(r->gen, read, value);
   if (!operand->size || (read != type && operand->reg == HD_GCN_LITERAL))
      return too_large(r, arg);
   if (arg->literal) {
      operand->reg = HD_GCN_LITERAL;
      operand->value = (uint32_t)(type == HD_GCN_F64 ? value >> 32 : value);
   }
   return true;
}

bool
hd_gcn_text_const(hd_gcn_reader *r, const hd_gcn_text_arg *arg, hd_gcn_type type,
                  hd_mach_operand *operand)
{
   unsigned flags = arg->operand.flags;
   bool done = arg->kind == HD_GCN_TEXT_FLOAT ? float_const(r, arg, type, operand)
                                              : integer_const(r, arg, type, operand);

   operand->flags = (uint8_t)flags;
   return done;
}
