/* SPDX-License-Identifier: MIT */
/* regalloc_inst.c - register allocation of one instruction.
 *
 *    1. Fixed registers (flags, inputs): a value that lives there moves out, a source that lives
 *       elsewhere is copied in. A tied source with later uses is copied to the register of the
 *       result.
 *    2. Sources get their homes as registers; last uses free them.
 *    3. Results get registers: those of their affinity if free, else the first free ones. If there is
 *       room but it is fragmented, a window is cleared.
 *    4. All moves form one p_copy before the instruction.
 *
 * If 1 or 3 finds no room, the instruction is undone, a p_copy packs all homes of the file to one end,
 * and it is tried once more: then the free registers are contiguous.
 */
#include "machine/regalloc.h"

#include <assert.h>
#include <string.h>

typedef struct placing {
   hd_mach_allocator *a;
   hd_mach_block *block;
   hd_mach_inst *inst;
   hd_mach_regset reserved; /* registers that the instruction names itself */
   hd_mach_regset seconds;  /* second homes, until the instruction is over */
   hd_mach_regset dying;    /* homes of sources that are read for the last time */
   hd_mach_regset results;
   bool packed;
   unsigned short_of; /* the file that had no room */
} placing;

static void
add_move(hd_mach_allocator *a, uint32_t temp, unsigned from, unsigned to, bool home)
{
   if (a->num_moves == a->move_capacity) {
      a->move_capacity = 2 * a->move_capacity + 32;
      hd_mach_ra_move *moves = hd_stack_alloc(a->p->stack, a->move_capacity * sizeof(*moves));
      if (a->num_moves)
         memcpy(moves, a->moves, a->num_moves * sizeof(*moves));
      a->moves = moves;
   }
   a->moves[a->num_moves++] = (hd_mach_ra_move){ temp, (uint16_t)from, (uint16_t)to, home };
}

/* Where a value that must leave its home, or a second one, can go before the instruction. */
static unsigned
place_before(placing *s, uint32_t temp)
{
   const hd_mach_temp *t = &s->a->p->temps[temp];
   hd_mach_regset taken = s->a->taken;

   hd_mach_regset_unite(&taken, &s->reserved);
   hd_mach_regset_unite(&taken, &s->seconds);
   hd_mach_regset_unite(&taken, &s->results);
   hd_mach_regset_unite(&taken, &s->dying);
   return hd_mach_regset_find(&taken, (hd_mach_window){ .first = s->a->first[t->file],
                                                        .end = s->a->end[t->file],
                                                        .size = t->size,
                                                        .align = t->align,
                                                        .from_end = s->packed });
}

static bool
no_room(placing *s, uint32_t temp)
{
   s->short_of = hd_mach_temp_file(s->a, temp);
   return false;
}

static bool
move_away(placing *s, uint32_t temp)
{
   hd_mach_allocator *a = s->a;
   const unsigned to = place_before(s, temp), from = a->where[temp];

   if (to == HD_MACH_NO_REG)
      return no_room(s, temp);
   add_move(a, temp, from, to, true);
   hd_mach_ra_release(a, temp);
   hd_mach_ra_take(a, temp, to);
   return true;
}

/* Values that live in these registers go elsewhere, but for `keep`. */
static bool
clear_range(placing *s, unsigned reg, unsigned size, uint32_t keep, bool dying_may_stay)
{
   hd_mach_allocator *a = s->a;

   for (unsigned n = 0; n < size; n++) {
      const uint32_t temp = a->holder[reg + n];
      if (!temp || temp == keep)
         continue;
      if (dying_may_stay && hd_mach_regset_meets(&s->dying, reg + n, 1))
         continue;
      const bool dies = hd_mach_regset_meets(&s->dying, a->where[temp], 1);
      const unsigned from = a->where[temp], of = a->p->temps[temp].size;
      if (!move_away(s, temp))
         return false;
      if (dies) {
         hd_mach_regset_remove(&s->dying, from, of);
         hd_mach_regset_add(&s->dying, a->where[temp], of);
      }
   }
   return true;
}

/* What it writes besides the value is written before all is read. */
static bool
writes_early(const hd_mach_inst *inst)
{
   return hd_mach_slot_value(inst) && inst->num_defs > (inst->op == HD_MACH_P_RELOAD);
}

static void
find_dying(placing *s)
{
   if (writes_early(s->inst))
      return;
   for (unsigned n = 0; n < s->inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(s->inst, n);
      if (hd_mach_is_temp(src) && src->flags & HD_MACH_OPERAND_KILL &&
          s->a->where[src->value] != HD_MACH_NO_REG)
         hd_mach_regset_add(&s->dying, s->a->where[src->value], src->size);
   }
}

static bool
is_fixed(const hd_mach_operand *operand)
{
   return operand->flags & HD_MACH_OPERAND_FIXED && operand->reg < HD_MACH_MAX_REGS;
}

static void
reserve_fixed(placing *s)
{
   for (unsigned n = 0; n < (unsigned)s->inst->num_defs + s->inst->num_srcs; n++) {
      const hd_mach_operand *operand = &s->inst->operands[n];
      if (is_fixed(operand))
         hd_mach_regset_add(&s->reserved, operand->reg, operand->size);
   }
}

/* A value must be where the instruction reads it. Its home moves there if nothing needs the old one
 * after; else the instruction gets a copy.
 */
static bool
bring_fixed(placing *s, hd_mach_operand *src)
{
   hd_mach_allocator *a = s->a;
   const uint32_t temp = src->value;
   const unsigned from = a->where[temp];

   if (from == src->reg)
      return true;
   if (!clear_range(s, src->reg, src->size, 0, false))
      return false;
   if (src->flags & HD_MACH_OPERAND_KILL && !hd_mach_regset_meets(&s->reserved, from, src->size)) {
      hd_mach_regset_remove(&s->dying, from, src->size);
      hd_mach_regset_add(&s->dying, src->reg, src->size);
      add_move(a, temp, from, src->reg, true);
      hd_mach_ra_release(a, temp);
      hd_mach_ra_take(a, temp, src->reg);
      return true;
   }
   add_move(a, temp, from, src->reg, false);
   hd_mach_regset_add(&s->seconds, src->reg, src->size);
   return true;
}

static bool
is_flag(const hd_mach_allocator *a, uint32_t temp)
{
   const uint16_t flag = a->p->mach->flag;

   return flag != HD_MACH_NO_REG && a->where[temp] == flag;
}

static bool
meet_fixed(placing *s)
{
   hd_mach_inst *inst = s->inst;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      if (is_fixed(src) && hd_mach_is_temp(src) && !bring_fixed(s, src))
         return false;
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (is_fixed(def) && !clear_range(s, def->reg, def->size, 0, true))
         return false;
   }
   /* The flag can be read by few; code that reads it otherwise gets it from a register. */
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (hd_mach_is_temp(src) && !is_fixed(src) && is_flag(s->a, src->value) &&
          inst->op != HD_MACH_P_COPY && !move_away(s, src->value))
         return false;
   }
   return true;
}

/* The definition that the source must share its register with, or -1. */
static int
tied_def(const placing *s, const hd_mach_inst *inst, unsigned n)
{
   return hd_mach_tied_def(s->a->p->mach, inst, n);
}

/* Sources that are overwritten: in place if they are dead after, else a copy is. */
static bool
meet_tied(placing *s)
{
   hd_mach_allocator *a = s->a;
   hd_mach_inst *inst = s->inst;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      const int d = tied_def(s, inst, n);
      if (d < 0 || !hd_mach_is_temp(src))
         continue;
      hd_mach_operand *def = hd_mach_def(inst, (unsigned)d);
      const unsigned home = a->where[src->value];
      if (is_fixed(def)) {
         src->reg = def->reg;
         if (home != def->reg) {
            add_move(a, src->value, home, def->reg, false);
            hd_mach_regset_add(&s->seconds, def->reg, def->size);
         }
         continue;
      }
      if (src->flags & HD_MACH_OPERAND_KILL &&
          !hd_mach_regset_meets(&s->results, home, src->size)) {
         src->reg = def->reg = (uint16_t)home;
      } else {
         const unsigned to = place_before(s, src->value);
         if (to == HD_MACH_NO_REG)
            return no_room(s, src->value);
         add_move(a, src->value, home, to, false);
         src->reg = def->reg = (uint16_t)to;
      }
      hd_mach_regset_add(&s->results, def->reg, def->size);
   }
   return true;
}

/* Clear the window for a result of which the fewest registers have to move. */
static bool
clear_window(placing *s, const hd_mach_temp *t, unsigned *found)
{
   hd_mach_allocator *a = s->a;
   const unsigned first = a->first[t->file], end = a->end[t->file];
   unsigned best = HD_MACH_NO_REG, best_cost = UINT32_MAX;
   hd_mach_regset fixed = s->reserved;

   hd_mach_regset_unite(&fixed, &s->seconds);
   hd_mach_regset_unite(&fixed, &s->results);
   for (unsigned reg = first; reg + t->size <= end; reg += t->align) {
      unsigned cost = 0;
      if (hd_mach_regset_meets(&fixed, reg, t->size))
         continue;
      for (unsigned n = 0; n < t->size && cost < best_cost; n++) {
         const uint32_t temp = a->holder[reg + n];
         if (temp && !hd_mach_regset_meets(&s->dying, reg + n, 1))
            cost += a->p->temps[temp].size;
      }
      if (cost < best_cost) {
         best_cost = cost;
         best = reg;
      }
   }
   if (best == HD_MACH_NO_REG)
      return false;
   hd_mach_regset_add(&s->results, best, t->size);
   *found = best;
   return clear_range(s, best, t->size, 0, true);
}

static bool
place_result(placing *s, hd_mach_operand *def)
{
   hd_mach_allocator *a = s->a;
   const hd_mach_temp *t = &a->p->temps[def->value];
   hd_mach_regset taken = a->taken;
   unsigned reg = HD_MACH_NO_REG;

   for (unsigned n = 0; n < HD_MACH_MAX_REGS / 64; n++)
      taken.words[n] &= ~s->dying.words[n];
   hd_mach_regset_unite(&taken, &s->seconds);
   hd_mach_regset_unite(&taken, &s->results);
   hd_mach_regset_unite(&taken, &s->reserved);
   const hd_mach_regs preferred = a->p->mach->preferred;
   if (a->likes_preferred[def->value] &&
       !hd_mach_regset_meets(&taken, preferred.reg, preferred.size))
      reg = preferred.reg;
   else if (s->packed)
      reg = hd_mach_regset_find(&taken, (hd_mach_window){ .first = a->first[t->file],
                                                          .end = a->end[t->file],
                                                          .size = t->size,
                                                          .align = t->align,
                                                          .from_end = true });
   else
      reg = hd_mach_ra_find_place(a, def->value, &taken);
   if (reg == HD_MACH_NO_REG && !clear_window(s, t, &reg))
      return no_room(s, def->value);
   def->reg = (uint16_t)reg;
   hd_mach_regset_add(&s->results, reg, t->size);
   return true;
}

/* Large ones first: they need room in one piece. */
static bool
place_results(placing *s)
{
   hd_mach_inst *inst = s->inst;
   unsigned largest = 0;

   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (hd_mach_def(inst, n)->size > largest)
         largest = hd_mach_def(inst, n)->size;
   }
   for (unsigned size = largest; size; size--) {
      for (unsigned n = 0; n < inst->num_defs; n++) {
         hd_mach_operand *def = hd_mach_def(inst, n);
         if (hd_mach_is_temp(def) && !is_fixed(def) && def->reg == HD_MACH_NO_REG &&
             def->size == size && !place_result(s, def))
            return false;
      }
   }
   return true;
}

static void
name_sources(placing *s)
{
   for (unsigned n = 0; n < s->inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(s->inst, n);
      if (hd_mach_is_temp(src) && !is_fixed(src) && tied_def(s, s->inst, n) < 0)
         src->reg = s->a->where[src->value];
   }
}

/* A home that moved before it was copied to a second one: the copies happen at once, so the second
 * one is from the old home as well.
 */
static unsigned
first_home(const hd_mach_allocator *a, const hd_mach_ra_move *move)
{
   for (uint32_t n = 0; n < a->num_moves; n++) {
      if (a->moves[n].temp == move->temp && a->moves[n].home)
         return a->moves[n].from;
   }
   return move->from;
}

static unsigned
spare_reg(const hd_mach_allocator *a, const hd_mach_regset *taken)
{
   const unsigned file = a->p->mach->file_of[HD_MACH_LINEAR];
   const hd_mach_window window = {
      .first = a->first[file], .end = a->end[file], .size = 1, .align = 1
   };

   return hd_mach_regset_find(taken, window);
}

static void
write_moves(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before,
            const hd_mach_regset *busy)
{
   uint32_t num = 0;

   /* A home may have moved twice; one copy does it. */
   for (uint32_t n = 0; n < a->num_moves; n++) {
      hd_mach_ra_move *move = &a->moves[n];
      bool again = false;
      move->from = (uint16_t)first_home(a, move);
      for (uint32_t m = 0; m < num && move->home; m++) {
         if (a->moves[m].temp == move->temp && a->moves[m].home) {
            a->moves[m].to = move->to;
            again = true;
         }
      }
      if (!again)
         a->moves[num++] = *move;
   }
   if (!num)
      return;
   hd_mach_inst *copy = hd_mach_inst_create(a->p, HD_MACH_P_COPY, num, num);
   copy->bits = HD_MACH_MOVES_HOMES;
   hd_mach_regset taken = *busy;
   for (uint32_t n = 0; n < num; n++) {
      hd_mach_operand *def = hd_mach_def(copy, n), *src = hd_mach_src(copy, n);
      *def = *src = hd_mach_operand_temp(a->p, a->moves[n].temp);
      def->reg = a->moves[n].to;
      src->reg = a->moves[n].from;
      hd_mach_regset_add(&taken, def->reg, def->size);
      hd_mach_regset_add(&taken, src->reg, src->size);
   }
   copy->imm = (int32_t)spare_reg(a, &taken);
   copy->loc = before ? before->loc : 0;
   hd_mach_inst_insert_before(block, copy, before);
   if (before && block->tail == before)
      block->tail = copy;
}

static bool
try(placing *s)
{
   s->a->num_moves = 0;
   memset(&s->seconds, 0, sizeof(s->seconds));
   memset(&s->reserved, 0, sizeof(s->reserved));
   memset(&s->dying, 0, sizeof(s->dying));
   memset(&s->results, 0, sizeof(s->results));
   for (unsigned n = 0; n < s->inst->num_defs; n++) {
      hd_mach_operand *def = hd_mach_def(s->inst, n);
      if (hd_mach_is_temp(def) && !is_fixed(def))
         def->reg = HD_MACH_NO_REG;
   }
   find_dying(s);
   reserve_fixed(s);
   return meet_fixed(s) && meet_tied(s) && place_results(s);
}

/* Homes as they were before `try`. */
static void
take_back(hd_mach_allocator *a)
{
   for (uint32_t n = 0; n < a->num_moves; n++) {
      if (a->moves[n].home && a->where[a->moves[n].temp] != HD_MACH_NO_REG)
         hd_mach_ra_release(a, a->moves[n].temp);
   }
   for (uint32_t n = 0; n < a->num_moves; n++) {
      if (a->moves[n].home && a->where[a->moves[n].temp] == HD_MACH_NO_REG)
         hd_mach_ra_take(a, a->moves[n].temp, a->moves[n].from);
   }
   a->num_moves = 0;
}

/* Pack the file, by a copy of its own. */
static bool
pack_before(placing *s)
{
   hd_mach_allocator *a = s->a;
   const unsigned file = s->short_of;
   const unsigned first = a->first[file], end = a->end[file];
   hd_mach_regset before = a->taken;
   uint32_t *holder = hd_stack_alloc(a->p->stack, sizeof(a->holder));

   memcpy(holder, a->holder, sizeof(a->holder));
   memset(&s->dying, 0, sizeof(s->dying));
   find_dying(s);
   if (!hd_mach_ra_pack(a, file, &s->dying))
      return false;
   a->num_moves = 0;
   for (unsigned reg = first; reg < end; reg++) {
      const uint32_t temp = holder[reg];
      if (temp && (reg == first || holder[reg - 1] != temp) && a->where[temp] != reg)
         add_move(a, temp, reg, a->where[temp], false);
   }
   hd_mach_regset_unite(&before, &a->taken);
   write_moves(a, s->block, s->inst, &before);
   a->num_moves = 0;
   return true;
}

bool
hd_mach_ra_inst(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *inst)
{
   placing s = { .a = a, .block = block, .inst = inst };

   while (!try(&s)) {
      take_back(a);
      if (s.packed || !pack_before(&s))
         return hd_mach_refuse(a->p, NULL,
                               "an instruction (%s) needs more registers than there are",
                               a->p->mach->op_name(a->p->mach, inst->op));
      s.packed = true;
   }
   name_sources(&s);
   hd_mach_regset busy = a->taken;
   hd_mach_regset_unite(&busy, &s.seconds);
   hd_mach_regset_unite(&busy, &s.reserved);
   hd_mach_regset_unite(&busy, &s.results);
   write_moves(a, block, inst, &busy);
   if (inst->op == HD_MACH_P_COPY || inst->op == HD_MACH_P_VECTOR || inst->op == HD_MACH_P_SPLIT)
      inst->imm = (int32_t)spare_reg(a, &busy);
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (hd_mach_is_temp(src) && src->flags & HD_MACH_OPERAND_KILL &&
          a->where[src->value] != HD_MACH_NO_REG)
         hd_mach_ra_release(a, src->value);
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (!hd_mach_is_temp(def))
         continue;
      hd_mach_ra_take(a, def->value, def->reg);
      hd_mach_affinity_settle(a, def->value, def->reg, false);
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (hd_mach_is_temp(def) && def->flags & HD_MACH_OPERAND_KILL)
         hd_mach_ra_release(a, def->value);
   }
   return true;
}

bool
hd_mach_ra_leave_flag(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before)
{
   const uint16_t flag = a->p->mach->flag;
   const uint32_t temp = flag == HD_MACH_NO_REG ? 0 : a->holder[flag];
   placing s = { .a = a, .block = block, .inst = before };

   if (!temp)
      return true;
   a->num_moves = 0;
   if (before) {
      reserve_fixed(&s);
      for (unsigned n = 0; n < before->num_srcs; n++) {
         if (hd_mach_is_temp(hd_mach_src(before, n)) && hd_mach_src(before, n)->value == temp &&
             hd_mach_src(before, n)->flags & HD_MACH_OPERAND_KILL)
            return true;
      }
   }
   if (!move_away(&s, temp))
      return false;
   write_moves(a, block, before, &a->taken);
   a->num_moves = 0;
   return true;
}

/* Values that were at home before, in the order of their homes. */
static uint32_t
list_homes(const hd_mach_allocator *a, unsigned file, uint32_t *temps, uint16_t *regs)
{
   uint32_t num = 0;

   for (unsigned reg = a->first[file]; reg < a->end[file]; reg++) {
      const uint32_t temp = a->holder[reg];
      if (!temp || a->where[temp] != reg)
         continue;
      temps[num] = temp;
      regs[num++] = (uint16_t)reg;
   }
   return num;
}

/* Those that have no home now get one: as before where that is still free and `stay`, else any. */
static bool
settle(hd_mach_allocator *a, unsigned file, uint32_t num, const uint32_t *temps,
       const uint16_t *regs, bool stay)
{
   for (unsigned pass = stay ? 0 : 1; pass < 2; pass++) {
      for (uint32_t n = 0; n < num; n++) {
         const hd_mach_temp *t = &a->p->temps[temps[n]];
         unsigned reg = regs[n];
         if (a->where[temps[n]] != HD_MACH_NO_REG)
            continue;
         if (pass)
            reg = hd_mach_regset_find(&a->taken, (hd_mach_window){ .first = a->first[file],
                                                                   .end = a->end[file],
                                                                   .size = t->size,
                                                                   .align = t->align });
         else if (hd_mach_regset_meets(&a->taken, reg, t->size))
            continue;
         if (reg == HD_MACH_NO_REG)
            return false;
         hd_mach_ra_take(a, temps[n], reg);
      }
   }
   return true;
}

/* One copy for all homes that are not what they were. Vector values move before the tail. */
static void
write_new_homes(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before, uint32_t num,
                const uint32_t *temps, const uint16_t *regs)
{
   hd_mach_inst *tail = block->tail;

   a->num_moves = 0;
   for (uint32_t n = 0; n < num; n++) {
      if (a->where[temps[n]] != regs[n])
         add_move(a, temps[n], regs[n], a->where[temps[n]], true);
   }
   write_moves(a, block, before, &a->taken);
   block->tail = tail;
   a->num_moves = 0;
}

bool
hd_mach_ra_bring_home(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before,
                      const hd_mach_live_in *values, const uint16_t *homes)
{
   uint32_t temps[HD_MACH_MAX_REGS], n = 0;
   uint16_t regs[HD_MACH_MAX_REGS];

   while (n < values->num && a->where[values->temps[n]] == homes[n])
      n++;
   if (n == values->num)
      return true;
   const uint32_t num = list_homes(a, a->p->mach->file_of[HD_MACH_LOGICAL], temps, regs);
   for (unsigned stay = 2; stay--;) {
      for (n = 0; n < num; n++) {
         if (a->where[temps[n]] != HD_MACH_NO_REG)
            hd_mach_ra_release(a, temps[n]);
      }
      for (n = 0; n < values->num; n++)
         hd_mach_ra_take(a, values->temps[n], homes[n]);
      if (settle(a, a->p->mach->file_of[HD_MACH_LOGICAL], num, temps, regs, stay)) {
         write_new_homes(a, block, before, num, temps, regs);
         return true;
      }
   }
   return false;
}

bool
hd_mach_ra_pack_home(hd_mach_allocator *a, hd_mach_block *block, hd_mach_inst *before,
                     const hd_mach_live_in *values)
{
   uint32_t temps[HD_MACH_MAX_REGS];
   uint16_t regs[HD_MACH_MAX_REGS];
   const uint32_t num = list_homes(a, a->p->mach->file_of[HD_MACH_LOGICAL], temps, regs);
   hd_mach_regset others = a->taken;

   for (uint32_t n = 0; n < values->num; n++)
      hd_mach_regset_remove(&others, a->where[values->temps[n]],
                            a->p->temps[values->temps[n]].size);
   if (!hd_mach_ra_pack(a, a->p->mach->file_of[HD_MACH_LOGICAL], &others))
      return false;
   write_new_homes(a, block, before, num, temps, regs);
   return true;
}
