/* SPDX-License-Identifier: MIT */
/* link_parts.h - parts of hd_link_stages. Both shaders stay valid, whatever the result is: HD_OK or HD_OUT_OF_MEMORY. */
#ifndef PASSES_LINK_PARTS_H
#define PASSES_LINK_PARTS_H

#include "heddle/ir.h"

/* Loads of distances become interpolated inputs, which the vertex shader stores besides. */
hd_result hd_link_distances(hd_shader *vertex, hd_shader *fragment);

#endif
