/* SPDX-License-Identifier: MIT */
/* exec_smem.c - scalar memory: by an address, or by a buffer resource with its bounds. */
#include "backend/gcn/sim/exec_memory.h"

#include <inttypes.h>

/* A number, a register, or the sum of both. */
static bool
offset_of(hd_gcn_wave *wave, const hd_mach_inst *inst, hd_mach_operand operand, uint64_t *out)
{
   hd_gcn_scalar s;

   *out = 0;
   if (inst->bits & HD_GCN_SOFFSET_IMM || operand.size == 0) {
      const int64_t imm = inst->imm;
      /* gfx6 counts dwords. */
      *out = (uint64_t)(hd_gcn_wave_gen(wave) == HD_GCN_GFX600 ? imm * 4 : imm);
      if (operand.size == 0)
         return true;
   }
   if (!hd_gcn_read_scalar(wave, operand, HD_GCN_B32, &s) ||
       !hd_mach_need(wave, s, "an address of scalar memory"))
      return false;
   *out += s.value;
   return true;
}

/* Bytes from `offset` on that a resource allows. */
static bool
buffer_room(hd_gcn_wave *wave, const uint32_t *resource, uint64_t offset, uint64_t *room)
{
   const uint64_t stride = resource[1] >> 16 & 0x3fff;
   const uint64_t size = stride ? resource[2] * stride : resource[2];

   if (resource[1] >> 31)
      return hd_gcn_fault(wave, -1, "a scalar load of a swizzled buffer");
   *room = offset < size ? size - offset : 0;
   return true;
}

static bool
base_of(hd_gcn_wave *wave, const hd_gcn_access *access, hd_mach_operand operand, uint64_t offset,
        uint64_t *address, uint64_t *room)
{
   const unsigned num = access->buffer ? 4 : 2;
   uint32_t value[4], undef[4];

   if (!hd_gcn_read_sgprs(wave, operand, num, value, undef))
      return false;
   for (unsigned n = 0; n < num; n++) {
      if (undef[n])
         return hd_gcn_fault(wave, -1, "undefined bits 0x%" PRIx32 " reach %s", undef[n],
                             access->buffer ? "a buffer resource" : "an address of scalar memory");
   }
   *room = UINT64_MAX;
   if (access->buffer) {
      if (!buffer_room(wave, value, offset, room))
         return false;
      value[1] &= 0xffff;
   }
   *address = (value[0] | (uint64_t)value[1] << 32) + offset;
   return hd_gcn_check_alignment(wave, -1, *address, 4);
}

static bool
access_scalar(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const bool loads = access->kind == HD_GCN_ACCESS_LOAD;
   const unsigned first = loads ? 0 : 1, dwords = access->bytes / 4;
   const hd_mach_operand data_operand = loads ? *hd_mach_def(inst, 0) : *hd_mach_src(inst, 0);
   hd_gcn_data data = { { 0 }, { 0 } };
   uint64_t offset, address, room;

   if (!offset_of(wave, inst, *hd_mach_src(inst, first + 1), &offset) ||
       !base_of(wave, access, *hd_mach_src(inst, first), offset, &address, &room))
      return false;
   if (!loads && !hd_gcn_read_sgprs(wave, data_operand, dwords, data.value, data.undef))
      return false;
   /* Beyond a buffer loads give 0, and nothing is stored. */
   const unsigned inside = room / 4 < dwords ? (unsigned)(room / 4) : dwords;
   if (inside && !hd_gcn_move_data(wave, hd_gcn_move_memory, -1, address, inside * 4, data.value,
                                   data.undef, !loads))
      return false;
   return !loads || hd_gcn_write_sgprs(wave, data_operand, dwords, data.value, data.undef);
}

static bool
atomic_scalar(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_access *access)
{
   const unsigned dwords = access->bytes / 4;
   const bool compares = access->atomic->compares;
   hd_mach_operand operand = *hd_mach_src(inst, 0);
   hd_gcn_data old = { { 0 }, { 0 } }, x = { { 0 }, { 0 } }, y = { { 0 }, { 0 } };
   hd_gcn_data new = { { 0 }, { 0 } };
   uint64_t offset, address, room;

   if (!offset_of(wave, inst, *hd_mach_src(inst, 2), &offset) ||
       !base_of(wave, access, *hd_mach_src(inst, 1), offset, &address, &room) ||
       !hd_gcn_check_alignment(wave, -1, address, access->bytes))
      return false;
   if (!hd_gcn_read_sgprs(wave, operand, compares ? dwords * 2 : dwords, x.value, x.undef))
      return false;
   for (unsigned n = 0; n < dwords; n++) {
      y.value[n] = x.value[dwords + n];
      y.undef[n] = x.undef[dwords + n];
   }
   if (room >= access->bytes) {
      if (!hd_gcn_move_data(wave, hd_gcn_move_memory, -1, address, access->bytes, old.value,
                            old.undef, false))
         return false;
      hd_gcn_atomic_apply(wave, access, &old, &x, &y, &new);
      if (!hd_gcn_move_data(wave, hd_gcn_move_memory, -1, address, access->bytes, new.value,
                            new.undef, true))
         return false;
   }
   if (!(inst->bits & HD_GCN_GLC))
      return true;
   return hd_gcn_write_sgprs(wave, *hd_mach_def(inst, 0), dwords, old.value, old.undef);
}

bool
hd_gcn_execute_smem(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_access *access = &hd_gcn_accesses[inst->op];

   switch ((hd_gcn_access_kind)access->kind) {
   case HD_GCN_ACCESS_LOAD:
   case HD_GCN_ACCESS_STORE:
      return access_scalar(wave, inst, access);
   case HD_GCN_ACCESS_ATOMIC:
      return atomic_scalar(wave, inst, access);
   case HD_GCN_ACCESS_NONE:
   case HD_GCN_ACCESS_INVALID:
      break;
   }
   if (inst->num_defs == 0)
      return true;
   return hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0), (hd_gcn_scalar){ hd_gcn_now(wave), 0 });
}
