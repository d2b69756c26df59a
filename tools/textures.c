/* SPDX-License-Identifier: MIT */
/* textures.c - images and samplers of a launch, as the command line describes them. */
#include "textures.h"

#include <stdlib.h>
#include <string.h>

const char *
parse_place(const char *at, uint32_t place[3])
{
   uint64_t n[3] = { 0 };
   unsigned num = 0;

   while (num < 3 && parse_number(at, &at, &n[num]) && n[num] <= UINT32_MAX) {
      place[num] = (uint32_t)n[num];
      num++;
      if (*at != '.' || num == 3)
         break;
      at++;
   }
   return num < 2 ? NULL : at;
}

/* Images */

static const char *
parse_sizes(const char *at, hd_wave_image *image)
{
   uint32_t *const sizes[] = { &image->width, &image->height, &image->depth };
   uint64_t n;

   for (unsigned k = 0; k < 3; k++) {
      if (!parse_number(at, &at, &n) || n > UINT32_MAX)
         return NULL;
      *sizes[k] = (uint32_t)n;
      if (*at != 'x')
         break;
      at++;
   }
   return at;
}

/* A format, or a count. */
static bool
parse_image_word(const char *word, hd_wave_image *image)
{
   const struct {
      const char *name;
      uint32_t *count;
   } counts[] = {
      { "levels", &image->num_levels },
      { "layers", &image->num_layers },
      { "samples", &image->num_samples },
   };

   for (unsigned n = 0; n < sizeof(counts) / sizeof(counts[0]); n++) {
      const size_t length = strlen(counts[n].name);
      const char *end;
      uint64_t value;
      if (strncmp(word, counts[n].name, length) != 0)
         continue;
      if (!parse_number(word + length, &end, &value) || *end || value > UINT32_MAX)
         return false;
      *counts[n].count = (uint32_t)value;
      return true;
   }
   image->format = hd_texel_format_from_name(word);
   return image->format != HD_NUM_TEXEL_FORMATS;
}

bool
parse_image(const struct memory *m, hd_wave_memory memory, hd_wave_image *image)
{
   uint32_t place[3] = { 0 };
   char word[64];
   const char *end = m->operand + m->name_length;
   const char *at = parse_place(m->operand + 6, place);

   *image = (hd_wave_image){ .bits = memory_element_size(m) * 8, .memory = memory };
   image->set = place[0];
   image->binding = place[1];
   image->array_index = place[2];
   if (at)
      at = *at == ':' ? parse_sizes(at + 1, image) : NULL;
   while (at && *at == ':') {
      const char *next = at + 1 + strcspn(at + 1, ":=@");
      const size_t length = (size_t)(next - at - 1);
      if (length >= sizeof(word))
         break;
      memcpy(word, at + 1, length);
      word[length] = 0;
      if (!parse_image_word(word, image))
         return trouble("'%s': expected a texel format, levelsN, layersN or samplesN, found '%s'",
                        m->operand, word),
                false;
      at = next;
   }
   if (at == end && (image->format != HD_TEXEL_RAW || image->bits >= 16))
      return true;
   return trouble(
              "'%s' is not image@SET.BINDING:WIDTH=BYTES, with xHEIGHT and xDEPTH, :FORMAT, :levelsN, "
              ":layersN and :samplesN if need be, and elements of 2 bytes or more where it has no format",
              m->operand),
          false;
}

/* Samplers */

static const char *const address_modes[] = {
   [HD_ADDRESS_REPEAT] = "repeat",
   [HD_ADDRESS_MIRRORED_REPEAT] = "mirrored_repeat",
   [HD_ADDRESS_CLAMP_TO_EDGE] = "clamp_to_edge",
   [HD_ADDRESS_CLAMP_TO_BORDER] = "clamp_to_border",
   [HD_ADDRESS_MIRROR_CLAMP_TO_EDGE] = "mirror_clamp_to_edge",
};
static const char *const filters[] = {
   [HD_FILTER_NEAREST] = "nearest", [HD_FILTER_LINEAR] = "linear"
};
static const char *const borders[] = {
   [HD_BORDER_TRANSPARENT_BLACK] = "transparent_black",
   [HD_BORDER_OPAQUE_BLACK] = "opaque_black",
   [HD_BORDER_OPAQUE_WHITE] = "opaque_white",
};
static const char *const compares[] = {
   [HD_COMPARE_NEVER] = "never",
   [HD_COMPARE_LESS] = "less",
   [HD_COMPARE_EQUAL] = "equal",
   [HD_COMPARE_LESS_OR_EQUAL] = "less_or_equal",
   [HD_COMPARE_GREATER] = "greater",
   [HD_COMPARE_NOT_EQUAL] = "not_equal",
   [HD_COMPARE_GREATER_OR_EQUAL] = "greater_or_equal",
   [HD_COMPARE_ALWAYS] = "always",
};

static bool
find_word(const char *word, const char *const *words, unsigned num, unsigned *which)
{
   for (*which = 0; *which < num; ++*which) {
      if (!strcmp(word, words[*which]))
         return true;
   }
   return false;
}

#define FIND(word, words, which) find_word(word, words, sizeof(words) / sizeof((words)[0]), which)

static bool
parse_level(const char *word, hd_wave_sampler *s)
{
   float *to = !strncmp(word, "bias:", 5)  ? &s->lod_bias
               : !strncmp(word, "min:", 4) ? &s->min_lod
               : !strncmp(word, "max:", 4) ? &s->max_lod
                                           : NULL;
   char *end;

   if (!to)
      return false;
   *to = strtof(strchr(word, ':') + 1, &end);
   return !*end && end[-1] != ':';
}

static bool
parse_sampler_word(const char *word, hd_wave_sampler *s)
{
   unsigned n;

   if (FIND(word, address_modes, &n)) {
      s->address[0] = s->address[1] = s->address[2] = (hd_address_mode)n;
      return true;
   }
   if (word[0] >= 'x' && word[0] <= 'z' && word[1] == '_' && FIND(word + 2, address_modes, &n)) {
      s->address[word[0] - 'x'] = (hd_address_mode)n;
      return true;
   }
   if (FIND(word, filters, &n)) {
      s->mag = s->min = (hd_filter)n;
      return true;
   }
   if (word[0] == 'm' && strlen(word) > 4 && word[3] == '_' && FIND(word + 4, filters, &n)) {
      hd_filter *to = !strncmp(word, "mag", 3)   ? &s->mag
                      : !strncmp(word, "min", 3) ? &s->min
                      : !strncmp(word, "mip", 3) ? &s->mip
                                                 : NULL;
      if (to)
         *to = (hd_filter)n;
      return to != NULL;
   }
   if (FIND(word, borders, &n)) {
      s->border = (hd_border_color)n;
      return true;
   }
   if (FIND(word, compares, &n)) {
      s->compare = (hd_compare_op)n;
      return true;
   }
   if (!strcmp(word, "unnormalized"))
      return s->unnormalized = true;
   return parse_level(word, s);
}

bool
parse_sampler(const struct memory *m, hd_wave_sampler *sampler)
{
   uint32_t place[3] = { 0 };
   char word[64];
   const char *at = parse_place(m->operand + 8, place);

   /* Of all levels, by default. */
   *sampler = (hd_wave_sampler){ .max_lod = 1000 };
   sampler->set = place[0];
   sampler->binding = place[1];
   sampler->array_index = place[2];
   if (!at || *at != '=')
      return trouble("'%s' is not sampler@SET.BINDING=WORDS", m->operand), false;
   do {
      const size_t length = strcspn(at + 1, ",");
      if (length >= sizeof(word))
         return trouble("'%s' has a word of %zu characters, at most %zu are expected", m->operand,
                        length, sizeof(word) - 1),
                false;
      memcpy(word, at + 1, length);
      word[length] = 0;
      if (!parse_sampler_word(word, sampler))
         return trouble("'%s': expected a word for a sampler's state, found '%s'", m->operand,
                        word),
                false;
      at += 1 + length;
   } while (*at == ',');
   return true;
}
