/* SPDX-License-Identifier: MIT */
/* memory_access.h - instruction selection of memory accesses: interface between its files.
 *
 *    memory_access.c   split an access into pieces that one instruction can move
 *    vmem.c            pieces in global memory, buffers and scratch
 *    lds.c             pieces in LDS
 *    smem.c            scalar loads: which accesses are eligible, and merging
 *    atomics.c         atomics
 *    images.c          images and texel buffers
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_MEMORY_ACCESS_H
#define HEDDLE_BACKEND_GCN_SELECT_MEMORY_ACCESS_H

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/alu.h"
#include "backend/gcn/select/memory_ops.h"
#include "machine/access.h"

/* The result of a load from what was loaded: `operands[n]` in registers of one file, a piece below
 * four bytes zero-extended. They are read back here if it is scalar (hd_gcn_known.read_back).
 */
void hd_gcn_set_loaded(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned num,
                       const hd_mach_access_piece *pieces, hd_mach_operand *operands);
/* The bytes of a piece, of the value that is stored, in VGPRs. */
hd_mach_operand hd_gcn_piece_to_store(hd_gcn_selector *s, const hd_mach_ir_access *a,
                                      hd_mach_access_piece piece);

/* What an access with these HD_ACCESS_... asks of the caches: HD_GCN_GLC, HD_GCN_SLC. A load past them
 * sees what others wrote; stores go through to the second level always.
 */
uint16_t hd_gcn_cache_bits(uint32_t access, bool loads);
/* The same of an atomic; `returns`: its old value is wanted. */
uint16_t hd_gcn_atomic_bits(uint32_t access, bool returns);
/* hd_mach_inst.memory of an access to `memory`. */
uint8_t hd_gcn_access_memory(unsigned memory, uint32_t access, bool loads);

/* One access of one class each. */
bool hd_gcn_select_vmem(hd_gcn_selector *s, const hd_mach_ir_access *a);
bool hd_gcn_select_shared(hd_gcn_selector *s, const hd_mach_ir_access *a);
bool hd_gcn_select_atomic(hd_gcn_selector *s, const hd_mach_ir_access *a);
bool hd_gcn_select_buffer_size(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* An address that MUBUF, FLAT or GLOBAL instructions reach, without the offset of the instruction. */
typedef struct hd_gcn_place {
   hd_gcn_way by;            /* up to HD_GCN_BY_GLOBAL */
   hd_mach_operand vaddr;    /* size 0: none */
   hd_mach_operand resource; /* MUBUF: resource; GLOBAL: saddr or size 0 */
   hd_mach_operand soffset;  /* MUBUF */
   uint16_t bits;            /* HD_GCN_OFFEN, HD_GCN_ADDR64, HD_GCN_GLC, HD_GCN_SLC */
   uint8_t memory;           /* HD_GCN_MEMORY_... */
   int32_t offset;           /* for the instruction: in reach for all pieces, FLAT of gfx8: any */
} hd_gcn_place;

/* False: it was refused. */
bool hd_gcn_locate(hd_gcn_selector *s, const hd_mach_ir_access *a, hd_gcn_place *place);
/* Finish an instruction whose operands after vdata are those of the address. */
hd_mach_inst *hd_gcn_emit_at(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def,
                             hd_mach_operand data, const hd_gcn_place *place, unsigned at);

/* Where push constants, arguments or constant data begin: a scalar pair. Size 0: it was refused. */
hd_mach_operand hd_gcn_segment(hd_gcn_selector *s, const hd_mach_ir_access *a);

/* The resource of a buffer, in four SGPRs. Size 0: it was refused. */
hd_mach_operand hd_gcn_descriptor(hd_gcn_selector *s, const hd_mach_ir_access *a);
/* The same of a buffer that ends with its last whole multiple of 8 bytes. */
hd_mach_operand hd_gcn_descriptor_of_wholes(hd_gcn_selector *s, const hd_mach_ir_access *a);

typedef enum hd_gcn_descriptor_kind {
   HD_GCN_OF_BUFFER, /* four words; of a texel buffer, too */
   HD_GCN_OF_IMAGE,  /* eight */
   HD_GCN_OF_SAMPLER,
} hd_gcn_descriptor_kind;

/* That of an image or a sampler; `index` is its element. Size 0: it was refused. */
hd_mach_operand hd_gcn_image_descriptor(hd_gcn_selector *s, const hd_intrinsic *i,
                                        hd_gcn_descriptor_kind kind, const hd_src *index);

/* Scalar loads */

/* `size` dwords (1, 2, 4, 8, 16) at a scalar pair plus an offset, which is a multiple of 4. */
hd_mach_operand hd_gcn_load_scalar(hd_gcn_selector *s, hd_mach_operand base, uint32_t offset,
                                   unsigned size, unsigned memory);
typedef enum hd_gcn_answer { HD_GCN_SELECTED, HD_GCN_REFUSED, HD_GCN_NOT_MINE } hd_gcn_answer;

/* Select the load by scalar loads if it can be. */
hd_gcn_answer hd_gcn_try_smem(hd_gcn_selector *s, const hd_mach_ir_access *a);
/* At the start: the arguments and push constants that are loaded there. False: refused. */
bool hd_gcn_load_arguments_first(hd_gcn_selector *s);

#endif
