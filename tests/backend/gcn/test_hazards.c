/* SPDX-License-Identifier: MIT */
/* test_hazards.c - pairs of instructions at each distance, and random machine code, through s_nop
 * insertion. What two instructions need between them is written here once more, from the manuals'
 * tables; a checker looks back from each instruction along all ways, and misses each s_nop that is
 * made shorter by one.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/program.h"
#include "machine.h"

#define FARTHEST 5

static bool
is_vector_alu(const hd_mach_inst *inst)
{
   const unsigned format = hd_gcn_op_infos[inst->op].format;

   return format >= HD_GCN_VOP1 && format <= HD_GCN_VOP3P;
}

static bool
is_vector_memory(const hd_mach_inst *inst)
{
   return hd_gcn_op_infos[inst->op].format >= HD_GCN_MUBUF;
}

static bool
is_scalar_alu(const hd_mach_inst *inst)
{
   const unsigned format = hd_gcn_op_infos[inst->op].format;

   return format >= HD_GCN_SOP1 && format <= HD_GCN_SOPC;
}

static bool
touches(const hd_mach_operand *operand, unsigned reg, unsigned size)
{
   return operand->size && operand->reg < reg + size && reg < operand->reg + operand->size;
}

static bool
writes(const hd_mach_inst *inst, unsigned reg, unsigned size)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (touches(&inst->operands[n], reg, size))
         return true;
   }
   return false;
}

/* A register of `from` to `to` that the one writes and the other reads. */
static bool
passes_on(const hd_mach_inst *writer, const hd_mach_inst *reader, unsigned from, unsigned to)
{
   for (unsigned n = 0; n < reader->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(reader, n);
      if (src->size && src->reg >= from && src->reg < to && writes(writer, src->reg, src->size))
         return true;
   }
   return false;
}

/* Sources of more than 64 bits that a store has as data: not the resource, not an address. */
static const hd_mach_operand *
long_data(const hd_mach_inst *inst)
{
   if (!is_vector_memory(inst) || !(hd_gcn_op_infos[inst->op].mach.flags & HD_MACH_STORES))
      return NULL;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (src->reg >= HD_GCN_VGPR0 && src->reg < HD_MACH_MAX_REGS && src->size > 2)
         return src;
   }
   return NULL;
}

static bool
has_offset_register(const hd_mach_inst *inst)
{
   return hd_gcn_op_infos[inst->op].format == HD_GCN_MUBUF && hd_mach_src(inst, 3)->size &&
          hd_mach_src(inst, 3)->reg < HD_GCN_CONST_0;
}

static bool
sets_hwreg(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_S_SETREG_B32 || inst->op == HD_GCN_S_SETREG_IMM32_B32;
}

static bool
reads_as_data(const hd_mach_inst *inst, unsigned reg)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->size && hd_mach_src(inst, n)->reg == reg)
         return true;
   }
   return false;
}

/* After a vector ALU instruction. */
static unsigned
after_valu(hd_gcn_gen gen, const hd_mach_inst *a, const hd_mach_inst *b)
{
   const bool valu = is_vector_alu(b), dpp = valu && b->form == HD_GCN_FORM_DPP;
   const bool divides = b->op == HD_GCN_V_DIV_FMAS_F32 || b->op == HD_GCN_V_DIV_FMAS_F64;

   if (is_vector_memory(b) && passes_on(a, b, 0, 128))
      return 5;
   if (valu && reads_as_data(b, HD_GCN_VCCZ) && writes(a, HD_GCN_VCC, 2))
      return 5;
   if (valu && reads_as_data(b, HD_GCN_EXECZ) && writes(a, HD_GCN_EXEC, 2))
      return 5;
   if (dpp && writes(a, HD_GCN_EXEC, 2))
      return 5;
   if ((b->op == HD_GCN_V_READLANE_B32 || b->op == HD_GCN_V_WRITELANE_B32) &&
       hd_mach_src(b, 1)->reg < 128 && writes(a, hd_mach_src(b, 1)->reg, 1))
      return 4;
   if (divides && writes(a, HD_GCN_VCC, 2))
      return 4;
   if (gen == HD_GCN_GFX600 && hd_gcn_op_infos[b->op].format == HD_GCN_SMEM &&
       passes_on(a, b, 0, 128))
      return 4;
   /* What it reads of other lanes. */
   return dpp && hd_mach_src(b, 0)->reg >= HD_GCN_VGPR0 && writes(a, hd_mach_src(b, 0)->reg, 1) ? 2
                                                                                                : 0;
}

/* After a scalar ALU instruction. */
static unsigned
after_salu(hd_gcn_gen gen, const hd_mach_inst *a, const hd_mach_inst *b)
{
   const unsigned format = hd_gcn_op_infos[b->op].format;
   const bool m0 = writes(a, HD_GCN_M0, 1);

   if (gen == HD_GCN_GFX600 && format == HD_GCN_SMEM && b->num_srcs &&
       hd_mach_src(b, 0)->size == 4 && passes_on(a, b, 0, 128))
      return 4;
   if (sets_hwreg(a) && sets_hwreg(b) && ((a->imm ^ b->imm) & 63) == 0)
      return gen == HD_GCN_GFX600 ? 1 : 2;
   if (sets_hwreg(a) && b->op == HD_GCN_S_GETREG_B32 && ((a->imm ^ b->imm) & 63) == 0)
      return 2;
   if (a->op == HD_GCN_S_SETVSKIP && b->op == HD_GCN_S_GETREG_B32 && (b->imm & 63) == 1)
      return 2;
   if (a->op == HD_GCN_S_SETVSKIP &&
       (is_vector_alu(b) || is_vector_memory(b) || format == HD_GCN_DS))
      return 2;
   if (m0 && (b->op == HD_GCN_S_SENDMSG || b->op == HD_GCN_S_SENDMSGHALT ||
              b->op == HD_GCN_S_TTRACEDATA || (b->bits & HD_GCN_GDS)))
      return 1;
   if (m0 && gen != HD_GCN_GFX600 &&
       (b->op == HD_GCN_S_MOVRELS_B32 || b->op == HD_GCN_S_MOVRELS_B64 ||
        b->op == HD_GCN_S_MOVRELD_B32 || b->op == HD_GCN_S_MOVRELD_B64))
      return 1;
   if (m0 && gen == HD_GCN_GFX900 &&
       (b->op == HD_GCN_DS_READ_ADDTID_B32 || b->op == HD_GCN_DS_WRITE_ADDTID_B32))
      return 1;
   return m0 && gen == HD_GCN_GFX900 && is_vector_memory(b) && (b->bits & HD_GCN_LDS) ? 1 : 0;
}

/* Wait states that the manuals want between `a` and `b`. */
static unsigned
between(hd_gcn_gen gen, const hd_mach_inst *a, const hd_mach_inst *b)
{
   const hd_mach_operand *data = gen == HD_GCN_GFX600 ? NULL : long_data(a);

   if (data && !has_offset_register(a) && is_vector_alu(b) && writes(b, data->reg, data->size))
      return 1;
   return is_vector_alu(a) ? after_valu(gen, a, b) : is_scalar_alu(a) ? after_salu(gen, a, b) : 0;
}

static unsigned
states_of(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_S_NOP ? (unsigned)inst->imm + 1 : 1;
}

/* Whether all that can run so many wait states before `b` leaves it in peace: from `inst` back, and
 * what leads to the block.
 */
static bool
look_back(hd_gcn_gen gen, const hd_mach_block *block, const hd_mach_inst *inst, unsigned states,
          const hd_mach_inst *b, unsigned empty)
{
   for (; inst; inst = inst->prev) {
      if (states < between(gen, inst, b))
         return false;
      states += states_of(inst);
      empty = 0;
      if (states >= FARTHEST)
         return true;
   }
   /* Round a circle of empty blocks there is nothing new. */
   for (uint32_t n = 0; empty < 12 && n < block->edges[HD_MACH_LINEAR].num_preds; n++) {
      const hd_mach_block *pred = block->edges[HD_MACH_LINEAR].preds[n];
      if (!look_back(gen, pred, pred->last, states, b, empty + 1))
         return false;
   }
   return true;
}

static const hd_mach_inst *
check(const struct machine *m)
{
   hd_mach_foreach_block(block, &m->gcn.mach)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (!look_back(m->target.gen, block, inst->prev, 0, inst, 0))
            return inst;
      }
   }
   return NULL;
}

static const hd_gcn_op ops[] = {
   HD_GCN_V_READFIRSTLANE_B32,
   HD_GCN_V_CMP_LT_F32,
   HD_GCN_V_CMPX_LT_F32,
   HD_GCN_V_MOV_B32,
   HD_GCN_V_ADD_F32,
   HD_GCN_V_ADD_CO_U32,
   HD_GCN_V_DIV_SCALE_F32,
   HD_GCN_V_DIV_FMAS_F32,
   HD_GCN_V_DIV_FMAS_F64,
   HD_GCN_V_READLANE_B32,
   HD_GCN_V_WRITELANE_B32,
   HD_GCN_V_CNDMASK_B32,
   HD_GCN_S_MOV_B32,
   HD_GCN_S_ADD_U32,
   HD_GCN_S_AND_SAVEEXEC_B64,
   HD_GCN_S_SETREG_B32,
   HD_GCN_S_SETREG_IMM32_B32,
   HD_GCN_S_GETREG_B32,
   HD_GCN_S_SETVSKIP,
   HD_GCN_S_SENDMSG,
   HD_GCN_S_MOVRELS_B32,
   HD_GCN_S_MOVRELD_B64,
   HD_GCN_S_LOAD_DWORD,
   HD_GCN_S_BUFFER_LOAD_DWORD,
   HD_GCN_DS_READ_B32,
   HD_GCN_DS_WRITE_B64,
   HD_GCN_BUFFER_LOAD_DWORD,
   HD_GCN_BUFFER_STORE_DWORD,
   HD_GCN_BUFFER_STORE_DWORDX4,
   HD_GCN_BUFFER_ATOMIC_CMPSWAP_X2,
   HD_GCN_FLAT_STORE_DWORDX3,
   HD_GCN_GLOBAL_STORE_DWORDX4,
   HD_GCN_GLOBAL_LOAD_DWORD,
   HD_GCN_GLOBAL_STORE_DWORDX2,
   HD_GCN_SCRATCH_STORE_DWORD,
   HD_GCN_SCRATCH_STORE_DWORDX3,
   HD_GCN_DS_READ_ADDTID_B32,
   HD_GCN_DS_WRITE_ADDTID_B32,
};

#define NUM_OPS (sizeof(ops) / sizeof(ops[0]))

/* One of them, with operands that make trouble. */
static hd_mach_inst *
random_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op)
{
   hd_mach_inst *inst = machine_random_inst(m, block, op);
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   if (info->imm == HD_GCN_IMM_HWREG)
      inst->imm = (int32_t)(1 + machine_random(m, 2)) | 31 << 11;
   if (info->format == HD_GCN_DS && machine_random(m, 3) == 0)
      inst->bits |= HD_GCN_GDS;
   if (op == HD_GCN_BUFFER_LOAD_DWORD && machine_random(m, 3) == 0)
      inst->bits |= HD_GCN_LDS;
   if ((op == HD_GCN_V_MOV_B32 || op == HD_GCN_V_ADD_F32) && inst->form != HD_GCN_FORM_DPP &&
       machine_random(m, 3) == 0)
      machine_operand(inst, 1, machine_random(m, 2) ? HD_GCN_VCCZ : HD_GCN_EXECZ, 1);
   return inst;
}

/* Pairs with 0 to 6 others between them, which have nothing to do with either. */
static void
test_pairs(void **unused)
{
   const uint64_t seed = machine_seed();
   uint32_t num_nops = 0;
   struct machine m;

   (void)unused;
   for (uint32_t n = 0; n < HD_GCN_NUM_GENS * NUM_OPS * NUM_OPS * 4; n++) {
      const hd_gcn_op first = ops[n % NUM_OPS], second = ops[n / NUM_OPS % NUM_OPS];
      const hd_gcn_gen gen = (hd_gcn_gen)(n / (NUM_OPS * NUM_OPS) % HD_GCN_NUM_GENS);
      for (unsigned distance = 0; distance <= 6; distance++) {
         machine_begin(&m, gen, seed + n);
         if (machine_has(&m, first) && machine_has(&m, second)) {
            hd_mach_block *block = machine_block(&m);
            const hd_mach_inst *a = random_inst(&m, block, first);
            for (unsigned i = 0; i < distance; i++) {
               hd_mach_inst *inst = machine_inst(&m, block, HD_GCN_S_MOV_B32, HD_GCN_FORM_BASE);
               machine_operand(inst, 0, 60 + i, 1);
               machine_operand(inst, 1, HD_GCN_CONST_0, 1);
            }
            const hd_mach_inst *b = random_inst(&m, block, second);
            const unsigned wanted = between(gen, a, b);
            assert_true(hd_gcn_hazards(&m.gcn.mach));
            if (wanted <= distance) {
               assert_int_equal(machine_count(&m), distance + 2);
            } else {
               assert_int_equal(machine_count(&m), distance + 3);
               assert_int_equal(b->prev->op, HD_GCN_S_NOP);
               assert_int_equal(b->prev->imm + 1, wanted - distance);
               num_nops++;
            }
         }
         machine_end(&m);
      }
   }
   printf("# %u nops\n", num_nops);
   assert_true(num_nops > 1000);
}

/* How many nops can be shortened by one without notice? */
static uint32_t
shorten(struct machine *m, uint32_t *num_nops)
{
   uint32_t too_long = 0;

   hd_mach_foreach_block(block, &m->gcn.mach)
   {
      for (hd_mach_inst *inst = block->first, *next; inst; inst = next) {
         next = inst->next;
         if (inst->op != HD_GCN_S_NOP)
            continue;
         ++*num_nops;
         if (inst->imm) {
            inst->imm--;
            too_long += !check(m);
            inst->imm++;
         } else {
            hd_mach_inst_remove(block, inst);
            too_long += !check(m);
            hd_mach_inst_insert_before(block, inst, next);
         }
      }
   }
   return too_long;
}

static void
test_random(void **unused)
{
   const uint64_t seed = machine_seed();
   uint32_t num_nops = 0, too_long = 0;
   struct machine m;

   (void)unused;
   for (uint32_t n = 0; n < 900; n++) {
      machine_begin(&m, (hd_gcn_gen)(n % HD_GCN_NUM_GENS), seed + n * UINT64_C(1000003));
      if (n % 2)
         machine_random_tree(&m, machine_random(&m, 4));
      else
         machine_random_graph(&m, 1 + machine_random(&m, 8));
      for (uint32_t i = 0; i < m.gcn.mach.num_blocks; i++) {
         for (uint32_t left = machine_random(&m, 6); left--;) {
            const hd_gcn_op op = ops[machine_random(&m, NUM_OPS)];
            if (machine_has(&m, op))
               random_inst(&m, m.gcn.mach.blocks[i], op);
         }
      }
      const uint32_t before = machine_count(&m);
      uint32_t nops = 0;
      assert_true(hd_gcn_hazards(&m.gcn.mach));
      const hd_mach_inst *bad = check(&m);
      if (bad)
         fail_msg("program %u: too soon: %s", n,
                  hd_gcn_op_name(&hd_gcn_op_infos[bad->op], m.target.gen));
      too_long += shorten(&m, &nops);
      assert_int_equal(machine_count(&m), before + nops);
      num_nops += nops;
      machine_end(&m);
   }
   printf("# %u nops, %u of them longer than they must be\n", num_nops, too_long);
   assert_true(num_nops > 500);
   assert_true(too_long * 1000 <= num_nops);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_random),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
