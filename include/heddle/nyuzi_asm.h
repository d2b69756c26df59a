/* SPDX-License-Identifier: MIT */
/* nyuzi_asm.h - Nyuzi machine code as text. Tools library.
 *
 *    loop:
 *      add_f_mask v1, s2, v3, v4        ; lanes of s2
 *      load_gath_mask v0, s1, 8(v2)
 *      bnz s1, loop
 *      .long 0x12345678
 */
#ifndef HEDDLE_NYUZI_ASM_H
#define HEDDLE_NYUZI_ASM_H

#include "heddle/nyuzi.h"

HD_BEGIN_DECLS

/* Append the words of a text to `code`. A line has labels, an instruction, or `.long` and a number;
 * what stands after `;`, `#` or `//` is a comment. The target of a branch is a label, or `.+N`: N bytes
 * from the branch.
 *
 * HD_INVALID: each error, up to 20 of them, goes to the sink of `config`, with `file` as the name of
 * the text; `code` is as it was. `config` and `file` may be NULL, an empty `text`, too.
 */
HD_API hd_result hd_nyuzi_assemble(const hd_config *config, const char *file, const char *text,
                                   size_t length, hd_blob *code);

/* Append the text of `size` bytes of code: hd_nyuzi_assemble makes the same bytes of it. What is no
 * instruction becomes .long, with the reason as a comment; bytes that are no whole word at the end
 * are a comment. Targets of branches inside of the code get labels "L" and the offset. `words`: the
 * address and the word of each instruction, as a comment after it. `unknown` (may be NULL) is how
 * many words are no instruction. Fails for want of memory alone.
 */
HD_API hd_result hd_nyuzi_disassemble(const hd_config *config, bool words, const void *code,
                                      size_t size, hd_blob *text, size_t *unknown);

HD_END_DECLS

#endif
