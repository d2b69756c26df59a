/* SPDX-License-Identifier: MIT */
#include "naive_divergence.h"

#include <assert.h>
#include <string.h>

#include "heddle/ops.h"

#define BIT(n) ((set)1 << (n))
#define MAX    8 /* blocks, the end block included */

/* Two lanes on their way: where each waits, and the block it came from. */
struct pair {
   int at[2], from[2];
   int now;     /* the block that ran last */
   set left[2]; /* cycles that this lane left since they parted */
};

static int
end_of(const struct naive_divergence *n, int cycle)
{
   uint32_t end = 0;

   for (int b = 0; b < n->g.num; b++) {
      if (n->g.cycle[cycle].all & BIT(b) && n->place[b] + 1 > end)
         end = n->place[b] + 1;
   }
   return (int)end;
}

/* The lane that runs next; 2: both, together. */
static int
who_is_next(const struct naive_divergence *n, const struct pair *s)
{
   uint32_t from = n->place[s->now] + 1;
   int cycle = naive_inner(&n->g, s->now);

   if (s->at[0] == s->at[1])
      return 2;
   for (;; cycle = n->g.cycle[cycle].parent) {
      uint32_t end = cycle < 0 ? UINT32_MAX : (uint32_t)end_of(n, cycle), best = end;
      int who = -1;
      for (int l = 0; l < 2; l++) {
         uint32_t place = n->place[s->at[l]];
         if (place >= from && place < best) {
            best = place;
            who = l;
         }
      }
      for (int l = 0; l < 2 && who < 0; l++) {
         if (cycle >= 0 && n->g.cycle[cycle].header == s->at[l])
            who = l;
      }
      if (who >= 0)
         return who;
      assert(cycle >= 0);
      from = end;
   }
}

/* One lane goes on: leaves cycles, goes back to a header. */
static void
move(struct naive_divergence *n, struct pair *s, int who, int to)
{
   int from = s->at[who], other = 1 - who;

   /* A header begins a sweep, and with it the cycles inside anew. */
   for (int c = 0; c < n->g.num_cycles; c++) {
      for (int d = 0; d < n->g.num_cycles && n->g.cycle[c].header == from; d++) {
         if (d != c && (n->g.cycle[d].all & ~n->g.cycle[c].all) == 0) {
            s->left[0] &= ~BIT(d);
            s->left[1] &= ~BIT(d);
         }
      }
   }
   for (int c = 0; c < n->g.num_cycles; c++) {
      const struct naive_cycle *cycle = &n->g.cycle[c];
      if (cycle->all & BIT(from) && !(cycle->all & BIT(to)))
         s->left[who] |= BIT(c);
      if (!(cycle->all & BIT(from)) && cycle->all & BIT(to))
         s->left[who] &= ~BIT(c);
      if (cycle->all & BIT(from) && cycle->header == to && s->left[other] & BIT(c))
         n->left[c] = true;
   }
   s->now = from;
   s->from[who] = from;
   s->at[who] = to;
}

static void
part_at(struct naive_divergence *n, int branch)
{
   static struct pair work[1 << 17];
   static uint8_t seen[MAX * MAX * MAX * MAX * MAX * 256 / 8 + 1];
   const unsigned blocks = (unsigned)n->g.num, sets = 1u << n->g.num_cycles;
   int num = 0, end = n->g.num - 1;

   assert(n->g.num <= MAX && n->g.num_cycles <= 4);
   memset(seen, 0, (size_t)blocks * blocks * blocks * blocks * blocks * sets * sets / 8 + 1);
   for (int a = 0; a < n->g.num_succs[branch]; a++) {
      for (int b = 0; b < n->g.num_succs[branch]; b++) {
         struct pair s = { { branch, branch }, { branch, branch }, branch, { 0, 0 } };
         if (a == b || n->g.succ[branch][a] == end || n->g.succ[branch][b] == end)
            continue;
         move(n, &s, 0, n->g.succ[branch][a]);
         move(n, &s, 1, n->g.succ[branch][b]);
         work[num++] = s;
      }
   }
   while (num) {
      struct pair s = work[--num];
      unsigned key = 0;
      for (int l = 0; l < 2; l++) {
         key = key * blocks + (unsigned)s.at[l];
         key = key * blocks + (unsigned)s.from[l];
         key = key * sets + s.left[l];
      }
      key = key * blocks + (unsigned)s.now;
      if (seen[key / 8] >> key % 8 & 1)
         continue;
      seen[key / 8] |= (uint8_t)(1u << key % 8);
      int who = who_is_next(n, &s);
      if (who == 2) {
         n->together[s.at[0]][s.from[0]][s.from[1]] = true;
         n->together[s.at[0]][s.from[1]][s.from[0]] = true;
         continue;
      }
      for (int k = 0; k < n->g.num_succs[s.at[who]]; k++) {
         struct pair next = s;
         if (n->g.succ[s.at[who]][k] == end)
            continue;
         move(n, &next, who, n->g.succ[s.at[who]][k]);
         assert(num < (1 << 17) - 1);
         work[num++] = next;
      }
   }
}

static bool
is_undef(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_UNDEF;
}

static bool
same_const(const hd_def *a, const hd_def *b)
{
   const hd_const *x = hd_instr_as_const(hd_def_instr(a)), *y = hd_instr_as_const(hd_def_instr(b));

   if (!x || !y || a->bit_size != b->bit_size || a->num_components != b->num_components)
      return false;
   return !memcmp(x->value, y->value, a->num_components * sizeof(x->value[0]));
}

static bool
reachable(const struct naive_divergence *n, const hd_block *b)
{
   return n->g.reachable & BIT(naive_index(&n->g, b));
}

/* What the sources of a phi agree on, from what is known of them. */
static const hd_def *
agreed(const struct naive_divergence *n, const hd_phi *phi)
{
   int block = naive_index(&n->g, phi->instr.block);
   const hd_def *found = NULL;

   for (uint32_t i = 0; i < phi->num_srcs; i++) {
      const hd_def *root = n->root[phi->srcs[i].src.def->index];
      if (!root || root == &phi->instr.def || !reachable(n, phi->instr.block->preds[i].from))
         continue;
      if (!found || is_undef(found))
         found = root;
      else if (found != root && !is_undef(root))
         return &phi->instr.def;
   }
   if (!found || is_undef(found) || hd_def_instr(found)->kind == HD_INSTR_CONST)
      return found;
   int at = naive_index(&n->g, hd_def_instr(found)->block);
   if (naive_dominates(&n->g, block, at))
      return &phi->instr.def;
   for (int c = 0; c < n->g.num_cycles; c++) {
      if (n->g.cycle[c].header == block && n->g.cycle[c].all & BIT(at))
         return &phi->instr.def;
   }
   return found;
}

static void
find_roots(struct naive_divergence *n, hd_function *f)
{
   bool changed = true;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const hd_def *d = hd_instr_def(i);
         if (!d || (i->kind == HD_INSTR_PHI && reachable(n, b)))
            continue;
         n->root[d->index] = d;
         if (i->kind != HD_INSTR_CONST)
            continue;
         hd_foreach_block(c, f) {
            hd_foreach_instr(j, c) {
               if (j->def.index < d->index && hd_instr_def(j) && same_const(&j->def, d) &&
                   n->root[j->def.index] == &j->def)
                  n->root[d->index] = &j->def;
            }
         }
      }
   }
   for (int round = 0; changed && round < 50; round++) {
      changed = false;
      hd_foreach_block(b, f) {
         hd_foreach_phi(phi, b) {
            const hd_def **root = &n->root[phi->instr.def.index];
            if (!reachable(n, b) || *root == &phi->instr.def)
               continue;
            const hd_def *now = agreed(n, phi);
            changed |= now != *root;
            *root = now;
         }
      }
   }
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         if (!n->root[phi->instr.def.index])
            n->root[phi->instr.def.index] = &phi->instr.def;
      }
   }
}

/* Outside of a cycle that holds the definition and that lanes leave in different sweeps? */
static bool
read_outside(const struct naive_divergence *n, const hd_def *def, const hd_block *at)
{
   set from = BIT(naive_index(&n->g, hd_def_instr(def)->block)), to = BIT(naive_index(&n->g, at));

   for (int c = 0; c < n->g.num_cycles; c++) {
      if (n->left[c] && n->g.cycle[c].all & from && !(n->g.cycle[c].all & to))
         return true;
   }
   return false;
}

bool
naive_src_differs(const struct naive_divergence *n, const hd_src *src)
{
   return n->value[src->def->index] || read_outside(n, src->def, hd_src_block(src));
}

static bool
phi_differs(const struct naive_divergence *n, const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;
   int at = naive_index(&n->g, b);

   for (uint32_t i = 0; i < phi->num_srcs; i++) {
      const hd_def *x = phi->srcs[i].src.def, *y;
      int p = naive_index(&n->g, b->preds[i].from);
      if (!reachable(n, b->preds[i].from))
         continue;
      if (n->value[x->index] || read_outside(n, x, b))
         return true;
      for (uint32_t j = 0; j < i; j++) {
         int q = naive_index(&n->g, b->preds[j].from);
         x = n->root[phi->srcs[i].src.def->index];
         y = n->root[phi->srcs[j].src.def->index];
         if (reachable(n, b->preds[j].from) && n->together[at][p][q] && x != y && !is_undef(x) &&
             !is_undef(y))
            return true;
      }
   }
   return false;
}

/* Of what the programs of the tests are made of. */
static bool
differs(const struct naive_divergence *n, const hd_instr *i)
{
   if (i->kind == HD_INSTR_PHI)
      return phi_differs(n, (const hd_phi *)i);
   if (i->kind == HD_INSTR_INTRINSIC) {
      unsigned rule = hd_instr_intrinsic_info(i)->divergence;
      if (rule == HD_DIVERGENCE_DIVERGENT)
         return true;
      /* Reductions are of all lanes. */
      if (rule == HD_DIVERGENCE_UNIFORM || rule == HD_DIVERGENCE_CLUSTER)
         return false;
   }
   assert(i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF ||
          i->kind == HD_INSTR_INTRINSIC);
   hd_foreach_src(src, i) {
      if (naive_src_differs(n, src))
         return true;
   }
   return false;
}

static const hd_src *
condition(const hd_block *b)
{
   const hd_if *nif = hd_block_next_if(b);

   if (b->num_succs < 2)
      return NULL;
   return nif ? &nif->cond : &hd_block_jump(b)->src[0];
}

void
naive_diverge(struct naive_divergence *n, hd_function *f)
{
   bool changed = true;

   memset(n, 0, sizeof(*n));
   naive_read(&n->g, f);
   for (int b = 0; b < n->g.num - 1; b++)
      n->place[b] = hd_block_sweep_index(n->g.block[b]);
   for (int c = 0; c < n->g.num_cycles; c++) {
      for (int b = 0; b < n->g.num; b++)
         n->odd |= b != n->g.cycle[c].header && n->g.cycle[c].all & BIT(b) &&
                   (naive_dominates(&n->g, b, n->g.cycle[c].header) ||
                    !(naive_reach(&n->g, n->g.cycle[c].header, n->g.cycle[c].all) & BIT(b)));
   }
   assert(f->num_defs <= NAIVE_MAX_DEFS);
   find_roots(n, f);
   while (changed) {
      changed = false;
      hd_foreach_block(b, f) {
         int at = naive_index(&n->g, b);
         if (!(n->g.reachable & BIT(at)))
            continue;
         hd_foreach_instr(i, b) {
            if (hd_instr_def(i) && !n->value[i->def.index] && differs(n, i))
               changed = n->value[i->def.index] = true;
         }
         const hd_src *cond = condition(b);
         if (cond && !n->branch[at] && naive_src_differs(n, cond)) {
            changed = n->branch[at] = true;
            part_at(n, at);
         }
      }
   }
}
