/* SPDX-License-Identifier: MIT */
/* smem.h - scalar loads: what selection has loaded and what may have been stored. */
#ifndef HEDDLE_BACKEND_GCN_SELECT_SMEM_H
#define HEDDLE_BACKEND_GCN_SELECT_SMEM_H

#include "backend/gcn/select/memory_access.h"

/* A descriptor that was loaded: in `block`, and good where that dominates. */
typedef struct hd_gcn_known_descriptor {
   const hd_gcn_binding *binding; /* NULL in an empty slot */
   const hd_def *index;           /* NULL: the element is `element` */
   uint32_t element;
   hd_gcn_descriptor_kind kind;
   const hd_block *block;
   hd_mach_operand resource;
   hd_mach_operand wholes; /* the same for components of 64 bits; size 0: not made yet */
} hd_gcn_known_descriptor;

/* A resource that was made for an address. */
typedef struct hd_gcn_resource {
   uint32_t tag;  /* the block's index + 1 */
   uint32_t base; /* a value, or 0 */
   hd_mach_operand resource;
} hd_gcn_resource;

typedef struct hd_gcn_memory_state {
   uint8_t *unwritten;              /* by hd_def.index: a load of what nothing has written yet */
   uint8_t *loaded;                 /* the same: it was loaded with others */
   unsigned written;                /* memory that the shader writes anywhere */
   const hd_gcn_binding **bindings; /* by set and number */
   uint32_t num_bindings;
   hd_gcn_known_descriptor *descriptors; /* a hash table that is never full */
   uint32_t descriptor_mask;
   hd_gcn_resource resource[2]; /* the last of each kind: without and with addr64 */
   bool m0_is_set;
} hd_gcn_memory_state;

/* m0 for LDS, where the generation needs it: once, at the start. */
void hd_gcn_set_m0(hd_gcn_selector *s);
/* The address of an access to workgroup memory, and the offset for the instruction. */
hd_mach_operand hd_gcn_shared_address(hd_gcn_selector *s, const hd_mach_ir_access *a,
                                      uint32_t *offset);

/* Whether an argument or a push constant is loaded by its offset alone, and where it is. */
bool hd_gcn_is_known_argument(const hd_gcn_selector *s, const hd_mach_ir_access *a,
                              uint32_t *address);
/* Whether the address of an access is a constant. */
bool hd_gcn_constant_address(const hd_mach_ir_access *a, int64_t *address);
/* Whether a scalar load itself can have the offset; its imm then. */
bool hd_gcn_fits_smem(const hd_gcn_selector *s, bool buffer, int64_t offset, int32_t *imm);
/* A scalar load. `offset` is a constant; or a register operand takes its place, or, of gfx900, stands beside it, if it is
 * one that fits.
 */
hd_mach_operand hd_gcn_emit_smem(hd_gcn_selector *s, bool buffer, hd_mach_operand base,
                                 hd_mach_operand soffset, int64_t offset, unsigned size,
                                 unsigned memory);
/* Bytes that may be read of push constants, or of the arguments: whole dwords, as gcn.h asks of who
 * calls.
 */
uint32_t hd_gcn_segment_size(const hd_gcn_selector *s, unsigned memory);
/* Load these, which are of one memory, here; false: it was refused. */
bool hd_gcn_load_arguments(hd_gcn_selector *s, uint32_t num, const hd_intrinsic *const *loads);

#endif
