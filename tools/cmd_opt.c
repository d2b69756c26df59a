/* SPDX-License-Identifier: MIT */
/* cmd_opt.c - heddle opt: passes by name, one after the other. */
#include "tool.h"

#include "heddle/text.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/compare.h"
#include "heddle/pass.h"

/* What one run of a pass did, as the watch sees it. */
typedef struct observer {
   tool *t;
   const char *skip;  /* --skip, or NULL */
   const char *debug; /* HD_DEBUG, or NULL: its words skip=PASS */
   const char *print; /* --print-after: names, "" for all, or NULL */
   bool verbose, stats, json;
   bool compare; /* run before and after */
   struct timespec began;
   uint64_t instrs;
} observer;

static uint64_t
count_instrs(const hd_shader *shader)
{
   uint64_t num = 0;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b)
            num++;
      }
   }
   return num;
}

/* Is it the name of a pass, with or without "opt_"? */
static bool
is_name(const char *s, size_t length, const char *name)
{
   if (!strncmp(name, s, length) && !name[length])
      return true;
   return !strncmp(name, "opt_", 4) && !strncmp(name + 4, s, length) && !name[4 + length];
}

/* Is a pass in a list of names? */
static bool
is_named(const char *list, const char *name)
{
   for (const char *s = list; *s; s += *s == ',') {
      const size_t length = strcspn(s, ",");
      if (is_name(s, length, name))
         return true;
      s += length;
   }
   return false;
}

#define SKIP "skip="

/* Does a word of HD_DEBUG say to leave a pass out? */
static bool
is_skipped(const char *words, const char *name)
{
   for (const char *s = words; *s; s += *s == ',') {
      const size_t length = strcspn(s, ","), prefix = strlen(SKIP);
      if (!strncmp(s, SKIP, prefix) && is_name(s + prefix, length - prefix, name))
         return true;
      s += length;
   }
   return false;
}

/* Are there passes of all these names? */
static bool
are_passes(const char *where, const char *list, size_t end)
{
   for (size_t at = 0; at < end; at++) {
      const size_t length = strcspn(list + at, ",") < end - at ? strcspn(list + at, ",") : end - at;
      bool found = false;
      char full[80];
      snprintf(full, sizeof(full), "%.*s", (int)length, list + at);
      found = hd_pass_find(full) != NULL;
      snprintf(full, sizeof(full), "opt_%.*s", (int)length, list + at);
      if (!found && !hd_pass_find(full)) {
         trouble("%s: there is no pass '%.*s'; `heddle opt --list` shows them", where, (int)length,
                 list + at);
         return false;
      }
      at += length;
   }
   return true;
}

static bool
before_pass(void *user, const hd_pass_run *run)
{
   observer *o = user;

   const char *name = run->step->pass->name;

   if ((o->skip && is_named(o->skip, name)) || (o->debug && is_skipped(o->debug, name))) {
      if (o->verbose)
         fprintf(stderr, "%s: left out\n", name);
      return false;
   }
   if (o->stats)
      o->instrs = count_instrs(run->shader);
   clock_gettime(CLOCK_MONOTONIC, &o->began);
   return true;
}

static void
print_stats(const observer *o, const hd_pass_run *run, double microseconds)
{
   uint64_t instrs = count_instrs(run->shader);

   if (o->json) {
      printf("{\"number\":%u,\"pass\":\"%s\",\"progress\":%s,\"microseconds\":%.1f,"
             "\"before\":%llu,\"after\":%llu}\n",
             run->number, run->step->pass->name, run->progress ? "true" : "false", microseconds,
             (unsigned long long)o->instrs, (unsigned long long)instrs);
      return;
   }
   fprintf(stderr, "%-28s %-10s %10.1f us %8llu -> %llu instructions\n", run->step->pass->name,
           run->progress ? "progress" : "no change", microseconds, (unsigned long long)o->instrs,
           (unsigned long long)instrs);
}

static hd_result
after_pass(void *user, const hd_pass_run *run)
{
   const observer *o = user;
   const char *name = run->step->pass->name;
   struct timespec now;
   hd_result result = HD_OK;

   clock_gettime(CLOCK_MONOTONIC, &now);
   double microseconds = (double)(now.tv_sec - o->began.tv_sec) * 1e6 +
                         (double)(now.tv_nsec - o->began.tv_nsec) / 1e3;
   if (o->stats)
      print_stats(o, run, microseconds);
   else if (o->verbose)
      fprintf(stderr, "%s: %s\n", name, run->progress ? "progress" : "no change");
   if (run->progress && o->print && (!*o->print || is_named(o->print, name))) {
      hd_blob blob = { 0 };
      result = hd_print_shader(run->shader, NULL, &blob);
      if (result == HD_OK)
         fprintf(stderr, "// after %s\n%s", name, blob.data);
      hd_blob_finish(&blob);
   }
   if (result == HD_OK && o->compare)
      result = hd_compare_pass(NULL, run);
   return result;
}

/* Words of HD_DEBUG, with a comma between. */
static const struct debug_word {
   const char *name;
   const char *meaning;
} debug_words[] = {
   { "all", "every check below" },
   { "validate", "validate before the first pass and after each" },
   { "meta", "compare what a pass keeps with what is recomputed" },
   { "text", "print, parse and print again after each pass" },
   { "clone", "clone after each pass, and compare" },
   { "progress", "a pass that says it did nothing must have done nothing" },
   { "run", "run the shader before and after each pass in the interpreter, and compare" },
   { "print", "print the shader after each pass that changes it" },
   { "time", "time and count for each pass (--stats)" },
   { "skip=PASS", "leave out a pass" },
   { "help", "print this list and end" },
};

static int
debug_help(void)
{
   printf("HD_DEBUG: words with a comma between\n");
   for (size_t n = 0; n < sizeof(debug_words) / sizeof(debug_words[0]); n++)
      printf("  %-12s %s\n", debug_words[n].name, debug_words[n].meaning);
   return 0;
}

static bool
set_check(hd_run_options *options, const char *word, size_t length)
{
   const struct {
      const char *name;
      bool *flag;
   } checks[] = {
      { "validate", &options->validate },        { "meta", &options->verify_meta },
      { "text", &options->round_trip },          { "clone", &options->verify_clone },
      { "progress", &options->verify_progress },
   };
   bool found = false, all = length == 3 && !strncmp(word, "all", 3);

   for (size_t n = 0; n < sizeof(checks) / sizeof(checks[0]); n++) {
      if (all || (strlen(checks[n].name) == length && !strncmp(word, checks[n].name, length)))
         found = *checks[n].flag = true;
   }
   return found;
}

/* False: a word is not known, and a message was printed. */
static bool
read_debug(const char *words, hd_run_options *options, observer *o)
{
   for (const char *s = words; *s; s += *s == ',') {
      size_t length = strcspn(s, ",");
      o->compare |= length == 3 && (!strncmp(s, "run", 3) || !strncmp(s, "all", 3));
      if (length == 3 && !strncmp(s, "run", 3))
         ;
      else if (length == 5 && !strncmp(s, "print", 5))
         o->print = "";
      else if (length == 4 && !strncmp(s, "time", 4))
         o->stats = true;
      else if (length > strlen(SKIP) && !strncmp(s, SKIP, strlen(SKIP))) {
         if (!are_passes("HD_DEBUG", s + strlen(SKIP), length - strlen(SKIP)))
            return false;
      } else if (length && !set_check(options, s, length)) {
         trouble("HD_DEBUG: no word is '%.*s'; HD_DEBUG=help lists them", (int)length, s);
         return false;
      }
      s += length;
   }
   return true;
}

static int
list_passes(void)
{
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      printf("%-24s %s\n", pass->name, pass->meaning);
      for (uint32_t k = 0; k < pass->num_options; k++)
         printf("    %s=%u: %s\n", pass->options[k].name, pass->options[k].value,
                pass->options[k].meaning);
   }
   for (unsigned n = 0; hd_pipeline_get(n); n++) {
      const hd_pipeline *pipeline = hd_pipeline_get(n);
      printf("%-24s %s:\n", pipeline->name, pipeline->meaning);
      for (const char *const *step = pipeline->steps; *step; step++)
         printf("    %s\n", *step);
   }
   return 0;
}

int
read_passes(tool *t, hd_pass_list *list)
{
   const char *passes = option_value(t, "passes"), *level = option_value(t, "optimize");
   char pipeline[20];

   if (!passes == !level)
      return trouble("`heddle %s` wants --passes=LIST or -O LEVEL; `heddle opt --list` shows them",
                     t->command->name);
   if (level) {
      snprintf(pipeline, sizeof(pipeline), "O%.10s", level);
      if (!hd_pipeline_find(pipeline))
         return trouble("there is no level '%s'; `heddle opt --list` shows them", level);
      passes = pipeline;
   }
   const hd_result result = hd_pass_list_parse(list, passes, t->config.diag);
   return result == HD_INVALID ? EXIT_TROUBLE : explain(t, t->command->name, result);
}

static int
optimize(tool *t, const hd_pass_list *list, hd_run_options *options)
{
   hd_blob blob = { 0 };
   int status;

   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   hd_result result = hd_run_passes(shader, list->steps, list->num_steps, options, NULL);
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &blob);
   /* A fault that a check found is the pass's, not the input's. */
   status = result == HD_INVALID ? EXIT_TROUBLE : explain(t, "opt", result);
   bool printed_json = t->json && option_given(t, "stats");
   if (!status && (!printed_json || option_given(t, "output")) &&
       !write_file(option_value(t, "output"), blob.data, blob.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
   return status;
}

int
run_opt(tool *t)
{
   const char *debug = getenv("HD_DEBUG"), *validate = getenv("HD_VALIDATE");
   hd_run_options options = { 0 }, check_all = HD_RUN_CHECK_ALL;
   hd_pass_list list = { 0 };
   observer o = {
      .t = t,
      .skip = option_value(t, "skip"),
      .debug = debug,
      .print = option_value(t, "print-after"),
      .verbose = option_given(t, "verbose"),
      .stats = option_given(t, "stats"),
      .json = t->json,
   };

   if (option_given(t, "list"))
      return list_passes();
   if (debug && !strcmp(debug, "help"))
      return debug_help();
   if (option_given(t, "check") || (validate && !strcmp(validate, "1")))
      options = check_all;
   o.compare = options.validate;
   if (debug && !read_debug(debug, &options, &o))
      return EXIT_TROUBLE;
   if ((o.skip && !are_passes("--skip", o.skip, strlen(o.skip))) ||
       (o.print && !are_passes("--print-after", o.print, strlen(o.print))))
      return EXIT_TROUBLE;
   options.copy_before = o.compare;
   options.watch = (hd_run_watch){ &o, before_pass, after_pass };
   int status = read_passes(t, &list);
   if (!status)
      status = optimize(t, &list, &options);
   hd_pass_list_finish(&list);
   return status;
}
