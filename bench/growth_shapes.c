/* SPDX-License-Identifier: MIT */
/* growth_shapes.c - programs in each of which one number grows with the size.
 *
 * As a front end leaves them: values that change are local variables. Nothing that is computed is
 * dead, and nothing is constant, unless the shape is about that.
 */
#include <stdlib.h>

#include "growth_shapes.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

typedef struct maker {
   hd_builder *b;
   hd_def *id, *one;
   hd_def *other; /* of which nothing is known */
   uint32_t random;
} maker;

static uint32_t
draw(maker *m)
{
   m->random = m->random * 1664525u + 1013904223u;
   return m->random >> 8;
}

static hd_var *
variable(maker *m, uint32_t length)
{
   return hd_var_create(m->b->shader->first_function, NULL, 1, 32, length);
}

static hd_def *
address(maker *m, hd_def *index)
{
   hd_def *base = hd_imm_u64(m->b, 0x100000);

   hd_def *two = hd_imm_u32(m->b, 2);
   return hd_iadd(m->b, base, hd_ishl(m->b, hd_u2u(m->b, index, 64), two));
}

static void
store(maker *m, hd_def *value, hd_def *index)
{
   hd_store_global(m->b, value, address(m, index), 0, 4, 0, 0);
}

static hd_def *
load(maker *m, hd_def *index)
{
   return hd_load_global(m->b, address(m, index), 1, 32, 0, 4, 0, 0);
}

static maker
begin(hd_builder *b)
{
   maker m = { .b = b, .random = 1 };

   m.id = hd_global_invocation_index(b);
   m.one = hd_imm_u32(b, 1);
   m.other = load(&m, m.id);
   return m;
}

/* A value that no rule knows anything of; not the same instructions each time. */
static hd_def *
step(maker *m, hd_def *x)
{
   hd_def *factor = hd_imm_u32(m->b, draw(m) | 1);

   switch (draw(m) >> 8 & 3) {
   case 0:
      return hd_ixor(m->b, hd_imul(m->b, x, factor), m->other);
   case 1:
      return hd_imul(m->b, hd_ixor(m->b, x, m->other), factor);
   case 2:
      return hd_isub(m->b, m->other, hd_imul(m->b, x, factor));
   default:
      return hd_imul(m->b, hd_isub(m->b, x, m->other), factor);
   }
}

/* Each value needs the one before it. */
static void
build_chain(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 3)
      x = step(&m, x);
   store(&m, x, m.id);
}

/* Sums that a rule may put together: ((id + 1) + 1) + ... */
static void
build_sums(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 2)
      x = hd_iadd(b, x, hd_imm_u32(b, draw(&m) & 0xff));
   store(&m, x, m.id);
}

/* The same few expressions again and again. */
static void
build_repeats(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_def *sum = m.id;

   for (uint32_t n = 0; n < size; n += 6) {
      hd_def *k = hd_imm_u32(b, draw(&m) % 64);
      hd_def *x = hd_imul(b, hd_iadd(b, m.id, k), m.id);
      sum = hd_ixor(b, hd_imul(b, sum, m.id), x);
   }
   store(&m, sum, m.id);
}

/* Stores to memory, and loads between them that may see them. */
static void
build_stores(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 12) {
      hd_def *at = hd_iadd(b, m.id, hd_imm_u32(b, draw(&m) % 256));
      x = hd_iadd(b, x, load(&m, at));
      store(&m, x, hd_iadd(b, m.id, hd_imm_u32(b, draw(&m) % 256)));
   }
}

/* Loads that nothing disturbs, of few places. */
static void
build_loads(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 8) {
      hd_def *loaded = load(&m, hd_imm_u32(b, draw(&m) % 1024));
      x = hd_iadd(b, hd_imul(b, x, m.id), loaded);
   }
   store(&m, x, m.id);
}

/* Variables without number, each written on one way and read at the end. */
static void
build_variables(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   const uint32_t count = size / 12 + 1;
   hd_var *first = NULL, *v;
   hd_def *sum = m.id;

   for (uint32_t n = 0; n < count; n++) {
      v = variable(&m, 0);
      if (!first)
         first = v;
      hd_store_var(b, v, NULL, step(&m, m.id));
   }
   for (v = first; v; v = v->next) {
      hd_push_if(b, hd_ult(b, sum, m.id));
      hd_store_var(b, v, NULL, sum);
      hd_pop_if(b);
      sum = hd_iadd(b, sum, m.one);
   }
   for (v = first; v; v = v->next) {
      hd_def *value = hd_load_var(b, v, NULL);
      sum = hd_ixor(b, hd_imul(b, sum, m.id), value);
   }
   store(&m, sum, m.id);
}

/* One variable, written in one arm of if after if. */
static void
build_joins(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);

   hd_store_var(b, v, NULL, m.id);
   for (uint32_t n = 0; n < size; n += 10) {
      hd_def *x = hd_load_var(b, v, NULL);
      hd_push_if(b, hd_ult(b, step(&m, x), m.id));
      hd_store_var(b, v, NULL, step(&m, x));
      hd_pop_if(b);
   }
   store(&m, hd_load_var(b, v, NULL), m.id);
}

/* Arrays that are small enough to be values, with indices that are known and some that are not. */
static void
build_arrays(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = NULL;
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 8) {
      if (n % 256 == 0) {
         v = variable(&m, 8);
         for (uint32_t k = 0; k < 8; k++) {
            hd_def *next = step(&m, x);
            hd_store_var(b, v, hd_imm_u32(b, k), next);
         }
      }
      hd_def *at = n % 1024 == 8 ? hd_iand(b, x, hd_imm_u32(b, 7)) : hd_imm_u32(b, draw(&m) % 8);
      hd_store_var(b, v, hd_imm_u32(b, draw(&m) % 8), x);
      hd_def *loaded = hd_load_var(b, v, at);
      x = hd_iadd(b, step(&m, x), loaded);
   }
   store(&m, x, m.id);
}

/* Ifs in ifs, a variable written at each level on the way out. */
static void
build_if_nest(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   const uint32_t depth = size / 12 + 1;

   hd_store_var(b, v, NULL, m.id);
   for (uint32_t n = 0; n < depth; n++) {
      hd_def *x = hd_load_var(b, v, NULL);
      hd_push_if(b, hd_ult(b, step(&m, x), m.id));
      hd_store_var(b, v, NULL, step(&m, x));
   }
   for (uint32_t n = 0; n < depth; n++) {
      hd_push_else(b);
      hd_store_var(b, v, NULL, m.one);
      hd_pop_if(b);
   }
   store(&m, hd_load_var(b, v, NULL), m.id);
}

/* The head of a loop as C has it: `for (i = 0; i < limit; i++)` with a break. */
static void
open_loop(maker *m, hd_var *counter, hd_def *limit)
{
   hd_store_var(m->b, counter, NULL, hd_imm_u32(m->b, 0));
   hd_push_loop(m->b);
   hd_break_if(m->b, hd_ule(m->b, limit, hd_load_var(m->b, counter, NULL)));
}

static void
close_loop(maker *m, hd_var *counter)
{
   hd_push_continue(m->b);
   hd_store_var(m->b, counter, NULL, hd_iadd(m->b, hd_load_var(m->b, counter, NULL), m->one));
   hd_pop_loop(m->b);
}

/* Loops one after the other, with a sum. */
static void
build_loops(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *counter = variable(&m, 0), *sum = variable(&m, 0);

   hd_store_var(b, sum, NULL, m.id);
   for (uint32_t n = 0; n < size; n += 20) {
      open_loop(&m, counter, m.id);
      hd_def *x = hd_load_var(b, sum, NULL);
      hd_def *fixed = hd_imul(b, m.id, hd_imm_u32(b, n));
      hd_store_var(b, sum, NULL, hd_iadd(b, step(&m, x), fixed));
      close_loop(&m, counter);
   }
   store(&m, hd_load_var(b, sum, NULL), m.id);
}

/* Loops in loops. */
static void
build_loop_nest(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *sum = variable(&m, 0), *first = NULL, *v = NULL;
   const uint32_t depth = size / 20 + 1;

   hd_store_var(b, sum, NULL, m.id);
   for (uint32_t n = 0; n < depth; n++) {
      v = variable(&m, 0);
      if (!first)
         first = v;
      open_loop(&m, v, m.id);
      hd_def *x = hd_load_var(b, sum, NULL);
      hd_def *square = hd_imul(b, m.id, m.id);
      hd_store_var(b, sum, NULL, hd_iadd(b, step(&m, x), square));
   }
   for (uint32_t n = 0; n < depth; n++, v = v->prev)
      close_loop(&m, v);
   store(&m, hd_load_var(b, sum, NULL), m.id);
}

/* Short loops whose counts are known: what unrolling makes of them is not small. */
static void
build_counted(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *counter = variable(&m, 0), *sum = variable(&m, 0);

   hd_store_var(b, sum, NULL, m.id);
   for (uint32_t n = 0; n < size; n += 60) {
      open_loop(&m, counter, hd_imm_u32(b, 4));
      hd_def *count = hd_load_var(b, counter, NULL);
      hd_store_var(b, sum, NULL, step(&m, hd_iadd(b, hd_load_var(b, sum, NULL), count)));
      close_loop(&m, counter);
   }
   store(&m, hd_load_var(b, sum, NULL), m.id);
}

/* A switch whose cases all write one variable. The first block of a flat function is there. */
static void
build_switch(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   const uint32_t count = size / 7 + 2;
   hd_block **targets = calloc(count, sizeof(hd_block *));
   uint64_t *values = calloc(count, sizeof(uint64_t));
   hd_block *join = hd_builder_add_block(b);

   if (targets && values) {
      for (uint32_t n = 0; n < count; n++) {
         targets[n] = hd_builder_add_block(b);
         values[n] = n * 3;
      }
      hd_switch(b, m.id, targets[0], count - 1, values + 1, targets + 1);
      for (uint32_t n = 0; n < count; n++) {
         hd_builder_set_block(b, targets[n]);
         hd_store_var(b, v, NULL, step(&m, step(&m, m.other)));
         hd_goto(b, join);
      }
      hd_builder_set_block(b, join);
      store(&m, hd_load_var(b, v, NULL), m.id);
   }
   free(targets);
   free(values);
}

/* Tests from any of which the same block is reached: a phi of as many sources. */
static void
build_exits(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   hd_block *join = hd_builder_add_block(b);
   hd_def *x = m.id;

   for (uint32_t n = 0; n < size; n += 8) {
      hd_block *next = hd_builder_add_block(b);

      x = step(&m, x);
      hd_store_var(b, v, NULL, x);
      hd_goto_if(b, hd_ult(b, x, step(&m, x)), join, next);
      hd_builder_set_block(b, next);
   }
   hd_goto(b, join);
   hd_builder_set_block(b, join);
   store(&m, hd_load_var(b, v, NULL), m.id);
}

/* Forward gotos that all cross, in flat code. */
static void
build_ladder(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   const uint32_t count = size / 9 + 3;
   hd_block **blocks = calloc(count + 2, sizeof(hd_block *));

   if (blocks) {
      hd_store_var(b, v, NULL, m.id);
      for (uint32_t n = 0; n < count + 2; n++)
         blocks[n] = hd_builder_add_block(b);
      hd_goto(b, blocks[0]);
      for (uint32_t n = 0; n < count; n++) {
         hd_builder_set_block(b, blocks[n]);
         hd_def *x = hd_load_var(b, v, NULL);
         hd_store_var(b, v, NULL, step(&m, x));
         hd_goto_if(b, hd_ult(b, x, step(&m, x)), blocks[n + 1], blocks[n + 2]);
      }
      hd_builder_set_block(b, blocks[count]);
      hd_goto(b, blocks[count + 1]);
      hd_builder_set_block(b, blocks[count + 1]);
      store(&m, hd_load_var(b, v, NULL), m.id);
   }
   free(blocks);
}

/* A loop with an exit at every second block, each to a place of its own that reads a value of the
 * block before it.
 */
static void
build_loop_exits(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   hd_block *header = hd_builder_add_block(b), *join = hd_builder_add_block(b);

   hd_store_var(b, v, NULL, m.id);
   hd_goto(b, header);
   hd_builder_set_block(b, header);
   hd_def *x = hd_load_var(b, v, NULL);
   for (uint32_t n = 0; n < size; n += 12) {
      hd_block *out = hd_builder_add_block(b), *next = hd_builder_add_block(b);

      x = step(&m, x);
      hd_goto_if(b, hd_ult(b, x, step(&m, x)), next, out);
      hd_builder_set_block(b, out);
      hd_store_var(b, v, NULL, step(&m, x));
      hd_goto(b, join);
      hd_builder_set_block(b, next);
   }
   hd_store_var(b, v, NULL, x);
   hd_goto_if(b, hd_ult(b, x, m.other), header, join);
   hd_builder_set_block(b, join);
   store(&m, hd_load_var(b, v, NULL), m.id);
}

/* Blocks that go to any two others: one dense irreducible cycle. */
static void
build_mesh(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   const uint32_t count = size / 12 + 4;
   hd_block **blocks = calloc(count, sizeof(hd_block *));

   if (blocks) {
      hd_store_var(b, v, NULL, m.id);
      for (uint32_t n = 0; n < count; n++)
         blocks[n] = hd_builder_add_block(b);
      hd_goto(b, blocks[0]);
      for (uint32_t n = 0; n + 1 < count; n++) {
         uint32_t other = draw(&m) % count;

         /* So that each is reached. */
         other = other == n + 1 ? n : other;
         hd_builder_set_block(b, blocks[n]);
         hd_def *x = step(&m, hd_load_var(b, v, NULL));
         hd_store_var(b, v, NULL, x);
         hd_goto_if(b, hd_ult(b, x, step(&m, x)), blocks[n + 1], blocks[other]);
      }
      hd_builder_set_block(b, blocks[count - 1]);
      store(&m, hd_load_var(b, v, NULL), m.id);
   }
   free(blocks);
}

/* A small function, called over and over. */
static void
build_calls(hd_builder *b, uint32_t size)
{
   hd_shader *shader = b->shader;
   hd_function *entry = shader->first_function;
   hd_function *callee = hd_function_create(shader, "step", true);
   maker m;

   if (!callee)
      return;
   hd_function_set_result(callee, 1, 32);
   hd_def *p = hd_function_add_param(callee, 1, 32);
   hd_builder_enter(b, callee);
   hd_def *seven = hd_imm_u32(b, 7);
   hd_return(b, hd_iadd(b, hd_imul(b, p, p), seven));
   hd_builder_enter(b, entry);
   m = begin(b);
   hd_def *x = m.id;
   for (uint32_t n = 0; n < size; n += 8)
      x = hd_build_call(b, callee, 1, &x);
   store(&m, x, m.id);
}

/* Values that are all there before the first of them is read. */
static void
build_pressure(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   const uint32_t count = size / 6 + 1;
   hd_def **values = calloc(count, sizeof(hd_def *));
   hd_def *sum = m.id;

   for (uint32_t n = 0; values && n < count; n++)
      values[n] = step(&m, n ? values[n - 1] : m.id);
   for (uint32_t n = 0; values && n < count; n++)
      sum = hd_ixor(b, hd_imul(b, sum, values[n]), m.other);
   store(&m, sum, m.id);
   free(values);
}

/* What the same test guards, again and again, in each arm the same code. */
static void
build_tests(hd_builder *b, uint32_t size)
{
   maker m = begin(b);
   hd_var *v = variable(&m, 0);
   hd_def *cond = hd_ult(b, hd_imul(b, m.id, m.id), m.id);

   hd_store_var(b, v, NULL, m.id);
   for (uint32_t n = 0; n < size; n += 10) {
      hd_def *x = hd_load_var(b, v, NULL);
      hd_push_if(b, cond);
      hd_store_var(b, v, NULL, hd_iadd(b, hd_imul(b, x, m.id), m.one));
      hd_push_else(b);
      hd_store_var(b, v, NULL, hd_iadd(b, hd_imul(b, x, m.id), m.id));
      hd_pop_if(b);
   }
   store(&m, hd_load_var(b, v, NULL), m.id);
}

const shape growth_shapes[] = {
   { "chain", "each value needs the one before", false, build_chain, 0 },
   { "sums", "constants added one after the other", false, build_sums, 0 },
   { "repeats", "the same expressions", false, build_repeats, 0 },
   { "stores", "stores to memory and loads between", false, build_stores, 0 },
   { "loads", "loads of few places", false, build_loads, 0 },
   { "variables", "local variables", false, build_variables, 0 },
   { "joins", "ifs that write one variable", false, build_joins, 0 },
   { "arrays", "small arrays", false, build_arrays, 0 },
   { "tests", "ifs on one condition", false, build_tests, 0 },
   { "if nest", "ifs in ifs", false, build_if_nest, 0 },
   { "loops", "loops one after the other", false, build_loops, 0 },
   { "loop nest", "loops in loops", false, build_loop_nest, 0 },
   { "counted", "loops of four rounds", false, build_counted, 0 },
   { "switch", "cases of one switch", true, build_switch, 0 },
   { "exits", "ways to one block", true, build_exits, 0 },
   { "ladder", "gotos that cross", true, build_ladder, 0 },
   { "loop exits", "exits of a loop to places of their own", true, build_loop_exits, 0 },
   { "mesh", "blocks that go to any others", true, build_mesh, 0 },
   { "pressure", "values that live at once", false, build_pressure, 0 },
   { "calls", "calls of a small function", false, build_calls, 0 },
};

const unsigned num_growth_shapes = sizeof(growth_shapes) / sizeof(growth_shapes[0]);
