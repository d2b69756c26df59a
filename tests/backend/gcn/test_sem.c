/* SPDX-License-Identifier: MIT */
/* test_sem.c - every instruction that is an expression, on corner cases and random operands,
 * against what sem_oracle*.c say; in all modes, with and without saturation, with lanes that do not
 * run.
 */
#include "sem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sem_oracle.h"
#include "util/float_oracle.h"

static sem_oracle *const oracles[] = { sem_oracle_integer, sem_oracle_bits,   sem_oracle_compare,
                                       sem_oracle_packed,  sem_oracle_scalar, sem_oracle_float,
                                       sem_oracle_convert };

static bool
ask(const char *name, const sem_in *in, sem_out *out)
{
   memset(out, 0, sizeof *out);
   for (unsigned n = 0; n < sizeof oracles / sizeof *oracles; n++) {
      if (oracles[n](name, in, out))
         return true;
   }
   return false;
}

static const char *
newest_name(hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   for (int gen = HD_GCN_NUM_GENS - 1; gen >= 0; gen--) {
      if (hd_gcn_op_name(info, gen))
         return hd_gcn_op_name(info, gen);
   }
   return "";
}

static void
set_mode(hd_gcn_wave *wave, sem_in *in, uint32_t mode)
{
   static const hd_round rounds[] = { HD_ROUND_NEAREST_EVEN, HD_ROUND_UP, HD_ROUND_DOWN,
                                      HD_ROUND_ZERO };

   wave->mode = mode;
   in->round32 = rounds[mode & 3];
   in->round64 = rounds[mode >> 2 & 3];
   in->flush_in32 = !(mode & 1 << 4);
   in->flush_out32 = !(mode & 1 << 5);
   in->flush_in64 = !(mode & 1 << 6);
   in->flush_out64 = !(mode & 1 << 7);
   in->ieee = mode & 1 << 9;
}

/* In half of the cases those that most programs run with. */
static uint32_t
some_mode(uint64_t *seed)
{
   const uint64_t r = sem_random(seed);
   return r & 1 ? 0x3f0 : r >> 8 & 0x3ff;
}

static uint64_t
low(unsigned bits, uint64_t x)
{
   return bits == 1 ? x & 1 : bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

static bool
is_float_op(const hd_gcn_op_info *info)
{
   return info->mach.flags & HD_GCN_READS_MODE;
}

/* Vector --------------------------------------------------------------------------------------- */

typedef struct vector_case {
   uint64_t sources[4][HD_GCN_LANES];
   uint64_t exec;
} vector_case;

static void
set_sources(hd_gcn_wave *wave, const hd_mach_inst *inst, vector_case *c, uint64_t *seed)
{
   const hd_gcn_op op = (hd_gcn_op)inst->op;

   for (unsigned n = 0; n < 4 && n < inst->num_srcs; n++) {
      const unsigned bits = sem_src_bits(op, n);
      const hd_mach_operand o = *hd_mach_src(inst, n);
      if (bits == 0)
         break;
      if (bits == 1 || !(o.reg >= HD_GCN_VGPR0)) {
         const uint64_t mask = sem_random(seed);
         if (o.reg != HD_GCN_LITERAL)
            sem_set_scalar(wave, o.reg, 64, mask, 0);
         for (unsigned l = 0; l < HD_GCN_LANES; l++)
            c->sources[n][l] = bits == 1                 ? mask >> l & 1
                               : o.reg == HD_GCN_LITERAL ? low(bits, o.value)
                                                         : low(bits, mask);
         continue;
      }
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         const uint64_t x = sem_corner(seed, bits);
         c->sources[n][l] = x;
         sem_set(wave, o.reg - HD_GCN_VGPR0, l, bits, bits == 16 ? x | sem_random(seed) << 16 : x,
                 0);
      }
   }
   /* Often the same number twice, or its negative: that is where floats cancel. */
   if (inst->num_srcs >= 2 && hd_mach_src(inst, 0)->reg >= HD_GCN_VGPR0 &&
       hd_mach_src(inst, 1)->reg >= HD_GCN_VGPR0 && sem_src_bits(op, 0) == sem_src_bits(op, 1)) {
      const unsigned bits = sem_src_bits(op, 0);
      for (unsigned l = 0; l < HD_GCN_LANES; l += 7) {
         const uint64_t x = c->sources[0][l] ^ (l % 2 ? UINT64_C(1) << (bits - 1) : 0);
         c->sources[1][l] = x;
         sem_set(wave, hd_mach_src(inst, 1)->reg - HD_GCN_VGPR0, l, bits, x, 0);
      }
   }
}

static void
check_lane(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_in *in, const sem_out *out,
           unsigned l)
{
   for (unsigned n = 0; n < 2; n++) {
      const unsigned bits = n < inst->num_defs ? sem_def_bits((hd_gcn_op)inst->op, n) : 0;
      if (bits == 0)
         break;
      const hd_mach_operand o = *hd_mach_def(inst, n);
      uint64_t got = bits == 1 ? sem_get_scalar(wave, o.reg, 64) >> l & 1
                               : sem_get(wave, o.reg - HD_GCN_VGPR0, l, bits);
      if (inst->op == HD_GCN_V_MAD_MIXHI_F16)
         got = sem_get(wave, o.reg - HD_GCN_VGPR0, l, 32) >> 16;
      if (got != low(bits, out->r[n]))
         fail_msg("%s lane %u of 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
                  ", mode 0x%" PRIx32 "%s: result %u is 0x%" PRIx64 ", it should be 0x%" PRIx64,
                  newest_name((hd_gcn_op)inst->op), l, in->s[0], in->s[1], in->s[2], in->s[3],
                  wave->mode, in->clamp ? " clamp" : "", n, got, low(bits, out->r[n]));
   }
}

/* A lane that does not run keeps its registers and has no bit in masks. */
static void
check_idle_lane(hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned l, uint32_t old)
{
   for (unsigned n = 0; n < inst->num_defs && n < 2; n++) {
      const hd_mach_operand o = *hd_mach_def(inst, n);
      if (o.reg >= HD_GCN_VGPR0 && hd_gcn_op_infos[inst->op].mach.operands[n].size &&
          wave->vgpr[o.reg - HD_GCN_VGPR0][l] != old && o.reg == HD_GCN_VGPR0 + SEM_DEF)
         fail_msg("%s writes lane %u, which does not run", newest_name((hd_gcn_op)inst->op), l);
      if (o.reg < 128 && sem_get_scalar(wave, o.reg, 64) >> l & 1)
         fail_msg("%s sets the bit of lane %u, which does not run",
                  newest_name((hd_gcn_op)inst->op), l);
   }
}

static bool
try_vector(hd_gcn_wave *wave, hd_gcn_gen gen, hd_gcn_op op, uint64_t *seed)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const unsigned rounds = is_float_op(info) ? 24 : 8;

   for (unsigned round = 0; round < rounds; round++) {
      const bool wide = sem_has(gen, op, HD_GCN_FORM_VOP3) && round % 2;
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, op);
      vector_case c;
      sem_in in = { .gen = gen };

      inst->form =
          wide || !sem_has(gen, op, HD_GCN_FORM_BASE) ? HD_GCN_FORM_VOP3 : HD_GCN_FORM_BASE;
      sem_registers(inst);
      if (info->format == HD_GCN_VOP3P && !(info->mach.flags & HD_GCN_MIX))
         inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = 7;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         if (hd_mach_src(inst, n)->reg == HD_GCN_LITERAL)
            hd_mach_src(inst, n)->value = (uint32_t)sem_corner(seed, 32);
      }
      set_mode(wave, &in, some_mode(seed));
      if (info->mach.flags & HD_GCN_CLAMP_ONLY && gen > HD_GCN_GFX600 && sem_clamps(op) &&
          round % 4 == 3) {
         inst->bits |= HD_GCN_CLAMP;
         in.clamp = true;
      }
      set_sources(wave, inst, &c, seed);
      c.exec = round % 3 ? UINT64_MAX : sem_random(seed);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, c.exec, 0);
      uint32_t old[HD_GCN_LANES];
      memcpy(old, wave->vgpr[SEM_DEF], sizeof old);
      sem_run(wave, inst);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         sem_out out;
         for (unsigned n = 0; n < 4; n++)
            in.s[n] = n < inst->num_srcs ? c.sources[n][l] : 0;
         in.lane = l;
         if (!ask(newest_name(op), &in, &out))
            return false;
         if (!(c.exec >> l & 1))
            check_idle_lane(wave, inst, l, old[l]);
         else if (!out.skip)
            check_lane(wave, inst, &in, &out, l);
      }
      if (strstr(newest_name(op), "cmpx"))
         assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64),
                          sem_get_scalar(wave, hd_mach_def(inst, 0)->reg, 64));
   }
   return true;
}

/* Scalar --------------------------------------------------------------------------------------- */

static bool
try_scalar(hd_gcn_wave *wave, hd_gcn_gen gen, hd_gcn_op op, uint64_t *seed)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const char *name = newest_name(op);

   for (unsigned round = 0; round < 400; round++) {
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, op);
      sem_in in = { .gen = gen };
      sem_out out;
      unsigned n;

      sem_registers(inst);
      for (n = 0; n < inst->num_srcs && hd_mach_src(inst, n)->reg != HD_GCN_SCC; n++) {
         const hd_mach_operand o = *hd_mach_src(inst, n);
         in.s[n] = sem_corner(seed, o.size * 32u);
         if (strstr(name, "bfe") && n == 1 && round % 2)
            in.s[n] &= 0x7f003f;
         sem_set_scalar(wave, o.reg, o.size * 32u, in.s[n], 0);
      }
      const uint16_t imm = (uint16_t)sem_corner(seed, 16);
      if (info->format == HD_GCN_SOPK) {
         inst->imm = imm;
         /* The constant comes in the place of the operand that it is, before what is kept. */
         if (strcmp(name, "s_movk_i32") == 0 || strcmp(name, "s_cmovk_i32") == 0) {
            in.s[1] = in.s[0];
            in.s[0] = imm;
         } else
            in.s[n] = imm;
      }
      wave->scc = sem_random(seed) & 1;
      in.scc = wave->scc;
      sem_run(wave, inst);
      if (!ask(name, &in, &out))
         return false;
      const unsigned bits = sem_def_bits(op, 0);
      if (bits && sem_get_scalar(wave, hd_mach_def(inst, 0)->reg, bits) != low(bits, out.r[0]))
         fail_msg("%s of 0x%" PRIx64 " 0x%" PRIx64 ", scc %d: 0x%" PRIx64
                  ", it should be 0x%" PRIx64,
                  name, in.s[0], in.s[1], in.scc,
                  sem_get_scalar(wave, hd_mach_def(inst, 0)->reg, bits), low(bits, out.r[0]));
      bool writes_scc = false;
      for (n = 0; n < inst->num_defs; n++)
         writes_scc |= hd_mach_def(inst, n)->reg == HD_GCN_SCC;
      const bool expected = writes_scc ? out.r[1] : in.scc;
      if (!out.skip && wave->scc != expected)
         fail_msg("%s of 0x%" PRIx64 " 0x%" PRIx64 ": scc is %d", name, in.s[0], in.s[1],
                  wave->scc);
      if (!writes_scc || !out.skip)
         assert_int_equal(wave->scc_undef, 0);
      wave->scc_undef = 0;
   }
   return true;
}

static void
all_instructions(void **state)
{
   uint64_t seed = 11;
   unsigned tried = 0, unknown = 0;

   (void)state;
   oracle_init();
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)gen);
      for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         const bool has = sem_has((hd_gcn_gen)gen, op, HD_GCN_FORM_BASE) ||
                          sem_has((hd_gcn_gen)gen, op, HD_GCN_FORM_VOP3);
         /* test_sem_divide.c */
         if (!has || op == HD_GCN_V_TRIG_PREOP_F64)
            continue;
         bool known = true;
         if (sem_is_scalar(op))
            known = try_scalar(wave, (hd_gcn_gen)gen, op, &seed);
         else if (sem_is_vector(op))
            known = try_vector(wave, (hd_gcn_gen)gen, op, &seed);
         else
            continue;
         tried++;
         if (!known) {
            unknown++;
            print_message("no oracle: %s\n", newest_name(op));
         }
      }
      sem_wave_free(wave);
   }
   oracle_finish();
   print_message("%u instructions of three generations\n", tried);
   assert_int_equal(unknown, 0);
   assert_true(tried > 1400);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(all_instructions) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
