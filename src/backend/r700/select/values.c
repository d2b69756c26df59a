/* SPDX-License-Identifier: MIT */
/* values.c - the operands that values are, and instructions on them. */
#include <stddef.h>

#include "backend/r700/select/select.h"

val
hd_r700_new(sel *s)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, HD_R700_VECTOR, 1, 0));
}

hd_mach_inst *
hd_r700_append(sel *s, unsigned op, unsigned num_defs, const val *defs, unsigned num_srcs,
               const val *srcs)
{
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, num_defs, num_srcs);

   for (unsigned n = 0; n < num_defs; n++) {
      *hd_mach_def(inst, n) = defs[n];
      s->p->temps[defs[n].value].def = inst;
   }
   for (unsigned n = 0; n < num_srcs; n++)
      *hd_mach_src(inst, n) = srcs[n];
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
   return inst;
}

val
hd_r700_emit(sel *s, unsigned op, val a, val b, val c)
{
   const val d = hd_r700_new(s), srcs[3] = { a, b, c };

   hd_r700_append(s, op, 1, &d, c.size ? 3 : b.size ? 2 : 1, srcs);
   return d;
}

val
hd_r700_in_register(sel *s, val v)
{
   const val none = { 0 };

   return hd_mach_is_temp(&v) ? v : hd_r700_emit(s, HD_R700_MOV, v, none, none);
}

val
hd_r700_choose(sel *s, val condition, val a, val b)
{
   if (hd_r700_is_number(&condition))
      return hd_r700_number(&condition) ? a : b;
   return hd_r700_emit(s, HD_R700_CNDE_INT, condition, b, a);
}

val
hd_r700_shift(sel *s, unsigned op, val a, val b)
{
   const val count = hd_r700_is_number(&b) ? K(hd_r700_number(&b) & 31) : and(s, b, K(31));

   return hd_r700_emit(s, op, a, count, (val){ 0 });
}

val
hd_r700_start_value(unsigned which)
{
   return hd_mach_operand_reg(HD_R700_V0 + which, 1);
}

val
hd_r700_of_launch(size_t offset)
{
   return hd_r700_of_buffer(HD_R700_CB_LAUNCH, (uint32_t)(offset / 4));
}

val
hd_r700_size_of_group(sel *s, unsigned n)
{
   const uint32_t size = s->p->shader->workgroup_size[n];

   return size ? K(size) : hd_r700_of_launch(offsetof(hd_r700_launch, workgroup_size) + 4 * n);
}

val
hd_r700_index_of_group(sel *s)
{
   const size_t at = offsetof(hd_r700_launch, num_workgroups);
   const val layer = mul(s, hd_r700_start_value(HD_R700_START_GROUP_Z), hd_r700_of_launch(at + 4));
   const val row = add(s, layer, hd_r700_start_value(HD_R700_START_GROUP_Y));
   const val first = mul(s, row, hd_r700_of_launch(at));

   return add(s, first, hd_r700_start_value(HD_R700_START_GROUP_X));
}

/* Values of the IR */

val
hd_r700_value(sel *s, const hd_def *def, unsigned n)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (!c)
      return s->known[def->index][n];
   if (def->bit_size == 1)
      return K(c->value[n].b ? UINT32_MAX : 0);
   if (def->bit_size == 64)
      return K(c->value[n / 2].u64 >> (n % 2 * 32));
   return K(c->value[n].u64);
}

void
hd_r700_set_parts(sel *s, const hd_def *def, const val *parts)
{
   const unsigned num = hd_r700_num_parts(def);
   val *known = hd_stack_alloc(s->p->stack, num * sizeof(*known));

   for (unsigned n = 0; n < num; n++)
      known[n] = parts[n];
   s->known[def->index] = known;
}

void
hd_r700_set(sel *s, const hd_def *def, val part)
{
   hd_r700_set_parts(s, def, &part);
}

uint32_t
hd_r700_index(const hd_intrinsic *i, hd_index index)
{
   const unsigned slot = hd_instr_intrinsic_info(&i->instr)->slots[index];

   return slot ? hd_intrinsic_indices(i)[slot - 1] : 0;
}

bool
hd_r700_refuse_intrinsic(sel *s, const hd_intrinsic *i)
{
   return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                         hd_instr_intrinsic_info(&i->instr)->name);
}
