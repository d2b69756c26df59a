/* SPDX-License-Identifier: MIT */
/* textures.h - images and samplers of a launch, as the command line describes them. */
#ifndef HEDDLE_TOOLS_TEXTURES_H
#define HEDDLE_TOOLS_TEXTURES_H

#include "memories.h"

/* SET.BINDING or SET.BINDING.INDEX; where it ends, or NULL. */
const char *parse_place(const char *at, uint32_t place[3]);
/* "image@SET.BINDING[.INDEX]:WIDTH[xHEIGHT[xDEPTH]][:FORMAT][:levels=N]...", written without the equals signs:
 * image@0.1:8x8:rgba8_unorm:levels4:layers6:samples2. Without a format a texel has four components as large as
 * the elements that are given. False: a message was printed.
 */
bool parse_image(const struct memory *m, hd_wave_memory memory, hd_wave_image *image);
/* "sampler@SET.BINDING[.INDEX]=WORD,...": linear, mag_linear, mip_linear, clamp_to_edge, x_repeat,
 * opaque_white, less, unnormalized, bias:X, min:X, max:X. False: a message was printed.
 */
bool parse_sampler(const struct memory *m, hd_wave_sampler *sampler);

#endif
