/* SPDX-License-Identifier: MIT */
/* divergence.c - divergence analysis: which values are uniform, and which are divergent.
 *
 * An optimistic data-flow analysis. Every value is uniform until one of these makes it divergent:
 *
 *    sources            what the tables call divergent; parameters, except those of the entry; the
 *                       results of calls; values loaded from variables
 *    data dependence    an operand is divergent
 *    sync dependence    a phi at a block where lanes that diverged at a branch reconverge, if the
 *                       edges that they come by bring different values
 *    temporal divergence   a use outside of a loop whose iterations lanes leave at different times
 *
 * The split into data, sync and temporal dependence is that of Karrenberg and Hack, and of Rosemann,
 * Moll and Hack (An Abstract Interpretation for SPMD Divergence on Reducible Control Flow Graphs,
 * 2021). divergent_joins.c finds where the lanes of a divergent branch reconverge, on any graph. Each value,
 * branch, join and loop changes its state once; only then its dependents are visited. Inner branches
 * are visited first: where a branch inside of a loop and one around it make the same phis divergent,
 * the inner one is cheaper.
 *
 * An undefined lane does not make a value divergent: a phi of one value and of undefs has the
 * divergence of that value, because the undefined lanes may be taken to have the value too.
 */
#include "analysis/divergence.h"

static uint32_t
place_of_block(const hd_divergence_run *r, const hd_block *b)
{
   return place_of(&r->joins, b);
}

static bool
is_reachable(const hd_divergence_run *r, const hd_block *b)
{
   return place_of_block(r, b) < r->joins.num;
}

divergence_cause
hd_divergence_of_src(const hd_divergence_run *r, const hd_def *def, uint32_t place, bool by_phi)
{
   const hd_divergent_joins *p = &r->joins;
   const hd_block *from = hd_def_instr(def)->block;
   uint32_t at = place_of_block(r, from), c;

   if (r->cause[def->index])
      return CAUSE_OPERAND;
   if (hd_never_changes(def))
      return CAUSE_NONE;
   if (at >= p->num || (c = cycle_of(p, at)) == NONE)
      return CAUSE_NONE;
   if (r->inner_left[c] != NONE && !contains(p, r->inner_left[c], place))
      return CAUSE_EXIT;
   /* A phi reads its own block's values from before. */
   return r->joins.late[at] && (at != place || by_phi) ? CAUSE_LATE : CAUSE_NONE;
}

static void
set_divergent(hd_divergence_run *r, hd_def *def, divergence_cause cause, uint32_t by)
{
   if (r->one_lane || r->cause[def->index])
      return;
   r->cause[def->index] = (uint8_t)cause;
   r->by[def->index] = by;
   if (r->can_join[def->index])
      r->joins.num_wanted[place_of_block(r, hd_def_instr(def)->block)]--;
   r->work[r->num_work++] = def;
}

static void
set_branch(hd_divergence_run *r, const hd_block *b, divergence_cause why)
{
   uint32_t place = place_of_block(r, b);

   if (r->one_lane || b->num_succs < 2 || r->branch[place])
      return;
   r->branch[place] = true;
   r->branch_why[place] = (uint8_t)why;
   hd_low_heap_push(&r->branches, r->turn[place]);
}

/* Does the result follow its operands? Where not, it is a source or always uniform. */
static bool
follows_operands(const hd_instr *i)
{
   if (i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_PHI)
      return true;
   if (i->kind != HD_INSTR_INTRINSIC)
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   return info->divergence == HD_DIVERGENCE_OPERANDS || info->divergence == HD_DIVERGENCE_MEMORY;
}

static uint32_t
index_of(const hd_instr *i, hd_index index)
{
   return hd_intrinsic_index((const hd_intrinsic *)i, index);
}

/* Is the operand promised to be uniform? */
static bool
is_promised(const hd_instr *i, unsigned n)
{
   if (i->kind != HD_INSTR_INTRINSIC || !(i->flags & HD_ASSUME_UNIFORM))
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   unsigned flags = info->src[n].flags;
   return flags & HD_OPERAND_UNIFORM ||
          (flags & HD_OPERAND_DESCRIPTOR && !(index_of(i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM));
}

/* Does the result differ whatever the operands are? */
static bool
is_source(const hd_instr *i, bool same_params)
{
   if (i->kind == HD_INSTR_PARAM)
      return !same_params;
   if (i->kind == HD_INSTR_CALL || i->kind == HD_INSTR_LOAD_VAR)
      return true;
   if (i->kind != HD_INSTR_INTRINSIC)
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   switch ((hd_divergence)info->divergence) {
   case HD_DIVERGENCE_DIVERGENT:
      return true;
   case HD_DIVERGENCE_MEMORY:
      return index_of(i, HD_INDEX_ACCESS) & (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT);
   case HD_DIVERGENCE_CLUSTER:
      return index_of(i, HD_INDEX_CLUSTER_SIZE) != 0;
   default:
      return false;
   }
}

/* Are there two edges that carry lanes with different labels and give the phi different values? If
 * one of them, the first that is defined, is not in such a pair, then all others have its label or
 * its value, and two of those are a pair if they differ from it in different ways.
 */
static bool
differs_by_edge(const hd_divergence_run *r, const hd_phi *phi, uint32_t first_edge, bool back)
{
   const hd_divergent_joins *p = &r->joins;
   const hd_def *root = NULL;
   uint32_t label = NONE;
   bool other_root = false, other_label = false;

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      uint32_t e = first_edge + n;
      const hd_def *d = r->root[phi->srcs[n].src.def->index];
      if (!edge_has_label(p, e, back) || hd_def_instr(d)->kind == HD_INSTR_UNDEF)
         continue;
      if (!root) {
         root = d;
         label = p->edge_label[e];
         continue;
      }
      bool unlike = label == LABEL_MIXED || p->edge_label[e] != label;
      if (unlike && d != root)
         return true;
      other_label |= unlike;
      other_root |= d != root;
      if (other_label && other_root)
         return true;
   }
   return false;
}

/* Lanes that diverged reach this block together. */
static void
hear_met(void *user, uint32_t place, bool back)
{
   hd_divergence_run *r = user;
   hd_divergent_joins *p = &r->joins;

   hd_foreach_phi(phi, block_at(p, place)) {
      if (r->cause[phi->instr.def.index] || !r->can_join[phi->instr.def.index])
         continue;
      hd_divergent_joins_count(p, phi->num_srcs);
      if (differs_by_edge(r, phi, p->edge_begin[place], back))
         set_divergent(r, &phi->instr.def, CAUSE_JOIN, p->branch);
   }
}

/* What reads `src` in the reachable block `b`, where it differs for this reason. */
static void
follow_use(hd_divergence_run *r, const hd_src *src, const hd_block *b, divergence_cause why)
{
   hd_instr *i = hd_src_instr(src);

   if (!i || i->kind == HD_INSTR_JUMP) {
      set_branch(r, b, why);
      return;
   }
   if (!follows_operands(i) || r->cause[i->def.index])
      return;
   uint32_t n = 0;
   if (i->kind == HD_INSTR_PHI) {
      n = (uint32_t)((const hd_wide_src *)src - ((const hd_phi *)i)->srcs);
      if (!is_reachable(r, i->block->preds[n].from))
         return;
   } else {
      n = (uint32_t)(src - (const hd_src *)(i + 1));
      if (is_promised(i, n))
         return;
   }
   set_divergent(r, &i->def, why, n);
}

static void
look_at_uses(hd_divergence_run *r, const hd_def *def)
{
   hd_foreach_use(src, def) {
      /* Where it is read as far as cycles go: a phi's, when the lanes of its block are together. */
      const hd_instr *i = hd_src_instr(src);
      const hd_block *b = i ? i->block : hd_node_prev_block(&hd_src_if(src)->node);
      const uint32_t place = place_of_block(r, b);

      if (place >= r->joins.num)
         continue;
      const divergence_cause why =
          hd_divergence_of_src(r, def, place, i && i->kind == HD_INSTR_PHI);
      if (why)
         follow_use(r, src, b, why);
   }
}

/* A cycle is left in different sweeps: for what is defined in it, but not in an inner one that is
 * too, this is the one to ask. Inner ones come first where several are found at once, so that no
 * value is looked at again for each cycle around it.
 */
static void
set_cycle(hd_divergence_run *r, uint32_t cycle)
{
   hd_divergent_joins *p = &r->joins;
   const hd_cycle *c = cycle_at(p, cycle);
   uint64_t num = 0;

   for (uint32_t n = cycle; n <= cycle + c->num_inside; n++) {
      if (r->inner_left[n] != NONE && r->inner_left[n] >= cycle)
         n += cycle_at(p, n)->num_inside;
      else
         r->inner_left[n] = cycle;
   }
   for (uint32_t at = c->first; at < c->first + c->num_blocks; at++) {
      uint32_t inner = r->inner_left[cycle_of(p, at)];
      if (inner != cycle) {
         at = cycle_at(p, inner)->first + cycle_at(p, inner)->num_blocks - 1;
         continue;
      }
      hd_foreach_instr(i, block_at(p, at)) {
         num++;
         if (hd_instr_def(i))
            look_at_uses(r, &i->def);
      }
   }
   hd_heap_step(hd_shader_heap(p->f->shader), num);
}

/* Values first, then what cycles and branches do to others. */
static void
run_to_the_end(hd_divergence_run *r)
{
   hd_divergent_joins *p = &r->joins;

   for (;;) {
      if (r->num_work)
         look_at_uses(r, r->work[--r->num_work]);
      else if (p->left.num)
         set_cycle(r, UINT32_MAX - hd_low_heap_pop(&p->left));
      else if (r->branches.num)
         hd_part_at(p, r->of_turn[hd_low_heap_pop(&r->branches)]);
      else
         return;
   }
}

static bool
has_one_lane(const hd_shader *shader)
{
   const uint32_t *size = shader->workgroup_size;

   return shader->subgroup_size == 1 || (size[0] == 1 && size[1] == 1 && size[2] == 1);
}

/* How many values are looked at before it is not sure. */
#define MOST_ASKED 16u

bool
hd_is_surely_divergent(const hd_def *def)
{
   const hd_def *asked[MOST_ASKED] = { def };
   unsigned num = 1;

   if (has_one_lane(hd_block_function(hd_def_instr(def)->block)->shader))
      return false;
   for (unsigned n = 0; n < num; n++) {
      const hd_instr *i = hd_def_instr(asked[n]);

      if (is_source(i, true))
         return true;
      /* A phi can be a copy. */
      if (!follows_operands(i) || i->kind == HD_INSTR_PHI)
         continue;
      for (unsigned s = 0; s < i->num_srcs && num < MOST_ASKED; s++) {
         const hd_def *operand = hd_instr_src(i, s)->def;
         unsigned k = 0;

         /* Constants and what many read would take the place of others. */
         while (k < num && asked[k] != operand)
            k++;
         if (k == num && !hd_never_changes(operand) && !is_promised(i, s))
            asked[num++] = operand;
      }
   }
   return false;
}

/* The launch gives all lanes the same parameters, a caller perhaps not. */
static bool
has_same_params(const hd_function *f)
{
   if (f != f->shader->first_function)
      return false;
   if (!f->num_params)
      return true;
   hd_foreach_function(other, f->shader) {
      hd_foreach_block(b, other) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call && call->callee == f)
               return false;
         }
      }
   }
   return true;
}

/* Do two edges that lanes can come by together give the phi different values? */
static bool
can_differ_by_edge(const hd_divergence_run *r, const hd_phi *phi, uint32_t first_edge)
{
   const hd_divergent_joins *p = &r->joins;
   const hd_def *root[2] = { NULL, NULL };

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      const hd_def *d = r->root[phi->srcs[n].src.def->index];
      if (hd_def_instr(d)->kind == HD_INSTR_UNDEF || edge_from(p, first_edge + n) >= p->num)
         continue;
      bool back = goes_back_to(p, first_edge + n) != NONE;
      if (root[back] && root[back] != d)
         return true;
      root[back] = d;
   }
   return false;
}

/* What joins can be found to differ. */
static void
find_joins(hd_divergence_run *r)
{
   hd_divergent_joins *p = &r->joins;
   uint64_t num = 0;

   for (uint32_t at = 0; at < p->num; at++) {
      hd_foreach_phi(phi, block_at(p, at)) {
         num += phi->num_srcs;
         if (!can_differ_by_edge(r, phi, p->edge_begin[at]))
            continue;
         r->can_join[phi->instr.def.index] = true;
         p->num_wanted[at]++;
      }
   }
   hd_heap_step(hd_shader_heap(p->f->shader), num);
}

/* The order in which branches are followed. A cycle's index is above those of the ones around it.
 */
static void
find_turns(hd_divergence_run *r)
{
   const hd_divergent_joins *p = &r->joins;
   hd_stack *stack = hd_shader_stack(p->f->shader);
   uint32_t num_cycles = p->basis.cycles->num_cycles;
   uint32_t *begin = scratch_fill(stack, num_cycles + 2, 0);

   r->turn = scratch(stack, p->num);
   r->of_turn = scratch(stack, p->num);
   for (uint32_t at = 0; at < p->num; at++) {
      uint32_t c = cycle_of(p, at);
      begin[(c == NONE ? num_cycles : num_cycles - 1 - c) + 1]++;
   }
   for (uint32_t n = 0; n <= num_cycles; n++)
      begin[n + 1] += begin[n];
   for (uint32_t at = p->num; at--;) {
      uint32_t c = cycle_of(p, at);
      uint32_t turn = begin[c == NONE ? num_cycles : num_cycles - 1 - c]++;
      r->turn[at] = turn;
      r->of_turn[turn] = at;
   }
}

void
hd_divergence_compute(hd_divergence_run *r, hd_function *f, const hd_basis *basis)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_divergent_joins *p = &r->joins;

   *r = (hd_divergence_run){ .one_lane = has_one_lane(f->shader) };
   hd_divergent_joins_init(p, f, basis);
   p->user = r;
   p->met = hear_met;
   r->same_params = has_same_params(f);
   r->cause = memset(hd_stack_alloc(stack, f->num_defs + 1u), 0, f->num_defs + 1u);
   r->by = scratch(stack, f->num_defs);
   r->root = hd_stack_alloc_zero(stack, (f->num_defs + 1u) * sizeof(*r->root));
   r->work = hd_stack_alloc(stack, (f->num_defs + 1u) * sizeof(*r->work));
   r->branch = memset(hd_stack_alloc(stack, p->num + 1), 0, p->num + 1);
   r->branch_why = memset(hd_stack_alloc(stack, p->num + 1), 0, p->num + 1);
   r->branches.item = scratch(stack, p->num);
   find_turns(r);
   r->inner_left = scratch_fill(stack, basis->cycles->num_cycles, 0xff);
   hd_find_roots(r);
   r->can_join = memset(hd_stack_alloc(stack, f->num_defs + 1u), 0, f->num_defs + 1u);
   find_joins(r);
   for (uint32_t at = 0; at < p->num; at++) {
      uint64_t num = 0;
      hd_foreach_instr(i, block_at(p, at)) {
         num++;
         if (hd_instr_def(i) && is_source(i, r->same_params))
            set_divergent(r, &i->def, CAUSE_SOURCE, 0);
         /* Uniform where it is defined, and yet not where it is read. */
         else if (hd_instr_def(i) && r->joins.late[at])
            look_at_uses(r, &i->def);
      }
      hd_heap_step(hd_shader_heap(f->shader), num);
   }
   run_to_the_end(r);
}

/* The metadata: a bit a value, a bit a branch, and for each block what cycle is to be asked. */

void *
hd_compute_divergence(hd_function *f, const struct dom_meta *dom, const struct cycle_meta *cycles,
                      size_t *size)
{
   const hd_basis basis = { dom, cycles, false };
   size_t num_slots = (size_t)f->num_blocks + 1, num_bytes = f->num_defs + 1u;
   hd_divergence_run r;

   hd_divergence_compute(&r, f, &basis);
   *size = sizeof(struct divergence_meta) + num_slots * sizeof(struct divergence_node) + num_bytes;
   struct divergence_meta *m = hd_heap_alloc(hd_shader_heap(f->shader), *size);
   if (!m)
      return NULL;
   *m = (struct divergence_meta){ .num_defs = f->num_defs };
   m->node = (struct divergence_node *)(m + 1);
   m->divergent = (uint8_t *)(m->node + num_slots);
   memset(m->node, 0, num_slots * sizeof(*m->node));
   for (size_t n = 0; n < num_slots; n++)
      m->node[n].place = NONE;
   memcpy(m->divergent, r.cause, num_bytes);
   for (uint32_t n = 0; n < f->num_defs; n++)
      m->divergent[n] = m->divergent[n] != CAUSE_NONE;
   const hd_divergent_joins *p = &r.joins;
   for (uint32_t at = 0; at < p->num; at++) {
      struct divergence_node *node = &m->node[block_slot(f, block_at(p, at))];
      uint32_t c = cycle_of(p, at), left = c == NONE ? NONE : r.inner_left[c];
      node->place = at;
      node->left_begin = left == NONE ? 0 : cycle_at(p, left)->first;
      node->left_size = left == NONE ? NONE : cycle_at(p, left)->num_blocks;
      node->branch = r.branch[at];
      node->late = p->late[at];
      node->keeps = p->keeps[at];
   }
   return m;
}

const char *
hd_compare_divergence(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct divergence_meta *x = a, *y = b;

   hd_foreach_block(blk, f) {
      const struct divergence_node *m = &x->node[block_slot(f, blk)];
      const struct divergence_node *n = &y->node[block_slot(f, blk)];

      *block = blk;
      hd_foreach_instr(i, blk) {
         if (hd_instr_def(i) && x->divergent[i->def.index] != y->divergent[i->def.index])
            return "whether a value of it is uniform";
      }
      if (m->branch != n->branch)
         return "whether its branch is divergent";
      if (m->place != n->place || m->left_begin != n->left_begin || m->left_size != n->left_size ||
          m->late != n->late)
         return "whether its values are uniform elsewhere";
      if (m->keeps != n->keeps)
         return "whether its branch keeps the sweep";
   }
   return NULL;
}

bool
hd_def_is_uniform(const hd_def *def)
{
   const struct divergence_meta *m = DIVERGENCE_META(hd_block_function(hd_def_instr(def)->block));

   assert(def->index < m->num_defs && "a value that is newer than the analysis");
   return def->index < m->num_defs && !m->divergent[def->index];
}

bool
hd_def_is_uniform_at(const hd_def *def, const hd_block *to)
{
   const hd_block *from = hd_def_instr(def)->block;
   const hd_function *f = hd_block_function(to);
   const struct divergence_meta *m = DIVERGENCE_META(f);
   const struct divergence_node *a = &m->node[block_slot(f, from)];
   const struct divergence_node *b = &m->node[block_slot(f, to)];

   if (!hd_def_is_uniform(def))
      return false;
   if (from == to || a->place == NONE || b->place == NONE || hd_never_changes(def))
      return true;
   return b->place - a->left_begin < a->left_size && !a->late;
}

hd_cycle *
hd_block_left_cycle(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);
   const struct divergence_node *n = &DIVERGENCE_META(f)->node[block_slot(f, block)];
   uint32_t num;

   if (n->place == NONE || n->left_size == NONE)
      return NULL;
   return hd_block_headed_cycle(hd_function_sweep(f, &num)[n->left_begin]);
}

bool
hd_src_is_uniform(const hd_src *src)
{
   return hd_def_is_uniform_at(src->def, hd_src_block(src));
}

bool
hd_block_is_divergent_branch(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);
   const struct divergence_node *n = &DIVERGENCE_META(f)->node[block_slot(f, block)];

   return n->place != NONE && n->branch;
}
