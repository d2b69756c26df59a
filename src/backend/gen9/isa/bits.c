/* SPDX-License-Identifier: MIT */
/* bits.c - the 128 bits of an instruction: fields by their place. */
#include "backend/gen9/isa/tables.h"
#include "util/bytes.h"

uint64_t
hd_gen9_get_bits(const hd_gen9_bits *bits, unsigned low, unsigned num)
{
   const uint64_t mask = num < 64 ? (UINT64_C(1) << num) - 1 : UINT64_MAX;

   if (low >= 64)
      return bits->high >> (low - 64) & mask;
   const uint64_t upper = low ? bits->high << (64 - low) : 0;
   return (bits->low >> low | upper) & mask;
}

void
hd_gen9_put_bits(hd_gen9_bits *bits, unsigned low, unsigned num, uint64_t value)
{
   value &= num < 64 ? (UINT64_C(1) << num) - 1 : UINT64_MAX;
   if (low >= 64) {
      bits->high |= value << (low - 64);
      return;
   }
   bits->low |= value << low;
   if (low)
      bits->high |= value >> (64 - low);
}

hd_gen9_bits
hd_gen9_read_bits(const unsigned char *bytes)
{
   return (hd_gen9_bits){ get_number(bytes, 8), get_number(bytes + 8, 8) };
}

void
hd_gen9_write_bits(const hd_gen9_bits *bits, unsigned char bytes[16])
{
   put_number(bytes, 8, bits->low);
   put_number(bytes + 8, 8, bits->high);
}
