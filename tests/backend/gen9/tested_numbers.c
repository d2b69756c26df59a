/* SPDX-License-Identifier: MIT */
/* tested_numbers.c - the same with block numbers. */
#define TESTED_LOWERING HD_GEN9_LOWERING_BLOCK_NUMBERS
#include "tested.c"
