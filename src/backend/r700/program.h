/* SPDX-License-Identifier: MIT */
/* program.h - R700's part of a machine program: representation of values, pseudo ops.
 *
 * Every value is a channel of a register, a dword for each lane: a component of up to 32 bits, or half
 * of one of 64. Values of 8 and 16 bits have unspecified upper bits. A boolean is all ones or 0. A
 * uniform value is kept in each lane, too: there are no scalar registers.
 *
 * ALU instructions are single until layout packs them into groups (pack.c). Their `bits` say which
 * sources are negated, a bit each. Of p_load and p_store `bits` is a hd_r700_memory, and `form` bytes of
 * a unit.
 */
#ifndef HEDDLE_BACKEND_R700_PROGRAM_H
#define HEDDLE_BACKEND_R700_PROGRAM_H

#include "backend/r700/isa/isa.h"
#include "heddle/r700.h"
#include "machine/compile.h"
#include "machine/program.h"
#include "machine/selector.h"

/* Uniform is the file of the linear flow: no values are in it. */
typedef enum hd_r700_file { HD_R700_UNIFORM, HD_R700_VECTOR, HD_R700_NUM_FILES } hd_r700_file;

/* Register numbers of operands: channels of registers from V0 on. */
enum {
   HD_R700_NUM_UNIFORM = 1,
   HD_R700_ZERO = 8, /* constants: 0, */
   HD_R700_IMM,      /* `value`, */
   HD_R700_BUFFER,   /* and dword `value` % 65536 of constant buffer `value` / 65536 */
   HD_R700_V0 = 32,
   HD_R700_FIRST_VALUE = HD_R700_V0 + 8, /* T0 and T1 are what a wave begins with */
   HD_R700_MAX_VALUES = 472,
   /* Registers of lowering; the last four of 128 are the hardware's. */
   HD_R700_GPR_ADDRESS = 120,
   HD_R700_GPR_DATA,
   HD_R700_GPR_LOADED,
   HD_R700_GPR_COPY,
   HD_R700_NUM_GPRS,
};

/* Of the stack, four an entry: what SQ_PGM_RESOURCES can say, but for two that the hardware takes. */
#define HD_R700_MAX_ELEMENTS  (4u * 255u - 2u)
#define HD_R700_MAX_RESOURCES 160u
#define HD_R700_MAX_QUADS     4095u  /* of scratch memory */
#define HD_R700_MAX_CONSTANTS 16384u /* dwords of a constant buffer that clauses can lock */

enum { HD_R700_CB_LAUNCH, HD_R700_CB_KERNARG, HD_R700_CB_PUSH };

/* What an access is to: a resource by its number, or */
typedef enum hd_r700_memory {
   HD_R700_MEMORY_ALL = 0,
   HD_R700_MEMORY_SCRATCH = 255, /* the address counts dwords */
} hd_r700_memory;

/* What a wave begins with, in the order of channels. */
typedef enum hd_r700_start {
   HD_R700_START_INDEX,
   HD_R700_START_WAVE,
   HD_R700_START_GROUP_X = 4,
   HD_R700_START_GROUP_Y,
   HD_R700_START_GROUP_Z,
} hd_r700_start;

typedef struct hd_r700_program {
   hd_mach_program mach;
   const hd_r700_options *options;
   hd_mach_buffers buffers;
   bool one_wave;
   uint32_t quads;
   uint32_t stack_size; /* entries */
   uint32_t num_gprs;
   hd_r700_stats stats;
} hd_r700_program;

static inline hd_r700_program *
hd_r700_of(const hd_mach_program *p)
{
   return (hd_r700_program *)p;
}

/* Of any kind: what an ALU instruction reads, and not from a register. */
static inline bool
hd_r700_is_constant(const hd_mach_operand *operand)
{
   return !hd_mach_is_temp(operand) && operand->reg >= HD_R700_ZERO &&
          operand->reg <= HD_R700_BUFFER;
}

/* The number is known. */
static inline bool
hd_r700_is_number(const hd_mach_operand *operand)
{
   return hd_r700_is_constant(operand) && operand->reg != HD_R700_BUFFER;
}

static inline uint32_t
hd_r700_number(const hd_mach_operand *operand)
{
   return operand->reg == HD_R700_ZERO ? 0 : operand->value;
}

static inline hd_mach_operand
hd_r700_imm(uint32_t bits)
{
   return (hd_mach_operand){ .reg = bits ? HD_R700_IMM : HD_R700_ZERO, .value = bits, .size = 1 };
}

static inline hd_mach_operand
hd_r700_of_buffer(unsigned buffer, uint32_t dword)
{
   return (hd_mach_operand){ .reg = HD_R700_BUFFER, .value = buffer << 16 | dword, .size = 1 };
}

extern const hd_mach hd_r700_mach;
extern const hd_mach_hooks hd_r700_hooks;

/* Phases. */
bool hd_r700_select(hd_mach_program *p);
bool hd_r700_fuse_tests(hd_mach_program *p);   /* pushes test what is compared */
bool hd_r700_lower_copies(hd_mach_program *p); /* copies and phis become moves */
/* Clauses and control flow, at their addresses, as bytes. */
bool hd_r700_encode_program(hd_mach_program *p, hd_blob *code);

/* fuse_tests.c: the instruction by which p_push tests its sources, of which one is compared with 0. */
unsigned hd_r700_test_of(const hd_mach_inst *push);
/* What holds where the test does not; *swap: with its sources the other way round. HD_MACH_OP_NONE: there
 * is none.
 */
unsigned hd_r700_opposite_test(unsigned test, bool *swap);

/* compile.c: the phases in their order. */
extern const hd_mach_compiler hd_r700_compiler;
/* hd_backend.compile */
hd_result hd_r700_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                             const hd_mach_request *request, void **binary);

/* The program between two phases, as machine/text/program.h shows; one instruction of it, without a
 * newline.
 */
void hd_r700_print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out);
void hd_r700_program_print(const hd_mach_program *p, hd_blob *out);
/* What was printed, as hd_mach_program_parse reads it. Tools library. */
bool hd_r700_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                           const char *text, size_t length);

#endif
