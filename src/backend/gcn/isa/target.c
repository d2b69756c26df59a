/* SPDX-License-Identifier: MIT */
/* target.c - what the generations differ in, apart from their instructions. */
#include "machine/program.h"

#include <string.h>

#include "util/quote.h"

static const hd_gcn_target targets[HD_GCN_NUM_GENS] = {
   [HD_GCN_GFX6] = {
      .gen = HD_GCN_GFX6,
      .name = "gfx600",
      .max_sgprs = 104,
      .max_vgprs = 256,
      .sgpr_granule = 8,
      .vgpr_granule = 4,
      .physical_sgprs = 512,
      .extra_sgprs = 2,
      .max_lds = 32768,
      .max_scratch = 131056,
      .lds_granule = 256,
      .max_vmcnt = 15,
      .max_lgkmcnt = 15,
      .max_expcnt = 7,
      .max_waves = 10,
      .lds_needs_m0 = true,
   },
   [HD_GCN_GFX8] = {
      .gen = HD_GCN_GFX8,
      .name = "gfx803",
      .max_sgprs = 102,
      .max_vgprs = 256,
      .sgpr_granule = 16,
      .vgpr_granule = 4,
      .physical_sgprs = 800,
      .extra_sgprs = 6,
      .max_lds = 65536,
      .max_scratch = 131056,
      .lds_granule = 512,
      .max_vmcnt = 15,
      .max_lgkmcnt = 15,
      .max_expcnt = 7,
      .max_waves = 10,
      .scalar_stores = true,
      .has_16bit = true,
      .has_sdwa = true,
      .has_dpp = true,
      .lds_needs_m0 = true,
      .smem_imm_bytes = true,
   },
   [HD_GCN_GFX9] = {
      .gen = HD_GCN_GFX9,
      .name = "gfx900",
      .max_sgprs = 102,
      .max_vgprs = 256,
      .sgpr_granule = 16,
      .vgpr_granule = 4,
      .physical_sgprs = 800,
      .extra_sgprs = 6,
      .max_lds = 65536,
      .max_scratch = 131056,
      .lds_granule = 512,
      .max_vmcnt = 63,
      .max_lgkmcnt = 15,
      .max_expcnt = 7,
      .max_waves = 10,
      .scalar_stores = true,
      .has_16bit = true,
      .has_sdwa = true,
      .has_dpp = true,
      .has_global = true,
      .smem_imm_bytes = true,
      .add_no_carry = true,
   },
};

const hd_gcn_target *
hd_gcn_target_of(hd_gcn_gen gen)
{
   return &targets[gen];
}

bool
hd_gcn_has_target(hd_gcn_gen gen, const hd_diag_sink *sink)
{
   char message[64];

   if ((unsigned)gen < HD_GCN_NUM_GENS)
      return true;
   snprintf(message, sizeof(message), "unknown target %u: expected one below %u", (unsigned)gen,
            (unsigned)HD_GCN_NUM_GENS);
   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR, .message = message });
   return false;
}

const char *
hd_gcn_gen_name(hd_gcn_gen gen)
{
   return (unsigned)gen < HD_GCN_NUM_GENS ? targets[gen].name : "?";
}

hd_gcn_gen
hd_gcn_gen_find(const char *name)
{
   unsigned gen = 0;

   while (gen < HD_GCN_NUM_GENS && strcmp(targets[gen].name, name))
      gen++;
   return (hd_gcn_gen)gen;
}
