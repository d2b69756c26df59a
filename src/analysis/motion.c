/* SPDX-License-Identifier: MIT */
/* motion.c - legality of code motion: may an instruction move, and may two instructions be merged?
 *
 * Each query computes what it needs for its one instruction; no sets are kept. analysis.h states the
 * rules; motion_lanes.c finds which lanes are active where.
 */
#include "analysis/motion.h"
#include "analysis/control_equivalence.h"
#include "analysis/memory_ssa.h"
#include "heddle/ops.h"

const char *
hd_motion_name(hd_motion why)
{
   static const char *const words[] = {
      [HD_MOTION_LEGAL] = "yes",
      [HD_MOTION_KIND] = "instructions of this kind do not move",
      [HD_MOTION_EFFECT] = "it has side effects, and keeps its order among memory accesses",
      [HD_MOTION_MEMORY] = "the memory that it reads may be written in between",
      [HD_MOTION_ADDRESS] = "lanes there may not have a valid address",
      [HD_MOTION_CYCLES] = "that place is in different loops",
      [HD_MOTION_GROWS] = "an operand that must be uniform may differ there",
      [HD_MOTION_LANES] = "a different set of lanes is active there",
      [HD_MOTION_DIFFERENT] = "they compute different things",
      [HD_MOTION_OPERAND] = "an operand that must be uniform is not the same value",
   };

   return words[why];
}

struct query {
   hd_function *f;
   hd_instr *instr;
   hd_block *from, *to;
   hd_instr *before; /* at `to`: what it would stand before, or NULL for the end */
   const hd_intrinsic_info *info;
   uint32_t access;
   unsigned rules;
   hd_motion_reason *reason;
};

static bool
refuse(const struct query *q, hd_motion why, const hd_src *src, const hd_block *block,
       const hd_instr *instr)
{
   *q->reason = (hd_motion_reason){ why, src, block, instr };
   return false;
}

bool
hd_wants_uniform(const hd_instr *i, unsigned n)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   unsigned flags = info->src[n].flags;

   return flags & HD_OPERAND_UNIFORM ||
          (flags & HD_OPERAND_DESCRIPTOR && !(hd_intrinsic_access(i, info) & HD_ACCESS_NONUNIFORM));
}

/* Places */

/* Memory that one instruction writes, and what it orders. */
static unsigned
writes_of(const hd_instr *i)
{
   if (i->kind == HD_INSTR_CALL)
      return HD_MEMORY_CHANGING;
   if (i->kind != HD_INSTR_INTRINSIC)
      return 0;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   return info->flags & HD_EFFECT_BARRIER ? HD_MEMORY_CHANGING : info->writes;
}

static bool
touches_memory(const hd_instr *i)
{
   return writes_of(i) || (i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->reads);
}

/* The first instruction from `i` to before `end` that writes one of these classes. */
static const hd_instr *
find_write(const struct query *q, const hd_instr *i, const hd_instr *end, unsigned classes)
{
   for (; i && i != end; i = i->next) {
      if (i != q->instr && writes_of(i) & classes)
         return i;
   }
   return NULL;
}

/* Blocks that lie on a path from one block's end to another one's head; with `once`, on one that
 * does not reach the upper one again.
 */
static bool *
blocks_between(const struct query *q, const hd_block *upper, const hd_block *lower, bool once)
{
   hd_stack *stack = hd_shader_stack(q->f->shader);
   const size_t slots = q->f->num_blocks + 2u;
   bool *below = hd_stack_alloc_zero(stack, slots), *between = hd_stack_alloc_zero(stack, slots);
   const hd_block **work = hd_stack_alloc(stack, slots * sizeof(*work));
   uint32_t num = 0;

   work[num++] = upper;
   for (uint32_t first = 0; first < num; first++) {
      for (uint32_t n = 0; n < work[first]->num_succs; n++) {
         const hd_block *next = work[first]->succs[n].to;
         if (below[block_slot(q->f, next)] || (once && next == upper))
            continue;
         below[block_slot(q->f, next)] = true;
         if (num < slots)
            work[num++] = next;
      }
   }
   num = 0;
   work[num++] = lower;
   for (uint32_t first = 0; first < num; first++) {
      for (uint32_t n = 0; n < work[first]->num_preds; n++) {
         const hd_block *before = work[first]->preds[n].from;
         if (!below[block_slot(q->f, before)] || between[block_slot(q->f, before)] ||
             (once && before == upper))
            continue;
         between[block_slot(q->f, before)] = true;
         if (num < slots)
            work[num++] = before;
      }
   }
   return between;
}

/* What writes these classes on such a path. */
static const hd_instr *
find_write_on_way(const struct query *q, const hd_block *upper, const hd_instr *after,
                  const hd_block *lower, const hd_instr *before, unsigned classes, bool once)
{
   const bool *between = blocks_between(q, upper, lower, once);
   const hd_instr *found;

   /* If the lower block is not below the upper one, nothing lies between. */
   bool any = false;
   for (uint32_t n = 0; n < lower->num_preds; n++) {
      any |= lower->preds[n].from == upper || between[block_slot(q->f, lower->preds[n].from)];
   }
   if (!any)
      return NULL;
   found = find_write(q, after, NULL, classes);
   if (!found)
      found = find_write(q, lower->first, before, classes);
   hd_foreach_block(b, q->f) {
      if (found)
         break;
      hd_heap_step(hd_shader_heap(q->f->shader), 1);
      if (between[block_slot(q->f, b)] && b != upper)
         found = find_write(q, b->first, NULL, classes);
   }
   /* Round a cycle, a whole block lies between. */
   if (!found && between[block_slot(q->f, upper)])
      found = find_write(q, upper->first, NULL, classes);
   if (!found && between[block_slot(q->f, lower)])
      found = find_write(q, lower->first, NULL, classes);
   return found;
}

/* In one block: the instructions that it would be moved past, from `*end` on, are none of them. */
static const hd_instr *
passed_in_block(const struct query *q, const hd_instr **end)
{
   for (const hd_instr *i = q->instr->next; i; i = i->next) {
      if (i == q->before) {
         *end = i;
         return q->instr->next;
      }
   }
   if (!q->before) {
      *end = NULL;
      return q->instr->next;
   }
   *end = q->instr;
   return q->before;
}

/* Rules */

static bool
check_effect(const struct query *q)
{
   const hd_instr *end, *i;

   if (q->from != q->to)
      return refuse(q, HD_MOTION_EFFECT, NULL, NULL, NULL);
   for (i = passed_in_block(q, &end); i != end; i = i->next) {
      if (i != q->instr && touches_memory(i))
         return refuse(q, HD_MOTION_EFFECT, NULL, NULL, i);
   }
   return true;
}

static bool
check_memory(const struct query *q)
{
   unsigned classes = q->info->reads;
   const hd_instr *write, *end;

   /* Where lanes end, or become helpers, others see it. */
   if (q->info->flags & HD_CROSS_LANE)
      classes |= HD_MEMORY_HELPER;

   if (q->access & HD_ACCESS_VOLATILE)
      return refuse(q, HD_MOTION_EFFECT, NULL, NULL, NULL);
   if (q->access & HD_ACCESS_READONLY)
      return true;
   if (q->from == q->to) {
      const hd_instr *i = passed_in_block(q, &end);
      write = find_write(q, i, end, classes);
   } else {
      /* Where one dominates the other, what counts is what happens since it ran last. */
      bool down = hd_block_dominates(q->from, q->to), up = hd_block_dominates(q->to, q->from);
      write = up ? NULL
                 : find_write_on_way(q, q->from, q->instr->next, q->to, q->before, classes, down);
      if (!write && !down)
         write = find_write_on_way(q, q->to, q->before, q->from, q->instr, classes, up);
   }
   return write ? refuse(q, HD_MOTION_MEMORY, NULL, NULL, write) : true;
}

/* Do the lanes of the new place run the old one, before or after? */
static bool
check_address(const struct query *q)
{
   bool anywhere =
       q->info->flags & HD_CAN_SPECULATE ||
       (q->info->flags & HD_CAN_SPECULATE_BY_ACCESS && q->access & HD_ACCESS_SPECULATABLE);

   if (anywhere || hd_block_dominates(q->from, q->to) || hd_block_post_dominates(q->from, q->to))
      return true;
   return refuse(q, HD_MOTION_ADDRESS, NULL, NULL, NULL);
}

/* The nearest divergent branch above a block that does not bring all its lanes there. */
static const hd_block *
branch_above(const hd_block *block)
{
   for (const hd_block *b = hd_block_idom(block); b; b = hd_block_idom(b)) {
      if (hd_block_is_divergent_branch(b) && !hd_block_post_dominates(block, b))
         return b;
   }
   return NULL;
}

/* As an example, a branch by which the lanes of the two places are not the same. */
static const hd_block *
divergence_point(const struct query *q)
{
   const hd_block *branch = branch_above(q->to);

   return branch ? branch : branch_above(q->from);
}

/* Kept with the divergence, as long as the graph is what it is. */
static const hd_lane_set *
lanes_of(hd_function *f)
{
   struct divergence_meta *m = DIVERGENCE_META(f);

   if (!m->lanes) {
      const hd_lane_set *made = hd_find_lane_sets(f);
      size_t size = (f->num_blocks + 1u) * sizeof(*made);
      m->lanes = hd_heap_alloc(hd_shader_heap(f->shader), size);
      m->lanes_size = size;
      memcpy(m->lanes, made, size);
   }
   return m->lanes;
}

static bool
check_cross_lane(const struct query *q)
{
   hd_block *a = q->from, *b = q->to;

   if (hd_block_cycle(a) != hd_block_cycle(b)) {
      const hd_cycle *c = hd_block_cycle(a) ? hd_block_cycle(a) : hd_block_cycle(b);
      return refuse(q, HD_MOTION_CYCLES, NULL, c->header, NULL);
   }
   if (a == b)
      return true;
   const hd_lane_set *lanes = lanes_of(q->f);
   const hd_lane_set *from = &lanes[block_slot(q->f, a)], *to = &lanes[block_slot(q->f, b)];
   if (keeps_lanes(from, to))
      return true;
   return refuse(q, HD_MOTION_LANES, NULL, divergence_point(q), NULL);
}

static bool
check_uniform(const struct query *q, const hd_src *src)
{
   const struct divergence_meta *m = DIVERGENCE_META(q->f);
   const hd_block *def_block = hd_def_instr(src->def)->block;
   const struct divergence_node *d = &m->node[block_slot(q->f, def_block)];
   uint32_t from = m->node[block_slot(q->f, q->from)].place;
   uint32_t to = m->node[block_slot(q->f, q->to)].place;

   if (q->from == q->to || hd_def_is_uniform_at(src->def, q->to) || from == NONE || to == NONE)
      return true;
   if (d->place != NONE &&
       (d->late || (from - d->left_begin < d->left_size && to - d->left_begin >= d->left_size)))
      return refuse(q, HD_MOTION_GROWS, src, hd_block_cycle(def_block)->header, NULL);
   for (const hd_cycle *c = hd_block_cycle(q->from); c; c = c->parent) {
      if (!hd_cycle_contains(c, q->to) || c->has_other_entries)
         return refuse(q, HD_MOTION_CYCLES, src, c->header, NULL);
   }
   /* Dominance is D-dominance for every D. */
   if (!hd_block_dominates(q->from, q->to) && !hd_lanes_are_among(q->f, q->from, q->to, src))
      return refuse(q, HD_MOTION_LANES, src, divergence_point(q), NULL);
   return true;
}

static bool
check(struct query *q)
{
   *q->reason = (hd_motion_reason){ HD_MOTION_LEGAL, NULL, NULL, NULL };
   switch ((hd_instr_kind)q->instr->kind) {
   case HD_INSTR_ALU:
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
      return true;
   case HD_INSTR_INTRINSIC:
      break;
   default:
      return refuse(q, HD_MOTION_KIND, NULL, NULL, NULL);
   }
   q->info = hd_instr_intrinsic_info(q->instr);
   q->access = hd_intrinsic_access(q->instr, q->info);
   if (q->info->flags & (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return check_effect(q);
   if (q->rules & HD_ASK_MEMORY && (q->info->reads || q->info->flags & HD_CROSS_LANE) &&
       !check_memory(q))
      return false;
   if (q->rules & HD_ASK_LANES && q->info->flags & HD_CROSS_LANE && !check_cross_lane(q))
      return false;
   if (q->rules & HD_ASK_ADDRESS && !(q->info->flags & (HD_CROSS_LANE | HD_CAN_SPECULATE)) &&
       !check_address(q))
      return false;
   if (!(q->rules & HD_ASK_UNIFORM))
      return true;
   for (unsigned n = 0; n < q->info->num_srcs; n++) {
      if (hd_wants_uniform(q->instr, n) && !check_uniform(q, hd_instr_src(q->instr, n)))
         return false;
   }
   return true;
}

static bool
check_move(hd_instr *instr, hd_cursor to, unsigned rules, hd_motion_reason *reason)
{
   struct query q = {
      .f = hd_block_function(instr->block),
      .instr = instr,
      .from = instr->block,
      .to = hd_cursor_block(to),
      .before = hd_cursor_cut(to),
      .rules = rules,
      .reason = reason,
   };

   return check(&q);
}

#define MOTION_META                                                                                \
   (HD_META_DOMINANCE | HD_META_POST_DOMINANCE | HD_META_CYCLES | HD_META_DIVERGENCE)

hd_result
hd_ask_motion(hd_instr *instr, hd_cursor to, unsigned rules, hd_motion_reason *reason)
{
   hd_function *f = hd_block_function(instr->block);
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_result result = hd_require(f, MOTION_META);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;

   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      check_move(instr, to, rules, reason);
   hd_stack_release(stack, mark);
   return hd_heap_leave(heap, &u);
}

hd_result
hd_may_move(hd_instr *instr, hd_cursor to, hd_motion_reason *reason)
{
   return hd_ask_motion(instr, to, HD_ASK_ALL, reason);
}

/* The same op, indices and flags, on operands of the same types. */
static bool
do_the_same(const hd_instr *a, const hd_instr *b)
{
   if (a->kind != b->kind || a->op != b->op || a->flags != b->flags || a->num_srcs != b->num_srcs ||
       a->def.bit_size != b->def.bit_size || a->def.num_components != b->def.num_components)
      return false;
   for (unsigned n = 0; n < hd_instr_num_srcs(a); n++) {
      const hd_def *x = hd_instr_src(a, n)->def, *y = hd_instr_src(b, n)->def;
      if (x->bit_size != y->bit_size || x->num_components != y->num_components)
         return false;
   }
   if (a->kind == HD_INSTR_CONST)
      return !memcmp(((const hd_const *)a)->value, ((const hd_const *)b)->value,
                     a->def.num_components * sizeof(hd_const_value));
   if (a->kind != HD_INSTR_INTRINSIC)
      return true;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(a);
   return !memcmp(hd_intrinsic_indices((const hd_intrinsic *)a),
                  hd_intrinsic_indices((const hd_intrinsic *)b),
                  info->num_indices * sizeof(uint32_t));
}

/* Is this the place where it stands? */
static bool
is_at(const hd_instr *i, hd_cursor to)
{
   const hd_instr *before = hd_cursor_cut(to);

   return hd_cursor_block(to) == i->block && (before == i || before == i->next);
}

static bool
check_merge(hd_instr *a, hd_instr *b, hd_cursor to, hd_def *const *srcs, hd_motion_reason *reason)
{
   struct query q = { .f = hd_block_function(a->block),
                      .to = hd_cursor_block(to),
                      .reason = reason };

   if (!do_the_same(a, b))
      return refuse(&q, HD_MOTION_DIFFERENT, NULL, NULL, b);
   unsigned of_a = HD_ASK_ALL, of_b = HD_ASK_ALL;
   if (!srcs && is_at(a, to))
      of_b = HD_ASK_OF_GIVING_WAY;
   if (!srcs && is_at(b, to))
      of_a = HD_ASK_OF_GIVING_WAY;
   if (!check_move(a, to, of_a, reason) || !check_move(b, to, of_b, reason))
      return false;
   /* What happens twice is not what happens once. */
   if (a->kind == HD_INSTR_INTRINSIC && a != b &&
       !(hd_instr_intrinsic_info(a)->flags & HD_CAN_ELIMINATE))
      return refuse(&q, HD_MOTION_EFFECT, NULL, NULL, b);
   for (unsigned n = 0; n < hd_instr_num_srcs(a); n++) {
      const hd_src *x = hd_instr_src(a, n), *y = hd_instr_src(b, n);
      const hd_def *merged = srcs ? srcs[n] : x->def;
      if (merged == x->def && merged == y->def)
         continue;
      if (!srcs)
         return refuse(&q, HD_MOTION_DIFFERENT, y, NULL, b);
      if (a->kind != HD_INSTR_INTRINSIC)
         continue;
      if (hd_wants_uniform(a, n) && !hd_def_is_uniform_at(merged, q.to))
         return refuse(&q, HD_MOTION_OPERAND, y, NULL, NULL);
   }
   return true;
}

hd_result
hd_may_merge(hd_instr *a, hd_instr *b, hd_cursor to, hd_def *const *srcs, hd_motion_reason *reason)
{
   hd_function *f = hd_block_function(a->block);
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_result result = hd_require(f, MOTION_META);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;

   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      check_merge(a, b, to, srcs, reason);
   hd_stack_release(stack, mark);
   return hd_heap_leave(heap, &u);
}
