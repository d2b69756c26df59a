/* SPDX-License-Identifier: MIT */
/* Mistakes in building: each is told once, in these words, and nothing after it does anything. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "support/heard.h"

/* Mistakes. Each is made in a function that was right until then; what comes after is ignored. */

typedef struct mistake {
   const char *message;
   void (*make)(hd_builder *b, hd_def *x, hd_def *c);
} mistake;

#define MISTAKE(name) static void name(hd_builder *b, hd_def *x, hd_def *c)
#define UNUSED        (void)b, (void)x, (void)c

MISTAKE(pop_nothing)
{
   UNUSED;
   hd_pop_if(b);
}

MISTAKE(pop_loop_nothing)
{
   UNUSED;
   hd_pop_loop(b);
}

MISTAKE(pop_wrong)
{
   UNUSED;
   hd_push_loop(b);
   hd_pop_if(b);
}

MISTAKE(pop_wrong_loop)
{
   UNUSED;
   hd_push_if(b, c);
   hd_pop_loop(b);
}

MISTAKE(else_twice)
{
   UNUSED;
   hd_push_if(b, c);
   hd_push_else(b);
   hd_push_else(b);
}

MISTAKE(else_nothing)
{
   UNUSED;
   hd_push_else(b);
}

MISTAKE(continue_twice)
{
   UNUSED;
   hd_push_loop(b);
   hd_push_continue(b);
   hd_push_continue(b);
}

MISTAKE(break_outside)
{
   UNUSED;
   hd_break(b);
}

MISTAKE(continue_outside)
{
   UNUSED;
   hd_push_if(b, c);
   hd_continue(b);
}

MISTAKE(continue_in_continue)
{
   UNUSED;
   hd_push_loop(b);
   hd_push_continue(b);
   hd_continue_if(b, c);
}

MISTAKE(return_in_continue)
{
   UNUSED;
   hd_push_loop(b);
   hd_push_continue(b);
   hd_return(b, NULL);
}

MISTAKE(halt_in_continue)
{
   UNUSED;
   hd_push_loop(b);
   hd_push_continue(b);
   hd_halt(b);
}

MISTAKE(still_open)
{
   UNUSED;
   hd_push_loop(b);
   hd_push_if(b, c);
}

MISTAKE(bad_condition)
{
   UNUSED;
   hd_push_if(b, x);
}

MISTAKE(null_condition)
{
   UNUSED;
   hd_push_if(b, NULL);
}

MISTAKE(null_operand)
{
   UNUSED;
   hd_iadd(b, x, NULL);
}

MISTAKE(sizes_differ)
{
   UNUSED;
   hd_iadd(b, x, hd_imm_u64(b, 1));
}

MISTAKE(components_differ)
{
   UNUSED;
   hd_iadd(b, x, hd_imm_vec_u32(b, 2, (uint32_t[]){ 1, 2 }));
}

MISTAKE(size_not_allowed)
{
   UNUSED;
   hd_fadd(b, c, c);
}

MISTAKE(too_few)
{
   UNUSED;
   hd_build_alu(b, HD_OP_IADD, 1, &x, 0);
}

MISTAKE(too_many)
{
   UNUSED;
   hd_build_alu(b, HD_OP_VEC, 17, NULL, 0);
}

MISTAKE(no_op)
{
   UNUSED;
   hd_build_alu(b, HD_NUM_OPS, 1, &x, 0);
}

MISTAKE(no_size_chosen)
{
   UNUSED;
   hd_build_alu(b, HD_OP_U2U, 1, &x, 0);
}

MISTAKE(intrinsic_size)
{
   UNUSED;
   hd_ballot(b, x);
}

MISTAKE(intrinsic_operands)
{
   UNUSED;
   hd_build_intrinsic(b, HD_INTRINSIC_BALLOT, 0, 0, 2, (hd_def *[]){ c, c }, NULL);
}

MISTAKE(intrinsic_index)
{
   UNUSED;
   hd_build_intrinsic(b, HD_INTRINSIC_REDUCE, 0, 0, 1, &x, (uint32_t[]){ 77, 0 });
}

MISTAKE(dropped_value)
{
   UNUSED;
   hd_push_if(b, c);
   hd_return(b, NULL);
   hd_def *gone = hd_iadd(b, x, x);
   hd_pop_if(b);
   hd_imul(b, x, gone);
}

MISTAKE(phi_without_if)
{
   UNUSED;
   hd_if_phi(b, x, x);
}

MISTAKE(phi_sizes)
{
   UNUSED;
   hd_push_if(b, c);
   hd_pop_if(b);
   hd_if_phi(b, x, c);
}

MISTAKE(phi_null)
{
   UNUSED;
   hd_if_phi(b, x, NULL);
}

MISTAKE(return_value)
{
   UNUSED;
   hd_return(b, x);
}

MISTAKE(return_no_value)
{
   UNUSED;
   hd_function_set_result(b->function, 1, 32);
   hd_return(b, NULL);
}

MISTAKE(return_size)
{
   UNUSED;
   hd_function_set_result(b->function, 2, 32);
   hd_return(b, x);
}

MISTAKE(fall_through)
{
   UNUSED;
   hd_function_set_result(b->function, 1, 32);
   hd_push_if(b, c);
   hd_return(b, x);
   hd_pop_if(b);
}

MISTAKE(goto_in_tree)
{
   UNUSED;
   hd_goto(b, hd_function_start(b->function));
}

MISTAKE(block_in_tree)
{
   UNUSED;
   hd_builder_add_block(b);
}

MISTAKE(use_in_tree)
{
   UNUSED;
   hd_builder_set_block(b, hd_function_start(b->function));
}

MISTAKE(seal_in_tree)
{
   UNUSED;
   hd_seal_block(b, hd_function_start(b->function));
}

MISTAKE(bad_const)
{
   UNUSED;
   hd_imm_uint(b, 7, 1);
}

MISTAKE(bad_vector)
{
   UNUSED;
   hd_undef(b, 17, 32);
}

MISTAKE(bad_float)
{
   UNUSED;
   hd_imm_float(b, 8, 1.0);
}

MISTAKE(bad_param)
{
   UNUSED;
   hd_build_param(b, 0, 32);
}

MISTAKE(bad_channel)
{
   UNUSED;
   hd_build_channel(b, x, 1);
}

MISTAKE(call_arguments)
{
   UNUSED;
   hd_function *f = hd_function_create(b->shader, "f", true);
   hd_function_add_param(f, 1, 32);
   hd_build_call(b, f, 2, (hd_def *[]){ x, x });
}

MISTAKE(call_sizes)
{
   UNUSED;
   hd_function *f = hd_function_create(b->shader, "f", true);
   hd_function_add_param(f, 1, 32);
   hd_build_call(b, f, 1, &c);
}

MISTAKE(var_index)
{
   UNUSED;
   hd_load_var(b, hd_var_create(b->function, "v", 1, 32, 0), x);
}

MISTAKE(var_no_index)
{
   UNUSED;
   hd_store_var(b, hd_var_create(b->function, "v", 1, 32, 4), NULL, x);
}

MISTAKE(var_value)
{
   UNUSED;
   hd_store_var(b, hd_var_create(b->function, "v", 1, 32, 0), NULL, c);
}

MISTAKE(var_index_size)
{
   UNUSED;
   hd_load_var(b, hd_var_create(b->function, "v", 1, 32, 4), c);
}

MISTAKE(ssa_size)
{
   UNUSED;
   hd_ssa_write(b, hd_ssa_var_create(b, 1, 64), x);
}

MISTAKE(ssa_null)
{
   UNUSED;
   hd_ssa_read(b, NULL);
}

MISTAKE(ssa_shape)
{
   UNUSED;
   hd_ssa_var_create(b, 1, 5);
}

static const mistake mistakes[] = {
   { "pop_if: no if is open", pop_nothing },
   { "pop_loop: no loop is open", pop_loop_nothing },
   { "pop_if: what is open is a loop", pop_wrong },
   { "pop_loop: what is open is an if", pop_wrong_loop },
   { "push_else: the if has that already", else_twice },
   { "push_else: no if is open", else_nothing },
   { "push_continue: the loop has that already", continue_twice },
   { "break: not inside a loop", break_outside },
   { "continue: not inside a loop", continue_outside },
   { "continue: inside the loop's continue list", continue_in_continue },
   { "return: a continue list cannot end in a jump", return_in_continue },
   { "halt: a continue list cannot end in a jump", halt_in_continue },
   { "function 'main': an if or loop is still open, 2 in all", still_open },
   { "push_if: the condition is 1 x 32 bits, expected 1 x 1", bad_condition },
   { "push_if: operand 0 is NULL", null_condition },
   { "iadd: operand 1 is NULL", null_operand },
   { "iadd: operand 1 ", sizes_differ },
   { "iadd: operand 1 ", components_differ },
   { "fadd: operand 0 ", size_not_allowed },
   { "iadd: ", too_few },
   { "vec: ", too_many },
   { "op: ", no_op },
   { "u2u: the result ", no_size_chosen },
   { "ballot: operand 0 ", intrinsic_size },
   { "ballot: ", intrinsic_operands },
   { "reduce: reduce_op cannot be 77", intrinsic_index },
   { "imul: operand 1 comes from code that is never reached", dropped_value },
   { "if_phi: no if was popped right before", phi_without_if },
   { "if_phi: the operands are 1 x 32 and 1 x 1 bits", phi_sizes },
   { "if_phi: operand 1 is NULL", phi_null },
   { "return: 'main' returns nothing, but a value is given", return_value },
   { "return: 'main' returns a value, but no value is given", return_no_value },
   { "return: the value is 1 x 32 bits, expected 2 x 32", return_size },
   { "function 'main' can end without returning its value", fall_through },
   { "goto: the function is structured", goto_in_tree },
   { "add_block: the function is structured", block_in_tree },
   { "use_block: the function is structured", use_in_tree },
   { "seal_block: the function is structured", seal_in_tree },
   { "const: 1 x 7 bits is not a size", bad_const },
   { "undef: 17 x 32 bits is not a size", bad_vector },
   { "const: a float cannot have 8 bits", bad_float },
   { "param: 0 x 32 bits is not a size", bad_param },
   { "channel: no component 1 in a vector of 1", bad_channel },
   { "call: 'f' has 1 parameters, 2 arguments are given", call_arguments },
   { "call: operand 0 is 1 x 1 bits, expected 1 x 32", call_sizes },
   { "load_var: 'v' is not an array, but an index is given", var_index },
   { "store_var: 'v' is an array, but no index is given", var_no_index },
   { "store_var: operand 0 is 1 x 1 bits, expected 1 x 32", var_value },
   { "load_var: operand 0 is 1 x 1 bits, expected 1 x 32", var_index_size },
   { "ssa_write: the value is 1 x 32 bits, expected 1 x 64", ssa_size },
   { "ssa_read: not a variable of the function", ssa_null },
   { "ssa_var: 1 x 5 bits is not a size", ssa_shape },
};

/* After a failure every call must come back, and with something where it promises something. */
static void
call_everything(hd_builder *b)
{
   hd_def *d = hd_imm_u32(b, 1);
   uint64_t value = 1;
   hd_block *block;

   assert_non_null(d);
   assert_non_null(hd_imm_vec_f32(b, 1, (float[]){ 1.0f }));
   assert_non_null(hd_imm_float(b, 16, 1.0));
   assert_non_null(hd_iadd(b, d, d));
   assert_non_null(hd_iadd(b, NULL, d));
   assert_non_null(hd_ballot(b, d));
   assert_non_null(hd_undef(b, 1, 32));
   assert_non_null(hd_build_param(b, 1, 32));
   assert_non_null(hd_build_vec(b, 1, &d));
   assert_non_null(hd_build_channel(b, d, 3));
   assert_non_null(hd_build_instr(b, NULL));
   hd_barrier(b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP, 0, 0);
   assert_null(hd_push_if(b, d));
   hd_push_else(b);
   hd_pop_if(b);
   assert_non_null(hd_if_phi(b, d, d));
   assert_null(hd_push_loop(b));
   hd_break_if(b, d);
   hd_continue_if(b, d);
   hd_push_continue(b);
   hd_pop_loop(b);
   hd_return(b, d);
   hd_halt(b);
   block = hd_builder_add_block(b);
   assert_null(block);
   hd_builder_set_block(b, block);
   hd_seal_block(b, block);
   hd_goto(b, block);
   hd_goto_if(b, d, block, block);
   hd_switch(b, d, block, 1, &value, &block);
   hd_ssa_var *var = hd_ssa_var_create(b, 1, 32);
   assert_null(var);
   hd_ssa_write(b, var, d);
   assert_non_null(hd_ssa_read(b, var));
   hd_set_location(b, "a", 1, 1);
   assert_ptr_equal(hd_name_def(b, "n", d), d);
   hd_builder_enter(b, b->function);
}

static void
make_mistakes(void **state)
{
   (void)state;
   for (size_t n = 0; n < sizeof(mistakes) / sizeof(mistakes[0]); n++) {
      struct heard m = { 0 };
      hd_config config = { .diag = { &m, hear } };
      hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "mistake");
      hd_def *x = hd_global_invocation_index(&b);
      hd_def *c = hd_ult(&b, x, x);
      hd_set_location(&b, "kernel.c", 42, 7);
      assert_int_equal(b.result, HD_OK);
      mistakes[n].make(&b, x, c);
      bool at_finish = b.result == HD_OK;
      if (!at_finish)
         call_everything(&b);
      hd_shader *shader = (hd_shader *)&b;
      if (hd_builder_finish(&b, &shader) != HD_INVALID || shader)
         fail_msg("expected '%s', but nothing is wrong", mistakes[n].message);
      if (m.count != 1 || strncmp(m.last, mistakes[n].message, strlen(mistakes[n].message)) != 0 ||
          m.line != 42)
         fail_msg("%u messages, line %u: '%s', expected '%s'", m.count, (unsigned)m.line, m.last,
                  mistakes[n].message);
      /* A text that is only the beginning must have something after it. */
      size_t length = strlen(mistakes[n].message);
      assert_true(mistakes[n].message[length - 1] != ' ' || m.last[length]);
   }
}

/* The same for flat functions. */

MISTAKE(no_jump)
{
   UNUSED;
   hd_builder_add_block(b);
   hd_halt(b);
}

MISTAKE(named_no_jump)
{
   UNUSED;
   hd_block_set_name(b->function, hd_builder_add_block(b), "tail");
   hd_halt(b);
}

MISTAKE(to_start)
{
   UNUSED;
   hd_goto(b, hd_function_start(b->function));
}

MISTAKE(to_end)
{
   UNUSED;
   hd_goto(b, &b->function->end);
}

MISTAKE(to_null)
{
   UNUSED;
   hd_goto_if(b, c, hd_builder_add_block(b), NULL);
}

MISTAKE(to_sealed)
{
   UNUSED;
   hd_block *block = hd_builder_add_block(b);
   hd_seal_block(b, block);
   hd_goto(b, block);
}

MISTAKE(use_ended)
{
   UNUSED;
   hd_halt(b);
   hd_builder_set_block(b, hd_function_start(b->function));
}

MISTAKE(use_null)
{
   UNUSED;
   hd_builder_set_block(b, NULL);
}

MISTAKE(seal_null)
{
   UNUSED;
   hd_seal_block(b, NULL);
}

MISTAKE(equal_cases)
{
   UNUSED;
   hd_block *block = hd_builder_add_block(b);
   hd_switch(b, x, block, 3, (uint64_t[]){ 5, 1, UINT64_C(0x100000005) },
             (hd_block *[]){ block, block, block });
}

MISTAKE(vector_selector)
{
   UNUSED;
   hd_block *block = hd_builder_add_block(b);
   hd_switch(b, hd_build_vec(b, 2, (hd_def *[]){ x, x }), block, 0, NULL, NULL);
}

MISTAKE(boolean_selector)
{
   UNUSED;
   hd_switch(b, c, hd_builder_add_block(b), 0, NULL, NULL);
}

MISTAKE(left_empty)
{
   UNUSED;
   hd_function_create(b->shader, "later", false);
   hd_halt(b);
}

MISTAKE(push_in_flat)
{
   UNUSED;
   hd_push_if(b, c);
}

MISTAKE(break_in_flat)
{
   UNUSED;
   hd_break(b);
}

MISTAKE(pop_in_flat)
{
   UNUSED;
   hd_pop_loop(b);
}

MISTAKE(jump_twice)
{
   UNUSED;
   hd_halt(b);
   hd_builder again = hd_builder_at(hd_list_start(&b->function->body));
   hd_return(&again, NULL);
   b->result = again.result;
}

MISTAKE(enter_ended)
{
   UNUSED;
   hd_halt(b);
   hd_builder_enter(b, b->function);
}

static const mistake flat_mistakes[] = {
   { "function 'main': block 1 has no jump", no_jump },
   { "function 'main': block 1 (tail) has no jump", named_no_jump },
   { "goto: the start block cannot be a target", to_start },
   { "goto: the target is not a block of the function", to_end },
   { "goto_if: the target is not a block of the function", to_null },
   { "goto: the target is sealed", to_sealed },
   { "use_block: the block has a jump", use_ended },
   { "use_block: not a block of the function", use_null },
   { "seal_block: not a block of the function", seal_null },
   { "switch: two cases have the value 5", equal_cases },
   { "switch: the selector is 2 x 32 bits, expected one of 8 bits or more", vector_selector },
   { "switch: the selector is 1 x 1 bits, expected one of 8 bits or more", boolean_selector },
   { "function 'later': block 0 has no jump", left_empty },
   { "push_if: the function is flat", push_in_flat },
   { "break: the function is flat", break_in_flat },
   { "pop_loop: the function is flat", pop_in_flat },
   { "return: the block has a jump", jump_twice },
   { "enter: function 'main' has a jump at its end", enter_ended },
};

static void
make_flat_mistakes(void **state)
{
   (void)state;
   for (size_t n = 0; n < sizeof(flat_mistakes) / sizeof(flat_mistakes[0]); n++) {
      struct heard m = { 0 };
      hd_config config = { .diag = { &m, hear } };
      hd_builder b = hd_builder_create_flat(&config, HD_STAGE_COMPUTE, "mistake");
      hd_def *x = hd_global_invocation_index(&b);
      hd_def *c = hd_ult(&b, x, x);
      flat_mistakes[n].make(&b, x, c);
      if (b.result != HD_OK)
         call_everything(&b);
      assert_int_equal(hd_builder_finish(&b, NULL), HD_INVALID);
      assert_int_equal(m.count, 1);
      assert_string_equal(m.last, flat_mistakes[n].message);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(make_mistakes),
      cmocka_unit_test(make_flat_mistakes),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
