/* SPDX-License-Identifier: MIT */
/* gcn_asm.h - GCN machine code as text, in the syntax of the LLVM assembler. Tools library.
 *
 *    loop:
 *      v_add_f32_e64 v1, -|v2|, s3 clamp        ; a comment
 *      s_waitcnt vmcnt(0) & lgkmcnt(1)
 *      s_cbranch_scc1 loop
 *      .long 0x12345678
 */
#ifndef HEDDLE_GCN_ASM_H
#define HEDDLE_GCN_ASM_H

#include "heddle/gcn.h"

HD_BEGIN_DECLS

/* Append the bytes of a text to `code`.
 *
 * A statement is a line: labels, an instruction, or a directive: .byte, .short, .long, .quad with
 * numbers; .p2align, which fills with s_nop; .amdgcn_target, which must name the target; .text and
 * .globl, which mean nothing here. An instruction that has several encodings gets the shortest one
 * that fits, or the one that its suffix (_e32, _e64, _sdwa, _dpp) says.
 *
 * HD_INVALID: each error, up to 20 of them, goes to the sink of `config`, with `file` as the name
 * of the text; `code` is as it was. `config` and `file` may be NULL, an empty `text`, too.
 */
HD_API hd_result hd_gcn_assemble(const hd_config *config, hd_gcn_gen target, const char *file,
                                 const char *text, size_t length, hd_blob *code);

typedef struct hd_gcn_disassemble_options {
   bool words;       /* address and words of each instruction, as a comment after it */
   uint64_t address; /* of the first byte, for that */
} hd_gcn_disassemble_options;

/* Append the text of `size` bytes of code: hd_gcn_assemble makes the same bytes of it.
 *
 * What is no instruction of the target, and what the assembler would encode in another way, becomes
 * .long, with the reason as a comment. Targets of branches get labels "L" and the offset. `unknown`
 * (may be NULL) is how many words are no instruction. `options` may be NULL. Fails for want of
 * memory, and where there is no such target (HD_INVALID).
 */
HD_API hd_result hd_gcn_disassemble(const hd_config *config, hd_gcn_gen target,
                                    const hd_gcn_disassemble_options *options, const void *code,
                                    size_t size, hd_blob *text, size_t *unknown);

HD_END_DECLS

#endif
