/* SPDX-License-Identifier: MIT */
/* test_freeze_undefined.c - what the interpreter calls undefined, but no unknown value can change, is no
 * difference; what an unknown value changes is one.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/text.h"

#include "support/heard.h"
#include "support/memory.h"

/* A body in which %lane is the invocation, %at 4 times that, %u and %v undefined. */
static hd_shader *
parse(const hd_config *config, const char *body)
{
   const hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   char text[2000];

   const int length = snprintf(
       text, sizeof(text),
       "shader compute \"t\" {\n shared 256\n function @main {\n b0:\n %%zero:32 = const 0\n"
       "%%one:32 = const 1\n%%four:32 = const 4\n%%lane:32 = global_invocation_index\n"
       "%%at:32 = imul %%lane, %%four\n%%u:32 = undef\n%%v:32 = undef\n%s }\n}\n",
       body);
   assert_int_equal(hd_parse(config ? config : &loud, "t", text, (size_t)length, &shader), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   return shader;
}

/* `words`: what must be said, NULL where they do the same. */
static void
expect(const char *before, const char *after, const char *words)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *a = parse(NULL, before), *b = parse(NULL, after);
   const hd_result result = hd_compare(a, b, NULL, &sink);

   hd_shader_destroy(a);
   hd_shader_destroy(b);
   if (result != (words ? HD_INVALID : HD_OK) || (words && !strstr(heard.all, words)) ||
       (!words && heard.count))
      fail_msg("%s, '%s', wanted '%s'; before\n%safter\n%s", hd_result_name(result), heard.all,
               words ? words : "", before, after);
}

/* These passes change it, and it stays what it was. */
static void
expect_right(const char *body, const char *passes)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *before = parse(NULL, body), *after = NULL;
   hd_pass_list list = { 0 };
   bool progress = false;

   assert_int_equal(hd_pass_list_parse(&list, passes, sink), HD_OK);
   assert_int_equal(hd_shader_clone(before, NULL, &after), HD_OK);
   assert_int_equal(hd_run_passes(after, list.steps, list.num_steps, NULL, &progress), HD_OK);
   assert_true(progress);
   if (hd_compare(before, after, NULL, &sink) != HD_OK || heard.count)
      fail_msg("%s: '%s' in\n%s", passes, heard.all, body);
   hd_pass_list_finish(&list);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
}

#define STORE(value) "store_buffer " value ", %zero, %at\n"

/* Lane 0 says false; nobody knows of the others. */
#define SAYS                                                                                       \
   "%l:32 = local_invocation_index\n%x:32 = subgroup_invocation\nstore_shared %zero, %zero\n"      \
   "barrier exec_scope=workgroup\n%s:32 = load_shared %x\n%c:1 = ine %s, %zero\n"

#define OPPOSITE                                                                                   \
   "%n:1 = inot %c\n%b:32x4 = ballot %n\n%two:32 = const 2\n%three:32 = const 3\n"                 \
   "%b0:32 = channel %b, %zero\n%b1:32 = channel %b, %one\n%b2:32 = channel %b, %two\n"            \
   "%b3:32 = channel %b, %three\n%d:32 = ior %b0, %b1\n%e:32 = ior %b2, %b3\n%f:32 = ior %d, %e\n"

static void
test_votes(void **unused)
{
   static const char vote[] = SAYS "%r:1 = vote_all %c\n%w:32 = b2i %r\n" STORE("%w");
   static const char none[] = SAYS OPPOSITE "%r:1 = ieq %f, %zero\n%w:32 = b2i %r\n" STORE("%w");
   /* That of lane 0 is left out. */
   static const char wrong[] = SAYS OPPOSITE "%g:32 = const -2\n%h:32 = iand %b0, %g\n"
                                             "%k:32 = ior %h, %e\n%m:32 = ior %k, %b1\n"
                                             "%r:1 = ieq %m, %zero\n%w:32 = b2i %r\n" STORE("%w");

   (void)unused;
   expect(vote, none, NULL);
   expect(vote, wrong, "00000000 before, ???????? after");
   expect(
       vote, wrong,
       "where undef_value 0xffffffffffffffff settles all that is undefined: buffer 0.0.0, word at");
   expect_right(vote, "lower_subgroup");
}

static void
test_bits(void **unused)
{
   static const char small[] = "%z:16 = const 0\n%y:16 = undef\n%m:32 = const 0x3f0000\n"
                               "%k:16 = u2u %m\n%r:16 = bitselect %k, %y, %z\n" STORE("%r");

   (void)unused;
   expect_right(small, "lower_small_ints");
   expect("%m:32 = const 0xff\n%a:32 = iand %lane, %m\n" STORE("%a"),
          "%m:32 = const 0xff00\n%n:32 = const 0xff\n%a:32 = bitselect %m, %u, %lane\n"
          "%b:32 = iand %a, %n\n" STORE("%b"),
          NULL);
   expect(STORE("%lane"), "%a:32 = iadd %u, %lane\n%b:32 = isub %a, %u\n" STORE("%b"), NULL);
   /* One bit too many is let through. */
   expect("%m:32 = const 0xff\n%a:32 = iand %lane, %m\n" STORE("%a"),
          "%m:32 = const 0xff80\n%n:32 = const 0xff\n%a:32 = bitselect %m, %u, %lane\n"
          "%b:32 = iand %a, %n\n" STORE("%b"),
          "where undef_value 0xffffffffffffffff settles all that is undefined: buffer 0.0.0, word");
   /* Two unknown values are not one. */
   expect(STORE("%zero"), "%a:32 = isub %u, %v\n" STORE("%a"), "settles all");
   expect(STORE("%zero"), "%a:32 = iadd %u, %zero\n" STORE("%a"),
          "00000000 before, ???????? after");
   expect("%a:32 = iand %u, %zero\n" STORE("%a"), "%a:32 = iadd %u, %zero\n" STORE("%a"),
          "settles all");
}

/* A number that is wrong is wrong at once, whatever is undefined beside it. */
static void
test_defined(void **unused)
{
   (void)unused;
   expect("store_buffer %lane, %zero, %at binding=1\n" STORE("%lane"),
          "store_buffer %u, %zero, %at binding=1\n" STORE("%one"), "before, ");
   expect("store_buffer %lane, %zero, %at binding=1\n" STORE("%lane"),
          "store_buffer %one, %zero, %at binding=1\n%a:32 = iadd %u, %lane\n"
          "%b:32 = isub %a, %u\n" STORE("%b"),
          "00000000 before, 00000001 after");
}

static void
test_ends(void **unused)
{
   static const char zero[] = "%c:1 = ieq %lane, %zero\n" STORE("%lane");
#define BRANCH(condition)                                                                          \
   condition "if %c {\n b1:\n" STORE("%lane") "} else {\n b2:\n" STORE("%one") "}\nb3:\n"

   (void)unused;
   /* It can branch one way only. */
   expect(zero,
          BRANCH("%a:32 = ixor %u, %u\n%b:32 = iadd %a, %u\n%d:32 = isub %b, %u\n"
                 "%c:1 = ieq %d, %zero\n"),
          NULL);
   expect(zero, BRANCH("%c:1 = ieq %u, %zero\n"),
          "it does not end as before: a branch on an undefined value");
   expect(zero, BRANCH("%c:1 = ieq %u, %zero\n"), "where undef_value 0xffffffffffffffff settles");
   /* Both ways do the same. */
   expect(STORE("%lane"),
          "%c:1 = ieq %u, %zero\nif %c {\n b1:\n" STORE("%lane") "} else {\n b2:\n" STORE(
              "%lane") "}\nb3:\n",
          NULL);
   expect(STORE("%lane"), "%a:32 = iadd %at, %u\nstore_buffer %lane, %zero, %a\n",
          "an undefined address");
   expect(STORE("%lane"),
          "%a:32 = iadd %at, %u\n%b:32 = isub %a, %u\nstore_buffer %lane, %zero, %b\n", NULL);
   /* What no number helps. */
   expect(STORE("%lane"), STORE("%lane") "%k:32 = const 256\n%a:32 = load_shared %k\n",
          "where undef_value 0x0 settles all that is undefined: reads 4 bytes at address 256");
   expect(STORE("%lane"), "%k:32 = iand %u, %zero\n%c:1 = ieq %k, %u\n" BRANCH(""), "settles");
}

/* The cost is that of all runs. */
static void
test_cost(void **unused)
{
   const hd_diff_test_options one = { .num_launches = 1 };
   hd_shader *before = parse(NULL, STORE("%lane"));
   hd_shader *after = parse(NULL, "%a:32 = iadd %u, %lane\n%b:32 = isub %a, %u\n" STORE("%b"));
   hd_wave_stats cost;
   hd_diff_test *trial;

   (void)unused;
   assert_int_equal(hd_diff_test_create(before, &one, &trial), HD_OK);
   assert_int_equal(hd_diff_test_compare(trial, before, NULL, &cost), HD_OK);
   const uint64_t once = cost.blocks;
   assert_int_equal(hd_diff_test_compare(trial, after, NULL, &cost), HD_OK);
   assert_int_equal(cost.blocks, 9 * once);
   /* The launch is what it was. */
   assert_int_equal(hd_diff_test_compare(trial, before, NULL, &cost), HD_OK);
   assert_int_equal(cost.blocks, once);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
}

/* Memory that runs out in any of the runs is said to, and no difference. */
static void
test_out_of_memory(void **unused)
{
   static const char *const bodies[2] = {
      "%a:32 = iadd %u, %lane\n%b:32 = isub %a, %u\n" STORE("%b"),
      STORE("%u"),
   };
   const hd_result wanted[2] = { HD_OK, HD_INVALID };
   const hd_diff_test_options one = { .num_launches = 1 };

   (void)unused;
   for (unsigned k = 0; k < 2; k++) {
      struct limited l = { .left = SIZE_MAX };
      const hd_config config = limited_config(&l);
      hd_shader *before = parse(&config, STORE("%lane")), *after = parse(&config, bodies[k]);
      hd_diff_test *trial;
      hd_result result = HD_OUT_OF_MEMORY;
      unsigned failed = 0;
      assert_int_equal(hd_diff_test_create(before, &one, &trial), HD_OK);
      for (; result == HD_OUT_OF_MEMORY; failed++) {
         l.left = failed;
         result = hd_diff_test_compare(trial, after, NULL, NULL);
         l.left = SIZE_MAX;
      }
      assert_int_equal(result, wanted[k]);
      assert_true(failed > 3);
      hd_diff_test_destroy(trial);
      hd_shader_destroy(before);
      hd_shader_destroy(after);
      assert_int_equal(l.held, 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_votes),   cmocka_unit_test(test_bits),
      cmocka_unit_test(test_defined), cmocka_unit_test(test_ends),
      cmocka_unit_test(test_cost),    cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests_name("compare/settle", tests, NULL, NULL);
}
