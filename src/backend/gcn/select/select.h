/* SPDX-License-Identifier: MIT */
/* select.h - instruction selection: state and interface of its files.
 *
 *    select.c           the walk, phis, conditions of branches
 *    register_files.c   scalar or vector registers for each value
 *    values.c           operands for values
 *    emit.c             instructions with operands that their encodings take
 *    alu.c              ALU ops, by the rows of select_rows.py
 *    packed.c           ops on two halves of a dword
 *    memory_access.c    loads, stores, atomics
 *    lane_masks.c       cross-lane operations; barriers
 *    builtins.c         built-in inputs
 *    own.c              a driver's own intrinsics: its hook, the emitter
 *
 * A value of the IR is one operand: a temp; a constant is materialised on demand. A divergent value
 * is in VGPRs, a divergent boolean is a mask in SGPRs. A uniform value is in SGPRs if a scalar
 * instruction computes it, else in VGPRs: there is no scalar float arithmetic, and a chain of it stays
 * in VGPRs until a scalar instruction reads it. A uniform boolean is a dword, or, if a vector compare
 * computes it, a mask.
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_SELECT_H
#define HEDDLE_BACKEND_GCN_SELECT_SELECT_H

#include "backend/gcn/program.h"

/* What is known of a value of the IR. What was not made with the value itself is good in one block:
 * the tag is that block's index + 1, or 0 where it is good wherever the value is.
 */
typedef struct hd_gcn_known {
   hd_mach_operand whole;  /* size 0: none yet */
   hd_mach_operand *parts; /* a component each; NULL: none yet */
   hd_mach_operand copy; /* the whole in the other file; of a boolean the other of mask and dword */
   hd_mach_operand halves[2]; /* of 64 bits and one component; [0]: two packed for their users */
   uint32_t whole_tag, parts_tag, copy_tag, halves_tag;
   bool scalar; /* it is, or will be, in SGPRs, and no mask */
   bool late;   /* each lane must have its own, though it is uniform where it is made */
   bool
       read_back; /* scalar, but made by a vector instruction: read from a lane where it is made; of a
                      phi, where its sources are */
   bool packed;   /* of 16 bits: above each even component in its register is the next one; of two
                      components parts[1] may not be there yet, halves_tag is where it is good */
} hd_gcn_known;

#define HD_GCN_CACHED_CONSTANTS 8

/* Constants in registers, good in one block. */
typedef struct hd_gcn_constants {
   uint32_t bits[HD_GCN_CACHED_CONSTANTS];
   hd_mach_operand operands[HD_GCN_CACHED_CONSTANTS];
   uint32_t tags[HD_GCN_CACHED_CONSTANTS];
   uint32_t next;
} hd_gcn_constants;

#define HD_GCN_CACHED_COPIES 32

/* A scalar that vector instructions could not read where it is, in a VGPR, good in one block. */
typedef struct hd_gcn_copy {
   hd_mach_operand operand;
   uint32_t temp, tag;
} hd_gcn_copy;

#define HD_GCN_CACHED_VECTORS   8
#define HD_GCN_MAX_VECTOR_PARTS 4

/* Parts that are in consecutive VGPRs, good in one block: neighbouring accesses share an address. */
typedef struct hd_gcn_vector {
   hd_mach_operand parts[HD_GCN_MAX_VECTOR_PARTS], whole;
   uint32_t num, tag;
} hd_gcn_vector;

typedef struct hd_gcn_selector {
   hd_mach_program *p;
   hd_mach_block *block;  /* that is being written, at its end */
   const hd_instr *instr; /* that is being selected */
   hd_gcn_known *known;   /* by hd_def.index */
   hd_gcn_constants constants[HD_GCN_NUM_FILES];
   hd_gcn_copy copies[HD_GCN_CACHED_COPIES]; /* by the number of the temp */
   hd_gcn_vector vectors[HD_GCN_CACHED_VECTORS];
   uint32_t next_vector;
   struct hd_gcn_memory_state *memory; /* of smem.c */
   struct hd_gcn_stage_state *stage;   /* of stage.c; NULL of other stages */
   hd_mach_operand lane;               /* the number of the lane, good in one block */
   uint32_t lane_tag;
   bool no_literal; /* what is emitted takes modifiers of its result, so it has the longer form */
   /* hd_gcn_alu_to_scc, for values, which know of no ops. */
   bool (*alu_to_scc)(struct hd_gcn_selector *s, const hd_alu *alu);
} hd_gcn_selector;

/* An operand that is not there, of an instruction that could have one. */
static inline hd_mach_operand
hd_gcn_nothing(void)
{
   return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
}

/* Whether the value lives in scalar registers as such, or will: then it is uniform. A uniform value
 * that is computed by vector instructions is not; neither is a mask.
 */
bool hd_gcn_is_scalar(const hd_gcn_selector *s, const hd_def *def);

/* The value as it is. A constant of one component is a constant operand: of up to 32 bits always
 * (read as B32; hd_gcn_emit writes it as the operand's type asks), of 64 bits where it is inline,
 * else in SGPRs. A boolean is a mask or a dword.
 */
hd_mach_operand hd_gcn_value(hd_gcn_selector *s, const hd_def *def);
/* Component `c` of it. */
hd_mach_operand hd_gcn_component(hd_gcn_selector *s, const hd_def *def, unsigned c);
/* All components in consecutive registers of this file; a scalar that must be divergent is copied,
 * a divergent value that must be scalar is read from the first lane.
 */
hd_mach_operand hd_gcn_in_vgprs(hd_gcn_selector *s, const hd_def *def);
hd_mach_operand hd_gcn_in_sgprs(hd_gcn_selector *s, const hd_def *def);
/* A boolean as a mask, whatever it was: bits of inactive lanes are unspecified. */
hd_mach_operand hd_gcn_as_mask(hd_gcn_selector *s, const hd_def *def);
/* A uniform boolean as a dword of 0 or 1: hd_gcn_in_sgprs gives that. In scc, for the instruction
 * that is emitted next:
 */
void hd_gcn_in_scc(hd_gcn_selector *s, const hd_def *def);

/* The operand is the value of `def` from here on. A uniform value may be in either file,
 * hd_gcn_is_scalar says then which; a boolean is a mask, or a dword if it is uniform.
 */
void hd_gcn_set_value(hd_gcn_selector *s, const hd_def *def, hd_mach_operand operand);

/* The sum of 32 bits: a scalar where both are. Writes scc, or a carry. */
hd_mach_operand hd_gcn_add(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b);

/* A fresh value. */
hd_mach_operand hd_gcn_new(hd_gcn_selector *s, hd_gcn_file file, unsigned size);
hd_mach_operand hd_gcn_new_mask(hd_gcn_selector *s);

/* Append an instruction. `def` (size 0: none) and sources are the explicit ones; implicit operands
 * are filled in by the row. A source that the form cannot take (a second scalar on the constant
 * bus, a literal in a 64-bit form) is moved to a register before.
 */
hd_mach_inst *hd_gcn_emit(hd_gcn_selector *s, unsigned op, hd_mach_operand def, unsigned num_srcs,
                          const hd_mach_operand *srcs);
hd_mach_inst *hd_gcn_emit1(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def,
                           hd_mach_operand a);
hd_mach_inst *hd_gcn_emit2(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a,
                           hd_mach_operand b);
hd_mach_inst *hd_gcn_emit3(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a,
                           hd_mach_operand b, hd_mach_operand c);
/* With all that an instruction can have: defs and sources are the explicit ones. `bits` as in
 * hd_mach_inst. Of a def that the row fixes to a register and that is left out (or has size 0), the
 * register is written and nothing reads it.
 */
hd_mach_inst *hd_gcn_emit_full(hd_gcn_selector *s, unsigned op, unsigned num_defs,
                               const hd_mach_operand *defs, unsigned num_srcs,
                               const hd_mach_operand *srcs, unsigned bits);
/* A constant of 32 bits, in a register of this file. */
hd_mach_operand hd_gcn_constant_in(hd_gcn_selector *s, hd_gcn_file file, uint32_t bits);
/* One of 64 bits, in a pair of them. */
hd_mach_operand hd_gcn_wide_constant(hd_gcn_selector *s, hd_gcn_file file, uint64_t bits);
/* As an operand: inline or literal. */
hd_mach_operand hd_gcn_imm(const hd_gcn_selector *s, uint32_t bits);
/* The file of an operand; constants are SGPRs. */
hd_gcn_file hd_gcn_file_of(const hd_gcn_selector *s, hd_mach_operand operand);
bool hd_gcn_is_mask(const hd_gcn_selector *s, hd_mach_operand operand);
bool hd_gcn_is_constant(hd_mach_operand operand);
/* A value in a register of this file, of any size: copied if it is not. A vector value read as a
 * scalar is that of the first lane.
 */
hd_mach_operand hd_gcn_to_file(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand operand);
/* p_vector and p_split; a part that is the whole is handed through. */
hd_mach_operand hd_gcn_join(hd_gcn_selector *s, hd_gcn_file file, unsigned num,
                            const hd_mach_operand *parts);
void hd_gcn_parts(hd_gcn_selector *s, hd_mach_operand whole, unsigned size_of_part,
                  hd_mach_operand *parts);

/* Before the walk: hd_gcn_known.scalar of all values. */
void hd_gcn_plan(hd_gcn_selector *s);
/* Whether a uniform result will be in SGPRs. */
bool hd_gcn_intrinsic_is_scalar(const hd_gcn_selector *s, const hd_intrinsic *intrinsic);
/* Whether it reads memory, no image, by a vector instruction if it is not scalar. */
bool hd_gcn_is_vector_load(const hd_intrinsic *intrinsic);
/* Whether scalar instructions can make this result of scalar operands: there are rows for it. */
bool hd_gcn_alu_can_be_scalar(const hd_gcn_selector *s, const hd_alu *alu);
/* The result of a scalar compare, or of logic on scalar booleans, in scc. False: there is no such
 * row, or it is no such instruction.
 */
bool hd_gcn_alu_to_scc(hd_gcn_selector *s, const hd_alu *alu);

/* One instruction of the IR each; false: it was refused. */
bool hd_gcn_select_alu(hd_gcn_selector *s, const hd_alu *alu);
bool hd_gcn_select_memory(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_lanes(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* values.c: components that somebody reads, a bit each. */
unsigned hd_gcn_components_read(const hd_def *def);
/* images.c */
bool hd_gcn_is_image(const hd_intrinsic *intrinsic);
/* Whether a uniform result is in SGPRs: what the resource says of itself. */
bool hd_gcn_image_is_scalar(const hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_image(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
/* samples.c */
bool hd_gcn_select_sample(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* stage.c: what only vertex and fragment shaders have. */
bool hd_gcn_is_stage(const hd_intrinsic *intrinsic);
bool hd_gcn_select_stage(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
/* Before anything: number the parameters, find where outputs are stored. */
bool hd_gcn_stage_start(hd_gcn_selector *s);

/* One of the driver's own, by its hook. */
bool hd_gcn_select_own(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* Before the plan: which loads can be scalar. */
void hd_gcn_find_unwritten(hd_gcn_selector *s);
/* Before anything: what the ABI puts into registers, as far as the shader asks for it. */
bool hd_gcn_abi_start(hd_gcn_selector *s);
/* Intrinsics that are known at the start: ids, sizes, kernarg, push constants. */
bool hd_gcn_select_abi(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

#endif
