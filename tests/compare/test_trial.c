/* SPDX-License-Identifier: MIT */
/* test_trial.c - what two shaders leave in memory is told apart where it must be, and nowhere else;
 * in every kind of memory, with words that name the place.
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

/* A shader of a stage with this body: lane is the invocation, at is 4 times that. */
static hd_shader *
parse(const hd_config *config, const char *stage, const char *body)
{
   static const char *const lanes[] = { "vertex_index", "primitive_id", "global_invocation_index" };
   const char *lane = lanes[!strcmp(stage, "vertex") ? 0 : !strcmp(stage, "fragment") ? 1 : 2];
   const hd_config loud = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   char text[2000];

   const bool grid = lane == lanes[2];
   const int length = snprintf(
       text, sizeof(text),
       "shader %s \"t\" {\n%s  scratch 16\n  function @main {\n    b0:\n      %%zero:32 = const 0\n"
       "      %%one:32 = const 1\n      %%four:32 = const 4\n      %%lane:32 = %s\n"
       "      %%at:32 = imul %%lane, %%four\n%s  }\n}\n",
       stage, grid ? "  shared 1024\n" : "", lane, body);
   assert_int_equal(hd_parse(config ? config : &loud, "t", text, (size_t)length, &shader), HD_OK);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   return shader;
}

/* `words`: what must be said, NULL where they do the same. */
static void
expect(const char *stage, const char *before, const char *after, const char *words)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *a = parse(NULL, stage, before), *b = parse(NULL, stage, after);
   const hd_result result = hd_compare(a, b, NULL, &sink);

   hd_shader_destroy(a);
   hd_shader_destroy(b);
   if (result != (words ? HD_INVALID : HD_OK) || (words && !strstr(heard.all, words)) ||
       (!words && heard.count))
      fail_msg("%s: %s, '%s', wanted '%s'; before\n%safter\n%s", stage, hd_result_name(result),
               heard.all, words ? words : "", before, after);
   if (words)
      assert_true(strstr(heard.all, "workgroups of") && strstr(heard.all, "lanes"));
}

#define STORE(value) "      store_buffer " value ", %zero, %at\n"

static void
test_values(void **unused)
{
   (void)unused;
   expect("compute", STORE("%lane"), "%x:32 = iadd %lane, %zero\n" STORE("%x"), NULL);
   expect("compute", STORE("%lane"), "%x:32 = ior %lane, %one\n" STORE("%x"),
          "buffer 0.0.0, word at byte 0: 00000000 before, 00000001 after");
   /* Only the last of the lanes. */
   expect("compute", STORE("%lane"),
          "%k:32 = const 63\n%c:1 = ieq %lane, %k\n%x:32 = select %c, %one, %lane\n" STORE("%x"),
          "word at byte 252: 0000003f before, 00000001 after");
   expect("compute", STORE("%lane"), "", "buffer 0.0.0, word at byte 0");
   expect("compute", STORE("%lane"), STORE("%lane") "store_buffer %one, %zero, %at offset=2048\n",
          "word at byte 2048");
}

static void
test_undefined(void **unused)
{
   static const char undef[] = "%u:32 = undef\n" STORE("%u");

   (void)unused;
   expect("compute", undef, STORE("%lane"), NULL);
   expect("compute", undef, undef, NULL);
   expect("compute", STORE("%lane"), undef, "00000000 before, ???????? after");
   /* One byte of four. */
   expect("compute", STORE("%lane"),
          STORE("%lane") "%u:8 = undef\nstore_buffer %u, %zero, %at offset=1\n",
          "00000000 before, 0000??00 after");
}

static void
test_places(void **unused)
{
   (void)unused;
   expect("compute", "store_buffer %lane, %one, %at set=2 binding=3\n",
          "store_buffer %zero, %one, %at set=2 binding=3\n", "buffer 2.3.1, word at byte 4:");
   expect("compute",
          "%p:64 = const 0x10000\n%o:64 = u2u %at\n%a:64 = iadd %p, %o\nstore_global %lane, %a\n",
          "%p:64 = const 0x10000\n%o:64 = u2u %at\n%a:64 = iadd %p, %o\nstore_global %zero, %a\n",
          "global memory, word at byte 4:");
   expect("compute", "image_store %lane, %zero, %lane, %zero, %zero binding=7 dim=buffer\n",
          "image_store %zero, %zero, %lane, %zero, %zero binding=7 dim=buffer\n",
          "image 0.7.0, word at byte 16:");
   expect("vertex", "store_output %lane, %zero location=1\n",
          "store_output %zero, %zero location=1\n", "outputs, word at byte");
   expect("fragment", "%d:32 = u2f %lane\nstore_depth %d\n", "%d:32 = u2f %zero\nstore_depth %d\n",
          "what store_depth has, word at byte");
   /* What nobody sees in the end is not compared. */
   expect("compute", "store_scratch %lane, %zero\n", "", NULL);
   expect("compute",
          "%l:32 = local_invocation_index\n%a:32 = imul %l, %four\nstore_shared %l, %a\n", "",
          NULL);
}

/* What samples and interpolates is given images, samplers and vertices. */
static void
test_images(void **unused)
{
   static const char sampled[] =
       "%w:32x2 = barycentric\n%uv:32x2 = load_interpolated %w, %zero\n"
       "%s:32x4 = image_sample %zero, %zero, %uv, %zero, %zero binding=1 sampler_binding=2\n"
       "store_output %s, %zero location=1\n";
   static const char nearer[] =
       "%w:32x2 = barycentric\n%uv:32x2 = load_interpolated %w, %zero\n%l:32 = const 0x40000000\n"
       "%s:32x4 = image_sample_lod %zero, %zero, %uv, %l binding=1 sampler_binding=2\n"
       "store_output %s, %zero location=1\n";

   (void)unused;
   expect("fragment", sampled, sampled, NULL);
   expect("fragment", sampled, nearer, "outputs, word at byte");
}

static void
test_ends(void **unused)
{
   (void)unused;
   expect("compute", STORE("%lane"), "%x:32 = load_scratch %at\n" STORE("%lane"),
          "it does not end as before: ");
   expect("compute", STORE("%lane"),
          STORE("%lane") "loop {\n b1:\n } continue {\n b2:\n %c:1 = ult %lane, %zero\n if %c {\n"
                         " b3:\n break\n } else {\n b4:\n }\n b5:\n }\n b6:\n",
          "it does not end as before: ");
   expect("compute", STORE("%lane"), "store_buffer %lane, %zero, %at binding=5\n",
          "no buffer is bound to set 0, binding 5");
}

/* Which lanes wrote what differs, what and how, in both shaders. */
static void
test_lanes(void **unused)
{
   /* Lanes 4 and 61 to 63 are %e. */
#define SOME "%k:32 = const 61\n%c:1 = ule %k, %lane\n%d:1 = ieq %lane, %four\n%e:1 = ior %c, %d\n"
   static const char other[] = SOME "%x:32 = select %e, %one, %lane\n" STORE("%x"),
                     masked[] = SOME "if %e {\n b1:\n} else {\n b2:\n" STORE("%lane") "}\nb3:\n";

   (void)unused;
   expect("compute", STORE("%lane"), other,
          "before, lane 4 of wave 0 of workgroup 0 writes 00000004 there, in block b0 of @main: "
          "store_buffer %3, %0, %4\n");
   expect("compute", STORE("%lane"), other,
          "after, lane 4 of wave 0 of workgroup 0 writes 00000001 there, in block b0 of @main: "
          "store_buffer %9, %0, %4\n");
   expect("compute", STORE("%lane"), other,
          "4 words differ in all; before, written by lanes 4 and 61-63 of wave 0 of workgroup 0; "
          "after, by lanes 4 and 61-63 of wave 0 of workgroup 0\n");
   /* Another lane writes it. */
   expect("compute", STORE("%lane"),
          "%x:32 = const 252\n%at2:32 = isub %x, %at\nstore_buffer %lane, %zero, %at2\n",
          "after, lane 63 of wave 0 of workgroup 0 writes 0000003f there");
   /* None, then one too many. */
   expect("compute", STORE("%lane"), masked, "after, no lane writes there\n");
   expect("compute", STORE("%lane"), masked,
          "by lanes 4 and 61-63 of wave 0 of workgroup 0; after, by no lane\n");
   expect("compute", masked, STORE("%lane"), "before, no lane writes there\n");
   /* The whole of what is written, by component. */
   expect("compute",
          "%b:64 = u2u %lane\n%v:64x2 = vec %b, %b\n%a2:32 = imul %at, %four\n"
          "store_buffer %v, %zero, %a2\n",
          "%b:64 = u2u %lane\n%n:64 = inot %b\n%v:64x2 = vec %b, %n\n%a2:32 = imul %at, %four\n"
          "store_buffer %v, %zero, %a2\n",
          "after, lane 0 of wave 0 of workgroup 0 writes ffffffffffffffff there (component 1), in");
   /* Atomics, images, outputs. */
   expect("compute", "%x:32 = buffer_atomic %zero, %at, %one atomic_op=iadd\n",
          "%x:32 = buffer_atomic %zero, %at, %four atomic_op=iadd\n",
          "after, lane 0 of wave 0 of workgroup 0 writes ");
   expect("compute", "image_store %lane, %zero, %lane, %zero, %zero binding=7 dim=buffer\n",
          "image_store %zero, %zero, %lane, %zero, %zero binding=7 dim=buffer\n",
          "63 words differ in all; before, written by lanes 1-63 of wave 0 of workgroup 0;");
   expect("vertex", "store_output %lane, %zero location=1\n",
          "store_output %zero, %zero location=1\n",
          "before, lane 1 of wave 0 of workgroup 0 writes 00000001 there, in block b0 of @main: "
          "store_output");
   expect("fragment", "%d:32 = u2f %lane\nstore_depth %d\n", "%d:32 = u2f %zero\nstore_depth %d\n",
          "before, lane 1 of wave 0 of workgroup 0 writes 3f800000 there");
   /* A difference that only a later wave makes. */
   expect("compute", STORE("%lane"),
          "%w:32 = subgroup_id\n%c:1 = ieq %w, %one\n%x:32 = select %c, %zero, %lane\n" STORE("%x"),
          "lane 0 of wave 1 of workgroup 0 writes 00000020 there");
}

/* Scans become some ten thousand steps each, and are waited for; what does not end is not. */
static void
test_many_steps(void **unused)
{
   static const char scans[] = "%y:64 = umul_wide %lane, %four\n%z:64 = inclusive_scan %y\n"
                               "%w:64 = inclusive_scan %z\n%k:32 = u2u %w\n" STORE("%k");
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *before = parse(NULL, "compute", scans);
   hd_shader *after = NULL, *endless = parse(NULL, "compute", "loop {\n b1:\n}\nb2:\n");
   hd_pass_list list = { 0 };
   bool progress;

   (void)unused;
   assert_int_equal(hd_shader_clone(before, NULL, &after), HD_OK);
   assert_int_equal(hd_pass_list_parse(&list, "lower_subgroup,lower_shuffle", sink), HD_OK);
   assert_int_equal(hd_run_passes(after, list.steps, list.num_steps, NULL, &progress), HD_OK);
   assert_int_equal(hd_compare(before, after, NULL, &sink), HD_OK);
   assert_int_equal(heard.count, 0);
   assert_int_equal(hd_compare(before, endless, NULL, &sink), HD_INVALID);
   assert_non_null(strstr(heard.all, "steps and has not ended"));
   hd_pass_list_finish(&list);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
   hd_shader_destroy(endless);
}

struct other {
   hd_shader *shader;
   unsigned asked, watched;
};

static hd_result
run_other(void *user, const hd_wave_launch *launch)
{
   struct other *o = user;

   o->asked++;
   o->watched += launch->on_write != NULL;
   return hd_wave_run(o->shader, launch, NULL);
}

/* Who runs something else than a shader is asked once for each launch, and watched by nobody. */
static void
test_other_runner(void **unused)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_shader *shader = parse(NULL, "compute", STORE("%lane"));
   struct other o = { .shader = parse(NULL, "compute", STORE("%one")) };
   hd_diff_test *trial;

   (void)unused;
   assert_int_equal(hd_diff_test_create(shader, NULL, &trial), HD_OK);
   hd_shader_destroy(shader);
   assert_int_equal(hd_diff_test_compare_run(trial, run_other, &o, &sink), HD_INVALID);
   assert_int_equal(o.asked, 1);
   assert_int_equal(o.watched, 0);
   assert_non_null(strstr(heard.all, "before, lane 0 of wave 0 of workgroup 0 writes 00000000 "));
   assert_non_null(
       strstr(heard.all, "63 words differ in all; before, written by lanes 0 and 2-63 "));
   assert_null(strstr(heard.all, "after, "));
   hd_diff_test_destroy(trial);
   hd_shader_destroy(o.shader);
}

/* Runs that do not end well count for nothing, and say why. */
static void
test_unusable(void **unused)
{
   const hd_config quiet = { .diag = { NULL, NULL } };
   hd_shader *wrong = parse(&quiet, "compute", "%x:32 = load_scratch %at\n" STORE("%x"));
   hd_shader *other = parse(&quiet, "compute", STORE("%one"));
   hd_diff_test *trial;
   const char *why;

   (void)unused;
   assert_int_equal(hd_diff_test_create(wrong, NULL, &trial), HD_OK);
   assert_true(hd_diff_test_num_runs(trial, &why) < HD_DIFF_TEST_KINDS);
   assert_non_null(why);
   assert_non_null(strstr(why, "address"));
   hd_diff_test_destroy(trial);
   const hd_diff_test_options first = { .num_launches = 1 };
   assert_int_equal(hd_diff_test_create(wrong, &first, &trial), HD_OK);
   assert_int_equal(hd_diff_test_num_runs(trial, NULL), 0);
   assert_int_equal(hd_diff_test_compare(trial, other, NULL, NULL), HD_OK);
   hd_diff_test_destroy(trial);
   assert_int_equal(hd_diff_test_create(other, NULL, &trial), HD_OK);
   assert_int_equal(hd_diff_test_num_runs(trial, &why), HD_DIFF_TEST_KINDS);
   assert_null(why);
   hd_wave_stats stats = hd_diff_test_stats(trial), cost;
   assert_int_equal(hd_diff_test_compare(trial, other, NULL, &cost), HD_OK);
   assert_true(stats.lane_ops > 0 && stats.lane_ops == cost.lane_ops);
   hd_diff_test_destroy(trial);
   hd_shader_destroy(wrong);
   hd_shader_destroy(other);
}

/* The launches are what the header says: full waves, partial ones, of 1 lane and of 128, some
 * lanes, single ones.
 */
static void
test_launches(void **unused)
{
   static const char body[] =
       "%s:32 = subgroup_size\n%n:32 = num_subgroups\n%t:1 = const true\n%b:32x4 = ballot %t\n"
       "%m:32 = ballot_bit_count %b\nstore_buffer %s, %zero, %zero\n"
       "store_buffer %n, %zero, %zero offset=4\nstore_buffer %m, %zero, %zero offset=8\n";
   /* Each number is looked for: a shader that stores it is the same in one launch at least. */
   static const struct {
      unsigned at, number;
   } wanted[] = { { 0, 1 }, { 0, 32 }, { 0, 64 }, { 0, 128 },
                  { 4, 1 }, { 4, 2 },  { 8, 1 },  { 8, 64 } };

   (void)unused;
   for (unsigned w = 0; w < sizeof(wanted) / sizeof(wanted[0]); w++) {
      char other[800];
      unsigned same = 0;
      snprintf(other, sizeof(other),
               "%s%%k:32 = const %u\nstore_buffer %%k, %%zero, %%zero offset=%u\n", body,
               wanted[w].number, wanted[w].at);
      for (uint32_t n = 0; n < HD_DIFF_TEST_KINDS; n++) {
         const hd_diff_test_options options = { .first_launch = n, .num_launches = 1 };
         hd_shader *a = parse(NULL, "compute", body), *b = parse(NULL, "compute", other);
         same += hd_compare(a, b, &options, NULL) == HD_OK;
         hd_shader_destroy(a);
         hd_shader_destroy(b);
      }
      if (!same || same == HD_DIFF_TEST_KINDS)
         fail_msg("%u at %u in %u launches", wanted[w].number, wanted[w].at, same);
   }
}

/* Who wants more invocations than any machine has is not kept waiting. */
static void
test_too_large(void **unused)
{
   static const char text[] = "shader compute \"t\" {\n  workgroup 4000000 1 1\n"
                              "  function @main {\n    b0:\n  }\n}\n";
   hd_shader *shader = NULL;
   hd_diff_test *trial;
   const char *why;

   (void)unused;
   assert_int_equal(hd_parse(NULL, "t", text, strlen(text), &shader), HD_OK);
   assert_int_equal(hd_diff_test_create(shader, NULL, &trial), HD_OK);
   assert_int_equal(hd_diff_test_num_runs(trial, &why), 0);
   assert_non_null(strstr(why, "4000000 invocations are too large"));
   hd_diff_test_destroy(trial);
   hd_shader_destroy(shader);
}

/* A scheduler that takes turns sees that waves write one word. */
static void
test_race(void **unused)
{
   static const char racy[] = "%a:32 = load_buffer %zero, %zero\n%b:32 = iadd %a, %lane\n"
                              "%c:32 = imul %b, %four\nstore_buffer %c, %zero, %zero\n";
   const hd_diff_test_options in_turns = { .schedule = 3 };
   hd_shader *shader = parse(NULL, "compute", racy);

   (void)unused;
   assert_int_equal(hd_compare(shader, shader, NULL, NULL), HD_OK);
   assert_int_equal(hd_compare(shader, shader, &in_turns, NULL), HD_INVALID);
   hd_shader_destroy(shader);
}

static void
test_out_of_memory(void **unused)
{
   struct limited l = { .left = SIZE_MAX };
   const hd_config config = limited_config(&l);
   hd_shader *shader = parse(&config, "compute", STORE("%lane"));
   const hd_diff_test_options one = { .num_launches = 1 };
   const size_t held = l.held;
   bool done = false;

   (void)unused;
   for (unsigned n = 0; !done; n++) {
      hd_diff_test *trial = NULL;
      l.left = n;
      hd_result result = hd_diff_test_create(shader, &one, &trial);
      if (result == HD_OK)
         result = hd_diff_test_compare(trial, shader, NULL, NULL);
      done = result == HD_OK;
      if (!done)
         assert_int_equal(result, HD_OUT_OF_MEMORY);
      else
         assert_true(n > 2);
      l.left = SIZE_MAX;
      hd_diff_test_destroy(trial);
      /* Analyses stay with the shader. */
      assert_true(l.held >= held && l.held < held + 4096);
   }
   hd_shader_destroy(shader);
   assert_int_equal(l.held, 0);
   hd_diff_test_destroy(NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_many_steps),    cmocka_unit_test(test_values),
      cmocka_unit_test(test_undefined),     cmocka_unit_test(test_places),
      cmocka_unit_test(test_images),        cmocka_unit_test(test_ends),
      cmocka_unit_test(test_lanes),         cmocka_unit_test(test_other_runner),
      cmocka_unit_test(test_unusable),      cmocka_unit_test(test_launches),
      cmocka_unit_test(test_too_large),     cmocka_unit_test(test_race),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests_name("compare/trial", tests, NULL, NULL);
}
