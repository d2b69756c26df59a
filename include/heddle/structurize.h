/* SPDX-License-Identifier: MIT */
/* structurize.h - control flow for machines: any CFG to a tree, to a reconverging CFG, or to a linear
 * block order; and a tree back to a CFG.
 *
 *    hd_structurize   flat function -> structured: ifs, loops, and tests where an edge needs one
 *    hd_reconverge    flat function -> flat, in which each divergent branch has a successor that
 *                     post-dominates it: for machines that keep one pc and a mask per branch
 *    hd_linearize     flat function -> an order of its blocks with joins; nothing is changed
 *    hd_unstructure   structured function -> flat, with the loops of the tree declared
 *    hd_lower_returns a function with several returns -> one
 *
 * All that change a function promise: W1, every lane runs the same blocks in the same order, and each
 * block of the input runs with the same sequence of sets of active lanes (doc/meaning.md); W2, what
 * divergence analysis proves uniform stays uniform. No instruction is duplicated; unreachable blocks
 * are dropped. Any CFG is accepted: several exits, multi-level breaks, irreducible and infinite
 * loops.
 *
 * They work on a copy of the body that replaces the old one at the end: after success every block
 * and value of the function is a new one (names and locations are kept), the hd_function itself
 * stays. After a failure nothing has changed.
 *
 * They require a valid function. A flat function is validated first, because it is input from a
 * front end: HD_INVALID if it breaks a rule, with a diagnostic. HD_OUT_OF_MEMORY and
 * HD_BUDGET_EXCEEDED as everywhere. Time is n log n in the size of input and output.
 */
#ifndef HEDDLE_STRUCTURIZE_H
#define HEDDLE_STRUCTURIZE_H

#include "heddle/analysis.h"
#include "heddle/linear.h"

HD_BEGIN_DECLS

/* Why something was added: one call for each test. Blocks are those of the input; the strings live
 * as long as the call.
 */
typedef struct hd_explanation {
   hd_function *function;
   const char *added;      /* "test", "flow block", "continue block", ...: what was added */
   const hd_block *at;     /* after the branch, or the cycle with this header; or NULL */
   const hd_block *target; /* the block that the test leads to; or NULL */
   const hd_block *from;   /* the edge from -> to that made it necessary; or NULL */
   const hd_block *to;
   const char *why; /* one sentence without a full stop */
} hd_explanation;

/* What a call added and kept, for those that measure. */
typedef struct hd_structurize_stats {
   uint32_t branches_before; /* two-way decisions; a switch with n successors counts n - 1 */
   uint32_t branches_after;
   uint32_t selector_phis; /* phis that choose a target */
   uint32_t edge_phis;     /* phis that carry values for the input's phis, those not counted */
   uint32_t value_phis;    /* phis that keep a value where its definition no longer dominates */
   uint32_t instructions;  /* other instructions added: compares, constants not counted */
   uint32_t constants;     /* constants and undefs added */
   uint32_t blocks;        /* blocks added that hold code or decide something */
} hd_structurize_stats;

typedef struct hd_structurize_options {
   void *user;
   void (*explain)(void *user, const hd_explanation *e); /* or NULL */
   hd_structurize_stats *stats;                          /* or NULL; written on success */
} hd_structurize_options;

/* Structurize a flat function. A structured function is left as it is.
 *
 * Code that was structured (see hd_unstructure) becomes the same tree again. If lanes wait for
 * several targets at one place, a selector (a phi as narrow as the number of targets allows) and a
 * test of it are added: nowhere else. A switch becomes compares in the order of its cases. `options`
 * may be NULL.
 */
HD_API hd_result hd_structurize(hd_function *f, const hd_structurize_options *options);

/* Lower a structured function to a flat CFG: the same blocks, with the same indices, ending in
 * gotos. The header, the blocks and the continue block of each loop that can repeat are declared; a
 * loop that cannot becomes straight-line code. A flat function is left as it is.
 *
 * Not kept is the order of blocks that no path connects: if lanes end early and others reach a
 * barrier, the tree says that they have ended by then, and the CFG does not. The pass
 * lower_unstructure leaves such functions alone.
 */
HD_API hd_result hd_unstructure(hd_function *f);

/* Reconverging functions (see hd_function_is_reconverging in analysis.h) */

typedef enum hd_reconverge_order {
   HD_RECONVERGE_DEFAULT, /* the one that adds least over the bench's graphs: doc/structurize.md */
   HD_RECONVERGE_DEPTH_FIRST,
   HD_RECONVERGE_BREADTH_FIRST,
   HD_RECONVERGE_REVERSE_POST_ORDER,
} hd_reconverge_order;

typedef struct hd_reconverge_options {
   hd_reconverge_order order;
   /* Leave a function alone that reconverges but does not keep the sweep. Only each lane's own
    * result is promised then.
    */
   bool keep_reconverging;
   /* Process the blocks in this order instead: all reachable blocks, each once, the start block
    * first, and each block before those that its edges lead to, but for edges back to the header of
    * a cycle. Any other order gives HD_INVALID, and a diagnostic names an edge that is against it;
    * so if all lanes end in one block, that is last. NULL: `order` says. Cycles and what a block
    * dominates stay contiguous: their first block has the place of all.
    */
   hd_block *const *blocks;
   uint32_t num_blocks;
   void *user;
   void (*explain)(void *user, const hd_explanation *e); /* or NULL */
   hd_structurize_stats *stats;                          /* or NULL; written on success */
   /* If not 0, the function is left as it was, and *too_many_masks is set, where a machine that
    * keeps a mask of waiting lanes for each block that they wait for would have more than so many
    * live ones in the mean over all blocks. Dense irreducible cycles do so: hd_structurize takes
    * fewer. too_many_masks may be NULL if the limit is 0; else it is written on success.
    */
   uint32_t max_masks;
   bool *too_many_masks;
} hd_reconverge_options;

/* Change a flat function so that each divergent branch has two successors of which one
 * post-dominates it, and so that it keeps the sweep. Flow blocks with selectors are added where
 * edges must wait; uniform branches are left alone. A function that has both properties is left as
 * it is. A structured function gives HD_INVALID. `options` may be NULL.
 *
 * Lanes that return and lanes that halt may have to end at one block. In a function that nothing
 * calls that is the same for them, and they return. In one that is called it is not: where it would
 * be needed the answer is HD_UNSUPPORTED, and a diagnostic was sent.
 */
HD_API hd_result hd_reconverge(hd_function *f, const hd_reconverge_options *options);

/* The order and the joins of a flat function, in memory of the shader's allocator: to be given back
 * with hd_linear_destroy before the shader is destroyed. Its blocks must not be changed in between.
 * The function stays as it is; a structured one gives HD_INVALID. `explain` may be NULL; it hears
 * of each block that can be empty ("join") and of each latch.
 */
HD_API hd_result hd_linearize(hd_function *f, hd_linear **linear, void *user,
                              void (*explain)(void *user, const hd_explanation *e));
HD_API void hd_linear_destroy(hd_shader *shader, hd_linear *linear);

/* Give a function one return. Where a flat one has several they become gotos to a new block, which
 * returns a phi of what they did. It runs once, with all lanes that return; lanes that halt do not
 * reach it. Blocks keep their indices, those that nothing reaches stay.
 *
 * Of a structured one that does not return by reaching the end of its body alone, the body becomes
 * that of a loop which runs once: its returns break, out of one loop after the other, and a return
 * follows it. Code that nothing reached may be reached by edges afterwards, but by no lane.
 *
 * What has one return, or none, is left as it is. A lane that waits for others to return with it
 * has not ended: where lanes of the entry return early and others reach a barrier, that is not
 * the same.
 */
HD_API hd_result hd_lower_returns(hd_function *f);

HD_END_DECLS

#endif
