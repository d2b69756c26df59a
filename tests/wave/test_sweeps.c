/* SPDX-License-Identifier: MIT */
/* test_sweeps.c - which lanes run which block: all small graphs, with random declarations too, and
 * random trees, against judge.h. HEDDLE_ALL_GRAPHS=1 takes all graphs of four blocks.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "judge.h"
#include "programs.h"

/* Run it with many sets of lanes; how many runs there were. `num_bits` decisions are tried in all
 * ways by the first set.
 */
static void
compare(hd_shader *shader, struct lanes *lanes, uint64_t *state, unsigned num_sets)
{
   static struct runs want, got;
   hd_function *f = shader->first_function;

   for (unsigned n = 0; n < num_sets; n++) {
      lanes->num = n == 0 ? 64 : n == 1 ? 1 : 1 + next_random(state, 127);
      for (unsigned l = 0; l < lanes->num; l++) {
         lanes->words[l] = n == 0 ? l | (l * 0x9e37u & 0xffc0) : next_random(state, 65536);
      }
      const unsigned width = lanes->num + next_random(state, 129 - lanes->num);
      judge(f, lanes, &want);
      const hd_wave_launch how = { .lanes = width, .seed = n % 3 == 2 ? n : 0 };
      const hd_result result = observe_lanes(shader, lanes, &how, &got);
      if (result != HD_OK && result != HD_BUDGET_EXCEEDED)
         fail_msg("%s in\n%s", hd_result_name(result), text);
      if (result == HD_OK && want.cut)
         fail_msg("ended, but not for the judge:\n%s", text);
      const uint32_t block = lanes_differ(f, &want, &got);
      if (block != UINT32_MAX)
         fail_msg("block of index %u, %u lanes, set %u, in\n%s", block, lanes->num, n, text);
   }
}

static unsigned num_declared;

static void
try_graph(const struct graph *g, uint64_t *state, unsigned sets)
{
   static struct lanes lanes;

   for (int n = 1; n <= g->num; n++)
      lanes.later[n] = g->list[n].num == 2 && first_is_nearer(g, n);
   put_graph(g, NULL);
   hd_shader *shader = parse_quietly();
   assert_non_null(shader);
   compare(shader, &lanes, state, sets);
   hd_shader_destroy(shader);

   for (unsigned n = 0; n < 4; n++) {
      put_graph(g, state);
      shader = parse_quietly();
      if (!shader)
         continue;
      num_declared++;
      compare(shader, &lanes, state, 2);
      hd_shader_destroy(shader);
   }
}

static void
try_small(const struct graph *g, void *user)
{
   try_graph(g, user, 6);
}

static void
small_graphs(void **unused)
{
   uint64_t state = 11;

   (void)unused;
   assert_int_equal(all_graphs(1, 1, try_small, &state), 4);
   assert_int_equal(all_graphs(2, 1, try_small, &state), 45);
   assert_int_equal(all_graphs(3, 1, try_small, &state), 816);
   assert_int_equal(all_graphs(4, getenv("HEDDLE_ALL_GRAPHS") ? 1 : 23, try_small, &state), 20225);
   printf("%u with valid declarations\n", num_declared);
   assert_true(num_declared > 500);
}

/* Larger ones, where cycles are three deep and more. */
static void
random_graphs(void **unused)
{
   uint64_t state = 5;

   (void)unused;
   for (unsigned n = 0; n < 300; n++) {
      struct graph g = { .num = 5 + (int)next_random(&state, 2) };
      for (int b = 1; b <= g.num; b++) {
         const int first = 1 + (int)next_random(&state, (uint32_t)g.num + 1);
         const int second = 1 + (int)next_random(&state, (uint32_t)g.num + 1);
         g.list[b] = (struct succ_list){ first == second ? 1 : 2, { first, second } };
      }
      try_graph(&g, &state, 4);
   }
}

/* Trees */

static unsigned num_blocks;

static unsigned
put_block(void)
{
   if (num_blocks)
      put("b%u:\n", num_blocks);
   return num_blocks++;
}

static void put_list(uint64_t *state, unsigned depth, bool in_loop, bool in_continue);

/* After the block that was put last; decided there. */
static void
put_if(uint64_t *state, unsigned block, unsigned depth, bool in_loop, bool in_continue,
       const char *first_jump)
{
   put_decision(block, true);
   put("if %%c%u {\n", block);
   if (first_jump) {
      put_block();
      put("%s\n", first_jump);
   } else {
      put_list(state, depth, in_loop, in_continue);
   }
   put("} else {\n");
   put_list(state, depth, in_loop, in_continue);
   put("}\n");
}

static void
put_list(uint64_t *state, unsigned depth, bool in_loop, bool in_continue)
{
   unsigned block = put_block();
   const unsigned nodes = depth && num_blocks < 200 ? next_random(state, 3) : 0;

   for (unsigned n = 0; n < nodes; n++) {
      if (next_random(state, 3)) {
         put_if(state, block, depth - 1, in_loop, in_continue, NULL);
      } else {
         put("loop {\n");
         const unsigned head = put_block();
         /* A way out, so that most loops end. */
         put_if(state, head, depth - 1, true, false, "break");
         put_block();
         put("} continue {\n");
         const unsigned latch = put_block();
         if (next_random(state, 2)) {
            put_if(state, latch, 0, true, true, next_random(state, 2) ? "break" : NULL);
            put_block();
         }
         put("}\n");
      }
      block = put_block();
   }
   const unsigned jump = next_random(state, 8);
   if (depth >= 4)
      return;
   if (jump == 0 && in_loop && depth < 3)
      put("break\n");
   else if (jump == 1 && in_loop && !in_continue && depth < 3)
      put("continue\n");
   else if (jump == 2)
      put("return\n");
}

static void
random_trees(void **unused)
{
   uint64_t state = 3;
   unsigned run = 0;

   (void)unused;
   for (unsigned n = 0; n < 600; n++) {
      static struct lanes lanes;
      put_head(false);
      num_blocks = 0;
      put_list(&state, 4, false, false);
      put("}\n}\n");
      hd_shader *shader = parse_quietly();
      if (!shader)
         continue;
      hd_foreach_block(b, shader->first_function)
         lanes.later[b->node.index] = true;
      compare(shader, &lanes, &state, 4);
      hd_shader_destroy(shader);
      run++;
   }
   printf("%u trees\n", run);
   assert_true(run > 300);
}

/* Two loops with one and the same graph: what stands before the way out belongs to the loop, or to
 * what comes after it. Lane n leaves in round n.
 */
static void
same_graph(void **unused)
{
   static struct runs got;
   static struct lanes lanes = { .num = 4 };

   (void)unused;
   for (unsigned inside = 0; inside < 2; inside++) {
      unsigned times = 0, last = 0;
      length = 0;
      put("shader compute \"t\" {\nflat function @main {\n b0:\n%%zero:32 = const 0\n"
          "%%one:32 = const 1\n%%l:32 = subgroup_invocation\ngoto b1\n b1:\n"
          "%%n:32 = phi b0: %%zero, b2: %%m\n%%c:1 = ule %%l, %%n\ngoto_if %%c, b3, b2\n b2:\n"
          "%%m:32 = iadd %%n, %%one\ngoto b1\n b3%s:\ngoto b4\n b4:\nreturn\n}\n}\n",
          inside ? " in b1" : "");
      hd_shader *shader = parse_quietly();
      assert_non_null(shader);
      assert_int_equal(observe_lanes(shader, &lanes, &(hd_wave_launch){ .lanes = 8 }, &got), HD_OK);
      hd_function *f = shader->first_function;
      hd_block *way_out = hd_block_prev(hd_list_last_block(&f->body));
      for (unsigned n = 0; n < got.num; n++) {
         if (got.run[n].block != way_out->node.index)
            continue;
         assert_int_equal(got.run[n].mask.word[0], inside ? 1u << times : 15);
         times++;
         last = n;
      }
      assert_int_equal(times, inside ? 4 : 1);
      /* After it comes the return alone, with all lanes in both. */
      assert_int_equal(last + 2, got.num);
      assert_int_equal(got.run[last + 1].mask.word[0], 15);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(random_trees),
      cmocka_unit_test(same_graph),
   };

   return cmocka_run_group_tests_name("wave/sweeps", tests, NULL, NULL);
}
