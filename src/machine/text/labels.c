/* SPDX-License-Identifier: MIT */
/* labels.c - the labels of an assembly text: a hash table. */
#include "machine/text/labels.h"

#include <string.h>

static uint32_t
hash_word(hd_mach_word word)
{
   uint32_t h = 2166136261u;

   for (size_t n = 0; n < word.length; n++)
      h = (h ^ (unsigned char)word.start[n]) * 16777619u;
   return h;
}

static void
grow(hd_mach_labels *l)
{
   uint32_t slots = 8;

   l->rows = hd_stack_grow(l->stack, l->rows, l->num, &l->capacity, sizeof(*l->rows));
   while (slots < 2 * l->capacity)
      slots *= 2;
   l->slots = hd_stack_alloc_zero(l->stack, slots * sizeof(*l->slots));
   l->slot_mask = slots - 1;
   for (uint32_t n = 0; n < l->num; n++) {
      uint32_t h = hash_word(l->rows[n].name);
      while (l->slots[h & l->slot_mask])
         h++;
      l->slots[h & l->slot_mask] = n + 1;
   }
}

uint32_t
hd_mach_label_number(hd_mach_labels *l, hd_mach_word name)
{
   if (l->num == l->capacity)
      grow(l);
   uint32_t h = hash_word(name);
   for (; l->slots[h & l->slot_mask]; h++) {
      const uint32_t n = l->slots[h & l->slot_mask] - 1;
      const hd_mach_word other = l->rows[n].name;
      if (other.length == name.length && memcmp(other.start, name.start, name.length) == 0)
         return n;
   }
   l->rows[l->num] = (hd_mach_label){ .name = name };
   l->slots[h & l->slot_mask] = ++l->num;
   return l->num - 1;
}
