/* SPDX-License-Identifier: MIT */
/* lower.c - helpers of lowering passes: replace an instruction by a sequence. */
#include "passes/lower.h"

void
hd_lower_replace(hd_instr *i, hd_def *by, uint32_t first_new)
{
   hd_function *f = hd_block_function(i->block);
   const char *name = by->index >= first_new ? hd_def_name(f, &i->def) : NULL;

   if (name && !hd_def_name(f, by))
      hd_def_set_name(f, by, name);
   hd_def_replace_uses(&i->def, by);
   hd_instr_remove(i);
}

/* What an op always gives for two equal operands it gives for undef too, which is not so of what it
 * is split into. NULL where there is no such value.
 */
static hd_def *
same_operands(hd_builder *b, const hd_instr *i)
{
   const hd_op_info *info = i->kind == HD_INSTR_ALU ? hd_op_get_info((hd_op)i->op) : NULL;

   if (!info || i->num_srcs != 2 || hd_instr_src(i, 0)->def != hd_instr_src(i, 1)->def)
      return NULL;
   switch ((hd_same)info->same) {
   case HD_SAME_ZERO:
   case HD_SAME_FALSE:
      return hd_lower_imm_like(b, &i->def, 0);
   case HD_SAME_ONE:
   case HD_SAME_TRUE:
      return hd_lower_imm_like(b, &i->def, 1);
   case HD_SAME_ALL_ONES:
      return hd_lower_imm_like(b, &i->def, UINT64_MAX);
   default:
      return NULL;
   }
}

bool
hd_lower_instrs(hd_function *f, hd_lower_function *lower, void *data)
{
   hd_builder b = hd_builder_at(hd_before_block(hd_function_start(f)));
   bool progress = false;

   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         b.cursor = hd_before_instr(i);
         b.loc = i->loc;
         b.flags = 0;
         pass_step(f, 1);
         const uint32_t first_new = f->num_defs;
         hd_def *by = lower(&b, i, data);
         if (!by)
            continue;
         hd_def *same = hd_instr_as_const(hd_def_instr(by)) ? by : same_operands(&b, i);
         by = same ? same : by;
         assert(b.result == HD_OK);
         hd_lower_replace(i, by, first_new);
         progress = true;
      }
   }
   return progress;
}

hd_def *
hd_lower_imm(hd_builder *b, unsigned num_components, unsigned bits, uint64_t value)
{
   hd_const_value values[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   for (unsigned c = 0; c < num_components; c++) {
      if (bits == 1)
         values[c].b = value & 1;
      else if (bits == 8)
         values[c].u8 = (uint8_t)value;
      else if (bits == 16)
         values[c].u16 = (uint16_t)value;
      else if (bits == 32)
         values[c].u32 = (uint32_t)value;
      else
         values[c].u64 = value;
   }
   return hd_imm(b, num_components, bits, values);
}

bool
hd_lower_is_splat(const hd_const *c)
{
   for (unsigned n = 1; n < c->instr.def.num_components; n++) {
      if (hd_lower_const(c, n) != hd_lower_const(c, 0))
         return false;
   }
   return true;
}
