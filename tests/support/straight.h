/* SPDX-License-Identifier: MIT */
/* straight.h - running code without control flow, instruction by instruction, through the folder.
 */
#ifndef HEDDLE_TESTS_STRAIGHT_H
#define HEDDLE_TESTS_STRAIGHT_H

#include "heddle/ir.h"

typedef struct straight_options {
   uint32_t float_controls;
   int rcp_off; /* what frcp of 32 bits is off by, in units of the last place */
} straight_options;

/* Run the start block of a function. `args` has the value of each parameter, 16 components each.
 * What a store writes, whatever it writes to, comes to `out` in order, 16 components each. Returns
 * how many there were. Anything but ops, constants, parameters and stores fails the test.
 */
unsigned straight_run(const hd_function *f, const hd_const_value (*args)[HD_MAX_COMPONENTS],
                      const straight_options *options, hd_const_value (*out)[HD_MAX_COMPONENTS],
                      unsigned max_out);

/* Component 0 as a number. */
static inline uint64_t
straight_uint(const hd_const_value *v, unsigned bits)
{
   switch (bits) {
   case 1:
      return v->b;
   case 8:
      return v->u8;
   case 16:
      return v->u16;
   case 32:
      return v->u32;
   default:
      return v->u64;
   }
}

static inline hd_const_value
straight_value(unsigned bits, uint64_t u)
{
   hd_const_value v = { .u64 = 0 };

   if (bits == 1)
      v.b = u & 1;
   else if (bits == 8)
      v.u8 = (uint8_t)u;
   else if (bits == 16)
      v.u16 = (uint16_t)u;
   else if (bits == 32)
      v.u32 = (uint32_t)u;
   else
      v.u64 = u;
   return v;
}

/* Numbers that are near the edges of a size, or anything: for tests with a seed. */
uint64_t straight_random(uint64_t *state);
uint64_t straight_edge(uint64_t *state, unsigned bits);

#endif
