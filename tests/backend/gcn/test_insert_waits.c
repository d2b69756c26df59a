/* SPDX-License-Identifier: MIT */
/* test_insert_waits.c - random machine code through s_waitcnt insertion; a checker that follows each path
 * by itself finds nothing that is touched in flight, and misses each wait that is weakened by one.
 *
 * The checker is written from the manuals' words, and joins nothing: the state at a block's start
 * is a set of states, one for each way of counters that leads there.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/gcn/insert_waits.h"
#include "machine.h"

#define NUM_VECTORS 32
#define NUM_SCALARS 128
#define BARRIER     (NUM_VECTORS + NUM_SCALARS)
#define TO_LDS      (BARRIER + 1)
#define NUM_THINGS  (TO_LDS + 1)
#define MAX_STATES  3000

enum { VM, LGKM, EXP };

/* For each thing and counter: how many events of the ordered kind came after the latest that the
 * thing waits for, + 1; and whether it waits for one that comes back in any order.
 */
struct path {
   uint8_t after[3][NUM_THINGS];
   uint8_t any[3][NUM_THINGS];
   uint8_t scalar_loads; /* some are in flight */
   uint8_t stale_vccz;
};

struct visit {
   uint32_t block;
   struct path path;
};

struct checker {
   const struct machine *m;
   struct visit *visits;
   uint32_t num;
   char why[200];
};

static int
thing_of(unsigned reg)
{
   if (reg >= HD_GCN_VGPR0 && reg < HD_GCN_VGPR0 + NUM_VECTORS)
      return (int)(reg - HD_GCN_VGPR0);
   return reg < NUM_SCALARS ? NUM_VECTORS + (int)reg : -1;
}

static bool
is_over(const struct path *path, unsigned c, unsigned thing)
{
   return !path->after[c][thing] && !path->any[c][thing];
}

static bool
operand_is_over(const struct path *path, unsigned c, const hd_mach_operand *operand)
{
   for (unsigned n = 0; n < operand->size; n++) {
      const int thing = thing_of(operand->reg + n);
      if (thing >= 0 && !is_over(path, c, (unsigned)thing))
         return false;
   }
   return true;
}

static void
wait_for(struct path *path, unsigned c, unsigned count)
{
   for (unsigned t = 0; t < NUM_THINGS; t++) {
      /* It and those after it would be `after` events in the counter. */
      if (path->after[c][t] > count)
         path->after[c][t] = 0;
      if (!count)
         path->any[c][t] = 0;
   }
   if (c == LGKM && !count)
      path->scalar_loads = 0;
}

/* vccz follows vcc if all of it is written, and not by a load. On gfx6 a scalar load that comes
 * back spoils it.
 */
static void
follow_vccz(const struct machine *m, struct path *path, const hd_mach_inst *inst)
{
   const bool loads = hd_gcn_op_infos[inst->op].format == HD_GCN_SMEM && inst->num_defs;
   const bool gfx6 = m->target.gen == HD_GCN_GFX600;

   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      bool half[2];
      for (unsigned h = 0; h < 2; h++)
         half[h] = def->reg <= HD_GCN_VCC + h && HD_GCN_VCC + h < (unsigned)def->reg + def->size;
      if (half[0] || half[1])
         path->stale_vccz = !half[0] || !half[1] || loads || (gfx6 && path->scalar_loads);
   }
   if (loads) {
      path->scalar_loads = 1;
      path->stale_vccz |= gfx6;
   }
   /* Messages count like loads: the counter alone does not tell them apart. */
   if (inst->op == HD_GCN_S_SENDMSG ||
       (hd_gcn_op_infos[inst->op].format == HD_GCN_DS && (inst->bits & HD_GCN_GDS)) ||
       (hd_gcn_op_infos[inst->op].format == HD_GCN_FLAT && inst->memory != HD_MACH_MEMORY_GLOBAL))
      path->scalar_loads = 1;
}

static void
issue(struct path *path, unsigned c, bool any_order, const bool *things, unsigned limit)
{
   for (unsigned t = 0; t < NUM_THINGS; t++) {
      if (!any_order && path->after[c][t] && path->after[c][t] < limit + 1)
         path->after[c][t]++;
      if (things[t] && any_order)
         path->any[c][t] = 1;
      else if (things[t])
         path->after[c][t] = 1;
   }
}

static void
mark(bool *things, const hd_mach_operand *operand)
{
   for (unsigned n = 0; n < operand->size; n++) {
      const int thing = thing_of(operand->reg + n);
      if (thing >= 0)
         things[thing] = true;
   }
}

/* What the manuals say of each kind of memory instruction. */
static void
count_up(const struct machine *m, struct path *path, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const bool gfx6 = m->target.gen == HD_GCN_GFX600, gds = inst->bits & HD_GCN_GDS;
   const bool accesses = info->mach.flags & (HD_MACH_LOADS | HD_MACH_STORES);
   bool results[NUM_THINGS] = { false }, data[NUM_THINGS] = { false };

   for (unsigned n = 0; n < inst->num_defs; n++)
      mark(results, hd_mach_def(inst, n));
   switch (info->format) {
   case HD_GCN_SMEM:
      results[BARRIER] = accesses && inst->memory != HD_MACH_MEMORY_CONSTANT;
      if (accesses || inst->num_defs)
         issue(path, LGKM, true, results, m->target.max_lgkmcnt);
      break;
   case HD_GCN_SOPP:
      if (inst->op == HD_GCN_S_SENDMSG)
         issue(path, LGKM, true, results, m->target.max_lgkmcnt);
      break;
   case HD_GCN_DS:
      results[BARRIER] = accesses;
      issue(path, LGKM, gds, results, m->target.max_lgkmcnt);
      for (unsigned n = 0; gds && gfx6 && n < inst->num_srcs; n++) {
         if (hd_mach_src(inst, n)->reg >= HD_GCN_VGPR0)
            mark(data, hd_mach_src(inst, n));
      }
      if (gds && gfx6)
         issue(path, EXP, true, data, m->target.max_expcnt);
      break;
   case HD_GCN_MUBUF:
   case HD_GCN_FLAT:
   case HD_GCN_GLOBAL:
   case HD_GCN_SCRATCH: {
      const bool may_be_lds =
          info->format == HD_GCN_FLAT && (!inst->memory || (inst->memory & HD_MACH_MEMORY_SHARED));
      if (!accesses)
         break;
      results[BARRIER] =
          info->format != HD_GCN_SCRATCH &&
          ((info->mach.flags & HD_MACH_STORES) || inst->memory != HD_MACH_MEMORY_CONSTANT);
      if (may_be_lds)
         issue(path, LGKM, true, results, m->target.max_lgkmcnt);
      results[TO_LDS] = inst->bits & HD_GCN_LDS;
      issue(path, VM, may_be_lds, results, m->target.max_vmcnt);
      if (gfx6 && (info->mach.flags & HD_MACH_STORES)) {
         mark(data, hd_mach_src(inst, 0));
         issue(path, EXP, false, data, m->target.max_expcnt);
      }
      break;
   }
   default:
      break;
   }
}

static void
complain(struct checker *k, const hd_mach_inst *inst, const char *what, unsigned c)
{
   static const char *const counters[3] = { "vmcnt", "lgkmcnt", "expcnt" };

   snprintf(k->why, sizeof(k->why), "%s: %s (%s)",
            hd_gcn_op_name(hd_gcn_op_info_of(inst), k->m->target.gen), what, counters[c]);
}

static bool
may_issue(struct checker *k, const struct path *path, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   for (unsigned c = 0; c < 3; c++) {
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (!operand_is_over(path, c, hd_mach_def(inst, n)))
            complain(k, inst, "writes what is in flight", c);
      }
      for (unsigned n = 0; c != EXP && n < inst->num_srcs; n++) {
         if (!operand_is_over(path, c, hd_mach_src(inst, n)))
            complain(k, inst, "reads what is in flight", c);
      }
      if (inst->op == HD_GCN_S_BARRIER && (inst->imm >> c & 1) && !is_over(path, c, BARRIER))
         complain(k, inst, "others could miss an access", c);
   }
   if (inst->op == HD_GCN_S_CBRANCH_VCCZ &&
       (path->stale_vccz || (k->m->target.gen == HD_GCN_GFX600 && path->scalar_loads)))
      complain(k, inst, "vccz is not up to date", LGKM);
   if ((info->format == HD_GCN_DS || info->format == HD_GCN_FLAT) && !is_over(path, VM, TO_LDS))
      complain(k, inst, "LDS is still being written", VM);
   return !k->why[0];
}

static void
add_visit(struct checker *k, uint32_t block, const struct path *path)
{
   for (uint32_t n = 0; n < k->num; n++) {
      if (k->visits[n].block == block && !memcmp(&k->visits[n].path, path, sizeof(*path)))
         return;
   }
   if (k->num < MAX_STATES) {
      k->visits[k->num].block = block;
      k->visits[k->num++].path = *path;
   }
}

/* True: no path touches anything too early. */
static bool
check(struct checker *k, const struct machine *m)
{
   struct path path;
   uint8_t counts[HD_GCN_NUM_COUNTERS];

   k->m = m;
   k->num = 0;
   k->why[0] = '\0';
   memset(&path, 0, sizeof(path));
   add_visit(k, 0, &path);
   for (uint32_t n = 0; n < k->num; n++) {
      const hd_mach_block *block = m->gcn.mach.blocks[k->visits[n].block];
      path = k->visits[n].path;
      for (const hd_mach_inst *inst = block->first; inst; inst = inst->next) {
         if (inst->op == HD_GCN_S_WAITCNT) {
            hd_gcn_wait_unpack(&m->target, inst->imm, counts);
            for (unsigned c = 0; c < 3; c++)
               wait_for(&path, c, counts[c] < hd_gcn_no_wait(&m->target, c) ? counts[c] : 255);
            continue;
         }
         if (!may_issue(k, &path, inst))
            return false;
         follow_vccz(m, &path, inst);
         count_up(m, &path, inst);
      }
      for (uint32_t s = 0; s < block->edges[HD_MACH_LINEAR].num_succs; s++)
         add_visit(k, block->edges[HD_MACH_LINEAR].succs[s]->index, &path);
   }
   return true;
}

static const hd_gcn_op ops[] = {
   HD_GCN_BUFFER_LOAD_DWORD,
   HD_GCN_BUFFER_LOAD_DWORDX4,
   HD_GCN_BUFFER_STORE_DWORD,
   HD_GCN_BUFFER_STORE_DWORDX4,
   HD_GCN_BUFFER_ATOMIC_ADD,
   HD_GCN_BUFFER_ATOMIC_CMPSWAP_X2,
   HD_GCN_GLOBAL_LOAD_DWORD,
   HD_GCN_GLOBAL_STORE_DWORD,
   HD_GCN_GLOBAL_ATOMIC_ADD,
   HD_GCN_SCRATCH_LOAD_DWORD,
   HD_GCN_SCRATCH_STORE_DWORD,
   HD_GCN_FLAT_LOAD_DWORD,
   HD_GCN_FLAT_STORE_DWORDX3,
   HD_GCN_FLAT_ATOMIC_ADD,
   HD_GCN_DS_READ_B32,
   HD_GCN_DS_READ_B64,
   HD_GCN_DS_WRITE_B32,
   HD_GCN_DS_ADD_RTN_U32,
   HD_GCN_S_LOAD_DWORD,
   HD_GCN_S_LOAD_DWORDX4,
   HD_GCN_S_BUFFER_LOAD_DWORDX2,
   HD_GCN_S_MEMTIME,
   HD_GCN_V_ADD_F32,
   HD_GCN_V_MAD_F32,
   HD_GCN_V_CMP_LT_F32,
   HD_GCN_V_MOV_B32,
   HD_GCN_V_READFIRSTLANE_B32,
   HD_GCN_S_ADD_U32,
   HD_GCN_S_AND_B64,
   HD_GCN_S_MOV_B32,
   HD_GCN_S_BARRIER,
   HD_GCN_S_SENDMSG,
   HD_GCN_V_ADD_CO_U32,
   HD_GCN_BUFFER_WBINVL1,
   HD_GCN_BUFFER_LOAD_SHORT_D16,
   HD_GCN_S_CBRANCH_VCCZ,
};

/* A barrier, and a wait that asks for the order of some memory before it. */
static void
random_barrier(struct machine *m, hd_mach_block *block)
{
   uint8_t counts[HD_GCN_NUM_COUNTERS] = { 255, 255, 255 };
   const unsigned asked = machine_random(m, 4);

   for (unsigned c = 0; c < 2; c++) {
      if (asked >> c & 1)
         counts[c] = 0;
   }
   if (asked)
      machine_inst(m, block, HD_GCN_S_WAITCNT, HD_GCN_FORM_BASE)->imm =
          hd_gcn_wait_pack(&m->target, counts);
   machine_inst(m, block, HD_GCN_S_BARRIER, HD_GCN_FORM_BASE)->imm = (int32_t)asked;
}

static void
random_code(struct machine *m, bool tree, uint32_t per_block)
{
   if (tree)
      machine_random_tree(m, machine_random(m, 4));
   else
      machine_random_graph(m, 1 + machine_random(m, 6));
   for (uint32_t n = 0; n < m->gcn.mach.num_blocks; n++) {
      for (uint32_t i = machine_random(m, per_block + 1); i--;) {
         const hd_gcn_op op = ops[machine_random(m, sizeof(ops) / sizeof(ops[0]))];
         if (!machine_has(m, op))
            continue;
         if (op == HD_GCN_S_BARRIER) {
            random_barrier(m, m->gcn.mach.blocks[n]);
            continue;
         }
         hd_mach_inst *inst = machine_random_inst(m, m->gcn.mach.blocks[n], op);
         const hd_gcn_format format = (hd_gcn_format)hd_gcn_op_infos[op].format;
         if (format == HD_GCN_FLAT && machine_random(m, 2))
            inst->memory = HD_MACH_MEMORY_GLOBAL;
         if ((format == HD_GCN_SMEM || format == HD_GCN_GLOBAL) && !machine_random(m, 4) &&
             !(hd_gcn_op_infos[op].mach.flags & HD_MACH_STORES))
            inst->memory = HD_MACH_MEMORY_CONSTANT;
         if (format == HD_GCN_DS && !machine_random(m, 6))
            inst->bits |= HD_GCN_GDS;
         if (op == HD_GCN_BUFFER_LOAD_DWORD && !machine_random(m, 4))
            inst->bits |= HD_GCN_LDS;
      }
   }
}

/* s_waitcnt, and vcc moved to itself. */
static bool
is_inserted(const hd_mach_inst *inst)
{
   return inst->op == HD_GCN_S_WAITCNT || inst->op == HD_GCN_S_MOV_B64;
}

static uint32_t
count_inserted(const struct machine *m)
{
   uint32_t num = 0;

   hd_mach_foreach_block(block, &m->gcn.mach)
   {
      hd_mach_foreach_inst(inst, block) num += is_inserted(inst);
   }
   return num;
}

/* Weaken each count of each wait by one. How many does the checker not miss? */
static uint32_t
weaken(struct checker *k, struct machine *m, uint32_t *num_waits)
{
   uint8_t counts[HD_GCN_NUM_COUNTERS];
   uint32_t too_strong = 0;

   hd_mach_foreach_block(block, &m->gcn.mach)
   {
      hd_mach_foreach_inst(inst, block)
      {
         const int32_t imm = inst->imm;
         if (inst->op == HD_GCN_S_MOV_B64) {
            inst->op = HD_GCN_S_NOP; /* without its operands, that is */
            inst->num_defs = 0;
            inst->num_srcs = 0;
            too_strong += check(k, m);
            inst->op = HD_GCN_S_MOV_B64;
            inst->num_defs = inst->num_srcs = 1;
         }
         if (inst->op != HD_GCN_S_WAITCNT)
            continue;
         ++*num_waits;
         hd_gcn_wait_unpack(&m->target, imm, counts);
         for (unsigned c = 0; c < HD_GCN_NUM_COUNTERS; c++) {
            if (counts[c] >= hd_gcn_no_wait(&m->target, c))
               continue;
            counts[c]++;
            inst->imm = hd_gcn_wait_pack(&m->target, counts);
            too_strong += check(k, m);
            counts[c]--;
         }
         inst->imm = imm;
      }
   }
   return too_strong;
}

static void
check_program(struct checker *k, hd_gcn_gen gen, uint64_t seed, uint32_t *num_waits,
              uint32_t *too_strong)
{
   struct machine m;

   machine_begin(&m, gen, seed);
   /* Small counters overflow sooner. */
   if (machine_random(&m, 3) == 0)
      m.target.max_vmcnt = m.target.max_lgkmcnt = m.target.max_expcnt = 3;
   const bool tree = seed % 2, with_loops = machine_random(&m, 2);
   random_code(&m, tree, 1 + machine_random(&m, 10));
   /* Where loops are known, some waits stand before them that nothing needs yet. */
   for (uint32_t n = 0; !with_loops && n < m.gcn.mach.num_blocks; n++)
      m.gcn.mach.blocks[n]->loop_header = false;
   const uint32_t before = machine_count(&m) - count_inserted(&m);
   assert_true(hd_gcn_insert_waits(&m.gcn.mach));
   if (!check(k, &m))
      fail_msg("seed %llu: %s", (unsigned long long)seed, k->why);
   uint32_t waits = 0;
   if (k->num < MAX_STATES && !(tree && with_loops))
      *too_strong += weaken(k, &m, &waits);
   assert_int_equal(machine_count(&m) - count_inserted(&m), before);
   *num_waits += waits;
   machine_end(&m);
}

static void
test_random(void **unused)
{
   struct checker k = { .visits = malloc(MAX_STATES * sizeof(*k.visits)) };
   const uint64_t seed = machine_seed();
   uint32_t num_waits = 0, too_strong = 0;

   (void)unused;
   assert_non_null(k.visits);
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      for (uint64_t n = 0; n < 400; n++)
         check_program(&k, (hd_gcn_gen)gen, seed + n * 1000003, &num_waits, &too_strong);
   }
   printf("# %u waits, %u of them stronger than they must be\n", num_waits, too_strong);
   assert_true(num_waits > 2000);
   /* Where two waits of a loop are each needed without the other, both can stand. */
   assert_true(too_strong * 1000 <= num_waits);
   free(k.visits);
}

/* Loops so deep in each other, each with loads before, in and after the next one; or all of that
 * in one block.
 */
static double
time_nest(uint32_t depth, bool flat)
{
   hd_mach_block **heads = calloc(depth, sizeof(*heads)), *block;
   struct machine m;

   assert_non_null(heads);
   machine_begin(&m, HD_GCN_GFX600, 7);
   block = machine_block(&m);
   for (uint32_t n = 0; n < 2 * depth; n++) {
      hd_mach_block *next = flat ? block : machine_block(&m);
      if (!flat) {
         machine_edge(&m, block, next);
         if (n < depth) {
            next->loop_header = true;
            heads[n] = next;
         } else {
            machine_edge(&m, block, heads[2 * depth - 1 - n]);
         }
      }
      for (unsigned i = 0; i < 6; i++) {
         const hd_gcn_op op = ops[machine_random(&m, sizeof(ops) / sizeof(ops[0]))];
         if (machine_has(&m, op) && op != HD_GCN_S_BARRIER)
            machine_random_inst(&m, next, op);
      }
      block = next;
   }
   const uint32_t num = machine_count(&m);
   const clock_t start = clock();
   assert_true(hd_gcn_insert_waits(&m.gcn.mach));
   assert_true(hd_gcn_hazards(&m.gcn.mach));
   const double ns = (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / num;
   free(heads);
   machine_end(&m);
   return ns;
}

static void
test_growth(void **unused)
{
   (void)unused;
   for (unsigned flat = 0; flat < 2; flat++) {
      const double small = time_nest(500, flat), large = time_nest(8000, flat);
      printf("# %s: %.0f ns an instruction at 6,000, %.0f at 96,000\n",
             flat ? "one block" : "nest of loops", small, large);
      assert_true(large < 4 * small + 1000);
   }
}

/* The immediates of the assembler. */
static void
test_fields(void **unused)
{
   static const struct {
      hd_gcn_gen gen;
      uint8_t counts[HD_GCN_NUM_COUNTERS]; /* vmcnt, lgkmcnt, expcnt */
      int32_t imm;
   } cases[] = {
      { HD_GCN_GFX600, { 0, 15, 7 }, 0x0f70 },  { HD_GCN_GFX803, { 15, 0, 7 }, 0x007f },
      { HD_GCN_GFX900, { 63, 0, 7 }, 0xc07f },  { HD_GCN_GFX900, { 0, 15, 7 }, 0x0f70 },
      { HD_GCN_GFX900, { 18, 15, 7 }, 0x4f72 }, { HD_GCN_GFX803, { 3, 2, 1 }, 0x0213 },
   };
   uint8_t counts[HD_GCN_NUM_COUNTERS];

   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      const hd_gcn_target *target = hd_gcn_target_of(cases[n].gen);
      assert_int_equal(hd_gcn_wait_pack(target, cases[n].counts), cases[n].imm);
      hd_gcn_wait_unpack(target, cases[n].imm, counts);
      assert_memory_equal(counts, cases[n].counts, sizeof(counts));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fields),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_growth),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
