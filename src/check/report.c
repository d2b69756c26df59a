/* SPDX-License-Identifier: MIT */
/* report.c - the table of rules, and diagnostics: the rule, what was found, where, and the line of IR
 * with the operand marked.
 */
#include <stdio.h>

#include "check.h"
#include "heddle/text.h"
#include "util/quote.h"

#define ROW(number, scope, presumes, words) { #number, words, scope, presumes },
const hd_rule_info hd_check_rules[NUM_RULES] = { HD_RULE_ROWS(ROW) };

unsigned
hd_num_rules(void)
{
   return NUM_RULES;
}

const hd_rule_info *
hd_rule_get_info(unsigned n)
{
   return n < NUM_RULES ? &hd_check_rules[n] : NULL;
}

static char *
next_text(check *c)
{
   return c->texts[c->next_text++ % NUM_TEXTS];
}

const char *
hd_check_def_text(check *c, const hd_def *def)
{
   char *text = next_text(c);

   if (def->index == HD_NO_INDEX)
      return "a value that was never inserted";
   snprintf(text, TEXT_SIZE, "%%%u", def->index);
   return text;
}

const char *
hd_check_block_text(check *c, const hd_block *block)
{
   char *text = next_text(c);

   if (!block)
      return "nothing";
   if (c->f && block == &c->f->end)
      return "the end block";
   snprintf(text, TEXT_SIZE, "b%u", block->node.index);
   return text;
}

/* Is there what the counts of an instruction say, so that it can be shown? */
static bool
is_printable(const hd_instr *i)
{
   const hd_block *b = i->block;

   switch (i->kind) {
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
   case HD_INSTR_PARAM:
      return !i->num_srcs;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      return i->num_srcs <= 2;
   case HD_INSTR_PHI: {
      const hd_phi *phi = (const hd_phi *)i;
      bool has_preds = !b || (b->num_preds <= b->pred_capacity && (b->preds || !b->num_preds));
      return has_preds && i->num_srcs == HD_NUM_SRCS_WIDE && phi->num_srcs <= phi->capacity &&
             (phi->srcs || !phi->num_srcs);
   }
   case HD_INSTR_CALL: {
      const hd_call *call = (const hd_call *)i;
      return i->num_srcs == HD_NUM_SRCS_WIDE && (call->args || !call->num_args);
   }
   case HD_INSTR_JUMP: {
      const hd_jump *jump = (const hd_jump *)i;
      bool has_succs = !b || (b->num_succs <= b->succ_capacity && (b->succs || !b->num_succs));
      return has_succs && i->num_srcs <= 1 && (jump->cases || !jump->num_cases);
   }
   default:
      return i->num_srcs != HD_NUM_SRCS_WIDE;
   }
}

/* The line of IR around a fault; false where there is none. */
static hd_result
print_line(check *c, place where, hd_blob *line, hd_text_span *span)
{
   const hd_src *mark = NULL;

   if (where.instr && !is_printable(where.instr))
      return HD_OK;
   if (where.instr) {
      if (where.src >= 0 && (unsigned)where.src < hd_instr_num_srcs(where.instr))
         mark = hd_instr_src(where.instr, (unsigned)where.src);
      return hd_print_instr(where.instr, NULL, mark, line, span);
   }
   const hd_cf_node *node = where.node ? where.node : where.block ? &where.block->node : NULL;
   if (!node || (c->f && node == &c->f->end.node))
      return HD_OK;
   if (where.src >= 0 && node->kind == HD_CF_IF)
      mark = &((const hd_if *)node)->cond;
   return hd_print_node(node, NULL, mark, line, span);
}

static void
add_place(check *c, hd_blob *message, place where)
{
   const hd_instr *i = where.instr;

   if (!c->f)
      return;
   hd_blob_printf(message, " (");
   if (i && i->loc && i->loc < c->shader->num_locations) {
      const hd_location *loc = &c->shader->locations[i->loc];
      hd_blob_printf(message, "%s:%u:%u, ", loc->file ? loc->file : "?", loc->line, loc->column);
   }
   if (where.block)
      hd_blob_printf(message, "%s of ", hd_check_block_text(c, where.block));
   hd_blob_name(message, '@', name_of(c->f));
   hd_blob_append(message, ")", 1);
}

void
hd_check_vreport(check *c, rule r, place where, const char *format, va_list args)
{
   char what[256];
   hd_blob message, line;
   hd_text_span span = { 0, 0 };

   c->broken |= RULE_BIT(r);
   if (c->muted)
      return;
   c->num_errors++;
   if (!c->sink.report)
      return;
   vsnprintf(what, sizeof(what), format, args);

   hd_blob_init(&message, &c->heap->config);
   hd_blob_init(&line, &c->heap->config);
   hd_blob_printf(&message, "%s: %s", hd_check_rules[r].words, what);
   add_place(c, &message, where);
   hd_result result = print_line(c, where, &line, &span);
   if (result == HD_OK)
      result = message.result;
   if (result == HD_OK) {
      hd_diag diag = {
         .severity = HD_ERROR,
         .file = c->options->file,
         .rule = hd_check_rules[r].number,
         .message = message.data,
         .text = line.size ? line.data : NULL,
         .text_length = line.size,
         .column = line.size ? (uint32_t)span.offset + 1 : 0,
         .length = line.size ? (span.length ? (uint32_t)span.length : 1) : 0,
      };
      hd_diag_send(&c->sink, &diag);
      if (c->num_errors == c->max_errors) {
         diag = (hd_diag){ .severity = HD_NOTE,
                           .file = c->options->file,
                           .message = "there may be more; this was the last message allowed" };
         hd_diag_send(&c->sink, &diag);
         result = HD_INVALID;
      }
   }
   hd_blob_finish(&message);
   hd_blob_finish(&line);
   if (result != HD_OK)
      hd_heap_fail(c->heap, result);
}

void
hd_check_report(check *c, rule r, place where, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   hd_check_vreport(c, r, where, format, args);
   va_end(args);
}
