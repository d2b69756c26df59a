/* SPDX-License-Identifier: MIT */
/* fold.c - the door to the generated folding functions: operands are checked, then evaluated. */
#include "ir/fold.h"
#include "heddle/ir.h"

bool
hd_fold_op(hd_op op, unsigned num_srcs, const hd_fold_src *srcs, unsigned bit_size,
           uint32_t float_controls, hd_const_value *result)
{
   const hd_op_info *info = hd_op_get_info(op);
   hd_shape shapes[HD_MAX_COMPONENTS];
   hd_shape shape;

   if (num_srcs > HD_MAX_COMPONENTS)
      return false;
   for (unsigned i = 0; i < num_srcs; i++)
      shapes[i] = srcs[i].shape;
   if (hd_op_infer_shape(op, num_srcs, shapes, bit_size, &shape, NULL) != HD_SHAPE_FITS)
      return false;

   unsigned n = shape.num_components;
   if (num_srcs > 0 && info->src[0].linked)
      n = shapes[0].num_components;
   hd_fold_functions[op](n, shape.bit_size, srcs, float_controls, result);
   return true;
}
