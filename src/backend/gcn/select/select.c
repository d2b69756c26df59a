/* SPDX-License-Identifier: MIT */
/* select.c - instruction selection for GCN: phis, branch conditions; what is selected by which file.
 *
 *    plan         the register file of each value
 *    walk         machine/select.h
 *    clean        SDWA source selects instead of extracts
 */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/alu.h"
#include "backend/gcn/select/stage.h"

#include "ir/private.h"
#include "machine/select.h"

static void
at(void *user, hd_mach_block *block, const hd_instr *instr)
{
   hd_gcn_selector *s = user;

   s->block = block;
   s->instr = instr;
}

/* Phis */

static bool
is_packed_phi(const hd_gcn_selector *s, const hd_instr *phi)
{
   return phi->def.bit_size == 16 && phi->def.num_components == 2 &&
          hd_gcn_target_in(s->p)->has_packed;
}

static void
start_phi(void *user, const hd_phi *phi)
{
   hd_gcn_selector *s = user;
   const hd_def *def = &phi->instr.def;
   bool scalar = s->known[def->index].scalar;
   bool mask = def->bit_size == 1 && !scalar;
   uint32_t num = s->block->edges[HD_MACH_LOGICAL].num_preds;
   const bool packed = !scalar && is_packed_phi(s, &phi->instr);
   hd_mach_operand value = mask     ? hd_gcn_new_mask(s)
                           : packed ? hd_gcn_new(s, HD_GCN_VGPR, 1)
                           : scalar ? hd_gcn_new(s, HD_GCN_SGPR, hd_gcn_whole_size(def))
                                    : hd_gcn_new(s, HD_GCN_VGPR, hd_gcn_whole_size(def));
   hd_mach_operand *srcs = hd_stack_alloc(s->p->stack, (num + 1) * sizeof(*srcs));

   for (uint32_t n = 0; n < num; n++)
      srcs[n] = hd_gcn_undef(value.size);
   if (num)
      hd_gcn_emit(s, mask ? HD_MACH_P_MASK_PHI : HD_MACH_P_PHI, value, num, srcs);
   else
      hd_gcn_emit(s, HD_MACH_P_UNDEF, value, 0, NULL);
   if (packed)
      hd_gcn_set_packed(s, def, value);
   else
      hd_gcn_set_value(s, def, value);
}

static hd_mach_operand
phi_source(void *user, const hd_def *def, unsigned n, hd_mach_operand to)
{
   hd_gcn_selector *s = user;
   hd_mach_operand value;

   (void)n;
   if (hd_gcn_is_mask(s, to))
      return hd_gcn_as_mask(s, def);
   if (def->num_components == 2 && to.size == 1)
      return hd_def_instr(def)->kind == HD_INSTR_UNDEF ? hd_gcn_undef(1)
                                                       : hd_gcn_packed_value(s, def);
   if (hd_gcn_file_of(s, to) == HD_GCN_VGPR) {
      value = hd_gcn_value(s, def);
      return hd_gcn_is_constant(value) && value.size > 1 ? hd_gcn_in_vgprs(s, def) : value;
   }
   value = hd_gcn_value(s, def);
   if (hd_gcn_is_constant(value) && value.size == 1)
      return value;
   return hd_gcn_in_sgprs(s, def);
}

/* Conditions */

static void
finish_condition(void *user, hd_mach_block *block, const hd_src *condition)
{
   hd_gcn_selector *s = user;
   hd_mach_inst *before = block->last;

   if (!condition) {
      block->condition.uniform = true;
      block->condition.value = hd_gcn_imm(s, 0);
   } else if (hd_src_is_uniform(condition)) {
      hd_gcn_in_scc(s, condition->def);
      block->condition.uniform = true;
      block->condition.value = hd_mach_operand_reg(HD_GCN_SCC, 1);
      block->tail = before ? before->next : block->first;
   } else {
      block->condition.value = hd_gcn_as_mask(s, condition->def);
   }
}

/* Instructions */

static void
select_undef(void *user, const hd_instr *instr)
{
   hd_gcn_selector *s = user;

   /* A boolean is one of two numbers, whichever. */
   if (instr->def.bit_size == 1 && instr->def.num_components == 1) {
      hd_gcn_set_value(s, &instr->def, hd_gcn_imm(s, 0));
      return;
   }
   hd_mach_operand value = hd_gcn_new(s, HD_GCN_SGPR, hd_gcn_whole_size(&instr->def));

   hd_gcn_emit(s, HD_MACH_P_UNDEF, value, 0, NULL);
   hd_gcn_set_value(s, &instr->def, value);
}

static bool
select_alu(void *user, const hd_alu *alu)
{
   return hd_gcn_select_alu(user, alu);
}

static bool
select_intrinsic(void *user, const hd_intrinsic *i)
{
   hd_gcn_selector *s = user;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   unsigned memory = info->reads | info->writes;

   if (i->instr.op >= HD_INTRINSIC_OWN)
      return hd_gcn_select_own(s, i);
   if (hd_gcn_is_stage(i))
      return hd_gcn_select_stage(s, i);
   if (hd_gcn_is_image(i))
      return hd_gcn_select_image(s, i);
   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_gcn_select_lanes(s, i);
   if (memory & ~(unsigned)(HD_MEMORY_PUSH | HD_MEMORY_KERNARG))
      return hd_gcn_select_memory(s, i);
   return info->num_srcs && !memory ? hd_gcn_select_lanes(s, i) : hd_gcn_select_abi(s, i);
}

bool
hd_gcn_select(hd_mach_program *p)
{
   static const hd_mach_selection rows = {
      .at = at,
      .alu = select_alu,
      .intrinsic = select_intrinsic,
      .undef = select_undef,
      .start_phi = start_phi,
      .phi_source = phi_source,
      .condition = finish_condition,
   };
   hd_gcn_selector s = { .p = p, .alu_to_scc = hd_gcn_alu_to_scc };

   if (!hd_gcn_check_float_mode(p) || !hd_mach_select_blocks(p))
      return false;
   s.known = hd_stack_alloc_zero(p->stack, (p->function->num_defs + 1) * sizeof(*s.known));
   hd_gcn_find_unwritten(&s);
   hd_gcn_plan(&s);
   s.block = p->by_ir[hd_function_start(p->function)->node.index];
   if (hd_gcn_is_graphics(p->shader) && !hd_gcn_stage_start(&s))
      return false;
   if (!hd_gcn_abi_start(&s))
      return false;
   hd_gcn_export_nothing(&s);
   if (!hd_mach_select(p, &rows, &s))
      return false;
   hd_gcn_select_parts(p);
   return true;
}
