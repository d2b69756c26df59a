/* SPDX-License-Identifier: MIT */
/* exec_ds.c - LDS: loads, stores, atomics; and its crossbar, which moves values between lanes. */
#include "backend/gcn/sim/exec_memory.h"

#include "backend/gcn/sim/lane_bits.h"

#include <inttypes.h>
#include <string.h>

bool
hd_gcn_move_lds(hd_gcn_wave *wave, int lane, uint64_t address, unsigned size, uint8_t *value,
                uint8_t *undef, bool store)
{
   /* gfx6 adds the offset in more than 32 bits: a base below zero is outside there. */
   if (hd_gcn_wave_gen(wave) != HD_GCN_GFX600)
      address = (uint32_t)address;
   if (address >= wave->lds_size || size > wave->lds_size - address)
      return hd_gcn_fault(wave, lane, "%u bytes at 0x%" PRIx64 " of LDS, which has %" PRIu32, size,
                          address, wave->lds_size);
   if (store) {
      memcpy(wave->lds + address, value, size);
      memcpy(wave->lds_undef + address, undef, size);
   } else {
      memcpy(value, wave->lds + address, size);
      memcpy(undef, wave->lds_undef + address, size);
   }
   return true;
}

/* Before gfx9 m0 has the size of what may be touched. */
static bool
check_bound(hd_gcn_wave *wave, unsigned lane, uint64_t address, unsigned size)
{
   if (hd_gcn_wave_gen(wave) == HD_GCN_GFX900)
      return true;
   if (wave->sgpr_undef[HD_GCN_M0])
      return hd_gcn_fault(wave, -1, "LDS access with undefined m0 (its bound)");
   if (address + size > wave->sgpr[HD_GCN_M0])
      return hd_gcn_fault(wave, (int)lane,
                          "%u bytes at 0x%" PRIx64 " of LDS, where m0 allows 0x%" PRIx32, size,
                          address, wave->sgpr[HD_GCN_M0]);
   return true;
}

/* gfx9 is set up to take addresses that are not aligned. Before, 8 bytes are at a multiple of 8 and
 * 12 or 16 at one of 16.
 */
static unsigned
alignment(hd_gcn_gen gen, const hd_gcn_access *access)
{
   if (access->kind == HD_GCN_ACCESS_ATOMIC)
      return access->bytes;
   if (gen == HD_GCN_GFX900)
      return 1;
   return access->bytes == 12 ? 16 : access->bytes;
}

/* Registers of an access; -1: none. */
typedef struct registers {
   int dst, addr, data[2];
} registers;

static registers
registers_of(const hd_mach_inst *inst, const hd_gcn_access *access)
{
   registers r = { -1, -1, { -1, -1 } };

   if (inst->num_defs)
      r.dst = (int)hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   r.addr = (int)hd_gcn_vgpr_of(*hd_mach_src(inst, 0));
   for (unsigned n = 0; n < 2 && access->kind != HD_GCN_ACCESS_LOAD; n++) {
      if (n + 1u < inst->num_srcs && hd_gcn_is_vgpr(*hd_mach_src(inst, n + 1)))
         r.data[n] = (int)hd_gcn_vgpr_of(*hd_mach_src(inst, n + 1));
   }
   return r;
}

static bool
access_two_operands(hd_gcn_wave *wave, const hd_gcn_access *access, unsigned lane, uint64_t address,
                    const registers *r)
{
   const unsigned dwords = access->bytes / 4;
   hd_gcn_data old = { { 0 }, { 0 } }, first = { { 0 }, { 0 } }, second = { { 0 }, { 0 } };
   hd_gcn_data new = { { 0 }, { 0 } };

   if (!hd_gcn_move_data(wave, hd_gcn_move_lds, (int)lane, address, access->bytes, old.value,
                         old.undef, false))
      return false;
   hd_gcn_data_from_lane(wave, (unsigned)r->data[0], dwords, lane, &first);
   hd_gcn_data_from_lane(wave, (unsigned)r->data[1], dwords, lane, &second);
   /* Here what is compared comes first. */
   const bool swaps = access->atomic->compares;
   hd_gcn_atomic_apply(wave, access, &old, swaps ? &second : &first, swaps ? &first : &second,
                       &new);
   if (!hd_gcn_move_data(wave, hd_gcn_move_lds, (int)lane, address, access->bytes, new.value,
                         new.undef, true))
      return false;
   if (r->dst >= 0)
      hd_gcn_data_to_lane(wave, (unsigned)r->dst, dwords, lane, &old);
   return true;
}

/* Element n of those that a lane touches. */
static bool
access_element(hd_gcn_wave *wave, const hd_gcn_access *access, unsigned lane, uint64_t address,
               const registers *r, unsigned n)
{
   const unsigned dwords = access->bytes < 4 ? 1 : access->bytes / 4u;
   const unsigned align = alignment(hd_gcn_wave_gen(wave), access);

   if (!hd_gcn_check_alignment(wave, (int)lane, address, align) ||
       !check_bound(wave, lane, address, access->bytes))
      return false;
   if (access->kind == HD_GCN_ACCESS_ATOMIC && !access->two && r->data[1] >= 0)
      return access_two_operands(wave, access, lane, address, r);
   return hd_gcn_access_lane(wave, access, hd_gcn_move_lds, lane, address,
                             r->dst < 0 ? -1 : r->dst + (int)(n * dwords), r->data[n]);
}

static bool
access_lds(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const registers r = registers_of(inst, access);
   hd_gcn_access simple = *access;

   hd_gcn_foreach_lane(lane, hd_gcn_exec(wave))
   {
      const unsigned l = (unsigned)lane;
      uint64_t base;
      if (!hd_gcn_lane_address(wave, (unsigned)r.addr, 1, l, &base))
         return false;
      if (!access->two) {
         if (!access_element(wave, access, l, base + (uint16_t)inst->imm, &r, 0))
            return false;
         continue;
      }
      /* The destination of the first may be the address of the second. */
      const uint64_t step = (uint64_t)access->bytes * access->two;
      const unsigned offset0 = inst->imm & 255, offset1 = (unsigned)inst->imm >> 8 & 255;
      simple.two = access->two;
      if (!access_element(wave, &simple, l, base + offset0 * step, &r, 0) ||
          !access_element(wave, &simple, l, base + offset1 * step, &r, 1))
         return false;
   }
   return true;
}

/* Both operands are in LDS: the second one so many dwords further as the offset says, with 15 bits
 * and a sign; or, where its highest bit is set, as the upper half of the address does.
 */
static bool
access_relative(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const unsigned reg = hd_gcn_vgpr_of(*hd_mach_src(inst, 0)), bytes = access->bytes;
   const uint32_t imm = (uint16_t)inst->imm;

   hd_gcn_foreach_lane(lane, hd_gcn_exec(wave))
   {
      const unsigned l = (unsigned)lane;
      hd_gcn_data first = { { 0 }, { 0 } }, second = { { 0 }, { 0 } }, new = { { 0 }, { 0 } };
      uint64_t address;
      if (!hd_gcn_lane_address(wave, reg, 1, l, &address))
         return false;
      int64_t distance = sign_extend(15, imm);
      if (imm & 0x8000) {
         distance = sign_extend(15, address >> 17);
         address &= 0x1ffff;
      }
      const uint64_t other = address + (uint64_t)(4 * distance);
      if (!hd_gcn_check_alignment(wave, (int)l, address, bytes) ||
          !hd_gcn_check_alignment(wave, (int)l, other, bytes) ||
          !check_bound(wave, l, address, bytes) || !check_bound(wave, l, other, bytes) ||
          !hd_gcn_move_data(wave, hd_gcn_move_lds, (int)l, address, bytes, first.value, first.undef,
                            false) ||
          !hd_gcn_move_data(wave, hd_gcn_move_lds, (int)l, other, bytes, second.value, second.undef,
                            false))
         return false;
      hd_gcn_atomic_apply(wave, access, &first, &second, &second, &new);
      if (!hd_gcn_move_data(wave, hd_gcn_move_lds, (int)l, address, bytes, new.value, new.undef,
                            true))
         return false;
   }
   return true;
}

/* What m0 and the offset say together. */
static bool
address_by_m0(hd_gcn_wave *wave, const hd_mach_inst *inst, uint64_t *address)
{
   const hd_gcn_scalar m0 = { wave->sgpr[HD_GCN_M0] & 0xffff,
                              wave->sgpr_undef[HD_GCN_M0] & 0xffff };

   *address = m0.value + (uint16_t)inst->imm;
   return hd_mach_need(wave, m0, "an address in m0");
}

/* One sum for the wave: how many lanes run. All of them get what was there before. */
static bool
count_lanes(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const unsigned dst = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   const uint64_t exec = hd_gcn_exec(wave);
   hd_gcn_data old = { { 0 }, { 0 } }, new = { { 0 }, { 0 } };
   const hd_gcn_data lanes = { { (uint32_t)__builtin_popcountll(exec) }, { 0 } };
   uint64_t address;

   if (!exec)
      return true;
   if (!address_by_m0(wave, inst, &address) || !hd_gcn_check_alignment(wave, -1, address, 4) ||
       !hd_gcn_move_data(wave, hd_gcn_move_lds, -1, address, 4, old.value, old.undef, false))
      return false;
   hd_gcn_atomic_apply(wave, access, &old, &lanes, &lanes, &new);
   hd_gcn_foreach_lane(l, exec) hd_gcn_data_to_lane(wave, dst, 1, (unsigned)l, &old);
   return hd_gcn_move_data(wave, hd_gcn_move_lds, -1, address, 4, new.value, new.undef, true);
}

/* A dword for each lane, by its number. */
static bool
access_by_lane(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const bool load = access->kind == HD_GCN_ACCESS_LOAD;
   const int dst = load ? (int)hd_gcn_vgpr_of(*hd_mach_def(inst, 0)) : -1;
   const int src = load ? -1 : (int)hd_gcn_vgpr_of(*hd_mach_src(inst, 0));
   uint64_t address;

   if (!address_by_m0(wave, inst, &address))
      return false;
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      if (!hd_gcn_check_alignment(wave, (int)l, address + 4 * l, 4) ||
          !hd_gcn_access_lane(wave, access, hd_gcn_move_lds, (unsigned)l, address + 4 * l, dst,
                              src))
         return false;
   }
   return true;
}

/* Between lanes ------------------------------------------------------------------------------ */

/* Where lane l reads: in a quad as bits say, or in 32 lanes by and, or, xor of its number. */
static unsigned
swizzle_source(unsigned pattern, unsigned l)
{
   if (pattern & 0x8000)
      return (l & ~3u) | (pattern >> 2 * (l & 3) & 3);
   const unsigned and = pattern & 31, or = pattern >> 5 & 31, xor = pattern >> 10 & 31;
   return (l & 32) | ((((l & 31) & and) | or) ^ xor);
}

typedef struct lane_values {
   uint32_t value[LANES], undef[LANES];
} lane_values;

static void
write_lanes(hd_gcn_wave *wave, const hd_mach_inst *inst, const lane_values *from)
{
   const unsigned dst = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));

   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      wave->vgpr[dst][l] = from->value[l];
      wave->vgpr_undef[dst][l] = from->undef[l];
   }
}

/* What a lane that does not run holds, nothing reads: it gives 0. */
static void
take(const hd_gcn_wave *wave, unsigned reg, unsigned from, unsigned to, lane_values *out)
{
   const bool runs = hd_gcn_exec(wave) >> from & 1;
   out->value[to] = runs ? wave->vgpr[reg][from] : 0;
   out->undef[to] = runs ? wave->vgpr_undef[reg][from] : 0;
}

static bool
swizzle(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned reg = hd_gcn_vgpr_of(*hd_mach_src(inst, 0));
   const unsigned pattern = (uint16_t)inst->imm;
   const bool rotates = hd_gcn_wave_gen(wave) == HD_GCN_GFX900 && pattern >= 0xc000;
   lane_values out;

   for (unsigned l = 0; l < LANES; l++) {
      unsigned from = swizzle_source(pattern, l);
      if (rotates) {
         /* gfx9: in 32 lanes by a distance, to the left or to the right; masked bits stay. */
         const unsigned distance = pattern >> 5 & 31, mask = pattern & 31;
         const unsigned moved = pattern >> 10 & 1 ? l - distance : l + distance;
         from = (l & 32) | (l & mask) | (moved & 31 & ~mask);
      }
      take(wave, reg, from, l, &out);
   }
   write_lanes(wave, inst, &out);
   return true;
}

/* Each lane reads a value of the lane that its address names, in bytes; or sends it there. */
static bool
permute(hd_gcn_wave *wave, const hd_mach_inst *inst, bool backward)
{
   const unsigned addr = hd_gcn_vgpr_of(*hd_mach_src(inst, 0));
   const unsigned data = hd_gcn_vgpr_of(*hd_mach_src(inst, 1));
   lane_values out;

   memset(&out, 0, sizeof out);
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      uint64_t address;
      if (!hd_gcn_lane_address(wave, addr, 1, (unsigned)l, &address))
         return false;
      const unsigned other = (unsigned)(address + (uint16_t)inst->imm) >> 2 & (LANES - 1);
      /* Of lanes that send to the same one, the highest is heard. */
      if (backward)
         take(wave, data, other, (unsigned)l, &out);
      else
         take(wave, data, (unsigned)l, other, &out);
   }
   write_lanes(wave, inst, &out);
   return true;
}

bool
hd_gcn_execute_ds(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_access *access = &hd_gcn_accesses[inst->op];

   if (inst->bits & HD_GCN_GDS)
      return hd_gcn_fault(wave, -1, "the simulator has no global data share");
   switch (inst->op) {
   case HD_GCN_DS_NOP:
      return true;
   case HD_GCN_DS_SWIZZLE_B32:
      return swizzle(wave, inst);
   case HD_GCN_DS_PERMUTE_B32:
      return permute(wave, inst, false);
   case HD_GCN_DS_BPERMUTE_B32:
      return permute(wave, inst, true);
   case HD_GCN_DS_APPEND:
   case HD_GCN_DS_CONSUME:
      return count_lanes(wave, inst, access);
   case HD_GCN_DS_READ_ADDTID_B32:
   case HD_GCN_DS_WRITE_ADDTID_B32:
      return access_by_lane(wave, inst, access);
   default:
      return access->relative ? access_relative(wave, inst, access)
                              : access_lds(wave, inst, access);
   }
}
