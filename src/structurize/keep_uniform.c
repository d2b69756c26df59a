/* SPDX-License-Identifier: MIT */
/* keep_uniform.c - keep values uniform that were uniform before control flow changed
 * (readfirstlane).
 *
 *    b5:                                     b5:
 *      %v = phi b3: %x, b4: %y        =>       %p = phi b3: %x, b4: %y
 *      ... %v ...                              %v = read_first %p
 *                                              ... %v ...
 *
 * Why uniformity gets lost. All lanes that pass a block of tests reach its targets from one block,
 * whatever they decided before. Say that all lanes decided together whether to reach b5 by b4 or
 * directly, while other lanes wait for something else. Those bypass b4, from b3 to b5 and on, in
 * either case; nothing in the graph shows that they never read %v. Likewise a loop that all lanes
 * leave together for b5 may now be left earlier by lanes that wait for something else.
 *
 * Why read_first gives the same value. Blocks of the input run with the same sets of lanes as
 * before, and each lane computes the same values. Before, %v was uniform: all lanes that run b5
 * together have one value, so the first of them has the value of all. That lane must not be
 * undefined if another is not: a phi of one value and of undefs counts as uniform, and so does what
 * is computed from it, but it may be undefined in some lanes. Those are left alone (`whole`).
 *
 * Where read_first goes. The explanation of the divergence analysis names the first divergent cause
 * of each loss. A phi is replaced by a read_first at its block, for all users, or at the block that
 * its own lanes reach, if other lanes run its block, too. For other instructions, and for branches,
 * the operands from a loop or from new phis are replaced. What depends on these is uniform again,
 * as the next run of the analysis shows: this iterates to a fixpoint. Each iteration repairs the
 * losses that no other loss explains; there always is one. Their number is small but not bounded by
 * a proof, so late iterations repair every loss that they find.
 */
#include "structurize/keep_uniform.h"

#include "analysis/divergence.h"
#include "heddle/edit.h"
#include "heddle/intrinsic_enum.h"

/* Rounds that wait for what follows by itself, and all. */
#define PATIENT_ROUNDS 3u
#define MAX_ROUNDS     8u

/* Whether a value is divergent because one that was uniform is. */
typedef enum blame {
   BLAME_UNKNOWN,
   BLAME_OTHER, /* yes */
   BLAME_HERE,  /* it became so itself, or by what is new */
} blame;

struct keep {
   hd_function *f;
   hd_uniforms *u;
   hd_divergence_run run;
   uint32_t num_defs; /* of the analysis; those made since come after */
   uint8_t *blame;    /* by def index */
   const hd_def **path;
   bool patient;
   uint32_t num_added;
};

static bool
is_undef(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_UNDEF;
}

/* What may be undefined in some of the lanes that run it: phis of undefs, and what reads those. */
static void
drop_partial(hd_function *f, hd_uniforms *u)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const hd_def **work = hd_stack_alloc(stack, (u->num_values + 1) * sizeof(*work));
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         bool any = false;
         for (uint32_t n = 0; n < phi->num_srcs; n++)
            any |= is_undef(phi->srcs[n].src.def);
         if (any && u->value[phi->instr.def.index]) {
            u->value[phi->instr.def.index] = 0;
            work[num++] = &phi->instr.def;
         }
      }
   }
   while (num) {
      hd_foreach_use(src, work[--num]) {
         hd_instr *i = hd_src_instr(src);
         if (!i || !hd_instr_def(i) || !u->value[i->def.index])
            continue;
         u->value[i->def.index] = 0;
         work[num++] = &i->def;
      }
   }
}

hd_uniforms
hd_uniforms_find(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_uniforms u = { .num_values = f->num_defs, .num_blocks = f->num_blocks };

   u.value = hd_stack_alloc_zero(stack, u.num_values + 1);
   u.branch = hd_stack_alloc_zero(stack, u.num_blocks + 1);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            u.value[i->def.index] = hd_def_is_uniform(&i->def);
      }
   }
   drop_partial(f, &u);
   hd_foreach_block(b, f) {
      const hd_jump *jump = hd_block_jump(b);
      if (b->num_succs > 1 && jump && !hd_block_is_divergent_branch(b))
         u.branch[b->node.index] = u.value[jump->src[0].def->index];
   }
   return u;
}

/* Made in this iteration, of one that was lost. */
static bool
is_new(const struct keep *k, const hd_def *def)
{
   return def->index >= k->num_defs;
}

static bool
is_lost(const struct keep *k, const hd_def *def)
{
   return def->index < k->u->num_values && k->u->value[def->index] && k->run.cause[def->index];
}

/* Why a value is divergent, back to where that is not because an operand is. */
static blame
blame_for(struct keep *k, const hd_def *def)
{
   uint32_t num = 0;
   blame found = BLAME_UNKNOWN;

   while (found == BLAME_UNKNOWN) {
      found = k->blame[def->index];
      if (found != BLAME_UNKNOWN)
         break;
      k->path[num++] = def;
      found = BLAME_HERE;
      if (k->run.cause[def->index] == CAUSE_OPERAND) {
         def = hd_instr_src(hd_def_instr(def), k->run.by[def->index])->def;
         found = is_new(k, def) || is_lost(k, def) ? BLAME_OTHER : BLAME_UNKNOWN;
      }
   }
   while (num)
      k->blame[k->path[--num]->index] = found;
   return found;
}

static hd_def *
read_lane(struct keep *k, hd_cursor at, hd_def *def, uint32_t loc)
{
   hd_intrinsic *i = hd_intrinsic_create(k->f->shader, HD_INTRINSIC_READ_FIRST, 1, 0,
                                         def->num_components, def->bit_size);

   hd_instr_set_src(&i->instr, 0, def);
   i->instr.loc = loc;
   hd_instr_insert(at, &i->instr);
   k->num_added++;
   return &i->instr.def;
}

/* From a block on whose lanes have one value. */
static void
settle_at(struct keep *k, hd_def *old, hd_block *at)
{
   hd_def *def = read_lane(k, hd_after_phis(at), old, hd_def_instr(old)->loc);

   hd_foreach_use_safe(src, old) {
      if (hd_src_instr(src) != hd_def_instr(def) && hd_block_dominates(at, hd_src_block(src)))
         hd_src_set_def(src, def);
   }
   k->u->value[old->index] = 0;
   if (old->flags & HD_DEF_NAMED) {
      hd_def_set_name(k->f, def, hd_def_name(k->f, old));
      hd_def_set_name(k->f, old, NULL);
   }
}

/* What an instruction reads that differs there; not what will be uniform again. */
static void
settle_operands(struct keep *k, hd_instr *i, uint32_t place)
{
   hd_foreach_src(src, i) {
      if (is_new(k, src->def) || is_lost(k, src->def) ||
          !hd_divergence_of_src(&k->run, src->def, place, false))
         continue;
      hd_cursor at = i->kind == HD_INSTR_JUMP ? hd_before_jump(i->block) : hd_before_instr(i);
      hd_src_set_def(src, read_lane(k, at, src->def, i->loc));
   }
}

static void
settle_block(struct keep *k, uint32_t place)
{
   const hd_divergence_run *r = &k->run;
   hd_block *b = block_at(&r->joins, place);
   hd_jump *jump = hd_block_jump(b);

   hd_foreach_instr_safe(i, b) {
      if (!hd_instr_def(i) || is_new(k, &i->def) || !is_lost(k, &i->def) ||
          (k->patient && blame_for(k, &i->def) != BLAME_HERE))
         continue;
      hd_block *at = k->u->at ? k->u->at[i->def.index] : NULL;
      if (at && !hd_block_dominates(b, at)) {
         k->u->num_unread += !k->u->unread[i->def.index];
         k->u->unread[i->def.index] = true;
         continue;
      }
      if (i->kind == HD_INSTR_PHI || (at && at != i->block))
         settle_at(k, &i->def, at ? at : i->block);
      else
         settle_operands(k, i, place);
   }
   if (k->u->branch && b->node.index < k->u->num_blocks && k->u->branch[b->node.index] && jump &&
       b->num_succs > 1 && r->branch[place])
      settle_operands(k, &jump->instr, place);
}

static bool
settle_round(struct keep *k)
{
   hd_stack *stack = hd_shader_stack(k->f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   const hd_basis basis = { DOM_META(k->f), CYCLE_META(k->f), false };
   const uint32_t before = k->num_added, num = k->f->num_defs;

   k->num_defs = num;
   hd_divergence_compute(&k->run, k->f, &basis);
   k->blame = hd_stack_alloc_zero(stack, num + 1);
   k->path = hd_stack_alloc(stack, (num + 1) * sizeof(*k->path));
   for (uint32_t place = 0; place < k->run.joins.num; place++)
      settle_block(k, place);
   hd_stack_release(stack, mark);
   return k->num_added != before;
}

uint32_t
hd_keep_uniform(hd_function *work, hd_uniforms *u)
{
   const uint32_t kept = HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES;
   struct keep k = { .f = work, .u = u };

   hd_require(work, kept);
   for (uint32_t round = 0; round < MAX_ROUNDS; round++) {
      k.patient = round < PATIENT_ROUNDS;
      if (!settle_round(&k))
         break;
   }
   if (k.num_added)
      work->meta_valid &= kept;
   return k.num_added;
}
