/* SPDX-License-Identifier: MIT */
/* Shaders, functions, parameters, variables; and each call that makes something, when any of its
 * allocations fails: it says so, the shader is as it was, and the same call works afterwards.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/binary.h"
#include "heddle/clone.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/text.h"
#include "ir/private.h"
#include "support/memory.h"

/* What the calls below work on. */
typedef struct scene {
   hd_shader *s;
   hd_function *tree, *flat;
   hd_block *from, *to;
   hd_def *cond, *value;
   hd_var *var;
   hd_instr *constant;
} scene;

static void
set_scene(scene *e, const hd_config *config)
{
   e->s = hd_shader_create(config, HD_STAGE_KERNEL, "t");
   e->tree = hd_function_create(e->s, "tree", true);
   e->value = hd_function_add_param(e->tree, 1, 32);
   e->cond = hd_function_add_param(e->tree, 1, 1);
   e->var = hd_var_create(e->tree, "x", 1, 32, 0);
   e->constant = &hd_const_create(e->s, 1, 32, NULL)->instr;
   hd_instr_insert(hd_after_block(hd_function_start(e->tree)), e->constant);
   e->flat = hd_function_create(e->s, "flat", false);
   e->from = hd_function_start(e->flat);
   e->to = hd_flat_block_create(e->flat);
   hd_flat_halt(e->to);
}

/* Each is true when it did what it says; what it makes and does not insert it frees. */
static bool
free_made(scene *e, void *instr)
{
   if (!instr)
      return false;
   hd_instr_free(e->s, instr);
   return true;
}

static bool
make_function(scene *e)
{
   return hd_function_create(e->s, "another", true) != NULL;
}

static bool
make_flat_function(scene *e)
{
   return hd_function_create(e->s, "another", false) != NULL;
}

static bool
make_param(scene *e)
{
   return hd_function_add_param(e->tree, 4, 64) != NULL;
}

static bool
make_var(scene *e)
{
   return hd_var_create(e->tree, "x", 2, 16, 9) != NULL;
}

static bool
name_def(scene *e)
{
   return hd_def_set_name(e->tree, e->value, "a name of its own");
}

static bool
name_block(scene *e)
{
   return hd_block_set_name(e->tree, hd_function_start(e->tree), "a name of its own");
}

static bool
make_location(scene *e)
{
   /* As many as the first array holds, and one more. */
   for (uint32_t n = 1; n < 6; n++) {
      if (!hd_shader_location(e->s, "f", n, n))
         return false;
   }
   return true;
}

static bool
make_string(scene *e)
{
   return hd_shader_intern(e->s, "a string of its own", 19) != NULL;
}

static bool
make_alu(scene *e)
{
   return free_made(e, hd_alu_create(e->s, HD_OP_IADD, 2, 1, 32));
}

static bool
make_const(scene *e)
{
   return free_made(e, hd_const_create(e->s, 16, 64, (const hd_const_value[16]){ { 0 } }));
}

static bool
make_undef(scene *e)
{
   return free_made(e, hd_undef_create(e->s, 1, 32));
}

static bool
make_intrinsic(scene *e)
{
   return free_made(e, hd_intrinsic_create(e->s, HD_INTRINSIC_BALLOT, 1, 0, 4, 32));
}

static bool
make_call(scene *e)
{
   return free_made(e, hd_call_create(e->s, e->tree, 2));
}

static bool
make_load_var(scene *e)
{
   return free_made(e, hd_load_var_create(e->s, e->var));
}

static bool
make_store_var(scene *e)
{
   return free_made(e, hd_store_var_create(e->s, e->var));
}

static bool
clone_instr(scene *e)
{
   return free_made(e, hd_instr_clone(e->s, e->constant));
}

static bool
insert_if(scene *e)
{
   return hd_insert_if(hd_after_block(hd_function_start(e->tree)), e->cond) != NULL;
}

static bool
insert_loop(scene *e)
{
   return hd_insert_loop(hd_after_block(hd_function_start(e->tree))) != NULL;
}

static bool
insert_jump(scene *e)
{
   return hd_insert_jump(hd_after_block(hd_function_start(e->tree)), HD_JUMP_HALT, NULL) != NULL;
}

static bool
make_block(scene *e)
{
   return hd_flat_block_create(e->flat) != NULL;
}

static bool
flat_goto(scene *e)
{
   return hd_flat_goto(e->from, e->to) != NULL;
}

static bool
flat_return(scene *e)
{
   return hd_flat_return(e->from, NULL) != NULL;
}

static bool
make_constants(scene *e)
{
   static const uint8_t bytes[4096];

   return hd_shader_add_constants(e->s, bytes, sizeof(bytes), 4) != UINT32_MAX;
}

static bool
flat_split(scene *e)
{
   return hd_flat_split(hd_before_block(e->to)) != NULL;
}

static const struct {
   const char *name;
   bool (*run)(scene *e);
} calls[] = {
#define CALL(f)                                                                                    \
   {                                                                                               \
#f, f                                                                                        \
   }
   CALL(make_function), CALL(make_flat_function), CALL(make_param),     CALL(make_var),
   CALL(name_def),      CALL(name_block),         CALL(make_location),  CALL(make_string),
   CALL(make_alu),      CALL(make_const),         CALL(make_undef),     CALL(make_intrinsic),
   CALL(make_call),     CALL(make_load_var),      CALL(make_store_var), CALL(insert_if),
   CALL(insert_loop),   CALL(insert_jump),        CALL(make_block),     CALL(flat_goto),
   CALL(flat_return),   CALL(flat_split),         CALL(clone_instr),    CALL(make_constants),
#undef CALL
};

/* Use up what the pool has, so that the next object needs the allocator. */
static void
fill_pool(hd_shader *s)
{
   hd_pool *pool = hd_shader_pool(s);

   for (size_t n = 0; n < sizeof(pool->free_list) / sizeof(pool->free_list[0]); n++) {
      while (pool->free_list[n])
         hd_pool_alloc(pool, n * 8);
   }
   while (pool->next != pool->end)
      hd_pool_alloc(pool, 8);
}

static char *
text_of(const hd_shader *s)
{
   hd_blob blob = { 0 };

   assert_int_equal(hd_print_shader(s, NULL, &blob), HD_OK);
   return blob.data;
}

static void
each_call_fails_at_each_allocation(void **state)
{
   (void)state;
   for (size_t k = 0; k < sizeof(calls) / sizeof(calls[0]); k++) {
      unsigned failures = 0;
      for (size_t n = 0;; n++) {
         struct limited c = { .left = SIZE_MAX };
         hd_config config = limited_config(&c);
         scene e;
         set_scene(&e, &config);
         fill_pool(e.s);
         char *before = text_of(e.s);
         c.left = n;
         bool done = calls[k].run(&e);
         c.left = SIZE_MAX;
         if (!done) {
            failures++;
            if (hd_shader_status(e.s) != HD_OUT_OF_MEMORY)
               fail_msg("%s: status %s", calls[k].name, hd_result_name(hd_shader_status(e.s)));
            hd_shader_clear_status(e.s);
            if (calls[k].run != make_location) {
               char *after = text_of(e.s);
               assert_string_equal(after, before);
               free(after);
            }
            if (!calls[k].run(&e))
               fail_msg("%s: does not work afterwards", calls[k].name);
         }
         assert_int_equal(hd_shader_status(e.s), HD_OK);
         free(before);
         hd_shader_destroy(e.s);
         assert_int_equal(c.held, 0);
         if (done)
            break;
      }
      if (!failures)
         fail_msg("%s: no allocation could fail", calls[k].name);
   }
}

static void
creation_fails(void **state)
{
   hd_shader *s = NULL;

   (void)state;
   for (size_t n = 0; !s; n++) {
      struct limited c = { .left = n };
      hd_config config = limited_config(&c);
      hd_shader *kept = NULL;
      hd_result result = hd_shader_make(&config, HD_STAGE_COMPUTE, "name", &kept);
      assert_int_equal(result, kept ? HD_OK : HD_OUT_OF_MEMORY);
      hd_shader_destroy(kept);
      assert_int_equal(c.held, 0);
      c.left = n;
      s = hd_shader_create(&config, HD_STAGE_COMPUTE, "name");
      assert_true(!s == !kept);
      hd_shader_destroy(s);
      assert_int_equal(c.held, 0);
      assert_true(s || n < 8);
   }
   /* A budget that is too small for nothing at all is told apart, by every door. */
   hd_result results[4];
   for (size_t memory = 1; memory < 30000; memory += 61) {
      hd_config config = { .budget = { memory, 0 } };
      hd_shader *made = NULL, *copy = NULL, *parsed = NULL;
      results[0] = hd_shader_make(&config, HD_STAGE_COMPUTE, NULL, &made);
      if (results[0] == HD_OK)
         hd_shader_destroy(made);
      else
         assert_int_equal(results[0], HD_BUDGET_EXCEEDED);
      static const char text[] =
          "shader compute {\n workgroup 1 1 1\n function @f {\n b0:\n }\n}\n";
      hd_shader *source = NULL;
      assert_int_equal(hd_parse(NULL, NULL, text, sizeof(text) - 1, &source), HD_OK);
      results[1] = hd_parse(&config, NULL, text, sizeof(text) - 1, &parsed);
      assert_true(results[1] == HD_OK || results[1] == HD_BUDGET_EXCEEDED);
      results[2] = hd_shader_clone(source, &config, &copy);
      assert_true(results[2] == HD_OK || results[2] == HD_BUDGET_EXCEEDED);
      hd_shader_destroy(copy);
      hd_shader_destroy(parsed);
      hd_blob blob = { 0 };
      assert_int_equal(hd_write_binary(source, &blob), HD_OK);
      hd_shader *read = NULL;
      results[3] = hd_read_binary(&config, NULL, blob.data, blob.size, &read);
      assert_true(results[3] == HD_OK || results[3] == HD_BUDGET_EXCEEDED);
      hd_shader_destroy(read);
      hd_blob_finish(&blob);
      hd_shader_destroy(source);
   }
   for (unsigned n = 0; n < 4; n++)
      assert_int_equal(results[n], HD_OK); /* the last budget was enough */
}

static void
functions_come_and_go(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f[4];
   char name[8];

   (void)state;
   assert_string_equal(s->name, "");
   for (unsigned n = 0; n < 4; n++) {
      snprintf(name, sizeof(name), "f%u", n);
      f[n] = hd_function_create(s, name, n % 2);
      assert_ptr_equal(hd_shader_find_function(s, name), f[n]);
   }
   static const unsigned order[4] = { 1, 3, 0, 2 }; /* from the middle, the end, the beginning */
   for (unsigned n = 0; n < 4; n++) {
      hd_function_remove(f[order[n]]);
      snprintf(name, sizeof(name), "f%u", order[n]);
      assert_null(hd_shader_find_function(s, name));
      assert_int_equal(s->num_functions, 3 - n);
      unsigned seen = 0;
      hd_foreach_function(g, s)
         seen++;
      assert_int_equal(seen, 3 - n);
   }
   assert_null(s->first_function);
   assert_null(s->last_function);
   hd_shader_destroy(s);
   hd_shader_destroy(NULL);
}

static void
variables_have_names_of_their_own(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(s, "f", true);
   char base[200];
   hd_var *vars[60];

   (void)state;
   memset(base, 'x', sizeof(base));
   base[sizeof(base) - 1] = 0;
   for (unsigned n = 0; n < 60; n++) {
      vars[n] = hd_var_create(f, n % 3 == 0 ? base : n % 3 == 1 ? NULL : "v1", 1, 32, 0);
      for (unsigned k = 0; k < n; k++)
         assert_string_not_equal(vars[n]->name, vars[k]->name);
   }
   assert_string_equal(vars[0]->name, base);
   assert_string_equal(vars[1]->name, "v");
   assert_string_equal(vars[2]->name, "v1");
   for (unsigned n = 0; n < 60; n += 2)
      hd_var_remove(f, vars[n]);
   hd_function_reindex(f);
   assert_int_equal(f->num_vars, 30);
   uint32_t index = 0;
   hd_foreach_var(v, f) {
      assert_ptr_equal(v, vars[2 * index + 1]);
      assert_int_equal(v->index, index);
      index++;
   }
   assert_int_equal(index, 30);
   hd_shader_destroy(s);
}

static void
constants_are_added(void **state)
{
   hd_shader *s = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);

   (void)state;
   assert_int_equal(hd_shader_add_constants(s, "abc", 3, 1), 0);
   assert_int_equal(hd_shader_add_constants(s, "d", 1, 4), 4);
   assert_int_equal(hd_shader_add_constants(s, "", 0, 64), 64);
   assert_int_equal(s->constants_size, 5);
   for (uint32_t n = 0; n < 1000; n++)
      assert_int_equal(hd_shader_add_constants(s, &n, 4, 16), 16 + 16 * n);
   assert_int_equal(s->constants_size, 16 * 1000 + 4);
   assert_memory_equal(s->constants, "abc\0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
   for (uint32_t n = 0; n < 1000; n++)
      assert_memory_equal(s->constants + 16 + 16 * n, &n, 4);
   assert_int_equal(hd_shader_status(s), HD_OK);
   assert_int_equal(hd_shader_add_constants(s, "", HD_MAX_CONSTANTS, 1), UINT32_MAX);
   assert_int_equal(hd_shader_status(s), HD_UNSUPPORTED);
   assert_int_equal(s->constants_size, 16 * 1000 + 4);
   hd_shader_destroy(s);
}

static void
memory_is_told(void **state)
{
   hd_config config = { .budget = { 1 << 20, 5 } };
   hd_shader *s = hd_shader_create(&config, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(s, "f", true);
   hd_memory_stats before = hd_shader_memory(s);

   (void)state;
   assert_int_equal(hd_shader_config(s)->budget.memory, 1 << 20);
   hd_instr *i = hd_undef_create(s, 1, 32);
   assert_true(hd_shader_memory(s).live > before.live);
   hd_instr_free(s, i);
   assert_int_equal(hd_shader_memory(s).live, before.live);
   while (hd_undef_create(s, 1, 32))
      ;
   assert_int_equal(hd_shader_status(s), HD_BUDGET_EXCEEDED);
   assert_in_range(hd_shader_memory(s).peak, 800000, 1 << 20);
   hd_shader_clear_status(s);
   assert_int_equal(hd_shader_status(s), HD_OK);
   hd_function_remove(f);
   hd_shader_destroy(s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_call_fails_at_each_allocation),
      cmocka_unit_test(creation_fails),
      cmocka_unit_test(functions_come_and_go),
      cmocka_unit_test(variables_have_names_of_their_own),
      cmocka_unit_test(constants_are_added),
      cmocka_unit_test(memory_is_told),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
