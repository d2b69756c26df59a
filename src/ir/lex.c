/* SPDX-License-Identifier: MIT */
/* lex.c - lexer of the text form. */
#include "ir/lex.h"

#include <string.h>

enum {
   DIGIT = 1,  /* 0-9 */
   LETTER = 2, /* a-z A-Z _ */
   DOT = 4,
   BLANK = 8,
   WORD = DIGIT | LETTER,
   NAME = DIGIT | LETTER | DOT,
};

static unsigned
class_of(char c)
{
   static const uint8_t classes[256] = {
      ['0'] = DIGIT,  ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,
      ['5'] = DIGIT,  ['6'] = DIGIT,  ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,
      ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER, ['d'] = LETTER, ['e'] = LETTER,
      ['f'] = LETTER, ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER,
      ['k'] = LETTER, ['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER,
      ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER, ['s'] = LETTER, ['t'] = LETTER,
      ['u'] = LETTER, ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER,
      ['z'] = LETTER, ['A'] = LETTER, ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER,
      ['E'] = LETTER, ['F'] = LETTER, ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER,
      ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER, ['N'] = LETTER,
      ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER,
      ['T'] = LETTER, ['U'] = LETTER, ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER,
      ['Y'] = LETTER, ['Z'] = LETTER, ['_'] = LETTER, ['.'] = DOT,    [' '] = BLANK,
      ['\t'] = BLANK, ['\r'] = BLANK,
   };

   return classes[(unsigned char)c];
}

static const char *
skip(const char *p, const char *end, unsigned classes)
{
   while (p < end && class_of(*p) & classes)
      p++;
   return p;
}

/* Blanks, line ends and comments. True when a line ended. */
static bool
skip_blank(struct lexer *l)
{
   const char *p = l->next, *end = l->end;
   bool newline = false;

   for (;;) {
      p = skip(p, end, BLANK);
      if (p < end && *p == '\n') {
         newline = true;
         p++;
      } else if (end - p >= 2 && p[0] == '/' && p[1] == '/') {
         const char *line_end = memchr(p, '\n', (size_t)(end - p));
         p = line_end ? line_end : end;
      } else {
         l->next = p;
         return newline;
      }
   }
}

/* After the opening quote: past the closing one, or NULL. */
static const char *
skip_string(const char *p, const char *end)
{
   for (; p < end && *p != '\n'; p++) {
      if (*p == '"')
         return p + 1;
      if (*p == '\\' && end - p > 1 && p[1] != '\n')
         p++;
   }
   return NULL;
}

static void
lex_string(const char *quote, const char *end, struct token *t, const char **next, int kind)
{
   const char *after = skip_string(quote + 1, end);

   if (after) {
      t->kind = kind;
      *next = after;
      return;
   }
   t->kind = TOKEN_BAD_STRING;
   const char *line_end = memchr(quote, '\n', (size_t)(end - quote));
   *next = line_end ? line_end : end;
}

/* `%12` or `%color`: the number is worked out while it is passed. */
static void
lex_value(const char *p, const char *end, struct token *t, const char **next)
{
   const char *start = ++p;
   uint64_t number = 0;

   for (; p < end && class_of(*p) & DIGIT; p++) {
      unsigned digit = (unsigned)(*p - '0');
      number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
   }
   t->numeric = p > start;
   t->number = number;
   const char *after = skip(p, end, NAME);
   t->kind = after == start || (t->numeric && after != p) ? TOKEN_BAD_BYTE : TOKEN_VALUE;
   *next = after;
}

/* Everything that goes on after a digit, and the sign of an exponent. */
static const char *
skip_number(const char *p, const char *end)
{
   bool hex = end - p >= 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X');

   for (;;) {
      p = skip(p, end, NAME);
      if (hex || p == end || (*p != '-' && *p != '+') || (p[-1] != 'e' && p[-1] != 'E'))
         return p;
      p++;
   }
}

void
hd_lex(struct lexer *l, struct token *t)
{
   t->first = skip_blank(l);
   const char *p = l->next, *end = l->end;

   t->start = p;
   t->numeric = false;
   if (p == end) {
      t->kind = TOKEN_END;
      t->length = 0;
      return;
   }
   const char *next = p + 1;
   unsigned class = class_of(*p);
   if (class & LETTER) {
      t->kind = TOKEN_WORD;
      next = skip(p, end, WORD);
   } else if (class & DIGIT) {
      t->kind = TOKEN_NUMBER;
      next = skip_number(p, end);
   } else if (*p == '%') {
      lex_value(p, end, t, &next);
   } else if (*p == '"') {
      lex_string(p, end, t, &next, TOKEN_STRING);
   } else if ((*p == '@' || *p == '$') && next < end && *next == '"') {
      lex_string(next, end, t, &next, *p == '@' ? TOKEN_AT_STRING : TOKEN_VAR);
   } else if ((*p == '@' || *p == '$') && next < end && class_of(*next) & NAME) {
      t->kind = *p == '@' ? TOKEN_FUNCTION : TOKEN_VAR;
      next = skip(next, end, NAME);
   } else if (*p == '-' && next < end && *next == '>') {
      t->kind = TOKEN_ARROW;
      next++;
   } else if (*p && strchr("{}()[],:=.|-", *p)) {
      t->kind = (unsigned char)*p;
   } else {
      t->kind = TOKEN_BAD_BYTE;
   }
   t->length = (size_t)(next - p);
   l->next = next;
}
