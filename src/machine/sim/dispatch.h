/* SPDX-License-Identifier: MIT */
/* dispatch.h - simulators: arguments of a launch, and the round-robin scheduling of waves. */
#ifndef HEDDLE_MACHINE_SIM_DISPATCH_H
#define HEDDLE_MACHINE_SIM_DISPATCH_H

#include "heddle/ir.h"
#include "machine/sim/memory.h"

/* The kernel arguments of the launch, and after them the parameters of the entry, in whole units of
 * so many bytes: what is no argument is undefined. *wanted is how many components of parameters the
 * entry has; `data` is NULL if the launch has another number.
 */
hd_wave_memory hd_mach_arguments(hd_stack *stack, const hd_shader *shader,
                                 const hd_wave_launch *launch, unsigned unit, uint32_t *wanted);

/* Dimensions of the grid, where the launch does not say. */
uint32_t hd_mach_work_dim(const hd_wave_launch *launch, const uint32_t num_workgroups[3],
                          const uint32_t workgroup_size[3]);

/* Waves of one workgroup. `user` is the machine's. */
typedef struct hd_mach_turns {
   uint32_t num_waves;
   /* 0: waves run one after the other, each until it waits or ends, or for `turn` steps. Else they are
    * chosen at random, for few steps.
    */
   uint64_t seed;
   uint64_t turn; /* 0: no end */
   void *user;
   bool (*is_ready)(void *user, uint32_t wave); /* neither ended nor at a barrier */
   /* Until it is not, or so many steps are done. False: the run is over. */
   bool (*run)(void *user, uint32_t wave, uint64_t steps);
   /* Nobody is ready: let those at the barrier go on. False: there are none. NULL: the same. */
   bool (*open_barrier)(void *user);
   uint64_t random; /* kept from workgroup to workgroup; begun by hd_mach_turns_seed */
} hd_mach_turns;

void hd_mach_turns_seed(hd_mach_turns *t, uint64_t seed);
/* Until all waves have ended. False: the run is over. */
bool hd_mach_turns_run(hd_mach_turns *t);

#endif
