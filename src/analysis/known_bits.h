/* SPDX-License-Identifier: MIT */
/* known_bits.h - known bits: which bits of a value are always 0 or 1. */
#ifndef HEDDLE_ANALYSIS_KNOWN_BITS_H
#define HEDDLE_ANALYSIS_KNOWN_BITS_H

#include "heddle/ir.h"

/* Of every component: bits that are 0, bits that are 1; neither above the value's size. */
typedef struct hd_known_bits {
   uint64_t zeros, ones;
} hd_known_bits;

/* Looks at the instruction and at most HD_KNOWN_DEPTH levels of its operands, so the time is
 * bounded. Nothing is remembered. An undefined value may be any, and nothing is known of it.
 */
#define HD_KNOWN_DEPTH 4
hd_known_bits hd_known_bits_of(const hd_def *def);
/* The same with another number of levels: the time is at most exponential in it. */
hd_known_bits hd_known_bits_within(const hd_def *def, unsigned levels);

/* The bounds of the unsigned value that follow. */
static inline uint64_t
hd_known_most(hd_known_bits k, unsigned bits)
{
   return (~UINT64_C(0) >> (64 - bits)) & ~k.zeros;
}

static inline uint64_t
hd_known_least(hd_known_bits k)
{
   return k.ones;
}

/* Whether the scalar is x + k, wrapped at its size, k a constant: a sum, or an `or` of bits that
 * are known to be clear.
 */
bool hd_known_sum(const hd_def *def, hd_def **x, uint64_t *k);

#endif
