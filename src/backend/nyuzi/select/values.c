/* SPDX-License-Identifier: MIT */
/* values.c - instruction selection: operands of IR values, and emitting instructions on them. */
#include <string.h>

#include "backend/nyuzi/select/expr.h"
#include "heddle/analysis.h"

val
hd_nyuzi_new(sel *s, hd_nyuzi_file file)
{
   return hd_mach_operand_temp(s->base.p, hd_mach_temp_create(s->base.p, file, 1, 0));
}

val
hd_nyuzi_new_mask(sel *s)
{
   return hd_mach_operand_temp(
       s->base.p, hd_mach_temp_create(s->base.p, HD_NYUZI_SCALAR, 1, HD_MACH_TEMP_MASK));
}

bool
hd_nyuzi_is_vector(const sel *s, val v)
{
   return hd_mach_is_temp(&v) && hd_mach_is_vector(s->base.p, v.value);
}

bool
hd_nyuzi_is_mask(const sel *s, val v)
{
   return hd_mach_is_temp(&v) && s->base.p->temps[v.value].flags & HD_MACH_TEMP_MASK;
}

val
hd_nyuzi_in_scalar(sel *s, val v)
{
   const uint32_t here = s->base.block->index + 1;

   if (!hd_nyuzi_is_constant(&v))
      return v;
   const uint32_t bits = hd_nyuzi_constant(&v);
   for (unsigned n = 0; n < HD_NYUZI_CACHED_CONSTANTS; n++) {
      if (s->constants[n].block == here && s->constants[n].bits == bits)
         return s->constants[n].operand;
   }
   const val d = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_mach_selector_emit(&s->base, HD_NYUZI_P_CONST, 1, &d, 0, NULL)->imm = (int32_t)bits;
   s->constants[s->next_constant].bits = bits;
   s->constants[s->next_constant].block = here;
   s->constants[s->next_constant].operand = d;
   s->next_constant = (s->next_constant + 1) % HD_NYUZI_CACHED_CONSTANTS;
   return d;
}

/* What fits into any form of an immediate, or else a register. */
static val
as_operand(sel *s, val v)
{
   if (hd_nyuzi_is_constant(&v) && hd_nyuzi_fits(HD_NYUZI_FORM_SI, (int32_t)hd_nyuzi_constant(&v)))
      return v;
   return hd_nyuzi_in_scalar(s, v);
}

val
hd_nyuzi_in_vector(sel *s, val v)
{
   if (hd_nyuzi_is_vector(s, v))
      return v;
   const val d = hd_nyuzi_new(s, HD_NYUZI_VECTOR), src = as_operand(s, v);
   hd_mach_selector_emit(&s->base, HD_NYUZI_MOVE, 1, &d, 1, &src);
   return d;
}

val
hd_nyuzi_of_first_lane(sel *s, val v)
{
   if (!hd_nyuzi_is_vector(s, v))
      return v;
   const val lane = ctz(s, hd_nyuzi_reg(HD_NYUZI_EXEC)), d = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_mach_selector_emit(&s->base, HD_NYUZI_GETLANE, 1, &d, 2, (val[]){ v, lane });
   return d;
}

/* The compare with its operands swapped. */
static unsigned
mirrored(unsigned op)
{
   static const uint16_t pairs[][2] = {
      { HD_NYUZI_CMPGT_I, HD_NYUZI_CMPLT_I }, { HD_NYUZI_CMPGE_I, HD_NYUZI_CMPLE_I },
      { HD_NYUZI_CMPGT_U, HD_NYUZI_CMPLT_U }, { HD_NYUZI_CMPGE_U, HD_NYUZI_CMPLE_U },
      { HD_NYUZI_CMPGT_F, HD_NYUZI_CMPLT_F }, { HD_NYUZI_CMPGE_F, HD_NYUZI_CMPLE_F },
   };

   for (size_t n = 0; n < sizeof(pairs) / sizeof(pairs[0]); n++) {
      if (pairs[n][0] == op)
         return pairs[n][1];
      if (pairs[n][1] == op)
         return pairs[n][0];
   }
   return hd_nyuzi_op_infos[op].mach.flags & HD_MACH_COMMUTES ? op : HD_MACH_OP_NONE;
}

/* The second operand is what can be a scalar, or an immediate. Compares read as who wrote them
 * began: with what was there first.
 */
static bool
should_swap(const sel *s, unsigned op, val a, val b)
{
   if (hd_nyuzi_is_vector(s, a) != hd_nyuzi_is_vector(s, b))
      return hd_nyuzi_is_vector(s, b);
   if (hd_nyuzi_is_constant(&a) || hd_nyuzi_is_constant(&b))
      return !hd_nyuzi_is_constant(&b);
   return hd_nyuzi_op_infos[op].shape == HD_NYUZI_SHAPE_COMPARE && hd_mach_is_temp(&a) &&
          hd_mach_is_temp(&b) && b.value < a.value;
}

val
hd_nyuzi_emit(sel *s, unsigned op, val a, val b)
{
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[op];
   const bool vector = hd_nyuzi_is_vector(s, a) || hd_nyuzi_is_vector(s, b);
   const bool compare = info->shape == HD_NYUZI_SHAPE_COMPARE;
   if (a.size && mirrored(op) != HD_MACH_OP_NONE && should_swap(s, op, a, b)) {
      const val swap = a;
      a = b, b = swap;
      op = mirrored(op);
   }
   const bool keeps = op == HD_NYUZI_ADD_I || op == HD_NYUZI_SUB_I || op == HD_NYUZI_SHL;
   if (keeps && hd_nyuzi_is_constant(&b) && !hd_nyuzi_constant(&b))
      return a;
   b = info->code < 32 ? as_operand(s, b) : hd_nyuzi_in_scalar(s, b);
   const hd_nyuzi_file file = vector && !compare ? HD_NYUZI_VECTOR : HD_NYUZI_SCALAR;
   const val d = compare && vector ? hd_nyuzi_new_mask(s) : hd_nyuzi_new(s, file);
   if (!a.size) {
      hd_mach_selector_emit(&s->base, op, 1, &d, 1, &b);
      return d;
   }
   a = vector ? hd_nyuzi_in_vector(s, a) : hd_nyuzi_in_scalar(s, a);
   hd_mach_selector_emit(&s->base, op, 1, &d, 2, (val[]){ a, b });
   return d;
}

val
hd_nyuzi_logic(sel *s, unsigned op, val a, val b)
{
   const bool mask = hd_nyuzi_is_mask(s, a) || hd_nyuzi_is_mask(s, b);
   const val d = mask ? hd_nyuzi_new_mask(s) : hd_nyuzi_new(s, HD_NYUZI_SCALAR);

   a = hd_nyuzi_in_scalar(s, a);
   b = hd_nyuzi_in_scalar(s, b);
   hd_mach_selector_emit(&s->base, op, 1, &d, 2, (val[]){ a, b });
   return d;
}

/* A uniform one stays 0xffff or 0. */
val
hd_nyuzi_not(sel *s, val a)
{
   if (!hd_nyuzi_is_mask(s, a))
      return eq(s, a, K(0));
   const val d = hd_nyuzi_new_mask(s);
   hd_mach_selector_emit(&s->base, HD_NYUZI_XOR, 1, &d, 2, (val[]){ a, K(-1) });
   return d;
}

val
hd_nyuzi_active(sel *s, val boolean)
{
   return hd_nyuzi_logic(s, HD_NYUZI_AND, boolean, hd_nyuzi_reg(HD_NYUZI_EXEC));
}

val
hd_nyuzi_choose(sel *s, val condition, val a, val b)
{
   if (hd_nyuzi_is_constant(&condition))
      return hd_nyuzi_constant(&condition) ? a : b;
   if (!hd_nyuzi_is_mask(s, condition) && !hd_nyuzi_is_vector(s, a) && !hd_nyuzi_is_vector(s, b)) {
      const val all = sext16(s, condition);
      if (hd_nyuzi_is_constant(&b) && !hd_nyuzi_constant(&b))
         return and(s, a, all);
      return xor(s, b, and(s, xor(s, a, b), all));
   }
   const val d = hd_nyuzi_new(s, HD_NYUZI_VECTOR);
   b = hd_nyuzi_in_vector(s, b);
   a = as_operand(s, a);
   hd_mach_selector_emit(&s->base, HD_NYUZI_P_SELECT, 1, &d, 3, (val[]){ b, condition, a });
   return d;
}

/* Values of the IR */

/* As the divergence of the value asks for it. */
static val
boolean_of(sel *s, val part, bool divergent)
{
   if (hd_nyuzi_is_constant(&part) || divergent == hd_nyuzi_is_mask(s, part))
      return part;
   if (!divergent)
      return ne(s, hd_nyuzi_active(s, part), K(0));
   const val d = hd_nyuzi_new_mask(s);
   hd_mach_selector_emit(&s->base, HD_NYUZI_MOVE, 1, &d, 1, &part);
   return d;
}

void
hd_nyuzi_set_parts(void *user, const hd_def *def, const val *parts)
{
   sel *s = user;
   const bool divergent = !hd_def_is_uniform(def);
   val as_asked[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(def); n++) {
      if (def->bit_size == 1)
         as_asked[n] = boolean_of(s, parts[n], divergent);
      else
         as_asked[n] =
             divergent ? hd_nyuzi_in_vector(s, parts[n]) : hd_nyuzi_of_first_lane(s, parts[n]);
   }
   hd_mach_keep_parts(&s->base, def, as_asked);
}
