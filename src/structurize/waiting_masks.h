/* SPDX-License-Identifier: MIT */
/* waiting_masks.h - how many masks of waiting lanes a machine needs for a reconverging function. */
#ifndef HEDDLE_STRUCTURIZE_WAITING_MASKS_H
#define HEDDLE_STRUCTURIZE_WAITING_MASKS_H

#include "heddle/analysis.h"

/* The sum over the blocks of a reconverging function of the masks that are live there and have
 * several writers. An estimate from the graph: a machine may need fewer. hd_require is called; to
 * be called inside an unwinding point.
 */
uint64_t hd_count_waiting_masks(hd_function *f);

#endif
