/* SPDX-License-Identifier: MIT */
/* test_repair_random.c - SSA repair of programs in which every block's value is read everywhere.
 *
 * A program keeps the value of each block in a variable, with a flag that says whether the lane has
 * it: cleared at the header of each cycle that contains the block. Uses read the variable, and look
 * at it only where the flag is set. That runs, and gives each lane a number. Then each use is made
 * to read the block's value itself, from wherever it is: SSA is broken, and the promise of repair.h
 * is kept. Repaired, it must be valid, give the same numbers, and have the phis that a naive search
 * finds, no more. For hd_repair_ssa_around no flag is cleared; there phis that read each other may
 * be more than needed, but none is trivial by itself.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../wave/programs.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/wave.h"
#include "ir/private.h"
#include "structurize/repair.h"

#define MAX_USES  4096
#define NUM_LANES 32

/* A use of the value of a block, or of its truth value. */
struct use {
   hd_def *load;
   hd_block *at; /* at whose end, or in which, it is read */
   int of;
   bool is_truth;
};

/* An if that runs where the flag is set, and one in it that the truth value decides. */
struct guarded {
   hd_if *outer, *inner;
   int of;
};

struct program {
   hd_shader *shader;
   hd_function *f;
   struct naive g;
   uint64_t *state;
   hd_def *lane, *word, *zero, *truth_zero;
   hd_var *made, *sum;
   hd_var *value[NAIVE_MAX], *truth[NAIVE_MAX], *has[NAIVE_MAX];
   hd_def *def[NAIVE_MAX], *truth_def[NAIVE_MAX];
   struct use use[MAX_USES];
   unsigned num_uses;
   struct guarded guarded[3];
   unsigned num_guarded;
   bool around; /* values go round: hd_repair_ssa_around */
};

static unsigned num_programs, num_run, num_phis_made, num_late;

static void
fail_with_text(const struct program *p, const char *what)
{
   hd_blob blob;

   hd_blob_init(&blob, NULL);
   hd_print_shader(p->shader, NULL, &blob);
   fprintf(stderr, "%s", blob.data);
   fail_msg("program %u: %s", num_programs, what);
}

/* Making the program */

static hd_def *
load_value(struct program *p, hd_builder *b, int of, bool is_truth)
{
   hd_def *load = hd_load_var(b, is_truth ? p->truth[of] : p->value[of], NULL);

   assert_true(p->num_uses < MAX_USES);
   p->use[p->num_uses++] = (struct use){ load, hd_cursor_block(b->cursor), of, is_truth };
   return load;
}

static void
add_up(struct program *p, hd_builder *b, hd_def *x)
{
   hd_def *prime = hd_imm_u32(b, 31);
   hd_def *sum = hd_imul(b, hd_load_var(b, p->sum, NULL), prime);

   hd_store_var(b, p->sum, NULL, hd_iadd(b, sum, x));
}

static void
add_use(struct program *p, hd_builder *b, int of)
{
   hd_def *x = load_value(p, b, of, false);

   add_up(p, b, hd_select(b, hd_load_var(b, p->has[of], NULL), x, p->zero));
}

/* The value comes from some predecessors, or all; the phi's of the flag say which. */
static void
add_phi_use(struct program *p, hd_block *join, int of)
{
   hd_phi *x = hd_phi_insert(join, 1, 32, NULL), *has = hd_phi_insert(join, 1, 1, NULL);

   for (uint32_t n = 0; n < join->num_preds; n++) {
      hd_builder b = hd_builder_at(hd_before_jump(join->preds[n].from));
      bool comes = next_random(p->state, 4) != 0;
      hd_src_set_def(&x->srcs[n].src, comes ? load_value(p, &b, of, false) : p->zero);
      hd_src_set_def(&has->srcs[n].src, comes ? hd_load_var(&b, p->has[of], NULL) : p->truth_zero);
   }
   hd_builder b = hd_builder_at(hd_after_phis(join));
   add_up(p, &b, hd_select(&b, &has->instr.def, &x->instr.def, p->zero));
}

static bool
is_in_cycle_of(const struct program *p, int header, int block)
{
   for (int c = 0; c < p->g.num_cycles; c++) {
      if (p->g.cycle[c].header == header && (p->g.cycle[c].all >> block & 1))
         return true;
   }
   return false;
}

/* Does the value end at this header? */
static bool
ends_at(const struct program *p, int header, int of)
{
   return !p->around && is_in_cycle_of(p, header, of);
}

static void
fill_head(struct program *p, int n)
{
   hd_builder b = hd_builder_at(hd_after_phis(p->g.block[n]));

   for (int other = 0; other < p->g.num - 1; other++) {
      if (ends_at(p, n, other))
         hd_store_var(&b, p->has[other], NULL, p->truth_zero);
   }
   add_up(p, &b, hd_imm_u32(&b, (uint32_t)n + 1));
   add_use(p, &b, (int)next_random(p->state, (uint32_t)p->g.num - 1));
}

/* The number of the successor from which the end is nearest. */
static uint32_t
nearest_successor(const struct program *p, int n)
{
   const hd_block *b = p->g.block[n];
   uint32_t best = 0, best_steps = UINT32_MAX;

   for (uint32_t s = 0; s < b->num_succs; s++) {
      set reached = 1u << naive_index(&p->g, b->succs[s].to);
      for (uint32_t steps = 0; steps < NAIVE_MAX; steps++) {
         if ((reached >> (p->g.num - 1) & 1) && steps < best_steps) {
            best = s;
            best_steps = steps;
         }
         set next = reached;
         for (int from = 0; from < p->g.num; from++) {
            for (int k = 0; (reached >> from & 1) && k < p->g.num_succs[from]; k++)
               next |= 1u << p->g.succ[from][k];
         }
         reached = next;
      }
   }
   return best;
}

/* The lane's next two bits as long as there are some; after that, the way to the end. */
static void
fill_decision(struct program *p, hd_builder *b, int n)
{
   hd_block *block = p->g.block[n];
   hd_def *made = hd_load_var(b, p->made, NULL);
   hd_def *three = hd_imm_u32(b, 3);
   hd_def *bits = hd_iand(b, hd_ushr(b, p->word, made), three);
   hd_def *have = hd_ult(b, made, hd_imm_u32(b, 30));
   uint32_t nearest = nearest_successor(p, n);
   hd_if *nif = hd_block_next_if(block);
   hd_jump *jump = hd_block_jump(block);
   hd_src *src = nif ? &nif->cond : &jump->src[0];

   hd_store_var(b, p->made, NULL, hd_select(b, have, hd_iadd(b, made, hd_imm_u32(b, 2)), made));
   if (!nif && jump->instr.op == HD_JUMP_SWITCH) {
      hd_src_set_def(src, hd_select(b, have, bits, hd_imm_u32(b, nearest)));
      return;
   }
   hd_def *bit = hd_ine(b, hd_iand(b, bits, hd_imm_u32(b, 1)), p->zero);
   hd_src_set_def(src, hd_select(b, have, bit, hd_imm_bool(b, nearest == 0)));
}

static bool
fill_guard(struct program *p, hd_builder *b, const hd_block *block)
{
   const hd_if *nif = hd_block_next_if(block);

   for (unsigned n = 0; n < p->num_guarded; n++) {
      struct guarded *g = &p->guarded[n];
      if (nif == g->outer) {
         hd_src_set_def(&g->outer->cond, hd_load_var(b, p->has[g->of], NULL));
         return true;
      }
      if (nif == g->inner) {
         hd_src_set_def(&g->inner->cond, load_value(p, b, g->of, true));
         return true;
      }
   }
   return false;
}

static void
fill_end(struct program *p, int n)
{
   hd_block *block = p->g.block[n];
   hd_builder b = hd_builder_at(hd_before_jump(block));
   hd_def *made = hd_load_var(&b, p->made, NULL);

   /* Values differ from block to block, from time to time, and from lane to lane. */
   hd_def *number = hd_imm_u32(&b, (uint32_t)n);
   p->def[n] = hd_iadd(&b, hd_imul(&b, made, hd_iadd(&b, p->lane, hd_imm_u32(&b, 64))), number);
   p->truth_def[n] = hd_ine(&b, hd_iand(&b, p->def[n], hd_imm_u32(&b, 2)), p->zero);
   hd_store_var(&b, p->value[n], NULL, p->def[n]);
   hd_store_var(&b, p->truth[n], NULL, p->truth_def[n]);
   hd_store_var(&b, p->has[n], NULL, hd_imm_bool(&b, true));
   for (int of = 0; of < p->g.num - 1; of++) {
      if (p->g.num < 8 || next_random(p->state, (uint32_t)p->g.num) < 4)
         add_use(p, &b, of);
   }
   if (block->num_succs > 1) {
      if (!fill_guard(p, &b, block))
         fill_decision(p, &b, n);
   }
   for (uint32_t s = 0; s < block->num_succs; s++) {
      if (hd_block_is_end(block->succs[s].to)) {
         hd_def *offset = hd_imul(&b, p->lane, hd_imm_u32(&b, 4));
         hd_store_buffer(&b, hd_load_var(&b, p->sum, NULL), p->zero, offset,
                         &(hd_store_buffer_indices){ .binding = 1, .align_mul = 4 });
      }
   }
}

static void
fill_start(struct program *p)
{
   hd_builder b = hd_builder_at(hd_after_phis(hd_function_start(p->f)));

   p->zero = hd_imm_u32(&b, 0);
   p->truth_zero = hd_imm_bool(&b, false);
   p->lane = hd_subgroup_invocation(&b);
   p->word = hd_load_buffer(&b, p->zero, hd_imul(&b, p->lane, hd_imm_u32(&b, 4)), 1, 32,
                            &(hd_load_buffer_indices){ .align_mul = 4 });
   p->made = hd_var_create(p->f, "made", 1, 32, 0);
   p->sum = hd_var_create(p->f, "sum", 1, 32, 0);
   hd_store_var(&b, p->made, NULL, p->zero);
   hd_store_var(&b, p->sum, NULL, p->zero);
   for (int n = 0; n < p->g.num - 1; n++) {
      p->value[n] = hd_var_create(p->f, "value", 1, 32, 0);
      p->truth[n] = hd_var_create(p->f, "truth", 1, 1, 0);
      p->has[n] = hd_var_create(p->f, "has", 1, 1, 0);
      hd_store_var(&b, p->has[n], NULL, p->truth_zero);
   }
}

static void
fill_program(struct program *p)
{
   naive_read(&p->g, p->f);
   fill_start(p);
   for (unsigned n = 0; n < p->num_guarded; n++)
      p->guarded[n].of = (int)next_random(p->state, (uint32_t)p->g.num - 1);
   for (int n = 1; n < p->g.num - 1; n++)
      fill_head(p, n);
   for (int n = 0; n < p->g.num - 1; n++)
      fill_end(p, n);
   for (int n = 1; n < p->g.num - 1; n++) {
      if (p->g.block[n]->num_preds > 1)
         add_phi_use(p, p->g.block[n], (int)next_random(p->state, (uint32_t)p->g.num - 1));
   }
}

/* The phis that are needed, word by word */

static set
predecessors(const struct naive *g, int block)
{
   set preds = 0;

   for (int from = 0; from < g->num; from++) {
      if ((g->reachable >> from & 1) && naive_edge(g, from, block))
         preds |= 1u << from;
   }
   return preds;
}

/* What the value of a block can flow into, which is not through headers of its cycles. */
static set
flows_into(const struct program *p, int of)
{
   set reached = 1u << of, before;

   do {
      before = reached;
      for (int to = 0; to < p->g.num; to++) {
         if ((predecessors(&p->g, to) & reached) && !ends_at(p, to, of))
            reached |= 1u << to;
      }
   } while (reached != before);
   return reached;
}

/* Where a use, looked for backwards, can read it. */
static set
is_wanted(const struct program *p, int of, bool is_truth)
{
   set wanted = 0, before;

   for (unsigned n = 0; n < p->num_uses; n++) {
      const struct use *u = &p->use[n];
      int at = naive_index(&p->g, u->at);
      if (u->of == of && u->is_truth == is_truth && (p->g.reachable >> at & 1) &&
          !naive_dominates(&p->g, of, at))
         wanted |= 1u << at;
   }
   do {
      before = wanted;
      for (int at = 0; at < p->g.num; at++) {
         if (!(wanted >> at & 1) || ends_at(p, at, of))
            continue;
         set preds = predecessors(&p->g, at);
         for (int from = 0; from < p->g.num; from++) {
            if ((preds >> from & 1) && !naive_dominates(&p->g, of, from))
               wanted |= 1u << from;
         }
      }
   } while (wanted != before);
   return wanted;
}

static uint32_t
count_bits(set s)
{
   uint32_t num = 0;

   for (; s; s &= s - 1)
      num++;
   return num;
}

static uint32_t
count_needed(const struct program *p)
{
   uint32_t num = 0;

   for (int of = 0; of < p->g.num - 1; of++) {
      if (!(p->g.reachable >> of & 1))
         continue;
      set places = naive_idf(&p->g, 1u << of) & flows_into(p, of);
      for (int n = 0; n < p->g.num; n++) {
         if (ends_at(p, n, of))
            places &= ~(1u << n);
      }
      num += count_bits(places & is_wanted(p, of, false));
      num += count_bits(places & is_wanted(p, of, true));
   }
   return num;
}

/* Does some cycle have a header that another block of it dominates? Values may then be wanted in
 * blocks that dominate their definition, which the frontier does not know.
 */
static bool
is_entered_late(const struct naive *g)
{
   for (int c = 0; c < g->num_cycles; c++) {
      for (int n = 0; n < g->num; n++) {
         if (n != g->cycle[c].header && (g->cycle[c].all >> n & 1) &&
             naive_dominates(g, n, g->cycle[c].header))
            return true;
      }
   }
   return false;
}

static bool
is_undef(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_UNDEF;
}

/* One value comes from everywhere, or from everywhere where any comes and is known there anyway. */
static bool
is_trivial(const struct program *p, const hd_phi *phi)
{
   const hd_def *only = NULL;
   bool has_undef = false;

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      const hd_def *def = phi->srcs[n].src.def;
      const hd_block *pred = phi->instr.block->preds[n].from;
      if (def == &phi->instr.def)
         continue;
      if (is_undef(def)) {
         has_undef |= p->g.reachable >> naive_index(&p->g, pred) & 1;
         continue;
      }
      if (only && only != def)
         return false;
      only = def;
   }
   return !only || !has_undef ||
          (hd_def_instr(only)->block != phi->instr.block &&
           naive_dominates(&p->g, naive_index(&p->g, hd_def_instr(only)->block),
                           naive_index(&p->g, phi->instr.block)));
}

/* Of the values made by the repair, all are used, and none is trivial. */
static void
check_phis(const struct program *p, uint32_t num_defs, uint32_t num_phis)
{
   uint32_t num = 0;

   hd_foreach_block(b, p->f) {
      hd_foreach_phi(phi, b) {
         if (phi->instr.def.index < num_defs)
            continue;
         num++;
         if (!phi->instr.def.uses || is_trivial(p, phi))
            fail_with_text(p, "a phi that is not needed");
      }
   }
   assert_int_equal(num, num_phis);
   const uint32_t needed = count_needed(p);
   if (!p->around && is_entered_late(&p->g))
      num_late++;
   else if (p->around ? num_phis < needed : num_phis != needed)
      fail_with_text(p, "not as many phis as needed");
}

/* Running it */

/* Can the end be reached from everywhere? Then every lane goes there in the end. */
static bool
always_ends(const struct program *p)
{
   for (int n = 0; n < p->g.num; n++) {
      if ((p->g.reachable >> n & 1) && !(naive_reach(&p->g, n, ~0u) >> (p->g.num - 1) & 1))
         return false;
   }
   return true;
}

static hd_result
run(const struct program *p, uint32_t *words, uint32_t *out)
{
   const hd_wave_buffer buffers[] = {
      { .memory = { words, NULL, NUM_LANES * 4 } },
      { .binding = 1, .memory = { out, NULL, NUM_LANES * 4 } },
   };
   const hd_wave_launch launch = {
      .lanes = NUM_LANES,
      .workgroup_size = { NUM_LANES },
      .buffers = buffers,
      .num_buffers = 2,
      .max_steps = 400000,
   };

   memset(out, 0, NUM_LANES * 4);
   return hd_wave_run(p->shader, &launch, NULL);
}

static void
repair(struct program *p, uint32_t *num_phis)
{
   hd_heap *heap = hd_shader_heap(p->shader);
   hd_unwind u;

   if (HD_TRY(heap, &u))
      (p->around ? hd_repair_ssa_around : hd_repair_ssa)(p->f, num_phis);
   assert_int_equal(hd_heap_leave(heap, &u), HD_OK);
}

static void
try_program(struct program *p)
{
   uint32_t words[NUM_LANES], want[NUM_LANES], got[NUM_LANES], num_phis = 0;

   num_programs++;
   fill_program(p);
   if (hd_validate(p->shader, NULL) != HD_OK)
      fail_with_text(p, "not valid");
   for (unsigned l = 0; l < NUM_LANES; l++)
      words[l] = next_random(p->state, UINT32_MAX);
   const bool ends = always_ends(p);
   if (ends && run(p, words, want) != HD_OK)
      fail_with_text(p, "does not run");
   for (unsigned n = 0; n < p->num_uses; n++) {
      const struct use *u = &p->use[n];
      hd_def_replace_uses(u->load, u->is_truth ? p->truth_def[u->of] : p->def[u->of]);
   }
   const uint32_t num_defs = p->f->num_defs;
   repair(p, &num_phis);
   if (hd_validate(p->shader, NULL) != HD_OK)
      fail_with_text(p, "repaired, it is not valid");
   check_phis(p, num_defs, num_phis);
   num_phis_made += num_phis;
   if (ends) {
      if (run(p, words, got) != HD_OK || memcmp(want, got, sizeof(want)))
         fail_with_text(p, "repaired, it computes something else");
      num_run++;
   }
   /* All is done that can be. */
   repair(p, &num_phis);
   assert_int_equal(num_phis, 0);
}

static void
begin(struct program *p, uint64_t *state)
{
   memset(p, 0, sizeof(*p));
   p->state = state;
   p->shader =
       hd_shader_create(&(hd_config){ .diag = hd_diag_to_file(stderr) }, HD_STAGE_COMPUTE, "");
}

static void
report(uint64_t seed)
{
   printf("seed %llu: %u programs, %u ended, %u have cycles entered late, %u phis\n",
          (unsigned long long)seed, num_programs, num_run, num_late, num_phis_made);
   assert_true(num_run > num_programs / 2 && num_phis_made > num_programs);
   num_programs = num_run = num_phis_made = num_late = 0;
}

/* The tests */

static void
declare_at_random(struct program *p, hd_block *const *block, int num)
{
   uint32_t faults;

   for (int n = 1; n < num; n++) {
      block[n]->node.header = next_random(p->state, 4) == 0;
      if (next_random(p->state, 3) == 0)
         block[n]->loop_header = block[1 + next_random(p->state, (uint32_t)num - 1)];
      if (hd_check_declarations(p->f, NULL, NULL, &faults) != HD_OK || faults) {
         block[n]->node.header = false;
         block[n]->loop_header = NULL;
      }
   }
   hd_meta_invalidate(p->f, HD_META_NONE);
}

static void
try_graph(const struct graph *g, void *user)
{
   static struct program p;
   hd_block *block[NAIVE_MAX];
   struct succ_list list[10] = { { 1, { 1 } } };

   memcpy(list + 1, g->list + 1, (size_t)g->num * sizeof(*list));
   list[g->num + 1] = (struct succ_list){ 1, { g->num + 2 } };
   for (unsigned way = 0; way < 3; way++) {
      begin(&p, user);
      p.around = way == 2;
      p.f = graph_build(p.shader, g->num + 2, list, block);
      if (way)
         declare_at_random(&p, block, g->num + 2);
      try_program(&p);
      hd_shader_destroy(p.shader);
   }
}

static void
small_graphs(void **unused)
{
   uint64_t state = 7;

   (void)unused;
   assert_int_equal(all_graphs(1, 1, try_graph, &state), 4);
   assert_int_equal(all_graphs(2, 1, try_graph, &state), 45);
   assert_int_equal(all_graphs(3, 1, try_graph, &state), 816);
   assert_int_equal(all_graphs(4, 37, try_graph, &state), 20225);
   report(7);
}

/* Forward, not far, and sometimes back: cycles then nest, and values have a long way. */
static struct succ_list
random_successors(uint64_t *state, int block, int num)
{
   struct succ_list list = { 0 };
   const int num_succs = next_random(state, 8) ? 2 : 1 + (int)next_random(state, 4);
   set taken = 0;

   for (int k = 0; k < num_succs; k++) {
      const int far = 1 + (int)next_random(state, 4);
      int to = k && next_random(state, 4) == 0 ? block + 1 - far : block + far;
      to = to < 1 ? 1 : to >= num ? num - 1 : to;
      if (!(taken >> to & 1))
         list.succ[list.num++] = to;
      taken |= 1u << to;
   }
   return list;
}

/* Larger ones, with switches and several exits. */
static void
random_graphs(void **unused)
{
   static struct program p;
   uint64_t seed = 21, state = seed;

   (void)unused;
   for (unsigned n = 0; n < 250; n++) {
      struct succ_list list[NAIVE_MAX] = { { 1, { 1 } } };
      hd_block *block[NAIVE_MAX];
      const int num = 6 + (int)next_random(&state, 15);
      for (int b = 1; b < num - 1; b++)
         list[b] = random_successors(&state, b, num);
      for (int exits = 0; exits < 2; exits++)
         list[num - 1 - exits * 3] = (struct succ_list){ 1, { num } };
      begin(&p, &state);
      p.around = n % 4 == 3;
      p.f = graph_build(p.shader, num, list, block);
      if (n % 2)
         declare_at_random(&p, block, num);
      try_program(&p);
      hd_shader_destroy(p.shader);
   }
   report(seed);
}

static hd_block *
random_block_of(hd_function *f, uint64_t *state)
{
   uint32_t num = 0;

   hd_foreach_block(b, f)
      num++;
   num = next_random(state, num);
   hd_foreach_block(b, f) {
      if (num-- == 0)
         return b;
   }
   return NULL;
}

static void
let_loops_end(hd_function *f, hd_def *cond)
{
   hd_foreach_inner_first_safe(node, f) {
      hd_loop *loop = hd_node_as_loop(node);
      if (!loop)
         continue;
      hd_if *nif = hd_insert_if(hd_list_start(&loop->body), cond);
      hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL);
   }
}

static void
random_trees(void **unused)
{
   static struct program p;
   uint64_t seed = 4, state = seed;

   (void)unused;
   for (unsigned n = 0; n < 500; n++) {
      begin(&p, &state);
      p.f = random_tree(p.shader, &state, 4 + next_random(&state, 12));
      hd_instr *cond = hd_function_start(p.f)->first;
      let_loops_end(p.f, &cond->def);
      while (p.num_guarded < next_random(&state, 4)) {
         struct guarded *g = &p.guarded[p.num_guarded++];
         g->outer = hd_insert_if(hd_before_jump(random_block_of(p.f, &state)), &cond->def);
         g->inner = hd_insert_if(hd_list_end(&g->outer->then_list), &cond->def);
      }
      uint32_t num_blocks = 0;
      hd_foreach_block(b, p.f)
         num_blocks++;
      if (num_blocks < NAIVE_MAX - 1)
         try_program(&p);
      hd_shader_destroy(p.shader);
   }
   report(seed);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs),
      cmocka_unit_test(random_graphs),
      cmocka_unit_test(random_trees),
   };

   return cmocka_run_group_tests_name("structurize/repair_random", tests, NULL, NULL);
}
