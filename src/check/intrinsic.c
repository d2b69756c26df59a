/* SPDX-License-Identifier: MIT */
/* intrinsic.c - the validator's checks of intrinsics against their table: types, indices, stages, uniform operands; and the
 * cases of switches.
 */
#include <string.h>

#include "instr.h"

static const char *const stage_names[HD_NUM_STAGES] = { "compute", "kernel", "vertex", "fragment" };

static bool
is_power_of_two(uint32_t n)
{
   return n && !(n & (n - 1));
}

/* OP7: each index alone, then those that speak of each other. */
static void
check_indices(visit *v, const hd_intrinsic_info *info, const uint32_t *values)
{
   for (unsigned n = 0; n < info->num_indices; n++) {
      hd_index index = (hd_index)info->indices[n];
      bool valid = hd_index_is_valid(index, values[n]);

      if (index == HD_INDEX_ALIGN_MUL)
         valid &= is_power_of_two(values[n]);
      else if (index == HD_INDEX_CLUSTER_SIZE)
         valid &= !values[n] || is_power_of_two(values[n]);
      if (!valid) {
         hd_check_fault(v, RULE_OP7, -1, "%s is %u", hd_index_get_info(index)->name, values[n]);
         return;
      }
   }
   unsigned mul = info->slots[HD_INDEX_ALIGN_MUL], offset = info->slots[HD_INDEX_ALIGN_OFFSET];
   if (mul && offset && values[offset - 1] >= values[mul - 1])
      hd_check_fault(v, RULE_OP7, -1, "align_offset is %u, which is not below align_mul, %u",
                     values[offset - 1], values[mul - 1]);
}

static uint32_t
index_value(const hd_intrinsic_info *info, const uint32_t *values, hd_index index)
{
   return info->slots[index] ? values[info->slots[index] - 1] : 0;
}

/* OP16: what combines lanes, or memory with an operand, can work on values of this size. */
static void
check_combining(visit *v, const hd_intrinsic_info *info, const uint32_t *values)
{
   unsigned bit_size = v->instr->def.bit_size;

   for (unsigned n = 0; n < info->num_indices; n++) {
      const hd_index_info *index = hd_index_get_info((hd_index)info->indices[n]);
      if (index->kind != HD_INDEX_KIND_ENUM)
         continue;
      const hd_enum_value *value = &index->values[values[n]];
      if (value->op != HD_OP_NONE && !(hd_op_get_info(value->op)->src[0].sizes & bit_size))
         hd_check_fault(v, RULE_OP16, -1, "%s cannot work on %u bits", value->name, bit_size);
   }
}

/* OP16: a coordinate is as long as the shape of the image asks, layer included; derivatives have no
 * layer.
 */
static void
check_coordinates(visit *v, const hd_intrinsic_info *info, const uint32_t *values)
{
   hd_image_dim dim = (hd_image_dim)index_value(info, values, HD_INDEX_DIM);
   bool array = index_value(info, values, HD_INDEX_ARRAY);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      const char *name = info->src[n].name;
      bool is_coord = !strcmp(name, "coord");
      if (!is_coord && strcmp(name, "ddx") && strcmp(name, "ddy"))
         continue;
      const def_info *e = def_entry(v->c, ((hd_src *)(v->instr + 1))[n].def);
      unsigned expected = hd_image_coord_components(dim, is_coord && array);
      if (!e->mistyped && e->def->num_components != expected) {
         hd_check_fault(v, RULE_OP16, (int)n, "%s: found %u components, expected %u", name,
                        e->def->num_components, expected);
         return;
      }
   }
}

static bool
wants_uniform(const hd_intrinsic_info *info)
{
   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (info->src[n].flags & (HD_OPERAND_UNIFORM | HD_OPERAND_DESCRIPTOR))
         return true;
   }
   return false;
}

void
hd_check_intrinsic(visit *v)
{
   hd_intrinsic *i = (hd_intrinsic *)v->instr;
   const hd_intrinsic_info *info = hd_shader_intrinsic_info(v->c->shader, i->instr.op);
   const hd_shader *shader = v->c->shader;
   shape s = { 0 };
   bool judged = true, present = true;

   if (!info->name[0]) {
      hd_check_fault(v, RULE_OP1, -1, "op %u of an intrinsic", i->instr.op);
      hide_sources(v);
      return;
   }
   hd_check_has_result(v, info->flags & HD_HAS_RESULT);
   if (i->instr.num_srcs != info->num_srcs) {
      hd_check_fault(v, RULE_OP2, -1, "%s: found %u operands, expected %u", info->name,
                     i->instr.num_srcs, info->num_srcs);
      hide_sources(v);
      return;
   }
   bool asks = wants_uniform(info);
   if (i->instr.flags & ~(asks ? HD_ASSUME_UNIFORM : 0u))
      hd_check_fault(v, RULE_OP6, -1, "%s has flags %#x", info->name, i->instr.flags);
   if (can_check(RULE_OP8, v->c->broken & RULE_BIT(RULE_SH3)) &&
       !(info->stages >> shader->stage & 1))
      hd_check_fault(v, RULE_OP8, -1, "%s in a %s shader", info->name, stage_names[shader->stage]);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      const def_info *e = hd_check_visit_src(v, &i->src[n], n, n);
      present &= e != NULL;
      if (e && !e->mistyped)
         hd_check_type(v, &s, &info->src[n], (int)n, e->def->num_components, e->def->bit_size);
      else
         judged = false;
   }
   if (judged && info->flags & HD_HAS_RESULT && !(v->broken & (TYPE_RULES | RULE_BIT(RULE_OP14))))
      hd_check_type(v, &s, &info->result, -1, i->instr.def.num_components, i->instr.def.bit_size);

   const uint32_t *values = hd_intrinsic_indices(i);
   check_indices(v, info, values);
   v->c->asks_uniform |= asks && !(i->instr.flags & HD_ASSUME_UNIFORM);
   if (!present || !can_check(RULE_OP16, v->broken))
      return;
   check_combining(v, info, values);
   if (info->slots[HD_INDEX_DIM])
      check_coordinates(v, info, values);
}

/* OP9: sorted in scratch, equal values are neighbours. */
void
hd_check_cases(visit *v, const hd_jump *j, unsigned bit_size)
{
   if (!j->num_cases || !j->cases)
      return;
   hd_stack_mark mark = hd_stack_get_mark(v->c->stack);
   pair *cases = hd_stack_alloc(v->c->stack, j->num_cases * sizeof(*cases));

   steps(v->c, j->num_cases);
   for (uint32_t n = 0; n < j->num_cases; n++)
      cases[n] = (pair){ j->cases[n].value, n };
   hd_check_sort_pairs(cases, j->num_cases);
   for (uint32_t n = 1; n < j->num_cases; n++) {
      if (cases[n].key == cases[n - 1].key) {
         hd_check_fault(v, RULE_OP9, -1, "two cases have the value %llu",
                        (unsigned long long)cases[n].key);
         break;
      }
   }
   uint64_t largest = cases[j->num_cases - 1].key;
   if (bit_size < 64 && largest >> bit_size)
      hd_check_fault(v, RULE_OP9, -1, "a case is %llu, and the selector has %u bits",
                     (unsigned long long)largest, bit_size);
   hd_stack_release(v->c->stack, mark);
}
