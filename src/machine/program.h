/* SPDX-License-Identifier: MIT */
/* program.h - a shader as instructions of a machine, from selection to bytes.
 *
 * Two CFGs, as in ACO. Vector values follow the *logical* one, that of the tree: lanes of other arms
 * do not touch their registers. Scalar values, masks and flags follow the *linear* one, that of the
 * pc. After selection there are only logical edges; after control-flow lowering there are both.
 *
 *    vector value    logical edges; a phi has a source for each logical predecessor
 *    scalar value    linear edges; a phi has a source for each linear predecessor
 *
 * There are no critical edges of either kind: where a block has several successors, each of them has
 * one predecessor (an empty block is put between; layout removes it), which stands before it. Else a
 * block can stand before its dominators: phases walk the blocks in the order of the code, and must
 * not take it for one in which definitions come first.
 */
#ifndef HEDDLE_MACHINE_PROGRAM_H
#define HEDDLE_MACHINE_PROGRAM_H

#include "heddle/ir.h"
#include "machine/machine.h"
#include "util/memory.h"

/* hd_mach_temp.flags */
enum {
   HD_MACH_TEMP_MASK = 1u << 0,   /* a bit a lane */
   HD_MACH_TEMP_LINEAR = 1u << 1, /* vector value that is written and read whatever exec says, and
                                    is live along linear edges: lanes of spilled scalars */
   HD_MACH_TEMP_REMAT = 1u << 2,  /* a constant: its def can be repeated instead of being spilled */
};

typedef struct hd_mach_temp {
   uint8_t file; /* of hd_mach.files */
   uint8_t size; /* dwords */
   uint8_t flags;
   uint8_t align;     /* of the first register: 1, 2, 4; scalars of 2 take 2, of 4 and more 4 */
   hd_mach_inst *def; /* kept by who writes instructions; NULL where it is not known */
} hd_mach_temp;

typedef struct hd_mach_edges {
   hd_mach_block **preds; /* sources of phis are in this order */
   hd_mach_block **succs;
   uint32_t num_preds, num_succs;
   uint32_t pred_capacity, succ_capacity;
} hd_mach_edges;

/* What a block that ends in a branch of the IR decides by. After select, until mask. */
typedef struct hd_mach_condition {
   /* Uniform: the flag, written by an instruction from `tail` on, which nothing after it writes;
    * in unreachable blocks a constant. Else a mask.
    */
   hd_mach_operand value;
   bool uniform;
   bool negate;
} hd_mach_condition;

struct hd_mach_block {
   hd_mach_block *prev, *next; /* in the order of the code, after `mask` */
   uint32_t index;             /* below hd_mach_program.num_blocks; never changes */
   uint32_t order;             /* position in the code, by hd_mach_program_number */
   uint32_t loop_depth;
   const hd_block *ir; /* NULL: made by `mask` */
   hd_mach_inst *first, *last;
   /* Phis that spilling has put into memory: `imm` is the slot, which predecessors write. They are
    * no part of the code any more; who checks it asks what it should do. Linked by `next`.
    */
   hd_mach_inst *memory_phis;
   /* The first instruction that serves control: changes exec, or branches. Copies for phis stand
    * before it, so that they run with the lanes of the block. NULL: there is none.
    */
   hd_mach_inst *tail;
   hd_mach_edges edges[HD_MACH_NUM_EDGE_KINDS];
   hd_mach_condition condition;
   bool loop_header; /* of the linear flow */
   /* After assign: a linear register that is free at the end, for copies on the way to the successor;
    * HD_MACH_NO_REG: there is none.
    */
   uint16_t spare_reg;
   bool is_island; /* a branch between other code, on the way of far ones: made by layout */
   /* Of the logical graph alone: if the pc comes here, it is for others than the lanes that do. There
    * is no code but for scalars, and there are no copies of vector values.
    */
   bool passive;
   bool exec_full; /* all lanes that the wave began with are active here, always */
};

/* A machine's program begins with this. */
typedef struct hd_mach_program {
   const hd_mach *mach;
   const hd_mach_hooks *hooks;         /* a program that phases run on has them */
   hd_diag_sink diag;                  /* no `report`: the shader's */
   const struct hd_observer *observer; /* NULL: none (observe.h) */
   hd_shader *shader;                  /* as it is when instructions are selected */
   hd_function *function;
   hd_stack *stack; /* all memory of the program; failures unwind */
   /* What a phase needs for itself: empty between phases. NULL: the program's memory does. */
   hd_stack *scratch;
   hd_mach_block *first, *last;
   hd_mach_block **blocks; /* by index */
   uint32_t num_blocks, block_capacity;
   hd_mach_block **by_ir; /* by index of the IR's block */
   const bool
       *scalars;    /* by hd_def.index: what hd_mach_find_scalars found (flow/flow.h), or NULL */
   bool no_scalars; /* it finds none: uniform values are in vector registers */
   hd_mach_temp *temps; /* by number; 0 is none */
   uint32_t num_temps, temp_capacity;
   uint32_t num_slots;    /* dwords that p_spill writes, of both files */
   uint32_t spill_offset; /* in scratch memory, where `imm` of p_spill counts dwords */
   uint32_t spilled[HD_MACH_MAX_FILES]; /* values */
   uint32_t used[HD_MACH_MAX_FILES];    /* highest register + 1 */
   uint32_t live_limit;   /* dwords in lists of what is live; 0: as many as there must be */
   bool is_crowded;       /* more is live than lists of all that is should hold */
   bool is_long;          /* so much code that branches may be far */
   uint32_t scratch_size; /* bytes of a lane: what the shader asks for, and spills */
   uint32_t stack_depth;  /* what control flow takes of a hardware stack at most (flow/flow.h) */
} hd_mach_program;

static inline bool
hd_mach_is_vector(const hd_mach_program *p, uint32_t temp)
{
   return p->mach->files[p->temps[temp].file].flow == HD_MACH_LOGICAL;
}

/* Is it an SSA value of a file that follows the logical flow? */
static inline bool
hd_mach_is_vector_value(const hd_mach_program *p, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && hd_mach_is_vector(p, operand->value);
}

static inline bool
hd_mach_is_phi(const hd_mach_inst *inst)
{
   return inst->op == HD_MACH_P_PHI || inst->op == HD_MACH_P_MASK_PHI;
}

static inline hd_stack *
hd_mach_scratch(const hd_mach_program *p)
{
   return p->scratch ? p->scratch : p->stack;
}

/* program.c: building and editing. All of these unwind when memory runs out. */

hd_mach_block *hd_mach_block_create(hd_mach_program *p); /* in no order yet */
void hd_mach_block_append(hd_mach_program *p, hd_mach_block *block);
void hd_mach_block_insert_after(hd_mach_program *p, hd_mach_block *block, hd_mach_block *after);
void hd_mach_block_unlink(hd_mach_program *p, hd_mach_block *block);
void hd_mach_edge_add(hd_mach_program *p, hd_mach_edge_kind kind, hd_mach_block *from,
                      hd_mach_block *to);
/* Find the linear predecessors again from the successors, so that none need be looked for. */
void hd_mach_find_preds(hd_mach_program *p);
/* Number the blocks (`order`) as they stand. */
void hd_mach_program_number(hd_mach_program *p);

/* What the first register of a tuple of the file is a multiple of. */
uint8_t hd_mach_tuple_align(const hd_mach_file *file, unsigned size);
uint32_t hd_mach_temp_create(hd_mach_program *p, unsigned file, unsigned size, unsigned flags);
hd_mach_operand hd_mach_operand_temp(const hd_mach_program *p, uint32_t temp);
/* The same, in this register. */
hd_mach_operand hd_mach_operand_fixed(const hd_mach_program *p, uint32_t temp, unsigned reg);

/* In no block. Operands are NO_REG with size 0: the caller writes them. */
hd_mach_inst *hd_mach_inst_create(hd_mach_program *p, unsigned op, unsigned num_defs,
                                  unsigned num_srcs);
void hd_mach_inst_append(hd_mach_block *block, hd_mach_inst *inst);
void hd_mach_inst_insert_before(hd_mach_block *block, hd_mach_inst *inst, hd_mach_inst *before);
void hd_mach_inst_remove(hd_mach_block *block, hd_mach_inst *inst);

/* Write `used`, of the code as it is: registers that values can be in, those of lowering not. Where registers
 * have names their numbers count from the first name, else from the first that a value can be in.
 */
void hd_mach_count_registers(hd_mach_program *p);

/* The value of a p_spill or p_reload; NULL: it is neither. */
static inline hd_mach_operand *
hd_mach_slot_value(const hd_mach_inst *inst)
{
   if (inst->op == HD_MACH_P_SPILL)
      return hd_mach_src(inst, 0);
   return inst->op == HD_MACH_P_RELOAD ? hd_mach_def(inst, 0) : NULL;
}

#define hd_mach_foreach_block(block, program)                                                      \
   for (hd_mach_block *block = (program)->first; block; block = block->next)
#define hd_mach_foreach_inst(inst, block)                                                          \
   for (hd_mach_inst *inst = (block)->first; inst; inst = inst->next)
#define hd_mach_foreach_inst_safe(inst, following, block)                                          \
   for (hd_mach_inst *inst = (block)->first, *following = inst ? inst->next : NULL; inst;          \
        inst = following, following = inst ? inst->next : NULL)

/* NULL is none. */
static inline bool
hd_mach_is_branch(const hd_mach_program *p, const hd_mach_inst *inst)
{
   return inst && (hd_mach_op_of(p->mach, inst)->flags & HD_MACH_BRANCHES) != 0;
}

/* The phases; each unwinds when memory or the budget runs out. False: a diagnostic says why not. */
/* Control flow to masks in registers; the other ways are in flow/flow.h. */
bool hd_mach_exec_mask(hd_mach_program *p);              /* tree */
bool hd_mach_exec_mask_reconverging(hd_mach_program *p); /* reconverging flat function */
/* Phis of one source become copies: after this, liveness can be found without making instructions.
 */
bool hd_mach_rebuild_ssa(hd_mach_program *p);
void hd_mach_dead_code(hd_mach_program *p); /* dead code elimination, after selection */
bool hd_mach_schedule(hd_mach_program *p);
bool hd_mach_spill(hd_mach_program *p);
bool hd_mach_regalloc(hd_mach_program *p);
bool
hd_mach_verify_ra(hd_mach_program *p); /* after hd_mach_regalloc, against the program before it */
bool hd_mach_copy_propagate(hd_mach_program *p); /* copy propagation on registers */
bool hd_mach_straighten(
    hd_mach_program *p); /* remove empty blocks and redundant branches; lower p_end */
bool hd_mach_rotate_loops(hd_mach_program *p); /* loop rotation: exits at the bottom */

/* Report that the program cannot be compiled; `instr` may be NULL. Returns false. */
bool hd_mach_refuse(hd_mach_program *p, const hd_instr *instr, const char *format, ...);

#endif
