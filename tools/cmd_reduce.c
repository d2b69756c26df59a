/* SPDX-License-Identifier: MIT */
/* cmd_reduce.c - heddle reduce: test-case reduction for a command or a pass list. */
#include "child.h"

#include "heddle/pass.h"
#include "heddle/text.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/reduce.h"

/* What is looked for, and how candidates are asked. */
struct search {
   char **command; /* NULL: the passes */
   hd_pass_list list;
   unsigned seconds;
   const char *match;
   char file[256];
   ending wanted;
   bool verbose, broken; /* broken: a child could not be begun */
};

static bool
contains(const ending *e, const char *text)
{
   return e->output && strstr(e->output, text);
}

/* How the command, or the passes, end on a shader. */
static bool
ask(struct search *s, hd_shader *shader, ending *e)
{
   hd_blob text = { 0 };

   if (!s->command)
      return judge_passes(shader, s->list.steps, s->list.num_steps, NULL, s->seconds, e);
   bool done = hd_print_shader(shader, NULL, &text) == HD_OK &&
               write_file(s->file, text.data, text.size) &&
               run_command(s->command, s->file, s->seconds, e);
   hd_blob_finish(&text);
   return done;
}

static bool
is_interesting(void *user, hd_shader *candidate)
{
   struct search *s = user;
   ending e = { 0 };

   if (s->broken)
      return false;
   s->broken = !ask(s, candidate, &e);
   const bool same =
       !s->broken && is_same_ending(&e, &s->wanted) && (!s->match || contains(&e, s->match));
   free_ending(&e);
   return same;
}

static void
tell_progress(void *user, const hd_reduce_state *state)
{
   const struct search *s = user;

   if (s->verbose)
      fprintf(stderr, "%llu tries: %u instructions in %u nodes (%s)\n",
              (unsigned long long)state->tries, state->instructions, state->nodes, state->what);
}

/* How it ends on the input decides what is looked for. */
static bool
look_at_input(struct search *s, hd_shader *shader)
{
   char text[64];

   if (!ask(s, shader, &s->wanted))
      return false;
   describe_ending(&s->wanted, s->seconds, text);
   if (s->match && !contains(&s->wanted, s->match))
      return trouble("expected '%s' in the result of the input, found '%s'", s->match, text) == 0;
   if (!s->command && s->wanted.status == RIGHT && !s->wanted.signal && !s->wanted.timed_out)
      return trouble("expected the passes to fail on the input, they do not") == 0;
   if (!s->command && s->wanted.status == NOT_RUN)
      return trouble(
                 "the passes cannot run on the input: an allocation failed, or it is invalid") == 0;
   if (s->verbose)
      fprintf(stderr, "the input: %s\n", text);
   return true;
}

static int
reduce(tool *t, struct search *s, hd_shader *shader)
{
   const hd_reduce_options options = { .user = s,
                                       .is_interesting = is_interesting,
                                       .progress = tell_progress };
   hd_reduce_state state = { 0 };
   hd_shader *small = NULL;
   hd_blob text = { 0 };

   if (!look_at_input(s, shader))
      return EXIT_TROUBLE;
   hd_result result = hd_reduce_shader(shader, &options, &small, &state);
   if (s->broken)
      return EXIT_TROUBLE;
   if (result == HD_INVALID)
      return trouble(
          "expected the same result of each run on the same input, found different ones");
   if (result == HD_OK)
      result = hd_print_shader(small, NULL, &text);
   int status = explain(t, "reduce", result);
   if (!status && !write_file(option_value(t, "output"), text.data, text.size))
      status = EXIT_TROUBLE;
   if (!status)
      fprintf(stderr, "%u instructions in %u nodes left after %llu tries\n", state.instructions,
              state.nodes, (unsigned long long)state.tries);
   hd_blob_finish(&text);
   hd_shader_destroy(small);
   return status;
}

int
run_reduce(tool *t)
{
   struct search s = {
      .match = option_value(t, "match"),
      .verbose = option_given(t, "verbose"),
      .command = t->num_before < t->num_operands ? t->operands + t->num_before : NULL,
   };
   const char *passes = option_value(t, "passes");
   int status = EXIT_TROUBLE;

   if (!passes == !s.command)
      return trouble("`heddle reduce` wants -- COMMAND, or --passes=LIST");
   if (!read_timeout(t, &s.seconds))
      return EXIT_TROUBLE;
   if (passes && hd_pass_list_parse(&s.list, passes, t->config.diag) != HD_OK)
      return EXIT_TROUBLE;
   t->num_operands = t->num_before;
   hd_shader *shader = load_only_shader(t, &status);
   if (shader && (!s.command || make_candidate_file(s.file))) {
      status = reduce(t, &s, shader);
      if (s.command)
         remove(s.file);
   }
   free_ending(&s.wanted);
   hd_pass_list_finish(&s.list);
   hd_shader_destroy(shader);
   return status;
}
