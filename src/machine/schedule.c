/* SPDX-License-Identifier: MIT */
/* schedule.c - instruction scheduling within blocks: list scheduling (Gibbons and Muchnick, 1986) that
 * hides the latency of loads within a budget of registers.
 *
 *    load  a                        load  a
 *    use   a                        load  b
 *    load  b              =>        c, which needs neither
 *    use   b                        use   a
 *    c                              use   b
 *
 * Register pressure limits occupancy, and other waves hide latency, too. So blocks may use as many
 * registers as the target occupancy allows; a region keeps its old order if the new one would need
 * more than that and more than the old one, or would not be faster. The target occupancy is that of
 * the original order; or a higher one, if orders with low register pressure reach it and lose no
 * time:
 *
 *    Waves that share a SIMD wait side by side and issue in turns. So of n of them each takes, in
 *    the mean, what its instructions take to issue or an nth of what it takes alone, the longer.
 *
 * This is compared for the regions that prevent one more wave; all others only gain.
 *
 * Regions end at instructions that must not move: those that write exec, have effects that no
 * operand shows, or belong to the block's tail.
 *
 * Requires:  values (before `spill`); linear and logical edges; exec and branches in place.
 * Preserves: liveness between blocks.
 * Leaves:    last-use flags stale: liveness must be recomputed.
 * Tests:     tests/backend/gcn/test_schedule.c
 */
#include "machine/schedule.h"

#include <string.h>

#include "machine/liveness.h"

/* How far a mask may be from its last reader to stay with it; how many instructions in all. */
#define MASK_REACH 3u
#define MAX_GLUED  8u

/* What one wave more would take. */
struct survey {
   int32_t limit[HD_MACH_MAX_FILES];  /* what stays below it is not in the way */
   bool blocked;                      /* something is in the way whatever is done */
   int32_t region[HD_MACH_MAX_FILES]; /* the most that is live in this region as it stands */
   /* By the waves that there are and by one more: the sums of what a wave takes of its share. */
   unsigned waves;
   uint64_t scheduled, narrow;
};

struct scheduler {
   hd_mach_program *p;
   hd_mach_live live;
   hd_mach_region region;
   int32_t limit[HD_MACH_MAX_FILES];
   struct survey *survey; /* nothing is moved */
   bool more;             /* waves than in the order in which the program comes */
   uint32_t *seen;        /* by temp: the last instruction that has been passed and reads it last */
   uint32_t num_passed;
};

static void
count(const hd_mach_program *p, const hd_mach_operand *operand, int32_t sign,
      int32_t live[HD_MACH_MAX_FILES])
{
   if (hd_mach_is_temp(operand))
      live[p->temps[operand->value].file] += sign * operand->size;
}

/* After the instruction, from what is before it. */
static void
pass_inst(struct scheduler *s, const hd_mach_inst *inst, int32_t live[HD_MACH_MAX_FILES])
{
   s->num_passed++;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (!(hd_mach_def(inst, n)->flags & HD_MACH_OPERAND_KILL))
         count(s->p, hd_mach_def(inst, n), 1, live);
   }
   if (inst->op == HD_MACH_P_PHI)
      return;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (!(src->flags & HD_MACH_OPERAND_KILL) || s->seen[src->value] == s->num_passed)
         continue; /* an instruction can read a value twice */
      s->seen[src->value] = s->num_passed;
      count(s->p, src, -1, live);
   }
}

/* Registers that are live into the block. */
static void
live_into(const struct scheduler *s, const hd_mach_block *block, int32_t live[HD_MACH_MAX_FILES])
{
   memset(live, 0, HD_MACH_MAX_FILES * sizeof(*live));
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      const hd_mach_live_in *in = &s->live.in[flow][block->index];
      for (uint32_t n = 0; n < in->num; n++)
         live[s->p->temps[in->temps[n]].file] += s->p->temps[in->temps[n]].size;
   }
}

/* Into the order that was chosen. */
static void
reorder(hd_mach_region *r, const uint32_t *order)
{
   hd_mach_inst *before = r->first->prev, *after = r->last->next;

   for (uint32_t n = 0; n < r->num_nodes; n++) {
      hd_mach_node *node = &r->nodes[order[n]];
      node->first->prev = before;
      if (before)
         before->next = node->first;
      else
         r->block->first = node->first;
      before = node->last;
   }
   before->next = after;
   if (after)
      after->prev = before;
   else
      r->block->last = before;
}

static bool
exceeds(const int32_t now[HD_MACH_MAX_FILES], const int32_t limit[HD_MACH_MAX_FILES])
{
   for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++) {
      if (now[f] > limit[f])
         return true;
   }
   return false;
}

static void
raise_peak(int32_t peak[HD_MACH_MAX_FILES], const int32_t live[HD_MACH_MAX_FILES])
{
   for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++)
      peak[f] = live[f] > peak[f] ? live[f] : peak[f];
}

static bool
fits(const struct scheduler *s, const int32_t now[HD_MACH_MAX_FILES],
     const int32_t before[HD_MACH_MAX_FILES])
{
   for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++) {
      if (now[f] > s->limit[f] && now[f] > before[f])
         return false;
   }
   return true;
}

/* Whether it takes fewer registers of the file that is short. */
static bool
takes_fewer(const hd_mach_program *p, const int32_t now[HD_MACH_MAX_FILES],
            const int32_t before[HD_MACH_MAX_FILES], const int32_t limit[HD_MACH_MAX_FILES])
{
   const unsigned vector = p->mach->file_of[HD_MACH_LOGICAL];
   const unsigned scalar = p->mach->file_of[HD_MACH_LINEAR];
   const unsigned file = before[vector] > limit[vector] ? vector : scalar;
   const unsigned other = file == vector ? scalar : vector;

   return now[file] < before[file] && (now[other] <= limit[other] || now[other] <= before[other]);
}

/* The region in the order that is there. */
static void
look_at(hd_mach_region *r, const int32_t limit[HD_MACH_MAX_FILES])
{
   r->number++;
   memcpy(r->limit, limit, sizeof(r->limit));
   hd_mach_region_graph(r);
}

static const int32_t fewest[HD_MACH_MAX_FILES];

static uint64_t
longer(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

static void
survey_region(struct scheduler *s)
{
   struct survey *survey = s->survey;
   hd_mach_region *r = &s->region;
   const hd_stack_mark mark = hd_stack_get_mark(s->p->stack);
   const uint64_t now = survey->waves, more = now + 1;
   int32_t before[HD_MACH_MAX_FILES];
   uint64_t issue = 0;

   bool narrower = false;
   for (unsigned n = 0; n < 2 && !narrower; n++) {
      look_at(r, n ? fewest : survey->limit);
      hd_mach_region_order(r);
      narrower = !exceeds(r->peak, survey->limit);
   }
   survey->blocked |= !narrower;
   const uint64_t narrow = r->cycles;
   if (narrower) {
      look_at(r, s->limit);
      memcpy(before, r->peak, sizeof(before));
      for (uint32_t n = 0; n < r->num_nodes; n++)
         issue += r->nodes[n].cycles;
      uint64_t scheduled = r->cycles;
      hd_mach_region_order(r);
      if (r->cycles < scheduled ? fits(s, r->peak, before) : exceeds(before, s->limit))
         scheduled = r->cycles;
      survey->scheduled += longer(issue * now, scheduled) * more;
      survey->narrow += longer(issue * more, narrow) * now;
   }
   hd_stack_release(s->p->stack, mark);
}

/* It leaves too little room for the waves: fewer registers come before all else. */
static void
narrow_region(struct scheduler *s, const int32_t before[HD_MACH_MAX_FILES], const uint32_t *order)
{
   hd_mach_region *r = &s->region;

   if (exceeds(r->peak, s->limit)) {
      look_at(r, fewest);
      order = hd_mach_region_order(r);
      if (!takes_fewer(s->p, r->peak, before, s->limit))
         return;
   }
   reorder(r, order);
}

static void
schedule_region(struct scheduler *s)
{
   const hd_stack_mark mark = hd_stack_get_mark(s->p->stack);
   hd_mach_region *r = &s->region;
   int32_t before[HD_MACH_MAX_FILES];

   look_at(r, s->limit);
   memcpy(before, r->peak, sizeof(before));
   if (r->num_nodes > 1) {
      const uint32_t cycles = r->cycles;
      const uint32_t *order = hd_mach_region_order(r);
      if (s->more && exceeds(before, s->limit))
         narrow_region(s, before, order);
      else if (r->cycles < cycles && fits(s, r->peak, before))
         reorder(r, order);
   }
   hd_stack_release(s->p->stack, mark);
}

/* Whether nothing may cross the instruction. */
static bool
stays(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const uint32_t stay = HD_MACH_SIDE_EFFECT | HD_MACH_BRANCHES | HD_MACH_ENDS;

   if (hd_mach_op_of(p->mach, inst)->flags & stay)
      return true;
   if (inst->op == HD_MACH_P_START || inst->op == HD_MACH_P_PHI || inst->op == HD_MACH_P_MASK_PHI ||
       inst->op == HD_MACH_P_END || inst->op == HD_MACH_P_HALT)
      return true;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (def->size && hd_mach_meets(p->mach->exec, def->reg, def->size))
         return true;
   }
   return false;
}

/* After each instruction of the block: whether the flag register, as it is there, is read. */
static void
glue_flag(unsigned flag, const hd_mach_block *block, uint32_t num, uint8_t *glue)
{
   bool wanted = false;

   for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
      glue[--num] = wanted ? HD_MACH_GLUE_FLAG : 0;
      for (unsigned d = 0; d < inst->num_defs; d++)
         wanted &= !(hd_mach_def(inst, d)->size && hd_mach_def(inst, d)->reg == flag);
      for (unsigned s = 0; s < inst->num_srcs; s++)
         wanted |= hd_mach_src(inst, s)->size && hd_mach_src(inst, s)->reg == flag &&
                   flag != HD_MACH_NO_REG;
   }
}

/* How many instructions further the mask is read for the last time that a vector instruction
 * writes; 0: that is far, or none, or memory is touched on the way.
 */
static unsigned
mask_distance(const struct scheduler *s, const hd_mach_inst *inst)
{
   const hd_mach_operand *mask = NULL;
   unsigned distance = 0;

   if (!(hd_mach_op_of(s->p->mach, inst)->flags & HD_MACH_PER_LANE))
      return 0;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (hd_mach_is_temp(def) && (s->p->temps[def->value].flags & HD_MACH_TEMP_MASK))
         mask = def;
   }
   while (mask && distance++ < MASK_REACH) {
      inst = inst->next;
      if (!inst || inst->op == HD_MACH_P_PHI || hd_mach_load_latency(s->p->mach, inst))
         return 0;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         if (hd_mach_is_temp(src) && src->value == mask->value &&
             (src->flags & HD_MACH_OPERAND_KILL))
            return distance;
      }
   }
   return 0;
}

/* A mask goes from one instruction to the next in the preferred register, which short
 * forms want, if nothing else comes between that makes one.
 */
static void
glue_masks(const struct scheduler *s, const hd_mach_block *block, uint8_t *glue)
{
   uint32_t position = 0, end = 0, begin = 0;

   for (const hd_mach_inst *inst = block->first; inst; inst = inst->next, position++) {
      const unsigned distance = mask_distance(s, inst);
      if (position >= end)
         begin = position;
      if (position + distance > end && position + distance - begin <= MAX_GLUED)
         end = position + distance;
      if (position < end)
         glue[position] |= HD_MACH_GLUE_MASK;
   }
}

static uint8_t *
find_glue(const struct scheduler *s, const hd_mach_block *block)
{
   uint32_t num = 0;

   for (const hd_mach_inst *inst = block->first; inst; inst = inst->next)
      num++;
   uint8_t *glue = hd_stack_alloc(s->p->stack, num + 1);
   glue_flag(s->p->mach->flag, block, num, glue);
   glue_masks(s, block, glue);
   return glue;
}

/* The region from `first` to before `end`, which are at these positions. What makes the flag for `end`
 * or what follows stays before it.
 */
static void
close_region(struct scheduler *s, hd_mach_block *block, hd_mach_inst *first, hd_mach_inst *end,
             const int32_t live[HD_MACH_MAX_FILES], const uint8_t *glue, uint32_t from, uint32_t to)
{
   hd_mach_inst *last = end ? end->prev : block->last;
   hd_mach_region *r = &s->region;

   while (to > from && (glue[to - 1] & HD_MACH_GLUE_FLAG)) {
      last = last->prev;
      to--;
   }
   /* Without loads there is nothing to gain but registers. */
   bool wanted = s->more;
   for (const hd_mach_inst *inst = first; inst && to > from && !wanted; inst = inst->next) {
      wanted = hd_mach_load_latency(s->p->mach, inst);
      if (inst == last)
         break;
   }
   if (s->survey) {
      wanted = exceeds(s->survey->region, s->survey->limit);
      s->survey->blocked |= wanted && to <= from + 1;
   }
   if (!wanted || to <= from + 1)
      return;
   r->block = block;
   r->first = first;
   r->last = last;
   r->glue = glue + from;
   memcpy(r->live, live, sizeof(r->live));
   if (s->survey)
      survey_region(s);
   else
      schedule_region(s);
}

static void
schedule_block(struct scheduler *s, hd_mach_block *block)
{
   const hd_stack_mark mark = hd_stack_get_mark(s->p->stack);
   const uint8_t *glue = find_glue(s, block);
   int32_t live[HD_MACH_MAX_FILES], before[HD_MACH_MAX_FILES];
   uint32_t position = 0, from = 0;
   hd_mach_inst *first = NULL;

   live_into(s, block, live);
   for (hd_mach_inst *inst = block->first, *next; inst; inst = next, position++) {
      next = inst->next;
      const bool tail = inst == block->tail;
      if (first && (tail || stays(s->p, inst))) {
         close_region(s, block, first, inst, before, glue, from, position);
         first = NULL;
      } else if (!first && !tail && !stays(s->p, inst)) {
         first = inst;
         from = position;
         memcpy(before, live, sizeof(before));
      }
      if (tail)
         break;
      if (s->survey && inst == first)
         memcpy(s->survey->region, live, sizeof(live));
      pass_inst(s, inst, live);
      if (s->survey && first)
         raise_peak(s->survey->region, live);
      else if (s->survey)
         s->survey->blocked |= exceeds(live, s->survey->limit);
      if (s->survey && s->survey->blocked)
         return;
   }
   if (first)
      close_region(s, block, first, NULL, before, glue, from, position);
   hd_stack_release(s->p->stack, mark);
}

/* The most that is live in the block. */
static void
find_peak(struct scheduler *s, const hd_mach_block *block, int32_t peak[HD_MACH_MAX_FILES])
{
   int32_t live[HD_MACH_MAX_FILES];

   memset(peak, 0, HD_MACH_MAX_FILES * sizeof(*peak));
   live_into(s, block, live);
   hd_mach_foreach_inst(inst, block)
   {
      pass_inst(s, inst, live);
      raise_peak(peak, live);
   }
}

static unsigned
waves_of(const struct scheduler *s, const int32_t peak[HD_MACH_MAX_FILES])
{
   int32_t regs[HD_MACH_MAX_FILES] = { 0 };

   for (unsigned f = 0; f < s->p->mach->num_files; f++)
      regs[f] = peak[f] + s->p->mach->files[f].slack;
   return s->p->hooks->occupancy(s->p, regs);
}

/* As many values as leave room for so many waves. */
static void
find_limits(const hd_mach_program *p, unsigned waves, int32_t limit[HD_MACH_MAX_FILES])
{
   for (unsigned f = 0; f < p->mach->num_files; f++)
      limit[f] = p->hooks->registers_for(p, waves, f) - p->mach->files[f].slack;
}

/* Whether the program shall leave room for one wave more than the limits do. */
static bool
gains_wave(struct scheduler *s, unsigned waves, int32_t (*peaks)[HD_MACH_MAX_FILES])
{
   struct survey survey = { .waves = waves, .blocked = !waves || waves_of(s, fewest) <= waves };
   const hd_stack_mark mark = hd_stack_get_mark(s->p->stack);

   if (survey.blocked)
      return false;
   find_limits(s->p, waves + 1, survey.limit);
   s->survey = &survey;
   for (hd_mach_block *block = s->p->first; block && !survey.blocked; block = block->next) {
      if (exceeds(peaks[block->index], survey.limit))
         schedule_block(s, block);
      hd_stack_release(s->p->stack, mark); /* it may have stopped on its way */
   }
   s->survey = NULL;
   return !survey.blocked && survey.narrow <= survey.scheduled;
}

bool
hd_mach_schedule(hd_mach_program *p)
{
   struct scheduler s = { .p = p };
   int32_t peak[HD_MACH_MAX_FILES] = { 0 };

   hd_mach_liveness_limited(p, &s.live); /* makes instructions: what is after the mark has none */
   const hd_stack_mark mark = hd_stack_get_mark(p->stack);
   s.seen = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*s.seen));
   s.region.p = p;
   s.region.temps = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*s.region.temps));
   int32_t(*peaks)[HD_MACH_MAX_FILES] = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*peaks));
   hd_mach_foreach_block(block, p)
   {
      find_peak(&s, block, peaks[block->index]);
      raise_peak(peak, peaks[block->index]);
   }
   unsigned waves = waves_of(&s, peak);
   find_limits(p, waves, s.limit);
   while (gains_wave(&s, waves, peaks)) {
      s.more = true;
      find_limits(p, ++waves, s.limit);
   }
   hd_mach_foreach_block(block, p)
   {
      hd_heap_step(p->stack->heap, 1);
      schedule_block(&s, block);
   }
   hd_stack_release(p->stack, mark);
   return true;
}
