/* SPDX-License-Identifier: MIT */
/* sem.h - run single instructions on a wave that the test fills.
 *
 * The memory and the faults of the simulator's machine are the test's own here: what is run is
 * hd_gcn_execute and nothing around it.
 */
#ifndef TESTS_BACKEND_GCN_SEM_H
#define TESTS_BACKEND_GCN_SEM_H

#include "support/test.h"

#include <stdbool.h>
#include <stdint.h>

#include "backend/gcn/isa/isa.h"
#include "backend/gcn/sim/sim.h"

/* Numbers, the same for a seed everywhere. */
uint64_t sem_random(uint64_t *state);
/* Zeros, ones, signs, neighbours of powers of two, and floats that are special; or any number. */
uint64_t sem_corner(uint64_t *state, unsigned bits);

/* A wave of this generation: exec full, all registers defined and zero, LDS and memory there. */
hd_gcn_wave *sem_wave(hd_gcn_gen gen);
void sem_wave_free(hd_gcn_wave *wave);

/* The text of the last fault, or "". */
const char *sem_fault(void);

/* Memory: bytes around a multiple of 4 GiB. */
#define SEM_MEMORY_BASE UINT64_C(0x4fffff000)
#define SEM_MEMORY_SIZE 0x2000u
uint8_t *sem_memory(void);
uint8_t *sem_memory_undef(void);
/* Where the wave's scratch is. */
#define SEM_SCRATCH_BASE (SEM_MEMORY_BASE + 0x1000u)

/* An instruction to fill: operands stand in its own array, those that the row fixes are set. */
hd_mach_inst *sem_inst(hd_gcn_decoded *d, hd_gcn_op op);
hd_mach_operand sem_vgpr(unsigned n, unsigned size);
hd_mach_operand sem_sgpr(unsigned n, unsigned size);
hd_mach_operand sem_literal(uint32_t bits);
hd_mach_operand sem_int(int n);

/* Whether this generation has the op, in this form. */
bool sem_has(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form);
/* Ops that are expressions of scalars or of lanes, as the tables of the simulator say. */
/* But for those that change exec: test_sem_control.c. */
bool sem_is_scalar(hd_gcn_op op);
bool sem_is_vector(hd_gcn_op op);
/* Whether clamp says something of its result, which is a number or a mask of compares. */
bool sem_clamps(hd_gcn_op op);
/* Give each operand registers of its own: def n is v[SEM_DEF + 4 n] or s[SEM_DEF + 4 n], source n
 * v[SEM_SRC + 4 n] or s[SEM_SRC + 4 n], but where the row fixes or ties them. A vector instruction
 * gets its sources in vector registers where it can.
 */
#define SEM_DEF 64u
#define SEM_SRC 8u
void sem_registers(hd_mach_inst *inst);
/* Bits of a source or result as they are computed: 16, 32, 64 or 128; 1: a mask. */
unsigned sem_src_bits(hd_gcn_op op, unsigned n);
unsigned sem_def_bits(hd_gcn_op op, unsigned n);

/* Run it; it must end well, or with a fault whose text has these words. */
void sem_run(hd_gcn_wave *wave, const hd_mach_inst *inst);
void sem_fails(hd_gcn_wave *wave, const hd_mach_inst *inst, const char *words);

/* Lanes of consecutive vector registers. */
void sem_set(hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits, uint64_t value,
             uint64_t undef);
uint64_t sem_get(const hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits);
uint64_t sem_get_undef(const hd_gcn_wave *wave, unsigned vgpr, unsigned lane, unsigned bits);
/* Scalar registers. */
void sem_set_scalar(hd_gcn_wave *wave, unsigned reg, unsigned bits, uint64_t value, uint64_t undef);
uint64_t sem_get_scalar(const hd_gcn_wave *wave, unsigned reg, unsigned bits);
uint64_t sem_get_scalar_undef(const hd_gcn_wave *wave, unsigned reg, unsigned bits);

#endif
