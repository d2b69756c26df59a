/* SPDX-License-Identifier: MIT */
/* test_extremes.c - large, deep and dense shaders, sound and broken: each would take minutes if
 * anything were quadratic, and overflow the stack if anything were recursive.
 */
#include "support/test.h"

#include <stdint.h>
#include <stdlib.h>

#include "shaders.h"

#include "heddle/check.h"
#include "heddle/edit.h"
#include "heddle/op_enum.h"

static hd_shader *
new_shader(hd_function **f, bool structured)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, "extreme");

   *f = hd_function_create(s, "main", structured);
   return s;
}

static void
count_errors(void *user, const hd_diag *d)
{
   *(unsigned *)user += d->severity == HD_ERROR;
}

static void
expect_valid(hd_shader *s)
{
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   hd_shader_destroy(s);
}

static void
expect_errors(hd_shader *s, unsigned expected)
{
   unsigned num = 0;
   hd_validate_options options = { .diag = { &num, count_errors } };

   assert_int_equal(hd_validate(s, &options), HD_INVALID);
   assert_int_equal(num, expected);
   hd_shader_destroy(s);
}

static hd_def *
new_flag(hd_block *b, hd_shader *s)
{
   return make_const(hd_after_block(b), s, 1, 1);
}

static void
test_deep_ifs(void **state)
{
   hd_function *f;
   hd_shader *s = new_shader(&f, true);
   hd_block *b = hd_function_start(f);
   hd_def *flag = new_flag(b, s);

   (void)state;
   for (unsigned n = 0; n < 10000; n++)
      b = hd_list_first_block(&hd_insert_if(hd_after_block(b), flag)->then_list);
   make_alu(hd_after_block(b), s, HD_OP_INOT, 1, &flag, 0);
   expect_valid(s);
}

static void
test_deep_loops(void **state)
{
   hd_function *f;
   hd_shader *s = new_shader(&f, true);
   hd_block *b = hd_function_start(f);
   hd_def *flag = new_flag(b, s);

   (void)state;
   for (unsigned n = 0; n < 10000; n++) {
      hd_loop *loop = hd_insert_loop(hd_after_block(b));
      hd_if *nif = hd_insert_if(hd_after_block(hd_loop_header(loop)), flag);
      hd_insert_jump(hd_after_block(hd_list_first_block(&nif->then_list)), HD_JUMP_BREAK, NULL);
      /* Every other one goes down in the continue list. */
      b = n & 1 ? hd_loop_continue(loop) : hd_node_next_block(&nif->node);
   }
   expect_valid(s);
}

/* A loop that is left in 50,000 places, with a phi of as many sources: the nearest common dominator
 * of all those places is far up.
 */
static void
test_many_breaks(void **state)
{
   const unsigned num = 50000;
   hd_function *f;
   hd_shader *s = new_shader(&f, true);
   hd_block *start = hd_function_start(f);
   hd_def *flag = new_flag(start, s), *value = make_const(hd_after_block(start), s, 32, 1);
   hd_loop *loop = hd_insert_loop(hd_after_block(start));
   hd_block *b = hd_loop_header(loop);

   (void)state;
   for (unsigned n = 0; n < num; n++) {
      hd_if *nif = hd_insert_if(hd_after_block(b), flag);
      hd_insert_jump(hd_after_block(hd_list_first_block(&nif->then_list)), HD_JUMP_BREAK, NULL);
      b = hd_node_next_block(&nif->node);
   }
   hd_block *after = hd_node_next_block(&loop->node);
   hd_def **srcs = malloc(num * sizeof(*srcs));
   for (unsigned n = 0; n < num; n++)
      srcs[n] = value;
   hd_phi *phi = hd_phi_insert(after, 1, 32, srcs);
   free(srcs);
   assert_int_equal(phi->num_srcs, num);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   /* One value of all these is wrong in each of them. */
   value->bit_size = 16;
   expect_errors(s, 100);
}

static void
test_long_block(void **state)
{
   hd_function *f;
   hd_shader *s = new_shader(&f, true);
   hd_block *b = hd_function_start(f);
   hd_def *value = make_const(hd_after_block(b), s, 32, 1);

   (void)state;
   for (unsigned n = 0; n < 300000; n++)
      make_alu(hd_after_block(b), s, HD_OP_IADD, 2, (hd_def *[]){ value, value }, 0);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   /* A list in another order than the text. */
   hd_src *oldest = hd_instr_src(b->first->next, 0);
   hd_src_unlink(oldest);
   hd_src_link(oldest);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   /* A list without one of its 600,000 sources. */
   hd_src_unlink(hd_instr_src(b->last->prev, 1));
   expect_errors(s, 1);
}

/* A ladder of forward edges is entered at every rung, and the search through it is deep. */
static void
test_ladder(void **state)
{
   enum { NUM = 50000 };
   hd_function *f;
   hd_shader *s = new_shader(&f, false);
   hd_block **blocks = malloc((NUM + 2) * sizeof(*blocks));
   hd_def *flag = new_flag(hd_function_start(f), s);

   (void)state;
   blocks[0] = hd_function_start(f);
   for (unsigned n = 1; n < NUM + 2; n++)
      blocks[n] = hd_flat_block_create(f);
   for (unsigned n = 0; n < NUM; n++)
      hd_flat_goto_if(blocks[n], flag, blocks[n + 1], blocks[n + 2]);
   /* Irreducible: two ends of it go back to both beginnings. */
   hd_flat_goto_if(blocks[NUM], flag, blocks[1], blocks[2]);
   hd_flat_goto_if(blocks[NUM + 1], flag, blocks[2], blocks[1]);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   hd_def *late = make_const(hd_before_jump(blocks[NUM / 2]), s, 32, 1);
   make_alu(hd_before_jump(blocks[NUM]), s, HD_OP_INEG, 1, &late, 0);
   free(blocks);
   expect_errors(s, 1);
}

static void
test_wide_switch(void **state)
{
   enum { NUM = 50000 };
   hd_function *f;
   hd_shader *s = new_shader(&f, false);
   hd_block *start = hd_function_start(f), *join = hd_flat_block_create(f);
   hd_block **blocks = malloc(NUM * sizeof(*blocks));
   uint64_t *values = malloc(NUM * sizeof(*values));
   hd_def *selector = make_const(hd_after_block(start), s, 32, 1);

   (void)state;
   for (unsigned n = 0; n < NUM; n++) {
      blocks[n] = hd_flat_block_create(f);
      hd_flat_goto(blocks[n], join);
      values[n] = n * UINT64_C(2654435761) & 0xffffffff;
   }
   hd_jump *jump = hd_flat_switch(start, selector, join, NUM, values, blocks);
   hd_flat_return(join, NULL);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   jump->cases[NUM - 1].value = values[0];
   free(blocks);
   free(values);
   expect_errors(s, 1);
}

static void
test_long_chain_of_members(void **state)
{
   enum { NUM = 50000 };
   hd_function *f;
   hd_shader *s = new_shader(&f, false);
   hd_block *b = hd_function_start(f), *first = NULL;

   (void)state;
   for (unsigned n = 0; n < NUM; n++) {
      hd_block *next = hd_flat_block_create(f);
      hd_flat_goto(b, next);
      next->loop_header = n ? b : NULL;
      first = n ? first : next;
      b = next;
   }
   hd_flat_return(b, NULL);
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   first->loop_header = b;
   expect_errors(s, 1);
}

static void
test_many_functions(void **state)
{
   enum { NUM = 2000 };
   hd_function *before, *f, *first;
   hd_shader *s = new_shader(&first, true);

   (void)state;
   before = first;
   for (unsigned n = 1; n < NUM; n++) {
      char name[16];
      snprintf(name, sizeof(name), "f%u", n);
      f = hd_function_create(s, name, true);
      hd_call *call = hd_call_create(s, f, 0);
      hd_instr_insert(hd_after_block(hd_function_start(before)), &call->instr);
      before = f;
   }
   assert_int_equal(hd_validate(s, NULL), HD_OK);
   hd_call *call = hd_call_create(s, first, 0);
   hd_instr_insert(hd_after_block(hd_function_start(before)), &call->instr);
   expect_errors(s, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_deep_ifs),
      cmocka_unit_test(test_deep_loops),
      cmocka_unit_test(test_many_breaks),
      cmocka_unit_test(test_long_block),
      cmocka_unit_test(test_ladder),
      cmocka_unit_test(test_wide_switch),
      cmocka_unit_test(test_long_chain_of_members),
      cmocka_unit_test(test_many_functions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
