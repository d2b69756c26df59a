/* SPDX-License-Identifier: MIT */
/* test_flows.c - the ways of lowering control flow, on the toy machine, against the interpreter.
 *
 * Graphs and programs are those of the judge of the structurizers (tools/verify): all small graphs,
 * and random ones, whose lanes and waves decide in all ways, with values across everything and lanes
 * that read each other. Each program is interpreted once; then each way compiles it, and the toy
 * machine runs it. What must be the same is which lanes run each block, in which order for a lane,
 * and what is in memory at the end.
 *
 *    HD_FLOWS_SHARE=1    all programs of graphs of up to four blocks, instead of a share
 *    HD_TEST_SEED=N      other random graphs
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "toy.h"
#include "work.h"

static uint64_t
number_of(const char *name, uint64_t usual)
{
   const char *text = getenv(name);

   return text ? strtoull(text, NULL, 0) : usual;
}

/* Running */

struct watch {
   observation *o;
   const hd_shader *shader;
   uint32_t wave;
};

static void
see(void *user, uint32_t loc, uint64_t mask)
{
   struct watch *w = user;
   observation *o = w->o;

   if (o->num_events == o->capacity) {
      o->capacity = o->capacity * 2 + 256;
      o->events = must_grow(o->events, o->capacity * sizeof(*o->events));
   }
   o->events[o->num_events++] =
       (event){ .mask = mask, .wave = w->wave, .block = w->shader->locations[loc].line - 1 };
}

/* Wave by wave. */
static void
observe_toy(observation *o, toy_program *p, uint32_t num_marks, const crew *c, uint64_t max_blocks)
{
   const size_t lanes = (size_t)c->width * c->num_waves;
   struct watch w = { .o = o, .shader = p->mach.shader };

   o->num_events = 0;
   o->message[0] = 0;
   o->result = HD_OK;
   o->log_size = lanes * 4;
   o->log = must_grow(o->log, o->log_size);
   o->undefined = must_grow(o->undefined, o->log_size);
   memset(o->log, 0, o->log_size);
   memset(o->undefined, 0, o->log_size);
   uint32_t *visits = must_alloc((size_t)c->num_waves * num_marks * 4);
   for (uint32_t n = 0; n < c->num_waves && o->result == HD_OK; n++) {
      const toy_launch launch = {
         .width = c->width,
         .wave = n,
         .buffers = { c->words, c->wave_words, o->log, visits },
         .num_words = { (uint32_t)lanes, c->num_waves, (uint32_t)lanes, c->num_waves * num_marks },
         .max_blocks = max_blocks,
         .user = &w,
         .stores = see,
      };
      w.wave = n;
      const char *wrong = toy_run(p, &launch);
      if (!wrong)
         continue;
      o->result = strcmp(wrong, "too long") == 0 ? HD_BUDGET_EXCEEDED : HD_INVALID;
      snprintf(o->message, sizeof(o->message), "%s", wrong);
   }
   free(visits);
}

/* Judging */

struct judged {
   unsigned programs, runs, waves, endless, refused;
   unsigned jumps, numbered; /* linear: instructions that jump by the flag, and that enter */
};

struct expected {
   crew crews[MAX_CREWS];
   observation before[MAX_CREWS];
   unsigned num_crews;
   uint64_t max_steps;
};

static void
interpret(const program *p, struct expected *e)
{
   char message[256] = "";
   const hd_config config = observe_config(message);
   hd_shader *shader = program_build(p, &config);
   const bool endless = !graph_ends(&p->graph);
   char what[256];
   marks m;

   assert_non_null(shader);
   assert_true(marks_find(&m, shader->first_function, p->graph.num_blocks, what));
   e->num_crews = crews_for(p, e->crews);
   for (unsigned k = 0; k < e->num_crews; k++) {
      const uint64_t steps =
          endless ? 4000 : UINT64_C(4000) * e->crews[k].num_waves * (p->graph.num_blocks + 100);
      observe(&e->before[k], shader->first_function, &m, &e->crews[k],
              &(observe_options){ .max_steps = steps });
      if (e->before[k].result != HD_OK && !endless)
         fail_msg("the interpreter: %s", e->before[k].message);
   }
   marks_free(&m);
   hd_shader_destroy(shader);
}

static void
count_instructions(const hd_mach_program *p, struct judged *j)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         j->jumps += inst->op == TOY_JUMP_0 || inst->op == TOY_JUMP_1;
         j->numbered += inst->op == TOY_ENTER;
      }
   }
}

static void
show(const program *p, const crew *c)
{
   fputs("# the program: ", stderr);
   case_write(p, c, stderr);
   fputc('\n', stderr);
}

static void
judge_way(const program *p, const toy_way *way, struct expected *e, struct judged *j)
{
   char message[256] = "", what[256];
   const hd_config config = observe_config(message);
   hd_shader *shader = program_build(p, &config);
   observation after = { 0 };
   toy_program toy = { 0 };
   uint32_t wave;

   assert_non_null(shader);
   const hd_result result = toy_compile(&toy, shader, way);
   /* The only return is in one list, and the lanes of the other never end. */
   if (result == HD_UNSUPPORTED && way->lower_returns && !graph_ends(&p->graph)) {
      j->refused++;
      hd_shader_destroy(shader);
      return;
   }
   if (result != HD_OK) {
      show(p, NULL);
      fail_msg("%s: not compiled: %s", way->name, message);
   }
   count_instructions(&toy.mach, j);
   if (getenv("DUMP"))
      dump(&toy.mach);
   for (unsigned k = 0; k < e->num_crews; k++) {
      const uint64_t most = graph_ends(&p->graph) ? 10000000 : 3000;
      observe_toy(&after, &toy, p->graph.num_blocks, &e->crews[k], most);
      j->runs++;
      j->waves += e->crews[k].num_waves;
      /* The waves of endless programs run one after the other: the first is compared. */
      if (!observations_agree(&e->before[k], &after, &e->crews[k], &p->graph, what, &wave)) {
         show(p, &e->crews[k]);
         fail_msg("%s: wave %u: %s %s", way->name, wave, what, after.message);
      }
   }
   observation_free(&after);
   free(toy.values);
   hd_shader_destroy(shader);
}

static void
judge(const program *p, struct judged *j)
{
   struct expected e = { 0 };

   interpret(p, &e);
   j->programs++;
   j->endless += !graph_ends(&p->graph);
   for (unsigned n = 0; n < TOY_NUM_WAYS; n++)
      judge_way(p, &toy_ways[n], &e, j);
   for (unsigned k = 0; k < e.num_crews; k++) {
      observation_free(&e.before[k]);
      crew_free(&e.crews[k]);
   }
}

static void
judge_graph(const graph *g, uint64_t seed, uint64_t number, unsigned variants, struct judged *j)
{
   program p = { 0 };

   for (unsigned v = 0; v < NUM_VARIANTS; v++) {
      if (variants >> v & 1 && variant_make(&p, g, (variant)v, seed, number))
         judge(&p, j);
   }
   graph_free(&p.graph);
}

static void
report(const struct judged *j)
{
   printf("# %u programs (%u endless), %u refused, %u runs of %u waves; %u jumps by the flag, %u "
          "heads\n",
          j->programs, j->endless, j->refused, j->runs, j->waves, j->jumps, j->numbered);
}

/* One in so many graphs of three blocks and of four; of the others all. */
static void
small_graphs_run(void **unused)
{
   const uint64_t share = number_of("HD_FLOWS_SHARE", 0);
   struct judged j = { 0 };
   graph g = { 0 };

   (void)unused;
   for (int num = 1; num <= 4; num++) {
      const uint64_t step = share ? share : num < 3 ? 3 : num == 3 ? 67 : 1999;
      small_graphs walk;
      uint64_t number = 0;
      small_graphs_begin(&walk, num, 2);
      for (; small_graphs_next(&walk); number++) {
         if (number % step)
            continue;
         small_graphs_get(&walk, &g);
         judge_graph(&g, 1, number, (1u << NUM_VARIANTS) - 1, &j);
      }
   }
   report(&j);
   assert_true(j.jumps && j.numbered && j.endless);
   graph_free(&g);
}

static void
random_graphs_run(void **unused)
{
   const uint64_t seed = number_of("HD_TEST_SEED", 27), num = number_of("HD_FLOWS_RANDOM", 12);
   struct judged j = { 0 };
   graph g = { 0 };

   (void)unused;
   printf("# HD_TEST_SEED=%llu\n", (unsigned long long)seed);
   for (uint64_t n = 0; n < num; n++) {
      uint64_t state = random_state(seed, n);
      random_graph(&g, &state, 4 + random_below(&state, 24));
      judge_graph(&g, seed, n, 1u << (n % NUM_VARIANTS) | 1u << VARIANT_MIXED, &j);
   }
   report(&j);
   graph_free(&g);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs_run),
      cmocka_unit_test(random_graphs_run),
   };

   return cmocka_run_group_tests_name("machine/flows", tests, NULL, NULL);
}
