/* SPDX-License-Identifier: MIT */
/* alu.c - ALU ops: those on components of vectors; all others as the table of sequences says. */
#include "backend/nyuzi/select/expr.h"
#include "backend/nyuzi/select/sequence.h"
#include "heddle/op_enum.h"

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
   val parts[HD_MACH_MAX_RESULTS];

   if (moves_components(s, alu))
      return true;
   if (is_float(alu) && s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return hd_mach_refuse(s->p, &alu->instr, "floats round to nearest and keep denormals");
   if (!hd_nyuzi_run_sequence(s, op, from, to, alu->src, parts))
      return hd_mach_refuse(s->p, &alu->instr, "unsupported op %s of %u bits",
                            hd_op_get_info(op)->name, from == 1 ? to : from);
   hd_nyuzi_set_parts(s, &alu->instr.def, parts);
   return true;
}
