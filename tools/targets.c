/* SPDX-License-Identifier: MIT */
/* targets.c - the table of targets. */
#include "targets.h"

#include <string.h>

static const target targets[] = {
#if HD_HAS_GCN
   { "gfx600", &gcn_machine, HD_GCN_GFX6 },
   { "gfx803", &gcn_machine, HD_GCN_GFX8 },
   { "gfx900", &gcn_machine, HD_GCN_GFX9 },
#endif
#if HD_HAS_NYUZI
   { "nyuzi", &nyuzi_machine, 0 },
#endif
   { NULL, NULL, 0 },
};

#if HD_HAS_GCN
static const target *const default_target = &targets[2];
#else
static const target *const default_target = &targets[0];
#endif

static void
print_unknown(const char *name)
{
   char list[100] = "";

   if (!targets[0].name) {
      trouble("this build has no backend: there is no target");
      return;
   }
   for (const target *at = targets; at->name; at++) {
      const size_t length = strlen(list);
      snprintf(list + length, sizeof(list) - length, "%s%s",
               at == targets ? ""
               : at[1].name  ? ", "
                             : " or ",
               at->name);
   }
   trouble("--target is %s, not '%s'", list, name);
}

const target *
find_target(const tool *t)
{
   const char *name = option_value(t, "target");

   if (!name && default_target->name)
      return default_target;
   for (const target *at = targets; name && at->name; at++) {
      if (!strcmp(at->name, name))
         return at;
   }
   print_unknown(name ? name : "");
   return NULL;
}

const machine *
find_object_machine(void)
{
   for (const target *at = targets; at->name; at++) {
      if (at->machine->run_object)
         return at->machine;
   }
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
