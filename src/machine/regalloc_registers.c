/* SPDX-License-Identifier: MIT */
/* regalloc_registers.c - the register file during allocation: take, release, find, pack (defragment). */
#include "machine/regalloc.h"

#include <assert.h>

void
hd_mach_ra_take(hd_mach_allocator *a, uint32_t temp, unsigned reg)
{
   const unsigned size = a->p->temps[temp].size;

   assert(a->where[temp] == HD_MACH_NO_REG && !hd_mach_regset_meets(&a->taken, reg, size));
   a->where[temp] = (uint16_t)reg;
   for (unsigned n = 0; n < size; n++)
      a->holder[reg + n] = temp;
   hd_mach_regset_add(&a->taken, reg, size);
}

void
hd_mach_ra_release(hd_mach_allocator *a, uint32_t temp)
{
   const unsigned size = a->p->temps[temp].size, reg = a->where[temp];

   assert(reg != HD_MACH_NO_REG && a->holder[reg] == temp);
   a->where[temp] = HD_MACH_NO_REG;
   for (unsigned n = 0; n < size; n++)
      a->holder[reg + n] = 0;
   hd_mach_regset_remove(&a->taken, reg, size);
}

unsigned
hd_mach_ra_find_place(hd_mach_allocator *a, uint32_t temp, const hd_mach_regset *taken)
{
   const hd_mach_temp *t = &a->p->temps[temp];
   const hd_mach_window window = {
      .first = a->first[t->file], .end = a->end[t->file], .size = t->size, .align = t->align
   };
   unsigned reg = hd_mach_affinity_preferred(a, temp, taken);

   if (reg != HD_MACH_NO_REG)
      return reg;
   /* Not where others of a web will want to be, if there is room elsewhere. */
   hd_mach_regset avoid = *taken;
   hd_mach_regset_unite(&avoid, &a->wished);
   reg = hd_mach_regset_find(&avoid, window);
   return reg != HD_MACH_NO_REG ? reg : hd_mach_regset_find(taken, window);
}

/* All values of a file that have a home in its range, in an order in which they fit side by side
 * without gaps: those of stricter alignment first, as all sizes are multiples of the alignment. The
 * ones that are to be last are in reverse, for the gap to lie where free registers begin.
 */
static unsigned
sort_homes(const hd_mach_allocator *a, unsigned file, const hd_mach_regset *last, uint32_t *temps)
{
   unsigned num = 0;

   for (unsigned pass = 0; pass < 6; pass++) {
      const bool is_last = pass >= 3;
      const unsigned align = 1u << (is_last ? pass - 3 : 2 - pass);
      for (unsigned reg = a->first[file]; reg < a->end[file]; reg++) {
         const uint32_t temp = a->holder[reg];
         if (!temp || a->where[temp] != reg || a->p->temps[temp].align != align ||
             (last && hd_mach_regset_meets(last, reg, 1)) != is_last)
            continue;
         temps[num++] = temp;
      }
   }
   return num;
}

bool
hd_mach_ra_pack(hd_mach_allocator *a, unsigned file, const hd_mach_regset *last)
{
   uint32_t temps[HD_MACH_MAX_REGS];
   const unsigned num = sort_homes(a, file, last, temps);
   unsigned reg = a->first[file];

   for (unsigned n = 0; n < num; n++)
      hd_mach_ra_release(a, temps[n]);
   for (unsigned n = 0; n < num; n++) {
      const hd_mach_temp *t = &a->p->temps[temps[n]];
      reg = (reg + t->align - 1u) & ~(t->align - 1u);
      if (reg + t->size > a->end[file])
         return false;
      hd_mach_ra_take(a, temps[n], reg);
      reg += t->size;
   }
   return true;
}
