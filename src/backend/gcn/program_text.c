/* SPDX-License-Identifier: MIT */
/* program_text.c - printer of machine code between phases, and of the final assembly. */
#include "backend/gcn/isa/print.h"
#include "backend/gcn/output.h"
#include "machine/text/program.h"

static hd_gcn_printer
printer_of(const hd_mach_program *p, hd_blob *out)
{
   return (
       hd_gcn_printer){ .gen = hd_gcn_target_in(p)->gen, .out = out, .program = p, .values = true };
}

static void
print_operand(const hd_mach_program *p, const hd_mach_operand *operand, hd_blob *out)
{
   const hd_gcn_printer printer = printer_of(p, out);

   hd_gcn_operand_print(&printer, operand);
}

void
hd_gcn_print_value(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out)
{
   const hd_gcn_printer printer = printer_of(p, out);

   hd_gcn_print(&printer, inst);
}

void
hd_gcn_program_print(const hd_mach_program *p, hd_blob *out)
{
   static const hd_mach_printing rows = { .operand = print_operand, .inst = hd_gcn_print_value };

   hd_mach_program_print(p, &rows, out);
}

/* The place in the source, when another one than before. */
static void
print_source(const hd_mach_program *p, uint32_t loc, uint32_t *last, hd_blob *out)
{
   if (!loc || loc == *last || loc >= p->shader->num_locations)
      return;
   const hd_location *location = &p->shader->locations[loc];
   *last = loc;
   /* In quotes, so that no name ends the comment. */
   hd_blob_append(out, "; ", 2);
   hd_blob_quote(out, location->file ? location->file : "?");
   hd_blob_printf(out, ":%u:%u\n", location->line, location->column);
}

static void
print_data(const hd_mach_program *p, hd_blob *out)
{
   const unsigned char *data = hd_gcn_of(p)->data;
   uint32_t n = 0;

   for (; n + 4 <= hd_gcn_of(p)->data_size; n += 4)
      hd_blob_printf(out, "   .long 0x%x\n",
                     data[n] | (unsigned)data[n + 1] << 8 | (unsigned)data[n + 2] << 16 |
                         (unsigned)data[n + 3] << 24);
   for (; n < hd_gcn_of(p)->data_size; n++)
      hd_blob_printf(out, "   .byte 0x%x\n", data[n]);
}

void
hd_gcn_program_assembly(const hd_mach_program *p, hd_blob *out)
{
   hd_gcn_printer printer = { .gen = hd_gcn_target_in(p)->gen, .out = out };
   uint32_t last = 0;

   hd_mach_foreach_block(block, p)
   {
      hd_blob_printf(out, "b%u:\n", block->index);
      hd_mach_foreach_inst(inst, block)
      {
         print_source(p, inst->loc, &last, out);
         hd_blob_printf(out, "   ");
         hd_gcn_print(&printer, inst);
         hd_blob_printf(out, "\n");
      }
   }
   print_data(p, out);
}
