/* SPDX-License-Identifier: MIT */
/* r700_asm.h - R700 machine code as text. Tools library.
 *
 *    ALU_PUSH_BEFORE 2, @4, KC0[CB0:0:1]       ; the clause of three words at address 4
 *    JUMP @3 POP_COUNT:1
 *    ALU_POP_AFTER 0, @7
 *    CF_NOP END_OF_PROGRAM
 *    SETGT_INT * T1.X, T0.X, literal.x
 *    .literal 0x11, 0x0
 *    PRED_SETNE_INT * T0.X (MASKED), PV.X, 0.0 UPDATE_EXEC_MASK
 *
 * Names of instructions and operands are LLVM's. `*` ends a group. Behind the operands stand the fields
 * that are not 0, with their names in doc/r700_isa.md; NO_BARRIER is set where control flow has none.
 */
#ifndef HEDDLE_R700_ASM_H
#define HEDDLE_R700_ASM_H

#include "heddle/r700.h"

HD_BEGIN_DECLS

/* Append the words of a text to `code`. A line has an instruction, or `.literal` or `.long` and two
 * numbers of 32 bits; what stands behind `;`, `#` or `//` is a comment. Addresses count words of 64
 * bits from the beginning of the text.
 *
 * HD_INVALID: each error, up to 20 of them, goes to the sink of `config`, with `file` as the name of
 * the text; `code` is as it was. `config` and `file` may be NULL, an empty `text`, too.
 */
HD_API hd_result hd_r700_assemble(const hd_config *config, const char *file, const char *text,
                                  size_t length, hd_blob *code);

/* Append the text of `size` bytes of code: hd_r700_assemble makes the same bytes of it. What the
 * control flow at the beginning says is a clause is shown as instructions; what it does not name, or
 * what is no instruction, becomes .long, the latter with the reason as a comment. `words`: the address
 * and the word of each instruction, as a comment behind it. `unknown` (may be NULL) is how many words of
 * control flow and clauses are no instruction, and how many clauses are outside of the code or in each
 * other. Fails for want of memory alone.
 */
HD_API hd_result hd_r700_disassemble(const hd_config *config, bool words, const void *code,
                                     size_t size, hd_blob *text, size_t *unknown);

HD_END_DECLS

#endif
