/* SPDX-License-Identifier: MIT */
/* lower_returns.h - merge the returns of a tree into one at its end. */
#ifndef HEDDLE_STRUCTURIZE_LOWER_RETURNS_H
#define HEDDLE_STRUCTURIZE_LOWER_RETURNS_H

#include "ir/private.h"

/* The body becomes that of a loop which runs once, each return a break of it, and what follows the
 * loop returns. A test is added for each loop that a return is in, and phis where others leave it
 * with a value: n log n, n being what comes out. Called inside an unwinding point.
 */
void hd_lower_returns_of_tree(hd_function *f);

#endif
