/* SPDX-License-Identifier: MIT */
/* encode.c - the instruction encoder and decoder. */
#include "backend/nyuzi/isa/isa.h"

#include <string.h>

static const struct form_bits {
   uint8_t format; /* of register and immediate arithmetic */
   uint8_t bits;   /* of a signed immediate, offset or distance; 0: there is none */
   uint8_t low;    /* where it begins */
} forms[] = {
   [HD_NYUZI_FORM_SS] = { 0, 0, 0 },
   [HD_NYUZI_FORM_VS] = { 1, 0, 0 },
   [HD_NYUZI_FORM_VS_MASK] = { 2, 0, 0 },
   [HD_NYUZI_FORM_VV] = { 4, 0, 0 },
   [HD_NYUZI_FORM_VV_MASK] = { 5, 0, 0 },
   [HD_NYUZI_FORM_SI] = { 0, 14, 10 },
   [HD_NYUZI_FORM_VI] = { 1, 14, 10 },
   [HD_NYUZI_FORM_VI_MASK] = { 3, 9, 15 },
   [HD_NYUZI_FORM_HIGH] = { 2, 0, 0 },
   [HD_NYUZI_FORM_MEMORY] = { 0, 15, 10 },
   [HD_NYUZI_FORM_MEMORY_MASK] = { 0, 10, 15 },
   [HD_NYUZI_FORM_CONTROL] = { 0, 0, 0 },
   [HD_NYUZI_FORM_TEST] = { 0, 20, 5 },
   [HD_NYUZI_FORM_BRANCH] = { 0, 25, 0 },
};

#define HIGH_OP    15u
#define CONTROL_OP 6u

static uint32_t
field(const struct form_bits *f, int32_t imm)
{
   return ((uint32_t)imm & ((UINT32_C(1) << f->bits) - 1)) << f->low;
}

static int32_t
imm_of(const struct form_bits *f, uint32_t word)
{
   const uint32_t up = word << (32 - f->bits - f->low);

   return (int32_t)up >> (32 - f->bits);
}

bool
hd_nyuzi_fits(unsigned form, int32_t imm)
{
   const struct form_bits *f = &forms[form];

   if (form == HD_NYUZI_FORM_HIGH)
      return imm >= 0 && imm < 1 << 19;
   if (form == HD_NYUZI_FORM_CONTROL)
      return imm >= 0 && imm < 32;
   if (!f->bits)
      return imm == 0;
   return imm >= -(1 << (f->bits - 1)) && imm < 1 << (f->bits - 1);
}

/* Are fields set that the instruction does not have? */
static bool
has_stray_fields(const hd_nyuzi_word *i)
{
   const unsigned shape = hd_nyuzi_op_infos[i->op].shape;
   const bool second = i->form <= HD_NYUZI_FORM_VV_MASK;

   if ((!hd_nyuzi_form_has_mask(i->form) && i->mask) || (!second && i->src2))
      return true;
   switch (shape) {
   case HD_NYUZI_SHAPE_UNARY:
   case HD_NYUZI_SHAPE_HIGH:
   case HD_NYUZI_SHAPE_CONTROL:
   case HD_NYUZI_SHAPE_TEST:
      return i->src1 != 0;
   case HD_NYUZI_SHAPE_PLAIN:
      return i->dest || i->src1 || i->src2;
   case HD_NYUZI_SHAPE_BRANCH:
      return i->dest || i->src1;
   case HD_NYUZI_SHAPE_REGISTER:
      return i->imm || i->src1;
   default:
      return false;
   }
}

bool
hd_nyuzi_encode(const hd_nyuzi_word *i, uint32_t *word)
{
   const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[i->op];
   const struct form_bits *f = &forms[i->form];
   const bool load = (info->mach.flags & HD_MACH_LOADS) != 0;

   if (!(info->forms & 1u << i->form) || !hd_nyuzi_fits(i->form, i->imm) ||
       (i->dest | i->src1 | i->src2 | i->mask) >= 32 || has_stray_fields(i))
      return false;
   const uint32_t regs = (uint32_t)i->dest << 5 | i->src1, mask = (uint32_t)i->mask << 10;
   switch (i->form) {
   case HD_NYUZI_FORM_SI:
   case HD_NYUZI_FORM_VI:
   case HD_NYUZI_FORM_VI_MASK:
      *word =
          (uint32_t)f->format << 29 | (uint32_t)info->code << 24 | field(f, i->imm) | mask | regs;
      break;
   case HD_NYUZI_FORM_HIGH:
      *word = UINT32_C(2) << 29 | HIGH_OP << 24 | ((uint32_t)i->imm >> 5) << 10 |
              (uint32_t)i->dest << 5 | ((uint32_t)i->imm & 31);
      break;
   case HD_NYUZI_FORM_MEMORY:
   case HD_NYUZI_FORM_MEMORY_MASK:
      *word = UINT32_C(2) << 30 | (uint32_t)load << 29 | (uint32_t)info->code << 25 |
              field(f, i->imm) | mask | regs;
      break;
   case HD_NYUZI_FORM_CONTROL:
      *word = UINT32_C(2) << 30 | (uint32_t)info->code << 29 | CONTROL_OP << 25 |
              (uint32_t)i->dest << 5 | (uint32_t)i->imm;
      break;
   case HD_NYUZI_FORM_TEST:
      *word = UINT32_C(15) << 28 | (uint32_t)info->code << 25 | field(f, i->imm) | i->dest;
      break;
   case HD_NYUZI_FORM_BRANCH:
      *word = UINT32_C(15) << 28 | (uint32_t)info->code << 25 | field(f, i->imm);
      break;
   default:
      *word = UINT32_C(6) << 29 | (uint32_t)f->format << 26 | (uint32_t)info->code << 20 |
              (uint32_t)i->src2 << 15 | mask | regs;
      break;
   }
   return true;
}

/* The row with this op in this form; `load` distinguishes accesses. */
static unsigned
find(unsigned form, unsigned code, bool load)
{
   const bool memory = form == HD_NYUZI_FORM_MEMORY || form == HD_NYUZI_FORM_MEMORY_MASK;

   for (unsigned op = HD_NYUZI_FIRST_OP; op < HD_NYUZI_NUM_OPS; op++) {
      const hd_nyuzi_op_info *info = &hd_nyuzi_op_infos[op];
      if (info->forms & 1u << form && info->code == code &&
          (!memory || load == ((info->mach.flags & HD_MACH_LOADS) != 0)))
         return op;
   }
   return HD_MACH_OP_NONE;
}

static unsigned
form_of_format(unsigned first, unsigned last, unsigned format)
{
   for (unsigned form = first; form <= last; form++) {
      if (forms[form].format == format)
         return form;
   }
   return HD_NYUZI_FORM_BRANCH; /* no arithmetic has it */
}

static void
decode_memory(uint32_t word, hd_nyuzi_word *i)
{
   const bool load = word >> 29 & 1;
   const unsigned code = word >> 25 & 15;

   i->dest = word >> 5 & 31;
   i->src1 = word & 31;
   if (code == CONTROL_OP) {
      i->form = HD_NYUZI_FORM_CONTROL;
      i->op = (uint16_t)find(i->form, load, false);
      i->imm = i->src1;
      i->src1 = 0;
      return;
   }
   i->form = HD_NYUZI_FORM_MEMORY;
   i->op = (uint16_t)find(i->form, code, load);
   if (i->op == HD_MACH_OP_NONE) {
      i->form = HD_NYUZI_FORM_MEMORY_MASK;
      i->op = (uint16_t)find(i->form, code, load);
      i->mask = word >> 10 & 31;
   }
   i->imm = imm_of(&forms[i->form], word);
}

static void
decode_branch(uint32_t word, hd_nyuzi_word *i)
{
   const unsigned type = word >> 25 & 7;

   i->form = HD_NYUZI_FORM_BRANCH;
   i->op = (uint16_t)find(i->form, type, false);
   if (i->op == HD_MACH_OP_NONE) {
      i->form = HD_NYUZI_FORM_TEST;
      i->op = (uint16_t)find(i->form, type, false);
      i->dest = word & 31;
   }
   i->imm = imm_of(&forms[i->form], word);
}

static void
decode_arithmetic(uint32_t word, hd_nyuzi_word *i)
{
   const bool immediate = !(word >> 31);

   i->dest = word >> 5 & 31;
   i->src1 = word & 31;
   if (!immediate) {
      i->form = (uint8_t)form_of_format(HD_NYUZI_FORM_SS, HD_NYUZI_FORM_VV_MASK, word >> 26 & 7);
      i->op = (uint16_t)find(i->form, word >> 20 & 63, false);
      i->src2 = word >> 15 & 31;
      i->mask = word >> 10 & 31;
      return;
   }
   i->form = (uint8_t)form_of_format(HD_NYUZI_FORM_SI, HD_NYUZI_FORM_HIGH, word >> 29 & 3);
   i->op = (uint16_t)find(i->form, word >> 24 & 31, false);
   if (i->form == HD_NYUZI_FORM_HIGH) {
      i->imm = (int32_t)((word >> 10 & 0x3fff) << 5 | (word & 31));
      i->src1 = 0;
      return;
   }
   i->imm = imm_of(&forms[i->form], word);
   if (i->form == HD_NYUZI_FORM_VI_MASK)
      i->mask = word >> 10 & 31;
}

const char *
hd_nyuzi_decode(uint32_t word, hd_nyuzi_word *i)
{
   uint32_t again;

   memset(i, 0, sizeof(*i));
   if (word >> 28 == 14)
      return "unsupported: cache control instruction";
   if (word >> 28 == 15)
      decode_branch(word, i);
   else if (word >> 30 == 2)
      decode_memory(word, i);
   else
      decode_arithmetic(word, i);
   if (i->op == HD_MACH_OP_NONE)
      return "invalid opcode of this format";
   if (!hd_nyuzi_encode(i, &again) || again != word)
      return "a field that the op does not have is not 0";
   return NULL;
}
