/* SPDX-License-Identifier: MIT */
/* test_literals.c - constants in scalar registers, and readers of all kinds: after shrink the code
 * does what it did, and no register is written that was only read where a literal can be.
 */
#include <stdio.h>
#include <string.h>

#include "sem.h"

#include "backend/gcn/program.h"
#include "backend/gcn/sim/exec_memory.h"
#include "machine.h"

#define FIRST_REG   4u
#define NUM_REGS    4u
#define NUM_VECTORS 16u

static const hd_gcn_op readers[] = {
   HD_GCN_V_MOV_B32,    HD_GCN_V_ADD_F32,     HD_GCN_V_AND_B32, HD_GCN_V_CMP_LT_F32,
   HD_GCN_V_CMP_GT_U32, HD_GCN_V_MAX_I32,     HD_GCN_V_MAX_F16, HD_GCN_V_CVT_F32_U32,
   HD_GCN_V_BFE_U32,    HD_GCN_V_CNDMASK_B32, HD_GCN_S_ADD_U32,
};

static uint32_t
constant(struct machine *m)
{
   static const uint32_t some[] = { 0x64, 0x3e800000, 0x80000000, 0xffff8000, 0x12345678, 5 };

   return some[machine_random(m, 6)];
}

static hd_mach_inst *
write_constant(struct machine *m, hd_mach_block *block)
{
   hd_mach_inst *inst = machine_inst(m, block, HD_GCN_S_MOV_B32, HD_GCN_FORM_BASE);

   machine_operand(inst, 0, FIRST_REG + machine_random(m, NUM_REGS), 1);
   *hd_mach_src(inst, 0) = hd_gcn_operand_const(m->target.gen, HD_GCN_B32, constant(m));
   return inst;
}

/* Reads one of the registers, or two; false: there is no such instruction. */
static bool
read_constant(struct machine *m, hd_mach_block *block)
{
   const hd_gcn_op op = readers[machine_random(m, sizeof(readers) / sizeof(readers[0]))];
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   uint32_t words[5];

   if (!machine_has(m, op))
      return false;
   hd_mach_inst *inst = machine_random_inst(m, block, op);
   machine_operand(inst, inst->num_defs, FIRST_REG + machine_random(m, NUM_REGS), 1);
   if (info->format == HD_GCN_SOP2)
      machine_operand(inst, 0, FIRST_REG + machine_random(m, NUM_REGS), 1);
   /* Only so much is compared. */
   if (inst->num_srcs > 1 && info->format != HD_GCN_SOP2 && machine_random(m, 8) == 0)
      machine_operand(inst, inst->num_defs + 1u, FIRST_REG + machine_random(m, NUM_REGS), 1);
   if (hd_gcn_encode(m->target.gen, inst, words, NULL))
      return true;
   hd_mach_inst_remove(block, inst);
   return false;
}

static void
fill(hd_gcn_wave *wave, uint64_t state)
{
   for (unsigned n = 0; n < 128; n++) {
      wave->sgpr[n] = (uint32_t)sem_corner(&state, 32);
      wave->sgpr_undef[n] = 0;
   }
   for (unsigned v = 0; v < NUM_VECTORS; v++) {
      for (unsigned l = 0; l < HD_GCN_LANES; l++)
         sem_set(wave, v, l, 32, sem_corner(&state, 32), 0);
   }
   wave->scc = 0;
}

static unsigned
run(hd_gcn_wave *wave, const hd_mach_block *block)
{
   unsigned num = 0;

   hd_mach_foreach_inst(inst, block)
   {
      sem_run(wave, inst);
      num++;
   }
   return num;
}

/* Behind the block these registers are read, and all others. */
static hd_mach_inst *
read_at_end(struct machine *m, hd_mach_block *block, unsigned live)
{
   hd_mach_inst *inst = hd_gcn_inst_create(&m->gcn.mach, HD_MACH_P_COPY, 0, 128);

   for (unsigned n = 0; n < 128; n++)
      *hd_mach_src(inst, n) = hd_mach_operand_reg(
          n - FIRST_REG < NUM_REGS && !(live >> (n - FIRST_REG) & 1) ? 0 : n, 1);
   hd_mach_inst_append(block, inst);
   return inst;
}

static unsigned
writes_of(const hd_mach_block *block, unsigned reg)
{
   unsigned num = 0;

   hd_mach_foreach_inst(inst, block) num += inst->num_defs && hd_mach_def(inst, 0)->reg == reg;
   return num;
}

/* How many instructions fewer there are. */
static unsigned
check(struct machine *m, hd_gcn_wave *waves[2])
{
   hd_mach_block *block = machine_block(m);
   const unsigned length = 2 + machine_random(m, 8), live = machine_random(m, 1 << NUM_REGS);

   for (unsigned n = 0; n < length; n++) {
      if (machine_random(m, 3) == 0)
         write_constant(m, block);
      else
         read_constant(m, block);
   }
   fill(waves[0], m->state);
   fill(waves[1], m->state);
   const unsigned before = run(waves[0], block);
   hd_mach_inst *end = read_at_end(m, block, live);
   assert_true(hd_gcn_shrink(&m->gcn.mach));
   hd_mach_inst_remove(block, end);
   const unsigned after = run(waves[1], block);
   for (unsigned n = 0; n < NUM_REGS; n++) {
      if (!(live >> n & 1))
         waves[0]->sgpr[FIRST_REG + n] = waves[1]->sgpr[FIRST_REG + n] = 0;
   }
   assert_memory_equal(waves[0]->sgpr, waves[1]->sgpr, sizeof(waves[0]->sgpr));
   assert_memory_equal(waves[0]->vgpr, waves[1]->vgpr, sizeof(waves[0]->vgpr[0]) * NUM_VECTORS);
   assert_true(after <= before);
   return before - after;
}

static void
test_random(void **unused)
{
   const uint64_t seed = machine_seed();
   struct machine m;
   unsigned fewer = 0;

   (void)unused;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      hd_gcn_wave *waves[2] = { sem_wave((hd_gcn_gen)gen), sem_wave((hd_gcn_gen)gen) };
      for (unsigned n = 0; n < 3000; n++) {
         machine_begin(&m, (hd_gcn_gen)gen, (seed + n) * 0x9e3779b97f4a7c15);
         fewer += check(&m, waves);
         machine_end(&m);
      }
      sem_wave_free(waves[0]);
      sem_wave_free(waves[1]);
   }
   printf("# %u instructions fewer\n", fewer);
   assert_true(fewer > 1000);
}

/* A constant with these readers, of which `at_end` tells of one behind the block: is it there? */
static bool
stays(const hd_gcn_op *ops, unsigned num, hd_gcn_form form, bool at_end)
{
   struct machine m;

   machine_begin(&m, HD_GCN_GFX900, 1);
   hd_mach_block *block = machine_block(&m);
   hd_mach_inst *inst = machine_inst(&m, block, HD_GCN_S_MOV_B32, HD_GCN_FORM_BASE);
   machine_operand(inst, 0, FIRST_REG, 1);
   *hd_mach_src(inst, 0) = hd_gcn_operand_const(HD_GCN_GFX900, HD_GCN_B32, 0x64);
   for (unsigned n = 0; n < num; n++) {
      inst = machine_inst(&m, block, ops[n], form);
      machine_operand(inst, 0, HD_GCN_VGPR0 + n, 1);
      machine_operand(inst, inst->num_defs, FIRST_REG, 1);
      for (unsigned k = 1; k < inst->num_srcs; k++)
         machine_operand(inst, inst->num_defs + k, HD_GCN_VGPR0, 1);
   }
   read_at_end(&m, block, at_end);
   assert_true(hd_gcn_shrink(&m.gcn.mach));
   const bool is_there = writes_of(block, FIRST_REG) != 0;
   machine_end(&m);
   return is_there;
}

static void
test_who(void **unused)
{
   const hd_gcn_op moves[] = { HD_GCN_V_MOV_B32, HD_GCN_V_AND_B32, HD_GCN_V_MOV_B32 };
   const hd_gcn_op other[] = { HD_GCN_V_MOV_B32, HD_GCN_V_BFE_U32 };

   (void)unused;
   assert_false(stays(moves, 1, HD_GCN_FORM_BASE, false));
   assert_false(stays(moves, 2, HD_GCN_FORM_BASE, false));
   /* Forms that become short ones. */
   assert_false(stays(moves, 2, HD_GCN_FORM_VOP3, false));
   /* A word more for each reader: a third is too much. */
   assert_true(stays(moves, 3, HD_GCN_FORM_BASE, false));
   /* Somebody else would read what is no longer written. */
   assert_true(stays(moves, 1, HD_GCN_FORM_BASE, true));
   assert_true(stays(other, 2, HD_GCN_FORM_VOP3, false));
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_who) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
