/* SPDX-License-Identifier: MIT */
/* test_motion.c - hd_check_motion: what corresponds, what is counted, and failing memory. Which
 * moves are illegal, and what is said of them, is in tests/motion; random programs in
 * tests/passes/test_motion.c.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/motion.h"
#include "heddle/text.h"

#include "support/memory.h"

/* Tests run in the folder of the sources. */
static hd_shader *
parse_file(const char *path, const hd_config *config)
{
   char text[8192];
   hd_shader *shader = NULL;
   FILE *file = fopen(path, "rb");

   assert_non_null(file);
   size_t size = fread(text, 1, sizeof(text), file);
   fclose(file);
   assert_int_equal(hd_parse(config, path, text, size, &shader), HD_OK);
   return shader;
}

static hd_shader *
parse_main(const char *body)
{
   char text[4096];
   hd_shader *shader = NULL;
   int size = snprintf(text, sizeof(text),
                       "shader compute \"t\" {\n workgroup 64 1 1\n shared 64\n function @main {\n"
                       "%s}\n}\n",
                       body);

   assert_int_equal(hd_parse(NULL, NULL, text, (size_t)size, &shader), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   return shader;
}

struct last {
   hd_motion why;
   unsigned num;
};

static void
keep(void *user, const hd_motion_fault *fault)
{
   struct last *last = user;

   last->why = fault->reason.why;
   last->num++;
   assert_non_null(fault->was);
   assert_non_null(fault->is);
   assert_non_null(fault->place);
   for (uint32_t n = 0; n < fault->num_tokens; n++)
      assert_true(!fault->tokens[n].source != !fault->tokens[n].branch);
}

static hd_motion_count
compare(const char *before, const char *after, hd_motion why)
{
   hd_shader *a = parse_main(before), *b = parse_main(after);
   struct last last = { HD_MOTION_LEGAL, 0 };
   hd_motion_count count;
   hd_result result = hd_check_motion(a, b, &last, keep, &count);

   assert_int_equal(result, why == HD_MOTION_LEGAL ? HD_OK : HD_INVALID);
   assert_int_equal(last.why, why);
   assert_int_equal(last.num, count.illegal);
   /* Nobody needs to hear. */
   assert_int_equal(hd_check_motion(a, b, NULL, NULL, NULL), result);
   hd_shader_destroy(a);
   hd_shader_destroy(b);
   return count;
}

#define VALUES "%z:32 = const 0\n%l:32 = subgroup_invocation\n%c:1 = ieq %l, %z\n"

/* Without a name anywhere: the graph is the same, and so is what is computed. */
static void
without_names(void **unused)
{
   hd_motion_count count;

   (void)unused;
   count = compare("b0:\n%0:32 = const 0\n%1:32 = subgroup_invocation\n%2:1 = ieq %1, %0\n"
                   "if %2 {\nb1:\n%3:1 = vote_any %2\n%4:32 = b2i %3\n"
                   "store_shared %4, %0 align_mul=4\n}\nb2:\n",
                   "b0:\n%0:32 = const 0\n%1:32 = subgroup_invocation\n%2:1 = ieq %1, %0\n"
                   "%3:1 = vote_any %2\n%4:32 = b2i %3\nif %2 {\nb1:\n"
                   "store_shared %4, %0 align_mul=4\n}\nb2:\n",
                   HD_MOTION_LANES);
   assert_int_equal(count.moved, 1);
   assert_int_equal(count.unknown, 0);
}

/* What becomes the same as another store is still itself: a load stays behind both. */
static void
stores_of_one_value(void **unused)
{
   hd_motion_count count;

   (void)unused;
   count = compare("b0:\n" VALUES "%y:32 = iadd %l, %z\n%w:32 = iadd %l, %z\n"
                   "store_shared %y, %z align_mul=4\nstore_shared %w, %z align_mul=4\n"
                   "%v:32 = load_shared %z align_mul=4\nstore_shared %v, %z align_mul=4 offset=4\n",
                   "b0:\n" VALUES "%w:32 = iadd %l, %z\n"
                   "store_shared %w, %z align_mul=4\nstore_shared %w, %z align_mul=4\n"
                   "%v:32 = load_shared %z align_mul=4\nstore_shared %v, %z align_mul=4 offset=4\n",
                   HD_MOTION_LEGAL);
   assert_int_equal(count.kept, 1);
   assert_int_equal(count.unordered, 0);
   /* And where it is not behind both any more, that is found. */
   count = compare("b0:\n" VALUES "%y:32 = iadd %l, %z\n%w:32 = iadd %l, %z\n"
                   "store_shared %y, %z align_mul=4\nstore_shared %w, %z align_mul=4\n"
                   "%v:32 = load_shared %z align_mul=4\nstore_shared %v, %z align_mul=4 offset=4\n",
                   "b0:\n" VALUES "%w:32 = iadd %l, %z\n"
                   "store_shared %w, %z align_mul=4\n%v:32 = load_shared %z align_mul=4\n"
                   "store_shared %w, %z align_mul=4\nstore_shared %v, %z align_mul=4 offset=4\n",
                   HD_MOTION_MEMORY);
   assert_int_equal(count.kept, 1);
}

/* The second vote has another condition now: what was the first of both is still there. */
static void
counts(void **unused)
{
   hd_motion_count count;

   (void)unused;
   count = compare("b0:\n" VALUES "%v:1 = vote_any %c\n%w:1 = vote_any %c\n"
                   "%x:32 = b2i %v\n%y:32 = b2i %w\nstore_shared %x, %y align_mul=4\n",
                   "b0:\n" VALUES "%v:1 = vote_any %c\n"
                   "%x:32 = b2i %v\n%y:32 = b2i %v\nstore_shared %x, %y align_mul=4\n",
                   HD_MOTION_LEGAL);
   assert_int_equal(count.kept, 1);
   assert_int_equal(count.merged, 1);
   /* The branch of the if reads what is left. */
   count = compare("b0:\n" VALUES "%v:1 = vote_any %c\nif %c {\nb1:\n%w:1 = vote_any %c\n"
                   "if %w {\nb2:\nstore_shared %z, %z align_mul=4\n}\nb3:\n}\nb4:\n"
                   "%x:32 = b2i %v\nstore_shared %x, %z align_mul=4\n",
                   "b0:\n" VALUES "%v:1 = vote_any %c\nif %c {\nb1:\n"
                   "if %v {\nb2:\nstore_shared %z, %z align_mul=4\n}\nb3:\n}\nb4:\n"
                   "%x:32 = b2i %v\nstore_shared %x, %z align_mul=4\n",
                   HD_MOTION_LANES);
   assert_int_equal(count.merged, 1);
   /* Of what is new and like nothing that is gone, nothing is known. */
   count = compare("b0:\n" VALUES, "b0:\n" VALUES "%v:1 = vote_any %c\n", HD_MOTION_LEGAL);
   assert_int_equal(count.unknown, 1);
   /* What is gone and was not needed did no harm. */
   count = compare("b0:\n" VALUES "%v:1 = vote_any %c\n", "b0:\n" VALUES, HD_MOTION_LEGAL);
   assert_int_equal(count.kept + count.moved + count.merged + count.unknown, 0);
   /* A block that was not there, with the lanes of one that was. */
   count = compare("b0 \"a\":\n" VALUES "if %c {\nb1 \"b\":\n}\nb2 \"c\":\n%v:1 = vote_any %c\n",
                   "b0 \"a\":\n" VALUES "if %c {\nb1:\n}\nb2:\n%v:1 = vote_any %c\n"
                   "if %c {\nb3:\n}\nb4:\n",
                   HD_MOTION_LEGAL);
   assert_int_equal(count.unknown, 0);
   /* And with lanes of which nothing is known. */
   count = compare("b0 \"a\":\n" VALUES "if %c {\nb1 \"b\":\n}\nb2 \"c\":\n%v:1 = vote_any %c\n",
                   "b0 \"a\":\n" VALUES "if %c {\nb1:\n%v:1 = vote_any %c\n}\nb2:\n"
                   "if %c {\nb3:\n}\nb4:\n",
                   HD_MOTION_LEGAL);
   assert_int_equal(count.unknown, 1);
}

/* Either shader may be the one whose memory runs out. */
static void
out_of_memory(void **unused)
{
   static const char *const pairs[] = { "fetch_in_both_arms", "select_of_fetches", "merged_votes",
                                        "equal_operand" };

   (void)unused;
   for (unsigned n = 0; n < 2 * sizeof(pairs) / sizeof(pairs[0]); n++) {
      char path[2][100];
      hd_result result = HD_OUT_OF_MEMORY;
      snprintf(path[0], sizeof(path[0]), "tests/motion/%s.hd", pairs[n / 2]);
      snprintf(path[1], sizeof(path[1]), "tests/motion/inputs/%s.hd", pairs[n / 2]);
      for (size_t left = 0; result == HD_OUT_OF_MEMORY; left++) {
         struct limited l = { .left = SIZE_MAX };
         hd_config config = limited_config(&l);
         hd_shader *before = parse_file(path[0], n % 2 ? &config : NULL);
         hd_shader *after = parse_file(path[1], n % 2 ? NULL : &config);
         l.left = left;
         result = hd_check_motion(before, after, NULL, NULL, NULL);
         l.left = SIZE_MAX;
         hd_shader_destroy(before);
         hd_shader_destroy(after);
         assert_int_equal(l.held, 0);
         assert_true(left < 10000);
      }
      assert_int_equal(result, HD_INVALID);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_names),
      cmocka_unit_test(stores_of_one_value),
      cmocka_unit_test(counts),
      cmocka_unit_test(out_of_memory),
   };

   return cmocka_run_group_tests_name("check/motion", tests, NULL, NULL);
}
