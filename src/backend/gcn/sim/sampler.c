/* SPDX-License-Identifier: MIT */
/* sampler.c - the four words of a sampler.
 *
 *    0  how coordinates are taken [8:0], compare [14:12], coordinates count texels [15]
 *    1  least level [11:0], greatest [23:12]: 8 fractional bits
 *    2  bias [13:0], filters: magnifying [21:20], minifying [23:22], of levels [27:26]
 *    3  colour of the border [31:30]
 */
#include "backend/gcn/sim/sampler.h"

#include "heddle/gcn_sim.h"

/* By hd_address_mode. */
static const uint8_t clamps[HD_NUM_ADDRESS_MODES] = {
   [HD_ADDRESS_REPEAT] = 0,          [HD_ADDRESS_MIRRORED_REPEAT] = 1,
   [HD_ADDRESS_CLAMP_TO_EDGE] = 2,   [HD_ADDRESS_MIRROR_CLAMP_TO_EDGE] = 3,
   [HD_ADDRESS_CLAMP_TO_BORDER] = 6,
};

enum { POINT = 0, BILINEAR = 1, NO_LEVELS = 0, NEAREST_LEVEL = 1, LINEAR_LEVELS = 2 };

#define LEVEL_ONE 256.0f

static uint32_t
field(uint32_t word, unsigned high, unsigned low)
{
   return word >> low & ((UINT32_C(1) << (high - low + 1)) - 1);
}

const char *
hd_gcn_sampler_read(const uint32_t *words, hd_wave_sampler *out)
{
   const uint32_t bias = field(words[2], 13, 0), border = field(words[3], 31, 30);
   const uint32_t levels = field(words[2], 27, 26);

   *out = (hd_wave_sampler){
      .mag = (hd_filter)field(words[2], 21, 20),
      .min = (hd_filter)field(words[2], 23, 22),
      .mip = levels == LINEAR_LEVELS ? HD_FILTER_LINEAR : HD_FILTER_NEAREST,
      .lod_bias = (float)((int32_t)(bias ^ 0x2000) - 0x2000) / LEVEL_ONE,
      .min_lod = (float)field(words[1], 11, 0) / LEVEL_ONE,
      .max_lod = levels == NO_LEVELS ? 0.0f : (float)field(words[1], 23, 12) / LEVEL_ONE,
      .border = (hd_border_color)border,
      .compare = (hd_compare_op)field(words[0], 14, 12),
      .unnormalized = words[0] >> 15 & 1,
   };
   for (unsigned n = 0; n < 3; n++) {
      unsigned mode = 0;
      while (mode < HD_NUM_ADDRESS_MODES && clamps[mode] != field(words[0], 3 * n + 2, 3 * n))
         mode++;
      if (mode == HD_NUM_ADDRESS_MODES)
         return "the simulator does not have this address mode of a sampler";
      out->address[n] = (hd_address_mode)mode;
   }
   if (out->mag > HD_FILTER_LINEAR || out->min > HD_FILTER_LINEAR || field(words[0], 11, 9))
      return "the simulator does not have anisotropic samplers";
   if (levels > LINEAR_LEVELS)
      return "invalid mip filter of a sampler";
   return border < HD_NUM_BORDER_COLORS ? NULL
                                        : "the simulator does not have border colours in memory";
}

/* To the nearest, held between two numbers. */
static uint32_t
fixed(float f, int32_t least, int32_t most)
{
   const float scaled = f * LEVEL_ONE;

   if (!(scaled > (float)least))
      return (uint32_t)least;
   if (scaled >= (float)most)
      return (uint32_t)most;
   return (uint32_t)(int32_t)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
}

void
hd_gcn_sampler_write(const hd_wave_sampler *s, uint32_t *words)
{
   words[0] = (uint32_t)s->compare << 12 | (s->unnormalized ? UINT32_C(1) << 15 : 0);
   for (unsigned n = 0; n < 3; n++)
      words[0] |= (uint32_t)clamps[s->address[n]] << 3 * n;
   words[1] = fixed(s->min_lod, 0, 0xfff) | fixed(s->max_lod, 0, 0xfff) << 12;
   words[2] = (fixed(s->lod_bias, -0x2000, 0x1fff) & 0x3fff) |
              (s->mag == HD_FILTER_LINEAR ? BILINEAR : POINT) << 20 |
              (s->min == HD_FILTER_LINEAR ? BILINEAR : POINT) << 22 |
              (s->mip == HD_FILTER_LINEAR ? LINEAR_LEVELS : NEAREST_LEVEL) << 26;
   words[3] = (uint32_t)s->border << 30;
}

void
hd_gcn_sim_sampler(const hd_wave_sampler *sampler, uint32_t words[4])
{
   hd_gcn_sampler_write(sampler, words);
}
