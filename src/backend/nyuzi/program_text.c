/* SPDX-License-Identifier: MIT */
/* program_text.c - a program between two phases, as text. */
#include <inttypes.h>

#include "backend/nyuzi/program.h"

static void
print_operand(const hd_mach_program *p, const hd_mach_operand *o, hd_blob *out)
{
   if (o->flags & HD_MACH_OPERAND_UNDEF || !o->size)
      hd_blob_printf(out, "undef");
   else if (hd_nyuzi_is_constant(o))
      hd_blob_printf(out, "0x%" PRIx32, hd_nyuzi_constant(o));
   else if (hd_mach_is_temp(o))
      hd_blob_printf(out, "%%%" PRIu32 "%s", o->value, hd_mach_is_vector(p, o->value) ? "v" : "s");
   if (o->reg != HD_MACH_NO_REG && !hd_nyuzi_is_constant(o) && o->size)
      hd_blob_printf(out, "%s%c%u", hd_mach_is_temp(o) ? ":" : "",
                     o->reg >= HD_NYUZI_V0 ? 'v' : 's', (unsigned)o->reg & 31);
}

static void
print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out)
{
   hd_blob_printf(out, "   ");
   for (unsigned n = 0; n < inst->num_defs; n++) {
      print_operand(p, hd_mach_def(inst, n), out);
      hd_blob_printf(out, n + 1u < inst->num_defs ? ", " : " = ");
   }
   hd_blob_printf(out, "%s", hd_nyuzi_info(inst)->name);
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_blob_printf(out, n ? ", " : " ");
      print_operand(p, hd_mach_src(inst, n), out);
   }
   if (inst->imm)
      hd_blob_printf(out, " imm %" PRId32, inst->imm);
   if (inst->mods.bytes[0])
      hd_blob_printf(out, " mask s%u", inst->mods.bytes[0] - 1u);
   if (inst->target)
      hd_blob_printf(out, " -> b%" PRIu32, inst->target->index);
   hd_blob_printf(out, "\n");
}

void
hd_nyuzi_program_print(const hd_mach_program *p, hd_blob *out)
{
   hd_mach_foreach_block(block, p)
   {
      hd_blob_printf(out, "b%" PRIu32 ":", block->index);
      for (unsigned kind = 0; kind < HD_MACH_NUM_EDGE_KINDS; kind++) {
         const hd_mach_edges *edges = &block->edges[kind];
         for (uint32_t n = 0; n < edges->num_succs; n++)
            hd_blob_printf(out, "%s b%" PRIu32,
                           n                         ? ""
                           : kind == HD_MACH_LOGICAL ? "  logical"
                                                     : "  linear",
                           edges->succs[n]->index);
      }
      hd_blob_printf(out, "\n");
      hd_mach_foreach_inst(inst, block) print_inst(p, inst, out);
   }
}
