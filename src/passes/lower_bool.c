/* SPDX-License-Identifier: MIT */
/* lower_bool.c - widen 1-bit values to integers, except compare results and branch conditions.
 *
 *    %3:1 = iand %1, %2           =>    %3:32 = iand %1', %2'      %1' = ineg (b2i %1) ...
 *    if %3 { ... }                      if (ine %3, 0) { ... }
 *    %4:1 = phi b0: %1, b1: %2          %4:32 = phi b0: %1', b1: %2'
 *
 * For machines without 1-bit registers. True is all ones, or 1 with the option `ones` off. These
 * stay 1-bit: the results of compares and of cross-lane operations, and the operands of branches
 * and selects. Each value is converted at most once in either direction. Phis, variables,
 * parameters, results and arguments change their size in place, so callers and callees agree again
 * when all functions have been through the pass.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    ine (ineg (b2i x)), 0 to opt_algebraic; unused conversions to opt_dce.
 * Tests:     tests/passes/lower_bool.hd, tests/passes/test_lower_ops.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"

#include <assert.h>

struct state {
   hd_builder b;
   hd_function *f;
   bool ones;
   hd_def **number; /* by value that was there before: its number, NULL until it is needed */
   uint32_t num_values;
   hd_instr **anchors; /* by block: the last of what was put after its phis and parameters */
};

static bool
is_bool(const hd_def *def)
{
   return def->bit_size == 1;
}

static hd_def *
imm_like(struct state *s, const hd_def *like, bool value)
{
   return hd_lower_imm(&s->b, like->num_components, 32, value ? s->ones ? UINT32_MAX : 1 : 0);
}

/* Stand right after a definition. */
static hd_instr **
go_behind(struct state *s, hd_instr *i)
{
   if (i->kind != HD_INSTR_PHI && i->kind != HD_INSTR_PARAM) {
      s->b.cursor = hd_after_instr(i);
      return NULL;
   }
   hd_instr **anchor = &s->anchors[i->block->node.index];
   s->b.cursor = *anchor ? hd_after_instr(*anchor) : hd_after_phis(i->block);
   return anchor;
}

static hd_def *
to_number(struct state *s, hd_def *b1)
{
   hd_def *n = hd_b2i(&s->b, b1, 32);

   return s->ones ? hd_ineg(&s->b, n) : n;
}

static hd_def *
to_bool(struct state *s, hd_def *n)
{
   hd_def *zero = hd_lower_imm_like(&s->b, n, 0);

   return hd_ine(&s->b, n, zero);
}

/* The number of a value of 1 bit, made right after it. One that was made here is the answer of
 * to_bool.
 */
static hd_def *
number_of(struct state *s, hd_def *def)
{
   const hd_cursor here = s->b.cursor;

   if (def->index >= s->num_values)
      return hd_instr_src(hd_def_instr(def), 0)->def;
   hd_def **known = &s->number[def->index];
   if (*known)
      return *known;
   hd_instr **anchor = go_behind(s, hd_def_instr(def));
   *known = to_number(s, def);
   if (anchor)
      *anchor = hd_def_instr(*known);
   s->b.cursor = here;
   return *known;
}

/* A value of 1 bit that becomes one of 32 where it stands: who reads it reads a question about it,
 * and code that wants the number has it.
 */
static void
widen(struct state *s, hd_instr *i)
{
   hd_def *def = &i->def;

   hd_instr **anchor = go_behind(s, i);
   hd_instr *stand_in = hd_undef_create(s->f->shader, def->num_components, 1);
   hd_instr_insert(s->b.cursor, stand_in);
   hd_def_replace_uses(def, &stand_in->def);
   def->bit_size = 32;
   s->b.cursor = hd_after_instr(stand_in);
   hd_def *answer = to_bool(s, def);
   hd_def_replace_uses(&stand_in->def, answer);
   hd_instr_remove(stand_in);
   if (anchor)
      *anchor = hd_def_instr(answer);
}

/* What is defined otherwise than by an op. */
static void
widen_definitions(struct state *s)
{
   hd_foreach_var(var, s->f) {
      if (var->bit_size == 1)
         var->bit_size = 32;
   }
   if (s->f->result_bits == 1)
      hd_function_set_result(s->f, s->f->result_components, 32);
   hd_foreach_block(block, s->f) {
      hd_foreach_instr_safe(i, block) {
         const bool defines = i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM ||
                              i->kind == HD_INSTR_CALL || i->kind == HD_INSTR_LOAD_VAR;
         if (defines && is_bool(&i->def))
            widen(s, i);
      }
   }
}

/* Logic */

static hd_def *
opposite(struct state *s, hd_def *n)
{
   if (s->ones)
      return hd_inot(&s->b, n);
   hd_def *one = imm_like(s, n, true);
   return hd_ixor(&s->b, n, one);
}

static void
lower_logic(struct state *s, hd_instr *i)
{
   hd_def *x[3] = { NULL }, *result;
   const unsigned num = i->num_srcs;

   assert(num > 0);
   s->b.cursor = hd_before_instr(i);
   s->b.loc = i->loc;
   for (unsigned n = 0; n < num; n++) {
      x[n] = hd_instr_src(i, n)->def;
      if (n || i->op != HD_OP_SELECT)
         x[n] = number_of(s, x[n]);
   }
   switch (i->op) {
   case HD_OP_IAND:
      result = hd_iand(&s->b, x[0], x[1]);
      break;
   case HD_OP_IOR:
      result = hd_ior(&s->b, x[0], x[1]);
      break;
   case HD_OP_INOT:
      result = opposite(s, x[0]);
      break;
   case HD_OP_SELECT:
      result = hd_select(&s->b, x[0], x[1], x[2]);
      break;
   default: /* ixor, ine, ieq */
      result = hd_ixor(&s->b, x[0], x[1]);
      if (i->op == HD_OP_IEQ)
         result = opposite(s, result);
      break;
   }
   hd_lower_replace(i, to_bool(s, result), s->num_values);
}

/* What carries a value on carries its number. */
static void
rewrite_carrier(struct state *s, hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_JUMP:
      if (i->op != HD_JUMP_RETURN)
         return;
      break;
   case HD_INSTR_PHI:
   case HD_INSTR_CALL:
   case HD_INSTR_STORE_VAR:
      break;
   default:
      return;
   }
   s->b.loc = i->loc;
   hd_foreach_src(src, i) {
      if (is_bool(src->def))
         hd_src_set_def(src, number_of(s, src->def));
   }
}

bool
hd_lower_bool(hd_function *f, const lower_bool_options *o)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f, .ones = o->ones };
   bool found = f->result_bits == 1;

   hd_foreach_var(var, f) {
      found |= var->bit_size == 1;
   }
   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         found |= (hd_instr_constructs(i) & HD_LOWERED_BOOL) != 0;
         pass_step(f, 1 + hd_instr_num_srcs(i));
      }
   }
   if (!found)
      return hd_progress(f, false, LOWER_BOOL_KEEPS);
   s.b = hd_builder_at(hd_before_block(hd_function_start(f)));
   s.num_values = f->num_defs;
   s.number = hd_stack_alloc_zero(stack, s.num_values * sizeof(hd_def *));
   s.anchors = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(hd_instr *));
   widen_definitions(&s);
   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         if (i->kind == HD_INSTR_ALU && i->def.index < s.num_values &&
             hd_instr_constructs(i) & HD_LOWERED_BOOL)
            lower_logic(&s, i);
      }
   }
   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         rewrite_carrier(&s, i);
      }
   }
   assert(s.b.result == HD_OK);
   return hd_progress(f, true, LOWER_BOOL_KEEPS);
}
