/* SPDX-License-Identifier: MIT */
/* test.h - what every test program includes first: cmocka, and the headers that it wants before. */
#ifndef HEDDLE_TESTS_TEST_H
#define HEDDLE_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka 2 warns of the name that cmocka 1 has. */
#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#endif
