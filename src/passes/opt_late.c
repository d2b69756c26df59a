/* SPDX-License-Identifier: MIT */
/* opt_late.c - late algebraic rules: combine into instructions that the machine has.
 *
 *    %3 = fmul %1, %2;  %4 = fadd %3, %a   =>  %4 = ffma %1, %2, %a    (unless one is exact)
 *    %3 = ushr %1, %8;  %4 = iand %3, %ff  =>  %4 = ubfe %1, %8, %8
 *    %3 = umax %1, %0;  %4 = umin %3, %9   =>  %4 = umed3 %1, %0, %9
 *    %3 = ishl %1, %2;  %4 = iadd %3, %a   =>  %4 = ishl_add %1, %2, %a
 *
 * The rules are rows in src/codegen/rules/late.py; the options say what the machine has. Run it once,
 * as the last rewriting pass (NIR has nir_opt_algebraic_late): opt_algebraic does not look through
 * the combined ops, and would split some of them again.
 *
 * Requires:  valid IR, the order of the blocks.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unreachable code; unused instructions other than ALU.
 * Tests:     tests/passes/opt_late.hd, tests/passes/test_rules.c, tests/passes/test_run.c
 */
#include "passes/pass.h"
#include "passes/rewrite.h"

bool
hd_opt_late(hd_function *f, const opt_late_options *o)
{
   /* In the order of the numbers in late.py. */
   const uint32_t options[] = { o->three_16, o->three_int, o->fma, o->fast_div, o->three_int_16 };
   struct hd_rewrite r = { .f = f, .set = &hd_rules_late, .options = options, .only = HD_ANY_RULE };

   return hd_progress(f, hd_rewrite_function(&r), OPT_LATE_KEEPS);
}
