/* SPDX-License-Identifier: MIT */
/* refuse.h - reject an invalid launch, with a diagnostic, for all entry points. */
#ifndef HEDDLE_BACKEND_GCN_SIM_REFUSE_H
#define HEDDLE_BACKEND_GCN_SIM_REFUSE_H

#include "util/memory.h"

/* Send a diagnostic to the heap's sink, and unwind with this result. */
HD_NORETURN void hd_gcn_refuse_launch(hd_heap *heap, hd_result result, const char *format, ...)
    HD_PRINTF(3, 4);

#endif
