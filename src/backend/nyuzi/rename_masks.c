/* SPDX-License-Identifier: MIT */
/* rename_masks.c - remove copies of exec masks: code uses a mask in the register that it was computed in.
 *
 *    s1 = exec, exec = c & exec             s1 = c & exec
 *    ... exec ...                           ... s1 ...
 *    exec = s1 & ~exec              =>      s1 = exec & ~s1
 *    ... exec ...                           ... s1 ...
 *    exec = s1
 *
 * Control flow is lowered as for a machine with one exec register, which is saved, narrowed and
 * restored. Here an instruction can name any scalar: in a region where the saved mask is live,
 * and on all paths out of which it is restored and dead, the two registers are renamed, and the moves
 * become redundant. Nested regions rename the register that holds the exec mask there.
 *
 * Requires: masks are assigned. `exec` is an operand of code that reads or writes it.
 */
#include "backend/nyuzi/program.h"

/* A region that is larger keeps its moves: each is walked by itself. */
#define MOST_INSTRUCTIONS 4000u

typedef struct renamer {
   hd_mach_program *p;
   uint32_t *live_out; /* by block: bits of scalar registers */
   uint32_t *inside;   /* by block: the number of the region that its beginning is in */
   bool *through;      /* by block: and its end, of that region */
   uint32_t region;
   hd_mach_block **blocks;
   uint32_t num_blocks, num_insts;
   hd_mach_inst **restores;
   uint32_t num_restores;
} renamer;

static uint32_t
bit_of(const hd_mach_operand *o)
{
   return o->size && o->reg < 32 ? UINT32_C(1) << o->reg : 0;
}

static uint32_t
reads(const hd_mach_inst *inst)
{
   uint32_t bits = inst->mods.bytes[0] ? UINT32_C(1) << (inst->mods.bytes[0] - 1) : 0;

   for (unsigned n = 0; n < inst->num_srcs; n++)
      bits |= bit_of(hd_mach_src(inst, n));
   return bits;
}

static uint32_t
writes(const hd_mach_inst *inst)
{
   uint32_t bits = 0;

   for (unsigned n = 0; n < inst->num_defs; n++)
      bits |= bit_of(hd_mach_def(inst, n));
   return bits;
}

static uint32_t
live_in(const renamer *r, const hd_mach_block *block)
{
   uint32_t live = r->live_out[block->index];

   for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev)
      live = (live & ~writes(inst)) | reads(inst);
   return live;
}

static void
find_live(renamer *r)
{
   bool changed = true;

   while (changed) {
      changed = false;
      for (hd_mach_block *block = r->p->last; block; block = block->prev) {
         const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
         uint32_t live = 0;
         for (uint32_t n = 0; n < edges->num_succs; n++)
            live |= live_in(r, edges->succs[n]);
         changed |= live != r->live_out[block->index];
         r->live_out[block->index] = live;
      }
   }
}

static bool
is_restore(const hd_mach_inst *inst, unsigned exec, unsigned saved)
{
   return inst->op == HD_NYUZI_MOVE && !inst->mods.bytes[0] && hd_mach_def(inst, 0)->reg == exec &&
          hd_mach_src(inst, 0)->reg == saved;
}

/* Is the register read before it is written, after this instruction? */
static bool
is_live_behind(const renamer *r, const hd_mach_block *block, const hd_mach_inst *inst, uint32_t bit)
{
   for (inst = inst->next; inst; inst = inst->next) {
      if (reads(inst) & bit)
         return true;
      if (writes(inst) & bit)
         return false;
   }
   return r->live_out[block->index] & bit;
}

/* From `first` on to the restore or the end of the block; false: it is no such region. */
static bool
walk_block(renamer *r, hd_mach_block *block, hd_mach_inst *first, unsigned exec, unsigned saved)
{
   const uint32_t bit = UINT32_C(1) << saved;

   for (hd_mach_inst *inst = first; inst; inst = inst->next) {
      if (++r->num_insts > MOST_INSTRUCTIONS)
         return false;
      if (is_restore(inst, exec, saved)) {
         r->restores[r->num_restores++] = inst;
         return !is_live_behind(r, block, inst, bit);
      }
      if (writes(inst) & bit)
         return false;
   }
   /* Dead in another way. */
   if (!(r->live_out[block->index] & bit))
      return false;
   r->through[block->index] = true;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   for (uint32_t n = 0; n < edges->num_succs; n++) {
      hd_mach_block *to = edges->succs[n];
      if (r->inside[to->index] == r->region)
         continue;
      if (!(live_in(r, to) & bit))
         return false;
      r->inside[to->index] = r->region;
      r->through[to->index] = false;
      r->blocks[r->num_blocks++] = to;
   }
   return true;
}

/* Nobody comes in but by the beginning. */
static bool
is_closed(const renamer *r, const hd_mach_block *start)
{
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      const hd_mach_edges *edges = &r->blocks[n]->edges[HD_MACH_LINEAR];
      for (uint32_t k = 0; k < edges->num_preds; k++) {
         const hd_mach_block *pred = edges->preds[k];
         if (pred != start && (r->inside[pred->index] != r->region || !r->through[pred->index]))
            return false;
      }
   }
   return r->through[start->index] || !r->num_blocks;
}

static void
swap_reg(hd_mach_operand *o, unsigned a, unsigned b)
{
   if (!o->size || hd_nyuzi_is_constant(o))
      return;
   o->reg = (uint16_t)(o->reg == a ? b : o->reg == b ? a : o->reg);
}

static void
swap_in(hd_mach_inst *first, unsigned exec, unsigned saved)
{
   for (hd_mach_inst *inst = first; inst && !is_restore(inst, exec, saved); inst = inst->next) {
      uint8_t *mask = hd_nyuzi_mask(inst);
      for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++)
         swap_reg(&inst->operands[n], exec, saved);
      if (*mask == exec + 1)
         *mask = (uint8_t)(saved + 1);
      else if (*mask == saved + 1)
         *mask = (uint8_t)(exec + 1);
   }
}

static void
try_save(renamer *r, hd_mach_block *block, hd_mach_inst *save)
{
   const unsigned saved = hd_mach_def(save, 0)->reg, exec = hd_mach_def(save, 1)->reg;

   r->region++;
   r->num_blocks = r->num_insts = r->num_restores = 0;
   r->through[block->index] = false;
   if (!walk_block(r, block, save->next, exec, saved))
      return;
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      if (r->blocks[n] == block || !walk_block(r, r->blocks[n], r->blocks[n]->first, exec, saved))
         return;
   }
   if (!is_closed(r, block))
      return;
   swap_in(save->next, exec, saved);
   for (uint32_t n = 0; n < r->num_blocks; n++)
      swap_in(r->blocks[n]->first, exec, saved);
   for (uint32_t n = 0; n < r->num_restores; n++)
      *r->restores[n] =
          (hd_mach_inst){ .prev = r->restores[n]->prev, .next = r->restores[n]->next };
   /* saved = mask & exec */
   save->op = HD_NYUZI_AND;
   save->operands[1] = save->operands[2];
   save->operands[2] = save->operands[3];
   save->num_defs = 1;
}

static void
mark_names_of_exec(hd_mach_block *block)
{
   hd_mach_foreach_inst(inst, block)
   {
      for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
         const hd_mach_operand *o = &inst->operands[n];
         if (o->size && o->reg == HD_NYUZI_EXEC)
            inst->mods.bytes[1] = 1;
      }
   }
}

/* A uniform condition is tested where it is, if the flag is made by the move before the branch. */
static void
fold_flag(hd_mach_block *block)
{
   hd_mach_inst *branch = block->last, *move = branch ? branch->prev : NULL;

   if (!move || (branch->op != HD_NYUZI_P_BZ_FLAG && branch->op != HD_NYUZI_P_BNZ_FLAG) ||
       move->op != HD_NYUZI_MOVE || hd_mach_def(move, 0)->reg != HD_NYUZI_FLAG ||
       hd_nyuzi_is_constant(hd_mach_src(move, 0)))
      return;
   *hd_mach_src(branch, 0) = *hd_mach_src(move, 0);
   hd_mach_inst_remove(block, move);
}

bool
hd_nyuzi_rename_masks(hd_mach_program *p)
{
   const uint32_t num = p->num_blocks + 1;
   renamer r = { .p = p,
                 .live_out = hd_stack_alloc_zero(p->stack, num * sizeof(*r.live_out)),
                 .inside = hd_stack_alloc_zero(p->stack, num * sizeof(*r.inside)),
                 .through = hd_stack_alloc_zero(p->stack, num * sizeof(*r.through)),
                 .blocks = hd_stack_alloc(p->stack, num * sizeof(hd_mach_block *)),
                 .restores = hd_stack_alloc(p->stack, num * sizeof(hd_mach_inst *)) };

   hd_mach_find_preds(p);
   find_live(&r);
   hd_mach_foreach_block(block, p) mark_names_of_exec(block);
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (inst->op == HD_NYUZI_P_AND_SAVE)
            try_save(&r, block, inst);
      }
   }
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_MACH_OP_NONE)
            hd_mach_inst_remove(block, inst);
      }
      fold_flag(block);
   }
   return true;
}
