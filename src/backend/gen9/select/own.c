/* SPDX-License-Identifier: MIT */
/* own.c - instructions that a driver's hook may append: those on registers that touch nothing else. */
#include <string.h>

#include "backend/gen9/select/select.h"

/* By the name of the op, and of the type behind the colon. */
hd_mach_own_op
hd_gen9_find_own(const char *name)
{
   const size_t length = strcspn(name, ":");
   unsigned type = 0;

   while (type < HD_GEN9_NUM_TYPES &&
          !(name[length] && !strcmp(hd_gen9_type_infos[type].name, name + length + 1)))
      type++;
   for (unsigned n = 0; type < HD_GEN9_NUM_TYPES && n < hd_gen9_num_own_rows; n++) {
      const hd_gen9_own_row *row = &hd_gen9_own_rows[n];
      if (row->types >> type & 1 && strlen(row->name) == length && !memcmp(row->name, name, length))
         return (hd_mach_own_op){ .op = n,
                                  .type = type,
                                  .num_srcs = row->num_srcs,
                                  .logic = row->logic,
                                  .compares = row->op == HD_GEN9_P_COMPARE };
   }
   return (hd_mach_own_op){ .num_srcs = 0 };
}

val
hd_gen9_emit_own(void *user, const hd_mach_own_op *own, bool booleans, const val v[3])
{
   sel *s = user;
   const unsigned op = hd_gen9_own_rows[own->op].op;

   (void)booleans;
   if (own->compares)
      return hd_gen9_compare(s, hd_gen9_own_rows[own->op].condition, own->type, v[0], v[1]);
   /* What has three operands takes registers alone. */
   if (own->num_srcs < 3)
      return hd_gen9_emit(s, op, own->type, v[0], v[1]);
   const val a = hd_gen9_in_register(s, v[0]);
   const val b = hd_gen9_in_register(s, v[1]);
   const val c = hd_gen9_in_register(s, v[2]);
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, c));
   hd_gen9_append(s, op, own->type, d, a, b, c);
   return d;
}
