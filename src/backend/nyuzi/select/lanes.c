/* SPDX-License-Identifier: MIT */
/* lanes.c - instruction selection of cross-lane operations: lane masks, getlane, shuffle. */
#include "backend/nyuzi/select/expr.h"
#include "heddle/intrinsic_enum.h"

/* Values of other lanes, part by part; booleans as numbers. */

typedef enum how { FIRST, FROM_LANE, FROM_LANES } how;

static val
moved(sel *s, val part, how from, val lane)
{
   val d;

   if (!hd_nyuzi_is_vector(s, part))
      return part;
   switch (from) {
   case FIRST:
      return hd_nyuzi_of_first_lane(s, part);
   case FROM_LANE:
      d = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
      if (hd_nyuzi_is_constant(&lane))
         lane = K(hd_nyuzi_constant(&lane) % HD_NYUZI_LANES);
      hd_mach_selector_emit(&s->base, HD_NYUZI_GETLANE, 1, &d, 2, (val[]){ part, lane });
      return d;
   default:
      d = hd_nyuzi_new(s, HD_NYUZI_VECTOR);
      hd_mach_selector_emit(&s->base, HD_NYUZI_SHUFFLE, 1, &d, 2,
                            (val[]){ part, hd_nyuzi_in_vector(s, lane) });
      return d;
   }
}

static void
move_value(sel *s, const hd_intrinsic *i, how from, val lane)
{
   const hd_def *value = i->src[0].def;
   const val zero = value->bit_size == 1 ? hd_nyuzi_in_vector(s, K(0)) : K(0);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(value); n++) {
      const val part = hd_mach_part(&s->base, value, n);
      if (value->bit_size != 1)
         parts[n] = moved(s, part, from, lane);
      else if (hd_nyuzi_is_mask(s, part))
         parts[n] = ne(s, moved(s, pick(s, part, K(1), zero), from, lane), K(0));
      else
         parts[n] = part;
   }
   hd_mach_set_parts(&s->base, &i->instr.def, parts);
}

static val
of_lanes(void *s, val part, val lanes)
{
   return moved(s, part, FROM_LANES, lanes);
}

static val
ballot_of_quads(void *s, val condition, bool inverse)
{
   return hd_nyuzi_active(s, inverse ? hd_nyuzi_not(s, condition) : condition);
}

static val
lane(void *s)
{
   return hd_nyuzi_lane(s);
}

static const hd_mach_quads quads = { .of_lanes = of_lanes,
                                     .ballot = ballot_of_quads,
                                     .lane = lane };

static void
set_ballot(sel *s, const hd_intrinsic *i)
{
   const val condition = hd_nyuzi_in_scalar(s, hd_mach_part(&s->base, i->src[0].def, 0));
   const val mask = hd_nyuzi_new(s, HD_NYUZI_SCALAR);

   hd_mach_selector_emit(&s->base, HD_NYUZI_AND, 1, &mask, 2,
                         (val[]){ condition, hd_nyuzi_reg(HD_NYUZI_EXEC) });
   hd_mach_set_parts(&s->base, &i->instr.def, (val[]){ mask, K(0), K(0), K(0) });
}

bool
hd_nyuzi_select_lanes(sel *s, const hd_intrinsic *i)
{
   val v[HD_MACH_MAX_RESULTS];

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_BARRIER:
      return hd_nyuzi_select_barrier(s, i);
   case HD_INTRINSIC_BALLOT:
      set_ballot(s, i);
      return true;
   case HD_INTRINSIC_INVERSE_BALLOT:
      v[0] = and(s, hd_mach_part(&s->base, i->src[0].def, 0), K(HD_NYUZI_TRUE));
      hd_mach_set_part(&s->base, &i->instr.def, hd_nyuzi_of_first_lane(s, v[0]));
      return true;
   case HD_INTRINSIC_READ_FIRST:
      move_value(s, i, FIRST, K(0));
      return true;
   case HD_INTRINSIC_BROADCAST:
      v[0] = hd_mach_part(&s->base, i->src[1].def, 0);
      move_value(s, i, FROM_LANE, hd_nyuzi_of_first_lane(s, v[0]));
      return true;
   default:
      break;
   }
   if (hd_mach_is_of_quad(i))
      return hd_mach_select_quad(&s->base, &quads, i);
   if (!hd_mach_run_intrinsic(&s->base, i, v))
      return false;
   /* What has a row is a mask as a value, or says which lanes are read. */
   if (hd_mach_moves_values(i))
      move_value(s, i, FROM_LANES, v[0]);
   else
      hd_mach_set_part(&s->base, &i->instr.def, v[0]);
   return true;
}
