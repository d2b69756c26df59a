/* SPDX-License-Identifier: MIT */
/* lower_copies.c - copies, phis and spills become moves, loads and stores.
 *
 * Copies for phis of vectors stand at the end of the logical predecessor, before its tail, so that
 * they run with its lanes; those of scalars at the end of the linear one, before its branch.
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_end. Vector instructions are still for the lanes
 *           of exec.
 */
#include "backend/nyuzi/program.h"
#include "machine/liveness.h"
#include "ir/parallel_copy.h"

typedef struct lowering {
   hd_mach_program *p;
   hd_copier copier;
   hd_copy copies[HD_NYUZI_NUM_FILES][HD_MACH_MAX_REGS];
   uint32_t num_copies[HD_NYUZI_NUM_FILES];
   hd_copy_step steps[2 * HD_MACH_MAX_REGS];
   struct {
      uint16_t to;
      uint32_t bits;
   } constants[HD_MACH_MAX_REGS];
   uint32_t num_constants;
} lowering;

typedef struct place {
   hd_mach_block *block;
   hd_mach_inst *before;
} place;

static hd_mach_inst *
put(lowering *l, place at, unsigned op, hd_mach_operand def, hd_mach_operand a, hd_mach_operand b)
{
   hd_mach_inst *inst = hd_nyuzi_make(l->p, op, def, a, b);

   hd_mach_inst_insert_before(at.block, inst, at.before);
   return inst;
}

static void
put_constant(lowering *l, place at, unsigned to, uint32_t bits)
{
   const hd_mach_operand none = { 0 };

   if (to >= HD_NYUZI_V0 && hd_nyuzi_fits(HD_NYUZI_FORM_VI_MASK, (int32_t)bits)) {
      put(l, at, HD_NYUZI_MOVE, hd_nyuzi_reg(to), hd_nyuzi_imm(bits), none);
      return;
   }
   const unsigned scalar = to >= HD_NYUZI_V0 ? HD_NYUZI_TEMP + 1 : to;
   put(l, at, HD_NYUZI_P_CONST, hd_nyuzi_reg(scalar), none, none)->imm = (int32_t)bits;
   if (to >= HD_NYUZI_V0)
      put(l, at, HD_NYUZI_MOVE, hd_nyuzi_reg(to), hd_nyuzi_reg(scalar), none);
}

static void
add_copy(lowering *l, unsigned to, const hd_mach_operand *src)
{
   const hd_nyuzi_file file = to >= HD_NYUZI_V0 ? HD_NYUZI_VECTOR : HD_NYUZI_SCALAR;

   if (src->flags & HD_MACH_OPERAND_UNDEF || to == src->reg)
      return;
   if (src->reg >= HD_NYUZI_ZERO && src->reg < HD_NYUZI_V0) {
      l->constants[l->num_constants].to = (uint16_t)to;
      l->constants[l->num_constants++].bits = hd_nyuzi_constant(src);
      return;
   }
   l->copies[file][l->num_copies[file]++] = (hd_copy){ to, src->reg };
}

static unsigned
or_temp(uint32_t reg, unsigned temp)
{
   return reg == HD_COPY_TEMPORARY ? temp : (unsigned)reg;
}

/* Vector registers first, while scalar sources are where they were. */
static void
put_copies(lowering *l, place at)
{
   for (unsigned file = HD_NYUZI_NUM_FILES; file-- > 0;) {
      const unsigned temp = file == HD_NYUZI_VECTOR ? HD_NYUZI_VECTOR_TEMP : HD_NYUZI_TEMP;
      const uint32_t num =
          hd_copy_sequence(&l->copier, l->copies[file], l->num_copies[file], false, l->steps);
      for (uint32_t n = 0; n < num; n++)
         put(l, at, HD_NYUZI_MOVE, hd_nyuzi_reg(or_temp(l->steps[n].to, temp)),
             hd_nyuzi_reg(or_temp(l->steps[n].from, temp)), (hd_mach_operand){ 0 });
      l->num_copies[file] = 0;
   }
   for (uint32_t n = 0; n < l->num_constants; n++)
      put_constant(l, at, l->constants[n].to, l->constants[n].bits);
   l->num_constants = 0;
}

static place
end_of(hd_mach_block *block, hd_mach_edge_kind flow)
{
   place at = { .block = block };

   if (flow == HD_MACH_LOGICAL) {
      at.before = block->tail;
      return at;
   }
   for (hd_mach_inst *inst = block->last;
        inst && hd_nyuzi_info(inst)->mach.flags & HD_MACH_BRANCHES; inst = inst->prev)
      at.before = inst;
   return at;
}

static void
lower_phis(lowering *l, hd_mach_edge_kind flow)
{
   hd_mach_foreach_block(block, l->p)
   {
      const hd_mach_edges *edges = &block->edges[flow];
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         for (hd_mach_inst *phi = block->first; phi && phi->op == HD_MACH_P_PHI; phi = phi->next) {
            if (hd_mach_phi_flow(l->p, phi) == flow)
               add_copy(l, hd_mach_def(phi, 0)->reg, hd_mach_src(phi, n));
         }
         put_copies(l, end_of(edges->preds[n], flow));
      }
   }
}

/* Of the scratch memory of the wave. */
static void
lower_slot(lowering *l, place at, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst), none = { 0 };
   const bool vector = value->reg >= HD_NYUZI_V0, store = inst->op == HD_MACH_P_SPILL;
   const uint32_t slot = (uint32_t)inst->imm;
   const uint32_t offset = vector ? (l->p->spill_offset + 4 * slot) * HD_NYUZI_LANES
                                  : l->p->scratch_size * HD_NYUZI_LANES + 4 * slot;
   const hd_mach_operand reg = hd_nyuzi_reg(value->reg);
   hd_mach_operand base = hd_nyuzi_reg(HD_NYUZI_SCRATCH);
   int32_t imm = (int32_t)offset;

   if (!hd_nyuzi_fits(vector && store ? HD_NYUZI_FORM_MEMORY_MASK : HD_NYUZI_FORM_MEMORY, imm)) {
      const hd_mach_operand temp = hd_nyuzi_reg(HD_NYUZI_TEMP);
      put(l, at, HD_NYUZI_P_CONST, temp, none, none)->imm = imm;
      put(l, at, HD_NYUZI_ADD_I, temp, temp, base);
      base = temp;
      imm = 0;
   }
   if (store)
      put(l, at, vector ? HD_NYUZI_STORE_V : HD_NYUZI_STORE_32, none, reg, base)->imm = imm;
   else
      put(l, at, vector ? HD_NYUZI_LOAD_V : HD_NYUZI_LOAD_32, reg, base, none)->imm = imm;
}

static void
lower_block(lowering *l, hd_mach_block *block)
{
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      const place at = { block, inst };
      switch (inst->op) {
      case HD_MACH_P_COPY:
         for (unsigned n = 0; n < inst->num_defs; n++)
            add_copy(l, hd_mach_def(inst, n)->reg, hd_mach_src(inst, n));
         put_copies(l, at);
         break;
      case HD_MACH_P_SPILL:
      case HD_MACH_P_RELOAD:
         lower_slot(l, at, inst);
         break;
      case HD_MACH_P_START:
      case HD_MACH_P_PHI:
      case HD_MACH_P_UNDEF:
         break;
      default:
         continue;
      }
      if (block->tail == inst)
         block->tail = following;
      hd_mach_inst_remove(block, inst);
   }
}

bool
hd_nyuzi_lower_copies(hd_mach_program *p)
{
   lowering *l = hd_stack_alloc_zero(p->stack, sizeof(*l));

   l->p = p;
   if (!hd_copier_init(&l->copier, p->stack, HD_MACH_MAX_REGS))
      return false;
   lower_phis(l, HD_MACH_LOGICAL);
   lower_phis(l, HD_MACH_LINEAR);
   hd_mach_foreach_block(block, p) lower_block(l, block);
   return true;
}
