/* SPDX-License-Identifier: MIT */
/* spill.c - spilling: lower the register pressure until the values fit.
 *
 * Scalar values first: how many of them are spilled to lanes of vector registers decides how many
 * vector registers are left. If there are too many, the rest goes to scratch memory. Access to
 * scratch memory needs some scalar registers itself.
 */
#include "machine/spill.h"

/* Many values at once need not be: all that a copy reads is a value, not a register. */
static void
split_copy(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *copy)
{
   for (unsigned n = 0; n < copy->num_defs; n++) {
      hd_mach_inst *one = hd_mach_inst_create(p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(one, 0) = *hd_mach_def(copy, n);
      *hd_mach_src(one, 0) = *hd_mach_src(copy, n);
      p->temps[hd_mach_def(one, 0)->value].def = one;
      one->loc = copy->loc;
      hd_mach_inst_insert_before(block, one, copy);
   }
   hd_mach_inst_remove(block, copy);
}

static bool
is_scalar(const hd_mach_program *p, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && !hd_mach_is_vector(p, operand->value);
}

/* A scalar that goes into a phi of vector values is copied where the phi reads it: else all such
 * scalars would have to be in registers there.
 */
static void
copy_scalar_sources(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *phi)
{
   if (!hd_mach_is_vector(p, hd_mach_def(phi, 0)->value))
      return;
   for (unsigned n = 0; n < phi->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(phi, n);
      hd_mach_block *pred = block->edges[HD_MACH_LOGICAL].preds[n];
      if (!is_scalar(p, src))
         continue;
      const uint32_t temp = hd_mach_temp_create(p, p->mach->file_of[HD_MACH_LOGICAL], src->size, 0);
      hd_mach_inst *copy = hd_mach_inst_create(p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(copy, 0) = hd_mach_operand_temp(p, temp);
      *hd_mach_src(copy, 0) = *src;
      p->temps[temp].def = copy;
      hd_mach_inst_insert_before(pred, copy, pred->tail);
      *src = hd_mach_operand_temp(p, temp);
   }
}

static void
prepare(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_MACH_P_COPY && inst->num_defs > 1)
            split_copy(p, block, inst);
         else if (inst->op == HD_MACH_P_PHI && hd_mach_def(inst, 0)->flags & HD_MACH_OPERAND_KILL)
            hd_mach_inst_remove(block, inst);
         else if (inst->op == HD_MACH_P_PHI)
            copy_scalar_sources(p, block, inst);
      }
   }
}

/* By temp, as many as there are now; tables for values that are made later are not read. */
static void *
by_temp(const hd_mach_spiller *s, size_t size)
{
   return hd_stack_alloc_zero(hd_mach_scratch(s->p), (s->capacity + 1) * size);
}

static void
find_defs(hd_mach_spiller *s)
{
   s->def = by_temp(s, sizeof(*s->def));
   hd_mach_foreach_block(block, s->p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_defs; n++) {
            const hd_mach_operand *def = hd_mach_def(inst, n);
            if (hd_mach_is_temp(def) && !s->def[def->value])
               s->def[def->value] = inst;
         }
      }
   }
}

/* What is found for one step would be there until the phase ends. */
static hd_stack_mark
begin_step(const hd_mach_program *p)
{
   return hd_stack_get_mark(hd_mach_scratch(p));
}

static void
end_step(const hd_mach_program *p, hd_stack_mark mark)
{
   if (p->scratch)
      hd_stack_release(p->scratch, mark);
}

/* All values of the file into `limit` registers. `size` gets the dwords of memory. */
static bool
spill_file(hd_mach_program *p, unsigned file, uint32_t limit, const hd_mach_operand *address,
           uint32_t *size)
{
   const hd_stack_mark mark = begin_step(p);
   hd_mach_spiller *s = hd_stack_alloc_zero(hd_mach_scratch(p), sizeof(*s));

   s->p = p;
   s->file = file;
   s->flow = p->mach->files[file].flow;
   s->limit = limit;
   s->capacity = p->num_temps;
   s->num_address = address ? p->hooks->spilling->address_operands : 0;
   for (unsigned n = 0; n < s->num_address; n++)
      s->address[n] = address[n];
   hd_mach_liveness_limited(p, &s->live);
   s->place = by_temp(s, sizeof(*s->place));
   s->mark = by_temp(s, sizeof(*s->mark));
   s->count = by_temp(s, sizeof(*s->count));
   s->in_passive = by_temp(s, sizeof(*s->in_passive));
   s->slot = by_temp(s, sizeof(*s->slot));
   s->moved_slot = by_temp(s, sizeof(*s->moved_slot));
   s->phi_in_memory = by_temp(s, sizeof(*s->phi_in_memory));
   s->is_stored = by_temp(s, sizeof(*s->is_stored));
   s->now.temps = by_temp(s, sizeof(*s->now.temps));
   s->at_begin =
       hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(*s->at_begin));
   s->at_end = hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(*s->at_end));
   find_defs(s);
   hd_mach_next_uses(s);
   if (!hd_mach_spill_walk(s) || !hd_mach_spill_edges(s))
      return false;
   hd_mach_spill_stores(s);
   for (uint32_t temp = 0; temp < s->capacity; temp++)
      p->spilled[file] += s->slot[temp] != 0;
   *size = hd_mach_spill_color(s);
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
scalar_limit(const hd_mach_program *p, uint32_t budget, bool scratch)
{
   const hd_mach_spilling *spilling = p->hooks->spilling;
   const uint32_t apart = spilling->slack + (scratch ? spilling->scratch_slack : 0);

   budget &= ~(uint32_t)(p->mach->files[p->mach->file_of[HD_MACH_LINEAR]].max_align - 1);
   return budget > apart ? budget - apart : 0;
}

static bool
spill_vectors(hd_mach_program *p, uint32_t limit)
{
   hd_mach_operand address[HD_MACH_MAX_SPILL_OPERANDS];
   uint32_t size;

   if (p->hooks->spilling->address && !p->hooks->spilling->address(p, address))
      return hd_mach_refuse(
          p, NULL, "register pressure is too high, and there is no scratch memory to spill to");
   if (!spill_file(p, p->mach->file_of[HD_MACH_LOGICAL], limit, address, &size))
      return false;
   p->spill_offset = round_up(p->scratch_size, 4);
   p->scratch_size = p->spill_offset + 4 * size;
   if (p->hooks->spilling->place_vectors)
      p->hooks->spilling->place_vectors(p);
   return true;
}

/* Spills and copies make several of one. */
#define LONG_CODE 6000u

static bool
is_long(const hd_mach_program *p)
{
   uint32_t num = 0;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block) num++;
   }
   return num > LONG_CODE;
}

bool
hd_mach_spill(hd_mach_program *p)
{
   const hd_mach_spilling *spilling = p->hooks->spilling;
   const unsigned scalar = p->mach->file_of[HD_MACH_LINEAR];
   const unsigned vector = p->mach->file_of[HD_MACH_LOGICAL];
   hd_mach_live live;
   uint16_t budget[HD_MACH_MAX_FILES];

   p->is_long = is_long(p);
   const hd_stack_mark mark = begin_step(p);
   hd_mach_liveness_limited(p, &live);
   p->hooks->register_budget(p, budget);
   uint32_t scalars = hd_mach_register_pressure(p, &live, scalar);
   uint32_t vectors = hd_mach_register_pressure(p, &live, vector);
   const bool scalars_fit = scalars <= scalar_limit(p, budget[scalar], false);
   if (scalars_fit && vectors <= budget[vector])
      return true;

   end_step(p, mark);
   prepare(p);
   hd_mach_liveness_limited(p, &live);
   scalars = hd_mach_register_pressure(p, &live, scalar);
   vectors = hd_mach_register_pressure(p, &live, vector);
   end_step(p, mark);
   /* Lanes of so many vector registers hold all scalars that are ever live at once, and as much
    * again: places are not shared as well as could be.
    */
   const uint32_t for_scalars =
       scalars_fit ? 0 : round_up(2 * scalars, p->mach->lanes) / p->mach->lanes;
   const bool scratch =
       vectors + for_scalars > budget[vector] || live.is_near ||
       (spilling->most_for_scalars && for_scalars > spilling->most_for_scalars(budget[vector]));
   const uint32_t most = scalar_limit(p, budget[scalar], scratch);
   uint32_t dwords = 0;
   if (scalars > most && !spill_file(p, scalar, most, NULL, &dwords))
      return false;
   const uint32_t apart =
       spilling->place_scalars ? spilling->place_scalars(p, dwords, budget[vector], scratch) : 0;
   const uint32_t limit = budget[vector] - apart;
   return (vectors <= limit || spill_vectors(p, limit)) &&
          (!spilling->finish || spilling->finish(p));
}
