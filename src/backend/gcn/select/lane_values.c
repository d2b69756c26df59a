/* SPDX-License-Identifier: MIT */
/* lane_values.c - instruction selection: masks, their bits, and the number of the lane, as operands. */
#include "backend/gcn/select/lane_masks.h"

hd_mach_operand
hd_gcn_from_scc(hd_gcn_selector *s, bool negate)
{
   const hd_mach_operand d = hd_gcn_new_scalar(s, 1);

   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, d, hd_gcn_imm(s, !negate), hd_gcn_imm(s, negate));
   return d;
}

hd_mach_operand
hd_gcn_mask_of(hd_gcn_selector *s, hd_mach_operand boolean)
{
   const hd_mach_operand all = hd_gcn_wide_inline(s, -1), none = hd_gcn_wide_inline(s, 0);
   uint64_t bits = 0;

   if (hd_gcn_operand_value(boolean, HD_GCN_B32, &bits))
      return bits ? all : none;
   if (hd_gcn_is_mask(s, boolean))
      return boolean;
   const hd_mach_operand mask = hd_gcn_new_mask(s);
   hd_gcn_emit2(s, HD_GCN_S_CMP_LG_U32, hd_gcn_nothing(), boolean, hd_gcn_imm(s, 0));
   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B64, mask, all, none);
   return mask;
}

hd_mach_operand
hd_gcn_count_below(hd_gcn_selector *s, hd_mach_operand low, hd_mach_operand high,
                   hd_mach_operand more)
{
   const hd_mach_operand half = hd_gcn_new_vector(s), count = hd_gcn_new_vector(s);

   hd_gcn_emit2(s, HD_GCN_V_MBCNT_LO_U32_B32, half, low, more);
   hd_gcn_emit2(s, HD_GCN_V_MBCNT_HI_U32_B32, count, high, half);
   return count;
}

hd_mach_operand
hd_gcn_lane(hd_gcn_selector *s)
{
   if (s->lane_tag != s->block->index + 1) {
      const hd_mach_operand ones = hd_gcn_imm(s, UINT32_MAX);
      s->lane = hd_gcn_count_below(s, ones, ones, hd_gcn_imm(s, 0));
      s->lane_tag = s->block->index + 1;
   }
   return s->lane;
}

hd_mach_operand
hd_gcn_shift_wide(hd_gcn_selector *s, bool left, hd_mach_operand value, hd_mach_operand by)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 2);

   if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX600)
      hd_gcn_emit2(s, left ? HD_GCN_V_LSHL_B64 : HD_GCN_V_LSHR_B64, d, value, by);
   else
      hd_gcn_emit2(s, left ? HD_GCN_V_LSHLREV_B64 : HD_GCN_V_LSHRREV_B64, d, by, value);
   return d;
}

hd_mach_operand
hd_gcn_bit_at(hd_gcn_selector *s, hd_mach_operand mask, hd_mach_operand number)
{
   const hd_mach_operand least = hd_gcn_new_vector(s), is_set = hd_gcn_new_mask(s);
   hd_mach_operand parts[2];

   hd_gcn_parts(s, hd_gcn_shift_wide(s, false, mask, number), 1, parts);
   hd_gcn_emit2(s, HD_GCN_V_AND_B32, least, hd_gcn_imm(s, 1), parts[0]);
   hd_gcn_emit2(s, HD_GCN_V_CMP_EQ_U32, is_set, hd_gcn_imm(s, 1), least);
   return is_set;
}
