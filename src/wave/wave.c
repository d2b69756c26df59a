/* SPDX-License-Identifier: MIT */
/* wave.c - execution of one wave: call frames, edges, phis, returns and halts. */
#include "wave/wave.h"
#include "util/sizes.h"

unsigned
hd_wave_mask_first(hd_wave_mask m)
{
   for (unsigned n = 0; n < 2; n++) {
      if (m.word[n])
         return n * 64 + (unsigned)__builtin_ctzll(m.word[n]);
   }
   return HD_WAVE_MAX_LANES;
}

unsigned
hd_wave_mask_list(hd_wave_mask m, uint8_t lanes[HD_WAVE_MAX_LANES])
{
   unsigned count = 0;

   for (unsigned n = 0; n < 2; n++) {
      for (uint64_t rest = m.word[n]; rest; rest &= rest - 1)
         lanes[count++] = (uint8_t)(n * 64 + (unsigned)__builtin_ctzll(rest));
   }
   return count;
}

static void
set_active(hd_wave *w, hd_wave_mask active)
{
   /* Mostly the lanes that were listed last go on. */
   if (!mask_equal(active, w->listed)) {
      w->count = hd_wave_mask_list(active, w->lanes);
      w->all = mask_equal(active, mask_first(w->count));
      w->listed = active;
   }
   w->active = active;
}

static void
step(hd_wave *w)
{
   if (w->run->steps_left-- == 0)
      hd_wave_out_of_steps(w);
   hd_heap_step(&w->run->heap, 1);
}

/* So many steps at once, if there are as many. */
static bool
take_steps(hd_wave_run_state *run, uint32_t count)
{
   if (run->steps_left < count || run->heap.steps_left < count)
      return false;
   run->steps_left -= count;
   return hd_heap_step(&run->heap, count);
}

/* Of those that were taken. */
static void
give_back_steps(hd_wave_run_state *run, uint32_t count)
{
   run->steps_left += count;
   if (run->heap.steps_left != UINT64_MAX)
      run->heap.steps_left += count;
}

/* Frames */

/* Memory that is filled is work, a step for each so many bytes. */
#define BYTES_A_STEP 4096u

void
hd_wave_push_frame(hd_wave *w, const hd_code *code, const hd_code_instr *call, hd_wave_mask lanes)
{
   const size_t width = w->run->width, num_words = (size_t)code->num_blocks / 64 + 1;
   const hd_stack_mark mark = hd_stack_get_mark(&w->stack);
   hd_frame *f = hd_stack_alloc_zero(&w->stack, sizeof(*f));

   f->mark = mark;
   f->caller = w->frame;
   f->call = call;
   f->code = code;
   f->depth = w->frame ? w->frame->depth + 1 : 0;
   const size_t row_bytes = array_size(code->num_rows, width * sizeof(uint64_t));
   hd_heap_step(&w->run->heap, row_bytes / BYTES_A_STEP);
   f->rows = hd_stack_alloc_zero(&w->stack, row_bytes + 1);
   f->undef = hd_stack_alloc(&w->stack, array_size(code->num_rows, sizeof(hd_wave_mask)) + 1);
   for (uint32_t n = 0; n < code->num_rows; n++)
      f->undef[n] = freezes_undefined(w) ? mask_none() : mask_first((unsigned)width);
   f->waiting = hd_stack_alloc_zero(&w->stack, code->num_blocks * sizeof(hd_wave_mask));
   f->occupied = hd_stack_alloc_zero(&w->stack, num_words * sizeof(uint64_t));
   f->entered = lanes;
   f->waiting[0] = lanes;
   f->occupied[0] = 1;
   f->place = HD_CODE_END;
   if (freezes_undefined(w))
      hd_wave_freeze_variables(w, f);
   f->emptied = !mask_any(mask_without(lanes, w->ended));
   w->frame = f;
}

static void
pop_frame(hd_wave *w)
{
   const hd_frame *f = w->frame;

   w->frame = f->caller;
   hd_stack_release(&w->stack, f->mark);
}

/* A wave with only helpers left ends. */
static void
end_helpers(hd_wave *w)
{
   if (mask_any(w->helper) &&
       !mask_any(mask_without(mask_first(w->run->width), mask_or(w->ended, w->helper))))
      w->ended = mask_first(w->run->width);
}

void
hd_wave_end_lanes(hd_wave *w, hd_wave_mask lanes)
{
   w->ended = mask_or(w->ended, lanes);
   end_helpers(w);
   set_active(w, mask_without(w->active, w->ended));
}

void
hd_wave_call(hd_wave *w, const hd_code_instr *i)
{
   const hd_code *code = i->callee;
   const size_t width = w->run->width;
   hd_frame *caller = w->frame;

   hd_wave_push_frame(w, code, i, w->active);
   hd_frame *callee = w->frame;
   w->frame = caller; /* for reading the arguments */
   for (uint32_t n = 0; n < i->num_srcs; n++) {
      for (unsigned c = 0; c < i->srcs[n].num_components; c++) {
         const size_t row = (size_t)code->params[n].row + c;
         memcpy(callee->rows + row * width, row_of(w, &i->srcs[n], c), width * sizeof(uint64_t));
         callee->undef[row] = *undef_of(w, &i->srcs[n], c);
      }
   }
   w->frame = callee;
}

/* Edges */

static hd_code_edge const *
edge_of_case(const hd_code_block *b, uint64_t value)
{
   uint32_t low = 0, high = b->num_cases;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (b->cases[middle].value < value)
         low = middle + 1;
      else
         high = middle;
   }
   bool found = low < b->num_cases && b->cases[low].value == value;
   return &b->edges[found ? b->cases[low].succ : 0];
}

static void
copy_row(hd_wave *w, const hd_code_copy *copy, unsigned c, hd_wave_mask lanes)
{
   uint64_t *dst = row_of(w, &copy->dst, c);
   const uint64_t *src = row_of(w, &copy->src, c);
   hd_wave_mask *undef = undef_of(w, &copy->dst, c);

   if (mask_equal(lanes, mask_first(w->run->width))) {
      memcpy(dst, src, w->run->width * sizeof(*dst));
   } else {
      for (unsigned n = 0; n < 2; n++) {
         for (uint64_t rest = lanes.word[n]; rest; rest &= rest - 1) {
            unsigned l = n * 64 + (unsigned)__builtin_ctzll(rest);
            dst[l] = src[l];
         }
      }
   }
   *undef = mask_merge(*undef, *undef_of(w, &copy->src, c), lanes);
}

/* All sources are read before any phi is written. */
static void
copy_parallel(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes)
{
   const size_t width = w->run->width;
   const hd_stack_mark mark = hd_stack_get_mark(&w->stack);
   size_t rows = 0, at = 0;

   for (uint32_t n = 0; n < edge->num_copies; n++)
      rows += edge->copies[n].dst.num_components;
   uint64_t *old = hd_stack_alloc(&w->stack, array_size(rows, width * sizeof(*old)));
   hd_wave_mask *old_undef = hd_stack_alloc(&w->stack, array_size(rows, sizeof(*old_undef)));
   for (uint32_t n = 0; n < edge->num_copies; n++) {
      for (unsigned c = 0; c < edge->copies[n].src.num_components; c++, at++) {
         memcpy(old + at * width, row_of(w, &edge->copies[n].src, c), width * sizeof(*old));
         old_undef[at] = *undef_of(w, &edge->copies[n].src, c);
      }
   }
   at = 0;
   for (uint32_t n = 0; n < edge->num_copies; n++) {
      for (unsigned c = 0; c < edge->copies[n].dst.num_components; c++, at++) {
         uint64_t *dst = row_of(w, &edge->copies[n].dst, c);
         hd_wave_mask *undef = undef_of(w, &edge->copies[n].dst, c);
         for (unsigned l = 0; l < width; l++) {
            if (mask_has(lanes, l))
               dst[l] = old[at * width + l];
         }
         *undef = mask_merge(*undef, old_undef[at], lanes);
      }
   }
   hd_stack_release(&w->stack, mark);
}

/* Lanes that return from the entry, before they end. */
static void
note_survivors(const hd_wave *w, hd_wave_mask lanes)
{
   const hd_wave_launch *launch = w->run->launch;
   const hd_wave_mask left = mask_without(lanes, w->helper);
   const uint64_t first = (uint64_t)w->run->workgroup_index * w->run->group_lanes +
                          (uint64_t)w->number * w->run->width;

   for (unsigned l = 0; l < w->run->width && first + l < launch->num_survivors; l++) {
      if (mask_has(left, l))
         launch->survivors[first + l] = 1;
   }
}

static void
take_edge(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes)
{
   hd_frame *f = w->frame;

   if (!mask_any(lanes))
      return;
   if (edge->to == HD_CODE_END) {
      if (!f->caller) {
         note_survivors(w, lanes);
         w->ended = mask_or(w->ended, lanes);
         end_helpers(w);
      }
      return;
   }
   if (w->run->launch->check_uniform)
      hd_wave_watch_edge(w, edge, lanes);
   const hd_stack_mark mark = hd_stack_get_mark(&w->stack);
   const uint64_t *parts = f->parts ? hd_wave_read_parts(w, edge) : NULL;
   if (edge->parallel) {
      copy_parallel(w, edge, lanes);
   } else {
      for (uint32_t n = 0; n < edge->num_copies; n++) {
         for (unsigned c = 0; c < edge->copies[n].dst.num_components; c++)
            copy_row(w, &edge->copies[n], c, lanes);
      }
   }
   if (parts)
      hd_wave_write_parts(w, edge, lanes, parts);
   hd_stack_release(&w->stack, mark);
   hd_wave_wait(w, edge->to, lanes);
}

static void
check_choice(hd_wave *w, const hd_code_block *b)
{
   const hd_wave_mask bad = mask_and(*undef_of(w, &b->value, 0), w->active);

   if (mask_any(bad))
      hd_wave_fault(w, hd_block_jump(b->block) ? b->block->last : NULL, hd_wave_mask_first(bad),
                    "a branch on an undefined value");
}

/* What is returned goes to the caller's row at once: nothing reads it before the call ends. */
static void
take_return(hd_wave *w, const hd_code_block *b)
{
   hd_frame *f = w->frame;

   if (f->call && b->has_value) {
      for (unsigned c = 0; c < b->value.num_components; c++) {
         const uint64_t *src = row_of(w, &b->value, c);
         const hd_wave_mask undef = *undef_of(w, &b->value, c);
         w->frame = f->caller;
         uint64_t *dst = row_of(w, &f->call->dst, c);
         hd_wave_mask *to = undef_of(w, &f->call->dst, c);
         w->frame = f;
         copy_lanes(w, dst, src);
         *to = mask_merge(*to, undef, w->active);
      }
   }
   take_edge(w, &(hd_code_edge){ .to = HD_CODE_END }, w->active);
}

/* The active lanes in which a row of booleans is true. The others' numbers are booleans too. */
static hd_wave_mask
true_lanes(const hd_wave *w, const uint64_t *row)
{
   const unsigned width = w->run->width;
   hd_wave_mask lanes = mask_none();

   for (unsigned first = 0; first < width; first += 64) {
      const unsigned end = width - first < 64 ? width - first : 64;
      uint64_t bits = 0;
      for (unsigned l = 0; l < end; l++)
         bits |= row[first + l] << l;
      lanes.word[first / 64] = bits;
   }
   return mask_and(lanes, w->active);
}

static void
take_exit(hd_wave *w, const hd_code_block *b)
{
   hd_wave_mask lanes = mask_none();

   switch (b->exit) {
   case HD_EXIT_EDGE:
      take_edge(w, &b->edges[0], w->active);
      break;
   case HD_EXIT_IF: {
      check_choice(w, b);
      lanes = true_lanes(w, row_of(w, &b->value, 0));
      take_edge(w, &b->edges[0], lanes);
      take_edge(w, &b->edges[1], mask_without(w->active, lanes));
      break;
   }
   case HD_EXIT_SWITCH: {
      check_choice(w, b);
      const uint64_t *row = row_of(w, &b->value, 0);
      /* Lanes that take one edge go together. */
      for (hd_wave_mask rest = w->active; mask_any(rest); rest = mask_without(rest, lanes)) {
         const unsigned first = hd_wave_mask_first(rest);
         const hd_code_edge *edge = edge_of_case(b, row[first]);
         lanes = mask_none();
         for (unsigned l = first; l < w->run->width; l++) {
            if (mask_has(rest, l) && edge_of_case(b, row[l]) == edge)
               mask_add(&lanes, l);
         }
         take_edge(w, edge, lanes);
      }
      break;
   }
   case HD_EXIT_RETURN:
      take_return(w, b);
      break;
   case HD_EXIT_HALT:
      hd_wave_end_lanes(w, w->active);
      break;
   }
   if (w->run->launch->check_uniform)
      hd_wave_watch_exit(w, b, w->frame->num_edges_taken);
}

/* Blocks */

static void
trace_block(const hd_wave *w)
{
   const hd_wave_run_state *run = w->run;
   const hd_frame *f = w->frame;
   const hd_wave_step event = {
      .workgroup = run->workgroup_index,
      .wave = w->number,
      .call_depth = f->depth,
      .block = f->code->blocks[f->place].block,
      .mask = w->active,
   };

   run->launch->trace(run->launch->user, &event);
}

static void
tell_ran(const hd_wave *w, const hd_instr *instr, const hd_operand *dst)
{
   const hd_wave_run_state *run = w->run;
   const hd_wave_ran event = {
      .workgroup = run->workgroup_index,
      .wave = w->number,
      .call_depth = w->frame->depth,
      .instr = instr,
      .lanes = w->active,
      .num_components = dst->num_components,
      .values = dst->num_components ? row_of(w, dst, 0) : NULL,
      .stride = run->width,
      .undefined = dst->num_components ? undef_of(w, dst, 0) : NULL,
   };

   run->launch->ran(run->launch->user, &event);
}

static void
tell_phis(const hd_wave *w, const hd_code_block *b)
{
   uint32_t n = 0;

   hd_foreach_phi(phi, b->block)
      tell_ran(w, &phi->instr, &b->phis[n++]);
}

/* Enter the next block of the frame. False: there is none. */
static bool
enter_block(hd_wave *w)
{
   hd_frame *f = w->frame;
   uint32_t place;

   /* Lanes that ended while they waited (helpers, at the end of the last other lane) are gone. */
   do {
      place = hd_wave_next_place(w);
      if (place == HD_CODE_END)
         return false;
      f->place = place;
      set_active(w, mask_without(hd_wave_take_waiting(f, place), w->ended));
   } while (!w->count);
   f->next = 0;
   f->in_block = true;
   step(w);
   w->run->stats.blocks++;
   if (w->run->launch->trace)
      trace_block(w);
   if (w->run->launch->ran)
      tell_phis(w, &f->code->blocks[place]);
   if (w->run->launch->check_uniform)
      hd_wave_watch_block(w, &f->code->blocks[place]);
   return true;
}

/* A frame has no lanes left: back to the caller, whose lanes go on that did not end. */
static void
leave_frame(hd_wave *w)
{
   const hd_code_instr *call = w->frame->call;

   if (!call) {
      w->state = HD_WAVE_ENDED;
      return;
   }
   const hd_wave_mask lanes = w->frame->entered;
   pop_frame(w);
   set_active(w, mask_without(lanes, w->ended));
}

/* Instructions of the current block, from where it is: to its end, or until control goes elsewhere.
 * False: the quantum is used up.
 */
static bool
run_instrs(hd_wave *w, const hd_code_block *b, uint32_t *quantum)
{
   hd_wave_run_state *run = w->run;
   hd_frame *f = w->frame;
   const uint32_t num = b->num_instrs;
   const bool taken = take_steps(run, num - f->next), ran = run->launch->ran != NULL;

   while (w->count && f->next < num) {
      const hd_code_instr *i = &b->instrs[f->next];
      if (!taken)
         step(w);
      run->stats.instructions++;
      run->stats.lane_ops += w->count;
      f->next++;
      i->run(w, i);
      if (ran && w->frame == f)
         tell_ran(w, i->instr, &i->dst);
      if (f->parts && w->frame == f)
         hd_wave_follow_parts(w, i);
      if (w->frame != f || w->state != HD_WAVE_READY)
         break;
      if (*quantum && --*quantum == 0) {
         if (taken)
            give_back_steps(run, num - f->next);
         return false;
      }
   }
   if (taken)
      give_back_steps(run, num - f->next);
   return true;
}

void
hd_wave_go_on(hd_wave *w)
{
   uint32_t left = w->quantum;

   while (w->state == HD_WAVE_READY) {
      hd_frame *f = w->frame;
      if (!f->in_block && !enter_block(w)) {
         leave_frame(w);
         continue;
      }
      const hd_code_block *b = &f->code->blocks[f->place];
      if (!run_instrs(w, b, &left))
         return;
      if (w->frame != f || w->state != HD_WAVE_READY)
         continue;
      if (!w->count)
         f->emptied = true;
      else
         take_exit(w, b);
      hd_wave_leave_block(w);
      f->in_block = false;
   }
}
