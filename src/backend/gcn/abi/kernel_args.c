/* SPDX-License-Identifier: MIT */
/* kernel_args.c - reflection of kernel arguments: offset, size, and whether each is a pointer. */
#include "backend/gcn/object/metadata.h"
#include "machine/params.h"

/* What the shader loads itself. */
static uint32_t
loaded_args(const hd_mach_program *p, hd_gcn_kernel_arg *args)
{
   const hd_gcn_options *options = hd_gcn_of(p)->options;

   if (!hd_gcn_of(p)->source->kernarg_size)
      return 0;
   if (!options->num_kernargs) {
      args[0] = (hd_gcn_kernel_arg){ .is.size = hd_gcn_of(p)->source->kernarg_size, .align = 16 };
      return 1;
   }
   for (uint32_t n = 0; n < options->num_kernargs; n++)
      args[n] = (hd_gcn_kernel_arg){ options->kernargs[n], 16 };
   return options->num_kernargs;
}

hd_gcn_kernel_arg *
hd_gcn_kernel_args(const hd_mach_program *p, uint32_t *num)
{
   const hd_function *entry = hd_gcn_of(p)->source->first_function;
   const uint8_t *pointers = hd_mach_pointer_params(p->stack, hd_gcn_of(p)->source);
   uint32_t end = hd_gcn_of(p)->source->kernarg_size;
   hd_gcn_kernel_arg *args = hd_stack_alloc_zero(
       p->stack,
       ((size_t)entry->num_params + hd_gcn_of(p)->options->num_kernargs + 1) * sizeof(*args));
   uint32_t n = loaded_args(p, args);

   hd_foreach_instr(i, hd_function_start(entry)) {
      if (i->kind != HD_INSTR_PARAM)
         continue;
      hd_gcn_kernel_arg *a = &args[n++];
      const uint8_t marks = pointers[hd_instr_as_param(i)->param_index];
      a->is.name = hd_def_name(entry, &i->def);
      a->is.offset = hd_mach_param_place(&end, i->def.num_components, i->def.bit_size);
      a->is.size = end - a->is.offset;
      a->is.kind = marks & HD_MACH_PARAM_POINTER ? HD_GCN_KERNARG_GLOBAL : HD_GCN_KERNARG_VALUE;
      a->is.readonly = !(marks & HD_MACH_PARAM_WRITTEN);
      a->align = hd_mach_param_align(i->def.num_components, i->def.bit_size);
   }
   *num = n;
   return args;
}
