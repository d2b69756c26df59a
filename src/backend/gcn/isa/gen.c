/* SPDX-License-Identifier: MIT */
/* gen.c - names of generations, for users: libheddle alone exports these. */
#include "backend/gcn/program.h"

#include <string.h>

const char *
hd_gcn_gen_name(hd_gcn_gen gen)
{
   return (unsigned)gen < HD_GCN_NUM_GENS ? hd_gcn_target_of(gen)->mach.name : "?";
}

hd_gcn_gen
hd_gcn_gen_find(const char *name)
{
   unsigned gen = 0;

   while (gen < HD_GCN_NUM_GENS && strcmp(hd_gcn_target_of((hd_gcn_gen)gen)->mach.name, name))
      gen++;
   return (hd_gcn_gen)gen;
}
