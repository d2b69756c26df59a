/* SPDX-License-Identifier: MIT */
/* parse_instr.c - one instruction. */
#include "ir/parse.h"
#include "util/quote.h"

#include "heddle/intrinsic.h"

/* Operands */

bool
hd_parse_operand(struct parser *p, uint32_t *record)
{
   if (p->tok.kind != TOKEN_VALUE || (p->tok.first && !p->in_parentheses))
      return hd_parse_expected(p, "a value such as %1");
   *record = hd_parse_value_record(p, &p->tok);
   hd_parse_next(p);
   return true;
}

void
hd_parse_use(struct parser *p, hd_src *src, uint32_t record)
{
   src->def = p->values.records[record].object;
   if (!src->def)
      *PUSH(&p->scratch, p->fixups) = (struct fixup){ src, record };
}

/* Values up to the end of the line or something else, commas between them; how many there are goes
 * to *num. Those past `max` are only counted.
 */
static bool
parse_operands(struct parser *p, uint32_t *records, unsigned max, unsigned *num)
{
   *num = 0;
   if (p->tok.kind != TOKEN_VALUE || p->tok.first)
      return true;
   for (;;) {
      uint32_t record;
      if (!hd_parse_operand(p, &record))
         return false;
      if (*num < max)
         records[*num] = record;
      (*num)++;
      if (p->tok.kind != ',' || p->tok.first)
         return true;
      hd_parse_next(p);
   }
}

void
hd_parse_append(struct parser *p, hd_instr *instr)
{
   hd_instr_append(p->block, instr);
   p->label_fits = false;
}

/* What is being parsed. */
struct instr_text {
   bool has_result;
   unsigned num_components, bit_size;
   struct token mnemonic;
   unsigned flags;
};

static bool
wrong_count(struct parser *p, const struct instr_text *t, unsigned expected, unsigned found)
{
   return hd_parse_error(p, t->mnemonic.start, t->mnemonic.length,
                         "%.*s takes %u operand%s, found %u", (int)t->mnemonic.length,
                         t->mnemonic.start, expected, expected == 1 ? "" : "s", found);
}

/* Whether an instruction has a result is what the left side must say. */
static bool
check_result(struct parser *p, const struct instr_text *t, bool has_result)
{
   int length = (int)t->mnemonic.length;

   if (t->has_result == has_result)
      return true;
   if (has_result)
      return hd_parse_error(p, t->mnemonic.start, t->mnemonic.length,
                            "%.*s has a result, expected a value such as %%1:32 = before it",
                            length, t->mnemonic.start);
   return hd_parse_error(p, t->mnemonic.start, t->mnemonic.length,
                         "%.*s has no result, expected no value before it", length,
                         t->mnemonic.start);
}

static bool
parse_alu(struct parser *p, const struct instr_text *t, hd_op op, hd_instr **instr)
{
   const hd_op_info *info = hd_op_get_info(op);
   uint32_t records[HD_MAX_COMPONENTS];
   unsigned num, expected = info->flags & HD_OP_VARIADIC ? t->num_components : info->num_srcs;

   if (!check_result(p, t, true) || !parse_operands(p, records, HD_MAX_COMPONENTS, &num))
      return false;
   if (num != expected)
      return wrong_count(p, t, expected, num);
   hd_alu *alu = hd_alu_create(p->shader, op, num, t->num_components, t->bit_size);
   for (unsigned n = 0; n < num; n++)
      hd_parse_use(p, &alu->src[n], records[n]);
   *instr = &alu->instr;
   return true;
}

/* Numbers */

static uint64_t
size_mask(unsigned bit_size)
{
   return UINT64_MAX >> (64 - bit_size);
}

static bool
does_not_fit(struct parser *p, const char *place, size_t length, unsigned bit_size)
{
   return hd_parse_error(p, place, length, "this does not fit %u bit%s", bit_size,
                         bit_size == 1 ? "" : "s");
}

/* After a sign, if any: a float's bits. */
static bool
parse_float(struct parser *p, unsigned bit_size, uint64_t *value)
{
   const struct token *t = &p->tok;

   if (bit_size < 16)
      return hd_parse_error(p, t->start, t->length,
                            "there are no floats of %u bit%s, expected a whole number", bit_size,
                            bit_size == 1 ? "" : "s");
   if (t->kind == TOKEN_WORD) {
      unsigned fraction = bit_size == 16 ? 10 : bit_size == 32 ? 23 : 52;
      uint64_t infinity = (size_mask(bit_size - 1) >> fraction) << fraction;
      *value = *t->start == 'i' ? infinity : infinity | UINT64_C(1) << (fraction - 1);
      return true;
   }
   switch (hd_parse_float(t->start, t->length, bit_size, value)) {
   case HD_NUMBER_FITS:
      return true;
   case HD_NUMBER_MALFORMED:
      return hd_parse_error(p, t->start, t->length, "expected a number such as 12, 0x1f or 1.5e-3");
   case HD_NUMBER_TOO_LARGE:
      break;
   }
   return hd_parse_error(p, t->start, t->length,
                         "this is too large for a float of %u bits, expected inf for infinity",
                         bit_size);
}

static bool
is_hex(const struct token *t)
{
   return t->length > 2 && t->start[0] == '0' && (t->start[1] == 'x' || t->start[1] == 'X');
}

static bool
is_float(const struct token *t)
{
   if (t->kind == TOKEN_WORD)
      return hd_parse_is_word(t, "inf") || hd_parse_is_word(t, "nan");
   if (is_hex(t))
      return false;
   for (size_t n = 0; n < t->length; n++) {
      if (t->start[n] == '.' || t->start[n] == 'e' || t->start[n] == 'E')
         return true;
   }
   return false;
}

/* Why a token is no integer: it has more digits than 64 bits hold, or other things than digits. */
static bool
wrong_integer(struct parser *p, const char *start, unsigned bit_size)
{
   const struct token *t = &p->tok;
   bool hex = is_hex(t);

   for (size_t n = hex ? 2 : 0; n < t->length; n++) {
      int digit = hd_hex_digit(t->start[n]);
      if (digit < 0 || (digit > 9 && !hex))
         return hd_parse_error(p, t->start, t->length,
                               "expected a number such as 12, 0x1f or 1.5e-3");
   }
   return does_not_fit(p, start, (size_t)(t->start + t->length - start), bit_size);
}

/* One component of a constant, or a case. */
bool
hd_parse_component(struct parser *p, unsigned bit_size, uint64_t *value)
{
   const char *start = p->tok.start;
   bool negative = p->tok.kind == '-' && !p->tok.first;

   if (negative)
      hd_parse_next(p);
   const struct token *t = &p->tok;
   if (bit_size == 1 && !negative && t->kind == TOKEN_WORD &&
       (hd_parse_is_word(t, "true") || hd_parse_is_word(t, "false"))) {
      *value = *t->start == 't';
   } else if (t->kind != TOKEN_NUMBER && !is_float(t)) {
      return hd_parse_expected(p, bit_size == 1 ? "true or false" : "a number");
   } else if (is_float(t)) {
      if (!parse_float(p, bit_size, value))
         return false;
      *value ^= negative ? UINT64_C(1) << (bit_size - 1) : 0;
   } else {
      if (!hd_parse_integer(t->start, t->length, value))
         return wrong_integer(p, start, bit_size);
      uint64_t limit = negative ? UINT64_C(1) << (bit_size - 1) : size_mask(bit_size);
      if (*value > limit)
         return does_not_fit(p, start, (size_t)(t->start + t->length - start), bit_size);
      if (negative)
         *value = (0 - *value) & size_mask(bit_size);
   }
   hd_parse_next(p);
   return true;
}

static bool
parse_const(struct parser *p, const struct instr_text *t, hd_instr **instr)
{
   hd_const_value values[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   if (!check_result(p, t, true))
      return false;
   if (p->tok.kind != '(' && t->num_components > 1)
      return hd_parse_expected(p, "'(' and the components");
   if (p->tok.kind == '(') {
      hd_parse_next(p);
      for (unsigned n = 0; n < t->num_components; n++) {
         if (n && !hd_parse_expect(p, ',', "',' and another component", false))
            return false;
         if (!hd_parse_component(p, t->bit_size, &values[n].u64))
            return false;
      }
      if (!hd_parse_expect(p, ')', "')' after the last component", false))
         return false;
   } else if (!hd_parse_component(p, t->bit_size, &values[0].u64)) {
      return false;
   }
   *instr = &hd_const_create(p->shader, t->num_components, t->bit_size, values)->instr;
   return true;
}

/* Intrinsics */

static bool
parse_enum(struct parser *p, const hd_index_info *info, uint32_t *value)
{
   const struct token *t = &p->tok;

   if (info->kind == HD_INDEX_KIND_BOOL &&
       (hd_parse_is_word(t, "true") || hd_parse_is_word(t, "false"))) {
      *value = *t->start == 't';
      return true;
   }
   for (uint32_t n = 0; n < info->num_values; n++) {
      if (hd_parse_is_word(t, info->values[n].name)) {
         *value = info->kind == HD_INDEX_KIND_FLAGS ? UINT32_C(1) << n : n;
         return true;
      }
   }
   return hd_parse_error(p, t->start, t->length, "'%.*s' is no value of %s",
                         t->length < 40 ? (int)t->length : 40, t->start, info->name);
}

static bool
parse_index_value(struct parser *p, const hd_index_info *info, uint32_t *value)
{
   bool negative = p->tok.kind == '-' && !p->tok.first;

   *value = 0;
   if (negative)
      hd_parse_next(p);
   if (p->tok.kind == TOKEN_NUMBER && !p->tok.first) {
      uint64_t v;
      uint64_t limit = negative                          ? UINT64_C(1) << 31
                       : info->kind == HD_INDEX_KIND_INT ? INT32_MAX
                                                         : UINT32_MAX;
      if (!hd_parse_integer(p->tok.start, p->tok.length, &v) || v > limit ||
          (negative && info->kind != HD_INDEX_KIND_INT))
         return hd_parse_error(p, p->tok.start, p->tok.length, "this is no value of %s",
                               info->name);
      *value = negative ? (uint32_t)(0 - v) : (uint32_t)v;
      hd_parse_next(p);
      return true;
   }
   if (negative || p->tok.kind != TOKEN_WORD || p->tok.first)
      return hd_parse_expected(p, "a value for the index");
   for (;;) {
      uint32_t one;
      if (!parse_enum(p, info, &one))
         return false;
      *value |= one;
      hd_parse_next(p);
      if (info->kind != HD_INDEX_KIND_FLAGS || p->tok.kind != '|')
         return true;
      hd_parse_next(p);
      if (p->tok.kind != TOKEN_WORD)
         return hd_parse_expected(p, "another value for the index");
   }
}

static bool
parse_indices(struct parser *p, const struct instr_text *t, const hd_intrinsic_info *info,
              uint32_t *values)
{
   uint32_t seen = 0;

   for (unsigned n = 0; n < info->num_indices; n++)
      values[n] = hd_index_get_info((hd_index)info->indices[n])->default_value;
   while (p->tok.kind == TOKEN_WORD && !p->tok.first) {
      hd_index index = hd_index_from_name(p->tok.start, p->tok.length);
      unsigned slot = index < HD_NUM_INDICES ? info->slots[index] : 0;
      if (!slot)
         return hd_parse_error(p, p->tok.start, p->tok.length, "%.*s has no index '%.*s'",
                               (int)t->mnemonic.length, t->mnemonic.start,
                               p->tok.length < 40 ? (int)p->tok.length : 40, p->tok.start);
      if (seen >> slot & 1)
         return hd_parse_error(p, p->tok.start, p->tok.length, "this index is given twice");
      seen |= UINT32_C(1) << slot;
      hd_parse_next(p);
      if (!hd_parse_expect(p, '=', "'=' and a value for the index", true) ||
          !parse_index_value(p, hd_index_get_info(index), &values[slot - 1]))
         return false;
   }
   return true;
}

static bool
parse_intrinsic(struct parser *p, const struct instr_text *t, hd_intrinsic_id id, hd_instr **instr)
{
   const hd_intrinsic_info *info = hd_shader_intrinsic_info(p->shader, id);
   uint32_t records[HD_MAX_INTRINSIC_SRCS], values[HD_MAX_INDICES];
   unsigned num;

   if (!check_result(p, t, (info->flags & HD_HAS_RESULT) != 0) ||
       !parse_operands(p, records, HD_MAX_INTRINSIC_SRCS, &num))
      return false;
   if (num != info->num_srcs)
      return wrong_count(p, t, info->num_srcs, num);
   if (!parse_indices(p, t, info, values))
      return false;
   hd_intrinsic *i =
       hd_intrinsic_create(p->shader, id, num, info->num_indices, t->num_components, t->bit_size);
   for (unsigned n = 0; n < num; n++)
      hd_parse_use(p, &i->src[n], records[n]);
   memcpy(hd_intrinsic_indices(i), values, info->num_indices * sizeof(*values));
   *instr = &i->instr;
   return true;
}

/* Calls and variables */

/* Into p->list, up to and with the closing parenthesis. */
static bool
parse_args(struct parser *p)
{
   p->list.num = 0;
   while (p->tok.kind != ')' || p->list.num) {
      uint32_t record;
      if (!hd_parse_operand(p, &record))
         return false;
      *PUSH(&p->scratch, p->list) = record;
      if (p->tok.kind != ',')
         break;
      hd_parse_next(p);
   }
   return hd_parse_expect(p, ')', "',' or ')' after the argument", false);
}

static bool
parse_call(struct parser *p, const struct instr_text *t, hd_instr **instr)
{
   const struct token name = p->tok;
   const char *string;
   size_t length;

   if ((name.kind != TOKEN_FUNCTION && name.kind != TOKEN_AT_STRING) || name.first)
      return hd_parse_expected(p, "a function such as @f");
   if (!hd_parse_string(p, &string, &length))
      return false;
   const char *key = hd_shader_intern(p->shader, string, length);
   uint32_t function = hd_parse_name(&p->functions, key, length);
   struct record *r = &p->functions.records[function];
   if (!r->place) {
      r->place = name.start;
      r->length = name.length;
   }
   if (!hd_parse_expect(p, '(', "'(' and the arguments", true))
      return false;
   p->in_parentheses = true;
   bool good = parse_args(p);
   p->in_parentheses = false;
   if (!good)
      return false;
   hd_heap_step(p->heap, p->list.num);
   /* Any function serves until the right one is known. */
   hd_call *call = hd_call_create(p->shader, p->f, (unsigned)p->list.num);
   call->callee = NULL;
   call->instr.def.num_components = (uint8_t)t->num_components;
   call->instr.def.bit_size = (uint8_t)t->bit_size;
   for (size_t n = 0; n < p->list.num; n++)
      hd_parse_use(p, &call->args[n].src, p->list.at[n]);
   *PUSH(p->stack, p->calls) = (struct pending_call){ call, function };
   *instr = &call->instr;
   return true;
}

static bool
parse_var_access(struct parser *p, const struct instr_text *t, bool store, hd_instr **instr)
{
   const struct token name = p->tok;
   const char *string;
   size_t length;
   uint32_t records[2];
   unsigned num = 0;

   if (!check_result(p, t, !store))
      return false;
   if (name.kind != TOKEN_VAR || name.first)
      return hd_parse_expected(p, "a variable such as $x");
   if (!hd_parse_string(p, &string, &length))
      return false;
   const char *key = hd_shader_intern(p->shader, string, length);
   uint32_t record = hd_parse_name(&p->vars, key, length);
   hd_var *var = p->vars.records[record].object;
   if (!var)
      return hd_parse_error(p, name.start, name.length,
                            "unknown variable, expected one that is declared at the beginning of "
                            "the function");
   if (p->tok.kind == ',') {
      hd_parse_next(p);
      if (p->tok.kind != TOKEN_VALUE || p->tok.first)
         return hd_parse_expected(p, "a value such as %1");
      if (!parse_operands(p, records, 2, &num))
         return false;
   }
   unsigned expected = (unsigned)store + (var->array_length != 0);
   if (num != expected)
      return hd_parse_error(p, t->mnemonic.start, t->mnemonic.length,
                            "%.*s of %s takes %u operand%s after it, found %u",
                            (int)t->mnemonic.length, t->mnemonic.start,
                            var->array_length ? "an array" : "a variable that is not an array",
                            expected, expected == 1 ? "" : "s", num);
   hd_var_access *a =
       store ? hd_store_var_create(p->shader, var) : hd_load_var_create(p->shader, var);
   if (!store) {
      a->instr.def.num_components = (uint8_t)t->num_components;
      a->instr.def.bit_size = (uint8_t)t->bit_size;
   }
   for (unsigned n = 0; n < num; n++)
      hd_parse_use(p, &a->src[n], records[n]);
   *instr = &a->instr;
   return true;
}

/* Whole instructions */

static bool
parse_flags(struct parser *p, unsigned *flags)
{
   static const struct {
      const char *name;
      unsigned flag;
   } names[] = {
      { "exact", HD_FP_EXACT },        { "nnan", HD_FP_NO_NAN },         { "ninf", HD_FP_NO_INF },
      { "nsz", HD_FP_NO_SIGNED_ZERO }, { "uniform", HD_ASSUME_UNIFORM },
   };

   *flags = 0;
   while (p->tok.kind == '.' && !p->tok.first) {
      unsigned flag = 0;
      hd_parse_next(p);
      for (unsigned n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
         if (!p->tok.first && hd_parse_is_word(&p->tok, names[n].name))
            flag = names[n].flag;
      }
      if (!flag)
         return hd_parse_expected(p, "one of the flags exact, nnan, ninf, nsz, uniform");
      *flags |= flag;
      hd_parse_next(p);
   }
   return true;
}

/* What starts with a mnemonic, except ifs and loops. */
static bool
parse_operation(struct parser *p, struct instr_text *t, hd_instr **instr)
{
   static const char jumps[HD_NUM_JUMP_KINDS][9] = {
      "break", "continue", "return", "halt", "goto", "goto_if", "switch",
   };
   const struct token *m = &t->mnemonic;

   *instr = NULL;
   t->mnemonic = p->tok;
   if (m->kind != TOKEN_WORD || (m->first && t->has_result))
      return hd_parse_expected(p, "an instruction");
   hd_parse_next(p);
   if (!parse_flags(p, &t->flags))
      return false;

   hd_op op = hd_op_from_name(m->start, m->length);
   if (op != HD_OP_NONE)
      return parse_alu(p, t, op, instr);
   if (hd_parse_is_word(m, "const"))
      return parse_const(p, t, instr);
   if (hd_parse_is_word(m, "phi"))
      return check_result(p, t, true) && hd_parse_phi(p, t->num_components, t->bit_size, m, instr);
   hd_intrinsic_id id = hd_intrinsic_from_name(m->start, m->length);
   if (id != HD_INTRINSIC_NONE)
      return parse_intrinsic(p, t, id, instr);
   if (hd_parse_is_word(m, "undef")) {
      if (!check_result(p, t, true))
         return false;
      *instr = hd_undef_create(p->shader, t->num_components, t->bit_size);
      return true;
   }
   if (hd_parse_is_word(m, "call"))
      return parse_call(p, t, instr);
   if (hd_parse_is_word(m, "load_var"))
      return parse_var_access(p, t, false, instr);
   if (hd_parse_is_word(m, "store_var"))
      return parse_var_access(p, t, true, instr);
   for (unsigned n = 0; n < HD_NUM_JUMP_KINDS; n++) {
      if (!hd_parse_is_word(m, jumps[n]))
         continue;
      p->ended = true;
      return check_result(p, t, false) && hd_parse_jump(p, (hd_jump_kind)n, m, instr);
   }
   id = hd_shader_find_intrinsic(p->shader, m->start, m->length);
   if (id != HD_INTRINSIC_NONE)
      return parse_intrinsic(p, t, id, instr);
   return hd_parse_error(p, m->start, m->length, "unknown instruction '%.*s'",
                         m->length < 40 ? (int)m->length : 40, m->start);
}

/* The location, and nothing more on the line; then into the block. */
static bool
finish_instr(struct parser *p, const struct instr_text *t, hd_instr *instr)
{
   uint32_t loc;

   if (!hd_parse_location(p, &loc))
      return false;
   if (!p->tok.first && p->tok.kind != '}' && p->tok.kind != TOKEN_END)
      return hd_parse_expected(p, "the end of the line");
   instr->loc = loc;
   instr->flags = t->flags;
   hd_parse_append(p, instr);
   return true;
}

bool
hd_parse_definition(struct parser *p)
{
   struct instr_text t = { .has_result = true };
   const struct token result = p->tok;
   uint32_t record = hd_parse_value_record(p, &result);
   hd_instr *instr = NULL;
   const char *name = NULL, *string;
   size_t length;

   hd_parse_next(p);
   bool good = hd_parse_expect(p, ':', "':' and the size of the value", true) &&
               hd_parse_type(p, &t.num_components, &t.bit_size);
   if (good && p->tok.kind == TOKEN_STRING && !p->tok.first) {
      good = hd_parse_string(p, &string, &length);
      if (good)
         name = hd_shader_intern(p->shader, string, length);
   } else if (!result.numeric) {
      name = hd_shader_intern(p->shader, result.start + 1, result.length - 1);
   }
   good = good && hd_parse_expect(p, '=', "'=' and an instruction", true) &&
          parse_operation(p, &t, &instr) && finish_instr(p, &t, instr);
   /* A value whose definition failed is there for those that read it: one fault, one message. */
   hd_def *def = good ? &instr->def : p->dummy;
   good &= hd_parse_define(p, &p->values, record, def, result.start, result.length, "value");
   if (good && name)
      hd_def_set_name(p->f, def, name);
   return good;
}

bool
hd_parse_statement(struct parser *p)
{
   struct instr_text t = { .has_result = false };
   hd_instr *instr;

   return parse_operation(p, &t, &instr) && finish_instr(p, &t, instr);
}
