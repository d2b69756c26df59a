/* SPDX-License-Identifier: MIT */
/* fuzz_text.c - any bytes as text: a diagnostic or a shader, and a shader prints as itself. */
#include <string.h>

#include "heddle/check.h"
#include "heddle/text.h"

#include "entry.h"
#include "own/table.h"

static void
count(void *user, const hd_diag *diag)
{
   unsigned *errors = user;

   *errors += diag->severity == HD_ERROR;
   if (diag->line == 0 || diag->column == 0 || diag->length == 0 || !diag->text)
      abort();
   if (diag->column > diag->text_length + 2)
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   unsigned errors = 0;
   hd_config config = { .diag = { &errors, count }, .intrinsics = &own_table };
   hd_shader *shader = NULL, *again = NULL;
   hd_blob first = { 0 }, second = { 0 };

   hd_result result = hd_parse(&config, "fuzz", (const char *)data, size, &shader);
   if ((result == HD_OK) != (errors == 0) || errors > HD_PARSE_MAX_ERRORS)
      abort();
   if (result != HD_OK)
      return 0;
   if (hd_print_shader(shader, NULL, &first) != HD_OK)
      abort();
   if (hd_parse(&config, "again", first.data, first.size, &again) != HD_OK)
      abort();
   if (hd_print_shader(again, NULL, &second) != HD_OK)
      abort();
   if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0)
      abort();
   /* What the rules say of it is not the question: it must be safe to ask. */
   hd_validate_options quiet = { .diag = { NULL, ignore } };
   if (hd_validate(shader, &quiet) != hd_validate(again, &quiet))
      abort();
   hd_blob_finish(&first);
   hd_blob_finish(&second);
   hd_shader_destroy(shader);
   hd_shader_destroy(again);
   return 0;
}
