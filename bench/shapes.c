/* SPDX-License-Identifier: MIT */
#include "shapes.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

/* Values that later instructions draw on: the last few results, so that live ranges are short as
 * in real shaders, and never constants alone.
 */
#define WINDOW 8

typedef struct pool {
   hd_def *values[WINDOW];
   unsigned next;
   uint32_t random;
} pool;

static uint32_t
draw(pool *p)
{
   p->random = p->random * 1664525u + 1013904223u;
   return p->random >> 8;
}

static hd_def *
pick(pool *p)
{
   return p->values[draw(p) % WINDOW];
}

static void
keep(pool *p, hd_def *def)
{
   p->values[p->next++ % WINDOW] = def;
}

static hd_def *
address_of(hd_builder *b, hd_def *index)
{
   hd_def *base = hd_imm_u64(b, 0x100000);

   return hd_iadd(b, base, hd_u2u(b, index, 64));
}

static pool
begin(hd_builder *b, uint32_t seed)
{
   pool p = { .random = seed };
   hd_def *id = hd_global_invocation_index(b);

   for (unsigned i = 0; i < WINDOW; i++)
      keep(&p, hd_iadd(b, id, hd_imm_u32(b, i + 1)));
   return p;
}

/* Nothing that was computed is dead. */
static void
finish(hd_builder *b, pool *p)
{
   hd_def *sum = p->values[0];

   for (unsigned i = 1; i < WINDOW; i++)
      sum = hd_ixor(b, sum, p->values[i]);
   hd_store_global(b, sum, address_of(b, hd_global_invocation_index(b)), 0, 4, 0, 0);
}

/* One arithmetic instruction; now and then with a constant, which is an instruction too. */
static unsigned
arithmetic(hd_builder *b, pool *p)
{
   hd_def *x = pick(p);
   uint32_t kind = draw(p) % 16;
   hd_def *y = kind < 4 ? hd_imm_u32(b, draw(p)) : pick(p);

   switch (kind % 5) {
   case 0:
      keep(p, hd_iadd(b, x, y));
      break;
   case 1:
      keep(p, hd_imul(b, x, y));
      break;
   case 2:
      keep(p, hd_ixor(b, x, y));
      break;
   case 3:
      keep(p, hd_isub(b, x, y));
      break;
   default:
      keep(p, hd_iand(b, x, y));
      break;
   }
   return kind < 4 ? 2 : 1;
}

static hd_def *
condition(hd_builder *b, pool *p)
{
   return hd_ult(b, pick(p), pick(p));
}

/* One block of arithmetic. */
static void
build_alu(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 1);

   for (uint32_t n = 0; n < size;)
      n += arithmetic(b, &p);
   finish(b, &p);
}

/* Nests of eight ifs, five instructions an arm, a phi after each. */
static void
build_ifs(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 2);

   for (uint32_t n = 0; n < size;) {
      for (unsigned depth = 0; depth < 8; depth++) {
         hd_push_if(b, condition(b, &p));
         for (unsigned i = 0; i < 4; i++)
            n += arithmetic(b, &p);
         n += 1;
      }
      /* What was computed inside does not dominate what follows: only phis come out. */
      hd_def *merged = pick(&p);
      for (unsigned depth = 8; depth-- > 0;) {
         hd_def *other;

         hd_push_else(b);
         other = hd_imm_u32(b, n);
         hd_pop_if(b);
         merged = hd_if_phi(b, merged, other);
         n += 2;
      }
      for (unsigned i = 0; i < WINDOW; i++)
         keep(&p, merged);
   }
   finish(b, &p);
}

/* Loops with a counter, a sum, a `continue` and a `break`. */
static void
build_loops(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 3);

   for (uint32_t n = 0; n < size;) {
      hd_ssa_var *counter = hd_ssa_var_create(b, 1, 32);
      hd_ssa_var *sum = hd_ssa_var_create(b, 1, 32);
      hd_def *one = hd_imm_u32(b, 1);
      hd_def *limit = pick(&p);

      hd_ssa_write(b, counter, hd_imm_u32(b, 0));
      hd_ssa_write(b, sum, pick(&p));
      hd_push_loop(b);
      hd_break_if(b, hd_ule(b, limit, hd_ssa_read(b, counter)));
      pool in = p;
      keep(&in, hd_ssa_read(b, sum));
      for (unsigned i = 0; i < 6; i++)
         n += arithmetic(b, &in);
      hd_ssa_write(b, sum, hd_iadd(b, hd_ssa_read(b, sum), pick(&in)));
      hd_continue_if(b, condition(b, &in));
      for (unsigned i = 0; i < 4; i++)
         n += arithmetic(b, &in);
      hd_ssa_write(b, sum, hd_ixor(b, hd_ssa_read(b, sum), pick(&in)));
      hd_push_continue(b);
      hd_ssa_write(b, counter, hd_iadd(b, hd_ssa_read(b, counter), one));
      hd_pop_loop(b);
      p.random = in.random;
      keep(&p, hd_ssa_read(b, sum));
      n += 14;
   }
   finish(b, &p);
}

/* Switches of sixteen cases that meet in a block with four phis: 64 sources each time. */
static void
build_phis(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 4);

   for (uint32_t n = 0; n < size;) {
      hd_ssa_var *vars[4];
      hd_block *targets[16];
      uint64_t values[16];
      hd_block *otherwise, *join;

      for (unsigned i = 0; i < 4; i++) {
         vars[i] = hd_ssa_var_create(b, 1, 32);
         hd_ssa_write(b, vars[i], pick(&p));
      }
      for (unsigned i = 0; i < 16; i++) {
         values[i] = i;
         targets[i] = hd_builder_add_block(b);
      }
      otherwise = hd_builder_add_block(b);
      join = hd_builder_add_block(b);
      hd_switch(b, pick(&p), otherwise, 16, values, targets);
      for (unsigned i = 0; i <= 16; i++) {
         hd_block *block = i < 16 ? targets[i] : otherwise;
         pool in = p;

         hd_seal_block(b, block);
         hd_builder_set_block(b, block);
         for (unsigned k = 0; k < 4; k++) {
            n += arithmetic(b, &in);
            hd_ssa_write(b, vars[k], in.values[(in.next - 1) % WINDOW]);
         }
         p.random = in.random;
         hd_goto(b, join);
         n += 1;
      }
      hd_seal_block(b, join);
      hd_builder_set_block(b, join);
      for (unsigned k = 0; k < 4; k++)
         keep(&p, hd_ssa_read(b, vars[k]));
      n += 5;
   }
   finish(b, &p);
}

/* Small ifs one after the other: a block every two instructions. */
static void
build_blocks(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 5);

   for (uint32_t n = 0; n < size; n += 4) {
      hd_push_if(b, condition(b, &p));
      hd_def *then_def = hd_iadd(b, pick(&p), pick(&p));
      hd_push_else(b);
      hd_def *else_def = hd_ixor(b, pick(&p), pick(&p));
      hd_pop_if(b);
      keep(&p, hd_if_phi(b, then_def, else_def));
   }
   finish(b, &p);
}

/* What a compute shader looks like: loads, runs of arithmetic, an if or a loop, a store. */
static void
build_mix(hd_builder *b, uint32_t size)
{
   pool p = begin(b, 6);

   for (uint32_t n = 0; n < size;) {
      for (unsigned i = 0; i < 2; i++)
         keep(&p, hd_load_global(b, address_of(b, pick(&p)), 1, 32, 0, 4, 0, 0));
      for (unsigned i = 0; i < 12; i++)
         n += arithmetic(b, &p);
      hd_push_if(b, condition(b, &p));
      pool in = p;
      for (unsigned i = 0; i < 4; i++)
         n += arithmetic(b, &in);
      hd_def *then_def = pick(&in);
      if (draw(&in) % 4 == 0) {
         hd_ssa_var *counter = hd_ssa_var_create(b, 1, 32);

         hd_ssa_write(b, counter, hd_imm_u32(b, 0));
         hd_push_loop(b);
         hd_def *i = hd_ssa_read(b, counter);
         hd_break_if(b, hd_ule(b, then_def, i));
         hd_store_global(b, i, address_of(b, i), 0, 4, 0, 0);
         hd_push_continue(b);
         hd_ssa_write(b, counter, hd_iadd(b, i, hd_imm_u32(b, 1)));
         hd_pop_loop(b);
         n += 12;
      }
      hd_push_else(b);
      hd_def *else_def = hd_imul(b, pick(&p), pick(&p));
      hd_pop_if(b);
      p.random = in.random;
      keep(&p, hd_if_phi(b, then_def, else_def));
      hd_store_global(b, pick(&p), address_of(b, pick(&p)), 0, 4, 0, 0);
      n += 14;
   }
   finish(b, &p);
}

/* --- the extremes: one number grows ------------------------------------------------------------
 */

/* `size` blocks in the function's own list. */
static void
extreme_list(hd_builder *b, uint32_t size)
{
   hd_def *seven = hd_imm_u32(b, 7);
   hd_def *cond = hd_ieq(b, hd_global_invocation_index(b), seven);

   for (uint32_t n = 1; n < size; n++) {
      hd_push_if(b, cond);
      hd_pop_if(b);
   }
}

/* `size` levels, ifs and loops by turns. */
static void
extreme_nest(hd_builder *b, uint32_t size)
{
   hd_def *seven = hd_imm_u32(b, 7);
   hd_def *cond = hd_ieq(b, hd_global_invocation_index(b), seven);

   for (uint32_t n = 0; n < size; n++) {
      if (n % 2) {
         hd_push_loop(b);
         hd_break_if(b, cond);
      } else {
         hd_push_if(b, cond);
      }
   }
   for (uint32_t n = size; n-- > 0;) {
      if (n % 2)
         hd_pop_loop(b);
      else
         hd_pop_if(b);
   }
}

/* `size` instructions in one block. */
static void
extreme_block(hd_builder *b, uint32_t size)
{
   build_alu(b, size);
}

/* A phi with `size` sources. */
static void
extreme_phi(hd_builder *b, uint32_t size)
{
   hd_ssa_var *var = hd_ssa_var_create(b, 1, 32);
   hd_def *id = hd_global_invocation_index(b);
   hd_block *join = hd_builder_add_block(b);
   hd_block *next = NULL;

   /* A chain of tests, each of which may leave to the join with a value of its own. */
   for (uint32_t n = 0; n + 1 < size; n++) {
      hd_def *value = hd_iadd(b, id, id);
      hd_def *cond = hd_ult(b, value, id);
      hd_block *leave = hd_builder_add_block(b);

      next = hd_builder_add_block(b);
      hd_goto_if(b, cond, leave, next);
      hd_seal_block(b, leave);
      hd_builder_set_block(b, leave);
      hd_ssa_write(b, var, value);
      hd_goto(b, join);
      hd_seal_block(b, next);
      hd_builder_set_block(b, next);
   }
   hd_ssa_write(b, var, id);
   hd_goto(b, join);
   hd_seal_block(b, join);
   hd_builder_set_block(b, join);
   hd_def *address = address_of(b, id);
   hd_store_global(b, hd_ssa_read(b, var), address, 0, 4, 0, 0);
}

/* A value with `size` uses. */
static void
extreme_uses(hd_builder *b, uint32_t size)
{
   hd_def *id = hd_global_invocation_index(b);
   hd_def *sum = id;

   for (uint32_t n = 1; n < size; n++)
      sum = hd_ixor(b, sum, id);
   hd_store_global(b, sum, address_of(b, id), 0, 4, 0, 0);
}

const shape shapes[] = {
   { "alu", "straight arithmetic", false, build_alu, 0 },
   { "ifs", "nests of eight ifs", false, build_ifs, 0 },
   { "loops", "loops with break and continue", false, build_loops, 0 },
   { "phis", "switches into wide phis", true, build_phis, 0 },
   { "blocks", "a block every two instructions", false, build_blocks, 0 },
   { "mix", "as compute shaders are", false, build_mix, 0 },
   { "x-list", "blocks in one list", false, extreme_list, 100000 },
   { "x-nest", "levels of nesting", false, extreme_nest, 10000 },
   { "x-block", "instructions in one block", false, extreme_block, 1000000 },
   { "x-phi", "sources of a phi", true, extreme_phi, 50000 },
   { "x-uses", "uses of a value", false, extreme_uses, 1000000 },
};

const unsigned num_shapes = sizeof(shapes) / sizeof(shapes[0]);

hd_shader *
shape_build(const shape *s, const hd_config *config, uint32_t size, hd_result *result)
{
   hd_builder b = s->flat ? hd_builder_create_flat(config, HD_STAGE_COMPUTE, s->name)
                          : hd_builder_create(config, HD_STAGE_COMPUTE, s->name);
   hd_shader *shader = NULL;

   if (b.shader) {
      b.shader->workgroup_size[0] = 64;
      b.shader->workgroup_size[1] = 1;
      b.shader->workgroup_size[2] = 1;
   }
   s->build(&b, size);
   if (s->flat)
      hd_return(&b, NULL);
   *result = hd_builder_finish(&b, &shader);
   return shader;
}

uint64_t
count_instrs(const hd_shader *shader)
{
   uint64_t n = 0;

   hd_foreach_function(f, shader)
      hd_foreach_block(b, f)
         hd_foreach_instr(i, b)
            n++;
   return n;
}
