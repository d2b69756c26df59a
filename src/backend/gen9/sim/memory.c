/* SPDX-License-Identifier: MIT */
/* memory.c - simulated memory: surfaces, shared memory, and the address space. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"
#include "util/bytes.h"

static const gen9_memory *
surface_of(gen9_sim *s, unsigned index)
{
   return index == GEN9_BTI_SHARED ? &s->shared : s->surfaces[index];
}

static bool
is_inside(const gen9_memory *m, uint64_t offset, uint32_t size)
{
   return offset <= m->size && m->size - offset >= size;
}

void
hd_gen9_sim_store(gen9_sim *s, const gen9_memory *m, const char *within, uint64_t offset,
                  uint32_t size, uint64_t value)
{
   put_number(m->data + offset, size, value);
   if (m->undefined)
      memset(m->undefined + offset, 0, size);
   if (s->stored)
      s->stored(s->user, &(hd_wave_stored){ .workgroup = s->workgroup,
                                            .wave = s->thread,
                                            .lane = s->channel,
                                            .within = within,
                                            .address = within ? offset : m->address + offset,
                                            .data = m->data + offset,
                                            .size = size });
}

/* Shared memory is as large as the code says: what is outside is a fault of the code. */
static bool
has_place(gen9_sim *s, unsigned index, const gen9_memory *m, uint32_t offset, uint32_t size)
{
   if (!m)
      return hd_gen9_sim_fail(s, "there is no surface %u", index);
   if (index == GEN9_BTI_SHARED && !is_inside(m, offset, size))
      return hd_gen9_sim_fail(s, "shared memory has no byte 0x%" PRIx32, offset);
   return true;
}

bool
hd_gen9_sim_load_surface(gen9_sim *s, unsigned index, uint32_t offset, uint32_t size,
                         uint64_t *value)
{
   if (index == GEN9_BTI_STATELESS)
      return hd_gen9_sim_load_address(s, offset, size, value);
   const gen9_memory *m = surface_of(s, index);
   if (!has_place(s, index, m, offset, size))
      return false;
   *value = is_inside(m, offset, size) ? get_number(m->data + offset, size) : 0;
   return true;
}

bool
hd_gen9_sim_store_surface(gen9_sim *s, unsigned index, uint32_t offset, uint32_t size,
                          uint64_t value)
{
   if (index == GEN9_BTI_STATELESS)
      return hd_gen9_sim_store_address(s, offset, size, value);
   const gen9_memory *m = surface_of(s, index);
   char within[32];
   if (!has_place(s, index, m, offset, size))
      return false;
   if (m->read_only)
      return hd_gen9_sim_fail(s, "surface %u may only be read", index);
   if (!is_inside(m, offset, size))
      return true;
   snprintf(within, sizeof(within), index == GEN9_BTI_SHARED ? "shared memory" : "surface %u",
            index);
   hd_gen9_sim_store(s, m, within, offset, size, value);
   return true;
}

static const gen9_memory *
region_of(gen9_sim *s, uint64_t address, uint32_t size)
{
   uint32_t low = 0, high = s->num_regions;

   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      const gen9_memory *r = &s->regions[middle];
      if (address < r->address)
         high = middle;
      else if (address - r->address >= r->size)
         low = middle + 1;
      else if (!is_inside(r, address - r->address, size))
         break;
      else
         return r;
   }
   hd_gen9_sim_fail(s, "%" PRIu32 " bytes at address 0x%" PRIx64 " are in no memory", size,
                    address);
   return NULL;
}

bool
hd_gen9_sim_load_address(gen9_sim *s, uint64_t address, uint32_t size, uint64_t *value)
{
   const gen9_memory *r = region_of(s, address, size);

   if (r)
      *value = get_number(r->data + (address - r->address), size);
   return r != NULL;
}

bool
hd_gen9_sim_store_address(gen9_sim *s, uint64_t address, uint32_t size, uint64_t value)
{
   const gen9_memory *r = region_of(s, address, size);

   if (!r)
      return false;
   if (r->read_only)
      return hd_gen9_sim_fail(s, "memory at address 0x%" PRIx64 " may only be read", address);
   hd_gen9_sim_store(s, r, NULL, address - r->address, size, value);
   return true;
}
