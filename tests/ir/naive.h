/* SPDX-License-Identifier: MIT */
/* naive.h - the invariants that editing keeps, checked from the words of the design, and a picture
 * of a function's whole state. Shares no code with src/check or src/ir beyond the data's layout.
 */
#ifndef HEDDLE_TESTS_NAIVE_H
#define HEDDLE_TESTS_NAIVE_H

#include "heddle/ir.h"

/* NULL when tree, graph, use lists, phi sources and indices of the function agree; else what does
 * not, in a static buffer. Values need not dominate their uses.
 */
const char *naive_check(const hd_function *f);

/* Everything that is linked, with addresses: two equal pictures mean nothing was changed. To be
 * freed.
 */
char *naive_picture(const hd_function *f);

#endif
