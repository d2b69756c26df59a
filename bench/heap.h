/* SPDX-License-Identifier: MIT */
/* heap.h - what is freed stays with the process.
 *
 * A driver's threads compile one shader after the other, and what one frees the next one gets.
 * Without this, each round on a large program would measure how fast the kernel clears pages.
 */
#ifndef BENCH_HEAP_H
#define BENCH_HEAP_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static inline void
keep_freed_memory(void)
{
#ifdef __GLIBC__
   mallopt(M_MMAP_THRESHOLD, 32 << 20);
   mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

#endif
