/* SPDX-License-Identifier: MIT */
/* program_text.c - Gen9's operands in the text of a program between two phases. */
#include <inttypes.h>

#include "backend/gen9/program.h"
#include "machine/text/program.h"

static void
print_register(const hd_mach_operand *o, hd_blob *out)
{
   const bool vector = o->reg >= HD_GEN9_V0;

   hd_blob_printf(out, "%c%u", vector ? 'r' : 'u', o->reg - (vector ? HD_GEN9_V0 : 0u));
}

static void
print_operand(const hd_mach_program *p, const hd_mach_operand *o, hd_blob *out)
{
   if (!o->size) {
      hd_blob_printf(out, "none");
   } else if (hd_gen9_is_constant(o)) {
      hd_blob_printf(out, "0x%" PRIx32, hd_gen9_constant(o));
   } else if (hd_mach_is_temp(o)) {
      hd_mach_value_print(p, o, out);
      if (o->reg != HD_MACH_NO_REG) {
         hd_blob_printf(out, "@");
         print_register(o, out);
      }
      hd_blob_printf(out, "%s", o->flags & HD_MACH_OPERAND_KILL ? "!" : "");
   } else if (o->reg == HD_MACH_NO_REG) {
      hd_blob_printf(out, "undef");
   } else {
      print_register(o, out);
   }
}

static const hd_mach_printing rows = { .operand = print_operand };

void
hd_gen9_print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out)
{
   hd_mach_inst_print(p, &rows, inst, out);
}

void
hd_gen9_program_print(const hd_mach_program *p, hd_blob *out)
{
   hd_mach_program_print(p, &rows, out);
}
