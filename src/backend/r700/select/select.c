/* SPDX-License-Identifier: MIT */
/* select.c - instruction selection for R700: phis, branch conditions. machine/select.h is the walk. */
#include "machine/select.h"
#include "backend/r700/select/select.h"
#include "heddle/intrinsic_enum.h"

static val
new_part(void *user, const hd_def *def)
{
   (void)def;
   return hd_r700_new(user);
}

/* Copies are of registers and numbers. */
static val
phi_source(void *user, const hd_def *def, unsigned n, val to)
{
   const val part = hd_mach_part(user, def, n);

   (void)to;
   return hd_r700_is_number(&part) ? part : hd_r700_in_register(user, part);
}

/* All are for each lane: a push sets the predicate from the value. */
static void
finish_condition(void *user, hd_mach_block *block, const hd_src *condition)
{
   block->condition.uniform = !condition;
   block->condition.value = condition ? hd_mach_part(user, condition->def, 0) : K(0);
}

static bool
select_intrinsic(void *user, const hd_intrinsic *i)
{
   sel *s = user;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const hd_r700_options *o = hd_r700_of(s->p)->options;

   if (i->instr.op == HD_INTRINSIC_BARRIER)
      return hd_r700_select_builtin(s, i);
   /* No instruction reads other lanes, a driver's neither. */
   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_DEMOTE))
      return hd_mach_refuse_intrinsic(s, i);
   if (i->instr.op >= HD_INTRINSIC_OWN)
      return hd_mach_select_own(s, i, o->select_own, o->user);
   if (info->reads || info->writes || i->instr.op == HD_INTRINSIC_BUFFER_SIZE)
      return hd_r700_select_memory(s, i);
   return hd_r700_select_builtin(s, i);
}

bool
hd_r700_select(hd_mach_program *p)
{
   static const hd_mach_part_walk walk = {
      .new_part = new_part,
      .phi_source = phi_source,
      .condition = finish_condition,
      .intrinsic = select_intrinsic,
   };
   sel s = { .p = NULL };

   if (!p->function->structured)
      return hd_mach_refuse(
          p, NULL, "expected a structured function, found a flat one: run lower_structurize");
   if (!hd_mach_select_blocks(p))
      return false;
   hd_mach_selector_init(&s, p, &hd_r700_part_rows);
   return hd_r700_find_buffers(&s) && hd_mach_select_parts(&s, &walk);
}
