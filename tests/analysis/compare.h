/* SPDX-License-Identifier: MIT */
/* compare.h - all analyses of one function against naive.c. */
#ifndef COMPARE_H
#define COMPARE_H

#include "heddle/analysis.h"

/* Everything about one function of at most NAIVE_MAX - 2 blocks; returns whether its declarations
 * are valid. `state` is of next_random(). A difference is printed and ends the program.
 */
bool compare_all(hd_function *f, uint64_t *state);

/* What hd_declare_loops declares holds, and holds the nest when successors are turned round. To be
 * called where the declarations are valid.
 */
void compare_mark_headers(hd_function *f, hd_block **block, int num, uint64_t *state);

#endif
