/* SPDX-License-Identifier: MIT */
/* constant_benefit.c - does an instruction become simpler if an operand is a constant? */
#include "passes/constant_benefit.h"

#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "ir/fold.h"
#include "ir/private.h"

/* Is a comparison with this number the same for all others? */
static bool
decides(unsigned op, bool left, uint64_t value, unsigned bits)
{
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   const uint64_t most = sign - 1 + sign;

   switch (op) {
   case HD_OP_ULT:
      return value == (left ? most : 0);
   case HD_OP_ULE:
      return value == (left ? 0 : most);
   case HD_OP_ILT:
      return value == (left ? sign - 1 : sign);
   case HD_OP_ILE:
      return value == (left ? sign : sign - 1);
   default:
      return false;
   }
}

static bool
is_element(const hd_op_info *info, bool left, uint64_t value, unsigned bits)
{
   const hd_element identity = (hd_element)(left ? info->identity_left : info->identity);
   const hd_element absorbing = (hd_element)(left ? info->absorbing_left : info->absorbing);

   return (identity != HD_ELEMENT_NONE && hd_element_value(identity, bits) == value) ||
          (absorbing != HD_ELEMENT_NONE && hd_element_value(absorbing, bits) == value);
}

/* Is the op of a condition with this only its opposite? That of a comparison may be one with
 * another number.
 */
static bool
negates(unsigned op, bool value)
{
   return value ? op == HD_OP_IXOR || op == HD_OP_INE : op == HD_OP_IEQ;
}

bool
hd_benefits_from_constant(const hd_src *src, const hd_const_value *value, bool others, bool divide)
{
   const hd_instr *i = hd_src_instr(src);
   const unsigned bits = src->def->bit_size;

   switch (i->op) {
   case HD_OP_VEC:
      return others;
   case HD_OP_CHANNEL:
      return others || hd_instr_src(i, 1) == src;
   case HD_OP_IDIV:
   case HD_OP_UDIV:
   case HD_OP_IREM:
   case HD_OP_UREM:
   case HD_OP_IMOD:
      if (divide && hd_instr_src(i, 1) == src)
         return true;
      break;
   case HD_OP_INSERT_CHANNEL:
      return others || hd_instr_src(i, 2) == src;
   default:
      break;
   }
   if (others || src->def->num_components != 1)
      return true;
   if (bits == 1)
      return !negates(i->op, value->b);
   if (i->num_srcs != 2)
      return false;
   const uint64_t number = hd_const_get(value, bits);
   const bool left = hd_instr_src(i, 0) == src;
   return i->def.bit_size == 1 ? decides(i->op, left, number, bits)
                               : is_element(hd_op_get_info((hd_op)i->op), left, number, bits);
}
