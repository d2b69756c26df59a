/* SPDX-License-Identifier: MIT */
/* sim.h - the simulator's machine: waves, their registers, memory.
 *
 *    exec*.c     what one instruction does to a wave        (semantics: rows of sem.py)
 *    memory.c    bytes by address, with bounds and undefined bits
 *    in_flight.c    loads in flight, counters: registers that must not be accessed yet
 *    cycles.c    when the next instruction issues
 *    run.c       fetch, decode, barriers, workgroups
 *
 * Each bit of registers and memory has a shadow bit: 1 if it is undefined. Arithmetic propagates them to
 * the bits of the result that can depend on them.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_H
#define HEDDLE_BACKEND_GCN_SIM_H

#include "backend/gcn/isa/isa.h"

#define HD_GCN_LANES 64

typedef struct hd_gcn_machine hd_gcn_machine;

typedef struct hd_gcn_wave {
   hd_gcn_machine *machine;
   uint64_t
       pc; /* byte address of the instruction that runs; exec.c writes the next one for jumps */
   uint64_t next_pc;
   /* By source operand number: SGPRs, vcc, ttmp, m0, exec. */
   uint32_t sgpr[128], sgpr_undef[128];
   uint32_t vgpr[256][HD_GCN_LANES], vgpr_undef[256][HD_GCN_LANES];
   uint8_t scc, scc_undef;
   uint32_t mode;                 /* the register: rounding, denormals, dx10_clamp, ieee */
   uint32_t num_sgprs, num_vgprs; /* allocated: touching others is a fault */
   uint8_t *lds; /* of the workgroup, with `lds_undef` a byte of bits for each byte */
   uint8_t *lds_undef;
   uint32_t lds_size;
   uint64_t scratch_base;        /* address of this wave's scratch, for flat_scratch */
   uint64_t hidden_private_base; /* gfx8: flat_scratch_hi counts 256 bytes from here */
   /* FLAT addresses whose upper half is this are in LDS, or in the lane's scratch (gfx8, gfx9; src
    * operands 235 and 237 of gfx9 are these halves).
    */
   uint32_t lds_aperture, private_aperture;
   bool ended, at_barrier;
   uint8_t exports_done;         /* kinds of targets that have had their last: exec_graphics.c */
   uint32_t workgroup, number;   /* for messages */
   struct hd_gcn_flight *flight; /* in_flight.c */
   struct hd_gcn_clock *clock;   /* cycles.c */
} hd_gcn_wave;

/* Report a fault of the program (once; the run ends): at wave->pc, with `lane` or -1. */
void hd_gcn_tell_fault(hd_gcn_wave *wave, int lane, const char *format, ...);
/* The same where what failed is false. */
#define hd_gcn_fault(...) (hd_gcn_tell_fault(__VA_ARGS__), false)

/* exec_dispatch.c: run one decoded instruction, except what waits (s_waitcnt, s_barrier, s_nop, s_sleep,
 * s_endpgm: those are run.c's). False: a fault was reported. When it is called, all registers that
 * the operands name are allocated and may be touched, and next_pc is the one of the next
 * instruction.
 */
bool hd_gcn_execute(hd_gcn_wave *wave, const hd_mach_inst *inst);

/* cycles.c: what s_memtime reads. */
uint64_t hd_gcn_now(const hd_gcn_wave *wave);

/* memory.c: `lane` is -1 for scalar accesses. `size` is 1 to 64 bytes; `undef` has the undefined
 * bits. A fault if any byte is not mapped, or is not writable.
 */
bool hd_gcn_memory_load(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, void *data,
                        void *undef);
bool hd_gcn_memory_store(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size,
                         const void *data, const void *undef);

#endif
