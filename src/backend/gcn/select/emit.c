/* SPDX-License-Identifier: MIT */
/* emit.c - instruction selection: legalise operands (constant bus, literals, register files).
 *
 * Patterns name values; an operand that the encoding does not allow is replaced here:
 *
 *    a scalar or constant as the second source of a VOP2     swap the operands, or 64-bit form
 *    a literal in a 64-bit form                              a scalar register
 *    two scalars on the constant bus, two literals           a vector register, a scalar register
 *    a scalar where only VGPRs go                            a vector register
 *
 * No instruction that is inserted for this writes scc.
 */
#include "backend/gcn/select/alu.h"

#include <assert.h>
#include <string.h>

hd_gcn_file
hd_gcn_file_of(const hd_gcn_selector *s, hd_mach_operand operand)
{
   if (operand.flags & HD_MACH_OPERAND_TEMP)
      return (hd_gcn_file)s->p->temps[operand.value].file;
   return operand.reg != HD_MACH_NO_REG && operand.reg >= HD_GCN_VGPR0 ? HD_GCN_VGPR : HD_GCN_SGPR;
}

bool
hd_gcn_is_mask(const hd_gcn_selector *s, hd_mach_operand operand)
{
   return (operand.flags & HD_MACH_OPERAND_TEMP) &&
          (s->p->temps[operand.value].flags & HD_MACH_TEMP_MASK);
}

bool
hd_gcn_is_constant(hd_mach_operand operand)
{
   return !(operand.flags & HD_MACH_OPERAND_TEMP) && operand.size &&
          ((operand.reg >= HD_GCN_CONST_0 && operand.reg <= 208) ||
           (operand.reg >= HD_GCN_CONST_FLOAT && operand.reg <= 248) ||
           operand.reg == HD_GCN_LITERAL);
}

static bool
is_literal(hd_mach_operand operand)
{
   return operand.reg == HD_GCN_LITERAL && !(operand.flags & HD_MACH_OPERAND_TEMP);
}

hd_mach_operand
hd_gcn_imm(const hd_gcn_selector *s, uint32_t bits)
{
   return hd_gcn_operand_const(hd_gcn_target_in(s->p)->gen, HD_GCN_B32, bits);
}

hd_mach_operand
hd_gcn_constant_in(hd_gcn_selector *s, hd_gcn_file file, uint32_t bits)
{
   hd_gcn_constants *cache = &s->constants[file];
   uint32_t tag = s->block->index + 1;

   for (unsigned n = 0; n < HD_GCN_CACHED_CONSTANTS; n++) {
      if (cache->tags[n] == tag && cache->bits[n] == bits)
         return cache->operands[n];
   }
   uint32_t temp = hd_mach_temp_create(s->p, file, 1, HD_MACH_TEMP_REMAT);
   hd_mach_operand operand = hd_mach_operand_temp(s->p, temp);
   unsigned n = cache->next++ % HD_GCN_CACHED_CONSTANTS;

   hd_gcn_emit1(s, file == HD_GCN_VGPR ? HD_GCN_V_MOV_B32 : HD_GCN_S_MOV_B32, operand,
                hd_gcn_imm(s, bits));
   cache->bits[n] = bits;
   cache->operands[n] = operand;
   cache->tags[n] = tag;
   return operand;
}

hd_mach_operand
hd_gcn_new(hd_gcn_selector *s, hd_gcn_file file, unsigned size)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, file, size, 0));
}

hd_mach_operand
hd_gcn_new_mask(hd_gcn_selector *s)
{
   return hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, HD_GCN_SGPR, 2, HD_MACH_TEMP_MASK));
}

static bool
is_same_value(hd_mach_operand a, hd_mach_operand b)
{
   return a.value == b.value && a.reg == b.reg && a.size == b.size && a.flags == b.flags;
}

/* Of this block's vectors, if one has these parts. */
static const hd_gcn_vector *
find_vector(const hd_gcn_selector *s, unsigned num, const hd_mach_operand *parts)
{
   for (unsigned v = 0; v < HD_GCN_CACHED_VECTORS; v++) {
      const hd_gcn_vector *vector = &s->vectors[v];
      unsigned n = 0;
      if (vector->tag != s->block->index + 1 || vector->num != num)
         continue;
      while (n < num && is_same_value(vector->parts[n], parts[n]))
         n++;
      if (n == num)
         return vector;
   }
   return NULL;
}

hd_mach_operand
hd_gcn_join(hd_gcn_selector *s, hd_gcn_file file, unsigned num, const hd_mach_operand *parts)
{
   const bool shares = file == HD_GCN_VGPR && num <= HD_GCN_MAX_VECTOR_PARTS;
   const hd_gcn_vector *known;
   unsigned size = 0;

   if (num == 1)
      return hd_gcn_to_file(s, file, parts[0]);
   if (shares && (known = find_vector(s, num, parts)) != NULL)
      return known->whole;
   for (unsigned n = 0; n < num; n++)
      size += parts[n].size;
   hd_mach_operand whole = hd_gcn_new(s, file, size);
   hd_gcn_emit(s, HD_MACH_P_VECTOR, whole, num, parts);
   if (shares) {
      hd_gcn_vector *vector = &s->vectors[s->next_vector++ % HD_GCN_CACHED_VECTORS];
      memcpy(vector->parts, parts, num * sizeof(*parts));
      vector->whole = whole;
      vector->num = num;
      vector->tag = s->block->index + 1;
   }
   return whole;
}

void
hd_gcn_parts(hd_gcn_selector *s, hd_mach_operand whole, unsigned size_of_part,
             hd_mach_operand *parts)
{
   unsigned num = whole.size / size_of_part;

   if (hd_gcn_is_constant(whole)) {
      uint64_t bits = 0;
      hd_gcn_operand_value(whole, whole.size == 2 ? HD_GCN_B64 : HD_GCN_B32, &bits);
      if (num == 1) {
         parts[0] = whole;
         return;
      }
      parts[0] = hd_gcn_imm(s, (uint32_t)bits);
      parts[1] = hd_gcn_imm(s, (uint32_t)(bits >> 32));
      return;
   }
   if (num == 1) {
      parts[0] = whole;
      return;
   }
   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_gcn_new(s, hd_gcn_file_of(s, whole), size_of_part);
   hd_gcn_emit_full(s, HD_MACH_P_SPLIT, num, parts, 1, &whole, 0);
}

/* A move of each half to its place, where no inline constant is both. */
hd_mach_operand
hd_gcn_wide_constant(hd_gcn_selector *s, hd_gcn_file file, uint64_t bits)
{
   const hd_mach_operand halves[2] = { hd_gcn_imm(s, (uint32_t)bits),
                                       hd_gcn_imm(s, (uint32_t)(bits >> 32)) };
   const hd_mach_operand pair =
       hd_mach_operand_temp(s->p, hd_mach_temp_create(s->p, file, 2, HD_MACH_TEMP_REMAT));

   hd_gcn_emit(s, HD_MACH_P_VECTOR, pair, 2, halves);
   return pair;
}

/* The two dwords of a constant of 64 bits. */
static void
constant_halves(hd_mach_operand operand, uint32_t halves[2])
{
   uint64_t value = 0;

   hd_gcn_operand_value(operand, HD_GCN_B64, &value);
   halves[0] = (uint32_t)value;
   halves[1] = (uint32_t)(value >> 32);
}

static hd_mach_operand
read_first_lane(hd_gcn_selector *s, hd_mach_operand operand)
{
   hd_mach_operand parts[HD_MAX_COMPONENTS * 2];

   assert(operand.size <= HD_MAX_COMPONENTS * 2);
   hd_gcn_parts(s, operand, 1, parts);
   for (unsigned n = 0; n < operand.size; n++) {
      hd_mach_operand part = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit1(s, HD_GCN_V_READFIRSTLANE_B32, part, parts[n]);
      parts[n] = part;
   }
   return hd_gcn_join(s, HD_GCN_SGPR, operand.size, parts);
}

/* A dword of an SGPR in a VGPR, copied once a block. */
static hd_mach_operand
copy_to_vgpr(hd_gcn_selector *s, hd_mach_operand operand)
{
   hd_gcn_copy *copy = &s->copies[operand.value % HD_GCN_CACHED_COPIES];
   const uint32_t tag = s->block->index + 1;
   const bool temp = operand.flags & HD_MACH_OPERAND_TEMP;

   if (temp && copy->tag == tag && copy->temp == operand.value)
      return copy->operand;
   const hd_mach_operand result = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit1(s, HD_GCN_V_MOV_B32, result, operand);
   if (temp)
      *copy = (hd_gcn_copy){ result, operand.value, tag };
   return result;
}

hd_mach_operand
hd_gcn_to_file(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand operand)
{
   uint8_t modifiers = operand.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS);
   hd_mach_operand result;

   operand.flags &= (uint8_t)~modifiers;
   if (hd_gcn_is_constant(operand)) {
      if (operand.size == 1) {
         uint64_t bits = 0;
         hd_gcn_operand_value(operand, HD_GCN_B32, &bits);
         result = hd_gcn_constant_in(s, file, (uint32_t)bits);
      } else {
         uint32_t halves[2];
         constant_halves(operand, halves);
         result = hd_gcn_wide_constant(s, file, halves[0] | (uint64_t)halves[1] << 32);
      }
   } else if (hd_gcn_file_of(s, operand) == file) {
      result = operand;
   } else if (file == HD_GCN_VGPR) {
      assert(!hd_gcn_is_mask(s, operand));
      if (operand.size == 1) {
         result = copy_to_vgpr(s, operand);
      } else {
         result = hd_gcn_new(s, HD_GCN_VGPR, operand.size);
         hd_gcn_emit1(s, (hd_gcn_op)HD_MACH_P_COPY, result, operand);
      }
   } else {
      result = read_first_lane(s, operand);
   }
   result.flags |= modifiers;
   return result;
}

static bool
takes(const hd_gcn_selector *s, unsigned kinds, hd_mach_operand operand)
{
   if (!operand.size)
      return kinds & HD_GCN_TAKES_NOTHING;
   if (is_literal(operand))
      return kinds & HD_GCN_TAKES_LITERAL;
   if (hd_gcn_is_constant(operand))
      return kinds & HD_GCN_TAKES_INLINE;
   return kinds &
          (hd_gcn_file_of(s, operand) == HD_GCN_VGPR ? HD_GCN_TAKES_VGPR : HD_GCN_TAKES_SGPR);
}

/* A constant as the row reads it; what selection hands over are 32 bits, or 64. Where the row takes
 * none, a longer form may: the constant stays, unless it is another number there.
 */
static hd_mach_operand
constant_as(const hd_gcn_selector *s, hd_mach_operand operand, const hd_mach_operand_info *info)
{
   uint64_t bits = 0, read = 0;

   if (!hd_gcn_is_constant(operand) || operand.size != 1 || info->size == 2)
      return operand;
   hd_gcn_operand_value(operand, HD_GCN_B32, &bits);
   if (info->type == HD_GCN_F16 || info->type == HD_GCN_I16 || info->type == HD_GCN_U16 ||
       info->type == HD_GCN_B16)
      bits &= 0xffff;
   if (!(info->kinds & HD_GCN_TAKES_INLINE) &&
       (is_literal(operand) || !hd_gcn_operand_value(operand, (hd_gcn_type)info->type, &read) ||
        read == bits))
      return operand;
   hd_mach_operand as =
       hd_gcn_operand_const(hd_gcn_target_in(s->p)->gen, (hd_gcn_type)info->type, bits);
   as.flags |= operand.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS);
   return as;
}

/* Vector ALU: which of the forms. */

static const hd_mach_operand_info *
src_info(const hd_mach_inst *inst, unsigned n)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   return &info->mach.operands[info->mach.num_defs + n];
}

static bool
same_register(hd_mach_operand a, hd_mach_operand b)
{
   if (is_literal(a) || is_literal(b))
      return is_literal(a) && is_literal(b) && a.value == b.value;
   if ((a.flags ^ b.flags) & HD_MACH_OPERAND_TEMP)
      return false;
   return a.flags & HD_MACH_OPERAND_TEMP ? a.value == b.value : a.reg == b.reg;
}

static bool
on_constant_bus(const hd_gcn_selector *s, hd_mach_operand operand)
{
   if (!operand.size || (hd_gcn_is_constant(operand) && !is_literal(operand)))
      return false;
   return hd_gcn_file_of(s, operand) == HD_GCN_SGPR && operand.reg != HD_GCN_EXEC &&
          operand.reg != HD_GCN_SCC;
}

/* Whether source n is one too many, those before it being there. */
static bool
overflows_bus(const hd_gcn_selector *s, const hd_mach_inst *inst, unsigned n)
{
   hd_mach_operand operand = *hd_mach_src(inst, n);
   bool taken = false;

   if (!on_constant_bus(s, operand))
      return false;
   /* A mask cannot be elsewhere: it comes first. */
   for (unsigned k = 0; k < inst->num_srcs; k++) {
      hd_mach_operand other = *hd_mach_src(inst, k);
      if ((k < n || src_info(inst, k)->type == HD_GCN_MASK) && k != n &&
          on_constant_bus(s, other)) {
         if (same_register(other, operand))
            return false;
         taken = true;
      }
   }
   return taken && src_info(inst, n)->type != HD_GCN_MASK;
}

/* Operands that the base form has in vcc, elsewhere; modifiers. */
static bool
needs_vop3(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (inst->bits & (HD_GCN_CLAMP | HD_GCN_OMOD_MASK))
      return true;
   for (unsigned n = 0; n < (unsigned)info->mach.num_defs + info->mach.num_srcs; n++) {
      hd_mach_operand operand = inst->operands[n];
      if (operand.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS))
         return true;
      if ((info->mach.operands[n].kinds & HD_GCN_TAKES_ONE) &&
          operand.reg != info->mach.operands[n].fixed)
         return true;
   }
   return false;
}

static unsigned
kinds_of_src(const hd_mach_inst *inst, unsigned n, hd_gcn_form form)
{
   unsigned kinds = src_info(inst, n)->kinds;

   if (form != HD_GCN_FORM_VOP3 || (kinds & HD_GCN_TAKES_IMPLICIT))
      return kinds;
   if (src_info(inst, n)->type == HD_GCN_MASK)
      return HD_GCN_TAKES_SGPR | HD_GCN_TAKES_INLINE;
   /* v_readlane_b32 and the like take no more there than the row says. */
   if (!(src_info(inst, 0)->kinds & HD_GCN_TAKES_INLINE) || !(kinds & HD_GCN_TAKES_VGPR))
      return kinds & ~(unsigned)HD_GCN_TAKES_LITERAL;
   return HD_GCN_TAKES_SGPR | HD_GCN_TAKES_VGPR | HD_GCN_TAKES_INLINE;
}

static bool
fits(const hd_gcn_selector *s, const hd_mach_inst *inst, hd_gcn_form form)
{
   const bool no_literal = s->no_literal && hd_gcn_op_info_of(inst)->mach.flags & HD_GCN_OMOD_CLAMP;

   if (form == HD_GCN_FORM_BASE && needs_vop3(inst))
      return false;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (no_literal && is_literal(*hd_mach_src(inst, n)))
         return false;
      unsigned kinds = kinds_of_src(inst, n, form);
      if (kinds & HD_GCN_TAKES_ONE ? hd_mach_src(inst, n)->reg != src_info(inst, n)->fixed
                                   : !takes(s, kinds, *hd_mach_src(inst, n)))
         return false;
      if (overflows_bus(s, inst, n))
         return false;
   }
   return true;
}

static void
swap_srcs(hd_mach_inst *inst, hd_gcn_op op)
{
   hd_mach_operand first = *hd_mach_src(inst, 0);

   *hd_mach_src(inst, 0) = *hd_mach_src(inst, 1);
   *hd_mach_src(inst, 1) = first;
   inst->op = (uint16_t)op;
}

/* Put operands into registers until the form takes them. */
static void
move_srcs(hd_gcn_selector *s, hd_mach_inst *inst, hd_gcn_form form)
{
   inst->form = (uint8_t)form;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      unsigned kinds = kinds_of_src(inst, n, form);
      if ((kinds & HD_GCN_TAKES_ONE) || !src->size)
         continue;
      if (!takes(s, kinds, *src)) {
         bool scalar = is_literal(*src) && (kinds & HD_GCN_TAKES_SGPR);
         *src = hd_gcn_to_file(s, scalar ? HD_GCN_SGPR : HD_GCN_VGPR, *src);
      }
      if (overflows_bus(s, inst, n))
         *src = hd_gcn_to_file(s, HD_GCN_VGPR, *src);
   }
}

static void
legalize_valu(hd_gcn_selector *s, hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   bool has_forms =
       info->format == HD_GCN_VOP1 || info->format == HD_GCN_VOP2 || info->format == HD_GCN_VOPC;
   hd_gcn_gen gen = hd_gcn_target_in(s->p)->gen;
   int swapped = hd_gcn_swapped(gen, (hd_gcn_op)inst->op);

   if (!has_forms || info->vop3_opcode[gen] < 0) {
      move_srcs(s, inst, HD_GCN_FORM_BASE);
      return;
   }
   if (info->opcode[gen] < 0) {
      move_srcs(s, inst, HD_GCN_FORM_VOP3);
      return;
   }
   if (fits(s, inst, HD_GCN_FORM_BASE))
      return;
   if (swapped >= 0) {
      hd_gcn_op as_it_was = (hd_gcn_op)inst->op;
      swap_srcs(inst, (hd_gcn_op)swapped);
      if (fits(s, inst, HD_GCN_FORM_BASE))
         return;
      swap_srcs(inst, as_it_was);
   }
   move_srcs(s, inst, HD_GCN_FORM_VOP3);
}

static void
legalize_salu(hd_gcn_selector *s, hd_mach_inst *inst)
{
   const hd_mach_operand *literal = NULL;

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      assert(hd_gcn_file_of(s, *src) == HD_GCN_SGPR);
      if (!is_literal(*src))
         continue;
      if ((literal && literal->value != src->value) ||
          !(src_info(inst, n)->kinds & HD_GCN_TAKES_LITERAL))
         *src = hd_gcn_to_file(s, HD_GCN_SGPR, *src);
      else
         literal = src;
   }
}

/* Memory and the like. */
static void
legalize_other(hd_gcn_selector *s, hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      hd_mach_operand *src = hd_mach_src(inst, n);
      unsigned kinds = src_info(inst, n)->kinds;
      if ((kinds & HD_GCN_TAKES_ONE) || !src->size || takes(s, kinds, *src))
         continue;
      assert(kinds & HD_GCN_TAKES_VGPR || hd_gcn_file_of(s, *src) == HD_GCN_SGPR);
      *src = hd_gcn_to_file(s, kinds & HD_GCN_TAKES_VGPR ? HD_GCN_VGPR : HD_GCN_SGPR, *src);
   }
}

static void
legalize(hd_gcn_selector *s, hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (info->format == HD_GCN_PSEUDO)
      return;
   if (hd_gcn_is_salu(info) || info->format == HD_GCN_SOPP)
      legalize_salu(s, inst);
   else if (hd_gcn_is_valu(info))
      legalize_valu(s, inst);
   else
      legalize_other(s, inst);
}

/* Defs that the caller did not ask for are written all the same. */
static void
write_defs(hd_gcn_selector *s, hd_mach_inst *inst, unsigned num_defs, const hd_mach_operand *defs)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   for (unsigned n = 0; n < inst->num_defs; n++) {
      hd_mach_operand *def = hd_mach_def(inst, n);
      if (n < num_defs && defs[n].size) {
         *def = defs[n];
      } else if (info->format != HD_GCN_PSEUDO && !def->size) {
         const hd_mach_operand_info *row = &info->mach.operands[n];
         *def = row->type == HD_GCN_MASK         ? hd_gcn_new_mask(s)
                : row->kinds & HD_GCN_TAKES_VGPR ? hd_gcn_new(s, HD_GCN_VGPR, row->size)
                                                 : hd_gcn_new(s, HD_GCN_SGPR, row->size);
      }
      if (def->flags & HD_MACH_OPERAND_TEMP)
         s->p->temps[def->value].def = inst;
   }
}

hd_mach_inst *
hd_gcn_emit_full(hd_gcn_selector *s, unsigned op, unsigned num_defs, const hd_mach_operand *defs,
                 unsigned num_srcs, const hd_mach_operand *srcs, unsigned bits)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   bool pseudo = info->format == HD_GCN_PSEUDO;
   bool no_result = (info->mach.flags & HD_GCN_RETURNS_IF_GLC) && !(bits & HD_GCN_GLC);
   hd_mach_inst *inst = hd_gcn_inst_create(s->p, op,
                                           pseudo      ? num_defs
                                           : no_result ? 0
                                                       : info->mach.num_defs,
                                           pseudo ? num_srcs : info->mach.num_srcs);

   assert(pseudo || hd_gcn_op_name(info, hd_gcn_target_in(s->p)->gen));
   inst->bits = (uint16_t)bits;
   inst->loc = s->instr ? s->instr->loc : 0;
   write_defs(s, inst, num_defs, defs);
   for (unsigned n = 0; n < num_srcs; n++) {
      if (srcs[n].size)
         *hd_mach_src(inst, n) = pseudo ? srcs[n] : constant_as(s, srcs[n], src_info(inst, n));
   }
   legalize(s, inst);
   hd_mach_inst_append(s->block, inst);
   return inst;
}

hd_mach_inst *
hd_gcn_emit(hd_gcn_selector *s, unsigned op, hd_mach_operand def, unsigned num_srcs,
            const hd_mach_operand *srcs)
{
   return hd_gcn_emit_full(s, op, def.size ? 1 : 0, &def, num_srcs, srcs, 0);
}

hd_mach_inst *
hd_gcn_emit1(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a)
{
   return hd_gcn_emit(s, op, def, 1, &a);
}

hd_mach_inst *
hd_gcn_emit2(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a,
             hd_mach_operand b)
{
   return hd_gcn_emit(s, op, def, 2, (hd_mach_operand[]){ a, b });
}

hd_mach_inst *
hd_gcn_emit3(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand def, hd_mach_operand a,
             hd_mach_operand b, hd_mach_operand c)
{
   return hd_gcn_emit(s, op, def, 3, (hd_mach_operand[]){ a, b, c });
}
