/* SPDX-License-Identifier: MIT */
/* fuzz_gcn_text.c - any text to the assembler of GCN: diagnostics or bytes, and the text that the
 * disassembler makes of these makes the same bytes. The first byte chooses the chip.
 */
#include <string.h>

#include "heddle/gcn_asm.h"

#include "entry.h"

#define MAX_ERRORS 20u

static void
count(void *user, const hd_diag *diag)
{
   *(unsigned *)user += diag->severity == HD_ERROR;
   must(diag->line != 0 && diag->column != 0 && diag->text && diag->message);
   must(diag->column <= diag->text_length + 2);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   unsigned errors = 0;
   const hd_config config = { .diag = { &errors, count } };
   hd_blob code = { 0 }, text = { 0 }, again = { 0 };
   size_t unknown;

   if (!size)
      return 0;
   const hd_gcn_gen target = (hd_gcn_gen)(data[0] % HD_GCN_NUM_GENS);
   const hd_result result =
       hd_gcn_assemble(&config, target, "fuzz", (const char *)data + 1, size - 1, &code);
   must((result == HD_OK) == (errors == 0) && errors <= MAX_ERRORS);
   must(result == HD_OK || (result == HD_INVALID && code.size == 0));
   if (result == HD_OK) {
      must(hd_gcn_disassemble(&config, target, NULL, code.data, code.size, &text, &unknown) ==
           HD_OK);
      must(hd_gcn_assemble(&config, target, "again", text.data, text.size, &again) == HD_OK);
      must(code.size == again.size && (!code.size || !memcmp(code.data, again.data, code.size)));
   }
   hd_blob_finish(&code);
   hd_blob_finish(&text);
   hd_blob_finish(&again);
   return 0;
}
