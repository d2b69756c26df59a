/* SPDX-License-Identifier: MIT */
/* exec_flat.c - FLAT, GLOBAL and SCRATCH: addresses of 64 bits, and those of a lane's own memory.
 *
 * A FLAT address whose upper half is that of an aperture is in LDS, or in scratch.
 */
#include "backend/gcn/sim/exec_memory.h"

#include <inttypes.h>

/* The scratch of 64 lanes lies dword by dword side by side. */
bool
hd_gcn_move_scratch(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, uint8_t *value,
                    uint8_t *undef, bool store)
{
   while (size) {
      const unsigned within = address & 3, left = 4 - within;
      const unsigned piece = size < left ? size : left;
      const uint64_t place =
          wave->scratch_base + (address / 4 * LANES + (unsigned)lane) * 4 + within;
      if (!(store ? hd_gcn_memory_store(wave, lane, place, piece, value, undef)
                  : hd_gcn_memory_load(wave, lane, place, piece, value, undef)))
         return false;
      address += piece;
      value += piece;
      undef += piece;
      size -= piece;
   }
   return true;
}

/* flat_scratch says where the scratch is: on gfx9 its address; on gfx8 bytes of a lane, and the
 * distance from a base that only the chip knows.
 */
static bool
check_flat_scratch(hd_gcn_wave *wave)
{
   const hd_gcn_scalar base = hd_gcn_read_pair(wave, HD_GCN_FLAT_SCRATCH);

   if (!hd_mach_need(wave, base, "scratch through flat_scratch"))
      return false;
   const uint64_t address = hd_gcn_wave_gen(wave) == HD_GCN_GFX900
                                ? base.value
                                : wave->hidden_private_base + (base.value >> 32) * 256;
   if (address != wave->scratch_base)
      return hd_gcn_fault(
          wave, -1, "flat_scratch leads to 0x%" PRIx64 ", the wave's scratch is at 0x%" PRIx64,
          address, wave->scratch_base);
   return true;
}

/* Operands by format. */
typedef struct flat {
   const hd_gcn_access *access;
   hd_gcn_format format;
   int64_t offset;
   uint64_t scalar; /* a scalar part of the address */
   bool has_scalar;
   unsigned vaddr, dwords; /* dwords 0: there is none */
   int dst, src;
} flat;

static bool
read_scalar_part(hd_gcn_wave *wave, hd_mach_operand operand, flat *f)
{
   hd_gcn_scalar s;

   if (operand.size == 0)
      return true;
   if (!hd_gcn_read_scalar(wave, operand, operand.size == 2 ? HD_GCN_B64 : HD_GCN_B32, &s) ||
       !hd_mach_need(wave, s, "an address"))
      return false;
   f->has_scalar = true;
   f->scalar = s.value;
   return true;
}

static bool
read_operands(hd_gcn_wave *wave, const hd_mach_inst *inst, flat *f)
{
   const bool loads = f->access->kind == HD_GCN_ACCESS_LOAD;
   const bool returns =
       loads || (f->access->kind == HD_GCN_ACCESS_ATOMIC && inst->bits & HD_GCN_GLC);
   const hd_mach_operand vaddr = *hd_mach_src(inst, 0);
   const unsigned saddr = loads ? 1 : 2;

   f->vaddr = vaddr.size ? hd_gcn_vgpr_of(vaddr) : 0;
   f->dwords = vaddr.size;
   f->dst = returns ? (int)hd_gcn_vgpr_of(*hd_mach_def(inst, 0)) : -1;
   f->src = loads ? -1 : (int)hd_gcn_vgpr_of(*hd_mach_src(inst, 1));
   if (f->format == HD_GCN_FLAT)
      return true;
   if (!read_scalar_part(wave, *hd_mach_src(inst, saddr), f))
      return false;
   /* Beside a scalar address the vector one is an offset of 32 bits. */
   if (f->has_scalar && f->dwords == 2)
      f->dwords = 1;
   return true;
}

static bool
flat_lane(hd_gcn_wave *wave, const flat *f, unsigned lane)
{
   uint64_t address = 0;

   if (f->dwords && !hd_gcn_lane_address(wave, f->vaddr, f->dwords, lane, &address))
      return false;
   address += f->scalar + (uint64_t)f->offset;
   if (f->format == HD_GCN_GLOBAL)
      return hd_gcn_access_lane(wave, f->access, hd_gcn_move_memory, lane, address, f->dst, f->src);
   if (f->format == HD_GCN_SCRATCH)
      return hd_gcn_access_lane(wave, f->access, hd_gcn_move_scratch, lane, address, f->dst,
                                f->src);
   if (address >> 32 == wave->lds_aperture)
      return hd_gcn_access_lane(wave, f->access, hd_gcn_move_lds, lane, (uint32_t)address, f->dst,
                                f->src);
   if (address >> 32 == wave->private_aperture)
      return check_flat_scratch(wave) &&
             hd_gcn_access_lane(wave, f->access, hd_gcn_move_scratch, lane, (uint32_t)address,
                                f->dst, f->src);
   return hd_gcn_access_lane(wave, f->access, hd_gcn_move_memory, lane, address, f->dst, f->src);
}

bool
hd_gcn_execute_flat(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   flat f = {
      .access = &hd_gcn_accesses[inst->op],
      .format = (hd_gcn_format)hd_gcn_op_info_of(inst)->format,
      .offset = inst->imm,
   };

   if (inst->bits & HD_GCN_LDS)
      return hd_gcn_fault(wave, -1, "the simulator has no flat access with lds");
   if (!read_operands(wave, inst, &f))
      return false;
   if (f.format == HD_GCN_SCRATCH && !check_flat_scratch(wave))
      return false;
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      if (!flat_lane(wave, &f, (unsigned)l))
         return false;
   }
   return true;
}
