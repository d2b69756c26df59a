/* SPDX-License-Identifier: MIT */
/* exhaust_facts.h - the words of conditions (passes/rule_conditions.h) where all values are known.
 */
#ifndef HEDDLE_TESTS_PASSES_EXHAUST_FACTS_H
#define HEDDLE_TESTS_PASSES_EXHAUST_FACTS_H

#include "passes/exhaust.h"
#include "passes/rule_numbers.h"

HD_WORD unsigned
bits(const struct facts *m, unsigned n)
{
   return m->bits[n];
}

HD_WORD unsigned
comps(const struct facts *m, unsigned n)
{
   return m->comps[n];
}

HD_WORD uint64_t
value(const struct facts *m, unsigned n, unsigned c)
{
   return hd_const_get(&m->value[n][c], m->bits[n]);
}

/* Of values that are no constants a condition may count on nothing that is not known: a rule that
 * is right must be so with one use and with many, and for what happens to be a constant.
 */
HD_WORD bool
once(const struct facts *m, unsigned n)
{
   (void)m, (void)n;
   return true;
}

HD_WORD bool
not_const(const struct facts *m, unsigned n)
{
   (void)m, (void)n;
   return true;
}

HD_WORD bool
known_one(const struct facts *m, unsigned n, uint64_t which)
{
   for (unsigned c = 0; c < comps(m, n); c++) {
      if (which & ~value(m, n, c))
         return false;
   }
   return true;
}

HD_WORD bool
known_zero(const struct facts *m, unsigned n, uint64_t which)
{
   for (unsigned c = 0; c < comps(m, n); c++) {
      if (which & value(m, n, c))
         return false;
   }
   return true;
}

HD_WORD bool
negative(const struct facts *m, unsigned n)
{
   return known_one(m, n, UINT64_C(1) << (bits(m, n) - 1));
}

HD_WORD bool
nonneg(const struct facts *m, unsigned n)
{
   return known_zero(m, n, UINT64_C(1) << (bits(m, n) - 1));
}

HD_WORD uint64_t
most(const struct facts *m, unsigned n)
{
   uint64_t most = 0;

   for (unsigned c = 0; c < comps(m, n); c++)
      most = umax(most, value(m, n, c));
   return most;
}

HD_WORD uint64_t
least(const struct facts *m, unsigned n)
{
   uint64_t least = ~UINT64_C(0);

   for (unsigned c = 0; c < comps(m, n); c++)
      least = umin(least, value(m, n, c));
   return least;
}

HD_WORD bool
nonzero(const struct facts *m, unsigned n)
{
   return least(m, n) != 0;
}

HD_WORD bool
differ(const struct facts *m, unsigned a, unsigned b)
{
   for (unsigned c = 0; c < comps(m, a); c++) {
      if (value(m, a, c) == value(m, b, c))
         return false;
   }
   return true;
}

HD_WORD bool
flushes(const struct facts *m, unsigned size)
{
   return m->controls & size >> 4;
}

HD_WORD bool
rtz(const struct facts *m, unsigned size)
{
   return m->controls >> 3 & size >> 4;
}

HD_WORD uint32_t
option(const struct facts *m, uint64_t n)
{
   (void)m, (void)n;
   return UINT32_MAX;
}

/* No rule that asks for it has an operand of 8 bits. */
HD_WORD bool
canonical(const struct facts *m, unsigned n)
{
   (void)m, (void)n;
   return false;
}

HD_WORD bool
never_nan(const struct facts *m, unsigned n)
{
   for (unsigned c = 0; c < comps(m, n); c++) {
      if (hd_float_is_nan(bits(m, n), value(m, n, c)))
         return false;
   }
   return true;
}

#endif
