/* SPDX-License-Identifier: MIT */
/* program.h - Gen9's part of a machine program: representation of values, pseudo ops.
 *
 * Every value is a component of up to 32 bits, or half of a 64-bit one: a GRF, or two for 16 lanes, a
 * dword for each lane; or a scalar, one dword of a GRF, where `scalars` of the program says so. Values of 8 and 16 bits have
 * unspecified upper bits. A boolean is all ones or 0. Uniform values that are no scalars are the same
 * in all active lanes. What the thread begins with is read where it is, as scalars.
 *
 * `form` of an instruction is the type of its operands; `bits` is
 *
 *    add             which sources are negated, a bit each
 *    and             HD_GEN9_INVERTED: the bits of the first source are
 *    p_select        1: the condition is negated
 *    p_compare       the condition
 *    p_convert       the type of the source; `form` is that of the result
 *    p_float         the type of the sources; `form` is that of the result, `imm` the op, mods.bytes[0] a condition, or
 *                    as of add. Sources and results of 64 bits are two dwords each
 *    if, p_send_if   whether the condition is negated
 *    p_load, p_store bytes of a unit; `imm` is the surface. mods.bytes[1]: the address is a sum of 64 bits,
 *                    of a base and a number of this type - 1, shifted by bytes[2], and of halves[2]
 *    p_atomic        the operation; `imm` is the surface. Of 64 bits are two results, and two dwords of each operand
 */
#ifndef HEDDLE_BACKEND_GEN9_PROGRAM_H
#define HEDDLE_BACKEND_GEN9_PROGRAM_H

#include "backend/gen9/isa/isa.h"
#include "heddle/gen9.h"
#include "machine/compile.h"
#include "machine/program.h"
#include "machine/selector.h"

/* Uniform is the file of the linear flow. */
typedef enum hd_gen9_file { HD_GEN9_UNIFORM, HD_GEN9_VECTOR, HD_GEN9_NUM_FILES } hd_gen9_file;

/* Register numbers of operands. */
enum {
   HD_GEN9_NUM_UNIFORM = 63,
   HD_GEN9_UNIFORM_COPY = 63, /* for copies that go round */
   HD_GEN9_CONDITION = 65,    /* what p_test writes: the flag */
   HD_GEN9_PAYLOAD,           /* dwords of the first GRFs */
   HD_GEN9_ZERO = 160,        /* constants */
   HD_GEN9_LITERAL,           /* `value` */
   HD_GEN9_V0 = 256,
   /* GRFs: those of the payload come first, the last ones are for lowering. */
   HD_GEN9_GRF_HEADER = 0,
   HD_GEN9_GRF_INDEX = 1,
   HD_GEN9_GRF_THREAD = 2,
   HD_GEN9_GRF_LAUNCH = 4,    /* a hd_gen9_launch, and the first arguments or push constants */
   HD_GEN9_FIRST_GRF = 9,     /* that values can be in */
   HD_GEN9_GRF_UNIFORM = 112, /* scalars, 8 each */
   HD_GEN9_GRF_NUMBERS = 126, /* block numbers: a word for each lane */
   HD_GEN9_GRF_END = 127,
};

/* What differs by the number of lanes. A value takes one GRF, or two side by side; the register numbers of
 * operands count values.
 */
typedef struct hd_gen9_width {
   uint8_t lanes;
   uint8_t exec;     /* of an instruction of all lanes */
   uint8_t grfs;     /* of a value */
   uint8_t values;   /* that there is room for */
   uint8_t any, all; /* predicates, of jumps by the flags of all lanes: hd_gen9_predicate_names */
   /* GRFs for lowering: */
   uint8_t scratch; /* where scratch memory begins, for each lane */
   uint8_t temp;    /* room for two values; the result of a message to be */
   uint8_t data;    /* four GRFs: of an atomic, operands of 64 bits */
   uint16_t copy;   /* for copies that go round; a register number of operands */
} hd_gen9_width;

/* Dwords of a GRF. */
#define HD_GEN9_GRF_DWORDS 8u
#define HD_GEN9_INVERTED   1u

/* `imm` of a message for 64-bit addresses. */
#define HD_GEN9_SURFACE_STATELESS 255
#define HD_GEN9_SURFACE_SHARED    254
#define HD_GEN9_MAX_SURFACES      240u

/* What the thread begins with: scalars, and, of p_payload, a dword of each lane. */
typedef enum hd_gen9_start {
   HD_GEN9_START_GROUP_X,
   HD_GEN9_START_GROUP_Y,
   HD_GEN9_START_GROUP_Z,
   HD_GEN9_START_WAVE,
   HD_GEN9_START_INDEX,
   HD_GEN9_START_SCRATCH,
   HD_GEN9_START_LANES, /* constants: how many there are, the last one, a bit for each */
   HD_GEN9_START_LAST_LANE,
   HD_GEN9_START_ALL_LANES,
} hd_gen9_start;

/* A sum that was selected for its carry. */
typedef struct hd_gen9_sum {
   const hd_mach_block *block;
   const hd_def *a, *b;
   hd_mach_operand value;
} hd_gen9_sum;

typedef struct hd_gen9_program {
   hd_mach_program mach;
   const hd_gen9_options *options;
   const hd_gen9_width *width;
   hd_mach_buffers buffers;
   hd_gen9_sum sum;       /* the last one */
   uint32_t scalar_slots; /* dwords of spilled scalars, after the scratch memory of the lanes */
   hd_gen9_stats stats;
} hd_gen9_program;

static inline hd_gen9_program *
hd_gen9_of(const hd_mach_program *p)
{
   return (hd_gen9_program *)p;
}

/* By a number of 8 lanes: 0 is 8, 1 is 16. */
#define HD_GEN9_NUM_WIDTHS 2u
extern const hd_mach hd_gen9_machs[HD_GEN9_NUM_WIDTHS];
extern const hd_gen9_width hd_gen9_widths[HD_GEN9_NUM_WIDTHS];

static inline unsigned
hd_gen9_grf_number(const hd_gen9_width *width, unsigned reg)
{
   return HD_GEN9_FIRST_GRF + (reg - HD_GEN9_V0 - HD_GEN9_FIRST_GRF) * width->grfs;
}

static inline bool
hd_gen9_is_constant(const hd_mach_operand *operand)
{
   return hd_mach_is_constant(&hd_gen9_machs[0], operand);
}

static inline uint32_t
hd_gen9_constant(const hd_mach_operand *operand)
{
   return hd_mach_bits(&hd_gen9_machs[0], operand);
}

static inline hd_mach_operand
hd_gen9_imm(uint32_t bits)
{
   return hd_mach_constant(&hd_gen9_machs[0], bits);
}

/* Is it a scalar, when registers are known? */
static inline bool
hd_gen9_is_scalar_reg(const hd_mach_operand *operand)
{
   return operand->reg < HD_GEN9_V0;
}

extern const hd_mach_hooks hd_gen9_hooks;

/* Phases. */
bool hd_gen9_select(hd_mach_program *p);
bool hd_gen9_lower_copies(hd_mach_program *p); /* copies and phis become moves, spills messages */
/* Bytes, with branches that know their distances. */
bool hd_gen9_encode_program(hd_mach_program *p, hd_blob *code);

/* compile.c: the phases in their order. */
extern const hd_mach_compiler hd_gen9_compiler;
/* hd_backend.compile */
hd_result hd_gen9_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                             const hd_mach_request *request, void **binary);

#endif
