/* SPDX-License-Identifier: MIT */
/* sampler.h - the four words of a sampler. */
#ifndef HEDDLE_BACKEND_GCN_SIM_SAMPLER_H
#define HEDDLE_BACKEND_GCN_SIM_SAMPLER_H

#include "heddle/texture.h"

/* NULL: they are read; else why not. */
const char *hd_gcn_sampler_read(const uint32_t *words, hd_wave_sampler *out);
void hd_gcn_sampler_write(const hd_wave_sampler *sampler, uint32_t *words);

#endif
