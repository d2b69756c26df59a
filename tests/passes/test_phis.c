/* SPDX-License-Identifier: MIT */
/* test_phis.c - random phis on random graphs: what opt_phi leaves is necessary, by a naive search,
 * and a walk sees the same values.
 */
#include "support/test.h"

#include <stdio.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "heddle/pass.h"

#include "../analysis/naive.h"
#include "walk.h"

#define MAX_PHIS 64

static const hd_run_options check_all = HD_RUN_CHECK_ALL;

static void
store(hd_block *b, hd_def *value, hd_def *address)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(HD_INTRINSIC_STORE_GLOBAL);
   hd_intrinsic *i = hd_intrinsic_create(hd_block_function(b)->shader, HD_INTRINSIC_STORE_GLOBAL, 2,
                                         info->num_indices, 0, 0);

   hd_intrinsic_indices(i)[info->slots[HD_INDEX_ALIGN_MUL] - 1] = 4;
   hd_instr_set_src(&i->instr, 0, value);
   hd_instr_set_src(&i->instr, 1, address);
   hd_instr_insert(hd_before_jump(b), &i->instr);
}

/* A value for an edge: a parameter, or a phi of a block that dominates its end; sometimes undef. */
static hd_def *
random_source(hd_function *f, const hd_block *from, uint64_t *state, hd_phi *const *phis,
              unsigned num_phis, hd_def *const *params, hd_def *undef)
{
   (void)f;
   if (undef && next_random(state, 8) == 0)
      return undef;
   for (unsigned tries = 0; tries < 6 && num_phis; tries++) {
      const hd_phi *phi = phis[next_random(state, num_phis)];
      if (hd_block_is_reachable(from) && hd_block_dominates(phi->instr.block, from))
         return (hd_def *)&phi->instr.def;
   }
   return params[next_random(state, 8) == 0];
}

static hd_shader *
random_phis(uint64_t seed, bool undefs)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = hd_shader_create(&config, HD_STAGE_KERNEL, "phis");
   struct succ_list list[NAIVE_MAX];
   hd_block *block[NAIVE_MAX];
   hd_phi *phis[MAX_PHIS];
   unsigned num_phis = 0;
   uint64_t state = seed;
   int num = 3 + (int)next_random(&state, 10);

   for (int n = 0; n < num; n++) {
      list[n].num = 2;
      list[n].succ[0] = n + 1;
      list[n].succ[1] = 1 + (int)next_random(&state, (uint32_t)num - 1);
      if (n + 1 == num || next_random(&state, 12) == 0)
         list[n] = (struct succ_list){ 1, { num } };
      else if (list[n].succ[0] == list[n].succ[1] || next_random(&state, 3) == 0)
         list[n].num = 1;
   }
   hd_function *f = graph_build(shader, num, list, block);
   hd_def *address = hd_function_add_param(f, 1, 64);
   hd_def *params[2] = { hd_function_add_param(f, 1, 32), hd_function_add_param(f, 1, 32) };
   hd_instr *undef = undefs ? hd_undef_create(shader, 1, 32) : NULL;
   if (undef)
      hd_instr_insert(hd_after_phis(block[0]), undef);
   for (int n = 1; n < num; n++) {
      for (unsigned k = 0; block[n]->num_preds > 1 && k < 3 && num_phis < MAX_PHIS; k++)
         phis[num_phis++] = hd_phi_insert(block[n], 1, 32, NULL);
   }
   assert_int_equal(hd_require(f, HD_META_DOMINANCE | HD_META_BLOCK_ORDER), HD_OK);
   for (unsigned p = 0; p < num_phis; p++) {
      const hd_block *b = phis[p]->instr.block;
      for (uint32_t n = 0; n < b->num_preds; n++)
         hd_phi_set_src(phis[p], b->preds[n].from,
                        random_source(f, b->preds[n].from, &state, phis, num_phis, params,
                                      undef ? &undef->def : NULL));
   }
   for (unsigned p = 0; p < num_phis; p++)
      store(phis[p]->instr.block, &phis[p]->instr.def, address);
   return shader;
}

/* Does a value other than `without` come into the phi, by a way of phis that avoids it? */
static bool
comes_without(const hd_phi *phi, const hd_def *without, bool *seen)
{
   if (seen[phi->instr.def.index])
      return false;
   seen[phi->instr.def.index] = true;
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      const hd_def *def = phi->srcs[n].src.def;
      const hd_phi *from = hd_instr_as_phi(hd_def_instr(def));
      if (def == without || !hd_block_is_reachable(phi->instr.block->preds[n].from))
         continue;
      if (!from || comes_without(from, without, seen))
         return true;
   }
   return false;
}

/* No phi is left through which one value alone comes. */
static void
check_necessary(uint64_t seed, hd_function *f)
{
   assert_int_equal(hd_require(f, HD_META_BLOCK_ORDER), HD_OK);
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         if (!hd_block_is_reachable(b))
            continue;
         hd_foreach_block(c, f) {
            hd_foreach_instr(i, c) {
               bool seen[1000] = { false };
               assert_true(f->num_defs < 1000);
               if (hd_instr_def(i) && i != &phi->instr && !comes_without(phi, &i->def, seen))
                  fail_msg("seed %llu: a phi that is another value", (unsigned long long)seed);
            }
         }
      }
   }
}

static void
test_random(void **unused)
{
   unsigned num_before = 0, num_after = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 1500; seed++) {
      const bool undefs = seed % 3 == 0;
      hd_shader *shader = random_phis(seed, undefs);
      hd_function *f = shader->first_function;
      struct walk before[6], after;

      for (unsigned w = 0; w < 6; w++)
         walk_function(f, seed * 6 + w, 50, &before[w]);
      hd_foreach_block(b, f) {
         hd_foreach_phi(phi, b)
            num_before++;
      }
      hd_result result = hd_run_pass(shader, hd_pass_find("opt_phi"), &check_all, NULL);
      if (result != HD_OK)
         fail_msg("seed %llu: %s", (unsigned long long)seed, hd_result_name(result));
      f = shader->first_function;
      for (unsigned w = 0; w < 6; w++) {
         walk_function(f, seed * 6 + w, 50, &after);
         if (!walk_agrees(&before[w], &after))
            fail_msg("seed %llu, walk %u: other values", (unsigned long long)seed, w);
      }
      if (!undefs)
         check_necessary(seed, f);
      hd_foreach_block(b, f) {
         hd_foreach_phi(phi, b)
            num_after++;
      }
      hd_shader_destroy(shader);
   }
   assert_true(num_after > 500 && num_before > num_after + 500);
}

static unsigned
count_phis(const hd_function *f)
{
   unsigned num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         num++;
   }
   return num;
}

/* The same in trees, where it can be plain that all phis stay. */
static void
test_trees(void **unused)
{
   const hd_pass *const structurize = hd_pass_find("lower_structurize");
   unsigned num_before = 0, num_after = 0, num_same = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 1500; seed++) {
      hd_shader *shader = random_phis(seed, false);

      assert_int_equal(hd_run_pass(shader, structurize, NULL, NULL), HD_OK);
      const unsigned before = count_phis(shader->first_function);
      assert_int_equal(hd_run_pass(shader, hd_pass_find("opt_phi"), &check_all, NULL), HD_OK);
      const unsigned after = count_phis(shader->first_function);
      check_necessary(seed, shader->first_function);
      num_before += before;
      num_after += after;
      num_same += before == after;
      hd_shader_destroy(shader);
   }
   assert_true(num_after > 500 && num_before > num_after + 500 && num_same > 100);
}

/* Out of SSA and back: a walk sees the same values, and there are no more phis than there were,
 * but for undefined sources.
 */
static void
test_lower(void **unused)
{
   static const char *const passes[] = { "opt_phi", "lower_phis", "opt_vars_to_ssa" };

   (void)unused;
   for (uint64_t seed = 1; seed <= 1000; seed++) {
      hd_shader *shader = random_phis(seed, seed % 4 == 0);
      struct walk before[6], after;
      unsigned num[3] = { 0 };

      for (unsigned w = 0; w < 6; w++)
         walk_function(shader->first_function, seed * 6 + w, 50, &before[w]);
      for (unsigned k = 0; k < 3; k++) {
         hd_result result = hd_run_pass(shader, hd_pass_find(passes[k]), &check_all, NULL);
         if (result != HD_OK)
            fail_msg("seed %llu, %s: %s", (unsigned long long)seed, passes[k],
                     hd_result_name(result));
         for (unsigned w = 0; w < 6; w++) {
            walk_function(shader->first_function, seed * 6 + w, 50, &after);
            if (!walk_agrees(&before[w], &after))
               fail_msg("seed %llu, walk %u: other values after %s", (unsigned long long)seed, w,
                        passes[k]);
         }
         hd_foreach_block(b, shader->first_function) {
            hd_foreach_phi(phi, b)
               num[k]++;
         }
      }
      assert_int_equal(num[1], 0);
      /* Where nothing was stored, the variable has something all the same. */
      if (seed % 4 && num[2] > num[0])
         fail_msg("seed %llu: %u phis of %u", (unsigned long long)seed, num[2], num[0]);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_trees),
      cmocka_unit_test(test_lower),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
