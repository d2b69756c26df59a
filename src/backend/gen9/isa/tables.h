/* SPDX-License-Identifier: MIT */
/* tables.h - tables of encoder and decoder: bit positions of fields, compact forms. */
#ifndef HEDDLE_BACKEND_GEN9_TABLES_H
#define HEDDLE_BACKEND_GEN9_TABLES_H

#include <stddef.h>

#include "backend/gen9/isa/isa.h"

#define HD_GEN9_NO_CODE 0xffu

/* Bits of an instruction that are bits of a member, or have one value. */
typedef struct hd_gen9_field {
   uint8_t low, bits;
   uint8_t offset, size; /* of the member; size 0: a fixed value */
   uint8_t at;           /* the lowest bit in the member, or the value */
} hd_gen9_field;

#define HD_GEN9_FIELD(low, bits, member, at)                                                       \
   {                                                                                               \
      low, bits, offsetof(hd_gen9_word, member), sizeof(((hd_gen9_word *)NULL)->member), at        \
   }
#define HD_GEN9_FIXED(low, bits, value)                                                            \
   {                                                                                               \
      low, bits, 0, 0, value                                                                       \
   }

typedef struct hd_gen9_part_fields {
   const hd_gen9_field *fields;
   unsigned num;
} hd_gen9_part_fields;

extern const hd_gen9_part_fields hd_gen9_parts[];
extern const uint16_t hd_gen9_op_of_opcode[128];

/* A table of a short form: an index for these bits of the long one, the highest range first. */
typedef struct hd_gen9_short_index {
   const uint64_t *values;
   uint8_t low, bits; /* of the index */
   uint8_t num_ranges;
   struct {
      uint8_t low, bits;
   } ranges[8];
} hd_gen9_short_index;

typedef struct hd_gen9_short_field {
   uint8_t at, long_at, bits;
} hd_gen9_short_field;

typedef struct hd_gen9_short_form {
   const hd_gen9_short_index *indices;
   unsigned num_indices;
   const hd_gen9_short_field *copied;
   unsigned num_copied;
} hd_gen9_short_form;

extern const hd_gen9_short_form hd_gen9_short_basic, hd_gen9_short_ternary;

/* 128 bits. */
typedef struct hd_gen9_bits {
   uint64_t low, high;
} hd_gen9_bits;

uint64_t hd_gen9_get_bits(const hd_gen9_bits *bits, unsigned low, unsigned num);
/* They were 0. */
void hd_gen9_put_bits(hd_gen9_bits *bits, unsigned low, unsigned num, uint64_t value);
hd_gen9_bits hd_gen9_read_bits(const unsigned char *bytes);
void hd_gen9_write_bits(const hd_gen9_bits *bits, unsigned char bytes[16]);
/* NULL: done; else why not. */
const char *hd_gen9_expand(uint64_t word, hd_gen9_bits *bits);

#endif
