/* SPDX-License-Identifier: MIT */
/* steps.h - passes with options, chosen by bytes of a fuzzer. */
#ifndef TESTS_FUZZ_STEPS_H
#define TESTS_FUZZ_STEPS_H

#include "heddle/pass.h"

#include "support/options.h"

struct bytes {
   const uint8_t *next, *end;
};

static inline unsigned
next_byte(struct bytes *b)
{
   return b->next < b->end ? *b->next++ : 0;
}

/* Eight bytes. */
static inline uint64_t
next_seed(struct bytes *b)
{
   uint64_t seed = 0;

   for (unsigned n = 0; n < 8; n++)
      seed = seed << 8 | next_byte(b);
   return seed;
}

/* One byte for the pass, one for each option: above 128 its usual value, else one near its least,
 * or anywhere between, if there are fewer than 128.
 */
static inline hd_pass_step
next_step(struct bytes *b)
{
   hd_pass_step step = hd_pass_step_default(hd_pass_get(next_byte(b) % hd_num_passes()));

   for (uint32_t n = 0; n < step.pass->num_options; n++) {
      const hd_pass_option *o = &step.pass->options[n];
      const unsigned byte = next_byte(b);
      if (byte < 128 && !is_approximate(step.pass, o))
         step.values[n] = o->low + (o->high - o->low < 128 ? byte % (o->high - o->low + 1) : byte);
   }
   return step;
}

#endif
