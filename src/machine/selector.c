/* SPDX-License-Identifier: MIT */
/* selector.c - instruction selection: IR values as parts, checks of intrinsics. */
#include "machine/selector.h"
#include "heddle/intrinsic_enum.h"

void
hd_mach_selector_init(hd_mach_selector *s, hd_mach_program *p, const hd_mach_part_rows *rows)
{
   s->p = p;
   s->rows = rows;
   s->known = hd_stack_alloc_zero(p->stack, (p->function->num_defs + 1) * sizeof(*s->known));
   p->scratch_size = (p->shader->scratch_size + 3) & ~UINT32_C(3);
}

void
hd_mach_selector_at(void *user, hd_mach_block *block, const hd_instr *instr)
{
   hd_mach_selector *s = user;

   s->block = block;
   s->instr = instr;
}

void
hd_mach_selector_undef(void *user, const hd_instr *instr)
{
   hd_mach_selector *s = user;
   hd_mach_operand parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_mach_num_parts(&instr->def); n++)
      parts[n] = s->rows->steps.constant(0);
   hd_mach_set_parts(s, &instr->def, parts);
}

/* Parts */

unsigned
hd_mach_num_parts(const hd_def *def)
{
   return def->num_components * (def->bit_size == 64 ? 2u : 1u);
}

hd_mach_operand
hd_mach_part(hd_mach_selector *s, const hd_def *def, unsigned n)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (!c)
      return s->known[def->index][n];
   if (def->bit_size == 1)
      return s->rows->steps.constant(c->value[n].b ? s->rows->true_bits : 0);
   if (def->bit_size == 64)
      return s->rows->steps.constant((uint32_t)(c->value[n / 2].u64 >> (n % 2 * 32)));
   return s->rows->steps.constant((uint32_t)c->value[n].u64);
}

void
hd_mach_keep_parts(hd_mach_selector *s, const hd_def *def, const hd_mach_operand *parts)
{
   const unsigned num = hd_mach_num_parts(def);
   hd_mach_operand *known = hd_stack_alloc(s->p->stack, num * sizeof(*known));

   for (unsigned n = 0; n < num; n++)
      known[n] = parts[n];
   s->known[def->index] = known;
}

void
hd_mach_set_parts(hd_mach_selector *s, const hd_def *def, const hd_mach_operand *parts)
{
   if (s->rows->set)
      s->rows->set(s, def, parts);
   else
      hd_mach_keep_parts(s, def, parts);
}

/* Instructions */

hd_mach_inst *
hd_mach_selector_emit(hd_mach_selector *s, unsigned op, unsigned num_defs,
                      const hd_mach_operand *defs, unsigned num_srcs, const hd_mach_operand *srcs)
{
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, num_defs, num_srcs);

   for (unsigned n = 0; n < num_defs; n++) {
      *hd_mach_def(inst, n) = defs[n];
      if (hd_mach_is_temp(&defs[n]))
         s->p->temps[defs[n].value].def = inst;
   }
   for (unsigned n = 0; n < num_srcs; n++)
      *hd_mach_src(inst, n) = srcs[n];
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
   return inst;
}

void
hd_mach_selector_phi(hd_mach_selector *s, hd_mach_operand def, bool mask)
{
   const hd_mach_operand anything = { .reg = HD_MACH_NO_REG,
                                      .size = 1,
                                      .flags = HD_MACH_OPERAND_UNDEF };
   const uint32_t num = s->block->edges[HD_MACH_LOGICAL].num_preds;
   const unsigned phi = mask ? HD_MACH_P_MASK_PHI : HD_MACH_P_PHI;
   hd_mach_operand *srcs = hd_stack_alloc(s->p->stack, (num + 1) * sizeof(*srcs));

   for (uint32_t n = 0; n < num; n++)
      srcs[n] = anything;
   hd_mach_selector_emit(s, num ? phi : HD_MACH_P_UNDEF, 1, &def, num, srcs);
}

/* Intrinsics */

bool
hd_mach_refuse_intrinsic(hd_mach_selector *s, const hd_intrinsic *i)
{
   const char *name = hd_instr_intrinsic_info(&i->instr)->name;

   return i->instr.op >= HD_INTRINSIC_OWN
              ? hd_mach_refuse(
                    s->p, &i->instr,
                    "unsupported intrinsic %s: it is the driver's own, and no hook selects it",
                    name)
              : hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s", name);
}

bool
hd_mach_moves_values(const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_SHUFFLE:
   case HD_INTRINSIC_SHUFFLE_XOR:
   case HD_INTRINSIC_SHUFFLE_UP:
   case HD_INTRINSIC_SHUFFLE_DOWN:
   case HD_INTRINSIC_QUAD_BROADCAST:
   case HD_INTRINSIC_QUAD_SWAP_HORIZONTAL:
   case HD_INTRINSIC_QUAD_SWAP_VERTICAL:
   case HD_INTRINSIC_QUAD_SWAP_DIAGONAL:
      return true;
   default:
      return false;
   }
}

bool
hd_mach_check_barrier(hd_mach_selector *s, const hd_intrinsic *i, bool *waits)
{
   const uint32_t scope = hd_intrinsic_index(i, HD_INDEX_EXEC_SCOPE);
   uint64_t lanes = 1;

   for (unsigned n = 0; n < 3; n++)
      lanes *= s->p->shader->workgroup_size[n];
   *waits = scope > HD_SCOPE_SUBGROUP && (!lanes || lanes > s->p->mach->lanes);
   return scope <= HD_SCOPE_WORKGROUP ||
          hd_mach_refuse(s->p, &i->instr, "unsupported barrier of more than a workgroup");
}
