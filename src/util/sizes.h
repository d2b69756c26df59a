/* SPDX-License-Identifier: MIT */
/* sizes.h - sizes of arrays whose length is a number in the input. */
#ifndef HEDDLE_UTIL_SIZES_H
#define HEDDLE_UTIL_SIZES_H

#include <stddef.h>
#include <stdint.h>

/* The bytes of `count` items, or more than any allocation gives, also with something added. */
static inline size_t
array_size(uint64_t count, size_t size)
{
   const size_t most = SIZE_MAX / 2;

   return size && count > most / size ? most + 1 : (size_t)count * size;
}

#endif
