/* SPDX-License-Identifier: MIT */
/* test_sem_undef.c - for every instruction that is an expression, in every form: what it calls
 * defined does not change when undefined bits of its sources do; and from sources that are defined
 * it makes results that are.
 */
#include "sem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec.h"

/* The registers that instructions of the test touch, and what else they read. */
typedef struct snapshot {
   uint32_t sgpr[128], sgpr_undef[128];
   uint32_t vgpr[256][HD_GCN_LANES], vgpr_undef[256][HD_GCN_LANES];
   uint8_t scc, scc_undef;
} snapshot;

static void
save(const hd_gcn_wave *wave, snapshot *s)
{
   memcpy(s->sgpr, wave->sgpr, sizeof s->sgpr);
   memcpy(s->sgpr_undef, wave->sgpr_undef, sizeof s->sgpr_undef);
   memcpy(s->vgpr, wave->vgpr, sizeof s->vgpr);
   memcpy(s->vgpr_undef, wave->vgpr_undef, sizeof s->vgpr_undef);
   s->scc = wave->scc;
   s->scc_undef = wave->scc_undef;
}

static void
restore(hd_gcn_wave *wave, const snapshot *s)
{
   memcpy(wave->sgpr, s->sgpr, sizeof s->sgpr);
   memcpy(wave->sgpr_undef, s->sgpr_undef, sizeof s->sgpr_undef);
   memcpy(wave->vgpr, s->vgpr, sizeof s->vgpr);
   memcpy(wave->vgpr_undef, s->vgpr_undef, sizeof s->vgpr_undef);
   wave->scc = s->scc;
   wave->scc_undef = s->scc_undef;
}

/* Only undefined bits change. */
static void
shake(snapshot *s, uint64_t *seed)
{
   for (unsigned n = 0; n < 128; n++)
      s->sgpr[n] ^= s->sgpr_undef[n] & (uint32_t)sem_random(seed);
   for (unsigned n = 0; n < 128; n++) {
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         const uint32_t u = s->vgpr_undef[n][l];
         if (u)
            s->vgpr[n][l] ^= u & (uint32_t)sem_random(seed);
      }
   }
   s->scc ^= s->scc_undef & (uint8_t)sem_random(seed) & 1;
}

static uint32_t
some_bits(uint64_t *seed, unsigned much)
{
   const uint64_t r = sem_random(seed);

   switch (much ? r % 8 : 0) {
   case 1:
      return 1u << (r >> 8 & 31);
   case 2:
      return UINT32_MAX << (r >> 8 & 31);
   case 3:
      return UINT32_MAX >> (r >> 8 & 31);
   case 4:
      return UINT32_MAX;
   case 5:
      return (uint32_t)(r >> 16 & r >> 32);
   case 6:
      return (0xffu << 8 * (r >> 8 & 3)) & (uint32_t)(r >> 16);
   default:
      return 0;
   }
}

static void
fill_vgpr(hd_gcn_wave *wave, unsigned reg, unsigned bits, uint64_t *seed, unsigned much)
{
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      uint64_t x = sem_corner(seed, bits < 32 ? 16 : bits > 64 ? 64 : bits);
      if (bits == 16)
         x |= sem_random(seed) << 16;
      for (unsigned w = 0; w < (bits + 31) / 32; w++) {
         wave->vgpr[reg + w][l] = (uint32_t)(x >> 32 * (w & 1));
         wave->vgpr_undef[reg + w][l] = some_bits(seed, much);
      }
   }
}

static void
fill(hd_gcn_wave *wave, const hd_mach_inst *inst, uint64_t *seed, unsigned much)
{
   for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand o = inst->operands[n];
      const hd_gcn_type type = (hd_gcn_type)hd_gcn_op_infos[inst->op].mach.operands[n].type;
      const bool half =
          type == HD_GCN_F16 || type == HD_GCN_I16 || type == HD_GCN_U16 || type == HD_GCN_B16;
      if (hd_gcn_is_vgpr(o)) {
         fill_vgpr(wave, hd_gcn_vgpr_of(o), half ? 16 : o.size * 32u, seed, much);
      } else if (o.reg < 128 && o.reg != HD_GCN_EXEC) {
         const uint64_t x = sem_corner(seed, o.size == 2 ? 64 : 32);
         for (unsigned w = 0; w < o.size; w++) {
            wave->sgpr[o.reg + w] = (uint32_t)(x >> 32 * w);
            wave->sgpr_undef[o.reg + w] = some_bits(seed, much);
         }
      }
   }
   wave->scc = sem_random(seed) & 1;
   wave->scc_undef = much && sem_random(seed) % 4 == 0;
}

/* Modifiers that the form takes. */
static void
modify(hd_gcn_gen gen, hd_mach_inst *inst, uint64_t *seed)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[inst->op];
   const bool wide = inst->form == HD_GCN_FORM_VOP3 || info->format == HD_GCN_VOP3;
   const uint64_t r = sem_random(seed);

   if (info->mach.flags & HD_GCN_NEG_ABS && (wide || inst->form != HD_GCN_FORM_BASE)) {
      for (unsigned n = 0; n < hd_gcn_valu_ops[inst->op].num_srcs && n < 3; n++) {
         if (sem_src_bits((hd_gcn_op)inst->op, n) != 1 &&
             hd_mach_src(inst, n)->reg != HD_GCN_LITERAL)
            hd_mach_src(inst, n)->flags |= (uint8_t)(r >> 2 * n & 3) * HD_GCN_OPERAND_NEG;
      }
   }
   if (wide && r >> 8 & 1 && sem_clamps((hd_gcn_op)inst->op))
      inst->bits |= HD_GCN_CLAMP;
   if (info->format == HD_GCN_VOP3P) {
      inst->mods.bytes[HD_GCN_MOD_OP_SEL] = r >> 16 & 7;
      inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = r >> 20 & 7;
   } else if (gen == HD_GCN_GFX900 && wide && info->mach.flags & HD_GCN_OP_SEL) {
      /* Of what has 16 bits. */
      for (unsigned n = 0; n < 3; n++)
         inst->mods.bytes[HD_GCN_MOD_OP_SEL] |=
             (uint8_t)((r >> (16 + n) & 1 && sem_src_bits((hd_gcn_op)inst->op, n) == 16) << n);
      if (r >> 19 & 1 && sem_def_bits((hd_gcn_op)inst->op, 0) == 16)
         inst->mods.bytes[HD_GCN_MOD_OP_SEL] |= 8;
   }
   if (inst->form == HD_GCN_FORM_SDWA) {
      inst->mods.bytes[HD_GCN_MOD_DST_SEL] = (uint8_t)((r >> 24 & 0xff) % 7);
      inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = (uint8_t)((r >> 32 & 0xff) % 3);
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = (uint8_t)((r >> 40 & 0xff) % 7);
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] = (uint8_t)((r >> 48 & 0xff) % 7);
   } else if (inst->form == HD_GCN_FORM_DPP) {
      static const uint16_t controls[] = { 0x1b,  0x4e,  0x101, 0x113, 0x12f, 0x130, 0x134,
                                           0x138, 0x13c, 0x140, 0x141, 0x142, 0x143 };
      inst->mods.halves[HD_GCN_MOD_DPP_CTRL] =
          controls[(r >> 24 & 0xff) % (sizeof controls / sizeof *controls)];
      inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = r >> 32 & 15;
      inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = r >> 36 & 15;
      inst->bits |= r >> 40 & 1 ? HD_GCN_BOUND_CTRL : 0;
   }
}

static void
same(const char *name, const char *what, uint32_t x, uint32_t ux, uint32_t y, uint32_t uy)
{
   if (((x ^ y) & ~ux) != 0 || ((x ^ y) & ~uy) != 0)
      fail_msg("%s: %s is 0x%08" PRIx32 " with undefined bits 0x%08" PRIx32 ", and 0x%08" PRIx32
               " with 0x%08" PRIx32,
               name, what, x, ux, y, uy);
}

static void
compare(const char *name, const snapshot *a, const snapshot *b)
{
   for (unsigned n = 0; n < 128; n++)
      same(name, "a scalar", a->sgpr[n], a->sgpr_undef[n], b->sgpr[n], b->sgpr_undef[n]);
   for (unsigned n = SEM_DEF; n < 128; n++) {
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         same(name, "a lane", a->vgpr[n][l], a->vgpr_undef[n][l], b->vgpr[n][l],
              b->vgpr_undef[n][l]);
   }
   same(name, "scc", a->scc, a->scc_undef, b->scc, b->scc_undef);
}

/* False: it stops because an undefined bit would get into exec. */
static bool
run_or_stop(hd_gcn_wave *wave, const hd_mach_inst *inst, const char *name)
{
   if (hd_gcn_execute(wave, inst))
      return true;
   if (!strstr(sem_fault(), "reach exec"))
      fail_msg("%s: %s", name, sem_fault());
   return false;
}

static unsigned
try_form(hd_gcn_wave *wave, hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form, uint64_t *seed)
{
   static const uint32_t modes[] = { 0x3f0, 0x1f0, 0x3c0, 0x100, 0x2ff, 0x355 };
   static snapshot before, first, second;
   const char *name = hd_gcn_op_name(&hd_gcn_op_infos[op], gen);
   unsigned defined_bits = 0;

   for (unsigned round = 0; round < 12; round++) {
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, op);
      inst->form = (uint8_t)form;
      sem_registers(inst);
      if (sem_is_vector(op))
         modify(gen, inst, seed);
      inst->imm = (int16_t)sem_random(seed);
      wave->mode = modes[sem_random(seed) % 6];
      const uint64_t exec = round % 3 ? UINT64_MAX : sem_random(seed);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
      fill(wave, inst, seed, 1);
      save(wave, &before);
      const bool ran = run_or_stop(wave, inst, name);
      save(wave, &first);
      shake(&before, seed);
      restore(wave, &before);
      /* What stops must stop whatever the undefined bits are. */
      if (run_or_stop(wave, inst, name) != ran) {
         if (!strstr(name, "cmpx"))
            fail_msg("%s: stops or not as undefined bits are", name);
         continue;
      }
      if (!ran)
         continue;
      save(wave, &second);
      compare(name, &first, &second);
      defined_bits++;
   }
   return defined_bits;
}

static void
undefined_bits_do_not_matter(void **state)
{
   uint64_t seed = 20;
   unsigned forms = 0;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      for (unsigned op = 1; op < HD_GCN_NUM_OPS; op++) {
         if (!sem_is_scalar((hd_gcn_op)op) && !sem_is_vector((hd_gcn_op)op))
            continue;
         for (unsigned form = 0; form <= HD_GCN_FORM_DPP; form++) {
            if (!sem_has((hd_gcn_gen)gen, (hd_gcn_op)op, (hd_gcn_form)form))
               continue;
            (void)try_form(wave, (hd_gcn_gen)gen, (hd_gcn_op)op, (hd_gcn_form)form, &seed);
            forms++;
         }
      }
      sem_wave_free(wave);
   }
   print_message("%u instructions, forms and generations\n", forms);
   assert_true(forms > 2000);
}

/* Results whose upper half nobody promises, and scc of s_max, say so themselves. */
static bool
may_be_undefined(hd_gcn_op op)
{
   switch (op) {
   case HD_GCN_S_MAX_I32:
   case HD_GCN_S_MAX_U32:
   case HD_GCN_S_LSHL1_ADD_U32:
   case HD_GCN_S_LSHL2_ADD_U32:
   case HD_GCN_S_LSHL3_ADD_U32:
   case HD_GCN_S_LSHL4_ADD_U32:
   case HD_GCN_V_MIN3_F16:
   case HD_GCN_V_MIN3_I16:
   case HD_GCN_V_MIN3_U16:
   case HD_GCN_V_MAX3_F16:
   case HD_GCN_V_MAX3_I16:
   case HD_GCN_V_MAX3_U16:
   case HD_GCN_V_MED3_F16:
   case HD_GCN_V_MED3_I16:
   case HD_GCN_V_MED3_U16:
   case HD_GCN_V_ADD_I16:
   case HD_GCN_V_SUB_I16:
   case HD_GCN_V_CVT_NORM_I16_F16:
   case HD_GCN_V_CVT_NORM_U16_F16:
      return true;
   default:
      return false;
   }
}

static void
defined_stays_defined(void **state)
{
   uint64_t seed = 21;

   (void)state;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      for (unsigned op = 1; op < HD_GCN_NUM_OPS; op++) {
         if ((!sem_is_scalar((hd_gcn_op)op) && !sem_is_vector((hd_gcn_op)op)) ||
             !sem_has((hd_gcn_gen)gen, (hd_gcn_op)op, HD_GCN_FORM_BASE) ||
             may_be_undefined((hd_gcn_op)op))
            continue;
         hd_gcn_decoded d;
         hd_mach_inst *inst = sem_inst(&d, (hd_gcn_op)op);
         sem_registers(inst);
         sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_MAX, 0);
         fill(wave, inst, &seed, 0);
         sem_run(wave, inst);
         uint32_t any = wave->scc_undef;
         for (unsigned n = 0; n < 128; n++)
            any |= wave->sgpr_undef[n];
         for (unsigned n = 0; n < 128; n++) {
            for (unsigned l = 0; l < HD_GCN_LANES; l++)
               any |= wave->vgpr_undef[n][l];
         }
         if (any)
            fail_msg("%s: defined sources, undefined results",
                     hd_gcn_op_name(&hd_gcn_op_infos[op], gen));
      }
      sem_wave_free(wave);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(undefined_bits_do_not_matter),
      cmocka_unit_test(defined_stays_defined),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
