/* SPDX-License-Identifier: MIT */
/* parameters.c - locations and numbers of parameters.
 *
 * Parameters are numbered by location, without gaps: those that a vertex shader stores, those that a
 * fragment shader reads. hd_gcn_binary.graphics tells the driver, who brings them together.
 */
#include "backend/gcn/select/stage.h"

bool
hd_gcn_location_of(hd_gcn_selector *s, const hd_intrinsic *i, const hd_src *index,
                   uint32_t *location)
{
   const hd_const *c = hd_src_as_const(index);

   if (!c)
      return hd_mach_refuse(s->p, &i->instr, "%s: expected a constant location",
                            hd_instr_intrinsic_info(&i->instr)->name);
   *location = hd_intrinsic_index(i, HD_INDEX_LOCATION) + c->value[0].u32;
   return true;
}

unsigned
hd_gcn_parameter_of(const hd_gcn_selector *s, uint32_t location)
{
   const hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   unsigned n = 0;

   while (n < g->num_parameters && g->parameters[n].location != location)
      n++;
   return n;
}
