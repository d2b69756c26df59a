/* SPDX-License-Identifier: MIT */
/* register_set.c - sets of registers. */
#include "machine/register_set.h"

/* The bits of `size` registers from `reg` on that are in the word of `reg`; `size` gets the rest.
 */
static uint64_t
word_mask(unsigned reg, unsigned *size)
{
   const unsigned at = reg % 64, here = *size < 64 - at ? *size : 64 - at;
   const uint64_t bits = here == 64 ? UINT64_MAX : (UINT64_C(1) << here) - 1;

   *size -= here;
   return bits << at;
}

void
hd_mach_regset_add(hd_mach_regset *set, unsigned reg, unsigned size)
{
   while (size) {
      const unsigned word = reg / 64;
      set->words[word] |= word_mask(reg, &size);
      reg = (word + 1) * 64;
   }
}

void
hd_mach_regset_remove(hd_mach_regset *set, unsigned reg, unsigned size)
{
   while (size) {
      const unsigned word = reg / 64;
      set->words[word] &= ~word_mask(reg, &size);
      reg = (word + 1) * 64;
   }
}

bool
hd_mach_regset_meets(const hd_mach_regset *set, unsigned reg, unsigned size)
{
   while (size) {
      const unsigned word = reg / 64;
      if (set->words[word] & word_mask(reg, &size))
         return true;
      reg = (word + 1) * 64;
   }
   return false;
}

void
hd_mach_regset_unite(hd_mach_regset *set, const hd_mach_regset *other)
{
   for (unsigned n = 0; n < HD_MACH_MAX_REGS / 64; n++)
      set->words[n] |= other->words[n];
}

unsigned
hd_mach_regset_find(const hd_mach_regset *taken, hd_mach_window w)
{
   const unsigned align = w.align;

   if (w.end < w.first + w.size)
      return HD_MACH_NO_REG;
   if (w.from_end) {
      for (unsigned reg = (w.end - w.size) & ~(align - 1); reg >= w.first && reg < w.end;
           reg -= align) {
         if (!hd_mach_regset_meets(taken, reg, w.size))
            return reg;
      }
      return HD_MACH_NO_REG;
   }
   for (unsigned reg = (w.first + align - 1) & ~(align - 1); reg + w.size <= w.end; reg += align) {
      /* Past words in which all is taken. */
      if (reg % 64 == 0 && taken->words[reg / 64] == UINT64_MAX)
         reg += 64 - align;
      else if (!hd_mach_regset_meets(taken, reg, w.size))
         return reg;
   }
   return HD_MACH_NO_REG;
}
