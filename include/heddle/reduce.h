/* SPDX-License-Identifier: MIT */
/* reduce.h - test-case reduction: the smallest shader that still shows a failure.
 *
 * In libheddle-tools. The caller decides which shaders are interesting; hd_reduce_shader removes
 * functions, ifs and loops, edges of flat functions, side effects, values (replaced by a constant or
 * by an operand), components, variables, declarations, flags, names. Delta debugging: it tries large
 * parts first, halves them if that fails, and starts over as long as anything was removed.
 *
 * Every candidate is valid IR. The same shader and the same answers give the same result.
 */
#ifndef HEDDLE_REDUCE_H
#define HEDDLE_REDUCE_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* How far it has come. */
typedef struct hd_reduce_state {
   uint64_t tries;        /* candidates that were asked about */
   uint64_t successes;    /* of these, interesting ones */
   uint32_t instructions; /* of the smallest so far */
   uint32_t nodes;        /* its blocks, ifs and loops */
   const char *what;      /* is taken away now: "ifs and loops", ... */
} hd_reduce_state;

typedef struct hd_reduce_options {
   void *user; /* handed to the two calls */
   /* Does the candidate still show it? It may not be changed: a pass runs on a copy. */
   bool (*is_interesting)(void *user, hd_shader *candidate);
   /* Called after each success; may be NULL. */
   void (*progress)(void *user, const hd_reduce_state *state);
   uint64_t max_tries; /* it ends after so many with what it has; 0: no limit */
} hd_reduce_options;

/* Reduce a valid shader, which stays as it is. HD_OK: *out is the smallest that was found, a shader
 * of its own made with the configuration of the first. HD_INVALID: the shader is not valid, or not
 * interesting; nothing is written. `state` may be NULL; it is written whatever the result.
 */
HD_API hd_result hd_reduce_shader(hd_shader *shader, const hd_reduce_options *options,
                                  hd_shader **out, hd_reduce_state *state);

HD_END_DECLS

#endif
