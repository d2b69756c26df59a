/* SPDX-License-Identifier: MIT */
/* report.c - run-time errors as diagnostics. */
#include "wave/wave.h"

#include <stdarg.h>

#include "heddle/text.h"
#include "util/quote.h"

/* Heddle's text of an instruction, as it is numbered in the text of its function. */
static void
append_instr(hd_blob *out, const hd_instr *instr)
{
   hd_numbering *numbering;

   if (hd_numbering_create(hd_block_function(instr->block), &numbering) != HD_OK)
      return;
   hd_blob_printf(out, ": ");
   hd_print_instr(instr, numbering, NULL, out, NULL);
   hd_numbering_destroy(numbering);
}

static void
append_block(hd_blob *out, const hd_block *block)
{
   const hd_function *f = hd_block_function(block);
   hd_numbering *numbering;

   if (hd_numbering_create(f, &numbering) != HD_OK)
      return;
   hd_blob_printf(out, ", in block b%u of ", hd_numbering_block(numbering, block));
   hd_blob_name(out, '@', f->name);
   hd_numbering_destroy(numbering);
}

/* The block that a wave executes. */
static void
append_current_block(hd_blob *out, const hd_wave *w)
{
   const hd_frame *f = w->frame;

   if (f && f->place < f->code->num_blocks)
      append_block(out, f->code->blocks[f->place].block);
}

static void
send(hd_wave_run_state *run, const hd_instr *instr, const hd_blob *text)
{
   const hd_diag_sink *sink = &run->heap.config.diag;
   hd_location at = { 0 };

   if (!sink->report)
      return;
   if (instr && instr->loc < run->shader->num_locations)
      at = run->shader->locations[instr->loc];
   hd_diag diag = {
      .severity = HD_ERROR,
      .file = at.file,
      .line = at.line,
      .column = at.column,
      .length = at.column != 0,
      .message = text->result == HD_OK && text->data ? text->data : "the program failed",
   };
   hd_diag_send(sink, &diag);
}

/* Report, then unwind the run. */
static HD_NORETURN void
unwind(hd_wave_run_state *run, const hd_instr *instr, hd_blob *text, hd_result result)
{
   send(run, instr, text);
   hd_blob_finish(text);
   hd_heap_fail(&run->heap, result);
   __builtin_unreachable();
}

static void
append_va(hd_blob *out, const char *format, va_list args)
{
   char line[512];

   vsnprintf(line, sizeof(line), format, args);
   hd_blob_printf(out, "%s", line);
}

void
hd_wave_fault(hd_wave *w, const hd_instr *instr, unsigned lane, const char *format, ...)
{
   hd_wave_run_state *run = w->run;
   hd_blob text;
   va_list args;

   hd_blob_init(&text, &run->heap.config);
   va_start(args, format);
   append_va(&text, format, args);
   va_end(args);
   if (lane < HD_WAVE_MAX_LANES)
      hd_blob_printf(&text, ", lane %u of", lane);
   else
      hd_blob_printf(&text, ", in");
   hd_blob_printf(&text, " wave %u of workgroup %u", w->number, run->workgroup_index);
   append_current_block(&text, w);
   if (instr)
      append_instr(&text, instr);
   unwind(run, instr, &text, HD_FAULT);
}

void
hd_wave_refuse(hd_wave_run_state *run, hd_result result, const hd_instr *instr, const char *format,
               ...)
{
   hd_blob text;
   va_list args;

   hd_blob_init(&text, &run->heap.config);
   va_start(args, format);
   append_va(&text, format, args);
   va_end(args);
   if (instr)
      append_instr(&text, instr);
   unwind(run, instr, &text, result);
}

void
hd_wave_out_of_steps(hd_wave *w)
{
   hd_wave_run_state *run = w->run;
   hd_blob text;

   hd_blob_init(&text, &run->heap.config);
   hd_blob_printf(&text, "the launch ran %llu steps and has not ended: wave %u of workgroup %u",
                  (unsigned long long)run->launch->max_steps, w->number, run->workgroup_index);
   append_current_block(&text, w);
   unwind(run, NULL, &text, HD_BUDGET_EXCEEDED);
}
