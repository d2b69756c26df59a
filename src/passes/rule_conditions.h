/* SPDX-License-Identifier: MIT */
/* rule_conditions.h - predicates that rule conditions are written with, for generated tables. */
#ifndef HEDDLE_PASSES_RULE_CONDITIONS_H
#define HEDDLE_PASSES_RULE_CONDITIONS_H

#include "analysis/known_bits.h"
#include "heddle/op_enum.h"
#include "passes/rewrite.h"
#include "passes/rule_numbers.h"

/* Nodes */

HD_WORD unsigned
bits(const hd_match *m, unsigned n)
{
   return m->node[n]->bit_size;
}

HD_WORD unsigned
comps(const hd_match *m, unsigned n)
{
   return m->node[n]->num_components;
}

/* Of a constant. */
HD_WORD uint64_t
value(const hd_match *m, unsigned n, unsigned c)
{
   const hd_const *k = (const hd_const *)hd_def_instr(m->node[n]);

   return hd_const_get(&k->value[c], m->node[n]->bit_size);
}

HD_WORD bool
once(const hd_match *m, unsigned n)
{
   const hd_src *use = m->node[n]->uses;

   return use && !hd_src_next_use(use);
}

HD_WORD bool
not_const(const hd_match *m, unsigned n)
{
   return hd_def_instr(m->node[n])->kind != HD_INSTR_CONST;
}

/* Rules that are tried on one instruction ask the same of the same values. */
HD_WORD hd_known_bits
known_of(const hd_match *m, unsigned n)
{
   struct hd_rule_asked *asked = &m->asked[n % HD_RULE_NUM_ASKED];

   if (asked->def != m->node[n])
      *asked = (struct hd_rule_asked){ m->node[n], hd_known_bits_of(m->node[n]) };
   return asked->known;
}

HD_WORD bool
known_zero(const hd_match *m, unsigned n, uint64_t which)
{
   return !(which & ~known_of(m, n).zeros);
}

HD_WORD bool
known_one(const hd_match *m, unsigned n, uint64_t which)
{
   return !(which & ~known_of(m, n).ones);
}

HD_WORD bool
nonneg(const hd_match *m, unsigned n)
{
   return known_of(m, n).zeros >> (m->node[n]->bit_size - 1) & 1;
}

HD_WORD bool
negative(const hd_match *m, unsigned n)
{
   return known_of(m, n).ones >> (m->node[n]->bit_size - 1) & 1;
}

HD_WORD bool
nonzero(const hd_match *m, unsigned n)
{
   return known_of(m, n).ones != 0;
}

HD_WORD uint64_t
most(const hd_match *m, unsigned n)
{
   return hd_known_most(known_of(m, n), m->node[n]->bit_size);
}

HD_WORD uint64_t
least(const hd_match *m, unsigned n)
{
   return hd_known_least(known_of(m, n));
}

HD_WORD bool
differ(const hd_match *m, unsigned a, unsigned b)
{
   const hd_known_bits x = known_of(m, a);

   /* A constant is the second one. */
   if (!(x.ones | x.zeros))
      return false;
   const hd_known_bits y = known_of(m, b);
   return (x.ones & y.zeros) || (x.zeros & y.ones);
}

/* Modes and options */

HD_WORD bool
flushes(const hd_match *m, unsigned size)
{
   return m->shader->float_controls & size >> 4;
}

HD_WORD bool
rtz(const hd_match *m, unsigned size)
{
   return m->shader->float_controls >> 3 & size >> 4;
}

HD_WORD uint32_t
option(const hd_match *m, uint64_t n)
{
   return m->options ? m->options[n] : 0;
}

/* Is it known to be no NaN? */
HD_WORD bool
never_nan(const hd_match *m, unsigned n)
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
canonical(const hd_match *m, unsigned n)
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
