/* SPDX-License-Identifier: MIT */
/* print_instr.c - printer: one instruction, in any state. */
#include "ir/print.h"

#include "heddle/ops.h"

void
hd_print_type(struct printer *p, unsigned num_components, unsigned bit_size)
{
   hd_print_char(p, ':');
   hd_print_number(p, bit_size);
   if (num_components != 1) {
      hd_print_char(p, 'x');
      hd_print_number(p, num_components);
   }
}

void
hd_print_def(struct printer *p, const hd_def *def)
{
   uint32_t number = p->numbering ? hd_numbering_def(p->numbering, def) : HD_NO_NUMBER;

   hd_print_char(p, '%');
   if (def && (!p->numbering || p->options.show_indices))
      number = def->index;
   if (number == HD_NO_NUMBER)
      hd_print_char(p, '?');
   else
      hd_print_number(p, number);
}

void
hd_print_block(struct printer *p, const hd_block *block)
{
   uint32_t number = p->numbering ? hd_numbering_block(p->numbering, block) : HD_NO_NUMBER;

   hd_print_char(p, 'b');
   if (block && (!p->numbering || p->options.show_indices))
      number = block->node.index;
   if (number == HD_NO_NUMBER)
      hd_print_char(p, '?');
   else
      hd_print_number(p, number);
}

void
hd_print_src(struct printer *p, const hd_src *src)
{
   size_t offset = hd_print_position(p);

   hd_print_def(p, src->def);
   if (p->mark == src) {
      p->span = (hd_text_span){ offset, hd_print_position(p) - offset };
      p->marked = true;
   }
}

static void
print_srcs(struct printer *p, const hd_src *srcs, unsigned num)
{
   for (unsigned n = 0; n < num; n++) {
      hd_print_bytes(p, n ? ", " : " ", n ? 2 : 1);
      hd_print_src(p, &srcs[n]);
   }
}

static void
print_flags(struct printer *p, unsigned flags)
{
   static const char names[][9] = { ".exact", ".nnan", ".ninf", ".nsz", ".uniform" };

   for (unsigned n = 0; n < 8 && flags; n++) {
      if (!(flags >> n & 1))
         continue;
      if (n < sizeof(names) / sizeof(names[0])) {
         hd_print_bytes(p, names[n], strlen(names[n]));
      } else {
         hd_print_literal(p, ".?");
         hd_print_number(p, n);
      }
   }
}

/* `iadd.exact`; an op that the table does not know as `?17`. */
static void
print_op(struct printer *p, const char *name, const hd_instr *i)
{
   if (*name) {
      hd_print_bytes(p, name, strlen(name));
   } else {
      hd_print_char(p, '?');
      hd_print_number(p, i->op);
   }
   if (i->flags)
      print_flags(p, i->flags);
}

#define MAX_DECIMAL 9999u

/* Small numbers in decimal, the others as bits. */
static void
print_case(struct printer *p, uint64_t value)
{
   if (value <= MAX_DECIMAL)
      hd_print_number(p, value);
   else
      hd_print_hex(p, value);
}

/* The same for one component of a constant, where small may be negative too. */
static void
print_component(struct printer *p, uint64_t value, unsigned bit_size)
{
   uint64_t negated = bit_size < 64 ? (UINT64_C(1) << bit_size) - value : 0 - value;

   if (bit_size == 1 && value <= 1) {
      hd_print_bytes(p, value ? "true" : "false", value ? 4 : 5);
   } else if (value > MAX_DECIMAL && negated - 1 < MAX_DECIMAL) {
      hd_print_char(p, '-');
      hd_print_number(p, negated);
   } else {
      print_case(p, value);
   }
}

static void
print_const(struct printer *p, const hd_const *c)
{
   unsigned num = c->instr.def.num_components, bits = c->instr.def.bit_size;

   hd_print_char(p, ' ');
   if (num == 0 || num > HD_MAX_COMPONENTS) {
      hd_print_char(p, '?');
   } else if (num == 1) {
      print_component(p, c->value[0].u64, bits);
   } else {
      for (unsigned n = 0; n < num; n++) {
         hd_print_bytes(p, n ? ", " : "(", n ? 2 : 1);
         print_component(p, c->value[n].u64, bits);
      }
      hd_print_char(p, ')');
   }
}

/* Merge sort: n log n for any input, and no stack. */
static void
sort(uint64_t *keys, uint64_t *other, uint32_t num)
{
   uint64_t *from = keys, *to = other;

   for (uint32_t width = 1; width < num; width *= 2) {
      for (uint32_t left = 0; left < num; left += 2 * width) {
         uint32_t middle = num - left > width ? left + width : num;
         uint32_t right = num - middle > width ? middle + width : num;
         uint32_t a = left, b = middle;
         for (uint32_t n = left; n < right; n++)
            to[n] = a < middle && (b == right || from[a] <= from[b]) ? from[a++] : from[b++];
      }
      uint64_t *swap = from;
      from = to;
      to = swap;
      if (width > num / 2)
         break;
   }
   if (from != keys)
      memcpy(keys, from, num * sizeof(*keys));
}

void
hd_print_order_preds(struct printer *p, const hd_block *block)
{
   uint32_t num = block->num_preds;
   bool sorted = true;

   if (p->ordered == block)
      return;
   p->ordered = NULL;
   hd_heap_step(p->heap, num);
   if (2 * (size_t)num > p->order_capacity) {
      hd_heap *heap = p->heap;
      size_t capacity = 2 * (size_t)num + 16;
      uint64_t *order = hd_heap_alloc(heap, capacity * sizeof(*order));
      hd_heap_free(heap, p->order, p->order_capacity * sizeof(*order));
      p->order = order;
      p->order_capacity = (uint32_t)capacity;
   }
   for (uint32_t n = 0; n < num; n++) {
      p->order[n] = (uint64_t)hd_numbering_block(p->numbering, block->preds[n].from) << 32 | n;
      sorted &= n == 0 || p->order[n - 1] < p->order[n];
   }
   if (!sorted)
      sort(p->order, p->order + num, num);
   p->ordered = block;
}

static void
print_phi(struct printer *p, const hd_phi *phi)
{
   const hd_block *block = phi->instr.block;
   uint32_t num_preds = block ? block->num_preds : 0;
   const char *separator = " ";

   if (block && p->numbering)
      hd_print_order_preds(p, block);
   for (uint32_t n = 0; n < num_preds || n < phi->num_srcs; n++) {
      uint32_t place = n < num_preds && p->numbering ? (uint32_t)p->order[n] : n;
      hd_print_bytes(p, separator, strlen(separator));
      hd_print_block(p, place < num_preds ? block->preds[place].from : NULL);
      hd_print_literal(p, ": ");
      if (place < phi->num_srcs)
         hd_print_src(p, &phi->srcs[place].src);
      else
         hd_print_literal(p, "?");
      separator = ", ";
   }
}

static void
print_index(struct printer *p, const hd_index_info *info, uint32_t value)
{
   hd_print_char(p, ' ');
   hd_print_bytes(p, info->name, strlen(info->name));
   hd_print_char(p, '=');
   if (info->kind == HD_INDEX_KIND_BOOL && value <= 1) {
      hd_print_bytes(p, value ? "true" : "false", value ? 4 : 5);
   } else if (info->kind == HD_INDEX_KIND_ENUM && value < info->num_values) {
      hd_print_bytes(p, info->values[value].name, strlen(info->values[value].name));
   } else if (info->kind == HD_INDEX_KIND_FLAGS && value &&
              (info->num_values == 32 || !(value >> info->num_values))) {
      bool first = true;
      for (unsigned n = 0; n < info->num_values; n++) {
         if (!(value >> n & 1))
            continue;
         if (!first)
            hd_print_char(p, '|');
         hd_print_bytes(p, info->values[n].name, strlen(info->values[n].name));
         first = false;
      }
   } else if (info->kind == HD_INDEX_KIND_INT && value >> 31) {
      hd_print_char(p, '-');
      hd_print_number(p, (uint32_t)-value);
   } else {
      hd_print_number(p, value);
   }
}

static void
print_intrinsic(struct printer *p, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   print_op(p, info->name_length ? info->name : "?", &i->instr);
   if (i->instr.num_srcs <= HD_MAX_INTRINSIC_SRCS)
      print_srcs(p, i->src, i->instr.num_srcs);
   /* The indices follow the sources: with a wrong number of these they can't be found. */
   if (i->instr.num_srcs != info->num_srcs)
      return;
   for (unsigned n = 0; n < info->num_indices; n++) {
      const hd_index_info *index = hd_index_get_info((hd_index)info->indices[n]);
      uint32_t value = hd_intrinsic_indices(i)[n];
      if (value != index->default_value)
         print_index(p, index, value);
   }
}

static void
print_call(struct printer *p, const hd_call *call)
{
   hd_print_literal(p, "call");
   print_flags(p, call->instr.flags);
   hd_print_char(p, ' ');
   if (call->callee && call->callee->name)
      hd_print_identifier(p, '@', call->callee->name);
   else
      hd_print_literal(p, "@?");
   hd_print_char(p, '(');
   for (uint32_t n = 0; n < call->num_args; n++) {
      if (n)
         hd_print_literal(p, ", ");
      hd_print_src(p, &call->args[n].src);
   }
   hd_print_char(p, ')');
}

static void
print_target(struct printer *p, const hd_block *block, uint32_t n)
{
   hd_print_block(p, block && n < block->num_succs ? block->succs[n].to : NULL);
}

static void
print_jump(struct printer *p, const hd_jump *jump)
{
   static const char names[HD_NUM_JUMP_KINDS][9] = {
      "break", "continue", "return", "halt", "goto", "goto_if", "switch",
   };
   const hd_block *block = jump->instr.block;
   unsigned kind = jump->instr.op;

   print_op(p, kind < HD_NUM_JUMP_KINDS ? names[kind] : "", &jump->instr);
   if (jump->instr.num_srcs == 1)
      print_srcs(p, jump->src, 1);
   if (kind == HD_JUMP_GOTO) {
      hd_print_char(p, ' ');
      print_target(p, block, 0);
   } else if (kind == HD_JUMP_GOTO_IF) {
      for (uint32_t n = 0; n < 2; n++) {
         hd_print_literal(p, ", ");
         print_target(p, block, n);
      }
   } else if (kind == HD_JUMP_SWITCH) {
      hd_print_literal(p, ", ");
      print_target(p, block, 0);
      hd_print_literal(p, " [");
      for (uint32_t n = 0; n < jump->num_cases; n++) {
         hd_print_bytes(p, n ? ", " : " ", n ? 2 : 1);
         print_case(p, jump->cases[n].value);
         hd_print_literal(p, ": ");
         print_target(p, block, jump->cases[n].succ);
      }
      hd_print_literal(p, " ]");
   }
}

static void
print_var_access(struct printer *p, const hd_var_access *a)
{
   hd_print_bytes(p, a->instr.kind == HD_INSTR_LOAD_VAR ? "load_var" : "store_var",
                  a->instr.kind == HD_INSTR_LOAD_VAR ? 8 : 9);
   print_flags(p, a->instr.flags);
   hd_print_char(p, ' ');
   if (a->var && a->var->name)
      hd_print_identifier(p, '$', a->var->name);
   else
      hd_print_literal(p, "$?");
   for (unsigned n = 0; n < a->instr.num_srcs && n < 2; n++) {
      hd_print_literal(p, ", ");
      hd_print_src(p, &a->src[n]);
   }
}

/* What stands after the `=`. */
static void
print_operation(struct printer *p, const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      print_op(p, hd_op_get_info((hd_op)i->op)->name, i);
      if (i->num_srcs <= HD_MAX_COMPONENTS)
         print_srcs(p, ((const hd_alu *)i)->src, i->num_srcs);
      return;
   case HD_INSTR_INTRINSIC:
      print_intrinsic(p, (const hd_intrinsic *)i);
      return;
   case HD_INSTR_JUMP:
      print_jump(p, (const hd_jump *)i);
      return;
   case HD_INSTR_CALL:
      print_call(p, (const hd_call *)i);
      return;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      print_var_access(p, (const hd_var_access *)i);
      return;
   case HD_INSTR_CONST:
      hd_print_literal(p, "const");
      print_flags(p, i->flags);
      print_const(p, (const hd_const *)i);
      return;
   case HD_INSTR_PHI:
      hd_print_literal(p, "phi");
      print_flags(p, i->flags);
      print_phi(p, (const hd_phi *)i);
      return;
   case HD_INSTR_UNDEF:
      hd_print_literal(p, "undef");
      print_flags(p, i->flags);
      return;
   case HD_INSTR_PARAM:
      hd_print_literal(p, "param");
      print_flags(p, i->flags);
      hd_print_char(p, ' ');
      hd_print_number(p, ((const hd_param *)i)->param_index);
      return;
   case HD_NUM_INSTR_KINDS:
      break;
   }
   hd_print_literal(p, "?");
}

void
hd_print_one_instr(struct printer *p, const hd_instr *i)
{
   if (i->def.bit_size) {
      hd_print_def(p, &i->def);
      hd_print_type(p, i->def.num_components, i->def.bit_size);
      hd_print_def_name(p, &i->def);
      hd_print_literal(p, " = ");
   }
   print_operation(p, i);
}
