/* SPDX-License-Identifier: MIT */
/* float_mode.c - the float mode of a shader: rounding and denormal modes (mode register). */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/alu.h"

enum { ROUND_ZERO = 3, KEEP = 3 };

unsigned
hd_gcn_float_mode(uint32_t controls)
{
   unsigned mode = 0;

   if (controls & HD_FLOAT_RTZ_32)
      mode |= ROUND_ZERO;
   if (controls & (HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_64))
      mode |= ROUND_ZERO << 2;
   if (!(controls & HD_FLOAT_FLUSH_32))
      mode |= KEEP << 4;
   if (!(controls & (HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_64)))
      mode |= KEEP << 6;
   return mode;
}

unsigned
hd_gcn_float_mode_as_16(unsigned mode)
{
   return (mode & ~3u) | (mode >> 2 & 3);
}

void
hd_gcn_set_float_mode(hd_gcn_selector *s, unsigned from, unsigned to)
{
   hd_mach_operand value = { .reg = HD_GCN_LITERAL, .value = to, .size = 1 };

   if (from == to)
      return;
   hd_mach_inst *inst = hd_gcn_emit_full(s, HD_GCN_S_SETREG_IMM32_B32, 0, NULL, 1, &value, 0);
   inst->imm = 1 | 7 << 11; /* MODE, from bit 0 on, 8 bits */
}

bool
hd_gcn_is_float_atomic(const hd_instr *instr)
{
   if (instr->kind != HD_INSTR_INTRINSIC)
      return false;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(instr);
   unsigned slot = info->slots[HD_INDEX_ATOMIC_OP];
   if (!slot)
      return false;
   uint32_t op = hd_intrinsic_indices((const hd_intrinsic *)instr)[slot - 1];
   return op == HD_ATOMIC_FADD || op == HD_ATOMIC_FMIN || op == HD_ATOMIC_FMAX;
}

/* The float sizes that an instruction reads or makes, where it matters how they are rounded and
 * flushed.
 */
static unsigned
float_sizes(const hd_instr *instr)
{
   const hd_type_info *result;
   unsigned sizes = 0;

   if (instr->kind == HD_INSTR_ALU) {
      const hd_op_info *info = hd_op_get_info((hd_op)instr->op);
      if (!(info->flags & HD_OP_FLUSHES))
         return 0;
      result = &info->result;
      for (unsigned n = 0; n < instr->num_srcs; n++) {
         if (hd_op_src_type(info, n)->kind == HD_KIND_FLOAT)
            sizes |= hd_instr_src(instr, n)->def->bit_size;
      }
   } else if (instr->kind == HD_INSTR_INTRINSIC) {
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(instr);
      result = &info->result;
      for (unsigned n = 0; n < instr->num_srcs; n++) {
         if (info->src[n].kind == HD_KIND_FLOAT)
            sizes |= hd_instr_src(instr, n)->def->bit_size;
      }
      if (hd_gcn_is_float_atomic(instr))
         sizes |= instr->def.bit_size;
   } else {
      return 0;
   }
   return result->kind == HD_KIND_FLOAT ? sizes | instr->def.bit_size : sizes;
}

/* One of the two is asked for, and the other one is not. */
static bool
differs(uint32_t controls, uint32_t a, uint32_t b)
{
   return !(controls & a) != !(controls & b);
}

bool
hd_gcn_check_float_mode(hd_mach_program *p)
{
   unsigned sizes = 0;

   /* No denormal is asked for: products and sums are then one instruction, exact ones too, and products by 2 none. */
   if (hd_gcn_is_graphics(p->shader) && p->shader->float_controls & HD_FLOAT_FINITE)
      p->shader->float_controls |= HD_FLOAT_FLUSH_32;
   const uint32_t controls = p->shader->float_controls;
   if (!differs(controls, HD_FLOAT_RTZ_16, HD_FLOAT_RTZ_64) &&
       !differs(controls, HD_FLOAT_FLUSH_16, HD_FLOAT_FLUSH_64))
      return true;
   hd_foreach_block(b, p->function) {
      hd_foreach_instr(instr, b) {
         sizes |= float_sizes(instr);
         if ((sizes & 16) && (sizes & 64))
            return hd_mach_refuse(
                p, instr,
                "unsupported float controls: the machine has one mode for 16 and 64 bits, the shader asks for two");
      }
   }
   /* What is not asked of the size that the shader uses must not come from the other one. */
   uint32_t of_16 = HD_FLOAT_RTZ_16 | HD_FLOAT_FLUSH_16,
            of_64 = HD_FLOAT_RTZ_64 | HD_FLOAT_FLUSH_64;
   p->shader->float_controls &= ~(sizes & 16 ? of_64 : of_16);
   return true;
}
