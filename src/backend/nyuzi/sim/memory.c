/* SPDX-License-Identifier: MIT */
/* memory.c - regions of the address space, in the order of their addresses. */
#include <string.h>

#include "backend/nyuzi/sim/sim.h"

static bool
holds(const sim_region *r, uint64_t address)
{
   return address >= r->address && address - r->address < r->size;
}

/* The first region that ends behind the address. */
static uint32_t
first_behind(const sim *s, uint64_t address)
{
   uint32_t low = 0, high = s->num_regions;

   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (s->regions[middle].address + s->regions[middle].size <= address)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

/* The region of the address, or NULL with a message. */
static const sim_region *
region_of(sim *s, uint32_t address)
{
   if (s->last_region >= s->num_regions || !holds(&s->regions[s->last_region], address))
      s->last_region = first_behind(s, address);
   if (s->last_region < s->num_regions && holds(&s->regions[s->last_region], address))
      return &s->regions[s->last_region];
   hd_nyuzi_sim_fail(s, "address 0x%08x is in no memory", address);
   return NULL;
}

/* The bytes of the region from the address on, or NULL: there are not as many. */
static uint8_t *
bytes_of(sim *s, const sim_region *r, uint32_t address, uint32_t size)
{
   if (r->size - (address - r->address) >= size)
      return r->data + (address - r->address);
   hd_nyuzi_sim_fail(s, "%u bytes at address 0x%08x reach beyond the memory there", size, address);
   return NULL;
}

bool
hd_nyuzi_sim_load(sim *s, uint32_t address, uint32_t size, uint32_t *value)
{
   if (address % size)
      return hd_nyuzi_sim_fail(s, "address 0x%08x is no multiple of %u", address, size);
   const sim_region *r = region_of(s, address);
   if (!r)
      return false;
   /* The last word of memory may be read whole. */
   const uint64_t left = r->size - (address - r->address), rest = r->size % 4;
   const uint32_t there = size == 4 && left == rest ? (uint32_t)rest : size;
   const uint8_t *bytes = bytes_of(s, r, address, there);

   *value = 0;
   for (uint32_t n = 0; bytes && n < there; n++)
      *value |= (uint32_t)bytes[n] << (8 * n);
   return bytes != NULL;
}

bool
hd_nyuzi_sim_store(sim *s, uint32_t address, uint32_t size, uint32_t value)
{
   if (address % size)
      return hd_nyuzi_sim_fail(s, "address 0x%08x is no multiple of %u", address, size);
   const sim_region *r = region_of(s, address);
   uint8_t *bytes = r ? bytes_of(s, r, address, size) : NULL;
   if (!bytes)
      return false;
   if (r->read_only)
      return hd_nyuzi_sim_fail(s, "memory at address 0x%08x may only be read", address);
   if (r->undefined)
      memset(r->undefined + (address - r->address), 0, size);
   for (uint32_t n = 0; n < size; n++)
      bytes[n] = (uint8_t)(value >> (8 * n));
   for (uint32_t n = 0; n < s->num_threads; n++) {
      if (s->threads[n].has_link && s->threads[n].linked == (address & ~3u))
         s->threads[n].has_link = false;
   }
   return true;
}

bool
hd_nyuzi_sim_add_region(sim *s, hd_stack *stack, sim_region region)
{
   if (!region.size)
      return true;
   if (region.address + region.size > UINT64_C(1) << 32)
      return false;
   const uint32_t at = first_behind(s, region.address);
   if (at < s->num_regions && s->regions[at].address < region.address + region.size)
      return false;
   if (s->num_regions == s->capacity) {
      const uint32_t capacity = s->capacity ? 2 * s->capacity : 32;
      sim_region *more = hd_stack_alloc(stack, capacity * sizeof(*more));
      if (s->num_regions)
         memcpy(more, s->regions, s->num_regions * sizeof(*more));
      s->regions = more;
      s->capacity = capacity;
   }
   memmove(&s->regions[at + 1], &s->regions[at], (s->num_regions - at) * sizeof(sim_region));
   s->regions[at] = region;
   s->num_regions++;
   return true;
}

/* Bytes that nobody may touch on either side. */
#define GAP   UINT64_C(256)
#define FIRST UINT64_C(0x10000)

bool
hd_nyuzi_sim_find_place(sim *s, uint64_t size, uint32_t *address)
{
   uint64_t at = FIRST;

   for (uint32_t n = 0; n < s->num_regions; n++) {
      const sim_region *r = &s->regions[n];
      if (r->address >= at + size + GAP)
         break;
      if (r->address + r->size + GAP > at)
         at = (r->address + r->size + GAP + 63) & ~UINT64_C(63);
   }
   *address = (uint32_t)at;
   return at + size + GAP <= UINT64_C(1) << 32;
}
