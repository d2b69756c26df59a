/* SPDX-License-Identifier: MIT */
/* memory.c - simulators: memory regions, sorted by address. */
#include "machine/sim/memory.h"

#include <string.h>

/* How many regions begin before the address, or at it where `at` says so. */
static uint32_t
num_before(const hd_mach_memory *m, uint64_t address, bool at)
{
   uint32_t low = 0, high = m->num_regions;

   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      const uint64_t begin = m->regions[middle].address;
      if (begin < address || (at && begin == address))
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

bool
hd_mach_memory_add(hd_mach_memory *m, const hd_mach_memory_region *region, uint64_t *where)
{
   /* What has no bytes stands before what has some, so that the latter is found. */
   const uint32_t at = num_before(m, region->address, region->size != 0);
   const hd_mach_memory_region *before = at ? &m->regions[at - 1] : NULL;
   const hd_mach_memory_region *after = at < m->num_regions ? &m->regions[at] : NULL;

   *where = before && before->address + before->size > region->address ? region->address
            : after                                                    ? after->address
                                                                       : 0;
   if ((before && before->address + before->size > region->address) ||
       (after && region->address + region->size > after->address))
      return false;
   m->regions =
       hd_stack_grow(m->stack, m->regions, m->num_regions, &m->capacity, sizeof(*m->regions));
   memmove(&m->regions[at + 1], &m->regions[at], (m->num_regions - at) * sizeof(*m->regions));
   m->regions[at] = *region;
   m->num_regions++;
   m->last = NULL;
   return true;
}

hd_mach_memory_region *
hd_mach_memory_near(const hd_mach_memory *m, uint64_t address)
{
   const uint32_t num = num_before(m, address, true);

   return num ? &m->regions[num - 1] : NULL;
}

hd_mach_memory_region *
hd_mach_memory_find(hd_mach_memory *m, uint64_t address, unsigned size)
{
   hd_mach_memory_region *r = m->last;

   if (!r || address - r->address >= r->size)
      r = hd_mach_memory_near(m, address);
   if (!r || address - r->address >= r->size || size > r->size - (address - r->address))
      return NULL;
   return m->last = r;
}

hd_wave_memory
hd_mach_memory_bytes(hd_stack *stack, uint64_t size, bool undefined)
{
   const hd_wave_memory m = {
      .data = hd_stack_alloc_zero(stack, (size_t)size + 1),
      .undefined = hd_stack_alloc(stack, (size_t)size + 1),
      .size = size,
   };

   memset(m.undefined, undefined ? 0xff : 0, (size_t)size);
   return m;
}

void
hd_mach_memory_put(hd_wave_memory memory, uint64_t offset, unsigned size, uint64_t value)
{
   uint8_t *data = memory.data;

   for (unsigned n = 0; n < size; n++) {
      data[offset + n] = (uint8_t)(value >> 8 * n);
      if (memory.undefined)
         memory.undefined[offset + n] = 0;
   }
}
