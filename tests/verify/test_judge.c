/* SPDX-License-Identifier: MIT */
/* test_judge.c - the judge finds what is wrong: changes with a known fault each, and for each the
 * words in which it must be told, where it must be found, and where there is nothing to find.
 */
#include "support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/edit.h"
#include "work.h"

/* Faults */

static hd_result
keep(changed *c)
{
   (void)c;
   return HD_OK;
}

static hd_instr *
mark_of(hd_function *f, uint32_t block)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (program_mark(f->shader, i) == block)
            return i;
      }
   }
   return NULL;
}

/* The last two-way branch goes the other way. */
static hd_result
swap_branch(changed *c)
{
   hd_block *last = NULL;

   hd_foreach_block(b, c->f) {
      const hd_jump *j = hd_block_jump(b);
      if (j && j->instr.op == HD_JUMP_GOTO_IF)
         last = b;
   }
   if (!last)
      return HD_OK;
   hd_def *cond = hd_block_jump(last)->src[0].def;
   hd_block *yes = last->succs[0].to, *no = last->succs[1].to;
   hd_builder b = hd_builder_at(hd_before_jump(last));
   cond = hd_inot(&b, cond);
   hd_flat_clear_jump(last);
   return hd_flat_goto_if(last, cond, yes, no) ? HD_OK : HD_OUT_OF_MEMORY;
}

/* Another block of a cycle is its header: lanes go the same ways, in other company. */
static hd_result
move_header(changed *c)
{
   hd_block *other = NULL;

   if (hd_require(c->f, HD_META_CYCLES) != HD_OK)
      return HD_OUT_OF_MEMORY;
   hd_foreach_block(b, c->f) {
      const hd_cycle *cycle = hd_block_cycle(b);
      if (cycle && cycle->header != b && hd_block_cycle(cycle->header) == cycle)
         other = b;
   }
   if (other)
      other->node.header = true;
   hd_meta_invalidate(c->f, HD_META_NONE);
   return HD_OK;
}

static hd_result
run_twice(changed *c)
{
   hd_instr *mark = mark_of(c->f, 1), *copy = hd_instr_clone(c->f->shader, mark);

   if (!copy)
      return HD_OUT_OF_MEMORY;
   hd_instr_insert(hd_before_jump(mark->block), copy);
   return HD_OK;
}

static hd_result
lose_code(changed *c)
{
   hd_instr_remove(mark_of(c->f, 1));
   return HD_OK;
}

/* Lanes stop at the last block that goes on. */
static hd_result
end_early(changed *c)
{
   hd_block *last = NULL;

   hd_foreach_block(b, c->f) {
      const hd_jump *j = hd_block_jump(b);
      if (j && j->instr.op == HD_JUMP_GOTO)
         last = b;
   }
   if (!last)
      return HD_OK;
   hd_flat_clear_jump(last);
   return hd_flat_halt(last) ? HD_OK : HD_OUT_OF_MEMORY;
}

/* Where lanes would end they go around for ever. */
static hd_result
never_end(changed *c)
{
   hd_foreach_block(b, c->f) {
      if (hd_block_jump(b)->instr.op != HD_JUMP_RETURN)
         continue;
      hd_block *again = hd_flat_block_create(c->f);
      hd_flat_clear_jump(b);
      return hd_flat_goto(b, again) && hd_flat_goto(again, again) ? HD_OK : HD_OUT_OF_MEMORY;
   }
   return HD_OK;
}

/* The first phi of some block, of 32 bits. */
static hd_phi *
some_phi(hd_function *f)
{
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         if (phi->instr.def.bit_size == 32 && phi->num_srcs > 1)
            return phi;
      }
   }
   return NULL;
}

static hd_result
swap_phi(changed *c)
{
   hd_phi *phi = some_phi(c->f);
   hd_builder b = hd_builder_at(hd_after_phis(hd_function_start(c->f)));

   if (phi)
      hd_src_set_def(&phi->srcs[phi->num_srcs - 1].src, hd_imm_u32(&b, 3));
   return HD_OK;
}

static hd_result
lose_phi(changed *c)
{
   hd_phi *phi = some_phi(c->f);
   hd_builder b = hd_builder_at(hd_after_phis(hd_function_start(c->f)));

   if (phi)
      hd_src_set_def(&phi->srcs[phi->num_srcs - 1].src, hd_undef(&b, 1, 32));
   return HD_OK;
}

/* A value of the same number, of which nobody can tell that it is uniform. */
static hd_result
hide_uniform(changed *c)
{
   hd_foreach_block(block, c->f) {
      hd_jump *j = hd_block_jump(block);
      if (j->instr.op != HD_JUMP_GOTO_IF)
         continue;
      hd_builder b = hd_builder_at(hd_before_instr(hd_def_instr(j->src[0].def)));
      hd_def *lane = hd_subgroup_invocation(&b), *zero = hd_imm_u32(&b, 0);
      hd_src *src = hd_instr_src(hd_def_instr(j->src[0].def), 0);
      hd_src_set_def(src, hd_select(&b, hd_ult(&b, lane, hd_imm_u32(&b, 1000)), src->def, zero));
   }
   return HD_OK;
}

/* The same in front of the branch alone. */
static hd_result
hide_branch(changed *c)
{
   hd_foreach_block(block, c->f) {
      hd_jump *j = hd_block_jump(block);
      if (j->instr.op != HD_JUMP_GOTO_IF)
         continue;
      hd_builder b = hd_builder_at(hd_before_jump(block));
      hd_def *lane = hd_subgroup_invocation(&b), *cond = j->src[0].def;
      hd_src_set_def(&j->src[0], hd_ior(&b, cond, hd_ieq(&b, lane, hd_imm_u32(&b, 1000))));
   }
   return HD_OK;
}

static hd_result
break_rule(changed *c)
{
   hd_instr_extract(hd_function_start(c->f)->first);
   return HD_OK;
}

static hd_result
crash(changed *c)
{
   (void)c;
   abort();
}

/* Only what has no branch. */
static hd_result
crash_rarely(changed *c)
{
   hd_foreach_block(b, c->f) {
      if (b->num_succs > 1)
         return HD_OK;
   }
   abort();
}

static hd_result
hang(changed *c)
{
   while (c)
      pause();
   return HD_OK;
}

static hd_result
refuse(changed *c)
{
   (void)c;
   return HD_UNSUPPORTED;
}

static bool
holds_never(const changed *c, char what[256])
{
   (void)c;
   snprintf(what, 256, "it is not as it was promised");
   return false;
}

static const change faults[] = {
   { "keep", "keep", -1, HD_WAVE_SWEEP, keep, NULL, NULL, true, NULL },
   { "swap branch", "swap branch", -1, HD_WAVE_SWEEP, swap_branch, NULL, NULL, true, NULL },
   { "move header", "move header", -1, HD_WAVE_SWEEP, move_header, NULL, NULL, true, NULL },
   { "run twice", "run twice", -1, HD_WAVE_SWEEP, run_twice, NULL, NULL, true, NULL },
   { "lose code", "lose code", -1, HD_WAVE_SWEEP, lose_code, NULL, NULL, true, NULL },
   { "end early", "end early", -1, HD_WAVE_SWEEP, end_early, NULL, NULL, true, NULL },
   { "never end", "never end", -1, HD_WAVE_SWEEP, never_end, NULL, NULL, true, NULL },
   { "swap phi", "swap phi", -1, HD_WAVE_SWEEP, swap_phi, NULL, NULL, true, NULL },
   { "lose phi", "lose phi", -1, HD_WAVE_SWEEP, lose_phi, NULL, NULL, true, NULL },
   { "hide uniform", "hide uniform", -1, HD_WAVE_SWEEP, hide_uniform, NULL, NULL, true, NULL },
   { "break rule", "break rule", -1, HD_WAVE_SWEEP, break_rule, NULL, NULL, true, NULL },
   { "crash", "crash", -1, HD_WAVE_SWEEP, crash, NULL, NULL, true, NULL },
   { "crash rarely", "crash rarely", -1, HD_WAVE_SWEEP, crash_rarely, NULL, NULL, true, NULL },
   { "hang", "hang", -1, HD_WAVE_SWEEP, hang, NULL, NULL, true, NULL },
   { "hide branch", "hide branch", -1, HD_WAVE_SWEEP, hide_branch, NULL, NULL, true, NULL },
   { "refuse", "refuse", -1, HD_WAVE_SWEEP, refuse, NULL, NULL, true, NULL },
   { "hold never", "hold never", -1, HD_WAVE_SWEEP, keep, holds_never, NULL, true, NULL },
   { "keep again", "keep again", 1, HD_WAVE_SWEEP, keep, NULL, NULL, false, NULL },
};

#define NUM_FAULTS (sizeof(faults) / sizeof(faults[0]))

static judge_options
only(const char *name)
{
   judge_options o = { faults, NUM_FAULTS, 0, true };

   for (unsigned n = 0; n < NUM_FAULTS; n++)
      o.chosen |= (uint32_t)!strcmp(faults[n].name, name) << n;
   assert_int_not_equal(o.chosen, 0);
   return o;
}

static const char *
judge_this(const program *p, const char *name)
{
   static char what[sizeof(((failure *)NULL)->what)];
   const judge_options o = only(name);
   tally t = { 0 };
   failure why;

   const bool good = judge_program(p, &o, NULL, 0, &t, &why);
   assert_int_equal(t.failures, !good);
   assert_int_equal(t.programs, 1);
   if (good)
      return NULL;
   memcpy(what, why.what, sizeof(what));
   assert_int_equal(why.by_run, why.crew.width != 0);
   if (why.change >= 0)
      assert_true(o.chosen >> why.change & 1 || why.change == 1);
   if (why.by_run)
      crew_free(&why.crew);
   return what;
}

static const char *
judge_case(const char *text, const char *name)
{
   program p = { 0 };
   crew c;

   assert_null(case_read(&p, &c, text));
   const char *what = judge_this(&p, name);
   graph_free(&p.graph);
   return what;
}

/* On graphs chosen for it each fault is told in its own words. */
static void
faults_are_told(void **unused)
{
   static const struct {
      const char *name, *text, *what;
   } cases[] = {
      { "keep", "1;2,3;3; | features=7", NULL },
      { "swap branch", "1;2,3;3;", "run 1 of block 2 has lanes" },
      { "swap branch", "1;2,1; | features=7", "run 2 of block 1" },
      { "keep again", "1;2,3;3;", "run 1 of block 2 has lanes" },
      { "run twice", "1;", "the code of block 1 is there twice" },
      { "lose code", "1;", "the code of block 1 is gone" },
      { "end early", "1;2;", "block 2 runs 0 times, not 1" },
      { "never end", "1;2;", "it does not end" },
      { "swap phi", "1;2,3;3; | features=1", "has the log" },
      { "lose phi", "1;2,3;3; | features=1", "has an undefined log in the end" },
      { "hide uniform", "1;2,3 wave;3; | features=9", "is divergent, and was uniform" },
      { "hide branch", "1;2,3 wave;3; | features=9", "there is a divergent branch" },
      { "hide uniform", "1;2,3 wave;3;4,5;5; | features=9", "is divergent, and was uniform" },
      { "hide uniform", "1;2,3 wave;3; | features=1", NULL }, /* nothing has a name */
      { "hide uniform", "1;2,3;3; | features=9", NULL },      /* nothing was uniform */
      { "break rule", "1;", "the result is not valid: " },
      { "refuse", "1;", "unsupported" },
      { "hold never", "1;", "it is not as it was promised" },
      /* Lanes in other company: late comers to a cycle. */
      { "move header", "1;2,3;3,4;2,4; | features=0", "has lanes" },
      { "move header", "1;2,3;3;4;", NULL },
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      const char *what = judge_case(cases[n].text, cases[n].name);
      if (cases[n].what ? !what || !strstr(what, cases[n].what) : what != NULL)
         fail_msg("%s on %s: '%s'", cases[n].name, cases[n].text, what ? what : "nothing found");
   }
}

static uint32_t
num_branches(const graph *g)
{
   uint32_t count = 0;

   for (uint32_t b = 0; b < g->num_blocks; b++)
      count += g->blocks[b].num_succs > 1;
   return count;
}

/* On all graphs of two and three blocks, each fault is found wherever it makes a difference. */
static void
faults_are_found(void **unused)
{
   (void)unused;
   for (int num = 2; num <= 3; num++) {
      unsigned graphs = 0, moved = 0, phis = 0;
      small_graphs walk;
      graph g = { 0 };
      program p = { 0 };
      small_graphs_begin(&walk, num, 2);
      while (small_graphs_next(&walk)) {
         const bool all = num == 2 || graphs % 8 == 0;
         graphs++;
         if (!all)
            continue;
         small_graphs_get(&walk, &g);
         assert_true(variant_make(
             &p, &g, (graphs ^ graphs >> 3) & 1 ? VARIANT_PLAIN : VARIANT_LANES, 1, graphs));
         const char *what = judge_this(&p, "keep");
         if (what)
            fail_msg("graph %u of %d blocks: %s", graphs, num, what);
         assert_true(!judge_this(&p, "swap branch") == (num_branches(&g) == 0));
         if (!judge_this(&p, "end early")) {
            graph_write(&g, stdout);
            fail_msg("end early is not found");
         }
         if (graph_ends(&g))
            assert_non_null(judge_this(&p, "never end"));
         moved += judge_this(&p, "move header") != NULL;
         phis += judge_this(&p, "swap phi") != NULL;
         assert_true(variant_make(&p, &g, VARIANT_UNIFORM, 1, graphs));
         assert_true(!judge_this(&p, "hide uniform") == (num_branches(&g) == 0));
      }
      printf("%d blocks: %u graphs, a moved header is seen in %u, a phi in %u\n", num, graphs,
             moved, phis);
      assert_true(moved >= 1 && phis >= 10);
      graph_free(&g);
      graph_free(&p.graph);
   }
}

/* In a process of its own. */
static void
crashes_are_told(void **unused)
{
   static const char *const names[][2] = {
      { "crash", "it crashed with signal 6" },
      { "hang", "it did not come back in 1 seconds" },
      { "swap branch", "run 1 of block 2 has lanes" },
   };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      const judge_options o = only(names[n][0]);
      program p = { 0 };
      crew c;
      failure why;
      assert_null(case_read(&p, &c, "1;2,3;3;"));
      assert_false(judge_apart(&p, &o, NULL, 0, 1, &why));
      if (!strstr(why.what, names[n][1]))
         fail_msg("%s", why.what);
      assert_int_equal(why.change, n == 2 ? 1 : CHANGE_UNKNOWN);
      crew_free(&why.crew);
      const judge_options good = only("keep");
      assert_true(judge_apart(&p, &good, NULL, 0, 10, &why));
      graph_free(&p.graph);
   }
}

/* What fails in a big program is made small, and fails in the same way. */
static void
failures_become_small(void **unused)
{
   static const struct {
      const char *name;
      uint32_t blocks, edges;
   } cases[] = {
      { "swap branch", 4, 3 }, /* the entry, a branch and where it goes */
      { "crash", 2, 1 },
      { "lose code", 2, 1 },
      { "swap phi", 4, 5 },
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      const judge_options o = only(cases[n].name);
      uint64_t state = 4;
      program p = { 0 };
      graph g = { 0 };
      failure why;
      do {
         random_graph(&g, &state, 40);
         assert_true(variant_make(&p, &g, VARIANT_MIXED, 2, n));
      } while (num_branches(&g) < 5 || judge_apart(&p, &o, NULL, 0, 10, &why));
      assert_true(p.graph.num_blocks > 10);
      reduce_failure(&p, &o, 600, &why);
      const bool is_phi = !strcmp(cases[n].name, "swap phi");
      if (p.graph.num_blocks > cases[n].blocks || p.graph.num_edges > cases[n].edges ||
          (p.features & ~(uint32_t)is_phi) != 0 || why.crew.width > 1) {
         case_write(&p, &why.crew, stdout);
         fail_msg("%s is left with %u blocks, %u edges, features %u, %u lanes", cases[n].name,
                  p.graph.num_blocks, p.graph.num_edges, p.features, why.crew.width);
      }
      failure again;
      assert_false(judge_apart(&p, &o, &why.crew, 1, 10, &again));
      assert_string_equal(again.what, why.what);
      crew_free(&again.crew);
      crew_free(&why.crew);
      graph_free(&p.graph);
      graph_free(&g);
   }
}

static work
small_work(const char *name)
{
   return (work){ .source = { .small = 3, .most = 2 },
                  .options = only(name),
                  .variants = 1u << VARIANT_PLAIN,
                  .share = 4,
                  .jobs = 2,
                  .seconds = 60 };
}

/* Several processes do what one does, and a run that was cut off goes on. */
static void
work_is_resumed(void **unused)
{
   char name[] = "/tmp/heddle-verify-XXXXXX";
   const int fd = mkstemp(name);
   work w = small_work("keep");
   place places[MAX_PLACES];
   unsigned num;
   tally once, twice, rest;

   (void)unused;
   assert_true(fd >= 0);
   close(fd);
   unlink(name);
   w.resume = name;
   assert_true(work_run(&w, &once, places, &num));
   assert_int_equal(num, 0);
   assert_int_equal(once.graphs, 204);
   assert_int_equal(once.programs, 204);
   assert_int_equal(once.by_change[0].branches_before, once.by_change[0].branches_after);

   /* All is done: nothing is run, the sums are the same. */
   assert_true(work_run(&w, &twice, places, &num));
   assert_memory_equal(&once, &twice, sizeof(once));

   /* The last lines are lost, one of them half. */
   FILE *file = fopen(name, "r");
   assert_non_null(file);
   assert_int_equal(fseek(file, 0, SEEK_END), 0);
   const long size = ftell(file);
   fclose(file);
   assert_int_equal(truncate(name, size * 2 / 3), 0);
   assert_true(work_run(&w, &rest, places, &num));
   assert_memory_equal(&once, &rest, sizeof(once));

   /* What another run wrote is refused. */
   w.source.seed = 1;
   assert_false(work_run(&w, &rest, places, &num));
   unlink(name);
}

/* Whoever ends the first process ends the others too, which would write on. */
static void
work_ends_with_its_first(void **unused)
{
   work w = small_work("keep");
   int ends[2], status;
   char byte;

   (void)unused;
   w.source.small = 5;
   w.share = 1;
   assert_int_equal(pipe(ends), 0);
   const pid_t first = fork();
   if (first == 0) {
      place places[MAX_PLACES];
      unsigned num;
      tally t;
      work_run(&w, &t, places, &num);
      _exit(0);
   }
   close(ends[1]);
   sleep(1);
   assert_int_equal(kill(first, SIGKILL), 0);
   assert_int_equal(waitpid(first, &status, 0), first);
   /* The pipe ends when nobody is left who could write to it. */
   alarm(60);
   assert_int_equal(read(ends[0], &byte, 1), 0);
   alarm(0);
   close(ends[0]);
}

static void
work_finds_places(void **unused)
{
   static const char *const names[] = { "swap branch", "crash" };

   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      work w = small_work(names[n]);
      place places[MAX_PLACES];
      unsigned num;
      tally t;
      assert_true(work_run(&w, &t, places, &num));
      assert_true(num >= 1 && num <= MAX_PLACES);
      /* The program of a place is the one that failed there. */
      program p = { 0 };
      failure why;
      assert_true(work_program(&w, &places[0], &p));
      assert_false(judge_apart(&p, &w.options, NULL, 0, 10, &why));
      crew_free(&why.crew);
      graph_free(&p.graph);
   }
}

/* A process that is gone is one program less, not all that it had left to do. */
static void
work_goes_on(void **unused)
{
   work w = small_work("crash rarely");
   place places[MAX_PLACES];
   small_graphs walk;
   graph g = { 0 };
   unsigned num, graphs = 0, crash = 0;
   tally t;

   (void)unused;
   w.share = 1;
   w.jobs = 1;
   small_graphs_begin(&walk, w.source.small, w.source.most);
   while (small_graphs_next(&walk)) {
      small_graphs_get(&walk, &g);
      crash += num_branches(&g) == 0;
      graphs++;
   }
   graph_free(&g);
   assert_true(crash > 1 && crash < MAX_PLACES);
   assert_true(work_run(&w, &t, places, &num));
   assert_int_equal(num, crash);
   assert_int_equal(t.failures, crash);
   /* What went with the process is counted by nobody: its piece up to there. */
   assert_true(t.graphs + 32 * crash >= graphs && t.graphs + crash <= graphs);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(faults_are_told),   cmocka_unit_test(faults_are_found),
      cmocka_unit_test(crashes_are_told),  cmocka_unit_test(failures_become_small),
      cmocka_unit_test(work_is_resumed),   cmocka_unit_test(work_ends_with_its_first),
      cmocka_unit_test(work_finds_places), cmocka_unit_test(work_goes_on),
   };

   return cmocka_run_group_tests_name("verify/judge", tests, NULL, NULL);
}
