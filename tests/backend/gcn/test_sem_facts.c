/* SPDX-License-Identifier: MIT */
/* test_sem_facts.c - single facts of the manuals that a rule for all rows would get wrong: what is in
 * the upper half of a register with a result of 16 bits, and which differences wrap.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sem.h"

/* On gfx9; what that does not have is called "". */
static const char *
name_of(hd_gcn_op op)
{
   const char *name = hd_gcn_op_name(&hd_gcn_op_infos[op], HD_GCN_GFX900);

   return name ? name : "";
}

static hd_gcn_op
op_called(const char *name)
{
   for (unsigned op = 0; op < HD_GCN_NUM_OPS; op++) {
      if (!strcmp(name_of((hd_gcn_op)op), name))
         return (hd_gcn_op)op;
   }
   fail_msg("there is no %s", name);
   return HD_GCN_NUM_OPS;
}

/* Upper halves */

/* From gfx9 on "hi 16 bits are preserved"; what the manual says nothing of; all others: zeros. */
static const char *const kept[] = { "v_mad_f16",      "v_mad_u16",       "v_mad_i16",
                                    "v_fma_f16",      "v_div_fixup_f16", "v_mac_f16",
                                    "v_madmk_f16",    "v_madak_f16",     "v_mad_mixlo_f16",
                                    "v_mad_mixhi_f16" /* the lower one */ };
static const char *const unsaid[] = { "v_min3_f16",        "v_min3_i16", "v_min3_u16",
                                      "v_max3_f16",        "v_max3_i16", "v_max3_u16",
                                      "v_med3_f16",        "v_med3_i16", "v_med3_u16",
                                      "v_add_i16",         "v_sub_i16",  "v_cvt_norm_i16_f16",
                                      "v_cvt_norm_u16_f16" };

#define NUM(table) (sizeof(table) / sizeof((table)[0]))

static bool
is_in(const char *const *names, size_t num, const char *name)
{
   for (size_t n = 0; n < num; n++) {
      if (!strcmp(names[n], name))
         return true;
   }
   return false;
}

#define OLD UINT32_C(0xa5c35a3c)

static void
fill(hd_gcn_wave *wave, uint64_t seed)
{
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      for (unsigned n = 0; n < 4; n++)
         wave->vgpr[SEM_SRC + 4 * n][l] = (uint32_t)sem_random(&seed);
      wave->vgpr[SEM_DEF][l] = OLD;
      wave->vgpr_undef[SEM_DEF][l] = 0;
   }
}

static void
check_upper(hd_gcn_wave *wave, hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form, bool op_sel)
{
   const char *name = name_of(op);
   hd_gcn_decoded d;
   hd_mach_inst *inst = sem_inst(&d, op);

   fill(wave, op);
   sem_registers(inst);
   inst->form = (uint8_t)form;
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = op_sel ? 8 : 0;
   sem_run(wave, inst);
   const bool high = op_sel || op == HD_GCN_V_MAD_MIXHI_F16;
   const bool keeps = high || (gen >= HD_GCN_GFX900 && is_in(kept, NUM(kept), name));
   const bool open = !high && gen >= HD_GCN_GFX900 && is_in(unsaid, NUM(unsaid), name);
   const uint32_t other = high ? 0xffff : 0xffff0000;
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      const uint32_t got = wave->vgpr[SEM_DEF][l] & other;
      if (wave->vgpr_undef[SEM_DEF][l] != (open ? other : 0))
         fail_msg("%s: bits 0x%" PRIx32 " are undefined", name, wave->vgpr_undef[SEM_DEF][l]);
      if (!open && got != (keeps ? OLD & other : 0))
         fail_msg("%s, generation %u: the other half is 0x%" PRIx32, name, (unsigned)gen, got);
   }
}

static void
upper_halves(void **state)
{
   unsigned num = 0;

   (void)state;
   for (unsigned g = HD_GCN_GFX600; g < HD_GCN_NUM_GENS; g++) {
      const hd_gcn_gen gen = (hd_gcn_gen)g;
      hd_gcn_wave *wave = sem_wave(gen);
      for (unsigned n = 0; n < HD_GCN_NUM_OPS; n++) {
         const hd_gcn_op op = (hd_gcn_op)n;
         if (!sem_is_vector(op) || sem_def_bits(op, 0) != 16)
            continue;
         for (unsigned form = HD_GCN_FORM_BASE; form <= HD_GCN_FORM_VOP3; form++) {
            if (!sem_has(gen, op, (hd_gcn_form)form))
               continue;
            check_upper(wave, gen, op, (hd_gcn_form)form, false);
            if (gen >= HD_GCN_GFX900 && hd_gcn_op_infos[op].mach.flags & HD_GCN_OP_SEL &&
                form == (hd_gcn_op_infos[op].format == HD_GCN_VOP3 ? HD_GCN_FORM_BASE
                                                                   : HD_GCN_FORM_VOP3))
               check_upper(wave, gen, op, (hd_gcn_form)form, true);
            num++;
         }
      }
      sem_wave_free(wave);
   }
   print_message("%u instructions and forms\n", num);
   assert_true(num > 150);
   for (size_t n = 0; n < NUM(kept); n++)
      op_called(kept[n]);
   for (size_t n = 0; n < NUM(unsaid); n++)
      op_called(unsaid[n]);
}

/* Differences */

typedef struct fact {
   const char *name;
   uint32_t src[3];
   bool carry; /* that comes in: scc, or the mask */
   uint32_t result;
   int out; /* scc, or the lane's bit of the mask; -1: there is none */
} fact;

static const fact facts[] = {
   /* The sign of what has wrapped decides. */
   { "s_absdiff_i32", { 5, 7 }, false, 2, 1 },
   { "s_absdiff_i32", { 7, 5 }, false, 2, 1 },
   { "s_absdiff_i32", { 3, 3 }, false, 0, 0 },
   { "s_absdiff_i32", { 0x80000000, 0 }, false, 0x80000000, 1 },
   { "s_absdiff_i32", { 0x80000000, 1 }, false, 0x7fffffff, 1 },
   { "s_absdiff_i32", { 0x80000000, 0xffffffff }, false, 0x7fffffff, 1 },
   { "s_absdiff_i32", { 0x80000000, 0x7fffffff }, false, 1, 1 },
   { "s_absdiff_i32", { 0x7fffffff, 0x80000000 }, false, 1, 1 },
   { "s_absdiff_i32", { 0x7fffffff, 0xffffffff }, false, 0x80000000, 1 },
   { "s_abs_i32", { 0x80000000 }, false, 0x80000000, 1 },
   { "s_abs_i32", { 0xffffffff }, false, 1, 1 },
   /* Overflow of numbers with signs, borrow of those without. */
   { "s_sub_i32", { 0x80000000, 1 }, false, 0x7fffffff, 1 },
   { "s_sub_i32", { 1, 2 }, false, 0xffffffff, 0 },
   { "s_sub_u32", { 1, 2 }, false, 0xffffffff, 1 },
   { "s_sub_u32", { 0x80000000, 1 }, false, 0x7fffffff, 0 },
   { "s_subb_u32", { 2, 1 }, true, 0, 0 },
   { "s_subb_u32", { 1, 1 }, true, 0xffffffff, 1 },
   { "s_subb_u32", { 0, 0xffffffff }, true, 0, 1 },
   { "v_sub_co_u32", { 1, 2 }, false, 0xffffffff, 1 },
   { "v_sub_co_u32", { 2, 1 }, false, 1, 0 },
   { "v_subrev_co_u32", { 1, 2 }, false, 1, 0 },
   { "v_subrev_co_u32", { 2, 1 }, false, 0xffffffff, 1 },
   { "v_subb_co_u32", { 1, 1 }, true, 0xffffffff, 1 },
   { "v_subb_co_u32", { 0, 0xffffffff }, true, 0, 1 },
   { "v_subbrev_co_u32", { 0xffffffff, 0 }, true, 0, 1 },
   { "v_subbrev_co_u32", { 0, 1 }, true, 0, 0 },
   { "v_sub_u16", { 1, 2 }, false, 0xffff, -1 },
   { "v_subrev_u16", { 1, 2 }, false, 1, -1 },
   /* Distances are exact, and what they are added to wraps. */
   { "v_sad_u32", { 0x80000000, 1, 0 }, false, 0x7fffffff, -1 },
   { "v_sad_u32", { 1, 0x80000000, 0 }, false, 0x7fffffff, -1 },
   { "v_sad_u32", { 0, 0xffffffff, 2 }, false, 1, -1 },
   { "v_sad_u16", { 0xffff0001, 0x0000ffff, 1 }, false, 0x1fffe, -1 },
   { "v_sad_u8", { 0x00ff8001, 0xff00017f, 0 }, false, 763, -1 },
   { "v_sad_hi_u8", { 0x00ff8001, 0xff00017f, 5 }, false, 763 * 0x10000 + 5, -1 },
   /* Where the second one's byte is zero, nothing is counted. */
   { "v_msad_u8", { 0x00ff8001, 0xff00017f, 0 }, false, 508, -1 },
};

static void
check_scalar(hd_gcn_wave *wave, const fact *f, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < 2 && n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->reg != HD_GCN_SCC)
         sem_set_scalar(wave, hd_mach_src(inst, n)->reg, 32, f->src[n], 0);
   }
   wave->scc = f->carry;
   sem_run(wave, inst);
   if (sem_get_scalar(wave, hd_mach_def(inst, 0)->reg, 32) != f->result ||
       wave->scc != (f->out != 0))
      fail_msg("%s of 0x%" PRIx32 ", 0x%" PRIx32 ": 0x%" PRIx64 ", scc %d", f->name, f->src[0],
               f->src[1], sem_get_scalar(wave, hd_mach_def(inst, 0)->reg, 32), wave->scc);
}

static void
check_vector(hd_gcn_wave *wave, const fact *f, const hd_mach_inst *inst, hd_gcn_op op)
{
   for (unsigned n = 0; n < 3 && n < inst->num_srcs; n++) {
      if (sem_src_bits(op, n) == 1)
         sem_set_scalar(wave, hd_mach_src(inst, n)->reg, 64, f->carry ? UINT64_MAX : 0, 0);
      else
         sem_set(wave, SEM_SRC + 4 * n, 9, sem_src_bits(op, n), f->src[n], 0);
   }
   sem_run(wave, inst);
   const uint64_t got = sem_get(wave, SEM_DEF, 9, 32);
   const uint64_t mask = f->out < 0 ? 0 : sem_get_scalar(wave, hd_mach_def(inst, 1)->reg, 64);
   if (got != f->result || (f->out >= 0 && (mask >> 9 & 1) != (unsigned)f->out))
      fail_msg("%s of 0x%" PRIx32 ", 0x%" PRIx32 ", 0x%" PRIx32 ": 0x%" PRIx64 ", mask 0x%" PRIx64,
               f->name, f->src[0], f->src[1], f->src[2], got, mask);
}

static void
differences(void **state)
{
   unsigned num = 0;

   (void)state;
   for (unsigned g = HD_GCN_GFX600; g < HD_GCN_NUM_GENS; g++) {
      hd_gcn_wave *wave = sem_wave((hd_gcn_gen)g);
      for (size_t n = 0; n < NUM(facts); n++) {
         const hd_gcn_op op = op_called(facts[n].name);
         hd_gcn_decoded d;
         hd_mach_inst *inst = sem_inst(&d, op);
         if (!sem_has((hd_gcn_gen)g, op, HD_GCN_FORM_BASE))
            continue;
         inst->form = HD_GCN_FORM_BASE;
         sem_registers(inst);
         if (sem_is_scalar(op))
            check_scalar(wave, &facts[n], inst);
         else
            check_vector(wave, &facts[n], inst, op);
         num++;
      }
      sem_wave_free(wave);
   }
   assert_true(num > 2 * NUM(facts));
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(upper_halves),
                                       cmocka_unit_test(differences) };

   return cmocka_run_group_tests_name("backend/gcn/sem_facts", tests, NULL, NULL);
}
