/* SPDX-License-Identifier: MIT */
/* hazards.c - hazard recognizer: s_nop where software must separate two instructions by wait states.
 *
 *    v_readfirstlane_b32 s4, v0               v_readfirstlane_b32 s4, v0
 *    v_mov_b32 v1, 0                  =>      v_mov_b32 v1, 0
 *    buffer_load_dword v2, v1, s[4:7] ...     s_nop 3
 *                                             buffer_load_dword v2, v1, s[4:7] ...
 *
 * `rules` is what the manuals list under "manually inserted wait states", a row each. An
 * instruction between the two is one wait state, s_nop n is n + 1.
 *
 * machine/hazards.c inserts them.
 *
 * Tests:     tests/backend/gcn/test_hazards.c
 */
#include "machine/hazards.h"
#include "backend/gcn/program.h"

/* What is done. Each to a register, or to something else that has a number. */
typedef enum producer {
   VALU_WRITES_SCALAR, /* SGPRs, vcc, exec */
   SALU_WRITES_SCALAR, /* m0 too */
   VALU_WRITES_VECTOR,
   STORES_WIDE, /* vector registers of more than 64 bits of data, which are read a little later */
   SETS_HWREG,  /* s_setreg */
   SETS_VSKIP,  /* s_setvskip */
   NUM_PRODUCERS,
} producer;

/* Who sees it too early. */
typedef enum consumer {
   VMEM_READS,        /* a scalar register, as resource, offset or address */
   SMEM_READS,        /* a scalar register */
   SMEM_BUFFER_READS, /* a scalar register, of s_buffer_load and the like */
   SELECTS_LANE,      /* v_readlane, v_writelane: the scalar register that names the lane */
   DIV_FMAS,          /* vcc */
   READS_ZERO_BIT,    /* a vector instruction that has vccz or execz as data */
   DPP_READS,         /* a vector register, of other lanes: its first source */
   DPP_RUNS,          /* for the lanes of exec */
   VALU_OVERWRITES,   /* a vector register */
   GETS_HWREG,
   SETS_HWREG_AGAIN,
   GETS_MODE,
   VECTOR_RUNS,
   MESSAGE,        /* m0: s_sendmsg, s_ttracedata, GDS */
   MOVES_RELATIVE, /* m0: s_movrel, attributes */
   LOADS_TO_LDS,   /* m0: vector memory that writes LDS; LDS by the number of the lane */
} consumer;

#define GFX6 (1u << HD_GCN_GFX600)
#define GFX8 (1u << HD_GCN_GFX803)
#define GFX9 (1u << HD_GCN_GFX900)
#define ALL  (GFX6 | GFX8 | GFX9)

static const hd_mach_hazard rules[] = {
   { VALU_WRITES_SCALAR, VMEM_READS, 5, ALL },
   { VALU_WRITES_SCALAR, SELECTS_LANE, 4, ALL },
   { VALU_WRITES_SCALAR, DIV_FMAS, 4, ALL },
   { VALU_WRITES_SCALAR, READS_ZERO_BIT, 5, ALL },
   { VALU_WRITES_SCALAR, DPP_RUNS, 5, GFX8 | GFX9 },
   { VALU_WRITES_SCALAR, SMEM_READS, 4, GFX6 },
   { SALU_WRITES_SCALAR, SMEM_BUFFER_READS, 4, GFX6 },
   { SALU_WRITES_SCALAR, MESSAGE, 1, ALL },
   { SALU_WRITES_SCALAR, MOVES_RELATIVE, 1, GFX8 | GFX9 },
   { SALU_WRITES_SCALAR, LOADS_TO_LDS, 1, GFX9 },
   { VALU_WRITES_VECTOR, DPP_READS, 2, GFX8 | GFX9 },
   { STORES_WIDE, VALU_OVERWRITES, 1, GFX8 | GFX9 },
   { SETS_HWREG, GETS_HWREG, 2, ALL },
   { SETS_HWREG, SETS_HWREG_AGAIN, 1, GFX6 },
   { SETS_HWREG, SETS_HWREG_AGAIN, 2, GFX8 | GFX9 },
   { SETS_VSKIP, GETS_MODE, 2, ALL },
   { SETS_VSKIP, VECTOR_RUNS, 2, ALL },
};

#define NUM_SCALARS 128u
#define NUM_VECTORS 256u
#define NUM_HWREGS  64u
#define HWREG_MODE  1u

/* An effect: `producer`, and the number of what it was done to. */
#define FIRST_VALU_SCALAR 0u
#define FIRST_SALU_SCALAR (FIRST_VALU_SCALAR + NUM_SCALARS)
#define FIRST_VALU_VECTOR (FIRST_SALU_SCALAR + NUM_SCALARS)
#define FIRST_STORE       (FIRST_VALU_VECTOR + NUM_VECTORS)
#define FIRST_HWREG       (FIRST_STORE + NUM_VECTORS)
#define FIRST_VSKIP       (FIRST_HWREG + NUM_HWREGS)
#define NUM_EFFECTS       (FIRST_VSKIP + 1)

static const uint16_t first_effect[NUM_PRODUCERS + 1] = {
   FIRST_VALU_SCALAR, FIRST_SALU_SCALAR, FIRST_VALU_VECTOR, FIRST_STORE,
   FIRST_HWREG,       FIRST_VSKIP,       NUM_EFFECTS,
};

static bool
is_valu(const hd_gcn_op_info *info)
{
   return hd_gcn_is_valu(info) || info->format == HD_GCN_VINTRP;
}

static bool
is_scalar(const hd_mach_operand *operand)
{
   return operand->size && operand->reg < NUM_SCALARS;
}

static bool
is_vector(const hd_mach_operand *operand)
{
   return operand->size && operand->reg >= HD_GCN_VGPR0 && operand->reg < HD_MACH_MAX_REGS;
}

static unsigned
wait_states(const hd_mach_inst *inst)
{
   if (inst->op == HD_GCN_S_NOP)
      return ((unsigned)inst->imm & 15) + 1;
   return hd_gcn_op_info_of(inst)->format == HD_GCN_PSEUDO ? 0 : 1;
}

/* What is done */

/* The data of a store that is read a little after it is issued, or NULL. With an offset in a
 * register a buffer store takes a cycle more, in which it reads it; so do images, with their long
 * resource.
 */
static const hd_mach_operand *
wide_data(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned n = hd_gcn_is_buffer(info) ? 0 : 1;

   if (!hd_gcn_is_vmem(info) || info->format == HD_GCN_MIMG ||
       !(info->mach.flags & HD_MACH_STORES) || inst->num_srcs <= n)
      return NULL;
   if (hd_gcn_is_buffer(info) && inst->num_srcs > 3 && is_scalar(hd_mach_src(inst, 3)))
      return NULL;
   const hd_mach_operand *data = hd_mach_src(inst, n);
   return is_vector(data) && data->size > 2 ? data : NULL;
}

static void
find_effects(const hd_mach_hazards *rows, const hd_mach_inst *inst, hd_mach_effects *effects)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const bool valu = is_valu(info);

   effects->num = 0;
   if (valu || hd_gcn_is_salu(info)) {
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         if (is_scalar(def))
            hd_mach_add_effects(rows, effects, valu ? VALU_WRITES_SCALAR : SALU_WRITES_SCALAR,
                                def->reg, def->size);
         else if (is_vector(def))
            hd_mach_add_effects(rows, effects, VALU_WRITES_VECTOR, def->reg - HD_GCN_VGPR0,
                                def->size);
      }
   }
   const hd_mach_operand *data = wide_data(inst);
   if (data)
      hd_mach_add_effects(rows, effects, STORES_WIDE, data->reg - HD_GCN_VGPR0, data->size);
   if (inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32)
      hd_mach_add_effects(rows, effects, SETS_HWREG, (unsigned)inst->imm % NUM_HWREGS, 1);
   if (inst->op == HD_GCN_S_SETVSKIP)
      hd_mach_add_effects(rows, effects, SETS_VSKIP, 0, 1);
}

/* What is seen too early */

static uint64_t
latest_of_scalars(const struct hd_mach_hazard_state *h, producer producer, const hd_mach_inst *inst)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      const uint64_t done =
          is_scalar(src) ? hd_mach_latest_effect(h, producer, src->reg, src->size) : 0;
      time = done > time ? done : time;
   }
   return time;
}

static uint64_t
latest_of_vectors(const struct hd_mach_hazard_state *h, producer producer,
                  const hd_mach_operand *operands, unsigned num)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < num; n++) {
      const uint64_t done =
          is_vector(&operands[n])
              ? hd_mach_latest_effect(h, producer, operands[n].reg - HD_GCN_VGPR0, operands[n].size)
              : 0;
      time = done > time ? done : time;
   }
   return time;
}

static uint64_t
latest_of_zero_bits(const struct hd_mach_hazard_state *h, producer producer,
                    const hd_mach_inst *inst)
{
   uint64_t time = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const unsigned reg = hd_mach_src(inst, n)->size ? hd_mach_src(inst, n)->reg : HD_MACH_NO_REG;
      if (reg != HD_GCN_VCCZ && reg != HD_GCN_EXECZ)
         continue;
      const uint64_t done =
          hd_mach_latest_effect(h, producer, reg == HD_GCN_VCCZ ? HD_GCN_VCC : HD_GCN_EXEC, 2);
      time = done > time ? done : time;
   }
   return time;
}

/* When that was done last which `inst` must not see too early; 0: never, or it does not see it. */
static uint64_t
seen(const struct hd_mach_hazard_state *h, const hd_mach_hazard *rule, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const producer producer = (enum producer)rule->producer;
   const unsigned hwreg = (unsigned)inst->imm % NUM_HWREGS;
   const bool dpp = is_valu(info) && inst->form == HD_GCN_FORM_DPP;
   const bool smem = info->format == HD_GCN_SMEM;

   switch ((enum consumer)rule->consumer) {
   case VMEM_READS:
      return hd_gcn_is_vmem(info) ? latest_of_scalars(h, producer, inst) : 0;
   case SMEM_READS:
      return smem ? latest_of_scalars(h, producer, inst) : 0;
   case SMEM_BUFFER_READS:
      return smem && inst->num_srcs && hd_mach_src(inst, 0)->size == 4
                 ? latest_of_scalars(h, producer, inst)
                 : 0;
   case SELECTS_LANE:
      if (inst->op != HD_GCN_V_READLANE_B32 && inst->op != HD_GCN_V_WRITELANE_B32)
         return 0;
      return is_scalar(hd_mach_src(inst, 1))
                 ? hd_mach_latest_effect(h, producer, hd_mach_src(inst, 1)->reg, 1)
                 : 0;
   case DIV_FMAS:
      return inst->op == HD_GCN_V_DIV_FMAS_F32 || inst->op == HD_GCN_V_DIV_FMAS_F64
                 ? hd_mach_latest_effect(h, producer, HD_GCN_VCC, 2)
                 : 0;
   case READS_ZERO_BIT:
      return is_valu(info) ? latest_of_zero_bits(h, producer, inst) : 0;
   case DPP_READS:
      return dpp ? latest_of_vectors(h, producer, hd_mach_src(inst, 0), 1) : 0;
   case DPP_RUNS:
      return dpp ? hd_mach_latest_effect(h, producer, HD_GCN_EXEC, 2) : 0;
   case VALU_OVERWRITES:
      return is_valu(info) ? latest_of_vectors(h, producer, inst->operands, inst->num_defs) : 0;
   case GETS_HWREG:
      return inst->op == HD_GCN_S_GETREG_B32 ? hd_mach_latest_effect(h, producer, hwreg, 1) : 0;
   case SETS_HWREG_AGAIN:
      return inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32
                 ? hd_mach_latest_effect(h, producer, hwreg, 1)
                 : 0;
   case GETS_MODE:
      return inst->op == HD_GCN_S_GETREG_B32 && hwreg == HWREG_MODE
                 ? hd_mach_latest_effect(h, producer, 0, 1)
                 : 0;
   case VECTOR_RUNS:
      return is_valu(info) || hd_gcn_is_vmem(info) || info->format == HD_GCN_DS
                 ? hd_mach_latest_effect(h, producer, 0, 1)
                 : 0;
   case MESSAGE:
      return inst->op == HD_GCN_S_SENDMSG || inst->op == HD_GCN_S_SENDMSGHALT ||
                     inst->op == HD_GCN_S_TTRACEDATA ||
                     (info->format == HD_GCN_DS && (inst->bits & HD_GCN_GDS))
                 ? hd_mach_latest_effect(h, producer, HD_GCN_M0, 1)
                 : 0;
   case MOVES_RELATIVE:
      return inst->op == HD_GCN_S_MOVRELS_B32 || inst->op == HD_GCN_S_MOVRELS_B64 ||
                     inst->op == HD_GCN_S_MOVRELD_B32 || inst->op == HD_GCN_S_MOVRELD_B64 ||
                     info->format == HD_GCN_VINTRP
                 ? hd_mach_latest_effect(h, producer, HD_GCN_M0, 1)
                 : 0;
   case LOADS_TO_LDS:
      return (hd_gcn_is_vmem(info) && (inst->bits & HD_GCN_LDS)) ||
                     inst->op == HD_GCN_DS_READ_ADDTID_B32 || inst->op == HD_GCN_DS_WRITE_ADDTID_B32
                 ? hd_mach_latest_effect(h, producer, HD_GCN_M0, 1)
                 : 0;
   }
   return 0;
}

static hd_mach_inst *
nop(hd_mach_program *p, unsigned states)
{
   hd_mach_inst *inst = hd_gcn_inst_create(p, HD_GCN_S_NOP, 0, 0);

   inst->imm = (int32_t)states - 1;
   return inst;
}

bool
hd_gcn_hazards(hd_mach_program *p)
{
   const hd_mach_hazards rows = {
      .rules = rules,
      .num_rules = sizeof(rules) / sizeof(rules[0]),
      .variant = 1u << hd_gcn_target_in(p)->gen,
      .first_effect = first_effect,
      .num_producers = NUM_PRODUCERS,
      .wait_states = wait_states,
      .find_effects = find_effects,
      .seen = seen,
      .nop = nop,
   };

   hd_mach_separate(p, &rows);
   return true;
}
