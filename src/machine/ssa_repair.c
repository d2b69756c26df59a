/* SPDX-License-Identifier: MIT */
/* ssa_repair.c - SSA reconstruction for scalar temps with several definitions, along linear edges.
 *
 * A temp needs it if it has several definitions, or a use that its only definition does not dominate
 * along linear edges: a value of one arm, used where lanes of that arm are active, but which the pc may
 * reach by another path. Such a use reads the last definition on each path, or undef.
 *
 * On demand, as in Braun and others (2013), but along the dominator tree: a use asks for the value at
 * the head of its block. That is the value at the end of the nearest dominator with a definition, or
 * at a dominator where definitions may meet (linear_dominance.h): then a phi, whose sources are asked
 * for in turn. Blocks between that only pass the value are skipped, so the time is linear in
 * definitions, uses and phis, times a logarithm. If definitions do not meet after all, the phi is
 * redundant, and is removed afterwards.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "machine/linear_dominance.h"
#include "machine/ssa_repair.h"

/* A value that a variable can have. */
typedef struct value {
   hd_mach_operand operand;
   uint32_t same_as; /* another value, or 0 */
} value;

typedef enum event_kind {
   EVENT_BEGIN, /* at the beginning of a block: it has no value */
   EVENT_USE,
   EVENT_DEF,
   EVENT_END_DEF, /* of a linear_def */
} event_kind;

/* A temp is read or written. In the order of the code, all those of a temp are linked. */
typedef struct event {
   uint32_t next;
   uint32_t block; /* index */
   event_kind kind;
   hd_mach_operand *operand; /* END_DEF: the value */
   hd_mach_inst *inst;       /* that reads or writes it; NULL at the end of a block */
   uint32_t value;           /* that it reads or makes, once that is known */
   uint32_t read;            /* END_DEF: the event of reading its value, or 0 */
} event;

/* A source of a phi, or a linear_def, at the end of a block; or a linear_begin. */
typedef struct at_end {
   uint32_t next;
   hd_mach_operand *operand;
   uint32_t temp;  /* that is defined, or 0 */
   uint32_t event; /* of reading the operand, or 0 */
} at_end;

typedef struct new_phi {
   hd_mach_inst *inst;
   hd_mach_block *block;
   uint32_t value;
} new_phi;

typedef struct ssa {
   hd_mach_program *p;
   hd_mach_linear_dominance doms;
   event *events; /* from 1 on */
   uint32_t num_events, event_capacity;
   uint32_t *first, *last; /* by temp */
   uint32_t *num_defs;
   value *values; /* from 1 on */
   uint32_t num_values, value_capacity;
   at_end *ends; /* from 1 on */
   uint32_t num_ends;
   uint32_t *end_uses, *end_defs, *last_end_use, *last_end_def; /* by block */
   uint32_t *begins, *last_begin;
   /* Of the variable, by block; valid where `stamp` is its number. */
   uint32_t *in_stamp, *def_stamp;
   uint32_t *in, *out;
   uint32_t *way;        /* blocks that wait to learn what they begin with */
   uint32_t *def_orders; /* ascending */
   uint32_t num_def_orders;
   hd_mach_block **by_order;
   new_phi *phis;
   uint32_t num_phis, phi_capacity;
} ssa;

static void *
grown(hd_stack *stack, void *array, uint32_t num, uint32_t *capacity, size_t size)
{
   if (num < *capacity)
      return array;
   uint32_t more = *capacity ? *capacity * 2 : 256;
   void *larger = hd_stack_alloc(stack, more * size);
   if (*capacity)
      memcpy(larger, array, *capacity * size);
   *capacity = more;
   return larger;
}

static bool
is_scalar(const ssa *s, const hd_mach_operand *operand)
{
   return operand->flags & HD_MACH_OPERAND_TEMP && !hd_mach_is_vector(s->p, operand->value);
}

/* Events */

static void
add_event(ssa *s, uint32_t temp, event e)
{
   s->events = grown(s->p->stack, s->events, s->num_events + 1, &s->event_capacity, sizeof(event));
   uint32_t n = ++s->num_events;
   s->events[n] = e;
   if (s->first[temp])
      s->events[s->last[temp]].next = n;
   else
      s->first[temp] = n;
   s->last[temp] = n;
   s->num_defs[temp] += e.kind == EVENT_DEF;
   s->num_defs[temp] += e.kind == EVENT_END_DEF ? 2 : 0; /* always a variable */
}

static void
add_end(ssa *s, uint32_t *firsts, uint32_t *lasts, uint32_t block, hd_mach_operand *operand,
        uint32_t temp)
{
   uint32_t n = ++s->num_ends;

   s->ends[n] = (at_end){ .operand = operand, .temp = temp };
   if (firsts[block])
      s->ends[lasts[block]].next = n;
   else
      firsts[block] = n;
   lasts[block] = n;
}

/* Sources of phis are read at the ends of predecessors: a vector phi's of the logical ones. */
static void
collect_ends(ssa *s, const linear_defs *defs)
{
   hd_mach_program *p = s->p;
   uint32_t num = defs->num + defs->num_begins;

   hd_mach_foreach_block(block, p)
   {
      for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next)
         num += phi->num_srcs;
   }
   s->ends = hd_stack_alloc(p->stack, ((size_t)num + 1) * sizeof(*s->ends));
   hd_mach_foreach_block(block, p)
   {
      for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
         hd_mach_edge_kind kind =
             hd_mach_is_vector_value(p, hd_mach_def(phi, 0)) ? HD_MACH_LOGICAL : HD_MACH_LINEAR;
         assert(block->edges[kind].num_preds == phi->num_srcs);
         for (uint32_t n = 0; n < phi->num_srcs; n++) {
            if (is_scalar(s, hd_mach_src(phi, n)))
               add_end(s, s->end_uses, s->last_end_use, block->edges[kind].preds[n]->index,
                       hd_mach_src(phi, n), 0);
         }
      }
   }
   for (uint32_t n = 0; n < defs->num; n++)
      add_end(s, s->end_defs, s->last_end_def, defs->defs[n].block->index, &defs->defs[n].value,
              defs->defs[n].temp);
   for (uint32_t n = 0; n < defs->num_begins; n++)
      add_end(s, s->begins, s->last_begin, defs->begins[n].block->index, NULL,
              defs->begins[n].temp);
}

static void
collect_block(ssa *s, hd_mach_block *block)
{
   uint32_t b = block->index;

   for (uint32_t n = s->begins[b]; n; n = s->ends[n].next)
      add_event(s, s->ends[n].temp, (event){ .block = b, .kind = EVENT_BEGIN });
   hd_mach_foreach_inst(inst, block)
   {
      for (uint32_t n = 0; n < inst->num_srcs && !hd_mach_is_phi(inst); n++) {
         hd_mach_operand *src = hd_mach_src(inst, n);
         if (is_scalar(s, src))
            add_event(s, src->value,
                      (event){ .block = b, .kind = EVENT_USE, .operand = src, .inst = inst });
      }
      for (uint32_t n = 0; n < inst->num_defs; n++) {
         hd_mach_operand *def = hd_mach_def(inst, n);
         if (is_scalar(s, def))
            add_event(s, def->value,
                      (event){ .block = b, .kind = EVENT_DEF, .operand = def, .inst = inst });
      }
   }
   /* All are read before one is written. */
   for (uint32_t n = s->end_uses[b]; n; n = s->ends[n].next)
      add_event(s, s->ends[n].operand->value,
                (event){ .block = b, .kind = EVENT_USE, .operand = s->ends[n].operand });
   for (uint32_t n = s->end_defs[b]; n; n = s->ends[n].next) {
      if (is_scalar(s, s->ends[n].operand))
         add_event(s, s->ends[n].operand->value,
                   (event){ .block = b, .kind = EVENT_USE, .operand = s->ends[n].operand });
      s->ends[n].event = is_scalar(s, s->ends[n].operand) ? s->num_events : 0;
   }
   for (uint32_t n = s->end_defs[b]; n; n = s->ends[n].next)
      add_event(s, s->ends[n].temp,
                (event){ .block = b,
                         .kind = EVENT_END_DEF,
                         .operand = s->ends[n].operand,
                         .read = s->ends[n].event });
}

static uint32_t
order_of(const ssa *s, uint32_t block)
{
   return s->p->blocks[block]->order;
}

static bool
is_variable(const ssa *s, uint32_t temp)
{
   uint32_t first = s->first[temp];

   while (first && s->events[first].kind == EVENT_BEGIN)
      first = s->events[first].next;
   if (!first || s->num_defs[temp] == 0)
      return false;
   if (s->num_defs[temp] > 1 || s->events[first].kind == EVENT_USE)
      return true;
   for (uint32_t n = s->events[first].next; n; n = s->events[n].next) {
      if (s->events[n].kind == EVENT_USE &&
          !hd_mach_linear_dominates(&s->doms, order_of(s, s->events[first].block),
                                    order_of(s, s->events[n].block)))
         return true;
   }
   return false;
}

/* One variable */

static uint32_t
new_value(ssa *s, hd_mach_operand operand)
{
   s->values = grown(s->p->stack, s->values, s->num_values + 1, &s->value_capacity, sizeof(value));
   s->values[++s->num_values] = (value){ .operand = operand };
   return s->num_values;
}

static hd_mach_operand
new_temp(ssa *s, uint32_t like)
{
   const hd_mach_temp *temp = &s->p->temps[like];

   return hd_mach_operand_temp(
       s->p, hd_mach_temp_create(s->p, (unsigned)temp->file, temp->size, temp->flags));
}

/* Each def makes a value; the last one of a block is what it ends with. The first keeps the temp.
 */
static uint32_t
number_defs(ssa *s, uint32_t temp, uint32_t undef)
{
   uint32_t num = 0;
   bool kept = false;

   for (uint32_t n = s->first[temp]; n; n = s->events[n].next) {
      event *e = &s->events[n];
      if (e->kind == EVENT_USE)
         continue;
      if (e->kind == EVENT_DEF) {
         hd_mach_operand operand = kept ? new_temp(s, temp) : hd_mach_operand_temp(s->p, temp);
         kept = true;
         e->value = new_value(s, operand);
         e->operand->value = operand.value;
         s->p->temps[operand.value].def = e->inst;
      } else {
         e->value = e->kind == EVENT_BEGIN ? undef : new_value(s, *e->operand);
      }
      s->def_stamp[e->block] = temp;
      s->out[e->block] = e->value;
      s->def_orders[num++] = s->p->blocks[e->block]->order;
   }
   return num;
}

static uint32_t
add_phi(ssa *s, uint32_t temp, hd_mach_block *block)
{
   uint32_t num = block->edges[HD_MACH_LINEAR].num_preds;
   hd_mach_inst *inst = hd_mach_inst_create(s->p, HD_MACH_P_PHI, 1, num);

   hd_heap_step(s->p->stack->heap, num);
   *hd_mach_def(inst, 0) = new_temp(s, temp);
   s->p->temps[hd_mach_def(inst, 0)->value].def = inst;
   hd_mach_inst_insert_before(block, inst, block->first);
   s->phis = grown(s->p->stack, s->phis, s->num_phis, &s->phi_capacity, sizeof(*s->phis));
   s->phis[s->num_phis] =
       (new_phi){ .inst = inst, .block = block, .value = new_value(s, *hd_mach_def(inst, 0)) };
   return s->phis[s->num_phis++].value;
}

/* How many defs stand before the position. */
static uint32_t
defs_before(const ssa *s, uint32_t position)
{
   uint32_t begin = 0, end = s->num_def_orders;

   while (begin < end) {
      const uint32_t middle = begin + (end - begin) / 2;
      if (s->def_orders[middle] < position)
         begin = middle + 1;
      else
         end = middle;
   }
   return begin;
}

/* What the variable is at the beginning of the block. Blocks of one predecessor that were passed on
 * the way learn it, too.
 */
static uint32_t
value_in(ssa *s, uint32_t temp, const hd_mach_block *block, uint32_t undef)
{
   uint32_t num = 0, found = 0;

   while (!found && s->in_stamp[block->index] != temp) {
      const uint32_t k = defs_before(s, block->order);
      const uint32_t before = k ? s->def_orders[k - 1] + 1 : 0;
      const uint32_t after = k < s->num_def_orders ? s->def_orders[k] : s->doms.num;
      bool only_one;
      s->way[num++] = block->index;
      hd_mach_block *at =
          s->by_order[hd_mach_linear_meeting(&s->doms, block->order, before, after, &only_one)];
      if (s->in_stamp[at->index] == temp) {
         block = at;
         break;
      }
      if (at != block)
         s->way[num++] = at->index;
      const hd_mach_edges *edges = &at->edges[HD_MACH_LINEAR];
      if (only_one)
         found = s->out[s->by_order[before - 1]->index];
      else if (!edges->num_preds || !s->doms.size[at->order])
         found = undef;
      else if (edges->num_preds > 1)
         found = add_phi(s, temp, at);
      else if (s->def_stamp[edges->preds[0]->index] == temp)
         found = s->out[edges->preds[0]->index];
      else
         block = edges->preds[0];
   }
   found = found ? found : s->in[block->index];
   while (num) {
      const uint32_t n = s->way[--num];
      s->in[n] = found;
      s->in_stamp[n] = temp;
   }
   return found;
}

static uint32_t
value_out(ssa *s, uint32_t temp, const hd_mach_block *block, uint32_t undef)
{
   if (s->def_stamp[block->index] == temp)
      return s->out[block->index];
   return value_in(s, temp, block, undef);
}

/* Phis that are one value
 *
 * A phi whose sources are itself and one other value is that value; and then others may be. Values
 * only become the same, so each phi is looked at from where the last look ended: at a source that
 * differed from those before. That is linear in the sources.
 */

typedef struct look {
   uint32_t next; /* source */
   uint32_t rep;  /* what all before it are, but for the phi itself; 0: nothing yet */
   bool waits;    /* it is in the list of those to look at */
} look;

/* With halving of the path. */
static uint32_t
find_value(ssa *s, uint32_t v)
{
   while (s->values[v].same_as) {
      const uint32_t up = s->values[v].same_as;
      if (s->values[up].same_as)
         s->values[v].same_as = s->values[up].same_as;
      v = up;
   }
   return v;
}

/* The one value that the phi is, or 0. */
static uint32_t
only_value(ssa *s, const new_phi *phi, look *l)
{
   for (; l->next < phi->inst->num_srcs; l->next++) {
      const uint32_t v = find_value(s, hd_mach_src(phi->inst, l->next)->value);
      if (v == phi->value)
         continue;
      if (l->rep && find_value(s, l->rep) != v)
         return 0;
      l->rep = v;
   }
   return l->rep ? find_value(s, l->rep) : 0;
}

/* `sources` are values yet. */
static void
drop_copies(ssa *s, uint32_t first_phi)
{
   const uint32_t num = s->num_phis - first_phi, base = num ? s->phis[first_phi].value : 0;
   hd_stack_mark mark = hd_stack_get_mark(s->p->stack);
   look *looks = hd_stack_alloc_zero(s->p->stack, (num + (size_t)1) * sizeof(*looks));
   uint32_t *begin = hd_stack_alloc_zero(s->p->stack, (num + (size_t)2) * sizeof(*begin));
   uint32_t *work = hd_stack_alloc(s->p->stack, (num + (size_t)1) * sizeof(*work));
   uint32_t num_work = 0;

   /* Who reads each: the values of the variable's phis are numbered one after the other. */
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_inst *phi = s->phis[first_phi + n].inst;
      for (uint32_t k = 0; k < phi->num_srcs; k++) {
         const uint32_t of = hd_mach_src(phi, k)->value - base;
         begin[of < num ? of + 2 : 0] += of < num;
      }
   }
   begin[0] = 0;
   for (uint32_t n = 1; n <= num; n++)
      begin[n + 1] += begin[n];
   uint32_t *readers = hd_stack_alloc(s->p->stack, (begin[num + 1] + (size_t)1) * sizeof(*readers));
   for (uint32_t n = 0; n < num; n++) {
      const hd_mach_inst *phi = s->phis[first_phi + n].inst;
      for (uint32_t k = 0; k < phi->num_srcs; k++) {
         const uint32_t of = hd_mach_src(phi, k)->value - base;
         if (of < num)
            readers[begin[of + 1]++] = n;
      }
   }
   for (uint32_t n = num; n--;) {
      looks[n].waits = true;
      work[num_work++] = n;
   }
   while (num_work) {
      const uint32_t n = work[--num_work];
      const new_phi *phi = &s->phis[first_phi + n];
      looks[n].waits = false;
      const uint32_t only = s->values[phi->value].same_as ? 0 : only_value(s, phi, &looks[n]);
      if (!only)
         continue;
      s->values[phi->value].same_as = only;
      hd_mach_inst_remove(phi->block, phi->inst);
      for (uint32_t k = begin[n]; k < begin[n + 1]; k++) {
         if (!looks[readers[k]].waits)
            work[num_work++] = readers[k];
         looks[readers[k]].waits = true;
      }
   }
   hd_stack_release(s->p->stack, mark);
}

static void
rename_variable(ssa *s, uint32_t temp)
{
   uint32_t undef = new_value(s, (hd_mach_operand){ .reg = HD_MACH_NO_REG,
                                                    .size = s->p->temps[temp].size,
                                                    .flags = HD_MACH_OPERAND_UNDEF });
   uint32_t first_phi = s->num_phis, at = UINT32_MAX, current = 0;

   s->num_def_orders = number_defs(s, temp, undef);
   for (uint32_t n = s->first[temp]; n; n = s->events[n].next) {
      event *e = &s->events[n];
      if (e->kind == EVENT_USE)
         e->value = e->block == at ? current : value_in(s, temp, s->p->blocks[e->block], undef);
      at = e->block;
      current = e->value;
   }
   for (uint32_t n = first_phi; n < s->num_phis; n++) {
      const hd_mach_edges *edges = &s->phis[n].block->edges[HD_MACH_LINEAR];
      for (uint32_t k = 0; k < edges->num_preds; k++)
         hd_mach_src(s->phis[n].inst, k)->value = value_out(s, temp, edges->preds[k], undef);
   }
   drop_copies(s, first_phi);
}

/* The end */

static hd_mach_operand
resolve(ssa *s, uint32_t v)
{
   return s->values[find_value(s, v)].operand;
}

/* What is read before it was written can be anything, but not nothing. */
static hd_mach_operand
anything(ssa *s, const event *e)
{
   hd_mach_block *block = s->p->blocks[e->block];
   const hd_mach_hooks *hooks = s->p->hooks;
   const hd_mach_operand constant = hooks->undefined_source
                                        ? hooks->undefined_source(e->inst, e->operand)
                                        : (hd_mach_operand){ 0 };

   if (constant.size)
      return constant;
   hd_mach_inst *undef = hd_mach_inst_create(s->p, HD_MACH_P_UNDEF, 1, 0);
   *hd_mach_def(undef, 0) = new_temp(s, e->operand->value);
   s->p->temps[hd_mach_def(undef, 0)->value].def = undef;
   hd_mach_inst_insert_before(block, undef, e->inst);
   if (block->tail == e->inst)
      block->tail = undef;
   return *hd_mach_def(undef, 0);
}

/* A literal is no operand of each instruction that reads a register. */
static hd_mach_operand
copy_literal(ssa *s, const event *e, hd_mach_operand literal)
{
   hd_mach_block *block = s->p->blocks[e->block];
   hd_mach_inst *copy = hd_mach_inst_create(s->p, HD_MACH_P_COPY, 1, 1);

   *hd_mach_def(copy, 0) = new_temp(s, e->operand->value);
   *hd_mach_src(copy, 0) = literal;
   s->p->temps[hd_mach_def(copy, 0)->value].def = copy;
   hd_mach_inst_insert_before(block, copy, e->inst);
   if (block->tail == e->inst)
      block->tail = copy;
   return *hd_mach_def(copy, 0);
}

static void
write_operands(ssa *s)
{
   const unsigned literal = s->p->mach->literal;

   for (uint32_t n = 1; n <= s->num_events; n++) {
      const event *e = &s->events[n];
      if (e->kind == EVENT_END_DEF && e->read)
         s->values[e->value].same_as = s->events[e->read].value;
   }
   for (uint32_t n = 1; n <= s->num_events; n++) {
      const event *e = &s->events[n];
      if (e->kind != EVENT_USE || !e->value)
         continue;
      hd_mach_operand operand = resolve(s, e->value);
      if (operand.flags & HD_MACH_OPERAND_UNDEF && e->inst)
         operand = anything(s, e);
      else if (e->inst && e->inst->op >= HD_MACH_NUM_PSEUDO_OPS && !hd_mach_is_temp(&operand) &&
               operand.reg == literal)
         operand = copy_literal(s, e, operand);
      if (e->operand->flags & HD_MACH_OPERAND_FIXED) {
         operand.reg = e->operand->reg;
         operand.flags |= HD_MACH_OPERAND_FIXED;
      }
      /* How the value is read is the instruction's. */
      operand.flags |= e->operand->flags & HD_MACH_OPERAND_MACHINE;
      *e->operand = operand;
   }
   for (uint32_t n = 0; n < s->num_phis; n++) {
      for (uint32_t k = 0; k < s->phis[n].inst->num_srcs; k++) {
         hd_mach_operand *src = hd_mach_src(s->phis[n].inst, k);
         *src = resolve(s, src->value);
      }
   }
}

static void
allocate(ssa *s)
{
   hd_stack *stack = s->p->stack;
   size_t blocks = s->p->num_blocks * sizeof(uint32_t);
   size_t temps = ((size_t)s->p->num_temps + 1) * sizeof(uint32_t);
   uint32_t **by_block[] = { &s->end_uses,     &s->end_defs,  &s->last_end_use, &s->begins,
                             &s->last_end_def, &s->in,        &s->out,          &s->last_begin,
                             &s->in_stamp,     &s->def_stamp, &s->way };
   uint32_t **by_temp[] = { &s->first, &s->last, &s->num_defs };

   for (size_t n = 0; n < sizeof(by_block) / sizeof(by_block[0]); n++)
      *by_block[n] = hd_stack_alloc_zero(stack, blocks);
   for (size_t n = 0; n < sizeof(by_temp) / sizeof(by_temp[0]); n++)
      *by_temp[n] = hd_stack_alloc_zero(stack, temps);
   s->by_order = hd_stack_alloc(stack, s->p->num_blocks * sizeof(*s->by_order));
}

void
hd_mach_ssa_repair(hd_mach_program *p, const linear_defs *defs)
{
   ssa s = { .p = p };
   uint32_t num_temps = p->num_temps;

   allocate(&s);
   hd_mach_program_number(p);
   hd_mach_foreach_block(block, p) s.by_order[block->order] = block;
   collect_ends(&s, defs);
   hd_mach_foreach_block(block, p) collect_block(&s, block);
   hd_mach_linear_dominance_find(p, &s.doms);
   s.def_orders = hd_stack_alloc(p->stack, ((size_t)s.num_events + 1) * sizeof(*s.def_orders));
   for (uint32_t temp = 1; temp < num_temps; temp++) {
      if (is_variable(&s, temp))
         rename_variable(&s, temp);
   }
   write_operands(&s);
}
