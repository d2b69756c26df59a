/* SPDX-License-Identifier: MIT */
/* export_ends.c - every wave of a vertex or fragment shader ends with the last export of its kind.
 *
 *    exp mrt0 v0, v1, v2, v3                  exp mrt0 v0, v1, v2, v3 done vm
 *    end:                             =>      s_endpgm
 *       s_endpgm                          end:
 *                                             exp null off, off, off, off done vm
 *                                             s_endpgm
 *
 * A wave may come to the end without its exports, when all of its lanes have ended before: the chip waits
 * for a last export even so, which then has no lanes: where the last of them halt, exec becomes 0 before it. Where only exports lead to the end, or none are
 * passed by, nothing is added. Of a vertex shader no lane ends early, so that its end is behind its
 * exports.
 *
 * Requires:  exec masks and branches; before the schedule.
 * Tests:     tests/backend/gcn/test_stages.c
 */
#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/isa/isa.h"

/* Targets of one kind: positions, or colours and depth. */
static bool
is_counted(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const unsigned target = (unsigned)inst->imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63;

   if (inst->op != HD_GCN_EXP)
      return false;
   return p->shader->stage == HD_STAGE_FRAGMENT ||
          (target >= HD_GCN_EXPORT_POS0 && target < HD_GCN_EXPORT_PARAM0);
}

/* The block with the exports, all of them; the last is said to be so. NULL: there are none. */
static hd_mach_block *
mark_last(hd_mach_program *p)
{
   hd_mach_block *where = NULL;
   hd_mach_inst *last = NULL;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (is_counted(p, inst)) {
            where = block;
            last = inst;
         }
      }
   }
   if (last)
      last->imm |=
          HD_GCN_EXPORT_DONE | (p->shader->stage == HD_STAGE_FRAGMENT ? HD_GCN_EXPORT_VM : 0);
   return where;
}

/* Blocks that the pc comes to without passing the end of `without`. */
static uint8_t *
find_reached(hd_mach_program *p, const hd_mach_block *without)
{
   uint8_t *reached = hd_stack_alloc_zero(p->stack, p->num_blocks + 1);
   hd_mach_block **queue = hd_stack_alloc(p->stack, (p->num_blocks + 1) * sizeof(*queue));
   uint32_t num = 0;

   reached[p->first->index] = 1;
   queue[num++] = p->first;
   while (num) {
      const hd_mach_block *block = queue[--num];
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      for (uint32_t n = 0; block != without && n < edges->num_succs; n++) {
         if (!reached[edges->succs[n]->index]) {
            reached[edges->succs[n]->index] = 1;
            queue[num++] = edges->succs[n];
         }
      }
   }
   return reached;
}

static hd_mach_inst *
end_of(const hd_mach_block *block)
{
   return block->last && block->last->op == HD_MACH_P_END ? block->last : NULL;
}

/* Whether lanes are on that halt here, all that are left: none of them is to be kept. */
static bool
halts(const hd_mach_block *block)
{
   const hd_jump *jump = block->ir ? hd_block_jump(block->ir) : NULL;

   return jump && jump->instr.op == HD_JUMP_HALT;
}

static void
insert_before_end(hd_mach_block *block, hd_mach_inst *inst)
{
   inst->loc = block->last->loc;
   hd_mach_inst_insert_before(block, inst, block->last);
   if (block->tail == block->last)
      block->tail = inst;
}

static void
add_null(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_inst *inst = hd_gcn_inst_create(p, HD_GCN_EXP, 0, 4);

   if (halts(block)) {
      hd_mach_inst *none = hd_gcn_inst_create(p, HD_GCN_S_MOV_B64, 1, 1);
      *hd_mach_def(none, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
      *hd_mach_src(none, 0) = hd_gcn_operand_const(hd_gcn_target_in(p)->gen, HD_GCN_B64, 0);
      insert_before_end(block, none);
   }

   inst->imm =
       HD_GCN_EXPORT_NULL << HD_GCN_EXPORT_TARGET_SHIFT | HD_GCN_EXPORT_DONE | HD_GCN_EXPORT_VM;
   insert_before_end(block, inst);
}

/* The wave ends at the end of the block. */
static void
end_here(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   hd_mach_block *to = edges->succs[0];
   hd_mach_edges *there = &to->edges[HD_MACH_LINEAR];
   hd_mach_inst *end = hd_mach_inst_create(p, HD_MACH_P_END, 0, 0);
   uint32_t n = 0;

   while (there->preds[n] != block)
      n++;
   memmove(&there->preds[n], &there->preds[n + 1],
           (there->num_preds - n - 1) * sizeof(there->preds[0]));
   there->num_preds--;
   edges->num_succs = 0;
   if (hd_mach_is_branch(p, block->last))
      hd_mach_inst_remove(block, block->last);
   hd_mach_inst_append(block, end);
   if (!block->tail)
      block->tail = end;
}

bool
hd_gcn_export_ends(hd_mach_program *p)
{
   hd_mach_block *exports = mark_last(p);

   if (p->shader->stage != HD_STAGE_FRAGMENT)
      return true;
   const uint8_t *reached = find_reached(p, exports);
   bool passed = false;
   hd_mach_foreach_block(block, p)
   {
      if (block == exports || !end_of(block) || !reached[block->index])
         continue;
      add_null(p, block);
      passed = true;
   }
   if (passed && exports && exports->edges[HD_MACH_LINEAR].num_succs == 1)
      end_here(p, exports);
   return true;
}
