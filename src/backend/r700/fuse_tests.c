/* SPDX-License-Identifier: MIT */
/* fuse_tests.c - fuse a compare into the push that tests its result.
 *
 *    SETGT_INT %3 = %1, %2           SETGT_INT %3 = %1, %2        (if it is read elsewhere)
 *    p_push %3                =>     p_push %1, %2 form:3
 *
 * Requires:  stack control flow (machine/flow/stack.c), SSA.
 * Preserves: which lanes are active.
 * Leaves:    no unused compares of pushes, no conditions of blocks.
 * Tests:     tests/backend/r700/phases/fuse_tests.s
 */
#include "backend/r700/program.h"

/* By the form of p_push. */
static const struct {
   uint16_t compare, test;
} tests[] = {
   { HD_MACH_OP_NONE, HD_R700_PRED_SETNE_INT },     { HD_R700_SETE_INT, HD_R700_PRED_SETE_INT },
   { HD_R700_SETNE_INT, HD_R700_PRED_SETNE_INT },   { HD_R700_SETGT_INT, HD_R700_PRED_SETGT_INT },
   { HD_R700_SETGE_INT, HD_R700_PRED_SETGE_INT },   { HD_R700_SETGT_UINT, HD_R700_PRED_SETGT_UINT },
   { HD_R700_SETGE_UINT, HD_R700_PRED_SETGE_UINT }, { HD_R700_SETE_DX10, HD_R700_PRED_SETE },
   { HD_R700_SETNE_DX10, HD_R700_PRED_SETNE },      { HD_R700_SETGT_DX10, HD_R700_PRED_SETGT },
   { HD_R700_SETGE_DX10, HD_R700_PRED_SETGE },
};

#define NUM_TESTS (sizeof(tests) / sizeof(tests[0]))

unsigned
hd_r700_test_of(const hd_mach_inst *push)
{
   return push->form < NUM_TESTS ? tests[push->form].test : HD_MACH_OP_NONE;
}

/* Of floats that are not ordered neither is greater: these have no opposite. */
unsigned
hd_r700_opposite_test(unsigned test, bool *swap)
{
   static const struct {
      uint16_t one, other;
      bool swap;
   } pairs[] = {
      { HD_R700_PRED_SETE_INT, HD_R700_PRED_SETNE_INT, false },
      { HD_R700_PRED_SETE, HD_R700_PRED_SETNE, false },
      { HD_R700_PRED_SETGT_INT, HD_R700_PRED_SETGE_INT, true },
      { HD_R700_PRED_SETGT_UINT, HD_R700_PRED_SETGE_UINT, true },
   };

   for (size_t n = 0; n < sizeof(pairs) / sizeof(pairs[0]); n++) {
      *swap = pairs[n].swap;
      if (pairs[n].one == test)
         return pairs[n].other;
      if (pairs[n].other == test)
         return pairs[n].one;
   }
   return HD_MACH_OP_NONE;
}

static unsigned
form_of(unsigned test)
{
   unsigned form = 1;

   while (tests[form].test != test)
      form++;
   return form;
}

/* The compare of the block whose result is pushed; NULL: there is none. */
static const hd_mach_inst *
find_compare(const hd_mach_inst *push, unsigned *test)
{
   const hd_mach_operand *value = hd_mach_src(push, 0);
   const hd_mach_inst *inst = push->prev;

   while (inst && !(inst->num_defs && hd_mach_is_temp(hd_mach_def(inst, 0)) &&
                    hd_mach_def(inst, 0)->value == value->value))
      inst = inst->prev;
   for (size_t n = 1; inst && n < NUM_TESTS; n++) {
      *test = tests[n].test;
      if (tests[n].compare == inst->op)
         return inst;
   }
   return NULL;
}

/* Lanes that are pushed leave the loop, and nothing else: then a clause breaks with the others. */
static bool
leaves_alone(const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   for (uint32_t n = 0; n < edges->num_succs; n++) {
      const hd_mach_inst *first = edges->succs[n]->first;
      if (first && (first->op == HD_R700_P_BREAK || first->op == HD_R700_P_CONTINUE))
         return true;
   }
   return false;
}

static void
fuse(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *push)
{
   unsigned test;
   bool swap = false;
   const hd_mach_inst *compare =
       hd_mach_is_temp(hd_mach_src(push, 0)) ? find_compare(push, &test) : NULL;

   if (!compare)
      return;
   const unsigned opposite = hd_r700_opposite_test(test, &swap);
   if (opposite == HD_MACH_OP_NONE && (push->bits || leaves_alone(block)))
      return;
   swap = swap && push->bits;
   hd_mach_inst *fused = hd_mach_inst_create(p, HD_R700_P_PUSH, 0, 2);
   *hd_mach_src(fused, 0) = *hd_mach_src(compare, swap);
   *hd_mach_src(fused, 1) = *hd_mach_src(compare, !swap);
   fused->form = (uint8_t)form_of(push->bits ? opposite : test);
   fused->loc = push->loc;
   hd_mach_inst_insert_before(block, fused, push);
   if (block->tail == push)
      block->tail = fused;
   hd_mach_inst_remove(block, push);
}

bool
hd_r700_fuse_tests(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      block->condition = (hd_mach_condition){ 0 };
      hd_mach_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_R700_P_PUSH)
            fuse(p, block, inst);
      }
   }
   hd_mach_dead_code(p);
   return true;
}
