/* SPDX-License-Identifier: MIT */
/* explore.c - explorer: the entry point; observes one input after the other, writes the JSON object. */
#include "explore/explore.h"

#include <string.h>

#include "util/quote.h"

void *
hd_explore_grow(struct explorer *x, void *at, uint32_t num, uint32_t *capacity, size_t element)
{
   const uint32_t larger = *capacity ? *capacity * 2 : 32;
   void *grown = hd_stack_alloc(&x->stack, larger * element);

   if (num)
      memcpy(grown, at, num * element);
   *capacity = larger;
   return grown;
}

void
hd_explore_check(struct explorer *x, const hd_blob *blob)
{
   if (blob->result != HD_OK)
      hd_heap_fail(&x->heap, blob->result);
}

const char *
hd_explore_keep(struct explorer *x, const char *string)
{
   const size_t size = strlen(string) + 1;
   char *kept = hd_stack_alloc(&x->stack, size);

   memcpy(kept, string, size);
   return kept;
}

void
hd_explore_string(hd_blob *out, const char *string)
{
   hd_blob_json(out, string, strlen(string));
}

uint64_t
hd_explore_now(const struct explorer *x)
{
   return x->options->clock ? x->options->clock() : 0;
}

void
hd_explore_begin(side *s, struct explorer *x, const hd_explore_input *input)
{
   hd_blob *blobs[] = { &s->lines,       &s->scratch,     &s->text,
                        &s->line,        &s->refusals,    &s->refusal,
                        &s->input_lines, &s->input_words, &s->machine.phases };

   s->x = x;
   s->input = input;
   for (size_t n = 0; n < sizeof(blobs) / sizeof(blobs[0]); n++)
      hd_blob_init(blobs[n], &x->heap.config);
}

void
hd_explore_finish(side *s)
{
   hd_blob_finish(&s->lines);
   hd_blob_finish(&s->scratch);
   hd_blob_finish(&s->text);
   hd_blob_finish(&s->line);
   hd_blob_finish(&s->refusals);
   hd_blob_finish(&s->refusal);
   hd_blob_finish(&s->input_lines);
   hd_blob_finish(&s->input_words);
   hd_blob_finish(&s->machine.phases);
   hd_target_binary_destroy(s->binary);
   hd_explore_free_trace(s->interpreted);
   hd_explore_free_trace(s->simulated);
   hd_shader_destroy(s->copy);
   hd_shader_destroy(s->before);
   hd_shader_destroy(s->located);
   hd_shader_destroy(s->shader);
}

/* What was left out, in words. */
static void
write_cut(const side *s, hd_blob *out)
{
   const struct {
      bool cut;
      const char *words;
   } rows[] = {
      { s->left_out,
        "the text of steps and phases takes more bytes than are allowed: the rest of it "
        "is left out" },
      { s->input_cut, "the input is shown up to a number of bytes" },
      { s->whys_cut, "reasons are shown up to a number of bytes" },
      { s->motion_cut,
        "why instructions may not move was not asked of all: it took too many steps" },
      { s->waves_cut, "only the first waves of the run are shown; the counts are those of all" },
      { s->values_cut, "values of the run are shown up to a number of them" },
   };
   const char *between = "";

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      if (!rows[n].cut)
         continue;
      hd_blob_printf(out, "%s\"%s\"", between, rows[n].words);
      between = ",";
   }
}

static void
write_side(side *s, hd_blob *out)
{
   const hd_explore_input *input = s->input;

   hd_blob_printf(out, "{\"title\":");
   hd_explore_string(out, input->title ? input->title : "");
   hd_blob_printf(out, ",\"name\":");
   hd_explore_string(out, input->shader->name);
   if (input->target) {
      hd_blob_printf(out, ",\"target\":\"%s\",\"lanes\":%u", hd_target_get_name(input->target),
                     hd_target_get_lanes(input->target));
   }
   hd_blob_printf(out, ",\"refused\":%s,\"messages\":[", s->refused ? "true" : "false");
   hd_blob_append(out, s->refusals.data ? s->refusals.data : "", s->refusals.size);
   hd_blob_printf(out, "],\"cut\":[");
   write_cut(s, out);
   hd_blob_printf(out, "],\n");
   hd_explore_write_source(s, out);
   hd_blob_printf(out, ",\n");
   hd_explore_write_steps(s, out);
   hd_blob_printf(out, ",\n");
   hd_explore_write_whys(s, out);
   if (input->target) {
      hd_blob_printf(out, ",\n");
      hd_explore_write_machine(s, out);
   }
   if (s->interpreted) {
      hd_blob_printf(out, ",\n");
      hd_explore_write_launch(s, out);
   }
   hd_blob_printf(out, "}");
}

static void
explore(struct explorer *x, side *sides, unsigned num)
{
   hd_blob *out = x->out;

   hd_blob_printf(out,
                  "{\"format\":\"heddle-explorer\",\"version\":1,\"heddle\":\"%s\",\n"
                  "\"sides\":[",
                  hd_version());
   for (unsigned n = 0; n < num; n++) {
      hd_explore_run(&sides[n]);
      hd_blob_printf(out, n ? ",\n" : "");
      write_side(&sides[n], out);
   }
   hd_blob_printf(out, "]");
   if (num == 2)
      hd_explore_write_comparison(&sides[0], &sides[1], out);
   hd_blob_printf(out, "}\n");
   hd_explore_check(x, out);
}

hd_result
hd_explore(const hd_explore_input *inputs, unsigned num_inputs, const hd_explore_options *options,
           hd_blob *json)
{
   static const hd_explore_options none;
   struct explorer x = { .options = options ? options : &none,
                         .out = json,
                         .num_inputs = num_inputs };
   side sides[2] = { 0 };
   hd_unwind u;

   if (!num_inputs || num_inputs > 2)
      return HD_INVALID;
   hd_heap_init(&x.heap, hd_shader_config(inputs[0].shader));
   x.heap.config.budget.steps = 0;
   hd_stack_init(&x.stack, &x.heap);
   for (unsigned n = 0; n < num_inputs; n++)
      hd_explore_begin(&sides[n], &x, &inputs[n]);
   if (HD_TRY(&x.heap, &u))
      explore(&x, sides, num_inputs);
   const hd_result result = hd_heap_leave(&x.heap, &u);
   for (unsigned n = 0; n < num_inputs; n++)
      hd_explore_finish(&sides[n]);
   hd_stack_finish(&x.stack);
   return result;
}
