/* SPDX-License-Identifier: MIT */
/* launch.h - simulators: a launch of hd_wave_run, for machines without a driver interface: its checks,
 * arguments and buffers. The machine defines the memory layout and the initial registers of waves.
 */
#ifndef HEDDLE_MACHINE_SIM_LAUNCH_H
#define HEDDLE_MACHINE_SIM_LAUNCH_H

#include "heddle/target.h"
#include "machine/sim/dispatch.h"
#include "machine/sim/memory.h"

/* A machine's own begins with it. */
typedef struct hd_mach_launch {
   const hd_shader *shader;
   const hd_wave_launch *from;
   const hd_diag_sink *sink;
   hd_stack *stack;
   hd_mach_memory *memory;      /* of addresses of 32 bits, for the two below that place */
   hd_result result;            /* HD_OK until something is refused */
   uint32_t groups[3], size[3]; /* workgroups; lanes of one */
   unsigned wave_lanes;
   uint32_t lanes, waves; /* of a workgroup */
   uint64_t num_waves;    /* with lanes, of all workgroups that were begun */
} hd_mach_launch;

/* With memory that lasts until it returns: call `body`, which reads and writes the rest. The sink is
 * `diag`, or the shader's. The result is that of memory, or what was refused.
 */
hd_result hd_mach_launch_run(hd_mach_launch *l, const hd_diag_sink *diag,
                             void (*body)(hd_mach_launch *l));

bool HD_PRINTF(2, 3) hd_mach_launch_refuse(hd_mach_launch *l, const char *format, ...);
/* Sizes, for waves of so many lanes of which a workgroup has so many at most. False: refused. */
bool hd_mach_launch_measure(hd_mach_launch *l, unsigned wave_lanes, uint32_t max_waves);
/* Give it an address, between bytes that nobody may touch; nothing has an address, too. False: refused. */
bool hd_mach_launch_place(hd_mach_launch *l, const hd_wave_memory *memory, bool read_only,
                          uint32_t *address);
/* Regions of global memory where they are, by the lower half of their addresses. False: refused. */
bool hd_mach_launch_regions(hd_mach_launch *l);
/* What load_kernarg reads, and after it the parameters of the entry. False: refused. */
bool hd_mach_launch_arguments(hd_mach_launch *l, hd_wave_memory *memory);
/* The buffers of bindings, one after the other: `place` is called for each, with its number. What
 * the launch does not have is one of no bytes; none has 4 GiB. False: refused.
 */
bool hd_mach_launch_buffers(hd_mach_launch *l, const hd_buffer_binding *bindings, uint32_t num,
                            bool (*place)(hd_mach_launch *l, uint32_t number,
                                          const hd_wave_memory *memory));
/* The lanes that a wave begins with. */
uint32_t hd_mach_launch_mask(hd_mach_launch *l, uint32_t wave);
/* Each workgroup, until `run` returns false. */
bool hd_mach_launch_groups(hd_mach_launch *l,
                           bool (*run)(hd_mach_launch *l, const uint32_t group[3]));

#endif
