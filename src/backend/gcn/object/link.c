/* SPDX-License-Identifier: MIT */
/* link.c - link kernels that were compiled separately into one code object. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/object/object.h"
#include "util/refuse.h"

/* Where a name ends: the descriptor of "f" has the name of a kernel "f.kd". */
static size_t
base_length(const char *name)
{
   size_t length = strlen(name);

   while (length >= 3 && !memcmp(name + length - 3, ".kd", 3))
      length -= 3;
   return length;
}

/* By what is left without all ".kd" after it, then by length. */
static int
by_name(const void *a, const void *b)
{
   const char *x = ((const hd_gcn_object_kernel *)a)->name;
   const char *y = ((const hd_gcn_object_kernel *)b)->name;
   const size_t x_base = base_length(x), y_base = base_length(y);
   const int order = memcmp(x, y, x_base < y_base ? x_base : y_base);

   if (order || x_base != y_base)
      return order ? order : x_base < y_base ? -1 : 1;
   return strlen(x) < strlen(y) ? -1 : strlen(x) > strlen(y);
}

/* Symbols of one name would be those of neighbours in this order. */
static void
check_names(hd_heap *heap, hd_stack *stack, const hd_gcn_object_kernel *kernels, uint32_t num)
{
   hd_gcn_object_kernel *sorted = hd_stack_alloc(stack, num * sizeof(*sorted));

   memcpy(sorted, kernels, num * sizeof(*sorted));
   qsort(sorted, num, sizeof(*sorted), by_name);
   for (uint32_t n = 1; n < num; n++) {
      const char *a = sorted[n - 1].name, *b = sorted[n].name;
      const size_t base = base_length(a), more = strlen(b) - strlen(a);
      if (base == base_length(b) && !memcmp(a, b, base) && (more == 0 || more == 3))
         hd_heap_refuse(heap, HD_INVALID, "two kernels whose symbols have the same name: %s and %s",
                        a, b);
   }
}

static void
link_kernels(hd_heap *heap, hd_stack *stack, const hd_gcn_binary *const *binaries, uint32_t num,
             hd_blob *out)
{
   if (!num || !binaries)
      hd_heap_refuse(heap, HD_INVALID, "expected one kernel or more to link, found none");
   hd_gcn_object_kernel *kernels = hd_stack_alloc(stack, num * sizeof(*kernels));
   for (uint32_t n = 0; n < num; n++) {
      if (binaries[n]->abi != HD_GCN_ABI_HSA)
         hd_heap_refuse(heap, HD_INVALID, "binary %u: expected the ABI HSA, found a driver's", n);
      if (binaries[n]->target != binaries[0]->target)
         hd_heap_refuse(heap, HD_INVALID, "kernels for %s and for %s cannot be in one code object",
                        hd_gcn_gen_name(binaries[0]->target), hd_gcn_gen_name(binaries[n]->target));
      kernels[n] = *hd_gcn_binary_kernel(binaries[n]);
   }
   check_names(heap, stack, kernels, num);
   hd_gcn_object_write(stack, binaries[0]->target, kernels, num, out);
   if (out->result != HD_OK)
      hd_heap_fail(heap, out->result);
}

hd_result
hd_gcn_link(const hd_config *config, const hd_gcn_binary *const *binaries, uint32_t num,
            hd_blob *out)
{
   const size_t size = out->size;
   hd_stack stack;
   hd_unwind u;
   hd_heap heap;

   if (out->result != HD_OK)
      return out->result;
   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u))
      link_kernels(&heap, &stack, binaries, num, out);
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (result != HD_OK && out->data) {
      out->size = size;
      out->data[size] = 0;
   }
   return result;
}
