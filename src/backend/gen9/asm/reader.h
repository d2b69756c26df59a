/* SPDX-License-Identifier: MIT */
/* reader.h - an instruction of a line of assembly text, read from left to right. */
#ifndef HEDDLE_BACKEND_GEN9_READER_H
#define HEDDLE_BACKEND_GEN9_READER_H

#include "backend/gen9/isa/isa.h"
#include "machine/text/assembly.h"

/* An instruction, its predicate first. False: a message was sent. `address` is its own. */
bool hd_gen9_read_inst(hd_mach_assembler *r, uint64_t address, hd_gen9_word *word);
/* For it: operands of instructions that compute. `three`: the class has three sources. */
bool hd_gen9_read_dst(hd_mach_assembler *r, hd_gen9_word *word, bool three);
bool hd_gen9_read_src(hd_mach_assembler *r, hd_gen9_word *word, unsigned n, bool three);
/* A register without a region or a type; subregisters are in bytes of `size`. */
bool hd_gen9_read_register(hd_mach_assembler *r, hd_gen9_operand *o);
bool hd_gen9_read_type(hd_mach_assembler *r, uint8_t *type);
void hd_gen9_scale_subreg(hd_gen9_operand *o);

#endif
