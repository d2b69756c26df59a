/* SPDX-License-Identifier: MIT */
/* live_counts.c - the number of live registers at each instruction, for observers.
 *
 * A backward data-flow analysis on bit sets: of SSA values before register allocation, of registers
 * after it. It does not change the program, not even the flags of operands, as liveness.c does. No
 * compilation needs it, so it is simple rather than fast.
 */
#include <string.h>

#include "machine/liveness.h"
#include "machine/observe.h"

/* Bits of all sets together. */
#define MAX_BITS (UINT64_C(1) << 29)

struct counter {
   hd_mach_program *p;
   const hd_mach_view *view;
   uint32_t *place; /* by index of the block: its position in the view + 1 */
   bool registers;  /* variables are registers */
   bool one_flow;   /* control flow is not lowered: all edges are logical */
   uint32_t num, words;
   uint64_t *flow[HD_MACH_NUM_EDGE_KINDS]; /* variables that live along these edges */
   uint64_t *in, *out;                     /* by position in the view */
   uint64_t *now;
};

static bool
has_registers(const hd_mach_view *view)
{
   for (uint32_t n = 0; n < view->num; n++) {
      hd_mach_foreach_inst(inst, view->blocks[n])
      {
         for (unsigned k = 0; k < (unsigned)inst->num_defs + inst->num_srcs; k++) {
            const hd_mach_operand *o = &inst->operands[k];
            if (hd_mach_is_temp(o) && o->size && !(o->flags & HD_MACH_OPERAND_UNDEF) &&
                o->reg == HD_MACH_NO_REG)
               return false;
         }
      }
   }
   return true;
}

/* The variables of an operand: the first, and how many; 0: none. */
static uint32_t
variables_of(const struct counter *c, const hd_mach_operand *o, uint32_t *first)
{
   if (!o->size || o->flags & HD_MACH_OPERAND_UNDEF)
      return 0;
   if (!c->registers) {
      *first = o->value;
      return hd_mach_is_temp(o);
   }
   *first = o->reg;
   return o->reg != HD_MACH_NO_REG && hd_mach_is_value_reg(c->p->mach, o->reg) ? o->size : 0;
}

static uint32_t
weight_of(const struct counter *c, uint32_t variable, unsigned *file)
{
   const hd_mach *mach = c->p->mach;

   if (!c->registers) {
      *file = c->p->temps[variable].file;
      return c->p->temps[variable].size;
   }
   for (*file = 0; *file + 1 < mach->num_files; ++*file) {
      if (variable - mach->files[*file].first < mach->files[*file].num)
         break;
   }
   return 1;
}

static void
set(uint64_t *bits, uint32_t n)
{
   bits[n / 64] |= UINT64_C(1) << n % 64;
}

static void
clear(uint64_t *bits, uint32_t n)
{
   bits[n / 64] &= ~(UINT64_C(1) << n % 64);
}

static bool
is_set(const uint64_t *bits, uint32_t n)
{
   return bits[n / 64] >> n % 64 & 1;
}

/* Over an instruction, backwards. Phis read at the ends of predecessors. */
static void
step_back(const struct counter *c, const hd_mach_inst *inst, uint64_t *live)
{
   uint32_t first, num;

   for (unsigned n = 0; n < inst->num_defs; n++) {
      num = variables_of(c, hd_mach_def(inst, n), &first);
      for (uint32_t k = 0; k < num; k++)
         clear(live, first + k);
   }
   for (unsigned n = 0; n < inst->num_srcs && !hd_mach_is_phi(inst); n++) {
      num = variables_of(c, hd_mach_src(inst, n), &first);
      for (uint32_t k = 0; k < num; k++)
         set(live, first + k);
   }
}

static hd_mach_edge_kind
flow_of_phi(const struct counter *c, const hd_mach_inst *phi)
{
   if (c->one_flow || phi->op == HD_MACH_P_MASK_PHI)
      return HD_MACH_LOGICAL;
   if (hd_mach_is_temp(hd_mach_def(phi, 0)))
      return hd_mach_phi_flow(c->p, phi);
   return hd_mach_is_vector_reg(c->p->mach, hd_mach_def(phi, 0)->reg) ? HD_MACH_LOGICAL
                                                                      : HD_MACH_LINEAR;
}

/* What the phis of a block read of this predecessor. */
static void
add_phi_sources(const struct counter *c, const hd_mach_block *from, const hd_mach_block *to,
                hd_mach_edge_kind kind, uint64_t *live)
{
   hd_mach_foreach_inst(phi, to)
   {
      if (!hd_mach_is_phi(phi))
         break;
      if (flow_of_phi(c, phi) != kind)
         continue;
      const hd_mach_edges *edges = &to->edges[kind];
      for (uint32_t n = 0; n < edges->num_preds && n < phi->num_srcs; n++) {
         uint32_t first;
         if (edges->preds[n] != from)
            continue;
         const uint32_t num = variables_of(c, hd_mach_src(phi, n), &first);
         for (uint32_t k = 0; k < num; k++)
            set(live, first + k);
      }
   }
}

/* What is live at the end of a block. False: an edge goes to what is no block any more. */
static bool
find_out(const struct counter *c, uint32_t at)
{
   const hd_mach_block *block = c->view->blocks[at];
   uint64_t *out = c->out + (size_t)at * c->words;

   for (unsigned kind = 0; kind < HD_MACH_NUM_EDGE_KINDS; kind++) {
      const hd_mach_edges *edges = &block->edges[kind];
      for (uint32_t n = 0; n < edges->num_succs; n++) {
         const uint32_t place = c->place[edges->succs[n]->index];
         if (!place)
            return false;
         const uint64_t *in = c->in + (size_t)(place - 1) * c->words;
         for (uint32_t k = 0; k < c->words; k++)
            out[k] |= in[k] & c->flow[kind][k];
         add_phi_sources(c, block, edges->succs[n], (hd_mach_edge_kind)kind, out);
      }
   }
   return true;
}

static bool
solve(const struct counter *c)
{
   bool changed = true;

   while (changed) {
      changed = false;
      for (uint32_t at = c->view->num; at-- > 0;) {
         uint64_t *in = c->in + (size_t)at * c->words;
         if (!find_out(c, at))
            return false;
         memcpy(c->now, c->out + (size_t)at * c->words, c->words * sizeof(uint64_t));
         for (const hd_mach_inst *i = c->view->blocks[at]->last; i; i = i->prev)
            step_back(c, i, c->now);
         if (memcmp(in, c->now, c->words * sizeof(uint64_t)) != 0) {
            memcpy(in, c->now, c->words * sizeof(uint64_t));
            changed = true;
         }
      }
   }
   return true;
}

/* Change the set by an operand, and the counts with it. */
static void
count_operand(const struct counter *c, const hd_mach_operand *o, bool live, uint32_t *counts)
{
   uint32_t first;
   const uint32_t num = variables_of(c, o, &first);

   for (uint32_t k = 0; k < num; k++) {
      unsigned file;
      const uint32_t weight = weight_of(c, first + k, &file);
      if (is_set(c->now, first + k) == live)
         continue;
      if (live)
         set(c->now, first + k);
      else
         clear(c->now, first + k);
      counts[file] += live ? weight : 0 - weight;
   }
}

static void
count_block(const struct counter *c, uint32_t at, hd_machine_inst *insts)
{
   uint32_t counts[HD_MAX_REGISTER_FILES] = { 0 };
   uint32_t number = 0;

   memcpy(c->now, c->out + (size_t)at * c->words, c->words * sizeof(uint64_t));
   for (uint32_t n = 0; n < c->num; n++) {
      unsigned file;
      if (is_set(c->now, n)) {
         const uint32_t weight = weight_of(c, n, &file);
         counts[file] += weight;
      }
   }
   hd_mach_foreach_inst(inst, c->view->blocks[at]) number++;
   for (const hd_mach_inst *i = c->view->blocks[at]->last; i; i = i->prev) {
      hd_machine_inst *out = &insts[--number];
      /* A definition takes a register even if it is dead. */
      for (unsigned n = 0; n < i->num_defs; n++)
         count_operand(c, hd_mach_def(i, n), true, counts);
      memcpy(out->live, counts, sizeof(counts));
      for (unsigned n = 0; n < i->num_defs; n++)
         count_operand(c, hd_mach_def(i, n), false, counts);
      for (unsigned n = 0; n < i->num_srcs && !hd_mach_is_phi(i); n++)
         count_operand(c, hd_mach_src(i, n), true, counts);
      for (unsigned file = 0; file < c->p->mach->num_files; file++)
         out->live[file] = out->live[file] > counts[file] ? out->live[file] : counts[file];
   }
}

/* No lane's way goes through the block: the pc comes here for others. */
static bool
is_passed_over(const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   return !edges->num_preds && !edges->num_succs;
}

/* Lanes that wait keep their registers meanwhile: as many as before. */
static void
keep_vectors(const hd_mach_program *p, const hd_machine_inst *before, hd_machine_inst *insts,
             uint32_t num)
{
   const unsigned file = p->mach->file_of[HD_MACH_LOGICAL];

   for (uint32_t n = 0; n < num; n++) {
      if (insts[n].live[file] < before->live[file])
         insts[n].live[file] = before->live[file];
   }
}

static void
find_flows(struct counter *c, hd_stack *stack)
{
   for (unsigned kind = 0; kind < HD_MACH_NUM_EDGE_KINDS; kind++)
      c->flow[kind] = hd_stack_alloc_zero(stack, c->words * sizeof(uint64_t));
   for (uint32_t n = 0; n < c->num; n++) {
      unsigned kind;
      if (c->one_flow)
         kind = HD_MACH_LOGICAL;
      else if (c->registers)
         kind = hd_mach_is_vector_reg(c->p->mach, n) ? HD_MACH_LOGICAL : HD_MACH_LINEAR;
      else
         kind = n ? hd_mach_flow_of(c->p, n) : HD_MACH_LOGICAL;
      set(c->flow[kind], n);
   }
}

bool
hd_mach_count_live(hd_mach_program *p, const hd_mach_view *view, hd_machine_inst *insts)
{
   hd_stack *stack = hd_mach_scratch(p);
   struct counter c = { .p = p, .view = view, .registers = has_registers(view), .one_flow = true };

   c.num = c.registers ? HD_MACH_MAX_REGS : p->num_temps;
   c.words = c.num / 64 + 1;
   if ((uint64_t)c.words * 64 * view->num > MAX_BITS)
      return false;
   c.place = hd_stack_alloc_zero(stack, (p->num_blocks + (size_t)1) * sizeof(*c.place));
   for (uint32_t n = 0; n < view->num; n++) {
      c.place[view->blocks[n]->index] = n + 1;
      c.one_flow &= !view->blocks[n]->edges[HD_MACH_LINEAR].num_succs;
   }
   const size_t size = ((size_t)c.words * view->num + 1) * sizeof(uint64_t);
   c.in = hd_stack_alloc_zero(stack, size);
   c.out = hd_stack_alloc_zero(stack, size);
   c.now = hd_stack_alloc_zero(stack, c.words * sizeof(uint64_t));
   find_flows(&c, stack);
   if (!solve(&c))
      return false;
   uint32_t first = 0;
   for (uint32_t n = 0; n < view->num; n++) {
      const uint32_t from = first;
      count_block(&c, n, insts + from);
      hd_mach_foreach_inst(inst, view->blocks[n]) first++;
      if (from && !c.one_flow && is_passed_over(view->blocks[n]))
         keep_vectors(p, insts + from - 1, insts + from, first - from);
   }
   return true;
}
