/* SPDX-License-Identifier: MIT */
/* launch.c - instruction selection of built-in inputs and barriers. */
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

/* Those of the launch, and of the table of sequences that waves of 64 lanes have. */
bool
hd_r700_select_builtin(sel *s, const hd_intrinsic *i)
{
   val v[HD_MACH_MAX_RESULTS];

   if (i->instr.op == HD_INTRINSIC_BARRIER)
      return select_barrier(s, i);
   if (!hd_mach_run_intrinsic(s, i, v))
      return false;
   hd_mach_set_parts(s, &i->instr.def, v);
   return true;
}
