/* SPDX-License-Identifier: MIT */
/* exec_texel.c - texels in the registers of a lane: of images by dmask and d16, of texel buffers. */
#include "backend/gcn/sim/exec_image.h"

#include "backend/gcn/sim/machine.h"

void
hd_gcn_texel_write(hd_gcn_wave *wave, const hd_gcn_texel_registers *r, unsigned lane,
                   const hd_gcn_texel *t)
{
   hd_gcn_data data = { { 0 }, { 0 } };
   unsigned num = 0;

   for (unsigned n = 0; n < 4; n++) {
      uint32_t value = t->value[n], undef = t->undef[n];
      if (!(r->mask >> n & 1))
         continue;
      if (r->half)
         hd_gcn_texel_to_half(r->format, &value, &undef);
      const unsigned shift = r->upper || (r->packed && num % 2) ? 16 : 0;
      const unsigned word = r->packed ? num / 2 : num;
      data.value[word] |= value << shift;
      data.undef[word] |= undef << shift;
      num++;
   }
   if (r->upper) {
      data.value[0] |= wave->vgpr[r->first][lane] & 0xffff;
      data.undef[0] |= wave->vgpr_undef[r->first][lane] & 0xffff;
   }
   hd_gcn_data_to_lane(wave, r->first, r->packed ? (num + 1) / 2 : num, lane, &data);
}

hd_gcn_texel
hd_gcn_texel_read(const hd_gcn_wave *wave, const hd_gcn_texel_registers *r, unsigned lane)
{
   hd_gcn_texel t = { { 0 }, { 0 } };
   unsigned num = 0;

   for (unsigned n = 0; n < 4; n++) {
      if (!(r->mask >> n & 1))
         continue;
      const unsigned reg = r->first + (r->packed ? num / 2 : num);
      const unsigned shift = r->upper || (r->packed && num % 2) ? 16 : 0;
      t.value[n] = wave->vgpr[reg][lane] >> shift;
      t.undef[n] = wave->vgpr_undef[reg][lane] >> shift;
      num++;
      if (r->half)
         hd_gcn_texel_from_half(r->format, &t.value[n], &t.undef[n]);
   }
   return t;
}
