/* SPDX-License-Identifier: MIT */
/* cycle_entries.h - loops with several entries (irreducible).
 *
 * In such a loop some lanes start past the header and meet the others at the header in the next
 * iteration. If its back edges are removed, because no lane takes them, the header no longer comes
 * first: it would run once, with all lanes. So those edges stay if lanes enter beside the header. A
 * loop that is entered only at its header is straight-line code without them, with the same lanes.
 */
#ifndef HEDDLE_PASSES_CYCLE_ENTRIES_H
#define HEDDLE_PASSES_CYCLE_ENTRIES_H

#include "passes/pass.h"

/* By index of a cycle of a flat function: is it, or one around it, entered beside its header? On
 * the shader's stack. HD_META_CYCLES must be there, and is not needed any more afterwards.
 */
static inline bool *
cycle_entries_find(hd_function *f)
{
   const uint32_t num = hd_function_num_cycles(f);
   bool *several = hd_stack_alloc(hd_shader_stack(f->shader), num + 1);

   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      several[n] = c->has_other_entries || (c->parent && several[c->parent->index]);
   }
   return several;
}

/* Is a block in one of those? */
static inline bool
entries_around(const bool *several, const hd_block *b)
{
   const hd_cycle *c = hd_block_cycle(b);

   return c && several[c->index];
}

#endif
