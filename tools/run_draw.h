/* SPDX-License-Identifier: MIT */
/* run_draw.h - heddle run --draw. */
#ifndef HEDDLE_TOOLS_RUN_DRAW_H
#define HEDDLE_TOOLS_RUN_DRAW_H

#include "launch.h"

/* Draw the scene of --draw with the shaders that the first operands name; the others are memories of both. Returns
 * the exit code.
 */
int run_draw_scene(struct launch_arguments *a);

#endif
