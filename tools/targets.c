/* SPDX-License-Identifier: MIT */
/* targets.c - the table of targets. */
#include "targets.h"

#include <string.h>

static const target targets[] = {
   { "gfx600", MACHINE_GCN, HD_GCN_GFX6 },
   { "gfx803", MACHINE_GCN, HD_GCN_GFX8 },
   { "gfx900", MACHINE_GCN, HD_GCN_GFX9 },
   { "nyuzi", MACHINE_NYUZI, HD_GCN_NUM_GENS },
};

const target *
find_target(const tool *t)
{
   const char *value = option_value(t, "target"), *name = value ? value : "gfx900";

   for (size_t n = 0; n < sizeof(targets) / sizeof(targets[0]); n++) {
      if (!strcmp(targets[n].name, name))
         return &targets[n];
   }
   trouble("--target is gfx600, gfx803, gfx900 or nyuzi, not '%s'", name);
   return NULL;
}

bool
refuse_options(const tool *t, const char *const *names, const target *target)
{
   for (size_t n = 0; names[n]; n++) {
      if (option_given(t, names[n])) {
         trouble("--%s is not for %s", names[n], target->name);
         return true;
      }
   }
   return false;
}
