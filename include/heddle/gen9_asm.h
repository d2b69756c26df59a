/* SPDX-License-Identifier: MIT */
/* gen9_asm.h - machine code for Intel Gen9 as text, in the syntax of Intel's assembler. Tools library.
 *
 *    L0:
 *    (W)     mul (1|M0)               r2.0<1>:d      r0.1<0;1,0>:d     8:w
 *            cmp (8|M0)    (lt)f0.0   null<1>:d      r3.0<8;8,1>:d     r2.0<0;1,0>:d {Compacted}
 *    (f0.0)  while (8|M0)             L0
 *    .quad 0x0123456789abcdef
 */
#ifndef HEDDLE_GEN9_ASM_H
#define HEDDLE_GEN9_ASM_H

#include "heddle/base.h"

HD_BEGIN_DECLS

/* Append the bytes of a text to `code`. A line has labels, an instruction, or `.quad` and numbers of
 * 64 bits, one or more; what stands after `//` is a comment. The target of a branch is a label, or a
 * distance in bytes: from the branch, of jmpi from its end. An instruction takes 16 bytes, or 8 with
 * the option Compacted.
 *
 * HD_INVALID: each error, up to 20 of them, goes to the sink of `config`, with `file` as the name of
 * the text; `code` is as it was. `config` and `file` may be NULL, an empty `text`, too.
 */
HD_API hd_result hd_gen9_assemble(const hd_config *config, const char *file, const char *text,
                                  size_t length, hd_blob *code);

/* Append the text of `size` bytes of code: hd_gen9_assemble makes the same bytes of it, but for the
 * branch control of branches whose text has none, as `while`. What is no
 * instruction becomes .quad, with the reason as a comment; bytes at the end that are no whole
 * instruction are a comment. Targets of branches get labels "L" and the address. `words`: the address
 * and the words of each instruction, as a comment after it. `unknown` (may be NULL) is how many bytes
 * are no instruction. Fails for want of memory alone.
 */
HD_API hd_result hd_gen9_disassemble(const hd_config *config, bool words, const void *code,
                                     size_t size, hd_blob *text, size_t *unknown);

HD_END_DECLS

#endif
