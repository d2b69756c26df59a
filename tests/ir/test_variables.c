/* SPDX-License-Identifier: MIT */
/* Variables to SSA, against a judge that knows nothing of dominance or phis.
 *
 * A random program writes and reads variables while it is built, structured or flat. Each write and
 * each read leaves an instruction that says so. Afterwards the finished function is walked from its
 * start along random branches, with a plain store for the variables beside it: each read must see
 * what the store holds.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "naive.h"

#define NUM_VARS   4
#define MAX_EVENTS 4096
#define MAX_BLOCKS 64

typedef struct program {
   hd_builder b;
   uint64_t random;
   hd_ssa_var *vars[NUM_VARS];
   hd_def *x, *c;
   unsigned size; /* statements left to make */
   /* What the instructions with these results do: write variable v, or (-1 - v) read it. */
   struct {
      hd_def *def;
      int what;
   } events[MAX_EVENTS];
   unsigned num_events;
} program;

static uint32_t
pick(program *p, uint32_t below)
{
   p->random ^= p->random << 13;
   p->random ^= p->random >> 7;
   p->random ^= p->random << 17;
   return (uint32_t)((p->random >> 32) % below);
}

static void
event(program *p, hd_def *def, int what)
{
   if (p->b.dropped)
      return;
   assert_true(p->num_events < MAX_EVENTS);
   p->events[p->num_events].def = def;
   p->events[p->num_events++].what = what;
}

static void
touch(program *p)
{
   uint32_t v = pick(p, NUM_VARS);

   switch (pick(p, 5)) {
   case 0:
   case 1: {
      hd_def *def = hd_iadd(&p->b, p->x, p->x);
      event(p, def, (int)v);
      hd_ssa_write(&p->b, p->vars[v], def);
      break;
   }
   case 2: {
      /* A copy from another variable. */
      uint32_t w = pick(p, NUM_VARS);
      hd_def *def = hd_ssa_read(&p->b, p->vars[w]);
      hd_ssa_write(&p->b, p->vars[v], def);
      event(p, hd_inot(&p->b, def), 100 + (int)(v * NUM_VARS + w));
      break;
   }
   default:
      event(p, hd_ineg(&p->b, hd_ssa_read(&p->b, p->vars[v])), -1 - (int)v);
      break;
   }
}

/* Trees. What is open is kept here, not on the C stack. */
static void
make_tree(program *p)
{
   enum { IF, ELSE, LOOP, CONTINUE } open[32];
   unsigned depth = 0, loops = 0;

   while (p->size || depth) {
      unsigned what = p->size ? pick(p, 20) : 20;
      bool in_continue_list = depth && open[depth - 1] == CONTINUE;
      bool continue_allowed = loops > 0;
      for (unsigned d = depth; d-- && continue_allowed;) {
         if (open[d] == LOOP)
            break;
         continue_allowed = open[d] != CONTINUE;
      }
      p->size -= p->size != 0;
      if (what < 9) {
         touch(p);
      } else if (what < 11 && depth < 32) {
         hd_push_if(&p->b, p->c);
         open[depth++] = IF;
      } else if (what < 13 && depth < 32) {
         hd_push_loop(&p->b);
         open[depth++] = LOOP;
         loops++;
      } else if (what == 13 && loops && !in_continue_list) {
         hd_break(&p->b);
      } else if (what == 14 && continue_allowed && !in_continue_list) {
         hd_continue(&p->b);
      } else if (what == 15 && loops) {
         hd_break_if(&p->b, p->c);
      } else if (what == 16 && continue_allowed) {
         hd_continue_if(&p->b, p->c);
      } else if (what == 17 && !in_continue_list && !pick(p, 4)) {
         hd_return(&p->b, NULL);
      } else if (what > 17 && depth) {
         switch (open[depth - 1]) {
         case IF:
            if (pick(p, 2)) {
               hd_push_else(&p->b);
               open[depth - 1] = ELSE;
               break;
            }
            /* fall through */
         case ELSE:
            hd_pop_if(&p->b);
            depth--;
            break;
         case LOOP:
            if (pick(p, 2)) {
               hd_push_continue(&p->b);
               open[depth - 1] = CONTINUE;
               break;
            }
            /* fall through */
         case CONTINUE:
            hd_pop_loop(&p->b);
            loops--;
            depth--;
            break;
         }
      }
   }
}

/* Any graph, its blocks filled in random order and sealed at random times. */
static void
make_graph(program *p)
{
   hd_block *blocks[MAX_BLOCKS];
   unsigned num = 2 + pick(p, 14), order[MAX_BLOCKS];

   blocks[0] = hd_function_start(p->b.function);
   for (unsigned n = 1; n < num; n++)
      blocks[n] = hd_builder_add_block(&p->b);
   for (unsigned n = 0; n < num; n++)
      order[n] = n;
   for (unsigned n = num - 1; n > 1; n--) {
      unsigned m = 1 + pick(p, n), t = order[n];
      order[n] = order[m];
      order[m] = t;
   }
   for (unsigned n = 0; n < num; n++) {
      hd_builder_set_block(&p->b, blocks[order[n]]);
      for (unsigned k = pick(p, 5); k; k--)
         touch(p);
      hd_block *a = blocks[1 + pick(p, num - 1)], *b = blocks[1 + pick(p, num - 1)];
      switch (pick(p, 6)) {
      case 0:
         hd_return(&p->b, NULL);
         break;
      case 1:
      case 2:
         hd_goto(&p->b, a);
         break;
      case 3:
         hd_switch(&p->b, p->x, a, 3, (uint64_t[]){ 1, 2, 3 },
                   (hd_block *[]){ b, blocks[1 + pick(p, num - 1)], a });
         break;
      default:
         hd_goto_if(&p->b, p->c, a, b);
         break;
      }
   }
   for (unsigned n = pick(p, num); n; n--)
      hd_seal_block(&p->b, blocks[pick(p, num)]);
}

typedef struct store {
   uint64_t *values; /* by def index: what it last gave; 0 before */
   uint64_t vars[NUM_VARS];
   uint64_t newest;
} store;

static int
what_is(const program *p, const hd_def *def)
{
   for (unsigned n = 0; n < p->num_events; n++) {
      if (p->events[n].def == def)
         return p->events[n].what;
   }
   return 1000;
}

static void
run_instr(store *s, const int *what, const hd_instr *i)
{
   uint64_t *value = &s->values[i->def.index];
   int w = what[i->def.index];

   *value = ++s->newest;
   if (w == 1000)
      return;
   if (w >= 100) {
      /* A copy: what is read is as in the store, and becomes the other one. */
      uint64_t read = s->values[hd_instr_src(i, 0)->def->index];
      uint64_t *to = &s->vars[(w - 100) / NUM_VARS], *from = &s->vars[(w - 100) % NUM_VARS];
      if (*from && *from != read)
         fail_msg("a copy reads a wrong value");
      *to = *from;
   } else if (w >= 0) {
      s->vars[w] = *value;
   } else {
      uint64_t read = s->values[hd_instr_src(i, 0)->def->index];
      if (s->vars[-1 - w] && s->vars[-1 - w] != read)
         fail_msg("a read sees a wrong value");
   }
}

/* One walk from start to end, or until it is long enough. */
static void
walk(program *p, const int *what)
{
   hd_function *f = p->b.function;
   store s = { .values = calloc(f->num_defs, sizeof(uint64_t)) };
   uint64_t phis[256];
   hd_block *block = hd_function_start(f), *from = NULL;

   for (unsigned steps = 0; steps < 300 && !hd_block_is_end(block); steps++) {
      unsigned num = 0;
      hd_foreach_phi(phi, block) {
         assert_true(num < 256);
         phis[num++] = s.values[hd_phi_src_from(phi, from)->def->index];
      }
      num = 0;
      hd_foreach_instr(i, block) {
         if (i->kind == HD_INSTR_PHI)
            s.values[i->def.index] = phis[num++];
         else if (i->def.bit_size)
            run_instr(&s, what, i);
      }
      from = block;
      assert_true(block->num_succs > 0);
      block = block->succs[pick(p, block->num_succs)].to;
   }
   free(s.values);
}

static void
mark_reached(const hd_block *b, bool *reached)
{
   if (hd_block_is_end(b) || reached[b->node.index])
      return;
   reached[b->node.index] = true;
   for (unsigned n = 0; n < b->num_succs; n++)
      mark_reached(b->succs[n].to, reached);
}

/* No phi without a reader other than dead phis, none that merges one value. */
static void
expect_needed_phis(const hd_function *f)
{
   bool *reached = calloc(f->num_blocks, sizeof(bool)), *live = calloc(f->num_defs, sizeof(bool));
   bool again = true;

   mark_reached(hd_function_start(f), reached);
   while (again) {
      again = false;
      hd_foreach_block(b, f) {
         hd_foreach_phi(phi, b) {
            hd_foreach_use(use, &phi->instr.def) {
               const hd_instr *user = hd_src_instr(use);
               bool needed = !user || user->kind != HD_INSTR_PHI || live[user->def.index];
               again |= needed && !live[phi->instr.def.index];
               live[phi->instr.def.index] |= needed;
            }
         }
      }
   }
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         const hd_def *one = NULL;
         bool differ = false;
         for (unsigned n = 0; n < phi->num_srcs; n++) {
            const hd_def *def = phi->srcs[n].src.def;
            if (!reached[b->preds[n].from->node.index] || def == &phi->instr.def)
               continue;
            differ |= one && one != def;
            one = def;
         }
         if (!live[phi->instr.def.index])
            fail_msg("a phi is not used");
         if (!differ)
            fail_msg("a phi merges one value");
      }
   }
   free(reached);
   free(live);
}

/* The number of phis, so that the caller can tell that there were any. */
static unsigned
try_program(uint64_t seed, bool structured)
{
   program *p = calloc(1, sizeof(*p));
   unsigned num_phis = 0;

   p->random = seed;
   p->b = structured ? hd_builder_create(NULL, HD_STAGE_COMPUTE, "")
                     : hd_builder_create_flat(NULL, HD_STAGE_COMPUTE, "");
   p->x = hd_global_invocation_index(&p->b);
   p->c = hd_imm_bool(&p->b, true);
   for (unsigned n = 0; n < NUM_VARS; n++)
      p->vars[n] = hd_ssa_var_create(&p->b, 1, 32);
   p->size = 10 + pick(p, 100);
   hd_builder keep;
   if (structured)
      make_tree(p);
   else
      make_graph(p);
   keep = p->b;
   hd_shader *shader;
   if (hd_builder_finish(&p->b, &shader) != HD_OK)
      fail_msg("seed %llu cannot be built", (unsigned long long)seed);
   p->b.function = keep.function;
   const char *fault = naive_check(keep.function);
   if (fault)
      fail_msg("seed %llu: %s", (unsigned long long)seed, fault);
   expect_needed_phis(keep.function);
   int *what = malloc(keep.function->num_defs * sizeof(int));
   hd_foreach_block(b, keep.function) {
      hd_foreach_instr(i, b) {
         if (i->def.bit_size)
            what[i->def.index] = what_is(p, &i->def);
         num_phis += i->kind == HD_INSTR_PHI;
      }
   }
   for (unsigned n = 0; n < 20; n++)
      walk(p, what);
   free(what);
   hd_shader_destroy(shader);
   free(p);
   return num_phis;
}

static void
try_many(bool structured)
{
   unsigned num_phis = 0;

   for (uint64_t n = 1; n <= 3000; n++)
      num_phis += try_program(n * UINT64_C(0x9e3779b97f4a7c15), structured);
   assert_true(num_phis > 1000);
}

static void
random_trees(void **state)
{
   (void)state;
   try_many(true);
}

static void
random_graphs(void **state)
{
   (void)state;
   try_many(false);
}

/* A variable that a loop does not write needs no phi, however often it is read. */
static void
no_phi_without_write(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "");
   hd_def *x = hd_global_invocation_index(&b), *c = hd_imm_bool(&b, true);
   hd_ssa_var *var = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, var, x);
   for (unsigned n = 0; n < 100; n++) {
      hd_push_loop(&b);
      hd_break_if(&b, c);
   }
   hd_def *sum = hd_iadd(&b, hd_ssa_read(&b, var), x);
   for (unsigned n = 0; n < 100; n++) {
      hd_iadd(&b, hd_ssa_read(&b, var), x);
      hd_pop_loop(&b);
   }
   hd_instr *user = hd_def_instr(sum);
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_foreach_block(block, shader->first_function)
      assert_null(hd_instr_as_phi(block->first));
   assert_ptr_equal(hd_instr_src(user, 0)->def, x);
   hd_shader_destroy(shader);
}

/* What was never written is one undef at the beginning, and none when nobody reads it. */
static void
never_written(void **state)
{
   (void)state;
   for (unsigned uses = 0; uses < 2; uses++) {
      hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "");
      b.cursor = hd_list_start(&b.function->body);
      hd_ssa_var *var = hd_ssa_var_create(&b, 2, 16);
      hd_def *read = hd_ssa_read(&b, var);
      assert_int_equal(read->num_components, 2);
      assert_int_equal(read->bit_size, 16);
      if (uses)
         hd_iadd(&b, read, hd_ssa_read(&b, hd_ssa_var_create(&b, 2, 16)));
      hd_shader *shader;
      assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
      unsigned num = 0;
      hd_foreach_instr(i, hd_function_start(shader->first_function)) {
         num++;
         assert_int_equal(i->kind, num == 1 ? HD_INSTR_UNDEF : HD_INSTR_ALU);
      }
      assert_int_equal(num, uses * 2);
      hd_shader_destroy(shader);
   }
}

/* A builder in the middle of existing loops: what is written later in the loop comes round. */
static void
inside_existing_loops(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "");
   hd_def *x = hd_global_invocation_index(&b), *c = hd_imm_bool(&b, true);
   hd_push_loop(&b);
   hd_def *old = hd_iadd(&b, x, x);
   hd_break_if(&b, c);
   hd_pop_loop(&b);

   hd_builder in = hd_builder_at(hd_after_instr(hd_def_instr(old)));
   hd_ssa_var *var = hd_ssa_var_create(&in, 1, 32);
   hd_def *user = hd_ineg(&in, hd_ssa_read(&in, var));
   hd_ssa_write(&in, var, old);
   assert_int_equal(hd_builder_finish(&in, NULL), HD_OK);
   const hd_phi *phi = hd_instr_as_phi(hd_def_instr(hd_instr_src(hd_def_instr(user), 0)->def));
   assert_non_null(phi);
   unsigned num_old = 0;
   for (unsigned n = 0; n < 2; n++)
      num_old += phi->srcs[n].src.def == old;
   assert_int_equal(num_old, 1);
   assert_null(naive_check(b.function));
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_shader_destroy(shader);
}

/* Variables that name each other's values: x, y = y, x is not one value. */
static void
swap(void **state)
{
   (void)state;
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "");
   hd_def *one = hd_imm_u32(&b, 1), *two = hd_imm_u32(&b, 2), *c = hd_imm_bool(&b, true);
   hd_ssa_var *x = hd_ssa_var_create(&b, 1, 32), *y = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, x, one);
   hd_ssa_write(&b, y, two);
   hd_loop *loop = hd_push_loop(&b);
   hd_break_if(&b, c);
   hd_def *t = hd_name_def(&b, "before", hd_ssa_read(&b, x));
   hd_ssa_write(&b, x, hd_ssa_read(&b, y));
   hd_ssa_write(&b, y, t);
   hd_pop_loop(&b);
   hd_def *of_y = hd_ssa_read(&b, y);
   hd_iadd(&b, hd_ssa_read(&b, x), of_y);
   hd_shader *shader;
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   hd_phi *first = hd_instr_as_phi(hd_loop_header(loop)->first);
   assert_non_null(first);
   hd_phi *second = hd_instr_as_phi(first->instr.next);
   assert_non_null(second);
   /* It got its name while it waited outside of the block. */
   assert_true(hd_def_name(shader->first_function, &first->instr.def) ||
               hd_def_name(shader->first_function, &second->instr.def));
   const hd_block *latch = hd_loop_latch(loop);
   assert_ptr_equal(hd_phi_src_from(first, latch)->def, &second->instr.def);
   assert_ptr_equal(hd_phi_src_from(second, latch)->def, &first->instr.def);
   hd_shader_destroy(shader);
}

/* Ways back of all lengths: to a block that waits for its predecessors, and round a circle that
 * nothing reaches.
 */
static void
ways_back(void **state)
{
   (void)state;
   for (unsigned length = 1; length < 140; length++) {
      hd_builder b = hd_builder_create_flat(NULL, HD_STAGE_COMPUTE, "");
      hd_def *x = hd_global_invocation_index(&b), *c = hd_imm_bool(&b, true);
      hd_ssa_var *var = hd_ssa_var_create(&b, 1, 32);
      hd_block *head = hd_builder_add_block(&b);
      hd_ssa_write(&b, var, x);
      hd_goto(&b, head);
      hd_builder_set_block(&b, head);
      for (unsigned n = 0; n < length; n++) {
         hd_block *next = hd_builder_add_block(&b);
         hd_goto(&b, next);
         hd_seal_block(&b, next);
         hd_builder_set_block(&b, next);
      }
      hd_def *inside = hd_ineg(&b, hd_ssa_read(&b, var));
      hd_ssa_write(&b, var, inside);
      hd_block *out = hd_builder_add_block(&b);
      hd_goto_if(&b, c, head, out);

      /* The circle: each block has one predecessor. */
      hd_block *first = hd_builder_add_block(&b), *at = first;
      hd_builder_set_block(&b, first);
      for (unsigned n = 0; n < length; n++) {
         hd_block *next = hd_builder_add_block(&b);
         hd_goto(&b, next);
         hd_seal_block(&b, next);
         hd_builder_set_block(&b, next);
         at = next;
      }
      hd_goto(&b, first);
      hd_seal_block(&b, first);
      b.cursor = hd_before_instr(&hd_block_jump(at)->instr);
      b.dropped = false;
      hd_def *lost = hd_inot(&b, hd_ssa_read(&b, var));
      hd_builder_set_block(&b, out);
      hd_halt(&b);
      hd_shader *shader;
      assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
      const hd_phi *phi = hd_instr_as_phi(hd_def_instr(hd_instr_src(hd_def_instr(inside), 0)->def));
      assert_non_null(phi);
      assert_ptr_equal(phi->instr.block, head);
      assert_ptr_equal(hd_phi_src_from(phi, hd_function_start(shader->first_function))->def, x);
      assert_int_equal(hd_def_instr(hd_instr_src(hd_def_instr(lost), 0)->def)->kind,
                       HD_INSTR_UNDEF);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_phi_without_write),
      cmocka_unit_test(never_written),
      cmocka_unit_test(inside_existing_loops),
      cmocka_unit_test(swap),
      cmocka_unit_test(ways_back),
      cmocka_unit_test(random_trees),
      cmocka_unit_test(random_graphs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
