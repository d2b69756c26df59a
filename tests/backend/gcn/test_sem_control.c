/* SPDX-License-Identifier: MIT */
/* test_sem_control.c - what is no expression: branches, exec, the mode, lanes by number, registers
 * by m0; each with what must stop it. One case an instruction: `every` lists those without any.
 */
#include "sem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/sim/exec_memory.h"

static hd_gcn_decoded decoded;
static bool tested[HD_GCN_NUM_OPS];

static hd_mach_inst *
prepare(hd_gcn_op op)
{
   hd_mach_inst *inst = sem_inst(&decoded, op);

   sem_registers(inst);
   tested[op] = true;
   return inst;
}

/* Branches ------------------------------------------------------------------------------------- */

/* Whether it jumps; to the right place then. */
static bool
jumps(hd_gcn_wave *wave, hd_gcn_op op)
{
   for (int distance = -3; distance <= 3; distance += 6) {
      hd_mach_inst *inst = prepare(op);
      inst->imm = distance;
      wave->pc = 0x1000;
      wave->next_pc = 0x1004;
      sem_run(wave, inst);
      if (wave->next_pc == 0x1004)
         return false;
      assert_int_equal(wave->next_pc, 0x1004 + 4 * distance);
   }
   return true;
}

static void
branches(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);

   (void)state;
   assert_true(jumps(wave, HD_GCN_S_BRANCH));
   for (unsigned bit = 0; bit < 2; bit++) {
      const uint64_t mask = bit ? UINT64_C(1) << 37 : 0;
      wave->scc = (uint8_t)bit;
      sem_set_scalar(wave, HD_GCN_VCC, 64, mask, 0);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, mask, 0);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_SCC0), !bit);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_SCC1), bit);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_VCCZ), !bit);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_VCCNZ), bit);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_EXECZ), !bit);
      assert_int_equal(jumps(wave, HD_GCN_S_CBRANCH_EXECNZ), bit);
   }
   wave->scc_undef = 1;
   sem_fails(wave, prepare(HD_GCN_S_CBRANCH_SCC1), "a branch on undefined scc");
   sem_fails(wave, prepare(HD_GCN_S_CBRANCH_SCC0), "a branch on undefined scc");
   /* One bit that is set decides, whatever the others are. */
   sem_set_scalar(wave, HD_GCN_VCC, 64, 6, 5);
   assert_true(jumps(wave, HD_GCN_S_CBRANCH_VCCNZ));
   sem_set_scalar(wave, HD_GCN_VCC, 64, 4, 5);
   sem_fails(wave, prepare(HD_GCN_S_CBRANCH_VCCNZ), "a branch on undefined vccnz");
   sem_fails(wave, prepare(HD_GCN_S_CBRANCH_VCCZ), "a branch on undefined vccz");
   sem_wave_free(wave);
}

static void
jumps_by_register(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   const uint64_t far = UINT64_C(0x1fffffff0);

   (void)state;
   wave->pc = far;
   wave->next_pc = far + 0x14;
   sem_run(wave, prepare(HD_GCN_S_GETPC_B64));
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), far + 0x14);

   sem_set_scalar(wave, SEM_SRC, 64, 0x123456789abc, 0);
   sem_run(wave, prepare(HD_GCN_S_SETPC_B64));
   assert_int_equal(wave->next_pc, 0x123456789abc);
   wave->next_pc = 0x2004;
   sem_run(wave, prepare(HD_GCN_S_SWAPPC_B64));
   assert_int_equal(wave->next_pc, 0x123456789abc);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), 0x2004);
   wave->next_pc = 0x2004;
   hd_mach_inst *inst = prepare(HD_GCN_S_CALL_B64);
   inst->imm = -2;
   sem_run(wave, inst);
   assert_int_equal(wave->next_pc, 0x2004 - 8);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), 0x2004);

   sem_set_scalar(wave, SEM_SRC, 64, 0x1002, 0);
   sem_fails(wave, prepare(HD_GCN_S_SETPC_B64), "not aligned to 4 bytes");
   sem_set_scalar(wave, SEM_SRC, 64, 0x1000, UINT64_C(1) << 33);
   sem_fails(wave, prepare(HD_GCN_S_SWAPPC_B64), "the target of a jump");
   sem_wave_free(wave);
}

/* Exec ----------------------------------------------------------------------------------------- */

static void
saved_masks(void **state)
{
   /* Bit by bit what exec becomes: of operand and exec 00, 01, 10, 11. */
   static const struct {
      hd_gcn_op op;
      const char *table;
      bool writes_new;
   } rows[] = {
      { HD_GCN_S_AND_SAVEEXEC_B64, "0001", false },
      { HD_GCN_S_OR_SAVEEXEC_B64, "0111", false },
      { HD_GCN_S_XOR_SAVEEXEC_B64, "0110", false },
      { HD_GCN_S_ANDN2_SAVEEXEC_B64, "0010", false },
      { HD_GCN_S_ORN2_SAVEEXEC_B64, "1011", false },
      { HD_GCN_S_NAND_SAVEEXEC_B64, "1110", false },
      { HD_GCN_S_NOR_SAVEEXEC_B64, "1000", false },
      { HD_GCN_S_XNOR_SAVEEXEC_B64, "1001", false },
      { HD_GCN_S_ANDN1_SAVEEXEC_B64, "0100", false },
      { HD_GCN_S_ORN1_SAVEEXEC_B64, "1101", false },
      { HD_GCN_S_ANDN1_WREXEC_B64, "0100", true },
      { HD_GCN_S_ANDN2_WREXEC_B64, "0010", true },
   };
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   uint64_t seed = 3;

   (void)state;
   for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++) {
      for (unsigned round = 0; round < 50; round++) {
         const uint64_t x = sem_corner(&seed, 64), exec = sem_corner(&seed, 64);
         uint64_t want = 0, decided = 0;
         for (unsigned b = 0; b < 64; b++) {
            const unsigned e = exec >> b & 1;
            want |= (uint64_t)(rows[n].table[2 * (x >> b & 1) + e] == '1') << b;
            /* Here the operand does not matter. */
            decided |= (uint64_t)(rows[n].table[e] == rows[n].table[2 + e]) << b;
         }
         hd_mach_inst *inst = prepare(rows[n].op);
         if (round % 2) /* the operand may be where exec is saved */
            *hd_mach_src(inst, 0) = sem_sgpr(SEM_DEF, 2);
         sem_set_scalar(wave, hd_mach_src(inst, 0)->reg, 64, x, decided);
         sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
         sem_run(wave, inst);
         assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64), want);
         assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), rows[n].writes_new ? want : exec);
         assert_int_equal(sem_get_scalar_undef(wave, SEM_DEF, 64), 0);
         assert_int_equal(wave->scc, want != 0);
         assert_int_equal(wave->scc_undef, 0);
         if (decided != UINT64_MAX) {
            sem_set_scalar(wave, hd_mach_src(inst, 0)->reg, 64, x, ~decided & (0 - ~decided));
            sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
            sem_fails(wave, inst, "exec");
         }
      }
   }
   /* exec as a plain destination. */
   hd_mach_inst *inst = prepare(HD_GCN_S_MOV_B64);
   *hd_mach_def(inst, 0) = sem_sgpr(HD_GCN_EXEC, 2);
   sem_set_scalar(wave, SEM_SRC, 64, 5, 0);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64), 5);
   sem_set_scalar(wave, SEM_SRC, 64, 5, 1);
   sem_fails(wave, inst, "reach exec_lo");
   sem_wave_free(wave);
}

/* What reads scc, execz, vccz and the apertures as operands. */
static void
special_sources(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_mach_inst *inst = prepare(HD_GCN_S_MOV_B32);

   (void)state;
   for (unsigned n = 0; n < 8; n++) {
      wave->scc = n & 1;
      wave->scc_undef = n >> 2;
      sem_set_scalar(wave, HD_GCN_EXEC, 64, n & 1 ? 0 : 1, 0);
      sem_set_scalar(wave, HD_GCN_VCC, 64, n & 1 ? 0 : UINT64_C(1) << 40, n >> 2);
      static const unsigned regs[] = { HD_GCN_SCC, HD_GCN_EXECZ, HD_GCN_VCCZ };
      for (unsigned k = 0; k < 3; k++) {
         *hd_mach_src(inst, 0) = sem_sgpr(regs[k], 1);
         sem_run(wave, inst);
         assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), n & 1);
         const bool undef = k == 0 ? n >> 2 : k == 2 ? n >> 2 && n & 1 : 0;
         assert_int_equal(sem_get_scalar_undef(wave, SEM_DEF, 32), undef);
      }
   }
   inst = prepare(HD_GCN_S_MOV_B64);
   *hd_mach_src(inst, 0) = sem_sgpr(235, 2);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), (uint64_t)wave->lds_aperture << 32);
   *hd_mach_src(inst, 0) = sem_sgpr(237, 2);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), (uint64_t)wave->private_aperture << 32);
   *hd_mach_src(inst, 0) = sem_sgpr(234, 2);
   sem_fails(wave, inst, "invalid source operand 234");
   sem_wave_free(wave);
}

/* The mode ------------------------------------------------------------------------------------- */

static int
hwreg(unsigned id, unsigned offset, unsigned width)
{
   return (int)(id | offset << 6 | (width - 1) << 11);
}

static void
mode_register(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_mach_inst *inst = prepare(HD_GCN_S_GETREG_B32);

   (void)state;
   wave->mode = 0x3a5;
   inst->imm = hwreg(1, 4, 6);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 0x3a);
   inst->imm = hwreg(1, 0, 32);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 0x3a5);
   inst = prepare(HD_GCN_S_SETREG_B32);
   inst->imm = hwreg(1, 4, 4);
   sem_set_scalar(wave, SEM_SRC, 32, 0xf6, 0xf0);
   sem_run(wave, inst);
   assert_int_equal(wave->mode, 0x365);
   sem_set_scalar(wave, SEM_SRC, 32, 0xf6, 8);
   sem_fails(wave, inst, "the mode");
   inst->imm = hwreg(2, 0, 1);
   sem_fails(wave, inst, "hardware register 2, which is read-only");
   inst->imm = hwreg(1, 30, 4);
   sem_fails(wave, inst, "4 bits from bit 30 on, a hardware register has 32");
   inst = prepare(HD_GCN_S_SETREG_IMM32_B32);
   *hd_mach_src(inst, 0) = sem_literal(0xff);
   inst->imm = hwreg(1, 0, 2);
   sem_run(wave, inst);
   assert_int_equal(wave->mode, 0x367);

   /* And lanes obey: 1 + 2^-24 rounds up. */
   hd_mach_inst *add = prepare(HD_GCN_V_ADD_F32);
   sem_set(wave, SEM_SRC, 0, 32, 0x3f800000, 0);
   sem_set(wave, SEM_SRC + 4, 0, 32, 0x33000000, 0);
   for (unsigned mode = 0; mode < 4; mode++) {
      static const uint32_t sums[] = { 0x3f800000, 0x3f800001, 0x3f800000, 0x3f800000 };
      wave->mode = 0xf0 | mode;
      sem_run(wave, add);
      assert_int_equal(sem_get(wave, SEM_DEF, 0, 32), sums[mode]);
   }
   sem_wave_free(wave);
}

/* Bits of the status that follow from registers; what depends on the chip is undefined. */
static void
other_registers(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);

   (void)state;
   for (unsigned n = 0; n < 8; n++) {
      hd_mach_inst *inst = prepare(HD_GCN_S_GETREG_B32);
      wave->scc = n & 1;
      wave->scc_undef = n == 7;
      sem_set_scalar(wave, HD_GCN_EXEC, 64, n & 2 ? 0 : UINT64_C(1) << 33, 0);
      sem_set_scalar(wave, HD_GCN_VCC, 64, n & 4 ? 0 : UINT64_C(1) << 50, n == 7);
      inst->imm = hwreg(2, 0, 32);
      sem_run(wave, inst);
      const uint32_t known = UINT32_MAX & ~(uint32_t)sem_get_scalar_undef(wave, SEM_DEF, 32);
      const uint32_t value = (uint32_t)sem_get_scalar(wave, SEM_DEF, 32);
      const uint32_t want = (n & 1) | (n & 2 ? 1u << 9 : 0) | (n & 4 ? 1u << 10 : 0) | 1u << 16;
      /* scc, privilege, execz, vccz, group, barrier, halt, trap, valid, debugger. */
      assert_int_equal(known, n == 7 ? 0x317a20 : 0x317e21);
      assert_int_equal(value & known, want & known);
      inst->imm = hwreg(2, 9, 2);
      sem_run(wave, inst);
      assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32) & 1, n >> 1 & 1);
   }
   for (unsigned id = 3; id <= 7; id++) {
      hd_mach_inst *inst = prepare(HD_GCN_S_GETREG_B32);
      inst->imm = hwreg(id, 3, 4);
      sem_run(wave, inst);
      assert_int_equal(sem_get_scalar_undef(wave, SEM_DEF, 32), 15);
   }
   /* Apertures: private ones in the lower half, those of LDS in the upper. */
   hd_mach_inst *inst = prepare(HD_GCN_S_GETREG_B32);
   wave->private_aperture = 0x20000;
   wave->lds_aperture = 0x10000;
   inst->imm = hwreg(15, 0, 16);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 2);
   inst->imm = hwreg(15, 16, 16);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 1);
   inst->imm = hwreg(16, 0, 32);
   sem_fails(wave, inst, "no hardware register 16");
   inst = prepare(HD_GCN_S_SETREG_B32);
   inst->imm = hwreg(3, 0, 9);
   sem_run(wave, inst);
   sem_wave_free(wave);
   wave = sem_wave(HD_GCN_GFX803);
   inst = prepare(HD_GCN_S_GETREG_B32);
   inst->imm = hwreg(15, 0, 16);
   sem_fails(wave, inst, "no hardware register 15");
   sem_wave_free(wave);
}

/* A bit of the first operand, that the second one names, goes to MODE[28]. */
static void
vector_switch(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_mach_inst *inst = prepare(HD_GCN_S_SETVSKIP);
   const uint32_t mode = wave->mode;

   (void)state;
   for (unsigned bit = 0; bit < 32; bit++) {
      const uint32_t x = 0x8001f0f3;
      sem_set_scalar(wave, SEM_SRC, 32, x, ~(1u << bit));
      sem_set_scalar(wave, SEM_SRC + 4, 32, (0xab00 & ~31u) | bit, 0xff00);
      sem_run(wave, inst);
      assert_int_equal(wave->mode, mode | (x >> bit & 1) << 28);
      sem_set_scalar(wave, SEM_SRC, 32, x, 1u << bit);
      sem_fails(wave, inst, "the mode");
   }
   sem_set_scalar(wave, SEM_SRC + 4, 32, 3, 1);
   sem_fails(wave, inst, "the number of a bit");
   sem_wave_free(wave);
}

/* The stack of branches: each side runs, the one with fewer lanes first, and the join ends with
 * all. */
static void
stacked_branches(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX803);
   uint64_t seed = 5;

   (void)state;
   for (unsigned round = 0; round < 200; round++) {
      const bool by_register = round & 1;
      const unsigned height = round % 5;
      const uint64_t exec = sem_random(&seed), target = by_register ? 0x123400 : 0x1004 + 4 * 50;
      const uint64_t mask = round % 7 == 0 ? exec : round % 7 == 1 ? ~exec : sem_corner(&seed, 64);
      hd_mach_inst *inst = prepare(by_register ? HD_GCN_S_CBRANCH_G_FORK : HD_GCN_S_CBRANCH_I_FORK);
      const unsigned reg = 40;
      *hd_mach_src(inst, 0) = sem_sgpr(reg, 2);
      if (by_register)
         *hd_mach_src(inst, 1) = sem_sgpr(44, 2);
      else
         inst->imm = 50;
      sem_set_scalar(wave, 44, 64, target, 0);
      sem_set_scalar(wave, reg, 64, mask, ~exec);
      sem_set_scalar(wave, HD_GCN_EXEC, 64, exec, 0);
      wave->mode = 0xf0 | height << 29;
      wave->next_pc = 0x1004;
      sem_run(wave, inst);
      const uint64_t yes = mask & exec, no = exec & ~mask;
      unsigned num_yes = 0, num_no = 0;
      for (unsigned b = 0; b < 64; b++) {
         num_yes += yes >> b & 1;
         num_no += no >> b & 1;
      }
      if (!num_yes || !num_no) {
         assert_int_equal(wave->next_pc, num_no ? 0x1004 : target);
         assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64), exec);
         assert_int_equal(wave->mode >> 29, height);
         continue;
      }
      const bool no_first = num_no < num_yes;
      assert_int_equal(wave->next_pc, no_first ? 0x1004 : target);
      assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64), no_first ? no : yes);
      assert_int_equal(wave->mode >> 29, height + 1);
      assert_int_equal(sem_get_scalar(wave, 4 * height, 64), no_first ? yes : no);
      assert_int_equal(sem_get_scalar(wave, 4 * height + 2, 64), no_first ? target : 0x1004);
      /* The first who comes to the join goes back for the others. */
      inst = prepare(HD_GCN_S_CBRANCH_JOIN);
      sem_set_scalar(wave, SEM_SRC + 40, 32, height, 0);
      *hd_mach_src(inst, 0) = sem_sgpr(SEM_SRC + 40, 1);
      wave->next_pc = 0x9004;
      sem_run(wave, inst);
      assert_int_equal(wave->next_pc, no_first ? target : 0x1004);
      assert_int_equal(sem_get_scalar(wave, HD_GCN_EXEC, 64), no_first ? yes : no);
      assert_int_equal(wave->mode, 0xf0 | height << 29);
      wave->next_pc = 0x9004;
      sem_run(wave, inst);
      assert_int_equal(wave->next_pc, 0x9004);
   }
   hd_mach_inst *inst = prepare(HD_GCN_S_CBRANCH_JOIN);
   wave->mode = 0xf0;
   sem_set_scalar(wave, SEM_SRC, 32, 2, 0);
   sem_fails(wave, inst, "empty branch stack");
   sem_set_scalar(wave, SEM_SRC, 32, 0, 1);
   sem_fails(wave, inst, "the height of the stack");
   inst = prepare(HD_GCN_S_CBRANCH_I_FORK);
   sem_set_scalar(wave, hd_mach_src(inst, 0)->reg, 64, 5, 0);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 15, 0);
   wave->mode = 7u << 29;
   sem_fails(wave, inst, "the branch stack is full");
   sem_set_scalar(wave, hd_mach_src(inst, 0)->reg, 64, 5, 8);
   sem_fails(wave, inst, "a branch on an undefined mask");
   sem_wave_free(wave);
}

/* Lanes and registers by number ---------------------------------------------------------------- */

static void
lanes_by_number(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   hd_mach_inst *inst = prepare(HD_GCN_V_READLANE_B32);

   (void)state;
   for (unsigned l = 0; l < 64; l++)
      sem_set(wave, SEM_SRC, l, 32, 500 + l, l == 9 ? 0x40 : 0);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 0, 0);
   for (unsigned l = 0; l < 64; l++) {
      sem_set_scalar(wave, SEM_SRC + 4, 32, l, 0);
      sem_run(wave, inst);
      assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 500 + l);
      assert_int_equal(sem_get_scalar_undef(wave, SEM_DEF, 32), l == 9 ? 0x40 : 0);
   }
   sem_set_scalar(wave, SEM_SRC + 4, 32, 64, 0);
   sem_fails(wave, inst, "lane number 64, expected less than 64");
   sem_set_scalar(wave, SEM_SRC + 4, 32, 3, 2);
   sem_fails(wave, inst, "the number of a lane");

   /* The first lane that runs; without any, lane 0. */
   inst = prepare(HD_GCN_V_READFIRSTLANE_B32);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 500);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, UINT64_C(0xa000000000), 0);
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 537);

   /* Written whether it runs or not, and no other. */
   inst = prepare(HD_GCN_V_WRITELANE_B32);
   *hd_mach_src(inst, 0) = sem_sgpr(SEM_SRC, 1);
   *hd_mach_src(inst, 1) = sem_int(17);
   sem_set_scalar(wave, SEM_SRC, 32, 99, 0x10);
   sem_run(wave, inst);
   for (unsigned l = 0; l < 64; l++) {
      assert_int_equal(sem_get(wave, SEM_DEF, l, 32), l == 17 ? 99 : 0);
      assert_int_equal(sem_get_undef(wave, SEM_DEF, l, 32), l == 17 ? 0x10 : 0);
   }
   sem_wave_free(wave);
}

static void
registers_by_number(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX803);

   (void)state;
   sem_set_scalar(wave, HD_GCN_M0, 32, 6, 0);
   sem_set_scalar(wave, HD_GCN_EXEC, 64, 2, 0);
   sem_set(wave, SEM_SRC, 1, 32, 11, 0);
   sem_set(wave, SEM_SRC + 6, 1, 32, 12, 4);
   sem_run(wave, prepare(HD_GCN_V_MOVRELD_B32));
   assert_int_equal(sem_get(wave, SEM_DEF + 6, 1, 32), 11);
   assert_int_equal(sem_get(wave, SEM_DEF + 6, 0, 32), 0);
   sem_run(wave, prepare(HD_GCN_V_MOVRELS_B32));
   assert_int_equal(sem_get(wave, SEM_DEF, 1, 32), 12);
   assert_int_equal(sem_get_undef(wave, SEM_DEF, 1, 32), 4);
   sem_set(wave, SEM_DEF + 6, 1, 32, 0, 0);
   sem_run(wave, prepare(HD_GCN_V_MOVRELSD_B32));
   assert_int_equal(sem_get(wave, SEM_DEF + 6, 1, 32), 12);

   sem_set_scalar(wave, SEM_SRC, 64, 21, 0);
   sem_set_scalar(wave, SEM_SRC + 6, 64, UINT64_C(0x1600000017), 0);
   sem_run(wave, prepare(HD_GCN_S_MOVRELS_B32));
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 32), 0x17);
   sem_run(wave, prepare(HD_GCN_S_MOVRELS_B64));
   assert_int_equal(sem_get_scalar(wave, SEM_DEF, 64), UINT64_C(0x1600000017));
   sem_run(wave, prepare(HD_GCN_S_MOVRELD_B32));
   assert_int_equal(sem_get_scalar(wave, SEM_DEF + 6, 32), 21);
   sem_set_scalar(wave, SEM_SRC, 64, UINT64_C(0x700000008), 0);
   sem_run(wave, prepare(HD_GCN_S_MOVRELD_B64));
   assert_int_equal(sem_get_scalar(wave, SEM_DEF + 6, 64), UINT64_C(0x700000008));

   sem_set_scalar(wave, HD_GCN_M0, 32, 250, 0);
   sem_fails(wave, prepare(HD_GCN_V_MOVRELD_B32), "out of range of the vector registers");
   sem_fails(wave, prepare(HD_GCN_S_MOVRELS_B32), "out of range of the scalar registers");
   sem_set_scalar(wave, HD_GCN_M0, 32, 1, 1);
   sem_fails(wave, prepare(HD_GCN_V_MOVRELS_B32), "the number of a register");
   sem_wave_free(wave);
}

/* What moves the registers of vector instructions: parts of m0, and a bit of the mode. That they
 * are moved is run.c's: native.cl.
 */
static void
index_mode(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   const uint32_t mode = wave->mode, bit = UINT32_C(1) << 27;
   hd_mach_inst *inst;

   (void)state;
   sem_set_scalar(wave, HD_GCN_M0, 32, 0x12345678, 0x00ff00ff);
   sem_set_scalar(wave, SEM_SRC, 32, 0xabcdef, 0xf00000);
   inst = prepare(HD_GCN_S_SET_GPR_IDX_ON);
   inst->imm = 9;
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, HD_GCN_M0, 32), 0x123496ef);
   assert_int_equal(wave->sgpr_undef[HD_GCN_M0], 0x00ff0000);
   assert_int_equal(wave->mode, mode | bit);

   inst = prepare(HD_GCN_S_SET_GPR_IDX_MODE);
   inst->imm = 4;
   sem_run(wave, inst);
   assert_int_equal(sem_get_scalar(wave, HD_GCN_M0, 32), 0x123446ef);
   sem_set_scalar(wave, SEM_SRC, 32, 0x1103, 0x80);
   sem_run(wave, prepare(HD_GCN_S_SET_GPR_IDX_IDX));
   assert_int_equal(sem_get_scalar(wave, HD_GCN_M0, 32), 0x12344603);
   assert_int_equal(wave->sgpr_undef[HD_GCN_M0], 0x00ff0080);
   assert_int_equal(wave->mode, mode | bit);
   sem_run(wave, prepare(HD_GCN_S_SET_GPR_IDX_OFF));
   assert_int_equal(wave->mode, mode);
   sem_wave_free(wave);
}

/* Four sums of distances, on four dwords. */
static void
four_sums(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX803);
   uint64_t seed = 8;

   (void)state;
   for (unsigned round = 0; round < 20; round++) {
      hd_mach_inst *inst = prepare(HD_GCN_V_MQSAD_U32_U8);
      inst->bits = round % 2 ? HD_GCN_CLAMP : 0;
      for (unsigned l = 0; l < 64; l++) {
         sem_set(wave, SEM_SRC, l, 64, sem_corner(&seed, 64), 0);
         sem_set(wave, SEM_SRC + 4, l, 32, sem_corner(&seed, 32), 0);
         for (unsigned k = 0; k < 4; k++)
            sem_set(wave, SEM_SRC + 8 + k, l, 32, sem_corner(&seed, 32), l == 3 && k == 2);
      }
      sem_run(wave, inst);
      for (unsigned l = 0; l < 64; l++) {
         const uint64_t a = sem_get(wave, SEM_SRC, l, 64), b = sem_get(wave, SEM_SRC + 4, l, 32);
         for (unsigned k = 0; k < 4; k++) {
            uint64_t sum = sem_get(wave, SEM_SRC + 8 + k, l, 32);
            for (unsigned n = 0; n < 4; n++) {
               const int x = (int)(a >> 8 * (n + k) & 255), y = (int)(b >> 8 * n & 255);
               sum += y == 0 ? 0 : (uint64_t)(x > y ? x - y : y - x);
            }
            if (sum > UINT32_MAX)
               sum = round % 2 ? UINT32_MAX : sum & UINT32_MAX;
            assert_int_equal(sem_get(wave, SEM_DEF + k, l, 32), sum);
            assert_int_equal(sem_get_undef(wave, SEM_DEF + k, l, 32) != 0, l == 3 && k == 2);
         }
      }
   }
   sem_wave_free(wave);
}

/* Hints: nothing happens. */
static void
hints(void **state)
{
   static const hd_gcn_op ops[] = { HD_GCN_S_SETPRIO,
                                    HD_GCN_S_ICACHE_INV,
                                    HD_GCN_S_INCPERFLEVEL,
                                    HD_GCN_S_DECPERFLEVEL,
                                    HD_GCN_S_WAKEUP,
                                    HD_GCN_V_NOP,
                                    HD_GCN_V_CLREXCP,
                                    HD_GCN_S_TTRACEDATA,
                                    HD_GCN_S_CBRANCH_CDBGSYS,
                                    HD_GCN_S_CBRANCH_CDBGUSER,
                                    HD_GCN_S_CBRANCH_CDBGSYS_OR_USER,
                                    HD_GCN_S_CBRANCH_CDBGSYS_AND_USER };
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   static hd_gcn_wave before;

   (void)state;
   for (unsigned n = 0; n < sizeof ops / sizeof *ops; n++) {
      before = *wave;
      sem_run(wave, prepare(ops[n]));
      assert_memory_equal(&before, wave, sizeof before);
   }
   /* The trap of a debugger that is not there; of the others one ends the program. */
   hd_mach_inst *inst = prepare(HD_GCN_S_TRAP);
   inst->imm = 3;
   before = *wave;
   sem_run(wave, inst);
   assert_memory_equal(&before, wave, sizeof before);
   inst->imm = 2;
   sem_fails(wave, inst, "executes trap 2");
   sem_wave_free(wave);
}

/* Instructions that are neither an expression, nor memory, nor here, nor run.c's, nor of
 * test_graphics.c: there are none, but those that say when they run why they don't.
 */
static void
every(void **state)
{
   static const hd_gcn_op elsewhere[] = { HD_GCN_S_NOP,
                                          HD_GCN_S_ENDPGM,
                                          HD_GCN_S_BARRIER,
                                          HD_GCN_S_WAITCNT,
                                          HD_GCN_S_SLEEP,
                                          HD_GCN_S_SENDMSG,
                                          HD_GCN_V_INTERP_P1_F32,
                                          HD_GCN_V_INTERP_P2_F32,
                                          HD_GCN_V_INTERP_MOV_F32,
                                          HD_GCN_EXP };
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   unsigned missing = 0, reported = 0;

   (void)state;
   for (unsigned n = 0; n < sizeof elsewhere / sizeof *elsewhere; n++)
      tested[elsewhere[n]] = true;
   for (unsigned n = 1; n < HD_GCN_NUM_OPS; n++) {
      const hd_gcn_op op = (hd_gcn_op)n;
      const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
      if (info->format == HD_GCN_PSEUDO || sem_is_scalar(op) || sem_is_vector(op) || tested[op] ||
          hd_gcn_accesses[op].kind != HD_GCN_ACCESS_INVALID)
         continue;
      if (hd_gcn_unmodelled[op]) {
         sem_fails(wave, sem_inst(&decoded, op), "the simulator does not support");
         reported++;
         continue;
      }
      print_message("no test: %s\n", hd_gcn_op_name(info, HD_GCN_GFX900)
                                         ? hd_gcn_op_name(info, HD_GCN_GFX900)
                                         : "?");
      missing++;
   }
   print_message("%u are reported instead of run\n", reported);
   assert_int_equal(missing, 0);
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches),        cmocka_unit_test(jumps_by_register),
      cmocka_unit_test(saved_masks),     cmocka_unit_test(special_sources),
      cmocka_unit_test(mode_register),   cmocka_unit_test(other_registers),
      cmocka_unit_test(vector_switch),   cmocka_unit_test(stacked_branches),
      cmocka_unit_test(lanes_by_number), cmocka_unit_test(registers_by_number),
      cmocka_unit_test(index_mode),      cmocka_unit_test(four_sums),
      cmocka_unit_test(hints),           cmocka_unit_test(every),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
