/* SPDX-License-Identifier: MIT */
/* memory_access.h - instruction selection of memory accesses: interface between its files.
 *
 *    memory_access.c   split an access into pieces that one instruction can move
 *    vmem.c            pieces in global memory, buffers and scratch
 *    lds.c             pieces in LDS
 *    smem.c            scalar loads: which accesses are eligible, and merging
 *    atomics.c         atomics
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_MEMORY_ACCESS_H
#define HEDDLE_BACKEND_GCN_SELECT_MEMORY_ACCESS_H

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/alu.h"

/* An intrinsic that touches memory, its operands by what they are. */
typedef struct hd_gcn_access {
   const hd_intrinsic *intrinsic;
   hd_memory_class memory; /* one bit */
   const hd_src *address;
   const hd_src *array_index; /* of a buffer; else NULL */
   const hd_def *value;       /* of a store; else NULL */
   uint32_t access;           /* hd_access */
   int32_t offset;
   uint32_t align_mul, align_offset;
   unsigned bits, components; /* of what is moved */
} hd_gcn_access;

hd_gcn_access hd_gcn_access_of(const hd_intrinsic *intrinsic);

/* `bytes` is 1, 2, or 4 to 16; `at` is where they begin in the access. */
typedef struct hd_gcn_piece {
   uint8_t at, bytes;
} hd_gcn_piece;

#define HD_GCN_MAX_PIECES 128u

/* Whether memory of this alignment can be moved in so many bytes by one instruction. */
typedef bool hd_gcn_can_move(const hd_gcn_selector *s, unsigned bytes, uint32_t align);

/* Cut the access: each piece as large as it can be, never across components that it does not hold
 * whole unless it holds a part of one. Returns how many.
 */
unsigned hd_gcn_cut(const hd_gcn_selector *s, const hd_gcn_access *a, hd_gcn_can_move *can_move,
                    hd_gcn_piece pieces[HD_GCN_MAX_PIECES]);

/* The result of a load from what was loaded: `operands[n]` in registers of one file, a piece below
 * four bytes zero-extended.
 */
void hd_gcn_set_loaded(hd_gcn_selector *s, const hd_gcn_access *a, unsigned num,
                       const hd_gcn_piece *pieces, const hd_mach_operand *operands);
/* The bytes of a piece, of the value that is stored, in VGPRs. */
hd_mach_operand hd_gcn_piece_to_store(hd_gcn_selector *s, const hd_gcn_access *a,
                                      hd_gcn_piece piece);

/* One access of one class each. */
bool hd_gcn_select_vmem(hd_gcn_selector *s, const hd_gcn_access *a);
bool hd_gcn_select_shared(hd_gcn_selector *s, const hd_gcn_access *a);
bool hd_gcn_select_atomic(hd_gcn_selector *s, const hd_gcn_access *a);
bool hd_gcn_select_buffer_size(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* A place that MUBUF, FLAT or GLOBAL instructions reach, without the offset of the instruction. */
typedef struct hd_gcn_place {
   enum { HD_GCN_BY_MUBUF, HD_GCN_BY_FLAT, HD_GCN_BY_GLOBAL } by;
   hd_mach_operand vaddr;    /* size 0: none */
   hd_mach_operand resource; /* MUBUF: resource; GLOBAL: saddr or size 0 */
   hd_mach_operand soffset;  /* MUBUF */
   uint16_t bits;            /* HD_GCN_OFFEN, HD_GCN_ADDR64, HD_GCN_GLC, HD_GCN_SLC */
   uint8_t memory;           /* HD_GCN_MEMORY_... */
   int32_t offset;           /* for the instruction: in reach for all pieces, FLAT of gfx8: any */
} hd_gcn_place;

/* False: it was refused. */
bool hd_gcn_locate(hd_gcn_selector *s, const hd_gcn_access *a, hd_gcn_place *place);
/* Finish an instruction whose operands behind vdata are those of the place. */
hd_mach_inst *hd_gcn_emit_at(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def,
                             hd_mach_operand data, const hd_gcn_place *place, unsigned at);

/* Where push constants, arguments or constant data begin: a scalar pair. Size 0: it was refused. */
hd_mach_operand hd_gcn_segment(hd_gcn_selector *s, const hd_gcn_access *a);

/* The resource of a buffer, in four SGPRs. Size 0: it was refused. */
hd_mach_operand hd_gcn_descriptor(hd_gcn_selector *s, const hd_gcn_access *a);
/* The same of a buffer that ends with its last whole multiple of 8 bytes. */
hd_mach_operand hd_gcn_descriptor_of_wholes(hd_gcn_selector *s, const hd_gcn_access *a);

/* Scalar loads */

/* `size` dwords (1, 2, 4, 8, 16) at a scalar pair plus an offset, which is a multiple of 4. */
hd_mach_operand hd_gcn_load_scalar(hd_gcn_selector *s, hd_mach_operand base, uint32_t offset,
                                   unsigned size, unsigned memory);
typedef enum hd_gcn_answer { HD_GCN_SELECTED, HD_GCN_REFUSED, HD_GCN_NOT_MINE } hd_gcn_answer;

/* Select the load by scalar loads if it can be. */
hd_gcn_answer hd_gcn_try_smem(hd_gcn_selector *s, const hd_gcn_access *a);
/* At the start: the arguments and push constants that are loaded there. False: refused. */
bool hd_gcn_load_arguments_first(hd_gcn_selector *s);

/* A scalar pair plus a constant. */
hd_mach_operand hd_gcn_add_wide(hd_gcn_selector *s, hd_mach_operand a, int64_t value);

#endif
