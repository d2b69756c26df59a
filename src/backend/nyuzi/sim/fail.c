/* SPDX-License-Identifier: MIT */
/* fail.c - report faults of the simulated program, with the location. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "backend/nyuzi/sim/sim.h"
#include "util/quote.h"

void
hd_nyuzi_sim_text(const sim *s, uint32_t pc, char text[64])
{
   hd_blob blob = { 0 };

   snprintf(text, 64, "?");
   if (pc < s->num_words && s->insts[pc].op) {
      hd_nyuzi_print(&s->insts[pc], 4 * (uint64_t)pc, true, &blob);
      if (blob.result == HD_OK)
         snprintf(text, 64, "%s", blob.data);
   }
   hd_blob_finish(&blob);
}

bool
hd_nyuzi_sim_fail(sim *s, const char *format, ...)
{
   const sim_thread *t = &s->threads[s->thread];
   const uint32_t pc = t->pc ? t->pc - 1 : 0;
   char what[160], inst[64], lane[24] = "", message[320];
   va_list args;

   if (s->result != HD_OK)
      return false;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   hd_nyuzi_sim_text(s, pc, inst);
   if (s->lane >= 0)
      snprintf(lane, sizeof(lane), ", lane %d", s->lane);
   snprintf(message, sizeof(message),
            "workgroup %" PRIu32 ", wave %" PRIu32 "%s, at 0x%" PRIx32 " %s: %s", s->workgroup,
            s->thread, lane, 4 * pc, inst, what);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(s->sink, &diag);
   s->result = HD_INVALID;
   return false;
}
