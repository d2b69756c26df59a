/* SPDX-License-Identifier: MIT */
/* own_table.c - --intrinsics: a table of a driver's own intrinsics, from a text.
 *
 *    # a line each; names of operands may be left out
 *    acme_rsq(f:32[1] x) -> f:32[1] speculate=always
 *    acme_mix(x:D[n] a, x:D[n] b, u:32[1] lane !uniform !defined) -> x:D[n] D=16|32 cross_lane divergence=uniform
 *
 * doc/own-intrinsics.md has the words. What they mean together is judged by hd_intrinsic_table_check.
 */
#include "own_table.h"

#include "heddle/intrinsic.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS HD_MAX_OWN_INTRINSICS
#define MAX_NAME 64

typedef struct own_row {
   char name[MAX_NAME];
   char names[HD_MAX_INTRINSIC_SRCS][MAX_NAME];
   hd_type_info srcs[HD_MAX_INTRINSIC_SRCS];
   uint8_t sizes[26]; /* of size variables */
} own_row;

struct own_table {
   hd_intrinsic_table table;
   hd_own_intrinsic *rows;
   own_row **texts; /* as many as rows: what these point to */
   uint32_t num, capacity;
};

typedef struct reader {
   const char *path;
   unsigned line;
   const char *p;
   const char *token; /* where what was read last, or could not be read, begins */
   hd_own_intrinsic *row;
   own_row *text;
} reader;

static bool
fault(const reader *r, const char *what)
{
   const size_t length = strcspn(r->token, " \t\r\n");

   if (length)
      trouble("%s:%u: %s, found '%.*s'", r->path, r->line, what, (int)(length < 40 ? length : 40),
              r->token);
   else
      trouble("%s:%u: %s, found the end of the line", r->path, r->line, what);
   return false;
}

static bool
too_much(const reader *r, const char *what)
{
   trouble("%s:%u: %s", r->path, r->line, what);
   return false;
}

static void
skip_spaces(reader *r)
{
   while (*r->p == ' ' || *r->p == '\t' || *r->p == '\r')
      r->p++;
}

static bool
accept(reader *r, const char *text)
{
   skip_spaces(r);
   r->token = r->p;
   if (strncmp(r->p, text, strlen(text)))
      return false;
   r->p += strlen(text);
   return true;
}

/* Letters, digits and underscores. */
static bool
read_word(reader *r, char word[MAX_NAME])
{
   size_t length = 0;

   skip_spaces(r);
   r->token = r->p;
   while (isalnum((unsigned char)r->p[length]) || r->p[length] == '_')
      length++;
   if (!length || length >= MAX_NAME)
      return false;
   memcpy(word, r->p, length);
   word[length] = 0;
   r->p += length;
   return true;
}

static bool
read_number(reader *r, uint8_t *value)
{
   char word[MAX_NAME], *end;

   if (!read_word(r, word))
      return false;
   const unsigned long number = strtoul(word, &end, 10);
   *value = (uint8_t)number;
   return !*end && number <= UINT8_MAX;
}

/* `f:D[1..4]`, `x:32[n]` */
static bool
read_type(reader *r, hd_type_info *type)
{
   static const char kinds[] = "uifbx";
   char word[MAX_NAME];

   skip_spaces(r);
   r->token = r->p;
   const char *kind = *r->p ? strchr(kinds, *r->p) : NULL;
   if (!kind || r->p[1] != ':')
      return fault(r, "expected a type such as f:32[1]");
   type->kind = (uint8_t)(kind - kinds);
   r->p += 2;
   if (*r->p >= 'A' && *r->p <= 'Z')
      type->size_variable = *r->p++;
   else if (!read_number(r, &type->sizes))
      return fault(r, "expected a number of bits or a size variable");
   if (!accept(r, "["))
      return fault(r, "expected [ and a number of components");
   if (accept(r, "n")) {
      type->linked = true;
      type->min_components = 1;
      type->max_components = HD_MAX_COMPONENTS;
   } else {
      if (!read_number(r, &type->min_components))
         return fault(r, "expected a number of components");
      type->max_components = type->min_components;
      if (accept(r, "..") && !read_number(r, &type->max_components))
         return fault(r, "expected the largest number of components");
   }
   if (!accept(r, "]"))
      return fault(r, "expected ] after the number of components");
   (void)word;
   return true;
}

static bool
read_operand(reader *r)
{
   static const char *const tags[] = { "uniform", "descriptor", "defined" };
   hd_intrinsic_info *info = &r->row->info;
   char word[MAX_NAME];

   if (info->num_srcs == HD_MAX_INTRINSIC_SRCS)
      return too_much(r, "too many operands");
   hd_type_info *type = &r->text->srcs[info->num_srcs];
   char *name = r->text->names[info->num_srcs];
   if (!read_type(r, type))
      return false;
   if (!read_word(r, name))
      snprintf(name, MAX_NAME, "src%u", info->num_srcs);
   type->name = name;
   while (accept(r, "!")) {
      unsigned n = 0;
      if (!read_word(r, word))
         return fault(r, "expected uniform, descriptor or defined");
      while (n < 3 && strcmp(word, tags[n]))
         n++;
      if (n == 3)
         return fault(r, "expected uniform, descriptor or defined");
      type->flags |= (uint8_t)(1u << n);
   }
   info->num_srcs++;
   return true;
}

/* The number of a word among these, or `num` with a message. */
static unsigned
number_of(const reader *r, const char *word, const char *const *words, unsigned num)
{
   unsigned n = 0;

   while (n < num && strcmp(word, words[n]))
      n++;
   if (n == num)
      fault(r, "expected a value of this property");
   return n;
}

static bool
read_memory(reader *r, uint16_t *classes)
{
   const hd_index_info *memory = hd_index_get_info(HD_INDEX_MEMORY);
   char word[MAX_NAME];

   do {
      uint32_t n = 0;
      if (!read_word(r, word))
         return fault(r, "expected a class of memory");
      while (n < memory->num_values && strcmp(word, memory->values[n].name))
         n++;
      if (n == memory->num_values)
         return fault(r, "expected a class of memory");
      *classes |= (uint16_t)(1u << n);
   } while (accept(r, "|"));
   return true;
}

static bool
read_indices(reader *r, hd_intrinsic_info *info)
{
   char word[MAX_NAME];

   do {
      if (!read_word(r, word))
         return fault(r, "expected an index");
      const hd_index index = hd_index_from_name(word, strlen(word));
      if (index == HD_NUM_INDICES || info->num_indices == HD_MAX_INDICES || info->slots[index])
         return fault(r, "expected the name of an index, or no more of them");
      info->indices[info->num_indices++] = (uint8_t)index;
      info->slots[index] = info->num_indices;
   } while (accept(r, "|"));
   return true;
}

static bool
read_sizes(reader *r, uint8_t *sizes)
{
   uint8_t bits;

   do {
      if (!read_number(r, &bits))
         return fault(r, "expected a number of bits");
      *sizes |= bits;
   } while (accept(r, "|"));
   return true;
}

/* One of a few words. */
static bool
read_choice(reader *r, const char *const *words, unsigned num, uint8_t *value)
{
   char word[MAX_NAME];

   if (!read_word(r, word))
      return fault(r, "expected a word after =");
   *value = (uint8_t)number_of(r, word, words, num);
   return *value < num;
}

static bool
read_stages(reader *r, uint8_t *stages)
{
   static const char *const words[] = { "compute", "kernel", "vertex", "fragment" };
   uint8_t stage;

   *stages = 0;
   do {
      if (!read_choice(r, words, 4, &stage))
         return false;
      *stages |= (uint8_t)(1u << stage);
   } while (accept(r, "|"));
   return true;
}

/* A word, `key=value`, or the sizes of a variable. */
static bool
read_property(reader *r)
{
   static const char *const divergences[] = { "none",     "uniform", "divergent",
                                              "operands", "memory",  "cluster" };
   static const char *const helpers[] = { "run", "skip", "uncounted", "needed" };
   static const char *const speculation[] = { "never", "always", "access" };
   static const uint16_t speculation_flags[] = { 0, HD_CAN_SPECULATE, HD_CAN_SPECULATE_BY_ACCESS };
   hd_intrinsic_info *info = &r->row->info;
   char word[MAX_NAME];
   uint8_t value;

   if (!read_word(r, word))
      return fault(r, "expected a property");
   if (!strcmp(word, "cross_lane") || !strcmp(word, "barrier")) {
      info->flags |= word[0] == 'c' ? HD_CROSS_LANE : HD_EFFECT_BARRIER;
      return true;
   }
   const char *name = r->token;
   if (!accept(r, "=")) {
      r->token = name;
      return fault(r, "expected a property and =");
   }
   if (word[0] >= 'A' && word[0] <= 'Z' && !word[1])
      return read_sizes(r, &r->text->sizes[word[0] - 'A']);
   if (!strcmp(word, "reads"))
      return read_memory(r, &info->reads);
   if (!strcmp(word, "writes"))
      return read_memory(r, &info->writes);
   if (!strcmp(word, "indices"))
      return read_indices(r, info);
   if (!strcmp(word, "stages"))
      return read_stages(r, &info->stages);
   if (!strcmp(word, "divergence"))
      return read_choice(r, divergences, 6, &info->divergence);
   if (!strcmp(word, "helpers"))
      return read_choice(r, helpers, 4, &info->helpers);
   if (strcmp(word, "speculate")) {
      r->token = name;
      return fault(r, "expected a property");
   }
   if (!read_choice(r, speculation, 3, &value))
      return false;
   info->flags |= speculation_flags[value];
   return true;
}

static void
settle_type(const own_row *text, hd_type_info *type)
{
   if (type->size_variable)
      type->sizes = text->sizes[type->size_variable - 'A'];
}

/* A line that is neither empty nor a comment. */
static bool
read_row(reader *r)
{
   hd_intrinsic_info *info = &r->row->info;

   if (!read_word(r, r->text->name))
      return fault(r, "expected the name of an intrinsic");
   info->name = r->text->name;
   info->name_length = (uint8_t)strlen(info->name);
   info->src = r->text->srcs;
   info->stages = HD_ALL_STAGES;
   if (!accept(r, "("))
      return fault(r, "expected ( and the operands");
   while (!accept(r, ")")) {
      if ((info->num_srcs && !accept(r, ",")) || !read_operand(r))
         return info->num_srcs && r->p[0] != ',' ? fault(r, "expected , or ) after an operand")
                                                 : false;
   }
   if (accept(r, "->")) {
      if (!read_type(r, &info->result))
         return false;
      info->result.name = "result";
      info->flags |= HD_HAS_RESULT;
      info->divergence = HD_DIVERGENCE_OPERANDS;
   }
   for (skip_spaces(r); *r->p && *r->p != '#'; skip_spaces(r)) {
      if (!read_property(r))
         return false;
   }
   for (unsigned n = 0; n < info->num_srcs; n++)
      settle_type(r->text, &r->text->srcs[n]);
   settle_type(r->text, &info->result);
   if (info->writes & ~(unsigned)HD_MEMORY_HELPER)
      info->flags |= HD_EFFECT_WRITE;
   if (info->writes & HD_MEMORY_HELPER)
      info->flags |= HD_EFFECT_DEMOTE;
   if (info->flags & HD_EFFECT_WRITE && info->writes != HD_MEMORY_SCRATCH &&
       info->helpers == HD_HELPER_RUN)
      info->helpers = HD_HELPER_SKIP;
   if (!(info->flags & (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE)))
      info->flags |= HD_CAN_ELIMINATE;
   return true;
}

static int
by_name(const void *a, const void *b)
{
   const hd_own_intrinsic *x = a, *y = b;

   return strcmp(x->info.name, y->info.name);
}

static bool
grow(own_table *t)
{
   const uint32_t capacity = t->capacity ? t->capacity * 2 : 16;
   hd_own_intrinsic *rows = realloc(t->rows, capacity * sizeof(*rows));

   if (rows)
      t->rows = rows;
   own_row **texts = realloc(t->texts, capacity * sizeof(*texts));
   if (texts)
      t->texts = texts;
   if (rows && texts)
      t->capacity = capacity;
   return rows && texts;
}

static bool
read_line(own_table *t, reader *r, const char *line)
{
   r->p = line;
   skip_spaces(r);
   if (!*r->p || *r->p == '#')
      return true;
   if (t->num == MAX_ROWS)
      return too_much(r, "too many rows");
   if (t->num == t->capacity && !grow(t))
      return too_much(r, "out of memory");
   r->text = calloc(1, sizeof(*r->text));
   if (!r->text)
      return too_much(r, "out of memory");
   r->row = &t->rows[t->num];
   *r->row = (hd_own_intrinsic){ .run = NULL };
   t->texts[t->num++] = r->text;
   return read_row(r);
}

void
own_table_free(own_table *t)
{
   if (!t)
      return;
   for (uint32_t n = 0; n < t->num; n++)
      free(t->texts[n]);
   free(t->texts);
   free(t->rows);
   free(t);
}

own_table *
own_table_read(const tool *t, const char *path, int *status)
{
   own_table *table = calloc(1, sizeof(*table));
   reader r = { .path = path, .line = 0 };
   char *data = NULL;
   size_t size;

   *status = table ? read_file(t, path, &data, &size) : trouble("out of memory");
   char *text = *status ? NULL : malloc(size + 1);
   if (!*status && !text)
      *status = trouble("out of memory");
   if (text) {
      if (size)
         memcpy(text, data, size);
      text[size] = 0;
   }
   for (char *line = text; line && !*status;) {
      char *end = strchr(line, '\n');
      if (end)
         *end = 0;
      r.line++;
      if (!read_line(table, &r, line))
         *status = EXIT_TROUBLE;
      line = end ? end + 1 : NULL;
   }
   free(text);
   free(data);
   if (!*status) {
      if (table->num)
         qsort(table->rows, table->num, sizeof(*table->rows), by_name);
      table->table = (hd_intrinsic_table){ .rows = table->rows, .num_rows = table->num };
      if (hd_intrinsic_table_check(&table->table, t->config.diag) != HD_OK)
         *status = EXIT_TROUBLE;
   }
   if (!*status)
      return table;
   own_table_free(table);
   return NULL;
}

const hd_intrinsic_table *
own_table_of(const own_table *t)
{
   return &t->table;
}
