/* SPDX-License-Identifier: MIT */
/* test_exec_mask.c - exec masks: what shapes of control flow cost, and that they do what they mean.
 *
 * HEDDLE_SEEDS is how many random trees there are, HEDDLE_FIRST_SEED which is the first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/program.h"
#include "backend/gcn/trial.h"
#include "gen/random_tree.h"
#include "heddle/gcn_sim.h"
#include "heddle/text.h"
#include "heddle/walk.h"

/* All that the pipeline gcn does, but that arms stay arms. */
#define PASSES                                                                                     \
   "lower_switch,lower_structurize,opt_vars_split,opt_vars_to_ssa,opt_sccp,opt_dead_cf,"           \
   "opt_algebraic,opt_phi,opt_cse,opt_dce,opt_if,opt_jump,opt_dead_cf,opt_algebraic,opt_phi,"      \
   "opt_cse,opt_gcm,opt_algebraic,opt_cse,opt_dce,lower_small_ints,lower_vectors,opt_algebraic,"   \
   "opt_cse,opt_late,"                                                                             \
   "opt_offsets,opt_gcm,opt_dce,lower_exit_phis"
#define FLAT_PASSES                                                                                \
   "lower_switch,lower_unstructure,opt_vars_split,opt_vars_to_ssa,lower_small_ints,opt_late,opt_"  \
   "dce,"                                                                                          \
   "lower_reconverge,lower_exit_phis"

/* Shapes */

#define MAX_BLOCKS 12

/* Blocks by their successors; -1: none. Each computes; where it has two it branches on that. */
static const struct shape {
   const char *name;
   unsigned llvm; /* instructions that touch exec in what LLVM 19 makes of the same at -O2 */
   unsigned num;
   int succs[MAX_BLOCKS][2];
} shapes[] = {
   { "if", 2, 3, { { 1, 2 }, { 2, -1 }, { -1, -1 } } },
   { "if and else", 4, 4, { { 1, 2 }, { 3, -1 }, { 3, -1 }, { -1, -1 } } },
   { "four nested ifs",
     11,
     9,
     { { 1, 8 },
       { 2, 7 },
       { 3, 6 },
       { 4, 5 },
       { 5, -1 },
       { 6, -1 },
       { 7, -1 },
       { 8, -1 },
       { -1, -1 } } },
   { "chain of else-ifs",
     19,
     10,
     { { 1, 2 },
       { 9, -1 },
       { 3, 4 },
       { 9, -1 },
       { 5, 6 },
       { 9, -1 },
       { 7, 8 },
       { 9, -1 },
       { 9, -1 },
       { -1, -1 } } },
   { "loop", 9, 4, { { 1, -1 }, { 2, 3 }, { 1, -1 }, { -1, -1 } } },
   { "break and continue",
     15,
     7,
     { { 1, -1 }, { 2, 6 }, { 5, 3 }, { 6, 4 }, { 5, -1 }, { 1, -1 }, { -1, -1 } } },
   { "break out of two loops",
     39,
     10,
     { { 1, -1 },
       { 2, 9 },
       { 3, -1 },
       { 4, 7 },
       { 9, 5 },
       { 6, 7 },
       { 3, -1 },
       { 8, -1 },
       { 1, -1 },
       { -1, -1 } } },
   { "return in nested ifs", 10, 5, { { 1, 4 }, { 2, 3 }, { -1, -1 }, { 4, -1 }, { -1, -1 } } },
   { "return in a loop",
     21,
     6,
     { { 1, -1 }, { 2, 5 }, { 3, 4 }, { -1, -1 }, { 1, -1 }, { -1, -1 } } },
   { "goto into a loop", 15, 4, { { 1, 2 }, { 2, -1 }, { 1, 3 }, { -1, -1 } } },
   { "two gotos that overlap", 6, 4, { { 1, 2 }, { 2, 3 }, { 3, -1 }, { -1, -1 } } },
   { "three gotos that overlap",
     14,
     6,
     { { 1, 3 }, { 2, 4 }, { 3, 5 }, { 4, -1 }, { 5, -1 }, { -1, -1 } } },
   { "loop with two entries", 14, 4, { { 1, 2 }, { 2, 3 }, { 1, 3 }, { -1, -1 } } },
   { "open tree", 10, 5, { { 1, -1 }, { 2, 3 }, { 4, -1 }, { 1, 2 }, { -1, -1 } } },
   { "(a && b) || c", 16, 6, { { 1, 2 }, { 3, 2 }, { 3, 4 }, { 5, -1 }, { 5, -1 }, { -1, -1 } } },
};

#define NUM_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

static const char *
write_shape(text *t, const struct shape *s)
{
   unsigned v = 9;

   say(t, "shader compute {\n workgroup 64 1 1\n subgroup 64\n flat function @main {\n"
          "  var $x:32\n  var $n:32\n  b0:\n"
          "   %%1:32 = local_invocation_index\n   %%2:32 = const 2\n   %%3:32 = ishl %%1, %%2\n"
          "   %%4:32 = const 0\n   %%5:32 = load_buffer %%4, %%3 align_mul=4\n"
          "   store_var $x, %%5\n   store_var $n, %%4\n");
   for (unsigned b = 0; b < s->num; b++) {
      const int *to = s->succs[b];
      if (b)
         say(t, "  b%u:\n", b);
      say(t, "   %%%u:32 = load_var $x\n   %%%u:32 = const %u\n   %%%u:32 = imul %%%u, %%%u\n", v,
          v + 1, 3 + 2 * b, v + 2, v, v + 1);
      say(t, "   %%%u:32 = const %u\n   %%%u:32 = iadd %%%u, %%%u\n   store_var $x, %%%u\n", v + 3,
          1000 + b, v + 4, v + 2, v + 3, v + 4);
      if (to[1] >= 0) {
         /* Which way depends on what was computed, and in the end on how often. */
         say(t, "   %%%u:32 = load_var $n\n   %%%u:32 = const 1\n   %%%u:32 = iadd %%%u, %%%u\n",
             v + 5, v + 6, v + 7, v + 5, v + 6);
         say(t, "   store_var $n, %%%u\n   %%%u:32 = const 28\n   %%%u:32 = ushr %%%u, %%%u\n",
             v + 7, v + 8, v + 9, v + 4, v + 8);
         say(t, "   %%%u:32 = iadd %%%u, %%%u\n   %%%u:32 = const 8\n", v + 10, v + 9, v + 5,
             v + 11);
         /* Small numbers stay in loops, of which they grow out. */
         bool stays = to[0] <= (int)b || to[1] == (int)s->num - 1;
         say(t, "   %%%u:1 = ult %%%u, %%%u\n   goto_if %%%u, b%d, b%d\n", v + 12, v + 10, v + 11,
             v + 12, to[!stays], to[stays]);
      } else if (to[0] >= 0) {
         say(t, "   goto b%d\n", to[0]);
      } else {
         say(t, "   store_buffer %%%u, %%4, %%3 binding=1 align_mul=4\n   return\n", v + 4);
      }
      v += 20;
   }
   say(t, " }\n}\n");
   return said(t);
}

static hd_gcn_stats
stats_of(const char *shader)
{
   hd_shader *s = NULL;
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;

   if (getenv("HEDDLE_SHOW"))
      print_message("%s\n", shader);
   assert_int_equal(hd_parse(NULL, NULL, shader, strlen(shader), &s), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(s, NULL, &abi), HD_OK);
   const hd_gcn_options options = {
      .target = HD_GCN_GFX900, .passes = PASSES, .abi = HD_GCN_ABI_DRIVER, .driver = abi
   };
   assert_int_equal(hd_gcn_compile(s, &options, &binary), HD_OK);
   hd_gcn_stats stats = binary->stats;
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(s, abi);
   hd_shader_destroy(s);
   return stats;
}

/* The row of LLVM is a bound, not what is made: nobody may need more. */
static void
test_shapes_cost_no_more(void **state)
{
   (void)state;
   text t = { 0 };
   unsigned sum = 0, llvm = 0;

   hd_blob_init(&t, NULL);
   for (size_t n = 0; n < NUM_SHAPES; n++) {
      const hd_gcn_stats stats = stats_of(write_shape(&t, &shapes[n]));
      print_message("%-26s exec %2u (LLVM %2u), %2u writes, %2u branches, %3u in all\n",
                    shapes[n].name, stats.exec_reads, shapes[n].llvm, stats.exec_writes,
                    stats.branches, stats.instructions);
      assert_in_range(stats.exec_reads, 1, shapes[n].llvm);
      sum += stats.exec_reads;
      llvm += shapes[n].llvm;
   }
   print_message("in all: %u, LLVM %u\n", sum, llvm);
   assert_true(sum * 4 <= llvm * 3);
   hd_blob_finish(&t);
}

static const hd_gcn_skip skips[] = { HD_GCN_SKIP_COST, HD_GCN_SKIP_ALWAYS, HD_GCN_SKIP_NEVER };

static void
test_shapes_do_the_same(void **state)
{
   (void)state;
   text t = { 0 };

   hd_blob_init(&t, NULL);
   for (size_t n = 0; n < NUM_SHAPES; n++) {
      const char *shader = write_shape(&t, &shapes[n]);
      for (unsigned k = 0; k < 4; k++) {
         const trial_options options = {
            .compile = { .passes = k < 3 ? PASSES : FLAT_PASSES,
                         .skip = skips[k % 3],
                         .lowering = k < 3 ? HD_GCN_LOWERING_TREE : HD_GCN_LOWERING_RECONVERGING },
            .num_launches = 4,
         };
         must_do_the_same(shader, (hd_gcn_gen)((n + k) % HD_GCN_NUM_GENS), &options);
      }
   }
   hd_blob_finish(&t);
}

/* Two arms of two instructions each, with all branches: from the compare to where exec is restored
 * there are no more instructions than AMD's guide to Southern Islands needs for the same.
 */
static void
test_two_arms(void **state)
{
   (void)state;
   static const char shader[] =
       "shader compute {\n workgroup 64 1 1\n subgroup 64\n function @main {\n  b0:\n"
       "   %1:32 = local_invocation_index\n   %2:32 = const 2\n   %3:32 = ishl %1, %2\n"
       "   %4:32 = const 0\n   %5:32 = load_buffer %4, %3 align_mul=4\n"
       "   %6:32 = load_buffer %4, %3 align_mul=4 offset=1024\n   %7:1 = flt %6, %5\n"
       "   if %7 {\n b1:\n %8:32 = fsub %5, %6\n %9:32 = fmul %8, %5\n } else {\n b2:\n"
       "   %10:32 = fsub %6, %5\n %11:32 = fmul %10, %6\n }\n b3:\n"
       "   %12:32 = phi b1: %9, b2: %11\n"
       "   store_buffer %12, %4, %3 binding=1 align_mul=4\n }\n}\n";
   hd_shader *s = NULL;
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   unsigned num = 0;

   assert_int_equal(hd_parse(NULL, NULL, shader, strlen(shader), &s), HD_OK);
   assert_int_equal(hd_gcn_sim_abi_create(s, NULL, &abi), HD_OK);
   const hd_gcn_options options = { .target = HD_GCN_GFX600,
                                    .passes = "opt_dce",
                                    .skip = HD_GCN_SKIP_ALWAYS,
                                    .abi = HD_GCN_ABI_DRIVER,
                                    .driver = abi,
                                    .keep_text = true };
   assert_int_equal(hd_gcn_compile(s, &options, &binary), HD_OK);
   const char *at = strstr(binary->text, "v_cmp_");
   const char *end = strstr(binary->text, "s_mov_b64 exec,");
   assert_non_null(at);
   assert_true(end > at);
   assert_int_equal(binary->stats.branches, 2);
   for (num = 1; (at = strchr(at, '\n')) && at < end; at++)
      num += at[1] == ' ';
   assert_in_range(num, 10, 11);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(s, abi);
   hd_shader_destroy(s);
}

/* Random trees */

static uint64_t
number(const char *name, uint64_t otherwise)
{
   const char *text = getenv(name);

   return text ? strtoull(text, NULL, 0) : otherwise;
}

/* Without lanes in a list, with one, with all: decisions are random, so launches have all of them.
 */
static void
test_random_trees(void **state)
{
   (void)state;
   const uint64_t first = number("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number("HEDDLE_SEEDS", 60);

   for (uint64_t seed = first; seed < first + num; seed++) {
      const random_tree_options how = {
         .nodes = 1 + seed % 12, .ends = true, .uniform = seed % 3 == 0, .repeats = seed % 2
      };
      hd_shader *shader = random_tree_shader(NULL, seed, &how);
      assert_non_null(shader);
      shader->subgroup_size = 64;
      shader->workgroup_size[0] = 64;
      hd_blob text_of_it;
      hd_blob_init(&text_of_it, NULL);
      assert_int_equal(hd_print_shader(shader, NULL, &text_of_it), HD_OK);
      const trial_options options = {
         .compile = { .passes = "opt_vars_to_ssa,opt_dce,lower_exit_phis",
                      .skip = skips[seed % 3],
                      .max_sgprs = seed % 5 ? 0 : 32,
                      .verify_regalloc = true },
         .seed = seed,
         .num_launches = 4,
      };
      print_message("tree %llu\n", (unsigned long long)seed);
      must_do_the_same(text_of_it.data, (hd_gcn_gen)(seed / 3 % HD_GCN_NUM_GENS), &options);
      hd_blob_finish(&text_of_it);
      hd_shader_destroy(shader);
   }
}

/* Size */

/* So many ifs or loops in each other. */
static const char *
write_nest(text *t, unsigned depth, bool loops, unsigned scratch)
{
   say(t,
       "shader compute {\n workgroup 64 1 1\n subgroup 64\n scratch %u\n function @main {\n  b0:\n"
       "   %%1:32 = local_invocation_index\n   %%2:32 = const 2\n   %%3:32 = ishl %%1, %%2\n"
       "   %%4:32 = const 0\n   %%5:32 = load_buffer %%4, %%3 align_mul=4\n",
       scratch);
   for (unsigned n = 0; n < depth; n++) {
      say(t, "   %%%u:32 = const %u\n   %%%u:1 = ult %%5, %%%u\n", 10 + 2 * n, 7 * n + 1,
          11 + 2 * n, 10 + 2 * n);
      if (loops)
         say(t, "loop {\n bl%u:\n if %%%u {\n bb%u:\n break\n } else {\n be%u:\n }\n bi%u:\n", n,
             11 + 2 * n, n, n, n);
      else
         say(t, "if %%%u {\n bt%u:\n", 11 + 2 * n, n);
   }
   say(t, "store_buffer %%1, %%4, %%3 binding=1 align_mul=4\n");
   for (unsigned n = depth; n-- > 0;)
      say(t,
          loops ? "break\n } continue {\n bc%u:\n }\n ba%u:\n" : "} else {\n bc%u:\n }\n ba%u:\n",
          n, n);
   say(t, "store_buffer %%5, %%4, %%3 binding=2 align_mul=4\n }\n}\n");
   return said(t);
}

static void
test_deep_nests(void **state)
{
   (void)state;
   text t = { 0 };
   const trial_options options = { .compile = { .passes = "opt_dce" }, .num_launches = 2 };

   hd_blob_init(&t, NULL);
   must_do_the_same(write_nest(&t, 300, false, 0), HD_GCN_GFX900, &options);
   must_do_the_same(write_nest(&t, 300, true, 0), HD_GCN_GFX600, &options);
   hd_blob_finish(&t);
}

/* Masks that neither scalar registers nor lanes of vector registers have room for. */
static void
test_masks_in_memory(void **state)
{
   (void)state;
   text t = { 0 };
   trial_options options = {
      .compile = { .passes = "opt_dce", .max_sgprs = 32, .max_vgprs = 12, .verify_regalloc = true },
      .num_launches = 4
   };

   hd_blob_init(&t, NULL);
   for (unsigned n = 0; n < 4; n++)
      must_do_the_same(write_nest(&t, 130, n % 2, n / 2 ? 5000 : 0),
                       (hd_gcn_gen)(n % HD_GCN_NUM_GENS), &options);
   options.compile.max_vgprs = 8;
   must_do_the_same_everywhere(write_nest(&t, 80, true, 0), &options);
   options.compile.passes = "opt_dce,lower_unstructure,lower_reconverge,lower_exit_phis";
   options.compile.lowering = HD_GCN_LOWERING_RECONVERGING;
   must_do_the_same(write_nest(&t, 80, true, 0), HD_GCN_GFX803, &options);
   hd_blob_finish(&t);
}

/* An arm of so many instructions, in a loop: branches over it and back are too far for one. */
static void
test_far_branches(void **state)
{
   (void)state;
   const unsigned num = 18000;
   text t = { 0 };
   const trial_options options = { .compile = { .passes = "opt_dce", .no_schedule = true },
                                   .num_launches = 2 };

   hd_blob_init(&t, NULL);
   say(&t, "shader compute {\n workgroup 64 1 1\n subgroup 64\n function @main {\n  b0:\n"
           "   %%1:32 = local_invocation_index\n   %%2:32 = const 2\n   %%3:32 = ishl %%1, %%2\n"
           "   %%4:32 = const 0\n   %%5:32 = load_buffer %%4, %%3 align_mul=4\n"
           "   %%6:32 = const 3\n   %%7:32 = const 0x12345\n   %%8:32 = const 1\n   loop {\n b1:\n"
           "   %%9:32 = phi b0: %%4, b5: %%11\n   %%12:32 = phi b0: %%5, b5: %%13\n"
           "   %%11:32 = iadd %%9, %%8\n   %%14:32 = iand %%5, %%6\n   %%15:1 = ult %%14, %%9\n"
           "   if %%15 {\n b2:\n break\n } else {\n b3:\n");
   unsigned last = 12;
   for (unsigned n = 0; n < num; n++) {
      say(&t, "   %%%u:32 = %s %%%u, %%%u\n", 20 + n, n % 2 ? "ixor" : "iadd", last,
          n % 3 ? 7 : 11);
      last = 20 + n;
   }
   say(&t,
       "   }\n b4:\n   } continue {\n b5:\n %%13:32 = phi b4: %%%u\n }\n b6:\n"
       "   store_buffer %%12, %%4, %%3 binding=1 align_mul=4\n }\n}\n",
       last);
   must_do_the_same(said(&t), HD_GCN_GFX900, &options);
   hd_blob_finish(&t);
}

/* The walk */

static bool
odd_first(void *user, const hd_if *nif)
{
   (void)user;
   return hd_node_prev_block(&nif->node)->node.index % 2;
}

/* It meets each block once and each node's events in their order, whichever list comes first. */
static void
test_walk(void **state)
{
   (void)state;
   for (uint64_t seed = 1; seed < 40; seed++) {
      hd_shader *shader = random_tree_shader(NULL, seed, NULL);
      hd_function *f = shader->first_function;
      hd_function_reindex(f);
      unsigned *met = calloc(f->num_blocks + 1, sizeof(*met));
      unsigned blocks = 0, depth = 0;
      hd_walk walk = { .else_first = seed % 2 ? odd_first : NULL };

      assert_non_null(met);
      hd_walk_begin(&walk, f);
      do {
         switch (walk.event) {
         case HD_WALK_BLOCK:
            assert_int_equal(met[walk.node->index]++, 0);
            blocks++;
            break;
         case HD_WALK_IF:
         case HD_WALK_LOOP:
            depth++;
            break;
         case HD_WALK_ELSE:
         case HD_WALK_CONTINUE:
            assert_true(depth);
            break;
         case HD_WALK_END_IF:
         case HD_WALK_END_LOOP:
            assert_true(depth--);
            break;
         }
      } while (hd_walk_next(&walk));
      assert_int_equal(depth, 0);
      hd_foreach_block(b, f)
         blocks--;
      assert_int_equal(blocks, 0);
      free(met);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walk),
      cmocka_unit_test(test_shapes_cost_no_more),
      cmocka_unit_test(test_shapes_do_the_same),
      cmocka_unit_test(test_two_arms),
      cmocka_unit_test(test_random_trees),
      cmocka_unit_test(test_deep_nests),
      cmocka_unit_test(test_masks_in_memory),
      cmocka_unit_test(test_far_branches),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
