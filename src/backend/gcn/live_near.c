/* SPDX-License-Identifier: MIT */
/* live_near.c - which values are live where, of those that are read soon.
 *
 * In a nest of a thousand ifs a thousand masks are live at once, and lists of what is live into
 * each block would hold a million of them. Registers hold a hundred. So a block's list ends after
 * those that are read soonest, as many as more than fill the registers; who reads one of the others
 * finds it in memory. Distances are those of spill_next.c.
 *
 * Blocks are visited from the last to the first, twice: the second time it is known what is read
 * behind the way back to a header. What is read behind a loop passes through it: its header hears
 * of that when the walk comes to the loop's end, and not only at the header itself, or a nest would
 * need a visit for each of its levels. All the same lists may lack any value, or have one that is
 * read no more; who uses them may be slower for that, but must not be wrong.
 */
#include "backend/gcn/live.h"

#include <stdlib.h>

/* Values in the list of a block: more than registers of its files. */
static const uint32_t most[HD_GCN_NUM_EDGE_KINDS] = {
   [HD_GCN_LOGICAL] = 272, [HD_GCN_LINEAR] = 144
};

#define LOOP_DISTANCE 100000u
#define FAR           (UINT32_MAX / 2)

typedef struct value {
   uint32_t temp, distance;
} value;

typedef struct near_walk {
   hd_gcn_program *p;
   hd_gcn_live *live;
   uint32_t **distances[HD_GCN_NUM_EDGE_KINDS]; /* by block, in the order of live.in */
   uint32_t *stamp;                             /* by temp: the visit for which it is live */
   uint32_t *distance;                          /* by temp, from the beginning of the block */
   uint32_t now;                                /* the number of the visit */
   value *seen[HD_GCN_NUM_EDGE_KINDS];          /* what was live somewhere in the block */
   uint32_t num_seen[HD_GCN_NUM_EDGE_KINDS], capacity[HD_GCN_NUM_EDGE_KINDS];
} near_walk;

static void
see(near_walk *w, hd_gcn_edge_kind flow, uint32_t temp)
{
   if (w->num_seen[flow] == w->capacity[flow]) {
      const uint32_t capacity = 2 * w->capacity[flow] + 1024;
      value *seen = hd_stack_alloc(w->p->stack, capacity * sizeof(*seen));
      for (uint32_t n = 0; n < w->num_seen[flow]; n++)
         seen[n] = w->seen[flow][n];
      w->seen[flow] = seen;
      w->capacity[flow] = capacity;
   }
   w->seen[flow][w->num_seen[flow]++].temp = temp;
}

/* It is read at this distance, if not before. */
static void
read_at(near_walk *w, uint32_t temp, uint32_t distance)
{
   if (!w->live->def_block[temp])
      return;
   if (w->stamp[temp] != w->now) {
      w->stamp[temp] = w->now;
      see(w, hd_gcn_flow_of(w->p, temp), temp);
   } else if (distance >= w->distance[temp]) {
      return;
   }
   w->distance[temp] = distance;
}

static uint32_t
add(uint32_t distance, uint32_t more)
{
   return distance + more < FAR ? distance + more : FAR;
}

static void
begin_at_end(near_walk *w, const hd_gcn_block *block, uint32_t length)
{
   const hd_gcn_live *live = w->live;

   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
      const hd_gcn_edges *edges = &block->edges[flow];
      w->num_seen[flow] = 0;
      for (uint32_t e = 0; e < edges->num_succs; e++) {
         const hd_gcn_block *succ = edges->succs[e];
         const hd_gcn_live_in *in = &live->in[flow][succ->index];
         const uint32_t more = length + (succ->loop_depth < block->loop_depth ? LOOP_DISTANCE : 0);
         for (uint32_t n = 0; n < in->num; n++)
            read_at(w, in->temps[n], add(w->distances[flow][succ->index][n], more));
      }
   }
   for (uint32_t n = live->phi_first[block->index]; n < live->phi_first[block->index + 1]; n++)
      read_at(w, live->phi_temps[n], length);
}

static int
compare_distances(const void *a, const void *b)
{
   const value *x = a, *y = b;

   if (x->distance != y->distance)
      return x->distance < y->distance ? -1 : 1;
   return x->temp < y->temp ? -1 : x->temp > y->temp;
}

static int
compare_temps(const void *a, const void *b)
{
   const value *x = a, *y = b;

   return x->temp < y->temp ? -1 : x->temp > y->temp;
}

/* The list of what is left at the beginning of the block. It has room for as many as there may be:
 * the second visit may find more than the first.
 */
static void
write_list(near_walk *w, const hd_gcn_block *block, hd_gcn_edge_kind flow)
{
   hd_gcn_live_in *in = &w->live->in[flow][block->index];
   value *seen = w->seen[flow];
   const uint32_t limit = w->p->near_values ? w->p->near_values : most[flow];
   uint32_t num = 0;

   for (uint32_t n = 0; n < w->num_seen[flow]; n++) {
      const uint32_t temp = seen[n].temp;
      if (w->stamp[temp] != w->now)
         continue;
      w->stamp[temp] = 0; /* it may have been seen twice */
      seen[num++] = (value){ temp, w->distance[temp] };
   }
   if (num > limit) {
      qsort(seen, num, sizeof(*seen), compare_distances);
      num = limit;
   }
   if (num)
      qsort(seen, num, sizeof(*seen), compare_temps);
   if (num > in->num) {
      in->temps = hd_stack_alloc(w->p->stack, num * sizeof(*in->temps));
      w->distances[flow][block->index] = hd_stack_alloc(w->p->stack, num * sizeof(uint32_t));
   }
   in->num = num;
   for (uint32_t n = 0; n < num; n++) {
      in->temps[n] = seen[n].temp;
      w->distances[flow][block->index][n] = seen[n].distance;
   }
}

static void
visit(near_walk *w, const hd_gcn_block *block)
{
   uint32_t at = 0;

   hd_gcn_foreach_inst(inst, block) at++;
   w->now++;
   begin_at_end(w, block, at);
   for (const hd_gcn_inst *inst = block->last; inst; inst = inst->prev) {
      at--;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (hd_gcn_is_temp(hd_gcn_def(inst, n)))
            w->stamp[hd_gcn_def(inst, n)->value] = 0;
      }
      for (unsigned n = 0; n < inst->num_srcs && inst->op != HD_GCN_P_PHI; n++) {
         if (hd_gcn_is_temp(hd_gcn_src(inst, n)))
            read_at(w, hd_gcn_src(inst, n)->value, at);
      }
   }
   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++)
      write_list(w, block, (hd_gcn_edge_kind)flow);
}

/* Before the end of a loop is visited: what is live behind it, and was before it, is live at its
 * header, too.
 */
static void
tell_header(near_walk *w, const hd_gcn_block *header, const hd_gcn_block *behind)
{
   w->now++;
   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
      const hd_gcn_block *const from[2] = { header, behind };
      w->num_seen[flow] = 0;
      for (unsigned i = 0; i < 2; i++) {
         const hd_gcn_live_in *in = &w->live->in[flow][from[i]->index];
         for (uint32_t n = 0; n < in->num; n++) {
            const hd_gcn_block *def = w->live->def_block[in->temps[n]];
            if (def->order < header->order)
               read_at(w, in->temps[n],
                       add(w->distances[flow][from[i]->index][n], i ? LOOP_DISTANCE : 0));
         }
      }
      write_list(w, header, (hd_gcn_edge_kind)flow);
   }
}

static void
tell_headers(near_walk *w, const hd_gcn_block *end)
{
   const hd_gcn_edges *edges = &end->edges[HD_GCN_LINEAR];

   for (uint32_t n = 0; n < edges->num_succs && end->next; n++) {
      if (edges->succs[n]->order <= end->order)
         tell_header(w, edges->succs[n], end->next);
   }
}

void
hd_gcn_live_find_near(hd_gcn_program *p, hd_gcn_live *live)
{
   near_walk w = { .p = p, .live = live };

   w.stamp = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*w.stamp));
   w.distance = hd_stack_alloc(p->stack, (p->num_temps + 1) * sizeof(*w.distance));
   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
      live->in[flow] = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(hd_gcn_live_in));
      w.distances[flow] = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(uint32_t *));
   }
   for (unsigned pass = 0; pass < 2; pass++) {
      for (const hd_gcn_block *block = p->last; block; block = block->prev) {
         hd_heap_step(p->stack->heap, 1);
         if (pass)
            tell_headers(&w, block);
         visit(&w, block);
      }
   }
}
