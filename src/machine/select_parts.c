/* SPDX-License-Identifier: MIT */
/* select_parts.c - the walk of instruction selection, for machines that have values in parts. */
#include "machine/select.h"
#include "machine/selector.h"

static void
start_phi(void *user, const hd_phi *phi)
{
   hd_mach_selector *s = user;
   const hd_def *def = &phi->instr.def;
   hd_mach_operand parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(def); n++) {
      parts[n] = s->walk->new_part(s, def);
      const bool mask = s->p->temps[parts[n].value].flags & HD_MACH_TEMP_MASK;
      hd_mach_selector_phi(s, parts[n], mask);
   }
   hd_mach_set_parts(s, def, parts);
}

static bool
select_alu(void *user, const hd_alu *alu)
{
   return hd_mach_select_alu(user, alu);
}

bool
hd_mach_select_parts(hd_mach_selector *s, const hd_mach_part_walk *walk)
{
   const hd_mach_selection rows = {
      .at = hd_mach_selector_at,
      .alu = select_alu,
      .intrinsic = walk->intrinsic,
      .undef = hd_mach_selector_undef,
      .start_phi = start_phi,
      .num_parts = hd_mach_num_parts,
      .phi_source = walk->phi_source,
      .condition = walk->condition,
   };

   s->walk = walk;
   return hd_mach_select(s->p, &rows, s);
}
