/* SPDX-License-Identifier: MIT */
/* module_absent.c - a build that does not read SPIR-V is given no module to show. */
#include "explore/explore.h"

void
hd_explore_module(side *s, const uint32_t *words, size_t num)
{
   (void)s;
   (void)words;
   (void)num;
}
