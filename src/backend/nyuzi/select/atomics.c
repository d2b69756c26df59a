/* SPDX-License-Identifier: MIT */
/* atomics.c - atomics, which lanes do one after the other, and barriers. */
#include "backend/nyuzi/select/expr.h"
#include "heddle/intrinsic_enum.h"

/* hd_mach_inst.bits of p_atomic: hd_atomic_op, or this. */
#define COMPARE_AND_SWAP 255u

static bool
is_swap(hd_intrinsic_id id)
{
   return id == HD_INTRINSIC_GLOBAL_ATOMIC_SWAP || id == HD_INTRINSIC_BUFFER_ATOMIC_SWAP ||
          id == HD_INTRINSIC_SHARED_ATOMIC_SWAP;
}

bool
hd_nyuzi_select_atomic(sel *s, const hd_intrinsic *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   const bool swap = is_swap(id);
   const uint32_t op = swap ? COMPARE_AND_SWAP : hd_nyuzi_index(i, HD_INDEX_ATOMIC_OP);
   hd_nyuzi_place place;
   val defs[7], data[2];

   if (!swap && id != HD_INTRINSIC_GLOBAL_ATOMIC && id != HD_INTRINSIC_BUFFER_ATOMIC &&
       id != HD_INTRINSIC_SHARED_ATOMIC)
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s", info->name);
   if (i->instr.def.bit_size != 32)
      return hd_mach_refuse(s->p, &i->instr, "unsupported atomic of %u bits",
                            i->instr.def.bit_size);
   if (op == HD_ATOMIC_FADD || op == HD_ATOMIC_FMIN || op == HD_ATOMIC_FMAX)
      return hd_mach_refuse(s->p, &i->instr, "an atomic on floats that was not lowered");
   if (!hd_nyuzi_locate(s, i, 0, &place))
      return false;
   const unsigned num = i->instr.num_srcs;
   data[0] = hd_nyuzi_in_vector(s, hd_nyuzi_part(s, i->src[num - 1].def, 0));
   data[1] = swap ? hd_nyuzi_in_vector(s, hd_nyuzi_part(s, i->src[num - 2].def, 0)) : K(0);
   defs[0] = hd_nyuzi_new(s, HD_NYUZI_VECTOR);
   for (unsigned n = 1; n < 7; n++)
      defs[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   const val lanes = hd_nyuzi_lanes_inside(s, &place, 0, 4);
   const val address = hd_nyuzi_in_vector(s, hd_nyuzi_address(s, &place, 0));
   const val zero = hd_nyuzi_in_vector(s, K(0));
   hd_nyuzi_emit_full(s, HD_NYUZI_P_ATOMIC, 7, defs, 5,
                      (val[]){ zero, address, lanes, data[0], data[1] })
       ->bits = (uint16_t)op;
   hd_nyuzi_set(s, &i->instr.def, defs[0]);
   return true;
}

/* Memory is in the order of the program, so only waiting takes instructions. */
bool
hd_nyuzi_select_barrier(sel *s, const hd_intrinsic *i)
{
   const uint32_t scope = hd_nyuzi_index(i, HD_INDEX_EXEC_SCOPE);
   uint32_t lanes = 1;
   val defs[4];

   if (scope <= HD_SCOPE_SUBGROUP)
      return true;
   if (scope > HD_SCOPE_WORKGROUP)
      return hd_mach_refuse(s->p, &i->instr, "unsupported barrier of more than a workgroup");
   for (unsigned n = 0; n < 3; n++)
      lanes *= s->p->shader->workgroup_size[n];
   if (lanes && lanes <= HD_NYUZI_LANES)
      return true;
   hd_nyuzi_of(s->p)->has_barriers = true;
   for (unsigned n = 0; n < 4; n++)
      defs[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_nyuzi_emit_full(s, HD_NYUZI_P_BARRIER, 4, defs, 1,
                      &hd_nyuzi_of(s->p)->start[HD_NYUZI_START_SHARED]);
   return true;
}
