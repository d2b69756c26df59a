/* SPDX-License-Identifier: MIT */
/* machine.h - differential test of the backend: compiled code against the interpreter. */
#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

#include "observe.h"

/* Compile a program that ends for each chip, with both control-flow lowerings, with all registers and with few, and
 * run each in the simulator; of graphs with more than three inner blocks one of these ways, which
 * depends on the seed. False: `what` says in which way, and `crew` and `wave` which one shows it.
 */
bool machine_agrees(const program *p, const crew *crews, unsigned num_crews, char what[256],
                    unsigned *crew, unsigned *wave);

#endif
