/* SPDX-License-Identifier: MIT */
/* linearize.h - the line of a function that is known to be valid, for callers that unwind. */
#ifndef HEDDLE_STRUCTURIZE_LINEARIZE_H
#define HEDDLE_STRUCTURIZE_LINEARIZE_H

#include "heddle/linear.h"
#include "util/memory.h"

/* As hd_linearize, of a flat function, on the stack, with what making it took. Unwinds when memory
 * or the budget runs out.
 */
hd_linear *hd_linearize_on(hd_function *f, hd_stack *stack);

#endif
