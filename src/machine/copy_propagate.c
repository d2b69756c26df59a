/* SPDX-License-Identifier: MIT */
/* copy_propagate.c - copy propagation on registers, after register allocation.
 *
 *    p_split %4@s8, %5@s9 = %3@s[2:3]           p_split %4@s2, %5@s3 = %3@s[2:3]
 *    add v1, %4@s8, v2                    =>    add v1, %4@s2, v2
 *
 * The parts of a pair that stays live get registers of their own, as does a value that is tied to the
 * instruction that overwrites it. If all readers of such a copy find the same bits in the register
 * that it was copied from, they read that one, and the copy is removed; a move of bits to where they
 * already are is removed at once.
 *
 * One walk over the blocks. For each register it records which one it was copied from last, and
 * whether that was written since: writes of a register are counted. A copy of vector registers copies
 * for the active lanes. Lanes that become active later have no value there, so their readers may read
 * anything; but then a repeated move is not redundant.
 *
 * Requires:  registers are assigned, and have been verified: this reads registers after the last use
 *            of the value that they were assigned to.
 * Tests:     the unit tests backend/gcn/copy_propagate and registers
 */
#include "machine/program.h"

typedef struct source {
   uint32_t block;  /* that it is known in: index + 1 */
   uint32_t writes; /* of `reg` when it was copied */
   uint32_t exec;   /* of the propagator then */
   uint16_t reg;
} source;

typedef struct pair {
   uint16_t to, from;
   uint32_t writes; /* of `from` before the instruction */
} pair;

typedef struct propagator {
   hd_mach_program *p;
   const hd_mach_block *block;
   uint32_t *uses;                    /* by temp: operands that read it */
   source copied[HD_MACH_MAX_REGS];   /* by register: what it is a copy of */
   uint32_t writes[HD_MACH_MAX_REGS]; /* by register */
   uint32_t exec;                     /* counts writes of exec */
   pair pairs[HD_MACH_MAX_REGS];      /* of the instruction */
   unsigned num_pairs;
} propagator;

static bool
is_register(const propagator *f, unsigned reg)
{
   return hd_mach_is_value_reg(f->p->mach, reg);
}

static bool
is_inline(const propagator *f, unsigned reg)
{
   return reg >= f->p->mach->first_const && reg < f->p->mach->end_const;
}

static bool
is_vector(const propagator *f, unsigned reg)
{
   return hd_mach_is_vector_reg(f->p->mach, reg);
}

/* What the register was copied from, if that is still there. */
static const source *
source_of(const propagator *f, unsigned reg)
{
   const source *from = &f->copied[reg];

   if (from->block != f->block->index + 1 || from->writes != f->writes[from->reg])
      return NULL;
   return from;
}

/* Are all dwords copies of registers of the same file that lie side by side, as an operand must? */
static bool
is_whole(const propagator *f, unsigned reg, unsigned size, unsigned *from)
{
   for (unsigned n = 0; n < size; n++) {
      const source *part = is_register(f, reg + n) ? source_of(f, reg + n) : NULL;
      if (!part || !is_register(f, part->reg) || (n && part->reg != *from + n) ||
          is_vector(f, part->reg) != is_vector(f, reg))
         return false;
      if (!n)
         *from = part->reg;
   }
   const unsigned file = f->p->mach->file_of[is_vector(f, reg) ? HD_MACH_LOGICAL : HD_MACH_LINEAR];
   const unsigned align = hd_mach_tuple_align(&f->p->mach->files[file], size);
   return size != 0 && *from % align == 0 && is_register(f, *from + size - 1);
}

/* Can the operand be in any register of its file? */
static bool
is_free(const propagator *f, const hd_mach_inst *inst, unsigned n)
{
   const hd_mach_operand *src = hd_mach_src(inst, n);
   const hd_mach_op *info = hd_mach_op_of(f->p->mach, inst);

   if (src->flags & HD_MACH_OPERAND_FIXED || !hd_mach_is_temp(src) ||
       f->p->temps[src->value].flags & HD_MACH_TEMP_LINEAR)
      return false;
   if (info->flags & HD_MACH_PSEUDO)
      return inst->op == HD_MACH_P_COPY || inst->op == HD_MACH_P_VECTOR ||
             inst->op == HD_MACH_P_SPLIT;
   return n < info->num_srcs && info->operands[info->num_defs + n].tied < 0;
}

static void
read_through(propagator *f, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      unsigned from = 0;
      if (is_free(f, inst, n) && is_whole(f, src->reg, src->size, &from)) {
         src->reg = (uint16_t)from;
         f->uses[src->value]--;
         src->flags &= (uint8_t)~HD_MACH_OPERAND_TEMP;
         src->value = 0;
      }
   }
}

static void
write(propagator *f, unsigned reg, unsigned size)
{
   if (hd_mach_meets(f->p->mach->exec, reg, size))
      f->exec++;
   for (unsigned n = reg; n < reg + size && n < HD_MACH_MAX_REGS; n++) {
      f->writes[n]++;
      f->copied[n].block = 0;
   }
}

/* Does the register have those bits already, in all lanes that the move is for? */
static bool
has_already(const propagator *f, unsigned to, unsigned from)
{
   const source *is = is_register(f, to) ? source_of(f, to) : NULL;
   const bool vector = is_vector(f, to);

   if (is && is->reg == from && (!vector || is->exec == f->exec))
      return true;
   is = is_register(f, from) ? source_of(f, from) : NULL;
   return is && is->reg == to && (!vector || is->exec == f->exec);
}

static bool
is_dead_move(const propagator *f, const hd_mach_inst *inst)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0), *src = hd_mach_src(inst, 0);

   if (src->size != def->size || (def->size > 1 && !is_register(f, src->reg)))
      return false;
   for (unsigned n = 0; n < def->size; n++) {
      if (!has_already(f, def->reg + n, src->reg + n))
         return false;
   }
   return true;
}

static void
add_pairs(propagator *f, unsigned to, const hd_mach_operand *src, unsigned part, unsigned size)
{
   for (unsigned n = 0; n < size && f->num_pairs < HD_MACH_MAX_REGS; n++) {
      const unsigned from = src->reg + part + n;
      if (is_register(f, from) || (is_inline(f, from) && src->size == 1))
         f->pairs[f->num_pairs++] =
             (pair){ .to = (uint16_t)(to + n), .from = (uint16_t)from, .writes = f->writes[from] };
   }
}

/* The dwords that the instruction copies. */
static void
find_pairs(propagator *f, const hd_mach_inst *inst)
{
   unsigned part = 0;

   f->num_pairs = 0;
   switch (inst->op) {
   case HD_MACH_P_COPY:
      for (unsigned n = 0; n < inst->num_defs; n++)
         add_pairs(f, hd_mach_def(inst, n)->reg, hd_mach_src(inst, n), 0,
                   hd_mach_def(inst, n)->size);
      break;
   case HD_MACH_P_VECTOR:
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *src = hd_mach_src(inst, n);
         add_pairs(f, hd_mach_def(inst, 0)->reg + part, src, 0, src->size);
         part += src->size;
      }
      break;
   case HD_MACH_P_SPLIT:
      for (unsigned n = 0; n < inst->num_defs; n++) {
         const hd_mach_operand *def = hd_mach_def(inst, n);
         add_pairs(f, def->reg, hd_mach_src(inst, 0), part, def->size);
         part += def->size;
      }
      break;
   default:
      if (f->p->hooks->is_move(inst))
         add_pairs(f, hd_mach_def(inst, 0)->reg, hd_mach_src(inst, 0), 0,
                   hd_mach_def(inst, 0)->size);
   }
}

/* The registers that the instruction writes, and what they are copies of now. */
static void
write_results(propagator *f, const hd_mach_inst *inst)
{
   find_pairs(f, inst);
   for (unsigned n = 0; n < inst->num_defs; n++)
      write(f, hd_mach_def(inst, n)->reg, hd_mach_def(inst, n)->size);
   /* Pseudo ops that copy may go by this one. */
   if (hd_mach_op_of(f->p->mach, inst)->flags & HD_MACH_PSEUDO &&
       is_register(f, (unsigned)inst->imm))
      write(f, (unsigned)inst->imm, 1);
   for (unsigned n = 0; n < f->num_pairs; n++) {
      const pair *copy = &f->pairs[n];
      /* What was overwritten at the same time is no longer there. */
      if (is_register(f, copy->to) && copy->to != copy->from &&
          copy->writes == f->writes[copy->from])
         f->copied[copy->to] = (source){
            .block = f->block->index + 1, .writes = copy->writes, .exec = f->exec, .reg = copy->from
         };
   }
}

/* Vector values go to their phis before the tail. */
static void
write_phis_of_successors(propagator *f, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   for (uint32_t n = 0; n < edges->num_succs; n++) {
      hd_mach_foreach_inst(phi, edges->succs[n])
      {
         if (phi->op != HD_MACH_P_PHI)
            break;
         if (is_vector(f, hd_mach_def(phi, 0)->reg))
            write(f, hd_mach_def(phi, 0)->reg, hd_mach_def(phi, 0)->size);
      }
   }
}

static void
walk_block(propagator *f, hd_mach_block *block)
{
   f->block = block;
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      if (inst == block->tail)
         write_phis_of_successors(f, block);
      read_through(f, inst);
      if (f->p->hooks->is_move(inst) && inst != block->tail && is_dead_move(f, inst)) {
         hd_mach_inst_remove(block, inst);
         continue;
      }
      write_results(f, inst);
   }
}

/* A copy that nothing reads. */
static bool
is_idle(const propagator *f, const hd_mach_operand *def)
{
   return hd_mach_is_temp(def) && !(def->flags & HD_MACH_OPERAND_FIXED) && !f->uses[def->value] &&
          is_register(f, def->reg);
}

/* An idle result goes where its source is, unless another one is written there. */
static void
stay(const propagator *f, const hd_mach_inst *inst, unsigned n, unsigned from)
{
   hd_mach_operand *def = hd_mach_def(inst, n);

   if (!is_idle(f, def) || !is_register(f, from) || is_vector(f, from) != is_vector(f, def->reg))
      return;
   for (unsigned k = 0; k < inst->num_defs; k++) {
      const hd_mach_operand *other = hd_mach_def(inst, k);
      if (k != n && other->reg < from + def->size && from < other->reg + other->size)
         return;
   }
   def->reg = (uint16_t)from;
}

static void
drop_idle(const propagator *f, hd_mach_block *block)
{
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      unsigned part = 0;
      if (f->p->hooks->is_move(inst) && inst != block->tail && is_idle(f, hd_mach_def(inst, 0))) {
         hd_mach_inst_remove(block, inst);
         continue;
      }
      for (unsigned n = 0; n < inst->num_defs && inst->op == HD_MACH_P_SPLIT; n++) {
         stay(f, inst, n, hd_mach_src(inst, 0)->reg + part);
         part += hd_mach_def(inst, n)->size;
      }
      for (unsigned n = 0; n < inst->num_defs && inst->op == HD_MACH_P_COPY; n++)
         stay(f, inst, n, hd_mach_src(inst, n)->reg);
   }
}

bool
hd_mach_copy_propagate(hd_mach_program *p)
{
   propagator *f = hd_stack_alloc_zero(p->stack, sizeof(*f));

   f->p = p;
   f->uses = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*f->uses));
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < inst->num_srcs; n++) {
            if (hd_mach_is_temp(hd_mach_src(inst, n)))
               f->uses[hd_mach_src(inst, n)->value]++;
         }
      }
   }
   hd_mach_foreach_block(block, p) walk_block(f, block);
   hd_mach_foreach_block(block, p) drop_idle(f, block);
   return true;
}
