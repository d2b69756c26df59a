/* SPDX-License-Identifier: MIT */
/* program_text.c - machine code between the phases as text, and the assembly at their end.
 *
 *    .target gfx900
 *    .temp %7 remat
 *    b0:
 *       .logical -> b1 b2
 *       .condition %6:m
 *       p_start %1:s2@s[4:5] =
 *       v_add_f32_e64 %5:v1, %3:v1, 1.0
 *    b1:
 *       .logical b0 -> b2
 *       .linear b0 -> b2
 *       .loop 1 header
 *       ...
 *       .tail
 *       s_cbranch_scc0 b2
 *
 * A block says its predecessors and successors of both kinds, each in order; `.tail` stands before
 * the instruction that hd_mach_block.tail is, `full` says exec_full. `%5:v1` is a value of one
 * vector register, s of scalar ones, m a mask, l a linear vector. program_parse.c reads it back.
 */
#include "backend/gcn/isa/print.h"
#include "backend/gcn/output.h"

static void
print_edges(const hd_mach_block *block, hd_mach_edge_kind kind, const char *name, hd_blob *out)
{
   const hd_mach_edges *edges = &block->edges[kind];

   if (!edges->num_preds && !edges->num_succs)
      return;
   hd_blob_printf(out, "   .%s", name);
   for (uint32_t n = 0; n < edges->num_preds; n++)
      hd_blob_printf(out, " b%u", edges->preds[n]->index);
   if (edges->num_succs)
      hd_blob_printf(out, " ->");
   for (uint32_t n = 0; n < edges->num_succs; n++)
      hd_blob_printf(out, " b%u", edges->succs[n]->index);
   hd_blob_printf(out, "\n");
}

static void
print_block(const hd_gcn_printer *printer, const hd_mach_block *block)
{
   hd_blob *out = printer->out;
   const hd_mach_condition *condition = &block->condition;

   hd_blob_printf(out, "b%u:\n", block->index);
   print_edges(block, HD_MACH_LOGICAL, "logical", out);
   print_edges(block, HD_MACH_LINEAR, "linear", out);
   if (block->loop_depth || block->loop_header)
      hd_blob_printf(out, "   .loop %u%s\n", block->loop_depth,
                     block->loop_header ? " header" : "");
   if (block->exec_full)
      hd_blob_printf(out, "   .full\n");
   if (condition->value.size) {
      hd_blob_printf(out, "   .condition ");
      hd_gcn_operand_print(printer, &condition->value);
      hd_blob_printf(out, "%s%s\n", condition->negate ? " not" : "",
                     condition->uniform ? " uniform" : "");
   }
   hd_mach_foreach_inst(inst, block)
   {
      if (inst == block->tail)
         hd_blob_printf(out, "   .tail\n");
      hd_blob_printf(out, "   ");
      hd_gcn_print(printer, inst);
      hd_blob_printf(out, "\n");
   }
}

/* What the operands of a value do not say. */
static void
print_temps(const hd_mach_program *p, hd_blob *out)
{
   for (uint32_t n = 1; n < p->num_temps; n++) {
      const hd_mach_temp *temp = &p->temps[n];
      unsigned usual = temp->file == HD_GCN_VGPR || temp->size == 1 ? 1 : temp->size == 2 ? 2 : 4;
      bool remat = temp->flags & HD_MACH_TEMP_REMAT;
      if (!remat && temp->align == usual)
         continue;
      hd_blob_printf(out, ".temp %%%u", n);
      if (remat)
         hd_blob_printf(out, " remat");
      if (temp->align != usual)
         hd_blob_printf(out, " align:%u", temp->align);
      hd_blob_printf(out, "\n");
   }
}

void
hd_gcn_program_print(const hd_mach_program *p, hd_blob *out)
{
   hd_gcn_printer printer = {
      .gen = hd_gcn_target_in(p)->gen, .out = out, .program = p, .values = true
   };

   hd_blob_printf(out, ".target %s\n", hd_gcn_target_in(p)->mach.name);
   if (p->scratch_size)
      hd_blob_printf(out, ".scratch %u\n", p->scratch_size);
   if (p->num_slots)
      hd_blob_printf(out, ".slots %u\n", p->num_slots);
   print_temps(p, out);
   hd_mach_foreach_block(block, p) print_block(&printer, block);
   /* Before the order of the code is known, blocks stand in no list. */
   if (!p->first) {
      for (uint32_t n = 0; n < p->num_blocks; n++)
         print_block(&printer, p->blocks[n]);
   }
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
