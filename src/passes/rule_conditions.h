/* SPDX-License-Identifier: MIT */
/* rule_conditions.h - the words that conditions of rules are made of. For generated tables. */
#ifndef HEDDLE_PASSES_RULE_CONDITIONS_H
#define HEDDLE_PASSES_RULE_CONDITIONS_H

#include "ir/fold.h"
#include "passes/known_bits.h"
#include "passes/rewrite.h"

/* Not every rule set asks for everything. */
#if defined(__GNUC__)
#define HD_WORD __attribute__((unused)) static inline
#else
#define HD_WORD static inline
#endif

/* Nodes */

HD_WORD unsigned
bits(const struct hd_match *m, unsigned n)
{
   return m->node[n]->bit_size;
}

HD_WORD unsigned
comps(const struct hd_match *m, unsigned n)
{
   return m->node[n]->num_components;
}

/* Of a constant. */
HD_WORD uint64_t
value(const struct hd_match *m, unsigned n, unsigned c)
{
   const hd_const *k = (const hd_const *)hd_def_instr(m->node[n]);

   return hd_const_get(&k->value[c], m->node[n]->bit_size);
}

HD_WORD bool
once(const struct hd_match *m, unsigned n)
{
   const hd_src *use = m->node[n]->uses;

   return use && !hd_src_next_use(use);
}

HD_WORD bool
not_const(const struct hd_match *m, unsigned n)
{
   return hd_def_instr(m->node[n])->kind != HD_INSTR_CONST;
}

HD_WORD bool
known_zero(const struct hd_match *m, unsigned n, uint64_t which)
{
   return !(which & ~hd_known_bits_of(m->node[n]).zeros);
}

HD_WORD bool
known_one(const struct hd_match *m, unsigned n, uint64_t which)
{
   return !(which & ~hd_known_bits_of(m->node[n]).ones);
}

HD_WORD bool
nonneg(const struct hd_match *m, unsigned n)
{
   return hd_known_bits_of(m->node[n]).zeros >> (m->node[n]->bit_size - 1) & 1;
}

HD_WORD bool
negative(const struct hd_match *m, unsigned n)
{
   return hd_known_bits_of(m->node[n]).ones >> (m->node[n]->bit_size - 1) & 1;
}

HD_WORD bool
nonzero(const struct hd_match *m, unsigned n)
{
   return hd_known_bits_of(m->node[n]).ones != 0;
}

HD_WORD uint64_t
most(const struct hd_match *m, unsigned n)
{
   return hd_known_most(hd_known_bits_of(m->node[n]), m->node[n]->bit_size);
}

HD_WORD uint64_t
least(const struct hd_match *m, unsigned n)
{
   return hd_known_least(hd_known_bits_of(m->node[n]));
}

HD_WORD bool
differ(const struct hd_match *m, unsigned a, unsigned b)
{
   const hd_known_bits x = hd_known_bits_of(m->node[a]), y = hd_known_bits_of(m->node[b]);

   return (x.ones & y.zeros) || (x.zeros & y.ones);
}

/* Modes and options */

HD_WORD bool
flushes(const struct hd_match *m, unsigned size)
{
   return m->shader->float_controls & size >> 4;
}

HD_WORD bool
rtz(const struct hd_match *m, unsigned size)
{
   return m->shader->float_controls >> 3 & size >> 4;
}

HD_WORD uint32_t
option(const struct hd_match *m, uint64_t n)
{
   return m->options ? m->options[n] : 0;
}

/* Numbers */

HD_WORD bool
is_pow2(uint64_t a)
{
   return a && !(a & (a - 1));
}

/* Ones from bit 0 up, at least one. */
HD_WORD bool
is_low_mask(uint64_t a)
{
   return a && !(a & (a + 1));
}

HD_WORD bool
float_is_nan(unsigned size, uint64_t a)
{
   return hd_float_is_nan(size, a);
}

HD_WORD bool
float_is_inf(unsigned size, uint64_t a)
{
   return hd_float_is_inf(size, a);
}

HD_WORD bool
float_is_zero(unsigned size, uint64_t a)
{
   return !hd_float_abs(size, a);
}

HD_WORD bool
float_is_negative(unsigned size, uint64_t a)
{
   return hd_float_sign(size, a);
}

HD_WORD bool
float_less(unsigned size, uint64_t a, uint64_t b)
{
   return hd_float_lt(size, a, b);
}

/* Neither zero, denormal, infinite nor NaN. */
HD_WORD bool
float_is_normal(unsigned size, uint64_t a)
{
   return hd_float_abs(size, a) < hd_float_inf(size) &&
          hd_float_abs(size, a) >> hd_float_fraction_bits(size) != 0;
}

/* Zero, or of a magnitude such that sums and products of two are normal numbers or zero. */
HD_WORD bool
float_is_moderate(unsigned size, uint64_t a)
{
   const uint64_t one = hd_float_one(size) >> hd_float_fraction_bits(size);
   const uint64_t e = hd_float_abs(size, a) >> hd_float_fraction_bits(size);

   return !hd_float_abs(size, a) || (e > one / 2 + 1 && e < one + one / 2 - 1);
}

/* A power of two whose reciprocal is a normal number, as it is one itself. */
HD_WORD bool
exact_reciprocal(unsigned size, uint64_t a)
{
   const unsigned fraction = hd_float_fraction_bits(size);
   const uint64_t one = hd_float_one(size) >> fraction;
   const uint64_t e = hd_float_abs(size, a) >> fraction;

   return !(a & ones(fraction)) && e >= 1 && e < 2 * one;
}

/* Every integer of `size` bits, signed or unsigned, is a float of `float_size` bits. */
HD_WORD bool
exact_int(unsigned size, unsigned float_size)
{
   return size <= hd_float_fraction_bits(float_size) + 1;
}

/* Is it known to be no NaN? */
HD_WORD bool
never_nan(const struct hd_match *m, unsigned n)
{
   const hd_instr *i = hd_def_instr(m->node[n]);

   if (i->kind == HD_INSTR_CONST) {
      for (unsigned c = 0; c < comps(m, n); c++) {
         if (hd_float_is_nan(bits(m, n), value(m, n, c)))
            return false;
      }
      return true;
   }
   if (i->kind != HD_INSTR_ALU)
      return false;
   switch (i->op) {
   case HD_OP_B2F:
   case HD_OP_U2F:
   case HD_OP_I2F:
   case HD_OP_FSAT:
   case HD_OP_FSIGN:
      return true;
   default:
      return false;
   }
}

/* Is it what a float op would make of it? Such a value has no NaN but the canonical one, and no
 * denormal if those of its size are flushed.
 */
HD_WORD bool
canonical(const struct hd_match *m, unsigned n)
{
   const hd_instr *i = hd_def_instr(m->node[n]);

   if (i->kind == HD_INSTR_CONST) {
      for (unsigned c = 0; c < comps(m, n); c++) {
         const uint64_t a = value(m, n, c);
         const unsigned size = bits(m, n);
         if ((hd_float_is_nan(size, a) && a != hd_float_nan(size)) ||
             (hd_float_is_denorm(size, a) && flushes(m, size)))
            return false;
      }
      return true;
   }
   if (i->kind != HD_INSTR_ALU)
      return false;
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   return info->result.kind == HD_KIND_FLOAT && (info->flags & HD_OP_FLUSHES);
}

#endif
