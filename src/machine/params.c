/* SPDX-License-Identifier: MIT */
/* params.c - lower parameters of the entry point to loads from the kernarg segment.
 *
 * They are laid out in order, after the bytes that the shader's own load_kernarg reads, each aligned
 * to its size as in OpenCL C: a vector of three like one of four. A boolean takes a byte.
 *
 *    @k(%0:64, %1:32x3, %2:8)    0: %0    16: %1    28: %2    29 bytes
 */
#include "machine/params.h"

#include "heddle/build.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"

static bool
is_called(const hd_shader *shader, const hd_function *callee)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_CALL && hd_instr_as_call(i)->callee == callee)
               return true;
         }
      }
   }
   return false;
}

static hd_def *
load(hd_builder *b, const hd_def *param, uint32_t offset)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(HD_INTRINSIC_LOAD_KERNARG);
   uint32_t indices[HD_MAX_INDICES];
   hd_def *address = hd_imm_u32(b, offset);
   bool boolean = param->bit_size == 1;

   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_index_get_info((hd_index)info->indices[n])->default_value;
   indices[info->slots[HD_INDEX_ALIGN_MUL] - 1] = 16;
   indices[info->slots[HD_INDEX_ALIGN_OFFSET] - 1] = offset % 16;
   indices[info->slots[HD_INDEX_ACCESS] - 1] = HD_ACCESS_READONLY | HD_ACCESS_SPECULATABLE;
   hd_def *value = hd_build_intrinsic(b, HD_INTRINSIC_LOAD_KERNARG, param->num_components,
                                      boolean ? 8 : param->bit_size, 1, &address, indices);
   if (!boolean)
      return value;
   const hd_const_value zeros[HD_MAX_COMPONENTS] = { 0 };
   return hd_ine(b, value, hd_imm(b, param->num_components, 8, zeros));
}

void
hd_mach_lower_params(hd_shader *shader)
{
   hd_function *f = shader->first_function;
   hd_block *start = hd_function_start(f);
   hd_instr *last = NULL;

   if (!f->num_params || is_called(shader, f))
      return;
   hd_foreach_instr(i, start) {
      if (i->kind != HD_INSTR_PARAM)
         break;
      last = i;
   }
   hd_builder b = hd_builder_at(hd_after_instr(last));
   hd_foreach_instr_safe(i, start) {
      if (i->kind != HD_INSTR_PARAM)
         break;
      uint32_t offset =
          hd_mach_param_place(&shader->kernarg_size, i->def.num_components, i->def.bit_size);
      hd_def_replace_uses(&i->def, load(&b, &i->def, offset));
      hd_instr_remove(i);
   }
   f->num_params = 0;
}
