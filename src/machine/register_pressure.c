/* SPDX-License-Identifier: MIT */
/* register_pressure.c - register pressure: the most registers that live values need at any point.
 */
#include "machine/spill.h"

/* The source that the instruction overwrites, of a value that is needed after: a copy is. */
static uint32_t
size_of_copies(const hd_mach_program *p, const hd_mach_inst *inst, unsigned file)
{
   uint32_t size = 0;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (hd_mach_tied_def(p->mach, inst, n) >= 0 && hd_mach_is_temp(src) &&
          p->temps[src->value].file == file && !(src->flags & HD_MACH_OPERAND_KILL))
         size += src->size;
   }
   return size;
}

hd_mach_need
hd_mach_need_of(const hd_mach_program *p, const hd_mach_inst *inst, unsigned file)
{
   hd_mach_need need = { .copies = size_of_copies(p, inst, file) };

   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (!hd_mach_is_temp(def) || p->temps[def->value].file != file)
         continue;
      need.results += def->size;
      need.dead += def->flags & HD_MACH_OPERAND_KILL ? def->size : 0;
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      bool again = false;
      if (!hd_mach_is_temp(src) || p->temps[src->value].file != file ||
          !(src->flags & HD_MACH_OPERAND_KILL))
         continue;
      /* Few instructions have many sources, and those are one value each. */
      for (unsigned m = 0; m < n && !again && n < 64; m++)
         again = hd_mach_is_temp(hd_mach_src(inst, m)) && hd_mach_src(inst, m)->value == src->value;
      need.killed += again ? 0 : src->size;
   }
   return need;
}

/* With `live` dwords live before the instruction. */
uint32_t
hd_mach_need_with(const hd_mach_need *need, uint32_t live)
{
   const uint32_t fresh = need->results > need->copies ? need->results - need->copies : 0;

   return live + need->copies + (fresh > need->killed ? fresh - need->killed : 0);
}

uint32_t
hd_mach_block_pressure(const hd_mach_program *p, const hd_mach_live *live,
                       const hd_mach_block *block, unsigned file)
{
   const hd_mach_live_in *in = &live->in[p->mach->files[file].flow][block->index];
   uint32_t now = 0, most, dead = 0;

   for (uint32_t n = 0; n < in->num; n++)
      now += p->temps[in->temps[n]].file == file ? p->temps[in->temps[n]].size : 0;
   const hd_mach_inst *inst = block->first;
   for (; inst && inst->op == HD_MACH_P_PHI; inst = inst->next) {
      const hd_mach_operand *def = hd_mach_def(inst, 0);
      if (p->temps[def->value].file != file)
         continue;
      now += def->size;
      dead += def->flags & HD_MACH_OPERAND_KILL ? def->size : 0;
   }
   most = now;
   now -= dead;
   for (; inst; inst = inst->next) {
      const hd_mach_need need = hd_mach_need_of(p, inst, file);
      const uint32_t here = hd_mach_need_with(&need, now);
      most = here > most ? here : most;
      now = now + need.results - need.killed - need.dead;
   }
   return most;
}

uint32_t
hd_mach_register_pressure(const hd_mach_program *p, const hd_mach_live *live, unsigned file)
{
   uint32_t most = 0;

   hd_mach_foreach_block(block, p)
   {
      const uint32_t here = hd_mach_block_pressure(p, live, block, file);
      most = here > most ? here : most;
   }
   return most;
}
