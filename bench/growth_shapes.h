/* SPDX-License-Identifier: MIT */
/* growth_shapes.h - programs in each of which one number grows. */
#ifndef BENCH_GROWTH_SHAPES_H
#define BENCH_GROWTH_SHAPES_H

#include "shapes.h"

extern const shape growth_shapes[];
extern const unsigned num_growth_shapes;

#endif
