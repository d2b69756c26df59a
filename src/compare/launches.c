/* SPDX-License-Identifier: MIT */
/* launches.c - kinds of launches: full waves, partial waves, single lanes, random subsets. */
#include "compare/compare.h"

#define MANY 128u /* invocations of a dispatch where the shader leaves it open */

struct kind {
   uint32_t lanes, group, num_groups;
   enum { ALL, ONE, SOME } active;
   bool helpers;
};

static const struct kind kinds[HD_DIFF_TEST_KINDS] = {
   { 64, 64, 1, ALL, false },  { 32, 40, 2, ALL, true },    { 64, 64, 1, SOME, false },
   { 1, 3, 2, ALL, false },    { 128, 128, 1, SOME, true }, { 64, 64, 1, ONE, false },
   { 16, 20, 3, SOME, false }, { 8, 8, 4, ALL, true },
};

uint32_t
hd_compare_launch_lanes(const hd_shader *shader, const hd_wave_launch *launch)
{
   uint32_t lanes = 1;

   for (unsigned n = 0; n < 3; n++) {
      const uint32_t size =
          shader->workgroup_size[n] ? shader->workgroup_size[n] : launch->workgroup_size[n];
      lanes *= (size ? size : 1) * (launch->num_workgroups[n] ? launch->num_workgroups[n] : 1);
   }
   return lanes;
}

void
hd_compare_choose_launch(const hd_shader *shader, uint32_t number, uint64_t seed,
                         hd_wave_launch *launch, hd_wave_mask *mask, uint8_t *helpers)
{
   const struct kind *k = &kinds[number % HD_DIFF_TEST_KINDS];
   uint64_t state = seed * 64 + number + 1;
   uint32_t fixed = 1;
   bool open = false;

   *launch = (hd_wave_launch){ .lanes = shader->subgroup_size ? 0 : k->lanes };
   for (unsigned n = 0; n < 3; n++) {
      if (shader->workgroup_size[n])
         fixed *= shader->workgroup_size[n];
      open |= !shader->workgroup_size[n];
   }
   /* The first size that is open takes what the others leave. */
   for (unsigned n = 0; n < 3 && open; n++) {
      if (shader->workgroup_size[n])
         continue;
      launch->workgroup_size[n] = fixed < k->group ? k->group / fixed : 1;
      fixed *= launch->workgroup_size[n];
      break;
   }
   const uint32_t most = fixed < MANY ? MANY / fixed : 1;
   launch->num_workgroups[number / 2 % 2] = k->num_groups < most ? k->num_groups : most;
   if (k->active != ALL) {
      const uint32_t width = shader->subgroup_size ? shader->subgroup_size : k->lanes;
      const uint32_t used = width < fixed ? width : fixed;
      const uint32_t one = next_number(&state) % (used ? used : 1);
      *mask = (hd_wave_mask){ { hd_mix(state), hd_mix(state + 1) } };
      if (k->active == ONE)
         *mask = (hd_wave_mask){ { 0, 0 } };
      mask->word[one / 64] |= UINT64_C(1) << one % 64;
      launch->active = mask;
   }
   if (k->helpers && shader->stage == HD_STAGE_FRAGMENT) {
      for (unsigned n = 0; n < MANY; n++)
         helpers[n] = next_number(&state) % 5 == 0;
      /* A rasteriser starts no quad of helpers alone. */
      for (unsigned n = 0; n < MANY; n += 4)
         helpers[n] &= !helpers[n + 1] || !helpers[n + 2] || !helpers[n + 3];
      launch->helpers = helpers;
      launch->num_helpers = MANY;
   }
   launch->undef_value = hd_mix(state + 2);
}
