/* SPDX-License-Identifier: MIT */
/* program.h - Nyuzi's part of a machine program: representation of values, pseudo ops.
 *
 * Every value is one register: a component of up to 32 bits, or half of one of 64. Values of 8 and
 * 16 bits have unspecified upper bits. A boolean is a scalar: a uniform one 0xffff or 0, a divergent
 * one a mask (HD_MACH_TEMP_MASK), whose bits for inactive lanes and above 15 are unspecified.
 *
 * Which instructions need a mask operand is decided after register allocation (assign_masks.c): until
 * then vector instructions implicitly use an exec mask, which is s0.
 */
#ifndef HEDDLE_BACKEND_NYUZI_PROGRAM_H
#define HEDDLE_BACKEND_NYUZI_PROGRAM_H

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi.h"
#include "machine/compile.h"
#include "machine/program.h"
#include "machine/selector.h"

typedef enum hd_nyuzi_file { HD_NYUZI_SCALAR, HD_NYUZI_VECTOR, HD_NYUZI_NUM_FILES } hd_nyuzi_file;

/* Register numbers of operands. */
enum {
   HD_NYUZI_EXEC = 0,
   HD_NYUZI_S1 = 1, /* the first that values can be in */
   HD_NYUZI_MAX_SCALARS = 27,
   HD_NYUZI_TEMP = 28, /* two that lowering uses */
   HD_NYUZI_SCRATCH = 30,
   HD_NYUZI_FLAG = 31, /* what a uniform branch tests */
   HD_NYUZI_ZERO = 64, /* constants */
   HD_NYUZI_ONES,
   HD_NYUZI_LITERAL, /* `value` */
   HD_NYUZI_V0 = 128,
   HD_NYUZI_MAX_VECTORS = 31,
   HD_NYUZI_VECTOR_TEMP = HD_NYUZI_V0 + 31,
};

#define HD_NYUZI_TRUE 0xffffu

/* Registers at the start: see heddle/nyuzi.h. */
typedef enum hd_nyuzi_start {
   HD_NYUZI_START_LAUNCH,
   HD_NYUZI_START_GROUP_X,
   HD_NYUZI_START_GROUP_Y,
   HD_NYUZI_START_GROUP_Z,
   HD_NYUZI_START_WAVE,
   HD_NYUZI_START_SHARED,
   HD_NYUZI_START_INDEX,
   HD_NYUZI_NUM_STARTS,
} hd_nyuzi_start;

typedef struct hd_nyuzi_program {
   hd_mach_program mach;
   const hd_nyuzi_options *options;
   hd_mach_operand start[HD_NYUZI_NUM_STARTS];
   hd_mach_buffers buffers;
   bool has_barriers;
   uint32_t scalar_slots; /* dwords of spilled scalars, after the scratch memory of the lanes */
   hd_nyuzi_stats stats;
} hd_nyuzi_program;

static inline hd_nyuzi_program *
hd_nyuzi_of(const hd_mach_program *p)
{
   return (hd_nyuzi_program *)p;
}

static inline const hd_nyuzi_op_info *
hd_nyuzi_info(const hd_mach_inst *inst)
{
   return &hd_nyuzi_op_infos[inst->op];
}

extern const hd_mach hd_nyuzi_mach;

static inline bool
hd_nyuzi_is_constant(const hd_mach_operand *operand)
{
   return hd_mach_is_constant(&hd_nyuzi_mach, operand);
}

static inline uint32_t
hd_nyuzi_constant(const hd_mach_operand *operand)
{
   return hd_mach_bits(&hd_nyuzi_mach, operand);
}

static inline hd_mach_operand
hd_nyuzi_imm(uint32_t bits)
{
   return hd_mach_constant(&hd_nyuzi_mach, bits);
}

static inline hd_mach_operand
hd_nyuzi_reg(unsigned reg)
{
   return hd_mach_operand_reg(reg, 1);
}

/* The mask of an instruction whose registers are known: the number of a scalar + 1, or 0. */
static inline uint8_t *
hd_nyuzi_mask(hd_mach_inst *inst)
{
   return &inst->mods.bytes[0];
}

/* Is the exec mask one of its operands? For statistics: rename_masks.c keeps it, as from there on the
 * mask may be in any scalar.
 */
static inline bool
hd_nyuzi_names_exec(const hd_mach_inst *inst)
{
   return inst->mods.bytes[1];
}

extern const hd_mach_hooks hd_nyuzi_hooks;

/* An instruction with operands as its row has them; those of size 0 are left out. In no block. */
hd_mach_inst *hd_nyuzi_make(hd_mach_program *p, unsigned op, hd_mach_operand def, hd_mach_operand a,
                            hd_mach_operand b);

/* Phases. */
bool hd_nyuzi_select(hd_mach_program *p);
bool hd_nyuzi_lower_copies(hd_mach_program *p); /* copies, phis, spills become instructions */
bool hd_nyuzi_assign_masks(hd_mach_program *p); /* which writes are masked */
bool hd_nyuzi_rename_masks(hd_mach_program *p); /* masks stay where they were computed */
/* Words, with branches that know their distance, in hd_nyuzi_program.words. */
bool hd_nyuzi_encode_program(hd_mach_program *p, hd_blob *code);

/* compile.c: the phases in their order. */
extern const hd_mach_compiler hd_nyuzi_compiler;
/* hd_backend.compile */
hd_result hd_nyuzi_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                              const hd_mach_request *request, void **binary);

#endif
