/* SPDX-License-Identifier: MIT */
/* lowered.c - classify instructions by the constructs that lowerings remove. */
#include "ir/lowered.h"
#include "heddle/intrinsic_enum.h"

#include <string.h>

const hd_lowered_info *
hd_lowered_get_info(unsigned n)
{
   return n < hd_num_lowered_infos ? &hd_lowered_infos[n] : NULL;
}

uint32_t
hd_lowered_from_name(const char *name, size_t length)
{
   for (unsigned n = 0; n < hd_num_lowered_infos; n++) {
      const char *known = hd_lowered_infos[n].name;
      if (strlen(known) == length && !memcmp(known, name, length))
         return UINT32_C(1) << n;
   }
   return 0;
}

static bool
is_integer(const hd_type_info *t)
{
   return t->kind != HD_KIND_FLOAT && t->kind != HD_KIND_BOOL;
}

/* The sizes of what an op reads and makes as integers or as any bits, or-ed; *components is the
 * most of any.
 */
static unsigned
integer_sizes(const hd_instr *i, unsigned *components)
{
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   unsigned sizes = is_integer(&info->result) ? i->def.bit_size : 0, n = 0;

   *components = i->def.num_components;
   hd_foreach_src(src, i) {
      if (is_integer(hd_op_src_type(info, n++)))
         sizes |= src->def->bit_size;
      if (src->def->num_components > *components)
         *components = src->def->num_components;
   }
   return sizes;
}

static uint32_t
alu_constructs(const hd_instr *i)
{
   uint32_t candidates = hd_op_candidates[i->op], found = 0;
   unsigned components;

   if (!candidates)
      return 0;
   const unsigned sizes = integer_sizes(i, &components);
   for (unsigned n = 0; n < hd_num_lowered_infos; n++) {
      const hd_lowered_info *info = &hd_lowered_infos[n];
      if (candidates >> n & 1 && (!info->bits || info->bits & sizes) &&
          (!info->vector || components > 1))
         found |= UINT32_C(1) << n;
   }
   return found;
}

/* Does a value of one bit go through a phi, a variable, a call or a return? */
static uint32_t
carries_bool(const hd_instr *i)
{
   if (i->def.bit_size == 1)
      return HD_LOWERED_BOOL;
   if (i->kind == HD_INSTR_PHI || (i->kind == HD_INSTR_JUMP && i->op != HD_JUMP_RETURN))
      return 0;
   hd_foreach_src(src, i) {
      if (src->def->bit_size == 1)
         return HD_LOWERED_BOOL;
   }
   return 0;
}

/* Of a reduction or scan: 32 bits, and the order of lanes does not matter. */
static bool
combines_dwords(const hd_intrinsic *i)
{
   const uint8_t slot = hd_instr_intrinsic_info(&i->instr)->slots[HD_INDEX_REDUCE_OP];
   const uint32_t value = hd_intrinsic_indices(i)[slot - 1];
   const hd_index_info *info = hd_index_get_info(HD_INDEX_REDUCE_OP);

   return i->instr.def.bit_size == 32 && value < info->num_values &&
          hd_op_get_info(info->values[value].op)->flags & HD_OP_ASSOCIATIVE;
}

bool
hd_samples_by_quad(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC &&
          (i->op == HD_INTRINSIC_IMAGE_SAMPLE || i->op == HD_INTRINSIC_IMAGE_SAMPLE_COMPARE);
}

uint32_t
hd_instr_constructs(const hd_instr *i)
{
   const hd_var_access *a = hd_instr_as_var_access(i);
   uint32_t found;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      return alu_constructs(i);
   case HD_INSTR_INTRINSIC: {
      const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
      const uint8_t access = info->slots[HD_INDEX_ACCESS];
      found = i->op < HD_NUM_INTRINSICS ? hd_intrinsic_candidates[i->op] : 0;
      if (found & HD_LOWERED_SUBGROUP_DWORDS)
         found &= ~(combines_dwords((const hd_intrinsic *)i) ? HD_LOWERED_SUBGROUP_ARITH
                                                             : HD_LOWERED_SUBGROUP_DWORDS);
      if (access && (!(info->flags & HD_CROSS_LANE) || hd_samples_by_quad(i)) &&
          hd_intrinsic_indices((const hd_intrinsic *)i)[access - 1] & HD_ACCESS_NONUNIFORM)
         found |= HD_LOWERED_NONUNIFORM;
      return found;
   }
   case HD_INSTR_PHI:
      return carries_bool(i) | (i->def.num_components > 1 ? HD_LOWERED_VECTORS : 0);
   case HD_INSTR_CALL:
   case HD_INSTR_PARAM:
   case HD_INSTR_JUMP:
      return carries_bool(i);
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      found = carries_bool(i);
      if (a->var->array_length && !hd_src_as_const(&a->src[a->instr.num_srcs - 1]))
         found |= HD_LOWERED_INDIRECT_VARS;
      return found;
   default:
      return 0;
   }
}
