/* SPDX-License-Identifier: MIT */
/* spill.c - no more values in registers than there are registers.
 *
 * Scalar values first: how many of them are in lanes of vector registers decides how many of those
 * are left. Where that are too many, the rest goes to scratch memory, too. What needs scratch
 * memory holds some scalar registers itself.
 */
#include "machine/spill.h"

#include "backend/gcn/abi/abi.h"
#include "machine/regalloc.h"

/* For tuples to be aligned, and for a copy that needs one register more. */
#define SGPR_SLACK 4
/* The resource, the offset, and two to reach far places. */
#define SCRATCH_SGPRS 7

/* Many values at once need not be: all that a copy reads is a value, not a register. */
static void
split_copy(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_inst *copy)
{
   for (unsigned n = 0; n < copy->num_defs; n++) {
      hd_gcn_inst *one = hd_gcn_inst_create(p, HD_GCN_P_COPY, 1, 1);
      *hd_gcn_def(one, 0) = *hd_gcn_def(copy, n);
      *hd_gcn_src(one, 0) = *hd_gcn_src(copy, n);
      p->temps[hd_gcn_def(one, 0)->value].def = one;
      one->loc = copy->loc;
      hd_gcn_inst_insert_before(block, one, copy);
   }
   hd_gcn_inst_remove(block, copy);
}

static bool
is_scalar(const hd_gcn_program *p, const hd_gcn_operand *operand)
{
   return hd_gcn_is_temp(operand) && p->temps[operand->value].file == HD_GCN_SGPR;
}

/* A scalar that goes into a phi of vector values is copied where the phi reads it: else all such
 * scalars would have to be in registers there.
 */
static void
copy_scalar_sources(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_inst *phi)
{
   if (p->temps[hd_gcn_def(phi, 0)->value].file != HD_GCN_VGPR)
      return;
   for (unsigned n = 0; n < phi->num_srcs; n++) {
      hd_gcn_operand *src = hd_gcn_src(phi, n);
      hd_gcn_block *pred = block->edges[HD_GCN_LOGICAL].preds[n];
      if (!is_scalar(p, src))
         continue;
      const uint32_t temp = hd_gcn_temp_create(p, HD_GCN_VGPR, src->size, 0);
      hd_gcn_inst *copy = hd_gcn_inst_create(p, HD_GCN_P_COPY, 1, 1);
      *hd_gcn_def(copy, 0) = hd_gcn_operand_temp(p, temp);
      *hd_gcn_src(copy, 0) = *src;
      p->temps[temp].def = copy;
      hd_gcn_inst_insert_before(pred, copy, pred->tail);
      *src = hd_gcn_operand_temp(p, temp);
   }
}

static void
prepare(hd_gcn_program *p)
{
   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_GCN_P_COPY && inst->num_defs > 1)
            split_copy(p, block, inst);
         else if (inst->op == HD_GCN_P_PHI && hd_gcn_def(inst, 0)->flags & HD_GCN_OPERAND_KILL)
            hd_gcn_inst_remove(block, inst);
         else if (inst->op == HD_GCN_P_PHI)
            copy_scalar_sources(p, block, inst);
      }
   }
}

/* By temp, as many as there are now; tables for values that are made later are not read. */
static void *
by_temp(const hd_gcn_spiller *s, size_t size)
{
   return hd_stack_alloc_zero(hd_gcn_scratch(s->p), (s->capacity + 1) * size);
}

uint32_t
hd_gcn_spill_temp(hd_gcn_spiller *s, unsigned size)
{
   return hd_gcn_temp_create(s->p, s->file, size, 0);
}

static void
find_defs(hd_gcn_spiller *s)
{
   s->def = by_temp(s, sizeof(*s->def));
   hd_gcn_foreach_block(block, s->p)
   {
      hd_gcn_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_defs; n++) {
            const hd_gcn_operand *def = hd_gcn_def(inst, n);
            if (hd_gcn_is_temp(def) && !s->def[def->value])
               s->def[def->value] = inst;
         }
      }
   }
}

/* What is found for one step would be there until the phase ends. */
static hd_stack_mark
begin_step(const hd_gcn_program *p)
{
   return hd_stack_get_mark(hd_gcn_scratch(p));
}

static void
end_step(const hd_gcn_program *p, hd_stack_mark mark)
{
   if (p->scratch)
      hd_stack_release(p->scratch, mark);
}

/* All values of the file into `limit` registers. `size` gets the dwords of memory. */
static bool
spill_file(hd_gcn_program *p, hd_gcn_file file, uint32_t limit, const hd_gcn_operand *resource,
           uint32_t *size)
{
   const hd_stack_mark mark = begin_step(p);
   hd_gcn_spiller *s = hd_stack_alloc_zero(hd_gcn_scratch(p), sizeof(*s));

   s->p = p;
   s->file = file;
   s->flow = file == HD_GCN_VGPR ? HD_GCN_LOGICAL : HD_GCN_LINEAR;
   s->limit = limit;
   s->capacity = p->num_temps;
   for (unsigned n = 0; n < 2 && resource; n++)
      s->resource[n] = resource[n];
   hd_gcn_live_compute_near(p, &s->live);
   s->place = by_temp(s, sizeof(*s->place));
   s->mark = by_temp(s, sizeof(*s->mark));
   s->count = by_temp(s, sizeof(*s->count));
   s->in_passive = by_temp(s, sizeof(*s->in_passive));
   s->slot = by_temp(s, sizeof(*s->slot));
   s->moved_slot = by_temp(s, sizeof(*s->moved_slot));
   s->phi_in_memory = by_temp(s, sizeof(*s->phi_in_memory));
   s->is_stored = by_temp(s, sizeof(*s->is_stored));
   s->now.temps = by_temp(s, sizeof(*s->now.temps));
   s->at_begin = hd_stack_alloc_zero(hd_gcn_scratch(p), (p->num_blocks + 1) * sizeof(*s->at_begin));
   s->at_end = hd_stack_alloc_zero(hd_gcn_scratch(p), (p->num_blocks + 1) * sizeof(*s->at_end));
   find_defs(s);
   hd_gcn_next_uses(s);
   if (!hd_gcn_spill_walk(s) || !hd_gcn_spill_edges(s))
      return false;
   hd_gcn_spill_stores(s);
   for (uint32_t temp = 0; temp < s->capacity; temp++)
      p->spilled[file] += s->slot[temp] != 0;
   *size = hd_gcn_spill_color(s);
   p->num_slots += *size;
   p->is_crowded = false;
   end_step(p, mark);
   return true;
}

static uint32_t
round_up(uint32_t n, uint32_t to)
{
   return (n + to - 1) / to * to;
}

/* Registers that scalar values can be in, if `scratch` is needed. */
static uint32_t
sgpr_limit(uint32_t budget, bool scratch)
{
   const uint32_t apart = SGPR_SLACK + (scratch ? SCRATCH_SGPRS : 0);

   budget &= ~UINT32_C(3);
   return budget > apart ? budget - apart : 0;
}

/* An offset of more than 12 bits goes into a scalar register: one for the sum, one for scc, which
 * the sum would overwrite.
 */
static void
reach_far(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_inst *inst)
{
   const hd_gcn_operand *value = hd_gcn_slot_value(inst);

   if (!value || p->temps[value->value].file != HD_GCN_VGPR ||
       p->spill_offset + 4 * ((uint32_t)inst->imm + value->size) <= HD_GCN_NEAR_SCRATCH)
      return;
   hd_gcn_inst *far =
       hd_gcn_inst_create(p, (hd_gcn_op)inst->op, inst->num_defs + 2, inst->num_srcs);
   far->imm = inst->imm;
   far->loc = inst->loc;
   for (unsigned n = 0; n < inst->num_defs; n++)
      *hd_gcn_def(far, n) = *hd_gcn_def(inst, n);
   for (unsigned n = 0; n < inst->num_srcs; n++)
      *hd_gcn_src(far, n) = *hd_gcn_src(inst, n);
   for (unsigned n = inst->num_defs; n < far->num_defs; n++) {
      const uint32_t temp = hd_gcn_temp_create(p, HD_GCN_SGPR, 1, 0);
      p->temps[temp].def = far;
      *hd_gcn_def(far, n) = hd_gcn_operand_temp(p, temp);
   }
   hd_gcn_inst_insert_before(block, far, inst);
   hd_gcn_inst_remove(block, inst);
}

static bool
spill_vectors(hd_gcn_program *p, uint32_t limit)
{
   hd_gcn_operand resource[2];
   uint32_t size;

   if (!hd_gcn_abi_scratch(p, &resource[0], &resource[1]))
      return hd_gcn_refuse(p, NULL, "registers do not suffice, and there is no scratch memory");
   if (!spill_file(p, HD_GCN_VGPR, limit, resource, &size))
      return false;
   p->spill_offset = round_up(p->scratch_size, 4);
   p->scratch_size = p->spill_offset + 4 * size;
   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_foreach_inst_safe(inst, following, block) reach_far(p, block, inst);
   }
   return true;
}

/* Spills and copies make several of one. */
#define LONG_CODE 6000u

static bool
is_long(const hd_gcn_program *p)
{
   uint32_t num = 0;

   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_foreach_inst(inst, block) num++;
   }
   return num > LONG_CODE;
}

bool
hd_gcn_spill(hd_gcn_program *p)
{
   hd_gcn_live live;
   uint16_t budget[HD_GCN_NUM_FILES];

   p->is_long = is_long(p);
   const hd_stack_mark mark = begin_step(p);
   hd_gcn_live_compute_near(p, &live);
   hd_gcn_register_budget(p, budget);
   uint32_t scalars = hd_gcn_demand(p, &live, HD_GCN_SGPR);
   uint32_t vectors = hd_gcn_demand(p, &live, HD_GCN_VGPR);
   const bool scalars_fit = scalars <= sgpr_limit(budget[HD_GCN_SGPR], false);
   if (scalars_fit && vectors <= budget[HD_GCN_VGPR])
      return true;

   end_step(p, mark);
   prepare(p);
   hd_gcn_live_compute_near(p, &live);
   scalars = hd_gcn_demand(p, &live, HD_GCN_SGPR);
   vectors = hd_gcn_demand(p, &live, HD_GCN_VGPR);
   end_step(p, mark);
   /* Lanes of so many vector registers hold all scalars that are ever live at once, and as much
    * again: places are not shared as well as could be.
    */
   const uint32_t lane_vgprs = scalars_fit ? 0 : round_up(2 * scalars, 64) / 64;
   const bool scratch = vectors + lane_vgprs > budget[HD_GCN_VGPR] || live.is_near ||
                        lane_vgprs > hd_gcn_most_lane_vgprs(budget[HD_GCN_VGPR]);
   uint32_t lanes = 0;
   if (scalars > sgpr_limit(budget[HD_GCN_SGPR], scratch) &&
       !spill_file(p, HD_GCN_SGPR, sgpr_limit(budget[HD_GCN_SGPR], scratch), NULL, &lanes))
      return false;
   hd_gcn_spill_to_lanes(p, lanes, budget[HD_GCN_VGPR]);
   if (scratch)
      p->scratch_size += p->options->extra_scratch;
   const uint32_t limit = budget[HD_GCN_VGPR] - p->num_lane_vgprs - p->num_page_vgprs;
   return (vectors <= limit || spill_vectors(p, limit)) && hd_gcn_spill_pages(p);
}
