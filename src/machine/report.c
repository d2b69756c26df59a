/* SPDX-License-Identifier: MIT */
/* report.c - diagnostics of the machine layer: why a shader cannot be compiled. */
#include "machine/program.h"

#include <stdarg.h>

#include "heddle/text.h"
#include "util/quote.h"

/* As it is numbered in the text of what is being compiled: passes have run on it. */
static void
append_instr(hd_blob *out, const hd_instr *instr)
{
   hd_numbering *numbering = NULL;

   hd_blob_printf(out, ": ");
   if (instr->block)
      hd_numbering_create(hd_block_function(instr->block), &numbering);
   hd_print_instr(instr, numbering, NULL, out, NULL);
   hd_numbering_destroy(numbering);
}

bool
hd_mach_refuse(hd_mach_program *p, const hd_instr *instr, const char *format, ...)
{
   const hd_config *config = hd_shader_config(p->shader);
   hd_diag_sink sink = p->diag.report ? p->diag : config->diag;
   hd_location at = { 0 };
   char line[256];
   hd_blob text;
   va_list args;

   if (!sink.report)
      return false;
   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   hd_blob_init(&text, config);
   hd_blob_printf(&text, "%s: %s", p->mach->name, line);
   if (instr) {
      if (instr->loc < p->shader->num_locations)
         at = p->shader->locations[instr->loc];
      append_instr(&text, instr);
   }
   hd_diag diag = {
      .severity = HD_ERROR,
      .file = at.file,
      .line = at.line,
      .column = at.column,
      .length = at.column != 0,
      .message = text.result == HD_OK && text.data ? text.data : line,
   };
   hd_diag_send(&sink, &diag);
   hd_blob_finish(&text);
   return false;
}
