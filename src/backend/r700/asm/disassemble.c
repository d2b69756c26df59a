/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler: which kind of word lies where follows from the control flow. */
#include <inttypes.h>

#include "backend/r700/isa/isa.h"
#include "heddle/r700_asm.h"
#include "machine/text/assembly.h"

static void
print(const uint64_t *words, size_t num, const hd_r700_place *places, bool numbers, hd_blob *text)
{
   hd_r700_inst inst;

   for (size_t n = 0; n < num; n++) {
      const hd_r700_place *place = &places[n];
      const uint64_t pair[2] = { words[n], n + 1 < num ? words[n + 1] : 0 };
      if (place->inside)
         continue;
      const bool known = place->kind && !place->error;
      hd_blob_printf(text, "  ");
      if (!known)
         hd_blob_printf(text, ".long 0x%08" PRIx32 ", 0x%08" PRIx32, (uint32_t)words[n],
                        (uint32_t)(words[n] >> 32));
      else if (place->literal)
         hd_blob_printf(text, ".literal 0x%" PRIx32 ", 0x%" PRIx32, (uint32_t)words[n],
                        (uint32_t)(words[n] >> 32));
      else if (!hd_r700_decode((hd_r700_kind)(place->kind - 1), pair, &inst))
         hd_r700_print(&inst, text);
      /* What is wrong with a fetch is of both words. */
      if (!known && place->kind == HD_R700_FETCH_WORDS + 1)
         hd_blob_printf(text, "\n  .long 0x%08" PRIx32 ", 0x%08" PRIx32, (uint32_t)pair[1],
                        (uint32_t)(pair[1] >> 32));
      if (numbers || place->error)
         hd_blob_printf(text, "  ; ");
      if (numbers)
         hd_blob_printf(text, "%04zx: %016" PRIx64 "%s", 8 * n, words[n], place->error ? ", " : "");
      hd_blob_printf(text, "%s\n", place->error ? place->error : "");
   }
}

static size_t
list(hd_stack *stack, const unsigned char *code, size_t size, bool words, hd_blob *text)
{
   const size_t num = size / 8;
   uint64_t *all = hd_stack_alloc(stack, (num + 1) * sizeof(*all));
   hd_r700_place *places = hd_stack_alloc_zero(stack, (num + 1) * sizeof(*places));

   for (size_t n = 0; n < num; n++)
      all[n] = hd_r700_word_at(code, n);
   const size_t unknown = hd_r700_find_places(all, num, places);
   print(all, num, places, words, text);
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
