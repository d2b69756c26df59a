/* SPDX-License-Identifier: MIT */
/* fold_floats.c - instruction selection: patterns of floats of 32 bits.
 *
 *    fadd(fmul(x, y), z)  where denormals are flushed: v_mad_f32 x, y, z; fsub: with signs
 *    ffma(x, literal, z)  in vertex and fragment shaders, where neither denormals nor a rounding more matter:
 *                         v_madmk_f32 x, literal, z; ffma(x, y, literal): v_madak_f32 x, y, literal
 *    ffma(x, s, u)        likewise, of a vector and two scalars: v_mul_f32 s, x; v_add_f32 u, it
 *    fsign(x)             of finite floats: v_add_f32 0, x; v_med3_i32 it, -1, 1; v_cvt_f32_i32
 */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/alu.h"

#include "heddle/op_enum.h"

/* A float operand, or its negation. */
static hd_mach_operand
float_operand(hd_gcn_selector *s, const hd_def *def, bool negated)
{
   unsigned mods;
   const hd_def *of = hd_gcn_look_through_signs(def, &mods);
   const hd_const *c = hd_instr_as_const(hd_def_instr(of));

   if (c && negated)
      return hd_gcn_imm(s, c->value[0].u32 ^ 0x80000000);
   hd_mach_operand operand = hd_gcn_value(s, of);
   operand.flags |= (uint8_t)(mods ^ (negated ? HD_GCN_OPERAND_NEG : 0));
   return operand;
}

/* Did the product become a modifier of what made one of its factors? Then that factor is gone. */
static bool
is_in_factor(const hd_gcn_selector *s, const hd_alu *product)
{
   const hd_mach_operand *value = &s->known[product->instr.def.index].whole;

   for (unsigned n = 0; n < 2 && value->flags & HD_MACH_OPERAND_TEMP; n++) {
      const hd_mach_operand *factor = &s->known[product->src[n].def->index].whole;
      if (factor->flags & HD_MACH_OPERAND_TEMP && factor->value == value->value)
         return true;
   }
   return false;
}

/* The product that a term is, or the negation of one; NULL: neither, or others read it, too. */
static const hd_alu *
product_of(const hd_gcn_selector *s, const hd_src *term, bool *negated)
{
   unsigned mods;
   const hd_def *of = hd_gcn_look_through_signs(term->def, &mods);
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(of));

   *negated = mods & HD_GCN_OPERAND_NEG;
   if (!alu || alu->instr.op != HD_OP_FMUL || mods & HD_GCN_OPERAND_ABS ||
       alu->instr.block != s->instr->block || hd_src_next_use(of->uses) ||
       (of != term->def && hd_src_next_use(term->def->uses)) || is_in_factor(s, alu))
      return NULL;
   return alu;
}

static bool
is_scalar(const hd_gcn_selector *s, hd_mach_operand operand)
{
   return !hd_gcn_is_constant(operand) && hd_gcn_file_of(s, operand) == HD_GCN_SGPR;
}

/* One instruction would need another that puts the addend, which nothing else reads, into a vector register. A
 * product and a sum are as many, and no register.
 */
static bool
has_two_scalars(hd_gcn_selector *s, const hd_mach_operand srcs[3], const hd_def *addend)
{
   return is_scalar(s, srcs[2]) && is_scalar(s, srcs[0]) != is_scalar(s, srcs[1]) &&
          !hd_src_next_use(addend->uses);
}

/* The machine's mad rounds the product and the sum, as the two ops do, and has no denormals. */
static bool
fold_mad(hd_gcn_selector *s, const hd_alu *alu)
{
   for (unsigned n = 0; n < 2 && s->p->shader->float_controls & HD_FLOAT_FLUSH_32; n++) {
      const bool minus = alu->instr.op == HD_OP_FSUB;
      bool negated;
      const hd_alu *product = product_of(s, &alu->src[n], &negated);
      if (!product)
         continue;
      const hd_mach_operand srcs[3] = {
         float_operand(s, product->src[0].def, negated ^ (minus && n == 1)),
         float_operand(s, product->src[1].def, false),
         float_operand(s, alu->src[!n].def, minus && n == 0),
      };
      if (has_two_scalars(s, srcs, alu->src[!n].def))
         return false;
      const hd_mach_operand result = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit_full(s, HD_GCN_V_MAD_F32, 1, &result, 3, srcs, 0);
      hd_gcn_set_value(s, &alu->instr.def, result);
      return true;
   }
   return false;
}

static bool
is_literal_def(hd_gcn_selector *s, const hd_def *def, uint32_t *bits)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   *bits = c ? c->value[0].u32 : 0;
   return c && hd_gcn_imm(s, *bits).reg == HD_GCN_LITERAL;
}

/* Of a vector register, or a constant that is put into one. An SGPR beside a literal is one scalar too many. */
static bool
fits_beside_literal(hd_gcn_selector *s, const hd_def *def)
{
   return hd_instr_as_const(hd_def_instr(def)) ||
          hd_gcn_file_of(s, hd_gcn_value(s, def)) == HD_GCN_VGPR;
}

/* May the product be rounded? */
static bool
may_be_unfused(const hd_gcn_selector *s, const hd_alu *alu)
{
   return hd_gcn_is_graphics(s->p->shader) && s->p->shader->float_controls & HD_FLOAT_FINITE &&
          !(alu->instr.flags & HD_FP_EXACT) && !(s->p->shader->float_controls & HD_FLOAT_RTZ_32);
}

/* A fused multiply-add takes its literal from a register, which another instruction fills. */
static bool
fold_literal(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_def *x = alu->src[0].def, *y = alu->src[1].def, *z = alu->src[2].def;
   uint32_t bits;

   if (!may_be_unfused(s, alu) || hd_gcn_will_be_clamped(alu))
      return false;
   if (hd_instr_as_const(hd_def_instr(x))) {
      const hd_def *swap = x;
      x = y;
      y = swap;
   }
   const bool adds = is_literal_def(s, z, &bits);
   unsigned mods, none;
   const hd_def *of_x = hd_gcn_look_through_signs(x, &mods);
   if (!adds && (!is_literal_def(s, y, &bits) || mods & HD_GCN_OPERAND_ABS ||
                 hd_instr_as_const(hd_def_instr(z))))
      return false;
   const hd_def *other = adds ? y : z;
   if (hd_instr_as_const(hd_def_instr(of_x)) || (adds && mods) ||
       hd_gcn_look_through_signs(other, &none) != other || !fits_beside_literal(s, of_x) ||
       !fits_beside_literal(s, other))
      return false;
   hd_mach_operand first = hd_gcn_value(s, of_x), second = hd_gcn_value(s, other);
   /* An inline constant can be the first operand, not the second. */
   if (adds && second.reg != HD_GCN_LITERAL && hd_instr_as_const(hd_def_instr(other))) {
      const hd_mach_operand constant = second;
      second = first;
      first = constant;
   }
   second = hd_gcn_to_file(s, HD_GCN_VGPR, second);
   if (first.reg == HD_GCN_LITERAL)
      first = hd_gcn_to_file(s, HD_GCN_VGPR, first);
   const hd_mach_operand literal = hd_gcn_imm(s, mods ? bits ^ 0x80000000 : bits);
   const hd_mach_operand result = hd_gcn_new(s, HD_GCN_VGPR, 1);
   if (adds)
      hd_gcn_emit3(s, HD_GCN_V_MADAK_F32, result, first, second, literal);
   else
      hd_gcn_emit3(s, HD_GCN_V_MADMK_F32, result, first, literal, second);
   hd_gcn_set_value(s, &alu->instr.def, result);
   return true;
}

static bool
fold_scalars(hd_gcn_selector *s, const hd_alu *alu)
{
   hd_mach_operand srcs[3];

   if (!may_be_unfused(s, alu))
      return false;
   for (unsigned n = 0; n < 3; n++)
      srcs[n] = float_operand(s, alu->src[n].def, false);
   if (!has_two_scalars(s, srcs, alu->src[2].def))
      return false;
   const hd_mach_operand product = hd_gcn_new(s, HD_GCN_VGPR, 1),
                         sum = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_MUL_F32, product, srcs[0], srcs[1]);
   hd_gcn_emit2(s, HD_GCN_V_ADD_F32, sum, srcs[2], product);
   hd_gcn_set_value(s, &alu->instr.def, sum);
   return true;
}

/* A float is as positive, zero or negative as the integer of its bits, but for -0, and NaN. */
static bool
fold_sign(hd_gcn_selector *s, const hd_alu *alu)
{
   unsigned mods;

   if (!(s->p->shader->float_controls & HD_FLOAT_FINITE) ||
       !(alu->instr.flags & HD_FP_NO_SIGNED_ZERO))
      return false;
   hd_mach_operand x = hd_gcn_value(s, hd_gcn_look_through_signs(alu->src[0].def, &mods));
   const hd_mach_operand sum = hd_gcn_new(s, HD_GCN_VGPR, 1), sign = hd_gcn_new(s, HD_GCN_VGPR, 1),
                         d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   x.flags |= (uint8_t)mods;
   hd_gcn_emit2(s, HD_GCN_V_ADD_F32, sum, hd_gcn_imm(s, 0), x);
   hd_gcn_emit3(s, HD_GCN_V_MED3_I32, sign, sum, hd_gcn_imm(s, UINT32_MAX), hd_gcn_imm(s, 1));
   hd_gcn_emit1(s, HD_GCN_V_CVT_F32_I32, d, sign);
   hd_gcn_set_value(s, &alu->instr.def, d);
   return true;
}

bool
hd_gcn_fold_float(hd_gcn_selector *s, const hd_alu *alu)
{
   switch (alu->instr.op) {
   case HD_OP_FSIGN:
      return fold_sign(s, alu);
   case HD_OP_FFMA:
      return fold_literal(s, alu) || fold_scalars(s, alu);
   default:
      return fold_mad(s, alu);
   }
}
