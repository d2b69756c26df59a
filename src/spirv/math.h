/* SPDX-License-Identifier: MIT */
/* math.h - math functions (sin, exp, pow, ...) expanded to instructions, for extended instruction sets.
 *
 * The functions are defined in src/codegen/math. Each is straight-line code, or has rare slow paths
 * in blocks of their own, and leaves the builder after them; this works in flat and in structured
 * functions.
 */
#ifndef HEDDLE_SPIRV_MATH_H
#define HEDDLE_SPIRV_MATH_H

#include "heddle/build.h"

/* Generated: enum hd_math, MATH_SIN, ...; HD_MATH_MAX_PARAMS, HD_MATH_MAX_RESULTS. */
#include "spirv/math_functions.h"

/* How many operands and results a function has. */
unsigned hd_math_num_params(enum hd_math function);
unsigned hd_math_num_results(enum hd_math function);

/* How many bits operand n must have where the first has `bits`. */
unsigned hd_math_param_bits(enum hd_math function, unsigned n, unsigned bits);

/* Is there such a function for a first operand of so many bits? One of 16 bits without code of its
 * own is computed in 32.
 */
bool hd_math_has(enum hd_math function, unsigned bits);

/* Build it at the cursor: `params` are vectors of equally many components, scalars among them stand
 * for all; so are the results, unless the function says otherwise. Flags of the builder are used
 * where the function leaves it to its user how exact it is. hd_math_has must hold, and operands
 * must have the sizes that the function wants.
 */
void hd_math_build(hd_builder *b, enum hd_math function, hd_def *const *params, hd_def **results);

/* The same for one result. */
static inline hd_def *
hd_math_value(hd_builder *b, enum hd_math function, hd_def *const *params)
{
   hd_def *results[HD_MATH_MAX_RESULTS];

   hd_math_build(b, function, params, results);
   return results[0];
}

#endif
