/* SPDX-License-Identifier: MIT */
/* parse_inst.c - parser of one instruction: mnemonic, encoding (e32, e64, SDWA, DPP), operands. */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/encoding.h"

#include <assert.h>
#include <string.h>

/* Explicit operands, and an immediate. */
#define MAX_ARGS (HD_GCN_MAX_OPERANDS + 1)

typedef struct statement {
   hd_gcn_reader *r;
   hd_mach_word name;
   const hd_gcn_op_info *info;
   hd_mach_inst *inst;
   hd_gcn_modifiers modifiers;
   hd_gcn_text_arg args[MAX_ARGS];
   unsigned num_args;
   const hd_gcn_text_arg *of_operand[HD_GCN_MAX_OPERANDS]; /* NULL: implicit */
   int suffix;                                             /* a form, or -1 */
} statement;

static bool
has_suffix(hd_mach_word *word, const char *suffix)
{
   size_t length = strlen(suffix);

   if (word->length <= length || memcmp(word->start + word->length - length, suffix, length) != 0)
      return false;
   word->length -= length;
   return true;
}

static bool
read_name(statement *s)
{
   hd_gcn_reader *r = s->r;
   hd_mach_word word = hd_mach_read_word(&r->c);

   s->name = word;
   s->suffix = -1;
   if (has_suffix(&word, "_e32"))
      s->suffix = HD_GCN_FORM_BASE;
   else if (has_suffix(&word, "_e64"))
      s->suffix = HD_GCN_FORM_VOP3;
   else if (has_suffix(&word, "_sdwa"))
      s->suffix = HD_GCN_FORM_SDWA;
   else if (has_suffix(&word, "_dpp"))
      s->suffix = HD_GCN_FORM_DPP;
   hd_gcn_op op = hd_gcn_op_find(r->gen, word.start, word.length);
   if (op == HD_GCN_OP_NONE) {
      for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
         if (hd_gcn_op_find((hd_gcn_gen)gen, word.start, word.length) != HD_GCN_OP_NONE)
            return hd_mach_text_error(&r->c, s->name.start, s->name.length,
                                      "%s does not have this instruction", hd_gcn_gen_name(r->gen));
      }
      return hd_mach_text_error(&r->c, s->name.start, s->name.length, "expected an instruction");
   }
   s->inst->op = (uint16_t)op;
   s->info = &hd_gcn_op_infos[op];
   bool valu = hd_gcn_has_forms(s->info);
   if (s->suffix == HD_GCN_FORM_BASE && s->info->format == HD_GCN_VINTRP)
      return true;
   if (s->suffix == HD_GCN_FORM_VOP3 && s->info->format == HD_GCN_VOP3)
      s->suffix = HD_GCN_FORM_BASE;
   else if (s->suffix >= 0 && !valu)
      return hd_mach_text_error(&r->c, s->name.start, s->name.length,
                                "the instruction has one form only");
   return true;
}

static bool
read_args(statement *s)
{
   hd_gcn_reader *r = s->r;

   if (hd_mach_at_end(&r->c))
      return true;
   /* No comma stands after the target of an export. */
   if (s->info->format == HD_GCN_EXPORT && !hd_gcn_read_arg(r, &s->args[s->num_args++]))
      return false;
   do {
      if (s->num_args == MAX_ARGS)
         return hd_mach_text_error(&r->c, r->c.at, 1, "too many operands");
      if (!hd_gcn_read_arg(r, &s->args[s->num_args++]))
         return false;
   } while (hd_mach_accept(&r->c, ','));
   return true;
}

/* A modifier that stands among what was read as operands: "buffer_wbinvl1 glc" has none. */
static bool
is_modifier_only(const statement *s)
{
   for (unsigned n = 0; n < s->info->mach.num_defs + s->info->mach.num_srcs; n++) {
      if (!(s->info->mach.operands[n].kinds & HD_GCN_TAKES_IMPLICIT))
         return false;
   }
   return s->info->imm == HD_GCN_IMM_NONE || s->info->imm >= HD_GCN_IMM_SMEM;
}

/* Whether an immediate stands among the operands. */
static bool
imm_is_arg(const statement *s)
{
   return (s->info->imm != HD_GCN_IMM_NONE && s->info->imm < HD_GCN_IMM_SMEM) ||
          s->info->imm == HD_GCN_IMM_ATTRIBUTE;
}

static bool
set_imm(statement *s, const hd_gcn_text_arg *arg, hd_mach_word *target)
{
   hd_gcn_reader *r = s->r;

   if (s->info->imm == HD_GCN_IMM_ATTRIBUTE) {
      const int attribute = arg->kind == HD_GCN_TEXT_SYMBOL ? hd_gcn_attribute_of(arg->word) : -1;
      if (attribute < 0)
         return hd_mach_text_error(&r->c, arg->word.start, arg->word.length,
                                   "expected attr0.x, ... or attr32.w");
      s->inst->imm |= attribute;
      return true;
   }
   if (arg->kind == HD_GCN_TEXT_SYMBOL && s->info->imm == HD_GCN_IMM_TARGET) {
      *target = arg->word;
      return true;
   }
   if ((arg->kind != HD_GCN_TEXT_INTEGER && arg->kind != HD_GCN_TEXT_IMMEDIATE) ||
       arg->operand.flags)
      return hd_mach_text_error(&r->c, arg->word.start, arg->word.length, "expected a number%s",
                                s->info->imm == HD_GCN_IMM_TARGET ? " or a label" : "");
   if (arg->integer < -32768 || arg->integer > 65535)
      return hd_mach_text_error(&r->c, arg->word.start, arg->word.length,
                                "expected a number of 16 bits");
   s->inst->imm = (int32_t)arg->integer;
   /* As the decoder says it. */
   if (s->info->imm != HD_GCN_IMM_HEX && s->info->imm != HD_GCN_IMM_TARGET)
      s->inst->imm &= 0xffff;
   else if (s->info->imm == HD_GCN_IMM_TARGET ||
            !(s->info->mach.num_srcs &&
              s->info->mach.operands[s->info->mach.num_defs].type == HD_GCN_U32))
      s->inst->imm = (int16_t)s->inst->imm;
   else
      s->inst->imm &= 0xffff;
   return true;
}

/* The operand of the row that `n` of the instruction is. */
static const hd_mach_operand_info *
row_of(const statement *s, unsigned n)
{
   return hd_gcn_row_operand(s->inst, n);
}

static bool
set_operand(statement *s, unsigned n, const hd_gcn_text_arg *arg)
{
   const hd_mach_operand_info *row = row_of(s, n);
   hd_mach_operand *o = &s->inst->operands[n];
   hd_gcn_text_arg literal;

   s->of_operand[n] = arg;
   switch (arg->kind) {
   case HD_GCN_TEXT_OPERAND:
      *o = arg->operand;
      /* Some that are only read go by one name in either size. */
      if (o->size == 1 && o->reg >= HD_GCN_APERTURES && o->reg < HD_GCN_APERTURES + 4 &&
          row->size == 2)
         o->size = 2;
      return true;
   case HD_GCN_TEXT_SYMBOL:
   case HD_GCN_TEXT_IMMEDIATE:
      return hd_mach_text_error(&s->r->c, arg->word.start, arg->word.length,
                                "expected a register or a number");
   default:
      break;
   }
   if (s->info->imm == HD_GCN_IMM_SMEM && row->field == HD_GCN_FIELD_SOFFSET) {
      if (arg->kind == HD_GCN_TEXT_FLOAT || arg->integer < -(1 << 20) || arg->integer >= 1 << 20 ||
          arg->operand.flags)
         return hd_mach_text_error(&s->r->c, arg->word.start, arg->word.length,
                                   "expected an offset");
      s->inst->imm = (int32_t)arg->integer;
      s->inst->bits |= HD_GCN_SOFFSET_IMM;
      return true;
   }
   if (row->kinds == HD_GCN_TAKES_LITERAL) {
      literal = *arg;
      literal.literal = true;
      arg = &literal;
   }
   return hd_gcn_text_const(s->r, arg, (hd_gcn_type)row->type, o);
}

/* Which operands there are: an atomic that returns nothing, a load to LDS have no result. */
static void
count_operands(statement *s)
{
   const hd_gcn_op_info *info = s->info;
   bool none = (info->mach.flags & HD_GCN_RETURNS_IF_GLC && !(s->inst->bits & HD_GCN_GLC)) ||
               (s->inst->bits & HD_GCN_LDS && info->mach.flags & HD_GCN_TO_LDS);

   s->inst->num_defs = none ? 0 : info->mach.num_defs;
   s->inst->num_srcs = info->mach.num_srcs;
}

/* The vertex that an attribute is moved from stands between the result and the attribute. */
static bool
take_vertex(statement *s)
{
   if (s->inst->op != HD_GCN_V_INTERP_MOV_F32 || s->num_args != 3)
      return true;
   const hd_gcn_text_arg *arg = &s->args[1];
   const int vertex = arg->kind == HD_GCN_TEXT_SYMBOL ? hd_gcn_vertex_of(arg->word) : -1;
   if (vertex < 0)
      return hd_mach_text_error(&s->r->c, arg->word.start, arg->word.length,
                                "expected p0, p10 or p20");
   s->inst->imm = vertex << 8;
   s->args[1] = s->args[2];
   s->num_args--;
   return true;
}

/* "mrt0 v1, v2, off, off": a target and four channels. */
static bool
place_export(statement *s)
{
   const hd_gcn_text_arg *arg = s->args;
   const int target =
       s->num_args && arg->kind == HD_GCN_TEXT_SYMBOL ? hd_gcn_export_target_of(arg->word) : -1;
   const unsigned pairs = s->modifiers.export_bits & HD_GCN_EXPORT_COMPR;
   unsigned channels = 0;

   if (target < 0)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                "expected a target: mrt0, mrtz, null, pos0, param0, ...");
   if (s->num_args != 5)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                "expected 4 operands, not %u", s->num_args - 1);
   for (unsigned n = 0; n < 4; n++)
      s->inst->operands[n] = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   for (unsigned n = 0; n < 4; n++) {
      const unsigned place = pairs ? n / 2 : n;
      if (pairs && n & 1 &&
          (arg[n + 1].operand.size != arg[n].operand.size ||
           arg[n + 1].operand.reg != arg[n].operand.reg))
         return hd_mach_text_error(&s->r->c, arg[n + 1].word.start, arg[n + 1].word.length,
                                   "both halves of a pair are in one register");
      if (!set_operand(s, place, &arg[n + 1]))
         return false;
      channels |= (arg[n + 1].operand.size ? 1u : 0u) << n;
   }
   s->inst->imm = (int32_t)(channels | (unsigned)target << HD_GCN_EXPORT_TARGET_SHIFT |
                            s->modifiers.export_bits);
   return true;
}

static bool
place_args(statement *s, hd_mach_word *target)
{
   hd_mach_inst *inst = s->inst;
   if (s->info->format == HD_GCN_EXPORT)
      return place_export(s);
   if (!take_vertex(s))
      return false;
   unsigned arg = 0, explicit_operands = 0, total = inst->num_defs + inst->num_srcs;
   bool imm = imm_is_arg(s), imm_first = s->info->imm == HD_GCN_IMM_HWREG && !inst->num_defs;

   for (unsigned n = 0; n < total; n++) {
      inst->operands[n] = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      explicit_operands += !(row_of(s, n)->kinds & HD_GCN_TAKES_IMPLICIT);
   }
   bool no_imm = s->info->imm == HD_GCN_IMM_OPTIONAL && !s->num_args;
   unsigned wanted = explicit_operands + (imm && !no_imm ? 1u : 0u);
   if (s->num_args != wanted)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                "expected %u operand%s, not %u", wanted, wanted == 1 ? "" : "s",
                                s->num_args);
   if (imm && !no_imm && !set_imm(s, &s->args[imm_first ? 0 : wanted - 1], target))
      return false;
   arg = imm_first ? 1 : 0;
   for (unsigned n = 0; n < total; n++) {
      if (!(row_of(s, n)->kinds & HD_GCN_TAKES_IMPLICIT) && !set_operand(s, n, &s->args[arg++]))
         return false;
   }
   return true;
}

/* Registers that the text does not name. */
static void
set_implicit(statement *s)
{
   hd_mach_inst *inst = s->inst;

   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = row_of(s, n);
      hd_mach_operand *o = &inst->operands[n];
      if (!(row->kinds & HD_GCN_TAKES_IMPLICIT))
         continue;
      bool absent = row->kinds & HD_GCN_TAKES_BEFORE_GFX9 && s->r->gen >= HD_GCN_GFX900 &&
                    !(inst->bits & HD_GCN_GDS);
      if (row->kinds & HD_GCN_TAKES_ONE) {
         if (!absent)
            *o = hd_mach_operand_reg(row->fixed, row->size);
      } else if (row->tied >= 0) {
         *o = *hd_mach_def(inst, (unsigned)row->tied);
         o->size = row->size; /* without the word of tfe */
      } else {
         /* A result in the register of the data. */
         unsigned more = inst->bits & HD_GCN_TFE ? 1 : 0;
         unsigned size = s->info->format == HD_GCN_MIMG ? hd_mach_src(inst, 0)->size : row->size;
         *o = hd_mach_operand_reg(hd_mach_src(inst, 0)->reg, size + more);
      }
   }
}

static unsigned
num_vop_sources(const statement *s)
{
   unsigned num = 0;

   for (unsigned n = 0; n < s->info->mach.num_srcs; n++) {
      unsigned field = s->info->mach.operands[s->info->mach.num_defs + n].field;
      num += field >= HD_GCN_FIELD_SRC0 && field <= HD_GCN_FIELD_SRC2;
   }
   return num;
}

static bool
check_list(statement *s, hd_mach_word word, unsigned num, unsigned wanted)
{
   return !word.length || num == wanted ||
          hd_mach_text_error(&s->r->c, word.start, word.length, "expected a list of %u", wanted);
}

static bool
set_halves(statement *s)
{
   hd_gcn_modifiers *m = &s->modifiers;
   hd_mach_inst *inst = s->inst;
   bool packed = s->info->format == HD_GCN_VOP3P, mix = s->info->mach.flags & HD_GCN_MIX;
   unsigned num = num_vop_sources(s);

   if (!check_list(s, m->op_sel, m->op_sel_num, packed ? num : num + 1) ||
       !check_list(s, m->op_sel_hi, m->op_sel_hi_num, num) ||
       !check_list(s, m->neg_lo, m->neg_lo_num, num) ||
       !check_list(s, m->neg_hi, m->neg_hi_num, num))
      return false;
   hd_mach_word lists = m->neg_lo.length ? m->neg_lo : m->neg_hi;
   if (lists.length && (!packed || mix))
      return hd_mach_text_error(&s->r->c, lists.start, lists.length,
                                "only pairs of halves are negated by lists");
   /* The result is the last of the list, and has bit 3. */
   if (!packed && num < 3 && inst->mods.bytes[HD_GCN_MOD_OP_SEL] >> num & 1)
      inst->mods.bytes[HD_GCN_MOD_OP_SEL] =
          (uint8_t)((inst->mods.bytes[HD_GCN_MOD_OP_SEL] & ((1u << num) - 1)) | 8);
   if (packed && !mix && !m->op_sel_hi.length)
      inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = (uint8_t)((1u << num) - 1);
   for (unsigned n = 0; n < num && lists.length; n++) {
      hd_mach_src(inst, n)->flags |= (uint8_t)((m->neg_lo_bits >> n & 1 ? HD_GCN_OPERAND_NEG : 0) |
                                               (m->neg_hi_bits >> n & 1 ? HD_GCN_OPERAND_ABS : 0));
   }
   return true;
}

static bool
set_offset(statement *s)
{
   hd_gcn_modifiers *m = &s->modifiers;
   bool two = s->info->mach.flags & HD_GCN_TWO_OFFSETS;

   if (!m->offset && !m->two_offsets)
      return true;
   const bool none = s->info->imm < HD_GCN_IMM_SMEM || s->info->imm >= HD_GCN_IMM_MIMG;
   if (m->two_offsets != two || m->offset == two || none)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length, "the instruction takes %s",
                                two    ? "offset0 and offset1"
                                : none ? "no offset"
                                       : "one offset");
   if (s->info->imm == HD_GCN_IMM_SMEM)
      s->inst->bits |= HD_GCN_SOFFSET_IMM;
   s->inst->imm = two ? m->offset0 | m->offset1 << 8 : m->offset0;
   return true;
}

static void
set_sdwa(statement *s)
{
   hd_mach_inst *inst = s->inst;
   unsigned seen = s->modifiers.sdwa_seen;

   if (s->info->format != HD_GCN_VOPC) {
      if (!(seen & 1))
         inst->mods.bytes[HD_GCN_MOD_DST_SEL] = HD_GCN_SEL_DWORD;
      if (!(seen & 2))
         inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = HD_GCN_PRESERVE;
   }
   for (unsigned n = 0; n < 2 && n < num_vop_sources(s); n++) {
      if (!(seen & 4u << n))
         inst->mods.bytes[HD_GCN_MOD_SRC_SEL + n] = HD_GCN_SEL_DWORD;
   }
}

/* The source that keeps what is not written, m0 of a load to LDS. */
static void
set_extra(statement *s)
{
   hd_mach_inst *inst = s->inst;

   if (inst->bits & HD_GCN_LDS && s->info->mach.flags & HD_GCN_TO_LDS) {
      *hd_mach_src(inst, inst->num_srcs++) = hd_mach_operand_reg(HD_GCN_M0, 1);
   } else if (hd_gcn_keeps_old(s->r->gen, inst)) {
      *hd_mach_src(inst, inst->num_srcs) = inst->operands[0];
      hd_mach_src(inst, inst->num_srcs++)->flags &= (uint8_t)~HD_MACH_OPERAND_KILL;
   }
}

/* SSA values of operands that have no other position in the text. */
static bool
set_values(statement *s)
{
   hd_mach_inst *inst = s->inst;

   for (unsigned n = 0; n < HD_GCN_MAX_OPERANDS; n++) {
      if (!(s->modifiers.extra_set >> n & 1))
         continue;
      if (n > inst->num_defs + inst->num_srcs)
         return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                   "there is no operand %u", n);
      inst->num_srcs = (uint16_t)(inst->num_srcs + (n == inst->num_defs + inst->num_srcs));
      inst->operands[n] = s->modifiers.extra[n];
   }
   return true;
}

/* The form that is asked for, or else the shortest that fits. */
static bool
choose_form(statement *s)
{
   hd_mach_inst *inst = s->inst;
   hd_gcn_gen gen = s->r->gen;
   hd_gcn_form forms[2] = { HD_GCN_FORM_BASE, HD_GCN_FORM_VOP3 };
   unsigned num = hd_gcn_has_forms(s->info) ? 2 : 1;
   const char *why = NULL;

   if (s->suffix >= 0 || s->modifiers.sdwa || s->modifiers.dpp) {
      forms[0] = s->suffix >= 0      ? (hd_gcn_form)s->suffix
                 : s->modifiers.sdwa ? HD_GCN_FORM_SDWA
                                     : HD_GCN_FORM_DPP;
      num = 1;
   } else if (num == 2 &&
              hd_gcn_layout_of_op(gen, (hd_gcn_op)inst->op, forms[0]) == HD_GCN_LAYOUT_NONE) {
      forms[0] = HD_GCN_FORM_VOP3;
      num = 1;
   }
   if (forms[0] == HD_GCN_FORM_SDWA)
      set_sdwa(s);
   else if (s->modifiers.sdwa)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                "the form has no selections");
   if (forms[0] == HD_GCN_FORM_DPP && !s->modifiers.dpp)
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length, "expected a DPP control");
   if (forms[0] != HD_GCN_FORM_DPP && (s->modifiers.dpp || s->modifiers.masks))
      return hd_mach_text_error(&s->r->c, s->name.start, s->name.length,
                                "the form has no DPP control");
   inst->form = (uint8_t)forms[0];
   if (s->r->values)
      return set_values(s);
   unsigned srcs = inst->num_srcs;
   int wrong = -1;
   for (unsigned n = 0; n < num; n++) {
      inst->form = (uint8_t)forms[n];
      inst->num_srcs = (uint16_t)srcs;
      set_extra(s);
      wrong = hd_gcn_misfit(gen, inst, forms[n], &why);
      if (wrong == HD_GCN_FITS)
         return true;
   }
   const hd_gcn_text_arg *arg =
       wrong >= 0 && wrong < HD_GCN_MAX_OPERANDS ? s->of_operand[wrong] : NULL;
   hd_mach_word place = arg && arg->word.length ? arg->word : s->name;
   return hd_mach_text_error(&s->r->c, place.start, place.length, "%s",
                             why ? why : "cannot be encoded");
}

bool
hd_gcn_read_inst(hd_gcn_reader *r, hd_gcn_decoded *out, hd_mach_word *target)
{
   statement s = { .r = r, .inst = &out->inst };

   memset(out, 0, sizeof(*out));
   out->inst.operands = out->operands;
   *target = (hd_mach_word){ r->c.at, 0 };
   if (!read_name(&s))
      return false;
   assert(s.info);
   if (s.info->imm == HD_GCN_IMM_WAITCNT) {
      int64_t imm;
      if (!hd_gcn_read_waitcnt(r, &imm))
         return false;
      out->inst.imm = (int32_t)imm;
      return hd_mach_at_end(&r->c) ||
             hd_mach_text_error(&r->c, r->c.at, 1, "expected the end of the line");
   }
   if (!is_modifier_only(&s) && !read_args(&s))
      return false;
   if (!hd_gcn_read_modifiers(r, &out->inst, &s.modifiers))
      return false;
   count_operands(&s);
   if (!place_args(&s, target) || !set_offset(&s))
      return false;
   set_implicit(&s);
   return set_halves(&s) && choose_form(&s);
}
