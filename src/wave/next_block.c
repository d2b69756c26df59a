/* SPDX-License-Identifier: MIT */
/* next_block.c - the scheduler of a wave: which block runs next. doc/meaning.md has the rules.
 *
 * A sweep: places are visited in order, a cycle again as long as a lane waits at its header, before
 * anything after it. Places at which no lane waits are stepped over by looking at `occupied`, a bit
 * for each place. That finds the same next block as visiting them all would. Lanes wait only at
 * places after the one that ran last, or at headers of cycles around it: a forward edge goes to a
 * later place, one that goes back goes to the header of a cycle that holds both its ends, and when
 * a cycle was left for good nothing waited at its header. So the next block is the first occupied
 * place up to the end of the innermost cycle around; if there is none, that cycle's header if a
 * lane waits there; if not, the same is asked of the cycle around it.
 *
 * In a structured function the cycles are the loops that can repeat, and the sweep order is that of
 * the text. So lanes that break wait after the loop, those that continue at its continue list, and
 * those that take the then-list at the if's end, while the others catch up: the meaning of a tree.
 *
 * One pc: the lanes of a divergent branch that go to its primary successor wait there, and the pc
 * goes to the other one. Who waits at the block that the pc reaches runs it. A mask per block
 * serves for all the branches that park at it, as they are all added and cleared at once.
 *
 * Linear: places are the steps of an hd_linear. A lane waits at a step that is still ahead: one
 * that goes back waits at the latch, which takes it to the header. So a lane is lost if no latch is
 * ahead, or if a join passes over it, and both are seen when they happen.
 */
#include "wave/wave.h"

static bool
is_occupied(const hd_frame *f, uint32_t place)
{
   return f->occupied[place / 64] >> place % 64 & 1;
}

/* The first occupied place from `from` on, below `end`; `end` if there is none. */
static uint32_t
next_occupied(const hd_frame *f, uint32_t from, uint32_t end)
{
   if (from >= end)
      return end;
   uint32_t word = from / 64;
   uint64_t bits = f->occupied[word] & UINT64_MAX << from % 64;
   while (!bits && (word + 1) * UINT64_C(64) < end)
      bits = f->occupied[++word];
   if (!bits)
      return end;
   uint32_t place = word * 64 + (uint32_t)__builtin_ctzll(bits);
   return place < end ? place : end;
}

static void
add_waiting(hd_frame *f, uint32_t place, hd_wave_mask lanes)
{
   f->waiting[place] = mask_or(f->waiting[place], lanes);
   f->occupied[place / 64] |= UINT64_C(1) << place % 64;
}

hd_wave_mask
hd_wave_take_waiting(hd_frame *f, uint32_t place)
{
   const hd_wave_mask lanes = f->waiting[place];

   f->waiting[place] = mask_none();
   f->occupied[place / 64] &= ~(UINT64_C(1) << place % 64);
   return lanes;
}

/* Sweeps */

static uint32_t
next_in_sweep(const hd_frame *f)
{
   const hd_code *code = f->code;
   uint32_t from = f->place == HD_CODE_END ? 0 : f->place + 1;
   uint32_t c = f->place == HD_CODE_END ? HD_NO_CYCLE : code->blocks[f->place].cycle;

   for (; c != HD_NO_CYCLE; c = code->cycles[c].parent) {
      const hd_code_cycle *cycle = &code->cycles[c];
      uint32_t place = next_occupied(f, from, cycle->end);
      if (place < cycle->end)
         return place;
      if (mask_any(f->waiting[cycle->header]))
         return cycle->header;
      from = cycle->end;
   }
   uint32_t place = next_occupied(f, from, code->num_blocks);
   return place < code->num_blocks ? place : HD_CODE_END;
}

/* One pc */

/* After a block that none of its lanes left by an edge: the nearest place that they would have come
 * to and at which others are parked. There is one only if they ended in a call, since what is
 * parked waits at a post-dominator, and no path to an end passes that by.
 */
static uint32_t
nearest_parked(const hd_wave *w)
{
   const hd_frame *f = w->frame;
   uint32_t place = f->place;

   do {
      place = f->code->flow[place].post_idom;
   } while (place != HD_CODE_END && !mask_any(mask_without(f->waiting[place], w->ended)));
   return place;
}

static void
leave_on_one_pc(hd_wave *w, const hd_code_block *b)
{
   hd_frame *f = w->frame;
   const hd_code_flow *flow = &f->code->flow[f->place];

   if (!f->num_edges_taken) {
      f->pc = nearest_parked(w);
   } else if (f->num_edges_taken > 1) {
      if (!b->divergent)
         hd_wave_fault(w, b->block->last, HD_WAVE_MAX_LANES,
                       "lanes diverge at a branch that divergence analysis calls uniform");
      f->pc = b->edges[b->edges[0].to == flow->primary].to;
   }
}

/* Lanes */

void
hd_wave_wait(hd_wave *w, uint32_t place, hd_wave_mask lanes)
{
   hd_frame *f = w->frame;
   const hd_code *code = f->code;

   if (code->mode == HD_WAVE_LINEAR && place <= f->place) {
      const uint32_t latch = code->steps[place].latch;
      if (latch == HD_CODE_END || latch < f->place)
         hd_wave_fault(w, NULL, hd_wave_mask_first(lanes),
                       "goes back from step %u to step %u, and no latch ahead leads there",
                       f->place, place);
      place = latch;
   }
   add_waiting(f, place, lanes);
   f->pc = place;
   f->num_edges_taken++;
}

void
hd_wave_leave_block(hd_wave *w)
{
   hd_frame *f = w->frame;

   if (f->code->mode == HD_WAVE_ONE_PC)
      leave_on_one_pc(w, &f->code->blocks[f->place]);
   f->num_edges_taken = 0;
}

/* Linear */

static void
check_skip(hd_wave *w, uint32_t from, uint32_t to)
{
   const hd_frame *f = w->frame;
   const uint32_t lost = next_occupied(f, from + 1, to);

   if (lost < to)
      hd_wave_fault(w, NULL, hd_wave_mask_first(f->waiting[lost]),
                    "is lost: it waits at step %u, and step %u, where none waits, joins at %u",
                    lost, from, to);
}

static uint32_t
next_step(hd_wave *w)
{
   hd_frame *f = w->frame;
   const hd_code *code = f->code;
   uint32_t at = f->place == HD_CODE_END ? 0 : f->place + 1;

   while (at < code->num_blocks) {
      const hd_code_step *s = &code->steps[at];
      if (is_occupied(f, at)) {
         if (s->header == HD_CODE_END)
            return at;
         add_waiting(f, s->header, hd_wave_take_waiting(f, at));
         return s->header;
      }
      if (s->header != HD_CODE_END) {
         at++;
         continue;
      }
      if (!s->may_be_empty && !f->emptied)
         hd_wave_fault(w, NULL, HD_WAVE_MAX_LANES,
                       "no lane waits at step %u, which must not be empty", at);
      check_skip(w, at, s->join);
      at = s->join;
   }
   return HD_CODE_END;
}

uint32_t
hd_wave_next_place(hd_wave *w)
{
   hd_frame *f = w->frame;

   switch (f->code->mode) {
   case HD_WAVE_ONE_PC:
      /* No lane is there where all of the wave ended, or none began. */
      if (f->pc != HD_CODE_END && mask_any(mask_without(f->waiting[f->pc], w->ended)))
         return f->pc;
      return HD_CODE_END;
   case HD_WAVE_LINEAR:
      return next_step(w);
   default:
      return next_in_sweep(f);
   }
}
