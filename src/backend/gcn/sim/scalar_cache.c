/* SPDX-License-Identifier: MIT */
/* scalar_cache.c - stale data in the scalar cache: dwords written by vector stores since it was invalidated. */
#include "backend/gcn/sim/machine.h"

/* A scalar load of a dword that a vector store changed gets the old bytes or the new ones. */
bool
hd_gcn_scalar_cache_is_stale(const region *r, uint64_t offset, unsigned size)
{
   for (uint64_t dword = offset / 4; dword <= (offset + size - 1) / 4; dword++) {
      if (r->changed[dword / 64] >> dword % 64 & 1)
         return true;
   }
   return false;
}

void
hd_gcn_scalar_cache_miss(hd_gcn_machine *m, region *r, uint64_t offset, unsigned size)
{
   if (!r->changed)
      r->changed = hd_stack_alloc_zero(&m->stack, (size_t)(r->size / 256 + 1) * sizeof(uint64_t));
   for (uint64_t dword = offset / 4; dword <= (offset + size - 1) / 4; dword++)
      r->changed[dword / 64] |= UINT64_C(1) << dword % 64;
}

void
hd_gcn_memory_mark(hd_gcn_machine *m, uint64_t address, unsigned size)
{
   region *r = hd_mach_memory_find(&m->memory, address, size);

   if (r)
      hd_gcn_scalar_cache_miss(m, r, address - r->address, size);
}
