/* SPDX-License-Identifier: MIT */
/* test_modes.c - one pc, linear order and active lanes, on all small graphs against judge.h.
 * HEDDLE_ALL_GRAPHS=1 takes all graphs of four blocks.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/structurize.h>

#include "../support/memory.h"
#include "harness.h"
#include "judge.h"
#include "programs.h"

struct counts {
   uint64_t state;
   unsigned run, reconverging, keeping, breaking, lost, empty;
};

static void
choose_lanes(const struct graph *g, struct lanes *lanes)
{
   lanes->num = 64;
   for (unsigned l = 0; l < 64; l++)
      lanes->words[l] = l | (l * 0x9e37u & 0xffc0);
   for (int n = 1; n <= g->num; n++)
      lanes->later[n] = g->list[n].num == 2 && first_is_nearer(g, n);
}

static hd_wave_mask
random_mask(uint64_t *state)
{
   hd_wave_mask m = { { next_random(state, UINT32_MAX), 0 } };

   m.word[0] = m.word[0] << 32 | next_random(state, UINT32_MAX);
   return next_random(state, 4) ? m : (hd_wave_mask){ { m.word[0] & -m.word[0], 0 } };
}

/* Active lanes: a run of some lanes is the run of all, cut to them. */
static void
subsets(hd_shader *shader, const struct lanes *lanes, uint64_t *state)
{
   static struct runs want, got;

   for (unsigned n = 0; n < 3; n++) {
      const hd_wave_mask some = random_mask(state);
      judge(shader->first_function, lanes, &want);
      cut_runs(&want, some);
      observe_lanes(shader, lanes, &(hd_wave_launch){ .active = &some }, &got);
      if (lanes_differ(shader->first_function, &want, &got) != UINT32_MAX)
         fail_msg("lanes 0x%llx of\n%s", (unsigned long long)some.word[0], text);
   }
}

/* The one of two successors, other than b, that post-dominates it, or -1. */
static int
primary(const struct naive *g, int b)
{
   for (int n = 0; n < 2; n++) {
      if (g->succ[b][n] != b && naive_post_dominates(g, g->succ[b][n], b))
         return g->succ[b][n];
   }
   return -1;
}

/* Does this edge go back to the header of a cycle that contains p, and not to p itself in a cycle
 * of b?
 */
static bool
spoils(const struct naive *g, int from, int to, int b, int p)
{
   for (int n = 0; n < g->num_cycles; n++) {
      const struct naive_cycle *c = &g->cycle[n];
      if (c->header == to && c->all >> from & 1 && c->all >> p & 1 && !(to == p && c->all >> b & 1))
         return true;
   }
   return false;
}

static bool
keeps_sweep(const struct naive *g, int b)
{
   const int p = primary(g, b), s = g->succ[b][g->succ[b][0] == p];

   if (p < 0)
      return false;
   const set between = naive_reach(g, s, ~((set)1 << p));
   if (spoils(g, b, s, b, p))
      return false;
   for (int n = 0; n < g->num; n++) {
      for (int k = 0; between >> n & 1 && k < g->num_succs[n]; k++) {
         if (spoils(g, n, g->succ[n][k], b, p))
            return false;
      }
   }
   return true;
}

/* Does each lane run the same blocks in the same order, as far as both go? */
static bool
same_for_each_lane(const struct runs *a, const struct runs *b, unsigned num)
{
   for (unsigned l = 0; l < num; l++) {
      unsigned x = 0, y = 0;
      for (;; x++, y++) {
         while (x < a->num && !(a->run[x].mask.word[l / 64] >> l % 64 & 1))
            x++;
         while (y < b->num && !(b->run[y].mask.word[l / 64] >> l % 64 & 1))
            y++;
         if (x == a->num || y == b->num)
            break;
         if (a->run[x].block != b->run[y].block)
            return false;
      }
      if ((x < a->num && !b->cut) || (y < b->num && !a->cut))
         return false;
   }
   return true;
}

static void
try_one_pc(const struct graph *graph, void *user)
{
   static struct lanes lanes;
   static struct runs want, got;
   struct counts *counts = user;
   struct naive g;
   bool reconverges = true, keeps = true;

   put_graph(graph, NULL);
   hd_shader *shader = parse_quietly();
   assert_non_null(shader);
   hd_function *f = shader->first_function;
   choose_lanes(graph, &lanes);
   subsets(shader, &lanes, &counts->state);
   naive_read(&g, f);
   for (int b = 0; b < g.num; b++) {
      if (g.num_succs[b] == 2)
         reconverges &= primary(&g, b) >= 0;
   }
   for (int b = 0; b < g.num && reconverges; b++)
      keeps &= g.num_succs[b] != 2 || keeps_sweep(&g, b);
   assert_int_equal(hd_require(f, HD_META_DIVERGENCE | HD_META_POST_DOMINANCE), HD_OK);
   assert_int_equal(hd_function_is_reconverging(f), reconverges);
   assert_int_equal(hd_function_keeps_sweep(f), reconverges && keeps);
   counts->run++;
   counts->reconverging += reconverges;
   counts->keeping += reconverges && keeps;
   if (!reconverges)
      assert_int_equal(
          observe_lanes(shader, &lanes, &(hd_wave_launch){ .mode = HD_WAVE_ONE_PC }, &got),
          HD_BAD_LAUNCH);
   bool broken = false;
   for (unsigned n = 0; n < 4 && reconverges; n++) {
      const hd_wave_mask some = n ? random_mask(&counts->state) : (hd_wave_mask){ { -1ull, 0 } };
      const hd_wave_launch how = { .mode = HD_WAVE_ONE_PC, .active = &some };
      judge(f, &lanes, &want);
      cut_runs(&want, some);
      const hd_result result = observe_lanes(shader, &lanes, &how, &got);
      if ((result != HD_OK && result != HD_BUDGET_EXCEEDED) || (result == HD_OK && want.cut))
         fail_msg("%s in\n%s", hd_result_name(result), text);
      if (!same_for_each_lane(&want, &got, 64))
         fail_msg("a lane goes another way in\n%s", text);
      const bool differs = lanes_differ(f, &want, &got) != UINT32_MAX;
      if (differs && keeps)
         fail_msg("other masks in\n%s", text);
      broken |= differs;
   }
   counts->breaking += broken;
   hd_shader_destroy(shader);
}

static void
one_pc(void **unused)
{
   struct counts counts = { .state = 17 };
   const bool every = getenv("HEDDLE_ALL_GRAPHS") != NULL;

   (void)unused;
   for (int num = 1; num <= 3; num++)
      all_graphs(num, 1, try_one_pc, &counts);
   counts.reconverging = counts.keeping = counts.breaking = 0;
   all_graphs(4, every ? 1 : 19, try_one_pc, &counts);
   printf("of four blocks %u reconverge, %u keep the sweep, %u break it\n", counts.reconverging,
          counts.keeping, counts.breaking);
   /* The definition is exact: one that does not keep the sweep has other masks for some lanes. */
   if (every)
      assert_int_equal(counts.keeping + counts.breaking, counts.reconverging);
   assert_true(counts.keeping > 100 && counts.breaking > 100);
}

/* Sweep order as a linear order, each cycle followed by its latch. */
static void
linear_of(hd_function *f, struct hd_linear *linear, hd_linear_step *steps, uint32_t *step_of_block)
{
   uint32_t num_blocks, open[16], num_open = 0, at = 0;

   assert_int_equal(hd_require(f, HD_META_CYCLES | HD_META_BLOCK_ORDER), HD_OK);
   hd_block *const *sweep = hd_function_sweep(f, &num_blocks);
   for (uint32_t n = 0; n <= num_blocks; n++) {
      const hd_cycle *around = n < num_blocks ? hd_block_cycle(sweep[n]) : NULL;
      while (num_open) {
         const hd_block *header = steps[open[num_open - 1]].block;
         if (around && hd_cycle_contains_cycle(hd_block_headed_cycle(header), around))
            break;
         steps[at] = (hd_linear_step){ NULL, open[--num_open], HD_LINEAR_END, true };
         at++;
      }
      if (n == num_blocks)
         break;
      step_of_block[sweep[n]->node.index] = at;
      if (hd_block_headed_cycle(sweep[n]))
         open[num_open++] = at;
      steps[at++] = (hd_linear_step){ sweep[n], HD_LINEAR_END, 0, true };
   }
   for (uint32_t n = 0; n < at; n++)
      steps[n].join = n + 1 < at ? n + 1 : HD_LINEAR_END;
   *linear = (hd_linear){ at, steps, step_of_block, f->num_blocks };
}

static void
keep_message(void *user, const hd_diag *diag)
{
   snprintf(user, 1024, "%s", diag->message);
}

/* An order with latches is a sweep, so is what hd_linearize makes. With random joins and tests left
 * out either it is one all the same, or the interpreter says what is wrong.
 */
static void
try_linear(const struct graph *graph, void *user)
{
   static struct lanes lanes;
   static struct runs want, got;
   struct counts *counts = user;
   char message[1024] = "";
   const hd_config config = { .diag = { message, keep_message } };
   hd_shader *shader;
   hd_linear linear;
   hd_linear_step steps[16];
   uint32_t step_of_block[64];

   put_graph(graph, next_random(&counts->state, 2) ? &counts->state : NULL);
   assert_int_equal(hd_parse(&config, "test", text, length, &shader), HD_OK);
   if (hd_validate(shader, NULL) != HD_OK) {
      hd_shader_destroy(shader);
      return;
   }
   hd_function *f = shader->first_function;
   choose_lanes(graph, &lanes);
   counts->run++;
   for (unsigned n = 0; n < 8; n++) {
      const hd_wave_mask some =
          n % 2 ? random_mask(&counts->state) : (hd_wave_mask){ { -1ull, 0 } };
      hd_linear *made = NULL;
      if (n < 2)
         assert_int_equal(hd_linearize(f, &made, NULL, NULL), HD_OK);
      const hd_wave_launch how = { .mode = HD_WAVE_LINEAR,
                                   .linear = n < 2 ? made : &linear,
                                   .active = &some };
      linear_of(f, &linear, steps, step_of_block);
      for (uint32_t k = 0; n >= 4 && k < linear.num_steps; k++) {
         const uint32_t after = linear.num_steps - k;
         const uint32_t join = k + 1 + next_random(&counts->state, after);
         steps[k].join = join < linear.num_steps ? join : HD_LINEAR_END;
         steps[k].may_be_empty = n < 6 || next_random(&counts->state, 2);
      }
      judge(f, &lanes, &want);
      cut_runs(&want, some);
      message[0] = 0;
      const hd_result result = observe_lanes(shader, &lanes, &how, &got);
      if (result == HD_FAULT && n >= 4) {
         const bool lost = strstr(message, "is lost"), empty = strstr(message, "not be empty");
         if (!lost && (!empty || n < 6))
            fail_msg("'%s' in\n%s", message, text);
         counts->lost += lost;
         counts->empty += empty;
      } else if ((result != HD_OK && result != HD_BUDGET_EXCEEDED) ||
                 lanes_differ(f, &want, &got) != UINT32_MAX) {
         fail_msg("%s, %s, in\n%s", hd_result_name(result), message, text);
      }
      hd_linear_destroy(shader, made);
   }
   hd_shader_destroy(shader);
}

static void
linear_order(void **unused)
{
   struct counts counts = { .state = 23 };

   (void)unused;
   for (int num = 1; num <= 3; num++)
      all_graphs(num, 1, try_linear, &counts);
   all_graphs(4, getenv("HEDDLE_ALL_GRAPHS") ? 1 : 19, try_linear, &counts);
   printf("%u graphs; %u lost lanes, %u empty steps\n", counts.run, counts.lost, counts.empty);
   assert_true(counts.lost > 500 && counts.empty > 500);
}

/* What no linear order may be, each with its message. */
static void
bad_orders(void **unused)
{
   static const struct graph g = { 2, { [1] = { 1, { 2 } }, [2] = { 2, { 1, 3 } } } };
   char message[1024];
   const hd_config config = { .diag = { message, keep_message } };
   hd_linear linear;
   hd_linear_step steps[16];
   uint32_t step_of_block[64];
   hd_shader *shader;

   (void)unused;
   put_graph(&g, NULL);
   assert_int_equal(hd_parse(&config, "test", text, length, &shader), HD_OK);
   /* b0, b1, b2, the latch, b3. */
   for (unsigned n = 0; n < 11; n++) {
      static const char *const want[] = {
         "not that of @main",
         "not that of @main",
         "joins at none of the steps after it",
         "leads to no block before",
         "leads to no block",
         "no block before",
         "whose step is another one",
         "a block of @main has no step",
         "leads where another one",
         "no latch ahead leads there",
         "no latch ahead leads there",
      };
      static struct lanes lanes;
      static struct runs got;
      const hd_wave_launch how = { .mode = HD_WAVE_LINEAR, .linear = &linear };
      hd_function *f = shader->first_function;
      linear_of(f, &linear, steps, step_of_block);
      assert_int_equal(linear.num_steps, 5);
      hd_block *body = steps[2].block;
      if (n == 0)
         linear.num_blocks++;
      else if (n == 1)
         steps[0].block = steps[1].block;
      else if (n == 2)
         steps[2].join = 2;
      else if (n == 3)
         steps[3].header = 3;
      else if (n == 4)
         steps[3].header = 4;
      else if (n == 5)
         steps[4].block = NULL, steps[4].header = 3;
      else if (n == 6)
         steps[4].block = steps[1].block;
      else if (n == 7)
         linear.num_steps = 4, steps[2].join = HD_LINEAR_END;
      else if (n == 8)
         steps[4].block = NULL, steps[4].header = 1;
      else if (n == 9)
         steps[2] = steps[3], steps[3].block = body, steps[3].header = HD_LINEAR_END,
         steps[3].join = 4, step_of_block[body->node.index] = 3;
      else
         steps[3] = steps[4], step_of_block[steps[3].block->node.index] = 3, linear.num_steps = 4,
         steps[2].join = steps[3].join = HD_LINEAR_END;
      choose_lanes(&g, &lanes);
      /* The last two only show on the way. */
      assert_int_equal(observe_lanes(shader, &lanes, &how, &got), n < 9 ? HD_BAD_LAUNCH : HD_FAULT);
      if (!strstr(message, want[n]))
         fail_msg("'%s', wanted '%s'", message, want[n]);
   }
   static struct lanes lanes;
   static struct runs got;
   choose_lanes(&g, &lanes);
   assert_int_equal(
       observe_lanes(shader, &lanes, &(hd_wave_launch){ .mode = HD_WAVE_LINEAR }, &got),
       HD_BAD_LAUNCH);
   assert_string_equal(message, "@main: expected a linear order in the launch, found none");
   assert_int_equal(
       observe_lanes(shader, &lanes, &(hd_wave_launch){ .mode = (hd_wave_mode)3 }, &got),
       HD_BAD_LAUNCH);
   assert_string_equal(message, "mode 3: expected a value of hd_wave_mode");
   hd_shader_destroy(shader);
}

/* In a call that a branch's side makes all its lanes end: the rest goes on where it waits. */
static const char halting[] =
    "shader compute \"t\" {\n workgroup 8 1 1\n flat function @main {\n b0:\n%lane:32 = "
    "subgroup_invocation\n"
    "%zero:32 = const 0\n%three:32 = const 3\n%four:32 = const 4\n%at:32 = imul %lane, %four\n"
    "%c:1 = ult %lane, %three\ngoto_if %c, b1, b2\n b1:\ncall @stop()\ngoto b3\n b3:\n"
    "store_buffer %four, %zero, %at\ngoto b2\n b2:\nstore_buffer %three, %zero, %at\nreturn\n}\n"
    "flat function @stop {\n b0:\nhalt\n}\n}\n";

static void
ended_in_a_call(void **unused)
{
   hd_linear linear;
   hd_linear_step steps[16];
   uint32_t step_of_block[64], out[8];
   const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };

   (void)unused;
   for (unsigned mode = 0; mode < 3; mode++) {
      struct outcome o;
      hd_shader *shader = parse_shader(halting, &o);
      linear_of(shader->first_function, &linear, steps, step_of_block);
      /* No step is empty but for the call. */
      for (uint32_t n = 0; n < linear.num_steps; n++)
         steps[n].may_be_empty = false;
      const hd_wave_launch launch = { .lanes = 8,
                                      .mode = (hd_wave_mode)mode,
                                      .linear = &linear,
                                      .buffers = &buffer,
                                      .num_buffers = 1 };
      memset(out, 0, sizeof(out));
      assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_OK);
      for (unsigned l = 0; l < 8; l++)
         assert_int_equal(out[l], l < 3 ? 0 : 3);
      hd_shader_destroy(shader);
   }
}

/* Where analysis was told that nothing diverges, lanes that part are reported. */
static void
uniform_branches(void **unused)
{
   static const char uniform[] =
       "shader compute \"t\" {\n subgroup 1\n flat function @main(%c:1) {\n b0:\n"
       "%lane:32 = subgroup_invocation\n%zero:32 = const 0\n%d:1 = ieq %lane, %zero\n"
       "goto_if %c, b1, b2\n b1:\ngoto_if %d, b3, b4\n b2:\ngoto b5\n b3:\ngoto b5\n b4:\n"
       "goto b5\n b5:\nreturn\n}\n}\n";
   struct outcome o;
   hd_shader *shader = parse_shader(uniform, &o);
   hd_const_value c = { .b = false };
   hd_wave_launch launch = {
      .mode = HD_WAVE_ONE_PC, .lanes = 8, .workgroup_size = { 8 }, .params = &c, .num_params = 1
   };

   (void)unused;
   assert_int_equal(hd_require(shader->first_function, HD_META_DIVERGENCE), HD_OK);
   shader->subgroup_size = 0;
   /* All go one way: no branch needs a primary successor. */
   assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_OK);
   assert_int_equal(o.stats.blocks, 3);
   c.b = true;
   assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_FAULT);
   if (!strstr(o.message, "lanes diverge at a branch that divergence analysis calls uniform"))
      fail_msg("%s", o.message);
   launch.mode = HD_WAVE_SWEEP;
   assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_OK);
   launch.check_uniform = true;
   o.num_messages = 0;
   assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_FAULT);
   if (!strstr(o.message, "the result, component 0, is called uniform, but is 0 in lane 0 and 1, "
                          "lane 1 of wave 0"))
      fail_msg("%s", o.message);
   hd_shader_destroy(shader);
}

/* The nth allocation fails, for every n, in every mode, with values watched. */
static void
out_of_memory(void **unused)
{
   (void)unused;
   for (unsigned mode = 0, n = 1; mode < 3; n++) {
      struct limited limited = { SIZE_MAX, 0 };
      uint32_t out[8], step_of_block[64];
      hd_linear linear;
      hd_linear_step steps[16];
      const hd_config config = limited_config(&limited);
      const hd_wave_buffer buffer = { .memory = { out, NULL, sizeof(out) } };
      const hd_wave_launch launch = { .lanes = 8,
                                      .mode = (hd_wave_mode)mode,
                                      .linear = &linear,
                                      .buffers = &buffer,
                                      .num_buffers = 1,
                                      .check_uniform = true };
      hd_shader *shader;
      assert_int_equal(hd_parse(&config, "t", halting, strlen(halting), &shader), HD_OK);
      linear_of(shader->first_function, &linear, steps, step_of_block);
      limited.left = n - 1;
      const hd_result result = hd_wave_run(shader, &launch, NULL);
      limited.left = SIZE_MAX;
      if (result != HD_OK) {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_int_equal(hd_wave_run(shader, &launch, NULL), HD_OK);
      }
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
      if (result == HD_OK) {
         assert_true(n > 5);
         mode++;
         n = 0;
      }
   }
}

/* No lane is active: nothing runs. A structured function has no modes, but can be called. */
static void
entries(void **unused)
{
   static const char text_of[] =
       "shader compute \"t\" {\n workgroup 8 1 1\n flat function @main {\n b0:\n"
       "call @tree()\nreturn\n}\n function @tree {\n b0:\n"
       "%zero:32 = const 0\n%one:32 = const 1\n%t:1 = const true\nif %t {\n b1:\n"
       "%o:32 = buffer_atomic %zero, %zero, %one atomic_op=iadd\n} b2:\n}\n}\n";
   hd_linear linear;
   hd_linear_step steps[16];
   uint32_t step_of_block[64], out;
   const hd_wave_buffer buffer = { .memory = { &out, NULL, 4 } };
   const hd_wave_mask masks[] = { { { 0, 0 } }, { { 0x14, 0 } }, { { UINT64_MAX, UINT64_MAX } } };
   static const uint32_t want[] = { 0, 2, 8 };

   (void)unused;
   for (unsigned mode = 0; mode < 3; mode++) {
      for (unsigned n = 0; n < 3; n++) {
         struct outcome o;
         hd_shader *shader = parse_shader(text_of, &o);
         linear_of(shader->first_function, &linear, steps, step_of_block);
         steps[0].may_be_empty = false;
         hd_wave_launch launch = { .lanes = 8,
                                   .mode = (hd_wave_mode)mode,
                                   .linear = &linear,
                                   .active = &masks[n],
                                   .buffers = &buffer,
                                   .num_buffers = 1 };
         out = 0;
         assert_int_equal(hd_wave_run(shader, &launch, &o.stats), HD_OK);
         assert_int_equal(out, want[n]);
         launch.function = hd_shader_find_function(shader, "tree");
         assert_int_equal(hd_wave_run(shader, &launch, &o.stats), mode ? HD_BAD_LAUNCH : HD_OK);
         if (mode)
            assert_string_equal(
                o.message, "@tree: expected a flat function for this mode, found a structured one");
         hd_shader_destroy(shader);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_pc),           cmocka_unit_test(linear_order),
      cmocka_unit_test(bad_orders),       cmocka_unit_test(ended_in_a_call),
      cmocka_unit_test(uniform_branches), cmocka_unit_test(entries),
      cmocka_unit_test(out_of_memory),
   };

   return cmocka_run_group_tests_name("wave/modes", tests, NULL, NULL);
}
