/* SPDX-License-Identifier: MIT */
/* access.h - accesses of the IR to memory, and the pieces of them that one instruction moves. Which
 * sizes a machine has, and what alignment each needs, is a table.
 *
 *    load 16x3, aligned to 2     ushort, ushort, ushort
 *    load 16x3, aligned to 4     dword, ushort
 *    load 32x5, aligned to 4     dwordx4, dword
 *    load 64x2, aligned to 1     16 bytes
 *
 * The pass hd_lower_access (heddle/access.h) does the same on the IR, for machines that select what
 * is left one by one.
 */
#ifndef HEDDLE_MACHINE_ACCESS_H
#define HEDDLE_MACHINE_ACCESS_H

#include "heddle/ir.h"
#include "heddle/ops.h"

/* An intrinsic that touches memory, its operands by what they are. */
typedef struct hd_mach_ir_access {
   const hd_intrinsic *intrinsic;
   hd_memory_class memory; /* one bit */
   const hd_src *address;
   const hd_src *array_index; /* of a buffer; else NULL */
   const hd_def *value;       /* of a store; else NULL */
   uint32_t access;           /* hd_access */
   int32_t offset;
   uint32_t align_mul, align_offset;
   unsigned bits, components; /* of what is moved */
} hd_mach_ir_access;

hd_mach_ir_access hd_mach_ir_access_of(const hd_intrinsic *intrinsic);

/* The greatest power of two that the address of this byte is known to be a multiple of. */
static inline uint32_t
hd_mach_align_at(const hd_mach_ir_access *a, unsigned at)
{
   const uint32_t bits = (a->align_offset + at) | a->align_mul;

   return bits & (0u - bits);
}

/* What one instruction moves at addresses that are multiples of `align`. */
typedef struct hd_mach_access_size {
   uint8_t bytes, align;
} hd_mach_access_size;

/* `at` is where the bytes begin in the access. */
typedef struct hd_mach_access_piece {
   uint8_t at, bytes;
} hd_mach_access_piece;

#define HD_MACH_MAX_PIECES 128u

/* Cut the access: each piece as large as it can be, never across components that it does not hold
 * whole unless it holds a part of one. `sizes` fall; the last one is a byte. `joins`: a piece may hold
 * several components. Returns how many.
 */
unsigned hd_mach_cut(const hd_mach_ir_access *a, const hd_mach_access_size *sizes, bool joins,
                     hd_mach_access_piece pieces[HD_MACH_MAX_PIECES]);

#endif
