/* SPDX-License-Identifier: MIT */
/* carry.c - slots for phi values that lanes carry while they wait for a block. */
#include <stdlib.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "structurize/tree.h"

/* Keys
 *
 * A phi of one component that is divergent shares: its key is its size and its number among the
 * block's phis of that size. A lane waits for one target, so one slot serves the phis of all. What
 * divergence analysis calls uniform keeps a key of its own, because lanes that wait for different
 * targets bring different values.
 */
static uint64_t
shared_key(unsigned bits, uint32_t number)
{
   return (uint64_t)bits << 32 | number;
}

#define OWN_KEY ((uint64_t)1 << 63)

static uint64_t
own_key(uint32_t block, uint32_t number)
{
   return OWN_KEY | (uint64_t)block << 32 | number;
}

static uint32_t
own_place(uint64_t key)
{
   return (uint32_t)((key & ~OWN_KEY) >> 32);
}

static int
compare_keys(const void *a, const void *b)
{
   const phi_key *x = a, *y = b;

   return x->key < y->key ? -1 : x->key > y->key;
}

/* The phis are those of the copy, the divergence is the original's: its phis come first, in the
 * same order.
 */
void
hd_tree_read_phis(tree_builder *t)
{
   const plan *p = t->p;
   uint32_t num = 0;

   t->key_begin = scratch(t->stack, p->num_blocks + 1);
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      t->key_begin[b] = num;
      hd_foreach_phi(phi, t->old[b]) {
         (void)phi;
         num++;
      }
   }
   t->key_begin[p->num_blocks] = num;
   t->keys = hd_stack_alloc(t->stack, (num + 1) * sizeof(*t->keys));
   t->arrived = hd_stack_alloc_zero(t->stack, (num + 1) * sizeof(*t->arrived));
   t->arrived_at = hd_stack_alloc_zero(t->stack, (num + 1) * sizeof(*t->arrived_at));
   if (!num)
      return;
   num = 0;
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      uint32_t count[65] = { 0 }, number = 0, begin = num;
      const hd_instr *original = p->block[b]->first;
      hd_foreach_phi(phi, t->old[b]) {
         const hd_def *def = &phi->instr.def;
         bool known = original && original->kind == HD_INSTR_PHI;
         bool of_exit = t->first_exit_phi && def->index >= t->first_exit_phi;
         bool shares =
             def->num_components == 1 && (known ? !hd_def_is_uniform(&original->def) : of_exit);
         t->keys[num++] = (phi_key){
            shares ? shared_key(def->bit_size, count[def->bit_size]++) : own_key(b, number),
            phi,
            number,
         };
         number++;
         original = known ? original->next : NULL;
      }
      if (num - begin > 1)
         qsort(t->keys + begin, num - begin, sizeof(*t->keys), compare_keys);
   }
}

static uint32_t
num_keys(const tree_builder *t, uint32_t block)
{
   return t->key_begin[block + 1] - t->key_begin[block];
}

static uint32_t
target_place(const tree_builder *t, uint32_t target)
{
   return t->p->place[hd_plan_target_block(t->p, target)->node.index];
}

state
hd_tree_edge(tree_builder *t, uint32_t block, uint32_t succ)
{
   const plan_edge *e = plan_edge_of(t->p, block, succ);
   state s = { .kind = STATE_ONE, .target = plan_target(t->p, e) };
   uint32_t num = num_keys(t, e->to);

   if (t->dry || num == 0)
      return s;
   uint32_t pred = t->old[block]->succs[succ].pred;
   s.values = hd_stack_alloc(t->stack, num * sizeof(*s.values));
   for (uint32_t i = 0; i < num; i++) {
      const phi_key *k = &t->keys[t->key_begin[e->to] + i];
      s.values[i] = (carried){ k->key, k->phi->srcs[pred].src.def };
   }
   s.num_values = num;
   return s;
}

static void
filter(tree_builder *t, state *s, bool (*keep)(const tree_builder *t, uint64_t key, uint32_t place),
       uint32_t place)
{
   uint32_t num = 0;

   for (uint32_t i = 0; i < s->num_values; i++)
      num += keep(t, s->values[i].key, place);
   if (num == s->num_values)
      return;
   carried *values = hd_stack_alloc(t->stack, (num + 1) * sizeof(*values));
   num = 0;
   for (uint32_t i = 0; i < s->num_values; i++) {
      if (keep(t, s->values[i].key, place))
         values[num++] = s->values[i];
   }
   s->values = values;
   s->num_values = num;
}

static bool
is_key_of(const tree_builder *t, uint64_t key, uint32_t place)
{
   uint32_t low = t->key_begin[place], high = t->key_begin[place + 1];

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (t->keys[middle].key < key)
         low = middle + 1;
      else
         high = middle;
   }
   return low < t->key_begin[place + 1] && t->keys[low].key == key;
}

static bool
is_not_own_key_of(const tree_builder *t, uint64_t key, uint32_t place)
{
   (void)t;
   return !(key & OWN_KEY) || own_place(key) != place;
}

void
hd_tree_narrow(tree_builder *t, state *s, uint32_t target)
{
   const state before = *s;

   s->kind = STATE_ONE;
   s->target = target;
   if (t->dry)
      return;
   filter(t, s, is_key_of, target_place(t, target));
   if (before.kind == STATE_MANY || before.target != target)
      hd_tree_flags_filter(t, &before, s);
}

/* May some of the lanes wait to read the phis of a block? Where there are too many targets to tell,
 * those that wait for another pass may if there are such passes.
 */
static bool
may_read(const tree_builder *t, const state *s, uint32_t place)
{
   const plan *p = t->p;

   if (s->kind == STATE_ONE)
      return target_place(t, s->target) == place;
   for (uint32_t i = 0; s->targets && i < s->num_targets; i++) {
      if (target_place(t, s->targets[i]) == place)
         return true;
   }
   const uint32_t inner = p->inner[place];
   return !s->targets && inner != NONE &&
          (p->cycle[inner].header == place || p->cycle[inner].continue_block == place);
}

void
hd_tree_drop(tree_builder *t, state *s, uint32_t target)
{
   const uint32_t place = target_place(t, target);

   if (!t->dry && !may_read(t, s, place))
      filter(t, s, is_not_own_key_of, place);
}

/* Meeting */

/* A phi of what comes from each predecessor; NULL: nothing that counts. */
static hd_def *
meet(tree_builder *t, hd_block *at, hd_def **srcs, const hd_def *like)
{
   assert(like);
   unsigned components = like->num_components, bits = like->bit_size;

   for (uint32_t i = 0; i < at->num_preds; i++) {
      if (!srcs[i])
         srcs[i] = hd_tree_undef(t, components, bits);
   }
   return &hd_phi_insert(at, components, bits, srcs)->instr.def;
}

/* One web for all that meets. */
static uint32_t
join_webs(tree_builder *t, const arm *arms, uint32_t num)
{
   uint32_t web = hd_tree_web(t);

   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_ONE)
         hd_tree_web_add(t, web, arms[i].state.target);
      else if (arms[i].state.kind == STATE_MANY)
         hd_tree_web_join(t, web, arms[i].state.web);
   }
   return web;
}

struct meeting {
   uint64_t key;
   uint32_t pred;
   hd_def *def;
   const state *state;
};

static int
compare_meetings(const void *a, const void *b)
{
   const struct meeting *x = a, *y = b;

   if (x->key != y->key)
      return x->key < y->key ? -1 : 1;
   return x->pred < y->pred ? -1 : x->pred > y->pred;
}

uint32_t
hd_tree_pred_index(const hd_block *from, const hd_block *at)
{
   for (uint32_t s = 0; s < from->num_succs; s++) {
      if (from->succs[s].to == at)
         return from->succs[s].pred;
   }
   assert(!"not a predecessor");
   return 0;
}

/* What some arms bring for one key; by the edges of the others any value may come. */
static hd_def *
join_some(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, const struct meeting *m,
          uint32_t num_met, uint64_t which, hd_def **srcs)
{
   hd_def *first = NULL;
   bool differ = false;

   for (uint32_t i = 0; i < num_met; i++) {
      if (!(i >= 64 || which >> i & 1))
         continue;
      differ |= first && m[i].def != first;
      first = m[i].def;
   }
   if (!differ)
      return first;
   /* By an edge that no lane takes it is one that is there anyway. */
   for (uint32_t k = 0; k < at->num_preds; k++)
      srcs[k] = first;
   for (uint32_t k = 0; k < num; k++) {
      if (arms[k].state.kind != STATE_DEAD)
         srcs[hd_tree_pred_index(arms[k].block, at)] = NULL;
   }
   for (uint32_t i = 0; i < num_met; i++) {
      if (i >= 64 || which >> i & 1)
         srcs[m[i].pred] = m[i].def;
   }
   t->stats.edge_phis++;
   return meet(t, at, srcs, first);
}

/* More arms than these are not distinguished by facts. */
#define MAX_APART 16u

static uint32_t
find_states(const struct meeting *m, uint32_t num_met, uint64_t which, const state **states,
            uint8_t *index)
{
   uint32_t num = 0;

   for (uint32_t i = 0; i < num_met; i++) {
      if (!(which >> i & 1))
         continue;
      index[num] = (uint8_t)i;
      states[num++] = m[i].state;
   }
   return num;
}

/* What the arms bring for one key. A uniform value meets others of the same phi, and lanes of
 * different arms may be together: but if a fact is true for those that wait for the phi by some
 * arms, and false for those by the others, it says which value it is. So long as there are such
 * facts, some arms are split off.
 */
static hd_def *
join_value(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
           const struct meeting *m, uint32_t num_met, hd_def **srcs)
{
   const state *states[MAX_APART];
   uint8_t index[MAX_APART];
   const fact *facts[MAX_APART];
   hd_def *values[MAX_APART];
   bool inverted[MAX_APART];
   uint32_t num_split = 0;
   uint64_t left = num_met >= 64 ? UINT64_MAX : (UINT64_C(1) << num_met) - 1;
   bool can_split = t->keeps_flags && !uniform && m->key & OWN_KEY && num_met <= MAX_APART &&
                    m->def->num_components == 1;

   while (can_split) {
      uint32_t num_left = find_states(m, num_met, left, states, index);
      uint64_t side = 0, which = 0;
      bool differ = false;
      for (uint32_t i = 1; i < num_left; i++)
         differ |= m[index[i]].def != m[index[0]].def;
      facts[num_split] = differ ? hd_tree_flags_apart(t, states, num_left, own_place(m->key), &side,
                                                      &inverted[num_split])
                                : NULL;
      if (!facts[num_split])
         break;
      for (uint32_t i = 0; i < num_left; i++)
         which |= (side >> i & 1) << index[i];
      values[num_split++] = join_some(t, at, arms, num, m, num_met, which, srcs);
      left &= ~which;
   }
   hd_def *value = join_some(t, at, arms, num, m, num_met, left, srcs);
   while (num_split > 0) {
      hd_def *own = values[--num_split];
      bool turned = inverted[num_split];
      if (own != value)
         value = hd_tree_alu(t, at, HD_OP_SELECT, value->bit_size,
                             hd_tree_flags_value(t, at, facts[num_split]), turned ? value : own,
                             turned ? own : value);
   }
   return value;
}

static void
join_values(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
            hd_def **srcs, state *s)
{
   uint32_t total = 0, n = 0;

   for (uint32_t i = 0; i < num; i++)
      total += arms[i].state.kind != STATE_DEAD ? arms[i].state.num_values : 0;
   if (!total)
      return;
   struct meeting *m = hd_stack_alloc(t->stack, (total + 1) * sizeof(*m));
   for (uint32_t i = 0; i < num; i++) {
      const state *from = &arms[i].state;
      if (from->kind == STATE_DEAD)
         continue;
      uint32_t pred = hd_tree_pred_index(arms[i].block, at);
      for (uint32_t k = 0; k < from->num_values; k++)
         m[n++] = (struct meeting){ from->values[k].key, pred, from->values[k].def, from };
   }
   if (total > 1)
      qsort(m, total, sizeof(*m), compare_meetings);
   s->values = hd_stack_alloc(t->stack, (total + 1) * sizeof(*s->values));
   for (uint32_t i = 0, end; i < total; i = end) {
      for (end = i + 1; end < total && m[end].key == m[i].key; end++)
         ;
      hd_def *def = join_value(t, at, arms, num, uniform, m + i, end - i, srcs);
      s->values[s->num_values++] = (carried){ m[i].key, def };
   }
}

state
hd_tree_join(tree_builder *t, hd_block *at, arm *arms, uint32_t num, const lane_split *how)
{
   state s = { .kind = STATE_DEAD };
   uint32_t live = 0, last = 0;
   bool same = true;

   for (uint32_t i = 0; i < num; i++) {
      if (arms[i].state.kind == STATE_DEAD)
         continue;
      if (live++)
         same &= arms[i].state.kind == STATE_ONE && arms[last].state.kind == STATE_ONE &&
                 arms[i].state.target == arms[last].state.target;
      last = i;
   }
   if (live == 0)
      return s;
   if (live == 1)
      return arms[last].state;
   s.kind = same ? STATE_ONE : STATE_MANY;
   s.target = arms[last].state.target;
   if (!same) {
      s.web = join_webs(t, arms, num);
      hd_tree_targets_join(t, arms, num, &s);
      hd_tree_selector_follow(t, s.web, arms, how);
   }
   if (t->collecting)
      return s;
   hd_def **srcs = t->dry ? NULL : hd_stack_alloc(t->stack, (at->num_preds + 1) * sizeof(*srcs));
   if (!t->dry)
      join_values(t, at, arms, num, how->uniform, srcs, &s);
   if (!t->dry)
      hd_tree_flags_join(t, at, arms, num, how->uniform, how->cond, how->inverted, how->picked,
                         srcs, &s);
   if (same)
      return s;
   hd_tree_selector_join(t, at, arms, num, how, srcs, &s);
   return s;
}

state
hd_tree_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen, const state *other)
{
   state s = { .kind = STATE_MANY };
   arm both[2] = { { .state = *chosen }, { .state = *other } };

   s.web = join_webs(t, both, 2);
   if (other->kind == STATE_ONE)
      hd_tree_selector_prefer(t, s.web, chosen->target, other->target);
   hd_tree_targets_join(t, both, 2, &s);
   if (!t->collecting)
      hd_tree_selector_choose(t, cond, uniform, chosen, other, &s);
   if (t->dry)
      return s;
   hd_tree_flags_choose(t, cond, uniform, chosen, other, &s);
   s.values =
       hd_stack_alloc(t->stack, (chosen->num_values + other->num_values + 1) * sizeof(*s.values));
   uint32_t a = 0, b = 0;
   while (a < chosen->num_values || b < other->num_values) {
      const carried *x = a < chosen->num_values ? &chosen->values[a] : NULL;
      const carried *y = b < other->num_values ? &other->values[b] : NULL;
      assert(x || y);
      carried v = !y || (x && x->key <= y->key) ? *x : *y;
      if (x && y && x->key == y->key && x->def != y->def)
         v.def = hd_tree_alu(t, t->block, HD_OP_SELECT, x->def->bit_size, cond, x->def, y->def);
      a += x && x->key == v.key;
      b += y && y->key == v.key;
      s.values[s.num_values++] = v;
   }
   return s;
}

/* Cycles */

void
hd_tree_enter(tree_builder *t, uint32_t cycle, tree_header *header, hd_block *block, state *s)
{
   uint32_t place = t->p->cycle[cycle].header;
   state again = { .kind = STATE_ONE, .target = place };
   arm both[2] = { { .state = *s }, { .state = again } };
   bool one = s->kind == STATE_ONE && s->target == place;
   uint32_t web = one ? 0 : join_webs(t, both, 2);

   *header = (tree_header){ .block = block, .web = web };
   if (!one) {
      s->kind = STATE_MANY;
      s->web = web;
      hd_tree_targets_join(t, both, 2, s);
      if (!t->collecting)
         hd_tree_selector_enter(t, header, place, &both[0].state, s);
   }
   if (t->dry)
      return;
   uint32_t num = num_keys(t, place);
   hd_block *before = block->preds[0].from;
   hd_tree_flags_enter(t, block, place, &both[0].state, s);
   header->phis = hd_stack_alloc(t->stack, (num + 1) * sizeof(*header->phis));
   carried *values = hd_stack_alloc(t->stack, (num + s->num_values + 1) * sizeof(*values));
   uint32_t n = 0, k = 0, i = 0;
   while (k < num || i < s->num_values) {
      const phi_key *key = k < num ? &t->keys[t->key_begin[place] + k] : NULL;
      const carried *v = i < s->num_values ? &s->values[i] : NULL;
      assert(key || v);
      if (!key || (v && v->key < key->key)) {
         /* For another entry: the lanes of the next pass bring nothing. */
         values[n++] = *v;
         i++;
         continue;
      }
      const hd_def *like = &key->phi->instr.def;
      hd_phi *phi = hd_phi_insert(block, like->num_components, like->bit_size, NULL);
      bool comes = v && v->key == key->key;
      hd_phi_set_src(phi, before,
                     comes ? v->def : hd_tree_undef(t, like->num_components, like->bit_size));
      t->stats.edge_phis++;
      header->phis[header->num++] = (phi_key){ key->key, phi, key->number };
      values[n++] = (carried){ key->key, &phi->instr.def };
      k++;
      i += comes;
   }
   s->values = values;
   s->num_values = n;
}

void
hd_tree_again(tree_builder *t, uint32_t cycle, tree_header *header, hd_block *latch, const state *s)
{
   uint32_t i = 0;

   if (t->dry)
      return;
   hd_tree_selector_again(t, header, t->p->cycle[cycle].header, latch);
   for (uint32_t k = 0; k < header->num; k++) {
      hd_phi *phi = header->phis[k].phi;
      while (i < s->num_values && s->values[i].key < header->phis[k].key)
         i++;
      bool comes =
          s->kind != STATE_DEAD && i < s->num_values && s->values[i].key == header->phis[k].key;
      hd_phi_set_src(
          phi, latch,
          comes ? s->values[i].def
                : hd_tree_undef(t, phi->instr.def.num_components, phi->instr.def.bit_size));
   }
}

/* Phis of the block that lanes come to stand in the order in which those of the flat block did. */
static void
order_phis(hd_block *block, hd_def *const *values, uint32_t num)
{
   if (!hd_instr_as_phi(block->last))
      return;
   for (uint32_t i = 0; i < num; i++) {
      hd_instr *phi = hd_def_instr(values[i]);
      if (phi->kind == HD_INSTR_PHI && phi->block == block)
         hd_move_instrs(phi, phi, block);
   }
}

/* Lanes that have arrived together have one value, which other lanes with other values hide: see
 * keep_uniform.c.
 */
static hd_def *
read_lane(tree_builder *t, hd_def *value)
{
   hd_intrinsic *i = hd_intrinsic_create(t->f->shader, HD_INTRINSIC_READ_FIRST, 1, 0,
                                         value->num_components, value->bit_size);

   hd_instr_set_src(&i->instr, 0, value);
   i->instr.loc = hd_def_instr(value)->loc;
   hd_instr_insert(hd_after_block(t->block), &i->instr);
   t->stats.instructions++;
   return &i->instr.def;
}

void
hd_tree_arrive(tree_builder *t, uint32_t block)
{
   const state *s = &t->state;
   uint32_t i = 0, num = num_keys(t, block);

   if (!num)
      return;
   hd_def **values = hd_stack_alloc(t->stack, num * sizeof(*values));
   for (uint32_t k = t->key_begin[block]; k < t->key_begin[block + 1]; k++) {
      hd_def *old = &t->keys[k].phi->instr.def;
      while (i < s->num_values && s->values[i].key < t->keys[k].key)
         i++;
      assert(i < s->num_values && s->values[i].key == t->keys[k].key);
      hd_def *new = values[t->keys[k].number] = s->values[i].def;
      if (!hd_def_instr(new)->loc)
         hd_def_instr(new)->loc = hd_def_instr(old)->loc;
      const bool read = t->read && t->read[k];
      if (read)
         new = read_lane(t, new);
      const char *name = hd_def_name(t->f, old);
      if (name && !hd_def_name(t->f, new) && (read || hd_def_instr(new)->kind == HD_INSTR_PHI))
         hd_def_set_name(t->f, new, name);
      hd_def_replace_uses(old, new);
      t->arrived[k] = new;
      t->arrived_at[k] = t->block;
   }
   order_phis(t->block, values, num);
}
