/* SPDX-License-Identifier: MIT */
/* uniform.h - what divergence analysis says of a program, and whether it still does after a change.
 *
 * Values are known by their names (PROGRAM_NAMES), branches by their conditions.
 */
#ifndef VERIFY_UNIFORM_H
#define VERIFY_UNIFORM_H

#include "program.h"

typedef struct uniformity {
   uint32_t num_values; /* 0: the program has no names */
   bool *value;         /* by number in the name: is it uniform? */
   bool *branch;        /* is no branch on it divergent? */
   bool all;            /* no branch of the program is divergent */
} uniformity;

/* Of the input. False when memory runs out. */
bool uniformity_find(uniformity *u, hd_function *f, bool has_names);
void uniformity_free(uniformity *u);

/* False: `what` says which value or branch is not uniform any more. */
bool uniformity_kept(const uniformity *u, hd_function *f, char what[256]);

#endif
