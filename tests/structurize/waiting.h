/* SPDX-License-Identifier: MIT */
/* waiting.h - all that can happen on a line of steps, by trying it.
 *
 * A state is the step that control is at and the set of places where lanes wait; how many wait
 * makes no difference. A block sends its lanes to any of its successors, in all ways. States are
 * followed as linear.h says, joins included, until no new one is found. Nothing is shared with
 * src/structurize.
 */
#ifndef TEST_STRUCTURIZE_WAITING_H
#define TEST_STRUCTURIZE_WAITING_H

#include <heddle/heddle.h>

#define WAITING_MAX_STEPS 30

struct waiting {
   bool seen[WAITING_MAX_STEPS];  /* control comes here */
   bool empty[WAITING_MAX_STEPS]; /* with no lane waiting here */
   /* The first place after it where a lane waits then, of all times; num_steps: the end. */
   uint32_t first[WAITING_MAX_STEPS];
   unsigned states;
};

/* NULL, or what is wrong: a lane is passed by, a step that must not be empty is. Where there are
 * too many states or steps, `states` is 0. With `calls_end` the lanes of a block with a call may
 * end.
 */
const char *try_all(const hd_linear *linear, bool calls_end, struct waiting *out);

#endif
