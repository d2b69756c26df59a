/* SPDX-License-Identifier: MIT */
/* open_args.c - arguments of a kernel without metadata, from the launch. */
#include "backend/gcn/sim/open_args.h"

#include "backend/gcn/object/arg_kinds.h"
#include "util/refuse.h"

#define MAX_ALIGN 128u

/* The largest power of 2 that divides it. */
static uint64_t
align_of(uint64_t size)
{
   const uint64_t align = size & -size;

   return align > MAX_ALIGN ? MAX_ALIGN : align;
}

const hd_gcn_kernel *
hd_gcn_open_args(hd_stack *stack, const hd_gcn_object *object, const hd_gcn_kernel *kernel,
                 const hd_gcn_sim_dispatch_info *info)
{
   hd_gcn_kernel *k = hd_stack_alloc(stack, sizeof(*k));
   hd_gcn_arg *args =
       hd_stack_alloc_zero(stack, (info->num_args + HD_GCN_NUM_ARG_ROWS) * sizeof(*args));
   uint64_t end = 0;

   *k = *kernel;
   k->args = args;
   k->num_args = k->num_explicit_args = info->num_args;
   for (uint32_t n = 0; n < info->num_args; n++) {
      const hd_gcn_sim_arg *from = &info->args[n];
      const uint32_t size = from->value ? from->size : from->shared ? 4 : 8;
      const uint64_t align = size ? align_of(size) : 1;
      end = (end + align - 1) & ~(align - 1);
      args[n] = (hd_gcn_arg){
         .kind = from->value     ? HD_GCN_ARG_VALUE
                 : from->image   ? HD_GCN_ARG_IMAGE
                 : from->sampler ? HD_GCN_ARG_SAMPLER
                 : from->shared  ? HD_GCN_ARG_SHARED_POINTER
                                 : HD_GCN_ARG_GLOBAL_BUFFER,
         .offset = (uint32_t)end,
         .size = size,
      };
      end += size;
      /* Early versions leave the size open. */
      if (end > (kernel->kernarg_size ? kernel->kernarg_size : UINT32_MAX / 2))
         hd_heap_refuse(stack->heap, HD_BAD_LAUNCH,
                        "argument %u ends at byte %u, kernel %s takes %u bytes", n, (unsigned)end,
                        kernel->name, kernel->kernarg_size);
   }
   if (!kernel->kernarg_size)
      k->kernarg_size = (uint32_t)end;
   end = (end + 7) & ~UINT64_C(7);
   for (unsigned n = 0; n < HD_GCN_NUM_ARG_ROWS; n++) {
      const hd_gcn_arg_row *row = &hd_gcn_arg_rows[n];
      const unsigned offset = object->version < 5 ? row->offset_v3 : row->offset_v5;
      if (offset == HD_GCN_NOT_HIDDEN || end + offset + row->size > k->kernarg_size)
         continue;
      args[k->num_args++] =
          (hd_gcn_arg){ .kind = row->kind, .offset = (uint32_t)end + offset, .size = row->size };
   }
   return k;
}
