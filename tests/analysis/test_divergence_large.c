/* SPDX-License-Identifier: MIT */
/* test_divergence_large.c - large shapes all of whose branches are divergent: what is found, and in
 * which time. Phis of two different constants stand wherever edges meet.
 */
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/private.h"
#include "heddle/analysis.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "naive.h"

struct shape {
   hd_shader *shader;
   hd_function *f;
   hd_block **block;
   uint32_t num;
   hd_def *cond, *lane, *one, *two;
};

#define MANY_STEPS (UINT64_MAX / 2)

static struct shape
begin(uint32_t num)
{
   const hd_config config = { .budget = { .steps = MANY_STEPS } };
   struct shape s = { .shader = hd_shader_create(&config, HD_STAGE_COMPUTE, NULL), .num = num };

   s.f = hd_function_create(s.shader, "main", false);
   s.block = calloc(num, sizeof(*s.block));
   s.block[0] = hd_function_start(s.f);
   for (uint32_t n = 1; n < num; n++)
      s.block[n] = hd_flat_block_create(s.f);
   hd_builder b = hd_builder_at(hd_after_block(s.block[0]));
   s.lane = hd_subgroup_invocation(&b);
   s.one = hd_imm_u32(&b, 1);
   s.two = hd_imm_u32(&b, 2);
   s.cond = hd_ieq(&b, s.lane, s.one);
   return s;
}

static void
to(const struct shape *s, uint32_t from, uint32_t a)
{
   hd_flat_goto(s->block[from], s->block[a]);
}

static void
branch(const struct shape *s, uint32_t from, uint32_t a, uint32_t b)
{
   hd_flat_goto_if(s->block[from], s->cond, s->block[a], s->block[b]);
}

/* n ifs, each in the then-arm of the one before. */
static struct shape
nest(uint32_t n)
{
   struct shape s = begin(3 * n + 1);

   for (uint32_t i = 0; i < n; i++) {
      /* head i, its else-arm n + i, its end 2n + i */
      branch(&s, i, i + 1 < n ? i + 1 : 3 * n, n + i);
      to(&s, n + i, 2 * n + i);
      if (i)
         to(&s, 2 * n + i, 2 * n + i - 1);
   }
   to(&s, 3 * n, 2 * n + n - 1);
   hd_flat_return(s.block[2 * n], NULL);
   return s;
}

/* Each rung goes to the other side or on. */
static struct shape
ladder(uint32_t n)
{
   struct shape s = begin(2 * n + 1);

   for (uint32_t i = 0; i < n; i++) {
      branch(&s, i, n + i, i + 1 < n ? i + 1 : 2 * n);
      to(&s, n + i, i + 1 < n ? n + i + 1 : 2 * n);
   }
   hd_flat_return(s.block[2 * n], NULL);
   return s;
}

/* Cleanups: what fails later has more to undo. */
static struct shape
cleanups(uint32_t n)
{
   struct shape s = begin(2 * n + 1);

   for (uint32_t i = 0; i < n; i++) {
      branch(&s, i, n + i, i + 1 < n ? i + 1 : 2 * n);
      if (i)
         to(&s, n + i, n + i - 1);
   }
   hd_flat_return(s.block[n], NULL);
   hd_flat_return(s.block[2 * n], NULL);
   return s;
}

/* One loop, left at each of its blocks for a chain. */
static struct shape
exits(uint32_t n)
{
   struct shape s = begin(2 * n + 2);

   to(&s, 0, 1);
   for (uint32_t i = 1; i <= n; i++) {
      branch(&s, i, n + i, i < n ? i + 1 : 1);
      to(&s, n + i, n + i + 1);
   }
   hd_flat_return(s.block[2 * n + 1], NULL);
   return s;
}

/* n loops, each in the one before, left at the head. */
static struct shape
loops(uint32_t n)
{
   struct shape s = begin(2 * n + 2);

   to(&s, 0, 1);
   for (uint32_t i = 1; i <= n; i++) {
      /* head i; behind it n + i, which goes back to the head around */
      branch(&s, i, n + i, i < n ? i + 1 : n);
      to(&s, n + i, i > 1 ? i - 1 : 2 * n + 1);
   }
   hd_flat_return(s.block[2 * n + 1], NULL);
   return s;
}

/* Every block goes on to two random ones not far behind it. */
static struct shape
tangle(uint32_t n)
{
   struct shape s = begin(n + 2);
   uint64_t state = 7;

   for (uint32_t i = 0; i < n; i++) {
      uint32_t a = i + 1 + next_random(&state, 60), b = i + 1 + next_random(&state, 60);
      a = a > n ? n : a;
      b = b > n ? n : b;
      if (a == b)
         to(&s, i, a);
      else
         branch(&s, i, a, b);
   }
   to(&s, n, n + 1);
   hd_flat_return(s.block[n + 1], NULL);
   return s;
}

/* A cycle of all blocks, from each of which lanes also go anywhere: cycles in cycles, each entered
 * at several blocks.
 */
static struct shape
knot(uint32_t n)
{
   struct shape s = begin(n + 2);
   uint64_t state = 3;

   to(&s, 0, 1);
   for (uint32_t i = 1; i <= n; i++) {
      uint32_t on = i < n ? i + 1 : 1, other = 1 + next_random(&state, n + 1);
      if (on == other)
         to(&s, i, on);
      else
         branch(&s, i, on, other);
   }
   hd_flat_return(s.block[n + 1], NULL);
   return s;
}

static struct shape
cases(uint32_t n)
{
   struct shape s = begin(n + 2);
   uint64_t *values = calloc(n, sizeof(*values));

   for (uint32_t i = 0; i < n; i++) {
      values[i] = i;
      to(&s, i + 1, n + 1);
   }
   hd_flat_switch(s.block[0], s.lane, s.block[1], n, values, s.block + 1);
   hd_flat_return(s.block[n + 1], NULL);
   free(values);
   return s;
}

/* A phi wherever edges meet; different by predecessor. */
static void
add_phis(const struct shape *s)
{
   for (uint32_t n = 1; n < s->num; n++) {
      hd_block *b = s->block[n];
      if (b->num_preds < 2)
         continue;
      hd_phi *phi = hd_phi_insert(b, 1, 32, NULL);
      for (uint32_t p = 0; p < b->num_preds; p++)
         hd_phi_set_src(phi, b->preds[p].from, p % 2 ? s->one : s->two);
   }
}

/* Of edges that lanes can come by, do two bring different values? */
static bool
can_differ(const hd_phi *phi)
{
   bool odd = false, even = false;

   for (uint32_t p = 0; p < phi->num_srcs; p++) {
      if (!hd_block_is_reachable(phi->instr.block->preds[p].from))
         continue;
      odd |= p % 2;
      even |= !(p % 2);
   }
   return odd && even;
}

/* Of this process alone: others may run beside it. */
static double
seconds(void)
{
   return (double)clock() / CLOCKS_PER_SEC;
}

/* What four times the blocks cost, in steps: n log n with some room. */
#define MOST_TIMES 5.2

static void
measure(const char *name, struct shape (*make)(uint32_t n), uint32_t least, uint32_t most)
{
   uint64_t steps = 0;

   for (uint32_t n = 2500; n <= 10000; n *= 4) {
      struct shape s = make(n);
      uint32_t num = 0, divergent = 0;
      add_phis(&s);
      assert_int_equal(hd_require(s.f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES),
                       HD_OK);
      double start = seconds();
      assert_int_equal(hd_require(s.f, HD_META_DIVERGENCE), HD_OK);
      double end = seconds();
      const uint64_t before = steps;
      steps = MANY_STEPS - hd_shader_heap(s.shader)->steps_left;
      for (uint32_t b = 0; b < s.num; b++) {
         const hd_phi *phi = hd_instr_as_phi(s.block[b]->first);
         num += phi && can_differ(phi);
         divergent += phi && !hd_def_is_uniform(&phi->instr.def);
      }
      printf("%-10s %6u: %8.1f ms, %" PRIu64 " steps, %u of %u phis are divergent\n", name, n,
             (end - start) * 1e3, steps, divergent, num);
      assert_true(!before || (double)steps < MOST_TIMES * (double)before);
      assert_in_range(divergent, (uint64_t)num * least / 100, (uint64_t)num * most / 100);
      /* Far from what a machine under load and sanitizers may take. */
      assert_true(end - start < 10);
      free(s.block);
      hd_shader_destroy(s.shader);
   }
}

static void
large(void **unused)
{
   (void)unused;
   measure("nest", nest, 100, 100);
   measure("ladder", ladder, 100, 100);
   measure("cleanups", cleanups, 100, 100);
   /* All but the header. */
   measure("exits", exits, 99, 100);
   /* Who comes to a head comes from before it, or all go round. */
   measure("loops", loops, 0, 0);
   measure("tangle", tangle, 100, 100);
   measure("knot", knot, 0, 100);
   measure("cases", cases, 100, 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(large),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
