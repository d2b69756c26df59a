/* SPDX-License-Identifier: MIT */
/* opt_cse.c - common subexpression elimination by global value numbering (CSE, GVN).
 *
 *    %3 = iadd %1, %2                          %3 = iadd %1, %2
 *    %4 = iadd %2, %1            =>
 *    %5 = load_buffer %0, %3                   %5 = load_buffer %0, %3
 *    %6 = load_buffer %0, %4                   ... %5, wherever it was %6
 *
 * Optimistic value numbering in reverse postorder (Alpern, Wegman and Zadeck, 1988; Simpson's RPO
 * algorithm, 1996). Values with the same number are equal wherever both are available. The same op
 * on operands with the same numbers gives the same number, if the state that it reads is the same:
 * memory (by the memory SSA of memory_ssa.h), or other lanes (by the control equivalence of
 * control_equivalence.h, and no call, demote or barrier in between). A phi can be equal to another one of its
 * block. Header phis are assumed equal until proven different: that finds induction variables that
 * advance in step. Numbers are recomputed until a fixpoint; after more than log n rounds, header
 * phis are assumed different.
 *
 * Then a value is replaced if another one with its number dominates it. The one that stays keeps
 * only the fast-math flags that both had, and is exact if one was. An instruction whose operand
 * must be uniform is not moved, so nothing is asked of its place. A value is not replaced by one
 * from inside of a loop if only the latter is divergent at the use (temporal divergence).
 *
 * Equal constants of which neither dominates the other are moved to the start block.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused values to opt_dce; phis of one value to opt_phi; equal code in both arms of an
 *            if, as neither dominates the other.
 * Tests:     tests/passes/opt_cse.hd, tests/passes/test_run.c
 */
#include "analysis/control_equivalence.h"
#include "analysis/memory_ssa.h"
#include "passes/pass.h"

#include <assert.h>

/* A number for a pair of numbers. */
struct pair {
   uint64_t key; /* 0 in an empty slot */
   uint32_t number;
};

struct slot {
   uint32_t hash;
   uint32_t def; /* NONE in an empty slot */
};

struct state {
   hd_function *f;
   hd_stack *stack;
   hd_instr **instr; /* by def index */
   uint32_t *number; /* by def index: that of the first value equal to it; NONE: not yet known */
   uint32_t
       *context; /* by def index: what it reads besides its operands; NULL where nothing does */
   struct slot *table;
   uint32_t mask;
   struct pair *pairs;
   uint32_t pair_mask, num_pairs;
   uint32_t *known; /* by number of a pair: of a variable's contents, the value's number, or NONE */
   uint32_t *lane_classes; /* NULL if nothing reads other lanes */
   hd_versions versions;
   uint64_t size;      /* instructions and operands */
   bool many_entries;  /* a cycle has more than one */
   bool headers_apart; /* phis of headers are not taken to be equal */
   bool changed;       /* a number is not what it was in the last iteration */
   bool optimistic;    /* phis of headers were taken to be equal */
   bool shared;        /* two values have one number */
   bool load_gone;     /* the divergence is that of a variable's contents which are not read now */
   hd_def **leader;    /* by number: the last value seen, to be replaced with */
   hd_def **outer;     /* by def index: the leader before it */
};

/* What a value is made of */

static const hd_intrinsic_info *
info_of(const hd_instr *i)
{
   return hd_instr_intrinsic_info(i);
}

/* Can it be the same as another one, and be left out then? Each volatile access is one of its own;
 * a coherent one wants to see what others wrote since.
 */
static bool
has_number(const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
   case HD_INSTR_PHI:
      return true;
   case HD_INSTR_INTRINSIC:
      return info_of(i)->flags & HD_CAN_ELIMINATE && hd_instr_def(i) &&
             !(hd_intrinsic_access(i, info_of(i)) & (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT));
   default:
      return false;
   }
}

static bool
reads_besides(const hd_instr *i)
{
   if (i->kind == HD_INSTR_INTRINSIC)
      return info_of(i)->reads || info_of(i)->flags & HD_CROSS_LANE;
   return i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR;
}

static bool
reads_lanes(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && info_of(i)->flags & HD_CROSS_LANE;
}

/* The same everywhere: it may be run at the start. */
static bool
is_given(const hd_instr *i)
{
   return i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF ||
          (i->kind == HD_INSTR_INTRINSIC && !i->num_srcs && info_of(i)->flags & HD_CAN_SPECULATE);
}

static uint64_t
mix(uint64_t h, uint32_t x)
{
   return (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The high bits of a product depend on all of what was multiplied. */
static uint32_t
fold(uint64_t h)
{
   return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static uint32_t
number_pair(struct state *s, uint32_t a, uint32_t b)
{
   uint64_t key = ((uint64_t)a << 32 | b) + 1;
   uint32_t h = fold(mix(mix(0, a), b)) & s->pair_mask;

   for (; s->pairs[h].key; h = (h + 1) & s->pair_mask) {
      if (s->pairs[h].key == key)
         return s->pairs[h].number;
   }
   s->pairs[h] = (struct pair){ key, ++s->num_pairs };
   s->known[s->num_pairs] = NONE;
   return s->num_pairs;
}

/* A number for the memory and the lanes that it sees: pairs of pairs. */
static uint32_t
context_of(struct state *s, const hd_version_walk *w, const hd_instr *i, uint32_t places)
{
   uint32_t context = 0;

   if (reads_lanes(i))
      context = number_pair(s, 0, s->lane_classes[block_slot(s->f, i->block)]);
   for (unsigned n = 0; places >> n; n++) {
      if (places >> n & 1)
         context = number_pair(s, context, w->current[n]);
   }
   return context;
}

static bool
is_commutative(const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && hd_op_get_info((hd_op)i->op)->flags & HD_OP_COMMUTATIVE;
}

static uint32_t
operand(const struct state *s, const hd_instr *i, unsigned n)
{
   return s->number[hd_instr_src(i, n)->def->index];
}

static uint32_t
hash_of(const struct state *s, const hd_instr *i)
{
   uint64_t h =
       mix((uint32_t)i->kind << 16 | i->op, (uint32_t)i->def.bit_size << 8 | i->def.num_components);
   unsigned n = 0, num = hd_instr_num_srcs(i);

   if (is_commutative(i)) {
      uint32_t a = operand(s, i, 0), b = operand(s, i, 1);
      h = mix(h, a < b ? a : b);
      h = mix(h, a < b ? b : a);
      n = 2;
   }
   for (; n < num; n++)
      h = mix(h, operand(s, i, n));
   if (i->kind == HD_INSTR_CONST) {
      const hd_const *c = (const hd_const *)i;
      for (n = 0; n < i->def.num_components; n++)
         h = mix(mix(h, (uint32_t)c->value[n].u64), (uint32_t)(c->value[n].u64 >> 32));
   } else if (i->kind == HD_INSTR_PHI) {
      h = mix(h, i->block->node.index);
   } else if (i->kind == HD_INSTR_INTRINSIC) {
      const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);
      for (n = 0; n < info_of(i)->num_indices; n++)
         h = mix(h, indices[n]);
   }
   return fold(s->context ? mix(h, s->context[i->def.index]) : h);
}

static bool
is_same(const struct state *s, const hd_instr *a, const hd_instr *b)
{
   unsigned n = 0, num = hd_instr_num_srcs(a);

   if (a->kind != b->kind || a->op != b->op || a->def.bit_size != b->def.bit_size ||
       a->def.num_components != b->def.num_components || num != hd_instr_num_srcs(b) ||
       (s->context && s->context[a->def.index] != s->context[b->def.index]))
      return false;
   if (is_commutative(a) && operand(s, a, 0) == operand(s, b, 1) &&
       operand(s, a, 1) == operand(s, b, 0))
      n = 2;
   for (; n < num; n++) {
      if (operand(s, a, n) != operand(s, b, n))
         return false;
   }
   switch ((hd_instr_kind)a->kind) {
   case HD_INSTR_CONST:
      return !memcmp(((const hd_const *)a)->value, ((const hd_const *)b)->value,
                     a->def.num_components * sizeof(hd_const_value));
   case HD_INSTR_PHI:
      return a->block == b->block;
   case HD_INSTR_INTRINSIC:
      return !memcmp(hd_intrinsic_indices((const hd_intrinsic *)a),
                     hd_intrinsic_indices((const hd_intrinsic *)b),
                     info_of(a)->num_indices * sizeof(uint32_t));
   default:
      return true;
   }
}

/* Numbers */

/* The number of the first value that is the same, which may be its own. */
static uint32_t
look_up(struct state *s, hd_instr *i)
{
   uint32_t hash = hash_of(s, i), h = hash & s->mask;

   for (; s->table[h].def != NONE; h = (h + 1) & s->mask) {
      if (s->table[h].hash == hash && is_same(s, s->instr[s->table[h].def], i))
         return s->table[h].def;
   }
   s->table[h] = (struct slot){ hash, i->def.index };
   return i->def.index;
}

/* What a variable, or an element of it, holds now. */
static uint32_t *
contents(struct state *s, const hd_version_walk *w, const hd_instr *i, unsigned index_at)
{
   const hd_var *var = ((const hd_var_access *)i)->var;
   uint32_t index = i->num_srcs > index_at ? operand(s, i, index_at) : NONE;
   uint32_t element = number_pair(s, number_pair(s, 0, NONE - 1 - var->index), index);
   uint32_t place = s->versions.var_place[var->index];

   return &s->known[number_pair(s, element, w->current[place ? place : HD_VARS_PLACE])];
}

static uint32_t
number_of(struct state *s, hd_version_walk *w, hd_instr *i, bool phis_differ)
{
   if (i->kind == HD_INSTR_LOAD_VAR) {
      uint32_t *known = contents(s, w, i, 0);
      if (*known == NONE)
         *known = i->def.index;
      return *known;
   }
   if (!has_number(i) || (phis_differ && i->kind == HD_INSTR_PHI))
      return i->def.index;
   if (i->kind == HD_INSTR_INTRINSIC && reads_besides(i))
      s->context[i->def.index] = context_of(s, w, i, hd_places_read(&s->versions, i));
   return look_up(s, i);
}

/* Does something reach it from further down in the order? */
static bool
is_header(const hd_block *b)
{
   const uint32_t place = hd_block_rpo_index(b);

   for (uint32_t n = 0; n < b->num_preds; n++) {
      if (hd_block_rpo_index(b->preds[n].from) >= place)
         return true;
   }
   return false;
}

static void
number_block(struct state *s, hd_block *b)
{
   const bool memory = s->context && hd_versions_touched(&s->versions, b);
   /* A phi can only be equal to another one of its block. */
   const hd_phi *first = hd_instr_as_phi(b->first);
   const bool two_phis = first && hd_instr_as_phi(first->instr.next);
   const bool header = two_phis && is_header(b);
   const bool phis_differ = !two_phis || (header && s->headers_apart);
   hd_version_walk w;

   if (memory)
      hd_version_walk_begin(&w, &s->versions, b);
   hd_foreach_instr(i, b) {
      assert(memory || i->kind != HD_INSTR_LOAD_VAR);
      if (hd_instr_def(i)) {
         const uint32_t own = i->def.index, number = number_of(s, &w, i, phis_differ);
         s->instr[own] = i;
         if (number != own) {
            s->optimistic |= header && i->kind == HD_INSTR_PHI;
            s->shared = true;
         }
         if (s->number[own] != number)
            s->changed = true;
         s->number[own] = number;
      }
      if (memory && hd_may_touch_memory(i)) {
         hd_version_walk_step(&w, i);
         if (i->kind == HD_INSTR_STORE_VAR)
            *contents(s, &w, i, 1) = operand(s, i, 0);
      }
   }
}

static void
number_all(struct state *s)
{
   uint32_t num = hd_function_num_reachable(s->f);
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);

   memset(s->table, 0xff, ((size_t)s->mask + 1) * sizeof(*s->table));
   if (s->pairs)
      memset(s->pairs, 0, ((size_t)s->pair_mask + 1) * sizeof(*s->pairs));
   s->num_pairs = 0;
   s->changed = s->optimistic = s->shared = false;
   for (uint32_t n = 0; n < num; n++)
      number_block(s, rpo[n]);
}

/* Each round only ever tells more values apart than the one before. */
static void
number_values(struct state *s)
{
   unsigned rounds = 2;

   for (uint64_t n = s->size; n; n /= 2)
      rounds++;
   number_all(s);
   if (!s->optimistic)
      return;
   do {
      pass_step(s->f, s->size);
      s->headers_apart = --rounds == 0;
      number_all(s);
   } while (s->changed && !s->headers_apart);
}

/* Replacing */

/* Promises that both made, and exactness that one of them wants. */
static void
weaken(hd_instr *i, const hd_instr *by)
{
   const unsigned promises = HD_FP_NO_NAN | HD_FP_NO_INF | HD_FP_NO_SIGNED_ZERO;

   if (i->kind == HD_INSTR_ALU)
      i->flags = (i->flags & by->flags & promises) | ((i->flags | by->flags) & HD_FP_EXACT);
}

static bool
has_same_operands(const hd_instr *a, const hd_instr *b)
{
   unsigned n = 0, num = hd_instr_num_srcs(a);

   if (a->kind != b->kind || num != hd_instr_num_srcs(b))
      return false;
   if (is_commutative(a) && hd_instr_src(a, 0)->def == hd_instr_src(b, 1)->def &&
       hd_instr_src(a, 1)->def == hd_instr_src(b, 0)->def)
      n = 2;
   while (n < num && hd_instr_src(a, n)->def == hd_instr_src(b, n)->def)
      n++;
   return n == num;
}

/* What the first block defines is of the same sweep in the second one, which it dominates: the
 * cycles around it are around both. Where cycles have several entries, that is not enough.
 */
static bool
same_lanes(const struct state *s, const hd_block *a, const hd_block *b)
{
   const hd_cycle *cycle = hd_block_cycle(a);

   return !cycle || (!s->many_entries && hd_cycle_contains(cycle, b));
}

/* Is the leader as uniform as the value, wherever that is read? It is known to dominate it. Only
 * what comes out of a cycle can be less so, and what is computed from that. (What was read from a
 * variable was called divergent in any case: the divergence is computed anew when that matters.)
 */
static bool
is_as_uniform(struct state *s, const hd_def *leader, const hd_instr *i)
{
   const hd_instr *by = hd_def_instr(leader);

   if (!hd_function_num_cycles(s->f) ||
       (same_lanes(s, by->block, i->block) && has_same_operands(by, i)))
      return true;
   hd_require(s->f, HD_META_DIVERGENCE);
   if (!hd_def_is_uniform(&i->def) || hd_def_is_uniform_at(leader, i->block))
      return true;
   if (!s->load_gone)
      return false;
   pass_step(s->f, s->size);
   hd_meta_invalidate(s->f, OPT_CSE_KEEPS);
   hd_require(s->f, HD_META_DIVERGENCE);
   s->load_gone = false;
   return !hd_def_is_uniform(&i->def) || hd_def_is_uniform_at(leader, i->block);
}

/* A leader that dominates the place, or NULL. Those that don't have been left for good: the walk
 * goes down the dominator tree, and comes back to no part of it.
 */
static hd_def *
find_leader(struct state *s, uint32_t number, const hd_block *b)
{
   hd_def **leader = &s->leader[number];

   while (*leader && !hd_block_dominates(hd_def_instr(*leader)->block, b))
      *leader = s->outer[(*leader)->index];
   return *leader;
}

static hd_def *
find_given(struct state *s, uint32_t number, const hd_block *b)
{
   hd_def *leader = s->leader[number];
   hd_instr *i = hd_def_instr(leader);

   if (!hd_block_dominates(i->block, b) || !same_lanes(s, i->block, b))
      hd_instr_move(hd_before_jump(hd_function_start(s->f)), i);
   return leader;
}

static bool
replace(struct state *s, hd_instr *i)
{
   uint32_t number = s->number[i->def.index];
   if (!s->leader[number]) {
      s->outer[i->def.index] = NULL;
      s->leader[number] = &i->def;
      return false;
   }
   bool given = is_given(i);
   hd_def *leader = given ? find_given(s, number, i->block) : find_leader(s, number, i->block);

   if (leader && (given || is_as_uniform(s, leader, i))) {
      weaken(hd_def_instr(leader), i);
      s->load_gone |= i->kind == HD_INSTR_LOAD_VAR;
      hd_def_replace_uses(&i->def, leader);
      hd_instr_remove(i);
      return true;
   }
   s->outer[i->def.index] = leader;
   s->leader[number] = &i->def;
   return false;
}

static void
begin(struct state *s)
{
   uint64_t num_reads = 0, slots = 16;
   bool lanes = false;
   uint32_t num = hd_function_num_reachable(s->f);
   hd_block *const *rpo = hd_function_rpo(s->f, NULL);

   hd_versions_compute(&s->versions, s->f);
   for (uint32_t n = 0; n < num; n++) {
      if (!hd_versions_touched(&s->versions, rpo[n]))
         continue;
      hd_foreach_instr(i, rpo[n]) {
         if (!hd_may_touch_memory(i))
            continue;
         num_reads += reads_besides(i);
         lanes |= reads_lanes(i);
      }
   }
   for (uint32_t n = 0; n < hd_function_num_cycles(s->f); n++)
      s->many_entries |= hd_function_cycle(s->f, n)->has_other_entries;
   s->size = s->versions.num_instrs + s->versions.num_srcs;
   pass_step(s->f, 3 * s->size);
   s->instr = hd_stack_alloc(s->stack, s->f->num_defs * sizeof(*s->instr));
   s->number = hd_stack_alloc(s->stack, s->f->num_defs * sizeof(*s->number));
   memset(s->number, 0xff, s->f->num_defs * sizeof(*s->number));
   while (slots < 2 * s->versions.num_instrs)
      slots *= 2;
   s->mask = (uint32_t)(slots - 1);
   s->table = hd_stack_alloc(s->stack, slots * sizeof(*s->table));
   if (!num_reads)
      return;
   for (slots = 16; slots < 2 * HD_NUM_PLACES / 4 * num_reads; slots *= 2)
      ;
   s->pair_mask = (uint32_t)(slots - 1);
   s->pairs = hd_stack_alloc(s->stack, slots * sizeof(*s->pairs));
   s->known = hd_stack_alloc(s->stack, slots * sizeof(*s->known));
   s->context = hd_stack_alloc_zero(s->stack, s->f->num_defs * sizeof(*s->context));
   if (lanes)
      s->lane_classes = hd_control_equivalent_blocks(s->f);
}

bool
hd_opt_cse(hd_function *f)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader) };
   bool progress = false;

   begin(&s);
   number_values(&s);
   if (!s.shared)
      return hd_progress(f, false, OPT_CSE_KEEPS);
   s.leader = hd_stack_alloc_zero(s.stack, f->num_defs * sizeof(hd_def *));
   s.outer = hd_stack_alloc(s.stack, f->num_defs * sizeof(hd_def *));
   for (hd_block *b = hd_function_start(f); b; b = hd_block_dom_next(b)) {
      hd_foreach_instr_safe(i, b) {
         if (hd_instr_def(i))
            progress |= replace(&s, i);
      }
   }
   return hd_progress(f, progress, OPT_CSE_KEEPS);
}
