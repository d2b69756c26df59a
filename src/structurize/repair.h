/* SPDX-License-Identifier: MIT */
/* repair.h - SSA repair after control flow was rebuilt. */
#ifndef HEDDLE_STRUCTURIZE_REPAIR_H
#define HEDDLE_STRUCTURIZE_REPAIR_H

#include "heddle/analysis.h"

/* Bring a function, tree or graph, back to SSA form.
 *
 * Needs a function that is valid but for SSA1: definitions need not dominate their uses. The caller
 * promises: whenever a lane runs a use, it has run the definition before, and since then it has not
 * passed the header of a cycle (a loop) that contains the definition. So at such a header the value
 * counts as undefined, and nothing is carried around for it.
 *
 * Afterwards SSA1 holds:
 *
 * 1. Phis stand only where lanes that have the value meet others, or meet with different phis of
 *    it, on the way to a use; so none is trivial. A source by which the value cannot come is undef,
 *    and so is one from an unreachable predecessor.
 * 2. Constants and undefs get no phi: they move up to where they dominate all their uses.
 * 3. A use that the definition cannot reach becomes undef. One undef for each size is made, in the
 *    start block, if it is needed.
 * 4. Uses that are dominated already are left as they are; those in unreachable blocks are.
 *
 * `num_phis` may be NULL; else it receives the number of phis made. To be called inside an
 * unwinding point. Graph and all metadata of it stay valid; hd_require is called for dominance, and
 * where something is to be repaired for cycles.
 *
 * Time, apart from what hd_require takes: the number of sources and blocks, and for each use to be
 * repaired and each source of a phi made, the logarithm of the depth of the dominator tree.
 */
void hd_repair_ssa(hd_function *f, uint32_t *num_phis);

/* The same without the promise about headers: the definition must have run before, that is all. For
 * functions that declare headers: a block can dominate one that is declared and yet be in its
 * cycle. All joins between definition and use are looked at, and what is trivial is taken back.
 */
void hd_repair_ssa_around(hd_function *f, uint32_t *num_phis);

/* The undefs of the start block, where repair puts those that it needs: for counting them. */
static inline uint32_t
hd_num_start_undefs(const hd_function *f)
{
   uint32_t n = 0;

   hd_foreach_instr(i, hd_function_start(f))
      n += i->kind == HD_INSTR_UNDEF;
   return n;
}

#endif
