/* SPDX-License-Identifier: MIT */
/* test_reconverge.c - all small graphs, and random ones with declarations, before hd_reconverge by
 * sweeps and after it on one pc: every lane must do the same, and every block run with the same
 * masks. HEDDLE_ALL_GRAPHS=1 takes all graphs of four blocks.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/memory.h"
#include "../wave/programs.h"
#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/structurize.h"
#include "runs.h"

#define MAX_BLOCKS 10

/* How a graph becomes a program. */
struct program {
   const struct graph *graph;
   unsigned uniform;  /* bit n: all lanes decide alike in block n */
   bool halts;        /* the exit halts */
   uint64_t *declare; /* declare something at random */
   bool as_switch;    /* decisions are switches of up to three targets */
};

struct maker {
   hd_builder b;
   hd_ssa_var *count, *mix;
   hd_def *zero, *one, *sixteen, *at, *word, *common;
};

static void
store(struct maker *m, uint32_t binding, hd_def *value)
{
   const hd_store_buffer_indices indices = { .binding = binding, .align_mul = 4 };

   hd_store_buffer(&m->b, value, m->zero, m->at, &indices);
}

static void
begin(struct maker *m)
{
   const hd_load_buffer_indices indices = { .align_mul = 4 };
   hd_builder *b = &m->b;

   *b = hd_builder_create_flat(NULL, HD_STAGE_COMPUTE, "test");
   b->shader->workgroup_size[0] = 0;
   m->count = hd_ssa_var_create(b, 1, 32);
   m->mix = hd_ssa_var_create(b, 1, 32);
   m->zero = hd_imm_u32(b, 0);
   m->one = hd_imm_u32(b, 1);
   m->sixteen = hd_imm_u32(b, 16);
   b->shader->workgroup_size[1] = b->shader->workgroup_size[2] = 1;
   hd_def *four = hd_imm_u32(b, 4);
   m->at = hd_imul(b, hd_subgroup_invocation(b), four);
   m->word = hd_load_buffer(b, m->zero, m->at, 1, 32, &indices);
   m->common = hd_load_buffer(b, m->zero, m->zero, 1, 32, &indices);
   hd_ssa_write(b, m->count, m->zero);
   hd_ssa_write(b, m->mix, m->one);
}

/* The lane's next decision; `later` once its bits are used up. Or that of all lanes in block n. */
static hd_def *
decide(struct maker *m, bool later, bool uniform, int n)
{
   hd_builder *b = &m->b;

   if (uniform)
      return hd_ine(b, hd_iand(b, hd_ushr(b, m->common, hd_imm_u32(b, 6 + (uint32_t)n)), m->one),
                    m->zero);
   hd_def *k = hd_ssa_read(b, m->count);
   hd_ssa_write(b, m->count, hd_iadd(b, k, m->one));
   hd_def *bit = hd_ine(b, hd_iand(b, hd_ushr(b, m->word, k), m->one), m->zero);
   hd_def *otherwise = hd_imm_bool(b, later);
   return hd_select(b, hd_ult(b, k, m->sixteen), bit, otherwise);
}

/* Block n of a graph: it logs its number and goes on. */
static void
make_block(struct maker *m, const struct program *p, hd_block **block, int n)
{
   hd_builder *b = &m->b;
   const struct succ_list *l = &p->graph->list[n];

   hd_builder_set_block(b, block[n]);
   hd_def *number = hd_imm_u32(b, (uint32_t)n);
   store(m, 1, number);
   hd_def *prime = hd_imm_u32(b, 0x01000193);
   hd_def *mixed = hd_imul(b, hd_ssa_read(b, m->mix), prime);
   hd_ssa_write(b, m->mix, hd_iadd(b, mixed, number));
   if (n > p->graph->num) {
      store(m, 2, hd_ssa_read(b, m->mix));
      if (p->halts)
         hd_halt(b);
      else
         hd_return(b, NULL);
   } else if (l->num == 1) {
      hd_goto(b, block[l->succ[0]]);
   } else if (p->as_switch) {
      const uint64_t values[3] = { 1, 5, 2 };
      hd_block *targets[3] = { block[l->succ[1]], block[l->succ[0]], block[p->graph->num + 1] };
      hd_def *c = decide(m, !first_is_nearer(p->graph, n), p->uniform >> n & 1, n);
      hd_def *d = decide(m, true, p->uniform >> n & 1, n + 1);
      hd_def *second = hd_select(b, d, m->one, m->zero);
      hd_def *selector = hd_iadd(b, hd_select(b, c, m->one, m->zero), second);
      hd_switch(b, selector, block[l->succ[0]], 3, values, targets);
   } else {
      hd_def *c = decide(m, first_is_nearer(p->graph, n), p->uniform >> n & 1, n);
      hd_goto_if(b, c, block[l->succ[0]], block[l->succ[1]]);
   }
}

static void
declare_at_random(const struct program *p, hd_block **block)
{
   const uint32_t num = (uint32_t)p->graph->num;

   for (int n = 1; n <= p->graph->num; n++) {
      block[n]->node.header = next_random(p->declare, 4) == 0;
      if (next_random(p->declare, 3) == 0)
         block[n]->loop_header = block[1 + next_random(p->declare, num)];
      if (next_random(p->declare, 5) == 0)
         block[n]->continues = block[1 + next_random(p->declare, num)];
   }
}

static hd_shader *
make_shader(const struct program *p)
{
   struct maker m;
   hd_block *block[MAX_BLOCKS];
   hd_shader *shader = NULL;

   begin(&m);
   for (int n = 1; n <= p->graph->num + 1; n++)
      block[n] = hd_builder_add_block(&m.b);
   hd_goto(&m.b, block[1]);
   for (int n = 1; n <= p->graph->num + 1; n++)
      make_block(&m, p, block, n);
   assert_int_equal(hd_builder_finish(&m.b, &shader), HD_OK);
   if (p->declare)
      declare_at_random(p, block);
   return shader;
}

static unsigned num_declared, num_changed;

static void
fail_with(const char *what, const hd_shader *before, const hd_shader *after)
{
   printf("%s\n%s\n%s\n", what, runs_text(before), runs_text(after));
   fail_msg("%s, after:\n%s", what, runs_text(after));
}

static void
try_program(const struct program *p, hd_reconverge_order order, uint64_t *random, unsigned sets)
{
   static struct runs want, got;
   static struct lane_words lanes;
   hd_shader *before = make_shader(p), *after;
   hd_reconverge_options options = { .order = order };

   if (p->declare && hd_validate(before, NULL) != HD_OK) {
      hd_shader_destroy(before);
      return;
   }
   num_declared += p->declare != NULL;
   assert_int_equal(hd_shader_clone(before, NULL, &after), HD_OK);
   hd_function *f = after->first_function;
   hd_structurize_stats stats;
   options.stats = &stats;
   const hd_result result = hd_reconverge(f, &options);
   if (result != HD_OK || hd_validate(after, NULL) != HD_OK)
      fail_with(hd_result_name(result), before, after);
   num_changed += stats.blocks != 0;
   for (unsigned n = 0; n < sets; n++) {
      runs_lanes(&lanes, n, random);
      runs_observe(before, (hd_wave_launch){ .mode = HD_WAVE_SWEEP }, &lanes, false, &want);
      runs_observe(after, (hd_wave_launch){ .mode = HD_WAVE_ONE_PC }, &lanes, false, &got);
      const char *what =
          got.result != want.result && got.message[0] ? got.message : runs_differ(&want, &got);
      if (what)
         fail_with(what, before, after);
   }
   hd_shader_destroy(before);
   hd_shader_destroy(after);
}

static void
try_graph(const struct graph *g, void *user)
{
   uint64_t *random = user;
   const hd_reconverge_order order = next_random(random, 4);
   const unsigned all = (1u << (g->num + 2)) - 1;

   try_program(&(struct program){ .graph = g }, order, random, 6);
   try_program(&(struct program){ .graph = g, .uniform = next_random(random, all + 1) }, order,
               random, 4);
   try_program(&(struct program){ .graph = g, .uniform = all, .halts = true }, order, random, 2);
   try_program(&(struct program){ .graph = g,
                                  .as_switch = true,
                                  .uniform = next_random(random, 3) ? 0 : 2 },
               order, random, 4);
   for (unsigned n = 0; n < 3; n++)
      try_program(&(struct program){ .graph = g, .declare = random }, order, random, 3);
}

static void
small_graphs(void **unused)
{
   uint64_t random = 21;

   (void)unused;
   assert_int_equal(all_graphs(1, 1, try_graph, &random), 4);
   assert_int_equal(all_graphs(2, 1, try_graph, &random), 45);
   assert_int_equal(all_graphs(3, 1, try_graph, &random), 816);
   assert_int_equal(all_graphs(4, getenv("HEDDLE_ALL_GRAPHS") ? 1 : 149, try_graph, &random),
                    20225);
   printf("%u with valid declarations, %u changed\n", num_declared, num_changed);
   assert_true(num_declared > 500 && num_changed > 1000);
}

/* A switch, a cycle with several entries and exits, and two returns. */
static const char tangled[] =
    "shader compute {\nflat function @main {\n"
    "b0:\n%l:32 = local_invocation_index\n%1:32 = const 1\n%2:1 = ieq %l, %1\n"
    "switch %l, b1 [1: b2, 2: b3, 5: b2]\n"
    "b1:\n%3:32 = phi b0: %l, b2: %4\ngoto_if %2, b2, b4\n"
    "b2:\n%4:32 = phi b0: %1, b1: %3, b3: %l\n%5:1 = ult %4, %1\ngoto_if %5, b1, b3\n"
    "b3:\n%6:32 = phi b0: %l, b2: %4\n%7:1 = ult %6, %l\ngoto_if %7, b2, b5\n"
    "b4:\nreturn\n"
    "b5:\nreturn\n}\n}\n";

/* Each request for memory refused once, and each budget of steps: nothing has changed then, and
 * nothing is lost.
 */
static void
nothing_left(void **unused)
{
   struct limited limited = { .left = SIZE_MAX };
   const hd_config config = limited_config(&limited);
   bool done = false;
   unsigned failures = 0;

   (void)unused;
   for (size_t n = 0; !done; n++) {
      hd_shader *shader = NULL;
      assert_int_equal(hd_parse(&config, "test", tangled, sizeof(tangled) - 1, &shader), HD_OK);
      char *before = runs_text(shader);
      limited.left = n;
      const hd_result result = hd_reconverge(shader->first_function, NULL);
      limited.left = SIZE_MAX;
      assert_int_equal(hd_validate(shader, NULL), HD_OK);
      char *after = runs_text(shader);
      done = result == HD_OK;
      failures += !done;
      assert_true(done || result == HD_OUT_OF_MEMORY);
      assert_int_equal(strcmp(before, after) != 0, done);
      free(before);
      free(after);
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
   }
   assert_true(failures > 3);
}

static void
few_steps(void **unused)
{
   unsigned failures = 0;

   (void)unused;
   for (uint64_t steps = 1; steps < 4000; steps += 1 + steps / 16) {
      hd_shader *shader = NULL, *limited = NULL;
      assert_int_equal(hd_parse(NULL, "test", tangled, sizeof(tangled) - 1, &shader), HD_OK);
      const hd_config config = { .budget = { .steps = steps } };
      if (hd_shader_clone(shader, &config, &limited) == HD_OK) {
         char *before = runs_text(shader);
         const hd_result result = hd_reconverge(limited->first_function, NULL);
         assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
         failures += result != HD_OK;
         hd_shader *copy = NULL;
         assert_int_equal(hd_shader_clone(limited, &(hd_config){ 0 }, &copy), HD_OK);
         char *after = runs_text(copy);
         assert_int_equal(strcmp(before, after) != 0, result == HD_OK);
         free(before);
         free(after);
         hd_shader_destroy(copy);
         hd_shader_destroy(limited);
      }
      hd_shader_destroy(shader);
   }
   assert_true(failures > 3);
}

/* What is wrong with the input is told, and it stays as it is. */
static void
bad_input(void **unused)
{
   hd_shader *shader = NULL;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "test", tangled, sizeof(tangled) - 1, &shader), HD_OK);
   hd_function *f = shader->first_function;
   hd_block *const two[] = { hd_function_start(f), hd_function_start(f) };
   char *before = runs_text(shader);
   hd_block *more = hd_flat_block_create(f);

   assert_non_null(more);
   assert_int_equal(hd_reconverge(f, NULL), HD_INVALID);
   assert_true(hd_flat_halt(more) != NULL);
   assert_int_equal(hd_reconverge(f, &(hd_reconverge_options){ .blocks = two, .num_blocks = 2 }),
                    HD_INVALID);
   assert_int_equal(hd_flat_block_remove(more), true);
   char *after = runs_text(shader);
   assert_string_equal(before, after);
   assert_int_equal(hd_reconverge(f, NULL), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   free(before);
   free(after);
   hd_shader_destroy(shader);
}

/* A function that reconverges but does not keep the sweep: b2 sends lanes back to b1 while others
 * wait in b3, which is in the cycle. With keep_reconverging it is left alone.
 */
static void
kept(void **unused)
{
   static const char source[] =
       "shader compute {\nflat function @main {\n"
       "b0:\n%l:32 = local_invocation_index\n%1:32 = const 1\ngoto b1\n"
       "b1:\n%n:32 = phi b0: %l, b2: %m, b3: %m\n%m:32 = ushr %n, %1\ngoto b2\n"
       "b2:\n%a:1 = ult %m, %1\ngoto_if %a, b3, b1\n"
       "b3:\n%b:1 = ult %l, %1\ngoto_if %b, b1, b4\n"
       "b4:\nreturn\n}\n}\n";
   hd_shader *shader = NULL;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "test", source, sizeof(source) - 1, &shader), HD_OK);
   hd_function *f = shader->first_function;
   hd_structurize_stats stats;
   char *before = runs_text(shader);

   assert_int_equal(
       hd_reconverge(f, &(hd_reconverge_options){ .keep_reconverging = true, .stats = &stats }),
       HD_OK);
   char *after = runs_text(shader);
   assert_string_equal(before, after);
   assert_int_equal(stats.blocks, 0);
   assert_int_equal(stats.branches_after, 2);
   assert_int_equal(hd_reconverge(f, &(hd_reconverge_options){ .stats = &stats }), HD_OK);
   assert_int_equal(stats.blocks, 1);
   assert_int_equal(stats.branches_after, 2);
   assert_int_equal(hd_require(f, HD_META_DIVERGENCE | HD_META_POST_DOMINANCE), HD_OK);
   assert_true(hd_function_is_reconverging(f) && hd_function_keeps_sweep(f));
   free(before);
   free(after);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_left), cmocka_unit_test(few_steps),    cmocka_unit_test(bad_input),
      cmocka_unit_test(kept),         cmocka_unit_test(small_graphs),
   };

   return cmocka_run_group_tests_name("structurize/reconverge", tests, NULL, NULL);
}
