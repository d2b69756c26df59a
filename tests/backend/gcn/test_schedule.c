/* SPDX-License-Identifier: MIT */
/* test_schedule.c - random machine code through the scheduler: whatever two instructions cannot be
 * exchanged stand as they stood, pair by pair; no wave loses its place for more registers; data is
 * waited for less; and the time for large blocks grows with their size.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/output.h"
#include "backend/gcn/program.h"
#include "ir/private.h"
#include "machine.h"
#include "machine/liveness.h"
#include "random_machine.h"

struct fixture {
   hd_heap heap;
   hd_stack stack;
   hd_gcn_options options;
   hd_gcn_program gcn;
   hd_shader *shader;
};

static void
begin(struct fixture *f, hd_gcn_gen gen)
{
   memset(f, 0, sizeof(*f));
   hd_heap_init(&f->heap, NULL);
   hd_stack_init(&f->stack, &f->heap);
   f->options.target = gen;
   f->gcn.mach.mach = &hd_gcn_target_of(gen)->mach;
   f->gcn.mach.hooks = hd_gcn_hooks_of(gen);
   f->gcn.options = &f->options;
   f->gcn.mach.stack = &f->stack;
   f->shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   f->gcn.mach.shader = f->shader;
}

static void
end(struct fixture *f)
{
   hd_shader_destroy(f->shader);
   hd_stack_finish(&f->stack);
}

/* What keeps two instructions in their order --------------------------------------------------- */

static bool
has_temp(const hd_mach_operand *operands, unsigned num, uint32_t temp)
{
   for (unsigned n = 0; n < num; n++) {
      if ((operands[n].flags & HD_MACH_OPERAND_TEMP) && operands[n].value == temp)
         return true;
   }
   return false;
}

static bool
has_reg(const hd_mach_operand *operands, unsigned num, unsigned reg, unsigned size)
{
   for (unsigned n = 0; n < num; n++) {
      if (operands[n].size && operands[n].reg < reg + size &&
          reg < operands[n].reg + operands[n].size)
         return true;
   }
   return false;
}

static bool
is_register(unsigned reg)
{
   return reg < HD_GCN_CONST_0 || (reg >= HD_GCN_VGPR0 && reg < HD_MACH_MAX_REGS);
}

static bool
writes_exec(const hd_mach_inst *inst)
{
   return has_reg(inst->operands, inst->num_defs, HD_GCN_EXEC, 2);
}

static bool
cannot_move(const hd_mach_inst *inst)
{
   const uint32_t flags = hd_gcn_op_infos[inst->op].mach.flags;

   return (flags & (HD_MACH_SIDE_EFFECT | HD_MACH_BRANCHES | HD_MACH_ENDS)) || writes_exec(inst) ||
          inst->op == HD_MACH_P_START || inst->op == HD_MACH_P_PHI || inst->op == HD_MACH_P_END ||
          inst->op == HD_MACH_P_HALT;
}

static unsigned
memory_of(const hd_mach_inst *inst)
{
   const unsigned format = hd_gcn_op_infos[inst->op].format;

   if (inst->memory)
      return inst->memory;
   return format == HD_GCN_DS        ? HD_MACH_MEMORY_SHARED
          : format == HD_GCN_SCRATCH ? HD_MACH_MEMORY_SCRATCH
          : format == HD_GCN_FLAT
              ? HD_MACH_MEMORY_GLOBAL | HD_MACH_MEMORY_SHARED | HD_MACH_MEMORY_SCRATCH
              : HD_MACH_MEMORY_GLOBAL;
}

/* Loads and stores of scratch by a buffer, and of LDS, one dword or more: the address operands are
 * the same and the bytes are not. Others are taken to meet.
 */
static bool
are_apart(const hd_mach_inst *a, const hd_mach_inst *b)
{
   const hd_mach_inst *insts[2] = { a, b };
   const hd_mach_operand *address[2];
   int first[2], end[2];

   for (unsigned n = 0; n < 2; n++) {
      const hd_gcn_op_info *info = &hd_gcn_op_infos[insts[n]->op];
      const bool stores = info->mach.flags & HD_MACH_STORES;
      const hd_mach_operand *data =
          stores ? hd_mach_src(insts[n], info->format == HD_GCN_DS) : hd_mach_def(insts[n], 0);
      if ((info->mach.flags & HD_GCN_TWO_OFFSETS) ||
          (info->format != HD_GCN_DS && info->format != HD_GCN_MUBUF))
         return false;
      address[n] = hd_mach_src(insts[n], stores && info->format == HD_GCN_MUBUF);
      first[n] = insts[n]->imm;
      end[n] = first[n] + 4 * data->size;
   }
   return hd_gcn_op_infos[a->op].format == hd_gcn_op_infos[b->op].format &&
          address[0]->value == address[1]->value && address[0]->reg == address[1]->reg &&
          (end[0] <= first[1] || end[1] <= first[0]);
}

static bool
meet_in_memory(const hd_mach_inst *a, const hd_mach_inst *b)
{
   const uint32_t access = HD_MACH_LOADS | HD_MACH_STORES;
   const uint32_t flags_a = hd_gcn_op_infos[a->op].mach.flags,
                  flags_b = hd_gcn_op_infos[b->op].mach.flags;
   const unsigned both = HD_MACH_MEMORY_CONSTANT | HD_MACH_MEMORY_VOLATILE;

   if (!(flags_a & access) || !(flags_b & access))
      return false;
   if (a->memory & b->memory & HD_MACH_MEMORY_VOLATILE)
      return true;
   return ((flags_a | flags_b) & HD_MACH_STORES) && (memory_of(a) & memory_of(b) & ~both) &&
          !are_apart(a, b);
}

/* `a` stood before `b`. */
static bool
are_ordered(const hd_mach_inst *a, const hd_mach_inst *b)
{
   if (cannot_move(a) || cannot_move(b) || meet_in_memory(a, b))
      return true;
   for (unsigned n = 0; n < a->num_defs; n++) {
      const hd_mach_operand *def = &a->operands[n];
      if ((def->flags & HD_MACH_OPERAND_TEMP) &&
          has_temp(hd_mach_src(b, 0), b->num_srcs, def->value))
         return true;
      if (def->size && is_register(def->reg) &&
          has_reg(b->operands, b->num_defs + b->num_srcs, def->reg, def->size))
         return true;
   }
   for (unsigned n = 0; n < b->num_defs; n++) {
      const hd_mach_operand *def = &b->operands[n];
      if (def->size && is_register(def->reg) &&
          has_reg(hd_mach_src(a, 0), a->num_srcs, def->reg, def->size))
         return true;
   }
   return false;
}

/* A copy of a block's order ----------------------------------------------------------------------
 */

struct order {
   hd_mach_inst **insts;
   hd_mach_inst **scc; /* who wrote the scc that each sees */
   uint32_t num, tail;
};

static struct order
order_of(const hd_mach_block *block)
{
   struct order o = { .num = 0 };
   hd_mach_inst *scc = NULL;

   for (hd_mach_inst *inst = block->first; inst; inst = inst->next)
      o.num++;
   o.insts = calloc(o.num + 1, sizeof(*o.insts));
   o.scc = calloc(o.num + 1, sizeof(*o.scc));
   o.tail = o.num;
   uint32_t n = 0;
   for (hd_mach_inst *inst = block->first; inst; inst = inst->next, n++) {
      if (inst == block->tail)
         o.tail = n;
      o.insts[n] = inst;
      o.scc[n] = scc;
      if (has_reg(inst->operands, inst->num_defs, HD_GCN_SCC, 1))
         scc = inst;
   }
   return o;
}

static void
free_order(struct order *o)
{
   free(o->insts);
   free(o->scc);
}

static uint32_t
find(const struct order *o, const hd_mach_inst *inst)
{
   uint32_t n = 0;

   while (n < o->num && o->insts[n] != inst)
      n++;
   return n;
}

static void
compare_orders(const struct order *a, const struct order *b, uint64_t seed)
{
   uint32_t *place = calloc(a->num + 1, sizeof(*place));

   assert_int_equal(a->num, b->num);
   for (uint32_t n = 0; n < a->num; n++) {
      place[n] = find(b, a->insts[n]);
      assert_true(place[n] < b->num);
      if (n >= a->tail)
         assert_int_equal(place[n], n);
      if (has_reg(hd_mach_src(a->insts[n], 0), a->insts[n]->num_srcs, HD_GCN_SCC, 1))
         assert_ptr_equal(a->scc[n], b->scc[place[n]]);
   }
   for (uint32_t j = 0; j < a->num; j++) {
      for (uint32_t i = 0; i < j; i++) {
         if (place[i] > place[j] && are_ordered(a->insts[i], a->insts[j]))
            fail_msg("seed %llu: %s stands behind %s", (unsigned long long)seed,
                     hd_gcn_op_name(&hd_gcn_op_infos[a->insts[i]->op], HD_GCN_GFX900),
                     hd_gcn_op_name(&hd_gcn_op_infos[a->insts[j]->op], HD_GCN_GFX900));
      }
   }
   free(place);
}

/* Registers and cycles ---------------------------------------------------------------------------
 */

struct figures {
   unsigned peak[HD_GCN_NUM_FILES];
   uint64_t cycles;
};

static void
add(const hd_mach_program *p, uint32_t temp, int sign, int live[HD_GCN_NUM_FILES])
{
   live[p->temps[temp].file] += sign * p->temps[temp].size;
}

/* Values are live from their definition to the last use in the block, or to its end. */
static void
measure_block(const hd_mach_program *p, const hd_mach_live *live, const hd_mach_block *block,
              uint64_t *ready, struct figures *figures)
{
   int now[HD_GCN_NUM_FILES] = { 0 };
   uint64_t time = 0;

   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      const hd_mach_live_in *in = &live->in[flow][block->index];
      for (uint32_t n = 0; n < in->num; n++)
         add(p, in->temps[n], 1, now);
   }
   for (const hd_mach_inst *inst = block->first; inst; inst = inst->next) {
      const unsigned latency = hd_gcn_op_infos[inst->op].mach.latency;
      const unsigned cycles = latency == HD_GCN_LATENCY_SMEM   ? 200
                              : latency == HD_GCN_LATENCY_LDS  ? 100
                              : latency == HD_GCN_LATENCY_VMEM ? 400
                              : latency == HD_GCN_LATENCY_FLAT ? 400
                                                               : 0;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         if (!hd_mach_is_temp(src) || inst->op == HD_MACH_P_PHI)
            continue;
         time = ready[src->value] > time ? ready[src->value] : time;
         if ((src->flags & HD_MACH_OPERAND_KILL) &&
             !has_temp(src + 1, inst->num_srcs - n - 1, src->value))
            add(p, src->value, -1, now);
      }
      time += 4;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         if (!hd_mach_is_temp(def))
            continue;
         ready[def->value] = time + cycles;
         if (!(def->flags & HD_MACH_OPERAND_KILL))
            add(p, def->value, 1, now);
      }
      for (unsigned f = 0; f < HD_GCN_NUM_FILES; f++) {
         if (now[f] > (int)figures->peak[f])
            figures->peak[f] = (unsigned)now[f];
      }
   }
   figures->cycles += time;
}

static struct figures
measure(hd_mach_program *p)
{
   struct figures figures = { .cycles = 0 };
   uint64_t *ready = calloc(p->num_temps + 1, sizeof(*ready));
   hd_mach_live live;

   hd_mach_liveness(p, &live);
   hd_mach_foreach_block(block, p)
   {
      memset(ready, 0, (p->num_temps + 1) * sizeof(*ready));
      measure_block(p, &live, block, ready, &figures);
   }
   free(ready);
   return figures;
}

static unsigned
waves_of(const hd_mach_program *p, const unsigned peak[HD_GCN_NUM_FILES])
{
   return hd_gcn_occupancy(hd_gcn_target_in(p),
                           peak[HD_GCN_SGPR] + 6 + hd_gcn_target_in(p)->extra_sgprs,
                           peak[HD_GCN_VGPR] + 2, 0, 0);
}

struct totals {
   uint64_t before, after;
   uint32_t moved;
};

static void
check_program(const random_machine *how, struct totals *totals)
{
   struct fixture f;

   begin(&f, how->gen);
   make_random_machine(&f.gcn.mach, how);
   struct order *orders = calloc(f.gcn.mach.num_blocks, sizeof(*orders));
   for (uint32_t n = 0; n < f.gcn.mach.num_blocks; n++)
      orders[n] = order_of(f.gcn.mach.blocks[n]);
   const struct figures before = measure(&f.gcn.mach);
   assert_true(hd_mach_schedule(&f.gcn.mach));
   for (uint32_t n = 0; n < f.gcn.mach.num_blocks; n++) {
      struct order now = order_of(f.gcn.mach.blocks[n]);
      compare_orders(&orders[n], &now, how->seed);
      for (uint32_t i = 0; i < now.num; i++)
         totals->moved += now.insts[i] != orders[n].insts[i];
      free_order(&now);
      free_order(&orders[n]);
   }
   free(orders);
   const struct figures after = measure(&f.gcn.mach);
   assert_true(waves_of(&f.gcn.mach, after.peak) >= waves_of(&f.gcn.mach, before.peak));
   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++)
      assert_true(after.peak[file] <= before.peak[file] ||
                  after.peak[file] <= hd_gcn_max_registers(&f.gcn.mach, (hd_gcn_file)file));
   totals->before += before.cycles;
   totals->after += after.cycles;
   end(&f);
}

static void
test_random(void **unused)
{
   const uint64_t seed = machine_seed();
   struct totals totals = { 0 };

   (void)unused;
   for (uint32_t n = 0; n < 300; n++) {
      const random_machine how = { .gen = (hd_gcn_gen)(n % HD_GCN_NUM_GENS),
                                   .seed = seed + n,
                                   .statements = 20 + n * 7 % 150,
                                   .depth = n % 4,
                                   .live = 2 + n % 5 * 3,
                                   .vector_size = 2u << n % 4 };
      check_program(&how, &totals);
   }
   printf("# %u instructions moved; %.1f %% of the cycles\n", totals.moved,
          100.0 * (double)totals.after / (double)totals.before);
   assert_true(totals.moved > 500);
   assert_true(totals.after < totals.before);
}

/* Large blocks ------------------------------------------------------------------------------------
 */

static hd_mach_inst *
append(struct fixture *f, hd_mach_block *block, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst =
       hd_gcn_inst_create(&f->gcn.mach, op, info->mach.num_defs, info->mach.num_srcs);

   hd_mach_inst_append(block, inst);
   return inst;
}

static hd_mach_operand
fresh(struct fixture *f, unsigned size)
{
   return hd_mach_operand_temp(&f->gcn.mach,
                               hd_mach_temp_create(&f->gcn.mach, HD_GCN_VGPR, size, 0));
}

static hd_mach_inst *
random_access(struct fixture *f, struct machine *random, hd_mach_block *block,
              const hd_mach_operand *bases, hd_mach_operand *data)
{
   static const hd_gcn_op ops[] = {
      HD_GCN_DS_READ_B32,         HD_GCN_DS_READ_B64,        HD_GCN_DS_WRITE_B32,
      HD_GCN_DS_WRITE_B64,        HD_GCN_DS_ADD_U32,         HD_GCN_BUFFER_LOAD_DWORD,
      HD_GCN_BUFFER_LOAD_DWORDX4, HD_GCN_BUFFER_STORE_DWORD, HD_GCN_BUFFER_STORE_DWORDX4,
      HD_GCN_S_ADD_U32,           HD_GCN_DS_READ2_B32,       HD_GCN_GLOBAL_LOAD_DWORD,
      HD_GCN_V_MOV_B32,
   };
   const hd_gcn_op op = ops[machine_random(random, sizeof(ops) / sizeof(ops[0]))];
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = append(f, block, op);

   if (op == HD_GCN_S_ADD_U32) {
      const uint32_t sum = hd_mach_temp_create(&f->gcn.mach, HD_GCN_SGPR, 1, 0);
      *hd_mach_def(inst, 0) = hd_mach_operand_temp(&f->gcn.mach, sum);
      *hd_mach_src(inst, 0) = *hd_mach_src(inst, 1) = hd_mach_operand_reg(HD_GCN_CONST_0, 1);
      return inst;
   }
   for (unsigned n = 0; n < inst->num_defs; n++)
      *hd_mach_def(inst, n) = fresh(f, info->mach.operands[n].size);
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand_info *o = &info->mach.operands[info->mach.num_defs + n];
      hd_mach_operand *src = hd_mach_src(inst, n);
      if (o->field == HD_GCN_FIELD_SRSRC)
         *src = hd_mach_operand_reg(0, 4);
      else if (o->field == HD_GCN_FIELD_SOFFSET)
         *src = hd_mach_operand_reg(HD_GCN_CONST_0, 1);
      else if (o->field == HD_GCN_FIELD_DATA0 || o->field == HD_GCN_FIELD_VDATA)
         *src = data[o->size];
      else if (o->field == HD_GCN_FIELD_ADDR || o->field == HD_GCN_FIELD_VADDR)
         *src = info->format == HD_GCN_GLOBAL ? data[2] : bases[machine_random(random, 2)];
      else if (o->field == HD_GCN_FIELD_SRC0)
         *src = data[1];
   }
   if (inst->num_defs && machine_random(random, 2))
      data[info->mach.operands[0].size] = *hd_mach_def(inst, 0);
   if (op == HD_GCN_V_MOV_B32)
      return inst;
   inst->imm = 4 * (int32_t)machine_random(random, 12);
   if (info->format == HD_GCN_MUBUF)
      inst->memory = HD_MACH_MEMORY_SCRATCH;
   if (machine_random(random, 30) == 0)
      inst->memory |=
          HD_MACH_MEMORY_VOLATILE | (info->format == HD_GCN_DS       ? HD_MACH_MEMORY_SHARED
                                     : info->format == HD_GCN_GLOBAL ? HD_MACH_MEMORY_GLOBAL
                                                                     : 0);
   return inst;
}

/* Accesses to two bases in two kinds of memory, with offsets that meet and others that do not. */
static void
test_memory(void **unused)
{
   struct machine random = { .state = machine_seed() };
   uint32_t moved = 0;
   struct fixture f;

   (void)unused;
   for (uint32_t n = 0; n < 300; n++) {
      hd_mach_operand bases[2], data[5];
      begin(&f, HD_GCN_GFX900);
      hd_mach_block *block = hd_mach_block_create(&f.gcn.mach);
      hd_mach_block_append(&f.gcn.mach, block);
      hd_mach_inst *start = hd_gcn_inst_create(&f.gcn.mach, HD_MACH_P_START, 6, 0);
      hd_mach_inst_append(block, start);
      for (unsigned i = 0; i < 6; i++) {
         *hd_mach_def(start, i) = fresh(&f, i < 2 ? 1 : i - 1);
         *(i < 2 ? &bases[i] : &data[i - 1]) = *hd_mach_def(start, i);
      }
      for (uint32_t left = 10 + machine_random(&random, n % 10 ? 50 : 300); left--;)
         random_access(&f, &random, block, bases, data);
      /* What is compared here is read by the tail. */
      hd_mach_inst *compare = append(&f, block, HD_GCN_S_CMP_EQ_U32);
      *hd_mach_src(compare, 0) = *hd_mach_src(compare, 1) = hd_mach_operand_reg(10, 1);
      for (uint32_t left = machine_random(&random, 5); left--;) {
         hd_mach_inst *inst = random_access(&f, &random, block, bases, data);
         if (inst->op == HD_GCN_S_ADD_U32)
            hd_mach_inst_remove(block, inst);
      }
      block->tail = append(&f, block, HD_GCN_S_CBRANCH_SCC1);
      struct order before = order_of(block);
      assert_true(hd_mach_schedule(&f.gcn.mach));
      struct order after = order_of(block);
      compare_orders(&before, &after, n);
      for (uint32_t i = 0; i < before.num; i++)
         moved += before.insts[i] != after.insts[i];
      free_order(&before);
      free_order(&after);
      end(&f);
   }
   printf("# %u accesses moved\n", moved);
   assert_true(moved > 3000);
}

/* `num` instructions: loads whose address was computed, or loaded, `reach` values back. */
static double
time_block(uint32_t num, uint32_t reach)
{
   struct fixture f;
   uint32_t *values = calloc(num + 2, sizeof(*values));
   struct machine random = { .state = num };

   begin(&f, HD_GCN_GFX900);
   hd_mach_block *block = hd_mach_block_create(&f.gcn.mach);
   hd_mach_block_append(&f.gcn.mach, block);
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t back = n < reach ? n : reach;
      hd_mach_operand a = hd_mach_operand_reg(HD_GCN_CONST_0 + 5, 1), b = a;
      if (n) {
         a = hd_mach_operand_temp(&f.gcn.mach, values[n - 1 - machine_random(&random, back)]);
         b = hd_mach_operand_temp(&f.gcn.mach, values[n - 1 - machine_random(&random, back)]);
      }
      hd_mach_inst *inst;
      switch (n ? machine_random(&random, 8) : 7) {
      case 0:
         inst = append(&f, block, HD_GCN_DS_READ_B32);
         break;
      case 1:
      case 2:
         inst = append(&f, block, HD_GCN_BUFFER_LOAD_DWORD);
         *hd_mach_src(inst, 1) = hd_mach_operand_reg(0, 4);
         *hd_mach_src(inst, 2) = hd_mach_operand_reg(HD_GCN_CONST_0, 1);
         break;
      default:
         inst = append(&f, block, HD_GCN_V_ADD_F32);
         *hd_mach_src(inst, 1) = b;
      }
      *hd_mach_src(inst, 0) = a;
      *hd_mach_def(inst, 0) = fresh(&f, 1);
      values[n] = hd_mach_def(inst, 0)->value;
   }
   const clock_t start = clock();
   assert_true(hd_mach_schedule(&f.gcn.mach));
   const double ns = (double)(clock() - start) / CLOCKS_PER_SEC * 1e9 / num;
   free(values);
   end(&f);
   return ns;
}

static void
test_growth(void **unused)
{
   static const uint32_t reaches[] = { 4, 40, 100000 };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      const double small = time_block(10000, reaches[n]), large = time_block(100000, reaches[n]);
      printf("# reach %u: %.0f ns an instruction at 10,000, %.0f at 100,000\n", reaches[n], small,
             large);
      assert_true(large < 4 * small + 1000);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_growth),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
