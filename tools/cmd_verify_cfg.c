/* SPDX-License-Identifier: MIT */
/* cmd_verify_cfg.c - heddle verify-cfg: differential test of the structurizers, on all small CFGs, on
 * given ones, on random ones.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "targets.h"
#include "verify/report.h"
#include "verify/work.h"

#define REDUCE_ATTEMPTS 3000

struct settings {
   work work;
   change changes[MAX_CHANGES]; /* of the structurizers, then one for each machine */
   unsigned num_changes;
   graph *graphs;   /* of --shapes */
   program program; /* of --case */
   crew crew;
   bool json;
};

static bool
number_option(const tool *t, const char *name, uint64_t low, uint64_t high, uint64_t *value)
{
   const char *text = option_value(t, name);
   char *end;

   if (!text)
      return true;
   *value = strtoull(text, &end, 10);
   if (isdigit((unsigned char)*text) && !*end && *value >= low && *value <= high)
      return true;
   trouble("--%s wants a number from %" PRIu64 " to %" PRIu64 ", not '%s'", name, low, high, text);
   return false;
}

/* Names with commas between; the bits of those in a list, in which several may have one name. */
static bool
list_option(const tool *t, const char *name, uint32_t *set, unsigned count,
            const char *const *names)
{
   const char *s = option_value(t, name);

   if (!s)
      return true;
   *set = 0;
   for (;;) {
      const size_t length = strcspn(s, ",");
      uint32_t found = 0;
      for (unsigned n = 0; n < count; n++)
         found |= (uint32_t)(strlen(names[n]) == length && !strncmp(names[n], s, length)) << n;
      if (!found) {
         char list[200] = "";
         for (unsigned n = 0; n < count; n++) {
            const size_t at = strlen(list);
            if (!n || strcmp(names[n], names[n - 1]))
               snprintf(list + at, sizeof(list) - at, "%s%s", n ? ", " : "", names[n]);
         }
         trouble("'%.*s' is none of what --%s chooses from: %s", (int)length, s, name, list);
         return false;
      }
      *set |= found;
      if (!s[length])
         return true;
      s += length + 1;
   }
}

static void
add_change(struct settings *s, change added)
{
   s->changes[s->num_changes++] = added;
}

static void
list_changes(struct settings *s)
{
   const hd_target *target;
   const machine *last = NULL;

   for (unsigned n = 0; n < num_changes; n++)
      add_change(s, changes[n]);
   /* The targets of a machine follow each other. */
   for (unsigned n = 0; (target = hd_target_get(n)); n++) {
      const machine *machine = machine_of(target);
      const char *name = hd_target_get_backend(target);
      if (machine->agrees && machine != last)
         add_change(s, (change){ .name = name,
                                 .group = name,
                                 .after = -1,
                                 .mode = HD_WAVE_SWEEP,
                                 .agrees = machine->agrees });
      last = machine;
   }
}

/* A graph a line; empty lines and those that begin with # are passed over. */
static bool
read_shapes(const tool *t, struct settings *s, const char *path)
{
   char *data;
   size_t size;
   unsigned line = 0;
   uint64_t num = 0, capacity = 0;
   bool good = true;

   if (read_file(t, path, &data, &size))
      return false;
   data = must_grow(data, size + 1);
   data[size] = 0;
   for (char *at = data, *next; at && good; at = next) {
      next = strchr(at, '\n');
      if (next)
         *next++ = 0;
      line++;
      if (!at[strspn(at, " \t\r")] || *at == '#')
         continue;
      if (num == capacity) {
         capacity = capacity * 2 + 64;
         s->graphs = must_grow(s->graphs, capacity * sizeof(*s->graphs));
      }
      s->graphs[num] = (graph){ 0 };
      const char *wrong = graph_read(&s->graphs[num++], at);
      if (wrong)
         trouble("%s:%u: %s", path, line, wrong);
      good = !wrong;
   }
   free(data);
   if (good && !num) {
      trouble("%s: expected a graph, found none", path);
      good = false;
   }
   s->work.source.num = num;
   s->work.source.graphs = s->graphs;
   return good;
}

static bool
read_sizes(const tool *t, source *s)
{
   const char *text = option_value(t, "sizes");
   char *end;

   s->min_blocks = 10;
   s->max_blocks = 300;
   if (!text)
      return true;
   s->min_blocks = (uint32_t)strtoul(text, &end, 10);
   s->max_blocks = *end == '-' ? (uint32_t)strtoul(end + 1, &end, 10) : s->min_blocks;
   if (isdigit((unsigned char)*text) && !*end && s->min_blocks >= 3 &&
       s->max_blocks >= s->min_blocks && s->max_blocks <= 100000)
      return true;
   trouble("--sizes wants MIN-MAX, from 3 to 100000 blocks, not '%s'", text);
   return false;
}

static bool
read_source(const tool *t, struct settings *s)
{
   source *from = &s->work.source;
   uint64_t small = 0, most = 2;
   const char *shapes = option_value(t, "shapes"), *text = option_value(t, "case");
   const unsigned ways = option_given(t, "blocks") + option_given(t, "random") +
                         option_given(t, "shapes") + option_given(t, "case");

   if (ways != 1) {
      trouble("expected one of --blocks, --shapes, --random and --case, found none");
      return false;
   }
   if (!number_option(t, "blocks", 1, SMALL_GRAPH_MAX, &small) ||
       !number_option(t, "ways", 2, SMALL_GRAPH_MAX_WAYS, &most) ||
       !number_option(t, "random", 1, UINT32_MAX, &from->num) || !read_sizes(t, from) ||
       !number_option(t, "seed", 0, UINT64_MAX, &from->seed))
      return false;
   if (option_given(t, "ways") && !small) {
      trouble("--ways needs --blocks");
      return false;
   }
   from->small = (int)small;
   from->most = (unsigned)most;
   if (shapes && !read_shapes(t, s, shapes))
      return false;
   const char *wrong = text ? case_read(&s->program, &s->crew, text) : NULL;
   if (wrong)
      trouble("--case: %s", wrong);
   return !wrong;
}

static bool
read_settings(const tool *t, struct settings *s)
{
   work *w = &s->work;
   const char *groups[MAX_CHANGES];
   const long processors = sysconf(_SC_NPROCESSORS_ONLN);
   uint64_t jobs = processors > 0 && processors < 200 ? (uint64_t)processors : 1, seconds = 60;

   list_changes(s);
   for (unsigned n = 0; n < s->num_changes; n++)
      groups[n] = s->changes[n].group;
   w->options = (judge_options){ s->changes, s->num_changes, (1u << s->num_changes) - 1, false };
   w->variants = (1u << NUM_VARIANTS) - 1;
   w->share = 1;
   s->json = t->json;
   if (!read_source(t, s) || !number_option(t, "from", 0, UINT64_MAX / 2, &w->first) ||
       !number_option(t, "share", 1, UINT32_MAX, &w->share) ||
       !number_option(t, "jobs", 1, 200, &jobs) ||
       !number_option(t, "seconds", 1, 100000, &seconds) ||
       !list_option(t, "only", &w->options.chosen, s->num_changes, groups) ||
       !list_option(t, "programs", &w->variants, NUM_VARIANTS, variant_names))
      return false;
   w->jobs = (unsigned)jobs;
   w->seconds = (unsigned)seconds;
   w->resume = option_value(t, "resume");
   w->progress = isatty(STDERR_FILENO) && !option_given(t, "quiet");
   if (option_given(t, "per-graph")) {
      w->per_graph = stdout;
      w->jobs = 1;
      w->progress = false;
   }
   return true;
}

/* The same text again: what a failure was reduced to, or what somebody wrote. */
static int
judge_case(struct settings *s)
{
   tally t = { 0 };
   failure why = { 0 };
   judge_options options = s->work.options;

   if (!program_is_valid(&s->program))
      return trouble("--case: a declared loop or member does not fit the graph"), EXIT_BAD_INPUT;
   options.count = true;
   const bool good = judge_program(&s->program, &options, s->crew.width ? &s->crew : NULL,
                                   s->crew.width ? 1 : 0, &t, &why);
   if (!good)
      report_failure(&s->program, &options, &why, stdout);
   t.graphs = 1;
   report_tally(&t, &options, s->json, stdout);
   crew_free(&why.crew);
   return good ? 0 : EXIT_BAD_INPUT;
}

static void
report_place(struct settings *s, const place *at)
{
   failure why = { 0 };
   judge_options options = s->work.options;

   printf("graph %" PRIu64 ", program %s\n", at->graph, variant_names[at->variant]);
   fflush(stdout);
   if (!work_program(&s->work, at, &s->program) ||
       judge_apart(&s->program, &options, NULL, 0, s->work.seconds, &why)) {
      printf("  it does not fail again\n");
      return;
   }
   printf("  as found: %s\n", why.what);
   fflush(stdout);
   reduce_failure(&s->program, &options, REDUCE_ATTEMPTS, &why);
   report_failure(&s->program, &options, &why, stdout);
   crew_free(&why.crew);
}

static int
judge_work(struct settings *s)
{
   place places[MAX_PLACES];
   unsigned num_places;
   tally t;

   if (!s->json)
      printf("seed %" PRIu64 "\n", s->work.source.seed);
   if (!work_run(&s->work, &t, places, &num_places))
      return EXIT_TROUBLE;
   report_tally(&t, &s->work.options, s->json, stdout);
   const uint64_t expected =
       s->work.source.small && s->work.share == 1 && s->work.first == 0 && !num_places
           ? small_graphs_count(s->work.source.small, s->work.source.most)
           : 0;
   if (expected && t.graphs != expected)
      return trouble("%" PRIu64 " graphs were judged, not %" PRIu64, t.graphs, expected);
   for (unsigned n = 0; n < num_places; n++) {
      /* The first is made small; of the others one knows where they are. */
      if (n == 0)
         report_place(s, &places[n]);
      else
         printf("also: graph %" PRIu64 ", program %s\n", places[n].graph,
                variant_names[places[n].variant]);
   }
   return num_places ? EXIT_BAD_INPUT : 0;
}

int
run_verify_cfg(tool *t)
{
   struct settings s = { 0 };
   int status = EXIT_TROUBLE;

   if (t->num_operands)
      status = trouble("`heddle verify-cfg` takes no operand, found '%s'", t->operands[0]);
   else if (read_settings(t, &s))
      status = option_given(t, "case") ? judge_case(&s) : judge_work(&s);
   for (uint64_t n = 0; n < s.work.source.num && s.graphs; n++)
      graph_free(&s.graphs[n]);
   free(s.graphs);
   graph_free(&s.program.graph);
   crew_free(&s.crew);
   return status;
}
