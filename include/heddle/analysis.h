/* SPDX-License-Identifier: MIT */
/* analysis.h - analyses of a function: block orders, dominance, post-dominance, the loop nest (cycles),
 * divergence, legal code motion.
 *
 * Results are requested by name and kept with the function until its CFG changes:
 *
 *    if (hd_require(f, HD_META_DOMINANCE | HD_META_CYCLES) == HD_OK)
 *       ... hd_block_dominates(a, b), hd_block_cycle(b) ...
 *
 * A query may only be used while its metadata is valid; debug builds assert it. Every change of the
 * CFG by edit.h drops all metadata. One kind of change is not noticed, because it writes free fields:
 * a flat block's `header`, `inside` and `continues`. Call hd_meta_invalidate after writing those.
 *
 * Unreachable blocks. Only what the start block reaches takes part. An unreachable block has no
 * dominator and is dominated by every block; it comes last in every order; it is in no cycle.
 *
 * The end block. It has a dominator if it is reachable, and it post-dominates every reachable
 * block. It is in no order and in no cycle.
 *
 * All of it takes n log n time at most and keeps a fixed number of words for each block: there are
 * no sets of blocks per block. hd_cycle has the one exception.
 */
#ifndef HEDDLE_ANALYSIS_H
#define HEDDLE_ANALYSIS_H

#include "heddle/edit.h"

HD_BEGIN_DECLS

typedef enum hd_meta_bits {
   HD_META_NONE = 0,
   HD_META_BLOCK_ORDER = 1u << 0,    /* the depth-first orders of the blocks */
   HD_META_DOMINANCE = 1u << 1,      /* dominators, and frontiers on demand */
   HD_META_POST_DOMINANCE = 1u << 2, /* post-dominators */
   HD_META_CYCLES = 1u << 3,         /* the cycle nest and the sweep order */
   HD_META_INSTR_ORDER = 1u << 4,    /* positions of values in their blocks */
   HD_META_DIVERGENCE = 1u << 5,     /* which values and branches differ between lanes */
   /* What only a change of the graph, or of what a flat function declares, can spoil. */
   HD_META_GRAPH = (1u << 4) - 1,
   HD_META_ALL = (1u << 6) - 1,
} hd_meta_bits;

#define HD_NUM_META 6

/* "dominance", ...: the name of one bit. */
HD_API const char *hd_meta_name(uint32_t bit);

/* Compute the requested metadata that is not valid yet; HD_META_DIVERGENCE includes dominance and
 * cycles. Inside a pass a failure unwinds to the runner; elsewhere it is the result, and valid
 * metadata stays valid.
 */
HD_API hd_result hd_require(hd_function *f, uint32_t meta);

/* Drop everything but `kept`. */
HD_API void hd_meta_invalidate(hd_function *f, uint32_t kept);

/* How a pass ends: `return hd_progress(f, progress, kept)`. Where there was progress, everything
 * but `kept` is dropped; what a change of the graph dropped before stays dropped.
 */
HD_API bool hd_progress(hd_function *f, bool progress, uint32_t kept);

/* What hd_meta_verify found: `bit` says it is valid, but recomputing gives something else. `block`
 * is the first block where they differ, or NULL.
 */
typedef struct hd_meta_difference {
   uint32_t bit;
   const hd_block *block;
   const char *what; /* "its dominator", ...: a static string */
} hd_meta_difference;

/* Recompute what is marked valid among `which` and compare. *differences counts the bits that
 * differ; `report` hears one message for each and may be NULL. Nothing is changed.
 */
HD_API hd_result hd_meta_verify(hd_function *f, uint32_t which,
                                void (*report)(void *user, const hd_meta_difference *d), void *user,
                                uint32_t *differences);

/* Orders (HD_META_BLOCK_ORDER)
 *
 * The walk goes depth first from the start block, along the successors in their order. A block's
 * position in reverse postorder is greater than those of all its predecessors, but for edges that go
 * back in that walk. Unreachable blocks follow, in the order of the text.
 */
HD_API uint32_t hd_function_num_reachable(const hd_function *f);
/* All blocks but the end block; the reachable ones come first. */
HD_API hd_block *const *hd_function_rpo(const hd_function *f, uint32_t *num_blocks);
HD_API uint32_t hd_block_rpo_index(const hd_block *block);
HD_API bool hd_block_is_reachable(const hd_block *block);

/* Dominance (HD_META_DOMINANCE) */

/* The immediate dominator; NULL for the start block and for unreachable ones. */
HD_API hd_block *hd_block_idom(const hd_block *block);
/* Every block dominates itself, and every block dominates an unreachable one. Constant time. */
HD_API bool hd_block_dominates(const hd_block *a, const hd_block *b);
/* The dominator tree: a block's children, in the order of a depth-first walk of the graph. */
HD_API hd_block *hd_block_dom_first_child(const hd_block *block);
HD_API hd_block *hd_block_dom_next_sibling(const hd_block *block);
/* Steps from the start block down the dominator tree; 0 for the start block and unreachable ones.
 */
HD_API uint32_t hd_block_dom_depth(const hd_block *block);
/* The next block of the dominator tree, parents first, from the start block; NULL at the end. */
HD_API hd_block *hd_block_dom_next(const hd_block *block);

/* The lowest block that dominates both; of an unreachable block and another one, the other. */
HD_API hd_block *hd_block_common_dominator(hd_block *a, hd_block *b);

#define hd_foreach_dom_child(c, b)                                                                 \
   for (hd_block *c = hd_block_dom_first_child(b); c; c = hd_block_dom_next_sibling(c))

/* Does the definition dominate this use? The source of a phi is used at the end of its predecessor,
 * a condition at the end of the block before the if. Within one block the time is the distance of
 * the two, or constant if HD_META_INSTR_ORDER is valid too and the user has a result.
 */
HD_API bool hd_def_dominates_src(const hd_def *def, const hd_src *src);

/* Of two instructions of one block: is `a` before `b`? Time as above. */
HD_API bool hd_instr_is_before(const hd_instr *a, const hd_instr *b);

/* The block at whose end, or in which, a source is read. */
HD_API hd_block *hd_src_block(const hd_src *src);

/* The iterated dominance frontier of `blocks`: where definitions in these blocks meet. Writes each
 * block of it once to `out`, which has room for hd_function.num_blocks pointers, and returns how
 * many; the order depends on nothing but the graph and `blocks`. The end block can be among them.
 * Unreachable blocks are passed over. Cannot fail. The time is at most that of one walk over the
 * dominator tree below `blocks`; parts of it that no edge leaves far enough up are not entered.
 */
HD_API uint32_t hd_iterated_dominance_frontier(hd_function *f, hd_block *const *blocks,
                                               uint32_t num_blocks, hd_block **out);

/* Post-dominance (HD_META_POST_DOMINANCE)
 *
 * Where the end cannot be reached, the header of each such cycle counts as having an edge to the
 * end block. An unreachable block has no post-dominator but itself.
 */
/* The immediate post-dominator, which can be the end block; NULL for the end block and for
 * unreachable ones.
 */
HD_API hd_block *hd_block_post_idom(const hd_block *block);
/* Every block post-dominates itself. Constant time. */
HD_API bool hd_block_post_dominates(const hd_block *a, const hd_block *b);
/* The nearest block that post-dominates both; NULL where one is unreachable and they differ. */
HD_API hd_block *hd_block_common_post_dominator(hd_block *a, hd_block *b);

/* Cycles (HD_META_CYCLES)
 *
 * The loop nesting forest of any CFG, reducible or not. A cycle is a strongly connected component of
 * the blocks, with the blocks that are declared to be inside it, directly or through the block that
 * they name. Its header is the first block of the component in depth-first preorder, of those marked
 * as headers and not declared to be inside another block of the component; or, if there is none, of
 * all. The cycles inside it are those of the component without its header, and those whose header is
 * declared to be inside.
 *
 * In a structured function the cycles are the loops that can repeat, with all their blocks.
 *
 * Time is n log n where no block that is declared to be a header is also declared to be inside
 * another block of its cycle, and where both are declared as hd_declare_loops does it. Where they
 * are declared in another way, a part may cost its size once for each level of its nest.
 */
typedef struct hd_cycle hd_cycle;

struct hd_cycle {
   hd_block *header;
   hd_cycle *parent;         /* the cycle around it, or NULL */
   hd_block *continue_block; /* declared, or the head of the loop's continue list; or NULL */
   hd_block *const *blocks;  /* all its blocks in sweep order, those of inner cycles included */
   uint32_t num_blocks;
   uint32_t first;         /* position of the header in the sweep order */
   uint32_t depth;         /* 1 for a cycle with no other around it */
   uint32_t index;         /* below hd_function_num_cycles; a parent's is smaller */
   uint32_t num_inside;    /* cycles inside it, of any depth: those of the next indices */
   bool has_other_entries; /* an edge from outside goes to a block that is not the header */
};

/* The cycles in the order of their headers: each right before those inside it. */
HD_API uint32_t hd_function_num_cycles(const hd_function *f);
HD_API hd_cycle *hd_function_cycle(const hd_function *f, uint32_t index);

/* The innermost cycle around a block, or NULL. */
HD_API hd_cycle *hd_block_cycle(const hd_block *block);
/* The cycle whose header it is, or NULL. */
HD_API hd_cycle *hd_block_headed_cycle(const hd_block *block);
/* Constant time. */
HD_API bool hd_cycle_contains(const hd_cycle *cycle, const hd_block *block);
/* `inner` may be `outer`. Constant time. */
HD_API bool hd_cycle_contains_cycle(const hd_cycle *outer, const hd_cycle *inner);
/* The innermost cycle that contains both, or NULL. Linear in the difference of depth. */
HD_API hd_cycle *hd_cycle_common(hd_cycle *a, hd_cycle *b);

/* The sweep order: all blocks but the end block. Topological at each level when edges to headers
 * of cycles are left out, each cycle contiguous and headed by its header, unreachable blocks last.
 * In a structured function it is the order of the text.
 */
HD_API hd_block *const *hd_function_sweep(const hd_function *f, uint32_t *num_blocks);
HD_API uint32_t hd_block_sweep_index(const hd_block *block);

/* Declarations of flat functions */

typedef enum hd_declaration_fault {
   HD_DECLARED_CIRCLE,    /* `block` is inside itself, by the declarations of others */
   HD_DECLARED_CROSSING,  /* `block` is inside the cycle of `other`, but that cycle and another one
                             that contains `block` do not lie one inside the other */
   HD_DECLARED_REENTERED, /* with the blocks declared inside it, the cycle of `block` is left and
                             entered again through `other` */
   HD_CONTINUE_TWICE,     /* `block` continues `other`, and an earlier block does too */
   HD_CONTINUE_OUTSIDE,   /* `block` continues `other` but is not in its cycle, or is its header */
   HD_CONTINUE_BYPASSED,  /* `block` continues a header that `other` goes back to without it */
   HD_CONTINUE_ENTERED,   /* what `block` reaches in its cycle is entered from `other` as well */
} hd_declaration_fault;

/* Check what a flat function declares: `report` hears each fault. *faults counts them. A function
 * that declares nothing, and every structured one, has none.
 */
HD_API hd_result hd_check_declarations(hd_function *f,
                                       void (*report)(void *user, hd_declaration_fault fault,
                                                      hd_block *block, hd_block *other),
                                       void *user, uint32_t *faults);

/* Declare what now follows from the graph and the order of its edges: each header is marked, and
 * each block of a cycle is declared to be inside its innermost one (a header: inside the one
 * around). The nest stays the same; from then on it no longer depends on the order of successors,
 * and a block whose edge back is removed stays in its cycle. Declarations of reachable blocks that
 * mean nothing are removed; those of unreachable blocks and of continue blocks are left alone. To
 * be called on flat code before targets are swapped or edges are removed. Does nothing in a
 * structured function. Keeps all metadata.
 */
HD_API hd_result hd_declare_loops(hd_function *f);

/* Divergence (HD_META_DIVERGENCE)
 *
 * Lanes run a block together if they are active in one execution of it by a sweep (doc/meaning.md). A
 * value is uniform if, in every execution, all active lanes for which it is defined compute the same
 * value. A branch is divergent if lanes that run it together may take different successors.
 *
 *   1. Sources of divergence are what the tables of ops and intrinsics say, results of calls, reads
 *      of variables, and parameters: but not those of the first function of the shader, unless some
 *      function calls it. If the shader says that a workgroup or a subgroup has one lane, nothing
 *      is divergent.
 *   2. A phi is divergent if one of its sources is, or if lanes that diverged at a branch may reach
 *      it together by edges whose sources are different values (sync dependence). Undefined sources
 *      are ignored; equal constants and copies (phis of one value and undefined ones) are the same
 *      value.
 *   3. A value that is uniform at its definition can be divergent at a use: outside of a cycle that
 *      lanes leave in different iterations (temporal divergence). Never divergent are constants,
 *      undef, and values that are given to all invocations at the start.
 *   4. Operands that are promised to be uniform (HD_ASSUME_UNIFORM) count as uniform in that
 *      instruction.
 *
 * The analysis is conservative, and conditions are not compared: two branches on one condition count
 * as independent. Time is n log n on what front ends make; if many branches cross each other and that
 * bound is exceeded, the rest is approximated.
 * Unreachable code is uniform: it never runs.
 */
HD_API bool hd_def_is_uniform(const hd_def *def);
/* Is it also the same for all lanes that read it here together? A phi reads each source at the end
 * of the predecessor.
 */
HD_API bool hd_src_is_uniform(const hd_src *src);
/* The same of a value that would be read in this block. */
HD_API bool hd_def_is_uniform_at(const hd_def *def, const hd_block *block);
/* More than one successor, and lanes may diverge: a goto_if, a switch, or the if that follows. */
HD_API bool hd_block_is_divergent_branch(const hd_block *block);

typedef enum hd_divergence_why {
   HD_DIVERGENT_SOURCE,  /* the table, or 1 above, says so */
   HD_DIVERGENT_OPERAND, /* `src` reads what is divergent */
   HD_DIVERGENT_TEMPORAL, /* `src` reads outside what is defined in the cycle of `header`, which lanes
                         leave in different sweeps, because they diverge at `diverged_at` */
   HD_DIVERGENT_LATE, /* `src` reads what some lanes have from an earlier sweep: its block dominates
                         the header that was declared */
   HD_DIVERGENT_JOIN, /* a phi; lanes that diverge at `diverged_at` come by several edges together */
} hd_divergence_why;

/* Why a value is divergent, or, where `def` is NULL, the branch of `block`. What does not apply is
 * NULL.
 */
typedef struct hd_divergence_reason {
   const hd_def *def;
   const hd_block *block;
   hd_divergence_why why;
   const hd_src *src;
   const hd_block *header;
   const hd_block *diverged_at;
} hd_divergence_reason;

/* Hear of every divergent value and branch, in the order of the sweep: one reason each, the first
 * that was found. Computes the divergence again, and keeps nothing of it.
 */
HD_API hd_result hd_explain_divergence(hd_function *f, void *user,
                                       void (*hear)(void *user,
                                                    const hd_divergence_reason *reason));

/* Legal code motion: moving and merging
 *
 * May an instruction execute at another place, instead of where it is? The caller checks that the
 * operands dominate the place, and the place the uses. The answer is conservative.
 *
 *   1. What has no effect, touches no memory, reads no other lane and needs nothing uniform may go
 *      anywhere.
 *   2. An operand that must be uniform: it is proven uniform at the new place; or it differs there
 *      by no more than where it was, the cycles around the old place are around the new one, and
 *      the old place D-dominates or D-post-dominates the new one, D being the sources that make the
 *      operand differ: some choice of direction for the branches that do not depend on D leaves the
 *      new place reachable, and only through (or only on paths to) the old one. So the lanes at the
 *      new place are among those for which the promise was made.
 *   3. What reads other lanes keeps exactly its lanes: both places are in the same cycles, and of
 *      the two places one dominates the other, which post-dominates it; or it goes down below
 *      branches that are not divergent, to where all lanes of the old place come or none. No lane
 *      becomes a helper, or ends in a call, in between.
 *   4. What reads memory does not pass a write, an atomic, a barrier or a call that it could see,
 *      and goes where its address is known to be valid: where its lanes ran or will run it, or
 *      anywhere if its access says speculatable.
 *   5. What has an effect stays in its block, and passes nothing that touches memory.
 */
typedef enum hd_motion {
   HD_MOTION_LEGAL,
   HD_MOTION_KIND,    /* phis, parameters, jumps, calls and accesses to variables stay */
   HD_MOTION_EFFECT,  /* it has an effect, and `instr`, if not NULL, is in the way */
   HD_MOTION_MEMORY,  /* `instr` may write what it reads, or must stay in order with it */
   HD_MOTION_ADDRESS, /* lanes at the new place may have no valid address */
   HD_MOTION_CYCLES, /* other cycles are around the new place: that of `block` is not around both */
   HD_MOTION_GROWS,  /* `src` differs more there: lanes leave the cycle of `block` in different
                        sweeps */
   HD_MOTION_LANES,  /* other lanes are at the new place, by the branch of `block` */
   HD_MOTION_DIFFERENT, /* merging: they do not do the same */
   HD_MOTION_OPERAND,   /* merging: the operand must be uniform, and is not one value */
} hd_motion;

/* "other lanes are there", ...: a static string. */
HD_API const char *hd_motion_name(hd_motion why);

typedef struct hd_motion_reason {
   hd_motion why;
   const hd_src *src;     /* what does not apply is NULL */
   const hd_block *block; /* of HD_MOTION_LANES: one that is known, or NULL */
   const hd_instr *instr;
} hd_motion_reason;

/* `reason` is written on HD_OK: HD_MOTION_LEGAL means yes. Requires all metadata that it needs. */
HD_API hd_result hd_may_move(hd_instr *instr, hd_cursor to, hd_motion_reason *reason);

/* May two instructions that do the same be replaced by one at this place? `srcs` are its operands,
 * or NULL where both have the same. Besides what hd_may_move asks for each, an operand that must be
 * uniform has to be the same value as that of both, or proven uniform: what two places promise
 * apart says nothing of a value that chooses between theirs. Where one of the two stands at the
 * place and both have the same operands, the other one only gives way: it needs no valid address
 * and no promise there.
 */
HD_API hd_result hd_may_merge(hd_instr *a, hd_instr *b, hd_cursor to, hd_def *const *srcs,
                              hd_motion_reason *reason);

/* Reconverging functions (HD_META_DIVERGENCE and HD_META_POST_DOMINANCE)
 *
 * For machines that keep one pc and, for each divergent branch, a mask of the lanes that wait for
 * its primary successor. The primary successor of a branch is the one, other than the block itself,
 * that post-dominates it; there is at most one. A branch reconverges if it is not divergent or has
 * two successors of which one is primary. It keeps the sweep if besides, when it is divergent, no
 * edge on a path from its other successor to its primary one P (the edge out of the branch
 * included, stopping at P) goes back to the header of a cycle that contains P, but into P itself
 * where the branch is in that cycle.
 *
 * A function whose branches all keep the sweep runs on such a machine with the masks of its sweeps.
 */
HD_API hd_block *
hd_block_primary_succ(const hd_block *block); /* or NULL; uniform branches have one too */
HD_API bool hd_block_reconverges(const hd_block *block);
HD_API bool hd_block_keeps_sweep(const hd_block *block);
/* The same of all blocks. */
HD_API bool hd_function_is_reconverging(hd_function *f);
HD_API bool hd_function_keeps_sweep(hd_function *f);

HD_END_DECLS

#endif
