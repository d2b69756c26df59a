/* SPDX-License-Identifier: MIT */
/* work.h - how much was done, whatever the caches and the neighbours say.
 *
 * In a program that is linked with work.c and with a library that was built for counting: basic
 * blocks that were run, and blocks of bytes that the C library moved. The same input gives the same
 * number.
 */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include <stdint.h>

extern uint64_t work_done;

#endif
