/* SPDX-License-Identifier: MIT */
/* builtins.c - instruction selection of built-in inputs: ids and sizes, known when a wave starts.
 *
 *    local ids          v0, v1, v2; 0 in dimensions of size 1
 *    workgroup ids      system SGPRs
 *    sizes, offsets     constants if the shader fixes them; else user SGPRs of the driver, or, of
 *                       a kernel, hidden arguments in the kernarg segment
 *
 * All others are computed from these.
 */
#include "backend/gcn/select/memory_access.h"
#include "heddle/intrinsic_enum.h"

/* Hidden arguments of code object version 5, by their offset after the explicit ones. */
#define HIDDEN_BLOCK_COUNT   0u  /* three of 32 bits */
#define HIDDEN_GROUP_SIZE    12u /* three of 16 bits */
#define HIDDEN_GLOBAL_OFFSET 40u /* three of 64 bits */
#define HIDDEN_GRID_DIMS     64u /* 16 bits */

/* An operand, and whether it is the number that is claimed. */
static bool
is_number(hd_mach_operand operand, uint64_t number)
{
   uint64_t value;

   return hd_gcn_operand_value(operand, HD_GCN_B32, &value) && value == number;
}

/* The same sum or product for scalars and for vectors: a scalar where both are. */
static bool
is_divergent(const hd_gcn_selector *s, hd_mach_operand operand)
{
   return hd_gcn_file_of(s, operand) == HD_GCN_VGPR;
}

static hd_mach_operand
sum(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b)
{
   if (is_number(a, 0))
      return b;
   if (is_number(b, 0))
      return a;
   return hd_gcn_add(s, a, b);
}

/* Of numbers whose product has 32 bits; `b` is a scalar. */
static hd_mach_operand
product(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b)
{
   uint64_t by;

   if (is_number(a, 0) || is_number(b, 1))
      return a;
   if (is_number(a, 1) || is_number(b, 0))
      return b;
   if (!is_divergent(s, a)) {
      hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_MUL_I32, d, a, b);
      return d;
   }
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   if (hd_gcn_operand_value(b, HD_GCN_B32, &by) && !(by & (by - 1)))
      hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, d, hd_gcn_imm(s, (uint32_t)__builtin_ctzll(by)), a);
   else
      hd_gcn_emit2(s, HD_GCN_V_MUL_LO_U32, d, a, b);
   return d;
}

/* a * b + c, where `a` is a divergent number below 2^24, and so is b. */
static hd_mach_operand
small_product_and_sum(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b, hd_mach_operand c)
{
   uint64_t by;

   if (is_number(a, 0) || is_number(b, 0))
      return c;
   if (is_number(b, 1))
      return sum(s, a, c);
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   if (hd_gcn_operand_value(b, HD_GCN_B32, &by) && !(by & (by - 1))) {
      const hd_mach_operand shift = hd_gcn_imm(s, (uint32_t)__builtin_ctzll(by));
      if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX900) {
         hd_gcn_emit3(s, HD_GCN_V_LSHL_ADD_U32, d, a, shift, c);
         return d;
      }
      hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, d, shift, a);
      return sum(s, d, c);
   }
   hd_gcn_emit3(s, HD_GCN_V_MAD_U32_U24, d, a, b, c);
   return d;
}

/* a * b + c, where `a` is the same for all lanes. */
static hd_mach_operand
scalar_product_and_sum(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b, hd_mach_operand c)
{
   uint64_t by;

   if (hd_gcn_target_in(s->p)->gen != HD_GCN_GFX900 || !is_divergent(s, c) ||
       !hd_gcn_operand_value(b, HD_GCN_B32, &by) || by < 2 || (by & (by - 1)))
      return sum(s, c, product(s, a, b));
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit3(s, HD_GCN_V_LSHL_ADD_U32, d, a, hd_gcn_imm(s, (uint32_t)__builtin_ctzll(by)), c);
   return d;
}

/* Values of the start */

static hd_mach_operand
hidden_arg(hd_gcn_selector *s, uint32_t offset)
{
   hd_mach_program *p = s->p;
   hd_mach_operand base = hd_gcn_abi_get(p, HD_GCN_START_KERNARG);

   hd_gcn_of(p)->abi.hidden_args = true;
   return hd_gcn_load_scalar(s, base, hd_gcn_abi_hidden_offset(p) + offset, 1,
                             HD_MACH_MEMORY_CONSTANT);
}

/* One of these: the register of a driver, or a hidden argument of 32 bits at `offset`. */
static hd_mach_operand
given(hd_gcn_selector *s, hd_gcn_start which, uint32_t offset)
{
   if (hd_gcn_of(s->p)->options->abi == HD_GCN_ABI_HSA)
      return hidden_arg(s, offset);
   return hd_gcn_abi_get(s->p, which);
}

static hd_mach_operand
workgroup_size(hd_gcn_selector *s, unsigned n)
{
   const uint32_t size = s->p->shader->workgroup_size[n];

   if (size)
      return hd_gcn_imm(s, size);
   if (hd_gcn_of(s->p)->options->abi == HD_GCN_ABI_DRIVER)
      return hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_WORKGROUP_SIZE + n));
   /* Two in a dword. */
   hd_mach_operand both = hidden_arg(s, HIDDEN_GROUP_SIZE + n / 2 * 4);
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
   if (n % 2)
      hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, d, both, hd_gcn_imm(s, 16));
   else
      hd_gcn_emit2(s, HD_GCN_S_AND_B32, d, both, hd_gcn_imm(s, 0xffff));
   return d;
}

static hd_mach_operand
num_workgroups(hd_gcn_selector *s, unsigned n)
{
   return given(s, (hd_gcn_start)(HD_GCN_START_NUM_WORKGROUPS + n), HIDDEN_BLOCK_COUNT + 4 * n);
}

static hd_mach_operand
local_id(hd_gcn_selector *s, unsigned n)
{
   if (s->p->shader->workgroup_size[n] == 1)
      return hd_gcn_imm(s, 0);
   return hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_LOCAL_ID + n));
}

static hd_mach_operand
workgroup_id(hd_gcn_selector *s, unsigned n)
{
   return hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_WORKGROUP_ID + n));
}

/* x + size.x * (y + size.y * z); size 0 where a size is asked for and not given. */
static hd_mach_operand
local_index(hd_gcn_selector *s)
{
   hd_mach_operand index = local_id(s, 2);

   for (unsigned n = 2; n-- > 0;) {
      if (!is_number(index, 0)) {
         hd_mach_operand size = workgroup_size(s, n);
         if (!size.size)
            return hd_gcn_nothing();
         index = small_product_and_sum(s, index, size, local_id(s, n));
      } else {
         index = local_id(s, n);
      }
   }
   return index;
}

static hd_mach_operand
workgroup_index(hd_gcn_selector *s)
{
   hd_mach_operand index = workgroup_id(s, 2);

   for (unsigned n = 2; n-- > 0;) {
      hd_mach_operand num = num_workgroups(s, n);
      if (!num.size)
         return hd_gcn_nothing();
      hd_mach_operand id = workgroup_id(s, n);
      index = sum(s, product(s, index, num), id);
   }
   return index;
}

/* Lanes of a workgroup. */
static hd_mach_operand
workgroup_lanes(hd_gcn_selector *s)
{
   hd_mach_operand lanes = hd_gcn_imm(s, 1);

   for (unsigned n = 0; n < 3; n++) {
      uint64_t a, b;
      hd_mach_operand size = workgroup_size(s, n);
      if (!size.size)
         return hd_gcn_nothing();
      if (hd_gcn_operand_value(lanes, HD_GCN_B32, &a) && hd_gcn_operand_value(size, HD_GCN_B32, &b))
         lanes = hd_gcn_imm(s, (uint32_t)(a * b));
      else
         lanes = product(s, lanes, size);
   }
   return lanes;
}

static hd_mach_operand
global_id(hd_gcn_selector *s, unsigned n)
{
   hd_mach_operand size = workgroup_size(s, n);

   if (!size.size)
      return hd_gcn_nothing();
   hd_mach_operand local = local_id(s, n);
   return scalar_product_and_sum(s, workgroup_id(s, n), size, local);
}

static hd_mach_operand
global_index(hd_gcn_selector *s)
{
   hd_mach_operand group = workgroup_index(s), lanes = workgroup_lanes(s), local = local_index(s);

   if (!group.size || !lanes.size || !local.size)
      return hd_gcn_nothing();
   return scalar_product_and_sum(s, group, lanes, local);
}

static hd_mach_operand
shifted_down(hd_gcn_selector *s, hd_mach_operand a, unsigned by)
{
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);

   hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, d, a, hd_gcn_imm(s, by));
   return d;
}

static hd_mach_operand
num_subgroups(hd_gcn_selector *s)
{
   hd_mach_operand lanes = workgroup_lanes(s);
   uint64_t number;

   if (!lanes.size)
      return lanes;
   if (hd_gcn_operand_value(lanes, HD_GCN_B32, &number))
      return hd_gcn_imm(s, (uint32_t)((number + 63) / 64));
   return shifted_down(s, hd_gcn_add(s, lanes, hd_gcn_imm(s, 63)), 6);
}

/* Lanes of a wave have 64 successive numbers in the workgroup. */
static hd_mach_operand
subgroup_id(hd_gcn_selector *s)
{
   const uint32_t lanes = hd_gcn_workgroup_lanes(s->p->shader);

   if (lanes && lanes <= 64)
      return hd_gcn_imm(s, 0);
   hd_mach_operand index = local_index(s);
   if (!index.size)
      return index;
   hd_mach_operand first = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit1(s, HD_GCN_V_READFIRSTLANE_B32, first, index);
   return shifted_down(s, first, 6);
}

static hd_mach_operand
component(hd_gcn_selector *s, hd_intrinsic_id id, unsigned n)
{
   switch (id) {
   case HD_INTRINSIC_LOCAL_INVOCATION_ID:
      return local_id(s, n);
   case HD_INTRINSIC_LOCAL_INVOCATION_INDEX:
      return local_index(s);
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
      return global_id(s, n);
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
      return global_index(s);
   case HD_INTRINSIC_WORKGROUP_ID:
      return workgroup_id(s, n);
   case HD_INTRINSIC_WORKGROUP_INDEX:
      return workgroup_index(s);
   case HD_INTRINSIC_NUM_WORKGROUPS:
      return num_workgroups(s, n);
   case HD_INTRINSIC_WORKGROUP_SIZE:
      return workgroup_size(s, n);
   case HD_INTRINSIC_GLOBAL_OFFSET:
      return given(s, (hd_gcn_start)(HD_GCN_START_GLOBAL_OFFSET + n), HIDDEN_GLOBAL_OFFSET + 8 * n);
   case HD_INTRINSIC_WORK_DIM:
      return given(s, HD_GCN_START_WORK_DIM, HIDDEN_GRID_DIMS);
   case HD_INTRINSIC_NUM_SUBGROUPS:
      return num_subgroups(s);
   case HD_INTRINSIC_SUBGROUP_ID:
      return subgroup_id(s);
   case HD_INTRINSIC_SUBGROUP_SIZE:
      return hd_gcn_imm(s, 64);
   default:
      return hd_gcn_nothing();
   }
}

/* grid_dims has 16 bits, and what lies after it is not guaranteed to be 0. */
static hd_mach_operand
cut(hd_gcn_selector *s, hd_intrinsic_id id, hd_mach_operand value)
{
   if (id != HD_INTRINSIC_WORK_DIM || hd_gcn_of(s->p)->options->abi != HD_GCN_ABI_HSA ||
       !value.size)
      return value;
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_AND_B32, d, value, hd_gcn_imm(s, 0xffff));
   return d;
}

static bool
is_answered(hd_intrinsic_id id)
{
   switch (id) {
   case HD_INTRINSIC_LOCAL_INVOCATION_ID:
   case HD_INTRINSIC_LOCAL_INVOCATION_INDEX:
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
   case HD_INTRINSIC_WORKGROUP_ID:
   case HD_INTRINSIC_WORKGROUP_INDEX:
   case HD_INTRINSIC_NUM_WORKGROUPS:
   case HD_INTRINSIC_WORKGROUP_SIZE:
   case HD_INTRINSIC_GLOBAL_OFFSET:
   case HD_INTRINSIC_WORK_DIM:
   case HD_INTRINSIC_NUM_SUBGROUPS:
   case HD_INTRINSIC_SUBGROUP_ID:
   case HD_INTRINSIC_SUBGROUP_SIZE:
      return true;
   default:
      return false;
   }
}

bool
hd_gcn_select_abi(hd_gcn_selector *s, const hd_intrinsic *intrinsic)
{
   const hd_def *def = &intrinsic->instr.def;
   const hd_intrinsic_id id = (hd_intrinsic_id)intrinsic->instr.op;
   const unsigned read = hd_gcn_components_read(def);
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   if (hd_intrinsic_get_info(id)->reads)
      return hd_gcn_select_memory(s, intrinsic);
   if (id >= HD_INTRINSIC_SUBGROUP_INVOCATION && id <= HD_INTRINSIC_SUBGROUP_GE_MASK)
      return hd_gcn_select_lanes(s, intrinsic);
   if (!is_answered(id))
      return hd_mach_refuse(s->p, &intrinsic->instr, "unsupported intrinsic %s",
                            hd_intrinsic_get_info(id)->name);
   for (unsigned n = 0; n < def->num_components; n++) {
      if (def->num_components > 1 && !(read >> n & 1)) {
         parts[n] = hd_gcn_undef(1);
         continue;
      }
      parts[n] = cut(s, id, component(s, id, n));
      if (!parts[n].size)
         return hd_mach_refuse(s->p, &intrinsic->instr, "the ABI does not provide %s",
                               hd_intrinsic_get_info(id)->name);
   }
   hd_gcn_set_parts(s, def, parts);
   return true;
}

static bool
fits(hd_mach_program *p, unsigned first, unsigned num)
{
   const unsigned there = hd_gcn_of(p)->options->driver->num_user_sgprs;

   return first == HD_GCN_NO_SGPR || first + num <= there ||
          hd_mach_refuse(p, NULL,
                         "the ABI has a value in user SGPRs %u to %u, expected numbers below %u",
                         first, first + num - 1, there);
}

static bool
fits_driver(hd_mach_program *p)
{
   const hd_gcn_driver_abi *abi = hd_gcn_of(p)->options->driver;
   const uint8_t fields[][2] = {
      { abi->push_pointer, 2 },    { abi->push_inline, abi->push_inline_count },
      { abi->kernarg_pointer, 2 }, { abi->num_workgroups, 3 },
      { abi->workgroup_size, 3 },  { abi->scratch_resource, 4 },
      { abi->global_offset, 3 },   { abi->work_dim, 1 },
   };
   const uint8_t of_stages[][2] = {
      { abi->vertex_buffers, 2 }, { abi->base_vertex, 1 }, { abi->base_instance, 1 },
      { abi->draw_index, 1 },     { abi->view_index, 1 },
   };

   for (unsigned n = 0; n < HD_GCN_MAX_SETS; n++) {
      if (!fits(p, abi->set_pointer[n], 2))
         return false;
   }
   for (unsigned n = 0; n < sizeof(fields) / sizeof(fields[0]); n++) {
      if (!fits(p, fields[n][0], fields[n][1]))
         return false;
   }
   for (unsigned n = 0; hd_gcn_is_graphics(p->shader) && n < 5; n++) {
      if (!fits(p, of_stages[n][0], of_stages[n][1]))
         return false;
   }
   return true;
}

bool
hd_gcn_abi_start(hd_gcn_selector *s)
{
   hd_mach_program *p = s->p;
   const uint32_t lanes = hd_gcn_workgroup_lanes(p->shader);

   if (hd_gcn_of(p)->options->abi == HD_GCN_ABI_DRIVER && !fits_driver(p))
      return false;
   if (lanes > 1024)
      return hd_mach_refuse(
          p, NULL, "a workgroup has 1024 invocations at most, the shader asks for %u", lanes);
   if (p->shader->shared_size > hd_gcn_target_in(p)->max_lds)
      return hd_mach_refuse(p, NULL,
                            "a workgroup has %u bytes of shared memory, the shader asks for %u",
                            hd_gcn_target_in(p)->max_lds, p->shader->shared_size);
   p->scratch_size = p->shader->scratch_size;
   hd_gcn_of(p)->abi.start = hd_gcn_inst_create(p, HD_MACH_P_START, HD_GCN_NUM_STARTS + 16, 0);
   hd_gcn_of(p)->abi.start->num_defs = 0;
   hd_mach_inst_insert_before(p->first, hd_gcn_of(p)->abi.start, p->first->first);
   return hd_gcn_load_arguments_first(s);
}
