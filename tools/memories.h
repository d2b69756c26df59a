/* SPDX-License-Identifier: MIT */
/* memories.h - memory contents on the command line of heddle run: names, types and values. */
#ifndef HEDDLE_TOOLS_MEMORIES_H
#define HEDDLE_TOOLS_MEMORIES_H

#include "tool.h"

#include "heddle/wave.h"

enum element { U8, U16, U32, U64, F32, F64, NUM_ELEMENTS };

/* One operand: NAME=BYTES or NAME@FILE=BYTES, where BYTES are @FILE, zero:SIZE or TYPE:NUMBER,...
 */
struct memory {
   const char *operand;
   char *file; /* where the bytes are written to after the run; NULL: they are printed. */
   size_t name_length;
   bool pointer;   /* &BYTES: an argument that is the address of these bytes */
   bool is_shared; /* local:SIZE: one that is memory of the workgroup; `size` bytes without data */
   enum element element;
   uint8_t *data, *undefined;
   size_t size;
};

/* Bytes of an element. */
unsigned memory_element_size(const struct memory *m);
/* Write to m->file. False: a message was printed. */
bool write_memory(const struct memory *m);
void free_memory(struct memory *m);

/* An argument of a code object, [NAME[@FILE]=][&]BYTES or null. False: a message was printed. */
bool parse_argument(const tool *t, struct memory *m, const char *operand);

/* sampler@SET.BINDING=WORDS has no bytes. */
bool is_sampler(const struct memory *m);
/* Read an operand; only its bytes, where the rest is known. False: a message was printed. */
bool parse_named_memory(const tool *t, struct memory *m, const char *operand);
bool parse_memory(const tool *t, struct memory *m, const char *bytes);
/* As `NAME = NUMBERS`, or as a member of a JSON object; `?` or null is undefined. */
void print_memory(const struct memory *m, bool json);

/* A number of the text, *end is what follows it. */
bool parse_number(const char *s, const char **end, uint64_t *value);
/* Values of options, which stay as they are where the option is not given. False: a message was
 * printed.
 */
bool parse_three(const tool *t, const char *name, unsigned least, uint32_t out[3]);
bool parse_option_number(const tool *t, const char *name, uint64_t most, uint64_t *value);
/* Up to 32 hexadecimal digits, with or without 0x before them; *given is `mask` then. */
bool parse_mask(const tool *t, const char *name, hd_wave_mask *mask, const hd_wave_mask **given);

#endif
