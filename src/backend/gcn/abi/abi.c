/* SPDX-License-Identifier: MIT */
/* abi.c - the calling convention: initial SGPRs and VGPRs of a wave, as definitions of p_start. */
#include "backend/gcn/abi/abi.h"

static bool
is_hsa(const hd_mach_program *p)
{
   return hd_gcn_of(p)->options->abi == HD_GCN_ABI_HSA;
}

static unsigned
size_of(hd_gcn_start which)
{
   if (which == HD_GCN_START_SCRATCH_RESOURCE)
      return 4;
   return which < HD_GCN_START_NUM_WORKGROUPS ? 2 : 1;
}

/* A register of a driver's field that has several; HD_GCN_NO_SGPR if the field has none. */
static unsigned
nth(unsigned first, unsigned n)
{
   return first == HD_GCN_NO_SGPR ? HD_GCN_NO_SGPR : first + n;
}

static unsigned
driver_sgpr(const hd_gcn_driver_abi *abi, hd_gcn_start which)
{
   if (which >= HD_GCN_START_PUSH_INLINE) {
      unsigned n = which - HD_GCN_START_PUSH_INLINE;
      return n < abi->push_inline_count ? nth(abi->push_inline, n) : HD_GCN_NO_SGPR;
   }
   if (which >= HD_GCN_START_BASE_VERTEX) {
      const uint8_t of_draw[] = { abi->base_vertex, abi->base_instance, abi->draw_index,
                                  abi->view_index };
      return of_draw[which - HD_GCN_START_BASE_VERTEX];
   }
   if (which == HD_GCN_START_WORK_DIM)
      return abi->work_dim;
   if (which >= HD_GCN_START_GLOBAL_OFFSET)
      return nth(abi->global_offset, which - HD_GCN_START_GLOBAL_OFFSET);
   if (which >= HD_GCN_START_WORKGROUP_SIZE)
      return nth(abi->workgroup_size, which - HD_GCN_START_WORKGROUP_SIZE);
   if (which >= HD_GCN_START_NUM_WORKGROUPS)
      return nth(abi->num_workgroups, which - HD_GCN_START_NUM_WORKGROUPS);
   if (which == HD_GCN_START_VERTEX_BUFFERS)
      return abi->vertex_buffers;
   if (which >= HD_GCN_START_SET)
      return abi->set_pointer[which - HD_GCN_START_SET];
   if (which == HD_GCN_START_SCRATCH_RESOURCE)
      return abi->scratch_resource;
   return which == HD_GCN_START_KERNARG ? abi->kernarg_pointer : abi->push_pointer;
}

/* A workgroup of a kernel always says its x, as kernels of other compilers do. A fragment shader gets its
 * primitives whether it reads them or not.
 */
static bool
is_enabled(const hd_mach_program *p, hd_gcn_start which)
{
   return hd_gcn_of(p)->abi.temps[which] || (which == HD_GCN_START_WORKGROUP_ID && is_hsa(p)) ||
          (which == HD_GCN_START_PRIMITIVES && p->shader->stage == HD_STAGE_FRAGMENT);
}

static unsigned
hsa_sgpr(const hd_mach_program *p, hd_gcn_start which)
{
   unsigned sgpr = 0;

   if (which > HD_GCN_START_KERNARG)
      return HD_GCN_NO_SGPR;
   for (unsigned n = 0; n < (unsigned)which; n++)
      sgpr += is_enabled(p, (hd_gcn_start)n) ? size_of((hd_gcn_start)n) : 0;
   return sgpr;
}

unsigned
hd_gcn_abi_num_user_sgprs(const hd_mach_program *p)
{
   if (!is_hsa(p))
      return hd_gcn_of(p)->options->driver->num_user_sgprs;
   const hd_gcn_start last = HD_GCN_START_KERNARG;
   return hsa_sgpr(p, last) + (is_enabled(p, last) ? size_of(last) : 0);
}

/* The register, as the operand of an instruction has it; HD_MACH_NO_REG if the ABI has none. */
static unsigned
reg_of(const hd_mach_program *p, hd_gcn_start which)
{
   if (which >= HD_GCN_START_LOCAL_ID)
      return hd_gcn_start_vgpr(p, which);
   if (which >= HD_GCN_START_WORKGROUP_ID) {
      unsigned sgpr = hd_gcn_abi_num_user_sgprs(p);
      for (unsigned n = HD_GCN_START_WORKGROUP_ID; n < (unsigned)which; n++)
         sgpr += is_enabled(p, (hd_gcn_start)n);
      return sgpr;
   }
   unsigned sgpr =
       is_hsa(p) ? hsa_sgpr(p, which) : driver_sgpr(hd_gcn_of(p)->options->driver, which);
   return sgpr == HD_GCN_NO_SGPR ? HD_MACH_NO_REG : sgpr;
}

/* Registers of a pointer that does not begin where pairs can: one value each. */
static unsigned
num_values(const hd_mach_program *p, hd_gcn_start which, unsigned reg)
{
   const unsigned size = size_of(which);

   (void)p;
   return reg < HD_GCN_VGPR0 && reg % size ? size : 1;
}

/* Operands of p_start for this value: it has room for one operand for each dword. */
static unsigned
add_operands(hd_mach_program *p, hd_gcn_start which, unsigned reg, hd_mach_operand *values)
{
   const hd_gcn_file file = which >= HD_GCN_START_LOCAL_ID ? HD_GCN_VGPR : HD_GCN_SGPR;
   const unsigned num = num_values(p, which, reg), size = size_of(which) / num;
   hd_mach_inst *start = hd_gcn_of(p)->abi.start;

   for (unsigned n = 0; n < num; n++) {
      uint32_t temp = hd_mach_temp_create(p, file, size, 0);
      p->temps[temp].def = start;
      start->operands[start->num_defs++] = hd_mach_operand_fixed(p, temp, reg + n * size);
      values[n] = hd_mach_operand_temp(p, temp);
   }
   return num;
}

/* Say the registers of all values anew: one that was added may come before others. */
static void
place(hd_mach_program *p)
{
   for (unsigned which = 0; which < HD_GCN_NUM_STARTS; which++) {
      const uint32_t temp = hd_gcn_of(p)->abi.temps[which];
      if (!temp || p->temps[temp].def != hd_gcn_of(p)->abi.start)
         continue;
      for (unsigned n = 0; n < hd_gcn_of(p)->abi.start->num_defs; n++) {
         if (hd_gcn_of(p)->abi.start->operands[n].value == temp)
            hd_gcn_of(p)->abi.start->operands[n].reg = (uint16_t)reg_of(p, (hd_gcn_start)which);
      }
   }
}

hd_mach_operand
hd_gcn_abi_get(hd_mach_program *p, hd_gcn_start which)
{
   hd_mach_inst *start = hd_gcn_of(p)->abi.start;
   hd_mach_operand values[4];

   if (hd_gcn_of(p)->abi.temps[which])
      return hd_mach_operand_temp(p, hd_gcn_of(p)->abi.temps[which]);
   const unsigned reg = reg_of(p, which);
   if (reg == HD_MACH_NO_REG)
      return (hd_mach_operand){ .reg = HD_MACH_NO_REG };
   const unsigned num = add_operands(p, which, reg, values);
   hd_gcn_of(p)->abi.temps[which] = values[0].value;
   if (num > 1) {
      hd_mach_inst *join = hd_gcn_inst_create(p, HD_MACH_P_VECTOR, 1, num);
      uint32_t temp = hd_mach_temp_create(p, HD_GCN_SGPR, num, 0);
      p->temps[temp].def = join;
      *hd_mach_def(join, 0) = hd_mach_operand_temp(p, temp);
      for (unsigned n = 0; n < num; n++)
         *hd_mach_src(join, n) = values[n];
      hd_mach_inst_insert_before(p->first, join, start->next);
      hd_gcn_of(p)->abi.temps[which] = temp;
   }
   place(p);
   return hd_mach_operand_temp(p, hd_gcn_of(p)->abi.temps[which]);
}

/* A value that this instruction writes. */
static hd_mach_operand
define(hd_mach_program *p, hd_mach_inst *inst, unsigned n, unsigned size)
{
   const uint32_t temp = hd_mach_temp_create(p, HD_GCN_SGPR, size, 0);

   p->temps[temp].def = inst;
   return *hd_mach_def(inst, n) = hd_mach_operand_temp(p, temp);
}

/* Long enough that no shorter form takes its place before layout knows the literal. */
#define FAR_AWAY 0x7fff0000u

/* s_getpc_b64 a; s_add_u32 b, a.lo, DISTANCE; s_addc_u32 c, a.hi, 0 */
hd_mach_operand
hd_gcn_abi_constants(hd_mach_program *p)
{
   hd_mach_inst *const before = hd_gcn_of(p)->abi.start->next;
   const hd_gcn_gen gen = hd_gcn_target_in(p)->gen;

   if (hd_gcn_of(p)->data_base)
      return hd_mach_operand_temp(p, hd_gcn_of(p)->data_base);
   hd_mach_inst *pc = hd_gcn_inst_create(p, HD_GCN_S_GETPC_B64, 1, 0);
   hd_mach_inst *split = hd_gcn_inst_create(p, HD_MACH_P_SPLIT, 2, 1);
   hd_mach_inst *add = hd_gcn_inst_create(p, HD_GCN_S_ADD_U32, 2, 2);
   hd_mach_inst *carry = hd_gcn_inst_create(p, HD_GCN_S_ADDC_U32, 2, 3);
   hd_mach_inst *join = hd_gcn_inst_create(p, HD_MACH_P_VECTOR, 1, 2);
   hd_mach_inst *const all[] = { pc, split, add, carry, join };

   *hd_mach_src(split, 0) = define(p, pc, 0, 2);
   *hd_mach_src(add, 0) = define(p, split, 0, 1);
   *hd_mach_src(add, 1) = hd_gcn_operand_const(gen, HD_GCN_U32, FAR_AWAY);
   *hd_mach_src(carry, 0) = define(p, split, 1, 1);
   *hd_mach_src(carry, 1) = hd_gcn_operand_const(gen, HD_GCN_U32, 0);
   *hd_mach_src(join, 0) = define(p, add, 0, 1);
   *hd_mach_src(join, 1) = define(p, carry, 0, 1);
   hd_gcn_of(p)->data_base = define(p, join, 0, 2).value;
   hd_gcn_of(p)->data_pc = pc;
   hd_gcn_of(p)->data_add = add;
   for (unsigned n = 0; n < sizeof(all) / sizeof(all[0]); n++)
      hd_mach_inst_insert_before(p->first, all[n], before);
   return hd_mach_operand_temp(p, hd_gcn_of(p)->data_base);
}

bool
hd_gcn_abi_scratch(hd_mach_program *p, hd_mach_operand *resource, hd_mach_operand *offset)
{
   *resource = hd_gcn_abi_get(p, HD_GCN_START_SCRATCH_RESOURCE);
   if (!resource->size)
      return false;
   *offset = hd_gcn_abi_get(p, HD_GCN_START_SCRATCH_OFFSET);
   return true;
}

uint32_t
hd_gcn_abi_hidden_offset(const hd_mach_program *p)
{
   return (p->shader->kernarg_size + 7) & ~UINT32_C(7);
}

#define HIDDEN_SIZE 256u

uint32_t
hd_gcn_abi_kernarg_size(const hd_mach_program *p)
{
   if (hd_gcn_of(p)->abi.hidden_args)
      return hd_gcn_abi_hidden_offset(p) + HIDDEN_SIZE;
   /* Whole dwords, so that scalar loads may read the last ones. */
   return (p->shader->kernarg_size + 3) & ~UINT32_C(3);
}

/* Bits of the kernel descriptor. */
#define ENABLE_PRIVATE_SEGMENT_BUFFER (1u << 0)
#define ENABLE_KERNARG_SEGMENT_PTR    (1u << 3)

uint16_t
hd_gcn_abi_properties(const hd_mach_program *p)
{
   return (uint16_t)((is_enabled(p, HD_GCN_START_SCRATCH_RESOURCE) ? ENABLE_PRIVATE_SEGMENT_BUFFER
                                                                   : 0) |
                     (is_enabled(p, HD_GCN_START_KERNARG) ? ENABLE_KERNARG_SEGMENT_PTR : 0));
}

uint32_t
hd_gcn_workgroup_lanes(const hd_shader *shader)
{
   const uint32_t *size = shader->workgroup_size;
   uint64_t lanes = 1;

   for (unsigned n = 0; n < 3; n++) {
      if (!size[n])
         return 0;
      lanes = lanes * size[n] > UINT32_MAX ? UINT32_MAX : lanes * size[n];
   }
   return (uint32_t)lanes;
}
