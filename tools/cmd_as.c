/* SPDX-License-Identifier: MIT */
/* cmd_as.c - heddle as, heddle dis: machine code from text, and as text. */
#include "heddle/nyuzi_asm.h"
#include "targets.h"

#include <stdlib.h>
#include <string.h>

/* The only operand; "-" when there is none, NULL (with a message) when there are more. */
static const char *
input_of(const tool *t)
{
   if (t->num_operands > 1) {
      trouble("expected one file");
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
   const target *target = find_target(t);
   const char *path = input_of(t);
   hd_blob code = { 0 };
   char *text;
   size_t size;

   if (!target || !path)
      return EXIT_TROUBLE;
   int status = read_file(t, path, &text, &size);
   if (status)
      return status;
   hd_result result =
       target->machine == MACHINE_NYUZI
           ? hd_nyuzi_assemble(&t->config, name_of(path), text, size, &code)
           : hd_gcn_assemble(&t->config, target->gen, name_of(path), text, size, &code);
   status = result == HD_OK ? 0 : explain(t, name_of(path), result);
   if (!status && !write_file(option_value(t, "output"), code.data, code.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&code);
   free(text);
   return status;
}

/* The executable segments of a code object. */
static hd_result
list_object(tool *t, const char *path, const char *data, size_t size, bool words, hd_blob *text)
{
   hd_gcn_object *object;
   hd_result result = hd_gcn_object_read(&t->config, data, size, name_of(path), &object);

   if (result != HD_OK)
      return result;
   for (uint32_t n = 0; n < object->num_segments && result == HD_OK; n++) {
      const hd_gcn_segment *segment = &object->segments[n];
      const hd_gcn_disassemble_options options = { words, segment->address };
      if (segment->executable)
         result = hd_gcn_disassemble(&t->config, object->target, &options, segment->data,
                                     (size_t)segment->file_size, text, NULL);
   }
   hd_gcn_object_destroy(object);
   return result;
}

int
run_dis(tool *t)
{
   const target *target = find_target(t);
   const char *path = input_of(t);
   bool words = option_given(t, "words");
   const hd_gcn_disassemble_options options = { words, 0 };
   hd_blob text = { 0 };
   char *data;
   size_t size;

   if (!target || !path)
      return EXIT_TROUBLE;
   int status = read_file(t, path, &data, &size);
   if (status)
      return status;
   bool elf = size >= 4 && memcmp(data, "\177ELF", 4) == 0;
   hd_result result =
       target->machine == MACHINE_NYUZI
           ? hd_nyuzi_disassemble(&t->config, words, data, size, &text, NULL)
       : elf ? list_object(t, path, data, size, words, &text)
             : hd_gcn_disassemble(&t->config, target->gen, &options, data, size, &text, NULL);
   status = result == HD_OK ? 0 : explain(t, name_of(path), result);
   if (!status && !write_file(option_value(t, "output"), text.data, text.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&text);
   free(data);
   return status;
}
