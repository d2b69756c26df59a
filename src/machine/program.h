/* SPDX-License-Identifier: MIT */
/* program.h - a shader as GCN instructions, from selection to bytes.
 *
 *    select      a block for each block of the IR; values are SSA; no exec, no branches yet
 *    mask        the tree becomes code: exec masks, branches, linear edges, the order of blocks
 *    schedule    within blocks
 *    spill       until what is live fits the registers
 *    assign      a register for each value
 *    forward     who reads a copy reads what was copied
 *    lower       copies and phis to moves
 *    straighten  empty blocks go
 *    wait        s_waitcnt, s_nop
 *    layout      branches get their distances
 *    encode      bytes
 *
 * Two control flows. Vector values follow the *logical* one, the tree's: what else lanes of other
 * arms do does not touch their registers. Scalar values, exec, vcc and scc follow the *linear* one:
 * what the pc does. After selection there are logical edges only; from `mask` on both.
 *
 *    vector value    logical edges; a phi has a source for each logical predecessor
 *    scalar value    linear edges; a phi has a source for each linear predecessor
 *
 * There are no critical linear edges: where a block has several linear successors, each of them has
 * one linear predecessor (an empty block is put between; layout removes it).
 *
 * 1-bit values of the IR: a uniform one is a dword, 0 or 1, in an SGPR, or scc where a compare
 * feeds the next instruction; a divergent one is a mask (a pair of SGPRs), whose bits for inactive
 * lanes are unspecified. Values of 8 and 16 bits take a dword each component, the upper bits
 * unspecified; vectors take one dword a component of up to 32 bits, two of 64.
 *
 * SCC is never live across an instruction that was not placed to keep it: who makes a value in scc
 * reads it before the next instruction that writes scc, in the same block. Copies that the
 * allocator puts between must keep it.
 */
#ifndef HEDDLE_MACHINE_PROGRAM_H
#define HEDDLE_MACHINE_PROGRAM_H

#include "backend/gcn/isa/isa.h"
#include "util/memory.h"

/* What is fixed by the target: backend/gcn/isa/target.c. */
typedef struct hd_gcn_target {
   hd_gcn_gen gen;
   const char *name;
   uint16_t max_sgprs; /* that an instruction can name, vcc and the like apart */
   uint16_t max_vgprs;
   uint16_t sgpr_granule, vgpr_granule;
   uint16_t physical_sgprs; /* of a SIMD */
   uint16_t extra_sgprs;    /* allocated beyond the named ones: vcc, flat_scratch, xnack */
   uint32_t max_lds;        /* bytes of a workgroup */
   uint32_t max_scratch;    /* bytes of a lane: 13 bits count KiB of a wave */
   uint32_t lds_granule;
   uint16_t max_vmcnt, max_lgkmcnt, max_expcnt;
   uint8_t max_waves;
   bool scalar_stores;
   bool has_16bit; /* 16-bit vector arithmetic */
   bool has_sdwa, has_dpp;
   bool lds_needs_m0;
   bool has_global;     /* global_load and the like; gfx8: flat, gfx6: MUBUF addr64 */
   bool smem_imm_bytes; /* SMEM offsets count bytes; gfx6: dwords, 8 bits */
   bool add_no_carry;   /* v_add_u32 without carry out */
} hd_gcn_target;

const hd_gcn_target *hd_gcn_target_of(hd_gcn_gen gen);
/* Is there such a one? Where not the sink was told. */
bool hd_gcn_has_target(hd_gcn_gen gen, const hd_diag_sink *sink);

typedef enum hd_gcn_file { HD_GCN_SGPR, HD_GCN_VGPR, HD_GCN_NUM_FILES } hd_gcn_file;

/* hd_gcn_temp.flags */
enum {
   HD_GCN_TEMP_MASK = 1u << 0,   /* a bit a lane */
   HD_GCN_TEMP_LINEAR = 1u << 1, /* vector value that is written and read whatever exec says, and is
                                    live along linear edges: lanes of spilled scalars */
   HD_GCN_TEMP_REMAT = 1u << 2,  /* a constant: its def can be repeated instead of being spilled */
};

typedef struct hd_gcn_temp {
   uint8_t file; /* hd_gcn_file */
   uint8_t size; /* dwords */
   uint8_t flags;
   uint8_t align;    /* of the first register: 1, 2, 4; scalars of 2 take 2, of 4 and more 4 */
   hd_gcn_inst *def; /* kept by who writes instructions; NULL where it is not known */
} hd_gcn_temp;

/* Pseudo ops (HD_GCN_P_...), all without form or modifiers:
 *
 *    p_start    def...            the first instruction: registers that are set at the start, FIXED
 *    p_phi      def, src...       first in the block; sources as said above
 *    p_copy     def..., src...    as many of both: all sources are read before a def is written
 *    p_vector   def, src...       the sources side by side, in as many dwords
 *    p_split    def..., src       the reverse
 *    p_undef    def               any value
 *    p_mask_phi def, src...       of masks, at logical joins; gone after `mask`
 *    p_spill    src ; imm         a value to its slot; p_reload def ; imm: and back. Of vector
 *                                 values, the scratch resource and its offset are further sources;
 *                                 and what is far has two further defs, SGPRs to find it with
 *    p_reduce   def, saved, scc, src; imm   the lanes of exec combined, as combine.h says; also
 *                                 p_inclusive_scan and p_exclusive_scan. `saved` is two SGPRs, and
 *                                 what carries (gfx8) writes vcc, too
 *    p_end                        ends the wave: s_endpgm, after the stores
 *    p_halt                       (between select and mask) the lanes of exec end here
 *
 * After assignment `imm` of p_copy, p_vector and p_split is a free SGPR, or HD_GCN_NO_REG.
 *
 * Sources of p_phi (of VGPRs: of either file), p_copy and p_vector can be constants of one dword,
 * those of p_mask_phi 0 and -1 as constants of two; a source of p_phi or p_mask_phi with
 * HD_GCN_OPERAND_UNDEF may be anything. p_copy goes from SGPRs to VGPRs, too.
 */

typedef enum hd_gcn_edge_kind {
   HD_GCN_LOGICAL,
   HD_GCN_LINEAR,
   HD_GCN_NUM_EDGE_KINDS
} hd_gcn_edge_kind;

typedef struct hd_gcn_edges {
   hd_gcn_block **preds; /* sources of phis are in this order */
   hd_gcn_block **succs;
   uint32_t num_preds, num_succs;
   uint32_t pred_capacity, succ_capacity;
} hd_gcn_edges;

/* What a block that ends in a branch of the IR decides by. After select, until mask. */
typedef struct hd_gcn_condition {
   /* Uniform: scc, written by an instruction from `tail` on, with nothing that writes scc after it;
    * in unreachable blocks a constant. Else a mask.
    */
   hd_gcn_operand value;
   bool uniform;
   bool negate;
} hd_gcn_condition;

struct hd_gcn_block {
   hd_gcn_block *prev, *next; /* in the order of the code, after `mask` */
   uint32_t index;            /* below hd_gcn_program.num_blocks; never changes */
   uint32_t order;            /* position in the code, by hd_gcn_program_number */
   uint32_t loop_depth;
   const hd_block *ir; /* NULL: made by `mask` */
   hd_gcn_inst *first, *last;
   /* Phis that spilling has put into memory: `imm` is the slot, which predecessors write. They are
    * no part of the code any more; who checks it asks what it should do. Linked by `next`.
    */
   hd_gcn_inst *memory_phis;
   /* The first instruction that serves control: changes exec, or branches. Copies for phis stand
    * before it, so that they run with the lanes of the block. NULL: there is none.
    */
   hd_gcn_inst *tail;
   hd_gcn_edges edges[HD_GCN_NUM_EDGE_KINDS];
   hd_gcn_condition condition;
   bool loop_header; /* of the linear flow */
   /* After assign: an SGPR that holds nothing at the end, for copies on the way to the successor;
    * HD_GCN_NO_REG: there is none.
    */
   uint16_t spare_sgpr;
   bool is_island; /* a branch between other code, on the way of far ones: made by layout */
   /* Of the logical graph alone: when the pc comes here, exec is not that of the lanes that do.
    * There is no code, and there are no copies.
    */
   bool passive;
   bool exec_full; /* all lanes that the wave began with are active here, always */
};

/* What a wave can find in registers when it starts; abi.h says how it is asked for. */
typedef enum hd_gcn_start {
   /* User SGPRs */
   HD_GCN_START_SCRATCH_RESOURCE,                                    /* 4 */
   HD_GCN_START_KERNARG,                                             /* 2 */
   HD_GCN_START_PUSH,                                                /* 2 */
   HD_GCN_START_SET,                                                 /* 2, for each set */
   HD_GCN_START_NUM_WORKGROUPS = HD_GCN_START_SET + HD_GCN_MAX_SETS, /* x, y, z */
   HD_GCN_START_WORKGROUP_SIZE = HD_GCN_START_NUM_WORKGROUPS + 3,    /* x, y, z */
   HD_GCN_START_GLOBAL_OFFSET = HD_GCN_START_WORKGROUP_SIZE + 3,     /* x, y, z */
   HD_GCN_START_WORK_DIM = HD_GCN_START_GLOBAL_OFFSET + 3,
   HD_GCN_START_PUSH_INLINE, /* one for each dword */
   /* System SGPRs, in this order */
   HD_GCN_START_WORKGROUP_ID = HD_GCN_START_PUSH_INLINE + HD_GCN_MAX_USER_SGPRS, /* x, y, z */
   HD_GCN_START_SCRATCH_OFFSET = HD_GCN_START_WORKGROUP_ID + 3,
   /* VGPRs */
   HD_GCN_START_LOCAL_ID, /* x, y, z */
   HD_GCN_NUM_STARTS = HD_GCN_START_LOCAL_ID + 3,
} hd_gcn_start;

typedef struct hd_gcn_abi {
   hd_gcn_inst *start;                /* p_start */
   uint32_t temps[HD_GCN_NUM_STARTS]; /* 0: not asked for */
   bool hidden_args;                  /* HSA: some are read */
} hd_gcn_abi;

typedef struct hd_gcn_slots hd_gcn_slots; /* backend/gcn/verify_slots.h */

typedef struct hd_gcn_program {
   const hd_gcn_target *target;
   const hd_gcn_options *options;
   const hd_shader *source; /* as it was given */
   hd_shader *shader;       /* as it is when instructions are selected */
   hd_function *function;
   hd_stack *stack; /* all memory of the program; failures unwind */
   /* What a phase needs for itself: empty between phases. NULL: the program's memory does. */
   hd_stack *scratch;
   hd_gcn_block *first, *last;
   hd_gcn_block **blocks; /* by index */
   uint32_t num_blocks, block_capacity;
   hd_gcn_block **by_ir; /* by index of the IR's block */
   hd_gcn_temp *temps;   /* by number; 0 is none */
   uint32_t num_temps, temp_capacity;
   uint32_t num_slots; /* dwords that p_spill writes, of both files */
   /* Registers that hold spilled scalars: `imm` of p_spill is 64 * register + lane. It goes on with
    * pages, dwords of scratch memory from `page_offset` on, for which there are registers, too.
    */
   uint32_t num_lane_vgprs, num_page_vgprs, num_pages, page_offset;
   bool is_long;               /* so much code that branches may be far */
   uint32_t far_sgprs;         /* two for far branches, by layout; 0: there are none */
   uint32_t num_combine_vgprs; /* behind those, for p_reduce and scans: 0 to 2 */
   uint32_t spill_offset;      /* in scratch memory, where `imm` of p_spill counts dwords from */
   const hd_gcn_slots *slots;  /* what lowering is checked against; NULL: nobody does */
   uint32_t spilled[HD_GCN_NUM_FILES]; /* values */
   uint32_t used[HD_GCN_NUM_FILES];    /* highest register + 1 */
   uint32_t near_values; /* dwords in lists of what is live; 0: as many as there must be (live.h) */
   bool is_crowded;      /* more is live than lists of all that is should hold */
   uint32_t scratch_size; /* bytes of a lane: what the shader asks for, and spills */
   bool uses_flat_scratch;
   hd_gcn_abi abi; /* what is set at the start */
   /* Constant data: the instruction that asks where the code is, and the one that adds the way from
    * behind it to the data, a literal that layout knows. NULL: nothing reads any.
    */
   hd_gcn_inst *data_pc, *data_add;
   uint32_t data_base;               /* the address, an SSA value; 0: not asked for */
   const void *data;                 /* behind the code, with what aligns it */
   uint32_t data_padding, data_size; /* bytes of `data`: before the constants; all */
} hd_gcn_program;

static inline hd_stack *
hd_gcn_scratch(const hd_gcn_program *p)
{
   return p->scratch ? p->scratch : p->stack;
}

/* code.c: making and changing it. All of these unwind when memory runs out. */

hd_gcn_block *hd_gcn_block_create(hd_gcn_program *p); /* in no order yet */
void hd_gcn_block_append(hd_gcn_program *p, hd_gcn_block *block);
void hd_gcn_block_insert_after(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_block *after);
void hd_gcn_block_unlink(hd_gcn_program *p, hd_gcn_block *block);
void hd_gcn_edge_add(hd_gcn_program *p, hd_gcn_edge_kind kind, hd_gcn_block *from,
                     hd_gcn_block *to);
/* Find the linear predecessors again from the successors, so that none need be looked for. */
void hd_gcn_find_preds(hd_gcn_program *p);
/* Number the blocks (`order`) as they stand. */
void hd_gcn_program_number(hd_gcn_program *p);

uint32_t hd_gcn_temp_create(hd_gcn_program *p, hd_gcn_file file, unsigned size, unsigned flags);
hd_gcn_operand hd_gcn_operand_temp(const hd_gcn_program *p, uint32_t temp);
/* The same, in this register. */
hd_gcn_operand hd_gcn_operand_fixed(const hd_gcn_program *p, uint32_t temp, unsigned reg);

/* In no block. The operands that the row fixes to one register get it; the others are NO_REG with
 * size 0: the caller writes them. Pseudo ops: as many as are asked for.
 */
hd_gcn_inst *hd_gcn_inst_create(hd_gcn_program *p, hd_gcn_op op, unsigned num_defs,
                                unsigned num_srcs);
void hd_gcn_inst_append(hd_gcn_block *block, hd_gcn_inst *inst);
void hd_gcn_inst_insert_before(hd_gcn_block *block, hd_gcn_inst *inst, hd_gcn_inst *before);
void hd_gcn_inst_remove(hd_gcn_block *block, hd_gcn_inst *inst);

/* The value of a p_spill or p_reload; NULL: it is neither. */
static inline hd_gcn_operand *
hd_gcn_slot_value(const hd_gcn_inst *inst)
{
   if (inst->op == HD_GCN_P_SPILL)
      return hd_gcn_src(inst, 0);
   return inst->op == HD_GCN_P_RELOAD ? hd_gcn_def(inst, 0) : NULL;
}

/* Bytes of scratch memory that the offset of an instruction reaches. */
#define HD_GCN_NEAR_SCRATCH 4096u

#define hd_gcn_foreach_block(block, program)                                                       \
   for (hd_gcn_block *block = (program)->first; block; block = block->next)
#define hd_gcn_foreach_inst(inst, block)                                                           \
   for (hd_gcn_inst *inst = (block)->first; inst; inst = inst->next)
#define hd_gcn_foreach_inst_safe(inst, following, block)                                           \
   for (hd_gcn_inst *inst = (block)->first, *following = inst ? inst->next : NULL; inst;           \
        inst = following, following = inst ? inst->next : NULL)

static inline bool
hd_gcn_is_temp(const hd_gcn_operand *operand)
{
   return (operand->flags & HD_GCN_OPERAND_TEMP) != 0;
}

/* NULL is none. */
static inline bool
hd_gcn_is_branch(const hd_gcn_inst *inst)
{
   return inst && (hd_gcn_op_info_of(inst)->flags & HD_GCN_BRANCHES) != 0;
}

/* The phases; each unwinds when memory or the budget runs out. False: the sink was told why not. */
bool hd_gcn_select(hd_gcn_program *p);
bool hd_gcn_mask(hd_gcn_program *p);        /* tree */
bool hd_gcn_mask_rejoin(hd_gcn_program *p); /* reconverging flat function */
/* Phis of one source become copies: after this, liveness can be found without making instructions.
 */
bool hd_gcn_single_phis(hd_gcn_program *p);
bool hd_gcn_schedule(hd_gcn_program *p);
bool hd_gcn_spill(hd_gcn_program *p);
bool hd_gcn_assign(hd_gcn_program *p);
bool hd_gcn_check_registers(hd_gcn_program *p); /* after assign, against what was before */
bool hd_gcn_forward(hd_gcn_program *p); /* reads of copies become reads of what was copied */
bool hd_gcn_lower_pseudo(hd_gcn_program *p);
bool hd_gcn_straighten(hd_gcn_program *p); /* blocks without code and useless branches go; p_end */
bool hd_gcn_rotate(hd_gcn_program *p);     /* loops are left at their bottom */
bool hd_gcn_shrink(hd_gcn_program *p);     /* 64-bit forms to 32-bit ones, where registers allow */
bool hd_gcn_wait(hd_gcn_program *p);
bool hd_gcn_hazards(hd_gcn_program *p);
bool hd_gcn_layout(hd_gcn_program *p);

/* What the shader's floats are rounded and flushed by: the lower byte of the mode register. */
unsigned hd_gcn_float_mode(uint32_t float_controls);

/* Tell the sink that the program cannot be compiled; `instr` may be NULL. Returns false. */
bool hd_gcn_refuse(hd_gcn_program *p, const hd_instr *instr, const char *format, ...);

/* select_mode.c: is it an atomic on floats? Its types do not say so. */
bool hd_gcn_is_float_atomic(const hd_instr *instr);

#endif
