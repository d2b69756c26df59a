/* SPDX-License-Identifier: MIT */
/* machine.c - the description of GCN for the machine layer: register files, op tables, hooks. */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/combine.h"
#include "backend/gcn/insert_waits.h"
#include "backend/gcn/output.h"

static void
register_budget(const hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES])
{
   const hd_gcn_program *gcn = hd_gcn_of(p);

   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++)
      budget[file] = (uint16_t)hd_gcn_max_registers(p, (hd_gcn_file)file);
   if (p->is_long && budget[HD_GCN_SGPR] >= 32)
      budget[HD_GCN_SGPR] = (uint16_t)(budget[HD_GCN_SGPR] - 2); /* layout.c */
   budget[HD_GCN_VGPR] = (uint16_t)(budget[HD_GCN_VGPR] - gcn->num_combine_vgprs -
                                    gcn->num_lane_vgprs - gcn->num_page_vgprs);
}

static unsigned
occupancy(const hd_mach_program *p, const int32_t regs[HD_MACH_MAX_FILES])
{
   const hd_gcn_target *t = hd_gcn_target_in(p);

   return hd_gcn_occupancy(t, (unsigned)regs[HD_GCN_SGPR] + t->extra_sgprs,
                           (unsigned)regs[HD_GCN_VGPR], p->shader->shared_size,
                           hd_gcn_workgroup_lanes(p->shader));
}

static int32_t
registers_for(const hd_mach_program *p, unsigned waves, unsigned file)
{
   const hd_gcn_target *t = hd_gcn_target_in(p);
   const int32_t most = (int32_t)hd_gcn_max_registers(p, (hd_gcn_file)file);
   const unsigned total = file == HD_GCN_SGPR ? t->physical_sgprs : 256u;
   const unsigned granule = file == HD_GCN_SGPR ? t->sgpr_granule : t->vgpr_granule;

   if (!waves)
      return most;
   unsigned all = total / waves / granule * granule;
   all -= file == HD_GCN_SGPR ? t->extra_sgprs : 0;
   return (int32_t)all < most ? (int32_t)all : most;
}

#define TO_LDS (HD_GCN_LDS | HD_GCN_GDS)

/* What goes to LDS past the registers, or to GDS, is ordered with everything. */
static unsigned
memory_of(const hd_mach_inst *inst)
{
   const unsigned all = HD_MACH_MEMORY_GLOBAL | HD_MACH_MEMORY_SHARED | HD_MACH_MEMORY_SCRATCH;

   return hd_gcn_memory_of(inst) | (inst->bits & TO_LDS ? all : 0);
}

/* The number of the source that is written to memory; the sources: there is none. */
static unsigned
data_of(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (!(info->mach.flags & HD_MACH_STORES))
      return inst->num_srcs;
   return hd_gcn_is_buffer(info) || info->format == HD_GCN_MIMG ? 0 : 1;
}

/* Two elements of LDS, with an offset each that counts elements. */
static bool
is_pair(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_DS_READ2_B32 || inst->op == HD_GCN_DS_READ2_B64 ||
          inst->op == HD_GCN_DS_WRITE2_B32 || inst->op == HD_GCN_DS_WRITE2_B64;
}

/* All operands but data, as they are. */
static bool
access_of(const hd_mach_inst *inst, hd_mach_access *access)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned data = data_of(inst);
   unsigned num = 0;

   if (info->format == HD_GCN_SMEM || (inst->bits & TO_LDS) ||
       ((info->mach.flags & HD_GCN_TWO_OFFSETS) && !is_pair(inst)))
      return false;
   *access = (hd_mach_access){
      .way = info->format | (inst->bits & (HD_GCN_OFFEN | HD_GCN_IDXEN | HD_GCN_ADDR64)) << 8,
   };
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (n == data || (n == data + 1 && info->format == HD_GCN_DS && data < inst->num_srcs &&
                        hd_mach_src(inst, n)->reg != HD_GCN_M0))
         continue; /* an exchange of LDS has two */
      if (num == HD_MACH_MAX_ADDRESS)
         return false;
      access->address[num] = *hd_mach_src(inst, n);
      access->address[num++].flags &= (uint8_t)~HD_MACH_OPERAND_KILL;
   }
   unsigned dwords = inst->num_defs ? hd_mach_def(inst, 0)->size : 1u;
   if (data < inst->num_srcs && hd_mach_src(inst, data)->size > dwords)
      dwords = hd_mach_src(inst, data)->size;
   if (info->mach.flags & HD_GCN_TWO_OFFSETS) {
      /* All between the two, too. */
      const int32_t a = inst->imm & 0xff, b = inst->imm >> 8 & 0xff,
                    bytes = (int32_t)dwords * (inst->num_defs ? 2 : 4);
      access->first = (a < b ? a : b) * bytes;
      access->end = (a < b ? b : a) * bytes + bytes;
      return true;
   }
   access->first = inst->imm;
   access->end = inst->imm + (int32_t)dwords * 4;
   return true;
}

static bool
can_rematerialize(const hd_mach_inst *inst)
{
   return (inst->op == HD_GCN_S_MOV_B32 || inst->op == HD_GCN_S_MOV_B64 ||
           inst->op == HD_GCN_S_MOVK_I32 || inst->op == HD_GCN_V_MOV_B32) &&
          inst->form == HD_GCN_FORM_BASE && inst->num_srcs == 1 &&
          !(hd_mach_def(inst, 0)->flags & HD_MACH_OPERAND_FIXED) &&
          !hd_mach_is_temp(hd_mach_src(inst, 0)) && hd_mach_src(inst, 0)->reg >= HD_GCN_CONST_0 &&
          hd_mach_src(inst, 0)->reg < HD_GCN_VCCZ;
}

static bool
is_move(const hd_mach_inst *inst)
{
   if (inst->op == HD_GCN_V_MOV_B32)
      return inst->form <= HD_GCN_FORM_VOP3 && !inst->bits &&
             !inst->mods.bytes[HD_GCN_MOD_OP_SEL] &&
             !(hd_mach_src(inst, 0)->flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS));
   return inst->op == HD_GCN_S_MOV_B32 || inst->op == HD_GCN_S_MOV_B64;
}

/* A compare or a carry in the long form: shrink.c makes it short if the result is in vcc. */
static bool
likes_vcc(const hd_mach_inst *inst, unsigned def)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (inst->form != HD_GCN_FORM_VOP3)
      return false;
   return (info->format == HD_GCN_VOPC && def == 0) || (info->format == HD_GCN_VOP2 && def == 1);
}

static unsigned
demanded_register(const hd_mach_inst *inst, unsigned n)
{
   const hd_mach_op *info = &hd_gcn_op_info_of(inst)->mach;
   const unsigned row = n < inst->num_defs ? n : info->num_defs + n - inst->num_defs;
   const hd_mach_operand_info *o = &info->operands[row];

   if (row >= (unsigned)info->num_defs + info->num_srcs)
      return HD_MACH_NO_REG;
   if (o->kinds & HD_GCN_TAKES_ONE && (inst->form == HD_GCN_FORM_BASE || o->fixed != HD_GCN_VCC))
      return o->fixed;
   return HD_MACH_NO_REG;
}

/* Scalar arithmetic takes a constant where any value will do. */
static hd_mach_operand
undefined_source(const hd_mach_inst *inst, const hd_mach_operand *src)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (hd_gcn_is_salu(info) && info->format != HD_GCN_SOPK)
      return (hd_mach_operand){ .reg = HD_GCN_CONST_0, .size = src->size };
   return (hd_mach_operand){ 0 };
}

static hd_mach_inst *
end(hd_mach_program *p)
{
   return hd_gcn_inst_create(p, HD_GCN_S_ENDPGM, 0, 0);
}

/* Masks */

static const uint8_t costs[] = {
   [HD_GCN_LATENCY_SALU] = 1,    [HD_GCN_LATENCY_VALU] = 1,   [HD_GCN_LATENCY_HALF] = 2,
   [HD_GCN_LATENCY_QUARTER] = 4, [HD_GCN_LATENCY_BRANCH] = 2, [HD_GCN_LATENCY_SMEM] = 16,
   [HD_GCN_LATENCY_LDS] = 16,    [HD_GCN_LATENCY_VMEM] = 32,  [HD_GCN_LATENCY_FLAT] = 32,
   [HD_GCN_LATENCY_MESSAGE] = 8, [HD_GCN_LATENCY_EXPORT] = 8, [HD_GCN_LATENCY_NONE] = 0,
};

/* What a branch costs that is taken, in vector instructions. */
#define BRANCH_COST 4u

static bool
skip_pays(const hd_mach_program *p, uint32_t cost, bool must)
{
   switch (hd_gcn_of(p)->options->skip) {
   case HD_GCN_SKIP_ALWAYS:
      return must || cost > 0;
   case HD_GCN_SKIP_NEVER:
      return must;
   case HD_GCN_SKIP_COST:
      break;
   }
   return must || cost > BRANCH_COST;
}

static bool
must_have_lanes(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->format == HD_GCN_SMEM;
}

static bool
is_compare(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->format == HD_GCN_VOPC;
}

/* The chip starts no wave of helpers alone. */
static bool
spares_some(const hd_mach_program *p, hd_mach_operand mask)
{
   const uint32_t helpers = hd_gcn_of((hd_mach_program *)p)->abi.temps[HD_GCN_START_HELPERS];

   return helpers && mask.flags & HD_MACH_OPERAND_TEMP && mask.value == helpers;
}

#define MASKS(and_not_saveexec)                                                                    \
   {                                                                                               \
      .move = HD_GCN_S_MOV_B64, .and_masks = HD_GCN_S_AND_B64, .or_masks = HD_GCN_S_OR_B64,        \
      .and_not = HD_GCN_S_ANDN2_B64, .xor_masks = HD_GCN_S_XOR_B64,                                \
      .and_save = HD_GCN_S_AND_SAVEEXEC_B64, .and_not_save = and_not_saveexec,                     \
      .branch_flag = { HD_GCN_S_CBRANCH_SCC0, HD_GCN_S_CBRANCH_SCC1 },                             \
      .branch_none = HD_GCN_S_CBRANCH_EXECZ, .branch_some = HD_GCN_S_CBRANCH_EXECNZ,               \
      .zero = HD_GCN_CONST_0, .costs = costs, .lanes_cost = 16, .make = hd_gcn_make_op,            \
      .skip_pays = skip_pays, .must_have_lanes = must_have_lanes, .is_compare = is_compare,        \
      .inverse_compare = hd_gcn_inverse_compare, .exec_compare = hd_gcn_exec_compare,              \
      .spares_some = spares_some, .cleans = true,                                                  \
   }

static const hd_mach_masks masks = MASKS(HD_MACH_OP_NONE);
static const hd_mach_masks masks_gfx9 = MASKS(HD_GCN_S_ANDN1_SAVEEXEC_B64);

#define HOOKS(its_masks)                                                                           \
   {                                                                                               \
      .spilling = &hd_gcn_spilling, .masks = its_masks, .register_budget = register_budget,        \
      .occupancy = occupancy, .registers_for = registers_for, .memory_of = memory_of,              \
      .access_of = access_of, .can_rematerialize = can_rematerialize, .is_move = is_move,          \
      .likes_preferred = likes_vcc, .demanded_register = demanded_register,                        \
      .undefined_source = undefined_source, .end = end,                                            \
   }

static const hd_mach_hooks hooks[HD_GCN_NUM_GENS] = {
   [HD_GCN_GFX600] = HOOKS(&masks),
   [HD_GCN_GFX803] = HOOKS(&masks),
   [HD_GCN_GFX900] = HOOKS(&masks_gfx9),
};

const hd_mach_hooks *
hd_gcn_hooks_of(hd_gcn_gen gen)
{
   return &hooks[gen];
}
