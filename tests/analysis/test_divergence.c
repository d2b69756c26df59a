/* SPDX-License-Identifier: MIT */
/* test_divergence.c - divergence on all small graphs, with branches that are uniform, divergent, or
 * what the values in them are.
 *
 * Sound: programs are run, and at each place where a value can be read it is asked whether all
 * lanes have the same. Precise: the answers are those of naive_divergence.c.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/divergence.h"
#include "heddle/analysis.h"
#include "heddle/check.h"
#include "heddle/text.h"
#include "heddle/wave.h"
#include "naive_divergence.h"
#include "support/put.h"

enum { LANES = 24, SEED_WORD = 64, COUNTER = 66, UNUSED = 80, FLAG = 96, MAX_SITES = 400 };

/* Blocks 1 to num, num + 1 the exit; 0 goes to 1. */
struct graph {
   int num;
   struct succ_list list[9];
   unsigned kinds;  /* two bits a block: what decides there */
   uint64_t values; /* what phis and sums are made of */
   bool declared;
};

/* A value that can be read in a block, by name. */
struct value {
   char name[12];
   int block;
   bool may_be_dead; /* can be the undefined value */
};

struct program {
   const struct graph *g;
   uint64_t random;
   uint32_t dominators[9];
   int num_preds[9], pred[9][9];
   int num_values, num_sites;
   struct value value[64];
   char late[1 << 14]; /* not used yet in the block at hand */
};

static void
find_dominators(struct program *p)
{
   const struct graph *g = p->g;

   for (int n = 0; n <= g->num + 1; n++) {
      p->dominators[n] = n ? ~0u : 1;
      for (int s = 0; n <= g->num && s < g->list[n].num; s++) {
         int to = g->list[n].succ[s];
         p->pred[to][p->num_preds[to]++] = n;
      }
   }
   for (int round = 0; round < 10; round++) {
      for (int n = 1; n <= g->num + 1; n++) {
         uint32_t all = ~0u;
         for (int k = 0; k < p->num_preds[n]; k++)
            all &= p->dominators[p->pred[n][k]];
         p->dominators[n] = all | 1u << n;
      }
   }
}

static bool
from_nearer(const struct graph *g, int b)
{
   int distance[9];

   for (int n = 0; n <= g->num + 1; n++)
      distance[n] = n == g->num + 1 ? 0 : 100;
   for (int round = 0; round <= g->num; round++) {
      for (int n = 1; n <= g->num; n++) {
         for (int k = 0; k < g->list[n].num; k++) {
            if (distance[g->list[n].succ[k]] + 1 < distance[n])
               distance[n] = distance[g->list[n].succ[k]] + 1;
         }
      }
   }
   return distance[g->list[b].succ[0]] <= distance[g->list[b].succ[1]];
}

static const struct value *
add_value(struct program *p, int block, bool may_be_dead, const char *format, int a)
{
   struct value *v = &p->value[p->num_values++];

   assert_true(p->num_values < 64);
   snprintf(v->name, sizeof(v->name), format, a);
   v->block = block;
   v->may_be_dead = may_be_dead;
   return v;
}

/* A random value that can be read at the end of a block. */
static const char *
pick(struct program *p, int block, bool dead_too)
{
   for (;;) {
      const struct value *v = &p->value[next_random(&p->random, (uint32_t)p->num_values)];
      if (p->dominators[block] >> v->block & 1 && (dead_too || !v->may_be_dead))
         return v->name;
   }
}

/* All names of values are made before, so that phis can read what comes later. */
static void
name_values(struct program *p)
{
   const struct graph *g = p->g;

   for (int n = 1; n <= g->num; n++)
      add_value(p, 0, false, "k%d", n);
   add_value(p, 0, false, "lane", 0);
   add_value(p, 0, true, "dead", 0);
   for (int n = 1; n <= g->num + 1; n++) {
      if (p->num_preds[n] > 1) {
         add_value(p, n, false, "p%d", n);
         add_value(p, n, true, "q%d", n);
         add_value(p, n, true, "r%d", n);
      }
      add_value(p, n, false, "u%d", n);
      add_value(p, n, false, "x%d", n);
   }
}

static void
put_phis(struct program *p, int n)
{
   static const char *const names[] = { "p", "q", "r" };

   if (p->num_preds[n] < 2)
      return;
   for (int which = 0; which < 3; which++) {
      put("%%%s%d:32 = phi ", names[which], n);
      for (int k = 0; k < p->num_preds[n]; k++) {
         int pred = p->pred[n][k];
         put("%sb%d: ", k ? ", " : "", pred);
         if (which == 0)
            put("%%k%d", pred ? pred : 1);
         else if (which == 1 && next_random(&p->random, 3))
            put("%%%s", next_random(&p->random, 2) ? "k1" : "dead");
         else
            put("%%%s", pick(p, pred, true));
      }
      put("\n");
   }
}

/* Ask whether all lanes that have it agree, and remember it if not. */
static void
put_question(struct program *p, const char *name)
{
   int s = p->num_sites++;

   assert_true(s < MAX_SITES);
   put("%%Q%d:1 = ine %%%s, %%dead\n%%h%d:32 = select %%Q%d, %%%s, %%zero\n"
       "%%l%d:32 = select %%Q%d, %%%s, %%ones\n%%m%d:32 = reduce %%h%d reduce_op=umax\n"
       "%%n%d:32 = reduce %%l%d reduce_op=umin\n%%b%d:1 = ult %%n%d, %%m%d\n"
       "%%f%d:32 = const %d\n%%a%d:32 = select %%b%d, %%f%d, %%trash\n"
       "store_buffer %%one, %%zero, %%a%d\n",
       s, name, s, s, name, s, s, name, s, s, s, s, s, s, s, s, 4 * (FLAG + s), s, s, s, s);
}

static void
put_block(struct program *p, int n)
{
   const struct graph *g = p->g;

   put_phis(p, n);
   put("%%c%d:32 = const %d\n%%u%d:32 = load_buffer %%zero, %%c%d\n%%v%d:32 = iadd %%u%d, %%one\n"
       "store_buffer %%v%d, %%zero, %%c%d\n",
       n, 4 * (COUNTER + n), n, n, n, n, n, n);
   /* The sum may read what its block defines before. */
   const char *a = pick(p, n, false), *b = pick(p, n, false);
   while (a[0] == 'x' && atoi(a + 1) == n)
      a = pick(p, n, false);
   while (b[0] == 'x' && atoi(b + 1) == n)
      b = pick(p, n, false);
   put("%%x%d:32 = iadd %%%s, %%%s\n", n, a, b);
   if (n <= g->num && g->list[n].num == 2) {
      unsigned kind = g->kinds >> 2 * n & 3;
      const char *of = kind == 0 ? "word" : kind == 1 ? "seed" : pick(p, n, false);
      if (kind < 2)
         put("%%s%d:32 = ushr %%%s, %%u%d\n", n, of, n);
      else
         put("%%s%d:32 = ixor %%%s, %%u%d\n", n, of, n);
      put("%%t%d:32 = iand %%s%d, %%one\n%%d%d:1 = ine %%t%d, %%zero\n%%e%d:1 = ult %%u%d, %%k9\n"
          "%%C%d:1 = select %%e%d, %%d%d, %%%s\n%%z%d:32 = select %%C%d, %%one, %%zero\n",
          n, n, n, n, n, n, n, n, n, from_nearer(g, n) ? "true" : "false", n, n);
      char name[12];
      snprintf(name, sizeof(name), "z%d", n);
      put_question(p, name);
   }
   for (int v = 0; v < p->num_values; v++) {
      if (p->dominators[n] >> p->value[v].block & 1 && p->value[v].block)
         put_question(p, p->value[v].name);
   }
   if (n > g->num)
      put("return\n");
   else if (g->list[n].num == 1)
      put("goto b%d\n", g->list[n].succ[0]);
   else
      put("goto_if %%C%d, b%d, b%d\n", n, g->list[n].succ[0], g->list[n].succ[1]);
}

/* With an undefined value, or for running with one that no sum makes. Returns the questions. */
static int
put_program(const struct graph *g, bool run)
{
   static struct program program;
   struct program *p = &program;
   uint64_t declare = g->values;

   memset(p, 0, sizeof(*p));
   p->g = g;
   p->random = g->values;
   find_dominators(p);
   name_values(p);
   length = 0;
   put("shader compute \"t\" {\nworkgroup %d 1 1\nflat function @main {\nb0:\n"
       "%%zero:32 = const 0\n%%one:32 = const 1\n%%ones:32 = const 0xffffffff\n"
       "%%four:32 = const 4\n%%trash:32 = const %d\n%%true:1 = const true\n%%false:1 = const "
       "false\n"
       "%%lane:32 = subgroup_invocation\n%%at:32 = imul %%lane, %%four\n"
       "%%word:32 = load_buffer %%zero, %%at\n%%sat:32 = const %d\n"
       "%%seed:32 = load_buffer %%zero, %%sat\n%%dead:32 = %s\n%%k9:32 = const 7\n",
       LANES, 4 * UNUSED, 4 * SEED_WORD, run ? "const 0xdeadbeef" : "undef");
   for (int n = 1; n <= g->num; n++)
      put("%%k%d:32 = const %d\n", n, 1000 * n);
   put("goto b1\n");
   for (int n = 1; n <= g->num + 1; n++) {
      put("b%d", n);
      if (g->declared && next_random(&declare, 3) == 0)
         put(" header");
      if (g->declared && n <= g->num && next_random(&declare, 3) == 0)
         put(" in b%u", 1 + next_random(&declare, (uint32_t)g->num));
      put(":\n");
      put_block(p, n);
   }
   put("}\n}\n");
   return p->num_sites;
}

/* The operands that questions read, by question. */
static void
find_questions(hd_function *f, const hd_src **src)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const char *name = hd_instr_def(i) ? hd_def_name(f, &i->def) : NULL;
         if (name && name[0] == 'Q')
            src[atoi(name + 1)] = hd_instr_src(i, 0);
      }
   }
}

static struct {
   unsigned programs, questions, uniform, differ, odd, naive, coarse, divergent, sure;
} tally;

/* Run it, and let no value that was called uniform differ. */
static void
run_program(hd_shader *shader, hd_function *f, const bool *uniform, int num, uint64_t *state)
{
   uint32_t words[FLAG + MAX_SITES];
   const hd_wave_buffer buffer = { .memory = { words, NULL, sizeof(words) } };
   const hd_wave_launch launch = {
      .buffers = &buffer, .num_buffers = 1, .lanes = 32, .max_steps = 60000, .function = f
   };

   memset(words, 0, sizeof(words));
   for (int l = 0; l < LANES; l++)
      words[l] = next_random(state, 1u << 16);
   words[SEED_WORD] = next_random(state, 1u << 16);
   hd_result result = hd_wave_run(shader, &launch, NULL);
   if (result != HD_OK && result != HD_BUDGET_EXCEEDED)
      fail_msg("%s in\n%s", hd_result_name(result), text);
   for (int s = 0; s < num; s++) {
      tally.differ += words[FLAG + s] != 0;
      if (words[FLAG + s] && uniform[s]) {
         puts(text);
         fail_msg("%%Q%d asks for what differs, and was called uniform", s);
      }
   }
}

static hd_shader *
parse_program(void)
{
   hd_shader *shader = NULL;

   if (hd_parse(NULL, "test", text, length, &shader) != HD_OK)
      fail_msg("does not parse:\n%s", text);
   return shader;
}

static void
compare_with_naive(hd_function *f)
{
   static struct naive_divergence naive;

   naive_diverge(&naive, f);
   if (naive.odd) {
      tally.odd++;
      return;
   }
   tally.naive++;
   hd_foreach_block(b, f) {
      /* What never runs is uniform. */
      if (!(naive.g.reachable >> naive_index(&naive.g, b) & 1))
         continue;
      hd_foreach_instr(i, b) {
         const hd_def *d = hd_instr_def(i);
         if (d && hd_def_is_uniform(d) == naive.value[d->index]) {
            puts(text);
            fail_msg("%%%s: %s, but naively not", hd_def_name(f, d),
                     hd_def_is_uniform(d) ? "uniform" : "divergent");
         }
         hd_foreach_src(src, i) {
            if (hd_src_is_uniform(src) == naive_src_differs(&naive, src)) {
               puts(text);
               fail_msg("%%%s is %s where %%%s is computed, but naively not",
                        hd_def_name(f, src->def), hd_src_is_uniform(src) ? "uniform" : "divergent",
                        d ? hd_def_name(f, d) : "");
            }
         }
      }
      assert_int_equal(hd_block_is_divergent_branch(b), naive.branch[naive_index(&naive.g, b)]);
   }
}

/* What is called divergent by what computes it. */
static void
compare_with_sure(hd_function *f)
{
   uint32_t num;
   hd_block *const *sweep = hd_function_sweep(f, &num);

   for (uint32_t n = 0; n < CYCLE_META(f)->num_reachable; n++) {
      hd_foreach_instr(i, sweep[n]) {
         const hd_def *d = hd_instr_def(i);
         if (!d)
            continue;
         tally.divergent += !hd_def_is_uniform(d);
         tally.sure += hd_is_surely_divergent(d);
         if (hd_def_is_uniform(d) && hd_is_surely_divergent(d)) {
            puts(text);
            fail_msg("%%%s is uniform, but surely divergent", hd_def_name(f, d));
         }
      }
   }
}

/* What is said beyond the bound of steps: all that is divergent, and more. */
static void
compare_with_coarse(hd_function *f)
{
   const hd_basis coarse = { DOM_META(f), CYCLE_META(f), true };
   const hd_basis exact = { DOM_META(f), CYCLE_META(f), false };
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_divergence_run r, s;

   hd_divergence_compute(&r, f, &coarse);
   hd_divergence_compute(&s, f, &exact);
   for (uint32_t n = 0; n < f->num_defs; n++) {
      tally.coarse += r.cause[n] && !s.cause[n];
      if (!r.cause[n] && s.cause[n]) {
         puts(text);
         fail_msg("value of index %u is divergent, but not coarsely", n);
      }
   }
   for (uint32_t n = 0; n < coarse.cycles->num_cycles; n++)
      assert_true(r.joins.cycle_cause[n] != NONE || s.joins.cycle_cause[n] == NONE);
   for (uint32_t n = 0; n < r.joins.num; n++)
      assert_true(r.branch[n] >= s.branch[n]);
   hd_stack_release(stack, mark);
}

static void
try_graph(const struct graph *g, unsigned runs, uint64_t *state)
{
   const hd_src *src[MAX_SITES] = { NULL };
   bool uniform[MAX_SITES];
   int num = put_program(g, false);
   hd_shader *shader = parse_program();
   hd_function *f = shader->first_function;

   if (g->declared && hd_validate(shader, NULL) != HD_OK) {
      hd_shader_destroy(shader);
      return;
   }
   assert_int_equal(hd_require(f, HD_META_DIVERGENCE), HD_OK);
   find_questions(f, src);
   for (int s = 0; s < num; s++) {
      uniform[s] = hd_src_is_uniform(src[s]);
      tally.uniform += uniform[s];
   }
   tally.programs++;
   tally.questions += (unsigned)num;
   compare_with_naive(f);
   compare_with_coarse(f);
   compare_with_sure(f);
   hd_shader_destroy(shader);

   assert_int_equal(put_program(g, true), num);
   shader = parse_program();
   for (unsigned n = 0; n < runs; n++)
      run_program(shader, shader->first_function, uniform, num, state);
   hd_shader_destroy(shader);
}

/* All graphs of num blocks as a breadth-first walk numbers them; one of so many. */
static unsigned
all_graphs(int num, unsigned every, unsigned tries, uint64_t *state)
{
   struct graph g = { .num = num, .list = { { 1, { 1 } } } };
   unsigned long code = 0;
   unsigned found = 0;

   while (next_small_graph(num, &code, g.list)) {
      if (found++ % every)
         continue;
      for (unsigned n = 0; n < tries; n++) {
         g.kinds = next_random(state, 1u << 16);
         g.values = next_random(state, UINT32_MAX);
         g.declared = n % 3 == 2;
         try_graph(&g, 2, state);
      }
   }
   return found;
}

static uint64_t
seed(void)
{
   const char *value = getenv("HD_TEST_SEED");
   uint64_t state = value ? strtoull(value, NULL, 0) : 9;

   printf("HD_TEST_SEED=%llu\n", (unsigned long long)state);
   return state;
}

static void
small_graphs(void **unused)
{
   uint64_t state = seed();
   const char *all = getenv("HEDDLE_ALL_GRAPHS");

   (void)unused;
   assert_int_equal(all_graphs(1, 1, 9, &state), 4);
   assert_int_equal(all_graphs(2, 1, 6, &state), 45);
   assert_int_equal(all_graphs(3, all ? 1 : 3, all ? 30 : 3, &state), 816);
   assert_int_equal(all_graphs(4, all ? 1 : 229, all ? 12 : 2, &state), 20225);
   printf("%u programs, %u questions, %u called uniform, %u seen to differ; %u compared, %u odd; "
          "coarsely, %u more differ; %u divergent, %u surely\n",
          tally.programs, tally.questions, tally.uniform, tally.differ, tally.naive, tally.odd,
          tally.coarse, tally.divergent, tally.sure);
   assert_true(tally.uniform > tally.questions / 10 && tally.differ > tally.questions / 10);
   assert_true(tally.naive > tally.programs / 2 && tally.coarse > 0);
   assert_true(tally.sure > tally.divergent / 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
