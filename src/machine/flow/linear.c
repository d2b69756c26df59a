/* SPDX-License-Identifier: MIT */
/* linear.c - control-flow lowering by per-lane block numbers: any CFG in linear order, with joins (as
 * Beignet does for Intel Gen).
 *
 *    b1 -> b2, b4          b1    send 4; send_if c, 2
 *    b2 -> b3, b5          b2    enter 2; none b4        b4: the join of hd_linearize
 *    b3 -> b3, b4                ...  send 5; send_if c, 3; ...
 *    b4 -> b5              b3    enter 3; none b4
 *                                ...  send 4; send_if c, 3
 *                          latch any 3, b3
 *                          b4    enter 4; none b5 ...
 *
 * The order, its joins and latches are those of hd_linearize, which promises that no waiting lane is
 * skipped. A critical edge to a phi gets a block of its own right after the branch: no lane waits
 * there for another block, so the other blocks execute with the same lanes as before.
 *
 * A step is *converged* if all lanes of the wave that have not ended execute it. The start is, and so
 * is the code after a uniform branch; after a divergent branch of a converged step, steps are diverged
 * up to the first one that no edge from the steps between skips: there all lanes have arrived. If that
 * is after the latch of a cycle, lanes wait after the cycle while others iterate, and all of the cycle
 * is diverged. So one walk in linear order finds the converged steps.
 *
 * In converged steps a uniform branch is a jump of the pc. A block that is entered only by such jumps
 * needs no check at its head, and its lanes no block number.
 */
#include <assert.h>

#include "heddle/analysis.h"
#include "machine/flow/edges.h"
#include "machine/flow/flow.h"
#include "structurize/linearize.h"

/* By index of a block. */
typedef struct line_block {
   hd_mach_block *head; /* where the pc comes in; the block itself if it has no number */
   uint32_t place;
   uint32_t number; /* of those that have one, in the order of the line */
   bool apart;      /* lanes of the wave may wait elsewhere while it runs */
   bool numbered;   /* lanes reach it by their number */
} line_block;

/* A place on the line. */
typedef struct place {
   hd_mach_block *block; /* of a latch the one that has its branch; NULL: no lane waits at it */
   uint32_t step;
   bool is_latch;
   bool may_be_empty;
   hd_mach_block *entry; /* where the pc goes on if it is here with no lane: from here on the first
                            block or latch at which lanes can wait, or the end */
} place;

typedef struct line {
   hd_mach_program *p;
   const hd_mach_block_numbers *ops;
   const hd_linear *plan;
   line_block *blocks;
   place *places;
   uint32_t num;
   uint32_t *place_of_step;
   uint32_t *edge_place; /* hd_mach_place_edges */
   hd_mach_block *end;
   linear_defs defs;
} line;

/* Instructions */

static hd_mach_inst *
emit(line *l, hd_mach_block *block, unsigned op, const hd_mach_condition *condition,
     uint32_t number)
{
   hd_mach_inst *inst = hd_mach_jump(l->p, &l->ops->jumps, block, op, condition);

   inst->imm = (int32_t)number;
   hd_mach_inst_append(block, inst);
   if (!block->tail)
      block->tail = inst;
   return inst;
}

static void
go(line *l, hd_mach_block *from, hd_mach_block *to)
{
   hd_mach_edge_add(l->p, HD_MACH_LINEAR, from, to);
}

static void
branch(line *l, hd_mach_block *from, unsigned op, uint32_t number, hd_mach_block *to)
{
   emit(l, from, op, NULL, number)->target = to;
   go(l, from, to);
}

static hd_mach_block *
control(line *l, const hd_mach_block *like)
{
   hd_mach_block *block = hd_mach_block_create(l->p);

   block->loop_depth = like->loop_depth;
   return block;
}

static line_block *
of(const line *l, const hd_mach_block *block)
{
   return &l->blocks[block->index];
}

/* The line */

static hd_mach_block *
block_of_step(const line *l, uint32_t step)
{
   return l->p->by_ir[l->plan->steps[step].block->node.index];
}

static void
put(line *l, hd_mach_block *block, uint32_t step, bool may_be_empty)
{
   *of(l, block) = (line_block){ .head = block, .place = l->num };
   l->places[l->num++] = (place){ .block = block, .step = step, .may_be_empty = may_be_empty };
}

/* Blocks as the line has them, so that it is known which edges go back. */
static void
order_blocks(line *l)
{
   l->p->first = l->p->last = NULL;
   for (uint32_t s = 0; s < l->plan->num_steps; s++) {
      if (l->plan->steps[s].block)
         hd_mach_block_append(l->p, block_of_step(l, s));
   }
}

/* Blocks of edges follow the branch. */
static void
make_line(line *l)
{
   const uint32_t most = l->p->num_blocks + l->plan->num_steps;

   l->places = hd_stack_alloc_zero(l->p->stack, (most + (size_t)1) * sizeof(*l->places));
   l->place_of_step =
       hd_stack_alloc(l->p->stack, (l->plan->num_steps + (size_t)1) * sizeof(uint32_t));
   for (uint32_t s = 0; s < l->plan->num_steps; s++) {
      const hd_linear_step *step = &l->plan->steps[s];
      l->place_of_step[s] = l->num;
      if (!step->block) {
         l->places[l->num++] = (place){ .step = s, .is_latch = true };
         continue;
      }
      hd_mach_block *block = block_of_step(l, s);
      put(l, block, s, step->may_be_empty);
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      for (uint32_t n = 0; n < edges->num_succs; n++) {
         if (!edges->succs[n]->ir)
            put(l, edges->succs[n], s, true);
      }
   }
   l->place_of_step[l->plan->num_steps] = l->num;
}

/* Together and apart */

static bool
is_uniform(const line *l, const hd_mach_block *block)
{
   return block->edges[HD_MACH_LOGICAL].num_succs < 2 ||
          (block->condition.uniform && l->ops->jumps.flag[0] != HD_MACH_OP_NONE &&
           l->ops->jumps.flag[1] != HD_MACH_OP_NONE);
}

/* The step at which lanes wait that go from one step to another: the latch for an edge back. */
static uint32_t
waiting_step(const line *l, const uint32_t *latch_of, const hd_block *from, const hd_block *to)
{
   const hd_cycle *c = hd_block_headed_cycle(to);

   if (hd_block_is_end(to))
      return l->plan->num_steps;
   if (c && hd_cycle_contains(c, from))
      return latch_of[c->index];
   return l->plan->step_of_block[to->node.index];
}

/* `most`: of what the steps so far have edges to, by cycle; `apart` by step. */
static void
find_apart(line *l)
{
   const hd_function *f = l->p->function;
   const uint32_t num = l->plan->num_steps, num_cycles = hd_function_num_cycles(f);
   uint32_t *latch_of = hd_stack_alloc_zero(l->p->stack, (num_cycles + 1) * sizeof(*latch_of));
   uint32_t *most = hd_stack_alloc_zero(l->p->stack, (num_cycles + 1) * sizeof(*most));
   uint32_t *begins = hd_stack_alloc_zero(l->p->stack, (num + 2) * sizeof(*begins));
   uint32_t *ends = hd_stack_alloc_zero(l->p->stack, (num + 2) * sizeof(*ends));
   uint32_t far = 0, depth = 0;

   for (uint32_t s = 0; s < num; s++) {
      const hd_linear_step *step = &l->plan->steps[s];
      if (!step->block)
         latch_of[hd_block_headed_cycle(l->plan->steps[step->header].block)->index] = s;
   }
   for (uint32_t s = 0; s < num; s++) {
      const hd_linear_step *step = &l->plan->steps[s];
      if (!step->block) {
         const hd_cycle *c = hd_block_headed_cycle(l->plan->steps[step->header].block);
         if (far > s) {
            /* All of the cycle: its lanes come again while others wait. */
            begins[step->header]++;
            ends[s]++;
            far = most[c->index] > far ? most[c->index] : far;
         }
         if (c->parent && most[c->index] > most[c->parent->index])
            most[c->parent->index] = most[c->index];
         continue;
      }
      const hd_block *b = step->block;
      const hd_cycle *c = hd_block_cycle(b);
      uint32_t reach = 0;
      for (uint32_t n = 0; n < b->num_succs; n++) {
         const uint32_t to = waiting_step(l, latch_of, b, b->succs[n].to);
         reach = to > reach ? to : reach;
      }
      if (c && reach > most[c->index])
         most[c->index] = reach;
      const bool is_apart = far > s;
      if (is_apart) {
         begins[s]++;
         ends[s]++;
      }
      if ((is_apart || !is_uniform(l, block_of_step(l, s))) && reach > far)
         far = reach;
   }
   for (uint32_t s = 0; s < num; s++) {
      depth += begins[s];
      if (l->plan->steps[s].block)
         of(l, block_of_step(l, s))->apart = depth != 0;
      depth -= ends[s];
   }
}

/* Are lanes sent on by numbers? Else all that there are go by a jump of the pc. */
static bool
sends_numbers(const line *l, const hd_mach_block *from)
{
   return of(l, from)->apart || !is_uniform(l, from);
}

static bool
find_numbered(line *l)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < l->num; n++) {
      const hd_mach_block *block = l->places[n].block;
      if (block && !block->ir)
         of(l, block)->apart = sends_numbers(l, block->edges[HD_MACH_LOGICAL].preds[0]);
   }
   for (uint32_t n = 0; n < l->num; n++) {
      hd_mach_block *block = l->places[n].block;
      if (!block)
         continue;
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      for (uint32_t k = 0; k < edges->num_preds; k++)
         of(l, block)->numbered |= sends_numbers(l, edges->preds[k]);
      if (of(l, block)->numbered)
         of(l, block)->number = num++;
   }
   if (num <= HD_MACH_NUMBER_ENDED)
      return true;
   return hd_mach_refuse(
       l->p, NULL, "lanes wait for %u blocks, expected at most %u: block numbers have 16 bits", num,
       HD_MACH_NUMBER_ENDED);
}

/* Where the pc goes on if no lane waits at this place: that of its join. */
static uint32_t
join_of(const line *l, uint32_t n)
{
   const place *at = &l->places[n];
   const hd_linear_step *step = &l->plan->steps[at->step];

   if (at->is_latch || !at->block->ir || !at->may_be_empty)
      return n + 1;
   return step->join == HD_LINEAR_END ? l->num : l->place_of_step[step->join];
}

/* Heads, latches, and where the pc goes on. Nobody waits at a block without a number: the pc passes
 * it by as the line does where it is empty, and so comes without lanes to no block that it would
 * not reach so along the line.
 */
static void
find_entries(line *l)
{
   for (uint32_t n = 0; n < l->num; n++) {
      place *at = &l->places[n];
      if (at->is_latch) {
         hd_mach_block *header = block_of_step(l, l->plan->steps[at->step].header);
         if (of(l, header)->numbered)
            at->block = control(l, header);
      } else if (of(l, at->block)->numbered) {
         of(l, at->block)->head = control(l, at->block);
      }
   }
   l->places[l->num].entry = l->end;
   for (uint32_t n = l->num; n-- > 0;) {
      place *at = &l->places[n];
      if (at->is_latch)
         at->entry = at->block;
      else if (of(l, at->block)->numbered)
         at->entry = of(l, at->block)->head;
      if (!at->entry)
         at->entry = l->places[join_of(l, n)].entry;
   }
}

/* Uniform values of loops */

/* The phi is of a new value, which the block copies to what is read. */
static void
copy_scalar_phis(line *l, hd_mach_block *block)
{
   hd_mach_inst *after = block->first;

   while (after && hd_mach_is_phi(after))
      after = after->next;
   for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      hd_mach_operand *def = hd_mach_def(phi, 0);
      if (hd_mach_is_vector_value(l->p, def))
         continue;
      const hd_mach_temp *info = &l->p->temps[def->value];
      const uint32_t temp = hd_mach_temp_create(l->p, info->file, info->size, info->flags);
      hd_mach_inst *copy = hd_mach_inst_create(l->p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(copy, 0) = *def;
      *def = hd_mach_operand_temp(l->p, temp);
      *hd_mach_src(copy, 0) = *def;
      l->p->temps[hd_mach_def(copy, 0)->value].def = copy;
      l->p->temps[temp].def = phi;
      hd_mach_inst_insert_before(block, copy, after);
   }
}

/* Nothing but latches stands between this place and the latch of the header. */
static bool
is_before_latch_of(const line *l, uint32_t n, const hd_mach_block *header)
{
   while (++n < l->num && l->places[n].is_latch) {
      if (block_of_step(l, l->plan->steps[l->places[n].step].header) == header)
         return true;
   }
   return false;
}

/* Where lanes go back, phis of scalars are written for the next iteration. On the line blocks of this one
 * may follow, such as those in which lanes end: what they read must not be written.
 */
static void
keep_scalars(line *l)
{
   bool *kept = hd_stack_alloc_zero(l->p->stack, l->p->num_blocks + 1);

   for (uint32_t n = 0; n < l->num; n++) {
      const hd_mach_block *block = l->places[n].block;
      if (!block || l->places[n].is_latch || block->edges[HD_MACH_LOGICAL].num_succs != 1)
         continue;
      hd_mach_block *to = block->edges[HD_MACH_LOGICAL].succs[0];
      if (of(l, to)->place > n || !of(l, to)->numbered || kept[to->index] ||
          is_before_latch_of(l, n, to))
         continue;
      kept[to->index] = true;
      copy_scalar_phis(l, to);
   }
}

/* Code */

/* On from the block at this place, whose lanes have been sent on, or that has none. What follows a
 * branch is next in the code.
 */
static void
fall(line *l, hd_mach_block *block, uint32_t n)
{
   hd_mach_block *to = l->places[n + 1].entry;

   if (block->edges[HD_MACH_LINEAR].num_succs) {
      hd_mach_block *next = control(l, block);
      go(l, block, next);
      hd_mach_block_append(l->p, next);
      block = next;
   }
   go(l, block, to);
}

static void
write_head(line *l, uint32_t n)
{
   const place *at = &l->places[n];
   const line_block *b = of(l, at->block);

   if (b->head == at->block)
      return;
   hd_mach_block_append(l->p, b->head);
   emit(l, b->head, l->ops->enter, NULL, b->number)->bits = !b->apart;
   if (at->may_be_empty)
      branch(l, b->head, l->ops->none, 0, l->places[join_of(l, n)].entry);
   go(l, b->head, at->block);
}

static void
write_latch(line *l, uint32_t n)
{
   const place *at = &l->places[n];

   if (!at->block || !at->block->edges[HD_MACH_LINEAR].num_preds)
      return;
   const line_block *header = of(l, block_of_step(l, l->plan->steps[at->step].header));
   hd_mach_block_append(l->p, at->block);
   branch(l, at->block, l->ops->any, header->number, header->head);
   fall(l, at->block, n);
}

/* All that there are go there. */
static void
send_all(line *l, hd_mach_block *block, hd_mach_block *to)
{
   if (of(l, to)->numbered)
      emit(l, block, l->ops->send, NULL, of(l, to)->number);
   go(l, block, of(l, to)->head);
}

static void
write_jump(line *l, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (edges->num_succs == 0) {
      go(l, block, l->end);
      return;
   }
   if (edges->num_succs == 1) {
      send_all(l, block, edges->succs[0]);
      return;
   }
   hd_mach_block *taken = control(l, block), *next = control(l, block);
   branch(l, block, l->ops->jumps.flag[!block->condition.negate], 0, taken);
   go(l, block, next);
   hd_mach_block_append(l->p, next);
   send_all(l, next, edges->succs[1]);
   hd_mach_block_append(l->p, taken);
   send_all(l, taken, edges->succs[0]);
}

/* Past what lies before the nearest place that lanes of the block go to, if all lanes are sent so
 * far: those that go back, or wait before it, have smaller numbers.
 */
static void
skip_forward(line *l, hd_mach_block *block, uint32_t n)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   const hd_mach_block *nearest = NULL;

   for (uint32_t k = 0; k < edges->num_succs; k++) {
      const hd_mach_block *to = edges->succs[k];
      if (of(l, to)->place > n && (!nearest || of(l, to)->place < of(l, nearest)->place))
         nearest = to;
   }
   if (edges->num_succs && !nearest)
      return;
   hd_mach_block *to = nearest ? of(l, nearest)->head : l->end;
   if (to != l->places[n + 1].entry && !l->places[n + 1].is_latch)
      branch(l, block, l->ops->all_from, nearest ? of(l, nearest)->number : HD_MACH_NUMBER_ENDED,
             to);
}

static void
write_sends(line *l, hd_mach_block *block, uint32_t n)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   const uint32_t num = edges->num_succs;

   emit(l, block, l->ops->send, NULL,
        num ? of(l, edges->succs[num - 1])->number : HD_MACH_NUMBER_ENDED);
   if (num == 2)
      emit(l, block, l->ops->send_if, &block->condition, of(l, edges->succs[0])->number);
   skip_forward(l, block, n);
   fall(l, block, n);
}

static void
write_block(line *l, uint32_t n)
{
   hd_mach_block *block = l->places[n].block;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (block->last && (block->last->op == HD_MACH_P_HALT || block->last->op == HD_MACH_P_END))
      hd_mach_inst_remove(block, block->last);
   write_head(l, n);
   hd_mach_block_append(l->p, block);
   if (edges->num_succs == 1)
      hd_mach_send_scalars(l->p, &l->defs, block, edges->succs[0], l->edge_place[block->index]);
   if (sends_numbers(l, block))
      write_sends(l, block, n);
   else
      write_jump(l, block);
}

static void
write_line(line *l)
{
   l->p->first = l->p->last = NULL;
   for (uint32_t n = 0; n < l->num; n++) {
      hd_heap_step(l->p->stack->heap, 1);
      if (l->places[n].is_latch)
         write_latch(l, n);
      else
         write_block(l, n);
   }
   if (!l->end->edges[HD_MACH_LINEAR].num_preds)
      return;
   hd_mach_block_append(l->p, l->end);
   hd_mach_inst_append(l->end, hd_mach_inst_create(l->p, HD_MACH_P_END, 0, 0));
   l->end->tail = l->end->last;
}

bool
hd_mach_linear(hd_mach_program *p)
{
   line l = { .p = p, .ops = p->hooks->numbers };

   assert(!p->function->structured);
   if (!hd_mach_check_flow(p) ||
       hd_require(p->function, HD_META_BLOCK_ORDER | HD_META_CYCLES) != HD_OK)
      return false;
   hd_mach_drop_unreachable_preds(p);
   hd_mach_read_scalars(p);
   l.plan = hd_linearize_on(p->function, p->stack);
   order_blocks(&l);
   hd_mach_split_logical_edges(p);
   hd_mach_copy_scalars(p);
   l.edge_place = hd_mach_place_edges(p);
   l.blocks = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*l.blocks));
   make_line(&l);
   l.end = hd_mach_block_create(p);
   find_apart(&l);
   if (!find_numbered(&l))
      return false;
   find_entries(&l);
   keep_scalars(&l);
   write_line(&l);
   hd_mach_finish_flow(p, &l.defs, NULL);
   return true;
}
