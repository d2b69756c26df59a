/* SPDX-License-Identifier: MIT */
/* hazard.c - check hazards: wait states that the manuals require of software, and that hardware does
 * not check.
 *
 * A wait state is one instruction of the wave, or one count of s_nop. For each register the machine
 * keeps when it was last written and by what; a rule asks, of an instruction that is about to run,
 * whether one of its registers was written so recently that too few wait states lie between.
 */
#include "backend/gcn/sim/machine.h"

#include <inttypes.h>
#include <string.h>

#define NUM_HWREGS 64u
#define HWREG_MODE 1u

/* Time is counted in wait states; 0 is long ago. */
struct hd_gcn_states {
   uint64_t now;
   uint64_t sgpr_by_valu[128], sgpr_by_salu[128];
   uint64_t vgpr_by_valu[256];
   uint64_t data_of_store[256]; /* was read by a store of more than 64 bits a lane */
   uint64_t setreg[NUM_HWREGS];
   uint64_t vskip;       /* when s_setreg set or cleared the bit of the mode register */
   uint64_t setvskip;    /* when s_setvskip did */
   bool vccz_is_old;     /* one half of vcc was written alone: the bit that branches read was not */
   bool vccz_in_doubt;   /* gfx6: a scalar load may have spoiled it */
   bool smem_since_wait; /* gfx6: scalar loads may still return */
};

#define LONG_AGO 64u

hd_gcn_states *
hd_gcn_states_create(hd_gcn_machine *m)
{
   return hd_stack_alloc_zero(&m->stack, sizeof(hd_gcn_states));
}

void
hd_gcn_states_reset(hd_gcn_states *h)
{
   memset(h, 0, sizeof(*h));
   h->now = LONG_AGO;
}

/* Wait states between then and now. */
static uint64_t
since(const hd_gcn_states *h, uint64_t when)
{
   return when ? h->now - when : UINT64_MAX;
}

static bool
too_soon(hd_gcn_wave *wave, const char *what, uint64_t states, unsigned needed, const char *name,
         unsigned reg)
{
   return hd_gcn_fault(wave, -1, "%s %s%u: %u wait states are needed, there are %" PRIu64, what,
                       name, reg, needed, states);
}

/* The register of `set` that was written last, if it was fewer than `needed` wait states ago. */
static bool
check_set(hd_gcn_wave *wave, const hd_gcn_states *h, const uint64_t *set, unsigned words,
          const uint64_t *times, unsigned needed, const char *what, const char *name)
{
   for (unsigned n = 0; n < words; n++) {
      for (uint64_t rest = set[n]; rest; rest &= rest - 1) {
         const unsigned reg = n * 64 + (unsigned)__builtin_ctzll(rest);
         const uint64_t states = since(h, times[reg]);
         if (states < needed)
            return too_soon(wave, what, states, needed, name, reg);
      }
   }
   return true;
}

static bool
check_sgprs(hd_gcn_wave *wave, const hd_gcn_states *h, const sgpr_set *set, const uint64_t *times,
            unsigned needed, const char *what)
{
   return check_set(wave, h, set->word, 2, times, needed, what, "scalar register ");
}

static bool
check_reg(hd_gcn_wave *wave, const hd_gcn_states *h, unsigned reg, const uint64_t *times,
          unsigned needed, const char *what)
{
   const uint64_t states = since(h, times[reg]);

   return states >= needed || too_soon(wave, what, states, needed, "scalar register ", reg);
}

static bool
check_vector(hd_gcn_wave *wave, const hd_gcn_states *h, unsigned reg, unsigned needed,
             const char *what)
{
   const uint64_t states = since(h, h->vgpr_by_valu[reg]);

   return states >= needed || too_soon(wave, what, states, needed, "v", reg);
}

static unsigned
hwreg_of(const hd_mach_inst *inst)
{
   return (uint32_t)inst->imm & (NUM_HWREGS - 1);
}

static bool
is_setreg(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32;
}

/* Does it change MODE.vskip, bit 28? */
static bool
sets_vskip(const hd_mach_inst *inst)
{
   const uint32_t offset = (uint32_t)inst->imm >> 6 & 31,
                  size = ((uint32_t)inst->imm >> 11 & 31) + 1;

   return is_setreg(inst) && hwreg_of(inst) == HWREG_MODE && offset <= 28 && offset + size > 28;
}

bool
hd_gcn_states_check_skipped(hd_gcn_wave *wave)
{
   const hd_gcn_states *h = simulated_of(wave)->hazards;
   const uint64_t states = since(h, h->vskip);

   return states >= 2 ||
          hd_gcn_fault(wave, -1,
                       "a vector instruction after s_setreg of MODE.vskip: 2 wait states are "
                       "needed, there are %" PRIu64,
                       states);
}

static bool
check_getreg(hd_gcn_wave *wave, const hd_gcn_states *h, const hd_mach_inst *inst)
{
   const uint64_t states = since(h, h->setvskip);

   return states >= 2 || inst->op != HD_GCN_S_GETREG_B32 || hwreg_of(inst) != HWREG_MODE ||
          too_soon(wave, "s_getreg after s_setvskip of", states, 2, "hardware register ",
                   HWREG_MODE);
}

static bool
check_hwregs(hd_gcn_wave *wave, const hd_gcn_states *h, const fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   const unsigned between_sets = wave->machine->target->gen == HD_GCN_GFX600 ? 1 : 2;

   if (inst->op == HD_GCN_S_GETREG_B32 || is_setreg(inst)) {
      const unsigned needed = is_setreg(inst) ? between_sets : 2;
      const uint64_t states = since(h, h->setreg[hwreg_of(inst)]);
      if (states < needed)
         return too_soon(
             wave, is_setreg(inst) ? "s_setreg after s_setreg of" : "s_getreg after s_setreg of",
             states, needed, "hardware register ", hwreg_of(inst));
   }
   if (f->flags & (FETCHED_VALU | FETCHED_VMEM | FETCHED_LDS))
      return hd_gcn_states_check_skipped(wave);
   return check_getreg(wave, h, inst);
}

static bool
is_lane_select(const hd_mach_inst *inst, unsigned *reg)
{
   if (inst->op != HD_GCN_V_READLANE_B32 && inst->op != HD_GCN_V_WRITELANE_B32)
      return false;
   *reg = hd_mach_src(inst, 1)->reg;
   return *reg < 128;
}

/* execz and vccz as data. */
static bool
reads_as_data(const hd_mach_inst *inst, unsigned reg)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->reg == reg)
         return true;
   }
   return false;
}

static bool
check_valu(hd_gcn_wave *wave, const hd_gcn_states *h, const fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   unsigned reg;

   if (is_lane_select(inst, &reg) &&
       !check_reg(wave, h, reg, h->sgpr_by_valu, 4,
                  "selects a lane by what a vector instruction wrote to"))
      return false;
   if (inst->op == HD_GCN_V_DIV_FMAS_F32 || inst->op == HD_GCN_V_DIV_FMAS_F64) {
      for (reg = HD_GCN_VCC; reg <= HD_GCN_VCC + 1; reg++) {
         if (!check_reg(wave, h, reg, h->sgpr_by_valu, 4,
                        "v_div_fmas reads vcc, which a vector instruction wrote:"))
            return false;
      }
   }
   if (f->flags & FETCHED_DPP) {
      /* Of other lanes; its other source comes by the way of all vector instructions. */
      if (hd_mach_src(inst, 0)->reg >= HD_GCN_VGPR0 &&
          !check_vector(wave, h, (unsigned)hd_mach_src(inst, 0)->reg - HD_GCN_VGPR0, 2,
                        "DPP reads what a vector instruction wrote to"))
         return false;
      for (reg = HD_GCN_EXEC; reg <= HD_GCN_EXEC + 1; reg++) {
         if (!check_reg(wave, h, reg, h->sgpr_by_valu, 5,
                        "DPP runs with an exec that a vector instruction wrote:"))
            return false;
      }
   }
   for (reg = HD_GCN_VCCZ; reg <= HD_GCN_EXECZ; reg++) {
      const unsigned of = reg == HD_GCN_VCCZ ? HD_GCN_VCC : HD_GCN_EXEC;
      if (reads_as_data(inst, reg) &&
          (!check_reg(wave, h, of, h->sgpr_by_valu, 5,
                      "reads vccz or execz after a vector instruction wrote") ||
           !check_reg(wave, h, of + 1, h->sgpr_by_valu, 5,
                      "reads vccz or execz after a vector instruction wrote")))
         return false;
   }
   return true;
}

static bool
is_buffer_load(const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_BUFFER_LOAD_DWORD:
   case HD_GCN_S_BUFFER_LOAD_DWORDX2:
   case HD_GCN_S_BUFFER_LOAD_DWORDX4:
   case HD_GCN_S_BUFFER_LOAD_DWORDX8:
   case HD_GCN_S_BUFFER_LOAD_DWORDX16:
      return true;
   default:
      return false;
   }
}

static bool
check_smem(hd_gcn_wave *wave, const hd_gcn_states *h, const fetched *f)
{
   if (wave->machine->target->gen != HD_GCN_GFX600)
      return true;
   if (!check_sgprs(wave, h, &f->sreads, h->sgpr_by_valu, 4,
                    "a scalar load reads what a vector instruction wrote to"))
      return false;
   /* In no manual, but known: a resource that was just written is not seen. */
   return !is_buffer_load(&f->decoded.inst) ||
          check_sgprs(wave, h, &f->sreads, h->sgpr_by_salu, 4,
                      "a scalar buffer load reads what a scalar instruction wrote to");
}

static bool
is_movrel(const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_MOVRELS_B32:
   case HD_GCN_S_MOVRELS_B64:
   case HD_GCN_S_MOVRELD_B32:
   case HD_GCN_S_MOVRELD_B64:
      return true;
   default:
      return false;
   }
}

static bool
is_addtid(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_DS_READ_ADDTID_B32 || inst->op == HD_GCN_DS_WRITE_ADDTID_B32;
}

/* What takes m0 before the scalar unit has written it. */
static bool
check_m0(hd_gcn_wave *wave, const hd_gcn_states *h, const fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;
   const bool gfx9 = wave->machine->target->gen == HD_GCN_GFX900;
   const bool to_lds = f->flags & FETCHED_VMEM && inst->bits & HD_GCN_LDS;

   if (f->flags & (FETCHED_GDS | FETCHED_MESSAGE) ||
       (gfx9 && (to_lds || is_movrel(inst) || is_addtid(inst) ||
                 hd_gcn_op_info_of(inst)->format == HD_GCN_VINTRP)))
      return check_reg(wave, h, HD_GCN_M0, h->sgpr_by_salu, 1,
                       "reads m0 right after a scalar instruction wrote");
   return true;
}

/* The bit that s_cbranch_vccz reads is made when vcc is written, and only by who writes both
 * halves. On gfx6 a scalar load that returns after that spoils it.
 */
static bool
check_vccz(hd_gcn_wave *wave, const hd_gcn_states *h, const hd_mach_inst *inst)
{
   if (inst->op != HD_GCN_S_CBRANCH_VCCZ && inst->op != HD_GCN_S_CBRANCH_VCCNZ)
      return true;
   if (h->vccz_is_old)
      return hd_gcn_fault(
          wave, -1,
          "branches on vccz, which is stale: a scalar instruction wrote only half of vcc");
   if (h->vccz_in_doubt)
      return hd_gcn_fault(
          wave, -1,
          "branches on vccz, which a scalar load may have corrupted on this chip: vcc must "
          "be written again when no scalar load is in flight");
   return true;
}

bool
hd_gcn_states_check(hd_gcn_wave *wave, const fetched *f)
{
   const hd_gcn_states *h = simulated_of(wave)->hazards;
   const hd_mach_inst *inst = &f->decoded.inst;

   if (f->flags & FETCHED_VALU && !check_valu(wave, h, f))
      return false;
   if (f->flags & FETCHED_VMEM &&
       !check_sgprs(wave, h, &f->sreads, h->sgpr_by_valu, 5,
                    "a memory instruction reads what a vector instruction wrote to"))
      return false;
   if (f->flags & FETCHED_SMEM && !check_smem(wave, h, f))
      return false;
   if (f->flags & FETCHED_VALU && wave->machine->target->gen != HD_GCN_GFX600 &&
       !check_set(wave, h, f->vwrites.word, 4, h->data_of_store, 1,
                  "writes data that the store before may not have read,", "v"))
      return false;
   return check_m0(wave, h, f) && check_hwregs(wave, h, f) && check_vccz(wave, h, inst);
}

static void
note_set(uint64_t *times, const uint64_t *set, unsigned words, uint64_t now)
{
   for (unsigned n = 0; n < words; n++) {
      for (uint64_t rest = set[n]; rest; rest &= rest - 1)
         times[n * 64 + (unsigned)__builtin_ctzll(rest)] = now;
   }
}

static unsigned
count_vgprs(const vgpr_set *s)
{
   unsigned num = 0;

   for (unsigned n = 0; n < 4; n++)
      num += (unsigned)__builtin_popcountll(s->word[n]);
   return num;
}

/* Stores of more than 64 bits read their data late; a buffer store whose offset is in an SGPR does
 * not.
 */
static bool
reads_late(const fetched *f)
{
   const hd_mach_inst *inst = &f->decoded.inst;

   if (!(f->flags & FETCHED_VMEM) || count_vgprs(&f->stored) <= 2)
      return false;
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   if (info->format == HD_GCN_MIMG)
      return false;
   return !hd_gcn_is_buffer(info) || hd_mach_src(inst, 3)->reg >= 128;
}

static void
note_vccz(hd_gcn_wave *wave, hd_gcn_states *h, const fetched *f)
{
   const bool low = sgpr_in(&f->swrites, HD_GCN_VCC), high = sgpr_in(&f->swrites, HD_GCN_VCC + 1);

   if (wave->machine->target->gen == HD_GCN_GFX600 && f->flags & FETCHED_SMEM)
      h->smem_since_wait = h->vccz_in_doubt = true;
   if (!low && !high)
      return;
   if (low && high) {
      h->vccz_is_old = false;
      h->vccz_in_doubt = h->smem_since_wait;
   } else {
      h->vccz_is_old = true;
   }
}

void
hd_gcn_states_note(hd_gcn_wave *wave, const fetched *f)
{
   hd_gcn_states *h = simulated_of(wave)->hazards;
   const hd_mach_inst *inst = &f->decoded.inst;

   /* A rule counts what lies between: this one, which is the first of them, does not. */
   h->now += inst->op == HD_GCN_S_NOP ? (uint64_t)(inst->imm & 15) + 1 : 1;
   /* Who writes last decides. */
   note_set(h->sgpr_by_valu, f->swrites.word, 2, f->flags & FETCHED_VALU ? h->now : 0);
   note_set(h->sgpr_by_salu, f->swrites.word, 2, f->flags & FETCHED_SALU ? h->now : 0);
   note_set(h->vgpr_by_valu, f->vwrites.word, 4, f->flags & FETCHED_VALU ? h->now : 0);
   if (reads_late(f))
      note_set(h->data_of_store, f->stored.word, 4, h->now);
   if (is_setreg(inst))
      h->setreg[hwreg_of(inst)] = h->now;
   if (sets_vskip(inst))
      h->vskip = h->now;
   if (inst->op == HD_GCN_S_SETVSKIP)
      h->setvskip = h->now;
   if (inst->op == HD_GCN_S_WAITCNT && !(inst->imm >> 8 & 15))
      h->smem_since_wait = false;
   note_vccz(wave, h, f);
}
