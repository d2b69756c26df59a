/* SPDX-License-Identifier: MIT */
/* db.c - read and compare what `heddle db run` writes. */
#include "db.h"

#include <stdlib.h>
#include <string.h>

void
db_free(db *d)
{
   free(d->rows);
   free(d->text);
}

static int
key_number(db *d, const char *key)
{
   for (unsigned n = 0; n < d->num_keys; n++) {
      if (!strcmp(d->keys[n], key))
         return (int)n;
   }
   if (d->num_keys == DB_MAX_KEYS)
      return -1;
   d->keys[d->num_keys] = key;
   return (int)d->num_keys++;
}

/* The string that begins at *s with its quote; its end becomes a zero, *s what follows. */
static char *
take_string(char **s)
{
   char *begin = *s + 1, *end = begin;

   if (**s != '"')
      return NULL;
   while ((unsigned char)*end >= ' ' && *end != '"')
      end += *end == '\\' && (unsigned char)end[1] >= ' ' ? 2 : 1;
   if (*end != '"')
      return NULL;
   *end = 0;
   *s = end + 1;
   return begin;
}

/* {"name":"...","target":"...", and then "refused":"..."} or "KEY":NUMBER,...}, as it is written. */
static bool
read_row(db *d, char *line, db_row *row)
{
   char *s = line;

   *row = (db_row){ .name = NULL };
   if (*s++ != '{')
      return false;
   for (;;) {
      char *key = take_string(&s);
      if (!key || *s++ != ':')
         return false;
      if (*s == '"') {
         char *text = take_string(&s);
         if (!text)
            return false;
         if (!strcmp(key, "name"))
            row->name = text;
         else if (!strcmp(key, "target"))
            row->target = text;
         else
            row->refused = true;
      } else {
         char *end;
         const int number = key_number(d, key);
         const unsigned long long value = strtoull(s, &end, 10);
         if (end == s || number < 0)
            return false;
         row->value[number] = value;
         s = end;
      }
      if (*s == '}')
         return row->name != NULL;
      if (*s++ != ',')
         return false;
   }
}

static int
by_name(const void *a, const void *b)
{
   return strcmp(((const db_row *)a)->name, ((const db_row *)b)->name);
}

static bool
expected_row(const char *path, const db *d)
{
   trouble("%s:%zu: expected a row of figures", path, d->num_rows + 1);
   return false;
}

bool
db_read(const tool *t, const char *path, db *d)
{
   size_t size, num = 0;

   *d = (db){ .text = NULL };
   if (read_file(t, path, &d->text, &size))
      return false;
   char *text = realloc(d->text, size + 1);
   if (!text) {
      explain(t, path, HD_OUT_OF_MEMORY);
      return false;
   }
   d->text = text;
   text[size] = 0;
   for (size_t n = 0; n < size; n++)
      num += text[n] == '\n';
   d->rows = malloc((num + 1) * sizeof(*d->rows));
   if (!d->rows) {
      explain(t, path, HD_OUT_OF_MEMORY);
      return false;
   }
   char *line = text;
   for (char *end; (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      if (!read_row(d, line, &d->rows[d->num_rows]))
         return expected_row(path, d);
      d->num_rows++;
   }
   /* A last line without its end was being written when the run was ended. */
   if (line != text + size && *line != '{')
      return expected_row(path, d);
   qsort(d->rows, d->num_rows, sizeof(*d->rows), by_name);
   return true;
}

/* Comparing */

/* A module that has figures in both. */
typedef struct pair {
   const char *name;
   uint64_t before, after; /* of the key that is sorted by */
} pair;

typedef struct comparison {
   const tool *t;
   const db *a, *b;
   const db_row **rows; /* of `a` and `b` in turn, of those that are in both */
   size_t num;
   bool html;
} comparison;

/* The tool needs no mathematical library for a mean: log2 bit by bit, its inverse by halving. */
static double
log_2(double x)
{
   double log = 0, bit = 1;

   for (; x >= 2; x /= 2)
      log++;
   for (; x < 1; x *= 2)
      log--;
   for (int n = 0; n < 40; n++) {
      bit /= 2;
      x *= x;
      if (x >= 2) {
         x /= 2;
         log += bit;
      }
   }
   return log;
}

static double
exp_2(double log)
{
   double low = 1e-9, high = 1e9;

   for (int n = 0; n < 80; n++) {
      const double middle = (low + high) / 2;
      if (log_2(middle) < log)
         low = middle;
      else
         high = middle;
   }
   return low;
}

static double
ratio(uint64_t before, uint64_t after)
{
   return (double)(after + (!before || !after)) / (double)(before + (!before || !after));
}

/* By how much the second is worse, the worst first; by name where they are alike. */
static int
by_ratio(const void *left, const void *right)
{
   const pair *a = left, *b = right;
   const double x = ratio(a->before, a->after), y = ratio(b->before, b->after);

   return x < y ? 1 : x > y ? -1 : strcmp(a->name, b->name);
}

static int
find_key(const db *d, const char *key)
{
   for (unsigned n = 0; n < d->num_keys; n++) {
      if (!strcmp(d->keys[n], key))
         return (int)n;
   }
   return -1;
}

static void
cell(const comparison *c, const char *text, bool first, bool last)
{
   if (!c->html) {
      if (first) {
         print_escaped(stdout, text);
         printf("%*s", strlen(text) < 40 ? (int)(40 - strlen(text)) : 1, "");
      } else {
         printf(" %12s", text);
      }
      fputs(last ? "\n" : "", stdout);
      return;
   }
   fputs(first ? "<tr><td>" : "<td>", stdout);
   for (const char *s = text; *s; s++)
      fputs(*s == '<' ? "&lt;" : *s == '&' ? "&amp;" : (char[]){ *s, 0 }, stdout);
   fputs(last ? "</td></tr>\n" : "</td>", stdout);
}

static void
line(const comparison *c, const char *name, uint64_t before, uint64_t after, double by)
{
   char text[32];

   cell(c, name, true, false);
   snprintf(text, sizeof(text), "%llu", (unsigned long long)before);
   cell(c, text, false, false);
   snprintf(text, sizeof(text), "%llu", (unsigned long long)after);
   cell(c, text, false, false);
   snprintf(text, sizeof(text), "%.3f", by);
   cell(c, text, false, true);
}

static void
table(const comparison *c, const char *title, const char *first, const char *second)
{
   if (c->html)
      printf("<table><tr><th>%s</th><th>%s</th><th>%s</th><th>ratio</th></tr>\n", title, first,
             second);
   else
      printf("%-40s %12s %12s %12s\n", title, first, second, "ratio");
}

static void
end_table(const comparison *c)
{
   puts(c->html ? "</table>" : "");
}

/* Sums, and the geometric mean of the ratios. */
static void
totals(const comparison *c)
{
   table(c, "sums", "before", "after");
   for (unsigned k = 0; k < c->a->num_keys; k++) {
      const int other = find_key(c->b, c->a->keys[k]);
      uint64_t before = 0, after = 0;
      for (size_t n = 0; n < c->num && other >= 0; n++) {
         before += c->rows[2 * n]->value[k];
         after += c->rows[2 * n + 1]->value[other];
      }
      if (other >= 0)
         line(c, c->a->keys[k], before, after, ratio(before, after));
   }
   end_table(c);
   table(c, "geometric means of the ratios", "modules", "changed");
   for (unsigned k = 0; k < c->a->num_keys; k++) {
      const int other = find_key(c->b, c->a->keys[k]);
      double sum = 0;
      uint64_t changed = 0;
      for (size_t n = 0; n < c->num && other >= 0; n++) {
         const uint64_t before = c->rows[2 * n]->value[k], after = c->rows[2 * n + 1]->value[other];
         sum += log_2(ratio(before, after));
         changed += before != after;
      }
      if (other >= 0)
         line(c, c->a->keys[k], c->num, changed, c->num ? exp_2(sum / (double)c->num) : 1.0);
   }
   end_table(c);
}

/* The modules that changed most, of one key. */
static bool
extremes(const comparison *c, const char *key)
{
   const int before = find_key(c->a, key), after = find_key(c->b, key);
   pair *pairs = malloc((c->num + 1) * sizeof(*pairs));
   size_t num = 0;

   for (size_t n = 0; pairs && n < c->num; n++) {
      const pair p = { c->rows[2 * n]->name, c->rows[2 * n]->value[before],
                       c->rows[2 * n + 1]->value[after] };
      if (p.before != p.after)
         pairs[num++] = p;
   }
   if (!pairs)
      return false;
   qsort(pairs, num, sizeof(*pairs), by_ratio);
   table(c, "worst", "before", "after");
   for (size_t n = 0; n < num && n < 10 && pairs[n].after > pairs[n].before; n++)
      line(c, pairs[n].name, pairs[n].before, pairs[n].after,
           ratio(pairs[n].before, pairs[n].after));
   end_table(c);
   table(c, "best", "before", "after");
   for (size_t n = num; n-- > 0 && n + 10 >= num && pairs[n].after < pairs[n].before;)
      line(c, pairs[n].name, pairs[n].before, pairs[n].after,
           ratio(pairs[n].before, pairs[n].after));
   end_table(c);
   free(pairs);
   return true;
}

/* Both are sorted: one walk finds what is in both. */
static int
compare_rows(comparison *c, const char *key)
{
   size_t x = 0, y = 0, only[2] = { 0, 0 }, refused[2] = { 0, 0 };

   while (x < c->a->num_rows || y < c->b->num_rows) {
      const db_row *p = x < c->a->num_rows ? &c->a->rows[x] : NULL;
      const db_row *q = y < c->b->num_rows ? &c->b->rows[y] : NULL;
      const int order = !p ? 1 : !q ? -1 : strcmp(p->name, q->name);
      only[0] += order < 0;
      only[1] += order > 0;
      refused[0] += !order && p->refused && !q->refused;
      refused[1] += !order && q->refused && !p->refused;
      if (!order && !p->refused && !q->refused) {
         c->rows[2 * c->num] = p;
         c->rows[2 * c->num + 1] = q;
         c->num++;
      }
      x += order <= 0;
      y += order >= 0;
   }
   if (c->num && (find_key(c->a, key) < 0 || find_key(c->b, key) < 0))
      return trouble("there is no figure '%s'", key);
   if (c->html)
      puts("<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<title>heddle db compare</title>");
   printf(c->html ? "<p>%zu modules</p>\n" : "%zu modules\n\n", c->num);
   totals(c);
   if (c->num && !extremes(c, key))
      return explain(c->t, "db", HD_OUT_OF_MEMORY);
   printf(c->html
              ? "<p>only before %zu, only after %zu; refused only before %zu, only after %zu</p>\n"
              : "only before %zu, only after %zu; refused only before %zu, only after %zu\n",
          only[0], only[1], refused[0], refused[1]);
   return 0;
}

int
db_compare(tool *t, const char *before, const char *after)
{
   const char *key = option_value(t, "key");
   db a, b = { .text = NULL };
   int status = EXIT_TROUBLE;

   if (db_read(t, before, &a) && db_read(t, after, &b)) {
      comparison c = { .t = t, .a = &a, .b = &b, .html = option_given(t, "html") };
      c.rows = malloc((2 * a.num_rows + 1) * sizeof(*c.rows));
      status = c.rows ? compare_rows(&c, key ? key : "instructions")
                      : explain(t, "db", HD_OUT_OF_MEMORY);
      free(c.rows);
   }
   db_free(&a);
   db_free(&b);
   return status;
}
