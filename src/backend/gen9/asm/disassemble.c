/* SPDX-License-Identifier: MIT */
/* disassemble.c - the disassembler. */
#include <inttypes.h>

#include "backend/gen9/isa/isa.h"
#include "heddle/gen9_asm.h"
#include "machine/text/assembly.h"
#include "util/bytes.h"

static void
print_quads(const unsigned char *bytes, unsigned length, hd_blob *text)
{
   hd_blob_printf(text, ".quad 0x%016" PRIx64, get_number(bytes, 8));
   if (length == HD_GEN9_INST_BYTES)
      hd_blob_printf(text, ", 0x%016" PRIx64, get_number(bytes + 8, 8));
}

/* Are all targets of the instruction at the beginnings of instructions? Else it has no text: a label
 * within an instruction cannot be written.
 */
static bool
has_good_targets(const hd_gen9_word *w, uint64_t address, const bool *is_inst, size_t size)
{
   uint64_t to[2];

   for (unsigned n = hd_gen9_targets(w, address, to); n-- > 0;) {
      if (!(to[n] <= size && is_inst[to[n]]) && (int64_t)to[n] >= 0)
         return false;
   }
   return true;
}

/* Returns how many bytes are no instruction. */
static size_t
print(const unsigned char *code, size_t size, bool words, const bool *is_inst,
      const bool *is_target, hd_blob *text)
{
   size_t unknown = 0;
   unsigned length;

   for (size_t at = 0; at < size; at += length) {
      hd_gen9_word inst;
      const char *why = hd_gen9_decode(code + at, size - at, &inst, &length);
      if (is_target[at])
         hd_blob_printf(text, "L%zu:\n", at);
      if (!why && !has_good_targets(&inst, at, is_inst, size))
         why = "a branch to where no instruction begins";
      if (length < HD_GEN9_SHORT_BYTES || (length > 8 && length < HD_GEN9_INST_BYTES)) {
         hd_blob_printf(text, "  // %u bytes more, no whole instruction\n", length);
         break;
      }
      if (why)
         print_quads(code + at, length, text);
      else
         hd_gen9_print(&inst, at, text);
      unknown += why ? length : 0;
      if (words || why)
         hd_blob_printf(text, " // ");
      if (words) {
         hd_blob_printf(text, "%04zx:", at);
         for (unsigned n = 0; n < length; n += 4)
            hd_blob_printf(text, " %08" PRIx32, (uint32_t)get_number(code + at + n, 4));
         hd_blob_printf(text, "%s", why ? ", " : "");
      }
      hd_blob_printf(text, "%s\n", why ? why : "");
   }
   if (is_target[size])
      hd_blob_printf(text, "L%zu:\n", size);
   return unknown;
}

static size_t
list(hd_stack *stack, const unsigned char *code, size_t size, bool words, hd_blob *text)
{
   bool *is_target = hd_stack_alloc_zero(stack, size + 1);
   bool *is_inst = hd_stack_alloc_zero(stack, size + 1);
   unsigned length;
   hd_gen9_word inst;
   uint64_t to[2];

   for (size_t at = 0; at < size; at += length) {
      is_inst[at] = true;
      hd_gen9_decode(code + at, size - at, &inst, &length);
   }
   is_inst[size] = true;
   for (size_t at = 0; at < size; at += length) {
      if (hd_gen9_decode(code + at, size - at, &inst, &length) ||
          !has_good_targets(&inst, at, is_inst, size))
         continue;
      for (unsigned n = hd_gen9_targets(&inst, at, to); n-- > 0;) {
         if (to[n] <= size)
            is_target[to[n]] = true;
      }
   }
   return print(code, size, words, is_inst, is_target, text);
}

hd_result
hd_gen9_disassemble(const hd_config *config, bool words, const void *code, size_t size,
                    hd_blob *text, size_t *unknown)
{
   return hd_mach_disassemble(list, config, words, code, size, text, unknown);
}
