/* SPDX-License-Identifier: MIT */
/* cmd_compare.c - heddle compare: what a shader becomes on every target, side by side. */
#include "launch.h"
#include "targets.h"

#include "heddle/explore.h"
#include "heddle/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS 64
/* Of each run: without its memories a shader may run for ever. */
#define DEFAULT_LIMIT 100000

/* Where the shader's diagnostics go. */
typedef struct watch {
   hd_diag_sink shown; /* while it is read */
   hd_blob *message;   /* the first of a compilation; NULL: there is none */
} watch;

/* A target with a lowering. */
typedef struct row {
   const hd_target *target;
   unsigned lowering;
   char title[48];
   void *own; /* options of the machine */
   hd_compile_options compile;
} row;

/* All of them, and how they are run. */
typedef struct comparison {
   tool *t;
   hd_shader *shader;
   row rows[MAX_ROWS];
   hd_explore_input inputs[MAX_ROWS];
   hd_explore_lane_use uses[MAX_ROWS];
   unsigned num;
   struct launch_arguments launch;
   bool runs; /* the launch is given */
} comparison;

static void
report(void *user, const hd_diag *diag)
{
   const watch *w = user;

   if (!w->message)
      w->shown.report(w->shown.user, diag);
   else if (!w->message->size)
      hd_blob_printf(w->message, "%s", diag->message);
}

static const char *
lowering_name(const row *r)
{
   return machine_of(r->target)->lowerings[r->lowering];
}

/* Per mille of the lanes. */
static unsigned
part_used(const hd_explore_lane_use *use)
{
   return use->room ? (unsigned)(use->lanes * 1000 / use->room) : 0;
}

static void
print_heading(bool runs)
{
   printf("%-8s %-13s %12s %6s %9s %8s %8s %8s", "target", "lowering", "instructions", "masks",
          "branches", "scalars", "vectors", "bytes");
   puts(runs ? "     issued   lanes" : "");
}

/* `use` NULL: it was not run. */
static void
print_figures(const row *r, const figures *f, const hd_explore_lane_use *use)
{
   printf("%-8s %-13s %12" PRIu32 " %6" PRIu32 " %9" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32,
          hd_target_get_name(r->target), lowering_name(r), f->instructions, f->mask_instructions,
          f->branches, f->scalars, f->vectors, f->bytes);
   if (use)
      printf(" %10" PRIu64 " %4u.%u%%", use->issued, part_used(use) / 10, part_used(use) % 10);
   putchar('\n');
}

static void
print_json_figures(const figures *f, const hd_explore_lane_use *use)
{
   printf("\"instructions\":%" PRIu32 ",\"masks\":%" PRIu32 ",\"branches\":%" PRIu32
          ",\"scalars\":%" PRIu32 ",\"vectors\":%" PRIu32 ",\"bytes\":%" PRIu32,
          f->instructions, f->mask_instructions, f->branches, f->scalars, f->vectors, f->bytes);
   if (use)
      printf(",\"issued\":%" PRIu64 ",\"lanes\":%" PRIu64 ",\"lane_slots\":%" PRIu64, use->issued,
             use->lanes, use->room);
   puts("}");
}

/* `refusal` NULL: there are figures. */
static void
print_row(const tool *t, const row *r, const figures *f, const hd_explore_lane_use *use,
          const char *refusal)
{
   if (t->json) {
      printf("{\"target\":\"%s\",\"lowering\":\"%s\",", hd_target_get_name(r->target),
             lowering_name(r));
      if (!refusal) {
         print_json_figures(f, use);
         return;
      }
      fputs("\"refused\":", stdout);
      print_json_string(stdout, refusal);
      puts("}");
   } else if (refusal) {
      printf("%-8s %-13s refused: %s\n", hd_target_get_name(r->target), lowering_name(r), refusal);
   } else {
      print_figures(r, f, use);
   }
}

static void
list_rows(comparison *c)
{
   for (unsigned n = 0; n < hd_num_targets(); n++) {
      const hd_target *target = hd_target_get(n);
      for (unsigned k = 0; machine_of(target)->lowerings[k] && c->num < MAX_ROWS; k++) {
         row *r = &c->rows[c->num++];
         *r = (row){ .target = target, .lowering = k };
         snprintf(r->title, sizeof(r->title), "%s %s", hd_target_get_name(target),
                  lowering_name(r));
      }
   }
}

/* *any is set where one takes the shader. HD_OK, or what ended it besides a refusal. */
static hd_result
print_one(comparison *c, watch *w, unsigned n, bool *any)
{
   const row *r = &c->rows[n];
   hd_blob message = { 0 };
   const char *refusal = NULL;
   figures f = { 0 };

   w->message = &message;
   hd_result result =
       measure_shader(r->target, r->lowering, c->shader, c->runs ? &c->launch.launch : NULL, &f);
   w->message = NULL;
   if (message.result != HD_OK) {
      result = message.result;
   } else if (result == HD_UNSUPPORTED || result == HD_INVALID) {
      refusal = message.size ? message.data : hd_result_name(result);
      result = HD_OK;
   }
   if (result == HD_OK)
      print_row(c->t, r, &f, c->runs ? &c->uses[n] : NULL, refusal);
   *any |= result == HD_OK && !refusal;
   hd_blob_finish(&message);
   return result;
}

/* The figures under a picture. */
static hd_result
prepare_runs(comparison *c)
{
   for (unsigned n = 0; n < c->num; n++) {
      row *r = &c->rows[n];
      const machine *machine = machine_of(r->target);
      hd_result result = HD_OK;

      if (machine->create_options)
         result = machine->create_options(c->shader, &c->launch.launch, r->lowering, &r->own);
      if (result != HD_OK)
         return result;
      r->compile = (hd_compile_options){ .own = r->own };
      c->inputs[n] = (hd_explore_input){
         .title = r->title,
         .shader = c->shader,
         .target = r->target,
         .compile = &r->compile,
         .launch = &c->launch.launch,
         .user = r->own,
         .simulate = machine->simulate,
         .measure = measure_binary,
      };
   }
   return HD_OK;
}

static int
write_picture(const tool *t, const hd_blob *svg)
{
   static const char head[] =
       "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>\n"
       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
       "'none'; style-src 'unsafe-inline'\"/>\n"
       "<title>heddle compare</title></head>\n<body>\n";
   const char *path = option_value(t, "output");
   const bool html = option_given(t, "html") || !has_suffix(path, ".svg");
   hd_blob page = { 0 };
   int status = 0;

   if (html)
      hd_blob_printf(&page, "%s", head);
   hd_blob_append(&page, svg->data, svg->size);
   if (html)
      hd_blob_printf(&page, "</body>\n</html>\n");
   status = explain(t, "compare", page.result);
   if (!status && !write_file(path, page.data, page.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&page);
   return status;
}

static bool
takes_any(const comparison *c)
{
   for (unsigned n = 0; n < c->num; n++) {
      if (c->uses[n].issued)
         return true;
   }
   return false;
}

/* Run them all; a picture where that is asked for, a table otherwise. */
static int
run_rows(comparison *c, bool picture)
{
   hd_blob svg = { 0 };
   hd_result result = prepare_runs(c);

   if (result == HD_OK)
      result = hd_explore_lanes(c->inputs, c->num, c->uses, picture ? &svg : NULL);
   int status = explain(c->t, "compare", result);
   if (!status && picture)
      status = write_picture(c->t, &svg);
   if (!status && picture && !takes_any(c))
      status = EXIT_BAD_INPUT;
   hd_blob_finish(&svg);
   return status;
}

static int
print_table(comparison *c, watch *w)
{
   hd_result result = HD_OK;
   bool any = false;

   if (!c->t->json)
      print_heading(c->runs);
   for (unsigned n = 0; n < c->num && result == HD_OK; n++)
      result = print_one(c, w, n, &any);
   if (result != HD_OK)
      return explain(c->t, c->t->num_operands ? c->t->operands[0] : "<stdin>", result);
   return any ? 0 : EXIT_BAD_INPUT;
}

static bool
wants_picture(const tool *t)
{
   return option_given(t, "html") || option_given(t, "output");
}

/* The options, the shader and its memories: 0, or the exit code after a message. */
static int
read_all(comparison *c)
{
   tool *t = c->t;
   const char *path = option_value(t, "output");
   int status;

   if (path && !option_given(t, "html") && !has_suffix(path, ".svg") && !has_suffix(path, ".html"))
      return trouble("--output ends in .svg or .html, not '%s'", path);
   if (!read_launch_options(&c->launch))
      return EXIT_TROUBLE;
   if (!option_given(t, "limit"))
      c->launch.launch.max_steps = DEFAULT_LIMIT;
   c->shader = load_shader(t, t->num_operands ? t->operands[0] : "-", &status);
   if (!c->shader)
      return status;
   c->launch.shader = c->shader;
   c->runs = t->num_operands > 1 || option_given(t, "groups") || option_given(t, "grid");
   if (!c->runs && !wants_picture(t))
      return 0;
   return read_launch_memories(&c->launch) ? 0 : EXIT_TROUBLE;
}

int
run_compare(tool *t)
{
   watch w = { .shown = t->config.diag };
   comparison *c;

   if (!hd_num_targets())
      return trouble("this build has no backend: there is no target");
   t->config.diag = (hd_diag_sink){ &w, report };
   c = calloc(1, sizeof(*c));
   if (!c)
      return explain(t, "compare", HD_OUT_OF_MEMORY);
   c->t = c->launch.t = t;
   t->wants_info = true;
   list_rows(c);
   int status = read_all(c);
   const bool picture = wants_picture(t);
   if (!status && (picture || c->runs))
      status = run_rows(c, picture);
   if (!status && !picture)
      status = print_table(c, &w);
   for (unsigned n = 0; n < c->num; n++) {
      if (c->rows[n].own)
         machine_of(c->rows[n].target)->destroy_options(c->shader, c->rows[n].own);
   }
   free_launch(&c->launch);
   hd_spirv_info_destroy(t->spirv_info);
   hd_shader_destroy(c->shader);
   free(c);
   return status;
}
