/* SPDX-License-Identifier: MIT */
/* report.c - sums, and failures with all that is needed to look at them. */
#include "report.h"

#include "heddle/text.h"

#include <inttypes.h>

static void
tally_as_json(const tally *t, const judge_options *options, FILE *file)
{
   const char *comma = "";

   fprintf(file,
           "{\"graphs\":%" PRIu64 ",\"programs\":%" PRIu64 ",\"runs\":%" PRIu64
           ",\"waves\":%" PRIu64 ",\"failures\":%" PRIu64 ",\"changes\":{",
           t->graphs, t->programs, t->runs, t->waves, t->failures);
   for (unsigned n = 0; n < options->num_changes; n++) {
      if (!t->by_change[n].programs)
         continue;
      fprintf(file,
              "%s\"%s\":{\"programs\":%" PRIu64 ",\"branches\":%" PRIu64 ",\"tests\":%" PRId64
              ",\"selector_phis\":%" PRIu64 ",\"edge_phis\":%" PRIu64 ",\"value_phis\":%" PRIu64
              ",\"instructions\":%" PRIu64 ",\"constants\":%" PRIu64 ",\"blocks\":%" PRIu64 "}",
              comma, options->changes[n].name, t->by_change[n].programs,
              t->by_change[n].branches_before,
              (int64_t)(t->by_change[n].branches_after - t->by_change[n].branches_before),
              t->by_change[n].selector_phis, t->by_change[n].edge_phis, t->by_change[n].value_phis,
              t->by_change[n].instructions, t->by_change[n].constants, t->by_change[n].blocks);
      comma = ",";
   }
   fputs("}}\n", file);
}

void
report_tally(const tally *t, const judge_options *options, bool json, FILE *file)
{
   bool any = false;

   if (json) {
      tally_as_json(t, options, file);
      return;
   }
   fprintf(file,
           "%" PRIu64 " graphs, %" PRIu64 " programs, %" PRIu64 " runs of %" PRIu64
           " waves, %" PRIu64 " failed\n",
           t->graphs, t->programs, t->runs, t->waves, t->failures);
   for (unsigned n = 0; n < options->num_changes; n++)
      any |= t->by_change[n].programs != 0;
   if (!any)
      return;
   fprintf(file,
           "added to plain programs   branches     tests  selector phis  edge phis  value phis"
           "  instructions\n");
   for (unsigned n = 0; n < options->num_changes; n++) {
      if (!t->by_change[n].programs)
         continue;
      fprintf(file,
              "  %-20s %12" PRIu64 " %9" PRId64 " %14" PRIu64 " %10" PRIu64 " %11" PRIu64
              " %13" PRIu64 "\n",
              options->changes[n].name, t->by_change[n].branches_before,
              (int64_t)(t->by_change[n].branches_after - t->by_change[n].branches_before),
              t->by_change[n].selector_phis, t->by_change[n].edge_phis, t->by_change[n].value_phis,
              t->by_change[n].instructions);
   }
}

static void
print_program(const program *p, FILE *file)
{
   hd_shader *shader = program_build(p, NULL);
   hd_blob text = { 0 };

   if (shader && hd_print_shader(shader, NULL, &text) == HD_OK)
      fwrite(text.data, 1, text.size, file);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
}

void
report_failure(const program *p, const judge_options *options, const failure *why, FILE *file)
{
   const change *c = why->change >= 0 ? &options->changes[why->change] : NULL;

   fprintf(file, "%s: %s\n", c ? c->name : "the input", why->what);
   fputs("  graph:  ", file);
   graph_write(&p->graph, file);
   fprintf(file, "\n  repeat: heddle verify-cfg --only=%s --case='", c ? c->group : "identity");
   case_write(p, &why->crew, file);
   fputs("'\n\n", file);
   print_program(p, file);
}
