/* SPDX-License-Identifier: MIT */
#include "waiting.h"

#include <string.h>

#define MAX_STATES (1u << 17)

struct state {
   uint32_t at, places; /* `places`: bit num_steps is the end */
};

struct explorer {
   const hd_linear *linear;
   bool calls_end;
   struct state state[MAX_STATES];
   unsigned num;
   uint32_t slot[2 * MAX_STATES]; /* hash: number of a state, plus 1 */
   const char *fault;
};

static void
come_to(struct explorer *x, uint32_t at, uint32_t places)
{
   uint64_t hash = (uint64_t)places * 0x9e3779b97f4a7c15u + at * 0xbf58476d1ce4e5b9u;
   uint32_t slot = (uint32_t)(hash >> 40) % (2 * MAX_STATES);

   if (places & ((1u << at) - 1))
      x->fault = "a lane waits at a step that was passed";
   for (; x->slot[slot]; slot = (slot + 1) % (2 * MAX_STATES)) {
      const struct state *known = &x->state[x->slot[slot] - 1];
      if (known->at == at && known->places == places)
         return;
   }
   if (x->num == MAX_STATES)
      return;
   x->state[x->num++] = (struct state){ at, places };
   x->slot[slot] = x->num;
}

/* Where a lane waits that goes from step `at` to a block. */
static uint32_t
place_of(const hd_linear *linear, uint32_t at, const hd_block *to)
{
   if (hd_block_is_end(to))
      return linear->num_steps;
   uint32_t step = linear->step_of_block[to->node.index];
   if (step > at)
      return step;
   for (uint32_t n = at; n < linear->num_steps; n++) {
      if (!linear->steps[n].block && linear->steps[n].header == step)
         return n;
   }
   return 0;
}

static void
run_block(struct explorer *x, const hd_block *b, uint32_t at, uint32_t others)
{
   uint32_t place[40], num = 0;

   for (uint32_t n = 0; n < b->num_succs; n++)
      place[num++] = place_of(x->linear, at, b->succs[n].to);
   hd_foreach_instr(i, b) {
      if (i->kind == HD_INSTR_CALL && x->calls_end)
         place[num++] = x->linear->num_steps;
   }
   for (uint32_t ways = 1; ways < 1u << num; ways++) {
      uint32_t places = others;
      for (uint32_t n = 0; n < num; n++) {
         if (ways >> n & 1)
            places |= 1u << place[n];
      }
      come_to(x, at + 1, places);
   }
}

static void
go_on(struct explorer *x, struct state s, struct waiting *out)
{
   const hd_linear_step *step = &x->linear->steps[s.at];
   const uint32_t here = 1u << s.at, others = s.places & ~here;

   out->seen[s.at] = true;
   if (s.places & here) {
      if (step->block)
         run_block(x, step->block, s.at, others);
      else
         come_to(x, step->header, others | 1u << step->header);
      return;
   }
   uint32_t first = (uint32_t)__builtin_ctz(s.places);
   if (!out->empty[s.at] || first < out->first[s.at])
      out->first[s.at] = first;
   out->empty[s.at] = true;
   if (!step->may_be_empty)
      x->fault = "a step is empty that must not be";
   uint32_t join = step->block ? step->join : s.at + 1;
   come_to(x, join == HD_LINEAR_END ? x->linear->num_steps : join, s.places);
}

const char *
try_all(const hd_linear *linear, bool calls_end, struct waiting *out)
{
   static struct explorer x;

   memset(out, 0, sizeof(*out));
   if (linear->num_steps > WAITING_MAX_STEPS)
      return NULL;
   memset(x.slot, 0, sizeof(x.slot));
   x.linear = linear;
   x.calls_end = calls_end;
   x.num = 0;
   x.fault = NULL;
   come_to(&x, 0, 1);
   for (unsigned n = 0; n < x.num && !x.fault; n++) {
      if (x.state[n].at < linear->num_steps)
         go_on(&x, x.state[n], out);
   }
   out->states = x.num < MAX_STATES ? x.num : 0;
   return x.fault;
}
