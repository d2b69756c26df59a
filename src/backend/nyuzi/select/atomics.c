/* SPDX-License-Identifier: MIT */
/* atomics.c - instruction selection of atomics (one lane after the other) and barriers. */
#include "backend/nyuzi/select/expr.h"
#include "heddle/intrinsic_enum.h"

/* hd_mach_inst.bits of p_atomic: hd_atomic_op, or this. */
#define COMPARE_AND_SWAP 255u

bool
hd_nyuzi_select_atomic(sel *s, const hd_intrinsic *i)
{
   bool swap;
   const bool is_known = hd_mach_is_atomic(i, &swap);
   const uint32_t op = swap ? COMPARE_AND_SWAP : hd_intrinsic_index(i, HD_INDEX_ATOMIC_OP);
   hd_nyuzi_place place;
   val defs[7], data[2];

   if (!is_known)
      return hd_mach_refuse_intrinsic(&s->base, i);
   if (i->instr.def.bit_size != 32)
      return hd_mach_refuse(s->base.p, &i->instr, "expected an atomic of 32 bits, found %u",
                            i->instr.def.bit_size);
   if (op == HD_ATOMIC_FADD || op == HD_ATOMIC_FMIN || op == HD_ATOMIC_FMAX)
      return hd_mach_refuse(s->base.p, &i->instr,
                            "expected an integer atomic, found one on floats: run lower_atomics");
   if (!hd_nyuzi_locate(s, i, 0, &place))
      return false;
   const unsigned num = i->instr.num_srcs;
   data[0] = hd_nyuzi_in_vector(s, hd_mach_part(&s->base, i->src[num - 1].def, 0));
   data[1] = swap ? hd_nyuzi_in_vector(s, hd_mach_part(&s->base, i->src[num - 2].def, 0)) : K(0);
   defs[0] = hd_nyuzi_new(s, HD_NYUZI_VECTOR);
   for (unsigned n = 1; n < 7; n++)
      defs[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   const val lanes = hd_nyuzi_lanes_inside(s, &place, 0, 4);
   const val address = hd_nyuzi_in_vector(s, hd_nyuzi_address(s, &place, 0));
   const val zero = hd_nyuzi_in_vector(s, K(0));
   hd_mach_selector_emit(&s->base, HD_NYUZI_P_ATOMIC, 7, defs, 5,
                         (val[]){ zero, address, lanes, data[0], data[1] })
       ->bits = (uint16_t)op;
   hd_mach_set_part(&s->base, &i->instr.def, defs[0]);
   return true;
}

/* Memory is in the order of the program, so only waiting takes instructions. */
bool
hd_nyuzi_select_barrier(sel *s, const hd_intrinsic *i)
{
   val defs[4];
   bool waits;

   if (!hd_mach_check_barrier(&s->base, i, &waits))
      return false;
   if (!waits)
      return true;
   hd_nyuzi_of(s->base.p)->has_barriers = true;
   for (unsigned n = 0; n < 4; n++)
      defs[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_mach_selector_emit(&s->base, HD_NYUZI_P_BARRIER, 4, defs, 1,
                         &hd_nyuzi_of(s->base.p)->start[HD_NYUZI_START_SHARED]);
   return true;
}
