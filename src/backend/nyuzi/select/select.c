/* SPDX-License-Identifier: MIT */
/* select.c - instruction selection for Nyuzi: start of the program, phis, branch conditions.
 * machine/select.h is the walk. A uniform condition is moved to the flag, which the branch tests.
 */
#include "machine/select.h"
#include "backend/nyuzi/select/expr.h"
#include "heddle/analysis.h"
#include "heddle/intrinsic_enum.h"
#include "ir/private.h"

/* The registers that the thread begins with. */
static void
write_start(sel *s)
{
   static const uint8_t regs[] = { 1, 2, 3, 4, 5, 6, 0 };
   val *start = hd_nyuzi_of(s->base.p)->start;

   for (unsigned n = 0; n < HD_NYUZI_NUM_STARTS; n++) {
      const bool vector = n == HD_NYUZI_START_INDEX;
      start[n] = hd_nyuzi_new(s, vector ? HD_NYUZI_VECTOR : HD_NYUZI_SCALAR);
   }
   hd_mach_inst *inst =
       hd_mach_selector_emit(&s->base, HD_MACH_P_START, HD_NYUZI_NUM_STARTS, start, 0, NULL);
   for (unsigned n = 0; n < HD_NYUZI_NUM_STARTS; n++)
      *hd_mach_def(inst, n) = hd_mach_operand_fixed(
          s->base.p, start[n].value, n == HD_NYUZI_START_INDEX ? HD_NYUZI_V0 : regs[n]);
}

/* Phis */

static val
new_part(void *user, const hd_def *def)
{
   if (hd_def_is_uniform(def))
      return hd_nyuzi_new(user, HD_NYUZI_SCALAR);
   return def->bit_size == 1 ? hd_nyuzi_new_mask(user) : hd_nyuzi_new(user, HD_NYUZI_VECTOR);
}

static val
phi_source(void *user, const hd_def *def, unsigned n, val to)
{
   sel *s = user;
   const val part = hd_mach_part(&s->base, def, n);

   if (hd_nyuzi_is_mask(s, to) && hd_nyuzi_is_constant(&part))
      return (val){ .reg = hd_nyuzi_constant(&part) ? HD_NYUZI_ONES : HD_NYUZI_ZERO, .size = 1 };
   return hd_nyuzi_is_vector(s, to) ? part : hd_nyuzi_of_first_lane(s, part);
}

/* Conditions */

static void
finish_condition(void *user, hd_mach_block *block, const hd_src *condition)
{
   sel *s = user;

   if (!condition) {
      block->condition.uniform = true;
      block->condition.value = K(0);
      return;
   }
   const val value = hd_mach_part(&s->base, condition->def, 0);
   if (hd_nyuzi_is_mask(s, value)) {
      block->condition.value = value;
      return;
   }
   const val flag = hd_nyuzi_reg(HD_NYUZI_FLAG);
   block->condition.uniform = true;
   block->condition.value = flag;
   block->tail = hd_mach_selector_emit(
       &s->base, HD_NYUZI_MOVE, 1, &flag, 1,
       (val[]){ hd_nyuzi_is_constant(&value) && hd_nyuzi_constant(&value) == HD_NYUZI_TRUE
                    ? K(1)
                    : value });
}

/* Instructions */

static bool
select_intrinsic(void *user, const hd_intrinsic *i)
{
   sel *s = user;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const hd_nyuzi_options *o = hd_nyuzi_of(s->base.p)->options;

   if (i->instr.op >= HD_INTRINSIC_OWN)
      return hd_mach_select_own(&s->base, i, o->select_own, o->user);
   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_nyuzi_select_lanes(s, i);
   if (info->reads & info->writes)
      return hd_nyuzi_select_atomic(s, i);
   if (info->reads | info->writes || i->instr.op == HD_INTRINSIC_BUFFER_SIZE)
      return hd_nyuzi_select_memory(s, i);
   return info->num_srcs ? hd_nyuzi_select_lanes(s, i) : hd_nyuzi_select_builtin(s, i);
}

bool
hd_nyuzi_select(hd_mach_program *p)
{
   static const hd_mach_part_walk walk = {
      .new_part = new_part,
      .phi_source = phi_source,
      .condition = finish_condition,
      .intrinsic = select_intrinsic,
   };
   sel s = { .base = { .p = NULL } };

   if (!p->function->structured)
      return hd_mach_refuse(
          p, NULL, "expected a structured function, found a flat one: run lower_structurize");
   if (!hd_mach_select_blocks(p))
      return false;
   hd_mach_selector_init(&s.base, p, &hd_nyuzi_part_rows);
   hd_nyuzi_find_buffers(&s);
   s.base.block = p->by_ir[hd_function_start(p->function)->node.index];
   write_start(&s);
   return hd_mach_select_parts(&s.base, &walk);
}
