/* SPDX-License-Identifier: MIT */
/* print.c - the instruction printer, in the syntax of LLVM's assembler.
 *
 * What that syntax cannot express is printed so that our parser reads it: an SSA value without
 * a register is `%12:v2` (two vector registers) or `%12:s1`, and the pseudo ops of program.h have
 * their names. With `values` on, an SSA value that has a register is `%12:s2@s[4:5]`.
 */
#include "backend/gcn/isa/print.h"

#include "backend/gcn/isa/names.h"
#include "backend/gcn/isa/wait_fields.h"

#include <string.h>

static void
print_range(hd_blob *out, const char *prefix, unsigned first, unsigned size)
{
   if (size == 1)
      hd_blob_printf(out, "%s%u", prefix, first);
   else
      hd_blob_printf(out, "%s[%u:%u]", prefix, first, first + size - 1);
}

void
hd_gcn_register_print(hd_gcn_gen gen, unsigned reg, unsigned size, hd_blob *out)
{
   unsigned num_sgprs = gen == HD_GCN_GFX600 ? 104 : 102;
   unsigned first_ttmp = gen >= HD_GCN_GFX900 ? 108 : HD_GCN_TTMP0;

   if (reg >= HD_GCN_VGPR0) {
      print_range(out, "v", reg - HD_GCN_VGPR0, size);
      return;
   }
   if (reg < num_sgprs) {
      print_range(out, "s", reg, size);
      return;
   }
   if (reg >= first_ttmp && reg < HD_GCN_M0) {
      print_range(out, "ttmp", reg - first_ttmp, size);
      return;
   }
   for (const hd_gcn_register_name *n = hd_gcn_register_names; n->name; n++) {
      if (n->reg == reg && n->size == size && n->gens >> gen & 1) {
         hd_blob_printf(out, "%s", n->name);
         return;
      }
   }
   hd_blob_printf(out, "?%u", reg);
}

static void
print_value(const hd_gcn_printer *p, const hd_mach_operand *o)
{
   const hd_mach_temp *temp =
       p->program && o->value < p->program->num_temps ? &p->program->temps[o->value] : NULL;
   bool vector = o->flags & HD_MACH_OPERAND_VECTOR;

   hd_blob_printf(p->out, "%%%u:%s%u", o->value,
                  temp && temp->flags & HD_MACH_TEMP_MASK     ? "m"
                  : temp && temp->flags & HD_MACH_TEMP_LINEAR ? "l"
                  : vector                                    ? "v"
                                                              : "s",
                  o->size);
}

/* The operand without modifiers. */
static void
print_plain(const hd_gcn_printer *p, const hd_mach_operand *o)
{
   if (!o->size) {
      hd_blob_printf(p->out, o->flags & HD_MACH_OPERAND_UNDEF ? "undef" : "off");
   } else if (o->flags & HD_MACH_OPERAND_TEMP && (p->values || o->reg == HD_MACH_NO_REG)) {
      print_value(p, o);
      if (o->reg != HD_MACH_NO_REG) {
         hd_blob_printf(p->out, "@");
         hd_gcn_register_print(p->gen, o->reg, o->size, p->out);
      }
      if (o->flags & HD_MACH_OPERAND_KILL && p->values)
         hd_blob_printf(p->out, "!");
   } else if (o->reg == HD_MACH_NO_REG) {
      hd_blob_printf(p->out, "undef:%s%u", o->flags & HD_MACH_OPERAND_VECTOR ? "v" : "s", o->size);
   } else if (o->reg == HD_GCN_LITERAL) {
      hd_blob_printf(p->out, "0x%x", o->value);
   } else if (o->reg >= HD_GCN_CONST_0 && o->reg <= HD_GCN_CONST_0 + 64) {
      hd_blob_printf(p->out, "%u", o->reg - HD_GCN_CONST_0);
   } else if (o->reg > HD_GCN_CONST_0 + 64 && o->reg <= HD_GCN_CONST_0 + 80) {
      hd_blob_printf(p->out, "-%u", o->reg - HD_GCN_CONST_0 - 64u);
   } else if (o->reg >= HD_GCN_CONST_FLOAT && o->reg < HD_GCN_CONST_FLOAT + 9) {
      unsigned n = o->reg - (unsigned)HD_GCN_CONST_FLOAT;
      hd_blob_printf(p->out, "%s",
                     n == 8 && o->size == 2 ? HD_GCN_INV_2PI_64 : hd_gcn_float_names[n]);
   } else {
      hd_gcn_register_print(p->gen, o->reg, o->size, p->out);
   }
}

static bool
is_number(const hd_mach_operand *o)
{
   return !(o->flags & HD_MACH_OPERAND_TEMP) && o->size && o->reg >= HD_GCN_CONST_0 &&
          o->reg < HD_GCN_VGPR0 && !(o->reg >= HD_GCN_APERTURES && o->reg < HD_GCN_CONST_FLOAT) &&
          !(o->reg >= HD_GCN_VCCZ && o->reg <= HD_GCN_LDS_DIRECT);
}

static void
print_operand(const hd_gcn_printer *p, const hd_mach_inst *inst, const hd_mach_operand *o)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   /* Pairs of halves are negated by lists, after the operands. */
   bool signs = info->format != HD_GCN_VOP3P || info->mach.flags & HD_GCN_MIX;
   bool neg = signs && o->flags & HD_GCN_OPERAND_NEG;
   bool abs = signs && o->flags & HD_GCN_OPERAND_ABS;
   /* "-1" is a number of its own. */
   bool word = neg && !abs && is_number(o);

   hd_blob_printf(p->out, "%s%s%s",
                  word  ? "neg("
                  : neg ? "-"
                        : "",
                  abs ? "|" : "", o->flags & HD_GCN_OPERAND_SEXT ? "sext(" : "");
   print_plain(p, o);
   hd_blob_printf(p->out, "%s%s%s", o->flags & HD_GCN_OPERAND_SEXT ? ")" : "", abs ? "|" : "",
                  word ? ")" : "");
}

void
hd_gcn_operand_print(const hd_gcn_printer *p, const hd_mach_operand *o)
{
   print_plain(p, o);
}

/* Immediates -----------------------------------------------------------------------------------*/

static void
print_waitcnt(const hd_gcn_printer *p, unsigned imm)
{
   const hd_gcn_target *target = hd_gcn_target_of(p->gen);
   uint8_t counts[HD_GCN_NUM_COUNTERS];
   bool all = true;

   hd_gcn_wait_unpack(target, (int32_t)imm, counts);
   if ((unsigned)hd_gcn_wait_pack(target, counts) != imm) {
      hd_blob_printf(p->out, " 0x%x", imm);
      return;
   }
   for (unsigned c = 0; c < HD_GCN_NUM_COUNTERS; c++)
      all &= counts[c] == hd_gcn_no_wait(target, (hd_gcn_counter)c);
   for (unsigned n = 0; n < HD_GCN_NUM_COUNTERS; n++) {
      const hd_gcn_counter c = (hd_gcn_counter)hd_gcn_counters_in_text[n];
      if (all || counts[c] != hd_gcn_no_wait(target, c))
         hd_blob_printf(p->out, " %s(%u)", hd_gcn_counter_names[c], counts[c]);
   }
}

static void
print_hwreg(const hd_gcn_printer *p, unsigned imm)
{
   unsigned id = imm & 63, offset = imm >> 6 & 31, width = (imm >> 11 & 31) + 1;
   const char *name = hd_gcn_hwreg_name(p->gen, id);

   hd_blob_printf(p->out, "hwreg(");
   if (name)
      hd_blob_printf(p->out, "%s", name);
   else
      hd_blob_printf(p->out, "%u", id);
   if (offset || width != 32)
      hd_blob_printf(p->out, ", %u, %u", offset, width);
   hd_blob_printf(p->out, ")");
}

static void
print_sendmsg(const hd_gcn_printer *p, unsigned imm)
{
   unsigned id = imm & 15, op = imm >> 4 & 7, stream = imm >> 8 & 3;
   const char *name = hd_gcn_message_name(p->gen, id);
   bool gs = id == HD_GCN_MSG_GS || id == HD_GCN_MSG_GS_DONE;
   bool has_op = gs || id == HD_GCN_MSG_SYSMSG;
   const char *op_name = hd_gcn_message_op_name(p->gen, id, op);

   if (imm & ~0x37fu) {
      hd_blob_printf(p->out, " %u", imm);
   } else if (name && has_op && op_name && (!stream || (gs && op))) {
      hd_blob_printf(p->out, " sendmsg(%s, %s", name, op_name);
      if (gs && op)
         hd_blob_printf(p->out, ", %u", stream);
      hd_blob_printf(p->out, ")");
   } else if (name && !has_op && !op && !stream) {
      hd_blob_printf(p->out, " sendmsg(%s)", name);
   } else {
      hd_blob_printf(p->out, " sendmsg(%u, %u, %u)", id, op, stream);
   }
}

static void
print_gpr_idx(const hd_gcn_printer *p, unsigned imm)
{
   static const char *const names[] = { "SRC0", "SRC1", "SRC2", "DST" };
   bool first = true;

   if (imm > 15) {
      hd_blob_printf(p->out, "0x%x", imm);
      return;
   }
   hd_blob_printf(p->out, "gpr_idx(");
   for (unsigned n = 0; n < 4; n++) {
      if (imm >> n & 1) {
         hd_blob_printf(p->out, "%s%s", first ? "" : ",", names[n]);
         first = false;
      }
   }
   hd_blob_printf(p->out, ")");
}

/* Immediates that stand among the operands; the others are modifiers, after them. `separator` is what
 * stands between them and what went before.
 */
static void
print_imm(const hd_gcn_printer *p, const hd_mach_inst *inst, const char *separator)
{
   unsigned imm = (unsigned)inst->imm & 0xffff;

   switch ((hd_gcn_imm_kind)hd_gcn_op_info_of(inst)->imm) {
   case HD_GCN_IMM_ATTRIBUTE: {
      static const char *const vertices[] = { "p10", "p20", "p0", "?" };
      if (inst->op == HD_GCN_V_INTERP_MOV_F32)
         hd_blob_printf(p->out, "%s%s", separator, vertices[imm >> 8 & 3]);
      hd_blob_printf(p->out, ", attr%u.%c", imm >> 2 & 63, "xyzw"[imm & 3]);
      break;
   }
   case HD_GCN_IMM_HEX:
      hd_blob_printf(p->out, "%s0x%x", separator, imm);
      break;
   case HD_GCN_IMM_DECIMAL:
      hd_blob_printf(p->out, imm <= 64 ? "%s%u" : "%s0x%x", separator, imm);
      break;
   case HD_GCN_IMM_OPTIONAL:
      if (imm)
         hd_blob_printf(p->out, "%s%u", separator, imm);
      break;
   case HD_GCN_IMM_TARGET:
      if (p->label)
         hd_blob_printf(p->out, "%s%s", separator, p->label);
      else if (inst->target)
         hd_blob_printf(p->out, "%sb%u", separator, inst->target->index);
      else
         hd_blob_printf(p->out, "%s%d", separator, inst->imm);
      break;
   case HD_GCN_IMM_WAITCNT:
      print_waitcnt(p, imm);
      break;
   case HD_GCN_IMM_HWREG:
      hd_blob_printf(p->out, "%s", separator);
      print_hwreg(p, imm);
      break;
   case HD_GCN_IMM_SENDMSG:
      print_sendmsg(p, imm);
      break;
   case HD_GCN_IMM_GPR_IDX:
      hd_blob_printf(p->out, "%s", separator);
      print_gpr_idx(p, imm);
      break;
   default:
      break;
   }
}

/* Modifiers ------------------------------------------------------------------------------------*/

static void
print_list(const hd_gcn_printer *p, const char *name, unsigned bits, unsigned num,
           unsigned by_default)
{
   if (bits == by_default)
      return;
   hd_blob_printf(p->out, " %s:[", name);
   for (unsigned n = 0; n < num; n++)
      hd_blob_printf(p->out, "%s%u", n ? "," : "", bits >> n & 1);
   hd_blob_printf(p->out, "]");
}

/* Sources that fields src0 to src2 hold. */
static unsigned
num_sources(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   unsigned num = 0;

   for (unsigned n = 0; n < info->mach.num_srcs; n++) {
      unsigned field = info->mach.operands[info->mach.num_defs + n].field;
      num += field >= HD_GCN_FIELD_SRC0 && field <= HD_GCN_FIELD_SRC2;
   }
   return num;
}

static void
print_packed(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   unsigned num = num_sources(inst), neg = 0, neg_hi = 0;

   /* All high halves from high halves; a mix reads whole registers unless asked otherwise. */
   print_list(p, "op_sel", inst->mods.bytes[HD_GCN_MOD_OP_SEL], num, 0);
   print_list(p, "op_sel_hi", inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI], num,
              info->mach.flags & HD_GCN_MIX ? 0 : (1u << num) - 1);
   if (info->mach.flags & HD_GCN_MIX)
      return;
   for (unsigned n = 0; n < num; n++) {
      neg |= hd_mach_src(inst, n)->flags & HD_GCN_OPERAND_NEG ? 1u << n : 0;
      neg_hi |= hd_mach_src(inst, n)->flags & HD_GCN_OPERAND_ABS ? 1u << n : 0;
   }
   print_list(p, "neg_lo", neg, num, 0);
   print_list(p, "neg_hi", neg_hi, num, 0);
}

static void
print_dpp(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   unsigned ctrl = inst->mods.halves[HD_GCN_MOD_DPP_CTRL];

   if (ctrl < 0x100)
      hd_blob_printf(p->out, " quad_perm:[%u,%u,%u,%u]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3,
                     ctrl >> 6);
   for (const hd_gcn_dpp_name *n = hd_gcn_dpp_names; n->name; n++) {
      unsigned number = n->first + ctrl - n->ctrl;
      if (ctrl < n->ctrl || number > n->last)
         continue;
      hd_blob_printf(p->out, " %s", n->name);
      if (n->first)
         hd_blob_printf(p->out, ":%u", number);
   }
   hd_blob_printf(p->out, " row_mask:0x%x bank_mask:0x%x", inst->mods.bytes[HD_GCN_MOD_ROW_MASK],
                  inst->mods.bytes[HD_GCN_MOD_BANK_MASK]);
   if (inst->bits & HD_GCN_BOUND_CTRL)
      hd_blob_printf(p->out, " bound_ctrl:1");
}

static void
print_sdwa(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   unsigned num = num_sources(inst);

   if (hd_gcn_op_info_of(inst)->format != HD_GCN_VOPC)
      hd_blob_printf(p->out, " dst_sel:%s dst_unused:%s",
                     hd_gcn_sel_names[inst->mods.bytes[HD_GCN_MOD_DST_SEL]],
                     hd_gcn_unused_names[inst->mods.bytes[HD_GCN_MOD_DST_UNUSED]]);
   for (unsigned n = 0; n < num && n < 2; n++)
      hd_blob_printf(p->out, " src%u_sel:%s", n,
                     hd_gcn_sel_names[inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n]]);
}

/* The sources' halves, and after them the result's. */
static void
print_vop3_op_sel(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   unsigned num = num_sources(inst),
            sources = inst->mods.bytes[HD_GCN_MOD_OP_SEL] & ((1u << num) - 1);

   print_list(p, "op_sel", sources | (inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> 3 & 1u) << num,
              num + 1, 0);
}

static void
print_valu_modifiers(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   static const char *const omods[] = { "", " mul:2", " mul:4", " div:2" };
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (info->format == HD_GCN_VOP3P)
      print_packed(p, inst);
   else
      print_vop3_op_sel(p, inst);
   if (inst->bits & HD_GCN_CLAMP)
      hd_blob_printf(p->out, " clamp");
   hd_blob_printf(p->out, "%s", omods[(inst->bits & HD_GCN_OMOD_MASK) >> HD_GCN_OMOD_SHIFT]);
   if (inst->form == HD_GCN_FORM_SDWA)
      print_sdwa(p, inst);
   if (inst->form == HD_GCN_FORM_DPP)
      print_dpp(p, inst);
}

static void
print_ds_offset(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   unsigned imm = (unsigned)inst->imm;

   if (hd_gcn_op_info_of(inst)->mach.flags & HD_GCN_TWO_OFFSETS) {
      if (imm & 0xff)
         hd_blob_printf(p->out, " offset0:%u", imm & 0xff);
      if (imm >> 8)
         hd_blob_printf(p->out, " offset1:%u", imm >> 8);
   } else if (imm) {
      if (hd_gcn_op_info_of(inst)->imm == HD_GCN_IMM_SWIZZLE)
         hd_gcn_swizzle_print(imm, p->out);
      else
         hd_blob_printf(p->out, " offset:%u", imm);
   }
}

/* The formats of MTBUF, but for that of bytes that are fractions. */
static void
print_formats(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const unsigned data = inst->mods.bytes[HD_GCN_MOD_FORMAT] & 15,
                  number = inst->mods.bytes[HD_GCN_MOD_FORMAT] >> 4;

   if (data == 1 && !number)
      return;
   hd_blob_printf(p->out, " format:[");
   if (data != 1)
      hd_blob_printf(p->out, "BUF_DATA_FORMAT_%s", hd_gcn_data_format_names[data]);
   if (number)
      hd_blob_printf(p->out, "%sBUF_NUM_FORMAT_%s", data != 1 ? "," : "",
                     hd_gcn_number_format_name(p->gen, number));
   hd_blob_printf(p->out, "]");
}

static void
print_flags(const hd_gcn_printer *p, const hd_mach_inst *inst, bool before_offset)
{
   const bool image = hd_gcn_op_info_of(inst)->format == HD_GCN_MIMG;

   for (const hd_gcn_flag_word *f = hd_gcn_flag_words; f->name; f++) {
      if (inst->bits & f->bit && f->gens >> p->gen & 1 && (image ? f->image : f->other) &&
          f->before_offset == before_offset)
         hd_blob_printf(p->out, " %s", f->name);
   }
}

static void
print_memory_modifiers(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (info->format == HD_GCN_MIMG && inst->imm)
      hd_blob_printf(p->out, " dmask:0x%x", (unsigned)inst->imm);
   if (info->format == HD_GCN_MTBUF)
      print_formats(p, inst);
   print_flags(p, inst, true);
   if (info->imm == HD_GCN_IMM_DS || info->imm == HD_GCN_IMM_SWIZZLE)
      print_ds_offset(p, inst);
   else if ((hd_gcn_is_buffer(info) || info->imm == HD_GCN_IMM_FLAT) && inst->imm)
      hd_blob_printf(p->out, " offset:%d", inst->imm);
   print_flags(p, inst, false);
}

/* The instruction ------------------------------------------------------------------------------*/

static void
print_name(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const char *name = hd_gcn_op_name(info, p->gen);
   const char *suffix = "";

   /* One that this generation does not have: what another calls it. */
   for (unsigned gen = HD_GCN_NUM_GENS; !name && gen-- > 0;)
      name = hd_gcn_op_name(info, gen);
   if (info->format == HD_GCN_VINTRP)
      suffix = p->gen >= HD_GCN_GFX803 ? "_e32" : "";
   if (hd_gcn_has_forms(info)) {
      bool both = info->opcode[p->gen] >= 0 && info->vop3_opcode[p->gen] >= 0;
      /* Compares of gfx8 are recognised by their selections. */
      bool plain = info->format == HD_GCN_VOPC && p->gen == HD_GCN_GFX803;
      suffix = inst->form == HD_GCN_FORM_SDWA   ? plain ? "" : "_sdwa"
               : inst->form == HD_GCN_FORM_DPP  ? "_dpp"
               : !both                          ? ""
               : inst->form == HD_GCN_FORM_VOP3 ? "_e64"
                                                : "_e32";
   }
   hd_blob_printf(p->out, "%s%s", name ? name : "?", suffix);
}

/* An SMEM offset that stands among the operands: a number, a register, or both. */
static void
print_smem_offset(const hd_gcn_printer *p, const hd_mach_inst *inst, const hd_mach_operand *o)
{
   if (o->size) {
      print_operand(p, inst, o);
      if (inst->bits & HD_GCN_SOFFSET_IMM)
         hd_blob_printf(p->out, inst->imm < 0 ? " offset:-0x%x" : " offset:0x%x",
                        inst->imm < 0 ? -inst->imm : inst->imm);
   } else {
      hd_blob_printf(p->out, inst->imm < 0 ? "-0x%x" : "0x%x",
                     inst->imm < 0 ? -inst->imm : inst->imm);
   }
}

static void
print_pseudo(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const char *separator = " ";

   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      if (n == inst->num_defs)
         separator = n ? " = " : " ";
      hd_blob_printf(p->out, "%s", separator);
      print_operand(p, inst, &inst->operands[n]);
      separator = ", ";
   }
   if (inst->num_defs && !inst->num_srcs)
      hd_blob_printf(p->out, " =");
   if (inst->imm)
      hd_blob_printf(p->out, " imm:%d", inst->imm);
}

/* "mrt0 v1, v2, off, off done vm"; of pairs each stands for both of its halves. */
static void
print_export(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const bool pairs = inst->imm & HD_GCN_EXPORT_COMPR;
   int number;
   const char *name =
       hd_gcn_export_target_name((unsigned)inst->imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63, &number);

   hd_blob_printf(p->out, " %s", name ? name : "?");
   if (number >= 0)
      hd_blob_printf(p->out, "%d", number);
   for (unsigned n = 0; n < 4; n++) {
      hd_blob_printf(p->out, "%s", n ? ", " : " ");
      print_plain(p, hd_mach_src(inst, pairs ? n / 2 : n));
   }
   hd_blob_printf(p->out, "%s%s%s", inst->imm & HD_GCN_EXPORT_DONE ? " done" : "",
                  pairs ? " compr" : "", inst->imm & HD_GCN_EXPORT_VM ? " vm" : "");
}

/* SSA values in operands that the text does not name: " operand3:%7:s1@scc". */
static void
print_implicit_values(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand *o = &inst->operands[n];
      unsigned row = n < inst->num_defs ? n : info->mach.num_defs + n - inst->num_defs;
      bool beyond = row >= (unsigned)(info->mach.num_defs + info->mach.num_srcs);
      if ((!beyond && !(info->mach.operands[row].kinds & HD_GCN_TAKES_IMPLICIT)) ||
          !(o->flags & (HD_MACH_OPERAND_TEMP | HD_MACH_OPERAND_UNDEF)))
         continue;
      hd_blob_printf(p->out, " operand%u:", n);
      print_plain(p, o);
   }
}

void
hd_gcn_print(const hd_gcn_printer *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const char *separator = " ";

   print_name(p, inst);
   if (info->format == HD_GCN_PSEUDO) {
      print_pseudo(p, inst);
      return;
   }
   if (info->format == HD_GCN_EXPORT) {
      print_export(p, inst);
      return;
   }
   /* s_setreg names the hardware register first, as what is written. */
   bool imm_first = info->imm == HD_GCN_IMM_HWREG && !inst->num_defs;
   if (imm_first) {
      print_imm(p, inst, " ");
      separator = ", ";
   }
   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand *o = &inst->operands[n];
      unsigned row = n < inst->num_defs ? n : info->mach.num_defs + n - inst->num_defs;
      if (row >= (unsigned)(info->mach.num_defs + info->mach.num_srcs) ||
          info->mach.operands[row].kinds & HD_GCN_TAKES_IMPLICIT)
         continue;
      hd_blob_printf(p->out, "%s", separator);
      separator = ", ";
      if (info->imm == HD_GCN_IMM_SMEM && info->mach.operands[row].field == HD_GCN_FIELD_SOFFSET)
         print_smem_offset(p, inst, o);
      else
         print_operand(p, inst, o);
   }
   if (!imm_first)
      print_imm(p, inst, separator);
   if (hd_gcn_is_valu(info))
      print_valu_modifiers(p, inst);
   else
      print_memory_modifiers(p, inst);
   if (p->values)
      print_implicit_values(p, inst);
}

void
hd_gcn_inst_print(hd_gcn_gen gen, const hd_mach_inst *inst, hd_blob *out)
{
   hd_gcn_print(&(hd_gcn_printer){ .gen = gen, .out = out }, inst);
}
