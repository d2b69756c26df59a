/* SPDX-License-Identifier: MIT */
/* source.c - the graphs of a run by number, and the programs that are made of each. */
#include <stdlib.h>

#include "work.h"

const char *const variant_names[NUM_VARIANTS] = {
   "plain", "lanes", "uniform", "mixed", "declared", "all",
};

/* How often random declarations are drawn until they make sense. */
#define DRAWS 8

static bool
declare_validly(program *p, uint64_t *state)
{
   for (unsigned n = 0; n < DRAWS; n++) {
      graph_random_declarations(&p->graph, state);
      if (graph_declares(&p->graph) && program_is_valid(p))
         return true;
   }
   return false;
}

static void
choose_branches(graph *g, variant v, uint64_t *state)
{
   const uint32_t way = graph_random_below(state, 3);

   for (uint32_t b = 0; b < g->num_blocks; b++) {
      uint32_t kind = BRANCH_LANE;
      if (v == VARIANT_UNIFORM)
         kind = way == 0                            ? BRANCH_WAVE
                : way == 1                          ? BRANCH_VISIT
                : graph_random_below(state, 2) == 0 ? BRANCH_WAVE
                                                    : BRANCH_VISIT;
      else if (v == VARIANT_MIXED || v == VARIANT_ALL)
         kind = graph_random_below(state, NUM_BRANCH_KINDS);
      g->blocks[b].branch = (uint8_t)kind;
   }
}

bool
variant_make(program *p, const graph *g, variant v, uint64_t seed, uint64_t number)
{
   static const uint32_t features[NUM_VARIANTS] = {
      [VARIANT_LANES] = PROGRAM_PHIS | PROGRAM_VALUES | PROGRAM_CROSS_LANE | PROGRAM_NAMES,
      [VARIANT_UNIFORM] = PROGRAM_PHIS | PROGRAM_VALUES | PROGRAM_NAMES,
      [VARIANT_MIXED] = PROGRAM_PHIS | PROGRAM_VALUES | PROGRAM_CROSS_LANE | PROGRAM_NAMES,
      [VARIANT_ALL] = PROGRAM_PHIS | PROGRAM_VALUES | PROGRAM_CROSS_LANE | PROGRAM_NAMES,
   };
   uint64_t state = random_state(seed + v * 0x1000003u, number);

   graph_copy(&p->graph, g);
   p->features = features[v];
   if (v == VARIANT_LANES && state % 3 == 0)
      p->features = PROGRAM_VALUES | PROGRAM_NAMES;
   p->bits = g->num_blocks > 10 ? 24 : graph_ends(g) ? 10 : 6;
   p->seed = state;
   choose_branches(&p->graph, v, &state);
   return (v != VARIANT_DECLARED && v != VARIANT_ALL) || declare_validly(p, &state);
}

uint64_t
source_count(const source *s)
{
   small_graphs walk;
   uint64_t count = 0;

   if (s->graphs || !s->small)
      return s->num;
   if (small_graphs_count(s->small, s->most))
      return small_graphs_count(s->small, s->most);
   small_graphs_begin(&walk, s->small, s->most);
   while (small_graphs_next(&walk))
      count++;
   return count;
}

void
reader_begin(reader *r, const source *s)
{
   *r = (reader){ .source = s };
   if (s->small)
      small_graphs_begin(&r->walk, s->small, s->most);
}

void
reader_end(reader *r)
{
   graph_free(&r->graph);
}

const graph *
reader_get(reader *r, uint64_t number)
{
   const source *s = r->source;

   if (s->graphs)
      return &s->graphs[number];
   if (s->small) {
      /* Numbers ascend. */
      for (; r->next <= number; r->next++) {
         if (!small_graphs_next(&r->walk))
            return NULL;
      }
      small_graphs_get(&r->walk, &r->graph);
      return &r->graph;
   }
   uint64_t state = random_state(s->seed, number);
   /* Sizes spread over their orders of magnitude, most of them small. */
   uint32_t size = s->max_blocks;
   for (unsigned n = graph_random_below(&state, 6); n && size / 2 >= s->min_blocks; n--)
      size /= 2;
   size = s->min_blocks + graph_random_below(&state, size - s->min_blocks + 1);
   random_graph(&r->graph, &state, size);
   return &r->graph;
}

bool
work_program(const work *w, const place *at, program *p)
{
   reader r;

   reader_begin(&r, &w->source);
   const graph *g = reader_get(&r, at->graph);
   const bool there = g && variant_make(p, g, at->variant, w->source.seed, at->graph);
   reader_end(&r);
   return there;
}
