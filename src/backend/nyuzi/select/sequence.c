/* SPDX-License-Identifier: MIT */
/* sequence.c - ops and intrinsics that the table of sequences has: its steps, one after the other. */
#include "backend/nyuzi/select/sequence.h"
#include "backend/nyuzi/select/expr.h"
#include "heddle/op_enum.h"

static val
value_of(sel *s, const hd_src *srcs, const val *steps, uint16_t ref)
{
   const unsigned n = ref & ~HD_NYUZI_REF_KINDS;

   switch (ref & HD_NYUZI_REF_KINDS) {
   case HD_NYUZI_STEP:
      return steps[n];
   case HD_NYUZI_CONSTANT:
      return K(hd_nyuzi_constants[n]);
   case HD_NYUZI_INPUT:
      if (n >= HD_NYUZI_INPUT_START)
         return hd_nyuzi_of(s->p)->start[n - HD_NYUZI_INPUT_START];
      return hd_nyuzi_part(s, srcs[n / 16].def, n % 16);
   default:
      return (val){ 0 };
   }
}

static val
emit_step(sel *s, unsigned op, val a, val b, val c)
{
   switch (op) {
   case HD_NYUZI_STEP_CHOOSE:
      return hd_nyuzi_choose(s, a, b, c);
   case HD_NYUZI_STEP_NOT:
      return hd_nyuzi_not(s, a);
   case HD_NYUZI_STEP_LOGIC_AND:
      return hd_nyuzi_logic(s, HD_NYUZI_AND, a, b);
   case HD_NYUZI_STEP_LOGIC_OR:
      return hd_nyuzi_logic(s, HD_NYUZI_OR, a, b);
   case HD_NYUZI_STEP_LOGIC_XOR:
      return hd_nyuzi_logic(s, HD_NYUZI_XOR, a, b);
   default:
      return b.size ? hd_nyuzi_emit(s, op, a, b) : hd_nyuzi_emit(s, op, b, a);
   }
}

static const hd_nyuzi_sequence *
find_row(unsigned op, unsigned from, unsigned to)
{
   uint32_t first = 0, num = hd_nyuzi_num_sequences;

   while (num) {
      const uint32_t half = num / 2;
      if (hd_nyuzi_sequences[first + half].op < op) {
         first += half + 1;
         num -= half + 1;
      } else {
         num = half;
      }
   }
   /* The rows of an op are few. */
   for (; first < hd_nyuzi_num_sequences && hd_nyuzi_sequences[first].op == op; first++) {
      const hd_nyuzi_sequence *row = &hd_nyuzi_sequences[first];
      if (row->from == from && row->to == to)
         return row;
   }
   return NULL;
}

bool
hd_nyuzi_run_sequence(sel *s, unsigned op, unsigned from, unsigned to, const hd_src *srcs,
                      val results[HD_NYUZI_MAX_RESULTS])
{
   const hd_nyuzi_sequence *row = find_row(op, from, to);
   val steps[HD_NYUZI_MAX_STEPS];

   if (!row)
      return false;
   for (unsigned n = 0; n < row->num; n++) {
      const hd_nyuzi_step *step = &hd_nyuzi_steps[row->first + n];
      val v[3];
      for (unsigned k = 0; k < 3; k++)
         v[k] = value_of(s, srcs, steps, step->srcs[k]);
      steps[n] = emit_step(s, step->op, v[0], v[1], v[2]);
   }
   for (unsigned n = 0; n < HD_NYUZI_MAX_RESULTS; n++)
      results[n] = value_of(s, srcs, steps, row->results[n]);
   return true;
}

bool
hd_nyuzi_run_intrinsic(sel *s, const hd_intrinsic *i, val results[HD_NYUZI_MAX_RESULTS])
{
   return hd_nyuzi_run_sequence(s, HD_NUM_OPS + i->instr.op, 0, 0, i->src, results) ||
          hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                         hd_instr_intrinsic_info(&i->instr)->name);
}
