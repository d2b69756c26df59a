/* SPDX-License-Identifier: MIT */
/* messages.h - a diagnostics sink that keeps the newest message and counts. */
#ifndef HEDDLE_TESTS_MESSAGES_H
#define HEDDLE_TESTS_MESSAGES_H

#include <stdio.h>
#include <string.h>

#include "heddle/base.h"

typedef struct messages {
   char text[1024];
   unsigned num;
   uint32_t line;
} messages;

static inline void
keep_message(void *user, const hd_diag *diag)
{
   messages *m = user;

   snprintf(m->text, sizeof(m->text), "%s", diag->message);
   m->line = diag->line;
   m->num++;
}

static inline hd_config
listening(messages *m)
{
   memset(m, 0, sizeof(*m));
   return (hd_config){ .diag = { m, keep_message } };
}

#endif
