/* SPDX-License-Identifier: MIT */
/* decode.c - the instruction decoder. Strict: a word that is no instruction of the generation, or has
 * a reserved bit set, is rejected.
 */
#include "backend/gcn/isa/decode_table.h"

#include <string.h>

typedef struct reader {
   hd_gcn_gen gen;
   const hd_gcn_encoding *layout;
   const hd_gcn_op_info *info;
   hd_mach_inst *inst;
   uint32_t value[HD_GCN_NUM_FIELDS];
   uint64_t left; /* fields that are not read yet */
   bool needs_literal;
   bool misplaced; /* a modifier of a source that is not there */
} reader;

/* The value of a field; 0 where the layout does not have it. */
static uint32_t
take(reader *r, hd_gcn_field field)
{
   r->left &= ~(UINT64_C(1) << field);
   return r->layout->has >> field & 1 ? r->value[field] : 0;
}

/* False: there are bits that belong to no field. */
static bool
unpack(reader *r, const hd_gcn_encoding *layout, uint64_t bits)
{
   uint64_t known = layout->mask;

   r->layout = layout;
   r->left = layout->has;
   for (unsigned n = 0; n < layout->num_fields; n++) {
      hd_gcn_bits b = layout->fields[n];
      uint64_t mask = (UINT64_C(1) << b.width) - 1;
      r->value[b.field] = (uint32_t)(bits >> b.low & mask);
      known |= mask << b.low;
   }
   return !(bits & ~known);
}

static int32_t
sign_extend(uint32_t value, unsigned bits)
{
   uint32_t sign = UINT32_C(1) << (bits - 1);

   return (int32_t)((value ^ sign) - sign);
}

static int32_t
read_imm(reader *r)
{
   switch ((hd_gcn_imm_kind)r->info->imm) {
   case HD_GCN_IMM_NONE:
      return 0;
   case HD_GCN_IMM_HEX: {
      uint32_t value = take(r, HD_GCN_FIELD_SIMM16);
      bool is_unsigned = r->info->mach.num_srcs &&
                         r->info->mach.operands[r->info->mach.num_defs].type == HD_GCN_U32;
      return is_unsigned ? (int32_t)value : sign_extend(value, 16);
   }
   case HD_GCN_IMM_TARGET:
      return sign_extend(take(r, HD_GCN_FIELD_SIMM16), 16);
   case HD_GCN_IMM_GPR_IDX:
      if (r->info->format == HD_GCN_SOPC)
         return (int32_t)take(r, HD_GCN_FIELD_SSRC1);
      return (int32_t)take(r, HD_GCN_FIELD_SIMM16);
   case HD_GCN_IMM_SMEM:
      if (!(r->inst->bits & HD_GCN_SOFFSET_IMM))
         return 0; /* the field is a register, which is read as an operand */
      return r->gen >= HD_GCN_GFX900 ? sign_extend(take(r, HD_GCN_FIELD_OFFSET), 21)
                                     : (int32_t)take(r, HD_GCN_FIELD_OFFSET);
   case HD_GCN_IMM_FLAT:
      if (r->info->format == HD_GCN_FLAT)
         return (int32_t)take(r, HD_GCN_FIELD_OFFSET);
      return sign_extend(take(r, HD_GCN_FIELD_OFFSET), 13);
   case HD_GCN_IMM_DS:
   case HD_GCN_IMM_SWIZZLE:
   case HD_GCN_IMM_MUBUF:
   case HD_GCN_IMM_MTBUF:
      return (int32_t)take(r, HD_GCN_FIELD_OFFSET);
   case HD_GCN_IMM_ATTRIBUTE: {
      uint32_t vertex = r->inst->op == HD_GCN_V_INTERP_MOV_F32 ? take(r, HD_GCN_FIELD_SRC0) : 0;
      return (int32_t)(take(r, HD_GCN_FIELD_SIMM16) | vertex << 8);
   }
   default:
      return (int32_t)take(r, HD_GCN_FIELD_SIMM16);
   }
}

static void
read_bits(reader *r)
{
   hd_mach_inst *inst = r->inst;

   for (unsigned n = 0; n < HD_GCN_NUM_FLAG_FIELDS; n++) {
      if (take(r, (hd_gcn_field)hd_gcn_flag_fields[n].field))
         inst->bits |= hd_gcn_flag_fields[n].bit;
   }
   inst->bits |= (uint16_t)(take(r, HD_GCN_FIELD_OMOD) << HD_GCN_OMOD_SHIFT);
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = (uint8_t)take(r, HD_GCN_FIELD_OP_SEL);
   if (r->info->format == HD_GCN_MTBUF)
      inst->mods.bytes[HD_GCN_MOD_FORMAT] = (uint8_t)take(r, HD_GCN_FIELD_FORMAT);
   uint32_t third = take(r, HD_GCN_FIELD_OP_SEL_HI2);
   inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = (uint8_t)take(r, HD_GCN_FIELD_OP_SEL_HI);
   /* The bit of a third source is set where there is none. */
   if (r->info->format == HD_GCN_VOP3P && r->info->mach.num_srcs < 3)
      r->misplaced |= !third;
   else
      inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] |= (uint8_t)(third << 2);
   if (inst->form == HD_GCN_FORM_SDWA) {
      inst->mods.bytes[HD_GCN_MOD_DST_SEL] = (uint8_t)take(r, HD_GCN_FIELD_DST_SEL);
      inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = (uint8_t)take(r, HD_GCN_FIELD_DST_UNUSED);
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = (uint8_t)take(r, HD_GCN_FIELD_SRC0_SEL);
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] = (uint8_t)take(r, HD_GCN_FIELD_SRC1_SEL);
   } else if (inst->form == HD_GCN_FORM_DPP) {
      inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = (uint16_t)take(r, HD_GCN_FIELD_DPP_CTRL);
      inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = (uint8_t)take(r, HD_GCN_FIELD_ROW_MASK);
      inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = (uint8_t)take(r, HD_GCN_FIELD_BANK_MASK);
   }
}

/* Dwords that the operand has, 0 if it is not there. */
static unsigned
size_of(reader *r, const hd_mach_operand_info *row, bool is_def)
{
   unsigned bits = r->inst->bits, both = HD_GCN_OFFEN | HD_GCN_IDXEN;

   if (hd_gcn_is_buffer(r->info) && row->field == HD_GCN_FIELD_VADDR)
      return bits & HD_GCN_ADDR64 || (bits & both) == both ? 2 : bits & both ? 1 : 0;
   if (r->info->format == HD_GCN_MUBUF && is_def)
      return row->size + (bits & HD_GCN_TFE ? 1u : 0u);
   if (r->info->format == HD_GCN_MIMG) {
      return row->field == HD_GCN_FIELD_VADDR   ? hd_gcn_image_least_address(r->info)
             : row->field == HD_GCN_FIELD_VDATA ? hd_gcn_image_data_size(r->gen, r->inst)
                                                : row->size;
   }
   if (r->info->format == HD_GCN_EXPORT)
      return hd_gcn_export_operands(r->inst->imm) >> (row - r->info->mach.operands) & 1;
   if (row->field == HD_GCN_FIELD_VADDR && r->info->format != HD_GCN_FLAT) {
      bool off = take(r, HD_GCN_FIELD_SADDR) == 0x7f;
      if (r->info->format == HD_GCN_GLOBAL)
         return off ? 2 : 1;
      return off ? 1 : 0;
   }
   if (row->field == HD_GCN_FIELD_SADDR)
      return take(r, HD_GCN_FIELD_SADDR) == 0x7f ? 0 : row->size;
   return row->size;
}

static hd_mach_operand
read_soffset(reader *r, const hd_mach_operand_info *row)
{
   bool imm = r->inst->bits & HD_GCN_SOFFSET_IMM;

   if (!imm)
      return hd_mach_operand_reg(take(r, HD_GCN_FIELD_OFFSET), row->size);
   if (take(r, HD_GCN_FIELD_SOFFSET_EN))
      return hd_mach_operand_reg(take(r, HD_GCN_FIELD_SOFFSET), row->size);
   return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
}

static hd_mach_operand
read_operand(reader *r, const hd_mach_operand_info *row, bool is_def)
{
   hd_gcn_field field = (hd_gcn_field)row->field;
   unsigned kinds = hd_gcn_kinds(r->gen, r->info, row, (hd_gcn_form)r->inst->form);
   unsigned size = size_of(r, row, is_def);

   if (kinds & HD_GCN_TAKES_BEFORE_GFX9 && r->gen >= HD_GCN_GFX900 && !(r->inst->bits & HD_GCN_GDS))
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   if (row->tied >= 0 && field == HD_GCN_FIELD_IMPLIED)
      return hd_mach_operand_reg(hd_mach_def(r->inst, (unsigned)row->tied)->reg, size);
   if (field == HD_GCN_FIELD_VDST && r->info->format == HD_GCN_VOPC &&
       r->inst->form == HD_GCN_FORM_SDWA)
      return hd_mach_operand_reg(take(r, HD_GCN_FIELD_SD) ? take(r, field) : HD_GCN_VCC, size);
   if (kinds & HD_GCN_TAKES_ONE && !(r->layout->has >> field & 1))
      return hd_mach_operand_reg(row->fixed, size);
   if (field == HD_GCN_FIELD_SOFFSET && r->info->format == HD_GCN_SMEM)
      return read_soffset(r, row);
   if (!size)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };

   unsigned reg = field == HD_GCN_FIELD_LITERAL ? (unsigned)HD_GCN_LITERAL : take(r, field);
   bool wide = r->layout->wide >> field & 1;
   if (field == HD_GCN_FIELD_SBASE)
      reg *= 2;
   if (field == HD_GCN_FIELD_SRSRC || field == HD_GCN_FIELD_SSAMP)
      reg *= 4;
   bool sdwa = r->inst->form == HD_GCN_FORM_SDWA && field >= HD_GCN_FIELD_SRC0 &&
               field <= HD_GCN_FIELD_SRC1;
   bool scalar = sdwa ? take(r, HD_GCN_FIELD_S0 + (field - HD_GCN_FIELD_SRC0)) != 0
                      : !(kinds & HD_GCN_TAKES_VGPR);
   if (!wide && !scalar)
      reg += HD_GCN_VGPR0;
   hd_mach_operand o = hd_mach_operand_reg(reg, size);
   if (reg == HD_GCN_LITERAL || hd_gcn_is_inline(r->gen, reg))
      o.flags = 0;
   r->needs_literal |= reg == HD_GCN_LITERAL;
   return o;
}

static void
read_source_modifiers(reader *r)
{
   uint32_t neg = take(r, HD_GCN_FIELD_NEG);
   uint32_t abs = take(r, HD_GCN_FIELD_ABS) | take(r, HD_GCN_FIELD_NEG_HI);
   uint32_t sext = take(r, HD_GCN_FIELD_SEXT0) | take(r, HD_GCN_FIELD_SEXT1) << 1;
   uint32_t used = 0;

   neg |= take(r, HD_GCN_FIELD_NEG0) | take(r, HD_GCN_FIELD_NEG1) << 1;
   abs |= take(r, HD_GCN_FIELD_ABS0) | take(r, HD_GCN_FIELD_ABS1) << 1;
   for (unsigned n = 0; n < r->info->mach.num_srcs; n++) {
      unsigned field = r->info->mach.operands[r->info->mach.num_defs + n].field;
      if (field < HD_GCN_FIELD_SRC0 || field > HD_GCN_FIELD_SRC2)
         continue;
      unsigned bit = field - HD_GCN_FIELD_SRC0;
      used |= 1u << bit;
      hd_mach_src(r->inst, n)->flags |= (uint8_t)((neg >> bit & 1 ? HD_GCN_OPERAND_NEG : 0) |
                                                  (abs >> bit & 1 ? HD_GCN_OPERAND_ABS : 0) |
                                                  (sext >> bit & 1 ? HD_GCN_OPERAND_SEXT : 0));
   }
   r->misplaced |= ((neg | abs | sext) & ~used) != 0;
}

static void
read_operands(reader *r)
{
   hd_mach_inst *inst = r->inst;
   const hd_gcn_op_info *info = r->info;
   bool no_def = (info->mach.flags & HD_GCN_RETURNS_IF_GLC && !(inst->bits & HD_GCN_GLC)) ||
                 inst->bits & HD_GCN_LDS;

   inst->num_defs = no_def ? 0 : info->mach.num_defs;
   inst->num_srcs = info->mach.num_srcs;
   for (unsigned n = 0; n < inst->num_defs; n++)
      inst->operands[n] = read_operand(r, &info->mach.operands[n], true);
   for (unsigned n = 0; n < inst->num_srcs; n++)
      *hd_mach_src(inst, n) = read_operand(r, &info->mach.operands[info->mach.num_defs + n], false);
   if (r->layout->has & (UINT64_C(1) << HD_GCN_FIELD_NEG | UINT64_C(1) << HD_GCN_FIELD_NEG0))
      read_source_modifiers(r);
   if (inst->bits & HD_GCN_LDS)
      *hd_mach_src(inst, inst->num_srcs++) = hd_mach_operand_reg(HD_GCN_M0, 1);
   else if (hd_gcn_keeps_old(r->gen, inst))
      *hd_mach_src(inst, inst->num_srcs++) =
          hd_mach_operand_reg(inst->operands[0].reg, inst->operands[0].size);
}

/* The layout that the first word has. */
static hd_gcn_layout_id
layout_of(hd_gcn_gen gen, uint32_t word)
{
   const uint8_t *id = hd_gcn_layouts_of_word(gen, word);

   for (; *id != HD_GCN_LAYOUT_NONE; id++) {
      const hd_gcn_encoding *layout = hd_gcn_layout_of(gen, (hd_gcn_layout_id)*id);
      if (!((word ^ layout->value) & layout->mask))
         break;
   }
   return (hd_gcn_layout_id)*id;
}

static hd_gcn_form
form_of(hd_gcn_layout_id id, const hd_gcn_op_info *info)
{
   switch (id) {
   case HD_GCN_LAYOUT_VOP1_SDWA:
   case HD_GCN_LAYOUT_VOP2_SDWA:
   case HD_GCN_LAYOUT_VOPC_SDWA:
      return HD_GCN_FORM_SDWA;
   case HD_GCN_LAYOUT_VOP1_DPP:
   case HD_GCN_LAYOUT_VOP2_DPP:
      return HD_GCN_FORM_DPP;
   case HD_GCN_LAYOUT_VOP3:
      return info->format == HD_GCN_VOP3 ? HD_GCN_FORM_BASE : HD_GCN_FORM_VOP3;
   default:
      return HD_GCN_FORM_BASE;
   }
}

unsigned
hd_gcn_decode(hd_gcn_gen gen, const uint32_t *words, unsigned num_words, hd_gcn_decoded *out)
{
   memset(out, 0, sizeof(*out));
   out->inst.operands = out->operands;
   if (!num_words)
      return 0;

   hd_gcn_layout_id id = layout_of(gen, words[0]);
   const hd_gcn_encoding *layout = hd_gcn_layout_of(gen, id);
   const uint16_t *ops = hd_gcn_ops_of_layout(gen, id);
   if (id == HD_GCN_LAYOUT_NONE || !ops || num_words < layout->words)
      return 0;

   uint64_t bits = words[0] | (layout->words > 1 ? (uint64_t)words[1] << 32 : 0);
   reader r = { .gen = gen, .inst = &out->inst };
   (void)unpack(&r, layout, bits);
   unsigned op = ops[take(&r, HD_GCN_FIELD_OP)];
   if (op == HD_GCN_OP_NONE)
      return 0;
   r.info = &hd_gcn_op_infos[op];
   out->inst.op = (uint16_t)op;
   out->inst.form = (uint8_t)form_of(id, r.info);

   /* A second result takes the place of abs. */
   hd_gcn_layout_id exact = hd_gcn_layout_of_op(gen, (hd_gcn_op)op, (hd_gcn_form)out->inst.form);
   if (exact == HD_GCN_LAYOUT_NONE)
      return 0;
   layout = hd_gcn_layout_of(gen, exact);
   if (!unpack(&r, layout, bits))
      return 0;
   (void)take(&r, HD_GCN_FIELD_OP);

   read_bits(&r);
   out->inst.imm = read_imm(&r);
   read_operands(&r);
   if (r.misplaced)
      return 0;
   for (unsigned n = 0; n < layout->num_fields; n++) {
      unsigned field = layout->fields[n].field;
      if (r.left >> field & 1 && r.value[field])
         return 0;
   }

   unsigned num = layout->words;
   if (r.needs_literal) {
      if (num >= num_words)
         return 0;
      for (unsigned n = 0; n < out->inst.num_defs + out->inst.num_srcs; n++) {
         if (out->inst.operands[n].reg == HD_GCN_LITERAL)
            out->inst.operands[n].value = words[num];
      }
      num++;
   }
   return hd_gcn_check(gen, &out->inst, NULL) ? num : 0;
}
