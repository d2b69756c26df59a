/* SPDX-License-Identifier: MIT */
/* select.c - from the IR to R700 instructions: phis, conditions of branches; the walk is
 * machine/select.h.
 */
#include "machine/select.h"
#include "backend/r700/select/select.h"
#include "heddle/intrinsic_enum.h"

static void
at(void *user, hd_mach_block *block, const hd_instr *instr)
{
   sel *s = user;

   s->block = block;
   s->instr = instr;
}

static void
start_phi(void *user, const hd_phi *phi)
{
   sel *s = user;
   const hd_def *def = &phi->instr.def;
   const uint32_t num = s->block->edges[HD_MACH_LOGICAL].num_preds;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_r700_num_parts(def); n++) {
      hd_mach_inst *inst = hd_mach_inst_create(s->p, num ? HD_MACH_P_PHI : HD_MACH_P_UNDEF, 1, num);
      parts[n] = *hd_mach_def(inst, 0) = hd_r700_new(s);
      s->p->temps[parts[n].value].def = inst;
      for (uint32_t k = 0; k < num; k++)
         *hd_mach_src(inst, k) =
             (val){ .reg = HD_MACH_NO_REG, .size = 1, .flags = HD_MACH_OPERAND_UNDEF };
      hd_mach_inst_append(s->block, inst);
   }
   hd_r700_set_parts(s, def, parts);
}

static val
phi_source(void *user, const hd_def *def, unsigned n, val to)
{
   (void)to;
   return hd_r700_value(user, def, n);
}

/* All are for each lane: a push sets the predicate from the value. */
static void
finish_condition(void *user, hd_mach_block *block, const hd_src *condition)
{
   sel *s = user;

   block->condition.uniform = !condition;
   block->condition.value = condition ? hd_r700_value(s, condition->def, 0) : K(0);
}

static void
select_undef(void *user, const hd_instr *instr)
{
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_r700_num_parts(&instr->def); n++)
      parts[n] = K(0);
   hd_r700_set_parts(user, &instr->def, parts);
}

static bool
select_alu(void *user, const hd_alu *alu)
{
   return hd_r700_select_alu(user, alu);
}

static bool
select_intrinsic(void *user, const hd_intrinsic *i)
{
   sel *s = user;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (i->instr.op >= HD_INTRINSIC_OWN)
      return hd_mach_refuse(s->p, &i->instr,
                            "unsupported intrinsic %s: this target selects none of a driver's own",
                            info->name);
   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_r700_select_builtin(s, i);
   if (info->reads || info->writes || i->instr.op == HD_INTRINSIC_BUFFER_SIZE)
      return hd_r700_select_memory(s, i);
   return hd_r700_select_builtin(s, i);
}

bool
hd_r700_select(hd_mach_program *p)
{
   static const hd_mach_selection rows = {
      .at = at,
      .alu = select_alu,
      .intrinsic = select_intrinsic,
      .undef = select_undef,
      .start_phi = start_phi,
      .num_parts = hd_r700_num_parts,
      .phi_source = phi_source,
      .condition = finish_condition,
   };
   sel s = { .p = p };

   if (!p->function->structured)
      return hd_mach_refuse(p, NULL,
                            "only trees become pushes and pops; lower_structurize makes one");
   if (!hd_mach_select_blocks(p))
      return false;
   p->scratch_size = (p->shader->scratch_size + 3) & ~UINT32_C(3);
   s.known = hd_stack_alloc_zero(p->stack, (p->function->num_defs + 1) * sizeof(*s.known));
   return hd_r700_find_bindings(&s) && hd_mach_select(p, &rows, &s);
}
