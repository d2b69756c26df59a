/* SPDX-License-Identifier: MIT */
/* sem_oracle.h - what instructions compute, from the words of the manuals, for one lane.
 *
 * Nothing here is shared with the simulator or with its tables: wide integers, loops over bits, and
 * MPFR. Each function knows some instructions by their newest names, and answers false for others.
 */
#ifndef TESTS_BACKEND_GCN_SEM_ORACLE_H
#define TESTS_BACKEND_GCN_SEM_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/gcn/isa/isa.h"
#include "util/float.h"

typedef struct sem_in {
   uint64_t s[4]; /* sources; a mask: the lane's bit; SOPK: the 16 bits behind the sources */
   bool scc;
   unsigned lane;
   hd_gcn_gen gen;
   bool clamp, ieee;
   hd_round round32, round64;
   bool flush_in32, flush_out32, flush_in64, flush_out64;
} sem_in;

/* r[0] is the result, r[1] the carry, flag or scc. `skip` is set where the manuals leave open what
 * the result is, or it is tested elsewhere.
 */
typedef struct sem_out {
   uint64_t r[2];
   bool skip;
} sem_out;

typedef bool sem_oracle(const char *name, const sem_in *in, sem_out *out);

sem_oracle sem_oracle_integer;
sem_oracle sem_oracle_bits;
sem_oracle sem_oracle_compare;
sem_oracle sem_oracle_packed;
sem_oracle sem_oracle_scalar;
sem_oracle sem_oracle_float;
sem_oracle sem_oracle_convert;

/* Helpers of all. */

static inline int64_t
sem_signed(unsigned bits, uint64_t x)
{
   const uint64_t high = UINT64_C(1) << (bits - 1);
   x &= high | (high - 1);
   return x & high ? (int64_t)(x - high) - (int64_t)(high - 1) - 1 : (int64_t)x;
}

static inline bool
sem_bit(uint64_t x, unsigned n)
{
   return x >> n & 1;
}

/* Denormals become zeros of their sign. */
static inline uint64_t
sem_flush(unsigned bits, uint64_t x)
{
   const unsigned fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t sign = UINT64_C(1) << (bits - 1);
   return (x & ~sign) >> fraction_bits == 0 ? x & sign : x;
}

/* Whether the name is the one of a pattern with a `*` for anything; `rest` is what stands for it.
 */
bool sem_match(const char *pattern, const char *name, char rest[32]);

#endif
