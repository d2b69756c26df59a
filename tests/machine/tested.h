/* SPDX-License-Identifier: MIT */
/* tested.h - the machine whose compiler and simulator are compared with the interpreter, in tests that
 * several machines share: tested_*.c. Each is linked with the tested.c of a backend.
 */
#ifndef HEDDLE_TESTS_MACHINE_TESTED_H
#define HEDDLE_TESTS_MACHINE_TESTED_H

#include "heddle/emit.h"
#include "heddle/wave.h"

typedef struct tested_machine {
   unsigned lanes;
   /* Passes that single ops need before selection, and are not what is tested. */
   const char *passes;
   /* `variant` is which options: 0 those that the machine has when nobody asks for others, odd ones few
    * registers.  `passes` NULL: the machine's.
    */
   hd_result (*compile)(const hd_shader *shader, uint64_t variant, const char *passes,
                        const hd_diag_sink *sink, void **binary);
   hd_result (*run)(const void *binary, const hd_shader *shader, const hd_wave_launch *launch,
                    uint64_t seed, uint64_t max_steps, const hd_diag_sink *sink);
   /* A run that is watched: hd_gcn_sim_options, hd_gen9_sim_options and so on. */
   hd_result (*watch)(const void *binary, const hd_shader *shader, const hd_wave_launch *launch,
                      void *user, void (*wrote)(void *user, const hd_wave_register *reg),
                      void (*stored)(void *user, const hd_wave_stored *store));
   void (*destroy)(void *binary); /* NULL is allowed */
   /* Lowers functions of floats to what computes them to within a bound: programs are compared as they are
    * after it. NULL: the machine has them, or they are exact.
    */
   const char *functions;
   bool no_cross_lane; /* it has nothing that reads other lanes */
   bool whole_dwords;  /* it stores nothing less */
} tested_machine;

extern const tested_machine tested;

/* Of machines whose hook is that of emit.h, for tested_own.c: what compilations are given as the hook,
 * and instructions by their names.
 */
typedef struct tested_ops {
   const char *add, *exclusive_or, *less, *refused;
   const char *const *all[3]; /* those that give numbers, by their operands; each ends with NULL */
   bool greater;              /* `less` is of the operands the other way round */
} tested_ops;

extern hd_select_own *tested_select_own;
extern const tested_ops tested_own_ops;

#endif
