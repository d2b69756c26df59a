/* SPDX-License-Identifier: MIT */
/* uniform_loops.c - loops of a tree that all lanes leave, and go on in to the next iteration, by uniform
 * branches: the pc jumps, and no lane waits.
 */
#include "heddle/walk.h"
#include "machine/flow/flow.h"

typedef struct around {
   uint32_t loop;  /* the innermost one: its index */
   bool divergent; /* an if in it, around what is looked at */
   bool ends;      /* lanes end in it */
} around;

static void
note_jump(bool *loops, around *at, const hd_jump *jump)
{
   if (jump->instr.op != HD_JUMP_BREAK && jump->instr.op != HD_JUMP_CONTINUE)
      at->ends = true;
   else if (at->divergent)
      loops[at->loop] = false;
}

/* Lanes that end leave all loops around. */
void
hd_mach_find_uniform_loops(const hd_mach_program *p, bool *loops)
{
   const size_t num = p->function->num_blocks + (size_t)2;
   const hd_stack_mark mark = hd_stack_get_mark(hd_mach_scratch(p));
   around *at = hd_stack_alloc_zero(hd_mach_scratch(p), num * sizeof(*at));
   hd_walk walk = { .user = NULL };

   hd_walk_begin(&walk, p->function);
   do {
      const hd_block *b = hd_node_as_block(walk.node);
      const hd_loop *loop = hd_node_as_loop(walk.node);
      if (b && hd_block_jump(b))
         note_jump(loops, at, hd_block_jump(b));
      if (walk.event == HD_WALK_IF) {
         const hd_mach_block *before = p->by_ir[hd_node_prev_block(walk.node)->node.index];
         at[1] = (around){ at->loop, at->divergent || !before->condition.uniform, false };
         at++;
      } else if (walk.event == HD_WALK_LOOP) {
         const uint32_t index = hd_loop_header(loop)->node.index;
         at[1] = (around){ index, false, false };
         loops[index] = true;
         at++;
      } else if (walk.event == HD_WALK_END_IF || walk.event == HD_WALK_END_LOOP) {
         if (loop && at->ends)
            loops[at->loop] = false;
         at[-1].ends |= at->ends;
         at--;
      }
   } while (hd_walk_next(&walk));
   hd_stack_release(hd_mach_scratch(p), mark);
}
