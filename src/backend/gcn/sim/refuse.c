/* SPDX-License-Identifier: MIT */
/* refuse.c - reject an invalid launch, with a diagnostic, for all entry points. */
#include "backend/gcn/sim/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/quote.h"

void
hd_gcn_refuse_launch(hd_heap *heap, hd_result result, const char *format, ...)
{
   const hd_diag_sink *sink = &heap->config.diag;
   char text[256];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR, .message = text };
   hd_diag_send(sink, &diag);
   hd_heap_fail(heap, result);
   __builtin_unreachable();
}
