/* SPDX-License-Identifier: MIT */
/* test_round_trip.c - a tree made flat and structured again is the tree that it was.
 *
 * Where every loop can repeat: nothing is added, and the shape is the same (shape.h). Always: the
 * masks of all blocks that log, what lanes carry, and a second round trip changes nothing at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "gen/random_shader.h"
#include "gen/random_tree.h"
#include "runs.h"
#include "shape.h"
#include "support/forms.h"
#include "uniform.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 600
#else
#define NUM_TREES 4000
#endif

static struct runs before, after;

struct size {
   unsigned ifs, loops, instrs, phis;
};

struct uniform_counts {
   unsigned branches, values;
};

/* Of what can be reached; jumps are not counted. */
static struct size
size_of(hd_function *f)
{
   struct size size = { 0 };

   hd_require(f, HD_META_BLOCK_ORDER);
   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      if (!hd_block_is_reachable(b ? b : hd_node_block_before(n)))
         continue;
      size.ifs += n->kind == HD_CF_IF;
      size.loops += n->kind == HD_CF_LOOP;
      if (!b)
         continue;
      hd_foreach_instr(i, b) {
         size.phis += i->kind == HD_INSTR_PHI;
         size.instrs += i->kind != HD_INSTR_PHI && i->kind != HD_INSTR_JUMP;
      }
   }
   return size;
}

static void
complain(uint64_t seed, const char *what, const hd_shader *tree, const hd_shader *again)
{
   fail_msg("seed %llu: %s in\n%s\nand\n%s", (unsigned long long)seed, what, runs_text(tree),
            runs_text(again));
}

static void
compare_runs(hd_shader *tree, hd_shader *again, uint64_t seed)
{
   struct lane_words lanes;
   uint64_t random = seed;

   for (unsigned set = 0; set < 2; set++) {
      runs_lanes(&lanes, set ? 1 + (unsigned)(seed % 3) : 0, &random);
      runs_observe(tree, (hd_wave_launch){ 0 }, &lanes, false, &before);
      runs_observe(again, (hd_wave_launch){ 0 }, &lanes, false, &after);
      const char *difference = runs_differ(&before, &after);
      if (difference)
         complain(seed, difference, tree, again);
   }
}

static void
round_trip(hd_shader *shader, hd_structurize_stats *stats, uint64_t seed)
{
   const hd_structurize_options options = { .stats = stats };
   hd_function *f = shader->first_function;

   assert_int_equal(hd_unstructure(f), HD_OK);
   assert_int_equal(hd_structurize(f, &options), HD_OK);
   if (hd_validate(shader, NULL) != HD_OK)
      complain(seed, "not valid", shader, shader);
}

static bool
adds_nothing(const hd_structurize_stats *s)
{
   return s->branches_before == s->branches_after && !s->selector_phis && !s->edge_phis &&
          !s->value_phis && !s->instructions && !s->constants;
}

/* Of phis that never carry something both there may be one afterwards instead of two. */
static bool
same_size(struct size before, struct size after)
{
   return before.ifs == after.ifs && before.loops == after.loops && before.instrs == after.instrs &&
          before.phis >= after.phis;
}

/* Branches that do not diverge, and values that do not differ. */
static struct uniform_counts
count_uniform(hd_function *f)
{
   struct uniform u = uniform_of(f);
   struct uniform_counts counts = { 0 };

   for (uint32_t n = 0; n < u.num_blocks; n++)
      counts.branches += u.block[n];
   for (uint32_t n = 0; n < u.num_defs; n++)
      counts.values += u.def[n];
   uniform_free(&u);
   return counts;
}

/* Masks, size, shape, and what is uniform. */
static bool
compare_trees(hd_shader *tree, hd_shader *again, const hd_structurize_stats *stats, uint64_t seed)
{
   hd_function *f = tree->first_function, *g = again->first_function;
   const struct size size = size_of(f);

   compare_runs(tree, again, seed);
   hd_require(f, HD_META_CYCLES);
   if (size.loops != hd_function_num_cycles(f))
      return false;
   if (!adds_nothing(stats))
      complain(seed, "something was added", tree, again);
   if (!same_size(size, size_of(g)))
      complain(seed, "another size", tree, again);
   const struct uniform_counts uniform = count_uniform(f), uniform_again = count_uniform(g);
   if (uniform.branches != uniform_again.branches || uniform.values != uniform_again.values)
      complain(seed, "what is uniform differs", tree, again);
   char *shape = shape_of(f), *shape_again = shape_of(g);
   if (strcmp(shape, shape_again)) {
      printf("%s\n%s\n", shape, shape_again);
      complain(seed, "another shape", tree, again);
   }
   free(shape);
   free(shape_again);
   return true;
}

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   unsigned all_repeat = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= num; seed++) {
      const random_tree_options options = {
         .few_values = seed % 4 == 0,
         .nodes = (unsigned)(seed % 3 * 10),
         .repeats = seed % 5 != 0,
         .uniform = seed % 7 < 3,
      };
      hd_structurize_stats stats;
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *again;
      assert_int_equal(hd_shader_clone(tree, NULL, &again), HD_OK);
      round_trip(again, &stats, seed);
      all_repeat += compare_trees(tree, again, &stats, seed);

      hd_blob once = text_of(again);
      round_trip(again, &stats, seed);
      hd_blob twice = text_of(again);
      if (once.size != twice.size || memcmp(once.data, twice.data, once.size))
         fail_msg("seed %llu: the second time other text:\n%.*s\nand\n%.*s",
                  (unsigned long long)seed, (int)once.size, (const char *)once.data,
                  (int)twice.size, (const char *)twice.data);
      hd_blob_finish(&once);
      hd_blob_finish(&twice);
      hd_shader_destroy(again);
      hd_shader_destroy(tree);
   }
   printf("%u trees, %u whose loops can all repeat\n", num, all_repeat);
   assert_true(all_repeat > num / 2);
}

/* Everything that IR can hold: values of all types, calls, unreachable code, flat functions as
 * front ends build them. What is structured comes back in one go, and stays.
 */
static void
random_shaders(void **unused)
{
   unsigned num_trees = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 200; seed++) {
      hd_shader *shader = random_shader(NULL, seed, NULL);
      hd_blob text[3];
      for (unsigned n = 0; n < 3; n++) {
         hd_foreach_function(f, shader) {
            hd_structurize_stats stats;
            const hd_structurize_options options = { .stats = &stats };
            num_trees += f->structured && n == 0;
            assert_int_equal(hd_unstructure(f), HD_OK);
            assert_int_equal(hd_structurize(f, &options), HD_OK);
            if (n && !adds_nothing(&stats))
               complain(seed, "something was added the second time", shader, shader);
         }
         if (hd_validate(shader, NULL) != HD_OK)
            complain(seed, "not valid", shader, shader);
         assert_sound(shader);
         text[n] = text_of(shader);
      }
      if (text[1].size != text[2].size || memcmp(text[1].data, text[2].data, text[1].size))
         complain(seed, "the second round trip gave other text", shader, shader);
      for (unsigned n = 0; n < 3; n++)
         hd_blob_finish(&text[n]);
      hd_shader_destroy(shader);
   }
   printf("%u structured functions\n", num_trees);
   assert_true(num_trees > 100);
}

/* 10,000 levels of ifs and loops, and 10,000 ifs one after the other, in time. */
static void
large_trees(void **unused)
{
   const unsigned size = 10000;

   (void)unused;
   for (unsigned deep = 0; deep < 2; deep++) {
      hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "large");
      hd_def *cond = hd_ieq(&b, hd_subgroup_invocation(&b), hd_imm_u32(&b, 7));
      hd_shader *shader = NULL;
      for (unsigned n = 0; n < size; n++) {
         if (n % 2) {
            hd_push_loop(&b);
            hd_break_if(&b, cond);
            if (!deep)
               hd_pop_loop(&b);
         } else {
            hd_push_if(&b, cond);
            if (!deep)
               hd_pop_if(&b);
         }
      }
      for (unsigned n = size; deep && n-- > 0;) {
         if (n % 2)
            hd_pop_loop(&b);
         else
            hd_pop_if(&b);
      }
      assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
      hd_function *f = shader->first_function;
      const struct size size_before = size_of(f);
      hd_structurize_stats stats;
      const hd_structurize_options options = { .stats = &stats };
      const clock_t start = clock();
      assert_int_equal(hd_unstructure(f), HD_OK);
      const clock_t middle = clock();
      assert_int_equal(hd_structurize(f, &options), HD_OK);
      const clock_t end = clock();
      assert_true(adds_nothing(&stats));
      assert_true(same_size(size_before, size_of(f)));
      printf("%s: to gotos in %.3f s, back in %.3f s\n", deep ? "deep" : "long",
             (double)(middle - start) / CLOCKS_PER_SEC, (double)(end - middle) / CLOCKS_PER_SEC);
      assert_true((end - start) / CLOCKS_PER_SEC < 5);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
      cmocka_unit_test(random_shaders),
      cmocka_unit_test(large_trees),
   };

   return cmocka_run_group_tests_name("structurize/round_trip", tests, NULL, NULL);
}
