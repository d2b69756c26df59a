/* SPDX-License-Identifier: MIT */
/* Seed 004's example program has exactly the blocks, clusters and edges of the seed's picture, plus
 * the continue block that every loop has here.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive.h"

/* The program of the example itself. */
#define main example_main
#include "../../examples/seed004.c"
#undef main

/* The picture, in the order of the text: clusters, and the names that the seed gives to blocks. */
static const char clusters[] = "main { start "
                               "if1 { then1 { then1_block } else1 { else1_block } } "
                               "pre_loop "
                               "loop { body { loop_header "
                               "if2 { then2 { then2_block } else2 { else2_block } } "
                               "loop_middle_block "
                               "if3 { then3 { then3_block } else3 { else3_block } } "
                               "loop_end_block } continue { continue_block } } "
                               "post_loop } end_block ";

static const char *const names[] = {
   "start",          "then1_block",    "else1_block",       "pre_loop",    "loop_header",
   "then2_block",    "else2_block",    "loop_middle_block", "then3_block", "else3_block",
   "loop_end_block", "continue_block", "post_loop",
};

/* The seed's edges. Its two edges back to the header go to the continue block, which has the one
 * that is left; its invisible edge only places a box.
 */
static const char *const edges[] = {
   "start -> then1_block",
   "start -> else1_block",
   "else1_block -> pre_loop",
   "pre_loop -> loop_header",
   "loop_header -> then2_block",
   "loop_header -> else2_block",
   "else2_block -> loop_middle_block",
   "loop_middle_block -> then3_block",
   "loop_middle_block -> else3_block",
   "then3_block -> continue_block",
   "else3_block -> loop_end_block",
   "loop_end_block -> continue_block",
   "continue_block -> loop_header",
   "then2_block -> post_loop",
   "post_loop -> end_block",
   "then1_block -> end_block",
};

#define NUM_NAMES (sizeof(names) / sizeof(names[0]))
#define NUM_EDGES (sizeof(edges) / sizeof(edges[0]))

/* Blocks get the seed's names in the order of the text. */
static const char *
name_of(const hd_function *f, const hd_block *block)
{
   size_t n = 0;

   if (hd_block_is_end(block))
      return "end_block";
   hd_foreach_block(b, f) {
      if (b == block)
         return n < NUM_NAMES ? names[n] : "one too many";
      n++;
   }
   return "not in the function";
}

/* Its own small recursion: the program is small. */
static void
draw_list(const hd_function *f, const hd_cf_list *list, unsigned *ifs, char *out)
{
   hd_foreach_node_in_list(node, list) {
      const hd_if *nif = hd_node_as_if(node);
      const hd_loop *loop = hd_node_as_loop(node);
      if (nif) {
         unsigned n = ++*ifs;
         sprintf(out + strlen(out), "if%u { then%u { ", n, n);
         draw_list(f, &nif->then_list, ifs, out);
         sprintf(out + strlen(out), "} else%u { ", n);
         draw_list(f, &nif->else_list, ifs, out);
         strcat(out, "} } ");
      } else if (loop) {
         strcat(out, "loop { body { ");
         draw_list(f, &loop->body, ifs, out);
         strcat(out, "} continue { ");
         draw_list(f, &loop->continue_list, ifs, out);
         strcat(out, "} } ");
      } else {
         sprintf(out + strlen(out), "%s ", name_of(f, hd_node_as_block(node)));
      }
   }
}

static void
the_picture(void **state)
{
   hd_shader *shader;
   char drawn[2048] = "main { ", edge[128];
   unsigned ifs = 0;
   size_t num_edges = 0;

   (void)state;
   assert_int_equal(build_seed004(NULL, &shader), HD_OK);
   const hd_function *f = shader->first_function;
   assert_null(naive_check(f));
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   draw_list(f, &f->body, &ifs, drawn);
   strcat(drawn, "} end_block ");
   assert_string_equal(drawn, clusters);

   hd_foreach_block(b, f) {
      for (uint32_t n = 0; n < b->num_succs; n++, num_edges++) {
         snprintf(edge, sizeof(edge), "%s -> %s", name_of(f, b), name_of(f, b->succs[n].to));
         size_t found = 0;
         for (size_t e = 0; e < NUM_EDGES; e++)
            found += !strcmp(edge, edges[e]);
         if (found != 1)
            fail_msg("the picture has no edge %s", edge);
      }
   }
   assert_int_equal(num_edges, NUM_EDGES);
   hd_shader_destroy(shader);
}

/* What stands in the blocks: the jumps of the picture, and nothing in the blocks it calls empty. */
static void
what_the_blocks_hold(void **state)
{
   hd_shader *shader;

   (void)state;
   assert_int_equal(build_seed004(NULL, &shader), HD_OK);
   const hd_function *f = shader->first_function;
   hd_foreach_block(b, f) {
      const char *name = name_of(f, b);
      int jump = hd_block_jump(b) ? hd_block_jump(b)->instr.op : -1;
      int expected = !strcmp(name, "then1_block")   ? HD_JUMP_RETURN
                     : !strcmp(name, "then2_block") ? HD_JUMP_BREAK
                     : !strcmp(name, "then3_block") ? HD_JUMP_CONTINUE
                                                    : -1;
      assert_int_equal(jump, expected);
      if (expected != -1)
         assert_ptr_equal(b->first, b->last);
      if (!strncmp(name, "else", 4) || !strcmp(name, "pre_loop") || !strcmp(name, "post_loop"))
         assert_null(b->first);
   }
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_picture),
      cmocka_unit_test(what_the_blocks_hold),
   };

   (void)example_main;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
