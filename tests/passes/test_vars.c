/* SPDX-License-Identifier: MIT */
/* test_vars.c - variables to values: on random graphs, against a naive count of the phis that are
 * needed, and on large functions, by the steps that it takes.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "heddle/build_ops.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/pass.h"

#include "../analysis/naive.h"
#include "walk.h"

#define NUM_VARS 3

static const hd_run_options check_all = HD_RUN_CHECK_ALL;

static hd_instr *
store_result(hd_shader *shader, hd_def *value, hd_def *address)
{
   hd_intrinsic *i =
       hd_intrinsic_create(shader, HD_INTRINSIC_STORE_GLOBAL, 2,
                           hd_intrinsic_get_info(HD_INTRINSIC_STORE_GLOBAL)->num_indices, 0, 0);
   const hd_intrinsic_info *info = hd_intrinsic_get_info(HD_INTRINSIC_STORE_GLOBAL);

   hd_intrinsic_indices(i)[info->slots[HD_INDEX_ALIGN_MUL] - 1] = 4;
   hd_instr_set_src(&i->instr, 0, value);
   hd_instr_set_src(&i->instr, 1, address);
   return &i->instr;
}

/* A few accesses at the end of a block, before its jump. What is loaded is stored to memory, so
 * that it can be seen.
 */
static void
fill_block(hd_block *b, uint64_t *state, hd_var *const *vars, hd_def *address, hd_def *a)
{
   hd_shader *shader = hd_block_function(b)->shader;
   hd_def *value = a;

   for (uint32_t num = next_random(state, 4); num--;) {
      hd_var *var = vars[next_random(state, NUM_VARS)];
      hd_cursor at = hd_before_jump(b);
      switch (next_random(state, 4)) {
      case 0: {
         hd_var_access *load = hd_load_var_create(shader, var);
         hd_instr_insert(at, &load->instr);
         value = &load->instr.def;
         hd_instr_insert(hd_before_jump(b), store_result(shader, value, address));
         break;
      }
      case 1: {
         hd_const_value c = { .u32 = next_random(state, 1000) };
         hd_const *k = hd_const_create(shader, 1, 32, &c);
         hd_instr_insert(at, &k->instr);
         value = &k->instr.def;
         break;
      }
      case 2: {
         hd_alu *add = hd_alu_create(shader, HD_OP_IADD, 2, 1, 32);
         hd_instr_set_src(&add->instr, 0, value);
         hd_instr_set_src(&add->instr, 1, a);
         hd_instr_insert(at, &add->instr);
         value = &add->instr.def;
         break;
      }
      default: {
         hd_var_access *store = hd_store_var_create(shader, var);
         hd_instr_set_src(&store->instr, 0, value);
         hd_instr_insert(at, &store->instr);
      }
      }
   }
}

static hd_shader *
random_function(uint64_t seed)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = hd_shader_create(&config, HD_STAGE_KERNEL, "vars");
   struct succ_list list[NAIVE_MAX];
   hd_block *block[NAIVE_MAX];
   hd_var *vars[NUM_VARS];
   uint64_t state = seed;
   int num = 2 + (int)next_random(&state, 12);

   for (int n = 0; n < num; n++) {
      list[n].num = 1 + (next_random(&state, 3) > 0);
      for (int s = 0; s < list[n].num; s++)
         list[n].succ[s] = 1 + (int)next_random(&state, (uint32_t)num - 1);
      if (n + 1 < num && next_random(&state, 3))
         list[n].succ[0] = n + 1;
      if (list[n].num == 2 && list[n].succ[0] == list[n].succ[1])
         list[n].num = 1;
      if (next_random(&state, 10) == 0)
         list[n] = (struct succ_list){ 1, { num } };
   }
   hd_function *f = graph_build(shader, num, list, block);
   hd_def *address = hd_function_add_param(f, 1, 64), *a = hd_function_add_param(f, 1, 32);
   for (int v = 0; v < NUM_VARS; v++)
      vars[v] = hd_var_create(f, NULL, 1, 32, 0);
   for (int n = 0; n < num; n++) {
      fill_block(block[n], &state, vars, address, a);
      block[n]->node.header = n && next_random(&state, 10) == 0;
   }
   return shader;
}

/* Phis of pruned form: at the iterated frontier of the stores and the start block, where the
 * variable is read before it is written on some way.
 */
static unsigned
needed_phis(const struct naive *g)
{
   unsigned num = 0;

   for (uint32_t v = 0; v < NUM_VARS; v++) {
      set stores = 1, live = 0, old;
      set kills = 0;
      for (int n = 0; n < g->num - 1; n++) {
         if (!(g->reachable >> n & 1))
            continue;
         hd_foreach_instr(i, g->block[n]) {
            const hd_var_access *access = hd_instr_as_var_access(i);
            if (!access || access->var->index != v)
               continue;
            if (i->kind == HD_INSTR_STORE_VAR)
               stores |= 1u << n, kills |= 1u << n;
            else if (!(kills >> n & 1))
               live |= 1u << n;
         }
      }
      do {
         old = live;
         for (int n = 0; n < g->num - 1; n++) {
            for (int s = 0; s < g->num_succs[n] && !(kills >> n & 1); s++)
               live |= (live >> g->succ[n][s] & 1) << n;
         }
      } while (live != old);
      for (set at = naive_idf(g, stores) & live; at; at &= at - 1)
         num++;
   }
   return num;
}

static unsigned
count(const hd_function *f, hd_instr_kind kind)
{
   unsigned num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b)
         num += i->kind == kind;
   }
   return num;
}

static void
test_random(void **unused)
{
   unsigned num_phis = 0, num_values = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 2000; seed++) {
      hd_shader *shader = random_function(seed);
      hd_function *f = shader->first_function;
      struct walk before[8], after;
      struct naive g;
      for (unsigned w = 0; w < 8; w++)
         walk_function(f, seed * 8 + w, 60, &before[w]);
      naive_read(&g, f);
      unsigned most = needed_phis(&g);
      hd_result result = hd_run_pass(shader, hd_pass_find("opt_vars_to_ssa"), &check_all, NULL);
      if (result != HD_OK)
         fail_msg("seed %llu: %s", (unsigned long long)seed, hd_result_name(result));
      f = shader->first_function;
      assert_null(f->first_var);
      if (count(f, HD_INSTR_PHI) > most)
         fail_msg("seed %llu: %u phis, %u needed", (unsigned long long)seed, count(f, HD_INSTR_PHI),
                  most);
      num_phis += most;
      for (unsigned w = 0; w < 8; w++) {
         walk_function(f, seed * 8 + w, 60, &after);
         if (!walk_agrees(&before[w], &after))
            fail_msg("seed %llu, walk %u: other values", (unsigned long long)seed, w);
         num_values += after.num;
      }
      hd_shader_destroy(shader);
   }
   assert_true(num_phis > 900 && num_values > 50000);
}

/* Large functions */

struct big {
   const char *name;
   void (*build)(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address);
};

static void
show(hd_builder *b, hd_var *var, hd_def *address)
{
   hd_build_instr(b, store_result(b->shader, hd_load_var(b, var, NULL), address));
}

/* else if, else if, ...: each arm stores, and each condition is preceded by a load. */
static void
build_else_if(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var *var = hd_var_create(b->function, NULL, 1, 32, 0);

   for (uint32_t k = 0; k < n; k++) {
      show(b, var, address);
      hd_push_if(b, cond);
      hd_store_var(b, var, NULL, hd_imm_u32(b, k));
      hd_push_else(b);
   }
   for (uint32_t k = 0; k < n; k++) {
      hd_pop_if(b);
      show(b, var, address);
   }
}

/* A deep nest of loops, and variables that are only known in the innermost. */
static void
build_nest(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   for (uint32_t k = 0; k < n; k++)
      hd_push_loop(b);
   for (uint32_t k = 0; k < n; k++) {
      hd_var *var = hd_var_create(b->function, NULL, 1, 32, 0);
      hd_store_var(b, var, NULL, hd_imm_u32(b, k));
      hd_push_if(b, cond);
      show(b, var, address);
      hd_pop_if(b);
   }
   for (uint32_t k = 0; k < n; k++) {
      hd_break_if(b, cond);
      hd_pop_loop(b);
   }
}

/* The same nest; the variables are stored before and after it, and read in it. */
static void
build_around(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var **vars = malloc(n * sizeof(*vars));

   for (uint32_t k = 0; k < n; k++) {
      vars[k] = hd_var_create(b->function, NULL, 1, 32, 0);
      hd_store_var(b, vars[k], NULL, hd_imm_u32(b, k));
   }
   for (uint32_t k = 0; k < n; k++)
      hd_push_loop(b);
   for (uint32_t k = 0; k < n; k++)
      show(b, vars[k], address);
   for (uint32_t k = 0; k < n; k++) {
      hd_break_if(b, cond);
      hd_pop_loop(b);
   }
   for (uint32_t k = 0; k < n; k++)
      hd_store_var(b, vars[k], NULL, hd_imm_u32(b, k + 1));
   free(vars);
}

/* A variable that changes at the bottom of a nest, and is live all the way: as many phis as that
 * takes.
 */
static void
build_carried(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var *var = hd_var_create(b->function, NULL, 1, 32, 0);

   hd_store_var(b, var, NULL, hd_imm_u32(b, 0));
   for (uint32_t k = 0; k < n; k++) {
      hd_push_loop(b);
      hd_break_if(b, cond);
   }
   hd_def *one = hd_imm_u32(b, 1);
   hd_store_var(b, var, NULL, hd_iadd(b, hd_load_var(b, var, NULL), one));
   for (uint32_t k = 0; k < n; k++)
      hd_pop_loop(b);
   show(b, var, address);
}

/* Ifs one after the other; each variable is stored before the first and read after each. */
static void
build_sequence(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var *var = hd_var_create(b->function, NULL, 1, 32, 0);
   hd_var *other = hd_var_create(b->function, NULL, 1, 32, 0);

   hd_store_var(b, var, NULL, hd_imm_u32(b, 0));
   for (uint32_t k = 0; k < n; k++) {
      hd_push_if(b, cond);
      hd_store_var(b, other, NULL, hd_imm_u32(b, k));
      hd_pop_if(b);
      show(b, var, address);
   }
   show(b, other, address);
}

/* Stores deep in ifs, each before a return: none comes to the joins after them. */
static void
build_returns(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var **vars = malloc(n * sizeof(*vars));

   for (uint32_t k = 0; k < n; k++) {
      vars[k] = hd_var_create(b->function, NULL, 1, 32, 0);
      hd_store_var(b, vars[k], NULL, hd_imm_u32(b, k));
   }
   for (uint32_t k = 0; k <= n; k++)
      hd_push_if(b, cond);
   for (uint32_t k = 0; k < n; k++)
      hd_store_var(b, vars[k], NULL, hd_imm_u32(b, k + 1));
   hd_return(b, NULL);
   hd_pop_if(b);
   for (uint32_t k = 0; k < n; k++)
      hd_pop_if(b);
   for (uint32_t k = 0; k < n; k++)
      show(b, vars[k], address);
   free(vars);
}

/* A loop with as many phis, each of which becomes the one before it. */
static void
build_rotation(hd_builder *b, uint32_t n, hd_def *cond, hd_def *address)
{
   hd_var **vars = malloc(n * sizeof(*vars));
   hd_def **values = malloc(n * sizeof(*values));

   for (uint32_t k = 0; k < n; k++) {
      vars[k] = hd_var_create(b->function, NULL, 1, 32, 0);
      hd_store_var(b, vars[k], NULL, hd_imm_u32(b, k));
   }
   hd_push_loop(b);
   for (uint32_t k = 0; k < n; k++)
      values[k] = hd_load_var(b, vars[k], NULL);
   for (uint32_t k = 0; k < n; k++)
      hd_store_var(b, vars[k], NULL, values[(k + 1) % n]);
   hd_break_if(b, cond);
   hd_pop_loop(b);
   show(b, vars[0], address);
   free(vars);
   free(values);
}

static hd_shader *
build_big(const struct big *big, uint32_t n)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_KERNEL, big->name);
   hd_def *address = hd_build_param(&b, 1, 64), *cond = hd_build_param(&b, 1, 1);
   hd_shader *shader = NULL;

   big->build(&b, n, cond, address);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static uint32_t
num_instrs(const hd_shader *shader)
{
   uint32_t num = 0;

   hd_foreach_block(b, shader->first_function) {
      num++;
      hd_foreach_instr(i, b)
         num += 1 + hd_instr_num_srcs(i);
   }
   return num;
}

/* The steps that a pass takes are at most some for each instruction, block and source that it was
 * given and made: a nest of n loops with n variables takes no n * n. Each goes on with what the one
 * before has left.
 */
static void
check_steps(hd_shader **shader, const char *pass, const char *name)
{
   hd_shader *made = *shader, *after = NULL, *limited = NULL;
   hd_config config = { 0 };

   assert_int_equal(hd_shader_clone(made, NULL, &after), HD_OK);
   assert_int_equal(hd_run_pass(after, hd_pass_find(pass), NULL, NULL), HD_OK);
   config.budget.steps = 24 * (uint64_t)(num_instrs(made) + num_instrs(after));
   assert_int_equal(hd_shader_clone(made, &config, &limited), HD_OK);
   hd_result result = hd_run_pass(limited, hd_pass_find(pass), NULL, NULL);
   if (result != HD_OK)
      fail_msg("%s on %s: %s", pass, name, hd_result_name(result));
   assert_int_equal(hd_validate(limited, NULL), HD_OK);
   hd_shader_destroy(made);
   hd_shader_destroy(limited);
   *shader = after;
}

static void
test_steps(void **unused)
{
   static const struct big bigs[] = {
      { "else_if", build_else_if },   { "nest", build_nest },         { "around", build_around },
      { "carried", build_carried },   { "sequence", build_sequence }, { "returns", build_returns },
      { "rotation", build_rotation },
   };
   static const char *const passes[] = { "opt_vars_to_ssa", "opt_phi",    "opt_sccp",
                                         "opt_copy",        "lower_phis", "opt_vars_to_ssa" };

   (void)unused;
   for (unsigned n = 0; n < sizeof(bigs) / sizeof(bigs[0]); n++) {
      hd_shader *shader = build_big(&bigs[n], 2500);
      for (unsigned p = 0; p < sizeof(passes) / sizeof(passes[0]); p++)
         check_steps(&shader, passes[p], bigs[n].name);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_steps),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
