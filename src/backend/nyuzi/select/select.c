/* SPDX-License-Identifier: MIT */
/* select.c - from the IR to machine instructions: the walk over the blocks, phis, branches.
 *
 *    blocks       one for each block of the tree, in its order, logical edges as its edges are
 *    walk         blocks in reverse postorder, instruction by instruction; phis get their defs
 *    phis         their sources, at the ends of the predecessors
 *    conditions   last: a uniform one is moved to the flag, which the branch tests
 *
 * Unreachable blocks stay as empty blocks, so that the shape of the tree does.
 */
#include "backend/nyuzi/select/expr.h"
#include "heddle/analysis.h"
#include "ir/private.h"

static void
create_blocks(hd_mach_program *p)
{
   hd_function *f = p->function;

   p->by_ir = hd_stack_alloc_zero(p->stack, (f->num_blocks + 1) * sizeof(hd_mach_block *));
   hd_foreach_block(b, f) {
      hd_mach_block *block = hd_mach_block_create(p);
      const hd_cycle *cycle = hd_block_is_reachable(b) ? hd_block_cycle(b) : NULL;
      block->ir = b;
      block->loop_depth = cycle ? cycle->depth : 0;
      p->by_ir[b->node.index] = block;
      hd_mach_block_append(p, block);
   }
   hd_foreach_block(b, f) {
      for (uint32_t k = 0; k < b->num_succs; k++) {
         if (!hd_block_is_end(b->succs[k].to))
            hd_mach_edge_add(p, HD_MACH_LOGICAL, p->by_ir[b->node.index],
                             p->by_ir[b->succs[k].to->node.index]);
      }
   }
}

/* The registers that the thread begins with. */
static void
write_start(sel *s)
{
   static const uint8_t regs[] = { 1, 2, 3, 4, 5, 6, 0 };
   val *start = hd_nyuzi_of(s->p)->start;

   for (unsigned n = 0; n < HD_NYUZI_NUM_STARTS; n++) {
      const bool vector = n == HD_NYUZI_START_INDEX;
      start[n] = hd_nyuzi_new(s, vector ? HD_NYUZI_VECTOR : HD_NYUZI_SCALAR);
   }
   hd_mach_inst *inst = hd_nyuzi_emit_full(s, HD_MACH_P_START, HD_NYUZI_NUM_STARTS, start, 0, NULL);
   for (unsigned n = 0; n < HD_NYUZI_NUM_STARTS; n++)
      *hd_mach_def(inst, n) = hd_mach_operand_fixed(
          s->p, start[n].value, n == HD_NYUZI_START_INDEX ? HD_NYUZI_V0 : regs[n]);
}

/* Phis */

static val
anything(void)
{
   return (val){ .reg = HD_MACH_NO_REG, .size = 1, .flags = HD_MACH_OPERAND_UNDEF };
}

static void
start_phi(sel *s, const hd_phi *phi)
{
   const hd_def *def = &phi->instr.def;
   const uint32_t num = s->block->edges[HD_MACH_LOGICAL].num_preds;
   const bool uniform = hd_def_is_uniform(def), mask = def->bit_size == 1 && !uniform;
   val *srcs = hd_stack_alloc(s->p->stack, (num + 1) * sizeof(*srcs));
   val parts[2 * HD_MAX_COMPONENTS];

   for (uint32_t n = 0; n < num; n++)
      srcs[n] = anything();
   for (unsigned n = 0; n < hd_nyuzi_num_parts(def); n++) {
      parts[n] = mask ? hd_nyuzi_new_mask(s)
                      : hd_nyuzi_new(s, uniform ? HD_NYUZI_SCALAR : HD_NYUZI_VECTOR);
      hd_nyuzi_emit_full(s,
                         !num   ? HD_MACH_P_UNDEF
                         : mask ? HD_MACH_P_MASK_PHI
                                : HD_MACH_P_PHI,
                         1, &parts[n], num, srcs);
   }
   hd_nyuzi_set_parts(s, def, parts);
}

static val
phi_source(sel *s, const hd_def *def, unsigned n, val to)
{
   const val part = hd_nyuzi_part(s, def, n);

   if (hd_nyuzi_is_mask(s, to) && hd_nyuzi_is_constant(&part))
      return (val){ .reg = hd_nyuzi_constant(&part) ? HD_NYUZI_ONES : HD_NYUZI_ZERO, .size = 1 };
   return hd_nyuzi_is_vector(s, to) ? part : hd_nyuzi_of_first_lane(s, part);
}

/* Each source where it is read: after all else of the predecessor. */
static void
finish_phis(sel *s, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   hd_mach_inst *inst = block->first;

   hd_foreach_phi(phi, block->ir) {
      s->instr = &phi->instr;
      for (unsigned part = 0; part < hd_nyuzi_num_parts(&phi->instr.def); part++) {
         for (uint32_t n = 0; n < edges->num_preds; n++) {
            const hd_block *from = edges->preds[n]->ir;
            const hd_def *def = hd_phi_src_from(phi, from)->def;
            /* Lanes that bring nothing have what others bring. */
            if (!hd_block_is_reachable(from) || hd_def_instr(def)->kind == HD_INSTR_UNDEF)
               continue;
            s->block = edges->preds[n];
            *hd_mach_src(inst, n) = phi_source(s, def, part, *hd_mach_def(inst, 0));
         }
         inst = inst->next;
      }
   }
}

/* Ends */

static void
finish_condition(sel *s, hd_mach_block *block)
{
   const hd_if *nif = hd_block_next_if(block->ir);
   const hd_src *cond = nif && !hd_block_jump(block->ir) ? &nif->cond : NULL;

   if (!cond)
      return;
   s->block = block;
   s->instr = hd_src_instr(cond);
   if (!hd_block_is_reachable(block->ir)) {
      block->condition.uniform = true;
      block->condition.value = K(0);
      return;
   }
   const val value = hd_nyuzi_part(s, cond->def, 0);
   if (hd_nyuzi_is_mask(s, value)) {
      block->condition.value = value;
      return;
   }
   const val flag = hd_nyuzi_reg(HD_NYUZI_FLAG);
   block->condition.uniform = true;
   block->condition.value = flag;
   block->tail = hd_nyuzi_emit_full(
       s, HD_NYUZI_MOVE, 1, &flag, 1,
       (val[]){ hd_nyuzi_constant(&value) == HD_NYUZI_TRUE && hd_nyuzi_is_constant(&value)
                    ? K(1)
                    : value });
}

static void
finish_end(sel *s, hd_mach_block *block)
{
   const hd_block *b = block->ir;

   if (b->num_succs != 1 || !hd_block_is_end(b->succs[0].to))
      return;
   s->block = block;
   s->instr = hd_block_jump(b) ? &hd_block_jump(b)->instr : NULL;
   const bool last = b->node.list == &s->p->function->body;
   block->tail = hd_nyuzi_emit_full(s, last ? HD_MACH_P_END : HD_MACH_P_HALT, 0, NULL, 0, NULL);
}

/* Instructions */

static void
select_undef(sel *s, const hd_instr *instr)
{
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < hd_nyuzi_num_parts(&instr->def); n++)
      parts[n] = K(0);
   hd_nyuzi_set_parts(s, &instr->def, parts);
}

static bool
select_intrinsic(sel *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)i->instr.op);

   if (info->flags & (HD_CROSS_LANE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE))
      return hd_nyuzi_select_lanes(s, i);
   if (info->reads | info->writes || i->instr.op == HD_INTRINSIC_BUFFER_SIZE)
      return hd_nyuzi_select_memory(s, i);
   return info->num_srcs ? hd_nyuzi_select_lanes(s, i) : hd_nyuzi_select_builtin(s, i);
}

static bool
select_instr(sel *s, const hd_instr *instr)
{
   s->instr = instr;
   switch (instr->kind) {
   case HD_INSTR_ALU:
      return hd_nyuzi_select_alu(s, (const hd_alu *)instr);
   case HD_INSTR_UNDEF:
      select_undef(s, instr);
      return true;
   case HD_INSTR_INTRINSIC:
      return select_intrinsic(s, (const hd_intrinsic *)instr);
   case HD_INSTR_PHI:
      start_phi(s, (const hd_phi *)instr);
      return true;
   case HD_INSTR_CONST:
   case HD_INSTR_JUMP:
      return true;
   case HD_INSTR_CALL:
      return hd_mach_refuse(s->p, instr, "a call that was not inlined");
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      return hd_mach_refuse(s->p, instr, "a variable that was not lowered");
   default:
      return hd_mach_refuse(s->p, instr,
                            "a parameter of the entry: arguments are read from kernarg");
   }
}

static bool
walk(sel *s)
{
   uint32_t num;
   hd_block *const *order = hd_function_rpo(s->p->function, &num);

   for (uint32_t n = 0; n < num && hd_block_is_reachable(order[n]); n++) {
      s->block = s->p->by_ir[order[n]->node.index];
      hd_foreach_instr(instr, order[n]) {
         hd_heap_step(s->p->stack->heap, 1);
         if (!select_instr(s, instr))
            return false;
      }
   }
   return true;
}

bool
hd_nyuzi_select(hd_mach_program *p)
{
   hd_function *f = p->function;
   sel s = { .p = p };

   if (!f->structured)
      return hd_mach_refuse(p, NULL,
                            "only trees are lowered to masks; lower_structurize makes one");
   hd_function_reindex(f);
   if (hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES |
                         HD_META_DIVERGENCE) != HD_OK)
      return false;
   create_blocks(p);
   s.known = hd_stack_alloc_zero(p->stack, (f->num_defs + 1) * sizeof(*s.known));
   hd_nyuzi_find_bindings(&s);
   s.block = p->by_ir[hd_function_start(f)->node.index];
   write_start(&s);
   if (!walk(&s))
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
   return true;
}
