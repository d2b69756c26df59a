/* SPDX-License-Identifier: MIT */
/* lower_pseudo.c - lower pseudo instructions after register allocation: parallel copies and phis become
 * moves (machine/copies.h), spills accesses to lanes and to scratch memory, reductions steps.
 *
 * Requires: registers are assigned.
 * Leaves:   no pseudo op but p_end; operands are registers and constants, no values.
 */
#include "backend/gcn/combine.h"
#include "backend/gcn/program.h"
#include "machine/copies.h"

#include <assert.h>

typedef hd_mach_place place;

typedef struct lowering {
   hd_mach_program *p;
   hd_mach_copies copies;
   bool scc_is_live;         /* where copies are put */
   unsigned first_lane_vgpr; /* after all that values use */
   hd_mach_inst *combined;   /* in the block: saves exec for the reductions after it */
} lowering;

static hd_mach_inst *
emit(lowering *l, place at, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = hd_gcn_inst_create(l->p, op, info->mach.num_defs, info->mach.num_srcs);

   if (info->opcode[hd_gcn_target_in(l->p)->gen] < 0)
      inst->form = HD_GCN_FORM_VOP3;
   hd_mach_inst_insert_before(at.block, inst, at.before);
   return inst;
}

static void
emit_move(lowering *l, place at, unsigned to, unsigned from, unsigned size)
{
   const bool vector = to >= HD_GCN_VGPR0;
   hd_mach_inst *inst;

   if (to == HD_GCN_SCC) {
      inst = emit(l, at, HD_GCN_S_CMP_LG_U32);
      *hd_mach_src(inst, 0) = hd_mach_operand_reg(from, 1);
      *hd_mach_src(inst, 1) = hd_gcn_operand_const(hd_gcn_target_in(l->p)->gen, HD_GCN_B32, 0);
      return;
   }
   if (from == HD_GCN_SCC && !vector) {
      inst = emit(l, at, HD_GCN_S_CSELECT_B32);
      *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, 1);
      *hd_mach_src(inst, 0) = hd_gcn_operand_const(hd_gcn_target_in(l->p)->gen, HD_GCN_B32, 1);
      *hd_mach_src(inst, 1) = hd_gcn_operand_const(hd_gcn_target_in(l->p)->gen, HD_GCN_B32, 0);
      return;
   }
   inst = emit(l, at, vector ? HD_GCN_V_MOV_B32 : size == 2 ? HD_GCN_S_MOV_B64 : HD_GCN_S_MOV_B32);
   *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, size);
   *hd_mach_src(inst, 0) = hd_mach_operand_reg(from, size);
}

static void
emit_xor(lowering *l, place at, unsigned to, unsigned other)
{
   hd_mach_inst *inst = emit(l, at, to >= HD_GCN_VGPR0 ? HD_GCN_V_XOR_B32 : HD_GCN_S_XOR_B32);

   *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, 1);
   *hd_mach_src(inst, 0) = hd_mach_operand_reg(to, 1);
   *hd_mach_src(inst, 1) = hd_mach_operand_reg(other, 1);
}

static void
emit_swap(lowering *l, place at, unsigned a, unsigned b)
{
   if (a >= HD_GCN_VGPR0 &&
       hd_gcn_op_infos[HD_GCN_V_SWAP_B32].opcode[hd_gcn_target_in(l->p)->gen] >= 0) {
      hd_mach_inst *inst = emit(l, at, HD_GCN_V_SWAP_B32);
      for (unsigned n = 0; n < 2; n++) {
         *hd_mach_def(inst, n) = hd_mach_operand_reg(n ? b : a, 1);
         *hd_mach_src(inst, n) = hd_mach_operand_reg(n ? b : a, 1);
      }
      return;
   }
   emit_xor(l, at, a, b);
   emit_xor(l, at, b, a);
   emit_xor(l, at, a, b);
}

/* Whether step `n` and a later one are the halves of a move of two registers; if so, where the
 * later one is. Between them nothing may write what it reads, or touch what it writes.
 */
static uint32_t
other_half(const hd_copy_step *steps, uint32_t num, uint32_t n)
{
   const uint32_t to = steps[n].to & ~1u, from = steps[n].from & ~1u;

   if (steps[n].swap || to >= HD_GCN_VGPR0 || from >= HD_GCN_SCC ||
       (steps[n].to & 1) != (steps[n].from & 1))
      return num;
   const uint32_t other_to = steps[n].to ^ 1, other_from = steps[n].from ^ 1;
   for (uint32_t m = n + 1; m < num && m < n + 8; m++) {
      if (!steps[m].swap && steps[m].to == other_to && steps[m].from == other_from)
         return steps[n].to == other_from ? num : m;
      if (steps[m].to == other_from || steps[m].to == other_to || steps[m].from == other_to ||
          (steps[m].swap && steps[m].from == other_from))
         return num;
   }
   return num;
}

static bool
emit_steps(void *user, place at, hd_copy_step *steps, uint32_t num)
{
   lowering *l = user;

   for (uint32_t n = 0; n < num; n++) {
      const hd_copy_step *step = &steps[n];
      if (step->swap && step->to < HD_GCN_VGPR0 &&
          (l->scc_is_live || step->to == HD_GCN_SCC || step->from == HD_GCN_SCC))
         return hd_mach_refuse(
             l->p, NULL, "expected a free scalar register for the swap of two others, found none");
   }
   for (uint32_t n = 0; n < num; n++) {
      const hd_copy_step step = steps[n];
      if (step.to == step.from)
         continue;
      if (step.swap) {
         emit_swap(l, at, step.to, step.from);
         continue;
      }
      const uint32_t other = other_half(steps, num, n);
      if (other < num) {
         emit_move(l, at, step.to & ~1u, step.from & ~1u, 2);
         steps[other].to = steps[other].from; /* done */
      } else {
         emit_move(l, at, step.to, step.from, 1);
      }
   }
   return true;
}

static void
emit_constant(void *user, place at, unsigned to, unsigned size, hd_mach_operand constant)
{
   lowering *l = user;
   const hd_gcn_gen gen = hd_gcn_target_in(l->p)->gen;
   uint64_t value;

   if (to == HD_GCN_SCC) {
      hd_mach_inst *inst = emit(l, at, HD_GCN_S_CMP_LG_U32);
      *hd_mach_src(inst, 0) = constant;
      *hd_mach_src(inst, 1) = hd_gcn_operand_const(gen, HD_GCN_B32, 0);
      return;
   }
   if (to < HD_GCN_VGPR0 && (size == 1 || size == 2)) {
      hd_mach_inst *inst = emit(l, at, size == 2 ? HD_GCN_S_MOV_B64 : HD_GCN_S_MOV_B32);
      *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, size);
      *hd_mach_src(inst, 0) = constant;
      return;
   }
   assert(size <= 2);
   hd_gcn_operand_value(constant, size == 2 ? HD_GCN_B64 : HD_GCN_B32, &value);
   for (unsigned n = 0; n < size; n++) {
      hd_mach_inst *inst = emit(l, at, HD_GCN_V_MOV_B32);
      *hd_mach_def(inst, 0) = hd_mach_operand_reg(to + n, 1);
      *hd_mach_src(inst, 0) = hd_gcn_operand_const(gen, HD_GCN_B32, (uint32_t)(value >> (32 * n)));
   }
}

static const hd_mach_copying copying = {
   .constant = emit_constant,
   .steps = emit_steps,
   .temporary = { [HD_GCN_VGPR] = HD_MACH_NO_REG },
   .spares = true,
};

static void
move_lane(lowering *l, place at, bool stores, hd_mach_operand vector, hd_mach_operand scalar,
          unsigned n)
{
   const hd_mach_operand lane = hd_gcn_operand_const(hd_gcn_target_in(l->p)->gen, HD_GCN_B32, n);
   hd_mach_inst *move = emit(l, at, stores ? HD_GCN_V_WRITELANE_B32 : HD_GCN_V_READLANE_B32);

   *hd_mach_def(move, 0) = stores ? vector : scalar;
   *hd_mach_src(move, 0) = stores ? scalar : vector;
   *hd_mach_src(move, 1) = lane;
   /* The other lanes stay: what is written is read. */
   if (stores && move->num_srcs > 2)
      *hd_mach_src(move, 2) = vector;
}

static void
move_exec(lowering *l, place at, unsigned to, unsigned from)
{
   hd_mach_inst *move = emit(l, at, HD_GCN_S_MOV_B64);

   *hd_mach_def(move, 0) = hd_mach_operand_reg(to, 2);
   *hd_mach_src(move, 0) = hd_mach_operand_reg(from, 2);
}

/* Exec is the lane alone. `scratch` is the resource and the offset. */
static void
move_page(lowering *l, place at, bool stores, const hd_mach_operand *scratch,
          hd_mach_operand scalar, unsigned n)
{
   const hd_gcn_gen gen = hd_gcn_target_in(l->p)->gen;
   const unsigned first = l->first_lane_vgpr + hd_gcn_of(l->p)->num_lane_vgprs;
   const hd_mach_operand way = hd_mach_operand_reg(first, 1);
   hd_mach_operand address = { .reg = HD_MACH_NO_REG };
   const uint32_t bytes = hd_gcn_of(l->p)->page_offset + n / 64 * 4;
   const bool far = bytes >= HD_GCN_NEAR_SCRATCH;

   hd_mach_inst *lane = emit(l, at, HD_GCN_S_BFM_B64);
   *hd_mach_def(lane, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
   *hd_mach_src(lane, 0) = hd_gcn_operand_const(gen, HD_GCN_B32, 1);
   *hd_mach_src(lane, 1) = hd_gcn_operand_const(gen, HD_GCN_B32, n % 64);
   if (stores)
      emit_move(l, at, way.reg, scalar.reg, 1);
   if (far) {
      address = hd_mach_operand_reg(first + 1, 1);
      hd_mach_inst *reach = emit(l, at, HD_GCN_V_MOV_B32);
      *hd_mach_def(reach, 0) = address;
      *hd_mach_src(reach, 0) = hd_gcn_operand_const(gen, HD_GCN_B32, bytes);
   }
   hd_mach_inst *access =
       emit(l, at, stores ? HD_GCN_BUFFER_STORE_DWORD : HD_GCN_BUFFER_LOAD_DWORD);
   unsigned src = 0;
   access->memory = HD_MACH_MEMORY_SCRATCH;
   access->imm = far ? 0 : (int32_t)bytes;
   access->bits |= far ? HD_GCN_OFFEN : 0;
   if (stores)
      *hd_mach_src(access, src++) = way;
   else
      *hd_mach_def(access, 0) = way;
   *hd_mach_src(access, src++) = address;
   for (unsigned k = 0; k < 2; k++)
      *hd_mach_src(access, src++) = hd_mach_operand_reg(scratch[k].reg, scratch[k].size);
   if (!stores)
      move_lane(l, at, false, way, scalar, n % 64);
}

/* Scalars go to lanes of the registers after all others, and on to scratch memory. */
static void
lower_lanes(lowering *l, place at, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);
   const bool stores = inst->op == HD_MACH_P_SPILL, is_paged = inst->num_defs > !stores;
   const unsigned kept = is_paged ? hd_mach_def(inst, !stores)->reg : HD_MACH_NO_REG;

   if (is_paged)
      move_exec(l, at, kept, HD_GCN_EXEC);
   for (unsigned n = 0; n < value->size; n++) {
      const unsigned slot = (unsigned)inst->imm + n;
      const hd_mach_operand vector = hd_mach_operand_reg(l->first_lane_vgpr + slot / 64, 1);
      const hd_mach_operand scalar = hd_mach_operand_reg(value->reg + n, 1);
      if (slot < 64 * hd_gcn_of(l->p)->num_lane_vgprs)
         move_lane(l, at, stores, vector, scalar, slot % 64);
      else
         move_page(l, at, stores, hd_mach_src(inst, stores), scalar,
                   slot - 64 * hd_gcn_of(l->p)->num_lane_vgprs);
   }
   if (is_paged)
      move_exec(l, at, HD_GCN_EXEC, kept);
}

/* far = offset + what `bytes` of each lane take: the resource interleaves dwords of the lanes, but
 * not what soffset adds. Who reads scc after finds it as it was.
 */
static void
add_far(lowering *l, place at, const hd_mach_operand *far, const hd_mach_operand *offset,
        uint32_t bytes, bool scc_is_live)
{
   const hd_mach_operand *keep = far + 1;

   if (scc_is_live)
      emit_move(l, at, keep->reg, HD_GCN_SCC, 1);
   hd_mach_inst *sum = emit(l, at, HD_GCN_S_ADD_U32);
   *hd_mach_def(sum, 0) = hd_mach_operand_reg(far->reg, 1);
   *hd_mach_src(sum, 0) = hd_mach_operand_reg(offset->reg, 1);
   *hd_mach_src(sum, 1) = hd_gcn_operand_const(hd_gcn_target_in(l->p)->gen, HD_GCN_B32, 64 * bytes);
   if (scc_is_live)
      emit_move(l, at, HD_GCN_SCC, keep->reg, 1);
}

/* Vector values go to scratch memory, a dword at a time: the elements of its resource are dwords.
 */
static void
lower_scratch(lowering *l, place at, const hd_mach_inst *inst, bool scc_is_live)
{
   const bool stores = inst->op == HD_MACH_P_SPILL;
   const hd_mach_operand *value = hd_mach_slot_value(inst);
   const hd_mach_operand *resource = hd_mach_src(inst, stores), *offset = resource + 1;
   uint32_t bytes = l->p->spill_offset + 4 * (uint32_t)inst->imm;

   if (inst->num_defs >= 2) {
      const hd_mach_operand *far = hd_mach_def(inst, !stores);
      const uint32_t part = bytes / (HD_GCN_NEAR_SCRATCH / 2) * (HD_GCN_NEAR_SCRATCH / 2);
      add_far(l, at, far, offset, part, scc_is_live);
      offset = far;
      bytes -= part;
   }
   for (unsigned n = 0; n < value->size; n++) {
      hd_mach_inst *access =
          emit(l, at, stores ? HD_GCN_BUFFER_STORE_DWORD : HD_GCN_BUFFER_LOAD_DWORD);
      const hd_mach_operand data = hd_mach_operand_reg(value->reg + n, 1);
      unsigned src = 0;
      access->memory = HD_MACH_MEMORY_SCRATCH;
      access->imm = (int32_t)(bytes + 4 * n);
      if (stores)
         *hd_mach_src(access, src++) = data;
      else
         *hd_mach_def(access, 0) = data;
      *hd_mach_src(access, src++) = (hd_mach_operand){ .reg = HD_MACH_NO_REG }; /* no address */
      *hd_mach_src(access, src++) = hd_mach_operand_reg(resource->reg, resource->size);
      *hd_mach_src(access, src++) = hd_mach_operand_reg(offset->reg, offset->size);
   }
}

/* Lanes of quads that have one that is covered run from here on, those that are not are noted:
 *
 *    s_not_b64 helpers, exec
 *    s_wqm_b64 exec, exec
 */
static void
start_helpers(lowering *l, place at, const hd_mach_inst *start)
{
   const uint32_t helpers = hd_gcn_of(l->p)->abi.temps[HD_GCN_START_HELPERS];

   for (unsigned n = 0; helpers && n < start->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(start, n);
      if (def->value != helpers)
         continue;
      hd_mach_inst *flip = emit(l, at, HD_GCN_S_NOT_B64);
      *hd_mach_def(flip, 0) = hd_mach_operand_reg(def->reg, 2);
      *hd_mach_src(flip, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
      hd_mach_inst *whole = emit(l, at, HD_GCN_S_WQM_B64);
      *hd_mach_def(whole, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
      *hd_mach_src(whole, 0) = hd_mach_operand_reg(HD_GCN_EXEC, 2);
   }
}

static bool
lower_inst(lowering *l, hd_mach_block *block, hd_mach_inst *inst, bool scc_is_live)
{
   const place at = { .block = block, .before = inst };
   const hd_mach_inst *prev = inst->prev;
   const hd_mach_operand *slot = hd_mach_slot_value(inst);

   l->scc_is_live = scc_is_live;
   if (inst->op == HD_MACH_P_START)
      start_helpers(l, at, inst);
   if (hd_gcn_is_combine(inst))
      hd_gcn_lower_combine(l->p, block, inst,
                           l->first_lane_vgpr + hd_gcn_of(l->p)->num_lane_vgprs +
                               hd_gcn_of(l->p)->num_page_vgprs,
                           &l->combined);
   else if (!hd_mach_copies_collect(&l->copies, inst) && !slot)
      return true;
   if (slot) {
      if (slot->reg >= HD_GCN_VGPR0)
         lower_scratch(l, at, inst, scc_is_live);
      else
         lower_lanes(l, at, inst);
   } else if (!hd_mach_copies_put(&l->copies, at, (unsigned)inst->imm)) {
      return false;
   }
   hd_mach_inst *first = prev ? prev->next : block->first;
   for (hd_mach_inst *made = first; slot && made != inst; made = made->next)
      made->loc = inst->loc;
   if (block->tail == inst && first != inst)
      block->tail = first;
   hd_mach_inst_remove(block, inst);
   return true;
}

static bool
names_scc(const hd_mach_operand *operands, unsigned num)
{
   for (unsigned n = 0; n < num; n++) {
      if (operands[n].reg == HD_GCN_SCC)
         return true;
   }
   return false;
}

static bool
lower_block(lowering *l, hd_mach_block *block)
{
   bool scc_is_live = false;

   l->combined = NULL;
   for (hd_mach_inst *inst = block->last, *prev; inst; inst = prev) {
      const bool writes = names_scc(inst->operands, inst->num_defs);
      const bool reads = names_scc(inst->operands + inst->num_defs, inst->num_srcs);
      prev = inst->prev;
      if (inst->op == HD_MACH_P_PHI)
         continue;
      if (!lower_inst(l, block, inst, scc_is_live && !writes))
         return false;
      scc_is_live = reads || (scc_is_live && !writes);
   }
   return true;
}

static void
use(hd_mach_program *p, const hd_mach_operand *operand)
{
   const uint32_t end = (uint32_t)operand->reg + operand->size;

   if (operand->reg >= HD_GCN_VGPR0 && operand->reg < HD_MACH_MAX_REGS) {
      if (end - HD_GCN_VGPR0 > p->used[HD_GCN_VGPR])
         p->used[HD_GCN_VGPR] = end - HD_GCN_VGPR0;
   } else if (end <= hd_gcn_target_in(p)->max_sgprs) {
      if (end > p->used[HD_GCN_SGPR])
         p->used[HD_GCN_SGPR] = end;
   }
}

static void
find_used(hd_mach_program *p)
{
   p->used[HD_GCN_SGPR] = p->used[HD_GCN_VGPR] = 0;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++)
            use(p, &inst->operands[n]);
      }
   }
}

/* From here on operands are registers. */
static void
forget_values(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            hd_mach_operand *operand = &inst->operands[n];
            if (hd_mach_is_temp(operand))
               operand->value = 0;
            operand->flags &= (uint8_t) ~(HD_MACH_OPERAND_TEMP | HD_MACH_OPERAND_KILL);
         }
      }
   }
}

bool
hd_gcn_lower_pseudo(hd_mach_program *p)
{
   lowering l = { .p = p };

   find_used(p);
   l.first_lane_vgpr = HD_GCN_VGPR0 + p->used[HD_GCN_VGPR];
   hd_mach_copies_init(&l.copies, p, &copying, &l);
   hd_mach_foreach_block(block, p)
   {
      if (!lower_block(&l, block))
         return false;
   }
   l.scc_is_live = false;
   if (!hd_mach_copies_phis(&l.copies, HD_MACH_LOGICAL) ||
       !hd_mach_copies_phis(&l.copies, HD_MACH_LINEAR))
      return false;
   hd_mach_remove_phis(p);
   forget_values(p);
   find_used(p);
   return true;
}
