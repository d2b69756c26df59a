/* SPDX-License-Identifier: MIT */
/* verify_ra.c - verify the register allocation: does each use read its value? (Rideau and Leroy,
 * Validating Register Allocation and Spilling, 2010.)
 *
 * Backwards from each operand that reads a value: which instruction wrote that register last, on each
 * path of the control flow of its file? It must be one that defines the value; or a copy or a phi of
 * the value itself, whose sources are operands as well and need no second query; or a reload, then
 * its spill slot is asked for. Anything else is an error. A query that reaches the head of a block
 * goes on at the ends of all predecessors, once for each register: so there are no more queries than
 * operands and, for each register that is live into a block, predecessors, whatever the graph.
 *
 * That is enough: the first operand on a path that does not hold its value was given a wrong one by
 * what wrote its register, which reads a right one.
 *
 * Besides: tuples are aligned and in the file of their value, fixed registers are those of the
 * instruction table, tied operands agree, registers written at once do not overlap, and copies of
 * vector values are where exec is still that of the block.
 *
 * It shares nothing with the allocator but the operands. A path without a write of the register ends
 * at the start, which is an error, too.
 */
#include "machine/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One register that an instruction writes. */
typedef struct wrote {
   uint32_t at;  /* position in the block */
   uint32_t reg; /* or slot_of(...) */
   uint32_t def; /* which operand; of a p_spill none */
   const hd_mach_inst *inst;
} wrote;

/* The value that must be in a register at the end of a block, or before a position in it. */
typedef struct question {
   const hd_mach_block *block;
   uint32_t before;
   uint32_t temp;
   uint32_t reg;
   uint32_t part; /* which dword of it */
} question;

/* What was asked at the beginning of a block, by block and register. */
typedef struct asked {
   uint32_t block; /* index + 1; 0: free */
   uint32_t temp;
   uint32_t reg, part;
} asked;

typedef struct checking {
   const hd_mach_program *p;
   wrote *writes;           /* by block, register, position */
   uint32_t *first_write;   /* by block index: where its writes begin */
   uint32_t *tail, *branch; /* by block index: positions; after the last if there is none */
   const hd_mach_block *
       *def_block;    /* by temp: of its only definition that is no p_reload, or NULL */
   bool *is_repeated; /* by temp: has several, which repeat a constant */
   const hd_mach_inst **memory_phi; /* by temp: the phi in memory that it is, or NULL */
   asked *table;
   uint32_t table_size, num_asked;
   question *work;
   uint32_t num_work, work_capacity;
   uint64_t written[HD_MACH_MAX_REGS / 64]; /* by what happens at once */
} checking;

static bool
fault(checking *c, const hd_mach_block *block, const hd_mach_inst *inst, const char *what,
      uint32_t temp, unsigned reg)
{
   const char *op = inst ? c->p->mach->op_name(c->p->mach, inst->op) : "the start";

   return hd_mach_refuse((hd_mach_program *)c->p, NULL,
                         "register assignment, block %u, %s: %s (value %u, register %u)",
                         block->index, op ? op : "?", what, temp, reg);
}

static bool
is_temp(const hd_mach_operand *operand)
{
   return (operand->flags & HD_MACH_OPERAND_TEMP) != 0;
}

/* Places of p_spill are numbered after the registers, those of either file in turn. */
#define FIRST_SLOT HD_MACH_MAX_REGS
#define NO_DEF     UINT32_MAX

static uint32_t
slot_of(const checking *c, const hd_mach_inst *inst, unsigned part)
{
   const bool is_phi = inst->op == HD_MACH_P_PHI; /* one in memory */
   const uint32_t temp = (is_phi ? hd_mach_def(inst, 0) : hd_mach_slot_value(inst))->value;
   const bool vector = hd_mach_is_vector(c->p, temp);

   return FIRST_SLOT + 2 * ((uint32_t)inst->imm + part) + vector;
}

static hd_mach_edge_kind
flow_of(const checking *c, uint32_t reg)
{
   const bool vector =
       reg < FIRST_SLOT ? hd_mach_is_vector_reg(c->p->mach, reg) : (reg - FIRST_SLOT) % 2 != 0;

   return vector ? HD_MACH_LOGICAL : HD_MACH_LINEAR;
}

/* What was written where. */

static uint32_t
count_writes(const hd_mach_block *block)
{
   uint32_t num = 0;

   hd_mach_foreach_inst(inst, block)
   {
      if (inst->op == HD_MACH_P_SPILL)
         num += hd_mach_slot_value(inst)->size;
      for (unsigned d = 0; d < inst->num_defs; d++)
         num += hd_mach_def(inst, d)->reg < HD_MACH_MAX_REGS ? hd_mach_def(inst, d)->size : 0;
   }
   return num;
}

/* A value that a phi of its own only moves is defined elsewhere. One that it defines can come back
 * to it, but never from all sides.
 */
static bool
moves_itself(const hd_mach_inst *phi)
{
   bool itself = false;

   for (unsigned n = 0; n < phi->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(phi, n);
      if (src->flags & HD_MACH_OPERAND_UNDEF)
         continue;
      if (!is_temp(src) || src->value != hd_mach_def(phi, 0)->value)
         return false;
      itself = true;
   }
   return itself;
}

/* The definition is no other value than what it is copied from: only its register changes. */
static bool
moves_value(const hd_mach_inst *inst, unsigned d)
{
   if (inst->op == HD_MACH_P_PHI)
      return moves_itself(inst);
   return inst->op == HD_MACH_P_COPY && is_temp(hd_mach_src(inst, d)) &&
          hd_mach_src(inst, d)->value == hd_mach_def(inst, d)->value;
}

/* Positions do not tell which of several came first: a block can stand before its dominators. */
static void
note_def(checking *c, const hd_mach_block *block, uint32_t temp)
{
   c->is_repeated[temp] |= c->def_block[temp] != NULL;
   c->def_block[temp] = c->is_repeated[temp] ? NULL : block;
}

static uint32_t
list_writes(checking *c, const hd_mach_block *block, wrote *writes)
{
   uint32_t at = 0, num = 0;

   hd_mach_foreach_inst(inst, block)
   {
      if (inst == block->tail)
         c->tail[block->index] = at;
      if (hd_mach_is_branch(c->p, inst) && c->branch[block->index] == UINT32_MAX)
         c->branch[block->index] = at;
      if (inst->op == HD_MACH_P_SPILL) {
         const hd_mach_operand *value = hd_mach_slot_value(inst);
         for (unsigned n = 0; n < value->size; n++)
            writes[num++] = (wrote){ at, slot_of(c, inst, n), NO_DEF, inst };
      }
      for (unsigned d = 0; d < inst->num_defs; d++) {
         const hd_mach_operand *def = hd_mach_def(inst, d);
         if (is_temp(def) && inst->op != HD_MACH_P_RELOAD && !moves_value(inst, d))
            note_def(c, block, def->value);
         for (unsigned n = 0; def->reg < HD_MACH_MAX_REGS && n < def->size; n++)
            writes[num++] = (wrote){ at, def->reg + n, d, inst };
      }
      at++;
   }
   return num;
}

static int
compare_writes(const void *a, const void *b)
{
   const wrote *x = a, *y = b;

   if (x->reg != y->reg)
      return x->reg < y->reg ? -1 : 1;
   if (x->at != y->at)
      return x->at < y->at ? -1 : 1;
   return x->def < y->def ? -1 : x->def > y->def;
}

static void
collect_writes(checking *c)
{
   const hd_mach_program *p = c->p;
   const uint32_t num_blocks = p->num_blocks;
   uint32_t num = 0;

   c->first_write = hd_stack_alloc_zero(p->stack, (num_blocks + 1) * sizeof(uint32_t));
   c->tail = hd_stack_alloc(p->stack, (num_blocks + 1) * sizeof(uint32_t));
   c->branch = hd_stack_alloc(p->stack, (num_blocks + 1) * sizeof(uint32_t));
   memset(c->tail, 0xff, (num_blocks + 1) * sizeof(uint32_t));
   memset(c->branch, 0xff, (num_blocks + 1) * sizeof(uint32_t));
   c->def_block = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c->def_block));
   c->is_repeated = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c->is_repeated));
   for (uint32_t b = 0; b < num_blocks; b++) {
      c->first_write[b] = num;
      num += count_writes(p->blocks[b]);
   }
   c->first_write[num_blocks] = num;
   c->writes = hd_stack_alloc(p->stack, (num + 1) * sizeof(*c->writes));
   for (uint32_t b = 0; b < num_blocks; b++) {
      wrote *writes = c->writes + c->first_write[b];
      qsort(writes, list_writes(c, p->blocks[b], writes), sizeof(*writes), compare_writes);
   }
   c->memory_phi = hd_stack_alloc_zero(p->stack, (p->num_temps + 1) * sizeof(*c->memory_phi));
   for (uint32_t b = 0; b < num_blocks; b++) {
      for (const hd_mach_inst *phi = p->blocks[b]->memory_phis; phi; phi = phi->next) {
         c->memory_phi[hd_mach_def(phi, 0)->value] = phi;
         c->def_block[hd_mach_def(phi, 0)->value] = p->blocks[b];
      }
   }
}

/* The last write of the register before the position; NULL: there is none in the block. */
static const wrote *
last_write(const checking *c, const hd_mach_block *block, unsigned reg, uint32_t before)
{
   uint32_t low = c->first_write[block->index], high = c->first_write[block->index + 1];
   const uint32_t begin = low;

   /* The first entry that is not smaller than (reg, before). */
   while (low < high) {
      const uint32_t mid = low + (high - low) / 2;
      const wrote *w = &c->writes[mid];
      if (w->reg < reg || (w->reg == reg && w->at < before))
         low = mid + 1;
      else
         high = mid;
   }
   return low > begin && c->writes[low - 1].reg == reg ? &c->writes[low - 1] : NULL;
}

/* Questions. */

static void
ask(checking *c, const hd_mach_block *block, uint32_t before, uint32_t temp, unsigned reg,
    unsigned part)
{
   if (c->num_work == c->work_capacity) {
      c->work_capacity = 2 * c->work_capacity + 256;
      question *work = hd_stack_alloc(c->p->stack, c->work_capacity * sizeof(*work));
      if (c->num_work)
         memcpy(work, c->work, c->num_work * sizeof(*work));
      c->work = work;
   }
   c->work[c->num_work++] = (question){ block, before, temp, reg, part };
}

static asked *
look_up(checking *c, uint32_t block, unsigned reg)
{
   uint32_t slot = (block * UINT32_C(2654435761) + reg * UINT32_C(40503)) & (c->table_size - 1);

   while (c->table[slot].block && (c->table[slot].block != block + 1 || c->table[slot].reg != reg))
      slot = (slot + 1) & (c->table_size - 1);
   return &c->table[slot];
}

static void
make_room(checking *c)
{
   const asked *old = c->table;
   const uint32_t size = c->table_size;

   if (2 * c->num_asked < size)
      return;
   c->table_size = size ? 2 * size : 1024;
   c->table = hd_stack_alloc_zero(c->p->stack, c->table_size * sizeof(*c->table));
   for (uint32_t n = 0; n < size; n++) {
      if (old[n].block)
         *look_up(c, old[n].block - 1, old[n].reg) = old[n];
   }
}

static bool
enter_block(checking *c, const question *q)
{
   const hd_mach_edges *edges = &q->block->edges[flow_of(c, q->reg)];
   const bool defined_here = c->def_block[q->temp] == q->block;
   const hd_mach_inst *phi = defined_here ? c->memory_phi[q->temp] : NULL;

   /* Here it is defined, but not in this register: what is there came over a back edge. Constants
    * are the same in each iteration.
    */
   if (defined_here && !(phi && q->reg == slot_of(c, phi, q->part)))
      return fault(c, q->block, NULL, "the value was not written to the spill slot", q->temp,
                   q->reg);
   make_room(c);
   asked *entry = look_up(c, q->block->index, q->reg);
   if (entry->block) {
      if (entry->temp == q->temp && entry->part == q->part)
         return true;
      return fault(c, q->block, NULL, "two live values in one register", q->temp, q->reg);
   }
   *entry = (asked){ q->block->index + 1, q->temp, q->reg, q->part };
   c->num_asked++;
   if (phi)
      return true; /* its sources are asked for once, as operands */
   if (!edges->num_preds)
      return fault(c, q->block, NULL, "nothing wrote the register", q->temp, q->reg);
   for (uint32_t n = 0; n < edges->num_preds; n++)
      ask(c, edges->preds[n], UINT32_MAX, q->temp, q->reg, q->part);
   return true;
}

/* Where a phi's copies stand in a predecessor. */
static uint32_t
copies_at(const checking *c, const hd_mach_block *pred, hd_mach_edge_kind flow)
{
   return flow == HD_MACH_LOGICAL ? c->tail[pred->index] : c->branch[pred->index];
}

static bool
answer(checking *c, const question *q)
{
   const wrote *w = last_write(c, q->block, q->reg, q->before);

   if (!w)
      return enter_block(c, q);
   if (w->def == NO_DEF) {
      if (hd_mach_slot_value(w->inst)->value == q->temp && q->reg == slot_of(c, w->inst, q->part))
         return true;
      return fault(c, q->block, w->inst, "the spill slot was overwritten", q->temp, q->reg);
   }
   const hd_mach_operand *def = hd_mach_def(w->inst, w->def);
   if (!is_temp(def) || def->value != q->temp || q->reg - def->reg != q->part)
      return fault(c, q->block, w->inst, "the register was overwritten", q->temp, q->reg);
   if (w->inst->op == HD_MACH_P_RELOAD && def == hd_mach_slot_value(w->inst))
      ask(c, q->block, w->at, q->temp, slot_of(c, w->inst, q->part), q->part);
   return true;
}

/* Operands as such. */

static bool
is_in_file(const hd_mach_file *file, unsigned reg, unsigned size)
{
   return reg >= file->first && reg + size <= (unsigned)file->first + file->num;
}

static unsigned
demanded_register(const hd_mach_program *p, const hd_mach_inst *inst, unsigned n)
{
   return p->hooks->demanded_register ? p->hooks->demanded_register(inst, n) : HD_MACH_NO_REG;
}

static bool
check_operand(checking *c, const hd_mach_block *block, const hd_mach_inst *inst, unsigned n)
{
   const hd_mach_operand *operand = &inst->operands[n];
   const hd_mach *mach = c->p->mach;
   const hd_mach_op *info = hd_mach_op_of(mach, inst);

   if (!(info->flags & HD_MACH_PSEUDO)) {
      const int tied = n < inst->num_defs ? -1 : hd_mach_tied_def(mach, inst, n - inst->num_defs);
      const unsigned demanded = demanded_register(c->p, inst, n);
      char what[80];
      if (demanded != HD_MACH_NO_REG && operand->size && operand->reg != demanded) {
         snprintf(what, sizeof(what), "the operand is fixed to register %u", demanded);
         return fault(c, block, inst, what, operand->value, operand->reg);
      }
      if (tied >= 0 && operand->reg != hd_mach_def(inst, (unsigned)tied)->reg) {
         snprintf(what, sizeof(what), "the source is tied to the result in register %u",
                  hd_mach_def(inst, (unsigned)tied)->reg);
         return fault(c, block, inst, what, operand->value, operand->reg);
      }
   }
   if (!is_temp(operand))
      return true;
   const hd_mach_temp *t = &c->p->temps[operand->value];
   const unsigned reg = operand->reg;
   const bool is_vector = hd_mach_is_vector(c->p, operand->value);
   if (is_vector ? !is_in_file(&mach->files[t->file], reg, t->size)
                 : reg >= mach->first_const && reg != mach->flag)
      return fault(c, block, inst, "not a register of the value's file", operand->value, reg);
   if (operand->size != t->size || (reg % t->align && reg != mach->flag))
      return fault(c, block, inst, "not aligned", operand->value, reg);
   return true;
}

/* False: something else that is written at the same time is there. */
static bool
add_written(checking *c, const hd_mach_operand *def)
{
   for (unsigned n = 0; def->reg < HD_MACH_MAX_REGS && n < def->size; n++) {
      uint64_t *word = &c->written[(def->reg + n) / 64];
      const uint64_t bit = UINT64_C(1) << ((def->reg + n) % 64);
      if (*word & bit)
         return false;
      *word |= bit;
   }
   return true;
}

/* Does it do something for the lanes of exec? Spilled scalars go to lanes whatever exec says. */
static bool
is_for_lanes(const checking *c, const hd_mach_inst *inst)
{
   if (hd_mach_op_of(c->p->mach, inst)->flags & (HD_MACH_PER_LANE | HD_MACH_USES_LANES))
      return true;
   if (inst->op == HD_MACH_P_SPILL || inst->op == HD_MACH_P_RELOAD)
      return hd_mach_is_vector(c->p, hd_mach_slot_value(inst)->value);
   return inst->op == HD_MACH_P_COPY && inst->num_defs &&
          hd_mach_is_vector_reg(c->p->mach, hd_mach_def(inst, 0)->reg);
}

static bool
check_inst(checking *c, const hd_mach_block *block, const hd_mach_inst *inst, uint32_t at)
{
   if (block->passive && is_for_lanes(c, inst))
      return fault(c, block, inst, "vector code after exec was changed for a successor", 0, 0);
   for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
      if (!check_operand(c, block, inst, n))
         return false;
   }
   memset(c->written, 0, sizeof(c->written));
   for (unsigned d = 0; d < inst->num_defs; d++) {
      const hd_mach_operand *def = hd_mach_def(inst, d);
      if (!add_written(c, def))
         return fault(c, block, inst, "two results overlap", def->value, def->reg);
      if (inst->op == HD_MACH_P_COPY && hd_mach_is_vector_reg(c->p->mach, def->reg) &&
          def->reg < HD_MACH_MAX_REGS && at >= c->tail[block->index])
         return fault(c, block, inst,
                      "a vector value is copied after exec was changed for a successor", def->value,
                      def->reg);
   }
   if (inst->op == HD_MACH_P_PHI)
      return true;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      for (unsigned part = 0; is_temp(src) && part < src->size; part++)
         ask(c, block, at, src->value, src->reg + part, part);
   }
   return true;
}

/* The phis of a block are copies at the ends of its predecessors: they may not overlap, a value
 * must be there where its copy reads it, and what a copy writes may not be read in the rest of the
 * predecessor, or be of concern to another successor.
 */
static bool
check_copy(checking *c, const hd_mach_block *block, const hd_mach_inst *phi, uint32_t i)
{
   const hd_mach_operand *def = hd_mach_def(phi, 0), *src = hd_mach_src(phi, i);
   const hd_mach_edge_kind flow =
       hd_mach_is_vector_reg(c->p->mach, def->reg) ? HD_MACH_LOGICAL : HD_MACH_LINEAR;
   const hd_mach_block *pred = block->edges[flow].preds[i];
   const uint32_t at = copies_at(c, pred, flow);

   for (unsigned part = 0; is_temp(src) && part < src->size; part++)
      ask(c, pred, at, src->value, src->reg + part, part);
   if (src->flags & HD_MACH_OPERAND_UNDEF || src->reg == def->reg)
      return true;
   if (pred->passive && flow == HD_MACH_LOGICAL)
      return fault(c, pred, phi, "phi copies after exec was changed for a successor", def->value,
                   def->reg);
   if (pred->edges[flow].num_succs > 1)
      return fault(c, pred, phi, "phi copies in a block with several successors", def->value,
                   def->reg);
   const hd_mach_inst *inst = flow == HD_MACH_LOGICAL ? pred->tail : NULL;
   for (; inst; inst = inst->next) {
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         const hd_mach_operand *read = hd_mach_src(inst, n);
         if (read->reg < def->reg + def->size && def->reg < read->reg + read->size)
            return fault(c, pred, inst, "use after a phi copy has overwritten the register",
                         read->value, read->reg);
      }
   }
   return true;
}

/* A constant in a phi in memory comes from a copy of it that was stored. */
static bool
is_constant_in(checking *c, const hd_mach_block *block, const hd_mach_inst *phi,
               const hd_mach_operand *constant, uint32_t before)
{
   const wrote *w = last_write(c, block, slot_of(c, phi, 0), before);

   if (!w || slot_of(c, w->inst, 0) != slot_of(c, phi, 0))
      return false;
   const hd_mach_operand *stored = hd_mach_slot_value(w->inst);
   w = last_write(c, block, stored->reg, w->at);
   if (!w || w->inst->op != HD_MACH_P_COPY || hd_mach_def(w->inst, w->def)->value != stored->value)
      return false;
   const hd_mach_operand *copied = hd_mach_src(w->inst, w->def);
   return !is_temp(copied) && copied->reg == constant->reg && copied->value == constant->value &&
          stored->size == hd_mach_def(phi, 0)->size;
}

/* Phis in memory: at the end of each predecessor their place holds the source. */
static bool
check_memory_phis(checking *c, const hd_mach_block *block)
{
   for (const hd_mach_inst *phi = block->memory_phis; phi; phi = phi->next) {
      const hd_mach_operand *def = hd_mach_def(phi, 0);
      const hd_mach_edge_kind flow = flow_of(c, slot_of(c, phi, 0));
      for (uint32_t i = 0; i < phi->num_srcs; i++) {
         const hd_mach_operand *src = hd_mach_src(phi, i);
         const hd_mach_block *pred = block->edges[flow].preds[i];
         const uint32_t at = copies_at(c, pred, flow);
         if (!(src->flags & HD_MACH_OPERAND_UNDEF) && !is_temp(src) &&
             !is_constant_in(c, pred, phi, src, at))
            return fault(c, pred, NULL, "the constant of a phi was not stored", def->value,
                         slot_of(c, phi, 0));
         for (unsigned part = 0; is_temp(src) && part < src->size; part++)
            ask(c, pred, at, src->value, slot_of(c, phi, part), part);
      }
   }
   return true;
}

static bool
check_phis(checking *c, const hd_mach_block *block)
{
   memset(c->written, 0, sizeof(c->written));
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      const hd_mach_operand *def = hd_mach_def(phi, 0);
      if (!add_written(c, def))
         return fault(c, block, phi, "two results overlap", def->value, def->reg);
      if (phi->num_srcs != block->edges[flow_of(c, def->reg)].num_preds)
         return fault(c, block, phi, "a phi does not match the predecessors of its block",
                      def->value, def->reg);
      for (uint32_t i = 0; i < phi->num_srcs; i++) {
         if (!check_copy(c, block, phi, i))
            return false;
      }
   }
   return true;
}

bool
hd_mach_verify_ra(hd_mach_program *p)
{
   checking *c = hd_stack_alloc_zero(p->stack, sizeof(*c));

   c->p = p;
   collect_writes(c);
   hd_mach_foreach_block(block, p)
   {
      uint32_t at = 0;
      if (!check_phis(c, block) || !check_memory_phis(c, block))
         return false;
      hd_mach_foreach_inst(inst, block)
      {
         if (!check_inst(c, block, inst, at++))
            return false;
         /* Ends: a question is asked of the beginning of a block once for each register. */
         while (c->num_work) {
            const question q = c->work[--c->num_work];
            hd_heap_step(p->stack->heap, 1);
            if (!answer(c, &q))
               return false;
         }
      }
   }
   return true;
}
