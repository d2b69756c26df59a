/* SPDX-License-Identifier: MIT */
/* toy_run.c - runs a program of the toy machine: lanes, one pc.
 *
 * Values are in arrays by their number, phis are copies: of vector values before the tail of each
 * logical predecessor, for the active lanes; of scalars when the pc takes an edge. What was never
 * written reads as a pattern.
 */
#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"
#include "ir/fold.h"
#include "toy.h"

#define LANES   64u
#define PATTERN 0xa5a5a5a5u
#define DEPTH   1000u
#define PARTS   4u /* components of a value, at most */

/* Of the structured instructions and of the stack. */
typedef enum entry_kind { ENTRY_IF, ENTRY_LOOP } entry_kind;
typedef struct entry {
   entry_kind kind;
   uint64_t saved;               /* stack: the lanes when it was pushed */
   uint64_t ran;                 /* stack: those that ran the first list */
   uint64_t wait_else, wait_end; /* structured */
   uint64_t broke, continued;    /* loops */
} entry;

typedef struct state {
   toy_program *t;
   hd_mach_program *p;
   const toy_launch *launch;
   uint32_t *values;  /* [temp][component][lane]; of scalars lane 0 */
   uint32_t *spilled; /* [dword][file][lane] */
   uint32_t flag;
   uint64_t active, ended;
   uint32_t numbers[LANES];
   entry *entries;
   uint32_t num_entries, size; /* `size` of the stack as its rows count */
   uint64_t coin;              /* where the machine may choose */
   const char *wrong;
} state;

static uint32_t
first_lane(const state *s)
{
   return s->active ? (uint32_t)__builtin_ctzll(s->active) : 0;
}

static uint32_t *
slot(const state *s, const hd_mach_operand *operand, unsigned component, uint32_t lane)
{
   const bool assigned = operand->reg != HD_MACH_NO_REG;
   const size_t at = assigned ? operand->reg : HD_MACH_MAX_REGS + (size_t)operand->value * PARTS;
   const bool vector = assigned ? hd_mach_is_vector_reg(s->p->mach, operand->reg)
                                : hd_mach_is_vector(s->p, operand->value);

   return &s->values[(at + component) * LANES + (vector ? lane : 0)];
}

/* A vector value is read where there is one value by the first active lane. */
static uint32_t
read(const state *s, const hd_mach_operand *operand, unsigned component, uint32_t lane)
{
   if (operand->flags & HD_MACH_OPERAND_UNDEF)
      return PATTERN;
   if (!hd_mach_is_temp(operand))
      return s->flag;
   return *slot(s, operand, component, lane);
}

static void
write(const state *s, const hd_mach_operand *def, unsigned component, uint32_t lane, uint32_t value)
{
   *slot(s, def, component, lane) = value;
}

/* Calls `each` with the active lanes, or once for a scalar. */
static void
for_lanes(state *s, const hd_mach_inst *inst, void (*each)(state *, const hd_mach_inst *, uint32_t))
{
   const hd_mach_operand *of = inst->num_defs ? hd_mach_def(inst, 0) : hd_mach_slot_value(inst);

   if (of && !hd_mach_is_vector(s->p, of->value)) {
      each(s, inst, first_lane(s));
      return;
   }
   for (uint64_t rest = s->active; rest; rest &= rest - 1)
      each(s, inst, (uint32_t)__builtin_ctzll(rest));
}

/* Instructions that compute */

static void
run_op(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   const hd_instr *i = s->t->instrs[inst->imm];
   hd_const_value values[4][HD_MAX_COMPONENTS], result[HD_MAX_COMPONENTS];
   hd_fold_src srcs[4];

   for (unsigned n = 0; n < inst->num_srcs && n < 4; n++) {
      const hd_def *def = ((const hd_alu *)i)->src[n].def;
      srcs[n] = (hd_fold_src){ values[n], { def->num_components, def->bit_size } };
      for (unsigned c = 0; c < def->num_components; c++)
         hd_const_set(&values[n][c], def->bit_size, read(s, hd_mach_src(inst, n), c, lane));
   }
   hd_fold_fitting((hd_op)i->op, srcs, (hd_shape){ i->def.num_components, i->def.bit_size }, 0,
                   result);
   for (unsigned c = 0; c < i->def.num_components; c++)
      write(s, hd_mach_def(inst, 0), c, lane, (uint32_t)hd_const_get(&result[c], i->def.bit_size));
}

static void
run_const(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   const hd_const *i = (const hd_const *)s->t->instrs[inst->imm];

   for (unsigned c = 0; c < i->instr.def.num_components; c++)
      write(s, hd_mach_def(inst, 0), c, lane,
            (uint32_t)hd_const_get(&i->value[c], i->instr.def.bit_size));
}

static void
run_undef(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   for (unsigned c = 0; c < hd_mach_def(inst, 0)->size; c++)
      write(s, hd_mach_def(inst, 0), c, lane, PATTERN);
}

static void
run_copy(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   uint32_t values[8][HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < inst->num_srcs; n++) {
      for (unsigned c = 0; c < hd_mach_def(inst, n)->size; c++)
         values[n % 8][c] = read(s, hd_mach_src(inst, n), c, lane);
   }
   for (unsigned n = 0; n < inst->num_defs; n++) {
      for (unsigned c = 0; c < hd_mach_def(inst, n)->size; c++)
         write(s, hd_mach_def(inst, n), c, lane, values[n % 8][c]);
   }
}

/* Where a part of a value is spilled to. */
static uint32_t *
spilled(const state *s, const hd_mach_inst *inst, unsigned component, uint32_t lane)
{
   const bool vector = hd_mach_is_vector(s->p, hd_mach_slot_value(inst)->value);
   const uint32_t at = 2 * ((uint32_t)inst->imm + component) + vector;

   return &s->spilled[(size_t)at * LANES + (vector ? lane : 0)];
}

static void
run_spill(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   for (unsigned c = 0; c < hd_mach_slot_value(inst)->size; c++)
      *spilled(s, inst, c, lane) = read(s, hd_mach_slot_value(inst), c, lane);
}

static void
run_reload(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   for (unsigned c = 0; c < hd_mach_slot_value(inst)->size; c++)
      write(s, hd_mach_slot_value(inst), c, lane, *spilled(s, inst, c, lane));
}

static uint32_t *
word_at(state *s, const hd_mach_inst *inst, const hd_mach_operand *address, uint32_t lane)
{
   const uint32_t binding = (uint32_t)inst->imm >> 16;
   const uint32_t word = (read(s, address, 0, lane) + ((uint32_t)inst->imm & 0xffff)) / 4;

   if (binding < TOY_NUM_BUFFERS && word < s->launch->num_words[binding])
      return &s->launch->buffers[binding][word];
   if (s->active)
      s->wrong = "an access outside of its buffer";
   return NULL;
}

static void
run_load(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   const uint32_t *word = word_at(s, inst, hd_mach_src(inst, 0), lane);

   write(s, hd_mach_def(inst, 0), 0, lane, word ? *word : PATTERN);
}

static void
run_store(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   uint32_t *word = word_at(s, inst, hd_mach_src(inst, 2), lane);

   if (word)
      *word = read(s, hd_mach_src(inst, 0), 0, lane);
}

static void
run_lane(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   write(s, hd_mach_def(inst, 0), 0, lane, s->launch->wave * s->launch->width + lane);
}

static void
run_cross_lane(state *s, const hd_mach_inst *inst, uint32_t to)
{
   const hd_mach_operand *src = hd_mach_src(inst, 0);
   uint32_t result[HD_MAX_COMPONENTS] = { 0 };

   for (uint64_t rest = s->active; rest; rest &= rest - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
      if (inst->op == TOY_SUM)
         result[0] += read(s, src, 0, lane);
      else if (inst->op == TOY_BALLOT)
         result[lane / 32] |= (uint32_t)(read(s, src, 0, lane) != 0) << lane % 32;
   }
   if (inst->op == TOY_FIRST)
      result[0] = read(s, src, 0, first_lane(s));
   for (unsigned c = 0; c < hd_mach_def(inst, 0)->size; c++)
      write(s, hd_mach_def(inst, 0), c, to, result[c]);
}

static void
run_wave(state *s, const hd_mach_inst *inst, uint32_t lane)
{
   write(s, hd_mach_def(inst, 0), 0, lane, s->launch->wave);
}

/* Control */

/* The lanes where the condition holds. */
static uint64_t
lanes_where(const state *s, const hd_mach_inst *inst)
{
   uint64_t lanes = 0;

   for (uint64_t rest = s->active; rest; rest &= rest - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctzll(rest);
      if ((read(s, hd_mach_src(inst, 0), 0, lane) != 0) != (inst->bits != 0))
         lanes |= UINT64_C(1) << lane;
   }
   return lanes;
}

static entry *
top(state *s)
{
   if (s->num_entries)
      return &s->entries[s->num_entries - 1];
   s->wrong = "nothing is on the stack";
   return &s->entries[0];
}

/* The innermost loop, or one that nobody has left. */
static entry *
loop_of(state *s)
{
   static entry none;

   for (uint32_t n = s->num_entries; n-- > 0;) {
      if (s->entries[n].kind == ENTRY_LOOP)
         return &s->entries[n];
   }
   none = (entry){ 0 };
   return &none;
}

static entry *
enter(state *s, entry_kind kind)
{
   if (s->num_entries == DEPTH - 1)
      s->wrong = "too deep";
   else
      s->num_entries++;
   *top(s) = (entry){ .kind = kind, .saved = s->active };
   return top(s);
}

/* What a structured instruction jumps past is left. */
static entry *
leave_to_loop(state *s)
{
   while (s->num_entries && top(s)->kind != ENTRY_LOOP)
      s->num_entries--;
   return top(s);
}

/* Does a lane wait between here and the end of the loop? */
static bool
waits_in_loop(const state *s)
{
   for (uint32_t n = s->num_entries; n-- > 0 && s->entries[n].kind != ENTRY_LOOP;) {
      if (s->entries[n].wait_else || s->entries[n].wait_end)
         return true;
   }
   return false;
}

/* Both return the number of the linear successor that is gone to, or -1: what follows. */

static int
end_loop(state *s, entry *loop, uint64_t behind)
{
   s->active |= loop->continued;
   loop->continued = 0;
   if (s->active)
      return 0;
   s->active = behind;
   s->num_entries--;
   return -1;
}

static int
run_structured(state *s, const hd_mach_inst *inst, uint32_t num_succs)
{
   const uint64_t lanes = s->active;
   entry *e;

   switch (inst->op) {
   case TOY_IF:
      s->active = lanes_where(s, inst);
      enter(s, ENTRY_IF)->wait_else = lanes & ~s->active;
      break;
   case TOY_ELSE:
      e = top(s);
      e->wait_end |= lanes;
      s->active = e->wait_else;
      e->wait_else = 0;
      break;
   case TOY_ENDIF:
      s->active |= top(s)->wait_else | top(s)->wait_end;
      s->num_entries -= s->num_entries != 0;
      return inst->target && !s->active ? 0 : -1;
   case TOY_LOOP:
      enter(s, ENTRY_LOOP);
      return -1;
   case TOY_ENDLOOP:
      e = leave_to_loop(s);
      return end_loop(s, e, e->broke);
   default:
      s->active = 0;
      if (inst->op == TOY_BREAK)
         loop_of(s)->broke |= lanes;
      else if (inst->op == TOY_CONTINUE)
         loop_of(s)->continued |= lanes;
      else
         s->ended |= lanes;
      s->coin = s->coin * UINT64_C(6364136223846793005) + 1;
      return num_succs > 1 && !waits_in_loop(s) && s->coin >> 63 ? 1 : 0;
   }
   return s->active ? -1 : 0;
}

static int
run_stack(state *s, const hd_mach_inst *inst)
{
   const hd_mach_control_stack *ops = s->p->hooks->control_stack;
   const uint64_t lanes = s->active;
   entry *e;

   switch (inst->op) {
   case TOY_PUSH:
      s->size += ops->if_size;
      e = enter(s, ENTRY_IF);
      s->active = e->ran = lanes_where(s, inst);
      break;
   case TOY_INVERT:
      s->active = top(s)->saved & ~top(s)->ran;
      top(s)->ran = top(s)->saved;
      break;
   case TOY_POP:
      s->active = top(s)->saved & ~(loop_of(s)->broke | loop_of(s)->continued | s->ended);
      s->num_entries--;
      s->size -= ops->if_size;
      break;
   case TOY_LOOP_BEGIN:
      s->size += ops->loop_size;
      enter(s, ENTRY_LOOP);
      break;
   case TOY_LOOP_BREAK:
      loop_of(s)->broke |= lanes;
      s->active = 0;
      break;
   case TOY_LOOP_CONTINUE:
      loop_of(s)->continued |= lanes;
      s->active = 0;
      break;
   case TOY_END_PUSHED:
      s->ended |= lanes;
      s->active = 0;
      break;
   default:
      e = top(s);
      if (e->kind != ENTRY_LOOP)
         s->wrong = "the end of a loop inside of an if";
      const int next = end_loop(s, e, e->saved & ~s->ended);
      s->size -= next < 0 ? ops->loop_size : 0;
      return next;
   }
   if (s->size > s->p->stack_depth)
      s->wrong = "the stack is deeper than was said";
   return -1;
}

static int
run_numbers(state *s, const hd_mach_inst *inst)
{
   const uint32_t number = (uint32_t)inst->imm;
   const uint64_t lanes = inst->op == TOY_SEND_IF ? lanes_where(s, inst) : s->active;
   uint64_t equal = 0, less = 0;

   for (uint32_t n = 0; n < LANES; n++) {
      if (lanes >> n & 1 && (inst->op == TOY_SEND || inst->op == TOY_SEND_IF))
         s->numbers[n] = number;
      equal |= (uint64_t)(s->numbers[n] == number) << n;
      less |= (uint64_t)(s->numbers[n] < number) << n;
   }
   if (inst->op == TOY_ENTER)
      s->active = equal;
   if (inst->op == TOY_ANY)
      return equal ? 0 : -1;
   return inst->op == TOY_ALL_FROM && !less ? 0 : -1;
}

static int
run_control(state *s, const hd_mach_inst *inst, uint32_t num_succs)
{
   switch (inst->op) {
   case TOY_TEST:
      s->flag = read(s, hd_mach_src(inst, 0), 0, first_lane(s)) != 0;
      return -1;
   case TOY_JUMP_0:
   case TOY_JUMP_1:
      return s->flag == (inst->op == TOY_JUMP_1) ? 0 : -1;
   case TOY_NONE:
      return s->active ? -1 : 0;
   default:
      if (inst->op >= TOY_PUSH)
         return run_stack(s, inst);
      return inst->op >= TOY_IF ? run_structured(s, inst, num_succs) : run_numbers(s, inst);
   }
}

/* Spilling and allocation put constants, copies and reloads of scalars wherever the pc comes by. */
static bool
is_scalar_constant(const hd_mach_program *p, const hd_mach_inst *inst)
{
   return inst->op == TOY_CONST && !hd_mach_is_vector(p, hd_mach_def(inst, 0)->value);
}

static bool
moves_scalars(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_mach_operand *of = inst->num_defs ? hd_mach_def(inst, 0) : hd_mach_slot_value(inst);

   return inst->op < TOY_OP ? of && !hd_mach_is_vector(p, of->value) : is_scalar_constant(p, inst);
}

static void
run_inst(state *s, const hd_mach_inst *inst)
{
   static void (*const runs[TOY_NUM_OPS])(state *, const hd_mach_inst *, uint32_t) = {
      [HD_MACH_P_UNDEF] = run_undef,   [HD_MACH_P_COPY] = run_copy, [TOY_OP] = run_op,
      [TOY_CONST] = run_const,         [TOY_LANE] = run_lane,       [TOY_WAVE] = run_wave,
      [TOY_LOAD] = run_load,           [TOY_STORE] = run_store,     [TOY_FIRST] = run_cross_lane,
      [TOY_BALLOT] = run_cross_lane,   [TOY_SUM] = run_cross_lane,  [HD_MACH_P_SPILL] = run_spill,
      [HD_MACH_P_RELOAD] = run_reload,
   };

   if (inst->op == TOY_STORE && inst->loc && s->active)
      s->launch->stores(s->launch->user, inst->loc, s->active);
   if (inst->op >= TOY_OP && !s->active && !is_scalar_constant(s->p, inst))
      s->wrong = "code that runs without lanes";
   else if (runs[inst->op])
      for_lanes(s, inst, runs[inst->op]);
   else
      s->wrong = "an instruction that is none";
}

/* Blocks */

static uint32_t
pred_of(const hd_mach_block *block, const hd_mach_block *pred, hd_mach_edge_kind kind)
{
   uint32_t n = 0;

   while (block->edges[kind].preds[n] != pred)
      n++;
   return n;
}

/* The phis of a file that follows this flow, as one parallel copy. */
static void
run_phis(state *s, const hd_mach_block *from, const hd_mach_block *to, hd_mach_edge_kind kind)
{
   uint32_t num = 0, n = 0;

   if (!to->first || to->first->op != HD_MACH_P_PHI)
      return;
   const uint32_t pred = pred_of(to, from, kind);
   for (const hd_mach_inst *phi = to->first; phi && phi->op == HD_MACH_P_PHI; phi = phi->next)
      num++;
   uint32_t *values = s->values + (HD_MACH_MAX_REGS + (size_t)s->p->num_temps * PARTS) * LANES;
   for (unsigned writes = 0; writes < 2; writes++) {
      n = 0;
      for (const hd_mach_inst *phi = to->first; n < num; phi = phi->next, n++) {
         const hd_mach_operand *def = hd_mach_def(phi, 0);
         if (s->p->mach->files[s->p->temps[def->value].file].flow != kind)
            continue;
         for (unsigned at = 0; at < def->size * LANES; at++) {
            uint32_t *value = &values[n * PARTS * LANES + at];
            const uint32_t lane = at % LANES;
            if (!writes)
               *value = read(s, hd_mach_src(phi, pred), at / LANES, lane);
            else if (kind == HD_MACH_LINEAR || s->active >> lane & 1)
               write(s, def, at / LANES, kind == HD_MACH_LINEAR ? 0 : lane, *value);
         }
      }
   }
}

static void
run_copies(state *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   for (const hd_mach_inst *inst = block->first; block->passive && inst; inst = inst->next) {
      if (!moves_scalars(s->p, inst))
         s->wrong = "code in a block that has none";
   }
   for (uint32_t n = 0; n < edges->num_succs && !block->passive; n++)
      run_phis(s, block, edges->succs[n], HD_MACH_LOGICAL);
}

/* NULL: the wave has ended. */
static const hd_mach_block *
run_block(state *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   const hd_mach_inst *inst = block->first;
   int next = -1;

   for (; inst && inst != block->tail && !s->wrong; inst = inst->next) {
      if (!hd_mach_is_phi(inst))
         run_inst(s, inst);
   }
   run_copies(s, block);
   for (; inst && !s->wrong; inst = inst->next) {
      if (inst->op == HD_MACH_P_END)
         return NULL;
      if (next >= 0)
         s->wrong = "an instruction behind a branch";
      if (inst->op >= TOY_TEST)
         next = run_control(s, inst, edges->num_succs);
      else
         run_inst(s, inst);
      if (next >= 0 && inst->next)
         s->wrong = "a branch that is not the last of its block";
   }
   if (!edges->num_succs) {
      s->wrong = s->wrong ? s->wrong : "the pc goes nowhere";
      return NULL;
   }
   const uint32_t k = next >= 0 ? (uint32_t)next : edges->num_succs - 1;
   if (next == 0 && block->last->target != edges->succs[0])
      s->wrong = "a branch whose target is not the first successor";
   run_phis(s, block, edges->succs[k], HD_MACH_LINEAR);
   return edges->succs[k];
}

const char *
toy_run(toy_program *p, const toy_launch *launch)
{
   /* Registers, values, and room for what a parallel copy reads: no block has more phis. */
   const size_t words = (HD_MACH_MAX_REGS + (size_t)p->mach.num_temps * PARTS) * LANES;
   entry entries[DEPTH];
   state s = { .t = p, .p = &p->mach, .launch = launch, .entries = entries, .coin = launch->wave };
   const hd_mach_block *block = p->mach.first;
   uint64_t count = 0;

   if (!p->values)
      p->values =
          malloc((2 * words + 2 * LANES * (size_t)p->mach.num_slots + 1) * sizeof(*p->values));
   s.values = p->values;
   s.spilled = p->values + 2 * words;
   memset(s.values, PATTERN & 0xff, words * sizeof(*s.values));
   s.active = launch->width == LANES ? ~UINT64_C(0) : (UINT64_C(1) << launch->width) - 1;
   for (uint32_t n = 0; n < LANES; n++)
      s.numbers[n] = n < launch->width ? 0 : HD_MACH_NUMBER_ENDED;
   while (block && !s.wrong) {
      block = run_block(&s, block);
      if (++count > launch->max_blocks)
         s.wrong = "too long";
   }
   return s.wrong;
}
