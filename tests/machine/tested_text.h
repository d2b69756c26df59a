/* SPDX-License-Identifier: MIT */
/* tested_text.h - the machine whose programs between phases are read and printed, by tested_text.c. It is linked with the
 * text.c of a backend.
 */
#ifndef HEDDLE_TESTS_MACHINE_TESTED_TEXT_H
#define HEDDLE_TESTS_MACHINE_TESTED_TEXT_H

#include "gen/random_program.h"
#include "machine/text/program.h"

typedef void tested_after_phase(void *user, const char *phase, const char *text);

typedef struct tested_text {
   const hd_mach *mach;
   size_t program_size; /* of the machine's struct, which hd_mach_program is the first member of */
   unsigned lanes;
   void (*print)(const hd_mach_program *p, hd_blob *out); /* NULL: as hd_mach_program_print does */
   bool (*parse)(hd_mach_program *p, const hd_config *config, const char *file, const char *text,
                 size_t length);
   /* With few registers in some of the cases. */
   hd_result (*compile)(const hd_shader *shader, uint64_t seed, void *user,
                        tested_after_phase *after_phase);
   program_options programs; /* what random programs have; `size` is the test's */
   unsigned num_programs, min_phases;
   /* Texts that are refused, and what is said of them; the last has no text. */
   const struct tested_bad_text {
      const char *text, *told;
   } * bad;
} tested_text;

extern const tested_text tested;

#endif
