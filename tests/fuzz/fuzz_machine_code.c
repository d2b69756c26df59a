/* SPDX-License-Identifier: MIT */
/* fuzz_machine_code.c - any bytes as code of Gen9, Nyuzi or R700, whose text makes the same bytes, and any bytes
 * as text for their assemblers, which refuse it with a message or make code. One byte chooses.
 */
#include <string.h>

#include "heddle/heddle.h"

#if HD_HAS_GEN9
#include "heddle/gen9_asm.h"
#endif
#if HD_HAS_NYUZI
#include "heddle/nyuzi_asm.h"
#endif
#if HD_HAS_R700
#include "heddle/r700_asm.h"
#endif

#include "entry.h"
#include "support/heard.h"

typedef hd_result assemble(const hd_config *config, const char *file, const char *text,
                           size_t length, hd_blob *code);
typedef hd_result disassemble(const hd_config *config, bool words, const void *code, size_t size,
                              hd_blob *text, size_t *unknown);

static const struct machine {
   assemble *assemble;
   disassemble *disassemble;
} machines[] = {
#if HD_HAS_GEN9
   { hd_gen9_assemble, hd_gen9_disassemble },
#endif
#if HD_HAS_NYUZI
   { hd_nyuzi_assemble, hd_nyuzi_disassemble },
#endif
#if HD_HAS_R700
   { hd_r700_assemble, hd_r700_disassemble },
#endif
   { NULL, NULL },
};

static hd_blob
text_of(const struct machine *m, bool words, const hd_blob *code)
{
   hd_blob text = { 0 };
   size_t unknown;

   must(m->disassemble(NULL, words, code->data, code->size, &text, &unknown) == HD_OK);
   must(unknown <= code->size);
   return text;
}

/* What a text leaves open is chosen by the assembler, so the bytes are compared from the second text on. */
static void
read_code(const struct machine *m, bool words, const uint8_t *bytes, size_t size)
{
   const hd_blob code = { .data = (char *)bytes, .size = size };
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   hd_blob first = { 0 }, second = { 0 };

   hd_blob text = text_of(m, words, &code);
   if (m->assemble(&config, "text", text.data, text.size, &first) != HD_OK) {
      fprintf(stderr, "%s\n%s\n", heard.last, text.data);
      abort();
   }
   hd_blob again = text_of(m, false, &first);
   must(m->assemble(NULL, NULL, again.data, again.size, &second) == HD_OK);
   must(first.size == second.size && (!first.size || !memcmp(first.data, second.data, first.size)));
   hd_blob_finish(&text);
   hd_blob_finish(&first);
   hd_blob_finish(&again);
   hd_blob_finish(&second);
}

static void
read_text(const struct machine *m, const uint8_t *bytes, size_t size)
{
   struct heard heard = { 0 };
   const hd_config config = { .diag = { &heard, hear } };
   hd_blob code = { 0 };

   const hd_result result = m->assemble(&config, "fuzz", (const char *)bytes, size, &code);
   must(result == HD_OK ? !heard.count : result == HD_INVALID && heard.count && !code.size);
   if (result == HD_OK && code.size)
      read_code(m, false, (const uint8_t *)code.data, code.size);
   hd_blob_finish(&code);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const unsigned num = sizeof(machines) / sizeof(machines[0]) - 1;

   if (size < 2 || !num)
      return 0;
   const struct machine *m = &machines[data[0] % 8 % num];
   if (data[0] & 8)
      read_text(m, data + 1, size - 1);
   else
      read_code(m, data[0] & 16, data + 1, size - 1);
   return 0;
}
