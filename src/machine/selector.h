/* SPDX-License-Identifier: MIT */
/* selector.h - instruction selection for machines whose registers have 32 bits, for a lane or for a wave.
 *
 * A value of the IR has parts: an operand for each component, two for 64 bits. What follows from that
 * alone is here: the parts of values, component moves, ops and intrinsics of the table of sequences
 * (sequence.h), splitting of memory accesses, numbering of buffers.
 */
#ifndef HEDDLE_MACHINE_SELECTOR_H
#define HEDDLE_MACHINE_SELECTOR_H

#include "heddle/emit.h"
#include "heddle/ops.h"
#include "heddle/target.h"
#include "machine/access.h"
#include "machine/program.h"
#include "machine/sequence.h"

/* What a launch says first on all machines. */
typedef struct hd_mach_launch {
   uint32_t num_workgroups[3];
   uint32_t workgroup_size[3];
   uint32_t global_offset[3];
   uint32_t work_dim;
} hd_mach_launch;

/* The state of selection: a machine's own begins with it. */
typedef struct hd_mach_selector {
   hd_mach_program *p;
   const struct hd_mach_part_rows *rows;
   const struct hd_mach_part_walk *walk; /* in it */
   hd_mach_block *block;                 /* that is being written, at its end */
   const hd_instr *instr;                /* that is being selected, or NULL */
   hd_mach_operand **known;              /* by hd_def.index: its parts */
} hd_mach_selector;

/* An instruction that a driver's hook may append. */
typedef struct hd_mach_own_op {
   unsigned op, type; /* the machine's; `type` whatever it needs besides */
   unsigned num_srcs; /* 1 to 3; 0: there is none */
   bool logic;        /* of booleans it gives a boolean */
   bool compares;     /* it gives a boolean */
} hd_mach_own_op;

/* What a machine has for this. `s` is its selector. */
typedef struct hd_mach_part_rows {
   hd_mach_stepper steps; /* `part` may be NULL: hd_mach_part */
   const hd_mach_sequences *sequences;
   uint32_t true_bits; /* what a constant boolean is */
   /* A value gets its parts, once; NULL: they are kept as they are. */
   void (*set)(void *s, const hd_def *def, const hd_mach_operand *parts);
   /* A part of `def`: a where the condition is true, else b. */
   hd_mach_operand (*choose)(void *s, const hd_def *def, hd_mach_operand condition,
                             hd_mach_operand a, hd_mach_operand b);
   /* Whether the index is this component. */
   hd_mach_operand (*is_at)(void *s, hd_mach_operand index, unsigned component);
   /* Ops that it has instructions for besides steps. False: this is none. May be NULL. */
   bool (*direct)(void *s, const hd_alu *alu);
   /* For hooks: an instruction by its name, and appending it. */
   hd_mach_own_op (*find_own)(const char *name);
   hd_mach_operand (*emit_own)(void *s, const hd_mach_own_op *op, bool booleans,
                               const hd_mach_operand srcs[3]);
   /* A dword of the launch, at this offset in bytes: it begins with a hd_mach_launch. */
   hd_mach_operand (*of_launch)(void *s, size_t offset);
   /* What the first active lane has, for all; NULL: `set` makes values of it. */
   hd_mach_operand (*first_lane)(void *s, hd_mach_operand part);
} hd_mach_part_rows;

/* What it has for the walk over instructions: hd_mach_selection says what the others are. */
typedef struct hd_mach_part_walk {
   /* A value for a part of this one. */
   hd_mach_operand (*new_part)(void *s, const hd_def *def);
   hd_mach_operand (*phi_source)(void *s, const hd_def *def, unsigned n, hd_mach_operand to);
   void (*condition)(void *s, hd_mach_block *block, const hd_src *condition);
   bool (*intrinsic)(void *s, const hd_intrinsic *intrinsic);
} hd_mach_part_walk;

/* All instructions, after hd_mach_selector_init. Unwinds. */
bool hd_mach_select_parts(hd_mach_selector *s, const hd_mach_part_walk *walk);

/* Before the walk, after hd_mach_select_blocks: memory for what is known, scratch memory in dwords. */
void hd_mach_selector_init(hd_mach_selector *s, hd_mach_program *p, const hd_mach_part_rows *rows);

/* The same as in hd_mach_selection. */
void hd_mach_selector_at(void *s, hd_mach_block *block, const hd_instr *instr);
void hd_mach_selector_undef(void *s, const hd_instr *undef); /* constants 0 */
unsigned hd_mach_num_parts(const hd_def *def);

hd_mach_operand hd_mach_part(hd_mach_selector *s, const hd_def *def, unsigned n);
/* By the row `set`; hd_mach_keep_parts is what that calls at last. */
void hd_mach_set_parts(hd_mach_selector *s, const hd_def *def, const hd_mach_operand *parts);
void hd_mach_keep_parts(hd_mach_selector *s, const hd_def *def, const hd_mach_operand *parts);

static inline void
hd_mach_set_part(hd_mach_selector *s, const hd_def *def, hd_mach_operand part)
{
   hd_mach_set_parts(s, def, &part);
}

/* Append an instruction with these operands. */
hd_mach_inst *hd_mach_selector_emit(hd_mach_selector *s, unsigned op, unsigned num_defs,
                                    const hd_mach_operand *defs, unsigned num_srcs,
                                    const hd_mach_operand *srcs);
/* The phi that writes `def`, whose sources may be anything yet; p_undef where nobody comes from. */
void hd_mach_selector_phi(hd_mach_selector *s, hd_mach_operand def, bool mask);

/* One of a driver's own, by its hook; NULL: there is none, and it is refused. False: it was refused. */
bool hd_mach_select_own(hd_mach_selector *s, const hd_intrinsic *i, hd_select_own *hook,
                        void *user);
/* Refuse it by name. Returns false. */
bool hd_mach_refuse_intrinsic(hd_mach_selector *s, const hd_intrinsic *i);
/* Each lane gets the value of another one. */
bool hd_mach_moves_values(const hd_intrinsic *i);
/* Derivatives and votes in quads. */
typedef struct hd_mach_quads {
   /* For each lane the part that the lane of this number has. */
   hd_mach_operand (*of_lanes)(void *s, hd_mach_operand part, hd_mach_operand lanes);
   /* A bit for each active lane where the boolean is true, or false; the others are 0. */
   hd_mach_operand (*ballot)(void *s, hd_mach_operand boolean, bool inverse);
   hd_mach_operand (*lane)(void *s); /* the number of each lane */
} hd_mach_quads;

bool hd_mach_is_of_quad(const hd_intrinsic *i);
/* One of these. False: it was refused. */
bool hd_mach_select_quad(hd_mach_selector *s, const hd_mach_quads *rows, const hd_intrinsic *i);
/* False: it was refused. *waits: whether lanes of other waves must be waited for. */
bool hd_mach_check_barrier(hd_mach_selector *s, const hd_intrinsic *i, bool *waits);

/* Ops: those that move components, `direct` ones, sequences. Floats of 32 bits round to nearest and
 * keep denormals. False: it was refused.
 */
bool hd_mach_select_alu(hd_mach_selector *s, const hd_alu *alu);
/* workgroup_size[n]: what the shader says, or the launch. */
hd_mach_operand hd_mach_size_of_group(hd_mach_selector *s, unsigned n);
/* The results of an intrinsic that has a sequence, or is in the launch; else it is refused. */
bool hd_mach_run_intrinsic(hd_mach_selector *s, const hd_intrinsic *i,
                           hd_mach_operand results[HD_MACH_MAX_RESULTS]);

/* Memory */

/* The buffers of the shader, in the order in which they are met: *bindings, whose `first` count on.
 * `most` is how many elements an array has whose index is computed.
 */
typedef struct hd_mach_buffers {
   hd_buffer_binding *bindings;
   uint32_t num_bindings;
   uint32_t num; /* of all elements, at most UINT32_MAX */
} hd_mach_buffers;

void hd_mach_find_buffers(hd_mach_selector *s, uint32_t most, hd_mach_buffers *buffers);
const hd_buffer_binding *hd_mach_buffer_of(const hd_mach_buffers *buffers, const hd_intrinsic *i);
/* Of a buffer: the operand that says which element; NULL: the intrinsic has none. */
const hd_src *hd_mach_array_index_of(const hd_intrinsic *i);

/* Is it an atomic on global memory, buffers or shared memory? *swap: a compare and swap. */
bool hd_mach_is_atomic(const hd_intrinsic *i, bool *swap);

/* Of an address: the halves of what *offset, up to INT16_MAX, is added to, by constants. False: it is not made of halves. */
bool hd_mach_find_halves(hd_mach_selector *s, const hd_def *address, const hd_def *halves[2],
                         uint32_t *offset);
/* Is it a number, 1 where the sum of these has a carry? */
bool hd_mach_is_carry_of(const hd_def *def, const hd_def *a, const hd_def *b);
/* (x << shift) + base, in 64 bits; x has 32. */
typedef struct hd_mach_wide_sum {
   hd_mach_operand x, base;
   uint8_t shift;
   bool is_signed; /* x is */
} hd_mach_wide_sum;
/* Are the halves such a sum? The base is not computed: a register for which `is_pair` holds, and the next one. */
bool hd_mach_find_wide_sum(hd_mach_selector *s, const hd_def *const halves[2],
                           bool (*is_pair)(unsigned reg), hd_mach_wide_sum *wide);
/* Can the definition be read in place of what is computed of it? A scalar where that is none might not have
 * been written there.
 */
bool hd_mach_reaches(hd_mach_selector *s, const hd_def *def, const hd_def *computed);

/* Accesses in pieces of a dword, of two bytes, or of one (access.h), none of several components. `place`
 * is the machine's: where the access begins.
 */
typedef struct hd_mach_piecewise {
   /* Before those of a component, whose bytes begin at `at`. May be NULL. */
   void (*begin)(void *s, void *place, uint32_t at, unsigned bytes);
   /* What is there, in the lowest bits; the other bits are 0. */
   hd_mach_operand (*load)(void *s, void *place, uint32_t at, unsigned bytes);
   /* The part that is stored, before it is cut. NULL: as it is. */
   hd_mach_operand (*take)(void *s, hd_mach_operand part);
   void (*store)(void *s, void *place, uint32_t at, unsigned bytes, hd_mach_operand value);
} hd_mach_piecewise;

void hd_mach_load_pieces(hd_mach_selector *s, const hd_mach_piecewise *rows,
                         const hd_intrinsic *load, void *place);
void hd_mach_store_pieces(hd_mach_selector *s, const hd_mach_piecewise *rows,
                          const hd_intrinsic *store, void *place);

#endif
