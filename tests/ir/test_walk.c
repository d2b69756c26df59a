/* SPDX-License-Identifier: MIT */
/* test_walk.c - orders of the tree against recursive ones, on random trees; and the extremes: nests
 * and lists that only a walk without recursion survives.
 */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "heddle/edit.h"
#include "heddle/op_enum.h"
#include "heddle/ops.h"
#include "ir/naive.h"

#define MAX_NODES 4096

typedef struct order {
   const hd_cf_node *all[MAX_NODES], *inner[MAX_NODES];
   size_t num_all, num_inner;
} order;

static void
visit(order *o, const hd_cf_list *list)
{
   for (const hd_cf_node *n = list->first; n; n = n->next) {
      o->all[o->num_all++] = n;
      if (n->kind == HD_CF_IF) {
         visit(o, &hd_node_as_if(n)->then_list);
         visit(o, &hd_node_as_if(n)->else_list);
      } else if (n->kind == HD_CF_LOOP) {
         visit(o, &hd_node_as_loop(n)->body);
         visit(o, &hd_node_as_loop(n)->continue_list);
      }
      if (n->kind != HD_CF_BLOCK)
         o->inner[o->num_inner++] = n;
   }
}

static hd_function *
random_tree(hd_shader *shader, unsigned size)
{
   hd_function *f = hd_function_create(shader, "main", true);
   hd_const *c = hd_const_create(shader, 1, 1, NULL);

   hd_instr_insert(hd_list_start(&f->body), &c->instr);
   for (unsigned n = 0; n < size; n++) {
      hd_function_reindex(f);
      uint32_t chosen = (uint32_t)rand() % (f->num_blocks - 1);
      hd_foreach_block(b, f) {
         if (b->node.index != chosen)
            continue;
         if (rand() % 2)
            hd_insert_if(hd_after_block(b), &c->instr.def);
         else
            hd_insert_loop(hd_after_block(b));
         break;
      }
   }
   return f;
}

static void
test_orders(void **state)
{
   (void)state;
   srand(1);
   for (unsigned size = 0; size < 60; size++) {
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      hd_function *f = random_tree(shader, size);
      order *o = calloc(1, sizeof(*o));
      visit(o, &f->body);
      assert_int_equal(o->num_inner, size);

      size_t n = 0, blocks = 0;
      hd_foreach_node(c, f)
         assert_ptr_equal(c, o->all[n++]);
      assert_int_equal(n, o->num_all);
      for (const hd_cf_node *c = o->all[n - 1]; c; c = hd_cf_node_prev(c))
         assert_ptr_equal(c, o->all[--n]);
      assert_int_equal(n, 0);

      hd_foreach_block(b, f) {
         while (o->all[n]->kind != HD_CF_BLOCK)
            n++;
         assert_ptr_equal(&b->node, o->all[n++]);
         blocks++;
      }
      hd_foreach_block_rev(b, f)
         blocks--;
      assert_int_equal(blocks, 0);

      n = 0;
      hd_foreach_inner_first_safe(c, f)
         assert_ptr_equal(c, o->inner[n++]);
      assert_int_equal(n, size);

      /* The node visited may be removed; of what is left each is still visited once. */
      n = 0;
      hd_foreach_inner_first_safe(c, f) {
         hd_node_remove(c);
         n++;
      }
      assert_int_equal(n, size);
      assert_null(naive_check(f));
      free(o);
      hd_shader_destroy(shader);
   }
}

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
test_ten_thousand_levels(void **state)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_const *c = hd_const_create(shader, 1, 1, NULL);
   hd_cf_list *list = &f->body;
   double begin = seconds();

   (void)state;
   hd_instr_insert(hd_list_start(list), &c->instr);
   for (int level = 0; level < 10000; level++) {
      if (level % 2) {
         list = &hd_insert_if(hd_list_end(list), &c->instr.def)->else_list;
      } else {
         hd_loop *loop = hd_insert_loop(hd_list_end(list));
         list = &loop->body;
      }
   }
   unsigned blocks = 0;
   hd_foreach_block(b, f)
      blocks++;
   assert_int_equal(blocks, 1 + 10000 * 3);
   hd_cf_node *outermost = f->body.first->next;
   hd_cf_range range;
   assert_true(hd_cf_extract(&range, hd_before_node(outermost), hd_after_node(outermost)));
   assert_true(hd_cf_reinsert(&range, hd_list_end(&f->body)));
   assert_true(hd_node_remove(outermost));
   assert_ptr_equal(f->body.first, f->body.last);
   hd_shader_destroy(shader);
   assert_true(seconds() - begin < 5);
}

static void
test_a_hundred_thousand_blocks_in_a_list(void **state)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_const *c = hd_const_create(shader, 1, 1, NULL);
   double begin = seconds();

   (void)state;
   hd_instr_insert(hd_list_start(&f->body), &c->instr);
   for (int n = 0; n < 100000; n++)
      hd_insert_if(hd_list_end(&f->body), &c->instr.def);
   hd_cf_range range;
   assert_true(hd_cf_extract_list(&range, &f->body));
   assert_true(hd_cf_reinsert(&range, hd_list_start(&f->body)));
   hd_foreach_inner_first_safe(n, f)
      hd_node_remove(n);
   assert_ptr_equal(f->body.first, f->body.last);
   hd_shader_destroy(shader);
   assert_true(seconds() - begin < 10);
}

static void
test_wide_phi_and_many_uses(void **state)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_const *c = hd_const_create(shader, 1, 1, NULL);
   double begin = seconds();

   (void)state;
   hd_instr_insert(hd_list_start(&f->body), &c->instr);
   hd_loop *loop = hd_insert_loop(hd_list_end(&f->body));
   hd_block *after = hd_node_next_block(&loop->node);
   hd_phi *phi = hd_phi_insert(after, 1, 1, NULL);
   for (int n = 0; n < 50000; n++) {
      hd_if *nif = hd_insert_if(hd_list_end(&loop->body), &c->instr.def);
      hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL);
      hd_phi_set_src(phi, hd_list_first_block(&nif->then_list), &c->instr.def);
   }
   assert_int_equal(phi->num_srcs, 50000);
   hd_alu *last = NULL;
   for (int n = 0; n < 500000; n++) {
      last = hd_alu_create(shader, HD_OP_IAND, 2, 1, 1);
      hd_instr_set_src(&last->instr, 0, &c->instr.def);
      hd_instr_set_src(&last->instr, 1, &c->instr.def);
      hd_instr_insert(hd_list_end(&f->body), &last->instr);
   }
   hd_def_replace_uses(&c->instr.def, &last->instr.def);
   assert_true(hd_def_is_unused(&c->instr.def));
   hd_def_replace_uses(&last->instr.def, &c->instr.def);
   /* Every other break goes again, and its phi source with it. */
   int n = 0;
   hd_foreach_inner_first_safe(node, f) {
      if (node->kind == HD_CF_IF && n++ % 2)
         hd_node_remove(node);
   }
   assert_int_equal(phi->num_srcs, 25000);
   assert_true(hd_node_remove(&loop->node));
   hd_shader_destroy(shader);
   assert_true(seconds() - begin < 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_orders),
      cmocka_unit_test(test_ten_thousand_levels),
      cmocka_unit_test(test_a_hundred_thousand_blocks_in_a_list),
      cmocka_unit_test(test_wide_phi_and_many_uses),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
