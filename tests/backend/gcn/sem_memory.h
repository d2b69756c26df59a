/* SPDX-License-Identifier: MIT */
/* sem_memory.h - what loads, stores and atomics must do, whatever memory they reach. */
#ifndef TESTS_BACKEND_GCN_SEM_MEMORY_H
#define TESTS_BACKEND_GCN_SEM_MEMORY_H

#include "sem.h"

/* How memory is reached: `space` has its bytes; lane l of the instruction must touch those from
 * first + l * stride on, or, where lanes are interleaved by dwords, those from `first` of its own.
 */
typedef struct sem_way {
   const char *name;
   uint8_t *space, *space_undef;
   size_t size;
   uint64_t first;
   unsigned stride;
   bool interleaved;
} sem_way;

/* Byte of a lane. */
uint64_t sem_place(const sem_way *w, unsigned lane, unsigned byte);
uint64_t sem_little_endian(const uint8_t *bytes, unsigned size);
/* The newest name of an op: how many bytes it moves and how is read from that. */
const char *sem_name(hd_gcn_op op);
/* Bytes of memory and LDS that differ from their neighbours. */
void sem_fill_memory(hd_gcn_wave *wave);

/* Run the instruction, whose address registers are set, for the lanes of `exec`, which is set too.
 * The result is in v[SEM_DEF], data in v[data].
 */
void sem_check_load(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w, uint64_t exec);
void sem_check_store(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w, uint64_t exec,
                     unsigned data);
/* `prefix` of the name stands before what the atomic does. `returns`: it writes its first def.
 * `swapped`: what is compared comes in `data`, what is written in `data2`.
 */
void sem_check_atomic(hd_gcn_wave *wave, const hd_mach_inst *inst, const sem_way *w,
                      const char *prefix, unsigned data, unsigned data2, bool returns,
                      bool swapped);

#endif
