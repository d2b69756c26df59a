/* SPDX-License-Identifier: MIT */
/* entry.h - what each fuzz target begins with: its entry, how it says that something is wrong, shaders from text. */
#ifndef TESTS_FUZZ_ENTRY_H
#define TESTS_FUZZ_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "heddle/check.h"
#include "heddle/text.h"

/* The target: libFuzzer calls it with its inputs, replay.c with those that are kept. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* End the process if it does not hold, so that the input is kept. */
static inline void
must(bool holds)
{
   if (!holds)
      abort();
}

/* A sink's function for inputs that may be wrong. */
static inline void
ignore(void *user, const hd_diag *diag)
{
   (void)user;
   (void)diag;
}

/* The shader of a text, or NULL if it is none or not valid. */
static inline hd_shader *
valid_shader(const hd_config *config, const uint8_t *text, size_t size)
{
   hd_shader *shader = NULL;

   if (hd_parse(config, "fuzz", (const char *)text, size, &shader) != HD_OK)
      return NULL;
   if (hd_validate(shader, NULL) == HD_OK)
      return shader;
   hd_shader_destroy(shader);
   return NULL;
}

#endif
