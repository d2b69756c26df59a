/* SPDX-License-Identifier: MIT */
/* value.h - the bits of one component, and the switches that change what float arithmetic means. */
#ifndef HEDDLE_VALUE_H
#define HEDDLE_VALUE_H

#include "heddle/base.h"

HD_BEGIN_DECLS

/* One component of a constant. The bytes past its size are zero, so that two constants of one size
 * are equal when their u64 are.
 */
typedef union hd_const_value {
   bool b;
   int8_t i8;
   uint8_t u8;
   int16_t i16;
   uint16_t u16;
   int32_t i32;
   uint32_t u32;
   int64_t i64;
   uint64_t u64;
   float f32;
   double f64;
} hd_const_value;

/* hd_shader.float_controls: one bit per size and choice. Where no bit is set, denormals are kept
 * and results are rounded to nearest, ties to even.
 */
typedef enum hd_float_controls {
   HD_FLOAT_FLUSH_16 = 1u << 0, /* denormal operands and results count as zeros of their sign */
   HD_FLOAT_FLUSH_32 = 1u << 1,
   HD_FLOAT_FLUSH_64 = 1u << 2,
   HD_FLOAT_RTZ_16 = 1u << 3, /* round to zero where the op does not say how it rounds */
   HD_FLOAT_RTZ_32 = 1u << 4,
   HD_FLOAT_RTZ_64 = 1u << 5,
   HD_FLOAT_ALL = (1u << 6) - 1,
} hd_float_controls;

HD_END_DECLS

#endif
