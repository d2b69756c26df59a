/* SPDX-License-Identifier: MIT */
/* access.h - memory accesses as a machine has them: sizes and alignments by callback.
 *
 *    static hd_access_piece
 *    dwords(const hd_access_query *q, void *user)
 *    {
 *       const unsigned num = q->bytes >= 16 && hd_access_known_align(q) >= 16 ? 4 : 1;
 *       return (hd_access_piece){ .bits = 32, .num_components = num, .align = 4 * num };
 *    }
 *
 *    static bool
 *    my_access(hd_function *f, const hd_pass_step *step)
 *    {
 *       return hd_progress(f, hd_lower_access(f, dwords, step->user), HD_META_GRAPH);
 *    }
 *
 * The pass lower_access_sizes has such a callback, with options in place of code.
 */
#ifndef HEDDLE_ACCESS_H
#define HEDDLE_ACCESS_H

#include "heddle/ir.h"
#include "heddle/ops.h"

HD_BEGIN_DECLS

/* What is left of a load or a store of global, buffer, shared, scratch, push, kernarg or constant
 * memory: `bytes` bytes, from an address that is `align_offset` modulo `align_mul`.
 */
typedef struct hd_access_query {
   uint32_t memory; /* one of hd_memory_class */
   bool store;
   uint8_t bits, num_components; /* of the whole access */
   uint32_t bytes;               /* from 1 to 128 */
   uint32_t align_mul;           /* a power of two */
   uint32_t align_offset;
   uint32_t access; /* hd_access, or-ed */
} hd_access_query;

/* The widest piece that the machine has for the first of these bytes.
 *
 *   1. A store must not be longer than `bytes`, and its alignment must be known. If it is not so (or
 *      `bits` is 0: there is none), the access is refused; with `masked` what is left is written by 32-bit atomics that clear and set
 *      its bytes, two for each dword (scratch memory: by a load and a store). Others may see the
 *      bytes cleared between the two.
 *   2. A load may be longer than `bytes` if it is not longer than `align`.
 *   3. If the alignment of a load is not known, `align` must be the bytes of one component: then what
 *      is left is read by components that contain it, one access each, and shifted into place.
 *
 * With 2, 3 and `masked` bytes are touched that the access does not have, all in aligned units of
 * `align` bytes (`masked`: 4) of which it has one. So memory must consist of such units: the size of
 * each buffer, and what is behind an address. The sizes of the shader's scratch and shared memory are
 * rounded up to them.
 */
typedef struct hd_access_piece {
   uint8_t bits;           /* of a component: 8, 16, 32, 64 */
   uint8_t num_components; /* 1 to 16 */
   uint16_t align;         /* what it needs, in bytes: a power of two */
   bool masked;
} hd_access_piece;

typedef hd_access_piece hd_access_function(const hd_access_query *query, void *user);

/* The greatest power of two that the address is known to be a multiple of. */
static inline uint32_t
hd_access_known_align(const hd_access_query *query)
{
   const uint32_t place = query->align_offset & (query->align_mul - 1);

   return place ? place & ~(place - 1) : query->align_mul;
}

/* For passes: make every load and store of these pieces. Whether anything changed. Keeps all metadata
 * of the graph; atomics stay as they are. Bounds of a buffer are checked for each piece, so of a
 * component that is made of several and lies across the end of its buffer a part is read or written.
 *
 * Fails with HD_UNSUPPORTED, as running out of memory or steps does (pass.h), with a diagnostic for:
 * a store that the machine has no piece for; a volatile access that would not stay one
 * access; an offset that would be greater than an index holds; an answer that breaks the rules above.
 */
HD_API bool hd_lower_access(hd_function *f, hd_access_function *widest, void *user);

HD_END_DECLS

#endif
