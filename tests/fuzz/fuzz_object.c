/* SPDX-License-Identifier: MIT */
/* Any bytes to hd_gcn_object_read. What it takes is run: each kernel for a while, with arguments of
 * the kinds that it asks for, so that the simulator sees any instructions. Who refuses must have
 * told why.
 */
#include "heddle/gcn_object.h"

#include "entry.h"

#define MAX_ARGS 16u

static void
hear(void *user, const hd_diag *diag)
{
   (void)diag;
   ++*(unsigned *)user;
}

static void
run(const hd_gcn_object *object, const hd_gcn_kernel *kernel, unsigned *heard)
{
   static const uint8_t value[256] = { 1, 2, 3 };
   uint8_t memory[1024] = { 0 };
   hd_gcn_sim_arg args[MAX_ARGS] = { { 0 } };

   if (kernel->num_explicit_args > MAX_ARGS)
      return;
   for (uint32_t n = 0; n < kernel->num_explicit_args; n++) {
      if (kernel->args[n].kind == HD_GCN_ARG_VALUE && kernel->args[n].size <= sizeof(value))
         args[n] = (hd_gcn_sim_arg){ .value = value, .size = kernel->args[n].size };
      else
         args[n].buffer = (hd_wave_memory){ .data = memory, .size = sizeof(memory) };
   }
   const hd_gcn_sim_dispatch_info info = {
      .grid = { 70 },
      .args = args,
      .num_args = kernel->num_explicit_args,
      .options.max_steps = 1000,
   };
   *heard = 0;
   const hd_result r = hd_gcn_sim_dispatch(object, kernel, &info, NULL);
   must(r == HD_OK || r == HD_BUDGET_EXCEEDED || *heard == 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   unsigned heard = 0;
   const hd_config config = { .budget.memory = 1 << 26,
                              .diag = { .user = &heard, .report = hear } };
   hd_gcn_object *object;
   const hd_result r = hd_gcn_object_read(&config, data, size, NULL, &object);

   if (r != HD_OK) {
      must(heard == 1 || r == HD_BUDGET_EXCEEDED);
      return 0;
   }
   for (uint32_t n = 0; n < object->num_kernels && n < 4; n++)
      run(object, &object->kernels[n], &heard);
   hd_gcn_object_destroy(object);
   return 0;
}
