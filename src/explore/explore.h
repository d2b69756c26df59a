/* SPDX-License-Identifier: MIT */
/* explore.h - explorer: what is recorded of a shader while it is compiled.
 *
 *    explore.c   the entry: one input after the other, and the object around them
 *    rows.c      a shader as rows: the lines of its text, and what each shows
 *    nodes.c     which rows of two steps show the same instruction, and what became of the others
 *    steps.c     the steps: the input, and the shader after each pass
 *    why.c       explanations of divergence, added control flow, code that does not move
 *    machine.c   the machine code after each phase
 *    trace.c     execution traces
 *    lanes.c     pictures of the traces of several machines
 *    source.c    the input text and the sources that it refers to
 *    module.c    disassembly of a SPIR-V module
 *    compare.c   match two inputs
 *    page.c      the HTML document
 *
 * An instruction, block, if or loop that is found again after a pass is one *node*. Before each pass
 * every one gets a location of its own, its label, which what passes make of it inherits: so a
 * label tells what something was before the pass.
 */
#ifndef HEDDLE_EXPLORE_PRIVATE_H
#define HEDDLE_EXPLORE_PRIVATE_H

#include "heddle/explore.h"
#include "util/memory.h"

#define NO_NODE   UINT32_MAX
#define MAX_BYTES ((size_t)16 << 20)
/* Of a number that says which lines a step has, about. */
#define RUN_BYTES 6u

/* The file of labels. No input names one like it: names with control characters are escaped. */
#define LABEL_FILE "\001"

/* What a line of the text is; the numbers stand in the data. */
typedef enum row_kind {
   ROW_FUNCTION,
   ROW_BLOCK,
   ROW_IF,
   ROW_ELSE,
   ROW_LOOP,
   ROW_CONTINUE,
   ROW_END,
   ROW_INSTR,
   ROW_MACHINE_BLOCK,
   ROW_MACHINE_INST,
} row_kind;

typedef struct row {
   uint8_t kind;  /* row_kind */
   uint8_t class; /* of an instruction: instr_class */
   uint16_t op;   /* what it does: kind and op of an instruction, for comparing */
   uint16_t depth;
   bool has_def;
   uint32_t index; /* of its value, or of the block */
   uint32_t label; /* what it was before: a row of the step before, from 1; 0: it is not known */
   uint32_t node;
   uint32_t function;                    /* its number */
   uint32_t first_operand, num_operands; /* in step.operands */
   union {                               /* until the step is done */
      hd_instr *instr;
      hd_cf_node *cf;
      hd_function *f;
   } object;
} row;

/* Instructions by what they cost, for curves. */
typedef enum instr_class {
   CLASS_ALU,
   CLASS_CONST,
   CLASS_PHI,
   CLASS_MEMORY,
   CLASS_LANES,
   CLASS_INPUT,
   CLASS_CONTROL,
   CLASS_OTHER,
   NUM_CLASSES,
} instr_class;

/* The shader as it was at one time. */
typedef struct rows {
   row *at;
   uint32_t num, capacity;
   uint32_t *operands; /* nodes */
   uint32_t num_operands, operand_capacity;
   uint32_t counts[NUM_CLASSES];
} rows;

/* An instruction, block, if or loop through all steps. */
typedef struct node {
   uint32_t first, last; /* steps */
   uint32_t from;        /* the node that it was made of, or NO_NODE */
   uint32_t number;      /* of its value, or of the block, in texts; NO_NODE: it has none */
   uint32_t line;        /* of the input; 0: not known */
   uint32_t location;    /* position in side.places; 0: not known */
   bool constant;
   uint32_t divergent; /* its newest reason, from 1 in side.whys; 0: there was none */
} node;

/* A growing array in the memory of the explorer. */
#define GROWING(type)                                                                              \
   struct {                                                                                        \
      type *at;                                                                                    \
      uint32_t num, capacity;                                                                      \
   }

typedef struct step {
   const char *name;    /* of the pass, with its options */
   const char *meaning; /* or NULL */
   bool changed;
   bool cut; /* its lines are left out */
   uint64_t nanoseconds;
   uint32_t counts[NUM_CLASSES];
   uint32_t first_run, num_runs; /* in side.runs: pairs of first line and count */
} step;

/* `old` is no more; what read it reads `new` since this step. */
typedef struct became {
   uint32_t step, old, new;
} became;

/* Reasons, by what they are reasons of; the numbers stand in the data. */
typedef enum why_kind {
   WHY_DIVERGENT,
   WHY_STAYS, /* it may not move up */
   WHY_ADDED, /* control flow, at this block */
} why_kind;

typedef struct why {
   uint32_t node, first, last; /* steps that changed something, in which it holds */
   why_kind kind;
   const char *text;
   uint32_t next; /* the node that the chain goes on with, or NO_NODE */
} why;

typedef struct place {
   uint32_t file; /* in side.files */
   uint32_t line, column;
} place;

/* The machine code, and its instructions through all phases. */
struct machine {
   hd_blob phases; /* members of an array of JSON */
   struct key_slot {
      const void *key; /* NULL in an empty slot */
      uint32_t number;
   } * keys;
   uint32_t num_keys;
   GROWING(uint32_t) insts; /* nodes */
   const char *files[HD_MAX_REGISTER_FILES];
   uint32_t num_files;
   uint32_t *offsets;   /* of the instructions of the code */
   uint32_t *blocks_of; /* the positions of their blocks */
   uint32_t num_offsets;
   hd_machine_occupancy *occupancy;
   uint32_t num_occupancy;
};

struct explorer {
   hd_heap heap;
   hd_stack stack;    /* all that is kept */
   bool machine_only; /* runs are those of machine code, not of the interpreter */
   const hd_explore_options *options;
   hd_blob *out;
   unsigned num_inputs;
};

typedef struct side {
   struct explorer *x;
   const hd_explore_input *input;
   hd_result failed; /* in a callback: what it was unwound with */

   hd_shader *shader;        /* a copy, with labels */
   hd_shader *located;       /* the same with lines as locations; NULL: it could not be read */
   hd_target_binary *binary; /* what it was compiled to; NULL: nothing */
   bool refused;
   rows rows, older;        /* of the step that is newest; what the next one may use */
   uint32_t *label_of;      /* locations that labels are */
   hd_shader *label_shader; /* of which */
   uint32_t num_labels, label_capacity;
   GROWING(node) nodes;
   GROWING(step) steps;
   GROWING(became) became;
   GROWING(why) whys;
   uint32_t last_changed; /* the step before in which something changed */
   hd_shader *before;     /* what the copy was made of, where that was a copy */
   hd_shader *copy;       /* of the newest step, with what analyses keep */
   bool motion_cut;       /* not all instructions were asked about */
   GROWING(uint32_t) runs;
   uint32_t num_values, num_blocks; /* numbers that were given to nodes */

   /* Lines: members of an array of JSON, each once; by hash of their text. */
   hd_blob lines;
   hd_blob scratch, text, line; /* what is being made */
   uint32_t num_lines;
   struct line_slot {
      size_t offset;
      uint32_t length, number; /* the length is 0 in an empty slot */
   } * slots;
   uint32_t num_slots;

   GROWING(place) places; /* the first is none */
   GROWING(const char *) files;
   struct machine machine;
   struct hd_explore_trace *interpreted, *simulated; /* NULL: not run */
   bool waves_cut, values_cut;
   hd_blob refusals; /* members of an array of JSON */
   hd_blob refusal;  /* the first error, as text */
   hd_blob input_lines,
       input_words; /* members of arrays: lines, and of modules their first words */
   GROWING(hd_explore_source) own_sources; /* that a module has in it */
   const char *input_kind;
   uint64_t began, took; /* the pass or phase at hand */
   size_t why_bytes;
   bool left_out, input_cut, whys_cut; /* it did not fit */
} side;

/* explore.c: a side of an input, zero-initialised; and give its memory back. */
void hd_explore_begin(side *s, struct explorer *x, const hd_explore_input *input);
void hd_explore_finish(side *s);

/* Room for one more in an array; the old one stays in the stack. */
void *hd_explore_grow(struct explorer *x, void *at, uint32_t num, uint32_t *capacity,
                      size_t element);
#define PUSH(x, array)                                                                             \
   ((array).num < (array).capacity                                                                 \
        ? &(array).at[(array).num++]                                                               \
        : ((array).at = hd_explore_grow((x), (array).at, (array).num, &(array).capacity,           \
                                        sizeof(*(array).at)),                                      \
           &(array).at[(array).num++]))

/* A blob fails by itself: unwind with what it failed with. */
void hd_explore_check(struct explorer *x, const hd_blob *blob);
/* A copy of a string in the stack. */
const char *hd_explore_keep(struct explorer *x, const char *string);
/* A member of JSON that is a string. */
void hd_explore_string(hd_blob *out, const char *string);
uint64_t hd_explore_now(const struct explorer *x);

/* rows.c: the rows of a shader, without nodes; and, when they have them, its lines as runs. */
void hd_explore_rows(side *s, hd_shader *shader, rows *out);
/* s->line, in the table once, as the next line of the runs from this one on. */
void hd_explore_add_line(side *s, uint32_t first_run);
/* How many bytes may be shown of an input: of steps no more than a half of it, with phases three quarters; of
 * the input's own text and of reasons no more than an eighth each.
 */
size_t hd_explore_room(const struct explorer *x);
/* Where lines take more bytes than they may, the rest is left out. */
void hd_explore_lines(side *s, rows *r, step *step);
/* Labels: the objects of the newest rows, which are those of `shader`, get their numbers as locations.
 * The first makes room for so many; the second takes no memory but the shader's, and may be unwound by
 * it.
 */
void hd_explore_reserve_labels(side *s, uint32_t num);
void hd_explore_label(side *s, hd_shader *shader);
/* The row that a location of `shader` labels, from 1; 0: it labels none. */
uint32_t hd_explore_label_of(const hd_shader *shader, uint32_t location);

/* nodes.c: give the rows of a step their nodes, by those of the step before. */
void hd_explore_match(side *s, const rows *before, rows *after);

/* steps.c */
void hd_explore_run(side *s);
void hd_explore_write_steps(side *s, hd_blob *out);

/* why.c: reasons in the newest step, which `shader` is: of divergence; of what may not move; and of what
 * a pass that is about to run will add.
 */
void hd_explore_divergence(side *s, const hd_shader *shader);
void hd_explore_motion(side *s, const hd_shader *shader);
void hd_explore_additions(side *s, const hd_shader *shader, const hd_pass_step *step);
void hd_explore_write_whys(const side *s, hd_blob *out);

/* machine.c: an observer, and what it saw. */
void hd_explore_before_phase(void *user, const char *name);
void hd_explore_end_phase(void *user, const char *name);
void hd_explore_after_phase(void *user, const hd_machine_phase *phase);
void hd_explore_write_machine(const side *s, hd_blob *out);

/* A step of a wave: a node or an instruction of the code, and the number of its mask, or NO_MASK where it
 * is for the wave.
 */
#define NO_MASK UINT32_MAX
typedef struct run_step {
   uint32_t what, mask;
   uint64_t cycle;
} run_step;

/* A wave that is kept. */
typedef struct run_wave {
   uint32_t workgroup, number;
   GROWING(run_step) steps;
   hd_blob values; /* members of an array of JSON */
   bool cut;
} run_wave;

/* What a run left. */
typedef struct run {
   unsigned lanes;
   const run_wave *waves;
   unsigned num_waves;
   const hd_wave_mask *masks;
   hd_explore_lane_use use; /* of all waves */
   hd_result result;
   const char *message; /* the first error; NULL: there was none */
} run;

/* trace.c: run it as the input says. */
void hd_explore_launch(side *s);
void hd_explore_get_run(const struct hd_explore_trace *t, run *out);
void hd_explore_write_launch(const side *s, hd_blob *out);
void hd_explore_free_trace(struct hd_explore_trace *t);

/* source.c: lines and locations of the nodes of the first step; what the shader was read from. */
void hd_explore_read_source(side *s);
void hd_explore_write_source(side *s, hd_blob *out);

/* module.c: lines and words of a module, and the sources in it; without the reader of SPIR-V nothing. */
void hd_explore_module(side *s, const uint32_t *words, size_t num);

/* compare.c: a member of the object; both sides are done. */
void hd_explore_write_comparison(const side *a, const side *b, hd_blob *out);

/* The template, made by gen_page.py: what comes before the data, and after it. */
extern const char *const hd_explore_page_head[], *const hd_explore_page_tail[];

#endif
