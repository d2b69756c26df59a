/* SPDX-License-Identifier: MIT */
/* encode.c - the instruction encoder: operands and modifiers become bit fields, which the layout packs. */
#include "backend/gcn/isa/encoding.h"

typedef struct values {
   uint32_t value[HD_GCN_NUM_FIELDS];
   uint64_t set; /* which of them count; the others are 0 */
} values;

static void
put(values *v, hd_gcn_field field, uint32_t value)
{
   v->value[field] = value;
   v->set |= UINT64_C(1) << field;
}

/* What has no place in most layouts, and is 0 there. */
static void
put_if(values *v, hd_gcn_field field, uint32_t value)
{
   if (value)
      put(v, field, value);
}

/* Registers of the format's own counting. */
static uint32_t
field_of_register(const hd_gcn_encoding *layout, hd_gcn_field field, hd_mach_operand o)
{
   switch (field) {
   case HD_GCN_FIELD_SBASE:
      return o.reg / 2u;
   case HD_GCN_FIELD_SRSRC:
   case HD_GCN_FIELD_SSAMP:
      return o.reg / 4u;
   case HD_GCN_FIELD_SADDR:
      return o.size ? o.reg : 0x7f;
   default:
      break;
   }
   if (!o.size)
      return 0;
   /* Fields of 9 bits tell vector registers from scalar ones, the others are of one kind. */
   return o.reg >= HD_GCN_VGPR0 && !(layout->wide >> field & 1) ? o.reg - 256u : o.reg;
}

static void
put_operands(values *v, const hd_gcn_encoding *layout, const hd_mach_inst *inst, bool *has_literal,
             uint32_t *literal)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      hd_mach_operand o = inst->operands[n];
      if (!row || row->field == HD_GCN_FIELD_IMPLIED)
         continue;
      hd_gcn_field field = (hd_gcn_field)row->field;
      if (o.size && o.reg == HD_GCN_LITERAL) {
         *has_literal = true;
         *literal = o.value;
      }
      if (field == HD_GCN_FIELD_LITERAL)
         continue;
      if (field == HD_GCN_FIELD_SOFFSET && info->format == HD_GCN_SMEM) {
         /* Beside a number it has its own field; alone it takes that of the number. */
         if (o.size && inst->bits & HD_GCN_SOFFSET_IMM) {
            put(v, HD_GCN_FIELD_SOFFSET_EN, 1);
            put(v, field, o.reg);
         } else if (o.size) {
            put(v, HD_GCN_FIELD_OFFSET, o.reg);
         }
         continue;
      }
      if (row->kinds & HD_GCN_TAKES_ONE && !(layout->has >> field & 1))
         continue; /* a carry in vcc, which the short form does not say */
      if (field == HD_GCN_FIELD_VDST && info->format == HD_GCN_VOPC &&
          inst->form == HD_GCN_FORM_SDWA) {
         if (o.reg != HD_GCN_VCC) {
            put(v, HD_GCN_FIELD_SD, 1);
            put(v, field, o.reg);
         }
         continue;
      }
      put(v, field, field_of_register(layout, field, o));
   }
}

/* neg, abs, sext and whether a short source is scalar. */
static void
put_source_modifiers(values *v, const hd_gcn_encoding *layout, const hd_mach_inst *inst)
{
   uint32_t neg = 0, abs = 0;
   bool bits = layout->has >> HD_GCN_FIELD_NEG & 1;

   for (unsigned n = inst->num_defs; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      hd_mach_operand o = inst->operands[n];
      if (!row || row->field < HD_GCN_FIELD_SRC0 || row->field > HD_GCN_FIELD_SRC2)
         continue;
      unsigned i = row->field - HD_GCN_FIELD_SRC0;
      neg |= (o.flags & HD_GCN_OPERAND_NEG ? 1u : 0u) << i;
      abs |= (o.flags & HD_GCN_OPERAND_ABS ? 1u : 0u) << i;
      if (bits || i > 1)
         continue;
      put_if(v, HD_GCN_FIELD_NEG0 + i, neg >> i & 1);
      put_if(v, HD_GCN_FIELD_ABS0 + i, abs >> i & 1);
      put_if(v, HD_GCN_FIELD_SEXT0 + i, o.flags & HD_GCN_OPERAND_SEXT ? 1 : 0);
      if (inst->form == HD_GCN_FORM_SDWA)
         put_if(v, HD_GCN_FIELD_S0 + i, o.reg < HD_GCN_VGPR0);
   }
   if (bits) {
      put_if(v, HD_GCN_FIELD_NEG, neg);
      put_if(v, layout->has >> HD_GCN_FIELD_NEG_HI & 1 ? HD_GCN_FIELD_NEG_HI : HD_GCN_FIELD_ABS,
             abs);
   }
}

static void
put_modifiers(values *v, const hd_gcn_encoding *layout, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < HD_GCN_NUM_FLAG_FIELDS; n++)
      put_if(v, (hd_gcn_field)hd_gcn_flag_fields[n].field,
             inst->bits & hd_gcn_flag_fields[n].bit ? 1 : 0);
   put_if(v, HD_GCN_FIELD_OMOD, (inst->bits & HD_GCN_OMOD_MASK) >> HD_GCN_OMOD_SHIFT);
   put_if(v, HD_GCN_FIELD_OP_SEL, inst->mods.bytes[HD_GCN_MOD_OP_SEL]);
   put_if(v, HD_GCN_FIELD_OP_SEL_HI, inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] & 3u);
   /* The bit of a third source is set where there is none. */
   if (hd_gcn_op_info_of(inst)->format == HD_GCN_VOP3P)
      put_if(v, HD_GCN_FIELD_OP_SEL_HI2,
             hd_gcn_op_info_of(inst)->mach.num_srcs < 3 ||
                 inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] >> 2);
   put_source_modifiers(v, layout, inst);
   put_if(v, HD_GCN_FIELD_FORMAT,
          hd_gcn_op_info_of(inst)->format == HD_GCN_MTBUF ? inst->mods.bytes[HD_GCN_MOD_FORMAT]
                                                          : 0);
   if (inst->form == HD_GCN_FORM_SDWA) {
      put_if(v, HD_GCN_FIELD_DST_SEL, inst->mods.bytes[HD_GCN_MOD_DST_SEL]);
      put_if(v, HD_GCN_FIELD_DST_UNUSED, inst->mods.bytes[HD_GCN_MOD_DST_UNUSED]);
      put_if(v, HD_GCN_FIELD_SRC0_SEL, inst->mods.bytes[HD_GCN_MOD_SRC_SEL]);
      put_if(v, HD_GCN_FIELD_SRC1_SEL, inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1]);
   } else if (inst->form == HD_GCN_FORM_DPP) {
      put_if(v, HD_GCN_FIELD_DPP_CTRL, inst->mods.halves[HD_GCN_MOD_DPP_CTRL]);
      put_if(v, HD_GCN_FIELD_BANK_MASK, inst->mods.bytes[HD_GCN_MOD_BANK_MASK]);
      put_if(v, HD_GCN_FIELD_ROW_MASK, inst->mods.bytes[HD_GCN_MOD_ROW_MASK]);
   }
}

static void
put_imm(values *v, const hd_gcn_encoding *layout, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   uint32_t imm = (uint32_t)inst->imm;

   if (info->imm == HD_GCN_IMM_NONE)
      return;
   if (info->imm == HD_GCN_IMM_ATTRIBUTE) {
      if (inst->op == HD_GCN_V_INTERP_MOV_F32)
         put(v, HD_GCN_FIELD_SRC0, imm >> 8);
      imm &= 255;
   }
   if (layout->has >> HD_GCN_FIELD_SIMM16 & 1)
      put(v, HD_GCN_FIELD_SIMM16, imm & 0xffff);
   else if (info->imm == HD_GCN_IMM_GPR_IDX)
      put(v, HD_GCN_FIELD_SSRC1, imm);
   else if (imm)
      put(v, HD_GCN_FIELD_OFFSET, imm);
}

unsigned
hd_gcn_encode(hd_gcn_gen gen, const hd_mach_inst *inst, uint32_t *words, const char **why)
{
   if (!hd_gcn_check(gen, inst, why))
      return 0;

   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   hd_gcn_layout_id id = hd_gcn_layout_of_op(gen, (hd_gcn_op)inst->op, (hd_gcn_form)inst->form);
   const hd_gcn_encoding *layout = hd_gcn_layout_of(gen, id);
   bool vop3 = id == HD_GCN_LAYOUT_VOP3 || id == HD_GCN_LAYOUT_VOP3B;
   values v;
   bool has_literal = false;
   uint32_t literal = 0;

   v.set = 0;
   put_if(&v, HD_GCN_FIELD_OP,
          (uint32_t)(vop3 && info->format != HD_GCN_VOP3 ? info->vop3_opcode[gen]
                                                         : info->opcode[gen]));
   put_operands(&v, layout, inst, &has_literal, &literal);
   put_modifiers(&v, layout, inst);
   put_imm(&v, layout, inst);
   if (v.set & ~layout->has) {
      if (why)
         *why = "the encoding has no place for an operand or a modifier";
      return 0;
   }

   uint64_t bits = layout->value;
   for (unsigned n = 0; n < layout->num_fields; n++) {
      hd_gcn_bits field = layout->fields[n];
      if (v.set >> field.field & 1)
         bits |= (v.value[field.field] & ((UINT64_C(1) << field.width) - 1)) << field.low;
   }
   unsigned num = 0;
   words[num++] = (uint32_t)bits;
   if (layout->words > 1)
      words[num++] = (uint32_t)(bits >> 32);
   if (has_literal)
      words[num++] = literal;
   return num;
}
