/* SPDX-License-Identifier: MIT */
/* IEEE 754 arithmetic as MPFR does it: the judge of src/util/float*.c. */
#ifndef TESTS_UTIL_FLOAT_ORACLE_H
#define TESTS_UTIL_FLOAT_ORACLE_H

#include "util/float.h"

typedef enum oracle_op {
   ORACLE_ADD,
   ORACLE_SUB,
   ORACLE_MUL,
   ORACLE_DIV,
   ORACLE_FMA,
   ORACLE_SQRT,
   ORACLE_RCP,
   ORACLE_RSQ,
   ORACLE_EXP2,
   ORACLE_LOG2,
   ORACLE_SIN,
   ORACLE_COS,
   ORACLE_ROUND,
   ORACLE_CONVERT /* of a number of source_bits */
} oracle_op;

void oracle_init(void);
void oracle_finish(void);

/* The result of `op` on one to three numbers of `source_bits`, as a number of `bits`. */
uint64_t oracle(oracle_op op, unsigned source_bits, unsigned bits, const uint64_t operands[3],
                hd_round r);

/* a * 2^e and an integer (negative of it, if so), rounded to `bits`. */
uint64_t oracle_ldexp(unsigned bits, uint64_t a, int32_t e);
uint64_t oracle_from_uint(unsigned bits, bool negative, uint64_t magnitude, hd_round r);

/* `a` as an integer of int_bits, saturated. */
uint64_t oracle_to_int(unsigned bits, uint64_t a, bool is_signed, unsigned int_bits, hd_round r);

#endif
