/* SPDX-License-Identifier: MIT */
/* exec_texel.c - MIMG: texels in the registers of a lane, by dmask and d16. */
#include "backend/gcn/sim/exec_image.h"

#include "backend/gcn/sim/machine.h"

void
hd_gcn_image_write_texel(hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane,
                         const hd_gcn_texel *t)
{
   const bool half = a->inst->bits & HD_GCN_D16;
   const bool packed = half && hd_gcn_wave_gen(wave) >= HD_GCN_GFX900;
   const unsigned said = (unsigned)a->inst->imm ? (unsigned)a->inst->imm : 1u;
   const unsigned mask = a->op->kind == HD_GCN_TEXEL_GATHER ? 15u : said;
   hd_gcn_data data = { { 0 }, { 0 } };
   unsigned num = 0;

   for (unsigned n = 0; n < 4; n++) {
      uint32_t value = t->value[n], undef = t->undef[n];
      if (!(mask >> n & 1))
         continue;
      if (half)
         hd_gcn_texel_to_half(a->image.format, &value, &undef);
      const unsigned shift = packed && num % 2 ? 16 : 0, word = packed ? num / 2 : num;
      data.value[word] |= value << shift;
      data.undef[word] |= undef << shift;
      num++;
   }
   hd_gcn_data_to_lane(wave, a->vdata, packed ? (num + 1) / 2 : num, lane, &data);
}

hd_gcn_texel
hd_gcn_image_read_texel(const hd_gcn_wave *wave, const hd_gcn_image_access *a, unsigned lane)
{
   const bool half = a->inst->bits & HD_GCN_D16;
   const bool packed = half && hd_gcn_wave_gen(wave) >= HD_GCN_GFX900;
   const unsigned mask = (unsigned)a->inst->imm ? (unsigned)a->inst->imm : 1u;
   hd_gcn_texel t = { { 0 }, { 0 } };
   unsigned num = 0;

   for (unsigned n = 0; n < 4; n++) {
      if (!(mask >> n & 1))
         continue;
      const unsigned reg = a->vdata + (packed ? num / 2 : num), shift = packed && num % 2 ? 16 : 0;
      t.value[n] = wave->vgpr[reg][lane] >> shift;
      t.undef[n] = wave->vgpr_undef[reg][lane] >> shift;
      num++;
      if (half)
         hd_gcn_texel_from_half(a->image.format, &t.value[n], &t.undef[n]);
   }
   return t;
}
