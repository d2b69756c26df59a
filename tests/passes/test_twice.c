/* SPDX-License-Identifier: MIT */
/* test_twice.c - what a list of passes does when it runs again: on real kernels (tests/kernels) and
 * on random programs.
 *
 * O2 of O2 never grows a shader, and the first leaves no call. The cleanup group is idempotent:
 * what it leaves stays as it is. tests/spirv/test_twice.py looks at the same on the corpus.
 *
 * HEDDLE_SEEDS is how many random programs there are, HEDDLE_FIRST_SEED which is the first,
 * HEDDLE_LIST another group.
 */
#include "support/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pass.h"
#include "heddle/text.h"

#include "gen/random_program.h"

#define NUM_SEEDS 2000

/* Of 5,000,000 these grew, each for want of what is beside it. */
static const uint64_t once_grew[] = {
   1643,     /* opt_algebraic: what nothing uses does not count as a reader */
   13182,    /* O2: what a condition decided goes before jumps are looked at */
   25901,    /* the same */
   6588,     /* opt_sccp and opt_if: no constant for a phi that stays one */
   17106,    /* the same */
   20110,    /* opt_sccp and opt_if: no constant for a ballot of a known condition */
   28939,    /* the same */
   503063,   /* opt_phi: what says which arm was run is the condition */
   505246,   /* opt_sccp: no constant for a comparison that stays one */
   900978,   /* opt_inline: what returns early, halts and waits goes in, too */
   1602766,  /* the same */
   1519625,  /* opt_if: no constant for a condition that stands in a vector */
   4390064,  /* opt_sccp: nor for one that is put into a vector */
   7094153,  /* nor for a condition of which a component is read */
   3017273,  /* nor in a phi behind a loop */
   4178351,  /* nor in a phi that says which arm was not run */
   1672256,  /* opt_sccp and opt_if: no constant for a sum that stays one */
   3263821,  /* nor for a field of bits */
   6175504,  /* nor for a comparison that is the opposite then */
   10228284, /* the same */
   12133935, /* nor for a divisor */
   6591911,  /* nor for one that a range's other end would decide */
   1643057,  /* O2: arrays once more, where an index has become a constant */
   1647676,  /* the same */
   6187065,  /* O2: opt_jump once more */
   5274914,  /* O2: opt_sccp once more */
   7539349,  /* O2: opt_algebraic once more, where operands have become the same */
   6002271,  /* O2: opt_if once more, where nothing is between two any more */
   10104331, /* O2: opt_if_convert once more after it */
   10237081, /* O2: opt_sccp after it */
};

static unsigned num_wrong;

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static const hd_config config = { .diag = { .report = complain } };

static uint64_t
number(const char *name, uint64_t by_default)
{
   const char *text = getenv(name);

   return text ? strtoull(text, NULL, 0) : by_default;
}

/* Of a tree, an `if` and a loop are what a jump is in a flat function. */
static uint64_t
count_instrs(const hd_shader *shader)
{
   uint64_t num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_node(n, f) {
         const hd_block *b = hd_node_as_block(n);
         num += !b;
         if (!b)
            continue;
         hd_foreach_instr(i, b)
            num++;
      }
   }
   return num;
}

/* The passes that changed something, as a list. */
static void
run(hd_shader *shader, const char *passes, char changed[200])
{
   hd_pass_list list = { 0 };
   size_t length = 0;

   changed[0] = '\0';
   assert_int_equal(hd_pass_list_parse(&list, passes, config.diag), HD_OK);
   for (uint32_t n = 0; n < list.num_steps; n++) {
      bool progress = false;
      assert_int_equal(hd_run_passes(shader, &list.steps[n], 1, NULL, &progress), HD_OK);
      if (progress && length < 200)
         length += (size_t)snprintf(changed + length, 200 - length, "%s%u: %s", length ? ", " : "",
                                    n, list.steps[n].pass->name);
   }
   hd_pass_list_finish(&list);
}

static hd_blob
text_of(const hd_shader *shader)
{
   hd_blob text;

   hd_blob_init(&text, &config);
   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   return text;
}

static void
tell(const char *name, const char *what, const char *changed, const hd_blob *once,
     const hd_blob *twice)
{
   num_wrong++;
   if (num_wrong > 10)
      return;
   fprintf(stderr, "%s: %s, by %s\n", name, what, changed);
   /* The first line that differs says enough. */
   const char *a = (const char *)once->data, *b = (const char *)twice->data;
   const char *a_end = a + once->size, *b_end = b + twice->size;
   size_t start = 0;
   for (size_t n = 0; a + n < a_end && b + n < b_end && a[n] == b[n]; n++)
      start = a[n] == '\n' ? n + 1 : start;
   a += start;
   b += start;
   const char *a_line = memchr(a, '\n', (size_t)(a_end - a)),
              *b_line = memchr(b, '\n', (size_t)(b_end - b));
   fprintf(stderr, "   once:  %.*s\n   twice: %.*s\n", (int)((a_line ? a_line : a_end) - a), a,
           (int)((b_line ? b_line : b_end) - b), b);
}

/* Runs a list twice. The second time must not change the text, or only must not add to it. */
static void
check_twice(hd_shader *shader, const char *name, const char *passes, bool same)
{
   char changed[200];

   if (same)
      run(shader, "opt_vars_split,opt_vars_to_ssa", changed);
   run(shader, passes, changed);
   const uint64_t before = count_instrs(shader);
   hd_blob once = text_of(shader);
   if (!same && shader->num_functions > 1)
      tell(name, "a call is left", changed, &once, &once);
   run(shader, passes, changed);
   const uint64_t after = count_instrs(shader);
   hd_blob twice = text_of(shader);

   if (after > before)
      tell(name, "more instructions the second time", changed, &once, &twice);
   else if (same && (once.size != twice.size || memcmp(once.data, twice.data, once.size) != 0))
      tell(name, "another text the second time", changed, &once, &twice);
   hd_blob_finish(&once);
   hd_blob_finish(&twice);
}

static hd_shader *
read_kernel(const char *path)
{
   FILE *file = fopen(path, "rb");
   char text[65536];
   hd_shader *shader = NULL;

   assert_non_null(file);
   const size_t size = fread(text, 1, sizeof(text), file);
   assert_true(size < sizeof(text));
   fclose(file);
   assert_int_equal(hd_parse(&config, path, text, size, &shader), HD_OK);
   return shader;
}

static void
on_kernels(const char *passes, bool same)
{
   DIR *folder = opendir("tests/kernels");
   unsigned count = 0;

   assert_non_null(folder);
   for (struct dirent *e; (e = readdir(folder));) {
      const char *end = strrchr(e->d_name, '.');
      char path[300];

      if (!end || strcmp(end, ".hd") != 0)
         continue;
      snprintf(path, sizeof(path), "tests/kernels/%s", e->d_name);
      hd_shader *shader = read_kernel(path);
      check_twice(shader, path, passes, same);
      hd_shader_destroy(shader);
      count++;
   }
   closedir(folder);
   assert_true(count >= 40);
}

static void
on_random_program(uint64_t seed, const char *passes, bool same)
{
   hd_shader *shader = random_program(&config, seed, NULL);
   char name[60];

   assert_non_null(shader);
   snprintf(name, sizeof(name), "HEDDLE_FIRST_SEED=%llu", (unsigned long long)seed);
   check_twice(shader, name, passes, same);
   hd_shader_destroy(shader);
}

static void
on_random_programs(const char *passes, bool same)
{
   const uint64_t first = number("HEDDLE_FIRST_SEED", 1);
   const uint64_t seeds = number("HEDDLE_SEEDS", NUM_SEEDS);

   for (uint64_t seed = first; seed < first + seeds; seed++)
      on_random_program(seed, passes, same);
}

static void
test_o2_never_grows(void **state)
{
   (void)state;
   num_wrong = 0;
   on_kernels("O2", false);
   for (size_t n = 0; n < sizeof(once_grew) / sizeof(once_grew[0]); n++)
      on_random_program(once_grew[n], "O2", false);
   on_random_programs("O2", false);
   assert_int_equal(num_wrong, 0);
}

static void
test_cleanup_is_idempotent(void **state)
{
   const char *list = getenv("HEDDLE_LIST");
   const char *cleanup = list ? list : "cleanup";
   (void)state;
   num_wrong = 0;
   on_kernels(cleanup, true);
   assert_int_equal(num_wrong, 0);
   on_random_programs(cleanup, true);
   assert_int_equal(num_wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_o2_never_grows),
      cmocka_unit_test(test_cleanup_is_idempotent),
   };

   return cmocka_run_group_tests_name("twice", tests, NULL, NULL);
}
