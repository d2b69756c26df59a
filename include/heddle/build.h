/* SPDX-License-Identifier: MIT */
/* build.h - the builder: instructions at a cursor, control flow by push and pop, variables that become
 * SSA values on the fly.
 *
 *    hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "clamp");
 *    hd_def *i = hd_load_local_invocation_index(&b);
 *    hd_push_if(&b, hd_ult(&b, i, hd_imm_u32(&b, 16)));
 *    hd_def *twice = hd_iadd(&b, i, i);
 *    hd_pop_if(&b);
 *    hd_def *x = hd_if_phi(&b, twice, i);
 *    ...
 *    hd_shader *shader;
 *    hd_result result = hd_builder_finish(&b, &shader);
 *
 * Errors are sticky. The first one is kept in `result`; wrong use (operands that do not match, a pop
 * without its push) is HD_INVALID, with a diagnostic at the current location. From then on every
 * call does nothing and returns a dummy value, so that only hd_builder_finish has to be checked. A
 * dummy must not be passed to edit.h: check `result` first when mixing the two. Inside a pass,
 * running out of memory unwinds to the runner as in edit.h.
 *
 * Unreachable code is dropped. After a jump, after an if whose arms both jump, after an infinite
 * loop, the position of the builder is unreachable (`dropped` is true). Calls there check their
 * operands as everywhere, and return values of the right size that are in no block; pushes and pops
 * must match as everywhere, but create nothing. Such a value may be used in other dropped code, in
 * hd_if_phi and in hd_ssa_write. Anywhere else it is an error, as no definition would dominate the
 * use. In a flat function, code is dropped from a jump until hd_builder_set_block.
 *
 * No two arguments of one call should append code: C does not say which is evaluated first, and the
 * order of the instructions would be the compiler's.
 *
 * Pushing, popping, jumping and appending take constant time, however deep the nest and long the
 * list. hd_budget.steps bounds the work of everything that is built between creating a builder
 * (or entering a function) and finishing.
 */
#ifndef HEDDLE_BUILD_H
#define HEDDLE_BUILD_H

#include "heddle/edit.h"
#include "heddle/ops.h"

HD_BEGIN_DECLS

/* What is open: pushes, variables. Private to the library. */
typedef struct hd_builder_state hd_builder_state;

typedef struct hd_builder {
   hd_shader *shader;
   hd_function *function;
   hd_cursor cursor; /* where the next instruction goes; stays after what was built; free */
   uint32_t loc;     /* location of what is built; free: see hd_set_location */
   uint8_t flags;    /* hd_instr_flags for the instructions that they mean something to; free */
   bool dropped;     /* what is built here is dropped */
   bool owns_shader; /* made by hd_builder_create */
   hd_result result; /* HD_OK, or the first failure */
   hd_builder_state *state;
   hd_instr dummy;
} hd_builder;

/* Begin and end */

/* A builder with a shader of its own, at the start of its entry function, which is named "main"
 * and is structured. Never fails visibly: what went wrong is in `result`, and `shader` may be NULL.
 */
HD_API hd_builder hd_builder_create(const hd_config *config, hd_stage stage, const char *name);

/* The same with a flat entry function. */
HD_API hd_builder hd_builder_create_flat(const hd_config *config, hd_stage stage, const char *name);

/* A builder at a place of an existing function, structured or flat. It owns nothing; when it has
 * only made instructions, it may be forgotten without hd_builder_finish.
 */
HD_API hd_builder hd_builder_at(hd_cursor cursor);

/* Go on at the end of another function of the shader: all that is open in the current one must be
 * closed, and is completed as by hd_builder_finish; unless nothing was built in it yet.
 */
HD_API void hd_builder_enter(hd_builder *b, hd_function *function);

/* Complete the function: variables become phis where it takes any, and what turns out to be
 * superfluous is removed. HD_INVALID if an if or loop is still open, if the end of a function that
 * has a result can be reached without a return, or if a flat function that this builder began
 * (hd_builder_create_flat, hd_builder_enter) has a block without a jump.
 *
 * *shader gets the shader of hd_builder_create when the answer is HD_OK; else the shader is
 * destroyed and *shader is NULL. For a builder made by hd_builder_at `shader` may be NULL, and on
 * failure the function is left half built: its shader can only be destroyed.
 *
 * Values that hd_ssa_read returned may be gone afterwards; all their uses have been updated.
 */
HD_API hd_result hd_builder_finish(hd_builder *b, hd_shader **shader);

/* What follows comes from this location of the source; `file` NULL: from nowhere. */
HD_API void hd_set_location(hd_builder *b, const char *file, uint32_t line, uint32_t column);

/* Name a value; returns it. Values of dropped code get no name. */
HD_API hd_def *hd_name_def(hd_builder *b, const char *name, hd_def *def);

/* A parameter of the function, after those it has: hd_function_add_param. */
HD_API hd_def *hd_build_param(hd_builder *b, unsigned num_components, unsigned bit_size);

/* Instructions
 *
 * build_ops.h has a function for each op and build_intrinsics.h one for each intrinsic, made of these
 * two; op_enum.h and intrinsic_enum.h have their constants.
 */

/* An op. `dest_bits` is the size of the result where the op lets the instruction choose; 0 is what
 * the table infers. HD_INVALID when the operands do not fit.
 */
HD_API hd_def *hd_build_alu(hd_builder *b, hd_op op, unsigned num_srcs, hd_def *const *srcs,
                            unsigned dest_bits);

/* An intrinsic. `num_components` and `bits` are the result's where the table leaves them open, else
 * 0 or what it must have. `indices`: all of them in the table's order; NULL: their defaults. NULL
 * for an intrinsic without result.
 */
HD_API hd_def *hd_build_intrinsic(hd_builder *b, hd_intrinsic_id id, unsigned num_components,
                                  unsigned bits, unsigned num_srcs, hd_def *const *srcs,
                                  const uint32_t *indices);

/* Insert an instruction made by edit.h's calls; its result, or NULL. It is freed if it cannot be
 * inserted. NULL is a failed creation.
 */
HD_API hd_def *hd_build_instr(hd_builder *b, hd_instr *instr);

/* Constants. Bits above the size are cleared. */
HD_API hd_def *hd_imm(hd_builder *b, unsigned num_components, unsigned bit_size,
                      const hd_const_value *values);
HD_API hd_def *hd_imm_uint(hd_builder *b, unsigned bit_size, uint64_t value);
/* Rounded to the nearest float of 16, 32 or 64 bits. */
HD_API hd_def *hd_imm_float(hd_builder *b, unsigned bit_size, double value);
HD_API hd_def *hd_imm_bool(hd_builder *b, bool value);
HD_API hd_def *hd_imm_u32(hd_builder *b, uint32_t value);
HD_API hd_def *hd_imm_i32(hd_builder *b, int32_t value);
HD_API hd_def *hd_imm_u64(hd_builder *b, uint64_t value);
HD_API hd_def *hd_imm_f32(hd_builder *b, float value);
HD_API hd_def *hd_imm_f64(hd_builder *b, double value);
HD_API hd_def *hd_imm_vec_u32(hd_builder *b, unsigned num_components, const uint32_t *values);
HD_API hd_def *hd_imm_vec_f32(hd_builder *b, unsigned num_components, const float *values);

HD_API hd_def *hd_undef(hd_builder *b, unsigned num_components, unsigned bit_size);

/* Scalars to a vector; one of a vector's components. Of a scalar, both are the scalar itself. */
HD_API hd_def *hd_build_vec(hd_builder *b, unsigned num_components, hd_def *const *scalars);
HD_API hd_def *hd_build_channel(hd_builder *b, hd_def *vector, unsigned component);

/* NULL when the callee returns nothing. */
HD_API hd_def *hd_build_call(hd_builder *b, hd_function *callee, unsigned num_args,
                             hd_def *const *args);

/* Local variables in memory. `index` is a 32-bit scalar for an array, else NULL. */
HD_API hd_def *hd_load_var(hd_builder *b, hd_var *var, hd_def *index);
HD_API void hd_store_var(hd_builder *b, hd_var *var, hd_def *index, hd_def *value);

/* Control flow in structured functions
 *
 *    hd_push_if     [hd_push_else]      hd_pop_if
 *    hd_push_loop   [hd_push_continue]  hd_pop_loop
 *
 * The first two return the node, NULL in dropped code and after a failure.
 */
HD_API hd_if *hd_push_if(hd_builder *b, hd_def *cond);
HD_API void hd_push_else(hd_builder *b);
HD_API void hd_pop_if(hd_builder *b);

/* Of the if that was popped last, while the cursor is in the block after it: the value that came
 * out of its arms. Where only one arm falls through, that arm's value, without a phi.
 */
HD_API hd_def *hd_if_phi(hd_builder *b, hd_def *then_def, hd_def *else_def);

HD_API hd_loop *hd_push_loop(hd_builder *b);
/* From here on the continue list is built. */
HD_API void hd_push_continue(hd_builder *b);
HD_API void hd_pop_loop(hd_builder *b);

/* Jumps. break and continue belong to the innermost loop; for a builder made by hd_builder_at that
 * may be one around the cursor, looked for in time linear in the depth. None may end a continue
 * list. They end what is built: whatever followed the cursor in its list is deleted.
 */
HD_API void hd_break(hd_builder *b);
HD_API void hd_continue(hd_builder *b);
HD_API void hd_break_if(hd_builder *b, hd_def *cond);
HD_API void hd_continue_if(hd_builder *b, hd_def *cond);

/* Both forms. `value` is NULL in a function without result. */
HD_API void hd_return(hd_builder *b, hd_def *value);
HD_API void hd_halt(hd_builder *b);

/* Flat functions */

/* A block without a jump; building goes on where it was. NULL after a failure. */
HD_API hd_block *hd_builder_add_block(hd_builder *b);
/* Build at the end of this block, which has no jump yet. */
HD_API void hd_builder_set_block(hd_builder *b, hd_block *block);
HD_API void hd_goto(hd_builder *b, hd_block *target);
/* Two equal targets make a plain goto. */
HD_API void hd_goto_if(hd_builder *b, hd_def *cond, hd_block *if_true, hd_block *if_false);
/* Values must differ, in the bits that the selector has. */
HD_API void hd_switch(hd_builder *b, hd_def *selector, hd_block *otherwise, unsigned num_cases,
                      const uint64_t *values, hd_block *const *targets);

/* Variables
 *
 * A variable that is read and written in the order of the program while it is built; reads give
 * SSA values, phis included. Nothing goes through memory. In a structured function that is all. In
 * a flat one a block's predecessors are known when it is sealed: hd_seal_block says that no jump
 * to it will be added. Sealing early saves time; what is not sealed is when the function is
 * completed. The start block is sealed from the beginning.
 *
 * After completion each phi that is left is used and merges two different values, and there are no
 * more of them than control flow needs (in an irreducible flat graph there may be).
 *
 * A read finds the value by going back from the block to where it is known, and remembers it on the
 * way: reading in blocks already read in takes constant time, and in the worst case all reads of
 * one variable together take time linear in the function.
 */
typedef struct hd_ssa_var hd_ssa_var;

/* NULL after a failure. The variable belongs to the current function, and is gone when that is
 * completed.
 */
HD_API hd_ssa_var *hd_ssa_var_create(hd_builder *b, unsigned num_components, unsigned bit_size);
HD_API void hd_ssa_write(hd_builder *b, hd_ssa_var *var, hd_def *value);
/* Undef on paths on which it was never written. The value may be a phi that stands in no block
 * until the loop is popped, or the block sealed, that it belongs to.
 */
HD_API hd_def *hd_ssa_read(hd_builder *b, hd_ssa_var *var);
HD_API void hd_seal_block(hd_builder *b, hd_block *block);

HD_END_DECLS

#endif
