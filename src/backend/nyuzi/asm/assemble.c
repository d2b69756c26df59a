/* SPDX-License-Identifier: MIT */
/* assemble.c - text as words. */
#include <string.h>

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_asm.h"
#include "machine/text/assembly.h"

#define MAX_OPERANDS 4u

typedef enum operand_kind { NOTHING, SCALAR, VECTOR, NUMBER, PLACE, HERE, NAME } operand_kind;

typedef struct operand {
   operand_kind kind;
   unsigned reg;      /* of PLACE, the pointer */
   bool lanes;        /* of PLACE: it is a vector */
   int64_t number;    /* of PLACE the offset; of HERE the distance in bytes */
   hd_mach_word name; /* of NAME */
} operand;

typedef hd_mach_assembler assembler;

/* With a sign or without one; nothing of a name follows. */
static bool
read_number(assembler *a, int64_t *number)
{
   const bool minus = hd_mach_line_accept(a, "-");
   uint64_t value;

   if (!minus)
      hd_mach_line_accept(a, "+");
   if (!hd_mach_line_number(a, UINT32_MAX, &value))
      return false;
   *number = minus ? -(int64_t)value : (int64_t)value;
   const char *end = a->at;
   const hd_mach_word behind = hd_mach_line_name(a);
   a->at = end;
   return !behind.length || behind.start > end;
}

static operand_kind
register_of(hd_mach_word word, unsigned *reg)
{
   const char *name = word.start;
   const size_t length = word.length;

   *reg = 0;
   if (length < 2 || length > 3 || (name[0] != 's' && name[0] != 'v'))
      return NOTHING;
   for (size_t n = 1; n < length; n++) {
      if (name[n] < '0' || name[n] > '9')
         return NOTHING;
      *reg = *reg * 10 + (unsigned)(name[n] - '0');
   }
   if (*reg >= 32 || (length == 3 && name[1] == '0'))
      return NOTHING;
   return name[0] == 's' ? SCALAR : VECTOR;
}

/* (s1), after an offset or without one. */
static bool
read_place(assembler *a, operand *o)
{
   const operand_kind kind = register_of(hd_mach_line_name(a), &o->reg);

   o->kind = PLACE;
   o->lanes = kind == VECTOR;
   return kind != NOTHING && hd_mach_line_accept(a, ")");
}

static bool
read_operand(assembler *a, operand *o)
{
   *o = (operand){ .kind = NOTHING };
   if (hd_mach_line_accept(a, "("))
      return read_place(a, o);
   hd_mach_line_skip_blanks(a);
   if (a->at < a->end && (*a->at == '-' || *a->at == '+' || (*a->at >= '0' && *a->at <= '9'))) {
      o->kind = NUMBER;
      return read_number(a, &o->number) && (!hd_mach_line_accept(a, "(") || read_place(a, o));
   }
   if (a->end - a->at > 1 && a->at[0] == '.' && (a->at[1] == '+' || a->at[1] == '-')) {
      a->at++;
      o->kind = HERE;
      return read_number(a, &o->number);
   }
   o->name = hd_mach_line_name(a);
   if (!o->name.length)
      return false;
   o->kind = register_of(o->name, &o->reg);
   if (o->kind == NOTHING)
      o->kind = NAME;
   return true;
}

/* Instructions */

/* A row of this name that takes what there is; ops that branch have one for registers, too. */
static unsigned
find_op(hd_mach_word name, bool to_register)
{
   for (unsigned op = HD_NYUZI_FIRST_OP; op < HD_NYUZI_NUM_OPS; op++) {
      if (hd_mach_word_is(name, hd_nyuzi_op_infos[op].name) &&
          (hd_nyuzi_op_infos[op].shape == HD_NYUZI_SHAPE_REGISTER) == to_register)
         return op;
   }
   return HD_MACH_OP_NONE;
}

static bool
has_kinds(const operand *o, unsigned num, const char *kinds)
{
   static const char letters[] = { [NOTHING] = '-', [SCALAR] = 's', [VECTOR] = 'v', [NUMBER] = 'n',
                                   [PLACE] = 'p',   [HERE] = 't',   [NAME] = 't' };

   if (strlen(kinds) != num)
      return false;
   for (unsigned n = 0; n < num; n++) {
      if (letters[o[n].kind] != kinds[n])
         return false;
   }
   return true;
}

/* The form of arithmetic that has these operands, the mask taken out. */
static unsigned
form_of(const hd_nyuzi_op_info *info, const operand *o, unsigned num, bool masked)
{
   const bool lanes_to_scalar =
       info->shape == HD_NYUZI_SHAPE_COMPARE || info->shape == HD_NYUZI_SHAPE_GETLANE;
   static const struct {
      const char *unary, *binary, *to_scalar;
      uint8_t form, with_mask;
   } rows[] = {
      { "ss", "sss", "sss", HD_NYUZI_FORM_SS, HD_NYUZI_FORM_SS },
      { "vs", "vvs", "svs", HD_NYUZI_FORM_VS, HD_NYUZI_FORM_VS_MASK },
      { "vv", "vvv", "svv", HD_NYUZI_FORM_VV, HD_NYUZI_FORM_VV_MASK },
      { "sn", "ssn", "ssn", HD_NYUZI_FORM_SI, HD_NYUZI_FORM_SI },
      { "vn", "vvn", "svn", HD_NYUZI_FORM_VI, HD_NYUZI_FORM_VI_MASK },
   };

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      const char *kinds = info->shape == HD_NYUZI_SHAPE_UNARY ? rows[n].unary
                          : lanes_to_scalar                   ? rows[n].to_scalar
                                                              : rows[n].binary;
      const unsigned form = masked ? rows[n].with_mask : rows[n].form;
      if (has_kinds(o, num, kinds) && info->forms & 1u << form &&
          masked == hd_nyuzi_form_has_mask(form))
         return form;
   }
   return HD_NYUZI_FORM_BRANCH;
}

static bool
read_arithmetic(const hd_nyuzi_op_info *info, operand *o, unsigned num, bool masked,
                hd_nyuzi_word *i)
{
   if (masked) {
      if (num < 2 || o[1].kind != SCALAR)
         return false;
      i->mask = (uint8_t)o[1].reg;
      num--;
      for (unsigned n = 1; n < num; n++)
         o[n] = o[n + 1];
   }
   i->form = (uint8_t)form_of(info, o, num, masked);
   if (i->form == HD_NYUZI_FORM_BRANCH)
      return false;
   const operand *last = &o[num - 1];
   i->dest = (uint8_t)o[0].reg;
   if (info->shape != HD_NYUZI_SHAPE_UNARY)
      i->src1 = (uint8_t)o[1].reg;
   if (last->kind == NUMBER) {
      /* Numbers of 32 bits that are negative may be written without a sign. */
      i->imm = (int32_t)(uint32_t)last->number;
      return last->number >= INT32_MIN;
   }
   i->src2 = (uint8_t)last->reg;
   return true;
}

static bool
read_memory(const hd_nyuzi_op_info *info, const operand *o, unsigned num, hd_nyuzi_word *i)
{
   const bool masked = info->forms & 1u << HD_NYUZI_FORM_MEMORY_MASK;
   const operand_kind value = info->mach.flags & HD_NYUZI_WIDE ? VECTOR : SCALAR;

   if (num != (masked ? 3u : 2u) || o[0].kind != value || o[num - 1].kind != PLACE ||
       (masked && o[1].kind != SCALAR) ||
       o[num - 1].lanes != ((info->mach.flags & HD_NYUZI_BY_LANES) != 0))
      return false;
   i->form = masked ? HD_NYUZI_FORM_MEMORY_MASK : HD_NYUZI_FORM_MEMORY;
   i->dest = (uint8_t)o[0].reg;
   i->mask = masked ? (uint8_t)o[1].reg : 0;
   i->src1 = (uint8_t)o[num - 1].reg;
   i->imm = (int32_t)(uint32_t)o[num - 1].number;
   return o[num - 1].number >= INT32_MIN;
}

static bool
read_target(assembler *a, const operand *o, hd_nyuzi_word *i)
{
   if (o->kind == HERE) {
      i->imm = (int32_t)(o->number / 4);
      return o->number % 4 == 0;
   }
   uint64_t address;
   if (hd_mach_assembler_find(a, o->name, &address)) {
      i->imm = (int32_t)((int64_t)(address - a->address) / 4);
      return true;
   }
   return hd_mach_line_fail(a, "there is no label '%.*s'",
                            o->name.length < 40 ? (int)o->name.length : 40, o->name.start);
}

static bool
read_fields(assembler *a, const hd_nyuzi_op_info *info, operand *o, unsigned num, bool masked,
            hd_nyuzi_word *i)
{
   switch ((hd_nyuzi_shape)info->shape) {
   case HD_NYUZI_SHAPE_PLAIN:
      i->form = HD_NYUZI_FORM_SS;
      return num == 0;
   case HD_NYUZI_SHAPE_LOAD:
   case HD_NYUZI_SHAPE_STORE:
      return read_memory(info, o, num, i);
   case HD_NYUZI_SHAPE_HIGH:
   case HD_NYUZI_SHAPE_CONTROL:
      i->form = info->shape == HD_NYUZI_SHAPE_HIGH ? HD_NYUZI_FORM_HIGH : HD_NYUZI_FORM_CONTROL;
      i->dest = (uint8_t)o[0].reg;
      i->imm = (int32_t)o[1].number;
      return has_kinds(o, num, "sn") && o[1].number >= 0 && o[1].number <= INT32_MAX;
   case HD_NYUZI_SHAPE_TEST:
      i->form = HD_NYUZI_FORM_TEST;
      i->dest = (uint8_t)o[0].reg;
      return has_kinds(o, num, "st") && read_target(a, &o[1], i);
   case HD_NYUZI_SHAPE_REGISTER:
      i->form = HD_NYUZI_FORM_TEST;
      i->dest = (uint8_t)o[0].reg;
      return true;
   case HD_NYUZI_SHAPE_BRANCH:
      i->form = HD_NYUZI_FORM_BRANCH;
      return has_kinds(o, num, "t") && read_target(a, &o[0], i);
   default:
      return read_arithmetic(info, o, num, masked, i);
   }
}

static uint32_t
read_inst(assembler *a, hd_mach_word name)
{
   operand o[MAX_OPERANDS] = { { .kind = NOTHING } };
   hd_nyuzi_word inst = { 0 };
   uint32_t word = 0;
   unsigned num = 0;

   hd_mach_line_skip_blanks(a);
   while (a->at < a->end) {
      if (num == MAX_OPERANDS || !read_operand(a, &o[num++])) {
         hd_mach_line_fail(
             a, "operand %u: expected a register, an immediate, a label or an address", num);
         return 0;
      }
      hd_mach_line_skip_blanks(a);
      if (a->at < a->end && !hd_mach_line_accept(a, ",")) {
         hd_mach_line_fail(a, "expected a comma behind operand %u", num);
         return 0;
      }
   }
   if (hd_mach_word_is(name, "nop") && !num)
      return 0;
   /* What is wrong from here on is said of the instruction. */
   a->at = name.start;
   inst.op = (uint16_t)find_op(name, num == 1 && o[0].kind == SCALAR);
   const bool masked = inst.op == HD_MACH_OP_NONE && name.length > 5 &&
                       !memcmp(name.start + name.length - 5, "_mask", 5);
   if (masked)
      inst.op = (uint16_t)find_op((hd_mach_word){ name.start, name.length - 5 }, false);
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[inst.op];
   if (inst.op == HD_MACH_OP_NONE)
      hd_mach_line_fail(a, "there is no instruction '%.*s'",
                        name.length < 40 ? (int)name.length : 40, name.start);
   else if (!read_fields(a, info, o, num, masked, &inst))
      hd_mach_line_fail(a, "%s does not take such operands", info->name);
   else if (!hd_nyuzi_encode(&inst, &word))
      hd_mach_line_fail(a, "the immediate does not fit into its field");
   else
      a->at = a->end;
   return word;
}

static void
read_rest(assembler *a)
{
   const hd_mach_word name = hd_mach_line_name(a);
   int64_t number;
   uint32_t word = 0;

   if (!name.length) {
      hd_mach_line_fail(a, "expected an instruction");
      return;
   }
   if (hd_mach_word_is(name, ".long")) {
      if (!read_number(a, &number))
         hd_mach_line_fail(a, ".long takes a number of 32 bits");
      else
         word = (uint32_t)number;
      hd_mach_line_finish(a);
   } else if (!a->labels_only) {
      word = read_inst(a, name);
   }
   const unsigned char bytes[4] = { (unsigned char)word, (unsigned char)(word >> 8),
                                    (unsigned char)(word >> 16), (unsigned char)(word >> 24) };
   hd_mach_assembler_put(a, bytes, sizeof(bytes));
}

hd_result
hd_nyuzi_assemble(const hd_config *config, const char *file, const char *text, size_t length,
                  hd_blob *code)
{
   static const hd_mach_assembly rows = { .comments = ";#",
                                          .name_chars = "_.$",
                                          .read = read_rest };

   return hd_mach_assemble(&rows, config, file, text, length, code);
}
