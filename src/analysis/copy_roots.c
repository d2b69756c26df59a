/* SPDX-License-Identifier: MIT */
/* copy_roots.c - look through copies: the root value of a value.
 *
 * A phi is a copy if all its defined sources are copies of one value; structurizers leave such phis.
 * Equal constants are one value. An undef is a copy of anything. Lanes that read copies of one value
 * read what each of them computed last; two sources of a phi are alike in that sense, and equal if
 * the value is uniform.
 *
 * For that, a copy must not be older than its value. It can be older only at a loop header (back edges
 * carry values of the iteration before) or at a block that dominates the value's block: neither is a
 * copy of a value that is defined in the loop, or below it. Anywhere else: let a copy x be read at a
 * point that its block X dominates, and let V, where the value is defined, have run again after X.
 * Then the path from V to that point passes X again; otherwise there would be a path from the start
 * to V without X, and on to the point without X.
 *
 * The analysis is optimistic: a source that has not been visited is assumed to agree, so that phis
 * that copy each other are copies. A phi that changes many times is made its own root.
 */
#include "analysis/divergence.h"

#define MOST_CHANGES 8

struct roots {
   hd_divergence_run *r;
   hd_phi **work;
   uint32_t num_work;
   bool *waits;      /* by def index: in `work` */
   uint8_t *changes; /* by def index */
};

static uint64_t
hash_const(const hd_const *c)
{
   uint64_t h = (uint64_t)c->instr.def.bit_size << 8 | c->instr.def.num_components;

   for (unsigned n = 0; n < c->instr.def.num_components; n++)
      h = (h ^ c->value[n].u64 ^ h >> 29) * UINT64_C(0x9e3779b97f4a7c15);
   return h;
}

static bool
equal_consts(const hd_const *a, const hd_const *b)
{
   return a->instr.def.bit_size == b->instr.def.bit_size &&
          a->instr.def.num_components == b->instr.def.num_components &&
          !memcmp(a->value, b->value, a->instr.def.num_components * sizeof(a->value[0]));
}

/* The first of its equals, over all constants of reachable blocks. */
static void
find_equal_consts(struct roots *s)
{
   hd_stack *stack = hd_shader_stack(s->r->joins.f->shader);
   const hd_divergent_joins *p = &s->r->joins;
   uint32_t num = 0, size = 16;

   for (uint32_t at = 0; at < p->num; at++) {
      hd_foreach_instr(i, block_at(p, at))
         num += i->kind == HD_INSTR_CONST;
   }
   while (size < 2 * num)
      size *= 2;
   hd_const **table = hd_stack_alloc_zero(stack, size * sizeof(*table));
   for (uint32_t at = 0; at < p->num; at++) {
      hd_foreach_instr(i, block_at(p, at)) {
         hd_const *c = hd_instr_as_const(i);
         if (!c)
            continue;
         uint32_t slot = (uint32_t)(hash_const(c) >> 32) & (size - 1);
         while (table[slot] && !equal_consts(table[slot], c))
            slot = (slot + 1) & (size - 1);
         if (!table[slot])
            table[slot] = c;
         s->r->root[c->instr.def.index] = &table[slot]->instr.def;
      }
   }
}

static bool
is_undef(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_UNDEF;
}

/* Can a phi of this block be a copy of that value, which is not older than it? */
static bool
may_copy(const struct roots *s, const hd_block *b, const hd_def *value)
{
   const hd_divergent_joins *p = &s->r->joins;
   const hd_block *from = hd_def_instr(value)->block;
   const struct dom_node *m = &p->basis.dom->node[block_slot(p->f, b)];
   const struct dom_node *n = &p->basis.dom->node[block_slot(p->f, from)];
   uint32_t headed = headed_by(p, place_of(p, b));

   /* Those are the same whenever they are computed. */
   if (hd_def_instr(value)->kind == HD_INSTR_CONST)
      return true;
   return n->in - m->in >= m->size && (headed == NONE || !contains(p, headed, place_of(p, from)));
}

/* What the sources agree on; NULL: none was looked at; the phi itself: they don't. */
static hd_def *
agreed(const struct roots *s, hd_phi *phi)
{
   const hd_block *b = phi->instr.block;
   hd_def *found = NULL;

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      hd_def *root = s->r->root[phi->srcs[n].src.def->index];
      if (!root || root == &phi->instr.def ||
          place_of(&s->r->joins, b->preds[n].from) >= s->r->joins.num)
         continue;
      if (!found || is_undef(found))
         found = root;
      else if (found != root && !is_undef(root))
         return &phi->instr.def;
   }
   return found && !is_undef(found) && !may_copy(s, b, found) ? &phi->instr.def : found;
}

static void
push(struct roots *s, hd_phi *phi)
{
   if (s->waits[phi->instr.def.index])
      return;
   s->waits[phi->instr.def.index] = true;
   s->work[s->num_work++] = phi;
}

void
hd_find_roots(hd_divergence_run *r)
{
   hd_divergent_joins *p = &r->joins;
   hd_stack *stack = hd_shader_stack(p->f->shader);
   uint32_t num_defs = p->f->num_defs, num_phis = 0;
   struct roots s = { .r = r };

   for (uint32_t at = 0; at < p->num; at++) {
      hd_foreach_phi(phi, block_at(p, at))
         num_phis++;
   }
   if (!num_phis)
      return;
   s.waits = memset(hd_stack_alloc(stack, num_defs + 1u), 0, num_defs + 1u);
   s.changes = memset(hd_stack_alloc(stack, num_defs + 1u), 0, num_defs + 1u);
   find_equal_consts(&s);
   hd_foreach_block(b, p->f) {
      bool reachable = place_of(p, b) < p->num;
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i))
            continue;
         if ((i->kind != HD_INSTR_PHI || !reachable) && !r->root[i->def.index])
            r->root[i->def.index] = &i->def;
      }
   }
   s.work = hd_stack_alloc(stack, (num_phis + 1) * sizeof(*s.work));
   for (uint32_t at = p->num; at--;) {
      hd_foreach_phi(phi, block_at(p, at))
         push(&s, phi);
   }
   while (s.num_work) {
      hd_phi *phi = s.work[--s.num_work];
      hd_def *def = &phi->instr.def;
      s.waits[def->index] = false;
      if (r->root[def->index] == def)
         continue;
      hd_heap_step(hd_shader_heap(p->f->shader), phi->num_srcs);
      hd_def *root = agreed(&s, phi);
      if (root == r->root[def->index])
         continue;
      r->root[def->index] = s.changes[def->index]++ < MOST_CHANGES ? root : def;
      hd_foreach_use(src, def) {
         hd_phi *user = hd_instr_as_phi(hd_src_instr(src));
         if (user && place_of(p, user->instr.block) < p->num)
            push(&s, user);
      }
   }
   /* Phis of nothing but each other and what is undefined are undefined. */
   hd_foreach_block(b, p->f) {
      hd_foreach_phi(phi, b) {
         if (!r->root[phi->instr.def.index])
            r->root[phi->instr.def.index] = &phi->instr.def;
      }
   }
}
