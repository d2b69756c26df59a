/* SPDX-License-Identifier: MIT */
/* bytes.h - numbers as bytes, the low one first, on any host. */
#ifndef HEDDLE_UTIL_BYTES_H
#define HEDDLE_UTIL_BYTES_H

#include <stdint.h>

/* `size` is 1, 2, 4 or 8; the sizes are apart so that each is one access of the host. */

static inline uint64_t
get_number(const uint8_t *p, unsigned size)
{
   const uint32_t low = p[0];

   if (size == 1)
      return low;
   if (size == 2)
      return low | (uint32_t)p[1] << 8;
   const uint32_t word = low | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
   if (size == 4)
      return word;
   return word | (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
          (uint64_t)p[7] << 56;
}

static inline void
put_number(uint8_t *p, unsigned size, uint64_t value)
{
   p[0] = (uint8_t)value;
   if (size >= 2)
      p[1] = (uint8_t)(value >> 8);
   if (size >= 4) {
      p[2] = (uint8_t)(value >> 16);
      p[3] = (uint8_t)(value >> 24);
   }
   for (unsigned n = 4; n < size; n++)
      p[n] = (uint8_t)(value >> 8 * n);
}

#endif
