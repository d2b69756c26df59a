/* SPDX-License-Identifier: MIT */
/* test_construct.c - structured SPIR-V keeps the lanes of each of its blocks together: a tree that
 * is written as a module and read again does what it did, block by block, mask by mask, and
 * hd_structurize finds the same tree without a test or a phi of its own. Words of a module as locations.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/op_enum.h>
#include <heddle/spirv.h>

#include "gen/random_tree.h"
#include "spirv/spirv_grammar.h"
#include "structurize/same_tree.h"
#include "tree_words.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 250
#else
#define NUM_TREES 1500
#endif

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   unsigned all_repeat = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= num; seed++) {
      const random_tree_options options = same_tree_options(seed);
      const hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_structurize_stats stats;
      const hd_structurize_options structurize = { .stats = &stats };
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *again;
      tree_words words = tree_words_write(tree);
      hd_result result = hd_spirv_to_shader(words.words, words.num, NULL, &config, &again);

      free(words.words);
      if (result != HD_OK)
         same_tree_fail(seed, "not read", tree, NULL);
      memcpy(again->workgroup_size, tree->workgroup_size, sizeof(tree->workgroup_size));
      same_tree_runs(tree, again, seed);
      assert_int_equal(hd_structurize(again->first_function, &structurize), HD_OK);
      same_tree_runs(tree, again, seed);
      all_repeat += same_tree_shape(tree, again, &stats, false, seed);
      hd_shader_destroy(again);
      hd_shader_destroy(tree);
   }
   printf("%u trees, %u whose loops can all repeat\n", num, all_repeat);
   assert_true(all_repeat > num / 2);
}

/* The opcode of what becomes this op; 0: it may be of several. */
static unsigned
opcode_of(const hd_instr *i)
{
   if (!hd_instr_as_alu(i))
      return 0;
   switch (i->op) {
   case HD_OP_IADD:
      return SPV_OP_IADD;
   case HD_OP_IMUL:
      return SPV_OP_IMUL;
   case HD_OP_IAND:
      return SPV_OP_BITWISE_AND;
   case HD_OP_ULT:
      return SPV_OP_ULESS_THAN;
   default:
      return 0;
   }
}

/* hd_spirv_options.locate_words: where the module has what an instruction was made from. */
static void
words_are_locations(void **unused)
{
   const random_tree_options options = same_tree_options(1);
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   unsigned known = 0, all = 0;

   (void)unused;
   for (unsigned named = 0; named < 2; named++) {
      const hd_spirv_options located = { .locate_words = true,
                                         .file_name = named ? "tree.spv" : NULL };
      hd_shader *tree = random_tree_shader(NULL, 1, &options), *again, *plain;
      tree_words words = tree_words_write(tree);
      unsigned *seen = calloc(words.num, sizeof(*seen));
      bool *begins = calloc(words.num, sizeof(*begins));
      assert_true(seen && begins);
      for (size_t n = 5; n < words.num; n += words.words[n] >> 16)
         begins[n] = true;
      assert_int_equal(hd_spirv_to_shader(words.words, words.num, &located, &config, &again),
                       HD_OK);
      assert_int_equal(hd_spirv_to_shader(words.words, words.num, NULL, &config, &plain), HD_OK);
      assert_int_equal(plain->num_locations, 1);
      hd_foreach_block(b, again->first_function) {
         hd_foreach_instr(i, b) {
            const unsigned opcode = opcode_of(i);
            if (!i->loc)
               continue;
            const hd_location *at = &again->locations[i->loc];
            assert_string_equal(at->file, named ? "tree.spv" : "");
            assert_int_equal(at->column, 0);
            assert_in_range(at->line, 5, words.num - 1);
            assert_true(begins[at->line]);
            all++;
            /* Each word is one instruction of these. */
            if (opcode) {
               assert_int_equal(words.words[at->line] & 0xffff, opcode);
               assert_int_equal(seen[at->line]++, 0);
               known++;
            }
         }
      }
      free(begins);
      free(seen);
      free(words.words);
      hd_shader_destroy(plain);
      hd_shader_destroy(again);
      hd_shader_destroy(tree);
   }
   assert_true(known > 10 && all > known);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(random_trees),
                                       cmocka_unit_test(words_are_locations) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
