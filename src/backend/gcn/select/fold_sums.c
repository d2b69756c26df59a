/* SPDX-License-Identifier: MIT */
/* fold_sums.c - instruction selection: sums of scalars and vectors.
 *
 * What is the same for all lanes in a sum is added by the scalar unit, and the vector unit adds the rest with as few
 * instructions as there are. A vector instruction reads one scalar. With u, w scalars, x, y vectors, constants c, k:
 *
 *    iadd3(u, w, x)                  s_add_u32 u, w; v_add_u32 it, x
 *    ishl(x + y, c)                  v_add_lshl_u32 x, y, c
 *
 * where nothing else reads i = (u << k) + x, which global ids are, or i = u + x; t is s_lshl_b32 u, k:
 *
 *    ishl(i, c)                      v_add_lshl_u32 t, x, c
 *    iadd(i, w)                      s_add_u32 t, w; v_add_u32 it, x
 *    iadd(i, y)                      v_add3_u32 t, x, y
 *    iadd3(i, w, y)                  s_add_u32 t, w; v_add3_u32 it, x, y
 *    iadd_shl(i, w, c)               s_add_u32 t, w; v_add_lshl_u32 it, x, c
 *    ishl_add(i, c, w)               s_lshl_b32 t, c; s_add_u32 it, w; v_lshl_add_u32 x, c, it
 */
#include "backend/gcn/select/alu.h"

#include "heddle/op_enum.h"

/* A sum that only one instruction reads, in two parts. */
struct parts {
   hd_mach_operand scalar, vector;
   uint32_t shift; /* of the scalar, left */
};

static bool
is_scalar(const hd_gcn_selector *s, hd_mach_operand x)
{
   return hd_gcn_is_constant(x) || hd_gcn_file_of(s, x) == HD_GCN_SGPR;
}

/* The instruction that makes a sum, neither saturated nor of other lanes; NULL: it is none. */
static const hd_mach_inst *
sum_of(hd_gcn_selector *s, const hd_def *def)
{
   const hd_mach_inst *inst = hd_gcn_maker_of(s, hd_gcn_value(s, def));

   if (!inst || inst->bits || inst->form > HD_GCN_FORM_VOP3 ||
       (inst->op != HD_GCN_V_ADD_U32 && inst->op != HD_GCN_V_LSHL_ADD_U32))
      return NULL;
   return inst;
}

/* The scalar and the vector that a value is the sum of. In a loop the parts would be added in each iteration. */
static bool
split(hd_gcn_selector *s, const hd_alu *reader, const hd_def *def, struct parts *p)
{
   if (def->bit_size != 32 || def->num_components != 1 || hd_src_next_use(def->uses) ||
       hd_block_cycle(hd_def_instr(def)->block) != hd_block_cycle(reader->instr.block))
      return false;
   const hd_mach_inst *inst = sum_of(s, def);
   if (!inst ||
       (inst->op == HD_GCN_V_LSHL_ADD_U32 && !hd_gcn_word_of(*hd_mach_src(inst, 1), &p->shift)))
      return false;
   p->scalar = *hd_mach_src(inst, 0);
   p->vector = *hd_mach_src(inst, inst->num_srcs - 1);
   if (inst->op == HD_GCN_V_ADD_U32 && is_scalar(s, p->vector)) {
      const hd_mach_operand x = p->vector;
      p->vector = p->scalar;
      p->scalar = x;
   }
   return is_scalar(s, p->scalar) && !hd_gcn_is_constant(p->scalar) && !is_scalar(s, p->vector);
}

static hd_mach_operand
shift_left(hd_gcn_selector *s, hd_mach_operand x, uint32_t by)
{
   if (!by)
      return x;
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_LSHL_B32, d, x, hd_gcn_imm(s, by));
   return d;
}

/* Of a sum of three, two scalars and a vector. A literal is a scalar, too. */
static bool
add_scalars(hd_gcn_selector *s, const hd_alu *alu)
{
   hd_mach_operand sum = { 0 }, vector = { 0 };
   unsigned scalars = 0;

   for (unsigned n = 0; n < 3; n++) {
      const hd_mach_operand x = hd_gcn_value(s, alu->src[n].def);
      if (hd_gcn_is_constant(x) && x.reg != HD_GCN_LITERAL)
         return false;
      scalars += hd_gcn_file_of(s, x) == HD_GCN_SGPR;
   }
   if (scalars != 2)
      return false;
   for (unsigned n = 0; n < 3; n++) {
      const hd_mach_operand x = hd_gcn_value(s, alu->src[n].def);
      if (hd_gcn_file_of(s, x) != HD_GCN_SGPR)
         vector = x;
      else
         sum = sum.size ? hd_gcn_add(s, sum, x) : x;
   }
   hd_gcn_set_value(s, &alu->instr.def, hd_gcn_add(s, sum, vector));
   return true;
}

/* A sum of vectors that nothing else reads. */
static bool
shift_sum(hd_gcn_selector *s, const hd_alu *alu)
{
   uint32_t by;

   if (alu->src[0].def->bit_size != 32 || hd_src_next_use(alu->src[0].def->uses) ||
       !hd_gcn_word_of(hd_gcn_value(s, alu->src[1].def), &by))
      return false;
   const hd_mach_inst *inst = sum_of(s, alu->src[0].def);
   if (!inst || inst->op != HD_GCN_V_ADD_U32)
      return false;
   const hd_mach_operand x = *hd_mach_src(inst, 0), y = *hd_mach_src(inst, 1);
   const hd_mach_operand result = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit3(s, HD_GCN_V_ADD_LSHL_U32, result, x, y, hd_gcn_imm(s, by & 31));
   hd_gcn_set_value(s, &alu->instr.def, result);
   return true;
}

/* Of the operands, how many are added, from the first one on; and which one the sum is shifted by, 0 for none. */
static unsigned
num_added(hd_op op, unsigned *shift)
{
   const unsigned num = op == HD_OP_IADD3 ? 3 : op == HD_OP_ISHL || op == HD_OP_ISHL_ADD ? 1 : 2;

   *shift = op == HD_OP_IADD || op == HD_OP_IADD3 ? 0 : num;
   return num;
}

/* One of the operands is a sum of two parts. */
static bool
add_parts(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;
   unsigned shift, of = 0;
   const unsigned num = num_added(op, &shift);
   struct parts p = { .shift = 0 };
   hd_mach_operand vector[2];
   unsigned vectors = 0;
   uint32_t by = 0;

   if (shift && !hd_gcn_word_of(hd_gcn_value(s, alu->src[shift].def), &by))
      return false;
   while (of < num && !split(s, alu, alu->src[of].def, &p))
      of++;
   if (of == num)
      return false;
   for (unsigned n = 0; n < alu->instr.num_srcs; n++) {
      const hd_mach_operand x = hd_gcn_value(s, alu->src[n].def);
      if (n == of || is_scalar(s, x))
         continue;
      /* Two vectors make the sum that it is, or take as many instructions. */
      if (shift || vectors)
         return false;
      vector[++vectors] = x;
   }
   const bool after = op == HD_OP_ISHL_ADD;
   hd_mach_operand sum = shift_left(s, p.scalar, p.shift + (after ? by : 0));
   for (unsigned n = 0; n < alu->instr.num_srcs; n++) {
      const hd_mach_operand x = hd_gcn_value(s, alu->src[n].def);
      if (n != of && n != shift && is_scalar(s, x))
         sum = hd_gcn_add(s, sum, x);
   }
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   if (after)
      hd_gcn_emit3(s, HD_GCN_V_LSHL_ADD_U32, d, p.vector, hd_gcn_imm(s, by), sum);
   else if (shift)
      hd_gcn_emit3(s, HD_GCN_V_ADD_LSHL_U32, d, sum, p.vector, hd_gcn_imm(s, by));
   else if (vectors)
      hd_gcn_emit3(s, HD_GCN_V_ADD3_U32, d, sum, p.vector, vector[1]);
   else
      hd_gcn_emit2(s, HD_GCN_V_ADD_U32, d, sum, p.vector);
   hd_gcn_set_value(s, &alu->instr.def, d);
   return true;
}

bool
hd_gcn_fold_sum(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_op op = (hd_op)alu->instr.op;

   if (hd_gcn_target_in(s->p)->has_three_int && add_parts(s, alu))
      return true;
   return (op == HD_OP_IADD3 && add_scalars(s, alu)) || (op == HD_OP_ISHL && shift_sum(s, alu));
}
