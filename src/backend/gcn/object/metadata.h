/* SPDX-License-Identifier: MIT */
/* metadata.h - what a code object's note tells of a kernel. */
#ifndef HEDDLE_BACKEND_GCN_OBJECT_METADATA_H
#define HEDDLE_BACKEND_GCN_OBJECT_METADATA_H

#include "machine/program.h"

/* An argument in the kernarg segment. */
typedef struct hd_gcn_kernel_arg {
   const char *name; /* NULL: it has none */
   uint32_t offset, size, align;
   bool pointer;  /* to global memory */
   bool constant; /* nothing is written through it */
} hd_gcn_kernel_arg;

/* kernel_args.c: the arguments of the entry of `source`, the shader as it was given: what it loads
 * itself, then its parameters. In `stack`; unwinds.
 */
hd_gcn_kernel_arg *hd_gcn_kernel_args(const hd_shader *source, hd_stack *stack, uint32_t *num);

/* The MessagePack of the note. */
void hd_gcn_metadata_write(const hd_gcn_program *p, const hd_gcn_binary *binary, hd_blob *out);

#endif
