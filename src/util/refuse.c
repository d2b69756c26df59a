/* SPDX-License-Identifier: MIT */
/* refuse.c - give up with a diagnostic. */
#include "util/refuse.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/quote.h"

void
hd_heap_refuse(hd_heap *heap, hd_result result, const char *format, ...)
{
   char text[512];
   va_list args;

   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR, .message = text };
   hd_diag_send(&heap->config.diag, &diag);
   hd_heap_fail(heap, result);
   __builtin_unreachable();
}
