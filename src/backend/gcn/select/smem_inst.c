/* SPDX-License-Identifier: MIT */
/* smem_inst.c - instruction selection: scalar loads, and what is loaded by its offset alone. */
#include "backend/gcn/select/smem.h"

bool
hd_gcn_fits_smem(const hd_gcn_selector *s, bool buffer, int64_t offset, int32_t *imm)
{
   switch (hd_gcn_target_in(s->p)->gen) {
   case HD_GCN_GFX600: /* in dwords */
      *imm = (int32_t)(offset / 4);
      return offset >= 0 && offset % 4 == 0 && offset / 4 <= 255;
   case HD_GCN_GFX803:
      *imm = (int32_t)offset;
      return offset >= 0 && offset < 1 << 20;
   default:
      *imm = (int32_t)offset;
      return offset >= (buffer ? 0 : -(1 << 20)) && offset < 1 << 20;
   }
}

hd_mach_operand
hd_gcn_emit_smem(hd_gcn_selector *s, bool buffer, hd_mach_operand base, hd_mach_operand soffset,
                 int64_t offset, unsigned size, unsigned memory)
{
   static const uint16_t ops[2][5] = {
      { HD_GCN_S_LOAD_DWORD, HD_GCN_S_LOAD_DWORDX2, HD_GCN_S_LOAD_DWORDX4, HD_GCN_S_LOAD_DWORDX8,
        HD_GCN_S_LOAD_DWORDX16 },
      { HD_GCN_S_BUFFER_LOAD_DWORD, HD_GCN_S_BUFFER_LOAD_DWORDX2, HD_GCN_S_BUFFER_LOAD_DWORDX4,
        HD_GCN_S_BUFFER_LOAD_DWORDX8, HD_GCN_S_BUFFER_LOAD_DWORDX16 },
   };
   const hd_gcn_op op = (hd_gcn_op)ops[buffer][__builtin_ctz(size)];
   hd_mach_operand def = hd_gcn_new(s, HD_GCN_SGPR, size);
   int32_t imm = 0;
   bool fits = (!soffset.size || offset) && hd_gcn_fits_smem(s, buffer, offset, &imm);

   if (!fits && !soffset.size)
      soffset = hd_gcn_constant_in(s, HD_GCN_SGPR, (uint32_t)offset);
   hd_mach_inst *inst = hd_gcn_emit_full(s, op, 1, &def, 2, (hd_mach_operand[]){ base, soffset },
                                         fits ? HD_GCN_SOFFSET_IMM : 0);
   inst->imm = fits ? imm : 0;
   inst->memory = (uint8_t)memory;
   return def;
}

hd_mach_operand
hd_gcn_load_scalar(hd_gcn_selector *s, hd_mach_operand base, uint32_t offset, unsigned size,
                   unsigned memory)
{
   return hd_gcn_emit_smem(s, false, base, (hd_mach_operand){ 0 }, offset, size, memory);
}

bool
hd_gcn_constant_address(const hd_mach_ir_access *a, int64_t *address)
{
   const hd_const *c = hd_src_as_const(a->address);

   if (!c)
      return false;
   *address =
       (int64_t)(a->address->def->bit_size == 64 ? c->value[0].u64 : c->value[0].u32) + a->offset;
   return true;
}

/* Known by its offset alone: what is loaded with whole dwords around it. */
static bool
is_argument(const hd_mach_ir_access *a, int64_t *address)
{
   return a->memory & (HD_MEMORY_PUSH | HD_MEMORY_KERNARG) && hd_gcn_constant_address(a, address) &&
          *address >= 0 && *address < INT32_MAX && *address % (a->bits < 32 ? a->bits / 8 : 4) == 0;
}

uint32_t
hd_gcn_segment_size(const hd_gcn_selector *s, unsigned memory)
{
   const hd_shader *shader = s->p->shader;

   return ((memory == HD_MEMORY_PUSH ? shader->push_size : shader->kernarg_size) + 3) &
          ~UINT32_C(3);
}

bool
hd_gcn_is_known_argument(const hd_gcn_selector *s, const hd_mach_ir_access *a, uint32_t *address)
{
   const unsigned bytes = a->components * a->bits / 8;
   int64_t wide;

   if (!s->memory->unwritten[a->intrinsic->instr.def.index] || !is_argument(a, &wide) ||
       ((wide + bytes + 3) & ~INT64_C(3)) > hd_gcn_segment_size(s, a->memory))
      return false;
   *address = (uint32_t)wide;
   return true;
}
