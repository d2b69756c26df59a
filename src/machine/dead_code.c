/* SPDX-License-Identifier: MIT */
/* dead_code.c - what nothing reads goes.
 *
 * Selection writes a value in the form in which it is asked for, and cannot know beforehand whether
 * the form in which it was computed is read at all: a negation that became a modifier, a compare
 * that was repeated before its branch. One walk backwards counts readers and removes what has none.
 */
#include "backend/gcn/select/alu.h"

/* Registers that selection writes for the instructions that follow. */
enum { SCC = 1u << 0, VCC = 1u << 1, M0 = 1u << 2, OTHER = 1u << 3 };

static unsigned
fixed_of(const hd_gcn_operand *operand)
{
   if (!(operand->flags & HD_GCN_OPERAND_FIXED) || (operand->flags & HD_GCN_OPERAND_TEMP))
      return 0;
   switch (operand->reg) {
   case HD_GCN_SCC:
      return SCC;
   case HD_GCN_VCC:
      return VCC;
   case HD_GCN_M0:
      return M0;
   default:
      return OTHER;
   }
}

typedef struct cleaner {
   hd_gcn_program *p;
   uint32_t *uses; /* by temp */
   unsigned live;  /* fixed registers that are read further on */
} cleaner;

static void
count(cleaner *c, const hd_gcn_operand *operand, int by)
{
   if (operand->flags & HD_GCN_OPERAND_TEMP)
      c->uses[operand->value] += (uint32_t)by;
}

static void
count_srcs(cleaner *c, const hd_gcn_inst *inst, int by)
{
   for (unsigned n = 0; n < inst->num_srcs; n++)
      count(c, hd_gcn_src(inst, n), by);
}

static bool
has_effect(const hd_gcn_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (info->format == HD_GCN_PSEUDO)
      return inst->op == HD_GCN_P_START || inst->num_defs == 0;
   return info->flags &
          (HD_GCN_LOADS | HD_GCN_STORES | HD_GCN_BRANCHES | HD_GCN_ENDS | HD_GCN_SIDE_EFFECT);
}

static bool
is_read(const cleaner *c, const hd_gcn_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_gcn_operand *def = hd_gcn_def(inst, n);
      unsigned fixed = fixed_of(def);
      if ((def->flags & HD_GCN_OPERAND_TEMP) && c->uses[def->value])
         return true;
      if (fixed & (c->live | OTHER))
         return true;
   }
   return false;
}

static void
clean_block(cleaner *c, hd_gcn_block *block)
{
   /* m0 can be set once for many blocks. */
   c->live = M0 | fixed_of(&block->condition.value);
   for (hd_gcn_inst *inst = block->last, *before; inst; inst = before) {
      before = inst->prev;
      if (!has_effect(inst) && !is_read(c, inst)) {
         count_srcs(c, inst, -1);
         hd_gcn_inst_remove(block, inst);
         continue;
      }
      for (unsigned n = 0; n < inst->num_defs; n++)
         c->live &= ~(fixed_of(hd_gcn_def(inst, n)) & ~(unsigned)M0);
      for (unsigned n = 0; n < inst->num_srcs; n++)
         c->live |= fixed_of(hd_gcn_src(inst, n));
   }
}

void
hd_gcn_select_clean(hd_gcn_program *p)
{
   hd_stack_mark mark = hd_stack_get_mark(p->stack);
   cleaner c = { .p = p };

   c.uses = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c.uses));
   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_foreach_inst(inst, block) count_srcs(&c, inst, 1);
      count(&c, &block->condition.value, 1);
   }
   for (hd_gcn_block *block = p->last; block; block = block->prev)
      clean_block(&c, block);
   hd_stack_release(p->stack, mark);
}
