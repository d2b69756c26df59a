/* SPDX-License-Identifier: MIT */
/* values.c - instruction selection: the operands of IR values: whole, by component, in either register
 * file, as masks, in scc.
 *
 * Other forms of a value (a vector of its components, a copy in the other file) are created on demand
 * in the current block and cached for it; other blocks create their own, as this one need not dominate
 * them. Unused forms are removed by dead code elimination.
 */
#include "backend/gcn/select/alu.h"
#include "heddle/op_enum.h"

#include <assert.h>
#include <string.h>

bool
hd_gcn_is_scalar(const hd_gcn_selector *s, const hd_def *def)
{
   const hd_instr *instr = hd_def_instr(def);

   return instr->kind == HD_INSTR_CONST || instr->kind == HD_INSTR_UNDEF ||
          s->known[def->index].scalar;
}

/* Constants */

static uint64_t
constant_bits(const hd_const *c, unsigned component)
{
   const hd_const_value *v = &c->value[component];

   return c->instr.def.bit_size == 1 ? v->b : v->u64;
}

static hd_mach_operand
constant(hd_gcn_selector *s, const hd_const *c, unsigned component)
{
   uint64_t bits = constant_bits(c, component);

   if (c->instr.def.bit_size < 64)
      return hd_gcn_imm(s, (uint32_t)bits);
   hd_mach_operand operand = hd_gcn_operand_const(hd_gcn_target_in(s->p)->gen, HD_GCN_B64, bits);
   if (operand.size && operand.reg != HD_GCN_LITERAL)
      return operand;
   return hd_gcn_wide_constant(s, HD_GCN_SGPR, bits);
}

/* Wholes and parts */

static bool
is_good(const hd_gcn_selector *s, hd_mach_operand operand, uint32_t tag)
{
   return operand.size && (!tag || tag == s->block->index + 1);
}

static hd_mach_operand *
new_parts(hd_gcn_selector *s, const hd_def *def)
{
   return hd_stack_alloc(s->p->stack, def->num_components * sizeof(hd_mach_operand));
}

static void
make_parts(hd_gcn_selector *s, const hd_def *def)
{
   hd_gcn_known *k = &s->known[def->index];
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (k->parts && (!k->parts_tag || k->parts_tag == s->block->index + 1))
      return;
   if (!k->parts)
      k->parts = new_parts(s, def);
   k->parts_tag = s->block->index + 1;
   if (c) {
      for (unsigned n = 0; n < def->num_components; n++)
         k->parts[n] = constant(s, c, n);
      return;
   }
   assert(k->whole.size);
   hd_gcn_parts(s, k->whole, hd_gcn_part_size(def), k->parts);
}

hd_mach_operand
hd_gcn_component(hd_gcn_selector *s, const hd_def *def, unsigned component)
{
   if (def->num_components == 1)
      return hd_gcn_value(s, def);
   make_parts(s, def);
   hd_gcn_known *k = &s->known[def->index];
   if (k->packed && component == 1 && !is_good(s, k->parts[1], k->halves_tag)) {
      k->parts[1] = hd_gcn_shift_right(s, k->parts[0], 16);
      k->halves_tag = s->block->index + 1;
   }
   return k->parts[component];
}

/* The parts side by side, where they are not yet. */
static hd_mach_operand
make_whole(hd_gcn_selector *s, const hd_def *def, hd_gcn_file file)
{
   unsigned num = def->num_components;
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++) {
      parts[n] = hd_gcn_component(s, def, n);
      if (file == HD_GCN_SGPR)
         parts[n] = hd_gcn_to_file(s, file, parts[n]);
   }
   return hd_gcn_join(s, file, num, parts);
}

hd_mach_operand
hd_gcn_value(hd_gcn_selector *s, const hd_def *def)
{
   hd_gcn_known *k = &s->known[def->index];
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));

   if (c && def->num_components == 1) {
      const hd_mach_operand value = is_good(s, k->copy, k->copy_tag) && def->bit_size == 64 &&
                                            hd_gcn_file_of(s, k->copy) == HD_GCN_SGPR
                                        ? k->copy
                                        : constant(s, c, 0);
      if (def->bit_size == 64 && !hd_gcn_is_constant(value)) {
         k->copy = value;
         k->copy_tag = s->block->index + 1;
      }
      return value;
   }
   if (!is_good(s, k->whole, k->whole_tag)) {
      k->whole = make_whole(s, def, c || k->scalar ? HD_GCN_SGPR : HD_GCN_VGPR);
      k->whole_tag = s->block->index + 1;
   }
   return k->whole;
}

/* The value in a file, copied once a block. */
static hd_mach_operand
in_file(hd_gcn_selector *s, hd_gcn_file file, const hd_def *def)
{
   hd_gcn_known *k = &s->known[def->index];
   bool has_whole = is_good(s, k->whole, k->whole_tag);

   if (has_whole && hd_gcn_file_of(s, k->whole) == file && !hd_gcn_is_constant(k->whole))
      return k->whole;
   if (is_good(s, k->copy, k->copy_tag) && hd_gcn_file_of(s, k->copy) == file)
      return k->copy;
   if (def->num_components > 1 && !has_whole)
      k->copy = make_whole(s, def, file);
   else
      k->copy = hd_gcn_to_file(s, file, hd_gcn_value(s, def));
   k->copy_tag = s->block->index + 1;
   return k->copy;
}

hd_mach_operand
hd_gcn_in_vgprs(hd_gcn_selector *s, const hd_def *def)
{
   assert(def->bit_size != 1);
   return in_file(s, HD_GCN_VGPR, def);
}

/* Booleans */

static bool
is_dword_boolean(const hd_gcn_selector *s, hd_mach_operand value)
{
   return hd_gcn_is_constant(value) || !hd_gcn_is_mask(s, value);
}

static void
compare_with_zero(hd_gcn_selector *s, hd_mach_operand value)
{
   hd_gcn_emit2(s, HD_GCN_S_CMP_LG_U32, (hd_mach_operand){ 0 }, value, hd_gcn_imm(s, 0));
}

void
hd_gcn_in_scc(hd_gcn_selector *s, const hd_def *def)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   if (alu && s->known[def->index].scalar && s->alu_to_scc(s, alu))
      return;
   hd_mach_operand value = hd_gcn_value(s, def);
   if (hd_gcn_is_constant(value)) {
      uint64_t bits = 0;
      hd_gcn_operand_value(value, HD_GCN_B32, &bits);
      hd_gcn_emit2(s, bits ? HD_GCN_S_CMP_EQ_U32 : HD_GCN_S_CMP_LG_U32, (hd_mach_operand){ 0 },
                   hd_gcn_imm(s, 0), hd_gcn_imm(s, 0));
   } else if (is_dword_boolean(s, value)) {
      compare_with_zero(s, value);
   } else {
      hd_gcn_emit2(s, HD_GCN_S_AND_B64, hd_gcn_new_mask(s), value,
                   hd_mach_operand_reg(HD_GCN_EXEC, 2));
   }
}

hd_mach_operand
hd_gcn_in_sgprs(hd_gcn_selector *s, const hd_def *def)
{
   hd_gcn_known *k = &s->known[def->index];

   if (def->bit_size != 1)
      return in_file(s, HD_GCN_SGPR, def);
   hd_mach_operand value = hd_gcn_value(s, def);
   if (is_dword_boolean(s, value))
      return value;
   if (!is_good(s, k->copy, k->copy_tag)) {
      hd_gcn_in_scc(s, def);
      k->copy = hd_gcn_new(s, HD_GCN_SGPR, 1);
      k->copy_tag = s->block->index + 1;
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, k->copy, hd_gcn_imm(s, 1), hd_gcn_imm(s, 0));
   }
   return k->copy;
}

hd_mach_operand
hd_gcn_as_mask(hd_gcn_selector *s, const hd_def *def)
{
   hd_gcn_known *k = &s->known[def->index];
   hd_mach_operand none = hd_mach_operand_reg(HD_GCN_CONST_0, 2);
   hd_mach_operand all = hd_mach_operand_reg(193, 2); /* -1 */
   const hd_instr *instr = hd_def_instr(def);

   none.flags = all.flags = 0;
   if (instr->kind == HD_INSTR_CONST)
      return ((const hd_const *)instr)->value[0].b ? all : none;
   if (instr->kind == HD_INSTR_UNDEF)
      return none;
   hd_mach_operand value = hd_gcn_value(s, def);
   if (hd_gcn_is_constant(value)) {
      uint64_t bits = 0;
      hd_gcn_operand_value(value, HD_GCN_B32, &bits);
      return bits ? all : none;
   }
   if (!is_dword_boolean(s, value))
      return value;
   if (!is_good(s, k->copy, k->copy_tag)) {
      hd_gcn_in_scc(s, def);
      k->copy = hd_gcn_new_mask(s);
      k->copy_tag = s->block->index + 1;
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B64, k->copy, all, none);
   }
   return k->copy;
}

/* Making them known */

/* A part of it is read by itself. */
static bool
is_taken_apart(const hd_def *def)
{
   if (def->num_components == 1)
      return false;
   hd_foreach_use(use, def) {
      const hd_instr *user = hd_src_instr(use);
      if (user && user->kind == HD_INSTR_ALU)
         return true;
   }
   return false;
}

void
hd_gcn_set_value(hd_gcn_selector *s, const hd_def *def, hd_mach_operand operand)
{
   hd_gcn_known *k = &s->known[def->index];
   bool late = k->late;

   /* A divergent value of uniform operands is one that each lane keeps, too: a shuffle in a loop. */
   if ((late || !(hd_gcn_is_constant(operand) || hd_def_is_uniform(def))) && def->bit_size != 1)
      operand = hd_gcn_to_file(s, HD_GCN_VGPR, operand);
   memset(k, 0, sizeof(*k));
   k->late = late;
   k->whole = operand;
   k->scalar = hd_gcn_file_of(s, operand) == HD_GCN_SGPR && !hd_gcn_is_mask(s, operand);
   if (is_taken_apart(def)) {
      make_parts(s, def);
      k->parts_tag = 0;
   }
}

void
hd_gcn_set_parts(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand *parts)
{
   hd_gcn_known *k = &s->known[def->index];

   if (def->num_components == 1 || k->late) {
      hd_gcn_set_value(s, def,
                       def->num_components == 1
                           ? parts[0]
                           : hd_gcn_join(s, HD_GCN_VGPR, def->num_components, parts));
      return;
   }
   memset(k, 0, sizeof(*k));
   k->parts = new_parts(s, def);
   k->scalar = true;
   for (unsigned n = 0; n < def->num_components; n++) {
      k->parts[n] = parts[n];
      k->scalar &= hd_gcn_file_of(s, parts[n]) == HD_GCN_SGPR;
   }
}

void
hd_gcn_set_packed(hd_gcn_selector *s, const hd_def *def, hd_mach_operand dword)
{
   hd_gcn_known *k = &s->known[def->index];
   const bool late = k->late;

   memset(k, 0, sizeof(*k));
   k->late = late;
   k->packed = true;
   k->parts = new_parts(s, def);
   k->parts[0] = dword;
   k->parts[1] = (hd_mach_operand){ 0 };
}

void
hd_gcn_halves(hd_gcn_selector *s, const hd_def *def, hd_mach_operand whole,
              hd_mach_operand halves[2])
{
   hd_gcn_known *k = &s->known[def->index];

   if (def->num_components == 1 && is_good(s, k->halves[0], k->halves_tag) &&
       hd_gcn_file_of(s, k->halves[0]) == hd_gcn_file_of(s, whole)) {
      halves[0] = k->halves[0];
      halves[1] = k->halves[1];
      return;
   }
   hd_gcn_parts(s, whole, 1, halves);
   if (def->num_components == 1) {
      k->halves[0] = halves[0];
      k->halves[1] = halves[1];
      k->halves_tag = s->block->index + 1;
   }
}

void
hd_gcn_set_halves(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand halves[2])
{
   hd_gcn_known *k = &s->known[def->index];

   k->halves[0] = halves[0];
   k->halves[1] = halves[1];
   k->halves_tag = 0;
}

unsigned
hd_gcn_components_read(const hd_def *def)
{
   const unsigned all = (1u << def->num_components) - 1;
   unsigned mask = 0;

   hd_foreach_use(use, def) {
      const hd_instr *user = hd_src_instr(use);
      const hd_alu *alu = user ? hd_instr_as_alu(user) : NULL;
      const hd_const *at =
          alu && alu->instr.op == HD_OP_CHANNEL ? hd_src_as_const(&alu->src[1]) : NULL;
      if (!at)
         return all;
      mask |= at->value[0].u32 < def->num_components ? 1u << at->value[0].u32 : 0;
   }
   return mask;
}
