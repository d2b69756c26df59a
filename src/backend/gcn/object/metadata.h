/* SPDX-License-Identifier: MIT */
/* metadata.h - kernel metadata in the note of a code object. */
#ifndef HEDDLE_BACKEND_GCN_OBJECT_METADATA_H
#define HEDDLE_BACKEND_GCN_OBJECT_METADATA_H

#include "backend/gcn/object/object.h"
#include "backend/gcn/program.h"

/* An argument in the kernarg segment. */
typedef struct hd_gcn_kernel_arg {
   hd_gcn_kernarg is;
   uint32_t align;
} hd_gcn_kernel_arg;

/* kernel_args.c: the arguments of the entry of p->source, the shader as it was given: what it loads
 * itself, as the options say, then its parameters. In the program's stack; unwinds.
 */
hd_gcn_kernel_arg *hd_gcn_kernel_args(const hd_mach_program *p, uint32_t *num);

static inline const char *
hd_gcn_kernel_name(const hd_mach_program *p)
{
   return hd_gcn_of(p)->options->kernel_name ? hd_gcn_of(p)->options->kernel_name
                                             : p->function->name;
}

/* The MessagePack of the note: a kernel's map, and the whole of it. */
void hd_gcn_metadata_write_kernel(const hd_mach_program *p, const hd_gcn_binary *binary,
                                  hd_blob *out);
void hd_gcn_metadata_write(hd_gcn_gen gen, const hd_gcn_object_kernel *kernels, uint32_t num,
                           hd_blob *out);

#endif
