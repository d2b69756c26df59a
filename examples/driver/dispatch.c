/* SPDX-License-Identifier: MIT */
/* dispatch.c - descriptor sets, user registers, and a run on the simulated GPU.
 *
 * The address space of a dispatch: descriptor sets at 64 KiB, push constants behind them, buffers
 * from 4 GiB on, each with room around it, so that an access outside of one is a fault.
 */
#include <string.h>

#include "driver.h"

#define SETS_AT    UINT64_C(0x10000)
#define PUSH_AT    UINT64_C(0x20000)
#define BUFFERS_AT UINT64_C(0x100000000)
#define ROOM       UINT64_C(0x10000)
#define SET_BYTES  (16u * MAX_BINDINGS)

typedef struct space {
   uint32_t sets[MAX_SETS][SET_BYTES / 4];
   uint8_t push[MAX_PUSH];
   hd_gcn_sim_region regions[MAX_SETS + 1 + MAX_BINDINGS];
   uint32_t num_regions;
   uint64_t next_buffer;
} space;

static void
map(space *s, uint64_t address, void *data, uint64_t size, bool read_only, const char *name)
{
   s->regions[s->num_regions++] = (hd_gcn_sim_region){
      .address = address,
      .memory = { .data = data, .size = size },
      .read_only = read_only,
      .name = name,
   };
}

static const hd_gcn_binding *
find_binding(const layout *l, const bound_buffer *b)
{
   for (uint32_t n = 0; n < l->num_bindings; n++) {
      if (l->bindings[n].set == b->set && l->bindings[n].binding == b->binding)
         return &l->bindings[n];
   }
   return NULL;
}

/* A raw buffer: address, no stride, bytes, dwords as they are. */
static void
bind(space *s, const layout *l, const bound_buffer *b)
{
   const hd_gcn_binding *binding = find_binding(l, b);

   if (!binding)
      return;
   uint32_t *words = &s->sets[b->set][binding->offset / 4];
   words[0] = (uint32_t)s->next_buffer;
   words[1] = (uint32_t)(s->next_buffer >> 32) & 0xffff;
   words[2] = b->size;
   words[3] = 0x24fac;
   map(s, s->next_buffer, b->data, b->size, false, "a buffer");
   s->next_buffer += (b->size + ROOM) & ~(ROOM - 1);
   s->next_buffer += ROOM;
}

static void
set_pointer(hd_gcn_sim_launch *launch, unsigned sgpr, uint64_t address)
{
   launch->user_sgprs[sgpr] = (uint32_t)address;
   launch->user_sgprs[sgpr + 1] = (uint32_t)(address >> 32);
}

hd_result
dispatch_run(device *dev, const pipeline *p, const dispatch *d, hd_gcn_sim_stats *stats, log *said)
{
   const hd_config config = device_config(dev, said);
   space s = { .next_buffer = BUFFERS_AT };
   hd_gcn_sim_launch launch = {
      .target = dev->target,
      .code = p->code.words,
      .code_words = p->code.num_words,
      .pgm_rsrc1 = p->code.pgm_rsrc1,
      .pgm_rsrc2 = p->code.pgm_rsrc2,
      .lds_size = p->code.stats.lds_size,
      .scratch_size = p->code.stats.scratch_size,
      .scratch_resource = SGPR_SCRATCH,
      .flat_scratch_init = HD_GCN_NO_SGPR,
      .options = { .max_steps = 100000000, .diag = config.diag },
   };

   if (d->push_size > MAX_PUSH || d->num_buffers > MAX_BINDINGS)
      return HD_UNSUPPORTED;
   for (uint32_t n = 0; n < d->num_buffers; n++)
      bind(&s, &p->layout, &d->buffers[n]);
   for (uint32_t n = 0; n < MAX_SETS; n++) {
      map(&s, SETS_AT + n * SET_BYTES, s.sets[n], SET_BYTES, true, "a descriptor set");
      set_pointer(&launch, n ? SGPR_SET_1 : SGPR_SET_0, SETS_AT + n * SET_BYTES);
   }
   if (d->push_size)
      memcpy(s.push, d->push, d->push_size);
   map(&s, PUSH_AT, s.push, MAX_PUSH, true, "push constants");
   set_pointer(&launch, SGPR_PUSH, PUSH_AT);
   for (unsigned n = 0; n < 3; n++) {
      launch.num_workgroups[n] = d->groups[n];
      launch.workgroup_size[n] = p->code.workgroup_size[n];
      launch.user_sgprs[SGPR_NUM_WORKGROUPS + n] = d->groups[n];
   }
   launch.regions = s.regions;
   launch.num_regions = s.num_regions;
   return hd_gcn_sim_run(&config, &launch, stats);
}
