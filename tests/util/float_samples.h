/* SPDX-License-Identifier: MIT */
/* Operands that find mistakes: edges of the formats, and random ones that are not uniform. */
#ifndef TESTS_UTIL_FLOAT_SAMPLES_H
#define TESTS_UTIL_FLOAT_SAMPLES_H

#include <stdint.h>

#define SAMPLE_EDGES 128

/* Writes the format's edges, fewer than SAMPLE_EDGES; returns how many. */
unsigned sample_edges(unsigned bits, uint64_t edges[SAMPLE_EDGES]);

/* 64 random bits; *random is the generator's state, of any value. */
uint64_t sample_bits(uint64_t *random);

/* Three operands whose exponents are often close enough to each other, and to that of the first two
 * multiplied, for sums to cancel, and whose significands are often nearly powers of two. */
void sample_triple(uint64_t *random, unsigned bits, uint64_t operands[3]);

/* A number with few bits after the point, or just past the largest integer. */
uint64_t sample_near_integer(uint64_t *random, unsigned bits);

#endif
