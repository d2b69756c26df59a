/* SPDX-License-Identifier: MIT */
/* schedule_edge.c - edges of the dependence graph of a region. */
#include <string.h>

#include "machine/schedule.h"

void
hd_mach_region_edge(hd_mach_region *r, uint32_t from, uint32_t to, uint32_t cycles)
{
   if (from == to)
      return;
   if (r->num_edges == r->edge_capacity) {
      const uint32_t capacity = r->edge_capacity * 2;
      hd_mach_edge *edges = hd_stack_alloc(r->p->stack, capacity * sizeof(*edges));
      memcpy(edges, r->edges, r->num_edges * sizeof(*edges));
      r->edges = edges;
      r->edge_capacity = capacity;
   }
   r->edges[r->num_edges++] = (hd_mach_edge){ .from = from, .to = to, .cycles = cycles };
   r->nodes[from].num_edges++;
   r->nodes[to].preds_left++;
}
