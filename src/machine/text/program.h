/* SPDX-License-Identifier: MIT */
/* program.h - machine code between two phases as text (as LLVM's MIR): printer and parser.
 *
 *    .target gfx900
 *    .temp %7 remat
 *    b0:
 *       .logical -> b1 b2
 *       .condition %6:m1
 *       p_start %1:s2@s[4:5] =
 *       add %5:v1 = %3:v1, 16 imm:4
 *    b1:
 *       .logical b0 -> b2
 *       .linear b0 -> b2
 *       .loop 1 header
 *       ...
 *       .tail
 *       branch_none %8:s1 -> b2
 *
 * A block says its predecessors and successors of both kinds, each in order; `.tail` stands before
 * the instruction that hd_mach_block.tail is, `full` says exec_full. `%5:v1` is a value of one
 * vector register, s of scalar ones, m a mask, l a linear vector; `@` is the register that it has,
 * `!` says that it dies here. Pseudo ops, and all instructions of a machine that has no language of
 * its own, are written as here: results, sources, what else there is. Blocks and values keep their
 * numbers; a number that is not in the text is a block in no order, or a value that nothing names.
 */
#ifndef HEDDLE_MACHINE_TEXT_PROGRAM_H
#define HEDDLE_MACHINE_TEXT_PROGRAM_H

#include "machine/program.h"
#include "machine/text/cursor.h"

/* What a machine prints. Where a pointer to this is NULL, it is as its files and constants say. */
typedef struct hd_mach_printing {
   void (*operand)(const hd_mach_program *p, const hd_mach_operand *operand, hd_blob *out);
   /* NULL: as program.h shows. */
   void (*inst)(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out);
} hd_mach_printing;

void hd_mach_program_print(const hd_mach_program *p, const hd_mach_printing *rows, hd_blob *out);

/* One instruction, without a newline. */
void hd_mach_inst_print(const hd_mach_program *p, const hd_mach_printing *rows,
                        const hd_mach_inst *inst, hd_blob *out);

/* "%5:v1" */
void hd_mach_value_print(const hd_mach_program *p, const hd_mach_operand *operand, hd_blob *out);

/* What a machine reads; `user` is its own, or the hd_mach_program_reader. False: an error was reported. */
typedef struct hd_mach_parsing {
   unsigned num_ops; /* those below are read as above, the others by `inst` */
   /* The name after .target, which may become p->mach. NULL: it must be that of p->mach. */
   bool (*target)(void *user, hd_mach_word name);
   /* An operand of the op; of a value hd_mach_value_note was called. */
   bool (*operand)(void *user, unsigned op, hd_mach_operand *operand);
   /* An instruction by hd_mach_inst_read; `target` is the name of the block that a branch goes to, or
    * has length 0. NULL if num_ops is all.
    */
   bool (*inst)(void *user, hd_mach_inst *inst, const hd_mach_operand **operands,
                hd_mach_word *target);
} hd_mach_parsing;

typedef struct hd_mach_program_reader {
   hd_mach_cursor *c;
   hd_mach_program *p;
   const hd_mach_parsing *rows;
   void *user;
   hd_mach_block *block;
   bool tail;     /* the next instruction is the tail of the block */
   uint8_t *seen; /* by number of a value: its kind */
   uint32_t seen_capacity;
} hd_mach_program_reader;

/* "%5:v2", "%5:s2@s[4:5]!" after the '%': `start` is where that is, *kind the letter. The register is
 * read by `reg`, which reports what is wrong. False: an error was reported.
 */
bool hd_mach_value_read(hd_mach_cursor *c, const char *start,
                        bool (*reg)(void *user, hd_mach_operand *operand), void *user,
                        hd_mach_operand *operand, char *kind);

/* The text names a value: it is one of the program from now on. `word` is where. */
bool hd_mach_value_note(hd_mach_program_reader *r, const hd_mach_operand *operand, char kind,
                        hd_mach_word word);

/* An operand in the syntax of the layer: a value, "none", "undef", a number, or what `reg` reads, whose
 * `user` is the reader. False: an error was reported.
 */
bool hd_mach_operand_read(hd_mach_program_reader *r,
                          bool (*reg)(void *user, hd_mach_operand *operand),
                          hd_mach_operand *operand);

/* What hd_mach_program_print printed, from the cursor on, into a program that is empty but for its
 * stack and its machine. False: errors were reported. Unwinds when memory runs out. `rows` NULL: as the
 * files and constants of the machine say. `user` NULL: the rows are given `r`.
 */
bool hd_mach_program_read(hd_mach_program *p, hd_mach_cursor *c, const hd_mach_parsing *rows,
                          hd_mach_program_reader *r, void *user);

/* The same of a text, for machines that need no rows. False: a diagnostic in the sink of `config`
 * says why not.
 */
bool hd_mach_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                           const char *text, size_t length);

#endif
