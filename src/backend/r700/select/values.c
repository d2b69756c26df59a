/* SPDX-License-Identifier: MIT */
/* values.c - instruction selection: operands of IR values, and emitting instructions on them. */
#include <stddef.h>

#include "backend/r700/select/select.h"

val
hd_r700_new(sel *s)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, HD_R700_VECTOR, 1, 0));
}

val
hd_r700_emit(sel *s, unsigned op, val a, val b, val c)
{
   const val d = hd_r700_new(s), srcs[3] = { a, b, c };

   hd_mach_selector_emit(s, op, 1, &d, c.size ? 3 : b.size ? 2 : 1, srcs);
   return d;
}

val
hd_r700_in_register(sel *s, val v)
{
   const val none = { 0 };

   return hd_mach_is_temp(&v) ? v : hd_r700_emit(s, HD_R700_MOV, v, none, none);
}

val
hd_r700_choose(sel *s, val condition, val a, val b)
{
   if (hd_r700_is_number(&condition))
      return hd_r700_number(&condition) ? a : b;
   return hd_r700_emit(s, HD_R700_CNDE_INT, condition, b, a);
}

val
hd_r700_shift(sel *s, unsigned op, val a, val b)
{
   const val count = hd_r700_is_number(&b) ? K(hd_r700_number(&b) & 31) : and(s, b, K(31));

   return hd_r700_emit(s, op, a, count, (val){ 0 });
}

val
hd_r700_start_value(unsigned which)
{
   return hd_mach_operand_reg(HD_R700_V0 + which, 1);
}

_Static_assert(offsetof(hd_r700_launch, work_dim) == offsetof(hd_mach_launch, work_dim),
               "a launch begins with a hd_mach_launch");

val
hd_r700_of_launch(void *s, size_t offset)
{
   (void)s;
   return hd_r700_of_buffer(HD_R700_CB_LAUNCH, (uint32_t)(offset / 4));
}

val
hd_r700_index_of_group(sel *s)
{
   const size_t at = offsetof(hd_r700_launch, num_workgroups);
   const val layer =
       mul(s, hd_r700_start_value(HD_R700_START_GROUP_Z), hd_r700_of_launch(s, at + 4));
   const val row = add(s, layer, hd_r700_start_value(HD_R700_START_GROUP_Y));
   const val first = mul(s, row, hd_r700_of_launch(s, at));

   return add(s, first, hd_r700_start_value(HD_R700_START_GROUP_X));
}
