/* SPDX-License-Identifier: MIT */
/* cmd_divergence.c - heddle divergence: report which values and branches are divergent, and why.
 *
 * The text of the shader, with a comment at the end of the line of each value and each branch: it
 * parses as it is. The lines of a function come in the order of the text form, so a second walk
 * over the function meets the same values and branches in the same order.
 */
#include "tool.h"

#include "heddle/ops.h"
#include "heddle/text.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"

/* The reasons of one function; the arrays hold copies by index, `why` below zero for none. */
typedef struct reasons {
   hd_function *f;
   hd_numbering *numbering;
   hd_divergence_reason *value, *branch;
   bool *differs, *parts;
} reasons;

static void
keep(void *user, const hd_divergence_reason *reason)
{
   reasons *r = user;

   if (reason->def) {
      r->value[reason->def->index] = *reason;
      r->differs[reason->def->index] = true;
   } else {
      r->branch[reason->block->node.index] = *reason;
      r->parts[reason->block->node.index] = true;
   }
}

static void
finish(reasons *r)
{
   hd_numbering_destroy(r->numbering);
   free(r->value);
   free(r->branch);
   free(r->differs);
   free(r->parts);
}

static hd_result
collect(reasons *r, hd_function *f)
{
   *r = (reasons){
      .f = f,
      .value = calloc(f->num_defs + 1u, sizeof(*r->value)),
      .branch = calloc(f->num_blocks + 1u, sizeof(*r->branch)),
      .differs = calloc(f->num_defs + 1u, sizeof(*r->differs)),
      .parts = calloc(f->num_blocks + 1u, sizeof(*r->parts)),
   };
   if (!r->value || !r->branch || !r->differs || !r->parts)
      return HD_OUT_OF_MEMORY;
   hd_result result = hd_numbering_create(f, &r->numbering);
   return result == HD_OK ? hd_explain_divergence(f, r, keep) : result;
}

static void
say_def(hd_blob *w, const reasons *r, const hd_def *def)
{
   hd_blob_printf(w, "%%%u", hd_numbering_def(r->numbering, def));
}

static void
say_block(hd_blob *w, const reasons *r, const hd_block *b)
{
   hd_blob_printf(w, "b%u", hd_numbering_block(r->numbering, b));
}

static void
say_source(hd_blob *w, const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_PARAM:
      hd_blob_printf(w, "a caller may give each lane its own");
      break;
   case HD_INSTR_CALL:
      hd_blob_printf(w, "a call may return anything");
      break;
   case HD_INSTR_LOAD_VAR:
      hd_blob_printf(w, "a variable may hold anything");
      break;
   default:
      hd_blob_printf(w, "%s may differ between lanes", hd_instr_intrinsic_info(i)->name);
      break;
   }
}

static void
say_why(hd_blob *w, const reasons *r, const hd_divergence_reason *reason)
{
   switch (reason->why) {
   case HD_DIVERGENT_SOURCE:
      say_source(w, hd_def_instr(reason->def));
      break;
   case HD_DIVERGENT_OPERAND:
      say_def(w, r, reason->src->def);
      hd_blob_printf(w, " is divergent");
      break;
   case HD_DIVERGENT_TEMPORAL:
      hd_blob_printf(w, "lanes that diverge at ");
      say_block(w, r, reason->diverged_at);
      hd_blob_printf(w, " leave the loop of ");
      say_block(w, r, reason->header);
      hd_blob_printf(w, " in different iterations, with different ");
      say_def(w, r, reason->src->def);
      break;
   case HD_DIVERGENT_LATE:
      say_def(w, r, reason->src->def);
      hd_blob_printf(w, " may come from an earlier iteration");
      break;
   case HD_DIVERGENT_JOIN:
      hd_blob_printf(w, "lanes that diverge at ");
      say_block(w, r, reason->diverged_at);
      hd_blob_printf(w, " reconverge here from several edges");
      break;
   }
}

/* What is known of a value, or of a branch: " // divergent: ...". */
static void
append_comment(const tool *t, const reasons *r, const hd_divergence_reason *reason, bool differs,
               const char *what, hd_blob *out)
{
   hd_blob_printf(out, "  // %s%s", what, differs ? "divergent" : "uniform");
   if (differs && option_given(t, "explain")) {
      hd_blob_printf(out, ": ");
      say_why(out, r, reason);
   }
}

/* The places that have a comment, in the order of the text: a value, or the branch of a block. */
typedef struct cursor {
   hd_cf_node *node;
   hd_instr *instr;
} cursor;

static bool
has_mark(const hd_instr *i)
{
   return (hd_instr_def(i) && i->kind != HD_INSTR_PARAM) ||
          (i->kind == HD_INSTR_JUMP && (i->op == HD_JUMP_GOTO_IF || i->op == HD_JUMP_SWITCH));
}

/* Go on to the next one. False: there is none. */
static bool
advance(cursor *c, hd_function *f)
{
   for (;;) {
      if (c->instr) {
         c->instr = c->instr->next;
      } else {
         c->node = c->node ? hd_cf_node_next(c->node) : f->body.first;
         if (!c->node)
            return false;
         if (c->node->kind == HD_CF_IF)
            return true;
         if (c->node->kind == HD_CF_BLOCK)
            c->instr = hd_node_as_block(c->node)->first;
      }
      if (c->instr && has_mark(c->instr))
         return true;
   }
}

static bool
starts_with(const char *line, size_t length, const char *word)
{
   size_t n = strlen(word);

   return length >= n && !memcmp(line, word, n);
}

/* Does a comment stand on this line? */
static bool
is_marked_line(const char *line, size_t length)
{
   for (; length && *line == ' '; line++)
      length--;
   if (length && *line == '}')
      return false;
   return starts_with(line, length, "%") || starts_with(line, length, "if ") ||
          starts_with(line, length, "goto_if ") || starts_with(line, length, "switch ");
}

static void
mark_line(const tool *t, const reasons *r, const cursor *c, hd_blob *out)
{
   const hd_def *def = c->instr ? hd_instr_def(c->instr) : NULL;

   if (def) {
      append_comment(t, r, &r->value[def->index], r->differs[def->index], "", out);
      return;
   }
   const hd_block *b = c->instr ? c->instr->block : hd_node_prev_block(c->node);
   append_comment(t, r, &r->branch[b->node.index], r->parts[b->node.index], "branch: ", out);
}

static hd_result
print_marked(const tool *t, hd_function *f, hd_blob *out)
{
   hd_blob text = { 0 };
   reasons r;
   cursor c = { NULL, NULL };
   hd_result result = collect(&r, f);

   if (result == HD_OK)
      result = hd_print_function(f, NULL, &text);
   const char *line = text.data, *end = line + text.size;
   while (result == HD_OK && line < end) {
      const char *next = memchr(line, '\n', (size_t)(end - line));
      next = next ? next : end;
      hd_blob_append(out, line, (size_t)(next - line));
      if (is_marked_line(line, (size_t)(next - line)) && advance(&c, f))
         mark_line(t, &r, &c, out);
      hd_blob_append(out, "\n", 1);
      result = out->result;
      line = next + 1;
   }
   hd_blob_finish(&text);
   finish(&r);
   return result;
}

static void
print_json_mark(const tool *t, const reasons *r, const cursor *c)
{
   const hd_def *def = c->instr ? hd_instr_def(c->instr) : NULL;
   const hd_block *b = c->instr ? c->instr->block : hd_node_prev_block(c->node);
   bool differs = def ? r->differs[def->index] : r->parts[b->node.index];
   hd_blob why = { 0 };

   printf("{\"function\":");
   print_json_string(stdout, r->f->name);
   printf(",\"block\":%u", hd_numbering_block(r->numbering, b));
   if (def)
      printf(",\"value\":%u", hd_numbering_def(r->numbering, def));
   printf(",\"uniform\":%s", differs ? "false" : "true");
   if (differs && option_given(t, "explain")) {
      say_why(&why, r, def ? &r->value[def->index] : &r->branch[b->node.index]);
      printf(",\"why\":");
      print_json_string(stdout, why.data ? why.data : "");
   }
   printf("}\n");
   hd_blob_finish(&why);
}

static hd_result
print_json(const tool *t, hd_function *f)
{
   reasons r;
   hd_result result = collect(&r, f);

   for (cursor c = { NULL, NULL }; result == HD_OK && advance(&c, f);)
      print_json_mark(t, &r, &c);
   finish(&r);
   return result;
}

/* --may-move=VALUE:BLOCK, both by their numbers: "%7:b3", or "7:3". */
static bool
read_move(const char *text, uint32_t *value, uint32_t *block)
{
   char *end;

   text += *text == '%';
   *value = (uint32_t)strtoul(text, &end, 10);
   if (end == text || *end != ':')
      return false;
   text = end + 1 + (end[1] == 'b');
   *block = (uint32_t)strtoul(text, &end, 10);
   return end != text && !*end;
}

static void
say_motion(hd_blob *w, const reasons *r, const hd_motion_reason *reason)
{
   hd_blob_printf(w, "%s%s",
                  reason->why == HD_MOTION_LEGAL ? "" : "no: ", hd_motion_name(reason->why));
   if (reason->src) {
      hd_blob_printf(w, ", for ");
      say_def(w, r, reason->src->def);
   }
   if (reason->block) {
      hd_blob_printf(w,
                     reason->why == HD_MOTION_LANES ? ", by the branch of " : ", by the cycle of ");
      say_block(w, r, reason->block);
   }
   if (reason->instr) {
      hd_blob_printf(w, ", by: ");
      hd_print_instr(reason->instr, r->numbering, NULL, w, NULL);
   }
   hd_blob_printf(w, "\n");
}

static hd_result
print_move(hd_function *f, const char *text, hd_blob *out)
{
   uint32_t value, block;
   hd_instr *instr = NULL;
   hd_block *to = NULL;
   reasons r = { .f = f };

   if (!read_move(text, &value, &block)) {
      trouble("--may-move is VALUE:BLOCK, such as %%7:b3, not '%s'", text);
      return HD_INVALID;
   }
   hd_result result = hd_numbering_create(f, &r.numbering);
   if (result != HD_OK)
      return result;
   hd_foreach_block(b, f) {
      to = hd_numbering_block(r.numbering, b) == block ? b : to;
      hd_foreach_instr(i, b)
         instr = hd_instr_def(i) && hd_numbering_def(r.numbering, &i->def) == value ? i : instr;
   }
   if (instr && to) {
      hd_motion_reason reason;
      result = hd_may_move(instr, hd_before_jump(to), &reason);
      if (result == HD_OK)
         say_motion(out, &r, &reason);
   } else {
      trouble("@%s has no %s%u", f->name, instr ? "b" : "%", instr ? block : value);
      result = HD_INVALID;
   }
   finish(&r);
   return result;
}

int
run_divergence(tool *t)
{
   const char *name = option_value(t, "function"), *move = option_value(t, "may-move");
   hd_blob out = { 0 };
   hd_result result = HD_OK;
   int status;
   hd_shader *shader = load_only_shader(t, &status);

   if (!shader)
      return status;
   if (name && !hd_shader_find_function(shader, name)) {
      hd_shader_destroy(shader);
      return trouble("there is no function @%s", name);
   }
   hd_foreach_function(f, shader) {
      if (result != HD_OK || (name && f != hd_shader_find_function(shader, name)))
         continue;
      if (move)
         result = print_move(f, move, &out);
      else
         result = t->json ? print_json(t, f) : print_marked(t, f, &out);
      /* One function is asked: the entry, if none is named. */
      if (move)
         break;
   }
   status = explain(t, "divergence", result);
   if (!status && (move || !t->json) && !write_file(option_value(t, "output"), out.data, out.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&out);
   hd_shader_destroy(shader);
   return status;
}
