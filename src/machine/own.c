/* SPDX-License-Identifier: MIT */
/* own.c - intrinsics that the driver has registered: its hook is asked, and appends instructions by
 * the emitter of heddle/emit.h, which hands out numbers for values and checks all that it is given.
 */
#include <stdio.h>
#include <string.h>

#include "heddle/emit.h"
#include "machine/selector.h"

#define MAX_PARTS (2 * HD_MAX_COMPONENTS)

struct value {
   hd_mach_operand operand;
   bool boolean;
};

struct hd_emitter {
   hd_mach_selector *s;
   const hd_intrinsic *intrinsic;
   const hd_intrinsic_info *info;
   struct value *values; /* by number; 0 is none */
   uint32_t num, capacity;
   hd_mach_operand results[MAX_PARTS];
   bool given[MAX_PARTS];
   bool failed;
};

static const hd_emit_value NO_VALUE = { 0 };

bool
hd_emit_refuse(hd_emitter *e, const char *why)
{
   if (!e->failed)
      hd_mach_refuse(e->s->p, &e->intrinsic->instr, "%s: %s", e->info->name, why);
   e->failed = true;
   return false;
}

static hd_emit_value
refuse_op(hd_emitter *e, const char *name, const char *why)
{
   char message[160];

   snprintf(message, sizeof(message), "the hook emits %.40s: %s", name, why);
   hd_emit_refuse(e, message);
   return NO_VALUE;
}

static hd_emit_value
new_value(hd_emitter *e, hd_mach_operand operand, bool boolean)
{
   if (e->num == e->capacity) {
      struct value *old = e->values;
      e->capacity *= 2;
      e->values = hd_stack_alloc(e->s->p->stack, e->capacity * sizeof(*old));
      memcpy(e->values, old, e->num * sizeof(*old));
   }
   e->values[e->num] = (struct value){ operand, boolean };
   return (hd_emit_value){ e->num++ };
}

hd_emit_value
hd_emit_src(hd_emitter *e, unsigned operand, unsigned part)
{
   if (operand >= e->info->num_srcs || part >= hd_mach_num_parts(e->intrinsic->src[operand].def)) {
      hd_emit_refuse(e,
                     "the hook asks for an operand or component that the intrinsic does not have");
      return NO_VALUE;
   }
   const hd_def *def = e->intrinsic->src[operand].def;
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
      if (!srcs[n].number || srcs[n].number >= e->num)
         return num_srcs + 1;
      num += e->values[srcs[n].number].boolean;
   }
   return num;
}

hd_emit_value
hd_emit_op(hd_emitter *e, const char *name, unsigned num_srcs, const hd_emit_value *srcs)
{
   hd_mach_operand operands[3] = { { 0 } };

   if (e->failed)
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
      operands[n] = e->values[srcs[n].number].operand;
   const hd_mach_operand result = e->s->rows->emit_own(e->s, &op, num_booleans != 0, operands);
   return new_value(e, result, op.compares || num_booleans);
}

bool
hd_emit_result(hd_emitter *e, unsigned part, hd_emit_value value)
{
   const hd_def *def = hd_instr_def(&e->intrinsic->instr);

   if (e->failed)
      return false;
   if (!def || part >= hd_mach_num_parts(def) || !value.number || value.number >= e->num ||
       e->given[part])
      return hd_emit_refuse(
          e, "the hook sets an invalid result component, an invalid value, or one component twice");
   if (e->values[value.number].boolean != (def->bit_size == 1))
      return hd_emit_refuse(
          e,
          "the hook sets a boolean where the intrinsic has a number, or a number where it has a boolean");
   e->results[part] = e->values[value.number].operand;
   e->given[part] = true;
   return true;
}

static bool
take_results(hd_emitter *e)
{
   const hd_def *def = hd_instr_def(&e->intrinsic->instr);
   hd_mach_selector *s = e->s;
   const bool uniform = e->info->divergence == HD_DIVERGENCE_UNIFORM && s->rows->first_lane;

   if (!def)
      return true;
   for (unsigned n = 0; n < hd_mach_num_parts(def); n++) {
      if (!e->given[n])
         return hd_emit_refuse(e, "the hook does not set all components of the result");
      if (uniform)
         e->results[n] = s->rows->first_lane(s, e->results[n]);
   }
   hd_mach_set_parts(s, def, e->results);
   return true;
}

bool
hd_mach_select_own(hd_mach_selector *s, const hd_intrinsic *i, hd_select_own *hook, void *user)
{
   struct value first[32] = { { .boolean = false } };
   hd_emitter e = { .s = s,
                    .intrinsic = i,
                    .info = hd_instr_intrinsic_info(&i->instr),
                    .values = first,
                    .num = 1,
                    .capacity = 32 };

   if (!hook)
      return hd_mach_refuse_intrinsic(s, i);
   const bool selected = hook(user, &e, i);
   if (e.failed)
      return false;
   return selected ? take_results(&e) : hd_emit_refuse(&e, "the hook does not select it");
}
