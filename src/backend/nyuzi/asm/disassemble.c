/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler. */
#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_asm.h"
#include "machine/text/assembly.h"

hd_result
hd_nyuzi_disassemble(const hd_config *config, bool words, const void *code, size_t size,
                     hd_blob *text, size_t *unknown)
{
   size_t bytes;
   const hd_result result = hd_mach_disassemble_listing(&hd_nyuzi_listing, "  ", config, words,
                                                        code, size, text, &bytes);

   if (unknown)
      *unknown = bytes / 4;
   return result;
}
