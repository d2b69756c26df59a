/* SPDX-License-Identifier: MIT */
/* emitted.c - what a driver's hook for its own intrinsics has made so far: emitted.h. */
#include "machine/emitted.h"

#include <stdio.h>
#include <string.h>

void
hd_mach_emitted_init(hd_mach_emitted *e, hd_mach_program *p, const hd_intrinsic *i)
{
   memset(e, 0, sizeof(*e));
   e->p = p;
   e->intrinsic = i;
   e->info = hd_instr_intrinsic_info(&i->instr);
   e->values = e->first;
   e->num = 1;
   e->capacity = sizeof(e->first) / sizeof(e->first[0]);
}

bool
hd_mach_emitted_refuse(hd_mach_emitted *e, const char *why)
{
   if (!e->failed)
      hd_mach_refuse(e->p, &e->intrinsic->instr, "%s: %s", e->info->name, why);
   e->failed = true;
   return false;
}

bool
hd_mach_emitted_refuse_op(hd_mach_emitted *e, const char *op, const char *why)
{
   char message[160];

   snprintf(message, sizeof(message), "the hook emits %.40s: %s", op, why);
   return hd_mach_emitted_refuse(e, message);
}

uint32_t
hd_mach_emitted_add(hd_mach_emitted *e, hd_mach_operand operand, bool boolean)
{
   if (e->num == e->capacity) {
      hd_mach_emitted_value *old = e->values;
      e->capacity *= 2;
      e->values = hd_stack_alloc(e->p->stack, e->capacity * sizeof(*old));
      memcpy(e->values, old, e->num * sizeof(*old));
   }
   e->values[e->num] = (hd_mach_emitted_value){ operand, boolean };
   return e->num++;
}

const hd_mach_emitted_value *
hd_mach_emitted_at(const hd_mach_emitted *e, uint32_t number)
{
   return number && number < e->num ? &e->values[number] : NULL;
}

const hd_mach_emitted_value *
hd_mach_emitted_result(hd_mach_emitted *e, unsigned part, unsigned num_parts, uint32_t number)
{
   const hd_mach_emitted_value *value = hd_mach_emitted_at(e, number);

   if (e->failed)
      return NULL;
   if (part < num_parts && value && !e->given[part])
      return value;
   hd_mach_emitted_refuse(
       e, "the hook sets an invalid result component, an invalid value, or one component twice");
   return NULL;
}

void
hd_mach_emitted_give(hd_mach_emitted *e, unsigned part, hd_mach_operand operand)
{
   e->results[part] = operand;
   e->given[part] = true;
}

bool
hd_mach_emitted_end(hd_mach_emitted *e, bool selected, unsigned num_parts)
{
   if (!e->failed && !selected)
      hd_mach_emitted_refuse(e, "the hook does not select it");
   for (unsigned n = 0; !e->failed && n < num_parts; n++) {
      if (!e->given[n])
         hd_mach_emitted_refuse(e, "the hook does not set all components of the result");
   }
   return !e->failed;
}
