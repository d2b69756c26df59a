/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler. */
#include <inttypes.h>

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_asm.h"
#include "machine/text/assembly.h"
#include "util/bytes.h"

static uint32_t
word_at(const unsigned char *code, size_t n)
{
   return (uint32_t)get_number(code + 4 * n, 4);
}

/* The word that it branches to, if that is inside of `num`; else `num`. */
static size_t
target_of(const hd_nyuzi_word *inst, size_t at, size_t num)
{
   const unsigned shape = hd_nyuzi_op_infos[inst->op].shape;

   if (shape != HD_NYUZI_SHAPE_TEST && shape != HD_NYUZI_SHAPE_BRANCH)
      return num;
   const int64_t to = (int64_t)at + inst->imm;
   return to >= 0 && to < (int64_t)num ? (size_t)to : num;
}

/* Returns how many words are no instruction. */
static size_t
print(const unsigned char *code, size_t num, bool words, const bool *is_target, hd_blob *text)
{
   size_t unknown = 0;

   for (size_t n = 0; n < num; n++) {
      const uint32_t word = word_at(code, n);
      hd_nyuzi_word inst;
      const char *why = hd_nyuzi_decode(word, &inst);
      if (is_target[n])
         hd_blob_printf(text, "L%zx:\n", 4 * n);
      hd_blob_printf(text, "  ");
      if (why)
         hd_blob_printf(text, ".long 0x%08" PRIx32, word);
      else
         hd_nyuzi_print(&inst, 4 * n, target_of(&inst, n, num) < num, text);
      unknown += why != NULL;
      if (words || why)
         hd_blob_printf(text, "  ; ");
      if (words)
         hd_blob_printf(text, "%04zx: %08" PRIx32 "%s", 4 * n, word, why ? ", " : "");
      hd_blob_printf(text, "%s\n", why ? why : "");
   }
   return unknown;
}

static size_t
list(hd_stack *stack, const unsigned char *code, size_t size, bool words, hd_blob *text)
{
   const size_t num = size / 4;
   bool *is_target = hd_stack_alloc_zero(stack, num + 1);

   for (size_t n = 0; n < num; n++) {
      hd_nyuzi_word inst;
      if (!hd_nyuzi_decode(word_at(code, n), &inst))
         is_target[target_of(&inst, n, num)] = true;
   }
   const size_t unknown = print(code, num, words, is_target, text);
   if (size % 4)
      hd_blob_printf(text, "  ; %zu bytes more, no whole word\n", size % 4);
   return unknown;
}

hd_result
hd_nyuzi_disassemble(const hd_config *config, bool words, const void *code, size_t size,
                     hd_blob *text, size_t *unknown)
{
   return hd_mach_disassemble(list, config, words, code, size, text, unknown);
}
