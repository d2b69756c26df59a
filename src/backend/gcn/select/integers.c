/* SPDX-License-Identifier: MIT */
/* integers.c - instruction selection: sums, shifts and packed bytes of operands. */
#include "backend/gcn/select/alu.h"

hd_mach_operand
hd_gcn_add(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b)
{
   uint64_t x, y;

   if (hd_gcn_operand_value(a, HD_GCN_B32, &x) && hd_gcn_operand_value(b, HD_GCN_B32, &y))
      return hd_gcn_imm(s, (uint32_t)(x + y));
   if (hd_gcn_file_of(s, a) == HD_GCN_SGPR && hd_gcn_file_of(s, b) == HD_GCN_SGPR) {
      hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_ADD_U32, d, a, b);
      return d;
   }
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, hd_gcn_target_in(s->p)->add_no_carry ? HD_GCN_V_ADD_U32 : HD_GCN_V_ADD_CO_U32, d,
                a, b);
   return d;
}

hd_mach_operand
hd_gcn_add_wide(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand a, hd_mach_operand b)
{
   const bool vector = file == HD_GCN_VGPR;
   hd_mach_operand x[2], y[2], sum[2] = { hd_gcn_new(s, file, 1), hd_gcn_new(s, file, 1) };

   hd_gcn_parts(s, a, 1, x);
   hd_gcn_parts(s, b, 1, y);
   if (vector) {
      const hd_mach_operand carry = hd_gcn_new_mask(s), none = hd_gcn_new_mask(s);
      hd_gcn_emit_full(s, HD_GCN_V_ADD_CO_U32, 2, (hd_mach_operand[]){ sum[0], carry }, 2,
                       (hd_mach_operand[]){ x[0], y[0] }, 0);
      hd_gcn_emit_full(s, HD_GCN_V_ADDC_CO_U32, 2, (hd_mach_operand[]){ sum[1], none }, 3,
                       (hd_mach_operand[]){ x[1], y[1], carry }, 0);
   } else {
      hd_gcn_emit2(s, HD_GCN_S_ADD_U32, sum[0], x[0], y[0]);
      hd_gcn_emit2(s, HD_GCN_S_ADDC_U32, sum[1], x[1], y[1]);
   }
   return hd_gcn_join(s, file, 2, sum);
}

/* A constant is there in two dwords, each an operand of its own. */
hd_mach_operand
hd_gcn_add_wide_const(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand a, int64_t value)
{
   const bool vector = file == HD_GCN_VGPR;
   hd_mach_operand x[2], sum[2] = { hd_gcn_new(s, file, 1), hd_gcn_new(s, file, 1) };
   const hd_mach_operand low = hd_gcn_imm(s, (uint32_t)value);
   const hd_mach_operand high = hd_gcn_imm(s, (uint32_t)((uint64_t)value >> 32));

   hd_gcn_parts(s, a, 1, x);
   if (vector) {
      const hd_mach_operand carry = hd_gcn_new_mask(s), none = hd_gcn_new_mask(s);
      hd_gcn_emit_full(s, HD_GCN_V_ADD_CO_U32, 2, (hd_mach_operand[]){ sum[0], carry }, 2,
                       (hd_mach_operand[]){ low, x[0] }, 0);
      hd_gcn_emit_full(s, HD_GCN_V_ADDC_CO_U32, 2, (hd_mach_operand[]){ sum[1], none }, 3,
                       (hd_mach_operand[]){ high, x[1], carry }, 0);
   } else {
      hd_gcn_emit2(s, HD_GCN_S_ADD_U32, sum[0], x[0], low);
      hd_gcn_emit2(s, HD_GCN_S_ADDC_U32, sum[1], x[1], high);
   }
   return hd_gcn_join(s, file, 2, sum);
}

hd_mach_operand
hd_gcn_shift_right(hd_gcn_selector *s, hd_mach_operand a, unsigned by)
{
   const hd_gcn_file file = hd_gcn_file_of(s, a);
   uint64_t bits;

   if (!by)
      return a;
   if (hd_gcn_is_constant(a) && hd_gcn_operand_value(a, HD_GCN_B32, &bits))
      return hd_gcn_imm(s, (uint32_t)bits >> by);
   hd_mach_operand d = hd_gcn_new(s, file, 1);
   if (file == HD_GCN_SGPR)
      hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, d, a, hd_gcn_imm(s, by));
   else
      hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, d, hd_gcn_imm(s, by), a);
   return d;
}

hd_mach_operand
hd_gcn_pack(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b, unsigned bits)
{
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   if (hd_gcn_target_in(s->p)->gen != HD_GCN_GFX600) {
      /* Bytes 0 to 3 are those of the second source, 4 to 7 those of the first, 12 is zero. */
      hd_gcn_emit3(s, HD_GCN_V_PERM_B32, d, b, a,
                   hd_gcn_imm(s, bits == 16 ? 0x05040100 : 0x0c0c0400));
      return d;
   }
   hd_mach_operand above = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, above, hd_gcn_imm(s, bits), b);
   hd_gcn_emit3(s, HD_GCN_V_BFI_B32, d, hd_gcn_imm(s, (1u << bits) - 1), a, above);
   return d;
}
