/* SPDX-License-Identifier: MIT */
/* ssa.h - into SSA form, back into it, and out of it: repair after code was moved, several definitions
 * of one value, liveness, parallel copies.
 *
 * A pass that moves code may leave a definition where it no longer dominates its uses (edit.h
 * promises nothing there; check-motion and hd_motion_legal say only whether lanes may be told from
 * each other). These make SSA of it again.
 *
 * Inside a pass a failure unwinds to the runner (pass.h). Elsewhere it is the result; where the call
 * was to change the function, that can only be destroyed then.
 */
#ifndef HEDDLE_SSA_H
#define HEDDLE_SSA_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* Repair
 *
 * Bring a function, tree or graph, back to SSA form. It must be valid but for SSA1: definitions need
 * not dominate their uses. The caller promises that a lane that runs a use and needs its value has run
 * the definition before.
 *
 * Phis are made where lanes that have the value meet others on the way to a use, and nowhere else;
 * constants move up to where they dominate their uses; a use that the definition cannot reach reads
 * undef. `num_phis` may be NULL. The graph and its metadata stay.
 *
 * Time, beside that of HD_META_DOMINANCE: the size of the function, and for each use to be repaired
 * and each source of a phi the joins on the way.
 */
HD_API hd_result hd_ssa_repair(hd_function *f, uint32_t *num_phis);

/* Several definitions of one value
 *
 * `defs` are definitions of the same value in different places, all of one size: after code was
 * copied into the arms of an if, say. Each use of any of them becomes a use of the definition that
 * reaches it last, and phis are made where several reach: at the iterated dominance frontier of the
 * definitions, if they are read. What no definition reaches reads undef. Uses in unreachable blocks
 * stay. The definitions stay where they are, and may be unused afterwards.
 *
 *    %1 = load ...         if %c {                      if %c {
 *    if %c {                  %2 = iadd %1, %k             %2 = iadd %1, %k
 *    }                =>   }                       =>   }
 *    use %1                use %1                       %3 = phi %2, %1
 *                          hd_ssa_merge(%1, %2)         use %3
 *
 * HD_INVALID: there are no definitions, one is of another function, or sizes differ; nothing is
 * changed. Otherwise as hd_ssa_repair.
 */
HD_API hd_result hd_ssa_merge(hd_function *f, hd_def *const *defs, uint32_t num_defs,
                              uint32_t *num_phis);

/* Liveness
 *
 * A value is live where it will be read, on the graph as a lane follows it: a source of a phi at the
 * end of the predecessor, the condition of an if at the end of the block before it. On a machine on
 * which lanes share a program counter registers live longer: through the arm of a divergent branch
 * that other lanes run.
 *
 * A snapshot: it is of use until the function changes. Memory: 8 bytes for each value and block where
 * it is live in or out.
 */
typedef struct hd_liveness hd_liveness;

/* Destroyed before the shader. */
HD_API hd_result hd_liveness_create(hd_function *f, hd_liveness **liveness);
HD_API void hd_liveness_destroy(hd_liveness *liveness);

/* The values that are live before the first instruction of a block, without its phis and parameters,
 * and those that are live at its end; ascending by hd_def.index. They belong to `liveness`.
 */
HD_API hd_def *const *hd_liveness_in(const hd_liveness *liveness, const hd_block *block,
                                     uint32_t *num);
HD_API hd_def *const *hd_liveness_out(const hd_liveness *liveness, const hd_block *block,
                                      uint32_t *num);
/* Logarithmic in the number of these. */
HD_API bool hd_liveness_is_in(const hd_liveness *liveness, const hd_block *block,
                              const hd_def *def);
HD_API bool hd_liveness_is_out(const hd_liveness *liveness, const hd_block *block,
                               const hd_def *def);
/* Register pressure: the most that is live at once in a block, by the sizes that `size` gives values
 * (NULL: 1 each). A result counts where it is made, also if it is unused.
 */
HD_API uint64_t hd_liveness_pressure(hd_liveness *liveness, const hd_block *block,
                                     uint32_t (*size)(void *user, const hd_def *def), void *user);

/* Parallel copies
 *
 * All copies read before any writes: what phis at the head of a block are on an edge.
 *
 *    b, c, a, d  <-  a, b, c, a           move d, a     (a is in d now)
 *                                 =>      move a, c
 *                                         move c, b
 *                                         move b, d
 *
 * Places are numbers: registers, spill slots. One that no copy writes keeps its value.
 */
typedef struct hd_copy {
   uint32_t to, from;
} hd_copy;

/* The place of the caller's that a cycle is broken with. */
#define HD_COPY_TEMPORARY UINT32_MAX

typedef struct hd_copy_step {
   bool swap; /* the two exchange what they have; else `to` gets what `from` has */
   uint32_t to, from;
} hd_copy_step;

/* Write the steps to `steps`, which has room for 2 * num; *num_steps is how many. There are as few as
 * can be:
 *
 * 1. With moves: one for each copy that is not from a place to itself, and one more for each cycle
 *    of which nothing is copied out. They go to HD_COPY_TEMPORARY and back, one cycle after the
 *    other.
 * 2. With `swaps`: one for each such copy, less one for each cycle. No temporary.
 *
 * Time is linear in `num` and in `num_places`, which all places are below. The order depends on
 * nothing but the copies and their order. HD_INVALID: a place is not below `num_places`, or two
 * copies write the same. `config` may be NULL.
 */
HD_API hd_result hd_sequence_copies(const hd_config *config, const hd_copy *copies, uint32_t num,
                                    uint32_t num_places, bool swaps, hd_copy_step *steps,
                                    uint32_t *num_steps);

HD_END_DECLS

#endif
