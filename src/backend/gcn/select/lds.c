/* SPDX-License-Identifier: MIT */
/* lds.c - instruction selection of loads and stores of LDS (shared memory).
 *
 *    ds_read_b128, b96       addresses that are multiples of 16, not on gfx6
 *    ds_read2_b64, read2_b32 two adjacent elements: multiples of 8, of 4
 *
 * Immediate offsets have 16 bits, unsigned; those of read2 and write2 have 8 bits, in elements. Before
 * gfx9, m0 is the limit of LDS addresses: it is set once, at the start.
 */
#include "backend/gcn/select/smem.h"

#define MAX_OFFSET      65535
#define BYTES_OF_ACCESS 128

static const hd_mach_access_size sizes[] = { { 16, 8 }, { 12, 16 }, { 8, 4 },
                                             { 4, 4 },  { 2, 2 },   { 1, 1 } };
static const hd_mach_access_size sizes_gfx6[] = {
   { 16, 8 }, { 8, 4 }, { 4, 4 }, { 2, 2 }, { 1, 1 }
};

/* How a piece is moved; two: an instruction with two offsets. */
typedef struct mover {
   uint16_t load, store;
   uint8_t unit; /* bytes that the offset counts in */
   bool two;
} mover;

static mover
mover_of(const hd_gcn_selector *s, unsigned bytes, uint32_t align)
{
   switch (bytes) {
   case 16:
      if (align >= 16 && hd_gcn_target_in(s->p)->gen != HD_GCN_GFX600)
         return (mover){ HD_GCN_DS_READ_B128, HD_GCN_DS_WRITE_B128, 1, false };
      return (mover){ HD_GCN_DS_READ2_B64, HD_GCN_DS_WRITE2_B64, 8, true };
   case 12:
      return (mover){ HD_GCN_DS_READ_B96, HD_GCN_DS_WRITE_B96, 1, false };
   case 8:
      if (align >= 8)
         return (mover){ HD_GCN_DS_READ_B64, HD_GCN_DS_WRITE_B64, 1, false };
      return (mover){ HD_GCN_DS_READ2_B32, HD_GCN_DS_WRITE2_B32, 4, true };
   case 4:
      return (mover){ HD_GCN_DS_READ_B32, HD_GCN_DS_WRITE_B32, 1, false };
   case 2:
      return (mover){ HD_GCN_DS_READ_U16, HD_GCN_DS_WRITE_B16, 1, false };
   default:
      return (mover){ HD_GCN_DS_READ_U8, HD_GCN_DS_WRITE_B8, 1, false };
   }
}

void
hd_gcn_set_m0(hd_gcn_selector *s)
{
   hd_mach_program *p = s->p;

   if (s->memory->m0_is_set || !hd_gcn_target_in(p)->lds_needs_m0)
      return;
   s->memory->m0_is_set = true;
   hd_mach_inst *set = hd_gcn_inst_create(p, HD_GCN_S_MOV_B32, 1, 1);
   *hd_mach_def(set, 0) = hd_mach_operand_reg(HD_GCN_M0, 1);
   *hd_mach_src(set, 0) = hd_gcn_imm(s, UINT32_MAX);
   hd_mach_inst_insert_before(p->first, set, hd_gcn_of(p)->abi.start->next);
}

hd_mach_operand
hd_gcn_shared_address(hd_gcn_selector *s, const hd_mach_ir_access *a, uint32_t *offset)
{
   const hd_const *c = hd_src_as_const(a->address);
   const int64_t most = MAX_OFFSET - BYTES_OF_ACCESS;

   if (c) {
      const int64_t address = (int64_t)c->value[0].u32 + a->offset;
      const bool fits = address >= 0 && address <= most;
      *offset = fits ? (uint32_t)address : 0;
      return hd_gcn_constant_in(s, HD_GCN_VGPR, fits ? 0 : (uint32_t)address);
   }
   const hd_mach_operand address = hd_gcn_in_vgprs(s, a->address->def);
   if (a->offset >= 0 && a->offset <= most) {
      *offset = (uint32_t)a->offset;
      return address;
   }
   *offset = 0;
   return hd_gcn_add(s, address, hd_gcn_imm(s, (uint32_t)a->offset));
}

/* The offset as the instruction has it; where it cannot, it is added to the address. */
static int32_t
imm_of(hd_gcn_selector *s, const mover *m, uint32_t offset, hd_mach_operand *address)
{
   const uint32_t first = offset / m->unit;

   if (!m->two)
      return (int32_t)offset;
   if (offset % m->unit == 0 && first < 255)
      return (int32_t)(first | (first + 1) << 8);
   *address = hd_gcn_add(s, *address, hd_gcn_imm(s, offset));
   return 0 | 1 << 8;
}

bool
hd_gcn_select_shared(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   hd_mach_access_piece pieces[HD_MACH_MAX_PIECES];
   hd_mach_operand loaded[HD_MACH_MAX_PIECES];
   uint32_t offset;

   hd_gcn_set_m0(s);
   const hd_mach_operand base = hd_gcn_shared_address(s, a, &offset);
   const unsigned num = hd_mach_cut(
       a, hd_gcn_target_in(s->p)->gen == HD_GCN_GFX600 ? sizes_gfx6 : sizes, true, pieces);
   for (unsigned n = 0; n < num; n++) {
      const unsigned bytes = pieces[n].bytes;
      const mover m = mover_of(s, bytes, hd_mach_align_at(a, pieces[n].at));
      hd_mach_operand srcs[3] = { base };
      const int32_t imm = imm_of(s, &m, offset + pieces[n].at, &srcs[0]);
      hd_mach_inst *inst;
      if (a->value) {
         const hd_mach_operand data = hd_gcn_piece_to_store(s, a, pieces[n]);
         if (m.two)
            hd_gcn_parts(s, data, bytes / 8u, &srcs[1]);
         else
            srcs[1] = data;
         inst = hd_gcn_emit(s, (hd_gcn_op)m.store, (hd_mach_operand){ 0 }, m.two ? 3 : 2, srcs);
      } else {
         loaded[n] = hd_gcn_new(s, HD_GCN_VGPR, (bytes + 3) / 4);
         inst = hd_gcn_emit1(s, (hd_gcn_op)m.load, loaded[n], srcs[0]);
      }
      inst->imm = imm;
      inst->memory = HD_MACH_MEMORY_SHARED;
      if (a->access & HD_ACCESS_VOLATILE)
         inst->memory |= HD_MACH_MEMORY_VOLATILE;
   }
   if (!a->value)
      hd_gcn_set_loaded(s, a, num, pieces, loaded);
   return true;
}
