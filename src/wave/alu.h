/* SPDX-License-Identifier: MIT */
/* alu.h - arguments of the generated loops over lanes. */
#ifndef HEDDLE_WAVE_ALU_H
#define HEDDLE_WAVE_ALU_H

#include "heddle/ops.h"

#if defined(__GNUC__)
#define HD_WAVE_INLINE static inline __attribute__((always_inline))
#else
#define HD_WAVE_INLINE static inline
#endif

/* One component of a result, for some lanes. A row is one number a lane. */
typedef struct hd_wave_alu {
   unsigned count;       /* lanes to do */
   const uint8_t *lanes; /* their numbers, ascending */
   bool all;             /* they are 0, 1, ... count - 1 */
   unsigned width;       /* numbers in a row */
   unsigned n;           /* components that [n] stands for, where an operand is read whole */
   unsigned c;           /* the component of the result */
   unsigned bits;        /* of the result */
   unsigned src_bits[HD_MAX_OP_SRCS];
   uint32_t float_controls;
   uint64_t *dst;                       /* a row */
   const uint64_t *src[HD_MAX_OP_SRCS]; /* a row, or all rows of the operand */
} hd_wave_alu;

typedef void hd_wave_op(const hd_wave_alu *alu);

/* By hd_op; NULL for HD_OP_NONE and variadic ops. Between hd_float_host_enter and leave only. */
extern hd_wave_op *const hd_wave_ops[];

#endif
