/* SPDX-License-Identifier: MIT */
/* case.c - a program, and a wave that runs it, in one line: what a failure is repeated by.
 *
 *    1;2,3;3 wave in1;;1 | bits=10 features=3 seed=7 wave=0 lanes=0,1f
 *
 * Blocks with their successors and what else is known of them, with semicolons between.
 */
#include "judge.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const branch_names[NUM_BRANCH_KINDS] = { "", " wave", " first", " visit" };

void
case_write(const program *p, const crew *c, FILE *file)
{
   for (uint32_t n = 0; n < p->graph.num_blocks; n++) {
      const graph_block *b = &p->graph.blocks[n];
      if (n)
         fputc(';', file);
      for (uint32_t k = 0; k < b->num_succs; k++)
         fprintf(file, k ? ",%u" : "%u", graph_succs(&p->graph, n)[k]);
      fputs(branch_names[b->branch], file);
      if (b->header)
         fputs(" header", file);
      if (b->halts)
         fputs(" halt", file);
      if (b->inside != NO_BLOCK)
         fprintf(file, " in%u", b->inside);
      if (b->continues != NO_BLOCK)
         fprintf(file, " continues%u", b->continues);
   }
   fprintf(file, " | bits=%u features=%u seed=%" PRIu64, p->bits, p->features, p->seed);
   if (!c || !c->width)
      return;
   fprintf(file, " wave=%u lanes=", c->wave_words[0]);
   for (uint32_t n = 0; n < c->width; n++)
      fprintf(file, n ? ",%x" : "%x", c->words[n]);
}

static bool
read_number(const char **s, uint64_t *value)
{
   char *end;

   if (!isdigit((unsigned char)**s))
      return false;
   *value = strtoull(*s, &end, 10);
   *s = end;
   return true;
}

/* Does the text go on with this word? Then step over it. */
static bool
read_word(const char **s, const char *word)
{
   const size_t length = strlen(word);

   if (strncmp(*s, word, length) != 0)
      return false;
   *s += length;
   return true;
}

static bool
read_block_number(const char **s, uint32_t *block)
{
   uint64_t value;

   if (!read_number(s, &value) || value > 100000000)
      return false;
   *block = (uint32_t)value;
   return true;
}

/* Attributes of the block that was added last. */
static const char *
read_words(const char **s, graph_block *b)
{
   while (**s == ' ' && (*s)[1] != '|') {
      unsigned kind = 1;
      while (kind < NUM_BRANCH_KINDS && !read_word(s, branch_names[kind]))
         kind++;
      if (kind < NUM_BRANCH_KINDS)
         b->branch = (uint8_t)kind;
      else if (read_word(s, " header"))
         b->header = true;
      else if (read_word(s, " halt"))
         b->halts = true;
      else if (read_word(s, " in")
                   ? !read_block_number(s, &b->inside)
                   : !read_word(s, " continues") || !read_block_number(s, &b->continues))
         return "expected wave, first, visit, header, halt, in or continues with a number";
   }
   return NULL;
}

static const char *
read_blocks(const char **s, graph *g)
{
   uint32_t succs[4096];

   for (;;) {
      uint32_t count = 0;
      while (isdigit((unsigned char)**s)) {
         if (count == 4096 || !read_block_number(s, &succs[count++]))
            return "a block has too many successors";
         if (**s == ',')
            ++*s;
      }
      const char *wrong = read_words(s, graph_add(g, count, succs));
      if (wrong)
         return wrong;
      if (**s != ';')
         return NULL;
      ++*s;
   }
}

static bool
names_blocks_only(const graph *g)
{
   for (uint32_t n = 0; n < g->num_edges; n++) {
      if (g->succs[n] == 0 || g->succs[n] >= g->num_blocks)
         return false;
   }
   for (uint32_t n = 0; n < g->num_blocks; n++) {
      const graph_block *b = &g->blocks[n];
      if ((b->inside != NO_BLOCK && b->inside >= g->num_blocks) ||
          (b->continues != NO_BLOCK && b->continues >= g->num_blocks))
         return false;
   }
   return g->blocks[0].num_succs > 0;
}

/* Lanes of one wave: words with commas between. */
static bool
read_crew(const char **s, crew *c)
{
   uint32_t words[CREW_WIDTH], width = 0;

   do {
      char *end;
      if (width == CREW_WIDTH || !isxdigit((unsigned char)**s))
         return false;
      words[width++] = (uint32_t)strtoul(*s, &end, 16);
      *s = end;
   } while (read_word(s, ","));
   *c = crew_make(width, 1);
   memcpy(c->words, words, width * sizeof(*words));
   return true;
}

static const char *
read_settings(const char **s, program *p, crew *c)
{
   uint64_t bits = 10, features = 0, wave_word = 0;

   while (**s == ' ') {
      const bool good = read_word(s, " bits=")       ? read_number(s, &bits)
                        : read_word(s, " features=") ? read_number(s, &features)
                        : read_word(s, " seed=")     ? read_number(s, &p->seed)
                        : read_word(s, " wave=")
                            ? read_number(s, &wave_word)
                            : !c->width && read_word(s, " lanes=") && read_crew(s, c);
      if (!good)
         return "expected bits, features, seed or wave with a number, or lanes with words";
   }
   p->bits = bits < 32 ? (uint32_t)bits : 32;
   p->features = (uint32_t)features;
   if (c->width)
      c->wave_words[0] = (uint32_t)wave_word;
   return NULL;
}

const char *
case_read(program *p, crew *c, const char *text)
{
   *c = (crew){ 0 };
   graph_clear(&p->graph);
   p->seed = 0;
   p->bits = 10;
   p->features = 0;
   const char *wrong = read_blocks(&text, &p->graph);
   if (!wrong && read_word(&text, " |"))
      wrong = read_settings(&text, p, c);
   if (wrong)
      return wrong;
   if (*text)
      return "expected ';', a word or '|' after a block";
   if (!names_blocks_only(&p->graph))
      return "the entry has a successor, and no edge goes to it or to a block that is not there";
   graph all = { 0 };
   graph_copy(&all, &p->graph);
   graph_reduce(&p->graph, &all, NULL);
   graph_free(&all);
   return NULL;
}
