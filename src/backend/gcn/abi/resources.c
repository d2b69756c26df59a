/* SPDX-License-Identifier: MIT */
/* resources.c - the resources of a wave: the pgm_rsrc words of a dispatch, and occupancy. */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/output.h"

#define SIMDS         4u     /* of a compute unit */
#define LDS_SIZE      65536u /* of a compute unit */
#define MAX_LANES     1024u  /* of a workgroup */
#define LANES_OF_WAVE 64u

static uint32_t
round_up(uint32_t n, uint32_t unit)
{
   return (n + unit - 1) / unit * unit;
}

static unsigned
at_most(unsigned a, unsigned b)
{
   return a < b ? a : b;
}

/* Waves of a workgroup; the largest where the launch decides. */
static unsigned
waves_of(uint32_t workgroup_lanes)
{
   return ((workgroup_lanes ? workgroup_lanes : MAX_LANES) + LANES_OF_WAVE - 1) / LANES_OF_WAVE;
}

/* Registers of a SIMD, and in which portions a wave gets them; `extra` are allocated beyond those
 * that instructions name.
 */
struct file_size {
   unsigned total, granule, named, extra;
};

static struct file_size
file_size_of(const hd_gcn_target *t, hd_gcn_file file)
{
   if (file == HD_GCN_VGPR)
      return (struct file_size){ 256, t->vgpr_granule, t->max_vgprs, 0 };
   return (struct file_size){ t->physical_sgprs, t->sgpr_granule, t->max_sgprs, t->extra_sgprs };
}

unsigned
hd_gcn_max_registers(const hd_mach_program *p, hd_gcn_file file)
{
   const struct file_size size = file_size_of(hd_gcn_target_in(p), file);
   const unsigned option =
       file == HD_GCN_VGPR ? hd_gcn_of(p)->options->max_vgprs : hd_gcn_of(p)->options->max_sgprs;
   /* All waves of a workgroup are on one compute unit at the same time; other stages have none. */
   const bool grouped = p->shader && !hd_gcn_is_graphics(p->shader);
   const unsigned of_group = grouped ? waves_of(hd_gcn_workgroup_lanes(p->shader)) : 1;
   unsigned waves = (of_group + SIMDS - 1) / SIMDS;

   if (hd_gcn_of(p)->options->min_waves > waves)
      waves = hd_gcn_of(p)->options->min_waves;
   unsigned most = size.total / waves / size.granule * size.granule - size.extra;
   most = at_most(most, size.named);
   return option ? at_most(most, option) : most;
}

unsigned
hd_gcn_occupancy(const hd_gcn_target *target, unsigned sgprs, unsigned vgprs, uint32_t lds_size,
                 uint32_t workgroup_lanes)
{
   const struct file_size s = file_size_of(target, HD_GCN_SGPR);
   const struct file_size v = file_size_of(target, HD_GCN_VGPR);
   unsigned waves = target->max_waves;

   waves = at_most(waves, s.total / round_up(sgprs ? sgprs : 1, s.granule));
   waves = at_most(waves, v.total / round_up(vgprs ? vgprs : 1, v.granule));
   if (lds_size) {
      /* A workgroup's waves share its LDS, and are spread over the SIMDs. */
      const unsigned groups = LDS_SIZE / round_up(lds_size, target->lds_granule);
      const unsigned of_unit = groups * waves_of(workgroup_lanes);
      waves = at_most(waves, (of_unit + SIMDS - 1) / SIMDS);
   }
   return waves;
}

/* COMPUTE_PGM_RSRC1 */
#define RSRC1_SGPRS_SHIFT      6
#define RSRC1_FLOAT_MODE_SHIFT 12 /* as the lower byte of the mode register */
#define RSRC1_DX10_CLAMP       (1u << 21)
#define RSRC1_VS_VGPRS_SHIFT   24 /* of those that a vertex shader gets, one less */

uint32_t
hd_gcn_rsrc1(const hd_mach_program *p, unsigned sgprs, unsigned vgprs)
{
   const hd_gcn_target *t = hd_gcn_target_in(p);
   const unsigned s = round_up(sgprs ? sgprs : 1, t->sgpr_granule);
   const unsigned v = round_up(vgprs ? vgprs : 1, t->vgpr_granule);

   /* SGPRs are counted in portions of 8 on all generations. Without IEEE mode a minimum of a
    * signaling NaN and a number is the number, as the shader's is, and omod can be used.
    */
   const uint32_t inputs = p->shader->stage == HD_STAGE_VERTEX ? hd_gcn_num_start_vgprs(p) - 1 : 0;
   return (v / 4 - 1) | (s / 8 - 1) << RSRC1_SGPRS_SHIFT |
          hd_gcn_float_mode(p->shader->float_controls) << RSRC1_FLOAT_MODE_SHIFT |
          RSRC1_DX10_CLAMP | inputs << RSRC1_VS_VGPRS_SHIFT;
}

/* COMPUTE_PGM_RSRC2 */
#define RSRC2_SCRATCH_ENABLE     (1u << 0)
#define RSRC2_USER_SGPRS_SHIFT   1
#define RSRC2_WORKGROUP_ID_SHIFT 7
#define RSRC2_LOCAL_IDS_SHIFT    11
#define RSRC2_LDS_SHIFT          15

uint32_t
hd_gcn_rsrc2(const hd_mach_program *p)
{
   const hd_gcn_abi *abi = &hd_gcn_of(p)->abi;
   uint32_t rsrc2 = hd_gcn_abi_num_user_sgprs(p) << RSRC2_USER_SGPRS_SHIFT;

   if (abi->temps[HD_GCN_START_SCRATCH_OFFSET])
      rsrc2 |= RSRC2_SCRATCH_ENABLE;
   if (hd_gcn_is_graphics(p->shader))
      return rsrc2;
   for (unsigned n = 0; n < 3; n++) {
      if (abi->temps[HD_GCN_START_WORKGROUP_ID + n] ||
          (!n && hd_gcn_of(p)->options->abi == HD_GCN_ABI_HSA))
         rsrc2 |= 1u << (RSRC2_WORKGROUP_ID_SHIFT + n);
   }
   rsrc2 |= (abi->temps[HD_GCN_START_LOCAL_ID + 2]   ? 2u
             : abi->temps[HD_GCN_START_LOCAL_ID + 1] ? 1u
                                                     : 0u)
            << RSRC2_LOCAL_IDS_SHIFT;
   /* A kernel's LDS size comes from the packet that starts it. */
   if (hd_gcn_of(p)->options->abi == HD_GCN_ABI_DRIVER)
      rsrc2 |= round_up(p->shader->shared_size, hd_gcn_target_in(p)->lds_granule) /
                   hd_gcn_target_in(p)->lds_granule
               << RSRC2_LDS_SHIFT;
   return rsrc2;
}

/* Registers that are allocated at least: those that are set at the start. */
static unsigned
set_at_start(const hd_mach_program *p, hd_gcn_file file)
{
   if (file == HD_GCN_VGPR)
      return hd_gcn_num_start_vgprs(p);
   unsigned sgprs = hd_gcn_abi_num_user_sgprs(p);
   const uint32_t rsrc2 = hd_gcn_rsrc2(p);
   if (hd_gcn_is_graphics(p->shader))
      return sgprs + (p->shader->stage == HD_STAGE_FRAGMENT) + (rsrc2 & RSRC2_SCRATCH_ENABLE);
   for (unsigned n = 0; n < 3; n++)
      sgprs += rsrc2 >> (RSRC2_WORKGROUP_ID_SHIFT + n) & 1;
   return sgprs + (rsrc2 & RSRC2_SCRATCH_ENABLE);
}

/* Also where a short form put there what is not read. */
static bool
names_vcc(const hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
            const unsigned reg = inst->operands[n].reg;
            if (reg == HD_GCN_VCC || reg == HD_GCN_VCC + 1 || reg == HD_GCN_VCCZ)
               return true;
         }
      }
   }
   return false;
}

void
hd_gcn_resources(const hd_mach_program *p, hd_gcn_binary *binary)
{
   hd_gcn_stats *stats = &binary->stats;
   unsigned used[HD_GCN_NUM_FILES];

   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++) {
      const unsigned least = set_at_start(p, (hd_gcn_file)file);
      used[file] = p->used[file] > least ? p->used[file] : least;
   }
   /* What lies after the highest that is named. */
   stats->sgprs =
       used[HD_GCN_SGPR] + (hd_gcn_of(p)->uses_flat_scratch ? hd_gcn_target_in(p)->extra_sgprs
                            : names_vcc(p)                  ? 2
                                                            : 0);
   stats->vgprs = used[HD_GCN_VGPR];
   stats->spilled_sgprs = p->spilled[HD_GCN_SGPR];
   stats->spilled_vgprs = p->spilled[HD_GCN_VGPR];
   stats->lds_size = p->shader->shared_size;
   stats->scratch_size = p->scratch_size;
   stats->occupancy = hd_gcn_occupancy(hd_gcn_target_in(p), stats->sgprs, stats->vgprs,
                                       stats->lds_size, hd_gcn_workgroup_lanes(p->shader));
   binary->pgm_rsrc1 = hd_gcn_rsrc1(p, stats->sgprs, stats->vgprs);
   binary->pgm_rsrc2 = hd_gcn_rsrc2(p);
   binary->user_sgprs = hd_gcn_abi_num_user_sgprs(p);
   binary->kernarg_size = hd_gcn_abi_kernarg_size(p);
}
