/* SPDX-License-Identifier: MIT */
/* lower_phis.c - leave SSA: replace phis with variables, coalescing copies.
 *
 *    loop {                               loop {
 *      %1 = phi %a, %2                      %1 = load_var $phi_0
 *      ...                         =>       ...
 *      %2 = iadd %1, 1                      %2 = iadd %1, 1
 *    }                                      store_var $phi_0, %2
 *                                         }             (and store_var $phi_0, %a before it)
 *
 * SSA destruction by phi congruence classes (Sreedhar, Ju, Gillies and Santhanam, 1999; Boissinot
 * and others, 2009). A phi becomes a load at the head of its block, and a store at the end of each
 * predecessor. Phis and sources whose live ranges do not interfere share a variable (phi_webs.h): a phi
 * that is the source of another phi of the class needs no store, and another source needs one,
 * where it is computed, if that is in no more loops than the edges. As no two values of a variable
 * are live at once, a machine can keep the variable and all its values in one register; then only
 * the stores of values outside of the class are copies.
 *
 * The swap and lost-copy problems do not arise: all phis of a block are loaded before anything is
 * stored, and what is stored are values, not variables.
 *
 * A store at the end of a block with several successors is also executed by lanes that go
 * elsewhere. If the variable has a value there that is read later, the phi gets a variable of its
 * own, which is only read at the head of its block.
 *
 * A load from a variable counts as divergent. An instruction whose operand must be uniform, was
 * proven to be, and no longer is, gets the flag that promises it.
 *
 * Requires:  valid IR; block order, dominance, cycles.
 * Preserves: all that depends on the graph alone.
 * Leaves:    no phi. Uniformity is no longer provable, so this pass comes last.
 * Tests:     tests/passes/lower_phis.hd, tests/passes/test_run.c
 */
#include "passes/pass.h"
#include "passes/phi_webs.h"
#include "passes/vars.h"

/* A source of a phi that is to be looked at. */
struct edge {
   hd_phi *phi;
   uint32_t n;
   struct edge *next;
};

struct state {
   hd_function *f;
   hd_stack *stack;
   struct webs webs;
   struct web **own; /* by def index, of phis that need a variable of their own; else NULL */
   bool *stored;     /* by def index: it is stored where it is computed */
   struct edge *work;
   struct var_names names;
   uint32_t num_vars; /* that were made */
};

static struct web *
phi_web(const struct state *s, const hd_phi *phi)
{
   struct web *own = s->own[phi->instr.def.index];

   return own ? own : hd_phi_web_of(&s->webs, &phi->instr.def);
}

/* Is the source in the phi's variable anyway? A variable of one phi is not kept after it was read,
 * not even for the phi itself.
 */
static bool
is_shared(const struct state *s, const hd_phi *phi, uint32_t n)
{
   const hd_def *def = phi->srcs[n].src.def;
   const hd_instr *i = hd_def_instr(def);

   if (s->own[phi->instr.def.index] || (i->kind == HD_INSTR_PHI && s->own[def->index]))
      return false;
   return hd_phi_web_of(&s->webs, def) == hd_phi_web_of(&s->webs, &phi->instr.def);
}

/* Does nothing come by this edge? */
static bool
is_nothing(const hd_phi *phi, uint32_t n)
{
   return hd_def_instr(phi->srcs[n].src.def)->kind == HD_INSTR_UNDEF ||
          !hd_block_is_reachable(phi->instr.block->preds[n].from);
}

/* Variables of their own */

static void
make_own(struct state *s, hd_phi *phi)
{
   s->own[phi->instr.def.index] = hd_stack_alloc_zero(s->stack, sizeof(struct web));
}

static void
look_at(struct state *s, hd_phi *phi, uint32_t n)
{
   struct edge *e = hd_stack_alloc(s->stack, sizeof(*e));

   *e = (struct edge){ phi, n, s->work };
   s->work = e;
}

/* Does a store at the end of the predecessor harm those that go elsewhere? */
static bool
harms(const struct state *s, const hd_phi *phi, uint32_t n)
{
   const hd_block *from = phi->instr.block->preds[n].from;

   if (from->num_succs < 2 || is_nothing(phi, n) || is_shared(s, phi, n))
      return false;
   for (uint32_t k = 0; k < from->num_succs; k++) {
      const hd_block *to = from->succs[k].to;
      if (to != phi->instr.block && !hd_block_is_end(to) && hd_instr_as_phi(to->first))
         return true;
   }
   return hd_phi_web_is_live_at_end(&s->webs, hd_phi_web_of(&s->webs, &phi->instr.def), from);
}

/* Who reads a phi that has a variable of its own now needs a store for it. */
static void
find_own(struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_phi(phi, b) {
         if (!hd_block_is_reachable(b)) {
            make_own(s, phi);
            continue;
         }
         for (uint32_t n = 0; n < phi->num_srcs; n++) {
            if (b->preds[n].from->num_succs > 1)
               look_at(s, phi, n);
         }
      }
   }
   while (s->work) {
      const struct edge e = *s->work;
      s->work = s->work->next;
      pass_step(s->f, 1 + e.phi->instr.block->preds[e.n].from->num_succs);
      if (s->own[e.phi->instr.def.index] || !harms(s, e.phi, e.n))
         continue;
      make_own(s, e.phi);
      hd_foreach_use(use, &e.phi->instr.def) {
         hd_phi *reader = hd_instr_as_phi(hd_src_instr(use));
         if (reader && hd_block_is_reachable(reader->instr.block))
            look_at(s, reader, (uint32_t)((hd_wide_src *)use - reader->srcs));
      }
   }
}

/* Stores and loads */

static hd_var *
web_var(struct state *s, struct web *web, const hd_def *def)
{
   const hd_var phi = { .name = "phi", .bit_size = def->bit_size };

   if (!web->var)
      web->var = hd_var_make_part(&s->names, &phi, def->num_components, s->num_vars++);
   return web->var;
}

static void
store(struct state *s, hd_cursor at, const hd_phi *phi, hd_def *def, uint32_t loc)
{
   hd_var_access *i = hd_store_var_create(s->f->shader, web_var(s, phi_web(s, phi), def));

   i->instr.loc = loc;
   hd_instr_set_src(&i->instr, 0, def);
   hd_instr_insert(at, &i->instr);
}

static uint32_t
depth_of(const hd_block *b)
{
   const hd_cycle *c = hd_block_cycle(b);

   return c ? c->depth : 0;
}

static void
store_source(struct state *s, const hd_phi *phi, uint32_t n)
{
   hd_def *def = phi->srcs[n].src.def;
   hd_instr *i = hd_def_instr(def);
   hd_block *from = phi->instr.block->preds[n].from;

   pass_step(s->f, 1);
   if (is_nothing(phi, n))
      return;
   if (!is_shared(s, phi, n)) {
      store(s, hd_before_jump(from), phi, def, phi->instr.loc);
      return;
   }
   if (i->kind == HD_INSTR_PHI || s->stored[def->index])
      return;
   if (depth_of(i->block) > depth_of(from)) {
      store(s, hd_before_jump(from), phi, def, phi->instr.loc);
      return;
   }
   s->stored[def->index] = true;
   store(s, i->kind == HD_INSTR_PARAM ? hd_after_phis(i->block) : hd_after_instr(i), phi, def,
         i->loc);
}

/* The sources have been stored; those that still read the phi, and are not phis, read a load. */
static void
load_phis(struct state *s, hd_block *b)
{
   hd_cursor at = hd_after_phis(b);

   hd_foreach_phi_safe(phi, b) {
      hd_def *def = &phi->instr.def;
      if (!hd_def_is_unused(def)) {
         hd_var *var = web_var(s, phi_web(s, phi), def);
         hd_var_access *load = hd_load_var_create(s->f->shader, var);
         const char *name = hd_def_name(s->f, def);
         load->instr.loc = phi->instr.loc;
         hd_instr_insert(at, &load->instr);
         at = hd_after_instr(&load->instr);
         if (name)
            hd_def_set_name(s->f, &load->instr.def, name);
         hd_def_replace_uses(def, &load->instr.def);
      }
      hd_instr_remove(&phi->instr);
   }
}

static void
remove_sources(hd_phi *phi)
{
   while (phi->num_srcs)
      hd_phi_remove_src(phi, phi->num_srcs - 1);
}

/* What was proven uniform, and is computed from loads now, is promised. */
static void
promise_uniform(hd_function *f)
{
   bool required = false;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const hd_intrinsic *in = hd_instr_as_intrinsic(i);
         if (!in || (i->flags & HD_ASSUME_UNIFORM))
            continue;
         const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
         unsigned wanted = HD_OPERAND_UNIFORM;
         if (!(hd_intrinsic_index(in, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM))
            wanted |= HD_OPERAND_DESCRIPTOR;
         for (unsigned n = 0; n < info->num_srcs; n++) {
            if (!(info->src[n].flags & wanted) || hd_src_as_const(&in->src[n]))
               continue;
            if (!required)
               hd_require(f, HD_META_DIVERGENCE);
            required = true;
            if (!hd_src_is_uniform(&in->src[n]))
               i->flags |= HD_ASSUME_UNIFORM;
         }
      }
   }
}

bool
hd_lower_phis(hd_function *f)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader), .names = { .f = f } };
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      pass_step(f, 1);
      hd_foreach_phi(phi, b)
         num++;
   }
   if (!num)
      return hd_progress(f, false, LOWER_PHIS_KEEPS);
   hd_phi_webs_find(&s.webs, f);
   s.own = hd_stack_alloc_zero(s.stack, (f->num_defs + 1) * sizeof(*s.own));
   s.stored = hd_stack_alloc_zero(s.stack, f->num_defs + 1);
   hd_var_names_find(&s.names, num);
   find_own(&s);
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         for (uint32_t n = 0; n < phi->num_srcs; n++)
            store_source(&s, phi, n);
      }
   }
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         remove_sources(phi);
   }
   hd_foreach_block(b, f)
      load_phis(&s, b);
   hd_meta_invalidate(f, LOWER_PHIS_KEEPS);
   promise_uniform(f);
   return hd_progress(f, true, LOWER_PHIS_KEEPS);
}
