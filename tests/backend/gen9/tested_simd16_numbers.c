/* SPDX-License-Identifier: MIT */
/* tested_simd16_numbers.c - the same with 16 lanes and block numbers. */
#define TESTED_LANES    16
#define TESTED_LOWERING HD_GEN9_LOWERING_BLOCK_NUMBERS
#include "tested.c"
