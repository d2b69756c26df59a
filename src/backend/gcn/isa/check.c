/* SPDX-License-Identifier: MIT */
/* check.c - is an instruction legal on a generation? Encodings, operands, constant bus limit, modifiers,
 * offsets.
 *
 * Before register allocation a value counts as a register of its file (HD_MACH_OPERAND_VECTOR).
 */
#include "backend/gcn/isa/encoding.h"

static bool
no(const char **why, const char *reason)
{
   if (why)
      *why = reason;
   return false;
}

static bool
has_field(const hd_gcn_op_info *info, hd_gcn_field field)
{
   for (unsigned n = 0; n < info->mach.num_defs + info->mach.num_srcs; n++) {
      if (info->mach.operands[n].field == field)
         return true;
   }
   return false;
}

hd_gcn_layout_id
hd_gcn_layout_of_op(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form)
{
   static const uint8_t layouts[HD_GCN_NUM_FORMATS] = {
      [HD_GCN_PSEUDO] = HD_GCN_LAYOUT_NONE,     [HD_GCN_SOP1] = HD_GCN_LAYOUT_SOP1,
      [HD_GCN_SOP2] = HD_GCN_LAYOUT_SOP2,       [HD_GCN_SOPK] = HD_GCN_LAYOUT_SOPK,
      [HD_GCN_SOPC] = HD_GCN_LAYOUT_SOPC,       [HD_GCN_SOPP] = HD_GCN_LAYOUT_SOPP,
      [HD_GCN_SMEM] = HD_GCN_LAYOUT_SMEM,       [HD_GCN_VOP1] = HD_GCN_LAYOUT_VOP1,
      [HD_GCN_VOP2] = HD_GCN_LAYOUT_VOP2,       [HD_GCN_VOPC] = HD_GCN_LAYOUT_VOPC,
      [HD_GCN_VOP3] = HD_GCN_LAYOUT_VOP3,       [HD_GCN_VOP3P] = HD_GCN_LAYOUT_VOP3P,
      [HD_GCN_DS] = HD_GCN_LAYOUT_DS,           [HD_GCN_MUBUF] = HD_GCN_LAYOUT_MUBUF,
      [HD_GCN_FLAT] = HD_GCN_LAYOUT_FLAT,       [HD_GCN_GLOBAL] = HD_GCN_LAYOUT_GLOBAL,
      [HD_GCN_SCRATCH] = HD_GCN_LAYOUT_SCRATCH, [HD_GCN_MTBUF] = HD_GCN_LAYOUT_MTBUF,
      [HD_GCN_MIMG] = HD_GCN_LAYOUT_MIMG,       [HD_GCN_VINTRP] = HD_GCN_LAYOUT_VINTRP,
      [HD_GCN_EXPORT] = HD_GCN_LAYOUT_EXPORT,
   };
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_gcn_layout_id vop3 =
       has_field(info, HD_GCN_FIELD_VSDST) ? HD_GCN_LAYOUT_VOP3B : HD_GCN_LAYOUT_VOP3;

   if (form == HD_GCN_FORM_VOP3)
      return info->vop3_opcode[gen] >= 0 && info->format != HD_GCN_VOP3 ? vop3 : HD_GCN_LAYOUT_NONE;
   if (info->format == HD_GCN_PSEUDO || info->opcode[gen] < 0)
      return HD_GCN_LAYOUT_NONE;
   if (form == HD_GCN_FORM_BASE)
      return info->format == HD_GCN_VOP3 ? vop3 : (hd_gcn_layout_id)layouts[info->format];
   if (gen < HD_GCN_GFX803)
      return HD_GCN_LAYOUT_NONE;
   if (form == HD_GCN_FORM_DPP) {
      if (!(info->mach.flags & HD_GCN_HAS_DPP))
         return HD_GCN_LAYOUT_NONE;
      return info->format == HD_GCN_VOP1 ? HD_GCN_LAYOUT_VOP1_DPP : HD_GCN_LAYOUT_VOP2_DPP;
   }
   if (!(info->mach.flags & HD_GCN_HAS_SDWA) ||
       (info->mach.flags & HD_GCN_SDWA_GFX8 && gen != HD_GCN_GFX803))
      return HD_GCN_LAYOUT_NONE;
   return info->format == HD_GCN_VOP1   ? HD_GCN_LAYOUT_VOP1_SDWA
          : info->format == HD_GCN_VOP2 ? HD_GCN_LAYOUT_VOP2_SDWA
                                        : HD_GCN_LAYOUT_VOPC_SDWA;
}

unsigned
hd_gcn_kinds(hd_gcn_gen gen, const hd_gcn_op_info *info, const hd_mach_operand_info *operand,
             hd_gcn_form form)
{
   unsigned kinds = operand->kinds;
   bool source = operand->field == HD_GCN_FIELD_SRC0 || operand->field == HD_GCN_FIELD_SRC1;

   if (form == HD_GCN_FORM_BASE)
      return kinds;
   if (kinds & HD_GCN_TAKES_ONE) {
      bool free = form == HD_GCN_FORM_VOP3 ||
                  (form == HD_GCN_FORM_SDWA && info->format == HD_GCN_VOPC && gen >= HD_GCN_GFX900);
      return free && !(kinds & HD_GCN_TAKES_IMPLICIT) ? HD_GCN_TAKES_SGPR : kinds;
   }
   if (!source)
      return kinds;
   if (form == HD_GCN_FORM_DPP)
      return HD_GCN_TAKES_VGPR;
   if (form == HD_GCN_FORM_SDWA)
      return HD_GCN_TAKES_VGPR |
             (gen >= HD_GCN_GFX900 ? (unsigned)HD_GCN_TAKES_SGPR | HD_GCN_TAKES_INLINE : 0u);
   /* Before it has arithmetic of 16 bits, no constants of 16 bits. */
   if (gen == HD_GCN_GFX600 && operand->type == HD_GCN_F16)
      return HD_GCN_TAKES_SGPR | HD_GCN_TAKES_VGPR;
   /* The second source has room for scalars in the long form. */
   if (operand->field == HD_GCN_FIELD_SRC1 && kinds == HD_GCN_TAKES_VGPR)
      return HD_GCN_TAKES_SGPR | HD_GCN_TAKES_VGPR | HD_GCN_TAKES_INLINE;
   return kinds & ~(unsigned)HD_GCN_TAKES_LITERAL;
}

bool
hd_gcn_keeps_old(hd_gcn_gen gen, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (!inst->num_defs || info->mach.operands[0].kinds != HD_GCN_TAKES_VGPR)
      return false;
   for (unsigned n = 0; n < info->mach.num_srcs; n++) {
      if (info->mach.operands[info->mach.num_defs + n].tied == 0)
         return false;
   }
   if (inst->form == HD_GCN_FORM_SDWA)
      return inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] == HD_GCN_PRESERVE &&
             inst->mods.bytes[HD_GCN_MOD_DST_SEL] != HD_GCN_SEL_DWORD;
   if (inst->form == HD_GCN_FORM_DPP)
      return !(inst->bits & HD_GCN_BOUND_CTRL) || inst->mods.bytes[HD_GCN_MOD_ROW_MASK] != 0xf ||
             inst->mods.bytes[HD_GCN_MOD_BANK_MASK] != 0xf;
   return gen >= HD_GCN_GFX900 && info->format == HD_GCN_VOP3 && info->mach.flags & HD_GCN_OP_SEL &&
          (info->mach.operands[0].type == HD_GCN_F16 || info->mach.operands[0].type == HD_GCN_I16 ||
           info->mach.operands[0].type == HD_GCN_U16);
}

/* Registers -----------------------------------------------------------------------------------*/

static bool
is_temp(hd_mach_operand o)
{
   return o.flags & HD_MACH_OPERAND_TEMP && o.reg == HD_MACH_NO_REG;
}

static bool
is_vector(hd_mach_operand o)
{
   return is_temp(o) ? (o.flags & HD_MACH_OPERAND_VECTOR) != 0 : o.reg >= HD_GCN_VGPR0;
}

static bool
is_const(hd_gcn_gen gen, hd_mach_operand o)
{
   return !is_temp(o) && (o.reg == HD_GCN_LITERAL || hd_gcn_is_inline(gen, o.reg));
}

/* Dwords that the operand must have, if it is there. */
static unsigned
size_wanted(hd_gcn_gen gen, const hd_mach_inst *inst, const hd_mach_operand_info *row, unsigned n)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   unsigned both = HD_GCN_OFFEN | HD_GCN_IDXEN;

   if (hd_gcn_is_buffer(info) && row->field == HD_GCN_FIELD_VADDR)
      return inst->bits & HD_GCN_ADDR64 || (inst->bits & both) == both ? 2
             : inst->bits & both                                       ? 1
                                                                       : 0;
   if (info->format == HD_GCN_MUBUF && row->field == HD_GCN_FIELD_VDATA && n < inst->num_defs)
      return row->size + (inst->bits & HD_GCN_TFE ? 1u : 0u);
   if (info->format == HD_GCN_MIMG && row->field == HD_GCN_FIELD_VDATA)
      return hd_gcn_image_data_size(gen, inst);
   if (info->format == HD_GCN_MIMG && row->field == HD_GCN_FIELD_VADDR) {
      unsigned least = hd_gcn_image_least_address(info), size = inst->operands[n].size;
      return size < least ? least : size > row->size ? row->size : size;
   }
   if (info->format == HD_GCN_EXPORT)
      return hd_gcn_export_operands(inst->imm) >> n & 1;
   if (info->format == HD_GCN_GLOBAL && row->field == HD_GCN_FIELD_VADDR) {
      for (unsigned i = inst->num_defs; i < inst->num_defs + inst->num_srcs; i++) {
         const hd_mach_operand_info *other = hd_gcn_row_operand(inst, i);
         if (other && other->field == HD_GCN_FIELD_SADDR)
            return inst->operands[i].size ? 1 : 2;
      }
   }
   return row->size;
}

static bool
check_register(hd_gcn_gen gen, hd_mach_operand o, bool named, const char **why)
{
   if (o.flags & HD_MACH_OPERAND_TEMP && o.reg == HD_MACH_NO_REG)
      return true;
   if (o.reg >= HD_GCN_VGPR0)
      return o.reg + o.size <= HD_MACH_MAX_REGS || no(why, "registers beyond v255");
   if (!hd_gcn_scalar_exists(gen, o.reg, o.size))
      return no(why, "invalid or misaligned scalar registers");
   return !named || o.reg < HD_GCN_CONST_0 || no(why, "a value without a register");
}

/* Whether the field of a scalar operand holds all that can be read, and not only registers. */
static bool
holds_all(const hd_gcn_op_info *info, const hd_mach_operand_info *row, unsigned kinds)
{
   /* Registers alone, as the operand of a jump. */
   if (kinds == HD_GCN_TAKES_SGPR)
      return false;
   switch (row->field) {
   case HD_GCN_FIELD_SDST:
   case HD_GCN_FIELD_SDATA:
   case HD_GCN_FIELD_SBASE:
   case HD_GCN_FIELD_SRSRC:
   case HD_GCN_FIELD_SSAMP:
   case HD_GCN_FIELD_SADDR:
      return false;
   case HD_GCN_FIELD_SOFFSET:
      return info->format != HD_GCN_SMEM;
   default:
      return true;
   }
}

static bool
check_operand(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, unsigned n,
              const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
   hd_mach_operand o = inst->operands[n];

   if (!row) /* the old value, or m0 */
      return (o.reg == HD_GCN_M0 && inst->bits & HD_GCN_LDS) ||
             (inst->num_defs && (is_temp(o) || o.reg == inst->operands[0].reg)) ||
             no(why, "too many operands");
   unsigned kinds = hd_gcn_kinds(gen, info, row, form);
   if (kinds & HD_GCN_TAKES_BEFORE_GFX9 && gen >= HD_GCN_GFX900 && !(inst->bits & HD_GCN_GDS))
      return !o.size || no(why, "gfx9 does not read m0 here");
   if (kinds & HD_GCN_TAKES_ONE)
      return o.reg == row->fixed || no(why, "an operand that must be a fixed register");
   unsigned wanted = size_wanted(gen, inst, row, n);
   if (!o.size) {
      bool must_say = (row->field == HD_GCN_FIELD_VADDR && hd_gcn_is_buffer(info)) ||
                      info->format == HD_GCN_EXPORT;
      bool absent = must_say ? !wanted : true;
      return (kinds & HD_GCN_TAKES_NOTHING && absent) || no(why, "an operand is missing");
   }
   if (o.size != wanted)
      return no(why, "an operand has the wrong size");
   if (row->tied >= 0 && row->tied < (int)inst->num_defs && !is_temp(o) &&
       !is_temp(inst->operands[row->tied]) && o.reg != inst->operands[row->tied].reg)
      return no(why, "a source must be in the register of the result");
   if (is_const(gen, o)) {
      bool half = row->type == HD_GCN_B16 || row->type == HD_GCN_I16 || row->type == HD_GCN_U16;
      if (form == HD_GCN_FORM_SDWA && half && o.reg == HD_GCN_CONST_FLOAT + 8)
         return no(why, "a constant that the operand does not take");
      unsigned need = o.reg == HD_GCN_LITERAL ? HD_GCN_TAKES_LITERAL : HD_GCN_TAKES_INLINE;
      return (kinds & need) != 0 || no(why, "a constant that the operand does not take");
   }
   if (is_vector(o) ? !(kinds & HD_GCN_TAKES_VGPR) : !(kinds & HD_GCN_TAKES_SGPR))
      return no(why, is_vector(o) ? "a vector register where a scalar one must be"
                                  : "a scalar register where a vector one must be");
   if (row->field == HD_GCN_FIELD_SADDR && o.reg / 2 == HD_GCN_EXEC / 2)
      return no(why, "exec is no address");
   if (n < inst->num_defs && o.reg == HD_GCN_M0 && hd_gcn_is_valu(info))
      return no(why, "vector instructions do not write m0");
   if (row->field == HD_GCN_FIELD_SDATA && (o.reg == HD_GCN_M0 || o.reg / 2 == HD_GCN_EXEC / 2))
      return no(why, "scalar memory does not reach m0 and exec");
   return check_register(gen, o, n < inst->num_defs || !holds_all(info, row, kinds), why);
}

static bool
same_scalar(hd_mach_operand a, hd_mach_operand b)
{
   if (is_temp(a) || is_temp(b))
      return is_temp(a) && is_temp(b) && a.value == b.value;
   return a.reg == b.reg && a.size == b.size;
}

/* Vector instructions read one scalar, register or literal; others may have one literal. */
static bool
check_bus(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_mach_operand *scalar = NULL, *literal = NULL;

   for (unsigned n = inst->num_defs; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand *o = &inst->operands[n];
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      if (!row || !o->size || row->tied >= 0)
         continue;
      bool is_literal = !is_temp(*o) && o->reg == HD_GCN_LITERAL;
      if (is_literal) {
         if (literal && literal->value != o->value)
            return no(why, "two different literals, expected at most one");
         literal = o;
      }
      if (!hd_gcn_is_valu(info) || is_vector(*o) || (is_const(gen, *o) && !is_literal) ||
          row->fixed == HD_GCN_EXEC)
         continue;
      /* The lane that is written may be in m0 besides. */
      if (inst->op == HD_GCN_V_WRITELANE_B32 && o->reg == HD_GCN_M0 &&
          row->field == HD_GCN_FIELD_SRC1)
         continue;
      if (scalar && !same_scalar(*scalar, *o))
         return no(why, "two scalar operands on the constant bus, expected at most one");
      scalar = o;
   }
   return true;
}

/* Modifiers ------------------------------------------------------------------------------------*/

static bool
is_float(unsigned type)
{
   return type == HD_GCN_F16 || type == HD_GCN_F32 || type == HD_GCN_F64 || type == HD_GCN_V2F16;
}

static bool
check_source_modifiers(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   bool long_form = form != HD_GCN_FORM_BASE || info->format >= HD_GCN_VOP3;
   unsigned both = HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS;
   hd_gcn_layout_id layout = hd_gcn_layout_of_op(gen, (hd_gcn_op)inst->op, form);

   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      unsigned flags = inst->operands[n].flags & (both | HD_GCN_OPERAND_SEXT);
      if (!flags)
         continue;
      bool source = row && n >= inst->num_defs &&
                    (row->field == HD_GCN_FIELD_SRC0 || row->field == HD_GCN_FIELD_SRC1 ||
                     row->field == HD_GCN_FIELD_SRC2);
      if (!source || !hd_gcn_is_valu(info) || !long_form)
         return no(why, "a modifier that the encoding has no place for");
      if (flags & both && !(info->mach.flags & HD_GCN_NEG_ABS && is_float(row->type)))
         return no(why, "neg and abs are for sources that are floats");
      if (flags & HD_GCN_OPERAND_ABS && layout == HD_GCN_LAYOUT_VOP3B)
         return no(why, "abs has no place where there is a second result");
      if (flags & HD_GCN_OPERAND_SEXT && (form != HD_GCN_FORM_SDWA || is_float(row->type)))
         return no(why, "sext is for integer sources in SDWA form");
   }
   return true;
}

/* From gfx8 on integers saturate, and all that reads floats or has parts of registers has the bit;
 * but for the compares with a mask of classes and for v_cndmask.
 */
static bool
clamps(hd_gcn_gen gen, const hd_gcn_op_info *info, hd_gcn_form form)
{
   const hd_mach_operand_info *src = &info->mach.operands[info->mach.num_defs];
   bool classes = info->format == HD_GCN_VOPC && src[0].type != src[1].type;

   if (gen < HD_GCN_GFX803 || info->mach.flags & HD_GCN_OMOD_CLAMP)
      return info->mach.flags & HD_GCN_OMOD_CLAMP;
   return form == HD_GCN_FORM_SDWA || info->mach.flags & HD_GCN_CLAMP_ONLY ||
          (info->mach.flags & HD_GCN_NEG_ABS && !classes &&
           info - hd_gcn_op_infos != HD_GCN_V_CNDMASK_B32);
}

static bool
check_result_modifiers(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   hd_gcn_layout_id id = hd_gcn_layout_of_op(gen, (hd_gcn_op)inst->op, form);
   uint64_t has = hd_gcn_layout_of(gen, id)->has;

   if (inst->bits & HD_GCN_CLAMP && !(has >> HD_GCN_FIELD_CLAMP & 1 && clamps(gen, info, form)))
      return no(why, "the instruction has no clamp");
   if (inst->bits & HD_GCN_OMOD_MASK) {
      bool half = info->mach.num_defs && info->mach.operands[0].type == HD_GCN_F16;
      if (!(has >> HD_GCN_FIELD_OMOD & 1 && info->mach.flags & HD_GCN_OMOD_CLAMP) ||
          (half && gen < HD_GCN_GFX900))
         return no(why, "the instruction has no output modifier");
   }
   if (info->format == HD_GCN_VOP3P)
      return (inst->mods.bytes[HD_GCN_MOD_OP_SEL] | inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI]) >>
                     (info->mach.num_srcs < 3 ? info->mach.num_srcs : 3) ==
                 0 ||
             no(why, "op_sel has a bit for each source");
   unsigned halves = info->mach.num_srcs < 3 ? (1u << info->mach.num_srcs) - 1 : 7u;
   if (inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] ||
       (inst->mods.bytes[HD_GCN_MOD_OP_SEL] &&
        !(info->mach.flags & HD_GCN_OP_SEL && has >> HD_GCN_FIELD_OP_SEL & 1)) ||
       inst->mods.bytes[HD_GCN_MOD_OP_SEL] & ~(halves | 8u))
      return no(why, "the instruction has no op_sel");
   return true;
}

static bool
check_sdwa_dpp(const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (form == HD_GCN_FORM_SDWA) {
      bool compare = info->format == HD_GCN_VOPC;
      /* A sum into the result has no parts of it. */
      for (unsigned n = 0; n < info->mach.num_srcs; n++) {
         if (info->mach.operands[info->mach.num_defs + n].tied == 0 &&
             inst->mods.bytes[HD_GCN_MOD_DST_SEL] != HD_GCN_SEL_DWORD)
            return no(why, "a part of a result that is read, too");
      }
      if (inst->mods.bytes[HD_GCN_MOD_SRC_SEL] > HD_GCN_SEL_DWORD ||
          inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] > HD_GCN_SEL_DWORD ||
          inst->mods.bytes[HD_GCN_MOD_DST_SEL] > HD_GCN_SEL_DWORD ||
          inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] > HD_GCN_PRESERVE)
         return no(why, "no such part of a register");
      if (compare ? inst->mods.bytes[HD_GCN_MOD_DST_SEL] || inst->mods.bytes[HD_GCN_MOD_DST_UNUSED]
                  : info->format == HD_GCN_VOP1 && inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1])
         return no(why, "a part of an operand that is not there");
   }
   if (form == HD_GCN_FORM_DPP) {
      unsigned ctrl = inst->mods.halves[HD_GCN_MOD_DPP_CTRL];
      if (ctrl > 0x1ff || inst->mods.bytes[HD_GCN_MOD_ROW_MASK] > 15 ||
          inst->mods.bytes[HD_GCN_MOD_BANK_MASK] > 15)
         return no(why, "no such DPP control");
      bool known = ctrl < 0x100 || (ctrl & 0xf && ctrl < 0x130) || ctrl == 0x130 || ctrl == 0x134 ||
                   ctrl == 0x138 || ctrl == 0x13c || (ctrl >= 0x140 && ctrl <= 0x143);
      if (!known)
         return no(why, "no such DPP control");
   }
   return true;
}

/* Offsets and bits of memory -------------------------------------------------------------------*/

static bool
in_range(int64_t value, int64_t low, int64_t high, const char **why)
{
   return (value >= low && value <= high) || no(why, "an offset or number out of range");
}

static bool
check_dmask(const hd_mach_inst *inst, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned flags = info->mach.flags, mask = (unsigned)inst->imm;

   if (mask > 15)
      return no(why, "no such components");
   if (flags & HD_GCN_GATHER)
      return (mask && !(mask & (mask - 1))) || no(why, "a gather has one component");
   if (flags & HD_MACH_LOADS && flags & HD_MACH_STORES) {
      bool two = inst->op == HD_GCN_IMAGE_ATOMIC_CMPSWAP;
      return mask == (two ? 3u : 1u) || mask == (two ? 15u : 3u) ||
             no(why, "an atomic is of 32 or 64 bits");
   }
   return true;
}

static bool
check_export(int32_t imm, const char **why)
{
   const unsigned channels = (unsigned)imm & HD_GCN_EXPORT_CHANNELS;
   int number;

   if (imm < 0 || imm > 0x1fff ||
       !hd_gcn_export_target_name((unsigned)imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63, &number))
      return no(why, "no such target of an export");
   return !(imm & HD_GCN_EXPORT_COMPR) ||
          (((channels ^ channels >> 1) & 5) == 0 || no(why, "half of a pair"));
}

static bool
check_imm(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   int32_t imm = inst->imm;

   switch ((hd_gcn_imm_kind)info->imm) {
   case HD_GCN_IMM_NONE:
      return in_range(imm, 0, 0, why);
   case HD_GCN_IMM_HEX:
      return in_range(imm, -32768, 65535, why);
   case HD_GCN_IMM_TARGET:
      return in_range(imm, -32768, 32767, why);
   case HD_GCN_IMM_GPR_IDX:
      return in_range(imm, 0, 15, why);
   case HD_GCN_IMM_SMEM:
      if (!(inst->bits & HD_GCN_SOFFSET_IMM))
         return in_range(imm, 0, 0, why);
      if (gen < HD_GCN_GFX900)
         return in_range(imm, 0, gen == HD_GCN_GFX600 ? 0xff : 0xfffff, why);
      /* Buffers have no negative offsets. */
      if (info->mach.operands[info->mach.num_defs].type == HD_GCN_B128 ||
          (info->mach.num_srcs > 1 &&
           info->mach.operands[info->mach.num_defs + 1].type == HD_GCN_B128))
         return in_range(imm, 0, 0xfffff, why);
      return in_range(imm, -(1 << 20), (1 << 20) - 1, why);
   case HD_GCN_IMM_MUBUF:
   case HD_GCN_IMM_MTBUF:
      return in_range(imm, 0, 4095, why);
   case HD_GCN_IMM_FLAT:
      if (info->format == HD_GCN_FLAT)
         return in_range(imm, 0, gen >= HD_GCN_GFX900 ? 4095 : 0, why);
      return in_range(imm, -4096, 4095, why);
   case HD_GCN_IMM_MIMG:
      return check_dmask(inst, why);
   case HD_GCN_IMM_ATTRIBUTE:
      /* The vertex: of the three steps one reads it. */
      return in_range(imm & 255, 0, 4 * HD_GCN_NUM_ATTRIBUTES - 1, why) &&
             in_range(imm >> 8, 0, inst->op == HD_GCN_V_INTERP_MOV_F32 ? 2 : 0, why);
   case HD_GCN_IMM_EXPORT:
      return check_export(imm, why);
   default:
      return in_range(imm, 0, 65535, why);
   }
}

/* Atomics and queries have whole numbers of 32 bits, and what is packed is bits. */
static bool
has_halves(const hd_gcn_op_info *info)
{
   const unsigned op = (unsigned)(info - hd_gcn_op_infos);

   return op == HD_GCN_IMAGE_LOAD || op == HD_GCN_IMAGE_LOAD_MIP || op == HD_GCN_IMAGE_STORE ||
          op == HD_GCN_IMAGE_STORE_MIP ||
          (has_field(info, HD_GCN_FIELD_SSAMP) && op != HD_GCN_IMAGE_GET_LOD);
}

static bool
check_bits(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   unsigned bits = inst->bits, allowed = 0;
   bool memory = info->mach.flags & (HD_MACH_LOADS | HD_MACH_STORES);

   switch (info->format) {
   case HD_GCN_SMEM:
      allowed = info->imm == HD_GCN_IMM_SMEM ? HD_GCN_SOFFSET_IMM : 0u;
      if (memory && gen >= HD_GCN_GFX803)
         allowed |= HD_GCN_GLC;
      break;
   case HD_GCN_DS:
      /* What goes from lane to lane does not touch memory. */
      if (info->imm != HD_GCN_IMM_NONE && (memory || info->imm == HD_GCN_IMM_SWIZZLE))
         allowed = HD_GCN_GDS;
      break;
   case HD_GCN_MUBUF:
      if (memory)
         allowed = HD_GCN_GLC | HD_GCN_SLC;
      if (memory && info->mach.num_srcs > 2)
         allowed |= HD_GCN_OFFEN | HD_GCN_IDXEN | (gen == HD_GCN_GFX600 ? HD_GCN_ADDR64 : 0u);
      if (info->mach.flags & HD_MACH_LOADS && !(info->mach.flags & HD_MACH_STORES))
         allowed |= HD_GCN_TFE;
      if (info->mach.flags & HD_GCN_TO_LDS)
         allowed |= HD_GCN_LDS;
      break;
   case HD_GCN_MTBUF:
      allowed = HD_GCN_GLC | HD_GCN_SLC | HD_GCN_OFFEN | HD_GCN_IDXEN |
                (gen == HD_GCN_GFX600 ? HD_GCN_ADDR64 : 0u);
      break;
   case HD_GCN_MIMG:
      allowed = HD_GCN_GLC | HD_GCN_SLC | HD_GCN_UNORM | HD_GCN_DA | HD_GCN_LWE | HD_GCN_R128 |
                (gen >= HD_GCN_GFX803 && has_halves(info) ? HD_GCN_D16 : 0u);
      if (bits & HD_GCN_TFE && info->mach.flags & HD_MACH_STORES)
         return no(why, "tfe tells of loads");
      allowed |= HD_GCN_TFE;
      break;
   case HD_GCN_FLAT:
   case HD_GCN_GLOBAL:
   case HD_GCN_SCRATCH:
      allowed = HD_GCN_GLC | HD_GCN_SLC;
      if (info->mach.flags & HD_GCN_TO_LDS && info->format != HD_GCN_FLAT)
         allowed |= HD_GCN_LDS;
      break;
   default:
      /* Which of these an instruction has was checked before. */
      if (hd_gcn_is_valu(info))
         allowed = HD_GCN_CLAMP | HD_GCN_OMOD_MASK;
      if (form == HD_GCN_FORM_DPP)
         allowed |= HD_GCN_BOUND_CTRL;
      break;
   }
   if (bits & ~allowed)
      return no(why, "a modifier that the instruction does not have");
   if (hd_gcn_is_buffer(info) && bits & HD_GCN_ADDR64 && bits & (HD_GCN_OFFEN | HD_GCN_IDXEN))
      return no(why, "addr64 with offen or idxen");
   if (bits & HD_GCN_TFE && bits & HD_GCN_LDS)
      return no(why, "tfe with lds");
   return true;
}

/* Addresses have a part in vector registers, or one in scalar registers, or both. */
static bool
check_address(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   bool vaddr = false, saddr = false, soffset = false;

   for (unsigned n = inst->num_defs; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      if (!row || !inst->operands[n].size)
         continue;
      vaddr |= row->field == HD_GCN_FIELD_VADDR;
      saddr |= row->field == HD_GCN_FIELD_SADDR;
      soffset |= row->field == HD_GCN_FIELD_SOFFSET;
   }
   if (info->format == HD_GCN_SCRATCH && vaddr == saddr)
      return no(why, "scratch takes an address in a vector register or one in a scalar register");
   if (info->imm == HD_GCN_IMM_SMEM) {
      bool imm = inst->bits & HD_GCN_SOFFSET_IMM;
      if (imm == soffset && !(imm && gen >= HD_GCN_GFX900))
         return no(why, "an offset is a number or a register");
   }
   return true;
}

static bool
check_count(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   unsigned defs = info->mach.num_defs;

   if ((info->mach.flags & HD_GCN_RETURNS_IF_GLC && !(inst->bits & HD_GCN_GLC)) ||
       inst->bits & HD_GCN_LDS)
      defs = 0;
   bool one_more = hd_gcn_keeps_old(gen, inst) || inst->bits & HD_GCN_LDS;
   return (inst->num_defs == defs && inst->num_srcs >= info->mach.num_srcs &&
           inst->num_srcs <= info->mach.num_srcs + (one_more ? 1u : 0u)) ||
          no(why, "the wrong number of operands");
}

int
hd_gcn_misfit(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   if (hd_gcn_layout_of_op(gen, (hd_gcn_op)inst->op, form) == HD_GCN_LAYOUT_NONE) {
      no(why, "the generation does not have the instruction in this form");
      return HD_GCN_MISFIT;
   }
   if (!check_count(gen, inst, why))
      return HD_GCN_MISFIT;
   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      if (!check_operand(gen, inst, form, n, why))
         return (int)n;
   }
   bool fits = check_bus(gen, inst, why) && check_source_modifiers(gen, inst, form, why) &&
               check_result_modifiers(gen, inst, form, why) && check_sdwa_dpp(inst, form, why) &&
               check_imm(gen, inst, why) && check_bits(gen, inst, form, why) &&
               check_address(gen, inst, why);
   return fits ? HD_GCN_FITS : HD_GCN_MISFIT;
}

bool
hd_gcn_fits(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why)
{
   return hd_gcn_misfit(gen, inst, form, why) == HD_GCN_FITS;
}

bool
hd_gcn_check(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why)
{
   return hd_gcn_fits(gen, inst, (hd_gcn_form)inst->form, why);
}
