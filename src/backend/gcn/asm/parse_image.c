/* SPDX-License-Identifier: MIT */
/* parse_image.c - parser of modifiers of texel buffers (MTBUF formats), attributes and exports. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/names.h"

#include <string.h>

static bool
begins(hd_mach_word word, const char *prefix, hd_mach_word *rest)
{
   size_t length = strlen(prefix);

   if (word.length < length || memcmp(word.start, prefix, length) != 0)
      return false;
   *rest = (hd_mach_word){ word.start + length, word.length - length };
   return true;
}

/* A number of one or two digits below `end`, or -1. */
static int
small_number(hd_mach_word word, int end)
{
   int value = 0;

   if (word.length < 1 || word.length > 2 || (word.length == 2 && word.start[0] == '0'))
      return -1;
   for (size_t n = 0; n < word.length; n++) {
      if (word.start[n] < '0' || word.start[n] > '9')
         return -1;
      value = 10 * value + word.start[n] - '0';
   }
   return value < end ? value : -1;
}

int
hd_gcn_attribute_of(hd_mach_word word)
{
   static const char channels[] = "xyzw";
   hd_mach_word rest;

   if (!begins(word, "attr", &rest) || rest.length < 3 || rest.start[rest.length - 2] != '.')
      return -1;
   const char *channel = strchr(channels, rest.start[rest.length - 1]);
   rest.length -= 2;
   const int number = small_number(rest, HD_GCN_NUM_ATTRIBUTES);
   return number < 0 || !channel || !*channel ? -1 : number << 2 | (int)(channel - channels);
}

int
hd_gcn_vertex_of(hd_mach_word word)
{
   static const char *const names[] = { "p10", "p20", "p0" };

   for (int n = 0; n < 3; n++) {
      if (hd_mach_word_is(word, names[n]))
         return n;
   }
   return -1;
}

int
hd_gcn_export_target_of(hd_mach_word word)
{
   for (unsigned target = 0; target < 64; target++) {
      int number;
      const char *name = hd_gcn_export_target_name(target, &number);
      hd_mach_word rest;
      if (name && begins(word, name, &rest) &&
          (number < 0 ? !rest.length : small_number(rest, 64) == number))
         return (int)target;
   }
   return -1;
}

static bool
read_format(hd_gcn_reader *r, uint8_t *value)
{
   hd_mach_word word = hd_mach_read_word(&r->c), rest;

   if (begins(word, "BUF_DATA_FORMAT_", &rest)) {
      for (unsigned n = 0; n < 16; n++) {
         if (hd_mach_word_is(rest, hd_gcn_data_format_names[n])) {
            *value = (uint8_t)((*value & 0xf0) | n);
            return true;
         }
      }
   } else if (begins(word, "BUF_NUM_FORMAT_", &rest)) {
      for (unsigned n = 0; n < 8; n++) {
         if (hd_mach_word_is(rest, hd_gcn_number_format_name(r->gen, n))) {
            *value = (uint8_t)((*value & 15) | n << 4);
            return true;
         }
      }
   }
   return hd_mach_text_error(&r->c, word.start, word.length, "expected a format");
}

bool
hd_gcn_read_formats(hd_gcn_reader *r, uint8_t *value)
{
   int64_t number;

   if (!hd_mach_accept(&r->c, '[')) {
      if (!hd_mach_read_range(&r->c, 0, 127, &number))
         return false;
      *value = (uint8_t)number;
      return true;
   }
   *value = 1;
   do {
      if (!read_format(r, value))
         return false;
   } while (hd_mach_accept(&r->c, ','));
   return hd_mach_expect(&r->c, ']');
}
