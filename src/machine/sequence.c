/* SPDX-License-Identifier: MIT */
/* sequence.c - instruction selection of ops and intrinsics by the table of sequences. */
#include "machine/sequence.h"

typedef struct walk {
   const hd_mach_sequences *table;
   const hd_mach_stepper *stepper;
   void *s;
   const hd_src *srcs;
   const hd_mach_operand *inputs; /* of a row that is a step, instead of the operands */
   const uint8_t *at;
   unsigned num; /* of steps so far */
   hd_mach_operand steps[HD_MACH_MAX_STEPS];
} walk;

static uint16_t
next_ref(walk *w)
{
   const unsigned byte = *w->at++;

   if (byte < HD_MACH_BYTE_CONSTANT)
      return (uint16_t)(HD_MACH_REF_STEP + w->num - 1 - byte);
   if (byte < HD_MACH_BYTE_INPUT)
      return (uint16_t)(HD_MACH_REF_CONSTANT + byte - HD_MACH_BYTE_CONSTANT);
   if (byte < HD_MACH_BYTE_LONG)
      return (uint16_t)(HD_MACH_REF_INPUT + (byte - HD_MACH_BYTE_INPUT) / 4 * 16 +
                        (byte - HD_MACH_BYTE_INPUT) % 4);
   w->at += 2;
   return (uint16_t)(w->at[-2] | w->at[-1] << 8);
}

static hd_mach_operand
next_value(walk *w)
{
   const uint16_t ref = next_ref(w);
   const unsigned n = ref & ~HD_MACH_REF_KINDS;

   switch (ref & HD_MACH_REF_KINDS) {
   case HD_MACH_REF_STEP:
      return w->steps[n];
   case HD_MACH_REF_CONSTANT:
      return w->stepper->constant(w->table->constants[n]);
   default:
      if (n >= HD_MACH_REF_START)
         return w->stepper->start(w->s, n - HD_MACH_REF_START);
      return w->inputs ? w->inputs[n / 16] : w->stepper->part(w->s, w->srcs[n / 16].def, n % 16);
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
   w->at = &w->table->steps[row->first];
   while (w->num < row->num % HD_MACH_RESULTS) {
      const unsigned byte = *w->at++, step = HD_MACH_STEP_OP(byte);
      const hd_mach_sequence *inner = NULL;
      hd_mach_operand v[3] = { { 0 } }, found[HD_MACH_MAX_RESULTS];
      if (step == HD_MACH_STEP_ROW) {
         inner = &w->table->rows[w->at[0] | w->at[1] << 8];
         w->at += 2;
      }
      for (unsigned k = 0; k < HD_MACH_STEP_NUM_SRCS(byte); k++)
         v[k] = next_value(w);
      if (inner) {
         walk of_inner = { .table = w->table, .stepper = w->stepper, .s = w->s, .inputs = v };
         run_row(&of_inner, inner, found);
         w->steps[w->num++] = found[0];
      } else {
         w->steps[w->num++] = w->stepper->emit(w->s, (hd_mach_step_op)step, v);
      }
   }
   for (unsigned n = 0; n < HD_MACH_MAX_RESULTS; n++)
      results[n] = n < row->num / HD_MACH_RESULTS ? next_value(w) : (hd_mach_operand){ 0 };
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
