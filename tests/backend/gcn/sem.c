/* SPDX-License-Identifier: MIT */
#include "sem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/program.h"
#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/machine.h"

static char last_fault[512];
static uint8_t memory[SEM_MEMORY_SIZE], memory_undef[SEM_MEMORY_SIZE];

/* What the machine would do -------------------------------------------------------------------- */

void
hd_gcn_tell_fault(hd_gcn_wave *wave, int lane, const char *format, ...)
{
   va_list args;

   (void)wave;
   (void)lane;
   va_start(args, format);
   vsnprintf(last_fault, sizeof last_fault, format, args);
   va_end(args);
}

static bool
is_mapped(uint64_t address, unsigned size)
{
   return address >= SEM_MEMORY_BASE && address - SEM_MEMORY_BASE + size <= SEM_MEMORY_SIZE;
}

bool
hd_gcn_memory_load(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, void *data,
                   void *undef)
{
   if (!is_mapped(address, size))
      return hd_gcn_fault(wave, lane, "outside");
   memcpy(data, memory + (address - SEM_MEMORY_BASE), size);
   memcpy(undef, memory_undef + (address - SEM_MEMORY_BASE), size);
   return true;
}

bool
hd_gcn_memory_store(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, const void *data,
                    const void *undef)
{
   if (!is_mapped(address, size))
      return hd_gcn_fault(wave, lane, "outside");
   memcpy(memory + (address - SEM_MEMORY_BASE), data, size);
   memcpy(memory_undef + (address - SEM_MEMORY_BASE), undef, size);
   return true;
}

/* Nothing is ever under way. */
bool
hd_gcn_flight_check(hd_gcn_wave *wave, const fetched *f)
{
   (void)wave;
   (void)f;
   return true;
}

uint64_t
hd_gcn_now(const hd_gcn_wave *wave)
{
   return wave->pc + UINT64_C(0x123456789a);
}

/* Waves ---------------------------------------------------------------------------------------- */

hd_gcn_wave *
sem_wave(hd_gcn_gen gen)
{
   hd_gcn_wave *wave = calloc(1, sizeof *wave);
   hd_gcn_machine *machine = calloc(1, sizeof *machine);

   assert_non_null(wave);
   assert_non_null(machine);
   machine->target = hd_gcn_target_of(gen);
   wave->machine = machine;
   wave->mode = 0xf0 | 1u << 8 | 1u << 9;
   wave->num_sgprs = 102;
   wave->num_vgprs = 256;
   wave->sgpr[HD_GCN_EXEC] = wave->sgpr[HD_GCN_EXEC + 1] = UINT32_MAX;
   wave->lds_size = 4096;
   wave->lds = calloc(1, wave->lds_size);
   wave->lds_undef = calloc(1, wave->lds_size);
   wave->scratch_base = SEM_SCRATCH_BASE;
   wave->lds_aperture = HD_GCN_LDS_APERTURE;
   wave->private_aperture = HD_GCN_PRIVATE_APERTURE;
   wave->pc = 0x1000;
   wave->next_pc = 0x1004;
   memset(memory, 0, sizeof memory);
   memset(memory_undef, 0, sizeof memory_undef);
   last_fault[0] = '\0';
   return wave;
}

void
sem_wave_free(hd_gcn_wave *wave)
{
   free(wave->lds);
   free(wave->lds_undef);
   free(wave->machine);
   free(wave);
}

const char *
sem_fault(void)
{
   return last_fault;
}

uint8_t *
sem_memory(void)
{
   return memory;
}

uint8_t *
sem_memory_undef(void)
{
   return memory_undef;
}

/* Instructions --------------------------------------------------------------------------------- */

hd_mach_inst *
sem_inst(hd_gcn_decoded *d, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   memset(d, 0, sizeof *d);
   d->inst.operands = d->operands;
   d->inst.op = (uint16_t)op;
   d->inst.num_defs = info->mach.num_defs;
   d->inst.num_srcs = info->mach.num_srcs;
   for (unsigned n = 0; n < (unsigned)info->mach.num_defs + info->mach.num_srcs; n++) {
      d->operands[n].size = info->mach.operands[n].size;
      d->operands[n].reg = HD_MACH_NO_REG;
      if (info->mach.operands[n].kinds == HD_GCN_TAKES_ONE)
         d->operands[n].reg = info->mach.operands[n].fixed;
   }
   return &d->inst;
}

hd_mach_operand
sem_vgpr(unsigned n, unsigned size)
{
   return hd_mach_operand_reg(HD_GCN_VGPR0 + n, size);
}

hd_mach_operand
sem_sgpr(unsigned n, unsigned size)
{
   return hd_mach_operand_reg(n, size);
}

hd_mach_operand
sem_literal(uint32_t bits)
{
   hd_mach_operand operand = hd_mach_operand_reg(HD_GCN_LITERAL, 1);
   operand.value = bits;
   return operand;
}

hd_mach_operand
sem_int(int n)
{
   return hd_mach_operand_reg(n >= 0 ? 128u + (unsigned)n : 192u + (unsigned)-n, 1);
}

void
sem_run(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   last_fault[0] = '\0';
   if (!hd_gcn_execute(wave, inst))
      fail_msg("op %u faults: %s", inst->op, last_fault);
}

void
sem_fails(hd_gcn_wave *wave, const hd_mach_inst *inst, const char *words)
{
   last_fault[0] = '\0';
   if (hd_gcn_execute(wave, inst))
      fail_msg("op %u runs, it should say '%s'", inst->op, words);
   if (!strstr(last_fault, words))
      fail_msg("op %u says '%s', it should say '%s'", inst->op, last_fault, words);
}

/* Any instruction ------------------------------------------------------------------------------ */

bool
sem_has(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   switch (form) {
   case HD_GCN_FORM_BASE:
      return info->opcode[gen] >= 0;
   case HD_GCN_FORM_VOP3:
      return info->format != HD_GCN_VOP3 && info->vop3_opcode[gen] >= 0;
   case HD_GCN_FORM_SDWA:
      return gen >= HD_GCN_GFX803 && info->mach.flags & HD_GCN_HAS_SDWA && info->opcode[gen] >= 0 &&
             !(info->mach.flags & HD_GCN_SDWA_GFX8 && gen != HD_GCN_GFX803);
   default:
      return gen >= HD_GCN_GFX803 && info->mach.flags & HD_GCN_HAS_DPP && info->opcode[gen] >= 0;
   }
}

bool
sem_clamps(hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   if (op == HD_GCN_V_PK_LSHLREV_B16)
      return false;
   if (info->mach.flags & (HD_GCN_OMOD_CLAMP | HD_GCN_CLAMP_ONLY))
      return true;
   switch ((hd_gcn_type)info->mach.operands[0].type) {
   case HD_GCN_I16:
   case HD_GCN_U16:
   case HD_GCN_I32:
   case HD_GCN_U32:
   case HD_GCN_V2I16:
   case HD_GCN_MASK:
      return true;
   default:
      return false;
   }
}

bool
sem_is_scalar(hd_gcn_op op)
{
   return hd_gcn_salu_ops[op].run && !hd_gcn_salu_ops[op].exec;
}

bool
sem_is_vector(hd_gcn_op op)
{
   return hd_gcn_valu_ops[op].run != NULL;
}

void
sem_registers(hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[inst->op];
   const unsigned num = (unsigned)inst->num_defs + inst->num_srcs;

   for (unsigned n = 0; n < num; n++) {
      const hd_mach_operand_info *o = &info->mach.operands[n];
      const unsigned first =
          n < inst->num_defs ? SEM_DEF + 4 * n : SEM_SRC + 4 * (n - inst->num_defs);
      if (o->kinds & HD_GCN_TAKES_ONE)
         inst->operands[n] = hd_mach_operand_reg(o->fixed, o->size);
      else if (o->tied >= 0)
         inst->operands[n] = inst->operands[o->tied];
      else if (o->kinds & HD_GCN_TAKES_VGPR)
         inst->operands[n] = sem_vgpr(first, o->size);
      else if (o->kinds & HD_GCN_TAKES_SGPR)
         inst->operands[n] = sem_sgpr(first, o->size);
      else
         inst->operands[n] = sem_literal(0);
   }
}

unsigned
sem_src_bits(hd_gcn_op op, unsigned n)
{
   return sem_is_vector(op) ? hd_gcn_valu_ops[op].src[n] : hd_gcn_salu_ops[op].src[n];
}

unsigned
sem_def_bits(hd_gcn_op op, unsigned n)
{
   return sem_is_vector(op) ? hd_gcn_valu_ops[op].dst[n] : hd_gcn_salu_ops[op].dst;
}

/* Registers ------------------------------------------------------------------------------------ */

void
sem_set(hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits, uint64_t value,
        uint64_t undef)
{
   for (unsigned n = 0; n < (bits + 31) / 32; n++) {
      wave->vgpr[vgpr + n][lane] = (uint32_t)(value >> 32 * n);
      wave->vgpr_undef[vgpr + n][lane] = (uint32_t)(undef >> 32 * n);
   }
}

static uint64_t
joined(uint32_t low, uint32_t high, unsigned bits)
{
   const uint64_t all = bits > 32 ? low | (uint64_t)high << 32 : low;
   return bits < 32 ? all & ((UINT64_C(1) << bits) - 1) : all;
}

uint64_t
sem_get(const hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits)
{
   return joined(wave->vgpr[vgpr][lane], wave->vgpr[(vgpr + 1) & 255][lane], bits);
}

uint64_t
sem_get_undef(const hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits)
{
   return joined(wave->vgpr_undef[vgpr][lane], wave->vgpr_undef[(vgpr + 1) & 255][lane], bits);
}

void
sem_set_scalar(hd_gcn_wave *wave, unsigned reg, unsigned bits, uint64_t value, uint64_t undef)
{
   for (unsigned n = 0; n < (bits + 31) / 32; n++) {
      wave->sgpr[reg + n] = (uint32_t)(value >> 32 * n);
      wave->sgpr_undef[reg + n] = (uint32_t)(undef >> 32 * n);
   }
}

uint64_t
sem_get_scalar(const hd_gcn_wave *wave, unsigned reg, unsigned bits)
{
   return joined(wave->sgpr[reg], wave->sgpr[(reg + 1) & 127], bits);
}

uint64_t
sem_get_scalar_undef(const hd_gcn_wave *wave, unsigned reg, unsigned bits)
{
   return joined(wave->sgpr_undef[reg], wave->sgpr_undef[(reg + 1) & 127], bits);
}

/* Numbers -------------------------------------------------------------------------------------- */

uint64_t
sem_random(uint64_t *state)
{
   uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* Floats that are special, as sign, exponent and fraction of any format. */
static uint64_t
special_float(uint64_t *state, unsigned bits)
{
   const unsigned fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const unsigned exponent_bits = bits - 1 - fraction_bits;
   const uint64_t all = (UINT64_C(1) << exponent_bits) - 1, bias = all >> 1;
   const uint64_t exponents[] = { 0,
                                  0,
                                  1,
                                  2,
                                  bias - 1,
                                  bias,
                                  bias,
                                  bias + 1,
                                  bias + 2,
                                  all - 1,
                                  all,
                                  bias + fraction_bits,
                                  bias + fraction_bits + 1,
                                  bias + 15,
                                  bias + 30,
                                  bias + 31,
                                  bias + 32 };
   const uint64_t top = UINT64_C(1) << (fraction_bits - 1), ones = 2 * top - 1;
   const uint64_t fractions[] = {
      0, 0, 0, 1, top, top + 1, ones, ones - 1, sem_random(state) & ones
   };
   const uint64_t r = sem_random(state);
   const uint64_t exponent = exponents[(r >> 8) % (sizeof exponents / sizeof *exponents)] & all;
   const uint64_t fraction = fractions[(r >> 24) % (sizeof fractions / sizeof *fractions)];

   return (r & 1) << (bits - 1) | exponent << fraction_bits | fraction;
}

uint64_t
sem_corner(uint64_t *state, unsigned bits)
{
   const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   const uint64_t r = sem_random(state), shift = (r >> 32) % bits;
   const unsigned float_bits = bits <= 16 ? 16 : bits == 64 ? 64 : 32;

   switch (r & 15) {
   case 0:
      return 0;
   case 1:
      return all;
   case 2:
      return UINT64_C(1) << (bits - 1);
   case 3:
      return all >> 1;
   case 4:
      return (UINT64_C(1) << shift) & all;
   case 5:
      return ((UINT64_C(1) << shift) - 1) & all;
   case 6:
      return (0 - (UINT64_C(1) << shift)) & all;
   case 7:
   case 8:
      return (r >> 8) % 70 & all;
   case 9:
   case 10:
   case 11:
   case 12:
      return special_float(state, float_bits) & all;
   default:
      return sem_random(state) & all;
   }
}
