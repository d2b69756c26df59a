/* SPDX-License-Identifier: MIT */
/* image.c - register counts of operands of image instructions (MIMG), and export targets. */
#include "backend/gcn/isa/isa.h"

unsigned
hd_gcn_image_data_size(hd_gcn_gen gen, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned mask = (unsigned)inst->imm & 15;
   unsigned num = info->mach.flags & HD_GCN_GATHER ? 4u : 0u;

   for (unsigned n = 0; n < 4 && !(info->mach.flags & HD_GCN_GATHER); n++)
      num += mask >> n & 1;
   num += !num;
   /* gfx8 has a half in each register. */
   if (inst->bits & HD_GCN_D16 && gen >= HD_GCN_GFX900)
      num = (num + 1) / 2;
   return num + (inst->bits & HD_GCN_TFE ? 1u : 0u);
}

unsigned
hd_gcn_image_least_address(const hd_gcn_op_info *info)
{
   unsigned most = 0;
   bool sampler = false;

   for (unsigned n = 0; n < (unsigned)(info->mach.num_defs + info->mach.num_srcs); n++) {
      const hd_mach_operand_info *row = &info->mach.operands[n];
      if (row->field == HD_GCN_FIELD_VADDR)
         most = row->size;
      sampler |= row->field == HD_GCN_FIELD_SSAMP;
   }
   /* One coordinate instead of three, and so many gradients. */
   if (info->mach.flags & HD_GCN_GRADIENTS)
      return most - 6;
   return sampler ? most - 2 : 1;
}

const char *
hd_gcn_export_target_name(unsigned target, int *number)
{
   *number = -1;
   if (target == HD_GCN_EXPORT_MRTZ)
      return "mrtz";
   if (target == HD_GCN_EXPORT_NULL)
      return "null";
   if (target < HD_GCN_EXPORT_MRTZ) {
      *number = (int)target;
      return "mrt";
   }
   if (target >= HD_GCN_EXPORT_POS0 && target < HD_GCN_EXPORT_POS0 + 4) {
      *number = (int)target - HD_GCN_EXPORT_POS0;
      return "pos";
   }
   if (target >= HD_GCN_EXPORT_PARAM0 && target < HD_GCN_EXPORT_PARAM0 + 32) {
      *number = (int)target - HD_GCN_EXPORT_PARAM0;
      return "param";
   }
   return NULL;
}

unsigned
hd_gcn_export_operands(int32_t imm)
{
   const unsigned channels = (unsigned)imm & HD_GCN_EXPORT_CHANNELS;

   if (!(imm & HD_GCN_EXPORT_COMPR))
      return channels;
   return (channels & 3 ? 1u : 0u) | (channels >> 2 ? 2u : 0u);
}
