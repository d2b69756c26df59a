/* SPDX-License-Identifier: MIT */
/* source.c - explorer: the input text, the line that each node comes from, and the sources that debug
 * locations refer to.
 */
#include <inttypes.h>
#include <string.h>

#include "explore/explore.h"
#include "heddle/binary.h"
#include "heddle/text.h"

/* The lines of a text, as members of an array of JSON. False: they take more than `most` bytes, and the
 * rest is left out.
 */
static bool
write_lines(const char *text, size_t size, size_t most, hd_blob *out)
{
   const size_t before = out->size;
   const char *end = text + size;

   for (const char *line = text; line < end;) {
      const char *newline = memchr(line, '\n', (size_t)(end - line));
      const char *stop = newline ? newline : end;
      hd_blob_append(out, line == text ? "" : ",\n", line == text ? 0 : 2);
      hd_blob_json(out, line, (size_t)(stop - line) - (stop > line && stop[-1] == '\r'));
      line = stop + 1;
      if (out->size - before > most)
         return line >= end;
   }
   return true;
}

static bool
is_module(const void *data, size_t size)
{
   uint32_t magic = 0;

   if (size >= sizeof(magic))
      memcpy(&magic, data, sizeof(magic));
   return magic == 0x07230203;
}

/* The same shader, with the lines of what it was read from as locations. NULL: it cannot be read
 * like that.
 */
static hd_shader *
read_located(side *s)
{
   const hd_explore_input *input = s->input;
   const hd_config config = { .allocator = s->x->heap.config.allocator };
   hd_shader *located = NULL;
   hd_result result;

   if (input->data && is_module(input->data, input->size)) {
      hd_spirv_options options = input->spirv ? *input->spirv : (hd_spirv_options){ 0 };
      options.locate_words = true;
      s->input_kind = "spirv";
      hd_explore_module(s, input->data, input->size / 4);
      result = hd_spirv_to_shader(input->data, input->size / 4, &options, &config, &located);
   } else {
      const bool is_text = input->data && !hd_is_binary(input->data, input->size);
      s->input_kind = is_text ? "text" : "printed";
      s->text.size = 0;
      if (!is_text)
         hd_print_shader(input->shader, NULL, &s->text);
      hd_explore_check(s->x, &s->text);
      const char *text = is_text ? input->data : s->text.data;
      const size_t size = is_text ? input->size : s->text.size;
      s->input_cut = !write_lines(text, size, hd_explore_room(s->x) / 8, &s->input_lines);
      hd_explore_check(s->x, &s->input_lines);
      result = hd_parse_located(&config, NULL, text, size, &located);
   }
   if (result == HD_OUT_OF_MEMORY || result == HD_BUDGET_EXCEEDED)
      hd_heap_fail(&s->x->heap, result);
   return result == HD_OK ? located : NULL;
}

static uint32_t
line_of(const hd_shader *shader, uint32_t location)
{
   return location < shader->num_locations ? shader->locations[location].line : 0;
}

static uint32_t
file_number(side *s, const char *name)
{
   for (uint32_t n = s->files.num; n-- > 0;) {
      if (!strcmp(s->files.at[n], name))
         return n;
   }
   *PUSH(s->x, s->files) = hd_explore_keep(s->x, name);
   return s->files.num - 1;
}

/* The positions of the shader's locations, by their numbers. */
static void
find_places(side *s)
{
   const hd_shader *shader = s->input->shader;

   *PUSH(s->x, s->places) = (place){ 0 };
   for (uint32_t n = 1; n < shader->num_locations; n++) {
      const hd_location *at = &shader->locations[n];
      const uint32_t file = file_number(s, at->file ? at->file : "");
      *PUSH(s->x, s->places) = (place){ file, at->line, at->column };
   }
}

static uint32_t
location_of(const row *at)
{
   return at->kind == ROW_INSTR ? at->object.instr->loc : at->object.cf->loc;
}

/* Rows of the same shader, read twice, stand side by side. */
static void
take_lines(side *s, hd_shader *located)
{
   rows lines = { 0 };

   hd_explore_rows(s, located, &lines);
   if (lines.num != s->rows.num)
      return;
   for (uint32_t n = 0; n < lines.num; n++) {
      const uint32_t node = s->rows.at[n].node;
      if (node != NO_NODE)
         s->nodes.at[node].line = line_of(located, location_of(&lines.at[n]));
   }
}

void
hd_explore_read_source(side *s)
{
   find_places(s);
   for (uint32_t n = 0; n < s->rows.num; n++) {
      const row *at = &s->rows.at[n];
      if (at->node != NO_NODE && location_of(at) < s->places.num)
         s->nodes.at[at->node].location = location_of(at);
   }
   s->located = read_located(s);
   if (s->located)
      take_lines(s, s->located);
}

static const char *
base_name(const char *name)
{
   const char *slash = strrchr(name, '/');

   return slash ? slash + 1 : name;
}

static bool
is_named(const hd_explore_source *source, const char *name)
{
   return !strcmp(source->name, name) || !strcmp(base_name(source->name), base_name(name));
}

/* The text of a source: one that was given under this name or its last part, or that of the module. */
static const hd_explore_source *
find_source(const side *s, const char *name)
{
   for (unsigned n = 0; n < s->input->num_sources; n++) {
      if (is_named(&s->input->sources[n], name))
         return &s->input->sources[n];
   }
   for (uint32_t n = 0; n < s->own_sources.num; n++) {
      if (!strcmp(s->own_sources.at[n].name, name))
         return &s->own_sources.at[n];
   }
   return NULL;
}

static void
write_file(hd_blob *out, const char *name, const char *text, size_t size)
{
   hd_blob_printf(out, "{\"name\":");
   hd_explore_string(out, name);
   if (text) {
      hd_blob_printf(out, ",\"lines\":[");
      write_lines(text, size, SIZE_MAX, out);
      hd_blob_printf(out, "]");
   }
   hd_blob_printf(out, "}");
}

void
hd_explore_write_source(side *s, hd_blob *out)
{
   hd_blob_printf(out, "\"files\":[");
   for (uint32_t n = 0; n < s->files.num; n++) {
      const hd_explore_source *source = find_source(s, s->files.at[n]);
      hd_blob_printf(out, n ? "," : "");
      write_file(out, s->files.at[n], source ? source->text : NULL, source ? source->size : 0);
   }
   /* What was given is shown, also if no location names it. */
   uint32_t num = s->files.num;
   for (unsigned n = 0; n < s->input->num_sources; n++) {
      const hd_explore_source *given = &s->input->sources[n];
      bool is_there = false;
      for (uint32_t k = 0; k < s->files.num && !is_there; k++)
         is_there = is_named(given, s->files.at[k]);
      if (is_there)
         continue;
      hd_blob_printf(out, num++ ? "," : "");
      write_file(out, given->name, given->text, given->size);
   }
   hd_blob_printf(out, "],\"places\":[");
   for (uint32_t n = 0; n < s->places.num; n++) {
      const place *p = &s->places.at[n];
      hd_blob_printf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", n ? "," : "", p->file, p->line,
                     p->column);
   }
   hd_blob_printf(out, "],\n\"input\":{\"kind\":\"%s\",\"lines\":[", s->input_kind);
   hd_blob_append(out, s->input_lines.data ? s->input_lines.data : "", s->input_lines.size);
   if (s->input_words.size)
      hd_blob_printf(out, "],\"words\":[%s", s->input_words.data);
   hd_blob_printf(out, "]}");
}
