/* SPDX-License-Identifier: MIT */
/* linear_dominance.h - dominance along linear edges, and joins of definitions.
 *
 * Blocks are identified by their position in the code (`order`). A definition can reach a block on a
 * path around the block's dominator only if it is between the two in the code, or in a loop that
 * begins between them. So the first dominator of a block at which definitions can meet is found
 * without visiting the blocks between.
 */
#ifndef HEDDLE_MACHINE_LINEAR_DOMINANCE_H
#define HEDDLE_MACHINE_LINEAR_DOMINANCE_H

#include "machine/program.h"

#define HD_MACH_NO_DOM UINT32_MAX

/* All by order. */
typedef struct hd_mach_linear_dominance {
   uint32_t num;
   uint32_t *in, *size; /* preorder, and how many are below: 0 where the pc does not come */
   uint32_t *up;        /* immediate dominator, or HD_MACH_NO_DOM */
   uint32_t *jump;      /* one further up: itself, where there is none */
   /* The last block, + 1, of what cycles reach that begin after the dominator and not after the
    * block; 0: there are none. And the nearest dominator from which that is further.
    */
   uint32_t *end, *wider, *wider_jump;
} hd_mach_linear_dominance;

/* Blocks are numbered. */
void hd_mach_linear_dominance_find(hd_mach_program *p, hd_mach_linear_dominance *d);

/* What is nowhere reached is dominated by all. */
static inline bool
hd_mach_linear_dominates(const hd_mach_linear_dominance *d, uint32_t a, uint32_t b)
{
   return d->in[b] - d->in[a] < d->size[a] || !d->size[b];
}

/* The lowest of the block and its dominators where definitions can meet, if those before the block
 * are before position `before`, and those that are not are at `after` or after it. `only_one` says
 * that none meet, as only what its own dominator ends with can come there.
 */
uint32_t hd_mach_linear_meeting(const hd_mach_linear_dominance *d, uint32_t block, uint32_t before,
                                uint32_t after, bool *only_one);

#endif
