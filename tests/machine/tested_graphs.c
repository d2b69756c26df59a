/* SPDX-License-Identifier: MIT */
/* tested_graphs.c - programs on all small graphs, and on random ones, log in the simulator what they
 * log in the interpreter.
 *
 * Lanes are told where to go by their words: 64 words try all ways to decide six times, a wave at
 * once; the words of a wave change with them. Registers are starved every other time. Of graphs of
 * four blocks a share runs, which HEDDLE_SHARE (1: all) changes.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/wave.h"
#include "machine/tested.h"
#include "program.h"
#include "support/heard.h"

#define MAX_LANES 64
#define LANES     tested.lanes

static unsigned compiled;

/* What a launch reads and writes. */
struct memory {
   uint32_t words[MAX_LANES], wave_word, log[MAX_LANES], visits[64];
};

static void
launch_of(struct memory *m, unsigned first, hd_wave_buffer buffers[NUM_BINDINGS],
          hd_wave_launch *launch)
{
   memset(m, 0, sizeof(*m));
   for (unsigned lane = 0; lane < LANES; lane++)
      m->words[lane] = program_word(first + lane);
   m->wave_word = program_word(first * 7 + 3);
   buffers[BINDING_WORDS] =
       (hd_wave_buffer){ .binding = BINDING_WORDS, .memory = { m->words, NULL, sizeof(m->words) } };
   buffers[BINDING_WAVES] =
       (hd_wave_buffer){ .binding = BINDING_WAVES, .memory = { &m->wave_word, NULL, 4 } };
   buffers[BINDING_LOG] =
       (hd_wave_buffer){ .binding = BINDING_LOG, .memory = { m->log, NULL, sizeof(m->log) } };
   buffers[BINDING_VISITS] = (hd_wave_buffer){ .binding = BINDING_VISITS,
                                               .memory = { m->visits, NULL, sizeof(m->visits) } };
   *launch = (hd_wave_launch){ .lanes = LANES,
                               .workgroup_size = { LANES },
                               .buffers = buffers,
                               .num_buffers = NUM_BINDINGS,
                               .max_steps = 10000000 };
}

static void
fail_with(const program *p, const char *what, const char *heard)
{
   graph_write(&p->graph, stderr);
   fprintf(stderr, "\nfeatures %u, seed %llu: %s\n%s", p->features, (unsigned long long)p->seed,
           what, heard);
   fail();
}

static void
must_log_the_same(const program *p, unsigned number)
{
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   hd_shader *shader = program_build(p, &config);
   void *binary;
   struct memory expected, got;
   hd_wave_buffer buffers[NUM_BINDINGS];
   hd_wave_launch launch;

   assert_non_null(shader);
   shader->workgroup_size[0] = LANES;
   shader->workgroup_size[1] = shader->workgroup_size[2] = 1;
   if (tested.compile(shader, number, NULL, &config.diag, &binary) != HD_OK)
      fail_with(p, "it is not compiled", heard.all);
   for (unsigned first = 0; first < 64; first += LANES) {
      launch_of(&expected, first, buffers, &launch);
      if (hd_wave_run(shader, &launch, NULL) != HD_OK)
         fail_with(p, "the interpreter does not end", heard.all);
      launch_of(&got, first, buffers, &launch);
      if (tested.run(binary, shader, &launch, 0, 10000000, &config.diag) != HD_OK)
         fail_with(p, "the simulator does not end", heard.all);
      if (memcmp(expected.log, got.log, sizeof(got.log)))
         fail_with(p, "it logs something else", "");
   }
   tested.destroy(binary);
   hd_shader_destroy(shader);
   compiled++;
}

static const uint32_t features[] = { PROGRAM_PHIS, PROGRAM_PHIS | PROGRAM_VALUES,
                                     PROGRAM_PHIS | PROGRAM_CROSS_LANE,
                                     PROGRAM_PHIS | PROGRAM_VALUES | PROGRAM_CROSS_LANE };

static uint32_t
features_of(unsigned number)
{
   return features[number % 4] & ~(tested.no_cross_lane ? (uint32_t)PROGRAM_CROSS_LANE : 0u);
}

static void
test_small_graphs(void **state)
{
   (void)state;
   const char *text = getenv("HEDDLE_SHARE");
   const unsigned share = text ? (unsigned)strtoul(text, NULL, 0) : 40;

   for (int num = 1; num <= 4; num++) {
      program p = { .bits = 6 };
      small_graphs graphs;
      unsigned number = 0;

      small_graphs_begin(&graphs, num, 2);
      for (; small_graphs_next(&graphs); number++) {
         if (num == 4 && share && number % share)
            continue;
         small_graphs_get(&graphs, &p.graph);
         if (!graph_ends(&p.graph))
            continue;
         p.seed = number;
         p.features = features_of(number / 3);
         must_log_the_same(&p, number / (num == 4 && share ? share : 1));
      }
      graph_free(&p.graph);
   }
   print_message("%u programs\n", compiled);
   assert_true(compiled > 200);
}

static void
test_random_graphs(void **state)
{
   (void)state;
   program p = { .bits = 6 };

   for (uint64_t seed = 1; seed <= 60; seed++) {
      uint64_t random = random_state(seed, 1);
      random_graph(&p.graph, &random, 5 + (uint32_t)(seed % 20));
      if (!graph_ends(&p.graph) || p.graph.num_blocks > 64)
         continue;
      p.seed = seed;
      p.features = features_of((unsigned)seed);
      must_log_the_same(&p, (unsigned)seed);
   }
   graph_free(&p.graph);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_small_graphs),
                                       cmocka_unit_test(test_random_graphs) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
