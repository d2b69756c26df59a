/* SPDX-License-Identifier: MIT */
/* steps.c - explorer: the shader as it was read, and after each pass. */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"
#include "heddle/clone.h"
#include "util/quote.h"

static const char *const classes[NUM_CLASSES] = {
   [CLASS_ALU] = "arithmetic", [CLASS_CONST] = "constants", [CLASS_PHI] = "phis",
   [CLASS_MEMORY] = "memory",  [CLASS_LANES] = "lanes",     [CLASS_INPUT] = "inputs",
   [CLASS_CONTROL] = "jumps",  [CLASS_OTHER] = "other",
};

/* What the shader is now becomes a step, if it is the first or something changed. */
static void
add_step(side *s, hd_shader *shader, const char *name, const char *meaning, uint64_t nanoseconds,
         bool changed)
{
   step made = { .name = hd_explore_keep(s->x, name),
                 .meaning = meaning,
                 .changed = changed,
                 .nanoseconds = nanoseconds };

   if (changed) {
      rows after = s->older;
      hd_explore_rows(s, shader, &after);
      hd_explore_match(s, &s->rows, &after);
      s->older = s->rows;
      s->rows = after;
      hd_explore_lines(s, &s->rows, &made);
      hd_explore_reserve_labels(s, s->rows.num);
      hd_explore_divergence(s, shader);
      s->last_changed = s->steps.num;
   } else {
      const step *before = &s->steps.at[s->steps.num - 1];
      made.first_run = before->first_run;
      made.num_runs = before->num_runs;
      made.cut = before->cut;
      for (uint32_t n = 0; n < s->nodes.num; n++)
         s->nodes.at[n].last += s->nodes.at[n].last + 1 == s->steps.num;
   }
   memcpy(made.counts, s->rows.counts, sizeof(made.counts));
   *PUSH(s->x, s->steps) = made;
}

/* Callbacks: nothing may be unwound through those who call them. */

static bool
differs(side *s, hd_shader *shader)
{
   rows *now = &s->older;

   hd_explore_rows(s, shader, now);
   if (now->num != s->rows.num)
      return true;
   for (uint32_t n = 0; n < now->num; n++) {
      const row *a = &now->at[n], *b = &s->rows.at[n];
      if (a->kind != b->kind || a->op != b->op || (a->kind == ROW_INSTR && a->label != n + 1))
         return true;
   }
   return false;
}

/* What a backend does before its first pass is a step, too. */
static bool
before_pass(void *user, const hd_pass_run *run)
{
   side *s = user;
   hd_unwind u;

   if (s->failed == HD_OK) {
      if (HD_TRY(&s->x->heap, &u))
         hd_explore_additions(s, run->shader, run->step);
      s->failed = hd_heap_leave(&s->x->heap, &u);
   }
   if (s->failed == HD_OK && !run->number) {
      if (HD_TRY(&s->x->heap, &u) && differs(s, run->shader))
         add_step(s, run->shader, "parameters", "read parameters from memory", 0, true);
      s->failed = hd_heap_leave(&s->x->heap, &u);
      if (s->failed == HD_OK && s->rows.num)
         hd_explore_label(s, run->shader);
   }
   s->began = hd_explore_now(s->x);
   return true;
}

static void
add_pass(side *s, const hd_pass_run *run, uint64_t nanoseconds)
{
   s->text.size = 0;
   hd_pass_step_print(run->step, &s->text);
   hd_explore_check(s->x, &s->text);
   add_step(s, run->shader, s->text.data, run->step->pass->meaning, nanoseconds, run->progress);
}

static hd_result
after_pass(void *user, const hd_pass_run *run)
{
   side *s = user;
   const uint64_t nanoseconds = hd_explore_now(s->x) - s->began;
   hd_unwind u;

   if (s->failed != HD_OK)
      return s->failed;
   if (HD_TRY(&s->x->heap, &u))
      add_pass(s, run, nanoseconds);
   s->failed = hd_heap_leave(&s->x->heap, &u);
   if (s->failed == HD_OK && run->progress)
      hd_explore_label(s, run->shader);
   return s->failed;
}

/* Values in messages are numbered in the order of the text; here they have the numbers of their nodes.
 * The block is a label, which is given separately.
 */
static void
make_message(const side *s, const char *message, hd_blob *text)
{
   const char *label = strstr(message, " @\"\\x01\":");
   const size_t length = label ? (size_t)(label - message) : strlen(message);

   for (size_t n = 0; n < length; n++) {
      size_t end = n + 1;
      uint32_t value = 0, at = 0;
      hd_blob_append(text, message + n, 1);
      while (message[n] == '%' && end < length && message[end] >= '0' && message[end] <= '9')
         value = value * 10 + (uint32_t)(message[end++] - '0');
      if (end == n + 1)
         continue;
      while (at < s->rows.num && (!s->rows.at[at].has_def || value--))
         at++;
      if (at < s->rows.num)
         hd_blob_printf(text, "%" PRIu32, s->nodes.at[s->rows.at[at].node].number);
      n = end - 1;
   }
}

static void
write_message(const side *s, const char *message, hd_blob *out)
{
   hd_blob text;

   hd_blob_init(&text, &s->x->heap.config);
   make_message(s, message, &text);
   hd_blob_json(out, text.data ? text.data : "", text.size);
   if (text.result != HD_OK)
      out->result = text.result;
   hd_blob_finish(&text);
}

/* What refuses the shader says so in the data; labels are places of the newest step. */
static void
hear(void *user, const hd_diag *diag)
{
   side *s = user;
   hd_blob *out = &s->refusals;

   if (out->size)
      hd_blob_append(out, ",", 1);
   hd_blob_printf(out, "{\"severity\":\"%s\",\"message\":",
                  diag->severity == HD_ERROR     ? "error"
                  : diag->severity == HD_WARNING ? "warning"
                                                 : "note");
   write_message(s, diag->message, out);
   if (diag->file && !strcmp(diag->file, LABEL_FILE) && diag->line && diag->line <= s->rows.num &&
       s->rows.at[diag->line - 1].node != NO_NODE)
      hd_blob_printf(out, ",\"node\":%" PRIu32, s->rows.at[diag->line - 1].node);
   hd_blob_append(out, "}", 1);
   if (diag->severity == HD_ERROR && !s->refusal.size)
      make_message(s, diag->message, &s->refusal);
}

/* Is this the end of a run, or of the explorer? A refusal is what is to be shown. */
static void
finish_run(side *s, hd_result result)
{
   if (s->failed != HD_OK)
      result = s->failed;
   if (result == HD_OUT_OF_MEMORY || result == HD_BUDGET_EXCEEDED ||
       (result == HD_INVALID && !s->refusals.size))
      hd_heap_fail(&s->x->heap, result);
   s->refused = result != HD_OK;
}

static void
run_passes(side *s, hd_shader *shader, const hd_observer *observer)
{
   const hd_run_options options = { .watch = observer->passes, .diag = { s, hear } };
   hd_pass_list list = { .allocator = s->x->heap.config.allocator };

   hd_result result = hd_pass_list_parse(&list, s->input->passes, s->x->heap.config.diag);
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, &options, NULL);
   hd_pass_list_finish(&list);
   finish_run(s, result);
}

static void
compile(side *s, const hd_shader *shader, const hd_observer *observer)
{
   hd_compile_options options = s->input->compile ? *s->input->compile : (hd_compile_options){ 0 };

   options.diag = (hd_diag_sink){ s, hear };
   options.user = s;
   options.after_phase = NULL;
   options.observer = observer;
   options.keep_text = true;
   const hd_result result = hd_compile(shader, s->input->target, &options, &s->binary);
   finish_run(s, result);
}

/* In the last step; the copy of it is there. */
static void
explain_motion(side *s)
{
   hd_shader *copy = s->copy;

   s->copy = NULL;
   s->before = copy;
   /* Reasons are those of the newest step. */
   s->steps.num--;
   hd_explore_motion(s, copy);
   s->steps.num++;
}

void
hd_explore_run(side *s)
{
   const hd_observer observer = { .passes = { s, before_pass, after_pass },
                                  .user = s,
                                  .before_phase = hd_explore_before_phase,
                                  .end_phase = hd_explore_end_phase,
                                  .after_phase = hd_explore_after_phase };
   const hd_result result = hd_shader_clone(s->input->shader, NULL, &s->shader);

   if (result != HD_OK)
      hd_heap_fail(&s->x->heap, result);
   hd_shader *shader = s->shader;
   hd_explore_rows(s, shader, &s->rows);
   hd_explore_match(s, &(rows){ 0 }, &s->rows);
   hd_explore_read_source(s);
   step first = { .name = "input", .changed = true };
   hd_explore_lines(s, &s->rows, &first);
   memcpy(first.counts, s->rows.counts, sizeof(first.counts));
   hd_explore_divergence(s, shader);
   *PUSH(s->x, s->steps) = first;
   hd_explore_reserve_labels(s, s->rows.num);
   hd_explore_label(s, shader);
   if (s->input->target)
      compile(s, shader, &observer);
   else if (s->input->passes)
      run_passes(s, shader, &observer);
   explain_motion(s);
   hd_explore_launch(s);
}

/* JSON */

static void
write_step(const side *s, const step *step, hd_blob *out)
{
   hd_blob_printf(out, "{\"name\":");
   hd_explore_string(out, step->name);
   if (step->meaning) {
      hd_blob_printf(out, ",\"meaning\":");
      hd_explore_string(out, step->meaning);
   }
   hd_blob_printf(out, ",\"changed\":%s", step->changed ? "true" : "false");
   if (step->cut)
      hd_blob_printf(out, ",\"cut\":true");
   if (s->x->options->clock)
      hd_blob_printf(out, ",\"nanoseconds\":%" PRIu64, step->nanoseconds);
   hd_blob_printf(out, ",\"counts\":[");
   for (unsigned n = 0; n < NUM_CLASSES; n++)
      hd_blob_printf(out, "%s%" PRIu32, n ? "," : "", step->counts[n]);
   hd_blob_printf(out, "],\"lines\":[");
   for (uint32_t n = 0; n < 2 * step->num_runs; n++)
      hd_blob_printf(out, "%s%" PRIu32, n ? "," : "", s->runs.at[step->first_run + n]);
   hd_blob_printf(out, "]}");
}

/* A node: first and last step, what it was made of, its line of the input, its place. */
static void
write_nodes(const side *s, hd_blob *out)
{
   for (uint32_t n = 0; n < s->nodes.num; n++) {
      const node *at = &s->nodes.at[n];
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu32 ",%d,%" PRIu32 ",%" PRIu32 "]", n ? ",\n" : "",
                     at->first, at->last, at->from == NO_NODE ? -1 : (int)at->from, at->line,
                     at->location);
   }
}

void
hd_explore_write_steps(side *s, hd_blob *out)
{
   hd_blob_printf(out, "\"classes\":[");
   for (unsigned n = 0; n < NUM_CLASSES; n++)
      hd_blob_printf(out, "%s\"%s\"", n ? "," : "", classes[n]);
   hd_blob_printf(out, "],\"lines\":[\n");
   hd_blob_append(out, s->lines.data ? s->lines.data : "", s->lines.size);
   hd_blob_printf(out, "],\"steps\":[\n");
   for (uint32_t n = 0; n < s->steps.num; n++) {
      if (n)
         hd_blob_append(out, ",\n", 2);
      write_step(s, &s->steps.at[n], out);
   }
   hd_blob_printf(out, "],\"nodes\":[\n");
   write_nodes(s, out);
   hd_blob_printf(out, "],\"became\":[");
   for (uint32_t n = 0; n < s->became.num; n++) {
      const became *b = &s->became.at[n];
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", n ? "," : "", b->step, b->old,
                     b->new);
   }
   hd_blob_printf(out, "]");
}
