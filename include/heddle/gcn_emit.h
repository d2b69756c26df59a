/* SPDX-License-Identifier: MIT */
/* gcn_emit.h - machine instructions for a driver's own intrinsics: what hd_gcn_options.select_own
 * appends them with.
 *
 *    static bool
 *    select(void *user, hd_gcn_emitter *e, const hd_intrinsic *i)
 *    {
 *       const struct driver *d = user;           (d->rsq = hd_gcn_op_number(gen, "v_rsq_f32"))
 *       hd_gcn_emit_value x = hd_gcn_emit_src(e, 0, 0), y;
 *
 *       if (i->instr.op != ACME_RSQ)
 *          return false;
 *       return hd_gcn_emit_op(e, d->rsq, 1, &x, 0, &y) && hd_gcn_emit_result(e, 0, y);
 *    }
 *
 * Values are SSA values, which the allocator gives registers later: the hook sees none, and no block,
 * no wait, no hazard. What it appends is scheduled, allocated, spilled and waited for like all else.
 *
 *    kind of value             in            made of
 *    a component, 1 to 32 bits a VGPR        8 and 16 bits: the upper ones are unspecified
 *                              or an SGPR    it is uniform
 *    64 bits                   two of them   aligned as instructions ask
 *    a boolean                 a mask        a bit a lane in two SGPRs; those of inactive lanes are
 *                                            unspecified
 *    a constant                none yet
 *
 * An operand that an encoding cannot take (a second scalar of a vector instruction, a literal in a
 * 64-bit form) is moved to a register by the emitter. All checks are made, in every build: what does
 * not fit is refused, with a diagnostic that names intrinsic, instruction and operand, and the
 * compilation ends with HD_UNSUPPORTED; a hook may go on, or return, after that. When memory or the
 * budget runs out these calls do not return to the hook: the compilation unwinds past it, so a hook
 * of C++ holds nothing that a destructor would have to free across them.
 */
#ifndef HEDDLE_GCN_EMIT_H
#define HEDDLE_GCN_EMIT_H

#include "heddle/gcn.h"

HD_BEGIN_DECLS

/* A value of the hook's call that made it; `number` 0 is none. */
typedef struct hd_gcn_emit_value {
   uint32_t number;
} hd_gcn_emit_value;

/* The number of an instruction by its name in the assembler, "v_mul_f32", without the suffix of an
 * encoding; 0: this generation has none of that name. Looks at all of them: ask once. Numbers are
 * those of this build of the library.
 */
HD_API unsigned hd_gcn_op_number(hd_gcn_gen gen, const char *name);

/* What is compiled for. */
HD_API hd_gcn_gen hd_gcn_emit_target(const hd_gcn_emitter *e);

/* A component of an operand of the intrinsic, as it is; of a boolean the mask. Vectors of booleans
 * are refused.
 */
HD_API hd_gcn_emit_value hd_gcn_emit_src(hd_gcn_emitter *e, unsigned operand, unsigned component);
/* A constant of 32 bits. */
HD_API hd_gcn_emit_value hd_gcn_emit_constant(hd_gcn_emitter *e, uint32_t bits);
/* Is it in SGPRs, or a constant? Then it is the same for all lanes; a mask is neither. */
HD_API bool hd_gcn_emit_is_scalar(const hd_gcn_emitter *e, hd_gcn_emit_value value);
/* The value in VGPRs, or in SGPRs, copied where it is not; of VGPRs that of the first active lane.
 * Masks are refused.
 */
HD_API hd_gcn_emit_value hd_gcn_emit_to_vgpr(hd_gcn_emitter *e, hd_gcn_emit_value value);
HD_API hd_gcn_emit_value hd_gcn_emit_to_sgpr(hd_gcn_emitter *e, hd_gcn_emit_value value);

/* Append an instruction. `srcs` are those that the assembler's text names, in its order; *result
 * (may be NULL) becomes the first that it writes: of a vector compare a mask, of an instruction that
 * only writes scc nothing. `imm` is the number that some have after their operands, else 0:
 * the pattern of ds_swizzle_b32, the offset of ds_bpermute_b32, id | offset << 6 | (size - 1) << 11
 * of s_getreg_b32.
 *
 * To be had are the instructions of the scalar and vector ALU, and of LDS those that only move
 * values between lanes. What branches, ends, touches memory, writes exec or m0, or has an effect that
 * its operands do not name, s_getreg_b32 excepted, is refused. One that reads scc must follow one
 * that writes it, with nothing between that does, in the same call of the hook.
 */
HD_API bool hd_gcn_emit_op(hd_gcn_emitter *e, unsigned op, unsigned num_srcs,
                           const hd_gcn_emit_value *srcs, int32_t imm, hd_gcn_emit_value *result);

/* This is a component of the intrinsic's result. All of them must be given, each once. A result that
 * is uniform by its row is that of the first active lane. A boolean is given by a mask.
 */
HD_API bool hd_gcn_emit_result(hd_gcn_emitter *e, unsigned component, hd_gcn_emit_value value);

/* The intrinsic cannot be selected: why, for the diagnostic. Returns false. */
HD_API bool hd_gcn_emit_refuse(hd_gcn_emitter *e, const char *why);

HD_END_DECLS

#endif
