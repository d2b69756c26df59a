/* SPDX-License-Identifier: MIT */
/* lanes.c - what reads other lanes: masks of lanes as values, getlane, shuffle.
 *
 * A mask as a value of the shader is four dwords, of which the 16 lanes take half of the first.
 */
#include "backend/nyuzi/select/expr.h"

static val
active_lanes(void)
{
   return hd_nyuzi_reg(HD_NYUZI_EXEC);
}

/* The bits of a mask of the shader that are lanes. */
static val
mask_of(sel *s, const hd_intrinsic *i)
{
   return and(s, hd_nyuzi_part(s, i->src[0].def, 0), K(HD_NYUZI_TRUE));
}

/* 16 bits: those of pairs, of fours, of bytes, of all. */
static val
count(sel *s, val mask)
{
   val n = sub(s, mask, and(s, shr(s, mask, K(1)), K(0x5555)));

   n = add(s, and(s, n, K(0x3333)), and(s, shr(s, n, K(2)), K(0x3333)));
   n = and(s, add(s, n, shr(s, n, K(4))), K(0x0f0f));
   return and(s, add(s, n, shr(s, n, K(8))), K(31));
}

static val
below(sel *s, val mask, bool inclusive)
{
   const val lanes = add(s, shl(s, K(inclusive ? 2 : 1), hd_nyuzi_lane(s)), K(-1));

   return and(s, mask, lanes);
}

static void
set_mask_op(sel *s, const hd_intrinsic *i)
{
   const val mask = mask_of(s, i);
   val result;

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_INVERSE_BALLOT:
      result = hd_nyuzi_of_first_lane(s, mask);
      break;
   case HD_INTRINSIC_BALLOT_BIT: {
      const val lane = hd_nyuzi_part(s, i->src[1].def, 0);
      const val there = pick(s, ltu(s, lane, K(HD_NYUZI_LANES)), mask, K(0));
      result = ne(s, and(s, shr(s, there, lane), K(1)), K(0));
      break;
   }
   case HD_INTRINSIC_BALLOT_BIT_COUNT:
      result = count(s, mask);
      break;
   case HD_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
      result = count(s, below(s, mask, true));
      break;
   case HD_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE:
      result = count(s, below(s, mask, false));
      break;
   case HD_INTRINSIC_BALLOT_FIND_LSB:
      result = pick(s, eq(s, mask, K(0)), K(-1), ctz(s, mask));
      break;
   default: /* ballot_find_msb */
      result = sub(s, K(31), clz(s, mask));
      break;
   }
   hd_nyuzi_set(s, &i->instr.def, result);
}

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
      hd_nyuzi_emit_full(s, HD_NYUZI_GETLANE, 1, &d, 2, (val[]){ part, lane });
      return d;
   default:
      d = hd_nyuzi_new(s, HD_NYUZI_VECTOR);
      hd_nyuzi_emit_full(s, HD_NYUZI_SHUFFLE, 1, &d, 2,
                         (val[]){ part, hd_nyuzi_in_vector(s, lane) });
      return d;
   }
}

static void
move_value(sel *s, const hd_intrinsic *i, how from, val lane)
{
   const hd_def *value = i->src[0].def;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_nyuzi_num_parts(value); n++) {
      const val part = hd_nyuzi_part(s, value, n);
      if (value->bit_size != 1)
         parts[n] = moved(s, part, from, lane);
      else if (hd_nyuzi_is_mask(s, part))
         parts[n] =
             ne(s, moved(s, pick(s, part, K(1), hd_nyuzi_in_vector(s, K(0))), from, lane), K(0));
      else
         parts[n] = part;
   }
   hd_nyuzi_set_parts(s, &i->instr.def, parts);
}

/* The difference of two lanes of a quad. */
static void
set_difference(sel *s, const hd_intrinsic *i, unsigned keep, unsigned step)
{
   const hd_def *value = i->src[0].def;
   const val first = and(s, hd_nyuzi_lane(s), K(keep)), second = or (s, first, K(step));
   val parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < value->num_components; n++) {
      const val part = hd_nyuzi_part(s, value, n);
      parts[n] = subf(s, moved(s, part, FROM_LANES, second), moved(s, part, FROM_LANES, first));
   }
   hd_nyuzi_set_parts(s, &i->instr.def, parts);
}

/* Four bits of the lanes of this quad for which it is true, or false. */
static void
set_quad_vote(sel *s, const hd_intrinsic *i, bool any)
{
   const val condition = hd_nyuzi_part(s, i->src[0].def, 0);
   const val lanes = hd_nyuzi_active(s, any ? condition : hd_nyuzi_not(s, condition));
   const val quad = and(s, hd_nyuzi_lane(s), K(~3u));
   const val bits = and(s, shr(s, hd_nyuzi_in_vector(s, lanes), quad), K(15));

   hd_nyuzi_set(s, &i->instr.def, any ? ne(s, bits, K(0)) : eq(s, bits, K(0)));
}

static val
operand(sel *s, const hd_intrinsic *i)
{
   return hd_nyuzi_part(s, i->src[1].def, 0);
}

static bool
moves_lanes(sel *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_READ_FIRST:
      move_value(s, i, FIRST, K(0));
      return true;
   case HD_INTRINSIC_BROADCAST:
      move_value(s, i, FROM_LANE, hd_nyuzi_of_first_lane(s, operand(s, i)));
      return true;
   case HD_INTRINSIC_SHUFFLE:
      move_value(s, i, FROM_LANES, operand(s, i));
      return true;
   case HD_INTRINSIC_SHUFFLE_XOR:
      move_value(s, i, FROM_LANES, xor(s, hd_nyuzi_lane(s), operand(s, i)));
      return true;
   case HD_INTRINSIC_SHUFFLE_UP:
      move_value(s, i, FROM_LANES, sub(s, hd_nyuzi_lane(s), operand(s, i)));
      return true;
   case HD_INTRINSIC_SHUFFLE_DOWN:
      move_value(s, i, FROM_LANES, add(s, hd_nyuzi_lane(s), operand(s, i)));
      return true;
   case HD_INTRINSIC_QUAD_BROADCAST:
      move_value(s, i, FROM_LANES,
                 or (s, and(s, hd_nyuzi_lane(s), K(~3u)), and(s, operand(s, i), K(3))));
      return true;
   case HD_INTRINSIC_QUAD_SWAP_HORIZONTAL:
      move_value(s, i, FROM_LANES, xor(s, hd_nyuzi_lane(s), K(1)));
      return true;
   case HD_INTRINSIC_QUAD_SWAP_VERTICAL:
      move_value(s, i, FROM_LANES, xor(s, hd_nyuzi_lane(s), K(2)));
      return true;
   case HD_INTRINSIC_QUAD_SWAP_DIAGONAL:
      move_value(s, i, FROM_LANES, xor(s, hd_nyuzi_lane(s), K(3)));
      return true;
   default:
      return false;
   }
}

static bool
select_derivative(sel *s, const hd_intrinsic *i)
{
   if (i->instr.def.bit_size != 32 ||
       s->p->shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32))
      return false;
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_DDX:
   case HD_INTRINSIC_DDX_COARSE:
      set_difference(s, i, ~3u, 1);
      return true;
   case HD_INTRINSIC_DDY:
   case HD_INTRINSIC_DDY_COARSE:
      set_difference(s, i, ~3u, 2);
      return true;
   case HD_INTRINSIC_DDX_FINE:
      set_difference(s, i, ~1u, 1);
      return true;
   case HD_INTRINSIC_DDY_FINE:
      set_difference(s, i, ~2u, 2);
      return true;
   default:
      return false;
   }
}

bool
hd_nyuzi_select_lanes(sel *s, const hd_intrinsic *i)
{
   val mask;

   if (moves_lanes(s, i) || select_derivative(s, i))
      return true;
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_BARRIER:
      return hd_nyuzi_select_barrier(s, i);
   case HD_INTRINSIC_BALLOT:
      mask = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
      hd_nyuzi_emit_full(
          s, HD_NYUZI_AND, 1, &mask, 2,
          (val[]){ hd_nyuzi_in_scalar(s, hd_nyuzi_part(s, i->src[0].def, 0)), active_lanes() });
      hd_nyuzi_set_parts(s, &i->instr.def, (val[]){ mask, K(0), K(0), K(0) });
      return true;
   case HD_INTRINSIC_INVERSE_BALLOT:
   case HD_INTRINSIC_BALLOT_BIT:
   case HD_INTRINSIC_BALLOT_BIT_COUNT:
   case HD_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
   case HD_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE:
   case HD_INTRINSIC_BALLOT_FIND_LSB:
   case HD_INTRINSIC_BALLOT_FIND_MSB:
      set_mask_op(s, i);
      return true;
   case HD_INTRINSIC_QUAD_VOTE_ANY:
   case HD_INTRINSIC_QUAD_VOTE_ALL:
      set_quad_vote(s, i, i->instr.op == HD_INTRINSIC_QUAD_VOTE_ANY);
      return true;
   default:
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                            hd_intrinsic_get_info((hd_intrinsic_id)i->instr.op)->name);
   }
}
