/* SPDX-License-Identifier: MIT */
/* opt_dead_stores.c - dead store elimination (DSE) on buffers, global, shared and scratch memory.
 *
 *    store_shared %1, %a           (overwritten before anything reads it)    =>
 *    ...
 *    store_shared:32x2 %2, %a                          store_shared:32x2 %2, %a
 *
 * The walk goes backwards, from the last block to the first, and keeps the next `window` stores that
 * each path from here passes before anything that may read what they write (alias.h): of two
 * successors, what both have; at an edge that goes back, nothing. A store is dead if one of these
 * covers it. At the end of the entry function scratch memory is dead, and shared memory too if all
 * lanes end there, until something reads that kind of memory.
 *
 * Other lanes read what this one stored only after a barrier, else it is a race; so barriers, calls
 * and demotes end everything but scratch memory. Volatile and coherent stores stay. In a buffer the
 * covering store may be out of bounds in one component and the other store is not: so its components
 * are not larger, or it is promised to be inside.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    values that were stored to opt_dce.
 * Tests:     tests/passes/opt_dead_stores.hd, tests/passes/test_run.c
 */
#include "analysis/alias.h"
#include "analysis/memory_ssa.h"
#include "passes/pass.h"

#define MAX_WINDOW 64u
#define LEFT_ALONE ((uint32_t)(HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT))

/* What holds at the head of a block. */
struct saved {
   uint32_t dead; /* classes of memory that nothing reads any more */
   uint32_t num;
   const hd_memory_ref **ref; /* stores to come, the nearest last */
};

struct state {
   hd_function *f;
   hd_stack *stack;
   struct saved **saved; /* by block slot; NULL: nothing is known */
   const hd_memory_ref *next[MAX_WINDOW];
   unsigned num, window;
   uint32_t dead;
   bool progress;
};

/* What is to come */

static void
remember(struct state *s, const hd_memory_ref *ref)
{
   if (s->num == s->window)
      memmove(s->next, s->next + 1, --s->num * sizeof(s->next[0]));
   hd_memory_ref *kept = hd_stack_alloc(s->stack, sizeof(*kept));
   *kept = *ref;
   s->next[s->num++] = kept;
}

/* Is all that `store` writes written again by `later`? */
static bool
covers(const hd_memory_ref *later, const hd_memory_ref *store)
{
   int64_t distance;

   return hd_known_distance(later, store, &distance) && distance >= 0 &&
          distance + store->bytes <= later->bytes &&
          ((later->reads | later->writes) != HD_MEMORY_BUFFER ||
           later->component_bits <= store->component_bits || later->access & HD_ACCESS_INBOUNDS);
}

/* One store to come may cover it, or several its components. */
static bool
is_dead(const struct state *s, const hd_memory_ref *store)
{
   const unsigned size = store->component_bits / 8u;
   hd_memory_ref part = *store;

   if (!(store->writes & ~s->dead))
      return true;
   part.bytes = size;
   for (unsigned at = 0; at < store->bytes; at += size) {
      unsigned n = s->num;
      part.offset = store->offset + at;
      while (n && !covers(s->next[n - 1], &part))
         n--;
      if (!n)
         return false;
   }
   return true;
}

static void
read_by(struct state *s, const hd_memory_ref *ref)
{
   unsigned num = 0;

   if (!ref->reads)
      return;
   s->dead &= ~ref->reads;
   for (unsigned n = 0; n < s->num; n++) {
      if (!hd_may_conflict(ref, s->next[n]))
         s->next[num++] = s->next[n];
   }
   s->num = num;
}

static void
visit(struct state *s, hd_instr *i)
{
   hd_memory_ref ref;

   if (!hd_memory_ref_of(&ref, i))
      return;
   pass_step(s->f, 1 + s->num);
   if (ref.kind != HD_REF_STORE) {
      read_by(s, &ref);
   } else if (!(ref.access & LEFT_ALONE) && is_dead(s, &ref)) {
      pass_step(s->f, s->num * (ref.bytes / (ref.component_bits / 8u)));
      hd_instr_remove(i);
      s->progress = true;
   } else {
      remember(s, &ref);
   }
}

/* The walk */

/* Only what both have: the same bytes, whatever writes them. */
static void
meet(struct state *s, const struct saved *other)
{
   unsigned num = 0;

   s->dead &= other ? other->dead : 0;
   for (unsigned n = 0; n < s->num && other; n++) {
      for (unsigned k = 0; k < other->num; k++) {
         if (covers(other->ref[k], s->next[n]) && covers(s->next[n], other->ref[k])) {
            s->next[num++] = s->next[n];
            break;
         }
      }
   }
   pass_step(s->f, 1 + (other ? s->num * other->num : 0));
   s->num = num;
}

static void
leave_through(struct state *s, const hd_block *to, bool first)
{
   const struct saved *other = s->saved[block_slot(s->f, to)];

   if (!first) {
      meet(s, other);
      return;
   }
   s->num = other ? other->num : 0;
   s->dead = other ? other->dead : 0;
   if (s->num)
      memcpy(s->next, other->ref, s->num * sizeof(s->next[0]));
}

static void
save(struct state *s, const hd_block *b)
{
   if (!s->num && !s->dead)
      return;
   struct saved *to = hd_stack_alloc_zero(s->stack, sizeof(*to));
   to->dead = s->dead;
   to->num = s->num;
   if (s->num) {
      to->ref = hd_stack_alloc(s->stack, s->num * sizeof(*to->ref));
      memcpy(to->ref, s->next, s->num * sizeof(*to->ref));
   }
   s->saved[block_slot(s->f, b)] = to;
}

/* After an edge that goes back nothing is saved yet, as the walk has not been there. */
static void
visit_block(struct state *s, hd_block *b)
{
   s->num = s->dead = 0;
   for (uint32_t n = 0; n < b->num_succs; n++)
      leave_through(s, b->succs[n].to, n == 0);
   hd_foreach_instr_rev_safe(i, b)
      visit(s, i);
   save(s, b);
}

static bool
has_stores(hd_function *f)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         pass_step(f, 1);
         if (i->kind == HD_INSTR_INTRINSIC &&
             hd_instr_intrinsic_info(i)->writes & HD_MEMORY_CHANGING)
            return true;
      }
   }
   return false;
}

/* Where an entry ends, the scratch memory of the lane goes. Others may read what is in shared memory if
 * they reach a barrier later, but that waits for this wave to end: not if all of it ends together.
 */
static void
begin_at_end(struct state *s)
{
   struct saved *end = hd_stack_alloc_zero(s->stack, sizeof(*end));
   const hd_block *last = s->f->end.num_preds == 1 ? s->f->end.preds[0].from : NULL;
   const hd_jump *jump = last ? hd_block_jump(last) : NULL;
   const bool halts = jump && jump->instr.op == HD_JUMP_HALT;

   end->dead = HD_MEMORY_SCRATCH;
   if (last && !halts && s->f->structured && hd_tree_returns_at_end(s->f))
      end->dead |= HD_MEMORY_SHARED;
   s->saved[s->f->num_blocks] = end;
}

bool
hd_opt_dead_stores(hd_function *f, const opt_dead_stores_options *o)
{
   struct state *s;
   uint32_t num;

   if (!has_stores(f))
      return hd_progress(f, false, OPT_DEAD_STORES_KEEPS);
   s = hd_stack_alloc_zero(hd_shader_stack(f->shader), sizeof(*s));
   s->f = f;
   s->stack = hd_shader_stack(f->shader);
   s->window = o->window;
   s->saved = hd_stack_alloc_zero(s->stack, (f->num_blocks + 1u) * sizeof(*s->saved));
   if (f == f->shader->first_function)
      begin_at_end(s);
   hd_block *const *rpo = hd_function_rpo(f, &num);
   for (uint32_t n = hd_function_num_reachable(f); n--;)
      visit_block(s, rpo[n]);
   return hd_progress(f, s->progress, OPT_DEAD_STORES_KEEPS);
}
