/* SPDX-License-Identifier: MIT */
/* object.h - writing code objects: what is kept of each compiled kernel for it. */
#ifndef HEDDLE_BACKEND_GCN_OBJECT_OBJECT_H
#define HEDDLE_BACKEND_GCN_OBJECT_OBJECT_H

#include "heddle/gcn.h"
#include "object/elf.h"
#include "util/memory.h"

/* All that a code object says of a kernel and that does not depend on where it lies. */
typedef struct hd_gcn_object_kernel {
   const char *name;
   const uint32_t *code;
   uint32_t code_words;
   uint8_t descriptor[KD_SIZE]; /* all but KD_ENTRY */
   const char *metadata;        /* its map in the note */
   size_t metadata_size;
} hd_gcn_object_kernel;

/* object_write.c: append a code object of these kernels, of which no two symbols ("f", "f.kd") have
 * one name, to `out`. What is needed meanwhile is in `stack`; unwinds.
 */
void hd_gcn_object_write(hd_stack *stack, hd_gcn_gen gen, const hd_gcn_object_kernel *kernels,
                         uint32_t num, hd_blob *out);

/* output.c: what hd_gcn_compile kept of a binary with HD_GCN_ABI_HSA. */
const hd_gcn_object_kernel *hd_gcn_binary_kernel(const hd_gcn_binary *binary);

#endif
