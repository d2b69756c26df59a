/* SPDX-License-Identifier: MIT */
/* liveness.c - liveness: live-in and live-out lists, one variable at a time, from each use back to the
 * definition (Appel; Brandner, Boissinot and others, Computing Liveness Sets for SSA-Form Programs,
 * 2011).
 *
 * One value after the other: every block with a use is walked up from. So the last entry of a block's
 * list tells whether the value is already there, and the lists come out sorted.
 */
#include "machine/liveness.h"

#include <string.h>

typedef struct liveness {
   hd_mach_program *p;
   hd_mach_live *live;
   uint32_t *first_use;  /* by temp: where its uses begin in `uses` */
   hd_mach_block **uses; /* blocks in which the value is read, or at whose end a phi reads it */
   bool *upward;         /* by use: it is before all definitions in its block */
   uint32_t *first_def;  /* the same of blocks that define it: several if it is reloaded */
   hd_mach_block **defs;
   bool is_upward;    /* the use that is visited */
   uint32_t *defines; /* by block index: the temp of the moment if the block defines it */
   uint32_t *capacity[HD_MACH_NUM_EDGE_KINDS]; /* of the lists, by block */
   hd_mach_block **work;
   uint32_t work_capacity;
   uint64_t entries, most_entries; /* of all lists, and how many there may be */
} liveness;

/* Entries a block on average: once values are in registers, there are no more. */
#define MOST_ENTRIES 200u

/* One entry for each use that a definition in the same block does not come before, or each
 * definition; the caller counts, then writes. Phis read at the ends of predecessors.
 */
static void
visit_uses(liveness *l, void (*visit)(liveness *, uint32_t temp, hd_mach_block *at))
{
   uint32_t *defined =
       hd_stack_alloc_zero(hd_mach_scratch(l->p), (l->p->num_temps + 1) * sizeof(*defined));

   hd_mach_foreach_block(block, l->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_srcs; n++) {
            const hd_mach_operand *src = hd_mach_src(inst, n);
            if (!hd_mach_is_temp(src))
               continue;
            l->is_upward = inst->op != HD_MACH_P_PHI;
            if (inst->op == HD_MACH_P_PHI)
               visit(l, src->value, block->edges[hd_mach_phi_flow(l->p, inst)].preds[n]);
            else if (defined[src->value] != block->index + 1)
               visit(l, src->value, block);
         }
         for (unsigned n = 0; n < inst->num_defs; n++) {
            if (hd_mach_is_temp(hd_mach_def(inst, n)))
               defined[hd_mach_def(inst, n)->value] = block->index + 1;
         }
      }
   }
}

static void
visit_defs(liveness *l, void (*visit)(liveness *, uint32_t temp, hd_mach_block *at))
{
   hd_mach_foreach_block(block, l->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_defs; n++) {
            if (hd_mach_is_temp(hd_mach_def(inst, n)))
               visit(l, hd_mach_def(inst, n)->value, block);
         }
      }
   }
}

static void
count_use(liveness *l, uint32_t temp, hd_mach_block *at)
{
   (void)at;
   l->first_use[temp + 1]++;
}

static void
write_use(liveness *l, uint32_t temp, hd_mach_block *at)
{
   l->upward[l->first_use[temp]] = l->is_upward;
   l->uses[l->first_use[temp]++] = at;
}

static void
count_def(liveness *l, uint32_t temp, hd_mach_block *at)
{
   (void)at;
   l->first_def[temp + 1]++;
}

static void
write_def(liveness *l, uint32_t temp, hd_mach_block *at)
{
   l->defs[l->first_def[temp]++] = at;
}

/* Numbers by temp become places in a list; returns its length. */
static uint32_t
counts_to_places(uint32_t *first, uint32_t num)
{
   for (uint32_t n = 0; n <= num; n++)
      first[n + 1] += first[n];
   return first[num];
}

/* After writing, each place has moved to where the next one began. */
static void
places_back(uint32_t *first, uint32_t num)
{
   memmove(first + 1, first, (num + 1) * sizeof(*first));
   first[0] = 0;
}

/* Afterwards the uses of a temp are uses[first_use[temp]] to uses[first_use[temp + 1] - 1]. */
static void
collect(liveness *l)
{
   hd_stack *stack = hd_mach_scratch(l->p);
   const uint32_t num = l->p->num_temps;

   l->first_use = hd_stack_alloc_zero(stack, (num + 2) * sizeof(uint32_t));
   l->first_def = hd_stack_alloc_zero(stack, (num + 2) * sizeof(uint32_t));
   visit_uses(l, count_use);
   visit_defs(l, count_def);
   const uint32_t num_uses = counts_to_places(l->first_use, num);
   l->uses = hd_stack_alloc(stack, (num_uses + 1) * sizeof(*l->uses));
   l->upward = hd_stack_alloc(stack, (num_uses + 1) * sizeof(*l->upward));
   l->defs = hd_stack_alloc(stack, (counts_to_places(l->first_def, num) + 1) * sizeof(*l->defs));
   visit_uses(l, write_use);
   visit_defs(l, write_def);
   places_back(l->first_use, num);
   places_back(l->first_def, num);
   /* The one that is reached first is what was the only one. */
   l->live->def_block = hd_stack_alloc_zero(stack, (num + 1) * sizeof(*l->live->def_block));
   for (uint32_t temp = 0; temp < num; temp++) {
      if (l->first_def[temp] < l->first_def[temp + 1])
         l->live->def_block[temp] = l->defs[l->first_def[temp]];
   }
   l->defines = hd_stack_alloc_zero(stack, (l->p->num_blocks + 1) * sizeof(*l->defines));
}

static bool
add_live_in(liveness *l, hd_mach_edge_kind flow, const hd_mach_block *block, uint32_t temp)
{
   hd_mach_live_in *in = &l->live->in[flow][block->index];
   uint32_t *capacity = &l->capacity[flow][block->index];

   if (in->num && in->temps[in->num - 1] == temp)
      return false;
   if (in->num == *capacity) {
      *capacity = *capacity ? 2 * *capacity : 8;
      uint32_t *temps = hd_stack_alloc(hd_mach_scratch(l->p), *capacity * sizeof(*temps));
      if (in->num)
         memcpy(temps, in->temps, in->num * sizeof(*temps));
      in->temps = temps;
   }
   in->temps[in->num++] = temp;
   l->entries++;
   return true;
}

static void
push(liveness *l, uint32_t *num, hd_mach_block *block)
{
   if (*num == l->work_capacity) {
      l->work_capacity = 2 * l->work_capacity + 64;
      hd_mach_block **work =
          hd_stack_alloc(hd_mach_scratch(l->p), l->work_capacity * sizeof(*work));
      if (*num)
         memcpy(work, l->work, *num * sizeof(*work));
      l->work = work;
   }
   l->work[(*num)++] = block;
}

/* The value is live at the end of the block: it is live at its beginning as well, if it comes from
 * there.
 */
static void
reach(liveness *l, hd_mach_edge_kind flow, uint32_t temp, hd_mach_block *block, uint32_t *num)
{
   if (l->defines[block->index] != temp && add_live_in(l, flow, block, temp))
      push(l, num, block);
}

static void
walk_up(liveness *l, uint32_t temp)
{
   const hd_mach_edge_kind flow = hd_mach_flow_of(l->p, temp);
   uint32_t num = 0;

   if (!l->live->def_block[temp])
      return;
   for (uint32_t n = l->first_def[temp]; n < l->first_def[temp + 1]; n++)
      l->defines[l->defs[n]->index] = temp;
   /* Uses in blocks that define the value as well: of phis, for which it is defined; or before the
    * definition, then it comes from above.
    */
   for (uint32_t n = l->first_use[temp]; n < l->first_use[temp + 1]; n++) {
      hd_mach_block *at = l->uses[n];
      if (l->defines[at->index] == temp && !l->upward[n])
         continue;
      if (add_live_in(l, flow, at, temp))
         push(l, &num, at);
   }
   /* Ends: a block is pushed once, when the value is entered into its list. */
   while (num && l->entries <= l->most_entries) {
      const hd_mach_edges *edges = &l->work[--num]->edges[flow];
      for (uint32_t n = 0; n < edges->num_preds; n++)
         reach(l, flow, temp, edges->preds[n], &num);
   }
}

/* `last` holds a block's number + 1 for each value that is live at the point of the walk. */
static void
mark_live_out(liveness *l, const hd_mach_block *block, uint32_t *last)
{
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      const hd_mach_edges *edges = &block->edges[flow];
      for (uint32_t s = 0; s < edges->num_succs; s++) {
         const hd_mach_live_in *in = &l->live->in[flow][edges->succs[s]->index];
         for (uint32_t n = 0; n < in->num; n++)
            last[in->temps[n]] = block->index + 1;
      }
   }
}

static void
set_kill(hd_mach_operand *operand, bool kill)
{
   operand->flags &= (uint8_t)~HD_MACH_OPERAND_KILL;
   if (kill)
      operand->flags |= HD_MACH_OPERAND_KILL;
}

static bool
has_uses(const liveness *l, uint32_t temp)
{
   return l->first_use[temp] < l->first_use[temp + 1];
}

/* What phis read at the end of a block is live there: marked before the walk, as a list of the
 * sources by predecessor would cost as much as the walk over them.
 */
static void
flag_kills(const liveness *l, hd_mach_block *block, uint32_t *last)
{
   const uint32_t here = block->index + 1;

   for (hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
      for (unsigned n = 0; n < inst->num_defs; n++) {
         hd_mach_operand *def = hd_mach_def(inst, n);
         if (hd_mach_is_temp(def))
            set_kill(def,
                     last[def->value] != here && !(l->live->is_near && has_uses(l, def->value)));
      }
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (hd_mach_is_temp(hd_mach_def(inst, n)))
            last[hd_mach_def(inst, n)->value] = 0; /* what was before is of no use */
      }
      if (inst->op == HD_MACH_P_PHI)
         continue;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         hd_mach_operand *src = hd_mach_src(inst, n);
         if (hd_mach_is_temp(src))
            set_kill(src, last[src->value] != here);
      }
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         if (hd_mach_is_temp(hd_mach_src(inst, n)))
            last[hd_mach_src(inst, n)->value] = here;
      }
   }
}

static void
visit_phi_uses(liveness *l, bool write)
{
   hd_mach_foreach_block(block, l->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (inst->op != HD_MACH_P_PHI)
            break;
         const hd_mach_edges *edges = &block->edges[hd_mach_phi_flow(l->p, inst)];
         for (unsigned n = 0; n < inst->num_srcs; n++) {
            const hd_mach_operand *src = hd_mach_src(inst, n);
            if (!hd_mach_is_temp(src))
               continue;
            if (write)
               l->live->phi_temps[l->live->phi_first[edges->preds[n]->index]++] = src->value;
            else
               l->live->phi_first[edges->preds[n]->index + 1]++;
         }
      }
   }
}

static void
collect_phi_uses(liveness *l)
{
   const uint32_t num = l->p->num_blocks;
   uint32_t *first = hd_stack_alloc_zero(hd_mach_scratch(l->p), (num + 2) * sizeof(*first));

   l->live->phi_first = first;
   visit_phi_uses(l, false);
   l->live->phi_temps =
       hd_stack_alloc(hd_mach_scratch(l->p), (counts_to_places(first, num) + 1) * sizeof(uint32_t));
   visit_phi_uses(l, true);
   places_back(first, num);
}

static void
set_kill_flags(liveness *l)
{
   uint32_t *last =
       hd_stack_alloc_zero(hd_mach_scratch(l->p), (l->p->num_temps + 1) * sizeof(*last));
   const hd_mach_live *live = l->live;

   hd_mach_foreach_block(block, l->p)
   {
      mark_live_out(l, block, last);
      for (uint32_t n = live->phi_first[block->index]; n < live->phi_first[block->index + 1]; n++)
         last[live->phi_temps[n]] = block->index + 1;
      flag_kills(l, block, last);
   }
}

/* A phi of one source is a copy. It stands in its own block, as its predecessor may have other
 * successors.
 */
static void
lower_single_phis(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_inst *after = block->first, *first = NULL, *last = NULL;
   uint32_t num = 0, n = 0;

   while (after && after->op == HD_MACH_P_PHI) {
      hd_mach_inst *phi = after;
      after = after->next;
      if (phi->num_srcs != 1)
         continue;
      hd_mach_inst_remove(block, phi);
      if (last)
         last->next = phi;
      else
         first = phi;
      last = phi;
      num++;
   }
   if (!num)
      return;
   hd_mach_inst *copy = hd_mach_inst_create(p, HD_MACH_P_COPY, num, num);
   for (const hd_mach_inst *phi = first; phi; phi = phi->next, n++) {
      *hd_mach_def(copy, n) = *hd_mach_def(phi, 0);
      *hd_mach_src(copy, n) = *hd_mach_src(phi, 0);
      p->temps[hd_mach_def(phi, 0)->value].def = copy;
   }
   hd_mach_inst_insert_before(block, copy, after);
}

bool
hd_mach_rebuild_ssa(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p) lower_single_phis(p, block);
   return true;
}

static void
compute(hd_mach_program *p, hd_mach_live *live, uint64_t most_entries)
{
   liveness l = { .p = p, .live = live, .most_entries = most_entries };

   hd_mach_program_number(p);
   hd_mach_rebuild_ssa(p);
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      live->in[flow] =
          hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(hd_mach_live_in));
      l.capacity[flow] =
          hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(uint32_t));
   }
   collect(&l);
   collect_phi_uses(&l);
   const hd_stack_mark mark = hd_stack_get_mark(hd_mach_scratch(p));
   for (uint32_t temp = 1; temp < p->num_temps && l.entries <= most_entries; temp++)
      walk_up(&l, temp);
   live->is_near = l.entries > most_entries;
   if (live->is_near) {
      hd_stack_release(hd_mach_scratch(p), mark);
      hd_mach_liveness_find_near(p, live);
   }
   set_kill_flags(&l);
}

void
hd_mach_liveness(hd_mach_program *p, hd_mach_live *live)
{
   compute(p, live, UINT64_MAX);
}

void
hd_mach_liveness_limited(hd_mach_program *p, hd_mach_live *live)
{
   const bool is_near = p->live_limit || p->is_crowded;

   compute(p, live, is_near ? 0 : (uint64_t)MOST_ENTRIES * p->num_blocks);
   p->is_crowded = live->is_near;
}
