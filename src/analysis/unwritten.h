/* SPDX-License-Identifier: MIT */
/* unwritten.h - which loads read memory that nobody has written yet. */
#ifndef HEDDLE_ANALYSIS_UNWRITTEN_H
#define HEDDLE_ANALYSIS_UNWRITTEN_H

#include "heddle/ir.h"
#include "util/memory.h"

/* Memory that others may write meanwhile, by hd_memory_class: the two that can be one and the same. */
#define HD_SHARED_WRITABLE ((unsigned)(HD_MEMORY_GLOBAL | HD_MEMORY_BUFFER))

/* For each intrinsic that has a result, by hd_def.index: whether the access says that what it reads is
 * read alone, or no path from the start to it contains a store, an atomic, or a barrier after which
 * stores of others are visible. Returns what of HD_SHARED_WRITABLE the function writes anywhere.
 * `unwritten` is as long as the function has values. Needs HD_META_BLOCK_ORDER; unwinds.
 */
unsigned hd_find_unwritten(hd_stack *stack, hd_function *f, uint8_t *unwritten);

#endif
