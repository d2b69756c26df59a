/* SPDX-License-Identifier: MIT */
/* own.c - intrinsics that the driver has registered: its hook is asked, and appends instructions by
 * the emitter of heddle/emit.h, which hands out numbers for values and checks all that it is given.
 */
#include "heddle/emit.h"
#include "machine/emitted.h"
#include "machine/selector.h"

struct hd_emitter {
   hd_mach_emitted made;
   hd_mach_selector *s;
};

static const hd_emit_value NO_VALUE = { 0 };

bool
hd_emit_refuse(hd_emitter *e, const char *why)
{
   return hd_mach_emitted_refuse(&e->made, why);
}

static hd_emit_value
refuse_op(hd_emitter *e, const char *name, const char *why)
{
   hd_mach_emitted_refuse_op(&e->made, name, why);
   return NO_VALUE;
}

static hd_emit_value
new_value(hd_emitter *e, hd_mach_operand operand, bool boolean)
{
   return (hd_emit_value){ hd_mach_emitted_add(&e->made, operand, boolean) };
}

hd_emit_value
hd_emit_src(hd_emitter *e, unsigned operand, unsigned part)
{
   if (operand >= e->made.info->num_srcs ||
       part >= hd_mach_num_parts(e->made.intrinsic->src[operand].def)) {
      hd_emit_refuse(e,
                     "the hook asks for an operand or component that the intrinsic does not have");
      return NO_VALUE;
   }
   const hd_def *def = e->made.intrinsic->src[operand].def;
   return new_value(e, hd_mach_part(e->s, def, part), def->bit_size == 1);
}

hd_emit_value
hd_emit_constant(hd_emitter *e, uint32_t bits)
{
   return new_value(e, e->s->rows->steps.constant(bits), false);
}

/* How many of the operands are booleans; more than there are: one is no value. */
static unsigned
count_booleans(const hd_emitter *e, unsigned num_srcs, const hd_emit_value *srcs)
{
   unsigned num = 0;

   for (unsigned n = 0; n < num_srcs; n++) {
      const hd_mach_emitted_value *value = hd_mach_emitted_at(&e->made, srcs[n].number);
      if (!value)
         return num_srcs + 1;
      num += value->boolean;
   }
   return num;
}

hd_emit_value
hd_emit_op(hd_emitter *e, const char *name, unsigned num_srcs, const hd_emit_value *srcs)
{
   hd_mach_operand operands[3] = { { 0 } };

   if (e->made.failed)
      return NO_VALUE;
   const hd_mach_own_op op = e->s->rows->find_own(name);
   if (!op.num_srcs)
      return refuse_op(e, name, "expected an instruction of this target that a hook may emit");
   if (num_srcs != op.num_srcs)
      return refuse_op(e, name, "wrong number of operands");
   const unsigned num_booleans = count_booleans(e, num_srcs, srcs);
   if (num_booleans > num_srcs)
      return refuse_op(e, name, "an operand does not exist");
   if (num_booleans && (!op.logic || num_booleans < num_srcs))
      return refuse_op(e, name, "an operand is a boolean");
   for (unsigned n = 0; n < num_srcs; n++)
      operands[n] = hd_mach_emitted_at(&e->made, srcs[n].number)->operand;
   const hd_mach_operand result = e->s->rows->emit_own(e->s, &op, num_booleans != 0, operands);
   return new_value(e, result, op.compares || num_booleans);
}

static unsigned
num_results(const hd_emitter *e)
{
   const hd_def *def = hd_instr_def(&e->made.intrinsic->instr);

   return def ? hd_mach_num_parts(def) : 0;
}

bool
hd_emit_result(hd_emitter *e, unsigned part, hd_emit_value value)
{
   const hd_mach_emitted_value *given =
       hd_mach_emitted_result(&e->made, part, num_results(e), value.number);

   if (!given)
      return false;
   if (given->boolean != (e->made.intrinsic->instr.def.bit_size == 1))
      return hd_emit_refuse(
          e,
          "the hook sets a boolean where the intrinsic has a number, or a number where it has a boolean");
   hd_mach_emitted_give(&e->made, part, given->operand);
   return true;
}

bool
hd_mach_select_own(hd_mach_selector *s, const hd_intrinsic *i, hd_select_own *hook, void *user)
{
   hd_emitter e = { .s = s };

   if (!hook)
      return hd_mach_refuse_intrinsic(s, i);
   hd_mach_emitted_init(&e.made, s->p, i);
   if (!hd_mach_emitted_end(&e.made, hook(user, &e, i), num_results(&e)))
      return false;
   if (e.made.info->divergence == HD_DIVERGENCE_UNIFORM && s->rows->first_lane) {
      for (unsigned n = 0; n < num_results(&e); n++)
         e.made.results[n] = s->rows->first_lane(s, e.made.results[n]);
   }
   if (num_results(&e))
      hd_mach_set_parts(s, hd_instr_def(&i->instr), e.made.results);
   return true;
}
