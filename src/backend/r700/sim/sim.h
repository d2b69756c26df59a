/* SPDX-License-Identifier: MIT */
/* sim.h - the simulator: interface between its files.
 *
 *    alu.c       semantics of ALU instructions
 *    group.c     groups: slots, ports, operands; ALU clauses
 *    fetch.c     fetch clauses and exports
 *    flow.c      active lanes and the stack of masks
 *    run.c       run a wave until it ends
 *    fail.c      decode the current word; diagnostics
 *    launch.c    a dispatch: memory layout, initial registers
 */
#ifndef HEDDLE_BACKEND_R700_SIM_SIM_H
#define HEDDLE_BACKEND_R700_SIM_SIM_H

#include "backend/r700/isa/isa.h"
#include "heddle/r700_sim.h"
#include "machine/sim/dispatch.h"
#include "util/memory.h"

#define HD_R700_NUM_GPRS_ALL  128u
#define HD_R700_MAX_STACK     1024u /* elements */
#define HD_R700_LOOP_ELEMENTS 4u

/* What was pushed: the lanes that were active. Of a loop also those that wait for its end or for its
 * next iteration.
 */
typedef struct r700_element {
   bool loop;
   uint64_t active, broke, continued;
} r700_element;

typedef struct r700_wave {
   uint32_t gpr[HD_R700_NUM_GPRS_ALL][4][HD_R700_LANES];
   uint32_t previous[HD_R700_MAX_GROUP][HD_R700_LANES]; /* PV and PS, */
   unsigned previous_taken; /* of these slots; none at the beginning of a clause */
   uint64_t active, predicate;
   r700_element stack[HD_R700_MAX_STACK];
   uint32_t num_elements, size; /* size: in elements, loops as several */
   uint32_t num_pushes;
   uint32_t pc; /* of control flow */
   bool done;
} r700_wave;

typedef struct r700_buffer {
   uint32_t address, size;
} r700_buffer;

typedef struct r700_sim {
   const hd_r700_sim_options *options;
   const hd_diag_sink *sink;
   const uint64_t *words; /* and one more */
   uint32_t num_words;
   uint32_t at; /* the word at hand, for messages; and what kind it is */
   hd_r700_kind kind;
   hd_stack *stack;
   hd_mach_memory memory;
   const r700_buffer *buffers; /* resource 1 and following */
   uint32_t num_buffers;
   const uint32_t *constants[16];
   size_t num_constants[16]; /* dwords */
   uint32_t *scratch;        /* 4 dwords a quad, all quads of a lane together */
   uint32_t quads, stack_size;
   uint32_t num_gprs;          /* that the program has */
   uint32_t *exported, target; /* of bare runs; or NULL */
   uint32_t workgroup, wave_number;
   r700_wave *wave;
   uint64_t steps;
   hd_r700_sim_stats stats;
   hd_result result; /* HD_OK until something is wrong */
} r700_sim;

/* fail.c: the run ends; the message is about the word at hand. Returns false. */
bool hd_r700_sim_fail(r700_sim *s, const char *format, ...) HD_PRINTF(2, 3);
/* Decode the word at hand. False: it is none, and a diagnostic was sent. */
bool hd_r700_sim_decode(r700_sim *s, hd_r700_kind kind, uint32_t at, hd_r700_inst *inst);
/* One more of what is counted; and reported to whoever traces. False: there were too many. */
bool hd_r700_sim_count(r700_sim *s, const hd_r700_inst *inst, bool counts);
/* Report to whoever watches what a channel of a register holds. */
void hd_r700_sim_tell(r700_sim *s, unsigned gpr, unsigned chan,
                      const uint32_t values[HD_R700_LANES]);
/* run.c: the wave until it ends. False: a diagnostic says why not. */
bool hd_r700_sim_run(r700_sim *s);

/* The program has this register. */
bool hd_r700_sim_check_gpr(r700_sim *s, unsigned gpr);

/* alu.c: false: the simulator does not run it. */
bool hd_r700_sim_compute(const hd_r700_inst *inst, const uint32_t src[3], uint32_t *result);

/* Each of these: false, the run is over. */
bool hd_r700_sim_run_alu(r700_sim *s, const hd_r700_inst *cf);
bool hd_r700_sim_run_fetches(r700_sim *s, const hd_r700_inst *cf);
bool hd_r700_sim_export(r700_sim *s, const hd_r700_inst *cf);
/* One control-flow instruction; the pc goes on. */
bool hd_r700_sim_control(r700_sim *s);

#endif
