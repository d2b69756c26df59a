/* SPDX-License-Identifier: MIT */
/* lower_idiv.h - division by a constant, for lower_idiv.c. */
#ifndef HEDDLE_PASSES_LOWER_IDIV_H
#define HEDDLE_PASSES_LOWER_IDIV_H

#include "passes/lower.h"

/* udiv, idiv, urem, irem or imod of x by d, as many bits as x has, in all components. */
hd_def *hd_divide_by_const(hd_builder *b, hd_op op, hd_def *x, uint64_t d);

#endif
