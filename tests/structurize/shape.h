/* SPDX-License-Identifier: MIT */
/* shape.h - what a tree says, whatever place it chose for code behind an arm that jumps away.
 *
 * Where one arm of an if never comes to its end, what follows the if belongs to the other arm: it
 * is written there. A jump to where control goes anyway is not written, nor are blocks that log
 * nothing (tests/gen/random_tree.h) and unreachable code. Two trees of one shape have the same ifs,
 * loops, jumps and logs in the same places.
 */
#ifndef TEST_STRUCTURIZE_SHAPE_H
#define TEST_STRUCTURIZE_SHAPE_H

#include <heddle/heddle.h>

/* As a string, to be freed: `0 if(1 break;)(2) loop(3)(4)`. */
char *shape_of(hd_function *f);

#endif
