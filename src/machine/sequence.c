/* SPDX-License-Identifier: MIT */
/* sequence.c - instruction selection of ops and intrinsics by the table of sequences. */
#include "machine/sequence.h"

typedef struct walk {
   const hd_mach_sequences *table;
   const hd_mach_stepper *stepper;
   void *s;
   const hd_src *srcs;
   hd_mach_operand steps[HD_MACH_MAX_STEPS];
} walk;

static hd_mach_operand
value_of(const walk *w, uint16_t ref)
{
   const unsigned n = ref & ~HD_MACH_REF_KINDS;

   switch (ref & HD_MACH_REF_KINDS) {
   case HD_MACH_REF_STEP:
      return w->steps[n];
   case HD_MACH_REF_CONSTANT:
      return w->stepper->constant(w->table->constants[n]);
   case HD_MACH_REF_INPUT:
      return n >= HD_MACH_REF_START ? w->stepper->start(w->s, n - HD_MACH_REF_START)
                                    : w->stepper->part(w->s, w->srcs[n / 16].def, n % 16);
   default:
      return (hd_mach_operand){ 0 };
   }
}

static const hd_mach_sequence *
find_row(const hd_mach_sequences *table, unsigned op, unsigned from, unsigned to)
{
   uint32_t first = 0, num = table->num_rows;

   while (num) {
      const uint32_t half = num / 2;
      if (table->rows[first + half].op < op) {
         first += half + 1;
         num -= half + 1;
      } else {
         num = half;
      }
   }
   /* The rows of an op are few. */
   for (; first < table->num_rows && table->rows[first].op == op; first++) {
      const hd_mach_sequence *row = &table->rows[first];
      if (row->from == from && row->to == to)
         return row;
   }
   return NULL;
}

bool
hd_mach_run_sequence(const hd_mach_sequences *table, const hd_mach_stepper *stepper, void *s,
                     unsigned op, unsigned from, unsigned to, const hd_src *srcs,
                     hd_mach_operand results[HD_MACH_MAX_RESULTS])
{
   const hd_mach_sequence *row = find_row(table, op, from, to);
   walk w = { .table = table, .stepper = stepper, .s = s, .srcs = srcs };

   if (!row)
      return false;
   const uint16_t *at = &table->steps[row->first];
   for (unsigned n = 0; n < row->num % HD_MACH_RESULTS; n++) {
      const unsigned step = *at++, num = HD_MACH_STEP_NUM_SRCS(step);
      hd_mach_operand v[3] = { { 0 } };
      for (unsigned k = 0; k < num; k++)
         v[k] = value_of(&w, *at++);
      w.steps[n] = stepper->emit(s, (hd_mach_step_op)HD_MACH_STEP_OP(step), v);
   }
   for (unsigned n = 0; n < HD_MACH_MAX_RESULTS; n++)
      results[n] = n < row->num / HD_MACH_RESULTS ? value_of(&w, *at++) : (hd_mach_operand){ 0 };
   return true;
}
