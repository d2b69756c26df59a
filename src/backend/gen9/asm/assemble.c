/* SPDX-License-Identifier: MIT */
/* assemble.c - text as bytes: instructions, and numbers between them. */
#include "backend/gen9/asm/reader.h"
#include "heddle/gen9_asm.h"
#include "util/bytes.h"

static void
read_inst(hd_mach_assembler *a)
{
   unsigned char bytes[16] = { 0 };
   hd_gen9_word word;
   bool good = hd_gen9_read_inst(a, a->address, &word);

   if (good && !a->labels_only) {
      good = hd_gen9_encode(&word, bytes) ||
             hd_mach_line_fail(a, "%s does not take such operands", hd_gen9_info_of(&word)->name);
      if (good && word.compacted && !hd_gen9_compact(bytes))
         hd_mach_line_fail(a, "expected an instruction with a compacted form, %s has none",
                           hd_gen9_info_of(&word)->name);
   }
   hd_mach_assembler_put(a, bytes, word.compacted ? HD_GEN9_SHORT_BYTES : HD_GEN9_INST_BYTES);
}

/* Numbers of 64 bits. */
static void
read_quads(hd_mach_assembler *a)
{
   unsigned char bytes[8];
   uint64_t number;

   do {
      if (!hd_mach_line_number(a, UINT64_MAX, &number)) {
         hd_mach_line_fail(a, ".quad takes numbers of 64 bits");
         return;
      }
      put_number(bytes, 8, number);
      hd_mach_assembler_put(a, bytes, 8);
   } while (hd_mach_line_accept(a, ","));
   hd_mach_line_finish(a);
}

static void
read_rest(hd_mach_assembler *a)
{
   if (hd_mach_line_accept(a, ".quad"))
      read_quads(a);
   else
      read_inst(a);
}

hd_result
hd_gen9_assemble(const hd_config *config, const char *file, const char *text, size_t length,
                 hd_blob *code)
{
   static const hd_mach_assembly rows = { .comments = "", .name_chars = "_$", .read = read_rest };

   return hd_mach_assemble(&rows, config, file, text, length, code);
}
