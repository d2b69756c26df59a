/* SPDX-License-Identifier: MIT */
/* sim.h - the simulator: interface between its files.
 *
 *    memory.c   regions of the address space
 *    exec.c     execution of instructions
 *    run.c      threads in turns
 *    fail.c     reports of faults
 *    launch.c   a dispatch: memory layout, initial registers
 */
#ifndef HEDDLE_BACKEND_NYUZI_SIM_SIM_H
#define HEDDLE_BACKEND_NYUZI_SIM_SIM_H

#include "backend/nyuzi/isa/isa.h"
#include "heddle/nyuzi_sim.h"
#include "machine/sim/dispatch.h"
#include "util/memory.h"

typedef struct sim_thread {
   uint32_t s[32];
   uint32_t v[32][HD_NYUZI_LANES];
   uint32_t pc;     /* word */
   uint32_t linked; /* the address of load_sync, */
   bool has_link;   /* until somebody stores there */
   bool done;
} sim_thread;

typedef struct sim {
   const hd_nyuzi_sim_options *options;
   const hd_diag_sink *sink;
   const uint32_t *code;
   const hd_nyuzi_word *insts; /* decoded; op 0: it is none */
   uint32_t num_words;
   hd_mach_memory memory;
   sim_thread *threads;
   uint32_t num_threads;
   uint32_t workgroup, thread; /* that run */
   int lane;                   /* at hand, or -1 */
   hd_nyuzi_sim_stats stats;
   hd_mach_turns turns;
   hd_result result; /* HD_OK until something is wrong */
} sim;

/* fail.c: the run ends; the message is about the instruction at hand. Returns false. */
bool hd_nyuzi_sim_fail(sim *s, const char *format, ...) HD_PRINTF(2, 3);
/* An instruction as text. */
void hd_nyuzi_sim_text(const sim *s, uint32_t pc, char text[64]);
/* run.c */
/* Until all threads have ended. False: a diagnostic says why not. */
bool hd_nyuzi_sim_run(sim *s);

/* memory.c: little endian; false: with a message. */
bool hd_nyuzi_sim_load(sim *s, uint32_t address, uint32_t size, uint32_t *value);
bool hd_nyuzi_sim_store(sim *s, uint32_t address, uint32_t size, uint32_t value);

/* exec.c: one instruction; the pc goes on. */
bool hd_nyuzi_sim_step_thread(sim *s, sim_thread *t);
bool hd_nyuzi_sim_is_scalar(const hd_nyuzi_word *i);
/* The lanes that it writes or touches. */
uint32_t hd_nyuzi_sim_mask(const sim_thread *t, const hd_nyuzi_word *i);

#endif
