/* SPDX-License-Identifier: MIT */
/* opt_vars_to_ssa.c - mem2reg: promote local variables to SSA values and phis.
 *
 *    if %c {                                  if %c {
 *      store_var $x, %1                       } else {
 *    } else {                      =>         }
 *      store_var $x, %2                       %3 = phi %1, %2
 *    }
 *    %3 = load_var $x
 *
 * Every variable that is not an array is promoted. A load before any store gives undef.
 *
 * SSA construction on demand, pruned: instead of placing phis at iterated dominance frontiers
 * (Cytron and others, 1991), each load that no store of its block precedes searches upwards in the
 * dominator tree for the value at the head of its block. The search ends at a block that stores the
 * variable, or below it at a join that a store may reach past the immediate dominator: that join
 * gets a phi, whose sources are searched for in the same way. So phis are made only for values that
 * are read. The search skips blocks by jump pointers (dominator_jumps.h). If the store does not reach the
 * join after all, the phi is redundant, and is removed at the end.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    arrays to opt_vars_split (SROA); unused values to opt_dce.
 * Tests:     tests/passes/opt_vars_to_ssa.hd, tests/passes/test_vars.c, tests/passes/test_run.c
 */
#include "passes/dominator_jumps.h"
#include "passes/pass.h"
#include "passes/phis.h"

#include "ir/repair.h"

/* The last store to a variable in a block. */
struct store {
   hd_block *block;
   hd_def *value;
   uint32_t sweep;              /* position of the block in the sweep order */
   uint32_t depth;              /* how many stores are above it */
   struct store *parent, *jump; /* above it, in the dominator tree: the nearest; one further up */
   struct store *next_in_block; /* to another variable */
   uint32_t var;
};

/* A load that comes before all accesses of its block. */
struct load {
   hd_instr *instr;
   struct load *next;
};

/* A join with a phi for the variable at hand. */
struct place {
   hd_phi *phi;
   struct place *next;
};

struct variable {
   struct store *stores; /* in sweep order */
   struct store **tree;  /* the same in the preorder of the dominator tree */
   uint32_t num_stores, num_tree;
   struct load *loads;
   /* While the blocks are read: what it is at this place of the block. */
   const hd_block *block;
   hd_def *value;
};

struct state {
   hd_function *f;
   hd_stack *stack;
   struct dominator_jumps ways;
   struct variable *vars;    /* by index */
   const struct variable *v; /* the one at hand */
   const hd_var *var;        /* the same */
   hd_var_access **accesses; /* all, in the order of the text */
   uint32_t num_accesses, access_capacity;
   uint32_t *first_access;      /* by block index: 1 + its first access, or 0 */
   struct store **block_stores; /* by block index: the first */
   hd_def **alias;              /* by def index: what a load turned out to be; NULL: itself */
   uint32_t num_alias;
   hd_phi **phi_at;             /* by block index: the phi of the variable at hand */
   struct place *places, **end; /* of the variable at hand */
   hd_phi **phis;               /* all that were made */
   uint32_t num_phis, phi_capacity;
   hd_undefs undefs;
};

static hd_var_access *
as_access(const hd_instr *i)
{
   hd_var_access *access = hd_instr_as_var_access(i);

   return access && !access->var->array_length ? access : NULL;
}

static hd_def *
undef(struct state *s, const hd_var *var)
{
   return hd_undefs_get(&s->undefs, var->num_components, var->bit_size);
}

/* Reading the blocks */

static void
read_access(struct state *s, hd_block *b, hd_var_access *access)
{
   struct variable *v = &s->vars[access->var->index];
   const bool known = v->block == b;

   v->block = b;
   if (access->instr.kind == HD_INSTR_LOAD_VAR) {
      if (known) {
         s->alias[access->instr.def.index] = v->value;
         return;
      }
      struct load *load = hd_stack_alloc(s->stack, sizeof(*load));
      *load = (struct load){ &access->instr, v->loads };
      v->loads = load;
      v->value = &access->instr.def;
      return;
   }
   v->value = access->src[0].def;
   if (!hd_dominator_jumps_reaches(&s->ways, b))
      return;
   struct store *store = v->num_stores ? &v->stores[v->num_stores - 1] : NULL;
   if (!store || store->block != b) {
      store = &v->stores[v->num_stores++];
      *store = (struct store){ .block = b,
                               .sweep = way_of(&s->ways, b)->place,
                               .next_in_block = s->block_stores[b->node.index],
                               .var = access->var->index };
      s->block_stores[b->node.index] = store;
   }
   store->value = v->value;
}

/* A list of pointers with room for one more. */
static void *
with_room(struct state *s, void *list, uint32_t num, uint32_t *capacity)
{
   if (num < *capacity)
      return list;
   *capacity = *capacity * 2 + 64;
   void *larger = hd_stack_alloc(s->stack, *capacity * sizeof(void *));
   if (num)
      memcpy(larger, list, num * sizeof(void *));
   return larger;
}

static void
add_access(struct state *s, hd_var_access *access)
{
   s->accesses = with_room(s, s->accesses, s->num_accesses, &s->access_capacity);
   s->accesses[s->num_accesses++] = access;
   if (access->instr.kind == HD_INSTR_STORE_VAR)
      s->vars[access->var->index].num_stores++;
}

/* All accesses, and how many stores each variable has. */
static void
find_accesses(struct state *s)
{
   s->first_access = hd_stack_alloc_zero(s->stack, s->f->num_blocks * sizeof(*s->first_access));
   hd_foreach_block(b, s->f) {
      const uint32_t first = s->num_accesses;
      uint32_t num = 1;
      hd_foreach_instr(i, b) {
         hd_var_access *access = as_access(i);
         num++;
         if (access)
            add_access(s, access);
      }
      pass_step(s->f, num);
      if (first < s->num_accesses)
         s->first_access[b->node.index] = 1 + first;
   }
}

static void
read_blocks(struct state *s)
{
   uint32_t num_blocks;
   hd_block *const *sweep = hd_function_sweep(s->f, &num_blocks);

   hd_foreach_var(var, s->f) {
      struct variable *v = &s->vars[var->index];
      v->stores = hd_stack_alloc(s->stack, (v->num_stores + 1) * sizeof(*v->stores));
      v->tree = hd_stack_alloc(s->stack, (v->num_stores + 1) * sizeof(*v->tree));
      v->num_stores = 0;
   }
   for (uint32_t n = 0; n < num_blocks; n++) {
      const uint32_t first = s->first_access[sweep[n]->node.index];
      for (uint32_t a = first ? first - 1 : s->num_accesses;
           a < s->num_accesses && s->accesses[a]->instr.block == sweep[n]; a++)
         read_access(s, sweep[n], s->accesses[a]);
   }
}

/* In the preorder of the dominator tree, what is above a store is the store before it, or above
 * that.
 */
static void
add_to_tree(struct variable *v, struct store *store)
{
   struct store *up = v->num_tree ? v->tree[v->num_tree - 1] : NULL;

   while (up && !hd_block_dominates(up->block, store->block))
      up = up->parent;
   store->parent = up;
   store->jump = up ? up : store;
   store->depth = up ? up->depth + 1 : 0;
   if (up && up->depth - up->jump->depth == up->jump->depth - up->jump->jump->depth)
      store->jump = up->jump->jump;
   v->tree[v->num_tree++] = store;
}

static void
build_trees(struct state *s)
{
   for (uint32_t n = 0; n < s->ways.num; n++) {
      struct store *st = s->block_stores[s->ways.down[n]->node.index];
      for (; st; st = st->next_in_block)
         add_to_tree(&s->vars[st->var], st);
   }
}

/* Looking for values */

/* How many stores are before this position in the sweep. */
static uint32_t
stores_before(const struct variable *v, uint32_t place)
{
   uint32_t low = 0, high = v->num_stores;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (v->stores[middle].sweep < place)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

static bool
has_store_between(const struct variable *v, uint32_t first, uint32_t end)
{
   return stores_before(v, first) < stores_before(v, end);
}

/* The nearest store above a block, not in it. */
static const struct store *
store_above(const struct state *s, const hd_block *b)
{
   const struct variable *v = s->v;
   uint32_t low = 0, high = v->num_tree, in = way_of(&s->ways, b)->in;

   while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (way_of(&s->ways, v->tree[middle]->block)->in < in)
         low = middle + 1;
      else
         high = middle;
   }
   const struct store *st = low ? v->tree[low - 1] : NULL;
   while (st && !hd_block_dominates(st->block, b))
      st = hd_block_dominates(st->jump->block, b) ? st->parent : st->jump->parent;
   return st;
}

/* May a store flow into this join by another way than through its immediate dominator? Yes may be
 * wrong. Either it comes from a cycle that the way enters here, or it stands between the two in the
 * sweep; there it must lead as far as the join, which is asked of the last few.
 */
static bool
is_place(const struct state *s, const hd_block *b)
{
   const struct variable *v = s->v;
   const hd_cycle *entered;

   if (s->phi_at[b->node.index] || s->ways.late)
      return true;
   entered = hd_dominator_jumps_entered(&s->ways, b);
   if (entered && has_store_between(v, entered->first, entered->first + entered->num_blocks))
      return true;
   uint32_t place = way_of(&s->ways, b)->place, limit = way_of(&s->ways, hd_block_idom(b))->place;
   uint32_t n = stores_before(v, place);
   for (uint32_t tries = 0; n-- && v->stores[n].sweep > limit; tries++) {
      const hd_block *from = v->stores[n].block;
      const hd_cycle *c = hd_block_cycle(from);
      if (tries == 8 || (c && !hd_cycle_contains(c, b)) || way_of(&s->ways, from)->far >= place)
         return true;
   }
   return false;
}

/* The next join above, where a store may come in. The highest block that comes after all stores
 * before this one is not above it; nor is the block by which the way enters the innermost cycle
 * with a store after this one.
 */
static hd_block *
next_join(const struct state *s, hd_block *b)
{
   const struct variable *v = s->v;
   hd_block *near = NULL, *up = hd_block_idom(b);

   if (!up)
      return NULL;
   hd_block *join = way_of(&s->ways, up)->join;
   if (s->ways.late || !join)
      return join;
   uint32_t n = stores_before(v, way_of(&s->ways, b)->place);
   if (n) {
      hd_block *past = hd_dominator_jumps_past(&s->ways, b, v->stores[n - 1].sweep);
      near = past == b ? join : way_of(&s->ways, past)->join;
   }
   if (n < v->num_stores) {
      const hd_cycle *c = hd_dominator_jumps_around(&s->ways, b, v->stores[n].sweep);
      hd_block *in = c ? hd_dominator_jumps_inside(&s->ways, b, c) : NULL;
      hd_block *other = !in ? NULL : in == b ? join : way_of(&s->ways, in)->join;
      if (!near || (other && way_of(&s->ways, other)->depth > way_of(&s->ways, near)->depth))
         near = other;
   }
   return near;
}

static hd_def *
make_place(struct state *s, hd_block *b)
{
   hd_phi **at = &s->phi_at[b->node.index];

   if (*at)
      return &(*at)->instr.def;
   hd_phi *phi =
       hd_phi_create(s->f->shader, s->var->num_components, s->var->bit_size, b->num_preds);
   hd_instr_link(b, NULL, &phi->instr);
   struct place *place = hd_stack_alloc(s->stack, sizeof(*place));
   *place = (struct place){ phi, NULL };
   *s->end = place;
   s->end = &place->next;
   *at = phi;
   return &phi->instr.def;
}

static hd_def *
value_at_head(struct state *s, hd_block *b)
{
   const struct store *above = store_above(s, b);

   for (hd_block *at = b; at; at = next_join(s, at)) {
      pass_step(s->f, 1);
      /* A store in the join itself comes after its phi. */
      if (above && at != b && hd_block_dominates(at, above->block))
         break;
      if (way_of(&s->ways, at)->join == at && is_place(s, at))
         return make_place(s, at);
   }
   return above ? above->value : undef(s, s->var);
}

/* The store in a block, or NULL. Most blocks have few. */
static const struct store *
store_in(const struct state *s, const hd_block *b)
{
   const struct store *st = s->block_stores[b->node.index];

   for (unsigned tries = 0; st && tries < 8; tries++, st = st->next_in_block) {
      if (st->var == s->var->index)
         return st;
   }
   if (!st)
      return NULL;
   const uint32_t place = way_of(&s->ways, b)->place, n = stores_before(s->v, place);
   return n < s->v->num_stores && s->v->stores[n].sweep == place ? &s->v->stores[n] : NULL;
}

static hd_def *
value_at_end(struct state *s, hd_block *b)
{
   if (!hd_dominator_jumps_reaches(&s->ways, b))
      return undef(s, s->var);
   const struct store *st = store_in(s, b);
   return st ? st->value : value_at_head(s, b);
}

/* What a value is once the loads are gone. */
static hd_def *
resolve(struct state *s, hd_def *def)
{
   hd_def *end = def;

   while (end->index < s->num_alias && s->alias[end->index])
      end = s->alias[end->index];
   while (def != end) {
      hd_def *next = s->alias[def->index];
      s->alias[def->index] = end;
      def = next;
   }
   return end;
}

static void
remember_phi(struct state *s, hd_phi *phi)
{
   s->phis = with_room(s, s->phis, s->num_phis, &s->phi_capacity);
   s->phis[s->num_phis++] = phi;
}

static void
find_values(struct state *s, const hd_var *var)
{
   s->v = &s->vars[var->index];
   s->var = var;
   s->places = NULL;
   s->end = &s->places;
   for (const struct load *load = s->v->loads; load; load = load->next) {
      hd_block *b = load->instr->block;
      s->alias[load->instr->def.index] =
          hd_dominator_jumps_reaches(&s->ways, b) ? value_at_head(s, b) : undef(s, var);
   }
   /* The list grows while it is walked. */
   for (struct place *place = s->places; place; place = place->next) {
      hd_phi *phi = place->phi;
      pass_step(s->f, phi->num_srcs);
      for (uint32_t n = 0; n < phi->num_srcs; n++)
         hd_src_set_def(&phi->srcs[n].src, value_at_end(s, phi->instr.block->preds[n].from));
      remember_phi(s, phi);
   }
   for (struct place *place = s->places; place; place = place->next)
      s->phi_at[place->phi->instr.block->node.index] = NULL;
}

static void
remove_accesses(struct state *s)
{
   for (uint32_t n = 0; n < s->num_accesses; n++) {
      hd_instr *i = &s->accesses[n]->instr;
      if (i->kind == HD_INSTR_LOAD_VAR)
         hd_def_replace_uses(&i->def, resolve(s, &i->def));
   }
   for (uint32_t n = 0; n < s->num_accesses; n++)
      hd_instr_remove(&s->accesses[n]->instr);
}

static void
to_ssa(struct state *s)
{
   hd_function *f = s->f;

   hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES);
   s->num_alias = f->num_defs;
   s->alias = hd_stack_alloc_zero(s->stack, (f->num_defs + 1) * sizeof(*s->alias));
   s->block_stores = hd_stack_alloc_zero(s->stack, f->num_blocks * sizeof(*s->block_stores));
   s->phi_at = hd_stack_alloc_zero(s->stack, f->num_blocks * sizeof(*s->phi_at));
   hd_undefs_init(&s->undefs, f);
   hd_dominator_jumps_init(&s->ways, f);
   read_blocks(s);
   build_trees(s);
   hd_foreach_var(var, f) {
      if (!var->array_length)
         find_values(s, var);
   }
   remove_accesses(s);
   hd_remove_redundant_phis(f, s->phis, s->num_phis, false);
}

bool
hd_opt_vars_to_ssa(hd_function *f)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader) };
   bool progress = false;

   bool any = false;
   hd_foreach_var(var, f)
      any |= !var->array_length;
   if (!any)
      return hd_progress(f, false, OPT_VARS_TO_SSA_KEEPS);
   s.vars = hd_stack_alloc_zero(s.stack, f->num_vars * sizeof(*s.vars));
   find_accesses(&s);
   if (s.num_accesses)
      to_ssa(&s);
   for (hd_var *var = f->first_var, *next; var; var = next) {
      next = var->next;
      if (var->array_length)
         continue;
      hd_var_remove(f, var);
      progress = true;
   }
   return hd_progress(f, progress, OPT_VARS_TO_SSA_KEEPS);
}
