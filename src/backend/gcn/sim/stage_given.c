/* SPDX-License-Identifier: MIT */
/* stage_given.c - what a launch gives to stages, and the numbers of their lanes. */
#include "backend/gcn/sim/stage_launch.h"

#define LANES 64u

const hd_wave_builtin *
hd_gcn_stage_given(const hd_gcn_stage_launch *s, hd_intrinsic_id id, uint32_t mode,
                   uint32_t location)
{
   for (uint32_t n = 0; n < s->from->num_given; n++) {
      const hd_wave_builtin *g = &s->from->given[n];
      if (g->id == id && g->interp_mode == mode && g->interp_location == location)
         return g;
   }
   return NULL;
}

uint64_t
hd_gcn_stage_invocation(const hd_gcn_stage_launch *s, uint32_t wave, unsigned lane)
{
   return (uint64_t)(wave / s->waves_of_group) * s->group_lanes + wave % s->waves_of_group * LANES +
          lane;
}
