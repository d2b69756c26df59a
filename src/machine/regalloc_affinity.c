/* SPDX-License-Identifier: MIT */
/* regalloc_affinity.c - affinities: values that should be in the same register, or in adjacent ones.
 *
 * A phi and its sources, and a vector and its components: if they are in place, no copy is needed
 * (coalescing). Such values form a web, each with its offset from the web's register; the first of
 * them that gets a register decides for all. It is a hint: if the register is taken, the value gets
 * another one, and is copied.
 *
 * Webs are a union-find forest with path halving; offsets are summed along the path.
 */
#include "machine/regalloc.h"

#include <string.h>

/* No vector is larger, and who strings vectors together gets what fits. */
#define MAX_SPAN 32

static uint32_t
find_root(hd_mach_allocator *a, uint32_t temp, int *offset)
{
   hd_mach_affinity *webs = a->webs;
   int sum = 0;

   while (webs[temp].parent != temp) {
      hd_mach_affinity *web = &webs[temp], *parent = &webs[web->parent];
      sum += web->offset;
      if (parent->parent != web->parent) {
         /* Halve the path: this one hangs on its grandparent from now on. */
         sum += parent->offset;
         web->offset = (int16_t)(web->offset + parent->offset);
         web->parent = parent->parent;
      }
      temp = web->parent;
   }
   *offset = sum;
   return temp;
}

/* `part` would like to be `distance` registers after `whole`. */
static void
unite(hd_mach_allocator *a, uint32_t whole, uint32_t part, int distance)
{
   int whole_offset, part_offset;
   uint32_t root = find_root(a, whole, &whole_offset), other = find_root(a, part, &part_offset);
   /* The root of the part's web, from the root of the whole's. */
   int offset = whole_offset + distance - part_offset;

   if (root == other || a->p->temps[whole].file != a->p->temps[part].file)
      return;
   /* Phis of one block live at the same time: one of them would be copied wherever the web is. So it is where
    * one is the other's source, as in `a, b = b, a + b`, and where they begin with the same value.
    */
   if (a->webs[root].phis_of && a->webs[root].phis_of == a->webs[other].phis_of &&
       a->webs[root].phi_at == a->webs[other].phi_at + offset)
      return;
   if (a->webs[other].end - a->webs[other].low > a->webs[root].end - a->webs[root].low) {
      const uint32_t swap = root;
      root = other;
      other = swap;
      offset = -offset;
   }
   hd_mach_affinity *to = &a->webs[root], *from = &a->webs[other];
   const int low = from->low + offset < to->low ? from->low + offset : to->low;
   const int end = from->end + offset > to->end ? from->end + offset : to->end;
   if (end - low > MAX_SPAN)
      return;
   /* Both say what the register is modulo their alignment: the stricter one must fit the other. */
   const int residue = (int)((unsigned)(from->residue - offset) & (from->align - 1u));
   if (from->align <= to->align) {
      if ((to->residue & (from->align - 1)) != residue)
         return;
   } else {
      if ((residue & (to->align - 1)) != to->residue)
         return;
      to->align = from->align;
      to->residue = (uint8_t)residue;
   }
   from->parent = root;
   from->offset = (int16_t)offset;
   to->low = (int16_t)low;
   to->end = (int16_t)end;
   if (from->phis_of > to->phis_of) {
      to->phis_of = from->phis_of;
      to->phi_at = (int16_t)(from->phi_at + offset);
   }
}

static bool
dies_here(const hd_mach_operand *src)
{
   return hd_mach_is_temp(src) && src->flags & HD_MACH_OPERAND_KILL;
}

static void
add_tied(hd_mach_allocator *a, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const int d = hd_mach_tied_def(a->p->mach, inst, n);
      if (d >= 0 && dies_here(hd_mach_src(inst, n)) &&
          hd_mach_is_temp(hd_mach_def(inst, (unsigned)d)))
         unite(a, hd_mach_def(inst, (unsigned)d)->value, hd_mach_src(inst, n)->value, 0);
   }
}

static void
add_inst(hd_mach_allocator *a, const hd_mach_inst *inst)
{
   int at = 0;

   switch (inst->op) {
   case HD_MACH_P_PHI:
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         if (hd_mach_is_temp(hd_mach_src(inst, n)))
            unite(a, hd_mach_def(inst, 0)->value, hd_mach_src(inst, n)->value, 0);
      }
      break;
   case HD_MACH_P_COPY:
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (dies_here(hd_mach_src(inst, n)) && hd_mach_is_temp(hd_mach_def(inst, n)))
            unite(a, hd_mach_def(inst, n)->value, hd_mach_src(inst, n)->value, 0);
      }
      break;
   case HD_MACH_P_VECTOR:
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         if (dies_here(hd_mach_src(inst, n)))
            unite(a, hd_mach_def(inst, 0)->value, hd_mach_src(inst, n)->value, at);
         at += hd_mach_src(inst, n)->size;
      }
      break;
   case HD_MACH_P_SPLIT:
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (dies_here(hd_mach_src(inst, 0)) && hd_mach_is_temp(hd_mach_def(inst, n)))
            unite(a, hd_mach_src(inst, 0)->value, hd_mach_def(inst, n)->value, at);
         at += hd_mach_def(inst, n)->size;
      }
      break;
   default:
      if (!(hd_mach_op_of(a->p->mach, inst)->flags & HD_MACH_PSEUDO))
         add_tied(a, inst);
   }
}

/* The webs of a block's phis; `number` grows with the blocks. */
static void
mark_phis(hd_mach_allocator *a, const hd_mach_block *block, uint32_t number)
{
   for (const hd_mach_inst *phi = block->first; phi && phi->op == HD_MACH_P_PHI; phi = phi->next) {
      int offset;
      hd_mach_affinity *web = &a->webs[find_root(a, hd_mach_def(phi, 0)->value, &offset)];
      if (web->phis_of == number)
         continue;
      web->phis_of = number;
      web->phi_at = (int16_t)offset;
   }
}

void
hd_mach_affinity_make(hd_mach_allocator *a)
{
   const hd_mach_program *p = a->p;

   a->webs = hd_stack_alloc(p->stack, (p->num_temps + 1) * sizeof(*a->webs));
   a->likes_preferred =
       hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*a->likes_preferred));
   a->last_read = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*a->last_read));
   a->last_block = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*a->last_block));
   for (uint32_t temp = 0; temp < p->num_temps; temp++) {
      const hd_mach_temp *t = &p->temps[temp];
      a->webs[temp] = (hd_mach_affinity){
         .parent = temp,
         .end = t->size,
         .align = t->align,
         .reg = HD_MACH_NO_REG,
         .wished = HD_MACH_NO_REG,
      };
   }
   /* Phis of loops first: what they do not get is copied in every iteration. */
   for (unsigned pass = 0; pass < 2; pass++) {
      hd_mach_foreach_block(block, p)
      {
         if (block->loop_header == (pass == 0))
            mark_phis(a, block, pass * p->num_blocks + block->index + 1);
         hd_mach_foreach_inst(inst, block)
         {
            const bool first = inst->op == HD_MACH_P_PHI && block->loop_header;
            if (first == (pass == 0))
               add_inst(a, inst);
         }
      }
   }
}

static bool
is_usable(const hd_mach_allocator *a, uint32_t temp, unsigned reg, const hd_mach_regset *taken)
{
   const hd_mach_temp *t = &a->p->temps[temp];

   return reg >= a->first[t->file] && reg + t->size <= a->end[t->file] && reg % t->align == 0 &&
          !hd_mach_regset_meets(taken, reg, t->size);
}

unsigned
hd_mach_affinity_preferred(hd_mach_allocator *a, uint32_t temp, const hd_mach_regset *taken)
{
   const hd_mach_temp *t = &a->p->temps[temp];
   int offset;
   hd_mach_affinity *web = &a->webs[find_root(a, temp, &offset)];
   const unsigned span = (unsigned)(web->end - web->low);

   if (web->reg != HD_MACH_NO_REG) {
      const int reg = (int)web->reg + offset;
      return reg >= 0 && is_usable(a, temp, (unsigned)reg, taken) ? (unsigned)reg : HD_MACH_NO_REG;
   }
   if (span == t->size)
      return HD_MACH_NO_REG;
   /* The first of them: a place with room for all. */
   hd_mach_regset avoid = *taken;
   hd_mach_regset_unite(&avoid, &a->wished);
   for (unsigned first = a->first[t->file]; first + span <= a->end[t->file]; first++) {
      const int root = (int)first - web->low;
      if (((unsigned)root & (web->align - 1u)) != web->residue ||
          hd_mach_regset_meets(&avoid, first, span))
         continue;
      hd_mach_regset_add(&a->wished, first, span);
      web->wished = (uint16_t)first;
      return (unsigned)(root + offset);
   }
   return HD_MACH_NO_REG;
}

unsigned
hd_mach_affinity_place(hd_mach_allocator *a, uint32_t temp)
{
   int offset;
   const hd_mach_affinity *web = &a->webs[find_root(a, temp, &offset)];

   return web->reg == HD_MACH_NO_REG ? HD_MACH_NO_REG : (unsigned)((int)web->reg + offset);
}

void
hd_mach_affinity_settle(hd_mach_allocator *a, uint32_t temp, unsigned reg, bool insists)
{
   const hd_mach_temp *t = &a->p->temps[temp];
   int offset;
   hd_mach_affinity *web = &a->webs[find_root(a, temp, &offset)];
   const int root = (int)reg - offset;

   /* Nothing of it comes any more: others may go where it would have been. */
   if (web->last_def == temp && web->wished != HD_MACH_NO_REG) {
      hd_mach_regset_remove(&a->wished, web->wished, (unsigned)(web->end - web->low));
      hd_mach_regset_unite(&a->wished, &a->by_phis);
      web->wished = HD_MACH_NO_REG;
   }
   if ((web->reg != HD_MACH_NO_REG && !insists) || reg < a->first[t->file] ||
       reg >= a->end[t->file] || root < 0 || ((unsigned)root & (web->align - 1u)) != web->residue)
      return;
   web->reg = (uint16_t)root;
}

/* Whether the instruction touches the preferred tuple. */
static bool
touches_preferred(hd_mach_regs preferred, const hd_mach_inst *inst, bool *writes)
{
   bool touches = false;

   *writes = false;
   for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand *operand = &inst->operands[n];
      if (!(operand->flags & HD_MACH_OPERAND_FIXED) ||
          !hd_mach_meets(preferred, operand->reg, operand->size))
         continue;
      touches = true;
      *writes |= n < inst->num_defs;
   }
   return touches;
}

static void
note_last_def(hd_mach_allocator *a, const hd_mach_block *block, uint32_t temp)
{
   int offset;
   hd_mach_affinity *web = &a->webs[find_root(a, temp, &offset)];

   if (web->block == block->index + 1)
      return;
   web->block = block->index + 1;
   web->last_def = temp;
   web->wished = HD_MACH_NO_REG;
}

/* Backwards: `last` of a value is where it is read last in the block, `free_until` the first
 * instruction after the point that writes the preferred register; where others use that, it is the point.
 */
void
hd_mach_affinity_look_at(hd_mach_allocator *a, hd_mach_block *block)
{
   const hd_mach_regs preferred = a->p->mach->preferred;
   uint32_t at = UINT32_MAX, free_until = UINT32_MAX;

   for (hd_mach_inst *inst = block->last; inst; inst = inst->prev, at--) {
      bool writes;

      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         if (hd_mach_is_temp(def))
            note_last_def(a, block, def->value);
         if (hd_mach_is_temp(def) && def->size == preferred.size && a->p->hooks->likes_preferred &&
             a->p->hooks->likes_preferred(inst, n) && !(def->flags & HD_MACH_OPERAND_FIXED) &&
             a->last_read[def->value] && a->last_block[def->value] == block &&
             a->last_read[def->value] <= free_until)
            a->likes_preferred[def->value] = true;
      }
      const bool touches = touches_preferred(preferred, inst, &writes);
      if (touches) {
         bool reads = false;
         for (unsigned n = 0; n < inst->num_srcs && !reads; n++) {
            const hd_mach_operand *src = hd_mach_src(inst, n);
            reads =
                src->flags & HD_MACH_OPERAND_FIXED && hd_mach_meets(preferred, src->reg, src->size);
         }
         free_until = reads ? 0 : at;
      }
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         if (dies_here(src)) {
            a->last_read[src->value] = at;
            a->last_block[src->value] = block;
         }
      }
   }
}
