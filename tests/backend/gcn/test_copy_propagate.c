/* SPDX-License-Identifier: MIT */
/* test_copy_propagate.c - copy propagation of machine code: where it is legal, and where not.
 *
 * Programs at random are in test_registers.c.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "backend/gcn/asm/parse.h"
#include "backend/gcn/output.h"
#include "backend/gcn/program.h"

struct example {
   const char *what, *before, *after; /* NULL: as before */
};

static const struct example examples[] = {
   { "the parts of a pair that lives on stay in it",
     "b0:\n"
     "   p_start %1:s2@s[2:3], %2:v1@v0 =\n"
     "   p_split %3:s1@s8, %4:s1@s9 = %1:s2@s[2:3] imm:10\n"
     "   v_add_f32_e64 %5:v1@v1, %3:s1@s8!, %2:v1@v0\n"
     "   v_add_f32_e64 %6:v1@v2, %4:s1@s9!, %2:v1@v0!\n"
     "   s_load_dword %7:s1@s0, %1:s2@s[2:3]!, 0x0\n",
     "b0:\n"
     "   p_start %1:s2@s[2:3], %2:v1@v0 =\n"
     "   p_split %3:s1@s2, %4:s1@s3 = %1:s2@s[2:3] imm:10\n"
     "   v_add_f32_e64 %5:v1@v1, s2, %2:v1@v0\n"
     "   v_add_f32_e64 %6:v1@v2, s3, %2:v1@v0!\n"
     "   s_load_dword %7:s1@s0, %1:s2@s[2:3]!, 0x0\n" },
   { "the source of the copy has been written since",
     "b0:\n"
     "   p_start %1:v1@v0 =\n"
     "   p_copy %2:v1@v1 = %1:v1@v0!\n"
     "   v_mov_b32_e32 %3:v1@v0, 1.0\n"
     "   v_add_f32_e64 %4:v1@v2, %2:v1@v1!, %3:v1@v0!\n",
     NULL },
   { "the copy has been written since",
     "b0:\n"
     "   p_start %1:v1@v0 =\n"
     "   p_copy %2:v1@v1! = %1:v1@v0\n"
     "   v_add_f32_e64 %3:v1@v1, %1:v1@v0, 1.0\n"
     "   v_add_f32_e64 %4:v1@v2, %3:v1@v1!, %1:v1@v0!\n",
     "b0:\n"
     "   p_start %1:v1@v0 =\n"
     "   p_copy %2:v1@v0! = %1:v1@v0\n"
     "   v_add_f32_e64 %3:v1@v1, %1:v1@v0, 1.0\n"
     "   v_add_f32_e64 %4:v1@v2, %3:v1@v1!, %1:v1@v0!\n" },
   { "an exchange copies nothing that is still there",
     "b0:\n"
     "   p_start %1:v1@v0, %2:v1@v1 =\n"
     "   p_copy %3:v1@v1, %4:v1@v0 = %1:v1@v0!, %2:v1@v1!\n"
     "   v_sub_f32_e64 %5:v1@v2, %3:v1@v1!, %4:v1@v0!\n",
     NULL },
   { "the register by which copies change places is written",
     "b0:\n"
     "   p_start %1:s1@s4, %2:s2@s[0:1], %8:s1@s5 =\n"
     "   p_copy %3:s1@s6 = %1:s1@s4! imm:10\n"
     "   p_split %4:s1@s1, %5:s1@s0 = %2:s2@s[0:1]! imm:4\n"
     "   s_add_u32 %6:s1@s7, %3:s1@s6!, %4:s1@s1!\n",
     NULL },
   { "a tuple of parts that lie side by side, and aligned",
     "b0:\n"
     "   p_start %1:s2@s[2:3] =\n"
     "   p_copy %2:s2@s[4:5] = %1:s2@s[2:3] imm:10\n"
     "   s_load_dword %3:s1@s0, %2:s2@s[4:5]!, 0x0\n",
     "b0:\n"
     "   p_start %1:s2@s[2:3] =\n"
     "   p_copy %2:s2@s[2:3] = %1:s2@s[2:3] imm:10\n"
     "   s_load_dword %3:s1@s0, s[2:3], 0x0\n" },
   { "a tuple of parts that lie side by side, but not aligned",
     "b0:\n"
     "   p_start %1:s1@s3, %2:s1@s4 =\n"
     "   p_vector %3:s2@s[6:7] = %1:s1@s3!, %2:s1@s4! imm:10\n"
     "   s_load_dword %4:s1@s0, %3:s2@s[6:7]!, 0x0\n",
     NULL },
   { "a tuple of parts from here and there",
     "b0:\n"
     "   p_start %1:v1@v0, %2:v1@v2 =\n"
     "   p_vector %3:v2@v[4:5] = %1:v1@v0, %2:v1@v2 imm:10\n"
     "   global_load_dword %4:v1@v6, %3:v2@v[4:5]!, off\n",
     NULL },
   { "what is overwritten must be there",
     "b0:\n"
     "   p_start %1:v1@v0, %2:v1@v1 =\n"
     "   p_copy %1:v1@v2 = %1:v1@v0\n"
     "   v_mac_f32_e32 %3:v1@v2, %2:v1@v1!, %2:v1@v1! operand3:%1:v1@v2\n"
     "   v_add_f32_e64 %4:v1@v3, %3:v1@v2!, %1:v1@v0!\n",
     NULL },
   { "an operand that must be in one register",
     "b0:\n"
     "   p_start %1:s2@s[2:3], %2:v1@v0 =\n"
     "   p_copy %1:s2@vcc = %1:s2@s[2:3] imm:10\n"
     "   v_cndmask_b32_e32 %3:v1@v1, %2:v1@v0, %2:v1@v0!, %1:s2@vcc\n",
     NULL },
   { "scalars are not read where vectors were; the same move twice is one",
     "b0:\n"
     "   p_start %1:s1@s3, %2:v1@v0 =\n"
     "   v_mov_b32_e32 %3:v1@v1, %1:s1@s3\n"
     "   v_add_f32_e64 %4:v1@v2, %3:v1@v1!, %2:v1@v0\n"
     "   v_mov_b32_e32 %5:v1@v1, %1:s1@s3!\n"
     "   v_mul_f32_e64 %6:v1@v3, %5:v1@v1!, %2:v1@v0!\n",
     "b0:\n"
     "   p_start %1:s1@s3, %2:v1@v0 =\n"
     "   v_mov_b32_e32 %3:v1@v1, %1:s1@s3\n"
     "   v_add_f32_e64 %4:v1@v2, %3:v1@v1!, %2:v1@v0\n"
     "   v_mul_f32_e64 %6:v1@v3, %5:v1@v1!, %2:v1@v0!\n" },
   { "between the two, other lanes have come",
     "b0:\n"
     "   p_start %1:s1@s3, %2:s2@s[4:5] =\n"
     "   v_mov_b32_e32 %3:v1@v1, %1:s1@s3\n"
     "   v_add_f32_e64 %4:v1@v2, %3:v1@v1!, 1.0\n"
     "   s_mov_b64 exec, %2:s2@s[4:5]!\n"
     "   v_mov_b32_e32 %5:v1@v1, %1:s1@s3!\n"
     "   v_add_f32_e64 %6:v1@v3, %5:v1@v1!, %4:v1@v2!\n",
     NULL },
   { "a constant that is there",
     "b0:\n"
     "   p_start %1:v1@v0 =\n"
     "   v_mov_b32_e32 %2:v1@v1, 0\n"
     "   v_add_u32_e64 %3:v1@v2, %2:v1@v1!, %1:v1@v0\n"
     "   v_mov_b32_e32 %4:v1@v1, 0\n"
     "   v_add_u32_e64 %5:v1@v3, %4:v1@v1!, %1:v1@v0!\n",
     "b0:\n"
     "   p_start %1:v1@v0 =\n"
     "   v_mov_b32_e32 %2:v1@v1, 0\n"
     "   v_add_u32_e64 %3:v1@v2, %2:v1@v1!, %1:v1@v0\n"
     "   v_add_u32_e64 %5:v1@v3, %4:v1@v1!, %1:v1@v0!\n" },
   { "literals are not told apart",
     "b0:\n"
     "   s_mov_b32 %1:s1@s1, 0x12345\n"
     "   s_mov_b32 %2:s1@s2, %1:s1@s1!\n"
     "   s_mov_b32 %3:s1@s1, 0x54321\n"
     "   s_add_u32 %4:s1@s3, %2:s1@s2!, %3:s1@s1!\n",
     NULL },
   { "who reads it in another block finds it; one value read, one not",
     "b0:\n"
     "   .logical -> b1\n"
     "   .linear -> b1\n"
     "   p_start %1:s2@s[2:3], %2:v1@v0 =\n"
     "   p_split %3:s1@s8, %4:s1@s9 = %1:s2@s[2:3] imm:10\n"
     "   v_add_f32_e64 %5:v1@v1, %3:s1@s8, %2:v1@v0!\n"
     "b1:\n"
     "   .logical b0\n"
     "   .linear b0\n"
     "   s_add_u32 %6:s1@s0, %3:s1@s8!, %4:s1@s9!\n",
     "b0:\n"
     "   .logical -> b1\n"
     "   .linear -> b1\n"
     "   p_start %1:s2@s[2:3], %2:v1@v0 =\n"
     "   p_split %3:s1@s8, %4:s1@s9 = %1:s2@s[2:3] imm:10\n"
     "   v_add_f32_e64 %5:v1@v1, s2, %2:v1@v0!\n"
     "b1:\n"
     "   .logical b0\n"
     "   .linear b0\n"
     "   s_add_u32 %6:s1@s0, %3:s1@s8!, %4:s1@s9!\n" },
   { "phis are written before the tail",
     "b0:\n"
     "   .logical -> b1\n"
     "   .linear -> b1\n"
     "   p_start %1:v1@v0, %2:v1@v3 =\n"
     "   p_copy %3:v1@v1 = %1:v1@v0!\n"
     "   .tail\n"
     "   v_readfirstlane_b32 %4:s1@s0, %3:v1@v1!\n"
     "   s_cmp_eq_u32 %4:s1@s0!, 0\n"
     "b1:\n"
     "   .logical b0\n"
     "   .linear b0\n"
     "   p_phi %5:v1@v0! = %2:v1@v3\n",
     NULL },
   { "who gets a place that another one gets, too, keeps its own",
     "b0:\n"
     "   p_start %1:v2@v[0:1] =\n"
     "   p_split %2:v1@v3!, %3:v1@v0 = %1:v2@v[0:1]! imm:4\n"
     "   v_mov_b32_e32 %4:v1@v1, 1.0\n"
     "   v_add_f32_e64 %5:v1@v2, %3:v1@v0!, %4:v1@v1!\n",
     NULL },
};

static void
hear(void *user, const hd_diag *diag)
{
   (void)user;
   print_error("%u:%u: %s\n", diag->line, diag->column, diag->message);
}

/* Text does not tell what has a register from what must have it. */
static void
set_free(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            hd_mach_operand *operand = &inst->operands[n];
            if (hd_mach_is_temp(operand) && operand->reg != HD_GCN_VCC)
               operand->flags &= (uint8_t)~HD_MACH_OPERAND_FIXED;
         }
      }
   }
}

static void
test_examples(void **state)
{
   const char *head = ".target gfx900\n";
   unsigned wrong = 0;

   (void)state;
   for (size_t n = 0; n < sizeof(examples) / sizeof(examples[0]); n++) {
      const struct example *e = &examples[n];
      const hd_config config = { .diag = { .report = hear } };
      hd_heap heap;
      hd_stack stack;
      hd_gcn_program gcn = { .mach = { .stack = &stack } };
      hd_blob before = { 0 }, after = { 0 }, expected = { 0 };

      hd_heap_init(&heap, NULL);
      hd_stack_init(&stack, &heap);
      hd_blob_printf(&before, "%s%s", head, e->before);
      hd_blob_printf(&expected, "%s%s", head, e->after ? e->after : e->before);
      assert_true(hd_gcn_program_parse(&gcn.mach, &config, e->what, before.data, before.size));
      gcn.mach.hooks = hd_gcn_hooks_of(HD_GCN_GFX900);
      set_free(&gcn.mach);
      hd_mach_copy_propagate(&gcn.mach);
      hd_gcn_program_print(&gcn.mach, &after);
      if (strcmp(after.data, expected.data) != 0) {
         print_error("%s\n%s", e->what, after.data);
         wrong++;
      }
      hd_blob_finish(&before);
      hd_blob_finish(&after);
      hd_blob_finish(&expected);
      hd_stack_finish(&stack);
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_examples) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
