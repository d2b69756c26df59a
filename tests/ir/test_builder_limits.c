/* SPDX-License-Identifier: MIT */
/* The builder at its limits: every allocation fails once, budgets run out at every point, and
 * programs are as large, as deep and as crossed as they get.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "naive.h"

typedef struct faulty {
   uint64_t calls, fail_at;
   size_t live;
} faulty;

static void *
faulty_alloc(void *user, size_t size)
{
   faulty *f = user;

   if (f->calls++ == f->fail_at)
      return NULL;
   f->live += size;
   return malloc(size);
}

static void
faulty_free(void *user, void *ptr, size_t size)
{
   faulty *f = user;

   f->live -= size;
   free(ptr);
}

/* A helper with parameters and a result. */
static void
build_helper(hd_builder *b, hd_function *f)
{
   if (!f)
      return;
   hd_function_set_result(f, 1, 32);
   hd_builder_enter(b, f);
   hd_def *x = hd_build_param(b, 1, 32), *c = hd_build_param(b, 1, 1);
   hd_push_if(b, c);
   hd_return(b, x);
   hd_pop_if(b);
   hd_return(b, hd_iadd(b, x, hd_undef(b, 1, 32)));
}

/* A flat function with a switch, a loop and variables of several sizes. */
static void
build_flat(hd_builder *b, hd_function *f)
{
   hd_block *blocks[20];
   hd_ssa_var *vars[8];
   uint64_t values[18];

   if (!f)
      return;
   hd_builder_enter(b, f);
   hd_def *x = hd_global_invocation_index(b);
   for (unsigned n = 0; n < 8; n++)
      vars[n] = hd_ssa_var_create(b, 1 + n % 2, 32);
   for (unsigned n = 0; n < 20; n++)
      blocks[n] = hd_builder_add_block(b);
   for (unsigned n = 0; n < 18; n++)
      values[n] = n;
   hd_switch(b, x, blocks[0], 18, values, blocks + 1);
   for (unsigned n = 0; n < 19; n++) {
      hd_builder_set_block(b, blocks[n]);
      hd_ssa_var *var = vars[n % 8];
      hd_def *read = hd_ssa_read(b, var);
      hd_ssa_write(b, var, hd_iadd(b, read, hd_ssa_read(b, vars[(n + 2) % 8])));
      hd_goto_if(b, hd_ult(b, x, hd_imm_u32(b, n)), blocks[(n + 1) % 20], blocks[(n * 7) % 18]);
   }
   hd_seal_block(b, blocks[19]);
   hd_builder_set_block(b, blocks[19]);
   hd_ssa_read(b, vars[0]);
   hd_halt(b);
}

/* Everything that the builder can make. */
static hd_result
build_all(const hd_config *config, const char *name, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, name);
   hd_function *entry = b.function;
   hd_function *helper = b.shader ? hd_function_create(b.shader, "helper", true) : NULL;
   hd_function *flat = b.shader ? hd_function_create(b.shader, "flat", false) : NULL;

   build_helper(&b, helper);
   build_flat(&b, flat);
   if (!entry || !helper || !flat)
      return hd_builder_finish(&b, shader);
   hd_builder_enter(&b, entry);
   hd_set_location(&b, "file.c", 1, 1);
   hd_def *x = hd_name_def(&b, "x", hd_global_invocation_index(&b));
   hd_def *c = hd_ult(&b, x, hd_imm_vec_u32(&b, 1, (uint32_t[]){ 3 }));
   hd_def *v = hd_build_vec(&b, 5, (hd_def *[]){ x, x, x, x, x });
   hd_ssa_var *vars[6];
   for (unsigned n = 0; n < 6; n++) {
      vars[n] = hd_ssa_var_create(&b, 1, 32);
      hd_ssa_write(&b, vars[n], hd_build_channel(&b, v, n % 5));
   }
   hd_var *memory = b.result == HD_OK ? hd_var_create(b.function, "m", 1, 32, 4) : NULL;
   for (unsigned depth = 0; depth < 20; depth++) {
      hd_set_location(&b, "file.c", depth, 1);
      hd_push_loop(&b);
      hd_push_if(&b, c);
      for (unsigned n = 0; n < 6; n++)
         hd_ssa_write(&b, vars[n], hd_iadd(&b, x, hd_ssa_read(&b, vars[(n + 1) % 6])));
      hd_push_else(&b);
      hd_continue_if(&b, c);
      hd_break(&b);
      hd_imm_f32(&b, 1.0f);
      hd_pop_if(&b);
      hd_if_phi(&b, x, hd_ssa_read(&b, vars[2]));
   }
   hd_def *args[2] = { x, c };
   hd_build_call(&b, helper, 2, args);
   hd_build_call(&b, flat, 0, NULL);
   if (memory)
      hd_store_var(&b, memory, x, hd_load_var(&b, memory, x));
   for (unsigned depth = 0; depth < 20; depth++) {
      hd_break_if(&b, c);
      hd_push_continue(&b);
      hd_break_if(&b, c);
      hd_pop_loop(&b);
      hd_push_if(&b, c);
      hd_def *a = hd_ssa_read(&b, vars[depth % 6]);
      hd_pop_if(&b);
      hd_store_shared(&b, hd_if_phi(&b, a, x), x, 0, 4, 0, 0);
   }
   return hd_builder_finish(&b, shader);
}

/* Objects are cut from larger pieces. A name of another length shifts what falls on their borders,
 * so that in the end every kind of object was one for which there was no memory.
 */
static void
each_allocation_fails(void **state)
{
   char name[4096];

   (void)state;
   memset(name, 'x', sizeof(name));
   for (unsigned length = 0; length < sizeof(name); length += 97) {
      uint64_t n;
      name[length] = 0;
      for (n = 0;; n++) {
         faulty f = { .fail_at = n };
         hd_config config = { .allocator = { &f, faulty_alloc, faulty_free } };
         hd_shader *shader = (hd_shader *)&f;
         hd_result result = build_all(&config, name, &shader);
         if (result == HD_OK) {
            f.fail_at = UINT64_MAX;
            assert_int_equal(hd_validate(shader, NULL), HD_OK);
            hd_foreach_function(function, shader)
               assert_null(naive_check(function));
            hd_shader_destroy(shader);
            assert_int_equal(f.live, 0);
            break;
         }
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_null(shader);
         assert_int_equal(f.live, 0);
      }
      /* There were allocations enough for this to mean something. */
      assert_true(n > 20);
      name[length] = 'x';
   }
}

/* Caps on memory and steps, from none to enough: each is obeyed, and cleanly. */
static void
budgets(void **state)
{
   (void)state;
   for (unsigned what = 0; what < 2; what++) {
      unsigned refused = 0;
      for (uint64_t cap = 1;; cap += 1 + cap / 16) {
         faulty f = { .fail_at = UINT64_MAX };
         hd_config config = { .allocator = { &f, faulty_alloc, faulty_free } };
         hd_shader *shader;
         if (what)
            config.budget.steps = cap;
         else
            config.budget.memory = cap;
         hd_result result = build_all(&config, "all", &shader);
         if (result == HD_OK) {
            assert_true(what || f.live <= cap);
            hd_shader_destroy(shader);
            break;
         }
         assert_int_equal(result, HD_BUDGET_EXCEEDED);
         assert_int_equal(f.live, 0);
         refused++;
      }
      assert_true(refused > 10);
   }
}

/* Large programs, with as many steps as is linear in what they hold. */

static hd_builder
bounded(uint64_t steps, bool structured)
{
   hd_config config = { .budget = { .steps = steps } };

   return structured ? hd_builder_create(&config, HD_STAGE_COMPUTE, "large")
                     : hd_builder_create_flat(&config, HD_STAGE_COMPUTE, "large");
}

/* Blocks of the entry function, or a failed test. */
static void
expect_size(hd_builder *b, uint32_t num_blocks)
{
   hd_shader *shader;
   uint32_t num = 0;

   assert_int_equal(hd_builder_finish(b, &shader), HD_OK);
   hd_foreach_block(block, shader->first_function)
      num++;
   assert_int_equal(num, num_blocks);
   hd_shader_destroy(shader);
}

#define LONG 33333u
#define DEEP 10000u

static void
many_ifs_in_a_list(void **state)
{
   (void)state;
   hd_builder b = bounded(20 * LONG, true);
   hd_def *x = hd_global_invocation_index(&b), *c = hd_ult(&b, x, x);
   hd_ssa_var *unwritten = hd_ssa_var_create(&b, 1, 32), *var = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, unwritten, x);
   hd_ssa_write(&b, var, x);
   for (unsigned n = 0; n < LONG; n++) {
      hd_push_if(&b, c);
      hd_ssa_write(&b, var, hd_ineg(&b, hd_ssa_read(&b, var)));
      hd_pop_if(&b);
   }
   assert_ptr_equal(hd_ssa_read(&b, unwritten), x);
   hd_def *y = hd_ssa_read(&b, unwritten);
   hd_iadd(&b, hd_ssa_read(&b, var), y);
   expect_size(&b, 1 + 3 * LONG);
}

static void
deep_ifs(void **state)
{
   (void)state;
   hd_builder b = bounded(20 * DEEP, true);
   hd_def *x = hd_global_invocation_index(&b), *c = hd_ult(&b, x, x);
   hd_ssa_var *var = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, var, x);
   for (unsigned n = 0; n < DEEP; n++)
      hd_push_if(&b, c);
   hd_ssa_write(&b, var, hd_ineg(&b, hd_ssa_read(&b, var)));
   for (unsigned n = 0; n < DEEP; n++)
      hd_pop_if(&b);
   hd_ineg(&b, hd_ssa_read(&b, var));
   expect_size(&b, 1 + 3 * DEEP);
}

/* One variable is read at each level and written at none, one is written at each. */
static void
deep_loops(void **state)
{
   (void)state;
   hd_builder b = bounded(60 * DEEP, true);
   hd_def *x = hd_global_invocation_index(&b), *c = hd_ult(&b, x, x);
   hd_ssa_var *read = hd_ssa_var_create(&b, 1, 32), *written = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, read, x);
   hd_ssa_write(&b, written, x);
   for (unsigned n = 0; n < DEEP; n++) {
      hd_push_loop(&b);
      hd_break_if(&b, hd_ult(&b, hd_ssa_read(&b, read), x));
      hd_ssa_write(&b, written, hd_ineg(&b, hd_ssa_read(&b, written)));
   }
   for (unsigned n = 0; n < DEEP; n++) {
      hd_continue_if(&b, c);
      hd_pop_loop(&b);
   }
   hd_def *y = hd_ssa_read(&b, written);
   hd_iadd(&b, hd_ssa_read(&b, read), y);
   expect_size(&b, 1 + 9 * DEEP);
}

/* A phi with as many sources as there are ways out of a loop. */
static void
many_breaks(void **state)
{
   (void)state;
   hd_builder b = bounded(40 * LONG, true);
   hd_def *x = hd_global_invocation_index(&b), *c = hd_ult(&b, x, x);
   hd_ssa_var *var = hd_ssa_var_create(&b, 1, 32);
   hd_push_loop(&b);
   for (unsigned n = 0; n < LONG; n++) {
      hd_ssa_write(&b, var, hd_imm_u32(&b, n));
      hd_break_if(&b, c);
   }
   hd_pop_loop(&b);
   hd_def *user = hd_ineg(&b, hd_ssa_read(&b, var));
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   const hd_phi *phi = hd_instr_as_phi(hd_def_instr(hd_instr_src(hd_def_instr(user), 0)->def));
   assert_int_equal(phi->num_srcs, LONG);
   hd_shader_destroy(shader);
}

/* A switch whose cases join: one phi of all, and one for each that turns out to merge nothing. */
static void
many_cases(void **state)
{
   (void)state;
   hd_builder b = bounded(60 * LONG, false);
   hd_def *x = hd_global_invocation_index(&b), *c = hd_ult(&b, x, x);
   hd_ssa_var *var = hd_ssa_var_create(&b, 1, 32), *same = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, var, x);
   hd_ssa_write(&b, same, x);
   hd_block **blocks = malloc(LONG * sizeof(*blocks));
   uint64_t *values = malloc(LONG * sizeof(*values));
   hd_block *join = hd_builder_add_block(&b);
   for (unsigned n = 0; n < LONG; n++) {
      blocks[n] = hd_builder_add_block(&b);
      values[n] = n * UINT64_C(2654435761) & UINT32_MAX;
   }
   hd_switch(&b, x, join, LONG, values, blocks);
   for (unsigned n = 0; n < LONG; n++) {
      hd_builder_set_block(&b, blocks[n]);
      hd_block *left = hd_builder_add_block(&b);
      hd_goto_if(&b, c, left, join);
      hd_builder_set_block(&b, left);
      hd_def *y = hd_ssa_read(&b, same);
      hd_ssa_write(&b, var, hd_iadd(&b, hd_ssa_read(&b, var), y));
      hd_goto(&b, join);
   }
   hd_builder_set_block(&b, join);
   hd_def *z = hd_ssa_read(&b, same);
   hd_def *user = hd_iadd(&b, hd_ssa_read(&b, var), z);
   hd_halt(&b);
   free(blocks);
   free(values);
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   const hd_phi *phi = hd_instr_as_phi(hd_def_instr(hd_instr_src(hd_def_instr(user), 0)->def));
   assert_int_equal(phi->num_srcs, 2 * LONG + 1);
   assert_ptr_equal(hd_instr_src(hd_def_instr(user), 1)->def, x);
   hd_shader_destroy(shader);
}

/* Jumps from the bottom of a deep nest to the loop around it, each found in constant time. */
static void
jumps_across_a_nest(void **state)
{
   (void)state;
   hd_builder b = bounded(20 * DEEP, true);
   hd_def *c = hd_imm_bool(&b, true);
   hd_push_loop(&b);
   for (unsigned n = 0; n < DEEP; n++)
      hd_push_if(&b, c);
   for (unsigned n = 0; n < DEEP; n++) {
      if (n % 2)
         hd_continue(&b);
      else
         hd_break(&b);
      hd_push_else(&b);
      hd_pop_if(&b);
   }
   hd_pop_loop(&b);
   expect_size(&b, 4 + 3 * DEEP);
}

static void
million_instructions(void **state)
{
   (void)state;
   hd_builder b = bounded(1100000, true);
   hd_def *x = hd_global_invocation_index(&b), *sum = x;
   for (unsigned n = 0; n < 1000000; n++)
      sum = hd_iadd(&b, sum, x);
   expect_size(&b, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_allocation_fails),
      cmocka_unit_test(budgets),
      cmocka_unit_test(many_ifs_in_a_list),
      cmocka_unit_test(deep_ifs),
      cmocka_unit_test(deep_loops),
      cmocka_unit_test(many_breaks),
      cmocka_unit_test(many_cases),
      cmocka_unit_test(jumps_across_a_nest),
      cmocka_unit_test(million_instructions),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
