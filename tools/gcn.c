/* SPDX-License-Identifier: MIT */
/* gcn.c - GCN as a machine of the tool. */
#include "gcn.h"

#include <string.h>

#include "heddle/gcn_asm.h"
#include "heddle/gcn_object.h"

hd_gcn_gen
gen_of(const hd_target *target)
{
   return hd_gcn_gen_find(hd_target_get_name(target));
}

static hd_result
assemble(tool *t, const hd_target *target, const char *name, const char *text, size_t size,
         hd_blob *code)
{
   return hd_gcn_assemble(&t->config, gen_of(target), name, text, size, code);
}

/* The executable segments of a code object. */
static hd_result
list_object(tool *t, const char *name, const void *data, size_t size, bool words, hd_blob *text)
{
   hd_gcn_object *object;
   hd_result result = hd_gcn_object_read(&t->config, data, size, name, &object);

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

static hd_result
disassemble(tool *t, const hd_target *target, const char *name, const void *data, size_t size,
            hd_blob *text)
{
   const hd_gcn_disassemble_options options = { option_given(t, "words"), 0 };

   if (size >= 4 && memcmp(data, "\177ELF", 4) == 0)
      return list_object(t, name, data, size, options.words, text);
   return hd_gcn_disassemble(&t->config, gen_of(target), &options, data, size, text, NULL);
}

const machine gcn_machine = {
   .compile = compile_for_gcn,
   .compile_all = compile_all_for_gcn,
   .run = run_on_gcn,
   .run_object = run_gcn_object,
   .assemble = assemble,
   .disassemble = disassemble,
};
