/* SPDX-License-Identifier: MIT */
#include "straight_code.h"
#include "heddle/intrinsic_enum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/private.h"
#include "sem.h"

/* Selection ------------------------------------------------------------------------------------ */

static unsigned
offset_of(const hd_instr *instr, unsigned src)
{
   const hd_const *c = hd_src_as_const(hd_instr_src(instr, src));

   assert_non_null(c);
   return c->value[0].u32;
}

/* Loads give a value, stores take one; the rest is the ALU's. */
static bool
select_one(straight_code *code, hd_gcn_selector *s, const hd_instr *instr)
{
   s->instr = instr;
   if (instr->kind == HD_INSTR_CONST || instr->kind == HD_INSTR_JUMP)
      return true;
   if (instr->kind == HD_INSTR_ALU)
      return hd_gcn_select_alu(s, (const hd_alu *)instr);
   assert_int_equal(instr->kind, HD_INSTR_INTRINSIC);
   if (instr->op == HD_INTRINSIC_STORE_SCRATCH) {
      const hd_def *def = hd_instr_src(instr, 0)->def;
      for (unsigned c = 0; c < def->num_components; c++)
         code->outputs[c] = hd_gcn_component(s, def, c);
      code->num_outputs = def->num_components;
      code->output_bits = def->bit_size;
      return true;
   }
   const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)instr);
   unsigned n = (offset_of(instr, 0) + indices[0]) / 256;
   assert_in_range(n, 0, STRAIGHT_INPUTS - 1);
   hd_gcn_file file = hd_def_is_uniform(&instr->def) ? HD_GCN_SGPR : HD_GCN_VGPR;
   code->inputs[n] = hd_gcn_new(s, file, hd_gcn_whole_size(&instr->def));
   hd_gcn_set_value(s, &instr->def, code->inputs[n]);
   return true;
}

static bool
select_all(straight_code *code)
{
   hd_mach_program *p = &code->gcn.mach;
   hd_gcn_selector s = { .p = p, .alu_to_scc = hd_gcn_alu_to_scc };
   hd_block *start = hd_function_start(p->function);

   if (!hd_gcn_check_float_mode(p))
      return false;
   assert_null(hd_block_next(start));
   hd_function_reindex(p->function);
   hd_require(p->function,
              HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_CYCLES | HD_META_DIVERGENCE);
   s.block = hd_mach_block_create(p);
   hd_mach_block_append(p, s.block);
   s.block->ir = start;
   s.known = hd_stack_alloc_zero(p->stack, (p->function->num_defs + 1) * sizeof(*s.known));
   hd_gcn_find_unwritten(&s);
   hd_gcn_plan(&s);
   hd_foreach_instr(instr, start) {
      if (!select_one(code, &s, instr))
         return false;
   }
   /* A reader of the outputs, so that they stay. */
   hd_gcn_emit_full(&s, HD_MACH_P_END, 0, NULL, code->num_outputs, code->outputs, 0);
   hd_mach_dead_code(p);
   hd_gcn_select_parts(p);
   return true;
}

bool
straight_select(straight_code *code, hd_shader *shader, hd_gcn_gen gen)
{
   static const hd_gcn_options options;
   hd_heap *heap = hd_shader_heap(shader);
   volatile bool good = false;
   hd_unwind u;

   memset(code, 0, sizeof(*code));
   code->gcn.mach.mach = &hd_gcn_target_of(gen)->mach;
   code->gcn.options = &options;
   code->gcn.source = code->gcn.mach.shader = shader;
   code->gcn.mach.function = shader->first_function;
   code->gcn.mach.stack = hd_shader_stack(shader);
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      good = select_all(code);
   assert_int_equal(hd_heap_leave(heap, &u), HD_OK);
   return good;
}

/* Registers: each value gets one where it is made, and gives it back at its last reader
 * ------------ */

typedef struct assignment {
   const straight_code *code;
   uint16_t *reg;  /* by temp */
   uint32_t *last; /* by temp: the number of the last instruction that reads it */
   bool taken[HD_MACH_MAX_REGS];
} assignment;

static void
note_readers(assignment *a)
{
   uint32_t number = 1;

   hd_mach_foreach_inst(inst, a->code->gcn.mach.first)
   {
      for (unsigned n = 0; n < (unsigned)inst->num_srcs + inst->num_defs; n++) {
         if (inst->operands[n].flags & HD_MACH_OPERAND_TEMP)
            a->last[inst->operands[n].value] = number;
      }
      number++;
   }
}

static bool
take(assignment *a, uint32_t temp)
{
   const hd_mach_temp *t = &a->code->gcn.mach.temps[temp];
   unsigned first = t->file == HD_GCN_VGPR ? HD_GCN_VGPR0 : 0;
   unsigned num = t->file == HD_GCN_VGPR ? 256 : 100;

   if (a->reg[temp] != HD_MACH_NO_REG)
      return true;
   for (unsigned r = 0; r + t->size <= num; r += t->align) {
      unsigned n = 0;
      while (n < t->size && !a->taken[first + r + n])
         n++;
      if (n < t->size)
         continue;
      memset(&a->taken[first + r], 1, t->size);
      a->reg[temp] = (uint16_t)(first + r);
      return true;
   }
   return false;
}

static void
give_back(assignment *a, uint32_t temp)
{
   memset(&a->taken[a->reg[temp]], 0, a->code->gcn.mach.temps[temp].size);
}

/* Running -------------------------------------------------------------------------------------- */

static hd_mach_operand
placed(const assignment *a, hd_mach_operand operand)
{
   if (operand.flags & HD_MACH_OPERAND_TEMP) {
      operand.reg = a->reg[operand.value];
      operand.flags &= (uint8_t)~HD_MACH_OPERAND_TEMP;
   }
   return operand;
}

static uint32_t
read_word(const hd_gcn_wave *wave, hd_mach_operand operand, unsigned word, unsigned lane,
          uint32_t *undef)
{
   *undef = 0;
   if (hd_gcn_is_constant(operand)) {
      uint64_t bits = 0;
      hd_gcn_operand_value(operand, operand.size == 2 ? HD_GCN_B64 : HD_GCN_B32, &bits);
      return (uint32_t)(bits >> 32 * word);
   }
   unsigned reg = operand.reg + word;
   if (reg >= HD_GCN_VGPR0) {
      *undef = wave->vgpr_undef[reg - HD_GCN_VGPR0][lane];
      return wave->vgpr[reg - HD_GCN_VGPR0][lane];
   }
   *undef = wave->sgpr_undef[reg];
   return wave->sgpr[reg];
}

static void
write_word(hd_gcn_wave *wave, hd_mach_operand operand, unsigned word, unsigned lane, uint32_t value,
           uint32_t undef)
{
   unsigned reg = operand.reg + word;

   if (reg >= HD_GCN_VGPR0) {
      wave->vgpr[reg - HD_GCN_VGPR0][lane] = value;
      wave->vgpr_undef[reg - HD_GCN_VGPR0][lane] = undef;
   } else {
      wave->sgpr[reg] = value;
      wave->sgpr_undef[reg] = undef;
   }
}

/* p_vector, p_split, p_copy: words of the sources, one after the other, to those of the defs. */
static void
move_words(const assignment *a, hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   uint32_t words[64], undefs[64];

   for (unsigned lane = 0; lane < 64; lane++) {
      unsigned num = 0;
      for (unsigned n = 0; n < inst->num_srcs; n++) {
         hd_mach_operand src = placed(a, *hd_mach_src(inst, n));
         for (unsigned w = 0; w < src.size; w++, num++)
            words[num] = read_word(wave, src, w, lane, &undefs[num]);
      }
      unsigned at = 0;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         hd_mach_operand def = placed(a, *hd_mach_def(inst, n));
         for (unsigned w = 0; w < def.size; w++, at++)
            write_word(wave, def, w, lane, words[at], undefs[at]);
      }
      assert_int_equal(at, num);
   }
}

/* It writes a part of the register of its last source. That one is as it was afterwards. */
static bool
execute_in_place(hd_gcn_wave *wave, hd_mach_inst *inst)
{
   const hd_mach_operand to = *hd_mach_def(inst, 0), from = *hd_mach_src(inst, inst->num_srcs - 1u);
   uint32_t old[64], undef[64];

   for (unsigned lane = 0; lane < 64; lane++)
      old[lane] = read_word(wave, from, 0, lane, &undef[lane]);
   *hd_mach_def(inst, 0) = from;
   const bool good = hd_gcn_execute(wave, inst);
   for (unsigned lane = 0; lane < 64; lane++) {
      uint32_t undefined;
      const uint32_t made = read_word(wave, from, 0, lane, &undefined);
      write_word(wave, from, 0, lane, old[lane], undef[lane]);
      write_word(wave, to, 0, lane, made, undefined);
   }
   return good;
}

static bool
run_one(const assignment *a, hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   hd_mach_operand operands[24];
   hd_mach_inst copy = *inst;
   unsigned num = (unsigned)inst->num_defs + inst->num_srcs;

   if (inst->op == HD_MACH_P_VECTOR || inst->op == HD_MACH_P_SPLIT || inst->op == HD_MACH_P_COPY) {
      move_words(a, wave, inst);
      return true;
   }
   if (inst->op == HD_MACH_P_END)
      return true;
   assert_in_range(num, 0, 24);
   for (unsigned n = 0; n < num; n++)
      operands[n] = placed(a, inst->operands[n]);
   copy.operands = operands;
   const bool in_place = inst->num_srcs > hd_gcn_op_info_of(inst)->mach.num_srcs && num > 1 &&
                         inst->num_defs == 1 && operands[0].size == 1 &&
                         operands[num - 1].reg >= HD_GCN_VGPR0;
   const hd_mach_operand to = operands[0];
   if (in_place)
      operands[0] = operands[num - 1];
   const char *why = NULL;
   if (!hd_gcn_fits(hd_gcn_target_in(&a->code->gcn.mach)->gen, &copy, (hd_gcn_form)copy.form,
                    &why)) {
      hd_gcn_tell_fault(
          wave, -1, "%s does not fit: %s",
          hd_gcn_op_name(&hd_gcn_op_infos[inst->op], hd_gcn_target_in(&a->code->gcn.mach)->gen),
          why);
      return false;
   }
   operands[0] = in_place ? to : operands[0];
   return in_place ? execute_in_place(wave, &copy) : hd_gcn_execute(wave, &copy);
}

static void
set_input(const assignment *a, hd_gcn_wave *wave, hd_mach_operand input,
          const uint32_t values[8][64])
{
   hd_mach_operand to = placed(a, input);
   bool uniform = hd_gcn_file_of(&(hd_gcn_selector){ .p = (hd_mach_program *)&a->code->gcn.mach },
                                 input) == HD_GCN_SGPR;

   for (unsigned lane = 0; lane < (uniform ? 1 : 64); lane++) {
      for (unsigned w = 0; w < to.size; w++)
         write_word(wave, to, w, lane, values[w][lane], 0);
   }
}

const char *
straight_execute(const straight_code *code, const uint32_t in[STRAIGHT_INPUTS][8][64],
                 uint64_t out[HD_MAX_COMPONENTS][64], uint64_t undefined[HD_MAX_COMPONENTS][64])
{
   static char why[600];
   assignment a = { .code = code };
   hd_gcn_wave *wave = sem_wave(hd_gcn_target_in(&code->gcn.mach)->gen);
   uint32_t number = 1;

   a.reg = malloc((code->gcn.mach.num_temps + 1) * sizeof(*a.reg));
   a.last = calloc(code->gcn.mach.num_temps + 1, sizeof(*a.last));
   memset(a.reg, 0xff, (code->gcn.mach.num_temps + 1) * sizeof(*a.reg));
   memset(wave->vgpr_undef, 0xff, sizeof(wave->vgpr_undef));
   memset(wave->sgpr_undef, 0xff, 104 * sizeof(wave->sgpr_undef[0]));
   wave->mode = hd_gcn_float_mode(code->gcn.mach.shader->float_controls) | 1u << 8;
   note_readers(&a);
   why[0] = 0;
   for (unsigned n = 0; n < STRAIGHT_INPUTS; n++) {
      if (code->inputs[n].size && take(&a, code->inputs[n].value))
         set_input(&a, wave, code->inputs[n], in[n]);
   }
   hd_mach_foreach_inst(inst, code->gcn.mach.first)
   {
      for (unsigned n = 0; n < inst->num_defs && !why[0]; n++) {
         if ((hd_mach_def(inst, n)->flags & HD_MACH_OPERAND_TEMP) &&
             !take(&a, hd_mach_def(inst, n)->value))
            snprintf(why, sizeof(why), "out of registers");
      }
      if (why[0])
         break;
      if (!run_one(&a, wave, inst)) {
         snprintf(why, sizeof(why), "%s", sem_fault());
         break;
      }
      for (unsigned n = 0; n < (unsigned)inst->num_srcs + inst->num_defs; n++) {
         const hd_mach_operand *o = &inst->operands[n];
         if ((o->flags & HD_MACH_OPERAND_TEMP) && a.last[o->value] == number &&
             inst->op != HD_MACH_P_END)
            give_back(&a, o->value);
      }
      number++;
   }
   if (!why[0] && (wave->mode & 0xff) != hd_gcn_float_mode(code->gcn.mach.shader->float_controls))
      snprintf(why, sizeof(why), "the mode register is not as it was");
   for (unsigned c = 0; c < code->num_outputs && !why[0]; c++) {
      hd_mach_operand o = placed(&a, code->outputs[c]);
      for (unsigned lane = 0; lane < 64; lane++) {
         uint32_t u0 = 0, u1 = 0;
         out[c][lane] = read_word(wave, o, 0, lane, &u0);
         if (o.size == 2)
            out[c][lane] |= (uint64_t)read_word(wave, o, 1, lane, &u1) << 32;
         undefined[c][lane] = u0 | (uint64_t)u1 << 32;
      }
   }
   free(a.reg);
   free(a.last);
   sem_wave_free(wave);
   return why[0] ? why : NULL;
}

void
straight_print(const straight_code *code)
{
   hd_mach_foreach_inst(inst, code->gcn.mach.first)
   {
      const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
      const char *name = hd_gcn_op_name(info, hd_gcn_target_in(&code->gcn.mach)->gen);
      printf("      %s%s", name ? name : "pseudo", inst->form == HD_GCN_FORM_VOP3 ? "_e64" : "");
      for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
         const hd_mach_operand *o = &inst->operands[n];
         printf("%s%s%s", n == inst->num_defs ? " <- " : " ",
                o->flags & HD_GCN_OPERAND_NEG ? "-" : "",
                o->flags & HD_GCN_OPERAND_ABS ? "abs" : "");
         if (o->flags & HD_MACH_OPERAND_TEMP)
            printf("%c%u:%u", code->gcn.mach.temps[o->value].file == HD_GCN_VGPR ? 'v' : 's',
                   o->value, o->size);
         else
            printf("r%u(%x)", o->reg, o->value);
      }
      printf("%s\n", inst->bits & HD_GCN_CLAMP ? " clamp" : "");
   }
}
