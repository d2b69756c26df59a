/* SPDX-License-Identifier: MIT */
/* test_motion.c - hd_may_move and hd_may_merge: seed programs, memory, and all small graphs.
 *
 * On graphs, what needs a uniform operand is asked from each block to each other. The branches
 * depend on the operand's source, on another one, or on nothing that differs. A yes must be one by
 * trying all directions of the branches that do not depend on it. What reads other lanes may go
 * only where the wave interpreter runs the same sets of lanes.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"
#include "heddle/check.h"
#include "heddle/text.h"
#include "heddle/wave.h"
#include "naive.h"
#include "support/put.h"

#define BIT(n) ((set)1 << (n))

static hd_shader *
parse(const char *program, size_t size)
{
   hd_shader *shader = NULL;

   if (hd_parse(NULL, "test", program, size, &shader) != HD_OK)
      fail_msg("does not parse:\n%s", program);
   return shader;
}

/* Blocks 1 to num, num + 1 the exit; 0 goes to 1. Kinds: what the condition of a block is. */
enum { OF_OPERAND, OF_OTHER, UNIFORM };

struct graph {
   int num;
   struct succ_list list[8];
   int kind[8];
};

/* Each block has a use of what must be uniform, and a vote. */
static void
put_graph(const struct graph *g)
{
   length = 0;
   put("shader compute \"t\" {\nworkgroup 24 1 1\nflat function @main {\nb0:\n"
       "%%zero:32 = const 0\n%%one:32 = const 1\n%%true:1 = const true\n%%false:1 = const false\n"
       "%%lane:32 = subgroup_invocation\n%%other:32 = local_invocation_index\n"
       "%%same:32 = load_buffer %%zero, %%zero\n"
       "%%mask:32x4 = vec %%lane, %%lane, %%lane, %%lane\ngoto b1\n");
   for (int n = 1; n <= g->num + 1; n++) {
      put("b%d:\n%%u%d:1 = inverse_ballot.uniform %%mask\n%%v%d:1 = vote_any %%true\n", n, n, n);
      if (n > g->num) {
         put("return\n");
      } else if (g->list[n].num == 1) {
         put("goto b%d\n", g->list[n].succ[0]);
      } else {
         static const char *const names[] = { "lane", "other", "same" };
         put("%%k%d:32 = const %d\n%%s%d:32 = ushr %%%s, %%k%d\n%%a%d:32 = iand %%s%d, %%one\n"
             "%%c%d:1 = ine %%a%d, %%zero\ngoto_if %%c%d, b%d, b%d\n",
             n, n, n, names[g->kind[n]], n, n, n, n, n, n, g->list[n].succ[0], g->list[n].succ[1]);
      }
   }
   put("}\n}\n");
}

/* The graph with some branches going one way: which blocks `from` reaches, none through `stop`. */
static set
reach(const struct graph *g, unsigned choice, int from, int stop)
{
   set seen = from == stop ? 0 : BIT(from), old = 0;

   while (seen != old) {
      old = seen;
      for (int n = 0; n <= g->num; n++) {
         for (int s = 0; seen & BIT(n) && s < g->list[n].num; s++) {
            bool fixed = g->list[n].num == 2 && g->kind[n] != OF_OPERAND;
            if (g->list[n].succ[s] != stop && (!fixed || (int)(choice >> n & 1) == s))
               seen |= BIT(g->list[n].succ[s]);
         }
      }
   }
   return seen;
}

/* By trying: does a D-dominate or D-post-dominate b? */
static bool
naive_among(const struct graph *g, int a, int b)
{
   int end = g->num + 1;

   for (unsigned choice = 0; choice < 1u << (g->num + 1); choice++) {
      if (!(reach(g, choice, 0, -1) & BIT(b)))
         continue;
      if (!(reach(g, choice, 0, a) & BIT(b)))
         return true;
      set after = reach(g, choice, b, a);
      bool post = !(after & BIT(end));
      for (int n = 0; n <= end; n++)
         post &= !(after & BIT(n)) || (reach(g, choice, n, -1) & BIT(a));
      if (post)
         return true;
   }
   return false;
}

/* The sets of lanes with which each block ran, and when. */
static struct {
   unsigned now, num[16];
   unsigned when[16][400];
   hd_wave_mask mask[16][400];
} runs;

static void
keep_run(void *user, const hd_wave_step *step)
{
   uint32_t b = step->block->node.index;

   (void)user;
   runs.now++;
   if (runs.num[b] == 400)
      return;
   runs.when[b][runs.num[b]] = runs.now;
   runs.mask[b][runs.num[b]++] = step->mask;
}

static bool
ran_alike(uint32_t a, uint32_t b)
{
   return runs.num[a] == runs.num[b] &&
          !memcmp(runs.mask[a], runs.mask[b], runs.num[a] * sizeof(hd_wave_mask));
}

/* A block below uniform branches need not run as often: each run follows one of `a` with the same lanes,
 * and no other one of `a` is between them.
 */
static bool
ran_below(uint32_t a, uint32_t b)
{
   unsigned at = 0;

   for (unsigned n = 0; n < runs.num[b]; n++) {
      if (!runs.num[a] || runs.when[a][0] > runs.when[b][n])
         return false;
      while (at + 1 < runs.num[a] && runs.when[a][at + 1] < runs.when[b][n])
         at++;
      if (memcmp(&runs.mask[a][at], &runs.mask[b][n], sizeof(hd_wave_mask)) != 0)
         return false;
   }
   return true;
}

static unsigned num_asked, num_yes, num_naive, num_acyclic, num_vote_yes;

static hd_motion
ask(hd_instr *i, hd_block *to)
{
   hd_motion_reason reason = { HD_MOTION_KIND, NULL, NULL, NULL };

   assert_int_equal(hd_may_move(i, hd_before_jump(to), &reason), HD_OK);
   return reason.why;
}

static void
try_graph(const struct graph *g)
{
   hd_block *block[9];
   hd_instr *use[9] = { NULL }, *vote[9] = { NULL };
   uint32_t word[1] = { 0x5a };
   const hd_wave_buffer buffer = { .memory = { word, NULL, sizeof(word) } };
   const hd_wave_launch launch = {
      .buffers = &buffer, .num_buffers = 1, .lanes = 32, .max_steps = 3000, .trace = keep_run
   };

   put_graph(g);
   hd_shader *shader = parse(text, length);
   hd_function *f = shader->first_function;
   int num = 0;
   hd_foreach_block(b, f) {
      use[num] = b->first;
      vote[num] = b->first->next;
      block[num++] = b;
   }
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   bool acyclic = hd_function_num_cycles(f) == 0;
   memset(&runs, 0, sizeof(runs));
   /* A promise that is broken ends the run: votes are asked of what ran until then. */
   hd_foreach_block(b, f) {
      for (hd_instr *i = b->first, *next; i; i = next) {
         next = i->next;
         if (b != block[0] && i == use[b->node.index])
            i->flags = 0;
      }
   }
   for (int a = 1; a < num; a++) {
      for (int b = 1; b < num; b++) {
         if (!hd_block_is_reachable(block[a]) || !hd_block_is_reachable(block[b]))
            continue;
         hd_motion why = ask(use[a], block[b]);
         bool yes = why == HD_MOTION_LEGAL, naive = naive_among(g, a, b);
         num_asked++;
         num_yes += yes;
         num_naive += naive;
         num_acyclic += acyclic && yes != naive;
         if (yes && !naive) {
            puts(text);
            fail_msg("from b%d to b%d: yes, but by trying no", a, b);
         }
      }
   }
   for (int a = 1; a < num; a++)
      hd_instr_remove(use[a]);
   hd_result result = hd_wave_run(shader, &launch, NULL);
   assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
   for (int a = 1; a < num && result == HD_OK; a++) {
      for (int b = 1; b < num; b++) {
         if (!hd_block_is_reachable(block[a]) || !hd_block_is_reachable(block[b]) || a == b)
            continue;
         if (ask(vote[a], block[b]) != HD_MOTION_LEGAL)
            continue;
         num_vote_yes++;
         const uint32_t from = block[a]->node.index, to = block[b]->node.index;
         if (!ran_alike(from, to) && !ran_below(from, to)) {
            puts(text);
            fail_msg("a vote from b%d to b%d: yes, but other lanes", a, b);
         }
      }
   }
   hd_shader_destroy(shader);
}

static void
all_graphs(int num, unsigned every)
{
   const int targets = num + 1, ways = targets + targets * (targets - 1);
   unsigned long total = 1;
   unsigned found = 0;

   for (int n = 0; n < num; n++)
      total *= (unsigned)ways;
   for (unsigned long code = 0; code < total; code++) {
      struct graph g = { .num = num, .list = { { 1, { 1 } } } };
      unsigned long rest = code;
      int branches = 0, at[8];
      for (int n = 1; n <= num; n++, rest /= (unsigned)ways) {
         int way = (int)(rest % (unsigned)ways);
         if (way < targets) {
            g.list[n] = (struct succ_list){ 1, { way + 1 } };
            continue;
         }
         way -= targets;
         int first = way / (targets - 1), second = way % (targets - 1);
         g.list[n] = (struct succ_list){ 2, { first + 1, second + (second >= first) + 1 } };
         at[branches++] = n;
      }
      if (found++ % every || (reach(&g, 0, 0, -1) == 3 && num > 1))
         continue;
      unsigned kinds = 1;
      for (int n = 0; n < branches; n++)
         kinds *= 3;
      /* All kinds of one of three graphs, else a sample. */
      for (unsigned k = found % 3 ? found % kinds : 0; k < kinds; k += found % 3 ? kinds : 1) {
         unsigned left = k;
         for (int n = 0; n < branches; n++, left /= 3)
            g.kind[at[n]] = (int)(left % 3);
         try_graph(&g);
      }
   }
}

static void
small_graphs(void **unused)
{
   bool all = getenv("HEDDLE_ALL_GRAPHS") != NULL;

   (void)unused;
   all_graphs(1, 1);
   all_graphs(2, 1);
   all_graphs(3, all ? 1 : 17);
   printf("%u asked, %u yes, %u by trying, %u missed on graphs without cycles; %u votes may move\n",
          num_asked, num_yes, num_naive, num_acyclic, num_vote_yes);
   /* Almost nothing is missed where no cycle is, and most is found elsewhere. */
   assert_true(num_acyclic * 1000 < num_asked);
   assert_true(num_yes * 10 > num_naive * 6);
   assert_true(num_vote_yes > 100);
}

/* Programs: instructions are found by name. */

struct program {
   hd_shader *shader;
   hd_function *f;
};

static struct program
load(const char *body)
{
   length = 0;
   put("shader fragment \"t\" {\n function @main {\n b0:\n%%zero:32 = const 0\n%%one:32 = const 1\n"
       "%%true:1 = const true\n%%coord:32x4 = frag_coord\n%%x:32 = channel %%coord, %%zero\n"
       "%%i:32 = f2u %%x\n%%bit:32 = iand %%i, %%one\n%%c:1 = ine %%bit, %%zero\n"
       "%%u:32 = load_push %%zero\n%%uc:1 = ine %%u, %%zero\n%s}\n}\n",
       body);
   struct program p = { parse(text, length), NULL };
   if (hd_validate(p.shader, NULL) != HD_OK)
      fail_msg("not valid:\n%s", text);
   p.f = p.shader->first_function;
   return p;
}

static hd_instr *
named(const struct program *p, const char *name)
{
   hd_foreach_block(b, p->f) {
      hd_foreach_instr(i, b) {
         const char *other = hd_instr_def(i) ? hd_def_name(p->f, &i->def) : NULL;
         if (other && !strcmp(other, name))
            return i;
      }
   }
   fail_msg("no %%%s", name);
   return NULL;
}

static hd_block *
block_named(const struct program *p, const char *name)
{
   hd_foreach_block(b, p->f) {
      const char *other = hd_block_name(p->f, b);
      if (other && !strcmp(other, name))
         return b;
   }
   fail_msg("no block %s", name);
   return NULL;
}

static void
expect_move(const char *body, const char *instr, const char *block, hd_motion why)
{
   struct program p = load(body);
   hd_motion_reason reason;

   assert_int_equal(hd_may_move(named(&p, instr), hd_before_jump(block_named(&p, block)), &reason),
                    HD_OK);
   if (reason.why != why)
      fail_msg("%%%s to %s: %d, not %d, in\n%s", instr, block, reason.why, why, text);
   hd_shader_destroy(p.shader);
}

static void
expect_merge(const char *body, const char *block, const char *operand, hd_motion why)
{
   struct program p = load(body);
   hd_motion_reason reason;
   hd_instr *a = named(&p, "a"), *b = named(&p, "b");
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];

   for (unsigned n = 0; n < hd_instr_num_srcs(a); n++)
      srcs[n] = hd_instr_src(a, n)->def;
   if (operand)
      srcs[0] = &named(&p, operand)->def;
   assert_int_equal(
       hd_may_merge(a, b, hd_before_jump(block_named(&p, block)), operand ? srcs : NULL, &reason),
       HD_OK);
   if (reason.why != why)
      fail_msg("merging at %s: %d, not %d, in\n%s", block, reason.why, why, text);
   hd_shader_destroy(p.shader);
}

#define ARMS(then, other)                                                                          \
   "if %c {\nb1 \"then\":\n" then "} else {\nb2 \"else\":\n" other "}\nb3 \"after\":\n"
#define FETCH(descriptor) "buffer_size.uniform " descriptor " access=speculatable"

/* The examples of the discussion in which D-dominance was proposed: a fetch whose descriptor must
 * be the same for all lanes.
 */
static void
seed_examples(void **unused)
{
   (void)unused;
   /* v0 = fetch(s0); v1 = fetch(s1); v = select(c, v0, v1) is no fetch(select(c, s0, s1)). */
   expect_merge("%s:32 = select %c, %zero, %u\n%a:32 = " FETCH("%zero") "\n%b:32 = " FETCH(
                    "%u") "\n"
                          "if %uc {\nb1 \"here\":\n} else {\nb2:\n}\nb3 \"after\":\n",
                "after", "s", HD_MOTION_OPERAND);
   /* select between fetches of idx & 0 and of idx | 1: idx has the same set as both. */
   expect_merge(
       "%m:32 = iand %bit, %zero\n%o:32 = ior %bit, %one\n%a:32 = " FETCH(
           "%m") "\n"
                 "%b:32 = " FETCH("%o") "\nif %uc {\nb1:\n} else {\nb2:\n}\nb3 \"after\":\n",
       "after", "bit", HD_MOTION_OPERAND);
   /* In both arms of a branch on the operand itself, the same fetch: promised in each arm alone. */
   expect_move(ARMS("%a:32 = " FETCH("%bit") "\n", "%b:32 = " FETCH("%bit") "\n"), "a", "after",
               HD_MOTION_LANES);
   expect_merge(ARMS("%a:32 = " FETCH("%bit") "\n", "%b:32 = " FETCH("%bit") "\n"), "after", NULL,
                HD_MOTION_LANES);
   /* Of another branch, that does not depend on what makes the operand differ, it is legal. */
   expect_move("%f:1 = front_facing\nif %f {\nb1:\n%a:32 = " FETCH("%bit") "\n} else {\nb2:\n}\n"
                                                                           "b3 \"after\":\n",
               "a", "after", HD_MOTION_LEGAL);
   /* And of a uniform one; but not if that is a vote on what the operand is made of. */
   expect_move("if %uc {\nb1:\n%a:32 = " FETCH("%bit") "\n} else {\nb2:\n}\nb3 \"after\":\n", "a",
               "after", HD_MOTION_LEGAL);
   expect_move("%v:1 = vote_ieq %bit\nif %v {\nb1:\n%a:32 = " FETCH("%bit") "\n} else {\nb2:\n}\n"
                                                                            "b3 \"after\":\n",
               "a", "after", HD_MOTION_LANES);
   /* Down into an arm the lanes are fewer. */
   expect_move("%a:32 = " FETCH("%bit") "\n" ARMS("", ""), "a", "then", HD_MOTION_LEGAL);
   /* Proven uniform: anywhere. */
   expect_move(ARMS("%a:32 = buffer_size %u\n", ""), "a", "after", HD_MOTION_ADDRESS);
   expect_move(ARMS("%a:32 = buffer_size %u access=speculatable\n", ""), "a", "after",
               HD_MOTION_LEGAL);
}

/* Each lane leaves a loop in a round in which what it has is the same for all that leave. */
static void
cycles(void **unused)
{
   static const char loop[] =
       "loop {\nb1:\n%first:32 = read_first %i\n%eq:1 = ieq %first, %i\nif %eq {\nb2 \"turn\":\n"
       "%a:32 = inverse_size\nbreak\n} else {\nb3:\n}\nb4 \"rest\":\n%d:32 = iadd %i, %one\n}\n"
       "b5 \"after\":\n";
   char body[1024];
   const char *at = strstr(loop, "inverse_size");

   (void)unused;
   snprintf(body, sizeof(body), "%.*s%s%s", (int)(at - loop), loop, FETCH("%i"), at + 12);
   expect_move(body, "a", "after", HD_MOTION_CYCLES);
   snprintf(body, sizeof(body), "%.*s%s%s", (int)(at - loop), loop, FETCH("%first"), at + 12);
   expect_move(body, "a", "after", HD_MOTION_GROWS);
   /* Votes: not out of the loop, nor to those who go on. */
   expect_move("loop {\nb1 \"head\":\n%v:1 = vote_any %c\nif %c {\nb2:\nbreak\n} else {\nb3:\n}\n"
               "b4 \"rest\":\n}\nb5 \"after\":\n",
               "v", "after", HD_MOTION_CYCLES);
   expect_move("loop {\nb1 \"head\":\n%v:1 = vote_any %c\nif %c {\nb2:\nbreak\n} else {\nb3:\n}\n"
               "b4 \"rest\":\n}\nb5 \"after\":\n",
               "v", "rest", HD_MOTION_LANES);
}

static void
memory(void **unused)
{
   (void)unused;
   static const char store[] = "%a:32 = load_buffer %zero, %zero access=speculatable\n"
                               "store_buffer %one, %zero, %i\n" ARMS("", "");
   expect_move(store, "a", "then", HD_MOTION_MEMORY);
   expect_move("%a:32 = load_buffer %zero, %zero access=speculatable\n"
               "store_output %one, %zero location=0\n" ARMS("", ""),
               "a", "then", HD_MOTION_LEGAL);
   expect_move("%a:32 = load_push %zero\nstore_buffer %one, %zero, %i\n" ARMS("", ""), "a", "then",
               HD_MOTION_LEGAL);
   expect_move("%a:32 = load_buffer %zero, %zero access=volatile|speculatable\n" ARMS("", ""), "a",
               "then", HD_MOTION_EFFECT);
   /* Where other lanes are, an address may be bad. */
   expect_move(ARMS("%a:32 = load_buffer %zero, %i\n", ""), "a", "else", HD_MOTION_ADDRESS);
   expect_move("%a:32 = load_buffer %zero, %i\n" ARMS("", ""), "a", "then", HD_MOTION_LEGAL);
   /* In a loop, what is written later was written before. */
   expect_move("loop {\nb1:\n%a:32 = load_buffer %zero, %zero\nif %c {\nb2:\nbreak\n} else {\n"
               "b3 \"in\":\n}\nb4:\nstore_buffer %one, %zero, %i\n}\nb5 \"after\":\n",
               "a", "in", HD_MOTION_LEGAL);
   expect_move(
       "%a:32 = load_buffer %zero, %zero\nloop {\nb1 \"in\":\nif %c {\nb2:\nbreak\n} else {\n"
       "b3:\n}\nb4:\nstore_buffer %one, %zero, %i\n}\nb5 \"after\":\n",
       "a", "in", HD_MOTION_MEMORY);
   /* A helper is not counted: not past a demote. What has no effect moves freely. */
   expect_move("%v:1 = vote_any %c\ndemote_if %c\n%k:32 = iadd %i, %one\n" ARMS("", ""), "v",
               "after", HD_MOTION_MEMORY);
   expect_move("%v:1 = vote_any %c\n" ARMS("", ""), "v", "after", HD_MOTION_LEGAL);
   expect_move("%v:1 = vote_any %c\n" ARMS("", ""), "v", "then", HD_MOTION_LANES);
   expect_move(ARMS("%k:32 = iadd %i, %one\n", ""), "k", "after", HD_MOTION_LEGAL);
   expect_move(ARMS("%at:32 = buffer_atomic %zero, %zero, %one atomic_op=iadd\n", ""), "at",
               "after", HD_MOTION_EFFECT);
   /* Two of the same. */
   expect_merge("%a:32 = load_buffer %zero, %i\n%b:32 = load_buffer %zero, %i\n" ARMS("", ""),
                "then", NULL, HD_MOTION_LEGAL);
   expect_merge("%a:32 = load_buffer %zero, %i\n%b:32 = load_buffer %zero, %bit\n" ARMS("", ""),
                "then", NULL, HD_MOTION_DIFFERENT);
   expect_merge("%a:32 = iadd %i, %one\n%b:32 = isub %i, %one\n" ARMS("", ""), "then", NULL,
                HD_MOTION_DIFFERENT);
   expect_move(ARMS("", "") "%p:32 = phi b1: %i, b2: %one\n", "p", "then", HD_MOTION_KIND);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(seed_examples),
      cmocka_unit_test(cycles),
      cmocka_unit_test(memory),
      cmocka_unit_test(small_graphs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
