/* SPDX-License-Identifier: MIT */
/* Every allocation of each entry of the binary form and of cloning fails once, and so does every
 * budget: the entry says so, leaks nothing, and what there was before is as it was.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/binary.h"
#include "heddle/clone.h"
#include "heddle/text.h"
#include "naive.h"
#include "samples.h"

/* Memory that ends after so many allocations, and knows what is still out. */
struct meter {
   uint64_t left;
   uint64_t blocks, bytes;
};

static void *
meter_alloc(void *user, size_t size)
{
   struct meter *m = user;

   if (!m->left)
      return NULL;
   m->left--;
   m->blocks++;
   m->bytes += size;
   return malloc(size);
}

static void
meter_free(void *user, void *ptr, size_t size)
{
   struct meter *m = user;

   m->blocks--;
   m->bytes -= size;
   free(ptr);
}

static hd_config
metered(struct meter *m)
{
   *m = (struct meter){ .left = UINT64_MAX };
   return (hd_config){ .allocator = { m, meter_alloc, meter_free } };
}

#define ENDLESS 100000u

static void
test_read(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = { 0 };
   struct meter m;
   hd_config config = metered(&m);
   hd_result result = HD_OUT_OF_MEMORY;
   uint64_t n;

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   for (n = 0; result != HD_OK && n < ENDLESS; n++) {
      hd_shader *copy = NULL;
      m.left = n;
      result = hd_read_binary(&config, NULL, bytes.data, bytes.size, &copy);
      if (result == HD_OK)
         hd_shader_destroy(copy);
      else
         assert_int_equal(result, HD_OUT_OF_MEMORY);
      assert_int_equal(m.blocks, 0);
      assert_int_equal(m.bytes, 0);
   }
   assert_true(n > 4 && n < ENDLESS);
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

static void
test_write_and_hash(void **state)
{
   (void)state;
   struct meter m;
   hd_config config = metered(&m);
   hd_shader *shader = sample_features(&config);
   uint64_t before = m.blocks, n;
   hd_result result = HD_OUT_OF_MEMORY;

   for (n = 0; result != HD_OK && n < ENDLESS; n++) {
      hd_blob bytes;
      hd_blob_init(&bytes, &config);
      m.left = n;
      result = hd_write_binary(shader, &bytes);
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(bytes.size, 0);
      }
      hd_blob_finish(&bytes);
      assert_int_equal(m.blocks, before);
   }
   assert_true(n > 2 && n < ENDLESS);
   for (n = 0, result = HD_OUT_OF_MEMORY; result != HD_OK && n < ENDLESS; n++) {
      hd_hash hash = { { 7 } }, untouched = hash;
      m.left = n;
      result = n & 1 ? hd_shader_hash(shader, &hash) : hd_cache_key(shader, "t", "o", 1, &hash);
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_memory_equal(&hash, &untouched, sizeof(hash));
      }
      assert_int_equal(m.blocks, before);
   }
   assert_true(n > 1 && n < ENDLESS);
   assert_int_equal(hd_shader_status(shader), HD_OK);
   hd_shader_destroy(shader);
   assert_int_equal(m.blocks, 0);
}

static void
test_shader_clone(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   struct meter m;
   hd_config config = metered(&m);
   hd_result result = HD_OUT_OF_MEMORY;
   uint64_t n;

   for (n = 0; result != HD_OK && n < ENDLESS; n++) {
      hd_shader *copy = NULL;
      m.left = n;
      result = hd_shader_clone(shader, &config, &copy);
      if (result == HD_OK)
         hd_shader_destroy(copy);
      else
         assert_int_equal(result, HD_OUT_OF_MEMORY);
      assert_int_equal(m.blocks, 0);
   }
   assert_true(n > 4 && n < ENDLESS);
   hd_shader_destroy(shader);
}

static char *
pictures(const hd_shader *shader)
{
   hd_blob all = { 0 };

   hd_blob_append(&all, "", 0);
   hd_foreach_function(f, shader) {
      char *picture = naive_picture(f);
      hd_blob_append(&all, picture, strlen(picture));
      free(picture);
   }
   assert_int_equal(all.result, HD_OK);
   return all.data;
}

/* What every call that fails must leave behind: the function as it was. */
static void
assert_untouched(hd_shader *shader, const char *picture)
{
   char *now = pictures(shader);

   assert_string_equal(picture, now);
   free(now);
   assert_int_equal(hd_shader_status(shader), HD_OUT_OF_MEMORY);
   hd_shader_clear_status(shader);
}

/* A loop's body that breaks and continues, in a shader whose pool has next to no room left. */
static hd_shader *
tight_shader(struct meter *m, hd_config *config, uint64_t seed)
{
   *config = metered(m);
   return seed ? sample_tree(config, seed, 250) : sample_features(config);
}

static hd_cf_list *
some_list(hd_function *f, unsigned which)
{
   hd_foreach_node(n, f) {
      if (n->kind == HD_CF_LOOP && !which--)
         return &hd_node_as_loop(n)->body;
      if (n->kind == HD_CF_IF && !which--)
         return &hd_node_as_if(n)->then_list;
   }
   return &f->body;
}

/* How often it failed. */
static uint64_t
check_list_clone(uint64_t seed, unsigned which, bool with_map, bool reinsert)
{
   struct meter m;
   hd_config config;
   hd_shader *shader = tight_shader(&m, &config, seed);
   hd_function *f = shader->first_function;
   hd_cf_list *list = some_list(f, which);
   hd_clone_map *map = with_map ? hd_clone_map_create(f) : NULL;
   char *picture = pictures(shader);
   bool done = false;
   uint64_t n;

   for (n = 0; !done && n < ENDLESS; n++) {
      hd_cf_range range = { 0 };
      m.left = n;
      if (reinsert)
         done = hd_cf_clone_and_reinsert(list, hd_list_start(list), map);
      else
         done = hd_cf_clone(&range, list, map);
      m.left = UINT64_MAX;
      if (!done)
         assert_untouched(shader, picture);
      else if (!reinsert)
         assert_true(hd_cf_delete(&range));
      const char *fault = naive_check(f);
      if (fault)
         fail_msg("after %llu allocations: %s", (unsigned long long)n, fault);
   }
   assert_true(n < ENDLESS);
   free(picture);
   hd_clone_map_destroy(map);
   hd_shader_destroy(shader);
   assert_int_equal(m.blocks, 0);
   return n - 1;
}

static void
test_list_clone(void **state)
{
   (void)state;
   uint64_t failures = 0;

   for (uint64_t seed = 0; seed < 12; seed++) {
      for (unsigned which = 0; which < 4; which++) {
         for (unsigned how = 0; how < 4; how++)
            failures += check_list_clone(seed, which, how & 1, how & 2);
      }
   }
   assert_true(failures > 200);
}

static void
check_function_clone(hd_shader *shader, struct meter *m, const hd_function *f)
{
   char *picture = pictures(shader);
   hd_function *copy = NULL;
   uint64_t n;

   for (n = 0; !copy && n < ENDLESS; n++) {
      m->left = n;
      copy = hd_function_clone(shader, f, "copy");
      m->left = UINT64_MAX;
      if (!copy)
         assert_untouched(shader, picture);
   }
   assert_true(n < ENDLESS);
   assert_null(naive_check(copy));
   hd_function_remove(copy);
   free(picture);
}

/* The copy is made, but to put it in takes an undef for which there is no memory: the value that
 * the loop carries goes with what follows the jump. The copy goes again.
 */
static void
test_reinsert_fails(void **state)
{
   (void)state;
   unsigned failures = 0;

   for (unsigned padding = 0; padding < 600; padding++) {
      struct meter m;
      hd_config config = metered(&m);
      hd_shader *shader = hd_shader_create(&config, HD_STAGE_COMPUTE, "");
      hd_function *f = hd_function_create(shader, "main", true);
      hd_block *start = hd_function_start(f);
      hd_instr *cond = hd_undef_create(shader, 1, 1), *zero = hd_undef_create(shader, 1, 32);
      hd_instr_insert(hd_after_block(start), cond);
      hd_instr_insert(hd_after_block(start), zero);
      hd_loop *loop = hd_insert_loop(hd_after_block(start));
      hd_block *header = hd_loop_header(loop);
      hd_phi *phi = hd_phi_insert(header, 1, 32, (hd_def *[]){ &zero->def, &zero->def });
      hd_instr *next = hd_undef_create(shader, 1, 32);
      hd_instr_insert(hd_after_block(header), next);
      hd_phi_set_src(phi, hd_loop_latch(loop), &next->def);
      hd_if *nif = hd_insert_if(hd_after_block(header), &cond->def);
      hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL);
      for (unsigned n = 0; n < padding; n++)
         assert_non_null(hd_shader_intern(
             shader, (char[4]){ 'a', (char)(n % 26 + 'a'), (char)(n / 26 + 'a'), 0 }, 3));
      assert_null(naive_check(f));
      char *picture = pictures(shader);

      bool done = false;
      for (uint64_t n = 0; !done; n++) {
         m.left = n;
         done = hd_cf_clone_and_reinsert(&nif->then_list, hd_before_instr(next), NULL);
         m.left = UINT64_MAX;
         if (!done) {
            failures += n != 0;
            assert_untouched(shader, picture);
         }
      }
      assert_null(naive_check(f));
      free(picture);
      hd_shader_destroy(shader);
      assert_int_equal(m.blocks, 0);
   }
   /* The first allocation is the copy's scratch; what matters is among those that got it. */
   assert_true(failures > 5);
}

static void
test_function_clone(void **state)
{
   (void)state;
   struct meter m;
   hd_config config;

   hd_shader *wide = (config = metered(&m), sample_wide(&config, 400));
   hd_foreach_function(f, wide)
      check_function_clone(wide, &m, f);
   hd_shader_destroy(wide);
   assert_int_equal(m.blocks, 0);
   for (uint64_t seed = 0; seed < 8; seed++) {
      hd_shader *shader = tight_shader(&m, &config, seed);
      hd_foreach_function(f, shader)
         check_function_clone(shader, &m, f);
      hd_shader_destroy(shader);
      assert_int_equal(m.blocks, 0);
   }
   /* Into a shader that has none of its strings and locations. */
   hd_shader *from = sample_features(NULL);
   config = metered(&m);
   hd_shader *to = hd_shader_create(&config, HD_STAGE_COMPUTE, "");
   check_function_clone(to, &m, hd_shader_find_function(from, "helper"));
   assert_non_null(hd_function_clone(to, hd_shader_find_function(from, "helper"), "helper"));
   check_function_clone(to, &m, from->first_function);
   hd_shader_destroy(to);
   hd_shader_destroy(from);
   assert_int_equal(m.blocks, 0);
}

static void
test_map(void **state)
{
   (void)state;
   struct meter m;
   hd_config config = metered(&m);
   hd_shader *shader = sample_tree(&config, 5, 3000);
   hd_function *f = shader->first_function;
   hd_clone_map *map = NULL;

   for (uint64_t n = 0; !map && n < ENDLESS; n++) {
      uint64_t before = m.blocks;
      m.left = n;
      map = hd_clone_map_create(f);
      m.left = UINT64_MAX;
      if (!map) {
         assert_int_equal(hd_shader_status(shader), HD_OUT_OF_MEMORY);
         assert_int_equal(m.blocks, before);
         hd_shader_clear_status(shader);
      }
   }
   /* The map is too small for a value made since. */
   hd_def *first = &hd_function_start(f)->first->def;
   hd_instr *made = hd_undef_create(shader, 1, 32);
   hd_instr_insert(hd_after_instr(hd_def_instr(first)), made);
   m.left = 0;
   assert_false(hd_clone_map_set_def(map, &made->def, first));
   m.left = UINT64_MAX;
   assert_ptr_equal(hd_clone_map_def(map, &made->def), &made->def);
   assert_true(hd_clone_map_set_def(map, &made->def, first));
   assert_ptr_equal(hd_clone_map_def(map, &made->def), first);
   hd_clone_map_destroy(map);
   hd_shader_destroy(shader);
   assert_int_equal(m.blocks, 0);
}

/* Budgets: each number of steps and of bytes is too few once. */
static void
test_budget(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = { 0 };
   struct meter m;

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   for (unsigned by_memory = 0; by_memory < 2; by_memory++) {
      hd_result results[2] = { HD_BUDGET_EXCEEDED, HD_BUDGET_EXCEEDED };
      uint64_t n;
      for (n = 1; (results[0] || results[1]) && n < ENDLESS; n++) {
         hd_config config = metered(&m);
         hd_shader *made[2] = { NULL, NULL };
         if (by_memory)
            config.budget.memory = (size_t)(1500 + n * 97);
         else
            config.budget.steps = n;
         results[0] = hd_read_binary(&config, NULL, bytes.data, bytes.size, &made[0]);
         results[1] = hd_shader_clone(shader, &config, &made[1]);
         for (unsigned i = 0; i < 2; i++) {
            /* A budget too small for an empty shader counts as no memory. */
            if (results[i] != HD_OK && by_memory && n < 40)
               assert_null(made[i]);
            else if (results[i] != HD_OK)
               assert_int_equal(results[i], HD_BUDGET_EXCEEDED);
            hd_shader_destroy(made[i]);
         }
         assert_int_equal(m.blocks, 0);
      }
      assert_true(n > 50 && n < ENDLESS);
   }
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

/* Writing has a budget of its own: that of the shader. */
static void
test_write_budget(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_result result = HD_BUDGET_EXCEEDED;
   uint64_t n;

   for (n = 1; result != HD_OK && n < ENDLESS; n++) {
      hd_config config = { .budget = { .steps = n } };
      hd_shader *copy;
      hd_blob bytes = { 0 };
      hd_hash hash;
      if (hd_shader_clone(shader, &config, &copy) != HD_OK)
         continue;
      result = hd_write_binary(copy, &bytes);
      assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
      assert_int_equal(hd_shader_hash(copy, &hash), result);
      assert_int_equal(bytes.size != 0, result == HD_OK);
      hd_blob_finish(&bytes);
      hd_shader_destroy(copy);
   }
   assert_true(n < ENDLESS);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),
      cmocka_unit_test(test_write_and_hash),
      cmocka_unit_test(test_shader_clone),
      cmocka_unit_test(test_list_clone),
      cmocka_unit_test(test_reinsert_fails),
      cmocka_unit_test(test_function_clone),
      cmocka_unit_test(test_map),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_write_budget),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
