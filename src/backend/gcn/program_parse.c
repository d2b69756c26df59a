/* SPDX-License-Identifier: MIT */
/* program_parse.c - machine code between the phases from its text, for tests of single phases.
 *
 * program_text.c shows the language. Blocks and values keep their numbers; a number that is not in
 * the text is a block in no order, or a value that nothing names.
 */
#include "backend/gcn/asm/parse.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
   hd_gcn_reader r;
   hd_mach_program *p;
   size_t length; /* of the text: no number of a block or a value is larger */
   hd_mach_block *block;
   bool tail;     /* the next instruction is the tail of the block */
   uint8_t *seen; /* by number of a value: its kind */
   uint32_t seen_capacity;
} parser;

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

/* Values ---------------------------------------------------------------------------------------*/

static bool
make_temp(parser *s, const hd_gcn_text_arg *arg, uint32_t number)
{
   if (number > s->length)
      return hd_gcn_error(&s->r, arg->word.start, arg->word.length,
                          "a value's number is larger than the text is long");
   s->seen = grow(s->p->stack, s->seen, s->seen_capacity, &s->seen_capacity, number + 1, 1);
   while (s->p->num_temps <= number)
      hd_mach_temp_create(s->p, HD_GCN_SGPR, 1, 0);
   return true;
}

static bool
note_value(hd_gcn_reader *r, const hd_gcn_text_arg *arg)
{
   parser *s = r->user;
   uint32_t number = arg->operand.value;

   if (!make_temp(s, arg, number))
      return false;
   hd_mach_temp *temp = &s->p->temps[number];
   if (s->seen[number])
      return (s->seen[number] == (uint8_t)arg->value_kind && temp->size == arg->operand.size) ||
             hd_gcn_error(r, arg->word.start, arg->word.length,
                          "the value has another kind or size elsewhere");
   s->seen[number] = (uint8_t)arg->value_kind;
   unsigned size = arg->operand.size;
   bool vector = arg->operand.flags & HD_MACH_OPERAND_VECTOR;
   temp->file = vector ? HD_GCN_VGPR : HD_GCN_SGPR;
   temp->size = (uint8_t)size;
   temp->flags |= arg->value_kind == 'm'   ? HD_MACH_TEMP_MASK
                  : arg->value_kind == 'l' ? HD_MACH_TEMP_LINEAR
                                           : 0;
   /* Unless .temp said it. */
   if (temp->align == 1)
      temp->align = vector || size == 1 ? 1 : size == 2 ? 2 : 4;
   return true;
}

/* Blocks ---------------------------------------------------------------------------------------*/

static bool
is_block_name(hd_gcn_word word)
{
   if (word.length < 2 || word.length > 9 || word.start[0] != 'b')
      return false;
   for (size_t n = 1; n < word.length; n++) {
      if (word.start[n] < '0' || word.start[n] > '9')
         return false;
   }
   return true;
}

/* NULL: an error was told. */
static hd_mach_block *
block_of(parser *s, hd_gcn_word word)
{
   uint32_t number = 0;

   if (!is_block_name(word)) {
      hd_gcn_error(&s->r, word.start, word.length, "expected a block");
      return NULL;
   }
   for (size_t n = 1; n < word.length; n++)
      number = number * 10 + (uint32_t)(word.start[n] - '0');
   if (number > s->length) {
      hd_gcn_error(&s->r, word.start, word.length,
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
   hd_mach_block *other = block_of(s, hd_gcn_read_word(&s->r));

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
      return hd_gcn_error(&s->r, s->r.at, 1, "the edges of the block are given twice");
   while (!hd_gcn_at_end(&s->r)) {
      if (!succs && hd_gcn_accept(&s->r, '-')) {
         if (!hd_gcn_expect(&s->r, '>'))
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

/* Whether each edge is said by both of its blocks. Blocks that were taken out of the order may
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
      return hd_gcn_error(&s->r, s->r.end, 0, "only one side says the edge b%u -> b%u", one->from,
                          one->to);
   }
   return true;
}

/* Instructions ---------------------------------------------------------------------------------*/

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

/* The op of this name; HD_GCN_OP_NONE: none. */
static hd_gcn_op
pseudo_op(hd_gcn_word name)
{
   for (unsigned op = HD_GCN_OP_NONE + 1; op <= HD_GCN_P_EXCLUSIVE_SCAN; op++) {
      if (hd_gcn_word_is(name, hd_gcn_op_name(&hd_gcn_op_infos[op], 0)))
         return (hd_gcn_op)op;
   }
   return HD_GCN_OP_NONE;
}

/* Operands, with a '=' between results and sources where there are results. */
static bool
read_pseudo(parser *s, unsigned op)
{
   hd_gcn_reader *r = &s->r;
   hd_mach_inst inst = { .op = (uint16_t)op };
   hd_mach_operand *operands = NULL;
   uint32_t num = 0, capacity = 0;
   bool more = true;

   (void)hd_gcn_read_word(r);
   while (!hd_gcn_at_end(r)) {
      if (!inst.num_defs && num && num < 256 && hd_gcn_accept(r, '=')) {
         inst.num_defs = (uint8_t)num;
         more = true;
         continue;
      }
      if (hd_gcn_word_is(hd_gcn_peek_word(r), "imm")) {
         int64_t imm;
         (void)hd_gcn_read_word(r);
         if (!hd_gcn_expect(r, ':') || !hd_gcn_read_range(r, INT32_MIN, INT32_MAX, &imm))
            return false;
         inst.imm = (int32_t)imm;
         break;
      }
      hd_gcn_text_arg arg;
      if (!more || num >= 65535)
         return hd_gcn_error(r, r->at, 1, "expected ',', '=' or the end of the line");
      if (!hd_gcn_read_arg(r, &arg))
         return false;
      operands = grow(s->p->stack, operands, num, &capacity, num + 1, sizeof(*operands));
      operands[num] = arg.operand;
      hd_gcn_type type = op == HD_MACH_P_MASK_PHI ? HD_GCN_B64 : HD_GCN_B32;
      if (arg.kind == HD_GCN_TEXT_SYMBOL || arg.kind == HD_GCN_TEXT_IMMEDIATE)
         return hd_gcn_error(r, arg.word.start, arg.word.length,
                             "expected a value, a register or a number");
      if (arg.kind != HD_GCN_TEXT_OPERAND && !hd_gcn_text_const(r, &arg, type, &operands[num]))
         return false;
      num++;
      more = hd_gcn_accept(r, ',');
   }
   inst.num_srcs = (uint16_t)(num - inst.num_defs);
   append_inst(s, &inst, operands);
   return true;
}

static bool
read_machine_inst(parser *s)
{
   hd_gcn_decoded decoded;
   hd_gcn_word target;

   if (!hd_gcn_read_inst(&s->r, &decoded, &target))
      return false;
   if (target.length) {
      decoded.inst.target = block_of(s, target);
      if (!decoded.inst.target)
         return false;
   }
   append_inst(s, &decoded.inst, decoded.operands);
   return true;
}

/* Directives -----------------------------------------------------------------------------------*/

static bool
read_condition(parser *s)
{
   hd_mach_condition *condition = &s->block->condition;
   hd_gcn_text_arg arg;

   if (!hd_gcn_read_arg(&s->r, &arg))
      return false;
   condition->value = arg.operand;
   if (arg.kind != HD_GCN_TEXT_OPERAND &&
       !hd_gcn_text_const(&s->r, &arg, HD_GCN_B32, &condition->value))
      return false;
   while (!hd_gcn_at_end(&s->r)) {
      hd_gcn_word word = hd_gcn_read_word(&s->r);
      if (hd_gcn_word_is(word, "not"))
         condition->negate = true;
      else if (hd_gcn_word_is(word, "uniform"))
         condition->uniform = true;
      else
         return hd_gcn_error(&s->r, word.start, word.length, "expected 'not' or 'uniform'");
   }
   return true;
}

static bool
read_temp(parser *s)
{
   hd_gcn_reader *r = &s->r;
   hd_gcn_text_arg arg = { .word = { r->at, 1 } };
   int64_t number, align;

   if (!hd_gcn_expect(r, '%') || !hd_gcn_read_range(r, 1, 1 << 30, &number) ||
       !make_temp(s, &arg, (uint32_t)number))
      return false;
   hd_mach_temp *temp = &s->p->temps[number];
   while (!hd_gcn_at_end(r)) {
      hd_gcn_word word = hd_gcn_read_word(r);
      if (hd_gcn_word_is(word, "remat")) {
         temp->flags |= HD_MACH_TEMP_REMAT;
      } else if (hd_gcn_word_is(word, "align")) {
         if (!hd_gcn_expect(r, ':') || !hd_gcn_read_range(r, 1, 16, &align))
            return false;
         temp->align = (uint8_t)align;
      } else {
         return hd_gcn_error(r, word.start, word.length, "expected 'remat' or 'align'");
      }
   }
   return true;
}

static bool
read_target(parser *s)
{
   hd_gcn_word word = hd_gcn_read_word(&s->r);

   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      if (hd_gcn_word_is(word, hd_gcn_gen_name((hd_gcn_gen)gen))) {
         s->r.gen = (hd_gcn_gen)gen;
         s->p->mach = &hd_gcn_target_of(s->r.gen)->mach;
         return true;
      }
   }
   return hd_gcn_error(&s->r, word.start, word.length, "expected gfx600, gfx803 or gfx900");
}

static bool
read_loop(parser *s)
{
   int64_t depth;

   if (!hd_gcn_read_range(&s->r, 0, UINT32_MAX, &depth))
      return false;
   s->block->loop_depth = (uint32_t)depth;
   if (!hd_gcn_at_end(&s->r) && hd_gcn_word_is(hd_gcn_peek_word(&s->r), "header")) {
      (void)hd_gcn_read_word(&s->r);
      s->block->loop_header = true;
   }
   return true;
}

static bool
block_directive(parser *s, hd_gcn_word name)
{
   if (hd_gcn_word_is(name, ".logical"))
      return read_edges(s, HD_MACH_LOGICAL);
   if (hd_gcn_word_is(name, ".linear"))
      return read_edges(s, HD_MACH_LINEAR);
   if (hd_gcn_word_is(name, ".condition"))
      return read_condition(s);
   if (hd_gcn_word_is(name, ".loop"))
      return read_loop(s);
   if (hd_gcn_word_is(name, ".full")) {
      s->block->exec_full = true;
      return true;
   }
   if (hd_gcn_word_is(name, ".tail")) {
      s->tail = true;
      return true;
   }
   return hd_gcn_error(&s->r, name.start, name.length, "unknown directive of a block");
}

static bool
program_directive(parser *s, hd_gcn_word name)
{
   int64_t value;

   if (hd_gcn_word_is(name, ".target"))
      return read_target(s);
   if (hd_gcn_word_is(name, ".temp"))
      return read_temp(s);
   bool scratch = hd_gcn_word_is(name, ".scratch");
   if (scratch || hd_gcn_word_is(name, ".slots")) {
      if (!hd_gcn_read_range(&s->r, 0, UINT32_MAX, &value))
         return false;
      *(scratch ? &s->p->scratch_size : &s->p->num_slots) = (uint32_t)value;
      return true;
   }
   return hd_gcn_error(&s->r, name.start, name.length,
                       "unknown directive, or one of a block before the first");
}

static bool
read_label(parser *s, hd_gcn_word word)
{
   hd_mach_block *block = block_of(s, word);

   (void)hd_gcn_read_word(&s->r);
   if (!block || !hd_gcn_expect(&s->r, ':'))
      return false;
   if (block->prev || block == s->p->first)
      return hd_gcn_error(&s->r, word.start, word.length, "the block is defined twice");
   if (s->tail)
      return hd_gcn_error(&s->r, word.start, word.length, "no instruction follows .tail");
   hd_mach_block_append(s->p, block);
   s->block = block;
   return true;
}

static bool
read_line(parser *s)
{
   hd_gcn_reader *r = &s->r;
   hd_gcn_word word = hd_gcn_peek_word(r);
   const char *after = word.start + word.length;
   bool done;

   if (word.length && *word.start == '.') {
      (void)hd_gcn_read_word(r);
      done = s->block ? block_directive(s, word) : program_directive(s, word);
   } else if (is_block_name(word) && after < r->end && *after == ':') {
      done = read_label(s, word);
   } else if (!s->block) {
      done = hd_gcn_error(r, word.start, word.length, "expected a directive or a block");
   } else {
      hd_gcn_op op = pseudo_op(word);
      done = op != HD_GCN_OP_NONE ? read_pseudo(s, op) : read_machine_inst(s);
   }
   return done && (hd_gcn_at_end(r) || hd_gcn_error(r, r->at, 1, "expected the end of the line"));
}

bool
hd_gcn_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                     const char *text, size_t length)
{
   parser s = { .p = p, .length = length };

   if (!p->mach)
      p->mach = &hd_gcn_target_of(HD_GCN_GFX9)->mach;
   hd_gcn_reader_init(&s.r, hd_gcn_target_in(p)->gen, config, file, text, length);
   s.r.values = true;
   s.r.user = &s;
   s.r.value = note_value;
   if (!hd_gcn_at_end(&s.r))
      read_line(&s);
   while (hd_gcn_next_statement(&s.r))
      read_line(&s);
   if (!s.r.errors) {
      (void)(check_edges(&s, HD_MACH_LOGICAL) && check_edges(&s, HD_MACH_LINEAR));
      hd_mach_program_number(p);
   }
   return !s.r.errors;
}
