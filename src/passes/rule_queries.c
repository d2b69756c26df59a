/* SPDX-License-Identifier: MIT */
/* rule_queries.c - predicates for conditions of a program's own rules: rule_conditions.h as functions. */
#include "passes/rule_conditions.h"

unsigned
hd_rule_bits(const hd_match *m, unsigned n)
{
   return bits(m, n);
}

unsigned
hd_rule_comps(const hd_match *m, unsigned n)
{
   return comps(m, n);
}

uint64_t
hd_rule_value(const hd_match *m, unsigned n, unsigned c)
{
   return value(m, n, c);
}

bool
hd_rule_once(const hd_match *m, unsigned n)
{
   return once(m, n);
}

bool
hd_rule_not_const(const hd_match *m, unsigned n)
{
   return not_const(m, n);
}

bool
hd_rule_known_zero(const hd_match *m, unsigned n, uint64_t which)
{
   return known_zero(m, n, which);
}

bool
hd_rule_known_one(const hd_match *m, unsigned n, uint64_t which)
{
   return known_one(m, n, which);
}

bool
hd_rule_nonneg(const hd_match *m, unsigned n)
{
   return nonneg(m, n);
}

bool
hd_rule_negative(const hd_match *m, unsigned n)
{
   return negative(m, n);
}

bool
hd_rule_nonzero(const hd_match *m, unsigned n)
{
   return nonzero(m, n);
}

uint64_t
hd_rule_most(const hd_match *m, unsigned n)
{
   return most(m, n);
}

uint64_t
hd_rule_least(const hd_match *m, unsigned n)
{
   return least(m, n);
}

bool
hd_rule_differ(const hd_match *m, unsigned a, unsigned b)
{
   return differ(m, a, b);
}

bool
hd_rule_canonical(const hd_match *m, unsigned n)
{
   return canonical(m, n);
}

bool
hd_rule_never_nan(const hd_match *m, unsigned n)
{
   return never_nan(m, n);
}

bool
hd_rule_flushes(const hd_match *m, unsigned size)
{
   return flushes(m, size);
}

bool
hd_rule_rtz(const hd_match *m, unsigned size)
{
   return rtz(m, size);
}

uint32_t
hd_rule_option(const hd_match *m, uint64_t n)
{
   return option(m, n);
}

bool
hd_rule_is_pow2(uint64_t a)
{
   return is_pow2(a);
}

bool
hd_rule_is_low_mask(uint64_t a)
{
   return is_low_mask(a);
}

uint64_t
hd_rule_mask(unsigned bits)
{
   return mask(bits);
}

uint64_t
hd_rule_ones(uint64_t count)
{
   return ones(count);
}

int64_t
hd_rule_sext(unsigned bits, uint64_t a)
{
   return sext(bits, a);
}

uint64_t
hd_rule_shl(uint64_t a, uint64_t count)
{
   return shl(a, count);
}

unsigned
hd_rule_bit_count(uint64_t a)
{
   return bit_count(a);
}

int64_t
hd_rule_find_lsb(uint64_t a)
{
   return find_lsb(a);
}

int64_t
hd_rule_find_msb(uint64_t a)
{
   return find_msb(a);
}

bool
hd_rule_float_is_nan(unsigned size, uint64_t a)
{
   return float_is_nan(size, a);
}

bool
hd_rule_float_is_inf(unsigned size, uint64_t a)
{
   return float_is_inf(size, a);
}

bool
hd_rule_float_is_zero(unsigned size, uint64_t a)
{
   return float_is_zero(size, a);
}

bool
hd_rule_float_is_negative(unsigned size, uint64_t a)
{
   return float_is_negative(size, a);
}

bool
hd_rule_float_is_normal(unsigned size, uint64_t a)
{
   return float_is_normal(size, a);
}

bool
hd_rule_float_is_moderate(unsigned size, uint64_t a)
{
   return float_is_moderate(size, a);
}

bool
hd_rule_float_less(unsigned size, uint64_t a, uint64_t b)
{
   return float_less(size, a, b);
}

bool
hd_rule_exact_reciprocal(unsigned size, uint64_t a)
{
   return exact_reciprocal(size, a);
}

bool
hd_rule_exact_int(unsigned size, unsigned float_size)
{
   return exact_int(size, float_size);
}
