/* SPDX-License-Identifier: MIT */
/* cmd_structurize.c - heddle structurize, and what all commands share that change the form of
 * control flow.
 */
#include "tool.h"

#include "heddle/structurize.h"
#include "heddle/text.h"

#include "restructure.h"

static void
put_block(const hd_explanation *e, const hd_block *b)
{
   const char *name = hd_block_name(e->function, b);

   fprintf(stderr, "b%u", b->node.index);
   if (name) {
      fputs(" (", stderr);
      print_name(stderr, 0, name);
      fputc(')', stderr);
   }
}

static void
put_json_block(const char *key, const hd_block *b)
{
   if (b)
      fprintf(stderr, ",\"%s\":%u", key, b->node.index);
}

void
put_explanation(void *user, const hd_explanation *e)
{
   const tool *t = user;

   if (t->json) {
      fprintf(stderr, "{\"function\":");
      print_json_string(stderr, e->function->name);
      fprintf(stderr, ",\"added\":");
      print_json_string(stderr, e->added);
      put_json_block("after", e->at);
      put_json_block("for", e->target);
      put_json_block("from", e->from);
      put_json_block("to", e->to);
      fprintf(stderr, ",\"why\":");
      print_json_string(stderr, e->why);
      fprintf(stderr, "}\n");
      return;
   }
   print_name(stderr, '@', e->function->name);
   fprintf(stderr, ": %s", e->added);
   if (e->at) {
      fprintf(stderr, " after ");
      put_block(e, e->at);
   }
   if (e->target) {
      fprintf(stderr, " for ");
      put_block(e, e->target);
   }
   if (e->from) {
      fprintf(stderr, ", edge ");
      put_block(e, e->from);
      fprintf(stderr, " -> ");
      put_block(e, e->to);
   }
   fprintf(stderr, ": %s\n", e->why);
}

static void
add_stats(hd_structurize_stats *to, const hd_structurize_stats *from)
{
   to->branches_before += from->branches_before;
   to->branches_after += from->branches_after;
   to->selector_phis += from->selector_phis;
   to->edge_phis += from->edge_phis;
   to->value_phis += from->value_phis;
   to->instructions += from->instructions;
   to->constants += from->constants;
   to->blocks += from->blocks;
}

static void
put_stats(const tool *t, const hd_structurize_stats *s)
{
   const struct {
      const char *name;
      uint32_t value;
   } rows[] = {
      { "branches_before", s->branches_before },
      { "branches_after", s->branches_after },
      { "selector_phis", s->selector_phis },
      { "edge_phis", s->edge_phis },
      { "value_phis", s->value_phis },
      { "instructions", s->instructions },
      { "constants", s->constants },
      { "blocks", s->blocks },
   };
   const unsigned num = sizeof(rows) / sizeof(rows[0]);

   for (unsigned i = 0; i < num; i++) {
      if (t->json)
         fprintf(stderr, "%s\"%s\":%u%s", i ? "," : "{", rows[i].name, rows[i].value,
                 i + 1 == num ? "}\n" : "");
      else
         fprintf(stderr, "%-16s %u\n", rows[i].name, rows[i].value);
   }
}

int
run_restructure(tool *t, hd_result (*change)(tool *t, hd_function *f, hd_structurize_stats *stats))
{
   hd_structurize_stats sum = { 0 };
   hd_result result = HD_OK;
   hd_blob blob = { 0 };
   int status;
   hd_shader *shader = load_only_shader(t, &status);

   if (!shader)
      return status;
   hd_foreach_function(f, shader) {
      hd_structurize_stats stats = { 0 };
      if (result == HD_OK)
         result = change(t, f, &stats);
      if (result == HD_OK)
         add_stats(&sum, &stats);
   }
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &blob);
   status = explain(t, t->command->name, result);
   if (!status && !write_file(option_value(t, "output"), blob.data, blob.size))
      status = EXIT_TROUBLE;
   if (!status && option_given(t, "stats"))
      put_stats(t, &sum);
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
   return status;
}

static hd_result
structurize(tool *t, hd_function *f, hd_structurize_stats *stats)
{
   const hd_structurize_options options = {
      .user = t,
      .explain = option_given(t, "explain") ? put_explanation : NULL,
      .stats = stats,
   };

   return hd_structurize(f, &options);
}

int
run_structurize(tool *t)
{
   return run_restructure(t, structurize);
}
