/* SPDX-License-Identifier: MIT */
/* test_registers.c - registers for random machine code, many registers and few.
 *
 * Each program is run for one lane before and after each phase, and must show the same; the checker
 * must find nothing. Then the assignment is damaged, and the checker must find that, wherever the
 * program can see it.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/gcn/program.h"
#include "backend/gcn/verify_slots.h"
#include "ir/private.h"
#include "machine/liveness.h"
#include "random_machine.h"
#include "run_machine.h"

struct fixture {
   hd_heap heap;
   hd_stack stack;
   hd_gcn_options options;
   hd_gcn_program gcn;
   hd_shader *shader; /* for diagnostics */
   unsigned reports;
   char last[512];
};

static void
report(void *user, const hd_diag *diag)
{
   struct fixture *f = user;

   f->reports++;
   snprintf(f->last, sizeof(f->last), "%s", diag->message);
}

static void
begin(struct fixture *f, const random_machine *how, unsigned max_sgprs, unsigned max_vgprs)
{
   memset(f, 0, sizeof(*f));
   hd_heap_init(&f->heap, NULL);
   hd_stack_init(&f->stack, &f->heap);
   f->options.target = how->gen;
   f->options.max_sgprs = max_sgprs;
   f->options.max_vgprs = max_vgprs;
   f->options.diag = (hd_diag_sink){ .report = report, .user = f };
   f->gcn = (hd_gcn_program){ .mach = { .mach = &hd_gcn_target_of(how->gen)->mach,
                                        .hooks = hd_gcn_hooks_of(how->gen),
                                        .diag = f->options.diag,
                                        .stack = &f->stack },
                              .options = &f->options };
   f->shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   f->gcn.mach.shader = f->shader;
   make_random_machine(&f->gcn.mach, how);
   hd_mach_program_number(&f->gcn.mach);
   /* Some have so much memory of their own that what is spilled is far away. */
   f->gcn.mach.scratch_size = how->seed % 5 == 0 ? 4000 + (uint32_t)(how->seed % 7) * 1000 : 0;
}

static void
end(struct fixture *f)
{
   hd_shader_destroy(f->shader);
   hd_stack_finish(&f->stack);
}

#define NUM_WAYS 6

struct ways {
   uint64_t shown[NUM_WAYS];
   unsigned num_shown, num_moves;
};

static void
run_ways(const hd_mach_program *p, bool is_ssa, struct ways *ways)
{
   memset(ways, 0, sizeof(*ways));
   for (unsigned way = 0; way < NUM_WAYS; way++) {
      machine_run run = { .seed = way + 1, .max_blocks = 300, .is_ssa = is_ssa };
      run_machine(p, &run);
      ways->shown[way] = run.shown;
      ways->num_shown += run.num_shown;
      ways->num_moves += run.num_moves;
   }
}

static void
compare_ways(const struct fixture *f, const random_machine *how, const char *phase,
             const struct ways *a, const struct ways *b)
{
   if (a->num_shown == b->num_shown && !memcmp(a->shown, b->shown, sizeof(a->shown)))
      return;
   print_error("after %s other values are stored: generation %u, seed %llu, %u and %u stores\n",
               phase, (unsigned)how->gen, (unsigned long long)how->seed, a->num_shown,
               b->num_shown);
   (void)f;
   fail();
}

struct totals {
   unsigned programs, shown, moves, spilled;
};

static void
run_one(const random_machine *how, unsigned max_sgprs, unsigned max_vgprs, unsigned live_limit,
        struct totals *totals)
{
   struct fixture f;
   struct ways before, after;

   begin(&f, how, max_sgprs, max_vgprs);
   f.gcn.mach.live_limit = live_limit;
   run_ways(&f.gcn.mach, true, &before);
   if (!hd_mach_spill(&f.gcn.mach)) {
      print_error("generation %u, seed %llu: %s\n", (unsigned)how->gen,
                  (unsigned long long)how->seed, f.last);
      fail();
   }
   run_ways(&f.gcn.mach, true, &after);
   compare_ways(&f, how, "spill", &before, &after);
   if (!hd_mach_regalloc(&f.gcn.mach) || !hd_mach_verify_ra(&f.gcn.mach)) {
      print_error("generation %u, seed %llu: %s\n", (unsigned)how->gen,
                  (unsigned long long)how->seed, f.last);
      fail();
   }
   run_ways(&f.gcn.mach, false, &after);
   compare_ways(&f, how, "regalloc", &before, &after);
   hd_mach_copy_propagate(&f.gcn.mach);
   run_ways(&f.gcn.mach, false, &after);
   compare_ways(&f, how, "copy_propagate", &before, &after);
   const hd_gcn_slots *slots = hd_gcn_slots_note(&f.gcn.mach);
   if (!hd_gcn_lower_pseudo(&f.gcn.mach) || !hd_gcn_slots_check(&f.gcn.mach, slots)) {
      print_error("generation %u, seed %llu: %s\n", (unsigned)how->gen,
                  (unsigned long long)how->seed, f.last);
      fail();
   }
   run_ways(&f.gcn.mach, false, &after);
   compare_ways(&f, how, "lower_pseudo", &before, &after);
   totals->moves += after.num_moves;
   totals->programs++;
   totals->spilled += f.gcn.mach.spilled[0] + f.gcn.mach.spilled[1];
   totals->shown += before.num_shown;
   end(&f);
}

static uint64_t
first_seed(void)
{
   const char *seed = getenv("HD_SEED");

   return seed ? strtoull(seed, NULL, 0) : 1;
}

/* Programs in which so many values are live, in so many registers. */
static void
run_many(unsigned live, unsigned largest, unsigned max_sgprs, unsigned max_vgprs,
         unsigned live_limit, struct totals *totals)
{
   const unsigned num = getenv("HD_COUNT") ? (unsigned)atoi(getenv("HD_COUNT")) : 150;

   for (uint64_t seed = first_seed(); seed < first_seed() + num; seed++) {
      unsigned size = 2u << (unsigned)(seed / 3 % 4);
      const random_machine how = { .gen = (hd_gcn_gen)(seed % HD_GCN_NUM_GENS),
                                   .seed = seed,
                                   .statements = 20 + (unsigned)(seed * 7 % 150),
                                   .depth = (unsigned)(seed % 5),
                                   .live = 4 + (unsigned)(seed / 2 % 3) * live,
                                   .vector_size = size < largest ? size : largest };
      run_one(&how, max_sgprs, max_vgprs, live_limit, totals);
   }
   print_message("%u programs, %u stores compared, %u moves, %u values spilled\n", totals->programs,
                 totals->shown, totals->moves, totals->spilled);
   assert_true(totals->shown > 10 * totals->programs);
}

static void
test_plenty(void **state)
{
   struct totals totals = { 0 };

   (void)state;
   run_many(4, 16, 0, 0, 0, &totals);
}

static void
test_starved(void **state)
{
   struct totals totals = { 0 };

   (void)state;
   run_many(10, 4, 40, 16, 0, &totals);
   assert_true(totals.spilled > totals.programs);
}

/* As few as the largest instructions of the table need. */
static void
test_famished(void **state)
{
   struct totals totals = { 0 };

   (void)state;
   run_many(20, 4, 24, 8, 0, &totals);
   assert_true(totals.spilled > 5 * totals.programs);
}

/* Liveness that knows no more than fills the registers. */
static void
test_near(void **state)
{
   struct totals totals = { 0 };

   (void)state;
   run_many(10, 4, 40, 16, 44, &totals);
   run_many(60, 4, 24, 8, 26, &totals);
   assert_true(totals.spilled > 2 * totals.programs);
}

/* Damage, and whether the checker sees it. What the program shows must not change unseen; most
 * damage that changes nothing is seen as well, as values are followed, not what becomes of them.
 */

static unsigned
count_operands(const hd_mach_program *p)
{
   unsigned num = 0;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++)
            num += hd_mach_is_temp(&inst->operands[n]);
      }
   }
   return num;
}

static hd_mach_operand *
nth_operand(const hd_mach_program *p, unsigned number, hd_mach_inst **of)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            *of = inst;
            if (hd_mach_is_temp(&inst->operands[n]) && !number--)
               return &inst->operands[n];
         }
      }
   }
   return NULL;
}

struct damage {
   unsigned tried, changed, seen;
};

/* One operand gets a register that is not its own. */
static void
damage_operand(struct fixture *f, const struct ways *before, unsigned number, unsigned by,
               struct damage *d)
{
   hd_mach_inst *inst = NULL;
   hd_mach_operand *operand = nth_operand(&f->gcn.mach, number, &inst);
   const uint16_t reg = operand->reg;
   struct ways after;

   if (operand->flags & HD_MACH_OPERAND_FIXED || reg >= HD_MACH_MAX_REGS || reg == HD_GCN_SCC)
      return;
   const uint16_t first = reg >= HD_GCN_VGPR0 ? HD_GCN_VGPR0 : 0;
   operand->reg =
       (uint16_t)(first + (reg - first + by * f->gcn.mach.temps[operand->value].align) % 96);
   const bool seen = !hd_mach_verify_ra(&f->gcn.mach);
   run_ways(&f->gcn.mach, false, &after);
   const bool changed = after.num_shown != before->num_shown ||
                        memcmp(after.shown, before->shown, sizeof(after.shown)) != 0;
   if (changed && !seen) {
      print_error("unseen: %s, operand in %u instead of %u\n",
                  hd_gcn_op_name(hd_gcn_op_info_of(inst), hd_gcn_target_in(&f->gcn.mach)->gen),
                  operand->reg, reg);
      fail();
   }
   operand->reg = reg;
   d->tried++;
   d->changed += changed;
   d->seen += seen;
}

/* A value is stored, or reloaded, where it does not belong. */
static void
damage_slot(struct fixture *f, const struct ways *before, unsigned number, struct damage *d)
{
   hd_mach_foreach_block(block, &f->gcn.mach)
   {
      hd_mach_foreach_inst(inst, block)
      {
         struct ways after;
         if (!hd_mach_slot_value(inst) || number-- % 3)
            continue;
         inst->imm ^= 1;
         const bool seen = !hd_mach_verify_ra(&f->gcn.mach);
         run_ways(&f->gcn.mach, false, &after);
         const bool changed = memcmp(after.shown, before->shown, sizeof(after.shown)) != 0;
         assert_true(seen || !changed);
         inst->imm ^= 1;
         d->tried++;
         d->changed += changed;
         d->seen += seen;
      }
   }
}

static void
test_damage(void **state)
{
   struct damage d = { 0 }, slots = { 0 };

   (void)state;
   for (uint64_t seed = first_seed(); seed < first_seed() + 40; seed++) {
      const random_machine how = { .gen = (hd_gcn_gen)(seed % HD_GCN_NUM_GENS),
                                   .seed = seed,
                                   .statements = 40,
                                   .depth = 2,
                                   .live = 10,
                                   .vector_size = 4 };
      struct fixture f;
      struct ways before;

      begin(&f, &how, seed % 2 ? 28 : 0, seed % 2 ? 10 : 0);
      assert_true(hd_mach_spill(&f.gcn.mach) && hd_mach_regalloc(&f.gcn.mach) &&
                  hd_mach_verify_ra(&f.gcn.mach));
      run_ways(&f.gcn.mach, false, &before);
      const unsigned num = count_operands(&f.gcn.mach);
      for (unsigned n = 0; n < 25; n++)
         damage_operand(&f, &before, (unsigned)((n * 7919 + seed * 104729) % num), 1 + n % 5, &d);
      damage_slot(&f, &before, (unsigned)seed, &slots);
      end(&f);
   }
   print_message("%u damaged, %u with consequences, %u seen\n", d.tried, d.changed, d.seen);
   assert_true(d.changed > d.tried / 4);
   assert_true(d.seen >= d.changed);
   print_message("%u places damaged, %u with consequences, %u seen\n", slots.tried, slots.changed,
                 slots.seen);
   assert_true(slots.changed > 0 && slots.seen > slots.tried / 2);
}

/* One access of scratch memory goes elsewhere: 4 bytes on, or to soffset as if it counted bytes of a
 * lane.
 */
static bool
is_seen(struct fixture *f, const hd_gcn_slots *slots, hd_mach_inst *inst)
{
   uint64_t bytes;
   bool seen;

   if (inst->memory & HD_MACH_MEMORY_SCRATCH) {
      inst->imm ^= 4;
      seen = !hd_gcn_slots_check(&f->gcn.mach, slots);
      inst->imm ^= 4;
      return seen;
   }
   const hd_mach_operand far = *hd_mach_src(inst, 1);
   hd_gcn_operand_value(far, HD_GCN_B32, &bytes);
   *hd_mach_src(inst, 1) =
       hd_gcn_operand_const(hd_gcn_target_in(&f->gcn.mach)->gen, HD_GCN_B32, (uint32_t)bytes / 64);
   seen = !hd_gcn_slots_check(&f->gcn.mach, slots);
   *hd_mach_src(inst, 1) = far;
   return seen;
}

static void
test_damaged_slots(void **state)
{
   unsigned num = 0, num_far = 0;

   (void)state;
   for (uint64_t seed = first_seed(); seed < first_seed() + 12; seed++) {
      const random_machine how = { .gen = (hd_gcn_gen)(seed % HD_GCN_NUM_GENS),
                                   .seed = seed,
                                   .statements = 60,
                                   .depth = 2,
                                   .live = 16,
                                   .vector_size = 4 };
      struct fixture f;

      begin(&f, &how, 28, 10);
      f.gcn.mach.scratch_size = 4040;
      assert_true(hd_mach_spill(&f.gcn.mach) && hd_mach_regalloc(&f.gcn.mach));
      const hd_gcn_slots *slots = hd_gcn_slots_note(&f.gcn.mach);
      assert_true(hd_gcn_lower_pseudo(&f.gcn.mach) && hd_gcn_slots_check(&f.gcn.mach, slots));
      hd_mach_foreach_block(block, &f.gcn.mach)
      {
         hd_mach_foreach_inst(inst, block)
         {
            const bool far = inst->op == HD_GCN_S_ADD_U32 && inst->next &&
                             inst->next->memory & HD_MACH_MEMORY_SCRATCH;
            if (!far && !(inst->memory & HD_MACH_MEMORY_SCRATCH))
               continue;
            assert_true(is_seen(&f, slots, inst));
            num++;
            num_far += far;
         }
      }
      end(&f);
   }
   print_message("%u accesses damaged, %u sums\n", num - num_far, num_far);
   assert_true(num > 100 && num_far > 20);
}

/* Seconds for all phases of a program of this size. */
static double
measure(unsigned statements, unsigned max_sgprs, unsigned max_vgprs, unsigned *num_insts,
        unsigned *num_blocks)
{
   const random_machine how = { .gen = HD_GCN_GFX900,
                                .seed = 4,
                                .statements = statements,
                                .depth = 4,
                                .live = 20,
                                .vector_size = 4 };
   struct fixture f;

   begin(&f, &how, max_sgprs, max_vgprs);
   *num_insts = 0;
   *num_blocks = f.gcn.mach.num_blocks;
   hd_mach_foreach_block(block, &f.gcn.mach)
   {
      hd_mach_foreach_inst(inst, block)++ *num_insts;
   }
   const clock_t start = clock();
   assert_true(hd_mach_spill(&f.gcn.mach) && hd_mach_regalloc(&f.gcn.mach) &&
               hd_gcn_lower_pseudo(&f.gcn.mach));
   const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
   end(&f);
   return seconds;
}

/* The least of several turns counts, as others may be using the machine: so many at most. */
#define MOST_TURNS 24

/* Four times the code, no more than 6.4 times the time: as if eight times took sixteen. */
static void
test_growth(void **state)
{
   const unsigned sgprs[] = { 0, 40 }, vgprs[] = { 0, 16 };

   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      const unsigned statements[2] = { 6000, 24000 };
      unsigned insts[2], blocks[2];
      double least[2] = { 1e9, 1e9 };
      bool holds = false;

      for (unsigned turn = 0; turn < MOST_TURNS && !holds; turn++) {
         for (unsigned k = 0; k < 2; k++) {
            const double seconds =
                measure(statements[k], sgprs[n], vgprs[n], &insts[k], &blocks[k]);
            least[k] = seconds < least[k] ? seconds : least[k];
         }
         holds = turn >= 2 && least[1] < 1.6 * least[0] * insts[1] / insts[0] + 0.05;
      }
      print_message("%u instructions in %u blocks: %.3f s; %u in %u: %.3f s\n", insts[0], blocks[0],
                    least[0], insts[1], blocks[1], least[1]);
      assert_true(insts[1] > 3 * insts[0]);
      assert_true(holds);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plenty),   cmocka_unit_test(test_starved),
      cmocka_unit_test(test_famished), cmocka_unit_test(test_near),
      cmocka_unit_test(test_damage),   cmocka_unit_test(test_damaged_slots),
      cmocka_unit_test(test_growth),
   };

   return cmocka_run_group_tests_name("backend/gcn/registers", tests, NULL, NULL);
}
