/* SPDX-License-Identifier: MIT */
/* crew.c - who runs a program: all lanes together, each alone, random subsets.
 *
 * Lanes that do not run are not there: a wave of a subset is as wide as the subset needs, and what
 * is left of its width is filled by lanes that decide as another one does. Full waves never leave
 * one side of a branch empty; these do.
 *
 * Each graph runs with each lane alone and with all the subsets where lanes alone decide: once with
 * values and once with declarations. Its other programs, which differ from these in less than all
 * of that, run with a share.
 */
#include "judge.h"

#define NUM_LANES    64
#define NUM_SUBSETS  16
#define SUBSET_WIDTH 16
/* Where that is a share of them: full waves are several where waves decide too. */
#define FEW_FULL    2
#define FEW_ALONE   12
#define FEW_SUBSETS 6
/* Programs that do not end take their time. */
#define NUM_ENDLESS_ALONE   8
#define NUM_ENDLESS_SUBSETS 6
#define NUM_ENDLESS_UNIFORM 20

/* How many bits of its word a lane spends on its way, where only its own word counts. */
static uint32_t
bits_spent(const program *p, uint32_t word)
{
   uint32_t block = 0, spent = 0;

   for (uint32_t steps = 0; spent < p->bits && steps < 10000; steps++) {
      const graph_block *b = &p->graph.blocks[block];
      if (b->num_succs == 0)
         break;
      uint32_t succ = 0;
      if (b->num_succs > 1) {
         uint32_t width = b->num_succs == 2 ? 1 : 2;
         while (1u << width < b->num_succs)
            width++;
         succ = (word >> spent & ((1u << width) - 1)) % b->num_succs;
         spent += width;
      }
      block = graph_succs(&p->graph, block)[succ];
   }
   return spent;
}

/* The lanes that go a way of their own: not one that a lower number goes too. The same of waves,
 * where they decide by their words alone.
 */
static uint32_t
different_lanes(const program *p, uint32_t lanes[NUM_LANES])
{
   uint32_t count = 0;

   for (uint32_t l = 0; l < NUM_LANES; l++) {
      const uint32_t spent = bits_spent(p, program_word(l));
      if (spent >= 6 || l >> spent == 0)
         lanes[count++] = l;
   }
   return count;
}

static void
fill_subsets(crew *c, uint64_t *state)
{
   for (uint32_t w = 0; w < c->num_waves; w++) {
      uint32_t lanes[NUM_LANES], size = 2 + graph_random_below(state, SUBSET_WIDTH - 1);
      for (uint32_t n = 0; n < NUM_LANES; n++)
         lanes[n] = n;
      for (uint32_t n = 0; n < c->width; n++) {
         if (n < size) {
            const uint32_t k = n + graph_random_below(state, NUM_LANES - n), lane = lanes[k];
            lanes[k] = lanes[n];
            lanes[n] = lane;
         }
         c->words[w * c->width + n] =
             program_word(lanes[n < size ? n : graph_random_below(state, size)]);
      }
   }
}

unsigned
crews_for(const program *p, crew crews[MAX_CREWS])
{
   uint64_t state = random_state(p->seed, 2);
   const bool endless = !graph_ends(&p->graph);
   bool by_lane = false, by_wave = false, by_visit = false;
   uint32_t lanes[NUM_LANES], num_alone;

   for (uint32_t b = 0; b < p->graph.num_blocks; b++) {
      const uint32_t kind = p->graph.blocks[b].branch;
      const bool branch = p->graph.blocks[b].num_succs > 1;
      by_lane |= branch && (kind == BRANCH_LANE || kind == BRANCH_FIRST);
      by_wave |= branch && (kind == BRANCH_WAVE || kind == BRANCH_VISIT);
      by_visit |= branch && kind == BRANCH_VISIT;
   }
   num_alone = different_lanes(p, lanes);
   if (!by_lane) {
      /* Two lanes that always go together, in a wave for each path that waves can decide. */
      const uint32_t ways = by_visit ? NUM_LANES : num_alone;
      const uint32_t num = endless && ways > NUM_ENDLESS_UNIFORM ? NUM_ENDLESS_UNIFORM : ways;
      crews[0] = crew_make(2, by_wave ? num : 1);
      for (uint32_t w = 0; w < crews[0].num_waves; w++) {
         const uint32_t word = by_visit ? w : lanes[w];
         crews[0].words[w * 2] = program_word(word);
         crews[0].words[w * 2 + 1] = program_word(63 - word);
         crews[0].wave_words[w] = program_word(word);
      }
      return 1;
   }
   const bool few = by_wave || (!p->features && !graph_declares(&p->graph));
   crews[0] = crew_make(NUM_LANES, by_wave ? FEW_FULL : 1);
   for (uint32_t n = 0; n < NUM_LANES * crews[0].num_waves; n++)
      crews[0].words[n] = program_word(n % NUM_LANES);

   const uint32_t most = endless ? NUM_ENDLESS_ALONE : few ? FEW_ALONE : NUM_LANES;
   for (uint32_t n = 0; num_alone > most && n < most; n++) {
      const uint32_t k = n + graph_random_below(&state, num_alone - n), lane = lanes[k];
      lanes[k] = lanes[n];
      lanes[n] = lane;
   }
   num_alone = num_alone < most ? num_alone : most;
   crews[1] = crew_make(1, num_alone);
   for (uint32_t n = 0; n < num_alone; n++)
      crews[1].words[n] = program_word(lanes[n]);

   const uint32_t subsets = endless ? NUM_ENDLESS_SUBSETS : few ? FEW_SUBSETS : NUM_SUBSETS;
   crews[2] = crew_make(SUBSET_WIDTH, subsets);
   fill_subsets(&crews[2], &state);
   for (unsigned k = 0; k < 3; k++) {
      for (uint32_t w = 0; w < crews[k].num_waves; w++)
         crews[k].wave_words[w] = program_word(graph_random_below(&state, NUM_LANES));
   }
   return 3;
}
