/* SPDX-License-Identifier: MIT */
/* dead_masks.c - remove exec masks of empty arms, when it is known where phi copies are.
 *
 * Arms without code got an exec mask in case phi copies would be put there:
 *
 *    s_and_saveexec s[0:1], vcc                  s_and_saveexec s[0:1], vcc
 *    ...                                         ...
 *    s_andn2 exec, s[0:1], exec          =>
 *    s_mov exec, s[0:1]                          s_mov exec, s[0:1]
 *
 *    s_and_saveexec s[0:1], vcc                  s_andn2 exec, exec, vcc
 *    s_andn2 exec, s[0:1], exec          =>
 *
 * What narrows exec reads what a move before it makes exec:
 *
 *    s_mov exec, s[0:1]
 *    s_andn2 exec, exec, s[2:3]          =>      s_andn2 exec, s[0:1], s[2:3]
 *
 * Registers have several definitions by now: liveness of exec and of scalar registers is computed
 * along linear edges.
 */
#include "machine/dead_masks.h"

#include "machine/live_scalars.h"
#include "machine/worklist.h"

/* Code that goes leaves the sets as they are or too large, and a block that becomes part of another
 * one is entered where that ended. So they need not be found again, but grow smaller.
 */
struct hd_mach_dead_masks {
   hd_mach_program *p;
   const hd_mach_masks *ops;
   hd_mach_scalars *in; /* by block */
   bool changed;        /* the block at hand */
};

static bool
is_live(const hd_mach *mach, const hd_mach_scalars *set, const hd_mach_operand *operand)
{
   const unsigned reg = operand->reg;

   for (unsigned n = reg; n < reg + operand->size && n < HD_MACH_MAX_SCALARS; n++) {
      if (hd_mach_scalar_is_live(set, n))
         return true;
   }
   return reg == mach->flag && set->flag;
}

static hd_mach_scalars
live_out(const hd_mach_dead_masks *l, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   hd_mach_scalars set = { .flag = false };

   for (uint32_t n = 0; n < edges->num_succs; n++)
      hd_mach_scalars_unite(&set, &l->in[edges->succs[n]->index]);
   return set;
}

static bool
is_save(const hd_mach_dead_masks *l, const hd_mach_inst *inst)
{
   return inst->op == l->ops->and_save || inst->op == l->ops->and_not_save;
}

/* An instruction that only makes masks, all of which are dead, does nothing. */
static bool
is_dead(const hd_mach_dead_masks *l, const hd_mach_inst *inst, const hd_mach_scalars *live)
{
   const hd_mach_masks *ops = l->ops;

   if (inst->op != ops->move && inst->op != ops->and_masks && inst->op != ops->or_masks &&
       inst->op != ops->and_not && !is_save(l, inst))
      return false;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_live(l->p->mach, live, hd_mach_def(inst, n)))
         return false;
   }
   return true;
}

/* Live sets grow from nothing, and instructions that are dead by them are passed over; so what
 * keeps only itself alive goes, too. A block is looked at again when a successor's set has grown;
 * mostly twice.
 */
static void
find_live(hd_mach_dead_masks *l)
{
   hd_mach_program *p = l->p;
   hd_mach_worklist worklist;
   hd_mach_block *block;

   hd_mach_worklist_init(&worklist, p, true);
   hd_mach_foreach_block(any, p) hd_mach_worklist_add(&worklist, any);
   while ((block = hd_mach_worklist_take(&worklist))) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      hd_mach_scalars set = live_out(l, block);
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
         if (!is_dead(l, inst, &set))
            hd_mach_live_scalars_before(p->mach, &set, inst);
      }
      if (!hd_mach_scalars_unite(&l->in[block->index], &set))
         continue;
      for (uint32_t n = 0; n < edges->num_preds; n++)
         hd_mach_worklist_add(&worklist, edges->preds[n]);
   }
}

/* exec = a op b, instead of `old`. */
static void
replace(hd_mach_dead_masks *l, hd_mach_block *block, hd_mach_inst *old, unsigned op,
        hd_mach_operand b)
{
   const hd_mach_operand exec = hd_mach_operand_reg(l->p->mach->exec.reg, l->p->mach->exec.size);
   hd_mach_inst *inst = l->ops->make(l->p, op, exec, exec, b);

   inst->loc = old->loc;
   hd_mach_inst_insert_before(block, inst, old);
   if (block->tail == old)
      block->tail = inst;
   hd_mach_inst_remove(block, old);
}

/* The save before it in the same block, if `inst` takes exec from what was saved. */
static hd_mach_inst *
save_before(const hd_mach_dead_masks *l, const hd_mach_inst *inst)
{
   const unsigned exec = l->p->mach->exec.reg;
   hd_mach_inst *save = inst->prev;

   if (inst->op != l->ops->and_not || hd_mach_def(inst, 0)->reg != exec ||
       hd_mach_src(inst, 1)->reg != exec || !save || !is_save(l, save) ||
       hd_mach_def(save, 0)->reg != hd_mach_src(inst, 0)->reg)
      return NULL;
   return save;
}

/* The move before it, if `inst` only makes another exec of the exec that the move makes of a register. */
static hd_mach_inst *
move_before(const hd_mach_dead_masks *l, const hd_mach_inst *inst)
{
   const hd_mach_masks *ops = l->ops;
   const unsigned exec = l->p->mach->exec.reg;
   hd_mach_inst *move = inst->prev;

   if ((inst->op != ops->and_masks && inst->op != ops->and_not) ||
       hd_mach_def(inst, 0)->reg != exec || hd_mach_src(inst, 0)->reg != exec ||
       hd_mach_src(inst, 1)->reg == exec || !move || move->op != ops->move ||
       hd_mach_def(move, 0)->reg != exec || hd_mach_src(move, 0)->reg >= HD_MACH_MAX_SCALARS)
      return NULL;
   return move;
}

/* What is live before the block then. */
static hd_mach_scalars
clean_block(hd_mach_dead_masks *l, hd_mach_block *block)
{
   const hd_mach *mach = l->p->mach;
   const hd_mach_masks *ops = l->ops;
   hd_mach_scalars set = live_out(l, block);

   for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
      prev = inst->prev;
      if (is_dead(l, inst, &set)) {
         hd_mach_inst_remove(block, inst);
         l->changed = true;
         continue;
      }
      hd_mach_inst *save = save_before(l, inst);
      if (save && !is_live(mach, &set, hd_mach_def(save, 0))) {
         const bool negate = save->op == ops->and_not_save;
         replace(l, block, inst, negate ? ops->and_masks : ops->and_not, *hd_mach_src(save, 0));
         inst = save->next;
         prev = save->prev;
         hd_mach_inst_remove(block, save);
         l->changed = true;
      } else if (is_save(l, inst) && !is_live(mach, &set, hd_mach_def(inst, 0))) {
         const bool negate = inst->op == ops->and_not_save;
         replace(l, block, inst, negate ? ops->and_not : ops->and_masks, *hd_mach_src(inst, 0));
         inst = prev ? prev->next : block->first;
      }
      hd_mach_inst *move = move_before(l, inst);
      if (move) {
         *hd_mach_src(inst, 0) = *hd_mach_src(move, 0);
         prev = move->prev;
         if (block->tail == move)
            block->tail = inst;
         hd_mach_inst_remove(block, move);
         l->changed = true;
      }
      hd_mach_live_scalars_before(mach, &set, inst);
   }
   return set;
}

/* What changed exec last says in the flag whether lanes are left: then the branch need not wait for
 * exec.
 */
static void
branch_on_flag(hd_mach_program *p, hd_mach_block *block)
{
   static const hd_mach_operand none = { .size = 0 };
   const hd_mach_masks *ops = p->hooks->masks;
   hd_mach_inst *branch = block->last, *inst = branch ? branch->prev : NULL;

   if (!branch || (branch->op != ops->branch_none && branch->op != ops->branch_some))
      return;
   for (;; inst = inst->prev) {
      bool exec = false, flag = false;
      if (!inst)
         return;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         exec |= hd_mach_def(inst, n)->reg == p->mach->exec.reg;
         flag |= hd_mach_def(inst, n)->reg == p->mach->flag;
      }
      if (exec && flag)
         break;
      if (exec || flag)
         return;
   }
   hd_mach_inst *other =
       ops->make(p, ops->branch_flag[branch->op == ops->branch_some], none, none, none);
   other->target = branch->target;
   other->loc = branch->loc;
   hd_mach_inst_insert_before(block, other, branch);
   if (block->tail == branch)
      block->tail = other;
   hd_mach_inst_remove(block, branch);
}

void
hd_mach_branches_on_flag(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p) branch_on_flag(p, block);
}

hd_mach_dead_masks *
hd_mach_dead_masks_find(hd_mach_program *p)
{
   hd_mach_dead_masks *l = hd_stack_alloc(p->stack, sizeof(*l));

   *l = (hd_mach_dead_masks){ .p = p, .ops = p->hooks->masks };
   l->in = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*l->in));
   find_live(l);
   return l;
}

bool
hd_mach_dead_masks_remove(hd_mach_dead_masks *l, hd_mach_block *block, bool *fewer_live)
{
   hd_mach_scalars *in = &l->in[block->index];

   l->changed = false;
   const hd_mach_scalars set = clean_block(l, block);
   hd_mach_scalars both = set;
   *fewer_live = hd_mach_scalars_unite(&both, in);
   *in = set;
   return l->changed;
}
