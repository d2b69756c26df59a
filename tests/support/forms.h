/* SPDX-License-Identifier: MIT */
/* The text and the bytes of a shader for tests, and that a shader is in order. */
#ifndef TESTS_SUPPORT_FORMS_H
#define TESTS_SUPPORT_FORMS_H

#include "heddle/ir.h"

/* To be finished by the caller. */
hd_blob text_of(const hd_shader *shader);
hd_blob bytes_of(const hd_shader *shader);

void assert_same(const hd_blob *a, const hd_blob *b);

/* The naive check finds nothing in any function. */
void assert_sound(const hd_shader *shader);

#endif
