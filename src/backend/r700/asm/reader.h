/* SPDX-License-Identifier: MIT */
/* reader.h - the cursor over a line of the assembler.
 *
 *    reader.c      words, numbers, the syntax of instructions
 *    assemble.c    a whole text
 */
#ifndef HEDDLE_BACKEND_R700_ASM_READER_H
#define HEDDLE_BACKEND_R700_ASM_READER_H

#include "backend/r700/isa/isa.h"

typedef struct hd_r700_reader {
   const char *at, *end; /* of the rest of the line */
   const char *error;    /* what the first error expected, NULL: no error yet; */
   const char *error_at; /* and where */
   bool error_is_text;   /* `error` is the text itself, not a description of it */
} hd_r700_reader;

/* An instruction, up to the end of the line. False: `error` is set. */
bool hd_r700_read_inst(hd_r700_reader *r, hd_r700_inst *inst);
/* Two numbers behind `.literal` or `.long`. */
bool hd_r700_read_pair(hd_r700_reader *r, const char *directive, uint32_t pair[2]);
bool hd_r700_at_end(hd_r700_reader *r);

#endif
