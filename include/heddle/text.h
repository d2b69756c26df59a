/* SPDX-License-Identifier: MIT */
/* text.h - IR as text: printing and parsing.
 *
 * doc/text.md has the grammar. For every valid shader, printing, parsing and printing again gives
 * the same text, and the parsed shader means the same: names, locations and flags included. Values
 * and blocks are numbered in the order in which they are printed, so the text does not depend on
 * how the shader came about.
 */
#ifndef HEDDLE_TEXT_H
#define HEDDLE_TEXT_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* Zero-initialised, everything that survives a round trip is printed and nothing else. */
typedef struct hd_print_options {
   bool hide_names;     /* no names of values and blocks */
   bool hide_locations; /* no source locations */
   bool show_preds;     /* the predecessors of each block, as a comment */
   bool show_indices;   /* name values and blocks by their index: what a debugger sees */
} hd_print_options;

/* Append the text of a shader to `out`. `options` may be NULL.
 *
 * The shader may be in any state: where it breaks a rule the text shows as much as there is, with
 * `?` in the place of what is missing or not part of the function, and does not parse. Takes time
 * and memory linear in the size of the shader; depth of nesting costs no stack. When it fails, for
 * want of memory, `out` may hold a part of the text.
 */
HD_API hd_result hd_print_shader(const hd_shader *shader, const hd_print_options *options,
                                 hd_blob *out);

/* The same for one function. hd_parse takes such a text as well. */
HD_API hd_result hd_print_function(const hd_function *function, const hd_print_options *options,
                                   hd_blob *out);

/* The numbers that values and blocks of a function have in its text, for printing single lines
 * of it. Changing the function makes it stale: what is new has no number, nothing worse.
 */
typedef struct hd_numbering hd_numbering;

/* Works in any state of the function, like printing; linear in its size. *out is written on HD_OK
 * only. It must be destroyed before its shader.
 */
HD_API hd_result hd_numbering_create(const hd_function *function, hd_numbering **out);
HD_API void hd_numbering_destroy(hd_numbering *numbering);

/* The number of a value or a block; HD_NO_NUMBER when it is not in the text, or NULL. */
#define HD_NO_NUMBER UINT32_MAX
HD_API uint32_t hd_numbering_def(const hd_numbering *numbering, const hd_def *def);
HD_API uint32_t hd_numbering_block(const hd_numbering *numbering, const hd_block *block);

/* A part of printed text: bytes from the beginning of the blob. */
typedef struct hd_text_span {
   size_t offset;
   size_t length;
} hd_text_span;

/* Append one instruction, without a newline. It may be in any state, also not inserted; NULL is
 * printed as `?`. `numbering` may be NULL: values and blocks are then named by their indices, and
 * nothing but the instruction and what it points to is looked at. That is how to call it in a
 * debugger, and it cannot fail but for memory.
 *
 * Where `span` is not NULL it receives the location of `mark`: of that source; of the instruction
 * without its location when `mark` is NULL or not a source of it.
 */
HD_API hd_result hd_print_instr(const hd_instr *instr, const hd_numbering *numbering,
                                const hd_src *mark, hd_blob *out, hd_text_span *span);

/* The same for the line that begins a block (`b3 header:`), an if (`if %2 {`) or a loop. */
HD_API hd_result hd_print_node(const hd_cf_node *node, const hd_numbering *numbering,
                               const hd_src *mark, hd_blob *out, hd_text_span *span);

/* How many errors hd_parse reports before it stops. */
#define HD_PARSE_MAX_ERRORS 50

/* Make a shader of a text of any bytes. *out is written on HD_OK only.
 *
 * `config` may be NULL; the shader is made with it. `file_name` names the text in diagnostics and
 * may be NULL. HD_INVALID: the text is no shader, and a diagnostic says why, at least
 * once and up to HD_PARSE_MAX_ERRORS times. HD_OK: every list, edge and use is in step, and every
 * value, block, variable and function that is used is defined; whether the shader obeys the other
 * rules of doc/invariants.md is for hd_validate to say. Time and memory are linear in the size of
 * the text, whatever it holds.
 */
HD_API hd_result hd_parse(const hd_config *config, const char *file_name, const char *text,
                          size_t size, hd_shader **out);

/* The same, but the location of an instruction, a block, an if or a loop is its location in this text:
 * `file_name`, "" where that is NULL, the line on which it ends or, of an if or a loop, begins, and
 * column 0. What the text says of locations is read and dropped.
 */
HD_API hd_result hd_parse_located(const hd_config *config, const char *file_name, const char *text,
                                  size_t size, hd_shader **out);

HD_END_DECLS

#endif
