/* SPDX-License-Identifier: MIT */
/* machine.h - what a machine is to the machine layer, and one of its instructions.
 *
 * One struct serves all phases: selection makes an instruction with SSA values as operands, the
 * allocator gives them registers, the machine's encoder and printer read it, and its decoder makes
 * it for the simulator.
 *
 * Operands stand in one array: first what is written, then what is read, in the order of the
 * machine's table; after those that its syntax names come the registers that are touched without
 * being named (a flags register, an exec mask). A register that is written and read stands on both
 * sides; the table says that they are tied.
 */
#ifndef HEDDLE_MACHINE_MACHINE_H
#define HEDDLE_MACHINE_MACHINE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Register numbers are the machine's; those of one file lie side by side. */
enum {
   HD_MACH_MAX_REGS = 512,
   HD_MACH_NO_REG = 0xffff, /* an SSA value that has no register yet, or no operand */
   HD_MACH_MAX_FILES = 2,
};

typedef enum hd_mach_operand_flags {
   HD_MACH_OPERAND_TEMP = 1u << 0,    /* `value` is the number of an SSA value */
   HD_MACH_OPERAND_FIXED = 1u << 1,   /* must be in `reg`, given before allocation */
   HD_MACH_OPERAND_KILL = 1u << 2,    /* source: the last use on this path; kept by liveness */
   HD_MACH_OPERAND_MACHINE = 7u << 3, /* three bits of the machine's own: source modifiers */
   HD_MACH_OPERAND_UNDEF = 1u << 6,   /* any value will do */
   HD_MACH_OPERAND_VECTOR = 1u << 7,  /* an SSA value of a file that follows the logical flow */
} hd_mach_operand_flags;

typedef struct hd_mach_operand {
   uint32_t value; /* of a TEMP its number; else the machine's: the bits of a literal */
   uint16_t reg;   /* the first one of a tuple; constants have numbers as registers do */
   uint8_t size;   /* dwords; 0: there is none */
   uint8_t flags;
} hd_mach_operand;

/* hd_mach_inst.memory: what an access can touch. 0: all that the op can reach. Who knows more says
 * so: accesses to different memory may change places, and what nothing writes need not be waited
 * for at a barrier.
 */
enum {
   HD_MACH_MEMORY_GLOBAL = 1u << 0, /* buffers too */
   HD_MACH_MEMORY_SHARED = 1u << 1,
   HD_MACH_MEMORY_SCRATCH = 1u << 2,
   HD_MACH_MEMORY_CONSTANT = 1u << 3, /* a load of what nothing writes while the program runs */
   HD_MACH_MEMORY_VOLATILE = 1u << 4, /* with the others: keeps its position among all accesses */
};

/* Memory that is distinguished: global, shared, scratch. */
#define HD_MACH_NUM_MEMORIES 3u

/* Modifiers of an encoding: the machine says what is where, the layer copies them. */
typedef union hd_mach_modifiers {
   uint8_t bytes[6];
   uint16_t halves[3];
} hd_mach_modifiers;

struct hd_mach_program;
typedef struct hd_mach_block hd_mach_block;
typedef struct hd_mach_inst hd_mach_inst;

/* `form`, `bits` and `mods` are the machine's own but for pseudo ops, of which `bits` may have
 * HD_MACH_MOVES_HOMES.
 */
struct hd_mach_inst {
   hd_mach_inst *prev, *next; /* in the block */
   hd_mach_operand *operands; /* defs, then srcs */
   /* A branch: where to, until the code is laid out and `imm` says it. */
   hd_mach_block *target;
   uint16_t op;  /* hd_mach_pseudo_op, or the machine's */
   uint8_t form; /* which of several encodings */
   uint8_t num_defs;
   uint16_t num_srcs;
   uint16_t bits;
   int32_t imm;
   hd_mach_modifiers mods;
   uint8_t memory; /* of an access: what it can touch */
   uint32_t loc;   /* of the IR instruction that it comes from: a location of the shader, or 0 */
};

static inline hd_mach_operand *
hd_mach_def(const hd_mach_inst *inst, unsigned n)
{
   return &inst->operands[n];
}

static inline hd_mach_operand *
hd_mach_src(const hd_mach_inst *inst, unsigned n)
{
   return &inst->operands[inst->num_defs + n];
}

static inline bool
hd_mach_is_temp(const hd_mach_operand *operand)
{
   return (operand->flags & HD_MACH_OPERAND_TEMP) != 0;
}

static inline hd_mach_operand
hd_mach_operand_reg(unsigned reg, unsigned size)
{
   return (hd_mach_operand){ .reg = (uint16_t)reg,
                             .size = (uint8_t)size,
                             .flags = HD_MACH_OPERAND_FIXED };
}

/* The layer's own ops, which every machine's enumeration begins with; all without form or
 * modifiers, and with as many operands as are asked for:
 *
 *    p_start    def...            the first instruction: registers that are set at the start, FIXED
 *    p_phi      def, src...       first in the block; a source for each predecessor of its flow
 *    p_copy     def..., src...    as many of both: all sources are read before a def is written
 *    p_vector   def, src...       the sources side by side, in as many dwords
 *    p_split    def..., src       the reverse
 *    p_undef    def               any value
 *    p_mask_phi def, src...       of masks, at logical joins; gone when there are exec masks
 *    p_spill    src ; imm         a value to its slot; p_reload def ; imm: and back. The machine may
 *                                 add operands: what it addresses memory with
 *    p_end                        ends the wave
 *    p_halt                       (before control flow is lowered) the active lanes end here
 *
 * After allocation `imm` of p_copy, p_vector and p_split is a free register of the file that
 * follows the linear flow, or HD_MACH_NO_REG.
 *
 * Sources of p_phi (of vector values: of either file), p_copy and p_vector can be constants of one
 * dword, those of p_mask_phi 0 and -1 as constants of two; a source of p_phi or p_mask_phi with
 * HD_MACH_OPERAND_UNDEF may be anything. p_copy goes from scalar to vector registers, too.
 */
typedef enum hd_mach_pseudo_op {
   HD_MACH_OP_NONE,
   HD_MACH_P_START,
   HD_MACH_P_PHI,
   HD_MACH_P_COPY,
   HD_MACH_P_VECTOR,
   HD_MACH_P_SPLIT,
   HD_MACH_P_UNDEF,
   HD_MACH_P_MASK_PHI,
   HD_MACH_P_SPILL,
   HD_MACH_P_RELOAD,
   HD_MACH_P_END,
   HD_MACH_P_HALT,
   HD_MACH_NUM_PSEUDO_OPS,
} hd_mach_pseudo_op;

/* hd_mach_op.flags; those from HD_MACH_FIRST_OWN_FLAG on are the machine's own. */
enum {
   HD_MACH_PSEUDO = 1u << 0,      /* operands as the instruction has them, not as a row says; the
                                     machine has such ops of its own, too */
   HD_MACH_PER_LANE = 1u << 1,    /* runs for the active lanes alone */
   HD_MACH_COMMUTES = 1u << 2,    /* the first two sources may change places */
   HD_MACH_LOADS = 1u << 3,       /* reads memory */
   HD_MACH_STORES = 1u << 4,      /* writes memory; an atomic does both */
   HD_MACH_BRANCHES = 1u << 5,    /* imm is a target */
   HD_MACH_ENDS = 1u << 6,        /* nothing runs after it */
   HD_MACH_CROSS_LANE = 1u << 7,  /* reads or writes lanes other than its own */
   HD_MACH_SIDE_EFFECT = 1u << 8, /* more than its operands say: stays where it is */
   HD_MACH_USES_LANES = 1u << 9,  /* a pseudo op that becomes code for the active lanes */
   HD_MACH_FIRST_OWN_FLAG = 1u << 12,
};

/* One operand of a row. `kinds`, `type` and `field` are the machine's own. */
typedef struct hd_mach_operand_info {
   uint8_t kinds;
   uint8_t type;
   uint8_t size;   /* dwords */
   int8_t tied;    /* source: the number of the def that must be in the same register, or -1 */
   uint16_t fixed; /* the register that it is in, or HD_MACH_NO_REG */
   uint8_t field;
} hd_mach_operand_info;

/* The part of a row that the layer reads: the first member of the machine's own row. */
typedef struct hd_mach_op {
   uint32_t flags;
   uint8_t num_defs, num_srcs;           /* implicit ones included; pseudo ops: 0 */
   uint8_t latency;                      /* the machine's class */
   const hd_mach_operand_info *operands; /* defs, then srcs */
} hd_mach_op;

/* Which control flow a value follows: see program.h. */
typedef enum hd_mach_edge_kind {
   HD_MACH_LOGICAL,
   HD_MACH_LINEAR,
   HD_MACH_NUM_EDGE_KINDS
} hd_mach_edge_kind;

/* Registers of one kind. */
typedef struct hd_mach_file {
   const char *name;
   hd_mach_edge_kind flow;
   uint16_t first;    /* the number of the first one */
   uint16_t num;      /* that values can be in */
   uint8_t max_align; /* tuples begin at a multiple of their size, rounded up to a power of two, and
                         of no more than this */
   uint8_t slack;     /* that allocation may need beyond what is live: for copies, for tuples */
   /* In text, for machines that have no names of their own: 'v' for v0 and so on, how many have such
    * names, and the number of the first one.
    */
   char letter;
   uint16_t named, name_0;
} hd_mach_file;

/* A tuple that the layer must know of. */
typedef struct hd_mach_regs {
   uint16_t reg; /* HD_MACH_NO_REG: the machine has none */
   uint8_t size;
} hd_mach_regs;

/* By the class of latency of an op. */
typedef struct hd_mach_latency {
   uint16_t cycles;  /* to issue it */
   uint16_t data;    /* until what it loads is there; 0: it loads nothing */
   bool scalar_load; /* whose results come in any order */
} hd_mach_latency;

/* A register that selection writes for instructions that follow, without a value of its own. */
typedef struct hd_mach_transient {
   uint16_t reg;
   bool crosses_blocks; /* else it is dead at the end of a block */
} hd_mach_transient;

/* A source that tells whether a tuple is 0: reading it reads that. */
typedef struct hd_mach_alias {
   uint16_t reg;
   hd_mach_regs of;
} hd_mach_alias;

#define HD_MACH_MAX_TRANSIENTS 4
#define HD_MACH_MAX_ALIASES    2
#define HD_MACH_MAX_ADDRESS    4

/* What an access to memory is relative to, and which bytes from there. */
typedef struct hd_mach_access {
   hd_mach_operand address[HD_MACH_MAX_ADDRESS];
   uint32_t way; /* by address, buffer, ...: different ones are not compared */
   int32_t first, end;
} hd_mach_access;

/* A machine is its tables, which who reads and prints programs needs, too, and the hooks below,
 * which phases call. The layer knows no more of it than these two.
 */
typedef struct hd_mach {
   const char *name;
   hd_mach_file files[HD_MACH_MAX_FILES];
   unsigned num_files;
   /* Rows by op, the layer's own ops first; each begins with a hd_mach_op. */
   const void *ops;
   size_t op_size;
   unsigned num_ops;
   uint8_t file_of[HD_MACH_NUM_EDGE_KINDS]; /* the file whose values follow this flow */
   /* Operands of these numbers are constants. Registers of the linear file are before them; those
    * of the logical file have the highest numbers.
    */
   uint16_t first_const, end_const;
   /* For machines whose constants are 32 bits: those of the numbers from first_const on, the first of
    * which is 0, and the number of those whose bits are hd_mach_operand.value. NULL: the functions
    * hd_mach_is_constant, hd_mach_bits and hd_mach_constant are not for this machine.
    */
   const uint32_t *constants;
   uint16_t literal;
   uint16_t flag; /* one register of the linear file that compares write, and arithmetic overwrites:
                     a value in it moves away before that; or NO_REG */
   hd_mach_regs exec;      /* the mask of the active lanes: nothing is moved across its change */
   hd_mach_regs preferred; /* the tuple that short encodings name, for results that like it */
   hd_mach_transient transients[HD_MACH_MAX_TRANSIENTS];
   unsigned num_transients;
   hd_mach_alias aliases[HD_MACH_MAX_ALIASES];
   unsigned num_aliases;
   const hd_mach_latency *latencies; /* by class */
   unsigned lanes;                   /* of a wave */
   uint32_t max_shared;              /* bytes of a workgroup; 0: no limit */
   const char *(*op_name)(const struct hd_mach *mach, unsigned op);
} hd_mach;

/* What spilling asks of a machine. Scalars go to lanes of vector registers that are set aside, what
 * else is too much to scratch memory. All functions may be NULL: then no vector registers are set
 * aside, and there is scratch memory, which needs no operands.
 */
typedef struct hd_mach_spilling {
   uint8_t slack;            /* registers of the linear file, for tuples and copies */
   uint8_t scratch_slack;    /* the same if scratch memory is used */
   uint8_t address_operands; /* of p_spill and p_reload of vector values */
   /* How many vector registers scalars may take, of so many. */
   uint32_t (*most_for_scalars)(uint32_t vectors);
   /* So many dwords of scalars are spilled. Returns how many vector registers that takes. */
   uint32_t (*place_scalars)(struct hd_mach_program *p, uint32_t dwords, uint32_t vectors,
                             bool scratch);
   /* The operands that address scratch memory. False: there is none. */
   bool (*address)(struct hd_mach_program *p, hd_mach_operand *operands);
   /* Once it is known where vector values are in scratch memory; and at last. False: a diagnostic
    * says why not.
    */
   void (*place_vectors)(struct hd_mach_program *p);
   bool (*finish)(struct hd_mach_program *p);
} hd_mach_spilling;

#define HD_MACH_MAX_SPILL_OPERANDS 2

/* What lowering control flow to masks in registers asks of a machine. An op that it does not have
 * is HD_MACH_OP_NONE.
 */
typedef struct hd_mach_masks {
   uint16_t move, and_masks, or_masks, and_not, xor_masks; /* a mask each: def, src, src */
   uint16_t and_save, and_not_save;   /* def = exec, exec = src & exec or ~src & exec */
   uint16_t branch_flag[2];           /* where the flag register is 0, 1 */
   uint16_t branch_none, branch_some; /* where no lane is active, some are */
   uint16_t zero;                     /* the constant, as a register number */
   /* By class of latency: what passing over an op saves, in vector instructions. */
   const uint8_t *costs;
   uint8_t lanes_cost; /* of a pseudo op with HD_MACH_USES_LANES */
   /* Of an op with operands as its row has them, where `def`, `a` or `b` has size 0. */
   hd_mach_inst *(*make)(struct hd_mach_program *p, unsigned op, hd_mach_operand def,
                         hd_mach_operand a, hd_mach_operand b);
   /* Whether to branch over code of this cost when no lane is active, if `must` does not say so. */
   bool (*skip_pays)(const struct hd_mach_program *p, uint32_t cost, bool must);
   /* Of the lanes that a program starts with, some are not in this mask. NULL: that is never known. */
   bool (*spares_some)(const struct hd_mach_program *p, hd_mach_operand mask);
   /* Without active lanes it could read memory where there is none. */
   bool (*must_have_lanes)(const hd_mach_inst *inst);
   /* Writes a mask of which the bits of inactive lanes are 0. */
   bool (*is_compare)(const hd_mach_inst *inst); /* NULL: nothing does */
   /* The op that is true where this compare is false; HD_MACH_OP_NONE: there is none. May be NULL. */
   unsigned (*inverse_compare)(unsigned op);
   /* The op that writes exec besides what this compare does; HD_MACH_OP_NONE: there is none. May be NULL. */
   unsigned (*exec_compare)(unsigned op);
   /* Dead instructions that write exec or masks are removed: once control flow is lowered, where blocks at
    * whose end copies of vector values may still come count as readers, and when copies are in their final
    * positions. All of them are in registers below HD_MACH_MAX_SCALARS.
    */
   bool cleans;
} hd_mach_masks;

typedef struct hd_mach_hooks {
   const hd_mach_spilling *spilling;
   const hd_mach_masks *masks; /* NULL: control flow is not lowered to masks in registers */
   /* The other ways to lower control flow (flow/flow.h); NULL: not this one. */
   const struct hd_mach_block_numbers *numbers;
   const struct hd_mach_structured *structured;
   const struct hd_mach_control_stack *control_stack;

   /* How many registers of each file values may take. */
   void (*register_budget)(const struct hd_mach_program *p, uint16_t budget[HD_MACH_MAX_FILES]);
   /* How many waves there can be with so many registers; and how many registers of the file with
    * so many waves, 0: with any.
    */
   unsigned (*occupancy)(const struct hd_mach_program *p, const int32_t regs[HD_MACH_MAX_FILES]);
   int32_t (*registers_for)(const struct hd_mach_program *p, unsigned waves, unsigned file);
   /* Which memory an access can touch, where `memory` of the instruction may not say. */
   unsigned (*memory_of)(const hd_mach_inst *inst);
   /* False: it is not known what the access is relative to. NULL: of none is it known. */
   bool (*access_of)(const hd_mach_inst *inst, hd_mach_access *access);
   /* A move of a constant, which can be repeated instead of being spilled and reloaded. */
   bool (*can_rematerialize)(const hd_mach_inst *inst);
   /* A move of a register or a constant, and nothing else. */
   bool (*is_move)(const hd_mach_inst *inst);
   /* Whether the result would be cheaper in `preferred`; NULL: none would. */
   bool (*likes_preferred)(const hd_mach_inst *inst, unsigned def);
   /* The register that operand `n` must be in, in the encoding that the instruction has, or NO_REG:
    * what the checker of allocations asks. NULL: in none.
    */
   unsigned (*demanded_register)(const hd_mach_inst *inst, unsigned n);
   /* What the instruction can read where any value will do; size 0, or NULL: a register. */
   hd_mach_operand (*undefined_source)(const hd_mach_inst *inst, const hd_mach_operand *src);
   /* The instruction that ends the wave, in no block; NULL: p_end stays. */
   hd_mach_inst *(*end)(struct hd_mach_program *p);
} hd_mach_hooks;

/* Registers of the file that follows the logical flow. */
static inline bool
hd_mach_is_vector_reg(const hd_mach *mach, unsigned reg)
{
   return reg >= mach->files[mach->file_of[HD_MACH_LOGICAL]].first;
}

/* A register that values can be in, the flag apart. */
static inline bool
hd_mach_is_value_reg(const hd_mach *mach, unsigned reg)
{
   for (unsigned f = 0; f < mach->num_files; f++) {
      if (reg - mach->files[f].first < mach->files[f].num)
         return true;
   }
   return false;
}

static inline bool
hd_mach_is_constant(const hd_mach *mach, const hd_mach_operand *operand)
{
   return !hd_mach_is_temp(operand) &&
          (operand->reg == mach->literal ||
           (operand->reg >= mach->first_const && operand->reg < mach->end_const));
}

static inline uint32_t
hd_mach_bits(const hd_mach *mach, const hd_mach_operand *constant)
{
   assert(hd_mach_is_constant(mach, constant));
   return constant->reg == mach->literal ? constant->value
                                         : mach->constants[constant->reg - mach->first_const];
}

static inline hd_mach_operand
hd_mach_constant(const hd_mach *mach, uint32_t bits)
{
   return (hd_mach_operand){ .reg = bits ? mach->literal : mach->first_const,
                             .value = bits,
                             .size = 1 };
}

static inline bool
hd_mach_meets(hd_mach_regs regs, unsigned reg, unsigned size)
{
   return regs.reg != HD_MACH_NO_REG && reg < (unsigned)regs.reg + regs.size &&
          reg + size > regs.reg;
}

static inline const hd_mach_op *
hd_mach_op_of(const hd_mach *mach, const hd_mach_inst *inst)
{
   return (const hd_mach_op *)((const char *)mach->ops + inst->op * mach->op_size);
}

/* The definition that a source must share its register with, or -1: what the row says. A source more than
 * the row has is what the first result keeps a part of.
 */
static inline int
hd_mach_tied_def(const hd_mach *mach, const hd_mach_inst *inst, unsigned n)
{
   const hd_mach_op *info = hd_mach_op_of(mach, inst);
   const int d = info->flags & HD_MACH_PSEUDO ? -1
                 : n < info->num_srcs         ? info->operands[info->num_defs + n].tied
                                              : 0;

   return d < (int)inst->num_defs ? d : -1;
}

#endif
