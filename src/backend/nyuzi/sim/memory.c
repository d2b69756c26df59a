/* SPDX-License-Identifier: MIT */
/* memory.c - simulated memory: regions of the address space, sorted by address. */
#include <string.h>

#include "backend/nyuzi/sim/sim.h"

/* The region that has all of these bytes, or NULL with a message. */
static const hd_mach_memory_region *
region_of(sim *s, uint32_t address, uint32_t size)
{
   const hd_mach_memory_region *r = hd_mach_memory_find(&s->memory, address, size);

   if (r)
      return r;
   if (hd_mach_memory_find(&s->memory, address, 1))
      hd_nyuzi_sim_fail(s, "%u bytes at address 0x%08x reach beyond the memory there", size,
                        address);
   else
      hd_nyuzi_sim_fail(s, "address 0x%08x is in no memory", address);
   return NULL;
}

/* The last word of memory may be read whole. */
static uint32_t
bytes_there(sim *s, uint32_t address, uint32_t size)
{
   const hd_mach_memory_region *r = hd_mach_memory_find(&s->memory, address, 1);
   const uint64_t left = r ? r->size - (address - r->address) : size;

   return r && size == 4 && left == r->size % 4 ? (uint32_t)left : size;
}

bool
hd_nyuzi_sim_load(sim *s, uint32_t address, uint32_t size, uint32_t *value)
{
   if (address % size)
      return hd_nyuzi_sim_fail(s, "address 0x%08x is no multiple of %u", address, size);
   const uint32_t there = bytes_there(s, address, size);
   const hd_mach_memory_region *r = region_of(s, address, there);

   *value = 0;
   for (uint32_t n = 0; r && n < there; n++)
      *value |= (uint32_t)r->data[address - r->address + n] << (8 * n);
   return r != NULL;
}

bool
hd_nyuzi_sim_store(sim *s, uint32_t address, uint32_t size, uint32_t value)
{
   if (address % size)
      return hd_nyuzi_sim_fail(s, "address 0x%08x is no multiple of %u", address, size);
   const hd_mach_memory_region *r = region_of(s, address, size);
   if (!r)
      return false;
   if (r->read_only)
      return hd_nyuzi_sim_fail(s, "memory at address 0x%08x may only be read", address);
   if (r->undef)
      memset(r->undef + (address - r->address), 0, size);
   for (uint32_t n = 0; n < size; n++)
      r->data[address - r->address + n] = (uint8_t)(value >> (8 * n));
   if (s->options->stored)
      s->options->stored(s->options->user,
                         &(hd_wave_stored){ .workgroup = s->workgroup,
                                            .wave = s->thread,
                                            .lane = s->lane,
                                            .address = address,
                                            .data = &r->data[address - r->address],
                                            .size = size });
   for (uint32_t n = 0; n < s->num_threads; n++) {
      if (s->threads[n].has_link && s->threads[n].linked == (address & ~3u))
         s->threads[n].has_link = false;
   }
   return true;
}
