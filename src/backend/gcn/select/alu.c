/* SPDX-License-Identifier: MIT */
/* alu.c - instruction selection of ALU ops, by the rows of select_rows.py.
 *
 *    op, sizes, class  ->  the first pattern that generation and float mode allow  ->  steps
 *
 * Operands are materialised before the first step, as that may write scc, which steps pass on to
 * each other. fneg and fabs become source modifiers if every step that reads them has modifiers;
 * fsat and multiplication by 2, 4 and 1/2 become output modifiers of the instruction that computes
 * the operand, if it has no other user: see modifiers.c.
 */
#include "backend/gcn/select/table.h"
#include "heddle/op_enum.h"

#include <assert.h>
#include <string.h>

enum { MAX_PARTS = 4, MAX_TEMPS = 64, MAX_STEP_OPERANDS = 8 };

typedef struct expansion {
   hd_gcn_selector *s;
   const hd_alu *alu;
   const hd_gcn_select_pattern *pattern;
   bool scalar;
   bool to_scc; /* what is asked for is what the last step leaves in scc: it is no constant */
   bool bound[HD_MAX_OP_SRCS][MAX_PARTS];
   hd_mach_operand srcs[HD_MAX_OP_SRCS][MAX_PARTS];
   hd_mach_operand src_halves[HD_MAX_OP_SRCS][2];
   hd_mach_operand temps[MAX_TEMPS];
   hd_mach_operand halves[MAX_TEMPS][2];
   hd_mach_operand results[MAX_PARTS][3];
   unsigned mode; /* how floats are rounded and flushed at this step */
} expansion;

/* Rows */

static unsigned
key_size(const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (info->src[n].size_variable)
         return alu->src[n].def->bit_size;
   }
   return 0;
}

static const hd_gcn_select_row *
find_row(const hd_alu *alu, bool scalar)
{
   const hd_gcn_select_range *range = &hd_gcn_select_ranges[alu->instr.op];
   bool sized = hd_op_get_info((hd_op)alu->instr.op)->flags & HD_OP_SIZED;
   unsigned from = key_size(alu), to = sized ? alu->instr.def.bit_size : 0;

   for (unsigned n = range->first; n < (unsigned)range->first + range->num; n++) {
      const hd_gcn_select_row *row = &hd_gcn_select_rows[n];
      if (row->scalar == scalar && row->from == from && row->to == to)
         return row;
   }
   return NULL;
}

static const hd_gcn_select_pattern *
find_pattern(const hd_gcn_selector *s, const hd_alu *alu, bool scalar)
{
   const hd_gcn_select_row *row = find_row(alu, scalar);
   unsigned controls = s->p->shader->float_controls & HD_FLOAT_MODES;
   unsigned holds = controls | (~controls & HD_FLOAT_MODES) << 6;

   for (unsigned n = 0; row && n < row->num_patterns; n++) {
      const hd_gcn_select_pattern *pattern = &hd_gcn_select_patterns[row->first_pattern + n];
      if (pattern->gens >> hd_gcn_target_in(s->p)->gen & 1 && !(pattern->when & ~holds))
         return pattern;
   }
   return NULL;
}

/* Operands */

static hd_mach_operand
fetch(const expansion *e, unsigned n, unsigned component)
{
   const hd_def *def = e->alu->src[n].def;
   hd_gcn_selector *s = e->s;
   unsigned mods = 0;

   if (def->bit_size == 1)
      return e->scalar ? hd_gcn_in_sgprs(s, def) : hd_gcn_as_mask(s, def);
   if (!e->scalar && e->pattern->modifiable >> n & 1)
      def = hd_gcn_look_through_signs(def, &mods);
   hd_mach_operand operand = hd_gcn_component(s, def, component);
   if (e->scalar && !(hd_gcn_is_constant(operand) && operand.size == 1))
      operand = hd_gcn_to_file(s, HD_GCN_SGPR,
                               def->num_components == 1 ? hd_gcn_in_sgprs(s, def) : operand);
   operand.flags |= (uint8_t)mods;
   return operand;
}

/* Operand n of a step, definitions first. */
static const hd_gcn_select_ref *
ref_of(const hd_gcn_select_step *step, unsigned n)
{
   return &hd_gcn_select_refs[hd_gcn_select_ref_numbers[step->first_ref + n]];
}

/* All that the steps read, before any of them. */
static void
fetch_all(expansion *e)
{
   for (unsigned k = 0; k < e->pattern->num_steps; k++) {
      const hd_gcn_select_step *step = &hd_gcn_select_steps[e->pattern->first_step + k];
      for (unsigned r = step->num_defs; r < (unsigned)step->num_defs + step->num_srcs; r++) {
         const hd_gcn_select_ref *ref = ref_of(step, r);
         if (ref->kind != REF_SRC || step->op == STEP_TO_SCC)
            continue;
         unsigned n = ref->index, c = ref->component;
         if (!e->bound[n][c])
            e->srcs[n][c] = fetch(e, n, c);
         e->bound[n][c] = true;
         if (ref->part && !e->src_halves[n][0].size)
            hd_gcn_halves(e->s, e->alu->src[n].def, e->srcs[n][c], e->src_halves[n]);
      }
   }
}

static hd_mach_operand
with_mods(hd_mach_operand operand, unsigned mods)
{
   if (mods & HD_GCN_OPERAND_ABS)
      operand.flags = (operand.flags & (uint8_t)~HD_GCN_OPERAND_NEG) | HD_GCN_OPERAND_ABS;
   operand.flags ^= mods & HD_GCN_OPERAND_NEG;
   return operand;
}

static hd_mach_operand
constant_ref(const expansion *e, const hd_gcn_select_ref *ref)
{
   uint64_t bits = hd_gcn_select_constants[ref->index];

   if (ref->size == 1)
      return hd_gcn_imm(e->s, (uint32_t)bits);
   hd_mach_operand operand = hd_gcn_operand_const(hd_gcn_target_in(e->s->p)->gen, HD_GCN_B64, bits);
   if (operand.size && operand.reg != HD_GCN_LITERAL)
      return operand;
   return hd_gcn_wide_constant(e->s, HD_GCN_SGPR, bits);
}

static hd_mach_operand
read_ref(expansion *e, const hd_gcn_select_ref *ref)
{
   switch (ref->kind) {
   case REF_SRC:
      return with_mods(ref->part ? e->src_halves[ref->index][ref->part - 1]
                                 : e->srcs[ref->index][ref->component],
                       ref->mods);
   case REF_TEMP:
      if (ref->part && !e->halves[ref->index][0].size)
         hd_gcn_parts(e->s, e->temps[ref->index], 1, e->halves[ref->index]);
      return with_mods(ref->part ? e->halves[ref->index][ref->part - 1] : e->temps[ref->index],
                       ref->mods);
   case REF_CONST:
      return constant_ref(e, ref);
   default:
      assert(ref->kind == REF_FIXED);
      return hd_mach_operand_reg(ref->index, ref->size);
   }
}

static hd_mach_operand
new_value(hd_gcn_selector *s, const hd_gcn_select_ref *ref)
{
   if (ref->file == FILE_MASK)
      return hd_gcn_new_mask(s);
   return hd_gcn_new(s, ref->file == FILE_VECTOR ? HD_GCN_VGPR : HD_GCN_SGPR, ref->size);
}

static void
write_ref(expansion *e, const hd_gcn_select_ref *ref, hd_mach_operand operand)
{
   if (ref->kind == REF_RESULT)
      e->results[ref->component][ref->part] = operand;
   else if (ref->kind == REF_TEMP)
      e->temps[ref->index] = operand;
}

/* Steps */

static void
set_mode(expansion *e, unsigned mode)
{
   hd_gcn_set_float_mode(e->s, e->mode, mode);
   e->mode = mode;
}

/* `change`: a mask, from bit 8 on the bits, in bit 16 whether 32 bits are rounded as 16 are. */
static void
change_mode(expansion *e, uint64_t change)
{
   unsigned mode = hd_gcn_float_mode(e->s->p->shader->float_controls);

   if (change >> 16 & 1)
      mode = hd_gcn_float_mode_as_16(mode);
   set_mode(e, (mode & ~(unsigned)(change & 0xff)) | (change >> 8 & 0xff));
}

/* Is a result needed besides the first? A carry is none that could be known beforehand. */
static bool
has_more_results(const hd_gcn_select_step *step)
{
   for (unsigned n = 1; n < step->num_defs; n++) {
      if (ref_of(step, n)->kind != REF_NONE)
         return true;
   }
   return false;
}

static void
run_step(expansion *e, const hd_gcn_select_step *step)
{
   hd_mach_operand operands[MAX_STEP_OPERANDS] = { { 0 } };
   unsigned num_defs = step->num_defs;

   if (step->op == STEP_TO_SCC) {
      hd_gcn_in_scc(e->s, e->alu->src[ref_of(step, 0)->index].def);
      return;
   }
   if (step->op == STEP_MODE) {
      change_mode(e, hd_gcn_select_constants[ref_of(step, 0)->index]);
      return;
   }
   for (unsigned n = 0; n < step->num_srcs; n++)
      operands[num_defs + n] = read_ref(e, ref_of(step, num_defs + n));
   if (step->op == STEP_MOVE) {
      write_ref(e, ref_of(step, 0), operands[1]);
      return;
   }
   hd_mach_operand folded;
   if (!step->bits && !has_more_results(step) && !e->to_scc &&
       hd_gcn_fold_step(e->s, (hd_gcn_op)step->op, step->num_srcs, operands + num_defs, &folded)) {
      write_ref(e, ref_of(step, 0), folded);
      return;
   }
   for (unsigned n = 0; n < num_defs; n++) {
      const hd_gcn_select_ref *ref = ref_of(step, n);
      if (ref->kind == REF_FIXED)
         operands[n] = hd_mach_operand_reg(ref->index, ref->size);
      else if (ref->kind != REF_NONE)
         operands[n] = new_value(e->s, ref);
   }
   hd_gcn_emit_full(e->s, (hd_gcn_op)step->op, num_defs, operands, step->num_srcs,
                    operands + num_defs, step->bits);
   for (unsigned n = 0; n < num_defs; n++)
      write_ref(e, ref_of(step, n), operands[n]);
}

static void
set_result(expansion *e)
{
   hd_gcn_selector *s = e->s;
   const hd_def *def = &e->alu->instr.def;
   hd_mach_operand parts[MAX_PARTS];

   if (e->pattern->scc && !e->results[0][0].size) {
      e->results[0][0] = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, e->results[0][0], hd_gcn_imm(s, 1), hd_gcn_imm(s, 0));
   }
   for (unsigned c = 0; c < def->num_components; c++) {
      hd_mach_operand *halves = &e->results[c][PART_LOW];
      parts[c] = e->results[c][PART_WHOLE];
      if (!parts[c].size)
         parts[c] = hd_gcn_join(s, e->scalar ? HD_GCN_SGPR : HD_GCN_VGPR, 2, halves);
      if (s->known[def->index].read_back)
         parts[c] = hd_gcn_to_file(s, HD_GCN_SGPR, parts[c]);
   }
   hd_gcn_set_parts(s, def, parts);
   if (e->alu->instr.op == HD_OP_UNPACK_32_2X16)
      s->known[def->index].packed =
          parts[0].flags & HD_MACH_OPERAND_TEMP && !s->known[def->index].late;
   if (def->num_components == 1 && e->results[0][PART_LOW].size)
      hd_gcn_set_halves(s, def, &e->results[0][PART_LOW]);
}

static void
expand(hd_gcn_selector *s, const hd_alu *alu, const hd_gcn_select_pattern *pattern, bool scalar,
       bool to_scc)
{
   expansion e = { .s = s, .alu = alu, .pattern = pattern, .scalar = scalar, .to_scc = to_scc };

   fetch_all(&e);
   e.mode = hd_gcn_float_mode(s->p->shader->float_controls);
   for (unsigned n = 0; n < pattern->num_steps; n++)
      run_step(&e, &hd_gcn_select_steps[pattern->first_step + n]);
   set_mode(&e, hd_gcn_float_mode(s->p->shader->float_controls));
   if (!to_scc)
      set_result(&e);
}

/* Vectors */

static bool
constant_index(const hd_src *src, uint64_t *index)
{
   const hd_const *c = hd_src_as_const(src);

   if (c)
      *index = c->value[0].u32;
   return c != NULL;
}

/* One of two values where the index is this number, whole or by halves. */
static hd_mach_operand
choose_at(hd_gcn_selector *s, hd_mach_operand index, uint32_t number, hd_mach_operand yes,
          hd_mach_operand no, bool scalar)
{
   hd_mach_operand result, a[2], b[2], mask;

   if (scalar) {
      result = hd_gcn_new(s, HD_GCN_SGPR, yes.size);
      hd_gcn_emit2(s, HD_GCN_S_CMP_EQ_U32, (hd_mach_operand){ 0 }, index, hd_gcn_imm(s, number));
      hd_gcn_emit2(s, yes.size == 2 ? HD_GCN_S_CSELECT_B64 : HD_GCN_S_CSELECT_B32, result, yes, no);
      return result;
   }
   mask = hd_gcn_new_mask(s);
   hd_gcn_emit2(s, HD_GCN_V_CMP_EQ_U32, mask, hd_gcn_imm(s, number), index);
   hd_gcn_parts(s, yes, 1, a);
   hd_gcn_parts(s, no, 1, b);
   for (unsigned n = 0; n < yes.size; n++) {
      hd_mach_operand part = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, part, b[n], a[n], mask);
      a[n] = part;
   }
   return hd_gcn_join(s, HD_GCN_VGPR, yes.size, a);
}

static hd_mach_operand
scalar_or_any(hd_gcn_selector *s, const hd_def *def, unsigned component, bool scalar)
{
   hd_mach_operand operand = hd_gcn_component(s, def, component);

   return scalar && !hd_gcn_is_constant(operand) ? hd_gcn_to_file(s, HD_GCN_SGPR, operand)
                                                 : operand;
}

static bool
select_channel(hd_gcn_selector *s, const hd_alu *alu, bool scalar)
{
   const hd_def *vector = alu->src[0].def;
   uint64_t at;

   if (constant_index(&alu->src[1], &at)) {
      hd_gcn_set_value(s, &alu->instr.def,
                       at < vector->num_components
                           ? hd_gcn_component(s, vector, (unsigned)at)
                           : hd_gcn_operand_const(hd_gcn_target_in(s->p)->gen,
                                                  vector->bit_size == 64 ? HD_GCN_B64 : HD_GCN_B32,
                                                  0));
      return true;
   }
   hd_mach_operand index = scalar_or_any(s, alu->src[1].def, 0, scalar);
   hd_mach_operand result = hd_gcn_operand_const(
       hd_gcn_target_in(s->p)->gen, vector->bit_size == 64 ? HD_GCN_B64 : HD_GCN_B32, 0);
   for (unsigned c = 0; c < vector->num_components; c++)
      result = choose_at(s, index, c, scalar_or_any(s, vector, c, scalar), result, scalar);
   hd_gcn_set_value(s, &alu->instr.def, result);
   return true;
}

static bool
select_insert(hd_gcn_selector *s, const hd_alu *alu, bool scalar)
{
   const hd_def *vector = alu->src[0].def;
   hd_mach_operand parts[HD_MAX_COMPONENTS];
   hd_mach_operand value = scalar_or_any(s, alu->src[1].def, 0, scalar);
   uint64_t at;
   bool known = constant_index(&alu->src[2], &at);
   hd_mach_operand index = known ? value : scalar_or_any(s, alu->src[2].def, 0, scalar);

   for (unsigned c = 0; c < vector->num_components; c++) {
      parts[c] = scalar_or_any(s, vector, c, scalar);
      if (known)
         parts[c] = at == c ? value : parts[c];
      else
         parts[c] = choose_at(s, index, c, value, parts[c], scalar);
   }
   hd_gcn_set_parts(s, &alu->instr.def, parts);
   return true;
}

static bool
select_vec(hd_gcn_selector *s, const hd_alu *alu)
{
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < alu->instr.num_srcs; c++)
      parts[c] = hd_gcn_value(s, alu->src[c].def);
   hd_gcn_set_parts(s, &alu->instr.def, parts);
   return true;
}

static bool
only_moves(const hd_alu *alu)
{
   return alu->instr.op == HD_OP_VEC || alu->instr.op == HD_OP_CHANNEL ||
          alu->instr.op == HD_OP_INSERT_CHANNEL;
}

static bool
has_boolean_parts(const hd_alu *alu)
{
   return alu->instr.def.bit_size == 1 && (only_moves(alu) || alu->instr.def.num_components > 1);
}

bool
hd_gcn_alu_can_be_scalar(const hd_gcn_selector *s, const hd_alu *alu)
{
   return only_moves(alu) || (!hd_gcn_is_packed_op(s, &alu->instr) && find_pattern(s, alu, true));
}

bool
hd_gcn_alu_to_scc(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_gcn_select_pattern *pattern = find_pattern(s, alu, true);

   if (!pattern || !pattern->scc)
      return false;
   if (hd_gcn_fold_test(s, alu))
      return true;
   expand(s, alu, pattern, true, true);
   return true;
}

bool
hd_gcn_select_alu(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   bool scalar = s->known[alu->instr.def.index].scalar;

   if (hd_gcn_is_packed_condition(s, alu))
      return true;
   if (has_boolean_parts(alu))
      return hd_mach_refuse(s->p, &alu->instr, "a vector of booleans: run lower_vectors");
   if (alu->instr.op == HD_OP_VEC)
      return select_vec(s, alu);
   if (alu->instr.op == HD_OP_CHANNEL)
      return select_channel(s, alu, scalar);
   if (alu->instr.op == HD_OP_INSERT_CHANNEL)
      return select_insert(s, alu, scalar);
   if (hd_gcn_is_packed_op(s, &alu->instr))
      return hd_gcn_select_packed(s, alu);
   if ((info->flags & HD_OP_COMPONENTWISE) && alu->instr.def.num_components > 1)
      return hd_mach_refuse(s->p, &alu->instr, "%s of vectors: run lower_vectors", info->name);
   if (hd_gcn_fold_into_operand(s, alu) || hd_gcn_fold_pair(s, alu))
      return true;
   /* What is read back is made as a vector. */
   scalar &= !s->known[alu->instr.def.index].read_back;
   const hd_gcn_select_pattern *pattern = find_pattern(s, alu, scalar);
   if (!pattern)
      return hd_mach_refuse(s->p, &alu->instr, "unsupported conversion %s from %u bits to %u bits",
                            info->name, alu->src[0].def->bit_size, alu->instr.def.bit_size);
   s->no_literal = !scalar && hd_gcn_will_be_clamped(alu);
   expand(s, alu, pattern, scalar, false);
   s->no_literal = false;
   return true;
}
