/* SPDX-License-Identifier: MIT */
/* trip_count.h - trip counts: the number of iterations of a loop whose induction variables start with
 * constants.
 */
#ifndef HEDDLE_TRIP_COUNT_H
#define HEDDLE_TRIP_COUNT_H

#include "heddle/edit.h"

HD_BEGIN_DECLS

/* The trip count of a loop. An iteration is one execution of its header by a lane, counted from each
 * entry of the lane into the loop.
 */
typedef struct hd_trip_count {
   uint32_t max;    /* no lane makes more iterations */
   hd_if *exit;     /* the `if` that a lane leaves by in that iteration at the latest */
   bool then_exits; /* its then-arm breaks, not its else-arm */
   bool exact;      /* there is no other exit: a lane that leaves has made exactly that many */
} hd_trip_count;

/* Count the iterations of a loop by evaluating up to `limit` of them. True, and *trips is written, if
 * there is an `if` that is executed in each iteration, directly in the loop's body or in its continue
 * list, one of whose arms breaks, and whose condition is computed by ops from constants and from phis
 * of the header that are computed so themselves. hd_fold_op evaluates those ops, iteration by
 * iteration, so that sizes, wrapping and rounding are right whatever they are. Of several such ifs
 * it is the one whose condition holds first.
 *
 * False if there is none, or if none holds within `limit` iterations. Needs no metadata, changes
 * nothing, and takes time proportional to the loop's size and `limit`.
 */
HD_API bool hd_loop_trip_count(const hd_loop *loop, uint32_t limit, hd_trip_count *trips);

HD_END_DECLS

#endif
