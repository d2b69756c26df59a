/* SPDX-License-Identifier: MIT */
/* select_quads.c - instruction selection of derivatives and of votes in quads, for machines that have values in parts.
 */
#include "heddle/intrinsic_enum.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;
typedef hd_mach_operand val;

static val
step(sel *s, hd_mach_step_op op, val a, val b)
{
   return s->rows->steps.emit(s, op, (val[]){ a, b, { 0 } });
}

static val
constant(const sel *s, uint32_t bits)
{
   return s->rows->steps.constant(bits);
}

/* The difference of two lanes of a quad. */
static bool
select_derivative(sel *s, const hd_mach_quads *rows, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   val parts[HD_MAX_COMPONENTS], lanes[HD_MACH_MAX_RESULTS];

   if (value->bit_size != 32 ||
       s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return hd_mach_refuse_intrinsic(s, i);
   if (!hd_mach_run_intrinsic(s, i, lanes))
      return false;
   for (unsigned n = 0; n < value->num_components; n++) {
      const val part = hd_mach_part(s, value, n);
      const val first = rows->of_lanes(s, part, lanes[0]);
      const val second = rows->of_lanes(s, part, lanes[1]);
      parts[n] = step(s, HD_MACH_STEP_SUB_F, second, first);
   }
   hd_mach_set_parts(s, &i->instr.def, parts);
   return true;
}

/* Four bits of the lanes of this quad for which it is true, or false. */
static void
select_vote(sel *s, const hd_mach_quads *rows, const hd_intrinsic *i, bool any)
{
   const val lanes = rows->ballot(s, hd_mach_part(s, i->src[0].def, 0), !any);
   const val quad = step(s, HD_MACH_STEP_AND, rows->lane(s), constant(s, ~3u));
   const val from = step(s, HD_MACH_STEP_SHR, lanes, quad);
   const val bits = step(s, HD_MACH_STEP_AND, from, constant(s, 15));

   hd_mach_set_part(
       s, &i->instr.def,
       step(s, any ? HD_MACH_STEP_CMPNE_I : HD_MACH_STEP_CMPEQ_I, bits, constant(s, 0)));
}

bool
hd_mach_is_of_quad(const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_QUAD_VOTE_ANY:
   case HD_INTRINSIC_QUAD_VOTE_ALL:
   case HD_INTRINSIC_DDX:
   case HD_INTRINSIC_DDX_COARSE:
   case HD_INTRINSIC_DDX_FINE:
   case HD_INTRINSIC_DDY:
   case HD_INTRINSIC_DDY_COARSE:
   case HD_INTRINSIC_DDY_FINE:
      return true;
   default:
      return false;
   }
}

bool
hd_mach_select_quad(sel *s, const hd_mach_quads *rows, const hd_intrinsic *i)
{
   const bool any = i->instr.op == HD_INTRINSIC_QUAD_VOTE_ANY;

   if (!any && i->instr.op != HD_INTRINSIC_QUAD_VOTE_ALL)
      return select_derivative(s, rows, i);
   select_vote(s, rows, i, any);
   return true;
}
