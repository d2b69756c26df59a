/* SPDX-License-Identifier: MIT */
/* layout.c - branch emission and branch relaxation.
 *
 * A block falls through to its successor if that comes next; else it branches. A conditional branch
 * is inverted if that saves a branch.
 *
 * A branch that is out of range goes to a branch island: a block between two others with one branch
 * that goes on from there.
 *
 *    branch_none far          =>     branch_none island
 *    ...                             ...
 *                                    branch over           (where the code before falls through)
 *                                  island:
 *                                    branch far
 *                                  over:
 *
 * An island that is itself out of range jumps, if the machine can. A chain of hops would cost a nest
 * of ifs quadratic time and code.
 */
#include "machine/layout.h"

#include <assert.h>
#include <string.h>

/* Where a long block may be cut: after `inst`, which ends the first `words` of what is left of it.
 */
typedef struct cut {
   hd_mach_inst *inst;
   hd_mach_block *block;
   uint32_t words;
} cut;

/* An island that leads anywhere. */
typedef struct far_jump {
   hd_mach_block *island, *to;
} far_jump;

typedef struct layout {
   hd_mach_program *p;
   const hd_mach_branches *rows;
   bool jumps_far;
   far_jump *jumps;
   uint32_t num_jumps, jump_capacity;
   uint32_t *begin; /* by order of blocks: one more for the end */
   hd_mach_block **blocks;
   uint32_t num, capacity;
   uint32_t *words; /* by index of blocks: their length, or UNKNOWN */
   uint32_t num_words;
   cut *cuts; /* in the order of the code */
   uint32_t num_cuts, cut_capacity;
   uint32_t reach; /* of the iteration */
   /* Of one iteration, by index of the blocks there were before it. */
   hd_mach_block **last_island; /* of those after the block; NULL: not computed yet */
   /* The island to the block that was made last, of branches forward and back, and after which
    * block it stands.
    */
   hd_mach_block **island_to[2], **island_behind[2];
} layout;

#define UNKNOWN UINT32_MAX

static void
add_branch(layout *l, hd_mach_block *block, hd_mach_block *to)
{
   hd_mach_inst *branch = l->rows->make(l->p, l->rows->always);

   branch->target = to;
   hd_mach_inst_append(block, branch);
   if (!block->tail)
      block->tail = branch;
}

/* Make the block end in what its edges say, given which one is after it. */
static void
end_block(layout *l, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   hd_mach_inst *branch = hd_mach_is_branch(l->p, block->last) ? block->last : NULL;

   if (!edges->num_succs)
      return;
   if (edges->num_succs == 1) {
      if (branch && branch->target == edges->succs[0])
         return;
      if (edges->succs[0] != block->next)
         add_branch(l, block, edges->succs[0]);
      return;
   }
   assert(branch && edges->num_succs == 2);
   hd_mach_block *other = edges->succs[branch->target == edges->succs[0]];
   const unsigned op = l->rows->opposite(branch->op);
   if (other == block->next)
      return;
   if (branch->target == block->next && op != HD_MACH_OP_NONE) {
      hd_mach_inst *inverted = l->rows->make(l->p, op);
      inverted->target = other;
      inverted->loc = branch->loc;
      hd_mach_inst_insert_before(block, inverted, branch);
      if (block->tail == branch)
         block->tail = inverted;
      hd_mach_inst_remove(block, branch);
      return;
   }
   add_branch(l, block, other);
}

/* Distances */

/* Room for the lengths of blocks that are new since. */
static void
extend_words(layout *l)
{
   uint32_t num = l->p->num_blocks;

   if (num <= l->num_words)
      return;
   uint32_t *words = hd_stack_alloc(l->p->stack, 2 * (size_t)num * sizeof(*words));
   for (uint32_t n = 0; n < 2 * num; n++)
      words[n] = n < l->num_words ? l->words[n] : UNKNOWN;
   l->words = words;
   l->num_words = 2 * num;
}

static void
add_cut(layout *l, cut c)
{
   if (l->num_cuts == l->cut_capacity) {
      uint32_t capacity = l->cut_capacity ? 2 * l->cut_capacity : 16;
      cut *more = hd_stack_alloc(l->p->stack, capacity * sizeof(*more));
      if (l->num_cuts)
         memcpy(more, l->cuts, l->num_cuts * sizeof(*more));
      l->cuts = more;
      l->cut_capacity = capacity;
   }
   l->cuts[l->num_cuts++] = c;
}

/* The length of a block; UNKNOWN: it cannot be encoded. */
static uint32_t
length_of(layout *l, hd_mach_block *block, const char **why)
{
   uint32_t length = 0, piece = 0;

   assert(l->words);
   if (l->words[block->index] != UNKNOWN)
      return l->words[block->index];
   hd_mach_foreach_inst(inst, block)
   {
      const unsigned num = l->rows->length(l->p, inst, why);
      if (!num)
         return UNKNOWN;
      length += num;
      piece += num;
      if (piece >= l->rows->piece && inst->next && !hd_mach_is_branch(l->p, inst->next)) {
         add_cut(l, (cut){ .inst = inst, .block = block, .words = piece });
         piece = 0;
      }
   }
   return l->words[block->index] = length;
}

static bool
measure(layout *l)
{
   uint32_t at = 0;

   hd_mach_program_number(l->p);
   if (l->capacity < l->p->num_blocks) {
      l->capacity = l->p->num_blocks * 2;
      l->begin = hd_stack_alloc(l->p->stack, ((size_t)l->capacity + 1) * sizeof(*l->begin));
      l->blocks = hd_stack_alloc(l->p->stack, l->capacity * sizeof(*l->blocks));
   }
   l->num = 0;
   extend_words(l);
   assert(l->begin);
   hd_mach_foreach_block(block, l->p)
   {
      const char *why = "";
      uint32_t length = length_of(l, block, &why);
      if (length == UNKNOWN)
         return hd_mach_refuse(l->p, NULL, "cannot encode an instruction: %s", why);
      l->blocks[l->num] = block;
      l->begin[l->num++] = at;
      at += length;
   }
   l->begin[l->num] = at;
   return true;
}

/* Long blocks are cut, so that islands can stand in them. */
static void
cut_blocks(layout *l)
{
   hd_mach_program *p = l->p;
   hd_mach_block *block = NULL;

   for (uint32_t n = 0; n < l->num_cuts; n++) {
      const cut *c = &l->cuts[n];
      if (!n || c->block != c[-1].block)
         block = c->block;
      hd_mach_block *rest = hd_mach_block_create(p);
      extend_words(l);
      l->words[rest->index] = l->words[block->index] - c->words;
      l->words[block->index] = c->words;
      rest->loop_depth = block->loop_depth;
      rest->first = c->inst->next;
      rest->last = block->last;
      rest->first->prev = NULL;
      rest->tail = NULL;
      block->last = c->inst;
      c->inst->next = NULL;
      rest->edges[HD_MACH_LINEAR] = block->edges[HD_MACH_LINEAR];
      block->edges[HD_MACH_LINEAR] = (hd_mach_edges){ 0 };
      hd_mach_edge_add(p, HD_MACH_LINEAR, block, rest);
      hd_mach_block_insert_after(p, rest, block);
      block = rest;
   }
}

static bool
goes_to_block(const layout *l, const hd_mach_inst *inst)
{
   return hd_mach_is_branch(l->p, inst) && inst->target;
}

/* After which block a branch at `from` finds its way to `to`: the last one in reach. */
static uint32_t
island_place(const layout *l, uint32_t from, uint32_t to)
{
   uint32_t low = 0, high = l->num - 1;

   if (to > from) {
      while (low < high) {
         uint32_t middle = low + (high - low + 1) / 2;
         if (l->begin[middle + 1] <= from + l->reach)
            low = middle;
         else
            high = middle - 1;
      }
      return low;
   }
   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (l->begin[middle + 1] + l->reach >= from)
         high = middle;
      else
         low = middle + 1;
   }
   return low;
}

static bool
falls_through(const layout *l, const hd_mach_block *block)
{
   return !block->last || !(block->last->op == l->rows->always ||
                            hd_mach_op_of(l->p->mach, block->last)->flags & HD_MACH_ENDS);
}

static void
note_island(layout *l, hd_mach_block *before, hd_mach_block *island, const hd_mach_block *to)
{
   const bool back = to->order <= before->order;

   l->last_island[before->index] = island;
   if (to->index < l->num_words) {
      l->island_to[back][to->index] = island;
      l->island_behind[back][to->index] = before;
   }
}

static void
add_far_jump(layout *l, hd_mach_block *island, hd_mach_block *to)
{
   l->rows->add_far(l->p, island);
   if (l->num_jumps == l->jump_capacity) {
      const uint32_t capacity = 2 * l->jump_capacity + 64;
      far_jump *jumps = hd_stack_alloc(l->p->stack, capacity * sizeof(*jumps));
      if (l->num_jumps)
         memcpy(jumps, l->jumps, l->num_jumps * sizeof(*jumps));
      l->jumps = jumps;
      l->jump_capacity = capacity;
   }
   l->jumps[l->num_jumps++] = (far_jump){ .island = island, .to = to };
}

/* Islands that several branches use stand after one another. */
static hd_mach_block *
island_behind(layout *l, hd_mach_block *before, hd_mach_block *to)
{
   hd_mach_program *p = l->p;
   const uint32_t from = l->begin[before->order + 1], there = l->begin[to->order];
   const uint32_t distance = there > from ? there - from : from - there;

   if (!l->last_island[before->index]) {
      l->last_island[before->index] = before;
      for (hd_mach_block *at = before->next; at && at->is_island; at = at->next)
         l->last_island[before->index] = at;
   }
   hd_mach_block *last = l->last_island[before->index];
   if (last == before && falls_through(l, before) && before->next) {
      add_branch(l, before, before->next);
      l->words[before->index]++;
   }
   hd_mach_block *island = hd_mach_block_create(p);
   island->is_island = true;
   hd_mach_block_insert_after(p, island, last);
   if (distance > l->reach && l->jumps_far)
      add_far_jump(l, island, to);
   else
      add_branch(l, island, to);
   note_island(l, before, island, to);
   return island;
}

static bool
is_far(const layout *l, uint32_t from, const hd_mach_block *to, int32_t *distance)
{
   *distance = (int32_t)l->begin[to->order] - (int32_t)from - 1;
   return *distance < l->rows->min || *distance > l->rows->max;
}

/* Branches that are too far add an island each, and that pushes others too far: islands are nearer
 * then, or there would be an iteration for every few of them.
 */
static uint32_t
reach_of_round(const layout *l)
{
   uint32_t num_far = 0;

   for (uint32_t n = 0; n < l->num; n++) {
      uint32_t at = l->begin[n + 1];
      int32_t distance;
      for (hd_mach_inst *inst = l->blocks[n]->last; goes_to_block(l, inst); inst = inst->prev)
         num_far += is_far(l, --at, inst->target, &distance);
   }
   num_far *= l->rows->island;
   return num_far < l->rows->reach - l->rows->min_reach ? l->rows->reach - num_far
                                                        : l->rows->min_reach;
}

static void
begin_round(layout *l)
{
   const size_t size = (l->num_words + 1) * sizeof(hd_mach_block *);

   l->reach = reach_of_round(l);
   l->last_island = hd_stack_alloc_zero(l->p->stack, size);
   for (unsigned back = 0; back < 2; back++) {
      l->island_to[back] = hd_stack_alloc_zero(l->p->stack, size);
      l->island_behind[back] = hd_stack_alloc_zero(l->p->stack, size);
   }
}

/* The island for a branch of block `n`, at this position: one that there is in reach, made in this
 * round, or a new one. Jumps back are left where they begin, if a far jump follows: other branches
 * come after.
 */
static hd_mach_block *
island_for(layout *l, uint32_t n, uint32_t at, hd_mach_block *to)
{
   const bool back = l->begin[to->order] < at;
   const hd_mach_block *behind = l->island_behind[back][to->index];

   if (behind) {
      const uint32_t there = l->begin[behind->order + 1];
      if ((there > at ? there - at : at - there) <= l->reach)
         return l->island_to[back][to->index];
   }
   const bool jumps = back && l->jumps_far && at - l->begin[to->order] > 2 * l->reach;
   const uint32_t place = jumps ? n : island_place(l, at, l->begin[to->order]);
   return island_behind(l, l->blocks[place], to);
}

/* One hop for each branch that is too far; true if there was one. */
static bool
add_islands(layout *l)
{
   bool changed = false;

   begin_round(l);
   for (uint32_t n = 0; n < l->num; n++) {
      hd_mach_block *block = l->blocks[n];
      uint32_t at = l->begin[n + 1];
      int32_t distance;
      /* A block ends with one branch or two, of one unit each. */
      for (hd_mach_inst *inst = block->last; goes_to_block(l, inst); inst = inst->prev) {
         at--;
         if (!is_far(l, at, inst->target, &distance))
            continue;
         inst->target = island_for(l, n, at, inst->target);
         changed = true;
      }
   }
   return changed;
}

static void
write_distances(layout *l)
{
   for (uint32_t n = 0; n < l->num; n++) {
      uint32_t at = l->begin[n + 1];
      for (hd_mach_inst *inst = l->blocks[n]->last; goes_to_block(l, inst); inst = inst->prev) {
         int32_t distance;
         at--;
         bool far = is_far(l, at, inst->target, &distance);
         assert(!far);
         (void)far;
         inst->imm = distance;
      }
   }
}

static void
write_far_jumps(const layout *l)
{
   for (uint32_t n = 0; n < l->num_jumps; n++) {
      const far_jump *j = &l->jumps[n];
      l->rows->set_far(l->p, j->island,
                       (int64_t)l->begin[j->to->order] - (int64_t)l->begin[j->island->order]);
   }
}

bool
hd_mach_lay_out(hd_mach_program *p, const hd_mach_branches *rows, uint32_t *length)
{
   layout l = { .p = p, .rows = rows };

   hd_mach_foreach_block(block, p) end_block(&l, block);
   if (!measure(&l))
      return false;
   if (l.begin[l.num] > rows->short_code) {
      l.jumps_far = rows->reserve_far && rows->reserve_far(p);
      cut_blocks(&l);
      do {
         if (!measure(&l))
            return false;
      } while (add_islands(&l));
   }
   write_distances(&l);
   write_far_jumps(&l);
   *length = l.begin[l.num];
   return true;
}
