/* SPDX-License-Identifier: MIT */
/* launch.c - instruction selection: launch data and initial registers. */
#include <stddef.h>

#include "backend/nyuzi/select/expr.h"

/* A word that nothing writes while the program runs, and that is always there. */
val
hd_nyuzi_load_constant(sel *s, val address, int32_t offset)
{
   const uint32_t here = s->base.block->index + 1;

   for (unsigned n = 0; n < HD_NYUZI_CACHED_CONSTANTS; n++) {
      if (s->words[n].block == here && s->words[n].base == address.value &&
          s->words[n].offset == offset)
         return s->words[n].operand;
   }
   const val d = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_mach_inst *inst = hd_mach_selector_emit(&s->base, HD_NYUZI_LOAD_32, 1, &d, 1, &address);
   inst->imm = offset;
   inst->memory = HD_MACH_MEMORY_CONSTANT;
   s->words[s->next_word].base = address.value;
   s->words[s->next_word].block = here;
   s->words[s->next_word].offset = offset;
   s->words[s->next_word].operand = d;
   s->next_word = (s->next_word + 1) % HD_NYUZI_CACHED_CONSTANTS;
   return d;
}

_Static_assert(offsetof(hd_nyuzi_launch, work_dim) == offsetof(hd_mach_launch, work_dim),
               "a launch begins with a hd_mach_launch");

val
hd_nyuzi_of_launch(void *user, size_t offset)
{
   sel *s = user;

   return hd_nyuzi_load_constant(s, hd_nyuzi_of(s->base.p)->start[HD_NYUZI_START_LAUNCH],
                                 (int32_t)offset);
}

val
hd_nyuzi_index_in_group(sel *s)
{
   return hd_nyuzi_of(s->base.p)->start[HD_NYUZI_START_INDEX];
}

val
hd_nyuzi_lane(sel *s)
{
   return and(s, hd_nyuzi_index_in_group(s), K(HD_NYUZI_LANES - 1));
}
