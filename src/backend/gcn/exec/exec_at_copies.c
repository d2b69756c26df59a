/* SPDX-License-Identifier: MIT */
/* exec_at_copies.c - remove exec masks of empty arms, when it is known where phi copies are.
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
 * Registers have several definitions by now: liveness of exec and of scalar registers is computed
 * along linear edges.
 */
#include <string.h>

#include "backend/gcn/exec/dead_masks.h"
#include "backend/gcn/program.h"

#define WORDS                                                                                      \
   4 /* bits of source operands below 128: SGPRs, vcc, m0, exec; and one more for scc              \
      */

typedef struct live_set {
   uint32_t regs[WORDS];
   bool scc;
} live_set;

/* Code that goes leaves the sets as they are or too large, and a block that becomes part of another
 * one is entered where that ended. So they need not be found again, but grow smaller.
 */
struct hd_gcn_dead_masks {
   hd_mach_program *p;
   live_set *in; /* by block */
   bool changed; /* the block at hand */
};

static void
set_regs(live_set *set, const hd_mach_operand *operand, bool live)
{
   unsigned reg = operand->reg;

   if (reg == HD_GCN_SCC)
      set->scc = live;
   if (reg == HD_GCN_EXECZ)
      reg = HD_GCN_EXEC;
   else if (reg == HD_GCN_VCCZ)
      reg = HD_GCN_VCC;
   if (reg >= 128)
      return;
   for (unsigned n = reg; n < reg + (operand->size ? operand->size : 1u) && n < 128; n++) {
      if (live)
         set->regs[n / 32] |= 1u << n % 32;
      else
         set->regs[n / 32] &= ~(1u << n % 32);
   }
   if (live && (operand->reg == HD_GCN_EXECZ || operand->reg == HD_GCN_VCCZ))
      set->regs[(reg + 1) / 32] |= 1u << (reg + 1) % 32;
}

static bool
is_live(const live_set *set, const hd_mach_operand *operand)
{
   unsigned reg = operand->reg;

   for (unsigned n = reg; n < reg + operand->size && n < 128; n++) {
      if (set->regs[n / 32] >> n % 32 & 1)
         return true;
   }
   return reg == HD_GCN_SCC && set->scc;
}

static void
step_back(live_set *set, const hd_mach_inst *inst)
{
   static const hd_mach_operand exec = { .reg = HD_GCN_EXEC, .size = 2 };

   for (unsigned n = 0; n < inst->num_defs; n++)
      set_regs(set, hd_mach_def(inst, n), false);
   for (unsigned n = 0; n < inst->num_srcs; n++)
      set_regs(set, hd_mach_src(inst, n), true);
   if (hd_gcn_op_infos[inst->op].mach.flags & HD_MACH_PER_LANE)
      set_regs(set, &exec, true);
}

static bool
add(live_set *to, const live_set *from)
{
   bool more = from->scc && !to->scc;

   for (unsigned n = 0; n < WORDS; n++) {
      more |= (from->regs[n] & ~to->regs[n]) != 0;
      to->regs[n] |= from->regs[n];
   }
   to->scc |= from->scc;
   return more;
}

static live_set
live_out(const hd_gcn_dead_masks *l, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   live_set set = { .scc = false };

   for (uint32_t n = 0; n < edges->num_succs; n++)
      add(&set, &l->in[edges->succs[n]->index]);
   return set;
}

/* An instruction that only makes masks, all of which are dead, does nothing. */
static bool
is_dead(const hd_mach_inst *inst, const live_set *live)
{
   switch (inst->op) {
   case HD_GCN_S_MOV_B64:
   case HD_GCN_S_AND_B64:
   case HD_GCN_S_OR_B64:
   case HD_GCN_S_ANDN2_B64:
   case HD_GCN_S_AND_SAVEEXEC_B64:
   case HD_GCN_S_ANDN1_SAVEEXEC_B64:
      break;
   default:
      return false;
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_live(live, hd_mach_def(inst, n)))
         return false;
   }
   return true;
}

/* Live sets grow from nothing, and instructions that are dead by them are passed over; so what
 * keeps only itself alive goes, too. A block is looked at again when a successor's set has grown,
 * 129 times at most; mostly twice.
 */
static void
find_live(hd_gcn_dead_masks *l)
{
   hd_mach_program *p = l->p;
   hd_mach_block **work = hd_stack_alloc(p->stack, p->num_blocks * sizeof(hd_mach_block *));
   bool *waits = hd_stack_alloc_zero(p->stack, p->num_blocks);
   uint32_t first = 0, num = 0;

   memset(l->in, 0, p->num_blocks * sizeof(*l->in));
   for (hd_mach_block *block = p->last; block; block = block->prev) {
      work[num++] = block;
      waits[block->index] = true;
   }
   while (num) {
      hd_mach_block *block = work[first];
      live_set set = live_out(l, block);
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

      first = first + 1 == p->num_blocks ? 0 : first + 1;
      num--;
      waits[block->index] = false;
      hd_heap_step(p->stack->heap, 1);
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
         if (!is_dead(inst, &set))
            step_back(&set, inst);
      }
      if (!add(&l->in[block->index], &set))
         continue;
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         hd_mach_block *pred = edges->preds[n];
         uint32_t at = first + num;
         if (waits[pred->index])
            continue;
         waits[pred->index] = true;
         work[at >= p->num_blocks ? at - p->num_blocks : at] = pred;
         num++;
      }
   }
}

static void
replace(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *old, hd_gcn_op op,
        hd_mach_operand a, hd_mach_operand b)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = hd_gcn_inst_create(p, op, info->mach.num_defs, info->mach.num_srcs);

   *hd_mach_def(inst, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
   *hd_mach_src(inst, 0) = a;
   *hd_mach_src(inst, 1) = b;
   inst->loc = old->loc;
   hd_mach_inst_insert_before(block, inst, old);
   if (block->tail == old)
      block->tail = inst;
   hd_mach_inst_remove(block, old);
}

static bool
is_exec(const hd_mach_operand *operand)
{
   return operand->reg == HD_GCN_EXEC;
}

/* The save before it in the same block, if `inst` takes exec from what was saved. */
static hd_mach_inst *
save_before(const hd_mach_inst *inst)
{
   hd_mach_inst *save = inst->prev;

   if (inst->op != HD_GCN_S_ANDN2_B64 || !is_exec(hd_mach_def(inst, 0)) ||
       !is_exec(hd_mach_src(inst, 1)) || !save ||
       (save->op != HD_GCN_S_AND_SAVEEXEC_B64 && save->op != HD_GCN_S_ANDN1_SAVEEXEC_B64) ||
       hd_mach_def(save, 0)->reg != hd_mach_src(inst, 0)->reg)
      return NULL;
   return save;
}

/* What is live before the block then. */
static live_set
clean_block(hd_gcn_dead_masks *l, hd_mach_block *block)
{
   live_set set = live_out(l, block);
   hd_mach_operand exec = hd_mach_operand_reg(HD_GCN_EXEC, 2);

   for (hd_mach_inst *inst = block->last, *prev = NULL; inst; inst = prev) {
      prev = inst->prev;
      if (is_dead(inst, &set)) {
         hd_mach_inst_remove(block, inst);
         l->changed = true;
         continue;
      }
      hd_mach_inst *save = save_before(inst);
      bool dead = save && !is_live(&set, hd_mach_def(save, 0));
      if (dead) {
         bool negate = save->op == HD_GCN_S_ANDN1_SAVEEXEC_B64;
         hd_mach_operand condition = *hd_mach_src(save, 0);
         replace(l->p, block, inst, negate ? HD_GCN_S_AND_B64 : HD_GCN_S_ANDN2_B64, exec,
                 condition);
         inst = save->next;
         prev = save->prev;
         hd_mach_inst_remove(block, save);
         l->changed = true;
      } else if ((inst->op == HD_GCN_S_AND_SAVEEXEC_B64 ||
                  inst->op == HD_GCN_S_ANDN1_SAVEEXEC_B64) &&
                 !is_live(&set, hd_mach_def(inst, 0))) {
         bool negate = inst->op == HD_GCN_S_ANDN1_SAVEEXEC_B64;
         hd_mach_operand condition = *hd_mach_src(inst, 0);
         replace(l->p, block, inst, negate ? HD_GCN_S_ANDN2_B64 : HD_GCN_S_AND_B64, exec,
                 condition);
         inst = prev ? prev->next : block->first;
      }
      step_back(&set, inst);
   }
   return set;
}

/* What changed exec last says in scc whether lanes are left: then the branch need not wait for
 * exec.
 */
static void
branch_on_scc(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_inst *branch = block->last, *inst = branch ? branch->prev : NULL;

   if (!branch || (branch->op != HD_GCN_S_CBRANCH_EXECZ && branch->op != HD_GCN_S_CBRANCH_EXECNZ))
      return;
   for (;; inst = inst->prev) {
      bool exec = false, scc = false;
      if (!inst)
         return;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         exec |= hd_mach_def(inst, n)->reg == HD_GCN_EXEC;
         scc |= hd_mach_def(inst, n)->reg == HD_GCN_SCC;
      }
      if (exec && scc)
         break;
      if (exec || scc)
         return;
   }
   hd_gcn_op op =
       branch->op == HD_GCN_S_CBRANCH_EXECZ ? HD_GCN_S_CBRANCH_SCC0 : HD_GCN_S_CBRANCH_SCC1;
   hd_mach_inst *other = hd_gcn_inst_create(p, op, hd_gcn_op_infos[op].mach.num_defs,
                                            hd_gcn_op_infos[op].mach.num_srcs);
   other->target = branch->target;
   other->loc = branch->loc;
   hd_mach_inst_insert_before(block, other, branch);
   if (block->tail == branch)
      block->tail = other;
   hd_mach_inst_remove(block, branch);
}

void
hd_gcn_branches_on_scc(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p) branch_on_scc(p, block);
}

void *
hd_gcn_dead_masks_find(hd_mach_program *p)
{
   hd_gcn_dead_masks *l = hd_stack_alloc(p->stack, sizeof(*l));

   *l = (hd_gcn_dead_masks){ .p = p };
   l->in = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*l->in));
   find_live(l);
   return l;
}

bool
hd_gcn_dead_masks_remove(void *state, hd_mach_block *block, bool *fewer_live)
{
   hd_gcn_dead_masks *l = state;
   live_set *in = &l->in[block->index];

   l->changed = false;
   const live_set set = clean_block(l, block);
   live_set both = set;
   *fewer_live = add(&both, in);
   *in = set;
   return l->changed;
}
