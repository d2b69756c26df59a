/* SPDX-License-Identifier: MIT */
/* selector_webs.c - selector webs: targets that connected selectors tell apart, and their numbers. */
#include <stdlib.h>

#include "structurize/tree.h"

uint32_t
hd_tree_web(tree_builder *t)
{
   if (!t->collecting)
      return t->num_webs++;
   if (t->num_webs == t->webs_capacity) {
      uint32_t capacity = t->webs_capacity * 2 + 32;
      uint32_t *parent = scratch(t->stack, capacity);
      if (t->num_webs)
         memcpy(parent, t->web_parent, t->num_webs * sizeof(*parent));
      t->web_parent = parent;
      t->webs_capacity = capacity;
   }
   t->web_parent[t->num_webs] = t->num_webs;
   return t->num_webs++;
}

uint32_t
hd_tree_web_root(tree_builder *t, uint32_t web)
{
   while (t->web_parent[web] != web)
      web = t->web_parent[web] = t->web_parent[t->web_parent[web]];
   return web;
}

void
hd_tree_web_join(tree_builder *t, uint32_t a, uint32_t b)
{
   if (t->collecting)
      t->web_parent[hd_tree_web_root(t, a)] = hd_tree_web_root(t, b);
}

void
hd_tree_web_add(tree_builder *t, uint32_t web, uint32_t target)
{
   if (!t->collecting)
      return;
   if (t->num_web_targets == t->web_targets_capacity) {
      uint32_t capacity = t->web_targets_capacity * 2 + 64;
      web_target *targets = hd_stack_alloc(t->stack, capacity * sizeof(*targets));
      if (t->num_web_targets)
         memcpy(targets, t->web_targets, t->num_web_targets * sizeof(*targets));
      t->web_targets = targets;
      t->web_targets_capacity = capacity;
   }
   t->web_targets[t->num_web_targets++] = (web_target){ web, target, 0 };
}

static int
compare_targets(const void *a, const void *b)
{
   const web_target *x = a, *y = b;

   if (x->web != y->web)
      return x->web < y->web ? -1 : 1;
   if (x->rank != y->rank)
      return x->rank < y->rank ? -1 : 1;
   return x->target < y->target ? -1 : x->target > y->target;
}

void
hd_tree_webs_finish(tree_builder *t)
{
   uint32_t num = 0;

   t->web_begin = scratch_fill(t->stack, t->num_webs, 0);
   t->web_size = scratch_fill(t->stack, t->num_webs, 0);
   for (uint32_t i = 0; i < t->num_web_targets; i++) {
      web_target *w = &t->web_targets[i];
      w->web = hd_tree_web_root(t, w->web);
      w->rank = hd_plan_rank(t->p, w->target);
   }
   if (t->num_web_targets)
      qsort(t->web_targets, t->num_web_targets, sizeof(*t->web_targets), compare_targets);
   for (uint32_t i = 0; i < t->num_web_targets; i++) {
      const web_target *w = &t->web_targets[i];
      if (num && compare_targets(w, &t->web_targets[num - 1]) == 0)
         continue;
      if (t->web_size[w->web]++ == 0)
         t->web_begin[w->web] = num;
      t->web_targets[num++] = *w;
   }
   t->number_token = hd_stack_alloc_zero(t->stack, (num + 1) * sizeof(*t->number_token));
   t->web_const = hd_stack_alloc_zero(t->stack, (num + 1) * sizeof(*t->web_const));
   t->num_web_targets = num;
}

unsigned
hd_tree_web_bits(tree_builder *t, uint32_t web)
{
   uint32_t size = t->web_size[hd_tree_web_root(t, web)];

   return size <= 1u << 8 ? 8 : size <= 1u << 16 ? 16 : 32;
}

uint32_t
hd_tree_web_code_of_rank(tree_builder *t, uint32_t web, uint64_t rank)
{
   uint32_t root = hd_tree_web_root(t, web);
   const web_target *targets = t->web_targets + t->web_begin[root];
   uint32_t low = 0, high = t->web_size[root];

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (targets[middle].rank < rank)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

uint32_t
hd_tree_web_code(tree_builder *t, uint32_t web, uint32_t target)
{
   uint32_t root = hd_tree_web_root(t, web);
   const web_target *targets = t->web_targets + t->web_begin[root];
   uint32_t code = hd_tree_web_code_of_rank(t, web, hd_plan_rank(t->p, target));

   while (code < t->web_size[root] && targets[code].target != target)
      code++;
   assert(code < t->web_size[root]);
   return code;
}

hd_def *
hd_tree_const(tree_builder *t, unsigned bits, uint64_t value)
{
   hd_const *c = hd_const_create(t->f->shader, 1, bits, &(hd_const_value){ .u64 = value });

   /* In the start block, so that it serves everywhere. */
   hd_instr_insert(hd_before_block(hd_function_start(t->f)), &c->instr);
   t->stats.constants++;
   return &c->instr.def;
}

hd_def *
hd_tree_undef(tree_builder *t, unsigned components, unsigned bits)
{
   unsigned size = bits == 1 ? 0 : bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 4;
   hd_def **undef = &t->undef[components - 1][size];

   if (!*undef) {
      hd_instr *i = hd_undef_create(t->f->shader, components, bits);
      hd_instr_insert(hd_before_block(hd_function_start(t->f)), i);
      t->stats.constants++;
      *undef = &i->def;
   }
   return *undef;
}

hd_def *
hd_tree_web_const(tree_builder *t, uint32_t web, uint32_t code)
{
   hd_def **c = &t->web_const[t->web_begin[hd_tree_web_root(t, web)] + code];

   if (!*c)
      *c = hd_tree_const(t, hd_tree_web_bits(t, web), code);
   return *c;
}

hd_def *
hd_tree_alu(tree_builder *t, hd_block *block, unsigned op, unsigned bits, hd_def *a, hd_def *b,
            hd_def *c)
{
   hd_alu *alu = hd_alu_create(t->f->shader, op, c ? 3 : b ? 2 : 1, 1, bits);

   hd_instr_set_src(&alu->instr, 0, a);
   if (b)
      hd_instr_set_src(&alu->instr, 1, b);
   if (c)
      hd_instr_set_src(&alu->instr, 2, c);
   hd_instr_append(block, &alu->instr);
   t->stats.instructions++;
   return &alu->instr.def;
}
