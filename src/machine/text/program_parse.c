/* SPDX-License-Identifier: MIT */
/* program_parse.c - parser of machine code between two phases, for tests of single phases. */
#include "machine/text/program.h"

#include <stdlib.h>
#include <string.h>

typedef hd_mach_program_reader parser;

static void *
grow(hd_stack *stack, void *array, uint32_t num, uint32_t *capacity, uint32_t needed, size_t size)
{
   if (needed <= *capacity)
      return array;
   uint32_t more = *capacity ? *capacity : 16;
   while (more < needed)
      more *= 2;
   void *larger = hd_stack_alloc_zero(stack, more * size);
   if (num)
      memcpy(larger, array, num * size);
   *capacity = more;
   return larger;
}

/* Values */

static bool
make_temp(parser *s, hd_mach_word word, uint32_t number)
{
   hd_mach_program *p = s->p;

   if (number > (size_t)(s->c->end - s->c->text))
      return hd_mach_text_error(s->c, word.start, word.length,
                                "a value's number is larger than the text is long");
   s->seen = grow(p->stack, s->seen, s->seen_capacity, &s->seen_capacity, number + 1, 1);
   while (p->num_temps <= number)
      hd_mach_temp_create(p, p->mach->file_of[HD_MACH_LINEAR], 1, 0);
   return true;
}

bool
hd_mach_value_note(parser *s, const hd_mach_operand *operand, char kind, hd_mach_word word)
{
   const uint32_t number = operand->value;
   const hd_mach *mach = s->p->mach;

   if (!make_temp(s, word, number))
      return false;
   hd_mach_temp *temp = &s->p->temps[number];
   if (s->seen[number])
      return (s->seen[number] == (uint8_t)kind && temp->size == operand->size) ||
             hd_mach_text_error(s->c, word.start, word.length,
                                "the value has another kind or size elsewhere");
   s->seen[number] = (uint8_t)kind;
   const bool vector = operand->flags & HD_MACH_OPERAND_VECTOR;
   temp->file = mach->file_of[vector ? HD_MACH_LOGICAL : HD_MACH_LINEAR];
   temp->size = operand->size;
   temp->flags |= kind == 'm' ? HD_MACH_TEMP_MASK : kind == 'l' ? HD_MACH_TEMP_LINEAR : 0;
   /* Unless .temp gave it. */
   if (temp->align == 1)
      temp->align = hd_mach_tuple_align(&mach->files[temp->file], operand->size);
   return true;
}

bool
hd_mach_value_read(hd_mach_cursor *c, const char *start,
                   bool (*reg)(void *user, hd_mach_operand *operand), void *user,
                   hd_mach_operand *operand, char *kind)
{
   int64_t number, size = 0;

   if (!hd_mach_read_range(c, 1, 1 << 30, &number) || !hd_mach_expect(c, ':'))
      return false;
   const hd_mach_word word = hd_mach_read_word(c);
   for (size_t n = 1; n < word.length && size <= 32; n++)
      size = word.start[n] >= '0' && word.start[n] <= '9' ? size * 10 + (word.start[n] - '0') : 99;
   if (word.length < 2 || !memchr("vsml", word.start[0], 4) || size < 1 || size > 32)
      return hd_mach_text_error(c, word.start, word.length,
                                "expected v, s, m or l and the number of registers");
   *kind = word.start[0];
   *operand = (hd_mach_operand){ .value = (uint32_t)number,
                                 .reg = HD_MACH_NO_REG,
                                 .size = (uint8_t)size,
                                 .flags = HD_MACH_OPERAND_TEMP };
   if (*kind == 'v' || *kind == 'l')
      operand->flags |= HD_MACH_OPERAND_VECTOR;
   if (hd_mach_accept(c, '@')) {
      hd_mach_operand at;
      if (!reg(user, &at))
         return false;
      operand->reg = at.reg;
      operand->flags |= HD_MACH_OPERAND_FIXED;
      if (at.size != size)
         return hd_mach_text_error(c, start, (size_t)(c->at - start),
                                   "a value and its registers differ in size");
   }
   if (hd_mach_accept(c, '!'))
      operand->flags |= HD_MACH_OPERAND_KILL;
   return true;
}

/* Blocks */

static bool
is_block_name(hd_mach_word word)
{
   if (word.length < 2 || word.length > 9 || word.start[0] != 'b')
      return false;
   for (size_t n = 1; n < word.length; n++) {
      if (word.start[n] < '0' || word.start[n] > '9')
         return false;
   }
   return true;
}

/* NULL: an error was reported. */
static hd_mach_block *
block_of(parser *s, hd_mach_word word)
{
   uint32_t number = 0;

   if (!is_block_name(word)) {
      hd_mach_text_error(s->c, word.start, word.length, "expected a block");
      return NULL;
   }
   for (size_t n = 1; n < word.length; n++)
      number = number * 10 + (uint32_t)(word.start[n] - '0');
   if (number > (size_t)(s->c->end - s->c->text)) {
      hd_mach_text_error(s->c, word.start, word.length,
                         "a block's number is larger than the text is long");
      return NULL;
   }
   while (s->p->num_blocks <= number)
      hd_mach_block_create(s->p);
   return s->p->blocks[number];
}

static bool
add_neighbour(parser *s, hd_mach_block ***list, uint32_t *num, uint32_t *capacity)
{
   hd_mach_block *other = block_of(s, hd_mach_read_word(s->c));

   if (!other)
      return false;
   *list = grow(s->p->stack, *list, *num, capacity, *num + 1, sizeof(**list));
   (*list)[(*num)++] = other;
   return true;
}

static bool
read_edges(parser *s, hd_mach_edge_kind kind)
{
   hd_mach_edges *edges = &s->block->edges[kind];
   bool succs = false;

   if (edges->num_preds || edges->num_succs)
      return hd_mach_text_error(s->c, s->c->at, 1, "the edges of the block are given twice");
   while (!hd_mach_at_end(s->c)) {
      if (!succs && hd_mach_accept(s->c, '-')) {
         if (!hd_mach_expect(s->c, '>'))
            return false;
         succs = true;
         continue;
      }
      if (succs ? !add_neighbour(s, &edges->succs, &edges->num_succs, &edges->succ_capacity)
                : !add_neighbour(s, &edges->preds, &edges->num_preds, &edges->pred_capacity))
         return false;
   }
   return true;
}

typedef struct pair {
   uint32_t from, to;
} pair;

static int
compare_pairs(const void *a, const void *b)
{
   const pair *x = a, *y = b;

   if (x->from != y->from)
      return x->from < y->from ? -1 : 1;
   return x->to < y->to ? -1 : x->to > y->to;
}

static bool
stands_in_order(const parser *s, uint32_t number)
{
   const hd_mach_block *block = s->p->blocks[number];

   return block->prev || block == s->p->first;
}

/* Whether each edge is listed by both of its blocks. Blocks that were taken out of the order may
 * still be named by others.
 */
static bool
check_edges(parser *s, hd_mach_edge_kind kind)
{
   hd_mach_program *p = s->p;
   uint32_t num_preds = 0, num_succs = 0;

   for (uint32_t n = 0; n < p->num_blocks; n++) {
      num_preds += p->blocks[n]->edges[kind].num_preds;
      num_succs += p->blocks[n]->edges[kind].num_succs;
   }
   pair *in = hd_stack_alloc(p->stack, (num_preds + 1u) * sizeof(*in));
   pair *out = hd_stack_alloc(p->stack, (num_succs + 1u) * sizeof(*out));
   uint32_t i = 0, o = 0;
   for (uint32_t n = 0; n < p->num_blocks; n++) {
      const hd_mach_edges *edges = &p->blocks[n]->edges[kind];
      for (uint32_t e = 0; e < edges->num_preds; e++) {
         if (stands_in_order(s, n) && stands_in_order(s, edges->preds[e]->index))
            in[i++] = (pair){ edges->preds[e]->index, n };
      }
      for (uint32_t e = 0; e < edges->num_succs; e++) {
         if (stands_in_order(s, n) && stands_in_order(s, edges->succs[e]->index))
            out[o++] = (pair){ n, edges->succs[e]->index };
      }
   }
   qsort(in, i, sizeof(*in), compare_pairs);
   qsort(out, o, sizeof(*out), compare_pairs);
   for (uint32_t n = 0; n < i || n < o; n++) {
      if (n < i && n < o && !compare_pairs(&in[n], &out[n]))
         continue;
      const pair *one = n < i && (n >= o || compare_pairs(&in[n], &out[n]) < 0) ? &in[n] : &out[n];
      return hd_mach_text_error(s->c, s->c->end, 0, "only one side says the edge b%u -> b%u",
                                one->from, one->to);
   }
   return true;
}

/* Instructions */

static void
append_inst(parser *s, const hd_mach_inst *from, const hd_mach_operand *operands)
{
   unsigned num = from->num_defs + from->num_srcs;
   hd_mach_inst *inst = hd_stack_alloc_zero(s->p->stack, sizeof(*inst) + num * sizeof(*operands));

   *inst = *from;
   inst->operands = (hd_mach_operand *)(inst + 1);
   if (num)
      memcpy(inst->operands, operands, num * sizeof(*operands));
   hd_mach_inst_append(s->block, inst);
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (inst->operands[n].flags & HD_MACH_OPERAND_TEMP)
         s->p->temps[inst->operands[n].value].def = inst;
   }
   if (s->tail)
      s->block->tail = inst;
   s->tail = false;
}

/* The op of this name, of those that are read here; HD_MACH_OP_NONE: none. */
static unsigned
op_of(const parser *s, hd_mach_word name)
{
   for (unsigned op = HD_MACH_OP_NONE + 1; op < s->rows->num_ops; op++) {
      if (hd_mach_word_is(name, s->p->mach->op_name(s->p->mach, op)))
         return op;
   }
   return HD_MACH_OP_NONE;
}

/* "imm:4" and the like; *known is false where it is none of these. */
static bool
read_field(parser *s, hd_mach_inst *inst, bool *known)
{
   const hd_mach_word word = hd_mach_peek_word(s->c);
   const bool mod = word.length == 4 && !memcmp(word.start, "mod", 3) && word.start[3] >= '0' &&
                    word.start[3] < '0' + (int)sizeof(inst->mods.bytes);
   const bool imm = hd_mach_word_is(word, "imm"), bits = hd_mach_word_is(word, "bits"),
              form = hd_mach_word_is(word, "form"), memory = hd_mach_word_is(word, "memory");
   int64_t value;

   *known = mod || imm || bits || form || memory;
   if (!*known)
      return true;
   (void)hd_mach_read_word(s->c);
   if (!hd_mach_expect(s->c, ':') || !hd_mach_read_range(s->c, imm ? INT32_MIN : 0,
                                                         imm    ? INT32_MAX
                                                         : bits ? UINT16_MAX
                                                                : UINT8_MAX,
                                                         &value))
      return false;
   if (imm)
      inst->imm = (int32_t)value;
   else if (bits)
      inst->bits = (uint16_t)value;
   else if (form)
      inst->form = (uint8_t)value;
   else if (memory)
      inst->memory = (uint8_t)value;
   else
      inst->mods.bytes[word.start[3] - '0'] = (uint8_t)value;
   return true;
}

/* What follows the operands. */
static bool
read_fields(parser *s, hd_mach_inst *inst)
{
   bool known = true;

   while (known && !hd_mach_at_end(s->c)) {
      if (!read_field(s, inst, &known))
         return false;
   }
   if (!hd_mach_accept(s->c, '-'))
      return true;
   if (!hd_mach_expect(s->c, '>'))
      return false;
   inst->target = block_of(s, hd_mach_read_word(s->c));
   return inst->target != NULL;
}

/* Operands, with a '=' between results and sources where there are results. */
static bool
read_operands(parser *s, hd_mach_inst *inst, hd_mach_operand **operands)
{
   uint32_t num = 0, capacity = 0;
   bool more = true;

   *operands = NULL;
   while (!hd_mach_at_end(s->c)) {
      hd_mach_inst fields = { 0 };
      const char *here = s->c->at;
      bool field;
      if (!inst->num_defs && num && num < 256 && hd_mach_accept(s->c, '=')) {
         inst->num_defs = (uint8_t)num;
         more = true;
         continue;
      }
      if (*here == '-' && here + 1 < s->c->end && here[1] == '>')
         break;
      if (!read_field(s, &fields, &field))
         return false;
      s->c->at = here;
      if (field)
         break;
      if (!more || num >= 65535)
         return hd_mach_text_error(s->c, here, 1, "expected ',', '=' or the end of the line");
      *operands = grow(s->p->stack, *operands, num, &capacity, num + 1, sizeof(**operands));
      if (!s->rows->operand(s->user, inst->op, &(*operands)[num++]))
         return false;
      more = hd_mach_accept(s->c, ',');
   }
   inst->num_srcs = (uint16_t)(num - inst->num_defs);
   return true;
}

static bool
read_inst(parser *s, unsigned op)
{
   hd_mach_inst inst = { .op = (uint16_t)op };
   hd_mach_operand *operands;

   (void)hd_mach_read_word(s->c);
   if (!read_operands(s, &inst, &operands) || !read_fields(s, &inst))
      return false;
   append_inst(s, &inst, operands);
   return true;
}

static bool
read_machine_inst(parser *s)
{
   const hd_mach_operand *operands;
   hd_mach_inst inst;
   hd_mach_word target;

   if (!s->rows->inst)
      return hd_mach_text_error(s->c, s->c->at, 1, "there is no such instruction");
   if (!s->rows->inst(s->user, &inst, &operands, &target))
      return false;
   if (target.length) {
      inst.target = block_of(s, target);
      if (!inst.target)
         return false;
   }
   append_inst(s, &inst, operands);
   return true;
}

/* Directives */

static bool
read_condition(parser *s)
{
   hd_mach_condition *condition = &s->block->condition;

   if (!s->rows->operand(s->user, HD_MACH_OP_NONE, &condition->value))
      return false;
   while (!hd_mach_at_end(s->c)) {
      hd_mach_word word = hd_mach_read_word(s->c);
      if (hd_mach_word_is(word, "not"))
         condition->negate = true;
      else if (hd_mach_word_is(word, "uniform"))
         condition->uniform = true;
      else
         return hd_mach_text_error(s->c, word.start, word.length, "expected 'not' or 'uniform'");
   }
   return true;
}

static bool
read_temp(parser *s)
{
   hd_mach_cursor *c = s->c;
   const hd_mach_word here = { c->at, 1 };
   int64_t number, align;

   if (!hd_mach_expect(c, '%') || !hd_mach_read_range(c, 1, 1 << 30, &number) ||
       !make_temp(s, here, (uint32_t)number))
      return false;
   hd_mach_temp *temp = &s->p->temps[number];
   while (!hd_mach_at_end(c)) {
      hd_mach_word word = hd_mach_read_word(c);
      if (hd_mach_word_is(word, "remat")) {
         temp->flags |= HD_MACH_TEMP_REMAT;
      } else if (hd_mach_word_is(word, "align")) {
         if (!hd_mach_expect(c, ':') || !hd_mach_read_range(c, 1, 16, &align))
            return false;
         temp->align = (uint8_t)align;
      } else {
         return hd_mach_text_error(c, word.start, word.length, "expected 'remat' or 'align'");
      }
   }
   return true;
}

static bool
read_loop(parser *s)
{
   int64_t depth;

   if (!hd_mach_read_range(s->c, 0, UINT32_MAX, &depth))
      return false;
   s->block->loop_depth = (uint32_t)depth;
   if (!hd_mach_at_end(s->c) && hd_mach_word_is(hd_mach_peek_word(s->c), "header")) {
      (void)hd_mach_read_word(s->c);
      s->block->loop_header = true;
   }
   return true;
}

static bool
block_directive(parser *s, hd_mach_word name)
{
   if (hd_mach_word_is(name, ".logical"))
      return read_edges(s, HD_MACH_LOGICAL);
   if (hd_mach_word_is(name, ".linear"))
      return read_edges(s, HD_MACH_LINEAR);
   if (hd_mach_word_is(name, ".condition"))
      return read_condition(s);
   if (hd_mach_word_is(name, ".loop"))
      return read_loop(s);
   if (hd_mach_word_is(name, ".full")) {
      s->block->exec_full = true;
      return true;
   }
   if (hd_mach_word_is(name, ".tail")) {
      s->tail = true;
      return true;
   }
   return hd_mach_text_error(s->c, name.start, name.length, "unknown directive of a block");
}

static bool
read_target(const parser *s, hd_mach_word word)
{
   return hd_mach_word_is(word, s->p->mach->name) ||
          hd_mach_text_error(s->c, word.start, word.length, "expected %s", s->p->mach->name);
}

static bool
program_directive(parser *s, hd_mach_word name)
{
   int64_t value;

   if (hd_mach_word_is(name, ".target"))
      return s->rows->target ? s->rows->target(s->user, hd_mach_read_word(s->c))
                             : read_target(s, hd_mach_read_word(s->c));
   if (hd_mach_word_is(name, ".temp"))
      return read_temp(s);
   bool scratch = hd_mach_word_is(name, ".scratch");
   if (scratch || hd_mach_word_is(name, ".slots")) {
      if (!hd_mach_read_range(s->c, 0, UINT32_MAX, &value))
         return false;
      *(scratch ? &s->p->scratch_size : &s->p->num_slots) = (uint32_t)value;
      return true;
   }
   return hd_mach_text_error(s->c, name.start, name.length,
                             "unknown directive, or one of a block before the first");
}

static bool
read_label(parser *s, hd_mach_word word)
{
   hd_mach_block *block = block_of(s, word);

   (void)hd_mach_read_word(s->c);
   if (!block || !hd_mach_expect(s->c, ':'))
      return false;
   if (block->prev || block == s->p->first)
      return hd_mach_text_error(s->c, word.start, word.length, "the block is defined twice");
   if (s->tail)
      return hd_mach_text_error(s->c, word.start, word.length, "no instruction follows .tail");
   hd_mach_block_append(s->p, block);
   s->block = block;
   return true;
}

static bool
read_line(parser *s)
{
   hd_mach_cursor *c = s->c;
   hd_mach_word word = hd_mach_peek_word(c);
   const char *after = word.start + word.length;
   bool done;

   if (word.length && *word.start == '.') {
      (void)hd_mach_read_word(c);
      done = s->block ? block_directive(s, word) : program_directive(s, word);
   } else if (is_block_name(word) && after < c->end && *after == ':') {
      done = read_label(s, word);
   } else if (!s->block) {
      done = hd_mach_text_error(c, word.start, word.length, "expected a directive or a block");
   } else {
      const unsigned op = op_of(s, word);
      done = op != HD_MACH_OP_NONE ? read_inst(s, op) : read_machine_inst(s);
   }
   return done &&
          (hd_mach_at_end(c) || hd_mach_text_error(c, c->at, 1, "expected the end of the line"));
}

/* Operands of machines that have no language of their own */

static bool
read_register(void *user, hd_mach_operand *operand)
{
   const parser *s = user;
   const hd_mach *mach = s->p->mach;
   const hd_mach_word word = hd_mach_read_word(s->c);
   unsigned number = 0;

   for (size_t n = 1; n < word.length && number < HD_MACH_MAX_REGS; n++)
      number = word.start[n] >= '0' && word.start[n] <= '9'
                   ? number * 10 + (unsigned)(word.start[n] - '0')
                   : HD_MACH_MAX_REGS;
   for (unsigned f = 0; f < mach->num_files && word.length > 1; f++) {
      const hd_mach_file *file = &mach->files[f];
      if (word.start[0] == file->letter && number < file->named) {
         *operand = hd_mach_operand_reg(file->name_0 + number, 1);
         return true;
      }
   }
   return hd_mach_text_error(s->c, word.start, word.length, "expected %c0 to %c%u, or %c0 to %c%u",
                             mach->files[0].letter, mach->files[0].letter,
                             mach->files[0].named - 1u, mach->files[1].letter,
                             mach->files[1].letter, mach->files[1].named - 1u);
}

bool
hd_mach_operand_read(parser *s, bool (*reg)(void *user, hd_mach_operand *operand),
                     hd_mach_operand *operand)
{
   const hd_mach_word word = hd_mach_peek_word(s->c);
   const char *start = s->c->at;
   int64_t number;
   char kind = 0;

   if (hd_mach_accept(s->c, '%')) {
      if (!hd_mach_value_read(s->c, start, reg, s, operand, &kind))
         return false;
      return hd_mach_value_note(s, operand, kind,
                                (hd_mach_word){ start, (size_t)(s->c->at - start) });
   }
   if (hd_mach_word_is(word, "none") || hd_mach_word_is(word, "undef")) {
      const bool undef = word.length == 5;
      (void)hd_mach_read_word(s->c);
      *operand = (hd_mach_operand){ .reg = HD_MACH_NO_REG,
                                    .size = undef,
                                    .flags = undef ? HD_MACH_OPERAND_UNDEF : 0 };
      return true;
   }
   if (word.length && (*word.start < '0' || *word.start > '9'))
      return reg(s, operand);
   if (!hd_mach_read_range(s->c, INT32_MIN, UINT32_MAX, &number))
      return false;
   *operand = hd_mach_constant(s->p->mach, (uint32_t)number);
   return true;
}

static bool
read_operand(void *user, unsigned op, hd_mach_operand *operand)
{
   (void)op;
   return hd_mach_operand_read(user, read_register, operand);
}

bool
hd_mach_program_read(hd_mach_program *p, hd_mach_cursor *c, const hd_mach_parsing *rows,
                     hd_mach_program_reader *r, void *user)
{
   const hd_mach_parsing plain = { .num_ops = p->mach->num_ops, .operand = read_operand };

   *r = (hd_mach_program_reader){ .c = c, .p = p, .rows = rows ? rows : &plain, .user = user };
   if (!user)
      r->user = r;
   if (!hd_mach_at_end(c))
      read_line(r);
   while (hd_mach_next_statement(c))
      read_line(r);
   if (!c->errors) {
      (void)(check_edges(r, HD_MACH_LOGICAL) && check_edges(r, HD_MACH_LINEAR));
      hd_mach_program_number(p);
   }
   return !c->errors;
}

bool
hd_mach_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                      const char *text, size_t length)
{
   hd_mach_program_reader reader;
   hd_mach_cursor cursor;

   hd_mach_cursor_init(&cursor, config, file, text, length);
   return hd_mach_program_read(p, &cursor, NULL, &reader, NULL);
}
