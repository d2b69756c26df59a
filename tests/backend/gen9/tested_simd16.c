/* SPDX-License-Identifier: MIT */
/* tested_simd16.c - the same with 16 lanes. */
#define TESTED_LANES 16
#include "tested.c"
