/* SPDX-License-Identifier: MIT */
/* compact.c - instruction compaction: 8-byte forms, whose fields are indices into tables of common values. */
#include "backend/gen9/isa/tables.h"
#include "util/bytes.h"

#define COMPACTED (UINT64_C(1) << 29)

static const hd_gen9_short_form *
form_of(unsigned opcode)
{
   switch (hd_gen9_op_infos[hd_gen9_op_of_opcode[opcode]].shape) {
   case HD_GEN9_CLASS_TERNARY:
      return &hd_gen9_short_ternary;
   case HD_GEN9_CLASS_UNARY:
   case HD_GEN9_CLASS_BINARY:
   case HD_GEN9_CLASS_MATH1:
   case HD_GEN9_CLASS_MATH2:
      return hd_gen9_op_of_opcode[opcode] == HD_MACH_OP_NONE ? NULL : &hd_gen9_short_basic;
   default:
      return NULL;
   }
}

static bool
has_immediate(const hd_gen9_bits *bits)
{
   return hd_gen9_get_bits(bits, 41, 2) == HD_GEN9_IMM ||
          hd_gen9_get_bits(bits, 89, 2) == HD_GEN9_IMM;
}

static void
scatter(const hd_gen9_short_index *index, uint64_t value, hd_gen9_bits *bits)
{
   for (unsigned n = index->num_ranges; n-- > 0;) {
      hd_gen9_put_bits(bits, index->ranges[n].low, index->ranges[n].bits, value);
      value >>= index->ranges[n].bits;
   }
}

static uint64_t
gather(const hd_gen9_short_index *index, const hd_gen9_bits *bits)
{
   uint64_t value = 0;

   for (unsigned n = 0; n < index->num_ranges; n++)
      value = value << index->ranges[n].bits |
              hd_gen9_get_bits(bits, index->ranges[n].low, index->ranges[n].bits);
   return value;
}

/* The bits that an immediate takes: a short one has 12 and a sign. */
static bool
is_of_immediate(unsigned low)
{
   return low >= 96;
}

static void
expand_immediate(uint64_t word, hd_gen9_bits *bits)
{
   uint32_t imm = (uint32_t)(word >> 56) | (uint32_t)(word >> 35 & 31) << 8;

   if (imm & 0x1000)
      imm |= UINT32_C(0xffffe000);
   hd_gen9_put_bits(bits, 96, 32, imm);
}

const char *
hd_gen9_expand(uint64_t word, hd_gen9_bits *bits)
{
   const hd_gen9_short_form *form = form_of(word & 0x7f);
   bool immediate = false;

   *bits = (hd_gen9_bits){ 0, 0 };
   if (!form)
      return "the op has no compacted form";
   /* Files first: they say whether the last fields are an immediate. */
   for (unsigned n = 0; n < form->num_indices; n++) {
      const hd_gen9_short_index *index = &form->indices[n];
      const uint64_t value = index->values[word >> index->low & ((1u << index->bits) - 1)];
      const bool last = is_of_immediate(index->ranges[0].low);
      if (form == &hd_gen9_short_basic && n == 2)
         immediate = has_immediate(bits);
      if (!(immediate && last)) {
         scatter(index, value, bits);
      } else if (index->num_ranges > 1) {
         hd_gen9_put_bits(bits, 64, 5, value >> 5);
         hd_gen9_put_bits(bits, 48, 5, value);
      }
   }
   for (unsigned n = 0; n < form->num_copied; n++) {
      const hd_gen9_short_field *f = &form->copied[n];
      if (!(immediate && is_of_immediate(f->long_at)))
         hd_gen9_put_bits(bits, f->long_at, f->bits, word >> f->at);
   }
   if (immediate)
      expand_immediate(word, bits);
   return NULL;
}

static bool
find(const hd_gen9_short_index *index, uint64_t value, uint64_t mask, uint64_t *word)
{
   for (uint64_t n = 0; n < UINT64_C(1) << index->bits; n++) {
      if ((index->values[n] & mask) == value) {
         *word |= n << index->low;
         return true;
      }
   }
   return false;
}

bool
hd_gen9_compact(unsigned char bytes[16])
{
   const hd_gen9_bits bits = hd_gen9_read_bits(bytes);
   const hd_gen9_short_form *form = form_of(bits.low & 0x7f);
   const bool immediate = form == &hd_gen9_short_basic && has_immediate(&bits);
   uint64_t word = COMPACTED;
   hd_gen9_bits again;

   if (!form)
      return false;
   for (unsigned n = 0; n < form->num_indices; n++) {
      const hd_gen9_short_index *index = &form->indices[n];
      uint64_t value = gather(index, &bits), mask = UINT64_MAX;
      if (immediate && is_of_immediate(index->ranges[0].low)) {
         if (index->num_ranges == 1)
            continue;
         mask = 0x3ff;
         value &= mask;
      }
      if (!find(index, value, mask, &word))
         return false;
   }
   for (unsigned n = 0; n < form->num_copied; n++) {
      const hd_gen9_short_field *f = &form->copied[n];
      if (!(immediate && is_of_immediate(f->long_at)))
         word |= hd_gen9_get_bits(&bits, f->long_at, f->bits) << f->at;
   }
   if (immediate) {
      const uint64_t imm = hd_gen9_get_bits(&bits, 96, 32);
      word |= (imm & 0xff) << 56 | (imm >> 8 & 31) << 35;
   }
   /* What has no place in the short form is lost: then there is none. */
   if (hd_gen9_expand(word, &again) || again.low != bits.low || again.high != bits.high)
      return false;
   put_number(bytes, 8, word);
   return true;
}
