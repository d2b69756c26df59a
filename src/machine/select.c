/* SPDX-License-Identifier: MIT */
/* select.c - the walk of instruction selection: blocks, instructions, phis, branch conditions. */
#include "machine/select.h"

#include "heddle/analysis.h"
#include "ir/private.h"

/* Blocks */

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

/* The sweep keeps cycles together, where reverse postorder may have what is after a loop before
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

bool
hd_mach_select_blocks(hd_mach_program *p)
{
   uint32_t num;

   hd_function_reindex(p->function);
   if (hd_require(p->function, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES |
                                   HD_META_DIVERGENCE) != HD_OK)
      return false;
   hd_block *const *order = order_of_blocks(p, &num);
   create_blocks(p, order, num);
   return true;
}

/* Instructions */

typedef struct walk {
   hd_mach_program *p;
   const hd_mach_selection *rows;
   void *s;
} walk;

static bool
select_instr(const walk *w, const hd_instr *instr)
{
   switch (instr->kind) {
   case HD_INSTR_ALU:
      return w->rows->alu(w->s, (const hd_alu *)instr);
   case HD_INSTR_UNDEF:
      w->rows->undef(w->s, instr);
      return true;
   case HD_INSTR_INTRINSIC:
      return w->rows->intrinsic(w->s, (const hd_intrinsic *)instr);
   case HD_INSTR_PHI:
      w->rows->start_phi(w->s, (const hd_phi *)instr);
      return true;
   case HD_INSTR_CONST:
      return true;
   case HD_INSTR_JUMP:
      if (instr->op == HD_JUMP_SWITCH)
         return hd_mach_refuse(w->p, instr, "a switch: run lower_switch");
      return true;
   case HD_INSTR_CALL:
      return hd_mach_refuse(w->p, instr, "a call: run opt_inline");
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      return hd_mach_refuse(w->p, instr,
                            "a local variable: run opt_vars_to_ssa or lower_vars_to_scratch");
   default:
      return hd_mach_refuse(w->p, instr, "a parameter of the entry: run lower_kernel_args");
   }
}

/* Definitions before their uses, so not always in the order of the code: in a flat function, a
 * block can dominate a header that was declared, and come after it.
 */
static bool
select_instrs(const walk *w)
{
   uint32_t num;
   hd_block *const *order = hd_function_rpo(w->p->function, &num);

   for (uint32_t n = 0; n < num && hd_block_is_reachable(order[n]); n++) {
      hd_mach_block *block = w->p->by_ir[order[n]->node.index];
      hd_foreach_instr(instr, order[n]) {
         hd_heap_step(w->p->stack->heap, 1);
         w->rows->at(w->s, block, instr);
         /* What was refused has no value that others could use. */
         if (!select_instr(w, instr))
            return false;
      }
   }
   return true;
}

/* Phis */

/* Each source where it is read: after all else of the predecessor. Lanes that bring nothing have
 * what others bring: the phi is that for all.
 */
static void
finish_part(const walk *w, hd_mach_inst *inst, const hd_mach_edges *edges, const hd_phi *phi,
            unsigned part)
{
   for (uint32_t n = 0; n < edges->num_preds; n++) {
      const hd_block *from = edges->preds[n]->ir;
      if (!hd_block_is_reachable(from))
         continue;
      const hd_def *def = hd_phi_src_from(phi, from)->def;
      if (hd_def_instr(def)->kind == HD_INSTR_UNDEF)
         continue;
      w->rows->at(w->s, edges->preds[n], &phi->instr);
      *hd_mach_src(inst, n) = w->rows->phi_source(w->s, def, part, *hd_mach_def(inst, 0));
   }
}

static void
finish_phis(const walk *w, hd_mach_block *block)
{
   hd_mach_inst *inst = block->first;

   hd_foreach_phi(phi, block->ir) {
      const unsigned num = w->rows->num_parts ? w->rows->num_parts(&phi->instr.def) : 1;
      for (unsigned part = 0; part < num; part++, inst = inst->next)
         finish_part(w, inst, &block->edges[HD_MACH_LOGICAL], phi, part);
   }
}

/* Ends */

/* The source that decides where the block's lanes go, or NULL. */
static const hd_src *
condition_of(const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_if *nif = hd_block_next_if(b);

   if (jump && jump->instr.op == HD_JUMP_GOTO_IF)
      return &jump->src[0];
   return nif && !jump ? &nif->cond : NULL;
}

static void
finish_condition(const walk *w, hd_mach_block *block)
{
   const hd_src *condition = condition_of(block->ir);

   if (!condition)
      return;
   w->rows->at(w->s, block, hd_src_instr(condition));
   w->rows->condition(w->s, block, hd_block_is_reachable(block->ir) ? condition : NULL);
}

/* All lanes that have not ended reach the end of this block together. */
static bool
ends_the_wave(const hd_mach_program *p, const hd_block *b)
{
   if (p->function->structured)
      return b->node.list == &p->function->body;
   return p->function->end.num_preds == 1 && !hd_block_cycle(b);
}

static void
finish_end(const walk *w, hd_mach_block *block)
{
   const hd_block *b = block->ir;
   const hd_jump *jump = hd_block_jump(b);

   if (b->num_succs != 1 || !hd_block_is_end(b->succs[0].to))
      return;
   block->tail =
       hd_mach_inst_create(w->p, ends_the_wave(w->p, b) ? HD_MACH_P_END : HD_MACH_P_HALT, 0, 0);
   block->tail->loc = jump ? jump->instr.loc : 0;
   hd_mach_inst_append(block, block->tail);
}

bool
hd_mach_select(hd_mach_program *p, const hd_mach_selection *rows, void *s)
{
   const walk w = { .p = p, .rows = rows, .s = s };

   if (!select_instrs(&w))
      return false;
   hd_mach_foreach_block(block, p)
   {
      if (hd_block_is_reachable(block->ir))
         finish_phis(&w, block);
   }
   hd_mach_foreach_block(block, p)
   {
      finish_condition(&w, block);
      finish_end(&w, block);
   }
   hd_mach_dead_code(p);
   return true;
}
