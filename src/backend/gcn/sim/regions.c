/* SPDX-License-Identifier: MIT */
/* regions.c - place memory regions across multiples of 4 GiB, so that address arithmetic without carry
 * faults. */
#include "backend/gcn/sim/regions.h"

#include <string.h>

void
hd_gcn_regions_init(places *p, hd_stack *stack)
{
   *p = (places){ .stack = stack, .next = 0x10 };
}

static hd_gcn_sim_region *
add_region(places *p)
{
   p->regions = hd_stack_grow(p->stack, p->regions, p->num, &p->capacity, sizeof(*p->regions));
   return &p->regions[p->num++];
}

void
hd_gcn_regions_give(places *p, uint64_t address, hd_wave_memory memory, const char *name)
{
   *add_region(p) = (hd_gcn_sim_region){ .address = address, .memory = memory, .name = name };
   p->num_given = p->num;
}

static bool
is_free(const places *p, uint64_t base, uint64_t size)
{
   for (uint32_t n = 0; n < p->num_given; n++) {
      const hd_gcn_sim_region *r = &p->regions[n];
      if (base < r->address + r->memory.size && r->address < base + size)
         return false;
   }
   return true;
}

uint64_t
hd_gcn_regions_add(places *p, hd_wave_memory memory, uint64_t align, bool read_only,
                   const char *name)
{
   const uint64_t below = (memory.size / 2 + align - 1) & ~(align - 1);
   uint64_t base;

   /* Every second one: where the upper half is one too low, nothing shall be. */
   do {
      base = (p->next << 32) - below;
      p->next += 2;
   } while (!is_free(p, base, memory.size));
   *add_region(p) = (hd_gcn_sim_region){
      .address = base, .memory = memory, .read_only = read_only, .name = name
   };
   return base;
}
