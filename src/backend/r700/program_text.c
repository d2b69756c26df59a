/* SPDX-License-Identifier: MIT */
/* program_text.c - R700's operands in the text of a program between two phases. */
#include <inttypes.h>

#include "backend/r700/program.h"
#include "machine/text/program.h"

static void
print_register(const hd_mach_operand *o, hd_blob *out)
{
   const unsigned n = o->reg - (unsigned)HD_R700_V0;

   if (o->reg < HD_R700_V0)
      hd_blob_printf(out, "u%u", o->reg);
   else
      hd_blob_printf(out, "T%u.%c", n / 4, "XYZW"[n % 4]);
}

static void
print_operand(const hd_mach_program *p, const hd_mach_operand *o, hd_blob *out)
{
   if (!o->size) {
      hd_blob_printf(out, "none");
   } else if (hd_r700_is_number(o)) {
      hd_blob_printf(out, "0x%" PRIx32, hd_r700_number(o));
   } else if (hd_r700_is_constant(o)) {
      hd_blob_printf(out, "CB%" PRIu32 "[%" PRIu32 "]", o->value >> 16, o->value & 0xffff);
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
hd_r700_print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out)
{
   hd_mach_inst_print(p, &rows, inst, out);
}

void
hd_r700_program_print(const hd_mach_program *p, hd_blob *out)
{
   hd_mach_program_print(p, &rows, out);
}
