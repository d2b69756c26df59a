/* SPDX-License-Identifier: MIT */
/* heard.h - a sink of diagnostics that remembers what was said. */
#ifndef TESTS_SUPPORT_HEARD_H
#define TESTS_SUPPORT_HEARD_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "heddle/base.h"

struct heard {
   unsigned count;
   char all[2048]; /* the messages, a line each with its rule, as many as fit */
   char last[1024];
   char rule[16]; /* of the last error, or "" */
   uint32_t line, column;
   uint64_t offset;
};

static inline void
hear(void *user, const hd_diag *diag)
{
   struct heard *h = user;
   const size_t used = strlen(h->all);
   const char *rule = diag->rule ? diag->rule : "";

   h->count++;
   snprintf(h->all + used, sizeof(h->all) - used, "%s%s%s%s\n", diag->message, *rule ? " [" : "",
            rule, *rule ? "]" : "");
   snprintf(h->last, sizeof(h->last), "%s", diag->message);
   if (diag->severity == HD_ERROR)
      snprintf(h->rule, sizeof(h->rule), "%s", rule);
   h->line = diag->line;
   h->column = diag->column;
   h->offset = diag->offset;
}

#endif
