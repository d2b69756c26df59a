/* SPDX-License-Identifier: MIT */
/* list.c - pass table lookup, and parsing of pass lists. */
#include "heddle/pass.h"
#include "passes/table.h"
#include "util/memory.h"
#include "util/quote.h"

#include <stdlib.h>
#include <string.h>

unsigned
hd_num_passes(void)
{
   return hd_pass_table_size;
}

const hd_pass *
hd_pass_get(unsigned n)
{
   return n < hd_pass_table_size ? &hd_pass_table[n] : NULL;
}

const hd_pass *
hd_pass_find(const char *name)
{
   unsigned low = 0, high = hd_pass_table_size;

   while (low < high) {
      unsigned middle = (low + high) / 2;
      int order = strcmp(name, hd_pass_table[middle].name);
      if (order == 0)
         return &hd_pass_table[middle];
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return NULL;
}

hd_pass_step
hd_pass_step_default(const hd_pass *pass)
{
   hd_pass_step step = { .pass = pass };

   step.user = pass->user;
   for (uint32_t n = 0; n < pass->num_options; n++) {
      step.values[n] = pass->options[n].value;
      step.strings[n] = pass->options[n].string;
   }
   return step;
}

bool
hd_pass_same_value(const hd_pass_step *a, const hd_pass_step *b, uint32_t option)
{
   const char *x = a->strings[option], *y = b->strings[option];

   if (a->pass->options[option].kind == HD_PASS_NUMBER)
      return a->values[option] == b->values[option];
   return x == y || (x && y && !strcmp(x, y));
}

void
hd_pass_step_print(const hd_pass_step *step, hd_blob *blob)
{
   const hd_pass *pass = step->pass;
   const hd_pass_step defaults = hd_pass_step_default(pass);
   const char *before = "(";

   hd_blob_printf(blob, "%s", pass->name);
   for (uint32_t n = 0; n < pass->num_options; n++) {
      if (hd_pass_same_value(step, &defaults, n))
         continue;
      hd_blob_printf(blob, "%s%s=", before, pass->options[n].name);
      if (pass->options[n].kind == HD_PASS_NUMBER)
         hd_blob_printf(blob, "%u", step->values[n]);
      else
         hd_blob_quote(blob, step->strings[n] ? step->strings[n] : "");
      before = ",";
   }
   if (*before == ',')
      hd_blob_printf(blob, ")");
}

/* Reading a list of passes. */
struct reader {
   hd_pass_list *list;
   const char *text;
   const char *at;
   hd_diag_sink diag;
   hd_result result;
};

/* The rest of the text is not looked at. */
static void
complain(struct reader *r, const char *place, size_t length, const char *what)
{
   hd_diag diag = {
      .severity = HD_ERROR,
      .file = "passes",
      .line = 1,
      .column = (uint32_t)(place - r->text) + 1,
      .length = (uint32_t)(length ? length : 1),
      .message = what,
      .text = r->text,
      .text_length = strlen(r->text),
   };

   r->result = HD_INVALID;
   hd_diag_send(&r->diag, &diag);
}

static void
skip_spaces(struct reader *r)
{
   while (*r->at == ' ' || *r->at == '\n')
      r->at++;
}

/* Is the next character this one? Then it is read. */
static bool
next_is(struct reader *r, char c)
{
   skip_spaces(r);
   if (*r->at != c)
      return false;
   r->at++;
   return true;
}

static bool
is_in_name(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static size_t
read_name(struct reader *r, const char **name)
{
   skip_spaces(r);
   *name = r->at;
   while (is_in_name(*r->at))
      r->at++;
   return (size_t)(r->at - *name);
}

#define MAX_NAME 64

static const hd_pass *
find_own(const hd_pass_list *list, const char *name)
{
   for (uint32_t n = 0; n < list->num_own; n++) {
      if (!strcmp(list->own[n]->name, name))
         return list->own[n];
   }
   return NULL;
}

static const hd_pass *
find_pass(const hd_pass_list *list, const char *name, size_t length)
{
   char full[MAX_NAME + 5];

   if (length > MAX_NAME)
      return NULL;
   memcpy(full, "opt_", 4);
   memcpy(full + 4, name, length);
   full[length + 4] = 0;
   const hd_pass *pass = find_own(list, full + 4);
   if (!pass)
      pass = find_own(list, full);
   if (!pass)
      pass = hd_pass_find(full + 4);
   return pass ? pass : hd_pass_find(full);
}

static const hd_pipeline *
find_pipeline(const char *name, size_t length)
{
   char copy[MAX_NAME + 1];

   if (length > MAX_NAME)
      return NULL;
   memcpy(copy, name, length);
   copy[length] = 0;
   return hd_pipeline_find(copy);
}

/* Where a list's memory comes from. */
static hd_heap
heap_of(const hd_pass_list *list)
{
   hd_heap heap;

   hd_heap_init(&heap, &(hd_config){ .allocator = list->allocator });
   heap.reserved = list->capacity * sizeof(*list->steps);
   return heap;
}

static void
append(struct reader *r, const hd_pass_step *step)
{
   hd_pass_list *list = r->list;

   if (list->num_steps == list->capacity) {
      uint32_t capacity = list->capacity ? 2 * list->capacity : 16;
      hd_heap heap = heap_of(list);
      hd_pass_step *steps = hd_heap_grow(&heap, list->steps, list->capacity * sizeof(*steps),
                                         capacity * sizeof(*steps));
      if (!steps) {
         r->result = HD_OUT_OF_MEMORY;
         return;
      }
      list->steps = steps;
      list->capacity = capacity;
   }
   list->steps[list->num_steps++] = *step;
}

static bool
read_number(struct reader *r, const hd_pass *pass, const hd_pass_option *option, uint32_t *number)
{
   char message[160];
   const char *digits;
   const size_t length = read_name(r, &digits);
   char *end = NULL;
   unsigned long long value = *digits >= '0' && *digits <= '9' ? strtoull(digits, &end, 0) : 0;

   if (end != digits + length || value < option->low || value > option->high) {
      snprintf(message, sizeof(message), "%s of %s is a number from %u to %u", option->name,
               pass->name, option->low, option->high);
      complain(r, digits, length, message);
      return false;
   }
   *number = (uint32_t)value;
   return true;
}

/* A string of a list, after what it has of the list. */
struct hd_pass_string {
   struct hd_pass_string *next;
   size_t size; /* of all */
};

/* Where the string that begins here ends: at its second quote, or NULL. */
static const char *
end_of_string(const char *s)
{
   for (s++; *s && *s != '"'; s++) {
      if (*s == '\\' && s[1])
         s++;
   }
   return *s ? s : NULL;
}

static const char *
read_string(struct reader *r, const hd_pass *pass, const hd_pass_option *option)
{
   hd_heap heap = heap_of(r->list);
   char message[160];

   skip_spaces(r);
   const char *start = r->at, *end = *start == '"' ? end_of_string(start) : NULL;
   if (!end) {
      snprintf(message, sizeof(message), "%s of %s is a string in quotes", option->name,
               pass->name);
      complain(r, start, 1, message);
      return NULL;
   }
   const size_t size = sizeof(struct hd_pass_string) + (size_t)(end - start);
   struct hd_pass_string *string = hd_heap_alloc(&heap, size);
   if (!string) {
      r->result = HD_OUT_OF_MEMORY;
      return NULL;
   }
   *string = (struct hd_pass_string){ r->list->strings, size };
   r->list->strings = string;
   char *out = (char *)(string + 1);
   for (const char *s = start + 1; s < end; s++) {
      *out = *s;
      const size_t escape = *s == '\\' ? hd_unescape(s + 1, end, out) : 0;
      if (*s == '\\' && !escape) {
         complain(r, s, 2, "expected one of the escapes \\\\ \\\" \\n \\t \\x01 to \\xff");
         return NULL;
      }
      s += escape;
      out++;
   }
   *out = 0;
   r->at = end + 1;
   return (const char *)(string + 1);
}

/* name=number or name="string" */
static void
read_option(struct reader *r, hd_pass_step *step)
{
   const hd_pass *pass = step->pass;
   char message[160];
   const char *name;
   size_t length = read_name(r, &name);
   uint32_t n = 0;

   while (n < pass->num_options && (strlen(pass->options[n].name) != length ||
                                    strncmp(pass->options[n].name, name, length) != 0))
      n++;
   if (n == pass->num_options) {
      snprintf(message, sizeof(message), "%s has no option '%.*s'", pass->name,
               (int)(length < MAX_NAME ? length : MAX_NAME), name);
      complain(r, name, length, message);
      return;
   }
   if (!next_is(r, '=')) {
      complain(r, r->at, 1, "an option needs a value, as in cost=8");
      return;
   }
   const hd_pass_option *option = &pass->options[n];
   if (option->kind == HD_PASS_NUMBER)
      read_number(r, pass, option, &step->values[n]);
   else
      step->strings[n] = read_string(r, pass, option);
}

static void
read_step(struct reader *r)
{
   char message[160];
   const char *name;
   size_t length = read_name(r, &name);
   const hd_pipeline *pipeline = find_pipeline(name, length);
   const hd_pass *pass = find_pass(r->list, name, length);

   if (pipeline) {
      struct reader inner = { .list = r->list, .diag = r->diag };
      for (const char *const *step = pipeline->steps; *step && inner.result == HD_OK; step++) {
         inner.text = inner.at = *step;
         read_step(&inner);
      }
      r->result = inner.result;
      return;
   }
   if (!pass) {
      snprintf(message, sizeof(message), "there is no pass '%.*s'",
               (int)(length < MAX_NAME ? length : MAX_NAME), name);
      complain(r, name, length, length ? message : "the name of a pass was expected");
      return;
   }
   hd_pass_step step = hd_pass_step_default(pass);
   if (next_is(r, '(') && !next_is(r, ')')) {
      do {
         read_option(r, &step);
      } while (r->result == HD_OK && next_is(r, ','));
      if (r->result == HD_OK && !next_is(r, ')'))
         complain(r, r->at, 1, "',' or ')' was expected");
   }
   if (r->result == HD_OK)
      append(r, &step);
}

/* Those that are newer than `old`. */
static void
free_strings(hd_pass_list *list, const struct hd_pass_string *old)
{
   hd_heap heap = heap_of(list);

   while (list->strings != old) {
      struct hd_pass_string *string = list->strings;
      list->strings = string->next;
      heap.reserved += string->size;
      hd_heap_free(&heap, string, string->size);
   }
}

hd_result
hd_pass_list_parse(hd_pass_list *list, const char *text, hd_diag_sink diag)
{
   struct reader r = { .list = list, .text = text, .at = text, .diag = diag };
   const uint32_t num_steps = list->num_steps;
   struct hd_pass_string *strings = list->strings;

   skip_spaces(&r);
   if (*r.at) {
      do {
         read_step(&r);
      } while (r.result == HD_OK && next_is(&r, ','));
   }
   if (r.result == HD_OK && *r.at)
      complain(&r, r.at, 1, "expected ',' or the end");
   if (r.result != HD_OK) {
      list->num_steps = num_steps;
      free_strings(list, strings);
   }
   return r.result;
}

void
hd_pass_list_finish(hd_pass_list *list)
{
   hd_heap heap = heap_of(list);

   free_strings(list, NULL);
   hd_heap_free(&heap, list->steps, list->capacity * sizeof(*list->steps));
   list->steps = NULL;
   list->num_steps = list->capacity = 0;
}
