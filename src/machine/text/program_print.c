/* SPDX-License-Identifier: MIT */
/* program_print.c - printer of machine code between two phases: program.h shows the syntax. */
#include <inttypes.h>

#include "machine/text/program.h"

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

void
hd_mach_value_print(const hd_mach_program *p, const hd_mach_operand *operand, hd_blob *out)
{
   const unsigned flags = p->temps[operand->value].flags;

   hd_blob_printf(out, "%%%" PRIu32 ":%c%u", operand->value,
                  flags & HD_MACH_TEMP_MASK                 ? 'm'
                  : flags & HD_MACH_TEMP_LINEAR             ? 'l'
                  : operand->flags & HD_MACH_OPERAND_VECTOR ? 'v'
                                                            : 's',
                  operand->size);
}

static void
print_register(const hd_mach *mach, unsigned reg, hd_blob *out)
{
   const hd_mach_file *vectors = &mach->files[mach->file_of[HD_MACH_LOGICAL]];
   const hd_mach_file *scalars = &mach->files[mach->file_of[HD_MACH_LINEAR]];
   const hd_mach_file *file = reg >= vectors->name_0 ? vectors : scalars;

   hd_blob_printf(out, "%c%u", file->letter, reg - file->name_0);
}

static void
print_operand(const hd_mach_program *p, const hd_mach_printing *rows, const hd_mach_operand *o,
              hd_blob *out)
{
   if (rows) {
      rows->operand(p, o, out);
   } else if (!o->size) {
      hd_blob_printf(out, "none");
   } else if (hd_mach_is_temp(o)) {
      hd_mach_value_print(p, o, out);
      if (o->reg != HD_MACH_NO_REG) {
         hd_blob_printf(out, "@");
         print_register(p->mach, o->reg, out);
      }
      hd_blob_printf(out, "%s", o->flags & HD_MACH_OPERAND_KILL ? "!" : "");
   } else if (hd_mach_is_constant(p->mach, o)) {
      hd_blob_printf(out, "0x%" PRIx32, hd_mach_bits(p->mach, o));
   } else if (o->reg == HD_MACH_NO_REG) {
      hd_blob_printf(out, "undef");
   } else {
      print_register(p->mach, o->reg, out);
   }
}

static void
print_plainly(const hd_mach_program *p, const hd_mach_printing *rows, const hd_mach_inst *inst,
              hd_blob *out)
{
   hd_blob_printf(out, "%s", p->mach->op_name(p->mach, inst->op));
   for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
      hd_blob_printf(out, n == 0 ? " " : n == inst->num_defs ? " = " : ", ");
      print_operand(p, rows, &inst->operands[n], out);
   }
   if (inst->num_defs && !inst->num_srcs)
      hd_blob_printf(out, " =");
   if (inst->imm)
      hd_blob_printf(out, " imm:%" PRId32, inst->imm);
   if (inst->bits)
      hd_blob_printf(out, " bits:%u", inst->bits);
   if (inst->form)
      hd_blob_printf(out, " form:%u", inst->form);
   for (unsigned n = 0; n < sizeof(inst->mods.bytes); n++) {
      if (inst->mods.bytes[n])
         hd_blob_printf(out, " mod%u:%u", n, inst->mods.bytes[n]);
   }
   if (inst->memory)
      hd_blob_printf(out, " memory:%u", inst->memory);
   if (inst->target)
      hd_blob_printf(out, " -> b%" PRIu32, inst->target->index);
}

void
hd_mach_inst_print(const hd_mach_program *p, const hd_mach_printing *rows, const hd_mach_inst *inst,
                   hd_blob *out)
{
   if (rows && rows->inst)
      rows->inst(p, inst, out);
   else
      print_plainly(p, rows, inst, out);
}

static void
print_block(const hd_mach_program *p, const hd_mach_printing *rows, const hd_mach_block *block,
            hd_blob *out)
{
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
      print_operand(p, rows, &condition->value, out);
      hd_blob_printf(out, "%s%s\n", condition->negate ? " not" : "",
                     condition->uniform ? " uniform" : "");
   }
   hd_mach_foreach_inst(inst, block)
   {
      if (inst == block->tail)
         hd_blob_printf(out, "   .tail\n");
      hd_blob_printf(out, "   ");
      hd_mach_inst_print(p, rows, inst, out);
      hd_blob_printf(out, "\n");
   }
}

/* What the operands of a value do not say. */
static void
print_temps(const hd_mach_program *p, hd_blob *out)
{
   for (uint32_t n = 1; n < p->num_temps; n++) {
      const hd_mach_temp *temp = &p->temps[n];
      const unsigned natural = hd_mach_tuple_align(&p->mach->files[temp->file], temp->size);
      bool remat = temp->flags & HD_MACH_TEMP_REMAT;
      if (!remat && temp->align == natural)
         continue;
      hd_blob_printf(out, ".temp %%%u", n);
      if (remat)
         hd_blob_printf(out, " remat");
      if (temp->align != natural)
         hd_blob_printf(out, " align:%u", temp->align);
      hd_blob_printf(out, "\n");
   }
}

void
hd_mach_program_print(const hd_mach_program *p, const hd_mach_printing *rows, hd_blob *out)
{
   hd_blob_printf(out, ".target %s\n", p->mach->name);
   if (p->scratch_size)
      hd_blob_printf(out, ".scratch %u\n", p->scratch_size);
   if (p->num_slots)
      hd_blob_printf(out, ".slots %u\n", p->num_slots);
   print_temps(p, out);
   hd_mach_foreach_block(block, p) print_block(p, rows, block, out);
   /* Before the order of the code is known, blocks stand in no list. */
   if (!p->first) {
      for (uint32_t n = 0; n < p->num_blocks; n++)
         print_block(p, rows, p->blocks[n], out);
   }
}
