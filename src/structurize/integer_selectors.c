/* SPDX-License-Identifier: MIT */
/* integer_selectors.c - integer selectors (guard variables): one number per target, and the compares of tests.
 *
 * Take cases that fall through, A into B, while other lanes wait for B and for C:
 *
 *    if s == A { A }      lanes that fell through wait for B
 *    if s <= B { B }      those that have A's number as well
 *
 * With s == B lanes would need another number after A, and a phi where they meet the lanes that did
 * not run A. So if all lanes that a test picked go on to wait for one later target, they keep their
 * number, provided that each later test can still recognise them by one compare. The meaning of a
 * number at a test follows from the targets that lanes can wait for there: if the number's own
 * target is among them it means that, else the target that its lanes went on to.
 */
#include "heddle/op_enum.h"
#include "structurize/selectors.h"

/* More tests in a web than these, and each number has one meaning. */
#define MAX_TESTS 512u

void
hd_tree_selector_follow(tree_builder *t, uint32_t web, const arm *arms, const lane_split *how)
{
   if (!t->collecting || !selector_has_passed(t, web, arms, how))
      return;
   if (t->num_moves == t->moves_capacity) {
      uint32_t capacity = t->moves_capacity * 2 + 64;
      struct selector_move *moves = hd_stack_alloc(t->stack, capacity * sizeof(*moves));
      if (t->num_moves)
         memcpy(moves, t->moves, t->num_moves * sizeof(*moves));
      t->moves = moves;
      t->moves_capacity = capacity;
   }
   t->moves[t->num_moves++] = (struct selector_move){ web, how->target, arms[0].state.target };
}

/* What tests compare */

static uint32_t
lowest(uint64_t codes)
{
   return (uint32_t)__builtin_ctzll(codes);
}

static uint32_t
highest(uint64_t codes)
{
   return 63 - (uint32_t)__builtin_clzll(codes);
}

static uint64_t
between(uint32_t low, uint32_t high)
{
   return (UINT64_MAX << low) & (UINT64_MAX >> (63 - high));
}

/* How many instructions a test takes; 0: no compare can distinguish the numbers. */
static uint32_t
cost(uint64_t picked, uint64_t rest)
{
   if (!picked || !rest)
      return 0;
   const uint64_t range = between(lowest(picked), highest(picked));
   const uint64_t others = between(lowest(rest), highest(rest));
   if (!(picked & (picked - 1)) || !(rest & (rest - 1)) || !(range & others))
      return 1;
   return range & rest && others & picked ? 0 : 2;
}

/* Which numbers lanes can have at a test: lanes with the number of a target that is not among those
 * that are waited for there went on from it.
 */
static void
find_numbers(tree_builder *t, struct selector_test *test, uint32_t root)
{
   const uint32_t begin = t->web_begin[root], size = t->web_size[root];
   uint64_t waited = 0, inside = 0;

   test->picked = test->rest = 0;
   for (uint32_t i = 0; i < test->num; i++) {
      uint64_t code = UINT64_C(1) << hd_tree_web_code(t, root, test->targets[i]);
      waited |= code;
      inside |= hd_tree_is_in(t, test->group, test->targets[i]) ? code : 0;
   }
   uint64_t means_waited = waited, means_inside = inside;
   /* They go on to later targets. */
   for (uint32_t n = size; n--;) {
      uint32_t next = t->web_next[begin + n];
      if (next == NONE || waited >> n & 1)
         continue;
      means_waited |= (means_waited >> next & 1) << n;
      means_inside |= (means_inside >> next & 1) << n;
   }
   test->picked = means_inside;
   test->rest = means_waited & ~means_inside;
}

struct numbers {
   struct selector_test **tests; /* by root, from begin[root] */
   uint32_t *begin;
};

static void
sort_tests(tree_builder *t, struct numbers *n)
{
   n->begin = scratch_fill(t->stack, (size_t)t->num_webs + 2, 0);
   n->tests = hd_stack_alloc(t->stack, (t->num_tests + 1) * sizeof(struct selector_test *));
   for (uint32_t i = 0; i < t->num_tests; i++)
      n->begin[hd_tree_web_root(t, t->tests[i].web) + 2]++;
   for (uint32_t web = 0; web < t->num_webs; web++)
      n->begin[web + 2] += n->begin[web + 1];
   for (uint32_t i = 0; i < t->num_tests; i++)
      n->tests[n->begin[hd_tree_web_root(t, t->tests[i].web) + 1]++] = &t->tests[i];
}

/* Is it known of all tests of a web who can wait there? */
static bool
is_known(tree_builder *t, const struct numbers *n, uint32_t root)
{
   for (uint32_t i = n->begin[root]; i < n->begin[root + 1]; i++) {
      if (!n->tests[i]->targets)
         return false;
   }
   return t->web_size[root] <= MAX_TARGETS;
}

/* Let lanes keep their number, if that does not make a test dearer. */
static void
keep_number(tree_builder *t, const struct numbers *n, const struct selector_move *move)
{
   uint32_t root = hd_tree_web_root(t, move->web), begin = t->web_begin[root];
   uint32_t first = n->begin[root], end = n->begin[root + 1];
   bool good = true;

   if (first == end || end - first > MAX_TESTS || !n->tests[first]->is_known)
      return;
   uint32_t from = hd_tree_web_code(t, root, move->from), to = hd_tree_web_code(t, root, move->to);
   if (from >= to || t->web_next[begin + from] != NONE)
      return;
   t->web_next[begin + from] = to;
   for (uint32_t i = first; i < end && good; i++) {
      struct selector_test *test = n->tests[i];
      uint32_t before = cost(test->picked, test->rest);
      uint64_t picked = test->picked, rest = test->rest;
      find_numbers(t, test, root);
      uint32_t now = cost(test->picked, test->rest);
      good = (picked == test->picked && rest == test->rest) || (now && now <= before);
   }
   if (good)
      return;
   t->web_next[begin + from] = NONE;
   for (uint32_t i = first; i < end; i++)
      find_numbers(t, n->tests[i], root);
}

void
hd_selector_numbers_finish(tree_builder *t)
{
   struct numbers n;

   t->web_next = scratch_fill(t->stack, t->num_web_targets, 0xff);
   sort_tests(t, &n);
   for (uint32_t web = 0; web < t->num_webs; web++) {
      if (n.begin[web] == n.begin[web + 1] || !is_known(t, &n, web))
         continue;
      for (uint32_t i = n.begin[web]; i < n.begin[web + 1]; i++) {
         n.tests[i]->is_known = true;
         find_numbers(t, n.tests[i], web);
      }
   }
   for (uint32_t i = 0; i < t->num_moves; i++)
      keep_number(t, &n, &t->moves[i]);
}

bool
hd_selector_keeps_number(tree_builder *t, uint32_t web, uint32_t from, uint32_t to)
{
   uint32_t root = hd_tree_web_root(t, web);

   return t->web_next[t->web_begin[root] + hd_tree_web_code(t, root, from)] ==
          hd_tree_web_code(t, root, to);
}

/* Compares */

static hd_def *
compare(tree_builder *t, const state *s, unsigned op, uint32_t code)
{
   return hd_tree_alu(t, t->block, op, 1, s->selector, hd_tree_web_const(t, s->web, code), NULL);
}

/* Is the number at least `first`, and less than `end`? */
static hd_def *
compare_range(tree_builder *t, const state *s, uint32_t first, uint32_t end)
{
   hd_def *least = hd_tree_web_const(t, s->web, first);
   hd_def *from =
       hd_tree_alu(t, t->block, HD_OP_ISUB, hd_tree_web_bits(t, s->web), s->selector, least, NULL);

   return hd_tree_alu(t, t->block, HD_OP_ULT, 1, from, hd_tree_web_const(t, s->web, end - first),
                      NULL);
}

/* Where it is not known who can wait: the numbers of the group. */
static void
find_range(tree_builder *t, const struct selector_test *test, uint32_t *first, uint32_t *end)
{
   const plan_group *g = test->group;

   if (g->target != NONE) {
      *first = hd_tree_web_code(t, test->web, g->target);
      *end = *first + 1;
   } else {
      *first = hd_tree_web_code_of_rank(t, test->web, g->first);
      *end = hd_tree_web_code_of_rank(t, test->web, g->end);
   }
   assert(*first < *end);
}

static bool
is_told(const struct selector_test *test)
{
   return test->is_known && cost(test->picked, test->rest);
}

uint32_t
hd_selector_compare_cost(tree_builder *t, const struct selector_test *test)
{
   uint32_t size = t->web_size[hd_tree_web_root(t, test->web)], first, end;

   if (is_told(test))
      return cost(test->picked, test->rest);
   find_range(t, test, &first, &end);
   return end == first + 1 || end == size || first == 0 ? 1 : 2;
}

hd_def *
hd_selector_compare(tree_builder *t, const state *s, const struct selector_test *test,
                    bool *inverted)
{
   uint32_t size = t->web_size[hd_tree_web_root(t, s->web)], first, end;

   *inverted = false;
   if (!is_told(test)) {
      find_range(t, test, &first, &end);
      if (end == first + 1)
         return compare(t, s, HD_OP_IEQ, first);
      *inverted = end == size;
      if (end == size || first == 0)
         return compare(t, s, HD_OP_ULT, end == size ? first : end);
      return compare_range(t, s, first, end);
   }
   uint64_t picked = test->picked, rest = test->rest;
   if (!(picked & (picked - 1)))
      return compare(t, s, HD_OP_IEQ, lowest(picked));
   *inverted = !(rest & (rest - 1));
   if (*inverted)
      return compare(t, s, HD_OP_IEQ, lowest(rest));
   if (highest(picked) < lowest(rest))
      return compare(t, s, HD_OP_ULT, lowest(rest));
   *inverted = lowest(picked) > highest(rest);
   if (*inverted)
      return compare(t, s, HD_OP_ULT, lowest(picked));
   *inverted = between(lowest(picked), highest(picked)) & rest;
   if (*inverted)
      picked = rest;
   return compare_range(t, s, lowest(picked), highest(picked) + 1);
}
