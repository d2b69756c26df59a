/* SPDX-License-Identifier: MIT */
/* unwritten.c - which loads read memory that nobody has written yet: a forward data-flow analysis. */
#include "analysis/unwritten.h"

#include "heddle/analysis.h"
#include "heddle/ops.h"

/* What others may have written once this has run; `anywhere` is what the function writes. */
static unsigned
writes_of(const hd_intrinsic *i, unsigned anywhere)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (info->flags & HD_EFFECT_BARRIER && info->slots[HD_INDEX_SEMANTICS]) {
      const uint32_t scope = hd_intrinsic_index(i, HD_INDEX_MEM_SCOPE);
      const bool acquires = hd_intrinsic_index(i, HD_INDEX_SEMANTICS) & HD_SEMANTICS_ACQUIRE;
      if (!acquires || !(hd_intrinsic_index(i, HD_INDEX_MEMORY) & HD_SHARED_WRITABLE))
         return 0;
      if (scope >= HD_SCOPE_DEVICE)
         return HD_SHARED_WRITABLE;
      return scope == HD_SCOPE_WORKGROUP && anywhere ? HD_SHARED_WRITABLE : 0;
   }
   if (info->writes & HD_MEMORY_BUFFER &&
       hd_intrinsic_index(i, HD_INDEX_ACCESS) & HD_ACCESS_RESTRICT)
      return HD_MEMORY_BUFFER;
   return info->writes & HD_SHARED_WRITABLE ? HD_SHARED_WRITABLE : 0;
}

static bool
reads_unwritten(const hd_intrinsic *i, unsigned written)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t access = hd_intrinsic_index(i, HD_INDEX_ACCESS);

   if (access & (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT))
      return false;
   return access & HD_ACCESS_READONLY || !(info->reads & written);
}

/* Walk the block from what was written before it; note its loads if asked to. */
static unsigned
walk_block(const hd_block *b, unsigned anywhere, unsigned written, uint8_t *unwritten)
{
   hd_foreach_instr(instr, b) {
      const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
      if (!i)
         continue;
      if (unwritten && instr->def.bit_size)
         unwritten[instr->def.index] = reads_unwritten(i, written);
      written |= writes_of(i, anywhere);
   }
   return written;
}

unsigned
hd_find_unwritten(hd_stack *stack, hd_function *f, uint8_t *unwritten)
{
   uint32_t num, num_queued = 0;
   hd_block *const *order = hd_function_rpo(f, &num);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   uint8_t *in = hd_stack_alloc_zero(stack, num + 1);
   const hd_block **queue = hd_stack_alloc(stack, (3 * (size_t)num + 1) * sizeof(*queue));
   unsigned anywhere = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(instr, b) {
         if (hd_instr_as_intrinsic(instr))
            anywhere |= hd_instr_intrinsic_info(instr)->writes & HD_SHARED_WRITABLE;
      }
   }
   /* Each block is queued again only when there is more at its entry: twice at most. */
   for (uint32_t n = 0; n < num; n++)
      queue[num_queued++] = order[n];
   for (uint32_t n = 0; n < num_queued; n++) {
      const hd_block *b = queue[n];
      const unsigned out = walk_block(b, anywhere, in[hd_block_rpo_index(b)], NULL);
      for (uint32_t k = 0; k < b->num_succs; k++) {
         const hd_block *to = b->succs[k].to;
         if (hd_block_is_end(to))
            continue;
         uint8_t *there = &in[hd_block_rpo_index(to)];
         if (out & ~*there) {
            *there |= (uint8_t)out;
            queue[num_queued++] = to;
         }
      }
   }
   for (uint32_t n = 0; n < num; n++)
      walk_block(order[n], anywhere, in[n], unwritten);
   hd_stack_release(stack, mark);
   return anywhere;
}
