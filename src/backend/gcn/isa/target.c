/* SPDX-License-Identifier: MIT */
/* target.c - features of each generation, apart from its instructions (as LLVM's subtarget features). */
#include "backend/gcn/program.h"

#include "util/quote.h"

static const char *
op_name(const hd_mach *mach, unsigned op)
{
   return hd_gcn_op_name(&hd_gcn_op_infos[op], ((const hd_gcn_target *)mach)->gen);
}

static const hd_mach_latency latencies[] = {
   [HD_GCN_LATENCY_SALU] = { .cycles = 4 },
   [HD_GCN_LATENCY_VALU] = { .cycles = 4 },
   [HD_GCN_LATENCY_HALF] = { .cycles = 8 },
   [HD_GCN_LATENCY_QUARTER] = { .cycles = 16 },
   [HD_GCN_LATENCY_BRANCH] = { .cycles = 4 },
   [HD_GCN_LATENCY_SMEM] = { .cycles = 4, .data = 200, .scalar_load = true },
   [HD_GCN_LATENCY_LDS] = { .cycles = 4, .data = 100 },
   [HD_GCN_LATENCY_VMEM] = { .cycles = 4, .data = 400 },
   [HD_GCN_LATENCY_FLAT] = { .cycles = 4, .data = 400 },
   [HD_GCN_LATENCY_MESSAGE] = { .cycles = 4 },
   [HD_GCN_LATENCY_EXPORT] = { .cycles = 4 },
   [HD_GCN_LATENCY_NONE] = { .cycles = 4 },
};

/* What the machine layer knows of all of them. */
#define MACHINE(gfx)                                                                               \
   {                                                                                               \
      .name = gfx,                                                                                 \
      .files = { [HD_GCN_SGPR] = { .name = "SGPR",                                                 \
                                   .flow = HD_MACH_LINEAR,                                         \
                                   .first = HD_GCN_SGPR0,                                          \
                                   .num = HD_GCN_FLAT_SCRATCH,                                     \
                                   .max_align = 4,                                                 \
                                   .slack = 6 },                                                   \
                 [HD_GCN_VGPR] = { .name = "VGPR",                                                 \
                                   .flow = HD_MACH_LOGICAL,                                        \
                                   .first = HD_GCN_VGPR0,                                          \
                                   .num = HD_MACH_MAX_REGS - HD_GCN_VGPR0,                         \
                                   .max_align = 1,                                                 \
                                   .slack = 2 } },                                                 \
      .num_files = HD_GCN_NUM_FILES, .ops = hd_gcn_op_infos, .op_size = sizeof(hd_gcn_op_info),    \
      .file_of = { [HD_MACH_LOGICAL] = HD_GCN_VGPR, [HD_MACH_LINEAR] = HD_GCN_SGPR },              \
      .first_const = HD_GCN_CONST_0, .end_const = HD_GCN_APERTURES, .literal = HD_GCN_LITERAL,     \
      .flag = HD_GCN_SCC, .exec = { HD_GCN_EXEC, 2 },                                              \
      .aliases = { { HD_GCN_EXECZ, { HD_GCN_EXEC, 2 } }, { HD_GCN_VCCZ, { HD_GCN_VCC, 2 } } },     \
      .num_aliases = 2, .preferred = { HD_GCN_VCC, 2 },                                            \
      .transients = { { HD_GCN_SCC, false }, { HD_GCN_VCC, false }, { HD_GCN_M0, true } },         \
      .num_transients = 3, .latencies = latencies, .lanes = 64, .op_name = op_name,                \
   }

#define ALL                                                                                        \
   .max_vgprs = 256, .vgpr_granule = 4, .max_scratch = 131056, .max_lgkmcnt = 15, .max_expcnt = 7, \
   .max_waves = 10
#define GFX8_AND_GFX9                                                                              \
   .max_sgprs = 102, .sgpr_granule = 16, .physical_sgprs = 800, .extra_sgprs = 6,                  \
   .max_lds = 65536, .lds_granule = 512, .scalar_stores = true, .has_16bit = true,                 \
   .has_sdwa = true, .has_dpp = true, .smem_imm_bytes = true

static const hd_gcn_target targets[HD_GCN_NUM_GENS] = {
   [HD_GCN_GFX600] = {
      .gen = HD_GCN_GFX600,
      .mach = MACHINE("gfx600"),
      ALL,
      .max_sgprs = 104,
      .sgpr_granule = 8,
      .physical_sgprs = 512,
      .extra_sgprs = 2,
      .max_lds = 32768,
      .lds_granule = 256,
      .max_vmcnt = 15,
      .lds_needs_m0 = true,
   },
   [HD_GCN_GFX803] = {
      .gen = HD_GCN_GFX803,
      .mach = MACHINE("gfx803"),
      ALL,
      GFX8_AND_GFX9,
      .max_vmcnt = 15,
      .lds_needs_m0 = true,
   },
   [HD_GCN_GFX900] = {
      .gen = HD_GCN_GFX900,
      .mach = MACHINE("gfx900"),
      ALL,
      GFX8_AND_GFX9,
      .max_vmcnt = 63,
      .has_global = true,
      .add_no_carry = true,
      .has_three_int = true,
      .has_packed = true,
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
