/* SPDX-License-Identifier: MIT */
/* annotate.c - the shader's instructions as comments in assembly. */
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/text.h"

/* What a location of ours is known by, and how assembly shows it. */
#define MARK  "\001"
#define SHOWN "; \"\\x01\":"

struct annotation {
   char **lines; /* from 1 on */
   uint32_t num, capacity;
};

static bool
note(struct annotation *a, hd_shader *shader, hd_instr *instr, const hd_numbering *numbering)
{
   hd_blob text = { 0 };

   if (a->num + 1 >= a->capacity) {
      const uint32_t capacity = a->capacity * 2 + 64;
      char **lines = realloc(a->lines, capacity * sizeof(*lines));
      if (!lines)
         return false;
      a->lines = lines;
      a->capacity = capacity;
   }
   instr->loc = 0;
   hd_print_instr(instr, numbering, NULL, &text, NULL);
   if (text.result != HD_OK || !text.data) {
      hd_blob_finish(&text);
      return false;
   }
   a->lines[++a->num] = text.data; /* the blob's memory is malloc's */
   instr->loc = hd_shader_location(shader, MARK, a->num, 0) & 0xffffff;
   return true;
}

annotation *
annotate_shader(hd_shader *shader)
{
   annotation *a = calloc(1, sizeof(*a));
   bool good = a != NULL;

   hd_foreach_function(f, shader) {
      hd_numbering *numbering;
      if (!good || hd_numbering_create(f, &numbering) != HD_OK) {
         good = false;
         break;
      }
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (good && i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_PARAM)
               good = note(a, shader, i, numbering);
         }
      }
      hd_numbering_destroy(numbering);
   }
   if (good)
      return a;
   annotation_free(a);
   return NULL;
}

void
annotation_write(const annotation *a, const char *assembly, hd_blob *out)
{
   static const char prefix[] = SHOWN;

   for (const char *line = assembly; *line;) {
      const char *end = strchr(line, '\n');
      const size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
      unsigned long n = 0;
      if (!strncmp(line, prefix, sizeof(prefix) - 1))
         n = strtoul(line + sizeof(prefix) - 1, NULL, 10);
      if (n && n <= a->num)
         hd_blob_printf(out, "; %s\n", a->lines[n]);
      else
         hd_blob_append(out, line, length);
      line += length;
   }
}

void
annotation_free(annotation *a)
{
   for (uint32_t n = 1; a && n <= a->num; n++)
      free(a->lines[n]);
   if (a)
      free(a->lines);
   free(a);
}
