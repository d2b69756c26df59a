/* SPDX-License-Identifier: MIT */
/* fail.c - what is wrong with a program, and where. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "backend/gen9/sim/sim.h"
#include "util/quote.h"

void
hd_gen9_sim_text(const gen9_sim *s, uint32_t ip, char text[160])
{
   const hd_gen9_word *w = hd_gen9_sim_inst_at(s, ip);
   hd_blob blob = { 0 };

   snprintf(text, 160, "?");
   if (w) {
      hd_gen9_print(w, ip, &blob);
      if (blob.result == HD_OK && blob.data)
         snprintf(text, 160, "%s", blob.data);
   }
   hd_blob_finish(&blob);
}

/* A listing has columns, a message has none. */
static void
close_columns(char *text)
{
   char *to = text;

   for (const char *at = text; *at; at++) {
      if (*at != ' ' || (to > text && to[-1] != ' '))
         *to++ = *at;
   }
   *to = 0;
}

bool
hd_gen9_sim_fail(gen9_sim *s, const char *format, ...)
{
   const gen9_thread *t = &s->threads[s->thread];
   char what[160], inst[160], channel[24] = "", message[400];
   va_list args;

   if (s->result != HD_OK)
      return false;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   hd_gen9_sim_text(s, t->ip, inst);
   close_columns(inst);
   if (s->channel >= 0)
      snprintf(channel, sizeof(channel), ", channel %d", s->channel);
   snprintf(message, sizeof(message), "thread %" PRIu32 "%s, at 0x%" PRIx32 " %s: %s", s->thread,
            channel, t->ip, inst, what);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(s->sink, &diag);
   s->result = HD_INVALID;
   return false;
}
