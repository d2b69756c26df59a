/* SPDX-License-Identifier: MIT */
/* refuse.h - give up with a diagnostic. */
#ifndef HEDDLE_UTIL_REFUSE_H
#define HEDDLE_UTIL_REFUSE_H

#include "util/memory.h"

/* Send a diagnostic of at most 511 bytes to the heap's sink, and unwind with this result. */
HD_NORETURN void hd_heap_refuse(hd_heap *heap, hd_result result, const char *format, ...)
    HD_PRINTF(3, 4);

#endif
