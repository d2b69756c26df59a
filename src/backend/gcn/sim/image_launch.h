/* SPDX-License-Identifier: MIT */
/* image_launch.h - images of a launch as linear images of the machine. */
#ifndef HEDDLE_BACKEND_GCN_SIM_IMAGE_LAUNCH_H
#define HEDDLE_BACKEND_GCN_SIM_IMAGE_LAUNCH_H

#include "backend/gcn/sim/image.h"
#include "heddle/wave.h"

/* How the shader reaches a binding. */
typedef struct hd_gcn_image_shape {
   bool is_image; /* it does, by an image or a texel buffer */
   hd_image_dim dim;
   bool array, ms;
   bool sampled; /* it is filtered, too */
   bool wide;    /* components have 64 bits */
} hd_gcn_image_shape;

hd_gcn_image_shape hd_gcn_image_shape_of(const hd_shader *shader, uint32_t set, uint32_t binding);

/* The format of its texels, as the machine has them; HD_TEXEL_RAW: it has none. */
hd_texel_format hd_gcn_texel_format_in(const hd_gcn_image_shape *shape, const hd_wave_image *from);

/* The machine's image, but for its address. NULL: it is one; else why there is none. */
const char *hd_gcn_image_from_launch(const hd_gcn_image_shape *shape, const hd_wave_image *from,
                                     hd_gcn_image *out);
/* All texels that the machine's image has, from the launch's memory to the machine's or back. */
void hd_gcn_image_copy(const hd_gcn_image *image, const hd_wave_image *of_launch,
                       hd_wave_memory of_machine, bool back);

#endif
