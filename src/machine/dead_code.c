/* SPDX-License-Identifier: MIT */
/* dead_code.c - dead code elimination (DCE) on machine code.
 *
 * Selection materialises a value in the form that a user needs, and cannot know whether the original
 * form is used at all: a negation that became a modifier, a compare that was repeated before its
 * branch. One backward walk counts uses and removes instructions without any.
 */
#include "machine/program.h"

/* Bit n: the machine's transient n; those after them: any other register. */
#define OTHER (1u << HD_MACH_MAX_TRANSIENTS)

typedef struct cleaner {
   hd_mach_program *p;
   uint32_t *uses;   /* by temp */
   unsigned live;    /* fixed registers that are read further on */
   unsigned crosses; /* those that may be read in other blocks */
} cleaner;

static unsigned
fixed_of(const cleaner *c, const hd_mach_operand *operand)
{
   const hd_mach *mach = c->p->mach;

   if (!(operand->flags & HD_MACH_OPERAND_FIXED) || (operand->flags & HD_MACH_OPERAND_TEMP))
      return 0;
   for (unsigned n = 0; n < mach->num_transients; n++) {
      if (operand->reg == mach->transients[n].reg)
         return 1u << n;
   }
   return OTHER;
}

static void
count(cleaner *c, const hd_mach_operand *operand, int by)
{
   if (operand->flags & HD_MACH_OPERAND_TEMP)
      c->uses[operand->value] += (uint32_t)by;
}

static void
count_srcs(cleaner *c, const hd_mach_inst *inst, int by)
{
   for (unsigned n = 0; n < inst->num_srcs; n++)
      count(c, hd_mach_src(inst, n), by);
}

static bool
has_effect(const cleaner *c, const hd_mach_inst *inst)
{
   const hd_mach_op *info = hd_mach_op_of(c->p->mach, inst);

   if (info->flags & HD_MACH_PSEUDO)
      return inst->op == HD_MACH_P_START || inst->num_defs == 0 ||
             info->flags & (HD_MACH_STORES | HD_MACH_SIDE_EFFECT);
   return info->flags &
          (HD_MACH_LOADS | HD_MACH_STORES | HD_MACH_BRANCHES | HD_MACH_ENDS | HD_MACH_SIDE_EFFECT);
}

static bool
is_read(const cleaner *c, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      unsigned fixed = fixed_of(c, def);
      if ((def->flags & HD_MACH_OPERAND_TEMP) && c->uses[def->value])
         return true;
      if (fixed & (c->live | OTHER))
         return true;
   }
   return false;
}

static void
clean_block(cleaner *c, hd_mach_block *block)
{
   c->live = c->crosses | fixed_of(c, &block->condition.value);
   for (hd_mach_inst *inst = block->last, *before; inst; inst = before) {
      before = inst->prev;
      if (!has_effect(c, inst) && !is_read(c, inst)) {
         count_srcs(c, inst, -1);
         hd_mach_inst_remove(block, inst);
         continue;
      }
      for (unsigned n = 0; n < inst->num_defs; n++)
         c->live &= ~(fixed_of(c, hd_mach_def(inst, n)) & ~c->crosses);
      for (unsigned n = 0; n < inst->num_srcs; n++)
         c->live |= fixed_of(c, hd_mach_src(inst, n));
   }
}

void
hd_mach_dead_code(hd_mach_program *p)
{
   hd_stack_mark mark = hd_stack_get_mark(p->stack);
   cleaner c = { .p = p };

   for (unsigned n = 0; n < p->mach->num_transients; n++)
      c.crosses |= p->mach->transients[n].crosses_blocks ? 1u << n : 0;
   c.uses = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c.uses));
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block) count_srcs(&c, inst, 1);
      count(&c, &block->condition.value, 1);
   }
   for (hd_mach_block *block = p->last; block; block = block->prev)
      clean_block(&c, block);
   hd_stack_release(p->stack, mark);
}
