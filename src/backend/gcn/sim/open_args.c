/* SPDX-License-Identifier: MIT */
/* open_args.c - arguments of a kernel without metadata, from the launch. */
#include "backend/gcn/sim/open_args.h"

#include "backend/gcn/sim/refuse.h"

#define MAX_ALIGN 128u

static const struct hidden {
   uint8_t version; /* the first that has it there */
   uint8_t offset, size;
   hd_gcn_arg_kind kind;
} hidden[] = {
   { 3, 0, 8, HD_GCN_ARG_GLOBAL_OFFSET_X },    { 3, 8, 8, HD_GCN_ARG_GLOBAL_OFFSET_Y },
   { 3, 16, 8, HD_GCN_ARG_GLOBAL_OFFSET_Z },   { 5, 0, 4, HD_GCN_ARG_BLOCK_COUNT_X },
   { 5, 4, 4, HD_GCN_ARG_BLOCK_COUNT_Y },      { 5, 8, 4, HD_GCN_ARG_BLOCK_COUNT_Z },
   { 5, 12, 2, HD_GCN_ARG_GROUP_SIZE_X },      { 5, 14, 2, HD_GCN_ARG_GROUP_SIZE_Y },
   { 5, 16, 2, HD_GCN_ARG_GROUP_SIZE_Z },      { 5, 18, 2, HD_GCN_ARG_REMAINDER_X },
   { 5, 20, 2, HD_GCN_ARG_REMAINDER_Y },       { 5, 22, 2, HD_GCN_ARG_REMAINDER_Z },
   { 5, 40, 8, HD_GCN_ARG_GLOBAL_OFFSET_X },   { 5, 48, 8, HD_GCN_ARG_GLOBAL_OFFSET_Y },
   { 5, 56, 8, HD_GCN_ARG_GLOBAL_OFFSET_Z },   { 5, 64, 2, HD_GCN_ARG_GRID_DIMS },
   { 5, 120, 4, HD_GCN_ARG_DYNAMIC_LDS_SIZE }, { 5, 192, 4, HD_GCN_ARG_PRIVATE_BASE },
   { 5, 196, 4, HD_GCN_ARG_SHARED_BASE },      { 5, 200, 8, HD_GCN_ARG_QUEUE_PTR },
};

#define NUM_HIDDEN (sizeof(hidden) / sizeof(hidden[0]))

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
   hd_gcn_arg *args = hd_stack_alloc_zero(stack, (info->num_args + NUM_HIDDEN) * sizeof(*args));
   const uint32_t version = object->version < 5 ? 3 : 5;
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
         .kind = from->value    ? HD_GCN_ARG_VALUE
                 : from->shared ? HD_GCN_ARG_SHARED_POINTER
                                : HD_GCN_ARG_GLOBAL_BUFFER,
         .offset = (uint32_t)end,
         .size = size,
      };
      end += size;
      /* Early versions leave the size open. */
      if (end > (kernel->kernarg_size ? kernel->kernarg_size : UINT32_MAX / 2))
         hd_gcn_refuse_launch(stack->heap, HD_BAD_LAUNCH,
                              "argument %u ends at byte %u, kernel %s takes %u bytes", n,
                              (unsigned)end, kernel->name, kernel->kernarg_size);
   }
   if (!kernel->kernarg_size)
      k->kernarg_size = (uint32_t)end;
   end = (end + 7) & ~UINT64_C(7);
   for (size_t n = 0; n < NUM_HIDDEN; n++) {
      if (hidden[n].version != version || end + hidden[n].offset + hidden[n].size > k->kernarg_size)
         continue;
      args[k->num_args++] = (hd_gcn_arg){ .kind = hidden[n].kind,
                                          .offset = (uint32_t)end + hidden[n].offset,
                                          .size = hidden[n].size };
   }
   return k;
}
