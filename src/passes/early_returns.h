/* SPDX-License-Identifier: MIT */
/* early_returns.h - one return at the end of a tree. */
#ifndef HEDDLE_PASSES_EARLY_RETURNS_H
#define HEDDLE_PASSES_EARLY_RETURNS_H

#include "passes/pass.h"

/* The body becomes that of a loop which runs once, each return a break of it, and what follows the
 * loop returns. For functions that are called, or without barriers: a lane that breaks has not
 * ended. Code that nothing reaches must have gone. A test is added for each loop that a return is
 * in, and phis where others leave it with a value: n log n, n being what comes out.
 */
void early_returns_to_end(hd_function *f);

#endif
