/* SPDX-License-Identifier: MIT */
/* walk.c - look at a function: its tree, its graph, its instructions, the uses of a value. */
#include <stdio.h>

#include "heddle/heddle.h"

static void
show_block(const hd_block *b)
{
   printf("block with %u predecessors, %u successors", (unsigned)b->num_preds,
          (unsigned)b->num_succs);
   unsigned num[HD_NUM_INSTR_KINDS] = { 0 };
   hd_foreach_instr(i, b)
      num[i->kind]++;
   if (num[HD_INSTR_PHI])
      printf(", %u phis", num[HD_INSTR_PHI]);
   if (num[HD_INSTR_ALU])
      printf(", %u alu", num[HD_INSTR_ALU]);
   if (num[HD_INSTR_JUMP])
      printf(", a jump");
   printf("\n");
}

static unsigned
num_phis(const hd_block *b)
{
   unsigned num = 0;

   hd_foreach_phi(phi, b)
      num += phi->num_srcs != 0;
   return num;
}

/* In the order of the code; the walk tells where each if and loop ends, too. */
static void
show_tree(const hd_function *f)
{
   hd_walk walk = { 0 };
   int depth = 0;

   hd_walk_begin(&walk, f);
   do {
      const bool ends = walk.event == HD_WALK_END_IF || walk.event == HD_WALK_END_LOOP;
      const bool between = walk.event == HD_WALK_ELSE || walk.event == HD_WALK_CONTINUE;
      depth -= ends;
      printf("%*s", (depth - between) * 2, "");
      switch (walk.event) {
      case HD_WALK_BLOCK:
         show_block(hd_node_as_block(walk.node));
         break;
      case HD_WALK_IF:
         printf("if on a value with %s\n",
                hd_def_name(f, hd_node_as_if(walk.node)->cond.def) ? "a name" : "no name");
         depth++;
         break;
      case HD_WALK_LOOP:
         printf("loop whose header has %u phis\n",
                num_phis(hd_loop_header(hd_node_as_loop(walk.node))));
         depth++;
         break;
      case HD_WALK_ELSE:
         printf("else\n");
         break;
      case HD_WALK_CONTINUE:
         printf("continue\n");
         break;
      case HD_WALK_END_IF:
         printf("end of the if\n");
         break;
      case HD_WALK_END_LOOP:
         printf("end of the loop\n");
         break;
      }
   } while (hd_walk_next(&walk));
}

/* What reads a value: each use knows its instruction, or the if whose condition it is. */
static void
show_uses(const hd_def *def)
{
   unsigned by_instrs = 0, by_ifs = 0;

   hd_foreach_use(use, def) {
      by_instrs += hd_src_instr(use) != NULL;
      by_ifs += hd_src_if(use) != NULL;
   }
   printf("%u uses by instructions, %u by ifs\n", by_instrs, by_ifs);
}

int
main(void)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "walk");
   hd_def *lane = hd_global_invocation_index(&b);
   hd_def *c = hd_name_def(&b, "is_small", hd_ult(&b, lane, hd_imm_u32(&b, 8)));
   hd_ssa_var *n = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, n, lane);
   hd_push_if(&b, c);
   hd_push_loop(&b);
   hd_break_if(&b, hd_ieq(&b, hd_ssa_read(&b, n), lane));
   hd_ssa_write(&b, n, hd_iadd(&b, hd_ssa_read(&b, n), lane));
   hd_pop_loop(&b);
   hd_pop_if(&b);

   hd_shader *shader;
   if (hd_builder_finish(&b, &shader) != HD_OK)
      return 1;
   hd_foreach_function(f, shader) {
      printf("function %s\n", f->name);
      show_tree(f);
   }
   show_uses(lane);
   show_uses(c);
   hd_shader_destroy(shader);
   return 0;
}
