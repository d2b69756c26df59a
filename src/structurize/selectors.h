/* SPDX-License-Identifier: MIT */
/* selectors.h - what boolean and integer selectors share. */
#ifndef HEDDLE_STRUCTURIZE_SELECTORS_H
#define HEDDLE_STRUCTURIZE_SELECTORS_H

#include "structurize/tree.h"

/* A bit: true for lanes that wait for some targets, false for those that wait for others; for the
 * rest it does not matter.
 */
typedef struct web_bit {
   uint64_t yes, no; /* by code */
   int32_t balance;  /* conditions at hand that are the bit, less those that are its inverse */
} web_bit;

#define MAX_BITS 32u

struct selector_cost {
   uint32_t phis, others;
};

struct web_bits {
   uint32_t num;
   struct selector_cost bits_cost, number_cost;
   bool enters; /* lanes enter a cycle with it */
   web_bit bit[MAX_BITS];
};

struct selector_test {
   uint32_t web;
   const plan_group *group;
   const uint32_t *targets; /* NULL: too many */
   uint32_t num;
   uint8_t bit;
   bool inverted;
   bool is_known;         /* which numbers lanes can have here: */
   uint64_t picked, rest; /* those that it is to pick, and the others; by code */
};

struct selector_preference {
   uint32_t web, yes, no;
};

struct selector_move {
   uint32_t web, from, to;
};

/* After a test for one target: has the second arm the selectors that there were before it,
 * perhaps, and does the first one wait for one target?
 */
static inline bool
selector_has_passed(tree_builder *t, uint32_t web, const arm *arms, const lane_split *how)
{
   return how->before && how->before->kind == STATE_MANY && how->target != NONE &&
          arms[0].state.kind == STATE_ONE && arms[1].state.kind == STATE_MANY &&
          hd_tree_web_root(t, how->before->web) == hd_tree_web_root(t, web);
}

/* After collecting: which numbers are kept by lanes that go on to wait for another target. */
void hd_selector_numbers_finish(tree_builder *t);
/* Is the number of one target right for lanes that wait for another one? */
bool hd_selector_keeps_number(tree_builder *t, uint32_t web, uint32_t from, uint32_t to);
/* Which of the numbers that lanes can have at a test is it? *inverted: it tells that it is none. */
hd_def *hd_selector_compare(tree_builder *t, const state *s, const struct selector_test *test,
                            bool *inverted);
uint32_t hd_selector_compare_cost(tree_builder *t, const struct selector_test *test);

#endif
