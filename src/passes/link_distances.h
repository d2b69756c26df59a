/* SPDX-License-Identifier: MIT */
/* link_distances.h - clip and cull distances between two stages. */
#ifndef PASSES_LINK_DISTANCES_H
#define PASSES_LINK_DISTANCES_H

#include "heddle/ir.h"

/* Loads of distances become interpolated inputs, which the vertex shader stores besides. Both shaders stay valid, whatever the
 * result is: HD_OK or HD_OUT_OF_MEMORY.
 */
hd_result hd_link_distances(hd_shader *vertex, hd_shader *fragment);

#endif
