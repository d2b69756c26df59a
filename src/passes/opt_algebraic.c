/* SPDX-License-Identifier: MIT */
/* opt_algebraic.c - constant folding, algebraic simplification and strength reduction.
 *
 *    %2 = iadd %1, %zero                    =>  %1
 *    %2 = imul %1, %eight                   =>  %2 = ishl %1, %three
 *    %2 = iadd %1, %a;  %3 = iadd %2, %b    =>  %3 = iadd %1, %a_plus_b
 *    %2 = ult %1, %0;   %3 = inot %2        =>  %3 = ule %0, %1
 *
 * The rules are rows in src/codegen/rules; doc/rules.md lists them. They hold bit for bit for all
 * operands, in the rounding and denormal modes of the shader, unless flags of the instructions
 * allow otherwise. Code never grows: if a rule makes more instructions than the one that it
 * replaces, others must become unused.
 *
 * Rules are matched bottom-up by a tree automaton (Hoffmann and O'Donnell, 1982), generated from
 * the rows as NIR's nir_algebraic is (rewrite.h).
 *
 * Requires:  valid IR, the order of the blocks.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unreachable code; unused instructions other than ALU to opt_dce; equal constants to
 *            opt_cse.
 * Tests:     tests/passes/opt_algebraic.hd, tests/passes/test_rules.c, tests/passes/test_run.c
 */
#include "passes/pass.h"
#include "passes/rewrite.h"

bool
hd_opt_algebraic(hd_function *f)
{
   struct hd_rewrite r = { .f = f, .set = &hd_rules_algebraic, .only = HD_ANY_RULE };

   return hd_progress(f, hd_rewrite_function(&r), OPT_ALGEBRAIC_KEEPS);
}
