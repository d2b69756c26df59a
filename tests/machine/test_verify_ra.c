/* SPDX-License-Identifier: MIT */
/* test_verify_ra.c - verification of allocations on graphs that no tree has, and on large ones.
 *
 * Programs are written with registers, on the toy machine. How much the verification looks at is
 * counted by the step budget.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/private.h"
#include "toy.h"

/* A verification that does not end must not take all memory. */
#define MOST_MEMORY (UINT32_C(64) << 20)

struct fixture {
   hd_heap heap;
   hd_stack stack;
   hd_shader *shader;
   hd_mach_program p;
   char last[256];
};

static void
report(void *user, const hd_diag *diag)
{
   struct fixture *f = user;

   snprintf(f->last, sizeof(f->last), "%s", diag->message);
}

/* `steps` 0: as many as it takes. */
static void
begin(struct fixture *f, uint64_t steps)
{
   const hd_config config = { .budget = { .memory = MOST_MEMORY, .steps = steps } };

   memset(f, 0, sizeof(*f));
   hd_heap_init(&f->heap, &config);
   hd_stack_init(&f->stack, &f->heap);
   f->shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   f->p = (hd_mach_program){ .mach = &toy_mach,
                             .hooks = &toy_ways[0].hooks,
                             .diag = { .report = report, .user = f },
                             .shader = f->shader,
                             .stack = &f->stack };
}

static void
end(struct fixture *f)
{
   hd_shader_destroy(f->shader);
   hd_stack_finish(&f->stack);
}

static hd_mach_block *
add_block(struct fixture *f)
{
   hd_mach_block *block = hd_mach_block_create(&f->p);

   hd_mach_block_append(&f->p, block);
   return block;
}

static void
go(struct fixture *f, hd_mach_block *from, hd_mach_block *to)
{
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++)
      hd_mach_edge_add(&f->p, (hd_mach_edge_kind)flow, from, to);
}

/* `temp` in a register, defined (NO_REG: not), and read so many times. */
static hd_mach_inst *
add(struct fixture *f, hd_mach_block *block, unsigned op, uint32_t temp, unsigned to,
    unsigned num_srcs, unsigned from)
{
   hd_mach_inst *inst = hd_mach_inst_create(&f->p, op, to != HD_MACH_NO_REG, num_srcs);

   if (to != HD_MACH_NO_REG) {
      *hd_mach_def(inst, 0) = hd_mach_operand_temp(&f->p, temp);
      hd_mach_def(inst, 0)->reg = (uint16_t)to;
   }
   for (unsigned n = 0; n < num_srcs; n++) {
      *hd_mach_src(inst, n) = hd_mach_operand_temp(&f->p, temp);
      hd_mach_src(inst, n)->reg = (uint16_t)from;
   }
   hd_mach_inst_append(block, inst);
   return inst;
}

static void
define(struct fixture *f, hd_mach_block *block, uint32_t temp, unsigned reg)
{
   add(f, block, TOY_LANE, temp, reg, 0, 0);
}

static void
use(struct fixture *f, hd_mach_block *block, uint32_t temp, unsigned reg)
{
   add(f, block, TOY_TEST, temp, HD_MACH_NO_REG, 1, reg);
}

static hd_result
verify(struct fixture *f, bool *good)
{
   volatile bool right = false;
   hd_unwind u;

   hd_mach_program_number(&f->p);
   hd_heap_refill(&f->heap);
   if (HD_TRY(&f->heap, &u))
      right = hd_mach_verify_ra(&f->p);
   const hd_result result = hd_heap_leave(&f->heap, &u);
   *good = right;
   return result;
}

/* The register of each source in turn is another, and of each result that nothing else is in its
 * place for: each time something is said.
 */
static void
must_see_damage(struct fixture *f, unsigned most)
{
   unsigned seen = 0;

   hd_mach_foreach_block(block, &f->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         const unsigned first = inst->op == HD_MACH_P_COPY ? inst->num_defs : 0;
         for (unsigned n = first; n < (unsigned)inst->num_defs + inst->num_srcs && seen < most;
              n++) {
            bool good;
            inst->operands[n].reg += 7;
            assert_int_equal(verify(f, &good), HD_OK);
            if (good)
               fail_msg("block %u, op %u, operand %u: unseen", block->index, inst->op, n);
            inst->operands[n].reg -= 7;
            seen++;
         }
      }
   }
   assert_true(seen > 4);
}

/* All blocks of a cycle change the register of a value that is live through them: no query comes to
 * the head of a block.
 */
static void
cycle_of_phis_alone(void **unused)
{
   (void)unused;
   for (unsigned file = 0; file < TOY_NUM_FILES; file++) {
      const unsigned first = file == TOY_V ? TOY_FIRST_V : 0;
      for (unsigned num = 1; num <= 3; num++) {
         struct fixture f;
         bool good;
         begin(&f, 0);
         const uint32_t x = hd_mach_temp_create(&f.p, file, 1, 0);
         hd_mach_block *entry = add_block(&f), *blocks[3];
         define(&f, entry, x, first);
         for (unsigned n = 0; n < num; n++)
            blocks[n] = add_block(&f);
         go(&f, entry, blocks[0]);
         for (unsigned n = 0; n < num; n++)
            go(&f, blocks[n], blocks[(n + 1) % num]);
         for (unsigned n = 0; n < num; n++) {
            /* The first has a source from the entry, which came before that of the cycle. */
            hd_mach_inst *phi =
                add(&f, blocks[n], HD_MACH_P_PHI, x, first + 1 + n, 1 + !n, first + (n ? n : num));
            if (!n)
               hd_mach_src(phi, 0)->reg = (uint16_t)first;
            use(&f, blocks[n], x, first + 1 + n);
         }
         assert_int_equal(verify(&f, &good), HD_OK);
         if (!good)
            fail_msg("%s", f.last);
         must_see_damage(&f, UINT32_MAX);
         end(&f);
      }
   }
}

/* `size` reads of a value behind a phi of its own with `size` sources. */
static void
make_join(struct fixture *f, unsigned size)
{
   const uint32_t x = hd_mach_temp_create(&f->p, TOY_V, 1, 0);
   hd_mach_block *join = hd_mach_block_create(&f->p), *entry = add_block(f);

   define(f, entry, x, TOY_FIRST_V);
   for (unsigned n = 0; n < size; n++) {
      hd_mach_block *way = add_block(f);
      go(f, entry, way);
      go(f, way, join);
   }
   hd_mach_block_append(&f->p, join);
   add(f, join, HD_MACH_P_PHI, x, TOY_FIRST_V + 1, size, TOY_FIRST_V);
   for (unsigned n = 0; n < size; n++)
      use(f, join, x, TOY_FIRST_V + 1);
}

/* `size` copies to and fro, each with a read behind it. */
static void
make_copies(struct fixture *f, unsigned size)
{
   const uint32_t x = hd_mach_temp_create(&f->p, TOY_V, 1, 0);
   hd_mach_block *block = add_block(f);

   define(f, block, x, TOY_FIRST_V);
   for (unsigned n = 0; n < size; n++) {
      add(f, block, HD_MACH_P_COPY, x, TOY_FIRST_V + (n + 1) % 2, 1, TOY_FIRST_V + n % 2);
      use(f, block, x, TOY_FIRST_V + (n + 1) % 2);
   }
}

/* `size` cycles one after the other, of two blocks each, through which a value lives. */
static void
make_cycles(struct fixture *f, unsigned size)
{
   const uint32_t x = hd_mach_temp_create(&f->p, TOY_V, 1, 0);
   hd_mach_block *from = add_block(f);

   define(f, from, x, TOY_FIRST_V);
   for (unsigned n = 0; n < size; n++) {
      hd_mach_block *header = add_block(f), *latch = add_block(f), *behind = add_block(f);
      go(f, from, header);
      go(f, latch, header);
      go(f, header, latch);
      go(f, header, behind);
      use(f, latch, x, TOY_FIRST_V);
      use(f, behind, x, TOY_FIRST_V);
      from = behind;
   }
}

/* A few steps for each block, operand and edge. */
static void
work_is_linear(void **unused)
{
   static void (*const makes[])(struct fixture *, unsigned) = { make_join, make_copies,
                                                                make_cycles };

   (void)unused;
   for (unsigned n = 0; n < sizeof(makes) / sizeof(makes[0]); n++) {
      for (unsigned size = 100; size <= 10000; size *= 10) {
         struct fixture f;
         bool good;
         begin(&f, 8 * size);
         makes[n](&f, size);
         if (verify(&f, &good) != HD_OK)
            fail_msg("program %u of size %u: more than %u steps", n, size, 8 * size);
         if (!good)
            fail_msg("program %u of size %u: %s", n, size, f.last);
         if (size == 100)
            must_see_damage(&f, 50);
         end(&f);
      }
   }
}

/* The order of the code: entry, b, a; control: entry, a, b, a. What a defines is reloaded, repeated
 * and read in b, which stands before it.
 */
static void
blocks_before_dominators(void **unused)
{
   const unsigned v = TOY_FIRST_V;
   struct fixture f;
   bool good;

   (void)unused;
   begin(&f, 0);
   hd_mach_block *entry = add_block(&f), *b = add_block(&f), *a = add_block(&f);
   const uint32_t x = hd_mach_temp_create(&f.p, TOY_V, 1, 0);
   const uint32_t c = hd_mach_temp_create(&f.p, TOY_V, 1, 0);
   go(&f, entry, a);
   go(&f, a, b);
   go(&f, b, a);
   define(&f, a, x, v);
   add(&f, a, HD_MACH_P_SPILL, x, HD_MACH_NO_REG, 1, v);
   add(&f, a, TOY_CONST, c, v, 0, 0);
   use(&f, b, c, v);
   add(&f, b, TOY_CONST, c, v + 1, 0, 0);
   use(&f, b, c, v + 1);
   hd_mach_inst *reload = add(&f, b, HD_MACH_P_RELOAD, x, v + 2, 0, 0);
   use(&f, b, x, v + 2);
   assert_int_equal(verify(&f, &good), HD_OK);
   if (!good)
      fail_msg("%s", f.last);
   must_see_damage(&f, UINT32_MAX);
   reload->imm = 1;
   assert_int_equal(verify(&f, &good), HD_OK);
   assert_false(good);
   end(&f);
}

static void
budget_unwinds(void **unused)
{
   struct fixture f;
   bool good;

   (void)unused;
   begin(&f, 100);
   make_copies(&f, 100);
   assert_int_equal(verify(&f, &good), HD_BUDGET_EXCEEDED);
   end(&f);
}

static void
arity_is_checked(void **unused)
{
   struct fixture f;
   bool good;

   (void)unused;
   begin(&f, 0);
   make_join(&f, 3);
   hd_mach_edge_add(&f.p, HD_MACH_LOGICAL, f.p.first, f.p.last);
   assert_int_equal(verify(&f, &good), HD_OK);
   assert_false(good);
   assert_non_null(strstr(f.last, "a phi does not match the predecessors of its block"));
   end(&f);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(cycle_of_phis_alone),      cmocka_unit_test(work_is_linear),
      cmocka_unit_test(blocks_before_dominators), cmocka_unit_test(budget_unwinds),
      cmocka_unit_test(arity_is_checked),
   };

   return cmocka_run_group_tests_name("machine/verify_ra", tests, NULL, NULL);
}
