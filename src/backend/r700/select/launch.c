/* SPDX-License-Identifier: MIT */
/* launch.c - instruction selection of built-in inputs and barriers. */
#include <stddef.h>

#include "backend/r700/select/select.h"
#include "heddle/intrinsic_enum.h"

/* Lanes of one wave wait for each other anyway. */
static bool
select_barrier(sel *s, const hd_intrinsic *i)
{
   const bool promised = hd_r700_of(s->p)->options->one_wave && !s->p->shader->workgroup_size[0];
   bool waits;

   if (!hd_mach_check_barrier(s, i, &waits))
      return false;
   if (waits && !promised)
      return hd_mach_refuse(
          s->p, &i->instr,
          "a barrier of a workgroup that may have more than %u lanes: waves cannot "
          "wait for each other",
          HD_R700_LANES);
   hd_r700_of(s->p)->one_wave |= waits;
   return true;
}

static void
set_from_launch(sel *s, const hd_intrinsic *i, size_t offset)
{
   val parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < i->instr.def.num_components; n++)
      parts[n] = hd_r700_of_launch(offset + 4 * n);
   hd_mach_set_parts(s, &i->instr.def, parts);
}

static void
set_workgroup_size(sel *s, const hd_intrinsic *i)
{
   val parts[3];

   for (unsigned n = 0; n < 3; n++)
      parts[n] = hd_r700_size_of_group(s, n);
   hd_mach_set_parts(s, &i->instr.def, parts);
}

/* Those of the table of sequences that waves of 64 lanes have. */
static bool
select_by_row(sel *s, const hd_intrinsic *i)
{
   val v[HD_MACH_MAX_RESULTS];

   if (!hd_mach_run_intrinsic(s, i, v))
      return false;
   hd_mach_set_parts(s, &i->instr.def, v);
   return true;
}

bool
hd_r700_select_builtin(sel *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_BARRIER:
      return select_barrier(s, i);
   case HD_INTRINSIC_NUM_WORKGROUPS:
      set_from_launch(s, i, offsetof(hd_r700_launch, num_workgroups));
      return true;
   case HD_INTRINSIC_WORKGROUP_SIZE:
      set_workgroup_size(s, i);
      return true;
   case HD_INTRINSIC_GLOBAL_OFFSET:
      set_from_launch(s, i, offsetof(hd_r700_launch, global_offset));
      return true;
   case HD_INTRINSIC_WORK_DIM:
      set_from_launch(s, i, offsetof(hd_r700_launch, work_dim));
      return true;
   default:
      return select_by_row(s, i);
   }
}
