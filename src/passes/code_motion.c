/* SPDX-License-Identifier: MIT */
/* code_motion.c - global code motion: the best legal block for an instruction (Click, 1995).
 *
 * An instruction may be in any block on the path down the dominator tree from the block where its
 * operands are available (early) to the lowest one that dominates all its uses (late). The best
 * block is in the fewest loops, and of those the last one: there the fewest lanes are active. Let K
 * be the innermost loop around early and late. All blocks between them are in K; so the best block
 * is late itself, if it is in no further loop, or else the block before the outermost loop inside K
 * that contains late:
 *
 *    early                             early: in K                late: in K, L1, L2
 *      loop L1 { loop L2 { late } }    best: the block before L1
 *
 * The instruction stays where it is unless the best block is in fewer loops, or has other lanes.
 *
 * A forward walk finds early for all instructions; a backward walk, in which the users of a value
 * come first, finds late and moves. An instruction that is hoisted is put in front of all that were
 * hoisted to that block before; one that is sunk comes first in its block. Only the legality of
 * hoisting must be known in the forward walk, as early depends on the operands.
 *
 * What is legal: ALU instructions may go anywhere. A load is hoisted out of a loop if nothing in
 * the loop may write the memory, and if all lanes that enter the loop execute it or the access is
 * speculatable; it is sunk if memory has the same version (memory SSA). An instruction that needs a
 * uniform operand is hoisted if that is proven, as it then holds outside too; it is sunk if it is
 * proven there, or if the block is in the same loops, where only lanes are active for which it was
 * promised. What reads other lanes is sunk below uniform branches, as far as its lanes stay the same.
 * What stands before the end of helper lanes stays there, unless fewer registers are live across it if
 * it does not. All others stay. Irreducible loops, and loops whose header has its dominator in a
 * sibling loop, are left alone with all that is in them.
 */
#include "passes/code_motion.h"
#include "analysis/control_equivalence.h"
#include "analysis/memory_ssa.h"
#include "analysis/motion.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

#include <assert.h>

enum kind {
   STAYS,
   FREE,  /* only computes */
   BOUND, /* reads memory, needs something uniform, or must not be run by others */
   LANES, /* reads other lanes: goes down only, and where the same ones run it */
};

/* The place of HD_MEMORY_HELPER. */
#define HELPER_PLACE 10u
_Static_assert(1u << HELPER_PLACE == HD_MEMORY_HELPER, "a place by its class");

struct state {
   hd_function *f;
   hd_placing how;
   hd_stack *stack;
   uint32_t num_cycles;
   const struct dom_meta *dom;
   hd_forest nest;      /* of the cycles */
   hd_forest tree;      /* of the dominators, by their numbers; made when it is first asked */
   hd_block **numbered; /* by number; NULL until then */
   hd_block **before;   /* by cycle: the block before it; NULL: no code is moved in or out */
   bool *direct;        /* by cycle: and all come from it straight to the header */
   bool *alone;         /* by cycle: one around it, or itself, has no such block */
   uint32_t *held;      /* by cycle: dwords that it would read of what can be computed before it */
   uint32_t *written;   /* by cycle: places written in it */
   bool *calls;         /* by cycle */
   const uint32_t *lane_classes; /* NULL until it is first asked */
   const hd_lane_set *lanes;     /* by block slot; NULL until it is first asked */
   hd_block **early;             /* by def index */
   uint8_t *kind;                /* by def index */
   bool *placed;                 /* by def index */
   uint32_t *version;            /* by def index: of what it reads, where it stands; not if FREE */
   uint32_t *helpers;            /* by def index: and of which lanes are helpers; LANES only */
   hd_instr **first_up;          /* by block slot: the first of what was moved up to its end */
   hd_instr **first_down;        /* and of what was moved down to its head */
   hd_versions versions;
   bool progress;
};

static const hd_intrinsic_info *
info_of(const hd_instr *i)
{
   return hd_instr_intrinsic_info(i);
}

static bool
wants_any_uniform(const hd_instr *i)
{
   for (unsigned n = 0; n < info_of(i)->num_srcs; n++) {
      if (hd_wants_uniform(i, n))
         return true;
   }
   return false;
}

/* May lanes run it that did not ask for it? */
static bool
is_safe(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   return info->flags & HD_CAN_SPECULATE || (info->flags & HD_CAN_SPECULATE_BY_ACCESS &&
                                             hd_intrinsic_access(i, info) & HD_ACCESS_SPECULATABLE);
}

/* The places that it reads. Which lanes are helpers is apart for what reads other lanes. */
static uint32_t
memory_read(const struct state *s, const hd_instr *i)
{
   const uint32_t lanes = info_of(i)->flags & HD_CROSS_LANE ? HD_MEMORY_HELPER : 0;

   return hd_places_read(&s->versions, i) & ~lanes;
}

static enum kind
kind_of(const struct state *s, const hd_instr *i)
{
   const hd_intrinsic_info *info;
   uint32_t reads;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
      return FREE;
   case HD_INSTR_INTRINSIC:
      break;
   default:
      return STAYS;
   }
   info = info_of(i);
   if (!(info->flags & HD_CAN_ELIMINATE) ||
       hd_intrinsic_access(i, info) & (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT))
      return STAYS;
   reads = memory_read(s, i);
   if (reads & (reads - 1) || (info->reads && !s->how.loads))
      return STAYS;
   if (info->flags & HD_CROSS_LANE)
      return s->how.down ? LANES : STAYS;
   return info->flags & HD_CAN_SPECULATE && !wants_any_uniform(i) ? FREE : BOUND;
}

/* Cycles */

static void
find_cycles(struct state *s)
{
   const uint32_t num = s->num_cycles;
   uint32_t *parent = scratch(s->stack, num);

   s->before = hd_stack_alloc_zero(s->stack, (num + 1u) * sizeof(hd_block *));
   s->alone = hd_stack_alloc_zero(s->stack, num + 1u);
   s->direct = hd_stack_alloc_zero(s->stack, num + 1u);
   s->written = scratch_fill(s->stack, num, 0);
   s->held = scratch_fill(s->stack, num, 0);
   s->calls = hd_stack_alloc_zero(s->stack, num + 1u);
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(s->f, n);
      hd_block *above = hd_block_idom(c->header);
      parent[n] = c->parent ? c->parent->index : NONE;
      if (above && hd_block_cycle(above) == c->parent && !c->has_other_entries)
         s->before[n] = above;
      s->direct[n] = true;
      for (uint32_t p = 0; p < c->header->num_preds; p++) {
         const hd_block *from = c->header->preds[p].from;
         s->direct[n] &= from == above || hd_cycle_contains(c, from);
      }
      s->alone[n] = !s->before[n] || (c->parent && s->alone[c->parent->index]);
   }
   hd_forest_build(&s->nest, s->stack, num, parent, NULL, NULL);
}

static void
find_writes(struct state *s)
{
   const uint32_t num = s->num_cycles ? hd_function_num_reachable(s->f) : 0;
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);

   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_block_cycle(rpo[n]);
      if (!c || !hd_versions_touched(&s->versions, rpo[n]))
         continue;
      hd_foreach_instr(i, rpo[n]) {
         if (i->kind != HD_INSTR_INTRINSIC && i->kind != HD_INSTR_CALL)
            continue;
         s->written[c->index] |= hd_places_written(&s->versions, i);
         s->calls[c->index] |= i->kind == HD_INSTR_CALL;
      }
   }
   for (uint32_t n = s->num_cycles; n--;) {
      const hd_cycle *parent = hd_function_cycle(s->f, n)->parent;
      if (!parent)
         continue;
      s->written[parent->index] |= s->written[n];
      s->calls[parent->index] |= s->calls[n];
   }
}

static hd_cycle *
lift(const struct state *s, const hd_cycle *c, uint32_t depth)
{
   return hd_function_cycle(s->f, hd_forest_lift(&s->nest, c->index, depth));
}

/* The innermost cycle around both, or NULL. */
static const hd_cycle *
common_cycle(const struct state *s, const hd_block *a, const hd_block *b)
{
   const hd_cycle *x = hd_block_cycle(a), *y = hd_block_cycle(b);

   if (!x || !y)
      return NULL;
   uint32_t n = hd_forest_common(&s->nest, x->index, y->index);
   return n == NONE ? NULL : hd_function_cycle(s->f, n);
}

/* Early */

/* May it be run before this cycle instead of in it? What holds of a cycle holds of those in it, but
 * for how they are entered.
 */
static bool
may_leave(const struct state *s, const hd_instr *i, const hd_cycle *c)
{
   bool same_lanes = hd_block_post_dominates(i->block, s->before[c->index]);

   if (s->kind[i->def.index] == FREE)
      return s->how.speculate || same_lanes;
   if (!s->direct[c->index] || hd_places_read(&s->versions, i) & s->written[c->index])
      return false;
   if (is_safe(i) ? !s->how.speculate && !same_lanes : !same_lanes || s->calls[c->index])
      return false;
   return true;
}

/* The block before the outermost cycle that it may leave, or where it is. */
static hd_block *
highest(const struct state *s, const hd_instr *i)
{
   const hd_cycle *inner = hd_block_cycle(i->block);
   uint32_t high, low; /* depths: it may leave `low`, and nothing above `high` was tried */

   if (!inner || !may_leave(s, i, inner))
      return i->block;
   for (high = 1, low = inner->depth; high < low;) {
      uint32_t middle = high + (low - high) / 2;
      if (may_leave(s, i, lift(s, inner, middle)))
         low = middle;
      else
         high = middle + 1;
   }
   return s->before[lift(s, inner, low)->index];
}

static const struct dom_node *
dom_node(const struct state *s, const hd_block *b)
{
   return &s->dom->node[block_slot(s->f, b)];
}

static hd_block *
lower_of(const struct state *s, hd_block *a, hd_block *b)
{
   return dom_node(s, a)->depth >= dom_node(s, b)->depth ? a : b;
}

static bool
is_proven(const hd_instr *i)
{
   for (unsigned n = 0; n < info_of(i)->num_srcs; n++) {
      if (hd_wants_uniform(i, n) && !hd_src_is_uniform(hd_instr_src(i, n)))
         return false;
   }
   return true;
}

static hd_block *
find_early(const struct state *s, const hd_instr *i)
{
   enum kind kind = s->kind[i->def.index];
   hd_block *early = hd_function_start(s->f);

   if (!s->how.up || kind == STAYS || kind == LANES)
      return i->block;
   if (kind == BOUND && (!hd_block_cycle(i->block) || !is_proven(i)))
      return i->block;
   if (kind == BOUND || !s->how.speculate)
      early = highest(s, i);
   hd_foreach_src(src, i)
      early = lower_of(s, early, s->early[src->def->index]);
   return early;
}

static void
find_all_early(struct state *s)
{
   uint32_t num = hd_function_num_reachable(s->f);
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);
   hd_version_walk w;

   pass_step(s->f, 3 * (s->versions.num_instrs + s->versions.num_srcs));
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = s->num_cycles ? hd_block_cycle(rpo[n]) : NULL;
      bool alone = c && s->alone[c->index];
      bool memory = s->versions.read && hd_versions_touched(&s->versions, rpo[n]);
      if (memory)
         hd_version_walk_begin(&w, &s->versions, rpo[n]);
      hd_foreach_instr(i, rpo[n]) {
         if (hd_instr_def(i)) {
            enum kind kind = alone ? STAYS : kind_of(s, i);
            uint32_t reads = kind == BOUND || kind == LANES ? memory_read(s, i) : 0;
            s->kind[i->def.index] = (uint8_t)kind;
            /* Now, while each definition dominates its uses: in between it may not. */
            if (kind == LANES || (kind == BOUND && s->num_cycles && wants_any_uniform(i)))
               hd_require(s->f, HD_META_DIVERGENCE);
            s->early[i->def.index] = find_early(s, i);
            assert(memory || !reads);
            for (unsigned place = 0; reads >> place; place++) {
               if (reads >> place & 1)
                  s->version[i->def.index] = w.current[place];
            }
            if (kind == LANES)
               s->helpers[i->def.index] = w.current[HELPER_PLACE];
         }
         if (memory && hd_may_touch_memory(i))
            hd_version_walk_step(&w, i);
      }
   }
}

/* Registers */

/* How many dwords of what was computed in front of it a loop may read. Each takes a register through all of the loop, and
 * a spilled one is loaded where a few steps would have done. All of them stay, so that a second run finds the same.
 */
#define MAX_HELD 64u
/* Of how many of the loops around an instruction that is counted. */
#define HELD_DEPTH 8u

static unsigned
size_of(const hd_def *def)
{
   return def->bit_size == 1 ? 0 : def->num_components * (def->bit_size == 64 ? 2u : 1u);
}

static bool
stays_in(const struct state *s, const hd_src *use, const hd_cycle *c)
{
   const hd_instr *user = hd_src_instr(use);
   const hd_def *def = user ? hd_instr_def(user) : NULL;

   return hd_cycle_contains(c, hd_src_block(use)) &&
          (!def || user->kind == HD_INSTR_PHI || hd_cycle_contains(c, s->early[def->index]));
}

/* Count it in the cycles around it that it can leave, and that read it all the same. */
static void
count_held(struct state *s, const hd_instr *i, const hd_cycle *c)
{
   for (unsigned n = 0; n < HELD_DEPTH && c; n++, c = c->parent) {
      bool held = false;
      if (hd_cycle_contains(c, s->early[i->def.index]))
         return;
      hd_foreach_use(use, &i->def)
         held |= stays_in(s, use, c);
      s->held[c->index] += held ? size_of(&i->def) : 0;
   }
}

static void
find_held(struct state *s)
{
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);

   for (uint32_t n = hd_function_num_reachable(s->f); n--;) {
      const hd_cycle *inner = hd_block_cycle(rpo[n]);
      if (!inner)
         continue;
      hd_foreach_instr(i, rpo[n]) {
         if (i->kind == HD_INSTR_ALU)
            count_held(s, i, inner);
      }
   }
}

static bool
is_crowded(const struct state *s, const hd_instr *i, const hd_cycle *c)
{
   return i->kind == HD_INSTR_ALU && s->held[c->index] > MAX_HELD && hd_cycle_contains(c, i->block);
}

/* Late, and the place */

static void
number_tree(struct state *s)
{
   uint32_t num = hd_function_num_reachable(s->f);
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);
   uint32_t *parent = scratch_fill(s->stack, num + 1u, 0xff);

   /* One of the numbers may be the end block's. */
   s->numbered = hd_stack_alloc_zero(s->stack, (num + 1u) * sizeof(hd_block *));
   for (uint32_t n = 0; n < num; n++) {
      const struct dom_node *node = dom_node(s, rpo[n]);
      s->numbered[node->in] = rpo[n];
      parent[node->in] = node->idom ? dom_node(s, node->idom)->in : NONE;
   }
   hd_forest_build(&s->tree, s->stack, num + 1u, parent, NULL, NULL);
}

/* The lowest block that dominates all reachable uses, or NULL if there is none. */
static hd_block *
find_late(struct state *s, const hd_def *def)
{
   const struct dom_node *first = NULL;
   hd_block *late = NULL;
   uint32_t last = 0;

   hd_foreach_use(src, def) {
      hd_block *b = hd_src_block(src);
      const struct dom_node *node = dom_node(s, b);
      if (node->in == NONE)
         continue;
      if (!first || node->in < first->in) {
         late = b;
         first = node;
      }
      last = node->in > last ? node->in : last;
   }
   /* Often one of them does, or a block just above. */
   for (unsigned n = 0; n < 8; n++) {
      if (!first || last - first->in < first->size)
         return late;
      late = first->idom;
      first = dom_node(s, late);
   }
   if (!s->numbered)
      number_tree(s);
   return s->numbered[hd_forest_common(&s->tree, first->in, last)];
}

/* The best block between two; NULL if that is before a cycle that has none. */
static inline hd_block *
best_between(const struct state *s, const hd_instr *i, const hd_block *early, hd_block *late)
{
   const hd_cycle *inner = s->num_cycles ? hd_block_cycle(late) : NULL, *both, *c;
   uint32_t depth;

   if (!inner)
      return late;
   both = common_cycle(s, early, late);
   if (inner == both)
      return late;
   depth = both ? both->depth + 1 : 1;
   c = lift(s, inner, depth);
   while (is_crowded(s, i, c)) {
      pass_step(s->f, 1);
      if (depth++ == inner->depth)
         return late;
      c = lift(s, inner, depth);
   }
   return s->before[c->index];
}

/* May what is bound go down? */
static bool
may_sink(const struct state *s, const hd_instr *i, const hd_block *to)
{
   const hd_cycle *cycle = hd_block_cycle(i->block);
   uint32_t reads = memory_read(s, i);

   for (unsigned place = 0; reads >> place; place++) {
      if (reads >> place & 1 &&
          s->version[i->def.index] != hd_version_at_head(&s->versions, place, to))
         return false;
   }
   if (!cycle || hd_cycle_contains(cycle, to))
      return true;
   for (unsigned n = 0; n < info_of(i)->num_srcs; n++) {
      if (hd_wants_uniform(i, n) && !hd_def_is_uniform_at(hd_instr_src(i, n)->def, to))
         return false;
   }
   return true;
}

/* Do only those reach it that took one side of a branch? */
static bool
is_arm(const hd_block *b)
{
   const hd_block *from = b->num_preds == 1 ? b->preds[0].from : NULL;

   return from && from->num_succs > 1 && hd_block_cycle(from) == hd_block_cycle(b);
}

/* Is it another place for what does not go up? */
static bool
sinks(struct state *s, const hd_instr *i, const hd_block *to)
{
   if (!is_arm(to)) {
      if (!s->lane_classes)
         s->lane_classes = hd_control_equivalent_blocks(s->f);
      if (s->lane_classes[block_slot(s->f, i->block)] == s->lane_classes[block_slot(s->f, to)])
         return false;
   }
   return s->kind[i->def.index] == FREE || may_sink(s, i, to);
}

/* The end of helpers */

/* How much of a chain of ors is looked at, how far up the dominator tree. */
#define MASK_DEPTH 4u
#define END_REACH  24u
/* And at how many uses. */
#define MANY_USES 16u

/* Does it tell which lanes are helpers, from the start or by now? */
static bool
is_helper_mask(const hd_def *def, unsigned depth)
{
   const hd_instr *i = hd_def_instr(def);
   const bool joins = i->kind == HD_INSTR_PHI || (i->kind == HD_INSTR_ALU && i->op == HD_OP_IOR);

   if (i->kind == HD_INSTR_INTRINSIC)
      return i->op == HD_INTRINSIC_IS_HELPER;
   for (unsigned n = 0; joins && depth && n < hd_instr_num_srcs(i); n++) {
      if (is_helper_mask(hd_instr_src(i, n)->def, depth - 1))
         return true;
   }
   return false;
}

/* Do only those reach it that are no helpers, of the lanes that reach the block before? */
static bool
is_after_helpers(const hd_block *b)
{
   const hd_block *from = b->preds[0].from;
   const hd_jump *jump = hd_block_jump(from);
   const hd_if *nif = from->node.next ? hd_block_next_if(from) : NULL;
   const hd_def *condition = jump && jump->instr.num_srcs ? jump->src[0].def
                             : nif                        ? nif->cond.def
                                                          : NULL;

   return condition && is_helper_mask(condition, MASK_DEPTH);
}

/* The block that helpers do not reach, if this one has no other lanes than the one of the instruction but for these;
 * else NULL.
 */
static const hd_block *
end_between(const hd_instr *i, const hd_block *to)
{
   const hd_block *end = NULL;

   for (unsigned n = 0; to && to != i->block; n++, to = hd_block_idom(to)) {
      if (n == END_REACH)
         return NULL;
      if (to->num_preds != 1 || to->preds[0].from->num_succs == 1)
         continue;
      if (!is_after_helpers(to))
         return NULL;
      end = to;
   }
   return end;
}

/* Of the operands that are not read there anyway. */
static unsigned
size_of_operands(const hd_instr *i, const hd_block *end)
{
   unsigned size = 0;

   hd_foreach_src(src, i) {
      const hd_def *def = src->def;
      bool there = hd_def_instr(def)->kind == HD_INSTR_CONST;
      unsigned num = 0;
      hd_foreach_use(use, def) {
         const hd_block *b = hd_src_block(use);
         there |= num == MANY_USES || (b != i->block && hd_block_dominates(end, b));
         if (there)
            break;
         num++;
      }
      size += there ? 0 : size_of(def);
   }
   return size;
}

/* Where helpers end, a wave goes on: no work is saved by going there, and what is live across that point is so for all
 * of the block. A load that waits there has less to hide it.
 */
static bool
stays_before_end(const struct state *s, const hd_instr *i, const hd_block *to)
{
   const hd_intrinsic_info *info = i->kind == HD_INSTR_INTRINSIC ? info_of(i) : NULL;
   const hd_block *end = s->f->shader->stage == HD_STAGE_FRAGMENT ? end_between(i, to) : NULL;

   if (!end || i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF)
      return false;
   if (info && info->reads & ~(uint32_t)HD_MEMORY_INPUT)
      return true;
   return size_of_operands(i, end) > size_of(&i->def);
}

/* How far up a place with the same lanes is looked for. */
#define NEAR 16u

/* Of the blocks that dominate this one, itself included, the lowest one that has the lanes of the
 * block where it is, if it is near; else that block.
 */
static hd_block *
same_lanes_above(struct state *s, const hd_instr *i, hd_block *to)
{
   if (!s->lanes)
      s->lanes = hd_find_lane_sets(s->f);
   const hd_lane_set *here = &s->lanes[block_slot(s->f, i->block)];

   for (unsigned n = 0; n < NEAR && to && to != i->block; n++, to = hd_block_idom(to)) {
      const bool same =
          s->helpers[i->def.index] == hd_version_at_head(&s->versions, HELPER_PLACE, to);
      if (same && keeps_lanes(here, &s->lanes[block_slot(s->f, to)]))
         return to;
   }
   return i->block;
}

static hd_block *
find_place(struct state *s, const hd_instr *i)
{
   hd_block *late = s->how.down ? find_late(s, &i->def) : i->block;
   hd_block *early = s->early[i->def.index], *to;

   if (!late)
      return i->block;
   to = best_between(s, i, early, late);
   if (to && to != i->block && s->kind[i->def.index] == LANES)
      to = same_lanes_above(s, i, to);
   if (to && to != i->block && !hd_block_dominates(to, i->block) &&
       (!sinks(s, i, to) || stays_before_end(s, i, to)))
      to = NULL;
   if (!to)
      to = best_between(s, i, early, i->block);
   return to ? to : i->block;
}

static void
move(struct state *s, hd_instr *i, hd_block *to)
{
   bool up = hd_block_dominates(to, i->block);
   hd_instr **first = &(up ? s->first_up : s->first_down)[block_slot(s->f, to)];

   if (*first)
      hd_instr_move(hd_before_instr(*first), i);
   else
      hd_instr_move(up ? hd_before_jump(to) : hd_after_phis(to), i);
   *first = i;
   s->progress = true;
}

static void
place_all(struct state *s)
{
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);

   for (uint32_t n = hd_function_num_reachable(s->f); n--;) {
      hd_foreach_instr_rev_safe(i, rpo[n]) {
         if (!hd_instr_def(i) || s->placed[i->def.index] || s->kind[i->def.index] == STAYS)
            continue;
         s->placed[i->def.index] = true;
         hd_block *to = find_place(s, i);
         if (to != i->block)
            move(s, i, to);
      }
   }
}

bool
hd_place_instrs(hd_function *f, const hd_placing *how)
{
   struct state s = {
      .f = f, .how = *how, .stack = hd_shader_stack(f->shader), .dom = DOM_META(f)
   };
   size_t defs = f->num_defs + 1u;

   /* Nothing goes up but out of a cycle. */
   s.num_cycles = hd_function_num_cycles(f);
   s.how.up &= s.num_cycles != 0;
   if (!s.how.up && !s.how.down)
      return false;
   if (s.how.up)
      hd_require(f, HD_META_POST_DOMINANCE);
   find_cycles(&s);
   hd_versions_compute(&s.versions, f);
   find_writes(&s);
   s.early = hd_stack_alloc(s.stack, defs * sizeof(hd_block *));
   s.kind = hd_stack_alloc_zero(s.stack, defs);
   s.placed = hd_stack_alloc_zero(s.stack, defs);
   s.version = hd_stack_alloc(s.stack, defs * sizeof(uint32_t));
   s.helpers = hd_stack_alloc(s.stack, defs * sizeof(uint32_t));
   s.first_up = hd_stack_alloc_zero(s.stack, (f->num_blocks + 1u) * sizeof(hd_instr *));
   s.first_down = hd_stack_alloc_zero(s.stack, (f->num_blocks + 1u) * sizeof(hd_instr *));
   find_all_early(&s);
   if (s.how.up)
      find_held(&s);
   place_all(&s);
   return s.progress;
}
