/* SPDX-License-Identifier: MIT */
/* lanes.c - instruction selection of cross-lane operations, barriers and built-in inputs. */
#include "backend/gen9/select/select.h"
#include "heddle/intrinsic_enum.h"

static val
lane(void *user)
{
   sel *s = user;

   return and(s, hd_gen9_payload(s, HD_GEN9_START_INDEX), K(hd_gen9_of(s->p)->width->lanes - 1u));
}

/* Values of other lanes, part by part; booleans are numbers, too. `lane` of size 0: the lowest active
 * one.
 */
static val
moved(void *user, val part, val lane)
{
   sel *s = user;
   const val none = { 0 };

   if (!lane.size)
      return hd_gen9_first_lane(s, part);
   if (!hd_gen9_is_vector(s, part))
      return part;
   const bool each = hd_gen9_is_vector(s, lane);
   const val d = hd_gen9_new(s, each ? HD_GEN9_VECTOR : HD_GEN9_UNIFORM);
   hd_gen9_append(s, each ? HD_GEN9_P_SHUFFLE : HD_GEN9_P_FIRST, HD_GEN9_TYPE_UD, d, part, lane,
                  none);
   return d;
}

static void
move_value(sel *s, const hd_intrinsic *i, val lane)
{
   const hd_def *value = i->src[0].def;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(value); n++)
      parts[n] = moved(s, hd_mach_part(s, value, n), lane);
   hd_mach_set_parts(s, &i->instr.def, parts);
}

/* Bits of the active lanes where it is true. */
static val
ballot(sel *s, val condition)
{
   const val d = hd_gen9_new(s, HD_GEN9_UNIFORM), none = { 0 };
   const val from = hd_gen9_in_register(s, condition);

   hd_gen9_append(s, HD_GEN9_P_BALLOT, HD_GEN9_TYPE_UD, d, from, none, none);
   return d;
}

static val
ballot_of_quads(void *s, val condition, bool inverse)
{
   return ballot(s, inverse ? xor(s, condition, K(UINT32_MAX)) : condition);
}

static const hd_mach_quads quads = { .of_lanes = moved, .ballot = ballot_of_quads, .lane = lane };

static void
set_inverse_ballot(sel *s, const hd_intrinsic *i)
{
   const val mask = hd_mach_part(s, i->src[0].def, 0);
   const val bit = and(s, shr(s, mask, lane(s)), K(1));

   hd_mach_set_part(s, &i->instr.def,
                    hd_gen9_compare(s, HD_GEN9_CONDITION_NE, HD_GEN9_TYPE_D, bit, K(0)));
}

static bool
select_barrier(sel *s, const hd_intrinsic *i)
{
   const val none = { 0 };
   bool waits;

   if (!hd_mach_check_barrier(s, i, &waits))
      return false;
   if (waits)
      hd_gen9_append(s, HD_GEN9_P_BARRIER, HD_GEN9_TYPE_UD, none, none, none, none);
   return true;
}

/* What has a row says which lanes are read, or is the value. */
static bool
select_by_row(sel *s, const hd_intrinsic *i)
{
   val v[HD_MACH_MAX_RESULTS];

   if (!hd_mach_run_intrinsic(s, i, v))
      return false;
   if (hd_mach_moves_values(i))
      move_value(s, i, v[0]);
   else
      hd_mach_set_parts(s, &i->instr.def, v);
   return true;
}

bool
hd_gen9_select_lanes(sel *s, const hd_intrinsic *i)
{
   val v[4] = { { 0 } };

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_BARRIER:
      return select_barrier(s, i);
   case HD_INTRINSIC_BALLOT:
      v[0] = ballot(s, hd_mach_part(s, i->src[0].def, 0));
      v[1] = v[2] = v[3] = K(0);
      hd_mach_set_parts(s, &i->instr.def, v);
      return true;
   case HD_INTRINSIC_INVERSE_BALLOT:
      set_inverse_ballot(s, i);
      return true;
   case HD_INTRINSIC_READ_FIRST:
      move_value(s, i, v[0]);
      return true;
   case HD_INTRINSIC_BROADCAST:
      move_value(s, i, hd_mach_part(s, i->src[1].def, 0));
      return true;
   default:
      return hd_mach_is_of_quad(i) ? hd_mach_select_quad(s, &quads, i) : select_by_row(s, i);
   }
}
