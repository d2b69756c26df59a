/* SPDX-License-Identifier: MIT */
/* child.c - work in a child process. */
#include "child.h"
#include "host.h"

#include "heddle/clone.h"
#include "heddle/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compare.h"

void
free_ending(ending *e)
{
   free(e->output);
   *e = (ending){ 0 };
}

bool
is_same_ending(const ending *a, const ending *b)
{
   if (a->timed_out || b->timed_out)
      return a->timed_out && b->timed_out;
   return a->signal == b->signal && a->status == b->status;
}

void
describe_ending(const ending *e, unsigned seconds, char text[64])
{
   if (e->timed_out)
      snprintf(text, 64, "no end within %u s", seconds);
   else if (e->signal)
      snprintf(text, 64, "signal %d", e->signal);
   else
      snprintf(text, 64, "exit status %d", e->status);
}

/* An argument with every `{}` replaced; NULL without memory. */
static char *
fill_in(const char *arg, const char *candidate, bool *found)
{
   const size_t length = strlen(arg), more = strlen(candidate);
   char *out = malloc(length * (more + 1) + 1), *to = out;

   for (const char *s = arg; out && *s;) {
      if (s[0] == '{' && s[1] == '}') {
         memcpy(to, candidate, more);
         to += more;
         s += 2;
         *found = true;
      } else {
         *to++ = *s++;
      }
   }
   if (out)
      *to = 0;
   return out;
}

bool
run_command(char **argv, const char *candidate, unsigned seconds, ending *e)
{
   bool found = false, done = true;
   int num = 0;

   while (argv[num])
      num++;
   char **filled = calloc((size_t)num + 1, sizeof(*filled));
   for (int n = 0; n < num && filled && done; n++)
      done = (filled[n] = fill_in(argv[n], candidate, &found)) != NULL;
   if (filled && done)
      done = run_program(filled, found ? NULL : candidate, seconds, e);
   else
      done = trouble("out of memory") == 0;
   for (int n = 0; n < num && filled; n++)
      free(filled[n]);
   free(filled);
   return done;
}

/* Passes. All of this is in the child. */

struct job {
   hd_shader *shader;
   const hd_pass_step *steps;
   uint32_t num;
   const uint32_t *filter;
   const char *file;
};

/* The last pass of the list where only the first functions are its own: it is run through a row
 * that takes the whole shader.
 */
static bool
run_filtered(hd_shader *shader, const hd_pass_step *step)
{
   const struct job *job = step->user;
   const hd_pass_step *last = &job->steps[job->num - 1];
   const hd_pass *pass = last->pass;
   uint32_t left = *job->filter;
   bool progress = false;

   hd_foreach_function(f, shader) {
      if (pass->forms & (f->structured ? HD_PASS_TREE : HD_PASS_FLAT) && left) {
         left--;
         hd_require(f, pass->requires_meta);
         progress |= pass->run(f, last);
      }
   }
   return progress;
}

static hd_result
run_job(const struct job *job, hd_shader *shader, const hd_run_options *options)
{
   hd_result result;
   bool progress;

   if (!job->filter || !job->steps[job->num - 1].pass->run)
      return hd_run_passes(shader, job->steps, job->num, options, &progress);
   hd_pass_step last = job->steps[job->num - 1];
   hd_pass row = *last.pass;
   row.run = NULL;
   row.run_shader = run_filtered;
   row.requires_meta = 0;
   last.pass = &row;
   last.user = (void *)job;
   result = hd_run_passes(shader, job->steps, job->num - 1, options, &progress);
   return result == HD_OK ? hd_run_passes(shader, &last, 1, options, &progress) : result;
}

static int
judge(void *user)
{
   const struct job *job = user;
   const hd_diag_sink sink = hd_diag_to_file(stdout);
   const hd_config config = { .diag = sink,
                              .intrinsics = hd_shader_config(job->shader)->intrinsics };
   const hd_diff_test_options in_turns = { .schedule = 1 };
   hd_run_options options = HD_RUN_CHECK_ALL;
   hd_shader *before = NULL, *after = NULL;

   if (hd_shader_clone(job->shader, &config, &before) != HD_OK ||
       hd_shader_clone(job->shader, &config, &after) != HD_OK)
      return NOT_RUN;
   const hd_result result = run_job(job, after, &options);
   if (result == HD_INVALID)
      return BREAKS_RULES;
   if (result != HD_OK)
      return NOT_RUN;
   if (hd_compare(before, after, NULL, &sink) != HD_INVALID ||
       hd_compare(before, before, &in_turns, NULL) == HD_INVALID)
      return RIGHT;
   return DIFFERS;
}

static int
apply(void *user)
{
   const struct job *job = user;
   const hd_config config = { .diag = hd_diag_to_file(stdout),
                              .intrinsics = hd_shader_config(job->shader)->intrinsics };
   hd_shader *after = NULL;
   hd_blob text = { 0 };

   if (hd_shader_clone(job->shader, &config, &after) != HD_OK)
      return NOT_RUN;
   const hd_result result = run_job(job, after, NULL);
   if (result != HD_OK)
      return result == HD_INVALID ? BREAKS_RULES : NOT_RUN;
   if (hd_print_shader(after, NULL, &text) != HD_OK || !write_file(job->file, text.data, text.size))
      return NOT_RUN;
   return RIGHT;
}

bool
judge_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num, const uint32_t *filter,
             unsigned seconds, ending *e)
{
   struct job job = { shader, steps, num, filter, NULL };

   return run_in_child(judge, &job, NULL, seconds, e);
}

bool
apply_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num, const uint32_t *filter,
             const char *file, unsigned seconds, ending *e)
{
   struct job job = { shader, steps, num, filter, file };

   return run_in_child(apply, &job, NULL, seconds, e);
}

bool
make_candidate_file(char path[256])
{
   if (host_temporary_file(path))
      return true;
   return trouble("%s: %s", path, strerror(errno)) == 0;
}

bool
read_timeout(const tool *t, unsigned *seconds)
{
   const char *text = option_value(t, "timeout");
   char *end = NULL;

   *seconds = 10;
   if (!text)
      return true;
   const unsigned long number = strtoul(text, &end, 10);
   if (*text < '0' || *text > '9' || *end || !number || number > 100000)
      return trouble("--timeout wants seconds from 1 to 100000, not '%s'", text) == 0;
   *seconds = (unsigned)number;
   return true;
}
