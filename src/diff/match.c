/* SPDX-License-Identifier: MIT */
/* match.c - structural diff: match the items of two shaders.
 *
 * Unique matches come first, then matches that follow from them:
 *
 *    wholes    instructions whose whole expression occurs once on both sides
 *    blocks    that contain most of what was matched; then along edges and the tree
 *    places    in matched blocks: expressions that occur several times, by their users, in order
 *    operands  the same op on operands that are matched
 *    users     the operand of a matched user, in the same place
 *    moved     wholes, and ops on matched operands, in other blocks
 *    changed   another op on operands that are matched; from effects that are alike back to what they
 *              read; another op at its user's place
 *    rest      in matched blocks: the same op, in order
 *
 * Keys of both sides are sorted and merged: n log n, in a number of rounds that does not depend on
 * the shaders.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/items.h"
#include "heddle/ops.h"

typedef struct keyed {
   uint64_t key;
   uint32_t number;
} keyed;

typedef struct matcher {
   comparison *c;
   items *a, *b;
   keyed *keys[2];
   uint32_t num_keys[2];
   uint32_t *cursors[2];
   uint32_t *queue; /* items of the first side that were matched */
   uint32_t num_queued;
} matcher;

static int
compare_keys(const void *a, const void *b)
{
   const keyed *x = a, *y = b;

   if (x->key != y->key)
      return x->key < y->key ? -1 : 1;
   return (x->number > y->number) - (x->number < y->number);
}

static void
sort_keys(matcher *m, keyed *keys, uint32_t num)
{
   hd_heap_step(m->c->stack->heap, num);
   qsort(keys, num, sizeof(keyed), compare_keys);
}

static void
match(matcher *m, uint32_t a, uint32_t b)
{
   m->a->at[a].match = b;
   m->b->at[b].match = a;
   m->queue[m->num_queued++] = a;
}

static bool
are_free(const matcher *m, uint32_t a, uint32_t b)
{
   return m->a->at[a].match == NO_ITEM && m->b->at[b].match == NO_ITEM &&
          m->a->at[a].kind == m->b->at[b].kind &&
          m->a->functions[m->a->at[a].function].match == m->b->at[b].function;
}

/* What a place of the first side is on the second; of the second itself. 0: it is not known. */
static uint64_t
place_of(const items *s, unsigned side, uint32_t at)
{
   const uint32_t b = at == NO_ITEM || side ? at : s->at[at].match;

   return b == NO_ITEM ? 0 : b + UINT64_C(1);
}

static uint64_t
function_of(const items *s, unsigned side, const item *at)
{
   const uint32_t f = side ? at->function : s->functions[at->function].match;

   if (f == NO_ITEM || (side && s->functions[f].match == NO_ITEM))
      return 0;
   return f + UINT64_C(1);
}

/* Operands by what they are matched with: 0 where one is not. Of a phi those that are known count. */
static uint64_t
hash_operands(const items *s, unsigned side, const item *at, bool some)
{
   uint64_t h = 7, sum = 0;

   for (uint32_t n = 0; n < at->num_refs; n++) {
      const uint32_t ref = s->refs[at->first_ref + n];
      const item *of = ref == NO_ITEM ? NULL : &s->at[ref];
      if (!of || of->kind != ITEM_INSTR)
         continue;
      /* Of the second side, what is matched is what can be found. */
      const uint64_t place = of->free                               ? of->local | 1
                             : some && side && of->match == NO_ITEM ? 0
                                                                    : place_of(s, side, ref);
      if (!place && !some)
         return 0;
      h = mix_in(h, place);
      sum += place ? mix_in(place, place) : 0;
   }
   return some ? sum | 1 : h | 1;
}

/* Keys, by which equal items are matched; 0: the item is left out. */
typedef uint64_t key_function(const items *s, unsigned side, const item *at);

static bool
is_instr(const item *at)
{
   return at->kind == ITEM_INSTR;
}

static uint64_t
whole_key(const items *s, unsigned side, const item *at)
{
   const uint64_t f = function_of(s, side, at);

   return f && (is_instr(at) || at->kind == ITEM_IF) ? mix_in(at->whole, f) | 1 : 0;
}

static uint64_t
placed_whole_key(const items *s, unsigned side, const item *at)
{
   const uint64_t place = place_of(s, side, at->block);

   return place && is_instr(at) ? mix_in(at->whole, place) | 1 : 0;
}

static uint64_t
used_whole_key(const items *s, unsigned side, const item *at)
{
   const uint64_t key = placed_whole_key(s, side, at);

   return key ? mix_in(key, at->users) | 1 : 0;
}

static uint64_t
context_key(const items *s, unsigned side, const item *at)
{
   const uint64_t key = placed_whole_key(s, side, at);

   return key ? mix_in(mix_in(key, at->users), at->context) | 1 : 0;
}

static uint64_t
operand_key(const items *s, unsigned side, const item *at)
{
   const uint64_t place = place_of(s, side, at->block);
   const uint64_t operands = place && is_instr(at) ? hash_operands(s, side, at, false) : 0;

   return operands ? mix_in(mix_in(at->local, place), operands) | 1 : 0;
}

static uint64_t
moved_operand_key(const items *s, unsigned side, const item *at)
{
   const uint64_t f = function_of(s, side, at);
   const uint64_t operands =
       f && is_instr(at) && at->num_refs ? hash_operands(s, side, at, false) : 0;

   return operands ? mix_in(mix_in(at->local, f), operands) | 1 : 0;
}

static uint64_t
phi_key(const items *s, unsigned side, const item *at)
{
   const uint64_t place = place_of(s, side, at->block);

   if (!place || !is_instr(at) || at->of.instr->kind != HD_INSTR_PHI)
      return 0;
   return mix_in(mix_in(at->local, place), hash_operands(s, side, at, true)) | 1;
}

static uint64_t
rest_key(const items *s, unsigned side, const item *at)
{
   const uint64_t place = place_of(s, side, at->block);

   return place && is_instr(at) && !at->free ? mix_in(at->local, place) | 1 : 0;
}

/* What is there for what it does, not for its result. */
static uint64_t
effect_key(const items *s, unsigned side, const item *at)
{
   return is_instr(at) && !hd_instr_def(at->of.instr) ? rest_key(s, side, at) : 0;
}

/* The same operands, another op. */
static uint64_t
changed_key(const items *s, unsigned side, const item *at)
{
   const uint64_t place = place_of(s, side, at->block);
   const uint64_t operands =
       place && is_instr(at) && at->num_refs ? hash_operands(s, side, at, false) : 0;

   if (!operands)
      return 0;
   return mix_in(mix_in(mix_in(at->of.instr->kind, at->of.instr->def.bit_size), place), operands) |
          1;
}

/* Those of the items that are not matched, sorted: how many. */
static uint32_t
find_keys(matcher *m, const items *s, unsigned side, key_function *key, keyed *keys)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < s->num; n++) {
      const uint64_t k = s->at[n].match == NO_ITEM ? key(s, side, &s->at[n]) : 0;
      if (k)
         keys[num++] = (keyed){ k, n };
   }
   sort_keys(m, keys, num);
   return num;
}

/* Where the keys that are equal to the one at `n` end. */
static uint32_t
end_of_run(const keyed *keys, uint32_t num, uint32_t n)
{
   uint32_t end = n + 1;

   while (end < num && keys[end].key == keys[n].key)
      end++;
   return end;
}

/* Match those of equal keys, the first with the first; `once`: where there is one of each. */
static void
match_by(matcher *m, key_function *key, bool once)
{
   uint32_t a = 0, b = 0;

   m->num_queued = 0;
   m->num_keys[0] = find_keys(m, m->a, 0, key, m->keys[0]);
   m->num_keys[1] = find_keys(m, m->b, 1, key, m->keys[1]);
   while (a < m->num_keys[0] && b < m->num_keys[1]) {
      const uint64_t x = m->keys[0][a].key, y = m->keys[1][b].key;
      if (x != y) {
         a += x < y;
         b += x > y;
         continue;
      }
      const uint32_t end_a = end_of_run(m->keys[0], m->num_keys[0], a);
      const uint32_t end_b = end_of_run(m->keys[1], m->num_keys[1], b);
      if (!once || (end_a - a == 1 && end_b - b == 1)) {
         for (uint32_t n = 0; a + n < end_a && b + n < end_b; n++) {
            if (are_free(m, m->keys[0][a + n].number, m->keys[1][b + n].number))
               match(m, m->keys[0][a + n].number, m->keys[1][b + n].number);
         }
      }
      a = end_a;
      b = end_b;
   }
}

/* Match an item with the first that has its key and is free. */
static void
match_one(matcher *m, uint32_t n, key_function *key, const keyed *keys, uint32_t num,
          uint32_t *cursors)
{
   const uint64_t k = key(m->a, 0, &m->a->at[n]);
   uint32_t low = 0, high = num;

   while (k && low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (keys[middle].key < k)
         low = middle + 1;
      else
         high = middle;
   }
   if (!k || low == num || keys[low].key != k)
      return;
   /* By place where a run begins: where it goes on. */
   uint32_t *at = &cursors[low];
   while (*at < num && keys[*at].key == k && !are_free(m, n, keys[*at].number))
      ++*at;
   if (*at < num && keys[*at].key == k)
      match(m, n, keys[(*at)++].number);
}

/* In the order of the code, so that what was matched counts for what reads it: by the first key, else
 * by the second, which may be NULL.
 */
static void
match_forward(matcher *m, key_function *first, key_function *second)
{
   keyed *keys[2] = { m->keys[1], m->keys[0] };
   uint32_t num[2] = { 0, 0 };

   m->num_queued = 0;
   for (unsigned k = 0; k < (second ? 2 : 1); k++) {
      num[k] = find_keys(m, m->b, 1, k ? second : first, keys[k]);
      for (uint32_t n = 0; n < num[k]; n++)
         m->cursors[k][n] = n;
   }
   hd_heap_step(m->c->stack->heap, m->a->num);
   for (uint32_t n = 0; n < m->a->num; n++) {
      if (m->a->at[n].match == NO_ITEM)
         match_one(m, n, first, keys[0], num[0], m->cursors[0]);
      if (second && m->a->at[n].match == NO_ITEM)
         match_one(m, n, second, keys[1], num[1], m->cursors[1]);
   }
}

/* Blocks */

static void
match_nodes(matcher *m, const hd_cf_node *a, const hd_cf_node *b)
{
   const uint32_t x = a ? hd_diff_item_of(m->a, a) : NO_ITEM;
   const uint32_t y = b ? hd_diff_item_of(m->b, b) : NO_ITEM;

   if (x != NO_ITEM && y != NO_ITEM && are_free(m, x, y))
      match(m, x, y);
}

static void
spread_block(matcher *m, const hd_cf_node *a, const hd_cf_node *b)
{
   const hd_block *x = hd_node_as_block(a), *y = hd_node_as_block(b);

   match_nodes(m, a->next && a->next->kind != HD_CF_BLOCK ? a->next : NULL,
               b->next && b->next->kind != HD_CF_BLOCK ? b->next : NULL);
   if (!a->prev && !b->prev &&
       m->a->at[hd_diff_item_of(m->a, a)].local == m->b->at[hd_diff_item_of(m->b, b)].local)
      match_nodes(m, a->list->parent, b->list->parent);
   for (uint32_t n = 0; x->num_succs == y->num_succs && n < x->num_succs; n++) {
      if (!hd_block_is_end(x->succs[n].to) && !hd_block_is_end(y->succs[n].to))
         match_nodes(m, &x->succs[n].to->node, &y->succs[n].to->node);
   }
}

/* What stands around a matched node in the tree, and after a matched block. */
static void
spread_node(matcher *m, uint32_t at)
{
   const hd_cf_node *a = m->a->at[at].of.node, *b = m->b->at[m->a->at[at].match].of.node;

   if (a->kind == HD_CF_BLOCK) {
      spread_block(m, a, b);
      return;
   }
   const hd_if *if_a = hd_node_as_if(a), *if_b = hd_node_as_if(b);
   const hd_loop *loop_a = hd_node_as_loop(a), *loop_b = hd_node_as_loop(b);
   match_nodes(m, a->prev, b->prev);
   match_nodes(m, a->next, b->next);
   if (if_a) {
      match_nodes(m, if_a->then_list.first, if_b->then_list.first);
      match_nodes(m, if_a->else_list.first, if_b->else_list.first);
   } else {
      match_nodes(m, loop_a->body.first, loop_b->body.first);
      match_nodes(m, loop_a->continue_list.first, loop_b->continue_list.first);
   }
}

static void
spread_nodes(matcher *m)
{
   m->num_queued = 0;
   for (uint32_t n = 0; n < m->a->num; n++) {
      if (m->a->at[n].kind != ITEM_INSTR && m->a->at[n].match != NO_ITEM)
         m->queue[m->num_queued++] = n;
   }
   for (uint32_t n = 0; n < m->num_queued; n++)
      spread_node(m, m->queue[n]);
}

typedef struct vote {
   uint32_t a, b, num;
} vote;

static int
compare_places(const void *a, const void *b)
{
   const vote *x = a, *y = b;

   if (x->a != y->a)
      return x->a < y->a ? -1 : 1;
   return (x->b > y->b) - (x->b < y->b);
}

static int
compare_votes(const void *a, const void *b)
{
   const vote *x = a, *y = b;

   return x->num != y->num ? (x->num > y->num ? -1 : 1) : compare_places(a, b);
}

/* Pairs of blocks with much in common first. */
static void
vote_for_blocks(matcher *m)
{
   vote *votes = hd_stack_alloc(m->c->stack, (m->a->num + (size_t)1) * sizeof(*votes));
   uint32_t num = 0, kept = 0;

   m->num_queued = 0;
   for (uint32_t n = 0; n < m->a->num; n++) {
      const item *at = &m->a->at[n];
      if (is_instr(at) && at->match != NO_ITEM && !at->free)
         votes[num++] = (vote){ at->block, m->b->at[at->match].block, 1 };
   }
   qsort(votes, num, sizeof(*votes), compare_places);
   for (uint32_t n = 0; n < num; n++) {
      if (kept && votes[kept - 1].a == votes[n].a && votes[kept - 1].b == votes[n].b)
         votes[kept - 1].num++;
      else
         votes[kept++] = votes[n];
   }
   qsort(votes, kept, sizeof(*votes), compare_votes);
   for (uint32_t n = 0; n < kept; n++) {
      if (are_free(m, votes[n].a, votes[n].b))
         match(m, votes[n].a, votes[n].b);
   }
}

static void
match_starts(matcher *m)
{
   m->num_queued = 0;
   for (uint32_t n = 0; n < m->a->num_functions; n++) {
      const function_items *f = &m->a->functions[n];
      if (f->match != NO_ITEM)
         match_nodes(m, f->f->body.first, m->b->functions[f->match].f->body.first);
   }
}

/* Users */

static bool
may_be_operand(const matcher *m, uint32_t a, uint32_t b, bool other_op)
{
   const item *x = &m->a->at[a], *y = &m->b->at[b];

   if (!are_free(m, a, b) || !is_instr(x) || x->free != y->free)
      return false;
   if (!x->free && m->a->at[x->block].match != y->block)
      return false;
   return x->local == y->local ||
          (other_op && x->of.instr->kind == y->of.instr->kind &&
           x->of.instr->def.bit_size == y->of.instr->def.bit_size &&
           x->of.instr->def.num_components == y->of.instr->def.num_components);
}

/* The operands of matched instructions, one by one. */
static void
match_backward(matcher *m, bool other_op)
{
   m->num_queued = 0;
   for (uint32_t n = m->a->num; n-- > 0;) {
      if (m->a->at[n].match != NO_ITEM)
         m->queue[m->num_queued++] = n;
   }
   hd_heap_step(m->c->stack->heap, m->a->num);
   for (uint32_t n = 0; n < m->num_queued; n++) {
      const item *x = &m->a->at[m->queue[n]], *y = &m->b->at[x->match];
      if (x->num_refs != y->num_refs || x->kind != y->kind ||
          (is_instr(x) && x->of.instr->kind != y->of.instr->kind))
         continue;
      for (uint32_t k = 0; k < x->num_refs; k++) {
         const uint32_t a = m->a->refs[x->first_ref + k], b = m->b->refs[y->first_ref + k];
         if (a != NO_ITEM && b != NO_ITEM && may_be_operand(m, a, b, other_op))
            match(m, a, b);
      }
   }
}

/* Functions */

static uint64_t
hash_name(const char *name)
{
   uint64_t h = 1;

   for (; *name; name++)
      h = mix_in(h, (unsigned char)*name);
   return h;
}

static void
match_functions(matcher *m)
{
   for (unsigned side = 0; side < 2; side++) {
      const items *s = side ? m->b : m->a;
      m->num_keys[side] = s->num_functions;
      for (uint32_t n = 0; n < s->num_functions; n++)
         m->keys[side][n] = (keyed){ hash_name(s->functions[n].f->name), n };
      sort_keys(m, m->keys[side], m->num_keys[side]);
   }
   for (uint32_t a = 0, b = 0; a < m->num_keys[0] && b < m->num_keys[1];) {
      const keyed *x = &m->keys[0][a], *y = &m->keys[1][b];
      if (x->key == y->key) {
         m->a->functions[x->number].match = y->number;
         m->b->functions[y->number].match = x->number;
      }
      a += x->key <= y->key;
      b += y->key <= x->key;
   }
   for (uint32_t a = 0, b = 0; a < m->a->num_functions && b < m->b->num_functions;) {
      if (m->a->functions[a].match != NO_ITEM) {
         a++;
      } else if (m->b->functions[b].match != NO_ITEM) {
         b++;
      } else {
         m->a->functions[a].match = b;
         m->b->functions[b].match = a;
      }
   }
}

void
hd_diff_match(comparison *c)
{
   matcher m = { .c = c, .a = &c->side[0], .b = &c->side[1] };
   uint32_t most = 0;

   for (unsigned side = 0; side < 2; side++) {
      const items *s = &c->side[side];
      most = most > s->num ? most : s->num;
      most = most > s->num_functions ? most : s->num_functions;
   }
   m.queue = hd_stack_alloc(c->stack, (m.a->num + (size_t)1) * sizeof(uint32_t));
   for (unsigned side = 0; side < 2; side++) {
      m.keys[side] = hd_stack_alloc(c->stack, (most + (size_t)1) * sizeof(keyed));
      m.cursors[side] = hd_stack_alloc(c->stack, (most + (size_t)1) * sizeof(uint32_t));
   }
   match_functions(&m);
   match_by(&m, whole_key, true);
   vote_for_blocks(&m);
   match_starts(&m);
   spread_nodes(&m);
   match_by(&m, context_key, false);
   match_by(&m, used_whole_key, false);
   match_by(&m, placed_whole_key, false);
   match_forward(&m, operand_key, NULL);
   match_backward(&m, false);
   match_by(&m, whole_key, false);
   vote_for_blocks(&m);
   spread_nodes(&m);
   match_forward(&m, moved_operand_key, NULL);
   match_by(&m, phi_key, false);
   match_forward(&m, operand_key, changed_key);
   match_by(&m, effect_key, false);
   match_backward(&m, false);
   match_forward(&m, operand_key, changed_key);
   match_backward(&m, true);
   match_by(&m, rest_key, false);
   match_forward(&m, operand_key, changed_key);
   match_backward(&m, true);
   spread_nodes(&m);
}

bool
hd_diff_same_ref(const comparison *c, uint32_t a, uint32_t b)
{
   if (a == NO_ITEM || b == NO_ITEM)
      return a == b;
   const item *x = &c->side[0].at[a], *y = &c->side[1].at[b];
   return x->match == b || (x->free && y->free && x->local == y->local);
}
