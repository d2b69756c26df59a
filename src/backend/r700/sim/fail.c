/* SPDX-License-Identifier: MIT */
/* fail.c - decode, count and trace the current word; diagnostics about it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "backend/r700/sim/sim.h"
#include "util/quote.h"

static void
text_of(const hd_r700_inst *inst, char text[200])
{
   hd_blob blob = { 0 };

   hd_r700_print(inst, &blob);
   snprintf(text, 200, "%s", blob.result == HD_OK && blob.data ? blob.data : "?");
   hd_blob_finish(&blob);
}

bool
hd_r700_sim_fail(r700_sim *s, const char *format, ...)
{
   char what[160], text[200] = "?", message[440];
   hd_r700_inst inst;
   va_list args;

   if (s->result != HD_OK)
      return false;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   if (s->at < s->num_words && !hd_r700_decode(s->kind, &s->words[s->at], &inst))
      text_of(&inst, text);
   snprintf(message, sizeof(message),
            "workgroup %" PRIu32 ", wave %" PRIu32 ", at %" PRIu32 " %s: %s", s->workgroup,
            s->wave_number, s->at, text, what);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(s->sink, &diag);
   s->result = HD_INVALID;
   return false;
}

bool
hd_r700_sim_decode(r700_sim *s, hd_r700_kind kind, uint32_t at, hd_r700_inst *inst)
{
   s->at = at;
   s->kind = kind;
   if (at >= s->num_words)
      return hd_r700_sim_fail(s, "the wave runs out of its code");
   const char *why = hd_r700_decode(kind, &s->words[at], inst);
   return !why || hd_r700_sim_fail(s, "%s", why);
}

bool
hd_r700_sim_count(r700_sim *s, const hd_r700_inst *inst, bool counts)
{
   if (counts && s->options->max_steps && s->steps >= s->options->max_steps) {
      hd_r700_sim_fail(s, "the run takes more than %" PRIu64 " steps", s->options->max_steps);
      s->result = HD_BUDGET_EXCEEDED;
      return false;
   }
   s->steps += counts;
   if (s->options->trace) {
      char text[200];
      text_of(inst, text);
      const hd_r700_sim_step step = { s->workgroup, s->wave_number, s->at, s->wave->active, text };
      s->options->trace(s->options->user, &step);
   }
   return true;
}

void
hd_r700_sim_tell(r700_sim *s, unsigned gpr, unsigned chan, const uint32_t values[HD_R700_LANES])
{
   char name[16];

   if (!s->options->wrote)
      return;
   snprintf(name, sizeof(name), "T%u.%c", gpr, "XYZW"[chan % 4]);
   s->options->wrote(s->options->user, &(hd_wave_register){ .workgroup = s->workgroup,
                                                            .wave = s->wave_number,
                                                            .name = name,
                                                            .values = values,
                                                            .num = HD_R700_LANES });
}

bool
hd_r700_sim_check_gpr(r700_sim *s, unsigned gpr)
{
   return gpr < s->num_gprs ||
          hd_r700_sim_fail(s, "T%u is none of the %u registers", gpr, s->num_gprs);
}
