/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler. */
#include "backend/gen9/isa/isa.h"
#include "heddle/gen9_asm.h"
#include "machine/text/assembly.h"

hd_result
hd_gen9_disassemble(const hd_config *config, bool words, const void *code, size_t size,
                    hd_blob *text, size_t *unknown)
{
   return hd_mach_disassemble_listing(&hd_gen9_listing, "", config, words, code, size, text,
                                      unknown);
}
