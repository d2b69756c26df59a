/* SPDX-License-Identifier: MIT */
/* report.c - what is wrong with a module: a diagnostic, and unwinding to read.c; so do failed allocations. */
#include <stdarg.h>

#include "spirv/spirv.h"
#include "util/quote.h"

const char *
hd_spirv_opcode_name(uint32_t opcode)
{
   const struct spirv_opcode *op = hd_spirv_opcode(opcode);

   return op == hd_spirv_opcodes ? "opcode" : hd_spirv_names + op->name;
}

static void
report(struct spirv *s, const char *format, va_list args)
{
   const hd_diag_sink *sink = &s->sink;
   char what[256], message[320];

   /* The first fault is reported; what follows from it is not. */
   if (s->told)
      return;
   s->told = true;
   vsnprintf(what, sizeof(what), format, args);
   if (s->at.opcode)
      snprintf(message, sizeof(message), "%s: %s", hd_spirv_opcode_name(s->at.opcode), what);
   else
      snprintf(message, sizeof(message), "%s", what);
   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR,
                                  .file = s->options->file_name,
                                  .offset = (uint64_t)s->at.word * 4,
                                  .message = message });
}

void
hd_spirv_invalid(struct spirv *s, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(s, format, args);
   va_end(args);
   s->heap->unwind->result = HD_INVALID;
   longjmp(s->heap->unwind->env, 1);
}

void
hd_spirv_unsupported(struct spirv *s, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(s, format, args);
   va_end(args);
   s->heap->unwind->result = s->b.result == HD_OK ? HD_UNSUPPORTED : s->b.result;
   longjmp(s->heap->unwind->env, 1);
}

void
hd_spirv_say(struct spirv *s, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   report(s, format, args);
   va_end(args);
}

void *
hd_spirv_alloc(struct spirv *s, size_t size)
{
   hd_heap_step(s->heap, 1 + size / 64);
   return hd_stack_alloc_zero(s->stack, size);
}
