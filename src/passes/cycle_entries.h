/* SPDX-License-Identifier: MIT */
/* cycle_entries.h - cycles with several entries.
 *
 * In such a cycle some lanes begin behind others and meet them at its header in the next round. If
 * the edges that make it a cycle go, because none takes them, the header no longer comes first: it
 * would run once with all of them. So those edges stay where lanes come in beside the header. A
 * cycle that is entered at its header alone is a line without them, with the same lanes.
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
