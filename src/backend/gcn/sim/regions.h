/* SPDX-License-Identifier: MIT */
/* regions.h - memory regions of a synthetic launch, each across a multiple of 4 GiB. */
#ifndef HEDDLE_BACKEND_GCN_SIM_REGIONS_H
#define HEDDLE_BACKEND_GCN_SIM_REGIONS_H

#include "heddle/gcn_sim.h"
#include "machine/sim/memory.h"

typedef struct places {
   hd_stack *stack;
   hd_gcn_sim_region *regions;
   uint32_t num, capacity;
   uint32_t num_given; /* of these, the first ones, that lie where the launch says */
   uint64_t next;      /* upper half of the next address */
} places;

void hd_gcn_regions_init(places *p, hd_stack *stack);
/* A region that lies where it lies: before all others. */
void hd_gcn_regions_give(places *p, uint64_t address, hd_wave_memory memory, const char *name);
/* Memory of less than 4 GiB: its address. What is larger than its alignment lies on both sides. */
uint64_t hd_gcn_regions_add(places *p, hd_wave_memory memory, uint64_t align, bool read_only,
                            const char *name);
#endif
