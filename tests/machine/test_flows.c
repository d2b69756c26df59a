/* SPDX-License-Identifier: MIT */
/* test_flows.c - the ways of lowering control flow, on the toy machine, against the interpreter.
 *
 * Graphs and programs are those of the differential tester of the structurizers (tools/verify): all small graphs,
 * and random ones, whose lanes and waves decide in all ways, with values across everything and lanes
 * that read each other. Each program is interpreted once; then each way compiles it, and the toy
 * machine runs it. What must be the same is which lanes run each block, in which order for a lane,
 * and what is in memory at the end.
 *
 *    HD_FLOWS_SHARE=1    all programs of graphs of up to four blocks, instead of a share
 *    HD_FLOWS_BLOCKS=3   of graphs of up to so many
 *    HD_FLOWS_RANDOM=N   so many random graphs
 *    HD_TEST_SEED=N      other random graphs
 *    HD_FLOWS_CASE=TEXT  one program, as a failure shows it
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "support/memory.h"
#include "toy.h"
#include "work.h"

static uint64_t
number_of(const char *name, uint64_t by_default)
{
   const char *text = getenv(name);

   return text ? strtoull(text, NULL, 0) : by_default;
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
   unsigned jumps, numbered, ifs; /* instructions that jump by the flag, that enter, that part */
   unsigned spilled[HD_MACH_MAX_FILES]; /* values */
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
      verify_observe(&e->before[k], shader->first_function, &m, &e->crews[k],
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
   for (unsigned f = 0; f < p->mach->num_files; f++)
      j->spilled[f] += p->spilled[f];
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         j->jumps += inst->op == TOY_JUMP_0 || inst->op == TOY_JUMP_1;
         j->numbered += inst->op == TOY_ENTER;
         j->ifs += inst->op == TOY_IF || inst->op == TOY_PUSH;
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

static bool
halts(const graph *g)
{
   bool any = false;

   for (uint32_t b = 0; b < g->num_blocks; b++)
      any |= g->blocks[b].halts;
   return any;
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
   /* The only return is in one list, and the lanes of the other never end. Or they halt. */
   if (result == HD_UNSUPPORTED && way->lower_returns &&
       (!graph_ends(&p->graph) || halts(&p->graph))) {
      j->refused++;
      hd_shader_destroy(shader);
      return;
   }
   if (result != HD_OK) {
      show(p, NULL);
      fail_msg("%s: not compiled: %s", way->name, message);
   }
   count_instructions(&toy.mach, j);
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
judge_text(const char *text, struct judged *j)
{
   program p = { 0 };
   crew c;

   assert_null(case_read(&p, &c, text));
   judge(&p, j);
   graph_free(&p.graph);
   crew_free(&c);
}

static void
report(const struct judged *j)
{
   printf("# %u programs (%u endless), %u refused, %u runs of %u waves; %u jumps by the flag, %u "
          "heads, %u ifs; %u scalars and %u vector values spilled\n",
          j->programs, j->endless, j->refused, j->runs, j->waves, j->jumps, j->numbered, j->ifs,
          j->spilled[TOY_S], j->spilled[TOY_V]);
}

/* One in so many graphs of three blocks and of four; of the others all. */
static void
small_graphs_run(void **unused)
{
   const uint64_t share = number_of("HD_FLOWS_SHARE", 0), most = number_of("HD_FLOWS_BLOCKS", 4);
   struct judged j = { 0 };
   graph g = { 0 };

   (void)unused;
   for (int num = 1; num <= (int)most; num++) {
      const uint64_t step = share ? share : num < 3 ? 5 : num == 3 ? 101 : 2999;
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
   assert_true(j.spilled[TOY_S] > j.programs && j.spilled[TOY_V] > j.programs);
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
      random_graph(&g, &state, 4 + graph_random_below(&state, 24));
      judge_graph(&g, seed, n, 1u << (n % NUM_VARIANTS) | 1u << VARIANT_MIXED, &j);
   }
   report(&j);
   graph_free(&g);
}

/* What is seldom. The first two: block 5 is reached by those of 4 alone, and 4 by a jump of all; the
 * pc must pass both by for lanes that part at 3. Then: a cycle all of whose blocks begin with a phi
 * of the allocator's for the same value; a header that stands before the block where the cycle is
 * entered; values in other registers, and in none, at joins that branches lead to;
 * scalars that are reloaded where no lane comes.
 */
static void
chosen_graphs_run(void **unused)
{
   static const char *const texts[] = {
      "1;2,7 visit;3,4 visit;1,6;5;6;1; | bits=6 features=0 seed=1",
      "1;2,7 visit;3,4 first;1,6;5;6;1; | bits=6 features=7 seed=2",
      "1 visit;2,1 visit header;3,2 first;4,5 wave header in4;4; wave header | bits=6 features=15 "
      "seed=11223456317693580797",
      "1 first;2,1 first;1 header | bits=6 features=15 seed=11798743675492405171",
      "1;2,1;4,3;4,3; | bits=10 features=10 seed=17109627843865348227",
      "1;2,1;3;5,4;5;1,6;7;8,6,9;9;10,11;11,7;13,12;13;14;6,15;16;17,14;18;19; | bits=24 "
      "features=10 seed=7718055501715509696",
      "1 visit;5,2;3,2 wave;4,3 wave;3,4 first header; visit header in4 | bits=6 features=15 "
      "seed=9181107335665297813",
   };
   struct judged j = { 0 };

   (void)unused;
   if (getenv("HD_FLOWS_CASE")) {
      judge_text(getenv("HD_FLOWS_CASE"), &j);
   } else {
      for (unsigned n = 0; n < sizeof(texts) / sizeof(texts[0]); n++)
         judge_text(texts[n], &j);
   }
   report(&j);
}

/* Waves decide, so no lane waits for another. */
static void
uniform_branches_are_jumps(void **unused)
{
   struct judged j = { 0 };
   graph g = { 0 };

   (void)unused;
   for (uint64_t n = 0; n < 20; n++) {
      uint64_t state = random_state(31, n);
      program p = { 0 };
      random_graph(&g, &state, 3 + graph_random_below(&state, 12));
      assert_true(variant_make(&p, &g, VARIANT_UNIFORM, 31, n));
      for (unsigned way = 0; way < TOY_NUM_WAYS; way += 2) {
         char message[256] = "";
         const hd_config config = observe_config(message);
         hd_shader *shader = program_build(&p, &config);
         toy_program toy = { 0 };
         const hd_result result = toy_compile(&toy, shader, &toy_ways[way]);
         if (result != HD_UNSUPPORTED || graph_ends(&g)) {
            assert_int_equal(result, HD_OK);
            count_instructions(&toy.mach, &j);
         }
         hd_shader_destroy(shader);
      }
      graph_free(&p.graph);
   }
   report(&j);
   assert_true(j.jumps);
   assert_int_equal(j.numbered, 0);
   assert_int_equal(j.ifs, 0);
   graph_free(&g);
}

/* What is refused */

static void
must_refuse(hd_shader *shader, const toy_way *way, char message[256], const char *why)
{
   toy_program toy = { 0 };

   message[0] = 0;
   assert_int_equal(toy_compile(&toy, shader, way), HD_UNSUPPORTED);
   if (!strstr(message, why))
      fail_msg("'%s' is not said in '%s'", why, message);
   hd_shader_destroy(shader);
}

/* Ifs in each other, each with a loop in it where `loops` says so, which lanes leave one by one, and a store inside
 * of all.
 */
static hd_shader *
nested(const hd_config *config, unsigned depth, bool loops)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "nested");
   hd_def *lane = hd_local_invocation_index(&b), *zero = hd_imm_u32(&b, 0);
   hd_shader *shader;

   for (unsigned n = 0; n < depth; n++) {
      hd_push_if(&b, hd_ult(&b, lane, hd_imm_u32(&b, depth - n)));
      if (!loops)
         continue;
      hd_push_loop(&b);
      hd_push_if(&b, hd_ult(&b, lane, hd_imm_u32(&b, n)));
      hd_break(&b);
      hd_pop_if(&b);
   }
   hd_store_buffer(&b, lane, zero, zero,
                   &(hd_store_buffer_indices){ .binding = 2, .align_mul = 4 });
   for (unsigned n = 0; n < depth; n++) {
      if (loops) {
         hd_break(&b);
         hd_pop_loop(&b);
      }
      hd_pop_if(&b);
   }
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static void
stack_depth_is_told(void **unused)
{
   const hd_mach_control_stack *rows = toy_ways[4].hooks.control_stack;
   char message[256] = "";
   const hd_config config = observe_config(message);

   (void)unused;
   for (unsigned depth = 0; depth <= 10; depth++) {
      for (unsigned loops = 0; loops < 2; loops++) {
         hd_shader *shader = nested(&config, depth, loops);
         toy_program toy = { 0 };
         /* The if around the innermost break is another one. */
         const unsigned wanted = depth * (rows->if_size + loops * rows->loop_size) +
                                 (depth && loops ? rows->if_size : 0);
         const hd_result result = toy_compile(&toy, shader, &toy_ways[4]);
         assert_int_equal(result, wanted > TOY_STACK_SIZE ? HD_UNSUPPORTED : HD_OK);
         assert_int_equal(toy.mach.stack_depth, wanted);
         hd_shader_destroy(shader);
      }
   }
   must_refuse(nested(&config, TOY_STACK_SIZE + 1, false), &toy_ways[4], message,
               "control flow takes 41 entries of the stack, which has 40");
}

/* A branch that parts lanes, then so many blocks one after the other; the end and the block of the
 * edge there have numbers, too.
 */
static hd_shader *
chain(const hd_config *config, uint32_t num)
{
   hd_builder b = hd_builder_create_flat(config, HD_STAGE_COMPUTE, "chain");
   hd_block *end = hd_builder_add_block(&b), *next = hd_builder_add_block(&b);
   hd_shader *shader;

   hd_def *three = hd_imm_u32(&b, 3);
   hd_def *lane = hd_local_invocation_index(&b);
   hd_goto_if(&b, hd_ult(&b, lane, three), end, next);
   for (uint32_t n = 1; n < num; n++) {
      hd_seal_block(&b, next);
      hd_builder_set_block(&b, next);
      next = n + 1 < num ? hd_builder_add_block(&b) : end;
      hd_goto(&b, next);
   }
   hd_seal_block(&b, end);
   hd_builder_set_block(&b, end);
   hd_return(&b, NULL);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static void
numbers_have_16_bits(void **unused)
{
   char message[256] = "";
   const hd_config config = observe_config(message);
   toy_program toy = { 0 };

   (void)unused;
   hd_shader *shader = chain(&config, HD_MACH_NUMBER_ENDED - 1);
   assert_int_equal(toy_compile(&toy, shader, &toy_ways[0]), HD_OK);
   hd_shader_destroy(shader);
   must_refuse(chain(&config, HD_MACH_NUMBER_ENDED), &toy_ways[0], message,
               "lanes wait for 65536 blocks, expected at most 65535: block numbers have 16 bits");
}

/* A loop in which some lanes return, and which others leave. */
static hd_shader *
ending_in_loop(const hd_config *config)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "ending");
   hd_def *lane = hd_local_invocation_index(&b), *zero = hd_imm_u32(&b, 0);
   hd_shader *shader;

   hd_push_loop(&b);
   hd_push_if(&b, hd_ult(&b, lane, hd_imm_u32(&b, 3)));
   hd_return(&b, NULL);
   hd_pop_if(&b);
   hd_break_if(&b, hd_ult(&b, lane, hd_imm_u32(&b, 9)));
   hd_pop_loop(&b);
   hd_store_buffer(&b, lane, zero, zero,
                   &(hd_store_buffer_indices){ .binding = 2, .align_mul = 4 });
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static void
ends_of_lanes_are_refused(void **unused)
{
   char message[256] = "";
   const hd_config config = observe_config(message);
   program p = { 0 };
   crew c;
   toy_way way = toy_ways[5];

   (void)unused;
   assert_null(case_read(&p, &c, "1;2,3;4;; | bits=3 features=0 seed=1"));
   way.lower_returns = false;
   must_refuse(program_build(&p, &config), &way, message, "a lane that ends before others");

   /* In a loop, without a branch for those behind it: the same. */
   hd_mach_structured rows = *toy_ways[2].hooks.structured;
   rows.none = HD_MACH_OP_NONE;
   way = toy_ways[2];
   way.hooks.structured = &rows;
   must_refuse(ending_in_loop(&config), &way, message, "a lane that ends before others");
   hd_shader *shader = ending_in_loop(&config);
   toy_program toy = { 0 };
   assert_int_equal(toy_compile(&toy, shader, &toy_ways[2]), HD_OK);
   hd_shader_destroy(shader);
   graph_free(&p.graph);
   crew_free(&c);
}

static bool
lower_with_mask_phi(hd_mach_program *p)
{
   hd_mach_inst *phi = hd_mach_inst_create(p, HD_MACH_P_MASK_PHI, 1, 0);

   *hd_mach_def(phi, 0) =
       hd_mach_operand_temp(p, hd_mach_temp_create(p, TOY_S, 2, HD_MACH_TEMP_MASK));
   hd_mach_inst_insert_before(p->last, phi, p->last->first);
   return p->function->structured ? hd_mach_structured_flow(p) : hd_mach_linear(p);
}

static void
masks_are_refused(void **unused)
{
   char message[256] = "";
   const hd_config config = observe_config(message);

   (void)unused;
   for (unsigned n = 0; n <= 2; n += 2) {
      toy_way way = toy_ways[n];
      way.lower = lower_with_mask_phi;
      must_refuse(chain(&config, 3), &way, message,
                  "expected phis of numbers, found one of booleans");
   }
}

/* Memory */

static hd_result
compile_with(struct limited *l, const program *p, const toy_way *way)
{
   const hd_config config = limited_config(l);
   hd_shader *shader = program_build(p, &config);
   toy_program toy = { 0 };

   if (!shader)
      return HD_OUT_OF_MEMORY;
   const hd_result result = toy_compile(&toy, shader, way);
   hd_shader_destroy(shader);
   return result;
}

static void
failures_unwind(void **unused)
{
   program p = { 0 };
   crew c;

   (void)unused;
   assert_null(case_read(&p, &c, "1;2,3;4,1;4 wave;5,3;; | bits=6 features=7 seed=4"));
   for (unsigned way = 0; way < TOY_NUM_WAYS; way++) {
      struct limited all = { .left = SIZE_MAX };
      assert_int_equal(compile_with(&all, &p, &toy_ways[way]), HD_OK);
      const size_t requests = SIZE_MAX - all.left;
      for (size_t n = 0; n < requests; n += 1 + n / 8) {
         struct limited l = { .left = requests - 1 - n };
         assert_int_equal(compile_with(&l, &p, &toy_ways[way]), HD_OUT_OF_MEMORY);
         assert_int_equal(l.held, 0);
      }
   }
   graph_free(&p.graph);
   crew_free(&c);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs_run),          cmocka_unit_test(random_graphs_run),
      cmocka_unit_test(chosen_graphs_run),         cmocka_unit_test(uniform_branches_are_jumps),
      cmocka_unit_test(stack_depth_is_told),       cmocka_unit_test(numbers_have_16_bits),
      cmocka_unit_test(ends_of_lanes_are_refused), cmocka_unit_test(masks_are_refused),
      cmocka_unit_test(failures_unwind),
   };

   return cmocka_run_group_tests_name("machine/flows", tests, NULL, NULL);
}
