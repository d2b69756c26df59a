/* SPDX-License-Identifier: MIT */
/* edit.h - changing a function: cursors, instructions, sources, control flow.
 *
 * Every call keeps tree, CFG, use lists and phi sources consistent. Every call is atomic: if memory
 * runs out it returns NULL or false, has changed nothing, and hd_shader_status() has the reason.
 * (Inside a pass the failure unwinds to the runner and the call does not return.) Wrong use, such as
 * a cursor into another function, is an assertion failure in debug builds.
 *
 * What is not promised:
 *
 * 1. SSA dominance. After moving, extracting or deleting code, the caller must ensure that each
 *    definition still dominates its uses.
 * 2. Meaning. A phi that gets a predecessor more gets `undef` for it; a use of a value that is
 *    deleted becomes `undef`.
 * 3. Blocks. A call that splits or merges blocks keeps the identity of the block before the cursor,
 *    of every if and loop, and of all instructions; other blocks may be replaced.
 * 4. Metadata. Every change of the graph drops all metadata of the function.
 */
#ifndef HEDDLE_EDIT_H
#define HEDDLE_EDIT_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* Cursors
 *
 * A cursor is an insertion point between instructions. Phis and parameters are attached to the head
 * of their block: whatever is inserted at the beginning of a block, or extracted from there, begins
 * after them. A jump is attached to the end of its block: the place after it is the place before it.
 */
typedef enum hd_cursor_option {
   HD_CURSOR_BEFORE_BLOCK,
   HD_CURSOR_AFTER_BLOCK,
   HD_CURSOR_BEFORE_INSTR,
   HD_CURSOR_AFTER_INSTR,
} hd_cursor_option;

typedef struct hd_cursor {
   hd_cursor_option option;
   union {
      hd_block *block;
      hd_instr *instr;
   };
} hd_cursor;

HD_API hd_cursor hd_before_block(hd_block *block);
HD_API hd_cursor hd_after_block(hd_block *block);
HD_API hd_cursor hd_before_instr(hd_instr *instr);
HD_API hd_cursor hd_after_instr(hd_instr *instr);
/* After the last phi and parameter. */
HD_API hd_cursor hd_after_phis(hd_block *block);
/* Before the jump that ends the block, or at its end. */
HD_API hd_cursor hd_before_jump(hd_block *block);
/* The end of the block before an if, loop or block; the beginning of the one after. For a block:
 * before and after the block itself.
 */
HD_API hd_cursor hd_before_node(hd_cf_node *node);
HD_API hd_cursor hd_after_node(hd_cf_node *node);
HD_API hd_cursor hd_list_start(hd_cf_list *list);
HD_API hd_cursor hd_list_end(hd_cf_list *list);
/* The last place where a value must be known to be read by this source: before the instruction;
 * for a phi, the end of the predecessor; for a condition, the end of the block before the if.
 */
HD_API hd_cursor hd_before_use(hd_src *src);

HD_API hd_block *hd_cursor_block(hd_cursor cursor);

/* The same place? Follows the rules above; only defined for attached code. */
HD_API bool hd_cursor_equal(hd_cursor a, hd_cursor b);

/* Instructions
 *
 * A created instruction belongs to nothing until it is inserted; its sources have a def each
 * (written with hd_instr_set_src) but are not yet in use lists. Inserting puts them there and gives the
 * result its index. An instruction that is not to be inserted after all is freed with
 * hd_instr_free.
 */
HD_API hd_alu *hd_alu_create(hd_shader *shader, unsigned op, unsigned num_srcs,
                             unsigned num_components, unsigned bit_size);
/* `value` may be NULL: all zero. Unused upper bytes are cleared. */
HD_API hd_const *hd_const_create(hd_shader *shader, unsigned num_components, unsigned bit_size,
                                 const hd_const_value *value);
HD_API hd_instr *hd_undef_create(hd_shader *shader, unsigned num_components, unsigned bit_size);
/* `num_components` 0 for an intrinsic without result. Indices are all 0. NULL, and HD_INVALID the
 * status, where no intrinsic of the shader has this number.
 */
HD_API hd_intrinsic *hd_intrinsic_create(hd_shader *shader, unsigned id, unsigned num_srcs,
                                         unsigned num_indices, unsigned num_components,
                                         unsigned bit_size);
/* The result is the callee's. */
HD_API hd_call *hd_call_create(hd_shader *shader, hd_function *callee, unsigned num_args);
HD_API hd_var_access *hd_load_var_create(hd_shader *shader, hd_var *var);
HD_API hd_var_access *hd_store_var_create(hd_shader *shader, hd_var *var);

/* Free an instruction that is not inserted. */
HD_API void hd_instr_free(hd_shader *shader, hd_instr *instr);

/* Write source n of an instruction that is not inserted. */
HD_API void hd_instr_set_src(hd_instr *instr, unsigned n, hd_def *def);

/* Insert an instruction that is neither a phi, a parameter nor a jump. Cannot fail. */
HD_API void hd_instr_insert(hd_cursor cursor, hd_instr *instr);

/* Take it out, keeping it: it can be inserted again in the same function. Uses of its result stay
 * and are the caller's to repair. Not for jumps.
 */
HD_API void hd_instr_extract(hd_instr *instr);

/* Take it out and free it. Nothing may use its result any more. Phis too; not for jumps. */
HD_API void hd_instr_remove(hd_instr *instr);

/* Extract and insert: a move within the function. Cannot fail. */
HD_API void hd_instr_move(hd_cursor cursor, hd_instr *instr);

/* A copy, not inserted, with the same operands. NULL for phis, parameters and jumps, and when
 * memory runs out. NULL, and HD_INVALID the status, for an intrinsic that the shader does not have.
 */
HD_API hd_instr *hd_instr_clone(hd_shader *shader, const hd_instr *instr);

/* Sources and uses */

/* Make an inserted source read another definition of the same function. */
HD_API void hd_src_set_def(hd_src *src, hd_def *def);

/* Make all uses of `def` read `by`. */
HD_API void hd_def_replace_uses(hd_def *def, hd_def *by);

static inline bool
hd_def_is_unused(const hd_def *def)
{
   return !def->uses;
}

/* Phis
 *
 * A phi of a block with as many sources as it has predecessors; srcs[i] goes with preds[i]. With
 * srcs NULL, or an element NULL, the source has no definition yet; such a phi is not valid until
 * hd_phi_set_src has given it one.
 */
HD_API hd_phi *hd_phi_insert(hd_block *block, unsigned num_components, unsigned bit_size,
                             hd_def *const *srcs);

/* Set the source for the edge from `pred`, which must be a predecessor. */
HD_API void hd_phi_set_src(hd_phi *phi, const hd_block *pred, hd_def *def);

/* Control flow in trees */

/* Insert an if with two empty arms at the cursor: what stood after the cursor in its block goes to
 * the block after the if.
 */
HD_API hd_if *hd_insert_if(hd_cursor cursor, hd_def *cond);

/* Exchange the arms of an if, with all that is in them, in constant time. Phis after the if keep what
 * they get from each arm. The condition stays: with its negation the if does what it did before.
 */
HD_API void hd_if_exchange_arms(hd_if *nif);

/* Insert a loop with an empty body and an empty continue list. Without a `break` in it, the block
 * after it is unreachable.
 */
HD_API hd_loop *hd_insert_loop(hd_cursor cursor);

/* Insert break, continue, return or halt. `value` is what return carries, else NULL. Everything
 * that followed in the cursor's list is deleted, as by hd_cf_delete. break and continue must be
 * inside a loop, continue not in the continue list; no jump may end a continue list.
 */
HD_API hd_jump *hd_insert_jump(hd_cursor cursor, hd_jump_kind kind, hd_def *value);

/* Remove the jump that ends a block of a tree: control falls through to what follows. */
HD_API bool hd_jump_remove(hd_jump *jump);

/* Remove an if, a loop, and all that is inside. Phis that belong to it go too; their uses, and
 * uses of what was inside, become undef.
 */
HD_API bool hd_node_remove(hd_cf_node *node);

/* A list that is not part of the function: extracted from it, or a clone. While it is out,
 * it keeps its uses of outer values and its edges to the loops it breaks from, and what is outside
 * keeps its uses of what is inside. It must be reinserted or deleted; until then the function is
 * not valid.
 */
typedef struct hd_cf_range {
   hd_cf_list *list;
} hd_cf_range;

/* Take out everything between two places of one list, the first not after the second. A jump at
 * the end goes with what precedes it when `end` is the end of its list; then control falls through
 * from the place `begin` to what follows the list.
 *
 * Phis belong to the control flow that their sources come from: an if or a loop goes with all phis
 * after it; a loop's header and continue block keep their phis when the list after them is taken.
 */
HD_API bool hd_cf_extract(hd_cf_range *range, hd_cursor begin, hd_cursor end);

/* All of a list: the same as from hd_list_start to hd_list_end. */
HD_API bool hd_cf_extract_list(hd_cf_range *range, hd_cf_list *list);

/* Put a range in at a place of the same function. If the range ends in a jump, everything that
 * followed in the cursor's list is deleted. A range with a break or continue must stay in its loop.
 * The range is empty afterwards.
 */
HD_API bool hd_cf_reinsert(hd_cf_range *range, hd_cursor cursor);

/* Delete an extracted range with all instructions in it. Uses of its values elsewhere become
 * undef; the edges of its jumps are removed and with them their phi sources. The range is empty
 * afterwards.
 */
HD_API bool hd_cf_delete(hd_cf_range *range);

/* Flat functions
 *
 * Blocks stand in a list whose order means nothing but the order of printing; the first is the
 * start block. A new block has no jump; it must get one. Changing an edge keeps phis one-to-one
 * with predecessors: a new predecessor's sources are undef, and those of a removed one go.
 */
HD_API hd_block *hd_flat_block_create(hd_function *f);
/* A block that no edge goes to. Uses of its values become undef; what was declared to be inside of
 * it is so of what it was inside of. Not the start block.
 */
HD_API bool hd_flat_block_remove(hd_block *block);
/* End a block that has no jump yet. */
HD_API hd_jump *hd_flat_goto(hd_block *block, hd_block *target);
/* The two targets must differ. */
HD_API hd_jump *hd_flat_goto_if(hd_block *block, hd_def *cond, hd_block *if_true,
                                hd_block *if_false);
/* Case values must differ; their upper bits are cleared. */
HD_API hd_jump *hd_flat_switch(hd_block *block, hd_def *selector, hd_block *otherwise,
                               unsigned num_cases, const uint64_t *values,
                               hd_block *const *targets);
/* `value` or NULL. */
HD_API hd_jump *hd_flat_return(hd_block *block, hd_def *value);
HD_API hd_jump *hd_flat_halt(hd_block *block);
/* Remove the jump of a block and its edges. Cannot fail. */
HD_API void hd_flat_clear_jump(hd_block *block);
/* Let succs[n] go to another block, which must not be a successor already. The sources of the
 * new target's phis are undef.
 */
HD_API bool hd_flat_redirect(hd_block *block, unsigned n, hd_block *target);
/* Split at the cursor: what follows goes to a new block, right after, that the old one goes to. The
 * new block takes over edges and phi sources.
 */
HD_API hd_block *hd_flat_split(hd_cursor cursor);

HD_END_DECLS

#endif
