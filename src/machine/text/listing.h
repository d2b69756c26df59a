/* SPDX-License-Identifier: MIT */
/* listing.h - code as text that the machine's assembler takes: labels where branches go, instructions, data where
 * there are none, comments.
 *
 *    L16:
 *      name operands          // 0010: 12345678
 *      .long 0x12345678       // why it is no instruction
 */
#ifndef HEDDLE_MACHINE_TEXT_LISTING_H
#define HEDDLE_MACHINE_TEXT_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/base.h"
#include "util/memory.h"

/* What stands at an address. */
typedef struct hd_mach_listed {
   unsigned
       length; /* bytes, 1 to those that there are; less than whole units: the code ends within one */
   unsigned num_targets; /* where it branches to; negative addresses have no label */
   uint64_t to[2];
} hd_mach_listed;

/* What a machine has for it. `size`: bytes from there to the end. */
typedef struct hd_mach_listing {
   unsigned unit;         /* bytes that lengths are multiples of: 4 or 8 */
   const char *directive; /* of data in units */
   const char *comment;   /* how one begins, with blanks */
   bool hex_labels;
   /* NULL: an instruction; else why it is none. A target that is neither the begin of an instruction nor the end of
    * the code makes it none, too.
    */
   const char *(*look)(const unsigned char *bytes, size_t size, uint64_t address,
                       hd_mach_listed *listed);
   void (*print)(const unsigned char *bytes, size_t size, uint64_t address, hd_blob *text);
} hd_mach_listing;

/* Append the text, lines of instructions behind `indent`, with the words beside them if `words` says so. Returns how
 * many bytes are no instruction. Unwinds; `stack` is for what it needs.
 */
size_t hd_mach_list(const hd_mach_listing *rows, hd_stack *stack, const unsigned char *code,
                    size_t size, const char *indent, bool words, hd_blob *text);

#endif
