/* SPDX-License-Identifier: MIT */
/* reduce.c - make a failing case small: fewer blocks, edges, declarations, features, lanes.
 *
 * Each attempt is a smaller case, judged in a process of its own; it is kept if the same change
 * fails. Every one that is kept has less than the one before (blocks, edges, declarations, kinds of
 * branches, features, lanes, bits), so this ends without its limit too.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What one attempt may take, and what all of them may. */
#define SECONDS     10
#define ALL_SECONDS 120

struct reducing {
   program best;
   crew crew;
   bool by_crew; /* it fails with this crew alone */
   judge_options options;
   failure why;
   int guilty; /* the change that ends its process */
   unsigned attempts;
   time_t end;
};

/* One lane, for faults that need no run. */
static crew
small_crew(void)
{
   return crew_make(1, 1);
}

/* Keep it if it fails as before. `p` is given up, `c` too. */
static bool
attempt(struct reducing *r, program *p, crew *c)
{
   failure why = { 0 };
   bool kept = false;

   if (r->attempts && time(NULL) < r->end && p->graph.num_blocks > 1 &&
       p->graph.blocks[0].num_succs && program_is_valid(p)) {
      r->attempts--;
      kept =
          !judge_apart(p, &r->options, c, c ? 1 : 0, SECONDS, &why) && why.change == r->why.change;
   }
   if (kept) {
      graph_free(&r->best.graph);
      r->best = *p;
      if (c) {
         crew_free(&r->crew);
         r->crew = *c;
         r->by_crew = true;
      }
      crew_free(&r->why.crew);
      r->why = why;
   } else {
      graph_free(&p->graph);
      crew_free(&why.crew);
      if (c)
         crew_free(c);
   }
   return kept;
}

static crew
crew_copy(const crew *c)
{
   crew copy = crew_make(c->width, c->num_waves);

   memcpy(copy.words, c->words, (size_t)c->width * c->num_waves * sizeof(uint32_t));
   memcpy(copy.wave_words, c->wave_words, c->num_waves * sizeof(uint32_t));
   return copy;
}

/* The same crew as now, another program. */
static bool
attempt_program(struct reducing *r, program *p)
{
   if (!r->by_crew)
      return attempt(r, p, NULL);
   crew c = crew_copy(&r->crew);
   return attempt(r, p, &c);
}

static program
copy_best(const struct reducing *r)
{
   program p = r->best;

   p.graph = (graph){ 0 };
   graph_copy(&p.graph, &r->best.graph);
   return p;
}

static bool
attempt_crew(struct reducing *r, crew *c)
{
   program p = copy_best(r);

   return attempt(r, &p, c);
}

/* Blocks, many at once and then fewer: those from `first` on, `num` of them. */
static bool
drop_blocks(struct reducing *r)
{
   bool progress = false;

   for (uint32_t num = r->best.graph.num_blocks / 2; num; num /= 2) {
      for (uint32_t first = 1; first < r->best.graph.num_blocks;) {
         program p = r->best;
         bool *kept = must_alloc(p.graph.num_blocks);
         for (uint32_t b = 0; b < p.graph.num_blocks; b++)
            kept[b] = b < first || b >= first + num;
         p.graph = (graph){ 0 };
         graph_reduce(&p.graph, &r->best.graph, kept);
         free(kept);
         if (p.graph.num_blocks == r->best.graph.num_blocks)
            graph_free(&p.graph);
         else if (attempt_program(r, &p)) {
            progress = true;
            continue;
         }
         first += num;
      }
   }
   return progress;
}

/* The graph without one edge. */
static void
without_edge(graph *to, const graph *from, uint32_t block, uint32_t edge)
{
   graph cut = { 0 };

   for (uint32_t b = 0; b < from->num_blocks; b++) {
      const graph_block *old = &from->blocks[b];
      const uint32_t *succs = graph_succs(from, b);
      uint32_t *left = must_alloc((old->num_succs + 1) * sizeof(*left)), count = 0;
      for (uint32_t n = 0; n < old->num_succs; n++) {
         if (b != block || n != edge)
            left[count++] = succs[n];
      }
      graph_block *added = graph_add(&cut, count, left);
      const uint32_t first = added->first_succ;
      *added = *old;
      added->first_succ = first;
      added->num_succs = count;
      free(left);
   }
   graph_reduce(to, &cut, NULL);
   graph_free(&cut);
}

static bool
drop_edges(struct reducing *r)
{
   bool progress = false;

   for (uint32_t b = 1; b < r->best.graph.num_blocks; b++) {
      for (uint32_t n = 0; b < r->best.graph.num_blocks && n < r->best.graph.blocks[b].num_succs;) {
         program p = r->best;
         p.graph = (graph){ 0 };
         without_edge(&p.graph, &r->best.graph, b, n);
         if (attempt_program(r, &p))
            progress = true;
         else
            n++;
      }
   }
   return progress;
}

/* The attributes of a block, one at a time; false when there is no such thing. */
static bool
say_less(graph_block *b, unsigned thing)
{
   const graph_block old = *b;

   if (thing == 0)
      b->header = false;
   else if (thing == 1)
      b->inside = NO_BLOCK;
   else if (thing == 2)
      b->continues = NO_BLOCK;
   else if (thing == 3)
      b->branch = BRANCH_LANE;
   else
      b->halts = false;
   return old.header != b->header || old.inside != b->inside || old.continues != b->continues ||
          old.branch != b->branch || old.halts != b->halts;
}

static bool
drop_words(struct reducing *r)
{
   bool progress = false;

   for (uint32_t b = 0; b < r->best.graph.num_blocks; b++) {
      for (unsigned thing = 0; thing < 5; thing++) {
         program p = copy_best(r);
         if (!say_less(&p.graph.blocks[b], thing))
            graph_free(&p.graph);
         else
            progress |= attempt_program(r, &p);
      }
   }
   for (uint32_t bit = 1; bit <= PROGRAM_NAMES; bit <<= 1) {
      if (!(r->best.features & bit))
         continue;
      program p = copy_best(r);
      p.features &= ~bit;
      progress |= attempt_program(r, &p);
   }
   while (r->best.bits > 1) {
      program p = copy_best(r);
      p.bits--;
      if (!attempt_program(r, &p))
         break;
      progress = true;
   }
   return progress;
}

static bool
drop_lanes(struct reducing *r)
{
   bool progress = false;

   if (!r->by_crew)
      return false;
   for (uint32_t num = r->crew.width / 2; num; num /= 2) {
      for (uint32_t first = 0; r->crew.width > 1 && first < r->crew.width;) {
         const uint32_t end = first + num < r->crew.width ? first + num : r->crew.width;
         if (end - first == r->crew.width)
            break;
         crew c = crew_make(r->crew.width - (end - first), 1);
         memcpy(c.words, r->crew.words, first * sizeof(uint32_t));
         memcpy(c.words + first, r->crew.words + end, (r->crew.width - end) * sizeof(uint32_t));
         c.wave_words[0] = r->crew.wave_words[0];
         if (attempt_crew(r, &c))
            progress = true;
         else
            first += num;
      }
   }
   return progress;
}

/* The first change that fails when it is judged alone. */
static void
find_change(struct reducing *r)
{
   const uint32_t chosen = r->options.chosen;

   for (unsigned n = 0; n < r->options.num_changes; n++) {
      failure why;
      if (!(chosen >> n & 1))
         continue;
      r->options.chosen = 1u << n;
      if (!judge_apart(&r->best, &r->options, NULL, 0, SECONDS, &why)) {
         r->why = why;
         r->guilty = (int)n;
         return;
      }
   }
   r->options.chosen = chosen;
}

void
reduce_failure(program *p, const judge_options *options, unsigned attempts, failure *why)
{
   struct reducing r = {
      .best = *p, .options = *options, .guilty = CHANGE_UNKNOWN, .attempts = attempts
   };

   r.end = time(NULL) + ALL_SECONDS;
   r.why = *why;
   if (why->change >= 0)
      r.options.chosen = 1u << why->change;
   else if (why->change == CHANGE_UNKNOWN)
      find_change(&r);
   /* The wave that showed it, alone. */
   crew c = why->by_run ? crew_copy(&why->crew) : small_crew();
   attempt_crew(&r, &c);
   for (bool progress = true; progress;) {
      progress = drop_blocks(&r);
      progress |= drop_edges(&r);
      progress |= drop_words(&r);
      progress |= drop_lanes(&r);
   }
   if (r.by_crew && !r.why.by_run) {
      crew_free(&r.why.crew);
      r.why.crew = crew_copy(&r.crew);
   }
   crew_free(&r.crew);
   if (r.why.change == CHANGE_UNKNOWN)
      r.why.change = r.guilty;
   *p = r.best;
   *why = r.why;
}
