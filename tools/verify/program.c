/* SPDX-License-Identifier: MIT */
/* program.c - from a graph to a flat function. */
#include "program.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

#include <stdlib.h>

struct making {
   const program *p;
   hd_builder b;
   uint64_t random;
   hd_block **blocks;
   uint32_t *later;   /* for each block the successor on the shortest path to an end */
   uint32_t *idom;    /* NO_BLOCK for the entry */
   uint32_t *unbuilt; /* for each block its predecessors that have no jump so far */
   hd_def **word32;   /* what each block made: 32 bits */
   hd_def **word1;    /* and one */
   hd_var *counter;   /* decisions spent, where they are no SSA value */
   hd_ssa_var *spent, *log, *flag;
   hd_def *zero, *factor;
   hd_def *word, *wave_word, *at, *visits;
};

uint32_t
program_word(uint32_t lane)
{
   return (lane & 63) | ((lane + 1) * 0x9e3779b1u & 0xffffffc0u);
}

static hd_def *
imm(struct making *m, uint32_t value)
{
   return hd_imm_u32(&m->b, value);
}

static hd_def *
load(struct making *m, uint32_t binding, uint32_t offset, hd_def *at)
{
   return hd_load_buffer(
       &m->b, m->zero, at, 1, 32,
       &(hd_load_buffer_indices){ .binding = binding, .offset = (int32_t)offset, .align_mul = 4 });
}

static void
store(struct making *m, uint32_t binding, uint32_t offset, hd_def *at, hd_def *value)
{
   hd_store_buffer(
       &m->b, value, m->zero, at,
       &(hd_store_buffer_indices){ .binding = binding, .offset = (int32_t)offset, .align_mul = 4 });
}

/* What every block can use. */
static void
build_entry(struct making *m)
{
   hd_builder *b = &m->b;
   hd_def *wave = hd_subgroup_id(b);

   m->zero = imm(m, 0);
   m->factor = imm(m, 0x9e3779b1u);
   hd_def *four = imm(m, 4);
   m->at = hd_imul(b, hd_local_invocation_index(b), four);
   m->word = load(m, BINDING_WORDS, 0, m->at);
   m->wave_word = load(m, BINDING_WAVES, 0, hd_imul(b, wave, imm(m, 4)));
   m->visits = hd_imul(b, wave, imm(m, m->p->graph.num_blocks * 4));
   if (m->p->features & PROGRAM_PHIS) {
      m->spent = hd_ssa_var_create(b, 1, 32);
      m->log = hd_ssa_var_create(b, 1, 32);
      m->flag = hd_ssa_var_create(b, 1, 1);
      hd_ssa_write(b, m->spent, m->zero);
      hd_ssa_write(b, m->log, m->word);
      hd_ssa_write(b, m->flag, hd_ult(b, m->word, m->factor));
   } else {
      m->counter = hd_var_create(b->function, "spent", 1, 32, 0);
      hd_store_var(b, m->counter, NULL, m->zero);
   }
}

/* A block that dominates this one, and is not the same: near or far. */
static uint32_t
some_dominator(struct making *m, uint32_t block)
{
   uint32_t d = m->idom[block];

   for (uint32_t up = graph_random_below(&m->random, 8); up && m->idom[d] != NO_BLOCK; up--)
      d = m->idom[d];
   return d;
}

/* The log after this block. */
static hd_def *
build_log(struct making *m, uint32_t block)
{
   hd_builder *b = &m->b;
   hd_def *log = m->word;
   const uint32_t features = m->p->features;

   if (m->log) {
      hd_def *flag = hd_ssa_read(b, m->flag);
      log = hd_imul(b, hd_ssa_read(b, m->log), m->factor);
      hd_def *otherwise = imm(m, block * 2);
      log = hd_iadd(b, log, hd_select(b, flag, imm(m, block * 2 + 1), otherwise));
   }
   if (features & PROGRAM_VALUES && block) {
      log = hd_ixor(b, log, m->word32[0]);
      for (uint32_t n = graph_random_below(&m->random, 3); n; n--) {
         const uint32_t x = some_dominator(m, block), y = some_dominator(m, block);
         log = hd_iadd(b, log, hd_select(b, m->word1[y], m->word32[x], m->factor));
      }
   }
   if (features & PROGRAM_CROSS_LANE) {
      if (graph_random_below(&m->random, 2)) {
         log = hd_iadd(b, log, hd_reduce(b, log, HD_REDUCE_IADD, 0));
      } else {
         hd_def *ballot = hd_ballot(b, hd_ult(b, log, m->factor));
         log = hd_ixor(b, log, hd_build_channel(b, ballot, 0));
      }
   }
   m->word32[block] = log;
   if (m->log) {
      hd_def *half = imm(m, 0x80000000u);
      m->word1[block] = hd_ult(b, hd_imul(b, log, m->factor), half);
      hd_ssa_write(b, m->log, log);
      if (graph_random_below(&m->random, 2))
         hd_ssa_write(b, m->flag, m->word1[block]);
   } else if (features & PROGRAM_VALUES) {
      hd_def *half = imm(m, 0x80000000u);
      m->word1[block] = hd_ult(b, hd_imul(b, log, m->factor), half);
   }
   return log;
}

/* The next `width` bits of a word of which `spent` are; `later` when there are no more. */
static hd_def *
take_bits(struct making *m, hd_def *word, hd_def *spent, uint32_t width, uint32_t later)
{
   hd_builder *b = &m->b;
   hd_def *mask = imm(m, (1u << width) - 1);
   hd_def *bits = hd_iand(b, hd_ushr(b, word, spent), mask);

   hd_def *otherwise = imm(m, later);
   return hd_select(b, hd_ult(b, spent, imm(m, m->p->bits)), bits, otherwise);
}

/* A number below 2^width: where to go. */
static hd_def *
build_choice(struct making *m, uint32_t block, uint32_t width)
{
   hd_builder *b = &m->b;
   const uint32_t later = m->later[block], kind = m->p->graph.blocks[block].branch;

   if (kind == BRANCH_VISIT) {
      hd_def *visits = load(m, BINDING_VISITS, block * 4, m->visits);
      hd_def *offset = imm(m, block % 4);
      hd_def *spent = hd_iadd(b, hd_imul(b, visits, imm(m, width)), offset);
      store(m, BINDING_VISITS, block * 4, m->visits, hd_iadd(b, visits, imm(m, 1)));
      return take_bits(m, m->wave_word, spent, width, later);
   }
   hd_def *spent = m->counter ? hd_load_var(b, m->counter, NULL) : hd_ssa_read(b, m->spent);
   hd_def *choice = take_bits(m, kind == BRANCH_WAVE ? m->wave_word : m->word, spent, width, later);
   hd_def *next = hd_iadd(b, spent, imm(m, width));
   if (m->counter)
      hd_store_var(b, m->counter, NULL, next);
   else
      hd_ssa_write(b, m->spent, next);
   return kind == BRANCH_FIRST ? hd_read_first(b, choice) : choice;
}

static void
build_switch(struct making *m, uint32_t block)
{
   const graph_block *g = &m->p->graph.blocks[block];
   const uint32_t *succs = graph_succs(&m->p->graph, block);
   uint32_t width = 2, count = 0;

   while (1u << width < g->num_succs)
      width++;
   uint64_t *values = must_alloc((sizeof(*values)) << width);
   hd_block **targets = must_alloc((sizeof(hd_block *)) << width);
   for (uint32_t v = 1; v < 1u << width; v++) {
      if (v % g->num_succs == 0)
         continue;
      values[count] = v;
      targets[count++] = m->blocks[succs[v % g->num_succs]];
   }
   hd_switch(&m->b, build_choice(m, block, width), m->blocks[succs[0]], count, values, targets);
   free(values);
   free(targets);
}

static void
build_jump(struct making *m, uint32_t block)
{
   hd_builder *b = &m->b;
   const graph_block *g = &m->p->graph.blocks[block];
   const uint32_t *succs = graph_succs(&m->p->graph, block);

   if (g->num_succs == 0) {
      if (g->halts)
         hd_halt(b);
      else
         hd_return(b, NULL);
   } else if (g->num_succs == 1) {
      hd_goto(b, m->blocks[succs[0]]);
   } else if (g->num_succs == 2) {
      hd_def *choice = hd_ieq(b, build_choice(m, block, 1), m->zero);
      hd_goto_if(b, choice, m->blocks[succs[0]], m->blocks[succs[1]]);
   } else {
      build_switch(m, block);
   }
   for (uint32_t n = 0; n < g->num_succs; n++) {
      if (--m->unbuilt[succs[n]] == 0)
         hd_seal_block(b, m->blocks[succs[n]]);
   }
}

static void
build_block(struct making *m, uint32_t block)
{
   hd_builder *b = &m->b;

   hd_builder_set_block(b, m->blocks[block]);
   if (block == 0)
      build_entry(m);
   hd_def *log = build_log(m, block);
   hd_set_location(b, "block", block + 1, 0);
   store(m, BINDING_LOG, 0, m->at, log);
   hd_set_location(b, NULL, 0, 0);
   build_jump(m, block);
}

/* Dominators first: children of the dominator tree after their parent. */
static void
build_blocks(struct making *m)
{
   const uint32_t num = m->p->graph.num_blocks;
   uint32_t *first = must_alloc(num * sizeof(*first)), *next = must_alloc(num * sizeof(*next));
   uint32_t *stack = must_alloc((num + 1) * sizeof(*stack)), height = 0;

   for (uint32_t b = 0; b < num; b++)
      first[b] = next[b] = NO_BLOCK;
   for (uint32_t b = num; b-- > 1;) {
      next[b] = first[m->idom[b]];
      first[m->idom[b]] = b;
   }
   stack[height++] = 0;
   while (height) {
      const uint32_t b = stack[--height];
      build_block(m, b);
      if (next[b] != NO_BLOCK)
         stack[height++] = next[b];
      if (first[b] != NO_BLOCK)
         stack[height++] = first[b];
   }
   free(first);
   free(next);
   free(stack);
}

static void
prepare(struct making *m)
{
   const graph *g = &m->p->graph;
   uint32_t *distance = must_alloc((g->num_blocks + 1) * sizeof(*distance));

   graph_distances(g, distance);
   graph_dominators(g, m->idom);
   for (uint32_t b = 0; b < g->num_blocks; b++) {
      const uint32_t *succs = graph_succs(g, b);
      for (uint32_t n = 0; n < g->blocks[b].num_succs; n++) {
         if (distance[succs[n]] < distance[succs[m->later[b]]])
            m->later[b] = n;
         m->unbuilt[succs[n]]++;
      }
   }
   free(distance);
}

static void
declare(struct making *m)
{
   for (uint32_t n = 0; n < m->p->graph.num_blocks; n++) {
      const graph_block *g = &m->p->graph.blocks[n];
      hd_block *b = m->blocks[n];
      b->node.header = g->header;
      b->loop_header = g->inside == NO_BLOCK ? NULL : m->blocks[g->inside];
      b->continues = g->continues == NO_BLOCK ? NULL : m->blocks[g->continues];
   }
}

static bool
name_values(hd_function *f)
{
   char name[16];
   bool good = true;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i))
            continue;
         snprintf(name, sizeof(name), "v%u", i->def.index);
         good &= hd_def_set_name(f, &i->def, name);
      }
   }
   return good;
}

hd_shader *
program_build(const program *p, const hd_config *config)
{
   const uint32_t num = p->graph.num_blocks;
   struct making m = { .p = p, .random = random_state(p->seed, 1) };
   hd_shader *shader = NULL;

   m.blocks = must_alloc(num * sizeof(hd_block *));
   m.word32 = must_alloc(num * sizeof(hd_def *));
   m.word1 = must_alloc(num * sizeof(hd_def *));
   m.later = must_alloc(num * sizeof(*m.later));
   m.idom = must_alloc(num * sizeof(*m.idom));
   m.unbuilt = must_alloc(num * sizeof(*m.unbuilt));
   prepare(&m);
   m.b = hd_builder_create_flat(config, HD_STAGE_COMPUTE, "");
   m.blocks[0] = m.b.function ? hd_function_start(m.b.function) : NULL;
   for (uint32_t b = 1; b < num; b++)
      m.blocks[b] = hd_builder_add_block(&m.b);
   build_blocks(&m);
   if (hd_builder_finish(&m.b, &shader) == HD_OK) {
      declare(&m);
      if (p->features & PROGRAM_NAMES && !name_values(shader->first_function)) {
         hd_shader_destroy(shader);
         shader = NULL;
      }
   }
   free(m.blocks);
   free(m.word32);
   free(m.word1);
   free(m.later);
   free(m.idom);
   free(m.unbuilt);
   return shader;
}

uint32_t
program_mark(const hd_shader *shader, const hd_instr *instr)
{
   if (instr->kind != HD_INSTR_INTRINSIC || instr->op != HD_INTRINSIC_STORE_BUFFER || !instr->loc)
      return NO_BLOCK;
   return shader->locations[instr->loc].line - 1;
}
