/* SPDX-License-Identifier: MIT */
/* select.c - from the IR to machine instructions: the walk over the blocks, phis, branches.
 *
 *    blocks       one for each block of the IR, logical edges as its edges are
 *    plan         which file each value will be in
 *    walk         blocks in reverse postorder, instruction by instruction; phis get their defs
 *    phis         their sources, at the ends of the predecessors
 *    conditions   last, so that nothing comes between a compare that writes scc and its branch
 *    clean        dead code elimination
 *
 * Unreachable blocks stay as empty blocks, so that the shape of the tree does. Exec masks are the
 * next phase's: a lane that returns or halts before others is a p_halt here.
 */
#include "backend/gcn/select/alu.h"

#include <assert.h>

#include "ir/private.h"

/* Blocks */

static bool
ends_in(const hd_block *b, hd_jump_kind kind)
{
   const hd_jump *jump = hd_block_jump(b);

   return jump && jump->instr.op == kind;
}

static void
create_blocks(hd_mach_program *p, hd_block *const *order, uint32_t num)
{
   p->by_ir = hd_stack_alloc_zero(p->stack, (p->function->num_blocks + 1) * sizeof(*p->by_ir));
   for (uint32_t n = 0; n < num; n++) {
      hd_mach_block *block = hd_mach_block_create(p);
      const hd_cycle *cycle = hd_block_is_reachable(order[n]) ? hd_block_cycle(order[n]) : NULL;
      block->ir = order[n];
      block->loop_depth = cycle ? cycle->depth : 0;
      p->by_ir[order[n]->node.index] = block;
      hd_mach_block_append(p, block);
   }
   for (uint32_t n = 0; n < num; n++) {
      for (uint32_t k = 0; k < order[n]->num_succs; k++) {
         const hd_block *to = order[n]->succs[k].to;
         if (!hd_block_is_end(to))
            hd_mach_edge_add(p, HD_MACH_LOGICAL, p->by_ir[order[n]->node.index],
                             p->by_ir[to->node.index]);
      }
   }
}

/* The sweep keeps cycles together, where reverse postorder may have what is behind a loop before
 * its body; but where a header was declared it may have a block before one that dominates it.
 */
static bool
is_in_order(const hd_function *f, hd_block *const *sweep, uint32_t *place)
{
   const uint32_t num = hd_function_num_reachable(f);

   for (uint32_t n = 0; n < num; n++)
      place[sweep[n]->node.index] = n;
   for (uint32_t n = 0; n < num; n++) {
      const hd_block *idom = hd_block_idom(sweep[n]);
      if (idom && place[idom->node.index] > n)
         return false;
   }
   return true;
}

/* The blocks as the code will have them: a tree's as they are written; those of a graph so that
 * definitions come before what they dominate.
 */
static hd_block *const *
order_of_blocks(hd_mach_program *p, uint32_t *num)
{
   hd_function *f = p->function;

   if (!f->structured) {
      hd_block *const *sweep = hd_function_sweep(f, num);
      uint32_t *place = hd_stack_alloc(p->stack, f->num_blocks * sizeof(*place));
      return is_in_order(f, sweep, place) ? sweep : hd_function_rpo(f, num);
   }
   hd_block **order = hd_stack_alloc(p->stack, f->num_blocks * sizeof(hd_block *));
   *num = 0;
   hd_foreach_block(b, f)
      order[(*num)++] = b;
   return order;
}

/* Phis */

static void
start_phi(hd_gcn_selector *s, const hd_phi *phi)
{
   const hd_def *def = &phi->instr.def;
   bool scalar = s->known[def->index].scalar;
   bool mask = def->bit_size == 1 && !scalar;
   uint32_t num = s->block->edges[HD_MACH_LOGICAL].num_preds;
   hd_mach_operand value = mask     ? hd_gcn_new_mask(s)
                           : scalar ? hd_gcn_new(s, HD_GCN_SGPR, hd_gcn_whole_size(def))
                                    : hd_gcn_new(s, HD_GCN_VGPR, hd_gcn_whole_size(def));
   hd_mach_operand *srcs = hd_stack_alloc(s->p->stack, (num + 1) * sizeof(*srcs));

   for (uint32_t n = 0; n < num; n++)
      srcs[n] = hd_gcn_undef(value.size);
   if (num)
      hd_gcn_emit(s, mask ? HD_MACH_P_MASK_PHI : HD_MACH_P_PHI, value, num, srcs);
   else
      hd_gcn_emit(s, HD_MACH_P_UNDEF, value, 0, NULL);
   hd_gcn_set_value(s, def, value);
}

static hd_mach_operand
phi_source(hd_gcn_selector *s, const hd_def *def, hd_mach_operand to)
{
   hd_mach_operand value;

   /* Lanes that bring nothing have what others bring: the phi is that for all. */
   if (hd_def_instr(def)->kind == HD_INSTR_UNDEF)
      return hd_gcn_undef(to.size);
   if (hd_gcn_is_mask(s, to))
      return hd_gcn_as_mask(s, def);
   if (hd_gcn_file_of(s, to) == HD_GCN_VGPR) {
      value = hd_gcn_value(s, def);
      return hd_gcn_is_constant(value) && value.size > 1 ? hd_gcn_in_vgprs(s, def) : value;
   }
   value = hd_gcn_value(s, def);
   if (hd_gcn_is_constant(value) && value.size == 1)
      return value;
   return hd_gcn_in_sgprs(s, def);
}

/* Each source where it is read: after all else of the predecessor. */
static void
finish_phis(hd_gcn_selector *s, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   hd_mach_inst *inst = block->first;

   hd_foreach_phi(phi, block->ir) {
      s->instr = &phi->instr;
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         const hd_block *from = edges->preds[n]->ir;
         if (!hd_block_is_reachable(from))
            continue;
         s->block = edges->preds[n];
         *hd_mach_src(inst, n) =
             phi_source(s, hd_phi_src_from(phi, from)->def, *hd_mach_def(inst, 0));
      }
      inst = inst->next;
   }
}

/* Ends */

/* The source that decides where the block's lanes go, or NULL. */
static const hd_src *
condition_of(const hd_block *b)
{
   const hd_if *nif = hd_block_next_if(b);

   if (ends_in(b, HD_JUMP_GOTO_IF))
      return &hd_block_jump(b)->src[0];
   return nif && !hd_block_jump(b) ? &nif->cond : NULL;
}

static void
finish_condition(hd_gcn_selector *s, hd_mach_block *block)
{
   const hd_src *cond = condition_of(block->ir);
   hd_mach_inst *before = block->last;

   if (!cond)
      return;
   s->block = block;
   s->instr = hd_src_instr(cond);
   if (!hd_block_is_reachable(block->ir)) {
      block->condition.uniform = true;
      block->condition.value = hd_gcn_imm(s, 0);
   } else if (hd_src_is_uniform(cond)) {
      hd_gcn_in_scc(s, cond->def);
      block->condition.uniform = true;
      block->condition.value = hd_mach_operand_reg(HD_GCN_SCC, 1);
      block->tail = before ? before->next : block->first;
   } else {
      block->condition.value = hd_gcn_as_mask(s, cond->def);
   }
}

/* All lanes that have not ended come to the end of this block together. */
static bool
ends_the_wave(const hd_mach_program *p, const hd_block *b)
{
   if (p->function->structured)
      return b->node.list == &p->function->body;
   return p->function->end.num_preds == 1 && !hd_block_cycle(b);
}

static void
finish_end(hd_gcn_selector *s, hd_mach_block *block)
{
   const hd_block *b = block->ir;
   bool ends = b->num_succs == 1 && hd_block_is_end(b->succs[0].to);

   if (!ends)
      return;
   s->block = block;
   s->instr = hd_block_jump(b) ? &hd_block_jump(b)->instr : NULL;
   block->tail = hd_gcn_emit_full(s, ends_the_wave(s->p, b) ? HD_MACH_P_END : HD_MACH_P_HALT, 0,
                                  NULL, 0, NULL, 0);
}

/* Instructions */

static bool
select_undef(hd_gcn_selector *s, const hd_instr *instr)
{
   /* A boolean is one of two numbers, whichever. */
   if (instr->def.bit_size == 1 && instr->def.num_components == 1) {
      hd_gcn_set_value(s, &instr->def, hd_gcn_imm(s, 0));
      return true;
   }
   hd_mach_operand value = hd_gcn_new(s, HD_GCN_SGPR, hd_gcn_whole_size(&instr->def));

   hd_gcn_emit(s, HD_MACH_P_UNDEF, value, 0, NULL);
   hd_gcn_set_value(s, &instr->def, value);
   return true;
}

static bool
select_intrinsic(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)i->instr.op);
   unsigned memory = info->reads | info->writes;

   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_gcn_select_lanes(s, i);
   if (memory & ~(unsigned)(HD_MEMORY_PUSH | HD_MEMORY_KERNARG))
      return hd_gcn_select_memory(s, i);
   return info->num_srcs && !memory ? hd_gcn_select_lanes(s, i) : hd_gcn_select_abi(s, i);
}

static bool
select_instr(hd_gcn_selector *s, const hd_instr *instr)
{
   s->instr = instr;
   switch (instr->kind) {
   case HD_INSTR_ALU:
      return hd_gcn_select_alu(s, (const hd_alu *)instr);
   case HD_INSTR_UNDEF:
      return select_undef(s, instr);
   case HD_INSTR_INTRINSIC:
      return select_intrinsic(s, (const hd_intrinsic *)instr);
   case HD_INSTR_PHI:
      start_phi(s, (const hd_phi *)instr);
      return true;
   case HD_INSTR_CONST:
      return true;
   case HD_INSTR_JUMP:
      if (instr->op == HD_JUMP_SWITCH)
         return hd_mach_refuse(s->p, instr, "a switch: run lower_switch");
      return true;
   case HD_INSTR_CALL:
      return hd_mach_refuse(s->p, instr, "a call: run opt_inline");
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      return hd_mach_refuse(s->p, instr,
                            "a local variable: run opt_vars_to_ssa or lower_vars_to_scratch");
   default:
      return hd_mach_refuse(s->p, instr, "a parameter of the entry that was not lowered");
   }
}

/* Definitions before their uses, so not always in the order of the code: in a flat function, a
 * block can dominate a header that was declared, and come after it.
 */
static bool
walk(hd_gcn_selector *s)
{
   uint32_t num;
   hd_block *const *order = hd_function_rpo(s->p->function, &num);

   for (uint32_t n = 0; n < num && hd_block_is_reachable(order[n]); n++) {
      s->block = s->p->by_ir[order[n]->node.index];
      hd_foreach_instr(instr, order[n]) {
         hd_heap_step(s->p->stack->heap, 1);
         /* What was refused has no value that others could use. */
         if (!select_instr(s, instr))
            return false;
      }
   }
   return true;
}

bool
hd_gcn_select(hd_mach_program *p)
{
   hd_function *f = p->function;
   hd_gcn_selector s = { .p = p };
   uint32_t num;

   if (!hd_gcn_check_float_mode(p))
      return false;
   hd_function_reindex(f);
   if (hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES |
                         HD_META_DIVERGENCE) != HD_OK)
      return false;
   hd_block *const *order = order_of_blocks(p, &num);
   create_blocks(p, order, num);
   s.known = hd_stack_alloc_zero(p->stack, (f->num_defs + 1) * sizeof(*s.known));
   hd_gcn_find_unwritten(&s);
   hd_gcn_plan(&s);

   s.block = p->by_ir[hd_function_start(f)->node.index];
   if (!hd_gcn_abi_start(&s) || !walk(&s))
      return false;
   hd_mach_foreach_block(block, p)
   {
      if (hd_block_is_reachable(block->ir))
         finish_phis(&s, block);
   }
   hd_mach_foreach_block(block, p)
   {
      finish_condition(&s, block);
      finish_end(&s, block);
   }
   hd_mach_dead_code(p);
   hd_gcn_select_parts(p);
   return true;
}
