/* SPDX-License-Identifier: MIT */
/* exec.h - execution of instructions: interface between its files.
 *
 *    exec_dispatch.c   calls the function for an instruction
 *    exec.c            scalar operands
 *    exec_scalar.c     SALU: by the generated expressions, and what reads or writes exec, pc, mode
 *    exec_state.c      hardware registers by number, the switch for vector instructions, the stack
 *                      of branches
 *    exec_vector.c     VALU: sources into lanes, the generated loop, lanes into the result
 *    exec_modifiers.c  what forms do to sources and results: signs, halves, SDWA, DPP
 *    exec_lanes.c      instructions that move values between lanes, or to scalars
 *    exec_memory.c     what loads, stores and atomics of all kinds have in common
 *    exec_smem.c, exec_ds.c, exec_buffer.c, exec_flat.c, exec_image.c
 *    exec_graphics.c   attributes of pixels, exports
 *
 * Differences from hardware, and choices where the manuals are ambiguous:
 *
 *   1. Arithmetic produces and propagates one NaN, that of util/float.h; chips keep payloads. Moves,
 *      selects and sign modifiers keep all bits.
 *   2. v_rcp, v_rsq, v_sqrt, v_exp, v_log, v_sin and v_cos round correctly, and keep or flush
 *      denormals as the mode says; chips err in the last place and flush those of 32 bits always.
 *   3. v_div_fmas scales by 2^64 (doubles: 2^128) up or down, v_div_scale a denominator with a tiny
 *      inverse down: with the constants of the manuals quotients at the ends of the range are
 *      wrong. v_div_fixup makes a quotient that is no number, of numbers, one that overflows.
 *   4. What the manuals contradict themselves about is undefined: scc of s_max of equal operands, and of
 *      s_lshl_add whose shift overflows; the upper half that some instructions of 16 bits leave on
 *      gfx9; the bits of a carry for lanes that DPP leaves out.
 *   5. Output modifiers in a mode that ignores them, lanes of 64 and more, reserved parts and
 *      controls, pairs of scalar registers that begin at an odd one: a fault.
 *   6. DPP and the crossbar of LDS read nothing from lanes that do not run.
 *   7. Clamp brings each integer result to the nearest number that fits, products as well; for
 *      bitwise results (moves, selects, left shifts) it is a fault.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_EXEC_H
#define HEDDLE_BACKEND_GCN_SIM_EXEC_H

#include "backend/gcn/sim/sim.h"
#include "util/float.h"

#define LANES HD_GCN_LANES

/* Bits of the mode register. */
enum {
   HD_GCN_MODE_ROUND32 = 0,  /* two bits each: nearest even, up, down, zero */
   HD_GCN_MODE_ROUND64 = 2,  /* of 16 bits, too */
   HD_GCN_MODE_DENORM32 = 4, /* bit 0: denormals are read; bit 1: they are written */
   HD_GCN_MODE_DENORM64 = 6,
   HD_GCN_MODE_DX10_CLAMP = 8, /* clamp makes NaN zero */
   HD_GCN_MODE_IEEE = 9,
   HD_GCN_MODE_GPR_IDX = 27, /* gfx8, gfx9: m0 is added to the numbers of vector registers */
   HD_GCN_MODE_VSKIP = 28,   /* vector instructions are skipped */
   HD_GCN_MODE_CSP = 29,     /* three bits: how many branches are on the stack */
};

/* The mode register as lanes use it, and what the instruction adds to it. */
typedef struct hd_gcn_mode {
   hd_round round32, round64;
   bool flush_in32, flush_out32, flush_in64, flush_out64;
   bool ieee, dx10_clamp;
   bool clamp;      /* integers saturate */
   bool old_minmax; /* before gfx9: denormals pass minimum and maximum */
} hd_gcn_mode;

/* One value, with its undefined bits. */
typedef struct hd_gcn_scalar {
   uint64_t value, undef;
} hd_gcn_scalar;

/* A SALU instruction in flight. */
typedef struct hd_gcn_salu {
   hd_gcn_scalar src[3], dst;
   bool scc, scc_undef;
} hd_gcn_salu;

typedef struct hd_gcn_salu_op {
   void (*run)(hd_gcn_salu *s); /* NULL: not by an expression */
   uint8_t src[3];              /* bits; or one of the following */
   uint8_t num_srcs;
   uint8_t dst; /* bits; 0: none */
   bool writes_scc;
   uint8_t exec; /* one of the last two: the result goes to exec */
} hd_gcn_salu_op;

enum { HD_GCN_FROM_SCC = 1, HD_GCN_FROM_IMM, HD_GCN_FROM_DST, HD_GCN_FROM_EXEC };
/* The destination gets what exec was, or what it becomes. */
enum { HD_GCN_SAVES_EXEC = 1, HD_GCN_WRITES_EXEC };

/* A VALU instruction in flight: sources and results as 64 lanes of each dword. */
typedef struct hd_gcn_valu {
   hd_gcn_mode mode;
   bool plain;     /* nearest even, denormals kept: what most code runs with */
   bool undefined; /* some source has an undefined bit in some lane */
   uint64_t lanes; /* that the result is written for */
   const uint32_t *src[4], *src_undef[4];
   uint64_t mask, mask_undef;         /* the source that is a mask */
   uint64_t mask_out, mask_out_undef; /* the result that is one */
   uint32_t dst[2][2][LANES], dst_undef[2][2][LANES];
   /* Sources that are not read in place. */
   uint32_t copy[4][4][LANES], copy_undef[4][4][LANES];
} hd_gcn_valu;

/* What gfx9 leaves in the upper half of a register with a result of 16 bits; gfx8: zeros. */
typedef enum hd_gcn_upper_half {
   HD_GCN_UPPER_ZERO,
   HD_GCN_UPPER_KEPT,
   HD_GCN_UPPER_UNKNOWN,
} hd_gcn_upper_half;

typedef struct hd_gcn_valu_op {
   void (*run)(hd_gcn_valu *v);   /* NULL: not by a loop over lanes */
   void (*undef)(hd_gcn_valu *v); /* after run: writes dst_undef and mask_out_undef */
   uint8_t src[4];                /* bits; 1: a mask */
   uint8_t num_srcs;
   uint8_t dst[2]; /* likewise */
   uint8_t num_dsts;
   uint8_t upper; /* hd_gcn_upper_half */
} hd_gcn_valu_op;

/* Generated, by op. */
extern const hd_gcn_salu_op hd_gcn_salu_ops[];
extern const hd_gcn_valu_op hd_gcn_valu_ops[];

/* exec.c */

hd_gcn_gen hd_gcn_wave_gen(const hd_gcn_wave *wave);

/* A source that is the same for all lanes: scalar registers and constants, as `type` reads them. */
bool hd_gcn_read_scalar(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_type type,
                        hd_gcn_scalar *out);
/* `num` consecutive scalar registers. */
bool hd_gcn_read_sgprs(hd_gcn_wave *wave, hd_mach_operand operand, unsigned num, uint32_t *value,
                       uint32_t *undef);
bool hd_gcn_write_sgprs(hd_gcn_wave *wave, hd_mach_operand operand, unsigned num,
                        const uint32_t *value, const uint32_t *undef);
bool hd_gcn_write_scalar(hd_gcn_wave *wave, hd_mach_operand operand, hd_gcn_scalar value);
/* A scalar that must be known: `what` is named in the fault. */
bool hd_mach_need(hd_gcn_wave *wave, hd_gcn_scalar value, const char *what);

static inline hd_gcn_scalar
hd_gcn_read_pair(const hd_gcn_wave *wave, unsigned reg)
{
   return (hd_gcn_scalar){ wave->sgpr[reg] | (uint64_t)wave->sgpr[reg + 1] << 32,
                           wave->sgpr_undef[reg] | (uint64_t)wave->sgpr_undef[reg + 1] << 32 };
}

static inline uint64_t
hd_gcn_exec(const hd_gcn_wave *wave)
{
   return wave->sgpr[HD_GCN_EXEC] | (uint64_t)wave->sgpr[HD_GCN_EXEC + 1] << 32;
}

static inline bool
hd_gcn_is_vgpr(hd_mach_operand operand)
{
   return operand.reg >= HD_GCN_VGPR0 && operand.reg < HD_MACH_MAX_REGS;
}

/* The vector register that the operand is, or begins with. */
static inline unsigned
hd_gcn_vgpr_of(hd_mach_operand operand)
{
   return operand.reg - HD_GCN_VGPR0;
}

#define hd_gcn_foreach_lane(l, lanes)                                                              \
   for (uint64_t l##_rest = (lanes), l;                                                            \
        l##_rest && (l = (uint64_t)__builtin_ctzll(l##_rest), true); l##_rest &= l##_rest - 1)

/* One file each. */
bool hd_gcn_execute_scalar(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_state(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_vector(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_smem(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_ds(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_buffer(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_image(hd_gcn_wave *wave, const hd_mach_inst *inst);
/* exec_graphics.c */
bool hd_gcn_execute_interpolation(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_check_last_export(hd_gcn_wave *wave);
bool hd_gcn_execute_export(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_flat(hd_gcn_wave *wave, const hd_mach_inst *inst);
bool hd_gcn_execute_lanes(hd_gcn_wave *wave, const hd_mach_inst *inst);

/* exec_modifiers.c */

void hd_gcn_mode_read(const hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v);
/* Bring source `n` into lanes. */
bool hd_gcn_valu_source(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v, unsigned n);
/* For DPP: the lanes whose result is not written are taken out of v->lanes. */
bool hd_gcn_valu_dpp(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v);
/* omod, clamp; then the part of the register that is written, and the register. */
bool hd_gcn_valu_result(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_gcn_valu *v, unsigned n);

#endif
