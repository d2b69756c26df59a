/* SPDX-License-Identifier: MIT */
/* module_absent.c - explorer: no disassembly, for builds without SPIR-V. */
#include "explore/explore.h"

void
hd_explore_module(side *s, const uint32_t *words, size_t num)
{
   (void)s;
   (void)words;
   (void)num;
}
