/* SPDX-License-Identifier: MIT */
/* fold.c - constant folding: operand checks around the generated evaluators. */
#include "ir/fold.h"
#include "heddle/ir.h"

bool
hd_fold_op(hd_op op, unsigned num_srcs, const hd_fold_src *srcs, unsigned bit_size,
           uint32_t float_controls, hd_const_value *result)
{
   hd_shape shapes[HD_MAX_COMPONENTS];
   hd_shape shape;

   if (num_srcs > HD_MAX_COMPONENTS)
      return false;
   for (unsigned i = 0; i < num_srcs; i++)
      shapes[i] = srcs[i].shape;
   if (hd_op_infer_shape(op, num_srcs, shapes, bit_size, &shape, NULL) != HD_SHAPE_FITS)
      return false;
   hd_fold_fitting(op, srcs, shape, float_controls, result);
   return true;
}
