/* SPDX-License-Identifier: MIT */
/* alu.c - instruction selection of steps of sequences, and of ops that are one instruction. */
#include "backend/gen9/select/select.h"
#include "heddle/op_enum.h"

/* a * b + c, rounded once: no operand is a constant. */
static val
fused(sel *s, unsigned type, const val v[3])
{
   val srcs[3];

   for (unsigned n = 0; n < 3; n++)
      srcs[n] = hd_gen9_in_register(s, v[n]);
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, srcs[0], srcs[1], srcs[2]));
   hd_gen9_append(s, HD_GEN9_MAD, type, d, srcs[2], srcs[0], srcs[1]);
   return d;
}

/* a - b, by an addition of what is negated. */
static val
subtract(sel *s, unsigned type, val a, val b)
{
   const val none = { 0 }, d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, none));
   const bool swap = hd_gen9_is_constant(&a) && !hd_gen9_is_constant(&b);
   const val first = hd_gen9_in_register(s, swap ? b : a);
   val second = swap ? a : b;
   unsigned bits = swap ? 1 : 2;

   if (!swap && hd_gen9_is_constant(&b)) {
      const uint32_t k = hd_gen9_constant(&b);
      second = K(type == HD_GEN9_TYPE_F ? k ^ 0x80000000 : 0u - k);
      bits = 0;
   }
   hd_gen9_append(s, HD_GEN9_ADD, type, d, first, second, none)->bits = (uint16_t)bits;
   return d;
}

static val
emit(void *user, hd_mach_step_op op, const val v[3])
{
   sel *s = user;
   const hd_gen9_step *step = &hd_gen9_steps[op];
   const unsigned type = step->type, bits = step->bits;

   switch (op) {
   case HD_MACH_STEP_CHOOSE:
      return hd_gen9_choose(s, v[0], v[1], v[2]);
   case HD_MACH_STEP_SUB_I:
   case HD_MACH_STEP_SUB_F:
      return subtract(s, type, v[0], v[1]);
   case HD_MACH_STEP_FMA_F:
      return fused(s, type, v);
   default:
      break;
   }
   if (step->op == HD_GEN9_P_COMPARE)
      return hd_gen9_compare(s, bits, type, v[0], v[1]);
   const val d = hd_gen9_emit(s, step->op, type, v[0], v[1]);
   if (bits)
      s->block->last->bits = (uint16_t)bits;
   return d;
}

/* The boolean that a number is made of, or NULL. */
static const hd_def *
boolean_of(const hd_def *number)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(number));

   return alu && alu->instr.op == HD_OP_B2I && alu->instr.def.num_components == 1 ? alu->src[0].def
                                                                                  : NULL;
}

/* A sum, whose carry may have been computed from it before. A boolean is -1: as a number it is
 * subtracted.
 */
static val
sum(sel *s, const hd_alu *alu)
{
   const hd_def *x = alu->src[0].def, *y = alu->src[1].def;
   hd_gen9_sum *known = &hd_gen9_of(s->p)->sum;

   if (known->block == s->block && known->a == x && known->b == y)
      return known->value;
   const hd_def *first = boolean_of(x), *second = boolean_of(y);
   const val a = hd_mach_part(s, second || !first ? x : y, 0);
   if (first || second)
      return subtract(s, HD_GEN9_TYPE_D, a, hd_mach_part(s, second ? second : first, 0));
   return add(s, a, hd_mach_part(s, y, 0));
}

/* Sums. */
static bool
select_arithmetic(sel *s, const hd_alu *alu)
{
   val d;

   if (alu->src[0].def->bit_size != 32 || alu->src[0].def->num_components != 1)
      return false;
   switch ((hd_op)alu->instr.op) {
   case HD_OP_IADD:
      d = sum(s, alu);
      break;
   case HD_OP_UADD_CARRY:
      d = sum(s, alu);
      hd_gen9_of(s->p)->sum = (hd_gen9_sum){ s->block, alu->src[0].def, alu->src[1].def, d };
      d = hd_gen9_compare(s, HD_GEN9_CONDITION_LT, HD_GEN9_TYPE_UD, d,
                          hd_mach_part(s, alu->src[0].def, 0));
      break;
   default:
      return false;
   }
   hd_mach_set_part(s, &alu->instr.def, d);
   return true;
}

/* What compares, too. */
static void
append_float(sel *s, const hd_gen9_direct *row, const hd_alu *alu, val *results)
{
   const unsigned num = hd_gen9_num_sources(hd_gen9_op_infos[row->to].shape);
   const unsigned num_parts = hd_mach_num_parts(alu->src[0].def);
   const unsigned num_results = hd_mach_num_parts(&alu->instr.def);
   unsigned file = HD_GEN9_UNIFORM;
   val parts[6];

   for (unsigned n = 0; n < num * num_parts; n++) {
      parts[n] = hd_mach_part(s, alu->src[row->order[n / num_parts]].def, n % num_parts);
      if (hd_gen9_is_vector(s, parts[n]))
         file = HD_GEN9_VECTOR;
   }
   for (unsigned n = 0; n < num_results; n++)
      results[n] = hd_gen9_new(s, file);
   hd_mach_inst *inst =
       hd_mach_selector_emit(s, HD_GEN9_P_FLOAT, num_results, results, num * num_parts, parts);
   inst->form = row->type;
   inst->bits = row->from;
   inst->imm = row->to;
   inst->mods.bytes[0] = row->bits;
}

static bool
is_row_of(const hd_gen9_direct *row, const hd_alu *alu)
{
   return row->op == alu->instr.op &&
          8 * hd_gen9_type_size(row->from) == alu->src[0].def->bit_size &&
          (row->to == HD_GEN9_CMP ? 1 : 8 * hd_gen9_type_size(row->type)) ==
              alu->instr.def.bit_size;
}

static void
select_float(sel *s, const hd_gen9_direct *row, const hd_alu *alu)
{
   const val none = { 0 };
   val parts[2], other;

   append_float(s, row, alu, parts);
   if (is_row_of(row + 1, alu)) {
      append_float(s, row + 1, alu, &other);
      parts[0] = or (s, parts[0], other);
   }
   if (row->inverse)
      parts[0] = hd_gen9_emit(s, HD_GEN9_NOT, HD_GEN9_TYPE_UD, parts[0], none);
   hd_mach_set_parts(s, &alu->instr.def, parts);
}

/* False: it is several. */
static bool
select_direct(void *user, const hd_alu *alu)
{
   sel *s = user;
   const hd_gen9_direct *row = hd_gen9_directs;
   val v[3] = { { 0 } };

   if (select_arithmetic(s, alu))
      return true;
   while (row->op && !is_row_of(row, alu))
      row++;
   if (!row->op)
      return false;
   if (hd_gen9_type_size(row->type) != 4 || hd_gen9_type_size(row->from) != 4) {
      select_float(s, row, alu);
      return true;
   }
   const unsigned num = alu->instr.num_srcs;
   for (unsigned n = 0; n < num; n++) {
      v[n] = hd_mach_part(s, alu->src[row->order[n]].def, 0);
      if (num != 2 || n == 0 || hd_gen9_op_infos[row->to].function) /* else it can be a constant */
         v[n] = hd_gen9_in_register(s, v[n]);
   }
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, v[0], v[1], v[2]));
   hd_gen9_append(s, row->to, row->type, d, v[0], v[1], v[2])->bits = row->bits;
   hd_mach_set_part(s, &alu->instr.def, d);
   return true;
}

static val
start(void *user, unsigned which)
{
   return hd_gen9_payload(user, which);
}

static val
choose(void *user, const hd_def *def, val condition, val a, val b)
{
   (void)def;
   return hd_gen9_choose(user, condition, a, b);
}

static val
is_at(void *user, val index, unsigned component)
{
   if (hd_gen9_is_constant(&index))
      return K(hd_gen9_constant(&index) == component ? UINT32_MAX : 0);
   return hd_gen9_compare(user, HD_GEN9_CONDITION_EQ, HD_GEN9_TYPE_D, index, K(component));
}

const hd_mach_part_rows hd_gen9_part_rows = {
   .steps = { .start = start, .constant = hd_gen9_imm, .emit = emit },
   .sequences = &hd_gen9_sequences,
   .true_bits = UINT32_MAX,
   .choose = choose,
   .is_at = is_at,
   .set = hd_gen9_set_parts,
   .direct = select_direct,
   .find_own = hd_gen9_find_own,
   .emit_own = hd_gen9_emit_own,
   .of_launch = hd_gen9_of_launch,
   .first_lane = hd_gen9_first_lane,
};
