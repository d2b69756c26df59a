/* SPDX-License-Identifier: MIT */
/* dead_flat.h - opt_dead_cf for flat functions. */
#ifndef HEDDLE_PASSES_DEAD_FLAT_H
#define HEDDLE_PASSES_DEAD_FLAT_H

#include "passes/splice.h"

/* True if something changed. */
bool hd_remove_dead_flat(hd_function *f);

#endif
