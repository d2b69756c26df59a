/* SPDX-License-Identifier: MIT */
/* emit.h - machine instructions for a driver's own intrinsics, on machines whose registers hold 32 bits
 * for each lane: what hd_nyuzi_options, hd_gen9_options and hd_r700_options.select_own append them with.
 * GCN has scalar registers, masks and wider values: gcn_emit.h.
 *
 *    static bool
 *    select(void *user, hd_emitter *e, const hd_intrinsic *i)
 *    {
 *       const hd_emit_value x = hd_emit_src(e, 0, 0);
 *
 *       if (i->instr.op != ACME_HIGH)
 *          return false;
 *       const hd_emit_value square[2] = { x, x };
 *       return hd_emit_result(e, 0, hd_emit_op(e, "mulh_u", 2, square));
 *    }
 *
 * A value is an SSA value, which the allocator gives a register later: the hook sees none, and no block
 * and no mask. It is a number of 32 bits or a boolean. Of an operand with 8 or 16 bits the upper ones
 * are unspecified; one of 64 bits is two values, the low half first.
 *
 * All checks are made, in every build: what does not fit is refused, with a diagnostic that names
 * intrinsic and instruction, and the compilation ends with HD_UNSUPPORTED; a hook may go on, or
 * return, after that. When memory or the budget runs out these calls do not return to the hook: the
 * compilation unwinds past it, so a hook of C++ holds nothing that a destructor would have to free
 * across them.
 */
#ifndef HEDDLE_EMIT_H
#define HEDDLE_EMIT_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* Called for each instruction of a driver's own that is left after the passes; `user` is that of the
 * options. False: it cannot be selected, and the compilation is refused.
 */
typedef struct hd_emitter hd_emitter;
typedef bool hd_select_own(void *user, hd_emitter *e, const hd_intrinsic *i);

/* A value of the hook's call that made it; `number` 0 is none. */
typedef struct hd_emit_value {
   uint32_t number;
} hd_emit_value;

/* A part of an operand of the intrinsic: a component, or half of one with 64 bits, counted on. */
HD_API hd_emit_value hd_emit_src(hd_emitter *e, unsigned operand, unsigned part);
/* A constant number. */
HD_API hd_emit_value hd_emit_constant(hd_emitter *e, uint32_t bits);

/* Append an instruction, by its name in the assembler; its result, or none where it is refused.
 *
 *    Nyuzi   arithmetic, compares, `getlane` and `shuffle`: "add_f", "cmplt_i" (doc/nyuzi_isa.md)
 *    Gen9    arithmetic, with the type of its operands: "math.exp:f", "bfrev:ud"; compares with the
 *            condition: "cmp.lt:d" (doc/gen9_isa.md)
 *
 * Compares give a boolean; and, or, xor (Gen9: not) of booleans are one. All else takes and gives
 * numbers. Operands may be constants. What branches, touches memory, or reads or writes a register that
 * it does not name is refused.
 */
HD_API hd_emit_value hd_emit_op(hd_emitter *e, const char *name, unsigned num_srcs,
                                const hd_emit_value *srcs);

/* This is a part of the intrinsic's result. All of them must be given, each once. A result that is
 * uniform by its row is that of the first active lane.
 */
HD_API bool hd_emit_result(hd_emitter *e, unsigned part, hd_emit_value value);

/* The intrinsic cannot be selected: why, for the diagnostic. Returns false. */
HD_API bool hd_emit_refuse(hd_emitter *e, const char *why);

HD_END_DECLS

#endif
