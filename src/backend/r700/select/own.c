/* SPDX-License-Identifier: MIT */
/* own.c - instructions that a driver's hook may append: those on channels that touch nothing else. */
#include <string.h>

#include "backend/r700/select/select.h"

hd_mach_own_op
hd_r700_find_own(const char *name)
{
   for (unsigned n = 0; n < hd_r700_num_own_rows; n++) {
      const hd_r700_op_info *info = &hd_r700_op_infos[hd_r700_own_rows[n].op];
      if (!strcmp(info->name, name))
         return (hd_mach_own_op){ .op = hd_r700_own_rows[n].op,
                                  .num_srcs = info->srcs,
                                  .logic = hd_r700_own_rows[n].kind == HD_R700_OWN_LOGIC,
                                  .compares = hd_r700_own_rows[n].kind == HD_R700_OWN_COMPARE };
   }
   return (hd_mach_own_op){ .num_srcs = 0 };
}

/* Three sources from lines of constants may be more than a group can lock: they are moved. */
val
hd_r700_emit_own(void *user, const hd_mach_own_op *own, bool booleans, const val v[3])
{
   sel *s = user;
   val srcs[3] = { { 0 } };

   (void)booleans;
   for (unsigned n = 0; n < own->num_srcs; n++)
      srcs[n] = own->num_srcs == 3 ? hd_r700_in_register(s, v[n]) : v[n];
   return hd_r700_emit(s, own->op, srcs[0], srcs[1], srcs[2]);
}
