/* SPDX-License-Identifier: MIT */
/* spill_pages.c - more spilled scalars than lanes of vector registers can hold.
 *
 * The rest goes to pages of scratch memory: a page is a dword of each lane, so it holds as many
 * scalars as a vector register does, and its lanes are numbered on from those of the registers.
 * Scratch memory of a lane is there whether the lane runs or not; a scalar goes there and comes
 * back by way of a vector register in which only that lane counts:
 *
 *    p_spill s4, page 2 lane 5    =>     s_mov_b64 s[8:9], exec
 *                                        s_bfm_b64 exec, 1, 5
 *                                        v_mov_b32 v12, s4
 *                                        buffer_store_dword v12, off, s[0:3], s6 offset:8
 *                                        s_mov_b64 exec, s[8:9]
 *
 * Nothing of it writes scc.
 */
#include "machine/spill.h"

#include "backend/gcn/abi/abi.h"

/* The way of a scalar, and an offset that does not fit into an instruction. */
#define PAGE_VGPRS 2

static bool
is_paged(const hd_gcn_program *p, const hd_gcn_inst *inst)
{
   const hd_gcn_operand *value = hd_gcn_slot_value(inst);

   return value && p->temps[value->value].file == HD_GCN_SGPR &&
          (uint32_t)inst->imm + value->size > 64 * p->num_lane_vgprs;
}

/* It also reads what scratch memory is found by, and writes where exec is kept. */
static void
give_operands(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_inst *inst,
              const hd_gcn_operand resource[2])
{
   const unsigned num_defs = inst->num_defs, num_srcs = inst->num_srcs;
   const uint32_t kept = hd_gcn_temp_create(p, HD_GCN_SGPR, 2, 0);
   hd_gcn_inst *paged = hd_gcn_inst_create(p, (hd_gcn_op)inst->op, num_defs + 1, num_srcs + 2);

   paged->imm = inst->imm;
   paged->loc = inst->loc;
   for (unsigned n = 0; n < num_defs; n++)
      *hd_gcn_def(paged, n) = *hd_gcn_def(inst, n);
   *hd_gcn_def(paged, num_defs) = hd_gcn_operand_temp(p, kept);
   p->temps[kept].def = paged;
   for (unsigned n = 0; n < num_srcs; n++)
      *hd_gcn_src(paged, n) = *hd_gcn_src(inst, n);
   for (unsigned n = 0; n < 2; n++)
      *hd_gcn_src(paged, num_srcs + n) = resource[n];
   hd_gcn_inst_insert_before(block, paged, inst);
   if (block->tail == inst)
      block->tail = paged;
   hd_gcn_inst_remove(block, inst);
}

uint32_t
hd_gcn_most_lane_vgprs(uint32_t vgprs)
{
   return vgprs / 4 > PAGE_VGPRS ? vgprs / 4 : PAGE_VGPRS;
}

void
hd_gcn_spill_to_lanes(hd_gcn_program *p, uint32_t lanes, uint32_t vgprs)
{
   const uint32_t registers = (lanes + 63) / 64, most = hd_gcn_most_lane_vgprs(vgprs);

   p->num_lane_vgprs = registers <= most ? registers : most - PAGE_VGPRS;
   p->num_pages = registers - p->num_lane_vgprs;
   p->num_page_vgprs = p->num_pages ? PAGE_VGPRS : 0;
}

bool
hd_gcn_spill_pages(hd_gcn_program *p)
{
   hd_gcn_operand resource[2];

   if (!p->num_pages)
      return true;
   if (!hd_gcn_abi_scratch(p, &resource[0], &resource[1]))
      return hd_gcn_refuse(p, NULL, "registers do not suffice, and there is no scratch memory");
   p->page_offset = (p->scratch_size + 3) / 4 * 4;
   p->scratch_size = p->page_offset + 4 * p->num_pages;
   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_foreach_inst_safe(inst, following, block)
      {
         if (is_paged(p, inst))
            give_operands(p, block, inst, resource);
      }
   }
   return true;
}
