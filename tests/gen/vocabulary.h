/* SPDX-License-Identifier: MIT */
/* vocabulary.h - which ops and intrinsics random programs draw.
 *
 * A test that names a seed means one program, so a program must not change when a row is added to
 * the tables. Each program draws from a list that stays as it is; every eighth draws, half of the
 * time, what is in the tables and not in the list.
 */
#ifndef HEDDLE_TESTS_VOCABULARY_H
#define HEDDLE_TESTS_VOCABULARY_H

#include "heddle/ops.h"

#define MAX_NEWER 256

typedef struct vocabulary {
   const uint16_t *ops, *intrinsics; /* the list */
   unsigned num_ops, num_intrinsics;
   uint16_t newer_ops[MAX_NEWER], newer_intrinsics[MAX_NEWER]; /* none in most programs */
   unsigned num_newer_ops, num_newer_intrinsics;
} vocabulary;

/* What the program of this seed draws. */
void vocabulary_init(vocabulary *v, uint64_t seed);

/* Whether every program may draw it. */
bool is_listed_op(hd_op op);
bool is_listed_intrinsic(hd_intrinsic_id id);

#endif
