/* SPDX-License-Identifier: MIT */
#include "random_tree.h"

#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"

#define MAX_DEPTH 6

struct maker {
   hd_builder b;
   uint64_t random;
   random_tree_options options;
   unsigned nodes_left;
   uint32_t blocks;
   hd_ssa_var *count, *mix, *parity; /* parity: of the decisions that were true */
   hd_var *count_var;
   hd_def *zero, *one, *sixteen, *at, *word, *first_word;
};

/* What the list being made may do besides falling through. */
struct list {
   unsigned depth;
   bool may_break, may_continue;
   bool may_end; /* return or halt */
   bool falls;   /* no jump at its own end */
};

static uint32_t
below(struct maker *m, uint32_t limit)
{
   uint64_t z = m->random += 0x9e3779b97f4a7c15u;

   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return (uint32_t)((z ^ z >> 31) % limit);
}

static void
store(struct maker *m, uint32_t binding, hd_def *value)
{
   const hd_store_buffer_indices indices = { .binding = binding, .align_mul = 4 };

   hd_store_buffer(&m->b, value, m->zero, m->at, &indices);
}

static void
log_block(struct maker *m)
{
   uint32_t number = m->blocks++;
   hd_builder *b = &m->b;

   if (b->dropped || (!m->options.log_all && below(m, 4) == 0))
      return;
   hd_def *n = hd_imm_u32(b, number);
   store(m, 1, n);
   if (m->mix) {
      hd_def *prime = hd_imm_u32(b, 0x01000193);
      hd_def *mixed = hd_imul(b, hd_ssa_read(b, m->mix), prime);
      hd_ssa_write(b, m->mix, hd_iadd(b, mixed, n));
   }
}

/* The lane's next decision; `later` once its bits are used up. One that is the same for all would
 * keep lanes from a way out.
 */
static hd_def *
decide(struct maker *m, bool later, bool way_out)
{
   hd_builder *b = &m->b;

   if (m->options.uniform && !way_out && below(m, 3) == 0) {
      hd_def *shift = hd_imm_u32(b, below(m, 16));
      return hd_ine(b, hd_iand(b, hd_ushr(b, m->first_word, shift), m->one), m->zero);
   }
   hd_def *k = m->count ? hd_ssa_read(b, m->count) : hd_load_var(b, m->count_var, NULL);
   hd_def *next = hd_iadd(b, k, m->one);

   if (m->count)
      hd_ssa_write(b, m->count, next);
   else
      hd_store_var(b, m->count_var, NULL, next);
   hd_def *bit = hd_ine(b, hd_iand(b, hd_ushr(b, m->word, k), m->one), m->zero);
   hd_def *otherwise = hd_imm_bool(b, later);
   bit = hd_select(b, hd_ult(b, k, m->sixteen), bit, otherwise);
   if (m->parity)
      hd_ssa_write(b, m->parity, hd_ixor(b, hd_ssa_read(b, m->parity), bit));
   return bit;
}

static void
end_lane(struct maker *m, bool halt)
{
   hd_builder *b = &m->b;

   if (m->mix && !b->dropped) {
      hd_def *mix = hd_ssa_read(b, m->mix);
      hd_def *next = hd_iadd(b, mix, m->one);
      store(m, 2, hd_select(b, hd_ssa_read(b, m->parity), next, mix));
   }
   if (halt)
      hd_halt(&m->b);
   else
      hd_return(&m->b, NULL);
}

static void make_list(struct maker *m, struct list list);

static void
make_if(struct maker *m, struct list inner)
{
   hd_push_if(&m->b, decide(m, below(m, 2), false));
   make_list(m, inner);
   if (below(m, 3)) {
      hd_push_else(&m->b);
      make_list(m, inner);
   }
   hd_pop_if(&m->b);
}

/* A way out of the loop around that every lane takes sooner or later. */
static void
make_way_out(struct maker *m, struct list inner)
{
   hd_push_if(&m->b, decide(m, true, true));
   inner.may_break = inner.may_continue = false;
   inner.may_end &= below(m, 2);
   make_list(m, inner);
   hd_break(&m->b);
   hd_pop_if(&m->b);
   log_block(m);
}

static void
make_loop(struct maker *m, struct list inner)
{
   bool ends = m->options.ends || below(m, 10);
   bool at_head = below(m, 2);

   inner.may_break = true;
   inner.may_continue = true;
   hd_push_loop(&m->b);
   log_block(m);
   if (ends && at_head)
      make_way_out(m, inner);
   inner.falls = m->options.repeats;
   make_list(m, inner);
   inner.falls = false;
   if (below(m, 8) == 0 && !m->options.repeats)
      hd_break(&m->b);
   if ((ends && !at_head) || below(m, 3) == 0) {
      hd_push_continue(&m->b);
      inner.may_continue = false;
      log_block(m);
      if (ends && !at_head)
         make_way_out(m, inner);
      if (below(m, 3) == 0)
         make_if(m, inner);
   }
   hd_pop_loop(&m->b);
}

static void
make_jump(struct maker *m, struct list list)
{
   switch (below(m, 10)) {
   case 0:
   case 1:
   case 2:
      if (list.may_break)
         hd_break(&m->b);
      break;
   case 3:
   case 4:
      if (list.may_continue)
         hd_continue(&m->b);
      break;
   case 5:
      if (list.may_end)
         end_lane(m, below(m, 4) == 0);
      break;
   default:
      break;
   }
}

static void
make_list(struct maker *m, struct list list)
{
   struct list inner = list;

   inner.depth++;
   inner.falls = false;
   log_block(m);
   for (unsigned n = list.depth ? below(m, 4) : 1 + below(m, 4);
        n && m->nodes_left && list.depth < MAX_DEPTH; n--) {
      if (m->b.dropped)
         return;
      m->nodes_left--;
      if (below(m, 3))
         make_if(m, inner);
      else
         make_loop(m, inner);
      log_block(m);
   }
   if (list.depth && !list.falls && !m->b.dropped)
      make_jump(m, list);
}

static void
begin(struct maker *m)
{
   hd_builder *b = &m->b;
   const hd_load_buffer_indices indices = { .align_mul = 4 };

   b->shader->workgroup_size[0] = 0;
   b->shader->workgroup_size[1] = b->shader->workgroup_size[2] = 1;
   m->zero = hd_imm_u32(b, 0);
   m->one = hd_imm_u32(b, 1);
   m->sixteen = hd_imm_u32(b, 16);
   hd_def *four = hd_imm_u32(b, 4);
   m->at = hd_imul(b, hd_subgroup_invocation(b), four);
   m->word = hd_load_buffer(b, m->zero, m->at, 1, 32, &indices);
   if (m->options.uniform)
      m->first_word = hd_load_buffer(b, m->zero, m->zero, 1, 32, &indices);
   if (m->options.few_values) {
      m->count_var = hd_var_create(b->function, "count", 1, 32, 0);
      hd_store_var(b, m->count_var, NULL, m->zero);
      return;
   }
   m->count = hd_ssa_var_create(b, 1, 32);
   hd_ssa_write(b, m->count, m->zero);
   m->mix = hd_ssa_var_create(b, 1, 32);
   hd_ssa_write(b, m->mix, m->one);
   m->parity = hd_ssa_var_create(b, 1, 1);
   hd_ssa_write(b, m->parity, hd_imm_bool(b, false));
}

hd_shader *
random_tree_shader(const hd_config *config, uint64_t seed, const random_tree_options *options)
{
   struct maker m = { .b = hd_builder_create(config, HD_STAGE_COMPUTE, "tree"), .random = seed };
   hd_shader *shader = NULL;

   if (options)
      m.options = *options;
   m.nodes_left = m.options.nodes ? m.options.nodes : 10;
   if (m.b.result == HD_OK)
      begin(&m);
   if (m.b.result == HD_OK) {
      make_list(&m, (struct list){ .may_end = true });
      end_lane(&m, false);
   }
   hd_builder_finish(&m.b, &shader);
   return shader;
}
