/* SPDX-License-Identifier: MIT */
/* spill_walk.c - spilling: which values are in registers where (Belady's MIN, extended to SSA form by
 * Braun and Hack, 2009).
 *
 * A walk through each block: operands of an instruction must be in registers, its results need some,
 * and the value with the furthest next use is evicted. A loop starts with the values that are used in
 * it, nearest first, and with live-through values if they fit beside the maximal pressure of the loop.
 * Other joins start with the values that all predecessors have in registers, then with those that some
 * have. Constants are not stored: each reload rematerialises them, by repeating the definition.
 */
#include "machine/spill.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t
size_of(const hd_mach_spiller *s, uint32_t temp)
{
   return s->p->temps[temp].size;
}

static bool
is_of_file(const hd_mach_spiller *s, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && s->p->temps[operand->value].file == s->file;
}

void
hd_mach_resident_add(hd_mach_spiller *s, uint32_t temp)
{
   if (s->place[temp])
      return;
   s->now.temps[s->now.num++] = temp;
   s->place[temp] = s->now.num;
   s->now.size += size_of(s, temp);
}

void
hd_mach_resident_remove(hd_mach_spiller *s, uint32_t temp)
{
   const uint32_t place = s->place[temp];

   if (!place)
      return;
   const uint32_t other = s->now.temps[--s->now.num];
   s->now.temps[place - 1] = other;
   s->place[other] = place;
   s->place[temp] = 0;
   s->now.size -= size_of(s, temp);
}

void
hd_mach_resident_clear(hd_mach_spiller *s)
{
   for (uint32_t n = 0; n < s->now.num; n++)
      s->place[s->now.temps[n]] = 0;
   s->now.num = s->now.size = 0;
}

/* Moves of constants are as cheap as what they save. */
bool
hd_mach_can_rematerialize(const hd_mach_spiller *s, uint32_t temp)
{
   const hd_mach_inst *def = s->def[temp];

   return def && s->p->hooks->can_rematerialize(def);
}

void
hd_mach_spill_mark_stored(hd_mach_spiller *s, uint32_t temp)
{
   if (!s->slot[temp])
      s->slot[temp] = ++s->num_slots;
}

static hd_mach_inst *
repeat(hd_mach_spiller *s, uint32_t temp)
{
   const hd_mach_inst *def = s->def[temp];
   hd_mach_inst *copy = hd_mach_inst_create(s->p, def->op, def->num_defs, def->num_srcs);
   hd_mach_operand *operands = copy->operands;

   *copy = *def;
   copy->prev = copy->next = NULL;
   copy->operands = operands;
   memcpy(operands, def->operands, ((size_t)def->num_defs + def->num_srcs) * sizeof(*operands));
   operands[0] = hd_mach_operand_temp(s->p, temp);
   return copy;
}

hd_mach_inst *
hd_mach_spill_make_reload(hd_mach_spiller *s, uint32_t temp, uint32_t slot)
{
   const unsigned num = s->num_address;
   hd_mach_inst *reload = hd_mach_inst_create(s->p, HD_MACH_P_RELOAD, 1, num);

   *hd_mach_def(reload, 0) = hd_mach_operand_temp(s->p, temp);
   for (unsigned n = 0; n < num; n++)
      *hd_mach_src(reload, n) = s->address[n];
   reload->imm = (int32_t)slot;
   return reload;
}

hd_mach_inst *
hd_mach_spill_make_store(hd_mach_spiller *s, uint32_t temp, uint32_t slot)
{
   const unsigned num = s->num_address;
   hd_mach_inst *store = hd_mach_inst_create(s->p, HD_MACH_P_SPILL, 0, 1 + num);

   *hd_mach_src(store, 0) = hd_mach_operand_temp(s->p, temp);
   for (unsigned n = 0; n < num; n++)
      *hd_mach_src(store, 1 + n) = s->address[n];
   store->imm = (int32_t)slot;
   return store;
}

void
hd_mach_spill_insert_reload(hd_mach_spiller *s, hd_mach_block *block, hd_mach_inst *before,
                            uint32_t temp)
{
   hd_mach_inst *inst;

   if (hd_mach_can_rematerialize(s, temp)) {
      inst = repeat(s, temp);
   } else {
      hd_mach_spill_mark_stored(s, temp);
      inst = hd_mach_spill_make_reload(s, temp, s->slot[temp]);
   }
   inst->loc = before ? before->loc : 0;
   hd_mach_inst_insert_before(block, inst, before);
   if (before && block->tail == before)
      block->tail = s->flow == HD_MACH_LINEAR ? inst : before;
   hd_mach_resident_add(s, temp);
}

void
hd_mach_spill_evict(hd_mach_spiller *s, uint32_t temp)
{
   if (!hd_mach_can_rematerialize(s, temp))
      hd_mach_spill_mark_stored(s, temp);
   hd_mach_resident_remove(s, temp);
}

/* What is to leave: the value whose next use is furthest; half as far will do if it costs no store.
 * Not those whose mark is `locked`. 0: there is none.
 */
uint32_t
hd_mach_spill_choose_victim(const hd_mach_spiller *s, uint32_t locked)
{
   uint32_t best = 0;
   uint64_t best_next = 0;

   for (uint32_t n = 0; n < s->now.num; n++) {
      const uint32_t temp = s->now.temps[n];
      uint64_t next = (uint64_t)s->next[temp] + 1;
      if (locked && s->mark[temp] == locked)
         continue;
      if (s->slot[temp] || hd_mach_can_rematerialize(s, temp))
         next *= 2;
      if (next > best_next || (next == best_next && temp < best)) {
         best = temp;
         best_next = next;
      }
   }
   return best;
}

/* Beginnings of blocks */

typedef struct candidate {
   uint32_t temp;
   uint32_t next;
   uint32_t rank; /* lower ones first, whatever their next use */
} candidate;

static int
compare_candidates(const void *a, const void *b)
{
   const candidate *x = a, *y = b;

   if (x->rank != y->rank)
      return x->rank < y->rank ? -1 : 1;
   if (x->next != y->next)
      return x->next < y->next ? -1 : 1;
   return x->temp < y->temp ? -1 : x->temp > y->temp;
}

/* Nothing can be reloaded in a passive block: what the block after it begins with is in registers
 * there. `passive` gets the number of those that were walked.
 */
static void
count_passive(hd_mach_spiller *s, const hd_mach_block *block, uint32_t *passive)
{
   const hd_mach_edges *edges = &block->edges[s->flow];
   const hd_mach_live_in *in = &s->live.in[s->flow][block->index];

   *passive = 0;
   for (uint32_t n = 0; n < in->num; n++)
      s->in_passive[in->temps[n]] = 0;
   for (uint32_t i = 0; i < edges->num_preds && s->flow == HD_MACH_LOGICAL; i++) {
      const hd_mach_block *pred = edges->preds[i];
      if (!pred->passive || pred->order >= block->order)
         continue;
      const hd_mach_resident *end = &s->at_end[pred->index];
      for (uint32_t n = 0; n < end->num; n++)
         s->in_passive[end->temps[n]]++;
      ++*passive;
   }
}

/* For how many predecessors that were walked the value is in a register, in s->mark; returns how
 * many were walked.
 */
static uint32_t
count_preds(hd_mach_spiller *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[s->flow];
   uint32_t walked = 0;

   for (uint32_t i = 0; i < edges->num_preds; i++) {
      const hd_mach_block *pred = edges->preds[i];
      if (pred->order >= block->order)
         continue;
      walked++;
      const hd_mach_resident *end = &s->at_end[pred->index];
      for (uint32_t n = 0; n < end->num; n++)
         s->count[end->temps[n]]++;
   }
   return walked;
}

static void
clear_counts(hd_mach_spiller *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[s->flow];
   const hd_mach_live_in *in = &s->live.in[s->flow][block->index];

   for (uint32_t i = 0; i < edges->num_preds; i++) {
      const hd_mach_resident *end = &s->at_end[edges->preds[i]->index];
      for (uint32_t n = 0; n < end->num; n++)
         s->count[end->temps[n]] = 0;
   }
   for (uint32_t n = 0; n < in->num; n++)
      s->count[in->temps[n]] = 0;
}

/* The last block of the loop, as a position in the code. */
static uint32_t
end_of_loop(const hd_mach_spiller *s, const hd_mach_block *header)
{
   const hd_mach_edges *edges = &header->edges[s->flow];
   uint32_t end = header->order;

   for (uint32_t i = 0; i < edges->num_preds; i++)
      end = edges->preds[i]->order > end ? edges->preds[i]->order : end;
   return end;
}

/* The most that any block needs of those at these positions: a tree of maxima. */
static uint32_t
most_needed(const hd_mach_spiller *s, uint32_t first, uint32_t last)
{
   uint32_t low = first + s->num_leaves, high = last + 1 + s->num_leaves, most = 0;

   for (; low < high; low /= 2, high /= 2) {
      if (low & 1) {
         most = s->demand[low] > most ? s->demand[low] : most;
         low++;
      }
      if (high & 1) {
         high--;
         most = s->demand[high] > most ? s->demand[high] : most;
      }
   }
   return most;
}

static uint32_t
rank_of(const hd_mach_spiller *s, uint32_t temp, uint32_t walked, bool is_loop)
{
   if (is_loop)
      return s->next[temp] >= HD_MACH_LOOP_DISTANCE;
   return s->count[temp] < walked;
}

static uint32_t
collect_candidates(hd_mach_spiller *s, const hd_mach_block *block, uint32_t walked, bool is_loop,
                   candidate *list, uint32_t *through)
{
   const hd_mach_live_in *in = &s->live.in[s->flow][block->index];
   uint32_t num = 0, passive;

   count_passive(s, block, &passive);
   for (uint32_t n = 0; n < in->num; n++) {
      const uint32_t temp = in->temps[n], rank = rank_of(s, temp, walked, is_loop);
      if (s->p->temps[temp].file != s->file || s->in_passive[temp] != passive)
         continue;
      if (is_loop && rank)
         *through += size_of(s, temp);
      /* In no register on any edge into here: uses reload it. Not so before a loop. */
      if (!s->count[temp] && !(is_loop && !rank))
         continue;
      list[num++] = (candidate){ temp, s->next[temp], rank };
   }
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      const uint32_t temp = hd_mach_def(phi, 0)->value;
      if (is_of_file(s, hd_mach_def(phi, 0)))
         list[num++] = (candidate){ temp, s->next[temp], is_loop ? rank_of(s, temp, 0, true) : 0 };
   }
   return num;
}

static void
begin_join(hd_mach_spiller *s, const hd_mach_block *block, bool is_loop)
{
   const uint32_t walked = count_preds(s, block);
   uint32_t num_phis = 0, through = 0;

   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      num_phis++;
   }
   const uint32_t most = s->live.in[s->flow][block->index].num + num_phis;
   candidate *list = hd_stack_alloc(hd_mach_scratch(s->p), (most + 1) * sizeof(*list));
   const uint32_t num = collect_candidates(s, block, walked, is_loop, list, &through);
   qsort(list, num, sizeof(*list), compare_candidates);
   uint32_t limit = s->limit;
   for (uint32_t n = 0; n < num; n++) {
      if (is_loop && list[n].rank && (n == 0 || !list[n - 1].rank)) {
         const uint32_t needed = most_needed(s, block->order, end_of_loop(s, block));
         const uint32_t inside = needed > through ? needed - through : 0;
         limit = inside < limit ? s->now.size + (limit - inside) : 0;
         limit = limit < s->limit ? limit : s->limit;
      }
      if (s->now.size + size_of(s, list[n].temp) <= limit)
         hd_mach_resident_add(s, list[n].temp);
   }
   clear_counts(s, block);
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      const uint32_t temp = hd_mach_def(phi, 0)->value;
      if (is_of_file(s, hd_mach_def(phi, 0)) && !s->place[temp]) {
         s->phi_in_memory[temp] = true;
         hd_mach_spill_mark_stored(s, temp);
      }
   }
}

static void
keep(hd_mach_spiller *s, hd_mach_resident *to)
{
   *to = s->now;
   to->temps = hd_stack_alloc(hd_mach_scratch(s->p), (s->now.num + 1) * sizeof(*to->temps));
   memcpy(to->temps, s->now.temps, s->now.num * sizeof(*to->temps));
}

static void
begin_block(hd_mach_spiller *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[s->flow];
   const hd_mach_live_in *in = &s->live.in[s->flow][block->index];
   bool is_loop = false;

   hd_mach_resident_clear(s);
   for (uint32_t i = 0; i < edges->num_preds; i++)
      is_loop |= edges->preds[i]->order >= block->order;
   if (edges->num_preds == 1 && !is_loop) {
      /* As the predecessor ended, which may have other successors. */
      const hd_mach_resident *end = &s->at_end[edges->preds[0]->index];
      for (uint32_t n = 0; n < end->num; n++)
         s->count[end->temps[n]] = 1;
      for (uint32_t n = 0; n < in->num; n++) {
         if (s->count[in->temps[n]])
            hd_mach_resident_add(s, in->temps[n]);
      }
      for (uint32_t n = 0; n < end->num; n++)
         s->count[end->temps[n]] = 0;
   } else if (edges->num_preds) {
      begin_join(s, block, is_loop);
   }
   keep(s, &s->at_begin[block->index]);
}

/* Instructions */

/* What an instruction needs beside what is live through it. */
typedef struct room {
   uint32_t results, copies, killed;
} room;

static uint32_t
needed(const hd_mach_spiller *s, const room *r)
{
   const hd_mach_need need = { .copies = r->copies, .results = r->results, .killed = r->killed };

   return hd_mach_need_with(&need, s->now.size);
}

static room
room_for(const hd_mach_spiller *s, const hd_mach_inst *inst)
{
   const hd_mach_need need = hd_mach_need_of(s->p, inst, s->file);

   return (room){ need.results, need.copies, need.killed };
}

static bool
refuse(hd_mach_spiller *s, const hd_mach_inst *inst)
{
   const char *name = s->p->mach->op_name(s->p->mach, inst->op);

   return hd_mach_refuse(s->p, NULL,
                         "an instruction (%s) needs more %ss than the %u that there are",
                         name ? name : "?", s->p->mach->files[s->file].name, s->limit);
}

/* The value is tied to a result and needed after: without it in a register after the instruction,
 * no copy is made.
 */
static uint32_t
copies_of(const hd_mach_spiller *s, const hd_mach_inst *inst, uint32_t temp)
{
   uint32_t size = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (hd_mach_is_temp(src) && src->value == temp && hd_mach_tied_def(s->p->mach, inst, n) >= 0)
         size += src->size;
   }
   return size;
}

/* Values of lanes are loaded before the tail, where copies for successors stand. */
static hd_mach_inst *
reload_place(const hd_mach_spiller *s, const hd_mach_block *block, hd_mach_inst *inst)
{
   for (hd_mach_inst *i = s->flow == HD_MACH_LOGICAL ? block->tail : NULL; i; i = i->next) {
      if (i == inst)
         return block->tail;
   }
   return inst;
}

/* Bring in what is read; who is not read leaves for it. */
static bool
load_sources(hd_mach_spiller *s, hd_mach_block *block, hd_mach_inst *inst, uint32_t locked)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (is_of_file(s, src))
         s->mark[src->value] = locked;
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (!is_of_file(s, src) || s->place[src->value])
         continue;
      while (s->now.size + src->size > s->limit) {
         const uint32_t victim = hd_mach_spill_choose_victim(s, locked);
         if (!victim)
            return refuse(s, inst);
         hd_mach_spill_evict(s, victim);
      }
      hd_mach_spill_insert_reload(s, block, reload_place(s, block, inst), src->value);
   }
   return true;
}

/* Values leave until what the instruction writes fits: those that it does not read before it, those
 * that it reads after that.
 */
static bool
make_room(hd_mach_spiller *s, hd_mach_inst *inst, uint32_t locked)
{
   room r = room_for(s, inst);

   while (needed(s, &r) > s->limit) {
      const uint32_t victim = hd_mach_spill_choose_victim(s, s->dies);
      if (!victim)
         return refuse(s, inst);
      if (s->mark[victim] == locked) {
         r.killed += size_of(s, victim);
         r.copies -= copies_of(s, inst, victim);
         if (!hd_mach_can_rematerialize(s, victim))
            hd_mach_spill_mark_stored(s, victim);
         s->mark[victim] = s->dies;
      } else {
         hd_mach_spill_evict(s, victim);
      }
   }
   return true;
}

static bool
walk_inst(hd_mach_spiller *s, hd_mach_block *block, hd_mach_inst *inst, const uint32_t *uses)
{
   const uint32_t locked = ++s->num_marks;

   s->dies = ++s->num_marks;
   if (!load_sources(s, block, inst, locked))
      return false;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (!is_of_file(s, src))
         continue;
      s->next[src->value] = uses[inst->num_defs + n];
      if (src->flags & HD_MACH_OPERAND_KILL)
         s->mark[src->value] = s->dies;
   }
   /* What a wave starts with is where it is. */
   if (inst->op != HD_MACH_P_START && !make_room(s, inst, locked))
      return false;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (is_of_file(s, src) && s->mark[src->value] == s->dies)
         hd_mach_resident_remove(s, src->value);
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (!is_of_file(s, def) || def->flags & HD_MACH_OPERAND_KILL)
         continue;
      s->next[def->value] = uses[n];
      hd_mach_resident_add(s, def->value);
   }
   while (s->now.size > s->limit)
      hd_mach_spill_evict(s, hd_mach_spill_choose_victim(s, 0));
   return true;
}

/* A passive block leads back to one that has begun: what is in registers there must be here. */
static bool
load_for_passive(hd_mach_spiller *s, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   const uint32_t locked = ++s->num_marks;

   for (uint32_t e = 0; e < edges->num_succs && s->flow == HD_MACH_LOGICAL; e++) {
      const hd_mach_edges *way = &edges->succs[e]->edges[HD_MACH_LOGICAL];
      if (!edges->succs[e]->passive || !way->num_succs || way->succs[0]->order > block->order)
         continue;
      const hd_mach_resident *begin = &s->at_begin[way->succs[0]->index];
      for (uint32_t n = 0; n < begin->num; n++)
         s->mark[begin->temps[n]] = locked;
      for (uint32_t n = 0; n < begin->num; n++) {
         const uint32_t temp = begin->temps[n];
         if (s->place[temp] || s->live.def_block[temp] == way->succs[0])
            continue;
         while (s->now.size + size_of(s, temp) > s->limit) {
            const uint32_t victim = hd_mach_spill_choose_victim(s, locked);
            if (!victim)
               return hd_mach_refuse(s->p, NULL, "register pressure exceeds the limit of %u %ss",
                                     s->limit, s->p->mach->files[s->file].name);
            hd_mach_spill_evict(s, victim);
         }
         hd_mach_spill_insert_reload(s, block, block->tail, temp);
      }
   }
   return true;
}

static bool
walk_block(hd_mach_spiller *s, hd_mach_block *block)
{
   uint32_t at = 0;

   hd_mach_next_in_block(s, block);
   begin_block(s, block);
   for (hd_mach_inst *inst = block->first, *next; inst; inst = next) {
      next = inst->next;
      if (inst == block->tail && !load_for_passive(s, block))
         return false;
      if (inst->op != HD_MACH_P_PHI && !walk_inst(s, block, inst, s->uses + at))
         return false;
      at += (uint32_t)inst->num_defs + inst->num_srcs;
   }
   keep(s, &s->at_end[block->index]);
   return true;
}

static void
find_pressures(hd_mach_spiller *s)
{
   s->num_leaves = s->p->num_blocks;
   s->demand = hd_stack_alloc_zero(hd_mach_scratch(s->p),
                                   2 * ((size_t)s->num_leaves + 1) * sizeof(uint32_t));
   hd_mach_foreach_block(block, s->p) s->demand[s->num_leaves + block->order] =
       hd_mach_block_pressure(s->p, &s->live, block, s->file);
   for (uint32_t n = s->num_leaves; --n;)
      s->demand[n] =
          s->demand[2 * n] > s->demand[2 * n + 1] ? s->demand[2 * n] : s->demand[2 * n + 1];
}

bool
hd_mach_spill_walk(hd_mach_spiller *s)
{
   find_pressures(s);
   hd_mach_foreach_block(block, s->p)
   {
      if (!walk_block(s, block))
         return false;
   }
   return true;
}
