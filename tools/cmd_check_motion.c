/* SPDX-License-Identifier: MIT */
/* cmd_check_motion.c - heddle check-motion: report illegal code motion. */
#include "tool.h"

#include "heddle/ops.h"
#include "heddle/text.h"

#include "heddle/motion.h"

typedef struct teller {
   const tool *t;
   const char *path;
   hd_result result;
} teller;

/* A value by its name, or its number in the text. */
static void
say_def(hd_blob *w, const hd_def *def)
{
   hd_function *f = hd_block_function(hd_def_instr(def)->block);
   const char *name = hd_def_name(f, def);
   hd_numbering *numbering;

   if (name) {
      hd_blob_name(w, '%', name);
   } else if (hd_numbering_create(f, &numbering) == HD_OK) {
      hd_blob_printf(w, "%%%u", hd_numbering_def(numbering, def));
      hd_numbering_destroy(numbering);
   }
}

static void
say_block(hd_blob *w, const hd_block *b)
{
   hd_function *f = hd_block_function(b);
   const char *name = hd_block_name(f, b);
   hd_numbering *numbering;

   if (name) {
      hd_blob_name(w, 0, name);
   } else if (hd_numbering_create(f, &numbering) == HD_OK) {
      hd_blob_printf(w, "b%u", hd_numbering_block(numbering, b));
      hd_numbering_destroy(numbering);
   }
}

static void
say_op(hd_blob *w, const hd_instr *i)
{
   hd_blob_printf(w, "%s", hd_instr_intrinsic_info(i)->name);
}

static void
say_what(hd_blob *w, const hd_motion_fault *fault)
{
   say_op(w, fault->was);
   hd_blob_printf(w, " ");
   say_def(w, &fault->was->def);
   if (fault->merged) {
      hd_blob_printf(w, " of ");
      say_block(w, fault->was->block);
      hd_blob_printf(w, " gave way to ");
      say_def(w, &fault->is->def);
   } else {
      hd_blob_printf(w, fault->was->block == fault->place ? " stayed in " : " was moved from ");
      say_block(w, fault->was->block);
   }
   if (fault->merged || fault->was->block != fault->place) {
      hd_blob_printf(w, fault->merged ? " in " : " to ");
      say_block(w, fault->place);
   }
}

static void
say_why(hd_blob *w, const hd_motion_fault *fault)
{
   const hd_motion_reason *reason = &fault->reason;

   hd_blob_printf(w, "%s", hd_motion_name(reason->why));
   if (fault->operand) {
      hd_blob_printf(w, ", for ");
      say_def(w, fault->operand->def);
   }
   if (reason->block) {
      hd_blob_printf(w,
                     reason->why == HD_MOTION_LANES ? ", by the branch of " : ", by the cycle of ");
      say_block(w, reason->block);
   }
   if (reason->instr) {
      hd_blob_printf(w, ", by ");
      if (reason->instr->kind == HD_INSTR_INTRINSIC)
         say_op(w, reason->instr);
      else
         hd_blob_printf(w, "a call");
   }
}

static void
say_tokens(hd_blob *w, const hd_motion_fault *fault)
{
   for (uint32_t n = 0; n < fault->num_tokens; n++) {
      const hd_motion_token *token = &fault->tokens[n];
      hd_blob_printf(w, n ? ", " : "");
      if (token->source) {
         say_def(w, token->source);
      } else {
         hd_blob_printf(w, "the branch of ");
         say_block(w, token->branch);
      }
   }
}

static void
tell(void *user, const hd_motion_fault *fault)
{
   teller *teller = user;
   hd_blob what = { 0 }, why = { 0 }, tokens = { 0 };

   say_what(&what, fault);
   say_why(&why, fault);
   say_tokens(&tokens, fault);
   if (what.result != HD_OK || why.result != HD_OK || tokens.result != HD_OK) {
      teller->result = HD_OUT_OF_MEMORY;
   } else if (teller->t->json) {
      printf("{\"function\":");
      print_json_string(stdout, hd_block_function(fault->is->block)->name);
      printf(",\"what\":");
      print_json_string(stdout, what.data);
      printf(",\"why\":");
      print_json_string(stdout, why.data);
      printf(",\"tokens\":");
      print_json_string(stdout, tokens.data ? tokens.data : "");
      printf("}\n");
   } else {
      print_escaped(stdout, teller->path);
      fputs(": ", stdout);
      print_name(stdout, '@', hd_block_function(fault->is->block)->name);
      printf(": %s: %s\n", what.data, why.data);
      if (fault->num_tokens)
         printf("  tokens: %s\n", tokens.data);
   }
   hd_blob_finish(&what);
   hd_blob_finish(&why);
   hd_blob_finish(&tokens);
}

int
run_check_motion(tool *t)
{
   hd_shader *before, *after = NULL;
   hd_motion_count count = { 0 };
   int status;

   if (t->num_operands != 2)
      return trouble("`heddle check-motion` takes two files, before and after, not %d",
                     t->num_operands);
   before = load_shader(t, t->operands[0], &status);
   if (before)
      after = load_shader(t, t->operands[1], &status);
   if (after) {
      teller teller = { t, t->operands[1], HD_OK };
      hd_result result = hd_check_motion(before, after, &teller, tell, &count);
      if (teller.result != HD_OK)
         result = teller.result;
      status = result == HD_INVALID ? EXIT_BAD_INPUT : explain(t, "check-motion", result);
   }
   if (after && status != EXIT_TROUBLE && t->json)
      printf("{\"kept\":%u,\"moved\":%u,\"merged\":%u,\"unordered\":%u,\"unknown\":%u,\"illegal\":%"
             "u}\n",
             count.kept, count.moved, count.merged, count.unordered, count.unknown, count.illegal);
   else if (after && status != EXIT_TROUBLE)
      printf("%u kept, %u moved, %u merged, %u not judged; %u illegal\n", count.kept, count.moved,
             count.merged, count.unknown, count.illegal);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
   return status;
}
