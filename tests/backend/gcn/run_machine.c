/* SPDX-License-Identifier: MIT */
/* run_machine.c - machine code for one lane, with hashes for results. */
#include "run_machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Values on their way to phis. */
typedef struct arrivals {
   unsigned num;
   hd_mach_operand defs[HD_MACH_MAX_REGS];
   uint32_t parts[HD_MACH_MAX_REGS];
} arrivals;

#define SCRATCH_WORDS (1u << 16)

typedef struct running {
   const hd_mach_program *p;
   machine_run *run;
   uint32_t regs[HD_MACH_MAX_REGS];
   uint32_t lanes[256][64]; /* of VGPRs that hold spilled scalars */
   uint32_t *values;        /* by temp, 16 dwords each */
   uint32_t *slots[2];      /* of p_spill: of scalars, of vector values */
   uint32_t scratch[SCRATCH_WORDS];
   const hd_mach_block *waits_at; /* where the lane is */
   uint64_t way;
   arrivals scalars, vectors;
} running;

static uint64_t
mix(uint64_t h, uint64_t n)
{
   h = (h ^ n) * UINT64_C(0x9e3779b97f4a7c15);
   return h ^ (h >> 29);
}

static uint32_t *
cell(running *r, const hd_mach_operand *operand, unsigned part)
{
   if (operand->flags & HD_MACH_OPERAND_TEMP && r->values)
      return &r->values[16 * operand->value + part];
   assert(operand->reg + part < HD_MACH_MAX_REGS);
   return &r->regs[operand->reg + part];
}

static uint32_t
read_part(running *r, const hd_mach_operand *operand, unsigned part)
{
   uint64_t value = 0;

   if (operand->flags & HD_MACH_OPERAND_UNDEF || !operand->size)
      return 0;
   const bool temp = operand->flags & HD_MACH_OPERAND_TEMP && r->values;
   if (temp || operand->reg < HD_GCN_CONST_0 || operand->reg >= HD_GCN_VGPR0 ||
       operand->reg == HD_GCN_SCC)
      return *cell(r, operand, part);
   if (operand->reg == HD_GCN_EXECZ || operand->reg == HD_GCN_VCCZ)
      return 0;
   hd_gcn_operand_value(*operand, operand->size == 2 ? HD_GCN_B64 : HD_GCN_B32, &value);
   return (uint32_t)(value >> (32 * part));
}

static bool
is_vector(const running *r, const hd_mach_operand *operand)
{
   if (operand->flags & HD_MACH_OPERAND_TEMP && r->values)
      return r->p->temps[operand->value].file == HD_GCN_VGPR;
   return operand->reg >= HD_GCN_VGPR0 && operand->reg < HD_MACH_MAX_REGS;
}

/* A vector register is written if the lane takes part. */
static void
write_part(running *r, const hd_mach_operand *operand, unsigned part, uint32_t value, bool active)
{
   if (operand->size && (active || !is_vector(r, operand)))
      *cell(r, operand, part) = operand->reg == HD_GCN_SCC ? value & 1 : value;
}

static void
run_hashed(running *r, const hd_mach_inst *inst, bool active)
{
   uint64_t h = mix(inst->op, (uint32_t)inst->imm);

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      for (unsigned part = 0; part < src->size; part++)
         h = mix(h, read_part(r, src, part));
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      for (unsigned part = 0; part < def->size; part++)
         write_part(r, def, part, (uint32_t)(mix(h, n * 64 + part) >> 20), active);
   }
   if (hd_gcn_op_info_of(inst)->mach.flags & HD_MACH_STORES && active) {
      r->run->shown = mix(r->run->shown, h);
      r->run->num_shown++;
   }
}

/* Any number of tuples, all read before any is written. */
static void
run_copies(running *r, const hd_mach_operand *defs, unsigned num_defs, const hd_mach_operand *srcs,
           unsigned num_srcs, bool active)
{
   uint32_t parts[HD_MACH_MAX_REGS * 2];
   unsigned num = 0, at = 0;

   for (unsigned n = 0; n < num_srcs; n++) {
      for (unsigned part = 0; part < srcs[n].size; part++)
         parts[num++] = read_part(r, &srcs[n], part);
   }
   for (unsigned n = 0; n < num_defs; n++) {
      for (unsigned part = 0; part < defs[n].size; part++)
         write_part(r, &defs[n], part, parts[at++], active);
   }
}

static void
run_slot(running *r, const hd_mach_inst *inst, bool active)
{
   const bool reloads = inst->op == HD_MACH_P_RELOAD;
   const hd_mach_operand *operand = hd_mach_slot_value(inst);
   uint32_t *slot = r->slots[is_vector(r, operand)] + inst->imm;

   for (unsigned part = 0; part < operand->size; part++) {
      if (reloads)
         write_part(r, operand, part, slot[part], active);
      else if (active || !is_vector(r, operand))
         slot[part] = read_part(r, operand, part);
   }
}

/* What p_start gives: a hash of the register. */
static uint32_t
start_value(const running *r, unsigned reg)
{
   return (uint32_t)mix(r->run->seed, reg);
}

/* Where the scratch memory of the wave begins. */
static uint32_t
wave_scratch(const running *r)
{
   const hd_mach_inst *start = hd_gcn_of(r->p)->abi.start;
   const uint32_t offset = hd_gcn_of(r->p)->abi.temps[HD_GCN_START_SCRATCH_OFFSET];
   unsigned n = 0;

   while (hd_mach_def(start, n)->value != offset)
      n++;
   return start_value(r, hd_mach_def(start, n)->reg);
}

/* Dwords of 64 lanes lie side by side: an offset of the lane counts 64 times, soffset as it is. All
 * of it must be in what was set apart for spilled values.
 */
static void
run_scratch(running *r, const hd_mach_inst *inst, bool stores, bool active)
{
   /* vdata, vaddr (off), the resource, soffset; a store has its data first. */
   const hd_mach_operand *data = stores ? hd_mach_src(inst, 0) : hd_mach_def(inst, 0);
   const uint32_t soffset = read_part(r, hd_mach_src(inst, stores ? 3 : 2), 0);
   const uint32_t in_wave = soffset + 64 * (uint32_t)inst->imm - wave_scratch(r);
   const uint32_t bytes = in_wave / 64;

   assert(in_wave % 256 == 0 && bytes >= r->p->spill_offset);
   assert(bytes + 4u * data->size <= r->p->scratch_size && bytes / 4 + data->size <= SCRATCH_WORDS);
   for (unsigned part = 0; active && part < data->size; part++) {
      uint32_t *word = &r->scratch[bytes / 4 + part];
      if (stores)
         *word = read_part(r, data, part);
      else
         write_part(r, data, part, *word, active);
   }
}

static bool
run_move(running *r, const hd_mach_inst *inst, bool active)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0), *src = hd_mach_src(inst, 0);
   uint32_t value;

   switch (inst->op) {
   case HD_GCN_S_MOV_B32:
   case HD_GCN_S_MOV_B64:
   case HD_GCN_V_MOV_B32:
      run_copies(r, def, 1, src, 1, active);
      r->run->num_moves += src->reg < HD_GCN_CONST_0 || src->reg >= HD_GCN_VGPR0;
      return true;
   case HD_GCN_V_SWAP_B32:
      if (active) {
         value = *cell(r, def, 0);
         *cell(r, def, 0) = *cell(r, def + 1, 0);
         *cell(r, def + 1, 0) = value;
      }
      r->run->num_moves++;
      return true;
   case HD_GCN_S_XOR_B32:
   case HD_GCN_V_XOR_B32:
      value = read_part(r, src, 0) ^ read_part(r, src + 1, 0);
      write_part(r, def, 0, value, active);
      if (inst->op == HD_GCN_S_XOR_B32)
         write_part(r, def + 1, 0, value != 0, active);
      return true;
   case HD_GCN_S_AND_B32:
   case HD_GCN_V_AND_B32:
      value = read_part(r, src, 0) & read_part(r, src + 1, 0);
      write_part(r, def, 0, value, active);
      if (inst->op == HD_GCN_S_AND_B32)
         write_part(r, def + 1, 0, value != 0, active);
      return true;
   case HD_GCN_S_ADD_U32:
      value = read_part(r, src, 0) + read_part(r, src + 1, 0);
      write_part(r, def + 1, 0, value < read_part(r, src, 0), active);
      write_part(r, def, 0, value, active);
      return true;
   case HD_GCN_S_CSELECT_B32:
      value =
          read_part(r, hd_mach_src(inst, 2), 0) ? read_part(r, src, 0) : read_part(r, src + 1, 0);
      write_part(r, def, 0, value, active);
      return true;
   case HD_GCN_S_CMP_LG_U32:
      write_part(r, def, 0, read_part(r, src, 0) != read_part(r, src + 1, 0), active);
      return true;
   case HD_GCN_V_WRITELANE_B32:
      r->lanes[def->reg - HD_GCN_VGPR0][read_part(r, src + 1, 0) & 63] = read_part(r, src, 0);
      return true;
   case HD_GCN_V_READLANE_B32:
      value = r->lanes[src->reg - HD_GCN_VGPR0][read_part(r, src + 1, 0) & 63];
      write_part(r, def, 0, value, active);
      return true;
   default:
      return false;
   }
}

static void
run_inst(running *r, const hd_mach_inst *inst, bool active)
{
   r->run->num_insts++;
   if (run_move(r, inst, active))
      return;
   switch (inst->op) {
   case HD_MACH_P_COPY:
   case HD_MACH_P_VECTOR:
   case HD_MACH_P_SPLIT:
      run_copies(r, hd_mach_def(inst, 0), inst->num_defs, hd_mach_src(inst, 0), inst->num_srcs,
                 active);
      break;
   case HD_MACH_P_SPILL:
   case HD_MACH_P_RELOAD:
      run_slot(r, inst, active);
      break;
   case HD_MACH_P_START:
      /* The same before and after. */
      for (unsigned n = 0; n < inst->num_defs; n++) {
         for (unsigned part = 0; part < hd_mach_def(inst, n)->size; part++)
            write_part(r, hd_mach_def(inst, n), part,
                       start_value(r, hd_mach_def(inst, n)->reg + part), true);
      }
      break;
   case HD_MACH_P_UNDEF:
   case HD_MACH_P_END:
      break;
   case HD_GCN_BUFFER_STORE_DWORD:
   case HD_GCN_BUFFER_STORE_DWORDX2:
   case HD_GCN_BUFFER_STORE_DWORDX3:
   case HD_GCN_BUFFER_STORE_DWORDX4:
   case HD_GCN_BUFFER_LOAD_DWORD:
   case HD_GCN_BUFFER_LOAD_DWORDX2:
   case HD_GCN_BUFFER_LOAD_DWORDX3:
   case HD_GCN_BUFFER_LOAD_DWORDX4:
      if (inst->memory & HD_MACH_MEMORY_SCRATCH) {
         run_scratch(r, inst, inst->num_defs == 0, active);
         break;
      }
      run_hashed(r, inst, active);
      break;
   default:
      run_hashed(r, inst, active);
   }
}

static uint32_t
edge_number(const hd_mach_edges *edges, const hd_mach_block *from)
{
   uint32_t i = 0;

   while (i < edges->num_preds && edges->preds[i] != from)
      i++;
   return i;
}

/* What the phis of the block, of one flow, get from this predecessor, as it is now. */
static void
read_phis(running *r, arrivals *to, const hd_mach_block *block, const hd_mach_block *from,
          hd_mach_edge_kind flow)
{
   const hd_mach_edges *edges = &block->edges[flow];
   const uint32_t i = edge_number(edges, from);
   unsigned num = 0;

   to->num = 0;
   if (i == edges->num_preds)
      return;
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      const hd_mach_operand *def = hd_mach_def(phi, 0);
      if (is_vector(r, def) != (flow == HD_MACH_LOGICAL))
         continue;
      assert(to->num < HD_MACH_MAX_REGS);
      to->defs[to->num++] = *def;
      hd_mach_operand src = *hd_mach_src(phi, i);
      src.size = def->size;
      for (unsigned part = 0; part < def->size; part++)
         to->parts[num++] = read_part(r, &src, part);
   }
}

static void
write_phis(running *r, const arrivals *from)
{
   unsigned num = 0;

   for (unsigned n = 0; n < from->num; n++) {
      for (unsigned part = 0; part < from->defs[n].size; part++)
         write_part(r, &from->defs[n], part, from->parts[num++], true);
   }
}

/* The lane chooses its way through the logical graph. */
static const hd_mach_block *
choose_logical(running *r, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (!edges->num_succs)
      return NULL;
   r->way = mix(r->way, block->index);
   return edges->succs[(r->way >> 40) % edges->num_succs];
}

/* Where the pc goes so that it comes by the lane. Edges forward may not go past it; the way back is
 * taken if the lane is behind. If all ways will do, one that does not go back.
 */
static const hd_mach_block *
choose_linear(running *r, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   const uint32_t at = r->waits_at ? r->waits_at->order : UINT32_MAX;
   const hd_mach_block *fitting[4];
   unsigned num = 0;

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      const hd_mach_block *succ = edges->succs[s];
      if (succ == r->waits_at)
         return succ;
      const bool back = succ->order <= block->order;
      if (back ? at <= block->order : at > block->order && succ->order <= at)
         fitting[num++] = succ;
   }
   if (!num)
      return edges->num_succs == 1 ? edges->succs[0] : NULL;
   r->way = mix(r->way, block->index + 77);
   return fitting[(r->way >> 40) % num];
}

/* The lane leaves: before the tail, what it brings to the phis is read with its scalars. */
static void
leave(running *r, const hd_mach_block *block)
{
   r->waits_at = choose_logical(r, block);
   r->vectors.num = 0;
   if (r->waits_at)
      read_phis(r, &r->vectors, r->waits_at, block, HD_MACH_LOGICAL);
}

static void
run_block(running *r, const hd_mach_block *block)
{
   const bool active = block == r->waits_at;
   bool left = false;

   write_phis(r, &r->scalars);
   if (active)
      write_phis(r, &r->vectors);
   hd_mach_foreach_inst(inst, block)
   {
      if (active && !left && inst == block->tail) {
         leave(r, block);
         left = true;
      }
      if (inst->op != HD_MACH_P_PHI)
         run_inst(r, inst, active);
   }
   if (active && !left)
      leave(r, block);
}

void
run_machine(const hd_mach_program *p, machine_run *run)
{
   running *r = calloc(1, sizeof(*r));
   const hd_mach_block *block = p->first;

   r->p = p;
   r->run = run;
   r->way = run->seed;
   r->waits_at = p->first;
   /* What p_start says is there, whether that is still said or not. */
   for (unsigned reg = 0; reg < HD_MACH_MAX_REGS; reg++)
      r->regs[reg] = start_value(r, reg);
   run->shown = run->num_shown = run->num_moves = run->num_insts = 0;
   if (run->is_ssa)
      r->values = calloc((size_t)p->num_temps + 1, 16 * sizeof(uint32_t));
   for (unsigned n = 0; n < 2; n++)
      r->slots[n] = calloc((size_t)p->num_slots + 1, sizeof(uint32_t));
   for (unsigned n = 0; n < run->max_blocks && block; n++) {
      const hd_mach_block *from = block;
      run_block(r, block);
      block = choose_linear(r, block);
      if (block)
         read_phis(r, &r->scalars, block, from, HD_MACH_LINEAR);
   }
   free(r->values);
   free(r->slots[0]);
   free(r->slots[1]);
   free(r);
}
