/* SPDX-License-Identifier: MIT */
/* image.h - look-up of image and sampler descriptors, for all image intrinsics. */
#ifndef HEDDLE_WAVE_IMAGE_H
#define HEDDLE_WAVE_IMAGE_H

#include "wave/wave.h"

/* An access whose operands that name an image begin with that numbered `first`. */
struct access {
   const hd_code_instr *i;
   uint32_t first;
   hd_wave_mask lanes; /* that take part */
};

struct access hd_wave_image_access(const hd_wave *w, const hd_code_instr *i, uint32_t first);
/* Operands that must be defined are; else the run ends. */
void hd_wave_image_check(hd_wave *w, const struct access *a);
/* The index of a descriptor, which is the same for all lanes, by default. */
uint64_t hd_wave_descriptor(hd_wave *w, const struct access *a, uint32_t operand, unsigned lane);
/* Which image of the launch: its number. */
uint32_t hd_wave_find_image(hd_wave *w, const struct access *a, unsigned lane);

#endif
