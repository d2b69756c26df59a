/* SPDX-License-Identifier: MIT */
/* test_shrink.c - instructions of all kinds, made short: they do what they did, as the simulator's
 * single instructions tell, in no more words; and each way to make one shorter is seen.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sem.h"

#include "backend/gcn/program.h"
#include "backend/gcn/sim/exec_memory.h"
#include "machine.h"

/* What should be seen, on one generation at least. */
static const hd_gcn_op changes[][2] = {
   { HD_GCN_S_MOV_B32, HD_GCN_S_MOVK_I32 },
   { HD_GCN_S_MOV_B32, HD_GCN_S_BREV_B32 },
   { HD_GCN_S_MOV_B32, HD_GCN_S_BFM_B32 },
   { HD_GCN_S_MOV_B64, HD_GCN_S_BFM_B64 },
   { HD_GCN_S_ADD_I32, HD_GCN_S_ADDK_I32 },
   { HD_GCN_S_ADD_U32, HD_GCN_S_ADDK_I32 },
   { HD_GCN_S_SUB_I32, HD_GCN_S_ADDK_I32 },
   { HD_GCN_S_SUB_U32, HD_GCN_S_ADDK_I32 },
   { HD_GCN_S_MUL_I32, HD_GCN_S_MULK_I32 },
   { HD_GCN_S_AND_B32, HD_GCN_S_BITSET0_B32 },
   { HD_GCN_S_OR_B32, HD_GCN_S_BITSET1_B32 },
   { HD_GCN_S_CMP_EQ_I32, HD_GCN_S_CMPK_EQ_I32 },
   { HD_GCN_S_CMP_EQ_I32, HD_GCN_S_CMPK_EQ_U32 },
   { HD_GCN_S_CMP_LG_U32, HD_GCN_S_CMPK_LG_I32 },
   { HD_GCN_S_CMP_LG_U32, HD_GCN_S_CMPK_LG_U32 },
   { HD_GCN_S_CMP_LT_I32, HD_GCN_S_CMPK_LT_I32 },
   { HD_GCN_S_CMP_LT_I32, HD_GCN_S_CMPK_GT_I32 },
   { HD_GCN_S_CMP_GE_U32, HD_GCN_S_CMPK_GE_U32 },
   { HD_GCN_S_CMP_GE_U32, HD_GCN_S_CMPK_LE_U32 },
   { HD_GCN_V_MOV_B32, HD_GCN_V_BFREV_B32 },
   { HD_GCN_V_MOV_B32, HD_GCN_V_NOT_B32 },
   { HD_GCN_V_MOV_B32, HD_GCN_OP_NONE },
   { HD_GCN_S_MOV_B32, HD_GCN_OP_NONE },
   { HD_GCN_S_MOV_B64, HD_GCN_OP_NONE },
   { HD_GCN_V_MAD_F32, HD_GCN_V_MAC_F32 },
   { HD_GCN_V_MAD_F16, HD_GCN_V_MAC_F16 },
   { HD_GCN_V_SUB_F32, HD_GCN_V_SUBREV_F32 },
   { HD_GCN_V_SUBREV_F32, HD_GCN_V_SUB_F32 },
   { HD_GCN_V_SUB_CO_U32, HD_GCN_V_SUBREV_CO_U32 },
   { HD_GCN_V_LSHLREV_B32, HD_GCN_V_LSHL_B32 },
   { HD_GCN_V_CMP_LT_F32, HD_GCN_V_CMP_GT_F32 },
   { HD_GCN_V_CMP_NGE_F32, HD_GCN_V_CMP_NLE_F32 },
   { HD_GCN_V_CMP_LE_U32, HD_GCN_V_CMP_GE_U32 },
};

#define NUM_CHANGES (sizeof(changes) / sizeof(changes[0]))

struct tally {
   uint32_t seen[NUM_CHANGES];
   uint32_t short_forms, programs, carries;
};

/* Constants at the edges of what short forms can say. */
static uint32_t
random_literal(struct machine *m)
{
   static const uint32_t some[] = { 0x7fff, 0x8000,  0xffff8000, 0xffff7fff,
                                    0xffff, 0x10000, 0x1234,     0xfffff000 };

   switch (machine_random(m, 6)) {
   case 0:
      return some[machine_random(m, 8)];
   case 1:
      return UINT32_C(1) << machine_random(m, 32);
   case 2:
      return ~(UINT32_C(1) << machine_random(m, 32));
   case 3:
      return UINT32_MAX >> machine_random(m, 32) << machine_random(m, 32);
   case 4:
      return ~machine_random(m, 65);
   default:
      return machine_random(m, UINT32_MAX);
   }
}

/* One that can be encoded, or NULL. */
static hd_mach_inst *
try_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = machine_random_inst(m, block, op);
   uint32_t words[5];

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const unsigned kinds = info->mach.operands[inst->num_defs + n].kinds;
      hd_mach_operand *src = hd_mach_src(inst, n);
      if ((kinds & HD_GCN_TAKES_LITERAL) && inst->form == HD_GCN_FORM_BASE &&
          machine_random(m, 3) == 0)
         *src = (hd_mach_operand){ .reg = HD_GCN_LITERAL,
                                   .value = random_literal(m),
                                   .size = src->size };
      if ((info->mach.flags & HD_GCN_NEG_ABS) && inst->form != HD_GCN_FORM_BASE &&
          machine_random(m, 12) == 0)
         src->flags |= HD_GCN_OPERAND_NEG;
   }
   /* Long forms take scalars where short ones do not. */
   if (inst->form == HD_GCN_FORM_VOP3 && inst->num_srcs > 1 && machine_random(m, 3) == 0)
      machine_operand(inst, inst->num_defs + 1u, 2 * machine_random(m, 4),
                      hd_mach_src(inst, 1)->size);
   /* Short forms often write what they read. */
   if (inst->num_defs && inst->num_srcs && machine_random(m, 2)) {
      const unsigned n = machine_random(m, inst->num_srcs < 3 ? inst->num_srcs : 3);
      const unsigned reg = hd_mach_def(inst, 0)->reg;
      if (info->mach.operands[0].size == info->mach.operands[info->mach.num_defs + n].size)
         machine_operand(inst, inst->num_defs + n, reg, info->mach.operands[0].size);
   }
   if (hd_gcn_encode(m->target.gen, inst, words, NULL))
      return inst;
   hd_mach_inst_remove(block, inst);
   return NULL;
}

static void
fill(hd_gcn_wave *wave, uint64_t *state)
{
   for (unsigned n = 0; n < 128; n++) {
      wave->sgpr[n] = (uint32_t)sem_corner(state, 32);
      wave->sgpr_undef[n] = 0;
   }
   for (unsigned v = 0; v < 16; v++) {
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         sem_set(wave, v, l, 32, sem_corner(state, 32), 0);
   }
   wave->scc = sem_random(state) & 1;
}

static void
run(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   for (; inst; inst = inst->next)
      sem_run(wave, inst);
}

static void
compare(const hd_gcn_wave *a, const hd_gcn_wave *b, bool with_scc, const char *name)
{
   bool same = !memcmp(a->sgpr, b->sgpr, sizeof(a->sgpr)) &&
               !memcmp(a->sgpr_undef, b->sgpr_undef, sizeof(a->sgpr_undef)) &&
               !memcmp(a->vgpr, b->vgpr, sizeof(a->vgpr[0]) * 16) &&
               !memcmp(a->vgpr_undef, b->vgpr_undef, sizeof(a->vgpr[0]) * 16);

   same &= !with_scc || (a->scc == b->scc && a->scc_undef == b->scc_undef);
   if (!same)
      fail_msg("%s does something else in its short form", name);
}

/* Behind the instruction all scalar registers are read, vcc too. */
static hd_mach_inst *
read_scalars(struct machine *m, hd_mach_block *block)
{
   hd_mach_inst *inst = hd_gcn_inst_create(&m->gcn.mach, HD_MACH_P_COPY, 0, 128);

   for (unsigned n = 0; n < 128; n++)
      *hd_mach_src(inst, n) = hd_mach_operand_reg(n, 1);
   hd_mach_inst_append(block, inst);
   return inst;
}

/* What is not read. */
static void
forget_scalars(hd_gcn_wave *wave, unsigned reg)
{
   for (unsigned n = 0; n < 2; n++) {
      wave->sgpr[reg + n] = wave->sgpr[HD_GCN_VCC + n] = 0;
      wave->sgpr_undef[reg + n] = wave->sgpr_undef[HD_GCN_VCC + n] = 0;
   }
}

static unsigned
words_of(const struct machine *m, const hd_mach_inst *inst)
{
   uint32_t words[5];
   const char *why = "";
   const unsigned num = hd_gcn_encode(m->target.gen, inst, words, &why);

   if (!num)
      fail_msg("%s cannot be encoded: %s",
               hd_gcn_op_name(&hd_gcn_op_infos[inst->op], m->target.gen), why);
   return num;
}

static void
tell(struct tally *t, hd_gcn_op before, hd_gcn_op after)
{
   for (unsigned n = 0; n < NUM_CHANGES; n++)
      t->seen[n] += changes[n][0] == before && changes[n][1] == after;
}

static void
check(struct tally *t, struct machine *m, hd_gcn_op op, hd_gcn_wave *waves[2])
{
   hd_mach_block *block = machine_block(m);
   const bool with_scc = machine_random(m, 2), with_scalars = machine_random(m, 4);
   hd_mach_inst *inst = try_inst(m, block, op);
   const hd_gcn_gen gen = m->target.gen;
   uint64_t state = m->state;

   if (!inst)
      return;
   t->programs++;
   if (with_scc) {
      hd_mach_inst *reader = machine_inst(m, block, HD_GCN_S_CSELECT_B32, HD_GCN_FORM_BASE);
      machine_operand(reader, 0, 50, 1);
      machine_operand(reader, 1, 51, 1);
      machine_operand(reader, 2, 52, 1);
   }
   const unsigned words = words_of(m, inst);
   const hd_gcn_form form = (hd_gcn_form)inst->form;
   fill(waves[0], &state);
   state = m->state;
   fill(waves[1], &state);
   run(waves[0], block->first);
   hd_mach_inst *reader = with_scalars ? read_scalars(m, block) : NULL;
   const unsigned carry = inst->num_defs > 1 && inst->operands[1].reg < HD_GCN_EXEC
                              ? inst->operands[1].reg
                          : hd_gcn_op_infos[op].format == HD_GCN_VOPC ? inst->operands[0].reg
                                                                      : HD_GCN_VCC;
   assert_true(hd_gcn_shrink(&m->gcn.mach));
   if (reader)
      hd_mach_inst_remove(block, reader);
   const hd_mach_inst *after =
       block->first && block->first->op != HD_GCN_S_CSELECT_B32 ? block->first : NULL;
   run(waves[1], block->first);
   for (unsigned w = 0; w < 2 && !with_scalars; w++)
      forget_scalars(waves[w], carry);
   /* What 16-bit results leave in the upper halves is open. */
   for (unsigned l = 0; op == HD_GCN_V_MAD_F16 && l < HD_GCN_LANES; l++) {
      for (unsigned w = 0; w < 2; w++) {
         waves[w]->vgpr[inst->operands[0].reg - HD_GCN_VGPR0][l] &= 0xffff;
         waves[w]->vgpr_undef[inst->operands[0].reg - HD_GCN_VGPR0][l] &= 0xffff;
      }
   }
   compare(waves[0], waves[1], with_scc, hd_gcn_op_name(&hd_gcn_op_infos[op], gen));
   t->carries +=
       after && carry != HD_GCN_VCC && after->num_defs > 1 && after->operands[1].reg == HD_GCN_VCC;
   tell(t, op, after ? (hd_gcn_op)after->op : HD_GCN_OP_NONE);
   if (!after)
      return;
   const unsigned words_after = words_of(m, after);
   assert_true(words_after <= words);
   t->short_forms += form == HD_GCN_FORM_VOP3 && after->form == HD_GCN_FORM_BASE;
   /* What fits the base form as it stands has it. */
   if (after->form == HD_GCN_FORM_VOP3)
      assert_false(hd_gcn_fits(gen, after, HD_GCN_FORM_BASE, NULL));
}

/* No memory, no control, no lanes that the test does not know. */
static bool
is_alu(hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   const unsigned format = info->format;

   if (format < HD_GCN_SOP1 || format > HD_GCN_VOP3 || format == HD_GCN_SMEM ||
       format == HD_GCN_SOPP)
      return false;
   return !(info->mach.flags & (HD_MACH_SIDE_EFFECT | HD_MACH_BRANCHES | HD_MACH_CROSS_LANE)) &&
          op != HD_GCN_S_GETPC_B64 && !hd_gcn_unmodelled[op];
}

static void
test_all(void **unused)
{
   const uint64_t seed = machine_seed();
   struct tally t = { .programs = 0 };
   struct machine m;

   (void)unused;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *waves[2] = { sem_wave((hd_gcn_gen)gen), sem_wave((hd_gcn_gen)gen) };
      for (unsigned op = 1; op < HD_GCN_NUM_OPS; op++) {
         if (!is_alu((hd_gcn_op)op))
            continue;
         bool listed = false;
         for (unsigned n = 0; n < NUM_CHANGES; n++)
            listed |= changes[n][0] == op;
         for (unsigned n = 0; n < (listed ? 1000u : 6u); n++) {
            machine_begin(&m, (hd_gcn_gen)gen, seed + op * 1000 + n);
            m.state *= 0x9e3779b97f4a7c15;
            if (machine_has(&m, (hd_gcn_op)op))
               check(&t, &m, (hd_gcn_op)op, waves);
            machine_end(&m);
         }
      }
      sem_wave_free(waves[0]);
      sem_wave_free(waves[1]);
   }
   printf("# %u instructions, %u in a short form, %u with another carry\n", t.programs,
          t.short_forms, t.carries);
   assert_true(t.short_forms > 300);
   assert_true(t.carries > 10);
   for (unsigned n = 0; n < NUM_CHANGES; n++) {
      if (!t.seen[n])
         fail_msg("%s never became op %u",
                  hd_gcn_op_name(&hd_gcn_op_infos[changes[n][0]], HD_GCN_GFX900), changes[n][1]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_all) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
