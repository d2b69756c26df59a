/* SPDX-License-Identifier: MIT */
/* select.c - instruction selection for Gen9: phis, branch conditions. machine/select.h is the walk.
 */
#include "machine/select.h"
#include "backend/gen9/select/select.h"
#include "heddle/intrinsic_enum.h"
#include "machine/flow/flow.h"

static val
new_part(void *user, const hd_def *def)
{
   sel *s = user;

   return hd_gen9_new(s, s->p->scalars[def->index] ? HD_GEN9_UNIFORM : HD_GEN9_VECTOR);
}

static val
phi_source(void *user, const hd_def *def, unsigned n, val to)
{
   (void)to;
   return hd_gen9_in_temp(user, hd_mach_part(user, def, n));
}

/* `if` reads the flag that layout.c makes of a vector; a scalar is tested, and the pc jumps. */
static void
finish_condition(void *user, hd_mach_block *block, const hd_src *condition)
{
   sel *s = user;
   const val none = { 0 };

   block->condition.uniform = true;
   block->condition.value = K(0);
   if (!condition)
      return;
   const val value = hd_gen9_in_register(s, hd_mach_part(s, condition->def, 0));
   block->condition.uniform = !hd_gen9_is_vector(s, value);
   block->condition.value = value;
   if (!block->condition.uniform)
      return;
   const val tested = hd_mach_operand_reg(HD_GEN9_CONDITION, 1);
   block->tail = hd_gen9_append(s, HD_GEN9_P_TEST, HD_GEN9_TYPE_D, tested, value, none, none);
   block->condition.value = tested;
}

static bool
select_intrinsic(void *user, const hd_intrinsic *i)
{
   sel *s = user;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const hd_gen9_options *o = hd_gen9_of(s->p)->options;

   if (i->instr.op >= HD_INTRINSIC_OWN)
      return hd_mach_select_own(s, i, o->select_own, o->user);
   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_gen9_select_lanes(s, i);
   if (info->reads || info->writes || i->instr.op == HD_INTRINSIC_BUFFER_SIZE)
      return hd_gen9_select_memory(s, i);
   return hd_gen9_select_lanes(s, i);
}

bool
hd_gen9_select(hd_mach_program *p)
{
   static const hd_mach_part_walk walk = {
      .new_part = new_part,
      .phi_source = phi_source,
      .condition = finish_condition,
      .intrinsic = select_intrinsic,
   };
   sel s = { .p = NULL };

   const bool numbers = hd_gen9_of(p)->options->lowering == HD_GEN9_LOWERING_BLOCK_NUMBERS;
   if (!p->function->structured && !numbers)
      return hd_mach_refuse(
          p, NULL, "expected a structured function, found a flat one: run lower_structurize");
   if (p->function->structured && numbers)
      return hd_mach_refuse(
          p, NULL, "expected a flat function, found a structured one: run lower_unstructure");
   if (!hd_mach_select_blocks(p))
      return false;
   hd_mach_find_scalars(p);
   hd_mach_selector_init(&s, p, &hd_gen9_part_rows);
   return hd_gen9_find_buffers(&s) && hd_mach_select_parts(&s, &walk);
}
