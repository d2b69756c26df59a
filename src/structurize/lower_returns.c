/* SPDX-License-Identifier: MIT */
/* lower_returns.c - merge returns of a flat function into one.
 *
 *    b1:                            b1:
 *      return %1                      goto b3
 *    b2:                    =>      b2:
 *      return %2                      goto b3
 *                                   b3:
 *                                     %3 = phi b1: %1, b2: %2
 *                                     return %3
 *
 * The returning block is always a new one: a block of the input, even an empty one, must not run
 * with more lanes than before. Nothing else changes for any lane. The new block leads only to the
 * end, so it is in no loop, and no loop, header or declaration changes. It runs once, when all
 * lanes that return have arrived. A lane that halts does not: `halt` ends it in the callers too.
 */
#include "structurize/lower_returns.h"
#include "analysis/private.h"
#include "heddle/structurize.h"
#include "structurize/body.h"

struct returns {
   hd_function *f, *work;
};

static bool
returns(const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);

   return jump && jump->instr.op == HD_JUMP_RETURN;
}

static uint32_t
count_returns(hd_function *f)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < f->end.num_preds; n++)
      num += returns(f->end.preds[n].from);
   return num;
}

static void
lower_flat(hd_function *work)
{
   hd_stack *stack = hd_shader_stack(work->shader);
   uint32_t num = 0;
   hd_def **values = hd_stack_alloc(stack, work->end.num_preds * sizeof(*values));
   hd_block *last = hd_flat_block_create(work);

   hd_foreach_block(b, work) {
      hd_heap_step(hd_shader_heap(work->shader), 1);
      if (!returns(b))
         continue;
      const hd_jump *jump = hd_block_jump(b);
      uint32_t loc = jump->instr.loc;
      values[num++] = jump->instr.num_srcs ? jump->src[0].def : NULL;
      hd_flat_clear_jump(b);
      hd_flat_goto(b, last)->instr.loc = loc & 0xffffff;
   }
   /* Its predecessors are in the order in which they were made. */
   hd_def *value = NULL;
   if (work->result_components)
      value = &hd_phi_insert(last, work->result_components, work->result_bits, values)->instr.def;
   hd_flat_return(last, value);
}

/* `work` stays NULL if there is nothing to do. */
static void
lower(struct returns *r)
{
   if (r->f->structured ? hd_tree_returns_at_end(r->f) : count_returns(r->f) < 2)
      return;
   r->work = hd_body_copy(r->f);
   if (r->f->structured)
      hd_lower_returns_of_tree(r->work);
   else
      lower_flat(r->work);
}

hd_result
hd_lower_returns(hd_function *f)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct returns r = { .f = f };
   hd_result result = HD_OK;
   hd_unwind u;

   /* Flat functions are what front ends build. */
   if (!f->structured)
      result = hd_body_begin(f);
   else if (!heap->unwind)
      hd_heap_refill(heap);
   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      lower(&r);
   result = hd_heap_leave(heap, &u);
   if (result == HD_OK && r.work)
      hd_body_swap(f, r.work);
   else
      hd_body_drop(r.work);
   hd_stack_release(stack, mark);
   return result;
}
