/* SPDX-License-Identifier: MIT */
/* cmd_as.c - heddle as, heddle dis: machine code from text, and as text. */
#include "targets.h"

#include "heddle/target.h"

#include <stdlib.h>
#include <string.h>

/* The only operand; "-" when there is none, NULL (with a message) when there are more. */
static const char *
input_of(const tool *t)
{
   if (t->num_operands > 1) {
      trouble("`heddle as` takes one file, not %d", t->num_operands);
      return NULL;
   }
   return t->num_operands ? t->operands[0] : "-";
}

/* As messages call it. */
static const char *
name_of(const char *path)
{
   return strcmp(path, "-") ? path : "<stdin>";
}

int
run_as(tool *t)
{
   const hd_target *target = find_target(t);
   const char *path = input_of(t);
   hd_blob code = { 0 };
   char *text;
   size_t size;

   if (!target || !path)
      return EXIT_TROUBLE;
   int status = read_file(t, path, &text, &size);
   if (status)
      return status;
   const machine *m = machine_of(target);
   const hd_result result = m->assemble
                                ? m->assemble(&t->config, name_of(path), text, size, &code)
                                : m->assemble_for(t, target, name_of(path), text, size, &code);
   status = result == HD_OK ? 0 : explain(t, name_of(path), result);
   if (!status && !write_file(option_value(t, "output"), code.data, code.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&code);
   free(text);
   return status;
}

int
run_dis(tool *t)
{
   const hd_target *target = find_target(t);
   const char *path = input_of(t);
   hd_blob text = { 0 };
   char *data;
   size_t size;

   if (!target || !path)
      return EXIT_TROUBLE;
   int status = read_file(t, path, &data, &size);
   if (status)
      return status;
   const machine *m = machine_of(target);
   const hd_result result =
       m->disassemble
           ? m->disassemble(&t->config, option_given(t, "words"), data, size, &text, NULL)
           : m->disassemble_for(t, target, name_of(path), data, size, &text);
   status = result == HD_OK ? 0 : explain(t, name_of(path), result);
   if (!status && !write_file(option_value(t, "output"), text.data, text.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&text);
   free(data);
   return status;
}
