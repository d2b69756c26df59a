/* SPDX-License-Identifier: MIT */
/* dead_exec_writes.c - remove dead writes of exec, and dead masks.
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
 * A compare whose only use narrows exec at once becomes v_cmpx.
 */
#include <assert.h>

#include "backend/gcn/exec/exec.h"
#include "backend/gcn/program.h"

typedef struct clean {
   hd_mach_program *p;
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
needs_exec(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[inst->op];

   if (info->mach.flags & HD_MACH_PER_LANE || reads(inst, HD_GCN_EXEC) || reads(inst, HD_GCN_EXECZ))
      return true;
   if (info->format != HD_GCN_PSEUDO || inst->op == HD_MACH_P_PHI)
      return false;
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_vector(p, hd_mach_def(inst, n)))
         return true;
   }
   return inst->num_srcs && is_vector(p, hd_mach_src(inst, 0));
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
makes_mask(const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_MOV_B64:
   case HD_GCN_S_AND_B64:
   case HD_GCN_S_OR_B64:
   case HD_GCN_S_ANDN2_B64:
      return true;
   default:
      return false;
   }
}

static hd_gcn_op
without_save(const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_AND_SAVEEXEC_B64:
      return HD_GCN_S_AND_B64;
   case HD_GCN_S_ANDN1_SAVEEXEC_B64:
      return HD_GCN_S_ANDN2_B64;
   default:
      return HD_GCN_NUM_OPS;
   }
}

static bool
save_is_needed(const clean *c, const hd_mach_inst *inst)
{
   return !hd_mach_is_temp(hd_mach_def(inst, 0)) || c->needed[hd_mach_def(inst, 0)->value];
}

/* The instruction is dead if exec is dead after it. */
static bool
is_only_for_exec(const clean *c, const hd_mach_inst *inst, bool scc_live)
{
   if (scc_live && writes(inst, HD_GCN_SCC))
      return false;
   if (makes_mask(inst))
      return hd_mach_def(inst, 0)->reg == HD_GCN_EXEC && !hd_mach_is_temp(hd_mach_def(inst, 0));
   return without_save(inst) != HD_GCN_NUM_OPS && !save_is_needed(c, inst);
}

/* Is exec live at the beginning of the block? With `remove`, what is only for exec goes. */
static bool
scan(clean *c, hd_mach_block *block, bool remove)
{
   bool live = c->live_out[block->index], scc_live = false;
   bool copies = may_copy(block);

   if (!block->tail && copies)
      live = true;
   for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
      bool is_tail = inst == block->tail;
      prev = inst->prev;
      if (!live && writes(inst, HD_GCN_EXEC) && is_only_for_exec(c, inst, scc_live)) {
         if (remove) {
            hd_mach_inst_remove(block, inst);
            c->changed = true;
         }
      } else {
         if (writes(inst, HD_GCN_EXEC))
            live = false;
         live |= needs_exec(c->p, inst);
         scc_live &= !writes(inst, HD_GCN_SCC);
         scc_live |= reads(inst, HD_GCN_SCC);
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

   return def && hd_mach_is_temp(def) && c->p->temps[def->value].file == HD_GCN_SGPR &&
          (makes_mask(inst) || inst->op == HD_MACH_P_PHI) && !writes(inst, HD_GCN_EXEC);
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
      bool scc_live = false;
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
         if (!is_only_for_temp(c, inst) || (scc_live && writes(inst, HD_GCN_SCC))) {
            for (unsigned n = 0; n < inst->num_srcs; n++)
               need(c, hd_mach_src(inst, n));
         }
         scc_live &= !writes(inst, HD_GCN_SCC);
         scc_live |= reads(inst, HD_GCN_SCC);
      }
   }
   while (c->num_work) {
      const hd_mach_inst *def = p->temps[c->work[--c->num_work]].def;
      for (unsigned n = 0; def && n < def->num_srcs; n++)
         need(c, hd_mach_src(def, n));
   }
}

/* Merged with nothing: what a mask is where no lane had bits of it before. */
static void
drop_zero(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst)
{
   hd_mach_operand a = *hd_mach_src(inst, 0), result = a;

   if (a.reg != HD_GCN_CONST_0 || hd_mach_is_temp(&a) || !hd_mach_is_temp(hd_mach_def(inst, 0)))
      return;
   if (inst->op == HD_GCN_S_OR_B64)
      result = *hd_mach_src(inst, 1);
   else if (inst->op != HD_GCN_S_ANDN2_B64 && inst->op != HD_GCN_S_AND_B64)
      return;
   hd_mach_inst *move =
       hd_gcn_make_op(p, HD_GCN_S_MOV_B64, *hd_mach_def(inst, 0), result, (hd_mach_operand){ 0 });
   hd_mach_inst_insert_before(block, move, inst);
   if (block->tail == inst)
      block->tail = move;
   hd_mach_inst_remove(block, inst);
}

static void
drop_save(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst)
{
   hd_mach_inst *narrow =
       hd_gcn_make_op(p, without_save(inst), hd_mach_operand_reg(HD_GCN_EXEC, 2),
                      hd_mach_operand_reg(HD_GCN_EXEC, 2), *hd_mach_src(inst, 0));

   narrow->loc = inst->loc;
   hd_mach_inst_insert_before(block, narrow, inst);
   if (block->tail == inst)
      block->tail = narrow;
   hd_mach_inst_remove(block, inst);
}

static void
drop_masks(clean *c)
{
   hd_mach_foreach_block(block, c->p)
   {
      bool scc_live = false;
      for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
         bool writes_scc = writes(inst, HD_GCN_SCC), reads_scc = reads(inst, HD_GCN_SCC);
         prev = inst->prev;
         if (is_only_for_temp(c, inst) && !c->needed[hd_mach_def(inst, 0)->value] &&
             !(scc_live && writes_scc)) {
            hd_mach_inst_remove(block, inst);
            c->changed = true;
            continue;
         }
         if (makes_mask(inst) && !scc_live)
            drop_zero(c->p, block, inst);
         else if (without_save(inst) != HD_GCN_NUM_OPS && !save_is_needed(c, inst))
            drop_save(c->p, block, inst);
         scc_live = (scc_live && !writes_scc) || reads_scc;
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

/* The compare in this block whose result `narrow` narrows exec with, if nothing reads it before. */
static hd_mach_inst *
compare_of(const hd_mach_block *block, const hd_mach_inst *narrow)
{
   const hd_mach_operand *condition = hd_mach_src(narrow, 1);

   if (narrow->op != HD_GCN_S_AND_B64 || !writes(narrow, HD_GCN_EXEC) ||
       !hd_mach_is_temp(condition) || !reads(narrow, HD_GCN_EXEC))
      return NULL;
   for (hd_mach_inst *inst = narrow->prev; inst; inst = inst->prev) {
      if (inst->num_defs && hd_mach_is_temp(hd_mach_def(inst, 0)) &&
          hd_mach_def(inst, 0)->value == condition->value) {
         bool plain = hd_gcn_op_infos[inst->op].format == HD_GCN_VOPC;
         return plain && hd_gcn_exec_compare(inst->op) != HD_GCN_OP_NONE ? inst : NULL;
      }
      if (reads_temp(inst, condition->value) || writes(inst, HD_GCN_EXEC))
         return NULL;
   }
   (void)block;
   return NULL;
}

static void
let_compares_narrow(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      for (hd_mach_inst *inst = block->tail, *next = NULL; inst; inst = next) {
         hd_mach_inst *compare = compare_of(block, inst);
         next = inst->next;
         if (!compare)
            continue;
         unsigned op = hd_gcn_exec_compare(compare->op);
         hd_mach_inst *both = hd_gcn_make_op(p, op, *hd_mach_def(compare, 0),
                                             *hd_mach_src(compare, 0), *hd_mach_src(compare, 1));
         both->form = compare->form;
         both->bits = compare->bits;
         both->loc = compare->loc;
         hd_mach_inst_insert_before(block, both, inst);
         if (block->tail == inst)
            block->tail = both;
         hd_mach_inst_remove(block, compare);
         hd_mach_inst_remove(block, inst);
      }
   }
}

void
hd_gcn_exec_clean(hd_mach_program *p)
{
   clean c = { .p = p };
   uint32_t num = p->num_temps > 2 * p->num_blocks ? p->num_temps : 2 * p->num_blocks;

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
   let_compares_narrow(p);
}
