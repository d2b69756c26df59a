/* SPDX-License-Identifier: MIT */
/* identity.c - lane and workgroup ids, helper lanes, barriers. */
#include "heddle/intrinsic_enum.h"
#include "wave/wave.h"

static void
set_row(hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane, uint64_t value)
{
   row_of(w, &i->dst, c)[lane] = value;
}

/* Number of the lane in its workgroup. */
static uint32_t
local_index(const hd_wave *w, unsigned lane)
{
   return w->number * w->run->width + lane;
}

static uint32_t
local_id(const hd_wave *w, unsigned lane, unsigned c)
{
   const uint32_t *size = w->run->workgroup_size;
   uint32_t index = local_index(w, lane);

   for (unsigned n = 0; n < c; n++)
      index /= size[n];
   return c < 2 ? index % size[c] : index;
}

static uint64_t
total(const uint32_t v[3])
{
   return (uint64_t)v[0] * v[1] * v[2];
}

static uint32_t
work_dim(const hd_wave_run_state *run)
{
   if (run->launch->work_dim)
      return run->launch->work_dim;
   for (unsigned n = 3; n > 1; n--) {
      if (run->num_workgroups[n - 1] > 1 || run->workgroup_size[n - 1] > 1)
         return n;
   }
   return 1;
}

static uint64_t
identity(const hd_wave *w, hd_intrinsic_id id, unsigned lane, unsigned c)
{
   const hd_wave_run_state *run = w->run;

   switch (id) {
   case HD_INTRINSIC_LOCAL_INVOCATION_ID:
      return local_id(w, lane, c);
   case HD_INTRINSIC_LOCAL_INVOCATION_INDEX:
      return local_index(w, lane);
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
      return run->workgroup[c] * run->workgroup_size[c] + local_id(w, lane, c);
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
   case HD_INTRINSIC_VERTEX_INDEX:
      return run->workgroup_index * (uint32_t)total(run->workgroup_size) + local_index(w, lane);
   case HD_INTRINSIC_WORKGROUP_ID:
      return run->workgroup[c];
   case HD_INTRINSIC_WORKGROUP_INDEX:
      return run->workgroup_index;
   case HD_INTRINSIC_NUM_WORKGROUPS:
      return run->num_workgroups[c];
   case HD_INTRINSIC_WORKGROUP_SIZE:
      return run->workgroup_size[c];
   case HD_INTRINSIC_GLOBAL_OFFSET:
      return run->launch->global_offset[c];
   case HD_INTRINSIC_WORK_DIM:
      return work_dim(run);
   case HD_INTRINSIC_NUM_SUBGROUPS:
      return run->num_waves;
   case HD_INTRINSIC_SUBGROUP_ID:
      return w->number;
   case HD_INTRINSIC_SUBGROUP_SIZE:
      return run->width;
   case HD_INTRINSIC_SUBGROUP_INVOCATION:
      return lane;
   default: /* instance_index, base_vertex, base_instance, draw_index, view_index: one draw of one
             */
      return 0;
   }
}

void
hd_wave_identity(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      for (unsigned k = 0; k < w->count; k++)
         set_row(w, i, c, w->lanes[k],
                 identity(w, (hd_intrinsic_id)i->instr->op, w->lanes[k], c) &
                     size_mask(i->dst.bits));
      set_defined(w, &i->dst, c);
   }
}

/* Masks of the lanes with a lower, an equal or a higher number. */
void
hd_wave_lane_mask(hd_wave *w, const hd_code_instr *i)
{
   const hd_wave_mask every = mask_first(w->run->width);

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const hd_wave_mask below = mask_first(l), up_to = mask_first(l + 1);
      hd_wave_mask m;
      switch ((hd_intrinsic_id)i->instr->op) {
      case HD_INTRINSIC_SUBGROUP_EQ_MASK:
         m = mask_without(up_to, below);
         break;
      case HD_INTRINSIC_SUBGROUP_LT_MASK:
         m = below;
         break;
      case HD_INTRINSIC_SUBGROUP_LE_MASK:
         m = up_to;
         break;
      case HD_INTRINSIC_SUBGROUP_GT_MASK:
         m = mask_without(every, up_to);
         break;
      default:
         m = mask_without(every, below);
         break;
      }
      for (unsigned c = 0; c < 4; c++)
         set_row(w, i, c, l, (uint32_t)(m.word[c / 2] >> 32 * (c % 2)));
   }
   for (unsigned c = 0; c < 4; c++)
      set_defined(w, &i->dst, c);
}

/* All waves of the launch count together, one for each instruction. */
void
hd_wave_clock(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++)
      set_row(w, i, 0, w->lanes[k], w->run->stats.instructions);
   set_defined(w, &i->dst, 0);
}

/* Helpers */

void
hd_wave_is_helper(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++)
      set_row(w, i, 0, w->lanes[k], mask_has(w->helper, w->lanes[k]));
   set_defined(w, &i->dst, 0);
}

void
hd_wave_demote(hd_wave *w, const hd_code_instr *i)
{
   hd_wave_mask lanes = w->active;

   if (i->num_srcs) {
      const hd_wave_mask bad = mask_and(*undef_of(w, &i->srcs[0], 0), w->active);
      if (mask_any(bad))
         hd_wave_fault(w, i->instr, hd_wave_mask_first(bad), "demotes on an undefined condition");
      lanes = mask_none();
      for (unsigned k = 0; k < w->count; k++) {
         if (row_of(w, &i->srcs[0], 0)[w->lanes[k]])
            mask_add(&lanes, w->lanes[k]);
      }
   }
   w->helper = mask_or(w->helper, lanes);
   hd_wave_end_lanes(w, mask_none()); /* all of them, if only helpers are left */
}

/* Barriers: memory is in order anyway. */
void
hd_wave_barrier(hd_wave *w, const hd_code_instr *i)
{
   const uint32_t scope = intrinsic_index(i, HD_INDEX_EXEC_SCOPE);

   if (scope == HD_SCOPE_NONE || scope == HD_SCOPE_INVOCATION)
      return;
   const hd_wave_mask missing =
       mask_without(mask_first(w->run->width), mask_or(w->ended, w->active));
   if (mask_any(missing))
      hd_wave_fault(w, i->instr, hd_wave_mask_first(missing),
                    "a barrier without all lanes: without");
   if (scope == HD_SCOPE_WORKGROUP)
      w->state = HD_WAVE_AT_BARRIER;
}
