/* SPDX-License-Identifier: MIT */
/* llvm_text.h - the same program as LLVM IR text. */
#ifndef BENCH_LLVM_TEXT_H
#define BENCH_LLVM_TEXT_H

#include <heddle/heddle.h>

/* Write a shader that shapes.c or growth_shapes.c made, as a kernel for gfx900. Constants become
 * operands, as LLVM has them; values and blocks are numbered, which is what its parser is fastest
 * with. Returns false at an instruction that they do not make.
 */
bool write_llvm(FILE *out, hd_shader *shader);

#endif
