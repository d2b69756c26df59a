/* SPDX-License-Identifier: MIT */
/* same_tree.c - is a random tree that was made something else, and a tree again, what it was? */
#include "support/test.h"

#include "structurize/same_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "structurize/runs.h"
#include "structurize/shape.h"

static struct runs before, after;

random_tree_options
same_tree_options(uint64_t seed)
{
   return (random_tree_options){
      .few_values = seed % 4 == 0,
      .nodes = (unsigned)(seed % 3 * 10),
      .repeats = seed % 5 != 0,
      .uniform = seed % 7 < 3,
   };
}

void
same_tree_fail(uint64_t seed, const char *what, const hd_shader *tree, const hd_shader *again)
{
   fail_msg("seed %llu: %s in\n%s\nand\n%s", (unsigned long long)seed, what, runs_text(tree),
            again ? runs_text(again) : "");
}

void
same_tree_runs(hd_shader *tree, hd_shader *again, uint64_t seed)
{
   struct lane_words lanes;
   uint64_t random = seed;

   if (hd_validate(again, NULL) != HD_OK)
      same_tree_fail(seed, "not valid", tree, again);
   for (unsigned set = 0; set < 2; set++) {
      runs_lanes(&lanes, set ? 1 + (unsigned)(seed % 3) : 0, &random);
      runs_observe(tree, (hd_wave_launch){ 0 }, &lanes, false, &before);
      runs_observe(again, (hd_wave_launch){ 0 }, &lanes, false, &after);
      const char *difference = runs_differ(&before, &after);
      if (difference)
         same_tree_fail(seed, difference, tree, again);
   }
}

struct tree_size
tree_size_of(hd_function *f)
{
   struct tree_size size = { 0 };

   hd_require(f, HD_META_BLOCK_ORDER);
   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      if (!hd_block_is_reachable(b ? b : hd_node_prev_block(n)))
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

bool
tree_size_kept(struct tree_size before, struct tree_size after, bool code)
{
   return before.ifs == after.ifs && before.loops == after.loops && before.phis >= after.phis &&
          (!code || before.instrs == after.instrs);
}

bool
same_tree_adds_nothing(const hd_structurize_stats *s, bool code)
{
   return s->branches_before == s->branches_after && !s->selector_phis && !s->edge_phis &&
          !s->value_phis && !(code && (s->instructions || s->constants));
}

bool
same_tree_shape(hd_shader *tree, hd_shader *again, const hd_structurize_stats *stats, bool code,
                uint64_t seed)
{
   hd_function *f = tree->first_function, *g = again->first_function;
   const struct tree_size size = tree_size_of(f);

   hd_require(f, HD_META_CYCLES);
   if (size.loops != hd_function_num_cycles(f))
      return false;
   if (!same_tree_adds_nothing(stats, code))
      same_tree_fail(seed, "something was added", tree, again);
   if (!tree_size_kept(size, tree_size_of(g), code))
      same_tree_fail(seed, "another size", tree, again);
   char *shape = shape_of(f), *shape_again = shape_of(g);
   if (strcmp(shape, shape_again)) {
      printf("%s\n%s\n", shape, shape_again);
      same_tree_fail(seed, "another shape", tree, again);
   }
   free(shape);
   free(shape_again);
   return true;
}
