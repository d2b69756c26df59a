/* SPDX-License-Identifier: MIT */
/* dead_writes.c - remove dead writes of exec, and dead masks.
 *
 *    join2:                                    join2:
 *    s_mov_b64 exec, saved2                    join1:
 *    join1:                             =>     s_mov_b64 exec, saved1
 *    s_mov_b64 exec, saved1
 *
 * Exec is live where a vector instruction may execute before exec is written again: backward
 * liveness of one bit a block, along linear edges. Then instructions that only compute dead masks
 * are removed, and an and-saveexec whose saved mask is dead becomes an and. As that may free
 * further writes, it is done twice.
 *
 * A compare whose only use narrows exec at once becomes one that writes exec, where the machine has it.
 */
#include "machine/flow/exec_mask/exec_mask.h"

typedef struct clean {
   hd_mach_program *p;
   const hd_mach_masks *ops;
   bool *live_out; /* by block */
   bool *needed;   /* by temp */
   uint32_t *work; /* temps, blocks */
   uint32_t num_work;
   bool changed;
} clean;

static bool
writes(const hd_mach_inst *inst, unsigned reg)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (!hd_mach_is_temp(hd_mach_def(inst, n)) && hd_mach_def(inst, n)->reg == reg)
         return true;
   }
   return false;
}

static bool
reads(const hd_mach_inst *inst, unsigned reg)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (!hd_mach_is_temp(hd_mach_src(inst, n)) && hd_mach_src(inst, n)->reg == reg)
         return true;
   }
   return false;
}

static bool
is_vector(const hd_mach_program *p, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && hd_mach_is_vector(p, operand->value);
}

static bool
writes_exec(const clean *c, const hd_mach_inst *inst)
{
   return writes(inst, c->p->mach->exec.reg);
}

/* Itself, or what tells whether it is 0. */
static bool
reads_exec(const hd_mach *mach, const hd_mach_inst *inst)
{
   if (reads(inst, mach->exec.reg))
      return true;
   for (unsigned n = 0; n < mach->num_aliases; n++) {
      if (mach->aliases[n].of.reg == mach->exec.reg && reads(inst, mach->aliases[n].reg))
         return true;
   }
   return false;
}

static bool
needs_exec(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const uint32_t flags = hd_mach_op_of(p->mach, inst)->flags;

   if (flags & HD_MACH_PER_LANE || reads_exec(p->mach, inst))
      return true;
   if (!(flags & HD_MACH_PSEUDO) || inst->op == HD_MACH_P_PHI)
      return false;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_vector(p, hd_mach_def(inst, n)))
         return true;
   }
   return inst->num_srcs && is_vector(p, hd_mach_src(inst, 0));
}

/* Is the flag read after the instruction, if it is read after it or before? */
static bool
flag_before(const clean *c, const hd_mach_inst *inst, bool live)
{
   const unsigned flag = c->p->mach->flag;

   return (live && !writes(inst, flag)) || reads(inst, flag);
}

/* Before its tail copies may come: of vector phis, and of values that were moved or spilled and
 * must be elsewhere when control leaves the block.
 */
static bool
may_copy(const hd_mach_block *block)
{
   return block->edges[HD_MACH_LOGICAL].num_succs && !block->passive;
}

/* What exec is */

/* Ops that only make a mask, in their forms with and without saving what was there before. */
static bool
makes_mask(const clean *c, const hd_mach_inst *inst)
{
   return inst->op == c->ops->move || inst->op == c->ops->and_masks ||
          inst->op == c->ops->or_masks || inst->op == c->ops->and_not;
}

/* HD_MACH_OP_NONE: it is no save. */
static unsigned
without_save(const clean *c, const hd_mach_inst *inst)
{
   return inst->op == c->ops->and_save       ? c->ops->and_masks
          : inst->op == c->ops->and_not_save ? c->ops->and_not
                                             : HD_MACH_OP_NONE;
}

static bool
save_is_needed(const clean *c, const hd_mach_inst *inst)
{
   return !hd_mach_is_temp(hd_mach_def(inst, 0)) || c->needed[hd_mach_def(inst, 0)->value];
}

/* The instruction is dead if exec is dead after it. */
static bool
is_only_for_exec(const clean *c, const hd_mach_inst *inst, bool flag_live)
{
   if (flag_live && writes(inst, c->p->mach->flag))
      return false;
   if (makes_mask(c, inst))
      return hd_mach_def(inst, 0)->reg == c->p->mach->exec.reg &&
             !hd_mach_is_temp(hd_mach_def(inst, 0));
   return without_save(c, inst) != HD_MACH_OP_NONE && !save_is_needed(c, inst);
}

/* Is exec live at the beginning of the block? With `remove`, what is only for exec goes. */
static bool
scan(clean *c, hd_mach_block *block, bool remove)
{
   bool live = c->live_out[block->index], flag_live = false;
   bool copies = may_copy(block);

   if (!block->tail && copies)
      live = true;
   for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
      bool is_tail = inst == block->tail;
      prev = inst->prev;
      if (!live && writes_exec(c, inst) && is_only_for_exec(c, inst, flag_live)) {
         if (remove) {
            hd_mach_inst_remove(block, inst);
            c->changed = true;
         }
      } else {
         if (writes_exec(c, inst))
            live = false;
         live |= needs_exec(c->p, inst);
         flag_live = flag_before(c, inst, flag_live);
      }
      live |= is_tail && copies;
   }
   return live;
}

static void
clean_exec(clean *c)
{
   hd_mach_program *p = c->p;
   bool *done = hd_stack_alloc_zero(p->stack, p->num_blocks);

   for (uint32_t n = 0; n < p->num_blocks; n++)
      c->live_out[n] = false;
   c->num_work = 0;
   for (hd_mach_block *block = p->last; block; block = block->prev)
      c->work[c->num_work++] = block->index;
   /* From the end of the list: the last blocks are there first. A block comes again only when its
    * bit changes, so at most twice.
    */
   for (uint32_t n = 0; n < c->num_work; n++) {
      hd_mach_block *block = p->blocks[c->work[n]];
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      if (done[block->index] || !scan(c, block, false))
         continue;
      done[block->index] = true;
      for (uint32_t k = 0; k < edges->num_preds; k++) {
         uint32_t pred = edges->preds[k]->index;
         if (c->live_out[pred])
            continue;
         c->live_out[pred] = true;
         if (!done[pred])
            c->work[c->num_work++] = pred;
      }
   }
   hd_mach_foreach_block(block, p) scan(c, block, true);
}

/* Masks */

static void
need(clean *c, const hd_mach_operand *operand)
{
   if (!hd_mach_is_temp(operand) || c->needed[operand->value])
      return;
   c->needed[operand->value] = true;
   c->work[c->num_work++] = operand->value;
}

/* Would the instruction be dead if the temp that it defines were unused? */
static bool
is_only_for_temp(const clean *c, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = inst->num_defs ? hd_mach_def(inst, 0) : NULL;

   return def && hd_mach_is_temp(def) && !hd_mach_is_vector(c->p, def->value) &&
          (makes_mask(c, inst) || inst->op == HD_MACH_P_PHI) && !writes_exec(c, inst);
}

/* What is needed by instructions that stay, and by those in turn. */
static void
find_needed(clean *c)
{
   hd_mach_program *p = c->p;

   for (uint32_t n = 0; n < p->num_temps; n++)
      c->needed[n] = false;
   c->num_work = 0;
   hd_mach_foreach_block(block, p)
   {
      bool flag_live = false;
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
         if (!is_only_for_temp(c, inst) || (flag_live && writes(inst, c->p->mach->flag))) {
            for (unsigned n = 0; n < inst->num_srcs; n++)
               need(c, hd_mach_src(inst, n));
         }
         flag_live = flag_before(c, inst, flag_live);
      }
   }
   while (c->num_work) {
      const hd_mach_inst *def = p->temps[c->work[--c->num_work]].def;
      for (unsigned n = 0; def && n < def->num_srcs; n++)
         need(c, hd_mach_src(def, n));
   }
}

static void
put_instead(hd_mach_block *block, hd_mach_inst *inst, hd_mach_inst *old)
{
   hd_mach_inst_insert_before(block, inst, old);
   if (block->tail == old)
      block->tail = inst;
   hd_mach_inst_remove(block, old);
}

/* Merged with nothing: what a mask is where no lane had bits of it before. */
static void
drop_zero(clean *c, hd_mach_block *block, hd_mach_inst *inst)
{
   const hd_mach_operand a = *hd_mach_src(inst, 0);
   hd_mach_operand result = a;

   if (a.reg != c->ops->zero || hd_mach_is_temp(&a) || !hd_mach_is_temp(hd_mach_def(inst, 0)))
      return;
   if (inst->op == c->ops->or_masks)
      result = *hd_mach_src(inst, 1);
   else if (inst->op != c->ops->and_not && inst->op != c->ops->and_masks)
      return;
   put_instead(
       block,
       c->ops->make(c->p, c->ops->move, *hd_mach_def(inst, 0), result, (hd_mach_operand){ 0 }),
       inst);
}

static void
drop_save(clean *c, hd_mach_block *block, hd_mach_inst *inst)
{
   const hd_mach_operand exec = hd_mach_mask_exec(c->p);
   hd_mach_inst *narrow =
       c->ops->make(c->p, without_save(c, inst), exec, exec, *hd_mach_src(inst, 0));

   narrow->loc = inst->loc;
   put_instead(block, narrow, inst);
}

static void
drop_masks(clean *c)
{
   const unsigned flag = c->p->mach->flag;

   hd_mach_foreach_block(block, c->p)
   {
      bool flag_live = false;
      for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
         const bool live_before = flag_before(c, inst, flag_live);
         prev = inst->prev;
         if (is_only_for_temp(c, inst) && !c->needed[hd_mach_def(inst, 0)->value] &&
             !(flag_live && writes(inst, flag))) {
            hd_mach_inst_remove(block, inst);
            c->changed = true;
            continue;
         }
         if (makes_mask(c, inst) && !flag_live)
            drop_zero(c, block, inst);
         else if (without_save(c, inst) != HD_MACH_OP_NONE && !save_is_needed(c, inst))
            drop_save(c, block, inst);
         flag_live = live_before;
      }
   }
}

/* Compares */

static bool
reads_temp(const hd_mach_inst *inst, uint32_t temp)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_is_temp(hd_mach_src(inst, n)) && hd_mach_src(inst, n)->value == temp)
         return true;
   }
   return false;
}

/* The compare in the same block whose result `narrow` narrows exec with, if nothing reads it before. */
static hd_mach_inst *
compare_of(const clean *c, const hd_mach_inst *narrow)
{
   const hd_mach_operand *condition = hd_mach_src(narrow, 1);

   if (narrow->op != c->ops->and_masks || !writes_exec(c, narrow) || !hd_mach_is_temp(condition) ||
       !reads(narrow, c->p->mach->exec.reg))
      return NULL;
   for (hd_mach_inst *inst = narrow->prev; inst; inst = inst->prev) {
      if (inst->num_defs && hd_mach_is_temp(hd_mach_def(inst, 0)) &&
          hd_mach_def(inst, 0)->value == condition->value)
         return c->ops->exec_compare(inst->op) != HD_MACH_OP_NONE ? inst : NULL;
      if (reads_temp(inst, condition->value) || writes_exec(c, inst))
         return NULL;
   }
   return NULL;
}

static void
let_compares_narrow(clean *c)
{
   hd_mach_foreach_block(block, c->p)
   {
      for (hd_mach_inst *inst = block->tail, *next = NULL; inst; inst = next) {
         hd_mach_inst *compare = compare_of(c, inst);
         next = inst->next;
         if (!compare)
            continue;
         hd_mach_inst *both =
             c->ops->make(c->p, c->ops->exec_compare(compare->op), *hd_mach_def(compare, 0),
                          *hd_mach_src(compare, 0), *hd_mach_src(compare, 1));
         both->form = compare->form;
         both->bits = compare->bits;
         both->loc = compare->loc;
         put_instead(block, both, inst);
         hd_mach_inst_remove(block, compare);
      }
   }
}

void
hd_mach_mask_clean(hd_mach_program *p)
{
   clean c = { .p = p, .ops = p->hooks->masks };
   const uint32_t num = p->num_temps > 2 * p->num_blocks ? p->num_temps : 2 * p->num_blocks;

   if (!c.ops->cleans)
      return;
   c.live_out = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*c.live_out));
   c.needed = hd_stack_alloc(p->stack, p->num_temps * sizeof(*c.needed));
   c.work = hd_stack_alloc(p->stack, num * sizeof(*c.work));
   for (unsigned round = 0; round < 3; round++) {
      c.changed = false;
      find_needed(&c);
      drop_masks(&c);
      clean_exec(&c);
      if (!c.changed)
         break;
   }
   if (c.ops->exec_compare)
      let_compares_narrow(&c);
}
