/* SPDX-License-Identifier: MIT */
/* verify_slots.c - verify the addresses of spill slots in lowered code.
 *
 * Before lowering, each dword that a p_spill or p_reload moves is recorded in code order, and so are
 * the instructions that stay. After lowering, the instructions between those are the expansions: their
 * scratch addresses are computed as the hardware does, and mapped back to slots:
 *
 *    vector value    spill_offset + 4 * slot                      of each lane
 *    scalar          lane slot % 64 of vector register slot / 64, after all that values use
 *    paged scalar    page_offset + 4 * page, in one lane: exec names it
 *
 * soffset counts bytes of the wave, where the dwords of 64 lanes lie side by side; all else counts
 * bytes of a lane.
 */
#include "backend/gcn/verify_slots.h"

#define WAVE      64u
#define ALL_LANES 64u

/* A dword of a slot that is moved. */
typedef struct event {
   uint32_t slot;
   uint16_t reg;    /* of the value's dword */
   uint16_t offset; /* the register of the wave's offset; HD_MACH_NO_REG: not by scratch memory */
   bool vector, stores;
} event;

struct hd_gcn_slots {
   event *events;
   const hd_mach_inst **kept;
   uint32_t *first_event, *first_kept; /* by block index */
   uint32_t first_lane_vgpr;
   uint32_t vector_end; /* the highest slot of a vector value + 1 */
};

static bool
stays(const hd_mach_inst *inst)
{
   return hd_gcn_op_info_of(inst)->format != HD_GCN_PSEUDO || inst->op == HD_MACH_P_END;
}

static uint32_t
note_slot(const hd_mach_program *p, hd_gcn_slots *s, const hd_mach_inst *inst, uint32_t num)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);
   const bool stores = inst->op == HD_MACH_P_SPILL, vector = value->reg >= HD_GCN_VGPR0;
   const uint32_t in_lanes = vector ? 0 : WAVE * hd_gcn_of(p)->num_lane_vgprs;

   for (unsigned n = 0; n < value->size; n++) {
      event *e = &s->events[num++];
      *e = (event){ .slot = (uint32_t)inst->imm + n,
                    .reg = (uint16_t)(value->reg + n),
                    .offset = HD_MACH_NO_REG,
                    .vector = vector,
                    .stores = stores };
      if (e->slot >= in_lanes)
         e->offset = hd_mach_src(inst, stores + 1)->reg;
      if (vector && e->slot >= s->vector_end)
         s->vector_end = e->slot + 1;
   }
   return num;
}

static void
note_vgprs(hd_gcn_slots *s, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
      const uint32_t end = (uint32_t)inst->operands[n].reg + inst->operands[n].size;
      if (inst->operands[n].reg >= HD_GCN_VGPR0 && inst->operands[n].reg < HD_MACH_MAX_REGS &&
          end > s->first_lane_vgpr)
         s->first_lane_vgpr = end;
   }
}

const hd_gcn_slots *
hd_gcn_slots_note(const hd_mach_program *p)
{
   hd_gcn_slots *s = hd_stack_alloc_zero(p->stack, sizeof(*s));
   uint32_t num_events = 0, num_kept = 0;

   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         const hd_mach_operand *value = hd_mach_slot_value(inst);
         num_events += value ? value->size : 0;
         num_kept += stays(inst);
      }
   }
   s->events = hd_stack_alloc(p->stack, (num_events + 1) * sizeof(*s->events));
   s->kept = hd_stack_alloc(p->stack, (num_kept + 1) * sizeof(*s->kept));
   s->first_event = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(uint32_t));
   s->first_kept = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(uint32_t));
   s->first_lane_vgpr = HD_GCN_VGPR0;
   num_events = num_kept = 0;
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      s->first_event[b] = num_events;
      s->first_kept[b] = num_kept;
      hd_mach_foreach_inst(inst, p->blocks[b])
      {
         note_vgprs(s, inst);
         if (hd_mach_slot_value(inst))
            num_events = note_slot(p, s, inst, num_events);
         else if (stays(inst))
            s->kept[num_kept++] = inst;
      }
   }
   s->first_event[p->num_blocks] = num_events;
   s->first_kept[p->num_blocks] = num_kept;
   return s;
}

/* What is known of registers that made instructions wrote since the last one that stayed. */
typedef struct following {
   hd_mach_program *p;
   const hd_gcn_slots *s;
   const hd_mach_block *block;
   uint32_t next; /* event */
   uint32_t lane; /* that exec names, or ALL_LANES */
   struct {
      uint16_t reg, offset; /* reg = offset + bytes of the wave */
      uint32_t bytes;
   } far;
   struct {
      uint16_t reg;
      uint32_t bytes;
   } reach; /* a vector register with a constant */
   struct {
      uint16_t reg, from; /* a vector register with a scalar; NO_REG: with a dword of a page */
      uint32_t bytes, lane;
      uint16_t offset;
   } way;
} following;

static void
forget(following *f)
{
   f->lane = ALL_LANES;
   f->far.reg = f->reach.reg = f->way.reg = HD_MACH_NO_REG;
}

static bool
fault(following *f, const hd_mach_inst *inst, const char *what, uint32_t got, uint32_t wanted)
{
   return hd_mach_refuse(f->p, NULL, "spill slots, block %u, %s: %s (%u, not %u)", f->block->index,
                         inst ? hd_gcn_op_name(hd_gcn_op_info_of(inst), hd_gcn_target_in(f->p)->gen)
                              : "end",
                         what, got, wanted);
}

/* This is the access of the next dword that was asked for. */
static bool
see(following *f, const hd_mach_inst *inst, event got)
{
   const event *wanted = &f->s->events[f->next];

   if (f->next == f->s->first_event[f->block->index + 1])
      return fault(f, inst, "an access that no spill or reload made, slot", got.slot, UINT32_MAX);
   f->next++;
   if (got.vector != wanted->vector || got.stores != wanted->stores)
      return fault(f, inst, "another kind of access", got.stores, wanted->stores);
   if (got.slot != wanted->slot)
      return fault(f, inst, "the address of another slot", got.slot, wanted->slot);
   if (got.reg != wanted->reg)
      return fault(f, inst, "another register", got.reg, wanted->reg);
   if (got.offset != wanted->offset)
      return fault(f, inst, "another base", got.offset, wanted->offset);
   return true;
}

/* The slot of a dword in the pages. */
static uint32_t
page_slot(const following *f, uint32_t bytes, uint32_t lane)
{
   const uint32_t from = WAVE * hd_gcn_of(f->p)->num_lane_vgprs;

   if (bytes < hd_gcn_of(f->p)->page_offset || (bytes - hd_gcn_of(f->p)->page_offset) % 4)
      return UINT32_MAX;
   return from + WAVE * ((bytes - hd_gcn_of(f->p)->page_offset) / 4) + lane;
}

static bool
follow_scratch(following *f, const hd_mach_inst *inst, bool stores)
{
   const hd_mach_operand *data = stores ? hd_mach_src(inst, 0) : hd_mach_def(inst, 0);
   const hd_mach_operand *address = hd_mach_src(inst, stores), *soffset = address + 2;
   event e = { .reg = data->reg, .offset = soffset->reg, .vector = true, .stores = stores };
   uint32_t bytes = (uint32_t)inst->imm;

   if (bytes >= HD_GCN_NEAR_SCRATCH)
      return fault(f, inst, "an offset that the instruction does not have", bytes,
                   HD_GCN_NEAR_SCRATCH - 1);
   if (soffset->reg == f->far.reg) {
      if (f->far.bytes % (4 * WAVE))
         return fault(f, inst, "soffset between the dwords of a lane", f->far.bytes, 0);
      bytes += f->far.bytes / WAVE;
      e.offset = f->far.offset;
   }
   if (inst->bits & HD_GCN_OFFEN) {
      if (address->reg != f->reach.reg)
         return fault(f, inst, "an unknown address", address->reg, f->reach.reg);
      bytes += f->reach.bytes;
   }
   if (bytes + 4 > f->p->scratch_size)
      return fault(f, inst, "past the end of scratch memory", bytes, f->p->scratch_size);
   if (f->lane == ALL_LANES) {
      const uint32_t base = f->p->spill_offset;
      e.slot = bytes < base || (bytes - base) % 4 ? UINT32_MAX : (bytes - base) / 4;
      return see(f, inst, e);
   }
   if (!stores) { /* the scalar is read from it next */
      f->way.reg = data->reg;
      f->way.from = HD_MACH_NO_REG;
      f->way.bytes = bytes;
      f->way.lane = f->lane;
      f->way.offset = e.offset;
      return true;
   }
   if (data->reg != f->way.reg)
      return fault(f, inst, "a register that does not hold the scalar", data->reg, f->way.reg);
   e.reg = f->way.from;
   e.vector = false;
   e.slot = page_slot(f, bytes, f->lane);
   return see(f, inst, e);
}

/* To or from a lane of a vector register that holds slots, or by which pages are read. */
static bool
follow_lane(following *f, const hd_mach_inst *inst, bool stores)
{
   const hd_mach_operand *vector = stores ? hd_mach_def(inst, 0) : hd_mach_src(inst, 0);
   const hd_mach_operand *scalar = stores ? hd_mach_src(inst, 0) : hd_mach_def(inst, 0);
   const uint32_t number = vector->reg - f->s->first_lane_vgpr;
   event e = { .reg = scalar->reg, .offset = HD_MACH_NO_REG, .stores = stores };
   uint64_t lane;

   hd_gcn_operand_value(*hd_mach_src(inst, 1), HD_GCN_B32, &lane);
   if (vector->reg < f->s->first_lane_vgpr ||
       number >= hd_gcn_of(f->p)->num_lane_vgprs + hd_gcn_of(f->p)->num_page_vgprs)
      return true; /* not of a slot */
   e.slot = WAVE * number + (uint32_t)lane;
   if (number >= hd_gcn_of(f->p)->num_lane_vgprs) {
      if (vector->reg != f->way.reg || lane != f->way.lane)
         return fault(f, inst, "a lane that was not loaded", (uint32_t)lane, f->way.lane);
      e.slot = page_slot(f, f->way.bytes, f->way.lane);
      e.offset = f->way.offset;
   }
   return see(f, inst, e);
}

static void
follow_move(following *f, const hd_mach_inst *inst)
{
   const hd_mach_operand *to = hd_mach_def(inst, 0), *from = hd_mach_src(inst, 0);
   uint64_t value;

   if (from->reg < HD_GCN_CONST_0) {
      f->way.reg = to->reg;
      f->way.from = from->reg;
   } else if (from->reg < HD_GCN_VGPR0 && from->reg != HD_GCN_SCC) {
      hd_gcn_operand_value(*from, HD_GCN_B32, &value);
      f->reach.reg = to->reg;
      f->reach.bytes = (uint32_t)value;
   }
}

static bool
follow(following *f, const hd_mach_inst *inst)
{
   uint64_t value;

   switch (inst->op) {
   case HD_GCN_S_ADD_U32:
      hd_gcn_operand_value(*hd_mach_src(inst, 1), HD_GCN_B32, &value);
      f->far.reg = hd_mach_def(inst, 0)->reg;
      f->far.offset = hd_mach_src(inst, 0)->reg;
      f->far.bytes = (uint32_t)value;
      return true;
   case HD_GCN_S_BFM_B64:
      hd_gcn_operand_value(*hd_mach_src(inst, 1), HD_GCN_B32, &value);
      f->lane = (uint32_t)value;
      return true;
   case HD_GCN_S_MOV_B64:
      if (hd_mach_def(inst, 0)->reg == HD_GCN_EXEC)
         f->lane = ALL_LANES;
      return true;
   case HD_GCN_V_MOV_B32:
      follow_move(f, inst);
      return true;
   case HD_GCN_V_WRITELANE_B32:
   case HD_GCN_V_READLANE_B32:
      return follow_lane(f, inst, inst->op == HD_GCN_V_WRITELANE_B32);
   case HD_GCN_BUFFER_LOAD_DWORD:
   case HD_GCN_BUFFER_STORE_DWORD:
      return follow_scratch(f, inst, inst->op == HD_GCN_BUFFER_STORE_DWORD);
   default:
      return true;
   }
}

static bool
check_block(following *f, const hd_mach_block *block)
{
   const hd_gcn_slots *s = f->s;
   uint32_t kept = s->first_kept[block->index];

   f->block = block;
   f->next = s->first_event[block->index];
   forget(f);
   hd_mach_foreach_inst(inst, block)
   {
      if (kept < s->first_kept[block->index + 1] && inst == s->kept[kept]) {
         kept++;
         forget(f);
      } else if (!follow(f, inst)) {
         return false;
      }
   }
   if (f->next != s->first_event[block->index + 1])
      return fault(f, NULL, "dwords without an access", f->next, s->first_event[block->index + 1]);
   return true;
}

bool
hd_gcn_slots_check(hd_mach_program *p, const hd_gcn_slots *slots)
{
   following f = { .p = p, .s = slots, .block = p->first };
   const uint32_t end = p->spill_offset + 4 * slots->vector_end;

   if (slots->vector_end && p->spill_offset < p->shader->scratch_size)
      return fault(&f, NULL, "slots in the shader's scratch memory", p->spill_offset,
                   p->shader->scratch_size);
   if (slots->vector_end && hd_gcn_of(p)->num_pages && hd_gcn_of(p)->page_offset < end)
      return fault(&f, NULL, "pages among the slots of vector values", hd_gcn_of(p)->page_offset,
                   end);
   hd_mach_foreach_block(block, p)
   {
      if (!check_block(&f, block))
         return false;
   }
   return true;
}
