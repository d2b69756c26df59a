/* SPDX-License-Identifier: MIT */
/* fault.c - report faults of the simulated program, with the location. */
#include "backend/gcn/isa/print.h"
#include "backend/gcn/sim/machine.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "util/quote.h"

void
hd_gcn_fetched_print(const hd_gcn_machine *m, const fetched *f, hd_blob *out)
{
   hd_gcn_inst_print(m->target->gen, &f->decoded.inst, out);
}

static void
send(const hd_gcn_machine *m, const hd_blob *text)
{
   const hd_diag_sink *sink = &m->heap.config.diag;
   const hd_diag diag = {
      .severity = HD_ERROR,
      .message = text->result == HD_OK && text->data ? text->data : "the program failed",
   };

   hd_diag_send(sink, &diag);
}

static void
append_va(hd_blob *out, const char *format, va_list args)
{
   char line[512];

   vsnprintf(line, sizeof(line), format, args);
   hd_blob_printf(out, "%s", line);
}

static void
append_place(const hd_gcn_wave *wave, int lane, hd_blob *out)
{
   const hd_gcn_machine *m = wave->machine;
   const uint64_t offset = wave->pc - m->code_base;

   if (lane >= 0)
      hd_blob_printf(out, ", lane %d of", lane);
   else
      hd_blob_printf(out, ", in");
   hd_blob_printf(out, " wave %u of workgroup %u, at 0x%" PRIx64, wave->number, wave->workgroup,
                  offset);
   if (offset / 4 < m->launch->code_words && m->code[offset / 4] &&
       m->code[offset / 4]->num_words) {
      hd_blob_printf(out, ": ");
      hd_gcn_fetched_print(m, m->code[offset / 4], out);
   }
}

void
hd_gcn_tell_fault(hd_gcn_wave *wave, int lane, const char *format, ...)
{
   hd_gcn_machine *m = wave->machine;
   hd_blob text;
   va_list args;

   if (m->result != HD_OK)
      return;
   hd_blob_init(&text, &m->heap.config);
   va_start(args, format);
   append_va(&text, format, args);
   va_end(args);
   append_place(wave, lane, &text);
   send(m, &text);
   hd_blob_finish(&text);
   m->result = HD_FAULT;
}
