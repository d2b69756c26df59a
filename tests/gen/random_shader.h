/* SPDX-License-Identifier: MIT */
/* random_shader.h - valid shaders that follow from a seed, with everything that IR can hold.
 *
 * Structured and flat functions, calls, all ops and intrinsics of the stage, local variables, phis
 * in every place, unreachable code, names, locations, flags, irreducible graphs, declarations. Any
 * test that says something of all valid shaders can say it of these.
 */
#ifndef HEDDLE_TESTS_RANDOM_SHADER_H
#define HEDDLE_TESTS_RANDOM_SHADER_H

#include "heddle/ir.h"

/* Zero-initialised: about 60 instructions a function, whatever the seed says for the rest. */
typedef struct random_options {
   unsigned size;      /* statements a function; 0: 60 */
   bool no_flat;       /* no flat functions */
   bool no_structured; /* no structured ones */
   bool one_function;  /* the entry alone */
   bool fixed_stage;   /* the one in `stage`, else any */
   hd_stage stage;
} random_options;

/* The same seed and options make the same shader on every host. `options` may be NULL. NULL only
 * when memory or a budget runs out.
 */
hd_shader *random_shader(const hd_config *config, uint64_t seed, const random_options *options);

#endif
