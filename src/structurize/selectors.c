/* SPDX-License-Identifier: MIT */
/* selectors.c - selectors (guard variables): which target a waiting lane goes to.
 *
 * A web of selectors has one of two representations, whichever costs less.
 *
 *    A number for each target: a phi where lanes with different ones meet, and each test compares.
 *    A bit for each set of targets that a test picks: the test reads the bit and nothing is
 *    compared, but where lanes meet each bit that differs takes a phi of its own.
 *
 * Bits need be right only as far as tests read them. When a test for B comes after those that wait
 * for A were sent away, the bit for B may be anything for lanes that wait for A: where such lanes
 * meet others the bit is what the others have. And where the two arms of an if wait for different
 * targets its condition is the bit.
 *
 * The plan is executed twice without building anything. The first time collects the webs, and for
 * each test the targets that lanes wait for; the second time adds up the cost of each web in both
 * representations.
 */
#include "structurize/selectors.h"
#include "heddle/op_enum.h"

/* Collecting */

/* The targets of what meets, each once, in ascending order. */
void
hd_tree_targets_join(tree_builder *t, const arm *arms, uint32_t num, state *s)
{
   uint32_t list[MAX_TARGETS + 1], size = 0;

   s->targets = NULL;
   s->num_targets = 0;
   if (!t->collecting && (t->dry || !t->keeps_flags))
      return;
   for (uint32_t i = 0; i < num; i++) {
      const state *from = &arms[i].state;
      if (from->kind == STATE_DEAD)
         continue;
      if (from->kind == STATE_MANY && !from->targets)
         return;
      const uint32_t *more = from->kind == STATE_ONE ? &from->target : from->targets;
      uint32_t num_more = from->kind == STATE_ONE ? 1 : from->num_targets;
      for (uint32_t k = 0; k < num_more; k++) {
         uint32_t at = size;
         while (at && list[at - 1] > more[k])
            at--;
         if (at && list[at - 1] == more[k])
            continue;
         if (size == MAX_TARGETS)
            return;
         memmove(list + at + 1, list + at, (size - at) * sizeof(*list));
         list[at] = more[k];
         size++;
      }
   }
   uint32_t *targets = scratch(t->stack, size);
   if (size)
      memcpy(targets, list, size * sizeof(*list));
   s->targets = targets;
   s->num_targets = size;
}

bool
hd_tree_is_in(tree_builder *t, const plan_group *g, uint32_t target)
{
   if (g->target != NONE)
      return g->target == target;
   uint64_t rank = hd_plan_rank(t->p, target);
   return rank >= g->first && rank < g->end;
}

void
hd_tree_targets_filter(tree_builder *t, state *s, const plan_group *g, bool inside)
{
   uint32_t num = 0;

   if (s->kind != STATE_MANY || !s->targets)
      return;
   uint32_t *targets = scratch(t->stack, s->num_targets);
   for (uint32_t i = 0; i < s->num_targets; i++) {
      if (hd_tree_is_in(t, g, s->targets[i]) == inside)
         targets[num++] = s->targets[i];
   }
   s->targets = targets;
   s->num_targets = num;
}

static void
record_test(tree_builder *t, const state *s, const plan_group *g)
{
   if (t->num_tests == t->tests_capacity) {
      uint32_t capacity = t->tests_capacity * 2 + 32;
      struct selector_test *tests = hd_stack_alloc(t->stack, capacity * sizeof(*tests));
      if (t->num_tests)
         memcpy(tests, t->tests, t->num_tests * sizeof(*tests));
      t->tests = tests;
      t->tests_capacity = capacity;
   }
   t->tests[t->num_tests++] = (struct selector_test){
      .web = s->web, .group = g, .targets = s->targets, .num = s->num_targets
   };
}

void
hd_tree_selector_prefer(tree_builder *t, uint32_t web, uint32_t yes, uint32_t no)
{
   if (!t->collecting)
      return;
   if (t->num_wishes == t->wishes_capacity) {
      uint32_t capacity = t->wishes_capacity * 2 + 64;
      struct selector_preference *wishes = hd_stack_alloc(t->stack, capacity * sizeof(*wishes));
      if (t->num_wishes)
         memcpy(wishes, t->wishes, t->num_wishes * sizeof(*wishes));
      t->wishes = wishes;
      t->wishes_capacity = capacity;
   }
   t->wishes[t->num_wishes++] = (struct selector_preference){ web, yes, no };
}

/* One bit serves several tests that agree on each target, or disagree on each. */
static bool
fit_test(struct web_bits *w, struct selector_test *test, uint64_t yes, uint64_t no)
{
   for (uint32_t n = 0; n < w->num; n++) {
      web_bit *bit = &w->bit[n];
      for (int inverted = 0; inverted < 2; inverted++) {
         uint64_t y = inverted ? no : yes, x = inverted ? yes : no;
         if (y & bit->no || x & bit->yes)
            continue;
         bit->yes |= y;
         bit->no |= x;
         test->bit = (uint8_t)n;
         test->inverted = inverted;
         return true;
      }
   }
   if (w->num == MAX_BITS)
      return false;
   test->bit = (uint8_t)w->num;
   w->bit[w->num++] = (web_bit){ yes, no, 0 };
   return true;
}

static void
split_web(tree_builder *t, struct selector_test *test)
{
   uint32_t root = hd_tree_web_root(t, test->web);
   struct web_bits *w = t->web_bits[root];
   uint64_t yes = 0, no = 0;

   if (t->web_size[root] > MAX_TARGETS || !w)
      return;
   for (uint32_t i = 0; test->targets && i < test->num; i++) {
      uint64_t code = UINT64_C(1) << hd_tree_web_code(t, root, test->targets[i]);
      *(hd_tree_is_in(t, test->group, test->targets[i]) ? &yes : &no) |= code;
   }
   if (!test->targets || !fit_test(w, test, yes, no))
      t->web_bits[root] = NULL;
}

void
hd_tree_selectors_finish(tree_builder *t)
{
   hd_selector_numbers_finish(t);
   t->web_bits = hd_stack_alloc_zero(t->stack, (t->num_webs + 1) * sizeof(*t->web_bits));
   for (uint32_t web = 0; web < t->num_webs; web++) {
      if (hd_tree_web_root(t, web) == web && t->web_size[web] <= MAX_TARGETS)
         t->web_bits[web] = hd_stack_alloc_zero(t->stack, sizeof(**t->web_bits));
   }
   for (uint32_t i = 0; i < t->num_tests; i++)
      split_web(t, &t->tests[i]);
   for (uint32_t i = 0; i < t->num_wishes; i++) {
      const struct selector_preference *wish = &t->wishes[i];
      uint32_t root = hd_tree_web_root(t, wish->web);
      struct web_bits *w = t->web_bits[root];
      if (!w)
         continue;
      uint64_t yes = UINT64_C(1) << hd_tree_web_code(t, root, wish->yes);
      uint64_t no = UINT64_C(1) << hd_tree_web_code(t, root, wish->no);
      for (uint32_t n = 0; n < w->num; n++) {
         web_bit *bit = &w->bit[n];
         bit->balance += bit->yes & yes && bit->no & no;
         bit->balance -= bit->no & yes && bit->yes & no;
      }
   }
   for (uint32_t web = 0; web < t->num_webs; web++) {
      struct web_bits *w = t->web_bits[web];
      for (uint32_t n = 0; w && n < w->num; n++) {
         web_bit *bit = &w->bit[n];
         if (bit->balance >= 0)
            continue;
         uint64_t yes = bit->yes;
         bit->yes = bit->no;
         bit->no = yes;
      }
   }
   for (uint32_t i = 0; i < t->num_tests; i++) {
      struct selector_test *test = &t->tests[i];
      const struct web_bits *w = t->web_bits[hd_tree_web_root(t, test->web)];
      test->inverted ^= w && w->bit[test->bit].balance < 0;
   }
}

/* A phi costs more than a compare: a copy at the end of each block before, and a value more that
 * lives. But where lanes enter a cycle at several places, the compares are made again in each pass,
 * mostly for lanes that all wait for the header; as bits they are constants then.
 */
static bool
bits_are_cheaper(const struct web_bits *w)
{
   const struct selector_cost *bits = &w->bits_cost, *number = &w->number_cost;
   const uint32_t phi = w->enters ? 1 : 4, other = w->enters ? 3 : 2;

   return phi * bits->phis + other * bits->others <= phi * number->phis + other * number->others;
}

void
hd_tree_selectors_settle(tree_builder *t)
{
   for (uint32_t web = 0; web < t->num_webs; web++) {
      const struct web_bits *w = t->web_bits[web];
      if (w && t->web_size[web] > 2 && !bits_are_cheaper(w))
         t->web_bits[web] = NULL;
   }
}

/* Making
 *
 * While costs are added up, definitions are tokens that can only be distinguished.
 */

static struct web_bits *
bits_of(tree_builder *t, uint32_t web)
{
   return t->web_bits[hd_tree_web_root(t, web)];
}

hd_def *
hd_tree_truth(tree_builder *t, bool value)
{
   hd_def **def = value ? &t->yes : &t->no;

   if (t->dry)
      return &t->token[value];
   if (!*def)
      *def = hd_tree_const(t, 1, value);
   return *def;
}

static bool
is_truth(const tree_builder *t, const hd_def *def, bool value)
{
   return def == (t->dry ? &t->token[value] : value ? t->yes : t->no) && def;
}

static hd_def *
number(tree_builder *t, uint32_t web, uint32_t target)
{
   uint32_t root = hd_tree_web_root(t, web), code = hd_tree_web_code(t, web, target);

   return t->dry ? &t->number_token[t->web_begin[root] + code] : hd_tree_web_const(t, web, code);
}

hd_def *
hd_tree_token(tree_builder *t)
{
   return hd_stack_alloc(t->stack, sizeof(hd_def));
}

static hd_def *
make_alu(tree_builder *t, struct web_bits *w, hd_block *at, unsigned op, hd_def *a, hd_def *b,
         hd_def *c)
{
   if (!t->dry)
      return hd_tree_alu(t, at, op, 1, a, b, c);
   w->bits_cost.others++;
   return hd_tree_token(t);
}

/* A bit of lanes in a state; NULL: any. */
static hd_def *
bit_of(tree_builder *t, uint32_t web, uint32_t n, const state *s)
{
   const web_bit *bit = &bits_of(t, web)->bit[n];

   if (s->kind == STATE_MANY)
      return s->bits[n];
   uint64_t code = UINT64_C(1) << hd_tree_web_code(t, web, s->target);
   return bit->yes & code  ? hd_tree_truth(t, true)
          : bit->no & code ? hd_tree_truth(t, false)
                           : NULL;
}

static bool
bit_is_uniform(const state *s, uint32_t n)
{
   return s->kind != STATE_MANY || s->uniform_bits >> n & 1;
}

static hd_def *
number_of(tree_builder *t, uint32_t web, const state *s)
{
   return s->kind == STATE_MANY ? s->selector : number(t, web, s->target);
}

/* Meeting */

/* Do the two arms of an if have a bit by which its condition is the bit? */
static hd_def *
condition_as_bit(tree_builder *t, struct web_bits *w, hd_block *at, hd_def *first, hd_def *second,
                 hd_def *cond, bool inverted)
{
   bool plain = is_truth(t, first, true) && is_truth(t, second, false);

   if (!cond || !(plain || (is_truth(t, first, false) && is_truth(t, second, true))))
      return NULL;
   return plain != inverted ? cond : make_alu(t, w, at, HD_OP_INOT, cond, NULL, NULL);
}

static void
fill_srcs(hd_block *at, hd_def **srcs, hd_def *any)
{
   for (uint32_t i = 0; i < at->num_preds; i++)
      srcs[i] = srcs[i] ? srcs[i] : any;
}

/* A bit of lanes of one of several arms: a condition is a constant in the arms of its if. */
static hd_def *
bit_of_arm(tree_builder *t, uint32_t web, uint32_t n, const arm *arms, uint32_t i,
           const lane_split *how)
{
   hd_def *def = bit_of(t, web, n, &arms[i].state);

   return def && def == how->cond ? hd_tree_truth(t, (i == 0) != how->inverted) : def;
}

static hd_def *
join_bit(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, uint32_t web, uint32_t n,
         const lane_split *how, hd_def **srcs, bool *differ)
{
   struct web_bits *w = bits_of(t, web);
   hd_def *first = NULL, *cond = how->cond;
   bool any = false;

   *differ = false;
   if (selector_has_passed(t, web, arms, how) && arms[1].state.bits[n] == how->before->bits[n]) {
      const state waited = { .kind = STATE_ONE, .target = how->target };
      hd_def *now = bit_of(t, web, n, &arms[0].state);
      if (!now || (arms[1].state.bits[n] && now == bit_of(t, web, n, &waited)))
         return arms[1].state.bits[n];
   }
   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      hd_def *def = bit_of_arm(t, web, n, arms, i, how);
      *differ |= first && def && def != first;
      first = first ? first : def;
      any |= !def;
   }
   if (!*differ) {
      /* What is not a constant may not stand above. */
      w->bits_cost.phis += first && any && !is_truth(t, first, false) && !is_truth(t, first, true);
      return first;
   }
   hd_def *decided = NULL;
   if (cond) {
      hd_def *second = bit_of_arm(t, web, n, arms, 1, how);
      decided = condition_as_bit(t, w, at, bit_of_arm(t, web, n, arms, 0, how), second, cond,
                                 how->inverted);
   }
   if (decided)
      return decided;
   if (t->dry) {
      w->bits_cost.phis++;
      return hd_tree_token(t);
   }
   memset(srcs, 0, at->num_preds * sizeof(*srcs));
   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      hd_def *def = bit_of_arm(t, web, n, arms, i, how);
      srcs[hd_tree_pred_index(arms[i].block, at)] = def ? def : hd_tree_undef(t, 1, 1);
   }
   /* By an edge that no lane takes any value may come: one that is there anyway. */
   fill_srcs(at, srcs, first);
   t->stats.selector_phis++;
   return &hd_phi_insert(at, 1, 1, srcs)->instr.def;
}

static hd_def *
join_number(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, uint32_t web,
            const lane_split *how, hd_def **srcs)
{
   hd_def *first = NULL;
   bool differ = false;

   if (selector_has_passed(t, web, arms, how) && arms[1].state.selector == how->before->selector &&
       hd_selector_keeps_number(t, web, how->target, arms[0].state.target))
      return arms[1].state.selector;
   if (!t->dry)
      memset(srcs, 0, at->num_preds * sizeof(*srcs));
   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      hd_def *def = number_of(t, web, &arms[i].state);
      differ |= first && def != first;
      first = def;
      if (!t->dry)
         srcs[hd_tree_pred_index(arms[i].block, at)] = def;
   }
   if (!differ)
      return first;
   if (t->dry) {
      bits_of(t, web)->number_cost.phis++;
      return hd_tree_token(t);
   }
   fill_srcs(at, srcs, first);
   t->stats.selector_phis++;
   return &hd_phi_insert(at, 1, hd_tree_web_bits(t, web), srcs)->instr.def;
}

void
hd_tree_selector_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num,
                      const lane_split *how, hd_def **srcs, state *s)
{
   struct web_bits *w = bits_of(t, s->web);

   s->uniform = how->uniform;
   for (uint32_t i = 0; i < num; i++)
      s->uniform &= arms[i].state.kind != STATE_MANY || arms[i].state.uniform;
   if (t->dry ? w != NULL : !w)
      s->selector = join_number(t, at, arms, num, s->web, how, srcs);
   if (!w)
      return;
   s->bits = hd_stack_alloc(t->stack, (w->num + 1) * sizeof(*s->bits));
   s->uniform_bits = 0;
   for (uint32_t n = 0; n < w->num; n++) {
      bool differ, same = true;
      s->bits[n] = join_bit(t, at, arms, num, s->web, n, how, srcs, &differ);
      for (uint32_t i = 0; i < num; i++)
         same &= arms[i].state.kind == STATE_DEAD || bit_is_uniform(&arms[i].state, n);
      s->uniform_bits |= (uint32_t)(same && (how->uniform || !differ)) << n;
   }
}

/* Choosing */

static hd_def *
choose_bit(tree_builder *t, struct web_bits *w, hd_def *cond, hd_def *chosen, hd_def *other)
{
   if (!chosen || !other || chosen == other)
      return chosen ? chosen : other;
   hd_def *decided = condition_as_bit(t, w, t->block, chosen, other, cond, false);
   if (decided)
      return decided;
   if (is_truth(t, chosen, true))
      return make_alu(t, w, t->block, HD_OP_IOR, cond, other, NULL);
   return make_alu(t, w, t->block, HD_OP_SELECT, cond, chosen, other);
}

void
hd_tree_selector_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                        const state *other, state *s)
{
   struct web_bits *w = bits_of(t, s->web);

   s->uniform = uniform && (other->kind == STATE_ONE || other->uniform);
   if (t->dry && w) {
      s->selector = hd_tree_token(t);
      w->number_cost.others++;
   } else if (!t->dry && !w) {
      hd_def *theirs = number_of(t, s->web, other);
      hd_def *mine = number(t, s->web, chosen->target);
      s->selector =
          hd_tree_alu(t, t->block, HD_OP_SELECT, hd_tree_web_bits(t, s->web), cond, mine, theirs);
   }
   if (!w)
      return;
   s->bits = hd_stack_alloc(t->stack, (w->num + 1) * sizeof(*s->bits));
   s->uniform_bits = 0;
   for (uint32_t n = 0; n < w->num; n++) {
      hd_def *a = bit_of(t, s->web, n, chosen), *b = bit_of(t, s->web, n, other);
      s->bits[n] = choose_bit(t, w, cond, a, b);
      bool same = !a || !b || a == b;
      s->uniform_bits |= (uint32_t)((same || uniform) && bit_is_uniform(other, n)) << n;
   }
}

/* Headers of cycles */

void
hd_tree_selector_enter(tree_builder *t, tree_header *header, uint32_t target, const state *entering,
                       state *s)
{
   struct web_bits *w = bits_of(t, s->web);
   hd_block *before = t->dry ? NULL : header->block->preds[0].from;
   const state again = { .kind = STATE_ONE, .target = target };

   s->uniform = entering->kind == STATE_ONE || entering->uniform;
   if (w)
      w->enters = true;
   if (t->dry && w) {
      s->selector = hd_tree_token(t);
      w->number_cost.phis++;
   } else if (!t->dry && !w) {
      hd_def *def = number_of(t, s->web, entering);
      header->selector = hd_phi_insert(header->block, 1, hd_tree_web_bits(t, s->web), NULL);
      hd_phi_set_src(header->selector, before, def);
      s->selector = &header->selector->instr.def;
      t->stats.selector_phis++;
   }
   if (!w)
      return;
   uint32_t uniform = 0;
   hd_def **bits = hd_stack_alloc(t->stack, (w->num + 1) * sizeof(*bits));
   header->bits = hd_stack_alloc_zero(t->stack, (w->num + 1) * sizeof(*header->bits));
   for (uint32_t n = 0; n < w->num; n++) {
      hd_def *a = bit_of(t, s->web, n, entering), *b = bit_of(t, s->web, n, &again);
      uniform |= (uint32_t)bit_is_uniform(entering, n) << n;
      bits[n] = a ? a : b;
      if (!a || !b || a == b)
         continue;
      if (t->dry) {
         w->bits_cost.phis++;
         bits[n] = hd_tree_token(t);
         continue;
      }
      header->bits[n] = hd_phi_insert(header->block, 1, 1, NULL);
      hd_phi_set_src(header->bits[n], before, a);
      bits[n] = &header->bits[n]->instr.def;
      t->stats.selector_phis++;
   }
   s->bits = bits;
   s->uniform_bits = uniform;
}

void
hd_tree_selector_again(tree_builder *t, tree_header *header, uint32_t target, hd_block *latch)
{
   const state again = { .kind = STATE_ONE, .target = target };

   if (header->selector)
      hd_phi_set_src(header->selector, latch, number(t, header->web, target));
   for (uint32_t n = 0; header->bits && n < bits_of(t, header->web)->num; n++) {
      if (header->bits[n])
         hd_phi_set_src(header->bits[n], latch, bit_of(t, header->web, n, &again));
   }
}

/* Testing */

hd_def *
hd_tree_selector_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted,
                      bool *uniform)
{
   *inverted = false;
   *uniform = false;
   if (t->collecting) {
      record_test(t, s, g);
      return NULL;
   }
   assert(t->next_test < t->num_tests);
   const struct selector_test *test = &t->tests[t->next_test++];
   struct web_bits *w = bits_of(t, s->web);
   if (t->dry && w) {
      w->number_cost.others += hd_selector_compare_cost(t, test);
      *inverted = test->inverted;
      return s->bits[test->bit];
   }
   if (t->dry)
      return NULL;
   *uniform = w ? s->uniform_bits >> test->bit & 1 : s->uniform;
   hd_def *flag = *uniform ? NULL : hd_tree_flags_test(t, s, g, inverted);
   if (flag) {
      *uniform = true;
      return flag;
   }
   if (!w)
      return hd_selector_compare(t, s, test, inverted);
   *inverted = test->inverted;
   return s->bits[test->bit] ? s->bits[test->bit] : hd_tree_undef(t, 1, 1);
}
