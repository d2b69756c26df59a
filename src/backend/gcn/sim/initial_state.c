/* SPDX-License-Identifier: MIT */
/* initial_state.c - initial registers of a wave, as the launch and the hardware set them; all others are
 * undefined.
 *
 *    user SGPRs                  from the launch
 *    workgroup id x, y, z        those that pgm_rsrc2 enables, after the user SGPRs
 *    workgroup info              the same: number of waves, of this wave
 *    scratch wave offset         the same
 *    v0, v1, v2                  local invocation id, as many as pgm_rsrc2 enables
 *    exec                        lanes of the workgroup that are to start
 */
#include "backend/gcn/sim/machine.h"

#include <string.h>

enum {
   RSRC2_SCRATCH = 1u << 0,
   RSRC2_USER_SGPR_SHIFT = 1,
   RSRC2_GROUP_ID_SHIFT = 7, /* x; y and z follow */
   RSRC2_GROUP_INFO = 1u << 10,
   RSRC2_LOCAL_ID_SHIFT = 11,
};

static void
set_sgpr(hd_gcn_wave *w, unsigned reg, uint32_t value)
{
   w->sgpr[reg] = value;
   w->sgpr_undef[reg] = 0;
}

/* A buffer resource by which each lane of a wave finds its own dwords: lanes side by side, the
 * number of the lane added by the hardware.
 */
static void
set_scratch_resource(hd_gcn_machine *m, hd_gcn_wave *w, unsigned reg)
{
   const uint32_t swizzle = 1u << 31, lane_is_index = 1u << 23, stride_64 = 3u << 21;
   const uint32_t element_4 = m->target->gen == HD_GCN_GFX900 ? 0 : 1u << 19;
   const uint32_t select_xyzw = 0xfac;
   /* The data format is not read, but where it is a part of the stride. */
   const uint32_t format = m->target->gen == HD_GCN_GFX600 ? 4u << 15 | 4u << 12 : 4u << 12;

   set_sgpr(w, reg, (uint32_t)m->scratch_base);
   set_sgpr(w, reg + 1, (uint32_t)(m->scratch_base >> 32) | swizzle);
   set_sgpr(w, reg + 2, UINT32_MAX);
   set_sgpr(w, reg + 3, select_xyzw | format | stride_64 | lane_is_index | element_4);
}

/* gfx8 is given an offset from the hidden base and the size of a lane, gfx9 an address. */
static void
set_flat_scratch(hd_gcn_machine *m, hd_gcn_wave *w, unsigned reg)
{
   const bool gfx9 = m->target->gen == HD_GCN_GFX900;
   const uint64_t value =
       gfx9 ? m->scratch_base
            : (m->scratch_base - m->hidden_base) | (uint64_t)m->launch->scratch_size << 32;

   set_sgpr(w, reg, (uint32_t)value);
   set_sgpr(w, reg + 1, (uint32_t)(value >> 32));
}

static void
set_user_sgprs(hd_gcn_machine *m, hd_gcn_wave *w)
{
   const hd_gcn_sim_launch *l = m->launch;
   const unsigned num = l->pgm_rsrc2 >> RSRC2_USER_SGPR_SHIFT & 31;

   for (unsigned n = 0; n < num && n < HD_GCN_MAX_USER_SGPRS; n++)
      set_sgpr(w, n, l->user_sgprs[n]);
   if (l->scratch_resource + 3u < HD_GCN_MAX_USER_SGPRS)
      set_scratch_resource(m, w, l->scratch_resource);
   if (l->flat_scratch_init + 1u < HD_GCN_MAX_USER_SGPRS)
      set_flat_scratch(m, w, l->flat_scratch_init);
}

static void
set_system_sgprs(hd_gcn_machine *m, simulated *s, const uint32_t id[3], uint32_t num_waves)
{
   const uint32_t rsrc2 = m->launch->pgm_rsrc2;
   hd_gcn_wave *w = &s->wave;
   unsigned reg = rsrc2 >> RSRC2_USER_SGPR_SHIFT & 31;

   for (unsigned n = 0; n < 3; n++) {
      if (rsrc2 >> (RSRC2_GROUP_ID_SHIFT + n) & 1)
         set_sgpr(w, reg++, id[n]);
   }
   if (rsrc2 & RSRC2_GROUP_INFO)
      set_sgpr(w, reg++, num_waves | w->number << 6 | (uint32_t)(w->number == 0) << 31);
   if (rsrc2 & RSRC2_SCRATCH)
      set_sgpr(w, reg, (uint32_t)s->scratch_offset);
}

/* The size of this workgroup: the last ones along an axis may be smaller. */
static uint32_t
size_along(const hd_gcn_machine *m, unsigned n, uint32_t id)
{
   const uint32_t size = m->workgroup_size[n], grid = m->launch->grid[n];
   const uint64_t first = (uint64_t)id * size;

   return !grid || first + size <= grid ? size : first < grid ? grid - (uint32_t)first : 0;
}

/* Lanes past the workgroup's size don't start, nor those that the launch leaves out. */
static uint64_t
set_lanes(hd_gcn_machine *m, hd_gcn_wave *w, const uint32_t size[3])
{
   const unsigned components = (m->launch->pgm_rsrc2 >> RSRC2_LOCAL_ID_SHIFT & 3) + 1;
   uint64_t exec = 0;

   for (unsigned lane = 0; lane < HD_GCN_LANES; lane++) {
      const uint32_t index = w->number * HD_GCN_LANES + lane;
      if (index >= size[0] * size[1] * size[2])
         break;
      if (m->launch->active && !(m->launch->active->word[0] >> lane & 1))
         continue;
      const uint32_t local[3] = { index % size[0], index / size[0] % size[1],
                                  index / size[0] / size[1] };
      exec |= UINT64_C(1) << lane;
      for (unsigned n = 0; n < components && n < 3; n++) {
         w->vgpr[n][lane] = local[n];
         w->vgpr_undef[n][lane] = 0;
      }
   }
   return exec;
}

/* As the launch says; the lanes. */
static uint64_t
set_start(hd_gcn_machine *m, simulated *s)
{
   const hd_gcn_sim_start *start = &m->launch->starts[s->wave.workgroup];
   const uint32_t rsrc2 = m->launch->pgm_rsrc2;
   unsigned reg = rsrc2 >> RSRC2_USER_SGPR_SHIFT & 31;

   for (unsigned n = 0; n < start->num_sgprs; n++)
      set_sgpr(&s->wave, reg++, start->sgprs[n]);
   if (rsrc2 & RSRC2_SCRATCH)
      set_sgpr(&s->wave, reg, (uint32_t)s->scratch_offset);
   for (unsigned n = 0; n < start->num_vgprs && n < s->wave.num_vgprs; n++) {
      memcpy(s->wave.vgpr[n], start->vgprs[n], sizeof(s->wave.vgpr[n]));
      memcpy(s->wave.vgpr_undef[n], start->undefined[n], sizeof(s->wave.vgpr_undef[n]));
   }
   if (start->lds) {
      memcpy(m->lds, start->lds, m->launch->lds_size);
      memcpy(m->lds_undef, start->lds_undefined, m->launch->lds_size);
   }
   return start->lanes;
}

static uint64_t
set_place(hd_gcn_machine *m, simulated *s, const uint32_t id[3])
{
   uint32_t size[3];

   if (m->launch->starts)
      return set_start(m, s);
   for (unsigned n = 0; n < 3; n++)
      size[n] = size_along(m, n, id[n]);
   const uint32_t lanes = size[0] * size[1] * size[2];
   set_system_sgprs(m, s, id, (lanes + HD_GCN_LANES - 1) / HD_GCN_LANES);
   return set_lanes(m, &s->wave, size);
}

void
hd_gcn_wave_start(hd_gcn_machine *m, simulated *s, uint32_t workgroup, uint32_t number)
{
   const uint32_t rsrc1 = m->launch->pgm_rsrc1, sgpr_field = rsrc1 >> 6 & 15;
   hd_gcn_wave *w = &s->wave;
   const uint32_t id[3] = { workgroup % m->num_workgroups[0],
                            workgroup / m->num_workgroups[0] % m->num_workgroups[1],
                            workgroup / m->num_workgroups[0] / m->num_workgroups[1] };

   w->machine = m;
   w->workgroup = workgroup;
   w->number = number;
   w->pc = w->next_pc = m->code_base + m->launch->entry;
   w->num_vgprs = ((rsrc1 & 63) + 1) * 4;
   w->num_sgprs =
       m->target->gen == HD_GCN_GFX600 ? (sgpr_field + 1) * 8 : (sgpr_field / 2 + 1) * 16;
   /* Zeroes, so that runs are the same; undefined all the same. */
   memset(w->sgpr, 0, sizeof(w->sgpr));
   memset(w->sgpr_undef, 0xff, sizeof(w->sgpr_undef));
   memset(w->vgpr, 0, w->num_vgprs * sizeof(w->vgpr[0]));
   memset(w->vgpr_undef, 0xff, w->num_vgprs * sizeof(w->vgpr_undef[0]));
   w->scc = 0;
   w->scc_undef = 1;
   /* Rounding and denormals, dx10_clamp, ieee. */
   w->mode = (rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9;
   w->lds = m->lds;
   w->lds_undef = m->lds_undef;
   w->lds_size = m->launch->lds_size;
   w->scratch_base = m->scratch_base + s->scratch_offset;
   w->hidden_private_base = m->hidden_base;
   w->lds_aperture = HD_GCN_LDS_APERTURE;
   w->private_aperture = HD_GCN_PRIVATE_APERTURE;
   w->at_barrier = false;
   w->exports_done = 0;
   set_user_sgprs(m, w);
   const uint64_t exec = set_place(m, s, id);
   set_sgpr(w, HD_GCN_EXEC, (uint32_t)exec);
   set_sgpr(w, HD_GCN_EXEC + 1, (uint32_t)(exec >> 32));
   /* A wave without lanes is not launched. */
   w->ended = !exec;
   if (s->scratch)
      memset(s->scratch->undef, 0xff, (size_t)s->scratch->size);
   s->top_sgpr = s->extra_sgprs = 0;
   s->unwaited_lds = false;
   *w->clock = (hd_gcn_clock){ 0 };
   hd_gcn_flight_reset(w);
   hd_gcn_states_reset(s->hazards);
}
