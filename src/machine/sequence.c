/* SPDX-License-Identifier: MIT */
/* sequence.c - instruction selection of ops and intrinsics by the table of sequences. */
#include "machine/sequence.h"

typedef struct walk {
   const hd_mach_sequences *table;
   const hd_mach_stepper *stepper;
   void *s;
   const hd_src *srcs;
   const hd_mach_operand *inputs; /* of a row that is a step, instead of the operands */
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
      if (n >= HD_MACH_REF_START)
         return w->stepper->start(w->s, n - HD_MACH_REF_START);
      return w->inputs ? w->inputs[n / 16] : w->stepper->part(w->s, w->srcs[n / 16].def, n % 16);
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

/* Rows that are steps of others are few deep: no row is a step of itself. */
static void
run_row(walk *w, const hd_mach_sequence *row, hd_mach_operand results[HD_MACH_MAX_RESULTS])
{
   const uint16_t *at = &w->table->steps[row->first];

   for (unsigned n = 0; n < row->num % HD_MACH_RESULTS; n++) {
      const unsigned word = *at++, step = HD_MACH_STEP_OP(word);
      const hd_mach_sequence *inner = &w->table->rows[step == HD_MACH_STEP_ROW ? *at++ : 0];
      const unsigned num = HD_MACH_STEP_NUM_SRCS(word) - (step == HD_MACH_STEP_ROW);
      hd_mach_operand v[3] = { { 0 } }, found[HD_MACH_MAX_RESULTS];
      for (unsigned k = 0; k < num; k++)
         v[k] = value_of(w, *at++);
      if (step == HD_MACH_STEP_ROW) {
         walk of_inner = { .table = w->table, .stepper = w->stepper, .s = w->s, .inputs = v };
         run_row(&of_inner, inner, found);
         w->steps[n] = found[0];
      } else {
         w->steps[n] = w->stepper->emit(w->s, (hd_mach_step_op)step, v);
      }
   }
   for (unsigned n = 0; n < HD_MACH_MAX_RESULTS; n++)
      results[n] = n < row->num / HD_MACH_RESULTS ? value_of(w, *at++) : (hd_mach_operand){ 0 };
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
   run_row(&w, row, results);
   return true;
}
