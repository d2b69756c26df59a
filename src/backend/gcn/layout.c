/* SPDX-License-Identifier: MIT */
/* layout.c - branches get what they need to be bytes.
 *
 * A block falls into the one behind it where that is where it goes; else it branches. A conditional
 * branch is inverted where that saves one.
 *
 * Distances have 16 bits, in words. A branch that is too far goes to an island on its way: a block
 * between two others, of one branch that goes on from there.
 *
 *    s_cbranch_execz far      =>     s_cbranch_execz island
 *    ...                             ...
 *                                    s_branch over         (where the code before falls through)
 *                                  island:
 *                                    s_branch far
 *                                  over:
 */
#include <assert.h>
#include <string.h>

#include "backend/gcn/code.h"

/* Distances that fit with room for what islands add: with many islands, more room. */
#define REACH     32000u
#define MIN_REACH 12000u
/* Blocks are split to this where code is so long that islands are needed. */
#define PIECE 2048

/* Where a long block may be cut: behind `inst`, which ends the first `words` of what is left of it.
 */
typedef struct cut {
   hd_gcn_inst *inst;
   hd_gcn_block *block;
   uint32_t words;
} cut;

typedef struct layout {
   hd_gcn_program *p;
   uint32_t *begin; /* by order of blocks: in words; one more for the end */
   hd_gcn_block **blocks;
   uint32_t num, capacity;
   uint32_t *words; /* by index of blocks: their length, or UNKNOWN */
   uint32_t num_words;
   cut *cuts; /* in the order of the code */
   uint32_t num_cuts, cut_capacity;
   uint32_t reach; /* of the round */
   /* Of one round, by index of the blocks there were before it. */
   hd_gcn_block **last_island; /* of those behind the block; NULL: nobody has looked */
   /* The island to the block that was met last, of branches forward and back, and behind which
    * block it stands.
    */
   hd_gcn_block **island_to[2], **island_behind[2];
} layout;

#define UNKNOWN UINT32_MAX

static hd_gcn_op
opposite(unsigned op)
{
   switch (op) {
   case HD_GCN_S_CBRANCH_SCC0:
      return HD_GCN_S_CBRANCH_SCC1;
   case HD_GCN_S_CBRANCH_SCC1:
      return HD_GCN_S_CBRANCH_SCC0;
   case HD_GCN_S_CBRANCH_VCCZ:
      return HD_GCN_S_CBRANCH_VCCNZ;
   case HD_GCN_S_CBRANCH_VCCNZ:
      return HD_GCN_S_CBRANCH_VCCZ;
   case HD_GCN_S_CBRANCH_EXECZ:
      return HD_GCN_S_CBRANCH_EXECNZ;
   case HD_GCN_S_CBRANCH_EXECNZ:
      return HD_GCN_S_CBRANCH_EXECZ;
   default:
      return HD_GCN_NUM_OPS;
   }
}

static void
add_branch(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_block *to)
{
   hd_gcn_inst *branch = hd_gcn_inst_create(p, HD_GCN_S_BRANCH, 0, 0);

   branch->target = to;
   hd_gcn_inst_append(block, branch);
   if (!block->tail)
      block->tail = branch;
}

/* Make the block end in what its edges say, given which one is behind it. */
static void
end_block(hd_gcn_program *p, hd_gcn_block *block)
{
   const hd_gcn_edges *edges = &block->edges[HD_GCN_LINEAR];
   hd_gcn_inst *branch = hd_gcn_is_branch(block->last) ? block->last : NULL;

   if (!edges->num_succs)
      return;
   if (edges->num_succs == 1) {
      if (branch && branch->target == edges->succs[0])
         return;
      if (edges->succs[0] != block->next)
         add_branch(p, block, edges->succs[0]);
      return;
   }
   assert(branch && edges->num_succs == 2);
   hd_gcn_block *other = edges->succs[branch->target == edges->succs[0]];
   hd_gcn_op op = opposite(branch->op);
   if (other == block->next)
      return;
   if (branch->target == block->next && op != HD_GCN_NUM_OPS) {
      hd_gcn_inst *inverted =
          hd_gcn_inst_create(p, op, hd_gcn_op_infos[op].num_defs, hd_gcn_op_infos[op].num_srcs);
      inverted->target = other;
      inverted->loc = branch->loc;
      hd_gcn_inst_insert_before(block, inverted, branch);
      if (block->tail == branch)
         block->tail = inverted;
      hd_gcn_inst_remove(block, branch);
      return;
   }
   add_branch(p, block, other);
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

/* The length of a block, in words; UNKNOWN: it cannot be encoded. */
static uint32_t
length_of(layout *l, hd_gcn_block *block, const char **why)
{
   uint32_t length = 0, piece = 0;

   if (l->words[block->index] != UNKNOWN)
      return l->words[block->index];
   hd_gcn_foreach_inst(inst, block)
   {
      uint32_t words[5];
      unsigned num = hd_gcn_encode(l->p->target->gen, inst, words, why);
      if (!num)
         return UNKNOWN;
      length += num;
      piece += num;
      if (piece >= PIECE && inst->next && !hd_gcn_is_branch(inst->next)) {
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

   hd_gcn_program_number(l->p);
   if (l->capacity < l->p->num_blocks) {
      l->capacity = l->p->num_blocks * 2;
      l->begin = hd_stack_alloc(l->p->stack, ((size_t)l->capacity + 1) * sizeof(*l->begin));
      l->blocks = hd_stack_alloc(l->p->stack, l->capacity * sizeof(*l->blocks));
   }
   l->num = 0;
   extend_words(l);
   hd_gcn_foreach_block(block, l->p)
   {
      const char *why = "";
      uint32_t length = length_of(l, block, &why);
      if (length == UNKNOWN)
         return hd_gcn_refuse(l->p, NULL, "an instruction that cannot be encoded: %s", why);
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
   hd_gcn_program *p = l->p;
   hd_gcn_block *block = NULL;

   for (uint32_t n = 0; n < l->num_cuts; n++) {
      const cut *c = &l->cuts[n];
      if (!n || c->block != c[-1].block)
         block = c->block;
      hd_gcn_block *rest = hd_gcn_block_create(p);
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
      rest->edges[HD_GCN_LINEAR] = block->edges[HD_GCN_LINEAR];
      block->edges[HD_GCN_LINEAR] = (hd_gcn_edges){ 0 };
      hd_gcn_edge_add(p, HD_GCN_LINEAR, block, rest);
      hd_gcn_block_insert_after(p, rest, block);
      block = rest;
   }
}

/* Behind which block a branch at `from` finds its way to `to`: the last one in reach. */
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
falls_through(const hd_gcn_block *block)
{
   return !block->last || !(block->last->op == HD_GCN_S_BRANCH ||
                            hd_gcn_op_infos[block->last->op].flags & HD_GCN_ENDS);
}

static void
note_island(layout *l, hd_gcn_block *before, hd_gcn_block *island)
{
   const hd_gcn_block *to = island->first->target;
   const bool back = to->order <= before->order;

   l->last_island[before->index] = island;
   if (to->index < l->num_words) {
      l->island_to[back][to->index] = island;
      l->island_behind[back][to->index] = before;
   }
}

/* Islands that several branches use stand behind one another. */
static hd_gcn_block *
island_behind(layout *l, hd_gcn_block *before, hd_gcn_block *to)
{
   const bool back = to->order <= before->order;
   hd_gcn_program *p = l->p;

   if (!l->last_island[before->index]) {
      l->last_island[before->index] = before;
      for (hd_gcn_block *at = before->next; at && at->is_island; at = at->next)
         note_island(l, before, at);
   }
   if (l->island_behind[back][to->index] == before)
      return l->island_to[back][to->index];
   hd_gcn_block *at = l->last_island[before->index];
   if (at == before && falls_through(before) && before->next)
      add_branch(p, before, before->next);
   hd_gcn_block *island = hd_gcn_block_create(p);
   island->is_island = true;
   hd_gcn_block_insert_after(p, island, at);
   add_branch(p, island, to);
   note_island(l, before, island);
   return island;
}

static bool
is_far(const layout *l, uint32_t from, const hd_gcn_block *to, int32_t *distance)
{
   *distance = (int32_t)l->begin[to->order] - (int32_t)from - 1;
   return *distance < INT16_MIN || *distance > INT16_MAX;
}

/* Branches that are too far add an island each, and that pushes others too far: islands are nearer
 * then, or there would be a round for every few of them.
 */
static uint32_t
reach_of_round(const layout *l)
{
   uint32_t num_far = 0;

   for (uint32_t n = 0; n < l->num; n++) {
      uint32_t at = l->begin[n + 1];
      int32_t distance;
      for (hd_gcn_inst *inst = l->blocks[n]->last; hd_gcn_is_branch(inst); inst = inst->prev)
         num_far += is_far(l, --at, inst->target, &distance);
   }
   return num_far < REACH - MIN_REACH ? REACH - num_far : MIN_REACH;
}

static void
begin_round(layout *l)
{
   const size_t size = (l->num_words + 1) * sizeof(hd_gcn_block *);

   l->reach = reach_of_round(l);
   l->last_island = hd_stack_alloc_zero(l->p->stack, size);
   for (unsigned back = 0; back < 2; back++) {
      l->island_to[back] = hd_stack_alloc_zero(l->p->stack, size);
      l->island_behind[back] = hd_stack_alloc_zero(l->p->stack, size);
   }
}

/* One hop for each branch that is too far; true if there was one. */
static bool
add_islands(layout *l)
{
   bool changed = false;

   begin_round(l);
   for (uint32_t n = 0; n < l->num; n++) {
      hd_gcn_block *block = l->blocks[n];
      uint32_t at = l->begin[n + 1];
      int32_t distance;
      /* A block ends with one branch or two, of a word each. */
      for (hd_gcn_inst *inst = block->last; hd_gcn_is_branch(inst); inst = inst->prev) {
         at--;
         if (!is_far(l, at, inst->target, &distance))
            continue;
         uint32_t place = island_place(l, at, l->begin[inst->target->order]);
         inst->target = island_behind(l, l->blocks[place], inst->target);
         l->words[l->blocks[place]->index] = UNKNOWN;
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
      for (hd_gcn_inst *inst = l->blocks[n]->last; hd_gcn_is_branch(inst); inst = inst->prev) {
         int32_t distance;
         at--;
         bool far = is_far(l, at, inst->target, &distance);
         assert(!far);
         (void)far;
         inst->imm = distance;
      }
   }
}

/* Constants */

#define MOST_INLINE 64u

static uint32_t
word_behind(const layout *l, const hd_gcn_inst *wanted)
{
   for (uint32_t n = 0; n < l->num; n++) {
      uint32_t at = l->begin[n], words[5];
      const char *why = NULL;
      for (const hd_gcn_inst *inst = l->blocks[n]->first; inst; inst = inst->next) {
         at += hd_gcn_encode(l->p->target->gen, inst, words, &why);
         if (inst == wanted)
            return at;
      }
   }
   assert(!"it is in no block");
   return 0;
}

/* Behind the code, as aligned as the shader was told, and so far that the distance is a literal. */
static void
place_data(const layout *l)
{
   hd_gcn_program *p = l->p;
   const hd_shader *shader = p->shader;

   if (!p->data_pc)
      return;
   const uint32_t code = l->begin[l->num] * 4, from = word_behind(l, p->data_pc) * 4;
   uint32_t to = (code + HD_CONSTANTS_ALIGN - 1) & ~(HD_CONSTANTS_ALIGN - 1);
   if (to - from <= MOST_INLINE)
      to += HD_CONSTANTS_ALIGN;
   p->data_padding = to - code;
   p->data_size = p->data_padding + ((shader->constants_size + 3) & ~UINT32_C(3));
   uint8_t *data = hd_stack_alloc_zero(p->stack, p->data_size);
   if (shader->constants_size)
      memcpy(data + p->data_padding, shader->constants, shader->constants_size);
   p->data = data;
   const unsigned literal = hd_gcn_src(p->data_add, 0)->reg == HD_GCN_LITERAL ? 0 : 1;
   hd_gcn_src(p->data_add, literal)->value = to - from;
}

bool
hd_gcn_layout(hd_gcn_program *p)
{
   layout l = { .p = p };

   hd_gcn_foreach_block(block, p) end_block(p, block);
   if (!measure(&l))
      return false;
   if (l.begin[l.num] > INT16_MAX) {
      cut_blocks(&l);
      do {
         if (!measure(&l))
            return false;
      } while (add_islands(&l));
   }
   write_distances(&l);
   place_data(&l);
   return true;
}
