/* SPDX-License-Identifier: MIT */
/* liveness_near.c - liveness limited to values with a near next use, for spilling.
 *
 * In a nest of a thousand ifs a thousand masks are live at once, and the live-in lists would hold a
 * million entries. There are a hundred registers. So the list of a block keeps only the values with
 * the nearest next uses, a few more than fill the registers; a use of another value finds it spilled.
 * Distances are those of next_use.c.
 *
 * Blocks are visited backwards, twice: the second time the uses after the back edge are known. A
 * value that is used after a loop is live through it: the header learns of it when the walk reaches
 * the end of the loop, and not only at the header itself, or a nest would need a visit for each level.
 * The lists may still lack a value, or have one that is dead; that may cost a reload, but must not be
 * wrong.
 */
#include <assert.h>

#include "machine/liveness.h"

/* Dwords in the list of a block: more than registers of its files. */
static const uint32_t most[HD_MACH_NUM_EDGE_KINDS] = {
   [HD_MACH_LOGICAL] = 272, [HD_MACH_LINEAR] = 128
};

#define LOOP_DISTANCE 100000u
#define FAR           (UINT32_MAX / 2)

typedef struct value {
   uint32_t temp, distance;
} value;

typedef struct values {
   value *items;
   uint32_t num, capacity;
} values;

/* A list that values come from; those that are defined in `below` or after it are left out. */
typedef struct source {
   const hd_mach_live_in *in;
   const uint32_t *distances;
   uint32_t more; /* distance from here to there */
   uint32_t next;
   const hd_mach_block *below;
} source;

typedef struct near_walk {
   hd_mach_program *p;
   hd_mach_live *live;
   uint32_t **distances[HD_MACH_NUM_EDGE_KINDS]; /* by block, in the order of live.in: ascending */
   uint32_t *read;     /* by temp: the visit that found it read in the block, above definitions */
   uint32_t *distance; /* by temp: of that read */
   uint32_t *gone;     /* by temp: the visit that found it defined, or has it in the list */
   uint32_t now;       /* the number of the visit */
   values reads[HD_MACH_NUM_EDGE_KINDS]; /* in the block, the last one first */
   values list;
   uint32_t size; /* of the list, in dwords */
} near_walk;

static void
append(near_walk *w, values *to, uint32_t temp, uint32_t distance)
{
   if (to->num == to->capacity) {
      const uint32_t capacity = 2 * to->capacity + 512;
      value *items = hd_stack_alloc(hd_mach_scratch(w->p), capacity * sizeof(*items));
      for (uint32_t n = 0; n < to->num; n++)
         items[n] = to->items[n];
      to->items = items;
      to->capacity = capacity;
   }
   to->items[to->num++] = (value){ temp, distance };
}

static uint32_t
add(uint32_t distance, uint32_t more)
{
   return distance + more < FAR ? distance + more : FAR;
}

static void
list_value(near_walk *w, uint32_t temp, uint32_t distance)
{
   if (w->gone[temp] == w->now || !w->live->def_block[temp])
      return;
   w->gone[temp] = w->now;
   w->size += w->p->temps[temp].size;
   append(w, &w->list, temp, distance);
}

static uint32_t
limit_of(const near_walk *w, hd_mach_edge_kind flow)
{
   return w->p->live_limit ? w->p->live_limit : most[flow];
}

/* The values of all sources, the nearest first, until the list is full. */
static void
merge(near_walk *w, hd_mach_edge_kind flow, source *sources, uint32_t num)
{
   while (w->size < limit_of(w, flow)) {
      source *best = NULL;
      uint32_t nearest = 0;
      for (uint32_t k = 0; k < num; k++) {
         source *s = &sources[k];
         if (s->next == s->in->num)
            continue;
         const uint32_t distance = add(s->distances[s->next], s->more);
         if (!best || distance < nearest) {
            best = s;
            nearest = distance;
         }
      }
      if (!best)
         return;
      const uint32_t temp = best->in->temps[best->next++];
      if (!best->below || w->live->def_block[temp]->order < best->below->order)
         list_value(w, temp, nearest);
   }
}

/* The list becomes the block's. It has room for as many as there may be: the second visit may find
 * more than the first.
 */
static void
write_list(near_walk *w, const hd_mach_block *block, hd_mach_edge_kind flow)
{
   hd_mach_live_in *in = &w->live->in[flow][block->index];
   uint32_t **distances = &w->distances[flow][block->index];

   if (w->list.num > in->num) {
      in->temps = hd_stack_alloc(hd_mach_scratch(w->p), w->list.num * sizeof(*in->temps));
      *distances = hd_stack_alloc(hd_mach_scratch(w->p), w->list.num * sizeof(**distances));
   }
   in->num = w->list.num;
   for (uint32_t n = 0; n < w->list.num; n++) {
      in->temps[n] = w->list.items[n].temp;
      (*distances)[n] = w->list.items[n].distance;
   }
   w->list.num = w->size = 0;
}

static source
source_of(const near_walk *w, hd_mach_edge_kind flow, const hd_mach_block *block, uint32_t more)
{
   return (source){ .in = &w->live->in[flow][block->index],
                    .distances = w->distances[flow][block->index],
                    .more = more };
}

/* What is read in the block itself, then at its end, then after it. */
static void
list_flow(near_walk *w, const hd_mach_block *block, hd_mach_edge_kind flow, uint32_t length)
{
   const hd_mach_live *live = w->live;
   const hd_mach_edges *edges = &block->edges[flow];
   values *reads = &w->reads[flow];
   source sources[2];

   assert(edges->num_succs <= 2);
   while (reads->num && w->size < limit_of(w, flow)) {
      const value *v = &reads->items[--reads->num];
      if (w->read[v->temp] != w->now || w->distance[v->temp] != v->distance)
         continue;
      w->gone[v->temp] = 0;
      w->read[v->temp] = 0;
      list_value(w, v->temp, v->distance);
   }
   reads->num = 0;
   for (uint32_t n = live->phi_first[block->index]; n < live->phi_first[block->index + 1]; n++) {
      if (hd_mach_flow_of(w->p, live->phi_temps[n]) == flow)
         list_value(w, live->phi_temps[n], length);
   }
   for (uint32_t e = 0; e < edges->num_succs; e++) {
      const bool leaves = edges->succs[e]->loop_depth < block->loop_depth;
      sources[e] = source_of(w, flow, edges->succs[e], length + (leaves ? LOOP_DISTANCE : 0));
   }
   merge(w, flow, sources, edges->num_succs);
   write_list(w, block, flow);
}

static void
visit(near_walk *w, const hd_mach_block *block)
{
   uint32_t length = 0, at;

   hd_mach_foreach_inst(inst, block) length++;
   w->now++;
   at = length;
   for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
      at--;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (!hd_mach_is_temp(hd_mach_def(inst, n)))
            continue;
         w->gone[hd_mach_def(inst, n)->value] = w->now;
         w->read[hd_mach_def(inst, n)->value] = 0;
      }
      for (unsigned n = 0; n < inst->num_srcs && inst->op != HD_MACH_P_PHI; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         if (!hd_mach_is_temp(src))
            continue;
         w->read[src->value] = w->now;
         w->distance[src->value] = at;
         append(w, &w->reads[hd_mach_flow_of(w->p, src->value)], src->value, at);
      }
   }
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++)
      list_flow(w, block, (hd_mach_edge_kind)flow, length);
}

/* Before the end of a loop is visited: what is live after it, and was before it, is live at its
 * header, too.
 */
static void
tell_header(near_walk *w, const hd_mach_block *header, const hd_mach_block *behind)
{
   w->now++;
   for (unsigned n = 0; n < HD_MACH_NUM_EDGE_KINDS; n++) {
      const hd_mach_edge_kind flow = (hd_mach_edge_kind)n;
      source sources[2] = { source_of(w, flow, header, 0),
                            source_of(w, flow, behind, LOOP_DISTANCE) };
      sources[0].below = sources[1].below = header;
      merge(w, flow, sources, 2);
      write_list(w, header, flow);
   }
}

static void
tell_headers(near_walk *w, const hd_mach_block *end)
{
   const hd_mach_edges *edges = &end->edges[HD_MACH_LINEAR];

   for (uint32_t n = 0; n < edges->num_succs && end->next; n++) {
      if (edges->succs[n]->order <= end->order)
         tell_header(w, edges->succs[n], end->next);
   }
}

void
hd_mach_liveness_find_near(hd_mach_program *p, hd_mach_live *live)
{
   near_walk w = { .p = p, .live = live };

   w.read = hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_temps + 1) * sizeof(*w.read));
   w.gone = hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_temps + 1) * sizeof(*w.gone));
   w.distance = hd_stack_alloc(hd_mach_scratch(p), (p->num_temps + 1) * sizeof(*w.distance));
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      live->in[flow] =
          hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(hd_mach_live_in));
      w.distances[flow] =
          hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(uint32_t *));
   }
   for (unsigned pass = 0; pass < 2; pass++) {
      for (const hd_mach_block *block = p->last; block; block = block->prev) {
         hd_heap_step(p->stack->heap, 1);
         if (pass)
            tell_headers(&w, block);
         visit(&w, block);
      }
   }
}
