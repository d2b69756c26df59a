/* SPDX-License-Identifier: MIT */
/* builtins.c - instruction selection of built-in inputs, from initial registers and launch data. */
#include <stddef.h>

#include "backend/nyuzi/select/expr.h"
#include "heddle/intrinsic_enum.h"

static val
start(const sel *s, unsigned which)
{
   return hd_nyuzi_of(s->base.p)->start[which];
}

static val
product(sel *s, val a, val b)
{
   if (hd_nyuzi_is_constant(&a) && hd_nyuzi_is_constant(&b))
      return K(hd_nyuzi_constant(&a) * hd_nyuzi_constant(&b));
   return mul(s, a, b);
}

static val
num_workgroups(sel *s, unsigned n)
{
   return hd_nyuzi_of_launch(s, offsetof(hd_nyuzi_launch, num_workgroups) + 4 * n);
}

/* a / b, for a below 2^16. A constant one by a product: the reciprocal is rounded up, by less than
 * 1, so the product is too large by less than a / 2^32, which is less than 1 / b. Else by floats:
 * (a + 1/2) / b is at least 1 / 2b away from an integer, and the error is below 2^-6 / b.
 */
static val
quotient(sel *s, val a, val b)
{
   if (hd_nyuzi_is_constant(&b)) {
      const uint32_t d = hd_nyuzi_constant(&b);
      if (!(d & (d - 1)))
         return shr(s, a, K(__builtin_ctz(d)));
      return mulh(s, a, K(UINT32_MAX / d + 1));
   }
   const val divisor = itof(s, b);
   val r = estimate(s, divisor);

   for (unsigned n = 0; n < 3; n++)
      r = mulf(s, r, subf(s, K(0x40000000), mulf(s, divisor, r)));
   return ftoi(s, mulf(s, addf(s, itof(s, a), K(0x3f000000)), r));
}

static void
id_in_group(sel *s, val id[3])
{
   const val x = hd_mach_size_of_group(&s->base, 0), y = hd_mach_size_of_group(&s->base, 1);
   const val z = hd_mach_size_of_group(&s->base, 2), index = hd_nyuzi_index_in_group(s);
   const bool line = hd_nyuzi_is_constant(&y) && hd_nyuzi_constant(&y) == 1 &&
                     hd_nyuzi_is_constant(&z) && hd_nyuzi_constant(&z) == 1;

   id[0] = index;
   id[1] = id[2] = K(0);
   if (line)
      return;
   const val row = quotient(s, index, x), layer = quotient(s, row, y);
   id[0] = sub(s, index, mul(s, row, x));
   id[1] = sub(s, row, mul(s, layer, y));
   id[2] = layer;
}

static val
index_of_group(sel *s)
{
   const val layer = mul(s, start(s, HD_NYUZI_START_GROUP_Z), num_workgroups(s, 1));
   const val row = add(s, layer, start(s, HD_NYUZI_START_GROUP_Y));

   return add(s, mul(s, row, num_workgroups(s, 0)), start(s, HD_NYUZI_START_GROUP_X));
}

/* The position of the first lane of the workgroup. */
static val
group_start(sel *s, unsigned n)
{
   return mul(s, start(s, HD_NYUZI_START_GROUP_X + n), hd_mach_size_of_group(&s->base, n));
}

static val
lanes_of_group(sel *s)
{
   const val x = hd_mach_size_of_group(&s->base, 0), y = hd_mach_size_of_group(&s->base, 1);
   const val z = hd_mach_size_of_group(&s->base, 2);

   return product(s, product(s, x, y), z);
}

bool
hd_nyuzi_select_builtin(sel *s, const hd_intrinsic *i)
{
   val v[HD_MACH_MAX_RESULTS];

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_LOCAL_INVOCATION_ID:
      id_in_group(s, v);
      break;
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
      id_in_group(s, v);
      for (unsigned n = 0; n < 3; n++)
         v[n] = add(s, group_start(s, n), v[n]);
      break;
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
      v[0] = index_of_group(s);
      v[1] = lanes_of_group(s);
      v[0] = add(s, mul(s, v[0], v[1]), start(s, HD_NYUZI_START_INDEX));
      break;
   case HD_INTRINSIC_WORKGROUP_INDEX:
      v[0] = index_of_group(s);
      break;
   case HD_INTRINSIC_NUM_SUBGROUPS:
      v[0] = shr(s, add(s, lanes_of_group(s), K(HD_NYUZI_LANES - 1)), K(4));
      break;
   default:
      if (!hd_mach_run_intrinsic(&s->base, i, v))
         return false;
      break;
   }
   hd_mach_set_parts(&s->base, &i->instr.def, v);
   return true;
}
