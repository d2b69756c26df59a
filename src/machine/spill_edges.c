/* SPDX-License-Identifier: MIT */
/* spill_edges.c - spilling: agreement along edges (coupling code), and phis in memory.
 *
 * At the end of a predecessor, in this order:
 *
 *    1. Old values of phis in memory that are still live are moved out of the way.
 *    2. Sources of phis in memory are stored to the phi's slot: first those in registers, then the
 *       others, one at a time through a register.
 *    3. Values that the block starts with in registers, and sources of its phis in registers, are
 *       reloaded.
 *
 * So the register pressure never exceeds that before the first or after the third step, or by one
 * value that of the values common to both; for that one, others are evicted and reloaded.
 */
#include "machine/spill.h"

typedef struct coming {
   hd_mach_spiller *s;
   hd_mach_block *pred, *block;
   uint32_t i;           /* the number of the edge */
   hd_mach_inst *before; /* where instructions are put in pred; NULL: at its end */
} coming;

static bool
is_of_file(const hd_mach_spiller *s, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && s->p->temps[operand->value].file == s->file;
}

static hd_mach_inst *
place_in(const hd_mach_spiller *s, hd_mach_block *pred)
{
   hd_mach_inst *before = NULL;

   if (s->flow == HD_MACH_LOGICAL)
      return pred->tail;
   for (hd_mach_inst *inst = pred->last; hd_mach_is_branch(s->p, inst); inst = inst->prev)
      before = inst;
   return before;
}

/* A phi of this block that is in memory: what a predecessor has of it is the old value. */
static bool
is_old(const coming *c, uint32_t temp)
{
   return c->s->phi_in_memory[temp] && c->s->live.def_block[temp] == c->block;
}

static hd_mach_inst *
next_phi(const hd_mach_spiller *s, hd_mach_inst *phi)
{
   while (phi && phi->op == HD_MACH_P_PHI && !is_of_file(s, hd_mach_def(phi, 0)))
      phi = phi->next;
   return phi && phi->op == HD_MACH_P_PHI ? phi : NULL;
}

#define foreach_phi(phi, c)                                                                        \
   for (hd_mach_inst *phi = next_phi((c)->s, (c)->block->first); phi;                              \
        phi = next_phi((c)->s, phi->next))

static void
put(coming *c, hd_mach_inst *inst)
{
   hd_mach_inst_insert_before(c->pred, inst, c->before);
   if (c->s->flow == HD_MACH_LINEAR && c->before && c->pred->tail == c->before)
      c->pred->tail = inst;
}

/* Room for one more; others leave, and come back in the third step if they must. */
static bool
make_room(coming *c, uint32_t size)
{
   hd_mach_spiller *s = c->s;

   while (s->now.size + size > s->limit) {
      const uint32_t victim = hd_mach_spill_choose_victim(s, 0);
      if (!victim)
         return hd_mach_refuse(s->p, NULL, "a value of %u registers does not fit into %u", size,
                               s->limit);
      hd_mach_spill_evict(s, victim);
   }
   return true;
}

/* The place where a value is that is in no register: its own, or where step 1 has put it. */
static uint32_t
slot_now(const coming *c, uint32_t temp)
{
   return is_old(c, temp) && c->s->moved_slot[temp] ? c->s->moved_slot[temp] : c->s->slot[temp];
}

static bool
load(coming *c, uint32_t temp)
{
   hd_mach_spiller *s = c->s;

   if (!make_room(c, s->p->temps[temp].size))
      return false;
   if (is_old(c, temp)) {
      put(c, hd_mach_spill_make_reload(s, temp, slot_now(c, temp)));
      hd_mach_resident_add(s, temp);
   } else {
      hd_mach_spill_insert_reload(s, c->pred, c->before, temp);
   }
   return true;
}

/* Step 1. */
static bool
save_old(coming *c, uint32_t temp)
{
   hd_mach_spiller *s = c->s;

   if (!is_old(c, temp) || s->moved_slot[temp])
      return true;
   const bool was = s->place[temp] != 0;
   if (!was && !load(c, temp))
      return false;
   s->moved_slot[temp] = ++s->num_slots;
   put(c, hd_mach_spill_make_store(s, temp, s->moved_slot[temp]));
   if (!was)
      hd_mach_resident_remove(s, temp);
   return true;
}

/* A phi in memory gets its source. */
static bool
store_source(coming *c, const hd_mach_operand *def, const hd_mach_operand *src)
{
   hd_mach_spiller *s = c->s;
   const uint32_t slot = s->slot[def->value];
   uint32_t temp = src->value;
   bool was = false;

   if (is_of_file(s, src)) {
      was = s->place[temp] != 0;
      if (!was && !load(c, temp))
         return false;
   } else {
      /* A constant, or a scalar that becomes a vector value. */
      if (!make_room(c, def->size))
         return false;
      temp = hd_mach_temp_create(s->p, s->file, def->size, 0);
      hd_mach_inst *copy = hd_mach_inst_create(s->p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(copy, 0) = hd_mach_operand_temp(s->p, temp);
      *hd_mach_src(copy, 0) = *src;
      put(c, copy);
   }
   hd_mach_inst *store = hd_mach_spill_make_store(s, temp, slot);
   put(c, store);
   if (!was && is_of_file(s, src))
      hd_mach_resident_remove(s, temp);
   return true;
}

static bool
is_needed(const coming *c, uint32_t temp)
{
   return c->s->mark[temp] == c->s->num_marks;
}

/* What is in registers at the beginning of the block, or goes into phis that are. */
static void
mark_needed(coming *c)
{
   hd_mach_spiller *s = c->s;
   const hd_mach_resident *begin = &s->at_begin[c->block->index];
   const uint32_t mark = ++s->num_marks;

   for (uint32_t n = 0; n < begin->num; n++) {
      if (s->live.def_block[begin->temps[n]] != c->block)
         s->mark[begin->temps[n]] = mark;
   }
   foreach_phi(phi, c)
   {
      const hd_mach_operand *src = hd_mach_src(phi, c->i);
      if (is_of_file(s, src) && !(src->flags & HD_MACH_OPERAND_UNDEF) &&
          !s->phi_in_memory[hd_mach_def(phi, 0)->value])
         s->mark[src->value] = mark;
   }
}

static bool
is_in_memory(const hd_mach_spiller *s, const hd_mach_inst *phi)
{
   return s->phi_in_memory[hd_mach_def(phi, 0)->value];
}

static bool
load_needed(coming *c)
{
   hd_mach_spiller *s = c->s;
   const hd_mach_resident *begin = &s->at_begin[c->block->index];

   for (uint32_t n = 0; n < begin->num; n++) {
      const uint32_t temp = begin->temps[n];
      if (s->live.def_block[temp] != c->block && !s->place[temp] && !load(c, temp))
         return false;
   }
   foreach_phi(phi, c)
   {
      const hd_mach_operand *src = hd_mach_src(phi, c->i);
      if (is_of_file(s, src) && !(src->flags & HD_MACH_OPERAND_UNDEF) && !is_in_memory(s, phi) &&
          !s->place[src->value] && !load(c, src->value))
         return false;
   }
   return true;
}

static bool
couple(coming *c)
{
   hd_mach_spiller *s = c->s;
   const hd_mach_resident *end = &s->at_end[c->pred->index];

   hd_mach_resident_clear(s);
   for (uint32_t n = 0; n < end->num; n++)
      hd_mach_resident_add(s, end->temps[n]);
   mark_needed(c);
   /* What only phis in memory read can go once it is stored; it is not reloaded for others. */
   for (unsigned step = 1; step <= 3; step++) {
      foreach_phi(phi, c)
      {
         const hd_mach_operand *def = hd_mach_def(phi, 0), *src = hd_mach_src(phi, c->i);
         if (src->flags & HD_MACH_OPERAND_UNDEF)
            continue;
         const bool resident = is_of_file(s, src) && s->place[src->value];
         bool done = true;
         if (step == 1 && is_of_file(s, src))
            done = save_old(c, src->value);
         else if (step == 2 && is_in_memory(s, phi) && resident && !is_old(c, src->value))
            done = store_source(c, def, src);
         else if (step == 3 && is_in_memory(s, phi) && !s->is_stored[def->value])
            done = store_source(c, def, src);
         if (!done)
            return false;
         if (step == 2 && is_in_memory(s, phi) && resident && !is_old(c, src->value))
            s->is_stored[def->value] = true;
      }
      if (step == 2) {
         for (uint32_t n = s->now.num; n--;) {
            if (!is_needed(c, s->now.temps[n]))
               hd_mach_resident_remove(s, s->now.temps[n]);
         }
      }
   }
   for (uint32_t n = s->now.num; n--;) {
      if (!is_needed(c, s->now.temps[n]))
         hd_mach_resident_remove(s, s->now.temps[n]);
   }
   if (!load_needed(c))
      return false;
   foreach_phi(phi, c)
   {
      s->is_stored[hd_mach_def(phi, 0)->value] = false;
      if (is_of_file(s, hd_mach_src(phi, c->i)))
         s->moved_slot[hd_mach_src(phi, c->i)->value] = 0;
   }
   return true;
}

static void
remove_phis(hd_mach_spiller *s, hd_mach_block *block)
{
   hd_mach_foreach_inst_safe(phi, following, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      if (!is_of_file(s, hd_mach_def(phi, 0)) || !is_in_memory(s, phi))
         continue;
      hd_mach_inst_remove(block, phi);
      phi->imm = (int32_t)s->slot[hd_mach_def(phi, 0)->value];
      phi->next = block->memory_phis;
      block->memory_phis = phi;
   }
}

bool
hd_mach_spill_edges(hd_mach_spiller *s)
{
   hd_mach_foreach_block(block, s->p)
   {
      const hd_mach_edges *edges = &block->edges[s->flow];
      for (uint32_t i = 0; i < edges->num_preds; i++) {
         /* One with several successors is the only predecessor, which the block began like. */
         if (edges->num_preds == 1 && edges->preds[0]->order < block->order)
            continue;
         coming c = { .s = s, .pred = edges->preds[i], .block = block, .i = i };
         c.before = place_in(s, c.pred);
         if (!couple(&c))
            return false;
      }
   }
   hd_mach_foreach_block(block, s->p) remove_phis(s, block);
   return true;
}
