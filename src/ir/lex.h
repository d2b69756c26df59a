/* SPDX-License-Identifier: MIT */
/* lex.h - lexer of the text form. */
#ifndef HEDDLE_IR_LEX_H
#define HEDDLE_IR_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A punctuation mark is its own kind; the others: */
enum token_kind {
   TOKEN_END = 0,
   TOKEN_WORD = 256, /* iadd */
   TOKEN_NUMBER,     /* 12, 0x1f, 1.5e-3, 32x4: whatever goes on after a digit */
   TOKEN_VALUE,      /* %12, %color */
   TOKEN_VAR,        /* $x, $"any name" */
   TOKEN_FUNCTION,   /* @main */
   TOKEN_AT_STRING,  /* @"file", @"any name" */
   TOKEN_STRING,     /* "text" */
   TOKEN_ARROW,      /* -> */
   TOKEN_BAD_BYTE,   /* what no token begins with */
   TOKEN_BAD_STRING, /* not closed on its line */
};

struct token {
   int kind;
   bool first;        /* on its line */
   bool numeric;      /* a value that is named by a number */
   const char *start; /* in the text; of a string, its quotes are part of it */
   size_t length;
   uint64_t number; /* of a numeric value; UINT64_MAX for what is larger */
};

struct lexer {
   const char *next, *end;
};

/* Read the token after `lexer->next`. At the end it is TOKEN_END, again and again. */
void hd_lex(struct lexer *lexer, struct token *token);

#endif
