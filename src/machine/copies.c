/* SPDX-License-Identifier: MIT */
/* copies.c - lower parallel copies and phis to moves: copies.h. */
#include "machine/copies.h"

#include <assert.h>
#include <string.h>

#include "machine/liveness.h"

void
hd_mach_copies_init(hd_mach_copies *c, hd_mach_program *p, const hd_mach_copying *rows, void *user)
{
   *c = (hd_mach_copies){ .p = p, .rows = rows, .user = user };
   hd_copier_init(&c->copier, p->stack, HD_MACH_MAX_REGS);
}

/* Collecting */

static void
reserve(hd_mach_copies *c, uint32_t more)
{
   const uint32_t num = c->num_copies[0] + c->num_copies[1] + c->num_constants + more;

   if (num <= c->capacity)
      return;
   c->capacity = 2 * num + 64;
   for (unsigned file = 0; file < HD_MACH_MAX_FILES; file++) {
      hd_copy *copies = hd_stack_alloc(c->p->stack, c->capacity * sizeof(*copies));
      if (c->num_copies[file])
         memcpy(copies, c->copies[file], c->num_copies[file] * sizeof(*copies));
      c->copies[file] = copies;
   }
   hd_mach_constant_copy *constants = hd_stack_alloc(c->p->stack, c->capacity * sizeof(*constants));
   if (c->num_constants)
      memcpy(constants, c->constants, c->num_constants * sizeof(*constants));
   c->constants = constants;
   c->steps = hd_stack_alloc(c->p->stack, 2 * c->capacity * sizeof(*c->steps));
}

static bool
is_constant(const hd_mach *mach, const hd_mach_operand *operand)
{
   return !hd_mach_is_temp(operand) && operand->reg >= mach->first_const &&
          operand->reg != mach->flag && !hd_mach_is_vector_reg(mach, operand->reg);
}

/* `size` registers from `to` on get those of the operand from its part `part` on. */
static void
add(hd_mach_copies *c, unsigned to, const hd_mach_operand *src, unsigned part, unsigned size)
{
   const hd_mach *mach = c->p->mach;
   const bool vector = hd_mach_is_vector_reg(mach, to);
   const unsigned file = mach->file_of[vector ? HD_MACH_LOGICAL : HD_MACH_LINEAR];

   if (src->flags & HD_MACH_OPERAND_UNDEF)
      return;
   reserve(c, size);
   if (is_constant(mach, src)) {
      c->constants[c->num_constants++] =
          (hd_mach_constant_copy){ .to = (uint16_t)to, .size = (uint8_t)size, .value = *src };
      return;
   }
   assert(vector || !hd_mach_is_vector_reg(mach, src->reg));
   for (unsigned n = 0; n < size; n++) {
      if (to + n != src->reg + part + n)
         c->copies[file][c->num_copies[file]++] = (hd_copy){ to + n, src->reg + part + n };
   }
}

bool
hd_mach_copies_collect(hd_mach_copies *c, const hd_mach_inst *inst)
{
   unsigned part = 0;

   switch (inst->op) {
   case HD_MACH_P_COPY:
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         add(c, def->reg, hd_mach_src(inst, n), 0, def->size);
      }
      return true;
   case HD_MACH_P_VECTOR:
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         add(c, hd_mach_def(inst, 0)->reg + part, src, 0, src->size);
         part += src->size;
      }
      return true;
   case HD_MACH_P_SPLIT:
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         add(c, def->reg, hd_mach_src(inst, 0), part, def->size);
         part += def->size;
      }
      return true;
   case HD_MACH_P_START:
   case HD_MACH_P_UNDEF:
      return true;
   default:
      return false;
   }
}

/* Putting */

static void
put_move(const hd_mach_copies *c, hd_mach_place at, unsigned to, hd_mach_operand from)
{
   hd_mach_inst *inst = hd_mach_inst_create(c->p, c->rows->op, 1, 1);

   inst->form = c->rows->form;
   *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, 1);
   *hd_mach_src(inst, 0) = from;
   hd_mach_inst_insert_before(at.block, inst, at.before);
}

static bool
put_steps(hd_mach_copies *c, hd_mach_place at, unsigned file, unsigned temporary)
{
   const uint32_t num = hd_copy_sequence(&c->copier, c->copies[file], c->num_copies[file],
                                         temporary == HD_MACH_NO_REG, c->steps);

   c->num_copies[file] = 0;
   for (uint32_t n = 0; n < num; n++) {
      hd_copy_step *step = &c->steps[n];
      if (step->to == HD_COPY_TEMPORARY)
         step->to = temporary;
      if (step->from == HD_COPY_TEMPORARY)
         step->from = temporary;
   }
   if (c->rows->steps)
      return c->rows->steps(c->user, at, c->steps, num);
   for (uint32_t n = 0; n < num; n++) {
      if (c->rows->op)
         put_move(c, at, c->steps[n].to, hd_mach_operand_reg(c->steps[n].from, 1));
      else
         c->rows->move(c->user, at, c->steps[n].to, c->steps[n].from);
   }
   return true;
}

bool
hd_mach_copies_put(hd_mach_copies *c, hd_mach_place at, unsigned spare)
{
   const unsigned scalar = c->p->mach->file_of[HD_MACH_LINEAR];
   const unsigned vector = c->p->mach->file_of[HD_MACH_LOGICAL];

   if (!put_steps(c, at, vector, c->rows->temporary[vector]) ||
       !put_steps(c, at, scalar, c->rows->spares ? spare : c->rows->temporary[scalar]))
      return false;
   for (uint32_t n = 0; n < c->num_constants; n++) {
      const hd_mach_constant_copy *copy = &c->constants[n];
      if (c->rows->op)
         put_move(c, at, copy->to, copy->value);
      else
         c->rows->constant(c->user, at, copy->to, copy->size, copy->value);
   }
   c->num_constants = 0;
   return true;
}

/* Phis */

static hd_mach_place
end_of(const hd_mach_program *p, hd_mach_block *block, hd_mach_edge_kind flow)
{
   hd_mach_place at = { .block = block };

   if (flow == HD_MACH_LOGICAL) {
      at.before = block->tail;
      return at;
   }
   for (hd_mach_inst *inst = block->last; hd_mach_is_branch(p, inst); inst = inst->prev)
      at.before = inst;
   return at;
}

bool
hd_mach_copies_phis(hd_mach_copies *c, hd_mach_edge_kind flow)
{
   hd_mach_foreach_block(block, c->p)
   {
      const hd_mach_edges *edges = &block->edges[flow];
      if (!block->first || block->first->op != HD_MACH_P_PHI)
         continue;
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         hd_mach_block *pred = edges->preds[n];
         for (hd_mach_inst *phi = block->first; phi && phi->op == HD_MACH_P_PHI; phi = phi->next) {
            const hd_mach_operand *def = hd_mach_def(phi, 0);
            if (hd_mach_phi_flow(c->p, phi) == flow)
               add(c, def->reg, hd_mach_src(phi, n), 0, def->size);
         }
         if (!hd_mach_copies_put(c, end_of(c->p, pred, flow), pred->spare_reg))
            return false;
      }
   }
   return true;
}

void
hd_mach_remove_phis(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      while (block->first && block->first->op == HD_MACH_P_PHI)
         hd_mach_inst_remove(block, block->first);
   }
}

/* All */

static bool
lower_block(hd_mach_copies *c, hd_mach_block *block,
            bool (*lower)(void *user, hd_mach_place at, const hd_mach_inst *inst))
{
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      const hd_mach_place at = { block, inst };
      if (hd_mach_copies_collect(c, inst)) {
         if (!hd_mach_copies_put(c, at, (unsigned)inst->imm))
            return false;
      } else if (!lower || !lower(c->user, at, inst)) {
         continue;
      }
      if (block->tail == inst)
         block->tail = following;
      hd_mach_inst_remove(block, inst);
   }
   return true;
}

bool
hd_mach_lower_copies(hd_mach_copies *c,
                     bool (*lower)(void *user, hd_mach_place at, const hd_mach_inst *inst))
{
   if (!hd_mach_copies_phis(c, HD_MACH_LOGICAL) || !hd_mach_copies_phis(c, HD_MACH_LINEAR))
      return false;
   hd_mach_remove_phis(c->p);
   hd_mach_foreach_block(block, c->p)
   {
      if (!lower_block(c, block, lower))
         return false;
   }
   return true;
}
