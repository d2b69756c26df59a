/* SPDX-License-Identifier: MIT */
/* cmd_bisect.c - heddle bisect: the first pass of a list after which something is wrong, and the
 * function in which it is.
 *
 * Binary search over prefixes of the pass list. Each try runs in a child process, as passes may
 * crash or not terminate. A prefix that contains the first wrong pass is assumed to fail.
 */
#include "child.h"

#include "heddle/pass.h"

#include <stdlib.h>
#include <string.h>

struct bisection {
   hd_shader *shader;
   hd_pass_list list;
   char **command; /* NULL: rules and results are checked */
   char file[256];
   unsigned seconds;
   bool verbose, broken;
   ending last_wrong;
};

static void
tell_try(const struct bisection *b, uint32_t num, const uint32_t *filter, const ending *e,
         bool wrong)
{
   char text[64];

   if (!b->verbose)
      return;
   describe_ending(e, b->seconds, text);
   if (filter)
      fprintf(stderr, "pass %u on %u functions: %s (%s)\n", num, *filter, wrong ? "wrong" : "right",
              text);
   else
      fprintf(stderr, "%u passes: %s (%s)\n", num, wrong ? "wrong" : "right", text);
}

static bool
ends_well(const ending *e)
{
   return !e->timed_out && !e->signal && e->status == RIGHT;
}

/* Is something wrong after so many passes, the last of them on so many functions? */
static bool
is_wrong(struct bisection *b, uint32_t num, const uint32_t *filter)
{
   ending e = { 0 };
   bool done;

   if (b->broken)
      return false;
   if (!b->command) {
      done = judge_passes(b->shader, b->list.steps, num, filter, b->seconds, &e);
   } else {
      done = apply_passes(b->shader, b->list.steps, num, filter, b->file, b->seconds, &e);
      if (done && ends_well(&e)) {
         free_ending(&e);
         done = run_command(b->command, b->file, b->seconds, &e);
      }
   }
   b->broken = !done;
   const bool wrong = done && !ends_well(&e) && (b->command || e.status != NOT_RUN);
   tell_try(b, num, filter, &e, wrong);
   if (wrong) {
      free_ending(&b->last_wrong);
      b->last_wrong = e;
   } else {
      free_ending(&e);
   }
   return wrong;
}

/* The least number for which it is wrong; it is for `high`. */
static uint32_t
find_first(struct bisection *b, uint32_t high, uint32_t pass)
{
   uint32_t low = 0;

   while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      const bool wrong = pass ? is_wrong(b, pass, &middle) : is_wrong(b, middle, NULL);
      if (wrong)
         high = middle;
      else
         low = middle;
   }
   return high;
}

/* How many functions the pass takes, as the passes before it leave them: at most as many as there
 * are at the beginning, since a pass of functions makes none.
 */
static const hd_function *
nth_function(const hd_shader *shader, const hd_pass *pass, uint32_t n)
{
   hd_foreach_function(f, shader) {
      if (pass->forms & (f->structured ? HD_PASS_TREE : HD_PASS_FLAT) && --n == 0)
         return f;
   }
   return NULL;
}

/* The shader before the wrong pass, as a file and, where it can be read, as a shader. */
static hd_shader *
shader_before(struct bisection *b, tool *t, uint32_t pass, int *status)
{
   const char *output = option_value(t, "output");
   char file[256];
   ending e;

   if (output)
      snprintf(file, sizeof(file), "%s", output);
   else if (!make_candidate_file(file))
      return NULL;
   hd_shader *shader = NULL;
   if (apply_passes(b->shader, b->list.steps, pass - 1, NULL, file, b->seconds, &e)) {
      if (ends_well(&e))
         shader = load_shader(t, file, status);
      free_ending(&e);
   }
   if (!output)
      remove(file);
   return shader;
}

static int
bisect(tool *t, struct bisection *b)
{
   const uint32_t num = b->list.num_steps;
   hd_blob name = { 0 };
   char ending_text[64];
   int status = 0;

   if (!is_wrong(b, num, NULL))
      return b->broken ? EXIT_TROUBLE
                       : (trouble("the input passes after all %u passes: expected a failure", num),
                          EXIT_BAD_INPUT);
   if (b->command && is_wrong(b, 0, NULL))
      return b->broken ? EXIT_TROUBLE
                       : (trouble("the input fails before the first pass"), EXIT_BAD_INPUT);
   const uint32_t pass = find_first(b, num, 0);
   hd_shader *before = b->broken ? NULL : shader_before(b, t, pass, &status);
   const hd_pass_step *step = &b->list.steps[pass - 1];
   const hd_function *f = NULL;
   if (before && step->pass->run && !b->broken) {
      uint32_t functions = 0;
      while (nth_function(before, step->pass, functions + 1))
         functions++;
      if (functions && is_wrong(b, pass, &functions))
         f = nth_function(before, step->pass, find_first(b, functions, pass));
   }
   if (b->broken) {
      hd_shader_destroy(before);
      return EXIT_TROUBLE;
   }
   hd_pass_step_print(step, &name);
   describe_ending(&b->last_wrong, b->seconds, ending_text);
   printf("%s, pass %u of %u", name.data, pass, num);
   if (f) {
      fputs(", in ", stdout);
      print_name(stdout, '@', f->name);
   }
   printf(": %s\n", ending_text);
   if (b->last_wrong.output && b->last_wrong.size)
      printf("%s%s", b->last_wrong.output,
             b->last_wrong.output[b->last_wrong.size - 1] == '\n' ? "" : "\n");
   hd_blob_finish(&name);
   hd_shader_destroy(before);
   return 0;
}

int
run_bisect(tool *t)
{
   struct bisection b = {
      .verbose = option_given(t, "verbose"),
      .command = t->num_before < t->num_operands ? t->operands + t->num_before : NULL,
   };
   if (!read_timeout(t, &b.seconds))
      return EXIT_TROUBLE;
   int status = read_passes(t, &b.list);
   if (status)
      return status;
   t->num_operands = t->num_before;
   b.shader = load_only_shader(t, &status);
   if (b.shader && (!b.command || make_candidate_file(b.file))) {
      status = bisect(t, &b);
      if (b.command)
         remove(b.file);
   }
   free_ending(&b.last_wrong);
   hd_pass_list_finish(&b.list);
   hd_shader_destroy(b.shader);
   return status;
}
