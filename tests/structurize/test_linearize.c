/* SPDX-License-Identifier: MIT */
/* test_linearize.c - orders and joins: those of the example, of all small graphs, of random larger
 * ones. HEDDLE_ALL_GRAPHS=1 takes all graphs of four blocks.
 *
 * Two judges: waiting.h tries everything that lanes can do on the line, and so says which steps can
 * be empty and where lanes wait then; and the interpreter runs the line with full waves and random
 * subsets, whose masks must be those of tests/wave/judge.h.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/memory.h"
#include "waiting.h"
#include "wave/judge.h"
#include "wave/programs.h"

/* The block n of a graph of programs.h is the n-th of the text, from 0. */
static uint32_t
step_of(const hd_linear *linear, hd_function *f, unsigned n)
{
   hd_block *b = hd_function_start(f);

   while (n--)
      b = hd_block_next(b);
   return linear->step_of_block[b->node.index];
}

/* The picture of seed 000: from 1, 2 and 4 control can jump, to 4, 4 and 5; 5 needs no test. */
static void
example(void **unused)
{
   static const struct graph g = { 5,
                                   { [1] = { 2, { 2, 4 } },
                                     [2] = { 2, { 3, 5 } },
                                     [3] = { 2, { 3, 4 } },
                                     [4] = { 1, { 5 } },
                                     [5] = { 1, { 6 } } } };
   hd_linear *linear = NULL;

   (void)unused;
   put_graph(&g, NULL);
   hd_shader *shader = parse_quietly();
   hd_function *f = shader->first_function;
   assert_int_equal(hd_linearize(f, &linear, NULL, NULL), HD_OK);
   uint32_t step[7];
   for (unsigned n = 0; n < 7; n++)
      step[n] = step_of(linear, f, n);
   static const uint32_t want[] = { 0, 1, 2, 3, 5, 6, 7 }; /* 4 is the latch of 3 */
   assert_memory_equal(step, want, sizeof(want));
   assert_int_equal(linear->num_steps, 8);
   assert_null(linear->steps[4].block);
   assert_int_equal(linear->steps[4].header, 3);
   for (unsigned n = 0; n < 7; n++) {
      const hd_linear_step *s = &linear->steps[step[n]];
      assert_int_equal(s->may_be_empty, n >= 2 && n <= 4);
      if (s->may_be_empty)
         assert_int_equal(s->join, step[n == 4 ? 5 : 4]);
   }
   hd_linear_destroy(shader, linear);
   hd_shader_destroy(shader);
}

struct counts {
   uint64_t state;
   unsigned graphs, tried, joins, early, declared;
};

/* What holds of the order of any function. */
static void
check_order(hd_function *f, const hd_linear *linear)
{
   uint32_t num_blocks = 0, num_latches = 0;

   hd_require(f, HD_META_BLOCK_ORDER | HD_META_CYCLES);
   assert_int_equal(linear->num_blocks, f->num_blocks);
   for (uint32_t s = 0; s < linear->num_steps; s++) {
      const hd_linear_step *step = &linear->steps[s];
      if (step->join != HD_LINEAR_END)
         assert_in_range(step->join, s + 1, linear->num_steps - 1);
      if (step->block) {
         assert_int_equal(linear->step_of_block[step->block->node.index], s);
         assert_int_equal(step->header, HD_LINEAR_END);
         assert_true(hd_block_is_reachable(step->block));
         num_blocks++;
         continue;
      }
      const hd_cycle *c = hd_block_headed_cycle(linear->steps[step->header].block);
      assert_non_null(c);
      num_latches++;
      /* Its blocks and the latches in it lie between. */
      assert_int_equal(s - step->header, c->num_blocks + c->num_inside);
   }
   assert_int_equal(num_blocks, hd_function_num_reachable(f));
   assert_int_equal(num_latches, hd_function_num_cycles(f));
   hd_foreach_block(b, f) {
      if (!hd_block_is_reachable(b))
         assert_int_equal(linear->step_of_block[b->node.index], HD_LINEAR_END);
   }
}

/* Tests are exact always; joins where each cycle is entered at its header alone and reaches all its
 * blocks from there; elsewhere they may be early.
 */
static void
check_joins(hd_function *f, const hd_linear *linear, struct counts *counts)
{
   struct waiting waiting;
   bool plain = true;

   const char *fault = try_all(linear, false, &waiting);
   if (fault)
      fail_msg("%s in\n%s", fault, text);
   if (!waiting.states)
      return;
   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++)
      plain &= !hd_function_cycle(f, n)->has_other_entries;
   counts->tried++;
   for (uint32_t s = 0; s < linear->num_steps; s++) {
      const hd_linear_step *step = &linear->steps[s];
      if (!waiting.seen[s] && plain)
         fail_msg("control never comes to step %u of\n%s", s, text);
      if (step->may_be_empty != waiting.empty[s])
         fail_msg("step %u is %s empty, in\n%s", s, waiting.empty[s] ? "at times" : "never", text);
      if (!step->block || !step->may_be_empty)
         continue;
      uint32_t join = step->join == HD_LINEAR_END ? linear->num_steps : step->join;
      counts->joins++;
      counts->early += join < waiting.first[s];
      if (join > waiting.first[s] || (join < waiting.first[s] && plain))
         fail_msg("step %u joins at %u, should at %u, in\n%s", s, join, waiting.first[s], text);
   }
}

static hd_wave_mask
random_lanes(uint64_t *state)
{
   hd_wave_mask m = { { next_random(state, UINT32_MAX), 0 } };

   m.word[0] = m.word[0] << 32 | next_random(state, UINT32_MAX);
   if (next_random(state, 2) == 0)
      m.word[0] &= next_random(state, UINT32_MAX) * UINT64_C(0x100000001);
   return next_random(state, 4) ? m : (hd_wave_mask){ { m.word[0] & -m.word[0], 0 } };
}

static void
run_line(hd_shader *shader, const hd_linear *linear, const struct lanes *lanes, uint64_t *state)
{
   static struct runs want, got;
   hd_function *f = shader->first_function;

   for (unsigned n = 0; n < 4; n++) {
      const hd_wave_mask some = n ? random_lanes(state) : (hd_wave_mask){ { UINT64_MAX, 0 } };
      const hd_wave_launch how = { .mode = HD_WAVE_LINEAR, .linear = linear, .active = &some };
      judge(f, lanes, &want);
      cut_runs(&want, some);
      const hd_result result = observe_lanes(shader, lanes, &how, &got);
      if ((result != HD_OK && result != HD_BUDGET_EXCEEDED) ||
          (result == HD_OK && want.cut && n == 0))
         fail_msg("%s with lanes %llx in\n%s", hd_result_name(result),
                  (unsigned long long)some.word[0], text);
      const uint32_t block = lanes_differ(f, &want, &got);
      if (block != UINT32_MAX)
         fail_msg("lanes %llx, block of index %u in\n%s", (unsigned long long)some.word[0], block,
                  text);
   }
}

static void
try_graph(const struct graph *g, void *user)
{
   static struct lanes lanes;
   struct counts *counts = user;

   lanes.num = 64;
   for (unsigned l = 0; l < 64; l++)
      lanes.words[l] = l | (l * 0x9e37u & 0xffc0);
   for (int n = 1; n <= g->num; n++)
      lanes.later[n] = g->list[n].num == 2 && first_is_nearer(g, n);
   for (unsigned n = 0; n < 4; n++) {
      hd_linear *linear = NULL;
      put_graph(g, n ? &counts->state : NULL);
      hd_shader *shader = parse_quietly();
      if (!shader && n)
         continue;
      assert_non_null(shader);
      hd_function *f = shader->first_function;
      assert_int_equal(hd_linearize(f, &linear, NULL, NULL), HD_OK);
      check_order(f, linear);
      check_joins(f, linear, counts);
      run_line(shader, linear, &lanes, &counts->state);
      counts->graphs++;
      counts->declared += n > 0;
      hd_linear_destroy(shader, linear);
      hd_shader_destroy(shader);
   }
}

static void
small_graphs(void **unused)
{
   struct counts counts = { .state = 23 };

   (void)unused;
   assert_int_equal(all_graphs(1, 1, try_graph, &counts), 4);
   assert_int_equal(all_graphs(2, 1, try_graph, &counts), 45);
   assert_int_equal(all_graphs(3, 1, try_graph, &counts), 816);
   assert_int_equal(all_graphs(4, getenv("HEDDLE_ALL_GRAPHS") ? 1 : 29, try_graph, &counts), 20225);
   printf("%u functions, %u with declarations: %u joins, %u of them early\n", counts.graphs,
          counts.declared, counts.joins, counts.early);
   assert_int_equal(counts.tried, counts.graphs);
   assert_true(counts.declared > 500);
}

/* Larger ones; those with too many states are run by the interpreter alone. */
static void
random_graphs(void **unused)
{
   struct counts counts = { .state = 29 };

   (void)unused;
   for (unsigned n = 0; n < 150; n++) {
      struct graph g = { .num = 5 + (int)next_random(&counts.state, 2) };
      for (int b = 1; b <= g.num; b++) {
         const int first = 1 + (int)next_random(&counts.state, (uint32_t)g.num + 1);
         const int second = 1 + (int)next_random(&counts.state, (uint32_t)g.num + 1);
         g.list[b] = (struct succ_list){ first == second ? 1 : 2, { first, second } };
      }
      try_graph(&g, &counts);
   }
   printf("%u functions, %u tried: %u joins, %u of them early\n", counts.graphs, counts.tried,
          counts.joins, counts.early);
   assert_true(counts.tried > 100);
}

/* Switches of any width on graphs without a program, forward edges mostly: the order alone. */
static void
switches(void **unused)
{
   struct counts counts = { .state = 31 };

   (void)unused;
   for (unsigned n = 0; n < 400; n++) {
      struct succ_list list[12];
      hd_block *block[12];
      const int num = 4 + (int)next_random(&counts.state, 8);
      for (int b = 0; b < num; b++) {
         list[b].num = 0;
         for (int k = (int)next_random(&counts.state, 5); k >= 0; k--) {
            const bool forward = next_random(&counts.state, 5) != 0;
            const int low = forward ? b + 1 : 1;
            const int to = low + (int)next_random(&counts.state, (uint32_t)(num - low + 1));
            bool there = to == num && b == 0;
            for (int i = 0; i < list[b].num; i++)
               there |= list[b].succ[i] == to || to == num || list[b].succ[i] == num;
            if (!there)
               list[b].succ[list[b].num++] = to;
         }
      }
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      hd_function *f = graph_build(shader, num, list, block);
      hd_linear *linear = NULL;
      snprintf(text, sizeof(text), "number %u", n);
      assert_int_equal(hd_linearize(f, &linear, NULL, NULL), HD_OK);
      check_order(f, linear);
      check_joins(f, linear, &counts);
      hd_linear_destroy(shader, linear);
      hd_shader_destroy(shader);
   }
   printf("%u tried: %u joins, %u of them early\n", counts.tried, counts.joins, counts.early);
   assert_true(counts.tried > 350 && counts.joins > 500);
}

static hd_shader *
parse(const hd_config *config, const char *source)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, "test", source, strlen(source), &shader), HD_OK);
   return shader;
}

/* Where other functions can halt, the step after a call can be empty. */
static void
calls(void **unused)
{
   static const char source[] =
       "shader compute \"t\" {\nflat function @main {\n b0:\ncall @other()\ngoto b1\n b1:\n"
       "call @other()\ngoto b2\n b2:\nreturn\n}\nflat function @other {\n b0:\n%s\n}\n}\n";

   (void)unused;
   for (unsigned halts = 0; halts < 2; halts++) {
      char changed[1000];
      snprintf(changed, sizeof(changed), source, halts ? "halt" : "return");
      hd_shader *shader = parse(NULL, changed);
      hd_linear *linear = NULL;
      struct waiting waiting;
      assert_int_equal(hd_linearize(shader->first_function, &linear, NULL, NULL), HD_OK);
      assert_null(try_all(linear, halts, &waiting));
      for (uint32_t s = 0; s < 3; s++) {
         assert_int_equal(linear->steps[s].may_be_empty, halts && s > 0);
         assert_int_equal(linear->steps[s].may_be_empty, waiting.empty[s]);
         if (s > 0 && halts)
            assert_int_equal(linear->steps[s].join, HD_LINEAR_END);
      }
      hd_linear_destroy(shader, linear);
      hd_shader_destroy(shader);
   }
}

static void
hear(void *user, const hd_diag *diag)
{
   snprintf(user, 1024, "%s", diag->rule);
}

/* A structured function, and a flat one that is not valid, are told apart from what can be done. */
static void
refused(void **unused)
{
   char message[1024] = "";
   const hd_config config = { .diag = { message, hear } };
   hd_linear *linear = NULL;

   (void)unused;
   hd_shader *shader = hd_shader_create(&config, HD_STAGE_COMPUTE, NULL);
   hd_function *tree = hd_function_create(shader, "tree", true);
   hd_function *flat = hd_function_create(shader, "flat", false);
   assert_int_equal(hd_linearize(tree, &linear, NULL, NULL), HD_INVALID);
   assert_int_equal(hd_linearize(flat, &linear, NULL, NULL), HD_INVALID);
   assert_string_equal(message, "CF11");
   assert_null(linear);
   hd_linear_destroy(shader, linear);
   hd_shader_destroy(shader);
}

struct reasons {
   unsigned joins, latches;
};

static void
count_reasons(void *user, const hd_explanation *e)
{
   struct reasons *reasons = user;
   bool found = false;

   assert_non_null(e->at);
   assert_non_null(e->from);
   for (uint32_t n = 0; n < e->from->num_succs; n++)
      found |= e->from->succs[n].to == e->to;
   assert_true(found);
   reasons->joins += !strcmp(e->added, "join");
   reasons->latches += !strcmp(e->added, "latch");
}

/* A reason for each test and each latch; each failing allocation; nothing is leaked. */
static void
reasons_and_memory(void **unused)
{
   struct counts counts = { .state = 37 };
   unsigned failures = 0;

   (void)unused;
   for (unsigned n = 0; n < 30; n++) {
      struct graph g = { .num = 6 };
      for (int b = 1; b <= g.num; b++) {
         const int first = 1 + (int)next_random(&counts.state, 7);
         const int second = 1 + (int)next_random(&counts.state, 7);
         g.list[b] = (struct succ_list){ first == second ? 1 : 2, { first, second } };
      }
      put_graph(&g, NULL);
      struct limited limited = { .left = SIZE_MAX };
      const hd_config config = limited_config(&limited);
      hd_shader *shader = parse(&config, text);
      hd_linear *linear = NULL;
      for (size_t left = 0; !linear; left++) {
         struct reasons reasons = { 0 };
         limited.left = left;
         const hd_result result =
             hd_linearize(shader->first_function, &linear, &reasons, count_reasons);
         limited.left = SIZE_MAX;
         if (result != HD_OK) {
            assert_int_equal(result, HD_OUT_OF_MEMORY);
            assert_null(linear);
            failures++;
            continue;
         }
         for (uint32_t s = 0; s < linear->num_steps; s++) {
            reasons.joins -= linear->steps[s].block && linear->steps[s].may_be_empty;
            reasons.latches -= !linear->steps[s].block;
         }
         assert_int_equal(reasons.joins, 0);
         assert_int_equal(reasons.latches, 0);
      }
      hd_linear_destroy(shader, linear);
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
   }
   assert_true(failures >= 60);
}

/* Shapes of 10,000 blocks, which take time by their size alone. Nobody runs them. */

#define LARGE 10000

struct large {
   hd_shader *shader;
   hd_function *f;
   hd_def *cond, *selector;
   hd_block *block[2 * LARGE + 2];
   uint64_t state;
};

/* Every block goes on to one of the next two. */
static unsigned
make_ladder(struct large *l)
{
   for (unsigned n = 1; n < LARGE - 1; n++)
      hd_flat_goto_if(l->block[n], l->cond, l->block[n + 1], l->block[n + 2]);
   hd_flat_goto(l->block[LARGE - 1], l->block[LARGE]);
   return LARGE;
}

/* Cycles in one another, all of which the innermost block can leave. */
static unsigned
make_nest(struct large *l)
{
   static uint64_t values[LARGE];

   for (unsigned n = 1; n < LARGE; n++)
      hd_flat_goto(l->block[n], l->block[n + 1]);
   for (unsigned n = 0; n < LARGE; n++)
      values[n] = n;
   hd_flat_switch(l->block[LARGE], l->selector, l->block[LARGE + 1], LARGE, values,
                  l->block + LARGE + 1);
   for (unsigned n = 1; n <= LARGE; n++)
      hd_flat_goto_if(l->block[LARGE + n], l->cond, l->block[LARGE + 1 - n],
                      l->block[LARGE + n + 1]);
   return 2 * LARGE + 1;
}

/* One branch after the other, whose far sides all wait until the end: in the same order, or in the
 * opposite one.
 */
static unsigned
make_waiting(struct large *l, bool opposite)
{
   for (unsigned n = 1; n < LARGE; n++) {
      hd_flat_goto_if(l->block[n], l->cond, l->block[n + 1],
                      l->block[opposite ? 2 * LARGE - n : LARGE + n]);
      hd_flat_goto(l->block[LARGE + n], l->block[n + 1 < LARGE ? LARGE + n + 1 : 2 * LARGE]);
   }
   hd_flat_goto(l->block[LARGE], l->block[2 * LARGE]);
   return 2 * LARGE;
}

static unsigned
make_waiting_queue(struct large *l)
{
   return make_waiting(l, false);
}

static unsigned
make_waiting_stack(struct large *l)
{
   return make_waiting(l, true);
}

/* Edges anywhere. */
static unsigned
make_tangle(struct large *l)
{
   for (unsigned n = 1; n < LARGE; n++) {
      const unsigned to = 1 + next_random(&l->state, LARGE);
      hd_flat_goto_if(l->block[n], l->cond, l->block[n + 1], l->block[to == n + 1 ? n : to]);
   }
   return LARGE;
}

static void
large_shapes(void **unused)
{
   static const struct {
      const char *name;
      unsigned (*make)(struct large *l);
   } shapes[] = {
      { "ladder", make_ladder },
      { "nest", make_nest },
      { "waiting queue", make_waiting_queue },
      { "waiting stack", make_waiting_stack },
      { "tangle", make_tangle },
   };
   static struct large l;

   (void)unused;
   for (unsigned n = 0; n < sizeof(shapes) / sizeof(shapes[0]); n++) {
      hd_linear *linear = NULL;
      l = (struct large){ .state = 41 };
      l.shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      l.f = hd_function_create(l.shader, "main", false);
      l.cond = &hd_undef_create(l.shader, 1, 1)->def;
      l.selector = &hd_undef_create(l.shader, 1, 32)->def;
      l.block[0] = hd_function_start(l.f);
      hd_instr_insert(hd_after_phis(l.block[0]), hd_def_instr(l.cond));
      hd_instr_insert(hd_after_phis(l.block[0]), hd_def_instr(l.selector));
      for (unsigned b = 1; b < 2 * LARGE + 2; b++)
         l.block[b] = hd_flat_block_create(l.f);
      hd_flat_goto(l.block[0], l.block[1]);
      for (unsigned b = shapes[n].make(&l); b < 2 * LARGE + 2; b++)
         hd_flat_return(l.block[b], NULL);
      assert_int_equal(hd_require(l.f, HD_META_BLOCK_ORDER | HD_META_CYCLES), HD_OK);
      const clock_t start = clock();
      assert_int_equal(hd_linearize(l.f, &linear, NULL, NULL), HD_OK);
      const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
      check_order(l.f, linear);
      printf("%s: %u steps, %.0f ns each, the validator included\n", shapes[n].name,
             linear->num_steps, seconds * 1e9 / linear->num_steps);
      assert_true(seconds < 3);
      hd_linear_destroy(l.shader, linear);
      hd_shader_destroy(l.shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(example),
      cmocka_unit_test(small_graphs),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(switches),
      cmocka_unit_test(calls),
      cmocka_unit_test(refused),
      cmocka_unit_test(reasons_and_memory),
      cmocka_unit_test(large_shapes),
   };

   return cmocka_run_group_tests_name("structurize/linearize", tests, NULL, NULL);
}
