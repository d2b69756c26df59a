/* SPDX-License-Identifier: MIT */
/* put.h - a program that is written piece by piece, as text. */
#ifndef TESTS_SUPPORT_PUT_H
#define TESTS_SUPPORT_PUT_H

#include <stddef.h>

#include "heddle/base.h"

/* The program that is being written, or was written last; set the length to 0 to begin. */
extern char text[1 << 17];
extern size_t length;

/* A test fails whose program does not fit. */
void put(const char *format, ...) HD_PRINTF(1, 2);

#endif
