/* SPDX-License-Identifier: MIT */
/* subdword.c - fold extracts of bytes and words into SDWA source selects.
 *
 *    v_lshrrev_b32 v2, 16, v1
 *    v_xor_b32 v1, v1, v2       =>    v_xor_b32_sdwa v1, v1, v1 src0_sel:DWORD src1_sel:WORD_1
 *
 *    v_bfe_i32 v2, v1, 8, 8
 *    v_cvt_f32_i32 v2, v2       =>    v_cvt_f32_i32_sdwa v2, sext(v1) src0_sel:BYTE_1
 *
 *    v_lshrrev_b32 v2, 16, v1
 *    v_fma_f16 v1, v0, v2, v1   =>    v_fma_f16 v1, v0, v1, v1 op_sel:[0,1,0,0]   (gfx9)
 *
 *    v_exp_f16 v2, v0
 *    v_perm_b32 v1, v2, v1, 0x05040100   =>   v_exp_f16_sdwa v1, v0 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE
 *
 * Only if all users of the extract take it, in the block of the extract: otherwise it would cost a
 * word in each user and a longer live range of the dword.
 *
 * Tests: tests/backend/gcn/test_parts.c
 */
#include "backend/gcn/select/alu.h"

typedef struct part {
   hd_mach_operand of;
   hd_gcn_sel sel;
   bool is_signed;
} part;

typedef struct counts {
   uint32_t all, good; /* readers; those that can read the dword itself */
   uint32_t block;     /* that the value is made in: index + 1 */
} counts;

static bool
constant(const hd_mach_program *p, const hd_mach_operand *operand, uint64_t *value)
{
   const hd_mach_inst *def = hd_mach_is_temp(operand) ? p->temps[operand->value].def : NULL;

   if (def && def->op == HD_GCN_S_MOV_B32)
      operand = hd_mach_src(def, 0);
   return !hd_mach_is_temp(operand) && hd_gcn_operand_value(*operand, HD_GCN_B32, value);
}

/* So many bits from there on. */
static bool
find_sel(uint64_t offset, uint64_t bits, hd_gcn_sel *sel)
{
   if (bits == 8 && offset < 32 && offset % 8 == 0)
      *sel = (hd_gcn_sel)(HD_GCN_SEL_BYTE_0 + offset / 8);
   else if (bits == 16 && (offset == 0 || offset == 16))
      *sel = (hd_gcn_sel)(HD_GCN_SEL_WORD_0 + offset / 16);
   else
      return false;
   return true;
}

/* Is the value of the instruction a part of another one? */
static bool
find_part(const hd_mach_program *p, const hd_mach_inst *inst, part *part)
{
   uint64_t offset = 0, bits = 0, mask;
   unsigned of = 1;

   if (inst->form > HD_GCN_FORM_VOP3 || inst->bits)
      return false;
   part->is_signed = inst->op == HD_GCN_V_BFE_I32 || inst->op == HD_GCN_V_ASHRREV_I32;
   switch ((hd_gcn_op)inst->op) {
   case HD_GCN_V_BFE_U32:
   case HD_GCN_V_BFE_I32:
      if (!constant(p, hd_mach_src(inst, 1), &offset) || !constant(p, hd_mach_src(inst, 2), &bits))
         return false;
      of = 0;
      break;
   case HD_GCN_V_LSHRREV_B32:
   case HD_GCN_V_ASHRREV_I32:
      if (!constant(p, hd_mach_src(inst, 0), &offset) || offset > 31)
         return false;
      bits = 32 - offset;
      break;
   case HD_GCN_V_AND_B32:
      if (!constant(p, hd_mach_src(inst, 0), &mask)) {
         of = 0;
         if (!constant(p, hd_mach_src(inst, 1), &mask))
            return false;
      }
      bits = mask == 0xff ? 8 : mask == 0xffff ? 16 : 0;
      break;
   default:
      return false;
   }
   part->of = *hd_mach_src(inst, of);
   return hd_mach_is_temp(&part->of) && part->of.size == 1 && find_sel(offset, bits, &part->sel);
}

/* Whether the type of an operand is one whose parts mean what they mean by themselves. */
static bool
is_part_of_type(const part *part, unsigned type)
{
   switch (type) {
   case HD_GCN_B32:
   case HD_GCN_I32:
   case HD_GCN_U32:
   case HD_GCN_B16:
   case HD_GCN_I16:
   case HD_GCN_U16:
      return true;
   case HD_GCN_F16:
      return part->sel >= HD_GCN_SEL_WORD_0;
   default:
      return false;
   }
}

static bool
is_half(unsigned type)
{
   return type == HD_GCN_F16 || type == HD_GCN_I16 || type == HD_GCN_U16;
}

/* Source `n`, which is the part, becomes that part of the dword. False: it is as it was. */
static bool
read_part(const hd_mach_program *p, hd_mach_inst *inst, unsigned n, const part *part)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_mach_inst before = *inst;
   hd_mach_operand *src = hd_mach_src(inst, n);
   const hd_mach_operand as_it_was = *src;
   const unsigned type = info->mach.operands[info->mach.num_defs + n].type;

   if (info->format == HD_GCN_VOP3) {
      inst->mods.bytes[HD_GCN_MOD_OP_SEL] |= (uint8_t)(1u << n);
      *src = part->of;
      src->flags |= as_it_was.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS);
      if (part->sel == HD_GCN_SEL_WORD_1 && is_half(type) &&
          hd_gcn_fits(hd_gcn_target_in(p)->gen, inst, HD_GCN_FORM_BASE, NULL))
         return true;
      *src = as_it_was;
      *inst = before;
      return false;
   }
   if (inst->form != HD_GCN_FORM_SDWA) {
      inst->form = HD_GCN_FORM_SDWA;
      inst->mods.bytes[HD_GCN_MOD_DST_SEL] = HD_GCN_SEL_DWORD;
      inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = HD_GCN_PAD;
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = HD_GCN_SEL_DWORD;
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] = info->format == HD_GCN_VOP2 ? HD_GCN_SEL_DWORD : 0;
   }
   inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n] = (uint8_t)part->sel;
   *src = part->of;
   src->flags |= as_it_was.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS);
   if (part->is_signed && type != HD_GCN_F16)
      src->flags |= HD_GCN_OPERAND_SEXT;
   if (hd_gcn_fits(hd_gcn_target_in(p)->gen, inst, HD_GCN_FORM_SDWA, NULL))
      return true;
   *src = as_it_was;
   *inst = before;
   return false;
}

/* Parts are not taken of parts: the one that is read would be gone. */
static bool
can_read_parts(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   part unused;

   if (info->format == HD_GCN_VOP3)
      return info->mach.flags & HD_GCN_OP_SEL && hd_gcn_target_in(p)->has_packed;
   return (info->format == HD_GCN_VOP1 || info->format == HD_GCN_VOP2) && inst->num_srcs <= 2 &&
          inst->form <= HD_GCN_FORM_VOP3 && !find_part(p, inst, &unused);
}

/* The part that source `n` is, made in this block. */
static bool
part_of_source(const hd_mach_program *p, const counts *c, const hd_mach_block *block,
               const hd_mach_inst *inst, unsigned n, part *part)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_mach_operand *src = hd_mach_src(inst, n);

   if (!hd_mach_is_temp(src) || c[src->value].block != block->index + 1 || n >= info->mach.num_srcs)
      return false;
   const hd_mach_inst *def = p->temps[src->value].def;
   return def && find_part(p, def, part) &&
          is_part_of_type(part, info->mach.operands[info->mach.num_defs + n].type);
}

/* Could source `n` be the part? */
static bool
would_read_part(const hd_mach_program *p, hd_mach_inst *inst, unsigned n, const part *part)
{
   const hd_mach_inst before = *inst;
   const hd_mach_operand src = *hd_mach_src(inst, n);
   const bool would = read_part(p, inst, n, part);

   *inst = before;
   *hd_mach_src(inst, n) = src;
   return would;
}

static void
count_block(const hd_mach_program *p, counts *c, const hd_mach_block *block)
{
   hd_mach_foreach_inst(inst, block)
   {
      const bool can = can_read_parts(p, inst);
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand src = *hd_mach_src(inst, n);
         part part;
         if (!hd_mach_is_temp(&src))
            continue;
         c[src.value].all++;
         if (can && part_of_source(p, c, block, inst, n, &part) &&
             would_read_part(p, inst, n, &part))
            c[src.value].good++;
      }
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (hd_mach_is_temp(hd_mach_def(inst, n)))
            c[hd_mach_def(inst, n)->value].block = block->index + 1;
      }
   }
   if (hd_mach_is_temp(&block->condition.value))
      c[block->condition.value.value].all++;
}

static void
rewrite_block(const hd_mach_program *p, counts *c, hd_mach_block *block)
{
   hd_mach_foreach_inst(inst, block)
   {
      if (!can_read_parts(p, inst))
         continue;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand src = *hd_mach_src(inst, n);
         part part;
         if (hd_mach_is_temp(&src) && c[src.value].good == c[src.value].all &&
             part_of_source(p, c, block, inst, n, &part) && read_part(p, inst, n, &part))
            c[src.value].all--, c[src.value].good--;
      }
   }
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      part part;
      if (find_part(p, inst, &part) && !c[hd_mach_def(inst, 0)->value].all)
         hd_mach_inst_remove(block, inst);
   }
}

/* Results in upper halves (gfx9) */

/* It may stand later in its block: what it reads is there, and no register that changes. */
static bool
can_move(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (inst->num_defs != 1 || inst->num_srcs != info->mach.num_srcs)
      return false;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (!hd_mach_is_temp(src) && !hd_gcn_is_constant(*src))
         return false;
      if (info->mach.operands[info->mach.num_defs + n].tied >= 0)
         return false;
   }
   return true;
}

/* The same, written to the upper half of what `low` is in; NULL: the instruction cannot. */
static hd_mach_inst *
write_above(hd_mach_program *p, const hd_mach_inst *inst, hd_mach_operand low, hd_mach_operand def)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_gcn_gen gen = hd_gcn_target_in(p)->gen;
   const bool wide = info->format == HD_GCN_VOP3;
   hd_mach_inst *above = hd_mach_inst_create(p, inst->op, 1, inst->num_srcs + 1u);

   above->bits = inst->bits;
   above->loc = inst->loc;
   above->mods = inst->mods;
   above->form = wide ? inst->form : HD_GCN_FORM_SDWA;
   *hd_mach_def(above, 0) = def;
   for (unsigned n = 0; n < inst->num_srcs; n++)
      *hd_mach_src(above, n) = *hd_mach_src(inst, n);
   *hd_mach_src(above, inst->num_srcs) = low;
   if (wide) {
      above->mods.bytes[HD_GCN_MOD_OP_SEL] |= 8;
   } else {
      if (inst->form != HD_GCN_FORM_SDWA) {
         above->mods.bytes[HD_GCN_MOD_SRC_SEL] = HD_GCN_SEL_DWORD;
         above->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] =
             info->format == HD_GCN_VOP2 ? HD_GCN_SEL_DWORD : 0;
      }
      above->mods.bytes[HD_GCN_MOD_DST_SEL] = HD_GCN_SEL_WORD_1;
      above->mods.bytes[HD_GCN_MOD_DST_UNUSED] = HD_GCN_PRESERVE;
   }
   return hd_gcn_fits(gen, above, (hd_gcn_form)above->form, NULL) ? above : NULL;
}

/* The instruction that makes the upper half of what this one packs, for it alone. */
static hd_mach_inst *
maker_of_upper(const hd_mach_program *p, const counts *c, const hd_mach_block *block,
               hd_mach_inst *inst)
{
   uint64_t order;

   if (inst->op != HD_GCN_V_PERM_B32 || !constant(p, hd_mach_src(inst, 2), &order) ||
       order != 0x05040100)
      return NULL;
   const hd_mach_operand high = *hd_mach_src(inst, 0), low = *hd_mach_src(inst, 1);
   if (!hd_mach_is_temp(&high) || !hd_mach_is_temp(&low) || high.value == low.value ||
       p->temps[low.value].file != HD_GCN_VGPR || c[high.value].all != 1 ||
       c[high.value].block != block->index + 1)
      return NULL;
   hd_mach_inst *maker = p->temps[high.value].def;
   const hd_gcn_op_info *info = maker ? hd_gcn_op_info_of(maker) : NULL;
   if (!maker || maker->form == HD_GCN_FORM_DPP ||
       (info->format != HD_GCN_VOP1 && info->format != HD_GCN_VOP2 &&
        info->format != HD_GCN_VOP3) ||
       (info->format == HD_GCN_VOP3 && !(info->mach.flags & HD_GCN_OP_SEL)))
      return NULL;
   return info->mach.operands[0].type == HD_GCN_F16 && can_move(maker) ? maker : NULL;
}

static bool
write_halves(hd_mach_program *p, counts *c, hd_mach_block *block)
{
   const hd_mach_inst *mode = NULL; /* the last one that changed it */
   bool written = false;

   hd_mach_foreach_inst_safe(inst, following, block)
   {
      if (inst->op == HD_GCN_S_SETREG_IMM32_B32)
         mode = inst;
      hd_mach_inst *maker = maker_of_upper(p, c, block, inst);
      if (!maker || mode)
         continue;
      hd_mach_inst *above = write_above(p, maker, *hd_mach_src(inst, 1), *hd_mach_def(inst, 0));
      if (!above)
         continue;
      hd_mach_inst_insert_before(block, above, inst);
      p->temps[hd_mach_def(inst, 0)->value].def = above;
      hd_mach_inst_remove(block, maker);
      hd_mach_inst_remove(block, inst);
      written = true;
   }
   return written;
}

void
hd_gcn_select_parts(hd_mach_program *p)
{
   hd_stack_mark mark = hd_stack_get_mark(p->stack);

   if (!hd_gcn_target_in(p)->has_sdwa)
      return;
   counts *c = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c));
   hd_mach_foreach_block(block, p) count_block(p, c, block);
   hd_mach_foreach_block(block, p) rewrite_block(p, c, block);
   bool written = false;
   if (hd_gcn_target_in(p)->has_packed)
      hd_mach_foreach_block(block, p) written |= write_halves(p, c, block);
   /* Instructions that were made lie behind the counts. */
   if (!written)
      hd_stack_release(p->stack, mark);
}
