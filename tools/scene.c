/* SPDX-License-Identifier: MIT */
/* scene.c - read what --draw describes. */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

/* Words */

static bool
wrong(const struct scene *s, const char *word, const char *expected)
{
   trouble("%s:%u: '%s', expected %s", s->name, s->line, word ? word : "", expected);
   return false;
}

/* The next word of the line, or NULL; words are cut in place. */
static char *
next_word(char **at)
{
   char *word = *at + strspn(*at, " \t\r");

   if (!*word || *word == '#') {
      *at = word;
      return NULL;
   }
   char *end = word + strcspn(word, " \t\r");
   *at = *end ? end + 1 : end;
   *end = 0;
   return word;
}

static bool
find(const char *word, const char *const *words, unsigned num, unsigned *which)
{
   for (*which = 0; word && *which < num; ++*which) {
      if (!strcmp(word, words[*which]))
         return true;
   }
   return false;
}

#define FIND(word, words, which) find(word, words, sizeof(words) / sizeof((words)[0]), which)

static bool
read_number(const struct scene *s, const char *word, uint32_t *out)
{
   const char *end;
   uint64_t n;

   if (!word || !parse_number(word, &end, &n) || *end || n > UINT32_MAX)
      return wrong(s, word, "a number");
   *out = (uint32_t)n;
   return true;
}

static bool
read_integer(const struct scene *s, const char *word, int32_t *out)
{
   uint32_t n;

   if (!word || !read_number(s, word + (*word == '-'), &n))
      return word ? false : wrong(s, word, "a number");
   *out = *word == '-' ? (int32_t) - (int64_t)n : (int32_t)n;
   return true;
}

static bool
read_float(const struct scene *s, const char *word, float *out)
{
   char *end = NULL;

   if (word)
      *out = strtof(word, &end);
   if (!word || end == word || *end)
      return wrong(s, word, "a number");
   return true;
}

/* What follows "KEY=", or NULL. */
static char *
value_of(char *word, const char *key)
{
   const size_t length = strlen(key);

   return !strncmp(word, key, length) && word[length] == '=' ? word + length + 1 : NULL;
}

/* Vertices */

static const char *const topologies[HD_NUM_TOPOLOGIES] = {
   [HD_TOPOLOGY_POINT_LIST] = "point_list",         [HD_TOPOLOGY_LINE_LIST] = "line_list",
   [HD_TOPOLOGY_LINE_STRIP] = "line_strip",         [HD_TOPOLOGY_TRIANGLE_LIST] = "triangle_list",
   [HD_TOPOLOGY_TRIANGLE_STRIP] = "triangle_strip", [HD_TOPOLOGY_TRIANGLE_FAN] = "triangle_fan",
};

static bool
read_topology(struct scene *s, char *at)
{
   const char *word = next_word(&at);
   unsigned n;

   if (!FIND(word, topologies, &n))
      return wrong(
          s, word,
          "point_list, line_list, line_strip, triangle_list, triangle_strip or triangle_fan");
   s->draw.topology = (hd_topology)n;
   return true;
}

static bool
read_vertices(struct scene *s, char *at)
{
   const char *count = next_word(&at), *first = next_word(&at);

   s->has_counts = true;
   return read_number(s, count, &s->draw.num_vertices) &&
          (!first || read_number(s, first, &s->draw.first_vertex));
}

static bool
read_instances(struct scene *s, char *at)
{
   const char *count = next_word(&at), *first = next_word(&at);

   return read_number(s, count, &s->draw.num_instances) &&
          (!first || read_number(s, first, &s->draw.first_instance));
}

/* Bytes as the operands of the command have them. */
static bool
read_bytes(const struct scene *s, struct memory *m, const char *word, const char *expected)
{
   if (m->data)
      return wrong(s, word, expected);
   m->operand = word;
   return parse_memory(s->t, m, word);
}

static bool
read_buffer(struct scene *s, char *at)
{
   static const char expected[] = "stride=N, instance or the bytes of a buffer";
   struct memory *m = &s->memories[s->draw.num_buffers];
   hd_vertex_buffer *buffer = &s->buffers[s->draw.num_buffers];
   char *word;

   if (s->draw.num_buffers == MAX_SCENE_BUFFERS)
      return wrong(s, "buffer", "no more buffers");
   while ((word = next_word(&at))) {
      const char *stride = value_of(word, "stride");
      if (!strcmp(word, "instance"))
         buffer->per_instance = true;
      else if (stride ? !read_number(s, stride, &buffer->stride)
                      : !read_bytes(s, m, word, expected))
         return false;
   }
   if (!m->data)
      return wrong(s, "", expected);
   buffer->memory = (hd_wave_memory){ m->data, NULL, m->size };
   s->draw.num_buffers++;
   return true;
}

static bool
read_attribute(struct scene *s, char *at)
{
   hd_vertex_attribute *a = &s->attributes[s->draw.num_attributes];
   const char *location = next_word(&at), *buffer = next_word(&at), *offset = next_word(&at),
              *format = next_word(&at);

   if (s->draw.num_attributes == MAX_SCENE_ATTRIBUTES)
      return wrong(s, "attribute", "no more attributes");
   if (!read_number(s, location, &a->location) || !read_number(s, buffer, &a->buffer) ||
       !read_number(s, offset, &a->offset))
      return false;
   s->draw.num_attributes++;
   if (format && !strncmp(format, "bytes=", 6))
      return read_number(s, format + 6, &a->size);
   a->format = hd_texel_format_from_name(format ? format : "");
   return a->format != HD_NUM_TEXEL_FORMATS ? true : wrong(s, format, "a format or bytes=N");
}

static bool
read_indices(struct scene *s, char *at)
{
   static const char expected[] = "restart, offset=N or the bytes of indices";
   struct memory *m = &s->memories[MAX_SCENE_BUFFERS];
   char *word;

   while ((word = next_word(&at))) {
      const char *offset = value_of(word, "offset");
      if (!strcmp(word, "restart"))
         s->draw.primitive_restart = true;
      else if (offset ? !read_integer(s, offset, &s->draw.vertex_offset)
                      : !read_bytes(s, m, word, expected))
         return false;
   }
   if (!m->data)
      return wrong(s, "", expected);
   s->indices = (hd_wave_memory){ m->data, NULL, m->size };
   s->draw.indices = &s->indices;
   s->draw.index_size = memory_element_size(m);
   if (!s->has_counts)
      s->draw.num_vertices = (uint32_t)(m->size / s->draw.index_size);
   return true;
}

/* The framebuffer */

static bool
read_size(struct scene *s, char *at)
{
   const char *width = next_word(&at), *height = next_word(&at);
   char *word;

   if (!read_number(s, width, &s->width) || !read_number(s, height, &s->height))
      return false;
   while ((word = next_word(&at))) {
      const char *layers = value_of(word, "layers"), *samples = value_of(word, "samples");
      if (!layers && !samples)
         return wrong(s, word, "layers=N or samples=N");
      if (!read_number(s, layers ? layers : samples, layers ? &s->layers : &s->samples))
         return false;
   }
   return true;
}

static bool
is_integer_format(const char *name)
{
   const size_t length = strlen(name);

   return length > 4 && !strcmp(name + length - 3, "int");
}

/* "R,G,B,A": the missing ones are 0. */
static bool
read_clear(const struct scene *s, char *value, bool integer, uint32_t clear[4])
{
   for (unsigned n = 0; n < 4 && *value; n++) {
      char *end = value + strcspn(value, ",");
      const bool more = *end != 0;
      float f = 0;
      *end = 0;
      if (integer ? !read_integer(s, value, (int32_t *)&clear[n]) : !read_float(s, value, &f))
         return false;
      if (!integer)
         memcpy(&clear[n], &f, sizeof(f));
      value = end + more;
   }
   return *value ? wrong(s, value, "up to four numbers") : true;
}

static bool
set_file(const struct scene *s, struct target *target, const char *name)
{
   free(target->file);
   target->file = malloc(strlen(name) + 1);
   if (!target->file)
      return wrong(s, name, "memory");
   strcpy(target->file, name);
   return true;
}

/* clear=COLOR and file=NAME, of every attachment; false, *known set to false: it is another word. */
static bool
read_target_word(struct scene *s, struct target *target, char *word, bool integer, bool *known)
{
   char *clear = value_of(word, "clear"), *file = value_of(word, "file");

   *known = clear || file;
   return clear ? read_clear(s, clear, integer, target->clear) : !file || set_file(s, target, file);
}

static bool
start_target(struct scene *s, struct target *target, const char *format)
{
   target->image.format = hd_texel_format_from_name(format ? format : "");
   return target->image.format != HD_NUM_TEXEL_FORMATS ? true : wrong(s, format, "a format");
}

static const char *const factors[HD_NUM_BLEND_FACTORS] = {
   "zero",       "one",
   "src_color",  "one_minus_src_color",
   "dst_color",  "one_minus_dst_color",
   "src_alpha",  "one_minus_src_alpha",
   "dst_alpha",  "one_minus_dst_alpha",
   "src1_color", "one_minus_src1_color",
   "src1_alpha", "one_minus_src1_alpha",
};
static const char *const blend_ops[HD_NUM_BLEND_OPS] = { "add", "subtract", "reverse_subtract",
                                                         "min", "max" };

/* "over", or "SRC:DST:OP" for all, or "SRC:DST:OP:SRC:DST:OP" for color and alpha. */
static bool
read_blend(const struct scene *s, char *value, hd_blend *blend)
{
   unsigned n[6] = { HD_BLEND_FACTOR_SRC_ALPHA, HD_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, HD_BLEND_ADD,
                     HD_BLEND_FACTOR_ONE,       HD_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, HD_BLEND_ADD };
   unsigned num = 0;

   while (strcmp(value, "over") != 0 && *value && num < 6) {
      char *end = value + strcspn(value, ":");
      const bool more = *end != 0;
      *end = 0;
      if (num % 3 == 2 ? !FIND(value, blend_ops, &n[num]) : !FIND(value, factors, &n[num]))
         return wrong(s, value, "over, or SRC:DST:OP");
      num++;
      value = end + more;
   }
   if (num % 3)
      return wrong(s, value, "over, or SRC:DST:OP");
   if (num == 3)
      memcpy(n + 3, n, 3 * sizeof(*n));
   *blend = (hd_blend){ true,
                        (hd_blend_factor)n[0],
                        (hd_blend_factor)n[1],
                        (hd_blend_factor)n[3],
                        (hd_blend_factor)n[4],
                        (hd_blend_op)n[2],
                        (hd_blend_op)n[5] };
   return true;
}

/* The components that are written: "rgb". */
static bool
read_mask(const struct scene *s, const char *value, uint32_t *masked)
{
   static const char components[] = "rgba";

   *masked = 15;
   for (const char *at = value; *at; at++) {
      const char *found = strchr(components, *at);
      if (!found)
         return wrong(s, value, "letters of rgba");
      *masked &= ~(1u << (found - components));
   }
   return true;
}

static bool
read_color(struct scene *s, char *at)
{
   const uint32_t n = s->draw.num_colors;
   char *format = next_word(&at), *word;

   if (n == HD_RASTER_MAX_ATTACHMENTS)
      return wrong(s, "color", "no more attachments");
   if (!start_target(s, &s->targets[n], format))
      return false;
   while ((word = next_word(&at))) {
      char *blend = value_of(word, "blend"), *mask = value_of(word, "write");
      bool known;
      if (!read_target_word(s, &s->targets[n], word, is_integer_format(format), &known))
         return false;
      if (!known && !blend && !mask)
         return wrong(s, word, "clear=, file=, blend= or write=");
      if ((blend && !read_blend(s, blend, &s->colors[n].blend)) ||
          (mask && !read_mask(s, mask, &s->colors[n].color_write_disable)))
         return false;
   }
   s->draw.num_colors++;
   return true;
}

static const char *const compares[HD_NUM_COMPARE_OPS] = {
   "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal", "always",
};

static bool
read_depth(struct scene *s, char *at)
{
   struct target *target = &s->targets[DEPTH_TARGET];
   const float one = 1;
   char *word;
   unsigned n;

   memcpy(&target->clear[0], &one, sizeof(one));
   s->draw.depth = &target->image;
   s->draw.depth_compare = HD_COMPARE_LESS;
   if (!start_target(s, target, next_word(&at)))
      return false;
   while ((word = next_word(&at))) {
      bool known;
      if (!read_target_word(s, target, word, false, &known))
         return false;
      if (FIND(word, compares, &n))
         s->draw.depth_compare = (hd_compare_op)n;
      else if (!strcmp(word, "keep"))
         s->draw.depth_write_disable = true;
      else if (!strcmp(word, "clamp"))
         s->draw.depth_clamp = true;
      else if (!known)
         return wrong(s, word, "a compare, keep, clamp, clear= or file=");
   }
   return true;
}

static const char *const stencil_ops[HD_NUM_STENCIL_OPS] = {
   "keep",   "zero",           "replace",        "increment_clamp", "decrement_clamp",
   "invert", "increment_wrap", "decrement_wrap",
};

static bool
read_stencil_word(struct scene *s, char *word, hd_stencil_face *face)
{
   char *const ops[3] = { value_of(word, "fail"), value_of(word, "pass"),
                          value_of(word, "depth_fail") };
   hd_stencil_op *const to[3] = { &face->fail, &face->pass, &face->depth_fail };
   char *const numbers[3] = { value_of(word, "reference"), value_of(word, "read"),
                              value_of(word, "write") };
   uint8_t *const bytes[3] = { &face->reference, &face->compare_mask, &face->write_mask };
   unsigned n;

   if (FIND(word, compares, &n)) {
      face->compare = (hd_compare_op)n;
      return true;
   }
   for (unsigned k = 0; k < 3; k++) {
      uint32_t value;
      if (ops[k] && !FIND(ops[k], stencil_ops, &n))
         return wrong(s, ops[k], "an operation on the stencil");
      if (numbers[k] && !read_number(s, numbers[k], &value))
         return false;
      if (ops[k])
         *to[k] = (hd_stencil_op)n;
      if (numbers[k])
         *bytes[k] = (uint8_t)value;
      if (ops[k] || numbers[k])
         return true;
   }
   return wrong(s, word,
                "a compare, fail=, pass=, depth_fail=, reference=, read=, write=, clear= or file=");
}

/* Of both faces. */
static bool
read_stencil(struct scene *s, char *at)
{
   struct target *target = &s->targets[STENCIL_TARGET];
   hd_stencil_face *face = &s->draw.front;
   char *word;

   target->image.format = HD_TEXEL_R8_UINT;
   s->draw.stencil = &target->image;
   *face =
       (hd_stencil_face){ .compare = HD_COMPARE_ALWAYS, .compare_mask = 255, .write_mask = 255 };
   while ((word = next_word(&at))) {
      bool known;
      if (!read_target_word(s, target, word, true, &known) ||
          (!known && !read_stencil_word(s, word, face)))
         return false;
   }
   s->draw.back = *face;
   return true;
}

static bool
read_viewport(struct scene *s, char *at)
{
   hd_viewport *v = &s->viewports[s->draw.num_viewports];
   float *const numbers[6] = { &v->x, &v->y, &v->width, &v->height, &v->min_depth, &v->max_depth };

   if (s->draw.num_viewports == MAX_SCENE_VIEWPORTS)
      return wrong(s, "viewport", "no more viewports");
   v->max_depth = 1;
   for (unsigned n = 0; n < 6; n++) {
      const char *word = next_word(&at);
      if ((word || n < 4) && !read_float(s, word, numbers[n]))
         return false;
   }
   s->draw.num_viewports++;
   return true;
}

static bool
read_scissor(struct scene *s, char *at)
{
   hd_scissor *c = &s->draw.scissor;
   const char *x = next_word(&at), *y = next_word(&at), *width = next_word(&at),
              *height = next_word(&at);

   return read_integer(s, x, &c->x) && read_integer(s, y, &c->y) &&
          read_number(s, width, &c->width) && read_number(s, height, &c->height);
}

static bool
read_cull(struct scene *s, char *at)
{
   static const char *const names[] = { "none", "front", "back", "both" };
   const char *word = next_word(&at);
   unsigned n;

   if (!FIND(word, names, &n))
      return wrong(s, word, "none, front, back or both");
   s->draw.cull = (hd_cull_mode)n;
   return true;
}

static bool
read_front(struct scene *s, char *at)
{
   static const char *const names[] = { "counter_clockwise", "clockwise" };
   const char *word = next_word(&at);
   unsigned n;

   if (!FIND(word, names, &n))
      return wrong(s, word, "counter_clockwise or clockwise");
   s->draw.front_is_clockwise = n;
   return true;
}

static bool
read_tests(struct scene *s, char *at)
{
   char *word;

   while ((word = next_word(&at))) {
      const char *excluded = value_of(word, "exclude");
      if (!strcmp(word, "early"))
         s->draw.early_fragment_tests = true;
      else if (!strcmp(word, "post_depth_coverage"))
         s->draw.post_depth_coverage = true;
      else if (!strcmp(word, "per_sample"))
         s->draw.sample_shading = true;
      else if (!excluded || !read_number(s, excluded, &s->draw.sample_mask_disable))
         return excluded ? false
                         : wrong(s, word, "early, post_depth_coverage, per_sample or exclude=MASK");
   }
   return true;
}

/* The text */

static const struct {
   const char *name;
   bool (*read)(struct scene *s, char *at);
} lines[] = {
   { "topology", read_topology }, { "vertices", read_vertices },   { "instances", read_instances },
   { "buffer", read_buffer },     { "attribute", read_attribute }, { "index", read_indices },
   { "size", read_size },         { "color", read_color },         { "depth", read_depth },
   { "stencil", read_stencil },   { "viewport", read_viewport },   { "scissor", read_scissor },
   { "cull", read_cull },         { "front", read_front },         { "tests", read_tests },
};

static bool
read_line(struct scene *s, char *at)
{
   const char *word = next_word(&at);

   for (unsigned n = 0; word && n < sizeof(lines) / sizeof(lines[0]); n++) {
      if (!strcmp(word, lines[n].name))
         return lines[n].read(s, at);
   }
   return word
              ? wrong(
                    s, word,
                    "topology, vertices, instances, buffer, attribute, index, size, color, depth, stencil, "
                    "viewport, scissor, cull, front or tests")
              : true;
}

/* Memory of an attachment, cleared. */
static bool
make_target(struct scene *s, struct target *target)
{
   hd_wave_image *image = &target->image;
   const uint64_t texels = (uint64_t)s->width * s->height * s->layers * s->samples;

   image->width = s->width;
   image->height = s->height;
   image->num_layers = s->layers;
   image->num_samples = s->samples;
   image->memory.size = texels * hd_texel_format_size(image->format);
   if (s->width > HD_RASTER_MAX_SIZE || s->height > HD_RASTER_MAX_SIZE || s->layers > 64 ||
       s->samples > 4 || image->memory.size > UINT32_MAX / 2)
      return wrong(s, "size", "attachments that are not so large");
   image->memory.data = calloc(image->memory.size + 1, 1);
   image->memory.undefined = calloc(image->memory.size + 1, 1);
   if (!image->memory.data || !image->memory.undefined)
      return wrong(s, "size", "memory");
   return hd_raster_clear(image, target->clear) == HD_OK ||
          wrong(s, "size", "attachments that can be cleared");
}

/* What is known when all lines were read. */
static bool
finish(struct scene *s)
{
   if (!s->width || !s->height)
      return wrong(s, "", "a line `size WIDTH HEIGHT`");
   for (uint32_t n = 0; n < s->draw.num_colors; n++) {
      if (!make_target(s, &s->targets[n]))
         return false;
      s->colors[n].image = s->targets[n].image;
   }
   if ((s->draw.depth && !make_target(s, &s->targets[DEPTH_TARGET])) ||
       (s->draw.stencil && !make_target(s, &s->targets[STENCIL_TARGET])))
      return false;
   if (!s->draw.num_viewports)
      s->viewports[s->draw.num_viewports++] =
          (hd_viewport){ 0, 0, (float)s->width, (float)s->height, 0, 1 };
   s->draw.buffers = s->buffers;
   s->draw.attributes = s->attributes;
   s->draw.colors = s->colors;
   s->draw.viewports = s->viewports;
   return true;
}

bool
read_scene(const tool *t, const char *path, struct scene *s)
{
   char *text;
   size_t size;

   *s = (struct scene){ .t = t, .name = path, .layers = 1, .samples = 1 };
   s->draw.topology = HD_TOPOLOGY_TRIANGLE_LIST;
   s->draw.num_vertices = 3;
   s->draw.num_instances = 1;
   if (read_file(t, path, &text, &size))
      return false;
   s->text = calloc(size + 1, 1);
   if (s->text)
      memcpy(s->text, text, size);
   free(text);
   if (!s->text)
      return wrong(s, "", "memory");
   for (char *at = s->text, *next; at; at = next) {
      next = strchr(at, '\n');
      if (next)
         *next++ = 0;
      s->line++;
      if (!read_line(s, at))
         return false;
   }
   return finish(s);
}

void
free_scene(struct scene *s)
{
   for (unsigned n = 0; n <= MAX_SCENE_BUFFERS; n++)
      free_memory(&s->memories[n]);
   for (unsigned n = 0; n < HD_RASTER_MAX_ATTACHMENTS + 2; n++) {
      free(s->targets[n].file);
      free(s->targets[n].image.memory.data);
      free(s->targets[n].image.memory.undefined);
   }
   free(s->text);
}
