/* SPDX-License-Identifier: MIT */
/* select_wide.c - instruction selection: sums of 64 bits, of a base and a number, for machines that make them.
 *
 *    low = iadd base, off            base is two registers side by side
 *    high = base' + ext + carry
 *
 *    off, ext    x and 0: without a sign; x and ishr x, 31; or x shifted: ishl x, c and ishr or ushr x, 32 - c,
 *                or, where x is ishl y, d, ishl y, d + c in place of the first
 */
#include "heddle/op_enum.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;

static const hd_alu *
alu_of(const hd_def *def, hd_op op)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   return alu && alu->instr.op == op && alu->instr.def.bit_size <= 64 ? alu : NULL;
}

/* The amount of a shift, or 0. */
static unsigned
amount_of(const hd_alu *shift)
{
   const hd_const *c = shift ? hd_src_as_const(&shift->src[1]) : NULL;

   return c ? c->value[0].u32 & 31 : 0;
}

static bool
is_part(sel *s, const hd_def *def, unsigned reg)
{
   const hd_mach_operand part = hd_mach_part(s, def, 0);

   return !hd_mach_is_temp(&part) && part.reg == reg;
}

/* What is added to the base, whose upper half has this register: `ext` is NULL where it is 0. */
static bool
find_extension(sel *s, const hd_def *sum, unsigned upper, const hd_def **ext)
{
   *ext = NULL;
   if (is_part(s, sum, upper))
      return true;
   const hd_alu *add = alu_of(sum, HD_OP_IADD);
   for (unsigned n = 0; add && n < 2; n++) {
      if (is_part(s, add->src[n].def, upper)) {
         *ext = add->src[!n].def;
         return true;
      }
   }
   return false;
}

static bool
fits(sel *s, const hd_def *off, const hd_def *ext, hd_mach_wide_sum *wide)
{
   const hd_alu *is_signed = ext ? alu_of(ext, HD_OP_ISHR) : NULL;
   const hd_alu *shift = is_signed ? is_signed : ext ? alu_of(ext, HD_OP_USHR) : NULL;
   const hd_alu *left = alu_of(off, HD_OP_ISHL);
   const hd_def *x = off;

   if (ext && !shift)
      return false;
   wide->is_signed = is_signed != NULL;
   wide->shift = 0;
   const hd_def *shifted = shift ? shift->src[0].def : NULL;
   const hd_alu *first = shift ? alu_of(shifted, HD_OP_ISHL) : NULL;
   const bool twice = first && left && first->src[0].def == left->src[0].def;
   const unsigned amount = amount_of(left) - (twice ? amount_of(first) : 0);
   if (left && shift && amount - 1 < 31 && amount + amount_of(shift) == 32 &&
       (twice || shifted == left->src[0].def)) {
      x = shifted;
      wide->shift = (uint8_t)amount;
   } else if (ext && !(is_signed && shift->src[0].def == off && amount_of(shift) == 31)) {
      return false;
   }
   wide->x = hd_mach_part(s, x, 0);
   return !hd_mach_is_constant(s->p->mach, &wide->x) && hd_mach_reaches(s, x, off);
}

bool
hd_mach_find_wide_sum(sel *s, const hd_def *const halves[2], bool (*is_pair)(unsigned reg),
                      hd_mach_wide_sum *wide)
{
   const hd_alu *low = alu_of(halves[0], HD_OP_IADD), *high = alu_of(halves[1], HD_OP_IADD);

   for (unsigned n = 0; low && high && n < 4; n++) {
      const hd_def *base = low->src[n % 2].def, *off = low->src[!(n % 2)].def, *ext;
      if (!hd_mach_is_carry_of(high->src[n / 2].def, base, off))
         continue;
      wide->base = hd_mach_part(s, base, 0);
      if (hd_mach_is_temp(&wide->base) || !is_pair(wide->base.reg))
         continue;
      if (find_extension(s, high->src[!(n / 2)].def, wide->base.reg + 1u, &ext) &&
          fits(s, off, ext, wide))
         return true;
   }
   return false;
}
