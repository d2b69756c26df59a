/* SPDX-License-Identifier: MIT */
/* test_large.c - shapes that are hard on careless algorithms: time grows with n log n, and the
 * stack holds. Each shape is measured at n and at 4 n blocks.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "naive.h"

/* Successors of each block, at most two unless `fan` is set. */
struct shape {
   const char *name;
   /* The successor n of block b of `num`, or -1; blocks 0 .. num - 1, `num` returns. */
   int (*succ)(int num, int b, int n);
   int fan;
};

/* 0 1 2 ... down, then back up: a block of the upper half goes back to its mirror or on. */
static int
nest_succ(int num, int b, int n)
{
   if (b == num)
      return -1;
   if (b < (num + 1) / 2)
      return n == 0 ? b + 1 : -1;
   int mirror = num - 1 - b;
   return n == 0 ? (mirror > 0 ? mirror : b + 1) : n == 1 && mirror > 0 ? b + 1 : -1;
}

/* Two rails; every block goes to both next ones. */
static int
ladder_succ(int num, int b, int n)
{
   int next = b == 0 ? 1 : (b + 1) / 2 * 2 + 1;

   if (n > 1 || b == num)
      return -1;
   return next + n < num ? next + n : n == 0 ? num : -1;
}

/* Every block goes on and back: a nest of cycles as deep as there are blocks. */
static int
path_succ(int num, int b, int n)
{
   if (n > 1 || b == num)
      return -1;
   return n == 0 ? b + 1 : b > 1 ? b - 1 : -1;
}

/* The same entered from both ends and from the middle: irreducible at every level. */
static int
entered_succ(int num, int b, int n)
{
   if (b == 0) {
      const int to[] = { num - 1, 1, num / 2, num / 3 };
      return n < 4 ? to[n] : -1;
   }
   return path_succ(num, b, n);
}

static int
mixed_succ(int num, int b, int n, int fan)
{
   uint64_t state = (uint64_t)b * 64 + (unsigned)n;

   return n < fan && b < num ? 1 + (int)next_random(&state, (uint32_t)num) : -1;
}

static int
tangle_succ(int num, int b, int n)
{
   return mixed_succ(num, b, n, 2);
}

static int
dense_succ(int num, int b, int n)
{
   return mixed_succ(num, b, n, 12);
}

/* A switch whose cases all come back to it. */
static int
switch_succ(int num, int b, int n)
{
   if (b == 1)
      return n + 2 <= num ? n + 2 : -1;
   return n == 0 && b < num ? 1 : -1;
}

/* Loops without exit, one after the other off a chain of branches. */
static int
endless_succ(int num, int b, int n)
{
   if (b == num || n > 1)
      return -1;
   if (b % 2)
      return n == 0 ? b : -1;
   return n == 0 ? b + 1 < num ? b + 1 : num : b + 2 < num ? b + 2 : -1;
}

/* Each loop stands in what the continue block of the one around it reaches. Of each level: header,
 * continue block, latch.
 */
static int
continues_succ(int num, int b, int n)
{
   int level = (b - 1) / 3, last = (num - 1) / 3 - 1, latch = 3 * level + 3;

   if (b == 0 || level > last)
      return n == 0 && b < num ? b + 1 : -1;
   switch ((b - 1) % 3) {
   case 0:
      return n == 0 ? b + 1 : n == 1 ? (level ? latch - 3 : num) : -1;
   case 1:
      return n == 0 ? (level < last ? latch + 1 : latch) : -1;
   default:
      return n == 0 ? 3 * level + 1 : -1;
   }
}

static const struct shape shapes[] = {
   { "deep nest", nest_succ, 2 },
   { "ladder", ladder_succ, 2 },
   { "there and back", path_succ, 2 },
   { "entered everywhere", entered_succ, 4 },
   { "tangle", tangle_succ, 2 },
   { "dense tangle", dense_succ, 12 },
   { "nested continues", continues_succ, 2 },
   { "switch", switch_succ, 1 << 30 },
   { "endless loops", endless_succ, 2 },
};

static hd_function *
build(hd_shader *shader, const struct shape *shape, int num)
{
   hd_function *f = hd_function_create(shader, "main", false);
   hd_block **block = malloc((size_t)(num + 1) * sizeof(*block));
   hd_block **target = malloc((size_t)(num + 1) * sizeof(*target));
   uint64_t *value = malloc((size_t)(num + 1) * sizeof(*value));

   block[0] = hd_function_start(f);
   for (int n = 1; n <= num; n++)
      block[n] = hd_flat_block_create(f);
   hd_instr *cond = hd_undef_create(shader, 1, 1), *selector = hd_undef_create(shader, 1, 32);
   hd_instr_insert(hd_after_phis(block[0]), cond);
   hd_instr_insert(hd_after_phis(block[0]), selector);
   for (int b = 0; b < num; b++) {
      unsigned num_succs = 0;
      for (int n = 0, to; n < shape->fan && (to = shape->succ(num, b, n)) >= 0; n++) {
         bool has = false;
         for (unsigned k = 0; shape->fan < 100 && k < num_succs; k++)
            has |= target[k] == block[to];
         if (!has) {
            value[num_succs] = num_succs;
            target[num_succs++] = block[to];
         }
      }
      if (num_succs == 1)
         hd_flat_goto(block[b], target[0]);
      else if (num_succs == 2)
         hd_flat_goto_if(block[b], &cond->def, target[0], target[1]);
      else
         hd_flat_switch(block[b], &selector->def, target[0], num_succs - 1, value + 1, target + 1);
   }
   hd_flat_return(block[num], NULL);
   free(block);
   free(target);
   free(value);
   return f;
}

static double
seconds(void)
{
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All frontiers of the blocks taken alone, in samples, and of all together. */
static void
all_frontiers(hd_function *f)
{
   hd_block **blocks = calloc(f->num_blocks + 1, sizeof(*blocks));
   hd_block **out = malloc((f->num_blocks + 1) * sizeof(*out));
   uint32_t num = 0;

   hd_foreach_block(b, f)
      blocks[num++] = b;
   hd_iterated_dominance_frontier(f, blocks, num, out);
   for (uint32_t n = 0; n < num; n += 1 + num / 16)
      hd_iterated_dominance_frontier(f, blocks + n, 1, out);
   free(blocks);
   free(out);
}

enum { ALL, MARKED, ALL_MARKED, NUM_MODES };

static double
measure(const struct shape *shape, int num, int mode)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = build(shader, shape, num);
   uint32_t faults;

   if (mode == MARKED)
      assert_int_equal(hd_declare_loops(f), HD_OK);
   if (mode == ALL_MARKED) {
      hd_foreach_block(b, f)
         b->node.header = 1;
   }
   if (mode == MARKED && shape->succ == continues_succ) {
      hd_foreach_block(b, f) {
         hd_block *header = b->num_preds == 1 ? b->preds[0].from : NULL;
         if (header && header->node.header && hd_block_next(header) == b)
            b->continues = header;
      }
   }
   hd_meta_invalidate(f, HD_META_NONE);
   double start = seconds();
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   assert_int_equal(hd_check_declarations(f, NULL, NULL, &faults), HD_OK);
   all_frontiers(f);
   double time = seconds() - start;
   assert_int_equal(faults, 0);

   uint32_t deepest = 0;
   for (uint32_t c = 0; c < hd_function_num_cycles(f); c++) {
      uint32_t depth = hd_function_cycle(f, c)->depth;
      deepest = depth > deepest ? depth : deepest;
      if (mode == MARKED && shape->succ == continues_succ)
         assert_non_null(hd_function_cycle(f, c)->continue_block);
   }
   print_message("%-18s %6d blocks%s: %7.1f ms, %u cycles, depth %u\n", shape->name, num,
                 mode == MARKED       ? ", declared"
                 : mode == ALL_MARKED ? ", all headers"
                                      : "",
                 time * 1e3, hd_function_num_cycles(f), deepest);
   if (shape->succ == nest_succ)
      assert_int_equal(deepest, (uint32_t)num / 2 - 1);
   if (shape->succ == path_succ)
      assert_int_equal(deepest, num - 2);
   hd_shader_destroy(shader);
   return time;
}

/* Four times the blocks may cost ten times the time, and a fifth of a second for the noise of other
 * work on the machine; something quadratic costs sixteen times.
 */
static void
test_growth(void **unused)
{
   (void)unused;
   for (size_t n = 0; n < sizeof(shapes) / sizeof(*shapes); n++) {
      for (int mode = 0; mode < NUM_MODES; mode++) {
         double small = measure(&shapes[n], 2500, mode), large = measure(&shapes[n], 10000, mode);
         assert_true(large < 10 * small + 0.2);
      }
   }
}

static double
measure_tree(int depth)
{
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
   hd_function *f = hd_function_create(shader, "main", true);
   hd_instr *cond = hd_undef_create(shader, 1, 1);
   hd_cursor at = hd_after_block(hd_function_start(f));

   hd_instr_insert(at, cond);
   for (int n = 0; n < depth; n++) {
      hd_loop *loop = hd_insert_loop(n ? at : hd_after_block(hd_function_start(f)));
      hd_if *nif = hd_insert_if(hd_list_start(&loop->body), &cond->def);
      hd_insert_jump(hd_list_start(&nif->then_list), HD_JUMP_BREAK, NULL);
      at = n % 2 ? hd_list_end(&loop->body) : hd_list_start(&loop->continue_list);
   }
   double start = seconds();
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   all_frontiers(f);
   double time = seconds() - start;
   print_message("loops in a tree    %6d levels: %7.1f ms\n", depth, time * 1e3);
   assert_int_equal(hd_function_num_cycles(f), depth);
   assert_int_equal(hd_function_cycle(f, (uint32_t)depth - 1)->depth, depth);
   hd_shader_destroy(shader);
   return time;
}

static void
test_tree(void **unused)
{
   (void)unused;
   double small = measure_tree(2500), large = measure_tree(10000);
   assert_true(large < 10 * small + 0.2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_growth),
      cmocka_unit_test(test_tree),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
