/* SPDX-License-Identifier: MIT */
/* program.h - Gen9's part of a machine program: representation of values, pseudo ops.
 *
 * Every value is a GRF, a dword for each lane: a component of up to 32 bits, or half of a 64-bit one.
 * Values of 8 and 16 bits have unspecified upper bits. A boolean is all ones
 * or 0. Uniform values are replicated in all lanes.
 *
 * `form` of an instruction is the type of its operands; `bits` is
 *
 *    add             which sources are negated, a bit each
 *    p_compare       the condition
 *    p_convert       the type of the source; `form` is that of the result
 *    if, p_send_if   whether the condition is negated
 *    p_load, p_store bytes of a unit; `imm` is the surface
 *    p_atomic        the operation; `imm` is the surface
 */
#ifndef HEDDLE_BACKEND_GEN9_PROGRAM_H
#define HEDDLE_BACKEND_GEN9_PROGRAM_H

#include "backend/gen9/isa/isa.h"
#include "heddle/gen9.h"
#include "machine/compile.h"
#include "machine/program.h"
#include "machine/selector.h"

/* Uniform is the file of the linear flow: no values are in it. */
typedef enum hd_gen9_file { HD_GEN9_UNIFORM, HD_GEN9_VECTOR, HD_GEN9_NUM_FILES } hd_gen9_file;

/* Register numbers of operands. */
enum {
   HD_GEN9_NUM_UNIFORM = 1,
   HD_GEN9_ZERO = 64, /* constants */
   HD_GEN9_LITERAL,   /* `value` */
   HD_GEN9_V0 = 128,
   /* GRFs: those of the payload come first, the last ones are for lowering. */
   HD_GEN9_GRF_HEADER = 0,
   HD_GEN9_GRF_INDEX = 1,
   HD_GEN9_GRF_THREAD = 2,
   HD_GEN9_GRF_SCRATCH = 3, /* where scratch memory begins, for each lane */
   HD_GEN9_FIRST_GRF = 4,   /* that values can be in */
   HD_GEN9_MAX_VALUES = 112,
   HD_GEN9_GRF_COPY = 116,
   HD_GEN9_GRF_TEMP = 118,    /* and the one after it; the result of a message to be */
   HD_GEN9_GRF_DATA = 120,    /* and the one after it: of an atomic */
   HD_GEN9_GRF_NUMBERS = 122, /* block numbers: a word for each lane */
   HD_GEN9_GRF_END = 127,
};

/* `imm` of a message for 64-bit addresses. */
#define HD_GEN9_SURFACE_STATELESS 255
#define HD_GEN9_SURFACE_SHARED    254
#define HD_GEN9_MAX_SURFACES      240u

/* Dwords at the start, of p_payload: bytes from r0 on. */
typedef enum hd_gen9_start {
   HD_GEN9_START_GROUP_X,
   HD_GEN9_START_GROUP_Y,
   HD_GEN9_START_GROUP_Z,
   HD_GEN9_START_WAVE,
   HD_GEN9_START_INDEX,
   HD_GEN9_START_SCRATCH,
} hd_gen9_start;

typedef struct hd_gen9_program {
   hd_mach_program mach;
   const hd_gen9_options *options;
   hd_mach_buffers buffers;
   hd_gen9_stats stats;
} hd_gen9_program;

static inline hd_gen9_program *
hd_gen9_of(const hd_mach_program *p)
{
   return (hd_gen9_program *)p;
}

extern const hd_mach hd_gen9_mach;

static inline bool
hd_gen9_is_constant(const hd_mach_operand *operand)
{
   return hd_mach_is_constant(&hd_gen9_mach, operand);
}

static inline uint32_t
hd_gen9_constant(const hd_mach_operand *operand)
{
   return hd_mach_bits(&hd_gen9_mach, operand);
}

static inline hd_mach_operand
hd_gen9_imm(uint32_t bits)
{
   return hd_mach_constant(&hd_gen9_mach, bits);
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
