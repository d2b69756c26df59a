/* SPDX-License-Identifier: MIT */
/* output.h - the result of a compilation: bytes, assembly and statistics. */
#ifndef HEDDLE_BACKEND_GCN_OUTPUT_H
#define HEDDLE_BACKEND_GCN_OUTPUT_H

#include "backend/gcn/object/object.h"
#include "backend/gcn/program.h"
#include "machine/compile.h"

/* compile.c: the phases in their order. */
extern const hd_mach_compiler hd_gcn_compiler;
/* hd_backend.compile */
hd_result hd_gcn_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                            const hd_mach_request *request, void **binary);

/* What the caller sees, and the kernel of it, which is hd_gcn_binary_kernel. */
typedef struct hd_gcn_kept {
   hd_gcn_binary binary;
   hd_gcn_object_kernel kernel;
} hd_gcn_kept;

/* After the last phase, for hd_mach_compiler: bytes; statistics and code object. Both unwind. */
bool hd_gcn_encode_program(hd_mach_program *p, hd_blob *code);
hd_result hd_gcn_finish(hd_mach_program *p, hd_blob *blobs, void *kept);

/* Count what the code has: all of `stats` but what registers, LDS and scratch decide. */
void hd_gcn_count(const hd_mach_program *p, hd_gcn_stats *stats);

/* resources.c: the rest of `stats`, pgm_rsrc1 and 2, user_sgprs. Refuses nothing: what is too much
 * was refused where it was asked for.
 */
void hd_gcn_resources(const hd_mach_program *p, hd_gcn_binary *binary);

/* program_text.c: the machine code as it is now, in the text that hd_gcn_program_parse reads back.
 */
void hd_gcn_program_print(const hd_mach_program *p, hd_blob *out);
/* One instruction of it, without a newline. */
void hd_gcn_print_value(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out);
/* After layout: text for the assembler, whose bytes are those of the binary. The source of an
 * instruction that has a location is a comment before it.
 */
void hd_gcn_program_assembly(const hd_mach_program *p, hd_blob *out);

#endif
