/* SPDX-License-Identifier: MIT */
/* lower_access_sizes.c - hd_lower_access for a machine that options describe.
 *
 *    %1:32x3 = load_global %p align_mul=4     =>    %2:32x2 = load_global %p align_mul=4
 *    (components=2)                                 %3:32 = load_global %p align_mul=4 offset=8
 *
 * Of the pieces that the machine has, the one with the most bytes is taken, and of those the one with
 * components of the access, else with the largest. A load that no piece fits is made of the smallest
 * components.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    what lower_access.c leaves.
 * Tests:     tests/passes/lower_access_sizes.hd, tests/passes/test_lower_access.c
 */
#include "heddle/access.h"
#include "passes/pass.h"

/* A power of two that is not above `n`, which is not 0. */
static uint32_t
power_below(uint32_t n)
{
   while (n & (n - 1))
      n &= n - 1;
   return n;
}

/* What a piece needs: its size, made a power of two, where the machine does not ask for less. */
static uint32_t
alignment_of(uint32_t size, uint32_t most)
{
   uint32_t align = 1;

   while (align < size && align < most)
      align *= 2;
   return align;
}

static hd_access_piece
widest(const hd_access_query *q, void *user)
{
   const lower_access_sizes_options *o = user;
   const uint32_t sizes = q->store ? o->stores : o->loads, most = power_below(o->align);
   const uint32_t known = hd_access_known_align(q);
   hd_access_piece best = { .masked = o->masked };
   uint32_t best_size = 0;

   if (!(o->memory & q->memory))
      return (hd_access_piece){ .bits = q->bits, .num_components = q->num_components, .align = 1 };
   for (unsigned n = 4; n--;) {
      const uint32_t bytes = 1u << n;
      if (!(sizes & bytes))
         continue;
      for (uint32_t num = o->components; num; num--) {
         const uint32_t size = num * bytes, align = alignment_of(size, most);
         if (size <= q->bytes && align <= known &&
             (size > best_size || (size == best_size && 8 * bytes == q->bits))) {
            best_size = size;
            best.bits = (uint8_t)(8 * bytes);
            best.num_components = (uint8_t)num;
            best.align = (uint16_t)align;
         }
      }
   }
   if (best_size || q->store)
      return best;
   const uint32_t least = sizes & -sizes;
   return (hd_access_piece){ .bits = (uint8_t)(8 * least),
                             .num_components = 1,
                             .align = (uint16_t)least };
}

bool
hd_lower_access_sizes(hd_function *f, const lower_access_sizes_options *o)
{
   lower_access_sizes_options options = *o;

   return hd_progress(f, hd_lower_access(f, widest, &options), LOWER_ACCESS_SIZES_KEEPS);
}
