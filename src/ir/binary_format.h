/* SPDX-License-Identifier: MIT */
/* binary_format.h - what the writer and the reader of the binary form share; see doc/binary.md. */
#ifndef HEDDLE_IR_BINARY_FORMAT_H
#define HEDDLE_IR_BINARY_FORMAT_H

#include "heddle/binary.h"
#include "util/digest.h"

/* The first byte is in no text, the rest shows what the file is. */
#define BINARY_MAGIC       "\x89HDL"
#define BINARY_MAGIC_SIZE  4u
#define BINARY_HEADER_SIZE 24u /* magic, version, size, checksum */
#define BINARY_SUMMED      16u /* what comes before the checksum; it is summed too */

/* In the body of a function each item begins with a code: one of these, or BINARY_SHAPES plus the
 * number of a shape.
 */
enum {
   BINARY_END,        /* the end of a list, or of a flat function */
   BINARY_BLOCK,      /* flat: the next block */
   BINARY_IF,         /* source */
   BINARY_LOOP,       /* */
   BINARY_LOC,        /* signed step: the location of the instructions, ifs and loops that follow */
   BINARY_DEF_NAME,   /* string: the name of the next instruction's result */
   BINARY_BLOCK_NAME, /* string: the name of this block */
   BINARY_BLOCK_LOC,  /* location of this block */
   BINARY_HEADER,     /* flat: this block is declared to be a header */
   BINARY_INSIDE,     /* block step: the header of the cycle that this block is declared inside */
   BINARY_CONTINUES,  /* block step: the header that this block is the continue block of */
   BINARY_UNROLL,     /* hd_unroll, not 0: of the loop whose header this block is */
   BINARY_SHAPES,
};

/* In the place of a kind of instruction: an intrinsic of the driver's own. After its shape comes the
 * hash of the table, where others have the digest of their indices.
 */
#define BINARY_OWN_INTRINSIC 0x40u

/* hd_function flags */
#define BINARY_STRUCTURED 1u

/* One component of a constant, by its first byte:
 *
 *    0x00..0xbf   the number byte - 64, its sign extended to the size
 *    0xc0..0xff   11sssnnn: nnn + 1 bytes follow, low first, shifted up by sss bytes
 */
#define CONST_BIAS  64
#define CONST_BYTES 0xc0u

/* Components and bits in one byte: components below, the size above. */
static inline uint8_t
binary_type(unsigned num_components, unsigned bit_size)
{
   unsigned code = bit_size == 1    ? 1
                   : bit_size == 8  ? 2
                   : bit_size == 16 ? 3
                   : bit_size == 32 ? 4
                   : bit_size       ? 5
                                    : 0;

   return (uint8_t)(code << 5 | num_components);
}

static inline bool
binary_type_decode(uint8_t type, uint8_t *num_components, uint8_t *bit_size)
{
   static const uint8_t bits[8] = { 0, 1, 8, 16, 32, 64, 0, 0 };

   *num_components = type & 31;
   *bit_size = bits[type >> 5];
   if (!type)
      return true;
   return *bit_size && *num_components && *num_components <= HD_MAX_COMPONENTS;
}

/* What makes two intrinsics of one name take the same indices: their names, in order. */
uint32_t hd_binary_index_digest(const struct hd_intrinsic_info *info);

/* The digest of a shader's binary form without names and locations. */
hd_result hd_binary_digest(const hd_shader *shader, hd_digest *digest);

#endif
