/* SPDX-License-Identifier: MIT */
/* isa_cases.c - every row of the table, on each generation, in each form, with operands of each
 * kind and each modifier, one change at a time.
 *
 *    isa_cases gfx900          one line a case: "ok" or why not, the row, the words, the text
 *    isa_cases --names gfx900  the names of its instructions
 *    isa_cases --check         what needs no other assembler: text and words come back
 *    isa_cases --decode gfx900 for each two words of the input: how many are the instruction, its
 * text isa_cases --read gfx900   for each line of the input: its words, or why it is no instruction
 *
 * test_isa.py holds the lines of the first against llvm-mc: what is "ok" must become the same words
 * there, what is not must be refused there, too, or be known to be stricter here.
 */
#include "backend/gcn/asm/parse.h"
#include "backend/gcn/isa/encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct spec {
   hd_gcn_gen gen;
   hd_gcn_op op;
   hd_gcn_form form;
   hd_mach_operand operand[HD_GCN_MAX_OPERANDS]; /* by row */
   unsigned bits;
   int imm;
   unsigned op_sel, op_sel_hi;
   unsigned dst_sel, dst_unused, src_sel[2];
   unsigned dpp_ctrl, row_mask, bank_mask;
   unsigned format;
} spec;

static bool checking;
static unsigned long num_ok, num_refused, num_failed;

static unsigned
num_operands(const hd_gcn_op_info *info)
{
   return info->mach.num_defs + info->mach.num_srcs;
}

/* The instruction that a spec is, with all that the row implies. */
static void
build(const spec *s, hd_gcn_decoded *d)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[s->op];
   hd_mach_inst *inst = &d->inst;
   bool to_lds = s->bits & HD_GCN_LDS && info->mach.flags & HD_GCN_TO_LDS;
   bool no_def = (info->mach.flags & HD_GCN_RETURNS_IF_GLC && !(s->bits & HD_GCN_GLC)) || to_lds;

   memset(d, 0, sizeof(*d));
   inst->operands = d->operands;
   inst->op = (uint16_t)s->op;
   inst->form = (uint8_t)s->form;
   inst->bits = (uint16_t)s->bits;
   inst->imm = s->imm;
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = (uint8_t)s->op_sel;
   inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = (uint8_t)s->op_sel_hi;
   if (s->form == HD_GCN_FORM_SDWA) {
      inst->mods.bytes[HD_GCN_MOD_DST_SEL] = (uint8_t)s->dst_sel;
      inst->mods.bytes[HD_GCN_MOD_DST_UNUSED] = (uint8_t)s->dst_unused;
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL] = (uint8_t)s->src_sel[0];
      inst->mods.bytes[HD_GCN_MOD_SRC_SEL + 1] = (uint8_t)s->src_sel[1];
   } else if (s->form == HD_GCN_FORM_DPP) {
      inst->mods.halves[HD_GCN_MOD_DPP_CTRL] = (uint16_t)s->dpp_ctrl;
      inst->mods.bytes[HD_GCN_MOD_ROW_MASK] = (uint8_t)s->row_mask;
      inst->mods.bytes[HD_GCN_MOD_BANK_MASK] = (uint8_t)s->bank_mask;
   }
   if (info->format == HD_GCN_MTBUF)
      inst->mods.bytes[HD_GCN_MOD_FORMAT] = (uint8_t)s->format;
   inst->num_defs = no_def ? 0 : info->mach.num_defs;
   inst->num_srcs = info->mach.num_srcs;
   memcpy(inst->operands, s->operand + (info->mach.num_defs - inst->num_defs),
          (inst->num_defs + inst->num_srcs) * sizeof(inst->operands[0]));
   for (unsigned n = 0; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      hd_mach_operand *o = &inst->operands[n];
      unsigned both = HD_GCN_OFFEN | HD_GCN_IDXEN;
      bool buffer = hd_gcn_is_buffer(info);
      if (info->format == HD_GCN_MIMG && row->field == HD_GCN_FIELD_VDATA)
         o->size = (uint8_t)hd_gcn_image_data_size(s->gen, inst);
      if (info->format == HD_GCN_EXPORT && !(hd_gcn_export_operands(s->imm) >> n & 1))
         *o = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      if (row->kinds & HD_GCN_TAKES_IMPLICIT && row->tied >= 0) {
         *o = *hd_mach_def(inst, (unsigned)row->tied);
         if (info->format != HD_GCN_MIMG)
            o->size = row->size;
      } else if (row->kinds & HD_GCN_TAKES_BEFORE_GFX9 && s->gen >= HD_GCN_GFX900 &&
                 !(s->bits & HD_GCN_GDS))
         *o = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      if (buffer && row->field == HD_GCN_FIELD_VADDR)
         o->size = s->bits & HD_GCN_ADDR64 || (s->bits & both) == both ? 2 : s->bits & both ? 1 : 0;
      if (info->format == HD_GCN_MUBUF && row->field == HD_GCN_FIELD_VDATA && n < inst->num_defs &&
          s->bits & HD_GCN_TFE)
         o->size++;
      if (row->kinds & HD_GCN_TAKES_IMPLICIT && n < inst->num_defs && row->tied < 0 &&
          !(row->kinds & HD_GCN_TAKES_ONE))
         o->reg = s->operand[info->mach.num_defs].reg;
   }
   for (unsigned n = inst->num_defs; n < inst->num_defs + inst->num_srcs; n++) {
      const hd_mach_operand_info *row = hd_gcn_row_operand(inst, n);
      if (info->format == HD_GCN_GLOBAL && row->field == HD_GCN_FIELD_VADDR) {
         for (unsigned i = n; i < inst->num_defs + inst->num_srcs; i++) {
            if (hd_gcn_row_operand(inst, i)->field == HD_GCN_FIELD_SADDR && inst->operands[i].size)
               inst->operands[n].size = 1;
         }
      }
   }
   if (to_lds)
      *hd_mach_src(inst, inst->num_srcs++) = hd_mach_operand_reg(HD_GCN_M0, 1);
   else if (hd_gcn_keeps_old(s->gen, inst))
      *hd_mach_src(inst, inst->num_srcs++) =
          hd_mach_operand_reg(inst->operands[0].reg, inst->operands[0].size);
}

static void
fail(const spec *s, const char *what, const char *text)
{
   num_failed++;
   if (num_failed < 50)
      printf("not ok: %s: %s: %s\n", hd_gcn_gen_name(s->gen), what, text);
}

static bool
same_inst(const hd_mach_inst *a, const hd_mach_inst *b)
{
   if (a->op != b->op || a->form != b->form || a->num_defs != b->num_defs ||
       a->num_srcs != b->num_srcs || a->bits != b->bits || a->imm != b->imm ||
       memcmp(&a->mods, &b->mods, sizeof(a->mods)) != 0)
      return false;
   for (unsigned n = 0; n < a->num_defs + a->num_srcs; n++) {
      hd_mach_operand x = a->operands[n], y = b->operands[n];
      unsigned modifiers = HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS | HD_GCN_OPERAND_SEXT;
      if (x.size != y.size || (x.flags ^ y.flags) & modifiers)
         return false;
      if (x.size && (x.reg != y.reg || (x.reg == HD_GCN_LITERAL && x.value != y.value)))
         return false;
   }
   return true;
}

/* Words and text of an instruction give it back. */
static void
check_back(const spec *s, const hd_gcn_decoded *d, const uint32_t *words, unsigned num,
           const hd_blob *text)
{
   hd_gcn_decoded again;
   hd_gcn_reader r;
   hd_mach_word target;
   uint32_t more[5];

   if (hd_gcn_decode(s->gen, words, num, &again) != num)
      fail(s, "does not decode", text->data);
   else if (!same_inst(&d->inst, &again.inst))
      fail(s, "decodes to something else", text->data);
   for (unsigned n = 0; n < num; n++) {
      if (hd_gcn_decode(s->gen, words, n, &again) != 0)
         fail(s, "decodes from less", text->data);
   }
   hd_gcn_reader_init(&r, s->gen, NULL, NULL, text->data, text->size);
   if (!hd_gcn_read_inst(&r, &again, &target))
      fail(s, "is not read", text->data);
   else if (hd_gcn_encode(s->gen, &again.inst, more, NULL) != num ||
            memcmp(words, more, num * sizeof(words[0])) != 0)
      fail(s, "is read as something else", text->data);
}

static void
emit(const spec *s)
{
   hd_gcn_decoded d;
   uint32_t words[5];
   const char *why = NULL;
   hd_blob text = { 0 };

   build(s, &d);
   unsigned num = hd_gcn_encode(s->gen, &d.inst, words, &why);
   hd_gcn_inst_print(s->gen, &d.inst, &text);
   *(num ? &num_ok : &num_refused) += 1;
   if (checking) {
      if (num)
         check_back(s, &d, words, num, &text);
   } else {
      printf("%s\t%u\t", num ? "ok" : why ? why : "?", (unsigned)s->op);
      for (unsigned n = 0; n < num; n++)
         printf("%08x", words[n]);
      printf("\t%s\n", text.data);
   }
   hd_blob_finish(&text);
}

/* Operands -------------------------------------------------------------------------------------*/

static hd_mach_operand
constant(unsigned reg, unsigned size, uint32_t value)
{
   return (hd_mach_operand){ .value = value, .reg = (uint16_t)reg, .size = (uint8_t)size };
}

static bool
is_explicit(const spec *s, unsigned n)
{
   const hd_mach_operand_info *row = &hd_gcn_op_infos[s->op].mach.operands[n];

   return !(row->kinds & HD_GCN_TAKES_IMPLICIT) &&
          hd_gcn_kinds(s->gen, &hd_gcn_op_infos[s->op], row, s->form) != HD_GCN_TAKES_ONE;
}

static bool
is_half(unsigned type)
{
   return type == HD_GCN_B16 || type == HD_GCN_I16 || type == HD_GCN_U16 || type == HD_GCN_F16;
}

/* A different register for each operand, so that no two can be confused. */
static hd_mach_operand
plain_operand(const spec *s, unsigned n)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[s->op];
   const hd_mach_operand_info *row = &info->mach.operands[n];
   unsigned kinds = hd_gcn_kinds(s->gen, info, row, s->form);

   if (row->kinds & HD_GCN_TAKES_ONE && !(kinds & HD_GCN_TAKES_SGPR))
      return hd_mach_operand_reg(row->fixed, row->size);
   if (kinds & HD_GCN_TAKES_VGPR)
      return hd_mach_operand_reg(HD_GCN_VGPR0 + 16 + 8 * n, row->size);
   if (kinds & HD_GCN_TAKES_SGPR)
      return hd_mach_operand_reg(16 + 16 * n, row->size);
   return constant(HD_GCN_LITERAL, row->size, is_half(row->type) ? 0x4321 : 0x87654321);
}

static spec
base_spec(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   spec s = { .gen = gen, .op = op, .form = form, .row_mask = 15, .bank_mask = 15 };
   unsigned vop_sources = 0;

   if (info->format == HD_GCN_MIMG)
      s.imm = info->mach.flags & HD_GCN_GATHER ? 1
              : info->mach.flags & HD_GCN_RETURNS_IF_GLC
                  ? (op == HD_GCN_IMAGE_ATOMIC_CMPSWAP ? 3 : 1)
                  : 15;
   if (info->format == HD_GCN_EXPORT)
      s.imm = HD_GCN_EXPORT_CHANNELS;
   s.format = 1;
   for (unsigned n = 0; n < num_operands(info); n++) {
      const hd_mach_operand_info *row = &info->mach.operands[n];
      s.operand[n] = plain_operand(&s, n);
      if (info->format == HD_GCN_MIMG && row->field == HD_GCN_FIELD_VADDR)
         s.operand[n].size = (uint8_t)hd_gcn_image_least_address(info);
      /* One scalar on the bus; addresses of one kind. */
      bool optional = row->field == HD_GCN_FIELD_SADDR || row->field == HD_GCN_FIELD_SOFFSET;
      if (optional && row->kinds & HD_GCN_TAKES_NOTHING)
         s.operand[n] = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      vop_sources += row->field >= HD_GCN_FIELD_SRC0 && row->field <= HD_GCN_FIELD_SRC2 &&
                     n >= info->mach.num_defs;
   }
   if (info->imm == HD_GCN_IMM_SMEM)
      s.bits |= HD_GCN_SOFFSET_IMM;
   if (info->format == HD_GCN_VOP3P && !(info->mach.flags & HD_GCN_MIX))
      s.op_sel_hi = (1u << vop_sources) - 1;
   if (form == HD_GCN_FORM_SDWA) {
      bool compare = info->format == HD_GCN_VOPC;
      s.dst_sel = compare ? 0 : HD_GCN_SEL_DWORD;
      s.src_sel[0] = HD_GCN_SEL_DWORD;
      s.src_sel[1] = vop_sources > 1 ? HD_GCN_SEL_DWORD : 0;
   }
   if (form == HD_GCN_FORM_DPP)
      s.dpp_ctrl = 0xe4;
   return s;
}

static void
vary_operand(const spec *base, unsigned n)
{
   static const uint16_t registers[] = {
      HD_GCN_SGPR0,
      4,
      7,
      100,
      102,
      103,
      104,
      HD_GCN_VCC,
      HD_GCN_VCC + 1,
      108,
      112,
      120,
      HD_GCN_M0,
      HD_GCN_EXEC,
      HD_GCN_EXEC + 1,
      HD_GCN_APERTURES,
      HD_GCN_APERTURES + 4,
      HD_GCN_VCCZ,
      HD_GCN_SCC,
      HD_GCN_VGPR0,
      HD_GCN_VGPR0 + 1,
      HD_GCN_VGPR0 + 255,
   };
   static const uint16_t constants[] = { 128, 129, 192, 193, 208, 240, 241, 247, 248 };
   const hd_mach_operand_info *row = &hd_gcn_op_infos[base->op].mach.operands[n];
   /* Of the address of an image, what the decoder gives. */
   const bool image =
       row->field == HD_GCN_FIELD_VADDR && hd_gcn_op_infos[base->op].format == HD_GCN_MIMG;
   unsigned size = image ? base->operand[n].size : row->size;

   if (!is_explicit(base, n))
      return;
   for (unsigned i = 0; i < sizeof(registers) / sizeof(registers[0]); i++) {
      spec s = *base;
      unsigned reg = registers[i];
      if (reg == HD_GCN_VGPR0 + 255)
         reg -= size - 1;
      /* Names that do not exist cannot be printed. */
      if (reg < HD_GCN_VGPR0 && !hd_gcn_scalar_exists(base->gen, reg, size))
         continue;
      s.operand[n] = hd_mach_operand_reg(reg, size);
      emit(&s);
   }
   if (n < hd_gcn_op_infos[base->op].mach.num_defs)
      return;
   for (unsigned i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
      spec s = *base;
      if (!hd_gcn_is_inline(base->gen, constants[i]))
         continue;
      s.operand[n] = constant(constants[i], size, 0);
      emit(&s);
   }
   spec s = *base;
   s.operand[n] = constant(HD_GCN_LITERAL, size, is_half(row->type) ? 0x1234 : 0x12345678);
   emit(&s);
   s.operand[n].value = is_half(row->type) ? 0x8001 : 0x80000001;
   emit(&s);
   if (row->kinds & HD_GCN_TAKES_NOTHING) {
      s.operand[n] = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      emit(&s);
   }
}

/* Modifiers ------------------------------------------------------------------------------------*/

static void
vary_source_modifiers(const spec *base)
{
   static const uint8_t flags[] = { HD_GCN_OPERAND_NEG, HD_GCN_OPERAND_ABS,
                                    HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS, HD_GCN_OPERAND_SEXT };
   const hd_gcn_op_info *info = &hd_gcn_op_infos[base->op];

   for (unsigned n = info->mach.num_defs; n < num_operands(info); n++) {
      const hd_mach_operand_info *row = &info->mach.operands[n];
      if (!is_explicit(base, n) || row->field < HD_GCN_FIELD_SRC0 || row->field > HD_GCN_FIELD_SRC2)
         continue;
      for (unsigned i = 0; i < sizeof(flags); i++) {
         spec s = *base;
         s.operand[n].flags |= flags[i];
         emit(&s);
         /* A constant is not negated by another sign. */
         if (hd_gcn_kinds(s.gen, info, row, s.form) & HD_GCN_TAKES_INLINE &&
             info->format != HD_GCN_VOP3P) {
            s.operand[n] = constant(242, row->size, 0);
            s.operand[n].flags = flags[i];
            emit(&s);
         }
      }
   }
}

static void
vary_valu(const spec *base)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[base->op];
   spec s = *base;

   vary_source_modifiers(base);
   s.bits = HD_GCN_CLAMP;
   emit(&s);
   for (unsigned omod = 1; omod < 4; omod++) {
      s.bits = omod << HD_GCN_OMOD_SHIFT;
      emit(&s);
      s.bits |= HD_GCN_CLAMP;
      emit(&s);
   }
   s = *base;
   if (base->form == HD_GCN_FORM_BASE && info->format >= HD_GCN_VOP3) {
      for (s.op_sel = 1; s.op_sel < 16; s.op_sel++)
         emit(&s);
      s = *base;
      for (s.op_sel_hi = 0; s.op_sel_hi < 8 && info->format == HD_GCN_VOP3P; s.op_sel_hi++)
         emit(&s);
   }
   if (base->form == HD_GCN_FORM_SDWA) {
      for (unsigned sel = 0; sel <= HD_GCN_SEL_DWORD; sel++) {
         s = *base;
         s.dst_sel = sel;
         emit(&s);
         for (s.dst_unused = 1; s.dst_unused < 3; s.dst_unused++)
            emit(&s);
         for (unsigned n = 0; n < 2; n++) {
            s = *base;
            s.src_sel[n] = sel;
            emit(&s);
         }
      }
   }
   if (base->form == HD_GCN_FORM_DPP) {
      for (unsigned n = 0; n < 16; n++) {
         s = *base;
         s.row_mask = n;
         emit(&s);
         s.bank_mask = n ^ 5;
         s.bits = n & 1 ? HD_GCN_BOUND_CTRL : 0;
         emit(&s);
      }
   }
}

/* Every control of DPP, once for all. */
static void
all_dpp_controls(hd_gcn_gen gen)
{
   spec s = base_spec(gen, HD_GCN_V_MOV_B32, HD_GCN_FORM_DPP);

   if (gen == HD_GCN_GFX600)
      return;
   for (s.dpp_ctrl = 0; s.dpp_ctrl < 0x144; s.dpp_ctrl++) {
      hd_gcn_decoded d;
      build(&s, &d);
      /* What has no name cannot be printed. */
      if (hd_gcn_fits(gen, &d.inst, HD_GCN_FORM_DPP, NULL))
         emit(&s);
   }
}

static void
vary_imm(const spec *base)
{
   static const int values[] = { 0,   1,    4,     15,     16,     64,       65,      255,
                                 256, 4095, 4096,  32767,  0x4321, 65535,    0xfffff, 0x100000,
                                 -1,  -4,   -4096, -32768, -4097,  -0x100000 };
   const hd_gcn_op_info *info = &hd_gcn_op_infos[base->op];
   spec s = *base;

   if (info->imm == HD_GCN_IMM_NONE || info->format == HD_GCN_EXPORT)
      return;
   bool all = info->imm == HD_GCN_IMM_WAITCNT || info->imm == HD_GCN_IMM_HWREG ||
              info->imm == HD_GCN_IMM_SENDMSG || info->imm == HD_GCN_IMM_SWIZZLE;
   for (unsigned n = 0; n < sizeof(values) / sizeof(values[0]); n++) {
      s.imm = values[n];
      /* Immediates of 16 bits: the decoder has them without or with a sign. */
      bool hex = info->imm == HD_GCN_IMM_HEX;
      bool is_unsigned =
          info->mach.num_srcs && info->mach.operands[info->mach.num_defs].type == HD_GCN_U32;
      if ((hex && !is_unsigned) || info->imm == HD_GCN_IMM_TARGET) {
         if (s.imm > 32767 || s.imm < -32768)
            continue;
      } else if (info->imm < HD_GCN_IMM_SMEM && (s.imm < 0 || s.imm > 65535)) {
         continue;
      } else if ((info->imm == HD_GCN_IMM_MIMG || info->imm == HD_GCN_IMM_ATTRIBUTE) &&
                 (s.imm < 0 ||
                  s.imm > (info->imm == HD_GCN_IMM_MIMG ? 15 : 4 * HD_GCN_NUM_ATTRIBUTES - 1))) {
         continue; /* there is no text for more */
      }
      emit(&s);
   }
   for (int n = 0; all && n < 65536; n += base->op == HD_GCN_S_SENDMSG ? 1 : 37) {
      s.imm = n;
      emit(&s);
   }
}

static void
vary_memory(const spec *base)
{
   static const uint16_t bits[] = {
      HD_GCN_GLC,
      HD_GCN_SLC,
      HD_GCN_GLC | HD_GCN_SLC,
      HD_GCN_TFE,
      HD_GCN_GLC | HD_GCN_TFE,
      HD_GCN_LDS,
      HD_GCN_OFFEN,
      HD_GCN_IDXEN,
      HD_GCN_OFFEN | HD_GCN_IDXEN,
      HD_GCN_ADDR64,
      HD_GCN_LDS | HD_GCN_OFFEN,
      HD_GCN_GDS,
      HD_GCN_OFFEN | HD_GCN_GLC,
   };
   const hd_gcn_op_info *info = &hd_gcn_op_infos[base->op];

   for (unsigned n = 0; n < sizeof(bits) / sizeof(bits[0]); n++) {
      spec s = *base;
      s.bits |= bits[n];
      emit(&s);
   }
   for (unsigned n = 0; n < num_operands(info); n++) {
      const hd_mach_operand_info *row = &info->mach.operands[n];
      spec s = *base;
      if (!(row->kinds & HD_GCN_TAKES_NOTHING))
         continue;
      /* With a register where there was none, and without the one that there was. */
      s.operand[n] = plain_operand(base, n);
      emit(&s);
      s.imm = 4;
      emit(&s);
      if (info->imm == HD_GCN_IMM_SMEM) {
         s.imm = 0;
         s.bits &= ~(unsigned)HD_GCN_SOFFSET_IMM;
         emit(&s);
      }
      if (info->format == HD_GCN_SCRATCH) {
         for (unsigned i = 0; i < num_operands(info); i++) {
            if (info->mach.operands[i].field == HD_GCN_FIELD_VADDR)
               s.operand[i] = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
         }
         emit(&s);
      }
   }
}

/* Of the address all sizes; components with each modifier. */
static void
vary_image(const spec *base)
{
   static const uint16_t bits[] = {
      HD_GCN_UNORM, HD_GCN_DA,  HD_GCN_R128, HD_GCN_D16,
      HD_GCN_LWE,   HD_GCN_TFE, HD_GCN_GLC,  HD_GCN_UNORM | HD_GCN_DA | HD_GCN_GLC | HD_GCN_SLC,
   };
   const hd_gcn_op_info *info = &hd_gcn_op_infos[base->op];

   for (unsigned n = 0; n < num_operands(info); n++) {
      const hd_mach_operand_info *row = &info->mach.operands[n];
      spec s = *base;
      /* What the decoder gives is the fewest: the others come back from text alone. */
      for (unsigned size = s.operand[n].size;
           row->field == HD_GCN_FIELD_VADDR && !checking && size <= row->size; size++) {
         s.operand[n].size = (uint8_t)size;
         emit(&s);
      }
   }
   for (unsigned n = 0; n < sizeof(bits) / sizeof(bits[0]); n++) {
      spec s = *base;
      s.bits = bits[n];
      for (s.imm = 0; s.imm < 16; s.imm++)
         emit(&s);
   }
}

static void
vary_export(const spec *base)
{
   spec s = *base;
   int number;

   for (unsigned n = 0; n < 8 * 64; n++) {
      s.imm = (int)((n & 63) << HD_GCN_EXPORT_TARGET_SHIFT | (n >> 6) << 10 | 15);
      /* What has no name cannot be printed. */
      if (hd_gcn_export_target_name(n & 63, &number))
         emit(&s);
   }
   for (unsigned n = 0; n < 16; n++) {
      s.imm = (int)n;
      emit(&s);
      s.imm |= HD_GCN_EXPORT_COMPR;
      if (((n ^ n >> 1) & 5) == 0)
         emit(&s);
   }
}

static void
all_of_row(hd_gcn_gen gen, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   static const hd_gcn_form forms[] = { HD_GCN_FORM_BASE, HD_GCN_FORM_VOP3, HD_GCN_FORM_SDWA,
                                        HD_GCN_FORM_DPP };
   bool valu = info->format >= HD_GCN_VOP1 && info->format <= HD_GCN_VOP3P;
   unsigned long before = num_ok;

   for (unsigned f = 0; f < 4; f++) {
      if (hd_gcn_layout_of_op(gen, op, forms[f]) == HD_GCN_LAYOUT_NONE)
         continue;
      spec base = base_spec(gen, op, forms[f]);
      emit(&base);
      for (unsigned n = 0; n < num_operands(info); n++)
         vary_operand(&base, n);
      vary_imm(&base);
      if (valu)
         vary_valu(&base);
      else if (info->format == HD_GCN_MIMG)
         vary_image(&base);
      else if (info->format == HD_GCN_EXPORT)
         vary_export(&base);
      else if (info->format >= HD_GCN_SMEM)
         vary_memory(&base);
      for (base.format = 0; info->format == HD_GCN_MTBUF && base.format < 128; base.format++)
         emit(&base);
   }
   if (hd_gcn_op_name(info, gen) && num_ok == before) {
      spec s = { .gen = gen };
      fail(&s, "no operands fit", hd_gcn_op_name(info, gen));
   }
}

static void
all_of(hd_gcn_gen gen)
{
   for (unsigned op = HD_GCN_NUM_PSEUDO_OPS; op < HD_GCN_NUM_OPS; op++)
      all_of_row(gen, (hd_gcn_op)op);
   all_dpp_controls(gen);
}

static int
decode_all(hd_gcn_gen gen)
{
   uint32_t words[2];
   hd_blob text = { 0 };

   while (fread(words, sizeof(words), 1, stdin) == 1) {
      hd_gcn_decoded d;
      unsigned num = hd_gcn_decode(gen, words, 2, &d);
      text.size = 0;
      if (num)
         hd_gcn_inst_print(gen, &d.inst, &text);
      printf("%u\t%s\n", num, num ? text.data : "");
   }
   hd_blob_finish(&text);
   return 0;
}

static void
print_reason(void *user, const hd_diag *diag)
{
   (void)user;
   printf("%s\n", diag->message);
}

static int
read_all(hd_gcn_gen gen)
{
   const hd_config config = { .diag = { .report = print_reason } };
   char line[512];

   while (fgets(line, sizeof(line), stdin)) {
      hd_gcn_reader r;
      hd_gcn_decoded d;
      hd_mach_word target;
      uint32_t words[5];
      hd_gcn_reader_init(&r, gen, &config, NULL, line, strlen(line));
      if (!hd_gcn_read_inst(&r, &d, &target))
         continue;
      unsigned num = hd_gcn_encode(gen, &d.inst, words, NULL);
      for (unsigned n = 0; n < num; n++)
         printf("%08x", words[n]);
      printf("\n");
   }
   return 0;
}

int
main(int argc, char **argv)
{
   if (argc == 3) {
      hd_gcn_gen gen = hd_gcn_gen_find(argv[2]);
      if (strcmp(argv[1], "--decode") == 0)
         return gen < HD_GCN_NUM_GENS ? decode_all(gen) : 2;
      if (strcmp(argv[1], "--read") == 0)
         return gen < HD_GCN_NUM_GENS ? read_all(gen) : 2;
      for (unsigned op = 0; op < HD_GCN_NUM_OPS && gen < HD_GCN_NUM_GENS; op++)
         printf("%s\n", hd_gcn_op_name(&hd_gcn_op_infos[op], gen)
                            ? hd_gcn_op_name(&hd_gcn_op_infos[op], gen)
                            : "");
      return 0;
   }
   if (argc != 2)
      return 2;
   checking = strcmp(argv[1], "--check") == 0;
   for (unsigned gen = 0; gen < HD_GCN_NUM_GENS; gen++) {
      if (checking || hd_gcn_gen_find(argv[1]) == (hd_gcn_gen)gen)
         all_of((hd_gcn_gen)gen);
   }
   if (checking) {
      printf("1..1\n%sok 1 - %lu cases come back, %lu are refused, %lu failed\n",
             num_failed ? "not " : "", num_ok, num_refused, num_failed);
   }
   return num_failed != 0 || num_ok == 0;
}
