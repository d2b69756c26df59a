/* SPDX-License-Identifier: MIT */
/* function.c - translate function bodies to blocks: inlined calls, phis, jumps.
 *
 * The entry function and all that it calls become one flat function. A call is a record on an explicit
 * stack, so there is no recursion here; SPIR-V has none, and a recursive call is rejected. Labels are
 * translated in an order in which definitions come first (labels.c), each from its `head` to its `tail`,
 * with the blocks of calls etc. between. Unreachable labels are omitted. Phis are inserted when their
 * call is complete: then every edge and every source is known.
 */
#include "heddle/build_intrinsics.h"
#include "spirv/body.h"

/* Calls may make a module so many times its size, and any this large. */
#define GROWTH_PER_WORD 64u
#define GROWTH_AT_LEAST (1u << 18)

static void
name_block(struct spirv *s, hd_block *block, uint32_t id)
{
   const char *name = s->options->no_names ? NULL : hd_spirv_name(s, id);

   if (name)
      hd_block_set_name(s->b.function, block, name);
}

/* A failure of the builder has been reported, or is one of memory. */
static void
check_builder(struct spirv *s)
{
   if (s->b.result != HD_OK)
      hd_heap_fail(s->heap, s->b.result);
}

static hd_block *
new_block(struct spirv *s)
{
   hd_block *block = hd_builder_add_block(&s->b);

   check_builder(s);
   return block;
}

/* Calls */

/* Begin the next label; false if there is none. */
static bool
begin_label(struct spirv *s, uint32_t position)
{
   struct spirv_call *call = s->call;

   if (position == call->body->num_reachable)
      return false;
   struct spirv_label *label = &call->body->labels[call->body->order[position]];
   call->label = call->body->order[position];
   call->position = position;
   call->word = label->word;
   s->b.loc = 0;
   if (position)
      hd_builder_set_block(&s->b, label->head);
   return true;
}

/* Blocks for the labels of a call. The first one goes on where the builder stands. */
static void
make_blocks(struct spirv *s)
{
   struct spirv_call *call = s->call;

   if (s->structured)
      hd_spirv_declare_members(s);
   call->body->labels[0].head = hd_cursor_block(s->b.cursor);
   for (uint32_t n = 1; n < call->body->num_labels; n++) {
      struct spirv_label *label = &call->body->labels[n];
      label->head = label->tail = NULL;
      if (!label->reachable)
         continue;
      label->head = new_block(s);
      name_block(s, label->head, label->id);
   }
   /* One return is no jump, unless it stands in a loop that the call's rest is not in. */
   bool one = call->body->num_returns == 1;
   for (uint32_t n = 0; one && n < call->body->num_labels; n++) {
      const struct spirv_label *label = &call->body->labels[n];
      one = !label->reachable || !label->returns || label->loop == NONE;
   }
   if ((call->outer || hd_spirv_has_outputs(s)) && !one)
      call->exit = new_block(s);
   hd_spirv_declare_labels(s);
   if (call->exit)
      call->exit->loop_header = call->inside;
}

static struct spirv_call *
open_call(struct spirv *s, struct spirv_function *f)
{
   if (f->open)
      hd_spirv_invalid(s, "function %%%u is recursive, which is not supported", f->id);
   struct spirv_body *body = hd_spirv_body(s, f);
   struct spirv_call *call = hd_spirv_alloc(s, sizeof(*call));

   s->num_instrs += body->num_instrs;
   if (s->num_instrs > GROWTH_AT_LEAST + (uint64_t)GROWTH_PER_WORD * s->num_words)
      hd_spirv_unsupported(s, "inlining makes %llu instructions or more of %zu words",
                           (unsigned long long)s->num_instrs, s->num_words);
   call->outer = s->call;
   call->function = f;
   call->body = body;
   call->instr = s->at;
   call->loc = s->b.loc;
   call->inside = hd_spirv_inside(s);
   call->last_phi = &call->phis;
   f->open = true;
   return call;
}

/* What parameter `n` is called with. One that is a struct by value is a variable of the callee. */
static struct spirv_value *
argument(struct spirv *s, const struct spirv_function *f, uint32_t n, uint32_t value_id)
{
   const uint32_t id = f->params[n];
   struct spirv_value *value = hd_spirv_value(s, value_id);
   const struct spirv_type *t = f->type->members[n].type;

   if (!hd_spirv_types_match(value->type, t))
      hd_spirv_invalid(s, "argument %u has type %u, expected %u", n, value->type->id, t->id);
   if (t->kind != TYPE_POINTER ||
       !hd_spirv_has_attribute(s, id, SPV_FUNCTION_PARAMETER_ATTRIBUTE_BY_VAL))
      return value;
   if (value->kind == VALUE_DEF)
      value = hd_spirv_pointer_from_bits(s, t, value->def);
   struct spirv_value *copy = hd_spirv_make_variable(s, id, t);
   hd_spirv_store(s, copy->pointer, hd_spirv_load(s, value->pointer, 0), 0);
   return copy;
}

static void
begin_call(struct spirv *s, const struct spirv_instr *i)
{
   struct spirv_id *callee = hd_spirv_id(s, i->words[0]);

   if (callee->kind != ID_FUNCTION)
      hd_spirv_invalid(s, "%%%u is not a function", i->words[0]);
   struct spirv_function *f = callee->function;
   if (i->num_words - 1 != f->num_params)
      hd_spirv_invalid(s, "found %u arguments, function %%%u has %u parameters", i->num_words - 1,
                       f->id, f->num_params);
   struct spirv_call *call = open_call(s, f);
   struct spirv_value **args =
       hd_spirv_alloc(s, (f->num_params + 1u) * sizeof(struct spirv_value *));
   for (uint32_t n = 0; n < f->num_params; n++)
      args[n] = argument(s, f, n, i->words[1 + n]);

   s->call = call;
   call->label = 0;
   for (uint32_t n = 0; n < f->num_params; n++) {
      struct spirv_instr param = hd_spirv_fetch(s, hd_spirv_id(s, f->params[n])->word);
      hd_spirv_set(s, &param, args[n]);
   }
   make_blocks(s);
   begin_label(s, 0);
}

static void
begin_entry(struct spirv *s)
{
   struct spirv_id *entry = hd_spirv_id(s, s->entry);

   s->at = hd_spirv_fetch(s, s->entry_word);
   if (entry->kind != ID_FUNCTION)
      hd_spirv_invalid(s, "%%%u is not a function", s->entry);
   struct spirv_function *f = entry->function;
   struct spirv_call *call = open_call(s, f);
   s->call = call;
   call->label = 0;
   hd_spirv_begin_variables(s);
   if (f->num_params && !s->kernel)
      hd_spirv_invalid(s, "the entry point has parameters");
   for (uint32_t n = 0; n < f->num_params; n++) {
      struct spirv_instr param = hd_spirv_fetch(s, hd_spirv_id(s, f->params[n])->word);
      s->at = param;
      hd_spirv_set(s, &param, hd_spirv_kernel_argument(s, n, hd_spirv_result_type(s, &param)));
   }
   make_blocks(s);
   begin_label(s, 0);
}

/* Phis */

static struct spirv_value *
phi_leaf(struct spirv *s, const struct spirv_type *t, struct spirv_value *const *values, void *user)
{
   unsigned components, bits;

   (void)values;
   (void)user;
   hd_spirv_leaf_shape(s, t, &components, &bits);
   hd_phi *phi = hd_phi_create(s->shader, components, bits, 0);
   hd_heap_step(s->heap, 1);
   phi->instr.loc = s->b.loc;
   return hd_spirv_make_def(s, t, &phi->instr.def);
}

static struct spirv_value *
from_number(struct spirv *s, const struct spirv_type *t, struct spirv_value *const *values,
            void *user)
{
   (void)user;
   return hd_spirv_from_leaf(s, t, values[0]->def);
}

/* Phis of pointers are of numbers; what the rest of the function sees are pointers made of these.
 */
static struct spirv_value *
from_numbers(struct spirv *s, struct spirv_value *numbers)
{
   if (hd_spirv_type_is_leaf(numbers->type))
      return numbers;
   return hd_spirv_map(s, numbers->type, 1, &numbers, from_number, NULL);
}

static void
make_phi(struct spirv *s, const struct spirv_instr *i)
{
   struct spirv_call *call = s->call;
   const struct spirv_label *label = &call->body->labels[call->label];
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   if (i->num_words % 2)
      hd_spirv_invalid(s, "a phi has a value without a predecessor");
   /* One way in: no choice. */
   if (label->num_preds == 1) {
      for (uint32_t n = 0; n < i->num_words; n += 2) {
         if (hd_spirv_label(s, call->body, i->words[n + 1]) == label->pred) {
            hd_spirv_set(s, i, hd_spirv_value(s, i->words[n]));
            return;
         }
      }
   }
   struct spirv_phi *phi = hd_spirv_alloc(s, sizeof(*phi));
   phi->instr = *i;
   phi->label = call->label;
   phi->loc = s->b.loc;
   phi->value = hd_spirv_map(s, t, 0, NULL, phi_leaf, NULL);
   *call->last_phi = phi;
   call->last_phi = &phi->next;
   hd_spirv_set(s, i, from_numbers(s, phi->value));
}

/* The place of each predecessor of a block among its predecessors. */
static void
find_places(struct spirv *s, const hd_block *block)
{
   uint32_t num = s->b.function->num_blocks;

   if (num > s->num_places) {
      uint32_t grown = num * 2;
      struct spirv_pred_place *places = hd_spirv_alloc(s, grown * sizeof(*places));
      if (s->num_places)
         memcpy(places, s->places, s->num_places * sizeof(*places));
      s->places = places;
      s->num_places = grown;
   }
   s->place_stamp++;
   for (uint32_t n = 0; n < block->num_preds; n++)
      s->places[block->preds[n].from->node.index] = (struct spirv_pred_place){ s->place_stamp, n };
}

struct phi_source {
   hd_block *pred;
   uint32_t place;
};

/* Give the leaf of a phi the leaf of a source. */
static struct spirv_value *
source_leaf(struct spirv *s, const struct spirv_type *t, struct spirv_value *const *values,
            void *user)
{
   const struct phi_source *from = user;
   hd_phi *phi = hd_instr_as_phi(hd_def_instr(values[0]->def));
   hd_def *def = hd_spirv_leaf(s, values[1]);
   hd_src *src = &phi->srcs[from->place].src;

   (void)t;
   check_builder(s);
   if (def->num_components != phi->instr.def.num_components ||
       def->bit_size != phi->instr.def.bit_size)
      hd_spirv_invalid(s, "a source is %u x %u bits, the phi %u x %u", def->num_components,
                       def->bit_size, phi->instr.def.num_components, phi->instr.def.bit_size);
   src->def = def;
   hd_src_link(src);
   return values[0];
}

static struct spirv_value *
insert_leaf(struct spirv *s, const struct spirv_type *t, struct spirv_value *const *values,
            void *user)
{
   hd_block *block = user;
   hd_phi *phi = hd_instr_as_phi(hd_def_instr(values[0]->def));
   hd_instr *after = s->last_phi && s->last_phi->block == block ? s->last_phi : NULL;

   (void)t;
   hd_heap_step(s->heap, block->num_preds);
   hd_instr_link(block, after, &phi->instr);
   s->last_phi = &phi->instr;
   if (!hd_phi_reserve(phi, block->num_preds))
      hd_heap_fail(s->heap, HD_OUT_OF_MEMORY);
   for (uint32_t n = 0; n < block->num_preds; n++) {
      hd_src_init(&phi->srcs[n].src, HD_SLOT_WIDE, NULL);
      phi->srcs[n].instr = &phi->instr;
   }
   phi->num_srcs = block->num_preds;
   return values[0];
}

/* Translators from LLVM list a predecessor once for each of its edges, with the same value. */
static bool
is_repeated(struct spirv *s, const struct spirv_phi *p, uint32_t at)
{
   const uint32_t *words = p->instr.words;

   hd_heap_step(s->heap, at);
   for (uint32_t n = 0; n < at; n += 2) {
      if (words[n] == words[at] && words[n + 1] == words[at + 1])
         return true;
   }
   return false;
}

static void
fill_phi(struct spirv *s, const struct spirv_phi *p)
{
   struct spirv_body *body = s->call->body;
   hd_block *block = body->labels[p->label].head;
   struct spirv_value *values[2] = { p->value, NULL };
   uint32_t num = 0;

   s->at = p->instr;
   hd_spirv_map(s, p->value->type, 1, values, insert_leaf, block);
   for (uint32_t n = 0; n < p->instr.num_words; n += 2) {
      uint32_t from = hd_spirv_label(s, body, p->instr.words[n + 1]);
      struct spirv_label *label = &body->labels[from];
      struct phi_source source = { label->tail, 0 };
      if (!label->reachable)
         continue;
      struct spirv_pred_place *place = &s->places[label->tail->node.index];
      if (place->stamp != s->place_stamp) {
         if (is_repeated(s, p, n))
            continue;
         hd_spirv_invalid(s, "%%%u is not a predecessor, or is listed twice with other values",
                          label->id);
      }
      source.place = place->place;
      place->stamp = 0;
      num++;
      s->call->label = from;
      values[1] = hd_spirv_value_at_end(s, p->instr.words[n]);
      if (!hd_spirv_types_match(values[1]->type, p->value->type))
         hd_spirv_invalid(s, "%%%u has type %u, the phi %u", p->instr.words[n], values[1]->type->id,
                          p->value->type->id);
      s->b.cursor = hd_before_jump(label->tail);
      s->b.dropped = false;
      hd_spirv_map(s, p->value->type, 2, values, source_leaf, &source);
   }
   if (num != block->num_preds)
      hd_spirv_invalid(s, "expected values for %u predecessors, found %u", block->num_preds, num);
}

static void
fill_phis(struct spirv *s)
{
   uint32_t loc = s->b.loc;

   for (const struct spirv_phi *p = s->call->phis; p; p = p->next) {
      find_places(s, s->call->body->labels[p->label].head);
      s->b.loc = p->loc;
      fill_phi(s, p);
   }
   s->b.loc = loc;
}

/* Jumps */

static void
end_label(struct spirv *s)
{
   struct spirv_call *call = s->call;

   call->body->labels[call->label].tail = hd_cursor_block(s->b.cursor);
}

static hd_block *
target(struct spirv *s, uint32_t id)
{
   const struct spirv_body *body = s->call->body;
   const struct spirv_label *label = &body->labels[hd_spirv_label(s, body, id)];

   return label->trap ? NULL : label->head;
}

/* No lane gets here, so that any end will do. */
static void
end_trap(struct spirv *s)
{
   hd_return(&s->b, NULL);
}

static void
branch_if(struct spirv *s, const struct spirv_instr *i)
{
   hd_block *yes = target(s, i->words[1]), *no = target(s, i->words[2]);
   hd_def *cond = hd_spirv_ssa(s, i->words[0]);

   if (cond->num_components != 1 || cond->bit_size != 1)
      hd_spirv_invalid(s, "expected a boolean condition");
   if (yes && no)
      hd_goto_if(&s->b, cond, yes, no);
   else if (yes || no)
      hd_goto(&s->b, yes ? yes : no);
   else
      end_trap(s);
}

/* A literal of fewer than 32 bits is extended to that many. */
static uint64_t
case_value(const uint32_t *words, unsigned num_words, unsigned bits)
{
   uint64_t value = words[0];

   if (num_words == 2)
      value |= (uint64_t)words[1] << 32;
   return bits < 64 ? value & ((UINT64_C(1) << bits) - 1) : value;
}

static void
branch_switch(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *selector = hd_spirv_ssa(s, i->words[0]);
   unsigned words = hd_spirv_case_words(s, i);
   uint32_t max = (i->num_words - 2) / (words + 1), num = 0;
   hd_stack_mark mark = hd_stack_get_mark(s->stack);
   uint64_t *values = hd_stack_alloc(s->stack, (max + 1) * sizeof(*values));
   hd_block **targets = hd_stack_alloc(s->stack, (max + 1) * sizeof(*targets));
   hd_block *otherwise = target(s, i->words[1]);

   if (selector->num_components != 1)
      hd_spirv_invalid(s, "expected a scalar selector");
   for (uint32_t n = 0; n < max; n++) {
      const uint32_t *at = i->words + 2 + n * (words + 1);
      hd_block *to = target(s, at[words]);
      values[num] = case_value(at, words, selector->bit_size);
      targets[num] = to;
      num += to != NULL;
   }
   /* Where the default is never taken, the last case needs no test. */
   if (!otherwise && num)
      otherwise = targets[--num];
   if (!otherwise)
      end_trap(s);
   else if (!num)
      hd_goto(&s->b, otherwise);
   else
      hd_switch(&s->b, selector, otherwise, num, values, targets);
   hd_stack_release(s->stack, mark);
}

static void
return_from(struct spirv *s, struct spirv_value *value)
{
   struct spirv_call *call = s->call;

   if (!call->outer) {
      if (value)
         hd_spirv_invalid(s, "the entry point returns a value");
      if (!hd_spirv_has_outputs(s)) {
         hd_return(&s->b, NULL);
         return;
      }
   }
   if (!value != (call->function->type->element->kind == TYPE_VOID))
      hd_spirv_invalid(s, value ? "the function returns nothing" : "the function returns a value");
   if (value)
      hd_spirv_expect_type(s, "the value", value->type, call->function->type->element);
   struct spirv_return *r = hd_spirv_alloc(s, sizeof(*r));
   r->block = hd_cursor_block(s->b.cursor);
   r->value = value;
   r->next = call->returns;
   call->returns = r;
   if (call->exit)
      hd_goto(&s->b, call->exit);
   else
      s->b.dropped = true;
}

static struct spirv_value *
merge_results(struct spirv *s, const struct spirv_call *call, const struct spirv_type *t)
{
   struct spirv_value *values[2];

   if (!call->returns)
      return hd_spirv_make_undef(s, t);
   if (!call->exit || !call->returns->next)
      return call->returns->value;
   values[0] = hd_spirv_map(s, t, 0, NULL, phi_leaf, NULL);
   hd_spirv_map(s, t, 1, values, insert_leaf, call->exit);
   find_places(s, call->exit);
   for (const struct spirv_return *r = call->returns; r; r = r->next) {
      struct phi_source source = { r->block, s->places[r->block->node.index].place };
      s->b.cursor = hd_before_jump(r->block);
      values[1] = r->value;
      hd_spirv_map(s, t, 2, values, source_leaf, &source);
   }
   s->b.cursor = hd_after_block(call->exit);
   return from_numbers(s, values[0]);
}

/* All labels of a call are translated: go on after it. */
static void
end_call(struct spirv *s)
{
   struct spirv_call *call = s->call;

   fill_phis(s);
   hd_spirv_declare_continues(s);
   call->function->open = false;
   s->call = call->outer;
   if (!call->outer) {
      if (hd_spirv_has_outputs(s)) {
         hd_builder_set_block(&s->b, call->exit ? call->exit : call->returns->block);
         hd_spirv_store_outputs(s);
         hd_return(&s->b, NULL);
      }
      return;
   }
   const struct spirv_type *t = call->function->type->element;
   s->at = call->instr;
   s->b.loc = call->loc;
   hd_builder_set_block(&s->b, call->exit ? call->exit : call->returns->block);
   struct spirv_value *result = t->kind == TYPE_VOID ? NULL : merge_results(s, call, t);
   if (result)
      hd_spirv_set(s, &call->instr, result);
   else if (hd_spirv_result_type(s, &call->instr)->kind != TYPE_VOID)
      hd_spirv_invalid(s, "the function returns nothing");
}

/* Instructions */

/* Bits of LoopControl. */
#define LOOP_UNROLL        1u
#define LOOP_DONT_UNROLL   2u
#define LOOP_HAVE_LITERAL  0xf8u /* lower than PartialCount, and followed by a number */
#define LOOP_PARTIAL_COUNT 0x100u

/* What a loop control asks for. The numbers follow the bits, in the order of these. A loop is unrolled
 * fully or not at all: to unroll it by one is not to.
 */
static uint8_t
unroll_of(const struct spirv_instr *i)
{
   const uint32_t control = i->words[2];
   uint32_t at = 3;

   for (uint32_t left = control & LOOP_HAVE_LITERAL; left; left &= left - 1)
      at++;
   if (control & LOOP_PARTIAL_COUNT && at < i->num_words)
      return i->words[at] == 1 ? HD_UNROLL_NEVER : HD_UNROLL_AUTO;
   return control & LOOP_DONT_UNROLL ? HD_UNROLL_NEVER
          : control & LOOP_UNROLL    ? HD_UNROLL_ALWAYS
                                     : HD_UNROLL_AUTO;
}

static void
flow(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_PHI:
      make_phi(s, i);
      return;
   case SPV_OP_FUNCTION_CALL:
      begin_call(s, i);
      return;
   case SPV_OP_SELECTION_MERGE:
      return;
   case SPV_OP_LOOP_MERGE:
      s->call->body->labels[s->call->label].head->unroll = unroll_of(i);
      return;
   case SPV_OP_DEMOTE_TO_HELPER_INVOCATION:
      if (s->shader->stage != HD_STAGE_FRAGMENT)
         hd_spirv_invalid(s, "expected a fragment shader");
      hd_demote(&s->b);
      return;
   default:
      break;
   }
   end_label(s);
   switch (i->opcode) {
   case SPV_OP_BRANCH: {
      hd_block *to = target(s, i->words[0]);
      if (to)
         hd_goto(&s->b, to);
      else
         end_trap(s);
      break;
   }
   case SPV_OP_BRANCH_CONDITIONAL:
      branch_if(s, i);
      break;
   case SPV_OP_SWITCH:
      branch_switch(s, i);
      break;
   case SPV_OP_RETURN:
      return_from(s, NULL);
      break;
   case SPV_OP_RETURN_VALUE:
      return_from(s, hd_spirv_value(s, i->words[0]));
      break;
   case SPV_OP_KILL:
   case SPV_OP_TERMINATE_INVOCATION:
      hd_spirv_kill(s);
      break;
   case SPV_OP_UNREACHABLE:
      end_trap(s);
      break;
   default:
      hd_spirv_unsupported(s, "this instruction is not supported");
   }
   if (!begin_label(s, s->call->position + 1))
      end_call(s);
}

static void
ext_inst(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_id *set = hd_spirv_id(s, i->words[0]);

   if (set->kind != ID_EXT_SET)
      hd_spirv_invalid(s, "%%%u is not an extended instruction set", i->words[0]);
   switch (set->ext_set) {
   case EXT_GLSL:
      hd_spirv_ext_glsl(s, i, i->words[1], i->words + 2, i->num_words - 2);
      break;
   case EXT_OPENCL:
      hd_spirv_ext_opencl(s, i, i->words[1], i->words + 2, i->num_words - 2);
      break;
   case EXT_TRINARY:
   case EXT_GCN_SHADER:
   case EXT_BALLOT:
      hd_spirv_ext_amd(s, set->ext_set, i, i->words[1], i->words + 2, i->num_words - 2);
      break;
   case EXT_NON_SEMANTIC:
      break;
   case EXT_DEBUG_INFO:
      hd_spirv_debug_info(s, i);
      break;
   default:
      hd_spirv_unsupported(s, "the set \"%.100s\" is not supported",
                           hd_spirv_string(s, set->word + 2));
   }
}

/* OpBitcast to or from a pointer. */
static bool
casts_pointer(struct spirv *s, const struct spirv_instr *i)
{
   return i->opcode == SPV_OP_BITCAST &&
          (hd_spirv_result_type(s, i)->kind == TYPE_POINTER ||
           hd_spirv_value(s, i->words[0])->type->kind == TYPE_POINTER);
}

/* What has operands and a result, and does nothing else: constant expressions, too. */
static void
compute(struct spirv *s, const struct spirv_instr *i)
{
   const uint8_t room = hd_spirv_opcode(i->opcode)->room;

   if (room == SPIRV_ROOM_COMPOSITE)
      hd_spirv_composite(s, i);
   else if (room == SPIRV_ROOM_POINTER || casts_pointer(s, i))
      hd_spirv_pointer_instr(s, i);
   else
      hd_spirv_alu(s, i);
}

static void
translate(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_opcode *op = hd_spirv_opcode(i->opcode);
   const hd_spirv_options *options = s->options;

   if (options->locate_words)
      hd_set_location(&s->b, options->file_name ? options->file_name : "", i->word, 0);
   switch (op->room) {
   case SPIRV_ROOM_IGNORE:
      break;
   case SPIRV_ROOM_DEBUG:
      hd_spirv_debug(s, i);
      break;
   case SPIRV_ROOM_FLOW:
      flow(s, i);
      break;
   case SPIRV_ROOM_VARIABLE:
      hd_spirv_function_variable(s, i);
      break;
   case SPIRV_ROOM_COMPOSITE:
   case SPIRV_ROOM_ALU:
   case SPIRV_ROOM_POINTER:
      compute(s, i);
      break;
   case SPIRV_ROOM_LANES:
      hd_spirv_lanes(s, i);
      break;
   case SPIRV_ROOM_MEMORY:
      hd_spirv_memory(s, i);
      break;
   case SPIRV_ROOM_ATOMIC:
      hd_spirv_atomic(s, i);
      break;
   case SPIRV_ROOM_IMAGE:
      hd_spirv_image_instr(s, i);
      break;
   case SPIRV_ROOM_EXT:
      ext_inst(s, i);
      break;
   case SPIRV_ROOM_UNSUPPORTED:
      hd_spirv_unsupported(s, "%s is not supported", hd_spirv_reasons + op->extra);
   default:
      hd_spirv_invalid(s, "it must not be in a function");
   }
}

/* What a module asks for need not be for its stage. */
static void
check_stage(struct spirv *s)
{
   s->at = hd_spirv_fetch(s, s->entry_word);
   if (s->shader->shared_size)
      hd_spirv_invalid(s, "the stage has no memory of a workgroup");
   hd_foreach_block(block, s->b.function) {
      hd_foreach_instr(i, block) {
         hd_heap_step(s->heap, 1);
         if (i->kind != HD_INSTR_INTRINSIC)
            continue;
         const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
         if (!(info->stages >> s->shader->stage & 1))
            hd_spirv_invalid(s, "it uses %s, which the stage does not have", info->name);
      }
   }
}

void
hd_spirv_build(struct spirv *s)
{
   s->last_block = s->b.function->body.last;
   s->compute = compute;
   begin_entry(s);
   while (s->call) {
      s->at = hd_spirv_fetch(s, s->call->word);
      s->call->word = hd_spirv_next_word(s, s->call->word);
      hd_heap_step(s->heap, 1);
      translate(s, &s->at);
      if (s->call && s->structured)
         hd_spirv_declare_members(s);
      check_builder(s);
   }
   if (s->structured)
      hd_spirv_check_declarations(s);
   hd_spirv_place_kills(s);
   if (hd_spirv_has_outputs(s))
      check_stage(s);
}
