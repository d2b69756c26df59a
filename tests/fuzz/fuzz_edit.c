/* SPDX-License-Identifier: MIT */
/* fuzz_edit.c - the bytes choose the edits: every invariant holds after each. */
#include <stdio.h>

#include "entry.h"
#include "ir/edits.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   edit_run r;
   const char *fault = NULL;

   edit_run_begin(&r, 0, data, size);
   while (!fault && r.num_bytes)
      fault = edit_run_step(&r);
   if (!fault)
      fault = edit_run_end(&r);
   if (fault) {
      fprintf(stderr, "%s\n", fault);
      abort();
   }
   return 0;
}
