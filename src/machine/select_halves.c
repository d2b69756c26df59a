/* SPDX-License-Identifier: MIT */
/* select_halves.c - instruction selection: sums of 64 bits as lower_int64 leaves them, in halves.
 *
 *    low = iadd a, b    high = iadd a', b', b2i uadd_carry a, b
 */
#include "heddle/op_enum.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;

static const hd_alu *
alu_of(const hd_def *def, hd_op op)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   return alu && alu->instr.op == op ? alu : NULL;
}

bool
hd_mach_reaches(sel *s, const hd_def *def, const hd_def *computed)
{
   const hd_mach_operand part = hd_mach_part(s, def, 0);

   return !hd_mach_is_temp(&part) || hd_mach_is_vector(s->p, part.value) || !s->p->scalars ||
          s->p->scalars[computed->index];
}

bool
hd_mach_is_carry_of(const hd_def *def, const hd_def *a, const hd_def *b)
{
   const hd_alu *number = alu_of(def, HD_OP_B2I);
   const hd_alu *carry = number ? alu_of(number->src[0].def, HD_OP_UADD_CARRY) : NULL;

   return carry && ((carry->src[0].def == a && carry->src[1].def == b) ||
                    (carry->src[0].def == b && carry->src[1].def == a));
}

/* Constants that are looked for, one added to the other. */
#define MOST_CONSTANTS 4

/* The halves of what a constant is added to. False: none is. */
static bool
take_constant(sel *s, const hd_def *halves[2], uint32_t *offset)
{
   const hd_alu *low = alu_of(halves[0], HD_OP_IADD), *high = alu_of(halves[1], HD_OP_IADD);

   for (unsigned n = 0; low && high && n < 4; n++) {
      const hd_def *sum = low->src[!(n % 2)].def, *upper = high->src[!(n / 2)].def;
      const hd_const *c = hd_src_as_const(&low->src[n % 2]);
      if (!c || c->value[0].u32 > INT16_MAX - *offset ||
          !hd_mach_is_carry_of(high->src[n / 2].def, sum, low->src[n % 2].def) ||
          !hd_mach_reaches(s, sum, halves[0]) || !hd_mach_reaches(s, upper, halves[1]))
         continue;
      *offset += c->value[0].u32;
      halves[0] = sum;
      halves[1] = upper;
      return true;
   }
   return false;
}

bool
hd_mach_find_halves(sel *s, const hd_def *address, const hd_def *halves[2], uint32_t *offset)
{
   const hd_alu *pack = alu_of(address, HD_OP_PACK_64_2X32);
   const hd_alu *pair = pack ? alu_of(pack->src[0].def, HD_OP_VEC) : NULL;

   *offset = 0;
   if (!pair)
      return false;
   halves[0] = pair->src[0].def;
   halves[1] = pair->src[1].def;
   for (unsigned n = 0; n < MOST_CONSTANTS && take_constant(s, halves, offset);)
      n++;
   return true;
}
