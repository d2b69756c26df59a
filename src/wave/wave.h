/* SPDX-License-Identifier: MIT */
/* wave.h - the reference interpreter: state and interface of its files.
 *
 *    decode.c   a function becomes a hd_code: blocks in their order, operands as row numbers
 *    modes.c    the same for one pc and for linear order
 *    launch.c   the entry point: check the launch, schedule workgroups and waves
 *    wave.c     one wave: frames, edges, calls, returns and halts
 *    next_block.c     which block is next: sweeps, one pc, linear
 *    alu.c      ops, and how undefined bits spread
 *    identity.c, lanes.c, memory.c, image.c, sample.c, stage.c   intrinsics; handlers.c is their table
 *    texel.c    formats; texture.c   samples of texels: addressing, filters, levels
 *    own.c      a driver's own intrinsics: their callbacks
 *    uniform.c  check divergence analysis at run time
 *    freeze_undefined.c   arbitrary but fixed values for undefined ones
 *    undefined_bits.c    which bits of an undefined component are defined
 *    report.c   run-time errors as diagnostics
 *
 * Values are rows: one 64-bit number a lane, upper bits zero, and a mask of the lanes in which it
 * is undefined. A value has a row for each component. Rows of constants and undefs belong to the
 * code and are never written while it runs; the others belong to a frame.
 *
 * A failure unwinds to hd_wave_run (util/memory.h): nothing here returns one.
 */
#ifndef HEDDLE_WAVE_WAVE_H
#define HEDDLE_WAVE_WAVE_H

#include <string.h>

#include "heddle/ir.h"
#include "heddle/ops.h"
#include "heddle/wave.h"
#include "util/float_host.h"
#include "util/memory.h"
#include "wave/alu.h"

/* Masks */

static inline hd_wave_mask
mask_none(void)
{
   return (hd_wave_mask){ { 0, 0 } };
}

/* Lanes 0 to n - 1. */
static inline hd_wave_mask
mask_first(unsigned n)
{
   return (hd_wave_mask){ { n ? UINT64_MAX >> (n < 64 ? 64 - n : 0) : 0,
                            n > 64 ? UINT64_MAX >> (128 - n) : 0 } };
}

static inline bool
mask_has(hd_wave_mask m, unsigned lane)
{
   return m.word[lane >> 6] >> (lane & 63) & 1;
}

static inline void
mask_add(hd_wave_mask *m, unsigned lane)
{
   m->word[lane >> 6] |= UINT64_C(1) << (lane & 63);
}

static inline void
mask_remove(hd_wave_mask *m, unsigned lane)
{
   m->word[lane >> 6] &= ~(UINT64_C(1) << (lane & 63));
}

static inline bool
mask_any(hd_wave_mask m)
{
   return (m.word[0] | m.word[1]) != 0;
}

static inline bool
mask_equal(hd_wave_mask a, hd_wave_mask b)
{
   return a.word[0] == b.word[0] && a.word[1] == b.word[1];
}

static inline hd_wave_mask
mask_and(hd_wave_mask a, hd_wave_mask b)
{
   return (hd_wave_mask){ { a.word[0] & b.word[0], a.word[1] & b.word[1] } };
}

static inline hd_wave_mask
mask_or(hd_wave_mask a, hd_wave_mask b)
{
   return (hd_wave_mask){ { a.word[0] | b.word[0], a.word[1] | b.word[1] } };
}

static inline hd_wave_mask
mask_without(hd_wave_mask a, hd_wave_mask b)
{
   return (hd_wave_mask){ { a.word[0] & ~b.word[0], a.word[1] & ~b.word[1] } };
}

/* In the lanes of `where` what `from` says, elsewhere what `old` says. */
static inline hd_wave_mask
mask_merge(hd_wave_mask old, hd_wave_mask from, hd_wave_mask where)
{
   return mask_or(mask_without(old, where), mask_and(from, where));
}

/* The lowest lane; HD_WAVE_MAX_LANES if there is none. */
unsigned hd_wave_mask_first(hd_wave_mask m);
/* The number of every lane of it, ascending; how many. */
unsigned hd_wave_mask_list(hd_wave_mask m, uint8_t lanes[HD_WAVE_MAX_LANES]);

/* Code */

typedef struct hd_wave hd_wave;
typedef struct hd_code hd_code;
typedef struct hd_code_instr hd_code_instr;

/* A value as code names it. */
typedef struct hd_operand {
   uint32_t row;  /* its first component's */
   bool constant; /* a row of the code, else one of the frame */
   bool uniform;  /* it is watched: divergence analysis says so of the value, or of its reading */
   uint8_t num_components;
   uint8_t bits;
} hd_operand;

typedef void hd_wave_handler(hd_wave *w, const hd_code_instr *i);

struct hd_code_instr {
   hd_wave_handler *run;
   hd_wave_handler *watched; /* what run_watched runs */
   const hd_instr *instr;
   const hd_intrinsic_info *info; /* of an intrinsic */
   hd_wave_op *op;                /* of an alu instruction */
   hd_wave_alu *alu;              /* what `op` is given: filled in here but for lanes and rows */
   hd_operand *srcs;
   uint32_t num_srcs;
   hd_operand dst;     /* num_components 0: none */
   hd_code *callee;    /* of a call */
   uint32_t var_row;   /* of an access to a variable: the first row of element 0 */
   uint32_t var_count; /* its elements, at least 1 */
   bool componentwise; /* alu: and no number is excluded by a flag */
   bool simple;        /* alu: besides, an undefined operand makes its lane undefined */
   bool same;          /* alu: both operands are one value, and the result does not depend on it */
};

/* A phi's copy on one edge. */
typedef struct hd_code_copy {
   hd_operand dst, src;
} hd_code_copy;

#define HD_CODE_END UINT32_MAX

typedef struct hd_code_edge {
   uint32_t to; /* its place, or HD_CODE_END */
   uint32_t num_copies;
   const hd_code_copy *copies;
   bool parallel; /* a copy reads what an earlier one writes */
} hd_code_edge;

typedef enum hd_code_exit {
   HD_EXIT_EDGE,   /* edges[0] */
   HD_EXIT_IF,     /* edges[0] where the condition is true, else edges[1] */
   HD_EXIT_SWITCH, /* the edge of the case, else edges[0] */
   HD_EXIT_RETURN,
   HD_EXIT_HALT,
} hd_code_exit;

#define HD_NO_CYCLE UINT32_MAX

typedef struct hd_code_block {
   const hd_block *block;
   const hd_code_instr *instrs;
   uint32_t num_instrs;
   uint32_t cycle; /* the innermost around it, or HD_NO_CYCLE */
   hd_code_exit exit;
   bool has_value;   /* of a return */
   hd_operand value; /* condition, selector or what is returned */
   bool divergent;   /* of a branch; known where it is asked: on one pc, or if values are watched */
   const hd_operand *phis; /* those that are watched */
   uint32_t num_phis;
   const hd_code_edge *edges;
   const hd_switch_case *cases; /* ascending */
   uint32_t num_cases;
} hd_code_block;

/* Places header to end - 1 of the sweep order. */
typedef struct hd_code_cycle {
   uint32_t header, end;
   uint32_t parent;
} hd_code_cycle;

/* One pc: where a block's branch parks lanes, and the nearest block that all reach after it. */
typedef struct hd_code_flow {
   uint32_t primary;   /* of a divergent branch: the place of its primary successor */
   uint32_t post_idom; /* or HD_CODE_END */
} hd_code_flow;

/* Linear: a place that is a block or a latch. */
typedef struct hd_code_step {
   uint32_t latch;  /* of a header: the place of its latch; else HD_CODE_END */
   uint32_t header; /* of a latch: the place of its header; else HD_CODE_END */
   uint32_t join;   /* of a block: at most num_blocks */
   bool may_be_empty;
} hd_code_step;

struct hd_code {
   hd_function *function;
   hd_wave_mode mode;
   /* A block's place is its number here: in sweep order, or by step; that of a latch is unused. */
   hd_code_block *blocks;
   uint32_t num_blocks;
   hd_code_cycle *cycles;
   hd_code_flow *flow;  /* by position; NULL but on one pc */
   hd_code_step *steps; /* by position; NULL but in linear mode */
   uint32_t num_rows;   /* of a frame */
   uint32_t first_var_row, num_var_rows;
   const hd_operand *params;
   uint64_t *constants; /* rows, as wide as a wave */
   hd_wave_mask *constants_undef;
};

/* Running */

typedef struct hd_frame hd_frame;
struct hd_frame {
   hd_frame *caller;
   const hd_code_instr *call; /* in the caller's code; NULL for the first frame */
   const hd_code *code;
   hd_stack_mark mark; /* of the wave's stack, before the frame */
   hd_wave_mask entered;
   uint64_t *rows;
   hd_wave_mask *undef;
   uint64_t
       *parts; /* known bits of what is undefined, by row and lane; NULL: none. undefined_bits.c */
   hd_wave_mask *waiting; /* by position */
   uint64_t *occupied;    /* a bit for each place at which a lane waits */
   uint32_t place;        /* of the block that runs or ran last; HD_CODE_END: none */
   uint32_t next;         /* instruction of it; past the last: its exit */
   bool in_block;
   uint32_t depth;
   uint32_t pc;              /* one pc: the place that control goes to, or HD_CODE_END */
   uint32_t num_edges_taken; /* of the block that runs: how many edges lanes took */
   bool emptied;             /* lanes that came into a block, or into the frame, all ended in it */
};

typedef enum hd_wave_state { HD_WAVE_READY, HD_WAVE_AT_BARRIER, HD_WAVE_ENDED } hd_wave_state;

/* Bytes that are given or made, with their shadow. */
typedef struct hd_bytes {
   uint64_t base; /* the address of its first byte */
   uint64_t size;
   uint8_t *data;
   uint8_t *undefined; /* NULL: all of it is defined */
} hd_bytes;

typedef struct hd_wave_run_state {
   hd_shader *shader;
   const hd_wave_launch *launch;
   hd_heap heap;
   hd_stack stack; /* codes, what lives as long as the run */
   hd_function *entry;
   hd_code *codes; /* by index of the function in the shader's list */
   hd_stage stage;
   unsigned width;
   uint32_t num_workgroups[3], workgroup_size[3];
   uint64_t total_workgroups; /* at most 2^32 */
   uint32_t group_lanes, num_waves;
   uint32_t workgroup[3], workgroup_index;
   hd_bytes *regions, *buffers, *images, *given;
   hd_bytes push, kernarg, constants, shared, inputs, outputs, second_outputs, corners;
   uint64_t steps_left;
   uint64_t random;
   uint64_t num_undefs;  /* components of `undef` that were decoded */
   uint64_t num_settled; /* places in memory that got a number */
   hd_wave_stats stats;
   hd_wave *waves;
} hd_wave_run_state;

struct hd_wave {
   hd_wave_run_state *run;
   hd_stack stack; /* frames */
   hd_frame *frame;
   hd_wave_state state;
   uint32_t number;
   uint32_t quantum;   /* instructions until another wave may go on; 0: no limit */
   hd_wave_mask ended; /* and the lanes that never were */
   hd_wave_mask helper;
   hd_wave_mask active;
   hd_wave_mask listed; /* active, as it was when these three were made */
   unsigned count;      /* of active lanes */
   uint8_t lanes[HD_WAVE_MAX_LANES];
   bool all;         /* they are 0, 1, ... count - 1 */
   hd_bytes scratch; /* one lane's after the other's; size is that of one */
};

static inline uint64_t *
row_of(const hd_wave *w, const hd_operand *o, unsigned c)
{
   const hd_frame *f = w->frame;
   uint64_t *rows = o->constant ? f->code->constants : f->rows;

   return rows + ((size_t)o->row + c) * w->run->width;
}

static inline hd_wave_mask *
undef_of(const hd_wave *w, const hd_operand *o, unsigned c)
{
   const hd_frame *f = w->frame;

   return (o->constant ? f->code->constants_undef : f->undef) + o->row + c;
}

/* Active lanes get defined values: to be called by who writes a row of them. */
static inline void
set_defined(const hd_wave *w, const hd_operand *o, unsigned c)
{
   hd_wave_mask *u = undef_of(w, o, c);

   *u = mask_without(*u, w->active);
}

/* The active lanes of a row, without their undefined bits. */
static inline void
copy_lanes(const hd_wave *w, uint64_t *dst, const uint64_t *src)
{
   if (w->all) {
      memcpy(dst, src, w->count * sizeof(*dst));
   } else {
      for (unsigned k = 0; k < w->count; k++)
         dst[w->lanes[k]] = src[w->lanes[k]];
   }
}

static inline uint64_t
size_mask(unsigned bits)
{
   return UINT64_MAX >> (64 - bits);
}

static inline uint32_t
intrinsic_index(const hd_code_instr *i, hd_index index)
{
   const hd_intrinsic *in = (const hd_intrinsic *)i->instr;

   return i->info->slots[index] ? hd_intrinsic_indices(in)[i->info->slots[index] - 1] : 0;
}

/* freeze_undefined.c: to be called if the launch says freeze_undefined. */

/* The number of a place: 0, 1, ... are the components of `undef` instructions; any others are
 * places where it matters that the same one has the same number.
 */
uint64_t hd_wave_frozen(const hd_wave_run_state *run, uint64_t place);
/* Where `undefined` says so (NULL: everywhere) bytes get numbers; they are defined from then on. */
void hd_wave_freeze_bytes(hd_wave_run_state *run, uint8_t *data, uint8_t *undefined, uint64_t size);
/* Those of a new frame. Its other rows are read by no lane that did not write them. */
void hd_wave_freeze_variables(hd_wave *w, hd_frame *f);
/* A number for what an intrinsic gives a lane: that of all lanes, where it is always uniform. */
void hd_wave_freeze_result(hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane);

static inline bool
freezes_undefined(const hd_wave *w)
{
   return w->run->launch->freeze_undefined;
}

/* A lane's component of an intrinsic's result, which is a row of the frame. */
static inline void
set_component(hd_wave *w, const hd_code_instr *i, unsigned c, unsigned lane, uint64_t value,
              bool undef)
{
   hd_wave_mask *u = undef_of(w, &i->dst, c);

   row_of(w, &i->dst, c)[lane] = value;
   if (!undef)
      mask_remove(u, lane);
   else if (freezes_undefined(w))
      hd_wave_freeze_result(w, i, c, lane);
   else
      mask_add(u, lane);
}

/* undefined_bits.c */

/* The bits of a lane's component that are known: all of one that is defined. */
uint64_t hd_wave_known_bits(const hd_wave *w, const hd_operand *o, unsigned c, unsigned lane);
/* Those of an undefined one, which is a row of the frame. */
void hd_wave_note_parts(hd_wave *w, const hd_operand *dst, unsigned c, unsigned lane,
                        uint64_t known);
/* After an instruction has run, in a frame that has parts. */
void hd_wave_follow_parts(hd_wave *w, const hd_code_instr *i);
/* Before and after the copies of an edge; what was read lies on the wave's stack. */
uint64_t *hd_wave_read_parts(hd_wave *w, const hd_code_edge *edge);
void hd_wave_write_parts(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes,
                         const uint64_t *known);

/* decode.c */

/* Make all codes that the run's entry needs. */
void hd_wave_decode(hd_wave_run_state *run);
/* The code of a function. */
hd_code *hd_wave_code_of(const hd_wave_run_state *run, const hd_function *f);

/* wave.c */

/* Put a frame on the wave's stack. Its lanes wait at the start block. */
void hd_wave_push_frame(hd_wave *w, const hd_code *code, const hd_code_instr *call,
                        hd_wave_mask lanes);
/* Run until the wave ends, meets a barrier, or has used up its quantum. */
void hd_wave_go_on(hd_wave *w);
/* Lanes end: they go from the active mask. */
void hd_wave_end_lanes(hd_wave *w, hd_wave_mask lanes);
hd_wave_handler hd_wave_call;

/* next_block.c */

/* The place of the block to run next; HD_CODE_END where no lane waits anywhere. */
uint32_t hd_wave_next_place(hd_wave *w);
/* Lanes that left the current block by an edge wait for this place. */
void hd_wave_wait(hd_wave *w, uint32_t place, hd_wave_mask lanes);
/* All lanes of the current block have left it. */
void hd_wave_leave_block(hd_wave *w);
/* The lanes that wait at a place: they don't any longer. */
hd_wave_mask hd_wave_take_waiting(hd_frame *f, uint32_t place);

/* modes.c: `places` are those of the function's blocks, by their index. */

/* The blocks and steps of a code from the launch's hd_linear, which is checked. */
void hd_wave_decode_linear(hd_wave_run_state *run, hd_code *code, uint32_t *places);
/* What one pc asks of the blocks of a code. */
void hd_wave_decode_flow(hd_wave_run_state *run, hd_code *code, const uint32_t *places);

/* uniform.c: to be called if the launch says check_uniform, after divergence analysis. */

void hd_wave_watch_instr(hd_code_instr *i);
void hd_wave_watch_block(hd_wave *w, const hd_code_block *b);
void hd_wave_watch_edge(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes);
void hd_wave_watch_exit(hd_wave *w, const hd_code_block *b, uint32_t num_edges_taken);

/* alu.c */

hd_wave_handler hd_wave_alu_scalar, hd_wave_alu_simple, hd_wave_alu_general, hd_wave_vec;
hd_wave_handler hd_wave_load_var, hd_wave_store_var;
/* One op on scalars of one size, for callers that combine lanes or memory. */
uint64_t hd_wave_combine(const hd_wave *w, hd_op op, unsigned bits, uint64_t a, uint64_t b);
/* On rows, whose lanes are the first `count`; the result is in `a`. */
void hd_wave_combine_rows(const hd_wave *w, hd_op op, unsigned bits, uint64_t *a, const uint64_t *b,
                          unsigned count);
/* One op whose result is a boolean. */
bool hd_wave_compare(const hd_wave *w, hd_op op, unsigned bits, uint64_t a, uint64_t b);

/* handlers.c: NULL for what this interpreter does not run. */
hd_wave_handler *hd_wave_find_handler(hd_intrinsic_id id);

/* memory.c */

hd_bytes hd_wave_bytes(hd_wave_run_state *run, const hd_wave_memory *memory, uint64_t base);

/* image.c: the texels of an image, if its memory has room for them. */

hd_bytes hd_wave_image_bytes(hd_wave_run_state *run, const hd_wave_image *image);

/* stage.c: does the launch give what the instruction asks for, or a place for what it stores? */

bool hd_wave_is_given(const hd_wave_run_state *run, const hd_code_instr *i);

/* report.c: these do not return. */

/* What a program did that none may. lane HD_WAVE_MAX_LANES: no lane in particular; instr NULL: at
 * the end of the block.
 */
void hd_wave_fault(hd_wave *w, const hd_instr *instr, unsigned lane, const char *format, ...)
    HD_PRINTF(4, 5) HD_NORETURN;
/* The launch does not fit, or something can't be run. */
void hd_wave_refuse(hd_wave_run_state *run, hd_result result, const hd_instr *instr,
                    const char *format, ...) HD_PRINTF(4, 5) HD_NORETURN;
void hd_wave_out_of_steps(hd_wave *w) HD_NORETURN;

#endif
