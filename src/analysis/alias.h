/* SPDX-License-Identifier: MIT */
/* alias.h - alias analysis: may two memory accesses touch the same bytes, and do they?
 *
 * An access is described once, and descriptions are compared: by the kind of memory, by binding and
 * the promises HD_ACCESS_RESTRICT and HD_ACCESS_READONLY, by the distance of addresses that have a
 * common root, and by bounds of addresses that have none. doc/memory.md says what each rule rests on.
 *
 * Answers hold for two accesses of one lane, in one execution of all blocks that define what their
 * addresses are made of. What other lanes write at the same time is a race.
 */
#ifndef HEDDLE_ANALYSIS_ALIAS_H
#define HEDDLE_ANALYSIS_ALIAS_H

#include "analysis/known_bits.h"
#include "analysis/private.h"
#include "heddle/ops.h"

typedef enum hd_ref_kind {
   HD_REF_OTHER, /* without an address: an image, a call, a barrier */
   HD_REF_LOAD,
   HD_REF_STORE,
   HD_REF_ATOMIC,
} hd_ref_kind;

/* Bytes from ((`root` << `shift`) + `added`, wrapped at the size of the address) + `offset`. */
typedef struct hd_memory_ref {
   hd_instr *instr;
   hd_ref_kind kind;
   uint32_t reads, writes; /* hd_memory_class, or-ed */
   uint32_t access;        /* HD_ACCESS_*, or-ed */
   uint32_t set, binding;
   hd_def *array_index; /* of a buffer, else NULL */
   hd_def *root;        /* NULL: 0 */
   unsigned shift;
   uint64_t added;
   int64_t offset;
   int64_t least, most; /* bounds of where it begins; least > most: not known */
   uint32_t bytes;
   uint8_t address_bits, component_bits;
} hd_memory_ref;

/* Describe an instruction; false if it touches no memory that can change. A barrier and a demote
 * read and write all but the scratch memory of the lane, a call reads and writes that too. Bounded
 * time.
 */
bool hd_memory_ref_of(hd_memory_ref *ref, hd_instr *i);

/* May one of the two write what the other one touches? */
bool hd_may_conflict(const hd_memory_ref *a, const hd_memory_ref *b);

/* Does `b` certainly begin `*distance` bytes after `a`, in the same memory? False for what has no
 * address. In a buffer this holds out of bounds, too: neither of the two has wrapped to get there.
 */
bool hd_known_distance(const hd_memory_ref *a, const hd_memory_ref *b, int64_t *distance);

/* (root << shift) + added, wrapped, is the address: constants are taken off the sum, and off that of an index.
 * A root of NULL: all of it was one. A shift of NULL: the index stays whole.
 */
void hd_split_address(hd_def *address, hd_def **root, uint64_t *added, unsigned *shift);

/* The bits of root << shift. */
hd_known_bits hd_known_root(const hd_def *root, unsigned shift);

#endif
