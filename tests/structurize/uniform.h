/* SPDX-License-Identifier: MIT */
/* uniform.h - what divergence analysis calls uniform stays uniform: values, and branches. */
#ifndef TEST_STRUCTURIZE_UNIFORM_H
#define TEST_STRUCTURIZE_UNIFORM_H

#include <heddle/heddle.h>

/* A bit for each index of a value or block: 1, a uniform value or its block ends in a branch that
 * does not diverge. To be freed.
 */
struct uniform {
   uint32_t num_defs, num_blocks;
   bool *def, *block;
};

/* Of the reachable code of a function. */
struct uniform uniform_of(hd_function *f);
void uniform_free(struct uniform *u);

/* For a function whose values and blocks have the same indices, as far as they are the same. NULL;
 * or a value, or block, that was uniform and is not, as `%7` or `b3`, in a static buffer.
 */
const char *uniform_lost(const struct uniform *before, hd_function *f);

#endif
