/* SPDX-License-Identifier: MIT */
/* trip_count.h - trip counts: the number of iterations of a loop whose induction variables start with
 * constants.
 */
#ifndef HEDDLE_TRIP_COUNT_H
#define HEDDLE_TRIP_COUNT_H

#include "heddle/edit.h"

HD_BEGIN_DECLS

/* The trip count of a loop. A run is one execution of its header by a lane, counted from each entry
 * of the lane into the loop.
 */
typedef struct hd_trip_count {
   uint32_t max;    /* no lane makes more iterations */
   hd_if *exit;     /* the `if` that a lane leaves by in that run at the latest, by a break */
   bool then_exits; /* its then-arm breaks, not its else-arm */
   bool exact;      /* nothing else leaves: a lane that leaves has made just so many runs */
} hd_trip_count;

/* Count the runs of a loop, following up to `limit` of them. True, and *trips is written, if there
 * is an `if` that each run comes to, right in the loop's body or in its continue list, one of whose
 * arms breaks, and whose condition is made by ops from constants and from phis of the header that
 * are so made themselves. What those ops give is what hd_fold_op says, run by run, so that sizes,
 * wrapping and rounding are right whatever they are. Where there are several such ifs it is the one
 * that comes true first.
 *
 * False if there is none, or if none comes true within `limit` runs. Needs no metadata, changes
 * nothing, and takes time proportional to the loop's size and `limit`.
 */
HD_API bool hd_loop_trip_count(const hd_loop *loop, uint32_t limit, hd_trip_count *trips);

HD_END_DECLS

#endif
