/* SPDX-License-Identifier: MIT */
/* The builder: what it makes and what it drops. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/text.h"
#include "naive.h"
#include "support/heard.h"

static char *
text_of(const hd_shader *shader)
{
   hd_blob blob;

   hd_blob_init(&blob, NULL);
   assert_int_equal(hd_print_shader(shader, NULL, &blob), HD_OK);
   char *text = strdup(blob.data);
   hd_blob_finish(&blob);
   return text;
}

/* Finish, expect this body of the only function, and destroy. */
static void
expect_body(hd_builder *b, const char *body)
{
   hd_shader *shader;

   assert_int_equal(hd_builder_finish(b, &shader), HD_OK);
   hd_foreach_function(f, shader)
      assert_null(naive_check(f));
   char *text = text_of(shader);
   char *begin = strstr(text, "function @main {\n");
   assert_non_null(begin);
   begin += strlen("function @main {\n");
   char *end = strstr(begin, "\n  }\n");
   assert_non_null(end);
   end[1] = 0;
   assert_string_equal(begin, body);
   free(text);
   hd_shader_destroy(shader);
}

static void
empty_function(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "empty");
   expect_body(&b, "    b0:\n");
}

static void
ops_infer_their_results(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "ops");
   hd_def *i = hd_global_invocation_index(&b);
   hd_def *v = hd_build_vec(&b, 3, (hd_def *[]){ i, i, hd_imm_u32(&b, 7) });
   assert_int_equal(v->num_components, 3);
   hd_def *h = hd_u2f(&b, v, 16);
   assert_int_equal(h->num_components, 3);
   assert_int_equal(h->bit_size, 16);
   b.flags = HD_FP_EXACT | HD_FP_NO_NAN | HD_ASSUME_UNIFORM;
   hd_def *sum = hd_fadd(&b, h, h);
   assert_int_equal(hd_def_instr(sum)->flags, HD_FP_EXACT | HD_FP_NO_NAN);
   hd_def *cmp = hd_ult(&b, v, v);
   assert_int_equal(hd_def_instr(cmp)->flags, 0);
   assert_int_equal(cmp->bit_size, 1);
   hd_def *one = hd_build_channel(&b, v, 2);
   assert_int_equal(one->num_components, 1);
   assert_ptr_equal(hd_build_channel(&b, one, 0), one);
   assert_ptr_equal(hd_build_vec(&b, 1, &one), one);
   /* The promise is made only where there is an operand to make it of. */
   assert_int_equal(hd_def_instr(hd_broadcast(&b, one, one))->flags, HD_ASSUME_UNIFORM);
   assert_int_equal(hd_def_instr(hd_read_first(&b, one))->flags, 0);
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   assert_null(naive_check(shader->first_function));
   hd_shader_destroy(shader);
}

static void
constants(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "constants");
   static const float floats[3] = { 1.0f, -0.0f, 0.5f };
   static const uint32_t uints[2] = { 3, UINT32_MAX };
   struct {
      hd_def *def;
      unsigned bits;
      uint64_t value;
   } rows[] = {
      { hd_imm_u32(&b, 7), 32, 7 },
      { hd_imm_i32(&b, -1), 32, 0xffffffff },
      { hd_imm_u64(&b, UINT64_MAX), 64, UINT64_MAX },
      { hd_imm_bool(&b, true), 1, 1 },
      { hd_imm_uint(&b, 8, 0x1ff), 8, 0xff },
      { hd_imm_uint(&b, 1, 2), 1, 0 },
      { hd_imm_f32(&b, 1.5f), 32, 0x3fc00000 },
      { hd_imm_f64(&b, -2.0), 64, UINT64_C(0xc000000000000000) },
      { hd_imm_float(&b, 16, 1.0), 16, 0x3c00 },
      { hd_imm_float(&b, 16, 65519.0), 16, 0x7bff },
      { hd_imm_float(&b, 16, 65520.0), 16, 0x7c00 },
      { hd_imm_float(&b, 32, 0.1), 32, 0x3dcccccd },
   };
   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      const hd_const *c = hd_instr_as_const(hd_def_instr(rows[n].def));
      assert_non_null(c);
      assert_int_equal(c->instr.def.bit_size, rows[n].bits);
      assert_true(c->value[0].u64 == rows[n].value);
   }
   const hd_const *v = hd_instr_as_const(hd_def_instr(hd_imm_vec_f32(&b, 3, floats)));
   assert_int_equal(v->instr.def.num_components, 3);
   assert_int_equal(v->value[1].u64, 0x80000000);
   v = hd_instr_as_const(hd_def_instr(hd_imm_vec_u32(&b, 2, uints)));
   assert_int_equal(v->value[1].u64, UINT32_MAX);
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_shader_destroy(shader);
}

/* Cursors: what is built goes where the cursor is, in order, and the cursor stays behind it. */
static void
cursors(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "cursors");
   hd_def *ten = hd_imm_u32(&b, 10);
   hd_def *twenty = hd_imm_u32(&b, 20);
   hd_builder c = hd_builder_at(hd_before_instr(hd_def_instr(twenty)));
   hd_imm_u32(&c, 11);
   hd_imm_u32(&c, 12);
   c = hd_builder_at(hd_after_instr(hd_def_instr(ten)));
   hd_imm_u32(&c, 101);
   hd_imm_u32(&c, 102);
   c = hd_builder_at(hd_list_start(&b.function->body));
   hd_imm_u32(&c, 1);
   hd_imm_u32(&c, 2);
   hd_return(&b, NULL);
   c = hd_builder_at(hd_after_block(hd_function_start(b.function)));
   hd_imm_u32(&c, 30);
   hd_imm_u32(&c, 31);
   expect_body(&b, "    b0:\n"
                   "      %0:32 = const 1\n"
                   "      %1:32 = const 2\n"
                   "      %2:32 = const 10\n"
                   "      %3:32 = const 101\n"
                   "      %4:32 = const 102\n"
                   "      %5:32 = const 11\n"
                   "      %6:32 = const 12\n"
                   "      %7:32 = const 20\n"
                   "      %8:32 = const 30\n"
                   "      %9:32 = const 31\n"
                   "      return\n");
}

/* Control flow in the middle of code: what followed the cursor follows the if. */
static void
push_in_the_middle(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "middle");
   hd_def *t = hd_imm_bool(&b, true);
   hd_def *old = hd_imm_u32(&b, 1);
   hd_builder c = hd_builder_at(hd_before_instr(hd_def_instr(old)));
   hd_push_if(&c, t);
   hd_imm_u32(&c, 2);
   hd_pop_if(&c);
   hd_imm_u32(&c, 3);
   hd_imm_u32(&c, 4);
   assert_int_equal(hd_builder_finish(&c, NULL), HD_OK);
   b.cursor = hd_list_end(&b.function->body);
   hd_imm_u32(&b, 5);
   expect_body(&b, "    b0:\n"
                   "      %0:1 = const true\n"
                   "      if %0 {\n"
                   "        b1:\n"
                   "          %1:32 = const 2\n"
                   "      } else {\n"
                   "        b2:\n"
                   "      }\n"
                   "    b3:\n"
                   "      %2:32 = const 3\n"
                   "      %3:32 = const 4\n"
                   "      %4:32 = const 1\n"
                   "      %5:32 = const 5\n");
}

static void
if_phis(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "phis");
   hd_def *cond = hd_front_facing(&b);
   hd_push_if(&b, cond);
   hd_def *one = hd_imm_u32(&b, 1);
   hd_push_else(&b);
   hd_def *two = hd_imm_u32(&b, 2);
   hd_pop_if(&b);
   hd_def *x = hd_if_phi(&b, one, two);
   hd_def *y = hd_if_phi(&b, two, one);
   assert_ptr_equal(hd_if_phi(&b, cond, cond), cond);
   hd_iadd(&b, x, y);

   /* Only the else-arm falls through: no phi, and the value of the other arm may be dropped. */
   hd_push_if(&b, cond);
   hd_halt(&b);
   hd_def *dropped = hd_imm_u32(&b, 3);
   hd_push_else(&b);
   hd_def *four = hd_imm_u32(&b, 4);
   hd_pop_if(&b);
   assert_ptr_equal(hd_if_phi(&b, dropped, four), four);
   expect_body(&b, "    b0:\n"
                   "      %0:1 = front_facing\n"
                   "      if %0 {\n"
                   "        b1:\n"
                   "          %1:32 = const 1\n"
                   "      } else {\n"
                   "        b2:\n"
                   "          %2:32 = const 2\n"
                   "      }\n"
                   "    b3:\n"
                   "      %3:32 = phi b1: %1, b2: %2\n"
                   "      %4:32 = phi b1: %2, b2: %1\n"
                   "      %5:32 = iadd %3, %4\n"
                   "      if %0 {\n"
                   "        b4:\n"
                   "          halt\n"
                   "      } else {\n"
                   "        b5:\n"
                   "          %6:32 = const 4\n"
                   "      }\n"
                   "    b6:\n");
}

/* What comes after a jump, after an if that is not left and after a loop without break is dropped,
 * with all pushes and pops in it.
 */
static void
dropped_code(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "dropped");
   hd_def *cond = hd_imm_bool(&b, true);

   hd_push_if(&b, cond);
   {
      hd_push_loop(&b);
      hd_push_if(&b, cond);
      hd_continue(&b);
      assert_true(b.dropped);
      assert_null(hd_push_if(&b, cond));
      hd_def *d = hd_imm_u32(&b, 1);
      assert_int_equal(d->bit_size, 32);
      assert_int_equal(hd_iadd(&b, d, d)->bit_size, 32);
      hd_push_else(&b);
      assert_null(hd_push_loop(&b));
      hd_break_if(&b, cond);
      hd_continue(&b);
      hd_push_continue(&b);
      hd_pop_loop(&b);
      hd_pop_if(&b);
      assert_int_equal(hd_if_phi(&b, d, d)->bit_size, 32);
      assert_int_equal(hd_undef(&b, 4, 16)->num_components, 4);
      assert_int_equal(hd_ballot(&b, cond)->num_components, 4);
      hd_barrier(&b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP, 0, 0);
      hd_break(&b);
      hd_return(&b, NULL);
      hd_halt(&b);
      assert_true(b.dropped);
      hd_push_else(&b);
      assert_false(b.dropped);
      hd_return(&b, NULL);
      hd_pop_if(&b);
      assert_true(b.dropped);
      hd_push_continue(&b);
      assert_false(b.dropped);
      hd_imm_u32(&b, 5);
      hd_pop_loop(&b);
      assert_true(b.dropped);
      hd_imm_u32(&b, 6);
   }
   hd_push_else(&b);
   assert_false(b.dropped);
   hd_pop_if(&b);
   assert_false(b.dropped);

   /* Nothing gets to this continue list: it stays empty. */
   hd_push_loop(&b);
   hd_break(&b);
   hd_push_continue(&b);
   assert_true(b.dropped);
   hd_imm_u32(&b, 7);
   hd_pop_loop(&b);
   assert_false(b.dropped);
   hd_imm_u32(&b, 8);
   expect_body(&b, "    b0:\n"
                   "      %0:1 = const true\n"
                   "      if %0 {\n"
                   "        b1:\n"
                   "          loop {\n"
                   "            b2:\n"
                   "              if %0 {\n"
                   "                b3:\n"
                   "                  continue\n"
                   "              } else {\n"
                   "                b4:\n"
                   "                  return\n"
                   "              }\n"
                   "            b5:\n"
                   "          } continue {\n"
                   "            b6:\n"
                   "              %1:32 = const 5\n"
                   "          }\n"
                   "        b7:\n"
                   "      } else {\n"
                   "        b8:\n"
                   "      }\n"
                   "    b9:\n"
                   "      loop {\n"
                   "        b10:\n"
                   "          break\n"
                   "      }\n"
                   "    b11:\n"
                   "      %2:32 = const 8\n");
}

/* do-while: a break inside an if of the continue list. */
static void
break_in_continue_list(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "do_while");
   hd_push_loop(&b);
   hd_def *c = hd_imm_bool(&b, false);
   hd_push_continue(&b);
   hd_break_if(&b, c);
   hd_pop_loop(&b);
   expect_body(&b, "    b0:\n"
                   "      loop {\n"
                   "        b1:\n"
                   "          %0:1 = const false\n"
                   "      } continue {\n"
                   "        b2:\n"
                   "          if %0 {\n"
                   "            b3:\n"
                   "              break\n"
                   "          } else {\n"
                   "            b4:\n"
                   "          }\n"
                   "        b5:\n"
                   "      }\n"
                   "    b6:\n");
}

/* A builder placed into an existing loop finds it for break and continue. */
static void
jumps_of_outer_loops(void **state)
{
   struct heard m = { 0 };
   hd_config config = { .diag = { &m, hear } };

   (void)state;
   hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "outer");
   hd_def *c = hd_imm_bool(&b, false);
   hd_loop *loop = hd_push_loop(&b);
   hd_if *first = hd_push_if(&b, c);
   hd_pop_if(&b);
   hd_if *second = hd_push_if(&b, c);
   hd_pop_if(&b);
   hd_push_continue(&b);
   hd_if *third = hd_push_if(&b, c);
   hd_pop_if(&b);
   hd_pop_loop(&b);

   hd_builder in = hd_builder_at(hd_list_start(&first->then_list));
   hd_break(&in);
   assert_int_equal(hd_builder_finish(&in, NULL), HD_OK);
   in = hd_builder_at(hd_list_start(&second->else_list));
   hd_continue_if(&in, c);
   assert_int_equal(hd_builder_finish(&in, NULL), HD_OK);
   in = hd_builder_at(hd_list_start(&third->then_list));
   hd_break_if(&in, c);
   assert_int_equal(hd_builder_finish(&in, NULL), HD_OK);
   assert_null(naive_check(b.function));
   assert_int_equal(hd_node_next_block(&loop->node)->num_preds, 2);
   assert_int_equal(hd_loop_continue(loop)->num_preds, 2);

   in = hd_builder_at(hd_list_start(&third->then_list));
   hd_continue(&in);
   assert_int_equal(in.result, HD_INVALID);
   assert_string_equal(m.last, "continue: inside the loop's continue list");
   in = hd_builder_at(hd_list_start(&loop->continue_list));
   hd_break(&in);
   assert_string_equal(m.last, "break: a continue list cannot end in a jump");
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_shader_destroy(shader);
}

static void
functions_and_calls(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "calls");
   hd_function *main_function = b.function;
   hd_function *twice = hd_function_create(b.shader, "twice", true);
   hd_function_set_result(twice, 2, 32);
   hd_function *log = hd_function_create(b.shader, "log", false);
   hd_builder_enter(&b, twice);
   hd_def *x = hd_name_def(&b, "x", hd_build_param(&b, 2, 32));
   hd_return(&b, hd_iadd(&b, x, x));
   hd_builder_enter(&b, log);
   hd_return(&b, NULL);
   hd_builder_enter(&b, main_function);
   hd_set_location(&b, "a.c", 12, 3);
   hd_def *v = hd_imm_vec_u32(&b, 2, (uint32_t[]){ 1, 2 });
   hd_def *y = hd_build_call(&b, twice, 1, &v);
   assert_int_equal(y->num_components, 2);
   assert_null(hd_build_call(&b, log, 0, NULL));
   hd_set_location(&b, NULL, 0, 0);
   hd_var *scalar = hd_var_create(b.function, "s", 2, 32, 0);
   hd_var *array = hd_var_create(b.function, "a", 2, 32, 4);
   hd_store_var(&b, scalar, NULL, y);
   hd_def *value = hd_load_var(&b, scalar, NULL);
   hd_store_var(&b, array, hd_imm_u32(&b, 3), value);
   hd_load_var(&b, array, hd_imm_u32(&b, 0));
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   char *text = text_of(shader);
   assert_non_null(strstr(text, "call @twice"));
   assert_non_null(strstr(text, "a.c"));
   assert_int_equal(hd_def_instr(y)->loc, 1);
   assert_int_equal(shader->locations[1].line, 12);
   free(text);
   hd_foreach_function(f, shader)
      assert_null(naive_check(f));
   hd_shader_destroy(shader);
}

static void
flat_functions(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create_flat(NULL, HD_STAGE_COMPUTE, "flat");
   hd_block *loop = hd_builder_add_block(&b), *done = hd_builder_add_block(&b),
            *other = hd_builder_add_block(&b);
   hd_def *i = hd_global_invocation_index(&b);
   hd_goto(&b, loop);
   assert_true(b.dropped);
   hd_imm_u32(&b, 99);
   hd_goto(&b, done);
   hd_builder_set_block(&b, loop);
   hd_switch(&b, i, other, 3, (uint64_t[]){ 1, 2, UINT64_C(0x100000003) },
             (hd_block *[]){ loop, done, other });
   hd_builder_set_block(&b, done);
   hd_def *c = hd_ult(&b, i, i);
   hd_goto_if(&b, c, loop, other);
   hd_builder_set_block(&b, other);
   hd_goto_if(&b, c, hd_builder_add_block(&b), other);
   hd_block *last = hd_list_last_block(&b.function->body);
   hd_builder_set_block(&b, last);
   hd_block *same = hd_builder_add_block(&b);
   hd_goto_if(&b, c, same, same);
   hd_builder_set_block(&b, same);
   hd_block *end = hd_builder_add_block(&b);
   hd_switch(&b, i, end, 0, NULL, NULL);
   hd_builder_set_block(&b, end);
   hd_halt(&b);
   expect_body(&b, "    b0:\n"
                   "      %0:32 = global_invocation_index\n"
                   "      goto b1\n"
                   "    b1:\n"
                   "      switch %0, b3 [ 1: b1, 2: b2, 3: b3 ]\n"
                   "    b2:\n"
                   "      %1:1 = ult %0, %0\n"
                   "      goto_if %1, b1, b3\n"
                   "    b3:\n"
                   "      goto_if %1, b4, b3\n"
                   "    b4:\n"
                   "      goto b5\n"
                   "    b5:\n"
                   "      switch %0, b6 [ ]\n"
                   "    b6:\n"
                   "      halt\n");
}

/* Instructions made by hand, and what happens to those that cannot be inserted. */
static void
made_by_hand(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "hand");
   hd_def *x = hd_global_invocation_index(&b);
   hd_var *var = hd_var_create(b.function, NULL, 1, 32, 0);
   hd_alu *add = hd_alu_create(b.shader, HD_OP_IADD, 2, 1, 32);
   hd_instr_set_src(&add->instr, 0, x);
   hd_instr_set_src(&add->instr, 1, x);
   assert_ptr_equal(hd_build_instr(&b, &add->instr), &add->instr.def);
   hd_var_access *store = hd_store_var_create(b.shader, var);
   hd_instr_set_src(&store->instr, 0, x);
   assert_null(hd_build_instr(&b, &store->instr));
   hd_return(&b, NULL);

   /* Dropped: freed, and answered by size. */
   add = hd_alu_create(b.shader, HD_OP_IADD, 2, 3, 16);
   hd_def *dropped = hd_build_instr(&b, &add->instr);
   assert_int_equal(dropped->num_components, 3);
   store = hd_store_var_create(b.shader, var);
   assert_null(hd_build_instr(&b, &store->instr));
   assert_ptr_equal(hd_name_def(&b, "gone", dropped), dropped);
   assert_int_equal(hd_load_var(&b, var, NULL)->bit_size, 32);
   hd_store_var(&b, var, NULL, x);
   assert_int_equal(hd_build_vec(&b, 2, (hd_def *[]){ x, x })->num_components, 2);
   hd_function *f = hd_function_create(b.shader, "f", true);
   assert_null(hd_build_call(&b, f, 0, NULL));
   hd_function_set_result(f, 4, 8);
   assert_int_equal(hd_build_call(&b, f, 0, NULL)->num_components, 4);
   expect_body(&b, "    var $v:32\n"
                   "    b0:\n"
                   "      %0:32 = global_invocation_index\n"
                   "      %1:32 = iadd %0, %0\n"
                   "      store_var $v, %0\n"
                   "      return\n");
}

static void
two_shaders(void **state)
{
   struct heard m = { 0 };
   hd_config config = { .diag = { &m, hear } };

   (void)state;
   for (unsigned what = 0; what < 3; what++) {
      hd_builder a = hd_builder_create(&config, HD_STAGE_COMPUTE, "a");
      hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "b");
      const char *expected;
      if (what == 0) {
         hd_builder_enter(&a, b.function);
         expected = "enter: function 'main' is of another shader";
      } else if (what == 1) {
         hd_build_call(&a, b.function, 0, NULL);
         expected = "call: function 'main' is of another shader";
      } else {
         hd_alu *neg = hd_alu_create(a.shader, HD_OP_INEG, 1, 1, 32);
         assert_non_null(hd_build_instr(&a, &neg->instr));
         expected = "instr: operand 0 is NULL";
      }
      assert_string_equal(m.last, expected);
      assert_int_equal(a.result, HD_INVALID);
      hd_shader *shader;
      assert_int_equal(hd_builder_finish(&a, &shader), HD_INVALID);
      assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
      hd_shader_destroy(shader);

      /* A builder that is finished does nothing any more. */
      assert_non_null(hd_imm_u32(&b, 1));
      assert_null(hd_push_loop(&b));
      assert_int_equal(hd_builder_finish(&b, &shader), HD_INVALID);
      assert_null(shader);
   }
   /* Without a sink the result is all there is. */
   hd_builder silent = hd_builder_create(NULL, HD_STAGE_COMPUTE, "silent");
   hd_break(&silent);
   assert_int_equal(hd_builder_finish(&silent, NULL), HD_INVALID);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(empty_function),
      cmocka_unit_test(ops_infer_their_results),
      cmocka_unit_test(constants),
      cmocka_unit_test(cursors),
      cmocka_unit_test(push_in_the_middle),
      cmocka_unit_test(if_phis),
      cmocka_unit_test(dropped_code),
      cmocka_unit_test(break_in_continue_list),
      cmocka_unit_test(jumps_of_outer_loops),
      cmocka_unit_test(functions_and_calls),
      cmocka_unit_test(flat_functions),
      cmocka_unit_test(made_by_hand),
      cmocka_unit_test(two_shaders),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
