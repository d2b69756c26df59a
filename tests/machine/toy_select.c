/* SPDX-License-Identifier: MIT */
/* toy_select.c - from the IR to the toy machine. */
#include <assert.h>

#include "heddle/analysis.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "ir/private.h"
#include "toy.h"

typedef struct selector {
   hd_mach_program *p;
   hd_mach_block *block;
   const hd_instr *instr;
   uint32_t *temps; /* by index of a value */
} selector;

/* The same in all lanes, wherever it is read. */
static bool
is_scalar(const hd_def *def)
{
   if (!hd_def_is_uniform(def))
      return false;
   hd_foreach_use(use, def) {
      if (hd_block_is_reachable(hd_src_block(use)) && !hd_src_is_uniform(use))
         return false;
   }
   return true;
}

static hd_mach_inst *
emit(selector *s, unsigned op, hd_mach_operand def, unsigned num_srcs)
{
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, def.size != 0, num_srcs);

   if (def.size) {
      *hd_mach_def(inst, 0) = def;
      s->p->temps[def.value].def = inst;
   }
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
   return inst;
}

static hd_mach_operand
value_of(const selector *s, const hd_def *def)
{
   return hd_mach_operand_temp(s->p, s->temps[def->index]);
}

static hd_mach_operand
new_value(selector *s, const hd_def *def)
{
   s->temps[def->index] =
       hd_mach_temp_create(s->p, is_scalar(def) ? TOY_S : TOY_V, def->num_components, 0);
   return value_of(s, def);
}

static int32_t
note(selector *s, const hd_instr *instr)
{
   toy_program *p = toy_of(s->p);

   p->instrs[p->num_instrs] = instr;
   return (int32_t)p->num_instrs++;
}

static int32_t
place_in_memory(const hd_intrinsic *i)
{
   const uint32_t *indices = hd_intrinsic_indices(i);

   return (int32_t)(indices[1] << 16 | indices[2]);
}

static void
select_intrinsic(selector *s, const hd_intrinsic *i)
{
   static const struct {
      uint16_t op, src, num_srcs;
      bool memory;
   } rows[HD_NUM_INTRINSICS] = {
      [HD_INTRINSIC_LOCAL_INVOCATION_INDEX] = { TOY_LANE, 0, 0, false },
      [HD_INTRINSIC_SUBGROUP_ID] = { TOY_WAVE, 0, 0, false },
      [HD_INTRINSIC_LOAD_BUFFER] = { TOY_LOAD, 1, 1, true },
      [HD_INTRINSIC_STORE_BUFFER] = { TOY_STORE, 0, 3, true },
      [HD_INTRINSIC_READ_FIRST] = { TOY_FIRST, 0, 1, false },
      [HD_INTRINSIC_BALLOT] = { TOY_BALLOT, 0, 1, false },
      [HD_INTRINSIC_REDUCE] = { TOY_SUM, 0, 1, false },
   };
   const unsigned op = rows[i->instr.op].op, num = rows[i->instr.op].num_srcs;
   hd_mach_operand def = { 0 };

   assert(op);
   if (op != TOY_STORE)
      def = new_value(s, &i->instr.def);
   hd_mach_inst *inst = emit(s, op, def, num);
   for (unsigned n = 0; n < num; n++)
      *hd_mach_src(inst, n) = value_of(s, i->src[rows[i->instr.op].src + n].def);
   if (rows[i->instr.op].memory)
      inst->imm = place_in_memory(i);
}

static void
select_instr(selector *s, const hd_instr *i)
{
   hd_mach_inst *inst;

   s->instr = i;
   switch (i->kind) {
   case HD_INSTR_ALU:
      inst = emit(s, TOY_OP, new_value(s, &i->def), i->num_srcs);
      for (unsigned n = 0; n < i->num_srcs; n++)
         *hd_mach_src(inst, n) = value_of(s, ((const hd_alu *)i)->src[n].def);
      inst->imm = note(s, i);
      break;
   case HD_INSTR_CONST:
      emit(s, TOY_CONST, new_value(s, &i->def), 0)->imm = note(s, i);
      break;
   case HD_INSTR_UNDEF:
      emit(s, HD_MACH_P_UNDEF, new_value(s, &i->def), 0);
      break;
   case HD_INSTR_PHI:
      emit(s, HD_MACH_P_PHI, new_value(s, &i->def), s->block->edges[HD_MACH_LOGICAL].num_preds);
      break;
   case HD_INSTR_INTRINSIC:
      select_intrinsic(s, (const hd_intrinsic *)i);
      break;
   default:
      assert(i->kind == HD_INSTR_JUMP);
   }
}

/* A scalar phi takes scalars. */
static hd_mach_operand
phi_source(selector *s, const hd_def *def, const hd_mach_operand *to)
{
   hd_mach_operand value = value_of(s, def);

   if (hd_def_instr(def)->kind == HD_INSTR_UNDEF)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG,
                                .size = to->size,
                                .flags = HD_MACH_OPERAND_UNDEF };
   if (hd_mach_is_vector(s->p, to->value) || !hd_mach_is_vector(s->p, value.value))
      return value;
   hd_mach_operand scalar =
       hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, TOY_S, value.size, 0));
   *hd_mach_src(emit(s, TOY_FIRST, scalar, 1), 0) = value;
   return scalar;
}

static void
finish_phis(selector *s, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   hd_mach_inst *inst = block->first;

   hd_foreach_phi(phi, block->ir) {
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         s->block = edges->preds[n];
         if (hd_block_is_reachable(s->block->ir))
            *hd_mach_src(inst, n) =
                phi_source(s, hd_phi_src_from(phi, s->block->ir)->def, hd_mach_def(inst, 0));
      }
      inst = inst->next;
   }
}

static void
finish_end(selector *s, hd_mach_block *block)
{
   const hd_block *b = block->ir;
   const hd_if *nif = hd_block_next_if(b);
   const hd_jump *jump = hd_block_jump(b);
   const hd_src *cond = jump && jump->instr.op == HD_JUMP_GOTO_IF ? &jump->src[0]
                        : nif && !jump                            ? &nif->cond
                                                                  : NULL;

   s->block = block;
   s->instr = NULL;
   if (b->num_succs == 1 && hd_block_is_end(b->succs[0].to)) {
      block->tail = emit(s, HD_MACH_P_HALT, (hd_mach_operand){ 0 }, 0);
   } else if (cond && hd_src_is_uniform(cond)) {
      block->tail = emit(s, TOY_TEST, (hd_mach_operand){ 0 }, 1);
      *hd_mach_src(block->tail, 0) = value_of(s, cond->def);
      block->condition =
          (hd_mach_condition){ .value = hd_mach_operand_reg(TOY_FLAG, 1), .uniform = true };
   } else if (cond) {
      block->condition.value = value_of(s, cond->def);
   }
}

static void
create_blocks(hd_mach_program *p)
{
   p->by_ir = hd_stack_alloc_zero(p->stack, (p->function->num_blocks + 1) * sizeof(*p->by_ir));
   hd_foreach_block(b, p->function) {
      hd_mach_block *block = hd_mach_block_create(p);
      block->ir = b;
      p->by_ir[b->node.index] = block;
      hd_mach_block_append(p, block);
   }
   hd_foreach_block(b, p->function) {
      for (uint32_t n = 0; n < b->num_succs; n++) {
         if (!hd_block_is_end(b->succs[n].to))
            hd_mach_edge_add(p, HD_MACH_LOGICAL, p->by_ir[b->node.index],
                             p->by_ir[b->succs[n].to->node.index]);
      }
   }
}

bool
toy_select(toy_program *toy)
{
   hd_mach_program *p = &toy->mach;
   hd_function *f = p->function;
   selector s = { .p = p };
   uint32_t num, instrs = 0;

   hd_function_reindex(f);
   if (hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES |
                         HD_META_DIVERGENCE) != HD_OK)
      return false;
   create_blocks(p);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b)
         instrs++;
   }
   s.temps = hd_stack_alloc_zero(p->stack, (f->num_defs + 1) * sizeof(*s.temps));
   toy->instrs = hd_stack_alloc(p->stack, (instrs + 1) * sizeof(*toy->instrs));
   hd_block *const *order = hd_function_rpo(f, &num);
   for (uint32_t n = 0; n < num && hd_block_is_reachable(order[n]); n++) {
      s.block = p->by_ir[order[n]->node.index];
      hd_foreach_instr(i, order[n])
         select_instr(&s, i);
   }
   hd_mach_foreach_block(block, p)
   {
      if (hd_block_is_reachable(block->ir))
         finish_phis(&s, block);
   }
   hd_mach_foreach_block(block, p)
   {
      if (hd_block_is_reachable(block->ir))
         finish_end(&s, block);
   }
   return true;
}
