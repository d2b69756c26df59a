/* SPDX-License-Identifier: MIT */
/* cmd_compare.c - heddle compare: what a shader becomes on every target, side by side. */
#include "targets.h"

#include "heddle/target.h"

#include <inttypes.h>

/* Where the shader's diagnostics go. */
typedef struct watch {
   hd_diag_sink shown; /* while it is read */
   hd_blob *message;   /* the first of a compilation; NULL: there is none */
} watch;

static void
report(void *user, const hd_diag *diag)
{
   const watch *w = user;

   if (!w->message)
      w->shown.report(w->shown.user, diag);
   else if (!w->message->size)
      hd_blob_printf(w->message, "%s", diag->message);
}

static void
print_heading(void)
{
   printf("%-8s %-13s %12s %6s %9s %8s %8s %8s\n", "target", "lowering", "instructions", "masks",
          "branches", "scalars", "vectors", "bytes");
}

static void
print_figures(const char *target, const char *lowering, const figures *f)
{
   char masks[12] = "-";

   if (f->mask_instructions != NO_FIGURE)
      snprintf(masks, sizeof(masks), "%" PRIu32, f->mask_instructions);
   printf("%-8s %-13s %12" PRIu32 " %6s %9" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 "\n",
          target, lowering, f->instructions, masks, f->branches, f->scalars, f->vectors, f->bytes);
}

static void
print_json_figures(const figures *f)
{
   printf("\"instructions\":%" PRIu32 ",\"masks\":", f->instructions);
   if (f->mask_instructions == NO_FIGURE)
      fputs("null", stdout);
   else
      printf("%" PRIu32, f->mask_instructions);
   printf(",\"branches\":%" PRIu32 ",\"scalars\":%" PRIu32 ",\"vectors\":%" PRIu32
          ",\"bytes\":%" PRIu32 "}\n",
          f->branches, f->scalars, f->vectors, f->bytes);
}

/* `refusal` NULL: there are figures. */
static void
print_row(const tool *t, const char *target, const char *lowering, const figures *f,
          const char *refusal)
{
   if (t->json) {
      printf("{\"target\":\"%s\",\"lowering\":\"%s\",", target, lowering);
      if (!refusal) {
         print_json_figures(f);
         return;
      }
      fputs("\"refused\":", stdout);
      print_json_string(stdout, refusal);
      puts("}");
   } else if (refusal) {
      printf("%-8s %-13s refused: %s\n", target, lowering, refusal);
   } else {
      print_figures(target, lowering, f);
   }
}

/* Each lowering of a target. *any is set where one takes the shader. HD_OK, or what ended it besides
 * a refusal.
 */
static hd_result
compare_lowerings(const tool *t, watch *w, const hd_target *target, const hd_shader *shader,
                  bool *any)
{
   const machine *machine = machine_of(target);
   hd_result result = HD_OK;

   for (unsigned n = 0; machine->lowerings[n] && result == HD_OK; n++) {
      hd_blob message = { 0 };
      const char *refusal = NULL;
      figures f = { 0 };

      w->message = &message;
      result = measure_shader(target, n, shader, &f);
      w->message = NULL;
      if (message.result != HD_OK) {
         result = message.result;
      } else if (result == HD_UNSUPPORTED || result == HD_INVALID) {
         refusal = message.size ? message.data : hd_result_name(result);
         result = HD_OK;
      }
      if (result == HD_OK)
         print_row(t, hd_target_get_name(target), machine->lowerings[n], &f, refusal);
      *any |= result == HD_OK && !refusal;
      hd_blob_finish(&message);
   }
   return result;
}

int
run_compare(tool *t)
{
   watch w = { .shown = t->config.diag };
   hd_result result = HD_OK;
   bool any = false;
   int status;

   if (!hd_num_targets())
      return trouble("this build has no backend: there is no target");
   t->config.diag = (hd_diag_sink){ &w, report };
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   if (!t->json)
      print_heading();
   for (unsigned n = 0; n < hd_num_targets() && result == HD_OK; n++)
      result = compare_lowerings(t, &w, hd_target_get(n), shader, &any);
   hd_shader_destroy(shader);
   if (result != HD_OK)
      return explain(t, t->num_operands ? t->operands[0] : "<stdin>", result);
   return any ? 0 : EXIT_BAD_INPUT;
}
