/* SPDX-License-Identifier: MIT */
/* spilling.c - spill and reload on GCN: the hooks of hd_mach_spilling.
 *
 * Scalars are spilled to lanes of vector registers. There may be more than those can hold.
 *
 * The rest goes to pages of scratch memory: a page is a dword of each lane, so it holds as many
 * scalars as a vector register does, and its lanes are numbered on from those of the registers.
 * Scratch memory of a lane is there whether the lane runs or not; a scalar goes there and comes
 * back through a vector register in which only that lane counts:
 *
 *    p_spill s4, page 2 lane 5    =>     s_mov_b64 s[8:9], exec
 *                                        s_bfm_b64 exec, 1, 5
 *                                        v_mov_b32 v12, s4
 *                                        buffer_store_dword v12, off, s[0:3], s6 offset:8
 *                                        s_mov_b64 exec, s[8:9]
 *
 * Nothing of it writes scc.
 */
#include "backend/gcn/program.h"

#include "backend/gcn/abi/abi.h"

/* The way of a scalar, and an offset that does not fit into an instruction. */
#define PAGE_VGPRS 2

static bool
is_paged(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);

   return value && p->temps[value->value].file == HD_GCN_SGPR &&
          (uint32_t)inst->imm + value->size > 64 * hd_gcn_of(p)->num_lane_vgprs;
}

/* It also reads what scratch memory is found by, and writes where exec is kept. */
static void
give_operands(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst,
              const hd_mach_operand resource[2])
{
   const unsigned num_defs = inst->num_defs, num_srcs = inst->num_srcs;
   const uint32_t kept = hd_mach_temp_create(p, HD_GCN_SGPR, 2, 0);
   hd_mach_inst *paged = hd_gcn_inst_create(p, (hd_gcn_op)inst->op, num_defs + 1, num_srcs + 2);

   paged->imm = inst->imm;
   paged->loc = inst->loc;
   for (unsigned n = 0; n < num_defs; n++)
      *hd_mach_def(paged, n) = *hd_mach_def(inst, n);
   *hd_mach_def(paged, num_defs) = hd_mach_operand_temp(p, kept);
   p->temps[kept].def = paged;
   for (unsigned n = 0; n < num_srcs; n++)
      *hd_mach_src(paged, n) = *hd_mach_src(inst, n);
   for (unsigned n = 0; n < 2; n++)
      *hd_mach_src(paged, num_srcs + n) = resource[n];
   hd_mach_inst_insert_before(block, paged, inst);
   if (block->tail == inst)
      block->tail = paged;
   hd_mach_inst_remove(block, inst);
}

static uint32_t
most_for_scalars(uint32_t vgprs)
{
   return vgprs / 4 > PAGE_VGPRS ? vgprs / 4 : PAGE_VGPRS;
}

static uint32_t
place_scalars(hd_mach_program *p, uint32_t lanes, uint32_t vgprs, bool scratch)
{
   const uint32_t registers = (lanes + 63) / 64, most = most_for_scalars(vgprs);
   hd_gcn_program *gcn = hd_gcn_of(p);

   gcn->num_lane_vgprs = registers <= most ? registers : most - PAGE_VGPRS;
   gcn->num_pages = registers - gcn->num_lane_vgprs;
   gcn->num_page_vgprs = gcn->num_pages ? PAGE_VGPRS : 0;
   if (scratch)
      p->scratch_size += gcn->options->extra_scratch;
   return gcn->num_lane_vgprs + gcn->num_page_vgprs;
}

static bool
address(hd_mach_program *p, hd_mach_operand *operands)
{
   return hd_gcn_abi_scratch(p, &operands[0], &operands[1]);
}

/* An offset of more than 12 bits goes into a scalar register: one for the sum, one for scc, which
 * the sum would overwrite.
 */
static void
reach_far(hd_mach_program *p, hd_mach_block *block, hd_mach_inst *inst)
{
   const hd_mach_operand *value = hd_mach_slot_value(inst);

   if (!value || p->temps[value->value].file != HD_GCN_VGPR ||
       p->spill_offset + 4 * ((uint32_t)inst->imm + value->size) <= HD_GCN_NEAR_SCRATCH)
      return;
   hd_mach_inst *far = hd_mach_inst_create(p, inst->op, inst->num_defs + 2u, inst->num_srcs);
   far->imm = inst->imm;
   far->loc = inst->loc;
   for (unsigned n = 0; n < inst->num_defs; n++)
      *hd_mach_def(far, n) = *hd_mach_def(inst, n);
   for (unsigned n = 0; n < inst->num_srcs; n++)
      *hd_mach_src(far, n) = *hd_mach_src(inst, n);
   for (unsigned n = inst->num_defs; n < far->num_defs; n++) {
      const uint32_t temp = hd_mach_temp_create(p, HD_GCN_SGPR, 1, 0);
      p->temps[temp].def = far;
      *hd_mach_def(far, n) = hd_mach_operand_temp(p, temp);
   }
   hd_mach_inst_insert_before(block, far, inst);
   hd_mach_inst_remove(block, inst);
}

static void
place_vectors(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst_safe(inst, following, block) reach_far(p, block, inst);
   }
}

static bool
finish(hd_mach_program *p)
{
   hd_mach_operand resource[2];

   if (!hd_gcn_of(p)->num_pages)
      return true;
   if (!hd_gcn_abi_scratch(p, &resource[0], &resource[1]))
      return hd_mach_refuse(
          p, NULL, "register pressure is too high, and there is no scratch memory to spill to");
   hd_gcn_of(p)->page_offset = (p->scratch_size + 3) / 4 * 4;
   p->scratch_size = hd_gcn_of(p)->page_offset + 4 * hd_gcn_of(p)->num_pages;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst_safe(inst, following, block)
      {
         if (is_paged(p, inst))
            give_operands(p, block, inst, resource);
      }
   }
   return true;
}

const hd_mach_spilling hd_gcn_spilling = {
   /* For tuples to be aligned, and for a copy that needs one register more. */
   .slack = 4,
   /* The resource, the offset, and two to reach far places. */
   .scratch_slack = 7,
   .address_operands = 2,
   .most_for_scalars = most_for_scalars,
   .place_scalars = place_scalars,
   .address = address,
   .place_vectors = place_vectors,
   .finish = finish,
};
