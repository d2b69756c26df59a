/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler: which kind of word lies where follows from the control flow. */
#include <inttypes.h>

#include "backend/r700/isa/isa.h"
#include "heddle/r700_asm.h"
#include "machine/text/assembly.h"

static size_t
list(hd_stack *stack, const unsigned char *code, size_t size, bool numbers, hd_blob *text)
{
   uint64_t *words;
   hd_r700_place *places;
   const size_t num = size / 8, unknown = hd_r700_read_words(stack, code, num, &words, &places);

   for (size_t n = 0; n < num; n++) {
      const hd_r700_place *place = &places[n];
      if (place->inside)
         continue;
      hd_blob_printf(text, "  ");
      hd_r700_print_place(&words[n], place, text);
      if (numbers || place->error)
         hd_blob_printf(text, "  ; ");
      if (numbers)
         hd_blob_printf(text, "%04zx: %016" PRIx64 "%s", 8 * n, words[n], place->error ? ", " : "");
      hd_blob_printf(text, "%s\n", place->error ? place->error : "");
   }
   if (size % 8)
      hd_blob_printf(text, "  ; %zu bytes more, no whole word\n", size % 8);
   return unknown;
}

hd_result
hd_r700_disassemble(const hd_config *config, bool words, const void *code, size_t size,
                    hd_blob *text, size_t *unknown)
{
   return hd_mach_disassemble(list, config, words, code, size, text, unknown);
}
