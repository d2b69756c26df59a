/* SPDX-License-Identifier: MIT */
/* mix.h - integer hash mixing. */
#ifndef HEDDLE_UTIL_MIX_H
#define HEDDLE_UTIL_MIX_H

#include <stdint.h>

/* 2^64 divided by the golden ratio: the multiples of it lie far apart. */
#define HD_MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t
hd_mix(uint64_t z)
{
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

#endif
