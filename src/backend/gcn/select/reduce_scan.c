/* SPDX-License-Identifier: MIT */
/* reduce_scan.c - instruction selection of reductions and scans: one pseudo op for each component.
 *
 * lower_subgroup leaves 32-bit reductions with associative and commutative ops, on targets with DPP.
 * The pseudo op has the temporaries of its expansion as operands: a pair of SGPRs to save exec, scc,
 * which that clobbers, and on gfx8 vcc for carries. Its vector temporaries (combine.h) are reserved by
 * hd_mach_register_budget.
 */
#include "backend/gcn/combine.h"
#include "backend/gcn/select/lane_masks.h"
#include "heddle/intrinsic_enum.h"

static bool
is_float(hd_reduce_op op)
{
   return op == HD_REDUCE_FMIN || op == HD_REDUCE_FMAX;
}

/* The first lane of a scan is combined with none, but must leave no other NaN than the others; and before
 * gfx9 the lesser and the greater are not flushed.
 */
static bool
must_be_canonical(const hd_gcn_selector *s, hd_gcn_op op)
{
   return op == HD_GCN_P_INCLUSIVE_SCAN || (hd_gcn_target_in(s->p)->gen < HD_GCN_GFX900 &&
                                            s->p->shader->float_controls & HD_FLOAT_FLUSH_32);
}

static hd_mach_operand
canonical(hd_gcn_selector *s, hd_mach_operand v)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit2(s, HD_GCN_V_MUL_F32, d, hd_gcn_imm(s, 0x3f800000), v);
   return d;
}

static hd_mach_operand
combine_component(hd_gcn_selector *s, hd_gcn_op op, int32_t imm, bool to_scalar, hd_mach_operand v)
{
   const bool carries = (imm & 0xff) == HD_REDUCE_IADD && !hd_gcn_target_in(s->p)->add_no_carry;
   const hd_mach_operand defs[4] = {
      hd_gcn_new(s, to_scalar ? HD_GCN_SGPR : HD_GCN_VGPR, 1),
      hd_gcn_new(s, HD_GCN_SGPR, 2),
      hd_mach_operand_reg(HD_GCN_SCC, 1),
      hd_mach_operand_reg(HD_GCN_VCC, 2),
   };

   v = hd_gcn_to_file(s, HD_GCN_VGPR, v);
   if (is_float((hd_reduce_op)(imm & 0xff)) && must_be_canonical(s, op))
      v = canonical(s, v);
   hd_mach_inst *inst = hd_gcn_emit_full(s, op, carries ? 4 : 3, defs, 1, &v, 0);
   inst->imm = imm;
   const unsigned needs = hd_gcn_combine_needs(s->p, inst);
   if (needs > hd_gcn_of(s->p)->num_combine_vgprs)
      hd_gcn_of(s->p)->num_combine_vgprs = needs;
   return defs[0];
}

static bool
can_combine(const hd_gcn_selector *s, const hd_def *value, hd_reduce_op op)
{
   return hd_gcn_target_in(s->p)->has_dpp && value->bit_size == 32 && op != HD_REDUCE_FADD &&
          op != HD_REDUCE_FMUL;
}

bool
hd_gcn_select_combine(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   const uint32_t *indices = hd_intrinsic_indices(i);
   const hd_reduce_op op = (hd_reduce_op)indices[info->slots[HD_INDEX_REDUCE_OP] - 1];
   const uint8_t slot = info->slots[HD_INDEX_CLUSTER_SIZE];
   const uint32_t size = slot ? indices[slot - 1] : 0, cluster = size && size < 64 ? size : 64;
   const hd_def *value = i->src[0].def;
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   if (!can_combine(s, value, op))
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s: run lower_subgroup",
                            info->name);
   for (unsigned c = 0; c < value->num_components; c++) {
      parts[c] = hd_gcn_component(s, value, c);
      if (cluster == 1 && id == HD_INTRINSIC_REDUCE)
         parts[c] = is_float(op) ? canonical(s, parts[c]) : parts[c];
      else
         parts[c] = combine_component(s,
                                      id == HD_INTRINSIC_REDUCE           ? HD_GCN_P_REDUCE
                                      : id == HD_INTRINSIC_INCLUSIVE_SCAN ? HD_GCN_P_INCLUSIVE_SCAN
                                                                          : HD_GCN_P_EXCLUSIVE_SCAN,
                                      hd_gcn_combine_imm(op, cluster),
                                      id == HD_INTRINSIC_REDUCE && cluster == 64, parts[c]);
   }
   hd_gcn_set_parts(s, &i->instr.def, parts);
   return true;
}
