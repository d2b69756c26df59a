/* SPDX-License-Identifier: MIT */
/* memory.c - simulated memory: regions with exact bounds, and undefined bits.
 *
 * Memory is sequentially consistent but for two things, which are faults: a wave must not see what
 * another one's store, still in flight, writes (in_flight.c knows); and scalar loads go through a
 * cache that vector stores do not update.
 */
#include "backend/gcn/sim/machine.h"
#include "util/refuse.h"

#include <inttypes.h>
#include <string.h>

#define CODE_ALIGN 256u

void
hd_gcn_region_shadow(hd_gcn_machine *m, region *r)
{
   if (!r->undef)
      r->undef = hd_stack_alloc_zero(&m->stack, (size_t)r->size + 1);
}

static void
add_region(hd_gcn_machine *m, region r)
{
   uint64_t where;

   if (r.size > UINT64_MAX - r.address)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "%s reaches past the end of memory",
                     r.name ? r.name : "a region");
   if (!hd_mach_memory_add(&m->memory, &r, &where))
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "two regions overlap at 0x%" PRIx64, where);
}

/* Would the bytes from `base` on meet a region of the launch? */
static bool
is_taken(const hd_gcn_sim_launch *launch, uint64_t base, uint64_t size)
{
   for (uint32_t n = 0; n < launch->num_regions; n++) {
      const hd_gcn_sim_region *r = &launch->regions[n];
      if (base < r->address + r->memory.size && r->address < base + size)
         return true;
   }
   return false;
}

/* A place whose middle is a multiple of 4 GiB, from the top of what 40 bits can address down. */
static uint64_t
choose_place(hd_gcn_machine *m, uint64_t size, uint64_t align)
{
   for (uint64_t high = 0xf0; high > 1; high--) {
      const uint64_t base = ((high << 32) - size / 2) & ~(align - 1);
      if (size < UINT64_C(1) << 32 && !is_taken(m->launch, base, size))
         return base;
   }
   hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "no room for %" PRIu64 " bytes beside the regions",
                  size);
}

static void
add_scratch(hd_gcn_machine *m)
{
   /* Waves lie apart, so that who leaves one's scratch does not find another's. */
   m->scratch_size = ((uint64_t)m->launch->scratch_size * HD_GCN_LANES + 1023) / 1024 * 1024;
   m->scratch_stride = m->scratch_size + 1024;
   if (!m->scratch_size)
      return;
   if (m->launch->scratch_size > m->target->max_scratch)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH,
                     "%u bytes of scratch a lane are asked for, the machine has %u",
                     m->launch->scratch_size, m->target->max_scratch);
   const uint64_t all = m->scratch_stride * (m->num_waves + 1);
   uint64_t base = 0xf8;
   while (is_taken(m->launch, (base << 32) - all / 2 - CODE_ALIGN, all + CODE_ALIGN)) {
      if (++base == 0x100)
         hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "no room for scratch beside the regions");
   }
   m->scratch_base = ((base << 32) - all / 2) & ~(uint64_t)(CODE_ALIGN - 1);
   m->hidden_base = m->scratch_base - 0x10000;
   for (uint32_t n = 0; n < m->num_waves; n++) {
      add_region(m, (region){
                        .address = m->scratch_base + (n + 1) * m->scratch_stride,
                        .size = m->scratch_size,
                        .data = hd_stack_alloc_zero(&m->stack, (size_t)m->scratch_size),
                        .undef = hd_stack_alloc_zero(&m->stack, (size_t)m->scratch_size),
                        .name = "scratch",
                        .private_to_lane = true,
                    });
   }
}

void
hd_gcn_machine_memory_start(hd_gcn_machine *m)
{
   const hd_gcn_sim_launch *launch = m->launch;
   const uint64_t code_size = (uint64_t)launch->code_words * 4;

   if ((launch->num_regions && !launch->regions) || (launch->code_words && !launch->code))
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH,
                     "the launch has a count, expected an array with it, found NULL");
   m->memory.stack = &m->stack;
   for (uint32_t n = 0; n < launch->num_regions; n++) {
      const hd_gcn_sim_region *from = &launch->regions[n];
      if (from->memory.size && !from->memory.data)
         hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "memory of %" PRIu64 " bytes without data",
                        from->memory.size);
      const region r = {
         .address = from->address,
         .size = from->memory.size,
         .data = from->memory.data,
         .undef = from->memory.undefined,
         .name = from->name,
         .read_only = from->read_only,
      };
      /* The launch marks bytes; here they are bits. */
      for (uint64_t at = 0; r.undef && at < r.size; at++)
         r.undef[at] = r.undef[at] ? 0xff : 0;
      add_region(m, r);
   }
   if (launch->code_address % 4)
      hd_heap_refuse(&m->heap, HD_BAD_LAUNCH, "code at 0x%" PRIx64 ", which is not a multiple of 4",
                     launch->code_address);
   m->code_base =
       launch->code_address ? launch->code_address : choose_place(m, code_size, CODE_ALIGN);
   add_region(m, (region){
                     .address = m->code_base,
                     .size = code_size,
                     .data = (uint8_t *)(uintptr_t)launch->code,
                     .name = "the code",
                     .read_only = true,
                 });
   add_scratch(m);
   for (uint32_t n = 0; n < m->memory.num_regions; n++) {
      region *r = &m->memory.regions[n];
      if (r->private_to_lane)
         m->waves[(r->address - m->scratch_base) / m->scratch_stride - 1].scratch = r;
   }
}

/* Where an address is, by the region that begins before it, or else the first. */
static bool
fault_outside(hd_gcn_wave *wave, int lane, const char *what, uint64_t address, unsigned size)
{
   const region *before = hd_mach_memory_near(&wave->machine->memory, address);

   if (!before)
      return hd_gcn_fault(wave, lane, "%s %u bytes at 0x%" PRIx64 ", where no memory is", what,
                          size, address);
   return hd_gcn_fault(wave, lane,
                       "%s %u bytes at 0x%" PRIx64 ", where no memory is: byte %" PRIu64
                       " of %s, which has %" PRIu64,
                       what, size, address, address - before->address,
                       before->name ? before->name : "a region", before->size);
}

void
hd_gcn_scalar_cache_invalidate(hd_gcn_machine *m)
{
   for (uint32_t n = 0; n < m->memory.num_regions; n++) {
      region *r = &m->memory.regions[n];
      if (r->changed)
         memset(r->changed, 0, (size_t)(r->size / 256 + 1) * sizeof(uint64_t));
   }
   for (uint32_t n = 0; n < m->num_waves; n++)
      hd_gcn_flight_mark_stores(&m->waves[n].wave);
}

bool
hd_gcn_memory_load(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, void *data,
                   void *undef)
{
   hd_gcn_machine *m = wave->machine;
   region *r = hd_mach_memory_find(&m->memory, address, size);

   if (!r)
      return fault_outside(wave, lane, "reads", address, size);
   const uint64_t offset = address - r->address;
   if (lane < 0 && r->changed && hd_gcn_scalar_cache_is_stale(r, offset, size))
      return hd_gcn_fault(wave, lane,
                          "reads 0x%" PRIx64
                          " through the scalar cache, but a vector store of this "
                          "dispatch wrote there",
                          address);
   if (m->unwaited && !r->private_to_lane && !hd_gcn_flight_allows(wave, lane, address, size))
      return false;
   memcpy(data, r->data + offset, size);
   if (r->undef)
      memcpy(undef, r->undef + offset, size);
   else
      memset(undef, 0, size);
   return true;
}

static bool
any_byte(const uint8_t *bytes, unsigned size)
{
   uint8_t any = 0;

   for (unsigned n = 0; n < size; n++)
      any |= bytes[n];
   return any != 0;
}

bool
hd_gcn_memory_store(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, const void *data,
                    const void *undef)
{
   hd_gcn_machine *m = wave->machine;
   region *r = hd_mach_memory_find(&m->memory, address, size);

   if (!r)
      return fault_outside(wave, lane, "writes", address, size);
   if (r->read_only)
      return hd_gcn_fault(wave, lane,
                          "writes %u bytes at 0x%" PRIx64 ", in %s, which may only be read", size,
                          address, r->name ? r->name : "a region");
   const uint64_t offset = address - r->address;
   memcpy(r->data + offset, data, size);
   m->num_stores++;
   if (m->options->stored)
      m->options->stored(m->options->user, &(hd_wave_stored){ .workgroup = wave->workgroup,
                                                              .wave = wave->number,
                                                              .lane = lane,
                                                              .address = address,
                                                              .data = r->data + offset,
                                                              .size = size });
   if (!r->undef && any_byte(undef, size))
      hd_gcn_region_shadow(m, r);
   if (r->undef)
      memcpy(r->undef + offset, undef, size);
   if (r->private_to_lane)
      return true;
   if (lane >= 0)
      hd_gcn_scalar_cache_miss(m, r, offset, size);
   hd_gcn_flight_store(wave, address, size);
   return true;
}
