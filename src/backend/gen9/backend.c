/* SPDX-License-Identifier: MIT */
/* backend.c - Gen9 as hd_compile sees it: nothing is compiled for it, code is assembled and
 * disassembled.
 */
#include "backend/target.h"

const hd_backend hd_gen9_backend = { .name = "gen9", .lanes = 8 };
