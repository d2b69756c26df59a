/* SPDX-License-Identifier: MIT */
/* reader.c - parser of a line: an instruction with its operands and fields. */
#include "backend/r700/asm/reader.h"

#include <string.h>

typedef hd_r700_reader reader;

/* The first error of the line: what was expected at `at`. */
static bool
fail_at(reader *r, const char *at, const char *expected)
{
   if (!r->error) {
      r->error = expected;
      r->error_at = at;
   }
   return false;
}

static void
skip_blanks(reader *r)
{
   while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
      r->at++;
}

static bool
fail(reader *r, const char *expected)
{
   skip_blanks(r);
   return fail_at(r, r->at, expected);
}

bool
hd_r700_at_end(reader *r)
{
   skip_blanks(r);
   return r->at == r->end;
}

/* Skip this text, and blanks before it. False: something else is here. */
static bool
accept(reader *r, const char *text)
{
   const size_t length = strlen(text);

   skip_blanks(r);
   if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length))
      return false;
   r->at += length;
   return true;
}

static bool
expect(reader *r, const char *text)
{
   if (accept(r, text))
      return true;
   r->error_is_text = !r->error || r->error_is_text;
   return fail(r, text);
}

static bool
is_word_char(char c)
{
   return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t
word(reader *r, const char **start)
{
   skip_blanks(r);
   *start = r->at;
   while (r->at < r->end && is_word_char(*r->at))
      r->at++;
   return (size_t)(r->at - *start);
}

static bool
is_called(const char *start, size_t length, const char *name)
{
   return strlen(name) == length && !memcmp(start, name, length);
}

static int
digit_of(char c)
{
   if (c >= '0' && c <= '9')
      return c - '0';
   c |= 32;
   return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

static bool
number(reader *r, uint32_t *value)
{
   skip_blanks(r);
   const int base = r->end - r->at > 2 && r->at[0] == '0' && r->at[1] == 'x' ? 16 : 10;
   uint64_t sum = 0;

   r->at += base == 16 ? 2 : 0;
   const char *first = r->at;
   for (; r->at < r->end && digit_of(*r->at) < base; r->at++) {
      sum = sum * (unsigned)base + (unsigned)digit_of(*r->at);
      if (sum > UINT32_MAX)
         return fail_at(r, first, "a number of 32 bits");
   }
   *value = (uint32_t)sum;
   return r->at > first || fail_at(r, first, "a number");
}

/* One of XYZW, in either case, or -1. */
static int
letter(reader *r)
{
   static const char letters[] = "XYZWxyzw";
   const char *found = r->at < r->end ? memchr(letters, *r->at, 8) : NULL;

   if (!found)
      return -1;
   r->at++;
   return (int)((found - letters) % 4);
}

static bool
channel(reader *r, uint32_t *value)
{
   const int n = expect(r, ".") ? letter(r) : -1;

   *value = (uint32_t)n;
   return n >= 0 || fail(r, "a channel: X, Y, Z or W");
}

/* The number of a register, after its letter; in brackets with `+AR` the address register is added. */
static bool
index_of(reader *r, bool bracket, uint32_t *value, uint32_t *relative)
{
   *relative = 0;
   if (!bracket)
      return number(r, value);
   if (!number(r, value))
      return false;
   *relative = accept(r, "+AR");
   return expect(r, "]");
}

static bool
gpr(reader *r, hd_r700_inst *inst, unsigned field, unsigned relative)
{
   return expect(r, "T") && index_of(r, accept(r, "["), &inst->f[field], &inst->f[relative]);
}

static bool
named_source(reader *r, uint32_t *sel)
{
   for (unsigned n = HD_R700_SRC_KC0 + 64; n < 256; n++) {
      const char *name = hd_r700_source_names[n];
      /* 1.0 before 1 */
      if (name && accept(r, name)) {
         *sel = n;
         return true;
      }
   }
   return fail(r, "a source: a register, a constant, literal, PV or PS");
}

static bool
source(reader *r, hd_r700_inst *inst, unsigned n)
{
   static const uint8_t fields[3][4] = {
      { HD_R700_F_SRC0_SEL, HD_R700_F_SRC0_REL, HD_R700_F_SRC0_CHAN, HD_R700_F_SRC0_NEG },
      { HD_R700_F_SRC1_SEL, HD_R700_F_SRC1_REL, HD_R700_F_SRC1_CHAN, HD_R700_F_SRC1_NEG },
      { HD_R700_F_SRC2_SEL, HD_R700_F_SRC2_REL, HD_R700_F_SRC2_CHAN, HD_R700_F_SRC2_NEG },
   };
   uint32_t *sel = &inst->f[fields[n][0]], *relative = &inst->f[fields[n][1]];
   uint32_t *chan = &inst->f[fields[n][2]], *negated = &inst->f[fields[n][3]], bank;

   skip_blanks(r);
   /* -1 is a source, -1.0 is one that is negated. */
   const size_t rest = (size_t)(r->end - r->at);
   const bool minus_one = rest >= 2 && !memcmp(r->at, "-1", 2) &&
                          !(rest > 3 && r->at[2] == '.' && digit_of(r->at[3]) < 10);

   *negated = !minus_one && accept(r, "-");
   skip_blanks(r);
   const char *start = r->at;
   const bool magnitude = accept(r, "|");
   if (magnitude && (n == 2 || hd_r700_op_infos[inst->op].layout == HD_R700_LAYOUT_OP3))
      return fail_at(r, start, "a source without |...|: instructions of three sources have none");
   accept(r, "+");
   skip_blanks(r);
   start = r->at;
   if (accept(r, "KC")) {
      if (!number(r, &bank) || bank > 1 || !expect(r, "[") || !index_of(r, true, sel, relative) ||
          *sel >= 32)
         return fail_at(r, start, "KC0[0] to KC1[31]");
      *sel += HD_R700_SRC_KC0 + 32 * bank;
   } else if (accept(r, "C")) {
      if (!index_of(r, accept(r, "["), sel, relative) || *sel >= 256)
         return fail_at(r, start, "C0 to C255");
      *sel += HD_R700_SRC_C0;
   } else if (accept(r, "T")) {
      if (!index_of(r, accept(r, "["), sel, relative) || *sel >= HD_R700_SRC_KC0)
         return fail_at(r, start, "T0 to T127");
   } else {
      if (!named_source(r, sel))
         return false;
      *relative = accept(r, "[AR]");
   }
   *chan = 0;
   if (r->at < r->end && *r->at == '.' && !channel(r, chan))
      return false;
   if (magnitude)
      inst->f[n ? HD_R700_F_SRC1_ABS : HD_R700_F_SRC0_ABS] = 1;
   return !magnitude || expect(r, "|");
}

static bool
alu(reader *r, hd_r700_inst *inst)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[inst->op];

   inst->f[HD_R700_F_LAST] = accept(r, "*");
   if (!gpr(r, inst, HD_R700_F_DST_GPR, HD_R700_F_DST_REL) ||
       !channel(r, &inst->f[HD_R700_F_DST_CHAN]))
      return false;
   if (info->layout == HD_R700_LAYOUT_OP2)
      inst->f[HD_R700_F_WRITE_MASK] = !accept(r, "(MASKED)");
   for (unsigned n = 0; n < info->srcs; n++) {
      if (!expect(r, ",") || !source(r, inst, n))
         return false;
   }
   if (accept(r, "Pred_sel_one"))
      inst->f[HD_R700_F_PRED_SEL] = HD_R700_PRED_ONE;
   else if (accept(r, "Pred_sel_zero"))
      inst->f[HD_R700_F_PRED_SEL] = HD_R700_PRED_ZERO;
   if (!accept(r, "BS:"))
      return true;
   for (unsigned n = 0; n < HD_R700_NUM_SWIZZLES; n++) {
      if (accept(r, hd_r700_swizzles[n])) {
         inst->f[HD_R700_F_BANK_SWIZZLE] = n;
         return true;
      }
   }
   return fail(r, "a bank swizzle, as VEC_012/SCL_210");
}

static bool
channels(reader *r, hd_r700_inst *inst, unsigned first)
{
   static const char letters[] = "XYZW01?_";

   if (!expect(r, "."))
      return false;
   const char *start = r->at;
   for (unsigned n = 0; n < 4; n++, r->at++) {
      const char *found = r->at < r->end ? memchr(letters, *r->at, 8) : NULL;
      if (!found)
         return fail_at(r, start, "four channels, each X, Y, Z, W, 0, 1, ? or _");
      inst->f[first + n] = (uint32_t)(found - letters);
   }
   return true;
}

static bool
fetch(reader *r, hd_r700_inst *inst)
{
   const unsigned layout = hd_r700_op_infos[inst->op].layout;

   if (layout == HD_R700_LAYOUT_VTX_SEM) {
      if (!expect(r, "S") || !number(r, &inst->f[HD_R700_F_SEMANTIC_ID]))
         return false;
   } else if (!gpr(r, inst, HD_R700_F_DST_GPR, HD_R700_F_DST_REL)) {
      return false;
   }
   return channels(r, inst, HD_R700_F_DST_SEL_X) && expect(r, ",") &&
          gpr(r, inst, HD_R700_F_SRC_GPR, HD_R700_F_SRC_REL) &&
          (layout == HD_R700_LAYOUT_TEX || channel(r, &inst->f[HD_R700_F_SRC_SEL_X]));
}

static bool export(reader *r, hd_r700_inst *inst)
{
   static const char letters[] = "XYZW";
   uint32_t mask = 0;

   if (!gpr(r, inst, HD_R700_F_RW_GPR, HD_R700_F_RW_REL))
      return false;
   if (hd_r700_op_infos[inst->op].layout == HD_R700_LAYOUT_EXPORT)
      return channels(r, inst, HD_R700_F_SEL_X);
   if (!expect(r, "."))
      return false;
   const char *start = r->at;
   for (unsigned n = 0; n < 4; n++, r->at++) {
      if (r->at == r->end || (*r->at != letters[n] && *r->at != '_'))
         return fail_at(r, start, "XYZW, with _ for a channel that is not written");
      mask |= (uint32_t)(*r->at != '_') << n;
   }
   inst->f[HD_R700_F_COMP_MASK] = mask;
   return true;
}

static bool
kcache(reader *r, hd_r700_inst *inst)
{
   uint32_t n;

   while (accept(r, ", KC")) {
      const char *start = r->at;
      if (!number(r, &n) || n > 1 || !expect(r, "[CB") ||
          !number(r, &inst->f[n ? HD_R700_F_KCACHE_BANK1 : HD_R700_F_KCACHE_BANK0]) ||
          !expect(r, ":") ||
          !number(r, &inst->f[n ? HD_R700_F_KCACHE_ADDR1 : HD_R700_F_KCACHE_ADDR0]) ||
          !expect(r, ":") ||
          !number(r, &inst->f[n ? HD_R700_F_KCACHE_MODE1 : HD_R700_F_KCACHE_MODE0]) ||
          !expect(r, "]"))
         return fail_at(r, start, "0 or 1, then [CB<bank>:<address>:<mode>]");
   }
   return true;
}

static bool
cf(reader *r, hd_r700_inst *inst)
{
   const hd_r700_op_info *info = &hd_r700_op_infos[inst->op];
   uint32_t count;

   skip_blanks(r);
   const char *start = r->at;
   if (info->mach.flags & HD_R700_CLAUSE) {
      if (!number(r, &count) || !expect(r, ",") || !expect(r, "@") ||
          !number(r, &inst->f[HD_R700_F_ADDR]))
         return false;
      if (info->layout == HD_R700_LAYOUT_CF_ALU) {
         inst->f[HD_R700_F_COUNT] = count;
         return kcache(r, inst);
      }
      if (count > 15)
         return fail_at(r, start, "at most 15: one less than the fetches of the clause");
      inst->f[HD_R700_F_COUNT] = count & 7;
      inst->f[HD_R700_F_COUNT_3] = count >> 3;
      return true;
   }
   return !(info->mach.flags & HD_R700_JUMPS) ||
          (expect(r, "@") && number(r, &inst->f[HD_R700_F_ADDR]));
}

/* The other fields, by name: of one bit, or `NAME:number`. */
static bool
fields(reader *r, hd_r700_inst *inst)
{
   const hd_r700_layout_info *layout = hd_r700_layout_of(inst);
   const char *start;

   while (!hd_r700_at_end(r)) {
      const size_t length = word(r, &start);
      const hd_r700_field_info *f = NULL;
      if (is_called(start, length, "NO_BARRIER")) {
         inst->f[HD_R700_F_BARRIER] = 0;
         continue;
      }
      for (unsigned n = 0; n < layout->num_fields && !f; n++) {
         if (is_called(start, length, hd_r700_field_names[layout->fields[n].field]))
            f = &layout->fields[n];
      }
      if (!f || f->field == HD_R700_F_INST)
         return fail_at(r, start, "a field of the instruction");
      inst->f[f->field] = 1;
      if (accept(r, ":") && !number(r, &inst->f[f->field]))
         return false;
   }
   return true;
}

static unsigned
find_op(const char *start, size_t length)
{
   for (unsigned op = HD_R700_FIRST_OP; op < HD_R700_NUM_OPS; op++) {
      if (op != HD_R700_LITERAL && is_called(start, length, hd_r700_op_infos[op].name))
         return op;
   }
   return HD_MACH_OP_NONE;
}

static bool
operands(reader *r, hd_r700_inst *inst)
{
   switch (hd_r700_op_infos[inst->op].layout) {
   case HD_R700_LAYOUT_OP2:
   case HD_R700_LAYOUT_OP3:
      return alu(r, inst);
   case HD_R700_LAYOUT_CF:
   case HD_R700_LAYOUT_CF_ALU:
      inst->f[HD_R700_F_BARRIER] = 1;
      return cf(r, inst);
   case HD_R700_LAYOUT_EXPORT:
   case HD_R700_LAYOUT_MEM:
      inst->f[HD_R700_F_BARRIER] = 1;
      return export(r, inst);
   default:
      return fetch(r, inst);
   }
}

bool
hd_r700_read_inst(reader *r, hd_r700_inst *inst)
{
   const char *start;
   const size_t length = word(r, &start);
   const unsigned op = find_op(start, length);

   if (!op)
      return fail_at(r, start, "an instruction");
   *inst = hd_r700_begin(op);
   return operands(r, inst) && fields(r, inst);
}

bool
hd_r700_read_pair(reader *r, const char *directive, uint32_t pair[2])
{
   return accept(r, directive) && number(r, &pair[0]) && expect(r, ",") && number(r, &pair[1]) &&
          (hd_r700_at_end(r) || fail(r, "the end of the line"));
}
