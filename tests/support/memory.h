/* SPDX-License-Identifier: MIT */
/* An allocator that grants a number of requests and counts what is held: for tests of no memory. */
#ifndef TESTS_SUPPORT_MEMORY_H
#define TESTS_SUPPORT_MEMORY_H

#include <stddef.h>

#include "heddle/base.h"

struct limited {
   size_t left; /* requests that are still granted */
   size_t held; /* bytes */
};

/* A configuration that allocates from l, which must outlive what is made with it. */
hd_config limited_config(struct limited *l);

#endif
