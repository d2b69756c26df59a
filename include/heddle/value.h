/* SPDX-License-Identifier: MIT */
/* value.h - the bits of one component, and the switches that change what float arithmetic means. */
#ifndef HEDDLE_VALUE_H
#define HEDDLE_VALUE_H

#include "heddle/base.h"

HD_BEGIN_DECLS

/* A member of a union that lies in the low bytes of its u64, whatever the host's byte order. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define HD_LOW_BYTES(type, name)                                                                   \
   __extension__ struct {                                                                          \
      uint8_t above_##name[8 - sizeof(type)];                                                      \
      type name;                                                                                   \
   }
#else
#define HD_LOW_BYTES(type, name) type name
#endif

/* One component of a constant. What is above its size is zero: u64 is the component as an unsigned
 * number, and two constants of one size are equal when their u64 are.
 */
typedef union hd_const_value {
   uint64_t u64;
   int64_t i64;
   double f64;
   HD_LOW_BYTES(bool, b);
   HD_LOW_BYTES(int8_t, i8);
   HD_LOW_BYTES(uint8_t, u8);
   HD_LOW_BYTES(int16_t, i16);
   HD_LOW_BYTES(uint16_t, u16);
   HD_LOW_BYTES(int32_t, i32);
   HD_LOW_BYTES(uint32_t, u32);
   HD_LOW_BYTES(float, f32);
} hd_const_value;

/* hd_shader.float_controls: one bit per size and mode, and what else all of a shader may assume.
 * Where no bit is set, denormals are kept and results are rounded to nearest, ties to even.
 */
typedef enum hd_float_controls {
   HD_FLOAT_FLUSH_16 = 1u << 0, /* denormal operands and results count as zeros of their sign */
   HD_FLOAT_FLUSH_32 = 1u << 1,
   HD_FLOAT_FLUSH_64 = 1u << 2,
   HD_FLOAT_RTZ_16 = 1u << 3, /* round to zero where the op does not say how it rounds */
   HD_FLOAT_RTZ_32 = 1u << 4,
   HD_FLOAT_RTZ_64 = 1u << 5,
   HD_FLOAT_MODES = (1u << 6) - 1,
   /* What is not exact may be rewritten as if no operand and no result were NaN, infinite, a denormal
    * or a zero with a sign; so may what is exact and has HD_FP_NO_SIGNED_ZERO, if finite numbers stay as
    * they are. Where one is, the value is one that such a rewriting gives, not undef.
    * In vertex and fragment shaders a machine may flush denormals of 32 bits, also of exact ops. */
   HD_FLOAT_FINITE = 1u << 6,
   HD_FLOAT_ALL = (1u << 7) - 1,
} hd_float_controls;

HD_END_DECLS

#endif
