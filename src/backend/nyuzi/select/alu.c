/* SPDX-License-Identifier: MIT */
/* alu.c - ALU ops: those on components of vectors; all others as the table of sequences says. */
#include "backend/nyuzi/select/expr.h"
#include "backend/nyuzi/select/sequence.h"

/* Components */

/* a where the condition is true, else b; these may be booleans. */
static val
choose(sel *s, const hd_def *def, val condition, val a, val b)
{
   if (def->bit_size != 1)
      return pick(s, condition, a, b);
   const val differ = hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b);
   const val taken = hd_nyuzi_logic(s, HD_NYUZI_AND, condition, differ);
   return hd_nyuzi_logic(s, HD_NYUZI_XOR, b, taken);
}

/* Whether the index is this component. */
static val
is_at(sel *s, val index, unsigned component)
{
   if (hd_nyuzi_is_constant(&index))
      return K(hd_nyuzi_constant(&index) == component ? HD_NYUZI_TRUE : 0);
   return eq(s, index, K(component));
}

static void
select_channel(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const hd_const *c = hd_src_as_const(&alu->src[1]);
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   const val index = hd_nyuzi_part(s, alu->src[1].def, 0);
   val parts[2];

   for (unsigned n = 0; n < num; n++) {
      parts[n] = K(0);
      for (unsigned k = 0; k < vector->num_components; k++) {
         const val part = hd_nyuzi_part(s, vector, k * num + n);
         if (!c)
            parts[n] = choose(s, vector, is_at(s, index, k), part, parts[n]);
         else if (c->value[0].u32 == k)
            parts[n] = part;
      }
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static void
select_insert(sel *s, const hd_alu *alu)
{
   const hd_def *vector = alu->src[0].def;
   const unsigned num = vector->bit_size == 64 ? 2 : 1;
   const val index = hd_nyuzi_part(s, alu->src[2].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < vector->num_components * num; n++) {
      const val old = hd_nyuzi_part(s, vector, n), put = hd_nyuzi_part(s, alu->src[1].def, n % num);
      const val is = is_at(s, index, n / num);
      parts[n] = choose(s, vector, is, put, old);
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

/* Each part by itself. */
static void
select_choice(sel *s, const hd_alu *alu)
{
   const val condition = hd_nyuzi_part(s, alu->src[0].def, 0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_nyuzi_num_parts(&alu->instr.def); n++) {
      const val a = hd_nyuzi_part(s, alu->src[1].def, n), b = hd_nyuzi_part(s, alu->src[2].def, n);
      parts[n] = choose(s, &alu->instr.def, condition, a, b);
   }
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static void
select_vec(sel *s, const hd_alu *alu)
{
   const unsigned step = alu->instr.def.bit_size == 64 ? 2 : 1;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_nyuzi_num_parts(&alu->instr.def); n++)
      parts[n] = hd_nyuzi_part(s, alu->src[n / step].def, n % step);
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static bool
moves_components(sel *s, const hd_alu *alu)
{
   switch ((hd_op)alu->instr.op) {
   case HD_OP_VEC:
      select_vec(s, alu);
      return true;
   case HD_OP_CHANNEL:
      select_channel(s, alu);
      return true;
   case HD_OP_INSERT_CHANNEL:
      select_insert(s, alu);
      return true;
   case HD_OP_SELECT:
      select_choice(s, alu);
      return true;
   default:
      return false;
   }
}

/* Sequences */

static val
value_of(sel *s, const hd_alu *alu, const val *steps, uint16_t ref)
{
   const unsigned n = ref & ~HD_NYUZI_REF_KINDS;

   switch (ref & HD_NYUZI_REF_KINDS) {
   case HD_NYUZI_STEP:
      return steps[n];
   case HD_NYUZI_CONSTANT:
      return K(hd_nyuzi_constants[n]);
   case HD_NYUZI_INPUT:
      return hd_nyuzi_part(s, alu->src[n / 16].def, n % 16);
   default:
      return (val){ 0 };
   }
}

static val
emit_step(sel *s, unsigned op, val a, val b, val c)
{
   switch (op) {
   case HD_NYUZI_STEP_CHOOSE:
      return pick(s, a, b, c);
   case HD_NYUZI_STEP_NOT:
      return hd_nyuzi_not(s, a);
   case HD_NYUZI_STEP_LOGIC_AND:
      return hd_nyuzi_logic(s, HD_NYUZI_AND, a, b);
   case HD_NYUZI_STEP_LOGIC_OR:
      return hd_nyuzi_logic(s, HD_NYUZI_OR, a, b);
   case HD_NYUZI_STEP_LOGIC_XOR:
      return hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b);
   default:
      return b.size ? hd_nyuzi_emit(s, op, a, b) : hd_nyuzi_emit(s, op, b, a);
   }
}

static void
emit_sequence(sel *s, const hd_alu *alu, const hd_nyuzi_sequence *row)
{
   val steps[HD_NYUZI_MAX_STEPS], parts[HD_NYUZI_MAX_RESULTS];

   for (unsigned n = 0; n < row->num; n++) {
      const hd_nyuzi_step *step = &hd_nyuzi_steps[row->first + n];
      val srcs[3];
      for (unsigned k = 0; k < 3; k++)
         srcs[k] = value_of(s, alu, steps, step->srcs[k]);
      steps[n] = emit_step(s, step->op, srcs[0], srcs[1], srcs[2]);
   }
   for (unsigned n = 0; n < HD_NYUZI_MAX_RESULTS; n++)
      parts[n] = value_of(s, alu, steps, row->results[n]);
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
}

static const hd_nyuzi_sequence *
find_sequence(unsigned op, unsigned from, unsigned to)
{
   uint32_t first = 0, num = hd_nyuzi_num_sequences;

   /* The rows of an op are few. */
   while (num) {
      const uint32_t half = num / 2;
      if (hd_nyuzi_sequences[first + half].op < op) {
         first += half + 1;
         num -= half + 1;
      } else {
         num = half;
      }
   }
   for (; first < hd_nyuzi_num_sequences && hd_nyuzi_sequences[first].op == op; first++) {
      const hd_nyuzi_sequence *row = &hd_nyuzi_sequences[first];
      if (row->from == from && row->to == to)
         return row;
   }
   return NULL;
}

/* Floats of 32 bits are read or written as numbers. */
static bool
is_float(const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   bool found = info->result.kind == HD_KIND_FLOAT && alu->instr.def.bit_size == 32;

   for (unsigned n = 0; n < alu->instr.num_srcs && n < info->num_srcs; n++)
      found |= info->src[n].kind == HD_KIND_FLOAT && alu->src[n].def->bit_size == 32;
   return found;
}

bool
hd_nyuzi_select_alu(sel *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;
   const unsigned from = alu->src[0].def->bit_size, to = alu->instr.def.bit_size;

   if (moves_components(s, alu))
      return true;
   if (is_float(alu) && s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return hd_mach_refuse(s->p, &alu->instr, "floats round to nearest and keep denormals");
   const hd_nyuzi_sequence *row = find_sequence(op, from, to);
   if (!row)
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of %u bits",
                            hd_op_get_info(op)->name, from == 1 ? to : from);
   emit_sequence(s, alu, row);
   return true;
}
