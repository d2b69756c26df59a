/* SPDX-License-Identifier: MIT */
/* assemble.c - the assembler: two passes over the lines, the first for labels. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_asm.h"
#include "util/memory.h"
#include "util/quote.h"

#define MAX_ERRORS   20u
#define MAX_OPERANDS 4u

typedef enum operand_kind { NOTHING, SCALAR, VECTOR, NUMBER, PLACE, HERE, NAME } operand_kind;

typedef struct operand {
   operand_kind kind;
   unsigned reg;     /* of PLACE, the pointer */
   bool lanes;       /* of PLACE: it is a vector */
   int64_t number;   /* of PLACE the offset; of HERE the distance in bytes */
   const char *name; /* of NAME, and */
   size_t length;
} operand;

typedef struct label {
   const char *name;
   size_t length;
   uint32_t at; /* word */
} label;

typedef struct assembler {
   const hd_diag_sink *sink;
   const char *file;
   hd_stack *stack;
   const char *at, *end; /* of the rest of the line */
   unsigned line, errors;
   bool failed; /* this line */
   label *labels;
   size_t num_labels, capacity;
   bool labels_only;
   uint32_t num_words;
   hd_blob *code;
} assembler;

static void HD_PRINTF(2, 3) complain(assembler *a, const char *format, ...)
{
   char text[160];
   va_list args;

   if (a->failed || a->labels_only)
      return;
   a->failed = true;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   if (a->errors++ < MAX_ERRORS) {
      const hd_diag diag = {
         .severity = HD_ERROR, .message = text, .file = a->file, .line = a->line
      };
      hd_diag_send(a->sink, &diag);
   }
}

/* Words of a line */

static bool
is_name_char(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '.' || c == '$';
}

static void
skip_blanks(assembler *a)
{
   while (a->at < a->end && (*a->at == ' ' || *a->at == '\t' || *a->at == '\r'))
      a->at++;
}

static bool
accept(assembler *a, char c)
{
   skip_blanks(a);
   if (a->at == a->end || *a->at != c)
      return false;
   a->at++;
   return true;
}

static size_t
read_name(assembler *a, const char **name)
{
   skip_blanks(a);
   *name = a->at;
   while (a->at < a->end && is_name_char(*a->at))
      a->at++;
   return (size_t)(a->at - *name);
}

static int
digit_of(char c)
{
   if (c >= '0' && c <= '9')
      return c - '0';
   if (c >= 'a' && c <= 'f')
      return c - 'a' + 10;
   return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static bool
read_number(assembler *a, int64_t *number)
{
   const bool minus = accept(a, '-');
   int base = 10;
   int64_t value = 0;

   if (!minus)
      accept(a, '+');
   if (a->end - a->at > 2 && a->at[0] == '0' && (a->at[1] | 32) == 'x') {
      base = 16;
      a->at += 2;
   }
   const char *first = a->at;
   for (; a->at < a->end && digit_of(*a->at) < base; a->at++) {
      value = value * base + digit_of(*a->at);
      if (value > INT64_C(0xffffffff))
         return false;
   }
   *number = minus ? -value : value;
   return a->at > first && !(a->at < a->end && is_name_char(*a->at));
}

static operand_kind
register_of(const char *name, size_t length, unsigned *reg)
{
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

/* (s1), behind an offset or without one. */
static bool
read_place(assembler *a, operand *o)
{
   const char *name;
   const size_t length = read_name(a, &name);
   const operand_kind kind = register_of(name, length, &o->reg);

   o->kind = PLACE;
   o->lanes = kind == VECTOR;
   return kind != NOTHING && accept(a, ')');
}

static bool
read_operand(assembler *a, operand *o)
{
   *o = (operand){ .kind = NOTHING };
   if (accept(a, '('))
      return read_place(a, o);
   skip_blanks(a);
   if (a->at < a->end && (*a->at == '-' || *a->at == '+' || (*a->at >= '0' && *a->at <= '9'))) {
      o->kind = NUMBER;
      return read_number(a, &o->number) && (!accept(a, '(') || read_place(a, o));
   }
   if (a->end - a->at > 1 && a->at[0] == '.' && (a->at[1] == '+' || a->at[1] == '-')) {
      a->at++;
      o->kind = HERE;
      return read_number(a, &o->number);
   }
   o->length = read_name(a, &o->name);
   if (!o->length)
      return false;
   o->kind = register_of(o->name, o->length, &o->reg);
   if (o->kind == NOTHING)
      o->kind = NAME;
   return true;
}

/* Instructions */

static bool
is_called(const char *name, size_t length, const char *word)
{
   return strlen(word) == length && !memcmp(name, word, length);
}

/* A row of this name that takes what there is; ops that branch have one for registers, too. */
static unsigned
find_op(const char *name, size_t length, bool to_register)
{
   for (unsigned op = HD_NYUZI_FIRST_OP; op < HD_NYUZI_NUM_OPS; op++) {
      if (is_called(name, length, hd_nyuzi_op_infos[op].name) &&
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

static int
by_name(const void *a, const void *b)
{
   const label *x = a, *y = b;

   if (x->length != y->length)
      return x->length < y->length ? -1 : 1;
   return memcmp(x->name, y->name, x->length);
}

static bool
read_target(assembler *a, const operand *o, hd_nyuzi_word *i)
{
   if (o->kind == HERE) {
      i->imm = (int32_t)(o->number / 4);
      return o->number % 4 == 0;
   }
   const label wanted = { o->name, o->length, 0 };
   const label *found =
       a->num_labels ? bsearch(&wanted, a->labels, a->num_labels, sizeof(label), by_name) : NULL;
   if (found) {
      i->imm = (int32_t)(found->at - a->num_words);
      return true;
   }
   complain(a, "there is no label '%.*s'", o->length < 40 ? (int)o->length : 40, o->name);
   return false;
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
read_inst(assembler *a, const char *name, size_t length)
{
   operand o[MAX_OPERANDS] = { { .kind = NOTHING } };
   hd_nyuzi_word inst = { 0 };
   uint32_t word = 0;
   unsigned num = 0;

   skip_blanks(a);
   while (a->at < a->end) {
      if (num == MAX_OPERANDS || !read_operand(a, &o[num++])) {
         complain(a, "operand %u cannot be read", num);
         return 0;
      }
      skip_blanks(a);
      if (a->at < a->end && !accept(a, ',')) {
         complain(a, "expected a comma behind operand %u", num);
         return 0;
      }
   }
   if (is_called(name, length, "nop") && !num)
      return 0;
   inst.op = (uint16_t)find_op(name, length, num == 1 && o[0].kind == SCALAR);
   const bool masked =
       inst.op == HD_MACH_OP_NONE && length > 5 && !memcmp(name + length - 5, "_mask", 5);
   if (masked)
      inst.op = (uint16_t)find_op(name, length - 5, false);
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[inst.op];
   if (inst.op == HD_MACH_OP_NONE)
      complain(a, "there is no instruction '%.*s'", length < 40 ? (int)length : 40, name);
   else if (!read_fields(a, info, o, num, masked, &inst))
      complain(a, "%s does not take such operands", info->name);
   else if (!hd_nyuzi_encode(&inst, &word))
      complain(a, "the number does not fit");
   return word;
}

/* Lines */

static void
add_label(assembler *a, const char *name, size_t length)
{
   if (!a->labels_only)
      return;
   if (a->num_labels == a->capacity) {
      const size_t capacity = a->capacity ? 2 * a->capacity : 64;
      label *labels = hd_stack_alloc(a->stack, capacity * sizeof(*labels));
      if (a->num_labels)
         memcpy(labels, a->labels, a->num_labels * sizeof(*labels));
      a->labels = labels;
      a->capacity = capacity;
   }
   a->labels[a->num_labels++] = (label){ name, length, a->num_words };
}

static void
read_line(assembler *a)
{
   const char *name;
   size_t length;
   int64_t number;
   uint32_t word = 0;

   a->failed = false;
   for (;;) {
      length = read_name(a, &name);
      if (!length || !accept(a, ':'))
         break;
      add_label(a, name, length);
   }
   skip_blanks(a);
   if (!length) {
      if (a->at < a->end)
         complain(a, "expected an instruction");
      return;
   }
   if (is_called(name, length, ".long")) {
      if (!read_number(a, &number))
         complain(a, ".long takes a number of 32 bits");
      word = (uint32_t)number;
      skip_blanks(a);
      if (a->at < a->end)
         complain(a, "expected the end of the line");
   } else if (!a->labels_only) {
      word = read_inst(a, name, length);
   }
   a->num_words++;
   if (!a->labels_only) {
      const unsigned char bytes[4] = { (unsigned char)word, (unsigned char)(word >> 8),
                                       (unsigned char)(word >> 16), (unsigned char)(word >> 24) };
      hd_blob_append(a->code, bytes, sizeof(bytes));
   }
}

static bool
begins_comment(const char *at, const char *end)
{
   return *at == ';' || *at == '#' || (*at == '/' && end - at > 1 && at[1] == '/');
}

static void
read_lines(assembler *a, const char *text, size_t length)
{
   const char *end = text + length;

   a->line = 0;
   a->num_words = 0;
   while (text < end) {
      const char *stop = memchr(text, '\n', (size_t)(end - text));
      const char *next = stop ? stop + 1 : end;
      a->line++;
      a->at = text;
      a->end = text;
      while (a->end < (stop ? stop : end) && !begins_comment(a->end, end))
         a->end++;
      read_line(a);
      text = next;
   }
}

hd_result
hd_nyuzi_assemble(const hd_config *config, const char *file, const char *text, size_t length,
                  hd_blob *code)
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_blob words;

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   hd_blob_init(&words, config);
   assembler a = { .sink = &heap.config.diag, .file = file, .stack = &stack, .code = &words };
   if (HD_TRY(&heap, &u)) {
      a.labels_only = true;
      read_lines(&a, text, length);
      a.labels_only = false;
      if (a.num_labels)
         qsort(a.labels, a.num_labels, sizeof(label), by_name);
      read_lines(&a, text, length);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (result == HD_OK)
      result = words.result;
   if (result == HD_OK && a.errors)
      result = HD_INVALID;
   if (result == HD_OK) {
      hd_blob_append(code, words.data, words.size);
      result = code->result;
   }
   hd_blob_finish(&words);
   return result;
}
