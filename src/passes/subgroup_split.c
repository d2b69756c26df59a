/* SPDX-License-Identifier: MIT */
/* subgroup_split.c - split 64-bit reductions and scans into 32-bit ones.
 *
 *    iadd               in parts so narrow that no carry leaves a part
 *    iand, ior, ixor    both halves separately
 *    min, max           the upper halves; then the lower halves of the lanes with that upper half
 */
#include "passes/subgroup.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"

hd_def *
hd_subgroup_combine(hd_builder *b, const hd_instr *i, hd_def *value, hd_reduce_op op)
{
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_REDUCE:
      return hd_reduce(b, value, op, hd_intrinsic_indices((const hd_intrinsic *)i)[1]);
   case HD_INTRINSIC_INCLUSIVE_SCAN:
      return hd_inclusive_scan(b, value, op);
   default:
      return hd_exclusive_scan(b, value, op);
   }
}

static hd_def *
shifted(hd_builder *b, hd_def *value, unsigned by,
        hd_def *(*shift)(hd_builder *, hd_def *, hd_def *))
{
   hd_def *amount = hd_lower_imm(b, value->num_components, 32, by);

   return by ? shift(b, value, amount) : value;
}

/* Parts that are so short that no sum over lanes is longer than 32 bits; so none carries. */
#define SUM_BITS 25u

static hd_def *
sum_of_parts(hd_builder *b, const hd_instr *i)
{
   hd_def *value = hd_instr_src(i, 0)->def, *sum = NULL;

   for (unsigned at = 0; at < 64; at += SUM_BITS) {
      hd_def *part = hd_u2u(b, shifted(b, value, at, hd_ushr), 32);
      part = hd_iand(b, part, hd_lower_imm_like(b, part, (1u << SUM_BITS) - 1));
      part = hd_u2u(b, hd_subgroup_combine(b, i, part, HD_REDUCE_IADD), 64);
      part = shifted(b, part, at, hd_ishl);
      sum = sum ? hd_iadd(b, sum, part) : part;
   }
   return sum;
}

/* The upper halves decide; where they are equal, the lower ones of those that have them do. */
static hd_def *
extreme_of_halves(hd_builder *b, const hd_instr *i, hd_op op, hd_def *low, hd_def *high,
                  hd_reduce_op reduce)
{
   const bool least = op == HD_OP_IMIN || op == HD_OP_UMIN;
   hd_def *all = hd_subgroup_combine(b, i, high, reduce), *same = hd_ieq(b, high, all);
   hd_def *none = hd_lower_imm_like(b, low, least ? UINT32_MAX : 0);

   low = hd_subgroup_combine(b, i, hd_select(b, same, low, none),
                             least ? HD_REDUCE_UMIN : HD_REDUCE_UMAX);
   low = hd_u2u(b, low, 64);
   return hd_ior(b, low, shifted(b, hd_u2u(b, all, 64), 32, hd_ishl));
}

hd_def *
hd_subgroup_split(hd_builder *b, const hd_instr *i, hd_op op)
{
   hd_def *value = hd_instr_src(i, 0)->def;
   const uint32_t reduce = hd_intrinsic_indices((const hd_intrinsic *)i)[0];

   if (op == HD_OP_IADD)
      return sum_of_parts(b, i);
   hd_def *low = hd_u2u(b, value, 32), *high = hd_u2u(b, shifted(b, value, 32, hd_ushr), 32);
   if (op != HD_OP_IAND && op != HD_OP_IOR && op != HD_OP_IXOR)
      return extreme_of_halves(b, i, op, low, high, reduce);
   low = hd_u2u(b, hd_subgroup_combine(b, i, low, reduce), 64);
   high = hd_u2u(b, hd_subgroup_combine(b, i, high, reduce), 64);
   return hd_ior(b, low, shifted(b, high, 32, hd_ishl));
}

bool
hd_subgroup_splits(const hd_instr *i, hd_op op)
{
   if (i->def.bit_size != 64)
      return false;
   switch (op) {
   case HD_OP_IADD:
   case HD_OP_IAND:
   case HD_OP_IOR:
   case HD_OP_IXOR:
      return true;
   case HD_OP_IMIN:
   case HD_OP_IMAX:
   case HD_OP_UMIN:
   case HD_OP_UMAX: /* in a scan each lane asks for other upper halves */
      return i->op == HD_INTRINSIC_REDUCE;
   default:
      return false;
   }
}
