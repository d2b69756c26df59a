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

#include <cmocka.h>

#include "gen/random_tree.h"
#include "runs.h"
#include "shape.h"
#include "support/forms.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 600
#else
#define NUM_TREES 4000
#endif

static struct runs before, after;

struct size {
   unsigned ifs, loops, instrs, phis;
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

static bool
same_size(struct size a, struct size b)
{
   return a.ifs == b.ifs && a.loops == b.loops && a.instrs == b.instrs && a.phis == b.phis;
}

/* Masks, size, shape. */
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
   };

   return cmocka_run_group_tests_name("structurize/round_trip", tests, NULL, NULL);
}
